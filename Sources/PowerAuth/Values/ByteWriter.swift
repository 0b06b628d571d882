// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// Writes pieces of text or of a binary format one after another into given memory; what does not fit is left out.
struct ByteWriter {
    private let memory: UnsafeMutableRawBufferPointer
    /// The number of bytes written.
    private(set) var count = 0

    init(_ memory: UnsafeMutableRawBufferPointer) { self.memory = memory }

    init(_ memory: UnsafeMutableBufferPointer<UInt8>) { self.memory = UnsafeMutableRawBufferPointer(memory) }

    /// Writes a piece.
    @inline(__always)
    mutating func append(_ piece: some Bytes) {
        piece.withBytes { bytes in copy(bytes) }
    }

    private mutating func copy(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress, let target = memory.baseAddress, bytes.count <= memory.count - count
        else { return }
        (target + count).copyMemory(from: source, byteCount: bytes.count)
        count += bytes.count
    }

    /// Writes the Base64 of a piece.
    mutating func append(base64 piece: UnsafeRawBufferPointer) {
        count += Base64.encode(piece, into: UnsafeMutableRawBufferPointer(rebasing: memory[count...])) ?? 0
    }

    /// Writes one byte.
    mutating func append(byte: UInt8) {
        guard count < memory.count else { return }
        memory[count] = byte
        count += 1
    }

    /// Writes a number as 4 bytes, big endian.
    mutating func append(bigEndian value: UInt32) {
        withUnsafeBytes(of: value.bigEndian) { copy($0) }
    }

    /// Writes a number in decimal.
    mutating func append(decimal value: Int64) {
        if value < 0 { append(byte: UInt8(ascii: "-")) }
        var power: UInt64 = 1
        while value.magnitude / power > 9 { power *= 10 }
        while power > 0 {
            append(byte: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value.magnitude / power % 10))
            power /= 10
        }
    }
}
