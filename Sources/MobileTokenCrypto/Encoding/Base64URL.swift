// SPDX-License-Identifier: Apache-2.0
/// Base64 with the URL-safe alphabet and without padding (RFC 4648 §5, RFC 7515 §2), strict: padding is refused,
/// unused bits are zero.
package enum Base64URL {
    /// The text of the bytes. Not for secrets: strings are not wiped.
    package static func encode(_ bytes: some Bytes) -> String { Base64Alphabet.urlSafe.string(bytes) }

    /// The text of the bytes, as ASCII bytes.
    package static func encodedBytes(_ bytes: some Bytes) -> [UInt8] { Base64Alphabet.urlSafe.array(bytes) }

    /// Appends the text of the bytes, as ASCII bytes.
    package static func append(_ bytes: some Bytes, to output: inout [UInt8]) {
        Base64Alphabet.urlSafe.append(bytes, to: &output)
    }

    /// The bytes of a text, or nil when it is not the one canonical text of any bytes. The empty text gives no bytes.
    package static func decode(_ text: some Bytes) -> [UInt8]? { Base64Alphabet.urlSafe.bytes(text) }

    /// Writes the bytes of a text in either alphabet, but not in both, padded or not, into given memory.
    ///
    /// - Returns: how many bytes; nil when it is not text of this form or does not fit
    package static func decodeEither(
        _ text: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) -> Int? {
        var length = text.count
        while length > 0, text[length - 1] == UInt8(ascii: "="), text.count - length < 2 { length -= 1 }
        guard length == text.count || text.count % 4 == 0 else { return nil }
        let digits = UnsafeRawBufferPointer(rebasing: text[..<length])
        let isURLSafe = digits.contains { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
        let alphabet = isURLSafe ? Base64Alphabet.urlSafe : Base64Alphabet.standard
        guard let size = Base64Alphabet.urlSafe.decodedLength(digits), size <= output.count, let base = output.bytes,
            alphabet.decode(digits, length: size, into: base)
        else { return nil }
        return size
    }

    /// The secret of a text, or nil as in `decode`.
    package static func decodeSecure(_ text: some Bytes) -> SecureBytes? { Base64Alphabet.urlSafe.secret(text) }
}
