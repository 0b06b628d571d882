// SPDX-License-Identifier: Apache-2.0
// The header documents these functions.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CMToken
import MobileToken
import MobileTokenCrypto
import MobileTokenSystem

@_cdecl("mtoken_store_directory_new") @implementation
public func mtoken_store_directory_new(
    _ path: UnsafePointer<CChar>!, _ path_length: Int, _ out_store: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_store, "out_store")
        let path = try Input.text(path, path_length, "path")
        out.pointee = try Handles.stores.hold { (_) throws(Failure) in try DirectoryStore(path: path) }
    }
}

@_cdecl("mtoken_store_memory_new") @implementation
public func mtoken_store_memory_new(
    _ out_store: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_store, "out_store")
        out.pointee = try Handles.stores.hold { _ in MemoryStore() }
    }
}

@_cdecl("mtoken_store_host_new") @implementation
public func mtoken_store_host_new(
    _ host: UnsafePointer<mtoken_host_store>!, _ out_store: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_store, "out_store")
        let host = try Input.options(host, "host")
        guard let load = host.load, let save = host.save, let remove = host.remove else {
            throw .argument("A host store needs the functions load, save and remove.")
        }
        let answer = { (status: mtoken_status) in understood(status, of: host) }
        let functions = HostStore.Functions(
            load: { item, bytes in
                let reply = StoreReply()
                guard let handle = try? Handles.replies.hold({ _ in reply }) else {
                    return .failed(MTOKEN_ERROR_INTERNAL.rawValue)
                }
                defer { Handles.replies.remove(handle) }
                let given = answer(item.withCString { load(host.context, $0, handle) })
                bytes = reply.close()
                return given
            },
            save: { item, bytes in
                answer(
                    item.withCString {
                        save(host.context, $0, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
                    })
            },
            remove: { item in answer(item.withCString { remove(host.context, $0) }) },
            list: host.list.map { list in { names in HostNames.collect(&names) { answer(list(host.context, $0)) } } },
            release: { host.release?(host.context) })
        out.pointee = try Handles.stores.hold { _ in HostStore(functions) }
    }
}

@_cdecl("mtoken_store_reply_set") @implementation
public func mtoken_store_reply_set(
    _ reply_: OpaquePointer!, _ bytes_: UnsafePointer<UInt8>!, _ length: Int
) -> mtoken_status {
    guard let reply = Handles.replies[reply_] else { return unusable(reply_) }
    guard let bytes = try? Input.bytes(bytes_, length, "bytes") else { return MTOKEN_ERROR_ARGUMENT.rawValue }
    return reply.set(SecureBytes(copying: bytes)) ? MTOKEN_OK.rawValue : MTOKEN_ERROR_HANDLE.rawValue
}

/// The names that a host's list function adds, while it runs.
final class HostNames: @unchecked Sendable {
    private let lock = Lock()
    private var names: [String] = []

    func add(_ name: String) { lock.withLock { names.append(name) } }

    /// Runs a list function with a handle that is valid as long as it runs.
    static func collect(
        _ names: inout [String], _ list: (OpaquePointer?) -> HostStore.Answer
    ) -> HostStore.Answer {
        let collected = HostNames()
        guard let handle = try? Handles.storeNames.reserve() else { return .failed(MTOKEN_ERROR_INTERNAL.rawValue) }
        Handles.storeNames.fill(handle, collected)
        let answer = list(OpaquePointer(bitPattern: handle))
        Handles.storeNames.remove(handle)
        names = collected.lock.withLock { collected.names }
        return answer
    }
}

@_cdecl("mtoken_store_names_add") @implementation
public func mtoken_store_names_add(
    _ names: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ name_length: Int
) -> mtoken_status {
    report(nil) { () throws(Failure) in
        try Handles.storeNames.find(names, "names").add(try Input.text(name, name_length, "name"))
    }
}

@_cdecl("mtoken_store_clients") @implementation
public func mtoken_store_clients(
    _ store: OpaquePointer!, _ out_list: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_store_list>?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_list, "out_list")
        let ids = try Handles.stores.find(store, "store").clients()
        let arena = Arena()
        out.pointee = arena.result(
            mtoken_store_list(count: ids.count, ids: arena.pointers(ids) { arena.text($0) }))
    }
}

@_cdecl("mtoken_store_list_free") @implementation
public func mtoken_store_list_free(_ list: UnsafeMutablePointer<mtoken_store_list>!) { Arena.free(list) }

@_cdecl("mtoken_store_remove") @implementation
public func mtoken_store_remove(
    _ store: OpaquePointer!, _ id: UnsafePointer<CChar>!, _ id_length: Int,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try Handles.stores.find(store, "store").remove(client: try Input.text(id, id_length, "id"))
    }
}

@_cdecl("mtoken_store_copy") @implementation
public func mtoken_store_copy(
    _ store: OpaquePointer!, _ id: UnsafePointer<CChar>!, _ id_length: Int, _ target: OpaquePointer!,
    _ target_id: UnsafePointer<CChar>!, _ target_id_length: Int,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let store = try Handles.stores.find(store, "store")
        let target = try Handles.stores.find(target, "target")
        try store.copy(
            client: try Input.text(id, id_length, "id"), to: target,
            as: try Input.text(target_id, target_id_length, "target_id"))
    }
}

@_cdecl("mtoken_store_free") @implementation
public func mtoken_store_free(_ store: OpaquePointer!) { Handles.stores.remove(store) }

/// Receives the bytes from a host's load function: on any thread, but not after the function has returned.
final class StoreReply: @unchecked Sendable {
    private let lock = Lock()
    // Guarded by the lock.
    private var bytes: SecureBytes?
    private var isClosed = false

    /// Whether it is not too late.
    func set(_ bytes: SecureBytes) -> Bool {
        lock.withLock {
            guard !isClosed else { return false }
            self.bytes = bytes
            return true
        }
    }

    /// Takes no more; returns what came last.
    func close() -> SecureBytes? {
        lock.withLock {
            isClosed = true
            return bytes.take()
        }
    }
}

@inline(never)
private func understood(_ status: mtoken_status, of host: mtoken_host_store) -> HostStore.Answer {
    switch status {
    case MTOKEN_OK.rawValue: .done
    case MTOKEN_ERROR_NOT_FOUND.rawValue: .notFound
    default: .failed(status, because: hostWords(host.explain?(host.context)))
    }
}

/// Why a function of the host failed, in its words; nil: it says nothing, or no text.
@inline(never)
func hostWords(_ text: UnsafePointer<CChar>?) -> String? {
    text.flatMap { try? Input.text($0, -1, "explain") }  // MTOKEN_NUL_TERMINATED
}
