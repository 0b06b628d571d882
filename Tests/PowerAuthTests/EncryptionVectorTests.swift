import MobileTokenCrypto
import TestSupport
import Testing

@testable import PowerAuth
@testable import PowerAuthDoubles

@Suite struct EncryptionVectorTests {
    struct Message: Decodable {
        let temporaryKeyId: String?
        let ephemeralPublicKey: String?
        let encryptedData: String
        let mac: String
        let nonce: String?
        let timestamp: Int64?
    }

    /// The identifier with the name of the vector files.
    static func id(_ name: String) throws -> EncryptorID {
        switch name {
        case "APPLICATION_SCOPE_GENERIC": .applicationGeneric
        case "ACTIVATION_SCOPE_GENERIC": .activationGeneric
        case "ACTIVATION_LAYER_2": .activationLayer2
        case "UPGRADE": .upgrade
        case "VAULT_UNLOCK": .vaultUnlock
        case "CREATE_TOKEN": .createToken
        case "CONFIRM_RECOVERY_CODE": .confirmRecoveryCode
        default: throw CryptoError(reason: .invalidEncoding)
        }
    }

    // MARK: Raw

    struct Raw: Decodable {
        struct Row: Decodable {
            let plainRequest: String
            let plainResponse: String
            let sharedInfo1: String
            let sharedInfo2: String
            let request: Message
            let response: Message
        }
        let privateKey: String
        let publicKey: String
        let vectors: [Row]
    }

    @Test(arguments: [("powerauth-e2ee-raw-30", ProtocolVersion.v30), ("powerauth-e2ee-raw-31", .v31)])
    func raw(name: String, version: ProtocolVersion) throws {
        let file = try Vectors.load(name, as: Raw.self)
        let privateKey = try PrivateKey(bigEndian: [UInt8](base64: file.privateKey))
        #expect(privateKey.publicKey.compressed == [UInt8](base64: file.publicKey))
        for row in file.vectors {
            let point = [UInt8](base64: try #require(row.request.ephemeralPublicKey))
            let key = try EnvelopeKey(
                privateKey: privateKey, publicKey: PublicKey(point: point),
                sharedInfo1: [UInt8](base64: row.sharedInfo1),
                ephemeralPoint: point, version: version)
            let nonce = row.request.nonce.map { [UInt8](base64: $0) }
            try check(
                key, [(row.plainRequest, row.request), (row.plainResponse, row.response)], nonces: [nonce, nonce],
                shared: [[UInt8](base64: row.sharedInfo2), [UInt8](base64: row.sharedInfo2)])
        }
        Vectors.ran(name, file.vectors.count)
    }

    /// Seals and opens request and response with a known key.
    private func check(
        _ key: EnvelopeKey, _ messages: [(plain: String, message: Message)], nonces: [[UInt8]?], shared: [[UInt8]]
    ) throws {
        for (index, (plain, message)) in messages.enumerated() {
            let plaintext = [UInt8](base64: plain)
            let (data, mac) = ([UInt8](base64: message.encryptedData), [UInt8](base64: message.mac))
            let sealed = try key.seal(plaintext, nonce: nonces[index], sharedInfo2: shared[index])
            #expect(sealed.data == data && sealed.mac == mac)
            #expect(
                try key.open(data, mac: mac, nonce: nonces[index], sharedInfo2: shared[index]).array == plaintext)
        }
    }

    // MARK: What the reference client sent

    struct Client: Decodable {
        struct Row: Decodable {
            let encryptorId: String
            let plainRequest: String
            let plainResponse: String
            let associatedData: String
            let envelopeKey: String
            let request: Message
            let response: Message
        }
        let protocolVersion: String
        let masterServerPrivateKey: String
        let masterServerPublicKey: String
        let serverPrivateKey: String
        let serverPublicKey: String
        let activationId: String
        let applicationKey: String
        let applicationSecret: String
        let transportKey: String
        let tempKeyIdApplication: String?
        let tempKeyIdActivation: String?
        let vectors: [Row]
    }

