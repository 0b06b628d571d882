// SPDX-License-Identifier: Apache-2.0
// The header documents these functions.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CMToken
import MobileToken

@_cdecl("mtoken_runtime_new") @implementation
public func mtoken_runtime_new(
    _ options: UnsafePointer<mtoken_runtime_options>!, _ out_runtime: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_runtime, "out_runtime")
        out.pointee = try makeRuntime(options, environment: .system)
    }
}

/// Makes a runtime from a host's options.
package func makeRuntime(
    _ pointer: UnsafePointer<mtoken_runtime_options>?, environment: Environment
) throws(Failure) -> OpaquePointer? {
    var runtimeOptions = Runtime.Options()
    if let pointer {
        let options = try Input.options(pointer, "options")
        guard let level = LogLevel(rawValue: options.log_level) else { throw .argument("log_level is unknown.") }
        guard (0...4096).contains(options.max_transfers) else { throw .argument("max_transfers must be 0 to 4096.") }
        guard options.reserved == 0 else { throw .argument("reserved must be 0.") }
        guard options.events >= 0 else { throw .argument("events must not be negative.") }
        runtimeOptions.events = EventQueue.Kinds(rawValue: options.events)
        runtimeOptions.logLevel = level
        if options.max_transfers > 0 { runtimeOptions.maximumTransfers = Int(options.max_transfers) }
    }
    return try Handles.runtimes.hold { (_) throws(Failure) in
        try Runtime(options: runtimeOptions, environment: environment)
    }
}

@_cdecl("mtoken_runtime_free") @implementation
public func mtoken_runtime_free(_ runtime: OpaquePointer!) {
    Handles.runtimes.remove(runtime)?.stop()
}

@_cdecl("mtoken_runtime_next_event") @implementation
public func mtoken_runtime_next_event(
    _ runtime: OpaquePointer!, _ timeout_ms: Int64,
    _ out_event: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_event>?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_event, "out_event")
        let runtime = try Handles.runtimes.find(runtime, "runtime")
        let limit = try timeLimit(timeout_ms)
        switch runtime.events.next(milliseconds: limit) {
        case .event(let event): out.pointee = give(event)
        case .timedOut: throw .waitTimeout("No event came before the timeout.")
        case .interrupted: throw .interrupted()
        case .closed: throw .state("The runtime was freed.")
        }
    }
}

@_cdecl("mtoken_runtime_interrupt") @implementation
public func mtoken_runtime_interrupt(
    _ runtime: OpaquePointer!, _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in try Handles.runtimes.find(runtime, "runtime").interrupt() }
}

@_cdecl("mtoken_runtime_get_info") @implementation
public func mtoken_runtime_get_info(
    _ runtime: OpaquePointer!, _ out_info: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_runtime_info>?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_info, "out_info")
        let load = try Handles.runtimes.find(runtime, "runtime").load
        out.pointee = Arena(room: 128).result(
            mtoken_runtime_info(
                requests_under_way: load.requestsUnderWay, requests_waiting: load.requestsWaiting,
                events_waiting: load.events.waiting, tasks_running: load.tasks, clients: load.clients,
                pollers: load.pollers, dropped_log_events: load.events.droppedLog,
                dropped_trace_events: load.events.droppedTrace))
    }
}

@_cdecl("mtoken_runtime_info_free") @implementation
public func mtoken_runtime_info_free(_ info: UnsafeMutablePointer<mtoken_runtime_info>!) { Arena.free(info) }

@_cdecl("mtoken_runtime_fd") @implementation
public func mtoken_runtime_fd(_ runtime: OpaquePointer!) -> Int32 {
    Handles.runtimes[runtime]?.events.descriptor ?? -1
}

/// A host's time span: nil is without limit.
package func timeLimit(_ milliseconds: Int64, outcome: Failure.Outcome = .notSent) throws(Failure) -> Int64? {
    guard milliseconds >= -1 else {
        throw Failure(.argument, Reason.invalidArgument, "timeout_ms must not be negative.", outcome: outcome)
    }
    return milliseconds == Int64(MTOKEN_FOREVER) ? nil : milliseconds
}
