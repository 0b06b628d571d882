import Foundation
import MobileTokenCrypto
import MobileTokenHTTP
import PowerAuth
import TestSupport
import Testing

@testable import MobileToken
@testable import MobileTokenSystem
@testable import PowerAuthDoubles

/// Threads on one client and many clients on one runtime, with the runtime's own thread: made for the thread sanitizer.
struct ConcurrencyTests {
    /// A runtime with its thread, whose network is a server for each client: they answer on the runtime's thread only.
    final class City: @unchecked Sendable {
        let runtime: Runtime
        let store = MemoryStore()
        let pin = SecureBytes(copying: "1234")
        let biometryKey = SecureBytes(copying: [UInt8](1...16))
        private(set) var servers: [FakeServer] = []
        private(set) var clients: [Client] = []

        init(clients count: Int) throws {
            final class Found: @unchecked Sendable { var transport: ScriptedTransport? }
            let found = Found()
            let time = TimeSource()
            runtime = try Runtime(
                options: Runtime.Options(),
                environment: Environment(
                    time: time, random: RandomSource(),
                    makeLoop: { (time) throws(SystemError) in try Loop(time: time) },
                    makeTransport: { (loop, _) throws(TransportError) in
                        let transport = ScriptedTransport(loop: loop)
                        found.transport = transport
                        return transport
                    }))
            for number in 0..<count {
                servers.append(try FakeServer(time: time, root: "https://example.com/\(10_000 + number)"))
            }
            let start = "https://example.com/".count
            found.transport?.answer = { [unowned self] request in
                guard let number = Int(request.url.dropFirst(start).prefix(5)) else { return nil }
                return servers[number - 10_000].answer(request)
            }
            for (number, server) in servers.enumerated() {
                var options = try ClientOptions(
                    id: "client-\(number)", configuration: server.double.configuration,
                    baseURL: "https://example.com/\(10_000 + number)", operationsURL: nil, store: store)
                options.timeoutMilliseconds = 600_000
                clients.append(try Client(runtime: runtime, options: options))
            }
        }

        deinit {
            for client in clients { client.close() }
            runtime.stop()
        }

        /// Runs the work in so many threads; gives what went wrong.
        func inThreads(_ count: Int, _ work: @escaping @Sendable (Int) throws -> Void) -> [String] {
            let lock = NSLock()
            nonisolated(unsafe) var errors: [String] = []
            DispatchQueue.concurrentPerform(iterations: count) { number in
                do {
                    try work(number)
                } catch {
                    lock.withLock { errors.append("\(error)") }
                }
            }
            return errors
        }

        /// Starts a call, waits for it, and throws what it failed with.
        func call(_ start: (CallTask) throws -> Void) throws {
            let task = CallTask(options: nil)
            try start(task)
            guard task.wait(milliseconds: 300_000) else { throw Failure(.timeout, Reason.networkTimeOut, "no answer") }
            if let failure = task.failure { throw failure }
        }

        func activate(_ client: Client) throws {
            try call { try client.activate(.code("VVVVV-VVVVV-VVVVV-VTFVA"), task: $0) }
            try client.persistActivation(pin: pin, biometryKey: biometryKey)
        }

        /// Signs a request as a host does, and has the server check it.
        func sign(_ client: Client, _ authentication: Authentication) throws {
            let turn = CallTask(options: nil)
            try client.requests.takeTurn(task: turn)
            guard turn.wait(milliseconds: 300_000) else { throw Failure(.timeout, Reason.networkTimeOut, "no turn") }
            defer { turn.release() }
            if let failure = turn.failure { throw failure }
            _ = try client.requests.sign(method: .post, uriId: "/x", body: "b", authentication: authentication)
        }
    }

    @Test func eightThreadsOnOneClient() throws {
        let city = try City(clients: 1)
        let client = city.clients[0]
        try city.activate(client)
        let knowledge = Authentication(pin: city.pin)
        let biometry = Authentication(biometryKey: city.biometryKey)
        let errors = city.inThreads(8) { number in
            for round in 0..<4 {
                try city.call { try client.validatePIN(city.pin, task: $0) }
                try city.call { try client.tokens.create(name: "token \(number)", authentication: knowledge, task: $0) }
                try city.call { try client.fetchStatus(task: $0) }
                _ = try client.tokens.header(name: "token \(number)")
                try city.call { try client.operations.list(task: $0) }
                if round == 2 { try city.sign(client, number % 2 == 0 ? knowledge : biometry) }
                try city.call { try client.validatePIN(city.pin, task: $0) }
                #expect(client.information.phase == .activated)
            }
        }
        #expect(errors.isEmpty)
        let counters = city.servers[0].acceptedCounters
        #expect(counters.count >= 8 * 4 * 2 && Set(counters).count == counters.count)
    }

    /// Many clients, driven by eight threads, each client by one thread after another.
    @Test func manyClientsOnOneRuntime() throws {
        let city = try City(clients: 200)
        let errors = city.inThreads(8) { number in
            for index in stride(from: number, to: city.clients.count, by: 8) { try city.activate(city.clients[index]) }
        }
        #expect(errors.isEmpty)
        let more = city.inThreads(8) { number in
            for index in stride(from: 7 - number, to: city.clients.count, by: 8) {
                let client = city.clients[index]
                try city.call { try client.validatePIN(city.pin, task: $0) }
                try city.call { try client.operations.list(task: $0) }
                try city.call { try client.fetchStatus(task: $0) }
            }
        }
        #expect(more.isEmpty)
        #expect(city.servers.allSatisfy { Set($0.acceptedCounters).count == $0.acceptedCounters.count })
        #expect(city.servers.allSatisfy { $0.acceptedCounters.count >= 2 })
    }
}
