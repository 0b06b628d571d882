// SPDX-License-Identifier: Apache-2.0
// The header documents these functions.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CMToken
import MobileToken
import MobileTokenModel

@_cdecl("mtoken_operations_refresh") @implementation
public func mtoken_operations_refresh(
    _ client_: OpaquePointer!, _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try client(client_).operations.refresh(options: Handles.callOptions(client_))
    }
}

@_cdecl("mtoken_operations_is_loading") @implementation
public func mtoken_operations_is_loading(_ client: OpaquePointer!) -> Int32 {
    Handles.client(client).map { $0.operations.isLoading ? 1 : 0 } ?? -1
}

@_cdecl("mtoken_operations_get_info") @implementation
public func mtoken_operations_get_info(
    _ client_: OpaquePointer!, _ out_known: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_operations_info>?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_known, "out_known")
        let known = try client(client_).operations.known
        let arena = Arena()
        var result = mtoken_operations_info()
        result.count = known.operations.count
        result.operations = arena.pointers(known.operations) { arena.put($0) }
        result.is_loading = known.isLoading ? 1 : 0
        if let fetch = known.lastFetch {
            result.last_fetch = fetch.failure == nil ? MTOKEN_FETCH_SUCCEEDED.rawValue : MTOKEN_FETCH_FAILED.rawValue
            result.last_fetch_time = fetch.time
            result.last_error = fetch.failure.map { arena.put($0) }
            result.skipped_count = fetch.skipped
            result.has_server_time = fetch.serverTime == nil ? 0 : 1
            result.server_time = fetch.serverTime ?? 0
            result.may_be_cut = fetch.mayBeCut ? 1 : 0
        }
        result.polling = known.polling.rawValue
        result.polling_interval_ms = known.pollingInterval
        out.pointee = arena.result(result)
    }
}

@_cdecl("mtoken_operations_info_free") @implementation
public func mtoken_operations_info_free(_ known: UnsafeMutablePointer<mtoken_operations_info>!) { Arena.free(known) }

@_cdecl("mtoken_operations_attach") @implementation
public func mtoken_operations_attach(
    _ client_: OpaquePointer!, _ id: UnsafePointer<CChar>!, _ id_length: Int,
    _ options: UnsafePointer<mtoken_authorize_options>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let client = try client(client_)
        let id = try Input.text(id, id_length, "id")
        guard options != nil else { return try client.operations.attach(nil, to: id) }
        let options = try ApprovalOptions(options, client)
        guard options.rule == ApprovalRule() else {
            throw .argument(
                "Only what is sent can be attached: pass the other options with the approval."
            )
        }
        try client.operations.attach(options.extras, to: id)
    }
}

@_cdecl("mtoken_operations_get_attached") @implementation
public func mtoken_operations_get_attached(_ client: OpaquePointer!, _ id: UnsafePointer<CChar>!, _ id_length: Int)
    -> Int32
{
    guard let client = Handles.client(client), let id = try? Input.text(id, id_length, "id") else { return 0 }
    return client.operations.attached(to: id).rawValue
}

@_cdecl("mtoken_operations_start_polling") @implementation
public func mtoken_operations_start_polling(
    _ client_: OpaquePointer!, _ options: UnsafePointer<mtoken_polling_options>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let client = try client(client_)
        var polling = PollingOptions()
        if options != nil {
            let options = try Input.options(options, "options")
            if options.interval_ms != 0 { polling.interval = options.interval_ms }
            polling.delaysStart = try Input.flag(options.delay_start, "delay_start")
            polling.hasPush = try Input.flag(options.has_push, "has_push")
            polling.backsOff = try Input.flag(options.back_off, "back_off")
            polling.jitterPercent = options.jitter_percent
            polling.isAdaptive = try Input.flag(options.is_adaptive, "is_adaptive")
            guard options.reserved == 0 else { throw .argument("reserved must be 0.") }
        }
        try client.operations.startPolling(polling, callOptions: Handles.callOptions(client_))
    }
}

@_cdecl("mtoken_operations_stop_polling") @implementation
public func mtoken_operations_stop_polling(
    _ client_: OpaquePointer!, _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in try client(client_).operations.stopPolling() }
}

@_cdecl("mtoken_operations_pause_polling") @implementation
public func mtoken_operations_pause_polling(
    _ client_: OpaquePointer!, _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in try client(client_).operations.pausePolling() }
}

@_cdecl("mtoken_operations_resume_polling") @implementation
public func mtoken_operations_resume_polling(
    _ client_: OpaquePointer!, _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in try client(client_).operations.resumePolling() }
}

@_cdecl("mtoken_operations_get_polling") @implementation
public func mtoken_operations_get_polling(_ client: OpaquePointer!) -> Int32 {
    Handles.client(client)?.operations.pollingState.rawValue ?? -1
}

extension Arena {
    /// Each operation is put once: those added and updated are among all.
    func put(_ change: OperationChange) -> UnsafePointer<mtoken_operations_change> {
        let operations = change.operations
        let all = operations.map { put($0) }
        var position = 0
        // Added and updated ones are in the same order as all.
        func among(_ operation: UserOperation) -> UnsafePointer<mtoken_operation> {
            while position < all.count, operations[position] !== operation { position += 1 }
            return position < all.count ? all[position] : put(operation)
        }
        let added = change.added.map { among($0) }
        position = 0
        let updated = change.updated.map { among($0) }
        return put(
            mtoken_operations_change(
                count: all.count, operations: pointers(all) { $0 }, added_count: added.count,
                added: pointers(added) { $0 }, removed_count: change.removed.count,
                removed: pointers(change.removed) { put($0) }, updated_count: updated.count,
                updated: pointers(updated) { $0 }))
    }
}
