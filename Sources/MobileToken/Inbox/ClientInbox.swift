import MobileTokenHTTP

/// Inbox, push registration, and the configuration of OpenID Connect providers.
extension Client {
    package func inboxCount(task: CallTask) throws(Failure) { try start(.inboxCount(), task: task) }

    /// - Parameters:
    ///   - page: counted from 0
    ///   - size: messages in a page, 1 to 1000
    package func inboxPage(_ page: Int32, size: Int32, onlyUnread: Bool, task: CallTask) throws(Failure) {
        guard page >= 0, (1...1000).contains(size) else { throw .argument("The page or its size is out of range.") }
        try start(.inboxPage(page, size: size, onlyUnread: onlyUnread), task: task)
    }

    package func inboxDetail(id: String, task: CallTask) throws(Failure) {
        try start(.inboxDetail(id: try Self.required(id, "The message's id is empty.")), task: task)
    }

    package func markInboxRead(id: String, task: CallTask) throws(Failure) {
        try start(.inboxRead(id: try Self.required(id, "The message's id is empty.")), task: task)
    }

    package func markInboxAllRead(task: CallTask) throws(Failure) { try start(.inboxReadAll(), task: task) }

    package func registerPush(_ registration: PushRegistration, task: CallTask) throws(Failure) {
        try start(.registerPush(registration), task: task)
    }

    package var hasRegisteredPush: Bool { lock.withLock { isRegisteredForPush } }

    package func oidcConfiguration(providerId: String, task: CallTask) throws(Failure) {
        try start(
            .oidcConfiguration(providerId: try Self.required(providerId, "The provider's id is empty.")), task: task)
    }
}
