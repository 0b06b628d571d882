import Foundation
import TestSupport
import Testing

@testable import MobileTokenHTTP
@testable import MobileTokenSystem

@Suite struct ExchangeTests {
    struct Echo: Decodable {
        var method: String
        var headers: [[String]]
        var length: Int
        var sum: Int

        func header(_ name: String) -> String? { headers.first { $0[0].lowercased() == name }?[1] }
        var names: [String] { headers.map { $0[0].lowercased() }.sorted() }
    }

    func echo(_ response: HTTPResponse) throws -> Echo {
        try JSONDecoder().decode(Echo.self, from: Data(response.body))
    }

    @Test(arguments: [HTTPRequest.Method.get, .post, .put, .delete, .patch], [0, 1, 70_000, 300_000])
    func carriesMethodAndBody(method: HTTPRequest.Method, size: Int) throws {
        let server = try Server("http_server.py")
        let network = try Network()
        for atMostOnce in [false, true] {
            try carries(method, size, atMostOnce, server, network)
        }
    }

    func carries(
        _ method: HTTPRequest.Method, _ size: Int, _ atMostOnce: Bool, _ server: Server, _ network: Network
    ) throws {
        let body = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
        let response = try network.get(.plain(server, "/echo", method, body: body, atMostOnce: atMostOnce))
        let echo = try echo(response)
        #expect(response.status == 200 && response.version == .http11)
        #expect(echo.method == "\(method.name)")
        #expect(echo.length == size)
        #expect(echo.sum == body.reduce(0) { $0 + Int($1) } % 1_000_003)
        // A body has a length, and nothing announces it in any other way.
        let hasLength = size > 0 || [.post, .put, .patch].contains(method)
        #expect(echo.header("content-length") == (hasLength ? "\(size)" : nil))
        #expect(echo.names == (hasLength ? ["content-length", "host"] : ["host"]))
    }

