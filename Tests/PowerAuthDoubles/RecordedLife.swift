import MobileTokenCrypto
import MobileTokenJSON
import TestSupport

@testable import PowerAuth

/// The activation of one protocol version in the recordings: they belong together, so that all of its keys and counters
/// follow from the recording of its creation.
struct RecordedLife {
    /// A recording of `activation-create-*`.
    struct Creation: Decodable {
        let application: Recordings.Application
        let exchange: Recordings.Exchange
        let recipientPrivateKey: String
        let layer1Request: String
        let layer2Request: String
        let layer1Answer: String
        let layer2Answer: String
        let devicePublicKey: String
        let serverPrivateKey: String
        let serverPublicKey: String
        let ctrData: String
        let masterSecret: String
        let fingerprint: String
    }

    static let pin = "1984"
    static let biometryKey = SecureBytes(copying: [UInt8](1...16))
    static let possessionKey = SecureBytes(copying: [UInt8](17...32))

    let version: ProtocolVersion
    let creation: Creation
    /// The server's side of the activation.
    let server: ServerDouble
    let keys: ActivationKeys

    /// - Parameter name: of a recording, which ends in its version: `…-3-3`; 3.3 for those that do not
    init(of name: String) throws {
        version = RecordedLife.version(of: name)
        creation = try Recordings.load(
            "activation-create-" + version.text.description.replacing(".", with: "-"), as: Creation.self)
        server = try RecordedLife.server(version, creation.application)
        server.serverKey = try PrivateKey(bigEndian: [UInt8](base64: creation.serverPrivateKey))
        server.counter = [UInt8](base64: creation.ctrData)
        server.devicePublicKey = try PublicKey(point: [UInt8](base64: creation.devicePublicKey))
        server.activationId = try json(creation.layer2Answer)["activationId"]?.text?.string ?? ""
        keys = try server.keys()
    }

    static func version(of name: String) -> ProtocolVersion {
        if name.hasSuffix("-3-1") { return .v31 }
        return name.hasSuffix("-3-2") ? .v32 : .v33
    }

    static func server(_ version: ProtocolVersion, _ application: Recordings.Application) throws -> ServerDouble {
        try ServerDouble(
            version: version, applicationKey: [UInt8](base64: application.applicationKey),
            applicationSecret: [UInt8](base64: application.applicationSecret),
            masterKey: PrivateKey(bigEndian: [UInt8](base64: application.masterPrivateKey)))
    }

    /// How many steps of the counter lie between the creation and this; nil: it is not on the way.
    func steps(to counter: String) throws -> Int? {
        var candidate = SecureBytes(base64: creation.ctrData)
        for step in 0..<64 {
            if candidate.array == [UInt8](base64: counter) { return step }
            candidate = try HashCounter.next(candidate)
        }
        return nil
    }

    /// An activation as the device keeps it, at a counter.
    ///
    /// - Parameters:
    ///   - possessionKey: the key that locks what the device alone may use.
    ///   - counter: nil: that of the creation.
    func record(
        possessionKey: SecureBytes = Self.possessionKey, counter: SecureBytes? = nil, counterByte: UInt8 = 0
    ) throws -> ActivationRecord {
        let parameters = KnowledgeParameters(salt: [UInt8](repeating: 7, count: 16), iterations: 1)
        let knowledge = try KnowledgeKey.derive(pin: Self.pin, parameters: parameters)
        let contents = ActivationRecord.Contents(
            counter: counter ?? SecureBytes(base64: creation.ctrData), counterByte: counterByte,
            possession: try FactorLock.lock(keys.possession, with: possessionKey, externalKey: nil),
            knowledge: try FactorLock.lock(keys.knowledge, with: knowledge.key, externalKey: nil),
            biometry: try FactorLock.lock(keys.biometry, with: Self.biometryKey, externalKey: nil),
            transport: try FactorLock.lock(keys.transport, with: possessionKey, externalKey: nil),
            salt: parameters.salt, iterations: parameters.iterations,
            serverKey: server.serverKey.publicKey.compressed, deviceKey: server.devicePublicKey?.compressed,
            identifier: [UInt8](server.activationId.utf8),
            // Nobody recorded the device's private key.
            privateKey: [UInt8](repeating: 0, count: 48), recovery: [], usesExternalKey: false)
        guard let record = ActivationRecord(contents) else { throw CryptoError(reason: .invalidLength) }
        return record
    }

