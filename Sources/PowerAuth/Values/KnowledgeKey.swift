// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// The key that locks the knowledge factor, derived from a PIN.
///
/// Only the server can tell whether the PIN was right: a wrong one gives another key (powerauth.md §14). The key
/// remembers its parameters, so that a key from before a change of the PIN is refused instead of used.
package final class KnowledgeKey: Sendable {
    /// The shortest PIN, in bytes.
    package static let minimumPINLength = 4

    /// The parameters of the derivation.
    package let parameters: KnowledgeParameters
    let key: SecureBytes

    private init(key: SecureBytes, parameters: KnowledgeParameters) {
        self.key = key
        self.parameters = parameters
    }

    /// Derives the key. This takes milliseconds on purpose: call it outside of any lock.
    ///
    /// - Parameters:
    ///   - pin: the UTF-8 bytes of the PIN or password, at least 4.
    ///   - parameters: those of the activation, or new ones for a new PIN.
    /// - Throws: `wrongParameter` for a PIN that is too short, `encryption` when the crypto library fails.
    package static func derive(pin: some Bytes, parameters: KnowledgeParameters) throws(PowerAuthError) -> KnowledgeKey
    {
        guard pin.byteCount >= minimumPINLength else { throw PowerAuthError(.wrongParameter, "the PIN is too short") }
        guard parameters.iterations > 0 else {
            return KnowledgeKey(
                key: try V4.PasswordKDF.derive(password: pin, salt: parameters.salt), parameters: parameters)
        }
        let key = try attempt(
            .encryption, "the knowledge key could not be derived",
            try KDF.pbkdf2SHA1(
                password: pin, salt: parameters.salt, iterations: parameters.iterations, count: 16))
        guard !key.isAllZero else { throw PowerAuthError(.encryption, "the knowledge key could not be derived") }
        return KnowledgeKey(key: key, parameters: parameters)
    }
}
