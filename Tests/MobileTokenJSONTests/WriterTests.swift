import Foundation
import MobileTokenJSON
import Testing

@Suite("Writing JSON")
struct WriterTests {
    private func written(_ body: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        body(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test("commas stand where they belong")
    func structure() {
        let text = written { writer in
            writer.beginObject()
            writer.key("a")
            writer.value(1)
            writer.key("b")
            writer.beginArray()
            writer.value("x")
            writer.beginObject()
            writer.endObject()
            writer.beginArray()
            writer.endArray()
            writer.value(true)
            writer.value(false)
            writer.endArray()
            writer.key("c")
            writer.raw(Array("{\"raw\":1.0}".utf8))
            writer.key("d")
            writer.value(-5 as Int64)
            writer.endObject()
        }
        #expect(text == #"{"a":1,"b":["x",{},[],true,false],"c":{"raw":1.0},"d":-5}"#)
    }

    @Test("control characters, quotes and backslashes are escaped, nothing else")
    func escapes() {
        #expect(
            written { $0.value("\u{8}\t\n\u{C}\r\u{0}\u{1F}\"\\/\u{7F}ž😀") }
                == #""\b\t\n\f\r\u0000\u001f\"\\/"# + "\u{7F}ž😀\"")
        #expect(
            written {
                $0.beginObject()
                $0.key("a\"\n")
                $0.value(1)
                $0.endObject()
            } == #"{"a\"\n":1}"#)
    }

    @Test("numbers")
    func numbers() {
        #expect(written { $0.value(Int64.min) } == "-9223372036854775808")
        #expect(written { $0.value(Int64.max) } == "9223372036854775807")
    }

    @Test("texts and slices of a document are written without change")
    func fromDocument() throws {
        let document = try read(#"{"t":"a\u000a","n":1E+3}"#)
        let text = try #require(document.root["t"]?.text)
        let number = try #require(document.root["n"])
        #expect(
            written {
                $0.beginArray()
                $0.value(text)
                $0.raw(number.raw)
                $0.endArray()
            } == #"["a\n",1E+3]"#)
    }

    @Test("bytes that are no text are refused, and nothing is written")
    func bytes() throws {
        var writer = JSONWriter()
        writer.beginArray()
        try Array("ž".utf8).withUnsafeBytes { try writer.value(utf8: $0) }
        #expect(throws: JSONError(.invalidUTF8, offset: 1, line: 1, column: 1)) {
            try ([0x61, 0xFF] as [UInt8]).withUnsafeBytes { try writer.value(utf8: $0) }
        }
        writer.endArray()
        #expect(writer.bytes == Array("[\"ž\"]".utf8))
    }

    @Test("a writer can be wiped, and used again")
    func wipe() {
        var writer = JSONWriter(sensitive: true)
        writer.beginArray()
        writer.value("secret")
        writer.wipe()
        #expect(writer.bytes.isEmpty)
        writer.beginArray()
        writer.endArray()
        #expect(writer.withBytes { $0.count } == 2)
        #expect(writer.bytes == Array("[]".utf8))
    }
}
