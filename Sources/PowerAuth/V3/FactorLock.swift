// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// Locks 16-byte keys with unlock keys: AES-128-CBC, zero IV, no padding, and no check whatsoever, so that the device
/// cannot distinguish a wrong PIN from a right one (powerauth.md §14).
enum FactorLock {
    /// Locks a key.
    ///
    /// - Parameters:
    ///   - unlockKey: the key of the factor, 16 bytes.
    ///   - externalKey: the outer layer of powerauth.md §14.1, for knowledge and biometry when the activation uses it.
    static func lock(
        _ key: some Bytes, with unlockKey: some Bytes, externalKey: SecureBytes?
    ) throws(CryptoError) -> [UInt8] {
        let inner = try AES128CBC.encrypt(key, key: unlockKey, iv: AES128CBC.zeroIV, padding: .none)
        guard let externalKey else { return inner }
        return try wrap(inner, externalKey: externalKey)
    }

    /// Unlocks a key. It cannot fail on a wrong unlock key: the result is then another key.
    static func unlock(
        _ locked: some Bytes, with unlockKey: some Bytes, externalKey: SecureBytes?
    ) throws(CryptoError) -> SecureBytes {
        try locked.withBytes { (locked) throws(CryptoError) in
            try unlockKey.withBytes { (unlockKey) throws(CryptoError) in
                try SecureBytes(count: 16) { (output) throws(CryptoError) in
                    try unlock(locked, with: unlockKey, externalKey: externalKey, into: output)
                }
            }
        }
    }

    /// Unlocks a key into given memory, 16 bytes.
    @inline(never)
    static func unlock(
        _ locked: UnsafeRawBufferPointer, with unlockKey: UnsafeRawBufferPointer, externalKey: SecureBytes?,
        into output: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
        guard let externalKey else {
            return try AES128CBC.decrypt(locked, key: unlockKey, iv: AES128CBC.zeroIV, into: output)
        }
        let inner = try unwrap(locked, externalKey: externalKey)
        try AES128CBC.decrypt(inner, key: unlockKey, iv: AES128CBC.zeroIV, into: output)
    }

    /// Adds the outer layer to a locked key.
    static func wrap(_ locked: some Bytes, externalKey: SecureBytes) throws(CryptoError) -> [UInt8] {
        try AES128CBC.encrypt(locked, key: externalKey, iv: AES128CBC.zeroIV, padding: .none)
    }

    /// Takes the outer layer off.
    static func unwrap(_ locked: some Bytes, externalKey: SecureBytes) throws(CryptoError) -> [UInt8] {
        try AES128CBC.decrypt(locked, key: externalKey, iv: AES128CBC.zeroIV, padding: .none)
    }

    /// Checks an unlock key that the caller gave.
    ///
    /// - Throws: `wrongParameter` unless it has 16 bytes that are not all zero.
    static func check(_ unlockKey: SecureBytes) throws(PowerAuthError) {
        guard unlockKey.count == 16, !unlockKey.isAllZero else {
            throw PowerAuthError(.wrongParameter, "an unlock key must be 16 bytes, not all zero")
        }
    }
}
