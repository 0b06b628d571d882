// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// Overwrites the bytes with zeros in a way that the compiler cannot remove. The array keeps its length.
///
/// Only the array's own buffer is reached: a second reference to it makes Swift copy first, so a secret that matters
/// belongs in `SecureBytes`.
package func wipe(_ bytes: inout [UInt8]) {
    bytes.withUnsafeMutableBytes { buffer in wipe(buffer) }
}

/// Overwrites the buffer with zeros in a way that the compiler cannot remove.
@inline(__always)
package func wipe(_ buffer: UnsafeMutableRawBufferPointer) {
    if let base = buffer.baseAddress { OPENSSL_cleanse(base, buffer.count) }
}

/// Whether two runs of bytes are the same, in a time that depends only on their lengths.
///
/// Different lengths answer false at once: lengths are not secret here.
package func constantTimeEqual(_ a: some Bytes, _ b: some Bytes) -> Bool {
    a.withBytes { (one: UnsafeRawBufferPointer) -> Bool in
        b.withBytes { (two: UnsafeRawBufferPointer) -> Bool in
            guard one.count == two.count else { return false }
            guard let left = one.baseAddress, let right = two.baseAddress else { return one.count == 0 }
            return CRYPTO_memcmp(left, right, one.count) == 0
        }
    }
}

/// Lends a scratch buffer on the stack that is wiped afterwards, on success and on failure.
@inline(__always)
package func withWipedScratch<R>(
    _ count: Int, _ body: (UnsafeMutableRawBufferPointer) throws(CryptoError) -> R
) throws(CryptoError) -> R {
    try withUnsafeTemporaryAllocation(byteCount: count, alignment: 16) {
        (scratch: UnsafeMutableRawBufferPointer) throws(CryptoError) -> R in
        defer { wipe(scratch) }
        return try body(scratch)
    }
}
