// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenSystem
import PowerAuth

/// Asks for the operations of a client again and again (operations.md §10): one timer on the runtime's loop, set anew at each
/// tick, so that ticks never pile up. Keeps its client alive until it is stopped or the client is closed.
final class OperationPolling: @unchecked Sendable {
    private let operations: Operations
    private let options: PollingOptions
    private let callOptions: CallOptions?
    /// Milliseconds.
    let interval: Int64
    // Guarded by the activation's lock.
    /// By the host.
    var isPaused = false
    /// The activation is not active: only its status is asked for, until it is.
    private(set) var isWaiting = false
    /// How often the status was asked for meanwhile.
    private var looks: Int64 = 0
    /// Fetches in a row that changed nothing.
    private var quiet: Int64 = 0
    /// Something has happened: until then there is no long wait. By the monotonic clock.
    private var hurriesUntil = Int64.min
    /// Where the client lives only.
    private var timer: LoopTimer?

    init(_ operations: Operations, options: PollingOptions, callOptions: CallOptions?) {
        self.operations = operations
        self.options = options
        self.callOptions = callOptions
        interval = options.effectiveInterval
    }

    private var activation: Activation { operations.activation }
    private var state: OperationsState { operations.state }
    private var time: TimeSource { activation.runtime.environment.time }

    /// Starts or resumes. On the client's lane.
    func begin(fetching: Bool) {
        guard activation.lock.withLock({ isActive }) else { return }
        arm()
        if fetching { fetch() }
    }

    /// Where the client lives.
    func disarm() {
        if let timer { activation.cancel(timer) }
        timer = nil
    }

    /// Under the activation's lock.
    private var isActive: Bool { state.polling === self && !isPaused }

    private func arm() {
        disarm()
        guard let pause = activation.lock.withLock({ pause() }) else { return }
        wait(until: time.monotonicMilliseconds() &+ pause, slept: slept)
    }

    /// Timers stop while the machine sleeps: adaptive polling checks often enough to notice that it has slept.
    private func wait(until due: Int64, slept before: Int64) {
        let left = due &- time.monotonicMilliseconds()
        let part = options.isAdaptive ? min(left, PollingOptions.minimumInterval) : left
        timer = activation.schedule(afterMilliseconds: part) { [self] in
            timer = nil
            let isDue = part == left || slept &- before >= PollingOptions.minimumSleep
            if isDue { begin(fetching: true) } else { wait(until: due, slept: before) }
        }
    }

    private var slept: Int64 { time.bootMilliseconds() &- time.monotonicMilliseconds() }

    /// A fetch has changed the operations, or not. Under the activation's lock.
    func fetched(_ change: OperationChange) {
        if change.added.isEmpty, change.removed.isEmpty, change.updated.isEmpty { quiet += 1 } else { stir() }
    }

    /// Something happens: more is likely. Under the activation's lock.
    func stir() {
        guard options.isAdaptive else { return }
        quiet = 0
        hurriesUntil = time.monotonicMilliseconds() &+ PollingOptions.hurry
        activation.post { [self] in begin(fetching: false) }
    }

    /// The server asks to be left alone for longer than until the next tick. Under the activation's lock.
    func putOff() { activation.post { [self] in begin(fetching: false) } }

    /// The host fetches again: the pauses start over. Under the activation's lock.
    func looksAgain() { looks = 0 }

    /// The known state of the activation has changed. Under the activation's lock.
    func noticed(_ serverState: ServerState) {
        guard state.polling === self else { return }
        if let failure = serverState.failure {
            guard !isWaiting else { return }
            isWaiting = true
            looks = 0
            activation.emit(.pollingWaits(failure))
            activation.post { [self] in begin(fetching: false) }
        } else if serverState == .active, isWaiting {
            isWaiting = false
            activation.emit(.pollingGoesOn)
            activation.post { [self] in begin(fetching: true) }
        }
    }

    /// A tick asks for nothing while a fetch is under way, or without an activation.
    private func fetch() {
        let run = activation.lock.withLock { () -> Run? in
            guard state.registry.fetches == 0, (try? activation.require(.activated)) != nil else { return nil }
            guard isWaiting else { return operations.wantedFetch(callOptions) }
            return operations.wantedLook(callOptions)
        }
        run?.start()
    }