    @Test(arguments: ["powerauth-e2ee-client-32", "powerauth-e2ee-client-33"])
    func client(name: String) throws {
        let file = try Vectors.load(name, as: Client.self)
        let version = try #require(ProtocolVersion(text: file.protocolVersion))
        for row in file.vectors {
            let id = try Self.id(row.encryptorId)
            let isActivation = id.scope == .activation
            try check(
                Exchange(
                    version: version, id: id, applicationKey: file.applicationKey,
                    applicationSecret: file.applicationSecret, activationId: isActivation ? file.activationId : nil,
                    transportKey: isActivation ? file.transportKey : nil,
                    serverPrivateKey: isActivation ? file.serverPrivateKey : file.masterServerPrivateKey,
                    serverPublicKey: isActivation ? file.serverPublicKey : file.masterServerPublicKey,
                    ephemeralPrivateKey: nil,
                    associatedData: [UInt8](base64: row.associatedData),
                    envelopeKey: row.envelopeKey, plainRequest: [UInt8](base64: row.plainRequest),
                    plainResponse: [UInt8](base64: row.plainResponse), request: row.request, response: row.response))
        }
        Vectors.ran(name, file.vectors.count)
    }

    // MARK: What the reference server accepted and answered

    struct Interop: Decodable {
        struct Row: Decodable {
            let version: String
            let encryptorId: String
            let sharedInfo1: String
            let applicationKey: String
            let applicationSecret: String
            let activationId: String?
            let transportKey: String?
            let serverPrivateKey: String
            let serverPublicKey: String
            let ephemeralPrivateKey: String
            let sharedInfo2Base: String
            let envelopeKey: String
            let associatedData: String
            let plainRequest: String
            let plainResponse: String
            let request: Message
            let response: Message
            let header: String
        }
        let vectors: [Row]
    }

