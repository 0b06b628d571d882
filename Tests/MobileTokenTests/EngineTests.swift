import MobileTokenCrypto
import MobileTokenHTTP
import PowerAuth
import TestSupport
import Testing

@testable import MobileToken
@testable import PowerAuthDoubles

/// The engine, without sockets and threads: prerequisites, order, storing before sending, renewal, cancellation.
struct EngineTests {
    /// A client with an activation at a fake server.
    struct World {
        let bench: Bench
        let server: FakeServer
        let client: Client
        static let pin = SecureBytes(copying: "1234")

        init(
            version: ProtocolVersion = .v33, events: EventQueue.Kinds = [], persisted: Bool = true, ahead: Int64 = 0
        ) throws {
            bench = try Bench(events: events)
            server = try FakeServer(bench, version: version)
            server.ahead = ahead
            client = try bench.client(server.double.configuration, version: version)
            let task = CallTask(options: nil)
            try client.activate(.code("VVVVV-VVVVV-VVVVV-VTFVA"), task: task)
            bench.loop.runUntilIdle()
            try #require(task.state == .succeeded, "\(String(describing: task.failure))")
            if persisted { try client.persistActivation(pin: Self.pin, biometryKey: nil) }
        }

        /// Starts a call and runs until nothing is left to do.
        func run(_ start: (CallTask) throws -> Void) throws -> CallTask {
            let task = CallTask(options: nil)
            try start(task)
            bench.loop.runUntilIdle()
            return task
        }

        func authorize(_ task: CallTask) throws {
            try client.operations.authorize(
                id: "op", data: "A2", authentication: Authentication(pin: Self.pin), extras: ApprovalExtras(),
                task: task)
        }
    }

    @Test(arguments: [ProtocolVersion.v31, .v32, .v33])
    func lifeInEachVersion(version: ProtocolVersion) throws {
        let world = try World(version: version)
        let status = try world.run { try world.client.fetchStatus(task: $0) }
        guard case .status(let value)? = status.result else {
            return #expect(Bool(false), "\(String(describing: status.failure))")
        }
        #expect(value.state == .active)
        #expect(try world.run(world.authorize).state == .succeeded)
        let list = try world.run { try world.client.operations.list(task: $0) }
        #expect(list.state == .succeeded, "\(String(describing: list.failure))")
        let removal = try world.run {
            try world.client.remove(Authentication(pin: World.pin), task: $0)
        }
        #expect(removal.state == .succeeded)
        #expect(world.client.information.phase == .empty)
        #expect(try world.bench.store.load("alice.state") == nil)
    }

    @Test func aListFetchesWhatItNeedsOnceAndInOrder() throws {
        let world = try World()
        let before = world.server.paths.count
        let tasks = try (0..<30).map { _ in
            let task = CallTask(options: nil)
            try world.client.operations.list(task: task)
            return task
        }
        world.bench.loop.runUntilIdle()
        #expect(tasks.allSatisfy { $0.state == .succeeded })
        #expect(
            Array(world.server.paths[before...]) == [
                "/pa/v3/keystore/create", "/pa/v3/token/create", "/api/auth/token/app/operation/list",
            ])
    }

    @Test func aTemporaryKeyThatHasExpiredAlreadyIsRefused() throws {
        let world = try World()
        world.server.keyValidity = 1
        let task = try world.run {
            try world.client.tokens.create(name: "a", authentication: .possession, task: $0)
        }
        #expect(task.failure?.code == .protocol)
        #expect(task.failure?.reason.description == "temporaryKey")
        #expect(task.failure?.outcome == .notSent)
    }

    @Test func oneOfTwoCallersCancels() throws {
        let world = try World()
        #expect(try world.run { try world.client.operations.list(task: $0) }.state == .succeeded)
        world.server.silent = ["/api/auth/token/app/operation/list"]
        let (first, second) = (CallTask(options: nil), CallTask(options: nil))
        try world.client.operations.list(task: first)
        try world.client.operations.list(task: second)
        world.bench.loop.runUntilIdle()
        first.cancel()
        world.bench.loop.runUntilIdle()
        #expect(first.state == .cancelled)
        #expect(second.state == .running)
        world.bench.transport.complete(Bench.response(200, #"{"status":"OK","responseObject":[]}"#))
        world.bench.loop.runUntilIdle()
        #expect(second.state == .succeeded)
    }

    @Test func closingTheClientCancelsItsCalls() throws {
        let world = try World()
        world.server.silent = ["/api/auth/token/app/operation/authorize"]
        let (sending, waiting) = (CallTask(options: nil), CallTask(options: nil))
        try world.authorize(sending)
        try world.authorize(waiting)
        world.bench.loop.runUntilIdle()
        world.client.close()
        world.bench.loop.runUntilIdle()
        #expect(sending.state == .cancelled)
        #expect(sending.failure?.outcome == .unknown)
        #expect(waiting.state == .cancelled)
        #expect(waiting.failure?.outcome == .notSent)
    }
}
