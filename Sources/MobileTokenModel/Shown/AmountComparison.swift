import MobileTokenJSON

/// The signed amounts of an operation beside those that are shown.
struct AmountComparison {
    /// The texts that are signed, folded: amounts in them may be shown.
    private var signedTexts: [FoldedText] = []
    private var signed: [SignedAmount] = []
    /// Which of them are shown as they are signed.
    private var isShown: [Bool] = []
    /// Which of them stand as a bare number in a row of their own.
    private var isBare: [Bool] = []
    /// Of which of them the currency is named somewhere.
    private var isNamed: [Bool] = []
    /// Which of them are shown with another currency, or other texts: that is told already.
    private var isTold: [Bool] = []
    /// Something is shown that is not signed.
    private var showsOther = false
    private var faults: Contradictions = []
    /// How often an amount may still be looked for in the signed texts.
    private var searches = 16

    init(_ text: UnsafeRawBufferPointer, _ data: OperationData) {
        for index in 0..<data.fieldCount {
            let field = data[index]
            let value = UnsafeRawBufferPointer(rebasing: text[field.value])
            if field.isText, field.kind != .anyAccount {
                signedTexts.append([UInt8](Escapes.decoded(value).utf8).withUnsafeBytes { FoldedText($0) })
            }
            guard field.kind == .amount, let number = DecimalText(value) else { continue }
            signed.append(
                SignedAmount(number: number, currency: UnsafeRawBufferPointer(rebasing: text[field.addition])))
        }
        isShown = [Bool](repeating: false, count: signed.count)
        (isBare, isNamed, isTold) = (isShown, isShown, isShown)
    }

    /// What all that was shown contradicts.
    var result: Contradictions {
        var result = faults
        var isMissing = false
        for index in signed.indices
        where !isShown[index] && !isTold[index] && !(isBare[index] && isNamed[index]) {
            isMissing = true
            result.insert(showsOther ? .amount : .amountHidden)
        }
        if showsOther, !isMissing { result.insert(.unsignedAmount) }
        return result
    }

    // MARK: Rows that state an amount

    /// What a row says of the signed amounts.
    private struct Judgement {
        /// The signed amount that it shows; nil: none.
        var amount: Int?
        /// What of it is shown otherwise.
        var faults: Contradictions = []

        var isRight: Bool { amount != nil && faults.isEmpty }
    }

    mutating func add(_ amount: OperationAttribute.Amount, isVisible: Bool) {
        if !signed.isEmpty { take(judge(amount), isVisible) }
    }

    /// The other side of an exchange is not signed, but it is one amount.
    mutating func add(_ conversion: OperationAttribute.AmountConversion, isVisible: Bool) {
        guard !signed.isEmpty else { return }
        let (source, target) = (judge(conversion.source), judge(conversion.target))
        if source.isRight || !target.isRight { take(source, isVisible) }
        if target.isRight || !source.isRight { take(target, isVisible) }
        guard source.isRight != target.isRight else { return }
        if !Self.agreesWithItself(source.isRight ? conversion.target : conversion.source) { faults.insert(.amountText) }
    }

    @inline(never)
    private func judge(_ shown: OperationAttribute.Amount) -> Judgement {
        var best = Judgement()
        for index in signed.indices {
            guard let faults = Self.faults(of: shown, beside: signed[index]) else { continue }
            if best.amount == nil || faults.isEmpty { best = Judgement(amount: index, faults: faults) }
            if faults.isEmpty { break }
        }
        return best
    }

    /// What of a row is otherwise than an amount; nil: it is another amount.
    @inline(never)
    private static func faults(
        of shown: OperationAttribute.Amount, beside amount: SignedAmount
    ) -> Contradictions? {
        var faults: Contradictions = []
        if let number = shown.amount {
            var text = number.text
            let isSame = text.withUTF8 {
                DecimalText(UnsafeRawBufferPointer($0)).map { $0.equals(amount.number) } ?? false
            }
            guard isSame else { return nil }
        }
        if case .sent(let text) = shown.amountFormatted {
            let found = text.withBytes { amount.faults(ofText: $0).0 }
            if shown.amount == nil, found.contains(.amountText) { return nil }
            faults.formUnion(found)
        }
        if let text = shown.valueFormatted, !text.isEmpty {
            faults.formUnion(text.withBytes { amount.faults(ofText: $0).0 })
        }
        for name in [shown.currency, shown.currencyFormatted] {
            guard let name, !name.isEmpty else { continue }
            if !name.withBytes({ amount.isCurrency($0) }) { faults.insert(.currency) }
        }
        return faults
    }

    /// Whether the texts of an amount that is not signed are those of its number.
    private static func agreesWithItself(_ shown: OperationAttribute.Amount) -> Bool {
        guard let number = shown.amount else { return true }
        var text = number.text
        return text.withUTF8 { digits in
            guard let decimal = DecimalText(UnsafeRawBufferPointer(digits)) else { return false }
            return (shown.currency ?? shown.currencyFormatted).withBytes { currency in
                faults(of: shown, beside: SignedAmount(number: decimal, currency: currency))?.isEmpty ?? false
            }
        }
    }

    private mutating func take(_ judgement: Judgement, _ isVisible: Bool) {
        guard let index = judgement.amount else {
            showsOther = true
            return
        }
        if judgement.faults.isEmpty {
            if isVisible { isShown[index] = true }
        } else {
            isTold[index] = true
            faults.formUnion(judgement.faults)
        }
    }

    /// A row of text, whose value may be an amount, and nothing else.
    mutating func add(value text: UnsafeRawBufferPointer) {
        for index in signed.indices {
            let (faults, isNamed) = signed[index].faults(ofText: text)
            guard faults.isEmpty else { continue }
            if isNamed { isShown[index] = true } else { isBare[index] = true }
        }
    }

