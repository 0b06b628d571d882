/// What the characters of a text are to somebody who reads amounts and accounts in it. Total on any bytes.
enum Glyph {
    /// What parts the digits of a number.
    enum Separator: UInt8 {
        case space, point, comma, apostrophe, arabicMark, arabicGroup, middleDot

        /// Whether it may stand between groups of digits.
        var groups: Bool { self != .arabicMark }
        /// Whether a fraction may follow it.
        var beginsFraction: Bool {
            switch self {
            case .point, .comma, .arabicMark, .middleDot: true
            case .space, .apostrophe, .arabicGroup: false
            }
        }
    }

    /// The character at an offset and its length in bytes, at least 1; U+0000 at the end.
    @inline(__always)
    static func at(_ index: Int, _ text: UnsafeRawBufferPointer) -> (scalar: UInt32, length: Int) {
        guard index >= 0, index < text.count else { return (0, 1) }
        let lead = UInt32(text[index])
        if lead < 0xC0 { return (lead, 1) }
        let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
        guard index &+ length <= text.count else { return (lead, 1) }
        var value = lead & (0x7F &>> UInt32(length))
        for offset in 1..<length { value = value &<< 6 | UInt32(text[index &+ offset] & 0x3F) }
        return (value, length)
    }

    /// The character that ends right before an offset; U+0000 at the beginning.
    static func before(_ index: Int, _ text: UnsafeRawBufferPointer) -> UInt32 {
        var start = index &- 1
        var steps = 0
        while start > 0, steps < 3, start < text.count, text[start] & 0xC0 == 0x80 {
            start &-= 1
            steps &+= 1
        }
        return start < 0 ? 0 : at(start, text).scalar
    }

    /// The value of a decimal digit of any of the scripts that number formats use.
    static func digit(_ scalar: UInt32) -> UInt8? {
        if scalar < 0x80 { return 0x30...0x39 ~= scalar ? UInt8(truncatingIfNeeded: scalar &- 0x30) : nil }
        if 0x1D7CE...0x1D7FF ~= scalar { return UInt8(truncatingIfNeeded: (scalar &- 0x1D7CE) % 10) }
        let zero: UInt32
        switch scalar {
        case 0x0660...0x0669: zero = 0x0660
        case 0x06F0...0x06F9: zero = 0x06F0
        case 0x0966...0x096F: zero = 0x0966
        case 0x09E6...0x09EF: zero = 0x09E6
        case 0x0A66...0x0A6F: zero = 0x0A66
        case 0x0AE6...0x0AEF: zero = 0x0AE6
        case 0x0B66...0x0B6F: zero = 0x0B66
        case 0x0BE6...0x0BEF: zero = 0x0BE6
        case 0x0C66...0x0C6F: zero = 0x0C66
        case 0x0CE6...0x0CEF: zero = 0x0CE6
        case 0x0D66...0x0D6F: zero = 0x0D66
        case 0x0E50...0x0E59: zero = 0x0E50
        case 0x0ED0...0x0ED9: zero = 0x0ED0
        case 0x0F20...0x0F29: zero = 0x0F20
        case 0x1040...0x1049: zero = 0x1040
        case 0x17E0...0x17E9: zero = 0x17E0
        case 0x1810...0x1819: zero = 0x1810
        case 0xFF10...0xFF19: zero = 0xFF10
        default: return nil
        }
        return UInt8(truncatingIfNeeded: scalar &- zero)
    }

    /// A digit that no number format writes: raised, lowered, circled. Or a mark on the digit before it, like a stroke.
    static func isOddDigit(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0xB2, 0xB3, 0xB9, 0xBC...0xBE, 0x0300...0x036F, 0x2070...0x209C, 0x20D0...0x20FF, 0x2150...0x218B,
            0x2460...0x249B, 0x24EA...0x24FF, 0x2776...0x2793, 0x3220...0x3229, 0x3280...0x3289, 0x1F100...0x1F10C:
            true
        default: false
        }
    }

    /// A space within a line.
    static func isSpace(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x20, 0x09, 0xA0, 0x1680, 0x2000...0x200A, 0x202F, 0x205F, 0x3000: true
        default: false
        }
    }

    /// What nobody sees: joiners, marks of direction, variations.
    static func isInvisible(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0xAD, 0x061C, 0x180B...0x180E, 0x200B...0x200F, 0x2060...0x2069, 0xFE00...0xFE0F, 0xFEFF: true
        default: false
        }
    }

    /// What makes a text be shown in another order than it is written.
    static func turnsText(_ scalar: UInt32) -> Bool { 0x202A...0x202E ~= scalar }

    /// What parts the digits of numbers; a space only within a line.
    static func separator(_ scalar: UInt32) -> Separator? {
        switch scalar {
        case 0x2E, 0xFF0E: .point
        case 0x2C, 0xFF0C: .comma
        case 0x27, 0x2018, 0x2019, 0x02BC, 0x60, 0xB4: .apostrophe
        case 0x066B: .arabicMark
        case 0x066C: .arabicGroup
        case 0xB7: .middleDot
        case 0x09: nil
        default: isSpace(scalar) ? .space : nil
        }
    }

    /// A sign that turns a number negative.
    static func isMinus(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x2D, 0x2010...0x2014, 0x2212, 0xFE63, 0xFF0D: true
        default: false
        }
    }

    /// A letter or a digit, of any script.
    static func isWord(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case 0...0xBF, 0xD7, 0xF7, 0x1680, 0x2000...0x2BFF, 0x3000...0x303F, 0xFE00...0xFE0F, 0xFDFC, 0xFEFF, 0xFF04,
            0xFF0C...0xFF0E, 0xFFE0...0xFFE6:
            false
        default: !isInvisible(scalar)
        }
    }

    /// Where the next character stands that can be seen and is no space.
    static func skipSpaces(_ index: Int, _ text: UnsafeRawBufferPointer, atMost limit: Int = .max) -> Int {
        var index = index
        var count = 0
        while index < text.count {
            let (scalar, length) = at(index, text)
            if isSpace(scalar) {
                count &+= 1
                if count > limit { return index }
            } else if !isInvisible(scalar) {
                return index
            }
            index &+= length
        }
        return index
    }

    /// Where the next character stands that can be seen.
    static func skipInvisible(_ index: Int, _ text: UnsafeRawBufferPointer) -> Int {
        var index = index
        while index < text.count {
            let (scalar, length) = at(index, text)
            guard isInvisible(scalar) else { return index }
            index &+= length
        }
        return index
    }

    /// Whether a text may hold a digit: one quick pass.
    static func mayHoldDigits(_ text: UnsafeRawBufferPointer) -> Bool {
        // The first digits beyond ASCII begin with the byte 0xD9.
        for byte in text where 0x30...0x39 ~= byte || byte >= 0xD9 { return true }
        return false
    }
}
