// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// Where random bytes and fresh key pairs come from: OpenSSL's generator. Tests subclass it to make runs repeatable.
open class RandomSource: @unchecked Sendable {
    /// The generator of this process.
    public init() {}

    /// Fills the buffer with random bytes. An override must fill all of it or throw.
    ///
    /// Uses OpenSSL's private generator, since what is filled here is as often a key as a nonce.
    open func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(CryptoError) {
        guard var base = buffer.bytes else { return }
        try withErrorMark { () throws(CryptoError) -> Void in
            var left = buffer.count
            while left > 0 {
                let part = min(left, 1 << 30)
                guard RAND_priv_bytes(base, Int32(truncatingIfNeeded: part)) == 1 else { throw .library() }
                base += part
                left -= part
            }
        }
    }

    /// Fills the buffer with random bytes that are not secret: a draw like any other, unless a subclass has a quicker way.
    package func fillPublic(_ buffer: UnsafeMutableRawBufferPointer) throws(CryptoError) { try fill(buffer) }

    /// A fresh P-256 key pair.
    open func generateKeyPair() throws(CryptoError) -> PrivateKey {
        try PrivateKey.generate()
    }

    /// A fresh key pair on a curve; on P-384 from bytes that are drawn here until they are a number below the curve's order
    /// (FIPS 186-5, A.2.2).
    package final func keyPair(on curve: Curve) throws(CryptoError) -> PrivateKey {
        guard curve == .p384 else { return try generateKeyPair() }
        // All but one of 2^190 draws are.
        for _ in 0..<4 {
            do throws(CryptoError) {
                return try PrivateKey(bigEndian: try secureBytes(curve.scalarLength), on: curve)
            } catch {
                guard error.reason == .invalidKey else { throw error }
            }
        }
        throw CryptoError(reason: .invalidKey)
    }

    /// `count` random bytes for public use (nonces, challenges, salts). A negative count is refused.
    package final func bytes(_ count: Int) throws(CryptoError) -> [UInt8] {
        guard count >= 0 else { throw CryptoError(reason: .invalidLength) }
        return try [UInt8].make(capacity: count) { (buffer) throws(CryptoError) -> Int in
            try fillPublic(buffer)
            return count
        }
    }

    /// `count` random bytes for secrets. A negative count is refused.
    package final func secureBytes(_ count: Int) throws(CryptoError) -> SecureBytes {
        guard count >= 0 else { throw CryptoError(reason: .invalidLength) }
        return try SecureBytes(count: count) { (buffer) throws(CryptoError) -> Void in try fill(buffer) }
    }
}
