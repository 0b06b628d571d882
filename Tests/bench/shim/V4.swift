import MobileTokenCrypto
import MobileTokenJSON
import PowerAuth

/// Randomness that is always the same, so that one answer of a server fits each new request; never two halves alike.
private final class RepeatedRandom: RandomSource, @unchecked Sendable {
    override func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(CryptoError) {
        for index in buffer.indices { buffer[index] = UInt8(truncatingIfNeeded: index &* 7 &+ 1) }
    }
}

/// A device and a server of protocol 4.0, and what the server answers.
private final class Measured4 {
    let suite: V4.Suite
    let random = RepeatedRandom()
    let configuration: Configuration
    /// Signs for the application and for the activation.
    let server: V4.DeviceKeys
    let keyAnswer: JSONDocument
    let exchangeAnswer: JSONDocument
    let kek: SecureBytes
    let wrapped: [[UInt8]]
    let counter: SecureBytes
    let salt = [UInt8](repeating: 3, count: 32)

    static let code = [UInt8](repeating: 0x61, count: 160)
    static let now: Int64 = 1_790_000_000_000

    init?(_ suite: V4.Suite) {
        guard let server = try? V4.DeviceKeys(suite: suite, random: SystemRandom()) else { return nil }
        let keys = server.publicKeys
        var content: [UInt8] = [1, 16] + [UInt8](repeating: 1, count: 16) + [16] + [UInt8](repeating: 2, count: 16)
        content += [keys.mldsaInfo == nil ? 1 : 2, 2, 97] + keys.ecdsa.uncompressed
        if let info = keys.mldsaInfo {
            let length = info.count
            content += [
                suite == .p384ML3 ? 3 : 4, UInt8(truncatingIfNeeded: 0x80 | length >> 8),
                UInt8(truncatingIfNeeded: length),
            ]
            content += info
        }
        guard let configuration = try? Configuration(sdkConfiguration: Base64.encodedBytes(content)),
            let request = try? V4.TemporaryKeyRequest(
                configuration: configuration, suite: suite, activation: nil, random: random),
            let exchange = try? V4.SharedSecretRequest(suite: suite, random: random),
            let answer = Self.answer(exchange, suite),
            let keyAnswer = Self.answer(request, answer, by: server),
            let exchangeAnswer = try? JSONDocument(parsing: answer),
            let kek = try? V4.PasswordKDF.derive(password: "1984", salt: salt),
            let possession = try? V4.KeyWrap.wrap(SecureBytes(count: 32), with: kek, random: random),
            let counter = try? V4.HashCounter.next(possession)
        else { return nil }
        self.suite = suite
        self.server = server
        self.configuration = configuration
        self.keyAnswer = keyAnswer
        self.exchangeAnswer = exchangeAnswer
        self.kek = kek
        wrapped = [possession, possession]
        self.counter = counter
    }

