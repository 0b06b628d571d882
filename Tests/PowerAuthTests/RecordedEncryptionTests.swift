import MobileTokenCrypto
import MobileTokenJSON
import TestSupport
import Testing

@testable import PowerAuth
@testable import PowerAuthDoubles

/// Temporary keys, and encrypted exchanges of an activation, recorded in front of a released server.
@Suite struct RecordedEncryptionTests {
    /// Requests byte by byte with the recorded challenge; the answers through all checks, and one change of each refused.
    @Test func keyStore() throws {
        struct Recording: Decodable {
            struct Claims: Decodable {
                let challenge: String
                let applicationKey: String
                let activationId: String?
                let publicKey: String?
                let sub: String?
                let iat_ms: Int64?
                let exp_ms: Int64?
            }
            let exchange: Recordings.Exchange
            let transportKey: String?
            let applicationSecret: String
            let requestClaims: Claims
            let answerClaims: Claims
            let serverPublicKey: String?
            let masterPublicKey: String?
        }
        try Recordings.each(.keyStore, as: Recording.self) { name, recording in
            let life = try RecordedLife(of: name)
            let scope: EncryptionScope = recording.transportKey == nil ? .application : .activation
            #expect(life.server.configuration.applicationSecret.text == recording.applicationSecret)
            if let transportKey = recording.transportKey {
                #expect(life.keys.transport.array == [UInt8](base64: transportKey))
                #expect(recording.requestClaims.activationId == life.server.activationId)
            }
            let random = ScriptedRandom()
            let session = try life.session(random)
            let signer =
                try scope == .application
                ? session.configuration.masterPublicKey
                : session.serverKey(
                    #require(session.record))
            let recorded = try #require(recording.serverPublicKey ?? recording.masterPublicKey)
            #expect(signer.uncompressed == [UInt8](base64: recorded))

            random.bytes = [[UInt8](base64: recording.requestClaims.challenge)]
            let request = try session.temporaryKeyRequest(scope: scope)
            #expect(request.body.text == recording.exchange.requestBody, "\(name)")
            #expect(random.draws == [.bytes(18)])

            let answer = try #require(try json(recording.exchange.answer)["responseObject"])
            let key = try session.acceptTemporaryKey(answer, request: request)
            #expect(key.scope == scope)
            #expect(key.id.text == recording.answerClaims.sub)
            #expect(key.publicKey.uncompressed == [UInt8](base64: try #require(recording.answerClaims.publicKey)))
            #expect(key.issued == recording.answerClaims.iat_ms && key.expires == recording.answerClaims.exp_ms)
            #expect(key.isUsable(now: key.issued) && !key.isUsable(now: key.expires - 10_000))

            // The same answer to another request is refused, and so is one that somebody changed.
            let other = try session.temporaryKeyRequest(scope: scope)
            #expect(failure { try session.acceptTemporaryKey(answer, request: other) } == .invalidTemporaryKey)
            let jwt = try #require(answer["jwt"]?.text?.string)
            let last = try #require(jwt.dropLast(1).last)
            let forged = jwt.dropLast(2) + (last == "A" ? "B" : "A") + jwt.suffix(1)
            #expect(
                failure { try session.acceptTemporaryKey(json(#"{"jwt":"\#(forged)"}"#), request: request) }
                    == .serverSignature)
        }
    }

    @Test func userInfo() throws {
        struct Recording: Decodable {
            let exchange: Recordings.Exchange
            let transportKey: String
            let recipientPrivateKey: String
            let activationId: String
            let request: String
            let answer: String
        }
        try Recordings.each(.userInfo, as: Recording.self) { name, recording in
            let life = try RecordedLife(of: name)
            #expect(life.keys.transport.array == [UInt8](base64: recording.transportKey))
            #expect(life.server.activationId == recording.activationId)
            try replay(
                recording.exchange, id: .activationGeneric, recipient: recording.recipientPrivateKey, life: life,
                request: recording.request, answer: recording.answer, Comment(rawValue: name))
        }
    }

    @Test func oidcConfiguration() throws {
        struct Recording: Decodable {
            let exchange: Recordings.Exchange
            let temporaryPrivateKey: String
            let request: String
            let answer: String
        }
        try Recordings.each(.oidcConfig, as: Recording.self) { name, recording in
            try replay(
                recording.exchange, id: .applicationGeneric, recipient: recording.temporaryPrivateKey,
                life: try RecordedLife(of: name), request: recording.request, answer: recording.answer,
                Comment(rawValue: name))
        }
    }

    /// Creation: encrypted, then signed; use: the digest.
    @Test func tokens() throws {
        struct Recording: Decodable {
            let activationId: String
            let create: Recordings.Exchange
            let transportKey: String
            let possessionKey: String
            let ctrData: String
            let recipientPrivateKey: String
            let request: String
            let answer: String
            let use: Recordings.Exchange
        }
        try Recordings.each(.token, as: Recording.self) { name, recording in
            let life = try RecordedLife(of: name)
            #expect(life.keys.transport.array == [UInt8](base64: recording.transportKey))
            #expect(life.keys.possession.array == [UInt8](base64: recording.possessionKey))
            #expect(life.server.activationId == recording.activationId)
            #expect(try life.steps(to: recording.ctrData) != nil, "\(name)")

            let random = ScriptedRandom()
            let session = try life.session(random, counter: recording.ctrData)
            let attributes = recording.create.attributes("X-PowerAuth-Authorization")
            random.bytes = [[UInt8](base64: attributes["pa_nonce"] ?? "")]
            let header = try session.sign(
                method: .post, uriId: "/pa/token/create", body: recording.create.requestBody, keys: .possession)
            #expect(header == recording.create.header("X-PowerAuth-Authorization"), "\(name)")
            #expect(recording.create.header("X-PowerAuth-Encryption") == nil)

            let plaintext = try replay(
                recording.create, id: .createToken, recipient: recording.recipientPrivateKey, life: life,
                request: recording.request, answer: recording.answer, Comment(rawValue: name))
            try session.acceptToken(plaintext, name: "t", factors: .possession)

            let used = recording.use.attributes("X-PowerAuth-Token")
            random.bytes = [[UInt8](base64: used["nonce"] ?? "")]
            let time = try #require(used["timestamp"].flatMap { Int64($0) })
            #expect(
                try session.tokenHeader(named: "t", now: time) == recording.use.header("X-PowerAuth-Token"), "\(name)")
            #expect(recording.use.status == 200)
        }
    }

    /// Both ways, the vault key against the one that follows from the keys of the activation, and the device's signature
    /// that the server found right.
    @Test func vault() throws {
        struct Recording: Decodable {
            let activationId: String
            let exchange: Recordings.Exchange
            let transportKey: String
            let recipientPrivateKey: String
            let request: String
            let answer: String
            let vaultKey: String
            let data: String
            let deviceSignature: String
            let devicePublicKey: String
        }
        try Recordings.each(.vaultUnlock, as: Recording.self) { name, recording in
            let life = try RecordedLife(of: name)
            #expect(life.keys.transport.array == [UInt8](base64: recording.transportKey))
            #expect(life.server.activationId == recording.activationId)
            let plaintext = try replay(
                recording.exchange, id: .vaultUnlock, recipient: recording.recipientPrivateKey, life: life,
                request: recording.request, answer: recording.answer, Comment(rawValue: name))
            #expect(VaultReason.signWithDevicePrivateKey.payload.text == recording.request)
            let encrypted = try #require(
                try JSONFields.parse(plaintext, .encryption).base64("encryptedVaultEncryptionKey", count: 32))
            let vault = try VaultKey.decrypt(encrypted, transportKey: life.keys.transport)
            #expect(vault.key.array == [UInt8](base64: recording.vaultKey), "\(name)")
            #expect(vault.key.array == life.keys.vault.array, "\(name)")
            let device = try PublicKey(point: [UInt8](base64: recording.devicePublicKey))
            #expect(device.compressed == life.server.devicePublicKey?.compressed)
            #expect(
                try device.verify(
                    der: [UInt8](base64: recording.deviceSignature), data: [UInt8](base64: recording.data)), "\(name)")

            // The recording does not tell the counter: the signature is one of those of the first steps, over the
            // encrypted body.
            let attributes = recording.exchange.attributes("X-PowerAuth-Authorization")
            let keys = try life.signingKeys(attributes["pa_signature_type"])
            let random = ScriptedRandom()
            let session = try life.session(random)
            let steps = try (0..<64).first { _ in
                random.bytes = [[UInt8](base64: attributes["pa_nonce"] ?? "")]
                return try session.sign(
                    method: .post, uriId: "/pa/vault/unlock", body: recording.exchange.requestBody, keys: keys)
                    == recording.exchange.header("X-PowerAuth-Authorization")
            }
            #expect(steps != nil, "\(name)")
        }
    }

