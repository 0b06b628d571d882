internal import CJansson

/// A JSON text that was read: owner of Jansson's tree and of one NUL-terminated copy of the text.
///
/// Everything that is read from it (`JSONValue`, `JSONText`, `RawJSON`) points into this memory and retains the document.
/// Immutable after `init`, so it may be read from any threads at once.
///
/// **Strict** (RFC 8259, and more): UTF-8 only, no byte order mark, no duplicate names; bounded size, depth and number of
/// values. U+0000 inside a string is accepted here, but `JSONValue.text` answers `nil` for such a string, since most readers would
/// see only the part before it.
///
/// **Numbers out of range.** A bank's 20-digit reference in a member that nobody reads must not make a whole list
/// unreadable: an integer outside `Int64` becomes a real that approximates it, a real beyond `Double` becomes null. `raw`
/// still has each as it was written. Ordinary integers stay integers.
public final class JSONDocument: @unchecked Sendable {
    /// Top of Jansson's tree, owned.
    let tree: UnsafeMutablePointer<json_t>
    /// The text, followed by a NUL.
    private let source: UnsafeMutableRawBufferPointer
    /// Where its arrays and objects stand.
    private let containerList: UnsafeMutableBufferPointer<JSONContainers.Container>
    /// Whether one of its strings may hold U+0000; else no string has to be searched for it.
    let mayHoldNUL: Bool
    /// How many values it has: objects, arrays, strings, numbers, booleans and nulls together.
    package let valueCount: Int
    private let sensitive: Bool

    /// Reads a text.
    ///
    /// - Parameters:
    ///   - text: UTF-8, copied.
    ///   - limits: bounds that are checked before anything is decoded.
    ///   - sensitive: the strings of this text are secrets: none of them passes through memory that is freed unwiped.
    ///     (Names of members and numbers do.)
    /// - Throws: `JSONError` with offset, line and column.
    package convenience init(
        parsing text: UnsafeRawBufferPointer, limits: JSONLimits = .default, sensitive: Bool = false
    ) throws(JSONError) {
        self.init(try Self.read(text, limits: limits, sensitive: sensitive), sensitive: sensitive)
    }

    /// Reads a text; see `init(parsing:limits:sensitive:)` with a buffer.
    package convenience init(
        parsing text: [UInt8], limits: JSONLimits = .default, sensitive: Bool = false
    ) throws(JSONError) {
        let result: Result<Parts, JSONError> = text.withUnsafeBytes { bytes in
            do throws(JSONError) {
                return .success(try Self.read(bytes, limits: limits, sensitive: sensitive))
            } catch {
                return .failure(error)
            }
        }
        self.init(try result.get(), sensitive: sensitive)
    }

    // Embedded Swift loses the memory of an object whose designated initialiser fails: the ones that can fail are
    // `convenience`.
    private init(_ parts: Parts, sensitive: Bool) {
        (tree, source, containerList) = (parts.tree, parts.source, parts.containers)
        (mayHoldNUL, valueCount) = (parts.mayHoldNUL, parts.valueCount)
        self.sensitive = sensitive
    }

    deinit {
        if sensitive {
            JSONNode(tree).wipeTexts()
            wipeJSONMemory(source)
        }
        mtoken_json_free(tree)
        source.deallocate()
        containerList.deallocate()
    }

    /// The top value.
    public var root: JSONValue { JSONValue(document: self, node: JSONNode(tree)) }

    /// The text as it was received.
    public var raw: RawJSON { RawJSON(owner: self, bytes: sourceBytes) }

    /// The text without the NUL that follows it. Lives as long as the document.
    var sourceBytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: source.dropLast()) }

    /// Where the arrays and objects of the text stand. Lives as long as the document.
    var containers: JSONContainers { JSONContainers(text: sourceBytes, list: UnsafeBufferPointer(containerList)) }

    private struct Parts {
        let tree: UnsafeMutablePointer<json_t>
        let source: UnsafeMutableRawBufferPointer
        let containers: UnsafeMutableBufferPointer<JSONContainers.Container>
        let mayHoldNUL: Bool
        let valueCount: Int
    }

    private static func read(
        _ text: UnsafeRawBufferPointer, limits: JSONLimits, sensitive: Bool
    ) throws(JSONError) -> Parts {
        guard text.count <= limits.maximumSize else {
            throw JSONError(.tooLarge, offset: max(0, limits.maximumSize), line: 1, column: 0)
        }
        // No NUL byte is allowed anywhere: in strings it is written as \u0000.
        if let base = text.baseAddress, let zero = memchr(base, 0, text.count) {
            throw JSONError(.syntax, offset: UnsafeRawPointer(zero) - base, in: text)
        }
        try checkTopLevel(of: text, limits: limits)
        let survey = JSONContainers.survey(
            text, maximumDepth: limits.maximumDepth, maximumValues: limits.maximumValues)
        if let offset = survey.tooDeep { throw JSONError(.tooDeep, offset: offset, in: text) }
        if let offset = survey.tooMany { throw JSONError(.tooManyValues, offset: offset, in: text) }
        let source = UnsafeMutableRawBufferPointer.allocate(byteCount: text.count &+ 1, alignment: 1)
        source.copyMemory(from: text)
        source[text.count] = 0
        do throws(JSONError) {
            let tree = try JSONReader.read(
                UnsafeRawBufferPointer(rebasing: source.dropLast()), maximumDepth: limits.maximumDepth,
                sensitive: sensitive)
            let containers = UnsafeMutableBufferPointer<JSONContainers.Container>.allocate(
                capacity: survey.containers.count)
            _ = containers.initialize(from: survey.containers)
            return Parts(
                tree: tree, source: source, containers: containers, mayHoldNUL: survey.mayHoldNUL,
                valueCount: survey.values)
        } catch {
            if sensitive { wipeJSONMemory(source) }
            source.deallocate()
            throw error
        }
    }

    /// The kind of the top value, before the text is read.
    private static func checkTopLevel(of text: UnsafeRawBufferPointer, limits: JSONLimits) throws(JSONError) {
        guard !limits.allowsAnyTopLevel else { return }
        let scanner = JSONScanner(text)
        let start = scanner.skipSpace(0)
        if let first = scanner.byte(at: start), first != 0x7B, first != 0x5B {
            throw JSONError(startsValue(first) ? .wrongTopLevel : .syntax, offset: start, in: text)
        }
    }

    /// Whether a byte can begin a string, a number or a word.
    private static func startsValue(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x22, 0x2D, 0x30...0x39, 0x66, 0x6E, 0x74: true
        default: false
        }
    }
}
