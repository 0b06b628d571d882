// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON

/// How a device proves that it may be activated, and what it says of itself (powerauth.md §7.2, §7.3).
package final class ActivationRequest: @unchecked Sendable {
    enum Kind: Sendable {
        case code(ParsedActivationCode)
        case recovery
        case custom
        case direct

        /// The member `type`.
        var name: StaticString {
            switch self {
            case .code: "CODE"
            case .recovery: "RECOVERY"
            case .custom: "CUSTOM"
            case .direct: "DIRECT"
            }
        }
    }

    let kind: Kind
    /// The member `identityAttributes`: a JSON object.
    let identity: SecureBytes

    /// The name of the device that users see.
    package var name: String?
    /// A one-time password for an activation by code; refused with any other kind.
    package var otp: SecureBytes?
    /// Anything for the server's integration.
    package var extras: String?
    /// e.g. `linux`.
    package var platform: String?
    /// e.g. the model of the device.
    package var deviceInfo: String?
    /// A JSON object for the server's integration, as text.
    package var customAttributes: [UInt8]?

    /// Writes the identity attributes; their values never become Strings here.
    private init(kind: Kind, identity: [(key: String, value: SecureBytes)]) throws(PowerAuthError) {
        self.kind = kind
        var writer = JSONWriter(sensitive: true)
        defer { writer.wipe() }
        writer.beginObject()
        for (key, value) in identity {
            writer.key(key)
            let isText = value.withBytes { (try? writer.value(utf8: $0)) != nil }
            guard isText else { throw PowerAuthError(.wrongParameter, "an identity attribute is not UTF-8") }
        }
        writer.endObject()
        self.identity = writer.withBytes { SecureBytes(copying: $0) }
    }

    private static func secret(_ text: StaticString) -> SecureBytes { SecureBytes(copying: text) }

    /// An activation by activation code, typed or scanned, with or without signature.
    ///
    /// - Throws: `invalidActivationCode`.
    package static func code(_ text: some Bytes) throws(PowerAuthError) -> ActivationRequest {
        let parsed = try ActivationCode.parse(text)
        return try ActivationRequest(kind: .code(parsed), identity: [("code", SecureBytes(copying: parsed.code))])
    }

    /// An activation by recovery code and PUK; it replaces the activation to which they belong.
    ///
    /// - Throws: `invalidActivationCode`.
    package static func recovery(code: some Bytes, puk: some Bytes) throws(PowerAuthError) -> ActivationRequest {
        let recoveryCode = try RecoveryCode.parse(code)
        guard RecoveryCode.isValidPUK(puk) else {
            throw PowerAuthError(.invalidActivationCode, "the PUK must be ten digits")
        }
        return try ActivationRequest(
            kind: .recovery,
            identity: [("recoveryCode", SecureBytes(copying: recoveryCode)), ("puk", SecureBytes(copying: puk))])
    }

    /// An activation by attributes whose meaning the server's integration defines.
    ///
    /// - Throws: `invalidActivationData` without attributes, or when a name occurs twice.
    package static func custom(
        _ attributes: [(name: String, value: SecureBytes)]
    ) throws(PowerAuthError) -> ActivationRequest {
        guard !attributes.isEmpty else {
            throw PowerAuthError(.invalidActivationData, "an activation needs identity attributes")
        }
        for (index, attribute) in attributes.enumerated() {
            for other in attributes[..<index] where sameBytes(other.name, attribute.name) {
                throw PowerAuthError(.invalidActivationData, "an identity attribute is given twice")
            }
        }
        return try ActivationRequest(kind: .custom, identity: attributes.map { ($0.name, $0.value) })
    }

    /// An activation with the answer of an OpenID Connect provider.
    ///
    /// - Parameter codeVerifier: when PKCE is used.
    /// - Throws: `invalidActivationCode` when a value is empty.
    package static func oidc(
        providerId: String, code: SecureBytes, nonce: SecureBytes, codeVerifier: SecureBytes?
    ) throws(PowerAuthError) -> ActivationRequest {
        guard !providerId.isEmpty, code.count > 0, nonce.count > 0, codeVerifier.map({ $0.count > 0 }) ?? true else {
            throw PowerAuthError(.invalidActivationCode, "a value of the OIDC activation is empty")
        }
        var identity = [
            ("method", secret("oidc")), ("providerId", SecureBytes(copying: providerId)), ("code", code),
            ("nonce", nonce),
        ]
        if let codeVerifier { identity.append(("codeVerifier", codeVerifier)) }
        return try ActivationRequest(kind: .direct, identity: identity.map { (key: $0.0, value: $0.1) })
    }

    /// Checks what can only be checked when all options are set.
    ///
    /// - Throws: `invalidActivationData` for an empty OTP or one without an activation code; `wrongParameter` when the
    ///   custom attributes are not a JSON object.
    func validate() throws(PowerAuthError) {
        if let otp {
            guard case .code = kind, otp.count > 0 else {
                throw PowerAuthError(
                    .invalidActivationData, "an OTP needs an activation code and must not be empty")
            }
        }
        if let otp, otp.withBytes({ UTF8Validity.firstInvalid(in: $0) }) != nil {
            throw PowerAuthError(.wrongParameter, "the OTP is not UTF-8")
        }
        if let customAttributes { _ = try JSONFields.parse(customAttributes, .wrongParameter) }
    }

    /// The payload of layer 2 (powerauth.md §7.3).
    func layer2(devicePublicKey: [UInt8]) -> SecureBytes {
        layer2 { writer in
            writer.key("devicePublicKey")
            writer.value(Base64.encode(devicePublicKey))
        }
    }

    /// The payload of layer 2.
    ///
    /// - Parameter keys: writes the members with the device's keys.
    func layer2(_ keys: (inout JSONWriter) -> Void) -> SecureBytes {
        var writer = JSONWriter(capacity: 512, sensitive: true)
        writer.beginObject()
        if let name { writer.key("activationName"); writer.value(name) }
        keys(&writer)
        if let otp {
            writer.key("activationOtp")
            // It was validated: this cannot fail.
            otp.withBytes { try? writer.value(utf8: $0) }
        }
        if let extras { writer.key("extras"); writer.value(extras) }
        if let platform { writer.key("platform"); writer.value(platform) }
        if let deviceInfo { writer.key("deviceInfo"); writer.value(deviceInfo) }
        writer.endObject()
        defer { writer.wipe() }
        return writer.withBytes { SecureBytes(copying: $0) }
    }

    /// The payload of layer 1 (powerauth.md §7.2).
    ///
    /// - Parameter activationData: the encrypted layer 2, a JSON object.
    func layer1(activationData: [UInt8]) -> SecureBytes {
        var writer = JSONWriter(capacity: activationData.count + 512, sensitive: true)
        writer.beginObject()
        writer.key("type")
        writer.value(kind.name)
        writer.key("identityAttributes")
        identity.withBytes { writer.raw($0) }
        if let customAttributes { writer.key("customAttributes"); writer.raw(customAttributes) }
        writer.key("activationData")
        writer.raw(activationData)
        writer.endObject()
        defer { writer.wipe() }
        return writer.withBytes { SecureBytes(copying: $0) }
    }
}
