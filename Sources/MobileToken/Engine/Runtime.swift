// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenHTTP
import MobileTokenSystem
import PowerAuth
import Synchronization

/// The runtime's dependencies, which tests replace.
package struct Environment {
    package let time: TimeSource
    package let random: RandomSource
    package let makeLoop: (TimeSource) throws(SystemError) -> Loop
    /// Makes the transport of a loop, for so many transfers at once.
    package let makeTransport: (Loop, Int) throws(TransportError) -> Transport
    /// The iterations of PBKDF2 for a new PIN.
    package var iterations = KnowledgeParameters.defaultIterations

    package init(
        time: TimeSource, random: RandomSource,
        makeLoop: @escaping (TimeSource) throws(SystemError) -> Loop,
        makeTransport: @escaping (Loop, Int) throws(TransportError) -> Transport
    ) {
        self.time = time
        self.random = random
        self.makeLoop = makeLoop
        self.makeTransport = makeTransport
    }

    /// The device's clock, OpenSSL's random generator, libcurl.
    package static var system: Environment {
        Environment(
            time: TimeSource(), random: SystemRandom(),
            makeLoop: { (time) throws(SystemError) in try Loop(time: time) }
        ) { (loop, maximumTransfers) throws(TransportError) in
            var options = TransportOptions()
            options.maximumConcurrentTransfers = maximumTransfers
            return try CurlTransport(loop: loop, options: options)
        }
    }
}

/// One loop thread with its network, timers and events, shared by many clients. May be used from any thread.
public final class Runtime: @unchecked Sendable {
    /// How a runtime is made.
    public struct Options {
        /// The events that the host reads.
        public var events: EventQueue.Kinds = []
        /// The lines of the log that become events.
        public var logLevel = LogLevel.off
        /// Transfers at a time.
        public var maximumTransfers = 256

        /// The defaults.
        public init() {}
    }

    package let events: EventQueue
    /// The state that its tasks share.
    package let board: TaskBoard
    /// Requests that were handed to the transport and have not ended.
    let requestCount = Atomic<Int>(0)
    /// Clients that were opened and not closed.
    let clientCount = Atomic<Int>(0)
    let pollerCount = Atomic<Int>(0)
    package let environment: Environment
    let loop: Loop
    let transport: Transport
    /// For the clients whose requests the host sends.
    let hostTransport: HostTransport
    private let logLevel: LogLevel
    private let lock = Lock()
    // Guarded by the lock.
    private var stopped = false
    /// The activations with calls under way.
    private var busyActivations: [ObjectIdentifier: Activation] = [:]
    /// Objects that live until they have ended.
    private var residents: [Resident] = []
    /// The threads that wait for stores and sealers of the host.
    private var lanes: Lanes?

    package convenience init(options: Options, environment: Environment) throws(Failure) {
        let events = try EventQueue(kinds: options.events)
        let loop: Loop
        // OpenSSL's exit handler must run after the loop's, also with another transport.
        CurlTransport.initializeProcess()
        do throws(SystemError) {
            loop = try environment.makeLoop(environment.time)
        } catch {
            throw Self.noLoop
        }
        let transport: Transport
        do throws(TransportError) {
            transport = try environment.makeTransport(loop, options.maximumTransfers)
        } catch {
            _ = loop.stop()
            throw Self.noLoop
        }
        self.init(options, environment, events, loop, transport)
    }

    private init(
        _ options: Options, _ environment: Environment, _ events: EventQueue, _ loop: Loop, _ transport: Transport
    ) {
        self.events = events
        board = TaskBoard(events: events, time: environment.time)
        self.environment = environment
        self.loop = loop
        self.transport = transport
        let time = environment.time
        hostTransport = HostTransport(loop: loop) { [events] (exchange, hasEnded) in
            let content: Event.Content = hasEnded ? .requestEnded(exchange) : .request(exchange)
            events.push(
                Event(content, client: exchange.request.client, time: time.wallMilliseconds()), isAskedFor: true)
        }
        logLevel = options.logLevel
        loop.atEachRoundEnd { [events] in events.wakeReaders() }
    }

    private static var noLoop: Failure {
        Failure(.internal, Reason.internalError, "The system could not start the runtime's thread.")
    }

    /// The remaining work may run after the object is gone: the last reference may be released on the loop thread,
    /// which cannot wait for its own end (and then stays until the process ends). So it holds the parts, not the whole.
    deinit {
        guard loop.isOfThisProcess, !stopped else { return }
        end()
    }

    /// Where a client lives that may have to wait for the host: beside the runtime's thread. With a stopped clock
    /// (nil), everything runs on one thread.
    func makeLane() throws(Failure) -> Lane? {
        guard loop.hasDescriptors else { return nil }
        return try lock.withLock { () throws(Failure) in
            if stopped { return nil }
            if let lanes { return Lane(lanes) }
            do throws(SystemError) {
                let made = try Lanes(loop)
                lanes = made
                return Lane(made)
            } catch {
                throw Self.noLoop
            }
        }
    }

    /// The configurations of clients, by their texts: thousands of clients share one application, and each configuration
    /// holds an imported public key. Guarded by the lock.
    private var configurations: [ByteKey: Configuration] = [:]
    private static let maximumConfigurations = 64

    /// The configuration of a text.
    package func configuration(_ text: String) throws(PowerAuthError) -> Configuration {
        if let known = lock.withLock({ configurations[text.byBytes] }) { return known }
        let made = try Configuration(sdkConfiguration: text)
        lock.withLock {
            if configurations.count >= Self.maximumConfigurations { configurations = [:] }
            configurations[text.byBytes] = made
        }
        return made
    }