    /// Opens the request as the server, compares it with what the library writes, and decrypts the answer as it came.
    @discardableResult
    private func replay(
        _ exchange: Recordings.Exchange, id: EncryptorID, recipient: String, life: RecordedLife, request: String,
        answer: String, _ name: Comment
    ) throws -> SecureBytes {
        let body = try json(exchange.requestBody)
        let envelope = try RecordedEnvelope(body, id: id, recipient: recipient, server: life.server)
        #expect(envelope.opened.plaintext == request, name)

        let random = ScriptedRandom()
        let session = try life.session(random)
        let rewritten = try envelope.rewritten(session, random)
        #expect(cryptogramForm(try json(rewritten.body)) == cryptogramForm(body), name)
        if let header = exchange.header("X-PowerAuth-Encryption") { #expect(rewritten.header == header, name) }

        let encryptor = try envelope.encryptor(session)
        let plaintext = try encryptor.decrypt(try json(exchange.answer))
        #expect(plaintext.array.text == answer, name)
        #expect(encryptor.responseTimestamp == (try json(exchange.answer)["timestamp"]?.int64), name)
        #expect(exchange.status == 200, name)
        // Good for one answer; and not with one bit changed.
        #expect(failure { try encryptor.decrypt(json(exchange.answer)) } == .wrongState)
        let data = try #require(try json(exchange.answer)["encryptedData"]?.text?.string)
        var bytes = [UInt8](base64: data)
        bytes[0] ^= 1
        let forged = exchange.answer.replacing(data, with: bytes.base64)
        #expect(failure { try envelope.encryptor(session).decrypt(json(forged)) } == .encryption, name)
        return plaintext
    }
}
