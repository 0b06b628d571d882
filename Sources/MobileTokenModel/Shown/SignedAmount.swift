// SPDX-License-Identifier: Apache-2.0
/// An amount, with which texts are compared.
struct SignedAmount {
    let number: DecimalText
    /// Three letters; of the side of an exchange that is not signed, as the bank writes it.
    let currency: UnsafeRawBufferPointer
    let decimalPlaces: Int

    init(number: DecimalText, currency: UnsafeRawBufferPointer) {
        self.number = number
        self.currency = currency
        decimalPlaces = ShownCurrency.decimalPlaces(currency)
    }

    /// Whether a text is the name of the currency, and nothing else.
    func isCurrency(_ text: UnsafeRawBufferPointer) -> Bool {
        var name = Affix(text)
        name.trim()
        return name.signs == 0 && !name.hasParenthesis
            && (text.elementsEqual(currency) || ShownCurrency.isName(name.text, of: currency))
    }

    /// The contradiction of a text that must state the amount and nothing else. Its whole form is: a sign, digits of
    /// one script, marks between them, and the currency before or after. It must contain nothing else, visible or not.
    ///
    /// - Returns: the faults; and whether the currency is named
    func faults(ofText text: UnsafeRawBufferPointer) -> (Contradictions, isNamed: Bool) {
        guard text.count <= 128, let digits = Self.digits(text) else { return (.amountText, false) }
        var before = Affix(UnsafeRawBufferPointer(rebasing: text[..<digits.lowerBound]))
        var after = Affix(UnsafeRawBufferPointer(rebasing: text[digits.upperBound...]))
        before.trim()
        // `100,-` has no cents.
        after.takeDash()
        after.trim()
        let isRight = FoldedText.with(text.part(digits)) { folded in
            ShownNumber(folded.bytes, at: 0).map { $0.range.upperBound == folded.bytes.count && $0.reads(self) }
                ?? false
        }
        let signs = before.signs &+ after.signs
        let isNegative = before.minuses &+ after.minuses == 1 || before.hasParenthesis && after.hasParenthesis
        guard isRight, signs <= 1, before.hasParenthesis == after.hasParenthesis, isNegative == number.isNegative else {
            return (.amountText, false)
        }
        guard !before.text.isEmpty || !after.text.isEmpty else { return ([], false) }
        let names = before.text.isEmpty ? after.text : before.text
        guard before.text.isEmpty || after.text.isEmpty, isCurrency(names) else { return (.currency, true) }
        return ([], true)
    }

    /// From the first to the last digit, and a point before the first; nil: there is none, or the digits are of several
    /// scripts, or other characters than digits and marks are among them.
    private static func digits(_ text: UnsafeRawBufferPointer) -> Range<Int>? {
        var (first, last): (Int?, Int) = (nil, 0)
        var zero: UInt32 = 0
        var index = 0
        // The end of the last digit.
        var isClosed = false
        while index < text.count {
            let (scalar, length) = Scalars.at(index, text)
            if let digit = Scalars.digit(scalar), scalar < 0xA00 {
                let itsZero = scalar &- UInt32(digit)
                guard !isClosed, first == nil || itsZero == zero else { return nil }
                if first == nil {
                    let hasMark =
                        index > 0 && (text[index &- 1] == UInt8(ascii: ".") || text[index &- 1] == UInt8(ascii: ","))
                    first = hasMark ? index &- 1 : index
                }
                zero = itsZero
                last = index &+ length
            } else if first != nil {
                switch scalar {
                case 0x20, 0xA0, 0x2009, 0x202F, 0x27, 0x2C, 0x2E, 0x066B, 0x066C, 0x2019: break
                default: isClosed = true
                }
            }
            index &+= length
        }
        return first.map { $0..<last }
    }

    /// The text before or after the digits.
    private struct Affix {
        /// The rest: the currency.
        private(set) var text: UnsafeRawBufferPointer
        private(set) var signs = 0
        private(set) var minuses = 0
        private(set) var hasParenthesis = false

        init(_ text: UnsafeRawBufferPointer) { self.text = text }

        /// Takes away signs, spaces, and the marks that right-to-left languages set around an amount, at both ends.
        mutating func trim() {
            while let length = take(Scalars.at(0, text)) { text = UnsafeRawBufferPointer(rebasing: text[length...]) }
            while !text.isEmpty {
                var start = text.count &- 1
                while start > 0, text[start] & 0xC0 == 0x80 { start &-= 1 }
                // `kr.`
                guard take(Scalars.at(start, text)) != nil || text[start] == UInt8(ascii: ".") else { break }
                text = UnsafeRawBufferPointer(rebasing: text[..<start])
            }
        }

        private mutating func take(_ character: (scalar: UInt32, length: Int)) -> Int? {
            guard !text.isEmpty else { return nil }
            switch character.scalar {
            case 0x20, 0xA0, 0x2009, 0x202F, 0x061C, 0x200E, 0x200F: break
            case 0x2B: signs &+= 1
            case 0x2D, 0x2212:
                signs &+= 1
                minuses &+= 1
            case 0x28, 0x29:
                guard !hasParenthesis else { return nil }
                hasParenthesis = true
            default: return nil
            }
            return min(character.length, text.count)
        }

        mutating func takeDash() {
            guard let mark = text.first, mark == UInt8(ascii: ".") || mark == UInt8(ascii: ",") else { return }
            let (scalar, length) = Scalars.at(1, text)
            guard scalar == 0x2D || scalar == 0x2013 || scalar == 0x2014, length < text.count else { return }
            text = UnsafeRawBufferPointer(rebasing: text[(1 &+ length)...])
        }
    }
}
