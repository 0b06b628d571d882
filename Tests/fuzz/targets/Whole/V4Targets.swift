import FuzzSupport
import MobileTokenCrypto
import MobileTokenJSON

@testable import PowerAuth

/// An application, a server and keys of 4.0 that never change, made once: of P-384 alone, which every OpenSSL has, and hybrid
/// ones as far as this OpenSSL can have them.
private struct World4: @unchecked Sendable {
    static let shared: World4 = {
        do {
            return try World4()
        } catch {
            fatalError("the fixed keys of 4.0 cannot be made: \(error)")
        }
    }()

    /// Who signs and asks in one suite.
    struct Side: @unchecked Sendable {
        /// What the signatures are checked with. Where OpenSSL has no ML-DSA that key is a filler.
        let signers: V4.PublicKeys
        /// Nil: OpenSSL has no ML-DSA.
        let keys: V4.DeviceKeys?
        /// Nil: OpenSSL has no ML-KEM.
        let exchange: V4.SharedSecretRequest?
        let request: V4.TemporaryKeyRequest?
    }

    let configuration: Configuration
    let signer: PrivateKey
    let classical: Side
    let hybrid: Side
    let key: V4.TemporaryKey
    let macKey = SecureBytes(copying: [UInt8](repeating: 0x61, count: 32))

    private init() throws {
        func bytes(_ byte: UInt8, _ count: Int) -> SecureBytes {
            SecureBytes(copying: [UInt8](repeating: byte, count: count))
        }
        let signer = try PrivateKey(bigEndian: bytes(0x21, 48), on: .p384)
        let point = signer.publicKey.uncompressed
        let content =
            [1, 16] + [UInt8](repeating: 0x41, count: 16) + [16] + [UInt8](repeating: 0x42, count: 16)
            + [1, 2, UInt8(point.count)] + point
        let configuration = try Configuration(sdkConfiguration: Base64.encode(content))
        func side(_ suite: V4.Suite) throws -> Side {
            let seed = suite.isHybrid ? bytes(0x24, MLKEM.seedLength) : nil
            let exchange = try? V4.SharedSecretRequest(
                suite: suite, privateKey: try PrivateKey(bigEndian: bytes(0x23, 48), on: .p384), seed: seed)
            let keys = try? V4.DeviceKeys(
                suite: suite, stored: bytes(0x21, suite.isHybrid ? 48 + MLDSA.seedLength : 48))
            let filler = suite.mldsa.map { dsa in
                V4.SubjectPublicKeyInfo.dsa(dsa).encode([UInt8](repeating: 0x31, count: dsa.publicKeyLength))
            }
            return Side(
                signers: try keys?.publicKeys ?? V4.PublicKeys(suite, ecdsa: point, mldsa: filler), keys: keys,
                exchange: exchange,
                request: try exchange.map { exchange in
                    try V4.TemporaryKeyRequest(
                        configuration, nil, exchange, challenge: [UInt8](repeating: World.randomByte, count: 32))
                })
        }
        self.signer = signer
        self.configuration = configuration
        classical = try side(.p384)
        hybrid = try side(.p384ML3)
        key = V4.TemporaryKey(
            scope: .application, suite: .p384, id: [UInt8]("0b1c2d3e-0000-4000-8000-000000000004".utf8),
            secret: SecureBytes(copying: [UInt8](repeating: 0x51, count: 32)), issued: 0, expires: .max,
            applicationKey: configuration.applicationKey, activationId: nil)
    }

