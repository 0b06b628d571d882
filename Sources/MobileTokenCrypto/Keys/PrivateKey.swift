// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// A private key on one of the protocols' curves together with its public key.
///
/// `public` only because `RandomSource` is open for subclassing in other modules; everything on it is package API.
public final class PrivateKey: @unchecked Sendable {
    /// The public key; it holds nothing of the private one and may outlive it.
    package let publicKey: PublicKey
    private let key: OpaquePointer
    /// OpenSSL's key. It lives as long as this object.
    var handle: OpaquePointer { key }

    private init(adopting key: OpaquePointer, point: [UInt8], _ curve: Curve) {
        self.key = key
        publicKey = PublicKey(computed: point, on: curve)
    }

    deinit {
        EVP_PKEY_free(key)
    }

    /// A fresh P-256 key pair from OpenSSL's generator.
    package static func generate() throws(CryptoError) -> PrivateKey {
        let pool = Algorithms.shared.generators
        return try withErrorMark { () throws(CryptoError) -> PrivateKey in
            let context = try pool.take()
            var generated: OpaquePointer?
            guard EVP_PKEY_generate(context, &generated) == 1, let key = generated else {
                let error = CryptoError.library()
                EVP_PKEY_free(generated)
                pool.discard(context)
                throw error
            }
            pool.giveBack(context)
            return try adopt(key)
        }
    }

    private static func adopt(_ key: OpaquePointer) throws(CryptoError) -> PrivateKey {
        do throws(CryptoError) {
            return PrivateKey(adopting: key, point: try Curve.p256.uncompressedPoint(of: key), .p256)
        } catch {
            EVP_PKEY_free(key)
            throw error
        }
    }

    /// Imports a private number from big-endian bytes of any length (powerauth.md §1.3): leading zero bytes may be
    /// present or missing. A value outside 1…n-1 is `.invalidKey`. OpenSSL computes the public point.
    package convenience init(bigEndian bytes: some Bytes, on curve: Curve = .p256) throws(CryptoError) {
        let imported = try bytes.withBytes {
            (bytes: UnsafeRawBufferPointer) throws(CryptoError) -> (OpaquePointer, [UInt8]) in
            try withErrorMark { () throws(CryptoError) -> (OpaquePointer, [UInt8]) in
                try PrivateKey.importScalar(bytes, curve)
            }
        }
        self.init(adopting: imported.0, point: imported.1, curve)
    }

    private static func importScalar(
        _ bytes: UnsafeRawBufferPointer, _ curve: Curve
    ) throws(CryptoError) -> (OpaquePointer, [UInt8]) {
        // No program makes a longer encoding of a private number.
        guard (1...curve.scalarLength * 2).contains(bytes.count) else { throw CryptoError(reason: .invalidKey) }
        guard let group = Algorithms.shared.group(curve), let order = EC_GROUP_get0_order(group) else {
            throw .library()
        }
        guard let number = BN_bin2bn(bytes.bytes, try int32(bytes.count), nil) else { throw .library() }
        defer { BN_clear_free(number) }
        BN_set_flags(number, BN_FLG_CONSTTIME)
        guard BN_is_zero(number) == 0, BN_cmp(number, order) < 0 else { throw CryptoError(reason: .invalidKey) }

        guard let point = EC_POINT_new(group) else { throw .library() }
        defer { EC_POINT_free(point) }
        guard EC_POINT_mul(group, point, number, nil, nil, nil) == 1 else { throw .library() }
        let encoded = try [UInt8].make(capacity: curve.uncompressedLength) { (output) throws(CryptoError) -> Int in
            let length = EC_POINT_point2oct(
                group, point, POINT_CONVERSION_UNCOMPRESSED, output.bytes, output.count, nil)
            guard length == output.count else { throw .library() }
            return length
        }
        let key = try withWipedScratch(curve.scalarLength) { (scalar) throws(CryptoError) -> OpaquePointer in
            guard BN_bn2nativepad(number, scalar.bytes, Int32(scalar.count)) == Int32(scalar.count) else {
                throw .library()
            }
            return try encoded.withBytes { (point: UnsafeRawBufferPointer) throws(CryptoError) -> OpaquePointer in
                try curve.importPair(scalar: scalar, point: point)
            }
        }
        return (key, encoded)
    }

    /// The private number, unsigned, big endian; without leading zero bytes (powerauth.md §1.3), or with those that fill the
    /// length of a coordinate.
    package func bytes(padded: Bool = false) throws(CryptoError) -> SecureBytes {
        try withErrorMark { () throws(CryptoError) -> SecureBytes in
            try withWipedScratch(publicKey.curve.scalarLength) { (scalar) throws(CryptoError) -> SecureBytes in
                var parameters = [Parameter.number("priv", scalar), OSSL_PARAM_construct_end()]
                guard EVP_PKEY_get_params(key, &parameters) == 1,
                    let size = Int32(exactly: parameters[0].return_size), size <= scalar.count,
                    let number = BN_native2bn(scalar.bytes, size, nil)
                else { throw .library() }
                defer { BN_clear_free(number) }
                let length = padded ? scalar.count : (Int(BN_num_bits(number)) + 7) / 8
                return try SecureBytes(count: length) { (output) throws(CryptoError) -> Void in
                    guard BN_bn2binpad(number, output.bytes, Int32(length)) == Int32(length) else { throw .library() }
                }
            }
        }
    }

    /// The ECDH secret: the x coordinate of the shared point, always as long as a coordinate (powerauth.md §1.5).
    package func sharedSecret(with peer: PublicKey) throws(CryptoError) -> SecureBytes {
        try withErrorMark { () throws(CryptoError) -> SecureBytes in
            let peerKey = try peer.handle()
            guard let context = EVP_PKEY_CTX_new_from_pkey(nil, key, nil) else { throw .library() }
            defer { EVP_PKEY_CTX_free(context) }
            // No second check of the peer: its point was checked on import, and the cofactor is 1.
            guard EVP_PKEY_derive_init(context) == 1, EVP_PKEY_derive_set_peer_ex(context, peerKey, 0) == 1 else {
                throw .library()
            }
            return try SecureBytes(count: publicKey.curve.scalarLength) { (output) throws(CryptoError) -> Void in
                var length = output.count
                guard EVP_PKEY_derive(context, output.bytes, &length) == 1, length == output.count else {
                    throw .library()
                }
            }
        }
    }

    /// Signs with ECDSA and the curve's hash; strict DER (powerauth.md §1.4).
    package func signDER(_ data: some Bytes) throws(CryptoError) -> [UInt8] {
        try data.withBytes { (data: UnsafeRawBufferPointer) throws(CryptoError) -> [UInt8] in
            try withErrorMark { () throws(CryptoError) -> [UInt8] in try ECDSA.sign(data, key: key, publicKey.curve) }
        }
    }

    /// Signs with ECDSA and the curve's hash; JOSE form, r and s (RFC 7518 §3.4).
    package func signJOSE(_ data: some Bytes) throws(CryptoError) -> [UInt8] {
        try signDER(data).withBytes { (der: UnsafeRawBufferPointer) throws(CryptoError) -> [UInt8] in
            try ECDSA.jose(fromDER: der, publicKey.curve)
        }
    }
}
