/// Finds the bounds of JSON values in a text without decoding or copying them.
///
/// Total: on a text that is not JSON it answers something or `nil`, but it never reads outside the buffer, never
/// recurses, and always moves forward. What it says is only meaningful for a text that was validated.
///
/// It does not retain anything: the caller keeps the memory alive.
struct JSONScanner {
    private let base: UnsafeRawPointer?
    let count: Int
    private let containers: JSONContainers?

    /// - Parameter containers: where the arrays and objects of the text end, if that is known.
    init(_ bytes: UnsafeRawBufferPointer, containers: JSONContainers? = nil) {
        base = bytes.baseAddress
        count = bytes.count
        self.containers = containers
    }

    /// The byte at an index, `nil` at the end.
    @inline(__always)
    func byte(at index: Int) -> UInt8? {
        guard let base, index >= 0, index < count else { return nil }
        return base.load(fromByteOffset: index, as: UInt8.self)
    }

    /// The first index at or after `index` that is not JSON white space.
    @inline(__always)
    func skipSpace(_ index: Int) -> Int {
        var index = index
        while let byte = byte(at: index), byte == 0x20 || (byte >= 0x09 && byte <= 0x0D && byte != 0x0B && byte != 0x0C)
        {
            index &+= 1
        }
        return index
    }

    /// The index of the closing quote of a string whose first character stands at `index`.
    @inline(__always)
    func endOfString(_ index: Int) -> Int? {
        var escapedNUL = false
        return endOfString(index, escapedNUL: &escapedNUL)
    }

    /// The same, and sets `escapedNUL` if the string holds `\u0000`.
    @inline(__always)
    func endOfString(_ index: Int, escapedNUL: inout Bool) -> Int? {
        guard let base else { return nil }
        var index = index
        while true {
            // Eight bytes at a time while none of them is a quote or a backslash.
            while index &+ 8 <= count {
                let word = base.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                if Self.holds(word, 0x22) || Self.holds(word, 0x5C) { break }
                index &+= 8
            }
            guard index < count else { return nil }
            let byte = base.load(fromByteOffset: index, as: UInt8.self)
            if byte == 0x22 { return index }
            if byte == 0x5C {
                if self.byte(at: index &+ 1) == 0x75, isZeros(index &+ 2) { escapedNUL = true }
                index &+= 2
            } else {
                index &+= 1
            }
        }
    }

    /// Whether `0000` stands at an index.
    private func isZeros(_ index: Int) -> Bool {
        for offset in 0..<4 where byte(at: index &+ offset) != 0x30 { return false }
        return true
    }

    /// Whether one of the eight bytes of `word` equals `byte`.
    @inline(__always)
    private static func holds(_ word: UInt64, _ byte: UInt8) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let difference = word ^ (ones &* UInt64(byte))
        return (difference &- ones) & ~difference & (ones &* 0x80) != 0
    }

    /// The index after the value that begins at `index` (no white space before it).
    func endOfValue(_ start: Int) -> Int? {
        guard let first = byte(at: start) else { return nil }
        switch first {
        case 0x22:
            return endOfString(start &+ 1).map { $0 &+ 1 }
        case 0x7B, 0x5B:
            if let base, let end = containers?.end(of: base + start), end - base <= count { return end - base }
            var depth = 0
            var index = start
            while let byte = byte(at: index) {
                switch byte {
                case 0x22:
                    guard let quote = endOfString(index &+ 1) else { return nil }
                    index = quote
                case 0x7B, 0x5B:
                    depth &+= 1
                case 0x7D, 0x5D:
                    depth &-= 1
                    if depth == 0 { return index &+ 1 }
                default:
                    break
                }
                index &+= 1
            }
            return nil
        default:
            // A number or a word ends where punctuation or white space begins.
            var index = start
            while let byte = byte(at: index), Self.continuesWord(byte) { index &+= 1 }
            return index == start ? nil : index
        }
    }

    private static func continuesWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x2E: true
        default: false
        }
    }

    /// One element of an array, or one member of an object.
    struct Item {
        /// What stands between the quotes of the name; empty for elements.
        var name: Range<Int>
        /// Where the value stands.
        var value: Range<Int>
    }

    /// The item that begins at or after `index`, which is the index after `[`, `{` or the previous item.
    /// `nil` after the last one, and where the text is broken.
    func item(at index: Int, named: Bool) -> Item? {
        var index = skipSpace(index)
        if byte(at: index) == 0x2C { index = skipSpace(index &+ 1) }
        var name = index..<index
        if named {
            guard byte(at: index) == 0x22, let quote = endOfString(index &+ 1) else { return nil }
            name = (index &+ 1)..<quote
            index = skipSpace(quote &+ 1)
            guard byte(at: index) == 0x3A else { return nil }
            index = skipSpace(index &+ 1)
        }
        guard let end = endOfValue(index) else { return nil }
        return Item(name: name, value: index..<end)
    }
}
