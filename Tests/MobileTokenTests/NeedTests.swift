import MobileTokenCrypto
import PowerAuth
import Testing

@testable import MobileToken

/// What comes before a call, by what is known of the activation: a row a rule, with its sentence in docs/guarantees.md.
@Suite struct NeedTests {
    private struct Row {
        let sentence: String
        let call: Call
        let need: Need
        let facts: Need.Facts

        init(_ sentence: String, _ call: Call, _ need: Need, _ set: (inout Need.Facts) -> Void = { _ in }) {
            self.sentence = sentence
            self.call = call
            self.need = need
            var facts = Need.Facts()
            facts.token = [1]
            set(&facts)
            self.facts = facts
        }
    }

    // The calls of the rows. One of the user's, one of the library's, one of the host's, one with a token, and the steps.
    private static let pin = SigningKeys(biometry: SecureBytes(copying: "0123456789abcdef"))
    private static func signed() -> Call { .operationHistory(keys: pin) }
    private static func token() -> Call { .createToken(name: "t", keys: .possession) }
    private static func host() -> Call { .locally("host", .signed(by: .host { (_) throws(Failure) in .none })) }
    private static func list() -> Call { .encryptedOperationDetail(id: "x") }
    private static func header(refused: [UInt8]?) -> Call {
        .locally("header", .local({ (_) throws(Failure) in .none }, .token("t", refused: refused)))
    }
    private static func step(_ step: Call.Step) -> Call {
        .signatureValidation(name: "step", reason: "", kind: .finishing(step, Call.validation, pin), read: Call.nothing)
    }

    private static let window =
        "When more than half of the window is used (or more than one signature, while no status has reported its width), "
        + "the library fetches the unsigned status before it signs again, and makes the server catch up."
    private static let refusedToken = "After a refused token the library fetches the unsigned status."
    private static let anotherToken = "It creates another token only if the activation is active."
    private static let reported =
        "Blocked, removed and unconfirmed activations are reported as such, without a signature."
    private static let closed =
        "If a client is known to be blocked, removed or out of reach, its signed calls fail at once."
    private static let opened =
        "`mtoken_client_fetch_status` ends that when the activation is active again, and the end of a temporary block does."
    private static let failed =
        "A process that starts after a failed attempt fetches the status before its first signature"
    private static let clock = "If the device's clock is changed, it asks for the server's time again"
    private static let unreached =
        "If the server cannot be reached, signed calls fail with the error of the status call"
    private static let begun = "After a lost response the program knows where it stands"

