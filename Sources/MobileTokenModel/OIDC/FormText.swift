// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// The parameters of a URI's query, `application/x-www-form-urlencoded`: `+` is a space, percent-encoding is undone once.
package struct FormText {
    package struct Pair {
        package let name: SecureBytes
        package let value: SecureBytes
    }

    /// In the order of the text.
    package let pairs: [Pair]

    /// - Throws: where an escape is malformed, as an offset within `query`.
    package init(_ query: UnsafeRawBufferPointer) throws(URIParts.Malformed) {
        var pairs: [Pair] = []
        var start = 0
        while start < query.count {
            let end = query[start...].firstIndex(of: UInt8(ascii: "&")) ?? query.count
            if start < end {
                let equals = query[start..<end].firstIndex(of: UInt8(ascii: "=")) ?? end
                let name = try Self.decode(query, start..<equals)
                pairs.append(Pair(name: name, value: try Self.decode(query, min(equals + 1, end)..<end)))
            }
            start = end + 1
        }
        self.pairs = pairs
    }

    /// The value of a parameter; the first one if there are several.
    package func value(_ name: StaticString) -> SecureBytes? { pairs.first { $0.name.isEqual(to: name) }?.value }

    package func count(_ name: some Bytes) -> Int { pairs.count { $0.name.isEqual(to: name) } }

    private static func decode(
        _ query: UnsafeRawBufferPointer, _ range: Range<Int>
    ) throws(URIParts.Malformed) -> SecureBytes {
        guard var decoded = PercentEncoding.decode(query[range]) else {
            throw URIParts.Malformed(offset: range.lowerBound)
        }
        defer { wipe(&decoded) }
        return SecureBytes(copying: decoded)
    }

    /// Appends text with every byte but the unreserved ones of RFC 3986 §2.3 percent-encoded.
    package static func appendEncoded(_ text: SecureBytes, to output: inout [UInt8]) {
        text.withBytes { bytes in
            for byte in bytes {
                if isUnreserved(byte) {
                    output.append(byte)
                } else {
                    output.append(UInt8(ascii: "%"))
                    output.append(PercentEncoding.digit(byte >> 4))
                    output.append(PercentEncoding.digit(byte & 0x0F))
                }
            }
        }
    }

    /// RFC 3986 §2.3; also the characters of a PKCE verifier (RFC 7636 §4.1).
    package static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
