import MobileTokenCrypto
import Testing

@testable import MobileTokenModel

@Suite("The configuration that a bank keeps for its application")
struct RemoteConfigurationTests {
    private func decode(_ list: String) -> RemoteConfiguration? {
        RemoteConfiguration(SecureBytes(Array(#"{"config":\#(list)}"#.utf8)))
    }

    @Test(
        "an odd entry hides itself only, and is reported",
        arguments: [
            ("5", "value: wrong type"), ("null", "value: wrong type"), (#"{"value":1}"#, "key: missing"),
            (#"{"key":5,"value":1}"#, "key: wrong type"), (#"{"key":null,"value":1}"#, "key: missing"),
            (#"{"key":"k"}"#, "value: missing"), (#"{"key":"k","key":"l","value":1}"#, "value: unreadable"),
        ])
    func odd(entry: String, fault: String) throws {
        let read = try #require(
            decode(#"[{"key":"a","value":1,"scope":"APPLICATION"},\#(entry),{"key":"b","value":null,"scope":5}]"#))
        #expect(read.entries.map(\.key.string) == ["a", "b"])
        #expect(read.entries.map { String(decoding: $0.value, as: UTF8.self) } == ["1", "null"])
        #expect(read.entries.map(\.scope) == [.application, .other])
        #expect(read.issues == ["entry 1: \(fault)"] && read.skippedCount == 1)
    }

    @Test("a hundred issues are told, all are counted")
    func many() throws {
        let read = try #require(decode("[" + [String](repeating: "5", count: 250).joined(separator: ",") + "]"))
        #expect(read.entries.isEmpty && read.issues.count == 100 && read.skippedCount == 250)
        #expect(decode("{}") == nil && decode("null") == nil && decode("[") == nil)
    }
}
