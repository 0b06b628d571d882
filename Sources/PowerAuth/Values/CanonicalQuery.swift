// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// The canonical form of GET parameters, which is signed in place of a body (powerauth.md §9.2).
package enum CanonicalQuery {
    /// The canonical text of decoded parameters, ordered by key, then by value; empty when there are none.
    ///
    /// The order is that of the UTF-8 bytes.
    package static func encode(_ parameters: [(String, String)]) -> [UInt8] {
        var pairs: [Pair] = []
        pairs.reserveCapacity(parameters.count)
        for (key, value) in parameters { pairs.append(Pair(key: [UInt8](key.utf8), value: [UInt8](value.utf8))) }
        return encode(pairs)
    }

    /// The canonical text of a raw query, `a=1&b=x+y%20z`: decodes each pair once, orders and encodes again. Pairs without
    /// `=` are skipped; only the first `=` separates.
    ///
    /// - Returns: the canonical text, empty when no pair is left.
    /// - Throws: `wrongParameter` for a `%` that is not followed by two hexadecimal digits.
    package static func canonicalize(_ query: some Bytes) throws(PowerAuthError) -> [UInt8] {
        let pairs: [Pair]? = query.withBytes { bytes in
            var pairs: [Pair] = []
            for part in bytes.split(separator: UInt8(ascii: "&")) {
                guard let equals = part.firstIndex(of: UInt8(ascii: "=")) else { continue }
                guard let key = PercentEncoding.decode(part[..<equals]),
                    let value = PercentEncoding.decode(part[(equals + 1)...])
                else { return nil }
                pairs.append(Pair(key: key, value: value))
            }
            return pairs
        }
        guard let pairs else { throw PowerAuthError(.wrongParameter, "the query has a malformed percent escape") }
        return encode(pairs)
    }

    /// Appends text in the encoding of the canonical form: `A–Z a–z 0–9 - _ . *` stay, space becomes `+`, any other byte
    /// `%XX`.
    static func appendEncoded(_ text: [UInt8], to output: inout [UInt8]) {
        for byte in text {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
                UInt8(ascii: "*"):
                output.append(byte)
            case UInt8(ascii: " "):
                output.append(UInt8(ascii: "+"))
            default:
                output.append(UInt8(ascii: "%"))
                output.append(PercentEncoding.digit(byte >> 4))
                output.append(PercentEncoding.digit(byte & 0x0F))
            }
        }
    }

    private struct Pair {
        let key: [UInt8]
        let value: [UInt8]
    }

    private static func encode(_ pairs: [Pair]) -> [UInt8] {
        let sorted = pairs.sorted { left, right in
            left.key == right.key
                ? precedes(left.value, right.value) : precedes(left.key, right.key)
        }
        var output: [UInt8] = []
        for pair in sorted {
            if !output.isEmpty { output.append(UInt8(ascii: "&")) }
            appendEncoded(pair.key, to: &output)
            output.append(UInt8(ascii: "="))
            appendEncoded(pair.value, to: &output)
        }
        return output
    }
}
