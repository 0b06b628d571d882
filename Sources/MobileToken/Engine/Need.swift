// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import PowerAuth

/// The step that comes before a call's request: a function of values, decided anew before each step.
enum Need: Equatable {
    case nothing
    /// The status, to finish what was begun with the server: no other code is made before.
    case finishing
    /// The status, to bring the counter up.
    case catchingUp
    /// The status, without a signature.
    case look
    case serverTime
    case temporaryKey(EncryptionScope)
    case token
    /// Another token in the place of the one that the server refused.
    case otherToken
    /// Nothing helps: the call fails here, without a request.
    case refusal(Refusal)

    /// Why a call is not made.
    enum Refusal {
        /// The server is known to refuse it (`Activation.serverStateFailure`).
        case serverState
        /// Something else must be finished first (`Activation.requireFinished`).
        case unfinished
        /// Too many signatures are open.
        case counterAtRisk
    }

    /// The facts about an activation, and about the call so far.
    struct Facts {
        var serverState = ServerState.active
        /// Milliseconds that are left of a temporary block; nil: there is none, or only the bank can end it.
        var blockLeft: Int64?
        var marks = Session.Marks()
        /// The factors that sign the confirmation of a new activation are known.
        var canConfirm = false
        var counter = Counter()
        var isUndecided = false
        var version = ProtocolVersion.v33
        /// There is a temporary key of the call's scope.
        var hasKey = true
        var knowsTime = true
        /// The id of the token that the call needs; nil: there is none.
        var token: [UInt8]?
        var tried: Tried = []
        /// It is the call's turn among the signed calls, or it needs none.
        var isOnTurn = true

        /// Whether the device refuses the user's own signature until a status says otherwise; not after a block has ended.
        var isShut: Bool { serverState.isClosed && blockLeft ?? 1 > 0 }
    }

    /// How far the server's counter may be behind.
    struct Counter {
        /// The signatures that no answer has acknowledged.
        var open = 0
        /// The server's look-ahead window; nil: no status has reported it.
        var window: Int? = 20
        /// A status has come since the client was opened, or no earlier process can have cost an attempt.
        var knowsFailures = true

        /// Whether more than half of the server's window may be used up. Until a status has reported the window, it may be as narrow
        /// as one.
        var isAtRisk: Bool {
            guard open > 0 else { return false }
            guard let window else { return true }
            return open > window / 2 || open >= window - 1
        }

        /// Whether the status comes before another request is signed: for the counter's sake, or since the attempts that an earlier
        /// process has cost must be known to tell another one from them.
        var needsStatus: Bool { isAtRisk || !knowsFailures }
    }

    var isStatus: Bool { self == .finishing || self == .catchingUp || self == .look }

    init(of call: Call, _ facts: Facts) {
        self = Self.status(call, facts) ?? Self.prerequisite(call, facts)
    }

    /// The status that must be known before; nil: none.
    private static func status(_ call: Call, _ facts: Facts) -> Need? {
        if let need = unfinished(call, facts) { return need }
        if isRefused(call, facts) { return .refusal(.serverState) }
        let isAsked = facts.tried.contains(.status)
        if !isAsked, call.token != nil, facts.isShut || holdsRefusedToken(call, facts) { return .look }
        guard call.signs, call.step != .catchingUp, call.step != .confirmation else { return nil }
        // Before it is this call's turn, the signature of another one may be on its way.
        if facts.isOnTurn, facts.counter.needsStatus {
            return facts.tried.contains(.synchronization) ? .refusal(.counterAtRisk) : .catchingUp
        }
        return facts.serverState.asksFirst && !isAsked ? .look : nil
    }

    /// The call that fetches a missing value.
    private static func prerequisite(_ call: Call, _ facts: Facts) -> Need {
        let scope = call.encryption.scope
        if scope != nil, facts.isUndecided { return .serverTime }
        if let scope, facts.version.usesTemporaryKeys, !facts.hasKey { return .temporaryKey(scope) }
        if call.token != nil {
            if facts.tried.contains(.status), holdsRefusedToken(call, facts) {
                return facts.serverState.failure == nil ? .otherToken : .refusal(.serverState)
            }
            if facts.token == nil { return .token }
        }
        let needsTime = call.needsTime || call.token != nil || (scope != nil && facts.version.usesTimestamps)
        return needsTime && !facts.knowsTime ? .serverTime : .nothing
    }

    /// Whether the server is known to refuse the call.
    private static func isRefused(_ call: Call, _ facts: Facts) -> Bool {
        guard facts.serverState.failure != nil, call.step != .confirmation else { return false }
        let isAsked = facts.tried.contains(.status)
        // A token is refused without harm: it is not sent only where the status has just said that it would be.
        if call.token != nil, isAsked, facts.isShut { return true }
        // The status tells whether that is still so: for the library's own signatures, and while the bank has yet to confirm.
        return call.signs && (isAsked || (facts.isShut && !call.isOfLibrary))
    }

    /// Steps begun with the server are finished before any other code is made (powerauth4.md §10, §13, §15): the status
    /// continues them.
    private static func unfinished(_ call: Call, _ facts: Facts) -> Need? {
        guard call.requires == .activated, call.step != .confirmation else { return nil }
        // A server that holds the activation for one of 3.x opens no envelope of 4.0 but that of the status.
        let isShutIn = facts.marks.upgrade && call.encryption.layerScope == .activation && call.errors != .status
        guard call.signs || call.token != nil || isShutIn else { return nil }
        let marks = facts.marks
        let finishes =
            marks.upgrade
            || (marks.confirm && (facts.canConfirm || facts.serverState == .unknown || facts.serverState.isClosed))
        if finishes, !facts.tried.contains(.finishing) { return .finishing }
        return marks.precede(call.step == .newPIN ? .possession : call.factors) ? .refusal(.unfinished) : nil
    }

    /// Whether the call's token is still the one that the server refused, as the host says.
    private static func holdsRefusedToken(_ call: Call, _ facts: Facts) -> Bool {
        guard let refused = call.token?.refused else { return false }
        return facts.token == refused
    }
}

extension Session.Marks {
    /// Whether something must be finished before a code of these factors is made.
    func precede(_ factors: Factors) -> Bool { confirm || upgrade || (newPIN && factors.contains(.knowledge)) }
}

extension Call.Encryption {
    /// The scope of the temporary key that encrypts; nil: none does, or the call has it.
    var scope: EncryptionScope? {
        if case .activation = self { .application } else { layerScope }
    }

    var layerScope: EncryptionScope? {
        if case .layer(let id, _) = self { id.scope } else { nil }
    }
}