    @Test func sendsTheGivenHeadersAndNoOthers() throws {
        let server = try Server("http_server.py")
        let network = try Network()
        var request = HTTPRequest.plain(server, "/echo?q=1", .post, body: [1, 2])
        request.headers = [
            HTTPHeader("Content-Type", "application/json"), HTTPHeader("Accept", "application/json"),
            HTTPHeader("User-Agent", "libmtoken/1"), HTTPHeader("X-Empty", ""), HTTPHeader("X-Twice", "1"),
            HTTPHeader("X-Twice", "2; a=\"b, c\""), HTTPHeader("X-Text", "h\u{E4}"),
        ]
        let echo = try echo(network.get(request))
        #expect(
            echo.headers.filter { $0[0] != "Host" && $0[0] != "Content-Length" } == [
                ["Content-Type", "application/json"], ["Accept", "application/json"], ["User-Agent", "libmtoken/1"],
                ["X-Empty", ""], ["X-Twice", "1"], ["X-Twice", "2; a=\"b, c\""], ["X-Text", "h\u{C3}\u{A4}"],
            ])
        #expect(echo.header("host") == "127.0.0.1:\(server.port)")
    }

    @Test func answersHEADWithoutBody() throws {
        let server = try Server("http_server.py")
        let network = try Network()
        let response = try network.get(.plain(server, "/too-early", .head))
        #expect(response.status == 413 && response.body.isEmpty)
    }

    @Test(arguments: [200, 201, 204, 304, 400, 401, 404, 429, 500, 503, 999])
    func passesEveryStatusThrough(status: Int) throws {
        let server = try Server("http_server.py")
        let network = try Network()
        let response = try network.get(.plain(server, "/status/\(status)"))
        #expect(response.status == status)
        if status != 204, status != 304 { #expect(response.body == [UInt8]("<html>no json</html>")) }
        #expect(response.headers["content-type"] == "text/html")
    }

    @Test func doesNotFollowRedirects() throws {
        let server = try Server("http_server.py")
        let network = try Network()
        let response = try network.get(.plain(server, "/redirect"))
        #expect(response.status == 302 && response.headers["Location"] == "/echo")
        #expect(try server.counts().requests == ["/redirect": 1])
    }

    @Test func keepsNoCookies() throws {
        let server = try Server("http_server.py")
        let network = try Network()
        _ = try network.get(.plain(server, "/cookie"))
        #expect(try echo(network.get(.plain(server, "/echo"))).header("cookie") == nil)
    }

    @Test func readsChunksAndInterimAnswers() throws {
        let server = try Server("http_server.py")
        let network = try Network()
        let chunked = try network.get(.plain(server, "/chunked"))
        #expect(chunked.body == [UInt8]("Wikipedia!") && chunked.headers["x-late"] == nil)
        let late = try network.get(.plain(server, "/interim"))
        #expect(late.status == 200 && late.body == [UInt8]("late") && late.headers["link"] == nil)
        #expect(try network.get(.plain(server, "/until-close")).body == [UInt8]("until the end"))
        let secure = try Certificates.server("good")
        #expect(try network.get(.secure(secure, "/until-close")).body == [UInt8]("until the end"))
    }

    @Test func survivesOddHeaders() throws {
        let server = try Server("http_server.py")
        let headers = try Network().get(.plain(server, "/odd-headers")).headers
        #expect(headers["x-bytes"] == "\u{FFFD}\u{FFFD}")
        #expect(headers["X-Empty"] == "")
        #expect(headers.all.filter { $0.name == "X-Twice" }.map(\.value) == ["1", "2"])
    }

    @Test func takesAnAnswerThatComesBeforeTheRequestIsRead() throws {
        let server = try Server("http_server.py")
        let response = try Network().get(.plain(server, "/too-early", .post, body: [1]))
        #expect(response.status == 413)
    }

    @Test func usesOneConnectionForRequestsInARow() throws {
        let server = try Server("http_server.py")
        let network = try Network()
        for index in 0..<10 {
            let response = try network.get(.plain(server, "/echo", .post, body: [1], atMostOnce: index % 2 == 0))
            #expect(response.timing.reusedConnection == (index > 0))
        }
        #expect(try server.counts().connections == 1)
    }

    @Test func reportsTimes() throws {
        let server = try Server("http_server.py")
        let timing = try Network().get(.plain(server, "/echo")).timing
        #expect(timing.started >= 0 && timing.finished >= timing.started && timing.finished < 60_000)
    }

    @Test func resolvesNames() throws {
        let server = try Server("http_server.py")
        var request = HTTPRequest.plain(server, "/echo")
        request.url = "http://LOCALHOST:\(server.port)/echo"
        #expect(try echo(Network().get(request)).header("host")?.lowercased() == "localhost:\(server.port)")
    }

    @Test func reachesIPv6() throws {
        guard let server = try? Server("http_server.py", ["--ipv6"]) else {
            print("not run: this machine has no ::1")
            return
        }
        let network = try Network()
        var request = HTTPRequest.plain(server, "/echo")
        request.url = "http://[::1]:\(server.port)/echo"
        #expect(try network.get(request).status == 200)
        // The name has both addresses, and only one of them answers.
        request.url = "http://localhost:\(server.port)/echo"
        #expect(try network.get(request).status == 200)
    }

    @Test func ignoresTheProxiesOfTheEnvironment() throws {
        let server = try Server("http_server.py")
        for name in ["http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"] {
            setenv(name, "http://127.0.0.1:1", 1)
        }
        defer {
            for name in ["http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"] { unsetenv(name) }
        }
        #expect(try Network().get(.plain(server, "/echo")).status == 200)
    }
}

@Suite struct FailureTests {
    func expect(
        _ error: TransportError, _ code: TransportError.Code, _ sent: TransportError.Outcome,
        _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(error.code == code, "\(error)", sourceLocation: location)
        #expect(error.sent == sent, "\(error)", sourceLocation: location)
        #expect(!error.detail.isEmpty, sourceLocation: location)
    }

    @Test(arguments: [false, true])
    func connectionRefused(atMostOnce: Bool) throws {
        let network = try Network()
        let closed = try ClosedPort()
        let request = HTTPRequest(
            .post, "https://127.0.0.1:\(closed.port)/", body: [1], atMostOnce: atMostOnce)
        let error = try network.failure(request)
        expect(error, .connectionRefused, .notSent)
        #expect(error.systemError == ECONNREFUSED && error.curlCode == 7)
    }

    @Test func manyRefusedAtOnce() throws {
        let network = try Network()
        let closed = try ClosedPort()
        let all = try (0..<300).map { _ in try network.start(HTTPRequest(.get, "https://127.0.0.1:\(closed.port)/")) }
        for pending in all {
            guard case .failure(let error) = try pending.promise.wait() else { continue }
            expect(error, .connectionRefused, .notSent)
        }
    }

    @Test func hostNotFound() throws {
        expect(try Network().failure(HTTPRequest(.get, "https://absent.invalid/")), .hostNotFound, .notSent)
    }

