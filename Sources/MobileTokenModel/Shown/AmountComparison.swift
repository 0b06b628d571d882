import MobileTokenJSON

/// The signed amounts of an operation beside those that are shown.
struct AmountComparison {
    private let data: UnsafeRawBufferPointer
    private let fields: OperationData
    private var signed: [SignedAmount] = []
    /// Which of them are shown as they are signed.
    private var isShown: [Bool] = []
    /// Which of them stand as a bare number in a row of their own.
    private var isBare: [Bool] = []
    /// Which of them are shown with another currency, or other texts: that is told already.
    private var isTold: [Bool] = []
    /// Something is shown that is not signed.
    private var showsOther = false
    private var result: Contradictions = []
    /// How often an amount may still be looked for in the signed texts.
    private var searches = 16

    init(_ text: UnsafeRawBufferPointer, _ data: OperationData) {
        self.data = text
        fields = data
        for index in 0..<data.fieldCount where data[index].kind == .amount {
            let field = data[index]
            guard let number = DecimalText(UnsafeRawBufferPointer(rebasing: text[field.value])) else { continue }
            signed.append(
                SignedAmount(number: number, currency: UnsafeRawBufferPointer(rebasing: text[field.addition])))
        }
        isShown = [Bool](repeating: false, count: signed.count)
        (isBare, isTold) = (isShown, isShown)
    }

    var isEmpty: Bool { signed.isEmpty }

    mutating func compare(_ operation: UserOperation, _ texts: [ShownText]) -> Contradictions {
        for attribute in operation.formData.attributes {
            switch attribute.content {
            case .amount(let amount): look(at: judge(amount))
            case .conversion(let conversion):
                // The other side of an exchange is not signed, but it is one amount.
                let sides = [judge(conversion.source), judge(conversion.target)]
                if let right = sides.firstIndex(where: { $0.isRight }) {
                    look(at: sides[right])
                    let other = right == 0 ? conversion.target : conversion.source
                    if sides[1 &- right].isRight {
                        look(at: sides[1 &- right])
                    } else if !Self.agreesWithItself(other) {
                        result.insert(.amountText)
                    }
                } else {
                    for side in sides { look(at: side) }
                }
            default: break
            }
        }
        for text in texts where text.mayHoldDigits { look(at: text.bytes, text.isVisible) }
        for attribute in operation.formData.attributes {
            guard case .keyValue(let value) = attribute.content else { continue }
            attribute.label.withBytes { label in value.withBytes { look(atNumber: $0, labelled: label) } }
        }
        for index in signed.indices where isBare[index] && !isShown[index] {
            isShown[index] = texts.contains { $0.isVisible && Self.names(signed[index].currency, in: $0.bytes) }
        }
        var isMissing = false
        for index in signed.indices where !isShown[index] && !isTold[index] {
            isMissing = true
            result.insert(showsOther ? .amount : .amountHidden)
        }
        if showsOther, !isMissing { result.insert(.unsignedAmount) }
        return result
    }

    // MARK: Rows of amounts

    /// What a row says of the signed amounts.
    private struct Judgement {
        /// The signed amount that it shows; nil: none.
        var amount: Int?
        /// What of it is shown otherwise.
        var faults: Contradictions = []

        var isRight: Bool { amount != nil && faults.isEmpty }
    }

    @inline(never)
    private func judge(_ shown: OperationAttribute.Amount) -> Judgement {
        var best = Judgement()
        for index in signed.indices {
            guard let faults = Self.faults(of: shown, beside: signed[index]) else { continue }
            if best.amount == nil || faults.isEmpty {
                best = Judgement(amount: index, faults: faults)
                if faults.isEmpty { break }
            }
        }
        return best
    }

