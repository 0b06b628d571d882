// SPDX-License-Identifier: Apache-2.0
// The header documents these functions.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CMToken
import MobileToken
import MobileTokenCrypto

@_cdecl("mtoken_sealer_host_new") @implementation
public func mtoken_sealer_host_new(
    _ host: UnsafePointer<mtoken_host_sealer>!, _ out_sealer: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_sealer, "out_sealer")
        let host = try Input.options(host, "host")
        guard let seal = host.seal, let unseal = host.unseal else {
            throw .argument("A host sealer needs the functions seal and unseal.")
        }
        let functions = FunctionSealer.Functions(
            seal: seal, unseal: unseal, forget: host.forget, explain: { hostWords(host.explain?($0)) },
            release: host.release)
        out.pointee = try Handles.sealers.hold { _ in FunctionSealer(functions: functions, context: host.context) }
    }
}

@_cdecl("mtoken_sealer_open") @implementation
public func mtoken_sealer_open(
    _ name: UnsafePointer<CChar>!, _ name_length: Int, _ options: UnsafePointer<mtoken_sealer_options>!,
    _ out_sealer: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_sealer, "out_sealer")
        let name = try Input.text(name, name_length, "name")
        var made = SealerOptions()
        if options != nil {
            let options = try Input.options(options, "options")
            made.device = try Input.text(options.device, "device")
            made.module = try Input.text(options.module_path, "module_path")
            made.password = try Input.secret(options.password, "password")
            made.pcrs = try Input.text(options.pcrs, "pcrs")
        }
        out.pointee = try Handles.sealers.hold { (_) throws(Failure) in try Sealer.open(name, made) }
    }
}

@_cdecl("mtoken_sealer_seal") @implementation
public func mtoken_sealer_seal(
    _ sealer: OpaquePointer!, _ label: UnsafePointer<CChar>!, _ label_length: Int, _ bytes: UnsafePointer<UInt8>!,
    _ bytes_length: Int, _ out_bytes: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_bytes>?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try transform(sealer, label, label_length, bytes, bytes_length, out_bytes, sealing: true)
    }
}

@_cdecl("mtoken_sealer_unseal") @implementation
public func mtoken_sealer_unseal(
    _ sealer: OpaquePointer!, _ label: UnsafePointer<CChar>!, _ label_length: Int, _ form: UnsafePointer<UInt8>!,
    _ form_length: Int, _ out_bytes: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_bytes>?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try transform(sealer, label, label_length, form, form_length, out_bytes, sealing: false)
    }
}

@inline(never)
private func transform(
    _ sealer: OpaquePointer?, _ label: UnsafePointer<CChar>?, _ labelLength: Int, _ bytes: UnsafePointer<UInt8>?,
    _ count: Int, _ out: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_bytes>?>?, sealing: Bool
) throws(Failure) {
    let out = try output(out, "out_bytes")
    let sealer = try Handles.sealers.find(sealer, "sealer")
    let label = try Input.text(label, labelLength, "label", limit: Sealer.maximumLabel)
    let bytes = SecureBytes(copying: try Input.bytes(bytes, count, sealing ? "bytes" : "form"))
    guard (1...(sealing ? Sealer.maximumSecret : Sealer.maximumForm)).contains(bytes.count) else {
        throw .argument("bytes must be 1 to 64 bytes, and what was sealed 1 to 4,096.")
    }
    out.pointee = bytesResult(try sealer.run(bytes, label: label, sealing: sealing))
}

@_cdecl("mtoken_sealer_free") @implementation
public func mtoken_sealer_free(_ sealer: OpaquePointer!) { Handles.sealers.remove(sealer) }

@_cdecl("mtoken_client_reseal") @implementation
public func mtoken_client_reseal(
    _ client_: OpaquePointer!, _ sealer: OpaquePointer!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let client = try client(client_)
        try client.reseal(sealer == nil ? nil : try Handles.sealers.find(sealer, "sealer"))
    }
}
