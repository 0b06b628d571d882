import Foundation
import TestSupport
import Testing

@testable import MobileTokenHTTP
@testable import MobileTokenSystem

/// What a host notices of the library, each in a process of its own.
@Suite struct GoodGuestTests {
    /// The names of the threads of this process, and what its descriptors lead to.
    static func threads() -> [String] {
        let ids = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return ids.compactMap { try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8) }.sorted()
    }

    static func descriptors() -> [String] {
        (0..<1024).compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
            .sorted()
    }

    static func libraryThreads() -> Int { threads().filter { $0 == "mtoken\n" }.count }

    @Test func leavesNoThreadAndNoDescriptor() async {
        await #expect(processExitsWith: .success) {
            let server = try Server("http_server.py")
            let secure = try Certificates.server("good")
            // What the runtime and the process handling of the tests keep open is there before.
            let before = Self.descriptors()
            for round in 0..<5 {
                let network = try Network()
                try network.onLoop {}
                expectSame(Self.libraryThreads(), 1)
                var named = HTTPRequest.plain(server, "/echo")
                named.url = "http://localhost:\(server.port)/echo"
                #expect(try network.get(named).status == 200)
                #expect(try network.get(.secure(secure, "/echo")).status == 200)
                // Left in every stage: connecting, waiting for the answer.
                let backlog = try FullBacklog()
                _ = try network.start(HTTPRequest(.get, "https://127.0.0.1:\(backlog.port)/"))
                _ = try network.start(.plain(server, "/hang"))
                try server.command("await /hang \(round + 1)")
                expectSame(Self.libraryThreads(), 1)
                network.close()
                expectSame(Self.libraryThreads(), 0)
            }
            expectSame(Self.descriptors(), before)
        }
    }

    @Test func startsNoThreadForANumericHost() async {
        await #expect(processExitsWith: .success) {
            let server = try Server("http_server.py")
            let network = try Network()
            try network.onLoop {}
            let before = Self.threads()
            let all = try (0..<20).map { _ in try network.start(.plain(server, "/hang")) }
            try server.command("await /hang 20")
            expectSame(Self.threads(), before)
            for pending in all { network.cancel(pending) }
            for pending in all { _ = try pending.promise.wait() }
        }
    }

    @Test(arguments: 0..<5)
    func exitWhileEverythingIsUnderWay(_: Int) async {
        await #expect(processExitsWith: .exitCode(7)) {
            let server = try Certificates.server("good")
            var all: [Network] = []
            for _ in 0..<4 {
                let network = try Network()
                let again = Again(network, .secure(server, "/echo", .post, body: [1]))
                for _ in 0..<8 { again.start() }
                all.append(network)
            }
            try server.command("await /echo 50")
            withExtendedLifetime(all) { exit(7) }
        }
    }

    @Test func exitFromACompletion() async {
        await #expect(processExitsWith: .exitCode(8)) {
            let server = try Certificates.server("good")
            let network = try Network()
            let other = try Network()
            Again(other, .secure(server, "/echo", .post, body: [1])).start()
            let transport = network.transport
            network.loop.post { _ = transport.send(.secure(server, "/echo")) { _ in exit(8) } }
            _ = try Promise<Bool>().wait()
            withExtendedLifetime((network, other)) {}
        }
    }

    /// A host may stop its loops in an exit handler of its own, which runs after the library's.
    @Test func stopInAnExitHandler() async {
        await #expect(processExitsWith: .exitCode(9)) {
            atexit { Late.network?.close() }
            let server = try Certificates.server("good")
            let network = try Network()
            Late.network = network
            Again(network, .secure(server, "/echo", .post, body: [1])).start()
            try server.command("await /echo 3")
            exit(9)
        }
    }

    @Test func exitWhileAWorkerIsStuckInTheHost() async {
        await #expect(processExitsWith: .exitCode(10)) {
            let loop = try Loop(time: TimeSource())
            let stuck = Promise<Bool>()
            loop.post {
                stuck.fulfil(true)
                while true { pause() }
            }
            _ = try stuck.wait()
            exit(10)
        }
    }

    @Test func aForkedChildExitsAlone() async {
        await #expect(processExitsWith: .success) {
            let loop = try Loop(time: TimeSource())
            let child = forkForTest()
            if child == 0 {
                // No thread of the loop is here: stopping returns, and the exit handler does not wait for it.
                exit(loop.stop() ? 3 : 4)
            }
            var status: Int32 = 0
            #expect(waitpid(child, &status, 0) == child)
            #expect(status == 3 << 8)
            let alive = Promise<Bool>()
            loop.post { alive.fulfil(true) }
            #expect(try alive.wait())
            #expect(loop.stop())
        }
    }

    @Test func reportsThatDescriptorsRanOut() async {
        await #expect(processExitsWith: .success) {
            let before = Self.descriptors()
            var limit = rlimit()
            let resource = Int32(RLIMIT_NOFILE.rawValue)
            getrlimit(resource, &limit)
            limit.rlim_cur = 512
            setrlimit(resource, &limit)
            var fillers: [Int32] = []
            while case let filler = dup(0), filler >= 0 { fillers.append(filler) }
            // Nothing is left for epoll, then nothing for the event descriptor.
            for spare in 0..<2 {
                for _ in 0..<20 {
                    #expect(throws: SystemError.self) { try Loop(time: TimeSource()) }
                }
                if spare == 0 { close(fillers.removeLast()) }
            }
            for filler in fillers { close(filler) }
            // The runtime of the tests may have opened some of its own meanwhile.
            let after = Self.descriptors()
            #expect(after.count < before.count + 10)
            let loop = try Loop(time: TimeSource())
            #expect(loop.stop())
        }
    }

    /// In a network namespace without any interface.
    @Test func reportsThatThereIsNoNetwork() async {
        await #expect(processExitsWith: .success) {
            guard unshareForTest(0x4000_0000) == 0 else {
                print("not run: making a network namespace is not permitted")
                return
            }
            let network = try Network()
            for url in ["https://192.0.2.1/", "https://[2001:db8::1]/"] {
                let error = try network.failure(HTTPRequest(.post, url, body: [1], atMostOnce: true))
                expectSame(error.code, .notConnected)
                expectSame(error.sent, .notSent)
            }
        }
    }

    @Test func raisesNoSIGPIPE() async {
        await #expect(processExitsWith: .success) {
            signal(SIGPIPE, SIG_DFL)
            let server = try Server("http_server.py")
            let network = try Network()
            let body = [UInt8](repeating: 1, count: 20_000_000)
            for _ in 0..<5 {
                _ = try network.get(.plain(server, "/echo-then-close"))
                _ = try network.send(.plain(server, "/drop", .post, body: body, atMostOnce: true))
            }
            #expect(signal(SIGPIPE, SIG_DFL) == nil)
        }
    }

    @Test func touchesNeitherSignalsNorLocaleNorOutput() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            func handlers() -> [UInt] {
                (1..<65).map { number in
                    var action = sigaction()
                    sigaction(Int32(number), nil, &action)
                    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: UInt.self)
                }
            }
            let server = try Certificates.server("good")
            let before = (handlers(), String(cString: setlocale(LC_ALL, nil)), ProcessInfo.processInfo.environment)
            let network = try Network()
            _ = try network.get(.secure(server, "/echo"))
            _ = try network.failure(.secure(server, "/drop"))
            network.close()
            #expect(before.0 == handlers())
            #expect(before.1 == String(cString: setlocale(LC_ALL, nil)))
            #expect(before.2 == ProcessInfo.processInfo.environment)
        }
        #expect(result?.standardOutputContent.isEmpty == true)
    }

    /// But for libcurl's pair of local sockets, which lead nowhere.
    @Test func leavesNoSocketToPrograms() async {
        await #expect(processExitsWith: .success) {
            func inherited() -> [Int32] {
                (3..<1024).filter { number in
                    let flags = fcntl(number, F_GETFD)
                    guard flags >= 0, flags & FD_CLOEXEC == 0 else { return false }
                    var domain: Int32 = 0
                    var size = socklen_t(MemoryLayout<Int32>.size)
                    return getsockopt(number, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 && domain != AF_UNIX
                }
            }
            let server = try Certificates.server("good")
            let before = inherited()
            let network = try Network()
            _ = try network.get(.secure(server, "/echo"))
            expectSame(inherited(), before)
        }
    }
}

/// As `#expect(a == b)`, but tells the values: what a child process expects reaches its parent without them.
func expectSame<Value: Equatable>(_ a: Value, _ b: Value, _ location: SourceLocation = #_sourceLocation) {
    guard a != b else { return }
    FileHandle.standardError.write(Data("line \(location.line): \(a) is not \(b)\n".utf8))
    Issue.record("\(a) is not \(b)", sourceLocation: location)
}

/// Sends the same request over and over.
final class Again: @unchecked Sendable {
    private let network: Network
    private let request: HTTPRequest

    init(_ network: Network, _ request: HTTPRequest) {
        self.network = network
        self.request = request
    }

    func start() {
        network.loop.post { [self] in send() }
    }

    private func send() {
        _ = network.transport.send(request) { [self] result in
            if result.isSuccess { send() }
        }
    }
}

enum Late {
    nonisolated(unsafe) static var network: Network?
}

/// Swift hides `fork`.
@_silgen_name("fork") func forkForTest() -> pid_t

/// Hidden in the same way; 0x40000000 is `CLONE_NEWNET`.
@_silgen_name("unshare") func unshareForTest(_ flags: Int32) -> Int32
