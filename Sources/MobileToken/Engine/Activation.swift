// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenHTTP
import MobileTokenModel
import MobileTokenSystem
import PowerAuth
import Synchronization

/// A service's data about one activation. The engine notifies it of changes, under the activation's lock.
class ServiceState: @unchecked Sendable {
    /// The server has reported the state of the activation.
    func notice(_ serverState: ServerState) {}

    /// The activation is gone: discards its data.
    func forget(_ activation: Activation) {}

    /// The client gives up its state.
    func close() {}
}

/// One activation, or a place for one, of one application at one server: what the engine needs to run its calls. The services
/// keep what is theirs in their own states. May be used from any thread.
package final class Activation: @unchecked Sendable {
    let runtime: Runtime
    /// Where its calls run, if they may have to wait for the host; nil: on the runtime's thread.
    let lane: Lane?
    package let options: ClientOptions
    /// The client's number in events.
    package let number: UInt

    /// Guards everything up to the next remark.
    let lock: YieldingLock
    let session: Session
    var time = TimeSynchronization()
    /// The measurement behind `time`.
    var clock: ClockMeasurement?
    /// By how much the `Date` of this server's answers differs from its time.
    var usualDateDifference: Int64?
    // Small members follow each other, to keep the object of each client small.
    var serverState = ServerState.unknown
    /// Counts the successes that the server has reported.
    var successes: UInt32 = 0
    /// Counts the statuses that were asked for.
    var statusesAsked: UInt32 = 0
    /// The number of the newest one that has come.
    var newestStatus: UInt32 = 0
    /// How many failed attempts the server is known to have counted; nil: it has reported none since the last success.
    var failures: UInt8?
    /// The factors of the last signature that the host requested itself; none: this process has made none.
    var factorsOfHost = Factors()
    /// The last signature that they count for; 0: this process has made none.
    var signaturesOfHost: UInt64 = 0
    /// How often the server's counter was found ahead of this device's.
    var timesBehind: UInt32 = 0
    /// The status is being asked for because the host has signed much.
    var isLooking = false
    /// `confirmation` is of the PIN with which this process has stored the activation.
    var knowsPIN = false
    /// The failed attempts that the server had counted before the confirmation was sent.
    var failedBefore = UInt8.max
    /// How many temporary keys of the activation the server has refused in a row.
    var refusedKeys: UInt8 = 0
    private(set) var isClosed = false
    var lastStatus: ActivationStatus?
    var lastUserInfo: UserInfo?
    /// The version of the server, if its last time response contained it.
    var serverVersion: ServerVersion?
    var transport: Transport { options.usesHostTransport ? runtime.hostTransport : runtime.transport }
    /// `Accept-Language`
    var language: String
    /// Counts the activations that this object has seen: a call of an earlier one is void.
    private(set) var epoch = 0
    private var applicationKey: EncryptionKey?
    private var activationKey: EncryptionKey?
    /// The factors that sign the confirmation of a new activation, until the server has acknowledged it.
    var confirmation: SigningKeys?
    /// Guarded by the lock.
    let keeper: StateKeeper
    private let services: [ServiceState]

    // The rest is used where the client lives only.

    var runs: [Run] = []
    /// The calls of `runs` that others may join.
    var sharedRuns: [ByteKey: Run] = [:]
    var turns = Turns<Run>()

    /// Loads the state from its store.
    convenience init(
        _ runtime: Runtime, _ options: ClientOptions, number: UInt, services: [ServiceState]
    ) throws(Failure) {
        let random = runtime.environment.random
        let (keeper, sealed) = try StateKeeper.open(
            options.store, id: options.id, secret: options.deviceSecret, sealer: options.sealer, random: random)
        let session = try Failure.converting { () throws(PowerAuthError) in
            try Session(
                configuration: options.configuration, version: options.legacyVersion, random: random,
                possessionKey: keeper.possession, deviceSecret: keeper.secret,
                publicKeys: PublicKeyCache(capacity: 1))
        }
        session.iterations = runtime.environment.iterations
        try Failure.converting { () throws(PowerAuthError) in try session.decide(options.choice) }
        if let sealed {
            let content = try keeper.unseal(sealed)
            try Failure.converting { () throws(PowerAuthError) in try session.restore(from: content) }
            keeper.isStored(session)
        }
        if let key = options.externalKey, session.phase == .empty || session.usesExternalKey {
            try Failure.converting { () throws(PowerAuthError) in try session.setExternalKey(key) }
        }
        let lane = options.store.waits || options.sealer != nil ? try runtime.makeLane() : nil
        self.init(runtime, lane, options, number, session, keeper, services)
        if options.tls.unsafeNoVerification {
            log(.warning, "TLS certificates are not verified: use this client for tests only.")
        }
    }

    private init(
        _ runtime: Runtime, _ lane: Lane?, _ options: ClientOptions, _ number: UInt, _ session: Session,
        _ keeper: StateKeeper, _ services: [ServiceState]
    ) {
        self.runtime = runtime
        self.lane = lane
        self.options = options
        self.number = number
        lock = YieldingLock(number: number)
        self.session = session
        self.keeper = keeper
        self.services = services
        language = options.language
        if lane != nil { keeper.yielded = lock }
        runtime.clientCount.add(1, ordering: .relaxed)
    }

    deinit {
        if !isClosed { runtime.clientCount.subtract(1, ordering: .relaxed) }
    }

    /// Whether the calling thread is in a function of the host that this client waits for.
    var waitsForThisThread: Bool { YieldingLock.isYieldedHere(number) }

    /// Gives up the state and its place in the store; calls under way complete as cancelled. Inside a function of the host that this
    /// client waits for: as soon as that has returned.
    func close() {
        guard runtime.loop.isOfThisProcess else { return }
        if waitsForThisThread {
            post { [self] in close() }
            return
        }
        let first = lock.withLock {
            guard !isClosed else { return false }
            isClosed = true
            runtime.clientCount.subtract(1, ordering: .relaxed)
            for service in services { service.close() }
            session.reset()  // in memory only: wipes the keys
            keeper.close()
            return true
        }
        if first { cancelCalls() }
    }

    /// Cancels all calls under way, and the processes that consist of calls.
    func cancelCalls() {
        post { [self] in
            for run in runs { run.cancel() }
            runtime.cancelResidents(of: self)
        }
    }

    // MARK: Where it lives

    /// Runs work there, after all that was posted before. From any thread.
    ///
    /// - Returns: false when the runtime is stopping or stopped, or a parent's: then the work will not run
    @inline(never) @discardableResult
    func post(_ work: @escaping Loop.Work) -> Bool { lane?.post(work) ?? runtime.loop.post(work) }

    /// Runs work once, `milliseconds` from now, unless cancelled.
    func schedule(afterMilliseconds milliseconds: Int64, _ work: @escaping () -> Void) -> LoopTimer {
        lane?.schedule(afterMilliseconds: milliseconds, work)
            ?? runtime.loop.schedule(afterMilliseconds: milliseconds, work)
    }

    func cancel(_ timer: LoopTimer) {
        if let lane { lane.cancel(timer) } else { runtime.loop.cancel(timer) }
    }

    // MARK: Events, from any thread

    /// Queues an event, if the host wants its kind.
    @inline(never)
    func emit(_ content: Event.Content) { runtime.emit(content, client: number) }

    /// Queues a log line. The text is made only if it is wanted. It must hold no secrets.
    func log(_ level: LogLevel, _ text: @autoclosure () -> String) {
        if runtime.logs(level) { write(level, text()) }
    }

    /// Not copied into each place that logs.
    @inline(never)
    private func write(_ level: LogLevel, _ text: String) {
        emit(.log(level, (options.label.map { $0 + ": " } ?? "") + text))
    }

    /// Completes a task that consists of calls, and queues its events.
    @inline(never)
    func complete(_ task: CallTask, _ result: Result<CallResult, Failure>) {
        runtime.complete(task, result, client: number)
    }

    // MARK: Stored state

    /// Stores the state durably. Under the lock.
    private func persist() throws(Failure) {
        try requireOpen()
        try keeper.save(session)
        log(.debug, "state stored")
        emit(.stateStored(session.version, session.suite.map { Suite($0) }))
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

    /// Signs, and stores the advanced counter before the signature is used: `durably` without a copy of the session. Under the
    /// lock.
    func durablySigning(_ sign: (Session) throws(PowerAuthError) -> String) throws(Failure) -> String {
        let signature = try Failure.converting { () throws(PowerAuthError) in try sign(session) }
        do throws(Failure) {
            try persist()
        } catch {
            session.undoSignature()
            throw error
        }
        return signature
    }

    /// As `durablySigning`, for a signature that the host sends. The host may report later that the server accepted the last one.
    func durablySigningForHost(
        _ factors: Factors, _ sign: (Session) throws(PowerAuthError) -> String
    ) throws(Failure) -> String {
        let signature = try durablySigning(sign)
        factorsOfHost = factors
        signaturesOfHost = session.signatures
        return signature
    }

    /// As `durably`, for a change that reports whether it changed anything.
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

    /// The sealer of the device secret. Under the lock.
    var protection: Protection { keeper.protection }

    /// Moves the device secret to another sealer, or to none.
    func reseal(_ sealer: Sealer?) throws(Failure) {
        let secret = try lock.withLock { () throws(Failure) in
            try requireOpen()
            return keeper.secret
        }
        // Outside of the lock: hardware may wait for a touch.
        let form = try sealer?.run(secret, label: options.id, sealing: true)
        try lock.withLock { () throws(Failure) in
            try requireOpen()
            try keeper.reseal(sealer, form)
        }
    }

    private func requireOpen() throws(Failure) {
        guard !isClosed else { throw .state("The client was freed.") }
    }

    /// Forgets the activation, in memory and in the store. Under the lock.
    func forgetActivation() throws(Failure) {
        dropActivation()
        try keeper.remove()
    }

    /// Forgets the activation in memory. Calls that belong to it are void from now on. Under the lock.
    func dropActivation() {
        if session.version == .v40 { applicationKey = nil }
        session.reset()
        // The next activation asks the server again what it offers.
        if options.choice == .undecided { try? session.decide(.undecided) }
        activationKey = nil
        confirmation = nil
        lastStatus = nil
        failures = nil
        factorsOfHost = []
        signaturesOfHost = 0
        serverState = .unknown
        lastUserInfo = nil
        for service in services { service.forget(self) }
        epoch += 1
    }

    func removeLocally() throws(Failure) {
        try lock.withLock { () throws(Failure) in try forgetActivation() }
        cancelCalls()
    }

    /// Applies a report of the server. Under the lock.
    func stand(_ serverState: ServerState) {
        self.serverState = serverState
        for service in services { service.notice(serverState) }
    }

    // MARK: Queries of calls, under the lock

    /// Refuses a call in a phase that does not allow it.
    func require(_ phase: Session.Phase?) throws(Failure) {
        guard !isClosed else { throw .cancelled() }
        guard let phase, phase != session.phase else { return }
        switch (phase, session.phase) {
        case (.activated, .empty): throw .notActivated
        case (_, .keysReady), (_, .responseValidated): throw .activationPending
        case (.empty, _): throw .state("The client already has an activation. Remove it first.")
        default: throw .state("There is no activation in progress.")
        }
    }

    /// The server's time now, as far as it is known.
    var synchronizedNow: Int64 { time.now(runtime.now) }

    func usableTemporaryKey(_ scope: EncryptionScope) -> EncryptionKey? {
        if let applicationKey, !applicationKey.isUsable(now: synchronizedNow) { forgetTemporaryKey(.application) }
        let key = scope == .application ? applicationKey : activationKey
        guard let key, key.isUsable(now: synchronizedNow) else { return nil }
        return key
    }

    /// How many temporary keys have arrived.
    private(set) var keyNumber = 0

    func keepTemporaryKey(_ key: EncryptionKey) {
        keyNumber += 1
        // An expired key must not take a newer one along.
        _ = usableTemporaryKey(.application)
        if key.scope == .application { applicationKey = key } else { activationKey = key }
    }

    func forgetTemporaryKey(_ scope: EncryptionScope) {
        // In 4.0 the key of the activation goes with that of the application (powerauth4.md §7).
        if scope == .application { applicationKey = nil }
        if scope == .activation || session.version == .v40 { activationKey = nil }
    }

    /// Keys of one protocol do not fit the other. Under the lock.
    func forgetTemporaryKeys(keeping key: EncryptionKey? = nil) {
        applicationKey = key
        activationKey = nil
    }

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
    ///   - prepare: the preparation, under the lock
    @inline(never)
    func start(
        _ call: Call, task: CallTask, preparing prepare: (Activation) throws(Failure) -> Void
    ) throws(Failure) {
        guard !runtime.isStopped else { throw .state("The runtime was freed.") }
        let run = try locked(for: task) { () throws(Failure) in
            try prepare(self)
            return try made(call, task)
        }
        runtime.start(run)
        watch(task)
    }

    /// Starts a call that needs no preparation, even while a store keeps the client waiting.
    func start(_ call: Call, task: CallTask) throws(Failure) {
        guard !runtime.isStopped else { throw .state("The runtime was freed.") }
        runtime.start(try lock.glance { () throws(Failure) in try made(call, task) })
        watch(task)
    }

    private func made(_ call: Call, _ task: CallTask) throws(Failure) -> Run {
        try require(call.requires)
        let run = Run(call, self, task: task)
        run.begin()
        return run
    }
}
