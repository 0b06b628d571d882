// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// Memory for texts that are decoded, given out from the front.
struct Scratch {
    private var next: UnsafeMutableRawPointer?
    private var left: Int

    init(_ memory: UnsafeMutableRawBufferPointer) {
        next = memory.baseAddress
        left = memory.count
    }

    /// Room for a text.
    ///
    /// - Parameter write: writes at most `maximum` bytes and returns how many, or nil
    /// - Returns: the written bytes; nil if `write` returns nil or there is no room
    mutating func write(
        maximum: Int, _ write: (UnsafeMutableRawPointer) -> Int?
    ) -> UnsafeRawBufferPointer? {
        guard let start = next, maximum <= left, let count = write(start) else { return nil }
        next = start + count
        left &-= count
        return UnsafeRawBufferPointer(start: start, count: count)
    }
}

extension UnsafeRawBufferPointer {
    /// A part, in place.
    @inline(__always)
    func part(_ range: Range<Int>) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: self[range]) }

    /// Whether the bytes are those of a literal.
    @inline(__always)
    func equals(_ literal: StaticString) -> Bool {
        sameBytes(self, UnsafeRawBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }
}
