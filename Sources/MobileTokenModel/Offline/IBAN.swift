// SPDX-License-Identifier: Apache-2.0
/// International bank account numbers (ISO 13616).
package enum IBAN {
    /// Whether a text has the form of an IBAN and its check digits are right (modulo 97).
    package static func isValid(_ text: UnsafeRawBufferPointer) -> Bool {
        guard (15...34).contains(text.count) else { return false }
        var remainder: UInt64 = 0
        for step in 0..<text.count {
            // The country and the check digits count last.
            let index = step &+ 4 < text.count ? step &+ 4 : step &+ 4 &- text.count
            let byte = text[index]
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                if index < 2 { return false }
                remainder = remainder &* 10 &+ UInt64(byte &- UInt8(ascii: "0"))
            case UInt8(ascii: "A")...UInt8(ascii: "Z"):
                if index == 2 || index == 3 { return false }
                remainder = remainder &* 100 &+ UInt64(byte &- UInt8(ascii: "A")) &+ 10
            default:
                return false
            }
            // Not for each digit: a division costs more than all else here.
            if remainder > 1_000_000_000_000_000 { remainder %= 97 }
        }
        return remainder % 97 == 1
    }
}