    /// Ends everything: running tasks complete as cancelled, the thread ends. Not on the loop thread.
    ///
    /// In a process made by `fork` it leaves everything as it is: the thread may have been in the middle of anything, and
    /// the connections are the parent's.
    public func stop() {
        guard loop.isOfThisProcess else {
            _ = Unmanaged.passRetained(self)
            return
        }
        let first = lock.withLock {
            defer { stopped = true }
            return !stopped
        }
        guard first else { return }
        end()
    }

    private func end() {
        let (busy, residents, lanes) = lock.withLock {
            (Array(busyActivations.values), self.residents, self.lanes)
        }
        for activation in busy {
            _ = activation.post {
                for run in activation.runs { run.cancel() }
            }
        }
        for resident in residents {
            _ = resident.owner?.post { resident.cancel() } ?? loop.post { resident.cancel() }
        }
        _ = loop.post { [transport, hostTransport] in
            transport.shutdown()
            hostTransport.shutdown()
        }
        _ = loop.stop()
        lanes?.stop()
        board.close()
        events.close()
    }

    /// Ends all waits for events and for tasks that are under way.
    package func interrupt() {
        events.interrupt()
        board.interrupt()
    }

    /// Takes the host's answer to a request.
    package func answer(_ id: Int64, _ result: Result<HTTPResponse, TransportError>) throws(Failure) {
        guard hostTransport.answer(id, result) else {
            throw Failure(
                .notFound, Reason.notFound,
                "The request does not wait: it was answered or cancelled, or its deadline has passed.")
        }
    }

    /// The runtime's workload.
    public struct Load {
        package let requestsUnderWay: Int
        package let requestsWaiting: Int
        package let tasks: Int
        package let clients: Int
        package let pollers: Int
        package let events: EventQueue.Counts
    }

    package var load: Load {
        let waiting = max(0, transport.waitingRequests.load(ordering: .relaxed))
        return Load(
            requestsUnderWay: max(0, requestCount.load(ordering: .relaxed) - waiting), requestsWaiting: waiting,
            tasks: board.running, clients: clientCount.load(ordering: .relaxed),
            pollers: pollerCount.load(ordering: .relaxed), events: events.counts)
    }

    /// Whether `stop` was called.
    package var isStopped: Bool { lock.withLock { stopped } }

    /// The requests sent, for traces.
    private let requestNumber = Atomic<Int64>(0)

    func nextRequestNumber() -> Int64 { requestNumber.add(1, ordering: .relaxed).newValue }

    /// Milliseconds since the epoch by the device's clock.
    var now: Int64 { environment.time.wallMilliseconds() }

    /// Starts a call where its client lives; fails its tasks if the runtime has stopped.
    func start(_ run: Run) {
        let posted = run.activation.post { [self] in
            guard !isStopped else { return run.refuse(.cancelled()) }
            run.start()
        }
        if !posted { run.refuse(.cancelled()) }
    }

    /// Keeps a call alive until it has ended. Where its client lives.
    func add(_ run: Run) {
        run.activation.runs.append(run)
        lock.withLock { busyActivations[ObjectIdentifier(run.activation)] = run.activation }
    }

    func remove(_ run: Run) {
        run.activation.runs.removeAll { $0 === run }
        if run.activation.runs.isEmpty { lock.withLock { busyActivations[ObjectIdentifier(run.activation)] = nil } }
    }

    /// Keeps something alive until it has ended.
    func add(_ resident: Resident) { lock.withLock { residents.append(resident) } }

    /// - Returns: whether it had not ended yet
    @discardableResult
    func remove(_ resident: Resident) -> Bool {
        lock.withLock {
            let count = residents.count
            residents.removeAll { $0 === resident }
            return residents.count < count
        }
    }

    /// Cancels the processes that consist of an activation's calls. Where that lives.
    func cancelResidents(of activation: Activation) {
        for resident in lock.withLock({ residents }) where resident.owner === activation { resident.cancel() }
    }

    /// Queues an event, if the host wants its kind.
    ///
    /// - Parameter client: the number of the client that the event is about; 0: none
    func emit(_ content: Event.Content, client: UInt = 0) {
        events.push(Event(content, client: client, time: now))
    }

    /// Completes a task and queues its events.
    ///
    /// - Parameter client: the number of the client that the task is of; 0: none
    func complete(_ task: CallTask, _ result: Result<CallResult, Failure>, client: UInt = 0) {
        task.complete(result) { tags in
            guard !tags.isEmpty else { return emit(.task(task), client: client) }
            for tag in tags {
                events.push(Event(.task(task), client: client, time: now, tag: tag), isAskedFor: true)
            }
        }
    }

    /// Whether log lines of a level are wanted.
    func logs(_ level: LogLevel) -> Bool { level <= logLevel && events.kinds.contains(.log) }

    /// Queues a log line about no client. It must hold no secrets.
    func log(_ level: LogLevel, _ text: @autoclosure () -> String) {
        if logs(level) { emit(.log(level, text())) }
    }
}

/// A process of several steps that runs by itself on the loop: the runtime keeps it alive until it has ended, and ends
/// it with the runtime or its activation.
package class Resident: @unchecked Sendable {
    /// nil: it belongs to the runtime alone.
    let owner: Activation?

    init(of owner: Activation?) { self.owner = owner }

    /// Ends it. On the loop thread.
    func cancel() {}
}
