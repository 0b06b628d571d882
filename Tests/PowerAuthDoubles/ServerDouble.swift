import MobileTokenCrypto
import MobileTokenJSON
import TestSupport

@testable import PowerAuth

/// The server's side of the protocol, as far as the tests need it.
final class ServerDouble {
    let applicationKey: [UInt8]
    let applicationSecret: [UInt8]
    let masterKey: PrivateKey
    let version: ProtocolVersion
    let configuration: Configuration

    // The activation.
    var activationId = "3a5d7e5c-4d9c-4b6f-9f7e-2f1f7f4e5a6b"
    var serverKey: PrivateKey
    var counter: [UInt8]
    var counterByte: UInt8 = 0
    var recovery: (code: String, puk: String)? = ("55555-55555-55555-55YMA", "0123456789")
    var devicePublicKey: PublicKey?
    var layer1 = ""
    var layer2 = ""
    /// Extra members of the layer 1 answer.
    var answerExtras = #","customAttributes":{"a":[1, 2.50]},"userInfo":{"sub":"joe"}"#

    init(
        version: ProtocolVersion = .v33, applicationKey: [UInt8]? = nil, applicationSecret: [UInt8]? = nil,
        masterKey: PrivateKey? = nil, serverKey: PrivateKey? = nil, counter: [UInt8]? = nil
    ) throws {
        self.version = version
        let random = RandomSource()
        self.applicationKey = try applicationKey ?? random.bytes(16)
        self.applicationSecret = try applicationSecret ?? random.bytes(16)
        self.masterKey = try masterKey ?? PrivateKey.generate()
        self.serverKey = try serverKey ?? PrivateKey.generate()
        self.counter = try counter ?? random.bytes(16)
        configuration = try Configuration(
            key: self.applicationKey, secret: self.applicationSecret,
            masterKey: self.masterKey.publicKey.uncompressed)
    }

    func keys() throws -> ActivationKeys {
        guard let devicePublicKey else { throw CryptoError(reason: .invalidKey) }
        return try ActivationKeys(deviceKey: serverKey, serverKey: devicePublicKey)
    }

    // MARK: Temporary keys

    struct IssuedKey {
        let id: String
        let key: PrivateKey
    }

