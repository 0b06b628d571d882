import MobileTokenCrypto
import MobileTokenHTTP
import MobileTokenJSON
import PowerAuth

/// One call on its way: prerequisites, its turn among the signed calls, build, store, send, read, complete.
///
/// Used on the loop thread only. It lives as long as it runs, held by the runtime.
final class Run: @unchecked Sendable {
    enum Ending {
        case success(CallResult)
        case failure(Failure)
    }

    private enum Stage {
        case new, waitingForPrerequisite, waitingForTurn, sending, holdingTurn, finished
    }

    /// How often a call may start over because the server no longer knew its token.
    private static let maximumRenewals = 1

    let client: Client
    private var call: Call
    private let progress: ((Client, Bool) -> Void)?
    private var hasBegun = false
    /// Somebody wants the call to go on who holds no task of it.
    private var isWanted: Bool
    /// The client's epoch that the call belongs to.
    let epoch: Int
    /// The name by which others may join.
    private let shared: String?
    private let timeout: Int32
    private let own: CallOptions?
    private var traced: TraceRecord.Request?
    private var tasks: [CallTask]
    /// Calls that wait for this one, because it fetches what they need.
    private var dependents: [Run] = []
    /// The call under way that took over this one's tasks.
    private var joined: Run?
    private var stage = Stage.new
    private var transfer: TransferID?
    private var holdsTurn = false
    private var renewals = 0
    private var sentAt: Int64 = 0
    private var encryptor: Encryptor?
    private var pendingActivation: PendingActivation?

    private var runtime: Runtime { client.runtime }

    /// Under the client's lock.
    ///
    /// - Parameter isWanted: the call goes on even when all its callers have cancelled
    init(
        _ call: Call, client: Client, epoch: Int, task: CallTask?, timeout: Int32? = nil, isWanted: Bool = false
    ) {
        self.call = call
        progress = call.progress
        self.isWanted = isWanted
        self.client = client
        self.epoch = epoch
        own = task?.options
        // A call with options of its own is nobody else's.
        shared = own == nil ? call.sharedAs : nil
        self.timeout = own?.timeoutMilliseconds ?? timeout ?? client.options.timeoutMilliseconds
        tasks = []
        if let task { join(task) }
    }

    /// Tells that the call has begun, as soon as it was asked for. Under the client's lock.
    func begin() {
        guard !hasBegun else { return }
        hasBegun = true
        progress?(client, true)
    }

    /// Tells that it has ended, if it was told that it had begun.
    private func end() {
        guard let progress else { return }
        client.lock.withLock { if hasBegun { progress(client, false) } }
    }

    /// Begins, or hands its tasks over to a call under way that asks for the same.
    func start() {
        if let shared {
            if let same = client.sharedRun(shared, epoch: epoch) {
                for task in tasks { same.join(task) }
                if isWanted { same.isWanted = true }
                tasks = []
                joined = same
                stage = .finished
                end()
                runtime.log(.debug, client: client, "\(call.name): joins the one under way")
                return
            }
            client.sharedRuns[shared] = self
        }
        runtime.add(self)
        client.lock.withLock { begin() }
        if let isDone = call.isDone, client.lock.withLock({ epoch == client.epoch && isDone(client) }) {
            return finish(.success(.none))  // somebody else has done it meanwhile
        }
        advance()
    }

    private func join(_ task: CallTask) {
        tasks.append(task)
        task.onCancel { [self] task in runtime.loop.post { self.drop(task) } }
    }

    /// One of the callers no longer wants the answer: the call ends when it was the last one.
    private func drop(_ task: CallTask) {
        if let joined { return joined.drop(task) }
        guard stage != .finished, tasks.contains(where: { $0 === task }) else { return }
        guard tasks.count > 1 || !dependents.isEmpty || isWanted else { return cancel() }
        tasks.removeAll { $0 === task }
        complete(task, .failure(.cancelled(outcome: stage == .sending ? .unknown : .notSent)))
    }

