import MobileTokenCrypto
import TestSupport
import Testing

@testable import PowerAuth
@testable import PowerAuthDoubles

/// The files of the protocol's primitives, run against what this module builds on.
@Suite struct PrimitiveVectorTests {
    struct Cipher: Decodable {
        struct Row: Decodable {
            let plain: String
            let key: String
            let iv: String
            let encrypted: String
        }
        let pkcs7: [Row]
        let noPadding: [Row]
        let invalidPadding: [String]
    }

    @Test func cipher() throws {
        let file = try Vectors.load("powerauth-aes-cbc", as: Cipher.self)
        for (rows, padding) in [(file.pkcs7, AES128CBC.Padding.pkcs7), (file.noPadding, .none)] {
            for row in rows {
                let (plain, encrypted) = ([UInt8](hex: row.plain), [UInt8](hex: row.encrypted))
                let (key, iv) = ([UInt8](hex: row.key), [UInt8](hex: row.iv))
                #expect(try AES128CBC.encrypt(plain, key: key, iv: iv, padding: padding) == encrypted)
                #expect(try AES128CBC.decrypt(encrypted, key: key, iv: iv, padding: padding) == plain)
            }
        }
        let key = [UInt8](1...16)
        for row in file.invalidPadding {
            let padded = [UInt8](hex: row)
            // What is not whole blocks cannot be encrypted raw, and stands for itself.
            let encrypted =
                padded.count % 16 == 0
                ? try AES128CBC.encrypt(padded, key: key, iv: AES128CBC.zeroIV, padding: .none) : padded
            #expect(throws: CryptoError.self) {
                try AES128CBC.decrypt(encrypted, key: key, iv: AES128CBC.zeroIV, padding: .pkcs7)
            }
        }
        Vectors.ran("powerauth-aes-cbc", file.pkcs7.count + file.noPadding.count + file.invalidPadding.count)
    }

    struct Curve: Decodable {
        struct Point: Decodable {
            let point: String
            let valid: Bool
        }
        struct Signature: Decodable {
            let dataHex: String
            let signatureDerHex: String
            let publicKeyHex: String
            let valid: Bool
        }
        struct Coordinates: Decodable {
            let x: String
            let y: String
            let point: String
        }
        let points: [Point]
        let ecdsa: [Signature]
        let coordinates: [Coordinates]
    }

    @Test func curve() throws {
        let file = try Vectors.load("powerauth-ec", as: Curve.self)
        for row in file.points {
            let key = Base64.decode(row.point).flatMap { try? PublicKey(point: $0) }
            #expect((key != nil) == row.valid, "\(row.point)")
        }
        for row in file.ecdsa {
            let key = try PublicKey(point: [UInt8](hex: row.publicKeyHex))
            #expect(
                try verifySignature(
                    [UInt8](hex: row.signatureDerHex), format: .der, of: [UInt8](hex: row.dataHex), by: key)
                    == row.valid)
        }
        for row in file.coordinates {
            let point = [UInt8](base64: row.point)
            // Signed numbers: leading zero bytes may be there or missing.
            let x = [UInt8]([UInt8](base64: row.x).drop { $0 == 0 })
            #expect(try [UInt8](PublicKey(point: point).compressed.dropFirst().drop { $0 == 0 }) == x)
            #expect([UInt8](point[33...].drop { $0 == 0 }) == [UInt8]([UInt8](base64: row.y).drop { $0 == 0 }))
        }
        Vectors.ran("powerauth-ec", file.points.count + file.ecdsa.count + file.coordinates.count)
    }

    struct Derivations: Decodable {
        struct Indexed: Decodable {
            let key: String
            let index: String
            let output: String
        }
        struct Internal: Decodable {
            let key: String
            let data: String
            let output: String
        }
        struct Password: Decodable {
            let password: String
            let salt: String
            let iterations: UInt32
            let output: String
        }
        let kdf: [Indexed]
        let kdfInternal: [Internal]
        let pbkdf2: [Password]
    }

    @Test func derivations() throws {
        let file = try Vectors.load("powerauth-kdf", as: Derivations.self)
        for row in file.kdf {
            let index = try #require(UInt64(row.index) ?? Int64(row.index).map { UInt64(bitPattern: $0) })
            #expect(try KDF.derive([UInt8](base64: row.key), index: index).array == [UInt8](base64: row.output))
        }
        for row in file.kdfInternal {
            #expect(
                try KDF.deriveInternal([UInt8](base64: row.key), data: [UInt8](base64: row.data)).array
                    == [UInt8](base64: row.output))
        }
        for row in file.pbkdf2 {
            let parameters = KnowledgeParameters(salt: [UInt8](base64: row.salt), iterations: row.iterations)
            #expect(
                try KnowledgeKey.derive(pin: row.password, parameters: parameters).key.array
                    == [UInt8](base64: row.output))
        }
        Vectors.ran("powerauth-kdf", file.kdf.count + file.kdfInternal.count + file.pbkdf2.count)
    }

    struct X963: Decodable {
        struct Row: Decodable {
            let secret: String
            let sharedInfo: String
            let output: String
        }
        let vectors: [Row]
    }

    @Test func x963() throws {
        let file = try Vectors.load("powerauth-kdf-x963", as: X963.self)
        for row in file.vectors {
            let output = [UInt8](hex: row.output)
            #expect(
                try KDF.x963(secret: [UInt8](hex: row.secret), info: [UInt8](hex: row.sharedInfo), count: output.count)
                    .array
                    == output)
        }
        Vectors.ran("powerauth-kdf-x963", file.vectors.count)
    }

    struct MasterSecrets: Decodable {
        struct Row: Decodable {
            let devicePrivateKey: String
            let devicePublicKey: String
            let serverPrivateKey: String
            let serverPublicKey: String
            let masterSecretKey: String
        }
        let crypto: [Row]
        let sdk: [Row]
    }

    @Test func masterSecrets() throws {
        let file = try Vectors.load("powerauth-master-secret", as: MasterSecrets.self)
        for row in file.crypto + file.sdk {
            let device = try PrivateKey(bigEndian: [UInt8](base64: row.devicePrivateKey))
            let server = try PrivateKey(bigEndian: [UInt8](base64: row.serverPrivateKey))
            #expect(device.publicKey.uncompressed == [UInt8](base64: row.devicePublicKey))
            #expect(server.publicKey.uncompressed == [UInt8](base64: row.serverPublicKey))
            let expected = try ActivationKeys(masterSecret: SecureBytes(base64: row.masterSecretKey))
            for keys in [
                try ActivationKeys(deviceKey: device, serverKey: server.publicKey),
                try ActivationKeys(deviceKey: server, serverKey: device.publicKey),
            ] {
                #expect(keys.possession.array == expected.possession.array)
                #expect(keys.vault.array == expected.vault.array)
            }
            #expect(
                try KDF.reduce(device.sharedSecret(with: server.publicKey)).array
                    == [UInt8](base64: row.masterSecretKey))
        }
        Vectors.ran("powerauth-master-secret", file.crypto.count + file.sdk.count)
    }

    struct DerivedKeys: Decodable {
        struct Row: Decodable {
            let masterSecretKey: String
            let signaturePossessionKey: String
            let signatureKnowledgeKey: String
            let signatureBiometryKey: String
            let transportKey: String
            let vaultEncryptionKey: String
        }
        let crypto: [Row]
        let sdk: [Row]
    }

    @Test func derivedKeys() throws {
        let file = try Vectors.load("powerauth-derived-keys", as: DerivedKeys.self)
        for row in file.crypto + file.sdk {
            let keys = try ActivationKeys(masterSecret: SecureBytes(base64: row.masterSecretKey))
            #expect(keys.possession.array == [UInt8](base64: row.signaturePossessionKey))
            #expect(keys.knowledge.array == [UInt8](base64: row.signatureKnowledgeKey))
            #expect(keys.biometry.array == [UInt8](base64: row.signatureBiometryKey))
            #expect(keys.transport.array == [UInt8](base64: row.transportKey))
            #expect(keys.vault.array == [UInt8](base64: row.vaultEncryptionKey))
        }
        Vectors.ran("powerauth-derived-keys", file.crypto.count + file.sdk.count)
    }

    struct Passwords: Decodable {
        struct Derivation: Decodable {
            let passwordHex: String
            let saltHex: String
            let iterations: UInt32
            let length: Int
            let outputHex: String
        }
        struct Code: Decodable {
            let keyHex: String
            let dataHex: String
            let macHex: String
        }
        let pbkdf2HmacSha1: [Derivation]
        let hmacSha256: [Code]
    }

    @Test func passwordsAndCodes() throws {
        let file = try Vectors.load("powerauth-pbkdf2-hmac", as: Passwords.self)
        for row in file.pbkdf2HmacSha1 {
            #expect(
                try KDF.pbkdf2SHA1(
                    password: [UInt8](hex: row.passwordHex), salt: [UInt8](hex: row.saltHex),
                    iterations: row.iterations,
                    count: row.length
                ).array == [UInt8](hex: row.outputHex))
        }
        for row in file.hmacSha256 {
            let expected = [UInt8](hex: row.macHex)
            let code = try HMACSHA256.authenticate([UInt8](hex: row.dataHex), key: [UInt8](hex: row.keyHex))
            #expect([UInt8](code.prefix(expected.count)) == expected)
        }
        Vectors.ran("powerauth-pbkdf2-hmac", file.pbkdf2HmacSha1.count + file.hmacSha256.count)
    }

    struct OneTimePasswords: Decodable {
        struct Row: Decodable {
            let unixTime: Int64
            let totp: String
            let algorithm: String
            let keyHex: String
        }
        let vectors: [Row]
    }

    @Test func oneTimePasswords() throws {
        let file = try Vectors.load("powerauth-totp", as: OneTimePasswords.self)
        for row in file.vectors {
            #expect(
                try TOTP.generate(
                    key: [UInt8](hex: row.keyHex), time: row.unixTime,
                    algorithm: row.algorithm == "HmacSHA256" ? .sha256 : .sha512) == row.totp)
        }
        Vectors.ran("powerauth-totp", file.vectors.count)
    }
}
