import MobileTokenCrypto
import TestSupport
import Testing

@testable import PowerAuth
@testable import PowerAuthDoubles

@Suite struct FactorTests {
    private static let externalKey = SecureBytes(copying: [UInt8](3...18))

    /// Whether a signature with these keys is one that the server accepts; the counter of both moves.
    private func accepted(_ device: ActivatedDevice, _ keys: SigningKeys) throws -> Bool {
        device.random.bytes = [[UInt8](1...16)]
        let header = try device.session.sign(method: .post, uriId: "/u", body: "b", keys: keys)
        let data = [UInt8](
            "POST&\(Base64.encode("/u"))&\([UInt8](1...16).base64)&\(Base64.encode("b"))&\(device.server.applicationSecret.base64)"
                .utf8)
        let expected = try device.server.expectedSignature(data, factors: keys.factors).base64
        try device.server.advance(1)
        return header.hasSuffix(#"pa_signature="\#(expected)""#)
    }

    private func knowledge(_ device: ActivatedDevice, _ pin: String) throws -> KnowledgeKey {
        try KnowledgeKey.derive(pin: pin, parameters: #require(device.session.knowledgeParameters))
    }

    @Test(arguments: [false, true])
    func changingThePIN(withExternalKey: Bool) throws {
        let device = try ActivatedDevice(externalKey: withExternalKey ? Self.externalKey : nil)
        let session = device.session
        #expect(try accepted(device, .possession(with: device.knowledge)))
        device.random.forget()
        try session.changePIN(old: ActivatedDevice.pin, new: "žluťoučký")
        #expect(device.random.draws == [.bytes(16)])
        #expect(session.counterByte == 1)
        #expect(
            failure { try session.sign(method: .post, uriId: "", body: "", keys: .possession(with: device.knowledge)) }
                == .staleKnowledgeKey)
        #expect(
            failure { try session.changeKnowledge(from: device.knowledge, to: device.knowledge) } == .staleKnowledgeKey)
        #expect(try accepted(device, .possession(with: knowledge(device, "žluťoučký"))))
        #expect(try accepted(device, .possession(biometry: ActivatedDevice.biometryKey)))
        #expect(try !accepted(device, .possession(with: knowledge(device, ActivatedDevice.pin))))

        // A wrong old PIN is not found out, and destroys the factor.
        try session.changePIN(old: "wrong", new: "4321")
        #expect(try !accepted(device, .possession(with: knowledge(device, "4321"))))
        #expect(try !accepted(device, .possession(with: knowledge(device, "žluťoučký"))))
    }

    @Test func refusedChanges() throws {
        let device = try ActivatedDevice()
        let session = device.session
        let before = session.stored
        for (old, new) in [("123", "1234"), ("1234", "123"), ("", ""), ("ž", "1234")] {
            #expect(failure { try session.changePIN(old: old, new: new) } == .wrongParameter)
        }
        #expect(device.random.draws.isEmpty)
        device.random.remaining = 0
        #expect(failure { try session.changePIN(old: "1984", new: "1234") } == .randomFailed)
        #expect(failure { try session.newKnowledgeParameters() } == .randomFailed)
        #expect(session.stored == before)

        let locked = try ActivatedDevice(externalKey: Self.externalKey)
        let other = try ActivatedDevice.emptySession(locked.server, locked.random)
        try other.restore(from: locked.session.serialize())
        let stored = other.stored
        #expect(failure { try other.changePIN(old: "1984", new: "1234") } == .externalKeyMissing)
        #expect(other.stored == stored)
    }

