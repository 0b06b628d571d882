// SPDX-License-Identifier: Apache-2.0
// The header documents these functions.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CMToken
import MobileToken
import MobileTokenCrypto
import MobileTokenModel
import PowerAuth

@_cdecl("mtoken_qr_operation_parse") @implementation
public func mtoken_qr_operation_parse(
    _ payload: UnsafePointer<CChar>!, _ payload_length: Int, _ options: UnsafePointer<mtoken_qr_options>!,
    _ out_operation: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_qr_operation>?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_operation, "out_operation")
        let payload = try Input.unchecked(payload, payload_length, "payload")
        var keys = OfflineKeys.none
        var keepsUnverified = true
        if options != nil {
            let options = try Input.options(options, "options")
            keys = try offlineKeys(options)
            keepsUnverified = try Input.flag(options.keep_unverified, "keep_unverified")
        }
        out.pointee = try scanned(payload, keys, keepsUnverified: keepsUnverified)
    }
}

/// Reads a payload as it is or, where that is not the server's and a scanner may be why, as it was before.
private func scanned(
    _ payload: UnsafeRawBufferPointer, _ keys: OfflineKeys, keepsUnverified: Bool
) throws(Failure) -> UnsafeMutablePointer<mtoken_qr_operation> {
    var refusal: Failure
    do throws(Failure) {
        let operation = try read(payload)
        let state = try operation.verified(payload, by: keys, keepsUnverified: keepsUnverified)
        if state == .invalid, let repaired = repaired(payload, keys) { return repaired }
        return result(operation, payload, state)
    } catch {
        refusal = error
    }
    guard refusal.code == .parse || refusal.code == .signature else { throw refusal }
    if let repaired = repaired(payload, keys) { return repaired }
    if let fault = ScannerFault.guesses(at: payload).first?.fault {
        refusal = Failure(
            .signature, Reason.scannerChangedText,
            filled(
                "The offline operation cannot be verified: the scanner %. Set it to leave the text as it is.",
                fault.words.description))
    }
    throw refusal
}

/// The operation whose signature agrees once what a scanner did is undone.
private func repaired(
    _ payload: UnsafeRawBufferPointer, _ keys: OfflineKeys
) -> UnsafeMutablePointer<mtoken_qr_operation>? {
    if case .none = keys { return nil }
    for guess in ScannerFault.guesses(at: payload) {
        let found = guess.text.withUnsafeBytes { text -> UnsafeMutablePointer<mtoken_qr_operation>? in
            guard let operation = try? read(text),
                let state = try? operation.verified(text, by: keys, keepsUnverified: false)
            else { return nil }
            return result(operation, text, state)
        }
        if let found { return found }
    }
    return nil
}

private func read(_ payload: UnsafeRawBufferPointer) throws(Failure) -> OfflineOperation {
    try reading(payload, "The offline payload") { () throws(TextFault) in try OfflineOperation(parsing: payload) }
}

/// The keys that the host names.
private func offlineKeys(_ options: mtoken_qr_options) throws(Failure) -> OfflineKeys {
    guard options.reserved == 0 else { throw .argument("reserved must be 0.") }
    guard let configuration = try Input.text(options.configuration, "configuration") else {
        return options.client == nil ? .none : .client(try client(options.client).offline)
    }
    guard options.client == nil else { throw .argument("Set client or configuration, not both.") }
    return .configuration(
        try Failure.converting { () throws(PowerAuthError) in try Configuration(sdkConfiguration: configuration) })
}

