// SPDX-License-Identifier: Apache-2.0
import MobileTokenJSON

/// The screen to show after the approval (JSON `ui.postApprovalScreen`, operations.md §6.3).
public struct PostApprovalScreen: Sendable {
    /// The content, by `type`.
    public enum Content: Sendable {
        /// `REVIEW`: `payload.attributes`, as in the form data.
        case review([OperationAttribute])
        /// `MERCHANT_REDIRECT` or `REDIRECT`: back to where the user came from.
        case redirect(Redirect)
        /// `GENERIC`: whatever the bank and its app agreed on. The payload, if there is one.
        case generic(JSONValue?)
        /// Another type. The payload, if there is one.
        case unknown(JSONValue?)
    }

    /// Where to go next.
    public struct Redirect: Sendable {
        /// `payload.redirectText`: text of the button.
        public let text: JSONText
        /// `payload.redirectUrl`
        public let url: JSONText
        /// `payload.countdown`: seconds until the app goes there by itself; 0 if the server sent none, or
        /// none that can be read, which is reported.
        public let countdown: Int64
    }

    /// `type` as it was sent; `nil` if missing or no text.
    public let rawType: JSONText?
    /// `heading`; empty if the server sent none.
    public let heading: JSONText
    /// `message`; empty if the server sent none.
    public let message: JSONText
    /// The rest, by type.
    public let content: Content

    /// `nil` (and reported) if the payload cannot be used.
    init?(_ node: JSONNode, _ decoder: inout ModelDecoder) {
        rawType = decoder.text(node, "type")
        heading = decoder.textOrEmpty(node, "heading")
        message = decoder.textOrEmpty(node, "message")
        do throws(ModelFault) {
            content = try Self.content(rawType, node, &decoder)
        } catch {
            decoder.report(.screen, error)
            return nil
        }
    }

    private static func content(
        _ type: JSONText?, _ node: JSONNode, _ decoder: inout ModelDecoder
    ) throws(ModelFault) -> Content {
        if let type {
            if type.equals("REVIEW") {
                return .review(try review(node, &decoder))
            } else if type.equals("MERCHANT_REDIRECT") || type.equals("REDIRECT") {
                return .redirect(try Redirect(decoder.requiredObject(node, "payload"), &decoder))
            } else if type.equals("GENERIC") {
                return .generic(payload(node, decoder))
            }
        }
        return .unknown(payload(node, decoder))
    }

    private static func review(
        _ node: JSONNode, _ decoder: inout ModelDecoder
    ) throws(ModelFault) -> [OperationAttribute] {
        let payload = try decoder.requiredObject(node, "payload")
        guard let list = payload["attributes"], list.kind != .null else {
            throw ModelFault("payload.attributes", .missing)
        }
        guard list.kind == .array else { throw ModelFault("payload.attributes", .wrongType) }
        return OperationAttribute.list(list, &decoder)
    }

    private static func payload(_ node: JSONNode, _ decoder: ModelDecoder) -> JSONValue? {
        node["payload"].map { JSONValue(document: decoder.document, node: $0) }
    }
}

extension PostApprovalScreen.Redirect {
    init(_ payload: JSONNode, _ decoder: inout ModelDecoder) throws(ModelFault) {
        text = try decoder.requiredText(payload, "redirectText", path: "payload.redirectText")
        url = try decoder.requiredText(payload, "redirectUrl", path: "payload.redirectUrl")
        let path: StaticString = "ui.postApprovalScreen.payload.countdown"
        let sent = decoder.integer(payload, "countdown", reportedAs: path) ?? 0
        if sent < 0 { decoder.report(.member, ModelFault(path, .invalid)) }
        countdown = max(0, sent)
    }
}
