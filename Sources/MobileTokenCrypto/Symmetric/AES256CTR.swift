// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// AES-256 in counter mode: a counter block of 16 bytes, counted up as one big-endian number (SP 800-38A). Encrypting and
/// decrypting are the same. It authenticates nothing.
package enum AES256CTR {
    /// The length of a key in bytes.
    package static let keyLength = 32
    /// The length of the first counter block in bytes.
    package static let counterLength = 16

    /// The output is not secret.
    package static func crypt(_ data: some Bytes, key: some Bytes, counter: some Bytes) throws(CryptoError) -> [UInt8] {
        try withBytes(data, key, counter) { (data, key, counter) throws(CryptoError) -> [UInt8] in
            try [UInt8].make(capacity: data.count) { (output) throws(CryptoError) -> Int in
                try crypt(data, key: key, counter: counter, into: output)
                return data.count
            }
        }
    }

    /// The output is secret.
    package static func cryptSecure(
        _ data: some Bytes, key: some Bytes, counter: some Bytes
    ) throws(CryptoError) -> SecureBytes {
        try withBytes(data, key, counter) { (data, key, counter) throws(CryptoError) -> SecureBytes in
            try SecureBytes(count: data.count) { (output) throws(CryptoError) -> Void in
                try crypt(data, key: key, counter: counter, into: output)
            }
        }
    }

    /// Writes as many bytes as there are, which may take the place of the input.
    @inline(never)
    package static func crypt(
        _ data: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, counter: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
        guard key.count == keyLength else { throw CryptoError(reason: .invalidKey) }
        guard counter.count == counterLength, output.count >= data.count else {
            throw CryptoError(reason: .invalidLength)
        }
        let length = try int32(data.count)
        guard length > 0 else { return }
        guard let context = EVP_CIPHER_CTX_new() else { throw .unexpected() }
        // Freeing the context wipes its key.
        defer { EVP_CIPHER_CTX_free(context) }
        var written: Int32 = 0
        guard
            EVP_EncryptInit_ex2(context, Algorithms.shared.aes256CTR, key.bytes, counter.bytes, nil) == 1,
            EVP_EncryptUpdate(context, output.bytes, &written, data.bytes, length) == 1, written == length
        else { throw .unexpected() }
    }
}
