import MobileTokenJSON

/// The texts that an app shows of an operation before it is decided on, one after the other: title and message, the formats of
/// the layout of lists, and of each row label and text. Not the texts of amounts.
struct ShownTexts {
    private let operation: UserOperation
    /// The row; -1: what stands before the rows.
    private var row = -1
    /// Which of its texts is next.
    private var part = 0

    init(_ operation: UserOperation) { self.operation = operation }

    /// The next text, and whether the bank's own layout of an operation shows it.
    @inline(never)
    mutating func next() -> (text: JSONText, isVisible: Bool)? {
        while true {
            let current = part
            part &+= 1
            if row < 0 {
                guard current < 5 else {
                    (row, part) = (0, 0)
                    continue
                }
                if let text = head(current) { return (text, current < 2 && !hidesHead) }
            } else {
                guard row < operation.formData.attributes.count else { return nil }
                guard current < 3 else {
                    (row, part) = (row &+ 1, 0)
                    continue
                }
                if let text = Self.text(current, of: operation.formData.attributes[row]) { return (text, true) }
            }
        }
    }

    private var hidesHead: Bool {
        let detail = operation.ui?.templates?.detail
        return detail?.sections != nil && detail?.showTitleAndMessage == false
    }

    private func head(_ part: Int) -> JSONText? {
        switch part {
        case 0: operation.formData.title
        case 1: operation.formData.message
        // In a list of operations, before the form is seen.
        case 2: operation.ui?.templates?.list?.header
        case 3: operation.ui?.templates?.list?.title
        default: operation.ui?.templates?.list?.message
        }
    }

    private static func text(_ part: Int, of attribute: OperationAttribute) -> JSONText? {
        if part == 0 { return attribute.label }
        return switch attribute.content {
        case .keyValue(let text), .note(let text): part == 1 ? text : nil
        case .partyInfo(let party): part == 1 ? party.name : party.info
        case .alert(let alert): part == 1 ? alert.title : alert.message
        case .amount, .conversion, .heading, .image, .unknown: nil
        }
    }
}
