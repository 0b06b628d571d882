// SPDX-License-Identifier: Apache-2.0
// The header documents these functions.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CMToken
import MobileToken
import MobileTokenCrypto
import MobileTokenJSON
import MobileTokenModel
import MobileTokenSystem

extension Arena {
    fileprivate func made(_ request: MobileAuthRequest) -> mtoken_mobile_auth_request {
        mtoken_mobile_auth_request(
            transaction_id: text(request.transactionId), profile: text(request.profile), date: request.date ?? -1,
            time_to_live_s: request.timeToLive ?? -1, operation_name: text(request.type),
            message: text(request.message), user_info: text(request.userInfo),
            user_info_length: request.userInfo?.utf8.count ?? 0, operation: request.operation.map { put($0) })
    }

    func put(_ request: MobileAuthRequest) -> UnsafePointer<mtoken_mobile_auth_request> { put(made(request)) }

    func put(_ requests: [MobileAuthRequest]) -> UnsafePointer<mtoken_mobile_auth_list> {
        put(mtoken_mobile_auth_list(count: requests.count, requests: pointers(requests) { put($0) }))
    }

    func put(_ outcome: MobileAuthOutcome) -> UnsafePointer<mtoken_mobile_auth_outcome> {
        var result = mtoken_mobile_auth_outcome()
        result.request = put(outcome.request)
        result.error = outcome.error?.rawValue ?? MTOKEN_MOBILE_AUTH_OK.rawValue
        result.is_denied = outcome.isDenied ? 1 : 0
        result.custom_info = text(outcome.customInfo)
        result.server_info = text(outcome.serverInfo)
        let (kind, name) = outcome.authenticator.hostValue
        result.authenticator_kind = kind
        result.authenticator_name = text(name)
        return put(result)
    }

    fileprivate func put(_ authenticator: MobileAuth.Authenticator) -> UnsafePointer<mtoken_authenticator> {
        let (kind, name) = authenticator.kind.hostValue
        return put(
            mtoken_authenticator(
                kind: kind, is_registered: authenticator.isRegistered ? 1 : 0,
                is_preferred: authenticator.isPreferred ? 1 : 0, name: text(name)))
    }

    func put(_ challenge: Challenge) -> UnsafePointer<mtoken_challenge_info> {
        put(
            mtoken_challenge_info(
                kind: challenge.kind.rawValue, attempt: challenge.attempt, request: put(challenge.request),
                previous_error: challenge.previous.map { put($0) },
                remaining_attempts: challenge.remainingAttempts ?? -1, prompt: text(challenge.prompt),
                authenticator_name: text(challenge.authenticator),
                custom_info: text(challenge.customInfo), server_info: text(challenge.serverInfo),
                summary: challenge.request.operation.map { text($0.summary) }))
    }
}

extension MobileAuthOutcome.Authenticator {
    fileprivate var hostValue: (kind: Int32, name: String?) {
        switch self {
        case .none: (MTOKEN_AUTHENTICATOR_NONE.rawValue, nil)
        case .pin: (MTOKEN_AUTHENTICATOR_PIN.rawValue, nil)
        case .biometric: (MTOKEN_AUTHENTICATOR_BIOMETRIC.rawValue, nil)
        case .custom(let name): (MTOKEN_AUTHENTICATOR_CUSTOM.rawValue, name)
        }
    }
}

@_cdecl("mtoken_mobile_auth_error_name") @implementation
public func mtoken_mobile_auth_error_name(_ error: Int32) -> UnsafePointer<CChar>! {
    guard error != MTOKEN_MOBILE_AUTH_OK.rawValue else { return cString("ok") }
    return MobileAuthError(rawValue: error).map { cString($0.reason) }
}

// MARK: Requests

@_cdecl("mtoken_mobile_auth_from_push") @implementation
public func mtoken_mobile_auth_from_push(
    _ client_: OpaquePointer!, _ payload: UnsafePointer<CChar>!, _ payload_length: Int,
    _ out_request: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_mobile_auth_request>?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_request, "out_request")
        let client = try client(client_)
        guard let push = try parsePush(payload, payload_length), let request = client.mobileAuth.request(of: push)
        else {
            return
        }
        let arena = Arena(room: 1024)
        out.pointee = arena.result(arena.made(request))
    }
}

