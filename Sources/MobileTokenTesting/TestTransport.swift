// SPDX-License-Identifier: Apache-2.0
import MobileToken
import MobileTokenHTTP
import MobileTokenSystem

/// A transport that answers as the test specifies; requests without an answer go to the network or to a recording, or
/// waits. It keeps every request.
final class TestTransport: Transport, @unchecked Sendable {
    // Set before the first request: the transport for requests without an answer, and the recorder of these exchanges.
    var network: Transport?
    var recorder: TapeRecorder?
    var player: TapePlayer?

    private let lock = Lock()
    private let changed: Condition
    // Guarded by the lock.
    private var exchanges: [Exchange] = []
    private var answers: [Int: Answer] = [:]
    private var answerToAll: Answer?

    // On the loop thread only.
    private var isShutDown = false

    override init(loop: Loop) {
        changed = Condition(lock)
        super.init(loop: loop)
    }

    // MARK: The library's side, on the loop thread

    override func send(_ request: HTTPRequest, completion: @escaping Completion) -> TransferID {
        let (exchange, answer) = lock.withLock {
            let exchange = Exchange(
                number: exchanges.count, request: request, time: loop.time.wallMilliseconds(), completion: completion)
            exchanges.append(exchange)
            let answer = answers.removeValue(forKey: exchange.number) ?? answerToAll
            if answer != nil || network != nil || player != nil { exchange.state = .answered }
            changed.broadcast()
            return (exchange, answer)
        }
        if isShutDown {
            end(exchange, .failure(Self.cancelled(.notSent)))
        } else if let answer {
            limitTime(of: exchange)
            deliver(answer, to: exchange)
        } else if let player {
            deliver(Answer(result: player.next(request)), to: exchange)
        } else if let network {
            exchange.transfer = network.send(request) { [self] result in
                recorder?.append(request, result)
                end(exchange, result)
            }
        } else {
            limitTime(of: exchange)
        }
        return TransferID(UInt64(exchange.number))
    }

    override func cancel(_ id: TransferID) {
        guard let exchange = exchange(Int(clamping: id.value)), exchange.ending == nil else { return }
        if let network, let transfer = exchange.transfer {
            network.cancel(transfer)
        } else {
            end(exchange, .failure(Self.cancelled(.sentAnswerUnknown)))
        }
    }

    override func shutdown() {
        isShutDown = true
        network?.shutdown()
        for exchange in lock.withLock({ exchanges }) {
            end(exchange, .failure(Self.cancelled(.sentAnswerUnknown)))
            complete(exchange)
        }
    }

    private static func cancelled(_ sent: TransportError.Outcome) -> TransportError {
        TransportError(.cancelled, sent: sent, detail: "the request was cancelled")
    }

    private func limitTime(of exchange: Exchange) {
        let timer = loop.schedule(afterMilliseconds: max(1, exchange.request.timeoutMilliseconds)) { [self] in
            let error = TransportError(.timeout, sent: .sentAnswerUnknown, detail: "the request timed out")
            end(exchange, .failure(error))
        }
        exchange.timers.append(timer)
    }

    private func deliver(_ answer: Answer, to exchange: Exchange) {
        guard exchange.ending == nil else { return }
        var result = answer.result
        if case .success(let response) = result, response.body.count > exchange.request.maximumResponseSize {
            result = .failure(
                TransportError(.responseTooLarge, sent: .sentAnswerUnknown, detail: "the answer is too large"))
        }
        guard answer.delay > 0 else { return end(exchange, result) }
        let timer = loop.schedule(afterMilliseconds: answer.delay) { [self] in end(exchange, result) }
        exchange.timers.append(timer)
    }

    /// Sets the end of an exchange; the loop calls its completion, never a caller's thread.
    private func end(_ exchange: Exchange, _ result: Result<HTTPResponse, TransportError>) {
        guard exchange.ending == nil else { return }
        exchange.ending = Ending(result)
        for timer in exchange.timers { loop.cancel(timer) }
        exchange.timers = []
        lock.withLock { exchange.state = .ended }
        loop.post { [self] in complete(exchange) }
    }

    private func complete(_ exchange: Exchange) {
        guard let completion = exchange.completion, let ending = exchange.ending else { return }
        exchange.completion = nil
        completion(ending.result)
    }

    // MARK: The test's side, on any thread

    /// How many requests were sent.
    var count: Int { lock.withLock { exchanges.count } }

    /// A request and its state; nil if it was not made yet.
    func exchange(_ number: Int) -> Exchange? {
        lock.withLock { exchanges.indices.contains(number) ? exchanges[number] : nil }
    }

    func state(of exchange: Exchange) -> Exchange.State { lock.withLock { exchange.state } }

    /// Waits until a request was made.
    ///
    /// - Parameter milliseconds: how long at most; nil: without limit
    func wait(for number: Int, milliseconds: Int64?) -> Exchange? {
        let deadline = milliseconds.map { TimeSource().monotonicMilliseconds().addingClamped($0) }
        return lock.withLock {
            while !exchanges.indices.contains(number) {
                guard let deadline else {
                    changed.wait()
                    continue
                }
                guard changed.wait(untilMonotonicMilliseconds: deadline) else { break }
            }
            return exchanges.indices.contains(number) ? exchanges[number] : nil
        }
    }

    /// Answers a request that waits, or that will be made.
    func answer(_ number: Int, with answer: Answer) throws(Failure) {
        let waiting: Exchange? = try lock.withLock { () throws(Failure) in
            if exchanges.indices.contains(number) {
                let exchange = exchanges[number]
                guard exchange.state == .waiting else { throw Self.notWaiting }
                exchange.state = .answered
                return exchange
            }
            guard answers[number] == nil else { throw Self.notWaiting }
            answers[number] = answer
            return nil
        }
        if let waiting { loop.post { [self] in deliver(answer, to: waiting) } }
    }

    /// Answers every request that waits or will be made and has no answer of its own; nil: no longer.
    func answerAll(with answer: Answer?) {
        let waiting = lock.withLock {
            answerToAll = answer
            let waiting = answer == nil ? [] : exchanges.filter { $0.state == .waiting }
            for exchange in waiting { exchange.state = .answered }
            return waiting
        }
        guard let answer else { return }
        for exchange in waiting { loop.post { [self] in deliver(answer, to: exchange) } }
    }

    private static var notWaiting: Failure {
        .state("The request has an answer already, or is with the network, or has ended.")
    }
}
