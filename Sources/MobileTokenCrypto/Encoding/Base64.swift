// SPDX-License-Identifier: Apache-2.0
/// Base64 with padding (RFC 4648 §4), strict: no white space, padding required, unused bits zero.
package enum Base64 {
    /// The text of the bytes. Not for secrets: strings are not wiped.
    package static func encode(_ bytes: some Bytes) -> String { Base64Alphabet.standard.string(bytes) }

    /// The text of the bytes, as ASCII bytes.
    package static func encodedBytes(_ bytes: some Bytes) -> [UInt8] { Base64Alphabet.standard.array(bytes) }

    /// Appends the text of the bytes, as ASCII bytes.
    package static func append(_ bytes: some Bytes, to output: inout [UInt8]) {
        Base64Alphabet.standard.append(bytes, to: &output)
    }

    /// Writes the text of the bytes into given memory.
    ///
    /// - Returns: how many characters; nil when they do not fit
    package static func encode(_ bytes: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Int? {
        let length = Base64Alphabet.standard.encodedLength(bytes.count)
        guard length <= output.count, let base = output.bytes else { return length == 0 ? 0 : nil }
        Base64Alphabet.standard.encode(bytes, into: base)
        return length
    }

    /// How many characters the text of so many bytes has.
    package static func encodedLength(_ count: Int) -> Int { Base64Alphabet.standard.encodedLength(count) }

    /// The bytes of a text, or nil when it is not the one canonical text of any bytes. The empty text gives no bytes.
    package static func decode(_ text: some Bytes) -> [UInt8]? { Base64Alphabet.standard.bytes(text) }

    /// The secret of a text, or nil as in `decode`.
    package static func decodeSecure(_ text: some Bytes) -> SecureBytes? { Base64Alphabet.standard.secret(text) }

    /// Writes the bytes of a text into given memory.
    ///
    /// - Parameter ignoringUnusedBits: whether the last character may carry bits that belong to no byte
    /// - Returns: how many bytes; nil when it is not text of this form or does not fit
    package static func decode(
        _ text: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, ignoringUnusedBits: Bool = false
    ) -> Int? {
        guard let length = Base64Alphabet.standard.decodedLength(text), length <= output.count,
            let base = output.bytes,
            Base64Alphabet.standard.decode(text, length: length, into: base, ignoringUnusedBits: ignoringUnusedBits)
        else { return nil }
        return length
    }
}
