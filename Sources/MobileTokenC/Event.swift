// SPDX-License-Identifier: Apache-2.0
// The header documents these functions.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CMToken
import MobileToken

/// Counts an event that a host holds.
final class HeldEvent {
    private let mark = (try? Handles.events.reserve()) ?? 0

    deinit { Handles.events.remove(mark) }
}

/// An event for the host.
func give(_ event: Event) -> UnsafeMutablePointer<mtoken_event> {
    let arena = Arena(room: 384)
    arena.keep(HeldEvent())
    var told = mtoken_event()
    told.time = event.time
    told.client = OpaquePointer(bitPattern: event.client)
    told.tag = event.tag
    told.dropped = event.dropped
    switch event.content {
    case .task(let task):
        told.kind = MTOKEN_EVENT_TASK.rawValue
        told.task = OpaquePointer(bitPattern: task.number)
    case .stateStored(let version, let suite):
        told.kind = MTOKEN_EVENT_STATE_STORED.rawValue
        told.protocol_version = version.constant
        told.suite = suite?.rawValue ?? 0
    case .log(let level, let text):
        told.kind = MTOKEN_EVENT_LOG.rawValue
        told.log_level = level.rawValue
        told.message = arena.text(text)
    case .challenge(let challenge):
        told.kind = MTOKEN_EVENT_CHALLENGE.rawValue
        told.challenge = hold(HostChallenge(challenge))
    case .operationsChanged(let change):
        told.kind = MTOKEN_EVENT_OPERATIONS_CHANGED.rawValue
        told.change = arena.put(change)
    case .operationsFailed(let failure):
        told.kind = MTOKEN_EVENT_OPERATIONS_FAILED.rawValue
        told.error = arena.put(failure)
    case .operationsLoading(let isLoading):
        told.kind = MTOKEN_EVENT_OPERATIONS_LOADING.rawValue
        told.is_loading = isLoading ? 1 : 0
    case .operationsExpired(let watcher, let items):
        told.kind = MTOKEN_EVENT_OPERATIONS_EXPIRED.rawValue
        told.watcher = OpaquePointer(bitPattern: watcher)
        told.expired = arena.put(arena.list(items))
    case .trace(let record):
        told.kind = MTOKEN_EVENT_TRACE.rawValue
        told.trace = arena.put(record)
    case .pollingWaits(let failure):
        told.kind = MTOKEN_EVENT_POLLING_WAITS.rawValue
        told.error = arena.put(failure)
    case .request(let exchange):
        told.kind = MTOKEN_EVENT_REQUEST.rawValue
        told.request = arena.put(exchange)
    case .requestEnded(let exchange):
        told.kind = MTOKEN_EVENT_REQUEST_ENDED.rawValue
        told.request = arena.put(exchange)
    case .counterBehind(let steps):
        told.kind = MTOKEN_EVENT_COUNTER_BEHIND.rawValue
        told.steps = Int32(clamping: steps)
    case .pollingGoesOn: told.kind = MTOKEN_EVENT_POLLING_GOES_ON.rawValue
    }
    return arena.result(told)
}

@_cdecl("mtoken_event_take_challenge") @implementation
public func mtoken_event_take_challenge(_ event: UnsafeMutablePointer<mtoken_event>!) -> OpaquePointer! {
    guard let event else { return nil }
    defer { event.pointee.challenge = nil }
    return event.pointee.challenge
}

@_cdecl("mtoken_event_free") @implementation
public func mtoken_event_free(_ event: UnsafeMutablePointer<mtoken_event>!) {
    guard let event else { return }
    // Unless it was taken, the question counts as cancelled.
    Handles.challenges.remove(event.pointee.challenge)
    Arena.free(event)
}
