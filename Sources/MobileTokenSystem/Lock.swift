// SPDX-License-Identifier: Apache-2.0
import CSystem

/// A mutual exclusion lock: a `pthread_mutex_t` at a fixed address. Not recursive. May be used from any thread.
package final class Lock: @unchecked Sendable {
    fileprivate let mutex: UnsafeMutablePointer<pthread_mutex_t>

    package init() {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` while the calling thread holds the lock, and hands on what it returns or throws.
    ///
    /// Foreign code (a host's store, a completion) must not be called from `body`: it could come back for this lock.
    package func withLock<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body()
    }
}

/// A lock whose holder can yield it while it waits for something slow: meanwhile no other thread can take it, but
/// readers are admitted. Not recursive. May be used from any thread.
package final class YieldingLock: @unchecked Sendable {
    private let lock = Lock()
    // Guarded by the lock.
    private var isYielded = false
    /// The first thread that waits for the holder makes it.
    private var returned: Condition?
    private let number: UInt
    /// The lock that the same thread has yielded before, and not regained.
    private var outer: YieldingLock?

    /// - Parameter number: tells the lock from others
    package init(number: UInt) { self.number = number }

    /// Whether the calling thread has yielded the lock of a number: to wait for it would never end.
    package static func isYieldedHere(_ number: UInt) -> Bool {
        var lock = yieldedHere
        while let yielded = lock {
            if yielded.number == number { return true }
            lock = yielded.outer
        }
        return false
    }

    /// The lock that the calling thread has yielded last. The lock lives, since the thread is to take it back.
    private static var yieldedHere: YieldingLock? {
        get {
            key.flatMap { pthread_getspecific($0) }
                .map { Unmanaged<YieldingLock>.fromOpaque($0).takeUnretainedValue() }
        }
        set {
            if let key { pthread_setspecific(key, newValue.map { Unmanaged.passUnretained($0).toOpaque() }) }
        }
    }

    /// nil: the process has as many as it may.
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        return pthread_key_create(&key, nil) == 0 ? key : nil
    }()

    /// Runs `body` while the calling thread holds the lock, as soon as no thread holds or has yielded it.
    package func withLock<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        enter()
        defer { leave() }
        return try body()
    }

    /// As the beginning of `withLock`, for a time at most.
    ///
    /// - Returns: whether the lock is held now; `leave` lets it go
    @inline(never)
    package func enter(within milliseconds: Int64) -> Bool {
        pthread_mutex_lock(lock.mutex)
        guard isYielded else { return true }
        let deadline = TimeSource().monotonicMilliseconds() &+ milliseconds
        while isYielded {
            guard whenReturned.wait(untilMonotonicMilliseconds: deadline) || !isYielded else {
                pthread_mutex_unlock(lock.mutex)
                return false
            }
        }
        return true
    }

    /// Runs `body` under the lock, even while its holder has yielded it: the holder may later undo a value that `body`
    /// reads, and `body` must not change a value that the holder changes.
    package func glance<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R { try lock.withLock(body) }

    /// Yields the lock until `takeBack`, for long work. To be called by its holder.
    @inline(never)
    package func yield() {
        isYielded = true
        outer = Self.yieldedHere
        Self.yieldedHere = self
        leave()
    }

    /// Takes the lock back after `yield`, in the same thread.
    ///
    /// - Parameter isForked: this is a child that was made meanwhile, where who held the lock may be gone
    @inline(never)
    package func takeBack(isForked: Bool = false) {
        if isForked { pthread_mutex_trylock(lock.mutex) } else { pthread_mutex_lock(lock.mutex) }
        isYielded = false
        Self.yieldedHere = outer
        outer = nil
        returned?.broadcast()
    }

    @inline(never)
    private func enter() {
        pthread_mutex_lock(lock.mutex)
        while isYielded { whenReturned.wait() }
    }

    private var whenReturned: Condition {
        let condition = returned ?? Condition(lock)
        returned = condition
        return condition
    }

    /// Lets the lock go.
    @inline(never)
    package func leave() { pthread_mutex_unlock(lock.mutex) }
}

/// A condition to wait for, tied to one `Lock`. Deadlines are points on the monotonic clock (`CLOCK_MONOTONIC`), so a
/// change of the wall clock neither shortens nor lengthens a wait. May be used from any thread.
package final class Condition: @unchecked Sendable {
    private let lock: Lock
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    /// A condition whose waiters hold `lock`.
    package init(_ lock: Lock) {
        self.lock = lock
        condition = .allocate(capacity: 1)
        condition.initialize(to: pthread_cond_t())
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deallocate()
    }

    /// Releases the lock, sleeps until the condition is signalled, and takes the lock again.
    ///
    /// Call it only inside `withLock` of this condition's lock, in a loop that tests what is waited for: wake-ups may be
    /// spurious.
    package func wait() {
        pthread_cond_wait(condition, lock.mutex)
    }

    /// As `wait()`, but gives up at a point in time.
    ///
    /// - Parameter deadline: milliseconds of the system's monotonic clock, as `TimeSource.monotonicMilliseconds()` of the
    ///   plain `TimeSource` reports it. A deadline in the past only gives way to other threads.
    /// - Returns: false when the deadline has passed, true when the thread was woken (perhaps spuriously).
    package func wait(untilMonotonicMilliseconds deadline: Int64) -> Bool {
        var time = timespec(milliseconds: deadline)
        return pthread_cond_timedwait(condition, lock.mutex, &time) != ETIMEDOUT
    }

    /// Wakes one waiter.
    package func signal() {
        pthread_cond_signal(condition)
    }

    /// Wakes all waiters.
    package func broadcast() {
        pthread_cond_broadcast(condition)
    }
}

extension timespec {
    /// A point in time or a duration, from milliseconds; negative ones count as 0.
    init(milliseconds: Int64) {
        let value = max(0, milliseconds)
        self.init(tv_sec: Int(value / 1000), tv_nsec: Int(value % 1000) * 1_000_000)
    }

    /// The same in milliseconds, rounded down; saturated where it does not fit.
    var milliseconds: Int64 {
        let (product, overflow) = Int64(tv_sec).multipliedReportingOverflow(by: 1000)
        guard !overflow else { return tv_sec < 0 ? .min : .max }
        return product + Int64(tv_nsec / 1_000_000)
    }
}
