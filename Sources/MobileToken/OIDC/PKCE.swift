// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenModel

/// A proof key for one authorization request (RFC 7636), with the method S256 only.
public struct PKCE: Sendable {
    /// Stays on the device until the code is redeemed: 43 to 128 unreserved characters.
    public let verifier: SecureBytes
    /// Goes out with the request: base64url of the verifier's SHA-256.
    public let challenge: String

    /// How many random bytes a verifier may be made of; both ends are allowed.
    package static let byteCounts = 32...96
    private static let verifierLengths = 43...128

    /// A new key made of so many random bytes.
    package init(byteCount: Int, random: RandomSource = RandomSource()) throws(Failure) {
        guard Self.byteCounts.contains(byteCount) else {
            throw .argument("A PKCE verifier needs 32 to 96 random bytes.")
        }
        let verifier = try RandomText.make(byteCount, random: random)
        self.init(verifier: verifier, challenge: try Self.challenge(of: verifier))
    }

    private init(verifier: SecureBytes, challenge: String) {
        self.verifier = verifier
        self.challenge = challenge
    }

    /// The S256 challenge of a verifier.
    public static func challenge(of verifier: SecureBytes) throws(Failure) -> String {
        let isValid = verifier.withBytes { bytes in
            verifierLengths.contains(bytes.count) && bytes.allSatisfy(FormText.isUnreserved)
        }
        guard isValid else { throw .argument("A PKCE verifier must be 43 to 128 characters from A-Z a-z 0-9 - . _ ~.") }
        do throws(CryptoError) {
            return Base64URL.encode(try SHA256.hash(verifier))
        } catch {
            throw Failure(.internal, Reason.internalError, "OpenSSL could not compute the PKCE challenge.")
        }
    }
}

/// Random text for states, nonces and verifiers.
package enum RandomText {
    private static let byteCounts = 1...1024

    /// So many random bytes as base64url without padding.
    package static func make(_ byteCount: Int, random: RandomSource = RandomSource()) throws(Failure) -> SecureBytes {
        guard byteCounts.contains(byteCount) else { throw .argument("The number of random bytes must be 1 to 1024.") }
        let bytes: SecureBytes
        do throws(CryptoError) {
            bytes = try random.secureBytes(byteCount)
        } catch {
            throw Failure(.internal, Reason.internalError, "OpenSSL could not provide random bytes.")
        }
        var text = Base64URL.encodedBytes(bytes)
        defer { wipe(&text) }
        return SecureBytes(copying: text)
    }
}
