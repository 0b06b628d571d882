import MobileTokenCrypto
import TestSupport
import Testing

@testable import PowerAuth
@testable import PowerAuthDoubles

@Suite struct SigningTests {
    private func keys(_ device: ActivatedDevice, _ factors: Factors) -> SigningKeys {
        SigningKeys(
            possession: factors.contains(.possession), knowledge: factors.contains(.knowledge) ? device.knowledge : nil,
            biometry: factors.contains(.biometry) ? ActivatedDevice.biometryKey : nil)
    }

    @Test(arguments: [ProtocolVersion.v31, .v32, .v33])
    func everyFactorSet(version: ProtocolVersion) throws {
        let device = try ActivatedDevice(version: version)
        let (session, server) = (device.session, device.server)
        for raw in UInt8(1)...7 {
            let factors = Factors(rawValue: raw)
            let before = session.stored
            guard let type = factors.signatureType else {
                #expect(
                    failure { try session.sign(method: .post, uriId: "", body: "", keys: keys(device, factors)) }
                        == .wrongParameter)
                #expect(
                    failure {
                        try session.signOffline(
                            uriId: "", body: "", nonce: [UInt8](1...16), keys: keys(device, factors))
                    } == .wrongParameter)
                #expect(session.stored == before)
                continue
            }
            device.random.forget()
            let nonce = try RandomSource().bytes(16)
            device.random.bytes = [nonce]
            let body = [UInt8](repeating: raw, count: Int(raw) * 31)
            let header = try session.sign(method: .put, uriId: "/pa/x", body: body, keys: keys(device, factors))
            #expect(device.random.draws == [.bytes(16)])
            let data = [UInt8](
                "PUT&\(Base64.encode("/pa/x"))&\(nonce.base64)&\(body.base64)&\(server.applicationSecret.base64)".utf8)
            let signature = try server.expectedSignature(data, factors: factors).base64
            #expect(
                header
                    == #"PowerAuth pa_version="\#(version.text)", pa_activation_id="\#(server.activationId)", pa_application_key="\#(server.applicationKey.base64)", pa_nonce="\#(nonce.base64)", pa_signature_type="\#(type)", pa_signature="\#(signature)""#
            )
            try server.advance(1)
            #expect(session.counterData == server.counter && session.counterByte == server.counterByte)

            let offline = try session.signOffline(
                uriId: "/operation/authorize/offline", body: "id&data", nonce: nonce, keys: keys(device, factors))
            #expect(offline.split(separator: "-").count == factors.rawValue.nonzeroBitCount)
            #expect(offline.split(separator: "-").allSatisfy { $0.count == 8 })
            try server.advance(1)
            #expect(session.counterData == server.counter && session.counterByte == server.counterByte)
        }
        #expect(
            failure { try session.sign(method: .post, uriId: "", body: "", keys: keys(device, [])) } == .wrongParameter)
    }

    @Test func counterByteWrapsAround() throws {
        let device = try ActivatedDevice()
        for expected in 1...300 {
            _ = try device.session.sign(method: .get, uriId: "", body: "", keys: .possession)
            #expect(device.session.counterByte == UInt8(expected & 0xFF))
        }
        try device.server.advance(300)
        #expect(device.session.counterData == device.server.counter)
    }

    /// Nothing that fails moves the counter or anything else.
    @Test func failuresChangeNothing() throws {
        let device = try ActivatedDevice()
        let session = device.session
        try session.acceptToken(
            SecureBytes(copying: #"{"tokenId":"a","tokenSecret":"\#([UInt8](1...16).base64)"}"#), name: "a",
            factors: .possession)
        let before = session.stored
        let sign: (SigningKeys) -> PowerAuthError.Code? = { keys in
            failure { try session.sign(method: .post, uriId: "/x", body: "x", keys: keys) }
        }
        let zero = SecureBytes(count: 16)
        #expect(sign(SigningKeys(biometry: zero)) == .wrongParameter)
        #expect(sign(SigningKeys(biometry: SecureBytes(copying: [UInt8](1...15)))) == .wrongParameter)
        #expect(sign(SigningKeys(possessionKey: zero)) == .wrongParameter)
        #expect(sign(SigningKeys(possessionKey: SecureBytes(copying: [UInt8](1...17)))) == .wrongParameter)
        let other = try KnowledgeKey.derive(pin: ActivatedDevice.pin, parameters: session.newKnowledgeParameters())
        #expect(sign(.possession(with: other)) == .staleKnowledgeKey)
        let fewer = try KnowledgeKey.derive(
            pin: ActivatedDevice.pin,
            parameters: KnowledgeParameters(salt: device.knowledge.parameters.salt, iterations: 9999))
        #expect(sign(.possession(with: fewer)) == .staleKnowledgeKey)
        device.random.remaining = 0
        #expect(sign(.possession) == .randomFailed)
        device.random.remaining = nil
        for length in [Int.min, -1, 0, 3, 9, Int.max] {
            #expect(
                failure {
                    try session.signOffline(
                        uriId: "", body: "", nonce: [UInt8](1...16), keys: .possession, componentLength: length)
                } == .wrongParameter)
        }
        for length in [0, 15, 17] {
            #expect(
                failure {
                    try session.signOffline(
                        uriId: "", body: "", nonce: [UInt8](repeating: 1, count: length), keys: .possession)
                } == .wrongParameter)
        }
        #expect(session.stored == before)
    }

    @Test func offlineLengths() throws {
        let device = try ActivatedDevice()
        for length in 4...8 {
            let nonce = try RandomSource().bytes(16)
            let text = try device.session.signOffline(
                uriId: "/u", body: "b", nonce: nonce, keys: .possession(with: device.knowledge), componentLength: length
            )
            let keys = try device.server.keys()
            let data = [UInt8]("POST&\(Base64.encode("/u"))&\(nonce.base64)&\(Base64.encode("b"))&offline".utf8)
            let components = try referenceSignature(
                data, counter: device.server.counter, keys: [keys.possession.array, keys.knowledge.array])
            let expected = components.map { component in
                let number = component[28...].reduce(0) { $0 << 8 | Int($1) } & 0x7FFF_FFFF
                let digits = String(
                    number % [1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000][length])
                return String(repeating: "0", count: length - digits.count) + digits
            }
            #expect(text == expected.joined(separator: "-"))
            try device.server.advance(1)
        }
        #expect(device.random.draws.isEmpty)
    }

    /// A wrong PIN is not found out on the device: it gives a signature like any other, which only the server refuses.
    @Test func wrongPINGivesASignature() throws {
        let device = try ActivatedDevice()
        let parameters = try #require(device.session.knowledgeParameters)
        var signatures: Set<String> = []
        for pin in ["1984", "1985", "0000", "a long wrong password"] {
            let nonce = [UInt8](1...16)
            let state = device.session.serialize()
            let key = try KnowledgeKey.derive(pin: pin, parameters: parameters)
            signatures.insert(
                try device.session.signOffline(uriId: "", body: "", nonce: nonce, keys: .possession(with: key)))
            #expect(device.session.counterByte == 1)
            try device.session.restore(from: state)
        }
        #expect(signatures.count == 4)
    }

    @Test func customPossessionKey() throws {
        let device = try ActivatedDevice()
        let state = device.session.serialize()
        let sign: (SigningKeys) throws -> String = { keys in
            try device.session.restore(from: state)
            return try device.session.signOffline(uriId: "", body: "", nonce: [UInt8](1...16), keys: keys)
        }
        let own = try sign(.possession)
        #expect(try sign(SigningKeys(possessionKey: ActivatedDevice.possessionKey)) == own)
        #expect(try sign(SigningKeys(possessionKey: SecureBytes(copying: [UInt8](2...17)))) != own)
    }

    @Test func knowledgeKeys() throws {
        let parameters = KnowledgeParameters(salt: [UInt8](1...16), iterations: 1)
        for pin in ["", "1", "123"] {
            #expect(failure { try KnowledgeKey.derive(pin: pin, parameters: parameters) } == .wrongParameter)
        }
        _ = try KnowledgeKey.derive(pin: "žž", parameters: parameters)
        // Without iterations they are those of 4.0, whose salt is never empty.
        #expect(
            failure { try KnowledgeKey.derive(pin: "1234", parameters: KnowledgeParameters(salt: [], iterations: 0)) }
                == .wrongParameter)
    }

    @Test func serverSignatures() throws {
        let device = try ActivatedDevice()
        let (session, server) = (device.session, device.server)
        let foreign = try PrivateKey.generate()
        for (key, signer) in [(ServerKey.master, server.masterKey), (.personalized, server.serverKey)] {
            let (der, jose) = (try signer.signDER("data"), try signer.signJOSE("data"))
            #expect(try session.verifyServerSignature("data", signature: der, key: key))
            #expect(try session.verifyServerSignature("data", signature: jose, format: .jose, key: key))
            #expect(try !session.verifyServerSignature("Data", signature: der, key: key))
            #expect(try !session.verifyServerSignature("data", signature: jose, key: key))
            #expect(try !session.verifyServerSignature("data", signature: der, format: .jose, key: key))
            #expect(try !session.verifyServerSignature("data", signature: foreign.signDER("data"), key: key))
            #expect(try !session.verifyServerSignature("data", signature: [UInt8](der.dropLast()), key: key))
            #expect(try !session.verifyServerSignature("data", signature: der + [0], key: key))
            #expect(
                failure { try session.verifyServerSignature("data", signature: "", key: key) } == .wrongParameter)
        }
        #expect(
            try !session.verifyServerSignature("data", signature: server.masterKey.signDER("data"), key: .personalized))
        // The master key is known without an activation.
        session.reset()
        #expect(try session.verifyServerSignature("data", signature: server.masterKey.signDER("data"), key: .master))
    }
}
