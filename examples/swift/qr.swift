// SPDX-License-Identifier: Apache-2.0
// Shows what an offline operation asks for: reads the payload of its QR code from standard input, exactly as scanned.
//
//   swiftc -parse-as-library qr.swift Token.swift $(pkg-config --cflags --libs mtoken) -o qr
//   ./qr [SDK-CONFIGURATION] < payload.txt
//
// With the application's SDK configuration it also verifies the server's signature.
import CMToken

@main
enum QR {
    static func main() {
        do {
            let payload = standardInput(atMost: 4_097)  // one byte more than a payload may have: the library reports it
            try show(read(payload: payload, configuration: CommandLine.arguments.dropFirst().first))
        } catch {
            fail(error.description)
        }
    }

    static func read(payload: [CChar], configuration: String?) throws(TokenError) -> Owned<mtoken_qr_operation> {
        let texts = Texts()
        return try withExtendedLifetime(texts) { () throws(TokenError) in
            var options = mtoken_qr_options()
            options.struct_size = MemoryLayout<mtoken_qr_options>.size
            options.configuration = configuration.map { texts($0) } ?? mtoken_text()
            return try make(freedBy: mtoken_qr_operation_free) {
                mtoken_qr_operation_parse(payload, payload.count, &options, $0, $1)
            }
        }
    }

    static func show(_ operation: Owned<mtoken_qr_operation>) {
        let it = operation.object.pointee
        print("id: \(text(it.id))\ntitle: \(text(it.title))\nmessage: \(text(it.message))")
        let fields = UnsafeBufferPointer(start: it.signed_fields.pointee.fields, count: it.signed_fields.pointee.field_count)
        for field in fields.compactMap({ $0?.pointee }) { show(field) }
        let isValid = mtoken_verification_values(rawValue: it.verification) == MTOKEN_VERIFIED_VALID
        print("signature: \(isValid ? "valid" : "not checked")")
    }

    static func show(_ field: mtoken_operation_field) {
        switch mtoken_field_kind_values(rawValue: field.kind) {
        case MTOKEN_FIELD_EMPTY: break
        case MTOKEN_FIELD_AMOUNT: print("amount: \(text(field.value)) \(text(field.currency))")
        case MTOKEN_FIELD_ACCOUNT: print("account: \(text(field.iban))\(field.bic.map { ", " + text($0) } ?? "")")
        case MTOKEN_FIELD_DATE: print("date: \(padded(field.year, 4))-\(padded(field.month, 2))-\(padded(field.day, 2))")
        default: print("text: \(text(field.text))")
        }
    }

    static func padded(_ number: Int32, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
