// SPDX-License-Identifier: Apache-2.0
import COpenSSL

/// ML-KEM (FIPS 203), the two larger sizes. A private key is its seed `d ‖ z`.
package enum MLKEM: Sendable {
    case mlkem768
    case mlkem1024

    /// The length of a seed in bytes.
    package static let seedLength = 64
    /// The length of a shared secret in bytes.
    package static let secretLength = 32
    /// The length of a public key in bytes.
    package var publicKeyLength: Int { self == .mlkem768 ? 1184 : 1568 }
    /// The length of a ciphertext in bytes.
    package var ciphertextLength: Int { self == .mlkem768 ? 1088 : 1568 }

    private var name: StaticString { self == .mlkem768 ? "ML-KEM-768" : "ML-KEM-1024" }
    private var kept: Algorithms.PostQuantum { self == .mlkem768 ? .mlkem768 : .mlkem1024 }

    /// Whether this process has the algorithm.
    package var isAvailable: Bool { Algorithms.shared.has(kept) }

    /// The key pair of a seed.
    package func keyPair(seed: SecureBytes) throws(CryptoError) -> KeyPair {
        guard seed.count == MLKEM.seedLength else { throw CryptoError(reason: .invalidKey) }
        let key = try seed.withBytes { (seed) throws(CryptoError) in try PostQuantumKey.make(name, kept, .seed(seed)) }
        do throws(CryptoError) {
            let publicKey = try withErrorMark { () throws(CryptoError) in
                try PostQuantumKey.publicKey(of: key, count: publicKeyLength)
            }
            return KeyPair(adopting: key, self, publicKey)
        } catch {
            EVP_PKEY_free(key)
            throw error
        }
    }

    /// A key pair as OpenSSL keeps it, which wipes what was made of the seed when this object goes.
    package final class KeyPair: @unchecked Sendable {
        package let publicKey: [UInt8]
        private let kem: MLKEM
        private let key: OpaquePointer

        fileprivate init(adopting key: OpaquePointer, _ kem: MLKEM, _ publicKey: [UInt8]) {
            self.key = key
            self.kem = kem
            self.publicKey = publicKey
        }

        deinit {
            EVP_PKEY_free(key)
        }

        /// The secret of a ciphertext. An altered ciphertext gives another secret, not an error.
        package func decapsulate(_ ciphertext: some Bytes) throws(CryptoError) -> SecureBytes {
            try ciphertext.withBytes { (ciphertext: UnsafeRawBufferPointer) throws(CryptoError) -> SecureBytes in
                guard ciphertext.count == kem.ciphertextLength else { throw CryptoError(reason: .invalidLength) }
                return try withErrorMark { () throws(CryptoError) in
                    guard let context = EVP_PKEY_CTX_new_from_pkey(nil, key, nil) else { throw .library() }
                    defer { EVP_PKEY_CTX_free(context) }
                    guard EVP_PKEY_decapsulate_init(context, nil) == 1 else { throw .library() }
                    return try SecureBytes(count: MLKEM.secretLength) { (output) throws(CryptoError) -> Void in
                        var length = output.count
                        // Where OpenSSL has no memory for a hash in the middle, it gives another secret, as for an altered
                        // ciphertext. Its errors tell.
                        mtoken_note_errors()
                        guard
                            EVP_PKEY_decapsulate(
                                context, output.bytes, &length, ciphertext.bytes, ciphertext.count) == 1,
                            length == output.count, mtoken_has_no_new_error() != 0
                        else { throw .library() }
                    }
                }
            }
        }
    }

    /// A fresh secret for a public key, and its ciphertext.
    package func encapsulate(
        to publicKey: some Bytes
    ) throws(CryptoError) -> (ciphertext: [UInt8], secret: SecureBytes) {
        try publicKey.withBytes {
            (publicKey: UnsafeRawBufferPointer) throws(CryptoError) -> (ciphertext: [UInt8], secret: SecureBytes) in
            guard publicKey.count == publicKeyLength else { throw CryptoError(reason: .invalidKey) }
            return try PostQuantumKey.with(name, kept, .publicKey(publicKey)) { (key) throws(CryptoError) in
                guard let context = EVP_PKEY_CTX_new_from_pkey(nil, key, nil) else { throw .library() }
                defer { EVP_PKEY_CTX_free(context) }
                guard EVP_PKEY_encapsulate_init(context, nil) == 1 else { throw .library() }
                let secret = SecureBytes(count: MLKEM.secretLength)
                let ciphertext = try [UInt8].make(capacity: ciphertextLength) { (output) throws(CryptoError) -> Int in
                    var (length, secretLength) = (output.count, secret.count)
                    let isDone = secret.withMutableBytes { secret in
                        EVP_PKEY_encapsulate(context, output.bytes, &length, secret.bytes, &secretLength) == 1
                    }
                    guard isDone, length == output.count, secretLength == secret.count else { throw .library() }
                    return length
                }
                return (ciphertext, secret)
            }
        }
    }
}
