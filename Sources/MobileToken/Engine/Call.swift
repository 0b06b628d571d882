// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON
import MobileTokenModel
import PowerAuth

/// A network call as a value: what it needs first, how its request is built, how its answer is read, what may be retried.
/// The engine (`Run`) runs every such value; no call writes its own sequence of steps.
final class Call {
    /// Which root URL the path belongs to.
    enum Root {
        case powerAuth, operations
        /// A public document of another server, which is fetched with GET. The client's pins are not that server's; plain
        /// http only if allowed here.
        case document(of: String, allowsHTTP: Bool)

        /// Whether the server is the bank's, for which the host's own headers are meant.
        var isOfTheBank: Bool {
            if case .document = self { false } else { true }
        }
    }

    /// The kinds of calls. A signed request is ordered with all other signed calls of the client, stored before it is
    /// sent, and sent at most once.
    enum Kind {
        /// A request without a signature.
        case question(Access = .open)
        case signed(by: Signer)
        /// A signed request that completes a step begun with the server.
        case finishing(Step, StaticString, SigningKeys)
        /// Sends nothing: does its work, under the activation's lock, when it has what it needs.
        case local(Work, Access = .open)
        /// Sends nothing: has its turn among the signed calls until the task that it completes gives it back.
        case turn
    }

    typealias Work = (Activation) throws(Failure) -> CallResult

    /// The access of an unsigned request.
    enum Access {
        case open
        /// A MAC token, which is created if it is missing.
        ///
        /// - Parameter refused: the token (its id) that the server refused, as the host says
        case token(String, keys: SigningKeys = .possession, refused: [UInt8]? = nil)
    }

    /// Whose signature it is: over the resource's id, with these keys.
    enum Signer {
        case user(StaticString, SigningKeys, for: Purpose = .request)
        /// The library, for a token that calls need. Where a user's signature is refused, it asks for the status first. The SDKs
        /// give all its failures one reason.
        case library(StaticString, SigningKeys)
        /// The library makes it, and the host sends it.
        case host(Work)
    }

    /// The purpose of a user's signature.
    enum Purpose {
        case request
        /// A request that tells the server's time.
        case timedRequest
        /// Another PIN or biometric factor: where the answer is lost, the status tells whether an attempt was counted.
        case factor
    }

    /// A step that was begun with the server.
    enum Step {
        /// A new activation or an upgrade, which the server must keep: no other code is made before.
        case confirmation
        /// Brings the server up to date, above all its counter. It follows a status, needs none before it, and does not hide that
        /// status when it fails.
        case catchingUp
        /// The first code of a new PIN, if there is one.
        case newPIN
        /// The first code of a new biometric factor.
        case newBiometry
    }

    /// How request and answer are encrypted.
    enum Encryption {
        case none
        /// The body is encrypted, then signed if the call is signed (powerauth.md §5.8).
        ///
        /// - Parameter isSignedBefore: the signature covers the plaintext, not the encrypted body
        case layer(EncryptorID, isSignedBefore: Bool = false)
        /// The two layers of an activation (powerauth.md §7.1).
        case activation
        /// An envelope of the call's own, under a key that it has fetched itself. Its header goes along beside that of the signature,
        /// and it needs the server's time.
        case own((Session) throws(PowerAuthError) -> Envelope)
    }

    /// The meaning of an answer.
    enum Conclusion {
        case done(CallResult)
        /// Another call continues this one; its conclusion is that of both.
        case next(Call)
        /// The same, and at once: it keeps the turn, and continues after its callers have cancelled.
        case atOnce(Call)
    }

    /// The answer as it reaches `read`.
    struct Answer {
        /// A plain answer; nil: the answer was encrypted.
        var envelope: ReplyEnvelope?
        /// The plaintext of an encrypted answer.
        let plaintext: SecureBytes?
        /// The document of another server.
        var document: JSONDocument? = nil
        /// The device's time when the request was sent and when the answer arrived.
        let sentAt: Int64
        let arrivedAt: Int64

        /// The `responseObject` of a plain answer.
        var content: JSONValue? {
            guard case .success(let content) = envelope?.outcome else { return nil }
            return content
        }
    }

    /// The name in logs, e.g. "operation list".
    let name: StaticString
    let root: Root
    let path: StaticString
    let kind: Kind
    let encryption: Encryption
    /// The phase that the client must be in; nil: any.
    let requires: Session.Phase?
    /// Callers that ask for the same at the same time share one request.
    var sharedAs: String?
    /// The call for an activation of 4.0, where more than the number in its path differs; nil: the same call.
    var inV4: (() -> Call)?
    /// Whether there is nothing left to do. Asked under the activation's lock when the call begins.
    var isDone: ((Activation) -> Bool)?
    /// Replaces the call when its turn has come: with a result, if no request is needed any more, or with another call;
    /// nil: not replaced. Called under the activation's lock.
    var skips: ((Activation) -> Conclusion?)?
    /// Further changes that are stored with the advanced counter, in the same write.
    var whenSigning: ((Session) -> Void)?
    /// Handles the server's refusal: the changes, or the next call; nil: none. Runs under the activation's lock.
    var whenRefused: ((Activation, Failure) throws(Failure) -> Conclusion?)?
    /// How the server's error codes read for this call.
    let errors: ErrorTable
    /// The body before encryption. Runs under the activation's lock, right before the request is signed and sent.
    let body: (Activation) throws(Failure) -> [UInt8]
    /// Reads the answer. Runs under the activation's lock.
    var read: (Activation, Answer) throws(Failure) -> Conclusion

    @inline(never)
    init(
        name: StaticString, root: Root, path: StaticString, kind: Kind = .question(), encryption: Encryption = .none,
        requires: Session.Phase? = .activated, sharedAs: String? = nil, errors: ErrorTable = .general,
        body: @escaping (Activation) throws(Failure) -> [UInt8],
        read: @escaping (Activation, Answer) throws(Failure) -> Conclusion,
        abandon: ((Activation, Failure) -> Void)? = nil, progress: ((Activation, Bool) -> Void)? = nil
    ) {
        self.name = name
        self.root = root
        self.path = path
        self.kind = kind
        self.encryption = encryption
        self.requires = requires
        self.sharedAs = sharedAs
        self.errors = errors
        self.body = body
        self.read = read
        self.abandon = abandon
        self.progress = progress
    }

    /// Whether a copy of the request would do harm or be refused: a signature, a token's nonce and an encrypted envelope are
    /// good for one request. Plain questions may be repeated by the layers below.
    var isSentAtMostOnce: Bool {
        if case .question(.open) = kind, case .none = encryption { return false }
        return true
    }

    /// Undoes what was begun when the call fails. Runs under the activation's lock.
    var abandon: ((Activation, Failure) -> Void)?
    /// Called when the call begins and, once, when it has ended in any way. Runs under the activation's lock.
    var progress: ((Activation, _ isRunning: Bool) -> Void)?

    /// The result of a plain answer that equals the previous one, without reading it; nil: it differs. Runs under the
    /// activation's lock.
    var repeated: ((Activation, UnsafeRawBufferPointer) -> Conclusion?)?
}
