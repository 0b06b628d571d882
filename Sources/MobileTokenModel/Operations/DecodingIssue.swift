// SPDX-License-Identifier: Apache-2.0
/// Something in a reply that could not be used and was left out while the rest was kept; or a text that the server did not
/// complete.
///
/// Holds no text of the reply, so that it can be logged.
public struct DecodingIssue: Equatable, Sendable, CustomStringConvertible {
    /// The part left out.
    public enum Subject: Sendable {
        /// A whole operation.
        case operation
        /// An attribute of the form data, or of a review after the approval.
        case attribute
        /// A screen before or after the approval.
        case screen
        /// An element of a screen before the approval.
        case element
        /// A section of a template.
        case section
        /// A cell of a template.
        case cell
        /// A single member, which reads as absent.
        case member
    }

    /// The part left out.
    public let subject: Subject
    /// The operation's position in the reply, from 0; 0 for a reply with one operation.
    public let operation: Int
    /// The position in its list, from 0 (for an operation the same as `operation`); `nil` for what is not in a list.
    public let index: Int?
    /// Why.
    public let fault: ModelFault

    /// E.g. `operation 3: attribute 1: value: missing`.
    public var description: String { "operation " + String(operation) + ": " + detail }

    /// The same without the operation, e.g. `attribute 1: value: missing`.
    package var detail: String {
        var text = ""
        if subject != .operation, subject != .member {
            text += Self.name(subject)
            if let index { text += " " + String(index) }
            text += ": "
        }
        return text + fault.description
    }

    private static func name(_ subject: Subject) -> String {
        switch subject {
        case .operation: "operation"
        case .attribute: "attribute"
        case .screen: "screen"
        case .element: "element"
        case .section: "section"
        case .cell: "cell"
        case .member: "member"
        }
    }
}
