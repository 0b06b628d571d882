// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON

/// The part of JSON Web Tokens that the protocol uses (powerauth.md §6, §13; RFC 7515).
enum JSONWebToken {
    /// `{"alg":"HS256","typ":"JWT"}`
    static let headerHS256: StaticString = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9"
    /// `{"alg":"ES256","typ":"JWT"}`
    static let headerES256: StaticString = "eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9"

    /// `header.payload`: what is signed.
    static func signingInput(header: StaticString, payload: some Bytes) -> [UInt8] {
        var input: [UInt8] = []
        input.reserveCapacity(header.byteCount + 2 + payload.byteCount * 4 / 3 + 96)
        input.append(header)
        input.append(UInt8(ascii: "."))
        Base64URL.append(payload, to: &input)
        return input
    }

    /// The complete token: the signing input and its signature.
    static func token(signingInput: [UInt8], signature: some Bytes) -> [UInt8] {
        var token = signingInput
        token.append(UInt8(ascii: "."))
        Base64URL.append(signature, to: &token)
        return token
    }

    /// A header; nil: not a JSON object, or it demands extensions (`crit`, RFC 7515 §4.1.11), none of which is supported.
    static func header(_ bytes: [UInt8]) -> JSONValue? {
        guard let header = try? JSONFields.parse(bytes, .invalidTemporaryKey), header["crit"] == nil else { return nil }
        return header
    }

    /// A token, taken apart but not verified.
    struct Parts {
        /// The signed part.
        let signingInput: [UInt8]
        /// The decoded header.
        let header: JSONValue
        /// The decoded signature.
        let signature: [UInt8]
        private let payload: [UInt8]

        /// Takes a token apart; nil unless it has three non-empty parts of which the first is a header. The payload is
        /// not looked at before the signature has been verified.
        init?(_ token: some Bytes) {
            let parts: (input: [UInt8], header: [UInt8], payload: [UInt8], signature: [UInt8])? = token.withBytes {
                bytes in
                let parts = bytes.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
                guard parts.count == 3, !parts[0].isEmpty, !parts[1].isEmpty, !parts[2].isEmpty,
                    let header = Base64URL.decode([UInt8](parts[0])),
                    let signature = Base64URL.decode([UInt8](parts[2]))
                else { return nil }
                return ([UInt8](bytes[..<parts[1].endIndex]), header, [UInt8](parts[1]), signature)
            }
            guard let parts, let header = JSONWebToken.header(parts.header) else { return nil }
            signingInput = parts.input
            self.header = header
            signature = parts.signature
            payload = parts.payload
        }

        /// The claims; nil when they are not a JSON object.
        var claims: JSONValue? {
            guard let claims = Base64URL.decode(payload) else { return nil }
            return try? JSONFields.parse(claims, .invalidTemporaryKey)
        }
    }
}