    @Test func interop() throws {
        let file = try Vectors.load("powerauth-e2ee-interop", as: Interop.self)
        for row in file.vectors {
            let id = try Self.id(row.encryptorId)
            let version = try #require(ProtocolVersion(text: row.version))
            #expect(id.sharedInfo1.description == row.sharedInfo1)
            #expect((id.scope == .activation) == (row.activationId != nil))
            #expect(
                EncryptionHeader.value(
                    version: version, applicationKey: [UInt8](row.applicationKey.utf8),
                    activationId: row.activationId.map { [UInt8]($0.utf8) }) == row.header)
            let exchange = Exchange(
                version: version, id: id, applicationKey: row.applicationKey, applicationSecret: row.applicationSecret,
                activationId: row.activationId, transportKey: row.transportKey, serverPrivateKey: row.serverPrivateKey,
                serverPublicKey: row.serverPublicKey, ephemeralPrivateKey: row.ephemeralPrivateKey,
                associatedData: version.usesTimestamps ? [UInt8](base64: row.associatedData) : nil,
                envelopeKey: row.envelopeKey, plainRequest: [UInt8](row.plainRequest.utf8),
                plainResponse: [UInt8](row.plainResponse.utf8), request: row.request, response: row.response)
            #expect(try exchange.sharedInfo2Base() == [UInt8](base64: row.sharedInfo2Base))
            try check(exchange)
        }
        Vectors.ran("powerauth-e2ee-interop", file.vectors.count)
    }

    /// One request and its response with all that is known of it.
    struct Exchange {
        let version: ProtocolVersion
        let id: EncryptorID
        let applicationKey: String
        let applicationSecret: String
        let activationId: String?
        let transportKey: String?
        let serverPrivateKey: String
        let serverPublicKey: String
        /// Known in some files only.
        let ephemeralPrivateKey: String?
        let associatedData: [UInt8]?
        let envelopeKey: String
        let plainRequest: [UInt8]
        let plainResponse: [UInt8]
        let request: Message
        let response: Message

        func sharedInfo2Base() throws -> [UInt8] {
            guard let transportKey else { return try SHA256.hash(applicationSecret) }
            return try HMACSHA256.authenticate(applicationSecret, key: [UInt8](base64: transportKey))
        }
    }

    private func check(_ exchange: Exchange) throws {
        let version = exchange.version
        let point = [UInt8](base64: try #require(exchange.request.ephemeralPublicKey))
        let base = try exchange.sharedInfo2Base()
        let server = try PrivateKey(bigEndian: [UInt8](base64: exchange.serverPrivateKey))
        let serverKey = try PublicKey(point: [UInt8](base64: exchange.serverPublicKey))
        #expect(server.publicKey.compressed == serverKey.compressed)

        // The server's view: keys, contexts, plaintexts.
        let key = try EnvelopeKey(
            privateKey: server, publicKey: PublicKey(point: point), sharedInfo1: exchange.id.sharedInfo1,
            ephemeralPoint: point, version: version)
        let data = EnvelopeContext.associatedData(
            version: version, applicationKey: [UInt8](exchange.applicationKey.utf8),
            activationId: exchange.activationId.map { [UInt8]($0.utf8) },
            temporaryKeyId: exchange.request.temporaryKeyId.map { [UInt8]($0.utf8) })
        if let expected = exchange.associatedData { #expect(data == expected) }
        let nonce = exchange.request.nonce.map { [UInt8](base64: $0) }
        let responseNonce = exchange.response.nonce.map { [UInt8](base64: $0) } ?? nonce
        let shared: ([UInt8]?, Int64?, [UInt8]) -> [UInt8] = { nonce, timestamp, point in
            guard version.usesTimestamps else { return base }
            return EnvelopeContext.sharedInfo2(
                base: base, nonce: nonce ?? [], timestamp: timestamp ?? 0, ephemeralPoint: point, associatedData: data)
        }
        let contexts = [
            shared(nonce, exchange.request.timestamp, point), shared(responseNonce, exchange.response.timestamp, []),
        ]
        let known = try #require(EnvelopeKey(SecureBytes(base64: exchange.envelopeKey)))
        let messages = [
            (exchange.plainRequest.base64, exchange.request), (exchange.plainResponse.base64, exchange.response),
        ]
        try check(key, messages, nonces: [nonce, responseNonce], shared: contexts)
        try check(known, messages, nonces: [nonce, responseNonce], shared: contexts)

        // The client's view: the same body bit for bit, and the response decrypted. Only where its key is known, and
        // only for the short form of the point, which is what the client sends.
        guard let privateKey = exchange.ephemeralPrivateKey, point.count == 33 else { return }
        let encryptor = try encryptor(exchange, serverKey: serverKey, base: base, privateKey: privateKey, nonce: nonce)
        let body = try encryptor.encrypt(exchange.plainRequest, now: exchange.request.timestamp ?? 1)
        #expect(body.text == text(exchange.request))
        #expect(try encryptor.decrypt(json(text(exchange.response))).array == exchange.plainResponse)
        #expect(encryptor.responseTimestamp == exchange.response.timestamp)
    }

    private func encryptor(
        _ exchange: Exchange, serverKey: PublicKey, base: [UInt8], privateKey: String, nonce: [UInt8]?
    ) throws -> Encryptor {
        let random = ScriptedRandom()
        random.keyPairs = [try PrivateKey(bigEndian: [UInt8](base64: privateKey))]
        if let nonce { random.bytes = [nonce] }
        let applicationKey = [UInt8](exchange.applicationKey.utf8)
        let activationId = exchange.activationId.map { [UInt8]($0.utf8) }
        let temporaryKey = exchange.request.temporaryKeyId.map {
            TemporaryKey(
                scope: exchange.id.scope, id: [UInt8]($0.utf8), publicKey: serverKey, issued: 0, expires: .max,
                applicationKey: applicationKey, activationId: activationId)
        }
        return Encryptor(
            Encryptor.Recipient(
                version: exchange.version, id: exchange.id, publicKey: serverKey,
                sharedInfo2Base: SecureBytes(copying: base), applicationKey: applicationKey, activationId: activationId,
                temporaryKey: temporaryKey), random: random)
    }

    /// The JSON of a message, in the order of the protocol.
    private func text(_ message: Message) -> String {
        let members = [
            message.temporaryKeyId.map { #""temporaryKeyId":"\#($0)""# },
            message.ephemeralPublicKey.map { #""ephemeralPublicKey":"\#($0)""# },
            #""encryptedData":"\#(message.encryptedData)""#, #""mac":"\#(message.mac)""#,
            message.nonce.map { #""nonce":"\#($0)""# }, message.timestamp.map { #""timestamp":\#($0)"# },
        ]
        return "{" + members.compactMap { $0 }.joined(separator: ",") + "}"
    }

    // MARK: Round trips of the reference server

    struct Generated: Decodable {
        struct Row: Decodable {
            let encryptorId: String
            let protocolVersion: String
            let activationId: String?
            let applicationKey: String
            let applicationSecret: String
            let temporaryKeyId: String?
            let envelopeKey: String
            let sharedInfo2Base: String
            let transportKey: String?
            let requestData: String
            let requestEphemeralPublicKey: String
            let requestNonce: String?
            let timestampRequest: String?
            let requestMac: String
            let encryptedDataRequest: String
            let responseData: String
            let responseNonce: String?
            let timestampResponse: String?
            let responseMac: String
            let encryptedDataResponse: String
        }
        let application: [Row]
        let activation: [Row]
    }

    @Test(arguments: ["30", "31", "32", "33"])
    func generated(minor: String) throws {
        let file = try Vectors.load("powerauth-e2ee-generated-" + minor, as: Generated.self)
        for row in file.application + file.activation {
            let version = try #require(ProtocolVersion(text: row.protocolVersion))
            let key = try #require(EnvelopeKey(SecureBytes(base64: row.envelopeKey)))
            let base =
                try row.transportKey.map {
                    try HMACSHA256.authenticate(row.applicationSecret, key: [UInt8](base64: $0))
                }
                ?? SHA256.hash(row.applicationSecret)
            #expect(base == [UInt8](base64: row.sharedInfo2Base))
            let data = EnvelopeContext.associatedData(
                version: version, applicationKey: [UInt8](row.applicationKey.utf8),
                activationId: row.activationId.map { [UInt8]($0.utf8) },
                temporaryKeyId: row.temporaryKeyId.map { [UInt8]($0.utf8) })
            let nonce = row.requestNonce.map { [UInt8](base64: $0) }
            let responseNonce = row.responseNonce.map { [UInt8](base64: $0) } ?? nonce
            let shared: ([UInt8]?, String?, [UInt8]) -> [UInt8] = { nonce, timestamp, point in
                guard version.usesTimestamps else { return base }
                return EnvelopeContext.sharedInfo2(
                    base: base, nonce: nonce ?? [], timestamp: Int64(timestamp ?? "") ?? -1, ephemeralPoint: point,
                    associatedData: data)
            }
            let message: (String, String) -> Message = {
                Message(
                    temporaryKeyId: nil, ephemeralPublicKey: nil, encryptedData: $0, mac: $1, nonce: nil, timestamp: nil
                )
            }
            try check(
                key,
                [
                    ([UInt8](row.requestData.utf8).base64, message(row.encryptedDataRequest, row.requestMac)),
                    ([UInt8](row.responseData.utf8).base64, message(row.encryptedDataResponse, row.responseMac)),
                ], nonces: [nonce, responseNonce],
                shared: [
                    shared(nonce, row.timestampRequest, [UInt8](base64: row.requestEphemeralPublicKey)),
                    shared(responseNonce, row.timestampResponse, []),
                ])
        }
        Vectors.ran("powerauth-e2ee-generated-" + minor, file.application.count + file.activation.count)
    }
}
