import CSystem

/// Stops the loop threads when the process calls `exit` while they run.
///
/// OpenSSL frees its global state in an exit handler of its own. A loop thread in the middle of a TLS handshake would
/// then use freed memory and crash a host that did nothing wrong. Exit handlers run in the reverse order of their
/// registration, so this one is registered after OpenSSL was initialised, and runs before.
enum ProcessExit {
    /// How long the exit handler waits in total for threads that are inside a callback of the host, in milliseconds.
    private static let patience: Int64 = 2_000

    private static let lock = Lock()
    nonisolated(unsafe) private static var first: Unmanaged<Loop>?
    nonisolated(unsafe) private static var isInstalled = false
    /// The process that installed the handler. One made by `fork` has no loop threads, and perhaps a lock that nobody
    /// will release.
    nonisolated(unsafe) private static var process: pid_t = 0
    nonisolated(unsafe) private static var isExiting = false

    /// Enters a loop whose thread is about to start. False when the process is exiting.
    static func register(_ loop: Loop) -> Bool {
        CurlGlobal.initialize()
        return lock.withLock {
            guard !isExiting else { return false }
            if !isInstalled {
                isInstalled = true
                process = getpid()
                atexit { ProcessExit.stopAll() }
            }
            loop.nextRegistered = first
            loop.previousRegistered = nil
            first?._withUnsafeGuaranteedRef { $0.previousRegistered = Unmanaged.passUnretained(loop) }
            first = Unmanaged.passUnretained(loop)
            return true
        }
    }

    /// Takes out a loop whose thread has ended.
    static func unregister(_ loop: Loop) {
        lock.withLock {
            let next = loop.nextRegistered
            let previous = loop.previousRegistered
            next?._withUnsafeGuaranteedRef { $0.previousRegistered = previous }
            if let previous {
                previous._withUnsafeGuaranteedRef { $0.nextRegistered = next }
            } else if let head = first, head.toOpaque() == Unmanaged.passUnretained(loop).toOpaque() {
                first = next
            }
            loop.nextRegistered = nil
            loop.previousRegistered = nil
        }
    }

    private static func stopAll() {
        guard getpid() == process else { return }
        var loops: [Loop] = []
        lock.withLock {
            isExiting = true
            var entry = first
            while let current = entry {
                let loop = current.takeUnretainedValue()
                loops.append(loop)
                entry = loop.nextRegistered
            }
        }
        for loop in loops { loop.requestExit() }
        let deadline = TimeSource().monotonicMilliseconds() + patience
        for loop in loops { loop.joinForExit(deadline: deadline) }
        // Nothing may be freed now: what the loops hold belongs to threads that were stopped in the middle.
        for loop in loops { _ = Unmanaged.passRetained(loop) }
    }
}
