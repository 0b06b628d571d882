// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// Shared by public and private keys: making `EVP_PKEY` objects.
extension Curve {
    /// Writes the digest of what is signed.
    func digest(_ data: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) throws(CryptoError) {
        switch self {
        case .p256: try SHA256.compute(data, into: output)
        case .p384: try SHA384.compute(data, into: output)
        }
    }

    /// Imports a SEC1 point; OpenSSL checks that its coordinates are below p and that it lies on the curve. With the
    /// cofactor 1 that is all there is to check once infinity is excluded, so n·Q is not computed.
    ///
    /// Must run inside `withErrorMark`.
    func importPublic(_ point: UnsafeRawBufferPointer) throws(CryptoError) -> OpaquePointer {
        guard let tag = point.first else { throw CryptoError(reason: .invalidKey) }
        switch (tag, point.count) {
        case (0x02, compressedLength), (0x03, compressedLength), (0x04, uncompressedLength): break
        default: throw CryptoError(reason: .invalidKey)
        }
        guard let parameters = Algorithms.shared.parameters(self), let key = EVP_PKEY_new() else { throw .library() }
        guard EVP_PKEY_copy_parameters(key, parameters) == 1 else {
            let error = CryptoError.library()
            EVP_PKEY_free(key)
            throw error
        }
        guard EVP_PKEY_set1_encoded_public_key(key, point.bytes, point.count) == 1 else {
            let error = CryptoError.library(.invalidKey)
            EVP_PKEY_free(key)
            throw error
        }
        return key
    }

    /// Imports a key pair. `scalar` is the private number in the machine's byte order.
    ///
    /// Must run inside `withErrorMark`.
    func importPair(
        scalar: UnsafeMutableRawBufferPointer, point: UnsafeRawBufferPointer
    ) throws(CryptoError) -> OpaquePointer {
        var parameters = [
            Parameter.text("group", name), Parameter.octets("pub", point),
            Parameter.number("priv", scalar),
            OSSL_PARAM_construct_end(),
        ]
        guard let key = Contexts.key("EC", mtoken_pkey_keypair, &parameters) else { throw .library(.invalidKey) }
        return key
    }

    /// The uncompressed form of a key's point.
    ///
    /// Must run inside `withErrorMark`.
    func uncompressedPoint(of key: OpaquePointer) throws(CryptoError) -> [UInt8] {
        try [UInt8].make(capacity: uncompressedLength) { (point) throws(CryptoError) -> Int in
            var length = 0
            let name: StaticString = "encoded-pub-key"
            guard EVP_PKEY_get_octet_string_param(key, name.cString, point.bytes, point.count, &length) == 1,
                length == uncompressedLength, point[0] == 0x04
            else { throw .library() }
            return length
        }
    }

    /// The compressed form of an uncompressed point: the parity of y, then x.
    func compress(_ point: [UInt8]) -> [UInt8] {
        guard point.count == uncompressedLength else { return [] }
        var result = [UInt8](point[0..<compressedLength])
        result[0] = 0x02 | point[uncompressedLength - 1] & 1
        return result
    }
}
