import MobileTokenCrypto
import MobileTokenJSON
import TestSupport
import Testing

@testable import PowerAuth
@testable import PowerAuthDoubles

@Suite struct TemporaryKeyTests {
    struct File: Decodable {
        struct Claims: Decodable {
            let sub: String
            let challenge: String
            let publicKey: String
            let iat_ms: Int64
            let exp_ms: Int64
        }
        struct Row: Decodable {
            let scope: String
            let applicationKey: String
            let applicationSecret: String
            let activationId: String?
            let transportKey: String?
            let hs256Key: String
            let requestJwt: String
            let signingPrivateKey: String
            let signingPublicKey: String
            let temporaryPrivateKey: String
            let responseClaims: Claims
            let responseJwt: String
        }
        let vectors: [Row]
    }

    @Test func vectors() throws {
        let file = try Vectors.load("powerauth-temporary-key-jwt", as: File.self)
        for row in file.vectors {
            let signer = try PublicKey(point: [UInt8](base64: row.signingPublicKey))
            let configuration = try Configuration(
                key: [UInt8](base64: row.applicationKey), secret: [UInt8](base64: row.applicationSecret),
                masterKey: signer.uncompressed)
            var activation: (id: [UInt8], transportKey: SecureBytes)?
            if let id = row.activationId, let key = row.transportKey {
                activation = ([UInt8](id.utf8), SecureBytes(base64: key))
                #expect(
                    try KDF.deriveInternal(SecureBytes(base64: key), data: [UInt8](base64: row.applicationSecret)).array
                        == [UInt8](base64: row.hs256Key))
            }
            let request = try TemporaryKeyRequest(
                configuration: configuration, activation: activation,
                challenge: [UInt8](row.responseClaims.challenge.utf8))
            #expect(request.body.text == #"{"requestObject":{"jwt":"\#(row.requestJwt)"}}"#)
            let key = try request.accept(json(#"{"jwt":"\#(row.responseJwt)"}"#), signer: signer)
            #expect(key.id.text == row.responseClaims.sub)
            #expect(key.issued == row.responseClaims.iat_ms && key.expires == row.responseClaims.exp_ms)
            #expect(key.publicKey.uncompressed == [UInt8](base64: row.responseClaims.publicKey))
            #expect(
                try PrivateKey(bigEndian: [UInt8](base64: row.temporaryPrivateKey)).publicKey.compressed
                    == key.publicKey.compressed)
            #expect((key.scope == .application) == (row.scope == "application"))
        }
        Vectors.ran("powerauth-temporary-key-jwt", file.vectors.count)
    }

    @Test(arguments: [EncryptionScope.application, .activation])
    func accepted(scope: EncryptionScope) throws {
        let device = try ActivatedDevice()
        let issued: Int64 = 1_730_000_000_000
        let key = try #require(try device.server.temporaryKey(for: device.session, scope: scope, issued: issued))
        #expect(key.client.scope == scope && key.client.id.text == key.server.id)
        #expect(device.random.draws == [.bytes(18)])
        #expect(key.client.isUsable(now: issued))
        #expect(key.client.isUsable(now: issued + 289_999))
        #expect(!key.client.isUsable(now: issued + 290_000))
        #expect(!key.client.isUsable(now: .max))
        #expect(key.client.isUsable(now: .min))
    }

    /// Everything that can be wrong with an answer, in both scopes.
    @Test(arguments: [EncryptionScope.application, .activation])
    func refused(scope: EncryptionScope) throws {
        let device = try ActivatedDevice()
        let (server, session) = (device.server, device.session)
        let request = try session.temporaryKeyRequest(scope: scope)
        let key = try server.freshKey()
        let wrongSignatures: Set = [
            "foreign signer", "key of the other scope", "longer", "spoiled payload", "DER signature",
        ]
        let refuse: (JSONValue, String) -> Void = { answer, what in
            #expect(
                failure { try session.acceptTemporaryKey(answer, request: request) }
                    == (wrongSignatures.contains(what) ? .serverSignature : .invalidTemporaryKey), "\(what)")
        }
        let good = try server.answer(request, key: key)
        _ = try session.acceptTemporaryKey(good, request: request)

        for header in [
            #"{"typ":"JWT","alg":"HS256"}"#, #"{"typ":"JWT","alg":"none"}"#, #"{"typ":"JWE","alg":"ES256"}"#,
            #"{"alg":"ES256"}"#, #"{"typ":"JWT"}"#, "[]", "", #"{"typ":"JWT","alg":"ES256""#,
            #"{"typ":1,"alg":"ES256"}"#, #"{"typ":"JWT","alg":"ES256","crit":["exp"]}"#,
            #"{"typ":"JWT","alg":"ES256","crit":[]}"#,
        ] {
            refuse(try server.answer(request, key: key, header: header), "header \(header)")
        }
        refuse(try server.answer(request, key: key, signer: PrivateKey.generate()), "foreign signer")
        let other = scope == .application ? server.serverKey : server.masterKey
        refuse(try server.answer(request, key: key, signer: other), "key of the other scope")

