// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON

extension Session {
    /// Takes a token out of the decrypted `{"tokenId":"…","tokenSecret":"…"}` (powerauth.md §11), and keeps it.
    /// A token of the same name is replaced. Store the state.
    ///
    /// - Parameters:
    ///   - plaintext: the decrypted answer.
    ///   - name: the application's name for the token, 1 to 255 bytes.
    ///   - factors: those of the signature with which it was created.
    /// - Throws: `missingActivation`, `activationPending`; `wrongParameter` for an unusable name or factors, or when there
    ///   are 64 tokens already; `invalidToken` when the answer is malformed.
    package func acceptToken(_ plaintext: SecureBytes, name: String, factors: Factors) throws(PowerAuthError) {
        let record = try activated()
        let nameBytes = [UInt8](name.utf8)
        guard (1...Token.maximumNameLength).contains(nameBytes.count), factors.signatureType != nil else {
            throw PowerAuthError(.wrongParameter, "the token's name or factors are invalid")
        }
        let root = try JSONFields.parse(plaintext, .invalidToken)
        guard let id = root.identifier("tokenId"),
            let secret = root.secret("tokenSecret", count: record.suite == nil ? 16 : 32),
            let token = Token(name: nameBytes, id: id, factors: factors, secret: secret)
        else { throw PowerAuthError(.invalidToken, "the response has no valid token") }
        if let index = record.tokens.firstIndex(where: { $0.name == nameBytes }) {
            record.tokens[index] = token
        } else {
            guard record.tokens.count < Token.maximumCount else {
                throw PowerAuthError(.wrongParameter, "there are too many tokens; remove one first")
            }
            record.tokens.append(token)
        }
    }

    /// The public data of a token; nil if there is none of that name.
    package func token(named name: String) -> TokenInfo? {
        storedToken(named: name).map { TokenInfo(id: $0.id, factors: $0.factors) }
    }

    /// The value of `X-PowerAuth-Token` for one request.
    ///
    /// - Parameter now: synchronised time, milliseconds since the Unix epoch.
    /// - Throws: `missingActivation`, `activationPending`; `invalidToken` when there is none of that name; `wrongParameter`
    ///   for a time that is not a timestamp; `randomFailed`, `signature`.
    package func tokenHeader(named name: String, now: Int64) throws(PowerAuthError) -> String {
        _ = try activated()
        guard let token = storedToken(named: name) else {
            throw PowerAuthError(.invalidToken, "there is no token with this name")
        }
        guard now > 0 else { throw PowerAuthError(.wrongParameter, "the time is before the Unix epoch") }
        var nonce = (UInt64(0), UInt64(0))
        try attempt(.randomFailed, "OpenSSL could not provide random bytes") { () throws(CryptoError) in
            try withUnsafeMutableBytes(of: &nonce) { (nonce) throws(CryptoError) in try random.fillPublic(nonce) }
        }
        return try attempt(.signature, "the digest could not be computed") { () throws(CryptoError) in
            try withUnsafeBytes(of: &nonce) { (nonce) throws(CryptoError) in
                try token.header(version: version, nonce: nonce, now: now)
            }
        }
    }

    /// Forgets a token. Store the state.
    ///
    /// - Throws: `missingActivation`, `activationPending`; `invalidToken` when there is none of that name.
    package func removeToken(named name: String) throws(PowerAuthError) {
        let record = try activated()
        guard let index = record.tokens.firstIndex(where: { sameBytes($0.name, name) }) else {
            throw PowerAuthError(.invalidToken, "there is no token with this name")
        }
        record.tokens.remove(at: index)
    }

    /// Forgets all tokens. Store the state.
    package func removeAllTokens() {
        guard let record else { return }
        record.tokens = []
    }

    private func storedToken(named name: String) -> Token? {
        record?.tokens.first { sameBytes($0.name, name) }
    }
}
