import Foundation
import MobileTokenCrypto
import MobileTokenHTTP
import TestSupport
import Testing

@testable import MobileToken
@testable import PowerAuth

enum Guarantees {
    /// The page, each paragraph in one line.
    static func text() throws -> String {
        let page = Vectors.directory.deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("docs/guarantees.md")
        return try String(contentsOf: page, encoding: .utf8).split(whereSeparator: \.isWhitespace).joined(
            separator: " ")
    }
}

/// Each cause of a refusal and what the status shows of it; and what follows on a failure: a row a rule, with its sentence in
/// docs/guarantees.md.
@Suite struct VerdictTests {
    private typealias Evidence = RefusalCause.Evidence

    private static let causes: [(String, Evidence, RefusalCause)] = [
        ("a wrong PIN", Evidence(failedAfter: 1, isTaken: false, provesUser: true), .factor),
        (
            "a second wrong PIN",
            Evidence(failedBefore: 1, failedAfter: 2, isTaken: false, provesUser: true),
            .factor
        ),
        (
            "a wrong PIN after a right one that nobody told of",
            Evidence(failedBefore: 3, failedAfter: 1, isTaken: false, provesUser: true), .factor
        ),
        (
            "a right PIN that nobody looked at, after a wrong one",
            Evidence(failedBefore: 1, failedAfter: 1, isTaken: false, provesUser: true), .notFactor
        ),
        (
            "the wrong PIN that blocks",
            Evidence(failedBefore: 4, failedAfter: 5, isBlocked: true, isTaken: false, provesUser: true), .factor
        ),
        (
            "a right PIN after others had blocked the activation",
            Evidence(failedAfter: 5, isBlocked: true, isTaken: false, provesUser: true), .notFactor
        ),
        (
            "the device's key alone is never counted",
            Evidence(failedBefore: 0, failedAfter: 1, isTaken: false, provesUser: false), .notFactor
        ),
        (
            "a right PIN for what the bank does not allow",
            Evidence(failedBefore: 2, failedAfter: 0, isTaken: true, provesUser: true), .accepted
        ),
        (
            "the device's key for what cannot be opened",
            Evidence(failedBefore: 2, failedAfter: 2, isTaken: true, provesUser: false), .accepted
        ),
        (
            "a copy was one step ahead, and the PIN was counted as wrong",
            Evidence(failedAfter: 1, isTaken: true, provesUser: true), .counterBehind(steps: 1)
        ),
        (
            "a copy was one step ahead of the device's key: nothing tells that",
            Evidence(failedAfter: 0, isTaken: true, provesUser: false), .accepted
        ),
        (
            "a copy was far ahead, whatever was counted",
            Evidence(failedBefore: 1, failedAfter: 2, ahead: 7, isTaken: false, provesUser: true),
            .counterBehind(steps: 7)
        ),
    ]

    @Test(arguments: causes.indices) func cause(_ row: Int) {
        let (name, evidence, cause) = Self.causes[row]
        #expect(RefusalCause(evidence) == cause, "\(name)")
    }

    /// What a status says that was asked for before a success: "No activation is judged by an old status".
    @Test(arguments: [
        (ActivationStatus.State.active, ActivationStatus.Counter.ok, false), (.active, .outdated, true),
        (.blocked, .ok, true), (.pendingCommit, .ok, true), (.removed, .ok, true),
    ])
    func oldStatus(_ state: ActivationStatus.State, _ counter: ActivationStatus.Counter, isBefore: Bool) {
        let asked = Moment(signatures: 3, successes: 1, status: 1), now = Moment(signatures: 3, successes: 2, status: 1)
        #expect(asked.isBefore(now, for: Self.status(state, counter)) == isBefore)
        #expect(asked.isBefore(asked, for: Self.status(state, counter)) == (counter == .outdated))
    }

    // MARK: Verdicts

    private static let user = SigningKeys(biometry: SecureBytes(copying: "0123456789abcdef"))
    private static func signed() -> Call { .operationHistory(keys: user) }
    private static func device() -> Call { .createToken(name: "t", keys: .possession) }
    private static func vault() -> Call {
        .vault(.fetchEncryptionKey, keys: user) { (_, _) throws(Failure) in .none }
    }
    private static func list() -> Call { .operationDetail(id: "x") }
    private static func question() -> Call { .userInfo() }
    private static func step(_ step: Call.Step) -> Call {
        .signatureValidation(
            name: "step", reason: "", kind: .finishing(step, Call.validation, user), read: Call.nothing)
    }
    private static func changed() -> Call {
        .signatureValidation(
            name: "change", reason: "", kind: .signed(by: .user(Call.validation, user, for: .factor)),
            read: Call.nothing)
    }

