import Foundation
import Testing

@testable import MobileToken

struct EventQueueTests {
    private let queue: EventQueue
    private let read = DispatchSemaphore(value: 0)

    init() throws { queue = try EventQueue(kinds: .operations) }

    private func readers(_ count: Int) {
        for _ in 0..<count {
            Thread { [queue, read] in
                if case .event = queue.next(milliseconds: nil) { read.signal() }
            }.start()
        }
    }

    private func push(_ count: Int) {
        for number in 0..<count { queue.push(Event(.operationsLoading(true), client: UInt(number), time: 0)) }
    }

    private func expectRead(_ count: Int) {
        for _ in 0..<count { #expect(read.wait(timeout: .now() + 300) == .success) }
    }

    @Test(arguments: [1, 3, 100])
    func whatARoundPushesIsReadByAllWhoWait(count: Int) {
        queue.wakeReaders()
        readers(count)
        push(count)
        queue.wakeReaders()
        expectRead(count)
    }

    @Test func whatAnotherThreadPushesIsReadAtOnce() {
        queue.wakeReaders()
        readers(3)
        Thread { push(3) }.start()
        expectRead(3)
    }
}
