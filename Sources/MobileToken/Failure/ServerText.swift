// SPDX-License-Identifier: Apache-2.0
/// Texts that a server chose, made fit for a log file or a terminal: a line end could forge a log line, an escape sequence
/// could move the cursor, and a bidirectional mark could reverse the text around it.
enum ServerText {
    /// Longest message, code and address, in characters.
    static var messageLimit: Int { 512 }
    static var codeLimit: Int { 128 }
    static var addressLimit: Int { 2048 }

    /// The text without control characters and marks of direction, in one line of at most so many characters.
    static func cleaned(_ text: String, limit: Int = messageLimit) -> String {
        var result = String.UnicodeScalarView()
        var count = 0
        for scalar in text.unicodeScalars {
            guard !isMark(scalar.value) else { continue }
            guard count < limit else {
                result.removeLast()
                result.append("…")
                break
            }
            result.append(isControl(scalar.value) ? " " : scalar)
            count += 1
        }
        return String(result)
    }

    /// C0, DEL and C1, and the separators of lines and paragraphs.
    private static func isControl(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: true
        default: false
        }
    }

    /// Bidirectional marks, and characters that no screen shows.
    private static func isMark(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x61C, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFEFF, 0xE0000...0xE007F: true
        default: false
        }
    }
}
