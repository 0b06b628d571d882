// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenHTTP
import MobileTokenJSON
import MobileTokenSystem
import PowerAuth
import Synchronization

/// One request of a call and its answer: build, encrypt, sign and store, send, read. It decides nothing: `Run` has the next step.
/// Under the activation's lock, except while it sends.
final class Exchange: @unchecked Sendable {
    let activation: Activation
    /// The activation's epoch that the call belongs to.
    private let epoch: Int
    /// The counter before the signature of the request, to give it back or to acknowledge it.
    var mark: Session.CounterMark?
    /// The signature was withdrawn before it was sent: it counts once the server has accepted it.
    private var isUncounted = false
    /// The difference of the clocks that the request was made with.
    var usedAdjustment: Int64 = 0
    /// The number of temporary keys when the request was made; until then that of the call's beginning.
    var keyNumber: Int
    /// The boot clock and the number of temporary keys when the call began: what is newer is not to blame for a refusal.
    let begunAt: Int64
    let keysAtBegin: Int
    /// The failed attempts that the server was known to have counted when it refused.
    var failedBefore: UInt8?
    private var sentAt: Int64 = 0
    private(set) var correlationID: String?
    private var traced: TraceRecord.Request?
    private var transfer: Transfer?
    private var encryptor: Envelope?
    /// The protocol that the request was written in.
    private var version = ProtocolVersion.default
    private var pendingActivation: PendingActivation?

    init(_ activation: Activation, epoch: Int) {
        self.activation = activation
        self.epoch = epoch
        keyNumber = activation.keyNumber
        keysAtBegin = keyNumber
        begunAt = activation.runtime.environment.time.bootMilliseconds()
    }

    /// Whether the activation is still that of the call.
    var isCurrent: Bool { !activation.isClosed && epoch == activation.epoch }

    /// The time limit of the search for a cause, in milliseconds: the rest of the call's own, and at least a quarter of
    /// it.
    func timeLeft(of timeout: Int32) -> Int32 {
        let now = activation.runtime.environment.time.bootMilliseconds()
        let spent = now.subtractingReportingOverflow(begunAt).partialValue
        return Int32(clamping: min(max(Int64(timeout) - max(spent, 0), Int64(timeout) / 4, 1), Int64(timeout)))
    }

    /// Another request follows.
    func begin() {
        encryptor = nil
        pendingActivation = nil
        mark = nil
        isUncounted = false
    }

    // MARK: Request

    /// Builds the request and, if it is signed, stores the advanced counter.
    func request(
        of call: Call, timeout: Int32, own: CallOptions?
    ) throws(Failure) -> HTTPRequest {
        let session = activation.session
        let now = activation.synchronizedNow
        version = session.version
        usedAdjustment = activation.time.adjustment
        keyNumber = activation.keyNumber
        var headers: [HTTPHeader] = []
        var body: [UInt8] = []
        var signed: [UInt8]?
        switch call.encryption {
        case .none:
            body = try call.body(activation)
        case .layer(let id, _):
            let key = activation.usableTemporaryKey(id.scope)
            (body, signed) = try encrypt(call, now, &headers) { (session) throws(PowerAuthError) in
                try session.envelope(id, under: key)
            }
        case .own(let envelope):
            (body, signed) = try encrypt(call, now, &headers, envelope)
        case .activation:
            let pending = try Failure.converting { () throws(PowerAuthError) in
                try session.activationBody(under: activation.usableTemporaryKey(.application), now: now)
            }
            pendingActivation = pending
            body = pending.body
            headers.append(HTTPHeader("X-PowerAuth-Encryption", pending.headerValue))
        }
        if let token = call.token {
            let value = try Failure.converting { () throws(PowerAuthError) in
                try session.tokenHeader(named: token.name, now: now)
            }
            headers.append(HTTPHeader("X-PowerAuth-Token", value))
        } else if let (uriId, keys) = call.signature {
            let value = try signature(of: call, activation.resource(uriId), keys, over: signed ?? body)
            headers.append(HTTPHeader("X-PowerAuth-Authorization", value))
        }
        return activation.request(
            call, headers: headers, body: body, atMostOnce: call.isSentAtMostOnce, timeout: timeout, own: own)
    }

