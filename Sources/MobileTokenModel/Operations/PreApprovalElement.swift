// SPDX-License-Identifier: Apache-2.0
import MobileTokenJSON

/// A part of a screen before the approval (JSON `ui.preApprovalScreens[…].elements[…]`, operations.md §6.2).
public struct PreApprovalElement: Sendable {
    /// JSON `style`.
    public enum Style: Sendable {
        /// `INFO`
        case info
        /// `WARNING`
        case warning
        /// `DANGER`
        case danger
        /// Anything else.
        case unknown

        init(_ text: JSONNode) {
            self =
                if text.equals("INFO") {
                    .info
                } else if text.equals("WARNING") {
                    .warning
                } else if text.equals("DANGER") {
                    .danger
                } else {
                    .unknown
                }
        }
    }

    /// The action of a button (JSON `action`).
    public enum Action: Sendable {
        /// `LINK`: opens `href` as a web address.
        case link
        /// `MAIL`: writes to the address in `href`.
        case mail
        /// `PHONE`: calls the number in `href`.
        case phone
        /// Anything else, or nothing.
        case unknown

        init(_ text: JSONNode?) {
            self =
                if let text {
                    if text.equals("LINK") {
                        .link
                    } else if text.equals("MAIL") {
                        .mail
                    } else if text.equals("PHONE") {
                        .phone
                    } else {
                        .unknown
                    }
                } else {
                    .unknown
                }
        }
    }

    /// A button.
    public struct Button: Sendable {
        /// `action`
        public let action: Action
        /// `action` as it was sent; `nil` if missing or no text.
        public let rawAction: JSONText?
        /// `actionSettings`: a further action of the button, e.g. `REJECT`.
        public let actionSettings: JSONText?
        /// `href`
        public let href: JSONText?
    }

    /// The kind of element (JSON `type`).
    public enum Content: Sendable {
        /// `LIST_ITEM` (or `LISTITEM`): a line with `icon`, the name of a picture of the app.
        case listItem(icon: JSONText?)
        /// `ALERT`: a highlighted text.
        case alert
        /// `BUTTON`
        case button(Button)
        /// Anything else.
        case unknown
    }

    /// `type` as it was sent.
    public let rawType: JSONText
    /// `id`
    public let id: JSONText?
    /// `text`
    public let text: JSONText?
    /// `style` of list items and alerts; `nil` if missing or no text.
    public let style: Style?
    /// `style` as it was sent.
    public let rawStyle: JSONText?
    /// The rest, by type.
    public let content: Content

    /// Reads a list; leaves out and reports elements that are not objects with a type.
    static func list(_ list: JSONNode, _ decoder: inout ModelDecoder) -> [PreApprovalElement] {
        var elements: [PreApprovalElement] = []
        elements.reserveCapacity(list.count)
        for (index, node) in list.elements.enumerated() {
            do throws(ModelFault) {
                elements.append(try PreApprovalElement(node, decoder))
            } catch {
                decoder.report(.element, at: index, error)
            }
        }
        return elements
    }

    private init(_ node: JSONNode, _ decoder: ModelDecoder) throws(ModelFault) {
        guard node.kind == .object else { throw ModelFault("", .wrongType) }
        let type = try decoder.requiredMember(node, "type")
        rawType = try decoder.requiredText(node, "type")
        id = decoder.text(node, "id")
        text = decoder.text(node, "text")
        let style = node["style"]
        rawStyle = decoder.text(style)
        self.style = rawStyle == nil ? nil : style.map { Style($0) }
        if type.equals("LIST_ITEM") || type.equals("LISTITEM") {
            content = .listItem(icon: decoder.text(node, "icon"))
        } else if type.equals("ALERT") {
            content = .alert
        } else if type.equals("BUTTON") {
            let action = node["action"]
            content = .button(
                Button(
                    action: Action(action), rawAction: decoder.text(action),
                    actionSettings: decoder.text(node, "actionSettings"),
                    href: decoder.text(node, "href")))
        } else {
            content = .unknown
        }
    }

    /// An item of a legacy screen.
    init(legacyItem text: JSONText, _ decoder: ModelDecoder) {
        rawType = decoder.constant("LIST_ITEM")
        id = nil
        self.text = text
        style = nil
        rawStyle = nil
        content = .listItem(icon: decoder.constant("fallback_icon"))
    }
}
