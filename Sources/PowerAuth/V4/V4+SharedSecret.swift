// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON

extension V4 {
    /// The client's side of one exchange of a secret (powerauth4.md §4). The private keys live as long as this object.
    package final class SharedSecretRequest: Sendable {
        /// The suite of the exchange.
        package let suite: Suite
        private let privateKey: PrivateKey
        /// Of ML-KEM, in hybrid suites: the same key asks for the secret and opens the answer.
        private let kemPair: MLKEM.KeyPair?
        /// The encapsulation keys as they are sent: a point; an SPKI.
        let encapsulationKeys: [[UInt8]]

        /// Makes fresh keys.
        ///
        /// Draws from the random source: 48 bytes, then (hybrid suites) 64.
        ///
        /// - Throws: `unsupportedProtocol` when this process lacks the suite's algorithms; `randomFailed`.
        package convenience init(suite: Suite, random: RandomSource) throws(PowerAuthError) {
            try suite.require()
            let keys = try attempt(.randomFailed, "OpenSSL could not generate a key") {
                () throws(CryptoError) -> (PrivateKey, SecureBytes?) in
                let privateKey = try random.keyPair(on: .p384)
                guard suite.isHybrid else { return (privateKey, nil) }
                return (privateKey, try random.secureBytes(MLKEM.seedLength))
            }
            try self.init(suite: suite, privateKey: keys.0, seed: keys.1)
        }

        /// Takes given keys.
        ///
        /// - Throws: `encryption`.
        convenience init(suite: Suite, privateKey: PrivateKey, seed: SecureBytes?) throws(PowerAuthError) {
            guard let kem = suite.mlkem else {
                self.init(suite, privateKey, nil, [privateKey.publicKey.uncompressed])
                return
            }
            let pair = try attempt(.encryption, "the public key could not be computed") {
                () throws(CryptoError) -> MLKEM.KeyPair in
                guard let seed else { throw CryptoError(reason: .invalidKey) }
                return try kem.keyPair(seed: seed)
            }
            let info = SubjectPublicKeyInfo.kem(kem).encode(pair.publicKey)
            self.init(suite, privateKey, pair, [privateKey.publicKey.uncompressed, info])
        }

        private init(
            _ suite: Suite, _ privateKey: PrivateKey, _ kemPair: MLKEM.KeyPair?, _ encapsulationKeys: [[UInt8]]
        ) {
            self.suite = suite
            self.privateKey = privateKey
            self.kemPair = kemPair
            self.encapsulationKeys = encapsulationKeys
        }

        /// The request: `{"algorithm":"…","encapsulationKeys":["…"]}`.
        package var json: [UInt8] {
            var text: [UInt8] = []
            text.reserveCapacity(2600)
            text.append("{\"algorithm\":\"" as StaticString)
            text.append(suite.name)
            text.append("\",\"encapsulationKeys\":[\"" as StaticString)
            Base64.append(encapsulationKeys[0], to: &text)
            for key in encapsulationKeys.dropFirst() {
                text.append("\",\"" as StaticString)
                Base64.append(key, to: &text)
            }
            text.append("\"]}" as StaticString)
            return text
        }

        /// The secret of the answer.
        ///
        /// - Parameter response: the object `{"salt":"…","encapsulatedKeys":["…"]}`.
        /// - Throws: `encryption` for a malformed member, a wrong length or count, or a key that is not a point.
        package func accept(_ response: JSONValue) throws(PowerAuthError) -> SecureBytes {
            guard let salt = response.base64("salt", count: V4.keyLength), let list = response["encapsulatedKeys"],
                list.kind == .array, list.count == encapsulationKeys.count, let first = list[0]?.base64Text
            else { throw PowerAuthError(.encryption, "the server's shared secret response is malformed") }
            return try attempt(.encryption, "the shared secret could not be computed") {
                () throws(CryptoError) -> SecureBytes in
                let label: StaticString = "DHKEM-P384"
                let exported = try DHKEM.export(first, privateKey: privateKey, info: label, context: label)
                var decapsulated: SecureBytes?
                if let kemPair {
                    guard let second = list[1]?.base64Text else { throw CryptoError(reason: .invalidEncoding) }
                    decapsulated = try kemPair.decapsulate(second)
                }
                return try SharedSecret.combine(suite, salt: salt, exported, decapsulated)
            }
        }
    }

    /// The result of combining the secrets of an exchange (powerauth4.md §4).
    enum SharedSecret {
        /// `KMAC(salt, BE32(1) ‖ LP(s1[, s2]) ‖ LP("shared-secret/" ‖ algorithm, "4.0"), "KDF", 32)`
        static func combine(
            _ suite: Suite, salt: some Bytes, _ exported: SecureBytes, _ decapsulated: SecureBytes?
        ) throws(CryptoError) -> SecureBytes {
            let secrets = SecureBytes(count: 8 + 4 + exported.count + (decapsulated?.count ?? 0))
            let count = secrets.withMutableBytes { room in
                var writer = ByteWriter(room)
                writer.append(bigEndian: 1)
                writer.append(bigEndian: UInt32(truncatingIfNeeded: exported.count))
                writer.append(exported)
                if let decapsulated {
                    writer.append(bigEndian: UInt32(truncatingIfNeeded: decapsulated.count))
                    writer.append(decapsulated)
                }
                return writer.count
            }
            var label: [UInt8] = []
            label.appendBigEndian(UInt32(truncatingIfNeeded: prefix.byteCount + suite.name.byteCount))
            label.append(prefix)
            label.append(suite.name)
            label.appendLengthPrefixed(V4.version)
            return try secrets.withBytes { (secrets) throws(CryptoError) in
                try label.withBytes { (label) throws(CryptoError) in
                    try salt.withBytes { (salt) throws(CryptoError) in
                        try SecureBytes(count: V4.keyLength) { (output) throws(CryptoError) in
                            try KMAC.compute(
                                UnsafeRawBufferPointer(rebasing: secrets[..<count]), label, key: salt,
                                customization: "KDF", into: output)
                        }
                    }
                }
            }
        }

        private static let prefix: StaticString = "shared-secret/"
    }
}
