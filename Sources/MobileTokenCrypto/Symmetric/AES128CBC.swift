// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// AES-128 in CBC mode (powerauth.md §1.7).
package enum AES128CBC {
    /// The padding of the last block.
    package enum Padding: Sendable {
        /// PKCS#7: always 1 to 16 bytes are added; anything else is refused after decryption.
        case pkcs7
        /// The data must be whole blocks, and stay as they are.
        case none
    }

    /// The length of a block, of a key and of an IV in bytes.
    package static let blockLength = 16

    /// 16 zero bytes.
    package static let zeroIV = [UInt8](repeating: 0, count: 16)

    /// Encrypts. The key and the IV have 16 bytes; without padding the data must be whole blocks.
    package static func encrypt(
        _ data: some Bytes, key: some Bytes, iv: some Bytes, padding: Padding
    ) throws(CryptoError) -> [UInt8] {
        try withBytes(data, key, iv) { (input, key, iv) throws(CryptoError) -> [UInt8] in
            try array(.encrypt, input, key, iv, padding)
        }
    }

    /// Decrypts what is not secret. Data that is empty or not whole blocks is `.invalidLength` (empty data is fine
    /// without padding), a wrong padding `.invalidPadding`.
    package static func decrypt(
        _ data: some Bytes, key: some Bytes, iv: some Bytes, padding: Padding
    ) throws(CryptoError) -> [UInt8] {
        try withBytes(data, key, iv) { (input, key, iv) throws(CryptoError) -> [UInt8] in
            try array(.decrypt, input, key, iv, padding)
        }
    }

    /// Decrypts a secret. Errors as in `decrypt`.
    package static func decryptSecure(
        _ data: some Bytes, key: some Bytes, iv: some Bytes, padding: Padding
    ) throws(CryptoError) -> SecureBytes {
        try withBytes(data, key, iv) { (input, key, iv) throws(CryptoError) -> SecureBytes in
            try secret(input, key, iv, padding)
        }
    }

    @inline(never)
    private static func array(
        _ direction: Direction, _ input: UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer,
        _ iv: UnsafeRawBufferPointer, _ padding: Padding
    ) throws(CryptoError) -> [UInt8] {
        try [UInt8].make(capacity: room(input, padding)) { (output) throws(CryptoError) -> Int in
            try run(direction, input, key: key, iv: iv, padding: padding, into: output)
        }
    }

    @inline(never)
    private static func secret(
        _ input: UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer, _ iv: UnsafeRawBufferPointer, _ padding: Padding
    ) throws(CryptoError) -> SecureBytes {
        try SecureBytes(capacity: room(input, padding)) { (output) throws(CryptoError) -> Int in
            try run(.decrypt, input, key: key, iv: iv, padding: padding, into: output)
        }
    }

    /// Decrypts whole blocks without padding into given memory, which has room for as many bytes.
    package static func decrypt(
        _ data: some Bytes, key: some Bytes, iv: some Bytes, into output: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
        try withBytes(data, key, iv) { (input, key, iv) throws(CryptoError) -> Void in
            _ = try run(.decrypt, input, key: key, iv: iv, padding: .none, into: output)
        }
    }

    /// Encrypts the first `count` bytes of a buffer in place, with padding, for which the buffer has room.
    ///
    /// - Returns: how many bytes of the buffer are ciphertext now
    package static func encrypt(
        inPlace buffer: UnsafeMutableRawBufferPointer, count: Int, key: some Bytes, iv: some Bytes
    ) throws(CryptoError) -> Int {
        guard (0...buffer.count).contains(count) else { throw CryptoError(reason: .invalidLength) }
        let input = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        return try withBytes(key, iv) { (key, iv) throws(CryptoError) -> Int in
            try run(.encrypt, input, key: key, iv: iv, padding: .pkcs7, into: buffer)
        }
    }

    /// How many bytes the ciphertext of so many bytes has with padding.
    package static func paddedLength(_ count: Int) -> Int { count &+ (blockLength &- count % blockLength) }

    enum Direction: Int32 {
        case decrypt = 0
        case encrypt = 1
    }

    /// Room for the result: padding adds up to one block.
    private static func room(_ input: UnsafeRawBufferPointer, _ padding: Padding) -> Int {
        padding == .none ? input.count : input.count &+ blockLength
    }

    /// Runs the cipher over all of the input and returns how many bytes it wrote. `output` has room for one block more
    /// than the input, or, without padding, for exactly the input.
    static func run(
        _ direction: Direction, _ input: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer,
        iv: UnsafeRawBufferPointer, padding: Padding, into output: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) -> Int {
        guard key.count == blockLength else { throw CryptoError(reason: .invalidKey) }
        guard iv.count == blockLength else { throw CryptoError(reason: .invalidLength) }
        let length = try int32(input.count)
        guard length <= Int32.max - 16 else { throw CryptoError(reason: .invalidLength) }
        if padding == .none || direction == .decrypt {
            guard length % 16 == 0 else { throw CryptoError(reason: .invalidLength) }
        }
        if length == 0 {
            if padding == .none { return 0 }
            if direction == .decrypt { throw CryptoError(reason: .invalidLength) }
        }
        let grows = padding == .pkcs7 && direction == .encrypt
        guard output.count >= input.count + (grows ? blockLength - input.count % blockLength : 0),
            let target = output.bytes
        else { throw CryptoError(reason: .invalidLength) }

        guard let context = EVP_CIPHER_CTX_new() else { throw .unexpected() }
        // Freeing the context wipes its key and the last block that it decrypted, which setting another key would not;
        // and a context that is reused and wiped measures no faster.
        defer { EVP_CIPHER_CTX_free(context) }
        let cipher = Algorithms.shared.aes128CBC
        var written: Int32 = 0
        guard EVP_CipherInit_ex2(context, cipher, key.bytes, iv.bytes, direction.rawValue, nil) == 1,
            !(padding == .none && direction == .decrypt) || EVP_CIPHER_CTX_set_padding(context, 0) == 1,
            EVP_CipherUpdate(context, target, &written, input.bytes, length) == 1
        else { throw .unexpected() }
        // Whole blocks are complete now; only ending an encryption would add padding.
        if padding == .none { return Int(written) }
        var last: Int32 = 0
        let rest = target + Int(written)
        switch direction {
        case .encrypt:
            guard EVP_CipherFinal_ex(context, rest, &last) == 1 else { throw .unexpected() }
        case .decrypt:
            try withErrorMark { () throws(CryptoError) -> Void in
                guard EVP_CipherFinal_ex(context, rest, &last) == 1 else { throw .library(.invalidPadding) }
            }
        }
        return Int(written) + Int(last)
    }
}
