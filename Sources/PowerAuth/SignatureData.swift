import MobileTokenCrypto

/// The text that is signed (powerauth.md §9.1).
enum SignatureData {
    /// What stands in place of the application secret in an offline signature.
    static let offlineSecret: StaticString = "offline"

    /// `METHOD & B64(uriId) & B64(nonce) & B64(body) & secret`.
    ///
    /// - Returns: the text, and where in it the nonce stands.
    @inline(__always)
    static func compose(
        method: StaticString, uriId: some Bytes, nonce: some Bytes, body: some Bytes, secret: some Bytes
    ) -> (text: [UInt8], nonce: Range<Int>) {
        var data: [UInt8] = []
        data.reserveCapacity(96 + uriId.byteCount / 3 * 4 + body.byteCount / 3 * 4 + secret.byteCount)
        data.append(method)
        data.append(UInt8(ascii: "&"))
        Base64.append(uriId, to: &data)
        data.append(UInt8(ascii: "&"))
        let nonceStart = data.count
        Base64.append(nonce, to: &data)
        let nonceRange = nonceStart..<data.count
        data.append(UInt8(ascii: "&"))
        Base64.append(body, to: &data)
        data.append(UInt8(ascii: "&"))
        data.append(secret)
        return (data, nonceRange)
    }
}
