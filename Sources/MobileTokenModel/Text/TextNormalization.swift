// SPDX-License-Identifier: Apache-2.0
/// How a server writes texts into a payload.
package enum TextNormalization {
    /// Appends a text with escapes: a backslash is doubled, a line break (LF or CRLF) becomes `\n`, a run of other white space
    /// of ASCII becomes one space, and in fields an asterisk becomes `\*`.
    ///
    /// - Throws: a fault for any other control character
    package static func append(_ text: String, isField: Bool, to output: inout [UInt8]) throws(TextFault) {
        let bytes = Array(text.utf8)
        var afterSpace = false
        var index = 0
        while index < bytes.count {
            var byte = bytes[index]
            index &+= 1
            if byte == 0x0D, index < bytes.count, bytes[index] == 0x0A {
                byte = 0x0A
                index &+= 1
            }
            switch byte {
            case 0x09, 0x0B, 0x0C, 0x0D, 0x20:
                if !afterSpace { output.append(UInt8(ascii: " ")) }
                afterSpace = true
                continue
            case 0x0A:
                output.append(UInt8(ascii: "\\"))
                output.append(UInt8(ascii: "n"))
            case 0x00..<0x20:
                throw TextFault(.controlCharacter, offset: index &- 1)
            case UInt8(ascii: "\\"):
                output.append(byte)
                output.append(byte)
            case UInt8(ascii: "*") where isField:
                output.append(UInt8(ascii: "\\"))
                output.append(byte)
            default:
                output.append(byte)
            }
            afterSpace = false
        }
    }
}
