// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON

extension V4 {
    /// A short-lived secret that client and server share (powerauth4.md §7). Kept in memory only.
    package struct TemporaryKey: Sendable {
        /// How many milliseconds before its expiry a key is retired.
        private static let safetyMargin: Int64 = 10_000

        /// Whom messages under this key are for.
        package let scope: EncryptionScope
        /// The suite of the exchange in which it was made.
        package let suite: Suite
        /// The identifier that requests carry.
        package let id: [UInt8]
        /// `KEY_TEMPORARY_SHARED_SECRET`
        let secret: SecureBytes
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

    /// A request for a temporary key, and what its answer must repeat.
    package struct TemporaryKeyRequest: Sendable {
        /// The scope of the key.
        package let scope: EncryptionScope
        /// The HTTP body, `{"requestObject":{"jwt":"…"}}`.
        package let body: [UInt8]
        /// The suite of the exchange.
        package var suite: Suite { exchange.suite }
        private let exchange: SharedSecretRequest
        /// Base64 of 32 random bytes.
        private let challenge: [UInt8]
        private let applicationKey: [UInt8]
        private let activationId: [UInt8]?

        /// Writes and authenticates a request.
        ///
        /// Draws from the random source: the keys of the exchange, then 32 bytes.
        ///
        /// - Parameter activation: in activation scope: its identifier, and `KEY_MAC_GET_ACT_TEMP_KEY`.
        /// - Throws: `unsupportedProtocol`, `randomFailed`, `encryption`.
        package init(
            configuration: Configuration, suite: Suite, activation: (id: [UInt8], key: SecureBytes)?,
            random: RandomSource
        ) throws(PowerAuthError) {
            let exchange = try SharedSecretRequest(suite: suite, random: random)
            let challenge = try attempt(.randomFailed, "OpenSSL could not provide random bytes", try random.bytes(32))
            try self.init(configuration, activation, exchange, challenge: challenge)
        }

        init(
            _ configuration: Configuration, _ activation: (id: [UInt8], key: SecureBytes)?,
            _ exchange: SharedSecretRequest, challenge: [UInt8]
        ) throws(PowerAuthError) {
            scope = activation == nil ? .application : .activation
            self.exchange = exchange
            self.challenge = Base64.encodedBytes(challenge)
            applicationKey = configuration.applicationKey
            activationId = activation?.id

            var claims: [UInt8] = []
            claims.reserveCapacity(3000)
            claims.append("{\"applicationKey\":\"" as StaticString)
            claims.append(applicationKey)
            claims.append("\",\"challenge\":\"" as StaticString)
            claims.append(self.challenge)
            if let activationId {
                claims.append("\",\"activationId\":\"" as StaticString)
                claims.append(activationId)
            }
            claims.append("\",\"sharedSecretRequest\":" as StaticString)
            claims.append(exchange.json)
            claims.append("}" as StaticString)

            let input = JSONWebToken.signingInput(header: JSONWebSignature.headerHS384, payload: claims)
            let code = try attempt(.encryption, "the request could not be authenticated") {
                () throws(CryptoError) -> [UInt8] in
                if let activation { return try SHA384.authenticate(input, key: activation.key) }
                let key = try KDF.derive(configuration.applicationSecretBytes, "util/mac/get-app-temp-key")
                return try SHA384.authenticate(input, key: key)
            }
            var body: [UInt8] = []
            body.reserveCapacity(input.count + 128)
            body.append("{\"requestObject\":{\"jwt\":\"" as StaticString)
            body.append(JSONWebToken.token(signingInput: input, signature: code))
            body.append("\"}}" as StaticString)
            self.body = body
        }

        /// Checks the answer and takes the key out of it.
        ///
        /// - Parameters:
        ///   - responseObject: the object with the member `jwt`.
        ///   - signers: the master keys in application scope, the server's keys of the activation in activation scope.
        /// - Throws: `invalidTemporaryKey`; `serverSignature`; `encryption`; `unsupportedProtocol`.
        package func accept(
            _ responseObject: JSONValue, signers: PublicKeys
        ) throws(PowerAuthError) -> TemporaryKey {
            guard signers.suite == suite else {
                throw PowerAuthError(.wrongState, "the keys that check the response are of another suite")
            }
            guard let text = responseObject["jwt"]?.text else {
                throw PowerAuthError(.invalidTemporaryKey, "the response has no JSON Web Signature")
            }
            let claims = try text.withBytes { (text) throws(PowerAuthError) in
                try JSONWebSignature.verify(text, keys: signers)
            }
            guard repeats("challenge", challenge, in: claims), repeats("applicationKey", applicationKey, in: claims)
            else { throw PowerAuthError(.invalidTemporaryKey, "the response answers another request") }
            if let activationId {
                guard repeats("activationId", activationId, in: claims) else {
                    throw PowerAuthError(.invalidTemporaryKey, "the response is for another activation")
                }
            } else if claims.present("activationId") != nil {
                throw PowerAuthError(.invalidTemporaryKey, "the response is for an activation")
            }
            guard let id = claims.identifier("sub"), let issued = claims["iat_ms"]?.int64,
                let expires = claims["exp_ms"]?.int64, issued >= 0, expires > issued
            else { throw PowerAuthError(.invalidTemporaryKey, "the response has no valid identifier or times") }
            guard let response = claims["sharedSecretResponse"], response.kind == .object,
                let secret = try? exchange.accept(response)
            else { throw PowerAuthError(.invalidTemporaryKey, "the response has no valid shared secret") }
            return TemporaryKey(
                scope: scope, suite: suite, id: id, secret: secret, issued: issued, expires: expires,
                applicationKey: applicationKey, activationId: activationId)
        }

        private func repeats(_ name: StaticString, _ value: [UInt8], in claims: JSONValue) -> Bool {
            guard let text = claims[name]?.text else { return false }
            return text.withBytes { sameBytes($0, value) }
        }
    }
}
