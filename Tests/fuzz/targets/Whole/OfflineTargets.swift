import CMToken
import CSystem
import FuzzSupport
import MobileTokenModel

/// A payload of an offline operation in the struct of the C interface.
func fuzzQRInC(_ input: UnsafeRawBufferPointer) {
    let parsed = try? OfflineOperation(parsing: input)
    var operation: UnsafeMutablePointer<mtoken_qr_operation>?
    let status = withError(input.count) { error in
        mtoken_qr_operation_parse(characters(input), input.count, nil, &operation, error)
    }
    require((status == MTOKEN_OK.rawValue) == (operation != nil), "success without a result")
    require((status == MTOKEN_OK.rawValue) == (parsed != nil), "the C interface reads differently")
    guard let operation, let parsed else { return }
    let host = operation.pointee
    require(strlen(host.payload) == host.payload_length && host.payload_length == input.count, "the payload is cut")
    require(
        UnsafeRawBufferPointer(start: host.payload, count: input.count).elementsEqual(input),
        "the payload is another one")
    require(host.signed_length == parsed.signedSize, "another part is signed")
    require(strlen(host.title) <= strlen(host.raw_title), "the title grew")
    require(strlen(host.message) <= strlen(host.raw_message), "the message grew")
    require(strlen(host.unknown_flags) == parsed.unknownFlagCount, "flags are lost")
    require(
        strlen(host.nonce) == 24 && host.signature_bytes_length == parsed.signatureSize, "nonce or signature is cut")
    require(strlen(host.signature) == parsed.signature.count, "the signature is cut")
    for index in 0..<host.extra_count {
        require(host.extras[index].map { strlen($0) < input.count } ?? false, "a line is missing or too long")
    }
    check(host.signed_fields.pointee)
    mtoken_qr_operation_free(operation)
}

/// Operation data in the struct of the C interface.
func fuzzDataInC(_ input: UnsafeRawBufferPointer) {
    let parsed = try? OperationData(parsing: input)
    var data: UnsafeMutablePointer<mtoken_operation_fields>?
    let status = withError(input.count) { error in
        mtoken_operation_fields_parse(characters(input), input.count, &data, error)
    }
    require((status == MTOKEN_OK.rawValue) == (data != nil), "success without a result")
    require((status == MTOKEN_OK.rawValue) == (parsed != nil), "the C interface reads differently")
    guard let data else { return }
    require(data.pointee.text_length == input.count, "the data are cut")
    require(data.pointee.field_count == parsed?.fieldCount, "fields are lost")
    check(data.pointee)
    mtoken_operation_fields_free(data)
}

/// A proximity code in the struct of the C interface, scanned and opened, and its texts given back to be written.
func fuzzPACInC(_ input: UnsafeRawBufferPointer) {
    for source in [MTOKEN_PROXIMITY_QR_CODE.rawValue, MTOKEN_PROXIMITY_DEEPLINK.rawValue] {
        var code: UnsafeMutablePointer<mtoken_pac>?
        let status = withError(input.count) { error in
            mtoken_pac_parse(characters(input), input.count, source, nil, &code, error)
        }
        require((status == MTOKEN_OK.rawValue) == (code != nil), "success without a result")
        PACCode.withCode(parsing: input, onlyLinks: source == MTOKEN_PROXIMITY_DEEPLINK.rawValue) { result in
            let parsed = try? result.get()
            require((code == nil) == (parsed == nil), "the C interface reads differently")
            guard let host = code?.pointee, let parsed else { return }
            require(strlen(host.operation_id) == parsed.operationId.count, "the operation's id is cut")
            require(host.totp.map { strlen($0) } == parsed.totp?.count, "the password is cut")
            require(host.source == source && host.form == parsed.form.rawValue, "another source or form")
        }
        guard let code else { continue }
        var options = mtoken_pac_build_options()
        options.struct_size = MemoryLayout<mtoken_pac_build_options>.size
        options.operation_id = mtoken_text(data: code.pointee.operation_id, length: -1)
        options.totp = mtoken_text(data: code.pointee.totp, length: code.pointee.totp == nil ? 0 : -1)
        options.form = MTOKEN_PAC_JWT.rawValue
        var text: UnsafeMutablePointer<mtoken_text>?
        require(mtoken_pac_build(&options, &text, nil) == MTOKEN_OK.rawValue, "the code cannot be written")
        mtoken_text_free(text)
        mtoken_pac_free(code)
    }
}

private func check(_ data: mtoken_operation_fields) {
    require(strlen(data.text) == data.text_length, "the data hold a NUL")
    for index in 0..<data.field_count {
        guard let field = data.fields[index]?.pointee else { return require(false, "a field is missing") }
        require(strncmp(data.text + field.offset, field.raw, strlen(field.raw)) == 0, "a field stands elsewhere")
        if let text = field.text { require(strlen(text) < strlen(field.raw), "the text grew") }
        if let value = field.value {
            require(strlen(value) <= strlen(field.amount) + 1 && strlen(field.currency) == 3, "the amount grew")
        }
        if let iban = field.iban { require(strlen(iban) > 0, "the account is empty") }
        require(field.kind != MTOKEN_FIELD_DATE.rawValue || field.year > 0, "the date is none")
    }
}
