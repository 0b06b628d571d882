// SPDX-License-Identifier: Apache-2.0
// The header documents these functions.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CMToken
import MobileToken
import MobileTokenJSON
import MobileTokenModel

@_cdecl("mtoken_push_register") @implementation
public func mtoken_push_register(
    _ client: OpaquePointer!, _ options: UnsafePointer<mtoken_push_options>!,
    _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in
            try client.push.register(try makeRegistration(try Input.options(options, "options")), task: task)
        }
    }
}

func makeRegistration(_ options: mtoken_push_options) throws(Failure) -> PushRegistration {
    guard options.reserved == 0 else { throw .argument("reserved must be 0.") }
    let service: PushRegistration.Service
    switch options.platform {
    case MTOKEN_PUSH_PLATFORM_APNS.rawValue: service = .apns
    case MTOKEN_PUSH_PLATFORM_FCM.rawValue: service = .fcm
    case MTOKEN_PUSH_PLATFORM_HMS.rawValue: service = .hms
    default: throw .argument("platform is unknown.")
    }
    let environment: PushRegistration.Environment?
    switch options.environment {
    case MTOKEN_PUSH_ENVIRONMENT_DEFAULT.rawValue: environment = nil
    case MTOKEN_PUSH_ENVIRONMENT_DEVELOPMENT.rawValue: environment = .development
    case MTOKEN_PUSH_ENVIRONMENT_PRODUCTION.rawValue: environment = .production
    default: throw .argument("environment is unknown.")
    }
    let text = try Input.text(options.token, "token")
    let bytes = try Input.bytes(options.token_bytes.data, options.token_bytes.length, "token_bytes")
    guard (text == nil) != bytes.isEmpty else { throw .argument("Set either token or token_bytes.") }
    guard bytes.isEmpty || service == .apns else { throw .argument("token_bytes is for APNs only.") }
    return try PushRegistration(
        service: service, token: text ?? PushRegistration.text(ofToken: [UInt8](bytes)), environment: environment,
        legacyServer: try Input.flag(options.is_legacy_server, "is_legacy_server"))
}

@_cdecl("mtoken_push_is_registered") @implementation
public func mtoken_push_is_registered(_ client: OpaquePointer!) -> Int32 {
    Handles.client(client)?.push.isRegistered == true ? 1 : 0
}

@_cdecl("mtoken_push_parse") @implementation
public func mtoken_push_parse(
    _ payload: UnsafePointer<CChar>!, _ payload_length: Int,
    _ out_message: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_push_message>?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_message, "out_message")
        guard let message = try parsePush(payload, payload_length) else { return }
        out.pointee = give(message, client: nil)
    }
}

@_cdecl("mtoken_runtime_route_push") @implementation
public func mtoken_runtime_route_push(
    _ runtime: OpaquePointer!, _ payload: UnsafePointer<CChar>!, _ payload_length: Int,
    _ out_message: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_push_message>?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_message, "out_message")
        let runtime = try Handles.runtimes.find(runtime, "runtime")
        guard let message = try parsePush(payload, payload_length) else { return }
        let handle = Handles.clients.first { $0.isMeant(by: message, in: runtime) }
        Handles.clients[handle]?.received(message)
        out.pointee = give(message, client: handle)
    }
}

private func give(_ message: PushMessage, client: OpaquePointer?) -> UnsafeMutablePointer<mtoken_push_message> {
    let json = message.json.raw
    let arena = Arena(room: 512 &+ 2 &* json.count)
    return arena.result(
        mtoken_push_message(
            kind: message.kind.hostValue, operation_id: arena.text(message.operationId),
            operation_name: arena.text(message.operationName), result: message.result?.hostValue ?? 0,
            result_text: arena.text(message.rawResult), inbox_id: arena.text(message.inboxId),
            title: arena.text(message.title), body: arena.text(message.body),
            activation_id: arena.text(message.activationId), is_silent: hostValue(message.isSilent),
            json: arena.text(json), json_length: json.count, client: client))
}

/// The push message of a payload; nil: not of this system.
func parsePush(_ payload: UnsafePointer<CChar>?, _ length: Int) throws(Failure) -> PushMessage? {
    let text = try Input.text(payload, length, "payload")
    do throws(JSONError) {
        return try PushMessage.parse([UInt8](text.utf8))
    } catch {
        var failure = Failure(.parse, "invalidArgument", "The payload of the push message is not a JSON object.")
        failure.byteOffset = error.offset
        throw failure
    }
}

@_cdecl("mtoken_push_message_free") @implementation
public func mtoken_push_message_free(_ message: UnsafeMutablePointer<mtoken_push_message>!) { Arena.free(message) }

extension PushMessage.Kind {
    fileprivate var hostValue: Int32 {
        switch self {
        case .operationCreated: MTOKEN_PUSH_KIND_OPERATION_CREATED.rawValue
        case .operationFinished: MTOKEN_PUSH_KIND_OPERATION_FINISHED.rawValue
        case .inboxMessage: MTOKEN_PUSH_KIND_INBOX_MESSAGE.rawValue
        case .statusChange: MTOKEN_PUSH_KIND_STATUS_CHANGE.rawValue
        }
    }
}

extension PushMessage.Result {
    fileprivate var hostValue: Int32 {
        switch self {
        case .unknown: MTOKEN_PUSH_RESULT_UNKNOWN.rawValue
        case .success: MTOKEN_PUSH_RESULT_SUCCESS.rawValue
        case .fail: MTOKEN_PUSH_RESULT_FAIL.rawValue
        case .timeout: MTOKEN_PUSH_RESULT_TIMEOUT.rawValue
        case .canceled: MTOKEN_PUSH_RESULT_CANCELED.rawValue
        case .methodNotAvailable: MTOKEN_PUSH_RESULT_METHOD_NOT_AVAILABLE.rawValue
        }
    }
}
