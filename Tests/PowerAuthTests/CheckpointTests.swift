import MobileTokenCrypto
import TestSupport
import Testing

@testable import PowerAuth
@testable import PowerAuthDoubles

@Suite struct CheckpointTests {
    /// Every call that changes something is undone completely, as often as one likes.
    @Test func everyChangeIsUndone() throws {
        let device = try ActivatedDevice()
        let session = device.session
        let token = SecureBytes(copying: #"{"tokenId":"a","tokenSecret":"\#([UInt8](1...16).base64)"}"#)
        try session.acceptToken(token, name: "kept", factors: .possession)
        let vault = try session.openVault(device.server.vaultAnswer())
        let key = SecureBytes(copying: [UInt8](5...20))
        let changes: [(String, () throws -> Void)] = [
            ("sign", { _ = try session.sign(method: .post, uriId: "", body: "", keys: .possession) }),
            (
                "sign offline",
                { _ = try session.signOffline(uriId: "", body: "", nonce: [UInt8](1...16), keys: .possession) }
            ),
            ("PIN", { try session.changePIN(old: ActivatedDevice.pin, new: "4321") }),
            ("no biometry", { try session.removeBiometry() }),
            ("biometry", { try session.addBiometry(key: key, vault: vault) }),
            ("external key", { try session.addExternalKey(key) }),
            ("token", { try session.acceptToken(token, name: "more", factors: .possession) }),
            ("other token", { try session.acceptToken(token, name: "kept", factors: .possessionKnowledge) }),
            ("no token", { try session.removeToken(named: "kept") }), ("no tokens", { session.removeAllTokens() }),
            (
                "status",
                {
                    try device.server.advance(3)
                    let request = try session.statusRequest()
                    let answer = try device.server.status(challenge: request.challenge)
                    _ = try session.processStatus(answer, request: request)
                }
            ), ("reset", { session.reset() }),
        ]
        let before = session.stored
        for (what, change) in changes {
            let checkpoint = session.checkpoint()
            for _ in 0..<2 {
                try change()
                #expect(session.stored != before, "\(what)")
                session.rollBack(to: checkpoint)
                #expect(session.stored == before, "\(what)")
                #expect(!session.hasExternalKey)
            }
        }
        try session.addExternalKey(key)
        let checkpoint = session.checkpoint()
        let wrapped = session.stored
        try session.removeExternalKey()
        session.rollBack(to: checkpoint)
        #expect(session.stored == wrapped && session.hasExternalKey)
    }

    /// A signature that could not be stored is undone without a checkpoint: as if it had never been made.
    @Test func signaturesAreUndone() throws {
        let session = try ActivatedDevice().session
        let first = try #require(session.counterMark())
        _ = try session.sign(method: .post, uriId: "", body: "", keys: .possession)
        for unacknowledged in [UInt8(1), ActivationRecord.outOfReach - 1, ActivationRecord.outOfReach] {
            session.record?.unacknowledged = unacknowledged
            let before = session.stored
            for _ in 0..<2 {
                _ = try session.sign(method: .post, uriId: "", body: "", keys: .possession)
                #expect(session.stored != before)
                session.undoSignature()
                #expect(session.stored == before)
            }
        }
        // The one before it can still be taken back.
        #expect(session.takeBack(first))
    }

    @Test func pendingPhases() throws {
        let (session, pending, key) = try ActivatedDevice.started(ServerDouble())
        let checkpoint = session.checkpoint()
        session.reset()
        session.rollBack(to: checkpoint)
        #expect(session.phase == .keysReady)
        _ = (pending, key)
    }
}
