// SPDX-License-Identifier: Apache-2.0
import MobileTokenJSON

/// The texts for the user's decision (JSON `formData`, operations.md §5.1).
public struct OperationFormData: Sendable {
    /// The texts to show after the decision (JSON `resultTexts`). Absent texts: the app has its own.
    public struct ResultTexts: Sendable {
        /// `success`: after an approval.
        public let success: JSONText?
        /// `failure`: if approving or rejecting failed.
        public let failure: JSONText?
        /// `reject`: after a rejection.
        public let reject: JSONText?
    }

    /// `title`
    public let title: JSONText
    /// `message`; empty if the server sent none.
    public let message: JSONText
    /// `attributes`: the usable ones, in order.
    public let attributes: [OperationAttribute]
    /// Whether a row is not among them, because it is broken, or the list is.
    public let hasLostRows: Bool
    /// `resultTexts`; `nil` if missing or no object.
    public let resultTexts: ResultTexts?

    /// - Throws: a fault if the object or its `title` is missing, or a text is of another type.
    init(of operation: JSONNode, _ decoder: inout ModelDecoder) throws(ModelFault) {
        let node = try decoder.requiredObject(operation, "formData")
        title = try decoder.requiredText(node, "title", path: "formData.title")
        if let member = node["message"], member.kind != .null {
            guard let text = decoder.text(member) else { throw ModelFault("formData.message", .wrongType) }
            message = text
        } else {
            message = decoder.constant("")
        }
        let rows = decoder.array(node, "attributes", reportedAs: "formData.attributes")
        attributes = rows.map { OperationAttribute.list($0, &decoder) } ?? []
        if let rows {
            hasLostRows = attributes.count < rows.count
        } else if let member = node["attributes"] {
            hasLostRows = member.kind != .null
        } else {
            hasLostRows = false
        }
        resultTexts = decoder.object(node, "resultTexts", reportedAs: "formData.resultTexts").map { texts in
            ResultTexts(
                success: decoder.text(texts, "success"), failure: decoder.text(texts, "failure"),
                reject: decoder.text(texts, "reject"))
        }
    }
}
