import FuzzSupport
import MobileTokenCrypto
import MobileTokenJSON

@testable import PowerAuth

/// An application, a server and keys of 4.0 that never change. The suite is that of P-384 alone, which every OpenSSL has.
private struct World4: @unchecked Sendable {
    static let shared: World4 = {
        do {
            return try World4()
        } catch {
            fatalError("the fixed keys of 4.0 cannot be made: \(error)")
        }
    }()

    let configuration: Configuration
    let random: FixedRandom
    let signer: V4.DeviceKeys
    let key: V4.TemporaryKey
    let macKey = SecureBytes(copying: [UInt8](repeating: 0x61, count: 32))

    private init() throws {
        random = World.shared.random
        signer = try V4.DeviceKeys(suite: .p384, stored: SecureBytes(copying: [UInt8](repeating: 0x21, count: 48)))
        let point = signer.publicKeys.ecdsa.uncompressed
        let content =
            [1, 16] + [UInt8](repeating: 0x41, count: 16) + [16] + [UInt8](repeating: 0x42, count: 16)
            + [1, 2, UInt8(point.count)] + point
        configuration = try Configuration(sdkConfiguration: Base64.encode(content))
        key = V4.TemporaryKey(
            scope: .application, suite: .p384, id: [UInt8]("0b1c2d3e-0000-4000-8000-000000000004".utf8),
            secret: SecureBytes(copying: [UInt8](repeating: 0x51, count: 32)), issued: 0, expires: .max,
            applicationKey: configuration.applicationKey, activationId: nil)
    }
}

