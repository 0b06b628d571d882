// The header documents these functions.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CMToken
import MobileToken
import MobileTokenHTTP

/// An event that a host holds.
final class HostEvent {
    let event: Event
    private let arena = Arena(chunkSize: 256)
    let message: UnsafePointer<CChar>?

    init(_ event: Event) {
        self.event = event
        if case .log(_, let text) = event.content { message = arena.text(text) } else { message = nil }
    }
}

@_cdecl("mtoken_event_kind") @implementation
public func mtoken_event_kind(_ event: OpaquePointer!) -> Int32 {
    switch Handles.events[event]?.event.content {
    case .task: MTOKEN_EVENT_TASK
    case .stateStored: MTOKEN_EVENT_STATE_STORED
    case .log: MTOKEN_EVENT_LOG
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
    guard case .log(let level, _) = Handles.events[event]?.event.content else { return MTOKEN_LOG_OFF }
    return level.rawValue
}

@_cdecl("mtoken_event_message") @implementation
public func mtoken_event_message(_ event: OpaquePointer!) -> UnsafePointer<CChar>! { Handles.events[event]?.message }

@_cdecl("mtoken_event_time") @implementation
public func mtoken_event_time(_ event: OpaquePointer!) -> Int64 { Handles.events[event]?.event.time ?? 0 }

@_cdecl("mtoken_event_free") @implementation
public func mtoken_event_free(_ event: OpaquePointer!) { Handles.events.remove(event) }
