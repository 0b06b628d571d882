// SPDX-License-Identifier: Apache-2.0
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
        ) { (activation, failure) in
            activation.dropActivation()
            // The server answers a wrong code like one that it could not read: the next attempt has a new key, and asks for the time.
            guard failure.isRefusal else { return }
            activation.forgetTemporaryKey(.application)
            activation.resetClock()
        }
    }

    /// The name under which the bank knows the device (rest.md §3.6). Takes a token of two factors, and encryption.
    static func activationDetail(keys: SigningKeys) -> Call {
        Call(
            name: "activation detail", root: .powerAuth, path: "/pa/v3/activation/detail",
            kind: .question(.token(twoFactorToken, keys: keys)), encryption: .layer(.activationGeneric),
            body: emptyRequest
        ) { (activation, answer) throws(Failure) in
            .done(try detail(activation, answer))
        }
    }

    /// Reads the details of the activation: within an envelope, as the servers send them, or bare.
    private static func detail(_ activation: Activation, _ answer: Answer) throws(Failure) -> CallResult {
        guard let plaintext = answer.plaintext,
            let document = plaintext.withBytes({ (bytes) in try? JSONDocument(parsing: bytes) })
        else { throw unreadable("The server's response has no details of this activation.") }
        var content = document.root
        if content["status"] != nil {
            guard let envelope = try? ReplyEnvelope(document), case .success(let inner) = envelope.outcome, let inner
            else {
                throw unreadable("The server's response has no details of this activation.")
            }
            content = inner
        }
        guard let detail = ActivationDetail(content),
            detail.activationId.byBytes == activation.session.activationId?.byBytes
        else { throw unreadable("The server's response has no details of this activation.") }
        return .activationDetail(detail)
    }

    /// Another name of the device (rest.md §3.7; powerauth4.md §12).
    ///
    /// - Parameter isSignedBefore: as the servers expect it
    static func renameActivation(_ name: String, isSignedBefore: Bool, keys: SigningKeys) -> Call {
        Call(
            name: "rename", root: .powerAuth, path: "/pa/v3/activation/rename",
            kind: .signed(by: .user("/pa/activation/rename", keys)),
            encryption: .layer(.activationGeneric, isSignedBefore: isSignedBefore)
        ) { (_) throws(Failure) in
            var writer = JSONWriter()
            writer.beginObject()
            writer.key("activationName")
            writer.value(name)
            writer.endObject()
            return writer.bytes
        } read: { (activation, answer) throws(Failure) in
            .done(try detail(activation, answer))
        }
    }

    /// The configuration that the bank keeps for its application (powerauth4.md §12).
    static func remoteConfiguration(_ scope: EncryptionScope) -> Call {
        Call(
            name: "configuration", root: .powerAuth,
            path: scope == .application ? "/pa/v4/config/application" : "/pa/v4/config/activation",
            encryption: .layer(scope == .application ? .applicationGeneric : .activationGeneric),
            requires: scope == .application ? nil : .activated,
            body: { (activation) throws(Failure) in
                // Decided by now: the key has come.
                guard activation.session.version == .v40 else { throw .onlyInV4("the configuration.") }
                return emptyRequest
            },
            read: { (_, answer) throws(Failure) in
                guard let configuration = answer.plaintext.flatMap({ RemoteConfiguration($0) }) else {
                    throw unreadable("The server's response has no configuration.")
                }
                return .done(.configuration(configuration))
            })
    }

    /// The token for the detail of the activation; it is made with two factors.
    static let twoFactorToken = "activation_detail"

    /// Removal at the server, and here when the server has agreed.
    static func removeActivation(keys: SigningKeys) -> Call {
        Call(
            name: "removal", root: .powerAuth, path: "/pa/v3/activation/remove",
            kind: .signed(by: .user("/pa/activation/remove", keys)), body: emptyRequest
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
