// SPDX-License-Identifier: Apache-2.0
/// Writes JSON text, without white space, straight into a byte array.
///
/// Commas are put where they belong. The writer trusts its caller to call `key` before each value of an object and to
/// close what it opened.
///
/// With `sensitive: true` nothing that was written stays in memory: a buffer that became too small is wiped before it is
/// freed. The last buffer is the caller's: `wipe()` it when it has been used.
public struct JSONWriter {
    /// The output so far. A copy of the array that is kept makes `wipe()` wipe a copy: read it with `withBytes`.
    public private(set) var bytes: [UInt8]
    private let sensitive: Bool
    private var needsComma = false

    /// An empty text.
    ///
    /// - Parameters:
    ///   - capacity: bytes to reserve.
    ///   - sensitive: wipe buffers that are given up while the text grows.
    public init(capacity: Int = 256, sensitive: Bool = false) {
        bytes = []
        bytes.reserveCapacity(max(16, capacity))
        self.sensitive = sensitive
    }

    /// The text; the pointer is good until `body` returns.
    public func withBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        let result: Result<R, E> = bytes.withUnsafeBytes { buffer in
            do throws(E) {
                return .success(try body(buffer))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Overwrites what was written with zeros and begins a new text in the same memory.
    public mutating func wipe() {
        Self.wipe(&bytes)
        bytes.removeAll(keepingCapacity: true)
        needsComma = false
    }

    /// `{`
    public mutating func beginObject() { open(0x7B) }

    /// `}`
    public mutating func endObject() { close(0x7D) }

    /// `[`
    public mutating func beginArray() { open(0x5B) }

    /// `]`
    public mutating func endArray() { close(0x5D) }

    /// The name of the next member. (A literal is a `String`.)
    @inline(never)
    public mutating func key(_ name: StaticString) {
        separate()
        name.withUTF8Buffer { appendQuoted(UnsafeRawBufferPointer($0)) }
        append(0x3A)
        needsComma = false
    }

    /// The name of the next member.
    @inline(never)
    public mutating func key(_ name: String) {
        var name = name
        separate()
        name.withUTF8 { appendQuoted(UnsafeRawBufferPointer($0)) }
        append(0x3A)
        needsComma = false
    }

    /// A string. (A literal is a `String`.)
    @inline(never)
    public mutating func value(_ text: StaticString) {
        separate()
        text.withUTF8Buffer { appendQuoted(UnsafeRawBufferPointer($0)) }
        needsComma = true
    }

    /// A string.
    @inline(never)
    public mutating func value(_ text: String) {
        var text = text
        separate()
        text.withUTF8 { appendQuoted(UnsafeRawBufferPointer($0)) }
        needsComma = true
    }

    /// A string of a document.
    @inline(never)
    public mutating func value(_ text: JSONText) {
        separate()
        text.withBytes { appendQuoted($0) }
        needsComma = true
    }

    /// A string given as bytes.
    ///
    /// - Throws: `JSONError` `invalidUTF8` with the offset of the first byte that is not UTF-8; nothing is written then.
    public mutating func value(utf8 text: UnsafeRawBufferPointer) throws(JSONError) {
        if let offset = UTF8Validity.firstInvalid(in: text) { throw JSONError(.invalidUTF8, offset: offset, in: text) }
        separate()
        appendQuoted(text)
        needsComma = true
    }

    /// An integer.
    @inline(never)
    public mutating func value(_ number: Int64) {
        separate()
        append(contentsOf: String(number))
        needsComma = true
    }

    /// An integer.
    public mutating func value(_ number: Int) { value(Int64(number)) }

    /// A boolean.
    @inline(never)
    public mutating func value(_ flag: Bool) {
        separate()
        append(contentsOf: flag ? "true" : "false")
        needsComma = true
    }

    /// A value that is JSON already, as it is: only what came out of a `JSONDocument`, or was read by one.
    @inline(never)
    public mutating func raw(_ json: UnsafeRawBufferPointer) {
        separate()
        append(json)
        needsComma = true
    }

    /// A value that is JSON already, as it is.
    public mutating func raw(_ json: [UInt8]) {
        separate()
        json.withUnsafeBytes { append($0) }
        needsComma = true
    }

    // MARK: - Bytes

    @inline(never)
    private mutating func open(_ bracket: UInt8) {
        separate()
        append(bracket)
        needsComma = false
    }

    @inline(never)
    private mutating func close(_ bracket: UInt8) {
        append(bracket)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { append(0x2C) }
    }

    private mutating func append(_ byte: UInt8) {
        reserve(1)
        bytes.append(byte)
    }

    private mutating func append(_ text: UnsafeRawBufferPointer) {
        reserve(text.count)
        bytes.append(contentsOf: text)
    }

    private mutating func append(contentsOf text: String) {
        reserve(text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }

    /// Appends a string with its quotes. Runs of plain bytes are copied at once.
    private mutating func appendQuoted(_ text: UnsafeRawBufferPointer) {
        reserve(text.count &+ 2)
        bytes.append(0x22)
        var start = 0
        for index in 0..<text.count {
            let byte = text[index]
            guard byte < 0x20 || byte == 0x22 || byte == 0x5C else { continue }
            append(UnsafeRawBufferPointer(rebasing: text[start..<index]))
            appendEscaped(byte)
            start = index &+ 1
        }
        append(UnsafeRawBufferPointer(rebasing: text[start..<text.count]))
        append(0x22)
    }

    private mutating func appendEscaped(_ byte: UInt8) {
        reserve(6)
        bytes.append(0x5C)
        switch byte {
        case 0x08: bytes.append(0x62)
        case 0x09: bytes.append(0x74)
        case 0x0A: bytes.append(0x6E)
        case 0x0C: bytes.append(0x66)
        case 0x0D: bytes.append(0x72)
        case 0x22, 0x5C: bytes.append(byte)
        default:
            bytes.append(contentsOf: "u00".utf8)
            bytes.append(Self.hexDigit(byte &>> 4))
            bytes.append(Self.hexDigit(byte & 0x0F))
        }
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 &+ value : 0x61 &- 10 &+ value }

    /// Makes room, so that the array does not move (and leave its contents behind) by itself.
    private mutating func reserve(_ more: Int) {
        let needed = bytes.count &+ more
        guard needed > bytes.capacity else { return }
        guard sensitive else { return bytes.reserveCapacity(max(needed, bytes.capacity &* 2)) }
        var larger: [UInt8] = []
        larger.reserveCapacity(max(needed, bytes.capacity &* 2))
        larger.append(contentsOf: bytes)
        swap(&bytes, &larger)
        Self.wipe(&larger)
    }

    private static func wipe(_ bytes: inout [UInt8]) {
        bytes.withUnsafeMutableBytes { wipeJSONMemory($0) }
    }
}
