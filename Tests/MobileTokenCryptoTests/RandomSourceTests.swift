import Foundation
import MobileTokenCrypto
import Testing

/// A generator that counts, and the same key every time: what tests of the layers above do.
private final class CountingSource: RandomSource, @unchecked Sendable {
    var next: UInt8 = 0

    override func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(CryptoError) {
        for index in buffer.indices {
            buffer[index] = next
            next &+= 1
        }
    }

    override func generateKeyPair() throws(CryptoError) -> PrivateKey {
        try PrivateKey(bigEndian: secureBytes(16))
    }
}

private final class FailingSource: RandomSource, @unchecked Sendable {
    override func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(CryptoError) {
        throw CryptoError(reason: .library)
    }
}

/// What several threads drew.
private final class Drawn: @unchecked Sendable {
    private let lock = NSLock()
    private(set) var values = Set<[UInt8]>()

    func add(_ value: [UInt8]) { lock.withLock { _ = values.insert(value) } }
}

@Suite struct RandomSourceTests {
    @Test func lengths() throws {
        let source = RandomSource()
        for length in [0, 1, 16, 32, 1 << 20] {
            #expect(try source.bytes(length).count == length)
            #expect(try source.secureBytes(length).count == length)
        }
        for length in [-1, Int.min] {
            #expect(reason { () throws(CryptoError) in try source.bytes(length) } == .invalidLength)
            #expect(reason { () throws(CryptoError) in try source.secureBytes(length) } == .invalidLength)
        }
        try source.fill(UnsafeMutableRawBufferPointer(start: nil, count: 0))
    }

    @Test func valuesDiffer() throws {
        let source = RandomSource()
        let values = try (0..<200).map { _ in try source.bytes(16) }
        #expect(Set(values).count == 200)
        let secrets = try (0..<200).map { _ in try source.secureBytes(16).array }
        #expect(Set(secrets).union(values).count == 400)
        #expect(try source.generateKeyPair().publicKey.compressed != source.generateKeyPair().publicKey.compressed)
    }

    /// What is drawn ahead is handed out once, over many refills and by whichever thread.
    @Test func publicValuesAreDrawnAhead() throws {
        let source = SystemRandom()
        for length in [0, 1, 16, 63, 64, 65, 960, 961, 1 << 16] {
            #expect(try source.bytes(length).count == length)
            #expect(try source.secureBytes(length).count == length)
        }
        let drawn = Drawn()
        DispatchQueue.concurrentPerform(iterations: 32) { _ in
            for _ in 0..<500 { if let value = try? source.bytes(16) { drawn.add(value) } }
        }
        #expect(drawn.values.count == 32 * 500)
        // Bytes of values that follow each other meet nowhere.
        let halves: [[UInt8]] = drawn.values.flatMap { value in [[UInt8](value[..<8]), [UInt8](value[8...])] }
        #expect(Set(halves).count == 2 * 32 * 500)
    }

    @Test func subclasses() throws {
        let source: RandomSource = CountingSource()
        #expect(try source.bytes(4) == [0, 1, 2, 3])
        #expect(try source.secureBytes(2).array == [4, 5])
        let key = try source.generateKeyPair()
        #expect(try key.bytes().array == [UInt8](6..<22))
        let failing: RandomSource = FailingSource()
        #expect(reason { () throws(CryptoError) in try failing.bytes(4) } == .library)
        #expect(reason { () throws(CryptoError) in try failing.secureBytes(4) } == .library)
    }
}
