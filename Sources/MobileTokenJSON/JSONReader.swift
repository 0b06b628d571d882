// SPDX-License-Identifier: Apache-2.0
internal import CJansson

/// Reads a text in one pass into the one tree of a document.
///
/// Why reading is ours: Jansson's reader loses bytes of a string when memory runs out, and then searches for the closing
/// quote beyond the end of the text. It copies secrets through buffers that it frees unwiped. It refuses a whole text because
/// of one large number.
///
/// Why the tree is ours: the host gets each operation as it came, so a value must know its position in the text.
/// Jansson's values have no room for that, and each is a block of memory of its own, about a hundred for an operation. A
/// record (`JSONRecord`) knows the value and its place, and all records of a text share one block.
///
/// Jansson stays at the edge: it writes a value again (`JSONValue.compact`), and the fuzz targets compare its reader with
/// this one.
///
/// A NUL follows the text. Nothing in JSON matches it, so what looks at the next byte need not ask for the end.
///
/// An error has the offset up to which the text had to be read to see it.
struct JSONReader {
    private(set) var memory: JSONMemory
    /// How many values were read.
    private(set) var values = 0
    private(set) var mayHoldNUL = false
    private(set) var unreadable: [Int] = []
    private let limits: JSONLimits
    private let sparing: StaticString?
    private var position = 0

    /// Reads a whole text. The memory is then the caller's; see `JSONDocument.init(parsing:limits:sparing:sensitive:)`.
    static func read(
        _ text: UnsafeRawBufferPointer, limits: JSONLimits, sparing: StaticString?, sensitive: Bool
    ) throws(JSONError) -> JSONReader {
        guard text.count <= limits.maximumSize else {
            throw JSONError(.tooLarge, offset: max(0, limits.maximumSize), line: 1, column: 0)
        }
        guard let memory = JSONMemory(copying: text, sensitive: sensitive) else {
            throw JSONError(.outOfMemory, offset: 0, line: 1, column: 0)
        }
        var reader = JSONReader(memory: memory, limits: limits, sparing: sparing)
        do throws(JSONError) {
            try reader.topValue()
        } catch {
            // Line and column are counted once: a spared element must not cost as much as the text before it.
            let located = JSONError(error.reason, offset: error.offset, in: reader.memory.text)
            reader.memory.release()
            throw located
        }
        reader.memory.trim()
        return reader
    }

    private init(memory: JSONMemory, limits: JSONLimits, sparing: StaticString?) {
        (self.memory, self.limits, self.sparing) = (memory, limits, sparing)
    }

    private mutating func topValue() throws(JSONError) {
        skipSpace()
        let first = next
        if !limits.allowsAnyTopLevel, position < memory.length, first != 0x7B, first != 0x5B {
            let isValue = first == 0x22 || first == 0x2D || Self.isDigit(first) || [0x66, 0x6E, 0x74].contains(first)
            throw fault(isValue ? .wrongTopLevel : .syntax, position)
        }
        try value(depth: 0)
        skipSpace()
        guard position == memory.length else { throw unexpected() }
    }

    /// Reads the value that begins here, of a member if there is a name.
    private mutating func value(depth: Int, name: Text? = nil, isSparing: Bool = false) throws(JSONError) {
        guard values < limits.maximumValues else { throw fault(.tooManyValues, position) }
        values &+= 1
        let (index, start) = (memory.count, position)
        let record = JSONRecord(
            raw: UnsafePointer(memory.source + start), name: name?.start,
            nameCount: UInt32(truncatingIfNeeded: name?.count ?? 0))
        guard memory.append(record) else { throw fault(.outOfMemory, position) }
        var (content, count) = (JSONRecord.Content.null, 0)
        switch next {
        case 0x22:
            let text = try string()
            (content, count) = (.string(text.start), text.count)
        case 0x7B: (content, count) = (.object, try object(depth: depth &+ 1))
        case 0x5B: (content, count) = (.array, try array(depth: depth &+ 1, isSparing: isSparing))
        case 0x2D, 0x30...0x39: content = try number()
        case 0x66 where takes("false"): content = .bool(false)
        case 0x74 where takes("true"): content = .bool(true)
        case 0x6E where takes("null"): break
        default: throw unexpected()
        }
        memory.records[index].content = content
        memory.records[index].count = UInt32(truncatingIfNeeded: count)
        memory.records[index].rawCount = UInt32(truncatingIfNeeded: position &- start)
        memory.records[index].extent = UInt32(truncatingIfNeeded: memory.count &- index)
    }

