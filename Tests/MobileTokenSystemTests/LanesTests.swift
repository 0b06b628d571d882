import Foundation
import TestSupport
import Testing

@testable import MobileTokenSystem

@Suite struct LanesTests {
    private let loop: Loop
    private let lanes: Lanes

    init() throws {
        loop = try Loop(time: TimeSource())
        lanes = try Lanes(loop)
    }

    private func stop() {
        loop.stop()
        lanes.stop()
    }

    @Test func runsTheWorkOfEachLaneInOrder() {
        let all = (0..<20).map { _ in Lane(lanes) }
        let order = Recorder<(Int, Int)>()
        for number in 0..<200 {
            for (name, lane) in all.enumerated() { #expect(lane.post { order.add((name, number)) }) }
        }
        stop()
        for name in all.indices { #expect(order.all.filter { $0.0 == name }.map(\.1) == Array(0..<200)) }
    }

    /// Five lanes wait, each on a thread of its own, and a sixth goes on.
    @Test func aLaneThatWaitsHoldsUpNoOther() throws {
        let opened = DispatchSemaphore(value: 0)
        let waiting = (0..<5).map { _ in Lane(lanes) }
        let order = Recorder<Int>()
        for lane in waiting {
            #expect(lane.post { opened.wait() })
            #expect(lane.post { order.add(1) })
        }
        let other = Lane(lanes)
        let done = Promise<Bool>()
        #expect(other.post { done.fulfil(true) })
        #expect(try done.wait())
        #expect(order.all.isEmpty && waiting.allSatisfy { $0.busySince != nil })
        for _ in waiting { opened.signal() }
        stop()
        #expect(order.all == [1, 1, 1, 1, 1])
        #expect(waiting.allSatisfy { $0.busySince == nil })
    }

    @Test func timersRingInTheirLaneUnlessCancelled() throws {
        let lane = Lane(lanes)
        let done = Promise<[Int]>()
        let order = Recorder<Int>()
        #expect(
            lane.post {
                let cancelled = lane.schedule(afterMilliseconds: 1) { order.add(1) }
                _ = lane.schedule(afterMilliseconds: 2) { order.add(2) }
                _ = lane.schedule(afterMilliseconds: 20) { done.fulfil(order.all) }
                lane.cancel(cancelled)
                lane.cancel(cancelled)
            })
        #expect(try done.wait() == [2])
        stop()
    }

    @Test func takesNoWorkOnceItStops() {
        let lane = Lane(lanes)
        let order = Recorder<Int>()
        #expect(
            lane.post {
                order.add(1)
                lane.post { order.add(2) }
            })
        stop()
        #expect(!lane.post { order.add(3) })
        #expect(order.all == [1, 2])
    }
}
