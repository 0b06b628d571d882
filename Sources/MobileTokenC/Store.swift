// The header documents these functions.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CMToken
import MobileToken
import MobileTokenCrypto
import MobileTokenHTTP

@_cdecl("mtoken_store_directory_new") @implementation
public func mtoken_store_directory_new(
    _ path: UnsafePointer<CChar>!, _ path_length: Int, _ out_store: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_error>?>!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_store, "out_store")
        out.pointee = give(try DirectoryStore(path: try Input.text(path, path_length, "path")))
    }
}

@_cdecl("mtoken_store_memory_new") @implementation
public func mtoken_store_memory_new(
    _ out_store: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_error>?>!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_store, "out_store")
        out.pointee = give(MemoryStore())
    }
}

@_cdecl("mtoken_store_host_new") @implementation
public func mtoken_store_host_new(
    _ host: UnsafePointer<mtoken_host_store>!, _ out_store: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_error>?>!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_store, "out_store")
        let host = try Input.options(host, "host")
        guard let load = host.load, let save = host.save, let remove = host.remove else {
            throw .argument("A host store needs the functions load, save and remove.")
        }
        let functions = HostStore.Functions(
            load: { item, bytes in
                withUnsafeMutablePointer(to: &bytes) { reply in
                    answer(item.withCString { load(host.context, $0, OpaquePointer(reply)) })
                }
            },
            save: { item, bytes in
                answer(
                    item.withCString {
                        save(host.context, $0, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
                    })
            },
            remove: { item in answer(item.withCString { remove(host.context, $0) }) },
            release: { host.release?(host.context) })
        out.pointee = give(HostStore(functions))
    }
}

@_cdecl("mtoken_store_reply_set") @implementation
public func mtoken_store_reply_set(_ reply: OpaquePointer!, _ data: UnsafePointer<UInt8>!, _ length: Int) {
    guard let reply, let bytes = try? Input.bytes(data, length, "data") else { return }
    UnsafeMutablePointer<SecureBytes?>(reply).pointee = SecureBytes(copying: bytes)
}

@_cdecl("mtoken_store_free") @implementation
public func mtoken_store_free(_ store: OpaquePointer!) { Handles.stores.remove(store) }

private func answer(_ status: mtoken_status) -> HostStore.Answer {
    switch status {
    case MTOKEN_OK.rawValue: .done
    case MTOKEN_ERROR_NOT_FOUND.rawValue: .notFound
    default: .failed(status)
    }
}

private func give(_ store: Store) -> OpaquePointer? {
    let handle = Handles.stores.reserve()
    Handles.stores.fill(handle, store)
    return OpaquePointer(bitPattern: handle)
}
