// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// The key material `EK` of one request and its response: `K_ENC ‖ K_MAC ‖ K_IV` (powerauth.md §5.3, §5.5).
struct EnvelopeKey: Sendable {
    private let material: SecureBytes

    /// Takes key material of 48 bytes; nil for another length.
    init?(_ material: SecureBytes) {
        guard material.count == 48 else { return nil }
        self.material = material
    }

    /// Derives the key of an envelope.
    ///
    /// - Parameters:
    ///   - privateKey: one side's private key: the ephemeral one for the sender, the permanent one for the recipient.
    ///   - publicKey: the other side's public key.
    ///   - sharedInfo1: separates uses of the same keys.
    ///   - ephemeralPoint: the ephemeral public key exactly as it is sent, 33 or 65 bytes.
    ///   - version: whether the version text enters the derivation.
    init(
        privateKey: PrivateKey, publicKey: PublicKey, sharedInfo1: some Bytes, ephemeralPoint: some Bytes,
        version: ProtocolVersion
    ) throws(CryptoError) {
        var info: [UInt8] = []
        info.reserveCapacity(128)
        if version.bindsVersionInEnvelopeKey { info.append(version.text) }
        info.append(sharedInfo1)
        info.append(ephemeralPoint)
        material = try KDF.x963(secret: try privateKey.sharedSecret(with: publicKey), info: info, count: 48)
    }

    /// Encrypts and authenticates.
    ///
    /// - Parameters:
    ///   - nonce: 16 bytes from which the IV is derived; nil for the zero IV of 3.0.
    ///   - sharedInfo2: what the MAC covers besides the ciphertext.
    /// - Returns: the ciphertext (padded, so never empty) and a MAC of 32 bytes.
    func seal(
        _ plaintext: some Bytes, nonce: [UInt8]?, sharedInfo2: [UInt8]
    ) throws(CryptoError) -> (data: [UInt8], mac: [UInt8]) {
        let iv = try initializationVector(nonce)
        let data = try withPart(0..<16) { (key) throws(CryptoError) in
            try AES128CBC.encrypt(plaintext, key: key, iv: iv, padding: .pkcs7)
        }
        return (data, try authenticate(data, sharedInfo2))
    }

    /// Checks the MAC in constant time, and only then decrypts.
    ///
    /// - Throws: `signatureMismatch` for a wrong MAC, `invalidPadding` and `invalidLength` for a malformed ciphertext.
    func open(
        _ data: [UInt8], mac: [UInt8], nonce: [UInt8]?, sharedInfo2: [UInt8]
    ) throws(CryptoError) -> SecureBytes {
        guard constantTimeEqual(try authenticate(data, sharedInfo2), mac) else {
            throw CryptoError(reason: .signatureMismatch)
        }
        let iv = try initializationVector(nonce)
        return try withPart(0..<16) { (key) throws(CryptoError) in
            try AES128CBC.decryptSecure(data, key: key, iv: iv, padding: .pkcs7)
        }
    }

    private func authenticate(_ data: [UInt8], _ sharedInfo2: [UInt8]) throws(CryptoError) -> [UInt8] {
        var covered: [UInt8] = []
        covered.reserveCapacity(data.count + sharedInfo2.count)
        covered.append(contentsOf: data)
        covered.append(contentsOf: sharedInfo2)
        return try withPart(16..<32) { (key) throws(CryptoError) in try HMACSHA256.authenticate(covered, key: key) }
    }

    private func initializationVector(_ nonce: [UInt8]?) throws(CryptoError) -> SecureBytes {
        guard let nonce else { return SecureBytes(count: 16) }
        return try withPart(32..<48) { (key) throws(CryptoError) in try KDF.deriveInternal(key, data: nonce) }
    }

    private func withPart<Result>(
        _ range: Range<Int>, _ work: (UnsafeRawBufferPointer) throws(CryptoError) -> Result
    ) throws(CryptoError) -> Result {
        try material.withBytes { (bytes) throws(CryptoError) in try work(UnsafeRawBufferPointer(rebasing: bytes[range]))
        }
    }
}
