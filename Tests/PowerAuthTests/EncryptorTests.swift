import MobileTokenCrypto
import MobileTokenJSON
import TestSupport
import Testing

@testable import PowerAuth
@testable import PowerAuthDoubles

@Suite struct EncryptorTests {
    @Test(arguments: [ProtocolVersion.v31, .v32, .v33])
    func everyIdentifier(version: ProtocolVersion) throws {
        let device = try ActivatedDevice(version: version)
        let (session, server) = (device.session, device.server)
        let before = session.stored
        for id in EncryptorID.allCases {
            let key = try server.temporaryKey(for: session, scope: id.scope)
            let encryptor = try session.encryptor(id, key: key?.client)
            device.random.forget()
            for (plaintext, answer) in [("{}", #"{"a":1}"#)] {
                let body = try encryptor.encrypt(plaintext, now: ActivatedDevice.now)
                #expect(device.random.draws == [.keyPair, .bytes(16)])
                let root = try json(body)
                #expect(root.count == (version == .v31 ? 4 : version == .v32 ? 5 : 6))
                #expect(root["timestamp"]?.int64 == (version == .v31 ? nil : ActivatedDevice.now))
                #expect(root["temporaryKeyId"]?.text?.string == key?.server.id)
                let opened = try server.open(root, id: id, temporaryKey: key?.server)
                #expect(opened.plaintext == plaintext)
                #expect(encryptor.responseTimestamp == nil)
                #expect(try encryptor.decrypt(json(server.seal(answer, for: opened))).array.text == answer)
                #expect(encryptor.responseTimestamp == (version == .v31 ? nil : 1_730_000_000_456))
            }
            let activation = id.scope == .activation ? #", activation_id="\#(server.activationId)""# : ""
            #expect(
                encryptor.headerValue
                    == #"PowerAuth version="\#(version.text)", application_key="\#(server.applicationKey.base64)"\#(activation)"#
            )
        }
        #expect(session.stored == before)
    }

    @Test func anyPlaintext() throws {
        let device = try ActivatedDevice(version: .v32)
        for length in [0, 1, 15, 16, 17, 100_000] {
            let encryptor = try device.session.encryptor(.activationGeneric, key: nil)
            let plaintext = String(repeating: "x", count: length)
            let opened = try device.server.open(
                json(encryptor.encrypt(plaintext, now: 5)), id: .activationGeneric, temporaryKey: nil)
            #expect(opened.plaintext == plaintext)
            #expect(try encryptor.decrypt(json(device.server.seal(plaintext, for: opened))).array.text == plaintext)
        }
    }

    /// One request, one response.
    @Test func usedOnce() throws {
        let device = try ActivatedDevice(version: .v32)
        let make = { try device.session.encryptor(.activationGeneric, key: nil) }
        var encryptor = try make()
        #expect(failure { try encryptor.decrypt(json("{}")) } == .wrongState)
        let body = try json(encryptor.encrypt("x", now: 1))
        #expect(failure { try encryptor.encrypt("x", now: 1) } == .wrongState)
        let answer = try json(
            device.server.seal("y", for: device.server.open(body, id: .activationGeneric, temporaryKey: nil)))
        _ = try encryptor.decrypt(answer)
        #expect(failure { try encryptor.decrypt(answer) } == .wrongState)
        #expect(failure { try encryptor.encrypt("x", now: 1) } == .wrongState)

        encryptor = try make()
        let second = try json(encryptor.encrypt("x", now: 1))
        #expect(failure { try encryptor.decrypt(answer) } == .encryption)
        let right = try json(
            device.server.seal("y", for: device.server.open(second, id: .activationGeneric, temporaryKey: nil)))
        #expect(failure { try encryptor.decrypt(right) } == .wrongState)

        encryptor = try make()
        encryptor.cancel()
        #expect(failure { try encryptor.encrypt("x", now: 1) } == .wrongState)
    }

