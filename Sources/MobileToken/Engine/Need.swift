import PowerAuth

/// The steps that a call has tried; it takes each at most once.
struct Tried: OptionSet {
    let rawValue: UInt8
    /// It has asked for the status.
    static let status = Tried(rawValue: 1)
    /// It has asked for the status to bring the counter up.
    static let synchronization = Tried(rawValue: 2)
    /// It has started over with the server's time asked for again.
    static let time = Tried(rawValue: 4)
    /// It has started over with another token.
    static let token = Tried(rawValue: 8)
    /// It has started over with another temporary key.
    static let key = Tried(rawValue: 16)
    /// It has asked for the status to finish what was begun.
    static let finishing = Tried(rawValue: 32)
}

/// The prerequisite of a call's request. Decided anew before each step, from the state of the activation.
/// Under the activation's lock.
struct Need {
    let call: Call
    let activation: Activation
    let tried: Tried
    /// It is the call's turn among the signed calls, or it needs none.
    let isOnTurn: Bool

    /// The status that must be known before a signature is made; nil: none.
    ///
    /// - Parameter trying: what is tried with it is added
    func status(_ trying: inout Tried) throws(Failure) -> Call? {
        if let status = try finishingStatus() {
            trying.insert(.finishing)
            return status
        }
        try requireStanding()
        if !tried.contains(.status) {
            if holdsRefusedToken { return .activationStatus(catchesUp: false) }
            if call.token != nil, activation.isShut { return .activationStatus(catchesUp: false) }
        }
        guard call.signs, call.step != .catchingUp, call.step != .confirmation else { return nil }
        // Before it is this call's turn, the signature of another one may be on its way.
        if isOnTurn, activation.statusIsDue {
            guard !tried.contains(.synchronization) else {
                throw Failure(
                    .state, Reason.counterAtRisk,
                    "Too many signatures are unacknowledged. Fetch the status, then try again.",
                    retriable: true)
            }
            return .activationStatus()
        }
        return activation.standing.asksFirst && !tried.contains(.status) ? .activationStatus(catchesUp: false) : nil
    }

    /// The call that fetches what is missing; nil: nothing is.
    func prerequisite() throws(Failure) -> Call? {
        activation.checkClock()
        let session = activation.session
        let scope: EncryptionScope?
        switch call.encryption {
        case .none, .own: scope = nil
        case .layer(let id, _): scope = id.scope
        case .activation: scope = .application
        }
        if scope != nil, session.isUndecided { return .serverTime() }
        if let scope, session.version.usesTemporaryKeys, activation.usableTemporaryKey(scope) == nil {
            return .temporaryKey(scope: scope)
        }
        var needsTime = call.needsTime || (scope != nil && session.version.usesTimestamps)
        if let (name, keys, _) = call.token {
            needsTime = true
            try forgetRefusedToken(name)
            if session.token(named: name) == nil { return .createToken(name: name, keys: keys) }
        }
        return needsTime && !activation.time.isSynchronized ? .serverTime() : nil
    }

    /// A call that the server is known to refuse is refused here, without a signature.
    private func requireStanding() throws(Failure) {
        guard let failure = activation.standingFailure, call.step != .confirmation else { return }
        // A token is refused without harm: it is not sent only where the status has just said that it would be.
        if call.token != nil, tried.contains(.status), activation.isShut { throw failure }
        guard call.signs else { return }
        // The status tells whether that is still so: for the library's own signatures, and while the bank has yet to confirm.
        guard tried.contains(.status) || (activation.isShut && !call.isOfLibrary) else { return }
        throw failure
    }

    /// Steps begun with the server are finished before any other code is made (powerauth4.md §10, §13, §15): the status
    /// continues them.
    private func finishingStatus() throws(Failure) -> Call? {
        guard call.requires == .activated, call.step != .confirmation else { return nil }
        var concerns = call.signs || call.token != nil
        // A server that holds the activation for one of 3.x opens no envelope of 4.0 but that of the status.
        if case .layer(let id, _) = call.encryption, id.scope == .activation, call.errors != .status {
            concerns = concerns || activation.session.marks.upgrade
        }
        guard concerns else { return nil }
        guard activation.statusFinishes, !tried.contains(.finishing) else {
            try activation.requireFinished(signingWith: call.step == .newPIN ? .possession : call.factors)
            return nil
        }
        return .activationStatus()
    }

    /// The host says that the server refused this token, and the status says that the activation is active: another one is
    /// needed.
    private func forgetRefusedToken(_ name: String) throws(Failure) {
        guard tried.contains(.status), holdsRefusedToken else { return }
        if let failure = activation.standingFailure { throw failure }
        try activation.durably { (session) throws(PowerAuthError) in try session.removeToken(named: name) }
    }

    /// Whether the call's token is still the one that was refused.
    private var holdsRefusedToken: Bool {
        guard let (name, _, refused) = call.token, let refused else { return false }
        return activation.session.token(named: name)?.id == refused
    }
}
