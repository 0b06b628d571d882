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
        case sha256, aes128CBC, pbkdf2, p256, p256Parameters
    }

    private let kept: UnsafeMutablePointer<Atomic<OpaquePointer?>>

    /// `EVP_MD_CTX` of SHA-256, ready for input.
    let digests: ContextPool
    /// `EVP_PKEY_CTX` ready to generate P-256 key pairs.
    let generators: ContextPool

    private init() {
        kept = .allocate(capacity: Kept.allCases.count)
        for index in 0..<Kept.allCases.count { (kept + index).initialize(to: Atomic(nil)) }
        digests = ContextPool(.digest)
        generators = ContextPool(.generator)
    }

    var sha256: OpaquePointer? { fetched(.sha256) }
    var aes128CBC: OpaquePointer? { fetched(.aes128CBC) }
    var pbkdf2: OpaquePointer? { fetched(.pbkdf2) }
    /// The curve, for turning a private number into its point. Only read after it is made.
    var p256: OpaquePointer? { fetched(.p256) }
    /// A key with nothing but the curve: copying it costs a third of naming the curve. Only read after it is made.
    var p256Parameters: OpaquePointer? { fetched(.p256Parameters) }

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
        case .p256:
            return place.pointee.settle(EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1), free: EC_GROUP_free)
        case .p256Parameters: return place.pointee.settle(Contexts.curve(), free: EVP_PKEY_free)
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
