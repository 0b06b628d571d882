internal import CJansson

/// Reads a text into Jansson's tree, value by value.
///
/// Jansson's own reader cannot be trusted when memory runs out: what it collects a string in then loses bytes, and the search
/// for the closing quote goes on behind it. The functions that make its values say when they fail. They are also given each
/// string from where it stands, so that a secret passes through no memory but the text's and the tree's.
///
/// Errors have the offset up to which the text had to be read to see them.
struct JSONReader {
    typealias Tree = UnsafeMutablePointer<json_t>

    private let text: UnsafeRawBufferPointer
    private let scanner: JSONScanner
    private let maximumDepth: Int
    private let sensitive: Bool
    private var position = 0

    /// Reads a whole text.
    ///
    /// - Parameters:
    ///   - text: not holding a NUL byte.
    ///   - maximumDepth: of arrays and objects; bounds the recursion.
    ///   - sensitive: wipe the strings of what cannot be completed.
    static func read(
        _ text: UnsafeRawBufferPointer, maximumDepth: Int, sensitive: Bool
    ) throws(JSONError) -> Tree {
        var reader = JSONReader(text, maximumDepth, sensitive)
        reader.skipSpace()
        let tree = try reader.value(depth: 0)
        reader.skipSpace()
        guard reader.position == text.count else {
            reader.discard(tree)
            throw reader.unexpected()
        }
        return tree
    }

    private init(_ text: UnsafeRawBufferPointer, _ maximumDepth: Int, _ sensitive: Bool) {
        self.text = text
        scanner = JSONScanner(text)
        self.maximumDepth = maximumDepth
        self.sensitive = sensitive
    }

    private func value(_ made: Tree?) throws(JSONError) -> Tree {
        guard let made else { throw fault(.outOfMemory, position) }
        return made
    }

    private mutating func value(depth: Int) throws(JSONError) -> Tree {
        guard let first = scanner.byte(at: position) else { throw unexpected() }
        switch first {
        case 0x7B: return try object(depth: depth &+ 1)
        case 0x5B: return try array(depth: depth &+ 1)
        case 0x22: return try string(try stringContent())
        case 0x2D, 0x30...0x39: return try number()
        case 0x66 where takes("false"): return try value(json_false())
        case 0x6E where takes("null"): return try value(json_null())
        case 0x74 where takes("true"): return try value(json_true())
        default: throw unexpected()
        }
    }

    // MARK: Containers

    private mutating func object(depth: Int) throws(JSONError) -> Tree {
        guard depth <= maximumDepth else { throw fault(.tooDeep, position) }
        let object = try value(json_object())
        do throws(JSONError) {
            position &+= 1
            skipSpace()
            if takes("}") { return object }
            repeat {
                skipSpace()
                guard scanner.byte(at: position) == 0x22 else { throw unexpected() }
                let name = try stringContent()
                let nameEnd = position
                skipSpace()
                guard takes(":") else { throw unexpected() }
                skipSpace()
                try setMember(of: object, name, nameEnd: nameEnd, to: try value(depth: depth))
                skipSpace()
            } while takes(",")
            guard takes("}") else { throw unexpected() }
            return object
        } catch {
            discard(object)
            throw error
        }
    }

    private mutating func array(depth: Int) throws(JSONError) -> Tree {
        guard depth <= maximumDepth else { throw fault(.tooDeep, position) }
        let array = try value(json_array())
        do throws(JSONError) {
            position &+= 1
            skipSpace()
            if takes("]") { return array }
            repeat {
                skipSpace()
                let element = try value(depth: depth)
                guard keeping(element, { json_array_append_new(array, element) == 0 }) else {
                    throw fault(.outOfMemory, position)
                }
                skipSpace()
            } while takes(",")
            guard takes("]") else { throw unexpected() }
            return array
        } catch {
            discard(array)
            throw error
        }
    }

    private func setMember(
        of object: Tree, _ name: Content, nameEnd: Int, to member: Tree
    ) throws(JSONError) {
        let count = json_object_size(object)
        var holdsNUL = false
        let isSet = keeping(member) {
            guard name.isEscaped else { return set(object, start(of: name), name.length, member) }
            return withUnsafeTemporaryAllocation(byteCount: name.length, alignment: 1) { memory in
                decode(name, into: memory)
                holdsNUL = memory.contains(0)
                return set(object, memory.assumingMemoryBound(to: CChar.self).baseAddress, name.length, member)
            }
        }
        guard isSet else { throw fault(.outOfMemory, position) }
        if holdsNUL { throw fault(.invalidKey, nameEnd) }
        // A name that was there already has its value replaced.
        guard json_object_size(object) > count else { throw fault(.duplicateKey, nameEnd) }
    }

