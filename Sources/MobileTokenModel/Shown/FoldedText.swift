// SPDX-License-Identifier: Apache-2.0
import MobileTokenJSON

/// Texts as they look: their letters and digits in ASCII, whatever style or look-alike script they are of (UTS 39), in lines. Marks
/// on letters, invisible characters and markup are removed; other letters stay as they are. Defined for any bytes.
struct FoldedText {
    /// Lent, like the memory that holds them.
    let bytes: UnsafeRawBufferPointer
    /// A character makes the text be drawn in another order than it is written (UAX 9).
    let isTurned: Bool
    /// Where the last line that was added begins.
    let lastStart: Int

    /// Stands in or before a number that is not to be read: with raised digits, strokes, or something unseen among its digits.
    static let odd: UInt8 = 1

    /// Whether it contains a digit, or a letter that may be read as one after a decimal mark.
    var mayHoldNumber: Bool {
        var isMark = false
        for byte in bytes {
            switch byte {
            case 0x30...0x39: return true
            case UInt8(ascii: "O"), UInt8(ascii: "o"), UInt8(ascii: "l"), UInt8(ascii: "I"): if isMark { return true }
            default: break
            }
            isMark = byte == UInt8(ascii: ".") || byte == UInt8(ascii: ",")
        }
        return false
    }

    /// Lends one text, folded.
    static func with<R>(_ text: UnsafeRawBufferPointer, _ body: (FoldedText) -> R) -> R {
        var lines = Lines()
        lines.add(text)
        return with(lines, body)
    }

    /// Lends texts, folded, each as a line of its own.
    static func with<R>(_ texts: Lines, _ body: (FoldedText) -> R) -> R {
        // A byte that begins no character may become a digit and what says that it is odd.
        withUnsafeTemporaryAllocation(byteCount: 2 &* texts.length &+ Lines.most, alignment: 8) { memory in
            var folding = Folding(memory)
            var lastStart = 0
            for line in 0..<texts.count {
                if folding.count > 0 { folding.append(0x0A) }
                lastStart = folding.count
                folding.add(texts[line])
            }
            return body(FoldedText(bytes: folding.bytes, isTurned: folding.isTurned, lastStart: lastStart))
        }
    }

    /// A few texts that are read together.
    struct Lines {
        /// The most that they are.
        static let most = 3

        private var texts = InlineArray<3, UnsafeRawBufferPointer>(
            repeating: UnsafeRawBufferPointer(start: nil, count: 0))
        private(set) var count = 0
        /// The length of all.
        private(set) var length = 0

        /// How much a reader has to look through: a line counts as 64 bytes.
        var cost: Int {
            guard length > 64 else { return length }
            var cost = length
            for line in 0..<count { cost &+= 63 &* texts[line].count(where: { $0 == 0x0A }) }
            return cost
        }

        subscript(_ line: Int) -> UnsafeRawBufferPointer { texts[line] }

        mutating func add(_ text: JSONText?) {
            if let text { add(UnsafeRawBufferPointer(start: text.base, count: text.count)) }
        }

        /// One more than the most changes nothing.
        mutating func add(_ text: UnsafeRawBufferPointer) {
            guard count < Self.most else { return }
            texts[count] = text
            count &+= 1
            length &+= text.count
        }
    }
}

/// Folds texts into memory that has room for them.
private struct Folding {
    private let memory: UnsafeMutableRawBufferPointer
    private(set) var count = 0
    private(set) var isTurned = false
    /// An invisible character precedes it.
    private var hidesSomething = false

    init(_ memory: UnsafeMutableRawBufferPointer) { self.memory = memory }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

    mutating func append(_ byte: UInt8) {
        memory[count] = byte
        count &+= 1
    }

    private var last: UInt8? { count > 0 ? memory[count &- 1] : nil }