    /// The server's own refusal of a call.
    private static func refused(
        _ call: Call, _ status: Int = 401, _ code: String = "POWERAUTH_AUTH_FAIL", _ message: String = ""
    ) -> Failure {
        let body = #"{"status":"ERROR","responseObject":{"code":"\#(code)","message":"\#(message)"}}"#
        let response = HTTPResponse(status: status, body: [UInt8](body.utf8))
        do throws(Failure) {
            _ = try Reply(response, errors: call.errors, now: 0).plain()
            return .cancelled()
        } catch {
            return call.completed(error, response)
        }
    }

    /// An answer that is neither a success nor a refusal.
    private static func garbled(_ call: Call, _ status: Int) -> Failure {
        let response = HTTPResponse(status: status, body: [UInt8]("<html>".utf8))
        do throws(Failure) {
            _ = try Reply(response, errors: call.errors, now: 0).plain()
            return .cancelled()
        } catch {
            return call.completed(error, response)
        }
    }

    private static func lost(_ call: Call, _ sent: TransportError.Outcome = .sentAnswerUnknown) -> Failure {
        Failure(TransportError(.timeout, sent: sent, detail: ""), signed: call.isSigned)
    }

    /// What a verdict says, in a line.
    private static func told(_ verdict: Verdict) -> String {
        func facts(_ failure: Failure) -> String {
            "\(failure.code) \(failure.outcome)\(failure.retriable ? " retriable" : "")"
                + (failure.remainingAttempts.map { " \($0) left" } ?? "")
        }
        switch verdict {
        case .finish(let failure): return "finish: " + facts(failure)
        case .unmade(let failure): return "unmade: " + facts(failure)
        case .status: return "status"
        case .startOver(let renewal, _): return "start over: \(renewal)"
        case .diagnose: return "diagnose"
        case .accepted: return "accepted"
        }
    }

    private static let readable =
        "For a signed call, only a readable refusal by the server itself counts as *answered*."
    private static let unknown =
        "In all other cases (no response, a gateway's page, 408, 429, any 5xx, a truncated or unreadable response) the bank "
        + "may already have acted: the outcome is *unknown* and `is_retriable` is 0."
    private static let reading = "Read-only calls have `is_retriable` 1 after 408, 429 and 5xx"
    private static let once = "A signed, token-authenticated or encrypted request is sent at most once."
    private static let forgotten =
        "If no attempt was counted (for a signed call, the status shows that), the library fetches a new key and repeats the "
        + "call once, with a new signature."
    private static let verified = "Before the library reports a wrong PIN, it fetches the unsigned status."
    private static let counted =
        "A PIN or biometry key is called wrong only if the server has counted a failed attempt; an error that says so also "
        + "says how many attempts are left."
    private static let uncounted =
        "A request that was refused without one, or after its signature was accepted, is an error of the code `SERVER`."
    private static let unavailable =
        "If the status is unavailable too, the error is `SERVER`, reason `serverUnavailable`."
    private static let time =
        "A call that was refused because of its time is repeated once if it was not signed; no token is left behind."
    private static let behind =
        "a signature refused for that reason fails with `STATE`, reason `counterBehind`, not as a wrong PIN."
    private static let token = "It creates another token only if the activation is active."
    private static let blocked =
        "Blocked, removed and unconfirmed activations are reported as such, without a signature."
    private static let stands = "After a lost response the program knows where it stands"

    private struct Answered {
        let sentence: String
        let call: Call
        let failure: Failure
        let verdict: String
        var renewable = Verdict.Renewable()
        var tried: Tried = []

        init(
            _ sentence: String, _ call: Call, _ verdict: String, tried: Tried = [],
            _ renewable: Verdict.Renewable = Verdict.Renewable(), _ failure: (Call) -> Failure
        ) {
            self.sentence = sentence
            self.call = call
            self.failure = failure(call)
            self.verdict = verdict
            self.renewable = renewable
            self.tried = tried
        }
    }

