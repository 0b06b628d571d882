// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// ML-DSA (FIPS 204), the two larger sizes: pure, with an empty context. A private key is its seed.
package enum MLDSA: Sendable {
    case mldsa65
    case mldsa87

    /// The length of a seed in bytes.
    package static let seedLength = 32
    /// The length of a public key in bytes.
    package var publicKeyLength: Int { self == .mldsa65 ? 1952 : 2592 }
    /// The length of a signature in bytes.
    package var signatureLength: Int { self == .mldsa65 ? 3309 : 4627 }

    /// The name, which is that of signatures in JOSE too.
    package var name: StaticString { self == .mldsa65 ? "ML-DSA-65" : "ML-DSA-87" }
    private var kept: Algorithms.PostQuantum { self == .mldsa65 ? .mldsa65 : .mldsa87 }

    /// Whether this process has the algorithm.
    package var isAvailable: Bool { Algorithms.shared.has(kept) }

    /// The public key of a seed.
    package func publicKey(seed: SecureBytes) throws(CryptoError) -> [UInt8] {
        try withPair(seed) { (key) throws(CryptoError) in
            try PostQuantumKey.publicKey(of: key, count: publicKeyLength)
        }
    }

    /// Signs; hedged with OpenSSL's randomness.
    package func sign(_ data: some Bytes, seed: SecureBytes) throws(CryptoError) -> [UInt8] {
        try data.withBytes { (data: UnsafeRawBufferPointer) throws(CryptoError) -> [UInt8] in
            try withPair(seed) { (key) throws(CryptoError) in
                guard let context = EVP_MD_CTX_new() else { throw .library() }
                defer { EVP_MD_CTX_free(context) }
                guard EVP_DigestSignInit_ex(context, nil, nil, nil, nil, key, nil) == 1 else { throw .library() }
                return try [UInt8].make(capacity: signatureLength) { (output) throws(CryptoError) -> Int in
                    var length = output.count
                    guard EVP_DigestSign(context, output.bytes, &length, data.bytes, data.count) == 1,
                        length == output.count
                    else { throw .library() }
                    return length
                }
            }
        }
    }

    /// Whether a signature fits the data. One of another length does not.
    package func verify(
        _ signature: some Bytes, data: some Bytes, publicKey: some Bytes
    ) throws(CryptoError) -> Bool {
        try withBytes(signature, data, publicKey) { (signature, data, publicKey) throws(CryptoError) -> Bool in
            guard publicKey.count == publicKeyLength else { throw CryptoError(reason: .invalidKey) }
            guard signature.count == signatureLength else { return false }
            return try PostQuantumKey.with(name, kept, .publicKey(publicKey)) { (key) throws(CryptoError) in
                guard let context = EVP_MD_CTX_new() else { throw .library() }
                defer { EVP_MD_CTX_free(context) }
                guard EVP_DigestVerifyInit_ex(context, nil, nil, nil, nil, key, nil) == 1 else { throw .library() }
                return EVP_DigestVerify(context, signature.bytes, signature.count, data.bytes, data.count) == 1
            }
        }
    }

    private func withPair<R>(
        _ seed: SecureBytes, _ body: (OpaquePointer) throws(CryptoError) -> R
    ) throws(CryptoError) -> R {
        guard seed.count == MLDSA.seedLength else { throw CryptoError(reason: .invalidKey) }
        return try seed.withBytes { (seed) throws(CryptoError) -> R in
            try PostQuantumKey.with(name, kept, .seed(seed), body)
        }
    }
}
