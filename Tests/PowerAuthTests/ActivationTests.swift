import MobileTokenCrypto
import MobileTokenJSON
import TestSupport
import Testing

@testable import PowerAuth
@testable import PowerAuthDoubles

@Suite struct ActivationTests {
    struct OIDC: Decodable {
        struct Input: Decodable {
            let providerId: String
            let code: String
            let nonce: String
            let codeVerifier: String?
        }
        struct Row: Decodable {
            let input: Input
            let type: String
            let identityAttributes: [String: String]
        }
        struct AccessToken: Decodable {
            let accessToken: String
            let at_hash: String
        }
        let identity: [Row]
        let atHash: [AccessToken]
    }

    @Test func oidc() throws {
        let file = try Vectors.load("powerauth-oidc", as: OIDC.self)
        for row in file.identity {
            let request = try ActivationRequest.oidc(
                providerId: row.input.providerId, code: secret(row.input.code), nonce: secret(row.input.nonce),
                codeVerifier: row.input.codeVerifier.map(secret))
            let root = try json(request.layer1(activationData: [UInt8]("{}".utf8)).array)
            #expect(root["type"]?.text?.string == row.type)
            let identity = try #require(root["identityAttributes"])
            #expect(identity.count == row.identityAttributes.count)
            for (name, value) in row.identityAttributes { #expect(identity.member(name)?.text?.string == value) }
        }
        for row in file.atHash {
            #expect(try Base64URL.encode(SHA256.hash(row.accessToken)[..<16]) == row.at_hash)
        }
        Vectors.ran("powerauth-oidc", file.identity.count + file.atHash.count)

        for (provider, code, nonce, verifier): (String, String, String, String?) in [
            ("", "c", "n", nil), ("p", "", "n", nil), ("p", "c", "", nil), ("p", "c", "n", ""),
        ] {
            #expect(
                failure {
                    try ActivationRequest.oidc(
                        providerId: provider, code: secret(code), nonce: secret(nonce),
                        codeVerifier: verifier.map(secret))
                }
                    == .invalidActivationCode)
        }
    }

    private func run(
        _ request: ActivationRequest, version: ProtocolVersion = .v33
    ) throws -> (server: ServerDouble, session: Session, result: ActivationResult) {
        let server = try ServerDouble(version: version)
        let session = try ActivatedDevice.emptySession(server, RandomSource())
        try session.startActivation(request)
        let key = try server.temporaryKey(for: session, scope: .application)
        let pending = try session.activationBody(key: key?.client, now: ActivatedDevice.now)
        let result = try session.receiveActivation(
            server.answer(pending.body, temporaryKey: key?.server), pending: pending)
        return (server, session, result)
    }

