// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// SHA-256 (FIPS 180-4).
package enum SHA256 {
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

    /// Writes the 32 bytes of the digest.
    static func compute(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
        guard output.count >= digestLength else { throw CryptoError(reason: .invalidLength) }
        try withContext { (context) throws(CryptoError) -> Void in
            guard EVP_DigestUpdate(context, input.baseAddress, input.count) == 1,
                EVP_DigestFinal_ex(context, output.bytes, nil) == 1
            else { throw .unexpected() }
        }
    }

    /// Lends a context that is ready for input, with all input of the last message finished when `body` returns.
    ///
    /// It goes back to the pool initialised anew, which overwrites the state that it had and saves the next user the
    /// same step.
    @inline(__always)
    static func withContext(_ body: (OpaquePointer) throws(CryptoError) -> Void) throws(CryptoError) {
        try Algorithms.shared.digests.lend(body, clean: restart)
    }

    /// Makes the context ready for another message.
    @inline(__always)
    static func restart(_ context: OpaquePointer) -> Bool { EVP_DigestInit_ex2(context, nil, nil) == 1 }
}