        let changes: [(String, (String) -> String)] = [
            ("challenge", { $0.replacing(#""challenge":""#, with: #""challenge":"A"#) }),
            ("no challenge", { $0.replacing("challenge", with: "challenger") }),
            ("application", { $0.replacing(#""applicationKey":""#, with: #""applicationKey":"A"#) }),
            ("no application", { $0.replacing("applicationKey", with: "applicationKez") }),
            ("no key", { $0.replacing("publicKey", with: "publicKez") }),
            ("point", { $0.replacing(#""publicKey":"B"#, with: #""publicKey":"C"#) }),
            ("key type", { $0.replacing(#""publicKey":""#, with: #""publicKey":1,"x":""#) }),
            ("infinity", { $0.replacing(#""publicKey":""#, with: #""publicKey":"AA==","x":""#) }),
            ("no sub", { $0.replacing(#""sub""#, with: #""sup""#) }),
            ("empty sub", { $0.replacing(#""sub":""#, with: #""sub":"","x":""#) }),
            ("sub with quote", { $0.replacing(#""sub":""#, with: #""sub":"\""#) }),
            ("long sub", { $0.replacing(#""sub":""#, with: #""sub":""# + String(repeating: "a", count: 65)) }),
            ("no exp_ms", { $0.replacing("exp_ms", with: "expms") }),
            ("no iat_ms", { $0.replacing("iat_ms", with: "iatms") }),
            ("exp_ms text", { $0.replacing(#""exp_ms":"#, with: #""exp_ms":"1","x":"#) }),
            ("exp_ms before iat_ms", { $0.replacing(#""exp_ms":"#, with: #""exp_ms":1,"x":"#) }),
            ("iat_ms negative", { $0.replacing(#""iat_ms":"#, with: #""iat_ms":-"#) }),
            ("not an object", { _ in "[1]" }),
            ("not JSON", { _ in "{" }),
            ("duplicate member", { $0.replacing("{", with: #"{"sub":"x","#) }),
        ]
        for (what, change) in changes { refuse(try server.answer(request, key: key, change: change), what) }
        if scope == .activation {
            refuse(
                try server.answer(request, key: key) {
                    $0.replacing(#""activationId":""#, with: #""activationId":"a"#)
                },
                "activation")
            refuse(
                try server.answer(request, key: key) { $0.replacing("activationId", with: "activationIp") },
                "no activation")
        }

        let token = try #require(good["jwt"]?.text?.string)
        let parts = token.split(separator: ".").map(String.init)
        for (what, text) in [
            ("empty", ""), ("two parts", parts[0] + "." + parts[1]), ("four parts", token + "."),
            ("four full parts", token + ".AAAA"), ("no header", "." + parts[1] + "." + parts[2]),
            ("no payload", parts[0] + ".." + parts[2]), ("no signature", parts[0] + "." + parts[1] + "."),
            ("truncated", String(token.dropLast(1))), ("longer", token + "AAAA"),
            ("padding", token + "="), ("space", " " + token),
            ("spoiled payload", parts[0] + "." + parts[1].dropLast() + "A." + parts[2]),
            ("DER signature", parts[0] + "." + parts[1] + "." + Base64URL.encode(try server.masterKey.signDER("x"))),
        ] { refuse(try json(#"{"jwt":"\#(text)"}"#), what) }
        for text in ["{}", #"{"jwt":1}"#, #"{"jwt":null}"#, "[]"] { refuse(try json(text), text) }
    }

    @Test func answersBelongToTheirRequest() throws {
        let (first, second) = (try ActivatedDevice(), try ActivatedDevice())
        let request = try first.session.temporaryKeyRequest(scope: .activation)
        let answer = try first.server.answer(request, key: first.server.freshKey())
        #expect(failure { try second.session.acceptTemporaryKey(answer, request: request) } == .serverSignature)
        let another = try first.session.temporaryKeyRequest(scope: .activation)
        #expect(failure { try first.session.acceptTemporaryKey(answer, request: another) } == .invalidTemporaryKey)
        first.session.reset()
        #expect(failure { try first.session.acceptTemporaryKey(answer, request: request) } == .missingActivation)
    }

    @Test func preconditions() throws {
        let empty = try ActivatedDevice.emptySession(ServerDouble(), RandomSource())
        #expect(failure { try empty.temporaryKeyRequest(scope: .activation) } == .missingActivation)
        _ = try empty.temporaryKeyRequest(scope: .application)
        let old = try ActivatedDevice(version: .v32)
        #expect(failure { try old.session.temporaryKeyRequest(scope: .application) } == .unsupportedProtocol)
        let device = try ActivatedDevice()
        device.random.remaining = 0
        #expect(failure { try device.session.temporaryKeyRequest(scope: .activation) } == .randomFailed)
    }
}
