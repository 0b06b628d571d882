// SPDX-License-Identifier: Apache-2.0
import COpenSSL
import Synchronization

/// A small, bounded, lock-free free list of OpenSSL contexts, because making one costs more than using it.
///
/// Contexts must be returned without key material. A context that failed is never
/// returned. Each slot is taken and filled by one atomic exchange, so there is no ABA problem and nothing to block on;
/// a thread starts at its own slot, so threads rarely meet.
struct ContextPool: @unchecked Sendable {
    /// The type of a pool's contexts.
    enum Kind {
        case digest, sha3, sponge, generator
    }

    private static let slotCount = 32
    /// One slot per cache line: neighbours must not slow each other down.
    private static let stride = 8

    private let slots: UnsafeMutablePointer<Atomic<OpaquePointer?>>
    private let kind: Kind

    /// A pool that lives as long as the process.
    init(_ kind: Kind) {
        let count = ContextPool.slotCount * ContextPool.stride
        slots = .allocate(capacity: count)
        for index in 0..<count { (slots + index).initialize(to: Atomic(nil)) }
        self.kind = kind
    }

    /// A context that is ready for use, or nil.
    private func make() -> OpaquePointer? {
        let algorithms = Algorithms.shared
        switch kind {
        case .digest: return Contexts.digest(algorithms.sha256)
        case .sha3: return Contexts.digest(algorithms.sha3)
        case .sponge: return Contexts.digest(algorithms.kmac)
        case .generator: return Contexts.generator()
        }
    }

    /// Wipes and frees a context.
    private func free(_ context: OpaquePointer) {
        switch kind {
        case .digest, .sha3, .sponge: EVP_MD_CTX_free(context)
        case .generator: EVP_PKEY_CTX_free(context)
        }
    }

    /// A context for the exclusive use of the caller, or an error when OpenSSL cannot make one.
    func take() throws(CryptoError) -> OpaquePointer {
        let start = ContextPool.start
        for offset in 0..<ContextPool.slotCount {
            let slot = slot(start &+ offset)
            if slot.pointee.load(ordering: .relaxed) == nil { continue }
            if let context = slot.pointee.exchange(nil, ordering: .acquiring) { return context }
        }
        guard let context = make() else { throw .unexpected() }
        return context
    }

    /// Lends a context and takes it back when `body` has done with it and `clean` has wiped it; one that failed is freed. What
    /// `body` has done stays done, whether or not its context can be used again.
    @inline(__always)
    func lend(
        _ body: (OpaquePointer) throws(CryptoError) -> Void, clean: (OpaquePointer) -> Bool
    ) throws(CryptoError) {
        let context = try take()
        do throws(CryptoError) {
            try body(context)
        } catch {
            discard(context)
            throw error
        }
        if clean(context) {
            giveBack(context)
        } else {
            discard(context)
            ERR_clear_error()
        }
    }

    /// Takes a context back that holds no secret any more.
    func giveBack(_ context: OpaquePointer) {
        let start = ContextPool.start
        for offset in 0..<ContextPool.slotCount {
            let slot = slot(start &+ offset)
            if slot.pointee.load(ordering: .relaxed) != nil { continue }
            if slot.pointee.compareExchange(
                expected: nil, desired: context, successOrdering: .releasing, failureOrdering: .relaxed
            ).exchanged {
                return
            }
        }
        free(context)
    }

    /// Frees a context that failed, with whatever it holds.
    func discard(_ context: OpaquePointer) { free(context) }

    @inline(__always)
    private func slot(_ index: Int) -> UnsafeMutablePointer<Atomic<OpaquePointer?>> {
        slots + (index & (ContextPool.slotCount - 1)) * ContextPool.stride
    }

    /// The slot where this thread begins to look: its identifier, mixed.
    @inline(__always)
    static var start: Int {
        Int(truncatingIfNeeded: (UInt64(mtoken_crypto_thread()) &* 0x9E37_79B9_7F4A_7C15) >> 59)
    }
}
