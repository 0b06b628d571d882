import MobileTokenCrypto
import MobileTokenJSON
import TestSupport
import Testing

@testable import PowerAuth
@testable import PowerAuthDoubles

/// Activations recorded in front of a released server: what the device wrote, and what it made of the answer.
@Suite struct RecordedActivationTests {
    /// Both layers of a request and of its answer, replayed to a session.
    private struct Replay {
        let outer: RecordedEnvelope
        let inner: RecordedEnvelope
        let session: Session
        let result: ActivationResult

        init(
            _ exchange: Recordings.Exchange, recipient: String, server: ServerDouble, session: Session,
            request: (_ layer1: JSONValue) throws -> ActivationRequest
        ) throws {
            outer = try RecordedEnvelope(
                json(exchange.requestBody), id: .applicationGeneric, recipient: recipient, server: server)
            let layer1 = try json(outer.opened.plaintext)
            let data = try #require(layer1["activationData"])
            inner = try RecordedEnvelope(data, id: .activationLayer2, recipient: recipient, server: server)
            self.session = session

            // The library writes the same for the same request.
            let layer2 = try json(inner.opened.plaintext)
            let made = try request(layer1)
            made.name = layer2["activationName"]?.text?.string
            made.platform = layer2["platform"]?.text?.string
            let deviceKey = [UInt8](base64: try #require(layer2["devicePublicKey"]?.text?.string))
            #expect(made.layer2(devicePublicKey: deviceKey).array.text == inner.opened.plaintext)
            let raw = try JSONDocument(parsing: [UInt8](outer.opened.plaintext.utf8)).root
            let rawData = [UInt8](try #require(raw["activationData"]).raw)
            #expect(made.layer1(activationData: rawData).array.text == outer.opened.plaintext)
            let random = ScriptedRandom()
            let rewriter = try Session(
                configuration: session.configuration, version: session.version, random: random,
                possessionKey: RecordedLife.possessionKey)
            for (envelope, body) in [(outer, try json(exchange.requestBody)), (inner, data)] {
                let rewritten = try envelope.rewritten(rewriter, random)
                #expect(cryptogramForm(try json(rewritten.body)) == cryptogramForm(body))
                #expect(rewritten.header == exchange.header("X-PowerAuth-Encryption"))
            }

            // The answer, byte by byte as it came, to a device in the middle of this activation.
            try session.startActivation(made)
            guard case .keysReady(let started) = session.state else { throw CryptoError(reason: .library) }
            let pending = PendingActivation(
                body: [UInt8](exchange.requestBody.utf8), layer1: .v3(try outer.encryptor(session)),
                layer2: .v3(try inner.encryptor(session)), started: started)
            result = try session.receiveActivation(try json(exchange.answer), pending: pending)
        }

        /// The plaintexts of the answer, decrypted by encryptors of their own.
        func answers(_ exchange: Recordings.Exchange, _ session: Session) throws -> (layer1: String, layer2: String) {
            let layer1 = try outer.encryptor(session).decrypt(json(exchange.answer)).array.text
            let data = try #require(try json(layer1)["activationData"])
            return (layer1, try inner.encryptor(session).decrypt(data).array.text)
        }
    }

    private func code(_ layer1: JSONValue) throws -> ActivationRequest {
        #expect(layer1["type"]?.text?.string == "CODE")
        return try .code(try #require(layer1["identityAttributes"]?["code"]?.text?.string))
    }

    private func recovery(_ layer1: JSONValue) throws -> ActivationRequest {
        #expect(layer1["type"]?.text?.string == "RECOVERY")
        let identity = try #require(layer1["identityAttributes"])
        return try .recovery(
            code: try #require(identity["recoveryCode"]?.text?.string), puk: try #require(identity["puk"]?.text?.string)
        )
    }

    @Test func byCode() throws {
        try Recordings.each(.activationCreate, as: RecordedLife.Creation.self) { name, recording in
            let life = try RecordedLife(of: name)
            let session = try life.emptySession()
            #expect(
                try session.configuration.masterPublicKey.uncompressed
                    == [UInt8](base64: recording.application.masterPublicKey))
            let replay = try Replay(
                recording.exchange, recipient: recording.recipientPrivateKey, server: life.server, session: session,
                request: code)
            #expect(replay.outer.opened.plaintext == recording.layer1Request, "\(name)")
            #expect(replay.inner.opened.plaintext == recording.layer2Request, "\(name)")
            let answers = try replay.answers(recording.exchange, session)
            #expect(answers.layer1 == recording.layer1Answer, "\(name)")
            #expect(answers.layer2 == recording.layer2Answer, "\(name)")
            // In 3.1 the inner answer has null members where the outer one has none.
            let inner = try #require(try json(recording.layer1Answer)["activationData"])
            #expect((inner["nonce"]?.isNull == true && inner["timestamp"]?.isNull == true) == (life.version == .v31))
            #expect(try json(recording.exchange.answer)["nonce"]?.isNull != true)

            let answer = try json(recording.layer2Answer)
            #expect(replay.result.activationId == answer["activationId"]?.text?.string)
            let recovery = try #require(replay.result.recovery)
            #expect(recovery.code.array.text == answer["activationRecovery"]?["recoveryCode"]?.text?.string)
            #expect(recovery.puk.array.text == answer["activationRecovery"]?["puk"]?.text?.string)
            let outer = try JSONDocument(parsing: [UInt8](recording.layer1Answer.utf8))
            #expect(replay.result.customAttributes?.text == "{}")
            #expect(replay.result.userInfo == [UInt8](try #require(outer.root["userInfo"]).raw))
            #expect(replay.result.serverTimestamp == (try json(recording.exchange.answer)["timestamp"]?.int64))
            #expect((replay.result.serverTimestamp == nil) == (life.version == .v31))
            // The device that the recording knows has another key: keys and fingerprint follow from the server's side.
            try session.persistActivation(pin: RecordedLife.pin, biometryKey: nil)
            #expect(session.counterData == [UInt8](base64: recording.ctrData))
            #expect(session.counterByte == 0)
            let record = try #require(session.record)
            #expect(
                try PublicKey(point: record.copy(.serverKey)).uncompressed == [UInt8](base64: recording.serverPublicKey)
            )

            let device = try PublicKey(point: [UInt8](base64: recording.devicePublicKey))
            #expect(
                device.compressed
                    == [UInt8](
                        base64: try #require(try json(recording.layer2Request)["devicePublicKey"]?.text?.string)))
            #expect(life.server.serverKey.publicKey.uncompressed == [UInt8](base64: recording.serverPublicKey))
            #expect(
                try KDF.reduce(life.server.serverKey.sharedSecret(with: device)).array
                    == [UInt8](base64: recording.masterSecret))
            #expect(
                try ActivationFingerprint.compute(
                    deviceKey: device.compressed, activationId: replay.result.activationId,
                    serverKey: life.server.serverKey.publicKey.compressed) == recording.fingerprint)
            let same = try life.session()
            #expect(try same.fingerprint() == recording.fingerprint)
        }
    }

    @Test func byRecoveryCode() throws {
        struct Recording: Decodable {
            let application: Recordings.Application
            let exchange: Recordings.Exchange
            let recipientPrivateKey: String
            let request: String
            let answer: String
        }
        try Recordings.each(.recoveryActivation, as: Recording.self) { name, recording in
            let server = try RecordedLife.server(RecordedLife.version(of: name), recording.application)
            let session = try RecordedLife(of: name).emptySession()
            let replay = try Replay(
                recording.exchange, recipient: recording.recipientPrivateKey, server: server, session: session,
                request: recovery)
            #expect(replay.outer.opened.plaintext == recording.request, "\(name)")
            let answers = try replay.answers(recording.exchange, session)
            #expect(answers.layer1 == recording.answer, "\(name)")
            #expect(replay.result.activationId == (try json(answers.layer2)["activationId"]?.text?.string), "\(name)")
            // A code that was used up is replaced by a new one.
            let old = try json(recording.request)["identityAttributes"]?["recoveryCode"]?.text?.string
            #expect(replay.result.recovery.map { $0.code.array.text != old } == true, "\(name)")
        }
    }
}