    /// Stops the call: its transfer ends and all who wait are told.
    func cancel() {
        if let transfer {
            runtime.transport.cancel(transfer)  // which ends in `received`, soon
        } else if stage != .finished {
            finish(.failure(.cancelled()))
        }
    }

    /// All callers have cancelled, although the loop has not come to it yet: nothing more is signed or sent for them.
    private var isUnwanted: Bool {
        !isWanted && dependents.isEmpty && !tasks.isEmpty && tasks.allSatisfy { $0.isCancelling }
    }

    // MARK: Prerequisites and turn

    /// Goes as far as possible: from the top each time, since what was there before a wait may be gone after it.
    private func advance() {
        guard stage != .finished else { return }
        guard !isUnwanted else { return finish(.failure(.cancelled())) }
        do throws(Failure) {
            if let need = try client.lock.withLock({ () throws(Failure) in try unmetNeed() }) {
                stage = .waitingForPrerequisite
                return wait(for: need)
            }
            guard takeTurn() else {
                stage = .waitingForTurn
                return
            }
            if call.keepsTurn { return holdTurn() }
            if let local = call.local {
                return finish(
                    .success(
                        try client.lock.withLock { () throws(Failure) in
                            try requireClient()
                            return try local(client)
                        }))
            }
            send(try client.lock.withLock { () throws(Failure) in try buildRequest() })
        } catch {
            finish(.failure(error))
        }
    }

    /// The call that fetches what is missing; nil: nothing is.
    private func unmetNeed() throws(Failure) -> Call? {
        try requireClient()
        let session = client.session
        let scope: EncryptionScope?
        switch call.encryption {
        case .none: scope = nil
        case .layer(let id): scope = id.scope
        case .activation: scope = .application
        }
        if let scope, session.version.usesTemporaryKeys, client.usableTemporaryKey(scope) == nil {
            return .temporaryKey(scope: scope)
        }
        var needsTime = call.needsTime || scope != nil
        if case .token(let name, let keys) = call.authentication {
            needsTime = true
            if session.token(named: name) == nil { return .createToken(name: name, keys: keys) }
        }
        return needsTime && !client.time.isSynchronized ? .serverTime() : nil
    }

    /// The client must be in the phase that the call needs, with the activation that it had when the call began.
    private func requireClient() throws(Failure) {
        guard epoch == client.epoch else { throw .cancelled() }
        try client.require(call.requires)
    }

    private func wait(for need: Call) {
        runtime.log(.debug, client: client, "\(call.name): needs \(need.name) first")
        let provider: Run
        if let shared = need.sharedAs, let same = client.sharedRun(shared, epoch: epoch) {
            provider = same
            same.dependents.append(self)
        } else {
            provider = Run(need, client: client, epoch: epoch, task: nil, timeout: timeout)
            provider.dependents.append(self)
            provider.start()
        }
    }

    /// What this call waited for has come, or has failed.
    private func prerequisiteEnded(_ failure: Failure?) {
        guard stage == .waitingForPrerequisite else { return }
        guard var failure else { return advance() }
        failure.outcome = .notSent  // of this call
        finish(.failure(failure))
    }

    /// Signed calls of a client go one after another, in the order in which they came.
    private func takeTurn() -> Bool {
        guard isSigned || call.keepsTurn, !holdsTurn else { return true }
        guard client.signedTurn == nil else {
            client.signedWaiting.append(self)
            runtime.log(.debug, client: client, "\(call.name): waits for its turn")
            return false
        }
        client.signedTurn = self
        holdsTurn = true
        return true
    }

    /// Tells the callers that their turn has come. It ends when they have given it back.
    private func holdTurn() {
        stage = .holdingTurn
        for task in tasks {  // there is one: such calls are not shared
            task.onRelease { [self] in _ = runtime.loop.post { self.finish(.success(.none)) } }
            complete(task, .success(.none))
        }
        tasks = []
    }