    /// How long until the next tick, in milliseconds; nil: there is none. Under the activation's lock.
    private func pause() -> Int64? {
        if isWaiting {
            // A removed activation does not come back.
            guard activation.serverState != .removed else { return nil }
            looks += 1
            return min(interval << min(looks - 1, 10), max(interval, PollingOptions.longestLook))
        }
        var wait = interval
        if options.isAdaptive {
            wait =
                time.monotonicMilliseconds() < hurriesUntil
                ? PollingOptions.minimumInterval : interval << min(quiet / 8, 3)
        }
        if options.backsOff {
            // After the second failure in a row twice as long, and so on.
            wait <<= Int64(max(1, min(state.registry.failures, PollingOptions.maximumBackOff + 1)) - 1)
        }
        // The server asks to be left alone for so long.
        wait = max(wait, state.registry.lastFetch?.failure?.retryAfter ?? 0)
        guard options.jitterPercent > 0, let bytes = try? activation.runtime.environment.random.bytes(4) else {
            return wait
        }
        let share = bytes.reduce(Int64(0)) { $0 << 8 | Int64($1) }  // of 2^32
        let span = wait / 100 * Int64(options.jitterPercent)
        return max(PollingOptions.minimumInterval, wait - span + (span * 2 * (share >> 16)) >> 16)
    }
}

/// How operations are polled.
public struct PollingOptions: Sendable {
    /// Milliseconds.
    public static let defaultInterval: Int64 = 7_000
    /// Milliseconds; shorter values are raised to this.
    public static let minimumInterval: Int64 = 5_000
    /// Milliseconds; longer values are refused.
    public static let maximumInterval: Int64 = 86_400_000
    /// The wait grows eightfold at most.
    static let maximumBackOff: Int32 = 3
    /// How long polling hurries when something has happened. Milliseconds.
    static let hurry: Int64 = 60_000
    /// A longer gap counts as sleep of the machine. Milliseconds.
    static let minimumSleep: Int64 = 1_000
    /// While the activation is not active, its status is asked for at growing intervals, up to this one unless polling itself is
    /// rarer. Milliseconds.
    static let longestLook: Int64 = 300_000

    /// Milliseconds between two fetches; nil: the default.
    public var interval: Int64?
    /// The first fetch comes after one interval, not at once.
    public var delaysStart = false
    /// Pushes tell of new operations too: the interval is doubled.
    public var hasPush = false
    /// The wait grows while fetches fail.
    public var backsOff = false
    /// Each wait differs from the interval by so much at most: clients that began together spread. 0 to 50.
    public var jitterPercent: Int32 = 0
    /// The wait grows while nothing changes, shrinks when something has happened, and ends when the machine wakes.
    public var isAdaptive = false

    /// The defaults.
    public init() {}

    /// At least the minimum.
    package var effectiveInterval: Int64 {
        max(interval ?? Self.defaultInterval, Self.minimumInterval) * (hasPush ? 2 : 1)
    }
}

/// Polling.
extension Operations {
    /// Starts polling; does nothing while polling is on or paused. Needs an activation.
    public func startPolling(_ options: PollingOptions, callOptions: CallOptions? = nil) throws(Failure) {
        guard !activation.runtime.isStopped else { throw .state("The runtime was freed.") }
        if let interval = options.interval {
            guard (0...PollingOptions.maximumInterval).contains(interval) else {
                throw .argument("The polling interval must be 0 to 86400000 milliseconds.")
            }
            if interval < PollingOptions.minimumInterval {
                activation.log(.warning, "The polling interval is too short: using 5 seconds.")
            }
        }
        guard (0...50).contains(options.jitterPercent) else { throw .argument("The jitter must be 0 to 50 percent.") }
        let started = try activation.lock.withLock { () throws(Failure) -> OperationPolling? in
            try activation.require(.activated)
            guard state.polling == nil else { return nil }
            let made = OperationPolling(self, options: options, callOptions: callOptions)
            state.polling = made
            made.noticed(activation.serverState)
            return made
        }
        guard let started else { return }
        activation.post { started.begin(fetching: !options.delaysStart) }
    }

    /// Stops polling, even if paused. A fetch in progress continues.
    public func stopPolling() {
        let stopped = activation.lock.withLock {
            defer { state.polling = nil }
            return state.polling
        }
        guard let stopped else { return }
        activation.post { stopped.disarm() }
    }

    /// Pauses polling, e.g. while the list is not visible. Polling stays started.
    public func pausePolling() {
        let paused = activation.lock.withLock { () -> OperationPolling? in
            guard let polling = state.polling, !polling.isPaused else { return nil }
            polling.isPaused = true
            return polling
        }
        guard let paused else { return }
        activation.post { paused.disarm() }
    }

    /// Fetches immediately and resumes polling. Does nothing unless polling is paused.
    public func resumePolling() {
        let resumed = activation.lock.withLock { () -> OperationPolling? in
            guard let polling = state.polling, polling.isPaused else { return nil }
            polling.isPaused = false
            polling.looksAgain()
            return polling
        }
        guard let resumed else { return }
        activation.post { resumed.begin(fetching: true) }
    }
}
