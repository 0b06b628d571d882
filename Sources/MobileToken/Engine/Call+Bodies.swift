// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON
import PowerAuth

/// Bodies and answers that calls share.
extension Call {
    /// The token that operations, inbox and push share; it is made with the possession factor.
    static let universalToken = "possession_universal"

    /// Refuses empty input.
    static func required(_ text: String, _ message: String) throws(Failure) -> String {
        guard !text.isEmpty else { throw .argument(message) }
        return text
    }

    /// The body of a call without input: an object without members.
    static let emptyRequest: [UInt8] = [UInt8(ascii: "{"), UInt8(ascii: "}")]

    static func emptyRequest(_: Activation) throws(Failure) -> [UInt8] { emptyRequest }

    /// Ignores the answer.
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
package final class Handover<Value>: @unchecked Sendable {
    package var value: Value?

    package init() {}
}
