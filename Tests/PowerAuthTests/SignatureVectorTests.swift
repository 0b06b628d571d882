import MobileTokenCrypto
import TestSupport
import Testing

@testable import PowerAuth
@testable import PowerAuthDoubles

@Suite struct SignatureVectorTests {
    struct File: Decodable {
        struct Row: Decodable {
            let signaturePossessionKey: String
            let signatureKnowledgeKey: String
            let signatureBiometryKey: String
            let signatureType: String
            let signatureComponentLength: String?
            let counterData: String
            let data: String
            let signature: String
        }
        let vectors: [Row]
    }

    @Test(arguments: ["powerauth-signatures-v30", "powerauth-signatures-v31", "powerauth-signatures-offline"])
    func signatures(name: String) throws {
        let file = try Vectors.load(name, as: File.self)
        for row in file.vectors {
            var list: [[UInt8]] = []
            for (factor, key) in [
                ("possession", row.signaturePossessionKey), ("knowledge", row.signatureKnowledgeKey),
                ("biometry", row.signatureBiometryKey),
            ] where row.signatureType.contains(factor) {
                list.append([UInt8](base64: key))
            }
            let text: SignatureText =
                switch name {
                case "powerauth-signatures-v30": ProtocolVersion.v30.onlineSignatureFormat
                case "powerauth-signatures-v31": ProtocolVersion.v33.onlineSignatureFormat
                default: .decimal(length: try #require(row.signatureComponentLength.flatMap { Int($0) }))
                }
            let data = [UInt8](base64: row.data)
            let counter = [UInt8](base64: row.counterData)
            #expect(try signature(data, counter: counter, keys: list, as: text).text == row.signature)
            if text == .base64 {
                // The reference the other tests compare with is right too.
                let reference = try referenceSignature(data, counter: counter, keys: list).flatMap { $0[16...] }
                #expect(reference.base64 == row.signature)
            }
        }
        Vectors.ran(name, file.vectors.count)
    }

    private func signature(
        _ data: [UInt8], counter: [UInt8], keys: [[UInt8]], as text: SignatureText
    ) throws -> [UInt8] {
        try FactorKeys.with { (factorKeys) throws(CryptoError) in
            for key in keys { try factorKeys.next().copyBytes(from: key) }
            return try data.withBytes { (data) throws(CryptoError) in
                try counter.withBytes { (counter) throws(CryptoError) in
                    try factorKeys.signature(of: data, counter: counter, as: text)
                }
            }
        }
    }

    /// Codes of offline approvals, with the text that is signed.
    @Test func offlineCodes() throws {
        struct File: Decodable {
            struct Case: Decodable {
                struct Input: Decodable {
                    let signaturePossessionKey: String
                    let signatureKnowledgeKey: String
                    let signatureBiometryKey: String
                    let signatureType: String
                    let signatureComponentLength: String
                    let counterData: String
                    let data: String
                    let uriId: String?
                    let nonce: String?
                    let body: String?
                }
                struct Expected: Decodable {
                    let code: String
                    let signatureBaseString: String?
                }
                let id: String
                let input: Input
                let expect: Expected
            }
            let cases: [Case]
        }
        let file = try Vectors.load("offline-code", as: File.self)
        for item in file.cases {
            let input = item.input
            var keys: [[UInt8]] = []
            for (factor, key) in [
                ("possession", input.signaturePossessionKey), ("knowledge", input.signatureKnowledgeKey),
                ("biometry", input.signatureBiometryKey),
            ] where input.signatureType.contains(factor) {
                keys.append([UInt8](base64: key))
            }
            let length = try #require(Int(input.signatureComponentLength))
            let counter = [UInt8](base64: input.counterData)
            let output = try signature(
                [UInt8](base64: input.data), counter: counter, keys: keys, as: .decimal(length: length))
            #expect(output.text == item.expect.code, "\(item.id)")
            if let uriId = input.uriId, let nonce = input.nonce, let body = input.body {
                let composed = SignatureData.compose(
                    method: HTTPMethod.post.text, uriId: uriId, nonce: [UInt8](base64: nonce), body: body,
                    secret: SignatureData.offlineSecret)
                #expect(composed.text.text == item.expect.signatureBaseString)
            }
        }
        Vectors.ran("offline-code", file.cases.count)
    }

    struct Data: Decodable {
        struct Base: Decodable {
            let method: String?
            let uriId: String?
            let nonce: String?
            let body: String?
            let expected: String
        }
        struct Encoding: Decodable {
            let inputHex: String
            let encoded: String
        }
        struct Map: Decodable {
            let params: [String: String]
            let expected: String
        }
        let baseString: [Base]
        let urlEncoding: [Encoding]
        let queryMap: [Map]
    }

    @Test func signedText() throws {
        let file = try Vectors.load("powerauth-signature-data", as: Data.self)
        for row in file.baseString {
            let method = row.method.map { HTTPMethod(text: $0) } ?? .get
            let data = SignatureData.compose(
                method: try #require(method).text, uriId: row.uriId ?? "", nonce: [UInt8](base64: row.nonce ?? ""),
                body: row.body ?? "", secret: "SECRET")
            #expect(data.text.text == row.expected + "&SECRET")
            #expect(data.text[data.nonce].elementsEqual((row.nonce ?? "").utf8))
        }
        for row in file.urlEncoding {
            var encoded: [UInt8] = []
            CanonicalQuery.appendEncoded([UInt8](hex: row.inputHex), to: &encoded)
            #expect(encoded.text == row.encoded)
        }
        for row in file.queryMap {
            #expect(CanonicalQuery.encode(row.params.map { ($0.key, $0.value) }).text == row.expected)
        }
        Vectors.ran("powerauth-signature-data", file.baseString.count + file.urlEncoding.count + file.queryMap.count)
    }

    struct Queries: Decodable {
        struct Row: Decodable {
            let query: String
            let canonical: String?
        }
        let vectors: [Row]
    }

    @Test func canonicalQueries() throws {
        let file = try Vectors.load("powerauth-query-canonical", as: Queries.self)
        for row in file.vectors {
            #expect(try CanonicalQuery.canonicalize(row.query).text == row.canonical ?? "")
        }
        Vectors.ran("powerauth-query-canonical", file.vectors.count)

        #expect(try CanonicalQuery.canonicalize("").isEmpty)
        #expect(CanonicalQuery.encode([(String, String)]()).isEmpty)
        #expect(CanonicalQuery.encode([("b", "2"), ("a", "2"), ("a", "1")]).text == "a=1&a=2&b=2")
        #expect(CanonicalQuery.encode([("", "")]).text == "=")
        for query in ["a=%", "a=%1", "a=%4g", "%zz=1", "a=b%"] {
            #expect(failure { try CanonicalQuery.canonicalize(query) } == .wrongParameter, "\(query)")
        }
        #expect(try CanonicalQuery.canonicalize("a=%c3%A9").text == "a=%C3%A9")
        #expect(try CanonicalQuery.canonicalize("a=%ff").text == "a=%FF")
    }

    @Test func methods() {
        for name in ["GET", "POST", "HEAD", "PUT", "DELETE", "PATCH"] {
            #expect(HTTPMethod(text: name)?.text.description == name)
        }
        for name in ["", "get", "OPTIONS", "GETT", "POS"] { #expect(HTTPMethod(text: name) == nil) }
    }

    @Test func versions() {
        for (version, text) in [
            (ProtocolVersion.v30, "3.0"), (.v31, "3.1"), (.v32, "3.2"), (.v33, "3.3"), (.v40, "4.0"),
        ] {
            #expect(version.text.description == text)
            #expect(ProtocolVersion(text: text) == version)
        }
        for text in ["", "3", "3.", "3.4", "4.1", "4", "3.33", " 3.3", "2.1"] {
            #expect(ProtocolVersion(text: text) == nil)
        }
        #expect(ProtocolVersion.default == .v33)
        #expect(!ProtocolVersion.v30.isSupportedBySession)
    }

    @Test func factorSets() {
        let names = (UInt8(0)...8).map { Factors(rawValue: $0).signatureType?.description }
        #expect(
            names == [
                nil, "possession", "knowledge", "possession_knowledge", "biometry", "possession_biometry", nil,
                "possession_knowledge_biometry", nil,
            ])
    }
}
