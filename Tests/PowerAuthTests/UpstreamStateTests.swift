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

    @Test func vectors() throws {
        for (name, data) in samples {
            let session = try fresh()
            switch name {
            case "v3_data", "v4_data":
                try session.importUpstreamState(data)
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
                #expect(failure { try session.importUpstreamState(data) } == .unsupportedProtocol, "\(name)")
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
        try session.importUpstreamState(state())
        #expect(session.counterByte == 9 && session.hasBiometry && !session.hasRecoveryData)
        session = try fresh()
        try session.importUpstreamState(state(flags: 0, biometry: []))
        #expect(session.counterByte == nil && !session.hasBiometry)
        session = try fresh()
        // Waiting for a vault unlock means nothing after a restart; the external key does.
        try session.importUpstreamState(state(flags: 1024 + 2 + 1, recovery: [UInt8](repeating: 1, count: 48)))
        #expect(session.usesExternalKey && session.hasRecoveryData)
        session = try fresh()
        try session.importUpstreamState(state(deviceKey: []))
        #expect(try session.fingerprint() == nil)
        session = try fresh()
        try session.importUpstreamState([UInt8]("PA".utf8) + [0])
        #expect(session.phase == .empty)
        session = try fresh()
        try session.importUpstreamState(state(letter: "5", recovery: [], byte: nil))
        try device.session.restore(from: device.session.serialize())
        #expect(failure { try device.session.importUpstreamState(state()) } == .wrongState)
    }

    @Test func refused() throws {
        let cases: [(String, [UInt8], PowerAuthError.Code)] = [
            ("newer", try state(letter: "7"), .unsupportedState),
            ("older", try state(letter: "2"), .unsupportedProtocol),
            ("pending upgrade", try state(flags: 1024 | 3 << 2), .pendingUpgrade),
            ("unknown flag", try state(flags: 1 << 11), .corruptedState),
            ("biometry length", try state(biometry: [1]), .corruptedState),
            ("counter length", try state(counter: [UInt8](1...17)), .corruptedState),
            ("recovery length", try state(recovery: [1]), .corruptedState),
            ("recovery size", try state(recovery: [UInt8](repeating: 1, count: 80)), .corruptedState),
            ("device key", try state(deviceKey: [2, 1]), .corruptedState),
            ("identifier", try state(id: ""), .corruptedState),
            ("identifier character", try state(id: "a\"b"), .corruptedState),
            ("identifier length", try state(id: String(repeating: "a", count: 65)), .corruptedState),
            ("no counter byte", try state(byte: nil), .corruptedState), ("more", try state() + [1], .corruptedState),
            ("empty with more", [UInt8]("PA".utf8) + [0, 1], .corruptedState),
            ("ours", device.session.stored, .corruptedState),
        ]
        for (what, data, expected) in cases {
            let session = try fresh()
            #expect(failure { try session.importUpstreamState(data) } == expected, "\(what)")
            #expect(session.phase == .empty)
        }
    }

    @Test func everyTruncationAndFlipIsHandled() throws {
        for data in [try state(), try #require(samples["v4_data"])] {
            let session = try fresh()
            for length in 0..<data.count {
                #expect(failure { try session.importUpstreamState(data[..<length]) } != nil, "\(length)")
            }
            for index in 0..<data.count {
                for bit in 0..<8 {
                    var changed = data
                    changed[index] ^= 1 << UInt8(bit)
                    session.reset()
                    _ = failure { try session.importUpstreamState(changed) }
                    let stored = session.stored
                    try session.restore(from: stored)
                    #expect(session.stored == stored)
                }
            }
        }
    }
}
