// SPDX-License-Identifier: Apache-2.0
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
    /// 16 bytes, or 32 from a server of 4.0.
    let secret: SecureBytes

    /// Nil when a part has a wrong length or form.
    init?(name: [UInt8], id: [UInt8], factors: Factors, secret: SecureBytes) {
        guard (1...Token.maximumNameLength).contains(name.count), isIdentifier(id), factors.signatureType != nil,
            secret.count == 16 || secret.count == V4.keyLength
        else { return nil }
        self.name = name
        self.id = id
        self.factors = factors
        self.secret = secret
    }

    /// The value of `X-PowerAuth-Token` (powerauth.md §11, powerauth4.md §14).
    ///
    /// - Parameters:
    ///   - nonce: 16 bytes.
    ///   - now: milliseconds since the Unix epoch.
    func header(version: ProtocolVersion, nonce: UnsafeRawBufferPointer, now: Int64) throws(CryptoError) -> String {
        try withUnsafeTemporaryAllocation(byteCount: HMACSHA256.codeLength + 48, alignment: 8) {
            (memory: UnsafeMutableRawBufferPointer) throws(CryptoError) -> String in
            let digest = UnsafeMutableRawBufferPointer(rebasing: memory[..<HMACSHA256.codeLength])
            let room = UnsafeMutableRawBufferPointer(rebasing: memory[HMACSHA256.codeLength...])
            var data = ByteWriter(room)
            data.append(nonce)
            data.append(byte: UInt8(ascii: "&"))
            let timestampStart = data.count
            data.append(decimal: now)
            let timestamp = UnsafeRawBufferPointer(rebasing: room[timestampStart..<data.count])
            if version.bindsVersionInTokenDigest {
                data.append(byte: UInt8(ascii: "&"))
                data.append(version.text)
            }
            let text = UnsafeRawBufferPointer(rebasing: room[..<data.count])
            try secret.withBytes { (secret) throws(CryptoError) in
                guard version == .v40 else { return try HMACSHA256.compute(text, key: secret, into: digest) }
                try KMAC.compute(text, key: secret, customization: "PA4DIGEST", into: digest)
            }
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