    private func giveTurnBack() {
        client.signedWaiting.removeAll { $0 === self }
        guard holdsTurn else { return }
        holdsTurn = false
        client.signedTurn = nil
        guard !client.signedWaiting.isEmpty else { return }
        let next = client.signedWaiting.removeFirst()
        client.signedTurn = next
        next.holdsTurn = true
        // Not from here: a long row of calls that all fail would become as deep a row of calls on the stack.
        runtime.loop.post { next.advance() }
    }

    // MARK: Request

    /// Builds the request and, if it is signed, stores the advanced counter. Under the client's lock.
    private func buildRequest() throws(Failure) -> HTTPRequest {
        try requireClient()
        let session = client.session
        let now = client.synchronizedNow
        var headers: [HTTPHeader] = []
        var body: [UInt8] = []
        switch call.encryption {
        case .none:
            body = try call.body(client)
        case .layer(let id):
            var plain = try call.body(client)
            defer { wipe(&plain) }
            let encryptor = try Failure.converting { () throws(PowerAuthError) in
                let encryptor = try session.encryptor(id, key: client.usableTemporaryKey(id.scope))
                body = try encryptor.encrypt(plain, now: now)
                return encryptor
            }
            self.encryptor = encryptor
            // A signed request tells the encryption's parameters in the header of the signature (protocol §5.7).
            if case .signature = call.authentication {
            } else {
                headers.append(HTTPHeader("X-PowerAuth-Encryption", encryptor.headerValue))
            }
        case .activation:
            let pending = try Failure.converting { () throws(PowerAuthError) in
                try session.activationBody(key: client.usableTemporaryKey(.application), now: now)
            }
            pendingActivation = pending
            body = pending.body
            headers.append(HTTPHeader("X-PowerAuth-Encryption", pending.headerValue))
        }
        switch call.authentication {
        case .none:
            break
        case .token(let name, _):
            let value = try Failure.converting { () throws(PowerAuthError) in
                try session.tokenHeader(named: name, now: now)
            }
            headers.append(HTTPHeader("X-PowerAuth-Token", value))
        case .signature(let uriId, let keys):
            let value = try client.durably { (session) throws(PowerAuthError) in
                try session.sign(method: .post, uriId: uriId, body: body, keys: keys)
            }
            headers.append(HTTPHeader("X-PowerAuth-Authorization", value))
        }
        return client.request(
            call, headers: headers, body: body, atMostOnce: call.isSentAtMostOnce, timeout: timeout, own: own)
    }

    private func send(_ request: HTTPRequest) {
        stage = .sending
        sentAt = runtime.now
        runtime.log(.info, client: client, "\(call.name): sent")
        if runtime.events.kinds.contains(.trace) {
            let traced = TraceRecord.Request(request, number: runtime.nextRequestNumber(), call: call.name)
            self.traced = traced
            runtime.emit(.trace(TraceRecord(.request, traced)), client: client)
        }
        let transfer = runtime.transport.send(request) { [self] result in received(result) }
        if stage == .sending { self.transfer = transfer }
    }

    // MARK: Answer

    private func received(_ result: Result<HTTPResponse, TransportError>) {
        transfer = nil
        guard stage == .sending else { return }
        switch result {
        case .failure(let error):
            let failure = Failure(error, signed: isSigned)
            if let traced { runtime.emit(.trace(TraceRecord(.failure, traced, failure: failure)), client: client) }
            finish(.failure(failure))
        case .success(let response):
            if let traced { runtime.emit(.trace(TraceRecord(.answer, traced, response: response)), client: client) }
            runtime.log(.info, client: client, "\(call.name): HTTP status \(response.status)")
            do throws(Failure) {
                let conclusion = try client.lock.withLock { () throws(Failure) in try read(response) }
                switch conclusion {
                case .done(let result): finish(.success(result))
                case .next(let call): startOver(with: call)
                }
            } catch {
                guard renewToken(after: error) else {
                    var failure = error
                    if failure.outcome == .answered { failure.httpStatus = Int32(truncatingIfNeeded: response.status) }
                    return finish(.failure(failure))
                }
                startOver(with: call)
            }
        }
    }