    /// The answer to an exchange.
    private static func answer(_ request: V4.SharedSecretRequest, _ suite: V4.Suite) -> [UInt8]? {
        guard let json = try? JSONDocument(parsing: request.json).root, let keys = json["encapsulationKeys"],
            let point = keys[0]?.text?.withBytes({ Base64.decode($0) }),
            let receiver = try? PublicKey(point: point, on: .p384),
            let ephemeral = try? SystemRandom().keyPair(on: .p384),
            (try? DHKEM.encapsulate(to: receiver, ephemeral: ephemeral, info: "DHKEM-P384", context: "DHKEM-P384"))
                != nil
        else { return nil }
        var list = Base64.encode(ephemeral.publicKey.uncompressed)
        if let kem = suite.mlkem {
            guard let info = keys[1]?.text?.withBytes({ Base64.decode($0) }),
                let sent = try? kem.encapsulate(to: info.suffix(kem.publicKeyLength))
            else { return nil }
            list += #"",""# + Base64.encode(sent.ciphertext)
        }
        let salt = Base64.encode([UInt8](repeating: 9, count: 32))
        return [UInt8]((#"{"salt":""# + salt + #"","encapsulatedKeys":[""# + list + #""]}"#).utf8)
    }

    /// The answer to a request for a temporary key.
    private static func answer(
        _ request: V4.TemporaryKeyRequest, _ exchange: [UInt8], by server: V4.DeviceKeys
    ) -> JSONDocument? {
        guard let jwt = try? JSONDocument(parsing: request.body).root["requestObject"]?["jwt"]?.text?.bytes else {
            return nil
        }
        let parts = jwt.split(separator: UInt8(ascii: "."))
        guard parts.count == 3, let payload = Base64URL.decode([UInt8](parts[1])),
            let claims = try? JSONDocument(parsing: payload).root, let challenge = claims["challenge"]?.text,
            let application = claims["applicationKey"]?.text
        else { return nil }
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("sub")
        writer.value("0b1c2d3e-0000-4000-8000-000000000004" as StaticString)
        writer.key("challenge")
        writer.value(challenge)
        writer.key("applicationKey")
        writer.value(application)
        writer.key("iat_ms")
        writer.value(now)
        writer.key("exp_ms")
        writer.value(now + 300_000)
        writer.key("sharedSecretResponse")
        writer.raw(exchange)
        writer.endObject()
        guard let signed = try? server.signJWS(writer.withBytes { [UInt8]($0) }) else { return nil }
        var outer = JSONWriter()
        outer.beginObject()
        outer.key("jwt")
        let isText = signed.withBytes { (signed) -> Bool in (try? outer.value(utf8: signed)) != nil }
        guard isText else { return nil }
        outer.endObject()
        return try? JSONDocument(parsing: outer.withBytes { [UInt8]($0) })
    }
}

private func measured4(_ handle: UnsafeMutableRawPointer) -> Measured4 {
    Unmanaged<Measured4>.fromOpaque(handle).takeUnretainedValue()
}

/// A device and a server of a suite (1 to 3); NULL if OpenSSL does not have its algorithms. It is never freed.
@_cdecl("mtoken_bench_v4_new")
public func mtoken_bench_v4_new(_ suite: Int32) -> UnsafeMutableRawPointer? {
    guard let suite = V4.Suite(rawValue: UInt8(truncatingIfNeeded: suite)), let made = Measured4(suite) else {
        return nil
    }
    return Unmanaged.passRetained(made).toOpaque()
}

/// Asks for a temporary key and takes the answer; 0, or -1 if it is refused.
@_cdecl("mtoken_bench_v4_temporary_key")
public func mtoken_bench_v4_temporary_key(_ handle: UnsafeMutableRawPointer) -> Int32 {
    let made = measured4(handle)
    do throws(PowerAuthError) {
        let request = try V4.TemporaryKeyRequest(
            configuration: made.configuration, suite: made.suite, activation: nil, random: made.random)
        _ = try request.accept(made.keyAnswer.root, signers: made.server.publicKeys)
        return 0
    } catch {
        return -1
    }
}

/// What an activation computes beside its messages: exchange, device keys, key tree, fingerprint, what is stored. 0 or -1.
@_cdecl("mtoken_bench_v4_activation")
public func mtoken_bench_v4_activation(_ handle: UnsafeMutableRawPointer) -> Int32 {
    let made = measured4(handle)
    do throws(PowerAuthError) {
        let exchange = try V4.SharedSecretRequest(suite: made.suite, random: made.random)
        let device = try V4.DeviceKeys(suite: made.suite, random: made.random)
        guard exchange.json.count + device.publicKeys.json.count > 200 else { return -1 }
        let secret = try exchange.accept(made.exchangeAnswer.root)
        guard let server = try? JSONDocument(parsing: made.server.publicKeys.json) else { return -1 }
        let serverKeys = try V4.PublicKeys(made.suite, json: server.root)
        let stored = try device.stored()
        guard let keys = try? V4.ActivationKeys(secret: secret),
            let text = try? V4.Fingerprint.compute(
                device: device.publicKeys, activationId: "3a5d7e5c-4d9c-4b6f-9f7e-2f1f7f4e5a6b", server: serverKeys),
            text.utf8.count == 8
        else { return -1 }
        for key in [keys.possession, keys.knowledge, keys.biometry] {
            guard (try? V4.KeyWrap.wrap(key, with: made.kek, random: made.random)) != nil else { return -1 }
        }
        for (kind, key) in [
            (V4.LocalKey.utility, keys.utility), (.encryption, keys.encryption), (.devicePrivate, stored),
        ] {
            guard (try? kind.seal(key, with: made.kek, activationId: "id", random: made.random)) != nil else {
                return -1
            }
        }
        return 0
    } catch {
        return -1
    }
}

/// A code of 160 bytes of data with device and PIN, from what is stored: the PIN's key, both keys unwrapped, the code, the next
/// counter. 0 or -1.
@_cdecl("mtoken_bench_v4_code")
public func mtoken_bench_v4_code(_ handle: UnsafeMutableRawPointer) -> Int32 {
    let made = measured4(handle)
    guard let kek = try? V4.PasswordKDF.derive(password: "1984", salt: made.salt) else { return -1 }
    do throws(CryptoError) {
        let code = try FactorKeys.with(keyLength: 32) { (keys) throws(CryptoError) in
            for (index, wrapped) in made.wrapped.enumerated() {
                let room = try keys.next()
                try wrapped.withBytes { (wrapped) throws(CryptoError) in
                    try (index == 0 ? made.kek : kek).withBytes { (kek) throws(CryptoError) in
                        try V4.KeyWrap.unwrap(wrapped, with: kek, into: room)
                    }
                }
            }
            return try Measured4.code.withBytes { (data) throws(CryptoError) in
                try made.counter.withBytes { (counter) throws(CryptoError) in
                    try keys.code(of: data, counter: counter, as: .base64)
                }
            }
        }
        return try V4.HashCounter.next(made.counter).count == 32 && code.count == 88 ? 0 : -1
    } catch {
        return -1
    }
}

/// KMAC-256 of the data, 32 bytes; 0, or -1 if there is none.
@_cdecl("mtoken_bench_kmac")
public func mtoken_bench_kmac(
    _ key: UnsafePointer<UInt8>, _ keyLength: Int, _ data: UnsafePointer<UInt8>, _ length: Int,
    _ code: UnsafeMutablePointer<UInt8>
) -> Int32 {
    do throws(CryptoError) {
        try KMAC.compute(
            UnsafeRawBufferPointer(start: data, count: length),
            key: UnsafeRawBufferPointer(start: key, count: keyLength), customization: "PA4CODE",
            into: UnsafeMutableRawBufferPointer(start: code, count: 32))
        return 0
    } catch {
        return -1
    }
}
