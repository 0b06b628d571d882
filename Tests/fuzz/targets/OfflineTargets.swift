import CMToken
import CSystem
import MobileToken
import MobileTokenC

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
    require((status == MTOKEN_OK) == (operation != nil), "success without a result")
    require((status == MTOKEN_OK) == (parsed != nil), "the C interface reads differently")
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
    require(strlen(host.nonce) == 24 && host.signature_length == parsed.signatureSize, "nonce or signature is cut")
    require(strlen(host.signature) == parsed.signature.count, "the signature is cut")
    for index in 0..<host.extra_count {
        require(host.extras[index].map { strlen($0) < input.count } ?? false, "a line is missing or too long")
    }
    check(host.data.pointee)
    mtoken_qr_operation_free(operation)
}

/// Operation data, through Swift and through the C interface.
func fuzzData(_ input: UnsafeRawBufferPointer) {
    let parsed = try? OperationData(parsing: input)
    if let parsed { check(parsed, in: input) }
    var data: UnsafeMutablePointer<mtoken_operation_data>?
    let status = withError(input.count) { error in
        mtoken_operation_data_parse(input.baseAddress?.assumingMemoryBound(to: CChar.self), input.count, &data, error)
    }
    require((status == MTOKEN_OK) == (data != nil), "success without a result")
    require((status == MTOKEN_OK) == (parsed != nil), "the C interface reads differently")
    guard let data else { return }
    require(data.pointee.text_length == input.count, "the data are cut")
    check(data.pointee)
    mtoken_operation_data_free(data)
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

private func check(_ data: mtoken_operation_data) {
    require(strlen(data.text) == data.text_length, "the data hold a NUL")
    for index in 0..<data.field_count {
        guard let field = data.fields[index]?.pointee else { return require(false, "a field is missing") }
        require(strncmp(data.text + field.offset, field.raw, strlen(field.raw)) == 0, "a field stands elsewhere")
        if let text = field.text { require(strlen(text) < strlen(field.raw), "the text grew") }
        if let value = field.value {
            require(strlen(value) <= strlen(field.amount) + 1 && strlen(field.currency) == 3, "the amount grew")
        }
        if let iban = field.iban { require(strlen(iban) > 0, "the account is empty") }
        require(field.type != MTOKEN_FIELD_DATE || field.year > 0, "the date is none")
    }
}
