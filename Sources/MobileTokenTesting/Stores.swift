// SPDX-License-Identifier: Apache-2.0
// The header documents these functions.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CMToken
import CMTokenTesting
import CSystem
import MobileToken
import MobileTokenC
import MobileTokenCrypto

@_cdecl("mtoken_testing_store_new") @implementation
public func mtoken_testing_store_new(
    _ inner: OpaquePointer!, _ out_store: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_store, "out_store")
        let inner = try Handles.stores.find(inner, "store")
        out.pointee = try Handles.stores.hold { _ in FaultyStore.make(inner) }
    }
}

@_cdecl("mtoken_testing_store_fail") @implementation
public func mtoken_testing_store_fail(
    _ store: OpaquePointer!, _ calls: Int32, _ nth: Int, _ forever: Int32, _ how: Int32,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let store = try faults(store)
        guard let fault = FaultyStore.Fault(rawValue: how) else { throw .argument("how is unknown.") }
        store.fail(try storeCalls(calls), nth: try callNumber(nth), forever: forever != 0, fault: fault)
    }
}

@_cdecl("mtoken_testing_store_delay") @implementation
public func mtoken_testing_store_delay(
    _ store: OpaquePointer!, _ calls: Int32, _ milliseconds: Int64,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try faults(store).delay(try storeCalls(calls), milliseconds: try timeSpan(milliseconds))
    }
}

@_cdecl("mtoken_testing_store_count") @implementation
public func mtoken_testing_store_count(_ store: OpaquePointer!, _ calls: Int32) -> Int {
    (try? faults(store))?.count(FaultyStore.Calls(rawValue: calls)) ?? 0
}

@_cdecl("mtoken_testing_store_read") @implementation
public func mtoken_testing_store_read(
    _ store: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ name_length: Int,
    _ out_data: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_testing_data>?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_data, "out_data")
        let store = try faults(store)
        let name = try Input.text(name, name_length, "name")
        let found = try pastFaults { () throws(StoreError) in try store.read(name) }
        guard let found else { throw Failure(.notFound, "notFound", "Nothing is stored under this name.") }
        let arena = Arena(room: found.count + 128)
        out.pointee = arena.result(mtoken_testing_data(bytes: arena.bytes(found), length: found.count))
    }
}

@_cdecl("mtoken_testing_data_free") @implementation
public func mtoken_testing_data_free(_ data: UnsafeMutablePointer<mtoken_testing_data>!) { Arena.free(data) }

@_cdecl("mtoken_testing_store_write") @implementation
public func mtoken_testing_store_write(
    _ store: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ name_length: Int, _ bytes: UnsafePointer<UInt8>!,
    _ length: Int, _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let store = try faults(store)
        let name = try Input.text(name, name_length, "name")
        let input = try Input.bytes(bytes, length, "bytes")
        try pastFaults { () throws(StoreError) in try store.write(name, bytes == nil ? nil : input) }
    }
}

@_cdecl("mtoken_testing_store_renew") @implementation
public func mtoken_testing_store_renew(
    _ store: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ name_length: Int, _ bytes: UnsafePointer<UInt8>!,
    _ length: Int, _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let store = try faults(store)
        let name = try Input.text(name, name_length, "name")
        let input = try Input.bytes(bytes, length, "bytes")
        try pastFaults { () throws(StoreError) in try store.renew(name, input) }
    }
}

private func faults(_ handle: OpaquePointer?) throws(Failure) -> FaultyStore {
    guard let store = Handles.stores[handle], let faults = FaultyStore.of(store) else {
        throw .unusable(handle, "store")
    }
    return faults
}

private func storeCalls(_ calls: Int32) throws(Failure) -> FaultyStore.Calls {
    let calls = FaultyStore.Calls(rawValue: calls)
    guard !calls.isEmpty, FaultyStore.Calls.all.contains(calls) else { throw .argument("calls are unknown.") }
    return calls
}

private func pastFaults<R>(_ work: () throws(StoreError) -> R) throws(Failure) -> R {
    do throws(StoreError) {
        return try work()
    } catch {
        throw Failure(.storage, "storageFailed", "The store below failed (system error \(error.systemError)).")
    }
}
