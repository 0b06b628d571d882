// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// Base64 as ``Base64`` reads it, except that the last character may carry bits that belong to no byte.
///
/// The upstream parser of activation codes accepts such text, so codes of that kind may be in use (powerauth.md §4.2).
enum LenientBase64 {
    /// The bytes of a text, or nil when it is not Base64.
    static func decode(_ text: [UInt8]) -> [UInt8]? {
        let padding = text.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard (1...2).contains(padding), text.count > padding else { return Base64.decode(text) }
        let last = text.count - padding - 1
        guard let value = value(text[last]) else { return nil }
        var canonical = text
        canonical[last] = character(padding == 1 ? value & 0x3C : value & 0x30)
        return Base64.decode(canonical)
    }

    private static func value(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }

    private static func character(_ value: UInt8) -> UInt8 {
        switch value {
        case 0..<26: UInt8(ascii: "A") + value
        case 26..<52: UInt8(ascii: "a") + (value - 26)
        case 52..<62: UInt8(ascii: "0") + (value - 52)
        default: value == 62 ? UInt8(ascii: "+") : UInt8(ascii: "/")
        }
    }
}
