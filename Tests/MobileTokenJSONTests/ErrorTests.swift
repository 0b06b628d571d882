import Foundation
import MobileTokenJSON
import Testing

/// The error that reading a text gives; `nil` if it is read.
func failure(_ text: String, limits: JSONLimits = .default, sensitive: Bool = false) -> JSONError? {
    failure([UInt8](text.utf8), limits: limits, sensitive: sensitive)
}

func failure(_ bytes: [UInt8], limits: JSONLimits = .default, sensitive: Bool = false) -> JSONError? {
    do throws(JSONError) {
        _ = try JSONDocument(parsing: bytes, limits: limits, sensitive: sensitive)
        return nil
    } catch {
        return error
    }
}

@Suite("JSON errors")
struct ErrorTests {
    @Test("a NUL byte is refused wherever it stands")
    func rawNUL() {
        for text in [
            "[1e5\u{0}]", "[1\u{0},2]", "[1]\u{0}", "\u{0}[]", "[\"a\u{0}\"]", "{\"a\u{0}\":1}", "[true\u{0}]",
        ] {
            let bytes = [UInt8](text.utf8)
            for sensitive in [false, true] {
                do throws(JSONError) {
                    _ = try JSONDocument(parsing: bytes, sensitive: sensitive)
                    Issue.record("\(bytes) was read")
                } catch {
                    #expect(error.offset == bytes.firstIndex(of: 0))
                }
            }
        }
    }

    struct Case: Sendable, CustomStringConvertible {
        let text: String
        let reason: JSONError.Reason
        let offset: Int
        var line = 1
        var column: Int?
        var description: String { text }
    }

    @Test(
        "each fault has its reason and place",
        arguments: [
            Case(text: "", reason: .prematureEnd, offset: 0),
            Case(text: " \n ", reason: .prematureEnd, offset: 3, line: 2, column: 1),
            Case(text: "{", reason: .prematureEnd, offset: 1),
            Case(text: "[\"abc", reason: .prematureEnd, offset: 5),
            Case(text: "{\"a\":1,", reason: .prematureEnd, offset: 7),
            Case(text: "{}x", reason: .syntax, offset: 3),
            Case(text: "[1,]", reason: .syntax, offset: 4),
            Case(text: "{,}", reason: .syntax, offset: 2),
            Case(text: "<html>502</html>", reason: .syntax, offset: 0),
            Case(text: "\u{FEFF}{}", reason: .syntax, offset: 0),
            Case(text: "[tru]", reason: .syntax, offset: 4),
            Case(text: "[NaN]", reason: .syntax, offset: 4),
            Case(text: "[01]", reason: .syntax, offset: 2),
            Case(text: "[1.]", reason: .syntax, offset: 3),
            Case(text: "[+1]", reason: .syntax, offset: 2),
            Case(text: "['a']", reason: .syntax, offset: 2),
            Case(text: "[\"\\x\"]", reason: .syntax, offset: 4),
            Case(text: "[\"a\u{1}\"]", reason: .syntax, offset: 3),
            Case(text: "[\n\n  ?", reason: .syntax, offset: 6, line: 3, column: 3),
            Case(text: "[\"ž\", ?]", reason: .syntax, offset: 8, column: 7),
            Case(text: "[\"\\ud800\"]", reason: .syntax, offset: 9),
            Case(text: "[\"\\ud800\\u0041\"]", reason: .syntax, offset: 15),
            Case(text: "[\"\\udc00x\"]", reason: .syntax, offset: 10),
            Case(text: "{\"a\":1,\"a\":2}", reason: .duplicateKey, offset: 10),
            Case(text: "{\"a\":1,\n \"\\u0061\":2}", reason: .duplicateKey, offset: 17, line: 2, column: 9),
            Case(text: "{\"x\":[{\"b\":{},\"c\":1,\"b\":2}]}", reason: .duplicateKey, offset: 23),
            Case(text: "{\"\":1,\"\":2}", reason: .duplicateKey, offset: 8),
            Case(text: "{\"a\\u0000b\":1}", reason: .invalidKey, offset: 11),
            Case(text: "5", reason: .wrongTopLevel, offset: 0),
            Case(text: "\n\"x\"", reason: .wrongTopLevel, offset: 1, line: 2, column: 0),
            Case(text: "null", reason: .wrongTopLevel, offset: 0),
        ])
    func faults(fault: Case) {
        let expected = JSONError(
            fault.reason, offset: fault.offset, line: fault.line, column: fault.column ?? fault.offset)
        #expect(failure(fault.text) == expected)
        #expect(failure(fault.text, sensitive: true) == expected)
    }

