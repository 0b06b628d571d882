import MobileTokenCrypto
import MobileTokenJSON
import TestSupport
import Testing

@testable import PowerAuth
@testable import PowerAuthDoubles

@Suite struct VaultTests {
    struct File: Decodable {
        struct Row: Decodable {
            let serverPrivateKey: String
            let devicePrivateKey: String
            let masterSecretKey: String
            let transportKey: String
            let vaultEncryptionKey: String
            let encryptedVaultEncryptionKey: String
            let javaEncryptedDevicePrivateKey: String
        }
        let vectors: [Row]
    }

    @Test func vectors() throws {
        let file = try Vectors.load("powerauth-vault", as: File.self)
        for row in file.vectors {
            let device = try PrivateKey(bigEndian: [UInt8](base64: row.devicePrivateKey))
            let server = try PrivateKey(bigEndian: [UInt8](base64: row.serverPrivateKey))
            let keys = try ActivationKeys(deviceKey: device, serverKey: server.publicKey)
            #expect(keys.transport.array == [UInt8](base64: row.transportKey))
            #expect(keys.vault.array == [UInt8](base64: row.vaultEncryptionKey))
            let vault = try VaultKey.decrypt(
                [UInt8](base64: row.encryptedVaultEncryptionKey), transportKey: keys.transport)
            #expect(vault.key.array == [UInt8](base64: row.vaultEncryptionKey))
            // The other client stores the number in a signed form; both are read as a number.
            let stored = try vault.open([UInt8](base64: row.javaEncryptedDevicePrivateKey))
            #expect(try PrivateKey(bigEndian: stored).publicKey.compressed == device.publicKey.compressed)
        }
        Vectors.ran("powerauth-vault", file.vectors.count)
    }

    @Test func functions() throws {
        let device = try ActivatedDevice()
        let (session, server) = (device.session, device.server)
        let before = session.stored
        let vault = try session.openVault(server.vaultAnswer())
        let keys = try server.keys()
        #expect(vault.key.array == keys.vault.array)
        for index in [UInt64(0), 1, .max] {
            #expect(
                try session.applicationKey(index: index, vault: vault).array
                    == KDF.derive(keys.vault, index: index).array)
        }
        let deviceKey = try #require(server.devicePublicKey)
        #expect(try deviceKey.verify(der: session.deviceSignature("data", format: .der, vault: vault), data: "data"))
        #expect(try deviceKey.verify(jose: session.deviceSignature("", format: .jose, vault: vault), data: ""))
        let claims = #"{"b": 1,"a":"é"}"#
        let token = try session.deviceToken(claims: claims, vault: vault)
        let parts = token.split(separator: ".").map(String.init)
        #expect(parts.count == 3 && parts[0] == JSONWebToken.headerES256.description)
        #expect(Base64URL.decode(parts[0])?.text == #"{"alg":"ES256","typ":"JWT"}"#)
        #expect(Base64URL.decode(parts[1])?.text == claims)
        #expect(
            try deviceKey.verify(jose: #require(Base64URL.decode(parts[2])), data: parts[0] + "." + parts[1]))
        for claims in ["", "[]", "1", "{", #"{"a":1,"a":2}"#] {
            #expect(failure { try session.deviceToken(claims: claims, vault: vault) } == .wrongParameter)
        }
        #expect(session.hasRecoveryData)
        let recovery = try session.recoveryData(vault: vault)
        #expect(recovery.code.array.text == "55555-55555-55555-55YMA" && recovery.puk.array.text == "0123456789")
        #expect(session.stored == before)
        #expect(device.random.draws.isEmpty)
    }

    @Test func withoutRecoveryData() throws {
        let device = try ActivatedDevice(recovery: false)
        #expect(!device.session.hasRecoveryData)
        let vault = try device.session.openVault(device.server.vaultAnswer())
        #expect(failure { try device.session.recoveryData(vault: vault) } == .wrongState)
    }

