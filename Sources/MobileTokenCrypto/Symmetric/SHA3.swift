// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// Keccak with blocks of 136 bytes, on contexts that are kept.
enum Sponge {
    /// How many bytes one permutation takes in.
    static let blockLength = 136

    /// Lends a context that is ready for input, with all input of the last message finished when `body` returns.
    @inline(__always)
    static func withContext(
        _ pool: ContextPool, _ body: (OpaquePointer) throws(CryptoError) -> Void
    ) throws(CryptoError) {
        try pool.lend(body, clean: clean)
    }

    /// OpenSSL clears the state when it begins anew, but not the last block of the input: zeros take its place.
    private static func clean(_ context: OpaquePointer) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: blockLength, alignment: 8) { zeros in
            zeros.initializeMemory(as: UInt8.self, repeating: 0)
            return SHA256.restart(context) && EVP_DigestUpdate(context, zeros.baseAddress, blockLength - 1) == 1
                && SHA256.restart(context)
        }
    }
}

/// SHA3-256 (FIPS 202).
package enum SHA3 {
    /// The length of a digest in bytes.
    package static let digestLength = 32

    /// The digest of public data: 32 bytes.
    package static func hash(_ data: some Bytes) throws(CryptoError) -> [UInt8] {
        try data.withBytes { (input: UnsafeRawBufferPointer) throws(CryptoError) -> [UInt8] in
            try [UInt8].make(capacity: digestLength) { (output) throws(CryptoError) -> Int in
                try compute(input, into: output)
                return digestLength
            }
        }
    }

    /// The digest of a secret: 32 bytes.
    package static func hashSecure(_ data: some Bytes) throws(CryptoError) -> SecureBytes {
        try data.withBytes { (input: UnsafeRawBufferPointer) throws(CryptoError) -> SecureBytes in
            try SecureBytes(count: digestLength) { (output) throws(CryptoError) -> Void in
                try compute(input, into: output)
            }
        }
    }

    /// Writes the 32 bytes of the digest, which may take the place of the input.
    @inline(never)
    package static func compute(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
        guard output.count >= digestLength else { throw CryptoError(reason: .invalidLength) }
        try Sponge.withContext(Algorithms.shared.sha3Digests) { (context) throws(CryptoError) -> Void in
            guard EVP_DigestUpdate(context, input.baseAddress, input.count) == 1,
                EVP_DigestFinal_ex(context, output.bytes, nil) == 1
            else { throw .unexpected() }
        }
    }
}
