import FuzzSupport
import MobileTokenJSON

@testable import MobileTokenModel

/// The payload of a push message: anyone may send one.
func fuzzPush(_ input: UnsafeRawBufferPointer) {
    let push: PushMessage?
    do throws(JSONError) {
        push = try PushMessage.parse([UInt8](input))
    } catch {
        return check(error, in: input)
    }
    guard let push else { return }
    require((push.kind == .inboxMessage) == (push.inboxId != nil), "kind and id disagree")
    let isOfOperation = push.kind == .operationCreated || push.kind == .operationFinished
    require(isOfOperation == (push.operationId != nil), "kind and id disagree")
    require(push.kind != .statusChange || push.activationId != nil, "another status of nobody")
    require((push.kind == .operationFinished) == (push.result != nil), "kind and result disagree")
    require(push.json.raw.elementsEqual(trimmed(input)), "the payload is another one")
    for text in [push.operationId, push.operationName, push.rawResult, push.inboxId, push.activationId] {
        require(text.map { $0.count <= input.count && !$0.holdsNUL } ?? true, "a text is longer than the payload")
    }
    for activationId in [push.activationId?.string ?? "a", "another"] {
        let request = MobileAuthRequest(push, profile: "p", activationId: activationId)
        let isMeant = push.activationId.map { $0.string == activationId } ?? true
        require((request != nil) == (push.kind == .operationCreated && isMeant), "a request out of nothing")
    }
    let again = try? PushMessage.parse(push.json.compact())
    require(again?.kind == push.kind && again?.rawResult?.string == push.rawResult?.string, "written as another push")
    require(
        (again?.operationId ?? again?.inboxId)?.string == (push.operationId ?? push.inboxId)?.string,
        "written for another operation or message")
}

/// A JSON text without the white space around it, which belongs to no value.
private func trimmed(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
    let start = text.firstIndex { !isSpace($0) } ?? text.count
    let end = text.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? start
    return text.piece(start..<end)
}

/// A reply with messages of the inbox: a page, gathered with itself, and a detail.
func fuzzInbox(_ input: UnsafeRawBufferPointer) {
    guard let envelope = readEnvelope(input) else { return }
    if let message = InboxMessage.decode(envelope) { check(message) }
    guard let page = InboxPage.decode(envelope) else { return }
    guard case .success(let content?) = envelope.outcome else { return require(false, "a page out of nothing") }
    require(page.messages.count + page.skippedCount == content.count, "messages are lost")
    for message in page.messages { check(message) }
    for limit: Int32 in [0, 2] {
        var collection = InboxCollection(size: 10, limit: limit, onlyUnread: false)
        _ = collection.add(page)
        let gathered = collection.page.messages.count
        require(gathered <= page.messages.count && (limit == 0 || gathered <= 2), "messages out of nothing")
        require(collection.add(page), "a page that brings nothing new is not the last one")
        let again = collection.page.messages
        require(again.count == gathered, "a message is taken twice")
        require(Set(again.map { $0.id.bytes }).count == gathered, "an id is there twice")
    }
}

private func check(_ message: InboxMessage) {
    for text in [message.id, message.subject, message.summary] { require(!text.holdsNUL, "a text is cut") }
    require((message.kind == .text) == (message.rawKind?.equals("text") == true), "another kind")
    require((message.kind == .html) == (message.rawKind?.equals("html") == true), "another kind")
}
