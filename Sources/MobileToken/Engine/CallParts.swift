import MobileTokenJSON

/// What calls have in common.
extension Call {
    /// What a call without input sends: an object without members.
    static let emptyRequest: [UInt8] = [UInt8(ascii: "{"), UInt8(ascii: "}")]

    static func emptyRequest(_: Client) throws(Failure) -> [UInt8] { emptyRequest }

    /// The answer is of no further interest.
    static func nothing(_: Client, _: Answer) throws(Failure) -> Conclusion { .done(.none) }

    /// `{"requestObject":{…}}` with the members that `members` writes.
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

    /// The failure of an answer with status 200 whose content is not what the call needs.
    static func unreadable(_ message: String) -> Failure {
        var failure = Failure(.protocol, Reason.networkInvalidResponse, message, outcome: .answered)
        failure.httpStatus = 200
        return failure
    }
}

/// What a call's `body` leaves for its `read`, or that for who started the call: they run one after the other.
package final class Box<Value>: @unchecked Sendable {
    package var value: Value?

    package init() {}
}
