// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// The input of a signature: the factors and the keys that unlock them.
package final class SigningKeys: Sendable {
    /// The factors of the signature.
    package let factors: Factors
    let knowledge: KnowledgeKey?
    let biometry: SecureBytes?
    let possession: SecureBytes?
    /// The authenticator that `biometry` belongs to; nil: the unnamed one.
    let authenticator: [UInt8]?

    /// Names the factors by their keys.
    ///
    /// - Parameters:
    ///   - possession: whether the device is a factor; it nearly always is.
    ///   - knowledge: the key of the PIN, if the PIN is a factor.
    ///   - biometry: the 16-byte biometric unlock key, if biometry is a factor. When the system refused biometry, a random
    ///     key lets the server see and count a wrong signature (client.md §9).
    ///   - authenticator: the named copy of the biometric factor that the key unlocks; nil: the unnamed one.
    ///   - possessionKey: a 16-byte unlock key to use in place of the session's.
    package init(
        possession: Bool = true, knowledge: KnowledgeKey? = nil, biometry: SecureBytes? = nil,
        authenticator: [UInt8]? = nil, possessionKey: SecureBytes? = nil
    ) {
        var factors: Factors = possession ? .possession : []
        if knowledge != nil { factors.insert(.knowledge) }
        if biometry != nil { factors.insert(.biometry) }
        self.factors = factors
        self.knowledge = knowledge
        self.biometry = biometry
        self.possession = possessionKey
        self.authenticator = authenticator
    }

    /// The device alone.
    package static var possession: SigningKeys { SigningKeys() }

    /// The device and the PIN.
    package static func possession(with knowledge: KnowledgeKey) -> SigningKeys { SigningKeys(knowledge: knowledge) }

    /// The device and biometry.
    package static func possession(biometry: SecureBytes) -> SigningKeys { SigningKeys(biometry: biometry) }
}
