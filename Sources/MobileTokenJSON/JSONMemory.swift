// SPDX-License-Identifier: Apache-2.0
internal import CJansson

/// One value of the tree.
///
/// The tree is a block of these in the order of the text: what a container holds follows it. So a value is reached by
/// stepping over the ones before it, each at once, and the whole tree is one piece of memory.
struct JSONRecord {
    /// The values read.
    enum Content {
        case object, array, null
        /// The position of the decoded bytes; a NUL follows them.
        case string(UnsafePointer<UInt8>)
        case integer(Int64)
        case real(Double)
        case bool(Bool)
    }

    var content = Content.null
    /// Bytes of a string, members of an object, elements of an array.
    var count: UInt32 = 0
    /// The value as it was received.
    let raw: UnsafePointer<UInt8>
    var rawCount: UInt32 = 0
    /// How many records the value takes, with all that is inside it.
    var extent: UInt32 = 1
    /// The decoded name of a member, with a NUL after it.
    let name: UnsafePointer<UInt8>?
    let nameCount: UInt32
}

/// The memory of a document, which owns it.
struct JSONMemory {
    /// The text as it was received, and a NUL.
    let source: UnsafeMutablePointer<UInt8>
    /// A copy of it in which strings are decoded in place: none gets longer by that, and the closing quote leaves
    /// room for a NUL.
    let strings: UnsafeMutablePointer<UInt8>
    /// Bytes of the text.
    let length: Int
    /// The tree: its first `count` records.
    private(set) var records: UnsafeMutablePointer<JSONRecord>
    var count = 0
    private var capacity: Int
    private let sensitive: Bool

    /// The text as it was received.
    var text: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: source, count: length) }

    /// Memory for a text, and a copy of the text in it; `nil` if there is not enough.
    init?(copying text: UnsafeRawBufferPointer, sensitive: Bool) {
        // About what a server's reply needs. `grow` finds the rest, and `trim` gives back what was too much.
        capacity = text.count / 24 &+ 8
        guard let copies = malloc(2 &* (text.count &+ 1)) else { return nil }
        guard let block = malloc(capacity &* MemoryLayout<JSONRecord>.stride) else {
            free(copies)
            return nil
        }
        length = text.count
        source = copies.assumingMemoryBound(to: UInt8.self)
        strings = source + (length &+ 1)
        records = block.assumingMemoryBound(to: JSONRecord.self)
        self.sensitive = sensitive
        if let base = text.baseAddress {
            memcpy(source, base, length)
            memcpy(strings, base, length)
        }
        source[length] = 0
        strings[length] = 0
    }

    /// Adds a record; `false` if there is not enough memory.
    mutating func append(_ record: JSONRecord) -> Bool {
        if count == capacity {
            guard resize(to: capacity &* 2) else { return false }
        }
        (records + count).initialize(to: record)
        count &+= 1
        return true
    }

    /// Gives back the room of records that were not needed.
    mutating func trim() { _ = resize(to: max(1, count)) }

    private mutating func resize(to capacity: Int) -> Bool {
        guard let block = realloc(records, capacity &* MemoryLayout<JSONRecord>.stride) else { return false }
        records = block.assumingMemoryBound(to: JSONRecord.self)
        self.capacity = capacity
        return true
    }

    /// Frees the memory: that of a sensitive text wiped.
    func release() {
        if sensitive { wipeJSONMemory(UnsafeMutableRawBufferPointer(start: source, count: 2 &* (length &+ 1))) }
        free(source)
        free(records)
    }
}
