// SPDX-License-Identifier: Apache-2.0
/// A piece of work that a `Loop` runs once, at a point in time, unless it is cancelled before.
///
/// Made by `Loop.schedule`. To be touched on the loop thread only.
package final class LoopTimer {
    /// The point on the loop's monotonic clock, in milliseconds.
    package let deadline: Int64
    /// Breaks ties: timers of the same deadline run in the order in which they were scheduled.
    fileprivate var sequence: UInt64 = 0
    /// Where the timer sits in the heap, -1 when it is not scheduled any more.
    fileprivate var index = -1
    fileprivate var work: (() -> Void)?
    /// The work when it has fired, if that is not on the loop's thread. To be used in the lane only.
    private var laneWork: (() -> Void)?

    /// One that rings in a lane.
    init(deadline: Int64, inLane work: @escaping () -> Void) {
        self.deadline = deadline
        laneWork = work
    }

    func takeLaneWork() -> (() -> Void)? { laneWork.take() }

    fileprivate init(deadline: Int64) { self.deadline = deadline }

    /// Whether the timer will still run.
    package var isScheduled: Bool { index >= 0 }

    fileprivate func isBefore(_ other: LoopTimer) -> Bool {
        deadline != other.deadline ? deadline < other.deadline : sequence < other.sequence
    }
}

/// A binary heap of timers in which each timer knows its place, so cancelling costs O(log n) like adding.
struct TimerHeap {
    private var heap: [LoopTimer] = []
    private var sequence: UInt64 = 0

    /// The number of scheduled timers.
    package var count: Int { heap.count }

    /// When the next timer is due, in milliseconds of the monotonic clock.
    var nextDeadline: Int64? { heap.first?.deadline }

    /// Adds a timer.
    package mutating func add(deadline: Int64, work: @escaping () -> Void) -> LoopTimer {
        let timer = LoopTimer(deadline: deadline)
        keep(timer, work)
        return timer
    }

    /// Adds one that was made before.
    mutating func keep(_ timer: LoopTimer, _ work: @escaping () -> Void) {
        sequence &+= 1
        timer.sequence = sequence
        timer.work = work
        heap.append(timer)
        timer.index = heap.count - 1
        siftUp(timer.index)
    }

    /// Takes a timer out; one that has run or was cancelled, or belongs to another heap, is left alone.
    mutating func cancel(_ timer: LoopTimer) {
        let index = timer.index
        guard index >= 0, index < heap.count, heap[index] === timer else { return }
        remove(at: index)
        timer.work = nil
    }

    /// Takes out the work of the next timer if that is due at `now`.
    mutating func popDue(now: Int64) -> (() -> Void)? {
        guard let first = heap.first, first.deadline <= now else { return nil }
        remove(at: 0)
        let work = first.work
        first.work = nil
        return work
    }

    /// Drops all timers without running them. The closures are released after the heap is empty, so that a
    /// deinitialiser may call this again.
    mutating func removeAll() {
        let dropped = heap
        heap = []
        for timer in dropped {
            timer.index = -1
            timer.work = nil
        }
    }

    private mutating func remove(at index: Int) {
        let last = heap.count - 1
        heap[index].index = -1
        if index != last {
            heap[index] = heap[last]
            heap[index].index = index
        }
        heap.removeLast()
        if index < heap.count {
            siftDown(index)
            siftUp(index)
        }
    }

    private mutating func siftUp(_ start: Int) {
        var index = start
        while index > 0 {
            let parent = (index - 1) / 2
            guard heap[index].isBefore(heap[parent]) else { return }
            exchange(index, parent)
            index = parent
        }
    }

    private mutating func siftDown(_ start: Int) {
        var index = start
        while true {
            var smallest = index
            let left = 2 * index + 1
            for child in left...left + 1 where child < heap.count {
                if heap[child].isBefore(heap[smallest]) { smallest = child }
            }
            guard smallest != index else { return }
            exchange(index, smallest)
            index = smallest
        }
    }

    private mutating func exchange(_ a: Int, _ b: Int) {
        heap.swapAt(a, b)
        heap[a].index = a
        heap[b].index = b
    }
}
