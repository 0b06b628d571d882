// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// HMAC with SHA-256 (RFC 2104, powerauth.md §1.8).
///
/// On one context of the digest, as the RFC writes it: `H(K ^ opad, H(K ^ ipad, data))`. OpenSSL's own HMAC keeps three contexts
/// for each key and has to be given another key to forget the last. The pads stay on the stack and are wiped; the context goes
/// back to its pool set to the digest's initial value, so nothing of key or code is left in it.
package enum HMACSHA256 {
    /// The length of a code in bytes.
    package static let codeLength = 32

    /// The authentication code of the data: 32 bytes. The key may have any length, also 0.
    package static func authenticate(_ data: some Bytes, key: some Bytes) throws(CryptoError) -> [UInt8] {
        try withBytes(data, key) { (input, key) throws(CryptoError) -> [UInt8] in
            try array(input, key)
        }
    }

    @inline(never)
    private static func array(
        _ input: UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer
    ) throws(CryptoError) -> [UInt8] {
        try [UInt8].make(capacity: codeLength) { (output) throws(CryptoError) -> Int in
            try compute(input, key: key, into: output)
            return codeLength
        }
    }

    /// The authentication code as a secret, for derivations.
    package static func authenticateSecure(_ data: some Bytes, key: some Bytes) throws(CryptoError) -> SecureBytes {
        try withBytes(data, key) { (input, key) throws(CryptoError) -> SecureBytes in
            try secret(input, key)
        }
    }

    @inline(never)
    private static func secret(
        _ input: UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer
    ) throws(CryptoError) -> SecureBytes {
        try SecureBytes(count: codeLength) { (output) throws(CryptoError) -> Void in
            try compute(input, key: key, into: output)
        }
    }

    /// Whether `code` is the authentication code of the data; compared in constant time. A wrong length is a mismatch.
    package static func isValid(
        _ code: some Bytes, for data: some Bytes, key: some Bytes
    ) throws(CryptoError) -> Bool {
        try authenticateSecure(data, key: key).isEqual(to: code)
    }

    private static let blockLength = 64

    /// No part of a message.
    package static var nothing: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }

    /// Writes the 32 bytes of the code of up to three parts in a row, which may lie where the code goes.
    @inline(never)
    package static func compute(
        _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer = nothing,
        _ third: UnsafeRawBufferPointer = nothing, key: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
        guard output.count >= codeLength else { throw CryptoError(reason: .invalidLength) }
        try SHA256.withContext { (context) throws(CryptoError) -> Void in
            try withWipedScratch(blockLength) { (pad) throws(CryptoError) -> Void in
                try fill(pad, with: key, context)
                flip(pad, by: 0x3636_3636_3636_3636)
                guard EVP_DigestUpdate(context, pad.baseAddress, blockLength) == 1,
                    EVP_DigestUpdate(context, first.baseAddress, first.count) == 1,
                    second.isEmpty || EVP_DigestUpdate(context, second.baseAddress, second.count) == 1,
                    third.isEmpty || EVP_DigestUpdate(context, third.baseAddress, third.count) == 1,
                    EVP_DigestFinal_ex(context, output.bytes, nil) == 1, SHA256.restart(context)
                else { throw .unexpected() }
                flip(pad, by: 0x3636_3636_3636_3636 ^ 0x5C5C_5C5C_5C5C_5C5C)
                guard EVP_DigestUpdate(context, pad.baseAddress, blockLength) == 1,
                    EVP_DigestUpdate(context, output.baseAddress, codeLength) == 1,
                    EVP_DigestFinal_ex(context, output.bytes, nil) == 1
                else { throw .unexpected() }
            }
        }
    }

    /// The key, or the digest of one that is longer than a block, and zeros behind it.
    @inline(__always)
    private static func fill(
        _ pad: UnsafeMutableRawBufferPointer, with key: UnsafeRawBufferPointer, _ context: OpaquePointer
    ) throws(CryptoError) {
        pad.initializeMemory(as: UInt8.self, repeating: 0)
        guard key.count > blockLength else { return pad.copyMemory(from: key) }
        guard EVP_DigestUpdate(context, key.baseAddress, key.count) == 1,
            EVP_DigestFinal_ex(context, pad.bytes, nil) == 1, SHA256.restart(context)
        else { throw .unexpected() }
    }

    @inline(__always)
    private static func flip(_ pad: UnsafeMutableRawBufferPointer, by mask: UInt64) {
        for offset in stride(from: 0, to: blockLength, by: 8) {
            pad.storeBytes(
                of: pad.load(fromByteOffset: offset, as: UInt64.self) ^ mask, toByteOffset: offset, as: UInt64.self)
        }
    }
}
