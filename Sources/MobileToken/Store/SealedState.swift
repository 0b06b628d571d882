// SPDX-License-Identifier: Apache-2.0
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
        /// It is not ours, was damaged or changed, or belongs to another client or device secret.
        case tampered
        /// A later version of the library wrote it.
        case laterVersion
        case library
    }

    /// Form of stored state: magic, version, IV, AES-128-CBC ciphertext, HMAC-SHA-256 over the client's id and all before.
    private static let magic: UInt32 = 0x4D54_4B53  // "MTKS"
    private static let version: UInt8 = 1
    private static let versionOffset = 4
    private static let headerSize = 5
    private static let ivSize = 16
    private static let tagSize = 32

    /// Encrypts and authenticates a client's state: in one buffer, in which `write` puts the state in the clear first.
    package func seal(
        count: Int, client: String, random: RandomSource, _ write: (UnsafeMutableRawBufferPointer) -> Void
    ) throws(CryptoError) -> SecureBytes {
        let bodyStart = Self.headerSize + Self.ivSize
        let tagStart = bodyStart + AES128CBC.paddedLength(count)
        return try SecureBytes(count: tagStart + Self.tagSize) { (sealed) throws(CryptoError) in
            sealed.storeBytes(of: Self.magic.bigEndian, as: UInt32.self)
            sealed[Self.versionOffset] = Self.version
            let iv = UnsafeMutableRawBufferPointer(rebasing: sealed[Self.headerSize..<bodyStart])
            try random.fillPublic(iv)
            let body = UnsafeMutableRawBufferPointer(rebasing: sealed[bodyStart..<tagStart])
            write(UnsafeMutableRawBufferPointer(rebasing: body[..<count]))
            _ = try AES128CBC.encrypt(inPlace: body, count: count, key: encryption, iv: UnsafeRawBufferPointer(iv))
            try writeTag(
                of: UnsafeRawBufferPointer(rebasing: sealed[..<tagStart]), client: client,
                into: UnsafeMutableRawBufferPointer(rebasing: sealed[tagStart...]))
        }
    }

    /// Whether bytes begin as `seal` makes them.
    static func isSealed(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.count > headerSize && bytes.loadUnaligned(as: UInt32.self).bigEndian == magic
    }

    /// Checks and decrypts what `seal` made.
    func open(_ sealed: SecureBytes, client: String) throws(OpenError) -> SecureBytes {
        try sealed.withBytes { (bytes) throws(OpenError) in
            guard Self.isSealed(bytes) else { throw .tampered }
            guard bytes[Self.versionOffset] == Self.version else { throw .laterVersion }
            guard bytes.count > Self.headerSize + Self.ivSize + Self.tagSize else { throw .tampered }
            let (bodyStart, tagStart) = (Self.headerSize + Self.ivSize, bytes.count - Self.tagSize)
            func part(_ range: Range<Int>) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[range]) }
            let expected = SecureBytes(count: Self.tagSize)
            do throws(CryptoError) {
                try expected.withMutableBytes { (tag) throws(CryptoError) in
                    try writeTag(of: part(0..<tagStart), client: client, into: tag)
                }
            } catch {
                throw .library
            }
            guard expected.isEqual(to: part(tagStart..<bytes.count)) else { throw .tampered }
            guard
                let content = try? AES128CBC.decryptSecure(
                    part(bodyStart..<tagStart), key: encryption, iv: part(Self.headerSize..<bodyStart), padding: .pkcs7)
            else { throw .library }
            return content
        }
    }

    /// The last part of what `seal` made, which tells it from all others.
    static func tag(of sealed: SecureBytes) -> SecureBytes {
        sealed.slice(max(0, sealed.count - tagSize)..<sealed.count) ?? sealed
    }

    private func writeTag(
        of bytes: UnsafeRawBufferPointer, client: String, into tag: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
        let end: StaticString = "\0"  // ids hold no NUL
        try authentication.withBytes { (key) throws(CryptoError) in
            try client.withBytes { (client) throws(CryptoError) in
                try end.withBytes { (end) throws(CryptoError) in
                    try HMACSHA256.compute(client, end, bytes, key: key, into: tag)
                }
            }
        }
    }
}
