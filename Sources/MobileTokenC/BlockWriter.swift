import CMToken
import CSystem

/// Lays structs and texts one after another into a block of memory whose size was computed before.
struct BlockWriter {
    private var next: UnsafeMutableRawPointer
    private var left: Int

    /// A block of at least `size` bytes; nil if no memory can be had. The first thing reserved stands at its beginning.
    init?(size: Int) {
        guard let memory = malloc(size) else { return nil }
        next = memory
        left = size
    }

    /// Room for structs, uninitialised. All structs come before the first text.
    mutating func reserve<T>(_ type: T.Type, count: Int = 1) -> UnsafeMutablePointer<T> {
        let place = next.assumingMemoryBound(to: T.self)
        let size = MemoryLayout<T>.stride &* count
        precondition(size <= left, "the block is too small")
        next += size
        left &-= size
        return place
    }

    /// Puts a copy of bytes.
    mutating func bytes(_ bytes: UnsafeRawBufferPointer) -> UnsafePointer<UInt8> {
        let place = reserve(UInt8.self, count: bytes.count)
        UnsafeMutableRawBufferPointer(start: place, count: bytes.count).copyMemory(from: bytes)
        return UnsafePointer(place)
    }

    /// Puts a NUL-terminated text that `write` makes.
    ///
    /// - Parameters:
    ///   - maximum: how many bytes it writes at most
    ///   - write: writes the text and returns its length
    @inline(__always)
    mutating func text(maximum: Int, _ write: (UnsafeMutableRawPointer) -> Int) -> UnsafePointer<CChar> {
        precondition(maximum < left, "the block is too small")
        let start = next
        let count = write(start)
        start.storeBytes(of: 0, toByteOffset: count, as: UInt8.self)
        next += count &+ 1
        left &-= count &+ 1
        return UnsafePointer(start.assumingMemoryBound(to: CChar.self))
    }

    /// Puts a NUL-terminated copy.
    mutating func text(_ bytes: UnsafeRawBufferPointer) -> UnsafePointer<CChar> {
        text(maximum: bytes.count) { output in
            if let base = bytes.baseAddress { output.copyMemory(from: base, byteCount: bytes.count) }
            return bytes.count
        }
    }

    /// Puts a NUL-terminated copy of a part.
    mutating func text(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> UnsafePointer<CChar> {
        text(UnsafeRawBufferPointer(rebasing: bytes[range]))
    }
}

/// Frees a block after wiping it: it may hold a one-time password.
func wipeAndFree(_ block: UnsafeMutableRawPointer?) {
    guard let block else { return }
    explicit_bzero(block, malloc_usable_size(block))
    free(block)
}
