// SPDX-License-Identifier: Apache-2.0
import MobileTokenJSON

/// The buttons of a screen before the approval (JSON `ui.preApprovalScreens[…].controls`, operations.md §6.2).
public struct PreApprovalControls: Sendable {
    /// How the buttons are placed (JSON `axis`).
    public enum Axis: Sendable {
        /// `HORIZONTAL`: side by side.
        case horizontal
        /// `VERTICAL`: one above the other.
        case vertical
        /// Anything else.
        case unknown
    }

    /// The control that leads away (JSON `decline`).
    public struct Decline: Sendable {
        /// JSON `type`.
        public enum Kind: Sendable {
            /// `BACK`: to the previous screen.
            case back
            /// `REJECT`: rejects the operation.
            case reject
            /// Anything else, or nothing.
            case unknown
        }

        /// `type`
        public let kind: Kind
        /// `type` as it was sent; `nil` if missing or no text.
        public let rawKind: JSONText?
        /// `text` of the control.
        public let text: JSONText?
    }

    /// The control that leads on (JSON `approve`).
    public struct Approve: Sendable {
        /// JSON `type`.
        public enum Kind: Sendable {
            /// `SLIDER`
            case slider
            /// `BUTTON`
            case button
            /// Anything else, or nothing.
            case unknown
        }

        /// `type`
        public let kind: Kind
        /// `type` as it was sent; `nil` if missing or no text.
        public let rawKind: JSONText?
        /// `text` of the control.
        public let text: JSONText?
        /// `counter`: seconds until the control may be used.
        public let counter: Int64?
    }

    /// `flip`: swap the controls.
    public let flip: Bool?
    /// `axis`; `nil` if missing or no text.
    public let axis: Axis?
    /// `axis` as it was sent.
    public let rawAxis: JSONText?
    /// `decline`; `nil` if missing or no object.
    public let decline: Decline?
    /// `approve`; `nil` if missing or no object.
    public let approve: Approve?

    init(_ node: JSONNode, _ decoder: inout ModelDecoder) {
        flip = node["flip"]?.bool
        rawAxis = decoder.text(node, "axis")
        axis = rawAxis.map { $0.equals("HORIZONTAL") ? .horizontal : $0.equals("VERTICAL") ? .vertical : .unknown }
        decline = decoder.object(node, "decline", reportedAs: "ui.preApprovalScreens.controls.decline").map { node in
            let type = decoder.text(node, "type")
            let kind: Decline.Kind? = type.map { $0.equals("BACK") ? .back : $0.equals("REJECT") ? .reject : .unknown }
            return Decline(kind: kind ?? .unknown, rawKind: type, text: decoder.text(node, "text"))
        }
        approve = decoder.object(node, "approve", reportedAs: "ui.preApprovalScreens.controls.approve").map { node in
            let type = decoder.text(node, "type")
            let kind: Approve.Kind? = type.map {
                $0.equals("SLIDER") ? .slider : $0.equals("BUTTON") ? .button : .unknown
            }
            return Approve(
                kind: kind ?? .unknown, rawKind: type, text: decoder.text(node, "text"),
                counter: decoder.integer(
                    node, "counter", reportedAs: "ui.preApprovalScreens.controls.approve.counter"))
        }
    }

    /// The controls of a legacy screen with a slider.
    init(legacySlider decoder: ModelDecoder) {
        flip = true
        axis = nil
        rawAxis = nil
        decline = Decline(kind: .back, rawKind: decoder.constant("BACK"), text: nil)
        approve = Approve(kind: .slider, rawKind: decoder.constant("SLIDER"), text: nil, counter: nil)
    }
}
