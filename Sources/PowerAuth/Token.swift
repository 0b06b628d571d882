import MobileTokenCrypto

/// A MAC token of the activation (powerauth.md §11), kept in the state under the name that the application gave it.
struct Token: Sendable {
    /// More tokens than this are refused: a state stays small.
    static let maximumCount = 64
    /// The longest name, in UTF-8 bytes.
    static let maximumNameLength = 255

    let name: [UInt8]
    let id: [UInt8]
    /// The factors of the signature with which it was created.
    let factors: Factors
    /// 16 bytes.
    let secret: SecureBytes

    /// Nil when a part has a wrong length or form.
    init?(name: [UInt8], id: [UInt8], factors: Factors, secret: SecureBytes) {
        guard (1...Token.maximumNameLength).contains(name.count), isIdentifier(id), factors.signatureType != nil,
            secret.count == 16
        else { return nil }
        self.name = name
        self.id = id
        self.factors = factors
        self.secret = secret
    }

    /// The digest of a header (powerauth.md §11).
    static func digest(
        secret: SecureBytes, nonce: [UInt8], timestamp: [UInt8], version: ProtocolVersion
    ) throws(CryptoError) -> [UInt8] {
        var data: [UInt8] = []
        data.reserveCapacity(48)
        data.append(contentsOf: nonce)
        data.append(UInt8(ascii: "&"))
        data.append(contentsOf: timestamp)
        if version.bindsVersionInTokenDigest {
            data.append(UInt8(ascii: "&"))
            data.append(version.text)
        }
        return try HMACSHA256.authenticate(data, key: secret)
    }

    /// The value of `X-PowerAuth-Token`.
    ///
    /// - Parameter now: milliseconds since the Unix epoch.
    func header(version: ProtocolVersion, nonce: [UInt8], now: Int64) throws(CryptoError) -> String {
        var timestamp: [UInt8] = []
        timestamp.appendDecimal(now)
        let digest = try Token.digest(secret: secret, nonce: nonce, timestamp: timestamp, version: version)
        var header: [UInt8] = []
        header.reserveCapacity(224)
        header.append("PowerAuth version=\"" as StaticString)
        header.append(version.text)
        header.append("\", token_id=\"" as StaticString)
        header.append(contentsOf: id)
        header.append("\", token_digest=\"" as StaticString)
        Base64.append(digest, to: &header)
        header.append("\", nonce=\"" as StaticString)
        Base64.append(nonce, to: &header)
        header.append("\", timestamp=\"" as StaticString)
        header.append(contentsOf: timestamp)
        header.append("\"" as StaticString)
        return String(decoding: header, as: UTF8.self)
    }
}
