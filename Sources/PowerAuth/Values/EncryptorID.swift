// SPDX-License-Identifier: Apache-2.0
/// The purpose of an encrypted message (powerauth.md §5.1).
package enum EncryptorID: UInt8, Sendable, CaseIterable {
    /// Activation layer 1, and application endpoints before activation.
    case applicationGeneric
    /// User info, activation detail and rename, and application endpoints.
    case activationGeneric
    /// `activationData` inside activation layer 1.
    case activationLayer2
    /// Start of a protocol upgrade.
    case upgrade
    /// Vault unlock.
    case vaultUnlock
    /// Creation of a token.
    case createToken
    /// Confirmation of a recovery code.
    case confirmRecoveryCode
    /// Change of the PIN, in 4.0 only.
    case changePassword
    /// Another biometric factor, in 4.0 only.
    case addBiometry

    /// For whom such messages are encrypted.
    package var scope: EncryptionScope {
        switch self {
        case .applicationGeneric, .activationLayer2: .application
        default: .activation
        }
    }

    /// The text that separates the keys of different uses.
    package var sharedInfo1: StaticString {
        switch self {
        case .applicationGeneric: "/pa/generic/application"
        case .activationGeneric: "/pa/generic/activation"
        case .activationLayer2: "/pa/activation"
        case .upgrade: "/pa/upgrade"
        case .vaultUnlock: "/pa/vault/unlock"
        case .createToken: "/pa/token/create"
        case .confirmRecoveryCode: "/pa/recovery/confirm"
        case .changePassword: "/pa/password/change"
        case .addBiometry: "/pa/biometry/add"
        }
    }
}
