import CMToken
import CSystem
import FuzzSupport
import MobileToken
import MobileTokenCrypto
import MobileTokenHTTP
import MobileTokenModel
import MobileTokenSystem

/// What comes back through the browser to a login. The first byte chooses the redirect URI and what is known of the issuer; the
/// state is "s", so that inputs come past it.
func fuzzOIDCCallback(_ input: UnsafeRawBufferPointer) {
    let (mode, callback) = input.split
    let redirects = [
        "mtoken://oidc", "https://app.example/back?a=1&b=%20", "http://127.0.0.1:8080/back", "com.example.app:/back",
    ]
    let redirect = redirects[mode % redirects.count]
    let issuer = mode & 4 == 0 ? nil : "https://idp.example"
    let options = OIDCOptions(
        OIDCConfiguration(
            providerId: "p", clientId: "c", scopes: "openid", authorizeUri: "https://idp.example/authorize",
            redirectUri: redirect, pkceEnabled: false, issuer: issuer, issuerRequired: mode & 12 == 12))
    guard
        let request = try? OIDCAuthorizationRequest(
            options, authorizeURL: SecureBytes(copying: "u"), nonce: SecureBytes(copying: "n"),
            state: SecureBytes(copying: "s"), codeVerifier: nil, time: ManualTime())
    else { fatalError("the request cannot be made") }
    let good =
        redirect + (redirect.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + "code=c&state=s&iss=https://idp.example"
    do throws(Failure) {
        let attributes = try request.process(callback)
        require(attributes.code.count > 0, "a code is empty")
        require(
            attributes.code.withBytes { $0.allSatisfy { $0 >= 0x20 && $0 < 0x7F } }, "a code has a control character")
        require(callback.contains(UInt8(ascii: "?")), "an answer without a query")
        require((try? request.process(callback)) == nil && (try? request.process(good)) == nil, "answered twice")
    } catch {
        require(!error.message.isEmpty, "an error says nothing")
        require((0...callback.count).contains(error.byteOffset ?? 0), "the error stands outside of the text")
        require((error.code == .parse) == (error.byteOffset != nil), "a parse error without a place")
        for text in [error.serverCode, error.serverMessage, error.serverURI] {
            guard let text else { continue }
            require(text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "a control character in what is shown")
        }
        // An answer with the right state ends the request, also when it says nothing good.
        let mayEnd = error.code == .server || error.reason.description == "missingCode"
        require(mayEnd || (try? request.process(good)) != nil, "a forged answer ended the request")
    }
    viaC(callback)
}

/// The same text at a request whose state nobody knows: no answer may be accepted.
private func viaC(_ callback: UnsafeRawBufferPointer) {
    var options = mtoken_oidc_options()
    options.struct_size = MemoryLayout<mtoken_oidc_options>.size
    func text(_ text: StaticString) -> mtoken_text {
        mtoken_text(
            data: UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self), length: text.utf8CodeUnitCount)
    }
    options.provider_id = text("p")
    options.client_id = text("c")
    options.scopes = text("openid")
    options.authorize_uri = text("https://idp.example/authorize")
    options.redirect_uri = text("mtoken://oidc")
    var request: OpaquePointer?
    var error: UnsafeMutablePointer<mtoken_error>?
    require(mtoken_oidc_prepare(&options, &request, nil) == MTOKEN_OK.rawValue, "the request cannot be made")
    var attributes: UnsafePointer<mtoken_oidc_attributes>?
    let status = mtoken_oidc_process(
        request, characters(callback), callback.count, &attributes, &error)
    require(status != MTOKEN_OK.rawValue && attributes == nil && error != nil, "a forged answer was accepted")
    mtoken_error_free(error)
    mtoken_oidc_request_free(request)
}
