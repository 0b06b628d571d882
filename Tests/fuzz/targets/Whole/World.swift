import MobileTokenCrypto
import MobileTokenJSON

@testable import PowerAuth

/// Randomness that is always the same. (Signatures of ECDSA draw from OpenSSL itself; no result depends on that.)
final class FixedRandom: RandomSource, @unchecked Sendable {
    private let keyPair: PrivateKey

    init(keyPair: PrivateKey) {
        self.keyPair = keyPair
        super.init()
    }

    override func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(CryptoError) {
        buffer.initializeMemory(as: UInt8.self, repeating: World.randomByte)
    }

    override func generateKeyPair() throws(CryptoError) -> PrivateKey { keyPair }
}

/// An application, a server and an activation that never change, so that an input does the same each time.
final class World: @unchecked Sendable {
    static let shared: World = {
        do {
            return try World()
        } catch {
            fatalError("the fixed activation cannot be made: \(error)")
        }
    }()

    static let randomByte: UInt8 = 0x5A
    static let now: Int64 = 1_730_000_000_000
    static let possessionKey = [UInt8](repeating: 0x11, count: 16)
    static let biometryKey = [UInt8](repeating: 0x22, count: 16)
    static let activationId = "3a5d7e5c-4d9c-4b6f-9f7e-2f1f7f4e5a6b"
    static let counter = [UInt8](repeating: 0x33, count: 16)
    static let tokenName = "possession_universal"

    let applicationSecret = [UInt8](repeating: 0x42, count: 16)
    let configuration: Configuration
    let random: FixedRandom
    /// The device's key pair, which is also that of every message.
    let deviceKey: PrivateKey
    let masterKey: PrivateKey
    let serverKey: PrivateKey
    let temporaryKey: PrivateKey
    /// The keys of the activation, as the server knows them too.
    let keys: ActivationKeys
    /// The stored content of the activated session.
    let state: SecureBytes
    /// The same with the content of another session that has recovery data and a token.
    let device: SecureBytes

    private init() throws {
        func key(_ byte: UInt8) throws -> PrivateKey { try PrivateKey(bigEndian: [UInt8](repeating: byte, count: 32)) }
        deviceKey = try key(1)
        masterKey = try key(2)
        serverKey = try key(3)
        temporaryKey = try key(4)
        random = FixedRandom(keyPair: deviceKey)
        let applicationKey = [UInt8](repeating: 0x41, count: 16)
        configuration = try Configuration(
            key: applicationKey, secret: applicationSecret, masterKey: masterKey.publicKey.uncompressed)
        keys = try ActivationKeys(deviceKey: deviceKey, serverKey: serverKey.publicKey)

        let session = try Session(
            configuration: configuration, random: random, possessionKey: SecureBytes(copying: World.possessionKey))
        let knowledge = KnowledgeParameters(salt: [UInt8](repeating: World.randomByte, count: 16), iterations: 1)
        try session.startActivation(.code([UInt8]("VVVVV-VVVVV-VVVVV-VTFVA".utf8)))
        let answer = try ActivationAnswer(
            JSONDocument(parsing: World.layer2(serverKey.publicKey)).root)
        session.state = .responseValidated(try ValidatedActivation(answer, deviceKey: deviceKey))
        try session.persistActivation(
            knowledge: try KnowledgeKey.derive(pin: [UInt8]("1984".utf8), parameters: knowledge),
            biometryKey: SecureBytes(copying: World.biometryKey))
        state = session.serialize()
        try session.acceptToken(
            SecureBytes(
                copying: [UInt8](
                    #"{"tokenId":"0b1c2d3e-0000-4000-8000-000000000002","tokenSecret":"RERERERERERERERERERERA=="}"#.utf8
                )),
            name: World.tokenName, factors: .possession)
        device = session.serialize()
    }

