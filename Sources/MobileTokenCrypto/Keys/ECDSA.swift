// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// ECDSA with SHA-256 over P-256 and with SHA-384 over P-384 (FIPS 186-4), and the two forms of its signatures.
enum ECDSA {
    /// Whether a DER signature fits the data.
    static func verify(
        _ signature: UnsafeRawBufferPointer, data: UnsafeRawBufferPointer, key: PublicKey
    ) throws(CryptoError) -> Bool {
        // Longer is never a signature; and OpenSSL takes the length of what it parses as an int.
        guard (1...key.curve.maximumDERLength).contains(signature.count) else { return false }
        return try withWipedScratch(key.curve.digestLength) { (digest) throws(CryptoError) -> Bool in
            try key.curve.digest(data, into: digest)
            return try withErrorMark { () throws(CryptoError) -> Bool in
                let context = try key.makeVerifier()
                defer { EVP_PKEY_CTX_free(context) }
                // 0 is a wrong signature, a negative number one that is not strict DER.
                return EVP_PKEY_verify(context, signature.bytes, signature.count, digest.bytes, digest.count) == 1
            }
        }
    }

    /// Signs the data; DER.
    ///
    /// Must run inside `withErrorMark`.
    static func sign(
        _ data: UnsafeRawBufferPointer, key: OpaquePointer, _ curve: Curve
    ) throws(CryptoError) -> [UInt8] {
        try withWipedScratch(curve.digestLength) { (digest) throws(CryptoError) -> [UInt8] in
            try curve.digest(data, into: digest)
            guard let context = EVP_PKEY_CTX_new_from_pkey(nil, key, nil) else { throw .library() }
            defer { EVP_PKEY_CTX_free(context) }
            guard EVP_PKEY_sign_init(context) == 1 else { throw .library() }
            return try [UInt8].make(capacity: curve.maximumDERLength) { (output) throws(CryptoError) -> Int in
                var length = output.count
                guard EVP_PKEY_sign(context, output.bytes, &length, digest.bytes, digest.count) == 1 else {
                    throw .library()
                }
                return length
            }
        }
    }

    /// The DER form of a JOSE signature.
    static func der(fromJOSE jose: UnsafeRawBufferPointer, _ curve: Curve) throws(CryptoError) -> [UInt8] {
        let half = curve.scalarLength
        guard jose.count == 2 * half, let bytes = jose.bytes else { throw CryptoError(reason: .invalidLength) }
        return try withErrorMark { () throws(CryptoError) -> [UInt8] in
            guard let signature = ECDSA_SIG_new() else { throw .library() }
            defer { ECDSA_SIG_free(signature) }
            let r = BN_bin2bn(bytes, Int32(half), nil)
            let s = BN_bin2bn(bytes + half, Int32(half), nil)
            guard r != nil, s != nil, ECDSA_SIG_set0(signature, r, s) == 1 else {
                BN_free(r)
                BN_free(s)
                throw .library()
            }
            return try [UInt8].make(capacity: curve.maximumDERLength) { (output) throws(CryptoError) -> Int in
                var end = output.bytes
                let length = Int(i2d_ECDSA_SIG(signature, nil))
                guard length > 0, length <= output.count, i2d_ECDSA_SIG(signature, &end) == length else {
                    throw .library()
                }
                return length
            }
        }
    }

    /// The JOSE form of a DER signature that OpenSSL made.
    static func jose(fromDER der: UnsafeRawBufferPointer, _ curve: Curve) throws(CryptoError) -> [UInt8] {
        let half = curve.scalarLength
        return try withErrorMark { () throws(CryptoError) -> [UInt8] in
            var from = der.bytes
            guard let signature = d2i_ECDSA_SIG(nil, &from, der.count) else { throw .library(.invalidEncoding) }
            defer { ECDSA_SIG_free(signature) }
            return try [UInt8].make(capacity: curve.joseLength) { (output) throws(CryptoError) -> Int in
                guard let base = output.bytes,
                    BN_bn2binpad(ECDSA_SIG_get0_r(signature), base, Int32(half)) == half,
                    BN_bn2binpad(ECDSA_SIG_get0_s(signature), base + half, Int32(half)) == half
                else { throw .library(.invalidEncoding) }
                return 2 * half
            }
        }
    }
}
