// The header documents these functions.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CMToken
import MobileToken

@_cdecl("mtoken_error_free") @implementation
public func mtoken_error_free(_ error: UnsafeMutablePointer<mtoken_error>!) { Arena.free(error) }

extension Arena {
    /// A failure as the host reads it.
    @inline(never)
    private func made(_ failure: Failure) -> mtoken_error {
        mtoken_error(
            code: failure.code.rawValue, outcome: failure.outcome.rawValue, reason: cString(failure.reason),
            message: text(failure.message), http_status: failure.httpStatus,
            remaining_attempts: failure.remainingAttempts ?? -1, server_code: text(failure.serverCode),
            server_message: text(failure.serverMessage), server_uri: text(failure.serverURI),
            server_code_number: ServerCode.number(failure.serverCode), is_retriable: failure.retriable ? 1 : 0,
            network_fault: failure.networkFault.rawValue, tls_fault: failure.tlsFault.rawValue,
            byte_offset: failure.byteOffset.map(Int64.init) ?? -1, line: Int32(clamping: failure.line ?? 0),
            recovery_puk_index: failure.recoveryPUKIndex ?? 0, cause: text(failure.cause),
            upstream_reason: cString(failure.upstreamReason ?? failure.reason),
            retry_after_ms: failure.retryAfter ?? -1, correlation_id: text(failure.correlationID))
    }

    func put(_ failure: Failure) -> UnsafePointer<mtoken_error> { put(made(failure)) }

    /// A failure that the host frees.
    static func error(_ failure: Failure) -> UnsafeMutablePointer<mtoken_error> {
        let arena = Arena(room: 512)
        return arena.result(arena.made(failure))
    }
}

@_cdecl("mtoken_error_name") @implementation
public func mtoken_error_name(_ code: Int32) -> UnsafePointer<CChar>! {
    guard code != MTOKEN_OK.rawValue else { return cString("MTOKEN_OK") }
    return Failure.Code(rawValue: code).map { cString($0.words.name) }
}

@_cdecl("mtoken_error_description") @implementation
public func mtoken_error_description(_ code: Int32) -> UnsafePointer<CChar>! {
    guard code != MTOKEN_OK.rawValue else { return cString("The call succeeded.") }
    return Failure.Code(rawValue: code).map { cString($0.words.description) }
}

@_cdecl("mtoken_error_is_operation_over") @implementation
public func mtoken_error_is_operation_over(_ error: UnsafePointer<mtoken_error>!) -> Int32 {
    switch error?.pointee.server_code_number {
    case MTOKEN_SERVER_CODE_OPERATION_ALREADY_FINISHED.rawValue, MTOKEN_SERVER_CODE_OPERATION_ALREADY_FAILED.rawValue,
        MTOKEN_SERVER_CODE_OPERATION_ALREADY_CANCELED.rawValue, MTOKEN_SERVER_CODE_OPERATION_EXPIRED.rawValue:
        1
    default: 0
    }
}

@_cdecl("mtoken_server_code_name") @implementation
public func mtoken_server_code_name(_ number: Int32) -> UnsafePointer<CChar>! {
    guard number > 0, Int(number) < ServerCode.names.count else { return nil }
    return cString(ServerCode.names[Int(number)])
}

extension Failure.Code {
    /// The code's name in the header, and what it means.
    fileprivate var words: (name: StaticString, description: StaticString) {
        switch self {
        case .argument:
            ("MTOKEN_ERROR_ARGUMENT", "An argument is missing, malformed, too long, or not valid UTF-8.")
        case .handle: ("MTOKEN_ERROR_HANDLE", "A handle is NULL, freed or foreign.")
        case .state: ("MTOKEN_ERROR_STATE", "The call is not allowed now.")
        case .notActivated: ("MTOKEN_ERROR_NOT_ACTIVATED", "The client has no activation; nothing was sent.")
        case .pending:
            (
                "MTOKEN_ERROR_PENDING",
                "An activation is in progress on this device: it must be persisted or cancelled first."
            )
        case .cancelled: ("MTOKEN_ERROR_CANCELLED", "The call was cancelled, or its client or runtime was freed.")
        case .timeout: ("MTOKEN_ERROR_TIMEOUT", "The time given has passed.")
        case .network:
            ("MTOKEN_ERROR_NETWORK", "There is no connection, it was lost, or the server's name was not found.")
        case .tls: ("MTOKEN_ERROR_TLS", "TLS failed or the server's certificate is not trusted.")
        case .pinMismatch: ("MTOKEN_ERROR_PIN_MISMATCH", "The server's public key is none of the pinned ones.")
        case .http: ("MTOKEN_ERROR_HTTP", "The server answered with an HTTP error and no readable error object.")
        case .server: ("MTOKEN_ERROR_SERVER", "The server answered with an error object.")
        case .authentication:
            ("MTOKEN_ERROR_AUTHENTICATION", "The server refused the request although the activation is active.")
        case .protocol: ("MTOKEN_ERROR_PROTOCOL", "The server's answer breaks the protocol.")
        case .decryption:
            ("MTOKEN_ERROR_DECRYPTION", "The answer cannot be decrypted, or its authentication code is wrong.")
        case .signature:
            ("MTOKEN_ERROR_SIGNATURE", "A signature of the server is wrong, or a signature could not be computed.")
        case .storage: ("MTOKEN_ERROR_STORAGE", "The state could not be loaded, saved or removed.")
        case .tampered:
            ("MTOKEN_ERROR_TAMPERED", "The stored state is damaged or was changed; it was left as it is.")
        case .busy:
            ("MTOKEN_ERROR_BUSY", "Another process or client uses this activation, or the call is running already.")
        case .parse: ("MTOKEN_ERROR_PARSE", "A text is malformed; the error tells where.")
        case .notFound: ("MTOKEN_ERROR_NOT_FOUND", "The named thing does not exist.")
        case .factor:
            ("MTOKEN_ERROR_FACTOR", "The factor is not set up, or is not allowed here; nothing was sent.")
        case .unsupported:
            ("MTOKEN_ERROR_UNSUPPORTED", "The server or the stored state asks for something this version cannot do.")
        case .configuration: ("MTOKEN_ERROR_CONFIGURATION", "The client's configuration is invalid.")
        case .internal: ("MTOKEN_ERROR_INTERNAL", "A library below failed, e.g. for want of memory.")
        case .pendingCommit: ("MTOKEN_ERROR_PENDING_COMMIT", "The bank has yet to confirm the activation.")
        case .blocked: ("MTOKEN_ERROR_BLOCKED", "The activation is blocked; the bank can unblock it.")
        case .removed: ("MTOKEN_ERROR_REMOVED", "The server has removed the activation.")
        }
    }
}
