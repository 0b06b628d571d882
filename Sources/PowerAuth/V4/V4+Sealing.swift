// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

extension V4 {
    /// `UKE` (powerauth4.md §2): deliberately wraps a key without any check, so that a wrong PIN cannot be
    /// distinguished from a right one.
    package enum KeyWrap {
        /// The length of a wrapped key: IV and key.
        package static let wrappedLength = AES256CTR.counterLength + V4.keyLength

        /// Wraps a key of 32 bytes.
        package static func wrap(
            _ key: some Bytes, with wrapper: some Bytes, random: RandomSource
        ) throws(CryptoError) -> [UInt8] {
            guard key.byteCount == V4.keyLength else { throw CryptoError(reason: .invalidKey) }
            let iv = try random.bytes(AES256CTR.counterLength)
            return iv + (try AES256CTR.crypt(key, key: wrapper, counter: iv))
        }

        /// Unwraps a key. It cannot fail on a wrong wrapper: the result is then another key.
        package static func unwrap(_ wrapped: some Bytes, with wrapper: some Bytes) throws(CryptoError) -> SecureBytes {
            try SecureBytes(count: V4.keyLength) { (output) throws(CryptoError) in
                try wrapped.withBytes { (wrapped) throws(CryptoError) in
                    try wrapper.withBytes { (wrapper) throws(CryptoError) in
                        try unwrap(wrapped, with: wrapper, into: output)
                    }
                }
            }
        }

        /// Unwraps a key into given memory, 32 bytes.
        package static func unwrap(
            _ wrapped: UnsafeRawBufferPointer, with wrapper: UnsafeRawBufferPointer,
            into output: UnsafeMutableRawBufferPointer
        ) throws(CryptoError) {
            guard wrapped.count == wrappedLength else { throw CryptoError(reason: .invalidLength) }
            try AES256CTR.crypt(
                UnsafeRawBufferPointer(rebasing: wrapped[AES256CTR.counterLength...]), key: wrapper,
                counter: UnsafeRawBufferPointer(rebasing: wrapped[..<AES256CTR.counterLength]), into: output)
        }
    }

    /// Authenticated encryption: AES-256-CTR, then KMAC (powerauth4.md §3).
    package enum AEAD {
        /// The length of a nonce.
        package static let nonceLength = 12
        /// How much longer a sealed text is: nonce and MAC.
        package static let overhead = nonceLength + V4.keyLength

        /// Encrypts and authenticates: `nonce ‖ MAC ‖ ciphertext`.
        ///
        /// - Parameters:
        ///   - context: separates the keys of different uses.
        ///   - nonce: 12 bytes, never used again under the same key and context.
        ///   - associatedData: what is authenticated too.
        package static func seal(
            _ plaintext: some Bytes, key: some Bytes, context: some Bytes, nonce: some Bytes,
            associatedData: some Bytes
        ) throws(CryptoError) -> [UInt8] {
            guard nonce.byteCount == nonceLength else { throw CryptoError(reason: .invalidLength) }
            let keys = try Keys(key, context)
            let ciphertext = try keys.crypt(plaintext, nonce)
            var sealed: [UInt8] = []
            sealed.reserveCapacity(overhead + ciphertext.count)
            sealed.append(nonce)
            try keys.authenticate(nonce, associatedData, ciphertext).withBytes { sealed.append(contentsOf: $0) }
            sealed.append(contentsOf: ciphertext)
            return sealed
        }

        /// Checks the MAC in constant time, and only then decrypts.
        ///
        /// - Throws: `invalidLength` for what is shorter than 44 bytes, `signatureMismatch` for a wrong MAC.
        package static func open(
            _ sealed: some Bytes, key: some Bytes, context: some Bytes, associatedData: some Bytes
        ) throws(CryptoError) -> SecureBytes {
            try sealed.withBytes { (sealed) throws(CryptoError) -> SecureBytes in
                guard sealed.count >= overhead else { throw CryptoError(reason: .invalidLength) }
                let nonce = UnsafeRawBufferPointer(rebasing: sealed[..<nonceLength])
                let mac = UnsafeRawBufferPointer(rebasing: sealed[nonceLength..<overhead])
                let ciphertext = UnsafeRawBufferPointer(rebasing: sealed[overhead...])
                let keys = try Keys(key, context)
                guard try keys.authenticate(nonce, associatedData, ciphertext).isEqual(to: mac) else {
                    throw CryptoError(reason: .signatureMismatch)
                }
                return try AES256CTR.cryptSecure(ciphertext, key: keys.encryption, counter: counter(nonce))
            }
        }

        /// The first counter block: the nonce and zeros.
        private static func counter(_ nonce: some Bytes) -> [UInt8] {
            var counter: [UInt8] = []
            counter.reserveCapacity(AES256CTR.counterLength)
            counter.append(nonce)
            counter.appendBigEndian(UInt32(0))
            return counter
        }

        private struct Keys {
            let encryption: SecureBytes
            private let mac: SecureBytes

            init(_ key: some Bytes, _ context: some Bytes) throws(CryptoError) {
                encryption = try KDF.derive(key, "aead/enc", diversifier: context)
                mac = try KDF.derive(key, "aead/mac", diversifier: context)
            }

            func crypt(_ plaintext: some Bytes, _ nonce: some Bytes) throws(CryptoError) -> [UInt8] {
                try AES256CTR.crypt(plaintext, key: encryption, counter: counter(nonce))
            }

            func authenticate(
                _ nonce: some Bytes, _ associatedData: some Bytes, _ ciphertext: some Bytes
            ) throws(CryptoError) -> SecureBytes {
                try nonce.withBytes { (nonce) throws(CryptoError) in
                    try associatedData.withBytes { (associatedData) throws(CryptoError) in
                        try ciphertext.withBytes { (ciphertext) throws(CryptoError) in
                            try mac.withBytes { (mac) throws(CryptoError) in
                                try SecureBytes(count: V4.keyLength) { (output) throws(CryptoError) in
                                    try KMAC.compute(
                                        nonce, associatedData, ciphertext, key: mac, customization: "PA4MAC-AEAD",
                                        into: output)
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /// The data that a client stores under keys of its own (powerauth4.md §16).
    package enum LocalKey: Sendable {
        /// `KDK_UTILITY`, under `KEY_LOCAL_DATA`
        case utility
        /// `KDK_ENCRYPTION`, under `KEY_LOCAL_DATA`
        case encryption
        /// The device's private keys, under `KEK_DEVICE_PRIVATE`
        case devicePrivate

        private var context: StaticString {
            switch self {
            case .utility: "enc/kdk-utility"
            case .encryption: "enc/kdk-encryption"
            case .devicePrivate: "enc/kek-device-private"
            }
        }

        /// Encrypts the key for an activation.
        package func seal(
            _ key: SecureBytes, with wrapper: SecureBytes, activationId: some Bytes, random: RandomSource
        ) throws(CryptoError) -> [UInt8] {
            try AEAD.seal(
                key, key: wrapper, context: context, nonce: try random.bytes(AEAD.nonceLength),
                associatedData: activationId)
        }

        /// Decrypts the key of an activation.
        ///
        /// - Throws: `signatureMismatch` for another wrapper, another activation, or damage; `invalidLength` when it is cut.
        package func open(
            _ sealed: some Bytes, with wrapper: SecureBytes, activationId: some Bytes
        ) throws(CryptoError) -> SecureBytes {
            try AEAD.open(sealed, key: wrapper, context: context, associatedData: activationId)
        }
    }
}
