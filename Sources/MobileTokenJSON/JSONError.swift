// SPDX-License-Identifier: Apache-2.0
/// Why a text was refused as JSON, and where.
///
/// The error never holds any of the text itself, so that it can be logged.
public struct JSONError: Error, Equatable, Sendable {
    /// The faults of a text.
    public enum Reason: Sendable {
        /// The text breaks the grammar of RFC 8259, or something follows the value.
        case syntax
        /// The text ends inside a value.
        case prematureEnd
        /// A string holds bytes that are not UTF-8.
        case invalidUTF8
        /// An object has the same name twice.
        case duplicateKey
        /// A name holds U+0000, which no member can be called.
        case invalidKey
        /// The top level is neither an object nor an array.
        case wrongTopLevel
        /// Arrays and objects are nested deeper than `JSONLimits.maximumDepth`.
        case tooDeep
        /// There are more values than `JSONLimits.maximumValues`.
        case tooManyValues
        /// The text is longer than `JSONLimits.maximumSize`.
        case tooLarge
        /// There was not enough memory.
        case outOfMemory
    }

    /// The fault.
    public let reason: Reason
    /// Offset in bytes, from 0: how much of the text was read when the fault was seen.
    public let offset: Int
    /// Line, from 1.
    public let line: Int
    /// Column in characters (Unicode scalars), 0 before the first character of a line.
    public let column: Int

    /// An error at a place; see the properties.
    package init(_ reason: Reason, offset: Int, line: Int, column: Int) {
        self.reason = reason
        self.offset = offset
        self.line = line
        self.column = column
    }

    /// The error at an offset of a text, with line and column counted from its beginning.
    init(_ reason: Reason, offset: Int, in text: UnsafeRawBufferPointer) {
        var line = 1
        var column = 0
        for byte in text.prefix(offset) {
            if byte == 0x0A {
                line &+= 1
                column = 0
            } else if byte & 0xC0 != 0x80 {
                column &+= 1
            }
        }
        self.init(reason, offset: offset, line: line, column: column)
    }
}
