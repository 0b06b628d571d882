import MobileTokenCrypto
import MobileTokenJSON
import PowerAuth

/// Parts that calls share.
extension Call {
    /// The token that operations, inbox and push share; it is made with the possession factor.
    static let universalToken = "possession_universal"

    /// What signs the request; nil: it is not signed.
    var signature: (uriId: StaticString, keys: SigningKeys)? {
        switch kind {
        case .signed(by: .user(let uriId, let keys, _)), .signed(by: .library(let uriId, let keys)),
            .finishing(_, let uriId, let keys):
            (uriId, keys)
        case .signed(by: .host), .question, .local, .turn: nil
        }
    }

    /// The token that the call authenticates with.
    var token: (name: String, keys: SigningKeys, refused: [UInt8]?)? {
        switch kind {
        case .question(.token(let name, let keys, let refused)), .local(_, .token(let name, let keys, let refused)):
            (name, keys, refused)
        case .question(.open), .local(_, .open), .signed, .finishing, .turn: nil
        }
    }

    /// What a call does that sends nothing.
    var work: Work? {
        switch kind {
        case .local(let work, _), .signed(by: .host(let work)): work
        case .question, .signed, .finishing, .turn: nil
        }
    }

    /// What the call finishes.
    var step: Step? {
        if case .finishing(let step, _, _) = kind { step } else { nil }
    }

    /// It is the first code of a factor on which server and device have just agreed.
    var provesFactor: Bool { step == .newPIN || step == .newBiometry }

    var isSigned: Bool { signature != nil }

    var hasOwnEnvelope: Bool {
        if case .own = encryption { true } else { false }
    }

    /// The server's time must be known even though nothing else asks for it.
    var needsTime: Bool { hasOwnEnvelope || purpose == .timedRequest }

    /// It signs: a request, or what the host will send.
    var signs: Bool {
        if case .signed = kind { true } else { isSigned }
    }

    /// It waits for its turn among the signed calls.
    var takesTurn: Bool {
        if case .turn = kind { true } else { isSigned }
    }

    /// It signs on the library's own account.
    var isOfLibrary: Bool {
        if case .signed(by: .library) = kind { true } else { false }
    }

    /// What the user signs for; nil: the user does not.
    var purpose: Purpose? {
        if case .signed(by: .user(_, _, let purpose)) = kind { purpose } else { nil }
    }

    /// The factors of the code that the call makes; empty: none.
    var factors: Factors { signature?.keys.factors ?? [] }

    /// The request is written by the activation, and its answer read by it: both in one protocol.
    var isOfActivation: Bool { requires == .activated && (isSentAtMostOnce || errors == .status) }

    /// Where the server answers an envelope that it could not open with 400 and another code than `ERR_ENCRYPTION`
    /// (powerauth4.md §12, released-servers.md §1).
    private static let unreadCodes: [(endpoint: StaticString, code: StaticString)] = [
        ("/activation/status", "ERR_ACTIVATION"), ("/vault/unlock", "ERR_SECURE_VAULT"),
        ("/password/change", "ERR_PASSWORD_CHANGE"), ("/biometry/add", "ERR_BIOMETRY"),
        ("/activation/rename", "ERR_ACTIVATION"),
    ]

    /// The body is under a temporary key of the server, where the protocol has such keys.
    var isEncrypted: Bool {
        if case .layer = encryption { return true }
        return false
    }

    /// Whether the server may have refused this call because it could not open its envelope, which has done nothing.
    func isUnread(_ failure: Failure) -> Bool {
        guard isEncrypted, failure.httpStatus == 400, let code = failure.serverCode else { return false }
        if sameBytes("ERR_ENCRYPTION", code) { return true }
        let end = [UInt8](path.description.utf8)
        return Self.unreadCodes.contains { row in
            sameBytes(row.code, code)
                && end.suffix(row.endpoint.utf8CodeUnitCount).elementsEqual(row.endpoint.description.utf8)
        }
    }

    /// Refuses empty input.
    static func required(_ text: String, _ message: String) throws(Failure) -> String {
        guard !text.isEmpty else { throw .argument(message) }
        return text
    }

    /// The body of a call without input: an object without members.
    static let emptyRequest: [UInt8] = [UInt8(ascii: "{"), UInt8(ascii: "}")]

    static func emptyRequest(_: Activation) throws(Failure) -> [UInt8] { emptyRequest }

    /// The answer is of no further interest.
    static func nothing(_: Activation, _: Answer) throws(Failure) -> Conclusion { .done(.none) }

    /// `{"requestObject":{…}}` with the members that `members` writes.
    @inline(never)
    @_optimize(none)
    static func requestObject(_ members: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("requestObject")
        writer.beginObject()
        members(&writer)
        writer.endObject()
        writer.endObject()
        return writer.bytes
    }

    /// A request object that names one thing.
    static func identifier(_ id: String) -> [UInt8] {
        requestObject { writer in
            writer.key("id")
            writer.value(id)
        }
    }

    /// A call that sends nothing: it waits for what it needs and then does its work.
    static func locally(
        _ name: StaticString, _ kind: Kind, encryption: Encryption = .none, requires: Session.Phase? = .activated
    ) -> Call {
        Call(
            name: name, root: .powerAuth, path: "", kind: kind, encryption: encryption, requires: requires,
            body: emptyRequest, read: nothing)
    }

    /// The failure of an answer with status 200 whose content is not what the call needs.
    static func unreadable(_ message: String) -> Failure {
        var failure = Failure(.protocol, Reason.networkInvalidResponse, message, outcome: .answered)
        failure.httpStatus = 200
        return failure
    }
}

/// A value that a call's `body` leaves for its `read`, or `read` for the caller: they run one after the other.
package final class Box<Value>: @unchecked Sendable {
    package var value: Value?

    package init() {}
}
