// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON
import MobileTokenModel
import PowerAuth

/// The calls that other calls need first (rest.md §2), each a few declarative lines.
extension Call {
    /// The server's time; while the protocol of a new activation is undecided, also what the server offers.
    static func serverTime() -> Call {
        let call = Call(
            name: "server time", root: .powerAuth, path: "/pa/v3/status", requires: nil, sharedAs: "time",
            body: { (activation) throws(Failure) in
                activation.session.version == .v40 || activation.session.isUndecided
                    ? statusRequestV4(activation) : emptyRequest
            }
        ) { (activation, answer) throws(Failure) in
            activation.serverVersion = ServerVersion(status: answer.content)
            guard let serverTime = answer.content?["serverTime"]?.int64 else {
                throw unreadable("The server's response has no time.")
            }
            guard activation.learnTime(serverTime, sentAt: answer.sentAt) else {
                throw Failure(
                    .timeout, Reason.timeSynchronization,
                    "The server's time arrived too late, or the device's clock changed meanwhile. Try again.",
                    outcome: .answered, retriable: true)
            }
            if activation.session.isUndecided { try activation.decide(offered: answer.content) }
            return .done(.none)
        }
        call.whenRefused = { (activation, failure) throws(Failure) in
            // A server that does not know the question knows 3.x only.
            guard activation.session.isUndecided, try activation.decide(refused: failure) else { return nil }
            return .next(serverTime())
        }
        return call
    }

    /// The request for the server's time and suites in 4.0: it names the suites of this application.
    static func statusRequestV4(_ activation: Activation) -> [UInt8] {
        requestObject { writer in
            writer.key("applicationKey")
            writer.value(String(utf8: activation.options.configuration.applicationKey))
        }
    }

    /// A temporary encryption key (powerauth.md §6). It also tells the server's time.
    static func temporaryKey(scope: EncryptionScope) -> Call {
        let call = keyFetch(scope)
        call.inV4 = {
            // In 4.0 the status needs it: that it is refused means the same.
            let call = keyFetch(scope, errors: scope == .activation ? .status : .general)
            call.whenRefused = { (activation, failure) throws(Failure) in
                guard failure.httpStatus == 400, failure.serverCode?.byBytes == "ERR_TEMPORARY_KEY" else { return nil }
                switch scope {
                case .activation: return whenUnknown(activation, failure) ?? .next(whetherAnswered(failure))
                case .application:
                    return activation.session.phase == .activated ? nil : .next(whetherOffered(failure))
                }
            }
            return call
        }
        return call
    }

    private static func keyFetch(_ scope: EncryptionScope, errors: ErrorTable = .general) -> Call {
        let request = Handover<EncryptionKeyRequest>()
        return Call(
            name: "temporary key", root: .powerAuth, path: "/pa/v3/keystore/create", requires: nil,
            sharedAs: scope == .application ? "key of application" : "key of activation", errors: errors
        ) { (activation) throws(Failure) in
            let made = try Failure.converting { () throws(PowerAuthError) in
                try activation.session.encryptionKeyRequest(scope: scope)
            }
            request.value = made
            return made.body
        } read: { (activation, answer) throws(Failure) in
            guard let content = answer.content, let made = request.value else {
                throw unreadable("The server's response has no temporary key.")
            }
            let key = try Failure.converting(answered: true) { () throws(PowerAuthError) in
                try activation.session.accept(content, request: made)
            }
            activation.learnTime(key.issued, sentAt: answer.sentAt)
            activation.keepTemporaryKey(key)
            if scope == .activation { activation.refusedKeys = 0 }
            guard activation.usableTemporaryKey(scope) != nil else {
                activation.forgetTemporaryKey(scope)
                throw Failure(
                    .protocol, Reason.temporaryKey, "The server's temporary key has already expired.",
                    outcome: .answered)
            }
            return .done(.none)
        }
    }

    /// How often in a row a key of an activation is refused before the application's tells whether it is for the activation.
    private static let mostRefusedKeys: UInt8 = 3

    /// A server that does not know the activation's keys refuses its temporary ones for ever (powerauth4.md §10).
    private static func whenUnknown(_ activation: Activation, _ failure: Failure) -> Conclusion? {
        if activation.refusedKeys < mostRefusedKeys { activation.refusedKeys += 1 }
        guard activation.refusedKeys == mostRefusedKeys else { return nil }
        let call = keyFetch(.application)
        let read = call.read
        call.read = { (activation, answer) throws(Failure) in
            _ = try read(activation, answer)
            throw failure.ofUnknownActivation
        }
        call.whenRefused = { (_, own) in own.isDiagnosed ? nil : .next(whetherAnswered(failure)) }
        return .next(call)
    }

