// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON

extension V4 {
    /// JSON Web Signatures of the protocol (powerauth4.md §7, §16; RFC 7515).
    enum JSONWebSignature {
        /// `{"alg":"HS384","typ":"JWT"}`
        static let headerHS384: StaticString = "eyJhbGciOiJIUzM4NCIsInR5cCI6IkpXVCJ9"
        /// The name of ECDSA on P-384 with SHA-384.
        static let es384: StaticString = "ES384"
        /// Longer texts are refused unread; the largest that a server makes has 10 kB.
        static let maximumLength = 128 << 10

        /// `protected`, exactly `{"alg":"…"}`.
        static func header(_ algorithm: StaticString) -> [UInt8] {
            var header: [UInt8] = []
            header.append("{\"alg\":\"" as StaticString)
            header.append(algorithm)
            header.append("\"}" as StaticString)
            return Base64URL.encodedBytes(header)
        }

        /// `protected.payload`: what is signed.
        static func signingInput(_ header: [UInt8], _ payload: [UInt8]) -> [UInt8] {
            var input: [UInt8] = []
            input.reserveCapacity(header.count + 1 + payload.count)
            input.append(contentsOf: header)
            input.append(UInt8(ascii: "."))
            input.append(contentsOf: payload)
            return input
        }

        /// Reads a signature in the general JSON form (RFC 7515 §7.2.1) and checks all that belong to the suite, each found by
        /// its `alg`. One that is missing, repeated, of another algorithm or wrong refuses the whole.
        ///
        /// - Returns: the decoded payload.
        /// - Throws: `invalidTemporaryKey` for what is malformed; `serverSignature` when the signatures are not those that
        ///   must be there, or wrong.
        static func verify(_ text: UnsafeRawBufferPointer, keys: PublicKeys) throws(PowerAuthError) -> JSONValue {
            guard text.count <= maximumLength, let root = try? JSONFields.parse(text, .invalidTemporaryKey),
                let payload = root["payload"]?.text?.bytes, let entries = root["signatures"], entries.kind == .array
            else { throw PowerAuthError(.invalidTemporaryKey, "the response is no JSON Web Signature") }
            guard entries.count == (keys.suite.isHybrid ? 2 : 1) else {
                throw PowerAuthError(.serverSignature, "the response does not have the signatures of its suite")
            }
            var classical: Part?
            var second: Part?
            for index in 0..<entries.count {
                guard let entry = entries[index], let part = Part(entry) else {
                    throw PowerAuthError(.invalidTemporaryKey, "a signature of the response is malformed")
                }
                if sameBytes(part.algorithm, es384), classical == nil {
                    classical = part
                } else if let dsa = keys.suite.mldsa, sameBytes(part.algorithm, dsa.name), second == nil {
                    second = part
                } else {
                    throw PowerAuthError(.serverSignature, "the response does not have the signatures of its suite")
                }
            }
            guard let classical, keys.suite.isHybrid == (second != nil) else {
                throw PowerAuthError(.serverSignature, "the response does not have the signatures of its suite")
            }
            guard
                try keys.verify(
                    classical: (signingInput(classical.header, payload), classical.signature),
                    second: second.map { (signingInput($0.header, payload), $0.signature) })
            else { throw PowerAuthError(.serverSignature, "a signature of the response is wrong") }
            guard let decoded = Base64URL.decode(payload) else {
                throw PowerAuthError(.invalidTemporaryKey, "the payload of the response is not Base64")
            }
            return try JSONFields.parse(decoded, .invalidTemporaryKey)
        }

        /// One signature and its header, not verified.
        private struct Part {
            /// `protected` as it was received.
            let header: [UInt8]
            let algorithm: [UInt8]
            let signature: [UInt8]

            /// Nil when a member is missing or malformed, or an extension is demanded. Ignores an unprotected header,
            /// and other members of the protected one.
            init?(_ entry: JSONValue) {
                guard let header = entry["protected"]?.text?.bytes, let decoded = Base64URL.decode(header),
                    let fields = JSONWebToken.header(decoded),
                    let algorithm = fields["alg"]?.text?.bytes,
                    let signature = entry["signature"]?.text?.withBytes({ Base64URL.decode($0) })
                else { return nil }
                self.header = header
                self.algorithm = algorithm
                self.signature = signature
            }
        }
    }
}
