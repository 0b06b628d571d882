// SPDX-License-Identifier: Apache-2.0
/// The amounts in a text that is folded: numbers beside currencies.
struct MoneyScanner {
    /// A number or a currency.
    struct Token {
        let range: Range<Int>
        /// nil: a number.
        let currency: ShownCurrency?
        /// nil: a currency, or a number that cannot be read.
        let number: ShownNumber?
        /// Only a few characters that are not letters, or a short word, separate it from the previous one.
        let isBeside: Bool
        /// A short word does, which makes another number of it: `5 tis. Kč`.
        let isChanged: Bool
        /// A minus precedes it.
        let isNegative: Bool
    }

    /// The maximum number of characters between a number and its currency.
    private static let farthest = 8

    let text: UnsafeRawBufferPointer
    private(set) var tokens: [Token] = []
    /// The positions of words that are not currencies.
    private(set) var lastWord = -1
    /// Characters and words since the last token.
    private var gap = MoneyScanner.farthest &+ 1
    private var gapWords = 0

    init(_ text: UnsafeRawBufferPointer) {
        self.text = text
        var index = 0
        while index < text.count { index = read(at: index) }
    }

    private mutating func read(at index: Int) -> Int {
        if text[index] == 0x20 {
            gap &+= 1
            return index &+ 1
        }
        // "FR" of a French IBAN does not mean francs.
        if let (_, end) = SignedAccount.account(text, at: index) {
            gapWords = 2
            lastWord = index
            return end
        }
        if let end = endOfLookAlike(index) {
            add(index..<end, nil, nil)
            return end
        }
        if let number = ShownNumber(text, at: index) {
            add(number.range, number, nil)
            return number.range.upperBound
        }
        let (scalar, length) = Scalars.at(index, text)
        guard Self.isLetter(scalar) || Scalars.isCurrency(scalar) else {
            gap &+= 1
            return index &+ length
        }
        var end = index &+ length
        if !Scalars.isIdeograph(scalar) { end = endOfLetters(end, Scalars.isCurrency(scalar)) }
        if let currency = ShownCurrency(word: UnsafeRawBufferPointer(rebasing: text[index..<min(end, text.count)])) {
            add(index..<end, nil, currency)
            return end
        }
        // Digits that follow are part of the word, like the number of an order.
        while ShownNumber.isDigit(text, end) { end = endOfLetters(end &+ 1, false) }
        gapWords &+= end &- index <= 4 ? 1 : 2
        lastWord = index
        return end
    }

    /// The end of letters, with the sign behind them: `US$`.
    private func endOfLetters(_ start: Int, _ isSign: Bool) -> Int {
        var index = start
        while !isSign, index < text.count {
            let (scalar, length) = Scalars.at(index, text)
            if Scalars.isCurrency(scalar) { return index &+ length }
            guard Self.isLetter(scalar), !Scalars.isIdeograph(scalar) else { break }
            index &+= length
        }
        return index
    }

    private static func isLetter(_ scalar: UInt32) -> Bool {
        0x61...0x7A ~= scalar | 0x20 || scalar >= 0x80 && !Scalars.isCurrency(scalar)
    }

    /// The end of digits with look-alike letters among them; nil: there are none, or they are a word.
    private func endOfLookAlike(_ start: Int) -> Int? {
        var (digits, marks, letters) = (0, 0, 0)
        var index = start
        while index < text.count {
            let (scalar, length) = Scalars.at(index, text)
            switch scalar {
            case 0x30...0x39: digits &+= 1
            case 0x4F, 0x6F, 0x6C, 0x49: letters &+= 1
            case 0x2E, 0x2C:
                let next = index &+ 1 < text.count ? text[index &+ 1] : 0
                guard index > start,
                    ShownNumber.isDigit(text, index &+ 1) || next | 0x20 == 0x6F || next == 0x6C || next == 0x49
                else { return digits &+ marks > 0 && letters > 0 ? index : nil }
                marks &+= 1
            case 0x80...:
                guard Self.isLetter(scalar), !Scalars.isIdeograph(scalar) else {
                    return digits &+ marks > 0 && letters > 0 ? index : nil
                }
                letters &+= 1
                // One letter, not a word.
                guard !Self.isLetter(Scalars.at(index &+ length, text).scalar) else { return nil }
            default:
                guard !Self.isLetter(scalar), digits &+ marks > 0, letters > 0 else { return nil }
                return index
            }
            index &+= length
        }
        return digits &+ marks > 0 && letters > 0 ? text.count : nil
    }

    private mutating func add(_ range: Range<Int>, _ number: ShownNumber?, _ currency: ShownCurrency?) {
        var before = range.lowerBound &- 1
        if before > 0, text[before] == FoldedText.odd { before &-= 1 }
        let isNegative =
            before >= 0 && text[before] == UInt8(ascii: "-")
            && (before == 0 || !ShownNumber.isDigit(text, before &- 1) && !Self.isLetter(UInt32(text[before &- 1])))
        if tokens.isEmpty { tokens.reserveCapacity(4) }
        tokens.append(
            Token(
                range: range, currency: currency, number: number, isBeside: gap <= Self.farthest && gapWords <= 1,
                isChanged: gapWords == 1, isNegative: isNegative))
        (gap, gapWords) = (0, 0)
    }
}
