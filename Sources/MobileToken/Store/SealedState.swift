import MobileTokenCrypto

/// The keys that a client's device secret gives: they stand for possession of this device.
package final class DeviceKeys: Sendable {
    /// Shortest device secret, in bytes.
    package static let minimumSecretSize = 16

    /// The unlock key of the possession factor: the first half of SHA-256 (powerauth.md §14).
    let possession: SecureBytes
    private let encryption: SecureBytes
    private let authentication: SecureBytes

    package convenience init(secret: SecureBytes) throws(CryptoError) {
        let encryptionLabel: StaticString = "libmtoken state encryption"
        let authenticationLabel: StaticString = "libmtoken state authentication"
        guard let possession = try SHA256.hashSecure(secret).slice(0..<16),
            let encryption = try HMACSHA256.authenticateSecure(encryptionLabel, key: secret).slice(0..<16)
        else { throw CryptoError(reason: .invalidLength) }
        self.init(
            possession: possession, encryption: encryption,
            authentication: try HMACSHA256.authenticateSecure(authenticationLabel, key: secret))
    }

    private init(possession: SecureBytes, encryption: SecureBytes, authentication: SecureBytes) {
        self.possession = possession
        self.encryption = encryption
        self.authentication = authentication
    }

    /// Why stored state cannot be opened.
    enum OpenError: Error {
        /// It is none of ours, was damaged or changed, or belongs to another client or device secret.
        case tampered
        /// A later version of the library wrote it.
        case laterVersion
        case library
    }

    /// Form of stored state: magic, version, IV, AES-128-CBC ciphertext, HMAC-SHA-256 over the client's id and all before.
    private static let magic: [UInt8] = [0x4d, 0x54, 0x4b, 0x53]  // "MTKS"
    private static let version: UInt8 = 1
    private static let headerSize = 5
    private static let ivSize = 16
    private static let tagSize = 32

    /// Encrypts and authenticates a client's state.
    package func seal(_ content: SecureBytes, client: String, random: RandomSource) throws(CryptoError) -> [UInt8] {
        let iv = try random.bytes(Self.ivSize)
        var sealed = Self.magic
        sealed.reserveCapacity(Self.headerSize + Self.ivSize + Self.tagSize + content.count + 16)
        sealed.append(Self.version)
        sealed.append(contentsOf: iv)
        sealed.append(contentsOf: try AES128CBC.encrypt(content, key: encryption, iv: iv, padding: .pkcs7))
        sealed.append(contentsOf: try tag(of: sealed[...], client: client))
        return sealed
    }

    /// Checks and decrypts what `seal` made.
    func open(_ sealed: SecureBytes, client: String) throws(OpenError) -> SecureBytes {
        let bytes = sealed.withBytes { [UInt8]($0) }  // ciphertext, not a secret
        guard bytes.count > Self.headerSize, bytes.starts(with: Self.magic) else { throw .tampered }
        guard bytes[Self.magic.count] == Self.version else { throw .laterVersion }
        guard bytes.count > Self.headerSize + Self.ivSize + Self.tagSize else { throw .tampered }
        let tagStart = bytes.count - Self.tagSize
        guard let expected = try? tag(of: bytes[..<tagStart], client: client) else { throw .library }
        guard constantTimeEqual(expected, bytes[tagStart...]) else { throw .tampered }
        let bodyStart = Self.headerSize + Self.ivSize
        guard
            let content = try? AES128CBC.decryptSecure(
                bytes[bodyStart..<tagStart], key: encryption, iv: bytes[Self.headerSize..<bodyStart], padding: .pkcs7)
        else { throw .library }
        return content
    }

    private func tag(of bytes: ArraySlice<UInt8>, client: String) throws(CryptoError) -> [UInt8] {
        var message = [UInt8](client.utf8)
        message.append(0)  // ids hold no NUL
        message.append(contentsOf: bytes)
        return try HMACSHA256.authenticate(message, key: authentication)
    }
}
