// The header documents these functions.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CMToken
import CSystem
import MobileToken
import MobileTokenModel

@_cdecl("mtoken_operation_fields_parse") @implementation
public func mtoken_operation_fields_parse(
    _ text_: UnsafePointer<CChar>!, _ text_length: Int,
    _ out_fields: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_operation_fields>?>!,
    _ out_error: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_error>?>!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_fields, "out_fields")
        let text = try Input.unchecked(text_, text_length, "text")
        let parsed = try reading(text, "The operation data") { () throws(TextFault) in
            try OperationData(parsing: text)
        }
        guard let result = parsed.hostBlock(text) else { throw outOfMemory }
        out.pointee = result
    }
}

@_cdecl("mtoken_operation_fields_free") @implementation
public func mtoken_operation_fields_free(_ data: UnsafeMutablePointer<mtoken_operation_fields>!) { free(data) }

/// Reads a text; what is no text at all is a wrong argument, as for every function.
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

/// Room for the fields of operation data.
struct DataFields {
    let pointers: UnsafeMutablePointer<UnsafePointer<mtoken_operation_field>?>
    let fields: UnsafeMutablePointer<mtoken_operation_field>

    init(_ data: OperationData, in block: inout BlockWriter) {
        pointers = block.reserve(UnsafePointer<mtoken_operation_field>?.self, count: data.fieldCount)
        fields = block.reserve(mtoken_operation_field.self, count: data.fieldCount)
    }
}

extension OperationData {
    /// The bytes that the struct, its fields and their texts take at most.
    var blockSize: Int {
        MemoryLayout<mtoken_operation_fields>.stride
            &+ fieldCount &* (MemoryLayout<mtoken_operation_field>.stride &+ MemoryLayout<Int>.stride &+ 16)
            &+ 4 &* range.count &+ 16
    }

    /// The data in the form of the interface, in memory of their own; nil: there is none.
    func hostBlock(_ text: UnsafeRawBufferPointer) -> UnsafeMutablePointer<mtoken_operation_fields>? {
        guard var block = BlockWriter(size: blockSize) else { return nil }
        let result = block.reserve(mtoken_operation_fields.self)
        let fields = DataFields(self, in: &block)
        result.initialize(to: host(text, fields: fields, in: &block))
        return result
    }

    /// The data in the form of the interface.
    func host(_ text: UnsafeRawBufferPointer, fields: DataFields, in block: inout BlockWriter)
        -> mtoken_operation_fields
    {
        for index in 0..<fieldCount {
            (fields.fields + index).initialize(to: host(self[index], text, in: &block))
            (fields.pointers + index).initialize(to: UnsafePointer(fields.fields + index))
        }
        return mtoken_operation_fields(
            text: block.text(text, range), text_length: range.count, version: Int32(version),
            is_version_known: isKnownVersion ? 1 : 0, template_id: Int32(truncatingIfNeeded: template),
            field_count: fieldCount, fields: UnsafePointer(fields.pointers))
    }

    private func host(
        _ field: Field, _ text: UnsafeRawBufferPointer, in block: inout BlockWriter
    ) -> mtoken_operation_field {
        var result = mtoken_operation_field()
        result.kind = field.kind.rawValue
        result.letter = field.letter
        result.offset = field.range.lowerBound &- range.lowerBound
        let raw = block.text(text, field.range)
        result.raw = raw
        let value = UnsafeRawBufferPointer(rebasing: text[field.value])
        switch field.kind {
        case .empty: break
        case .amount:
            let number = block.text(value)
            result.amount = number
            result.value = block.text(maximum: DecimalText.maximumLength(value.count)) {
                DecimalText(value)?.write(into: $0) ?? 0
            }
            let currency = UnsafeRawBufferPointer(rebasing: text[field.addition])
            result.currency = block.text(maximum: currency.count) { output in
                for index in 0..<currency.count {
                    output.storeBytes(of: currency[index] & ~0x20, toByteOffset: index, as: UInt8.self)
                }
                return currency.count
            }
        case .account:
            result.iban = block.text(value)
            if !field.addition.isEmpty { result.bic = block.text(text, field.addition) }
            result.is_iban_valid = IBAN.isValid(value) ? 1 : 0
        case .date:
            if let date = field.date {
                result.year = Int32(truncatingIfNeeded: date.year)
                result.month = Int32(truncatingIfNeeded: date.month)
                result.day = Int32(truncatingIfNeeded: date.day)
            }
        case .anyAccount, .reference, .note, .text, .other:
            if field.holdsBackslash {
                result.text = block.text(maximum: value.count) { Escapes.decode(value, into: $0) }
            } else {
                // The end of the raw field is the value.
                result.text = raw + (field.value.lowerBound &- field.range.lowerBound)
            }
        }
        return result
    }
}