    @Test func refusedBeforeAnythingIsDone() throws {
        let network = try Network()
        expect(try network.failure(HTTPRequest(.get, "http://127.0.0.1:1/")), .insecureURLRefused, .notSent)
        expect(try network.failure(HTTPRequest(.get, "https://a b/")), .invalidURL, .notSent)
        let header = HTTPRequest(.get, "https://127.0.0.1:1/", headers: [HTTPHeader("a", "\n")])
        expect(try network.failure(header), .invalidRequest, .notSent)
    }

    @Test(
        arguments: ["/drop", "/truncated", "/half-header", "/half-status", "/bad-chunk", "/switching"], [false, true])
    func connectionLost(path: String, atMostOnce: Bool) throws {
        let server = try Server("http_server.py")
        let request = HTTPRequest.plain(server, path, .post, body: [1], atMostOnce: atMostOnce)
        expect(try Network().failure(request), .connectionLost, .sentAnswerUnknown)
        #expect(try server.counts().requests == [path: 1])
    }

    @Test(arguments: ["/garbage", "/bad-status"])
    func badServerResponse(path: String) throws {
        let server = try Server("http_server.py")
        expect(try Network().failure(.plain(server, path)), .badServerResponse, .sentAnswerUnknown)
    }

    @Test(arguments: ["/huge", "/huge-chunked", "/body/1001", "/many-headers", "/long-headers", "/endless-header"])
    func responseTooLarge(path: String) throws {
        let server = try Server("http_server.py")
        let network = try Network()
        var request = HTTPRequest.plain(server, path)
        request.maximumResponseSize = 1000
        expect(try network.failure(request), .responseTooLarge, .sentAnswerUnknown)
        request.url = HTTPRequest.plain(server, "/body/1000").url
        #expect(try network.get(request).body.count == 1000)
        request.maximumResponseSize = 0
        expect(try network.failure(request), .responseTooLarge, .sentAnswerUnknown)
        request.url = HTTPRequest.plain(server, "/body/0").url
        #expect(try network.get(request).body.isEmpty)
    }

    @Test func timeout() throws {
        let server = try Server("http_server.py")
        let time = ManualTime()
        let network = try Network(time: time)
        var request = HTTPRequest.plain(server, "/hang", .post, body: [1], atMostOnce: true)
        let pending = try network.start(request)
        try server.command("await /hang 1")
        time.advance(milliseconds: request.timeoutMilliseconds)
        network.loop.wake()
        let error = try #require(try pending.promise.wait().error)
        expect(error, .timeout, .sentAnswerUnknown)
        // The connection is closed at once.
        try server.command("gone 1")
        request.timeoutMilliseconds = -5
        #expect(try Network().failure(request).code == .timeout)
    }

    @Test func timeoutWhileConnecting() throws {
        let full = try FullBacklog()
        var request = HTTPRequest(.get, "https://127.0.0.1:\(full.port)/")
        request.timeoutMilliseconds = 150
        expect(try Network().failure(request), .timeout, .notSent)
    }

    @Test func timeoutDuringTheTLSHandshake() throws {
        let silent = try ClosedPort(listens: true)
        var request = HTTPRequest(.post, "https://127.0.0.1:\(silent.port)/", body: [1])
        request.timeoutMilliseconds = 150
        expect(try Network().failure(request), .timeout, .notSent)
    }
}

