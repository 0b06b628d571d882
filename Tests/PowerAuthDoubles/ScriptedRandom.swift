import MobileTokenCrypto

/// Randomness that a test lays down beforehand, and a record of what was drawn.
final class ScriptedRandom: RandomSource, @unchecked Sendable {
    enum Draw: Equatable {
        case bytes(Int)
        case keyPair
    }

    /// What is handed out next; when empty, real randomness follows.
    var bytes: [[UInt8]] = []
    var keyPairs: [PrivateKey] = []
    /// What was drawn, in order.
    private(set) var draws: [Draw] = []
    /// Draws that still succeed; nil for no limit.
    var remaining: Int?

    override func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(CryptoError) {
        try count(.bytes(buffer.count))
        guard !bytes.isEmpty else { return try super.fill(buffer) }
        let next = bytes.removeFirst()
        guard next.count == buffer.count else { throw CryptoError(reason: .invalidLength) }
        buffer.copyBytes(from: next)
    }

    override func generateKeyPair() throws(CryptoError) -> PrivateKey {
        try count(.keyPair)
        return keyPairs.isEmpty ? try super.generateKeyPair() : keyPairs.removeFirst()
    }

    func forget() { draws = [] }

    private func count(_ draw: Draw) throws(CryptoError) {
        if let left = remaining {
            guard left > 0 else { throw CryptoError(reason: .library) }
            remaining = left - 1
        }
        draws.append(draw)
    }
}
