// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// The hash-based counter `CTR_DATA` (powerauth.md §3).
enum HashCounter {
    /// The number of bytes of a counter.
    static let count = 16

    /// The counter after one step: `REDUCE(SHA256(CTR_DATA))`.
    static func next(_ counter: some Bytes) throws(CryptoError) -> SecureBytes {
        try KDF.reducedHash(counter)
    }

    /// Takes one step in place.
    static func advance(_ counter: UnsafeMutableRawBufferPointer) throws(CryptoError) {
        try KDF.reducedHash(UnsafeRawBufferPointer(counter), into: counter)
    }

    /// The hash under which the server shows its counter in a status blob (powerauth.md §12.2).
    ///
    /// - Parameter key: `KEY_TRANSPORT_CTR`.
    static func hash(_ counter: some Bytes, key: SecureBytes) throws(CryptoError) -> SecureBytes {
        try KDF.deriveInternal(key, data: counter)
    }
}
