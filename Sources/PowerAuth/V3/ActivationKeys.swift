// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// The symmetric keys of an activation in the clear (powerauth.md §3), for as long as they are locked or checked.
struct ActivationKeys {
    /// `KEY_SIGNATURE_POSSESSION`
    let possession: SecureBytes
    /// `KEY_SIGNATURE_KNOWLEDGE`
    let knowledge: SecureBytes
    /// `KEY_SIGNATURE_BIOMETRY`
    let biometry: SecureBytes
    /// `KEY_TRANSPORT`
    let transport: SecureBytes
    /// `KEY_ENCRYPTION_VAULT`
    let vault: SecureBytes
}

extension ActivationKeys {
    /// Derives the keys from `KEY_MASTER_SECRET`.
    init(masterSecret: SecureBytes) throws(CryptoError) {
        possession = try KDF.derive(masterSecret, index: 1)
        knowledge = try KDF.derive(masterSecret, index: 2)
        biometry = try KDF.derive(masterSecret, index: 3)
        transport = try KDF.derive(masterSecret, index: 1000)
        vault = try KDF.derive(masterSecret, index: 2000)
    }

    /// Agrees on the keys: `KEY_MASTER_SECRET = REDUCE(ECDH(device, server))`.
    init(deviceKey: PrivateKey, serverKey: PublicKey) throws(CryptoError) {
        try self.init(masterSecret: KDF.reduce(try deviceKey.sharedSecret(with: serverKey)))
    }
}
