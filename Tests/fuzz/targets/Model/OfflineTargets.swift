import FuzzSupport
import MobileTokenCrypto

@testable import MobileTokenModel

/// The payload of an offline operation. What was read is written again: the same is read from it, and the text stays.
func fuzzQR(_ input: UnsafeRawBufferPointer) {
    guard let operation = read(input) else { return }
    require(operation.signedSize > 0 && operation.signedSize < input.count, "nothing is signed")
    require(input[operation.signedSize - 2] == 0x0A, "the signed part ends elsewhere")
    check(operation.data, in: input)
    let body = operation.body(input)
    require(!body.isEmpty && !body.contains(0), "the body is no text")
    // A writer knows neither lines of later formats nor keys that sign nothing.
    guard operation.extraCount == 0, operation.key != .personalizedMAC else { return }
    guard let written = write(operation, input) else { return }
    written.withUnsafeBytes { text in
        guard let again = read(text) else { return require(false, "what was written cannot be read") }
        require(write(again, text) == written, "what was written reads as something else")
        require(again.body(text) == body, "another body is signed")
        require(again.flags == operation.flags && again.key == operation.key, "other flags or another key")
        let nonce = operation.withNonce { [UInt8]($0) }
        require(again.withNonce { $0.elementsEqual(nonce) }, "another nonce")
        let signature = operation.withSignature { [UInt8]($0) }
        require(again.withSignature { $0.elementsEqual(signature) }, "another signature")
    }
}

private func read(_ text: UnsafeRawBufferPointer) -> OfflineOperation? {
    do throws(TextFault) {
        return try OfflineOperation(parsing: text)
    } catch {
        check(error, in: text)
        return nil
    }
}

/// The payload as the builder writes it; nil: its escapes make it too long.
private func write(_ operation: OfflineOperation, _ text: UnsafeRawBufferPointer) -> [UInt8]? {
    func string(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }
    var builder = OfflineOperationBuilder()
    builder.id = string(operation.id)
    builder.title = Escapes.decoded(text.piece(operation.title))
    builder.message = Escapes.decoded(text.piece(operation.message))
    builder.data = string(operation.data.range)
    builder.flags = string(operation.flagLine)
    builder.totp = operation.totp.map(string)
    builder.nonce = operation.withNonce { [UInt8]($0) }
    guard let signed = try? builder.signedPart(operation.key) else {
        require(false, "what was read cannot be written")
        return nil
    }
    do throws(TextFault) {
        let signature = operation.withSignature { [UInt8]($0) }
        return Array(try OfflineOperationBuilder.payload(signed, signature: signature).utf8)
    } catch {
        require(error.code == .tooLong, "what was read cannot be written")
        return nil
    }
}

/// Operation data. What was read is written again: the same is read from it, and the text stays.
func fuzzData(_ input: UnsafeRawBufferPointer) {
    guard let data = read(data: input) else { return }
    check(data, in: input)
    guard let written = write(data, input) else { return }
    written.withUnsafeBytes { text in
        guard let again = read(data: text) else { return require(false, "what was written cannot be read") }
        require(write(again, text) == written, "what was written reads as something else")
        require(again.version == data.version && again.template == data.template, "another version or template")
        require(again.fieldCount <= data.fieldCount, "fields out of nothing")
        for index in 0..<again.fieldCount {
            let (before, after) = (data[index], again[index])
            require(before.kind == after.kind && before.date == after.date, "another field")
            if before.kind == .amount || before.kind == .account {
                require(
                    input[before.value].elementsEqual(text[after.value]), "another amount or account")
            }
        }
        for index in again.fieldCount..<max(again.fieldCount, data.fieldCount) {
            require(data[index].kind == .empty, "a field is lost")
        }
    }
}

private func read(data text: UnsafeRawBufferPointer) -> OperationData? {
    do throws(TextFault) {
        return try OperationData(parsing: text)
    } catch {
        check(error, in: text)
        return nil
    }
}

/// The data as the builder writes them; nil: they hold what it does not write (a sixth field, an amount below zero, …).
private func write(_ data: OperationData, _ text: UnsafeRawBufferPointer) -> [UInt8]? {
    func string(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }
    do throws(TextFault) {
        var builder = try OperationDataBuilder(version: Int32(data.version), template: Int32(data.template))
        for index in 0..<data.fieldCount {
            let field = data[index]
            switch field.kind {
            case .empty:
                builder.addEmpty()
            case .amount:
                try builder.add(amount: string(field.value), currency: string(field.addition))
            case .account:
                try builder.add(
                    iban: string(field.value), bic: field.addition.isEmpty ? nil : string(field.addition))
            case .date:
                guard let date = field.date else { return nil }
                try builder.add(date)
            case .anyAccount, .reference, .note, .text:
                guard let letter = Unicode.Scalar(field.letter) else { return nil }
                try builder.add(Escapes.decoded(text.piece(field.value)), letter: letter)
            case .other:
                return nil
            }
        }
        return Array(builder.text.utf8)
    } catch {
        return nil
    }
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
        if field.kind == .amount { check(amount: text.piece(field.value)) }
        if field.kind == .account { _ = IBAN.isValid(text.piece(field.value)) }
        require((field.kind == .date) == (field.date != nil), "the date is none")
        if field.isText {
            let decoded = Escapes.decoded(text.piece(field.value))
            require(decoded.utf8.count <= field.value.count, "the text grew")
            require(
                field.holdsBackslash || decoded.utf8.elementsEqual(text[field.value]), "a text without escapes changed")
        }
        end = field.range.upperBound
    }
    require(data.fieldCount == 0 || end == data.range.upperBound, "something follows the fields")
}

/// The number of an amount, written without redundant zeros, is the same number and stays as it is.
private func check(amount: UnsafeRawBufferPointer) {
    guard let number = DecimalText(amount) else { return require(false, "the amount is no number") }
    let text = number.text
    require(text.utf8.count <= DecimalText.maximumLength(amount.count), "the amount grew")
    Array(text.utf8).withUnsafeBytes { written in
        guard let again = DecimalText(written) else { return require(false, "the amount written is no number") }
        require(again.equals(number) && again.text == text, "the amount written is another one")
    }
}

/// A fault lies within the text.
func check(_ fault: TextFault, in text: UnsafeRawBufferPointer) {
    require((0...text.count).contains(fault.offset), "the fault stands outside of the text")
    let lines = text.count { $0 == 0x0A } + 1
    require((1...lines).contains(fault.line), "the fault's line is not one of the text")
}
