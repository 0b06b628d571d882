// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// Comparing the client's counter with the server's (powerauth.md §12.3).
enum CounterSynchronization {
    /// The necessary action.
    enum Outcome: Equatable {
        /// Nothing.
        case unchanged
        /// The client follows the server: the counter moves `steps` steps, the byte becomes the server's.
        case follow(steps: Int)
        /// The byte, which was not known, is the server's.
        case learnByte
        /// The client is so far ahead that the server should see a signature.
        case calculateSignature
        /// The counters can never meet again.
        case invalid
    }

    /// The number of steps from the local counter to the server's; nil when it is not within the window.
    ///
    /// - Returns: the distance, and the counter there.
    static func distance(
        from counter: SecureBytes, to hash: SecureBytes, lookAhead: Int, transportKey: some Bytes
    ) throws(CryptoError) -> (steps: Int, counter: SecureBytes)? {
        let hashKey = try KDF.derive(transportKey, index: 4000)
        return try walk(from: counter, to: hash, lookAhead: lookAhead) { (counter) throws(CryptoError) in
            try HashCounter.next(counter)
        } hash: { (counter) throws(CryptoError) in
            try HashCounter.hash(counter, key: hashKey)
        }
    }

    /// The same with the steps and hashes of any version.
    static func walk(
        from counter: SecureBytes, to hash: SecureBytes, lookAhead: Int,
        next: (SecureBytes) throws(CryptoError) -> SecureBytes,
        hash makeHash: (SecureBytes) throws(CryptoError) -> SecureBytes
    ) throws(CryptoError) -> (steps: Int, counter: SecureBytes)? {
        var candidate = counter
        for step in 0..<max(0, lookAhead) {
            if step > 0 { candidate = try next(candidate) }
            if hash.isEqual(to: try makeHash(candidate)) { return (step, candidate) }
        }
        return nil
    }

    /// Decides.
    ///
    /// - Parameters:
    ///   - hashDistance: what ``distance(from:to:lookAhead:transportKey:)`` found.
    ///   - localByte: nil when it is not known.
    static func outcome(hashDistance: Int?, localByte: UInt8?, serverByte: UInt8, lookAhead: Int) -> Outcome {
        guard let localByte else { return hashDistance == 0 ? .learnByte : .unchanged }
        // Signed distance modulo 256: positive when the client is ahead.
        let byteDistance = Int(Int8(bitPattern: localByte &- serverByte))
        switch hashDistance {
        // The server tests 0 to lookAhead - 1 steps: a signature at the window's width is refused (measured; upstream's client
        // makes one nevertheless).
        case nil where byteDistance >= lookAhead: return .invalid
        case nil where byteDistance > lookAhead / 2: return .calculateSignature
        // The window's last step, of a window so narrow that it is no more than half.
        case nil where byteDistance > 0 && byteDistance == lookAhead - 1: return .calculateSignature
        case nil where byteDistance > 0: return .unchanged
        case 0? where byteDistance == 0: return .unchanged
        case let steps? where steps > 0 && -byteDistance == steps: return .follow(steps: steps)
        default: return .invalid
        }
    }
}
