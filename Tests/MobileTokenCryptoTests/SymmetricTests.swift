import COpenSSL
import TestSupport
import Testing

@testable import MobileTokenCrypto

@Suite struct SHA256Tests {
    @Test func knownDigests() throws {
        #expect(
            try SHA256.hash("abc")
                == [UInt8](hex: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"))
        #expect(
            try SHA256.hash("")
                == [UInt8](hex: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"))
        let million = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
        let expected = [UInt8](hex: "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
        #expect(try SHA256.hash(million) == expected)
        #expect(try SHA256.hashSecure(million).array == expected)
    }

    @Test func everyKindOfInput() throws {
        let text = "PowerAuth"
        let expected = try SHA256.hash(text)
        let bytes = [UInt8](text.utf8)
        #expect(try SHA256.hash(bytes) == expected)
        #expect(try SHA256.hash(([0] + bytes + [0])[1..<bytes.count + 1]) == expected)
        #expect(try SHA256.hash("PowerAuth" as StaticString) == expected)
        #expect(try SHA256.hash(SecureBytes(copying: bytes)) == expected)
        let raw = bytes.withUnsafeBytes { buffer in Result { try SHA256.hash(buffer) } }
        #expect(try raw.get() == expected)
        #expect(try SHA256.hash(UnsafeRawBufferPointer(start: nil, count: 0)) == SHA256.hash([]))
        #expect(try SHA256.hash(SecureBytes(count: 0)) == SHA256.hash([]))
        #expect(try SHA256.hash(bytes[2..<2]) == SHA256.hash([]))
    }
}

@Suite struct HMACTests {
    struct Vectors: Decodable {
        struct MAC: Decodable { let keyHex, dataHex, macHex: String }
        struct PBKDF2: Decodable {
            let passwordHex, saltHex, outputHex: String
            let iterations: UInt32
            let length: Int
        }
        let hmacSha256: [MAC]
        let pbkdf2HmacSha1: [PBKDF2]
    }

    @Test func vectors() throws {
        let file = try TestSupport.Vectors.load("powerauth-pbkdf2-hmac", as: Vectors.self)
        for vector in file.hmacSha256 {
            let (key, data) = ([UInt8](hex: vector.keyHex), [UInt8](hex: vector.dataHex))
            let expected = [UInt8](hex: vector.macHex)
            let code = try HMACSHA256.authenticate(data, key: key)
            #expect(code.count == 32)
            #expect([UInt8](code.prefix(expected.count)) == expected)
            #expect(try HMACSHA256.authenticateSecure(data, key: key).array == code)
            #expect(try HMACSHA256.isValid(code, for: data, key: key))
        }
        TestSupport.Vectors.ran("powerauth-pbkdf2-hmac (hmac)", file.hmacSha256.count)
    }

    @Test func pbkdf2Vectors() throws {
        let file = try TestSupport.Vectors.load("powerauth-pbkdf2-hmac", as: Vectors.self)
        for vector in file.pbkdf2HmacSha1 {
            let key = try KDF.pbkdf2SHA1(
                password: [UInt8](hex: vector.passwordHex), salt: [UInt8](hex: vector.saltHex),
                iterations: vector.iterations, count: vector.length)
            #expect(key.array == [UInt8](hex: vector.outputHex))
        }
        TestSupport.Vectors.ran("powerauth-pbkdf2-hmac (pbkdf2)", file.pbkdf2HmacSha1.count)
    }

    @Test func emptyKeyAndData() throws {
        let expected = [UInt8](hex: "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
        #expect(try HMACSHA256.authenticate([], key: []) == expected)
        #expect(try HMACSHA256.authenticate(UnsafeRawBufferPointer(start: nil, count: 0), key: "") == expected)
        #expect(try HMACSHA256.authenticate("", key: SecureBytes(count: 0)) == expected)
    }

    @Test func partsEqualTheWhole() throws {
        let data = pattern(1 << 20)
        let key = pattern(16)
        let whole = try HMACSHA256.authenticate(data, key: key)
        for (first, second) in [(0, 0), (0, 1 << 20), (1, 63), (64, 65), (1 << 19, 1 << 20), (1 << 20, 1 << 20)] {
            var code = [UInt8](repeating: 0, count: 32)
            try code.withUnsafeMutableBytes { code in
                try data.withUnsafeBytes { data in
                    try key.withUnsafeBytes { key in
                        try HMACSHA256.compute(
                            UnsafeRawBufferPointer(rebasing: data[..<first]),
                            UnsafeRawBufferPointer(rebasing: data[first..<second]),
                            UnsafeRawBufferPointer(rebasing: data[second...]), key: key, into: code)
                    }
                }
            }
            #expect(code == whole)
        }
    }

    /// A message that lies where its code goes.
    @Test func inPlace() throws {
        var code = pattern(32)
        let expected = try HMACSHA256.authenticate(code, key: "key")
        try code.withUnsafeMutableBytes { code in
            try "key".withBytes { (key: UnsafeRawBufferPointer) throws -> Void in
                try HMACSHA256.compute(UnsafeRawBufferPointer(code), key: key, into: code)
            }
        }
        #expect(code == expected)
    }

    /// Against OpenSSL's own HMAC: keys shorter than a block, as long, and longer ones, which are hashed first.
    @Test func everyLengthOfKey() throws {
        for length in 0...200 {
            let (key, data) = (pattern(length), pattern(300 - length))
            var expected = [UInt8](repeating: 0, count: 32)
            var count = 0
            _ = EVP_Q_mac(nil, "HMAC", nil, "SHA256", nil, key, key.count, data, data.count, &expected, 32, &count)
            #expect(count == 32)
            #expect(try HMACSHA256.authenticate(data, key: key) == expected)
        }
    }

    /// The quick way gives what OpenSSL's PBKDF2 gives: passwords up to a block, and longer ones, which are hashed first.
    @Test func pbkdf2ByBlocks() throws {
        #expect(SHA1Blocks.areUsable)
        for length in [0, 1, 4, 6, 63, 64, 65, 127, 128, 1000] {
            for (iterations, count) in [(1, 16), (2, 20), (3, 1), (1000, 16)] as [(UInt32, Int)] {
                let (password, salt) = (pattern(length), pattern(length % 40))
                var expected = [UInt8](repeating: 0, count: count)
                _ = PKCS5_PBKDF2_HMAC(
                    password.map { CChar(bitPattern: $0) }, Int32(length), salt, Int32(salt.count), Int32(iterations),
                    EVP_sha1(), Int32(count), &expected)
                var ours = [UInt8](repeating: 0, count: count)
                try ours.withUnsafeMutableBytes { ours in
                    try password.withBytes { (password: UnsafeRawBufferPointer) throws -> Void in
                        try salt.withBytes { (salt: UnsafeRawBufferPointer) throws -> Void in
                            try SHA1Blocks.pbkdf2(password, salt, iterations, into: ours)
                        }
                    }
                }
                #expect(ours == expected)
                let derived = try KDF.pbkdf2SHA1(password: password, salt: salt, iterations: iterations, count: count)
                #expect(derived.array == expected)
            }
        }
        // More than a digest is OpenSSL's matter.
        #expect(try KDF.pbkdf2SHA1(password: "p", salt: "s", iterations: 2, count: 50).count == 50)
    }

    @Test func mismatch() throws {
        let key = pattern(16)
        let code = try HMACSHA256.authenticate("data", key: key)
        for index in code.indices {
            var wrong = code
            wrong[index] ^= 1
            #expect(try !HMACSHA256.isValid(wrong, for: "data", key: key))
        }
        #expect(try !HMACSHA256.isValid(code.dropLast(), for: "data", key: key))
        #expect(try !HMACSHA256.isValid(code + [0], for: "data", key: key))
        #expect(try !HMACSHA256.isValid([], for: "data", key: key))
        #expect(try !HMACSHA256.isValid(code, for: "date", key: key))
        #expect(try !HMACSHA256.isValid(code, for: "data", key: pattern(17)))
    }
}

@Suite struct AESTests {
    struct Vectors: Decodable {
        struct Case: Decodable { let plain, key, iv, encrypted: String }
        let pkcs7: [Case]
        let noPadding: [Case]
        let invalidPadding: [String]
    }

    @Test func vectors() throws {
        let file = try TestSupport.Vectors.load("powerauth-aes-cbc", as: Vectors.self)
        for (cases, padding) in [(file.pkcs7, AES128CBC.Padding.pkcs7), (file.noPadding, .none)] {
            for vector in cases {
                let (plain, encrypted) = ([UInt8](hex: vector.plain), [UInt8](hex: vector.encrypted))
                let (key, iv) = ([UInt8](hex: vector.key), [UInt8](hex: vector.iv))
                #expect(try AES128CBC.encrypt(plain, key: key, iv: iv, padding: padding) == encrypted)
                #expect(try AES128CBC.decrypt(encrypted, key: key, iv: iv, padding: padding) == plain)
                #expect(try AES128CBC.decryptSecure(encrypted, key: key, iv: iv, padding: padding).array == plain)
            }
        }
        TestSupport.Vectors.ran("powerauth-aes-cbc", file.pkcs7.count + file.noPadding.count)
    }

    /// Each invalid block is encrypted without padding and must be refused when decrypted with it.
    @Test func invalidPaddingVectors() throws {
        let file = try TestSupport.Vectors.load("powerauth-aes-cbc", as: Vectors.self)
        let (key, iv) = (pattern(16), pattern(16))
        for text in file.invalidPadding {
            let block = [UInt8](hex: text)
            if block.isEmpty || block.count % 16 != 0 {
                for refused in [
                    reason { () throws(CryptoError) in
                        try AES128CBC.decrypt(block, key: key, iv: iv, padding: .pkcs7)
                    },
                    reason { () throws(CryptoError) in
                        try AES128CBC.decryptSecure(block, key: key, iv: iv, padding: .pkcs7)
                    },
                ] { #expect(refused == .invalidLength) }
            } else {
                let encrypted = try AES128CBC.encrypt(block, key: key, iv: iv, padding: .none)
                for refused in [
                    reason { () throws(CryptoError) in
                        try AES128CBC.decrypt(encrypted, key: key, iv: iv, padding: .pkcs7)
                    },
                    reason { () throws(CryptoError) in
                        try AES128CBC.decryptSecure(encrypted, key: key, iv: iv, padding: .pkcs7)
                    },
                ] { #expect(refused == .invalidPadding, "\(text)") }
            }
            // A refusal must not spoil the contexts that are reused.
            let sample = try AES128CBC.encrypt("sample", key: key, iv: iv, padding: .pkcs7)
            #expect(try AES128CBC.decrypt(sample, key: key, iv: iv, padding: .pkcs7) == [UInt8]("sample".utf8))
        }
        TestSupport.Vectors.ran("powerauth-aes-cbc (invalid padding)", file.invalidPadding.count)
    }

    @Test func everyLastByte() throws {
        let key = pattern(16)
        for last in UInt8.min...UInt8.max {
            let block = [UInt8](repeating: last, count: 16)
            let encrypted = try AES128CBC.encrypt(block, key: key, iv: AES128CBC.zeroIV, padding: .none)
            if (1...16).contains(last) {
                let plain = try AES128CBC.decrypt(encrypted, key: key, iv: AES128CBC.zeroIV, padding: .pkcs7)
                #expect(plain == [UInt8](repeating: last, count: 16 - Int(last)))
            } else {
                #expect(
                    reason { () throws(CryptoError) in
                        try AES128CBC.decrypt(encrypted, key: key, iv: AES128CBC.zeroIV, padding: .pkcs7)
                    } == .invalidPadding)
            }
        }
    }

    @Test func everyLengthComesBack() throws {
        let (key, iv) = (pattern(16), pattern(16))
        for length in Array(0...70) + [1 << 20, (1 << 20) + 1] {
            let plain = pattern(length)
            let encrypted = try AES128CBC.encrypt(plain, key: key, iv: iv, padding: .pkcs7)
            #expect(encrypted.count == (length / 16 + 1) * 16)
            #expect(try AES128CBC.decrypt(encrypted, key: key, iv: iv, padding: .pkcs7) == plain)
            let secret = try AES128CBC.decryptSecure(encrypted, key: key, iv: iv, padding: .pkcs7)
            #expect(secret.count == length && secret.isEqual(to: plain))
            if length % 16 == 0 {
                let raw = try AES128CBC.encrypt(plain, key: key, iv: iv, padding: .none)
                #expect(raw.count == length)
                #expect(try AES128CBC.decrypt(raw, key: key, iv: iv, padding: .none) == plain)
            }
        }
    }

    @Test func wrongLengths() {
        let good = pattern(16)
        for length in [0, 1, 15, 17, 24, 32] {
            #expect(
                reason { () throws(CryptoError) in
                    try AES128CBC.encrypt(good, key: pattern(length), iv: good, padding: .none)
                } == .invalidKey)
            #expect(
                reason { () throws(CryptoError) in
                    try AES128CBC.decrypt(good, key: good, iv: pattern(length), padding: .none)
                } == .invalidLength)
        }
        for length in [1, 15, 17, 31, 33] {
            #expect(
                reason { () throws(CryptoError) in
                    try AES128CBC.encrypt(pattern(length), key: good, iv: good, padding: .none)
                } == .invalidLength)
            #expect(
                reason { () throws(CryptoError) in
                    try AES128CBC.decrypt(pattern(length), key: good, iv: good, padding: .none)
                } == .invalidLength)
        }
    }
}
