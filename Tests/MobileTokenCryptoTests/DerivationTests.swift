import MobileTokenCrypto
import TestSupport
import Testing

@Suite struct DerivationTests {
    struct KDFVectors: Decodable {
        struct Indexed: Decodable { let key, index, output: String }
        struct Internal: Decodable { let key, data, output: String }
        struct Password: Decodable {
            let password, salt, output: String
            let iterations: UInt32
        }
        let kdf: [Indexed]
        let kdfInternal: [Internal]
        let pbkdf2: [Password]
    }

    @Test func kdfVectors() throws {
        let file = try Vectors.load("powerauth-kdf", as: KDFVectors.self)
        for vector in file.kdf {
            let index = try #require(UInt64(vector.index))
            #expect(try KDF.derive([UInt8](base64: vector.key), index: index).array == [UInt8](base64: vector.output))
        }
        for vector in file.kdfInternal {
            let output = try KDF.deriveInternal([UInt8](base64: vector.key), data: [UInt8](base64: vector.data))
            #expect(output.array == [UInt8](base64: vector.output))
        }
        for vector in file.pbkdf2 {
            let output = try KDF.pbkdf2SHA1(
                password: vector.password, salt: [UInt8](base64: vector.salt), iterations: vector.iterations, count: 16)
            #expect(output.array == [UInt8](base64: vector.output))
        }
        Vectors.ran("powerauth-kdf", file.kdf.count + file.kdfInternal.count + file.pbkdf2.count)
    }

    struct DerivedVectors: Decodable {
        struct Tree: Decodable {
            let masterSecretKey, signaturePossessionKey, signatureKnowledgeKey, signatureBiometryKey: String
            let transportKey, vaultEncryptionKey: String
        }
        let crypto: [Tree]
        let sdk: [Tree]
    }

    @Test func derivedKeyVectors() throws {
        let file = try Vectors.load("powerauth-derived-keys", as: DerivedVectors.self)
        for tree in file.crypto + file.sdk {
            let master = SecureBytes(copying: [UInt8](base64: tree.masterSecretKey))
            for (index, expected) in [
                (1, tree.signaturePossessionKey), (2, tree.signatureKnowledgeKey), (3, tree.signatureBiometryKey),
                (1000, tree.transportKey), (2000, tree.vaultEncryptionKey),
            ] as [(UInt64, String)] {
                #expect(try KDF.derive(master, index: index).array == [UInt8](base64: expected))
            }
        }
        Vectors.ran("powerauth-derived-keys", file.crypto.count + file.sdk.count)
    }

    struct X963Vectors: Decodable {
        struct Case: Decodable { let secret, sharedInfo, output: String }
        let vectors: [Case]
    }

    @Test func x963Vectors() throws {
        let file = try Vectors.load("powerauth-kdf-x963", as: X963Vectors.self)
        for vector in file.vectors {
            let expected = [UInt8](hex: vector.output)
            let (secret, info) = ([UInt8](hex: vector.secret), [UInt8](hex: vector.sharedInfo))
            #expect(try KDF.x963(secret: secret, info: info, count: expected.count).array == expected)
            // A shorter output is a prefix of a longer one.
            for count in [1, 15, 16] {
                let short = try KDF.x963(secret: secret, info: info, count: count)
                #expect(short.array == [UInt8](expected.prefix(count)))
            }
        }
        Vectors.ran("powerauth-kdf-x963", file.vectors.count)
    }

    @Test func x963AcrossBlocks() throws {
        let long = try KDF.x963(secret: "secret", info: "info", count: 1000).array
        for count in [31, 32, 33, 48, 63, 64, 65, 999] {
            #expect(try KDF.x963(secret: "secret", info: "info", count: count).array == [UInt8](long.prefix(count)))
        }
    }

    @Test func reduce() throws {
        let x = pattern(32)
        #expect(try KDF.reduce(x).array == (0..<16).map { x[$0] ^ x[$0 + 16] })
        #expect(try KDF.reduce([UInt8](repeating: 0xA5, count: 32)).isAllZero)
        for length in [0, 16, 31, 33, 64] {
            #expect(reason { () throws(CryptoError) in try KDF.reduce(pattern(length)) } == .invalidLength)
        }
    }

