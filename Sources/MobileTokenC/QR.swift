// The header documents these functions.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CMToken
import CSystem
import MobileToken
import MobileTokenCrypto
import MobileTokenModel
import PowerAuth

@_cdecl("mtoken_qr_operation_parse") @implementation
public func mtoken_qr_operation_parse(
    _ payload: UnsafePointer<CChar>!, _ payload_length: Int, _ options: UnsafePointer<mtoken_qr_options>!,
    _ out_operation: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_qr_operation>?>!,
    _ out_error: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_error>?>!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_operation, "out_operation")
        let payload = try Input.unchecked(payload, payload_length, "payload")
        let operation = try reading(payload, "The offline payload") { () throws(TextFault) in
            try OfflineOperation(parsing: payload)
        }
        var state: VerifiedState = operation.key == .personalizedMAC ? .unsupported : .notChecked
        if options != nil { state = try verify(operation, payload, try Input.options(options, "options")) }
        guard let result = block(operation, payload, state) else { throw outOfMemory }
        out.pointee = result
    }
}

/// Looks at the signature with what the host gave, and refuses what is not right unless the host wants it.
private func verify(
    _ operation: OfflineOperation, _ payload: UnsafeRawBufferPointer, _ options: mtoken_qr_options
) throws(Failure) -> VerifiedState {
    guard options.reserved == 0 else { throw .argument("reserved is not 0.") }
    let keeps = try Input.flag(options.keep_unverified, "keep_unverified")
    let configuration = try Input.text(options.configuration, "configuration")
    guard options.client == nil || configuration == nil else {
        throw .argument("client and configuration are both given.")
    }
    var state: VerifiedState = operation.key == .personalizedMAC ? .unsupported : .notChecked
    guard options.client != nil || configuration != nil else { return state }
    do throws(Failure) {
        if let configuration {
            let parsed = try Failure.converting { () throws(PowerAuthError) in
                try Configuration(sdkConfiguration: configuration)
            }
            state = try operation.verified(payload, by: parsed)
        } else {
            state = try client(options.client).offline.verified(operation, payload)
        }
    } catch {
        guard keeps, error.code == .notActivated || error.code == .pending else { throw error }
    }
    if !keeps { try state.requireValid() }
    return state
}

/// The operation in the form of the interface: one block of memory; nil if none can be had.
private func block(
    _ operation: OfflineOperation, _ payload: UnsafeRawBufferPointer, _ state: VerifiedState
) -> UnsafeMutablePointer<mtoken_qr_operation>? {
    // The payload once as it is, and its lines once more; title, message and flags perhaps in a second form.
    let lines = operation.nonce.upperBound
    let size =
        MemoryLayout<mtoken_qr_operation>.stride &+ operation.data.blockSize
        &+ operation.extraCount &* MemoryLayout<Int>.stride &+ payload.count &+ 2 &* lines
        &+ OfflineOperation.nonceSize &+ operation.signatureSize &+ 32 &+ operation.extraCount
    guard var block = BlockWriter(size: size) else { return nil }
    let result = block.reserve(mtoken_qr_operation.self)
    let data = block.reserve(mtoken_operation_fields.self)
    let fields = DataFields(operation.data, in: &block)
    let extras = block.reserve(UnsafePointer<CChar>?.self, count: operation.extraCount)
    let nonce = operation.withNonce { block.bytes($0) }
    let signature = operation.withSignature { block.bytes($0) }
    data.initialize(to: operation.data.host(payload, fields: fields, in: &block))

    let whole = block.text(payload)
    var host = mtoken_qr_operation()
    host.verification = state.rawValue
    host.server_key = operation.key.rawValue
    host.payload = whole
    host.payload_length = payload.count
    host.signed_length = operation.signedSize
    host.id = block.text(payload, operation.id)
    (host.raw_title, host.title) = texts(payload, operation.title, in: &block)
    (host.raw_message, host.message) = texts(payload, operation.message, in: &block)
    host.signed_fields = UnsafePointer(data)
    host.flags = block.text(payload, operation.flagLine)
    host.allows_biometry = operation.flags.contains(.biometryAllowed) ? 1 : 0
    host.flip_buttons = operation.flags.contains(.flipButtons) ? 1 : 0
    host.warns_of_fraud = operation.flags.contains(.fraudWarning) ? 1 : 0
    host.block_approval_on_call = operation.flags.contains(.blockWhenOnCall) ? 1 : 0
    host.unknown_flags = block.text(maximum: operation.unknownFlagCount) { output in
        var count = 0
        for byte in payload[operation.flagLine] where OfflineOperation.Flags(letter: byte) == nil {
            output.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
            count &+= 1
        }
        return count
    }
    host.totp = operation.totp.map { block.text(payload, $0) }
    host.is_newer_format = operation.isNewerFormat ? 1 : 0
    host.extra_count = operation.extraCount
    host.extras = UnsafePointer(extras)
    var start = operation.extras.lowerBound
    for index in 0..<operation.extraCount {
        var end = start
        while end < operation.extras.upperBound, payload[end] != 0x0A { end &+= 1 }
        (extras + index).initialize(to: block.text(payload, start..<end))
        start = min(end &+ 1, operation.extras.upperBound)
    }
    host.nonce = block.text(payload, operation.nonce)
    host.nonce_bytes = nonce
    // The payload ends with the signature.
    host.signature = whole + operation.signature.lowerBound
    host.signature_bytes = signature
    host.signature_bytes_length = operation.signatureSize
    result.initialize(to: host)
    return result
}

