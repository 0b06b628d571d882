import Foundation
import MobileTokenCrypto
import MobileTokenJSON
import TestSupport

@testable import PowerAuth

/// What a server does with single messages of 4.0, in the clear: exchanges, temporary keys, encrypted answers.
package final class V4ServerDouble {
    let suite: V4.Suite
    /// The keys that sign for the application, and for the activation.
    let master, server: V4.DeviceKeys
    let configuration: Configuration

    static let applicationKey = [UInt8](1...16)
    static let applicationSecret = [UInt8](17...32)
    /// When everything happens, in milliseconds.
    static let now: Int64 = 1_790_000_000_000

    init(_ suite: V4.Suite) throws {
        self.suite = suite
        master = try V4.DeviceKeys(suite: suite, random: RandomSource())
        server = try V4.DeviceKeys(suite: suite, random: RandomSource())
        configuration = try Configuration(
            sdkConfiguration: Self.configuration(
                [(2, master.publicKeys.ecdsa.uncompressed)]
                    + (master.publicKeys.mldsaInfo.map { [(suite == .p384ML3 ? 3 : 4, $0)] } ?? [])))
    }

    /// A configuration string with keys of these kinds.
    static func configuration(_ keys: [(kind: UInt8, key: [UInt8])]) -> String {
        var content = [1, 16] + applicationKey + [16] + applicationSecret + [UInt8(keys.count)]
        for (kind, key) in keys {
            content.append(kind)
            _ = content.appendVariableCount(key.count)
            content += key
        }
        return Base64.encode(content)
    }

    /// Answers `{"algorithm":…,"encapsulationKeys":[…]}`.
    func exchange(_ request: JSONValue) throws -> (answer: [String: Any], secret: SecureBytes) {
        let keys = request["encapsulationKeys"]
        let ephemeral = try RandomSource().keyPair(on: .p384)
        let label: StaticString = "DHKEM-P384"
        let exported = try DHKEM.encapsulate(
            to: PublicKey(point: keys?[0]?.base64Text ?? [], on: .p384), ephemeral: ephemeral, info: label,
            context: label)
        var encapsulated = [ephemeral.publicKey.uncompressed.base64]
        var decapsulated: SecureBytes?
        if let kem = suite.mlkem {
            let raw = V4.SubjectPublicKeyInfo.kem(kem).decode(keys?[1]?.base64Text ?? [])
            let (ciphertext, secret) = try kem.encapsulate(to: raw ?? [])
            encapsulated.append(ciphertext.base64)
            decapsulated = secret
        }
        let salt = try RandomSource().bytes(32)
        return (
            ["salt": salt.base64, "encapsulatedKeys": encapsulated],
            try V4.SharedSecret.combine(suite, salt: salt, exported, decapsulated)
        )
    }

    /// A signature of an answer, as it is written.
    struct Signature {
        var protected: [UInt8]
        var signature: [UInt8]

        var object: [String: Any] {
            ["protected": Base64URL.encode(protected), "signature": Base64URL.encode(signature)]
        }
    }

    /// The parts of the answer to a request for a temporary key, which a test may alter.
    struct Answer {
        var claims: [String: Any]
        let secret: SecureBytes
    }

    /// The claims that answer a request's body.
    func claims(answering body: [UInt8]) throws -> Answer {
        let token = try json(body)["requestObject"]?["jwt"]?.text?.bytes.text ?? ""
        let payload = Base64URL.decode(String(token.split(separator: ".")[1])) ?? []
        let request = try json(payload)
        guard let exchangeRequest = request["sharedSecretRequest"] else { throw PowerAuthError(.encryption, "none") }
        let (answer, secret) = try exchange(exchangeRequest)
        var claims: [String: Any] = [
            "sub": "1f0e9a52-0000-4000-8000-000000000001", "sharedSecretResponse": answer,
            "iat": Self.now / 1000, "exp": Self.now / 1000 + 300, "iat_ms": Self.now, "exp_ms": Self.now + 300_000,
        ]
        for name in ["applicationKey", "challenge", "activationId"] {
            if let value = request.member([UInt8](name.utf8))?.text { claims[name] = value.bytes.text }
        }
        return Answer(claims: claims, secret: secret)
    }

    /// All signatures of a payload, in the suite's order.
    func sign(_ payload: [UInt8], by keys: V4.DeviceKeys) throws -> [Signature] {
        let text = Base64URL.encodedBytes(payload)
        let names: [String] = ["ES384"] + (suite.mldsa.map { ["\($0.name)"] } ?? [])
        return try names.map { name in
            let header = [UInt8](#"{"alg":"\#(name)"}"#.utf8)
            let input = V4.JSONWebSignature.signingInput(Base64URL.encodedBytes(header), text)
            return Signature(
                protected: header,
                signature: name == "ES384" ? try keys.signJOSE(input) : try keys.signMLDSA(input))
        }
    }

    /// The response object: `{"jwt":"…"}` with the general JSON form inside.
    static func response(_ payload: [UInt8], _ signatures: [[String: Any]]) throws -> JSONValue {
        try response(
            text: String(
                decoding: JSONSerialization.data(
                    withJSONObject: ["payload": Base64URL.encode(payload), "signatures": signatures]), as: UTF8.self))
    }

    /// The same with any text as JSON Web Signature.
    static func response(text: String) throws -> JSONValue {
        try json([UInt8](JSONSerialization.data(withJSONObject: ["jwt": text])))
    }

    /// The right answer to a request.
    func answer(_ request: V4.TemporaryKeyRequest, by keys: V4.DeviceKeys) throws -> (JSONValue, SecureBytes) {
        let answer = try claims(answering: request.body)
        let payload = [UInt8](try JSONSerialization.data(withJSONObject: answer.claims))
        return (try Self.response(payload, sign(payload, by: keys).map(\.object)), answer.secret)
    }
}

extension V4.DeviceKeys {
    /// A signature as in JSON Web Signatures.
    func signJOSE(_ data: [UInt8]) throws -> [UInt8] {
        let length = Curve.p384.scalarLength
        guard let number = try stored().slice(0..<length) else { return [] }
        return try PrivateKey(bigEndian: number, on: .p384).signJOSE(data)
    }
}
