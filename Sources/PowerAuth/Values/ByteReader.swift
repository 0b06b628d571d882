// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// Reads binary formats from the front; every read is nil at the end of the data, so that no input can trap.
struct ByteReader {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    /// Reads from a buffer, which must stay alive while the reader is used.
    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// How many bytes are left.
    var remaining: Int { bytes.count - offset }

    /// The next `count` bytes, in place.
    mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
        guard count >= 0, count <= remaining else { return nil }
        defer { offset += count }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + count)])
    }

    /// One byte.
    mutating func byte() -> UInt8? { take(1)?.first }

    /// An unsigned number of `width` bytes (at most 8), big endian.
    private mutating func number(width: Int) -> UInt64? {
        guard let digits = take(width) else { return nil }
        var value: UInt64 = 0
        for digit in digits { value = value << 8 | UInt64(digit) }
        return value
    }

    /// A 4-byte unsigned number, big endian.
    mutating func uint32() -> UInt32? { number(width: 4).map { UInt32(truncatingIfNeeded: $0) } }

    /// A `count` in the coding of powerauth.md §2: 1 byte up to 0x7F, 2 bytes up to 0x3FFF, 4 bytes up to
    /// 0x3FFFFFFF. A longer coding than needed is accepted, as the reference library does.
    mutating func variableCount() -> Int? {
        guard let first = byte() else { return nil }
        switch first >> 6 {
        case 0, 1:
            return Int(first)
        case 2:
            guard let low = byte() else { return nil }
            return Int(first & 0x3F) << 8 | Int(low)
        default:
            guard let low = number(width: 3) else { return nil }
            return Int(first & 0x3F) << 24 | Int(low)
        }
    }

    /// A `count` and that many bytes: the `data` of powerauth.md §14.2.
    mutating func variableData() -> UnsafeRawBufferPointer? {
        guard let count = variableCount() else { return nil }
        return take(count)
    }
}

extension [UInt8] {
    /// Appends a `count` in the coding of powerauth.md §2; false, and nothing appended, beyond 0x3FFFFFFF.
    mutating func appendVariableCount(_ value: Int) -> Bool {
        switch value {
        case 0...0x7F:
            append(UInt8(truncatingIfNeeded: value))
        case 0x80...0x3FFF:
            append(UInt8(truncatingIfNeeded: 0x80 | value >> 8))
            append(UInt8(truncatingIfNeeded: value))
        case 0x4000...0x3FFF_FFFF:
            appendBigEndian(UInt32(truncatingIfNeeded: value) | 0xC000_0000)
        default:
            return false
        }
        return true
    }
}