    @Test func refusals() {
        for length in [0, 15, 17, 32] {
            #expect(reason { () throws(CryptoError) in try KDF.derive(pattern(length), index: 1) } == .invalidKey)
            #expect(
                reason { () throws(CryptoError) in try KDF.deriveInternal(pattern(length), data: pattern(16)) }
                    == .invalidKey)
        }
        for count in [Int.min, -1, 0, (1 << 20) + 1, Int.max] {
            #expect(
                reason { () throws(CryptoError) in try KDF.x963(secret: "s", info: "", count: count) }
                    == .invalidLength)
            #expect(
                reason { () throws(CryptoError) in
                    try KDF.pbkdf2SHA1(password: "p", salt: "s", iterations: 1, count: count)
                } == .invalidLength)
        }
        #expect(reason { () throws(CryptoError) in try KDF.x963(secret: "", info: "i", count: 16) } == .invalidLength)
        #expect(
            reason { () throws(CryptoError) in
                try KDF.pbkdf2SHA1(password: "p", salt: "s", iterations: 0, count: 16)
            } == .invalidLength)
    }

    @Test func shortAndEmptyInputs() throws {
        // Values of Python's hashlib.pbkdf2_hmac("sha1", …) and of HMAC by hand.
        #expect(
            try KDF.pbkdf2SHA1(password: "", salt: "", iterations: 1, count: 16).array
                == [UInt8](hex: "1e437a1c79d75be61e91141dae20affc"))
        #expect(
            try KDF.pbkdf2SHA1(password: "1", salt: "s", iterations: 2, count: 5).array
                == [UInt8](hex: "5d7f587415"))
        let key = pattern(16)
        #expect(
            try KDF.deriveInternal(key, data: []).array
                == KDF.reduce(HMACSHA256.authenticate([], key: key)).array)
        #expect(try KDF.x963(secret: [0], info: [], count: 32).array == SHA256.hash([0, 0, 0, 0, 1]))
    }
}

@Suite struct TOTPTests {
    struct ReferenceVectors: Decodable {
        struct Case: Decodable {
            let unixTime: Int64
            let totp, algorithm, keyHex: String
        }
        let vectors: [Case]
    }

    @Test func referenceVectors() throws {
        let file = try Vectors.load("powerauth-totp", as: ReferenceVectors.self)
        for vector in file.vectors {
            let code = try TOTP.generate(
                key: [UInt8](hex: vector.keyHex), time: vector.unixTime, algorithm: algorithm(vector.algorithm))
            #expect(code == vector.totp)
        }
        Vectors.ran("powerauth-totp", file.vectors.count)
    }

    struct CaseVectors: Decodable {
        struct Input: Decodable {
            let seedHex, algorithm: String
            let unixTime, step: Int64
            let digits: Int
            let validate: String?
            let steps: Int64?
        }
        struct Expectation: Decodable {
            let totp: String?
            let valid: Bool?
            let error: Bool?
        }
        struct Case: Decodable {
            let id: String
            let input: Input
            let expect: Expectation
        }
        let cases: [Case]
    }

    /// The validation cases are a server's task; here they check that the codes of the steps come out as they should.
    @Test func cases() throws {
        let file = try Vectors.load("totp", as: CaseVectors.self)
        for item in file.cases {
            let input = item.input
            func code(back: Int64) throws -> String {
                try TOTP.generate(
                    key: [UInt8](hex: input.seedHex), time: input.unixTime - back * input.step, step: input.step,
                    digits: input.digits, algorithm: algorithm(input.algorithm))
            }
            if let totp = item.expect.totp { #expect(try code(back: 0) == totp, "\(item.id)") }
            if let valid = item.expect.valid, let given = input.validate {
                let accepted = try (0...(input.steps ?? 0)).contains { try code(back: $0) == given }
                #expect(accepted == valid, "\(item.id)")
            }
            if item.expect.error == true { #expect(input.validate?.count != input.digits) }
        }
        Vectors.ran("totp", file.cases.count)
    }

    @Test func digitsAndRefusals() throws {
        let key = "12345678901234567890123456789012"
        #expect(try TOTP.generate(key: key, time: 59, digits: 6) == "119246")
        #expect(try TOTP.generate(key: key, time: 0).count == 8)
        #expect(try TOTP.generate(key: key, time: Int64.max).count == 8)
        for (time, step, digits) in [
            (-1, 30, 8), (Int64.min, 30, 8), (0, 0, 8), (0, -1, 8), (0, Int64.min, 8), (0, 30, 5), (0, 30, 10),
            (0, 30, Int.min), (0, 30, Int.max),
        ] as [(Int64, Int64, Int)] {
            #expect(
                reason { () throws(CryptoError) in
                    try TOTP.generate(key: key, time: time, step: step, digits: digits)
                } == .invalidLength)
        }
        #expect(reason { () throws(CryptoError) in try TOTP.generate(key: "", time: 0) } == .invalidKey)
    }

    private func algorithm(_ name: String) throws -> TOTP.Algorithm {
        switch name {
        case "HmacSHA256": return .sha256
        case "HmacSHA512": return .sha512
        default: throw UnknownAlgorithm()
        }
    }

    private struct UnknownAlgorithm: Error {}
}
