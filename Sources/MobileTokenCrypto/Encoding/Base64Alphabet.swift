// SPDX-License-Identifier: Apache-2.0
/// The tables of one of the two Base64 alphabets, and the strict codec over them.
///
/// Ours, because OpenSSL's decoder accepts white space, missing padding and stray bits.
struct Base64Alphabet: @unchecked Sendable {
    /// RFC 4648 §4: `+` and `/`, padded.
    static let standard = Base64Alphabet("+", "/", padded: true)
    /// RFC 4648 §5: `-` and `_`, here never padded.
    static let urlSafe = Base64Alphabet("-", "_", padded: false)

    private static let padding = UInt8(ascii: "=")
    private static let invalid: UInt8 = 0xFF

    private let symbols: UnsafeMutablePointer<UInt8>
    private let values: UnsafeMutablePointer<UInt8>
    private let padded: Bool

    private init(_ symbol62: Unicode.Scalar, _ symbol63: Unicode.Scalar, padded: Bool) {
        self.padded = padded
        symbols = .allocate(capacity: 64)
        values = .allocate(capacity: 256)
        values.initialize(repeating: Base64Alphabet.invalid, count: 256)
        for index in 0..<64 {
            let symbol: UInt8 =
                switch index {
                case 0..<26: UInt8(ascii: "A") + UInt8(index)
                case 26..<52: UInt8(ascii: "a") + UInt8(index - 26)
                case 52..<62: UInt8(ascii: "0") + UInt8(index - 52)
                case 62: UInt8(ascii: symbol62)
                default: UInt8(ascii: symbol63)
                }
            (symbols + index).initialize(to: symbol)
            values[Int(symbol)] = UInt8(index)
        }
    }

    /// How many characters `count` bytes become.
    func encodedLength(_ count: Int) -> Int {
        let (groups, rest) = (count / 3, count % 3)
        if padded { return (groups + (rest == 0 ? 0 : 1)) * 4 }
        return groups * 4 + (rest == 0 ? 0 : rest + 1)
    }

    /// Writes `encodedLength(input.count)` characters; `output` must have that room.
    func encode(_ input: UnsafeRawBufferPointer, into output: UnsafeMutablePointer<UInt8>) {
        guard var from = input.bytes else { return }
        var to = output
        for _ in 0..<input.count / 3 {
            let bits = UInt32(from[0]) << 16 | UInt32(from[1]) << 8 | UInt32(from[2])
            to[0] = symbols[Int(bits >> 18)]
            to[1] = symbols[Int(bits >> 12 & 63)]
            to[2] = symbols[Int(bits >> 6 & 63)]
            to[3] = symbols[Int(bits & 63)]
            from += 3
            to += 4
        }
        switch input.count % 3 {
        case 1:
            to[0] = symbols[Int(from[0] >> 2)]
            to[1] = symbols[Int(from[0] << 4 & 63)]
            if padded { (to[2], to[3]) = (Base64Alphabet.padding, Base64Alphabet.padding) }
        case 2:
            to[0] = symbols[Int(from[0] >> 2)]
            to[1] = symbols[Int((from[0] << 4 | from[1] >> 4) & 63)]
            to[2] = symbols[Int(from[1] << 2 & 63)]
            if padded { to[3] = Base64Alphabet.padding }
        default:
            break
        }
    }

    /// How many bytes a text of this form holds, or nil when no canonical text has this length and ending.
    func decodedLength(_ input: UnsafeRawBufferPointer) -> Int? {
        var length = input.count
        if padded {
            guard length % 4 == 0 else { return nil }
            if length > 0, input[length - 1] == Base64Alphabet.padding {
                length -= input[length - 2] == Base64Alphabet.padding ? 2 : 1
            }
        }
        switch length % 4 {
        case 0: return length / 4 * 3
        case 2: return length / 4 * 3 + 1
        case 3: return length / 4 * 3 + 2
        default: return nil
        }
    }

    /// Writes the `length` bytes that `decodedLength` promised. False for a character outside the alphabet or for bits
    /// after the last byte that are not zero (unless they are ignored); what was written then is not to be used.
    func decode(
        _ input: UnsafeRawBufferPointer, length: Int, into output: UnsafeMutablePointer<UInt8>,
        ignoringUnusedBits: Bool = false
    ) -> Bool {
        guard var from = input.bytes else { return true }
        var to = output
        var seen: UInt8 = 0
        for _ in 0..<length / 3 {
            let (a, b, c, d) = (value(from[0]), value(from[1]), value(from[2]), value(from[3]))
            seen |= a | b | c | d
            to[0] = a << 2 | b >> 4
            to[1] = b << 4 | c >> 2
            to[2] = c << 6 | d
            from += 4
            to += 3
        }
        switch length % 3 {
        case 1:
            let (a, b) = (value(from[0]), value(from[1]))
            seen |= a | b
            to[0] = a << 2 | b >> 4
            guard b & 0x0F == 0 || ignoringUnusedBits else { return false }
        case 2:
            let (a, b, c) = (value(from[0]), value(from[1]), value(from[2]))
            seen |= a | b | c
            to[0] = a << 2 | b >> 4
            to[1] = b << 4 | c >> 2
            guard c & 0x03 == 0 || ignoringUnusedBits else { return false }
        default:
            break
        }
        // Values have six bits; only the mark of an invalid character has the highest.
        return seen & 0x80 == 0
    }

    @inline(__always)
    private func value(_ symbol: UInt8) -> UInt8 { values[Int(symbol)] }

    /// The text of the bytes.
    func string(_ bytes: some Bytes) -> String {
        bytes.withBytes { (input: UnsafeRawBufferPointer) -> String in
            let length = encodedLength(input.count)
            return String(unsafeUninitializedCapacity: length) { text in
                if let base = text.baseAddress { encode(input, into: base) }
                return length
            }
        }
    }

    /// The text of the bytes as bytes.
    func array(_ bytes: some Bytes) -> [UInt8] {
        bytes.withBytes { (input: UnsafeRawBufferPointer) -> [UInt8] in
            let length = encodedLength(input.count)
            return [UInt8](unsafeUninitializedCapacity: length) { text, count in
                if let base = text.baseAddress { encode(input, into: base) }
                count = length
            }
        }
    }

    /// Appends the text of the bytes in place.
    func append(_ bytes: some Bytes, to output: inout [UInt8]) {
        bytes.withBytes { (input: UnsafeRawBufferPointer) -> Void in
            let length = encodedLength(input.count)
            output.append(addingCapacity: length) { span in
                span.withUnsafeMutableBufferPointer { room, count in
                    if let base = room.baseAddress { encode(input, into: base) }
                    count = length
                }
            }
        }
    }

    /// The bytes of a strict text, or nil.
    func bytes(_ text: some Bytes) -> [UInt8]? {
        text.withBytes { (input: UnsafeRawBufferPointer) -> [UInt8]? in
            guard let length = decodedLength(input) else { return nil }
            var valid = true
            let result = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
                if let base = buffer.baseAddress { valid = decode(input, length: length, into: base) }
                count = length
            }
            return valid ? result : nil
        }
    }

    /// The secret of a strict text, or nil. Wipes the remains of a refused text.
    func secret(_ text: some Bytes) -> SecureBytes? {
        text.withBytes { (input: UnsafeRawBufferPointer) -> SecureBytes? in
            guard let length = decodedLength(input) else { return nil }
            var valid = true
            let result = SecureBytes(count: length) { buffer in
                if let base = buffer.bytes { valid = decode(input, length: length, into: base) }
            }
            return valid ? result : nil
        }
    }
}