@Suite struct QueueTests {
    @Test(arguments: [false, true])
    func runsManyInParallel(isSecure: Bool) throws {
        let server = try isSecure ? Certificates.server("good") : Server("http_server.py")
        let network = try Network()
        let request: HTTPRequest = isSecure ? .secure(server, "/hold") : .plain(server, "/hold", .post, body: [1])
        let all = try (0..<200).map { _ in try network.start(request) }
        try server.command("await /hold 200")
        try server.command("release")
        for pending in all { #expect(try pending.promise.wait().get().status == 200) }
        for pending in all { #expect(pending.promise.count == 1) }
    }

    @Test func twoHundredOverTLS() throws {
        let server = try Certificates.server("good")
        let network = try Network()
        let all = try (0..<200).map { _ in try network.start(.secure(server, "/echo", .post, body: [1])) }
        for pending in all { #expect(try pending.promise.wait().get().status == 200) }
        #expect(try server.counts().requests == ["/echo": 200])
    }

    @Test func keepsTheCapAndTheOrder() throws {
        let server = try Server("http_server.py")
        let network = try Network { $0.maximumConcurrentTransfers = 2 }
        let first = try (0..<2).map { _ in try network.start(.plain(server, "/hold")) }
        try server.command("await /hold 2")
        let order = Recorder<Int>()
        let done = Promise<Bool>()
        let transport = network.transport
        nonisolated(unsafe) var ids: [TransferID] = []
        network.loop.post {
            for number in 0..<20 {
                ids.append(
                    transport.send(.plain(server, "/body/\(number)")) { result in
                        order.add(result.isSuccess ? number : -number)
                        if order.all.count == 20 { done.fulfil(true) }
                    })
            }
            // Those that wait are cancelled without having been sent.
            for number in [3, 7] { transport.cancel(ids[number]) }
        }
        try server.command("await /hold 2")
        #expect(try server.counts().requests == ["/hold": 2])
        try server.command("release")
        _ = try done.wait()
        #expect(Set(order.all) == Set((0..<20).map { [3, 7].contains($0) ? -$0 : $0 }))
        #expect(Array(order.all.prefix(2)) == [-3, -7])
        let started = try server.counts().requests
        #expect(started["/body/3"] == nil && started["/body/7"] == nil && started.count == 19)
        for pending in first { _ = try pending.promise.wait() }
    }

    @Test func startsInTheOrderOfArrival() throws {
        let server = try Server("http_server.py")
        let network = try Network { $0.maximumConcurrentTransfers = 1 }
        let order = Recorder<Int>()
        let done = Promise<Bool>()
        let transport = network.transport
        network.loop.post {
            for number in 0..<50 {
                _ = transport.send(.plain(server, "/echo")) { _ in
                    order.add(number)
                    if number == 49 { done.fulfil(true) }
                }
            }
        }
        _ = try done.wait()
        #expect(order.all == Array(0..<50))
        #expect(try server.counts().connections == 1)
    }

    @Test func countsTheWaitToTheTimeLimit() throws {
        let server = try Server("http_server.py")
        let network = try Network { $0.maximumConcurrentTransfers = 1 }
        let first = try network.start(.plain(server, "/hold"))
        try server.command("await /hold 1")
        var second = HTTPRequest.plain(server, "/echo", .post, body: [1])
        second.timeoutMilliseconds = 100
        let error = try network.failure(second)
        #expect(error.code == .timeout && error.sent == .notSent)
        try server.command("release")
        #expect(try first.promise.wait().get().status == 200)
        #expect(try server.counts().requests == ["/hold": 1])
    }

    @Test func failsManyThatCannotStart() throws {
        let pin = try #require(PublicKeyPin(base64: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", expires: 1))
        let network = try Network()
        let request = HTTPRequest(.get, "https://127.0.0.1:1/", tls: TLSPolicy(pins: [pin]))
        let count = Promise<Bool>()
        let transport = network.transport
        network.loop.post {
            nonisolated(unsafe) var mismatches = 0
            for number in 0..<20_000 {
                _ = transport.send(request) { result in
                    if result.error?.code == .pinMismatch { mismatches += 1 }
                    if number == 19_999 { count.fulfil(mismatches == 20_000) }
                }
            }
        }
        #expect(try count.wait())
    }
}

@Suite struct CancellationTests {
    @Test func beforeAnythingHappened() throws {
        let server = try Server("http_server.py")
        let network = try Network()
        let order = Recorder<String>()
        let done = Promise<TransportError?>()
        let transport = network.transport
        network.loop.post {
            let id = transport.send(.plain(server, "/echo", .post, body: [1])) { result in
                order.add("completed")
                done.fulfil(result.error)
            }
            order.add("sent")
            transport.cancel(id)
            transport.cancel(id)
            order.add("cancelled")
        }
        let error = try #require(try done.wait())
        #expect(error.code == .cancelled && error.sent == .notSent)
        #expect(order.all == ["sent", "cancelled", "completed"])
        #expect(try server.counts().requests.isEmpty)
    }

    @Test func whileWaitingForTheAnswer() throws {
        let server = try Server("http_server.py")
        let network = try Network()
        let pending = try network.start(.plain(server, "/hang", .post, body: [1], atMostOnce: true))
        try server.command("await /hang 1")
        network.cancel(pending)
        let error = try #require(try pending.promise.wait().error)
        #expect(error.code == .cancelled && error.sent == .sentAnswerUnknown)
        try server.command("gone 1")
        network.cancel(pending)
        #expect(try network.get(.plain(server, "/echo")).status == 200)
        #expect(pending.promise.count == 1)
    }

    @Test func afterTheEndHasNoEffectOnOthers() throws {
        let server = try Server("http_server.py")
        let network = try Network()
        let first = try network.start(.plain(server, "/echo"))
        _ = try first.promise.wait()
        let second = try network.start(.plain(server, "/hold"))
        try server.command("await /hold 1")
        network.cancel(first)
        let transport = network.transport
        network.loop.post {
            transport.cancel(TransferID(0))
            transport.cancel(TransferID(.max))
        }
        try server.command("release")
        #expect(try second.promise.wait().get().status == 200)
    }

    @Test func fromACompletion() throws {
        let server = try Server("http_server.py")
        let network = try Network()
        let held = try network.start(.plain(server, "/hold"))
        let transport = network.transport
        let again = Promise<Bool>()
        network.loop.post {
            _ = transport.send(.plain(server, "/echo")) { _ in
                transport.cancel(held.id)
                _ = transport.send(.plain(server, "/echo")) { again.fulfil($0.isSuccess) }
            }
        }
        #expect(try again.wait())
        #expect(try held.promise.wait().error?.code == .cancelled)
    }

    @Test func shutdownEndsEverything() throws {
        let server = try Server("http_server.py")
        let network = try Network { $0.maximumConcurrentTransfers = 3 }
        let all = try (0..<10).map { _ in try network.start(.plain(server, "/hold")) }
        try server.command("await /hold 3")
        let transport = network.transport
        let late = Promise<Reply>()
        let completed = try network.onLoop {
            transport.shutdown()
            transport.shutdown()
            let count = all.filter { $0.promise.count == 1 }.count
            _ = transport.send(.plain(server, "/echo")) { late.fulfil($0) }
            return count
        }
        #expect(completed == 10)
        let outcomes = try all.map { try #require(try $0.promise.wait().error) }
        #expect(outcomes.allSatisfy { $0.code == .cancelled })
        #expect(outcomes.filter { $0.sent == .sentAnswerUnknown }.count == 3)
        #expect(try late.wait().error?.code == .cancelled)
        try server.command("release")
        try server.command("gone 3")
        #expect(try network.onLoop { network.loop.scheduledTimers } == 0)
        network.close()
    }

    @Test func shutdownFromACompletion() throws {
        let server = try Server("http_server.py")
        let network = try Network()
        let held = try network.start(.plain(server, "/hold"))
        let transport = network.transport
        let done = Promise<Int>()
        network.loop.post {
            _ = transport.send(.plain(server, "/echo")) { _ in
                transport.shutdown()
                done.fulfil(held.promise.count)
            }
        }
        #expect(try done.wait() == 1)
        network.close()
    }

    @Test func closesIdleConnectionsAfterAWhile() throws {
        let server = try Server("http_server.py")
        let time = TimeSource()
        let network = try Network(time: time) { $0.idleMilliseconds = 20 }
        _ = try network.get(.plain(server, "/echo"))
        try server.command("gone 1")
        #expect(try network.get(.plain(server, "/echo")).timing.reusedConnection == false)
    }

    @Test func closesConnectionsThatWereUnusedForTooLong() throws {
        let server = try Server("http_server.py")
        let network = try Network { $0.signedReuseMilliseconds = 0 }
        _ = try network.get(.plain(server, "/echo"))
        let signed = HTTPRequest.plain(server, "/echo", .post, body: [1], atMostOnce: true)
        #expect(try network.get(signed).timing.reusedConnection == false)
    }
}

extension Result {
    var isSuccess: Bool {
        if case .success = self { return true }
        return false
    }

    var error: Failure? {
        if case .failure(let error) = self { return error }
        return nil
    }
}

/// A TCP port of this machine: bound so that nobody else gets it, and listening on demand.
final class ClosedPort {
    let descriptor: Int32
    let port: Int

    init(listens: Bool = false, backlog: Int32 = 16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let handle = descriptor
        port = try withUnsafeMutablePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { target in
                try #require(bind(handle, target, size) == 0)
                if listens { try #require(listen(handle, backlog) == 0) }
                try #require(getsockname(handle, target, &size) == 0)
            }
            return Int(UInt16(bigEndian: pointer.pointee.sin_port))
        }
    }

    deinit { close(descriptor) }
}

/// A port whose queue of connections is full, so that connecting hangs.
final class FullBacklog {
    private let listener: ClosedPort
    private var fillers: [Int32] = []
    var port: Int { listener.port }

    init() throws {
        listener = try ClosedPort(listens: true, backlog: 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(listener.port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        for _ in 0..<4 {
            let filler = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
            _ = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(filler, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            fillers.append(filler)
        }
    }

    deinit { for descriptor in fillers where descriptor >= 0 { close(descriptor) } }
}
