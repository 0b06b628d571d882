import COpenSSL

/// HMAC with SHA-256 (RFC 2104, powerauth.md §1.8).
package enum HMACSHA256 {
    /// The length of a code in bytes.
    package static let codeLength = 32

    /// The authentication code of the data: 32 bytes. The key may have any length, also 0.
    package static func authenticate(_ data: some Bytes, key: some Bytes) throws(CryptoError) -> [UInt8] {
        try withBytes(data, key) { (input, key) throws(CryptoError) -> [UInt8] in
            try [UInt8].make(capacity: codeLength) { (output) throws(CryptoError) -> Int in
                try compute(input, key: key, into: output)
                return codeLength
            }
        }
    }

    /// `HMAC(HMAC(key, seed), data)`: the inner code is the key of the outer one and never leaves the stack.
    package static func authenticate(
        _ data: some Bytes, seed: some Bytes, key: some Bytes
    ) throws(CryptoError) -> [UInt8] {
        try withBytes(data, seed, key) { (input, seed, key) throws(CryptoError) -> [UInt8] in
            try [UInt8].make(capacity: codeLength) { (output) throws(CryptoError) -> Int in
                try withWipedScratch(codeLength) { (derived) throws(CryptoError) -> Void in
                    let context = try Context(borrowing: key)
                    try context.add(seed)
                    try context.finish(derived)
                    try context.restart(UnsafeRawBufferPointer(derived))
                    try context.add(input)
                    try context.finish(output)
                }
                return codeLength
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

    /// The authentication code of several parts in a row, without joining them first.
    package static func authenticate(
        key: some Bytes, parts: [UnsafeRawBufferPointer]
    ) throws(CryptoError) -> [UInt8] {
        var context = try Context(key: key)
        for part in parts { try context.update(part) }
        return try context.finalize()
    }

    /// Whether `code` is the authentication code of the data; compared in constant time. A wrong length is a mismatch.
    package static func isValid(
        _ code: some Bytes, for data: some Bytes, key: some Bytes
    ) throws(CryptoError) -> Bool {
        try authenticateSecure(data, key: key).isEqual(to: code)
    }

    /// Writes the 32 bytes of the code.
    static func compute(
        _ input: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
        let context = try Context(borrowing: key)
        try context.add(input)
        try context.finish(output)
    }

    /// An authentication code in the making, for data that comes in parts. Dropping it unfinished wipes its key too.
    package struct Context: ~Copyable {
        private let context: OpaquePointer

        /// Begins a code. The key may have any length, also 0.
        package init(key: some Bytes) throws(CryptoError) {
            context = try key.withBytes { (key: UnsafeRawBufferPointer) throws(CryptoError) -> OpaquePointer in
                try Context.begin(key)
            }
        }

        @inline(__always)
        init(borrowing key: UnsafeRawBufferPointer) throws(CryptoError) {
            context = try Context.begin(key)
        }

        @inline(__always)
        private static func begin(_ key: UnsafeRawBufferPointer) throws(CryptoError) -> OpaquePointer {
            let length = Int(try int32(key.count))
            let algorithms = Algorithms.shared
            let context = try algorithms.macs.take()
            guard EVP_MAC_init(context, key.bytes ?? algorithms.zeros, length, nil) == 1 else {
                algorithms.macs.discard(context)
                throw .unexpected()
            }
            return context
        }

        /// Overwrites the key in the context and returns it to the pool.
        deinit {
            let algorithms = Algorithms.shared
            if EVP_MAC_init(context, algorithms.zeros, 16, nil) == 1 {
                algorithms.macs.giveBack(context)
            } else {
                algorithms.macs.discard(context)
                ERR_clear_error()
            }
        }

        /// Adds the next part.
        package mutating func update(_ data: some Bytes) throws(CryptoError) {
            try data.withBytes { (input: UnsafeRawBufferPointer) throws(CryptoError) -> Void in try add(input) }
        }

        /// The code of all parts: 32 bytes.
        package consuming func finalize() throws(CryptoError) -> [UInt8] {
            try [UInt8].make(capacity: codeLength) { (output) throws(CryptoError) -> Int in
                try finish(output)
                return codeLength
            }
        }

        /// Begins another code, with another key.
        @inline(__always)
        borrowing func restart(_ key: UnsafeRawBufferPointer) throws(CryptoError) {
            guard EVP_MAC_init(context, key.bytes, key.count, nil) == 1 else { throw .unexpected() }
        }

        @inline(__always)
        borrowing func add(_ input: UnsafeRawBufferPointer) throws(CryptoError) {
            guard EVP_MAC_update(context, input.bytes, input.count) == 1 else { throw .unexpected() }
        }

        @inline(__always)
        borrowing func finish(_ output: UnsafeMutableRawBufferPointer) throws(CryptoError) {
            guard output.count >= codeLength else { throw CryptoError(reason: .invalidLength) }
            guard EVP_MAC_final(context, output.bytes, nil, output.count) == 1 else { throw .unexpected() }
        }
    }
}