    // MARK: Containers

    /// The number of members of the object that begins here. Its record is the last one by now.
    private mutating func object(depth: Int) throws(JSONError) -> Int {
        guard depth <= limits.maximumDepth else { throw fault(.tooDeep, position) }
        let first = memory.count
        var names = NameSet()
        position &+= 1
        skipSpace()
        if takes(0x7D) { return 0 }
        repeat {
            skipSpace()
            guard next == 0x22 else { throw unexpected() }
            let name = try string()
            let nameEnd = position
            guard !name.holdsNUL else { throw fault(.invalidKey, nameEnd) }
            skipSpace()
            guard takes(0x3A) else { throw unexpected() }
            skipSpace()
            let isSparing = depth == 1 && sparing.map { name.equals($0) } ?? false
            try value(depth: depth, name: name, isSparing: isSparing)
            if names.insert(name.bytes, after: memory.records + first) { throw fault(.duplicateKey, nameEnd) }
            skipSpace()
        } while takes(0x2C)
        guard takes(0x7D) else { throw unexpected() }
        if names.isLarge { try checkNames(count: names.count, from: first) }
        return names.count
    }

    /// The number of elements of the array that begins here.
    private mutating func array(depth: Int, isSparing: Bool) throws(JSONError) -> Int {
        guard depth <= limits.maximumDepth else { throw fault(.tooDeep, position) }
        var count = 0
        position &+= 1
        skipSpace()
        if takes(0x5D) { return 0 }
        repeat {
            skipSpace()
            if isSparing { try sparedElement(count, depth: depth) } else { try value(depth: depth) }
            count &+= 1
            skipSpace()
        } while takes(0x2C)
        guard takes(0x5D) else { throw unexpected() }
        return count
    }

    /// Reads an element, or null in its place if it cannot be read but its end is found. Bounds are not forgiven.
    private mutating func sparedElement(_ number: Int, depth: Int) throws(JSONError) {
        let (index, start) = (memory.count, position)
        do throws(JSONError) {
            try value(depth: depth)
        } catch {
            guard error.reason != .tooManyValues, error.reason != .outOfMemory, let end = endOfValue(start) else {
                throw error
            }
            unreadable.append(number)
            memory.count = index &+ 1
            memory.records[index].rawCount = UInt32(truncatingIfNeeded: end &- start)
            position = end
        }
    }

    /// The names of an object, as long as there are few: then a name is compared with those that may be the same.
    private struct NameSet {
        private var seen: UInt64 = 0
        private(set) var count = 0
        var isLarge: Bool { count > 64 }

        /// Adds a name; whether it is among those before it, whose records begin at `first`.
        mutating func insert(_ name: UnsafeRawBufferPointer, after first: UnsafePointer<JSONRecord>) -> Bool {
            let others = count
            count &+= 1
            guard !isLarge else { return false }
            let mix = Int(name.first ?? 0) &* 7 &+ Int(name.last ?? 0) &* 11 &+ name.count &* 3
            let bit: UInt64 = 1 &<< UInt64(mix & 63)
            defer { seen |= bit }
            guard seen & bit != 0 else { return false }
            return JSONNode.Elements(first: first, count: others).contains { $0.isNamed(name) }
        }
    }

