import Foundation
import MobileTokenHTTP
import MobileTokenJSON
import MobileTokenModel
import TestSupport
import Testing

@testable import MobileToken
@testable import PowerAuthDoubles

/// mobile-token-data.json and proximity-check.json: what goes with an approval.
struct TokenDataVectorTests {
    private static func json(_ bytes: [UInt8]) throws -> NSObject {
        try #require(JSONSerialization.jsonObject(with: Data(bytes)) as? NSObject)
    }

    private static func bytes(_ value: Any) throws -> [UInt8] {
        [UInt8](try JSONSerialization.data(withJSONObject: value, options: .fragmentsAllowed))
    }

    private static func client(at text: String?, ahead: Int64) throws -> (Bench, Client) {
        let bench = try Bench()
        let now = text.flatMap { ISO8601DateFormatter().date(from: $0) }.map { Int64($0.timeIntervalSince1970 * 1000) }
        if let now { bench.loop.manualTime.setWall(milliseconds: now) }
        let client = try bench.client()
        let device = bench.loop.manualTime.wallMilliseconds()
        if ahead != 0 {
            client.activation.lock.withLock { _ = client.activation.learnTime(device + ahead, sentAt: device) }
        }
        return (bench, client)
    }

    private static func record(_ steps: [[Any]], in recorder: ScreenRecorder) {
        for step in steps {
            let screen = step.count > 1 ? step[1] as? String ?? "" : ""
            switch step[0] as? String {
            case "begin": recorder.begin(screen)
            case "end": recorder.end(screen, action: step.count > 2 ? step[2] as? String ?? "" : "")
            case "reset": recorder.reset()
            case "build": _ = recorder.build()
            default: Issue.record("unknown step \(step)")
            }
        }
    }

