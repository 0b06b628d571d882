import MobileTokenCrypto
import MobileTokenHTTP
import MobileTokenModel
import PowerAuth
import TestSupport
import Testing

@testable import MobileToken
@testable import PowerAuthDoubles

/// The handling of requests, step by step: it ends whatever happens at whatever moment.
struct MobileAuthTests {
    private static let detail = "/api/auth/token/app/operation/detail"
    private static let authorize = "/api/auth/token/app/operation/authorize"

    private struct Handled {
        let world: EngineTests.World
        let task = CallTask(options: nil)

        /// - Parameter lifetime: of the operation, in milliseconds
        init(lifetime: Int64 = 300_000, signature: String = #"{"type":"2FA","variants":["possession_knowledge"]}"#)
            throws
        {
            world = try EngineTests.World(events: [.challenges, .tasks])
            let now = world.bench.loop.manualTime.wallMilliseconds()
            let operation = """
                {"id":"op","name":"login","data":"A2","operationCreated":\(now),"operationExpires":\(now + lifetime),\
                "allowedSignatureType":\(signature),"formData":{"title":"T","message":"M","attributes":[]}}
                """
            world.server.override[MobileAuthTests.detail] = { request in
                if request.headers.contains(where: { $0.name == "X-PowerAuth-Encryption" }) {
                    return Bench.response(
                        400, #"{"status":"ERROR","responseObject":{"code":"INVALID_REQUEST","message":""}}"#)
                }
                return Bench.response(200, #"{"status":"OK","responseObject":\#(operation)}"#)
            }
        }

        func start() throws {
            let request = try world.client.mobileAuth.request(transactionId: "op")
            try world.client.mobileAuth.handle(request, options: MobileAuth.Options(), task: task)
        }

        /// The challenges among the events that wait.
        func challenges() -> [Challenge] {
            var found: [Challenge] = []
            while let event = world.bench.runtime.events.take() {
                if case .challenge(let challenge) = event.content { found.append(challenge) }
            }
            return found
        }

        func answer() {
            for challenge in challenges() { try? challenge.answer(.pin(EngineTests.World.pin)) }
        }
    }

    @Test func fetchChallengeAnswerDone() throws {
        let handled = try Handled()
        try handled.start()
        handled.world.bench.loop.runUntilIdle()
        let challenge = try #require(handled.challenges().first)
        #expect(challenge.kind == .pin)
        #expect(challenge.request.message == "M")
        #expect(handled.task.state == .running)
        try challenge.answer(.pin(EngineTests.World.pin))
        handled.world.bench.loop.runUntilIdle()
        #expect(handled.task.state == .succeeded)
        #expect(handled.task.mobileAuth?.value.error == nil)
        #expect(handled.world.client.mobileAuth.state.handling == nil)
        #expect(handled.world.bench.loop.scheduledTimers == 0)
        #expect(Array(handled.world.server.paths.suffix(3)) == [Self.detail, Self.detail, Self.authorize])
    }

    /// Who ends a handling from outside.
    enum End: CaseIterable {
        case task, client, activation, runtime, challenge
    }

    /// Ends the handling after each number of steps of the loop, up to its completion.
    @Test(arguments: End.allCases) func endedAtEachStep(end: End) throws {
        var steps = 0
        var isComplete = false
        while !isComplete {
            let handled = try Handled()
            let loop = handled.world.bench.loop
            try handled.start()
            var held: [Challenge] = []
            for _ in 0..<steps {
                loop.step()
                let asked = handled.challenges()
                held += asked
                if end != .challenge || steps % 2 == 0 {
                    for challenge in asked { try? challenge.answer(.pin(EngineTests.World.pin)) }
                }
            }
            isComplete = handled.task.state != .running
            switch end {
            case .task: handled.task.cancel()
            case .client: handled.world.client.close()
            case .activation: try handled.world.client.removeLocally()
            case .runtime: handled.world.bench.runtime.stop()
            case .challenge: break
            }
            loop.runUntilIdle()
            if end == .challenge {
                for challenge in held + handled.challenges() { try? challenge.answer(.abandon) }
                loop.runUntilIdle()
            }
            #expect(handled.task.state != .running, "\(end) after \(steps) steps")
            #expect(handled.world.client.mobileAuth.state.handling == nil, "\(end) after \(steps) steps")
            if !isComplete, end != .challenge {
                // What the server had carried out by then is told as it is.
                let approved = handled.world.server.paths.last == Self.authorize
                let error = handled.task.mobileAuth?.value.error
                let ways: [MobileAuthError?] =
                    end == .activation ? [.actionCancelled, .notEnrolled] : [.actionCancelled]
                #expect(ways.contains(error) || (approved && error == nil), "\(end) after \(steps) steps")
            }
            for challenge in held {
                #expect(throws: Failure.self) { try challenge.answer(.pin(EngineTests.World.pin)) }
            }
            #expect(Set(handled.world.server.acceptedCounters).count == handled.world.server.acceptedCounters.count)
            steps += 1
            try #require(steps < 500)
            if end == .challenge, steps > 60 { break }
        }
        #expect(steps > 4)
    }

    @Test func expiry() throws {
        let handled = try Handled(lifetime: 10_000)
        try handled.start()
        handled.world.bench.loop.runUntilIdle()
        let challenge = try #require(handled.challenges().first)
        // A malformed answer is none, and does not stop the clock.
        #expect(throws: Failure.self) { try challenge.answer(.pin(SecureBytes(copying: "1"))) }
        handled.world.bench.loop.advance(milliseconds: 9_000)
        #expect(handled.task.state == .running)
        handled.world.bench.loop.advance(milliseconds: 1_001)
        #expect(handled.task.failure?.reason.description == "expired")
        #expect(throws: Failure.self) { try challenge.answer(.pin(EngineTests.World.pin)) }
    }

    /// An answer on its way is not overtaken by the expiry.
    @Test func expiryWhileAnswering() throws {
        let handled = try Handled(lifetime: 10_000)
        handled.world.server.silent = [Self.authorize]
        try handled.start()
        handled.world.bench.loop.runUntilIdle()
        try #require(handled.challenges().first).answer(.pin(EngineTests.World.pin))
        handled.world.bench.loop.runUntilIdle()
        handled.world.bench.loop.advance(milliseconds: 10_001)
        #expect(handled.task.state == .running)
        handled.world.bench.transport.complete(Bench.response(200, #"{"status":"OK"}"#))
        handled.world.bench.loop.runUntilIdle()
        #expect(handled.task.state == .succeeded)
    }

    /// A store that fails leaves the challenge open or ends the handling; nothing was sent.
    @Test func aStoreThatFails() throws {
        let handled = try Handled()
        try handled.start()
        handled.world.bench.loop.runUntilIdle()
        let challenge = try #require(handled.challenges().first)
        let sent = handled.world.server.paths.count
        handled.world.bench.store.failSaves = true
        try challenge.answer(.pin(EngineTests.World.pin))
        handled.world.bench.loop.runUntilIdle()
        #expect(handled.task.failure?.code == .storage)
        #expect(handled.task.mobileAuth?.value.error == .other)
        #expect(handled.world.server.paths.count == sent)
    }

    @Test(
        arguments: [
            (#"{"type":"1FA","variants":[]}"#, Challenge.Kind.confirmation),
            (#"{"type":"2FA","variants":["possession_knowledge","possession_biometry"]}"#, .pin),
            (#"{"type":"2FA","variants":["possession_biometry"]}"#, nil),
            (#"{"type":"2FA","variants":["possession"]}"#, nil),
            (#"{"type":"2FA","variants":[]}"#, nil),
            (#"{"type":"ECDSA","variants":["possession_knowledge"]}"#, nil),
        ] as [(String, Challenge.Kind?)])
    func firstChallenge(signature: String, kind: Challenge.Kind?) throws {
        let handled = try Handled(signature: signature)
        try handled.start()
        handled.world.bench.loop.runUntilIdle()
        #expect(handled.challenges().first?.kind == kind)
        #expect((handled.task.failure?.reason.description == "not_handleable") == (kind == nil))
        handled.task.cancel()
    }
}
