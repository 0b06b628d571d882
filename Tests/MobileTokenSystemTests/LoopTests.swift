import Foundation
import TestSupport
import Testing

@testable import MobileTokenSystem

@Suite struct LockTests {
    @Test func excludesOtherThreads() {
        let lock = Lock()
        nonisolated(unsafe) var count = 0
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<1000 { lock.withLock { count += 1 } }
        }
        #expect(count == 8000)
    }

    @Test func handsOnWhatIsThrown() {
        struct Failure: Error, Equatable {}
        let lock = Lock()
        #expect(throws: Failure.self) { try lock.withLock { () throws(Failure) in throw Failure() } }
        #expect(lock.withLock { 1 } == 1)
    }

    @Test func conditionWaitsUntilItsDeadline() {
        let lock = Lock()
        let condition = Condition(lock)
        let time = TimeSource()
        let deadline = time.monotonicMilliseconds() + 30
        lock.withLock { while condition.wait(untilMonotonicMilliseconds: deadline) {} }
        #expect(time.monotonicMilliseconds() >= deadline)
        lock.withLock { #expect(!condition.wait(untilMonotonicMilliseconds: -5)) }
    }
}

@Suite struct LoopTests {
    @Test func runsPostedWorkInOrderOnItsThread() throws {
        let loop = try Loop(time: TimeSource())
        defer { loop.stop() }
        let order = Recorder<Int>()
        let done = Promise<[Int]>()
        #expect(!loop.isOnLoop)
        for number in 0..<1000 { loop.post { order.add(loop.isOnLoop ? number : -1) } }
        loop.post { done.fulfil(order.all) }
        #expect(try done.wait() == Array(0..<1000))
    }

    @Test func keepsTheOrderOfEachPoster() throws {
        let loop = try Loop(time: TimeSource())
        let order = Recorder<(Int, Int)>()
        DispatchQueue.concurrentPerform(iterations: 4) { poster in
            for number in 0..<5000 { loop.post { order.add((poster, number)) } }
        }
        loop.stop()
        for poster in 0..<4 {
            #expect(order.all.filter { $0.0 == poster }.map(\.1) == Array(0..<5000))
        }
    }

    @Test func runsTimersNotTooEarly() throws {
        let loop = try Loop(time: TimeSource())
        defer { loop.stop() }
        let fired = Promise<Int64>()
        let begin = TimeSource().monotonicMilliseconds()
        loop.post { loop.schedule(afterMilliseconds: 40) { fired.fulfil(TimeSource().monotonicMilliseconds()) } }
        #expect(try fired.wait() - begin >= 40)
    }

    @Test func wakesForAnEarlierTimer() throws {
        let loop = try Loop(time: TimeSource())
        defer { loop.stop() }
        let fired = Promise<Bool>()
        loop.post { loop.schedule(afterMilliseconds: 3_600_000) { fired.fulfil(false) } }
        loop.post { loop.schedule(afterMilliseconds: 5) { fired.fulfil(true) } }
        #expect(try fired.wait())
    }

    @Test func looksAtAHandMovedClockWhenWoken() throws {
        let time = ManualTime()
        let loop = try Loop(time: time)
        defer { loop.stop() }
        let fired = Promise<Bool>()
        let scheduled = Promise<Bool>()
        loop.post {
            loop.schedule(afterMilliseconds: 1000) { fired.fulfil(true) }
            scheduled.fulfil(true)
        }
        _ = try scheduled.wait()
        time.advance(milliseconds: 1000)
        loop.wake()
        #expect(try fired.wait())
    }

    @Test func stopRunsWhatIsPostedAndDropsTimers() throws {
        let loop = try Loop(time: TimeSource())
        let order = Recorder<Int>()
        loop.post {
            loop.schedule(afterMilliseconds: 10_000) { order.add(99) }
            for number in 0..<3 { loop.post { order.add(number) } }
        }
        #expect(loop.stop())
        #expect(order.all == [0, 1, 2])
        #expect(!loop.post { order.add(100) })
        #expect(loop.stop())
        #expect(loop.scheduledTimers == 0)
        #expect(!loop.isOnLoop)
    }

    @Test func stopRefusesOnTheLoopThread() throws {
        let loop = try Loop(time: TimeSource())
        let result = Promise<Bool>()
        loop.post { result.fulfil(loop.stop()) }
        #expect(try !result.wait())
        #expect(loop.stop())
    }

    @Test func stopsFromManyThreadsAtOnce() throws {
        let loop = try Loop(time: TimeSource())
        DispatchQueue.concurrentPerform(iterations: 8) { _ in #expect(loop.stop()) }
    }

    @Test func releasesWorkThatRan() throws {
        final class Token: Sendable {
            let gone: Promise<Bool>
            init(_ gone: Promise<Bool>) { self.gone = gone }
            deinit { gone.fulfil(true) }
        }
        let loop = try Loop(time: TimeSource())
        defer { loop.stop() }
        let gone = Promise<Bool>()
        do {
            let token = Token(gone)
            loop.post { _ = token }
        }
        #expect(try gone.wait())
    }

    @Test func watchesDescriptors() throws {
        let loop = try Loop(time: TimeSource())
        defer { loop.stop() }
        let pipe = Pipe()
        let seen = Promise<[UInt8]>()
        loop.post {
            nonisolated(unsafe) var watcher: Watcher?
            watcher = loop.watch(pipe.fileHandleForReading.fileDescriptor, .readable) { events in
                #expect(events.contains(.readable))
                seen.fulfil([UInt8](pipe.fileHandleForReading.availableData))
                if let watcher { loop.unwatch(watcher) }
                watcher = nil
            }
        }
        try pipe.fileHandleForWriting.write(contentsOf: Data("hello".utf8))
        #expect(try seen.wait() == [UInt8]("hello".utf8))
    }

    @Test func givesEachThreadItsName() throws {
        let loop = try Loop(time: TimeSource())
        defer { loop.stop() }
        let name = Promise<String>()
        loop.post { name.fulfil((try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)) ?? "") }
        #expect(try name.wait() == "mtoken\n")
    }

