/// An amount in a sentence: a number beside the name of a currency.
struct ShownMoney {
    let number: ShownNumber
    let isNegative: Bool
    /// `5 tis. Kč`: the number is not the amount.
    let isMultiplied: Bool
    /// The currency named before and after it.
    let before: ShownCurrency?
    let after: ShownCurrency?
    /// The currency before it may be that of the number before.
    let sharesBefore: Bool
    /// Number and currencies.
    let range: Range<Int>

    /// Whether it may be an amount.
    func isAmount(_ amount: SignedAmount) -> Bool {
        isNumber(amount) && (after ?? before)?.mayBe(amount.currency) ?? false
            && (sharesBefore || before?.mayBe(amount.currency) ?? true)
    }

    /// Whether it may be an amount, in whatever currency.
    func isNumber(_ amount: SignedAmount) -> Bool {
        !isMultiplied && isNegative == amount.number.isNegative && number.isReadable && number.reads(amount.number)
    }
}

/// Finds the amounts in a sentence, one after the other.
struct MoneyScanner {
    private let text: UnsafeRawBufferPointer
    private var index = 0
    /// The last currency, and where the number is that it may belong to.
    private var last: (currency: ShownCurrency, start: Int, next: Int, isTaken: Bool)?
    /// Where a number is that a minus stands before.
    private var minusBefore = -1
    private var minusAt = -1

    init(_ text: UnsafeRawBufferPointer) { self.text = text }

    mutating func next() -> ShownMoney? {
        while index < text.count {
            let (scalar, length) = Glyph.at(index, text)
            let previous = Glyph.before(index, text)
            let isInside = Glyph.isWord(previous) && last?.next != index
            if Glyph.digit(scalar) != nil || (!isInside && Glyph.separator(scalar)?.beginsFraction ?? false),
                let number = ShownNumber(text, at: index)
            {
                let start = index
                index = number.range.upperBound
                // Digits of a word, like a number of an order.
                if isInside { continue }
                if let money = money(number, at: start) { return money }
                continue
            }
            if Glyph.isMinus(scalar), !Glyph.isWord(previous) {
                minusAt = index
                minusBefore = index &+ length
            }
            if !Glyph.isWord(previous) || !Glyph.isWord(scalar),
                let currency = ShownCurrency(text, at: index, .sentence)
            {
                take(currency, at: index, isTaken: false)
                continue
            }
            index = Glyph.isWord(scalar) ? endOfWord(index &+ length) : index &+ length
        }
        return nil
    }

    private func endOfWord(_ start: Int) -> Int {
        var index = start
        while index < text.count {
            let (scalar, length) = Glyph.at(index, text)
            guard Glyph.isWord(scalar), Glyph.digit(scalar) == nil else { break }
            index &+= length
        }
        return index
    }

    private mutating func take(_ currency: ShownCurrency, at start: Int, isTaken: Bool) {
        // `-€100`
        let isMinus = minusBefore == start
        let afterSpaces = Glyph.skipSpaces(currency.end, text, atMost: 2)
        var next = afterSpaces
        // `€-100`
        let (sign, length) = Glyph.at(next, text)
        if Glyph.isMinus(sign), next < text.count, Glyph.digit(Glyph.at(next &+ length, text).scalar) != nil {
            minusAt = next
            next &+= length
            minusBefore = next
        } else if isMinus {
            minusBefore = next
        }
        last = (currency, start, next, isTaken)
        index = next > currency.end ? next : currency.end
    }

    /// The number as an amount; nil: no currency stands beside it.
    private mutating func money(_ number: ShownNumber, at start: Int) -> ShownMoney? {
        var before: ShownCurrency?
        var from = start
        let shares = last.map { $0.next == start && $0.isTaken } ?? false
        if let last, last.next == start {
            before = last.currency
            from = last.start
        }
        last = nil
        let isNegative = minusBefore == start
        if isNegative { from = min(from, minusAt) }
        let digitsEnd = ShownNumber.endOfDash(text, at: number.range.upperBound)
        index = digitsEnd
        var next = Glyph.skipSpaces(digitsEnd, text, atMost: 2)
        var isMultiplied = false
        if let end = Multiplier.end(text, at: next) {
            let beyond = Glyph.skipSpaces(end, text, atMost: 2)
            if before != nil || ShownCurrency(text, at: beyond, .sentence) != nil {
                isMultiplied = true
                next = beyond
            }
        }
        var after: ShownCurrency?
        var to = digitsEnd
        if next < text.count, let currency = ShownCurrency(text, at: next, .sentence) {
            after = currency
            to = currency.end
            take(currency, at: next, isTaken: true)
        }
        // A currency that was taken is not also that of the next number, unless nothing else is.
        guard after != nil || before != nil else { return nil }
        return ShownMoney(
            number: number, isNegative: isNegative, isMultiplied: isMultiplied, before: before, after: after,
            sharesBefore: shares, range: from..<max(to, number.range.upperBound))
    }
}
