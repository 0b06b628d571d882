import MobileTokenJSON

/// An amount, with which texts are compared.
struct SignedAmount {
    let number: DecimalText
    /// Three letters.
    let currency: UnsafeRawBufferPointer

    /// Whether a text is another way to write exactly this amount: one number, with or without the name of a currency and words
    /// around it.
    func judge(amountText text: UnsafeRawBufferPointer) -> AmountJudgement {
        guard text.count <= Self.longestAmountText else { return AmountJudgement(isNumber: false, isCurrency: true) }
        var reading = Reading()
        var names = CurrencyNames(currency)
        var index = 0
        while index < text.count {
            let (scalar, length) = Glyph.at(index, text)
            if let found = ShownNumber(text, at: index) {
                reading.add(found, number)
                if reading.minusBefore == index { reading.isNegative = true }
                index = found.range.upperBound
                index = reading.finish(text, at: index)
                let next = Glyph.skipSpaces(index, text)
                if let end = Multiplier.end(text, at: next) {
                    reading.isOdd = true
                    index = end
                }
                continue
            }
            if Glyph.turnsText(scalar) || Glyph.isOddDigit(scalar) { reading.isOdd = true }
            if Glyph.isMinus(scalar), reading.numbers == 0 {
                reading.minusBefore = Glyph.skipSpaces(index &+ length, text)
            }
            if !Glyph.isWord(Glyph.before(index, text)) || !Glyph.isWord(scalar)
                || Glyph.digit(Glyph.before(index, text)) != nil
            {
                if let name = ShownCurrency(text, at: index, .amount) {
                    names.add(name)
                    // `-€100`
                    if reading.minusBefore == index { reading.minusBefore = Glyph.skipSpaces(name.end, text) }
                    index = name.end
                    continue
                }
                if let end = ShownCurrency.endOfCode(text, at: index) {
                    names.add(code: UnsafeRawBufferPointer(rebasing: text[index..<end]))
                    if reading.minusBefore == index { reading.minusBefore = Glyph.skipSpaces(end, text) }
                    index = end
                    continue
                }
            }
            if scalar == 0x28 { reading.hasParenthesis = true }
            index &+= length
        }
        return AmountJudgement(isNumber: reading.isRight(number), isCurrency: !names.areOthers)
    }

    /// Whether a text names the currency; `mustBeKnown`: and no word that this library does not know.
    func judge(currencyText text: UnsafeRawBufferPointer, mustBeKnown: Bool) -> Bool {
        guard text.count <= Self.longestAmountText else { return false }
        var names = CurrencyNames(currency)
        var index = 0
        while index < text.count {
            let (scalar, length) = Glyph.at(index, text)
            if Glyph.digit(scalar) != nil || Glyph.turnsText(scalar) { return false }
            if !Glyph.isWord(Glyph.before(index, text)) || !Glyph.isWord(scalar) {
                if let name = ShownCurrency(text, at: index, .amount) {
                    names.add(name)
                    index = name.end
                    continue
                }
                if let end = ShownCurrency.endOfCode(text, at: index) {
                    names.add(code: UnsafeRawBufferPointer(rebasing: text[index..<end]))
                    index = end
                    continue
                }
            }
            index &+= length
        }
        return names.areOthers ? false : names.hasRight || !mustBeKnown
    }

    /// The longest text in which an amount is looked for as a whole.
    private static let longestAmountText = 256

    /// What was read of the number.
    private struct Reading {
        var numbers = 0
        var isRight = false
        var isNegative = false
        var hasParenthesis = false
        /// Where a number is that a minus stands before.
        var minusBefore = -1
        /// Something is there that makes another number of it.
        var isOdd = false

        package mutating func add(_ found: ShownNumber, _ number: DecimalText) {
            numbers &+= 1
            isRight = found.isReadable && found.reads(number)
        }

        /// Passes what may follow the digits: `100,-`, `100.–`, and a minus.
        mutating func finish(_ text: UnsafeRawBufferPointer, at start: Int) -> Int {
            let end = ShownNumber.endOfDash(text, at: start)
            if end > start { return end }
            let (scalar, length) = Glyph.at(start, text)
            guard start < text.count, Glyph.isMinus(scalar) else { return start }
            isNegative = true
            return start &+ length
        }

        func isRight(_ number: DecimalText) -> Bool {
            guard numbers == 1, isRight, !isOdd else { return false }
            return number.isNegative ? isNegative || hasParenthesis : !isNegative
        }
    }

    /// What was read of currencies.
    private struct CurrencyNames {
        private let currency: UnsafeRawBufferPointer
        private(set) var hasRight = false
        private var hasOther = false
        private var hasUnknownCode = false

        init(_ currency: UnsafeRawBufferPointer) { self.currency = currency }

        package mutating func add(_ name: ShownCurrency) {
            if name.mayBe(currency) { hasRight = true } else { hasOther = true }
        }

        /// Three letters that are no code that is known.
        package mutating func add(code: UnsafeRawBufferPointer) {
            if ShownCurrency.isSame(code, at: 0, currency) {
                hasRight = true
            } else if code.allSatisfy({ $0 < 0x60 }) {
                hasUnknownCode = true
            }
        }

        var areOthers: Bool { hasOther || (hasUnknownCode && !hasRight) }
    }
}

/// Whether a text shows an amount.
struct AmountJudgement {
    var isNumber: Bool
    var isCurrency: Bool
}

extension ShownNumber {
    /// The end of the dash that stands for no cents after a number, as in `100,-`; the same offset: there is none.
    static func endOfDash(_ text: UnsafeRawBufferPointer, at start: Int) -> Int {
        let (mark, markLength) = Glyph.at(start, text)
        guard start < text.count, mark == 0x2C || mark == 0x2E else { return start }
        var index = start &+ markLength
        let dashes = index
        while index < text.count {
            let (scalar, length) = Glyph.at(index, text)
            guard Glyph.isMinus(scalar) || scalar == 0x3D else { break }
            index &+= length
        }
        return index > dashes ? index : start
    }
}
