// SPDX-License-Identifier: Apache-2.0
import MobileTokenJSON

/// A screen to show before the approval (JSON `ui.preApprovalScreens[…]`, operations.md §6.2).
public struct PreApprovalScreen: Sendable {
    /// JSON `type`.
    public enum Kind: Sendable {
        /// `WARNING`
        case warning
        /// `INFO`
        case info
        /// `QR_SCAN`: the app must scan a code (a proximity check) before it may approve.
        case qrScan
        /// Anything else.
        case unknown

        /// The kind that a text names.
        init(_ text: JSONNode?) {
            self =
                if let text {
                    if text.equals("WARNING") {
                        .warning
                    } else if text.equals("INFO") {
                        .info
                    } else if text.equals("QR_SCAN") {
                        .qrScan
                    } else {
                        .unknown
                    }
                } else {
                    .unknown
                }
        }
    }

    /// `id`: names the screen in the record of the user's visits.
    public let id: JSONText?
    /// `type`
    public let kind: Kind
    /// `type` as it was sent; `nil` if missing or no text.
    public let rawKind: JSONText?
    /// `backButton`: whether to show one.
    public let backButton: Bool?
    /// `image`: name of a picture of the app. `fallback_image` for a converted legacy screen.
    public let image: JSONText?
    /// `heading`; empty if the server sent none.
    public let heading: JSONText
    /// `message`; empty if the server sent none.
    public let message: JSONText
    /// `elements`, from top to bottom; `nil` if missing or no list.
    public let elements: [PreApprovalElement]?
    /// `controls`; `nil` if missing or no object.
    public let controls: PreApprovalControls?

    /// Reads a list; leaves out and reports elements that are not objects.
    static func list(_ list: JSONNode, _ decoder: inout ModelDecoder) -> [PreApprovalScreen] {
        var screens: [PreApprovalScreen] = []
        screens.reserveCapacity(list.count)
        for (index, node) in list.elements.enumerated() {
            guard node.kind == .object else {
                decoder.report(.screen, at: index, ModelFault("ui.preApprovalScreens", .wrongType))
                continue
            }
            screens.append(PreApprovalScreen(node, &decoder))
        }
        return screens
    }

    private init(_ node: JSONNode, _ decoder: inout ModelDecoder) {
        id = decoder.text(node, "id")
        let type = node["type"]
        rawKind = decoder.text(type)
        kind = Kind(type)
        backButton = node["backButton"]?.bool
        image = decoder.text(node, "image")
        heading = decoder.textOrEmpty(node, "heading")
        message = decoder.textOrEmpty(node, "message")
        elements = decoder.array(node, "elements", reportedAs: "ui.preApprovalScreens.elements")
            .map { PreApprovalElement.list($0, &decoder) }
        controls = decoder.object(node, "controls", reportedAs: "ui.preApprovalScreens.controls")
            .map { PreApprovalControls($0, &decoder) }
    }

    /// A legacy screen in the new form: its items become list items, a slider becomes controls with a way back.
    init(_ legacy: LegacyPreApprovalScreen, _ decoder: ModelDecoder) {
        id = nil
        kind = legacy.kind
        rawKind = legacy.rawKind
        backButton = nil
        image = decoder.constant("fallback_image")
        heading = legacy.heading
        message = legacy.message
        if let items = legacy.items, !items.isEmpty {
            elements = items.map { PreApprovalElement(legacyItem: $0, decoder) }
        } else {
            elements = nil
        }
        controls = legacy.approval == .slider ? PreApprovalControls(legacySlider: decoder) : nil
    }
}
