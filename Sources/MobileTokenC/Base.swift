// SPDX-License-Identifier: Apache-2.0
// The header documents these functions.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CMToken
import CSystem
import MobileToken
import MobileTokenCrypto
import MobileTokenHTTP
import MobileTokenJSON

@_cdecl("mtoken_text_free") @implementation
public func mtoken_text_free(_ string: UnsafeMutablePointer<mtoken_text>!) {
    Arena.free(string)
}

/// A text for the host.
func textResult(_ text: some Bytes) -> UnsafeMutablePointer<mtoken_text> {
    text.withBytes { (bytes: UnsafeRawBufferPointer) -> UnsafeMutablePointer<mtoken_text> in
        let arena = Arena(room: bytes.count &+ Arena.size(of: mtoken_text.self))
        return arena.result(mtoken_text(data: arena.text(bytes), length: bytes.count))
    }
}

func textResult(_ text: String) -> UnsafeMutablePointer<mtoken_text> { textResult([UInt8](text.utf8)) }

@_cdecl("mtoken_bytes_free") @implementation
public func mtoken_bytes_free(_ data: UnsafeMutablePointer<mtoken_bytes>!) {
    Arena.free(data)
}

/// Bytes for the host; a NUL follows them.
func bytesResult(_ data: some Bytes) -> UnsafeMutablePointer<mtoken_bytes> {
    data.withBytes { (bytes: UnsafeRawBufferPointer) -> UnsafeMutablePointer<mtoken_bytes> in
        let arena = Arena(room: bytes.count &+ Arena.size(of: mtoken_bytes.self))
        return arena.result(mtoken_bytes(data: arena.bytes(bytes), length: bytes.count))
    }
}

/// The text of a literal, which is NUL-terminated and lives for ever.
func cString(_ text: StaticString) -> UnsafePointer<CChar> {
    UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
}

@_cdecl("mtoken_version") @implementation
public func mtoken_version() -> UnsafePointer<CChar>! { cString(libraryVersion) }

@_cdecl("mtoken_versions") @implementation
public func mtoken_versions() -> UnsafePointer<CChar>! {
    mtoken_versions_joined(cString(libraryVersion), openSSLVersion, curlVersion, janssonVersion)
}

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
        let wanted = "MTOKEN_" + (try Input.text(name, name_length, "name"))
        guard let out_value else { throw .argument("out_value is NULL.") }
        var known = cString(Constants.names)
        for value in Constants.values {
            let length = strlen(known)
            if sameBytes(UnsafeRawBufferPointer(start: known, count: length), wanted) {
                out_value.pointee = Int64(value)
                return
            }
            known += length &+ 1
        }
        throw Failure(.notFound, "notFound", "The enumeration has no such constant.")
    }
}

@_cdecl("mtoken_constant_at") @implementation
public func mtoken_constant_at(_ index: Int, _ out_value: UnsafeMutablePointer<Int64>!) -> UnsafePointer<CChar>! {
    out_value?.pointee = 0
    guard index >= 0, index < Constants.values.count else { return nil }
    var name = cString(Constants.names)
    for _ in 0..<index { name += strlen(name) &+ 1 }
    out_value?.pointee = Int64(Constants.values[index])
    return name
}
