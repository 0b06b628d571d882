// SPDX-License-Identifier: Apache-2.0
// The header documents these functions.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CMToken
import MobileToken
import MobileTokenModel

@_cdecl("mtoken_watcher_new") @implementation
public func mtoken_watcher_new(
    _ client_: OpaquePointer!, _ out_watcher: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_watcher, "out_watcher")
        let client = try client(client_)
        out.pointee = try Handles.watchers.hold { client.operations.watcher(number: $0) }
    }
}

@_cdecl("mtoken_watcher_free") @implementation
public func mtoken_watcher_free(_ watcher: OpaquePointer!) { Handles.watchers.remove(watcher)?.removeAll() }

private func watcher(_ handle: OpaquePointer?) throws(Failure) -> ExpirationWatcher {
    try Handles.watchers.find(handle, "watcher")
}

/// The most that are handed in at once.
private let maximumCount = 1 << 20

private func watched(_ items: UnsafePointer<mtoken_watched>?, _ count: Int) throws(Failure) -> [WatchedOperation] {
    guard (0...maximumCount).contains(count), items != nil || count == 0 else {
        throw .argument("items", " and count do not match (at most 1048576).")
    }
    var result: [WatchedOperation] = []
    guard let items else { return result }
    for index in 0..<count {
        let item = items[index]
        result.append(
            WatchedOperation(
                id: try Input.text(item.id, -1, "id"), data: try Input.text(item.operation_data, -1, "operation_data"),
                expires: item.expires))
    }
    return result
}

@_cdecl("mtoken_watcher_add") @implementation
public func mtoken_watcher_add(
    _ watcher_: OpaquePointer!, _ items: UnsafePointer<mtoken_watched>!, _ count: Int,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in try watcher(watcher_).add(try watched(items, count)) }
}

@_cdecl("mtoken_watcher_remove") @implementation
public func mtoken_watcher_remove(
    _ watcher_: OpaquePointer!, _ items: UnsafePointer<mtoken_watched>!, _ count: Int,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in try watcher(watcher_).remove(try watched(items, count)) }
}

@_cdecl("mtoken_watcher_remove_all") @implementation
public func mtoken_watcher_remove_all(
    _ watcher_: OpaquePointer!, _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in try watcher(watcher_).removeAll() }
}

@_cdecl("mtoken_watcher_list") @implementation
public func mtoken_watcher_list(
    _ watcher_: OpaquePointer!, _ out_list: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_watched_list>?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_list, "out_list")
        let items = try watcher(watcher_).list
        let arena = Arena()
        out.pointee = arena.result(arena.list(items))
    }
}

@_cdecl("mtoken_watched_list_free") @implementation
public func mtoken_watched_list_free(_ list: UnsafeMutablePointer<mtoken_watched_list>!) { Arena.free(list) }

@_cdecl("mtoken_watcher_set_clock") @implementation
public func mtoken_watcher_set_clock(
    _ watcher_: OpaquePointer!, _ own_clock: Int32, _ offset_ms: Int64,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let watcher = try watcher(watcher_)
        let hasOwnClock = try Input.flag(own_clock, "own_clock")
        let latest = Input.latestTime
        guard (-latest...latest).contains(offset_ms) else { throw .argument("offset_ms", " is out of range.") }
        watcher.setClock(offset: hasOwnClock ? offset_ms : nil)
    }
}

extension Arena {
    func list(_ items: [WatchedOperation]) -> mtoken_watched_list {
        mtoken_watched_list(
            count: items.count,
            items: pointers(items) { item in
                put(mtoken_watched(id: text(item.id), operation_data: text(item.data), expires: item.expires))
            })
    }
}