    @Test func removingBiometry() throws {
        let device = try ActivatedDevice()
        let session = device.session
        #expect(try accepted(device, .possession(biometry: ActivatedDevice.biometryKey)))
        try session.removeBiometry()
        #expect(!session.hasBiometry)
        let before = session.stored
        #expect(
            failure { try accepted(device, .possession(biometry: ActivatedDevice.biometryKey)) }
                == .biometryNotConfigured)
        #expect(session.stored == before)
        try session.removeBiometry()
        #expect(session.stored == before)
        #expect(session.counterByte == 1)
        // And added again under another key.
        let key = SecureBytes(copying: [UInt8](7...22))
        try session.addBiometry(key: key, vault: session.openVault(device.server.vaultAnswer()))
        #expect(try accepted(device, .possession(biometry: key)))
        #expect(try !accepted(device, .possession(biometry: ActivatedDevice.biometryKey)))
    }

    @Test func externalKeyFromTheBeginning() throws {
        let device = try ActivatedDevice(externalKey: Self.externalKey)
        #expect(device.session.usesExternalKey)
        let all = SigningKeys(knowledge: device.knowledge, biometry: ActivatedDevice.biometryKey)
        #expect(try accepted(device, all))
        try device.session.removeExternalKey()
        #expect(!device.session.usesExternalKey && !device.session.hasExternalKey)
        #expect(try accepted(device, all))
    }

    @Test(arguments: [false, true])
    func addingTheExternalKey(biometry: Bool) throws {
        let device = try ActivatedDevice(biometry: biometry)
        let session = device.session
        let keys = SigningKeys(knowledge: device.knowledge, biometry: biometry ? ActivatedDevice.biometryKey : nil)
        try session.addExternalKey(Self.externalKey)
        #expect(session.usesExternalKey && session.hasExternalKey)
        #expect(try accepted(device, keys))
        #expect(failure { try session.addExternalKey(Self.externalKey) } == .wrongState)
        if !biometry {
            try session.addBiometry(
                key: ActivatedDevice.biometryKey, vault: session.openVault(device.server.vaultAnswer()))
            #expect(try accepted(device, .possession(biometry: ActivatedDevice.biometryKey)))
        }
        // Another process that sets a wrong one makes signatures that only the server refuses.
        let stored = session.serialize()
        let wrong = try ActivatedDevice.emptySession(device.server, device.random)
        try wrong.restore(from: stored)
        try wrong.setExternalKey(SecureBytes(copying: [UInt8](4...19)))
        let nonce = [UInt8](1...16)
        #expect(
            try wrong.signOffline(uriId: "", body: "", nonce: nonce, keys: keys)
                != session.signOffline(uriId: "", body: "", nonce: nonce, keys: keys))
    }

    @Test func externalKeyRules() throws {
        let device = try ActivatedDevice()
        let session = device.session
        let before = session.stored
        let unusable = [
            SecureBytes(count: 0), SecureBytes(count: 16), SecureBytes(copying: [UInt8](1...15)),
            SecureBytes(copying: [UInt8](1...17)),
        ]
        for key in unusable {
            #expect(failure { try session.setExternalKey(key) } == .wrongParameter)
            #expect(failure { try session.addExternalKey(key) } == .wrongParameter)
        }
        #expect(failure { try session.setExternalKey(Self.externalKey) } == .wrongState)
        #expect(failure { try session.removeExternalKey() } == .wrongState)
        #expect(session.stored == before && !session.hasExternalKey)

        let empty = try ActivatedDevice.emptySession(device.server, RandomSource())
        #expect(failure { try empty.addExternalKey(Self.externalKey) } == .wrongState)
        #expect(failure { try empty.removeExternalKey() } == .wrongState)
        try empty.setExternalKey(Self.externalKey)
        try empty.setExternalKey(SecureBytes(copying: [UInt8](3...18)))
        #expect(failure { try empty.setExternalKey(SecureBytes(copying: [UInt8](4...19))) } == .wrongParameter)
        #expect(empty.hasExternalKey && !empty.usesExternalKey)
        empty.reset()
        #expect(empty.hasExternalKey)

        let user = try ActivatedDevice(externalKey: Self.externalKey)
        let other = try ActivatedDevice.emptySession(user.server, user.random)
        try other.restore(from: user.session.serialize())
        let stored = other.stored
        #expect(failure { try other.removeExternalKey() } == .wrongState)
        #expect(failure { try other.addExternalKey(Self.externalKey) } == .wrongState)
        for keys in [
            SigningKeys.possession(with: user.knowledge), .possession(biometry: ActivatedDevice.biometryKey),
            SigningKeys(possession: false, knowledge: user.knowledge),
        ] {
            #expect(
                failure { try other.sign(method: .post, uriId: "", body: "", keys: keys) } == .externalKeyMissing)
        }
        let vault = try other.openVault(user.server.vaultAnswer())
        #expect(
            failure { try other.addBiometry(key: ActivatedDevice.biometryKey, vault: vault) } == .externalKeyMissing)
        #expect(other.stored == stored)
        _ = try other.sign(method: .post, uriId: "", body: "", keys: .possession)
    }

    @Test func publicKeyCache() throws {
        let points = try (0..<4).map { _ in try PrivateKey.generate().publicKey.compressed }
        let cache = PublicKeyCache(capacity: 2)
        let first = try cache.key(for: points[0])
        #expect(try cache.key(for: points[0]) === first)
        let second = try cache.key(for: points[1])
        #expect(try cache.key(for: points[0]) === first)
        _ = try cache.key(for: points[2])
        #expect(try cache.key(for: points[0]) === first)
        #expect(try cache.key(for: points[1]) !== second)
        #expect(throws: CryptoError.self) { try cache.key(for: [2, 3]) }
        let none = PublicKeyCache(capacity: 0)
        #expect(try none.key(for: points[0]) !== none.key(for: points[0]))
    }
}
