// SPDX-License-Identifier: Apache-2.0
// The header documents these functions.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CMToken
import MobileToken
import MobileTokenModel

@_cdecl("mtoken_operation_fields_parse") @implementation
public func mtoken_operation_fields_parse(
    _ text_: UnsafePointer<CChar>!, _ text_length: Int,
    _ out_fields: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_operation_fields>?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_fields, "out_fields")
        let text = try Input.unchecked(text_, text_length, "text")
        let parsed = try reading(text, "The operation data") { () throws(TextFault) in
            try OperationData(parsing: text)
        }
        let arena = Arena(room: Arena.size(of: mtoken_operation_fields.self) &+ parsed.room)
        out.pointee = arena.result(arena.fields(parsed, of: text))
    }
}

@_cdecl("mtoken_operation_fields_free") @implementation
public func mtoken_operation_fields_free(_ data: UnsafeMutablePointer<mtoken_operation_fields>!) { Arena.free(data) }

@_cdecl("mtoken_operation_fields_summary") @implementation
public func mtoken_operation_fields_summary(
    _ text: UnsafePointer<CChar>!, _ text_length: Int,
    _ out_summary: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_text>?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_summary, "out_summary")
        var text = try Input.text(text, text_length, "text")
        out.pointee = textResult(text.withUTF8 { SignedSummary.text(of: UnsafeRawBufferPointer($0)) })
    }
}

/// Reads a text; invalid text is a wrong argument, as for every function.
func reading<R>(
    _ text: UnsafeRawBufferPointer, _ what: StaticString, _ parse: () throws(TextFault) -> R
) throws(Failure) -> R {
    do throws(TextFault) {
        return try parse()
    } catch {
        throw refusal(error, text, what)
    }
}

/// Not inlined, since making texts takes much code.
@inline(never)
private func refusal(_ error: TextFault, _ text: UnsafeRawBufferPointer, _ what: StaticString) -> Failure {
    let isNoText =
        error.code == .invalidUTF8
        || (error.code == .controlCharacter || error.code == .invalidFormat) && error.offset < text.count
            && text[error.offset] == 0
    return Failure(error, what: what, isNoText: isNoText)
}

extension OperationData {
    /// The bytes that the fields and all texts take at most.
    var room: Int {
        fieldCount &* (MemoryLayout<mtoken_operation_field>.stride &+ MemoryLayout<Int>.stride &+ 16)
            &+ 4 &* range.count &+ 32
    }
}

extension Arena {
    /// Operation data in the form of the interface.
    ///
    /// - Parameter text: the text that they were read from
    func fields(_ data: OperationData, of text: UnsafeRawBufferPointer) -> mtoken_operation_fields {
        let pointers = array(of: UnsafePointer<mtoken_operation_field>?.self, count: data.fieldCount)
        let fields = data.storage.span
        for index in 0..<data.fieldCount { pointers?[index] = put(field(fields[index], of: data, text)) }
        return mtoken_operation_fields(
            text: self.text(text, data.range), text_length: data.range.count, version: Int32(data.version),
            is_version_known: data.isKnownVersion ? 1 : 0, template_id: Int32(truncatingIfNeeded: data.template),
            field_count: data.fieldCount, fields: UnsafePointer(pointers))
    }

    private func field(
        _ field: OperationData.Field, of data: OperationData, _ text: UnsafeRawBufferPointer
    ) -> mtoken_operation_field {
        var result = mtoken_operation_field()
        result.kind = field.kind.rawValue
        result.letter = field.letter
        result.offset = field.range.lowerBound &- data.range.lowerBound
        let raw = self.text(text, field.range)
        result.raw = raw
        let value = UnsafeRawBufferPointer(rebasing: text[field.value])
        switch field.kind {
        case .empty: break
        case .amount:
            result.amount = self.text(value)
            result.value = self.text(maximum: DecimalText.maximumLength(value.count)) {
                DecimalText(value)?.write(into: $0) ?? 0
            }
            let currency = UnsafeRawBufferPointer(rebasing: text[field.addition])
            result.currency = self.text(maximum: currency.count) { output in
                for index in 0..<currency.count {
                    output.storeBytes(of: currency[index] & ~0x20, toByteOffset: index, as: UInt8.self)
                }
                return currency.count
            }
        case .account:
            result.iban = self.text(value)
            if !field.addition.isEmpty { result.bic = self.text(text, field.addition) }
            result.is_iban_valid = IBAN.isValid(value) ? 1 : 0
        case .date:
            if let date = field.date {
                result.year = Int32(truncatingIfNeeded: date.year)
                result.month = Int32(truncatingIfNeeded: date.month)
                result.day = Int32(truncatingIfNeeded: date.day)
            }
        case .anyAccount, .reference, .note, .text, .other:
            if field.holdsBackslash {
                result.text = self.text(maximum: value.count) { Escapes.decode(value, into: $0) }
            } else {
                // The end of the raw field is the value.
                result.text = raw + (field.value.lowerBound &- field.range.lowerBound)
            }
        }
        return result
    }

    /// A NUL-terminated copy of a part.
    func text(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> UnsafePointer<CChar> {
        text(UnsafeRawBufferPointer(rebasing: bytes[range]))
    }
}