    @Test(arguments: [ProtocolVersion.v31, .v32, .v33])
    func byCode(version: ProtocolVersion) throws {
        let request = try ActivationRequest.code("VVVVV-VVVVV-VVVVV-VTFVA")
        request.name = #"Joe's "kiosk" ☃"#
        request.otp = "0987"
        request.extras = "x"
        request.platform = "linux"
        request.deviceInfo = "box"
        request.customAttributes = [UInt8](#"{ "a": 1.50, "b": [null] }"#.utf8)
        let (server, session, result) = try run(request, version: version)
        #expect(
            server.layer1.hasPrefix(
                #"{"type":"CODE","identityAttributes":{"code":"VVVVV-VVVVV-VVVVV-VTFVA"},"customAttributes":{ "a": 1.50, "b": [null] },"activationData":{"#
            ))
        let layer2 = try json(server.layer2)
        #expect(layer2.count == 6)
        #expect(layer2["activationName"]?.text?.string == #"Joe's "kiosk" ☃"#)
        #expect(layer2["activationOtp"]?.text?.string == "0987")
        #expect(layer2["extras"]?.text?.string == "x")
        #expect(layer2["platform"]?.text?.string == "linux")
        #expect(layer2["deviceInfo"]?.text?.string == "box")
        #expect(server.devicePublicKey?.compressed.base64 == layer2["devicePublicKey"]?.text?.string)

        #expect(result.activationId == server.activationId && session.activationId == server.activationId)
        #expect(result.recovery?.puk.array.text == "0123456789")
        #expect(result.customAttributes?.text == #"{"a":[1, 2.50]}"#)
        #expect(result.userInfo?.text == #"{"sub":"joe"}"#)
        #expect(result.serverTimestamp == (version == .v31 ? nil : 1_730_000_000_456))
        #expect(session.phase == .responseValidated)
        #expect(try session.fingerprint() == result.fingerprint && result.fingerprint.utf8.count == 8)
        // The server computes the same.
        let deviceKey = try #require(server.devicePublicKey)
        #expect(
            try ActivationFingerprint.compute(
                deviceKey: deviceKey.compressed, activationId: server.activationId,
                serverKey: server.serverKey.publicKey.compressed) == result.fingerprint)
        try session.persistActivation(pin: "1234", biometryKey: nil)
        #expect(session.phase == .activated && session.counterByte == 0 && session.counterData == server.counter)
        #expect(try session.fingerprint() == result.fingerprint)
        #expect(session.hasRecoveryData && !session.hasBiometry)
    }

    @Test func otherKinds() throws {
        var (server, _, _) = try run(.recovery(code: "R:55555-55555-55555-55YMA", puk: "0123456789"))
        #expect(
            server.layer1.hasPrefix(
                #"{"type":"RECOVERY","identityAttributes":{"recoveryCode":"55555-55555-55555-55YMA","puk":"0123456789"},"activationData":{"#
            ))
        #expect(try json(server.layer2).count == 1)
        (server, _, _) = try run(.custom([("login", "joe"), ("pa\"ss", "ž")]))
        #expect(
            server.layer1.hasPrefix(
                #"{"type":"CUSTOM","identityAttributes":{"login":"joe","pa\"ss":"ž"},"activationData":{"#))
        (server, _, _) = try run(.oidc(providerId: "p", code: "c", nonce: "n", codeVerifier: "v"))
        #expect(
            server.layer1.hasPrefix(
                #"{"type":"DIRECT","identityAttributes":{"method":"oidc","providerId":"p","code":"c","nonce":"n","codeVerifier":"v"},"activationData":{"#
            ))
    }

    @Test func signedCode() throws {
        let server = try ServerDouble()
        let code = "VVVVV-VVVVV-VVVVV-VTFVA"
        let random = ScriptedRandom()
        let session = try ActivatedDevice.emptySession(server, random)
        let wrong = try server.serverKey.signDER(code).base64
        #expect(failure { try session.startActivation(.code(code + "#" + wrong)) } == .serverSignature)
        #expect(failure { try session.startActivation(.code(code + "#QUJD")) } == .serverSignature)
        #expect(session.phase == .empty && random.draws.isEmpty)
        try session.startActivation(.code(code + "#" + server.masterKey.signDER(code).base64))
        #expect(session.phase == .keysReady)
    }

    @Test func invalidRequests() throws {
        #expect(failure { try ActivationRequest.code("VVVVV-VVVVV-VVVVV-VTFVB") } == .invalidActivationCode)
        #expect(
            failure { try ActivationRequest.recovery(code: "55555-55555-55555-55YMB", puk: "0123456789") }
                == .invalidActivationCode)
        #expect(
            failure { try ActivationRequest.recovery(code: "55555-55555-55555-55YMA", puk: "012345678") }
                == .invalidActivationCode)
        #expect(failure { try ActivationRequest.custom([]) } == .invalidActivationData)
        #expect(
            failure { try ActivationRequest.custom([("a", "1"), ("b", "1"), ("a", "2")]) } == .invalidActivationData)

        let random = ScriptedRandom()
        let session = try ActivatedDevice.emptySession(ServerDouble(), random)
        var request = try ActivationRequest.code("VVVVV-VVVVV-VVVVV-VTFVA")
        request.otp = ""
        #expect(failure { try session.startActivation(request) } == .invalidActivationData)
        request = try .custom([("a", "b")])
        request.otp = "1"
        #expect(failure { try session.startActivation(request) } == .invalidActivationData)
        request.otp = nil
        for text in ["", "{", "[]", "1", #"{"a":1}x"#, #"{"a":1,"a":2}"#, "{\"a\":\"\u{1}\"}"] {
            request.customAttributes = [UInt8](text.utf8)
            #expect(failure { try session.startActivation(request) } == .wrongParameter, "\(text)")
        }
        #expect(session.phase == .empty && random.draws.isEmpty)
    }

    @Test func randomnessIsDrawnInOrder() throws {
        let server = try ServerDouble()
        let random = ScriptedRandom()
        let session = try ActivatedDevice.emptySession(server, random)
        try session.startActivation(.code("VVVVV-VVVVV-VVVVV-VTFVA"))
        #expect(random.draws == [.keyPair])
        let key = try #require(try server.temporaryKey(for: session, scope: .application))
        random.forget()
        let pending = try session.activationBody(key: key.client, now: ActivatedDevice.now)
        #expect(random.draws == [.keyPair, .bytes(16), .keyPair, .bytes(16)])
        #expect(pending.headerValue == #"PowerAuth version="3.3", application_key="\#(server.applicationKey.base64)""#)
        random.forget()
        _ = try session.receiveActivation(server.answer(pending.body, temporaryKey: key.server), pending: pending)
        #expect(random.draws.isEmpty)
        try session.persistActivation(pin: "1234", biometryKey: ActivatedDevice.biometryKey)
        #expect(random.draws == [.bytes(16)])
    }

    /// Every draw fails once; the session stays as it was.
    @Test func failingRandomness() throws {
        let server = try ServerDouble()
        let random = ScriptedRandom()
        let session = try ActivatedDevice.emptySession(server, random)
        random.remaining = 0
        #expect(failure { try session.startActivation(.code("VVVVV-VVVVV-VVVVV-VTFVA")) } == .randomFailed)
        #expect(session.phase == .empty)
        random.remaining = nil
        try session.startActivation(.code("VVVVV-VVVVV-VVVVV-VTFVA"))
        let key = try #require(try server.temporaryKey(for: session, scope: .application))
        for draws in 0..<4 {
            random.remaining = draws
            #expect(failure { try session.activationBody(key: key.client, now: ActivatedDevice.now) } == .randomFailed)
            #expect(session.phase == .keysReady)
        }
        random.remaining = nil
        let pending = try session.activationBody(key: key.client, now: ActivatedDevice.now)
        _ = try session.receiveActivation(server.answer(pending.body, temporaryKey: key.server), pending: pending)
        random.remaining = 0
        #expect(failure { try session.persistActivation(pin: "1234", biometryKey: nil) } == .randomFailed)
        #expect(session.phase == .responseValidated)
        random.remaining = nil
        try session.persistActivation(pin: "1234", biometryKey: nil)
    }

    @Test func temporaryKeyOfTheScopeIsNeeded() throws {
        let server = try ServerDouble()
        let session = try ActivatedDevice.emptySession(server, RandomSource())
        try session.startActivation(.code("VVVVV-VVVVV-VVVVV-VTFVA"))
        #expect(failure { try session.activationBody(key: nil, now: ActivatedDevice.now) } == .invalidTemporaryKey)
        let device = try ActivatedDevice()
        for scope in [EncryptionScope.application, .activation] {
            let foreign = try #require(try device.server.temporaryKey(for: device.session, scope: scope))
            #expect(
                failure { try session.activationBody(key: foreign.client, now: ActivatedDevice.now) }
                    == .invalidTemporaryKey)
        }
        let key = try #require(try server.temporaryKey(for: session, scope: .application, issued: 0))
        #expect(failure { try session.activationBody(key: key.client, now: 290_000) } == .invalidTemporaryKey)
        _ = try session.activationBody(key: key.client, now: 289_999)
    }

    /// Answers that cannot be accepted end the activation.
    @Test(arguments: [ProtocolVersion.v31, .v33])
    func refusedAnswers(version: ProtocolVersion) throws {
        let server = try ServerDouble(version: version)
        let changes: [(String, (String) -> String)] = [
            ("no identifier", { $0.replacing("activationId", with: "activationIp") }),
            ("empty identifier", { $0.replacing(#""activationId":""#, with: #""activationId":"","x":""#) }),
            ("identifier with quote", { $0.replacing(#""activationId":""#, with: #""activationId":"\""#) }),
            ("identifier with line end", { $0.replacing(#""activationId":""#, with: #""activationId":"\r\n"#) }),
            (
                "long identifier",
                { $0.replacing(#""activationId":""#, with: #""activationId":""# + String(repeating: "a", count: 64)) }
            ),
            ("identifier number", { $0.replacing(#""activationId":""#, with: #""activationId":1,"x":""#) }),
            ("no server key", { $0.replacing("serverPublicKey", with: "serverPublicKez") }),
            ("infinity", { $0.replacing(#""serverPublicKey":""#, with: #""serverPublicKey":"AA==","x":""#) }),
            ("off the curve", { $0.replacing(#""serverPublicKey":"B"#, with: #""serverPublicKey":"C"#) }),
            ("no counter", { $0.replacing("ctrData", with: "ctrDate") }),
            ("short counter", { $0.replacing(#""ctrData":""#, with: #""ctrData":"AAAA","x":""#) }),
            ("long counter", { $0.replacing(#""ctrData":""#, with: #""ctrData":"AAAA"#) }),
            ("recovery text", { $0.replacing(#""activationRecovery":{"#, with: #""activationRecovery":"x","x":{"#) }),
            ("recovery empty", { $0.replacing(#""activationRecovery":{"#, with: #""activationRecovery":{},"x":{"#) }),
            ("recovery without PUK", { $0.replacing(#""puk""#, with: #""pup""#) }),
            ("recovery code checksum", { $0.replacing("55YMA", with: "55YMB") }),
            ("recovery code with prefix", { $0.replacing(#""recoveryCode":""#, with: #""recoveryCode":"R:"#) }),
            ("PUK letter", { $0.replacing("0123456789", with: "012345678a") }),
            ("PUK length", { $0.replacing("0123456789", with: "01234567890") }),
            ("array", { _ in "[]" }), ("empty", { _ in "" }), ("not JSON", { String($0.dropLast()) }),
        ]
        for (what, change) in changes {
            let (session, pending, key) = try ActivatedDevice.started(server)
            let answer = try server.answer(pending.body, temporaryKey: key, change: change)
            #expect(
                failure { try session.receiveActivation(answer, pending: pending) } == .invalidActivationData, "\(what)"
            )
            #expect(session.phase == .empty, "\(what)")
            #expect(failure { try session.receiveActivation(answer, pending: pending) } == .wrongState)
        }
        // No recovery data at all is fine, as is none named.
        for change: (String) -> String in [
            { $0.replacing("activationRecovery", with: "x") },
            { $0.replacing(#""activationRecovery":{"#, with: #""activationRecovery":null,"x":{"#) },
        ] {
            let (session, pending, key) = try ActivatedDevice.started(server)
            let result = try session.receiveActivation(
                server.answer(pending.body, temporaryKey: key, change: change), pending: pending)
            #expect(result.recovery == nil)
            try session.persistActivation(pin: "1234", biometryKey: nil)
            #expect(!session.hasRecoveryData)
        }
    }

    /// Spoiled encryption of either layer.
    @Test func spoiledEnvelopes() throws {
        let server = try ServerDouble()
        for member in ["encryptedData", "mac", "nonce"] {
            let (session, pending, key) = try ActivatedDevice.started(server)
            let text = try server.answer(pending.body, temporaryKey: key).compact().text
            let spoiled = text.replacing(#""\#(member)":"A"#, with: #""\#(member)":"B"#)
            let changed =
                spoiled != text ? spoiled : text.replacing(#""\#(member)":""#, with: #""\#(member)":"AAAA"#)
            #expect(failure { try session.receiveActivation(json(changed), pending: pending) } == .encryption)
            #expect(session.phase == .empty)
        }
        // The outer layer is right, but has no inner one, or not an object, or one for another request.
        for extra in [#"{}"#, #"{"activationData":null}"#, #"{"activationData":"x"}"#, #"{"activationData":{}}"#, "[]"]
        {
            let (session, pending, key) = try ActivatedDevice.started(server)
            let outer = try server.open(json(pending.body), id: .applicationGeneric, temporaryKey: key)
            let answer = try json(server.seal(extra, for: outer))
            let result = failure { try session.receiveActivation(answer, pending: pending) }
            #expect(result == .invalidActivationData || result == .encryption)
            #expect(session.phase == .empty)
        }
    }

    @Test func answersBelongToTheirRequest() throws {
        let server = try ServerDouble()
        let (first, firstPending, _) = try ActivatedDevice.started(server)
        let (second, secondPending, key) = try ActivatedDevice.started(server)
        let answer = try server.answer(secondPending.body, temporaryKey: key)
        #expect(failure { try first.receiveActivation(answer, pending: secondPending) } == .wrongParameter)
        #expect(first.phase == .keysReady)
        #expect(failure { try second.receiveActivation(answer, pending: firstPending) } == .wrongParameter)
        _ = try second.receiveActivation(answer, pending: secondPending)
        // The right request, the answer to another.
        #expect(failure { try first.receiveActivation(answer, pending: firstPending) } == .encryption)
        #expect(first.phase == .empty)
    }

    @Test func phases() throws {
        let server = try ServerDouble()
        let random = RandomSource()
        let request = try ActivationRequest.code("VVVVV-VVVVV-VVVVV-VTFVA")
        let session = try ActivatedDevice.emptySession(server, random)
        let knowledge = try KnowledgeKey.derive(pin: "1234", parameters: session.newKnowledgeParameters())

        /// What no phase but the last allows.
        func expectNoActivation(_ expected: PowerAuthError.Code) {
            #expect(failure { try session.sign(method: .post, uriId: "", body: "", keys: .possession) } == expected)
            #expect(
                failure {
                    try session.signOffline(uriId: "", body: "", nonce: [UInt8](1...16), keys: .possession)
                } == expected)
            #expect(failure { try session.statusRequest() } == expected)
            #expect(failure { try session.encryptor(.activationGeneric, key: nil) } == expected)
            #expect(failure { try session.temporaryKeyRequest(scope: .activation) } == expected)
            #expect(failure { try session.tokenHeader(named: "a", now: 1) } == expected)
            #expect(failure { try session.changePIN(old: "1234", new: "1234") } == expected)
            #expect(failure { try session.changeKnowledge(from: knowledge, to: knowledge) } == expected)
            #expect(failure { try session.removeBiometry() } == expected)
            #expect(failure { try session.openVault(SecureBytes(count: 0)) } == expected)
            #expect(failure { try session.verifyServerSignature("a", signature: "b", key: .personalized) } == expected)
            #expect(failure { try session.addExternalKey(ActivatedDevice.biometryKey) } == .wrongState)
            #expect(failure { try session.removeExternalKey() } == .wrongState)
            #expect(session.knowledgeParameters == nil && session.counterByte == nil && !session.hasBiometry)
            #expect(session.stored == SessionState.write(nil).array)
        }

        #expect(session.phase == .empty && session.activationId == nil)
        #expect(try session.fingerprint() == nil)
        expectNoActivation(.missingActivation)
        #expect(failure { try session.activationBody(key: nil, now: 0) } == .wrongState)
        #expect(failure { try session.persistActivation(pin: "1234", biometryKey: nil) } == .wrongState)

        try session.startActivation(request)
        #expect(session.phase == .keysReady && session.activationId == nil)
        #expect(try session.fingerprint() == nil)
        expectNoActivation(.activationPending)
        #expect(failure { try session.startActivation(request) } == .wrongState)
        #expect(failure { try session.persistActivation(pin: "1234", biometryKey: nil) } == .wrongState)

        let key = try #require(try server.temporaryKey(for: session, scope: .application))
        let pending = try session.activationBody(key: key.client, now: ActivatedDevice.now)
        let answer = try server.answer(pending.body, temporaryKey: key.server)
        _ = try session.receiveActivation(answer, pending: pending)
        #expect(session.phase == .responseValidated)
        expectNoActivation(.activationPending)
        #expect(failure { try session.startActivation(request) } == .wrongState)
        #expect(failure { try session.activationBody(key: key.client, now: 0) } == .wrongState)
        #expect(failure { try session.receiveActivation(answer, pending: pending) } == .wrongState)
        #expect(failure { try session.persistActivation(pin: "123", biometryKey: nil) } == .wrongParameter)
        for key in [SecureBytes(count: 16), SecureBytes(copying: [UInt8](1...17))] {
            #expect(
                failure { try session.persistActivation(knowledge: knowledge, biometryKey: key) } == .wrongParameter)
        }
        #expect(session.phase == .responseValidated)

        try session.persistActivation(knowledge: knowledge, biometryKey: nil)
        #expect(session.phase == .activated)
        #expect(failure { try session.startActivation(request) } == .wrongState)
        #expect(failure { try session.activationBody(key: key.client, now: 0) } == .wrongState)
        #expect(failure { try session.receiveActivation(answer, pending: pending) } == .wrongState)
        #expect(failure { try session.persistActivation(pin: "1234", biometryKey: nil) } == .wrongState)
        #expect(session.phase == .activated)

        session.reset()
        #expect(session.phase == .empty)
        expectNoActivation(.missingActivation)
        try session.startActivation(request)
        session.reset()
        #expect(session.phase == .empty)
    }

    @Test func creation() throws {
        let configuration = try ServerDouble().configuration
        for version in [ProtocolVersion.v31, .v32, .v33] {
            _ = try Session(
                configuration: configuration, version: version, random: RandomSource(),
                possessionKey: ActivatedDevice.possessionKey)
        }
        #expect(
            failure {
                try Session(
                    configuration: configuration, version: .v30, random: RandomSource(),
                    possessionKey: ActivatedDevice.possessionKey)
            } == .unsupportedProtocol)
        for key in [
            SecureBytes(count: 0), SecureBytes(count: 16), SecureBytes(copying: [UInt8](1...15)),
            SecureBytes(copying: [UInt8](1...32)),
        ] {
            #expect(
                failure { try Session(configuration: configuration, random: RandomSource(), possessionKey: key) }
                    == .wrongParameter)
        }
    }
}