    private static var answers: [Answered] {
        [
            Answered(verified, signed(), "diagnose") { refused($0) },
            Answered(verified, list(), "diagnose") { refused($0) },
            Answered(readable, signed(), "finish: server answered") { refused($0, 400, "OPERATION_EXPIRED") },
            Answered(unknown, signed(), "finish: timeout unknown") { lost($0) },
            Answered(unknown, signed(), "finish: http unknown") { garbled($0, 502) },
            Answered(unknown, signed(), "finish: http unknown") { garbled($0, 408) },
            Answered(unknown, signed(), "finish: http unknown") { garbled($0, 429) },
            Answered(unknown, signed(), "finish: protocol unknown") { garbled($0, 200) },
            Answered(unknown, signed(), "finish: server unknown") { refused($0, 503, "ERROR_GENERIC") },
            Answered(once, signed(), "finish: timeout notSent retriable") { lost($0, .notSent) },
            Answered(reading, list(), "finish: http answered retriable") { garbled($0, 502) },
            Answered(reading, list(), "finish: http answered retriable") { garbled($0, 429) },
            // An envelope that was not opened has done nothing.
            Answered(forgotten, question(), "start over: nothing") { refused($0, 400, "ERR_ENCRYPTION") },
            Answered(forgotten, question(), "diagnose", tried: .key) { refused($0, 400, "ERR_ENCRYPTION") },
            Answered(
                forgotten, question(), "diagnose", Verdict.Renewable(keyIsOld: false)
            ) { refused($0, 400, "ERR_ENCRYPTION") },
            Answered(
                time, question(), "start over: time", Verdict.Renewable(version: .v32)
            ) { refused($0, 400, "ERR_ENCRYPTION") },
            Answered(
                time, question(), "diagnose", Verdict.Renewable(version: .v32, clock: .new)
            ) { refused($0, 400, "ERR_ENCRYPTION") },
            Answered(forgotten, vault(), "diagnose") { refused($0, 400, "ERR_SECURE_VAULT") },
            Answered(stands, step(.newPIN), "diagnose") { lost($0) },
            Answered(stands, step(.newPIN), "finish: timeout notSent retriable") { lost($0, .notSent) },
            Answered(stands, changed(), "diagnose") { lost($0) },
        ]
    }

    @Test(arguments: answers.indices) func answered(_ index: Int) {
        let row = Self.answers[index]
        var tried = row.tried
        let verdict = Verdict.answered(row.failure, of: row.call, row.renewable, &tried)
        #expect(Self.told(verdict) == row.verdict, "row \(index): \(row.sentence)")
    }

    private struct Diagnosed {
        let sentence: String
        let call: Call
        let refusal: Failure
        let found: Verdict.Findings
        let verdict: String
        let effects: Verdict.Effects
        let tried: Tried

        init(
            _ sentence: String, _ call: Call, _ verdict: String, _ effects: Verdict.Effects = .staysOpen,
            tried: Tried = [],
            refusal: (Call) -> Failure = { VerdictTests.refused($0) }, _ set: (Verdict.Findings) -> Void
        ) {
            self.sentence = sentence
            self.call = call
            self.verdict = verdict
            self.effects = effects
            self.tried = tried
            self.refusal = refusal(call)
            let found = Verdict.Findings()
            found.isMade = call.isSigned
            found.status = status()
            set(found)
            self.found = found
        }
    }

    private static func status(
        _ state: ActivationStatus.State = .active, _ counter: ActivationStatus.Counter = .ok, failed: Int = 1
    ) -> ActivationStatus {
        ActivationStatus(
            state: state, failCount: failed, maxFailCount: 5, customObject: nil, counter: counter, stateChanged: false,
            ahead: 0)
    }

    private static func wrong(_ call: Call) -> Failure {
        refused(call, 401, "POWERAUTH_AUTH_FAIL", "POWER_AUTH_CODE_INVALID")
    }

