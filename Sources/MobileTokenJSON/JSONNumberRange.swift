/// Rewrites, in place and without changing the length of the text, the numbers that Jansson cannot hold.
///
/// - An integer outside `Int64` becomes a real with its first 17 digits: `12345678901234567890` → `12345678901234567e3 `.
/// - A number outside `Double` becomes `null`.
enum JSONNumberRange {
    /// The digits that a `Double` can tell apart.
    private static let significantDigits = 17

    /// Goes through the numbers of a text, skipping strings.
    static func rewriteOutliers(in text: UnsafeMutableRawBufferPointer) {
        let scanner = JSONScanner(UnsafeRawBufferPointer(text))
        var index = 0
        while let byte = scanner.byte(at: index) {
            if byte == 0x22 {
                guard let quote = scanner.endOfString(index &+ 1) else { return }
                index = quote &+ 1
            } else if byte == 0x2D || isDigit(byte) {
                guard let end = scanner.endOfValue(index) else { return }
                rewrite(UnsafeMutableRawBufferPointer(rebasing: text[index..<end]))
                index = end
            } else {
                index &+= 1
            }
        }
    }

    private static func rewrite(_ number: UnsafeMutableRawBufferPointer) {
        let lexeme = JSONNumberLexeme(UnsafeRawBufferPointer(number))
        guard let lexeme else { return }
        if lexeme.exceedsDouble {
            fill(number, with: "null")
        } else if lexeme.isInteger, lexeme.exceedsInt64 {
            approximate(number, lexeme)
        }
    }

    /// Keeps the sign and the first digits of an integer of at least 19 digits, and gives the rest as an exponent.
    private static func approximate(_ number: UnsafeMutableRawBufferPointer, _ lexeme: JSONNumberLexeme) {
        let digits = lexeme.integerDigits
        let dropped = digits.count &- significantDigits
        guard dropped > 0 else { return }
        var position = digits.lowerBound &+ significantDigits
        var exponent: [UInt8] = [0x65]
        exponent.append(contentsOf: String(dropped).utf8)
        // 19 digits leave room for "e2"; 27 for "e10"; 117 for "e100".
        guard exponent.count <= dropped else { return }
        for byte in exponent {
            number[position] = byte
            position &+= 1
        }
        while position < number.count {
            number[position] = 0x20
            position &+= 1
        }
    }

    private static func fill(_ number: UnsafeMutableRawBufferPointer, with word: StaticString) {
        guard word.utf8CodeUnitCount <= number.count else { return }
        for index in 0..<number.count {
            number[index] = index < word.utf8CodeUnitCount ? word.utf8Start[index] : 0x20
        }
    }

    static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
}
