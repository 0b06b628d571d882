// The header documents these functions.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CMToken
import MobileToken
import MobileTokenHTTP

/// An event that a host holds, with what the host read from it.
final class HostEvent: @unchecked Sendable {
    let event: Event
    private let lock = Lock()
    private let arena = Arena(chunkSize: 256)
    private var change: UnsafePointer<mtoken_operations_change>?
    private var expired: UnsafePointer<mtoken_watched_list>?
    private var failure: UnsafePointer<mtoken_error>?
    private var trace: UnsafePointer<mtoken_trace>?
    let message: UnsafePointer<CChar>?
    /// Until the host takes it; with the event it counts as cancelled.
    private var challenge: HostChallenge?

    init(_ event: Event) {
        self.event = event
        if case .challenge(let content) = event.content { challenge = HostChallenge(content) }
        if case .log(_, let text) = event.content { message = arena.text(text) } else { message = nil }
    }

    func takeChallenge() -> HostChallenge? {
        lock.withLock {
            defer { challenge = nil }
            return challenge
        }
    }

    var hostChange: UnsafePointer<mtoken_operations_change>? {
        guard case .operationsChanged(let content) = event.content else { return nil }
        return lock.withLock {
            if change == nil { change = arena.put(content) }
            return change
        }
    }

    var hostExpired: UnsafePointer<mtoken_watched_list>? {
        guard case .operationsExpired(_, let items) = event.content else { return nil }
        return lock.withLock {
            if expired == nil { expired = arena.put(arena.list(items)) }
            return expired
        }
    }

    var hostTrace: UnsafePointer<mtoken_trace>? {
        guard case .trace(let record) = event.content else { return nil }
        return lock.withLock {
            if trace == nil { trace = arena.put(record) }
            return trace
        }
    }

    var hostError: UnsafePointer<mtoken_error>? {
        let error: Failure
        switch event.content {
        case .operationsFailed(let failure), .pollingWaits(let failure): error = failure
        default: return nil
        }
        return lock.withLock {
            if failure == nil { failure = arena.put(error) }
            return failure
        }
    }
}

@_cdecl("mtoken_event_get_kind") @implementation
public func mtoken_event_get_kind(_ event: OpaquePointer!) -> Int32 {
    switch Handles.events[event]?.event.content {
    case .task: MTOKEN_EVENT_TASK.rawValue
    case .stateStored: MTOKEN_EVENT_STATE_STORED.rawValue
    case .log: MTOKEN_EVENT_LOG.rawValue
    case .challenge: MTOKEN_EVENT_CHALLENGE.rawValue
    case .operationsChanged: MTOKEN_EVENT_OPERATIONS_CHANGED.rawValue
    case .operationsFailed: MTOKEN_EVENT_OPERATIONS_FAILED.rawValue
    case .operationsLoading: MTOKEN_EVENT_OPERATIONS_LOADING.rawValue
    case .operationsExpired: MTOKEN_EVENT_OPERATIONS_EXPIRED.rawValue
    case .trace: MTOKEN_EVENT_TRACE.rawValue
    case .pollingWaits: MTOKEN_EVENT_POLLING_WAITS.rawValue
    case .pollingGoesOn: MTOKEN_EVENT_POLLING_GOES_ON.rawValue
    case nil: 0
    }
}

@_cdecl("mtoken_event_client") @implementation
public func mtoken_event_client(_ event: OpaquePointer!) -> OpaquePointer! {
    OpaquePointer(bitPattern: Handles.events[event]?.event.client?.options.hostHandle ?? 0)
}

@_cdecl("mtoken_event_task") @implementation
public func mtoken_event_task(_ event: OpaquePointer!) -> OpaquePointer! {
    guard case .task(let task) = Handles.events[event]?.event.content else { return nil }
    return OpaquePointer(bitPattern: task.hostHandle)
}

@_cdecl("mtoken_event_log_level") @implementation
public func mtoken_event_log_level(_ event: OpaquePointer!) -> Int32 {
    guard case .log(let level, _) = Handles.events[event]?.event.content else { return MTOKEN_LOG_OFF.rawValue }
    return level.rawValue
}

@_cdecl("mtoken_event_message") @implementation
public func mtoken_event_message(_ event: OpaquePointer!) -> UnsafePointer<CChar>! { Handles.events[event]?.message }

@_cdecl("mtoken_event_time") @implementation
public func mtoken_event_time(_ event: OpaquePointer!) -> Int64 { Handles.events[event]?.event.time ?? 0 }

@_cdecl("mtoken_event_free") @implementation
public func mtoken_event_free(_ event: OpaquePointer!) { Handles.events.remove(event) }
