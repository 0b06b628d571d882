// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON

/// A request for a temporary key, and what its answer must repeat.
package struct TemporaryKeyRequest: Sendable {
    /// The scope of the key.
    package let scope: EncryptionScope
    /// The HTTP body, `{"requestObject":{"jwt":"…"}}`.
    package let body: [UInt8]
    /// Base64 of 18 random bytes.
    let challenge: [UInt8]
    let applicationKey: [UInt8]
    let activationId: [UInt8]?

    /// Writes and signs the request (powerauth.md §6.1).
    ///
    /// - Parameter transportKey: `KEY_TRANSPORT`, in activation scope.
    init(
        configuration: Configuration, activation: (id: [UInt8], transportKey: SecureBytes)?, challenge: [UInt8]
    ) throws(CryptoError) {
        scope = activation == nil ? .application : .activation
        self.challenge = challenge
        applicationKey = configuration.applicationKey
        activationId = activation?.id

        var claims: [UInt8] = []
        claims.reserveCapacity(160)
        claims.append("{\"applicationKey\":\"" as StaticString)
        claims.append(configuration.applicationKey)
        if let activation {
            claims.append("\",\"activationId\":\"" as StaticString)
            claims.append(activation.id)
        }
        claims.append("\",\"challenge\":\"" as StaticString)
        claims.append(challenge)
        claims.append("\"}" as StaticString)

        let input = JSONWebToken.signingInput(header: JSONWebToken.headerHS256, payload: claims)
        let key = try Self.authenticationKey(configuration: configuration, transportKey: activation?.transportKey)
        let signature = try HMACSHA256.authenticate(input, key: key)

        var body: [UInt8] = []
        body.reserveCapacity(input.count + 96)
        body.append("{\"requestObject\":{\"jwt\":\"" as StaticString)
        body.append(JSONWebToken.token(signingInput: input, signature: signature))
        body.append("\"}}" as StaticString)
        self.body = body
    }

    /// The key that authenticates requests, of the application or of an activation (powerauth.md §6.1).
    static func authenticationKey(
        configuration: Configuration, transportKey: SecureBytes?
    ) throws(CryptoError) -> SecureBytes {
        let secret = configuration.applicationSecretBytes
        guard let transportKey else { return SecureBytes(copying: secret) }
        return try KDF.deriveInternal(transportKey, data: secret)
    }

    /// Checks the answer, in the order of powerauth.md §6.3, and takes the key out of it.
    ///
    /// - Parameters:
    ///   - responseObject: the object with the member `jwt`.
    ///   - signer: the master public key in application scope, the server's key of the activation in activation scope.
    /// - Throws: `invalidTemporaryKey`.
    func accept(_ responseObject: JSONValue, signer: PublicKey) throws(PowerAuthError) -> TemporaryKey {
        guard let text = responseObject["jwt"]?.text, let parts = text.withBytes({ JSONWebToken.Parts($0) }) else {
            throw PowerAuthError(.invalidTemporaryKey, "the response has no valid token")
        }
        guard let type = parts.header["typ"]?.text, type.equals("JWT") else {
            throw PowerAuthError(.invalidTemporaryKey, "the token has the wrong type")
        }
        guard let algorithm = parts.header["alg"]?.text, algorithm.equals("ES256") else {
            throw PowerAuthError(.invalidTemporaryKey, "the token has the wrong signature algorithm")
        }
        guard try verifySignature(parts.signature, format: .jose, of: parts.signingInput, by: signer) else {
            throw PowerAuthError(.serverSignature, "the signature of the temporary key is wrong")
        }
        guard let claims = parts.claims, repeats("challenge", challenge, in: claims),
            repeats("applicationKey", applicationKey, in: claims)
        else { throw PowerAuthError(.invalidTemporaryKey, "the token answers another request") }
        if let activationId, !repeats("activationId", activationId, in: claims) {
            throw PowerAuthError(.invalidTemporaryKey, "the token is for another activation")
        }
        guard let point = claims.base64("publicKey"), let publicKey = try? PublicKey(point: point) else {
            throw PowerAuthError(.invalidTemporaryKey, "the token has no valid public key")
        }
        guard let id = claims.identifier("sub"), let issued = claims["iat_ms"]?.int64,
            let expires = claims["exp_ms"]?.int64, issued >= 0, expires > issued
        else { throw PowerAuthError(.invalidTemporaryKey, "the token has no valid identifier or times") }
        return TemporaryKey(
            scope: scope, id: id, publicKey: publicKey, issued: issued, expires: expires,
            applicationKey: applicationKey,
            activationId: activationId)
    }

    private func repeats(_ name: StaticString, _ value: [UInt8], in claims: JSONValue) -> Bool {
        guard let text = claims[name]?.text else { return false }
        return text.withBytes { sameBytes($0, value) }
    }
}