    private func set(_ object: Tree, _ name: UnsafePointer<CChar>?, _ length: Int, _ member: Tree) -> Bool {
        json_object_setn_new_nocheck(object, name, length, member) == 0
    }

    /// Hands a value over to Jansson, which frees it when that fails: a sensitive one only after it was wiped.
    private func keeping(_ tree: Tree, _ handOver: () -> Bool) -> Bool {
        guard sensitive else { return handOver() }
        mtoken_json_retain(tree)
        if handOver() {
            mtoken_json_free(tree)
            return true
        }
        discard(tree)
        return false
    }

    private func discard(_ tree: Tree) {
        if sensitive { JSONNode(tree).wipeTexts() }
        mtoken_json_free(tree)
    }

    // MARK: Strings

    /// What stands between the quotes of a valid string.
    private struct Content {
        let range: Range<Int>
        /// Bytes when it is decoded.
        let length: Int
        var isEscaped: Bool { length != range.count }
    }

    /// Checks the string that begins here and moves behind it.
    private mutating func stringContent() throws(JSONError) -> Content {
        let first = position &+ 1
        let quote = scanner.endOfString(first)
        let end = quote ?? text.count
        var length = 0
        var isASCII = true
        var loneSurrogate = false
        var index = first
        while index < end {
            let byte = text[index]
            if byte == 0x5C {
                let content = UnsafeRawBufferPointer(rebasing: text[first..<end])
                var next = index &- first
                var unit = JSONEscapes.Unit()
                if JSONEscapes.next(content, &next, &unit) {
                    index = first &+ next
                    length &+= unit.count
                } else {
                    index = try behindBrokenEscape(index, end: end)
                    loneSurrogate = true
                }
                continue
            }
            guard byte >= 0x20 else { throw fault(.syntax, index) }
            if byte >= 0x80 { isASCII = false }
            index &+= 1
            length &+= 1
        }
        if !isASCII, let invalid = UTF8Validity.firstInvalid(in: UnsafeRawBufferPointer(rebasing: text[first..<end])) {
            throw fault(.invalidUTF8, first &+ invalid)
        }
        guard let quote else { throw fault(.prematureEnd, text.count) }
        guard !loneSurrogate else { throw fault(.syntax, quote &+ 1) }
        position = quote &+ 1
        return Content(range: first..<quote, length: length)
    }

    /// Where the text goes on behind an escape that cannot be decoded but is well formed: half of a surrogate pair.
    private func behindBrokenEscape(_ index: Int, end: Int) throws(JSONError) -> Int {
        let digits = index &+ 2
        guard digits <= end else { throw fault(.prematureEnd, text.count) }
        guard text[index &+ 1] == 0x75 else { throw fault(.syntax, digits) }
        for digit in digits..<(digits &+ 4) {
            guard digit < end else { throw fault(.syntax, min(text.count, digit &+ 1)) }
            switch text[digit] {
            case 0x30...0x39, 0x41...0x46, 0x61...0x66: break
            default: throw fault(.syntax, digit &+ 1)
            }
        }
        return digits &+ 4
    }

    private func start(of content: Content) -> UnsafePointer<CChar>? {
        text.baseAddress.map { ($0 + content.range.lowerBound).assumingMemoryBound(to: CChar.self) }
    }

    private func string(_ content: Content) throws(JSONError) -> Tree {
        let string = try value(json_stringn_nocheck(start(of: content), content.length))
        if content.isEscaped, let memory = mtoken_json_string_memory(string) {
            decode(content, into: UnsafeMutableRawBufferPointer(start: memory, count: content.length))
        }
        return string
    }

    /// `memory` has room for exactly what the string decodes to.
    private func decode(_ content: Content, into memory: UnsafeMutableRawBufferPointer) {
        let source = UnsafeRawBufferPointer(rebasing: text[content.range])
        var position = 0
        var written = 0
        while position < source.count {
            var unit = JSONEscapes.Unit()
            guard JSONEscapes.next(source, &position, &unit), written &+ unit.count <= memory.count else { return }
            for index in 0..<unit.count { memory[written &+ index] = unit[index] }
            written &+= unit.count
        }
    }

