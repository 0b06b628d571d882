// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// Keys of ML-KEM and ML-DSA in OpenSSL, which has them from 3.5 on; they are looked for when they are needed.
///
/// Everything goes through calls that OpenSSL 3.0 has too: algorithms and parameters are named.
enum PostQuantumKey {
    /// The source of a key.
    enum Material {
        case seed(UnsafeRawBufferPointer)
        case publicKey(UnsafeRawBufferPointer)
    }

    /// Imports a key, for as long as the work with it, and lends it.
    ///
    /// - Throws: `unavailable` when this OpenSSL does not have the algorithm.
    static func with<R>(
        _ name: StaticString, _ kept: Algorithms.PostQuantum, _ material: Material,
        _ body: (OpaquePointer) throws(CryptoError) -> R
    ) throws(CryptoError) -> R {
        let key = try make(name, kept, material)
        // Wipes what was made of the seed.
        defer { EVP_PKEY_free(key) }
        return try withErrorMark { () throws(CryptoError) in try body(key) }
    }

    /// Imports a key; the caller frees it.
    ///
    /// - Throws: `unavailable` when this OpenSSL does not have the algorithm.
    static func make(
        _ name: StaticString, _ kept: Algorithms.PostQuantum, _ material: Material
    ) throws(CryptoError) -> OpaquePointer {
        guard Algorithms.shared.has(kept) else { throw CryptoError(reason: .unavailable) }
        return try withErrorMark { () throws(CryptoError) -> OpaquePointer in
            var parameters: [OSSL_PARAM]
            let selection: Int32
            switch material {
            case .seed(let seed):
                parameters = [Parameter.octets("seed", seed), OSSL_PARAM_construct_end()]
                selection = mtoken_pkey_keypair
            case .publicKey(let publicKey):
                parameters = [Parameter.octets("pub", publicKey), OSSL_PARAM_construct_end()]
                selection = mtoken_pkey_public
            }
            guard let key = Contexts.key(name, selection, &parameters) else { throw .library(.invalidKey) }
            return key
        }
    }

    /// The raw public key of a key.
    ///
    /// Must run inside `withErrorMark`.
    static func publicKey(of key: OpaquePointer, count: Int) throws(CryptoError) -> [UInt8] {
        try [UInt8].make(capacity: count) { (output) throws(CryptoError) -> Int in
            var length = 0
            guard
                EVP_PKEY_get_octet_string_param(
                    key, StaticString("pub").cString, output.bytes, output.count, &length) == 1, length == count
            else { throw .library() }
            return length
        }
    }
}
