// SPDX-License-Identifier: Apache-2.0
// The header documents these functions.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CMToken
import MobileToken
import MobileTokenCrypto
import PowerAuth

func encryptionScope(_ scope: Int32) throws(Failure) -> EncryptionScope {
    switch scope {
    case MTOKEN_SCOPE_APPLICATION.rawValue: return .application
    case MTOKEN_SCOPE_ACTIVATION.rawValue: return .activation
    default: throw .argument("scope is unknown.")
    }
}

func encryptionOrder(_ order: Int32) throws(Failure) -> RequestSignature.Order {
    switch order {
    case MTOKEN_ENCRYPT_THEN_SIGN.rawValue: return .encryptThenSign
    case MTOKEN_SIGN_THEN_ENCRYPT.rawValue: return .signThenEncrypt
    default: throw .argument("order is unknown.")
    }
}

@_cdecl("mtoken_client_encrypt") @implementation
public func mtoken_client_encrypt(
    _ client: OpaquePointer!, _ body: UnsafePointer<UInt8>!, _ body_length: Int,
    _ options: UnsafePointer<mtoken_encrypt_options>!, _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in
            let options = try Input.options(options, "options")
            let uriId = try Input.text(options.uri_id, "uri_id")
            var signature: RequestSignature?
            if let auth = options.auth {
                guard let uriId else { throw .argument("A signature needs uri_id.") }
                signature = RequestSignature(
                    uriId: uriId, order: try encryptionOrder(options.order),
                    authentication: try Input.authentication(auth))
            } else if uriId != nil || options.order != 0 {
                throw .argument("uri_id and order need auth.")
            }
            try client.requests.encrypt(
                SecureBytes(copying: try Input.bytes(body, body_length, "body")),
                scope: try encryptionScope(options.scope), signature: signature, task: task)
        }
    }
}

extension Arena {
    func put(_ request: EncryptedRequest) -> UnsafePointer<mtoken_encrypted_request> {
        put(
            mtoken_encrypted_request(
                body: bytes(request.body), body_length: request.body.count, header_name: cString(request.headerName),
                header_value: text(request.headerValue)))
    }
}

@_cdecl("mtoken_task_encrypted_request") @implementation
public func mtoken_task_encrypted_request(_ task: OpaquePointer!) -> UnsafePointer<mtoken_encrypted_request>! {
    result(of: task, { $0.encryptedRequest }, { $0.put($1) })
}

@_cdecl("mtoken_task_decrypt") @implementation
public func mtoken_task_decrypt(
    _ task: OpaquePointer!, _ answer: UnsafePointer<UInt8>!, _ answer_length: Int,
    _ out_bytes: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_bytes>?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_bytes, "out_bytes")
        let task = try Handles.tasks.find(task, "task").task
        let answer = try Input.bytes(answer, answer_length, "answer")
        guard case .encrypted(let request)? = task.result else {
            throw .state("The task has no encrypted request.")
        }
        out.pointee = bytesResult(try request.decrypt(answer))
    }
}

@_cdecl("mtoken_client_hmac") @implementation
public func mtoken_client_hmac(
    _ client_: OpaquePointer!, _ scope: Int32, _ bytes: UnsafePointer<UInt8>!, _ bytes_length: Int,
    _ out_mac: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_bytes>?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_mac, "out_mac")
        let client = try client(client_)
        out.pointee = bytesResult(
            try client.requests.authenticate(
                try Input.bytes(bytes, bytes_length, "bytes"), scope: try encryptionScope(scope)))
    }
}
