import MobileTokenModel

/// Inbox, and the configuration of OpenID Connect providers.
extension Client {
    package func inboxCount(task: CallTask) throws(Failure) { try start(.inboxCount(), task: task) }

    /// - Parameters:
    ///   - page: counted from 0
    ///   - size: messages in a page, 1 to 1000
    package func inboxPage(_ page: Int32, size: Int32, onlyUnread: Bool, task: CallTask) throws(Failure) {
        guard page >= 0, (1...1000).contains(size) else { throw .argument("The page or its size is out of range.") }
        try start(.inboxPage(page, size: size, onlyUnread: onlyUnread), task: task)
    }

    /// Fetches page by page, until one is not full or the limit is reached.
    ///
    /// - Parameters:
    ///   - size: messages in a page, 1 to 1000
    ///   - limit: most messages given; 0: as many as are possible, see `InboxCollection`
    package func inboxAll(pageSize size: Int32, limit: Int32, onlyUnread: Bool, task: CallTask) throws(Failure) {
        guard limit >= 0, (1...1000).contains(size) else {
            throw .argument("The limit or the size of a page is out of range.")
        }
        try start(.inboxAll(InboxCollection(size: size, limit: limit, onlyUnread: onlyUnread)), task: task)
    }

    package func inboxDetail(id: String, task: CallTask) throws(Failure) {
        try start(.inboxDetail(id: try Self.required(id, "The message's id is empty.")), task: task)
    }

    package func markInboxRead(id: String, task: CallTask) throws(Failure) {
        try start(.inboxRead(id: try Self.required(id, "The message's id is empty.")), task: task)
    }

    package func markInboxAllRead(task: CallTask) throws(Failure) { try start(.inboxReadAll(), task: task) }

    package func oidcConfiguration(providerId: String, task: CallTask) throws(Failure) {
        try start(
            .oidcConfiguration(providerId: try Self.required(providerId, "The provider's id is empty.")), task: task)
    }
}
