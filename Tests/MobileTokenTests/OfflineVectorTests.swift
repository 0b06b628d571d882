import MobileTokenCrypto
import PowerAuth
import TestSupport
import Testing

@testable import MobileToken
@testable import MobileTokenModel

/// Offline payloads and operation data.
@Suite struct OfflineVectorTests {
    struct File: Decodable {
        struct Case: Decodable {
            struct Expected: Decodable {
                struct Field: Decodable {
                    let type: String
                    let raw: String?
                    let value: String?
                    let text: String?
                }
                let ok: Bool
                let error: String?
                let operationId: String?
                let title: String?
                let fields: [Field]?
                let signedData: String?
                let offlineSigningData: String?
                let signatureValid: Bool?
            }
            let id: String
            let input: String
            let expect: Expected
        }
        let masterPublicKey: String?
        let cases: [Case]
    }

    @Test func payloads() throws {
        let file = try Vectors.load("qr-operations", as: File.self)
        for item in file.cases {
            [UInt8](item.input.utf8).withUnsafeBytes { text in
                do throws(TextFault) {
                    let operation = try OfflineOperation(parsing: text)
                    #expect(item.expect.ok, "\(item.id)")
                    compare(operation, text, item)
                } catch {
                    #expect(!item.expect.ok, "\(item.id)")
                    #expect(error.code.words.name.description == item.expect.error, "\(item.id)")
                    #expect((0...text.count).contains(error.offset))
                }
            }
        }
        Vectors.ran("qr-operations", file.cases.count)
    }

    private func compare(_ operation: OfflineOperation, _ text: UnsafeRawBufferPointer, _ item: File.Case) {
        func string(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }
        if let id = item.expect.operationId { #expect(string(operation.id) == id) }
        if let title = item.expect.title {
            #expect(Escapes.decoded(UnsafeRawBufferPointer(rebasing: text[operation.title])) == title)
        }
        if let signed = item.expect.signedData { #expect(string(0..<operation.signedSize) == signed) }
        if let body = item.expect.offlineSigningData { #expect(operation.body(text) == [UInt8](body.utf8)) }
        for (index, field) in (item.expect.fields ?? []).enumerated() {
            let read = operation.data[index]
            let value = UnsafeRawBufferPointer(rebasing: text[read.value])
            if let number = field.value {
                #expect(string(read.value) == field.raw)
                #expect(DecimalText(value)?.text == number)
            }
            if let text = field.text { #expect(read.isText && Escapes.decoded(value) == text) }
        }
    }

    @Test func signedPayloads() throws {
        let file = try Vectors.load("qr-signed", as: File.self)
        let key = try #require(file.masterPublicKey)
        let configuration = try Configuration(
            key: [UInt8](repeating: 0, count: 16), secret: [UInt8](repeating: 0, count: 16),
            masterKey: [UInt8](base64: key))
        for item in file.cases {
            try [UInt8](item.input.utf8).withUnsafeBytes { text in
                let operation = try OfflineOperation(parsing: text)
                if operation.key == .master {
                    let state = try operation.verified(text, by: configuration)
                    #expect((state == .valid) == item.expect.signatureValid, "\(item.id)")
                } else {
                    #expect(throws: Failure.self) { try operation.verified(text, by: configuration) }
                }
            }
        }
        Vectors.ran("qr-signed", file.cases.count)
    }

    struct DataFile: Decodable {
        struct Case: Decodable {
            struct Expected: Decodable { let data: String? }
            let id: String
            let expect: Expected
        }
        let cases: [Case]
    }

    @Test func operationData() throws {
        let file = try Vectors.load("operation-data", as: DataFile.self)
        var count = 0
        for item in file.cases {
            guard let data = item.expect.data else { continue }
            try [UInt8](data.utf8).withUnsafeBytes { text in
                let parsed = try OperationData(parsing: text)
                #expect(parsed.range == 0..<text.count, "\(item.id)")
            }
            count += 1
        }
        Vectors.ran("operation-data (parsed)", count)
    }

    @Test func checkDigits() {
        for (text, valid) in [
            ("CZ2730300000001165254011", true), ("DE89370400440532013000", true), ("GB82WEST12345698765432", true),
            ("CZ2730300000001165254012", false), ("DE8937040044053201300", false), ("SOMEIBAN1234", false),
            ("1234370400440532013000", false), ("", false), ("NO9386011117947", true),
        ] {
            #expect([UInt8](text.utf8).withUnsafeBytes { IBAN.isValid($0) } == valid, "\(text)")
        }
    }
}
