// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// How an ECDSA signature is written.
package enum SignatureFormat: Sendable {
    /// ASN.1 DER.
    case der
    /// `r ‖ s`, as in JSON Web Tokens.
    case jose
}

/// Checks an ECDSA signature; a malformed one is a wrong one.
///
/// - Throws: `encryption` when the crypto library fails.
func verifySignature(
    _ signature: some Bytes, format: SignatureFormat, of data: some Bytes, by key: PublicKey
) throws(PowerAuthError) -> Bool {
    do {
        switch format {
        case .der: return try key.verify(der: signature, data: data)
        case .jose: return try key.verify(jose: signature, data: data)
        }
    } catch {
        guard error.reason == .library else { return false }
        throw PowerAuthError(.encryption, "the signature could not be checked")
    }
}

extension Configuration {
    /// Whether the application's server made a signature with its key on P-384 or P-256. Needs no activation.
    ///
    /// - Throws: `encryption` when the crypto library fails.
    package func verifyMasterSignature(
        _ data: some Bytes, signature: some Bytes, format: SignatureFormat = .der
    ) throws(PowerAuthError) -> Bool {
        for key in offlineMasterKeys where try verifySignature(signature, format: format, of: data, by: key) {
            return true
        }
        return false
    }
}
