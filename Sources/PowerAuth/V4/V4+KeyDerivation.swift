// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

extension V4 {
    /// `KDF(key, label, diversifier)` (powerauth4.md §2).
    package enum KDF {
        /// Derives a key of `count` bytes.
        ///
        /// - Parameter diversifier: separates keys of one label; an empty one counts as four zero bytes, as an absent one does.
        package static func derive(
            _ key: some Bytes, _ label: StaticString, diversifier: some Bytes = [UInt8](), count: Int = V4.keyLength
        ) throws(CryptoError) -> SecureBytes {
            try derive(key, label: label, diversifier: diversifier, count: count)
        }

        static func derive(
            _ key: some Bytes, label: some Bytes, diversifier: some Bytes, count: Int
        ) throws(CryptoError) -> SecureBytes {
            var data: [UInt8] = []
            data.reserveCapacity(96 + diversifier.byteCount)
            data.appendLengthPrefixed(label)
            data.appendLengthPrefixed(diversifier)
            return try KMAC.authenticateSecure(data, key: key, customization: "PA4KDF", count: count)
        }
    }

    /// `PASSKDF(password, salt)` (powerauth4.md §2). No iterations: only the server can tell a right password.
    package enum PasswordKDF {
        /// The length of a salt.
        package static let saltLength = 32

        /// Derives the key that wraps the knowledge key.
        ///
        /// - Parameters:
        ///   - password: 4 to 512 bytes of UTF-8.
        ///   - salt: 32 bytes or more.
        /// - Throws: `wrongParameter` for other lengths; `encryption` when the crypto library fails.
        package static func derive(password: some Bytes, salt: some Bytes) throws(PowerAuthError) -> SecureBytes {
            guard password.byteCount >= KnowledgeKey.minimumPINLength else {
                throw PowerAuthError(.wrongParameter, "the PIN is too short")
            }
            guard KMAC.keyLengths.contains(password.byteCount) else {
                throw PowerAuthError(.wrongParameter, "the PIN is longer than 512 bytes")
            }
            guard salt.byteCount >= saltLength else { throw PowerAuthError(.wrongParameter, "the salt is too short") }
            return try attempt(
                .encryption, "the PIN's key could not be derived",
                try KMAC.authenticateSecure(salt, key: password, customization: "PA4PBKDF"))
        }
    }

    /// The keys below `KEY_ACTIVATION_SECRET` that a client keeps, or wraps and forgets (powerauth4.md §5).
    package struct ActivationKeys: Sendable {
        /// `KEY_AUTHENTICATION_CODE_POSSESSION`
        package let possession: SecureBytes
        /// `KEY_AUTHENTICATION_CODE_KNOWLEDGE`, until the password is changed
        package let knowledge: SecureBytes
        /// `KEY_AUTHENTICATION_CODE_BIOMETRY`, until biometry is added anew
        package let biometry: SecureBytes
        /// `KDK_ENCRYPTION`
        package let encryption: SecureBytes
        /// `KDK_VAULT`
        package let vault: SecureBytes
        /// `KDK_UTILITY`
        package let utility: SecureBytes

        /// Derives the keys from `KEY_ACTIVATION_SECRET`.
        package init(secret: SecureBytes) throws(CryptoError) {
            let codes = try KDF.derive(secret, "auth")
            possession = try KDF.derive(codes, "auth/possession")
            knowledge = try KDF.derive(codes, "auth/knowledge")
            biometry = try KDF.derive(codes, "auth/biometry")
            encryption = try KDF.derive(secret, "enc")
            vault = try KDF.derive(secret, "vault")
            utility = try KDF.derive(secret, "util")
        }
    }

    /// The keys below `KDK_UTILITY` (powerauth4.md §5).
    package enum UtilityKey: Sendable {
        /// `KEY_MAC_CTR_DATA`
        case counter
        /// `KEY_MAC_STATUS`
        case status
        /// `KEY_MAC_GET_ACT_TEMP_KEY`
        case activationTemporaryKey
        /// `KEY_MAC_PERSONALIZED_DATA`
        case personalizedData
        /// `KEY_E2EE_SHARED_INFO2`
        case sharedInfo2
        /// `KDK_APP_UTILITY`
        case application

        /// Derives the key from `KDK_UTILITY`.
        package func derive(from utility: SecureBytes) throws(CryptoError) -> SecureBytes {
            let label: StaticString =
                switch self {
                case .counter: "util/mac/ctr-data"
                case .status: "util/mac/status"
                case .activationTemporaryKey: "util/mac/get-act-temp-key"
                case .personalizedData: "util/mac/personalized-data"
                case .sharedInfo2: "util/key-e2ee-sh2"
                case .application: "util/app"
                }
            return try KDF.derive(utility, label)
        }
    }

    /// The keys of this device, from what only it has (powerauth4.md §5).
    package struct DeviceKEK: Sendable {
        private let key: SecureBytes

        /// - Parameter data: what identifies the device.
        package init(deviceData: some Bytes) throws(CryptoError) { key = try SHA3.hashSecure(deviceData) }

        /// Wraps the possession key.
        package func possession() throws(CryptoError) -> SecureBytes { try KDF.derive(key, "enc/kek-possession") }
        /// `KEY_LOCAL_DATA`
        package func localData() throws(CryptoError) -> SecureBytes { try KDF.derive(key, "enc/local") }
    }

    /// The 32-byte key that wraps the biometry key, from one of 16 bytes that an older activation had (powerauth4.md §5).
    package static func expandBiometryKey(_ key: SecureBytes) throws(CryptoError) -> SecureBytes {
        guard key.count == 16 else { throw CryptoError(reason: .invalidKey) }
        return try KDF.derive(key, "other/expand-biometry-key")
    }
}