    mutating func add(_ text: UnsafeRawBufferPointer) {
        var index = 0
        while index < text.count {
            let byte = text[index]
            if byte >= 0x80 {
                let (scalar, length) = Scalars.at(index, text)
                add(scalar, UnsafeRawBufferPointer(rebasing: text[index..<min(index &+ length, text.count)]))
                index &+= length
                continue
            }
            index &+= 1
            switch byte {
            case 0x30...0x39: add(digit: byte)
            case 0x0A, 0x0D: append(0x0A)
            case 0...0x20, 0x7F: append(0x20)
            case UInt8(ascii: "<"), UInt8(ascii: "&"):
                index = Self.endOfMarkup(text, at: index &- 1) ?? index
                append(0x20)
            case UInt8(ascii: "\""), UInt8(ascii: "#"), UInt8(ascii: "*"), UInt8(ascii: ">"), UInt8(ascii: "["),
                UInt8(ascii: "]"), UInt8(ascii: "_"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"),
                UInt8(ascii: "~"):
                append(0x20)
            case UInt8(ascii: "`"): append(UInt8(ascii: "'"))
            default: append(byte)
            }
        }
    }

    /// The end of a tag or of a character reference; nil: none begins there.
    private static func endOfMarkup(_ text: UnsafeRawBufferPointer, at start: Int) -> Int? {
        let isTag = text[start] == UInt8(ascii: "<")
        let last = UInt8(ascii: isTag ? ">" : ";")
        let limit = min(text.count, start &+ (isTag ? 256 : 12))
        var index = start &+ 1
        guard index < limit, isTag ? text[index] > 0x20 && !(0x30...0x39 ~= text[index]) : true else { return nil }
        while index < limit {
            if text[index] == last { return index &+ 1 }
            if !isTag, !(0x23...0x7A ~= text[index]) { return nil }
            index &+= 1
        }
        return nil
    }

    private mutating func add(digit: UInt8) {
        if hidesSomething, let last, last <= 0x39, last != 0x0A { append(FoldedText.odd) }
        hidesSomething = false
        append(digit)
    }

    private mutating func add(_ scalar: UInt32, _ written: UnsafeRawBufferPointer) {
        if Scalars.isUnseen(scalar) {
            hidesSomething = true
            if 0x202A...0x202E ~= scalar || 0x2066...0x2069 ~= scalar { isTurned = true }
        } else if Scalars.isMark(scalar) {
            if let last, 0x30...0x39 ~= last { append(FoldedText.odd) }
        } else if let digit = Scalars.digit(scalar) {
            add(digit: digit &+ 0x30)
        } else if Scalars.isOddDigit(scalar) {
            append(0x30)
            append(FoldedText.odd)
        } else {
            switch Scalars.inASCII(scalar) {
            case Scalars.itself: for byte in written { append(byte) }
            case let byte: append(byte)
            }
        }
    }
}

/// The characters of Unicode, as far as amounts and accounts are concerned.
enum Scalars {
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

    /// The value of a decimal digit of any script.
    static func digit(_ scalar: UInt32) -> UInt8? {
        if 0x1D7CE...0x1D7FF ~= scalar { return UInt8(truncatingIfNeeded: (scalar &- 0x1D7CE) % 10) }
        let zeros: InlineArray<37, UInt16> = [
            0x30, 0x660, 0x6F0, 0x7C0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66, 0xBE6, 0xC66, 0xCE6, 0xD66, 0xDE6, 0xE50,
            0xED0, 0xF20, 0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90, 0x1B50, 0x1BB0, 0x1C40,
            0x1C50, 0xA620, 0xA8D0, 0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0, 0xFF10,
        ]
        for index in zeros.indices {
            let zero = UInt32(zeros[index])
            if scalar < zero { return nil }
            if scalar < zero &+ 10 { return UInt8(truncatingIfNeeded: scalar &- zero) }
        }
        return nil
    }

    /// A digit that no number is written with: raised, lowered, circled, a fraction.
    static func isOddDigit(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0xB2, 0xB3, 0xB9, 0xBC...0xBE, 0x2070, 0x2074...0x2079, 0x2080...0x2089, 0x2150...0x215F, 0x2189,
            0x2460...0x249B, 0x24EA...0x24FF, 0x2776...0x2793, 0x3220...0x3229, 0x3280...0x3289, 0x1F100...0x1F10C:
            true
        default: false
        }
    }

