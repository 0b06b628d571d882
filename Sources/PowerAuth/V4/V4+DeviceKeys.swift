// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

extension V4 {
    /// The key pairs of a device, which only sign (powerauth4.md §5, §16).
    package final class DeviceKeys: Sendable {
        package let suite: Suite
        /// The public halves.
        package let publicKeys: PublicKeys
        private let ecdsa: PrivateKey
        /// The seed of ML-DSA, in hybrid suites.
        private let seed: SecureBytes?

        /// Makes fresh keys.
        ///
        /// Draws from the random source: 48 bytes, then (hybrid suites) 32.
        ///
        /// - Throws: `unsupportedProtocol` when this process lacks the suite's algorithms; `randomFailed`; `encryption`.
        package convenience init(suite: Suite, random: RandomSource) throws(PowerAuthError) {
            try suite.require()
            let keys = try attempt(.randomFailed, "OpenSSL could not generate a key") {
                () throws(CryptoError) -> (PrivateKey, SecureBytes?) in
                let key = try random.keyPair(on: .p384)
                guard suite.isHybrid else { return (key, nil) }
                return (key, try random.secureBytes(MLDSA.seedLength))
            }
            try self.init(suite, keys.0, keys.1)
        }

        /// Takes keys that were stored.
        ///
        /// - Throws: `corruptedState` if they are not valid keys; `unsupportedProtocol`; `encryption`.
        package convenience init(suite: Suite, stored: SecureBytes) throws(PowerAuthError) {
            let length = Curve.p384.scalarLength
            guard stored.count == length + (suite.isHybrid ? MLDSA.seedLength : 0),
                let number = stored.slice(0..<length), let key = try? PrivateKey(bigEndian: number, on: .p384)
            else { throw PowerAuthError(.corruptedState, "the stored private keys are damaged") }
            try self.init(suite, key, suite.isHybrid ? stored.slice(length..<stored.count) : nil)
        }

        private convenience init(_ suite: Suite, _ ecdsa: PrivateKey, _ seed: SecureBytes?) throws(PowerAuthError) {
            var second: [UInt8]?
            if let dsa = suite.mldsa, let seed {
                try suite.require()
                second = try attempt(
                    .encryption, "the public key could not be computed", try dsa.publicKey(seed: seed))
            }
            self.init(PublicKeys(suite, ecdsa.publicKey, second), ecdsa, seed)
        }

        private init(_ publicKeys: PublicKeys, _ ecdsa: PrivateKey, _ seed: SecureBytes?) {
            suite = publicKeys.suite
            self.publicKeys = publicKeys
            self.ecdsa = ecdsa
            self.seed = seed
        }

        /// The private keys as they are stored (sealed): 48 bytes, then a seed of 32 in hybrid suites.
        ///
        /// - Throws: `encryption`.
        package func stored() throws(PowerAuthError) -> SecureBytes {
            let number = try attempt(.encryption, "the private key could not be read", try ecdsa.bytes(padded: true))
            guard let seed else { return number }
            return SecureBytes(count: number.count + seed.count) { room in
                number.withBytes { room.copyMemory(from: $0) }
                seed.withBytes { UnsafeMutableRawBufferPointer(rebasing: room[number.count...]).copyMemory(from: $0) }
            }
        }

        /// An ECDSA signature.
        ///
        /// - Throws: `signature`.
        package func signECDSA(
            _ data: some Bytes, format: SignatureFormat = .der
        ) throws(PowerAuthError) -> [UInt8] {
            try attempt(.signature, "the data could not be signed") { () throws(CryptoError) in
                switch format {
                case .der: try ecdsa.signDER(data)
                case .jose: try ecdsa.signJOSE(data)
                }
            }
        }

        /// Signs a request for a certificate with the ECDSA key.
        ///
        /// - Throws: `signature`.
        package func sign(_ request: CertificateRequest) throws(PowerAuthError) -> [UInt8] {
            try attempt(.signature, "the data could not be signed", try request.sign(ecdsa))
        }

        /// An ML-DSA signature; raw.
        ///
        /// - Throws: `unsupportedProtocol` in a suite without; `signature`.
        package func signMLDSA(_ data: some Bytes) throws(PowerAuthError) -> [UInt8] {
            guard let dsa = suite.mldsa, let seed else {
                throw PowerAuthError(.unsupportedProtocol, "the activation's suite has no ML-DSA")
            }
            try suite.require()
            return try attempt(.signature, "the data could not be signed", try dsa.sign(data, seed: seed))
        }

        /// A JSON Web Signature in the general form, with all signatures of the suite (powerauth4.md §16).
        ///
        /// - Throws: `unsupportedProtocol`, `signature`.
        package func signJWS(_ payload: some Bytes) throws(PowerAuthError) -> [UInt8] {
            let payload = Base64URL.encodedBytes(payload)
            var text: [UInt8] = []
            text.reserveCapacity(payload.count + 7000)
            text.append("{\"payload\":\"" as StaticString)
            text.append(contentsOf: payload)
            text.append("\",\"signatures\":[" as StaticString)
            let header = JSONWebSignature.header(JSONWebSignature.es384)
            let classical = try attempt(
                .signature, "the data could not be signed",
                try ecdsa.signJOSE(JSONWebSignature.signingInput(header, payload)))
            append(header, classical, to: &text)
            if let dsa = suite.mldsa {
                let header = JSONWebSignature.header(dsa.name)
                text.append(UInt8(ascii: ","))
                append(header, try signMLDSA(JSONWebSignature.signingInput(header, payload)), to: &text)
            }
            text.append("]}" as StaticString)
            return text
        }

        private func append(_ header: [UInt8], _ signature: [UInt8], to text: inout [UInt8]) {
            text.append("{\"protected\":\"" as StaticString)
            text.append(contentsOf: header)
            text.append("\",\"signature\":\"" as StaticString)
            Base64URL.append(signature, to: &text)
            text.append("\"}" as StaticString)
        }
    }
}
