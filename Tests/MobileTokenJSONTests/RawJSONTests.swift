import Foundation
import MobileTokenJSON
import Testing

@Suite("Slices of JSON text")
struct RawJSONTests {
    @Test(
        "numbers keep every digit",
        arguments: ["965165234082.23", "12345678901234567890.12", "1E+3", "-0.00", "1e-7", "5"])
    func lexemes(lexeme: String) throws {
        let document = try read(#" { "a" : [ { "amount" : \#(lexeme) } ] } "#)
        let slice = document.raw.member("a")?.elements.first { _ in true }?.member("amount")
        #expect(slice?.string == lexeme)
        #expect(slice?.number != nil)
    }

    @Test("slices end where the values end")
    func bounds() throws {
        let document = try read(#" {"s" : "a\"}b" , "o":{ "x":[ ]} ,"t":true,"n":null } "#)
        let raw = document.raw
        #expect(raw.string == #"{"s" : "a\"}b" , "o":{ "x":[ ]} ,"t":true,"n":null }"#)
        #expect(raw.member("s")?.string == #""a\"}b""#)
        #expect(raw.member("o")?.string == #"{ "x":[ ]}"#)
        #expect(raw.member("o")?.member("x")?.string == "[ ]")
        #expect(raw.member("t")?.string == "true")
        #expect(raw.member("n")?.string == "null")
        #expect(raw.member("x") == nil)
        #expect(raw.member("n")?.member("x") == nil)
        #expect(raw.member("n").map { Array($0.elements).isEmpty } == true)
    }

    @Test("names are compared decoded")
    func escapedNames() throws {
        let raw = try read(#"{"\u0061\n\/":1,"\ud83d\ude00":2,"ž":3}"#).raw
        #expect(raw.member("a\n/")?.string == "1")
        #expect(raw.member("😀")?.string == "2")
        #expect(raw.member("ž")?.string == "3")
        #expect(raw.member("a") == nil)
        #expect(raw.member(#"\u0061\n\/"#) == nil)
    }

    @Test("a slice keeps its document")
    func lifetime() throws {
        let slice = try read(#"{"a":[1,2]}"#).raw.member("a")
        #expect(slice?.string == "[1,2]")
    }

    @Test("number texts are taken apart exactly")
    func numbers() throws {
        func number(_ text: String) -> JSONNumberLexeme? {
            Array(text.utf8).withUnsafeBytes { bytes in
                // The lexeme is only looked at while the bytes live.
                JSONNumberLexeme(bytes).map { $0 }
            }
        }
        #expect(number("-12.50e+3")?.isNegative == true)
        #expect(number("-12.50e+3")?.integerDigits == 1..<3)
        #expect(number("-12.50e+3")?.fractionDigits == 4..<6)
        #expect(number("-12.50e+3")?.exponent == 3)
        #expect(number("-12.50e+3")?.isInteger == false)
        #expect(number("0E-2")?.exponent == -2)
        #expect(number("7")?.isInteger == true)
        #expect(number("1e2000000000").map { $0.exponent == nil } == true)
        for text in ["", "-", "01", "1.", ".5", "1e", "1e+", "1 ", " 1", "0x1", "1.2.3", "--1", "Infinity", "1e1.5"] {
            #expect(number(text) == nil, "\(text)")
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
        #expect(document.raw.value(at: pointer)?.string == text)
        let value = try #require(document.root.value(at: pointer))
        #expect(try value.compact() == read(text, limits: JSONLimits(allowsAnyTopLevel: true)).root.compact())
        #expect(document.root.value(at: "")?.count == 10)
        for broken in ["foo", "/foo/2", "/foo/-", "/foo/00", "/foo/a", "/foo/0/x", "/a/b", "/m~n", "/m~2n", "/m~"] {
            #expect(document.root.value(at: broken) == nil && document.raw.value(at: broken) == nil)
        }
    }

    @Test("any bytes at all can be scanned")
    func hostile() {
        var random = RandomJSON(seed: 7)
        let alphabet = Array("{}[]\",:\\ \n0e-.tu\u{0}".utf8) + [0x80, 0xFF]
        for _ in 0..<20_000 {
            let bytes = (0..<random.number(below: 40)).map { _ in alphabet[random.number(below: alphabet.count)] }
            bytes.withUnsafeBytes { buffer in
                let raw = RawJSON(buffer)
                var count = 0
                for slice in raw.elements {
                    count += 1 + Array(slice.elements).count
                    _ = slice.number
                    _ = slice.member("0")
                }
                _ = raw.member("t")
                #expect(count <= bytes.count * bytes.count)
            }
        }
        let deep = [UInt8](repeating: 0x5B, count: 100_000)
        deep.withUnsafeBytes { #expect(RawJSON($0).bytes.isEmpty) }
    }
}
