// SPDX-License-Identifier: Apache-2.0
import COpenSSL
import Synchronization

/// The algorithms of this library, each fetched from OpenSSL's default context once, and the contexts that are worth keeping.
///
/// An algorithm that is not kept is looked up under a lock at every use, which is slow and does not scale over threads. One
/// that cannot be had, for want of memory, is nil, and asked for again at its next use.
struct Algorithms: @unchecked Sendable {
    /// Made at first use; lives as long as the process.
    static let shared = Algorithms()

    private enum Kept: Int, CaseIterable {
        case sha256, aes128CBC, pbkdf2, p256, p256Parameters, p384, p384Parameters, sha384, sha3, kmac, aes256CTR
        case mlkem768, mlkem1024, mldsa65, mldsa87
    }

    /// Only OpenSSL 3.5 and later has these.
    enum PostQuantum {
        case mlkem768, mlkem1024, mldsa65, mldsa87
    }

    private let kept: UnsafeMutablePointer<Atomic<OpaquePointer?>>

    /// `EVP_MD_CTX` of SHA-256, ready for input.
    let digests: ContextPool
    /// `EVP_PKEY_CTX` ready to generate P-256 key pairs.
    let generators: ContextPool
    /// `EVP_MD_CTX` of SHA3-256, ready for input.
    let sha3Digests: ContextPool
    /// `EVP_MD_CTX` of the sponge of KMAC-256, ready for input.
    let sponges: ContextPool

    private init() {
        kept = .allocate(capacity: Kept.allCases.count)
        for index in 0..<Kept.allCases.count { (kept + index).initialize(to: Atomic(nil)) }
        digests = ContextPool(.digest)
        generators = ContextPool(.generator)
        sha3Digests = ContextPool(.sha3)
        sponges = ContextPool(.sponge)
    }

    var sha256: OpaquePointer? { fetched(.sha256) }
    var aes128CBC: OpaquePointer? { fetched(.aes128CBC) }
    var pbkdf2: OpaquePointer? { fetched(.pbkdf2) }
    var sha384: OpaquePointer? { fetched(.sha384) }
    var sha3: OpaquePointer? { fetched(.sha3) }
    /// The sponge of KMAC-256: SHAKE-256 with the padding of cSHAKE.
    var kmac: OpaquePointer? { fetched(.kmac) }
    var aes256CTR: OpaquePointer? { fetched(.aes256CTR) }
    /// The curve, for turning a private number into its point. Only read after it is made.
    func group(_ curve: Curve) -> OpaquePointer? { fetched(curve == .p256 ? .p256 : .p384) }
    /// A key with nothing but the curve: copying it costs a third of naming the curve. Only read after it is made.
    func parameters(_ curve: Curve) -> OpaquePointer? { fetched(curve == .p256 ? .p256Parameters : .p384Parameters) }

    /// Whether an algorithm can be had.
    func has(_ algorithm: PostQuantum) -> Bool {
        switch algorithm {
        case .mlkem768: fetched(.mlkem768) != nil
        case .mlkem1024: fetched(.mlkem1024) != nil
        case .mldsa65: fetched(.mldsa65) != nil
        case .mldsa87: fetched(.mldsa87) != nil
        }
    }

    @inline(__always)
    private func fetched(_ algorithm: Kept) -> OpaquePointer? {
        (kept + algorithm.rawValue).pointee.load(ordering: .acquiring) ?? fetch(algorithm)
    }

    @inline(never)
    @_optimize(size)
    private func fetch(_ algorithm: Kept) -> OpaquePointer? {
        ERR_set_mark()
        defer { ERR_pop_to_mark() }
        let place = kept + algorithm.rawValue
        switch algorithm {
        case .sha256: return place.pointee.settle(EVP_MD_fetch(nil, "SHA256", nil), free: EVP_MD_free)
        case .aes128CBC: return place.pointee.settle(EVP_CIPHER_fetch(nil, "AES-128-CBC", nil), free: EVP_CIPHER_free)
        case .pbkdf2: return place.pointee.settle(EVP_KDF_fetch(nil, "PBKDF2", nil), free: EVP_KDF_free)
        case .sha384: return place.pointee.settle(EVP_MD_fetch(nil, "SHA384", nil), free: EVP_MD_free)
        case .sha3: return place.pointee.settle(EVP_MD_fetch(nil, "SHA3-256", nil), free: EVP_MD_free)
        case .kmac: return place.pointee.settle(EVP_MD_fetch(nil, "KECCAK-KMAC-256", nil), free: EVP_MD_free)
        case .aes256CTR: return place.pointee.settle(EVP_CIPHER_fetch(nil, "AES-256-CTR", nil), free: EVP_CIPHER_free)
        case .mlkem768: return place.pointee.settle(EVP_KEYMGMT_fetch(nil, "ML-KEM-768", nil), free: EVP_KEYMGMT_free)
        case .mlkem1024: return place.pointee.settle(EVP_KEYMGMT_fetch(nil, "ML-KEM-1024", nil), free: EVP_KEYMGMT_free)
        case .mldsa65: return place.pointee.settle(EVP_KEYMGMT_fetch(nil, "ML-DSA-65", nil), free: EVP_KEYMGMT_free)
        case .mldsa87: return place.pointee.settle(EVP_KEYMGMT_fetch(nil, "ML-DSA-87", nil), free: EVP_KEYMGMT_free)
        case .p256, .p384:
            let curve: Curve = algorithm == .p256 ? .p256 : .p384
            return place.pointee.settle(EC_GROUP_new_by_curve_name(curve.identifier), free: EC_GROUP_free)
        case .p256Parameters: return place.pointee.settle(Contexts.curve(.p256), free: EVP_PKEY_free)
        case .p384Parameters: return place.pointee.settle(Contexts.curve(.p384), free: EVP_PKEY_free)
        }
    }
}

extension Atomic where Value == OpaquePointer? {
    /// Keeps what was made, or frees it and gives what another thread put here meanwhile.
    borrowing func settle(_ made: OpaquePointer?, free: (OpaquePointer?) -> Void) -> OpaquePointer? {
        guard let made else { return nil }
        let (exchanged, other) = compareExchange(expected: nil, desired: made, ordering: .acquiringAndReleasing)
        guard !exchanged, let other else { return made }
        free(made)
        return other
    }
}