    // MARK: Other texts

    /// A text in which an amount may stand among words.
    ///
    /// - Parameter shows: whether it counts as shown there
    mutating func add(_ folded: FoldedText, shows: Bool, isVisible: Bool) {
        guard !signed.isEmpty else { return }
        folded.bytes.withUnsafeBytes { text in
            let scanner = MoneyScanner(text)
            let tokens = scanner.tokens
            let isRate = Self.isRate(scanner, from: folded.lastStart)
            // The last number that a currency has.
            var taken = -1
            for (place, token) in tokens.enumerated() {
                guard let currency = token.currency else { continue }
                if isVisible {
                    for index in signed.indices where currency.mayBe(signed[index].currency) { isNamed[index] = true }
                }
                if isRate || Self.isInPair(tokens, place, text) { continue }
                var found: [Money] = []
                if place > 0, token.isBeside, tokens[place &- 1].currency == nil, taken < place &- 1 {
                    found.append(Money(tokens[place &- 1], token, isChanged: token.isChanged))
                    taken = place &- 1
                }
                if place &+ 1 < tokens.count, tokens[place &+ 1].isBeside, tokens[place &+ 1].currency == nil {
                    // A number between two currencies is that of the first, if that has none yet.
                    let isNext =
                        place &+ 2 < tokens.count && tokens[place &+ 2].isBeside && tokens[place &+ 2].currency != nil
                    if found.isEmpty || !isNext {
                        found.append(Money(tokens[place &+ 1], token, isChanged: tokens[place &+ 1].isChanged))
                        taken = place &+ 1
                    }
                }
                if folded.isTurned, !found.isEmpty {
                    // What is read is not what is written.
                    showsOther = true
                    return
                }
                let isRight = found.contains { money in signed.contains { money.isAmount($0) } }
                for money in found {
                    // `Invoice 2024 CZK 100.00`
                    if isRight, found.count == 2, money.number?.isPlain ?? false,
                        !signed.contains(where: { money.isAmount($0) })
                    {
                        continue
                    }
                    take(money, text, shows && isVisible)
                }
            }
        }
    }

    /// A number and its currency.
    private struct Money {
        let number: ShownNumber?
        let currency: ShownCurrency
        let isNegative: Bool
        let range: Range<Int>

        init(_ number: MoneyScanner.Token, _ currency: MoneyScanner.Token, isChanged: Bool) {
            self.number = isChanged ? nil : number.number
            self.currency = currency.currency ?? ShownCurrency.none
            isNegative = number.isNegative || currency.isNegative
            range =
                min(
                    number.range.lowerBound, currency.range.lowerBound)..<max(
                    number.range.upperBound, currency.range.upperBound)
        }

        func isNumber(_ amount: SignedAmount) -> Bool {
            isNegative == amount.number.isNegative && number?.reads(amount) ?? false
        }

        func isAmount(_ amount: SignedAmount) -> Bool { isNumber(amount) && currency.mayBe(amount.currency) }
    }

    private mutating func take(_ money: Money, _ text: UnsafeRawBufferPointer, _ shows: Bool) {
        if let index = signed.firstIndex(where: { money.isAmount($0) }) {
            if shows { isShown[index] = true }
        } else if isInSignedText(UnsafeRawBufferPointer(rebasing: text[money.range])) {
            return
        } else if let index = signed.firstIndex(where: { money.isNumber($0) }) {
            isTold[index] = true
            faults.insert(.currency)
        } else {
            showsOther = true
        }
    }

    /// Whether a line is a rate, as in `1 EUR = 25.10 CZK`, and nothing else.
    private static func isRate(_ scanner: MoneyScanner, from start: Int) -> Bool {
        let tokens = scanner.tokens
        guard tokens.count == 4, tokens[0].range.lowerBound >= start, scanner.lastWord < start else { return false }
        let currencies = tokens.compactMap { $0.currency }
        let between = scanner.text[tokens[1].range.upperBound..<tokens[2].range.lowerBound]
        return currencies.count == 2 && !currencies[0].mayBe(currencies[1])
            && (tokens[0].currency == nil) != (tokens[1].currency == nil) && between.contains(UInt8(ascii: "="))
    }

    /// `EUR/CZK` speaks of a rate.
    private static func isInPair(_ tokens: [MoneyScanner.Token], _ place: Int, _ text: UnsafeRawBufferPointer) -> Bool {
        func isPair(_ first: Int) -> Bool {
            guard first >= 0, first &+ 1 < tokens.count, let one = tokens[first].currency,
                let other = tokens[first &+ 1].currency, !one.mayBe(other)
            else { return false }
            let between = text[tokens[first].range.upperBound..<tokens[first &+ 1].range.lowerBound]
            return between.count == 1 && between.first == UInt8(ascii: "/")
        }
        return isPair(place) || isPair(place &- 1)
    }

    /// Whether an account stands in a text that is signed.
    func hasSigned(_ account: SignedAccount) -> Bool {
        signedTexts.contains { text in
            var isFound = false
            text.bytes.withUnsafeBytes {
                SignedAccount.forEach(in: $0) { found, _ in isFound = isFound || account.isSame(found) }
            }
            return isFound
        }
    }

    private mutating func isInSignedText(_ words: UnsafeRawBufferPointer) -> Bool {
        guard searches > 0, !words.isEmpty, words.count <= 64 else { return false }
        searches &-= 1
        return signedTexts.contains { text in
            guard text.bytes.count >= words.count else { return false }
            return (0...(text.bytes.count &- words.count)).contains {
                text.bytes[$0..<($0 &+ words.count)].elementsEqual(words)
            }
        }
    }
}
