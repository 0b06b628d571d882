// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenSystem

/// Randomness that a test lays down, repeats or withholds. May be used from any thread.
final class TestRandom: RandomSource, @unchecked Sendable {
    /// The rest of the runtime's world.
    let bench: Bench
    /// Where the stream begins; nil: real randomness.
    private let seed: UInt64?

    private let lock = Lock()
    private var laidBytes: [[UInt8]] = []
    private var laidKeys: [PrivateKey] = []
    private var faults = FaultPlan()
    private var draws = 0

    init(bench: Bench, seed: UInt64?) {
        self.bench = bench
        self.seed = seed
    }

    /// How many draws there were, failed ones included.
    var count: Int { lock.withLock { draws } }

    func lay(bytes: [UInt8]) { lock.withLock { laidBytes.append(bytes) } }

    func lay(key: PrivateKey) { lock.withLock { laidKeys.append(key) } }

    func fail(nth: Int, forever: Bool) { lock.withLock { faults.fail(nth: nth, forever: forever) } }

    override func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(CryptoError) {
        let (draw, laid) = try draw { laidBytes.isEmpty ? nil : laidBytes.removeFirst() }
        if let laid {
            guard laid.count == buffer.count else { throw CryptoError(reason: .invalidLength) }
            buffer.copyBytes(from: laid)
        } else if let seed {
            try Self.fill(buffer, seed: seed, draw: draw, attempt: 0)
        } else {
            try super.fill(buffer)
        }
    }

    override func generateKeyPair() throws(CryptoError) -> PrivateKey {
        let (draw, laid) = try draw { laidKeys.isEmpty ? nil : laidKeys.removeFirst() }
        if let laid { return laid }
        guard let seed else { return try super.generateKeyPair() }
        for attempt in 0..<Self.maximumAttempts {
            let number = try SecureBytes(count: Self.keySize) { (buffer) throws(CryptoError) in
                try Self.fill(buffer, seed: seed, draw: draw, attempt: attempt)
            }
            // Not every 32 bytes are a key, though nearly all are.
            if let key = try? PrivateKey(bigEndian: number) { return key }
        }
        throw CryptoError(reason: .invalidKey)
    }

    private static let keySize = 32
    private static let maximumAttempts: UInt64 = 16

    /// Counts a draw and takes what is laid down for it.
    private func draw<T>(_ take: () -> T?) throws(CryptoError) -> (number: Int, laid: T?) {
        try lock.withLock { () throws(CryptoError) in
            draws += 1
            guard !faults.strikes() else { throw CryptoError(reason: .library) }
            return (draws, take())
        }
    }

    /// SHA-256 of seed, draw, attempt and block: each draw has a stream of its own, whatever the lengths of the others.
    private static func fill(
        _ buffer: UnsafeMutableRawBufferPointer, seed: UInt64, draw: Int, attempt: UInt64
    ) throws(CryptoError) {
        var block: UInt64 = 0
        var filled = 0
        while filled < buffer.count {
            var input: [UInt8] = []
            for number in [seed, UInt64(draw), attempt, block] {
                for shift in stride(from: 56, through: 0, by: -8) {
                    input.append(UInt8(truncatingIfNeeded: number >> shift))
                }
            }
            for byte in try SHA256.hash(input) where filled < buffer.count {
                buffer[filled] = byte
                filled += 1
            }
            block += 1
        }
    }
}
