import MobileTokenCrypto
import MobileTokenJSON
import MobileTokenModel
import PowerAuth

/// The calls of the PowerAuth Standard RESTful API v3 (rest.md §2), each a few declarative lines.
extension Call {
    /// The server's time.
    static func serverTime() -> Call {
        Call(
            name: "server time", root: .powerAuth, path: "/pa/v3/status", requires: nil, sharedAs: "time",
            body: emptyRequest
        ) { (client, answer) throws(Failure) in
            client.serverVersion = ServerVersion(status: answer.content)
            guard let serverTime = answer.content?["serverTime"]?.int64 else {
                throw unreadable("The server's answer has no time.")
            }
            guard client.learnTime(serverTime, sentAt: answer.sentAt) else {
                throw Failure(
                    .timeout, Reason.timeSynchronization,
                    "The server's time came too late to be of use, or the device's clock was set meanwhile. Try again.",
                    outcome: .answered, retriable: true)
            }
            return .done(.none)
        }
    }

    /// A temporary encryption key (powerauth.md §6). It also tells the server's time.
    static func temporaryKey(scope: EncryptionScope) -> Call {
        let request = Box<TemporaryKeyRequest>()
        return Call(
            name: "temporary key", root: .powerAuth, path: "/pa/v3/keystore/create", requires: nil,
            sharedAs: scope == .application ? "key of application" : "key of activation"
        ) { (client) throws(Failure) in
            let made = try Failure.converting { () throws(PowerAuthError) in
                try client.session.temporaryKeyRequest(scope: scope)
            }
            request.value = made
            return made.body
        } read: { (client, answer) throws(Failure) in
            guard let content = answer.content, let made = request.value else {
                throw unreadable("The server's answer has no temporary key.")
            }
            let key = try Failure.converting(answered: true) { () throws(PowerAuthError) in
                try client.session.acceptTemporaryKey(content, request: made)
            }
            client.learnTime(key.issued, sentAt: answer.sentAt)
            client.keepTemporaryKey(key)
            guard client.usableTemporaryKey(scope) != nil else {
                client.forgetTemporaryKey(scope)
                throw Failure(
                    .protocol, Reason.temporaryKey, "The server's temporary key has expired already.",
                    outcome: .answered)
            }
            return .done(.none)
        }
    }

    /// The key exchange of an activation that `Session.startActivation` began (powerauth.md §7).
    static func createActivation() -> Call {
        Call(
            name: "activation", root: .powerAuth, path: "/pa/v3/activation/create", encryption: .activation,
            requires: .keysReady, body: emptyRequest, read: nothing
        ) { (client, _) in client.dropActivation() }
    }

    /// The activation's status and the synchronisation of the counter (powerauth.md §12).
    ///
    /// - Parameter catchesUp: shows the server a signature where the device is far ahead; without it nothing is signed
    static func activationStatus(catchesUp: Bool = true) -> Call {
        let request = Box<StatusRequest>()
        return Call(
            name: "activation status", root: .powerAuth, path: "/pa/v3/activation/status", needsTime: true,
            sharedAs: catchesUp ? "status" : nil, errors: .status
        ) { (client) throws(Failure) in
            let made = try Failure.converting { () throws(PowerAuthError) in try client.session.statusRequest() }
            request.value = made
            return made.body
        } read: { (client, answer) throws(Failure) in
            guard let content = answer.content, let made = request.value else {
                throw unreadable("The server's answer has no status.")
            }
            let status = try client.durablyIfChanged(answered: true) { (session) throws(PowerAuthError) in
                let status = try session.processStatus(content, request: made)
                return (status, status.stateChanged)
            }
            client.learn(status)
            if catchesUp, status.counter == .calculateSignature, status.state == .active {
                return .next(counterSynchronization(then: status))
            }
            return .done(.status(status))
        }
    }

    /// A signature that shows the server how far ahead this device's counter is (powerauth.md §12.3).
    private static func counterSynchronization(then status: ActivationStatus) -> Call {
        var call = signatureValidation(
            name: "counter synchronisation", reason: "COUNTER_SYNCHRONIZATION", keys: .possession
        ) { (_, _) throws(Failure) in
            .done(.status(status))
        }
        call.catchesUp = true
        return call
    }

    /// The name under which the bank knows the device (rest.md §3.6). Takes a token of two factors, and encryption.
    static func activationDetail(keys: SigningKeys) -> Call {
        Call(
            name: "activation detail", root: .powerAuth, path: "/pa/v3/activation/detail",
            authentication: .token(twoFactorToken, keys: keys), encryption: .layer(.activationGeneric),
            body: emptyRequest
        ) { (client, answer) throws(Failure) in
            guard let plaintext = answer.plaintext,
                let document = plaintext.withBytes({ (bytes) in try? JSONDocument(parsing: bytes) }),
                let envelope = try? ReplyEnvelope(document), case .success(let content) = envelope.outcome,
                let detail = ActivationDetail(content), detail.activationId == client.session.activationId
            else { throw unreadable("The server's answer has no detail of this activation.") }
            return .done(.activationDetail(detail))
        }
    }

    /// The token for the detail of the activation; it is made with two factors.
    static let twoFactorToken = "activation_detail"

    /// Removal at the server, and here when the server has agreed.
    static func removeActivation(keys: SigningKeys) -> Call {
        Call(
            name: "removal", root: .powerAuth, path: "/pa/v3/activation/remove",
            authentication: .signature(uriId: "/pa/activation/remove", keys: keys), body: emptyRequest
        ) { (client, _) throws(Failure) in
            do throws(Failure) {
                try client.forgetActivation()
            } catch {
                var failure = error
                failure.outcome = .answered
                throw failure
            }
            return .done(.none)
        }
    }

    /// A new MAC token (powerauth.md §11), kept under a name.
    static func createToken(name: String, keys: SigningKeys) -> Call {
        let factors = keys.factors
        return Call(
            name: "token creation", root: .powerAuth, path: "/pa/v3/token/create",
            authentication: .signature(uriId: "/pa/token/create", keys: keys), encryption: .layer(.createToken),
            sharedAs: "token " + name, isDone: { $0.session.token(named: name)?.factors == factors },
            isOwnSignature: true, body: emptyRequest
        ) { (client, answer) throws(Failure) in
            guard let plaintext = answer.plaintext else { throw unreadable("The server's answer has no token.") }
            try client.durably(answered: true) { (session) throws(PowerAuthError) in
                try session.acceptToken(plaintext, name: name, factors: factors)
            }
            return .done(.none)
        }
    }

    /// Removal of a token at the server, then here.
    static func removeToken(name: String, id: [UInt8]) -> Call {
        Call(
            name: "token removal", root: .powerAuth, path: "/pa/v3/token/remove",
            authentication: .signature(uriId: "/pa/token/remove", keys: .possession)
        ) { (_) throws(Failure) in
            requestObject { writer in
                writer.key("tokenId")
                writer.value(String(decoding: id, as: UTF8.self))
            }
        } read: { (client, _) throws(Failure) in
            // The token may be gone by now, or be another one of the same name: then there is nothing to remove.
            guard client.session.token(named: name)?.id == id else { return .done(.none) }
            try client.durably(answered: true) { (session) throws(PowerAuthError) in
                try session.removeToken(named: name)
            }
            return .done(.none)
        }
    }
}