    private static var diagnoses: [Diagnosed] {
        [
            Diagnosed(counted, signed(), "finish: authentication answered 4 left") { $0.cause = .factor },
            Diagnosed(uncounted, signed(), "finish: server answered 4 left") { $0.cause = .notFactor },
            Diagnosed(uncounted, signed(), "finish: server answered 4 left") { $0.cause = .accepted },
            Diagnosed(unavailable, signed(), "finish: server answered retriable", [.staysOpen, .doubt]) {
                $0.failure = lost(.activationStatus())
            },
            Diagnosed(unavailable, list(), "unmade: server answered retriable", [.staysOpen, .doubt]) {
                $0.failure = lost(.activationStatus())
            },
            Diagnosed(behind, signed(), "finish: state answered retriable 4 left") {
                $0.cause = .counterBehind(steps: 1)
            },
            Diagnosed(blocked, signed(), "finish: blocked answered") {
                ($0.serverState, $0.serverStateFailure) = (.blocked, ServerState.blocked.failure)
            },
            Diagnosed(blocked, list(), "unmade: removed answered") {
                ($0.serverState, $0.serverStateFailure) = (.removed, ServerState.removed.failure)
            },
            Diagnosed(blocked, signed(), "finish: pendingCommit answered") {
                ($0.serverState, $0.serverStateFailure) = (.pendingCommit, ServerState.pendingCommit.failure)
            },
            Diagnosed(blocked, .activationStatus(), "status") {
                ($0.serverState, $0.serverStateFailure, $0.isStatus) = (.blocked, ServerState.blocked.failure, true)
            },
            Diagnosed(token, list(), "start over: token", tried: .time) { _ in },
            Diagnosed(token, list(), "unmade: server answered 4 left", tried: [.time, .token]) { _ in },
            Diagnosed(time, list(), "start over: time") { _ in },
            Diagnosed(time, list(), "start over: token") { $0.renewable.clock = .new },
            Diagnosed(once, signed(), "finish: server answered 4 left") {
                ($0.cause, $0.renewable.version) = (.notFactor, .v32)
            },
            Diagnosed(forgotten, vault(), "start over: nothing", refusal: { refused($0, 400, "ERR_SECURE_VAULT") }) {
                $0.cause = .notFactor
            },
            Diagnosed(forgotten, vault(), "start over: nothing") { $0.cause = .accepted },
            Diagnosed(forgotten, vault(), "finish: authentication answered 4 left") { $0.cause = .factor },
            Diagnosed(forgotten, vault(), "finish: server answered 4 left", tried: .key) { $0.cause = .accepted },
            Diagnosed(forgotten, device(), "start over: nothing") { $0.cause = .notFactor },
            // The first code of a new factor.
            Diagnosed(stands, step(.newPIN), "accepted", []) { $0.cause = .accepted },
            Diagnosed(stands, step(.newPIN), "finish: authentication answered 4 left", .formerFactor, refusal: wrong) {
                $0.cause = .factor
            },
            Diagnosed(stands, step(.newPIN), "finish: server answered 4 left", .formerFactor, refusal: wrong) {
                ($0.cause, $0.isBound) = (.factor, true)
            },
            // The server has counted an attempt, but does not say that it was for the code.
            Diagnosed(stands, step(.newPIN), "finish: authentication answered 4 left") { $0.cause = .factor },
            Diagnosed(stands, step(.newBiometry), "finish: timeout unknown 4 left", refusal: { lost($0) }) {
                $0.cause = .notFactor
            },
            Diagnosed(stands, step(.newPIN), "finish: timeout unknown", refusal: { lost($0) }) {
                ($0.failure, $0.status) = (lost(.activationStatus()), nil)
            },
            Diagnosed(stands, changed(), "finish: timeout unknown 4 left", refusal: { lost($0) }) {
                $0.cause = .notFactor
            },
            Diagnosed(stands, signed(), "finish: cancelled answered", []) { $0.failure = .cancelled() },
        ]
    }

    @Test(arguments: diagnoses.indices) func diagnosed(_ index: Int) {
        let row = Self.diagnoses[index]
        var tried = row.tried
        let (verdict, effects) = Verdict.diagnosed(row.refusal, row.found, of: row.call, &tried)
        #expect(Self.told(verdict) == row.verdict, "row \(index): \(row.sentence)")
        #expect(effects == row.effects, "row \(index): \(row.sentence)")
    }

    @Test func eachRowNamesASentenceOfThePage() throws {
        let page = try Guarantees.text()
        for sentence in Self.answers.map(\.sentence) + Self.diagnoses.map(\.sentence) {
            #expect(page.contains(sentence), "\(sentence)")
        }
    }

    @Test func nothingIsSignedWithoutTheStatus() throws {
        let page = try Guarantees.text()
        let sentences = [
            "If the server cannot be reached, signed calls fail with the error of the status call, outcome *not sent*",
            "Once more than half of a known window is used, the reason is `counterAtRisk` instead of the status call's own.",
        ]
        for sentence in sentences { #expect(page.contains(sentence)) }
        let lost = Self.lost(.activationStatus())
        for (open, window, reason) in [(11, 20, "counterAtRisk"), (10, 20, nil), (11, nil, nil)]
            as [(Int, Int?, String?)]
        {
            let failure = Failure.withoutStatus(lost, Need.Counter(open: open, window: window))
            #expect(failure.outcome == .notSent)
            #expect(failure.reason.description == reason ?? lost.reason.description)
        }
    }
}
