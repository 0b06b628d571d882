// SPDX-License-Identifier: Apache-2.0
import COpenSSL
import Synchronization

/// PBKDF2 on libcrypto's own SHA-1, block by block.
///
/// OpenSSL's PBKDF2 spends three fifths of its time on copying contexts between two blocks of SHA-1, of which each iteration
/// needs exactly two. Here the contexts are five words each, and OpenSSL hashes the blocks. It is done only where OpenSSL would do
/// the same: its default provider is the one in use (not a validated one, FIPS), its SHA-1 can be had, and the results are those
/// of OpenSSL's PBKDF2.
enum SHA1Blocks {
    /// The length of a digest in bytes: the most that one derivation gives.
    static let digestLength = 20

    private static let blockLength = 64
    /// `SHA_CTX` has 96 bytes.
    private static let stateLength = 128

    private enum Finding: UInt8 {
        case none, usable, unusable
    }

    private static let finding = Atomic<UInt8>(Finding.none.rawValue)

    /// Whether `pbkdf2` may be used in this process: found out once. Not within work with OpenSSL.
    static var areUsable: Bool {
        let known = finding.load(ordering: .relaxed)
        if known != Finding.none.rawValue { return known == Finding.usable.rawValue }
        // For want of memory nothing is found out.
        guard let isUsable = try? check() else { return false }
        finding.store((isUsable ? Finding.usable : .unusable).rawValue, ordering: .relaxed)
        return isUsable
    }

    @inline(never)
    @_optimize(size)
    private static func check() throws(CryptoError) -> Bool {
        guard mtoken_has_sha1() != 0 else { return false }
        guard let kdf = Algorithms.shared.pbkdf2, let provider = EVP_KDF_get0_provider(kdf),
            let name = OSSL_PROVIDER_get0_name(provider)
        else { throw CryptoError(reason: .library) }
        guard strcmp(name, StaticString("default").cString) == 0 else { return false }
        return try withWipedScratch(longestKnown + 2 * digestLength) { (scratch) throws(CryptoError) -> Bool in
            for index in scratch.indices { scratch[index] = UInt8(truncatingIfNeeded: index &* 7) }
            let known = UnsafeRawBufferPointer(rebasing: scratch[..<longestKnown])
            let ours = UnsafeMutableRawBufferPointer(rebasing: scratch[longestKnown..<(longestKnown + digestLength)])
            let theirs = UnsafeMutableRawBufferPointer(rebasing: scratch[(longestKnown + digestLength)...])
            // Short, as long as a block, and longer, which is hashed first.
            var (length, iterations) = (4, UInt32(1))
            while length <= longestKnown {
                let password = UnsafeRawBufferPointer(rebasing: known[..<length])
                let salt = UnsafeRawBufferPointer(rebasing: known[(longestKnown - length)...])
                try pbkdf2(password, salt, iterations, into: ours)
                try KDF.pbkdf2SHA1(password, salt, iterations, into: theirs)
                guard sameBytes(UnsafeRawBufferPointer(ours), UnsafeRawBufferPointer(theirs)) else { return false }
                length += 15
                iterations += 1
            }
            return true
        }
    }

    /// 4, 19, 34, 49, 64, 79, … bytes.
    private static let longestKnown = 154

    /// Writes at most 20 bytes. Only where the blocks are usable.
    @inline(never)
    static func pbkdf2(
        _ password: UnsafeRawBufferPointer, _ salt: UnsafeRawBufferPointer, _ iterations: UInt32,
        into output: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
        try withWipedScratch(3 * stateLength + 2 * blockLength) { (scratch) throws(CryptoError) -> Void in
            guard let state = scratch.baseAddress else { throw CryptoError(reason: .invalidLength) }
            let (inner, outer) = (state + stateLength, state + 2 * stateLength)
            let (block, sum) = (state + 3 * stateLength, state + 3 * stateLength + blockLength)
            scratch.initializeMemory(as: UInt8.self, repeating: 0)
            try begin(inner, outer, block, password)

            // The first iteration takes in the salt; OpenSSL does it. Each one after it is the code of 20 bytes: one block
            // inside, one outside, both with the same padding.
            let code = UnsafeMutableRawBufferPointer(start: block, count: digestLength)
            try KDF.pbkdf2SHA1(password, salt, 1, into: code)
            sum.copyMemory(from: block, byteCount: digestLength)
            (block + digestLength).initializeMemory(as: UInt8.self, repeating: 0, count: blockLength - digestLength)
            block.storeBytes(of: 0x80, toByteOffset: digestLength, as: UInt8.self)
            let bits = UInt64(blockLength + digestLength) * 8
            block.storeBytes(of: bits.bigEndian, toByteOffset: blockLength - 8, as: UInt64.self)
            for _ in 1..<iterations {
                digest(block, state, from: inner)
                digest(block, state, from: outer)
                for offset in stride(from: 0, to: digestLength, by: 4) {
                    let word = block.load(fromByteOffset: offset, as: UInt32.self)
                    sum.storeBytes(
                        of: sum.load(fromByteOffset: offset, as: UInt32.self) ^ word, toByteOffset: offset,
                        as: UInt32.self)
                }
            }
            output.copyMemory(from: UnsafeRawBufferPointer(start: sum, count: min(output.count, digestLength)))
        }
    }

    /// The states behind the first blocks of the two hashes of HMAC: the password, padded and flipped.
    @inline(never)
    @_optimize(size)
    private static func begin(
        _ inner: UnsafeMutableRawPointer, _ outer: UnsafeMutableRawPointer, _ block: UnsafeMutableRawPointer,
        _ password: UnsafeRawBufferPointer
    ) throws(CryptoError) {
        let room = UnsafeMutableRawBufferPointer(start: block, count: blockLength)
        if password.count <= blockLength {
            room.copyMemory(from: password)
        } else {
            try withErrorMark { () throws(CryptoError) -> Void in
                guard
                    EVP_Q_digest(
                        nil, StaticString("SHA1").cString, nil, password.baseAddress, password.count, room.bytes, nil)
                        == 1
                else { throw .library() }
            }
        }
        for index in 0..<blockLength { room[index] ^= 0x36 }
        guard mtoken_sha1_begin(inner) == 1, mtoken_sha1_begin(outer) == 1 else { throw .unexpected() }
        mtoken_sha1_add(inner, block)
        for index in 0..<blockLength { room[index] ^= 0x36 ^ 0x5C }
        mtoken_sha1_add(outer, block)
    }

    /// Puts the digest of the block in place of its first bytes.
    @inline(__always)
    private static func digest(
        _ block: UnsafeMutableRawPointer, _ state: UnsafeMutableRawPointer, from begin: UnsafeRawPointer
    ) {
        state.copyMemory(from: begin, byteCount: digestLength)
        mtoken_sha1_add(state, block)
        for offset in stride(from: 0, to: digestLength, by: 4) {
            block.storeBytes(
                of: state.load(fromByteOffset: offset, as: UInt32.self).bigEndian, toByteOffset: offset,
                as: UInt32.self)
        }
    }
}
