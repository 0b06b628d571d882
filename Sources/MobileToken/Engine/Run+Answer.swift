// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenHTTP
import MobileTokenSystem
import PowerAuth

/// The answer to a call, or its failure, and what is done on it.
extension Run {
    func received(_ result: Result<HTTPResponse, TransportError>) {
        exchange.end()
        guard stage == .sending else { return }
        switch exchange.opened(result) {
        case .failure(let error):
            follow(
                activation.lock.withLock {
                    .answered(exchange.failed(error, of: call), of: call, exchange.renewable, &tried)
                })
        case .success(let response):
            callers.answered()
            note(.info, "HTTP status %", String(response.status))
            do throws(Failure) {
                go(on: try activation.lock.withLock { () throws(Failure) in try read(response) })
            } catch {
                conclude(error, response)
            }
        }
    }

    /// Under the activation's lock.
    private func read(_ response: HTTPResponse) throws(Failure) -> Call.Conclusion {
        let conclusion: Call.Conclusion
        try exchange.requireReadable(call)
        if exchange.isUnopened(response, of: call), exchange.renewable.keyOrTime(&tried) != nil {
            activation.forgetTemporaryKey(call.encryption.layerScope ?? .application)
            conclusion = .next(call)
        } else {
            conclusion = try exchange.read(response, of: call)
        }
        try exchange.acknowledge(call)
        exchange.noticeDate(response, of: call)
        return conclusion
    }

    /// Goes on as is decided under the activation's lock; false: nothing is.
    private func goesOn(_ decide: () throws(Failure) -> Call.Conclusion?) -> Bool {
        do throws(Failure) {
            let conclusion = try activation.lock.withLock { () throws(Failure) -> Call.Conclusion? in
                exchange.isCurrent ? try decide() : nil
            }
            guard let conclusion else { return false }
            go(on: conclusion)
        } catch {
            finish(.failure(error))
        }
        return true
    }

    func go(on conclusion: Call.Conclusion) {
        switch conclusion {
        case .done(let result): finish(.success(result))
        case .next(let call):
            isBound = false
            startOver(with: call)
        case .atOnce(let call):
            isBound = true
            callers.isWanted = true
            startOver(with: call)
        }
    }

    private func startOver(with call: Call) {
        if !isBound { giveTurnBack() }
        exchange.begin()
        self.call = call
        stage = .new
        advance()
    }

    // MARK: Failures

    /// Ends a call that was answered with a failure, or tries what may help.
    private func conclude(_ error: Failure, _ response: HTTPResponse) {
        let failure = call.completed(error, response)
        let confirmsTime = activation.lock.withLock {
            exchange.endStep(isLost: !error.isRefusal)
            return exchange.noticeDate(response, of: call)
        }
        if confirmsTime == true { tried.insert(.time) }
        if let whenRefused = call.whenRefused {
            isExplaining = true
            if goesOn({ () throws(Failure) in try whenRefused(activation, failure) }) { return }
        }
        follow(activation.lock.withLock { .answered(failure, of: call, exchange.renewable, &tried) })
    }

    func follow(_ verdict: Verdict) {
        switch verdict {
        case .finish(let failure): finish(.failure(failure))
        case .unmade(let failure):
            if call.isSigned { prerequisiteOutcome = failure.outcome }
            finish(.failure(failure.unmade(isSigned: call.isSigned)))
        case .status(let status): finish(.success(.status(status)))
        case .startOver(let renewal, let failure):
            guard activation.lock.withLock({ exchange.renew(renewal, of: call) }) else {
                return follow(.unmade(failure))
            }
            startOver(with: call)
        case .diagnose(let failure): diagnose(failure)
        case .accepted:
            guard goesOn({ () throws(Failure) in try exchange.readAccepted(call) }) else {
                return finish(.failure(.cancelled(outcome: .answered)))
            }
        }
    }

    /// Asks for the status, without a signature, and keeps the turn meanwhile: no other call of this client is signed into the
    /// same refusal.
    private func diagnose(_ failure: Failure) {
        refusal = failure
        stage = .diagnosing
        activation.lock.withLock { exchange.beginDiagnosis() }
        note(.info, "refused, fetching the status for the cause")
        let look = Call.activationStatus(catchesUp: false)
        wait(for: Run(look, activation, epoch: epoch, own: nil, timeout: exchange.timeLeft(of: timeout)), true)
    }

    /// The status has come, or cannot be had.
    func diagnosed(_ failure: Failure?) {
        guard let refusal else { return }
        self.refusal = nil
        if failure == nil { tried.insert(.status) }
        do throws(Failure) {
            let verdict = try activation.lock.withLock { () throws(Failure) in
                let found = exchange.findings(failure, of: call, isBound: isBound, isStatus: isStatus)
                let (verdict, effects) = Verdict.diagnosed(refusal, found, of: call, &tried)
                try exchange.apply(effects, to: call)
                return verdict
            }
            follow(verdict)
        } catch {
            finish(.failure(error))
        }
    }
}
