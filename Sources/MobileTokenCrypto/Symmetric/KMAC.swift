// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// KMAC-256 (SP 800-185).
///
/// On one context of OpenSSL's sponge, as the standard writes it: `cSHAKE256(bytepad(key) ‖ data ‖ right_encode(length))`.
/// OpenSSL's own KMAC looks up and copies more than it hashes. The padded key stays in memory that is wiped; it goes in by whole
/// blocks, of which the sponge keeps no copy.
package enum KMAC {
    /// The lengths of a key: those that OpenSSL's own KMAC takes, so that no implementation refuses what another took.
    package static let keyLengths = 4...512
    /// The longest customization string, in bytes.
    private static let longestCustomization = 31
    /// The most that one call gives.
    private static let longestOutput = 8191

    /// The code of the data: `count` bytes.
    package static func authenticate(
        _ data: some Bytes, key: some Bytes, customization: StaticString, count: Int = 32
    ) throws(CryptoError) -> [UInt8] {
        try withBytes(data, key) { (data, key) throws(CryptoError) -> [UInt8] in
            guard count >= 0 else { throw CryptoError(reason: .invalidLength) }
            return try [UInt8].make(capacity: count) { (output) throws(CryptoError) -> Int in
                try compute(data, key: key, customization: customization, into: output)
                return count
            }
        }
    }

    /// The code as a secret, for derivations.
    package static func authenticateSecure(
        _ data: some Bytes, key: some Bytes, customization: StaticString, count: Int = 32
    ) throws(CryptoError) -> SecureBytes {
        try withBytes(data, key) { (data, key) throws(CryptoError) -> SecureBytes in
            try SecureBytes(count: count) { (output) throws(CryptoError) -> Void in
                try compute(data, key: key, customization: customization, into: output)
            }
        }
    }

    /// Whether `code` is the 32-byte code of the data; compared in constant time. A wrong length is a mismatch.
    package static func isValid(
        _ code: some Bytes, for data: some Bytes, key: some Bytes, customization: StaticString
    ) throws(CryptoError) -> Bool {
        try authenticateSecure(data, key: key, customization: customization).isEqual(to: code)
    }

    /// No part of a message.
    package static var nothing: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }

    /// Fills `output` with the code of up to three parts in a row, which may lie where the code goes.
    @inline(never)
    package static func compute(
        _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer = nothing,
        _ third: UnsafeRawBufferPointer = nothing, key: UnsafeRawBufferPointer, customization: StaticString,
        into output: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
        guard keyLengths.contains(key.count) else { throw CryptoError(reason: .invalidKey) }
        guard customization.utf8CodeUnitCount <= longestCustomization, (1...longestOutput).contains(output.count)
        else { throw CryptoError(reason: .invalidLength) }
        let keyBlocks = (key.count + 4 + Sponge.blockLength) / Sponge.blockLength
        try withWipedScratch((keyBlocks + 1) * Sponge.blockLength) { (head) throws(CryptoError) -> Void in
            head.initializeMemory(as: UInt8.self, repeating: 0)
            lay(key, customization, into: head)
            // right_encode: the number of bits in two bytes at most, then how many bytes that takes.
            let bits = output.count * 8
            var length: (UInt8, UInt8, UInt8)
            if bits < 256 {
                length = (UInt8(truncatingIfNeeded: bits), 1, 0)
            } else {
                length = (UInt8(truncatingIfNeeded: bits >> 8), UInt8(truncatingIfNeeded: bits), 2)
            }
            let lengthCount = bits < 256 ? 2 : 3
            try Sponge.withContext(Algorithms.shared.sponges) { (context) throws(CryptoError) -> Void in
                guard EVP_DigestUpdate(context, head.baseAddress, head.count) == 1,
                    EVP_DigestUpdate(context, first.baseAddress, first.count) == 1,
                    second.isEmpty || EVP_DigestUpdate(context, second.baseAddress, second.count) == 1,
                    third.isEmpty || EVP_DigestUpdate(context, third.baseAddress, third.count) == 1,
                    EVP_DigestUpdate(context, &length, lengthCount) == 1,
                    EVP_DigestFinalXOF(context, output.bytes, output.count) == 1
                else { throw .unexpected() }
            }
        }
    }

    /// `bytepad(encode_string("KMAC") ‖ encode_string(customization)) ‖ bytepad(encode_string(key))`; the room is zero and large
    /// enough.
    @inline(__always)
    private static func lay(
        _ key: UnsafeRawBufferPointer, _ customization: StaticString, into room: UnsafeMutableRawBufferPointer
    ) {
        var place = 0
        func put(_ bytes: (UInt8, UInt8)) {
            room[place] = bytes.0
            room[place + 1] = bytes.1
            place += 2
        }
        func put(_ bytes: UnsafeRawBufferPointer) {
            UnsafeMutableRawBufferPointer(rebasing: room[place...]).copyMemory(from: bytes)
            place += bytes.count
        }
        put((1, UInt8(truncatingIfNeeded: Sponge.blockLength)))
        put((1, 32))
        StaticString("KMAC").withBytes { put($0) }
        put((1, UInt8(truncatingIfNeeded: customization.utf8CodeUnitCount * 8)))
        customization.withBytes { put($0) }
        place = Sponge.blockLength
        put((1, UInt8(truncatingIfNeeded: Sponge.blockLength)))
        let bits = key.count * 8
        if bits < 256 {
            put((1, UInt8(truncatingIfNeeded: bits)))
        } else {
            put((2, UInt8(truncatingIfNeeded: bits >> 8)))
            room[place] = UInt8(truncatingIfNeeded: bits)
            place += 1
        }
        put(key)
    }
}