    /// What of a row is otherwise than an amount; nil: it is another amount.
    @inline(never)
    private static func faults(
        of shown: OperationAttribute.Amount, beside amount: SignedAmount
    ) -> Contradictions? {
        var faults: Contradictions = []
        var needsText = true
        if let number = shown.amount {
            var text = number.text
            let isSame = text.withUTF8 {
                DecimalText(UnsafeRawBufferPointer($0)).map { $0.equals(amount.number) } ?? false
            }
            guard isSame else { return nil }
            needsText = false
        }
        if case .sent(let text) = shown.amountFormatted {
            let judgement = text.withBytes { amount.judge(amountText: $0) }
            if !judgement.isNumber {
                if needsText { return nil }
                faults.insert(.amountText)
            }
            if !judgement.isCurrency { faults.insert(.currency) }
        }
        if let text = shown.valueFormatted, !text.isEmpty {
            let judgement = text.withBytes { amount.judge(amountText: $0) }
            if !judgement.isNumber { faults.insert(.amountText) }
            if !judgement.isCurrency { faults.insert(.currency) }
        }
        if let currency = shown.currency, !currency.isEmpty,
            !currency.withBytes({ amount.judge(currencyText: $0, mustBeKnown: true) })
        {
            faults.insert(.currency)
        }
        if !shown.currencyFormatted.withBytes({ amount.judge(currencyText: $0, mustBeKnown: false) }) {
            faults.insert(.currency)
        }
        return faults
    }

    /// Whether the texts of an amount that is not signed are those of its number.
    private static func agreesWithItself(_ shown: OperationAttribute.Amount) -> Bool {
        guard let number = shown.amount else { return true }
        var text = number.text
        return text.withUTF8 { digits in
            guard let decimal = DecimalText(UnsafeRawBufferPointer(digits)) else { return false }
            let code = shown.currency ?? shown.currencyFormatted
            return code.withBytes { currency in
                let amount = SignedAmount(number: decimal, currency: currency)
                // The texts may name the currency in their own way where it has no code.
                guard let faults = faults(of: shown, beside: amount) else { return false }
                return currency.count == 3 ? faults.isEmpty : !faults.contains(.amountText)
            }
        }
    }

    @inline(never)
    private mutating func look(at judgement: Judgement) {
        guard let index = judgement.amount else {
            showsOther = true
            return
        }
        if judgement.faults.isEmpty {
            isShown[index] = true
        } else {
            isTold[index] = true
            result.formUnion(judgement.faults)
        }
    }

    // MARK: Sentences

    private mutating func look(at text: UnsafeRawBufferPointer, _ isVisible: Bool) {
        var scanner = MoneyScanner(text)
        // An amount that is not signed, unless its currency belongs to the number behind.
        var doubtful: ShownMoney?
        var wasRight = false
        var isChecked = false
        while let money = scanner.next() {
            if !isChecked, Self.isTurned(text) {
                // What is read is not what is written.
                showsOther = true
                return
            }
            isChecked = true
            let index = signed.indices.first { money.isAmount(signed[$0]) }
            if money.sharesBefore, money.after == nil {
                if wasRight {
                    wasRight = false
                    continue
                }
                if let index {
                    doubtful = nil
                    if isVisible { isShown[index] = true }
                }
                continue
            }
            if let doubtful { note(doubtful, text) }
            doubtful = nil
            if let index {
                if isVisible { isShown[index] = true }
            } else {
                doubtful = money
            }
            wasRight = index != nil
        }
        if let doubtful { note(doubtful, text) }
        guard text.count <= 64, isVisible else { return }
        lookAtBareNumber(text)
    }

    /// A row that is nothing but a number.
    private mutating func lookAtBareNumber(_ text: UnsafeRawBufferPointer) {
        guard let (number, isNegative) = Self.bareNumber(text) else { return }
        for index in signed.indices
        where number.reads(signed[index].number) && signed[index].number.isNegative == isNegative {
            isBare[index] = true
        }
    }

