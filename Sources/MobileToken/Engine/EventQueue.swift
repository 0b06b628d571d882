// SPDX-License-Identifier: Apache-2.0
import CSystem
import MobileTokenHTTP
import MobileTokenModel
import MobileTokenSystem

/// Something that happened, for the host to read.
public struct Event: Sendable {
    /// The kind of event.
    public enum Content: Sendable {
        case task(CallTask)
        /// With the suite of 4.0; nil: protocol 3.
        case stateStored(ProtocolVersion, Suite?)
        case log(LogLevel, String)
        case challenge(Challenge)
        case operationsChanged(OperationChange)
        /// Indirect, since a failure is large.
        indirect case operationsFailed(Failure)
        case operationsLoading(Bool)
        /// Polling asks for the status only, since the activation is not active.
        indirect case pollingWaits(Failure)
        case pollingGoesOn
        /// The server's counter was ahead, by so many steps at least.
        case counterBehind(Int)
        /// With the number of the watcher.
        case operationsExpired(UInt, [WatchedOperation])
        case trace(TraceRecord)
        /// A request for the host to send.
        case request(HostExchange)
        /// A request that the host has taken has ended.
        case requestEnded(HostExchange)
    }

    /// The kind of event.
    public let content: Content
    /// The number of the client that the event is about; 0: none.
    public let client: UInt
    /// Milliseconds since the epoch when the event was queued.
    public let time: Int64
    /// The host's own tag, of a task whose completion it requested.
    public let tag: UInt64
    /// How many log lines and traces were dropped between the event before and this one.
    public fileprivate(set) var dropped: Int64 = 0

    init(_ content: Content, client: UInt, time: Int64, tag: UInt64 = 0) {
        self.content = content
        self.client = client
        self.time = time
        self.tag = tag
    }
}

extension Event.Content {
    fileprivate var kind: EventQueue.Kinds {
        switch self {
        case .task: .tasks
        case .stateStored: .state
        case .log: .log
        case .challenge: .challenges
        case .operationsChanged, .operationsFailed, .operationsLoading, .operationsExpired, .pollingWaits,
            .pollingGoesOn:
            .operations
        case .counterBehind: .counter
        case .trace: .trace
        case .request, .requestEnded: []
        }
    }
}

/// How much a log line matters.
public enum LogLevel: Int32, Sendable, Comparable {
    case off = 0
    case error = 1
    case warning = 2
    case info = 3
    case debug = 4

    /// Whether the one level matters more than the other: errors come first.
    public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
}

/// Events in the order in which they happened, each read exactly once, and a descriptor that is readable while one waits.
/// May be used from any thread.
public final class EventQueue: @unchecked Sendable {
    /// The kinds of events that are queued at all.
    public struct Kinds: OptionSet, Sendable {
        /// The bits, those of the C interface.
        public let rawValue: Int32
        /// From bits.
        public init(rawValue: Int32) { self.rawValue = rawValue }
        /// Tasks that completed.
        public static let tasks = Kinds(rawValue: 1)
        /// State that was stored.
        public static let state = Kinds(rawValue: 2)
        /// Lines of the log.
        public static let log = Kinds(rawValue: 4)
        /// News of operations.
        public static let operations = Kinds(rawValue: 8)
        /// Steps of requests.
        public static let trace = Kinds(rawValue: 16)
        /// Challenges that the host answers.
        public static let challenges = Kinds(rawValue: 32)
        /// Other holders of an activation's keys.
        public static let counter = Kinds(rawValue: 64)
    }

    /// Log lines and traces beyond this number of waiting events are dropped: a host that does not read them loses only those.
    package static let maximumWaitingWithLog = 10_000

    /// How many events wait, and how many were dropped since the queue was made.
    package struct Counts: Sendable {
        package var waiting = 0
        package var droppedLog: Int64 = 0
        package var droppedTrace: Int64 = 0
    }

    /// How a wait for an event ended.
    package enum Ending {
        case event(Event)
        case timedOut
        /// By `interrupt`.
        case interrupted
        case closed
    }

    package let kinds: Kinds
    private let signal: Int32
    private let lock = Lock()
    private let condition: Condition
    private var waiting: [Event] = []
    private var first = 0
    private var isClosed = false
    /// The host has asked for the descriptor: until then it is not kept up to date.
    private var isWatched = false
    private var interruptions: UInt64 = 0
    /// The thread that calls `wakeReaders` when it has pushed what it has.
    private var pusher: UInt?
    /// The number of its pushes since then. On that thread only.
    private var unannounced = 0
    private var dropped = Counts()
    /// Dropped since the last event that was queued.
    private var droppedNow: Int64 = 0

