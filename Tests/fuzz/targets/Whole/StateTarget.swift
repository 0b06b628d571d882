import FuzzSupport
import MobileTokenCrypto

@testable import MobileToken
@testable import PowerAuth

/// Stored state. 0: the content of a session. 1: the serialized state of the upstream SDK. 2: a sealed item as a store holds
/// it. 3: content that is rightly sealed.
func fuzzState(_ input: UnsafeRawBufferPointer) {
    let (mode, rest) = input.split
    let world = World.shared
    let session = world.emptySession()
    switch mode % 4 {
    case 0:
        guard (try? session.restore(from: rest)) != nil else { return untouched(session) }
        let stored = session.serialize()
        require(stored.isEqual(to: rest), "a state has a second form")
        let again = world.emptySession()
        require((try? again.restore(from: stored)) != nil, "a stored state cannot be restored")
        require(again.serialize().isEqual(to: stored), "a state has a second form")
        use(session)
    case 1:
        let key = SecureBytes(copying: World.biometryKey)
        guard (try? session.importUpstreamState(rest, possessionKey: key)) != nil else { return untouched(session) }
        use(session)
        let again = world.emptySession()
        require((try? again.restore(from: session.serialize())) != nil, "an imported state cannot be restored")
    case 2:
        guard let keys = try? DeviceKeys(secret: SecureBytes(count: 32)) else { return require(false, "no keys") }
        require(
            (try? keys.open(SecureBytes(copying: rest), client: "fuzz")) == nil,
            "a state is accepted that nobody sealed")
    default:
        guard let keys = try? DeviceKeys(secret: SecureBytes(count: 32)),
            let sealed = try? keys.seal(
                count: rest.count, client: "fuzz", random: world.random, { $0.copyMemory(from: rest) }),
            let opened = try? keys.open(sealed, client: "fuzz")
        else { return require(false, "what was sealed cannot be opened") }
        require(opened.isEqual(to: rest), "what was sealed opens as something else")
        require((try? keys.open(sealed, client: "fuz")) == nil, "another client opens it")
        guard (try? session.restore(from: opened)) != nil else { return untouched(session) }
        use(session)
    }
}

private func untouched(_ session: Session) {
    require(session.phase == .empty, "a refused state changed the session")
}

/// Whatever was restored must bear everything that a session can do. Keys in it may be wrong, so calls may fail.
private func use(_ session: Session) {
    guard session.phase == .activated else { return }
    _ = try? session.fingerprint()
    _ = session.activationId
    _ = session.hasRecoveryData
    _ = session.knowledgeParameters
    for name in session.record?.tokens.map({ String(decoding: $0.name, as: UTF8.self) }) ?? [] {
        require((try? session.tokenHeader(named: name, now: World.now)) != nil, "a restored token cannot be used")
    }
    let before = session.serialize()
    require((try? session.sign(method: .get, uriId: "/x", body: "y", keys: .possession)) != nil, "no signature")
    require(!before.isEqual(to: session.serialize()), "the counter stood still")
    let biometry = SecureBytes(copying: World.biometryKey)
    _ = try? session.signOffline(
        uriId: "/x", body: "y", nonce: SecureBytes(count: 16), keys: .possession(biometry: biometry))
    _ = try? session.statusRequest()
    _ = try? session.temporaryKeyRequest(scope: .activation)
    _ = try? session.verifyServerSignature("x", signature: [0x30, 0], key: .personalized)
    _ = try? session.removeBiometry()
    session.removeAllTokens()
    let again = World.shared.emptySession()
    require((try? again.restore(from: session.serialize())) != nil, "a used state cannot be restored")
}
