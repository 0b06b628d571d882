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

    /// The secret of a text, or nil as in `decode`.
    package static func decodeSecure(_ text: some Bytes) -> SecureBytes? { Base64Alphabet.urlSafe.secret(text) }
}
