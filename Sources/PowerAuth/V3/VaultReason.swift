// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// Why the vault is to be unlocked (powerauth.md §13).
package enum VaultReason: Sendable {
    case addBiometry
    case fetchEncryptionKey
    case signWithDevicePrivateKey
    case recoveryCode

    /// The name of the reason.
    package var name: StaticString {
        switch self {
        case .addBiometry: "ADD_BIOMETRY"
        case .fetchEncryptionKey: "FETCH_ENCRYPTION_KEY"
        case .signWithDevicePrivateKey: "SIGN_WITH_DEVICE_PRIVATE_KEY"
        case .recoveryCode: "RECOVERY_CODE"
        }
    }

    /// The payload of an unlock request, `{"reason":"…"}`.
    package var payload: [UInt8] { VaultReason.write(name) }

    /// The payload of an unlock request with a reason of the application's own.
    ///
    /// - Throws: `wrongParameter` unless it matches `[A-Za-z0-9_\-.]{3,255}`.
    package static func payload(custom reason: some Bytes) throws(PowerAuthError) -> [UInt8] {
        let isValid = reason.withBytes { bytes in
            (3...255).contains(bytes.count) && bytes.allSatisfy { isIdentifier([$0]) }
        }
        guard isValid else { throw PowerAuthError(.wrongParameter, "the server does not accept this reason") }
        return write(reason)
    }

    private static func write(_ reason: some Bytes) -> [UInt8] {
        var payload: [UInt8] = []
        payload.reserveCapacity(16 + reason.byteCount)
        payload.append("{\"reason\":\"" as StaticString)
        payload.append(reason)
        payload.append("\"}" as StaticString)
        return payload
    }
}
