// SPDX-License-Identifier: Apache-2.0
// The header documents these functions.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CMToken
import MobileToken

@_cdecl("mtoken_error_free") @implementation
public func mtoken_error_free(_ error: UnsafeMutablePointer<mtoken_error>!) { Arena.free(error) }

/// Where the host wants the error of a call; nil: it does not.
public typealias ErrorOut = UnsafeMutablePointer<UnsafeMutablePointer<mtoken_error>?>

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
            retry_after_ms: failure.retryAfter ?? -1, correlation_id: text(failure.correlationID),
            custom_info: text(failure.customInfo))
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
    Constants.words(code).map { cString($0.name) }
}

@_cdecl("mtoken_error_description") @implementation
public func mtoken_error_description(_ code: Int32) -> UnsafePointer<CChar>! {
    Constants.words(code).map { cString($0.description) }
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
    ServerCode.name(number).map { UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self) }
}
