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

    @Test func nothingLeavesWhenTheStateCannotBeStored() throws {
        let world = try World()
        let sent = world.bench.transport.requests.count
        world.bench.store.failSaves = true
        for _ in 0..<50 {
            let task = try world.run(world.authorize)
            #expect(task.failure?.code == .storage)
            #expect(task.failure?.outcome == .notSent)
        }
        #expect(world.bench.transport.requests.count == sent)
        #expect(throws: Failure.self) {
            try world.client.requests.sign(
                method: .post, uriId: "/x", body: "{}", authentication: Authentication(pin: World.pin))
        }
        // The counter has not moved: the server still knows it.
        world.bench.store.failSaves = false
        #expect(try world.run(world.authorize).state == .succeeded)
        #expect(try world.run { try world.client.fetchStatus(task: $0) }.state == .succeeded)
    }

    @Test func theCounterIsStoredBeforeTheRequestIsSent() throws {
        let world = try World()
        world.server.silent = ["/api/auth/token/app/operation/authorize"]
        let task = CallTask(options: nil)
        try world.authorize(task)
        world.bench.loop.runUntilIdle()
        // The process dies here; another one opens the same store.
        let stored = try #require(try world.bench.store.load("alice.state"))
        let key = try #require(try world.bench.store.load("alice.key"))
        let other = MemoryStore()
        try stored.withBytes { try other.save("alice.state", $0) }
        try key.withBytes { try other.save("alice.key", $0) }
        let client = try Client(
            runtime: world.bench.runtime,
            options: try ClientOptions(
                id: "alice", configuration: world.server.double.configuration, baseURL: "https://example.com/server",
                operationsURL: nil, store: other))
        world.server.silent = []
        let again = CallTask(options: nil)
        try client.operations.authorize(
            id: "op", data: "A2", authentication: Authentication(pin: World.pin), extras: ApprovalExtras(), task: again)
        world.bench.loop.runUntilIdle()
        #expect(again.state == .succeeded)
        let counters = world.server.acceptedCounters
        #expect(Set(counters).count == counters.count)
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

    @Test func aLostAnswerIsReportedAsUnknownAndNotRepeated() throws {
        let world = try World()
        let path = "/api/auth/token/app/operation/authorize"
        world.server.override[path] = { _ in
            .failure(TransportError(.connectionLost, sent: .sentAnswerUnknown, detail: ""))
        }
        let task = try world.run(world.authorize)
        #expect(task.failure?.outcome == .unknown)
        #expect(task.failure?.retriable == false)
        #expect(world.server.paths.filter { $0 == path }.count == 1)
        world.server.override = [:]
        #expect(try world.run(world.authorize).state == .succeeded)
    }

    @Test func cancellingACallAtEachOfItsStages() throws {
        let path = "/api/auth/token/app/operation/list"
        for stage in ["/pa/v3/keystore/create", "/pa/v3/token/create", path] {
            let world = try World(events: [.tasks])
            world.server.silent = [stage]
            let task = CallTask(options: nil)
            try world.client.operations.list(task: task)
            world.bench.loop.runUntilIdle()
            #expect(task.state == .running)
            task.cancel()
            world.bench.loop.runUntilIdle()
            #expect(task.state == .cancelled)
            #expect(task.failure?.outcome == (stage == path ? .unknown : .notSent))
            var completions = 0
            while let event = world.bench.runtime.events.take() {
                if case .task(let completed) = event.content, completed === task { completions += 1 }
            }
            #expect(completions == 1)
            // The client is usable afterwards.
            world.server.silent = []
            while !world.bench.transport.waiting.isEmpty {
                world.bench.transport.complete(.failure(TransportError(.timeout, detail: "")))
                world.bench.loop.runUntilIdle()
            }
            #expect(try world.run { try world.client.operations.list(task: $0) }.state == .succeeded)
        }
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

    @Test func aCancelledActivationLeavesTheClientEmptyAndReusable() throws {
        let bench = try Bench()
        let server = try FakeServer(bench)
        let client = try bench.client(server.double.configuration)
        server.silent = ["/pa/v3/activation/create"]
        let first = CallTask(options: nil)
        try client.activate(.code("VVVVV-VVVVV-VVVVV-VTFVA"), task: first)
        bench.loop.runUntilIdle()
        #expect(client.information.phase == .keysReady)
        try client.cancelActivation()
        #expect(client.information.phase == .empty)
        server.silent = []
        // A new one begins before the old one has ended.
        let second = CallTask(options: nil)
        try client.activate(.code("VVVVV-VVVVV-VVVVV-VTFVA"), task: second)
        bench.loop.runUntilIdle()
        #expect(first.state == .cancelled)
        #expect(second.state == .succeeded)
        #expect(client.information.phase == .responseValidated)
    }

    @Test func aFailedActivationLeavesTheClientEmpty() throws {
        let bench = try Bench()
        let server = try FakeServer(bench)
        let client = try bench.client(server.double.configuration)
        server.override["/pa/v3/activation/create"] = { _ in
            Bench.response(400, #"{"status":"ERROR","responseObject":{"code":"ERR_ACTIVATION","message":"m"}}"#)
        }
        let task = CallTask(options: nil)
        try client.activate(.code("VVVVV-VVVVV-VVVVV-VTFVA"), task: task)
        bench.loop.runUntilIdle()
        #expect(task.failure?.serverCode == "ERR_ACTIVATION")
        #expect(client.information.phase == .empty)
    }

    @Test func persistingThatCannotBeStoredCanBeTriedAgain() throws {
        let world = try World(persisted: false)
        world.bench.store.failSaves = true
        #expect(throws: Failure.self) { try world.client.persistActivation(pin: World.pin, biometryKey: nil) }
        #expect(world.client.information.phase == .responseValidated)
        world.bench.store.failSaves = false
        try world.client.persistActivation(pin: World.pin, biometryKey: nil)
        #expect(try world.run(world.authorize).state == .succeeded)
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

    @Test func aClientThatIsFarAheadLetsTheServerCatchUp() throws {
        let world = try World()
        // Tells the window.
        #expect(try world.run { try world.client.fetchStatus(task: $0) }.state == .succeeded)
        for _ in 0..<12 {
            _ = try world.client.requests.sign(method: .post, uriId: "/x", body: "{}", authentication: .possession)
        }
        let task = try world.run { try world.client.fetchStatus(task: $0) }
        #expect(task.state == .succeeded, "\(String(describing: task.failure))")
        #expect(world.server.paths.last == "/pa/v3/signature/validate")
        #expect(world.server.acceptedCounters.count == 1)
    }

    @Test func aServerThatIsAheadIsFollowedDurably() throws {
        let world = try World()
        try world.server.double.advance(7)
        let saves = world.bench.store.saves
        #expect(try world.run { try world.client.fetchStatus(task: $0) }.state == .succeeded)
        #expect(world.bench.store.saves == saves + 1)
        #expect(try world.run(world.authorize).state == .succeeded)
    }

    @Test func anEventForEachTaskInOrder() throws {
        let world = try World(events: [.tasks, .state])
        while world.bench.runtime.events.take() != nil {}
        let tasks = try (0..<5).map { _ in
            let task = CallTask(options: nil)
            try world.authorize(task)
            return task
        }
        world.bench.loop.runUntilIdle()
        var completed: [ObjectIdentifier] = []
        var stored = 0
        while let event = world.bench.runtime.events.take() {
            switch event.content {
            case .task(let task): completed.append(ObjectIdentifier(task))
            case .stateStored: stored += 1
            default: break
            }
        }
        #expect(completed == tasks.map { ObjectIdentifier($0) })
        #expect(stored == 5)
    }
}