    private var isSigned: Bool {
        if case .signature = call.authentication { return true }
        return false
    }

    private func startOver(with call: Call) {
        giveTurnBack()
        encryptor = nil
        pendingActivation = nil
        self.call = call
        stage = .new
        advance()
    }

    /// The server refused a token: it may have forgotten it. Forgets it here too, so that the call can start over.
    private func renewToken(after failure: Failure) -> Bool {
        guard case .token(let name, _) = call.authentication, failure.code == .authentication,
            renewals < Self.maximumRenewals
        else { return false }
        renewals += 1
        runtime.log(.info, client: client, "\(call.name): the token was refused, another one is asked for")
        return client.lock.withLock {
            guard
                let _ = try? client.durably({ (session) throws(PowerAuthError) in try session.removeToken(named: name) }
                )
            else { return false }
            return true
        }
    }

    /// Reads the answer. Under the client's lock.
    private func read(_ response: HTTPResponse) throws(Failure) -> Call.Conclusion {
        guard !client.isClosed, epoch == client.epoch else { throw .cancelled(outcome: .answered) }
        let reply = Reply(response, errors: call.errors)
        let arrivedAt = runtime.now
        switch call.encryption {
        case .none:
            var answer = Call.Answer(envelope: nil, plaintext: nil, sentAt: sentAt, arrivedAt: arrivedAt)
            if case .document = call.root {
                answer.document = try reply.document()
            } else {
                answer.envelope = try reply.plain()
            }
            return try call.read(client, answer)
        case .layer(let id):
            guard let encryptor else { throw .cancelled(outcome: .answered) }
            let plaintext = try decrypt(reply, scope: id.scope) { (root) throws(PowerAuthError) in
                try encryptor.decrypt(root)
            }
            if let timestamp = encryptor.responseTimestamp { client.learnTime(timestamp, sentAt: sentAt) }
            return try call.read(
                client, Call.Answer(envelope: nil, plaintext: plaintext, sentAt: sentAt, arrivedAt: arrivedAt))
        case .activation:
            guard let pendingActivation else { throw .cancelled(outcome: .answered) }
            let result = try decrypt(reply, scope: .application) { (root) throws(PowerAuthError) in
                try client.session.receiveActivation(root, pending: pendingActivation)
            }
            client.lastUserInfo = UserInfo(result)
            if let timestamp = result.serverTimestamp { client.learnTime(timestamp, sentAt: sentAt) }
            return .done(.activation(result))
        }
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
                client.forgetTemporaryKey(scope)
            }
            throw error
        }
    }

    // MARK: End

    /// Ends a call that never began, because the runtime has stopped. From any thread.
    func refuse(_ failure: Failure) {
        abandon(failure)
        end()
        for task in tasks { complete(task, .failure(failure)) }
    }

    private func abandon(_ failure: Failure) {
        guard let abandon = call.abandon else { return }
        client.lock.withLock { if epoch == client.epoch { abandon(client, failure) } }
    }

    /// Ends the call in whatever way, once: tells its callers and those who waited for it.
    func finish(_ ending: Ending) {
        guard stage != .finished else { return }
        stage = .finished
        var failure: Failure?
        if case .failure(let error) = ending {
            failure = error
            runtime.log(
                error.isGrave ? .error : .warning, client: client, "\(call.name): failed, reason \(error.reason)")
            abandon(error)
        }
        end()
        if let shared, client.sharedRuns[shared] === self { client.sharedRuns[shared] = nil }
        runtime.remove(self)
        let (tasks, dependents) = (self.tasks, self.dependents)
        self.tasks = []
        self.dependents = []
        giveTurnBack()
        for task in tasks { complete(task, ending) }
        for dependent in dependents { dependent.prerequisiteEnded(failure) }
    }

    private func complete(_ task: CallTask, _ ending: Ending) {
        switch ending {
        case .success(let result): task.succeed(result)
        case .failure(let failure): task.fail(failure)
        }
        runtime.emit(.task(task), client: client)
    }
}
