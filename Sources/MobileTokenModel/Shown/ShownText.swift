import MobileTokenJSON

/// A text that an app shows of an operation before it is decided on. Not the text of an amount.
///
/// The bytes are the operation's, whoever looks at them holds it.
struct ShownText {
    let bytes: UnsafeRawBufferPointer
    /// Whether the bank's own layout of an operation shows it.
    let isVisible: Bool
    /// Without digits a text shows neither amount nor account, and most have none.
    let mayHoldDigits: Bool

    private init(_ text: JSONText, isVisible: Bool) {
        bytes = UnsafeRawBufferPointer(start: text.base, count: text.count)
        self.isVisible = isVisible
        mayHoldDigits = Glyph.mayHoldDigits(bytes)
    }

    /// Those of an operation: title and message, the formats of the layout of lists, and of each row label and text.
    static func all(of operation: UserOperation) -> [ShownText] {
        let (form, templates) = (operation.formData, operation.ui?.templates)
        var texts: [ShownText] = []
        texts.reserveCapacity(5 &+ 3 &* form.attributes.count)
        @inline(never)
        func add(_ text: JSONText?, isVisible: Bool = true) {
            if let text { texts.append(ShownText(text, isVisible: isVisible)) }
        }
        let hidesHead = templates?.detail?.sections != nil && templates?.detail?.showTitleAndMessage == false
        add(form.title, isVisible: !hidesHead)
        add(form.message, isVisible: !hidesHead)
        // In a list of operations, before the form is seen.
        add(templates?.list?.header, isVisible: false)
        add(templates?.list?.title, isVisible: false)
        add(templates?.list?.message, isVisible: false)
        for attribute in form.attributes {
            add(attribute.label)
            switch attribute.content {
            case .keyValue(let text), .note(let text): add(text)
            case .partyInfo(let party):
                add(party.name)
                add(party.info)
            case .alert(let alert):
                add(alert.title)
                add(alert.message)
            case .amount, .conversion, .heading, .image, .unknown: break
            }
        }
        return texts
    }
}
