import CMToken
import CSystem
import MobileTokenJSON
import MobileTokenModel

@testable import MobileToken

/// The payload of a push message: anyone may send one.
func fuzzPush(_ input: UnsafeRawBufferPointer) {
    let push = try? PushMessage.parse([UInt8](input))
    if let push {
        require((push.kind == .inboxMessage) == (push.inboxId != nil), "kind and id disagree")
        require((push.kind == .inboxMessage) == (push.operationId == nil), "kind and id disagree")
        require((push.kind == .operationFinished) == (push.result != nil), "kind and result disagree")
        require(push.json.raw.elementsEqual(input), "the payload is another one")
        for activationId in [push.activationId?.string ?? "a", "another"] {
            let request = MobileAuthRequest(push, profile: "p", activationId: activationId, now: 0)
            let isMeant = push.activationId.map { $0.string == activationId } ?? true
            require((request != nil) == (push.kind == .operationCreated && isMeant), "a request out of nothing")
        }
    }
    var message: UnsafeMutablePointer<mtoken_push_message>?
    var error: UnsafeMutablePointer<mtoken_error>?
    let status = mtoken_push_parse(
        input.baseAddress?.assumingMemoryBound(to: CChar.self), input.count, &message, &error)
    require((status == MTOKEN_OK.rawValue) == (error == nil), "status and error disagree")
    if let error {
        require((-1...Int64(input.count)).contains(error.pointee.byte_offset), "the error stands outside of the text")
        mtoken_error_free(error)
    }
    guard let message else { return }
    require(push != nil, "the C interface accepts more")
    let content = message.pointee
    for text in [
        content.operation_id, content.operation_name, content.result_text, content.inbox_id, content.title,
        content.body,
        content.activation_id,
    ] where text != nil {
        require(text.map { strlen($0) <= input.count } ?? true, "a text is longer than the payload")
    }
    require(content.json_length == input.count && strlen(content.json) == input.count, "the payload is another one")
    mtoken_push_message_free(message)
}
