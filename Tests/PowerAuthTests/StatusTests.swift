import MobileTokenCrypto
import MobileTokenJSON
import TestSupport
import Testing

@testable import PowerAuth
@testable import PowerAuthDoubles

@Suite struct StatusTests {
    struct IVs: Decodable {
        struct Row: Decodable {
            let transportKey: String
            let challenge: String
            let nonce: String
            let iv: String
        }
        let vectors: [Row]
    }

    @Test func initializationVectors() throws {
        let file = try Vectors.load("powerauth-status-iv", as: IVs.self)
        for row in file.vectors {
            #expect(
                try StatusBlob.initializationVector(
                    transportKey: [UInt8](base64: row.transportKey), challenge: [UInt8](base64: row.challenge),
                    nonce: [UInt8](base64: row.nonce)
                ).array == [UInt8](base64: row.iv))
        }
        Vectors.ran("powerauth-status-iv", file.vectors.count)
    }

    struct Blobs: Decodable {
        struct Row: Decodable {
            let transportKey: String
            let challenge: String
            let nonce: String
            let ctrData: String
            let encryptedStatusBlob: String
            let activationStatus: String
            let currentVersion: String
            let upgradeVersion: String
            let failedAttempts: String
            let maxFailedAttempts: String
            let ctrLookAhead: String
            let ctrByte: String
            let ctrDataHash: String
            let counterDistance: String
        }
        let vectors: [Row]
    }

    @Test func blobs() throws {
        let file = try Vectors.load("powerauth-status-blob", as: Blobs.self)
        for row in file.vectors {
            let transportKey = [UInt8](base64: row.transportKey)
            let iv = try StatusBlob.initializationVector(
                transportKey: transportKey, challenge: [UInt8](base64: row.challenge), nonce: [UInt8](base64: row.nonce)
            )
            let plain = try StatusBlob.decrypt(
                [UInt8](base64: row.encryptedStatusBlob), transportKey: transportKey, iv: iv)
            let blob = try #require(StatusBlob(plain))
            #expect(String(blob.state) == row.activationStatus)
            #expect(String(blob.currentVersion) == row.currentVersion)
            #expect(String(blob.upgradeVersion) == row.upgradeVersion)
            #expect(String(blob.failCount) == row.failedAttempts)
            #expect(String(blob.maxFailCount) == row.maxFailedAttempts)
            #expect(String(blob.lookAhead) == row.ctrLookAhead)
            #expect(String(blob.counterByte) == row.ctrByte)
            #expect(blob.counterHash.array == [UInt8](base64: row.ctrDataHash))
            let found = try CounterSynchronization.distance(
                from: SecureBytes(base64: row.ctrData), to: blob.counterHash, lookAhead: Int(blob.lookAhead),
                transportKey: transportKey)
            #expect(String(found?.steps ?? -1) == row.counterDistance)
        }
        Vectors.ran("powerauth-status-blob", file.vectors.count)
    }

    struct JavaBlobs: Decodable {
        struct Row: Decodable {
            let transportKey: String
            let challenge: String?
            let nonce: String?
            let ctrData: String
            let ctrByte: UInt8
            let encryptedStatusBlob: String
            let plainHex: String
        }
        let vectors: [Row]
    }

    @Test func serverMadeBlobs() throws {
        let file = try Vectors.load("powerauth-status-blob-java", as: JavaBlobs.self)
        for row in file.vectors {
            let transportKey = [UInt8](base64: row.transportKey)
            var iv = SecureBytes(count: 16)
            if let challenge = row.challenge, let nonce = row.nonce {
                iv = try StatusBlob.initializationVector(
                    transportKey: transportKey, challenge: [UInt8](base64: challenge), nonce: [UInt8](base64: nonce))
            }
            let plain = try StatusBlob.decrypt(
                [UInt8](base64: row.encryptedStatusBlob), transportKey: transportKey, iv: iv)
            #expect(plain.array == [UInt8](hex: row.plainHex))
            let blob = try #require(StatusBlob(plain))
            #expect(blob.state == 3 && blob.currentVersion == 3 && blob.upgradeVersion == 3)
            #expect(blob.failCount == 2 && blob.maxFailCount == 5)
            // Without a challenge the counter and the window are random too.
            guard row.challenge != nil else { continue }
            #expect(blob.counterByte == row.ctrByte && blob.lookAhead == 20)
            let found = try CounterSynchronization.distance(
                from: SecureBytes(base64: row.ctrData), to: blob.counterHash, lookAhead: 20, transportKey: transportKey)
            #expect(found?.steps == 0)
        }
        Vectors.ran("powerauth-status-blob-java", file.vectors.count)
    }

    @Test func magic() {
        var plain = [UInt8](repeating: 3, count: 32)
        for (magic, accepted): ([UInt8], Bool) in [
            ([0xDE, 0xC0, 0xDE, 0xD1], true), ([0xDE, 0xC0, 0xDE, 0xDF], true), ([0xDE, 0xC0, 0xDE, 0xD0], false),
            ([0xDE, 0xC0, 0xDE, 0xC1], false), ([0xDE, 0xC0, 0xDD, 0xD1], false), ([0xDE, 0xC1, 0xDE, 0xD1], false),
            ([0xDF, 0xC0, 0xDE, 0xD1], false),
        ] {
            plain.replaceSubrange(0..<4, with: magic)
            #expect((StatusBlob(SecureBytes(copying: plain)) != nil) == accepted)
        }
        for length in [0, 4, 31, 33] {
            #expect(StatusBlob(SecureBytes(copying: [UInt8]([0xDE, 0xC0, 0xDE, 0xD1] + plain).prefix(length))) == nil)
        }
    }

    // MARK: The decision table

    /// The algorithm as the protocol words it, with all window sizes, distances and bytes.
    @Test func decisions() {
        for window in [1, 2, 5, 20, 64] {
            for server in [UInt8(0), 3, 200, 255] {
                for distance in [nil] + (0..<window).map({ Optional($0) }) {
                    #expect(
                        CounterSynchronization.outcome(
                            hashDistance: distance, localByte: nil, serverByte: server, lookAhead: window)
                            == (distance == 0 ? .learnByte : .unchanged))
                    for ahead in -128...127 {
                        let local = UInt8(truncatingIfNeeded: Int(server) + ahead)
                        let expected: CounterSynchronization.Outcome
                        if distance == 0 && ahead == 0 {
                            expected = .unchanged
                        } else if ahead > 0 && distance == nil {
                            expected =
                                ahead >= window
                                ? .invalid
                                : ahead > window / 2 || ahead == window - 1 ? .calculateSignature : .unchanged
                        } else if let steps = distance, steps > 0, -ahead == steps {
                            expected = .follow(steps: steps)
                        } else {
                            expected = .invalid
                        }
                        #expect(
                            CounterSynchronization.outcome(
                                hashDistance: distance, localByte: local, serverByte: server, lookAhead: window)
                                == expected)
                    }
                }
            }
        }
    }

    // MARK: Through the session

    private func fetch(_ device: ActivatedDevice, _ make: (StatusRequest) throws -> JSONValue) throws
        -> ActivationStatus
    {
        let request = try device.session.statusRequest()
        return try device.session.processStatus(make(request), request: request)
    }

    @Test(arguments: [ProtocolVersion.v31, .v32, .v33])
    func status(version: ProtocolVersion) throws {
        let device = try ActivatedDevice(version: version)
        let request = try device.session.statusRequest()
        #expect(device.random.draws == [.bytes(16)])
        #expect(
            request.body.text
                == #"{"requestObject":{"activationId":"\#(device.server.activationId)","challenge":"\#(request.challenge.base64)"}}"#
        )
        for (raw, state): (UInt8, ActivationStatus.State) in [
            (1, .created), (2, .pendingCommit), (3, .active), (4, .blocked), (5, .removed),
        ] {
            let status = try fetch(device) {
                try device.server.status(challenge: $0.challenge, state: raw, failed: 2, customObject: #"{"a":[1]}"#)
            }
            #expect(status.state == state && status.counter == .ok)
            // The first one tells the server's window.
            #expect(status.stateChanged == (raw == 1))
            #expect(device.session.window == 20 && device.session.unacknowledged == 0)
            #expect(status.failCount == 2 && status.maxFailCount == 5)
            #expect(status.remainingAttempts == (state == .active ? 3 : 0))
            #expect(status.customObject?.text == #"{"a":[1]}"#)
        }
        // The next process must know the failed attempts before it signs: it takes half of the window for used up.
        let next = try ActivatedDevice.emptySession(device.server, device.random)
        try next.restore(from: device.session.serialize())
        #expect(next.unacknowledged == 11 && next.hasRoomForSignature)
        device.session.forgetFailures()
        try next.restore(from: device.session.serialize())
        #expect(next.unacknowledged == 0)
        let none = try fetch(device) { try device.server.status(challenge: $0.challenge, failed: 9) }
        #expect(none.customObject == nil && none.remainingAttempts == 0)
    }

    /// The counters of powerauth.md §12.3 with W = 20.
    @Test func distances() throws {
        for (client, server, counter): (Int, Int, ActivationStatus.Counter) in [
            (0, 0, .ok), (0, 1, .updated), (0, 7, .updated), (0, 19, .updated), (0, 20, .invalid), (3, 0, .ok),
            (10, 0, .ok), (11, 0, .calculateSignature), (19, 0, .calculateSignature), (20, 0, .invalid),
            (21, 0, .invalid),
            (250, 255, .updated), (250, 260, .updated), (260, 255, .ok), (300, 300, .ok),
        ] {
            let device = try ActivatedDevice(biometry: false)
            for _ in 0..<client { _ = try device.session.sign(method: .post, uriId: "", body: "", keys: .possession) }
            try device.server.advance(server)
            let before = device.session.stored
            let status = try fetch(device) { try device.server.status(challenge: $0.challenge) }
            #expect(status.counter == counter, "\(client) \(server)")
            #expect(status.state == (counter == .invalid ? .deadlock : .active))
            #expect(status.remainingAttempts == (counter == .invalid ? 0 : 5))
            if counter == .updated {
                #expect(device.session.counterData == device.server.counter)
                #expect(device.session.counterByte == device.server.counterByte)
            } else {
                #expect(device.session.stored.dropLast(2) == before.dropLast(2))
            }
            #expect(device.session.window == 20)
            #expect(device.session.unacknowledged == (counter == .invalid ? 255 : max(0, client - server)))
        }
    }

    @Test func foreignCounterIsDeadlock() throws {
        let device = try ActivatedDevice()
        device.server.counter[0] ^= 1
        let before = device.session.stored
        let status = try fetch(device) { try device.server.status(challenge: $0.challenge) }
        #expect(status.state == .deadlock && status.counter == .invalid)
        #expect(device.session.stored.dropLast(2) == before.dropLast(2))
    }

    @Test func refused() throws {
        let device = try ActivatedDevice()
        try device.server.advance(2)
        let before = device.session.stored
        let refuse: (PowerAuthError.Code, String, (StatusRequest) throws -> JSONValue) -> Void = {
            expected, what, make in
            #expect(failure { try fetch(device, make) } == expected, "\(what)")
            #expect(device.session.stored == before, "\(what)")
        }
        for state in [UInt8(0), 6, 128, 255] {
            refuse(.invalidActivationData, "state \(state)") {
                try device.server.status(challenge: $0.challenge, state: state)
            }
        }
        for window in [UInt8(0), 65, 255] {
            refuse(.invalidActivationData, "window") {
                try device.server.status(challenge: $0.challenge, lookAhead: window)
            }
        }
        for version in [UInt8(0), 1, 2, 4] {
            refuse(.unsupportedProtocol, "version") {
                try device.server.status(challenge: $0.challenge, version: version)
            }
        }
        refuse(.invalidActivationData, "challenge") { _ in
            try device.server.status(challenge: [UInt8](repeating: 0, count: 16))
        }
        let id = device.server.activationId
        let blob = [UInt8](repeating: 7, count: 32).base64
        let nonce = [UInt8](repeating: 7, count: 16).base64
        for text in [
            "{}", "[]", "null", #"{"activationId":"\#(id)"}"#, #"{"encryptedStatusBlob":"\#(blob)"}"#,
            #"{"encryptedStatusBlob":"\#(blob)","nonce":null}"#, #"{"encryptedStatusBlob":1,"nonce":"\#(nonce)"}"#,
            #"{"encryptedStatusBlob":"\#(blob)","nonce":"\#(nonce.dropLast(4))"}"#,
            #"{"encryptedStatusBlob":"\#(blob)","nonce":"\#(blob)"}"#,
            #"{"encryptedStatusBlob":"\#(nonce)","nonce":"\#(nonce)"}"#,
            #"{"encryptedStatusBlob":"*","nonce":"\#(nonce)"}"#,
            // The random answer for an unknown activation.
            #"{"encryptedStatusBlob":"\#(blob)","nonce":"\#(nonce)"}"#,
            #"{"activationId":"other","encryptedStatusBlob":"\#(blob)","nonce":"\#(nonce)"}"#,
            #"{"activationId":5,"encryptedStatusBlob":"\#(blob)","nonce":"\#(nonce)"}"#,
        ] { refuse(.invalidActivationData, text) { _ in try jsonValue(text) } }
        device.random.remaining = 0
        #expect(failure { try device.session.statusRequest() } == .randomFailed)
    }

    /// Any top value.
    private func jsonValue(_ text: String) throws -> JSONValue {
        guard let value = try json("[" + text + "]")[0] else { throw CryptoError(reason: .invalidEncoding) }
        return value
    }

    @Test func requestBelongsToTheActivation() throws {
        let (first, second) = (try ActivatedDevice(), try ActivatedDevice())
        second.server.activationId = "another"
        let request = try first.session.statusRequest()
        let answer = try first.server.status(challenge: request.challenge)
        try first.session.restore(from: second.session.serialize())
        // Both doubles use the same identifier, so only the keys differ: the blob cannot be decoded.
        #expect(failure { try first.session.processStatus(answer, request: request) } == .invalidActivationData)
        first.session.reset()
        #expect(failure { try first.session.processStatus(answer, request: request) } == .missingActivation)
        #expect(failure { try first.session.statusRequest() } == .missingActivation)
    }

    /// A very old state knows no counter byte: it is learnt when the counters agree, and nothing happens when not.
    @Test func unknownCounterByte() throws {
        let device = try ActivatedDevice()
        let record = try #require(device.session.record)
        record.flags.remove(.counterByte)
        record.counterByte = 0
        #expect(device.session.counterByte == nil)
        device.server.counterByte = 77
        let counter = device.server.counter
        try device.server.advance(1)
        let before = device.session.stored
        #expect(try fetch(device) { try device.server.status(challenge: $0.challenge) }.counter == .ok)
        #expect(device.session.stored.dropLast(2) == before.dropLast(2))
        device.server.counter = counter
        device.server.counterByte = 77
        #expect(try fetch(device) { try device.server.status(challenge: $0.challenge) }.counter == .updated)
        #expect(device.session.counterByte == 77 && device.session.counterData == counter)
    }
}