    private func signature(
        of call: Call, _ uriId: StaticString, _ keys: SigningKeys, over covered: [UInt8]
    ) throws(Failure) -> String {
        let session = activation.session
        mark = session.counterMark()
        // The last step of the window: were this signature counted and lost, no other could follow.
        isUncounted = call.repeatsLastStep && session.unacknowledged > 0 && !session.hasRoomForSignature
        if isUncounted {
            let value = try Failure.converting { () throws(PowerAuthError) in
                try session.sign(method: .post, uriId: uriId, body: covered, keys: keys)
            }
            if let mark { session.takeBackOnItsWay(mark) }
            return value
        }
        guard let whenSigning = call.whenSigning else {
            return try activation.durablySigning { (session) throws(PowerAuthError) in
                try session.sign(method: .post, uriId: uriId, body: covered, keys: keys)
            }
        }
        return try activation.durably { (session) throws(PowerAuthError) in
            whenSigning(session)
            return try session.sign(method: .post, uriId: uriId, body: covered, keys: keys)
        }
    }

    /// Encrypts the body.
    ///
    /// - Returns: what is sent, and what the signature covers where that is the plaintext
    private func encrypt(
        _ call: Call, _ now: Int64, _ headers: inout [HTTPHeader],
        _ make: (Session) throws(PowerAuthError) -> Envelope
    ) throws(Failure) -> (body: [UInt8], signed: [UInt8]?) {
        var plain = try call.body(activation)
        defer { wipe(&plain) }
        let (encryptor, body) = try Failure.converting { () throws(PowerAuthError) in
            let encryptor = try make(activation.session)
            return (encryptor, try encryptor.encrypt(plain, now: now))
        }
        self.encryptor = encryptor
        // A signed request tells the encryption's parameters in the header of the signature (powerauth.md §5.7).
        if !call.isSigned || call.hasOwnEnvelope {
            headers.append(HTTPHeader("X-PowerAuth-Encryption", encryptor.headerValue))
        }
        if case .layer(_, isSignedBefore: true) = call.encryption { return (body, [UInt8](plain)) }
        return (body, nil)
    }

    // MARK: On its way, where the client lives

    func send(
        _ request: HTTPRequest, of call: Call, then: @escaping @Sendable (Result<HTTPResponse, TransportError>) -> Void
    ) {
        let runtime = activation.runtime
        sentAt = runtime.now
        correlationID = CorrelationID.of(request)
        if runtime.events.kinds.contains(.trace) {
            let traced = TraceRecord.Request(request, number: runtime.nextRequestNumber(), call: call.name)
            self.traced = traced
            activation.emit(.trace(TraceRecord(.request, traced)))
        }
        runtime.requestCount.add(1, ordering: .relaxed)
        let transfer = Transfer(activation)
        self.transfer = transfer
        transfer.begin(request, then: then)
    }

    /// Ends the transfer, which is then reported like every end.
    ///
    /// - Returns: false: there is none
    func cancel() -> Bool {
        transfer?.cancel()
        return transfer != nil
    }

    func end() {
        transfer = nil
        activation.runtime.requestCount.subtract(1, ordering: .relaxed)
    }

    /// The answer, unpacked.
    func opened(_ result: Result<HTTPResponse, TransportError>) -> Result<HTTPResponse, TransportError> {
        let result = result.flatMap { $0.readable(limit: Activation.maximumAnswerSize) }
        if let traced, case .success(let response) = result {
            activation.emit(.trace(TraceRecord(.answer, traced, response: response)))
        }
        return result
    }

    // MARK: Outcome of the signature

    /// No answer has come.
    func failed(_ error: TransportError, of call: Call) -> Failure {
        let failure = Failure(error, signed: call.isSigned)
        if let traced { activation.emit(.trace(TraceRecord(.failure, traced, failure: failure))) }
        endStep(isLost: error.sent != .notSent)
        if error.sent == .notSent { giveCounterBack(call) }
        return failure
    }

    /// The signature that was withdrawn before it was sent has failed.
    @inline(never)
    func endStep(isLost: Bool) {
        if isUncounted, epoch == activation.epoch { activation.session.endStep(isLost: isLost) }
    }

    /// Compares the date of the bank's answer with the known server time.
    @discardableResult
    func noticeDate(_ response: HTTPResponse, of call: Call) -> Bool? {
        switch call.root {
        case .powerAuth: break
        case .operations where activation.options.operationsURL.byBytes == activation.options.baseURL.byBytes: break
        default: return nil
        }
        return activation.compare(date: response.headers.date)
    }

    /// The server has accepted the request.
    func acknowledge(_ call: Call) throws(Failure) {
        guard epoch == activation.epoch, activation.session.phase == .activated else { return }
        if call.isSigned {
            if isUncounted {
                try activation.durably(answered: true) { (session) throws(PowerAuthError) in try session.stepOver() }
                isUncounted = false
            } else if let mark {
                activation.session.acknowledge(mark)
            }
            if call.factors.contains(.biometry), activation.session.marks.newBiometry {
                try activation.durably(answered: true) { (session) throws(PowerAuthError) in session.finishNewBiometry()
                }
            }
        } else if call.token == nil {
            return
        }
        // The confirmation is accepted before the activation is active.
        if call.step != .confirmation { activation.learnActive(signedWith: call.factors) }
    }

