// SPDX-License-Identifier: Apache-2.0
import MobileTokenSystem
import Synchronization

/// A request on its way through the host. May be used from any thread.
public final class HostExchange: Sendable {
    private enum State: UInt8 {
        /// The host has not seen it.
        case queued
        /// The host has it and may have sent it.
        case taken
        /// It needs no answer any more.
        case ended
    }

    /// Names the exchange in its runtime.
    public let id: Int64
    /// A request for the host to send.
    package let request: HTTPRequest
    /// The device's time until which an answer is of use, milliseconds since the epoch.
    public let deadline: Int64
    private let state = Atomic<UInt8>(State.queued.rawValue)

    fileprivate init(id: Int64, request: HTTPRequest, deadline: Int64) {
        self.id = id
        self.request = request
        self.deadline = deadline
    }

    /// The host gets to see it; false: it has ended before, and must not be sent.
    package func take() -> Bool {
        state.compareExchange(
            expected: State.queued.rawValue, desired: State.taken.rawValue, ordering: .acquiringAndReleasing
        ).original != State.ended.rawValue
    }

    /// - Returns: what it was before
    private func end() -> State {
        State(rawValue: state.exchange(State.ended.rawValue, ordering: .acquiringAndReleasing)) ?? .ended
    }

    /// Ends it for the sake of an answer; false: it has ended before.
    fileprivate func answer() -> Bool { end() != .ended }

    /// Ends it without one; whether the host may have sent it; nil: it has ended before.
    fileprivate func giveUp() -> Bool? {
        switch end() {
        case .queued: false
        case .taken: true
        case .ended: nil
        }
    }
}

/// Has the host send the requests, and takes its answers.
package final class HostTransport: Transport, @unchecked Sendable {
    /// Header fields of an answer.
    package static let maximumHeaderCount = TransportOptions().maximumHeaderCount

    private struct Waiting {
        let exchange: HostExchange
        let completion: Completion
        let timer: LoopTimer
    }

    /// Tells the host of an exchange, or, with true, of its end.
    private let tell: (HostExchange, Bool) -> Void
    private let lock = Lock()
    // Guarded by the lock; changed on the loop thread only.
    private var waiting: [Int64: Waiting] = [:]
    // On the loop thread only.
    private var last: Int64 = 0
    private var isShutDown = false

    package init(loop: Loop, tell: @escaping (HostExchange, Bool) -> Void) {
        self.tell = tell
        super.init(loop: loop)
    }

    package override func send(_ request: HTTPRequest, completion: @escaping Completion) -> TransferID {
        last += 1
        let id = last
        let time = max(1, request.timeoutMilliseconds)
        let exchange = HostExchange(id: id, request: request, deadline: loop.time.wallMilliseconds() &+ time)
        let timer = loop.schedule(afterMilliseconds: time) { [self] in
            giveUp(id, .timeout, "the host did not answer in time")
        }
        lock.withLock { waiting[id] = Waiting(exchange: exchange, completion: completion, timer: timer) }
        do throws(TransportError) {
            if isShutDown { throw TransportError(.cancelled, detail: "the request was cancelled") }
            _ = try request.endpoints()
            tell(exchange, false)
        } catch {
            _ = exchange.answer()
            loop.post { [self] in complete(id, .failure(error)) }
        }
        return TransferID(UInt64(id))
    }

    package override func cancel(_ id: TransferID) {
        loop.post { [self] in giveUp(Int64(clamping: id.value), .cancelled, "the request was cancelled") }
    }

    package override func shutdown() {
        isShutDown = true
        for id in lock.withLock({ Array(waiting.keys) }) { giveUp(id, .cancelled, "the request was cancelled") }
    }

    /// Takes the host's answer to a request; false: it does not wait for one. From any thread.
    package func answer(_ id: Int64, _ result: Result<HTTPResponse, TransportError>) -> Bool {
        guard let exchange = lock.withLock({ waiting[id]?.exchange }), exchange.answer() else { return false }
        return loop.post { [self] in
            if case .success(let response) = result, response.body.count > exchange.request.maximumResponseSize {
                let error = TransportError(
                    .responseTooLarge, sent: .sentAnswerUnknown, detail: "the response is too large")
                return complete(id, .failure(error))
            }
            complete(id, result)
        }
    }

    private func giveUp(_ id: Int64, _ code: TransportError.Code, _ detail: String) {
        guard let exchange = lock.withLock({ waiting[id]?.exchange }), let isTaken = exchange.giveUp() else { return }
        if isTaken { tell(exchange, true) }
        complete(id, .failure(TransportError(code, sent: isTaken ? .sentAnswerUnknown : .notSent, detail: detail)))
    }

    private func complete(_ id: Int64, _ result: Result<HTTPResponse, TransportError>) {
        guard let ended = lock.withLock({ waiting.removeValue(forKey: id) }) else { return }
        loop.cancel(ended.timer)
        ended.completion(result)
    }
}