    /// A number in a row whose label names its currency: `Amount (Kč)`. With two currencies it is a rate.
    private mutating func look(atNumber text: UnsafeRawBufferPointer, labelled label: UnsafeRawBufferPointer) {
        guard text.count <= 64, label.count <= 256, let (number, isNegative) = Self.bareNumber(text) else { return }
        var currency: ShownCurrency?
        var index = 0
        while index < label.count {
            if !Glyph.isWord(Glyph.before(index, label)), let name = ShownCurrency(label, at: index, .sentence) {
                guard currency == nil else { return }
                currency = name
                index = name.end
            } else {
                index &+= Glyph.at(index, label).length
            }
        }
        guard let currency else { return }
        var isOther = true
        for index in signed.indices
        where number.reads(signed[index].number) && signed[index].number.isNegative == isNegative {
            isOther = false
            if currency.mayBe(signed[index].currency) { return }
            isTold[index] = true
        }
        if isOther { showsOther = true } else { result.insert(.currency) }
    }

    /// The number that a text is, and nothing else.
    private static func bareNumber(_ text: UnsafeRawBufferPointer) -> (ShownNumber, isNegative: Bool)? {
        let start = Glyph.skipSpaces(0, text)
        let (sign, length) = Glyph.at(start, text)
        let isNegative = Glyph.isMinus(sign)
        guard let number = ShownNumber(text, at: isNegative ? start &+ length : start), number.isReadable else {
            return nil
        }
        let end = ShownNumber.endOfDash(text, at: number.range.upperBound)
        return Glyph.skipSpaces(end, text) >= text.count ? (number, isNegative) : nil
    }

    private static func isTurned(_ text: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        while index < text.count {
            let (scalar, length) = Glyph.at(index, text)
            if Glyph.turnsText(scalar) { return true }
            index &+= length
        }
        return false
    }

    /// An amount in a sentence that is not signed. One that stands in a signed text, like the payer's note, is.
    private mutating func note(_ money: ShownMoney, _ text: UnsafeRawBufferPointer) {
        if isRate(money, text) || isInSignedText(UnsafeRawBufferPointer(rebasing: text[money.range])) { return }
        if let index = signed.indices.first(where: { money.isNumber(signed[$0]) }) {
            isTold[index] = true
            result.insert(.currency)
        } else {
            showsOther = true
        }
    }

    /// Whether an amount is a side of a rate, as in `1 EUR = 25.10 CZK`, where nothing else stands.
    private func isRate(_ money: ShownMoney, _ text: UnsafeRawBufferPointer) -> Bool {
        guard text.count <= 64 else { return false }
        let equals = text.firstIndex(of: UInt8(ascii: "="))
        guard let equals, !text[(equals &+ 1)...].contains(UInt8(ascii: "=")) else { return false }
        return Self.isNothingButMoney(UnsafeRawBufferPointer(rebasing: text[..<equals]))
            && Self.isNothingButMoney(UnsafeRawBufferPointer(rebasing: text[(equals &+ 1)...]))
    }

    private static func isNothingButMoney(_ text: UnsafeRawBufferPointer) -> Bool {
        var scanner = MoneyScanner(text)
        guard let money = scanner.next() else { return false }
        return Glyph.skipSpaces(0, text) >= money.range.lowerBound
            && Glyph.skipSpaces(money.range.upperBound, text) >= text.count
    }

    private mutating func isInSignedText(_ words: UnsafeRawBufferPointer) -> Bool {
        guard searches > 0, !words.isEmpty, words.count <= 64 else { return false }
        searches &-= 1
        for index in 0..<fields.fieldCount where fields[index].isText && fields[index].kind != .anyAccount {
            let range = fields[index].value
            guard range.count >= words.count else { continue }
            for start in range.lowerBound...(range.upperBound &- words.count)
            where data[start..<(start &+ words.count)].elementsEqual(words) {
                return true
            }
        }
        return false
    }

    /// Whether a row or a label is, or ends in, the name of a currency.
    private static func names(_ currency: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer) -> Bool {
        guard text.count <= 256 else { return false }
        var index = 0
        while index < text.count {
            if !Glyph.isWord(Glyph.before(index, text)),
                let name = ShownCurrency(text, at: index, .sentence), name.mayBe(currency)
            {
                return true
            }
            index &+= Glyph.at(index, text).length
        }
        return false
    }
}
