import Foundation
import MobileTokenHTTP
import TestSupport
import Testing

@testable import MobileToken
@testable import MobileTokenModel
@testable import PowerAuthDoubles

/// registry-polling.json: the list that a client keeps, and polling, by a clock that the test moves.
struct RegistryVectorTests {
    private static let root = "/api/auth/token/app/operation/"
    private static let refused = Bench.response(
        400, #"{"status":"ERROR","responseObject":{"code":"INVALID_REQUEST","message":"m"}}"#)

    /// A minimal operation: an id, or an object with id and name.
    static func operation(_ item: Any) -> String {
        let object = item as? [String: String]
        let id = object?["id"] ?? item as? String ?? ""
        return #"{"id":"\#(id)","name":"\#(object?["name"] ?? "n")","data":"A1","status":"PENDING","#
            + #""operationCreated":"2023-11-14T22:00:00+0000","operationExpires":"2023-11-14T23:00:00+0000","#
            + #""allowedSignatureType":{"type":"2FA","variants":["possession_knowledge"]},"#
            + #""formData":{"title":"t","message":"m","attributes":[]}}"#
    }

    static func list(_ items: [Any]) -> Result<HTTPResponse, TransportError> {
        Bench.response(200, #"{"status":"OK","responseObject":["# + items.map(operation).joined(separator: ",") + "]}")
    }

    /// What is seen of one case.
    private final class Scene {
        let world: EngineTests.World
        var tasks: [String: CallTask] = [:]
        var changes: [OperationChange] = []
        var loading: [Bool] = []
        var failures = 0
        var completions: [String] = []
        var warnings = 0

        init() throws {
            world = try EngineTests.World(events: [.operations, .tasks, .log])
            while world.bench.runtime.events.take() != nil {}
        }

        var client: Client { world.client }
        var requests: Int { world.server.paths.filter { $0 == RegistryVectorTests.root + "list" }.count }

        func run() {
            world.bench.loop.runUntilIdle()
            while let event = world.bench.runtime.events.take() {
                switch event.content {
                case .operationsChanged(let change): changes.append(change)
                case .operationsLoading(let value): loading.append(value)
                case .operationsFailed: failures += 1
                case .task(let task):
                    if task.state != .cancelled, let name = tasks.first(where: { $0.value === task })?.key {
                        completions.append(name)
                    }
                case .log(.warning, let text): if text.contains("polling") { warnings += 1 }
                default: break
                }
            }
        }

        func answering(
            _ path: String, _ answer: Result<HTTPResponse, TransportError>, _ start: (CallTask) throws -> Void
        )
            throws
        {
            world.server.override[RegistryVectorTests.root + path] = { _ in answer }
            let task = CallTask(options: nil)
            try start(task)
            run()
            world.server.override[RegistryVectorTests.root + path] = nil
        }

        /// Starts a fetch that waits for its answer.
        func start(_ name: String) throws {
            world.server.silent = [RegistryVectorTests.root + "list"]
            let task = CallTask(options: nil)
            tasks[name] = task
            try client.operations.list(task: task)
            run()
            world.server.silent = []
        }

        func ids(_ name: String) -> [String]? {
            guard case .operations(let list) = tasks[name]?.result else { return nil }
            return list.operations.map { $0.id.string }
        }

        func perform(_ step: [String: Any]) throws {
            for (verb, value) in step {
                switch verb {
                case "getOperations", "startList": try start(try #require(value as? String))
                case "reply", "replyTo":
                    let items = value as? [Any] ?? step["ids"] as? [Any] ?? []
                    world.bench.transport.complete(RegistryVectorTests.list(items))
                case "errorTo": world.bench.transport.complete(RegistryVectorTests.refused)
                case "fetch":
                    try answering("list", RegistryVectorTests.list(value as? [Any] ?? [])) {
                        try client.operations.list(task: $0)
                    }
                case "claim":
                    let answer = Bench.response(
                        200, #"{"status":"OK","responseObject":"# + RegistryVectorTests.operation(value) + "}")
                    try answering("detail/claim", answer) {
                        try client.operations.claim(id: value as? String ?? "", task: $0)
                    }
                case "authorize":
                    try answering("authorize", Bench.response(200, #"{"status":"OK"}"#)) {
                        try client.operations.authorize(
                            id: value as? String ?? "", data: "A1",
                            authentication: Authentication(pin: EngineTests.World.pin), extras: ApprovalExtras(),
                            task: $0)
                    }
                case "reject", "rejectError":
                    let answer =
                        verb == "reject" ? Bench.response(200, #"{"status":"OK"}"#) : RegistryVectorTests.refused
                    try answering("cancel", answer) {
                        try client.operations.reject(
                            id: value as? String ?? "", reason: "UNKNOWN", mobileTokenData: nil, task: $0)
                    }
                case "setProximity", "setTokenData":
                    var extras = ApprovalExtras(mobileTokenData: [UInt8]("{}".utf8))
                    extras.proximity = ProximityCheck(otp: "1", type: .qrCode, received: 0)
                    try client.operations.attach(extras, to: value as? String ?? "")
                case "startPolling":
                    var options = PollingOptions()
                    let given = value as? [String: Any] ?? [:]
                    options.interval = (given["interval"] as? Double).map { Int64($0 * 1000) }
                    options.delaysStart = given["delayStart"] as? Bool ?? false
                    try client.operations.startPolling(options)
                case "stopPolling": client.operations.stopPolling()
                case "background": client.operations.pausePolling()
                case "foreground": client.operations.resumePolling()
                case "wait": world.bench.loop.advance(milliseconds: Int64((value as? Double ?? 0) * 1000))
                case "tick":
                    if client.operations.pollingState == .off {
                        var options = PollingOptions()
                        options.delaysStart = true
                        try client.operations.startPolling(options)
                    }
                    for _ in 0..<(value as? Int ?? 0) { world.bench.loop.advance(milliseconds: 7_000) }
                case "cancel": tasks[value as? String ?? ""]?.cancel()
                case "ids": break
                default: Issue.record("unknown step \(verb)")
                }
                run()
            }
        }
    }

    private func ids(_ operations: [UserOperation]) -> [String] { operations.map { $0.id.string } }

    private func compare(_ change: OperationChange?, _ expect: [String: Any], _ name: Comment) {
        guard let change else { return #expect(Bool(false), name) }
        if let expected = expect["operations"] as? [String] { #expect(ids(change.operations) == expected, name) }
        if let expected = expect["added"] as? [String] { #expect(ids(change.added) == expected, name) }
        if let expected = expect["removed"] as? [String] { #expect(ids(change.removed) == expected, name) }
        if let expected = expect["updated"] as? [String] { #expect(ids(change.updated) == expected, name) }
    }

    @Test func registryAndPolling() throws {
        try eachCase(of: "registry-polling") { input, expect, name in
            if input["activation"] as? Bool == false {
                let bench = try Bench(events: [.operations])
                let client = try bench.client()
                #expect(throws: Failure.self) { try client.operations.list(task: CallTask(options: nil)) }
                #expect(throws: Failure.self) { try client.operations.refresh() }
                #expect(throws: Failure.self) { try client.operations.startPolling(PollingOptions()) }
                #expect(bench.transport.requests.isEmpty && client.operations.known.lastFetch == nil, name)
                #expect(bench.runtime.events.take() == nil, name)
                return
            }
            let scene = try Scene()
            for step in input["steps"] as? [[String: Any]] ?? [] { try scene.perform(step) }
            try check(scene, expect, name)
        }
    }

    private func check(_ scene: Scene, _ expect: [String: Any], _ name: Comment) throws {
        let known = scene.client.operations.known
        for (key, value) in expect {
            switch key {
            case "requests": #expect(scene.requests == value as? Int, name)
            case "loadingEvents": #expect(scene.loading == value as? [Bool], name)
            case "results":
                for (task, expected) in value as? [String: [String]] ?? [:] {
                    #expect(scene.ids(task) == expected, name)
                }
            case "changes":
                let expected = value as? [[String: Any]] ?? []
                #expect(scene.changes.count == expected.count, name)
                for (change, expected) in zip(scene.changes, expected) { compare(change, expected, name) }
            case "lastChange": compare(scene.changes.last, value as? [String: Any] ?? [:], name)
            case "lastFetch":
                #expect(
                    value as? String == "success" && known.lastFetch != nil && known.lastFetch?.failure == nil, name)
            case "registry": #expect(ids(known.operations) == value as? [String], name)
            case "names":
                for (id, expected) in value as? [String: String] ?? [:] {
                    #expect(known.operations.first { $0.id.string == id }?.name.string == expected, name)
                }
            case "reAdded": #expect(scene.changes.dropFirst().allSatisfy { $0.added.isEmpty }, name)
            case "errorEvents": #expect(scene.failures == value as? Int, name)
            case "proximityKept": #expect(scene.client.operations.attached(to: "1").contains(.proximity), name)
            case "tokenDataKept": #expect(scene.client.operations.attached(to: "1").contains(.mobileTokenData), name)
            case "polling": #expect((known.polling != .off) == value as? Bool, name)
            case "effectiveInterval":
                #expect(known.pollingInterval == Int64(value as? Int ?? 0) * 1000, name)
                #expect(scene.warnings == (value as? Int == 5 ? 1 : 0), name)
            case "callbacks": #expect(scene.completions == value as? [String], name)
            default: Issue.record("unknown expectation \(key)")
            }
        }
    }

    // MARK: Beyond the vectors

    private func options(_ interval: Int64? = nil, _ change: (inout PollingOptions) -> Void = { _ in })
        -> PollingOptions
    {
        var options = PollingOptions()
        options.interval = interval
        change(&options)
        return options
    }

    @Test func oneRequestPerIntervalHoweverLong() throws {
        let scene = try Scene()
        try scene.client.operations.startPolling(options())
        for _ in 0..<100 { scene.world.bench.loop.advance(milliseconds: 7_000) }
        scene.run()
        #expect(scene.requests == 101)
        #expect(scene.loading == [Bool](repeating: true, count: 202).enumerated().map { $0.offset % 2 == 0 })
        #expect(scene.changes.count == 101)
        scene.client.operations.stopPolling()
        scene.world.bench.loop.advance(milliseconds: 70_000)
        #expect(scene.requests == 101)
    }

    @Test func ticksDoNotPileUpBehindASlowServer() throws {
        let scene = try Scene()
        scene.world.server.silent = [Self.root + "list"]
        try scene.client.operations.startPolling(options())
        scene.world.bench.loop.advance(milliseconds: 700_000)
        #expect(scene.requests == 1)
        #expect(scene.world.bench.loop.scheduledTimers == 1)
        scene.world.bench.transport.complete(Self.list(["1"]))
        scene.world.server.silent = []
        scene.world.bench.loop.advance(milliseconds: 7_000)
        #expect(scene.requests == 2)
    }

    @Test func pushDoublesTheInterval() throws {
        let scene = try Scene()
        try scene.client.operations.startPolling(options { $0.hasPush = true })
        scene.world.bench.loop.advance(milliseconds: 13_999)
        #expect(scene.requests == 1)
        scene.world.bench.loop.advance(milliseconds: 1)
        #expect(scene.requests == 2)
        #expect(scene.client.operations.known.pollingInterval == 14_000)
    }

    @Test func backingOffWhileTheServerFails() throws {
        let scene = try Scene()
        scene.world.server.override[Self.root + "list"] = { _ in Self.refused }
        try scene.client.operations.startPolling(options { $0.backsOff = true })
        var moments: [Int64] = []
        var seen = 0
        for second in 0..<300 {
            scene.world.bench.loop.advance(milliseconds: 1_000)
            if scene.requests > seen { moments.append(Int64(second + 1)) }
            seen = scene.requests
        }
        // At once; after 7, 14, 28 and then each 56 seconds.
        #expect(zip(moments.dropFirst(), moments).map { $0 - $1 }.prefix(7) == [6, 7, 14, 28, 56, 56, 56])
        scene.world.server.override = [:]
        scene.world.bench.loop.advance(milliseconds: 56_000)
        let before = scene.requests
        scene.world.bench.loop.advance(milliseconds: 63_000)
        #expect(scene.requests - before >= 2)
    }

    @Test func jitterSpreadsWithinItsBounds() throws {
        let scene = try Scene()
        try scene.client.operations.startPolling(options(10_000) { $0.jitterPercent = 20 })
        var waits: Set<Int64> = []
        var (last, seen) = (Int64(0), scene.requests)
        for _ in 0..<20_000 {
            scene.world.bench.loop.advance(milliseconds: 50)
            let now = scene.world.bench.loop.manualTime.monotonicMilliseconds()
            if scene.requests > seen, last > 0 { waits.insert(now - last) }
            if scene.requests > seen { last = now }
            seen = scene.requests
        }
        #expect(waits.allSatisfy { (7_950...12_050).contains($0) }, "\(waits)")
        #expect(waits.contains { $0 < 9_000 } && waits.contains { $0 > 11_000 }, "\(waits)")
    }

    @Test func badPollingOptionsAreRefused() throws {
        let scene = try Scene()
        for bad in [
            options(-1), options(86_400_001), options { $0.jitterPercent = 51 }, options { $0.jitterPercent = -1 },
        ] {
            #expect(throws: Failure.self) { try scene.client.operations.startPolling(bad) }
        }
        #expect(scene.client.operations.pollingState == .off)
    }

    @Test func closingTheClientEndsItsPolling() throws {
        let scene = try Scene()
        try scene.client.operations.startPolling(options())
        scene.run()
        scene.client.close()
        scene.world.bench.loop.advance(milliseconds: 70_000)
        #expect(scene.requests == 1)
        #expect(scene.world.bench.loop.scheduledTimers == 0)
    }

    @Test func pollingOutlivesTheActivationButAsksForNothingWithoutOne() throws {
        let scene = try Scene()
        try scene.client.operations.startPolling(options())
        scene.run()
        try scene.answering("list", Self.list(["1"])) { try scene.client.operations.list(task: $0) }
        try scene.client.removeLocally()
        let before = scene.requests
        scene.run()
        // The next user of this client does not see the operations of the last one.
        #expect(scene.client.operations.known.operations.isEmpty)
        #expect(scene.changes.last.map { ids($0.removed) } == ["1"])
        scene.world.bench.loop.advance(milliseconds: 70_000)
        #expect(scene.requests == before)
        #expect(scene.client.operations.pollingState == .on)
    }

    @Test func aRefreshIsSkippedWhileLoadingAndSurvivesItsCallers() throws {
        let scene = try Scene()
        scene.world.server.silent = [Self.root + "list"]
        try scene.client.operations.refresh()
        #expect(scene.client.operations.isLoading)  // before the loop has come to it
        try scene.client.operations.refresh()
        scene.run()
        #expect(scene.client.operations.isLoading)
        try scene.client.operations.refresh()
        let task = CallTask(options: nil)
        try scene.client.operations.list(task: task)
        scene.run()
        #expect(scene.requests == 1)
        task.cancel()  // the refresh goes on
        scene.run()
        #expect(task.state == .cancelled)
        scene.world.bench.transport.complete(Self.list(["1"]))
        scene.run()
        #expect(ids(scene.client.operations.known.operations) == ["1"])
        #expect(!scene.client.operations.isLoading)
    }

    @Test func whatIsAttachedGoesWithTheApproval() throws {
        let scene = try Scene()
        try scene.answering("list", Self.list(["1", "2"])) { try scene.client.operations.list(task: $0) }
        let now = scene.world.bench.loop.manualTime.wallMilliseconds()
        let extras = ApprovalExtras(
            proximity: ProximityCheck(otp: "123456", type: .deeplink, received: now),
            mobileTokenData: [UInt8](#"{"risk":1}"#.utf8))
        try scene.client.operations.attach(extras, to: "1")
        #expect(throws: Failure.self) { try scene.client.operations.attach(extras, to: "3") }
        func body(of id: String) throws -> String {
            try scene.answering("authorize", Bench.response(200, #"{"status":"OK"}"#)) {
                try scene.client.operations.authorize(
                    id: id, data: "A1", authentication: Authentication(pin: EngineTests.World.pin),
                    extras: ApprovalExtras(), task: $0)
            }
            return String(decoding: scene.world.bench.transport.requests.last?.body ?? [], as: UTF8.self)
        }
        let with = try body(of: "1")
        #expect(with.contains(#""otp":"123456","type":"DEEPLINK""#) && with.contains(#""mobileTokenData":{"risk":1}"#))
        #expect(scene.client.operations.attached(to: "1") == [])  // approved, so no longer known
        let without = try body(of: "2")
        #expect(!without.contains("proximityCheck") && !without.contains("mobileTokenData"))
    }

    @Test(arguments: [0, 1, 100, 5_000])
    func listsOfAnySize(count: Int) throws {
        let scene = try Scene()
        let all = (0..<count).map { String($0) }
        try scene.answering("list", Self.list(all)) { try scene.client.operations.list(task: $0) }
        #expect(ids(scene.client.operations.known.operations) == all)
        // Other contents.
        try scene.answering("list", Self.list(all.map { ["id": $0, "name": "other"] })) {
            try scene.client.operations.list(task: $0)
        }
        #expect(ids(try #require(scene.changes.last).updated) == all)
        try scene.answering("list", Self.list(all)) { try scene.client.operations.list(task: $0) }
        // Turned round, without the first and with one more.
        try scene.answering("list", Self.list(all.reversed().dropLast() + ["new"])) {
            try scene.client.operations.list(task: $0)
        }
        let change = try #require(scene.changes.last)
        #expect(ids(change.added) == ["new"])
        #expect(ids(change.removed) == (count == 0 ? [] : ["0"]))
        #expect(change.updated.isEmpty)
        #expect(change.operations.count == max(count, 1))
    }
}