/// The operation in the form of the interface.
private func result(
    _ operation: OfflineOperation, _ payload: UnsafeRawBufferPointer, _ state: VerifiedState
) -> UnsafeMutablePointer<mtoken_qr_operation> {
    // The payload once as it is, and its lines once more; title, message and flags perhaps in a second form.
    let arena = Arena(
        room: Arena.size(of: mtoken_qr_operation.self) &+ Arena.size(of: mtoken_operation_fields.self)
            &+ operation.data.room &+ operation.extraCount &* 9 &+ payload.count &+ 2 &* operation.nonce.upperBound
            &+ OfflineOperation.nonceSize &+ operation.signatureSize &+ 64)
    let whole = arena.text(payload)
    var host = mtoken_qr_operation()
    host.verification = state.rawValue
    host.server_key = operation.key.rawValue
    host.payload = whole
    host.payload_length = payload.count
    host.signed_length = operation.signedSize
    host.id = arena.text(payload, operation.id)
    (host.raw_title, host.title) = arena.texts(payload, operation.title)
    (host.raw_message, host.message) = arena.texts(payload, operation.message)
    host.signed_fields = arena.put(arena.fields(operation.data, of: payload))
    host.flags = arena.text(payload, operation.flagLine)
    host.allows_biometry = operation.flags.contains(.biometryAllowed) ? 1 : 0
    host.flip_buttons = operation.flags.contains(.flipButtons) ? 1 : 0
    host.warns_of_fraud = operation.flags.contains(.fraudWarning) ? 1 : 0
    host.block_approval_on_call = operation.flags.contains(.blockWhenOnCall) ? 1 : 0
    host.unknown_flags = arena.text(maximum: operation.unknownFlagCount) {
        operation.writeUnknownFlags(of: payload, into: $0)
    }
    host.totp = operation.totp.map { arena.text(payload, $0) }
    host.is_newer_format = operation.isNewerFormat ? 1 : 0
    host.extra_count = operation.extraCount
    let extras = arena.array(of: UnsafePointer<CChar>?.self, count: operation.extraCount)
    operation.forEachExtra(of: payload) { extras?[$0] = arena.text(payload, $1) }
    host.extras = UnsafePointer(extras)
    host.nonce = arena.text(payload, operation.nonce)
    host.nonce_bytes = operation.withNonce { arena.bytes($0) }
    // The payload ends with the signature.
    host.signature = whole + operation.signature.lowerBound
    host.signature_bytes = operation.withSignature { arena.bytes($0) }
    host.signature_bytes_length = operation.signatureSize
    host.summary = arena.text(SignedSummary.text(of: operation.data, payload))
    host.contradictions = operation.contradictions(payload).rawValue
    return arena.result(host)
}

extension Arena {
    /// A text with its escapes, and without them.
    fileprivate func texts(
        _ payload: UnsafeRawBufferPointer, _ range: Range<Int>
    ) -> (raw: UnsafePointer<CChar>, text: UnsafePointer<CChar>) {
        let bytes = UnsafeRawBufferPointer(rebasing: payload[range])
        let raw = text(bytes)
        guard bytes.contains(UInt8(ascii: "\\")) else { return (raw, raw) }
        return (raw, text(maximum: bytes.count) { Escapes.decode(bytes, into: $0) })
    }
}

@_cdecl("mtoken_qr_operation_free") @implementation
public func mtoken_qr_operation_free(_ operation: UnsafeMutablePointer<mtoken_qr_operation>!) {
    Arena.free(operation)
}

@_cdecl("mtoken_qr_authorize") @implementation
public func mtoken_qr_authorize(
    _ client_: OpaquePointer!, _ operation: UnsafePointer<mtoken_qr_operation>!, _ auth: UnsafePointer<mtoken_auth>!,
    _ options: UnsafePointer<mtoken_qr_authorize_options>!,
    _ out_code: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_text>?>!,
    _ out_error: ErrorOut!
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
            approval.componentLength = Input.given(options.component_length).map { Int($0) }
            approval.allowsUnverified = try Input.flag(options.allow_unverified, "allow_unverified")
        }
        let payload = try Input.unchecked(operation.pointee.payload, operation.pointee.payload_length, "operation")
        let parsed = try read(payload)
        out.pointee = textResult(
            try client.offline.authorize(
                parsed, payload, known: VerifiedState(rawValue: operation.pointee.verification) ?? .notChecked,
                authentication: auth, approval: approval))
    }
}

@_cdecl("mtoken_qr_code_group") @implementation
public func mtoken_qr_code_group(
    _ code: UnsafePointer<CChar>!, _ code_length: Int,
    _ out_grouped: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_text>?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_grouped, "out_grouped")
        guard let grouped = OfflineCode.grouped(try Input.unchecked(code, code_length, "code")) else {
            throw .argument("code must be two components of 4 to 8 digits with a hyphen between them.")
        }
        out.pointee = textResult(grouped)
    }
}
