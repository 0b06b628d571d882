// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenModel
import PowerAuth

extension Inbox {
    /// Fetches the number of unread messages.
    public func count(options: CallOptions? = nil) throws(Failure) -> Pending<Int64> {
        try activation.pending(options, { $0.number }) { (task) throws(Failure) in try count(task: task) }
    }

    /// Fetches one page.
    ///
    /// - Parameters:
    ///   - page: counted from 0
    ///   - size: messages in a page, 1 to 1000
    public func list(
        page: Int32 = 0, size: Int32 = 50, onlyUnread: Bool = false, options: CallOptions? = nil
    ) throws(Failure) -> Pending<InboxPage> {
        try activation.pending(options, { $0.page }) { (task) throws(Failure) in
            try list(page: page, size: size, onlyUnread: onlyUnread, task: task)
        }
    }

    /// Fetches one message with its body.
    public func message(id: String, options: CallOptions? = nil) throws(Failure) -> Pending<InboxMessage> {
        try activation.pending(options, { $0.message }) { (task) throws(Failure) in try message(id: id, task: task) }
    }

    /// Marks a message as read.
    public func markRead(id: String, options: CallOptions? = nil) throws(Failure) -> Pending<Void> {
        try activation.pending(options) { (task) throws(Failure) in try markRead(id: id, task: task) }
    }

    /// Marks all messages as read.
    public func markAllRead(options: CallOptions? = nil) throws(Failure) -> Pending<Void> {
        try activation.pending(options) { (task) throws(Failure) in try markAllRead(task: task) }
    }
}

extension Push {
    /// Registers this device for push messages.
    public func register(
        _ registration: PushRegistration, options: CallOptions? = nil
    ) throws(Failure) -> Pending<Void> {
        try activation.pending(options) { (task) throws(Failure) in try register(registration, task: task) }
    }
}

extension OIDC {
    /// Fetches the bank's configuration of a provider.
    public func configuration(
        providerId: String, options: CallOptions? = nil
    ) throws(Failure) -> Pending<OIDCConfiguration> {
        try activation.pending(options, { $0.provider }) { (task) throws(Failure) in
            try configuration(providerId: providerId, task: task)
        }
    }

    /// Listens on the loopback interface for a provider's response, delivered by the user's browser.
    ///
    /// - Returns: the request, whose URL the browser must open, and its pending response
    public func listen(
        _ options: OIDCOptions
    ) throws(Failure) -> (request: OIDCAuthorizationRequest, answer: Pending<OIDCActivationAttributes>) {
        let task = CallTask(client: activation.number, board: activation.runtime.board, options: nil)
        return (try activation.runtime.listen(options, task: task), Pending(task) { $0.login })
    }
}

extension MobileAuth {
    /// Fetches the requests that wait for the user, newest first.
    public func pending(options: CallOptions? = nil) throws(Failure) -> Pending<[MobileAuthRequest]> {
        try activation.pending(options, { $0.requests }) { (task) throws(Failure) in try pending(task: task) }
    }

    /// Handles a request: fetches it, asks the user by `Challenge` events, answers the server.
    public func handle(
        _ request: MobileAuthRequest, options: Options = Options(), callOptions: CallOptions? = nil
    ) throws(Failure) -> Pending<Void> {
        try activation.pending(callOptions) { (task) throws(Failure) in
            try handle(request, options: options, task: task)
        }
    }
}

extension Tokens {
    /// Ensures that a token with this name exists.
    public func create(
        name: String, _ authentication: Authentication = .possession, options: CallOptions? = nil
    ) throws(Failure) -> Pending<Void> {
        try activation.pending(options) { (task) throws(Failure) in
            try create(name: name, authentication: authentication, task: task)
        }
    }

    /// Creates the value of an `X-PowerAuth-Token` header, and fetches what it needs first.
    ///
    /// - Parameter refused: the value that the server refused, if any
    public func fetchHeader(
        name: String, _ authentication: Authentication = .possession, refused: String? = nil,
        options: CallOptions? = nil
    ) throws(Failure) -> Pending<String> {
        try activation.pending(options, { $0.header }) { (task) throws(Failure) in
            try fetchHeader(name: name, authentication: authentication, refused: refused, task: task)
        }
    }

    /// Removes a token at the server, then locally.
    public func remove(name: String, options: CallOptions? = nil) throws(Failure) -> Pending<Void> {
        try activation.pending(options) { (task) throws(Failure) in try remove(name: name, task: task) }
    }
}

extension Requests {
    /// Creates the `X-PowerAuth-Authorization` header of a request that the host sends.
    ///
    /// - Parameters:
    ///   - method: the HTTP method, in upper case
    ///   - uriId: the server's name of the resource, e.g. `/payment`
    public func sign(
        method: String, uriId: String, body: [UInt8], _ authentication: Authentication
    ) throws(Failure) -> String {
        guard let method = HTTPMethod(text: method) else {
            throw .argument("method must be an HTTP method in upper case.")
        }
        return try sign(method: method, uriId: uriId, body: body, authentication: authentication)
    }

    /// Encrypts the body of a request that the host sends.
    public func encrypt(
        _ body: SecureBytes, forActivation: Bool = true, signature: RequestSignature? = nil,
        options: CallOptions? = nil
    ) throws(Failure) -> Pending<EncryptedRequest> {
        try activation.pending(options, { $0.encryptedRequest }) { (task) throws(Failure) in
            try encrypt(body, scope: forActivation ? .activation : .application, signature: signature, task: task)
        }
    }
}
