import Foundation
import Testing

@testable import MobileTokenHTTP

/// A copy of a signed request repeats a counter: it fails and costs the user an attempt, or an operation runs twice.
@Suite struct AtMostOnceTests {
    func server(_ isSecure: Bool) throws -> Server {
        try isSecure ? Certificates.server("good") : Server("http_server.py")
    }

    func request(
        _ server: Server, _ isSecure: Bool, _ path: String, _ method: HTTPRequest.Method, size: Int, atMostOnce: Bool
    ) -> HTTPRequest {
        let body = [UInt8](repeating: 0x61, count: size)
        return isSecure
            ? .secure(server, path, method, body: body, atMostOnce: atMostOnce)
            : .plain(server, path, method, body: body, atMostOnce: atMostOnce)
    }

    /// The server answers a request, keeps the connection, reads the next request to its end and closes without a word.
    /// libcurl takes that for a connection that died while it was idle, and would send again.
    @Test(arguments: [false, true], [0, 1, 100_000])
    func aConnectionThatDiesAfterTheRequest(isSecure: Bool, size: Int) throws {
        let server = try server(isSecure)
        let network = try Network()
        for method in [HTTPRequest.Method.post, .get] {
            let first = request(server, isSecure, "/echo", .post, size: 1, atMostOnce: false)
            #expect(try network.get(first).status == 200)
            let before = try server.counts().requests["/drop"] ?? 0
            let error = try network.failure(
                request(server, isSecure, "/drop", method, size: size, atMostOnce: true))
            #expect(error.code == .connectionLost && error.sent == .sentAnswerUnknown, "\(error)")
            #expect(try server.counts().requests["/drop"] == before + 1)
        }
    }

    /// That libcurl does repeat shows that the test above tests something: requests without the promise are repeated,
    /// and arrive whole each time.
    @Test(arguments: [false, true], [0, 1, 100_000])
    func otherRequestsAreRepeated(isSecure: Bool, size: Int) throws {
        let server = try server(isSecure)
        let network = try Network()
        #expect(try network.get(request(server, isSecure, "/echo", .post, size: 1, atMostOnce: false)).status == 200)
        let error = try network.failure(request(server, isSecure, "/drop", .post, size: size, atMostOnce: false))
        #expect(error.code == .connectionLost && error.sent == .sentAnswerUnknown, "\(error)")
        #expect(try server.counts().requests["/drop"] == 2)
    }

    /// The server closes the idle connection before the next request: that one goes out on a new connection, or not at
    /// all, or its end is unknown; but it arrives at most once.
    @Test(arguments: [false, true], [0, 1, 100_000])
    func aConnectionThatDiedWhileIdle(isSecure: Bool, size: Int) throws {
        let server = try server(isSecure)
        let network = try Network()
        var arrived = 0
        var unknown = 0
        for _ in 0..<30 {
            // Says keep-alive and closes, at some moment before, during or after the next request.
            _ = try network.get(request(server, isSecure, "/echo-then-close", .get, size: 0, atMostOnce: false))
            let reply = try network.send(request(server, isSecure, "/echo", .post, size: size, atMostOnce: true))
            let now = try server.counts().requests["/echo"] ?? 0
            switch reply {
            case .success: #expect(now == arrived + 1)
            case .failure(let error):
                #expect(error.code == .connectionLost, "\(error)")
                #expect(now <= (error.sent == .notSent ? arrived : arrived + 1))
                unknown += 1
            }
            arrived = now
        }
        print("at most once: \(unknown) of 30 requests of unknown end on connections that closed (\(size) bytes)")
    }

    /// Many clients on connections that all die: the number of requests is the number of sends.
    @Test func underLoad() throws {
        let server = try server(false)
        let network = try Network()
        let warm = try (0..<50).map { _ in try network.start(.plain(server, "/hold")) }
        try server.command("await /hold 50")
        try server.command("release")
        for pending in warm { _ = try pending.promise.wait() }
        let all = try (0..<100).map { _ in
            try network.start(.plain(server, "/drop", .post, body: [1, 2, 3], atMostOnce: true))
        }
        for pending in all {
            let error = try #require(try pending.promise.wait().error)
            #expect(error.code == .connectionLost && error.sent == .sentAnswerUnknown, "\(error)")
        }
        #expect(try server.counts().requests["/drop"] == 100)
    }
}

