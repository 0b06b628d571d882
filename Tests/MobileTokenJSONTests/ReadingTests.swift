import Foundation
import MobileTokenJSON
import TestSupport
import Testing

/// Reads text with the default limits.
func read(_ text: String, limits: JSONLimits = .default, sensitive: Bool = false) throws(JSONError) -> JSONDocument {
    try JSONDocument(parsing: [UInt8](text.utf8), limits: limits, sensitive: sensitive)
}

@Suite("Reading JSON")
struct ReadingTests {
    @Test("every kind of value", arguments: [false, true])
    func kinds(sensitive: Bool) throws {
        let document = try read(
            #"{"o":{"x":1},"a":[1,2.5,"t"],"s":"žlutý\n","t":true,"f":false,"n":null,"i":-7,"r":1E+3}"#,
            sensitive: sensitive)
        let root = document.root
        #expect(root.kind == .object)
        #expect(root.count == 8)
        #expect(root["o"]?["x"]?.int64 == 1)
        #expect(root["a"]?.count == 3)
        #expect(root["a"]?[1]?.double == 2.5)
        #expect(root["a"]?[1]?.kind == .real)
        #expect(root["a"]?[2]?.text?.string == "t")
        #expect(root["a"]?[3] == nil)
        #expect(root["a"]?[-1] == nil)
        #expect(root["s"]?.text?.string == "žlutý\n")
        #expect(root["s"]?.text?.equals("žlutý\n") == true)
        #expect(root["s"]?.text?.equals("žlutý") == false)
        #expect(root["t"]?.bool == true)
        #expect(root["f"]?.bool == false)
        #expect(root["n"]?.isNull == true)
        #expect(root["i"]?.int64 == -7)
        #expect(root["i"]?.double == -7)
        #expect(root["r"]?.int64 == nil)
        #expect(root["r"]?.double == 1000)
        #expect(root["x"] == nil)
        #expect(root.member("a")?.kind == .array)
        #expect(root.member("a\0") == nil)
        #expect(root.members.map { $0.name.string } == ["o", "a", "s", "t", "f", "n", "i", "r"])
    }