    /// No byte of the request has left, so its counter can be used again. If that cannot be stored, one step is lost, without harm.
    @inline(never)
    func giveCounterBack(_ call: Call) {
        guard isCurrent, let mark, !isUncounted else { return }
        do throws(Failure) {
            try activation.durablyIfChanged { (session) throws(PowerAuthError) in
                let isBack = session.takeBack(mark)
                if isBack, call.step == .newPIN { session.keepFormerPIN() }
                return ((), isBack)
            }
        } catch {
            note(call, "could not store the unused counter")
        }
    }

    /// The new PIN is not proven.
    func keepFormerPIN(_ call: Call) {
        guard call.step == .newPIN, isCurrent else { return }
        do throws(Failure) {
            try activation.durably { (session) throws(PowerAuthError) in session.keepFormerPIN() }
        } catch {
            note(call, "could not store that the new PIN is not proven")
        }
    }

    private func note(_ call: Call, _ text: StaticString) {
        activation.log(.warning, words(call.name, ": ", text.description))
    }

    // MARK: Answer

    /// Refuses an answer to an activation that is gone, or speaks another protocol by now.
    func requireReadable(_ call: Call) throws(Failure) {
        guard isCurrent else { throw .cancelled(outcome: .answered) }
        guard version == activation.session.version || !call.isOfActivation else { throw .upgradedMeanwhile }
    }

    /// Whether this is how an endpoint for tokens answers an envelope that it could not open.
    func isUnopened(_ response: HTTPResponse, of call: Call) -> Bool {
        encryptor != nil && call.token != nil && version.usesTemporaryKeys && response.status == 200
            && response.body.isEmpty
    }

    func read(_ response: HTTPResponse, of call: Call) throws(Failure) -> Call.Conclusion {
        let arrivedAt = activation.runtime.now
        let reply = Reply(response, errors: call.errors, now: arrivedAt)
        switch call.encryption {
        case .none:
            if response.status == 200, let repeated = call.repeated,
                let conclusion = response.body.withBytes({ repeated(activation, $0) })
            {
                return conclusion
            }
            var answer = Call.Answer(envelope: nil, plaintext: nil, sentAt: sentAt, arrivedAt: arrivedAt)
            if case .document = call.root {
                answer.document = try reply.document()
            } else {
                answer.envelope = try reply.plain()
            }
            return try call.read(activation, answer)
        case .layer, .own:
            guard let encryptor else { throw .cancelled(outcome: .answered) }
            let now = activation.synchronizedNow
            let scope = call.encryption.layerScope ?? .application
            let plaintext = try decrypt(reply, scope: scope) { (root) throws(PowerAuthError) in
                try encryptor.decrypt(root, now: now)
            }
            if let timestamp = encryptor.responseTimestamp { activation.learnTime(timestamp, sentAt: sentAt) }
            return try call.read(
                activation, Call.Answer(envelope: nil, plaintext: plaintext, sentAt: sentAt, arrivedAt: arrivedAt))
        case .activation:
            guard let pendingActivation else { throw .cancelled(outcome: .answered) }
            let now = activation.synchronizedNow
            let result = try decrypt(reply, scope: .application) { (root) throws(PowerAuthError) in
                try activation.session.receiveActivation(root, pending: pendingActivation, now: now)
            }
            activation.lastUserInfo = result.userInfo.flatMap { UserInfo(json: $0) }
            if let timestamp = result.serverTimestamp { activation.learnTime(timestamp, sentAt: sentAt) }
            return .done(.activation(result))
        }
    }

    /// The server took the request, although its answer says otherwise.
    func readAccepted(_ call: Call) throws(Failure) -> Call.Conclusion {
        try call.read(
            activation,
            Call.Answer(envelope: nil, plaintext: nil, sentAt: sentAt, arrivedAt: activation.runtime.now))
    }

    /// Decrypts an encrypted answer. A temporary key that led to a refusal or to nonsense is not used again.
    private func decrypt<R>(
        _ reply: Reply, scope: EncryptionScope, _ decrypt: (JSONValue) throws(PowerAuthError) -> R
    ) throws(Failure) -> R {
        do throws(Failure) {
            let document = try reply.encrypted()
            return try Failure.converting(answered: true) { () throws(PowerAuthError) in try decrypt(document.root) }
        } catch {
            if error.httpStatus == 400 || error.httpStatus == 401 || error.code == .decryption {
                activation.forgetTemporaryKey(scope)
            }
            throw error
        }
    }
}
