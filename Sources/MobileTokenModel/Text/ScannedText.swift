// SPDX-License-Identifier: Apache-2.0
import MobileTokenJSON

/// The bytes of a scanned text, checked: UTF-8 without control characters but TAB, split into lines at LF.
struct ScannedText {
    /// Where the first lines begin; only as many as there are lines.
    private(set) var starts = InlineArray<8, Int>(repeating: 0)
    /// The number of lines, at least 1.
    private(set) var lineCount = 1
    /// Where the last line begins.
    private(set) var last = 0
    /// The start of the last line but one; 0 if there is only one.
    private(set) var lastButOne = 0

    /// Checks the bytes in one pass, eight at a time where all are printable ASCII.
    ///
    /// - Parameter maximumLineCount: 1: LF is a control character like others
    init(_ text: UnsafeRawBufferPointer, maximumLineCount: Int) throws(TextFault) {
        var index = 0
        var holdsOthers = false
        while index < text.count {
            if index &+ 8 <= text.count {
                let word = text.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                if Self.isPlain(word) {
                    index &+= 8
                    continue
                }
            }
            let byte = text[index]
            if byte >= 0x80 {
                holdsOthers = true
            } else if byte < 0x20, byte != 0x09 {
                guard byte == 0x0A, maximumLineCount > 1 else {
                    try Self.checkUTF8(text, end: index, holdsOthers)
                    throw TextFault(.controlCharacter, offset: index, line: lineCount)
                }
                lastButOne = last
                last = index &+ 1
                if lineCount < starts.count { starts[lineCount] = last }
                lineCount &+= 1
                guard lineCount <= maximumLineCount else {
                    try Self.checkUTF8(text, end: index, holdsOthers)
                    throw TextFault(.tooLong, offset: last, line: lineCount)
                }
            }
            index &+= 1
        }
        try Self.checkUTF8(text, end: text.count, holdsOthers)
    }

    /// Whether each of eight bytes is from 0x20 to 0x7F.
    @inline(__always)
    private static func isPlain(_ word: UInt64) -> Bool {
        (word | (word &- 0x2020_2020_2020_2020)) & 0x8080_8080_8080_8080 == 0
    }

    @inline(__always)
    private static func checkUTF8(_ text: UnsafeRawBufferPointer, end: Int, _ holdsOthers: Bool) throws(TextFault) {
        guard holdsOthers else { return }
        let checked = UnsafeRawBufferPointer(rebasing: text[..<end])
        guard let offset = UTF8Validity.firstInvalid(in: checked) else { return }
        throw TextFault(.invalidUTF8, offset: offset, in: text)
    }

    /// The line with a number from 0 to 6, without its LF. There must be a line after it.
    func line(_ number: Int) -> Range<Int> {
        let (start, next) = (starts[number], starts[number &+ 1])
        return start..<max(start, next &- 1)
    }
}
