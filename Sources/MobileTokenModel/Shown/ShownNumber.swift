/// A number as people write it, somewhere in a text: digits of any script, grouped with spaces, points, commas or apostrophes.
///
/// How a text is to be read depends on the language: `1,250` is a thousand or a bit more than one. Both readings count where
/// both are possible; what no language writes, like `1.2.3` or `1 0000`, has none, or is two numbers.
struct ShownNumber {
    /// Digits and what parts them.
    let range: Range<Int>
    /// Where the separator of the fraction stands in the reading that has one.
    private let fractionMark: Int
    /// Whether it can be read with a fraction.
    private let readsWithFraction: Bool
    /// Whether it can be read without one.
    private let readsWhole: Bool
    private let text: UnsafeRawBufferPointer

    /// Whether it is a number at all.
    var isReadable: Bool { readsWithFraction || readsWhole }

    /// The number that begins at an offset; nil: none does.
    init?(_ text: UnsafeRawBufferPointer, at start: Int) {
        var shape = Shape()
        var index = start
        let (first, firstLength) = Glyph.at(index, text)
        if Glyph.digit(first) == nil {
            // `.50`
            let next = index &+ firstLength
            guard let mark = Glyph.separator(first), mark.beginsFraction,
                Glyph.digit(Glyph.at(next, text).scalar) != nil
            else { return nil }
            shape.close(with: mark, at: index)
            index = next
        }
        var end = index
        while index < text.count {
            let (scalar, length) = Glyph.at(index, text)
            if let digit = Glyph.digit(scalar) {
                shape.add(digit)
                index &+= length
                end = index
            } else if Glyph.isInvisible(scalar) {
                index &+= length
            } else if let separator = Glyph.separator(scalar) {
                let next = Glyph.skipInvisible(index &+ length, text)
                guard Glyph.digit(Glyph.at(next, text).scalar) != nil else { break }
                if separator == .space {
                    guard shape.mayGoOnAfterSpace, Self.isGroup(text, at: next) else { break }
                }
                shape.close(with: separator, at: index)
                index = next
            } else {
                break
            }
        }
        self.text = text
        range = start..<end
        fractionMark = shape.lastAt
        readsWhole = shape.readsWhole
        readsWithFraction = shape.readsWithFraction
    }

    /// Whether exactly three digits stand there.
    private static func isGroup(_ text: UnsafeRawBufferPointer, at start: Int) -> Bool {
        var index = start
        var count = 0
        while count < 4, index < text.count {
            let (scalar, length) = Glyph.at(index, text)
            guard Glyph.digit(scalar) != nil else { break }
            count &+= 1
            index &+= length
        }
        return count == 3
    }

    /// Whether one of its readings is this number, whatever the sign.
    func reads(_ number: DecimalText) -> Bool {
        (readsWhole && equals(number, fractionAt: range.upperBound))
            || (readsWithFraction && equals(number, fractionAt: fractionMark))
    }

    private func equals(_ number: DecimalText, fractionAt mark: Int) -> Bool {
        let (integer, fraction) = (number.integerDigits, number.fractionDigits)
        var count = 0
        var index = range.lowerBound
        while index < range.upperBound {
            let (scalar, length) = Glyph.at(index, text)
            if index == mark {
                guard count == integer.count else { return false }
                count = 0
            }
            if let digit = Glyph.digit(scalar) {
                if index < mark {
                    if count > 0 || digit != 0 {
                        guard count < integer.count, integer[count] == digit &+ 0x30 else { return false }
                        count &+= 1
                    }
                } else {
                    guard (count < fraction.count ? fraction[count] : 0x30) == digit &+ 0x30 else { return false }
                    count &+= 1
                }
            }
            index &+= length
        }
        return mark < range.upperBound ? count >= fraction.count : count == integer.count && fraction.isEmpty
    }

    /// How the digits are parted.
    private struct Shape {
        /// Digits since the last separator.
        private var length = 0
        private var startsWithZero = false
        private var firstLength = 0
        private var separators = 0
        private var last: Glyph.Separator?
        private(set) var lastAt = 0
        /// The separator of the groups before the last one; they all have the same.
        private var grouping: Glyph.Separator?
        private var isMixed = false
        /// Groups after the first and before the last, of two, three and another number of digits.
        private var (twos, threes, others) = (0, 0, 0)
        private var lastClosed = 0

        package mutating func add(_ digit: UInt8) {
            if separators == 0, length == 0 { startsWithZero = digit == 0 }
            length &+= 1
        }

        mutating func close(with separator: Glyph.Separator, at offset: Int) {
            if separators == 0 {
                firstLength = length
            } else {
                switch length {
                case 2: twos &+= 1
                case 3: threes &+= 1
                default: others &+= 1
                }
                if let grouping, grouping != last { isMixed = true }
                grouping = last
            }
            lastClosed = length
            separators &+= 1
            last = separator
            lastAt = offset
            length = 0
        }

        /// A space goes on with a number only between groups of three.
        var mayGoOnAfterSpace: Bool {
            separators == 0 ? 1...3 ~= length && !startsWithZero : last == .space && length == 3
        }

        private var startsAsGroups: Bool { 1...3 ~= firstLength && !startsWithZero && others == 0 && !isMixed }

        var readsWhole: Bool {
            guard let last else { return true }
            return last.groups && (grouping ?? last) == last && startsAsGroups && length == 3
                && (twos == 0 || threes == 0)
        }

        var readsWithFraction: Bool {
            guard let last, last.beginsFraction else { return false }
            guard separators > 1 else { return true }
            guard let grouping, grouping.groups, grouping != last else { return false }
            return startsAsGroups && lastClosed == 3 && (twos == 0 || threes == 1)
        }
    }
}
