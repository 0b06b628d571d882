// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

// Texts of the protocol are handled as bytes: comparing and joining Strings would bring Unicode tables into the product
// and copies into the hot path.

extension [UInt8] {
    /// Appends any bytes.
    @inline(__always)
    mutating func append(_ bytes: some Bytes) {
        bytes.withBytes { append(contentsOf: $0) }
    }

    /// Appends a number as 4 bytes, big endian.
    mutating func appendBigEndian(_ value: UInt32) {
        append(UInt8(truncatingIfNeeded: value >> 24))
        append(UInt8(truncatingIfNeeded: value >> 16))
        append(UInt8(truncatingIfNeeded: value >> 8))
        append(UInt8(truncatingIfNeeded: value))
    }

    /// Appends a number as 8 bytes, big endian.
    mutating func appendBigEndian(_ value: UInt64) {
        appendBigEndian(UInt32(truncatingIfNeeded: value >> 32))
        appendBigEndian(UInt32(truncatingIfNeeded: value))
    }

    /// Appends an item of a length-prefixed join, `LP` of powerauth.md §0: its length in 4 bytes, then its bytes.
    mutating func appendLengthPrefixed(_ item: some Bytes) {
        appendBigEndian(UInt32(truncatingIfNeeded: item.byteCount))
        append(item)
    }

    /// Appends a number in decimal.
    mutating func appendDecimal(_ value: Int64) {
        if value < 0 { append(UInt8(ascii: "-")) }
        var rest = value.magnitude
        let start = count
        repeat {
            append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        self[start...].reverse()
    }
}

/// Whether the bytes may be used as an identifier (activation, token, temporary key): 1 to 64 letters, digits, `-`, `_`
/// and `.`, so that it can neither break a header nor grow without bound. Servers send UUIDs.
func isIdentifier(_ text: some Bytes) -> Bool {
    guard (1...64).contains(text.byteCount) else { return false }
    return text.withBytes { bytes in
        bytes.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                true
            default: false
            }
        }
    }
}