    /// Answers a key request; `change` may spoil the claims.
    func answer(
        _ request: TemporaryKeyRequest, issued: Int64 = 1_730_000_000_000, key: IssuedKey,
        header: String = #"{"typ":"JWT","alg":"ES256"}"#, signer: PrivateKey? = nil,
        change: (String) -> String = { $0 }
    ) throws -> JSONValue {
        let jwt = try json(request.body)["requestObject"]?["jwt"]?.text?.string ?? ""
        let payload = try json(Base64URL.decode(String(jwt.split(separator: ".")[1])) ?? [])
        let challenge = payload["challenge"]?.text?.string ?? ""
        let id = payload["activationId"]?.text?.string
        let claims = change(
            #"{"sub":"\#(key.id)","applicationKey":"\#(Base64.encode(applicationKey))""#
                + (id.map { #","activationId":"\#($0)""# } ?? "")
                + #","challenge":"\#(challenge)","publicKey":"\#(Base64.encode(key.key.publicKey.uncompressed))""#
                + #","iat":\#(issued / 1000),"exp":\#(issued / 1000 + 300),"iat_ms":\#(issued),"exp_ms":\#(issued + 300_000)}"#
        )
        let input = Base64URL.encode([UInt8](header.utf8)) + "." + Base64URL.encode([UInt8](claims.utf8))
        let key = signer ?? (request.scope == .application ? masterKey : serverKey)
        return try json(#"{"jwt":"\#(input).\#(Base64URL.encode(try key.signJOSE(input)))"}"#)
    }

    func freshKey() throws -> IssuedKey {
        IssuedKey(id: "0a1b2c3d-0000-4000-8000-0000000000\(Int.random(in: 10...99))", key: try PrivateKey.generate())
    }

    /// A key of the wanted scope, accepted by the session.
    func temporaryKey(
        for session: Session, scope: EncryptionScope, issued: Int64 = 1_730_000_000_000
    ) throws -> (client: TemporaryKey, server: IssuedKey)? {
        guard version.usesTemporaryKeys else { return nil }
        let key = try freshKey()
        let request = try session.temporaryKeyRequest(scope: scope)
        return (try session.acceptTemporaryKey(answer(request, issued: issued, key: key), request: request), key)
    }

    // MARK: Encryption

    /// What the server needs to answer an encrypted request.
    struct Opened {
        let plaintext: String
        let key: EnvelopeKey
        let nonce: [UInt8]?
        let base: [UInt8]
        let associatedData: [UInt8]
    }

    func open(_ body: JSONValue, id: EncryptorID, temporaryKey: IssuedKey?) throws -> Opened {
        let text: (StaticString) -> [UInt8] = { [UInt8](base64: body[$0]?.text?.string ?? "") }
        let point = text("ephemeralPublicKey")
        let recipient = temporaryKey?.key ?? (id.scope == .application ? masterKey : serverKey)
        let key = try EnvelopeKey(
            privateKey: recipient, publicKey: PublicKey(point: point), sharedInfo1: id.sharedInfo1,
            ephemeralPoint: point,
            version: version)
        let secret = Base64.encodedBytes(applicationSecret)
        let base =
            id.scope == .application
            ? try SHA256.hash(secret) : try HMACSHA256.authenticate(secret, key: keys().transport)
        let nonce = version.usesNonce ? text("nonce") : nil
        var data: [UInt8] = []
        var shared = base
        if version.usesTimestamps {
            data = EnvelopeContext.associatedData(
                version: version, applicationKey: Base64.encodedBytes(applicationKey),
                activationId: id.scope == .activation ? [UInt8](activationId.utf8) : nil,
                temporaryKeyId: temporaryKey.map { [UInt8]($0.id.utf8) })
            shared = EnvelopeContext.sharedInfo2(
                base: base, nonce: nonce ?? [], timestamp: body["timestamp"]?.int64 ?? 0, ephemeralPoint: point,
                associatedData: data)
        }
        let plaintext = try key.open(text("encryptedData"), mac: text("mac"), nonce: nonce, sharedInfo2: shared)
        return Opened(plaintext: plaintext.array.text, key: key, nonce: nonce, base: base, associatedData: data)
    }

    func seal(_ plaintext: String, for request: Opened, timestamp: Int64 = 1_730_000_000_456) throws -> String {
        var nonce = request.nonce
        var shared = request.base
        if version.usesTimestamps {
            nonce = try RandomSource().bytes(16)
            shared = EnvelopeContext.sharedInfo2(
                base: request.base, nonce: nonce ?? [], timestamp: timestamp, ephemeralPoint: [],
                associatedData: request.associatedData)
        }
        let sealed = try request.key.seal([UInt8](plaintext.utf8), nonce: nonce, sharedInfo2: shared)
        var text = #"{"encryptedData":"\#(sealed.data.base64)","mac":"\#(sealed.mac.base64)""#
        if version.usesTimestamps { text += #","nonce":"\#((nonce ?? []).base64)","timestamp":\#(timestamp)"# }
        return text + "}"
    }

    // MARK: Activation

    /// The plaintext of the layer 2 answer.
    func layer2Answer() -> String {
        #"{"activationId":"\#(activationId)","serverPublicKey":"\#(serverKey.publicKey.uncompressed.base64)","#
            + #""ctrData":"\#(counter.base64)","activationRecovery":"#
            + (recovery.map { #"{"recoveryCode":"\#($0.code)","puk":"\#($0.puk)"}"# } ?? "null") + "}"
    }

    /// Answers an activation; `change` may spoil the layer 2 answer.
    func answer(
        _ body: [UInt8], temporaryKey: IssuedKey?, timestamp: Int64 = 1_730_000_000_456,
        change: (String) -> String = { $0 }
    ) throws -> JSONValue {
        let outer = try open(json(body), id: .applicationGeneric, temporaryKey: temporaryKey)
        layer1 = outer.plaintext
        guard let data = try json(outer.plaintext)["activationData"] else { throw CryptoError(reason: .invalidLength) }
        let inner = try open(data, id: .activationLayer2, temporaryKey: temporaryKey)
        layer2 = inner.plaintext
        devicePublicKey = try PublicKey(
            point: [UInt8](base64: json(inner.plaintext)["devicePublicKey"]?.text?.string ?? ""))
        let sealed = try seal(change(layer2Answer()), for: inner, timestamp: timestamp)
        return try json(seal(#"{"activationData":\#(sealed)\#(answerExtras)}"#, for: outer, timestamp: timestamp))
    }

    // MARK: Status

    func status(
        challenge: [UInt8], state: UInt8 = 3, version: UInt8 = 3, lookAhead: UInt8 = 20, failed: UInt8 = 0,
        customObject: String = "null"
    ) throws -> JSONValue {
        let transport = try keys().transport
        let nonce = try RandomSource().bytes(16)
        let hash = try HashCounter.hash(counter, key: KDF.derive(transport, index: 4000)).array
        let plain =
            [0xDE, 0xC0, 0xDE, 0xD1, state, version, 3, 1, 2, 3, 4, 5, counterByte, failed, 5, lookAhead] + hash
        let iv = try StatusBlob.initializationVector(transportKey: transport, challenge: challenge, nonce: nonce)
        let blob = try AES128CBC.encrypt(plain, key: transport, iv: iv, padding: .none)
        return try json(
            #"{"activationId":"\#(activationId)","encryptedStatusBlob":"\#(blob.base64)","nonce":"\#(nonce.base64)","#
                + #""customObject":\#(customObject)}"#)
    }

    /// Moves the server's counter.
    func advance(_ steps: Int) throws {
        for _ in 0..<steps { counter = try HashCounter.next(counter).array }
        counterByte &+= UInt8(truncatingIfNeeded: steps)
    }

    /// The encrypted vault key as the client gets it.
    func vaultAnswer() throws -> SecureBytes {
        let keys = try keys()
        let encrypted = try AES128CBC.encrypt(
            keys.vault, key: keys.transport, iv: AES128CBC.zeroIV, padding: .pkcs7)
        return SecureBytes(copying: #"{"encryptedVaultEncryptionKey":"\#(encrypted.base64)"}"#)
    }

    /// Checks a base64 signature the way a server does.
    func expectedSignature(_ data: [UInt8], factors: Factors) throws -> [UInt8] {
        let keys = try keys()
        var list: [SecureBytes] = []
        if factors.contains(.possession) { list.append(keys.possession) }
        if factors.contains(.knowledge) { list.append(keys.knowledge) }
        if factors.contains(.biometry) { list.append(keys.biometry) }
        return try referenceSignature(data, counter: counter, keys: list.map { $0.array })
            .flatMap { $0[16...] }
    }
}

/// The components of a signature, by the text of powerauth.md §9.3.
func referenceSignature(_ data: [UInt8], counter: [UInt8], keys: [[UInt8]]) throws -> [[UInt8]] {
    var components: [[UInt8]] = []
    for i in 0..<keys.count {
        var key = try HMACSHA256.authenticate(counter, key: keys[i])
        for j in 0..<i {
            key = try HMACSHA256.authenticate(key, key: HMACSHA256.authenticate(counter, key: keys[j + 1]))
        }
        components.append(try HMACSHA256.authenticate(data, key: key))
    }
    return components
}
