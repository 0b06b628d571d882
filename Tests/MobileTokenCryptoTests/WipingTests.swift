#if os(Linux)
    import Foundation
    import MobileTokenCrypto
    import Testing

    /// A secret that the test remembers only in disguise.
    private struct Disguised {
        let name: String
        let bytes: [UInt8]

        init(_ name: String, _ secret: some Bytes, reversed: Bool = false) {
            self.name = name
            let disguised = secret.withBytes { (secret: UnsafeRawBufferPointer) -> [UInt8] in secret.map { $0 ^ 0x5A } }
            bytes = reversed ? disguised.reversed() : disguised
        }
    }

    /// The address ranges of writable memory, with their lines in the list of mappings.
    private func writableRanges() -> [(start: UInt, end: UInt, line: String)] {
        let text = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ")
            let limits = fields[0].split(separator: "-").compactMap { UInt(String($0), radix: 16) }
            guard fields[1].hasPrefix("rw"), limits.count == 2 else { return nil }
            return (limits[0], limits[1], String(line))
        }
    }

    private let memoryIsSmall = writableRanges().reduce(0) { $0 + ($1.end - $1.start) } < 1 << 32

    /// Where in writable memory the plain secrets lie: name, address and mapping.
    private func occurrences(_ secrets: [Disguised]) -> [String] {
        let needles = secrets.map { secret in
            let needle = UnsafeMutableRawBufferPointer.allocate(byteCount: secret.bytes.count, alignment: 1)
            for index in secret.bytes.indices { needle[index] = secret.bytes[index] ^ 0x5A }
            return needle
        }
        let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
        let own = needles + [scratch]
        defer {
            for buffer in own {
                wipe(buffer)
                buffer.deallocate()
            }
        }
        let overlap = needles.reduce(0) { max($0, $1.count) }
        let memory = open("/proc/self/mem", O_RDONLY)
        defer { close(memory) }
        var found: [String] = []
        for range in writableRanges() {
            var address = range.start
            while address < range.end {
                let length = min(scratch.count, Int(range.end - address))
                let got = pread(memory, scratch.baseAddress, length, off_t(address))
                guard got > 0 else { break }
                let piece = UnsafeRawBufferPointer(rebasing: scratch[..<got])
                for (needle, secret) in zip(needles, secrets) {
                    for offset in offsets(of: needle, in: piece) {
                        let place = address + UInt(offset)
                        if !own.contains(where: { within(place, $0) }) {
                            found.append(secret.name + " at " + String(place, radix: 16) + " in " + range.line)
                        }
                    }
                }
                wipe(scratch)
                if got < length || address + UInt(got) == range.end { break }
                // Overlap, so that nothing hides across two pieces.
                address += UInt(got - overlap)
            }
        }
        return found
    }

    private func offsets(of needle: UnsafeMutableRawBufferPointer, in haystack: UnsafeRawBufferPointer) -> [Int] {
        guard let start = haystack.baseAddress, let first = needle.first, let wanted = needle.baseAddress else {
            return []
        }
        var offsets: [Int] = []
        var from = 0
        while from + needle.count <= haystack.count,
            let hit = memchr(start + from, Int32(first), haystack.count - needle.count + 1 - from)
        {
            let offset = UnsafeRawPointer(hit) - start
            if memcmp(hit, wanted, needle.count) == 0 { offsets.append(offset) }
            from = offset + 1
        }
        return offsets
    }

    private func within(_ address: UInt, _ buffer: UnsafeMutableRawBufferPointer) -> Bool {
        let start = UInt(bitPattern: buffer.baseAddress)
        return address >= start && address < start + UInt(buffer.count)
    }

    /// Looks through the memory of this process for secrets that should be gone.
    ///
    /// One test after the other, since one's copy of the memory would hold the living secrets of another. Not under a
    /// sanitizer, whose shadow memory has no end.
    @Suite(.serialized, .enabled(if: memoryIsSmall)) struct WipingTests {
        /// A secret made in place, never as an array. Not the generator's own bytes, of which OpenSSL's generator keeps
        /// its last block.
        private static func secret(_ count: Int) throws -> SecureBytes {
            let secret = try RandomSource().secureBytes(count)
            secret.withMutableBytes { bytes in
                for index in bytes.indices { bytes[index] ^= 0x33 }
            }
            return secret
        }

        @Test func theSearchFindsWhatIsThere() throws {
            let secret = try WipingTests.secret(16)
            #expect(!occurrences([Disguised("alive", secret)]).isEmpty)
            withExtendedLifetime(secret) {}
        }

        @inline(never)
        private func useSymmetricSecrets() throws -> [Disguised] {
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
                Disguised("hmac key", hmacKey), Disguised("long key", longKey),
                Disguised("abandoned key", abandonedKey), Disguised("aes key", aesKey), Disguised("kdf key", kdfKey),
                Disguised("plain", plain), Disguised("last block of plain", plain.slice(24..<40) ?? plain),
                Disguised("code", code), Disguised("derived", derived),
                Disguised("reduced", reduced), Disguised("digest", digest),
                Disguised("first half of the digest", digest.slice(0..<16) ?? digest),
                Disguised("envelope", envelope), Disguised("tail of the envelope", envelope.slice(32..<48) ?? envelope),
                Disguised("pin", pin), Disguised("knowledge key", knowledge),
            ]
        }

        @Test func symmetricSecretsAreGone() throws {
            let found = occurrences(try useSymmetricSecrets())
            #expect(found.isEmpty, "\(found)")
        }

        @inline(never)
        private func usePrivateKey() throws -> [Disguised] {
            let key = try PrivateKey.generate()
            let bytes = try key.bytes()
            let again = try PrivateKey(bigEndian: bytes)
            let peer = try PrivateKey.generate()
            let shared = try again.sharedSecret(with: peer.publicKey)
            _ = try again.signDER("data")
            _ = try again.signJOSE("data")
            // OpenSSL keeps numbers with the least significant word first.
            return [
                Disguised("number", bytes), Disguised("number in words", bytes, reversed: true),
                Disguised("shared secret", shared), Disguised("shared secret in words", shared, reversed: true),
            ]
        }

        @Test func privateKeysAreGone() throws {
            let found = occurrences(try usePrivateKey())
            #expect(found.isEmpty, "\(found)")
        }
    }
#endif
