// SPDX-License-Identifier: Apache-2.0
// The header documents these functions.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CMToken
import MobileToken
import MobileTokenCrypto
import MobileTokenModel

@_cdecl("mtoken_operation_fields_build") @implementation
public func mtoken_operation_fields_build(
    _ version: Int32, _ template_id: Int32, _ fields: UnsafePointer<mtoken_field_input>!, _ field_count: Int,
    _ out_text: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_text>?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_text, "out_text")
        guard (0...64).contains(field_count), fields != nil || field_count == 0 else {
            throw .argument("fields", " and field_count do not match (at most 64).")
        }
        var inputs: [DataInput] = []
        for index in 0..<field_count { inputs.append(try DataInput(fields[index])) }
        let data = try building("The operation data") { () throws(TextFault) in
            var builder = try OperationDataBuilder(version: version, template: template_id)
            for input in inputs { try input.add(to: &builder) }
            return builder.text
        }
        out.pointee = textResult(data)
    }
}

/// One field as the host describes it.
private enum DataInput {
    case empty
    case amount(String, currency: String)
    case account(iban: String, bic: String?)
    case date(CivilDate)
    case text(String, letter: Unicode.Scalar)

    init(_ field: mtoken_field_input) throws(Failure) {
        let text = try Input.text(field.text, "text")
        let amount = try Input.text(field.amount, "amount")
        let currency = try Input.text(field.currency, "currency")
        let iban = try Input.text(field.iban, "iban")
        let bic = try Input.text(field.bic, "bic")
        switch field.kind {
        case MTOKEN_FIELD_EMPTY.rawValue: self = .empty
        case MTOKEN_FIELD_AMOUNT.rawValue: self = .amount(amount ?? "", currency: currency ?? "")
        case MTOKEN_FIELD_ACCOUNT.rawValue: self = .account(iban: iban ?? "", bic: bic)
        case MTOKEN_FIELD_DATE.rawValue:
            guard let date = CivilDate(year: Int(field.year), month: Int(field.month), day: Int(field.day)) else {
                throw .argument("year", ", month and day are not a date.")
            }
            self = .date(date)
        case MTOKEN_FIELD_ANY_ACCOUNT.rawValue: self = .text(text ?? "", letter: "Q")
        case MTOKEN_FIELD_REFERENCE.rawValue: self = .text(text ?? "", letter: "R")
        case MTOKEN_FIELD_NOTE.rawValue: self = .text(text ?? "", letter: "N")
        case MTOKEN_FIELD_TEXT.rawValue: self = .text(text ?? "", letter: "T")
        default: throw .argument("kind", " is unknown.")
        }
    }

    func add(to builder: inout OperationDataBuilder) throws(TextFault) {
        switch self {
        case .empty: builder.addEmpty()
        case .amount(let amount, let currency): try builder.add(amount: amount, currency: currency)
        case .account(let iban, let bic): try builder.add(iban: iban, bic: bic)
        case .date(let date): try builder.add(date)
        case .text(let text, let letter): try builder.add(text, letter: letter)
        }
    }
}

@_cdecl("mtoken_qr_operation_build") @implementation
public func mtoken_qr_operation_build(
    _ options: UnsafePointer<mtoken_qr_build_options>!,
    _ out_payload: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_text>?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_payload, "out_payload")
        let options = try Input.options(options, "options")
        guard options.reserved == 0 else { throw .argument("reserved", " must be 0.") }
        guard options.server_key == MTOKEN_KEY_MASTER.rawValue || options.server_key == MTOKEN_KEY_PERSONALIZED.rawValue
        else {
            throw .argument("server_key", " is unknown.")
        }
        var builder = OfflineOperationBuilder()
        builder.id = try Input.text(options.id, "id") ?? ""
        builder.title = try Input.text(options.title, "title") ?? ""
        builder.message = try Input.text(options.message, "message") ?? ""
        builder.data = try Input.text(options.operation_data, "operation_data") ?? ""
        builder.flags = try Input.text(options.flags, "flags") ?? ""
        builder.totp = try Input.text(options.totp, "totp")
        let nonce = try Input.bytes(options.nonce.data, options.nonce.length, "nonce")
        guard nonce.isEmpty || nonce.count == OfflineOperation.nonceSize else {
            throw .argument("nonce", " must be 16 bytes.")
        }
        guard let secret = try Input.secret(options.private_key, "private_key"), secret.count == 32 else {
            throw .argument("private_key", " must be 32 bytes.")
        }
        let what: StaticString = "The offline payload"
        let key: OfflineOperation.Key = options.server_key == MTOKEN_KEY_MASTER.rawValue ? .master : .personalized
        let privateKey = try computing { () throws(CryptoError) in try PrivateKey(bigEndian: secret) }
        builder.nonce =
            nonce.isEmpty
            ? try computing { () throws(CryptoError) in try SystemRandom().bytes(OfflineOperation.nonceSize) }
            : [UInt8](nonce)
        let signed = try building(what) { () throws(TextFault) in try builder.signedPart(key) }
        let signature = try computing { () throws(CryptoError) in try privateKey.signDER(signed) }
        let payload = try building(what) { () throws(TextFault) in
            try OfflineOperationBuilder.payload(signed, signature: signature)
        }
        out.pointee = textResult(payload)
    }
}

/// Work of the crypto library with a key that the host gave.
func computing<R>(
    key: StaticString = "private_key", range: StaticString? = nil, _ work: () throws(CryptoError) -> R
) throws(Failure) -> R {
    do throws(CryptoError) {
        return try work()
    } catch {
        guard error.reason != .invalidKey else { throw .argument(key, " is not a P-256 key.") }
        if let range, error.reason == .invalidLength { throw .argument(range.description) }
        throw Failure(.internal, "internalError", "OpenSSL failed.")
    }
}
