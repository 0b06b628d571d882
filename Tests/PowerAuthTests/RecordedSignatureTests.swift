import MobileTokenCrypto
import MobileTokenJSON
import TestSupport
import Testing

@testable import PowerAuth
@testable import PowerAuthDoubles

/// Signatures that a released server accepted, and the status that it told.
@Suite struct RecordedSignatureTests {
    /// The exact header from counter, keys and nonce, and the counter after it.
    @Test func signatures() throws {
        struct Recording: Decodable {
            struct FactorKeys: Decodable {
                let possession: String
                let knowledge: String?
                let biometry: String?
            }
            let exchange: Recordings.Exchange
            let factorKeys: FactorKeys
            let ctrDataBefore: String
            let ctrDataAfter: String
            let baseString: String
        }
        try Recordings.each(.signature, as: Recording.self) { name, recording in
            let method: HTTPMethod = recording.exchange.method == "GET" ? .get : .post
            #expect(recording.exchange.method == method.text.description)
            let attributes = recording.exchange.attributes("X-PowerAuth-Authorization")
            let life = try RecordedLife(of: name)
            #expect(life.keys.possession.array == [UInt8](base64: recording.factorKeys.possession))
            if let key = recording.factorKeys.knowledge { #expect(life.keys.knowledge.array == [UInt8](base64: key)) }
            if let key = recording.factorKeys.biometry { #expect(life.keys.biometry.array == [UInt8](base64: key)) }
            #expect(try life.steps(to: recording.ctrDataBefore) != nil, "\(name)")
            let keys = try life.signingKeys(attributes["pa_signature_type"])
            #expect((keys.knowledge != nil) == (recording.factorKeys.knowledge != nil))
            #expect((keys.biometry != nil) == (recording.factorKeys.biometry != nil))

            // A GET request signs its query.
            let path = recording.exchange.path.split(separator: "?", maxSplits: 1).map { String($0) }
            #expect(path[0] == "/pa/v3/signature/validate" && (path.count == 2) == (method == .get))
            let body =
                method == .get
                ? try CanonicalQuery.canonicalize(path[1]) : [UInt8](recording.exchange.requestBody.utf8)
            let nonce = [UInt8](base64: attributes["pa_nonce"] ?? "")
            let uriId = "/pa/signature/validate"
            let text = SignatureData.compose(
                method: method.text, uriId: uriId, nonce: nonce, body: body,
                secret: life.server.configuration.applicationSecret)
            #expect(text.text.text == recording.baseString, "\(name)")

            let random = ScriptedRandom()
            random.bytes = [nonce]
            let session = try life.session(random, counter: recording.ctrDataBefore)
            let header = try session.sign(method: method, uriId: uriId, body: body, keys: keys)
            #expect(header == recording.exchange.header("X-PowerAuth-Authorization"), "\(name)")
            #expect(session.counterData == [UInt8](base64: recording.ctrDataAfter), "\(name)")
            #expect(recording.exchange.status == 200)
        }
    }

    private struct StatusRecording: Decodable {
        let exchange: Recordings.Exchange
        let transportKey: String
        let ctrData: String
        let counter: Int
        let blob: String
        let versions: [UInt8]
    }

    /// What the name of a status recording says.
    private static let states: [(String, ActivationStatus.State, failed: Int?)] = [
        ("status-active-", .active, 0), ("status-blocked-", .blocked, nil),
        ("status-pending-commit-", .pendingCommit, 0), ("status-removed-", .removed, nil),
        ("status-two-failures-", .active, 2),
    ]

    @Test func statuses() throws {
        try Recordings.each(.status, as: StatusRecording.self) { name, recording in
            let life = try RecordedLife(of: name)
            #expect(life.keys.transport.array == [UInt8](base64: recording.transportKey))
            #expect(try life.steps(to: recording.ctrData) == recording.counter, "\(name)")
            let random = ScriptedRandom()
            let session = try life.session(
                random, counter: recording.ctrData, counterByte: UInt8(truncatingIfNeeded: recording.counter))
            let sent = try #require(try json(recording.exchange.requestBody)["requestObject"])
            let challenge = [UInt8](base64: sent["challenge"]?.text?.string ?? "")
            random.bytes = [challenge]
            let request = try session.statusRequest()
            #expect(request.body.text == recording.exchange.requestBody, "\(name)")

            let answer = try #require(try json(recording.exchange.answer)["responseObject"])
            let plain = try StatusBlob.decrypt(
                try #require(answer.base64("encryptedStatusBlob", count: 32)), transportKey: life.keys.transport,
                iv: try StatusBlob.initializationVector(
                    transportKey: life.keys.transport, challenge: challenge,
                    nonce: try #require(answer.base64("nonce", count: 16))))
            #expect(plain.array == [UInt8](hex: recording.blob), "\(name)")
            let blob = try #require(StatusBlob(plain))
            #expect([blob.currentVersion, blob.upgradeVersion] == recording.versions)
            #expect(Int(blob.counterByte) == recording.counter & 0xFF && blob.lookAhead == 20)
            let hashKey = try KDF.derive(life.keys.transport, index: 4000)
            #expect(
                blob.counterHash.array
                    == (try HashCounter.hash([UInt8](base64: recording.ctrData), key: hashKey).array))

            let (_, state, failed) = try #require(Self.states.first { name.hasPrefix($0.0) })
            let status = try session.processStatus(answer, request: request)
            #expect(status.state == state, "\(name)")
            #expect(status.counter == .ok && status.stateChanged)
            #expect(status.maxFailCount == 5 && status.failCount == Int(blob.failCount))
            if let failed { #expect(status.failCount == failed, "\(name)") }
            #expect(status.remainingAttempts == (state == .active ? 5 - status.failCount : 0))
            #expect(status.customObject == nil)

            try follow(recording, life, challenge, answer, state, Comment(rawValue: name))
        }
    }

    /// The same answer to devices that stand elsewhere on the way of the counter.
    private func follow(
        _ recording: StatusRecording, _ life: RecordedLife, _ challenge: [UInt8], _ answer: JSONValue,
        _ state: ActivationStatus.State, _ name: Comment
    ) throws {
        for distance in [-19, -7, -1, 1, 10, 11, 19, 20, 21] {
            let place = recording.counter - distance
            guard place >= 0 else { continue }
            var counter = SecureBytes(base64: life.creation.ctrData)
            for _ in 0..<place { counter = try HashCounter.next(counter) }
            let random = ScriptedRandom()
            random.bytes = [challenge]
            let session = try life.session(
                random, counter: counter.array.base64, counterByte: UInt8(truncatingIfNeeded: place))
            let status = try session.processStatus(answer, request: try session.statusRequest())
            switch distance {
            case 1...19:  // the server is ahead: the device follows
                #expect(status.counter == .updated && status.state == state, name)
                #expect(session.counterData == [UInt8](base64: recording.ctrData), name)
                #expect(session.counterByte == UInt8(truncatingIfNeeded: recording.counter), name)
            case 20...:
                #expect(status.counter == .invalid && status.state == .deadlock, name)
            case -19:
                #expect(status.counter == .calculateSignature && status.state == state, name)
            default:
                #expect(status.counter == .ok && status.state == state, name)
            }
        }
    }

    /// Statuses that cannot be read: of an id that the server does not know, and of an activation that was removed before it
    /// was made.
    @Test func unreadableStatuses() throws {
        struct Recording: Decodable { let exchange: Recordings.Exchange }
        for name in ["x-activation-status-unknown-id", "x-activation-status-removed-from-created"] {
            let exchange = try Recordings.load(name, as: Recording.self).exchange
            let life = try RecordedLife(of: name)
            let sent = try #require(try json(exchange.requestBody)["requestObject"])
            life.server.activationId = sent["activationId"]?.text?.string ?? ""
            let random = ScriptedRandom()
            random.bytes = [[UInt8](base64: sent["challenge"]?.text?.string ?? "")]
            let session = try life.session(random)
            let request = try session.statusRequest()
            #expect(request.body.text == exchange.requestBody, "\(name)")
            let before = session.stored
            let answer = try #require(try json(exchange.answer)["responseObject"])
            #expect(
                failure { try session.processStatus(answer, request: request) } == .invalidActivationData, "\(name)")
            #expect(session.stored == before)
        }
    }
}
