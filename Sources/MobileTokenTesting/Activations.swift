// SPDX-License-Identifier: Apache-2.0
// The header documents these functions.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CMToken
import CMTokenTesting
import MobileToken
import MobileTokenC
import MobileTokenCrypto
import PowerAuth

@_cdecl("mtoken_testing_client_adopt") @implementation
public func mtoken_testing_client_adopt(
    _ client: OpaquePointer!, _ activation: UnsafePointer<mtoken_testing_activation>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let client = try liveClient(client)
        guard activation != nil else { throw .argument("activation is NULL.") }
        let given = try Input.options(activation, "activation")
        guard let identifier = try Input.text(given.activation_id, "activation_id"),
            let secret = try part(given.secret, "secret"), let counter = try part(given.counter, "counter"),
            let pin = try part(given.pin, "pin")
        else { throw .argument("activation_id, secret, counter and pin are required.") }
        guard let byte = UInt8(exactly: given.counter_byte) else { throw .argument("counter_byte is no byte.") }
        guard given.reserved == 0 else { throw .argument("reserved must be 0.") }
        var known = KnownActivation(
            identifier: [UInt8](identifier.utf8), secret: secret, counter: counter, counterByte: byte)
        known.possession = try part(given.possession, "possession")
        known.knowledge = try part(given.knowledge, "knowledge")
        known.biometry = try part(given.biometry, "biometry")
        known.transport = try part(given.transport, "transport")
        known.serverKey = try part(given.server_key, "server_key")?.withBytes { [UInt8]($0) }
        known.serverSecondKey = try part(given.server_second_key, "server_second_key")?.withBytes { [UInt8]($0) }
        try client.adopt(known, pin: pin, biometryKey: try part(given.biometry_key, "biometry_key"))
    }
}

@_cdecl("mtoken_testing_client_keep_key") @implementation
public func mtoken_testing_client_keep_key(
    _ client: OpaquePointer!, _ scope: Int32, _ key_id: UnsafePointer<CChar>!, _ key_id_length: Int,
    _ secret: UnsafePointer<UInt8>!, _ secret_length: Int, _ expires: Int64,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let client = try liveClient(client)
        let identifier = [UInt8](try Input.text(key_id, key_id_length, "key_id").utf8)
        let secret = SecureBytes(copying: try Input.bytes(secret, secret_length, "secret"))
        let known: EncryptionScope
        switch scope {
        case MTOKEN_SCOPE_APPLICATION.rawValue: known = .application
        case MTOKEN_SCOPE_ACTIVATION.rawValue: known = .activation
        default: throw .argument("scope is unknown.")
        }
        try client.keepTemporaryKey(scope: known, id: identifier, secret: secret, expires: expires)
    }
}

private func liveClient(_ handle: OpaquePointer?) throws(Failure) -> Client {
    guard let client = Handles.client(handle) else { throw .unusable(handle, "client") }
    return client
}

/// A member that is there or empty.
private func part(_ bytes: mtoken_bytes, _ name: StaticString) throws(Failure) -> SecureBytes? {
    let bytes = try Input.bytes(bytes.data, bytes.length, name)
    return bytes.isEmpty ? nil : SecureBytes(copying: bytes)
}
