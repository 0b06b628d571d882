// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

extension V4 {
    /// A key that the server gives out of the vault (powerauth4.md §16).
    package enum VaultKeyIdentifier: Sendable {
        /// `KEK_DEVICE_PRIVATE`
        case devicePrivate
        /// `KDK_APP_VAULT_2FA`
        case application2FA
        /// `KDK_APP_VAULT_KNOWLEDGE`
        case applicationKnowledge

        /// The member `keyIdentifier`.
        package var name: StaticString {
            switch self {
            case .devicePrivate: "KEK_DEVICE_PRIVATE"
            case .application2FA: "KDK_APP_VAULT_2FA"
            case .applicationKnowledge: "KDK_APP_VAULT_KNOWLEDGE"
            }
        }

        /// Derives the key from `KDK_VAULT`, as the server does and a client while it activates.
        package func derive(from vault: SecureBytes) throws(CryptoError) -> SecureBytes {
            let label: StaticString =
                switch self {
                case .devicePrivate: "vault/kek-device-private"
                case .application2FA: "vault/kdk-app-vault-2fa"
                case .applicationKnowledge: "vault/kdk-app-vault-knowledge"
                }
            return try KDF.derive(vault, label)
        }

        /// A key for the host, from a key of the application's vault.
        ///
        /// - Parameter count: 16 bytes or more, at most 8191.
        /// - Throws: `invalidKey` for the key of the device's private keys, from which no key is derived;
        ///   `invalidLength`.
        package func applicationKey(
            from key: SecureBytes, index: UInt64, count: Int = V4.keyLength
        ) throws(CryptoError) -> SecureBytes {
            let label: StaticString
            switch self {
            case .devicePrivate: throw CryptoError(reason: .invalidKey)
            case .application2FA: label = "app/kdf/2fa"
            case .applicationKnowledge: label = "app/kdf/knowledge"
            }
            guard count >= 16 else { throw CryptoError(reason: .invalidLength) }
            var diversifier: [UInt8] = []
            diversifier.appendBigEndian(index)
            return try KDF.derive(key, label, diversifier: diversifier, count: count)
        }
    }

    /// The server's code under a text that is meant for one activation: the type `2` of an offline QR (powerauth4.md §17).
    package enum PersonalizedSignature {
        /// Whether the code fits.
        ///
        /// - Parameters:
        ///   - data: everything before it, with the type digit.
        ///   - key: `KEY_MAC_PERSONALIZED_DATA`.
        package static func isValid(
            _ signature: some Bytes, data: some Bytes, key: SecureBytes
        ) throws(CryptoError) -> Bool {
            try KMAC.isValid(signature, for: data, key: key, customization: "PA4MAC-QR")
        }
    }

    /// The eight digits that a user compares with those on the server's side (powerauth4.md §10).
    package enum Fingerprint {
        /// Computes the fingerprint.
        package static func compute(
            device: PublicKeys, activationId: some Bytes, server: PublicKeys
        ) throws(CryptoError) -> String {
            var data: [UInt8] = []
            data.reserveCapacity(5600)
            data.append(device.suite.name)
            append(device, to: &data)
            data.append(activationId)
            append(server, to: &data)
            return ActivationFingerprint.digits(try SHA3.hash(data))
        }

        private static func append(_ keys: PublicKeys, to data: inout [UInt8]) {
            ActivationFingerprint.appendCoordinate(of: keys.ecdsa.compressed, to: &data)
            if let info = keys.mldsaInfo { data.append(contentsOf: info) }
        }
    }
}