    /// The JSON Web Signature of a payload: with that of ECDSA and, in a hybrid suite, that of ML-DSA, each under its header.
    ///
    /// - Parameter spoiled: of one of the signatures, by number, a bit is wrong.
    func sign(_ claims: [UInt8], _ headers: [[UInt8]], _ side: Side, spoiled: Int?) throws -> [UInt8] {
        let payload = Base64URL.encodedBytes(claims)
        var entries: [String] = []
        for (index, header) in headers.enumerated() {
            let input = V4.JSONWebSignature.signingInput(Base64URL.encodedBytes(header), payload)
            var signature: [UInt8]
            if index == 0 {
                signature = try signer.signJOSE(input)
            } else {
                signature = try side.keys?.signMLDSA(input) ?? [UInt8](repeating: 1, count: 3309)
            }
            if index == spoiled { signature[7] ^= 1 }
            entries.append(
                #"{"protected":""# + Base64URL.encode(header) + #"","signature":""# + Base64URL.encode(signature)
                    + #""}"#)
        }
        return [UInt8](
            (#"{"payload":""# + String(decoding: payload, as: UTF8.self) + #"","signatures":["#
                + entries.joined(separator: ",") + "]}").utf8)
    }
}

/// The answer to a request for a temporary key of 4.0. 0: its JSON. 1: the JSON Web Signature. 2: the claims, rightly signed.
/// 3: header and claims, separated by a line feed, rightly signed. 4 to 7: the same in a hybrid suite, where 7 has the header of
/// the second signature. 8 more: the first signature is wrong; 16 more: the last one is.
func fuzzJSONWebSignature(_ input: UnsafeRawBufferPointer) {
    let (mode, rest) = input.split
    let world = World4.shared
    let isHybrid = mode & 4 != 0
    let side = isHybrid ? world.hybrid : world.classical
    let (isSigned, isSpoiled) = (mode & 2 != 0, mode & 24 != 0)
    // Where OpenSSL has no ML-DSA, nothing hybrid is right.
    let mayBeRight = isSigned && !isSpoiled && side.keys != nil
    var text = [UInt8](rest)
    if isSigned {
        var headers = [[UInt8](#"{"alg":"ES384"}"#.utf8)]
        if isHybrid { headers.append([UInt8](#"{"alg":"ML-DSA-65"}"#.utf8)) }
        var claims = text
        if mode & 1 != 0, let end = text.firstIndex(of: 0x0A) {
            headers[headers.count - 1] = [UInt8](text[..<end])
            claims = [UInt8](text[(end + 1)...])
        }
        let spoiled = mode & 8 != 0 ? 0 : isSpoiled ? headers.count - 1 : nil
        guard let signed = try? world.sign(claims, headers, side, spoiled: spoiled) else {
            return require(false, "no signature")
        }
        text = signed
    }
    if mode & 3 != 0 {
        let claims = text.withUnsafeBytes { try? V4.JSONWebSignature.verify($0, keys: side.signers) }
        require(claims == nil || mayBeRight, "a text is accepted that nobody signed")
        if let claims { require(claims.kind == .object, "the claims are no object") }
        if mayBeRight, mode & 1 == 0, text.count <= V4.JSONWebSignature.maximumLength,
            (try? JSONFields.parse(rest, .invalidTemporaryKey)) != nil
        {
            require(claims != nil, "a right text is refused")
        }
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("jwt")
        guard (try? text.withUnsafeBytes { try writer.value(utf8: $0) }) != nil else { return }
        writer.endObject()
        text = writer.withBytes { [UInt8]($0) }
    }
    guard let request = side.request, let document = try? JSONDocument(parsing: text),
        let key = try? request.accept(document.root, signers: side.signers)
    else { return }
    require(mayBeRight, "a key is accepted that nobody signed")
    require(key.expires > key.issued && !key.id.isEmpty && key.secret.count == 32, "an impossible key is accepted")
}

/// Public keys of 4.0. 0, 1, 2: an SPKI for the suite of this number. 3: the JSON of public keys, for each suite. 4: the
/// answer of an exchange. 5: of a hybrid one.
func fuzzPublicKeyInfo(_ input: UnsafeRawBufferPointer) {
    let (mode, rest) = input.split
    let world = World4.shared
    switch mode % 6 {
    case 3:
        guard let document = try? JSONDocument(parsing: rest) else { return }
        for suite in V4.Suite.allCases {
            guard let keys = try? V4.PublicKeys(suite, json: document.root) else { continue }
            require(keys.mldsa?.count == suite.mldsa?.publicKeyLength, "a key of another length is accepted")
            guard let again = try? JSONDocument(parsing: keys.json) else { return require(false, "no JSON") }
            require((try? V4.PublicKeys(suite, json: again.root))?.raw == keys.raw, "keys are read otherwise")
            require((try? V4.PublicKeys(suite, raw: keys.raw))?.json == keys.json, "keys are stored otherwise")
        }
    case 4, 5:
        let side = mode % 6 == 4 ? world.classical : world.hybrid
        guard let document = try? JSONDocument(parsing: rest), let exchange = side.exchange else { return }
        if let secret = try? exchange.accept(document.root) { require(secret.count == 32, "another length") }
    default:
        let suite = V4.Suite.allCases[mode % 6]
        let point = world.signer.publicKey.uncompressed
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
