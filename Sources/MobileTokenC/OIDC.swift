// SPDX-License-Identifier: Apache-2.0
// The header documents these functions.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CMToken
import MobileToken
import MobileTokenCrypto
import MobileTokenModel
import MobileTokenSystem

/// A request that a host holds, with what the host read from it.
final class HostOIDCRequest: @unchecked Sendable {
    let request: OIDCAuthorizationRequest
    private let lock = Lock()
    private let arena = Arena(room: 1024)
    private var authorization: UnsafePointer<mtoken_oidc_authorization>?

    init(_ request: OIDCAuthorizationRequest) { self.request = request }

    deinit { arena.free() }

    var parts: UnsafePointer<mtoken_oidc_authorization> {
        lock.withLock {
            if let authorization { return authorization }
            let made = arena.put(
                mtoken_oidc_authorization(
                    authorize_url: arena.text(request.authorizeURL), provider_id: arena.text(request.providerId),
                    redirect_uri: arena.text(request.redirectURI), nonce: arena.text(request.nonce),
                    state: arena.text(request.state), code_verifier: request.codeVerifier.map { arena.text($0) },
                    lacks_openid: request.lacksOpenID ? 1 : 0))
            authorization = made
            return made
        }
    }

    func process(_ callback: SecureBytes) throws(Failure) -> UnsafePointer<mtoken_oidc_attributes> {
        let attributes = try request.process(callback)
        return lock.withLock { arena.put(attributes) }
    }
}

extension Arena {
    func put(_ configuration: OIDCConfiguration) -> UnsafePointer<mtoken_oidc_config> {
        put(
            mtoken_oidc_config(
                provider_id: text(configuration.providerId), client_id: text(configuration.clientId),
                scopes: text(configuration.scopes), authorize_uri: text(configuration.authorizeUri),
                redirect_uri: text(configuration.redirectUri), requires_pkce: configuration.pkceEnabled ? 1 : 0,
                requires_issuer: configuration.issuerRequired ? 1 : 0, issuer: text(configuration.issuer)))
    }

    func put(_ attributes: OIDCActivationAttributes) -> UnsafePointer<mtoken_oidc_attributes> {
        put(
            mtoken_oidc_attributes(
                provider_id: text(attributes.providerId), code: text(attributes.code), nonce: text(attributes.nonce),
                code_verifier: attributes.codeVerifier.map { text($0) }))
    }
}

/// The options of a request: a text given by the host goes before that of the configuration.
@inline(never)
func makeOptions(_ pointer: UnsafePointer<mtoken_oidc_options>?) throws(Failure) -> OIDCOptions {
    let options = try Input.options(pointer, "options")
    let config = options.config?.pointee
    let omitsPKCE = try Input.flag(options.omits_pkce, "omits_pkce")
    let requiresIssuer = try Input.flag(options.requires_issuer, "requires_issuer")
    func text(
        _ given: mtoken_text, _ configured: UnsafePointer<CChar>?, _ name: StaticString
    ) throws(Failure) -> String? {
        if let text = try Input.text(given, name) { return text }
        return configured == nil ? nil : try Input.text(configured, -1, name)
    }
    var result = OIDCOptions(
        OIDCConfiguration(
            providerId: try text(options.provider_id, config?.provider_id, "provider_id") ?? "",
            clientId: try text(options.client_id, config?.client_id, "client_id") ?? "",
            scopes: try text(options.scopes, config?.scopes, "scopes") ?? "",
            authorizeUri: try text(options.authorize_uri, config?.authorize_uri, "authorize_uri") ?? "",
            redirectUri: try text(options.redirect_uri, config?.redirect_uri, "redirect_uri") ?? "",
            pkceEnabled: config.map { $0.requires_pkce != 0 } ?? !omitsPKCE,
            issuer: try text(options.issuer, config?.issuer, "issuer"),
            issuerRequired: requiresIssuer || config?.requires_issuer ?? 0 != 0))
    guard (0...maximumParameters).contains(options.parameter_count),
        options.parameters != nil || options.parameter_count == 0
    else {
        throw .argument("parameters", " and parameter_count do not match (at most 64).")
    }
    for index in 0..<options.parameter_count {
        guard let parameters = options.parameters, let name = try Input.text(parameters[index].name, "name"),
            let value = try Input.text(parameters[index].value, "value")
        else { throw .argument("A parameter needs a name and a value.") }
        result.parameters.append(OIDCOptions.Parameter(name: name, value: value))
    }
    if options.pkce_bytes != 0 { result.verifierByteCount = Int(options.pkce_bytes) }
    if options.lifetime_ms != 0 { result.lifetimeMilliseconds = options.lifetime_ms }
    result.callbackURI = try Input.text(options.callback_uri, "callback_uri")
    result.allowsLoopbackHTTP = try Input.flag(options.allow_http, "allow_http")
    return result
}

