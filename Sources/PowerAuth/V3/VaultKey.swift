// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// `KEY_ENCRYPTION_VAULT` (powerauth.md §13): from the server for a moment, never stored. Dropping it wipes it.
package final class VaultKey: Sendable {
    let key: SecureBytes

    init(_ key: SecureBytes) { self.key = key }

    /// Encrypts what is stored under the vault key.
    func seal(_ plaintext: SecureBytes) throws(CryptoError) -> [UInt8] {
        try AES128CBC.encrypt(plaintext, key: key, iv: AES128CBC.zeroIV, padding: .pkcs7)
    }

    /// Decrypts what is stored under the vault key.
    func open(_ ciphertext: some Bytes) throws(CryptoError) -> SecureBytes {
        try AES128CBC.decryptSecure(ciphertext, key: key, iv: AES128CBC.zeroIV, padding: .pkcs7)
    }

    /// Decrypts `C_VAULT` with `KEY_TRANSPORT`.
    ///
    /// - Throws: `invalidLength` unless 16 bytes come out.
    static func decrypt(_ encrypted: [UInt8], transportKey: SecureBytes) throws(CryptoError) -> VaultKey {
        let key = try AES128CBC.decryptSecure(encrypted, key: transportKey, iv: AES128CBC.zeroIV, padding: .pkcs7)
        guard key.count == 16 else { throw CryptoError(reason: .invalidLength) }
        return VaultKey(key)
    }
}