    /// What a server answers in layer 2 of an activation.
    private static func layer2(_ serverKey: PublicKey) -> [UInt8] {
        [UInt8](
            (#"{"activationId":""# + activationId + #"","serverPublicKey":""# + Base64.encode(serverKey.uncompressed)
                + #"","ctrData":""# + Base64.encode(counter)
                + #"","activationRecovery":{"recoveryCode":"55555-55555-55555-55YMA","puk":"0123456789"}}"#).utf8)
    }

    func emptySession() -> Session {
        guard
            let session = try? Session(
                configuration: configuration, random: random, possessionKey: SecureBytes(copying: World.possessionKey))
        else { fatalError("no session can be made") }
        return session
    }

    /// A session with the activation.
    func session() -> Session {
        let session = emptySession()
        guard (try? session.restore(from: device)) != nil else { fatalError("the fixed state is refused") }
        return session
    }

    func temporaryKey(_ scope: EncryptionScope) -> TemporaryKey {
        TemporaryKey(
            scope: scope, id: [UInt8]("0a1b2c3d-0000-4000-8000-000000000001".utf8), publicKey: temporaryKey.publicKey,
            issued: World.now, expires: World.now + 300_000, applicationKey: configuration.applicationKey,
            activationId: scope == .activation ? [UInt8](World.activationId.utf8) : nil)
    }

    // MARK: The server's side of encryption

    /// The response to a request of this device: sealed with its key, as a JSON object.
    func response(_ plaintext: UnsafeRawBufferPointer, to id: EncryptorID) -> [UInt8] {
        do {
            let (data, mac, nonce) = try seal(plaintext, id)
            return [UInt8](
                (#"{"encryptedData":""# + Base64.encode(data) + #"","mac":""# + Base64.encode(mac) + #"","nonce":""#
                    + Base64.encode(nonce) + #"","timestamp":"# + String(World.now) + "}").utf8)
        } catch {
            fatalError("the server cannot encrypt")
        }
    }

    /// The same, but the bytes given are the ciphertext: its authentication is right, its padding may not be.
    func response(ciphertext: UnsafeRawBufferPointer, to id: EncryptorID) -> [UInt8] {
        do {
            let key = try envelopeKey(id)
            let nonce = [UInt8](repeating: 0x66, count: 16)
            let shared = try sharedInfo2(id, nonce: nonce)
            var covered = [UInt8](ciphertext)
            covered += shared
            let mac = try HMACSHA256.authenticate(covered, key: key.slice(16..<32) ?? key)
            return [UInt8](
                (#"{"encryptedData":""# + Base64.encode(ciphertext) + #"","mac":""# + Base64.encode(mac)
                    + #"","nonce":""#
                    + Base64.encode(nonce) + #"","timestamp":"# + String(World.now) + "}").utf8)
        } catch {
            fatalError("the server cannot authenticate")
        }
    }

    private func seal(
        _ plaintext: UnsafeRawBufferPointer, _ id: EncryptorID
    ) throws -> (data: [UInt8], mac: [UInt8], nonce: [UInt8]) {
        let nonce = [UInt8](repeating: 0x66, count: 16)
        guard let key = EnvelopeKey(try envelopeKey(id)) else { fatalError("the key has another length") }
        let sealed = try key.seal(plaintext, nonce: nonce, sharedInfo2: try sharedInfo2(id, nonce: nonce))
        return (sealed.data, sealed.mac, nonce)
    }

    /// The 48 bytes of key material; the ephemeral key pair is always that of the device.
    private func envelopeKey(_ id: EncryptorID) throws -> SecureBytes {
        var info = [UInt8]("3.3".utf8)
        info += id.sharedInfo1.withBytes { [UInt8]($0) }
        info += deviceKey.publicKey.compressed
        return try KDF.x963(
            secret: try temporaryKey.sharedSecret(with: deviceKey.publicKey), info: info, count: 48)
    }

    private func sharedInfo2(_ id: EncryptorID, nonce: [UInt8]) throws -> [UInt8] {
        let secret = Base64.encodedBytes(applicationSecret)
        let base =
            id.scope == .application
            ? try SHA256.hash(secret) : try HMACSHA256.authenticate(secret, key: keys.transport)
        let key = temporaryKey(id.scope)
        return EnvelopeContext.sharedInfo2(
            base: base, nonce: nonce, timestamp: World.now, ephemeralPoint: [],
            associatedData: EnvelopeContext.associatedData(
                version: .v33, applicationKey: configuration.applicationKey, activationId: key.activationId,
                temporaryKeyId: key.id))
    }
}
