// The header documents these functions.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CMToken
import CSystem
import MobileToken

@_cdecl("mtoken_error_free") @implementation
public func mtoken_error_free(_ error: UnsafeMutablePointer<mtoken_error>!) { free(error) }

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
    guard number > 0, Int(number) < ServerCode.names.count else { return nil }
    return cString(ServerCode.names[Int(number)])
}
