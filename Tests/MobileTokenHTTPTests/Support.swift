import Foundation
import TestSupport
import Testing

@testable import MobileTokenHTTP
@testable import MobileTokenSystem

/// A child process that says "ready PORT" when it serves, and lives until it is dropped.
final class Server: @unchecked Sendable {
    let port: Int
    private let process = Process()
    private let input = Pipe()
    private let output: Lines

    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("servers")

    init(_ script: String, _ arguments: [String] = [], interpreter: String = "python3", quiet: Bool = false) throws {
        let pipe = Pipe()
        output = Lines(pipe.fileHandleForReading)
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [interpreter, Self.folder.appendingPathComponent(script).path] + arguments
        process.standardInput = input
        process.standardOutput = pipe
        try process.run()
        let words = (output.next() ?? "").split(separator: " ")
        struct NotReady: Error {}
        guard words.first == "ready" else {
            if !quiet { Issue.record("\(script) did not start: \(words.joined(separator: " "))") }
            throw NotReady()
        }
        port = words.count > 1 ? Int(words[1]) ?? 0 : 0
    }

    deinit {
        try? input.fileHandleForWriting.close()
    }

    /// The next line of output; nil at its end.
    func nextLine() -> String? { output.next() }

    private final class Lines {
        private let handle: FileHandle
        private var buffer = Data()

        init(_ handle: FileHandle) { self.handle = handle }

        func next() -> String? {
            while !buffer.contains(10) {
                let data = handle.availableData
                if data.isEmpty { return nil }
                buffer.append(data)
            }
            let end = buffer.firstIndex(of: 10) ?? buffer.endIndex
            defer { buffer = Data(buffer[(end + 1)...]) }
            return String(decoding: buffer[..<end], as: UTF8.self)
        }
    }

    struct Counts: Decodable {
        var connections: Int
        var requests: [String: Int]
    }

    /// Gives a command to http_server.py and waits for its answer.
    @discardableResult
    func command(_ text: String) throws -> Counts {
        try input.fileHandleForWriting.write(contentsOf: Data((text + "\n").utf8))
        return try JSONDecoder().decode(Counts.self, from: Data(try #require(nextLine()).utf8))
    }

    func counts() throws -> Counts { try command("counts") }
}

/// The certificates of servers/certificates.py, made once per run and removed at its end.
enum Certificates {
    static let folder: URL = {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mtoken-http-\(UUID().uuidString)")
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        atexit { try? FileManager.default.removeItem(at: Certificates.folder) }
        _ = try? Server("certificates.py", [folder.path])
        return folder
    }()

    static func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    static func content(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
    }

    static func pin(_ name: String, expires: Int64? = nil) throws -> PublicKeyPin {
        let text = String(decoding: try content(name + ".pin"), as: UTF8.self)
        return try #require(PublicKeyPin(base64: text, expires: expires))
    }

    /// An HTTPS server with that certificate.
    static func server(_ name: String, _ arguments: [String] = []) throws -> Server {
        try Server("http_server.py", ["--tls", path(name + ".pem"), path(name + ".key")] + arguments)
    }

    /// Trusts the test authority only.
    static var policy: TLSPolicy { TLSPolicy(trust: .caFile(path("ca.pem"))) }
}

typealias Reply = Result<HTTPResponse, TransportError>

/// A loop with a transport for one test.
final class Network: @unchecked Sendable {
    let loop: Loop
    let transport: CurlTransport

    init(time: TimeSource = TimeSource(), _ configure: (inout TransportOptions) -> Void = { _ in }) throws {
        var options = TransportOptions()
        configure(&options)
        loop = try Loop(time: time)
        transport = try CurlTransport(loop: loop, options: options)
    }

    deinit {
        close()
    }

    func close() {
        loop.post { [transport] in transport.shutdown() }
        loop.stop()
    }

    /// Runs something on the loop and waits for its result.
    func onLoop<Value: Sendable>(_ work: @escaping @Sendable () -> Value) throws -> Value {
        let promise = Promise<Value>()
        loop.post { promise.fulfil(work()) }
        return try promise.wait()
    }

    final class Pending: @unchecked Sendable {
        let promise = Promise<Reply>()
        var id = TransferID(0)
    }

    func start(_ request: HTTPRequest) throws -> Pending {
        let pending = Pending()
        let transport = transport
        try onLoop { pending.id = transport.send(request) { pending.promise.fulfil($0) } }
        return pending
    }

    func cancel(_ pending: Pending) {
        let transport = transport
        loop.post { transport.cancel(pending.id) }
    }

    func send(_ request: HTTPRequest) throws -> Reply {
        try start(request).promise.wait()
    }

    /// Sends, and waits until everything that the transport posted has run too.
    func get(_ request: HTTPRequest) throws -> HTTPResponse {
        try send(request).get()
    }

    func failure(_ request: HTTPRequest, _ location: SourceLocation = #_sourceLocation) throws -> TransportError {
        switch try send(request) {
        case .success(let response):
            Issue.record("an answer came: \(response.status)", sourceLocation: location)
            throw TransportError(.internal, detail: "unexpected answer")
        case .failure(let error): return error
        }
    }
}

extension HTTPRequest {
    /// The time limit of requests whose limit is no matter of the test: nothing comes so late, on the busiest machine.
    private static let patience: Int64 = 300_000

    /// A request to a plain test server.
    static func plain(
        _ server: Server, _ path: String, _ method: Method = .get, body: [UInt8] = [], atMostOnce: Bool = false
    ) -> HTTPRequest {
        HTTPRequest(
            method, "http://127.0.0.1:\(server.port)\(path)", body: body, timeoutMilliseconds: patience,
            atMostOnce: atMostOnce, tls: TLSPolicy(allowPlainHTTP: true))
    }

    /// A request to a TLS test server.
    static func secure(
        _ server: Server, _ path: String, _ method: Method = .get, body: [UInt8] = [], atMostOnce: Bool = false,
        host: String = "localhost"
    ) -> HTTPRequest {
        HTTPRequest(
            method, "https://\(host):\(server.port)\(path)", body: body, timeoutMilliseconds: patience,
            atMostOnce: atMostOnce, tls: Certificates.policy)
    }
}

extension [UInt8] {
    init(_ text: String) { self = [UInt8](text.utf8) }
}
