import MobileTokenCrypto
import MobileTokenHTTP
import MobileTokenSystem
import PowerAuth
import Synchronization

/// One activation, or a place for one, of one application at one server. May be used from any thread.
public final class Client: @unchecked Sendable {
    let runtime: Runtime
    package let options: ClientOptions
    /// What the tasks of its runtime have in common.
    package var board: TaskBoard { runtime.board }

    /// Guards everything up to the next remark.
    let lock = Lock()
    let session: Session
    var time = TimeSynchronization()
    /// The measurement behind `time`.
    var clock: ClockMeasurement?
    /// By how much the `Date` of this server's answers differs from its time.
    var usualDateDifference: Int64?
    /// The status fetched last.
    var lastStatus: ActivationStatus?
    /// How the activation stands at the server.
    var standing = Standing.unknown
    /// The status is being asked for because the host has signed much.
    var isLooking = false
    /// The claims about the user that came last.
    var lastUserInfo: UserInfo?
    /// Push messages were registered for by this object.
    var isRegisteredForPush = false
    /// A registration for push messages is under way.
    var isRegisteringForPush = false
    /// The version of the server, if it told it when it was last asked for its time.
    var serverVersion: ServerVersion?
    /// `Accept-Language`
    var language: String
    /// The request for mobile authentication that is being handled.
    var handling: MobileAuthHandling?
    /// The server has said that it does not encrypt the detail of operations.
    var encryptedDetailRefused = false
    var customAuthenticators: [CustomAuthenticator] = []
    /// The operations known.
    var registry = OperationRegistry()
    /// The polling that was started.
    var polling: OperationPolling? {
        didSet {
            guard (oldValue == nil) != (polling == nil) else { return }
            runtime.pollerCount.add(polling == nil ? -1 : 1, ordering: .relaxed)
        }
    }
    private(set) var isClosed = false
    /// Counts the activations that this object has seen: a call of an earlier one is void.
    private(set) var epoch = 0
    private var applicationKey: TemporaryKey?
    private var activationKey: TemporaryKey?
    private let deviceSecret: SecureBytes
    private let deviceKeys: DeviceKeys
    private var deviceSecretIsStored: Bool

    // The rest is used on the loop thread only.

    /// The calls under way.
    var runs: [Run] = []
    /// Those of them that others may join.
    var sharedRuns: [ByteKey: Run] = [:]
    /// The signed call under way, and those that wait for their turn.
    var signedTurn: Run?
    var signedWaiting: [Run] = []

    /// Loads the client's state from its store.
    package convenience init(runtime: Runtime, options: ClientOptions) throws(Failure) {
        do throws(StoreError) {
            try options.store.acquire(options.id)
        } catch {
            throw Failure(error, doing: "The client cannot be opened")
        }
        let parts: Parts
        do throws(Failure) {
            parts = try Self.load(options, random: runtime.environment.random)
        } catch {
            options.store.release(options.id)
            throw error
        }
        self.init(runtime, options, parts)
        if options.tls.unsafeNoVerification {
            runtime.log(.warning, client: self, "TLS certificates are not verified: this client is not safe to use.")
        }
    }

    private init(_ runtime: Runtime, _ options: ClientOptions, _ parts: Parts) {
        self.runtime = runtime
        self.options = options
        language = options.language
        session = parts.session
        deviceSecret = parts.secret
        deviceKeys = parts.keys
        deviceSecretIsStored = parts.secretIsStored
        runtime.clientCount.add(1, ordering: .relaxed)
    }

    deinit {
        guard !isClosed else { return }
        if polling != nil { runtime.pollerCount.subtract(1, ordering: .relaxed) }
        runtime.clientCount.subtract(1, ordering: .relaxed)
        options.store.release(options.id)
    }

    /// Gives up the state and its place in the store; calls under way complete as cancelled.
    package func close() {
        guard runtime.loop.isOfThisProcess else { return }
        let first = lock.withLock {
            guard !isClosed else { return false }
            isClosed = true
            runtime.clientCount.subtract(1, ordering: .relaxed)
            polling = nil
            session.reset()  // in memory only: wipes the keys
            customAuthenticators = []
            options.store.release(options.id)
            return true
        }
        if first { cancelRuns() }
    }

    /// Cancels all calls under way, and what is made up of calls.
    func cancelRuns() {
        _ = runtime.loop.post { [self] in
            for run in runs { run.cancel() }
            lock.withLock { handling }?.cancel()
            runtime.cancelWaits(of: self)
        }
    }

    // MARK: Stored state

    private var stateItem: String { StoredItems.state(of: options.id) }
    private var keyItem: String { StoredItems.key(of: options.id) }
    private static let newSecretSize = 32

    /// What is loaded or, for a new client, made.
    private struct Parts {
        let session: Session
        let secret: SecureBytes
        let keys: DeviceKeys
        let secretIsStored: Bool
    }

