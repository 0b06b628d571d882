// The header documents these functions.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CMToken
import CSystem
import MobileToken
import MobileTokenJSON
import MobileTokenModel

@_cdecl("mtoken_push_register") @implementation
public func mtoken_push_register(
    _ client: OpaquePointer!, _ options: UnsafePointer<mtoken_push_options>!,
    _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_error>?>!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in
            try client.push.register(try makeRegistration(try Input.options(options, "options")), task: task)
        }
    }
}

func makeRegistration(_ options: mtoken_push_options) throws(Failure) -> PushRegistration {
    guard options.reserved == 0 else { throw .argument("reserved is not 0.") }
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
    guard (text == nil) != bytes.isEmpty else { throw .argument("Either token or token_bytes must be given.") }
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
    _ out_error: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_error>?>!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_message, "out_message")
        guard let message = try parsePush(payload, payload_length) else { return }
        let json = message.json.raw
        let texts = [
            message.operationId, message.operationName, message.rawResult, message.inboxId, message.content?.title,
            message.content?.body, message.activationId,
        ]
        out.pointee = block(texts.map { $0?.string } + [String(decoding: json, as: UTF8.self)]) { texts in
            mtoken_push_message(
                kind: message.kind.hostValue, operation_id: texts[0], operation_name: texts[1],
                result: message.result?.hostValue ?? 0, result_text: texts[2], inbox_id: texts[3], title: texts[4],
                body: texts[5], activation_id: texts[6],
                is_silent: message.isSilent.map { $0 ? MTOKEN_YES.rawValue : MTOKEN_NO.rawValue }
                    ?? MTOKEN_UNSET.rawValue, json: texts[7],
                json_length: json.count)
        }
        guard out.pointee != nil else { throw outOfMemory }
    }
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
public func mtoken_push_message_free(_ message: UnsafeMutablePointer<mtoken_push_message>!) { free(message) }

extension PushMessage.Kind {
    fileprivate var hostValue: Int32 {
        switch self {
        case .operationCreated: MTOKEN_PUSH_KIND_OPERATION_CREATED.rawValue
        case .operationFinished: MTOKEN_PUSH_KIND_OPERATION_FINISHED.rawValue
        case .inboxMessage: MTOKEN_PUSH_KIND_INBOX_MESSAGE.rawValue
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
