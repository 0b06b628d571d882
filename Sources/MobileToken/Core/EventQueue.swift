import CSystem
import MobileTokenHTTP

/// Something that happened, for the host to read.
package struct Event: Sendable {
    package enum Content: Sendable {
        case task(CallTask)
        case stateStored
        case log(LogLevel, String)
        case challenge(Challenge)
        case operationsChanged(OperationChange)
        /// Indirect, since a failure is large.
        indirect case operationsFailed(Failure)
        case operationsLoading(Bool)
        /// Polling asks for the status only, since the activation is not active.
        indirect case pollingWaits(Failure)
        case pollingGoesOn
        case operationsExpired(ExpirationWatcher, [WatchedOperation])
        case trace(TraceRecord)
    }

    package let content: Content
    /// The client that the event is about.
    package let client: Client?
    /// Milliseconds since the epoch when the event was queued.
    package let time: Int64
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
        case .trace: .trace
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
package final class EventQueue: @unchecked Sendable {
    /// The kinds of events that are queued at all.
    package struct Kinds: OptionSet, Sendable {
        package let rawValue: Int32
        package init(rawValue: Int32) { self.rawValue = rawValue }
        package static let tasks = Kinds(rawValue: 1)
        package static let state = Kinds(rawValue: 2)
        package static let log = Kinds(rawValue: 4)
        package static let challenges = Kinds(rawValue: 64)
        package static let operations = Kinds(rawValue: 8)
        package static let trace = Kinds(rawValue: 16)
    }

    /// Log lines and traces beyond this number of waiting events are dropped: a host that does not read them loses only those.
    private static let maximumWaitingWithLog = 10_000

    package let kinds: Kinds
    /// Readable while an event waits.
    package let descriptor: Int32
    private let lock = Lock()
    private let condition: Condition
    private var waiting: [Event] = []
    private var first = 0
    private var isClosed = false

    package convenience init(kinds: Kinds) throws(Failure) {
        let descriptor = eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC))
        guard descriptor >= 0 else {
            throw Failure(.internal, Reason.internalError, "No descriptor can be had for the runtime's events.")
        }
        self.init(kinds: kinds, descriptor: descriptor)
    }

    private init(kinds: Kinds, descriptor: Int32) {
        self.kinds = kinds
        self.descriptor = descriptor
        condition = Condition(lock)
    }

    deinit { _ = CSystem.close(descriptor) }

    /// Drops what waits and takes no more: nobody can read it any longer. (Events hold clients, which hold the runtime, which
    /// holds this queue.)
    package func close() {
        lock.withLock {
            isClosed = true
            waiting = []
            first = 0
            condition.broadcast()
        }
    }

    package func push(_ event: Event) {
        let kind = event.content.kind
        guard kinds.contains(kind) else { return }
        lock.withLock {
            guard !isClosed else { return }
            let mayBeDropped = kind == .log || kind == .trace
            if mayBeDropped, waiting.count - first >= Self.maximumWaitingWithLog { return }
            if first == waiting.count { _ = eventfd_write(descriptor, 1) }
            waiting.append(event)
            condition.signal()
        }
    }

    /// Takes the oldest event; waits for one as long as `milliseconds` says (nil: without limit).
    package func next(milliseconds: Int64?) -> Event? {
        lock.withLock {
            guard condition.wait(milliseconds: milliseconds, until: { first < waiting.count || isClosed }), !isClosed
            else { return nil }
            let event = waiting[first]
            first += 1
            if first == waiting.count {
                waiting.removeAll(keepingCapacity: true)
                first = 0
                var value: eventfd_t = 0
                _ = eventfd_read(descriptor, &value)
            } else if first > 1024, first * 2 > waiting.count {
                waiting.removeFirst(first)
                first = 0
            }
            return event
        }
    }
}
