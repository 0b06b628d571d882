// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// SHA-384 (FIPS 180-4), and what is made of it: HMAC (RFC 2104) and HKDF (RFC 5869). For seldom work.
package enum SHA384 {
    /// The length of a digest, of a code and of a pseudorandom key in bytes.
    package static let digestLength = 48

    /// The digest of public data.
    package static func hash(_ data: some Bytes) throws(CryptoError) -> [UInt8] {
        try data.withBytes { (input: UnsafeRawBufferPointer) throws(CryptoError) -> [UInt8] in
            try [UInt8].make(capacity: digestLength) { (output) throws(CryptoError) -> Int in
                try compute(input, into: output)
                return digestLength
            }
        }
    }

    /// Writes the 48 bytes of the digest.
    static func compute(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
        guard output.count >= digestLength else { throw CryptoError(reason: .invalidLength) }
        guard EVP_Digest(input.baseAddress, input.count, output.bytes, nil, Algorithms.shared.sha384, nil) == 1 else {
            throw .unexpected()
        }
    }

    /// The authentication code of the data. The key must not be empty.
    package static func authenticate(_ data: some Bytes, key: some Bytes) throws(CryptoError) -> [UInt8] {
        try withBytes(data, key) { (data, key) throws(CryptoError) -> [UInt8] in
            guard key.count > 0 else { throw CryptoError(reason: .invalidKey) }
            return try [UInt8].make(capacity: digestLength) { (output) throws(CryptoError) -> Int in
                try HMACByName.compute("SHA384", data, key: key, into: output)
                return digestLength
            }
        }
    }

    /// The same as a secret.
    private static func code(
        _ data: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer
    ) throws(CryptoError) -> SecureBytes {
        try SecureBytes(count: digestLength) { (output) throws(CryptoError) -> Void in
            try HMACByName.compute("SHA384", data, key: key, into: output)
        }
    }

    /// HKDF-Extract: a pseudorandom key of 48 bytes. An empty salt is one of 48 zero bytes.
    package static func extract(salt: some Bytes, _ material: some Bytes) throws(CryptoError) -> SecureBytes {
        try withBytes(salt, material) { (salt, material) throws(CryptoError) -> SecureBytes in
            guard salt.count == 0 else { return try code(material, key: salt) }
            return try SecureBytes(count: digestLength).withBytes { (zeros) throws(CryptoError) -> SecureBytes in
                try code(material, key: zeros)
            }
        }
    }

    /// HKDF-Expand: 1 to 12,240 bytes of key. The pseudorandom key has 48 bytes.
    package static func expand(
        _ key: some Bytes, info: some Bytes, count: Int
    ) throws(CryptoError) -> SecureBytes {
        guard (1...255 * digestLength).contains(count) else { throw CryptoError(reason: .invalidLength) }
        return try withBytes(key, info) { (key, info) throws(CryptoError) -> SecureBytes in
            guard key.count == digestLength else { throw CryptoError(reason: .invalidKey) }
            return try SecureBytes(count: count) { (output) throws(CryptoError) -> Void in
                try expand(key, info, into: output)
            }
        }
    }

    /// `T(i) = HMAC(key, T(i - 1) ‖ info ‖ i)`, one after another.
    private static func expand(
        _ key: UnsafeRawBufferPointer, _ info: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
        let block = SecureBytes(count: digestLength + info.count + 1)
        var rest = output
        var number: UInt8 = 0
        try block.withMutableBytes { (block) throws(CryptoError) -> Void in
            let last = UnsafeMutableRawBufferPointer(rebasing: block[..<digestLength])
            let tail = UnsafeMutableRawBufferPointer(rebasing: block[digestLength...])
            tail.copyMemory(from: info)
            while !rest.isEmpty {
                number += 1
                tail[info.count] = number
                try HMACByName.compute(
                    "SHA384", UnsafeRawBufferPointer(number == 1 ? tail : block), key: key, into: last)
                let length = min(rest.count, digestLength)
                rest.copyMemory(from: UnsafeRawBufferPointer(rebasing: last[..<length]))
                rest = UnsafeMutableRawBufferPointer(rebasing: rest[length...])
            }
        }
    }
}
