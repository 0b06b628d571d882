// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// Decimal codes out of a 32-byte hash, as fingerprints and decimal signatures use them (powerauth.md §8, §9.3).
enum DecimalCode {
    /// Appends `BE32(hash[28..32)) AND 0x7FFFFFFF mod 10^length` with leading zeros.
    ///
    /// - Parameter length: 4 to 8.
    static func append(_ hash: some Bytes, length: Int, to output: inout [UInt8]) {
        let value = hash.withBytes { bytes in
            bytes.suffix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        }
        append(value, length: length, to: &output)
    }

    @inline(never)
    private static func append(_ number: UInt32, length: Int, to output: inout [UInt8]) {
        var value = number
        let start = output.count
        for _ in 0..<length {
            output.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value % 10))
            value /= 10
        }
        output[start...].reverse()
    }
}
