// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// A contiguous run of bytes that a primitive can read: arrays, slices, raw buffers, text (as UTF-8), secrets.
package protocol Bytes {
    /// Lends the bytes for the time of the call. The buffer must not escape; its base may be nil when it is empty.
    func withBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R
}

extension Bytes {
    /// The number of bytes. (`count` is not asked for: that of a String is the number of its characters.)
    @inlinable
    package var byteCount: Int { withBytes { $0.count } }
}

extension [UInt8]: Bytes {
    @inlinable
    package func withBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        try span.withUnsafeBytes(body)
    }
}

extension ArraySlice<UInt8>: Bytes {
    @inlinable
    package func withBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        try span.withUnsafeBytes(body)
    }
}

extension UnsafeRawBufferPointer: Bytes {
    @inlinable
    package func withBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        try body(self)
    }
}

extension StaticString: Bytes {
    package func withBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        if hasPointerRepresentation {
            return try body(UnsafeRawBufferPointer(start: utf8Start, count: utf8CodeUnitCount))
        }
        return try withUTF8Buffer { [UInt8]($0) }.withBytes(body)
    }
}

extension String: Bytes {
    /// Lends the UTF-8 bytes.
    @inlinable
    package func withBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        try utf8.span.withUnsafeBytes(body)
    }
}

/// Whether two runs of bytes are the same. Not for secrets: the time depends on the content.
package func sameBytes(_ one: some Bytes, _ other: some Bytes) -> Bool {
    one.withBytes { (one: UnsafeRawBufferPointer) -> Bool in
        other.withBytes { (other: UnsafeRawBufferPointer) -> Bool in areSame(one, other) }
    }
}

/// The same for two texts, as most are; not copied into each place.
@inline(never)
package func sameBytes(_ one: String, _ other: String) -> Bool {
    one.withBytes { (one: UnsafeRawBufferPointer) -> Bool in sameBytes(one, other) }
}

/// The same for a text and a run of bytes.
@inline(never)
package func sameBytes(_ one: UnsafeRawBufferPointer, _ other: String) -> Bool {
    other.withBytes { (other: UnsafeRawBufferPointer) -> Bool in areSame(one, other) }
}

/// The same for a text and a literal.
package func sameBytes(_ one: StaticString, _ other: String) -> Bool {
    sameBytes(UnsafeRawBufferPointer(start: one.utf8Start, count: one.utf8CodeUnitCount), other)
}

@inline(never)
private func areSame(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
    guard one.count == other.count else { return false }
    guard let left = one.baseAddress, let right = other.baseAddress else { return true }
    return memcmp(left, right, one.count) == 0
}

/// Whether a run of bytes begins with another one. Not for secrets.
package func begins(_ bytes: some Bytes, with start: some Bytes) -> Bool {
    bytes.withBytes { (bytes: UnsafeRawBufferPointer) -> Bool in
        start.withBytes { (start: UnsafeRawBufferPointer) -> Bool in
            start.count <= bytes.count && areSame(UnsafeRawBufferPointer(rebasing: bytes[..<start.count]), start)
        }
    }
}

/// Whether a run of bytes comes before another one: by the first byte that differs, then the shorter one. Not for secrets.
package func precedes(_ one: some Bytes, _ other: some Bytes) -> Bool {
    one.withBytes { (one: UnsafeRawBufferPointer) -> Bool in
        other.withBytes { (other: UnsafeRawBufferPointer) -> Bool in isBefore(one, other) }
    }
}

@inline(never)
private func isBefore(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
    guard let left = one.baseAddress, let right = other.baseAddress else { return one.count < other.count }
    let order = memcmp(left, right, min(one.count, other.count))
    return order != 0 ? order < 0 : one.count < other.count
}

/// Lends two inputs at once.
@inline(__always)
func withBytes<R>(
    _ first: some Bytes, _ second: some Bytes,
    _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws(CryptoError) -> R
) throws(CryptoError) -> R {
    try first.withBytes { (one: UnsafeRawBufferPointer) throws(CryptoError) -> R in
        try second.withBytes { (two: UnsafeRawBufferPointer) throws(CryptoError) -> R in try body(one, two) }
    }
}

/// Lends three inputs at once.
@inline(__always)
func withBytes<R>(
    _ first: some Bytes, _ second: some Bytes, _ third: some Bytes,
    _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws(CryptoError) -> R
) throws(CryptoError) -> R {
    try withBytes(first, second) { (one, two) throws(CryptoError) -> R in
        try third.withBytes { (three: UnsafeRawBufferPointer) throws(CryptoError) -> R in try body(one, two, three) }
    }
}

extension UnsafeRawBufferPointer {
    /// The first place of a byte in a range; nil: it is not there. The part of the range outside does not count.
    package func firstIndex(of byte: UInt8, from start: Int, to end: Int) -> Int? {
        let (start, end) = (Swift.max(start, 0), Swift.min(end, count))
        guard start < end, let base = baseAddress, let found = memchr(base + start, Int32(byte), end - start) else {
            return nil
        }
        return UnsafeRawPointer(found) - base
    }

    /// The bytes as C wants them; nil when empty buffers have no base.
    var bytes: UnsafePointer<UInt8>? { baseAddress?.assumingMemoryBound(to: UInt8.self) }
}

extension UnsafeMutableRawBufferPointer {
    /// The bytes as C wants them; nil when empty buffers have no base.
    var bytes: UnsafeMutablePointer<UInt8>? { baseAddress?.assumingMemoryBound(to: UInt8.self) }
}

extension [UInt8] {
    /// Makes an array of at most `capacity` bytes in place. `fill` returns how many it wrote; when it throws, what it
    /// wrote is wiped, because a failed decryption may have left plaintext. A count out of bounds is an error too: without
    /// memory, `EVP_PKEY_sign` of OpenSSL succeeds with the length -1.
    static func make(
        capacity: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(CryptoError) -> Int
    ) throws(CryptoError) -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: capacity) { (buffer, count) throws(CryptoError) -> Void in
            let room = UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: capacity)
            do throws(CryptoError) {
                let written = try fill(room)
                guard (0...capacity).contains(written) else { throw CryptoError.library() }
                count = written
            } catch {
                wipe(room)
                throw error
            }
        }
    }
}

extension String {
    /// A copy of bytes; what is not UTF-8 in them becomes U+FFFD. One function for each kind of bytes, not one for each caller.
    @inline(never)
    package init(utf8 bytes: some Collection<UInt8>) {
        self.init(decoding: bytes, as: UTF8.self)
    }
}