    /// Sorts the names of a large object, so that a hostile text does not buy more time than it has bytes.
    private func checkNames(count: Int, from first: Int) throws(JSONError) {
        typealias Member = UnsafePointer<JSONRecord>
        guard let block = malloc(count &* MemoryLayout<Member>.stride) else { throw fault(.outOfMemory, position) }
        defer { free(block) }
        let members = block.assumingMemoryBound(to: Member.self)
        var member = Member(memory.records + first)
        for index in 0..<count {
            (members + index).initialize(to: member)
            member += Int(member.pointee.extent)
        }
        qsort(block, count, MemoryLayout<Member>.stride) { one, other in
            guard let one = one?.load(as: Member.self), let other = other?.load(as: Member.self) else { return 0 }
            let order = JSONReader.compareNames(one, other)
            return order != 0 ? order : one < other ? -1 : 1
        }
        // The place of the fault is that of the first name that stood there before.
        var again: Member?
        for index in 1..<count where Self.compareNames(members[index &- 1], members[index]) == 0 {
            again = again.map { min($0, members[index]) } ?? members[index]
        }
        guard let name = again?.pointee.name else { return }
        throw fault(.duplicateKey, (endOfString(name - UnsafePointer(memory.strings)) ?? position) &+ 1)
    }

    private static func compareNames(_ one: UnsafePointer<JSONRecord>, _ other: UnsafePointer<JSONRecord>) -> Int32 {
        guard let name = one.pointee.name, let otherName = other.pointee.name else { return 0 }
        return strcmp(
            UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self),
            UnsafeRawPointer(otherName).assumingMemoryBound(to: CChar.self))
    }

    // MARK: Strings

    /// A decoded string.
    private struct Text {
        let start: UnsafePointer<UInt8>
        let count: Int
        let holdsNUL: Bool

        var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

        func equals(_ other: StaticString) -> Bool {
            count == other.utf8CodeUnitCount && memcmp(start, other.utf8Start, count) == 0
        }
    }

    /// Reads and decodes the string that begins here.
    private mutating func string() throws(JSONError) -> Text {
        position &+= 1
        let start = position
        // The decoded part ends here; the text after an escape must be moved there.
        var (end, run) = (start, start)
        var (holdsNUL, isBroken) = (false, false)
        while true {
            skipPlain()
            switch next {
            case 0x22:
                move(from: run, to: &end)
                guard !isBroken else { throw fault(.syntax, position &+ 1) }
                memory.strings[end] = 0
                position &+= 1
                if holdsNUL { mayHoldNUL = true }
                return Text(start: UnsafePointer(memory.strings + start), count: end &- start, holdsNUL: holdsNUL)
            case 0x5C:
                move(from: run, to: &end)
                if let scalar = try escape() {
                    if scalar == 0 { holdsNUL = true }
                    append(scalar, at: &end)
                } else {
                    isBroken = true
                }
                run = position
            case 0x80...:
                let length = UTF8Validity.lengthOfSequence(in: memory.text, at: position)
                guard length > 0 else { throw fault(.invalidUTF8, position) }
                position &+= length
            default:
                throw fault(position == memory.length ? .prematureEnd : .syntax, position)
            }
        }
    }

    private func move(from run: Int, to end: inout Int) {
        let count = position &- run
        if end != run { memcpy(memory.strings + end, memory.source + run, count) }
        end &+= count
    }

    /// Writes a character in UTF-8, which is shorter than any escape of it.
    private func append(_ scalar: UInt32, at end: inout Int) {
        func put(_ byte: UInt32) {
            memory.strings[end] = UInt8(truncatingIfNeeded: byte)
            end &+= 1
        }
        switch scalar {
        case ..<0x80: return put(scalar)
        case ..<0x800: put(0xC0 | scalar &>> 6)
        case ..<0x10000:
            put(0xE0 | scalar &>> 12)
            put(0x80 | scalar &>> 6 & 0x3F)
        default:
            put(0xF0 | scalar &>> 18)
            put(0x80 | scalar &>> 12 & 0x3F)
            put(0x80 | scalar &>> 6 & 0x3F)
        }
        put(0x80 | scalar & 0x3F)
    }

    /// The character of the escape that begins here; `nil` for half of a surrogate pair.
    private mutating func escape() throws(JSONError) -> UInt32? {
        guard position &+ 1 < memory.length else { throw fault(.prematureEnd, memory.length) }
        let letter = memory.source[position &+ 1]
        position &+= 2
        switch letter {
        case 0x22, 0x5C, 0x2F: return UInt32(letter)
        case 0x62: return 0x08
        case 0x66: return 0x0C
        case 0x6E: return 0x0A
        case 0x72: return 0x0D
        case 0x74: return 0x09
        case 0x75: break
        default: throw fault(.syntax, position)
        }
        let unit = try hexadecimalV4()
        guard 0xD800...0xDFFF ~= unit else { return unit }
        guard unit < 0xDC00, next == 0x5C, memory.source[position &+ 1] == 0x75 else { return nil }
        let second = position
        position &+= 2
        let low = try hexadecimalV4()
        if 0xDC00...0xDFFF ~= low { return 0x10000 &+ (unit & 0x3FF) &<< 10 &+ (low & 0x3FF) }
        position = second
        return nil
    }

    private mutating func hexadecimalV4() throws(JSONError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            let digit: UInt8
            switch next {
            case 0x30...0x39: digit = next &- 0x30
            case 0x41...0x46: digit = next &- 0x41 &+ 10
            case 0x61...0x66: digit = next &- 0x61 &+ 10
            default: throw fault(.syntax, min(memory.length, position &+ 1))
            }
            value = value &<< 4 | UInt32(digit)
            position &+= 1
        }
        return value
    }

    // MARK: Numbers

    private mutating func number() throws(JSONError) -> JSONRecord.Content {
        let start = position
        if try endOfNumber(), let integer = int64(from: start) { return .integer(integer) }
        let real = mtoken_json_real(UnsafeRawPointer(memory.source + start).assumingMemoryBound(to: CChar.self))
        return real.isFinite ? .real(real) : .null
    }

    /// Moves behind the number that begins here. Whether it has neither point nor exponent.
    private mutating func endOfNumber() throws(JSONError) -> Bool {
        _ = takes(0x2D)
        if takes(0x30) {
            if Self.isDigit(next) { throw fault(.syntax, position) }
        } else {
            try digits()
        }
        var isInteger = true
        if takes(0x2E) {
            isInteger = false
            try digits()
        }
        if next | 0x20 == 0x65 {
            isInteger = false
            position &+= 1
            if next == 0x2B || next == 0x2D { position &+= 1 }
            try digits()
        }
        return isInteger
    }

    /// Moves behind one digit or more.
    private mutating func digits() throws(JSONError) {
        let start = position
        while Self.isDigit(next) { position &+= 1 }
        guard position > start else { throw fault(.syntax, position) }
    }

    /// The value of the integer that ends here; `nil` outside the range.
    private func int64(from start: Int) -> Int64? {
        let isNegative = memory.source[start] == 0x2D
        var value: Int64 = 0
        for index in (isNegative ? start &+ 1 : start)..<position {
            // Towards the negative side, which reaches further.
            let (shifted, outside) = value.multipliedReportingOverflow(by: 10)
            let (next, below) = shifted.subtractingReportingOverflow(Int64(memory.source[index] &- 0x30))
            guard !outside, !below else { return nil }
            value = next
        }
        guard isNegative || value != .min else { return nil }
        return isNegative ? value : 0 &- value
    }

    static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    private static func isLetter(_ byte: UInt8) -> Bool { byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A }

    // MARK: The text

    /// The current byte; NUL at the end.
    @inline(__always)
    private var next: UInt8 { memory.source[position] }

    @inline(__always)
    private mutating func skipSpace() {
        while next == 0x20 || next == 0x0A || next == 0x0D || next == 0x09 { position &+= 1 }
    }

    /// Moves to the next byte of a string that is a quote, a backslash, a control character, or none of ASCII.
    @inline(__always)
    private mutating func skipPlain() {
        while position &+ 8 <= memory.length {
            let word = UnsafeRawPointer(memory.source).loadUnaligned(fromByteOffset: position, as: UInt64.self)
            let found = Self.marks(UInt64(littleEndian: word))
            guard found == 0 else { return position &+= found.trailingZeroBitCount &>> 3 }
            position &+= 8
        }
        while next >= 0x20, next < 0x80, next != 0x22, next != 0x5C { position &+= 1 }
    }

    /// Marks the first of eight bytes that is such a one with its highest bit; above it there may be false marks.
    @inline(__always)
    private static func marks(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let (quote, backslash) = (word ^ ones &* 0x22, word ^ ones &* 0x5C)
        let found = (quote &- ones) & ~quote | (backslash &- ones) & ~backslash | (word &- ones &* 0x20) & ~word | word
        return found & (ones &* 0x80)
    }

    /// Whether the text continues with a byte; moves behind it.
    @inline(__always)
    private mutating func takes(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position &+= 1
        return true
    }

    /// Whether the text continues with a word; moves behind it.
    private mutating func takes(_ word: StaticString) -> Bool {
        let end = position &+ word.utf8CodeUnitCount
        guard end <= memory.length, memcmp(memory.source + position, word.utf8Start, word.utf8CodeUnitCount) == 0,
            !Self.isLetter(memory.source[end])
        else { return false }
        position = end
        return true
    }

    // MARK: Faults

    private func fault(_ reason: JSONError.Reason, _ offset: Int) -> JSONError {
        JSONError(reason, offset: offset, line: 1, column: 0)
    }

    /// The current byte is not allowed here.
    private func unexpected() -> JSONError {
        guard position < memory.length else { return fault(.prematureEnd, memory.length) }
        guard next > 0 else { return fault(.syntax, position) }
        var end = position &+ 1
        if next >= 0x80 {
            let length = UTF8Validity.lengthOfSequence(in: memory.text, at: position)
            return length == 0 ? fault(.invalidUTF8, position) : fault(.syntax, position &+ length)
        } else if next == 0x22 {
            end = endOfValue(position) ?? memory.length
        } else if Self.isLetter(next) {
            while Self.isLetter(memory.source[end]) { end &+= 1 }
        }
        return fault(.syntax, end)
    }

    /// The index after a value that may be broken inside; `nil` if it does not end.
    private func endOfValue(_ start: Int) -> Int? {
        var (index, depth) = (start, 0)
        while index < memory.length {
            switch memory.source[index] {
            case 0x22:
                guard let quote = endOfString(index &+ 1) else { return nil }
                index = quote
            case 0x7B, 0x5B: depth &+= 1
            case 0x7D, 0x5D: depth &-= 1
            default:
                guard depth == 0 else { break }
                // A number or a word ends where punctuation or white space begins.
                while Self.continuesWord(memory.source[index]) { index &+= 1 }
                return index == start ? nil : index
            }
            index &+= 1
            if depth <= 0 { return depth == 0 ? index : nil }
        }
        return nil
    }

    private static func continuesWord(_ byte: UInt8) -> Bool {
        isDigit(byte) || isLetter(byte) || byte == 0x2B || byte == 0x2D || byte == 0x2E
    }

    /// The index of the quote that closes a string whose first byte is at an index.
    private func endOfString(_ start: Int) -> Int? {
        var index = start
        while index < memory.length {
            switch memory.source[index] {
            case 0x22: return index
            case 0x5C: index &+= 2
            default: index &+= 1
            }
        }
        return nil
    }
}
