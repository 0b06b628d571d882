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
        list = List(form, template?.list)
        style = template?.detail?.style
        var attributes = form.attributes
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
            let title = section.title.flatMap { Self.take($0, &attributes) }?.label
            var cells: [Cell] = []
            for cell in section.cells ?? [] {
                if let attribute = Self.take(cell.name, &attributes) { cells.append(Cell(attribute, cell)) }
            }
            sections.append(Section(style: section.style, title: title, cells: cells))
        }
        if !attributes.isEmpty {
            sections.append(Section(style: nil, title: nil, cells: attributes.map { Cell($0, nil) }))
        }
        self.sections = sections
    }

    /// Takes the attribute of a name out of those that are left.
    private static func take(_ name: JSONText, _ attributes: inout [OperationAttribute]) -> OperationAttribute? {
        guard let index = attributes.firstIndex(where: { $0.id.equals(name) }) else { return nil }
        return attributes.remove(at: index)
    }
}

extension OperationVisual.List {
    fileprivate init(_ form: OperationFormData, _ template: OperationTemplates.List?) {
        func text(_ format: JSONText?, _ otherwise: JSONText?) -> String? {
            if let format, let text = form.fill(format.bytes) { return text }
            guard let otherwise, !otherwise.isEmpty else { return nil }
            return otherwise.string
        }
        header = text(template?.header, nil)
        title = text(template?.title, form.title)
        message = text(template?.message, form.message)
        style = template?.style
        imageURL = template?.image.flatMap { name in
            form.attributes.first { $0.id.equals(name) && $0.image != nil }?.image?.thumbnailURL
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

extension OperationFormData {
    /// A text with `${attributeId}` replaced by the attribute's value; nil if one of them has none.
    fileprivate func fill(_ format: [UInt8]) -> String? {
        var result: [UInt8] = []
        var index = 0
        while index < format.count {
            guard format[index] == UInt8(ascii: "$"), index + 1 < format.count, format[index + 1] == UInt8(ascii: "{"),
                let end = format[index...].firstIndex(of: UInt8(ascii: "}"))
            else {
                result.append(format[index])
                index += 1
                continue
            }
            let name = [UInt8](format[(index + 2)..<end])
            guard let value = attributes.first(where: { $0.id.equals(name) })?.valueText else { return nil }
            result.append(contentsOf: value.utf8)
            index = end + 1
        }
        return String(decoding: result, as: UTF8.self)
    }
}

extension OperationAttribute {
    /// The value as one text; nil for attributes that are no text.
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

extension UserOperation {
    /// An operation from its JSON alone, as an earlier answer held it.
    package static func decode(json: UnsafeRawBufferPointer) throws(Failure) -> UserOperation {
        var failure = Failure(.parse, Reason.invalidArgument, "This is not the JSON of an operation.")
        do throws(JSONError) {
            let document = try JSONDocument(parsing: json)
            var decoder = ModelDecoder(document: document)
            if let operation = try? UserOperation(document.root.node, raw: document.raw, &decoder) { return operation }
        } catch {
            failure.byteOffset = error.offset
        }
        throw failure
    }
}
