import MobileTokenCrypto
import MobileTokenJSON
import PowerAuth

/// Parts that calls share.
extension Call {
    /// The token that operations, inbox and push share; it is made with the possession factor.
    static let universalToken = "possession_universal"

    var isSigned: Bool {
        if case .signature = authentication { true } else { false }
    }

    /// It signs: a request, or what the host will send.
    var signs: Bool { isSigned || signsForHost }

    var hasToken: Bool {
        if case .token = authentication { true } else { false }
    }

    /// The factors of the code that the call makes; empty: none.
    var factors: Factors {
        guard case .signature(_, let keys) = authentication else { return [] }
        return keys.factors
    }

    /// The request is written by the activation, and its answer read by it: both in one protocol.
    var isOfActivation: Bool {
        guard requires == .activated else { return false }
        if case .none = authentication, case .none = encryption { return errors == .status }
        return true
    }

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
        _ name: StaticString, authentication: Authentication = .none, encryption: Encryption = .none,
        requires: Session.Phase? = .activated, _ work: @escaping (Activation) throws(Failure) -> CallResult
    ) -> Call {
        Call(
            name: name, root: .powerAuth, path: "", authentication: authentication, encryption: encryption,
            requires: requires, local: work, body: emptyRequest, read: nothing)
    }

    /// A call that sends nothing but has its turn among the signed calls until it is given back.
    static func turn() -> Call {
        Call(name: "turn", root: .powerAuth, path: "", keepsTurn: true, body: emptyRequest, read: nothing)
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