    private static func load(_ options: ClientOptions, random: RandomSource) throws(Failure) -> Parts {
        var state: SecureBytes?
        var stored = options.deviceSecret
        do throws(StoreError) {
            state = try options.store.load(StoredItems.state(of: options.id))
            if stored == nil { stored = try options.store.load(StoredItems.key(of: options.id)) }
        } catch {
            throw Failure(error, doing: "The client's state cannot be loaded")
        }
        if state != nil, stored == nil {
            throw Failure(
                .tampered, Reason.storageKeyMissing,
                "The state is stored but the device secret that protects it is not.")
        }
        let secret: SecureBytes
        if let stored { secret = stored } else { secret = try newSecret(random) }
        let keys = try keys(secret)
        let session = try session(options, possession: keys.possession, random: random)
        if let state { try restore(session, from: state, keys: keys, id: options.id) }
        if let key = options.externalKey, session.phase == .empty || session.usesExternalKey {
            try Failure.converting { () throws(PowerAuthError) in try session.setExternalKey(key) }
        }
        return Parts(session: session, secret: secret, keys: keys, secretIsStored: stored != nil)
    }

    private static func newSecret(_ random: RandomSource) throws(Failure) -> SecureBytes {
        do throws(CryptoError) {
            return try random.secureBytes(newSecretSize)
        } catch {
            throw Failure(.internal, Reason.internalError, "No random bytes can be had.")
        }
    }

    private static func keys(_ secret: SecureBytes) throws(Failure) -> DeviceKeys {
        do throws(CryptoError) {
            return try DeviceKeys(secret: secret)
        } catch {
            throw Failure(.internal, Reason.internalError, "The device's keys cannot be derived.")
        }
    }

    private static func session(
        _ options: ClientOptions, possession: SecureBytes, random: RandomSource
    ) throws(Failure) -> Session {
        try Failure.converting { () throws(PowerAuthError) in
            try Session(
                configuration: options.configuration, version: options.version, random: random,
                possessionKey: possession, publicKeys: PublicKeyCache(capacity: 1))
        }
    }

    private static func restore(
        _ session: Session, from state: SecureBytes, keys: DeviceKeys, id: String
    ) throws(Failure) {
        let content: SecureBytes
        do throws(DeviceKeys.OpenError) {
            content = try keys.open(state, client: id)
        } catch {
            switch error {
            case .tampered:
                throw Failure(
                    .tampered, Reason.storageTampered,
                    "The stored state is damaged, was changed, or belongs to another client or device secret.")
            case .laterVersion:
                throw Failure(
                    .unsupported, Reason.unsupportedState, "A later version of the library wrote the stored state.")
            case .library:
                throw Failure(.internal, Reason.internalError, "The stored state cannot be decrypted.")
            }
        }
        try Failure.converting { () throws(PowerAuthError) in try session.restore(from: content) }
    }

    /// Stores the state durably. Under the lock.
    private func persist() throws(Failure) {
        guard !isClosed else { throw .state("The client was freed.") }
        let content = session.serialize()
        let sealed: [UInt8]
        do throws(CryptoError) {
            sealed = try deviceKeys.seal(content, client: options.id, random: runtime.environment.random)
        } catch {
            throw Failure(.internal, Reason.internalError, "The state cannot be encrypted.")
        }
        do throws(StoreError) {
            if !deviceSecretIsStored {
                try deviceSecret.withBytes { (bytes) throws(StoreError) in try options.store.save(keyItem, bytes) }
                deviceSecretIsStored = true
            }
            try sealed.withBytes { (bytes) throws(StoreError) in try options.store.save(stateItem, bytes) }
        } catch {
            throw Failure(error, doing: "The client's state cannot be saved")
        }
        runtime.log(.debug, client: self, "state stored")
        runtime.emit(.stateStored, client: self)
    }

    /// Changes the session and stores the change before its result is used. If storing fails, the change is undone: nothing
    /// that depends on it has left the library. Under the lock.
    ///
    /// - Parameter answered: the change is what the server answered
    func durably<R>(
        answered: Bool = false, _ change: (Session) throws(PowerAuthError) -> R
    ) throws(Failure) -> R {
        try durablyIfChanged(answered: answered) { (session) throws(PowerAuthError) in (try change(session), true) }
    }

    /// As `durably`, for a change that tells whether there was one.
    func durablyIfChanged<R>(
        answered: Bool = false, _ change: (Session) throws(PowerAuthError) -> (R, changed: Bool)
    ) throws(Failure) -> R {
        let before = session.checkpoint()
        let (result, changed) = try Failure.converting(answered: answered) { () throws(PowerAuthError) in
            try change(session)
        }
        guard changed else { return result }
        do throws(Failure) {
            try persist()
        } catch {
            session.rollBack(to: before)
            var failure = error
            if answered { failure.outcome = .answered }
            throw failure
        }
        return result
    }

    /// Forgets the activation, in memory and in the store. Under the lock.
    func forgetActivation() throws(Failure) {
        dropActivation()
        do throws(StoreError) {
            try options.store.remove(stateItem)
            if options.deviceSecret == nil { try options.store.remove(keyItem) }
            deviceSecretIsStored = options.deviceSecret != nil
        } catch {
            throw Failure(error, doing: "The client's state cannot be removed")
        }
    }

