import MobileTokenCrypto
import TestSupport
import Testing

@testable import PowerAuth
@testable import PowerAuthDoubles

@Suite struct ActivationCodeTests {
    struct Table: Decodable {
        struct Checksum: Decodable {
            let text: String
            let crc16: String
        }
        struct Scanned: Decodable {
            let text: String
            let valid: Bool
            let code: String?
            let signature: String?
        }
        struct Correction: Decodable {
            let input: String
            let output: String
            let refused: String
        }
        let crc16: [Checksum]
        let zeroBytesCode: String
        let validActivationCodes: [String]
        let invalidActivationCodes: [String]
        let docsCodes: [String]
        let qrActivation: [Scanned]
        let validRecoveryCodes: [String]
        let invalidRecoveryCodes: [String]
        let qrRecovery: [Scanned]
        let validPuks: [String]
        let invalidPuks: [String]
        let typedCharacterCorrection: Correction
    }

    @Test func tables() throws {
        let table = try Vectors.load("powerauth-activation-code", as: Table.self)
        for row in table.crc16 { #expect(CRC16.checksum(row.text) == UInt16(row.crc16, radix: 16)) }
        #expect(ActivationCode.isValid(table.zeroBytesCode))
        for text in table.validActivationCodes + table.docsCodes { #expect(ActivationCode.isValid(text), "\(text)") }
        for text in table.invalidActivationCodes { #expect(!ActivationCode.isValid(text), "\(text)") }
        for row in table.qrActivation {
            guard row.valid else {
                #expect(failure { try ActivationCode.parse(row.text) } == .invalidActivationCode, "\(row.text)")
                continue
            }
            let parsed = try ActivationCode.parse(row.text)
            #expect(parsed.code.text == row.code)
            let signature = row.signature ?? ""
            // The last character of some carries bits that belong to no byte: 4 characters with n `=` are 3 - n bytes.
            #expect(parsed.signature?.count == (signature.isEmpty ? nil : 3 - signature.count { $0 == "=" }))
        }
        for text in table.validRecoveryCodes { #expect(RecoveryCode.isValid(text), "\(text)") }
        for text in table.invalidRecoveryCodes { #expect(!RecoveryCode.isValid(text), "\(text)") }
        for row in table.qrRecovery {
            if row.valid {
                #expect(try RecoveryCode.parse(row.text).text == row.code)
            } else {
                #expect(failure { try RecoveryCode.parse(row.text) } == .invalidActivationCode, "\(row.text)")
            }
        }
        for text in table.validPuks { #expect(RecoveryCode.isValidPUK(text)) }
        for text in table.invalidPuks { #expect(!RecoveryCode.isValidPUK(text)) }
        let typed = table.typedCharacterCorrection
        for (from, to) in zip(typed.input.unicodeScalars, typed.output.unicodeScalars) {
            #expect(ActivationCode.correctTypedCharacter(from.value) == to.value)
            #expect(ActivationCode.isValidTypedCharacter(from.value) == (from == to))
        }
        for character in typed.refused.unicodeScalars {
            #expect(ActivationCode.correctTypedCharacter(character.value) == nil)
            #expect(!ActivationCode.isValidTypedCharacter(character.value))
        }
        let counts = [
            table.crc16.count, 1, table.validActivationCodes.count, table.invalidActivationCodes.count,
            table.docsCodes.count, table.qrActivation.count, table.validRecoveryCodes.count,
            table.invalidRecoveryCodes.count, table.qrRecovery.count, table.validPuks.count, table.invalidPuks.count,
            typed.input.count + typed.refused.count,
        ]
        Vectors.ran("powerauth-activation-code", counts.reduce(0, +))
    }

    struct Generated: Decodable {
        struct Row: Decodable {
            let bytes: String
            let code: String
        }
        let vectors: [Row]
    }

    /// The text form of ten random bytes (server side).
    private func code(of bytes: [UInt8]) -> String {
        let checksum = CRC16.checksum(bytes)
        let symbols = Array(Base32.encode(bytes + [UInt8(checksum >> 8), UInt8(checksum & 0xFF)]))
        return stride(from: 0, to: 20, by: 5).map { String(symbols[$0..<($0 + 5)]) }.joined(separator: "-")
    }

    @Test func generated() throws {
        let file = try Vectors.load("powerauth-activation-code-gen", as: Generated.self)
        for row in file.vectors {
            #expect(code(of: [UInt8](base64: row.bytes)) == row.code)
            #expect(ActivationCode.isValid(row.code))
        }
        Vectors.ran("powerauth-activation-code-gen", file.vectors.count)
    }

    struct Signed: Decodable {
        struct Row: Decodable {
            let activationCode: String
            let masterPrivateKey: String
            let masterPublicKey: String
            let activationSignature: String
        }
        let vectors: [Row]
    }

    @Test func signatures() throws {
        let file = try Vectors.load("powerauth-activation-code-signature", as: Signed.self)
        for row in file.vectors {
            let configuration = try Configuration(
                key: [UInt8](1...16), secret: [UInt8](1...16), masterKey: [UInt8](base64: row.masterPublicKey))
            let parsed = try ActivationCode.parse(row.activationCode + "#" + row.activationSignature)
            #expect(parsed.code.text == row.activationCode)
            #expect(try parsed.verify(with: configuration))
            #expect(
                try PrivateKey(bigEndian: [UInt8](base64: row.masterPrivateKey)).publicKey.uncompressed
                    == [UInt8](base64: row.masterPublicKey))
            // Another code, a damaged signature, another key: wrong, not an error.
            let other = try ActivationCode.parse("VVVVV-VVVVV-VVVVV-VTFVA#" + row.activationSignature)
            #expect(try !other.verify(with: configuration))
            var damaged = try #require(parsed.signature)
            damaged[damaged.count - 1] ^= 1
            #expect(try !ActivationCode.parse(row.activationCode + "#" + damaged.base64).verify(with: configuration))
            #expect(try !parsed.verify(with: ServerDouble().configuration))
        }
        #expect(try ActivationCode.parse("VVVVV-VVVVV-VVVVV-VTFVA").verify(with: ServerDouble().configuration))
        Vectors.ran("powerauth-activation-code-signature", file.vectors.count)
    }

    struct Derived: Decodable {
        struct Row: Decodable {
            let secret: String
            let nonce: String
            let pukIndex: String
            let recoveryCode: String
            let puk: String
        }
        let vectors: [Row]
    }

    /// The server's derivation of recovery codes (powerauth.md §4.3): our validators accept what comes of it.
    @Test func serverDerivedRecoveryCodes() throws {
        let file = try Vectors.load("powerauth-recovery", as: Derived.self)
        for row in file.vectors {
            let derived = try KDF.x963(
                secret: [UInt8](base64: row.secret), info: [UInt8](base64: row.nonce), count: 26
            ).array
            let recoveryCode = code(of: [UInt8](derived[..<10]))
            #expect(recoveryCode == row.recoveryCode)
            #expect(RecoveryCode.isValid(recoveryCode))
            var index: [UInt8] = []
            index.appendBigEndian(try #require(UInt64(row.pukIndex)))
            let block = try AES128CBC.encrypt(index, key: derived[10...], iv: AES128CBC.zeroIV, padding: .pkcs7)
            let number = block[8..<16].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } & 0xFF_FFFF_FFFF % 10_000_000_000
            let digits = String(number % 10_000_000_000)
            let puk = String(repeating: "0", count: 10 - digits.count) + digits
            #expect(puk == row.puk)
            #expect(RecoveryCode.isValidPUK(puk))
        }
        Vectors.ran("powerauth-recovery", file.vectors.count)
    }

    @Test func confirmation() throws {
        let payload = try RecoveryCode.confirmationPayload(code: "R:55555-55555-55555-55YMA")
        #expect(payload.array.text == #"{"recoveryCode":"55555-55555-55555-55YMA"}"#)
        #expect(
            failure { try RecoveryCode.confirmationPayload(code: "55555-55555-55555-55YMB") } == .invalidActivationCode)
        #expect(try RecoveryCode.alreadyConfirmed(SecureBytes(copying: #"{"alreadyConfirmed":true}"#)))
        #expect(try !RecoveryCode.alreadyConfirmed(SecureBytes(copying: #"{"alreadyConfirmed":false,"x":1}"#)))
        for answer in [
            "", "{}", "[]", #"{"alreadyConfirmed":1}"#, #"{"alreadyConfirmed":null}"#, #"{"alreadyConfirmed":true"#,
        ] {
            #expect(
                failure { try RecoveryCode.alreadyConfirmed(SecureBytes(copying: answer)) } == .invalidActivationData,
                "\(answer)")
        }
    }

    @Test func storedRecoveryData() throws {
        let data = try #require(RecoveryData(code: "55555-55555-55555-55YMA", puk: "0123456789"))
        let stored = data.stored().array
        let back = try #require(RecoveryData(stored: SecureBytes(copying: stored)))
        #expect(back.code.array.text == "55555-55555-55555-55YMA" && back.puk.array.text == "0123456789")
        for length in 0..<stored.count { #expect(RecoveryData(stored: SecureBytes(copying: stored[..<length])) == nil) }
        #expect(RecoveryData(stored: SecureBytes(copying: stored + [0])) == nil)
        for (codeText, puk) in [
            ("", "0123456789"), ("R:55555-55555-55555-55YMA", "0123456789"), ("55555-55555-55555-55YMA", "1"),
        ] {
            #expect(RecoveryData(code: codeText, puk: puk) == nil)
        }
    }
}
