// SPDX-License-Identifier: Apache-2.0
import MobileTokenModel
import MobileTokenSystem
import PowerAuth

/// Watches operations and reports those that have expired, by an event (operations.md §14). One timer, on the runtime's
/// loop, always reset while it watches any item. May be used from any thread.
package final class ExpirationWatcher: @unchecked Sendable {
    /// A look at the clock comes no sooner than this after the last one.
    private static let shortestWait: Int64 = 5_000
    /// And no later than this: a clock that was set, or a device that slept, is noticed.
    private static let longestWait: Int64 = 60_000
    /// An item that expires now is checked a little later, when it has expired.
    private static let margin: Int64 = 100

    private let activation: Activation
    /// The watcher's number in events.
    package let number: UInt
    private let lock = Lock()
    private var watched: [WatchedOperation] = []
    private var clockOffset: Int64?
    /// Where the client lives only.
    private var timer: LoopTimer?

    init(_ activation: Activation, number: UInt) {
        self.activation = activation
        self.number = number
    }

    /// The watched items.
    package var list: [WatchedOperation] { lock.withLock { watched } }

    /// Replaces the clock: the device's, and so many milliseconds; nil: the server's time, where it is known.
    package func setClock(offset: Int64?) {
        lock.withLock { clockOffset = offset }
        rearm()
    }

    /// Adds items. Skips those already watched (same id, data and expiry); reports those already expired like all
    /// others.
    @discardableResult
    package func add(_ operations: [WatchedOperation]) -> [WatchedOperation] {
        guard !operations.isEmpty else { return list }
        let now = now
        if operations.contains(where: { $0.expires < now }) {
            activation.log(.warning, "An operation to watch has already expired.")
        }
        let result = lock.withLock {
            for operation in operations where !watched.contains(operation) { watched.append(operation) }
            return watched
        }
        rearm()
        return result
    }

    @discardableResult
    package func remove(_ operations: [WatchedOperation]) -> [WatchedOperation] {
        let result = lock.withLock {
            watched.removeAll { operations.contains($0) }
            return watched
        }
        rearm()
        return result
    }

    package func removeAll() {
        lock.withLock { watched = [] }
        rearm()
    }

    private var now: Int64 {
        let device = activation.runtime.now
        guard let offset = lock.withLock({ clockOffset }) else {
            return activation.lock.withLock { activation.time.now(device) }
        }
        let (sum, overflow) = device.addingReportingOverflow(offset)
        return overflow ? device : sum
    }

    private func rearm() { activation.post { [self] in arm() } }

    /// Sets the timer, unless one that is due sooner is set: adding again and again must not put the look off.
    private func arm() {
        guard let earliest = lock.withLock({ watched.map { $0.expires }.min() }) else {
            if let timer { activation.cancel(timer) }
            timer = nil
            return
        }
        let (left, overflow) = earliest.subtractingReportingOverflow(now)
        let most = overflow ? (earliest < 0 ? 0 : Self.longestWait) : min(left, Self.longestWait)
        let wait = max(Self.shortestWait, most) + Self.margin
        if let timer {
            guard wait < timer.deadline - activation.runtime.environment.time.monotonicMilliseconds() else { return }
            activation.cancel(timer)
        }
        timer = activation.schedule(afterMilliseconds: wait) { [self] in
            timer = nil
            report()
            arm()
        }
    }

    private func report() {
        let now = now
        let expired = lock.withLock {
            let expired = watched.filter { $0.expires < now }
            if !expired.isEmpty { watched.removeAll { $0.expires < now } }
            return expired
        }
        guard !expired.isEmpty else { return }
        activation.emit(.operationsExpired(number, expired))
    }
}

extension Operations {
    /// A watcher of what expires, by the server's time where it is known.
    ///
    /// - Parameter number: what its events call it
    package func watcher(number: UInt = 0) -> ExpirationWatcher { ExpirationWatcher(activation, number: number) }
}
