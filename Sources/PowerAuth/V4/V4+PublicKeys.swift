// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON

extension V4 {
    /// The public keys of one side that signs: of a device, of a server for an activation, or of an application's server
    /// (powerauth4.md §1).
    package struct PublicKeys: Sendable {
        package let suite: Suite
        /// On P-384.
        package let ecdsa: PublicKey
        /// The raw ML-DSA key, in hybrid suites.
        package let mldsa: [UInt8]?

        /// Takes the keys of a suite: a SEC1 point, compressed or not, and an SPKI or nil.
        ///
        /// - Throws: `invalidActivationData` for an invalid or missing key. Ignores a key that the suite does not use.
        package init(_ suite: Suite, ecdsa: some Bytes, mldsa: [UInt8]?) throws(PowerAuthError) {
            guard let key = try? PublicKey(point: ecdsa, on: .p384) else {
                throw PowerAuthError(.invalidActivationData, "there is no valid P-384 public key")
            }
            guard let dsa = suite.mldsa else {
                self.init(suite, key, nil)
                return
            }
            guard let mldsa, let raw = SubjectPublicKeyInfo.dsa(dsa).decode(mldsa) else {
                throw PowerAuthError(.invalidActivationData, "there is no valid ML-DSA public key")
            }
            self.init(suite, key, raw)
        }

        /// Takes the keys of a message: `{"ecdsa":"…","mldsa":"…"}` with an uncompressed point.
        ///
        /// - Throws: `invalidActivationData`.
        package init(_ suite: Suite, json: JSONValue) throws(PowerAuthError) {
            guard let point = json.base64("ecdsa", count: Curve.p384.uncompressedLength) else {
                throw PowerAuthError(.invalidActivationData, "there is no valid P-384 public key")
            }
            try self.init(suite, ecdsa: point, mldsa: json.base64("mldsa"))
        }

        /// Takes the keys as they are stored: 97 bytes, then the raw ML-DSA key in hybrid suites.
        ///
        /// - Throws: `corruptedState`.
        package init(_ suite: Suite, raw: some Bytes) throws(PowerAuthError) {
            let pointLength = Curve.p384.uncompressedLength
            let parts: (point: [UInt8], rest: [UInt8])? = raw.withBytes { bytes in
                guard bytes.count == pointLength + (suite.mldsa?.publicKeyLength ?? 0) else { return nil }
                return ([UInt8](bytes[..<pointLength]), [UInt8](bytes[pointLength...]))
            }
            guard let parts, let key = try? PublicKey(point: parts.point, on: .p384) else {
                throw PowerAuthError(.corruptedState, "a stored public key is damaged")
            }
            self.init(suite, key, suite.isHybrid ? parts.rest : nil)
        }

        init(_ suite: Suite, _ ecdsa: PublicKey, _ mldsa: [UInt8]?) {
            self.suite = suite
            self.ecdsa = ecdsa
            self.mldsa = mldsa
        }

        /// The keys as they are stored.
        package var raw: [UInt8] { ecdsa.uncompressed + (mldsa ?? []) }

        /// The ML-DSA key as it is sent, in hybrid suites.
        package var mldsaInfo: [UInt8]? {
            guard let dsa = suite.mldsa, let mldsa else { return nil }
            return SubjectPublicKeyInfo.dsa(dsa).encode(mldsa)
        }

        /// The keys as they are sent: `{"ecdsa":"…","mldsa":"…"}`.
        package var json: [UInt8] {
            var text: [UInt8] = []
            text.reserveCapacity(4096)
            text.append("{\"ecdsa\":\"" as StaticString)
            Base64.append(ecdsa.uncompressed, to: &text)
            if let info = mldsaInfo {
                text.append("\",\"mldsa\":\"" as StaticString)
                Base64.append(info, to: &text)
            }
            text.append("\"}" as StaticString)
            return text
        }

        /// Whether all signatures of the suite fit, each its own data: one in JOSE form on P-384, one of ML-DSA.
        ///
        /// - Throws: `encryption` when the crypto library fails; `unsupportedProtocol` when it lacks the algorithm.
        func verify(
            classical: (data: [UInt8], signature: [UInt8]), second: (data: [UInt8], signature: [UInt8])?
        ) throws(PowerAuthError) -> Bool {
            try suite.require()
            guard try verifySignature(classical.signature, format: .jose, of: classical.data, by: ecdsa) else {
                return false
            }
            guard let dsa = suite.mldsa else { return true }
            guard let second, let mldsa else { return false }
            return try attempt(
                .encryption, "the signature could not be checked",
                try dsa.verify(second.signature, data: second.data, publicKey: mldsa))
        }
    }

    /// The outer form of post-quantum public keys: DER without parameters, so that each has one prefix (powerauth4.md §1).
    enum SubjectPublicKeyInfo {
        case kem(MLKEM)
        case dsa(MLDSA)

        private var keyLength: Int {
            switch self {
            case .kem(let kem): kem.publicKeyLength
            case .dsa(let dsa): dsa.publicKeyLength
            }
        }

        /// The last two bytes of the object identifier 2.16.840.1.101.3.4.x.y.
        private var arcs: (UInt8, UInt8) {
            switch self {
            case .kem(.mlkem768): (4, 2)
            case .kem(.mlkem1024): (4, 3)
            case .dsa(.mldsa65): (3, 18)
            case .dsa(.mldsa87): (3, 19)
            }
        }

        /// `SEQUENCE { SEQUENCE { OID }, BIT STRING … }` up to the key: 22 bytes.
        private var prefix: [UInt8] {
            func high(_ value: Int) -> UInt8 { UInt8(truncatingIfNeeded: value >> 8) }
            func low(_ value: Int) -> UInt8 { UInt8(truncatingIfNeeded: value) }
            let (bits, all) = (keyLength + 1, keyLength + 18)
            return [
                0x30, 0x82, high(all), low(all), 0x30, 0x0B, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04,
                arcs.0, arcs.1, 0x03, 0x82, high(bits), low(bits), 0x00,
            ]
        }

        /// The DER form of a raw key.
        func encode(_ key: [UInt8]) -> [UInt8] { prefix + key }

        /// The raw key; nil unless it is exactly this algorithm's form.
        func decode(_ info: [UInt8]) -> [UInt8]? {
            let prefix = prefix
            guard info.count == prefix.count + keyLength, begins(info, with: prefix) else { return nil }
            return [UInt8](info[prefix.count...])
        }
    }
}

extension JSONValue {
    /// The bytes of a Base64 string; nil if it is not one.
    var base64Text: [UInt8]? { text?.withBytes { Base64.decode($0) } }
}
