// SPDX-License-Identifier: Apache-2.0
import MobileTokenJSON

/// The contents of a push message (push-and-inbox.md §2). Only a hint: fetch from the server before acting on it.
///
/// A reference, since its texts point into the payload that it retains.
public final class PushMessage: Sendable {
    /// The kind of message.
    public enum Kind: Sendable {
        /// Something waits for approval.
        case operationCreated
        /// An operation has ended, in whatever way.
        case operationFinished
        /// A message came into the inbox.
        case inboxMessage
        /// The activation was blocked, unblocked, confirmed or removed.
        case statusChange
    }

    /// How an operation has ended.
    public enum Result: Sendable {
        case success
        case fail
        case timeout
        case canceled
        case methodNotAvailable
        /// A result of a later server; see `rawResult`.
        case unknown
    }

    /// `messageType`
    public let kind: Kind
    /// `operationId`; nil unless it is about an operation
    public let operationId: JSONText?
    /// `operationName`; nil unless it is about an operation
    public let operationName: JSONText?
    /// `mtokenOperationResult`; nil unless an operation has finished
    public let result: Result?
    /// `mtokenOperationResult` as it was sent
    public let rawResult: JSONText?
    /// `inboxId`; nil unless it is about a message
    public let inboxId: JSONText?
    /// `activationId`: for which activation the push is meant
    public let activationId: JSONText?
    /// The displayed texts, if the payload has them.
    public let title: JSONText?
    /// A plain `aps.alert` is the body.
    public let body: JSONText?
    /// When the push service took it, in milliseconds since the epoch; nil if the payload does not tell.
    public let sent: Int64?
    /// For how long it is delivered from then on, in seconds; nil if the payload does not tell.
    public let timeToLive: Int64?
    /// Whether nothing is shown to the user; nil if the payload does not tell.
    public let isSilent: Bool?
    /// The whole payload.
    public let json: JSONValue

    /// Reads the payload of a push: the APNs shape, the data map of FCM and HMS, or a whole message of these.
    ///
    /// - Returns: nil for a push that is not of this system
    /// - Throws: `JSONError` for a text that is no JSON
    public static func parse(_ payload: [UInt8]) throws(JSONError) -> PushMessage? {
        let document = try JSONDocument(parsing: payload)
        return PushMessage(document)
    }

    private convenience init?(_ document: JSONDocument) {
        let root = document.root.node
        let data = root["messageType"] == nil ? root["data"] ?? root : root
        guard let type = data["messageType"] else { return nil }
        let kind: Kind
        if type.equals("mtoken.operationInit") {
            kind = .operationCreated
        } else if type.equals("mtoken.operationFinished") {
            kind = .operationFinished
        } else if type.equals("mtoken.inboxMessage.new") {
            kind = .inboxMessage
        } else if type.equals("mtoken.statusChange") {
            kind = .statusChange
        } else {
            return nil
        }
        let decoder = ModelDecoder(document: document)
        func identifier(_ name: StaticString) -> JSONText? {
            guard let text = decoder.text(data, name), !text.isEmpty else { return nil }
            return text
        }
        var (operationId, operationName, rawResult, inboxId): (JSONText?, JSONText?, JSONText?, JSONText?)
        let activationId = identifier("activationId")
        switch kind {
        case .inboxMessage:
            inboxId = identifier("inboxId")
            guard inboxId != nil else { return nil }
        case .statusChange: guard activationId != nil else { return nil }
        case .operationCreated, .operationFinished:
            operationId = identifier("operationId")
            operationName = decoder.text(data, "operationName")
            guard operationId != nil, operationName != nil else { return nil }
        }
        if kind == .operationFinished {
            rawResult = decoder.text(data, "mtokenOperationResult")
            guard rawResult != nil else { return nil }
        }
        let visible = root["aps"]?["alert"] ?? root["notification"]
        self.init(
            kind: kind, operationId: operationId, operationName: operationName, rawResult: rawResult, inboxId: inboxId,
            activationId: activationId, title: visible.flatMap { decoder.text($0, "title") },
            body: visible.flatMap { decoder.text($0) ?? decoder.text($0, "body") },
            sent: Self.number(root, "sentTime", "google.sent_time", through: Self.latestSent),
            timeToLive: Self.number(root, "ttl", "google.ttl", through: .max), isSilent: Self.isSilent(root),
            json: document.root)
    }

    /// Cannot fail: see `JSONDocument`.
    private init(
        kind: Kind, operationId: JSONText?, operationName: JSONText?, rawResult: JSONText?, inboxId: JSONText?,
        activationId: JSONText?, title: JSONText?, body: JSONText?, sent: Int64?, timeToLive: Int64?, isSilent: Bool?,
        json: JSONValue
    ) {
        self.kind = kind
        self.operationId = operationId
        self.operationName = operationName
        self.result = rawResult.map { Self.result($0) }
        self.rawResult = rawResult
        self.inboxId = inboxId
        self.activationId = activationId
        self.title = title
        self.body = body
        self.sent = sent
        self.timeToLive = timeToLive
        self.isSilent = isSilent
        self.json = json
    }

    private static func result(_ text: JSONText) -> Result {
        if text.equals("authentication.success") { return .success }
        if text.equals("authentication.fail") { return .fail }
        if text.equals("operation.timeout") { return .timeout }
        if text.equals("operation.canceled") { return .canceled }
        if text.equals("operation.methodNotAvailable") { return .methodNotAvailable }
        return .unknown
    }

    /// A positive number that the push service adds: to the message, or to the data that an app on Android is given; there as
    /// a text.
    private static func number(
        _ root: JSONNode, _ name: StaticString, _ other: StaticString, through last: Int64
    ) -> Int64? {
        guard let value = root[name] ?? root[other] ?? root["data"]?[other] else { return nil }
        var number = value.int64
        if let digits = value.stringBytes {
            number = 0
            for digit in digits {
                guard (0x30...0x39).contains(digit), let known = number, known < 1 << 56 else { return nil }
                number = 10 &* known &+ Int64(digit &- 0x30)
            }
        }
        guard let number, number > 0, number <= last else { return nil }
        return number
    }

    /// The end of the year 9999, in milliseconds since the epoch.
    private static let latestSent: Int64 = 253_402_300_799_999

    private static func isSilent(_ root: JSONNode) -> Bool? {
        if let aps = root["aps"] { return aps["content-available"]?.int64 == 1 && aps["alert"] == nil }
        if root["notification"] != nil { return false }
        return root["data"] == nil ? nil : true
    }
}
