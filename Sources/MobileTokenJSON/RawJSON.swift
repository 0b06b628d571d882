/// The text of one JSON value as it was received: a slice, found by scanning, never copied or decoded.
///
/// For what Jansson's tree loses: the exact text of a number, the original text of an object. Slices of a document retain
/// it. A slice of other memory (`init(_:)`) must not outlive that memory.
///
/// Total on any bytes; but only in a text that was validated is each slice a JSON value.
public struct RawJSON: @unchecked Sendable {
    private let owner: JSONDocument?
    /// The text of the value. Lives as long as the document.
    public let bytes: UnsafeRawBufferPointer

    /// The first value of a text that may or may not be JSON; empty if there is none.
    public init(_ text: UnsafeRawBufferPointer) {
        self.init(owner: nil, bytes: text)
    }

    init(owner: JSONDocument?, bytes text: UnsafeRawBufferPointer) {
        let scanner = JSONScanner(text, containers: owner?.containers)
        let start = scanner.skipSpace(0)
        self.init(owner: owner, value: text, start..<(scanner.endOfValue(start) ?? start))
    }

    private init(owner: JSONDocument?, value text: UnsafeRawBufferPointer, _ range: Range<Int>) {
        self.owner = owner
        bytes = UnsafeRawBufferPointer(rebasing: text[range])
    }

    /// What the value is, judged by its first byte; `real` if a number has a fraction or an exponent. `nil` if empty or none.
    public var kind: JSONValue.Kind? {
        switch bytes.first {
        case 0x7B: .object
        case 0x5B: .array
        case 0x22: .string
        case 0x74, 0x66: .bool
        case 0x6E: .null
        case 0x2D, 0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39:
            bytes.contains { $0 == 0x2E || $0 | 0x20 == 0x65 } ? .real : .integer
        default: nil
        }
    }

    /// The number taken apart, each digit as it was written; `nil` if this is no number.
    public var number: JSONNumberLexeme? { JSONNumberLexeme(bytes) }

    /// A copy of the text.
    public var string: String { String(decoding: bytes, as: UTF8.self) }

    private var scanner: JSONScanner { JSONScanner(bytes, containers: owner?.containers) }

    /// The member with a name; `nil` if there is none or if this is no object. Names written with escapes are compared
    /// decoded. Of duplicates (which a document never has) the first.
    public func member(_ name: String) -> RawJSON? {
        var name = name
        return name.withUTF8 { member($0) }
    }

    /// The same, for a name that is kept as a static string.
    public func member(_ name: StaticString) -> RawJSON? {
        guard name.hasPointerRepresentation else { return nil }
        return member(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }

    private func member(_ name: UnsafeBufferPointer<UInt8>) -> RawJSON? {
        guard bytes.first == 0x7B else { return nil }
        let scanner = scanner
        var index = 1
        while let item = scanner.item(at: index, named: true) {
            if JSONEscapes.decoded(UnsafeRawBufferPointer(rebasing: bytes[item.name]), equals: name) {
                return RawJSON(owner: owner, value: bytes, item.value)
            }
            index = item.value.upperBound
        }
        return nil
    }

    /// The elements of an array, or the values of the members of an object, in the order of the text.
    public var elements: Elements { Elements(value: self) }

    /// The elements of an array, or the values of the members of an object, in the order of the text.
    public struct Elements: Sequence, IteratorProtocol {
        private let value: RawJSON
        private let named: Bool
        private var index: Int?

        init(value: RawJSON) {
            self.value = value
            named = value.bytes.first == 0x7B
            index = named || value.bytes.first == 0x5B ? 1 : nil
        }

        /// The next value.
        public mutating func next() -> RawJSON? {
            guard let position = index else { return nil }
            guard let item = value.scanner.item(at: position, named: named) else {
                index = nil
                return nil
            }
            index = item.value.upperBound
            return RawJSON(owner: value.owner, value: value.bytes, item.value)
        }
    }
}
