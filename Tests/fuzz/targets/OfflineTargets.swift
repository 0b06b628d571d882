import CMToken
import CSystem
import MobileToken
import MobileTokenC
import MobileTokenCrypto
import MobileTokenJSON
import MobileTokenModel

/// A payload of an offline operation, through Swift and through the C interface.
func fuzzQR(_ input: UnsafeRawBufferPointer) {
    let parsed = try? OfflineOperation(parsing: input)
    if let parsed {
        require(parsed.signedSize > 0 && parsed.signedSize < input.count, "nothing is signed")
        require(input[parsed.signedSize - 2] == 0x0A, "the signed part ends elsewhere")
        check(parsed.data, in: input)
        let body = parsed.body(input)
        require(!body.isEmpty && !body.contains(0), "the body is no text")
    }
    var operation: UnsafeMutablePointer<mtoken_qr_operation>?
    let status = withError(input.count) { error in
        mtoken_qr_operation_parse(
            input.baseAddress?.assumingMemoryBound(to: CChar.self), input.count, nil, &operation, error)
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

/// Operation data, through Swift and through the C interface.
func fuzzData(_ input: UnsafeRawBufferPointer) {
    let parsed = try? OperationData(parsing: input)
    if let parsed { check(parsed, in: input) }
    var data: UnsafeMutablePointer<mtoken_operation_fields>?
    let status = withError(input.count) { error in
        mtoken_operation_fields_parse(input.baseAddress?.assumingMemoryBound(to: CChar.self), input.count, &data, error)
    }
    require((status == MTOKEN_OK.rawValue) == (data != nil), "success without a result")
    require((status == MTOKEN_OK.rawValue) == (parsed != nil), "the C interface reads differently")
    guard let data else { return }
    require(data.pointee.text_length == input.count, "the data are cut")
    check(data.pointee)
    mtoken_operation_fields_free(data)
}

/// A proximity code, scanned and opened; what was read is written again and read back.
func fuzzPAC(_ input: UnsafeRawBufferPointer) {
    for source in [MTOKEN_PROXIMITY_QR_CODE.rawValue, MTOKEN_PROXIMITY_DEEPLINK.rawValue] {
        guard let code = readPAC(input, source) else { continue }
        let read = code.pointee
        var options = mtoken_pac_build_options()
        options.struct_size = MemoryLayout<mtoken_pac_build_options>.size
        options.operation_id = mtoken_text(data: read.operation_id, length: -1)
        options.totp = mtoken_text(data: read.totp, length: read.totp == nil ? 0 : -1)
        options.form = MTOKEN_PAC_JWT.rawValue
        var text: UnsafeMutablePointer<mtoken_text>?
        require(mtoken_pac_build(&options, &text, nil) == MTOKEN_OK.rawValue, "the code cannot be written")
        if let text {
            let again = readPAC(
                UnsafeRawBufferPointer(start: text.pointee.data, count: text.pointee.length),
                MTOKEN_PROXIMITY_QR_CODE.rawValue)
            require(again.map { strcmp($0.pointee.operation_id, read.operation_id) == 0 } ?? false, "another operation")
            mtoken_pac_free(again)
            mtoken_text_free(text)
        }
        mtoken_pac_free(code)
    }
}

/// The payload of a token in both alphabets: accepted exactly when the JSON reader, asked alone, finds what is needed.
func fuzzTokenOfPAC(_ input: UnsafeRawBufferPointer) {
    guard input.count < 1000 else { return }
    let token = Array("h.".utf8) + Base64URL.encodedBytes(input)
    let code = token.withUnsafeBytes { readPAC($0, MTOKEN_PROXIMITY_QR_CODE.rawValue) }
    let limits = JSONLimits(maximumDepth: 8)
    let root = try? JSONDocument(parsing: input, limits: limits).root
    if let code {
        let id = root?["oid"]?.text?.string
        require(id == String(cString: code.pointee.operation_id), "the JSON reader finds another operation")
        let totp = root?["totp"]?.text?.string ?? root?["potp"]?.text?.string
        require(totp == code.pointee.totp.map { String(cString: $0) }, "the JSON reader finds another password")
        mtoken_pac_free(code)
    } else if let root, root.kind == .object, let id = root["oid"]?.text?.string, root["totp"] == nil,
        root["potp"] == nil
    {
        require(
            id.isEmpty || id.utf8.count > 255 || id.utf8.contains { !(0x21...0x7E).contains($0) }, "the code is refused"
        )
    }
}

private func readPAC(_ input: UnsafeRawBufferPointer, _ source: Int32) -> UnsafeMutablePointer<mtoken_pac>? {
    var code: UnsafeMutablePointer<mtoken_pac>?
    let status = withError(input.count) { error in
        mtoken_pac_parse(
            input.baseAddress?.assumingMemoryBound(to: CChar.self), input.count, source, nil, &code, error)
    }
    require((status == MTOKEN_OK.rawValue) == (code != nil), "success without a result")
    guard let code else { return nil }
    require(strlen(code.pointee.operation_id) > 0, "the code selects nothing")
    if let totp = code.pointee.totp { require((4...10).contains(strlen(totp)), "the password has another length") }
    return code
}

/// Fields lie in order, inside of the data, and with their separators they are all of them.
private func check(_ data: OperationData, in text: UnsafeRawBufferPointer) {
    var end = data.range.lowerBound + (data.template > 9 ? 3 : 2)
    for index in 0..<data.fieldCount {
        let field = data[index]
        if index == 0 { end = field.range.lowerBound - 1 }
        require(field.range.lowerBound == end + 1 && text[end] == UInt8(ascii: "*"), "fields do not follow each other")
        require(field.range.lowerBound <= field.value.lowerBound, "the value begins before its field")
        require(field.value.upperBound <= field.range.upperBound, "the value ends after its field")
        require(field.kind != .amount || DecimalText(part(text, field.value)) != nil, "the amount is no number")
        require((field.kind == .date) == (field.date != nil), "the date is none")
        end = field.range.upperBound
    }
    require(data.fieldCount == 0 || end == data.range.upperBound, "something follows the fields")
}

private func part(_ text: UnsafeRawBufferPointer, _ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: text[range])
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
