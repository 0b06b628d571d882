import CMToken
import CSystem
import FuzzSupport
import MobileTokenC
import MobileTokenCrypto

@testable import PowerAuth

/// The SDK configuration: the text itself, and the bytes below its Base64.
func fuzzConfiguration(_ input: UnsafeRawBufferPointer) {
    for text in [[UInt8](input), Base64.encodedBytes(input)] {
        guard let configuration = try? Configuration(sdkConfiguration: text) else { continue }
        require(configuration.applicationKey.count == 24, "the application key has another length")
        for suite in configuration.suites {
            let keys = configuration.masterKeys(for: suite)
            require(keys?.ecdsa.uncompressed.count == 97, "the master key is no point of P-384")
            require(keys?.mldsa?.count == suite.mldsa?.publicKeyLength, "the second master key has another length")
            require((try? Configuration(sdkConfiguration: text, for: .suite(suite))) != nil, "a suite is refused")
        }
        guard let master = configuration.legacyMasterKey else {
            require(!configuration.suites.isEmpty, "there is no master key")
            continue
        }
        require(master.uncompressed.count == 65, "the master key is no point")
        // The same parts, written in the one canonical way, give the same configuration.
        let parts = try? Configuration(
            key: Base64.decode(configuration.applicationKey) ?? [], secret: configuration.applicationSecretBytes,
            masterKey: master.compressed)
        require(parts?.applicationSharedInfo2 == configuration.applicationSharedInfo2, "the parts do not fit")
    }
}

/// Activation codes as scanned, typed characters, recovery codes and PUKs; through the C interface too.
func fuzzCode(_ input: UnsafeRawBufferPointer) {
    let parsed = try? ActivationCode.parse(input)
    if let parsed {
        require(ActivationCode.isValid(parsed.code), "the code of a parsed text is not valid")
        require(input.count >= 23 && input.prefix(23).elementsEqual(parsed.code), "the code is not that of the text")
        require((try? RecoveryCode.parse(parsed.code)) == parsed.code, "a code is no recovery code")
        _ = try? parsed.verify(with: World.shared.configuration)
        _ = try? ActivationRequest.code(input)
    }
    if let code = try? RecoveryCode.parse(input) {
        require(ActivationCode.isValid(code), "a recovery code is not valid")
        _ = try? RecoveryCode.confirmationPayload(code: input)
    }
    _ = RecoveryCode.isValidPUK(input)
    for byte in input.prefix(8) {
        if let corrected = ActivationCode.correctTypedCharacter(UInt32(byte)) {
            require(ActivationCode.isValidTypedCharacter(corrected), "a corrected character is not valid")
        }
    }

    var code: UnsafeMutablePointer<mtoken_activation_code>?
    let status = withError(input.count) { error in
        mtoken_activation_code_parse(
            characters(input), input.count, &code, error)
    }
    require((status == MTOKEN_OK.rawValue) == (code != nil), "success without a result")
    require(status != MTOKEN_OK.rawValue || parsed != nil, "the C interface accepts more")
    if let code {
        require(strlen(code.pointee.code) == 23, "the code has another length")
        mtoken_activation_code_free(code)
    }
}

/// The canonical query: canonical text stays as it is.
func fuzzQuery(_ input: UnsafeRawBufferPointer) {
    let canonical = try? CanonicalQuery.canonicalize(input)
    if let canonical {
        require((try? CanonicalQuery.canonicalize(canonical)) == canonical, "the canonical text is not canonical")
    }
    var text: UnsafeMutablePointer<mtoken_text>?
    let status = withError(input.count) { error in
        mtoken_canonical_query(characters(input), input.count, &text, error)
    }
    require((status == MTOKEN_OK.rawValue) == (text != nil), "success without a result")
    require(status != MTOKEN_OK.rawValue || canonical != nil, "the C interface accepts more")
    if let text {
        require(strlen(text.pointee.data) == text.pointee.length, "the text ends elsewhere")
        require(canonical?.count == text.pointee.length, "the C interface gives another text")
        mtoken_text_free(text)
    }
}
