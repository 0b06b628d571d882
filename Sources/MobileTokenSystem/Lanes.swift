// SPDX-License-Identifier: Apache-2.0
import CSystem

/// Threads for work that may wait for the host. Each lane's work runs in order, one piece at a time; a lane whose work waits keeps no
/// other lane from going on: one thread is enough as long as none waits, and there are more as soon as all of them do.
///
/// May be used from any thread.
package final class Lanes: @unchecked Sendable {
    /// How long all threads may be busy without any going on before there are more, in milliseconds.
    private static let patience: Int64 = 100

    fileprivate let loop: Loop
    fileprivate let lock = Lock()
    // Guarded by the lock.
    fileprivate var isStopping = false
    private var threads: [Loop] = []
    private var idle: [Loop] = []
    /// The lanes with work that no thread has taken.
    private var ready = Queue<Lane>()
    /// Counts the lanes that a thread has taken.
    private var taken: UInt = 0
    private var isWatched = false

    /// Starts the first thread.
    ///
    /// - Parameter loop: has the timers; it is to be stopped before this
    package init(_ loop: Loop) throws(SystemError) {
        self.loop = loop
        threads = [try Loop(time: loop.time)]
        idle = threads
    }

    /// Ends the threads. Work that was already posted still runs, with all that it posts to its own lane.
    package func stop() {
        let threads = lock.withLock {
            isStopping = true
            return self.threads
        }
        for thread in threads { thread.stop() }
    }

    /// A lane has work. Under the lock.
    fileprivate func add(_ lane: Lane) {
        ready.append(lane)
        // The thread that adds it then takes it itself.
        guard !isStopping else { return }
        if let thread = idle.popLast() {
            thread.post { [self] in work(on: thread) }
        } else if !isWatched {
            isWatched = true
            loop.post { [self] in watch() }
        }
    }

    /// Does the work of the next lane, and continues until there is none.
    private func work(on thread: Loop) {
        let lane = lock.withLock { () -> Lane? in
            guard let lane = ready.popFirst() else {
                idle.append(thread)
                return nil
            }
            taken &+= 1
            return lane
        }
        guard let lane, lane.run() else { return }
        thread.post { [self] in work(on: thread) }
    }

    /// Checks whether any thread makes progress while lanes wait for one.
    private func watch() {
        let before = lock.withLock { taken }
        loop.schedule(afterMilliseconds: Self.patience) { [self] in
            let missing = lock.withLock { () -> Int? in
                guard !ready.isEmpty else {
                    isWatched = false
                    return nil
                }
                return taken == before ? min(threads.count, ready.count) : 0
            }
            guard let missing else { return }
            for _ in 0..<missing { startThread() }
            watch()
        }
    }

    private func startThread() {
        guard let thread = try? Loop(time: loop.time) else { return }
        lock.withLock { threads.append(thread) }
        thread.post { [self] in work(on: thread) }
    }
}

/// Work that runs in order on one of the threads of `Lanes`. May be used from any thread.
package final class Lane: @unchecked Sendable {
    private let lanes: Lanes
    // Guarded by the lock of the lanes.
    private var posted = Queue<Loop.Work>()
    private var runner: UInt?
    private var since: Int64?

    package init(_ lanes: Lanes) { self.lanes = lanes }

    /// Since when the current piece of work has run, or the next has waited for a thread, in milliseconds of the
    /// monotonic clock; nil: there is none.
    package var busySince: Int64? { lanes.lock.withLock { since } }

    /// Runs work after all that was posted before.
    ///
    /// - Returns: false when the lanes are stopping or stopped, or a parent's: then the work will not run
    @discardableResult
    package func post(_ work: @escaping Loop.Work) -> Bool {
        guard lanes.loop.isOfThisProcess else { return false }
        return lanes.lock.withLock {
            guard !lanes.isStopping || runner == mtoken_thread_current() else {
                return false
            }
            posted.append(work)
            if since == nil {
                since = lanes.loop.time.monotonicMilliseconds()
                lanes.add(self)
            }
            return true
        }
    }

    /// Runs work once, `milliseconds` from now, unless cancelled. To be called in the lane.
    package func schedule(afterMilliseconds milliseconds: Int64, _ work: @escaping () -> Void) -> LoopTimer {
        let (deadline, overflow) = lanes.loop.time.monotonicMilliseconds().addingReportingOverflow(max(0, milliseconds))
        let timer = LoopTimer(deadline: overflow ? .max : deadline, inLane: work)
        let (loop, relay) = (lanes.loop, Relay(lane: self, timer: timer))
        loop.post { loop.keep(relay.timer) { relay.ring() } }
        return timer
    }

    /// Takes a timer back. To be called in the lane.
    package func cancel(_ timer: LoopTimer) {
        guard timer.takeLaneWork() != nil else { return }
        let (loop, relay) = (lanes.loop, Relay(lane: self, timer: timer))
        loop.post { loop.cancel(relay.timer) }
    }

    /// Runs what is posted by now.
    ///
    /// - Returns: false: the thread is a child's, and is to go
    fileprivate func run() -> Bool {
        var count = lanes.lock.withLock { posted.count }
        while let work = next(count) {
            work()
            // A function of the host forked: locks may be held by threads that are gone.
            guard lanes.loop.isOfThisProcess else { return false }
            count -= 1
        }
        return true
    }

    /// - Parameter left: how many pieces of work this thread still does
    private func next(_ left: Int) -> Loop.Work? {
        lanes.lock.withLock {
            guard left > 0, let work = posted.popFirst() else {
                runner = nil
                since = posted.isEmpty ? nil : lanes.loop.time.monotonicMilliseconds()
                if since != nil { lanes.add(self) }
                return nil
            }
            runner = mtoken_thread_current()
            since = lanes.loop.time.monotonicMilliseconds()
            return work
        }
    }
}

/// Brings a timer from the loop's thread to its lane.
private struct Relay: @unchecked Sendable {
    let lane: Lane
    let timer: LoopTimer

    func ring() {
        lane.post { timer.takeLaneWork()?() }
    }
}
