// SPDX-License-Identifier: Apache-2.0
import MobileTokenJSON

/// The bank's wishes for the layout (JSON `ui.templates`, operations.md §6.5). Every member is lenient.
///
/// Names of styles mean what bank and app agreed on. Names of attributes are their `id`.
public struct OperationTemplates: Sendable {
    /// A row in a list of operations (JSON `list`).
    public struct List: Sendable {
        /// `style`
        public let style: JSONText?
        /// `header`: a text with `${attributeId}` placeholders.
        public let header: JSONText?
        /// `title`: a text with placeholders.
        public let title: JSONText?
        /// `message`: a text with placeholders.
        public let message: JSONText?
        /// `image`: the name of an attribute of type `IMAGE`.
        public let image: JSONText?
    }

    /// The operation alone (JSON `detail`).
    public struct Detail: Sendable {
        /// `style`
        public let style: JSONText?
        /// `showTitleAndMessage`; apps show both unless it is false.
        public let showTitleAndMessage: Bool?
        /// `sections`; `nil` if missing or no list.
        public let sections: [Section]?
    }

    /// A group of rows (JSON `sections[…]`).
    public struct Section: Sendable {
        /// `style`
        public let style: JSONText?
        /// `title`: the name of an attribute.
        public let title: JSONText?
        /// `cells`; `nil` if missing or no list. A cell without name is left out.
        public let cells: [Cell]?
    }

    /// A row (JSON `cells[…]`).
    public struct Cell: Sendable {
        /// Whether the row can be folded (JSON `collapsable`).
        public enum Collapsable: Sendable {
            /// `NO`
            case no
            /// `COLLAPSED`: yes, and it is folded at first.
            case collapsed
            /// `YES`: yes, and it is open at first.
            case yes
            /// Anything else.
            case unknown
        }

        /// `name`: the name of an attribute.
        public let name: JSONText
        /// `style`
        public let style: JSONText?
        /// `visibleTitle`: whether to show the label.
        public let visibleTitle: Bool?
        /// `canCopy`: whether to offer copying the value.
        public let canCopy: Bool?
        /// `collapsable`; `nil` if missing or no text.
        public let collapsable: Collapsable?
        /// `centered`
        public let centered: Bool?
    }

    /// `list`; `nil` if missing or no object.
    public let list: List?
    /// `detail`; `nil` if missing or no object.
    public let detail: Detail?

    init(_ node: JSONNode, _ decoder: inout ModelDecoder) {
        list = decoder.object(node, "list", reportedAs: "ui.templates.list").map { node in
            List(
                style: decoder.text(node, "style"), header: decoder.text(node, "header"),
                title: decoder.text(node, "title"), message: decoder.text(node, "message"),
                image: decoder.text(node, "image"))
        }
        detail = decoder.object(node, "detail", reportedAs: "ui.templates.detail").map { Detail($0, &decoder) }
    }
}

extension OperationTemplates.Detail {
    init(_ node: JSONNode, _ decoder: inout ModelDecoder) {
        style = decoder.text(node, "style")
        showTitleAndMessage = node["showTitleAndMessage"]?.bool
        guard let list = decoder.array(node, "sections", reportedAs: "ui.templates.detail.sections") else {
            sections = nil
            return
        }
        var sections: [OperationTemplates.Section] = []
        for (index, section) in list.elements.enumerated() {
            guard section.kind == .object else {
                decoder.report(.section, at: index, ModelFault("", .wrongType))
                continue
            }
            sections.append(OperationTemplates.Section(section, &decoder))
        }
        self.sections = sections
    }
}

extension OperationTemplates.Section {
    init(_ node: JSONNode, _ decoder: inout ModelDecoder) {
        style = decoder.text(node, "style")
        title = decoder.text(node, "title")
        guard let list = decoder.array(node, "cells", reportedAs: "ui.templates.detail.sections.cells") else {
            cells = nil
            return
        }
        var cells: [OperationTemplates.Cell] = []
        for (index, cell) in list.elements.enumerated() {
            do throws(ModelFault) {
                cells.append(try OperationTemplates.Cell(cell, decoder))
            } catch {
                decoder.report(.cell, at: index, error)
            }
        }
        self.cells = cells
    }
}

extension OperationTemplates.Cell {
    init(_ node: JSONNode, _ decoder: ModelDecoder) throws(ModelFault) {
        guard node.kind == .object else { throw ModelFault("", .wrongType) }
        name = try decoder.requiredText(node, "name")
        style = decoder.text(node, "style")
        visibleTitle = node["visibleTitle"]?.bool
        canCopy = node["canCopy"]?.bool
        collapsable = decoder.text(node, "collapsable").map { text in
            text.equals("NO") ? .no : text.equals("COLLAPSED") ? .collapsed : text.equals("YES") ? .yes : .unknown
        }
        centered = node["centered"]?.bool
    }
}
