import CMToken
import CSystem
import FuzzSupport
import MobileTokenModel

/// The payload of a push message in the struct of the C interface.
func fuzzPushInC(_ input: UnsafeRawBufferPointer) {
    let push = (try? PushMessage.parse([UInt8](input))) ?? nil
    var message: UnsafeMutablePointer<mtoken_push_message>?
    let status = withError(input.count) { error in mtoken_push_parse(characters(input), input.count, &message, error) }
    require(message == nil || status == MTOKEN_OK.rawValue, "a failure with a result")
    guard let message else { return }
    guard let push else { return require(false, "the C interface accepts more") }
    let content = message.pointee
    for text in [
        content.operation_id, content.operation_name, content.result_text, content.inbox_id, content.title,
        content.body, content.activation_id,
    ] where text != nil {
        require(text.map { strlen($0) <= input.count } ?? true, "a text is longer than the payload")
    }
    let length = push.json.raw.count
    require(content.json_length == length && strlen(content.json) == length, "the payload is another one")
    mtoken_push_message_free(message)
}