/// A text with its escapes, and without them.
private func texts(
    _ payload: UnsafeRawBufferPointer, _ range: Range<Int>, in block: inout BlockWriter
) -> (raw: UnsafePointer<CChar>, text: UnsafePointer<CChar>) {
    let bytes = UnsafeRawBufferPointer(rebasing: payload[range])
    let raw = block.text(bytes)
    guard bytes.contains(UInt8(ascii: "\\")) else { return (raw, raw) }
    return (raw, block.text(maximum: bytes.count) { Escapes.decode(bytes, into: $0) })
}

@_cdecl("mtoken_qr_operation_free") @implementation
public func mtoken_qr_operation_free(_ operation: UnsafeMutablePointer<mtoken_qr_operation>!) {
    wipeAndFree(operation)
}

@_cdecl("mtoken_qr_authorize") @implementation
public func mtoken_qr_authorize(
    _ client_: OpaquePointer!, _ operation: UnsafePointer<mtoken_qr_operation>!, _ auth: UnsafePointer<mtoken_auth>!,
    _ options: UnsafePointer<mtoken_qr_authorize_options>!,
    _ out_code: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_text>?>!,
    _ out_error: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_error>?>!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_code, "out_code")
        let client = try client(client_)
        guard let operation else { throw .argument("operation is NULL.") }
        let auth = try Input.authentication(auth)
        var approval = OfflineApproval()
        if options != nil {
            let options = try Input.options(options, "options")
            if let uriId = try Input.text(options.uri_id, "uri_id") { approval.uriId = uriId }
            approval.componentLength = try Input.componentLength(options.component_length)
            approval.allowsUnverified = try Input.flag(options.allow_unverified, "allow_unverified")
        }
        let payload = try Input.unchecked(operation.pointee.payload, operation.pointee.payload_length, "operation")
        if !approval.allowsUnverified {
            try (VerifiedState(rawValue: operation.pointee.verification) ?? .notChecked).requireValid()
        }
        let parsed = try reading(payload, "The offline payload") { () throws(TextFault) in
            try OfflineOperation(parsing: payload)
        }
        out.pointee = try stringBlock(
            try client.offline.authorize(parsed, payload, authentication: auth, approval: approval))
    }
}

@_cdecl("mtoken_qr_code_group") @implementation
public func mtoken_qr_code_group(
    _ code: UnsafePointer<CChar>!, _ code_length: Int,
    _ out_grouped: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_text>?>!,
    _ out_error: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_error>?>!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_grouped, "out_grouped")
        guard let grouped = OfflineCode.grouped(try Input.unchecked(code, code_length, "code")) else {
            throw .argument("code is not two components of 4 to 8 digits with a hyphen between them.")
        }
        out.pointee = try stringBlock(grouped)
    }
}
