import MobileTokenJSON

extension UserOperation {
    /// Hands over the texts that an app shows of an operation before it is decided on: title and message, and of each row label and
    /// text; and the formats of the layout of lists. Not the texts of amounts.
    ///
    /// - Parameter body: takes a text, and whether the bank's own layout shows it; ends the walk with false
    func forEachShownText(_ body: (JSONText, _ isShown: Bool) -> Bool) {
        let detail = ui?.templates?.detail
        let hidesHead = detail?.sections != nil && detail?.showTitleAndMessage == false
        guard body(formData.title, !hidesHead), body(formData.message, !hidesHead) else { return }
        if let list = ui?.templates?.list {
            // In a list of operations, before the form is seen.
            for format in [list.header, list.title, list.message] {
                if let format, !body(format, false) { return }
            }
        }
        for attribute in formData.attributes {
            guard body(attribute.label, true) else { return }
            switch attribute.content {
            case .keyValue(let text), .note(let text):
                guard body(text, true) else { return }
            case .partyInfo(let party):
                if let name = party.name, !body(name, true) { return }
                if let info = party.info, !body(info, true) { return }
            case .alert(let alert):
                if let title = alert.title, !body(title, true) { return }
                if let message = alert.message, !body(message, true) { return }
            case .amount, .conversion, .heading, .image, .unknown:
                break
            }
        }
    }
}
