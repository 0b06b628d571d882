import Foundation
import MobileTokenModel
import TestSupport
import Testing

@testable import MobileToken
@testable import PowerAuthDoubles

/// expiration-watcher.json: by a clock that the test moves.
struct ExpirationVectorTests {
    private final class Scene {
        let bench: Bench
        let client: Client
        let watcher: ExpirationWatcher
        let start: Int64
        var reported: [[String]] = []

        init(serverOffset: Int64 = 0) throws {
            bench = try Bench(events: [.operations])
            client = try bench.client()
            watcher = client.operations.watcher(number: 7)
            start = bench.loop.manualTime.wallMilliseconds()
            if serverOffset != 0 {
                client.activation.lock.withLock {
                    _ = client.activation.learnTime(start + serverOffset * 1000, sentAt: start)
                }
            }
        }

        func operation(_ name: String, _ seconds: Int) -> WatchedOperation {
            WatchedOperation(id: name, data: "A1", expires: start + Int64(seconds) * 1000)
        }

        func run(_ milliseconds: Int64 = 0) {
            bench.loop.advance(milliseconds: milliseconds)
            bench.loop.runUntilIdle()
            while let event = bench.runtime.events.take() {
                if case .operationsExpired(let from, let items) = event.content, from == watcher.number {
                    reported.append(items.map(\.id))
                }
            }
        }

        var watched: [String] { watcher.list.map(\.id) }
    }

    @Test func expirationWatcher() throws {
        try eachCase(of: "expiration-watcher") { input, expect, name in
            let scene = try Scene(serverOffset: Int64(input["serverOffset"] as? Int ?? 0))
            for step in input["steps"] as? [[Any]] ?? [] {
                var operations: [WatchedOperation] = []
                var index = 1
                while index < step.count {
                    guard let item = step[index] as? String else { break }
                    let seconds = index + 1 < step.count ? step[index + 1] as? Int : nil
                    operations.append(scene.operation(item, seconds ?? 1000))
                    index += seconds == nil ? 1 : 2
                }
                switch step[0] as? String {
                case "add", "addAll": scene.watcher.add(operations)
                case "remove", "removeAll": scene.watcher.remove(operations)
                case "clear": scene.watcher.removeAll()
                case "advance": scene.run(Int64(step[1] as? Int ?? 0) * 1000)
                case "clockShift":
                    scene.run()
                    let time = scene.bench.loop.manualTime
                    time.setWall(milliseconds: time.wallMilliseconds() + Int64(step[1] as? Int ?? 0) * 1000)
                default: Issue.record("unknown step \(step)")
                }
                scene.run()
            }
            if let watched = expect["watched"] as? [String] { #expect(scene.watched == watched, name) }
            if let reported = expect["reported"] as? [[String]] { #expect(scene.reported == reported, name) }
            if let timers = expect["timers"] as? Int { #expect(scene.bench.loop.scheduledTimers == timers, name) }
        }
    }

    @Test func theClockIsReplaceable() throws {
        let scene = try Scene()
        scene.watcher.setClock(offset: 3_600_000)
        scene.watcher.add([scene.operation("a", 3_590), scene.operation("b", 4_000)])
        scene.run(6_000)
        #expect(scene.reported == [["a"]])
        scene.watcher.setClock(offset: nil)
        scene.run(600_000)
        #expect(scene.watched == ["b"])
    }

    @Test func aClockSetForwardIsNoticedWithinAMinute() throws {
        let scene = try Scene()
        scene.watcher.add([scene.operation("a", 86_400)])
        scene.run()
        scene.bench.loop.manualTime.setWall(milliseconds: scene.start + 90_000_000)
        scene.run(60_100)
        #expect(scene.reported == [["a"]])
        #expect(scene.bench.loop.scheduledTimers == 0)
    }

    @Test func addingAgainAndAgainDoesNotPutTheLookOff() throws {
        let scene = try Scene()
        scene.watcher.add([scene.operation("a", 6)])
        for second in 0..<10 {
            scene.watcher.add([scene.operation("b\(second)", 10_000)])
            scene.run(1_000)
        }
        #expect(scene.reported == [["a"]])
    }

    @Test func extremeTimesAreWatchedToo() throws {
        let scene = try Scene()
        scene.watcher.add([
            WatchedOperation(id: "never", data: "", expires: .max),
            WatchedOperation(id: "ever", data: "", expires: .min),
        ])
        scene.run(10_000)
        #expect(scene.reported == [["ever"]])
        #expect(scene.watched == ["never"])
    }

    @Test func thousandsAreReportedTogetherOnce() throws {
        let scene = try Scene()
        let all = (0..<1_000).map { scene.operation("\($0)", 10) }
        scene.watcher.add(all)
        scene.watcher.add(all)
        scene.run(60_000)
        #expect(scene.reported.count == 1)
        #expect(scene.reported.first?.count == 1_000)
    }
}
