/// Reading of escaped JSON strings where they stand.
enum JSONEscapes {
    /// Whether what stands between the quotes of a JSON string means the same bytes as `other`.
    /// `false` for a broken escape and for a lone surrogate.
    static func decoded(_ text: UnsafeRawBufferPointer, equals other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.contains(0x5C) else { return text.elementsEqual(other) }
        var position = 0
        var matched = 0
        while position < text.count {
            var unit = Unit()
            guard next(text, &position, &unit) else { return false }
            for index in 0..<unit.count {
                guard matched < other.count, unit[index] == other[matched] else { return false }
                matched &+= 1
            }
        }
        return matched == other.count
    }

    /// The one to four UTF-8 bytes that one step of decoding yields.
    struct Unit {
        private var packed: UInt32 = 0
        private(set) var count = 0

        subscript(_ index: Int) -> UInt8 {
            UInt8(truncatingIfNeeded: packed &>> UInt32(truncatingIfNeeded: index &* 8))
        }

        mutating func append(_ byte: UInt8) {
            packed |= UInt32(byte) &<< UInt32(truncatingIfNeeded: count &* 8)
            count &+= 1
        }

        mutating func append(scalar: UInt32) {
            switch scalar {
            case ..<0x80:
                append(UInt8(truncatingIfNeeded: scalar))
            case ..<0x800:
                append(0xC0 | UInt8(truncatingIfNeeded: scalar &>> 6))
                append(continuation(scalar))
            case ..<0x10000:
                append(0xE0 | UInt8(truncatingIfNeeded: scalar &>> 12))
                append(continuation(scalar &>> 6))
                append(continuation(scalar))
            default:
                append(0xF0 | UInt8(truncatingIfNeeded: scalar &>> 18))
                append(continuation(scalar &>> 12))
                append(continuation(scalar &>> 6))
                append(continuation(scalar))
            }
        }

        private func continuation(_ bits: UInt32) -> UInt8 { 0x80 | UInt8(truncatingIfNeeded: bits & 0x3F) }
    }

    /// Decodes one byte or one escape at `position` and moves behind it; `false` if the escape is broken.
    static func next(_ text: UnsafeRawBufferPointer, _ position: inout Int, _ unit: inout Unit) -> Bool {
        let byte = text[position]
        position &+= 1
        guard byte == 0x5C else {
            unit.append(byte)
            return true
        }
        guard position < text.count else { return false }
        let letter = text[position]
        position &+= 1
        switch letter {
        case 0x22, 0x5C, 0x2F: unit.append(letter)
        case 0x62: unit.append(0x08)
        case 0x66: unit.append(0x0C)
        case 0x6E: unit.append(0x0A)
        case 0x72: unit.append(0x0D)
        case 0x74: unit.append(0x09)
        case 0x75:
            guard let scalar = scalar(text, &position) else { return false }
            unit.append(scalar: scalar)
        default: return false
        }
        return true
    }

    /// The scalar of `XXXX` or `XXXX\uXXXX` at `position`.
    private static func scalar(_ text: UnsafeRawBufferPointer, _ position: inout Int) -> UInt32? {
        guard let first = hex4(text, &position) else { return nil }
        switch first {
        case 0xD800...0xDBFF:
            guard position &+ 2 <= text.count, text[position] == 0x5C, text[position &+ 1] == 0x75 else { return nil }
            position &+= 2
            guard let second = hex4(text, &position), 0xDC00...0xDFFF ~= second else { return nil }
            return 0x10000 &+ (first & 0x3FF) &<< 10 &+ (second & 0x3FF)
        case 0xDC00...0xDFFF:
            return nil
        default:
            return first
        }
    }

    private static func hex4(_ text: UnsafeRawBufferPointer, _ position: inout Int) -> UInt32? {
        guard position &+ 4 <= text.count else { return nil }
        var value: UInt32 = 0
        for byte in text[position..<(position &+ 4)] {
            let digit: UInt8
            switch byte {
            case 0x30...0x39: digit = byte &- 0x30
            case 0x41...0x46: digit = byte &- 0x41 &+ 10
            case 0x61...0x66: digit = byte &- 0x61 &+ 10
            default: return nil
            }
            value = value &<< 4 | UInt32(digit)
        }
        position &+= 4
        return value
    }
}
