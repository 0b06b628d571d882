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

    /// Writes the digest of a header, 32 bytes (powerauth.md §11).
    func writeDigest(
        nonce: UnsafeRawBufferPointer, timestamp: UnsafeRawBufferPointer, version: ProtocolVersion,
        into output: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
        try HMACSHA256.authenticate(key: secret, into: output) { (message) throws(CryptoError) in
            try message.add(nonce)
            try message.add("&" as StaticString)
            try message.add(timestamp)
            if version.bindsVersionInTokenDigest {
                try message.add("&" as StaticString)
                try message.add(version.text)
            }
        }
    }

    /// The value of `X-PowerAuth-Token`.
    ///
    /// - Parameter now: milliseconds since the Unix epoch.
    func header(version: ProtocolVersion, nonce: UnsafeRawBufferPointer, now: Int64) throws(CryptoError) -> String {
        try withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) {
            (memory: UnsafeMutableRawBufferPointer) throws(CryptoError) -> String in
            let digest = UnsafeMutableRawBufferPointer(rebasing: memory[..<HMACSHA256.codeLength])
            let digits = UnsafeMutableRawBufferPointer(rebasing: memory[HMACSHA256.codeLength...])
            var writer = ByteWriter(digits)
            writer.append(decimal: now)
            let timestamp = UnsafeRawBufferPointer(rebasing: digits[..<writer.count])
            try writeDigest(nonce: nonce, timestamp: timestamp, version: version, into: digest)
            return String(unsafeUninitializedCapacity: 224 + id.count) { buffer in
                var header = ByteWriter(buffer)
                header.append("PowerAuth version=\"" as StaticString)
                header.append(version.text)
                header.append("\", token_id=\"" as StaticString)
                header.append(id)
                header.append("\", token_digest=\"" as StaticString)
                header.append(base64: UnsafeRawBufferPointer(digest))
                header.append("\", nonce=\"" as StaticString)
                header.append(base64: nonce)
                header.append("\", timestamp=\"" as StaticString)
                header.append(timestamp)
                header.append("\"" as StaticString)
                return header.count
            }
        }
    }
}