    @Test("a getter of another kind answers nothing")
    func wrongKinds() throws {
        let root = try read(#"{"s":"1","i":1,"b":true,"n":null,"a":[],"o":{}}"#).root
        for name in ["s", "i", "b", "n", "a", "o"] {
            let value = try #require(root.member(name))
            #expect((value.text != nil) == (name == "s"))
            #expect((value.int64 != nil) == (name == "i"))
            #expect((value.double != nil) == (name == "i"))
            #expect((value.bool != nil) == (name == "b"))
            #expect(value.isNull == (name == "n"))
            #expect(value["x"] == nil)
            #expect(value[0] == nil)
            #expect(value.count == 0)
            #expect(Array(value.members).isEmpty)
            #expect((value.node.number != nil) == (name == "i"))
        }
    }

    @Test("texts are NUL-terminated UTF-8 that lives as long as they do")
    func textMemory() throws {
        var text: JSONText? = try read(#"["\u0161koda \ud83d\ude00"]"#).root[0]?.text
        let kept = try #require(text)
        text = nil
        #expect(kept.string == "škoda 😀")
        #expect(kept.count == 11)
        #expect(kept.base[kept.count] == 0)
        #expect(String(cString: kept.base) == "škoda 😀")
        #expect(kept.bytes == Array("škoda 😀".utf8))
        #expect(kept.withBytes { $0.count } == 11)
    }

    @Test("U+0000 inside a string is read, but not given out as text", arguments: [false, true])
    func embeddedNUL(sensitive: Bool) throws {
        let root = try read(#"{"a":"x\u0000y","b":"\u0000"}"#, sensitive: sensitive).root
        #expect(root["a"]?.text == nil)
        #expect(root["a"]?.textAllowingNUL?.bytes == [0x78, 0, 0x79])
        #expect(root["b"]?.textAllowingNUL?.bytes == [0])
    }

    @Test("a single value at the top, if allowed")
    func anyTopLevel() throws {
        let limits = JSONLimits(allowsAnyTopLevel: true)
        #expect(try read(" 5 ", limits: limits).root.int64 == 5)
        #expect(try read("\"x\"", limits: limits).root.text?.string == "x")
        #expect(try read("null", limits: limits).root.isNull)
        #expect(try read(" 5 ", limits: limits).root.rawText == "5")
        #expect(failure("", limits: limits)?.reason == .prematureEnd)
    }

    @Test("integers at the ends of Int64")
    func integerBounds() throws {
        let root = try read("[9223372036854775807,-9223372036854775808,0,-0]").root
        #expect(root[0]?.int64 == .max)
        #expect(root[1]?.int64 == .min)
        #expect(root[2]?.int64 == 0)
        #expect(root[3]?.int64 == 0)
    }

    @Test(
        "a number out of range does not make the rest unreadable",
        arguments: [
            ("9223372036854775808", 0x1p63), ("-9223372036854775809", -0x1p63),
            ("12345678901234567890", 1.2345678901234567e19),
            ("1234567890123456789012345678", 1.2345678901234567e27),
            ("1" + String(repeating: "0", count: 200), 1e200), ("1e308", 1e308),
            ("1.7976931348623157e308", 1.7976931348623157e308), ("1.7976931348623159e308", nil),
            ("0.0000001e310", 1e303), ("123e-400", 0), ("1e309", nil), ("-1e400", nil), ("1e99999999999", nil),
            ("1e-99999999999", 0), ("18e307", nil), (String(repeating: "9", count: 400), nil),
            ("0." + String(repeating: "0", count: 320) + "1e700", nil),
        ] as [(String, Double?)])
    func outliers(lexeme: String, value: Double?) throws {
        for sensitive in [false, true] {
            let document = try read(
                #"{"big":\#(lexeme),"text":"12345678901234567890","list":[1,\#(lexeme) , 2],"also":1E999}"#,
                sensitive: sensitive)
            let big = try #require(document.root["big"])
            if let value {
                let number = try #require(big.double)
                #expect(abs(number - value) <= abs(value) * 1e-15)
            } else {
                #expect(big.isNull)
            }
            #expect(big.int64 == nil)
            #expect(document.root["text"]?.text?.string == "12345678901234567890")
            #expect(document.root["list"]?[0]?.int64 == 1)
            #expect(document.root["list"]?[2]?.int64 == 2)
            #expect(document.root["list"]?.count == 3)
            #expect(document.root["also"]?.isNull == true)
            #expect(document.root["big"]?.rawText == lexeme)
            #expect(document.root["also"]?.rawText == "1E999")
        }
    }

    @Test("a fault after a number out of range is still found, at its place")
    func outlierThenFault() {
        #expect(failure("[12345678901234567890,\n ?]") == JSONError(.syntax, offset: 25, line: 2, column: 2))
    }

    @Test("Jansson writes the same value again")
    func compact() throws {
        #expect(
            try read(#"{ "a" : [1, "ž\n", null, true] }"#).root.compact() == Array(#"{"a":[1,"ž\n",null,true]}"#.utf8))
        let any = JSONLimits(allowsAnyTopLevel: true)
        #expect(try read("7", limits: any).root.compact() == [0x37])
    }

    @Test("a document can be read by many threads at once")
    func threads() async throws {
        let document = try read("[" + (0..<500).map { #"{"id":"\#($0)","n":\#($0)}"# }.joined(separator: ",") + "]")
        await withTaskGroup(of: Int64.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var sum: Int64 = 0
                    for index in 0..<document.root.count {
                        sum += document.root[index]?["n"]?.int64 ?? 0
                        if document.root[index]?["id"]?.text?.string != "\(index)" { sum = .min }
                    }
                    return sum
                }
            }
            for await sum in group { #expect(sum == 124_750) }
        }
    }
}