@_cdecl("mtoken_mobile_auth_request_free") @implementation
public func mtoken_mobile_auth_request_free(_ request: UnsafeMutablePointer<mtoken_mobile_auth_request>!) {
    Arena.free(request)
}

@_cdecl("mtoken_mobile_auth_pending") @implementation
public func mtoken_mobile_auth_pending(
    _ client: OpaquePointer!, _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in
            try client.mobileAuth.pending(task: task)
        }
    }
}

@_cdecl("mtoken_task_mobile_auth_list") @implementation
public func mtoken_task_mobile_auth_list(_ task: OpaquePointer!) -> UnsafePointer<mtoken_mobile_auth_list>! {
    result(of: task, { $0.requests }, { $0.put($1) })
}

// MARK: Handling

private func makeOptions(
    _ pointer: UnsafePointer<mtoken_mobile_auth_options>?, _ client: Client
) throws(Failure) -> MobileAuth.Options {
    var result = MobileAuth.Options()
    guard let pointer else { return result }
    let options = try Input.options(pointer, "options")
    guard options.reserved == 0 else { throw .argument("reserved must be 0.") }
    result.handlesBiometry = try Input.flag(options.handles_biometry, "handles_biometry")
    result.handlesProximity = try Input.flag(options.handles_proximity, "handles_proximity")
    result.authenticator = try Input.text(options.authenticator, "authenticator")
    result.prompt = try Input.text(options.prompt, "prompt")
    result.extras = try makeExtras(
        data: options.mobile_token_data, otp: options.proximity_otp, type: options.proximity_source,
        received: options.proximity_received, now: client.deviceTime)
    return result
}

@_cdecl("mtoken_mobile_auth_handle") @implementation
public func mtoken_mobile_auth_handle(
    _ client: OpaquePointer!, _ transaction_id: UnsafePointer<CChar>!, _ transaction_id_length: Int,
    _ options: UnsafePointer<mtoken_mobile_auth_options>!, _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in
            let id = try Input.text(transaction_id, transaction_id_length, "transaction_id")
            try client.mobileAuth.handle(
                try client.mobileAuth.request(transactionId: id), options: try makeOptions(options, client), task: task)
        }
    }
}

@_cdecl("mtoken_mobile_auth_handle_push") @implementation
public func mtoken_mobile_auth_handle_push(
    _ client: OpaquePointer!, _ payload: UnsafePointer<CChar>!, _ payload_length: Int,
    _ options: UnsafePointer<mtoken_mobile_auth_options>!, _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in
            let options = try makeOptions(options, client)
            _ = try Input.text(payload, payload_length, "payload")  // what is wrong with any client comes first
            try client.mobileAuth.requireEnrolment()
            try client.mobileAuth.handle(try request(client, payload, payload_length), options: options, task: task)
        }
    }
}

@_cdecl("mtoken_mobile_auth_handle_code") @implementation
public func mtoken_mobile_auth_handle_code(
    _ client: OpaquePointer!, _ code: UnsafePointer<CChar>!, _ code_length: Int, _ source: Int32,
    _ options: UnsafePointer<mtoken_mobile_auth_options>!, _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in
            var options = try makeOptions(options, client)
            guard options.extras.proximity == nil else {
                throw .argument("options", " has a password beside the code's.")
            }
            let text = try Input.unchecked(code, code_length, "code")
            let (id, otp) = try readCode(text, source) { (code) in
                (
                    String(utf8: code.operationId),
                    code.totp.map { String(utf8: $0) }
                )
            }
            guard let otp else { throw .argument("code", " has no one-time password.") }
            options.extras.proximity = try proximityCheck(otp, source, 0, now: client.deviceTime)
            try client.mobileAuth.handle(
                try client.mobileAuth.request(transactionId: id), options: options, claiming: true, task: task)
        }
    }
}

/// The request of a payload, which must be one of this client's.
private func request(
    _ client: Client, _ payload: UnsafePointer<CChar>?, _ length: Int
) throws(Failure) -> MobileAuthRequest {
    var offset: Int?
    do throws(Failure) {
        if let push = try parsePush(payload, length), let request = client.mobileAuth.request(of: push) {
            return request
        }
    } catch {
        guard error.code == .parse else { throw error }
        offset = error.byteOffset
    }
    var failure = Failure(
        .unsupported, MobileAuthError.notHandleable.reason, "The payload is not a request for this client.")
    failure.byteOffset = offset
    throw failure
}