    /// Invisible characters: joiners, bidirectional marks and controls, fillers, variations, tags.
    static func isUnseen(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0xAD, 0x034F, 0x061C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B...0x180F, 0x200B...0x200F, 0x202A...0x202E,
            0x2060...0x206F, 0x3164, 0xFE00...0xFE0F, 0xFEFF, 0xFFA0, 0xFFF0...0xFFFB, 0x1BCA0...0x1BCA3,
            0x1D173...0x1D17A, 0xE0000...0xE0FFF:
            true
        default: false
        }
    }

    /// A mark on the character before it.
    static func isMark(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x0300...0x036F, 0x0483...0x0489, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
        default: false
        }
    }

    /// A sign of a currency.
    static func isCurrency(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x24, 0xA2...0xA5, 0x058F, 0x060B, 0x07FE, 0x07FF, 0x09F2, 0x09F3, 0x09FB, 0x0AF1, 0x0BF9, 0x0E3F, 0x17DB,
            0x20A0...0x20CF, 0xA838, 0xFDFC, 0xFFE0, 0xFFE1, 0xFFE5, 0xFFE6, 0x11FDD...0x11FE0, 0x1E2FF, 0x1ECB0:
            true
        default: false
        }
    }

    /// A letter of a script that has no spaces between words.
    static func isIdeograph(_ scalar: UInt32) -> Bool { 0x3040...0x9FFF ~= scalar || 0xAC00...0xD7AF ~= scalar }

    /// Stands for a character that stays as it is.
    static let itself = UInt8(ascii: "?")

    /// The look-alike of a character in ASCII; a space for one that is not a letter.
    static func inASCII(_ scalar: UInt32) -> UInt8 {
        if isCurrency(scalar) { return itself }
        switch scalar {
        case 0xFF01...0xFF5E: return UInt8(truncatingIfNeeded: scalar &- 0xFEE0)
        case 0x1D400...0x1D6A3: return letter((scalar &- 0x1D400) % 52)
        case 0x1D6A8...0x1D7CB:
            // Alphabets of 58 Greek letters.
            let place = (scalar &- 0x1D6A8) % 58
            return inASCII(place < 25 ? 0x391 &+ place : place > 25 && place < 51 ? 0x3B1 &+ place &- 26 : 0x3B5)
        case 0x249C...0x24B5: return letter(scalar &- 0x249C &+ 26)
        case 0x24B6...0x24E9: return letter(scalar &- 0x24B6)
        case 0x1F110...0x1F1AA where (scalar &- 0x1F110) % 32 < 26: return letter((scalar &- 0x1F110) % 32)
        case 0x1F1E6...0x1F1FF: return letter(scalar &- 0x1F1E6)
        case 0x066B: return UInt8(ascii: ".")
        case 0x066C, 0x2018, 0x2019, 0x02BC, 0x2032: return UInt8(ascii: "'")
        case 0x201A, 0x060C: return UInt8(ascii: ",")
        case 0x2024, 0xFE52: return UInt8(ascii: ".")
        case 0xFE69: return UInt8(ascii: "$")
        case 0x2010...0x2015, 0x2212, 0xFE58, 0xFE63: return UInt8(ascii: "-")
        case 0x2044, 0x2215: return UInt8(ascii: "/")
        case 0x2028, 0x2029, 0x85: return 0x0A
        default: break
        }
        if let (first, letters) = lookAlikes(scalar) {
            let place = Int(scalar &- first)
            guard place < letters.utf8CodeUnitCount else { return itself }
            return letters.utf8Start[place]
        }
        switch scalar {
        case 0x80...0x9F, 0x1680, 0x2000...0x2BFF, 0x2E00...0x303F, 0xFE10...0xFE6F, 0x1F000...0x1FAFF: return 0x20
        default: return itself
        }
    }

    private static func letter(_ place: UInt32) -> UInt8 {
        let place = UInt8(truncatingIfNeeded: place % 52)
        return place < 26 ? 0x41 &+ place : 0x61 &+ place &- 26
    }

    /// The look-alikes of a block's characters, from the first one on: one ASCII character each, `?` for itself.
    private static func lookAlikes(_ scalar: UInt32) -> (UInt32, StaticString)? {
        switch scalar {
        // Latin, with its marks
        case 0xA0...0x24F:
            (
                0xA0,
                """
                  ????    a  ~    23'u . 1o ??? AAAAAA?CEEEEIIIIDNOOOOO OUUUUY?saaaaaa?ceeeeiiiidnooooo ouuuuy?yAaAa\
                AaCcCcCcCcDdDdEeEeEeEeEeGgGgGgGgHhHhIiIiIiIiIi??JjKkkLlLlLl??LlNnNnNn?NnOoOoOo??RrRrRrSsSsSsSsTtTtTt\
                UuUuUuUuUuUuWwYyYZzZzZzsbBbb??OCcDD???E?EFfG???IKkl??NnOOo??PpRSs??tTtTUu?VYyZz3???2?5??l???????????\
                ?AaIiOoUuUuUuUuUueAaAa??GgGgKkOoOo??j???Gg??NnAa????AaAaEeEeIiIiOoOoRrRrUuUuSsTt??Hh?d??ZzAaEeOoOoOo\
                OoYylntj??ACcLTsz??BU?EeJjQqRrYy
                """
            )
        // phonetic and modifying letters
        case 0x250...0x2FF:
            (
                0x250,
                """
                aa?bccddee?e????ggGy??h?iiIlll?m?mnnNo??????rrr?RRs?????tuuuvw?Yzz3??????B?GHjkLq???????????????h?jr\
                ???wy?????????    ????????????              ?lsx?       ? ?                 
                """
            )
        // Greek
        case 0x370...0x3FF:
            (
                0x370,
                """
                ????? ???????? J????  A EHI?O?Y?iAB??EZH?IK?MN?O?P??TY?X??IYaeniua?y?e?n?ik?uv?o?psotu?x?wiuouw???YY\
                Y???????F???????????????????kpcj?? ??CM?????
                """
            )
        // Cyrillic
        case 0x400...0x52F:
            (
                0x400,
                """
                EE???SIIJ???K?Y?A?B??E????K?MHO?PCTY?X??????b???a?br?e????k?mho?pcty?x??????b???ee?r?siij???k?y?Ww??\
                ????????????????VvVv????????Cc ~~~~~~~????????????????KkKkKkKk????????Cc??Yy??Xx??????hh????l???????\
                ???????lAaAa??Ee??????????????Oo??????YyYyYy????????????Dd??????????Gg????????????QqWwKk????????????\
                ????
                """
            )
        // Cherokee
        case 0x13A0...0x13F5:
            (0x13A0, "DRT??i???yAJE??????W???M???H?Y??G?hZ??????????4b??R?WS???VS???LC??P???Kd???????????GB?")
        // small capitals, raised letters
        case 0x1D00...0x1D6A:
            (
                0x1D00,
                """
                A??BCD?E??JKLMNO?o??????PRRTU???VWZ???r?n???A?B?DE?GHIJKLMN?O?PRTUWa???bde???g?km?o???ptu??v??y??xir\
                uv?yp?x
                """
            )
        // Latin, with more marks
        case 0x1E00...0x1EFF:
            (
                0x1E00,
                """
                AaBbBbBbCcDdDdDdDdDdEeEeEeEeEeFfGgHhHhHhHhHhIiIiKkKkKkLlLlLlLlMmMmMmNnNnNnNnOoOoOoOoPpPpRrRrRrRrSsSs\
                SsSsSsTtTtTtTtUuUuUuUuUuVvVvWwWwWwWwWwXxXxYyZzZzZzhtwy?s????AaAaAaAaAaAaAaAaAaAaAaAaEeEeEeEeEeEeEeEe\
                IiIiOoOoOoOoOoOoOoOoOoOoOoOoUuUuUuUuUuUuUuYyYyYyYy??????
                """
            )
        // letters as signs
        case 0x2100...0x214F:
            (0x2100, "  C    ?  gHHHh?IILl N   PQRRR      Z ? Z KABC eEF?Mo????i  ?y??     Ddeij    ? ")
        // Lisu
        case 0xA4D0...0xA4F7: (0xA4D0, "BP?DT?GK?JC?ZF?MNLSR??VH??WXY?A?E?IOU???")
        default: nil
        }
    }
}
