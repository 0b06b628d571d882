// SPDX-License-Identifier: Apache-2.0
import CSystem

/// One thread that runs everything: posted work in order, timers, and the descriptors of the transport.
///
/// The thread is named "mtoken" and blocks all signals but those of its own faults. It begins with `init` and ends with
/// `stop()`; the running thread keeps the loop alive, so a loop that is dropped without `stop()` continues. All
/// descriptors are close-on-exec.
///
/// `post`, `isOnLoop` and `stop` may be called from any thread. `schedule`, `cancel`, `watch`, `change` and `unwatch`
/// belong to the loop thread. In a process made by `fork` the thread does not exist: nothing runs there any more, and
/// `stop` only forgets.
///
/// When the process exits while loops run, an exit handler stops their threads first (`ProcessExit`).
package class Loop: @unchecked Sendable {
    /// Posted work; it is released on the loop thread after it ran.
    package typealias Work = @Sendable () -> Void

    private enum State {
        /// The thread takes work from any thread.
        case running
        /// `stop` was called: posted work still runs, but only the loop itself may post more.
        case draining
        /// The thread is gone.
        case stopped
        /// The process exits: the thread leaves as soon as the current piece of work returns.
        case exiting
    }

    /// The clock of all timers.
    package final let time: TimeSource

    private let poller: Poller?
    private let epoch = Fork.epoch
    private let lock = Lock()
    private let changed: Condition

    // Guarded by the lock.
    private var state = State.running
    private var posted = Queue<Work>()
    private var isAsleep = false
    private var thread: UInt?
    private var isJoining = false
    private var roundEnd: (() -> Void)?
    /// The thread has done all its work and is about to end.
    private var hasLeft = false

    // On the loop thread only.
    private var timers = TimerHeap()

    // Guarded by the registry of ProcessExit.
    final var nextRegistered: Unmanaged<Loop>?
    final var previousRegistered: Unmanaged<Loop>?

    /// Starts the thread.
    ///
    /// With a time source that does not move by itself, `wake()` makes the loop look at the clock again.
    ///
    /// - Throws: when the system gives no thread or descriptor, or the process is exiting.
    package convenience init(time: TimeSource) throws(SystemError) {
        try self.init(time: time, poller: Poller())
        try start()
    }

    /// A loop without thread or descriptors, for `ManualLoop`.
    init(manualTime: TimeSource) {
        time = manualTime
        poller = nil
        changed = Condition(lock)
    }

    private init(time: TimeSource, poller: Poller) {
        self.time = time
        self.poller = poller
        changed = Condition(lock)
    }

    // MARK: Any thread

    /// Whether the caller runs on the loop thread.
    package final var isOnLoop: Bool {
        guard isOfThisProcess else { return false }
        guard let thread = lock.withLock({ thread }) else { return poller == nil }
        return thread == mtoken_thread_current()
    }

    /// Whether the thread is one of this process: false after a `fork`, when locks may be held by threads that are gone.
    package final var isOfThisProcess: Bool { Fork.epoch == epoch }

    /// Runs work on the loop thread, after all work that was posted before.
    ///
    /// - Returns: false when the loop is stopping or stopped, or a parent's: then the work will not run.
    @discardableResult
    package final func post(_ work: @escaping Work) -> Bool {
        guard isOfThisProcess else { return false }
        var wakes = false
        let accepted = lock.withLock {
            switch state {
            case .running: break
            case .draining: guard isThisThread else { return false }
            case .stopped, .exiting: return false
            }
            posted.append(work)
            wakes = isAsleep
            isAsleep = false
            return true
        }
        if wakes { poller?.wake() }
        return accepted
    }

    /// Work that the loop thread does after each of its rounds, before it sleeps, and once more before it ends: what need not be done
    /// for each piece of work. To be set before anything is posted.
    package final func atEachRoundEnd(_ work: @escaping @Sendable () -> Void) {
        lock.withLock { roundEnd = work }
    }

    /// Makes the loop look at its clock: only needed after a time source jumped by hand.
    package final func wake() {
        post {}
    }

    /// Ends the loop: work that is posted already still runs, with all that it posts itself; then the timers are dropped
    /// and the thread ends. Returns after that. Calling it again, also from several threads at once, is harmless.
    ///
    /// - Returns: false, without doing anything, when called on the loop thread itself, which cannot wait for its own end.
    @discardableResult
    package final func stop() -> Bool {
        guard isOfThisProcess else { return true }
        guard !isOnLoop || poller == nil else { return false }
        var joins = false
        lock.withLock {
            if case .running = state { state = .draining }
            while isJoining { changed.wait() }
            guard case .draining = state else { return }
            isJoining = true
            joins = true
        }
        guard joins else { return true }
        if let thread = lock.withLock({ thread }) {
            poller?.wake()
            mtoken_thread_join(thread)
        } else {
            drain()
        }
        lock.withLock {
            state = .stopped
            thread = nil
            isJoining = false
            changed.broadcast()
        }
        ProcessExit.unregister(self)
        return true
    }

    // MARK: The loop thread

    /// Runs work once, `milliseconds` from now (to within one millisecond), unless cancelled. Timers of the same moment
    /// run in the order of scheduling; negative times count as 0. A timer of 0 runs in the next round of the loop.
    @discardableResult
    package final func schedule(afterMilliseconds milliseconds: Int64, _ work: @escaping () -> Void) -> LoopTimer {
        assert(isOnLoop)
        let (deadline, overflow) = time.monotonicMilliseconds().addingReportingOverflow(max(0, milliseconds))
        return timers.add(deadline: overflow ? .max : deadline, work: work)
    }

    /// As `schedule`, for a timer that was made before.
    final func keep(_ timer: LoopTimer, _ work: @escaping () -> Void) {
        assert(isOnLoop)
        timers.keep(timer, work)
    }

    /// Takes a timer back; one that ran already is left alone.
    package final func cancel(_ timer: LoopTimer) {
        assert(isOnLoop)
        timers.cancel(timer)
    }

    /// Whether descriptors can be watched: false on a `ManualLoop`.
    package final var hasDescriptors: Bool { poller != nil }

    /// The number of timers that wait.
    package final var scheduledTimers: Int { timers.count }

    /// Calls `handler` on the loop thread whenever the descriptor is ready (level-triggered), until `unwatch`.
    ///
    /// The caller keeps the result, and unwatches before it closes the descriptor.
    ///
    /// - Returns: nil when the kernel refuses, or on a `ManualLoop`, which has no descriptors.
    package final func watch(
        _ descriptor: Int32, _ events: DescriptorEvents, handler: @escaping (DescriptorEvents) -> Void
    ) -> Watcher? {
        poller?.add(descriptor, events, handler: handler)
    }

    /// Changes what a watcher waits for.
    @discardableResult
    package final func change(_ watcher: Watcher, _ events: DescriptorEvents) -> Bool {
        poller?.change(watcher, events) ?? false
    }

    /// Ends a watch; its handler is not called again, even when it was ready in the same round.
    package final func unwatch(_ watcher: Watcher) {
        poller?.remove(watcher)
    }

    // MARK: The thread

    private var isThisThread: Bool {
        guard let thread else { return poller == nil }
        return thread == mtoken_thread_current()
    }

    private func start() throws(SystemError) {
        guard ProcessExit.register(self) else {
            throw SystemError(0, "the process is exiting")
        }
        let context = Unmanaged.passRetained(self).toOpaque()
        var previous = sigset_t()
        var created: UInt = 0
        mtoken_signals_block(&previous)
        let result = mtoken_thread_start(&created, loopThreadMain, context)
        pthread_sigmask(SIG_SETMASK, &previous, nil)
        guard result == 0 else {
            Unmanaged<Loop>.fromOpaque(context).release()
            ProcessExit.unregister(self)
            throw SystemError(result, "the system could not start the loop's thread")
        }
        lock.withLock {
            thread = created
            changed.broadcast()
        }
    }

    /// The life of the thread. Answers false when the process is exiting, where nothing may be freed any more.
    fileprivate func run() -> Bool {
        mtoken_thread_set_name("mtoken")
        let isOrderly = runUntilTheEnd()
        guard isOfThisProcess else { return false }
        lock.withLock {
            hasLeft = true
            changed.broadcast()
        }
        return isOrderly
    }

    private func runUntilTheEnd() -> Bool {
        lock.withLock { while thread == nil { changed.wait() } }
        while true {
            guard runRound() else { return false }
            lock.withLock({ roundEnd })?()
            var finished = false
            var timeout: Int64? = nextTimeout()
            lock.withLock {
                if !posted.isEmpty {
                    timeout = 0
                } else if case .draining = state {
                    finished = true
                } else {
                    isAsleep = true
                }
            }
            if finished { break }
            poller?.poll(timeoutMilliseconds: timeout)
            lock.withLock { isAsleep = false }
        }
        timers.removeAll()
        lock.withLock({ roundEnd })?()
        return true
    }

    private func nextTimeout() -> Int64? {
        guard let deadline = timers.nextDeadline else { return nil }
        return deadline - min(deadline, time.monotonicMilliseconds())
    }

    /// Runs the timers that are due and the work that is posted by now, but nothing that these add.
    private func runRound() -> Bool {
        let now = time.monotonicMilliseconds()
        let count = lock.withLock { posted.count }
        while let work = timers.popDue(now: now) {
            work()
            guard !isExiting else { return false }
        }
        for _ in 0..<count {
            guard let work = nextPosted() else { break }
            work()
        }
        return !isExiting
    }

    private var isExiting: Bool {
        // A function of the host forked on this thread and came back in the child: there is nothing to do here any more.
        guard isOfThisProcess else { return true }
        return lock.withLock {
            if case .exiting = state { return true }
            return false
        }
    }

    private func nextPosted() -> Work? {
        lock.withLock {
            if case .exiting = state { return nil }
            return posted.popFirst()
        }
    }

    private func drain() {
        while let work = nextPosted() { work() }
        timers.removeAll()
    }

    // MARK: Manual running

    /// Runs one piece of posted work, or else one due timer. False when there is none.
    final func runOne() -> Bool {
        if let work = nextPosted() {
            work()
            return true
        }
        guard let work = timers.popDue(now: time.monotonicMilliseconds()) else { return false }
        work()
        return true
    }

    /// When the next timer is due, in milliseconds of the monotonic clock.
    final var nextDeadline: Int64? { timers.nextDeadline }

    // MARK: Process exit

    /// Tells the thread to leave as soon as it can, freeing nothing.
    final func requestExit() {
        guard isOfThisProcess, let poller else { return }
        lock.withLock {
            switch state {
            case .running, .draining: state = .exiting
            case .stopped, .exiting: break
            }
        }
        poller.wake()
    }

    /// Waits until the thread has left after `requestExit`, at most until the deadline (milliseconds of the system's
    /// monotonic clock): the thread may be inside a callback of a host that does not return any more.
    final func joinForExit(deadline: Int64) {
        guard isOfThisProcess, !isOnLoop else { return }
        var target: UInt?
        lock.withLock {
            while isJoining || !hasLeft, changed.wait(untilMonotonicMilliseconds: deadline) {}
            guard !isJoining, hasLeft, case .exiting = state else { return }
            isJoining = true
            target = thread
        }
        guard let target else { return }
        mtoken_thread_join(target)
        lock.withLock {
            isJoining = false
            state = .stopped
            changed.broadcast()
        }
    }
}

private func loopThreadMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    let loop = Unmanaged<Loop>.fromOpaque(context)
    if loop._withUnsafeGuaranteedRef({ $0.run() }) { loop.release() }
    return nil
}
