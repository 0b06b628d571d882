import MobileTokenCrypto

/// The canonical form of GET parameters, which is signed in place of a body (protocol §9.2).
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
                guard let key = decode(part[..<equals]), let value = decode(part[(equals + 1)...]) else { return nil }
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
                output.append(hexDigit(byte >> 4))
                output.append(hexDigit(byte & 0x0F))
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
                ? left.value.lexicographicallyPrecedes(right.value) : left.key.lexicographicallyPrecedes(right.key)
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

    /// The bytes of form-encoded text: `+` is a space, escapes are undone once. nil: an escape is malformed.
    package static func decode(_ text: Slice<UnsafeRawBufferPointer>) -> [UInt8]? {
        var output: [UInt8] = []
        output.reserveCapacity(text.count)
        var index = text.startIndex
        while index < text.endIndex {
            switch text[index] {
            case UInt8(ascii: "+"):
                output.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard text.endIndex - index > 2, let high = hexValue(text[index + 1]),
                    let low = hexValue(text[index + 2])
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

    package static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + (value - 10)
    }

    private static func hexValue(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
