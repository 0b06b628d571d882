// SPDX-License-Identifier: Apache-2.0
/// Base32 (RFC 4648 §6) in the protocol's form: upper case, no padding, strict (powerauth.md §1.14).
package enum Base32 {
    /// The text of the bytes.
    package static func encode(_ bytes: some Bytes) -> String {
        bytes.withBytes { (input: UnsafeRawBufferPointer) -> String in
            let length = input.count / 5 * 8 + (input.count % 5 * 8 + 4) / 5
            return String(unsafeUninitializedCapacity: length) { text in
                var written = 0
                var bits: UInt32 = 0
                var available = 0
                for byte in input {
                    bits = (bits << 8 | UInt32(byte)) & 0xFFF
                    available += 8
                    while available >= 5 {
                        available -= 5
                        text[written] = symbol(bits >> available & 31)
                        written += 1
                    }
                }
                if available > 0 {
                    text[written] = symbol(bits << (5 - available) & 31)
                    written += 1
                }
                return written
            }
        }
    }

    /// The bytes of a text, or nil for a character outside `A–Z2–7`, an impossible length, or unused bits that are not
    /// zero. The empty text gives no bytes.
    package static func decode(_ text: some Bytes) -> [UInt8]? {
        text.withBytes { (input: UnsafeRawBufferPointer) -> [UInt8]? in
            switch input.count % 8 {
            case 1, 3, 6: return nil
            default: break
            }
            var result: [UInt8] = []
            result.reserveCapacity(input.count / 8 * 5 + 5)
            var bits: UInt32 = 0
            var available = 0
            for character in input {
                guard let value = value(character) else { return nil }
                bits = (bits << 5 | value) & 0xFFF
                available += 5
                if available >= 8 {
                    available -= 8
                    result.append(UInt8(truncatingIfNeeded: bits >> available))
                }
            }
            guard bits & (1 << available - 1) == 0 else { return nil }
            return result
        }
    }

    private static func symbol(_ value: UInt32) -> UInt8 {
        let value = UInt8(truncatingIfNeeded: value)
        return value < 26 ? UInt8(ascii: "A") + value : UInt8(ascii: "2") + (value - 26)
    }

    private static func value(_ character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): return UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "2")...UInt8(ascii: "7"): return UInt32(character - UInt8(ascii: "2")) + 26
        default: return nil
        }
    }
}
