// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON

/// An operation as the bank wants it laid out (operations.md §6.5): texts with their placeholders filled in, and the attributes
/// sorted into sections.
package struct OperationVisual: Sendable {
    /// A row in a list of operations.
    package struct List: Sendable {
        package let header: String?
        package let title: String?
        package let message: String?
        package let style: JSONText?
        package let imageURL: JSONText?
    }

    /// A group of cells.
    package struct Section: Sendable {
        package let style: JSONText?
        package let title: JSONText?
        package let cells: [Cell]
    }

    /// One thing to show.
    package struct Cell: Sendable {
        package enum Kind: Int32, Sendable {
            case title = 1
            case message = 2
            case heading = 3
            case image = 4
            case value = 5
        }

        package let kind: Kind
        /// nil: an attribute that has no text.
        package let text: String?
        /// nil: the operation's own title or message.
        package let attribute: OperationAttribute?
        /// nil: no template names the attribute.
        package let template: OperationTemplates.Cell?
    }

    package let list: List
    package let style: JSONText?
    package let sections: [Section]

    package init(_ operation: UserOperation) {
        let form = operation.formData
        let template = operation.ui?.templates
        var attributes = AttributePool(form.attributes, isIndexed: template != nil)
        list = List(form, template?.list, attributes)
        style = template?.detail?.style
        var sections: [Section] = []
        let detail = template?.detail
        // Without sections the template is one of style only.
        if detail?.sections == nil || detail?.showTitleAndMessage != false {
            sections.append(
                Section(
                    style: nil, title: nil,
                    cells: [
                        Cell(kind: .title, text: form.title.string, attribute: nil, template: nil),
                        Cell(kind: .message, text: form.message.string, attribute: nil, template: nil),
                    ]))
        }
        for section in detail?.sections ?? [] {
            let title = section.title.flatMap { attributes.takeTitle($0) }?.label
            var cells: [Cell] = []
            for cell in section.cells ?? [] {
                if let attribute = attributes.take(cell.name) { cells.append(Cell(attribute, cell)) }
            }
            sections.append(Section(style: section.style, title: title, cells: cells))
        }
        let rest = attributes.rest
        if !rest.isEmpty { sections.append(Section(style: nil, title: nil, cells: rest.map { Cell($0, nil) })) }
        self.sections = sections
    }
}

/// The attributes of a form, found by their ids; each goes into one cell.
struct AttributePool {
    private let attributes: [OperationAttribute]
    /// The first attribute of an id that is left; -1: none is.
    private var places: [[UInt8]: Int] = [:]
    /// The next one of the same id; -1: none.
    private var following: [Int]
    private var isTaken: [Bool]

    init(_ attributes: [OperationAttribute], isIndexed: Bool) {
        self.attributes = attributes
        isTaken = [Bool](repeating: false, count: attributes.count)
        following = [Int](repeating: -1, count: isIndexed ? attributes.count : 0)
        for place in following.indices.reversed() {
            following[place] = places.updateValue(place, forKey: attributes[place].id.bytes) ?? -1
        }
    }

    private func place(_ id: [UInt8]) -> Int? {
        guard let place = places[id], place >= 0 else { return nil }
        return place
    }

    /// The first attribute of an id that is left.
    func first(_ id: [UInt8]) -> OperationAttribute? { place(id).map { attributes[$0] } }

    /// Takes the attribute of a name out of those that are left.
    mutating func take(_ name: JSONText) -> OperationAttribute? { takePlace(name).map { attributes[$0] } }

    /// The same, in place.
    mutating func takePlace(_ name: JSONText) -> Int? {
        let id = name.bytes
        guard let place = place(id) else { return nil }
        places.updateValue(following[place], forKey: id)
        isTaken[place] = true
        return place
    }

    /// The attribute whose label is a section's title. Only one that is nothing but a label is taken: the value of another
    /// must still be shown.
    mutating func takeTitle(_ name: JSONText) -> OperationAttribute? {
        guard let attribute = first(name.bytes) else { return nil }
        if case .heading = attribute.content { return take(name) }
        return attribute
    }

    /// Those that are left, in their order.
    var rest: [OperationAttribute] { attributes.indices.filter { !isTaken[$0] }.map { attributes[$0] } }
}

extension OperationVisual.List {
    /// The row of an operation, with the texts filled in.
    init(_ operation: UserOperation) {
        let (form, template) = (operation.formData, operation.ui?.templates)
        self.init(form, template?.list, AttributePool(form.attributes, isIndexed: template != nil))
    }

    fileprivate init(_ form: OperationFormData, _ template: OperationTemplates.List?, _ attributes: AttributePool) {
        func text(_ format: JSONText?, _ otherwise: JSONText?) -> String? {
            if let format, let text = attributes.fill(format.bytes) { return text }
            guard let otherwise, !otherwise.isEmpty else { return nil }
            return otherwise.string
        }
        header = text(template?.header, nil)
        title = text(template?.title, form.title)
        message = text(template?.message, form.message)
        style = template?.style
        imageURL = template?.image.flatMap { name in
            form.attributes.first { $0.image != nil && $0.id.equals(name) }?.image?.thumbnailURL
        }
    }
}

extension OperationVisual.Cell {
    fileprivate init(_ attribute: OperationAttribute, _ template: OperationTemplates.Cell?) {
        switch attribute.content {
        case .heading: kind = .heading
        case .image: kind = .image
        default: kind = .value
        }
        text = attribute.valueText
        self.attribute = attribute
        self.template = template
    }
}

extension AttributePool {
    /// No text of a list is longer, in bytes: a few placeholders of a long value could make it as long as they like.
    static let maximumTextSize = 65_536

    /// A text with `${attributeId}` replaced by the attribute's value; nil if one of them has none, or it gets too long.
    fileprivate func fill(_ format: [UInt8]) -> String? {
        guard format.count <= Self.maximumTextSize else { return nil }
        var result: [UInt8] = []
        var index = 0
        let lastEnd = format.lastIndex(of: UInt8(ascii: "}")) ?? -1
        while index < format.count {
            guard format[index] == UInt8(ascii: "$"), index < lastEnd, format[index + 1] == UInt8(ascii: "{"),
                let end = format[index...].firstIndex(of: UInt8(ascii: "}"))
            else {
                result.append(format[index])
                index += 1
                continue
            }
            guard let value = first([UInt8](format[(index + 2)..<end]))?.valueText,
                value.utf8.count <= Self.maximumTextSize - result.count
            else { return nil }
            result.append(contentsOf: value.utf8)
            index = end + 1
        }
        return String(utf8: result)
    }
}

extension OperationAttribute {
    /// The value as one text; nil for attributes that are not text.
    package var valueText: String? {
        switch content {
        case .amount(let amount): return amount.valueFormatted?.string ?? amount.plainText
        case .conversion(let conversion):
            let (source, target) = (conversion.source, conversion.target)
            if let from = source.valueFormatted, let to = target.valueFormatted {
                return from.string + " \u{2192} " + to.string
            }
            return source.plainText + " \u{2192} " + target.plainText
        case .keyValue(let text), .note(let text): return text.string
        case .heading: return label.string
        case .partyInfo, .image, .alert, .unknown: return nil
        }
    }

    fileprivate var image: Image? {
        if case .image(let image) = content { return image }
        return nil
    }
}

extension OperationAttribute.Amount {
    fileprivate var plainText: String {
        let amount: String
        switch amountFormatted {
        case .sent(let text): amount = text.string
        case .made(let text): amount = text
        }
        return amount + " " + currencyFormatted.string
    }
}
