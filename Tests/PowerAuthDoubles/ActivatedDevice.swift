import MobileTokenCrypto
import MobileTokenJSON

@testable import PowerAuth

/// A session with an activation, and the server that knows it.
struct ActivatedDevice {
    static let pin = "1984"
    static let biometryKey = SecureBytes(copying: [UInt8](1...16))
    static let possessionKey = SecureBytes(copying: [UInt8](17...32))
    static let now: Int64 = 1_730_000_000_123

    let server: ServerDouble
    let random = ScriptedRandom()
    let session: Session
    let knowledge: KnowledgeKey

    init(
        version: ProtocolVersion = .v33, biometry: Bool = true, externalKey: SecureBytes? = nil,
        recovery: Bool = true
    ) throws {
        server = try ServerDouble(version: version)
        if !recovery { server.recovery = nil }
        session = try ActivatedDevice.emptySession(server, random)
        if let externalKey { try session.setExternalKey(externalKey) }
        try session.startActivation(.code("VVVVV-VVVVV-VVVVV-VTFVA"))
        let key = try server.temporaryKey(for: session, scope: .application)
        let pending = try session.activationBody(key: key?.client, now: ActivatedDevice.now)
        _ = try session.receiveActivation(server.answer(pending.body, temporaryKey: key?.server), pending: pending)
        knowledge = try KnowledgeKey.derive(pin: ActivatedDevice.pin, parameters: session.newKnowledgeParameters())
        try session.persistActivation(
            knowledge: knowledge, biometryKey: biometry ? ActivatedDevice.biometryKey : nil)
        random.forget()
    }

    static func emptySession(_ server: ServerDouble, _ random: RandomSource) throws -> Session {
        try Session(
            configuration: server.configuration, version: server.version, random: random,
            possessionKey: possessionKey, publicKeys: PublicKeyCache())
    }

    /// A session with the activation ready to be answered.
    static func started(_ server: ServerDouble, _ random: RandomSource = RandomSource()) throws
        -> (session: Session, pending: PendingActivation, key: ServerDouble.IssuedKey?)
    {
        let session = try emptySession(server, random)
        try session.startActivation(.code("VVVVV-VVVVV-VVVVV-VTFVA"))
        let key = try server.temporaryKey(for: session, scope: .application)
        return (session, try session.activationBody(key: key?.client, now: now), key?.server)
    }
}
