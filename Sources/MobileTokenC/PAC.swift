// SPDX-License-Identifier: Apache-2.0
// The header documents these functions.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CMToken
import CSystem
import MobileToken
import MobileTokenCrypto
import MobileTokenModel

@_cdecl("mtoken_pac_parse") @implementation
public func mtoken_pac_parse(
    _ code: UnsafePointer<CChar>!, _ code_length: Int, _ source: Int32,
    _ options: UnsafePointer<mtoken_pac_options>!, _ out_pac: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_pac>?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_pac, "out_pac")
        let text = try Input.unchecked(code, code_length, "code")
        var links: AllowedLinks?
        if options != nil {
            let options = try Input.options(options, "options")
            guard (0...64).contains(options.allowed_count), options.allowed != nil || options.allowed_count == 0 else {
                throw .argument("allowed", " and allowed_count do not match (at most 64).")
            }
            if options.allowed != nil { links = AllowedLinks() }
            for index in 0..<options.allowed_count {
                guard let link = try Input.text(options.allowed[index], "allowed"), !link.isEmpty else {
                    throw .argument("allowed", " contains an empty text.")
                }
                links?.append(link)
            }
        }
        out.pointee = try readCode(text, source, links) { result($0, source) }
    }
}

/// Reads a code from where it came from.
func readCode<R>(
    _ text: UnsafeRawBufferPointer, _ source: Int32, _ links: AllowedLinks? = nil, _ body: (PACCode) -> R
) throws(Failure) -> R {
    guard source == MTOKEN_PROXIMITY_QR_CODE.rawValue || source == MTOKEN_PROXIMITY_DEEPLINK.rawValue else {
        throw .argument("source", " is unknown.")
    }
    return try PACCode.withCode(
        parsing: text, onlyLinks: source == MTOKEN_PROXIMITY_DEEPLINK.rawValue,
        allows: { links?.allows(scheme: $0, authority: $1) ?? true }
    ) { (code: Result<PACCode, TextFault>) throws(Failure) in
        body(try reading(text, "The proximity code") { () throws(TextFault) in try code.get() })
    }
}

/// The code in the form of the interface.
private func result(_ code: PACCode, _ source: Int32) -> UnsafeMutablePointer<mtoken_pac> {
    let arena = Arena(
        room: Arena.size(of: mtoken_pac.self) &+ code.operationId.count &+ (code.totp?.count ?? 0)
            &+ (code.algorithm?.count ?? 0) &+ 4)
    return arena.result(
        mtoken_pac(
            operation_id: arena.text(code.operationId), totp: code.totp.map { arena.text($0) }, source: source,
            form: code.form.rawValue, is_header_valid: code.isHeaderValid ? 1 : 0,
            has_signature: code.hasSignature ? 1 : 0,
            algorithm: code.algorithm.flatMap { $0.contains(0) ? nil : arena.text($0) }))
}

@_cdecl("mtoken_pac_free") @implementation
public func mtoken_pac_free(_ pac: UnsafeMutablePointer<mtoken_pac>!) { Arena.free(pac) }

@_cdecl("mtoken_pac_matches") @implementation
public func mtoken_pac_matches(
    _ pac: UnsafePointer<mtoken_pac>!, _ operation: UnsafePointer<mtoken_operation>!
) -> Int32 {
    guard let wanted = pac?.pointee.operation_id, let id = operation?.pointee.id else { return 0 }
    return strcmp(wanted, id) == 0 ? 1 : 0
}

@_cdecl("mtoken_pac_find") @implementation
public func mtoken_pac_find(
    _ pac: UnsafePointer<mtoken_pac>!, _ list: UnsafePointer<mtoken_operation_list>!
) -> UnsafePointer<mtoken_operation>! {
    guard let list = list?.pointee, let operations = list.operations else { return nil }
    for index in 0..<list.count where mtoken_pac_matches(pac, operations[index]) == 1 { return operations[index] }
    return nil
}

@_cdecl("mtoken_pac_build") @implementation
public func mtoken_pac_build(
    _ options: UnsafePointer<mtoken_pac_build_options>!,
    _ out_code: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_text>?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_code, "out_code")
        let options = try Input.options(options, "options")
        guard options.reserved == 0 else { throw .argument("reserved", " must be 0.") }
        guard let form = PACCode.Form(rawValue: options.form) else { throw .argument("form", " is unknown.") }
        let link = try Input.text(options.link, "link") ?? ""
        let operationId = try Input.text(options.operation_id, "operation_id") ?? ""
        let totp = try Input.text(options.totp, "totp")
        let code = try building("The proximity code") { () throws(TextFault) in
            try PACBuilder.build(form, operationId: operationId, totp: totp, link: link)
        }
        out.pointee = textResult(code)
    }
}

/// Builds a text; unusable input is a wrong argument.
func building<R>(_ what: StaticString, _ build: () throws(TextFault) -> R) throws(Failure) -> R {
    do throws(TextFault) {
        return try build()
    } catch {
        throw notMade(error, what)
    }
}

/// Not inlined, since making texts takes much code.
@inline(never)
private func notMade(_ fault: TextFault, _ what: StaticString) -> Failure {
    let (name, detail) = fault.code.words
    return Failure(.argument, name, filled("% cannot be built: %.", what.description, detail.description))
}

@_cdecl("mtoken_totp") @implementation
public func mtoken_totp(
    _ seed: UnsafePointer<UInt8>!, _ seed_length: Int, _ time: Int64, _ step: Int32, _ digits: Int32,
    _ algorithm: Int32, _ out_totp: UnsafeMutablePointer<UnsafeMutablePointer<mtoken_text>?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        let out = try output(out_totp, "out_totp")
        let seed = try Input.bytes(seed, seed_length, "seed")
        guard !seed.isEmpty else { throw .argument("seed", " is empty.") }
        let time = try Input.time(time, "time")
        guard algorithm == MTOKEN_TOTP_SHA256.rawValue || algorithm == MTOKEN_TOTP_SHA512.rawValue else {
            throw .argument("hash", " is unknown.")
        }
        let totp = try computing(range: "step_s must be at least 0, and digits 6 to 9.") { () throws(CryptoError) in
            try TOTP.generate(
                key: seed, time: time / 1000, step: Input.given(step).map { Int64($0) },
                digits: Input.given(digits).map { Int($0) },
                algorithm: algorithm == MTOKEN_TOTP_SHA512.rawValue ? .sha512 : .sha256)
        }
        out.pointee = textResult(totp)
    }
}
