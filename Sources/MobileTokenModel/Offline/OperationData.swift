// SPDX-License-Identifier: Apache-2.0
/// The string that is approved, online and offline, taken apart: `A1*A100CZK*ICZ2730300000001165254011*D20180425`.
///
/// Holds no text: the ranges refer to the parsed bytes. Reading allocates no memory.
public struct OperationData: Sendable {
    /// One field.
    public struct Field: Sendable {
        /// Kinds of fields; the values are those of the C interface (`MTOKEN_FIELD_…`).
        public enum Kind: Int32, Sendable {
            /// Nothing: a placeholder.
            case empty = 0
            /// `A`: a decimal number and a currency.
            case amount = 1
            /// `I`: an IBAN and perhaps a BIC.
            case account = 2
            /// `Q`: an account of any form.
            case anyAccount = 3
            /// `D`: a day.
            case date = 4
            /// `R`: a payment reference.
            case reference = 5
            /// `N`: a note.
            case note = 6
            /// `T`: a text.
            case text = 7
            /// Any other type: a text.
            case other = 8
        }

        /// Its content.
        public let kind: Kind
        /// The character that names the type, as a Unicode scalar value; 0 for an empty field.
        public let letter: UInt32
        /// The whole field, type and value.
        public var range: Range<Int> { place.range }
        /// The number of an amount, the IBAN of an account, otherwise the value as it is written.
        public var value: Range<Int> { valuePlace.range }
        /// The currency of an amount as it is written, the BIC of an account (empty: none).
        public fileprivate(set) var addition: Range<Int> {
            get { additionPlace.range }
            set { additionPlace = Place(newValue) }
        }
        private let place: Place
        private let valuePlace: Place
        private var additionPlace: Place
        /// Whether the value holds a backslash.
        public fileprivate(set) var holdsBackslash = false
        /// The day of a date.
        public fileprivate(set) var date: CivilDate?

        /// An empty field.
        fileprivate init(emptyAt offset: Int) {
            self.init(.empty, letter: 0, range: offset..<offset, value: offset..<offset)
        }

        fileprivate init(_ kind: Kind, letter: UInt32, range: Range<Int>, value: Range<Int>) {
            self.kind = kind
            self.letter = letter
            place = Place(range)
            valuePlace = Place(value)
            additionPlace = Place(range.upperBound..<range.upperBound)
        }

        /// A range of a text that is not longer than `maximumSize`, in half the memory.
        private struct Place {
            let lower: UInt32
            let upper: UInt32

            init(_ range: Range<Int>) {
                lower = UInt32(truncatingIfNeeded: range.lowerBound)
                upper = UInt32(truncatingIfNeeded: range.upperBound)
            }

            var range: Range<Int> { Range(uncheckedBounds: (Int(lower), Int(upper))) }
        }

        /// Whether the value is a text with escapes.
        public var isText: Bool {
            switch kind {
            case .anyAccount, .reference, .note, .text, .other: true
            case .empty, .amount, .account, .date: false
            }
        }
    }

    /// The most fields that are read; documents allow five, all known readers six.
    public static let maximumFieldCount = 6
    /// Longest operation data that are read, in bytes.
    public static let maximumSize = 1 << 16

    /// The memory of the data.
    public let range: Range<Int>
    /// The letter of the version, `A` to `Z`. Only `A` is known, others are read the same way.
    public let version: UInt8
    /// 0 generic, 1 payment, 2 login; others are to be treated as generic. At most 99.
    public let template: Int
    /// The number of fields, at most 6.
    public private(set) var fieldCount = 0
    /// Those below `fieldCount` are meant. (To be read by its span: a subscript copies all.)
    package private(set) var storage: InlineArray<6, Field>

    /// Whether the version is one that this library knows.
    public var isKnownVersion: Bool { version == UInt8(ascii: "A") }

    /// The field with a number below `fieldCount`.
    public subscript(_ index: Int) -> Field { storage.span[index] }

    /// Reads operation data.
    ///
    /// - Parameter text: UTF-8, not longer than `maximumSize`
    public init(parsing text: UnsafeRawBufferPointer) throws(TextFault) {
        guard text.count <= Self.maximumSize else { throw TextFault(.tooLong, offset: Self.maximumSize, in: text) }
        _ = try ScannedText(text, maximumLineCount: 1)
        try self.init(text, in: 0..<text.count, line: 1)
    }

    /// Reads a part of a text that was checked.
    init(_ text: UnsafeRawBufferPointer, in range: Range<Int>, line: Int) throws(TextFault) {
        let start = range.lowerBound
        guard start < range.upperBound, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(text[start]) else {
            throw TextFault(.invalidVersion, offset: start, line: line)
        }
        var index = start &+ 1
        var template = 0
        while index < range.upperBound, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[index]),
            index < start &+ 3
        {
            template = template &* 10 &+ Int(text[index] &- UInt8(ascii: "0"))
            index &+= 1
        }
        guard index > start &+ 1, index == range.upperBound || text[index] == UInt8(ascii: "*") else {
            throw TextFault(.invalidTemplateId, offset: start &+ 1, line: line)
        }
        self.range = range
        self.version = text[start]
        self.template = template
        storage = InlineArray(repeating: Field(emptyAt: range.upperBound))

