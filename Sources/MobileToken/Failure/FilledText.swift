// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// A text of parts. Not inlined, since making texts takes much code.
@inline(never)
func words(_ first: StaticString, _ second: StaticString, _ third: String = "", _ fourth: StaticString = "") -> String {
    first.description + second.description + third + fourth.description
}

/// A text with a value in place of each `%`. Not inlined, for the same reason.
@inline(never)
package func filled(
    _ text: StaticString, _ first: String, _ second: String = "", _ third: String = "", _ fourth: String = ""
) -> String {
    var left = [fourth, third, second, first]
    var result: [UInt8] = []
    text.withUTF8Buffer { bytes in
        for byte in bytes {
            if byte == UInt8(ascii: "%") {
                result.append(contentsOf: (left.popLast() ?? "").utf8)
            } else {
                result.append(byte)
            }
        }
    }
    return String(utf8: result)
}
