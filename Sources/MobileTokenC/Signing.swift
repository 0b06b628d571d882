// SPDX-License-Identifier: Apache-2.0
// The header documents these functions.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CMToken
import MobileToken
import MobileTokenCrypto
import PowerAuth

@_cdecl("mtoken_header_free") @implementation
public func mtoken_header_free(_ header: UnsafeMutablePointer<mtoken_header>!) { Arena.free(header) }

/// A header for the host.
func headerResult(_ name: StaticString, _ value: String) -> UnsafeMutablePointer<mtoken_header> {
    let arena = Arena(room: value.utf8.count &+ Arena.size(of: mtoken_header.self))
    return arena.result(
        mtoken_header(name: cString(name), value: arena.text(value), value_length: value.utf8.count))
}

@_cdecl("mtoken_client_sign") @implementation
public func mtoken_client_sign(
    _ client_: OpaquePointer!, _ options: UnsafePointer<mtoken_sign_options>!, _ auth: UnsafePointer<mtoken_auth>!,
    _ out_header: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_header>?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_header, "out_header")
        let client = try client(client_)
        let options = try Input.options(options, "options")
        guard let method = HTTPMethod(text: try Input.requiredBytes(options.method, "method")) else {
            throw .argument("method must be GET, POST, PUT, DELETE, PATCH or HEAD.")
        }
        let value = try client.requests.sign(
            method: method, uriId: try Input.requiredBytes(options.uri_id, "uri_id"),
            body: try Input.bytes(options.body, "body"), authentication: try Input.authentication(auth))
        out.pointee = headerResult("X-PowerAuth-Authorization", value)
    }
}

@_cdecl("mtoken_client_signature_accepted") @implementation
public func mtoken_client_signature_accepted(
    _ client_: OpaquePointer!, _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in try client(client_).requests.acknowledge() }
}

@_cdecl("mtoken_client_take_turn") @implementation
public func mtoken_client_take_turn(
    _ client: OpaquePointer!, _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in try client.requests.takeTurn(task: task) }
    }
}

@_cdecl("mtoken_task_give_turn") @implementation
public func mtoken_task_give_turn(_ task: OpaquePointer!) -> mtoken_status {
    guard let held = Handles.tasks[task]?.task else { return unusable(task) }
    return held.release() ? MTOKEN_OK.rawValue : MTOKEN_ERROR_STATE.rawValue
}

@_cdecl("mtoken_canonical_query") @implementation
public func mtoken_canonical_query(
    _ query: UnsafePointer<CChar>!, _ query_length: Int,
    _ out_canonical: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_text>?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_canonical, "out_canonical")
        let query = try Input.text(query, query_length, "query")
        let canonical: [UInt8]
        do throws(PowerAuthError) {
            canonical = try CanonicalQuery.canonicalize(query)
        } catch {
            throw Failure(.parse, "invalidArgument", "The query is not percent-encoded UTF-8.")
        }
        out.pointee = textResult(String(utf8: canonical))
    }
}

@_cdecl("mtoken_client_sign_offline") @implementation
public func mtoken_client_sign_offline(
    _ client_: OpaquePointer!, _ options: UnsafePointer<mtoken_sign_offline_options>!,
    _ auth: UnsafePointer<mtoken_auth>!, _ out_code: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_text>?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_code, "out_code")
        let client = try client(client_)
        let options = try Input.options(options, "options")
        guard options.reserved == 0 else { throw .argument("reserved must be 0.") }
        let code = try client.requests.signOffline(
            uriId: try Input.requiredBytes(options.uri_id, "uri_id"), body: try Input.bytes(options.body, "body"),
            nonce: try Input.bytes(options.nonce, "nonce"), authentication: try Input.authentication(auth),
            componentLength: Input.given(options.component_length).map { Int($0) })
        out.pointee = textResult(code)
    }
}

@_cdecl("mtoken_client_verify") @implementation
public func mtoken_client_verify(
    _ client_: OpaquePointer!, _ options: UnsafePointer<mtoken_verify_options>!,
    _ out_is_valid: UnsafeMutablePointer<mtoken_bool>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    out_is_valid?.pointee = 0
    return report(out_error) { () throws(Failure) in
        let client = try client(client_)
        guard let out_is_valid else { throw .argument("out_is_valid is NULL.") }
        let options = try Input.options(options, "options")
        let format = try Input.signatureForm(options.form)
        let data = try Input.bytes(options.signed_bytes, "signed_bytes")
        let signature = try Input.bytes(options.signature, "signature")
        let valid: Bool
        switch options.server_key {
        case MTOKEN_KEY_MASTER.rawValue:
            valid = try client.requests.verify(data, signature: signature, format: format, key: .master)
        case MTOKEN_KEY_PERSONALIZED.rawValue:
            valid = try client.requests.verify(data, signature: signature, format: format, key: .personalized)
        case MTOKEN_KEY_PERSONALIZED_MAC.rawValue:
            valid = try client.requests.verify(data, codeOfSharedKey: signature)
        default: throw .argument("server_key is unknown.")
        }
        out_is_valid.pointee = valid ? 1 : 0
    }
}
