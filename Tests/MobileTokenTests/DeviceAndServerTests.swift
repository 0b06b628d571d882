import MobileTokenCrypto
import MobileTokenHTTP
import MobileTokenJSON
import TestSupport
import Testing

@testable import MobileToken

/// What is told of the device, what the server tells of itself, and what requests are called.
struct DeviceAndServerTests {
    @Test(
        arguments: [
            ("PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nNAME=x\n", "Debian GNU/Linux 12 (bookworm)"),
            ("NAME=x\nPRETTY_NAME='Arch Linux'", "Arch Linux"), ("PRETTY_NAME=Alpine", "Alpine"),
            ("PRETTY_NAME=\n", nil), ("PRETTY_NAME=\"\"", nil), ("PRETTY_NAME=\"", nil), ("PRETTY_NAME=\"a", nil),
            ("PRETTY_NAME=\"a\\$b\"", nil), ("PRETTY_NAME=\"ä\"", nil), ("PRETTY_NAME=\"a\u{1}b\"", nil),
            (" PRETTY_NAME=x", nil), ("#PRETTY_NAME=x", nil), ("NAME=Debian", nil), ("", nil),
        ] as [(String, String?)])
    func nameOfTheOperatingSystem(content: String, name: String?) {
        #expect(DeviceInfo.prettyName([UInt8](content.utf8)) == name)
    }

    @Test func thisDevice() {
        let text = DeviceInfo.system
        #expect(!text.isEmpty && text.utf8.count <= DeviceInfo.maximumSize)
        #expect(text.utf8.allSatisfy { (0x20...0x7E).contains($0) })
    }

    @Test(
        arguments: [
            ("1.9.0", 1, 9), ("1.9", 1, 9), ("1.10.0", 1, 10), ("2.0.0-SNAPSHOT", 2, 0), ("1.10.0.4", 1, 10),
            ("0.24.1", 0, 24), ("01.09", 1, 9), ("999999.0", 999_999, 0),
        ])
    func versions(text: String, major: Int, minor: Int) {
        #expect(ServerVersion([UInt8](text.utf8)) == ServerVersion(major: major, minor: minor))
    }

    @Test(arguments: ["", "1", "1.", ".1", "1.x", "x.1", "1.-1", "1. 9", "1.10-SNAPSHOT", "1,9", "1000000.1", "v1.9"])
    func noVersions(text: String) {
        #expect(ServerVersion([UInt8](text.utf8)) == nil)
    }

    @Test(
        arguments: [
            #"{"application":{"version":"1.9.0"}}"#, #"{"application":{"version":19}}"#, #"{"application":"1.9.0"}"#,
            #"{"application":{"version":"1.9\u0000"}}"#, #"{"application":null}"#, "{}", "[]",
        ])
    func versionOfAnAnswer(json: String) throws {
        let content = try JSONDocument(parsing: [UInt8](json.utf8)).root
        #expect((ServerVersion(status: content) != nil) == json.contains(#""version":"1.9.0""#))
        #expect(ServerVersion(status: nil) == nil)
    }

    @Test func order() {
        let versions = [(0, 99), (1, 0), (1, 9), (1, 10), (1, 11), (2, 0)].map { ServerVersion(major: $0, minor: $1) }
        for (place, one) in versions.enumerated() {
            for (other, two) in versions.enumerated() { #expect((one < two) == (place < other)) }
        }
    }

    @Test func correlationIDs() throws {
        let random = FailingRandom()
        let id = try #require(CorrelationID.make(random))
        #expect(id.utf8.count == 36 && id != CorrelationID.make(random))
        #expect([UInt8](id.utf8)[14] == UInt8(ascii: "4"))
        #expect(try CorrelationID.check(id) == id)
        random.fails = true
        #expect(CorrelationID.make(random) == nil)
    }

    /// Without random bytes the request goes without a name: it is no reason to fail.
    @Test func aRequestWithoutRandomBytes() throws {
        let bench = try Bench()
        var options = try ClientOptions(
            id: "alice", configuration: .init(sdkConfiguration: Bench.configuration), baseURL: "https://example.com",
            operationsURL: nil, store: bench.store)
        options.sendsCorrelationID = true
        let client = try Client(runtime: bench.runtime, options: options)
        bench.transport.answer = { _ in Bench.response(500, "") }
        for fails in [false, true] {
            bench.random.fails = fails
            try client.synchronizeTime(task: CallTask(options: nil))
            bench.loop.runUntilIdle()
            let names = bench.transport.requests.last?.headers.map(\.name) ?? []
            #expect(names.contains("X-Correlation-ID") == !fails)
        }
    }
}
