import Foundation
import TestSupport
import Testing

@testable import MobileTokenJSON

@Suite("Values as they were received")
struct RawTests {
    @Test(
        "numbers keep every digit",
        arguments: ["965165234082.23", "12345678901234567890.12", "1E+3", "-0.00", "1e-7", "5"])
    func lexemes(lexeme: String) throws {
        let document = try read(#" { "a" : [ { "amount" : \#(lexeme) } ] } "#)
        let amount = document.root["a"]?[0]?["amount"]
        #expect(amount?.rawText == lexeme)
        #expect(amount?.node.number != nil)
    }

    @Test("a value ends where its text ends")
    func bounds() throws {
        let document = try read(#" {"s" : "a\"}b" , "o":{ "x":[ ]} ,"t":true,"n":null } "#)
        let root = document.root
        #expect(root.rawText == #"{"s" : "a\"}b" , "o":{ "x":[ ]} ,"t":true,"n":null }"#)
        #expect(root.member("s")?.rawText == #""a\"}b""#)
        #expect(root.member("o")?.rawText == #"{ "x":[ ]}"#)
        #expect(root.member("o")?.member("x")?.rawText == "[ ]")
        #expect(root.member("t")?.rawText == "true")
        #expect(root.member("n")?.rawText == "null")
        #expect(root.member("x") == nil)
        #expect(root.member("n")?.member("x") == nil)
        #expect(root["n"]?.count == 0)
    }

    @Test("names are compared decoded")
    func escapedNames() throws {
        let root = try read(#"{"\u0061\n\/":1,"\ud83d\ude00":2,"ž":3}"#).root
        #expect(root.member("a\n/")?.rawText == "1")
        #expect(root.member("😀")?.rawText == "2")
        #expect(root.member("ž")?.rawText == "3")
        #expect(root.member("a") == nil)
        #expect(root.member(#"\u0061\n\/"#) == nil)
    }

    @Test("a value keeps its document")
    func lifetime() throws {
        let slice = try read(#"{"a":[1,2]}"#).root.member("a")
        #expect(value?.rawText == "[1,2]")
    }

    @Test("number texts are taken apart exactly")
    func numbers() throws {
        var documents: [JSONDocument] = []
        func number(_ text: String) throws -> JSONNumberLexeme? {
            documents.append(try read("[\(text)]"))
            return documents.last?.root[0]?.node.number
        }
        #expect(try number("-12.50e+3")?.isNegative == true)
        #expect(try number("-12.50e+3")?.integerDigits == 1..<3)
        #expect(try number("-12.50e+3")?.fractionDigits == 4..<6)
        #expect(try number("-12.50e+3")?.exponent == 3)
        #expect(try number("0E-2")?.exponent == -2)
        #expect(try number("1e2000000000").map { $0.exponent == nil } == true)
        for text in ["-", "01", "1.", ".5", "1e", "1e+", "0x1", "1.2.3", "--1", "Infinity", "1e1.5"] {
            #expect(failure("[\(text) ]") != nil, "\(text)")
        }
    }

    @Test(
        "JSON pointers: the examples of RFC 6901",
        arguments: [
            ("/foo", #"["bar", "baz"]"#), ("/foo/0", "\"bar\""), ("/", "0"), ("/a~1b", "1"), ("/c%d", "2"),
            ("/e^f", "3"),
            ("/g|h", "4"), (#"/i\j"#, "5"), (#"/k"l"#, "6"), ("/ ", "7"), ("/m~0n", "8"),
        ])
    func pointers(pointer: String, text: String) throws {
        let document = try read(
            #"{"foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6, " ": 7, "m~n": 8}"#
        )
        let value = try #require(document.root.value(at: pointer))
        #expect(value.rawText == text)
        #expect(document.root.value(at: "")?.count == 10)
        for broken in ["foo", "/foo/2", "/foo/-", "/foo/00", "/foo/a", "/foo/0/x", "/a/b", "/m~n", "/m~2n", "/m~"] {
            #expect(document.root.value(at: broken) == nil)
        }
    }
}
