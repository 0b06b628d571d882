// SPDX-License-Identifier: Apache-2.0
import MobileTokenJSON

/// The one screen before the approval, as older apps get it (JSON `ui.preApprovalScreen`, operations.md §6.1).
public struct LegacyPreApprovalScreen: Sendable {
    /// JSON `approvalType`.
    public enum Approval: Sendable {
        /// `SLIDER`: approve by moving a slider.
        case slider
        /// `BUTTON`: approve by pressing a button.
        case button
        /// Anything else.
        case unknown
    }

    /// `type`
    public let kind: PreApprovalScreen.Kind
    /// `type` as it was sent; `nil` if missing or no text.
    public let rawKind: JSONText?
    /// `heading`; empty if the server sent none.
    public let heading: JSONText
    /// `message`; empty if the server sent none.
    public let message: JSONText
    /// `items`: texts to list; `nil` if missing or not a list. Leaves out elements that are not texts.
    public let items: [JSONText]?
    /// `approvalType`; `nil` if missing or no text.
    public let approval: Approval?
    /// `approvalType` as it was sent.
    public let rawApproval: JSONText?

    /// `nil` (and reported) if there is nothing on the screen: no text, and neither a warning nor a scan nor an approval
    /// type. A warning without texts is kept: servers make exactly that of the risk flag `F`, and without it the user
    /// would not be warned of a fraud.
    init?(_ node: JSONNode, _ decoder: inout ModelDecoder) {
        let type = node["type"]
        rawKind = decoder.text(type)
        kind = PreApprovalScreen.Kind(type)
        let heading = decoder.text(node, "heading")
        let message = decoder.text(node, "message")
        rawApproval = decoder.text(node, "approvalType")
        approval = rawApproval.map { $0.equals("SLIDER") ? .slider : $0.equals("BUTTON") ? .button : .unknown }
        var items: [JSONText]?
        if let list = decoder.array(node, "items", reportedAs: "ui.preApprovalScreen.items") {
            var texts: [JSONText] = []
            for (index, node) in list.elements.enumerated() {
                if let text = decoder.text(node) {
                    texts.append(text)
                } else {
                    decoder.report(.element, at: index, ModelFault("ui.preApprovalScreen.items", .wrongType))
                }
            }
            items = texts
        }
        self.items = items
        self.heading = heading ?? decoder.constant("")
        self.message = message ?? decoder.constant("")
        let isEmpty = heading == nil && message == nil && (items ?? []).isEmpty && approval == nil
        if isEmpty, kind != .warning, kind != .qrScan {
            decoder.report(.screen, ModelFault("ui.preApprovalScreen.heading", .missing))
            return nil
        }
    }
}