    @Test func refused() throws {
        let device = try ActivatedDevice()
        let (session, server) = (device.session, device.server)
        let before = session.stored
        let transport = try server.keys().transport
        let encrypt: ([UInt8], AES128CBC.Padding) throws -> String = { plain, padding in
            try AES128CBC.encrypt(plain, key: transport, iv: AES128CBC.zeroIV, padding: padding).base64
        }
        let good = try server.keys().vault.array
        var changed = good
        changed[3] ^= 1
        for text in [
            "", "{}", "[]", #"{"encryptedVaultEncryptionKey":1}"#, #"{"encryptedVaultEncryptionKey":"*"}"#,
            #"{"encryptedVaultEncryptionKey":""}"#,
            #"{"encryptedVaultEncryptionKey":"\#(try encrypt(changed, .pkcs7))"}"#,
            #"{"encryptedVaultEncryptionKey":"\#(try encrypt(good, .none))"}"#,
            #"{"encryptedVaultEncryptionKey":"\#(try encrypt(good + good, .none))"}"#,
            #"{"encryptedVaultEncryptionKey":"\#(try encrypt([UInt8](good[..<15]) , .pkcs7))"}"#,
            #"{"encryptedVaultEncryptionKey":"\#(try encrypt(good + [1], .pkcs7))"}"#,
            #"{"encryptedVaultEncryptionKey":"\#([UInt8](1...32).base64)"}"#,
        ] {
            #expect(failure { try session.openVault(SecureBytes(copying: text)) } == .encryption, "\(text)")
        }

        // A vault key of another activation is of no use.
        let other = try ActivatedDevice()
        let foreign = try other.session.openVault(other.server.vaultAnswer())
        #expect(failure { try session.deviceSignature("x", format: .der, vault: foreign) } == .encryption)
        #expect(failure { try session.deviceToken(claims: "{}", vault: foreign) } == .encryption)
        #expect(failure { try session.recoveryData(vault: foreign) } == .encryption)
        #expect(
            failure { try session.addBiometry(key: ActivatedDevice.biometryKey, vault: foreign) } == .encryption)
        #expect(session.stored == before)

        let vault = try session.openVault(server.vaultAnswer())
        session.reset()
        #expect(failure { try session.openVault(server.vaultAnswer()) } == .missingActivation)
        #expect(failure { try session.applicationKey(index: 1, vault: vault) } == .missingActivation)
        #expect(failure { try session.deviceSignature("x", format: .der, vault: vault) } == .missingActivation)
        #expect(failure { try session.deviceToken(claims: "{}", vault: vault) } == .missingActivation)
        #expect(failure { try session.recoveryData(vault: vault) } == .missingActivation)
        #expect(
            failure { try session.addBiometry(key: ActivatedDevice.biometryKey, vault: vault) } == .missingActivation)
    }

    @Test func addingBiometry() throws {
        let device = try ActivatedDevice(biometry: false)
        let session = device.session
        #expect(!session.hasBiometry)
        #expect(
            failure {
                try session.sign(
                    method: .post, uriId: "", body: "", keys: .possession(biometry: ActivatedDevice.biometryKey))
            } == .biometryNotConfigured)
        let vault = try session.openVault(device.server.vaultAnswer())
        let before = session.stored
        for key in [SecureBytes(count: 16), SecureBytes(copying: [UInt8](1...15)), SecureBytes(count: 0)] {
            #expect(failure { try session.addBiometry(key: key, vault: vault) } == .wrongParameter)
        }
        #expect(session.stored == before)
        try session.addBiometry(key: ActivatedDevice.biometryKey, vault: vault)
        #expect(session.hasBiometry)
        let record = try #require(session.record)
        #expect(
            try FactorLock.unlock(record.copy(.biometry), with: ActivatedDevice.biometryKey, externalKey: nil).array
                == device.server.keys().biometry.array)
    }

    @Test func reasons() throws {
        for (reason, text) in [
            (VaultReason.addBiometry, "ADD_BIOMETRY"), (.fetchEncryptionKey, "FETCH_ENCRYPTION_KEY"),
            (.signWithDevicePrivateKey, "SIGN_WITH_DEVICE_PRIVATE_KEY"), (.recoveryCode, "RECOVERY_CODE"),
        ] { #expect(reason.payload.text == #"{"reason":"\#(text)"}"#) }
        #expect(try VaultReason.payload(custom: "My.own-REASON_1").text == #"{"reason":"My.own-REASON_1"}"#)
        #expect(try VaultReason.payload(custom: String(repeating: "a", count: 255)).count == 255 + 13)
        for text in ["", "ab", String(repeating: "a", count: 256), "a b", #"a"b"#, "aé"] {
            #expect(failure { try VaultReason.payload(custom: text) } == .wrongParameter)
        }
    }
}