    /// Responses that must be refused: what is missing, what is too much, what is wrong.
    @Test(arguments: [ProtocolVersion.v31, .v32, .v33])
    func refusedResponses(version: ProtocolVersion) throws {
        let device = try ActivatedDevice(version: version)
        let key = try device.server.temporaryKey(for: device.session, scope: .activation)
        var changes: [(String, (String, [UInt8]) -> String)] = [
            ("nothing", { _, _ in "{}" }), ("no data", { text, _ in text.replacing("encryptedData", with: "x") }),
            ("no mac", { text, _ in text.replacing(#""mac""#, with: #""mad""#) }),
            ("data null", { text, _ in text.replacing(#""encryptedData":""#, with: #""encryptedData":null,"x":""#) }),
            ("data number", { text, _ in text.replacing(#""encryptedData":""#, with: #""encryptedData":5,"x":""#) }),
            ("data empty", { text, _ in text.replacing(#""encryptedData":""#, with: #""encryptedData":"","x":""#) }),
            (
                "data short",
                { text, _ in text.replacing(#""encryptedData":""#, with: #""encryptedData":"AAAA","x":""#) }
            ),
            ("data not Base64", { text, _ in text.replacing(#""encryptedData":""#, with: #""encryptedData":"*"#) }),
            ("data longer", { text, _ in text.replacing(#""encryptedData":""#, with: #""encryptedData":"AAAA"#) }),
            ("mac short", { text, _ in text.replacing(#""mac":""#, with: #""mac":"AAAA","x":""#) }),
            ("mac longer", { text, _ in text.replacing(#""mac":""#, with: #""mac":"AAAA"#) }),
            (
                "mac wrong",
                { text, _ in
                    text.replacing(#""mac":""#, with: #""mac":"\#([UInt8](repeating: 1, count: 32).base64)","x":""#)
                }
            ),
        ]
        if version.usesTimestamps {
            changes += [
                ("no nonce", { text, _ in text.replacing(#""nonce""#, with: #""nonze""#) }),
                ("nonce null", { text, _ in text.replacing(#""nonce":""#, with: #""nonce":null,"x":""#) }),
                ("nonce short", { text, _ in text.replacing(#""nonce":""#, with: #""nonce":"AAAA","x":""#) }),
                ("nonce longer", { text, _ in text.replacing(#""nonce":""#, with: #""nonce":"AAAA"#) }),
                (
                    "nonce wrong",
                    { text, _ in text.replacing(#""nonce":""#, with: #""nonce":"\#([UInt8](1...16).base64)","x":""#) }
                ),
                ("no timestamp", { text, _ in text.replacing("timestamp", with: "timestamb") }),
                ("timestamp null", { text, _ in text.replacing(#""timestamp":"#, with: #""timestamp":null,"x":"#) }),
                ("timestamp text", { text, _ in text.replacing(#""timestamp":"#, with: #""timestamp":"1","x":"#) }),
                ("timestamp real", { text, _ in text.replacing(#""timestamp":"#, with: #""timestamp":1.5,"x":"#) }),
                ("timestamp negative", { text, _ in text.replacing(#""timestamp":"#, with: #""timestamp":-"#) }),
                ("timestamp other", { text, _ in text.replacing(#""timestamp":1"#, with: #""timestamp":2"#) }),
                ("timestamp huge", { text, _ in text.replacing(#""timestamp":"#, with: #""timestamp":99999999"#) }),
            ]
        } else {
            changes += [
                ("nonce", { text, nonce in text.replacing(#""mac""#, with: #""nonce":"\#(nonce.base64)","mac""#) }),
                ("timestamp", { text, _ in text.replacing(#""mac""#, with: #""timestamp":1,"mac""#) }),
            ]
        }
        for (what, change) in changes {
            let encryptor = try device.session.encryptor(.activationGeneric, key: key?.client)
            let opened = try device.server.open(
                json(encryptor.encrypt("x", now: ActivatedDevice.now)), id: .activationGeneric,
                temporaryKey: key?.server)
            let good = try device.server.seal("answer", for: opened)
            let changed = change(good, opened.nonce ?? [])
            #expect(changed != good)
            #expect(failure { try encryptor.decrypt(json(changed)) } == .encryption, "\(what)")
            #expect(encryptor.responseTimestamp == nil)
            // It is used up: not even the right response is read any more.
            #expect(failure { try encryptor.decrypt(json(good)) } == .wrongState, "\(what)")
        }
    }

    /// A server that answers with the nonce of the request is refused even if everything fits.
    @Test func repeatedNonce() throws {
        let device = try ActivatedDevice(version: .v32)
        let encryptor = try device.session.encryptor(.activationGeneric, key: nil)
        let opened = try device.server.open(
            json(encryptor.encrypt("x", now: 1)), id: .activationGeneric, temporaryKey: nil)
        let nonce = try #require(opened.nonce)
        let shared = EnvelopeContext.sharedInfo2(
            base: opened.base, nonce: nonce, timestamp: 5, ephemeralPoint: [], associatedData: opened.associatedData)
        let sealed = try opened.key.seal([1], nonce: nonce, sharedInfo2: shared)
        let answer = try json(
            #"{"encryptedData":"\#(sealed.data.base64)","mac":"\#(sealed.mac.base64)","nonce":"\#(nonce.base64)","timestamp":5}"#
        )
        #expect(failure { try encryptor.decrypt(answer) } == .encryption)
    }

    /// Null is the same as absent, and members that nobody knows are ignored.
    @Test func tolerated() throws {
        let old = try ActivatedDevice(version: .v31)
        let encryptor = try old.session.encryptor(.createToken, key: nil)
        let opened = try old.server.open(json(encryptor.encrypt("x", now: 1)), id: .createToken, temporaryKey: nil)
        let answer = try old.server.seal("answer", for: opened)
            .replacing("{", with: #"{"nonce":null,"timestamp":null,"more":[1],"#)
        #expect(try encryptor.decrypt(json(answer)).array.text == "answer")
    }

    @Test func temporaryKeys() throws {
        let device = try ActivatedDevice()
        let (session, server) = (device.session, device.server)
        let own = try #require(try server.temporaryKey(for: session, scope: .activation))
        let application = try #require(try server.temporaryKey(for: session, scope: .application))
        let other = try ActivatedDevice()
        other.server.activationId = "another"
        let foreign = try #require(try other.server.temporaryKey(for: other.session, scope: .activation))
        for key in [nil, application.client, foreign.client] {
            #expect(failure { try session.encryptor(.vaultUnlock, key: key) } == .invalidTemporaryKey)
        }
        for key in [nil, own.client, foreign.client] {
            #expect(failure { try session.encryptor(.applicationGeneric, key: key) } == .invalidTemporaryKey)
        }
        let encryptor = try session.encryptor(.vaultUnlock, key: own.client)
        device.random.forget()
        #expect(failure { try encryptor.encrypt("x", now: own.client.expires - 10_000) } == .invalidTemporaryKey)
        #expect(device.random.draws.isEmpty)
        // An expired key does not use the encryptor up.
        _ = try encryptor.encrypt("x", now: own.client.expires - 10_001)

        let old = try ActivatedDevice(version: .v32)
        #expect(failure { try old.session.encryptor(.vaultUnlock, key: own.client) } == .wrongParameter)
    }

    @Test func failingRandomness() throws {
        let device = try ActivatedDevice(version: .v32)
        let encryptor = try device.session.encryptor(.vaultUnlock, key: nil)
        for draws in 0...1 {
            device.random.remaining = draws
            #expect(failure { try encryptor.encrypt("x", now: 1) } == .randomFailed)
        }
        device.random.remaining = nil
        _ = try encryptor.encrypt("x", now: 1)
    }

    @Test func withoutActivation() throws {
        let session = try ActivatedDevice.emptySession(ServerDouble(version: .v32), RandomSource())
        _ = try session.encryptor(.applicationGeneric, key: nil).encrypt("x", now: 1)
        #expect(failure { try session.encryptor(.activationGeneric, key: nil) } == .missingActivation)
    }

    /// One flipped bit anywhere in a sealed message is found out.
    @Test func everyFlipIsFound() throws {
        let key = try #require(EnvelopeKey(SecureBytes(copying: [UInt8](0..<48))))
        let nonce = [UInt8](1...16)
        let sealed = try key.seal("some plaintext", nonce: nonce, sharedInfo2: [1, 2, 3])
        for index in 0..<(sealed.data.count + sealed.mac.count) {
            for bit in 0..<8 {
                var (data, mac) = sealed
                if index < data.count {
                    data[index] ^= 1 << UInt8(bit)
                } else {
                    mac[index - data.count] ^= 1 << UInt8(bit)
                }
                #expect(throws: CryptoError.self) {
                    try key.open(data, mac: mac, nonce: nonce, sharedInfo2: [1, 2, 3])
                }
            }
        }
        #expect(throws: CryptoError.self) {
            try key.open(sealed.data, mac: sealed.mac, nonce: nonce, sharedInfo2: [1, 2])
        }
        for length in [0, 47, 49] { #expect(EnvelopeKey(SecureBytes(count: length)) == nil) }
    }
}
