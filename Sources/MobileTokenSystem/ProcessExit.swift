// SPDX-License-Identifier: Apache-2.0
import CSystem

/// Stops the loop threads when the process calls `exit` while they run.
///
/// OpenSSL frees its global state in an exit handler of its own. A loop thread in the middle of a TLS handshake would
/// then use freed memory and crash a host that did nothing wrong. Exit handlers run in the reverse order of their
/// registration, so this one is registered again whenever such a library was initialised after it.
package enum ProcessExit {
    /// How long the exit handler waits in total for threads that are inside a callback of the host, in milliseconds.
    private static let patience: Int64 = 2_000

    /// This process's record of its loops. A child made by `fork` has none of its parent's, but it has the parent's
    /// exit handler.
    private final class Registry: @unchecked Sendable {
        let lock = Lock()
        // Guarded by the lock.
        var first: Unmanaged<Loop>?
        var isExiting = false
    }

    private static let registry = PerProcess { Registry() }
    // Guarded by the gate of `Fork`.
    nonisolated(unsafe) private static var isInstalled = false
    nonisolated(unsafe) private static var hasRun = false

    /// Enters a loop whose thread is about to start. False when the process is exiting.
    static func register(_ loop: Loop) -> Bool {
        install(again: false)
        let registry = registry.value
        return registry.lock.withLock {
            guard !registry.isExiting else { return false }
            loop.nextRegistered = registry.first
            loop.previousRegistered = nil
            registry.first?._withUnsafeGuaranteedRef { $0.previousRegistered = Unmanaged.passUnretained(loop) }
            registry.first = Unmanaged.passUnretained(loop)
            return true
        }
    }

    /// To be called when a library was initialised that frees its state at exit: the last registered handler runs
    /// first.
    package static func comesBeforeAllSoFar() { install(again: true) }

    private static func install(again: Bool) {
        Fork.holdingOff {
            guard again || !isInstalled else { return }
            isInstalled = true
            atexit { ProcessExit.stopAll() }
        }
    }

    /// Takes out a loop whose thread has ended.
    static func unregister(_ loop: Loop) {
        let registry = registry.value
        registry.lock.withLock {
            let next = loop.nextRegistered
            let previous = loop.previousRegistered
            next?._withUnsafeGuaranteedRef { $0.previousRegistered = previous }
            if let previous {
                previous._withUnsafeGuaranteedRef { $0.nextRegistered = next }
            } else if let head = registry.first, head.toOpaque() == Unmanaged.passUnretained(loop).toOpaque() {
                registry.first = next
            }
            loop.nextRegistered = nil
            loop.previousRegistered = nil
        }
    }

    private static func stopAll() {
        guard !hasRun else { return }
        hasRun = true
        let registry = registry.value
        var loops: [Loop] = []
        registry.lock.withLock {
            registry.isExiting = true
            var entry = registry.first
            while let current = entry {
                let loop = current.takeUnretainedValue()
                loops.append(loop)
                entry = loop.nextRegistered
            }
        }
        for loop in loops { loop.requestExit() }
        let deadline = TimeSource().monotonicMilliseconds() + patience
        for loop in loops { loop.joinForExit(deadline: deadline) }
        // Nothing may be freed now: the objects of the loops belong to threads that were stopped in the middle.
        for loop in loops { _ = Unmanaged.passRetained(loop) }
    }
}
