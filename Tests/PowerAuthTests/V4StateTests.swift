import MobileTokenCrypto
import TestSupport
import Testing

@testable import PowerAuth
@testable import PowerAuthDoubles

/// The stored form of an activation of 4.0: format 4.
@Suite struct V4StateTests {
    /// The generator of P-384: a point that anybody can look up.
    private static let point = [UInt8](
        hex: "04aa87ca22be8b05378eb1c71ef320ad746e1d3b628ba79b9859f741e082542a385502f25dbf55296c3a545e3872760ab7"
            + "3617de4a96262c6f5d9e98bf9292dc29f8f41dbd289a147ce9da3113b5f0b8c00a60b1ce1d7e819d7a431d7c90ea0e5f")

    private static func filled(_ byte: UInt8, _ count: Int) -> [UInt8] { [UInt8](repeating: byte, count: count) }

    private static func publicKeys(_ suite: V4.Suite, _ byte: UInt8) throws -> V4.PublicKeys {
        V4.PublicKeys(
            suite, try PublicKey(point: point, on: .p384), suite.mldsa.map { filled(byte, $0.publicKeyLength) })
    }

    private static func record(_ suite: V4.Suite) throws -> ActivationRecord {
        let contents = ActivationRecord.ContentsV4(
            suite: suite, identifier: [UInt8]("act-1".utf8), counter: SecureBytes(copying: filled(1, 32)),
            possession: filled(2, 48), knowledge: filled(3, 48), salt: filled(4, 32), biometry: filled(7, 48),
            utility: filled(8, 76), encryption: filled(9, 76), deviceKeys: filled(10, suite.isHybrid ? 124 : 92),
            devicePublic: try publicKeys(suite, 11), serverPublic: try publicKeys(suite, 12), usesExternalKey: false,
            marks: [.confirm])
        let record = try #require(ActivationRecord(contents))
        record.window = 20
        record.unacknowledged = 2
        record.counterByte = 0xFE
        record.tokens = [
            try #require(
                Token(
                    name: [UInt8]("list".utf8), id: [UInt8]("t-1".utf8), factors: .possession,
                    secret: SecureBytes(copying: filled(13, 32)))),
            // One from before an upgrade.
            try #require(
                Token(
                    name: [UInt8]("ž".utf8), id: [UInt8]("t-2".utf8), factors: .possessionKnowledge,
                    secret: SecureBytes(copying: filled(14, 16)))),
        ]
        try record.storeBiometry(filled(15, 48), named: [UInt8]("card".utf8))
        return record
    }

    /// The same, written by hand.
    private static func golden(_ suite: V4.Suite) -> [UInt8] {
        let keyLength = suite.mldsa?.publicKeyLength ?? 0
        var bytes = [UInt8]("MTPA".utf8) + [4, 1, suite.rawValue, 0x0D, 0x01, 0xFE, 20, 2, 5, 2, 1]
        bytes += filled(1, 32) + filled(2, 48) + filled(3, 48) + filled(4, 32)
        bytes += filled(0, 48) + filled(0, 32) + filled(7, 48) + filled(8, 76) + filled(9, 76)
        bytes += filled(10, suite.isHybrid ? 124 : 92)
        bytes += point + filled(11, keyLength) + point + filled(12, keyLength) + [UInt8]("act-1".utf8)
        bytes += [1, 4] + [UInt8]("list".utf8) + [3] + [UInt8]("t-1".utf8) + [32] + filled(13, 32)
        bytes += [3, 2] + [UInt8]("ž".utf8) + [3] + [UInt8]("t-2".utf8) + [16] + filled(14, 16)
        return bytes + [4] + [UInt8]("card".utf8) + filled(15, 48)
    }

    private static func written(_ record: ActivationRecord) -> [UInt8] {
        SecureBytes(count: SessionState.size(record)) { SessionState.write(record, into: $0) }.array
    }

    @Test(arguments: V4.Suite.allCases) func layout(suite: V4.Suite) throws {
        let golden = Self.golden(suite)
        #expect(Self.written(try Self.record(suite)) == golden)
        let read = try #require(try SessionState.read(golden))
        #expect(Self.written(read) == golden)
        #expect(read.suite == suite && read.marks == [.confirm] && read.tokens.count == 2)
        #expect(Self.written(ActivationRecord(copying: read)) == golden)
        // What a state takes: one flush of the store must hold it.
        #expect(golden.count < 8192)
    }

    @Test func everyTruncationIsRefused() throws {
        let golden = Self.golden(.p384)
        for length in 0..<golden.count {
            #expect(failure { _ = try SessionState.read(golden[..<length]) } == .corruptedState, "\(length)")
        }
        #expect(failure { _ = try SessionState.read(golden + [0]) } == .corruptedState)
    }

    /// Every flipped bit is either refused, or gives a state that is written again bit for bit.
    @Test func everyFlipIsHandled() throws {
        let golden = Self.golden(.p384)
        for index in golden.indices {
            for bit in 0..<8 {
                var changed = golden
                changed[index] ^= 1 << UInt8(bit)
                do {
                    let record = try SessionState.read(changed)
                    #expect(try Self.written(#require(record)) == changed, "\(index)")
                } catch let error as PowerAuthError {
                    #expect(
                        error.code == .corruptedState || (index == 4 && error.code == .unsupportedState), "\(index)")
                }
            }
        }
    }

    /// A former PIN is there exactly while its mark is.
    @Test func marksAndFields() throws {
        let record = try Self.record(.p384)
        record.marks = [.newPIN]
        #expect(failure { _ = try SessionState.read(Self.written(record)) } == .corruptedState)
        record.store(Self.filled(5, 48), in: .formerKnowledgeV4)
        record.store(Self.filled(6, 32), in: .formerSaltV4)
        #expect(try SessionState.read(Self.written(record))?.marks == [.newPIN])
        record.marks = []
        #expect(failure { _ = try SessionState.read(Self.written(record)) } == .corruptedState)
    }
}