@_cdecl("mtoken_task_mobile_auth") @implementation
public func mtoken_task_mobile_auth(_ task: OpaquePointer!) -> UnsafePointer<mtoken_mobile_auth_outcome>! {
    guard let held = Handles.tasks[task], let progress = held.task.mobileAuth, held.task.state != .running else {
        return nil
    }
    return held.part(.outcome) { $0.put(progress.value) }
}

// MARK: Authenticators

@_cdecl("mtoken_mobile_auth_get_authenticators") @implementation
public func mtoken_mobile_auth_get_authenticators(
    _ client_: OpaquePointer!, _ options: UnsafePointer<mtoken_mobile_auth_options>!,
    _ out_list: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_authenticator_list>?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_list, "out_list")
        let client = try client(client_)
        let found = try client.mobileAuth.authenticators(try makeOptions(options, client))
        let arena = Arena(room: 256)
        out.pointee = arena.result(
            mtoken_authenticator_list(count: found.count, authenticators: arena.pointers(found) { arena.put($0) }))
    }
}

@_cdecl("mtoken_authenticator_list_free") @implementation
public func mtoken_authenticator_list_free(_ list: UnsafeMutablePointer<mtoken_authenticator_list>!) {
    Arena.free(list)
}

@_cdecl("mtoken_mobile_auth_register_authenticator") @implementation
public func mtoken_mobile_auth_register_authenticator(
    _ client_: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ name_length: Int, _ key: UnsafePointer<UInt8>!,
    _ key_length: Int, _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let client = try client(client_)
        try client.mobileAuth.registerAuthenticator(
            try Input.text(name, name_length, "name"), key: try secret(key, key_length, "key"))
    }
}

@_cdecl("mtoken_mobile_auth_unregister_authenticator") @implementation
public func mtoken_mobile_auth_unregister_authenticator(
    _ client_: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ name_length: Int,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try client(client_).mobileAuth.unregisterAuthenticator(try Input.text(name, name_length, "name"))
    }
}

/// Secret bytes; nil: empty.
private func secret(
    _ data: UnsafePointer<UInt8>?, _ length: Int, _ name: StaticString
) throws(Failure) -> SecureBytes? {
    let bytes = try Input.secret(data, length, name)
    return bytes.count == 0 ? nil : bytes
}

// MARK: Challenges

/// A challenge that a host holds: freed unanswered, it counts as cancelled.
package final class HostChallenge: @unchecked Sendable {
    let challenge: Challenge
    private let lock = Lock()
    private let arena = Arena(room: 1024)
    private var info: UnsafePointer<mtoken_challenge_info>?

    init(_ challenge: Challenge) { self.challenge = challenge }

    deinit {
        try? challenge.answer(.abandon)
        arena.free()
    }

    var hostInfo: UnsafePointer<mtoken_challenge_info> {
        lock.withLock {
            if let info { return info }
            let made = arena.put(challenge)
            info = made
            return made
        }
    }
}

/// Gives a challenge to the host.
func hold(_ challenge: HostChallenge) -> OpaquePointer? {
    try? Handles.challenges.hold { _ in challenge }
}

@_cdecl("mtoken_challenge_get_info") @implementation
public func mtoken_challenge_get_info(_ challenge: OpaquePointer!) -> UnsafePointer<mtoken_challenge_info>! {
    Handles.challenges[challenge]?.hostInfo
}

@_cdecl("mtoken_challenge_client") @implementation
public func mtoken_challenge_client(_ challenge: OpaquePointer!) -> OpaquePointer! {
    OpaquePointer(bitPattern: Handles.challenges[challenge]?.challenge.client ?? 0)
}

@_cdecl("mtoken_challenge_task") @implementation
public func mtoken_challenge_task(_ challenge: OpaquePointer!) -> OpaquePointer! {
    OpaquePointer(bitPattern: Handles.challenges[challenge]?.challenge.task.number ?? 0)
}

/// Answers a challenge. Not copied into each exported function.
@inline(never)
private func answer(
    _ handle: OpaquePointer?, _ out_error: ErrorOut?,
    _ make: () throws(Failure) -> Challenge.Answer
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try Handles.challenges.find(handle, "challenge").challenge.answer(try make())
    }
}

