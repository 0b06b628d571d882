import MobileTokenCrypto
import MobileTokenHTTP
import MobileTokenJSON
import PowerAuth

/// One request of a call and its answer: build, encrypt, sign and store, read. `Run` decides the next step.
/// Under the activation's lock.
final class Exchange {
    private let activation: Activation
    /// The counter before the signature of the request, to give it back or to acknowledge it.
    private(set) var mark: Session.CounterMark?
    /// The signature was withdrawn before it was sent: it counts once the server has accepted it.
    private(set) var isUncounted = false
    /// The difference of the clocks that the request was made with.
    private(set) var usedAdjustment: Int64 = 0
    /// The number of temporary keys when the request was made; until then that of the call's beginning.
    private(set) var keyNumber: Int
    /// The device's time when the request was sent.
    var sentAt: Int64 = 0
    private var encryptor: Envelope?
    /// The protocol that the request was written in.
    private var version = ProtocolVersion.default
    private var pendingActivation: PendingActivation?

    init(_ activation: Activation) {
        self.activation = activation
        keyNumber = activation.keyNumber
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
        isUncounted =
            (call.step == .catchingUp || call.step == .confirmation) && session.unacknowledged > 0
            && !session.hasRoomForSignature
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

    // MARK: Outcome of the signature

    /// The server has accepted the request.
    func acknowledge(_ call: Call) throws(Failure) {
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

    /// No byte of the request has left: its counter is as good as new. If it cannot be stored, one is lost and no harm done.
    func giveCounterBack(_ call: Call) throws(Failure) {
        guard let mark, !isUncounted else { return }
        try activation.durablyIfChanged { (session) throws(PowerAuthError) in
            let isBack = session.takeBack(mark)
            if isBack, call.step == .newPIN { session.keepFormerPIN() }
            return ((), isBack)
        }
    }

    // MARK: Answer

    /// Whether the activation still speaks the protocol that the request was written in.
    var isOfSameProtocol: Bool { version == activation.session.version }

    /// So an endpoint for tokens answers an envelope that it could not open.
    func isUnopened(_ response: HTTPResponse, of call: Call) -> Bool {
        encryptor != nil && call.token != nil && version.usesTemporaryKeys && response.status == 200
            && response.body.isEmpty
    }

    /// The scope of the key that encrypts.
    static func scope(of call: Call) -> EncryptionScope {
        if case .layer(let id, _) = call.encryption { id.scope } else { .application }
    }

    /// Reads the answer.
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
            let plaintext = try decrypt(reply, scope: Self.scope(of: call)) { (root) throws(PowerAuthError) in
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
