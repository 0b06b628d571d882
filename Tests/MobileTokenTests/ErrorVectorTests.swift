import Foundation
import MobileTokenCrypto
import MobileTokenHTTP
import PowerAuth
import TestSupport
import Testing

@testable import MobileToken
@testable import PowerAuthDoubles

/// errors.json: what callers see for each answer and transport problem.
struct ErrorVectorTests {
    @Test func errors() throws {
        try eachCase(of: "errors", check)
    }

    private func check(_ input: [String: Any], _ expect: [String: Any], _ name: Comment) throws {
        if input["activation"] as? Bool == false {
            let bench = try Bench()
            let client = try bench.client()
            let failure = failure { try client.operations.list(task: CallTask(options: nil)) }
            #expect(failure?.reason.description == expect["reason"] as? String, name)
            #expect(bench.transport.requests.count == expect["requests"] as? Int, name)
            return
        }
        let world = try EngineTests.World()
        let path = try #require(
            ["authorize": "authorize", "reject": "cancel", "list": "list"][input["call"] as? String ?? ""], name)
        let url = "/api/auth/token/app/operation/" + path
        if input["signing"] as? String == "fails" {
            world.bench.random.fails = true
            let count = world.bench.transport.requests.count
            let task = try world.run(world.authorize)
            #expect(task.failure?.reason.description == expect["reason"] as? String, name)
            #expect(world.bench.transport.requests.count - count == expect["requests"] as? Int, name)
            return
        }
        let answer = try self.answer(input)
        if let answer { world.server.override[url] = { _ in answer } } else { world.server.silent = [url] }
        let task = CallTask(options: nil)
        switch input["call"] as? String {
        case "authorize": try world.authorize(task)
        case "reject": try world.client.operations.reject(id: "op", reason: "UNKNOWN", mobileTokenData: nil, task: task)
        default: try world.client.operations.list(task: task)
        }
        world.bench.loop.runUntilIdle()
        if input["cancelled"] as? Bool == true {
            // Here a cancelled task completes, once, as cancelled: there are no callbacks.
            task.cancel()
            world.bench.loop.runUntilIdle()
            #expect(task.state == .cancelled, name)
            return
        }
        let failure = try #require(task.failure, name)
        #expect((failure.upstreamReason ?? failure.reason).description == expect["reason"] as? String, name)
        if let code = expect["restCode"] { #expect(failure.serverCode == code as? String, name) }
        if let status = expect["httpStatus"] { #expect(failure.httpStatus == Int32(status as? Int ?? 0), name) }
        if expect["authenticationFailed"] as? Bool == true {
            // Nothing was counted.
            #expect(failure.code == .server && failure.reason.description == "notTheFactor", name)
        }
        if expect["pinning"] as? Bool == true { #expect(failure.code == .pinMismatch, name) }
    }

    private func answer(_ input: [String: Any]) throws -> Result<HTTPResponse, TransportError>? {
        switch input["transport"] as? String {
        case "timeout": return .failure(TransportError(.timeout, detail: ""))
        case "notConnected": return .failure(TransportError(.notConnected, detail: ""))
        case "untrustedCertificate":
            return .failure(TransportError(.certificate, certificateProblem: .untrusted, detail: ""))
        case "pinMismatch": return .failure(TransportError(.pinMismatch, detail: ""))
        default: break
        }
        guard let status = input["http"] as? Int else { return nil }
        if let text = input["bodyText"] as? String { return Bench.response(status, text) }
        let body = try JSONSerialization.data(withJSONObject: try #require(input["body"]))
        return Bench.response(status, String(decoding: body, as: UTF8.self))
    }

    private func failure(_ work: () throws -> Void) -> Failure? {
        do {
            try work()
            return nil
        } catch {
            return error as? Failure
        }
    }
}
