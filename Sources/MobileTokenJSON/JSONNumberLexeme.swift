// SPDX-License-Identifier: Apache-2.0
/// A JSON number as it is written: `-12.50e+3` taken apart, nothing computed with floating point.
public struct JSONNumberLexeme {
    /// The text of the number.
    public let bytes: UnsafeRawBufferPointer
    /// Whether it begins with `-`.
    public let isNegative: Bool
    /// The range of the digits before the point.
    public let integerDigits: Range<Int>
    /// The range of the digits after the point; empty if there is no point.
    public let fractionDigits: Range<Int>
    /// The number after `e` or `E`, 0 if there is none; `nil` if it is beyond ±1,000,000,000.
    public let exponent: Int?

    /// Takes a number apart that was read: the grammar is the reader's.
    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        isNegative = bytes.first == 0x2D
        integerDigits = Self.digits(bytes, from: isNegative ? 1 : 0)
        var end = integerDigits.upperBound
        let hasPoint = end < bytes.count && bytes[end] == 0x2E
        fractionDigits = hasPoint ? Self.digits(bytes, from: end &+ 1) : end..<end
        end = fractionDigits.upperBound
        // The rest is `e`, an optional sign, and digits.
        let sign = end &+ 1 < bytes.count ? bytes[end &+ 1] : 0
        var value: Int? = 0
        for digit in bytes[min(bytes.count, end &+ 1)...] where JSONReader.isDigit(digit) {
            guard let sum = value else { break }
            let next = sum &* 10 &+ Int(digit &- 0x30)
            value = next > 1_000_000_000 ? nil : next
        }
        exponent = value.map { sign == 0x2D ? 0 &- $0 : $0 }
    }

    private static func digits(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Range<Int> {
        var end = start
        while end < bytes.count, JSONReader.isDigit(bytes[end]) { end &+= 1 }
        return start..<end
    }
}