    // MARK: Numbers

    private mutating func number() throws(JSONError) -> Tree {
        let start = position
        let isInteger = try endOfNumber()
        let lexeme = UnsafeRawBufferPointer(rebasing: text[start..<position])
        if isInteger, let integer = JSONReader.int64(lexeme) { return try value(json_integer(json_int_t(integer))) }
        let real = lexeme.count < 64 ? JSONReader.real(lexeme, room: 64) : JSONReader.real(lexeme, room: lexeme.count)
        return try value(real.isFinite ? json_real(real) : json_null())
    }

    /// Moves behind the number that begins here. Whether it has neither point nor exponent.
    private mutating func endOfNumber() throws(JSONError) -> Bool {
        if scanner.byte(at: position) == 0x2D { position &+= 1 }
        if scanner.byte(at: position) == 0x30 {
            position &+= 1
            if let next = scanner.byte(at: position), JSONReader.isDigit(next) { throw fault(.syntax, position) }
        } else {
            try digits()
        }
        var isInteger = true
        if scanner.byte(at: position) == 0x2E {
            isInteger = false
            position &+= 1
            try digits()
        }
        if let letter = scanner.byte(at: position), letter | 0x20 == 0x65 {
            isInteger = false
            position &+= 1
            if let sign = scanner.byte(at: position), sign == 0x2B || sign == 0x2D { position &+= 1 }
            try digits()
        }
        return isInteger
    }

    /// Moves behind one digit or more.
    private mutating func digits() throws(JSONError) {
        let start = position
        while let byte = scanner.byte(at: position), JSONReader.isDigit(byte) { position &+= 1 }
        guard position > start else { throw fault(.syntax, position) }
    }

    /// The value of an integer; `nil` outside the range.
    private static func int64(_ lexeme: UnsafeRawBufferPointer) -> Int64? {
        let isNegative = lexeme.first == 0x2D
        var value: Int64 = 0
        for byte in lexeme.dropFirst(isNegative ? 1 : 0) {
            // Towards the negative side, which reaches further.
            let (shifted, outside) = value.multipliedReportingOverflow(by: 10)
            let (next, below) = shifted.subtractingReportingOverflow(Int64(byte &- 0x30))
            guard !outside, !below else { return nil }
            value = next
        }
        guard isNegative || value != .min else { return nil }
        return isNegative ? value : 0 &- value
    }

    private static func real(_ lexeme: UnsafeRawBufferPointer, room: Int) -> Double {
        withUnsafeTemporaryAllocation(byteCount: room &+ 1, alignment: 1) { memory in
            memory.copyMemory(from: lexeme)
            memory[lexeme.count] = 0
            return mtoken_json_real(memory.assumingMemoryBound(to: CChar.self).baseAddress)
        }
    }

    static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    // MARK: The rest

    @inline(__always)
    private mutating func skipSpace() { position = scanner.skipSpace(position) }

    /// Whether the text goes on with a word, and moves behind it.
    @inline(__always)
    private mutating func takes(_ word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        for offset in 0..<count where scanner.byte(at: position &+ offset) != word.utf8Start[offset] { return false }
        if count > 1, let next = scanner.byte(at: position &+ count), JSONReader.isLetter(next) { return false }
        position &+= count
        return true
    }

    private static func isLetter(_ byte: UInt8) -> Bool { byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A }

    private func fault(_ reason: JSONError.Reason, _ offset: Int) -> JSONError {
        JSONError(reason, offset: offset, in: text)
    }

    /// What stands here must not stand here.
    private func unexpected() -> JSONError {
        guard let byte = scanner.byte(at: position) else { return fault(.prematureEnd, text.count) }
        var end = position &+ 1
        if byte >= 0x80 {
            let rest = UnsafeRawBufferPointer(rebasing: text[position..<min(text.count, position &+ 4)])
            if UTF8Validity.firstInvalid(in: rest) == 0 { return fault(.invalidUTF8, position) }
            while let next = scanner.byte(at: end), next & 0xC0 == 0x80 { end &+= 1 }
        } else if byte == 0x22 {
            end = scanner.endOfValue(position) ?? text.count
        } else if JSONReader.isLetter(byte) {
            while let next = scanner.byte(at: end), JSONReader.isLetter(next) { end &+= 1 }
        }
        return fault(.syntax, end)
    }
}