    /// A session with the activation, at a counter; nil: that of the creation.
    func session(
        _ random: RandomSource = RandomSource(), counter: String? = nil, counterByte: UInt8 = 0
    ) throws -> Session {
        let session = try emptySession(random)
        session.state = .activated(
            try record(counter: counter.map { SecureBytes(base64: $0) }, counterByte: counterByte))
        return session
    }

    func emptySession(_ random: RandomSource = RandomSource()) throws -> Session {
        try Session(
            configuration: Configuration(sdkConfiguration: creation.application.sdkConfiguration), version: version,
            random: random, possessionKey: Self.possessionKey)
    }

    /// The keys to sign with, for a signature of this type.
    func signingKeys(_ type: String?) throws -> SigningKeys {
        let parameters = try record().knowledgeParameters
        let type = type ?? ""
        return SigningKeys(
            knowledge: type.contains("knowledge")
                ? try KnowledgeKey.derive(pin: Self.pin, parameters: parameters) : nil,
            biometry: type.contains("biometry") ? Self.biometryKey : nil)
    }
}

/// Both sides of a recorded encrypted exchange, with the recipient's private key.
struct RecordedEnvelope {
    /// The request as the server reads it.
    let opened: ServerDouble.Opened
    private let key: TemporaryKey?
    private let id: EncryptorID
    /// Members of the request that the device chose.
    let nonce: [UInt8]?
    let timestamp: Int64

    /// - Parameter recipient: the private key for which the request was encrypted.
    init(_ body: JSONValue, id: EncryptorID, recipient: String, server: ServerDouble) throws {
        let recipient = try PrivateKey(bigEndian: [UInt8](base64: recipient))
        var issued: ServerDouble.IssuedKey?
        if server.version.usesTemporaryKeys {
            issued = ServerDouble.IssuedKey(id: body["temporaryKeyId"]?.text?.string ?? "", key: recipient)
        } else {
            let expected = id.scope == .application ? server.masterKey : server.serverKey
            guard recipient.publicKey.compressed == expected.publicKey.compressed else {
                throw CryptoError(reason: .invalidKey)
            }
        }
        opened = try server.open(body, id: id, temporaryKey: issued)
        self.id = id
        nonce = body["nonce"].flatMap { $0.text }.map { [UInt8](base64: $0.string) }
        timestamp = body["timestamp"]?.int64 ?? 1
        key = issued.map {
            TemporaryKey(
                scope: id.scope, id: [UInt8]($0.id.utf8), publicKey: $0.key.publicKey, issued: 0, expires: .max,
                applicationKey: server.configuration.applicationKey,
                activationId: id.scope == .activation ? [UInt8](server.activationId.utf8) : nil)
        }
    }

    /// The library's encryptor as it stood when it had sent the request.
    func encryptor(_ session: Session) throws -> Encryptor {
        let encryptor = try session.encryptor(id, key: key)
        encryptor.stage = .awaitingResponse(opened.key, nonce: opened.nonce)
        return encryptor
    }

    /// A cryptogram that the library writes for the same plaintext, time and nonce: another one only because the ephemeral
    /// key is new.
    func rewritten(_ session: Session, _ random: ScriptedRandom) throws -> (body: [UInt8], header: String) {
        let encryptor = try session.encryptor(id, key: key)
        if let nonce { random.bytes = [nonce] }
        return (try encryptor.encrypt([UInt8](opened.plaintext.utf8), now: timestamp), encryptor.headerValue)
    }
}

/// What is the same in two cryptograms of one plaintext, time and nonce: the names of all members in their order, and the
/// values that do not depend on the ephemeral key; of the others, the length.
func cryptogramForm(_ body: JSONValue) -> [String] {
    body.members.map { name, value in
        let text = value.text?.string ?? value.int64.map { String($0) } ?? "?"
        let isFresh = ["ephemeralPublicKey", "encryptedData", "mac"].contains(name.string)
        return name.string + "=" + (isFresh ? String(text.utf8.count) : text)
    }
}
