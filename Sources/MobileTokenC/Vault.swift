// SPDX-License-Identifier: Apache-2.0
// The header documents these functions.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CMToken
import MobileToken
import MobileTokenCrypto
import PowerAuth

extension Arena {
    func put(_ data: SecureBytes) -> UnsafePointer<mtoken_bytes> {
        put(mtoken_bytes(data: bytes(data), length: data.count))
    }

    func put(_ recovery: RecoveryData) -> UnsafePointer<mtoken_recovery> {
        put(mtoken_recovery(code: text(recovery.code), puk: text(recovery.puk)))
    }
}

@_cdecl("mtoken_task_bytes") @implementation
public func mtoken_task_bytes(_ task: OpaquePointer!) -> UnsafePointer<mtoken_bytes>! {
    result(of: task, { $0.bytes }, { $0.put($1) })
}

@_cdecl("mtoken_vault_fetch_key") @implementation
public func mtoken_vault_fetch_key(
    _ client: OpaquePointer!, _ index: UInt64, _ auth: UnsafePointer<mtoken_auth>!,
    _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in
            try client.fetchEncryptionKey(index: index, authentication: try Input.authentication(auth), task: task)
        }
    }
}

@_cdecl("mtoken_vault_fetch_key_of") @implementation
public func mtoken_vault_fetch_key_of(
    _ client: OpaquePointer!, _ key: Int32, _ index: UInt64, _ size: Int, _ auth: UnsafePointer<mtoken_auth>!,
    _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in
            let id: V4.VaultKeyIdentifier
            switch key {
            case MTOKEN_VAULT_KEY_TWO_FACTORS.rawValue: id = .application2FA
            case MTOKEN_VAULT_KEY_KNOWLEDGE.rawValue: id = .applicationKnowledge
            default: throw .argument("key is unknown.")
            }
            try client.fetchKey(
                id, index: index, count: size, authentication: try Input.authentication(auth), task: task)
        }
    }
}

@_cdecl("mtoken_vault_sign_ml_dsa") @implementation
public func mtoken_vault_sign_ml_dsa(
    _ client: OpaquePointer!, _ bytes: UnsafePointer<UInt8>!, _ bytes_length: Int,
    _ auth: UnsafePointer<mtoken_auth>!, _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in
            try client.signWithDeviceKeyMLDSA(
                [UInt8](try Input.bytes(bytes, bytes_length, "bytes")),
                authentication: try Input.authentication(auth), task: task)
        }
    }
}

@_cdecl("mtoken_vault_sign") @implementation
public func mtoken_vault_sign(
    _ client: OpaquePointer!, _ bytes: UnsafePointer<UInt8>!, _ bytes_length: Int, _ form: Int32,
    _ auth: UnsafePointer<mtoken_auth>!, _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in
            try client.signWithDeviceKey(
                [UInt8](try Input.bytes(bytes, bytes_length, "bytes")), format: try Input.signatureForm(form),
                authentication: try Input.authentication(auth), task: task)
        }
    }
}

@_cdecl("mtoken_vault_sign_jwt") @implementation
public func mtoken_vault_sign_jwt(
    _ client: OpaquePointer!, _ claims: UnsafePointer<CChar>!, _ claims_length: Int,
    _ auth: UnsafePointer<mtoken_auth>!, _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in
            try client.signToken(
                claims: [UInt8](try Input.text(claims, claims_length, "claims").utf8),
                authentication: try Input.authentication(auth), task: task)
        }
    }
}

@_cdecl("mtoken_client_public_key") @implementation
public func mtoken_client_public_key(
    _ client_: OpaquePointer!, _ out_bytes: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_bytes>?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_bytes, "out_bytes")
        out.pointee = bytesResult(try client(client_).publicKey())
    }
}

private func fields(
    _ fields: UnsafePointer<mtoken_csr_field>?, _ count: Int, _ name: StaticString
) throws(Failure) -> [CertificateRequest.Field] {
    guard (0...32).contains(count), fields != nil || count == 0 else {
        throw .argument(name, " and its count do not match (at most 32).")
    }
    var result: [CertificateRequest.Field] = []
    guard let fields else { return result }
    for index in 0..<count {
        guard let name = try Input.text(fields[index].name, "name"),
            let value = try Input.text(fields[index].value, "value")
        else { throw .argument("A field needs a name and a value.") }
        result.append((name, value))
    }
    return result
}

@_cdecl("mtoken_client_sign_csr") @implementation
public func mtoken_client_sign_csr(
    _ client: OpaquePointer!, _ options: UnsafePointer<mtoken_csr_options>!, _ auth: UnsafePointer<mtoken_auth>!,
    _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in
            let options = try options.map { (options) throws(Failure) in try Input.options(options, "options") }
            try client.signRequest(
                subject: try fields(options?.subject, options?.subject_count ?? 0, "subject"),
                extensions: try fields(options?.extensions, options?.extension_count ?? 0, "extensions"),
                authentication: try Input.authentication(auth), task: task)
        }
    }
}

@_cdecl("mtoken_recovery_fetch") @implementation
public func mtoken_recovery_fetch(
    _ client: OpaquePointer!, _ auth: UnsafePointer<mtoken_auth>!, _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in
            try client.fetchRecoveryData(authentication: try Input.authentication(auth), task: task)
        }
    }
}

@_cdecl("mtoken_task_recovery") @implementation
public func mtoken_task_recovery(_ task: OpaquePointer!) -> UnsafePointer<mtoken_recovery>! {
    result(of: task, { $0.recoveryData }, { $0.put($1) })
}

@_cdecl("mtoken_recovery_confirm") @implementation
public func mtoken_recovery_confirm(
    _ client: OpaquePointer!, _ code: UnsafePointer<CChar>!, _ code_length: Int, _ auth: UnsafePointer<mtoken_auth>!,
    _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in
            guard let code = try Input.secretText(mtoken_text(data: code, length: code_length), "code") else {
                throw .argument("code is NULL.")
            }
            try client.confirmRecoveryCode(code, authentication: try Input.authentication(auth), task: task)
        }
    }
}

@_cdecl("mtoken_task_already_confirmed") @implementation
public func mtoken_task_already_confirmed(_ task: OpaquePointer!) -> Int32 {
    guard case .flag(let value)? = Handles.tasks[task]?.task.result else { return -1 }
    return value ? 1 : 0
}
