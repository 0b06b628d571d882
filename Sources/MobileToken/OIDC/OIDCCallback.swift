// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON
import MobileTokenModel

/// A provider's answer as it comes back through the browser: the URL that was opened, taken apart (oidc.md §4).
struct OIDCCallback {
    let code: SecureBytes?
    let state: SecureBytes?
    let issuer: SecureBytes?
    let error: SecureBytes?
    let errorDescription: SecureBytes?
    let errorURI: SecureBytes?

    private static let single: [StaticString] = ["code", "state", "error", "iss"]

    /// Reads a URL that came to the redirect URI.
    ///
    /// - Throws: `invalidCallback`, `redirectMismatch`, `missingCode` for an answer in the fragment, `duplicateParameter`
    init(_ url: UnsafeRawBufferPointer, redirect: RedirectURI) throws(Failure) {
        let parts: URIParts
        do throws(URIParts.Malformed) { parts = try URIParts(url) } catch { throw Self.invalid(at: error.offset) }
        guard parts.target == redirect.parts.target else { throw Self.mismatch }
        let query = parts.query ?? 0..<0
        if let fragment = parts.fragment {
            guard !query.isEmpty else { throw Self.missingCode }
            guard Self.isEmpty(url[fragment]) else { throw Self.invalid(at: fragment.lowerBound - 1) }
        }
        let form: FormText
        do throws(URIParts.Malformed) {
            form = try FormText(UnsafeRawBufferPointer(rebasing: url[query]))
        } catch {
            throw Self.invalid(at: query.lowerBound + error.offset)
        }
        try Self.check(form, holds: redirect)
        for name in Self.single where form.count(name) > 1 {
            throw Failure(
                .protocol, "duplicateParameter", "The provider's response repeats a parameter: it may be forged.")
        }
        code = form.value("code")
        state = form.value("state")
        issuer = form.value("iss")
        error = form.value("error")
        // The characters of a code or an error (RFC 6749, appendix A): no line ends that could become headers or log
        // lines.
        for text in [code, error] {
            guard let text else { continue }
            let isVisible = text.withBytes { $0.allSatisfy { (0x20...0x7E).contains($0) } }
            guard isVisible else { throw Self.invalid(at: query.lowerBound) }
        }
        errorDescription = Self.shown(form.value("error_description"))
        errorURI = Self.shown(form.value("error_uri"))
    }

    /// Some providers add an empty fragment, or this one, so that the browser keeps none of its own.
    private static func isEmpty(_ fragment: Slice<UnsafeRawBufferPointer>) -> Bool {
        fragment.isEmpty || sameBytes(UnsafeRawBufferPointer(rebasing: fragment), "_=_")
    }

    /// The parameters of the redirect URI itself must come back.
    private static func check(_ form: FormText, holds redirect: RedirectURI) throws(Failure) {
        guard let query = redirect.parts.query else { return }
        let expected = redirect.text.withBytes { try? FormText(UnsafeRawBufferPointer(rebasing: $0[query])) }
        guard let expected else { throw mismatch }
        for pair in expected.pairs {
            let found = form.pairs.contains { $0.name.isEqual(to: pair.name) && $0.value.isEqual(to: pair.value) }
            guard found else { throw mismatch }
        }
    }

    /// Text for people and logs; nil if it is not valid text.
    private static func shown(_ text: SecureBytes?) -> SecureBytes? {
        guard let text else { return nil }
        let isText = text.withBytes { bytes in
            UTF8Validity.firstInvalid(in: bytes) == nil && bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        }
        return isText ? text : nil
    }

    private static func invalid(at offset: Int) -> Failure {
        var failure = Failure(.parse, "invalidCallback", "This URL is not a valid response of a provider.")
        failure.byteOffset = offset
        return failure
    }

    private static var mismatch: Failure {
        Failure(.protocol, "redirectMismatch", "The URL does not match the redirect URI.")
    }

    static var missingCode: Failure {
        Failure(.protocol, "missingCode", "The provider's response has no authorization code in its query.")
    }
}