    @Test func blocksSignalsButFaults() throws {
        var before = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &before)
        let loop = try Loop(time: TimeSource())
        defer { loop.stop() }
        let blocked = Promise<[Bool]>()
        loop.post {
            var mask = sigset_t()
            pthread_sigmask(SIG_BLOCK, nil, &mask)
            blocked.fulfil(
                [SIGPIPE, SIGINT, SIGTERM, SIGALRM, SIGPROF, SIGUSR1, SIGCHLD, SIGSEGV, SIGBUS].map {
                    sigismember(&mask, $0) == 1
                })
        }
        #expect(try blocked.wait() == [true, true, true, true, true, true, true, false, false])
        var after = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &after)
        for signal in 1..<65 { #expect(sigismember(&before, Int32(signal)) == sigismember(&after, Int32(signal))) }
    }
}

@Suite struct TimerHeapTests {
    @Test func runsInOrderOfDeadlineThenOfScheduling() {
        let loop = ManualLoop()
        let order = Recorder<Int>()
        for (number, delay) in [30, 10, 20, 10, 0, -5].enumerated() {
            loop.schedule(afterMilliseconds: Int64(delay)) { order.add(number) }
        }
        loop.advance(milliseconds: 30)
        #expect(order.all == [4, 5, 1, 3, 2, 0])
    }

    @Test func cancelsInAnyOrder() {
        let loop = ManualLoop()
        var random = Random()
        let fired = Recorder<Int>()
        var timers: [LoopTimer] = []
        for number in 0..<2000 {
            timers.append(
                loop.schedule(afterMilliseconds: Int64(random.next() % 500)) { fired.add(number) })
        }
        let cancelled = Set((0..<2000).filter { _ in random.next() % 2 == 0 })
        for number in cancelled {
            loop.cancel(timers[number])
            loop.cancel(timers[number])
            #expect(!timers[number].isScheduled)
        }
        #expect(loop.scheduledTimers == 2000 - cancelled.count)
        loop.advance(milliseconds: 500)
        let expected = (0..<2000).filter { !cancelled.contains($0) }
            .sorted { (timers[$0].deadline, $0) < (timers[$1].deadline, $1) }
        #expect(fired.all == expected)
        #expect(loop.scheduledTimers == 0)
        for timer in timers { loop.cancel(timer) }
    }

    @Test func leavesTimersOfOtherLoopsAlone() {
        let one = ManualLoop()
        let other = ManualLoop()
        let timer = one.schedule(afterMilliseconds: 1) {}
        other.schedule(afterMilliseconds: 1) {}
        other.cancel(timer)
        #expect(timer.isScheduled && one.scheduledTimers == 1 && other.scheduledTimers == 1)
    }

    @Test func carriesTensOfThousands() {
        let loop = ManualLoop()
        var random = Random()
        let begin = TimeSource().monotonicMilliseconds()
        var timers: [LoopTimer] = []
        for _ in 0..<50_000 { timers.append(loop.schedule(afterMilliseconds: Int64(random.next() % 100_000)) {}) }
        for timer in timers.shuffled() { loop.cancel(timer) }
        #expect(loop.scheduledTimers == 0)
        let elapsed = TimeSource().monotonicMilliseconds() - begin
        print("timers: 50000 scheduled and cancelled in \(elapsed) ms (debug build)")
    }

    @Test func survivesTheEndOfTime() {
        let loop = ManualLoop()
        loop.schedule(afterMilliseconds: .max) {}
        loop.advance(milliseconds: 1_000_000)
        #expect(loop.scheduledTimers == 1)
    }
}

@Suite struct ManualLoopTests {
    @Test func stepsOneByOne() {
        let loop = ManualLoop()
        let order = Recorder<String>()
        loop.schedule(afterMilliseconds: 0) { order.add("timer") }
        loop.post { order.add("first") }
        loop.post { order.add("second") }
        #expect(loop.isOnLoop)
        #expect(order.all.isEmpty)
        #expect(loop.step())
        #expect(order.all == ["first"])
        #expect(loop.step() && loop.step() && !loop.step())
        #expect(order.all == ["first", "second", "timer"])
    }

    @Test func advanceStopsAtEachTimer() {
        let time = ManualTime(wallMilliseconds: 0, monotonicMilliseconds: 0)
        let loop = ManualLoop(time: time)
        let seen = Recorder<Int64>()
        @Sendable func tick() {
            seen.add(time.wallMilliseconds())
            loop.schedule(afterMilliseconds: 10) { loop.post { tick() } }
        }
        tick()
        loop.advance(milliseconds: 35)
        #expect(seen.all == [0, 10, 20, 30])
        #expect(time.monotonicMilliseconds() == 35)
    }

    @Test func endsWorkThatPostsItself() {
        let loop = ManualLoop()
        @Sendable func again() { loop.post { again() } }
        again()
        #expect(loop.runUntilIdle(limit: 50) == 50)
    }

    @Test func stopsLikeTheOther() {
        let loop = ManualLoop()
        let order = Recorder<Int>()
        loop.post { loop.post { order.add(1) } }
        #expect(loop.stop())
        #expect(order.all == [1])
        #expect(!loop.post {})
        #expect(loop.stop())
    }
}

/// The same numbers in every run (xorshift64).
struct Random: RandomNumberGenerator {
    private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
