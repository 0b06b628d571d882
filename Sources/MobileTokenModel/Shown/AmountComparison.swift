// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON

/// The signed amounts of an operation beside those that are shown.
struct AmountComparison {
    /// A signed amount, and what is shown of it.
    private struct Signed {
        let amount: SignedAmount
        /// It is shown as it is signed.
        var isShown = false
        /// It is a bare number in a row of its own.
        var isBare = false
        /// Its currency is named somewhere.
        var isNamed = false
        /// It is shown with another currency, or other texts, which is reported already.
        var isReported = false

        var isMissing: Bool { !isShown && !isReported && !(isBare && isNamed) }
    }

    private let text: UnsafeRawBufferPointer
    private let data: OperationData
    private var signed: [Signed] = []
    /// Something is shown that is not signed.
    private var showsOther = false
    private var faults: Contradictions = []
    /// How often an amount or an account may still be looked for in the signed texts.
    private var searches = 16

    init(_ text: UnsafeRawBufferPointer, _ data: OperationData) {
        (self.text, self.data) = (text, data)
        for index in 0..<data.fieldCount {
            let field = data[index]
            guard field.kind == .amount, let number = DecimalText(text.part(field.value)) else { continue }
            signed.append(Signed(amount: SignedAmount(number: number, currency: text.part(field.addition))))
        }
    }

    /// The contradictions of all displayed texts.
    var result: Contradictions {
        var result = faults
        let isMissing = signed.contains { $0.isMissing }
        if isMissing { result.insert(showsOther ? .amount : .amountHidden) }
        if showsOther, !isMissing { result.insert(.unsignedAmount) }
        return result
    }

    // MARK: Rows that state an amount

