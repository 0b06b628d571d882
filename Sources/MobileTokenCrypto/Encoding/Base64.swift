/// Base64 with padding (RFC 4648 §4), strict: no white space, padding required, unused bits zero.
package enum Base64 {
    /// The text of the bytes. Not for secrets: strings are not wiped.
    package static func encode(_ bytes: some Bytes) -> String { Base64Alphabet.standard.string(bytes) }

    /// The text of the bytes, as ASCII bytes.
    package static func encodedBytes(_ bytes: some Bytes) -> [UInt8] { Base64Alphabet.standard.array(bytes) }

    /// The text of a secret, as ASCII bytes that are wiped.
    package static func encodeSecure(_ bytes: some Bytes) -> SecureBytes { Base64Alphabet.standard.secure(bytes) }

    /// Appends the text of the bytes, as ASCII bytes.
    package static func append(_ bytes: some Bytes, to output: inout [UInt8]) {
        Base64Alphabet.standard.append(bytes, to: &output)
    }

    /// The bytes of a text, or nil when it is not the one canonical text of any bytes. The empty text gives no bytes.
    package static func decode(_ text: some Bytes) -> [UInt8]? { Base64Alphabet.standard.bytes(text) }

    /// The secret of a text, or nil as in `decode`.
    package static func decodeSecure(_ text: some Bytes) -> SecureBytes? { Base64Alphabet.standard.secret(text) }
}
