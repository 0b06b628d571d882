// SPDX-License-Identifier: Apache-2.0
/// For whom a message is encrypted (powerauth.md §5.1).
package enum EncryptionScope: UInt8, Sendable {
    /// The application's server, without an activation.
    case application
    /// The server side of one activation.
    case activation
}
