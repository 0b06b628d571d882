// The header documents these functions.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CMToken
import CSystem
import MobileToken
import MobileTokenCrypto
import MobileTokenModel
import MobileTokenSystem
import PowerAuth

/// A task that a host holds, with what the host read from it.
final class HostTask: @unchecked Sendable {
    let task: CallTask
    private let lock = Lock()
    private var userData: UnsafeMutableRawPointer?
    private var error: UnsafeMutablePointer<mtoken_error>?
    private var result = HostResult.notRead
    private var outcome: UnsafePointer<mtoken_mobile_auth_outcome>?
    private var outcomeArena: Arena?
    private var claims: (UnsafePointer<mtoken_user_info>, Arena)?

    /// A result in the form of the interface, made when it is first asked for.
    private enum HostResult {
        case notRead
        case none
        case activation(UnsafePointer<mtoken_activation>, Arena)
        case status(UnsafePointer<mtoken_activation_status>, Arena)
        case detail(UnsafePointer<mtoken_activation_detail>, Arena)
        case operations(UnsafePointer<mtoken_operation_list>, Arena)
        case operation(UnsafePointer<mtoken_operation>, Arena)
        case oidcConfig(UnsafePointer<mtoken_oidc_config>, Arena)
        case oidcAttributes(UnsafePointer<mtoken_oidc_attributes>, Arena)
        case data(UnsafePointer<mtoken_bytes>, Arena)
        case recovery(UnsafePointer<mtoken_recovery>, Arena)
        case encrypted(UnsafePointer<mtoken_encrypted_request>, Arena)
        case header(UnsafePointer<mtoken_header>, Arena)
        case inboxList(UnsafePointer<mtoken_inbox_list>, Arena)
        case inboxMessage(UnsafePointer<mtoken_inbox_message>, Arena)
        case mobileAuthList(UnsafePointer<mtoken_mobile_auth_list>, Arena)
    }

    init(_ task: CallTask) { self.task = task }

    deinit {
        task.release()
        free(error)
    }

    var hostData: UnsafeMutableRawPointer? {
        get { lock.withLock { userData } }
        set { lock.withLock { userData = newValue } }
    }

    var hostError: UnsafePointer<mtoken_error>? {
        guard let failure = task.failure else { return nil }
        return lock.withLock {
            if error == nil { error = errorBlock(failure) }
            return UnsafePointer(error)
        }
    }

    private var hostResult: HostResult {
        guard let value = task.result else { return .none }
        return lock.withLock {
            if case .notRead = result {
                let arena = Arena()
                switch value {
                case .none: result = .none
                case .activation(let activation): result = .activation(arena.put(activation), arena)
                case .status(let status): result = .status(arena.put(status), arena)
                case .activationDetail(let detail): result = .detail(arena.put(detail), arena)
                case .operations(let list): result = .operations(arena.put(list), arena)
                case .operation(let operation): result = .operation(arena.put(operation), arena)
                case .oidcConfiguration(let configuration): result = .oidcConfig(arena.put(configuration), arena)
                case .oidcAttributes(let attributes): result = .oidcAttributes(arena.put(attributes), arena)
                case .data(let data): result = .data(arena.put(data), arena)
                case .recovery(let recovery): result = .recovery(arena.put(recovery), arena)
                case .encrypted(let request): result = .encrypted(arena.put(request), arena)
                case .tokenHeader(let value): result = .header(arena.put(tokenHeader: value), arena)
                case .flag, .userInfo: result = .none
                case .inboxPage(let page): result = .inboxList(arena.put(page), arena)
                case .inboxMessage(let message): result = .inboxMessage(arena.put(message), arena)
                case .mobileAuthRequests(let list): result = .mobileAuthList(arena.put(list), arena)
                case .count: result = .none
                }
            }
            return result
        }
    }

    var activation: UnsafePointer<mtoken_activation>? {
        if case .activation(let pointer, _) = hostResult { pointer } else { nil }
    }

