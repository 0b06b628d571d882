import MobileTokenJSON

/// The screen to show after the approval (JSON `ui.postApprovalScreen`, operations.md §6.3).
public struct PostApprovalScreen: Sendable {
    /// What to show, by `type`.
    public enum Content: Sendable {
        /// `REVIEW`: `payload.attributes`, as in the form data.
        case review([OperationAttribute])
        /// `MERCHANT_REDIRECT` or `REDIRECT`: back to where the user came from.
        case redirect(Redirect)
        /// `GENERIC`: whatever the bank and its app agreed on. The payload, if there is one.
        case generic(Payload?)
        /// Another type. The payload, if there is one.
        case unknown(Payload?)
    }

    /// Where to go next.
    public struct Redirect: Sendable {
        /// `payload.redirectText`: text of the button.
        public let text: JSONText
        /// `payload.redirectUrl`
        public let url: JSONText
        /// `payload.countdown`: seconds until the app goes there by itself; 0 if the server sent no such number.
        public let countdown: Int64
    }

    /// Any JSON value.
    public struct Payload: Sendable {
        /// The value, to read members of.
        public let value: JSONValue
        /// Its text as it was received.
        public let text: RawJSON
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
    init?(_ node: JSONNode, raw: () -> RawJSON?, _ decoder: inout ModelDecoder) {
        rawType = decoder.text(node, "type")
        heading = decoder.textOrEmpty(node, "heading")
        message = decoder.textOrEmpty(node, "message")
        do throws(ModelFault) {
            content = try Self.content(rawType, node, raw: raw, &decoder)
        } catch {
            decoder.report(.screen, error)
            return nil
        }
    }

    private static func content(
        _ type: JSONText?, _ node: JSONNode, raw: () -> RawJSON?, _ decoder: inout ModelDecoder
    ) throws(ModelFault) -> Content {
        if let type {
            if type.equals("REVIEW") {
                return .review(try review(node, raw: raw, &decoder))
            } else if type.equals("MERCHANT_REDIRECT") || type.equals("REDIRECT") {
                return .redirect(try Redirect(decoder.requiredObject(node, "payload"), decoder))
            } else if type.equals("GENERIC") {
                return .generic(payload(node, raw: raw, decoder))
            }
        }
        return .unknown(payload(node, raw: raw, decoder))
    }

    private static func review(
        _ node: JSONNode, raw: () -> RawJSON?, _ decoder: inout ModelDecoder
    ) throws(ModelFault) -> [OperationAttribute] {
        let payload = try decoder.requiredObject(node, "payload")
        guard let list = payload["attributes"], list.kind != .null else {
            throw ModelFault("payload.attributes", .missing)
        }
        guard list.kind == .array else { throw ModelFault("payload.attributes", .wrongType) }
        let text = raw()
        var slices = RawList { text?.member("payload")?.member("attributes") }
        return OperationAttribute.list(list, &slices, &decoder)
    }

    private static func payload(_ node: JSONNode, raw: () -> RawJSON?, _ decoder: ModelDecoder) -> Payload? {
        guard let value = node["payload"], let text = raw()?.member("payload") else { return nil }
        return Payload(value: JSONValue(document: decoder.document, node: value), text: text)
    }
}

extension PostApprovalScreen.Redirect {
    init(_ payload: JSONNode, _ decoder: ModelDecoder) throws(ModelFault) {
        text = try decoder.requiredText(payload, "redirectText", path: "payload.redirectText")
        url = try decoder.requiredText(payload, "redirectUrl", path: "payload.redirectUrl")
        countdown = max(0, payload["countdown"]?.int64 ?? 0)
    }
}
