// SPDX-License-Identifier: Apache-2.0
import CSystem
import Synchronization

/// Keeps `fork` out of the middle of OpenSSL's and libcurl's work. OpenSSL 3 takes a lock of its own at every random number and at every
/// look-up of an algorithm, libcurl at every new handle; a child that is made while another thread has one could never have either.
///
/// Working threads are readers and do not block each other; a forking thread is the writer. The host's own work with
/// OpenSSL is not covered.
package enum ForkGate {
    /// How long a fork waits at most, in milliseconds: it may come from a signal's handler, in the middle of such work.
    private static var patience: Int { 1_000 }

    /// The address of the lock; 0: none yet. Threads that work read it without having gone through `Fork.prepare`: releasing and
    /// acquiring, so that they find the lock made.
    private static let place = Atomic<UInt>(0)
    /// Belongs to the forking thread; only one forks at a time.
    nonisolated(unsafe) private static var isShut = false

    /// To be called once, before the first fork that matters.
    package static func prepare() {
        let made = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
        made.initialize(to: pthread_rwlock_t())
        renew(made)
        place.store(UInt(bitPattern: made), ordering: .releasing)
    }

    private static var lock: UnsafeMutablePointer<pthread_rwlock_t>? {
        UnsafeMutablePointer(bitPattern: place.load(ordering: .acquiring))
    }

    /// Waits until no thread works, and keeps others from beginning. Before a fork.
    package static func shut() {
        guard let lock else { return }
        var deadline = timespec()
        clock_gettime(CLOCK_MONOTONIC, &deadline)
        deadline.tv_sec += patience / 1_000
        isShut = pthread_rwlock_clockwrlock(lock, CLOCK_MONOTONIC, &deadline) == 0
    }

    /// After a fork, in the parent.
    package static func open() {
        guard let lock, isShut else { return }
        pthread_rwlock_unlock(lock)
    }

    /// After a fork, in the child, which is another thread in the eyes of the lock.
    package static func openInChild() {
        if let lock { renew(lock) }
    }

    /// Runs work with OpenSSL, or with libcurl. Not within such work, and never anything that waits.
    @inline(__always)
    package static func pass<R, E: Error>(_ work: () throws(E) -> R) throws(E) -> R {
        let passed = enter()
        defer { leave(passed) }
        return try work()
    }

    @inline(never)
    private static func enter() -> UnsafeMutablePointer<pthread_rwlock_t>? {
        guard let lock else { return nil }
        pthread_rwlock_rdlock(lock)
        return lock
    }

    @inline(never)
    private static func leave(_ lock: UnsafeMutablePointer<pthread_rwlock_t>?) {
        if let lock { pthread_rwlock_unlock(lock) }
    }

    /// Without preference for those who fork, many threads that work could keep them waiting.
    private static func renew(_ lock: UnsafeMutablePointer<pthread_rwlock_t>) {
        var attributes = pthread_rwlockattr_t()
        pthread_rwlockattr_init(&attributes)
        pthread_rwlockattr_setkind_np(&attributes, mtoken_rwlock_prefers_writers)
        pthread_rwlock_init(lock, &attributes)
        pthread_rwlockattr_destroy(&attributes)
    }
}