    /// Finds out whether a key was refused although the server works: the key store answers an outage, a withdrawn version of
    /// the application and an unknown activation alike, and in 4.0 there is no status without a key.
    private static func whetherAnswered(_ failure: Failure) -> Call {
        let call = serverTime()
        call.sharedAs = nil
        call.read = { (_, _) throws(Failure) in throw failure.ofRefusedKey }
        call.whenRefused = unless({ $0.isDiagnosed }, failure)
        return call
    }

    /// Finds out whether a key was refused because the server does not offer the suite that the host has named.
    private static func whetherOffered(_ failure: Failure) -> Call {
        let call = serverTime()
        call.sharedAs = nil
        call.read = { (activation, answer) throws(Failure) in
            _ = try activation.options.upgradeSuite(offered: answer.content)
            throw failure
        }
        call.whenRefused = unless({ $0.code == .unsupported }, failure)
        return call
    }

    /// The result of a call that explains a failure: its own failure, if that is the explanation.
    private static func unless(
        _ explains: @escaping (Failure) -> Bool, _ failure: Failure
    ) -> (Activation, Failure) throws(Failure) -> Conclusion? {
        { (_, own) throws(Failure) in
            guard explains(own) else { throw failure }
            return nil
        }
    }

    /// The activation's status and the synchronisation of the counter (powerauth.md §12).
    ///
    /// - Parameters:
    ///   - catchesUp: shows the server a signature where the device is far ahead; without it nothing is signed
    ///   - looks: how often it was asked for in vain
    static func activationStatus(catchesUp: Bool = true, looks: Int = 0) -> Call {
        let request = Handover<(StatusRequest, Moment)>()
        let call = Call(
            name: "activation status", root: .powerAuth, path: "/pa/v3/activation/status",
            sharedAs: catchesUp ? "status" : nil, errors: .status
        ) { (activation) throws(Failure) in
            let made = try Failure.converting { () throws(PowerAuthError) in try activation.session.statusRequest() }
            request.value = (made, activation.askForStatus())
            return made.body
        } read: { (activation, answer) throws(Failure) in
            guard let content = answer.content, let (made, moment) = request.value else {
                throw unreadable("The server's response has no status.")
            }
            if try activation.isOvertaken(moment, looks) {
                return .next(activationStatus(catchesUp: catchesUp, looks: looks + 1))
            }
            let meanwhile = moment.meanwhile(until: activation.moment)
            let status = try activation.durablyIfChanged(answered: true) { (session) throws(PowerAuthError) in
                let status = try session.processStatus(content, request: made, meanwhile: meanwhile)
                return (status, status.stateChanged)
            }
            guard try activation.learn(status, askedAt: moment, looks) else {
                return .next(activationStatus(catchesUp: catchesUp, looks: looks + 1))
            }
            if catchesUp, status.counter == .calculateSignature, status.state == .active {
                return .next(counterSynchronization(then: status))
            }
            return .done(.status(status))
        }
        call.inV4 = { activationStatusV4(catchesUp: catchesUp, looks: looks) }
        return call
    }

    /// A signature that shows the server how far ahead this device's counter is (powerauth.md §12.3).
    static func counterSynchronization(then status: ActivationStatus) -> Call {
        signatureValidation(
            name: "counter synchronisation", reason: "COUNTER_SYNCHRONIZATION",
            kind: .finishing(.catchingUp, validation, .possession)
        ) { (_, _) throws(Failure) in
            .done(.status(status))
        }
    }

    /// A new MAC token (powerauth.md §11), kept under a name.
    static func createToken(name: String, keys: SigningKeys) -> Call {
        let factors = keys.factors
        let call = Call(
            name: "token creation", root: .powerAuth, path: "/pa/v3/token/create",
            kind: .signed(by: .library("/pa/token/create", keys)), encryption: .layer(.createToken),
            sharedAs: "token " + name, body: emptyRequest
        ) { (activation, answer) throws(Failure) in
            guard let plaintext = answer.plaintext else { throw unreadable("The server's response has no token.") }
            try activation.durably(answered: true) { (session) throws(PowerAuthError) in
                try session.acceptToken(plaintext, name: name, factors: factors)
            }
            return .done(.none)
        }
        call.isDone = { $0.session.token(named: name)?.factors == factors }
        return call
    }

    /// A signature and nothing else (rest.md §3.10): the server verifies it and its counter follows.
    static func signatureValidation(
        name: StaticString, reason: StaticString, kind: Kind,
        read: @escaping (Activation, Answer) throws(Failure) -> Conclusion
    ) -> Call {
        Call(
            name: name, root: .powerAuth, path: "/pa/v3/signature/validate", kind: kind,
            body: { (_) throws(Failure) in
                requestObject { writer in
                    writer.key("reason")
                    writer.value(reason)
                }
            }, read: read)
    }

    /// The resource of a signature validation.
    static let validation: StaticString = "/pa/signature/validate"
}
