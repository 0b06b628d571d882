/// A JSON number as it is written: `-12.50e+3` taken apart, nothing computed with floating point.
public struct JSONNumberLexeme {
    /// The text of the number.
    public let bytes: UnsafeRawBufferPointer
    /// Whether it begins with `-`.
    public let isNegative: Bool
    /// Where the digits before the point stand.
    public let integerDigits: Range<Int>
    /// Where the digits after the point stand; empty if there is no point.
    public let fractionDigits: Range<Int>
    /// The number after `e` or `E`, 0 if there is none; `nil` if it is beyond ±1,000,000,000.
    public let exponent: Int?
    /// Whether it has neither point nor exponent.
    public let isInteger: Bool

    /// Takes a number apart; `nil` if the bytes are not exactly one JSON number (RFC 8259 §6).
    public init?(_ bytes: UnsafeRawBufferPointer) {
        var index = 0
        func digits() -> Range<Int> {
            let start = index
            while index < bytes.count, JSONReader.isDigit(bytes[index]) { index &+= 1 }
            return start..<index
        }
        isNegative = bytes.first == 0x2D
        if isNegative { index = 1 }
        integerDigits = digits()
        guard let leading = bytes[integerDigits].first, integerDigits.count == 1 || leading != 0x30 else { return nil }
        var plain = true
        if index < bytes.count, bytes[index] == 0x2E {
            index &+= 1
            plain = false
            fractionDigits = digits()
            guard !fractionDigits.isEmpty else { return nil }
        } else {
            fractionDigits = index..<index
        }
        if index < bytes.count, bytes[index] | 0x20 == 0x65 {
            index &+= 1
            plain = false
            let negative = index < bytes.count && bytes[index] == 0x2D
            if negative || (index < bytes.count && bytes[index] == 0x2B) { index &+= 1 }
            let written = digits()
            guard !written.isEmpty else { return nil }
            var value: Int? = 0
            for digit in bytes[written] {
                guard let sum = value else { break }
                let next = sum &* 10 &+ Int(digit &- 0x30)
                value = next > 1_000_000_000 ? nil : next
            }
            exponent = value.map { negative ? 0 &- $0 : $0 }
        } else {
            exponent = 0
        }
        guard index == bytes.count else { return nil }
        isInteger = plain
        self.bytes = bytes
    }
}