    @Test func mobileTokenData() throws {
        try eachCase(of: "mobile-token-data") { input, expect, name in
            let (bench, client) = try Self.client(
                at: input["now"] as? String, ahead: Int64(input["timeAdjustmentMs"] as? Int ?? 0))
            defer { withExtendedLifetime(bench) {} }
            let steps = input["steps"] as? [[Any]] ?? []
            if input["object"] as? String == "recorder" {
                let recorder = client.operations.screenRecorder()
                Self.record(steps, in: recorder)
                let built = try Self.json(recorder.build())
                #expect(try Self.json(recorder.build()) == built, name)  // building changes nothing
                if let json = expect["json"] as? NSObject { #expect(built == json, name) }
                if let key = expect["key"] as? String { #expect(ScreenRecorder.key == key, name) }
                if let visits = expect["visits"] as? [[String: Any]] { check(built, visits, name) }
                return
            }
            let data = try MobileTokenData(initial: Self.bytes(input["initial"] ?? [:] as [String: Any]))
            var snapshots: [String: NSObject] = [:]
            var recorder: ScreenRecorder?
            for step in steps {
                let key = step.count > 1 ? step[1] as? String ?? "" : ""
                switch step[0] as? String {
                case "put", "putRecord": try data.put(key, json: Self.bytes(step[2]))
                case "remove": #expect(data.remove(key) == step[2] as? Bool, name)
                case "clear": data.clear()
                case "snapshot": snapshots[key] = try Self.json(data.build())
                case "putRecorder":
                    let made = client.operations.screenRecorder()
                    data.put(made)
                    Self.record(step[1] as? [[Any]] ?? [], in: made)
                    recorder = made
                default: Issue.record("unknown step \(step)")
                }
            }
            let built = try Self.json(data.build())
            for (key, value) in expect {
                switch key {
                case "build": #expect(built == value as? NSObject, name)
                case "snapshots": #expect(snapshots as NSObject == value as? NSObject, name)
                case "buildKeys":
                    let keys = (built as? [String: Any])?.keys.sorted()
                    #expect(keys == (value as? [String])?.sorted(), name)
                case "visits":
                    let list = (built as? [String: Any])?[ScreenRecorder.key] as? NSObject
                    check(try #require(list, name), value as? [[String: Any]] ?? [], name)
                default: Issue.record("unknown expectation \(key) of \(name)")
                }
            }
            withExtendedLifetime(recorder) {}
        }
    }

    private func check(_ built: NSObject, _ visits: [[String: Any]], _ name: Comment) {
        let list = built as? [[String: Any]] ?? []
        #expect(list.count == visits.count, name)
        for (visit, expected) in zip(list, visits) {
            #expect(visit["screen"] as? String == expected["screen"] as? String, name)
            if let closed = expected["closed"] as? Bool { #expect((visit["timestampClosed"] != nil) == closed, name) }
            #expect(visit["action"] as? String == expected["action"] as? String, name)
            #expect((visit["timestampOpened"] as? String)?.hasSuffix("Z") == true, name)
        }
    }

    @Test func badTokenDataIsRefusedWithItsPlace() throws {
        for (text, offset) in [("[]", 0), ("{\"a\":}", 6), ("", 0)] {
            do throws(Failure) {
                _ = try MobileTokenData(initial: [UInt8](text.utf8))
                Issue.record("took \(text)")
            } catch {
                #expect(error.code == .parse)
                #expect(error.byteOffset == offset, Comment(rawValue: text))
            }
        }
        let data = MobileTokenData()
        #expect(throws: Failure.self) { try data.put("a", json: [UInt8]("1 2".utf8)) }
        try data.put("a", json: [UInt8](" 1.50 ".utf8))
        data.put("b", text: "\"\u{1F600}\n")
        #expect(String(decoding: data.build(), as: UTF8.self).hasPrefix("{\"a\":1.50,\"b\":\"\\\""))
    }

    // MARK: Proximity

    @Test func proximityChecks() throws {
        try eachCase(of: "proximity-check") { input, expect, name in
            if input["totp"] as? String == "" {
                let world = try EngineTests.World()
                #expect(throws: Failure.self, name) {
                    try world.client.operations.authorize(
                        id: "op", data: "A1", authentication: Authentication(pin: EngineTests.World.pin),
                        extras: ApprovalExtras(proximity: ProximityCheck(otp: "", type: .qrCode, received: 0)),
                        task: CallTask(options: nil))
                }
                return
            }
            try approve(input, expect, name)
        }
    }

    private func approve(_ input: [String: Any], _ expect: [String: Any], _ name: Comment) throws {
        let path = "/api/auth/token/app/operation/authorize"
        let world = try EngineTests.World()
        let clock = world.bench.loop.manualTime
        let adjustment = Int64(input["adjustmentMs"] as? Int ?? 0)
        let received = Int64(input["receivedMs"] as? Int ?? input["deviceNowMs"] as? Int ?? 1_700_000_000_000)
        // The device's clock at the approval, by which the server's is the one given.
        let device = (input["serverNowMs"] as? Int).map { Int64($0) - adjustment } ?? received
        clock.setWall(milliseconds: device)
        world.client.resetTime()
        world.server.ahead = adjustment
        if input["timeSynchronized"] as? Bool != false {
            world.client.activation.lock.withLock {
                _ = world.client.activation.learnTime(device + adjustment, sentAt: device)
            }
        }
        if input["synchronizeFails"] as? Bool == true {
            world.server.override["/pa/v3/status"] = { _ in .failure(TransportError(.timeout, detail: "")) }
        }
        let count = world.server.paths.count
        var extras = ApprovalExtras()
        if let otp = input["totp"] as? String {
            let type: ProximityCheck.Kind = input["type"] as? String == "qrCode" ? .qrCode : .deeplink
            extras.proximity = ProximityCheck(otp: otp, type: type, received: received)
        }
        let task = CallTask(options: nil)
        try world.client.operations.authorize(
            id: "op", data: "A1", authentication: Authentication(pin: EngineTests.World.pin), extras: extras, task: task
        )
        world.bench.loop.runUntilIdle()
        let asked = Array(world.server.paths[count...])
        let isSent = asked.contains(path)
        if expect["error"] as? Bool == true {
            #expect(task.state == .failed, name)
            #expect(!isSent, name)
            #expect(task.failure?.outcome == .notSent, name)
        }
        if let signed = expect["signed"] as? Bool { #expect(isSent == signed, name) }
        if let calls = expect["synchronizeCalls"] as? Int {
            #expect(asked.filter { $0 == "/pa/v3/status" }.count == calls, name)
        }
        guard isSent else { return }
        let body = try Self.json(world.bench.transport.requests.last?.body ?? []) as? [String: Any]
        let object = body?["requestObject"] as? [String: Any]
        let check = object?["proximityCheck"] as? [String: String]
        if expect["proximityCheck"] is NSNull { #expect(object?["proximityCheck"] == nil, name) }
        for key in ["otp", "type", "timestampReceived", "timestampSent"] {
            if let value = expect[key] as? String { #expect(check?[key] == value, name) }
            if let value = expect[key + "Ms"] as? Int { #expect(check?[key] == InstantText.format(Int64(value)), name) }
        }
    }
}