/// Needs a Python with the package h2: MTOKEN_HTTP2_PYTHON names it, python3 is the default.
@Suite struct HTTP2Tests {
    static let python = ProcessInfo.processInfo.environment["MTOKEN_HTTP2_PYTHON"] ?? "python3"

    /// Nil, with a line that says why, when there is no HTTP/2 server on this machine.
    func server() -> Server? {
        let arguments = [Certificates.path("good.pem"), Certificates.path("good.key")]
        guard let server = try? Server("http2_server.py", arguments, interpreter: Self.python, quiet: true) else {
            print("not run: \(Self.python) has no package h2 (set MTOKEN_HTTP2_PYTHON to one that has it)")
            return nil
        }
        return server
    }

    @Test func manyRequestsShareOneConnection() throws {
        guard let server = server() else { return }
        let network = try Network()
        // Fewer than the 100 streams that the server allows on one connection; beyond, libcurl opens more.
        let all = try (0..<90).map { index in
            try network.start(
                .secure(server, "/echo", .post, body: [1, 2, 3], atMostOnce: index % 2 == 0, host: "127.0.0.1"))
        }
        for pending in all {
            let response = try pending.promise.wait().get()
            #expect(response.status == 200 && response.version == .http2)
            #expect(response.body == [UInt8]("{\"length\": 3}"))
            #expect(response.headers["content-type"] == "application/json")
        }
        #expect(try server.counts().connections == 1)
    }

    @Test func canBeSwitchedOff() throws {
        guard let server = server() else { return }
        let network = try Network { $0.allowsHTTP2 = false }
        #expect(try network.get(.secure(server, "/echo", .post, body: [1])).version == .http11)
    }

    @Test(arguments: ["/refuse-first", "/goaway-first", "/require-http1", "/drop", "/fail"], [false, true])
    func aSignedRequestIsNotRepeated(path: String, isReused: Bool) throws {
        guard let server = server() else { return }
        let network = try Network()
        if isReused { _ = try network.get(.secure(server, "/echo")) }
        let error = try network.failure(.secure(server, path, .post, body: [1, 2, 3], atMostOnce: true))
        #expect(error.code == .connectionLost && error.sent == .sentAnswerUnknown, "\(error)")
        #expect(try server.counts().requests[path] == 1)
    }

    /// One without a body goes by HTTP/1.1 on a connection of its own.
    @Test func aSignedRequestWithoutBody() throws {
        guard let server = server() else { return }
        let network = try Network()
        _ = try network.get(.secure(server, "/echo"))
        let response = try network.get(.secure(server, "/echo", .get, atMostOnce: true))
        #expect(response.version == .http11 && !response.timing.reusedConnection)
        #expect(try network.get(.secure(server, "/refuse-first", .post, atMostOnce: true)).status == 200)
        #expect(try server.counts().requests == ["/echo": 2, "/refuse-first": 1])
    }

    @Test(arguments: ["/refuse-first", "/require-http1"])
    func otherRequestsAreRepeated(path: String) throws {
        guard let server = server() else { return }
        let network = try Network()
        #expect(try network.get(.secure(server, path, .post, body: [1, 2, 3])).status == 200)
        #expect(try server.counts().requests[path] == 2)
    }

    @Test func cancellingOneLeavesTheOthers() throws {
        guard let server = server() else { return }
        let network = try Network()
        let held = try network.start(.secure(server, "/hold", .post, body: [1], atMostOnce: true))
        try server.command("await /hold 1")
        network.cancel(held)
        let error = try #require(try held.promise.wait().error)
        #expect(error.code == .cancelled && error.sent == .sentAnswerUnknown)
        #expect(try network.get(.secure(server, "/echo", .post, body: [1])).status == 200)
        #expect(try server.counts().connections == 1)
    }
}
