import MobileTokenJSON

/// The contents of a push message (push-and-inbox.md §2). Only a hint: fetch from the server before acting on it.
///
/// A reference, since its texts point into the payload that it retains.
public final class PushMessage: Sendable {
    /// What happened.
    public enum Kind: Sendable {
        /// Something waits for approval.
        case operationCreated
        /// An operation has ended, in whatever way.
        case operationFinished
        /// A message came into the inbox.
        case inboxMessage
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
    /// `operationId`; nil for an inbox message
    public let operationId: JSONText?
    /// `operationName`; nil for an inbox message
    public let operationName: JSONText?
    /// `mtokenOperationResult`; nil unless an operation has finished
    public let result: Result?
    /// `mtokenOperationResult` as it was sent
    public let rawResult: JSONText?
    /// `inboxId`; nil for operations
    public let inboxId: JSONText?
    /// `activationId`: for which activation the push is meant
    public let activationId: JSONText?
    /// What the user sees; nil unless there are both a title and a body.
    public let content: (title: JSONText, body: JSONText)?
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
        } else {
            return nil
        }
        let decoder = ModelDecoder(document: document)
        func identifier(_ name: StaticString) -> JSONText? {
            guard let text = decoder.text(data, name), !text.isEmpty else { return nil }
            return text
        }
        var (operationId, operationName, rawResult, inboxId): (JSONText?, JSONText?, JSONText?, JSONText?)
        if kind == .inboxMessage {
            inboxId = identifier("inboxId")
            guard inboxId != nil else { return nil }
        } else {
            operationId = identifier("operationId")
            operationName = decoder.text(data, "operationName")
            guard operationId != nil, operationName != nil else { return nil }
        }
        if kind == .operationFinished {
            rawResult = decoder.text(data, "mtokenOperationResult")
            guard rawResult != nil else { return nil }
        }
        self.init(
            kind: kind, operationId: operationId, operationName: operationName, rawResult: rawResult, inboxId: inboxId,
            activationId: identifier("activationId"), content: Self.content(root, decoder),
            isSilent: Self.isSilent(root), json: document.root)
    }

    /// Cannot fail: see `JSONDocument`.
    private init(
        kind: Kind, operationId: JSONText?, operationName: JSONText?, rawResult: JSONText?, inboxId: JSONText?,
        activationId: JSONText?, content: (title: JSONText, body: JSONText)?, isSilent: Bool?, json: JSONValue
    ) {
        self.kind = kind
        self.operationId = operationId
        self.operationName = operationName
        self.result = rawResult.map { Self.result($0) }
        self.rawResult = rawResult
        self.inboxId = inboxId
        self.activationId = activationId
        self.content = content
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

    /// The visible part: `aps.alert` of APNs, `notification` of FCM and HMS. Half of it is of no use.
    private static func content(_ root: JSONNode, _ decoder: ModelDecoder) -> (title: JSONText, body: JSONText)? {
        guard let visible = root["aps"]?["alert"] ?? root["notification"],
            let title = decoder.text(visible, "title"), let body = decoder.text(visible, "body")
        else { return nil }
        return (title, body)
    }

    private static func isSilent(_ root: JSONNode) -> Bool? {
        if let aps = root["aps"] { return aps["content-available"]?.int64 == 1 && aps["alert"] == nil }
        if root["notification"] != nil { return false }
        return root["data"] == nil ? nil : true
    }
}
