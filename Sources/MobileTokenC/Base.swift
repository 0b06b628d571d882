// The header documents these functions.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CMToken
import CSystem
import MobileToken
import MobileTokenCrypto

@_cdecl("mtoken_text_free") @implementation
public func mtoken_text_free(_ string: UnsafeMutablePointer<mtoken_text>!) {
    guard let string else { return }
    if let text = string.pointee.data { explicit_bzero(UnsafeMutablePointer(mutating: text), string.pointee.length) }
    free(string)
}

@_cdecl("mtoken_bytes_free") @implementation
public func mtoken_bytes_free(_ data: UnsafeMutablePointer<mtoken_bytes>!) {
    guard let data else { return }
    if let bytes = data.pointee.data { explicit_bzero(UnsafeMutablePointer(mutating: bytes), data.pointee.length) }
    free(data)
}

@_cdecl("mtoken_version") @implementation
public func mtoken_version() -> UnsafePointer<CChar>! { cString(libraryVersion) }

@_cdecl("mtoken_version_number") @implementation
public func mtoken_version_number() -> UInt32 { UInt32(MTOKEN_VERSION_NUMBER) }

@_cdecl("mtoken_abi_version") @implementation
public func mtoken_abi_version() -> Int32 { MTOKEN_ABI_VERSION }

@_cdecl("mtoken_constant_value") @implementation
public func mtoken_constant_value(
    _ name: UnsafePointer<CChar>!, _ name_length: Int, _ out_value: UnsafeMutablePointer<Int64>!
) -> mtoken_status {
    out_value?.pointee = 0
    return report(nil) { () throws(Failure) in
        let wanted = ("MTOKEN_" + (try Input.text(name, name_length, "name"))).byBytes
        guard let out_value else { throw .argument("out_value is NULL.") }
        for (name, value) in Constants.all where name.description.byBytes == wanted {
            out_value.pointee = value
            return
        }
        throw Failure(.notFound, "notFound", "There is no such constant.")
    }
}

@_cdecl("mtoken_constant_at") @implementation
public func mtoken_constant_at(_ index: Int, _ out_value: UnsafeMutablePointer<Int64>!) -> UnsafePointer<CChar>! {
    out_value?.pointee = 0
    guard index >= 0, index < Constants.all.count else { return nil }
    let (name, value) = Constants.all[index]
    out_value?.pointee = value
    return cString(name)
}
