// SPDX-License-Identifier: Apache-2.0
// The header documents these functions.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CMToken
import MobileToken

@_cdecl("mtoken_token_create") @implementation
public func mtoken_token_create(
    _ client: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ name_length: Int, _ auth: UnsafePointer<mtoken_auth>!,
    _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in
            try client.tokens.create(
                name: try Input.text(name, name_length, "name"), authentication: try Input.authentication(auth),
                task: task)
        }
    }
}

@_cdecl("mtoken_token_get_header") @implementation
public func mtoken_token_get_header(
    _ client_: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ name_length: Int,
    _ out_header: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_header>?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_header, "out_header")
        let client = try client(client_)
        out.pointee = headerResult(
            "X-PowerAuth-Token", try client.tokens.header(name: try Input.text(name, name_length, "name")))
    }
}

@_cdecl("mtoken_token_fetch_header") @implementation
public func mtoken_token_fetch_header(
    _ client: OpaquePointer!, _ options: UnsafePointer<mtoken_token_options>!, _ auth: UnsafePointer<mtoken_auth>!,
    _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in
            let options = try Input.options(options, "options")
            try client.tokens.fetchHeader(
                name: try Input.text(options.name.data, options.name.length, "name"),
                authentication: try Input.authentication(auth),
                refused: try Input.text(options.refused_header, "refused_header"), task: task)
        }
    }
}

extension Arena {
    func put(tokenHeader value: String) -> UnsafePointer<mtoken_header> {
        put(mtoken_header(name: cString("X-PowerAuth-Token"), value: text(value), value_length: value.utf8.count))
    }
}

@_cdecl("mtoken_task_header") @implementation
public func mtoken_task_header(_ task: OpaquePointer!) -> UnsafePointer<mtoken_header>! {
    result(of: task, { $0.header }, { $0.put(tokenHeader: $1) })
}

@_cdecl("mtoken_token_is_stored") @implementation
public func mtoken_token_is_stored(
    _ client_: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ name_length: Int
) -> Int32 {
    guard let client = Handles.client(client_), let name = try? Input.text(name, name_length, "name") else { return 0 }
    return client.tokens.isStored(name: name) ? 1 : 0
}

@_cdecl("mtoken_token_remove") @implementation
public func mtoken_token_remove(
    _ client: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ name_length: Int,
    _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in
            try client.tokens.remove(name: try Input.text(name, name_length, "name"), task: task)
        }
    }
}

@_cdecl("mtoken_token_forget") @implementation
public func mtoken_token_forget(
    _ client_: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ name_length: Int,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let client = try client(client_)
        guard let name else {
            guard name_length == 0 || name_length == -1 else { throw .argument("name is NULL but has a length.") }
            return try client.tokens.forget(name: nil)
        }
        try client.tokens.forget(name: try Input.text(name, name_length, "name"))
    }
}
