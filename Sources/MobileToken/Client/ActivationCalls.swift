import MobileTokenCrypto
import MobileTokenJSON
import MobileTokenModel
import PowerAuth

/// The calls about the activation itself (rest.md §2), each a few declarative lines.
extension Call {
    /// The key exchange of an activation that `Session.startActivation` began (powerauth.md §7).
    static func createActivation() -> Call {
        Call(
            name: "activation", root: .powerAuth, path: "/pa/v3/activation/create", encryption: .activation,
            requires: .keysReady, body: emptyRequest, read: nothing
        ) { (activation, _) in activation.dropActivation() }
    }

    /// The name under which the bank knows the device (rest.md §3.6). Takes a token of two factors, and encryption.
    static func activationDetail(keys: SigningKeys) -> Call {
        Call(
            name: "activation detail", root: .powerAuth, path: "/pa/v3/activation/detail",
            authentication: .token(twoFactorToken, keys: keys), encryption: .layer(.activationGeneric),
            body: emptyRequest
        ) { (activation, answer) throws(Failure) in
            guard let plaintext = answer.plaintext,
                let document = plaintext.withBytes({ (bytes) in try? JSONDocument(parsing: bytes) }),
                let envelope = try? ReplyEnvelope(document), case .success(let content) = envelope.outcome,
                let detail = ActivationDetail(content),
                detail.activationId.byBytes == activation.session.activationId?.byBytes
            else { throw unreadable("The server's response has no details of this activation.") }
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
        ) { (activation, _) throws(Failure) in
            do throws(Failure) {
                try activation.forgetActivation()
            } catch {
                var failure = error
                failure.outcome = .answered
                throw failure
            }
            return .done(.none)
        }
    }

    /// The claims about the user (powerauth.md §17).
    static func userInfo() -> Call {
        Call(
            name: "user info", root: .powerAuth, path: "/pa/v3/user/info", encryption: .layer(.activationGeneric),
            sharedAs: "user info", body: emptyRequest
        ) { (activation, answer) throws(Failure) in
            guard let plaintext = answer.plaintext, let info = plaintext.withBytes({ UserInfo(json: $0) }) else {
                throw unreadable("The server's response has no claims.")
            }
            activation.lastUserInfo = info
            return .done(.userInfo(info))
        }
    }
}
