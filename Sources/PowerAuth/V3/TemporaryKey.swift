// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// A short-lived public key of the server for encryption in 3.3 (powerauth.md §6). Kept in memory only.
package struct TemporaryKey: Sendable {
    /// How many milliseconds before its expiry a key is retired.
    private static let safetyMargin: Int64 = 10_000

    /// Whom messages under this key are for.
    package let scope: EncryptionScope
    /// The identifier that requests carry.
    package let id: [UInt8]
    /// The key.
    package let publicKey: PublicKey
    /// When it was issued, server time in milliseconds since the Unix epoch.
    package let issued: Int64
    /// When it expires, server time in milliseconds since the Unix epoch.
    package let expires: Int64
    /// The application for which it was issued.
    let applicationKey: [UInt8]
    /// The activation for which it was issued, in activation scope.
    let activationId: [UInt8]?

    /// Whether a request may still be encrypted with it.
    ///
    /// - Parameter now: synchronised time, milliseconds since the Unix epoch.
    package func isUsable(now: Int64) -> Bool {
        let deadline = expires.subtractingReportingOverflow(TemporaryKey.safetyMargin)
        return !deadline.overflow && now < deadline.partialValue
    }
}