    @Test(
        "bytes that are not UTF-8",
        arguments: [
            [0x80], [0xC0, 0xAF], [0xC3], [0xC3, 0x28], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x82],
            [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xFE],
        ] as [[UInt8]])
    func invalidUTF8(bytes: [UInt8]) {
        for text in [
            Array("{\"a\":\"x".utf8) + bytes + Array("y\"}".utf8), Array("{\"".utf8) + bytes + Array("\":1}".utf8),
        ] {
            #expect(failure(text)?.reason == .invalidUTF8)
            #expect(failure(text, sensitive: true)?.reason == .invalidUTF8)
        }
        #expect(failure(bytes)?.reason != nil)
        let offset = (Array("ab".utf8) + bytes).withUnsafeBytes { UTF8Validity.firstInvalid(in: $0) }
        #expect(offset == 2)
    }

    @Test("depth is limited")
    func depth() throws {
        let nested = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
        _ = try read(nested)
        #expect(failure("[" + nested + "]") == JSONError(.tooDeep, offset: 64, line: 1, column: 64))
        _ = try read("[" + nested + "]", limits: JSONLimits(maximumDepth: 65))
        #expect(failure("{\"a\":[]}", limits: JSONLimits(maximumDepth: 1))?.reason == .tooDeep)
        _ = try read(#"["[[[[[[", "\"[[[["]"#, limits: JSONLimits(maximumDepth: 1))
        for bracket in ["[", "{\"a\":"] {
            let deep = String(repeating: bracket, count: 100_000)
            #expect(failure(deep)?.reason == .tooDeep)
            #expect(failure(deep, limits: JSONLimits(maximumDepth: .max), sensitive: true)?.reason == .tooDeep)
        }
        let limit = JSONLimits(maximumDepth: .max)
        let most = String(repeating: "[", count: 1024) + "\"s\"" + String(repeating: "]", count: 1024)
        _ = try read(most, limits: limit, sensitive: true)
    }

    @Test("size is limited before anything is read")
    func size() throws {
        #expect(failure("[1]", limits: JSONLimits(maximumSize: 2))?.reason == .tooLarge)
        _ = try read("[1]", limits: JSONLimits(maximumSize: 3))
        #expect(failure("[1]", limits: JSONLimits(maximumSize: -1))?.reason == .tooLarge)
        let huge = "[\"" + String(repeating: "x", count: 4 << 20) + "\"]"
        #expect(failure(huge)?.reason == .tooLarge)
        #expect(try read(huge, limits: JSONLimits(maximumSize: 8 << 20)).root[0]?.text?.count == 4 << 20)
    }

    @Test(
        "values are counted",
        arguments: [
            ("[]", 1), ("[ ]", 1), ("[0]", 2), ("[[]]", 2), ("[0,1]", 3), ("{}", 1), (#"{"a":0}"#, 2),
            (#"{"a":[1,{}]}"#, 4),
            (#"["[,,,", "\",,,"]"#, 3), ("[ [ ] , { } , [ 0 ] ]", 5), (" [ { \"a\" : null , \"b\" : true } ] ", 4),
        ] as [(String, Int)])
    func values(text: String, count: Int) throws {
        let document = try read(text, limits: JSONLimits(maximumValues: count))
        #expect(document.valueCount == count)
        #expect(failure(text, limits: JSONLimits(maximumValues: count - 1))?.reason == .tooManyValues)
        #expect(failure(text, limits: JSONLimits(maximumValues: count - 1), sensitive: true)?.reason == .tooManyValues)
    }

    @Test("a text has 100,000 values by default") func mostValues() throws {
        let zeros = String(repeating: ",0", count: 99_998)
        #expect(try read("[0" + zeros + "]").root.count == 99_999)
        #expect(failure("[0,0" + zeros + "]")?.reason == .tooManyValues)
        #expect(failure(String(repeating: "[],", count: 1 << 20))?.reason == .syntax)
        #expect(failure("[" + String(repeating: ",", count: 1 << 20))?.reason == .syntax)
        for limit in [0, -1, Int.min] {
            #expect(failure("[]", limits: JSONLimits(maximumValues: limit))?.reason == .tooManyValues)
        }
    }

    @Test("a text cut off at any byte is an error, never a crash")
    func truncated() throws {
        let text = Array(
            #" {"a":[1,-2.5e3,"š\u00e9\ud83d\ude00\\"],"b":{"c":null,"d":true},"e":99999999999999999999} "#.utf8)
        _ = try JSONDocument(parsing: text)
        for count in 0..<(text.count - 2) {
            for sensitive in [false, true] {
                let error = try #require(failure(Array(text.prefix(count)), sensitive: sensitive))
                #expect(error.offset <= count)
                #expect(error.line == 1)
            }
        }
    }

    @Test("a text with any one byte changed is read or refused, never a crash, as a secret or not")
    func mutated() throws {
        let text = Array(#"{"a":[1,-2.5e3,"š\u00e9\ud83d\ude00\\"],"b":{"c":null,"d":"x"}}"#.utf8)
        for index in text.indices {
            for byte: UInt8 in [0, 0x0A, 0x22, 0x5B, 0x5C, 0x5D, 0x7B, 0x7D, 0x2C, 0x3A, 0x30, 0x65, 0x80, 0xC3, 0xFF] {
                var changed = text
                changed[index] = byte
                let plain = failure(changed)
                let secret = failure(changed, sensitive: true)
                #expect(plain?.reason == secret?.reason)
                if plain == nil {
                    let one = try JSONDocument(parsing: changed).root.compact()
                    let other = try JSONDocument(parsing: changed, sensitive: true).root.compact()
                    #expect(one == other)
                }
            }
        }
    }
}
