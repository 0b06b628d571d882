import COpenSSL

/// HMAC with SHA-256 (RFC 2104, powerauth.md §1.8).
///
/// On one context of the digest, as the RFC writes it: `H(K ^ opad, H(K ^ ipad, data))`. OpenSSL's own HMAC keeps three contexts for
/// each key, which costs twice the hashing. The pads stay on the stack and are wiped; the context goes back to its pool set to the
/// digest's initial value, so nothing of key or code is left in it.
package enum HMACSHA256 {
    /// The length of a code in bytes.
    package static let codeLength = 32

    /// A message in the making: takes its parts one after another.
    package struct Message {
        fileprivate let context: OpaquePointer

        /// Adds the next part.
        @inline(__always)
        package func add(_ part: some Bytes) throws(CryptoError) {
            try part.withBytes { (part: UnsafeRawBufferPointer) throws(CryptoError) -> Void in
                guard EVP_DigestUpdate(context, part.baseAddress, part.count) == 1 else { throw .unexpected() }
            }
        }
    }

    /// The authentication code of the data: 32 bytes. The key may have any length, also 0.
    package static func authenticate(_ data: some Bytes, key: some Bytes) throws(CryptoError) -> [UInt8] {
        try withBytes(data, key) { (input, key) throws(CryptoError) -> [UInt8] in
            try [UInt8].make(capacity: codeLength) { (output) throws(CryptoError) -> Int in
                try compute(input, key: key, into: output)
                return codeLength
            }
        }
    }

    /// Writes `HMAC(HMAC(key, seed), data)`: the inner code is the key of the outer one and never leaves the stack.
    package static func authenticate(
        _ data: UnsafeRawBufferPointer, seed: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
        try withWipedScratch(codeLength) { (derived) throws(CryptoError) -> Void in
            try SHA256.withContext { (context) throws(CryptoError) -> Void in
                try run(context, key: key, into: derived) { (message) throws(CryptoError) -> Void in
                    try message.add(seed)
                }
                guard SHA256.restart(context) else { throw .unexpected() }
                try run(context, key: UnsafeRawBufferPointer(derived), into: output) {
                    (message) throws(CryptoError) -> Void in try message.add(data)
                }
            }
        }
    }

    /// The authentication code as a secret, for derivations.
    package static func authenticateSecure(_ data: some Bytes, key: some Bytes) throws(CryptoError) -> SecureBytes {
        try withBytes(data, key) { (input, key) throws(CryptoError) -> SecureBytes in
            try SecureBytes(count: codeLength) { (output) throws(CryptoError) -> Void in
                try compute(input, key: key, into: output)
            }
        }
    }

    /// Writes the 32 bytes of the code of a message in parts, without joining them first.
    package static func authenticate(
        key: some Bytes, into output: UnsafeMutableRawBufferPointer,
        _ parts: (Message) throws(CryptoError) -> Void
    ) throws(CryptoError) {
        try key.withBytes { (key: UnsafeRawBufferPointer) throws(CryptoError) -> Void in
            try SHA256.withContext { (context) throws(CryptoError) -> Void in
                try run(context, key: key, into: output, parts)
            }
        }
    }

    /// Whether `code` is the authentication code of the data; compared in constant time. A wrong length is a mismatch.
    package static func isValid(
        _ code: some Bytes, for data: some Bytes, key: some Bytes
    ) throws(CryptoError) -> Bool {
        try authenticateSecure(data, key: key).isEqual(to: code)
    }

    /// Writes the 32 bytes of the code.
    package static func compute(
        _ input: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
        try SHA256.withContext { (context) throws(CryptoError) -> Void in
            try run(context, key: key, into: output) { (message) throws(CryptoError) -> Void in try message.add(input) }
        }
    }

    private static let blockLength = 64

    /// Computes a code with a context that is ready for input. `output` holds the inner digest meanwhile.
    @inline(__always)
    private static func run(
        _ context: OpaquePointer, key: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer,
        _ parts: (Message) throws(CryptoError) -> Void
    ) throws(CryptoError) {
        guard output.count >= codeLength else { throw CryptoError(reason: .invalidLength) }
        try withWipedScratch(blockLength) { (pad) throws(CryptoError) -> Void in
            try fill(pad, with: key, context)
            flip(pad, by: 0x3636_3636_3636_3636)
            guard EVP_DigestUpdate(context, pad.baseAddress, blockLength) == 1 else { throw .unexpected() }
            try parts(Message(context: context))
            guard EVP_DigestFinal_ex(context, output.bytes, nil) == 1, SHA256.restart(context) else {
                throw .unexpected()
            }
            flip(pad, by: 0x3636_3636_3636_3636 ^ 0x5C5C_5C5C_5C5C_5C5C)
            guard EVP_DigestUpdate(context, pad.baseAddress, blockLength) == 1,
                EVP_DigestUpdate(context, output.baseAddress, codeLength) == 1,
                EVP_DigestFinal_ex(context, output.bytes, nil) == 1
            else { throw .unexpected() }
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
