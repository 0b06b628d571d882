// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

extension V4 {
    /// The hash-based counter `CTR_DATA` (powerauth4.md §2).
    package enum HashCounter {
        /// The number of bytes of a counter.
        package static let count = V4.keyLength

        /// The counter after one step.
        package static func next(_ counter: some Bytes) throws(CryptoError) -> SecureBytes {
            try SHA3.hashSecure(counter)
        }

        /// Takes one step in place.
        package static func advance(_ counter: UnsafeMutableRawBufferPointer) throws(CryptoError) {
            try SHA3.compute(UnsafeRawBufferPointer(counter), into: counter)
        }
    }
}

extension FactorKeys {
    /// The authentication code of a text with a counter value, online (Base64) or offline (decimal) (powerauth4.md §9).
    package func code(
        of data: UnsafeRawBufferPointer, counter: UnsafeRawBufferPointer, as text: SignatureText
    ) throws(CryptoError) -> [UInt8] {
        let length = V4.keyLength
        guard counter.count == V4.HashCounter.count else { throw CryptoError(reason: .invalidLength) }
        return try withWipedScratch(length) { (derived) throws(CryptoError) -> [UInt8] in
            try withUnsafeTemporaryAllocation(byteCount: FactorKeys.maximumCount * length, alignment: 8) {
                (components: UnsafeMutableRawBufferPointer) throws(CryptoError) -> [UInt8] in
                var digits: [UInt8] = []
                for index in 0..<count {
                    let component = UnsafeMutableRawBufferPointer(
                        rebasing: components[(index * length)..<((index + 1) * length)])
                    // Each factor's key binds the derived key of the one before.
                    try KMAC.compute(
                        counter, index > 0 ? UnsafeRawBufferPointer(derived) : KMAC.nothing, key: key(index),
                        customization: "PA4CODE", into: derived)
                    try KMAC.compute(
                        data, key: UnsafeRawBufferPointer(derived), customization: "PA4CODE", into: component)
                    if case .decimal(let length) = text {
                        if index > 0 { digits.append(UInt8(ascii: "-")) }
                        DecimalCode.append(UnsafeRawBufferPointer(component), length: length, to: &digits)
                    }
                }
                guard text == .base64 else { return digits }
                return Base64.encodedBytes(
                    UnsafeRawBufferPointer(UnsafeMutableRawBufferPointer(rebasing: components[..<(count * length)])))
            }
        }
    }
}
