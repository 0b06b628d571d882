// SPDX-License-Identifier: Apache-2.0
import MobileTokenJSON
import MobileTokenModel
import PowerAuth

/// The calls of the inbox (push-and-inbox.md §3).
extension Call {
    static func inboxCount() -> Call {
        inbox("inbox count", "/api/inbox/count", emptyRequest) { (_, answer) throws(Failure) in
            guard let count = answer.content?["countUnread"]?.int64, count >= 0 else {
                throw unreadable("The server's response has no count of unread messages.")
            }
            return .done(.count(count))
        }
    }

    static func inboxPage(_ page: Int32, size: Int32, onlyUnread: Bool) -> Call {
        inbox("inbox list", "/api/inbox/message/list") { (_) throws(Failure) in
            pageRequest(page, size, onlyUnread)
        } read: { (_, answer) throws(Failure) in
            .done(.inboxPage(try readPage(answer)))
        }
    }

    /// The next page of a collection, and those after it.
    static func inboxAll(_ collection: InboxCollection) -> Call {
        inbox("inbox list", "/api/inbox/message/list") { (_) throws(Failure) in
            pageRequest(collection.nextPage, collection.size, collection.onlyUnread)
        } read: { (_, answer) throws(Failure) in
            var collection = collection
            let isLast = collection.add(try readPage(answer))
            return isLast ? .done(.inboxPage(collection.page)) : .next(inboxAll(collection))
        }
    }

    private static func pageRequest(_ page: Int32, _ size: Int32, _ onlyUnread: Bool) -> [UInt8] {
        requestObject { writer in
            writer.key("page")
            writer.value(Int64(page))
            writer.key("size")
            writer.value(Int64(size))
            writer.key("onlyUnread")
            writer.value(onlyUnread)
        }
    }

    private static func readPage(_ answer: Answer) throws(Failure) -> InboxPage {
        guard let envelope = answer.envelope, let page = InboxPage.decode(envelope) else {
            throw unreadable("The server's response has no list of messages.")
        }
        return page
    }

    static func inboxDetail(id: String) -> Call {
        inbox("inbox detail", "/api/inbox/message/detail", identifier(id)) { (_, answer) throws(Failure) in
            guard let envelope = answer.envelope, let message = InboxMessage.decode(envelope) else {
                throw unreadable("The server's response has no valid message.")
            }
            return .done(.inboxMessage(message))
        }
    }

    static func inboxRead(id: String) -> Call {
        inbox("inbox read", "/api/inbox/message/read", identifier(id), nothing)
    }

    static func inboxReadAll() -> Call { inbox("inbox read all", "/api/inbox/message/read-all", emptyRequest, nothing) }

    private static func inbox(
        _ name: StaticString, _ path: StaticString, _ body: @escaping (Activation) throws(Failure) -> [UInt8],
        read: @escaping (Activation, Answer) throws(Failure) -> Conclusion
    ) -> Call {
        Call(name: name, root: .operations, path: path, kind: .question(.token(universalToken)), body: body, read: read)
    }

    private static func inbox(
        _ name: StaticString, _ path: StaticString, _ body: [UInt8],
        _ read: @escaping (Activation, Answer) throws(Failure) -> Conclusion
    ) -> Call {
        inbox(name, path, { (_) throws(Failure) in body }, read: read)
    }
}
