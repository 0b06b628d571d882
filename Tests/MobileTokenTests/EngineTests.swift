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

    @Test func signedCallsGoOneAfterAnother() throws {
        let world = try World()
        world.server.silent = ["/operation/authorize", "/api/auth/token/app/operation/authorize"]
        let tasks = try (0..<3).map { _ in
            let task = CallTask(options: nil)
            try world.authorize(task)
            return task
        }
        world.bench.loop.runUntilIdle()
        #expect(world.bench.transport.waiting.count == 1)
        for (index, task) in tasks.enumerated() {
            #expect(world.bench.transport.waiting.count == 1)
            #expect(task.state == .running)
            world.bench.transport.complete(Bench.response(200, #"{"status":"OK"}"#))
            world.bench.loop.runUntilIdle()
            #expect(tasks[index].state == .succeeded)
        }
    }

    @Test func aTokenTheServerForgotIsMadeAnewOnce() throws {
        let world = try World()
        #expect(try world.run { try world.client.operations.list(task: $0) }.state == .succeeded)
        world.server.tokens = []
        let before = world.server.paths.count
        #expect(try world.run { try world.client.operations.list(task: $0) }.state == .succeeded)
        #expect(
            Array(world.server.paths[before...]) == [
                "/api/auth/token/app/operation/list", "/pa/v3/activation/status", "/pa/v3/token/create",
                "/api/auth/token/app/operation/list",
            ])
        // A server that refuses for another reason is not asked for ever.
        world.server.override["/api/auth/token/app/operation/list"] = { _ in
            Bench.response(401, #"{"status":"ERROR","responseObject":{"code":"POWERAUTH_AUTH_FAIL","message":"m"}}"#)
        }
        let start = world.server.paths.count
        let task = try world.run { try world.client.operations.list(task: $0) }
        #expect(task.failure?.reason.description == "notTheFactor")
        // The list, why, another token, the list, why.
        #expect(world.server.paths.count - start == 5)
    }

    @Test func aTemporaryKeyIsFetchedAgainWhenItExpires() throws {
        let world = try World()
        func createToken(_ name: String) throws -> CallTask {
            try world.run {
                try world.client.tokens.create(name: name, authentication: .possession, task: $0)
            }
        }
        #expect(try createToken("a").state == .succeeded)
        let before = world.server.paths.count
        #expect(try createToken("b").state == .succeeded)
        #expect(Array(world.server.paths[before...]) == ["/pa/v3/token/create"])
        world.bench.loop.advance(milliseconds: 290_001)  // ten seconds before it expires it is no longer used
        let later = world.server.paths.count
        #expect(try createToken("c").state == .succeeded)
        #expect(Array(world.server.paths[later...]) == ["/pa/v3/keystore/create", "/pa/v3/token/create"])
    }

    @Test(arguments: [Int64(-7_200_000), 86_400_000])
    func aWrongClockDoesNotMatter(ahead: Int64) throws {
        let world = try World()
        world.server.ahead = ahead
        world.client.resetTime()
        world.bench.loop.advance(milliseconds: 400_000)  // the temporary key has expired
        let task = try world.run { try world.client.tokens.create(name: "a", authentication: .possession, task: $0) }
        #expect(task.state == .succeeded)
        #expect(world.client.information.timeAdjustment == ahead)
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

    /// What only asks has been asked as far as its parts were; it can be asked again.
    @Test func aFailedPrerequisiteFailsTheCall() throws {
        let world = try World()
        world.server.override["/pa/v3/keystore/create"] = { _ in
            .failure(TransportError(.connectionLost, sent: .sentAnswerUnknown, detail: ""))
        }
        let task = try world.run { try world.client.operations.list(task: $0) }
        #expect(task.failure?.code == .network)
        #expect(task.failure?.outcome == .unknown && task.failure?.retriable == true)
        let signed = try world.run { try world.client.tokens.create(name: "a", authentication: .possession, task: $0) }
        #expect(signed.failure?.outcome == .notSent)
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