/// The answer to a request for a temporary key of 4.0. 0: its JSON. 1: the JSON Web Signature. 2: the claims, rightly signed.
/// 3: header and claims, separated by a line feed, rightly signed.
func fuzzJSONWebSignature(_ input: UnsafeRawBufferPointer) {
    let (mode, rest) = input.split
    let world = World4.shared
    guard
        let request = try? V4.TemporaryKeyRequest(
            configuration: world.configuration, suite: .p384, activation: nil, random: world.random)
    else { return require(false, "no key can be asked for") }
    var text = [UInt8](rest)
    if mode % 4 >= 2 {
        var header = [UInt8](#"{"alg":"ES384"}"#.utf8)
        var claims = text
        if mode % 4 == 3, let end = text.firstIndex(of: 0x0A) {
            header = [UInt8](text[..<end])
            claims = [UInt8](text[(end + 1)...])
        }
        let payload = Base64URL.encodedBytes(claims)
        let signed = V4.JSONWebSignature.signingInput(Base64URL.encodedBytes(header), payload)
        guard let number = try? world.signer.stored(),
            let signature = try? PrivateKey(bigEndian: number, on: .p384).signJOSE(signed)
        else { return require(false, "no signature") }
        text = [UInt8](
            (#"{"payload":""# + String(decoding: payload, as: UTF8.self) + #"","signatures":[{"protected":""#
                + Base64URL.encode(header) + #"","signature":""# + Base64URL.encode(signature) + #""}]}"#).utf8)
    }
    if mode % 4 != 0 {
        let claims = text.withUnsafeBytes { try? V4.JSONWebSignature.verify($0, keys: world.signer.publicKeys) }
        require(claims == nil || mode % 4 >= 2, "a text is accepted that nobody signed")
        if let claims { require(claims.kind == .object, "the claims are no object") }
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("jwt")
        guard (try? text.withUnsafeBytes { try writer.value(utf8: $0) }) != nil else { return }
        writer.endObject()
        text = writer.withBytes { [UInt8]($0) }
    }
    guard let document = try? JSONDocument(parsing: text),
        let key = try? request.accept(document.root, signers: world.signer.publicKeys)
    else { return }
    require(mode % 4 >= 2, "a key is accepted that nobody signed")
    require(key.expires > key.issued && !key.id.isEmpty && key.secret.count == 32, "an impossible key is accepted")
}

/// Public keys of 4.0. 0, 1, 2: an SPKI for the suite of this number. 3: the JSON of public keys, for each suite. 4: the
/// answer of an exchange.
func fuzzPublicKeyInfo(_ input: UnsafeRawBufferPointer) {
    let (mode, rest) = input.split
    let world = World4.shared
    switch mode % 5 {
    case 3:
        guard let document = try? JSONDocument(parsing: rest) else { return }
        for suite in V4.Suite.allCases {
            guard let keys = try? V4.PublicKeys(suite, json: document.root) else { continue }
            require(keys.mldsa?.count == suite.mldsa?.publicKeyLength, "a key of another length is accepted")
            guard let again = try? JSONDocument(parsing: keys.json) else { return require(false, "no JSON") }
            require((try? V4.PublicKeys(suite, json: again.root))?.raw == keys.raw, "keys are read otherwise")
            require((try? V4.PublicKeys(suite, raw: keys.raw))?.json == keys.json, "keys are stored otherwise")
        }
    case 4:
        guard let document = try? JSONDocument(parsing: rest),
            let request = try? V4.SharedSecretRequest(suite: .p384, random: world.random)
        else { return }
        if let secret = try? request.accept(document.root) { require(secret.count == 32, "another length") }
    default:
        let suite = V4.Suite.allCases[mode % 5]
        let point = world.signer.publicKeys.ecdsa.uncompressed
        guard let keys = try? V4.PublicKeys(suite, ecdsa: point, mldsa: [UInt8](rest)) else {
            return require(suite.isHybrid, "a suite looks at a key that it has not")
        }
        require(keys.mldsaInfo.map { $0.elementsEqual(rest) } ?? !suite.isHybrid, "a key is written otherwise")
    }
}

/// Encrypted texts of 4.0. 0: the JSON of an answer. 1: a plaintext, rightly sealed. 2: what stands in `encryptedData`.
func fuzzAuthenticatedEncryption(_ input: UnsafeRawBufferPointer) {
    let (mode, rest) = input.split
    let world = World4.shared
    let nonce = [UInt8](repeating: 0x71, count: V4.AEAD.nonceLength)
    let key = world.macKey
    if mode % 3 == 1 {
        guard let sealed = try? V4.AEAD.seal(rest, key: key, context: "c", nonce: nonce, associatedData: "d") else {
            return require(false, "a text cannot be sealed")
        }
        require(sealed.count == rest.count + V4.AEAD.overhead, "a sealed text has another length")
        let opened = try? V4.AEAD.open(sealed, key: key, context: "c", associatedData: "d")
        require(opened?.isEqual(to: rest) == true, "a sealed text is read otherwise")
        require((try? V4.AEAD.open(sealed, key: key, context: "c", associatedData: "e")) == nil, "nothing is bound")
    } else {
        require((try? V4.AEAD.open(rest, key: key, context: "c", associatedData: "d")) == nil, "forged")
        _ = try? V4.KeyWrap.unwrap(rest, with: key)
        let kinds: [V4.LocalKey] = [.utility, .encryption, .devicePrivate]
        for kind in kinds {
            require((try? kind.open(rest, with: key, activationId: "id")) == nil, "a stored key is forged")
        }
    }
    var text = [UInt8](rest)
    if mode % 3 == 2 {
        text = [UInt8]((#"{"encryptedData":""# + Base64.encode(rest) + #"","timestamp":1730000000000}"#).utf8)
    }
    guard let document = try? JSONDocument(parsing: text) else { return }
    guard
        let encryptor = try? V4.Encryptor(
            .applicationGeneric, key: world.key, configuration: world.configuration, sharedInfo2Key: nil,
            random: RandomSource()),
        (try? encryptor.encrypt("{}", now: World.now)) != nil
    else { return require(false, "no request can be encrypted") }
    require((try? encryptor.decrypt(document.root, now: World.now)) == nil, "an answer is forged")
    require(encryptor.responseTimestamp == nil, "a refused answer has a time")
}

/// The status of an activation of 4.0. 0: a blob. 1: its first 48 bytes, rightly authenticated, and what may follow the code.
func fuzzStatus4(_ input: UnsafeRawBufferPointer) {
    let (mode, rest) = input.split
    let key = World4.shared.macKey
    var blob = [UInt8](rest)
    if mode % 2 == 1 {
        guard rest.count >= 48,
            let code = try? KMAC.authenticate(rest.piece(0..<48), key: key, customization: "PA4MAC-STATUS")
        else { return }
        blob = [UInt8](rest.piece(0..<48)) + code + [UInt8](rest.piece(48..<rest.count))
    }
    guard let status = try? V4.StatusBlob(blob, key: key) else {
        return require(
            mode % 2 == 0 || !(rest.piece(0..<4).elementsEqual([0xDE, 0xC0, 0xDE, 0xD4]) && (2...5).contains(rest[4])),
            "a right status is refused")
    }
    require(mode % 2 == 1 && (2...5).contains(status.state), "a status is accepted that nobody made")
    let counter = SecureBytes(copying: [UInt8](repeating: 0x33, count: 32))
    guard let distance = try? status.distance(from: counter, key: key) else { return }
    require((0..<64).contains(distance.steps), "an impossible distance")
    _ = CounterSynchronization.outcome(
        hashDistance: distance.steps, localByte: 3, serverByte: status.counterByte, lookAhead: Int(status.lookAhead))
}
