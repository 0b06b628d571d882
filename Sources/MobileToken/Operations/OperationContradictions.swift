import MobileTokenJSON

/// Where what the user reads does not agree with what is signed (the operation's `data`, offline-qr.md §4).
package struct Contradictions: OptionSet, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }

    /// An amount is signed that is none of those shown.
    package static let amount = Contradictions(rawValue: 1)
    /// A signed amount is shown, but in another currency.
    package static let currency = Contradictions(rawValue: 2)
    /// An account is signed that is none of those shown.
    package static let account = Contradictions(rawValue: 4)
}

extension UserOperation {
    /// The operation's data, taken apart; nil: they are of another form.
    package var signedData: OperationData? { data.withBytes { try? OperationData(parsing: $0) } }

    /// Compares the signed amounts and accounts with those of the form. Only what is there on both sides can contradict: each
    /// signed value must be among those shown, once any of its kind is shown; what is shown besides (a fee, the payer's
    /// account) need not be signed. An amount without an exact number and a text that is no account say nothing.
    package var contradictions: Contradictions {
        data.withBytes { text in
            guard let signed = try? OperationData(parsing: text) else { return [] }
            var result: Contradictions = []
            for index in 0..<signed.fieldCount {
                let field = signed[index]
                let value = UnsafeRawBufferPointer(rebasing: text[field.value])
                switch field.kind {
                case .amount:
                    let currency = UnsafeRawBufferPointer(rebasing: text[field.addition])
                    result.formUnion(compare(amount: value, currency))
                case .account, .anyAccount:
                    let account = Self.account([UInt8](value))
                    let shown = shownAccounts
                    if let account, !shown.isEmpty, !shown.contains(account) { result.insert(.account) }
                case .empty, .date, .reference, .note, .text, .other: break
                }
            }
            return result
        }
    }

    private var shownAmounts: [OperationAttribute.Amount] {
        var result: [OperationAttribute.Amount] = []
        for attribute in formData.attributes {
            switch attribute.content {
            case .amount(let amount): result.append(amount)
            case .conversion(let conversion): result.append(contentsOf: [conversion.source, conversion.target])
            default: break
            }
        }
        return result
    }

    private func compare(amount: UnsafeRawBufferPointer, _ currency: UnsafeRawBufferPointer) -> Contradictions {
        guard let signed = DecimalText(amount)?.text else { return [] }
        var isShown = false
        var hasNumbers = false
        for shown in shownAmounts {
            guard let number = shown.amount.flatMap({ Self.decimal($0.text) }) else { continue }
            hasNumbers = true
            guard [UInt8](number.utf8) == [UInt8](signed.utf8) else { continue }
            isShown = true
            guard let code = shown.currency?.bytes, code.count == 3 else { return [] }
            if code.map({ $0 & ~0x20 }) == currency.map({ $0 & ~0x20 }) { return [] }
        }
        guard hasNumbers else { return [] }
        return isShown ? .currency : .amount
    }

    private static func decimal(_ text: String) -> String? {
        [UInt8](text.utf8).withUnsafeBytes { DecimalText($0)?.text }
    }

    private var shownAccounts: [[UInt8]] {
        var result: [[UInt8]] = []
        for attribute in formData.attributes {
            if case .keyValue(let value) = attribute.content, let account = Self.account(value.bytes) {
                result.append(account)
            }
        }
        return result
    }

    /// An account in the form in which accounts are compared: an IBAN, or a number with a bank code behind a stroke, without
    /// spaces; nil for any other text.
    private static func account(_ text: [UInt8]) -> [UInt8]? {
        let compact = text.filter { $0 != 0x20 }.map { (0x61...0x7A).contains($0) ? $0 & ~0x20 : $0 }
        if compact.withUnsafeBytes({ IBAN.isValid($0) }) { return compact }
        let parts = compact.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].count == 4, (2...17).contains(parts[0].count) else { return nil }
        let isNumber = parts[0].allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
        return isNumber && parts[1].allSatisfy { (0x30...0x39).contains($0) } ? compact : nil
    }
}