@_cdecl("mtoken_challenge_confirm") @implementation
public func mtoken_challenge_confirm(
    _ challenge: OpaquePointer!, _ out_error: ErrorOut!
) -> mtoken_status {
    answer(challenge, out_error) { () throws(Failure) in .confirm }
}

@_cdecl("mtoken_challenge_deny") @implementation
public func mtoken_challenge_deny(
    _ challenge: OpaquePointer!, _ reason: UnsafePointer<CChar>!, _ reason_length: Int,
    _ out_error: ErrorOut!
) -> mtoken_status {
    answer(challenge, out_error) { () throws(Failure) in
        .deny(try optionalText(reason, reason_length, "reason") ?? MTOKEN_REJECT_UNKNOWN)
    }
}

@_cdecl("mtoken_challenge_pin") @implementation
public func mtoken_challenge_pin(
    _ challenge: OpaquePointer!, _ pin: UnsafePointer<UInt8>!, _ pin_length: Int,
    _ out_error: ErrorOut!
) -> mtoken_status {
    answer(challenge, out_error) { () throws(Failure) in .pin(try given(pin, pin_length, "pin")) }
}

@_cdecl("mtoken_challenge_biometric") @implementation
public func mtoken_challenge_biometric(
    _ challenge: OpaquePointer!, _ key: UnsafePointer<UInt8>!, _ key_length: Int,
    _ out_error: ErrorOut!
) -> mtoken_status {
    answer(challenge, out_error) { () throws(Failure) in .biometric(try given(key, key_length, "key")) }
}

@_cdecl("mtoken_challenge_custom") @implementation
public func mtoken_challenge_custom(
    _ challenge: OpaquePointer!, _ key: UnsafePointer<UInt8>!, _ key_length: Int, _ info: UnsafePointer<CChar>!,
    _ info_length: Int, _ out_error: ErrorOut!
) -> mtoken_status {
    answer(challenge, out_error) { () throws(Failure) in
        .custom(try secret(key, key_length, "key"), data: try optionalText(info, info_length, "info"))
    }
}

@_cdecl("mtoken_challenge_proximity") @implementation
public func mtoken_challenge_proximity(
    _ challenge: OpaquePointer!, _ otp: UnsafePointer<CChar>!, _ otp_length: Int, _ source: Int32, _ received: Int64,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let challenge = try Handles.challenges.find(challenge, "challenge").challenge
        let otp = try Input.text(otp, otp_length, "otp")
        try challenge.answer(.proximity(try proximityCheck(otp, source, received, now: challenge.deviceTime)))
    }
}

@_cdecl("mtoken_challenge_use_pin") @implementation
public func mtoken_challenge_use_pin(
    _ challenge: OpaquePointer!, _ custom_info: UnsafePointer<CChar>!, _ custom_info_length: Int,
    _ out_error: ErrorOut!
) -> mtoken_status {
    answer(challenge, out_error) { () throws(Failure) in
        .usePIN(try optionalText(custom_info, custom_info_length, "custom_info"))
    }
}

@_cdecl("mtoken_challenge_cancel") @implementation
public func mtoken_challenge_cancel(
    _ challenge: OpaquePointer!, _ out_error: ErrorOut!
) -> mtoken_status {
    answer(challenge, out_error) { () throws(Failure) in .cancel }
}

@_cdecl("mtoken_challenge_free") @implementation
public func mtoken_challenge_free(_ challenge: OpaquePointer!) {
    // Not in the last reference's end alone: another thread may hold one for a moment.
    try? Handles.challenges.remove(challenge)?.challenge.answer(.abandon)
}

/// A text; nil: NULL.
private func optionalText(
    _ data: UnsafePointer<CChar>?, _ length: Int, _ name: StaticString
) throws(Failure) -> String? {
    try Input.text(mtoken_text(data: data, length: length), name)
}

/// Secret bytes that must be given.
private func given(
    _ data: UnsafePointer<UInt8>?, _ length: Int, _ name: StaticString
) throws(Failure) -> SecureBytes {
    guard let bytes = try secret(data, length, name) else { throw .argument(name, " is empty.") }
    return bytes
}