        var seventh: Int?
        while index < range.upperBound {
            // At an asterisk that separates.
            let first = index &+ 1
            index = first
            var holdsBackslash = false
            while index < range.upperBound, text[index] != UInt8(ascii: "*") {
                if text[index] == UInt8(ascii: "\\") {
                    holdsBackslash = true
                    if index &+ 1 < range.upperBound, Escapes.meaning(of: text[index &+ 1]) != nil { index &+= 1 }
                }
                index &+= 1
            }
            guard var field = Self.field(text, first..<index) else {
                throw TextFault(.invalidField, offset: first, line: line)
            }
            field.holdsBackslash = holdsBackslash
            if fieldCount < Self.maximumFieldCount {
                storage[fieldCount] = field
                fieldCount &+= 1
            } else if seventh == nil {
                seventh = first
            }
        }
        if let seventh { throw TextFault(.tooManyFields, offset: seventh, line: line) }
    }

    /// Reads one field; nil when it breaks the rules of its type.
    @inline(__always)
    private static func field(_ text: UnsafeRawBufferPointer, _ range: Range<Int>) -> Field? {
        guard range.lowerBound < range.upperBound else { return Field(emptyAt: range.lowerBound) }
        let letter = text[range.lowerBound]
        let rest = (range.lowerBound &+ 1)..<range.upperBound
        switch letter {
        case UInt8(ascii: "A"): return amount(text, range, rest)
        case UInt8(ascii: "I"): return account(text, range, rest)
        case UInt8(ascii: "D"):
            guard let date = CivilDate(UnsafeRawBufferPointer(rebasing: text[rest])) else { return nil }
            var field = Field(.date, letter: UInt32(letter), range: range, value: rest)
            field.date = date
            return field
        case UInt8(ascii: "Q"): return Field(.anyAccount, letter: UInt32(letter), range: range, value: rest)
        case UInt8(ascii: "R"): return Field(.reference, letter: UInt32(letter), range: range, value: rest)
        case UInt8(ascii: "N"): return Field(.note, letter: UInt32(letter), range: range, value: rest)
        case UInt8(ascii: "T"): return Field(.text, letter: UInt32(letter), range: range, value: rest)
        // A reader could take the character after a backslash as an escape or as the value.
        case UInt8(ascii: "\\"): return nil
        default:
            let (scalar, length) = scalar(text, at: range.lowerBound)
            return Field(
                .other, letter: scalar, range: range,
                value: min(range.lowerBound &+ length, range.upperBound)..<range.upperBound)
        }
    }

    private static func amount(
        _ text: UnsafeRawBufferPointer, _ range: Range<Int>, _ rest: Range<Int>
    ) -> Field? {
        guard rest.count >= 4 else { return nil }
        let middle = rest.upperBound &- 3
        for index in middle..<rest.upperBound {
            let letter = text[index] | 0x20
            guard (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter) else { return nil }
        }
        let number = rest.lowerBound..<middle
        guard DecimalText(UnsafeRawBufferPointer(rebasing: text[number])) != nil else { return nil }
        var field = Field(.amount, letter: UInt32(UInt8(ascii: "A")), range: range, value: number)
        field.addition = middle..<rest.upperBound
        return field
    }

    private static func account(
        _ text: UnsafeRawBufferPointer, _ range: Range<Int>, _ rest: Range<Int>
    ) -> Field? {
        let ibanEnd = endOfCapitals(text, rest)
        guard ibanEnd > rest.lowerBound else { return nil }
        var field = Field(
            .account, letter: UInt32(UInt8(ascii: "I")), range: range, value: rest.lowerBound..<ibanEnd)
        var index = ibanEnd
        if index < rest.upperBound, text[index] == UInt8(ascii: ",") {
            let bicEnd = endOfCapitals(text, (index &+ 1)..<rest.upperBound)
            field.addition = (index &+ 1)..<bicEnd
            index = bicEnd
            // There may be one comma at the end.
            if !field.addition.isEmpty, index < rest.upperBound, text[index] == UInt8(ascii: ",") { index &+= 1 }
        }
        return index == rest.upperBound ? field : nil
    }

    private static func endOfCapitals(_ text: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int {
        var index = range.lowerBound
        while index < range.upperBound {
            switch text[index] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"): index &+= 1
            default: return index
            }
        }
        return index
    }

    /// The scalar at an offset of valid UTF-8, and its length.
    private static func scalar(_ text: UnsafeRawBufferPointer, at offset: Int) -> (UInt32, Int) {
        let lead = UInt32(text[offset])
        let length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
        guard length > 1, offset &+ length <= text.count else { return (lead, 1) }
        var value = lead & (0x7F &>> UInt32(length))
        for index in 1..<length { value = value &<< 6 | UInt32(text[offset &+ index] & 0x3F) }
        return (value, length)
    }
}
