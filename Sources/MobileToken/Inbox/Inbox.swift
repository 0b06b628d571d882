// SPDX-License-Identifier: Apache-2.0
import MobileTokenModel

/// The messages that the bank keeps for the user. May be used from any thread.
public struct Inbox: Sendable {
    let activation: Activation

    package func count(task: CallTask) throws(Failure) { try activation.start(.inboxCount(), task: task) }

    /// - Parameters:
    ///   - page: counted from 0
    ///   - size: messages in a page, 1 to 1000
    package func list(page: Int32, size: Int32, onlyUnread: Bool, task: CallTask) throws(Failure) {
        guard page >= 0, (1...1000).contains(size) else {
            throw .argument("page must not be negative, and page_size must be 1 to 1000.")
        }
        try activation.start(.inboxPage(page, size: size, onlyUnread: onlyUnread), task: task)
    }

    /// Fetches page by page, until one is not full or the limit is reached.
    ///
    /// - Parameters:
    ///   - size: messages in a page, 1 to 1000; nil: 100
    ///   - limit: most messages given; 0: as many as are possible, see `InboxCollection`
    package func listAll(pageSize size: Int32?, limit: Int32, onlyUnread: Bool, task: CallTask) throws(Failure) {
        let size = size ?? 100
        guard limit >= 0, (1...1000).contains(size) else {
            throw .argument("limit must not be negative, and page_size must be 0 to 1000.")
        }
        try activation.start(.inboxAll(InboxCollection(size: size, limit: limit, onlyUnread: onlyUnread)), task: task)
    }

    package func message(id: String, task: CallTask) throws(Failure) {
        try activation.start(.inboxDetail(id: try Call.required(id, "The message's id is empty.")), task: task)
    }

    package func markRead(id: String, task: CallTask) throws(Failure) {
        try activation.start(.inboxRead(id: try Call.required(id, "The message's id is empty.")), task: task)
    }

    package func markAllRead(task: CallTask) throws(Failure) { try activation.start(.inboxReadAll(), task: task) }
}
