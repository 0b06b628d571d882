// SPDX-License-Identifier: Apache-2.0
import MobileTokenJSON

/// A message of the bank to the user (push-and-inbox.md §3).
public struct InboxMessage: Sendable {
    /// How the body is written.
    public enum Kind: Sendable {
        case text
        case html
        /// A kind of a later server; see `rawKind`.
        case unknown
    }

    /// `id`
    public let id: JSONText
    /// `subject`
    public let subject: JSONText
    /// `summary`; empty if missing
    public let summary: JSONText
    /// `body`; only in the detail
    public let body: JSONText?
    /// `type`
    public let kind: Kind
    /// `type` as the server wrote it
    public let rawKind: JSONText?
    /// `read`
    public let isRead: Bool
    /// `timestampCreated`, milliseconds since the epoch
    public let created: Int64

    init(_ node: JSONNode, _ decoder: ModelDecoder) throws(ModelFault) {
        guard node.kind == .object else { throw ModelFault("", .wrongType) }
        id = try decoder.requiredText(node, "id")
        subject = try decoder.requiredText(node, "subject")
        summary = decoder.textOrEmpty(node, "summary")
        body = decoder.text(node, "body")
        rawKind = decoder.text(node, "type")
        if let rawKind, rawKind.equals("text") {
            kind = .text
        } else if let rawKind, rawKind.equals("html") {
            kind = .html
        } else {
            kind = .unknown
        }
        isRead = node["read"]?.bool ?? false
        created = try decoder.requiredInstant(node, "timestampCreated")
    }

    /// The message of a detail reply, which may come as a list of one.
    package static func decode(_ envelope: ReplyEnvelope) -> InboxMessage? {
        guard case .success(let content) = envelope.outcome, let content else { return nil }
        let node = content.kind == .array ? content.node.element(0) : content.node
        guard let node else { return nil }
        return try? InboxMessage(node, ModelDecoder(document: envelope.document))
    }
}

/// A page of the inbox.
public struct InboxPage: Sendable {
    /// The messages that could be read, in the server's order.
    public let messages: [InboxMessage]
    /// How many messages were left out because they are broken.
    public let skippedCount: Int
    /// How many messages the server puts into a page, if it says so: perhaps fewer than it was asked for.
    let servedSize: Int64?
    /// There may be more messages than were asked for or may be gathered.
    public var isCut = false
    /// Bytes and values of the reply.
    var weight = (bytes: 0, values: 0)

    package static func decode(_ envelope: ReplyEnvelope) -> InboxPage? {
        guard case .success(let content) = envelope.outcome, let content, content.kind == .array else { return nil }
        let decoder = ModelDecoder(document: envelope.document)
        var messages: [InboxMessage] = []
        var skipped = 0
        for node in content.node.elements {
            guard let message = try? InboxMessage(node, decoder) else {
                skipped += 1
                continue
            }
            messages.append(message)
        }
        return InboxPage(
            messages: messages, skippedCount: skipped, servedSize: envelope.document.root.node["size"]?.int64,
            weight: (envelope.document.root.raw.count, envelope.document.valueCount))
    }
}
