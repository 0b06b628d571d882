// SPDX-License-Identifier: Apache-2.0
// The header documents these functions.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CMToken
import MobileToken
import MobileTokenCrypto

@_cdecl("mtoken_pin_inspect") @implementation
public func mtoken_pin_inspect(_ pin: UnsafePointer<UInt8>!, _ pin_length: Int) -> mtoken_pin_weaknesses {
    guard let pin = try? Input.bytes(pin, pin_length, "pin") else { return MTOKEN_PIN_SHORT.rawValue }
    return PINWeaknesses.inspect(pin).rawValue
}

@_cdecl("mtoken_client_validate_pin") @implementation
public func mtoken_client_validate_pin(
    _ client: OpaquePointer!, _ pin: UnsafePointer<UInt8>!, _ pin_length: Int,
    _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in
            try client.validatePIN(try Input.secret(pin, pin_length, "pin"), task: task)
        }
    }
}

@_cdecl("mtoken_client_change_pin") @implementation
public func mtoken_client_change_pin(
    _ client: OpaquePointer!, _ old_pin: UnsafePointer<UInt8>!, _ old_pin_length: Int,
    _ new_pin: UnsafePointer<UInt8>!, _ new_pin_length: Int, _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in
            try client.changePIN(
                from: try Input.secret(old_pin, old_pin_length, "old_pin"),
                to: try Input.secret(new_pin, new_pin_length, "new_pin"), task: task)
        }
    }
}

@_cdecl("mtoken_client_change_pin_unsafe") @implementation
public func mtoken_client_change_pin_unsafe(
    _ client_: OpaquePointer!, _ old_pin: UnsafePointer<UInt8>!, _ old_pin_length: Int,
    _ new_pin: UnsafePointer<UInt8>!, _ new_pin_length: Int,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let client = try client(client_)
        try client.changePINUnsafely(
            from: try Input.secret(old_pin, old_pin_length, "old_pin"),
            to: try Input.secret(new_pin, new_pin_length, "new_pin"))
    }
}

@_cdecl("mtoken_client_add_biometry") @implementation
public func mtoken_client_add_biometry(
    _ client: OpaquePointer!, _ key: UnsafePointer<UInt8>!, _ key_length: Int, _ authenticator: UnsafePointer<CChar>!,
    _ authenticator_length: Int, _ auth: UnsafePointer<mtoken_auth>!, _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in
            try client.addBiometry(
                key: try Input.secret(key, key_length, "key"),
                authenticator: try Input.text(
                    mtoken_text(data: authenticator, length: authenticator_length), "authenticator"),
                authentication: try Input.authentication(auth), task: task)
        }
    }
}

@_cdecl("mtoken_client_remove_biometry") @implementation
public func mtoken_client_remove_biometry(
    _ client: OpaquePointer!, _ authenticator: UnsafePointer<CChar>!, _ authenticator_length: Int,
    _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in
            try client.removeBiometry(
                authenticator: try Input.text(
                    mtoken_text(data: authenticator, length: authenticator_length), "authenticator"),
                task: task)
        }
    }
}

@_cdecl("mtoken_client_set_external_key") @implementation
public func mtoken_client_set_external_key(
    _ client_: OpaquePointer!, _ key: UnsafePointer<UInt8>!, _ key_length: Int,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try client(client_).changeExternalKey(.set(try Input.secret(key, key_length, "key")))
    }
}

@_cdecl("mtoken_client_add_external_key") @implementation
public func mtoken_client_add_external_key(
    _ client_: OpaquePointer!, _ key: UnsafePointer<UInt8>!, _ key_length: Int,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try client(client_).changeExternalKey(.add(try Input.secret(key, key_length, "key")))
    }
}

@_cdecl("mtoken_client_remove_external_key") @implementation
public func mtoken_client_remove_external_key(
    _ client_: OpaquePointer!, _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in try client(client_).changeExternalKey(.remove) }
}