    /// The result of comparing a row with the signed amounts.
    private struct Judgement {
        /// The signed amount that it shows; nil: none.
        var amount: Int?
        /// The contradiction, if it is displayed differently.
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
            guard let faults = Self.faults(of: shown, beside: signed[index].amount) else { continue }
            if best.amount == nil || faults.isEmpty { best = Judgement(amount: index, faults: faults) }
            if faults.isEmpty { break }
        }
        return best
    }

    /// How a row differs from an amount; nil: it is another amount.
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
            if isVisible { signed[index].isShown = true }
        } else {
            signed[index].isReported = true
            faults.formUnion(judgement.faults)
        }
    }

    /// A row of text, whose value may be an amount, and nothing else.
    mutating func add(value text: UnsafeRawBufferPointer) {
        for index in signed.indices {
            let (faults, isNamed) = signed[index].amount.faults(ofText: text)
            guard faults.isEmpty else { continue }
            if isNamed { signed[index].isShown = true } else { signed[index].isBare = true }
        }
    }

    // MARK: Other texts

    /// A text that may contain an amount among words.
    ///
    /// - Parameter shows: whether it counts as shown there
    mutating func add(_ folded: FoldedText, mayHoldNumber: Bool, shows: Bool, isVisible: Bool) {
        guard !signed.isEmpty, mayHoldNumber || isVisible && signed.contains(where: { !$0.isNamed }) else { return }
        let scanner = MoneyScanner(folded.bytes)
        let tokens = scanner.tokens
        let isRate = Self.isRate(scanner, from: folded.lastStart)
        // The last number that a currency has.
        var taken = -1
        for (place, token) in tokens.enumerated() {
            guard let currency = token.currency else { continue }
            if isVisible {
                for index in signed.indices where currency.mayBe(signed[index].amount.currency) {
                    signed[index].isNamed = true
                }
            }
            if isRate || Self.isInPair(tokens, place, folded.bytes) { continue }
            let (before, after) = Self.money(tokens, place, &taken)
            guard before != nil || after != nil else { continue }
            if folded.isTurned {
                // The reading differs from the written text.
                showsOther = true
                return
            }
            take(before, after, folded.bytes, shows && isVisible)
        }
    }

    /// The numbers before and after a currency that belong to it.
    private static func money(
        _ tokens: [MoneyScanner.Token], _ place: Int, _ taken: inout Int
    ) -> (before: Money?, after: Money?) {
        let token = tokens[place]
        var (before, after): (Money?, Money?)
        if place > 0, token.isBeside, tokens[place &- 1].currency == nil, taken < place &- 1 {
            before = Money(tokens[place &- 1], token, isChanged: token.isChanged)
            taken = place &- 1
        }
        if place &+ 1 < tokens.count, tokens[place &+ 1].isBeside, tokens[place &+ 1].currency == nil {
            // A number between two currencies is that of the first, if that has none yet.
            let isNext = place &+ 2 < tokens.count && tokens[place &+ 2].isBeside && tokens[place &+ 2].currency != nil
            if before == nil || !isNext {
                after = Money(tokens[place &+ 1], token, isChanged: tokens[place &+ 1].isChanged)
                taken = place &+ 1
            }
        }
        return (before, after)
    }

    private mutating func take(_ before: Money?, _ after: Money?, _ text: UnsafeRawBufferPointer, _ shows: Bool) {
        func isSigned(_ money: Money) -> Bool { signed.contains { money.isAmount($0.amount) } }
        guard let before, let after else {
            if let money = before ?? after { take(money, text, shows) }
            return
        }
        // `Invoice 2024 CZK 100.00`: the plain number is not of the currency if the other one is signed.
        let (isFirst, isSecond) = (isSigned(before), isSigned(after))
        if isFirst || !isSecond || !before.isPlain { take(before, text, shows) }
        if isSecond || !isFirst || !after.isPlain { take(after, text, shows) }
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

        /// Digits alone.
        var isPlain: Bool { number?.isPlain ?? false }

        func isNumber(_ amount: SignedAmount) -> Bool {
            isNegative == amount.number.isNegative && number?.reads(amount) ?? false
        }

        func isAmount(_ amount: SignedAmount) -> Bool { isNumber(amount) && currency.mayBe(amount.currency) }
    }

    private mutating func take(_ money: Money, _ text: UnsafeRawBufferPointer, _ shows: Bool) {
        if let index = signed.firstIndex(where: { money.isAmount($0.amount) }) {
            if shows { signed[index].isShown = true }
        } else if isInSignedText(text.part(money.range)) {
            return
        } else if let index = signed.firstIndex(where: { money.isNumber($0.amount) }) {
            signed[index].isReported = true
            faults.insert(.currency)
        } else {
            showsOther = true
        }
    }

    /// Whether a line is a rate, as in `1 EUR = 25.10 CZK`, and nothing else.
    private static func isRate(_ scanner: MoneyScanner, from start: Int) -> Bool {
        let tokens = scanner.tokens
        guard tokens.count == 4, tokens[0].range.lowerBound >= start, scanner.lastWord < start else { return false }
        let between = scanner.text[tokens[1].range.upperBound..<tokens[2].range.lowerBound]
        guard (tokens[0].currency == nil) != (tokens[1].currency == nil), between.contains(UInt8(ascii: "=")),
            let one = tokens[0].currency ?? tokens[1].currency, let other = tokens[2].currency ?? tokens[3].currency
        else { return false }
        return (tokens[2].currency == nil) != (tokens[3].currency == nil) && !one.mayBe(other)
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

    /// Whether a signed text contains an account.
    mutating func hasSigned(_ account: SignedAccount) -> Bool {
        isInSignedText { text in
            var isFound = false
            SignedAccount.forEach(in: text) { found, _ in isFound = isFound || account.isSame(found) }
            return isFound
        }
    }

    private mutating func isInSignedText(_ words: UnsafeRawBufferPointer) -> Bool {
        guard !words.isEmpty, words.count <= 64 else { return false }
        return isInSignedText { text in
            guard text.count >= words.count else { return false }
            return (0...(text.count &- words.count)).contains { sameBytes(text.part($0..<($0 &+ words.count)), words) }
        }
    }

    /// Whether something is in one of the texts that are signed, which it is shown folded.
    private mutating func isInSignedText(_ isIn: (UnsafeRawBufferPointer) -> Bool) -> Bool {
        guard searches > 0 else { return false }
        searches &-= 1
        return (0..<data.fieldCount).contains { index in
            let field = data[index]
            guard field.isText, field.kind != .anyAccount else { return false }
            return Escapes.withDecoded(text.part(field.value)) { FoldedText.with($0) { isIn($0.bytes) } }
        }
    }
}
