// SPDX-License-Identifier: Apache-2.0
/// A decimal number as it is written in operation data, `-?(digits[.digits] | .digits)`, without redundant zeros.
///
/// No floating point takes part, so that an amount is shown as it was signed.
package struct DecimalText {
    private let digits: UnsafeRawBufferPointer
    /// Whether it is below zero.
    package let isNegative: Bool
    /// The range of the integer part, without leading zeros; may be empty.
    private let integer: Range<Int>
    /// The range of the fraction, without trailing zeros; may be empty.
    private let fraction: Range<Int>

    /// - Returns: nil when the text is not a number of this form
    package init?(_ text: UnsafeRawBufferPointer) {
        let sign = text.first == UInt8(ascii: "-") ? 1 : 0
        var index = sign
        let integerEnd = Self.endOfDigits(text, index)
        var start = index
        while start < integerEnd, text[start] == UInt8(ascii: "0") { start &+= 1 }
        let integer = start..<integerEnd
        let hasInteger = integerEnd > index
        index = integerEnd
        var fraction = index..<index
        if index < text.count {
            guard text[index] == UInt8(ascii: ".") else { return nil }
            var end = Self.endOfDigits(text, index &+ 1)
            guard end == text.count, end > index &+ 1 else { return nil }
            while end > index &+ 1, text[end &- 1] == UInt8(ascii: "0") { end &-= 1 }
            fraction = (index &+ 1)..<end
        } else if !hasInteger {
            return nil
        }
        self.digits = text
        self.integer = integer
        self.fraction = fraction
        isNegative = sign == 1 && !(integer.isEmpty && fraction.isEmpty)
    }

    private static func endOfDigits(_ text: UnsafeRawBufferPointer, _ start: Int) -> Int {
        var index = start
        while index < text.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[index]) { index &+= 1 }
        return index
    }

    /// The digits before the point, without leading zeros.
    var integerDigits: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: digits[integer]) }

    /// The digits after the point, without trailing zeros.
    var fractionDigits: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: digits[fraction]) }

    /// Whether two texts are the same number.
    func equals(_ other: DecimalText) -> Bool {
        isNegative == other.isNegative && integerDigits.elementsEqual(other.integerDigits)
            && fractionDigits.elementsEqual(other.fractionDigits)
    }

    /// The longest that `write` makes of a text with `count` bytes.
    package static func maximumLength(_ count: Int) -> Int { count &+ 1 }

    /// Writes the number: `-0.5`, `100`, `0`.
    ///
    /// - Returns: how many bytes were written
    package func write(into output: UnsafeMutableRawPointer) -> Int {
        var count = 0
        func put(_ byte: UInt8) {
            output.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
            count &+= 1
        }
        if isNegative { put(UInt8(ascii: "-")) }
        if integer.isEmpty { put(UInt8(ascii: "0")) }
        for index in integer { put(digits[index]) }
        if !fraction.isEmpty {
            put(UInt8(ascii: "."))
            for index in fraction { put(digits[index]) }
        }
        return count
    }

    /// The number as text.
    package var text: String {
        String(unsafeUninitializedCapacity: Self.maximumLength(digits.count)) { buffer in
            guard let base = buffer.baseAddress else { return 0 }
            return write(into: UnsafeMutableRawPointer(base))
        }
    }
}
