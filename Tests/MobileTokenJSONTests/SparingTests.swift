import Testing

@testable import MobileTokenJSON

/// A list of which some elements cannot be read.
struct SparingTests {
    private func parse(_ text: String, limits: JSONLimits = .default) throws -> (text: String, unreadable: [Int]) {
        try [UInt8](text.utf8).withUnsafeBytes { bytes in
            let document = try JSONDocument(parsing: bytes, limits: limits, sparing: "list")
            return (String(decoding: document.root.compact(), as: UTF8.self), document.unreadable)
        }
    }

    @Test(
        arguments: [
            (#"{"list":[1,{"a":1,"a":2},3],"x":0}"#, #"{"list":[1,null,3],"x":0}"#, [1]),
            (#"{"list":[{"a":1,"a":2},[{"b":"\ud800"}]]}"#, #"{"list":[null,null]}"#, [0, 1]),
            (#"{"list":[{"a\u0000":1},"x"]}"#, #"{"list":[null,"x"]}"#, [0]),
            (#"{"x":{"list":[]},"list":[ {"a":[1,2} , 5 ]}"#, nil, []),
            (#"{"list":[1,tru,2]}"#, #"{"list":[1,null,2]}"#, [1]),
            (#"{"list":[true,nope]}"#, #"{"list":[true,null]}"#, [1]),
            (#"{"list":[]}"#, #"{"list":[]}"#, []), (#"{"list":[{"a":1,"a":2}]"#, nil, []),
            (#"{"list":[{"a":1,"a":2}],"list":[]}"#, nil, []), (#"{"list":{"a":1,"a":2}}"#, nil, []),
            (#"{"other":[{"a":1,"a":2}]}"#, nil, []), (#"[{"a":1,"a":2}]"#, nil, []), ("", nil, []),
        ] as [(String, String?, [Int])])
    func elements(text: String, expected: String?, unreadable: [Int]) throws {
        guard let expected else {
            #expect(throws: JSONError.self) { try parse(text) }
            return
        }
        let result = try parse(text)
        #expect(result.text == expected)
        #expect(result.unreadable == unreadable)
    }

    @Test func depthIsThatOfTheWhole() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(try parse(#"{"list":[\#(nested(62))]}"#).unreadable == [])
        #expect(try parse(#"{"list":[\#(nested(63)),7]}"#).unreadable == [0])
        #expect(try parse(#"{"list":[\#(nested(5000)),7]}"#).unreadable == [0])
        #expect(throws: JSONError.self) { try parse(#"{"list":[7],"x":\#(nested(64))}"#) }
        #expect(throws: JSONError.self) { try parse(#"{"list":[{"a":1,"a":2}]}"#, limits: JSONLimits(maximumSize: 10)) }
    }

    @Test func elementsThatCannotBeReadDoNotLiftTheBounds() throws {
        let broken = #"{"a":1,"a":2}"#
        let many = #"{"list":[\#(broken)\#(String(repeating: ",0", count: 99_995))]}"#
        #expect(throws: JSONError(.duplicateKey, offset: 19, line: 1, column: 19)) {
            _ = try JSONDocument(parsing: [UInt8](many.utf8))
        }
        #expect(try parse(many).unreadable == [0])
        do {
            _ = try parse(#"{"list":[\#(broken)\#(String(repeating: ",0", count: 99_996))]}"#)
            Issue.record("was read")
        } catch let error as JSONError {
            #expect(error.reason == .tooManyValues)
        }
    }

    @Test func theErrorIsThatOfTheWhole() {
        let text = #"{"list":[1],"x":{"a":1,"a":2}}"#
        #expect(throws: JSONError(.duplicateKey, offset: 26, line: 1, column: 26)) { try parse(text) }
    }

    @Test func badUTF8WithinAnElement() throws {
        let text = Array(#"{"list":["#.utf8) + [0x22, 0xFF, 0xFE, 0xFD, 0x22] + Array(",1]}".utf8)
        let document = try text.withUnsafeBytes { try JSONDocument(parsing: $0, sparing: "list") }
        #expect(document.root.compact() == Array(#"{"list":[null,1]}"#.utf8) && document.unreadable == [0])
    }
}
