// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON

/// Recovery codes and PUKs (powerauth.md §4.3).
package enum RecoveryCode {
    /// Whether the text is a recovery code, with or without the prefix `R:`. A signature is not allowed.
    package static func isValid(_ text: some Bytes) -> Bool { code(in: text) != nil }

    /// Reads a recovery code, which may have the prefix `R:` of the QR form.
    ///
    /// - Returns: the code without prefix, 23 ASCII characters.
    /// - Throws: `invalidActivationCode`.
    package static func parse(_ text: some Bytes) throws(PowerAuthError) -> [UInt8] {
        guard let code = code(in: text) else {
            throw PowerAuthError(.invalidActivationCode, "the recovery code is not valid")
        }
        return code
    }

    /// Whether the text is a PUK: exactly ten decimal digits.
    package static func isValidPUK(_ text: some Bytes) -> Bool {
        guard text.byteCount == 10 else { return false }
        return text.withBytes { bytes in
            bytes.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
    }

    /// The payload of a recovery-code confirmation, `{"recoveryCode":"…"}` (rest.md §3.14).
    ///
    /// - Throws: `invalidActivationCode`.
    package static func confirmationPayload(code text: some Bytes) throws(PowerAuthError) -> SecureBytes {
        var payload: [UInt8] = []
        payload.reserveCapacity(64)
        payload.append("{\"recoveryCode\":\"" as StaticString)
        payload.append(try parse(text))
        payload.append("\"}" as StaticString)
        defer { wipe(&payload) }
        return SecureBytes(copying: payload)
    }

    /// Reads the decrypted answer to a recovery-code confirmation.
    ///
    /// - Returns: whether the code had been confirmed before.
    /// - Throws: `invalidActivationData` when the answer does not have the expected form.
    package static func alreadyConfirmed(_ plaintext: SecureBytes) throws(PowerAuthError) -> Bool {
        guard let confirmed = try JSONFields.parse(plaintext, .invalidActivationData)["alreadyConfirmed"]?.bool else {
            throw PowerAuthError(.invalidActivationData, "the response to the confirmation is malformed")
        }
        return confirmed
    }

    private static func code(in text: some Bytes) -> [UInt8]? {
        text.withBytes { bytes in
            let prefixed = bytes.count == 25 && bytes[0] == UInt8(ascii: "R") && bytes[1] == UInt8(ascii: ":")
            let code = [UInt8](prefixed ? bytes[2...] : bytes[...])
            return ActivationCode.isValid(code) ? code : nil
        }
    }
}
