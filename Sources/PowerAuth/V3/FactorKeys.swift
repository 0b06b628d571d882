// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// The unlocked keys of the factors of a signature, in the order possession, knowledge, biometry: in memory that is wiped.
package struct FactorKeys {
    static let maximumCount = 3

    private let memory: UnsafeMutableRawBufferPointer
    private let keyLength: Int
    private(set) var count = 0

    private init(_ memory: UnsafeMutableRawBufferPointer, _ keyLength: Int) {
        self.memory = memory
        self.keyLength = keyLength
    }

    /// Lends room for keys of 16 bytes (3.x), or of another length.
    package static func with<Result>(
        keyLength: Int = 16, _ work: (inout FactorKeys) throws(CryptoError) -> Result
    ) throws(CryptoError) -> Result {
        try withWipedScratch(maximumCount * keyLength) { (memory) throws(CryptoError) -> Result in
            var keys = FactorKeys(memory, keyLength)
            return try work(&keys)
        }
    }

    /// The room for the key of the next factor, which counts from now on; there are at most three.
    package mutating func next() throws(CryptoError) -> UnsafeMutableRawBufferPointer {
        guard count < FactorKeys.maximumCount else { throw CryptoError(reason: .invalidLength) }
        count += 1
        return room(count - 1)
    }

    private func room(_ index: Int) -> UnsafeMutableRawBufferPointer {
        let start = index * keyLength
        return UnsafeMutableRawBufferPointer(rebasing: memory[start..<(start + keyLength)])
    }

    func key(_ index: Int) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(room(index)) }

    /// The signature of a text with a counter value (powerauth.md §9.3).
    func signature(
        of data: UnsafeRawBufferPointer, counter: UnsafeRawBufferPointer, as text: SignatureText
    ) throws(CryptoError) -> [UInt8] {
        let length = HMACSHA256.codeLength
        return try withWipedScratch(2 * length) { (scratch) throws(CryptoError) -> [UInt8] in
            let derived = UnsafeMutableRawBufferPointer(rebasing: scratch[..<length])
            let component = UnsafeMutableRawBufferPointer(rebasing: scratch[length...])
            return try withUnsafeTemporaryAllocation(byteCount: 48, alignment: 1) {
                (halves: UnsafeMutableRawBufferPointer) throws(CryptoError) -> [UInt8] in
                var kept = ByteWriter(halves)
                var digits: [UInt8] = []
                for index in 0..<count {
                    try derive(index, counter, into: derived, component)
                    try HMACSHA256.compute(data, key: UnsafeRawBufferPointer(derived), into: component)
                    switch text {
                    case .base64:
                        kept.append(UnsafeRawBufferPointer(rebasing: component[16...]))
                    case .decimal(let length):
                        if index > 0 { digits.append(UInt8(ascii: "-")) }
                        DecimalCode.append(UnsafeRawBufferPointer(component), length: length, to: &digits)
                    }
                }
                guard text == .base64 else { return digits }
                return Base64.encodedBytes(UnsafeRawBufferPointer(rebasing: halves[..<kept.count]))
            }
        }
    }

    /// `K(i) = HMAC(F[i], CTR)`, then for each `j < i`: `K = HMAC(HMAC(F[j+1], CTR), K)`.
    private func derive(
        _ index: Int, _ counter: UnsafeRawBufferPointer, into derived: UnsafeMutableRawBufferPointer,
        _ step: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
        try HMACSHA256.compute(counter, key: key(index), into: derived)
        for other in 0..<index {
            try HMACSHA256.compute(counter, key: key(other + 1), into: step)
            try HMACSHA256.compute(UnsafeRawBufferPointer(derived), key: UnsafeRawBufferPointer(step), into: derived)
        }
    }
}
