// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// The decrypted status of an activation (powerauth.md §12.2).
struct StatusBlob {
    /// The number of bytes, encrypted and decrypted.
    static let count = 32

    let state: UInt8
    let currentVersion: UInt8
    let upgradeVersion: UInt8
    let counterByte: UInt8
    let failCount: UInt8
    let maxFailCount: UInt8
    let lookAhead: UInt8
    /// `CTR_DATA_HASH`, 16 bytes.
    let counterHash: SecureBytes

    /// The IV of a blob: `KDF_INTERNAL(KDF(KEY_TRANSPORT, 3000), challenge ‖ nonce)`.
    static func initializationVector(
        transportKey: some Bytes, challenge: [UInt8], nonce: [UInt8]
    ) throws(CryptoError) -> SecureBytes {
        try KDF.deriveInternal(try KDF.derive(transportKey, index: 3000), data: challenge + nonce)
    }

    /// Decrypts a blob.
    ///
    /// - Parameters:
    ///   - encrypted: 32 bytes.
    ///   - iv: 16 bytes; all zero for a request without challenge (3.0).
    static func decrypt(
        _ encrypted: [UInt8], transportKey: some Bytes, iv: some Bytes
    ) throws(CryptoError) -> SecureBytes {
        guard encrypted.count == count else { throw CryptoError(reason: .invalidLength) }
        return try AES128CBC.decryptSecure(encrypted, key: transportKey, iv: iv, padding: .none)
    }

    /// Reads a decrypted blob; nil for a wrong length or magic, as an unknown activation has.
    init?(_ plain: SecureBytes) {
        let fields: StatusBlob? = plain.withBytes { bytes in
            guard bytes.count == StatusBlob.count, bytes[0] == 0xDE, bytes[1] == 0xC0, bytes[2] == 0xDE,
                bytes[3] & 0xF0 == 0xD0, bytes[3] & 0x0F > 0
            else { return nil }
            return StatusBlob(
                state: bytes[4], currentVersion: bytes[5], upgradeVersion: bytes[6], counterByte: bytes[12],
                failCount: bytes[13], maxFailCount: bytes[14], lookAhead: bytes[15],
                counterHash: SecureBytes(copying: UnsafeRawBufferPointer(rebasing: bytes[16..<32])))
        }
        guard let fields else { return nil }
        self = fields
    }

    private init(
        state: UInt8, currentVersion: UInt8, upgradeVersion: UInt8, counterByte: UInt8, failCount: UInt8,
        maxFailCount: UInt8, lookAhead: UInt8, counterHash: SecureBytes
    ) {
        self.state = state
        self.currentVersion = currentVersion
        self.upgradeVersion = upgradeVersion
        self.counterByte = counterByte
        self.failCount = failCount
        self.maxFailCount = maxFailCount
        self.lookAhead = lookAhead
        self.counterHash = counterHash
    }
}
