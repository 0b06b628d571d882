// SPDX-License-Identifier: Apache-2.0
/// `application/x-www-form-urlencoded` and the escapes of RFC 3986 §2.1.
package enum PercentEncoding {
    /// The bytes of form-encoded text: `+` is a space, escapes are undone once. nil: an escape is malformed.
    @_optimize(size)
    package static func decode(_ text: Slice<UnsafeRawBufferPointer>) -> [UInt8]? {
        var output: [UInt8] = []
        output.reserveCapacity(text.count)
        var index = text.startIndex
        while index < text.endIndex {
            switch text[index] {
            case UInt8(ascii: "+"):
                output.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard text.endIndex - index > 2, let high = value(text[index + 1]),
                    let low = value(text[index + 2])
                else { return nil }
                output.append(high << 4 | low)
                index += 2
            default:
                output.append(text[index])
            }
            index += 1
        }
        return output
    }

    package static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + (value - 10)
    }

    package static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
