import MobileTokenCrypto
import TestSupport
import Testing

@testable import PowerAuth
@testable import PowerAuthDoubles

@Suite struct UpstreamStateTests {
    struct File: Decodable {
        struct Sample: Decodable {
            let name: String
            let data: String
        }
        let samples: [Sample]
    }

    private let samples: [String: [UInt8]]
    private let device: ActivatedDevice

    init() throws {
        let file = try Vectors.load("powerauth-persistent-state", as: File.self)
        samples = Dictionary(uniqueKeysWithValues: file.samples.map { ($0.name, [UInt8](base64: $0.data)) })
        device = try ActivatedDevice()
    }

    private func fresh() throws -> Session { try ActivatedDevice.emptySession(device.server, RandomSource()) }

    /// A key that no session of this library has.
    private let upstreamKey = SecureBytes(copying: [UInt8](200..<216))

    private func take(_ data: some Bytes, _ session: Session) throws(PowerAuthError) {
        try session.importUpstreamState(data, possessionKey: upstreamKey)
    }

    @Test func vectors() throws {
        for (name, data) in samples {
            let session = try fresh()
            switch name {
            case "v3_data", "v4_data":
                try take(data, session)
                #expect(session.phase == .activated)
                #expect(session.activationId == "FULL-BUT-FAKE-ACTIVATION-ID")
                #expect(session.counterData == [UInt8](data[6..<22]))
                #expect(session.counterByte == nil)
                #expect(session.knowledgeParameters?.iterations == 10_000)
                #expect(!session.usesExternalKey && !session.hasRecoveryData)
                let restored = try fresh()
                try restored.restore(from: session.serialize())
                #expect(restored.stored == session.stored)
            case "v2_data", "activated_status", "empty_status":
                #expect(failure { try take(data, session) } == .unsupportedProtocol, "\(name)")
                #expect(session.phase == .empty)
            default:
                Issue.record("a sample that nobody looks at: \(name)")
            }
        }
        // The format with recovery data and counter byte is in the recorded life, see TraceTests.
        Vectors.ran("powerauth-persistent-state", samples.count)
    }

    /// A state in the current upstream format.
    private func state(
        letter: Character = "6", flags: UInt32 = 1024, biometry: [UInt8] = [UInt8](1...16), recovery: [UInt8]? = [],
        deviceKey: [UInt8]? = nil, byte: UInt8? = 9, counter: [UInt8] = [UInt8](1...16), id: String = "id"
    ) throws -> [UInt8] {
        let record = try #require(device.session.record)
        var bytes = [UInt8]("PA".utf8) + [2] + [UInt8]("P\(letter)".utf8)
        func data(_ content: [UInt8]) {
            _ = bytes.appendVariableCount(content.count)
            bytes += content
        }
        data(counter)
        data([UInt8](id.utf8))
        bytes.appendBigEndian(UInt32(10_000))
        for content in [[UInt8](1...16), [UInt8](2...17), [UInt8](3...18), biometry, [UInt8](4...19)] { data(content) }
        data(record.copy(.serverKey).array)
        data(deviceKey ?? record.copy(.deviceKey).array)
        data([UInt8](repeating: 7, count: 48))
        bytes.appendBigEndian(flags)
        if let recovery { data(recovery) }
        if let byte { bytes.append(byte) }
        return bytes
    }

    @Test func variants() throws {
        var session = try fresh()
        try take(state(), session)
        #expect(session.counterByte == 9 && session.hasBiometry && !session.hasRecoveryData)
        session = try fresh()
        try take(state(flags: 0, biometry: []), session)
        #expect(session.counterByte == nil && !session.hasBiometry)
        session = try fresh()
        // Waiting for a vault unlock means nothing after a restart; the external key does.
        try take(state(flags: 1024 + 2 + 1, recovery: [UInt8](repeating: 1, count: 48)), session)
        #expect(session.usesExternalKey && session.hasRecoveryData)
        session = try fresh()
        try take(state(deviceKey: []), session)
        #expect(try session.fingerprint() == nil)
        session = try fresh()
        try take(state(letter: "5", recovery: [], byte: nil), session)
        try device.session.restore(from: device.session.serialize())
        #expect(failure { try take(state(), device.session) } == .wrongState)
    }

