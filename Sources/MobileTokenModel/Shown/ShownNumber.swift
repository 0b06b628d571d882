// SPDX-License-Identifier: Apache-2.0
/// A number as people write it, in a text that is folded: grouped with spaces, points, commas or apostrophes.
///
/// How a text is to be read depends on the language: `1,250` is a thousand or a bit more than one, which the currency
/// may decide. A form that no language uses, like `1.2.3` or `1 0000`, has no reading, or is two numbers.
struct ShownNumber {
    /// Digits and what parts them.
    let range: Range<Int>
    /// Digits alone.
    let isPlain: Bool
    /// The position of the decimal mark in the reading that has one.
    private let mark: Int
    private let readsWithFraction: Bool
    private let readsWhole: Bool
    /// A single point or comma, and three digits behind it: both readings are usual.
    private let isAmbiguous: Bool
    private let text: UnsafeRawBufferPointer

    /// The number that begins at an offset; nil: none does.
    init?(_ text: UnsafeRawBufferPointer, at start: Int) {
        guard start < text.count else { return nil }
        var shape = Shape()
        var index = start
        if text[index] == UInt8(ascii: ".") || text[index] == UInt8(ascii: ",") {
            shape.close(with: text[index], at: index)
            index &+= 1
        }
        guard Self.isDigit(text, index) else { return nil }
        reading: while index < text.count {
            let byte = text[index]
            switch byte {
            case 0x30...0x39: shape.add(byte)
            case FoldedText.odd: shape.isOdd = true
            case UInt8(ascii: " ") where shape.mayGoOnAfterSpace && Self.isGroup(text, at: index &+ 1),
                UInt8(ascii: ".") where Self.isDigit(text, index &+ 1),
                UInt8(ascii: ",") where Self.isDigit(text, index &+ 1),
                UInt8(ascii: "'") where Self.isDigit(text, index &+ 1):
                shape.close(with: byte, at: index)
            default: break reading
            }
            index &+= 1
        }
        self.text = text
        range = start..<index
        isPlain = shape.isPlain
        mark = shape.lastAt
        readsWhole = shape.readsWhole
        readsWithFraction = shape.readsWithFraction
        isAmbiguous = shape.isAmbiguous
    }

    static func isDigit(_ text: UnsafeRawBufferPointer, _ index: Int) -> Bool {
        index >= 0 && index < text.count && 0x30...0x39 ~= text[index]
    }

    /// Whether there are exactly three digits.
    private static func isGroup(_ text: UnsafeRawBufferPointer, at start: Int) -> Bool {
        isDigit(text, start) && isDigit(text, start &+ 1) && isDigit(text, start &+ 2) && !isDigit(text, start &+ 3)
    }

    /// Whether it is this number of a currency, whatever the sign.
    func reads(_ amount: SignedAmount) -> Bool {
        let (number, places) = (amount.number, amount.decimalPlaces)
        if readsWhole, !isAmbiguous || places == 0, equals(number, fractionAt: range.upperBound) { return true }
        guard readsWithFraction, !isAmbiguous || places == 3 || number.fractionDigits.count == 3 else { return false }
        return equals(number, fractionAt: mark)
    }

    private func equals(_ number: DecimalText, fractionAt mark: Int) -> Bool {
        let (integer, fraction) = (number.integerDigits, number.fractionDigits)
        var count = 0
        for index in range {
            if index == mark {
                guard count == integer.count else { return false }
                count = 0
            }
            let digit = text[index]
            guard 0x30...0x39 ~= digit else { continue }
            if index < mark {
                guard count > 0 || digit != 0x30 else { continue }
                guard count < integer.count, integer[count] == digit else { return false }
            } else {
                guard (count < fraction.count ? fraction[count] : 0x30) == digit else { return false }
            }
            count &+= 1
        }
        return mark < range.upperBound ? count >= fraction.count : count == integer.count && fraction.isEmpty
    }

    /// How the digits are parted.
    private struct Shape {
        var isOdd = false
        private(set) var lastAt = 0
        /// Digits since the last separator.
        private var length = 0
        private var startsWithZero = false
        private var firstLength = 0
        private var separators = 0
        private var last: UInt8 = 0
        /// The separator of the groups before the last one; they all have the same.
        private var grouping: UInt8 = 0
        private var isMixed = false
        /// Groups after the first and before the last, of two, three and another number of digits.
        private var (twos, threes, others) = (0, 0, 0)
        private var lastClosed = 0

        mutating func add(_ digit: UInt8) {
            if separators == 0, length == 0 { startsWithZero = digit == 0x30 }
            length &+= 1
        }

        mutating func close(with separator: UInt8, at offset: Int) {
            if separators == 0 {
                firstLength = length
            } else {
                switch length {
                case 2: twos &+= 1
                case 3: threes &+= 1
                default: others &+= 1
                }
                if grouping != 0, grouping != last { isMixed = true }
                grouping = last
            }
            lastClosed = length
            separators &+= 1
            (last, lastAt, length) = (separator, offset, 0)
        }

        /// A space continues a number only between groups of three.
        var mayGoOnAfterSpace: Bool {
            separators == 0 ? 1...3 ~= length && !startsWithZero : last == UInt8(ascii: " ") && length == 3
        }

        var isPlain: Bool { separators == 0 && !isOdd }
        private var lastBeginsFraction: Bool { last == UInt8(ascii: ".") || last == UInt8(ascii: ",") }
        var isAmbiguous: Bool { separators == 1 && lastBeginsFraction && length == 3 && startsAsGroups }
        private var startsAsGroups: Bool { 1...3 ~= firstLength && !startsWithZero && others == 0 && !isMixed }

        var readsWhole: Bool {
            guard !isOdd else { return false }
            guard separators > 0 else { return true }
            return (grouping == 0 || grouping == last) && startsAsGroups && length == 3 && (twos == 0 || threes == 0)
        }

        var readsWithFraction: Bool {
            guard !isOdd, lastBeginsFraction else { return false }
            guard separators > 1 else { return true }
            return grouping != last && startsAsGroups && lastClosed == 3 && (twos == 0 || threes == 1)
        }
    }
}
