import FuzzSupport
import MobileTokenCrypto
import MobileTokenJSON

@testable import MobileTokenModel

/// What a proximity code says.
private struct Content: Equatable {
    let id: String
    let totp: String?
    let form: PACCode.Form
}

/// A proximity code, scanned and opened, and with no link allowed. What was read is written in every form and read back.
func fuzzPAC(_ input: UnsafeRawBufferPointer) {
    let scanned = read(input)
    let isToken = scanned?.form == .jwt
    require(read(input, onlyLinks: true) == (isToken ? nil : scanned), "a link reads differently when it is opened")
    require(read(input, allowsLinks: false) == (isToken ? scanned : nil), "a link is read that is not allowed")
    guard let scanned else { return }
    for form in [PACCode.Form.jwt, .deeplinkJWT, .deeplink] {
        do throws(TextFault) {
            let text = try PACBuilder.build(
                form, operationId: scanned.id, totp: scanned.totp, link: "mtoken://operation")
            let again = Array(text.utf8).withUnsafeBytes { read($0) }
            require(again == Content(id: scanned.id, totp: scanned.totp, form: form), "another code was written")
        } catch {
            require(form == .deeplink && error.code == .tooLong, "what was read cannot be written")
        }
    }
}

private func read(_ text: UnsafeRawBufferPointer, onlyLinks: Bool = false, allowsLinks: Bool = true) -> Content? {
    PACCode.withCode(parsing: text, onlyLinks: onlyLinks, allows: { _, _ in allowsLinks }) { result in
        switch result {
        case .success(let code):
            require(!code.operationId.isEmpty, "the code selects nothing")
            require(PrintableText.count(code.operationId) <= 255, "the operation's id is too long")
            require(code.totp.map { (4...10).contains($0.count) } ?? true, "the password has another length")
            return Content(
                id: String(decoding: code.operationId, as: UTF8.self),
                totp: code.totp.map { String(decoding: $0, as: UTF8.self) }, form: code.form)
        case .failure(let fault):
            check(fault, in: text)
            return nil
        }
    }
}

/// The payload of a token in both alphabets: accepted exactly when the JSON reader, asked alone, finds what is needed.
func fuzzTokenOfPAC(_ input: UnsafeRawBufferPointer) {
    guard input.count < 1000 else { return }
    let token = Array("h.".utf8) + Base64URL.encodedBytes(input)
    let code = token.withUnsafeBytes { read($0) }
    let root = try? JSONDocument(parsing: input, limits: JSONLimits(maximumDepth: 8)).root
    if let code {
        require(root?["oid"]?.text?.string == code.id, "the JSON reader finds another operation")
        let totp = root?["totp"]?.text?.string ?? root?["potp"]?.text?.string
        require(totp == code.totp, "the JSON reader finds another password")
    } else if let root, root.kind == .object, let id = root["oid"]?.text?.string, root["totp"] == nil,
        root["potp"] == nil
    {
        require(
            id.isEmpty || id.utf8.count > 255 || id.utf8.contains { !(0x21...0x7E).contains($0) }, "the code is refused"
        )
    }
}