    var status: UnsafePointer<mtoken_activation_status>? {
        if case .status(let pointer, _) = hostResult { pointer } else { nil }
    }

    var detail: UnsafePointer<mtoken_activation_detail>? {
        if case .detail(let pointer, _) = hostResult { pointer } else { nil }
    }

    var operations: UnsafePointer<mtoken_operation_list>? {
        if case .operations(let pointer, _) = hostResult { pointer } else { nil }
    }

    var oidcConfig: UnsafePointer<mtoken_oidc_config>? {
        if case .oidcConfig(let pointer, _) = hostResult { pointer } else { nil }
    }

    var oidcAttributes: UnsafePointer<mtoken_oidc_attributes>? {
        if case .oidcAttributes(let pointer, _) = hostResult { pointer } else { nil }
    }

    var operation: UnsafePointer<mtoken_operation>? {
        if case .operation(let pointer, _) = hostResult { pointer } else { nil }
    }

    var data: UnsafePointer<mtoken_bytes>? {
        if case .data(let pointer, _) = hostResult { pointer } else { nil }
    }

    var recovery: UnsafePointer<mtoken_recovery>? {
        if case .recovery(let pointer, _) = hostResult { pointer } else { nil }
    }

    var encryptedRequest: UnsafePointer<mtoken_encrypted_request>? {
        if case .encrypted(let pointer, _) = hostResult { pointer } else { nil }
    }

    var header: UnsafePointer<mtoken_header>? {
        if case .header(let pointer, _) = hostResult { pointer } else { nil }
    }

    /// The claims that the call brought, alone or with an activation.
    var userInfo: UnsafePointer<mtoken_user_info>? {
        let info: UserInfo?
        switch task.result {
        case .userInfo(let claims): info = claims
        case .activation(let activation): info = activation.userInfo.flatMap { UserInfo(json: $0) }
        default: info = nil
        }
        guard let info else { return nil }
        return lock.withLock {
            if claims == nil {
                let arena = Arena()
                claims = (arena.put(info), arena)
            }
            return claims?.0
        }
    }

    var inboxList: UnsafePointer<mtoken_inbox_list>? {
        if case .inboxList(let pointer, _) = hostResult { pointer } else { nil }
    }

    var mobileAuthList: UnsafePointer<mtoken_mobile_auth_list>? {
        if case .mobileAuthList(let pointer, _) = hostResult { pointer } else { nil }
    }

    /// How the handling of a request ended, well or not.
    var mobileAuthOutcome: UnsafePointer<mtoken_mobile_auth_outcome>? {
        guard let progress = task.mobileAuth, task.state != .running else { return nil }
        return lock.withLock {
            if let outcome { return outcome }
            let arena = Arena()
            let made = arena.put(progress.value)
            (outcome, outcomeArena) = (made, arena)
            return made
        }
    }

    var inboxMessage: UnsafePointer<mtoken_inbox_message>? {
        if case .inboxMessage(let pointer, _) = hostResult { pointer } else { nil }
    }
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
    }
}

@_cdecl("mtoken_task_join") @implementation
public func mtoken_task_join(
    _ task: OpaquePointer!, _ timeout_ms: Int64,
    _ out_error: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_error>?>!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let held = try Handles.tasks.find(task, "task").task
        switch held.join(milliseconds: try timeLimit(timeout_ms)) {
        case .completed: if let failure = held.failure { throw failure }
        // Of the request nothing is known yet.
        case .timedOut: throw .waitTimeout("The task is still running.", outcome: .unknown)
        case .interrupted: throw .interrupted(outcome: .unknown)
        }
    }
}

@_cdecl("mtoken_task_notify") @implementation
public func mtoken_task_notify(
    _ task: OpaquePointer!, _ tag: UInt64, _ out_error: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_error>?>!
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
public func mtoken_task_error(_ task: OpaquePointer!) -> UnsafePointer<mtoken_error>! { Handles.tasks[task]?.hostError }

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