    @Test func whatThePossessionKeyLocksIsLockedAnew() throws {
        let session = try fresh()
        try take(state(), session)
        let imported = try #require(session.record)
        // The state has these bytes for possession and transport; knowledge and biometry stay as they are.
        for (field, first) in [(ActivationRecord.Field.possession, UInt8(2)), (.transport, 4)] {
            let key = try FactorLock.unlock([UInt8](first..<first + 16), with: upstreamKey, externalKey: nil)
            let own = try FactorLock.unlock(imported.copy(field), with: session.possessionKey, externalKey: nil)
            #expect(own.array == key.array)
        }
        #expect(imported.copy(.knowledge).array == [UInt8](3...18) && imported.copy(.biometry).array == [UInt8](1...16))
    }

    @Test func unusablePossessionKey() throws {
        let session = try fresh()
        for key in [SecureBytes(count: 16), SecureBytes(copying: [UInt8](1...15)), SecureBytes(count: 0)] {
            #expect(
                failure { try session.importUpstreamState(state(), possessionKey: key) } == .wrongParameter)
            #expect(session.phase == .empty)
        }
    }

    @Test func anExternalKeyThatTheActivationDoesNotUse() throws {
        let session = try fresh()
        try session.setExternalKey(SecureBytes(copying: [UInt8](1...16)))
        #expect(failure { try take(state(), session) } == .wrongState)
        #expect(session.phase == .empty)
        try take(state(flags: 1024 + 2), session)
        #expect(session.usesExternalKey && session.hasExternalKey)
    }

    @Test func refused() throws {
        let cases: [(String, [UInt8], PowerAuthError.Code)] = [
            ("newer", try state(letter: "7"), .unsupportedState),
            ("older", try state(letter: "2"), .unsupportedProtocol),
            ("pending upgrade", try state(flags: 1024 | 3 << 2), .pendingUpgrade),
            ("unknown flag", try state(flags: 1 << 11), .invalidUpstreamState),
            ("biometry length", try state(biometry: [1]), .invalidUpstreamState),
            ("counter length", try state(counter: [UInt8](1...17)), .invalidUpstreamState),
            ("recovery length", try state(recovery: [1]), .invalidUpstreamState),
            ("recovery size", try state(recovery: [UInt8](repeating: 1, count: 80)), .invalidUpstreamState),
            ("device key", try state(deviceKey: [2, 1]), .invalidUpstreamState),
            ("identifier", try state(id: ""), .invalidUpstreamState),
            ("identifier character", try state(id: "a\"b"), .invalidUpstreamState),
            ("identifier length", try state(id: String(repeating: "a", count: 65)), .invalidUpstreamState),
            ("no counter byte", try state(byte: nil), .invalidUpstreamState),
            ("more", try state() + [1], .invalidUpstreamState),
            ("empty", [UInt8]("PA".utf8) + [0], .missingActivation),
            ("empty with more", [UInt8]("PA".utf8) + [0, 1], .invalidUpstreamState),
            ("ours", device.session.stored, .invalidUpstreamState),
        ]
        for (what, data, expected) in cases {
            let session = try fresh()
            #expect(failure { try take(data, session) } == expected, "\(what)")
            #expect(session.phase == .empty)
        }
    }

    @Test func everyTruncationAndFlipIsHandled() throws {
        for data in [try state(), try #require(samples["v4_data"])] {
            let session = try fresh()
            for length in 0..<data.count {
                #expect(failure { try take(data[..<length], session) } != nil, "\(length)")
            }
            for index in 0..<data.count {
                for bit in 0..<8 {
                    var changed = data
                    changed[index] ^= 1 << UInt8(bit)
                    session.reset()
                    _ = failure { try take(changed, session) }
                    let stored = session.stored
                    try session.restore(from: stored)
                    #expect(session.stored == stored)
                }
            }
        }
    }
}
