// SPDX-License-Identifier: Apache-2.0
// The header documents these functions.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CMToken
import MobileToken
import MobileTokenCrypto
import MobileTokenModel
import MobileTokenSystem
import PowerAuth

/// A task that a host holds, with what the host read from it.
final class HostTask: @unchecked Sendable {
    /// The results that a host reads from a task: at most one of each kind.
    enum Part: Int {
        case result, error, claims, outcome
    }

    let task: CallTask
    private let lock = Lock()
    // Guarded by the lock.
    private var userData: UnsafeMutableRawPointer?
    private var arena: Arena?
    private var parts = InlineArray<4, UnsafeRawPointer?>(repeating: nil)

    init(_ task: CallTask) { self.task = task }

    deinit {
        task.release()
        arena?.free()
    }

    var hostData: UnsafeMutableRawPointer? {
        get { lock.withLock { userData } }
        set { lock.withLock { userData = newValue } }
    }

    /// A part in the form of the interface, which is made when it is first asked for and lives as long as the task.
    func part<T>(_ part: Part, _ make: (Arena) -> UnsafePointer<T>) -> UnsafePointer<T> {
        self.part(part) { UnsafeRawPointer(make($0)) }.assumingMemoryBound(to: T.self)
    }

    /// Not generic, since it is in every getter.
    @inline(never)
    private func part(_ part: Part, _ make: (Arena) -> UnsafeRawPointer) -> UnsafeRawPointer {
        lock.withLock {
            if let known = parts[part.rawValue] { return known }
            let arena = self.arena ?? Arena()
            self.arena = arena
            let made = make(arena)
            parts[part.rawValue] = made
            return made
        }
    }
}

/// The result of a task that succeeded, where it is of the kind that is asked for.
func result<Value, T>(
    of handle: OpaquePointer?, _ value: (CallResult) -> Value?, _ put: (Arena, Value) -> UnsafePointer<T>
) -> UnsafePointer<T>? {
    guard let held = Handles.tasks[handle], let result = held.task.result, let value = value(result) else { return nil }
    return held.part(.result) { put($0, value) }
}

@_cdecl("mtoken_task_wait") @implementation
public func mtoken_task_wait(_ task: OpaquePointer!, _ timeout_ms: Int64) -> mtoken_status {
    guard let held = Handles.tasks[task] else { return unusable(task) }
    var limit: Int64?
    do throws(Failure) {
        limit = try timeLimit(timeout_ms)
    } catch {
        return MTOKEN_ERROR_ARGUMENT.rawValue
    }
    return switch held.task.join(milliseconds: limit) {
    case .completed: MTOKEN_OK.rawValue
    case .timedOut: MTOKEN_ERROR_TIMEOUT.rawValue
    case .interrupted: MTOKEN_ERROR_CANCELLED.rawValue
    case .insideHostFunction: MTOKEN_ERROR_STATE.rawValue
    }
}

@_cdecl("mtoken_task_join") @implementation
public func mtoken_task_join(
    _ task: OpaquePointer!, _ timeout_ms: Int64,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let held = try Handles.tasks.find(task, "task").task
        switch held.join(milliseconds: try timeLimit(timeout_ms, outcome: .unknown)) {
        case .completed: if let failure = held.failure { throw failure }
        // Of the request nothing is known yet.
        case .timedOut: throw .waitTimeout("The task is still running.", outcome: .unknown)
        case .interrupted: throw .interrupted(outcome: .unknown)
        case .insideHostFunction: throw .insideHostFunction(outcome: .unknown)
        }
    }
}

@_cdecl("mtoken_task_notify") @implementation
public func mtoken_task_notify(
    _ task: OpaquePointer!, _ tag: UInt64, _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in try Handles.tasks.find(task, "task").task.notify(tag: tag) }
}

@_cdecl("mtoken_task_get_state") @implementation
public func mtoken_task_get_state(_ task: OpaquePointer!) -> Int32 { Handles.tasks[task]?.task.state.rawValue ?? -1 }

@_cdecl("mtoken_task_result") @implementation
public func mtoken_task_result(_ task: OpaquePointer!) -> mtoken_status {
    guard let held = Handles.tasks[task]?.task else { return unusable(task) }
    if held.state == .running { return MTOKEN_ERROR_STATE.rawValue }
    return held.failure?.code.rawValue ?? MTOKEN_OK.rawValue
}

@_cdecl("mtoken_task_error") @implementation
public func mtoken_task_error(_ task: OpaquePointer!) -> UnsafePointer<mtoken_error>! {
    guard let held = Handles.tasks[task], let failure = held.task.failure else { return nil }
    return held.part(.error) { $0.put(failure) }
}

@_cdecl("mtoken_task_cancel") @implementation
public func mtoken_task_cancel(_ task: OpaquePointer!) -> mtoken_status {
    guard let held = Handles.tasks[task] else { return unusable(task) }
    held.task.cancel()
    return MTOKEN_OK.rawValue
}

@_cdecl("mtoken_task_set_user_data") @implementation
public func mtoken_task_set_user_data(_ task: OpaquePointer!, _ user_data: UnsafeMutableRawPointer!) -> mtoken_status {
    guard let held = Handles.tasks[task] else { return unusable(task) }
    held.hostData = user_data
    return MTOKEN_OK.rawValue
}

@_cdecl("mtoken_task_user_data") @implementation
public func mtoken_task_user_data(_ task: OpaquePointer!) -> UnsafeMutableRawPointer! { Handles.tasks[task]?.hostData }

@_cdecl("mtoken_task_free") @implementation
public func mtoken_task_free(_ task: OpaquePointer!) { Handles.tasks.remove(task) }
