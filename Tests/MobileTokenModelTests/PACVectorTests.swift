import TestSupport
import Testing

@testable import MobileTokenModel

/// Proximity codes.
@Suite struct PACVectorTests {
    struct File: Decodable {
        struct Case: Decodable {
            struct Expected: Decodable {
                let ok: Bool
                let error: String?
                let operationId: String?
                let totp: String?
                let form: String?
            }
            let id: String
            let entry: String
            let input: String
            let expect: Expected
        }
        let cases: [Case]
    }

    @Test func codes() throws {
        let file = try Vectors.load("pac", as: File.self)
        for item in file.cases {
            [UInt8](item.input.utf8).withUnsafeBytes { text in
                PACCode.withCode(parsing: text, onlyLinks: item.entry == "deeplink") {
                    (result: Result<PACCode, TextFault>) in
                    switch result {
                    case .success(let code):
                        #expect(item.expect.ok, "\(item.id)")
                        #expect(String(decoding: code.operationId, as: UTF8.self) == item.expect.operationId)
                        #expect(code.totp.map { String(decoding: $0, as: UTF8.self) } == item.expect.totp)
                        let forms: [PACCode.Form: String] = [
                            .deeplink: "deeplink", .deeplinkJWT: "deeplinkJwt", .jwt: "jwt",
                        ]
                        #expect(forms[code.form] == item.expect.form)
                    case .failure(let fault):
                        #expect(fault.code.words.name.description == item.expect.error, "\(item.id)")
                        #expect((0...text.count).contains(fault.offset))
                    }
                }
            }
        }
        Vectors.ran("pac", file.cases.count)
    }

    @Test func normalisedTexts() throws {
        for (text, isField, expected) in [
            ("a\r\nb\nc", false, "a\\nb\\nc"), ("a \t\r b", false, "a b"), ("\\*", false, "\\\\*"),
            ("\\*", true, "\\\\\\*"),
            (" \n ", true, " \\n "), ("", true, ""), ("\u{a0}\u{a0}", true, "\u{a0}\u{a0}"),
        ] {
            var output: [UInt8] = []
            try TextNormalization.append(text, isField: isField, to: &output)
            #expect(String(decoding: output, as: UTF8.self) == expected)
        }
        var output: [UInt8] = []
        #expect(throws: TextFault(.controlCharacter, offset: 1)) {
            try TextNormalization.append("a\u{1b}", isField: false, to: &output)
        }
    }
}
