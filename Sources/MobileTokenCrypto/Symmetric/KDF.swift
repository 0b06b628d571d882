// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// The key derivations of the protocol.
package enum KDF {
    /// `KDF(key, index)`: one AES block of eight zero bytes and the index, big endian, under the 16-byte key
    /// (powerauth.md §1.9). 16 bytes.
    package static func derive(_ key: some Bytes, index: UInt64) throws(CryptoError) -> SecureBytes {
        try withBytes(key, AES128CBC.zeroIV) { (key, iv) throws(CryptoError) -> SecureBytes in
            try SecureBytes(count: 16) { (output) throws(CryptoError) -> Void in
                var block = (UInt64(0), index.bigEndian)
                try withUnsafeBytes(of: &block) { (block: UnsafeRawBufferPointer) throws(CryptoError) -> Void in
                    _ = try AES128CBC.run(.encrypt, block, key: key, iv: iv, padding: .none, into: output)
                }
            }
        }
    }

    /// `KDF_INTERNAL(key, data)`: the reduced HMAC of the data under the 16-byte key (powerauth.md §1.10).
    /// 16 bytes.
    package static func deriveInternal(_ key: some Bytes, data: some Bytes) throws(CryptoError) -> SecureBytes {
        try withBytes(key, data) { (key, data) throws(CryptoError) -> SecureBytes in
            guard key.count == 16 else { throw CryptoError(reason: .invalidKey) }
            return try withWipedScratch(32) { (code) throws(CryptoError) -> SecureBytes in
                try HMACSHA256.compute(data, key: key, into: code)
                return try reduce(UnsafeRawBufferPointer(code))
            }
        }
    }

    /// `REDUCE(x)`: the exclusive or of the two halves of 32 bytes (powerauth.md §1.6). 16 bytes.
    package static func reduce(_ x: some Bytes) throws(CryptoError) -> SecureBytes {
        try x.withBytes { (x: UnsafeRawBufferPointer) throws(CryptoError) -> SecureBytes in
            guard x.count == 32 else { throw CryptoError(reason: .invalidLength) }
            return SecureBytes(count: 16) { output in
                for index in 0..<16 { output[index] = x[index] ^ x[index + 16] }
            }
        }
    }

    /// `REDUCE(SHA256(x))`. 16 bytes.
    package static func reducedHash(_ x: some Bytes) throws(CryptoError) -> SecureBytes {
        try x.withBytes { (x: UnsafeRawBufferPointer) throws(CryptoError) -> SecureBytes in
            try SecureBytes(count: 16) { (output) throws(CryptoError) -> Void in try reducedHash(x, into: output) }
        }
    }

    /// Writes `REDUCE(SHA256(x))`, 16 bytes, which may take the place of `x`. When it throws, nothing is written.
    package static func reducedHash(
        _ x: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
        guard output.count >= 16 else { throw CryptoError(reason: .invalidLength) }
        try withWipedScratch(SHA256.digestLength) { (hash) throws(CryptoError) -> Void in
            try SHA256.compute(x, into: hash)
            for index in 0..<16 { output[index] = hash[index] ^ hash[index + 16] }
        }
    }

    /// `X963(secret, info, count)` with SHA-256 (ANSI X9.63, SEC 1 §3.6.1, powerauth.md §1.11).
    ///
    /// The secret must not be empty; `count` is 1 byte to 1 MiB.
    package static func x963(secret: some Bytes, info: some Bytes, count: Int) throws(CryptoError) -> SecureBytes {
        guard count > 0, count <= 1 << 20 else { throw CryptoError(reason: .invalidLength) }
        return try withBytes(secret, info) { (secret, info) throws(CryptoError) -> SecureBytes in
            guard secret.count > 0 else { throw CryptoError(reason: .invalidLength) }
            return try SecureBytes(count: count) { (output) throws(CryptoError) -> Void in
                try fill(output, secret: secret, info: info)
            }
        }
    }

    private static func fill(
        _ output: UnsafeMutableRawBufferPointer, secret: UnsafeRawBufferPointer, info: UnsafeRawBufferPointer
    ) throws(CryptoError) {
        try withWipedScratch(SHA256.digestLength) { (block) throws(CryptoError) -> Void in
            try SHA256.withContext { (context) throws(CryptoError) -> Void in
                var rest = output
                var counter: UInt32 = 0
                while true {
                    counter += 1
                    var encoded = counter.bigEndian
                    guard EVP_DigestUpdate(context, secret.baseAddress, secret.count) == 1,
                        EVP_DigestUpdate(context, &encoded, 4) == 1,
                        EVP_DigestUpdate(context, info.baseAddress, info.count) == 1,
                        EVP_DigestFinal_ex(context, block.bytes, nil) == 1
                    else { throw .unexpected() }
                    let length = min(rest.count, block.count)
                    rest.copyMemory(from: UnsafeRawBufferPointer(rebasing: block[..<length]))
                    rest = UnsafeMutableRawBufferPointer(rebasing: rest[length...])
                    if rest.isEmpty { return }
                    guard SHA256.restart(context) else { throw .unexpected() }
                }
            }
        }
    }

    /// PBKDF2 with HMAC-SHA-1 (RFC 8018, powerauth.md §1.12).
    ///
    /// Takes milliseconds: never call it under a lock. `iterations` and `count` are at least 1, `count` at most 1 MiB.
    package static func pbkdf2SHA1(
        password: some Bytes, salt: some Bytes, iterations: UInt32, count: Int
    ) throws(CryptoError) -> SecureBytes {
        guard iterations > 0, count > 0, count <= 1 << 20 else { throw CryptoError(reason: .invalidLength) }
        return try withBytes(password, salt) { (password, salt) throws(CryptoError) -> SecureBytes in
            _ = (try int32(password.count), try int32(salt.count))
            return try SecureBytes(count: count) { (output) throws(CryptoError) -> Void in
                if count <= SHA1Blocks.digestLength, SHA1Blocks.areUsable {
                    try SHA1Blocks.pbkdf2(password, salt, iterations, into: output)
                } else {
                    try pbkdf2SHA1(password, salt, iterations, into: output)
                }
            }
        }
    }

    /// The same by OpenSSL alone, whatever its provider.
    @inline(never)
    static func pbkdf2SHA1(
        _ password: UnsafeRawBufferPointer, _ salt: UnsafeRawBufferPointer, _ iterations: UInt32,
        into output: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
        try withErrorMark { () throws(CryptoError) -> Void in
            guard let kdf = Algorithms.shared.pbkdf2, let context = EVP_KDF_CTX_new(kdf) else { throw .library() }
            defer { EVP_KDF_CTX_free(context) }
            var iterations = iterations
            // 1 switches off SP 800-132's lower bounds, which the protocol's 16-byte output and any PIN break.
            var relaxed: Int32 = 1
            let derived = withUnsafeMutablePointer(to: &iterations) { iterations in
                withUnsafeMutablePointer(to: &relaxed) { relaxed in
                    var parameters = [
                        Parameter.text("digest", "SHA1"),
                        Parameter.octets("pass", password),
                        Parameter.octets("salt", salt),
                        Parameter.number("iter", iterations),
                        Parameter.number("pkcs5", relaxed),
                        OSSL_PARAM_construct_end(),
                    ]
                    return EVP_KDF_derive(context, output.bytes, output.count, &parameters)
                }
            }
            guard derived == 1 else { throw .library() }
        }
    }
}
