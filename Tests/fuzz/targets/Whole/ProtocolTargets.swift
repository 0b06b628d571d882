import FuzzSupport
import MobileTokenCrypto
import MobileTokenJSON

@testable import PowerAuth

/// The response to an encrypted request. 0: its JSON. 1: a plaintext, rightly encrypted. 2: a ciphertext, rightly
/// authenticated.
func fuzzEncryptedResponse(_ input: UnsafeRawBufferPointer) {
    let (mode, rest) = input.split
    let world = World.shared
    let id = EncryptorID.activationGeneric
    let text: [UInt8] =
        switch mode % 3 {
        case 1: world.response(rest, to: id)
        case 2: world.response(ciphertext: rest, to: id)
        default: [UInt8](rest)
        }
    guard let document = try? JSONDocument(parsing: text) else {
        return require(mode % 3 == 0, "the server writes no JSON")
    }
    let session = world.session()
    guard let encryptor = try? session.encryptor(id, key: world.temporaryKey(.activation)),
        (try? encryptor.encrypt([UInt8]("{}".utf8), now: World.now)) != nil
    else { return require(false, "no request can be encrypted") }
    let plaintext = try? encryptor.decrypt(document.root)
    if mode % 3 == 1 { require(plaintext?.isEqual(to: rest) == true, "a right response is refused or read wrongly") }
    require((try? encryptor.decrypt(document.root)) == nil, "a second response is accepted")
}

