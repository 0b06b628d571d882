// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// Time-based one-time passwords (RFC 6238 with T0 = 0, powerauth.md §1.15).
package enum TOTP {
    /// The hash of the HMAC.
    package enum Algorithm: Sendable {
        case sha256
        case sha512
    }

    /// The password for a moment, with leading zeros.
    ///
    /// - Parameters:
    ///   - key: the shared key, not empty.
    ///   - time: seconds since the Unix epoch, not negative.
    ///   - step: the length of a time step in seconds, at least 1; nil: 30.
    ///   - digits: 6 to 9; nil: 8.
    package static func generate(
        key: some Bytes, time: Int64, step: Int64? = nil, digits: Int? = nil, algorithm: Algorithm = .sha256
    ) throws(CryptoError) -> String {
        let step = step ?? 30
        let digits = digits ?? 8
        guard time >= 0, step > 0, (6...9).contains(digits) else { throw CryptoError(reason: .invalidLength) }
        var number = try key.withBytes { (key: UnsafeRawBufferPointer) throws(CryptoError) -> UInt32 in
            guard key.count > 0 else { throw CryptoError(reason: .invalidKey) }
            return try withWipedScratch(64) { (code) throws(CryptoError) -> UInt32 in
                let length = try authenticate(UInt64(time / step), key: key, algorithm: algorithm, into: code)
                let offset = Int(code[length - 1] & 0x0F)
                return UInt32(code[offset] & 0x7F) << 24 | UInt32(code[offset + 1]) << 16
                    | UInt32(code[offset + 2]) << 8 | UInt32(code[offset + 3])
            }
        }
        return String(unsafeUninitializedCapacity: digits) { text in
            for index in stride(from: digits - 1, through: 0, by: -1) {
                text[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10)
                number /= 10
            }
            return digits
        }
    }

    /// Writes the HMAC of the step number and returns its length, 32 or 64.
    private static func authenticate(
        _ counter: UInt64, key: UnsafeRawBufferPointer, algorithm: Algorithm, into code: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) -> Int {
        var message = counter.bigEndian
        return try withUnsafeBytes(of: &message) { (message: UnsafeRawBufferPointer) throws(CryptoError) -> Int in
            switch algorithm {
            case .sha256:
                try HMACSHA256.compute(message, key: key, into: code)
                return 32
            case .sha512:
                try HMACByName.compute("SHA512", message, key: key, into: code)
                return 64
            }
        }
    }
}
