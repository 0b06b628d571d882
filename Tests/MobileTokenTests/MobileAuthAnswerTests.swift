import MobileTokenCrypto
import MobileTokenHTTP
import MobileTokenJSON
import MobileTokenModel
import PowerAuth
import TestSupport
import Testing

@testable import MobileToken
@testable import PowerAuthDoubles

/// How a request is fetched, what is asked before the PIN, and what goes with the answer and comes back with it.
struct MobileAuthAnswerTests {
    private static let detail = "/api/auth/token/app/operation/detail"
    private static let authorize = "/api/auth/token/app/operation/authorize"
    private static let cancel = "/api/auth/token/app/operation/cancel"
    private static let scan = #","ui":{"preApprovalScreens":[{"type":"QR_SCAN","heading":"h","message":"m"}]}"#
    private static let key = SecureBytes(copying: [UInt8](1...16))

    /// A device at which requests are handled, one after the other.
    private final class Desk {
        let world: EngineTests.World
        /// What the server answers to an encrypted question and to a plain one; nil: the operation.
        var encrypted: (status: Int, code: String?)? = (500, "ERROR_GENERIC")
        var plain: (status: Int, code: String?)?
        var operation: String
        /// The bodies of the answers that the server got.
        private(set) var answers: [JSONValue] = []
        var reply = Bench.response(200, #"{"status":"OK"}"#)

        init(ui: String = "", factors: String = #""possession_knowledge""#) throws {
            world = try EngineTests.World(events: [.challenges, .tasks], persisted: false)
            try world.client.persistActivation(pin: EngineTests.World.pin, biometryKey: MobileAuthAnswerTests.key)
            let now = world.bench.loop.manualTime.wallMilliseconds()
            operation = """
                {"id":"op","name":"login","data":"A2","operationCreated":\(now),"operationExpires":\(now + 300_000),\
                "allowedSignatureType":{"type":"2FA","variants":[\(factors)]},\
                "formData":{"title":"T","message":"M","attributes":[]}\(ui)}
                """
            world.server.override[MobileAuthAnswerTests.detail] = { [unowned self] request in
                let isEncrypted = request.headers.contains { $0.name == "X-PowerAuth-Encryption" }
                guard let refusal = isEncrypted ? encrypted : plain else {
                    return Bench.response(200, #"{"status":"OK","responseObject":\#(operation)}"#)
                }
                guard let code = refusal.code else { return Bench.response(refusal.status, "<html>") }
                return Bench.response(
                    refusal.status, #"{"status":"ERROR","responseObject":{"code":"\#(code)","message":""}}"#)
            }
            for path in [MobileAuthAnswerTests.authorize, MobileAuthAnswerTests.cancel] {
                world.server.override[path] = { [unowned self] request in
                    if let body = try? JSONDocument(parsing: request.body).root["requestObject"] {
                        answers.append(body)
                    }
                    return reply
                }
            }
        }

        /// How many questions were asked encrypted, and plain, since the requests before.
        func questions(since count: Int) -> [Bool] {
            world.bench.transport.requests[count...].filter { $0.url.hasSuffix(MobileAuthAnswerTests.detail) }
                .map { $0.headers.contains { $0.name == "X-PowerAuth-Encryption" } }
        }

        func handle(_ options: MobileAuth.Options = .init()) throws -> CallTask {
            let task = CallTask(options: nil)
            try world.client.mobileAuth.handle(
                try world.client.mobileAuth.request(transactionId: "op"), options: options, task: task)
            world.bench.loop.runUntilIdle()
            return task
        }

        func challenge() throws -> Challenge {
            world.bench.loop.runUntilIdle()
            while let event = world.bench.runtime.events.take() {
                if case .challenge(let challenge) = event.content { return challenge }
            }
            throw Missing()
        }

        func answer(_ challenge: Challenge, _ answer: Challenge.Answer) throws {
            try challenge.answer(answer)
            world.bench.loop.runUntilIdle()
        }

        struct Missing: Error {}
    }

    // MARK: Encryption

    @Test(
        arguments: [
            (500, "ERROR_GENERIC"), (400, "INVALID_REQUEST"), (400, "ERR_ENCRYPTION"), (400, "ANOTHER"), (404, nil),
            (403, nil), (415, nil), (401, "POWERAUTH_AUTH_FAIL"), (501, nil), (500, nil), (406, nil),
        ] as [(Int, String?)])
    func aRefusalThatThePlainCallDoesNotShareIsRemembered(status: Int, code: String?) throws {
        let desk = try Desk()
        desk.encrypted = (status, code)
        var sent = desk.world.bench.transport.requests.count
        var task = try desk.handle()
        #expect(desk.questions(since: sent).first == true && desk.questions(since: sent).last == false)
        try desk.answer(desk.challenge(), .pin(EngineTests.World.pin))
        #expect(task.state == .succeeded)
        sent = desk.world.bench.transport.requests.count
        task = try desk.handle()
        #expect(desk.questions(since: sent) == [false])
        task.cancel()
        desk.world.bench.loop.runUntilIdle()
    }

    /// A refusal that both share, and one that is the matter of a moment, say nothing of the encryption.
    @Test(
        arguments: [
            (500, "ERROR_GENERIC", true), (400, "INVALID_REQUEST", true), (503, nil, false), (502, "X", false),
            (429, nil, false), (400, "OPERATION_ALREADY_FINISHED", false), (400, "INVALID_OPERATION", false),
            (400, "OPERATION_EXPIRED", false),
        ] as [(Int, String?, Bool)])
    func aRefusalThatSaysNothingOfEncryption(status: Int, code: String?, isAskedAgain: Bool) throws {
        let desk = try Desk()
        desk.encrypted = (status, code)
        desk.plain = (status, code)
        var sent = desk.world.bench.transport.requests.count
        #expect(try desk.handle().state == .failed)
        #expect(desk.questions(since: sent) == (isAskedAgain ? [true, false] : [true]))
        sent = desk.world.bench.transport.requests.count
        desk.plain = nil
        let task = try desk.handle()
        #expect(desk.questions(since: sent).first == true)
        task.cancel()
        desk.world.bench.loop.runUntilIdle()
    }

    /// A plain call that fails on the way, or in a gateway, proves nothing; one that is refused for the operation does.
    @Test(arguments: [(503, nil, true), (400, "OPERATION_ALREADY_FINISHED", false)] as [(Int, String?, Bool)])
    func whatThePlainCallProves(status: Int, code: String?, staysOpen: Bool) throws {
        let desk = try Desk()
        desk.plain = (status, code)
        #expect(try desk.handle().state == .failed)
        let sent = desk.world.bench.transport.requests.count
        _ = try desk.handle()
        #expect(desk.questions(since: sent).first == staysOpen)
    }

    // MARK: Proximity

    private func proximity(_ otp: String = "12345678", received: Int64) -> ProximityCheck {
        ProximityCheck(otp: otp, type: .qrCode, received: received)
    }

    @Test func withoutAPasswordNobodyIsAskedForAPIN() throws {
        for ui in [Self.scan, #","ui":{"preApprovalScreen":{"type":"QR_SCAN","heading":"h","message":"m"}}"#] {
            let desk = try Desk(ui: ui)
            let task = try desk.handle()
            #expect(task.failure?.reason.description == "proximity_required")
            #expect(task.mobileAuth?.value.error == .proximityRequired)
            #expect(task.mobileAuth?.value.request.operation != nil)
            #expect(throws: Desk.Missing.self) { try desk.challenge() }
            #expect(desk.answers.isEmpty)
        }
    }

    @Test func theScreenThatIsLeftOutAsksForNothing() throws {
        for ui in ["", #","ui":{"preApprovalScreens":[]}"#, #","ui":{"preApprovalScreens":[{"type":"INFO"}]}"#] {
            let desk = try Desk(ui: ui)
            _ = try desk.handle()
            #expect(try desk.challenge().kind == .pin)
        }
    }

    @Test func aPasswordOfTheOptionsGoesWithTheApproval() throws {
        let desk = try Desk(ui: Self.scan)
        var options = MobileAuth.Options()
        options.extras.proximity = proximity(received: desk.world.client.deviceTime)
        options.extras.mobileTokenData = [UInt8](#"{"mood":"calm"}"#.utf8)
        let task = try desk.handle(options)
        try desk.answer(desk.challenge(), .pin(EngineTests.World.pin))
        #expect(task.state == .succeeded)
        let answer = try #require(desk.answers.first)
        #expect(answer["proximityCheck"]?["otp"]?.text?.string == "12345678")
        #expect(answer["mobileTokenData"]?["mood"]?.text?.string == "calm")
    }

    @Test func aPasswordThatIsAttachedGoesWithTheApproval() throws {
        let desk = try Desk(ui: Self.scan)
        desk.world.server.operations = "[\(desk.operation)]"
        _ = try desk.world.run { try desk.world.client.operations.list(task: $0) }
        try desk.world.client.operations.attach(
            ApprovalExtras(proximity: proximity("11111111", received: desk.world.client.deviceTime)), to: "op")
        _ = try desk.handle()
        try desk.answer(desk.challenge(), .pin(EngineTests.World.pin))
        #expect(desk.answers.first?["proximityCheck"]?["otp"]?.text?.string == "11111111")
    }

    @Test func aChallengeOfItsOwn() throws {
        let desk = try Desk(ui: Self.scan)
        var options = MobileAuth.Options()
        options.handlesProximity = true
        let task = try desk.handle(options)
        let challenge = try desk.challenge()
        #expect(challenge.kind == .proximity && challenge.attempt == 1)
        let now = desk.world.client.deviceTime
        for wrong in [
            Challenge.Answer.confirm, .pin(EngineTests.World.pin), .usePIN(nil), .biometric(Self.key),
            .custom(nil, data: nil), .proximity(proximity("", received: now)),
        ] {
            #expect(throws: Failure.self) { try challenge.answer(wrong) }
        }
        try desk.answer(challenge, .proximity(proximity(received: now)))
        #expect(throws: Failure.self) { try challenge.answer(.proximity(proximity(received: now))) }
        // A wrong PIN does not lose the password.
        desk.world.server.failedAttempts = 1
        desk.reply = Bench.response(
            401, #"{"status":"ERROR","responseObject":{"code":"POWERAUTH_AUTH_FAIL","message":""}}"#)
        try desk.answer(desk.challenge(), .pin(SecureBytes(copying: "9999")))
        desk.reply = Bench.response(200, #"{"status":"OK"}"#)
        let again = try desk.challenge()
        #expect(again.kind == .pin && again.attempt == 3)
        try desk.answer(again, .pin(EngineTests.World.pin))
        #expect(task.state == .succeeded)
        #expect(desk.answers.map { $0["proximityCheck"]?["otp"]?.text?.string } == ["12345678", "12345678"])
    }

    @Test(arguments: [true, false]) func aProximityChallengeIsDeniedOrCancelled(denies: Bool) throws {
        let desk = try Desk(ui: Self.scan)
        var options = MobileAuth.Options()
        options.handlesProximity = true
        options.extras.mobileTokenData = [UInt8](#"{"a":1}"#.utf8)
        let task = try desk.handle(options)
        try desk.answer(desk.challenge(), denies ? .deny("INCORRECT_DATA") : .cancel)
        #expect(task.mobileAuth?.value.isDenied == denies)
        #expect(desk.answers.count == (denies ? 1 : 0))
        if denies { #expect(desk.answers.first?["mobileTokenData"]?["a"]?.int64 == 1) }
        #expect(desk.world.bench.loop.scheduledTimers == 0 && desk.world.client.mobileAuth.state.handling == nil)
    }

    @Test func aRequestThatNothingHereCanSatisfyAsksForNoPassword() throws {
        let desk = try Desk(ui: Self.scan, factors: "")
        var options = MobileAuth.Options()
        options.handlesProximity = true
        #expect(try desk.handle(options).failure?.reason.description == "not_handleable")
    }

    // MARK: Custom authenticators

    private func customOptions(_ data: String? = nil) -> MobileAuth.Options {
        var options = MobileAuth.Options()
        options.authenticator = "card"
        options.extras.mobileTokenData = data.map { [UInt8]($0.utf8) }
        return options
    }

    private static let both = #""possession_knowledge","possession_biometry""#

    @Test(
        arguments: [
            (nil, #"{"customAuthenticator":{"name":"card","data":"a \"word\""}}"#),
            (#"{"mood":"calm"}"#, #"{"mood":"calm","customAuthenticator":{"name":"card","data":"a \"word\""}}"#),
            (#"{"customAuthenticator":1}"#, #"{"customAuthenticator":{"name":"card","data":"a \"word\""}}"#),
        ] as [(String?, String)])
    func dataForTheServer(given: String?, sent: String) throws {
        let desk = try Desk(factors: Self.both)
        try desk.world.client.mobileAuth.registerAuthenticator("card", key: Self.key)
        desk.reply = Bench.response(200, #"{"status":"OK","responseObject":{"customInfo":{"status":7,"data":"x"}}}"#)
        let task = try desk.handle(customOptions(given))
        try desk.answer(desk.challenge(), .custom(nil, data: #"a "word""#))
        #expect(task.state == .succeeded)
        #expect(task.mobileAuth?.value.serverInfo == #"{"status":7,"data":"x"}"#)
        let data = try #require(desk.answers.first?["mobileTokenData"])
        #expect(String(decoding: data.compact(), as: UTF8.self) == sent)
    }

    @Test func withoutDataNothingIsSaid() throws {
        let desk = try Desk(factors: Self.both)
        try desk.world.client.mobileAuth.registerAuthenticator("card", key: Self.key)
        let task = try desk.handle(customOptions())
        try desk.answer(desk.challenge(), .custom(nil, data: nil))
        #expect(task.state == .succeeded)
        #expect(desk.answers.first?["mobileTokenData"] == nil)
        #expect(task.mobileAuth?.value.serverInfo == nil)
    }

    /// What the server says to an answer comes back in the challenge that follows and in the end, well or not.
    @Test func whatTheServerSays() throws {
        let desk = try Desk(factors: Self.both)
        try desk.world.client.mobileAuth.registerAuthenticator("card", key: Self.key)
        desk.reply = Bench.response(
            401,
            #"{"status":"ERROR","responseObject":{"code":"POWERAUTH_AUTH_FAIL","message":"","customInfo":"worn"}}"#)
        let task = try desk.handle(customOptions())
        let first = try desk.challenge()
        #expect(first.serverInfo == nil)
        try desk.answer(first, .custom(SecureBytes(copying: [UInt8](repeating: 1, count: 16)), data: "d"))
        let pin = try desk.challenge()
        #expect(pin.kind == .pin && pin.serverInfo == #""worn""#)
        desk.reply = Bench.response(
            400, #"{"status":"ERROR","responseObject":{"code":"OPERATION_EXPIRED","message":"","customInfo":[1]}}"#)
        try desk.answer(pin, .pin(EngineTests.World.pin))
        #expect(task.mobileAuth?.value.error == .expired)
        #expect(task.mobileAuth?.value.serverInfo == "[1]")
    }
}
