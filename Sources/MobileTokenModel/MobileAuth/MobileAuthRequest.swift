// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON

/// Something that a portal asks of this device (mobile-auth.md §1): as a push hinted at it, or as the server holds it.
public struct MobileAuthRequest: Sendable {
    /// The operation's id.
    public let transactionId: String
    /// The client's own name for its activation.
    public let profile: String
    /// When the request was sent, in milliseconds since the epoch; nil: the push does not tell.
    public let date: Int64?
    /// How long it is valid from then on, in seconds; nil: the push does not tell.
    public let timeToLive: Int64?
    /// The operation's name, which identifies the business function.
    public let type: String?
    /// The whole message from the server, or the part in a push message.
    public let message: String?
    /// The payload of the push.
    public let userInfo: String?
    /// The operation; nil: known from a push only.
    public let operation: UserOperation?

    /// The request of an operation.
    package init(_ operation: UserOperation, profile: String, userInfo: String? = nil) {
        transactionId = operation.id.string
        self.profile = profile
        date = operation.created
        timeToLive = max(0, operation.expires &- operation.created) / 1000
        type = operation.name.string
        let message = operation.formData.message
        self.message = (message.isEmpty ? operation.formData.title : message).string
        self.userInfo = userInfo
        self.operation = operation
    }

    /// The request that a push hints at; nil: it hints at none, or at one of another activation.
    package init?(_ push: PushMessage, profile: String, activationId: String?) {
        guard push.kind == .operationCreated, let id = push.operationId else { return nil }
        if let wanted = push.activationId?.string, wanted.byBytes != activationId?.byBytes { return nil }
        transactionId = id.string
        self.profile = profile
        date = push.sent
        timeToLive = push.timeToLive
        type = push.operationName?.string
        message = push.body?.string
        userInfo = String(utf8: push.json.raw)
        operation = nil
    }

    /// A request of which nothing is known yet but its id.
    package init(transactionId: String, profile: String) {
        self.transactionId = transactionId
        self.profile = profile
        (date, timeToLive, type, message, userInfo, operation) = (nil, nil, nil, nil, nil, nil)
    }
}