    private static var rows: [Row] {
        [
            Row(window, signed(), .nothing) { $0.counter.open = 10 },
            Row(window, signed(), .catchingUp) { $0.counter.open = 11 },
            Row(window, token(), .catchingUp) { $0.counter.open = 11 },
            Row(window, host(), .catchingUp) { $0.counter.open = 11 },
            Row(window, signed(), .catchingUp) { ($0.counter.open, $0.counter.window) = (4, 5) },
            Row(window, signed(), .catchingUp) { ($0.counter.open, $0.counter.window) = (1, nil) },
            Row(window, signed(), .nothing) { ($0.counter.open, $0.counter.window) = (0, nil) },
            // Until its turn has come, the signature of another call may be on its way.
            Row(window, signed(), .nothing) { ($0.counter.open, $0.isOnTurn) = (11, false) },
            // The status itself, and what it brings up, sign nothing that needs another one.
            Row(window, .activationStatus(), .nothing) { $0.counter.open = 11 },
            Row(window, step(.catchingUp), .nothing) { $0.counter.open = 19 },
            Row(window, step(.confirmation), .nothing) { $0.counter.open = 19 },
            Row(unreached, signed(), .refusal(.counterAtRisk)) {
                ($0.counter.open, $0.tried) = (11, [.status, .synchronization])
            },
            Row(refusedToken, header(refused: [1]), .look),
            Row(refusedToken, header(refused: [2]), .nothing),
            Row(anotherToken, header(refused: [1]), .otherToken) { $0.tried = .status },
            Row(anotherToken, header(refused: [1]), .refusal(.serverState)) {
                ($0.tried, $0.serverState) = (.status, .pendingCommit)
            },
            Row(anotherToken, header(refused: nil), .token) { $0.token = nil },
            Row(reported, header(refused: nil), .look) { $0.serverState = .blocked },
            Row(reported, header(refused: nil), .refusal(.serverState)) {
                ($0.tried, $0.serverState) = (.status, .removed)
            },
            Row(reported, signed(), .refusal(.serverState)) { ($0.tried, $0.serverState) = (.status, .pendingCommit) },
            Row(reported, signed(), .look) { $0.serverState = .pendingCommit },
            Row(reported, step(.confirmation), .nothing) { ($0.tried, $0.serverState) = (.status, .pendingCommit) },
            Row(closed, signed(), .refusal(.serverState)) { $0.serverState = .blocked },
            Row(closed, signed(), .refusal(.serverState)) { $0.serverState = .removed },
            Row(closed, signed(), .refusal(.serverState)) { $0.serverState = .deadlock },
            Row(closed, host(), .refusal(.serverState)) { $0.serverState = .blocked },
            // A signature of the library's own: the status is asked for, once.
            Row(closed, token(), .look) { $0.serverState = .blocked },
            Row(closed, token(), .refusal(.serverState)) { ($0.tried, $0.serverState) = (.status, .blocked) },
            Row(opened, .activationStatus(), .nothing) { $0.serverState = .blocked },
            Row(opened, signed(), .refusal(.serverState)) { ($0.serverState, $0.blockLeft) = (.blocked, 1) },
            Row(opened, signed(), .look) { ($0.serverState, $0.blockLeft) = (.blocked, 0) },
            Row(opened, signed(), .look) { $0.serverState = .doubtful },
            Row(opened, signed(), .nothing) { ($0.serverState, $0.tried) = (.doubtful, .status) },
            Row(failed, signed(), .catchingUp) { $0.counter.knowsFailures = false },
            Row(clock, list(), .serverTime) { $0.knowsTime = false },
            Row(clock, signed(), .nothing) { $0.knowsTime = false },
            // What was begun with the server is finished before another code is made.
            Row(begun, signed(), .finishing) { $0.marks = Session.Marks(upgrade: true) },
            Row(begun, list(), .finishing) { $0.marks = Session.Marks(upgrade: true) },
            Row(begun, .activationStatus(), .nothing) { $0.marks = Session.Marks(upgrade: true) },
            Row(begun, signed(), .finishing) { ($0.marks, $0.canConfirm) = (Session.Marks(confirm: true), true) },
            Row(begun, signed(), .refusal(.unfinished)) { $0.marks = Session.Marks(confirm: true) },
            Row(begun, signed(), .refusal(.unfinished)) {
                ($0.marks, $0.tried) = (Session.Marks(upgrade: true), .finishing)
            },
            Row(begun, step(.newPIN), .nothing) { $0.marks = Session.Marks(newPIN: true) },
            // This one is with the biometry key.
            Row(begun, signed(), .nothing) { $0.marks = Session.Marks(newPIN: true) },
            // What the protocol needs, in its order.
            Row("", list(), .serverTime) { ($0.isUndecided, $0.hasKey, $0.token) = (true, false, nil) },
            Row("", list(), .temporaryKey(.activation)) { ($0.hasKey, $0.token, $0.knowsTime) = (false, nil, false) },
            Row("", list(), .token) { ($0.token, $0.knowsTime) = (nil, false) },
            Row("", list(), .token) { ($0.version, $0.hasKey, $0.token) = (.v32, false, nil) },
            Row("", .createActivation(), .temporaryKey(.application)) { $0.hasKey = false },
            Row("", list(), .nothing),
        ]
    }

    @Test(arguments: rows.indices) func need(_ index: Int) {
        let row = Self.rows[index]
        #expect(Need(of: row.call, row.facts) == row.need, "row \(index): \(row.sentence)")
    }

    @Test func eachRowNamesASentenceOfThePage() throws {
        let page = try Guarantees.text()
        for row in Self.rows { #expect(row.sentence.isEmpty || page.contains(row.sentence), "\(row.sentence)") }
    }
}
