// SPDX-License-Identifier: Apache-2.0
import MobileTokenSystem

/// The state that the tasks of one runtime share: the queue for their events, the waiting threads, the number of
/// running tasks. It does not keep the runtime alive. May be used from any thread.
package final class TaskBoard: @unchecked Sendable {
    private let time: TimeSource
    private let lock = Lock()
    // Guarded by the lock.
    private var events: EventQueue?
    private var interruptions: UInt64 = 0
    private var runningCount = 0
    /// The tasks that threads wait for, once for each thread.
    private var waited: [CallTask] = []

    init(events: EventQueue, time: TimeSource) {
        self.events = events
        self.time = time
    }

    /// Tasks that the host has started and that have not completed.
    package var running: Int { lock.withLock { runningCount } }

    func began() { lock.withLock { runningCount += 1 } }

    func ended() { lock.withLock { runningCount -= 1 } }

    func close() { lock.withLock { events = nil } }

    /// Queues the event of a completed task that the host has asked for.
    ///
    /// - Returns: false when the runtime has stopped
    func tell(_ task: CallTask, tag: UInt64) -> Bool {
        guard let events = lock.withLock({ events }) else { return false }
        events.push(
            Event(.task(task), client: task.client, time: time.wallMilliseconds(), tag: tag), isAskedFor: true)
        return true
    }

    /// Counts the times that all waits were ended; a wait ends when this differs from what it was when the wait began.
    var interruption: UInt64 { lock.withLock { interruptions } }

    func beginWait(for task: CallTask) -> UInt64 {
        lock.withLock {
            waited.append(task)
            return interruptions
        }
    }

    func endWait(for task: CallTask) {
        lock.withLock {
            guard let place = waited.lastIndex(where: { $0 === task }) else { return }
            waited.swapAt(place, waited.count - 1)
            waited.removeLast()
        }
    }

    /// Ends all waits for tasks that are under way.
    func interrupt() {
        let tasks = lock.withLock {
            interruptions &+= 1
            return waited
        }
        for task in tasks { task.wake() }
    }
}
