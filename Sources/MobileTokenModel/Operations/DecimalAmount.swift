// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON

/// A decimal number of a reply, exact: taken from the text of the reply digit by digit, not by way of a `Double`.
///
/// The text keeps the digits that were sent, `10000.50`, without an exponent and without a sign for zero: `1E+3` → `1000`,
/// `1.50e1` → `15.0`, `-0.0` → `0.0`.
/// An exponent beyond ±64 is not written out (a reply of ten bytes must not make megabytes of zeros): such a number keeps
/// the text that it has in the reply.
public struct DecimalAmount: Sendable {
    /// The number for people and for exact arithmetic.
    public let text: String
    /// The nearest `Double`, for convenience. Never compute money with it.
    public let double: Double

    /// The largest exponent that is written out.
    private static let exponentLimit = 64

    init(_ integer: Int64) {
        text = String(integer)
        double = Double(integer)
    }

    init(_ lexeme: JSONNumberLexeme, double: Double) {
        text = Self.text(of: lexeme)
        self.double = double
    }

    private static func text(of lexeme: JSONNumberLexeme) -> String {
        guard let exponent = lexeme.exponent, -exponentLimit...exponentLimit ~= exponent else {
            return String(utf8: lexeme.bytes)
        }
        // The digits are those before the point followed by those after it; `point` is the number of digits before it
        // now.
        let whole = lexeme.integerDigits.count
        let total = whole &+ lexeme.fractionDigits.count
        let point = whole &+ exponent
        func digit(_ index: Int) -> UInt8 {
            guard index >= 0, index < total else { return 0x30 }
            let offset = index < whole ? lexeme.integerDigits.lowerBound : lexeme.fractionDigits.lowerBound &- whole
            return lexeme.bytes[offset &+ index]
        }
        var first = min(0, point &- 1)
        while first < point &- 1, digit(first) == 0x30 { first &+= 1 }
        let end = max(total, point)
        let isZero = !(first..<end).contains { digit($0) != 0x30 }
        let sign = lexeme.isNegative && !isZero ? 1 : 0
        return String(unsafeUninitializedCapacity: sign &+ (end &- first) &+ 1) { buffer in
            var count = 0
            func append(_ byte: UInt8) {
                buffer[count] = byte
                count &+= 1
            }
            if sign == 1 { append(0x2D) }
            for index in first..<point { append(digit(index)) }
            if end > point {
                append(0x2E)
                for index in point..<end { append(digit(index)) }
            }
            return count
        }
    }
}