/// The answer to a request for a temporary key. 0 and 1: its JSON, for application and activation. 2 and 3: the claims, in a
/// token that is rightly signed. 4: header and claims of such a token, separated by a line feed.
func fuzzTemporaryKey(_ input: UnsafeRawBufferPointer) {
    let (mode, rest) = input.split
    let world = World.shared
    let session = world.session()
    let scope: EncryptionScope = mode % 5 == 1 || mode % 5 == 3 ? .activation : .application
    let signer = scope == .activation ? world.serverKey : world.masterKey
    guard let request = try? session.temporaryKeyRequest(scope: scope) else {
        return require(false, "no key can be asked for")
    }
    let text: [UInt8]
    if mode % 5 < 2 {
        text = [UInt8](rest)
    } else {
        var header = [UInt8](#"{"typ":"JWT","alg":"ES256"}"#.utf8)
        var claims = [UInt8](rest)
        if mode % 5 == 4, let end = rest.firstIndex(of: 0x0A) {
            header = [UInt8](rest[..<end])
            claims = [UInt8](rest[(end + 1)...])
        }
        let signed = Base64URL.encode(header) + "." + Base64URL.encode(claims)
        guard let signature = try? signer.signJOSE([UInt8](signed.utf8)) else { return require(false, "no signature") }
        text =
            [UInt8](#"{"jwt":""#.utf8) + [UInt8](signed.utf8) + [0x2E] + Base64URL.encodedBytes(signature) + [
                0x22, 0x7D,
            ]
    }
    guard let document = try? JSONDocument(parsing: text),
        let key = try? session.acceptTemporaryKey(document.root, request: request)
    else { return }
    require(mode % 5 >= 2, "a token is accepted that nobody signed")
    require(key.scope == scope && key.expires > key.issued && !key.id.isEmpty, "an impossible key is accepted")
    _ = key.isUsable(now: World.now)
    // Whoever holds such a key can encrypt with it.
    require(
        (try? session.encryptor(scope == .activation ? .createToken : .applicationGeneric, key: key)) != nil, "unusable"
    )
}

/// The answer to an activation. 0: its JSON. 1: the plaintext of layer 1. 2: the plaintext of layer 2.
func fuzzActivationResponse(_ input: UnsafeRawBufferPointer) {
    let (mode, rest) = input.split
    let world = World.shared
    let session = world.emptySession()
    guard (try? session.startActivation(try .code([UInt8]("VVVVV-VVVVV-VVVVV-VTFVA".utf8)))) != nil,
        let pending = try? session.activationBody(key: world.temporaryKey(.application), now: World.now)
    else { return require(false, "no activation can be started") }
    let text: [UInt8]
    switch mode % 3 {
    case 1:
        text = world.response(rest, to: .applicationGeneric)
    case 2:
        let inner = world.response(rest, to: .activationLayer2)
        let outer = [UInt8](#"{"activationData":"#.utf8) + inner + [0x7D]
        text = outer.withUnsafeBytes { world.response($0, to: .applicationGeneric) }
    default:
        text = [UInt8](rest)
    }
    guard let document = try? JSONDocument(parsing: text) else {
        return require(mode % 3 == 0, "the server writes no JSON")
    }
    guard let result = try? session.receiveActivation(document.root, pending: pending) else {
        require(session.phase == .empty, "a refused answer leaves an activation behind")
        return
    }
    require(
        session.phase == .responseValidated && result.fingerprint.utf8.count == 8, "an accepted answer left nothing")
    if let attributes = result.customAttributes {
        require((try? JSONDocument(parsing: attributes, limits: JSONLimits(allowsAnyTopLevel: true))) != nil, "cut")
    }
    let parameters = KnowledgeParameters(salt: [UInt8](repeating: 1, count: 16), iterations: 1)
    guard let knowledge = try? KnowledgeKey.derive(pin: [UInt8]("1984".utf8), parameters: parameters),
        (try? session.persistActivation(knowledge: knowledge, biometryKey: nil)) != nil
    else { return require(false, "an accepted activation cannot be stored") }
    let stored = session.serialize()
    let again = world.emptySession()
    require((try? again.restore(from: stored)) != nil, "a stored activation cannot be restored")
    require(again.activationId == result.activationId, "the activation is restored as another one")
}

/// The status of the activation. 0: its JSON. 1: the plaintext of the blob, rightly encrypted. 2: the same with the right hash
/// of a counter that is as many steps ahead as the first byte says.
func fuzzStatus(_ input: UnsafeRawBufferPointer) {
    let (mode, rest) = input.split
    let world = World.shared
    let session = world.session()
    guard let request = try? session.statusRequest() else { return require(false, "no status can be asked for") }
    let text: [UInt8]
    if mode % 3 == 0 {
        text = [UInt8](rest)
    } else {
        guard let made = try? status(rest, request, steps: mode % 3 == 2) else { return require(false, "no status") }
        text = made
    }
    guard let document = try? JSONDocument(parsing: text) else {
        return require(mode % 3 == 0, "the server writes no JSON")
    }
    let before = session.serialize()
    guard let status = try? session.processStatus(document.root, request: request) else {
        require(before.isEqual(to: session.serialize()), "a refused status changed the state")
        return
    }
    require(
        status.stateChanged || before.isEqual(to: session.serialize()), "the state changed without a word")
    require(
        status.remainingAttempts >= 0 && (status.state == .active || status.remainingAttempts == 0),
        "impossible attempts are left")
    require((try? session.sign(method: .post, uriId: [], body: [], keys: .possession)) != nil, "no signature any more")
}

private func status(_ rest: UnsafeRawBufferPointer, _ request: StatusRequest, steps: Bool) throws -> [UInt8] {
    let transport = World.shared.keys.transport
    var plain = [UInt8](rest.prefix(32))
    plain += [UInt8](repeating: 0, count: 32 - plain.count)
    if steps {
        var counter = SecureBytes(copying: World.counter)
        for _ in 0..<(rest.first ?? 0) % 80 { counter = try HashCounter.next(counter) }
        plain.replaceSubrange(0..<4, with: [0xDE, 0xC0, 0xDE, 0xD1])
        plain.replaceSubrange(
            16..<32,
            with: try HashCounter.hash(counter, key: KDF.derive(transport, index: 4000)).withBytes { [UInt8]($0) })
    }
    let nonce = [UInt8](repeating: 0x77, count: 16)
    let iv = try StatusBlob.initializationVector(transportKey: transport, challenge: request.challenge, nonce: nonce)
    let blob = try AES128CBC.encrypt(plain, key: transport, iv: iv, padding: .none)
    var text = #"{"activationId":""# + World.activationId + #"","encryptedStatusBlob":""# + Base64.encode(blob)
    text += #"","nonce":""# + Base64.encode(nonce) + #"","customObject":{"a":1}}"#
    return [UInt8](text.utf8)
}

/// The decrypted answer to the creation of a token.
func fuzzToken(_ input: UnsafeRawBufferPointer) {
    let session = World.shared.session()
    let before = session.serialize()
    guard (try? session.acceptToken(SecureBytes(copying: input), name: "fuzz", factors: .possession)) != nil else {
        require(before.isEqual(to: session.serialize()), "a refused token changed the state")
        return
    }
    require((try? session.tokenHeader(named: "fuzz", now: World.now)) != nil, "an accepted token cannot be used")
    let again = World.shared.emptySession()
    require((try? again.restore(from: session.serialize())) != nil, "a state with the token cannot be restored")
    require(again.token(named: "fuzz") == session.token(named: "fuzz"), "the token is restored as another one")
}

/// Decrypted answers of the vault and to the confirmation of a recovery code. 0: the whole answer. 1: the vault key, rightly
/// encrypted: that of the activation, changed where the input is not zero.
func fuzzVault(_ input: UnsafeRawBufferPointer) {
    let (mode, rest) = input.split
    let world = World.shared
    let session = world.session()
    var answer = SecureBytes(copying: rest)
    if mode % 2 == 1 {
        var vaultKey = world.keys.vault.withBytes { [UInt8]($0) }
        for (index, byte) in rest.prefix(16).enumerated() { vaultKey[index] ^= byte }
        guard
            let encrypted = try? AES128CBC.encrypt(
                vaultKey, key: world.keys.transport, iv: AES128CBC.zeroIV, padding: .pkcs7)
        else { return require(false, "no encryption") }
        answer = SecureBytes(
            copying: [UInt8]((#"{"encryptedVaultEncryptionKey":""# + Base64.encode(encrypted) + #""}"#).utf8))
    }
    _ = try? RecoveryCode.alreadyConfirmed(answer)
    guard let vault = try? session.openVault(answer) else { return }
    require((try? session.recoveryData(vault: vault)) != nil, "the recovery data cannot be read")
    _ = try? session.deviceSignature(rest, format: .der, vault: vault)
    _ = try? session.deviceToken(claims: rest, vault: vault)
}