    /// Forgets the activation in memory. Calls that belong to it are void from now on. Under the lock.
    func dropActivation() {
        session.reset()
        activationKey = nil
        lastStatus = nil
        standing = .unknown
        lastUserInfo = nil
        isRegisteredForPush = false
        customAuthenticators = []
        isRegisteringForPush = false
        forgetOperations()
        epoch += 1
    }

    // MARK: What calls ask of the client, under the lock

    /// Refuses a call in a phase that does not allow it.
    func require(_ phase: Session.Phase?) throws(Failure) {
        guard !isClosed else { throw .cancelled() }
        guard let phase, phase != session.phase else { return }
        switch (phase, session.phase) {
        case (.activated, .empty): throw .notActivated
        case (_, .keysReady), (_, .responseValidated): throw .activationPending
        case (.empty, _): throw .state("The client has an activation already. Remove it first.")
        default: throw .state("There is no activation in progress.")
        }
    }

    /// The server's time now, as far as it is known.
    var synchronizedNow: Int64 { time.now(runtime.now) }

    func usableTemporaryKey(_ scope: EncryptionScope) -> TemporaryKey? {
        let key = scope == .application ? applicationKey : activationKey
        guard let key, key.isUsable(now: synchronizedNow) else { return nil }
        return key
    }

    /// Counts the temporary keys that have come.
    private(set) var keyNumber = 0

    func keepTemporaryKey(_ key: TemporaryKey) {
        keyNumber += 1
        if key.scope == .application { applicationKey = key } else { activationKey = key }
    }

    func forgetTemporaryKey(_ scope: EncryptionScope) {
        if scope == .application { applicationKey = nil } else { activationKey = nil }
    }

    /// Answers larger than this are refused.
    private static let maximumAnswerSize = 4 << 20

    /// The HTTP request of a call.
    func request(
        _ call: Call, headers: [HTTPHeader], body: [UInt8], atMostOnce: Bool, timeout: Int32,
        own: CallOptions? = nil
    ) -> HTTPRequest {
        var all = [
            HTTPHeader("Content-Type", "application/json"), HTTPHeader("Accept", "application/json"),
            HTTPHeader("Accept-Language", own?.language ?? language),
        ]
        let agent = own?.userAgent ?? options.userAgent
        if !agent.isEmpty { all.append(HTTPHeader("User-Agent", agent)) }
        if call.root.isOfTheBank {
            for header in options.headers { ExtraHeaders.set(header, in: &all) }
            for header in own?.headers ?? [] { ExtraHeaders.set(header, in: &all) }
            addCorrelation(own, to: &all)
        }
        all.append(contentsOf: headers)
        var tls = options.tls
        var method = HTTPRequest.Method.post
        let root: String
        switch call.root {
        case .powerAuth: root = options.baseURL
        case .operations: root = options.operationsURL
        case .document(let server, let allowsHTTP):
            root = server
            method = .get
            tls.pins = []
            tls.allowPlainHTTP = allowsHTTP
        }
        return HTTPRequest(
            method, root + call.path.description, headers: all, body: body, timeoutMilliseconds: Int64(timeout),
            atMostOnce: atMostOnce, maximumResponseSize: Self.maximumAnswerSize, tls: tls, proxy: options.proxy)
    }

    /// Sets `Accept-Language` for the calls to come.
    package func setLanguage(_ language: String) { lock.withLock { self.language = language } }

    /// The call of that name under way for the same activation: one of an earlier activation is void. On the loop thread.
    func sharedRun(_ name: String, epoch: Int) -> Run? {
        guard let run = sharedRuns[name.byBytes], run.epoch == epoch else { return nil }
        return run
    }

    // MARK: Starting calls, from any thread

    /// Starts a call; refuses it at once in a phase that does not allow it.
    ///
    /// - Parameters:
    ///   - task: completes with the call; it must be new
    ///   - prepare: what has to be done first, under the lock
    func start(
        _ call: Call, task: CallTask, preparing prepare: (Client) throws(Failure) -> Void = { _ in }
    ) throws(Failure) {
        guard !runtime.isStopped else { throw .state("The runtime was freed.") }
        let run = try lock.withLock { () throws(Failure) in
            try prepare(self)
            try require(call.requires)
            let run = Run(call, client: self, epoch: epoch, task: task)
            run.begin()
            return run
        }
        runtime.start(run)
    }
}

extension Failure {
    /// A failure of a store.
    init(_ error: StoreError, doing what: StaticString) {
        switch error.reason {
        case .busy:
            self.init(
                .busy, Reason.storageBusy, "\(what): another client or process uses this activation.")
        case .lockLost:
            self.init(
                .storage, Reason.storageLockLost,
                "\(what): the store's lock file was removed or replaced, so that another process may use this activation. "
                    + "Close the client and open it again.")
        case .forked:
            self.init(
                .state, Reason.forked,
                "\(what): the store was made before fork() and belongs to the parent process.")
        case .insecure:
            self.init(
                .storage, Reason.storageInsecure,
                "\(what): the files must belong to the user and be closed to others (mode 0600).")
        case .failed:
            self.init(.storage, Reason.storageFailed, "\(what) (system error \(error.systemError)).")
        }
    }
}
