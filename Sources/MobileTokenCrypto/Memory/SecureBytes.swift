// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// Secret bytes: one heap buffer that is never copied implicitly and is wiped when the last reference goes.
///
/// It has no text form: neither printing nor interpolating it shows its content.
public final class SecureBytes: Bytes, @unchecked Sendable {
    /// The number of bytes.
    public let count: Int
    private let base: UnsafeMutableRawPointer?
    private let capacity: Int

    // The other initialisers are `convenience`: Embedded Swift has no generic designated ones.
    private init(adopting base: UnsafeMutableRawPointer?, count: Int, capacity: Int) {
        self.base = base
        self.count = count
        self.capacity = capacity
    }

    /// `count` zero bytes. A negative count is taken as 0.
    package convenience init(count: Int) {
        let room = max(0, count)
        self.init(adopting: SecureBytes.allocate(room), count: room, capacity: room)
    }

    /// A copy of bytes. The caller's own are not wiped.
    public convenience init(_ bytes: [UInt8]) { self.init(copying: bytes) }

    /// A copy of a text in UTF-8. The caller's own cannot be wiped: read PINs as bytes where that is possible.
    public convenience init(_ text: String) { self.init(copying: text) }

    /// A copy of the bytes of another value.
    package convenience init(copying source: some Bytes) {
        let room = source.byteCount
        let target = SecureBytes.allocate(room)
        source.withBytes { (bytes: UnsafeRawBufferPointer) -> Void in
            if let target, let from = bytes.baseAddress {
                target.copyMemory(from: from, byteCount: min(room, bytes.count))
            }
        }
        self.init(adopting: target, count: room, capacity: room)
    }

    /// `count` bytes written in place by `fill`, which finds them zero. If it throws, the buffer is wiped and freed.
    package convenience init<E: Error>(
        count: Int, fill: (UnsafeMutableRawBufferPointer) throws(E) -> Void
    ) throws(E) {
        let room = max(0, count)
        try self.init(capacity: room) { (buffer) throws(E) -> Int in
            try fill(buffer)
            return room
        }
    }

    /// At most `capacity` bytes written in place by `fill`, which finds them zero and returns how many of them count.
    convenience init<E: Error>(
        capacity: Int, fill: (UnsafeMutableRawBufferPointer) throws(E) -> Int
    ) throws(E) {
        let target = SecureBytes.allocate(capacity)
        let buffer = UnsafeMutableRawBufferPointer(start: target, count: capacity)
        let written: Int
        do throws(E) {
            written = try fill(buffer)
        } catch {
            wipe(buffer)
            target?.deallocate()
            throw error
        }
        self.init(adopting: target, count: min(max(0, written), capacity), capacity: capacity)
    }

    deinit {
        wipe(UnsafeMutableRawBufferPointer(start: base, count: capacity))
        base?.deallocate()
    }

    private static func allocate(_ count: Int) -> UnsafeMutableRawPointer? {
        guard count > 0 else { return nil }
        let memory = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 16)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: count)
        return memory
    }

    /// Lends the bytes for the time of the call.
    public func withBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        try body(UnsafeRawBufferPointer(start: base, count: count))
    }

    /// Lends the bytes for writing. The caller must hold the only reference that is in use.
    package func withMutableBytes<R, E: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        try body(UnsafeMutableRawBufferPointer(start: base, count: count))
    }

    /// A copy of a part, or nil when the range does not lie within the bytes.
    package func slice(_ range: Range<Int>) -> SecureBytes? {
        guard range.lowerBound >= 0, range.upperBound <= count else { return nil }
        return SecureBytes(
            copying: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(start: base, count: count)[range]))
    }

    /// Whether the bytes are the same as those of another value; constant time for equal lengths.
    package func isEqual(to other: some Bytes) -> Bool {
        constantTimeEqual(self, other)
    }

    /// Whether every byte is zero (true for an empty value); constant time.
    package var isAllZero: Bool {
        var union: UInt8 = 0
        for byte in UnsafeRawBufferPointer(start: base, count: count) { union |= byte }
        return union == 0
    }
}

extension SecureBytes: CustomStringConvertible {
    /// The length only.
    public var description: String { "SecureBytes(" + String(count) + ")" }
}

#if !hasFeature(Embedded)
    extension SecureBytes: CustomDebugStringConvertible, CustomReflectable {
        /// The length only.
        public var debugDescription: String { description }
        /// Nothing: reflection must not walk to the bytes.
        public var customMirror: Mirror { Mirror(self, children: []) }
    }
#endif