    package convenience init(kinds: Kinds) throws(Failure) {
        let descriptor = eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC))
        guard descriptor >= 0 else {
            throw Failure(.internal, Reason.internalError, "The system could not create a descriptor for events.")
        }
        self.init(kinds: kinds, descriptor: descriptor)
    }

    private init(kinds: Kinds, descriptor: Int32) {
        self.kinds = kinds
        signal = descriptor
        condition = Condition(lock)
    }

    deinit { _ = CSystem.close(signal) }

    /// Readable while an event waits.
    package var descriptor: Int32 {
        lock.withLock {
            if !isWatched, first < waiting.count { _ = eventfd_write(signal, 1) }
            isWatched = true
        }
        return signal
    }

    /// Drops queued events and accepts no more: no thread can read them any longer. (Challenges hold activations, which
    /// hold the runtime, which holds this queue.)
    package func close() {
        lock.withLock {
            isClosed = true
            waiting = []
            first = 0
            _ = eventfd_write(signal, 1)  // who watches it shall see that it is over
            condition.broadcast()
        }
    }

    /// Queues an event.
    ///
    /// - Parameter isAskedFor: the host wants this one, whatever kinds it wants otherwise
    package func push(_ event: Event, isAskedFor: Bool = false) {
        let kind = event.content.kind
        guard isAskedFor || kinds.contains(kind) else { return }
        var isAnnouncedLater = false
        let isQueued = lock.withLock {
            guard !isClosed else { return false }
            guard waiting.count - first < Self.maximumWaitingWithLog || !drops(kind) else { return false }
            if let pusher { isAnnouncedLater = pusher == mtoken_thread_current() }
            if isWatched, first == waiting.count { _ = eventfd_write(signal, 1) }
            var event = event
            event.dropped = droppedNow
            droppedNow = 0
            waiting.append(event)
            return true
        }
        guard isQueued else { return }
        // The woken thread finds the lock free.
        if isAnnouncedLater { unannounced += 1 } else { condition.signal() }
    }

    /// Wakes the threads that wait for events pushed by the calling thread. From the first call on, a push by this
    /// thread wakes no thread: a loop that handles many answers in a round wakes its host once.
    package func wakeReaders() {
        if unannounced > 1 {
            condition.broadcast()
        } else if unannounced == 1 {
            condition.signal()
        }
        unannounced = 0
        // Only this thread writes it.
        if pusher == nil { lock.withLock { pusher = mtoken_thread_current() } }
    }

    /// Counts an event that may be dropped as dropped. Under the lock.
    private func drops(_ kind: Kinds) -> Bool {
        if kind == .log {
            dropped.droppedLog += 1
        } else if kind == .trace {
            dropped.droppedTrace += 1
        } else {
            return false
        }
        droppedNow += 1
        return true
    }

    package var counts: Counts {
        lock.withLock {
            var counts = dropped
            counts.waiting = waiting.count - first
            return counts
        }
    }

    /// Ends all waits that are under way.
    func interrupt() {
        lock.withLock {
            interruptions &+= 1
            condition.broadcast()
        }
    }

    /// Takes the oldest event; waits for one as long as `milliseconds` says (nil: without limit).
    package func next(milliseconds: Int64?) -> Ending {
        lock.withLock {
            let begun = interruptions
            let isOver = condition.wait(milliseconds: milliseconds) {
                dropEnded()
                return first < waiting.count || isClosed || interruptions != begun
            }
            guard !isClosed else { return .closed }
            guard first < waiting.count else { return isOver ? .interrupted : .timedOut }
            return .event(takeFirst())
        }
    }

    /// Under the lock.
    private func takeFirst() -> Event {
        let event = waiting[first]
        first += 1
        if first == waiting.count {
            waiting.removeAll(keepingCapacity: true)
            first = 0
            var value: eventfd_t = 0
            if isWatched { _ = eventfd_read(signal, &value) }
        } else if first > 1024, first * 2 > waiting.count {
            waiting.removeFirst(first)
            first = 0
        }
        return event
    }

    /// Drops requests that have ended before the host has seen them: it would send them. Under the lock.
    private func dropEnded() {
        while first < waiting.count, case .request(let exchange) = waiting[first].content, !exchange.take() {
            _ = takeFirst()
        }
    }
}
