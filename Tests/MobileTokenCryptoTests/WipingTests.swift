#if os(Linux)
    import MobileTokenCrypto
    import TestSupport
    import Testing

    /// Looks through the memory of this process for secrets that should be gone.
    ///
    /// Not under a sanitizer, whose shadow memory has no end.
    @Suite(.serialized, .enabled(if: MemorySearch.isPossible, MemorySearch.whyNot)) struct WipingTests {
        /// A secret made in place, never as an array. Not the generator's own bytes, of which OpenSSL's generator keeps
        /// its last block.
        private static func secret(_ count: Int) throws -> SecureBytes {
            let secret = try RandomSource().secureBytes(count)
            secret.withMutableBytes { bytes in
                for index in bytes.indices { bytes[index] ^= 0x33 }
            }
            return secret
        }

        private func disguised(_ name: String, _ secret: some Bytes, reversed: Bool = false) -> MemorySearch.Secret {
            secret.withBytes { MemorySearch.Secret(name, $0, reversed: reversed) }
        }

        @Test func theSearchFindsWhatIsThere() throws {
            try MemorySearch.alone {
                let secret = try WipingTests.secret(16)
                #expect(!MemorySearch.places(of: [disguised("alive", secret)]).isEmpty)
                withExtendedLifetime(secret) {}
            }
        }

        @inline(never)
        private func useSymmetricSecrets() throws -> [MemorySearch.Secret] {
            let (hmacKey, longKey, abandonedKey) = try (
                WipingTests.secret(16), WipingTests.secret(100), WipingTests.secret(16)
            )
            let (aesKey, kdfKey, plain) = try (WipingTests.secret(16), WipingTests.secret(16), WipingTests.secret(40))
            _ = try HMACSHA256.authenticate("data", key: hmacKey)
            let code = try HMACSHA256.authenticateSecure("more data", key: hmacKey)
            _ = try HMACSHA256.authenticate("data", key: longKey)
            #expect(throws: CryptoError.self) {
                try abandonedKey.withBytes { (key: UnsafeRawBufferPointer) throws -> Void in
                    try HMACSHA256.compute(
                        HMACSHA256.nothing, key: key, into: UnsafeMutableRawBufferPointer(start: nil, count: 0))
                }
            }
            let encrypted = try AES128CBC.encrypt(plain, key: aesKey, iv: AES128CBC.zeroIV, padding: .pkcs7)
            let decrypted = try AES128CBC.decryptSecure(
                encrypted, key: aesKey, iv: AES128CBC.zeroIV, padding: .pkcs7)
            #expect(decrypted.isEqual(to: plain))
            let derived = try KDF.derive(kdfKey, index: 1)
            let reduced = try KDF.deriveInternal(kdfKey, data: "0123456789abcdef")
            let digest = try SHA256.hashSecure(plain)
            let envelope = try KDF.x963(secret: plain, info: "info", count: 48)
            let pin = SecureBytes(copying: try WipingTests.secret(12))
            let knowledge = try KDF.pbkdf2SHA1(password: pin, salt: "salt", iterations: 10, count: 16)
            return [
                disguised("hmac key", hmacKey), disguised("long key", longKey),
                disguised("abandoned key", abandonedKey), disguised("aes key", aesKey), disguised("kdf key", kdfKey),
                disguised("plain", plain), disguised("last block of plain", plain.slice(24..<40) ?? plain),
                disguised("code", code), disguised("derived", derived),
                disguised("reduced", reduced), disguised("digest", digest),
                disguised("first half of the digest", digest.slice(0..<16) ?? digest),
                disguised("envelope", envelope), disguised("tail of the envelope", envelope.slice(32..<48) ?? envelope),
                disguised("pin", pin), disguised("knowledge key", knowledge),
            ]
        }

        @Test func symmetricSecretsAreGone() throws {
            let found = try MemorySearch.alone { MemorySearch.places(of: try useSymmetricSecrets()) }
            #expect(found.isEmpty, "\(found)")
        }

        @inline(never)
        private func usePrivateKey() throws -> [MemorySearch.Secret] {
            let key = try PrivateKey.generate()
            let bytes = try key.bytes()
            let again = try PrivateKey(bigEndian: bytes)
            let peer = try PrivateKey.generate()
            let shared = try again.sharedSecret(with: peer.publicKey)
            _ = try again.signDER("data")
            _ = try again.signJOSE("data")
            // OpenSSL keeps numbers with the least significant word first.
            return [
                disguised("number", bytes), disguised("number in words", bytes, reversed: true),
                disguised("shared secret", shared), disguised("shared secret in words", shared, reversed: true),
            ]
        }

        @Test func privateKeysAreGone() throws {
            let found = try MemorySearch.alone { MemorySearch.places(of: try usePrivateKey()) }
            #expect(found.isEmpty, "\(found)")
        }
    }
#endif