private let maximumParameters = 64

/// The handle of a request.
private func hold(
    _ make: () throws(Failure) -> OIDCAuthorizationRequest
) throws(Failure) -> OpaquePointer? {
    try Handles.oidcRequests.hold { (_) throws(Failure) in HostOIDCRequest(try make()) }
}

@_cdecl("mtoken_oidc_prepare") @implementation
public func mtoken_oidc_prepare(
    _ options: UnsafePointer<mtoken_oidc_options>!, _ out_request: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_request, "out_request")
        out.pointee = try hold { () throws(Failure) in
            try OIDCAuthorizationRequest.prepare(try makeOptions(options))
        }
    }
}

@_cdecl("mtoken_oidc_request_get_authorization") @implementation
public func mtoken_oidc_request_get_authorization(_ request: OpaquePointer!) -> UnsafePointer<
    mtoken_oidc_authorization
>! {
    Handles.oidcRequests[request]?.parts
}

@_cdecl("mtoken_oidc_process") @implementation
public func mtoken_oidc_process(
    _ request: OpaquePointer!, _ callback: UnsafePointer<CChar>!, _ callback_length: Int,
    _ out_attributes: UnsafeMutablePointer<UnsafePointer<mtoken_oidc_attributes>?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_attributes, "out_attributes")
        let request = try Handles.oidcRequests.find(request, "request")
        out.pointee = try request.process(try Input.secretText(callback, callback_length, "callback"))
    }
}

@_cdecl("mtoken_oidc_request_store") @implementation
public func mtoken_oidc_request_store(
    _ client_: OpaquePointer!, _ request: OpaquePointer!,
    _ out_text: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_text>?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_text, "out_text")
        let client = try client(client_)
        out.pointee = textResult(try client.oidc.store(try Handles.oidcRequests.find(request, "request").request))
    }
}

@_cdecl("mtoken_oidc_request_restore") @implementation
public func mtoken_oidc_request_restore(
    _ client_: OpaquePointer!, _ text: UnsafePointer<CChar>!, _ text_length: Int,
    _ out_request: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_request, "out_request")
        let client = try client(client_)
        let text = try Input.secretText(text, text_length, "text")
        out.pointee = try hold { () throws(Failure) in try client.oidc.restore(text) }
    }
}

@_cdecl("mtoken_oidc_request_free") @implementation
public func mtoken_oidc_request_free(_ request: OpaquePointer!) { Handles.oidcRequests.remove(request) }

@_cdecl("mtoken_oidc_fetch_config") @implementation
public func mtoken_oidc_fetch_config(
    _ client: OpaquePointer!, _ provider_id: UnsafePointer<CChar>!, _ provider_id_length: Int,
    _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in
            try client.oidc.configuration(
                providerId: try Input.text(provider_id, provider_id_length, "provider_id"), task: task)
        }
    }
}

@_cdecl("mtoken_oidc_discover") @implementation
public func mtoken_oidc_discover(
    _ client: OpaquePointer!, _ options: UnsafePointer<mtoken_oidc_options>!,
    _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in
            try client.oidc.discover(try makeOptions(options), task: task)
        }
    }
}

@_cdecl("mtoken_task_oidc_config") @implementation
public func mtoken_task_oidc_config(_ task: OpaquePointer!) -> UnsafePointer<mtoken_oidc_config>! {
    result(of: task, { $0.provider }, { $0.put($1) })
}

@_cdecl("mtoken_oidc_listen") @implementation
public func mtoken_oidc_listen(
    _ runtime: OpaquePointer!, _ options: UnsafePointer<mtoken_oidc_options>!,
    _ out_request: UnsafeMutablePointer<OpaquePointer?>!, _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    out_task?.pointee = nil
    return report(out_error) { () throws(Failure) in
        let outRequest = try output(out_request, "out_request")
        let outTask = try output(out_task, "out_task")
        let runtime = try Handles.runtimes.find(runtime, "runtime")
        let options = try makeOptions(options)
        let handle = try Handles.tasks.reserve()
        let task = CallTask(number: handle, board: runtime.board, options: nil)
        Handles.tasks.fill(handle, HostTask(task))
        do throws(Failure) {
            outRequest.pointee = try hold { () throws(Failure) in try runtime.listen(options, task: task) }
        } catch {
            Handles.tasks.remove(handle)
            throw error
        }
        outTask.pointee = OpaquePointer(bitPattern: handle)
    }
}

@_cdecl("mtoken_task_oidc_attributes") @implementation
public func mtoken_task_oidc_attributes(_ task: OpaquePointer!) -> UnsafePointer<mtoken_oidc_attributes>! {
    result(of: task, { $0.login }, { $0.put($1) })
}
