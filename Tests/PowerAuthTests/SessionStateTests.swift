import MobileTokenCrypto
import TestSupport
import Testing

@testable import PowerAuth
@testable import PowerAuthDoubles

@Suite struct SessionStateTests {
    /// A device whose state has everything: biometry, recovery data, external key, tokens with names of any script.
    private func fullDevice() throws -> ActivatedDevice {
        let device = try ActivatedDevice(externalKey: SecureBytes(copying: [UInt8](3...18)))
        for name in ["list", "žeton", String(repeating: "n", count: 255)] {
            try device.session.acceptToken(
                SecureBytes(
                    copying: #"{"tokenId":"\#(name.utf8.count)-id","tokenSecret":"\#([UInt8](1...16).base64)"}"#),
                name: name, factors: .possession)
        }
        _ = try device.session.sign(method: .post, uriId: "", body: "", keys: .possession)
        return device
    }

    private func fresh(_ device: ActivatedDevice) throws -> Session {
        try ActivatedDevice.emptySession(device.server, device.random)
    }

    @Test func roundTrip() throws {
        for device in [
            try fullDevice(), try ActivatedDevice(), try ActivatedDevice(biometry: false, recovery: false),
            try ActivatedDevice(version: .v31),
        ] {
            let stored = device.session.stored
            let session = try fresh(device)
            try session.restore(from: stored)
            #expect(session.stored == stored)
            #expect(session.phase == .activated && session.activationId == device.session.activationId)
            #expect(session.counterByte == device.session.counterByte)
            #expect(session.counterData == device.session.counterData)
            #expect(session.hasBiometry == device.session.hasBiometry)
            #expect(session.hasRecoveryData == device.session.hasRecoveryData)
            #expect(session.usesExternalKey == device.session.usesExternalKey && !session.hasExternalKey)
            #expect(session.tokenNames == device.session.tokenNames)
            #expect(session.knowledgeParameters == device.session.knowledgeParameters)
            #expect(try session.fingerprint() == device.session.fingerprint())
            // Both go on alike.
            let sign: (Session) throws -> String = {
                try $0.signOffline(uriId: "", body: "", nonce: [UInt8](1...16), keys: .possession)
            }
            #expect(try sign(session) == sign(device.session))
        }
    }

    @Test func empty() throws {
        let session = try ActivatedDevice.emptySession(ServerDouble(), RandomSource())
        #expect(session.stored == [UInt8]("MTPA".utf8) + [3, 0])
        let device = try ActivatedDevice()
        try device.session.restore(from: session.serialize())
        #expect(device.session.phase == .empty)
    }

    /// Pending phases are not stored.
    @Test func pendingIsStoredAsEmpty() throws {
        let (session, pending, _) = try ActivatedDevice.started(ServerDouble())
        #expect(session.stored == SessionState.write(nil).array)
        #expect(!pending.body.isEmpty)
    }

    @Test func everyTruncationIsRefused() throws {
        let device = try fullDevice()
        let stored = device.session.stored
        let session = try fresh(device)
        for length in 0..<stored.count {
            #expect(failure { try session.restore(from: stored[..<length]) } == .corruptedState, "\(length)")
        }
        #expect(failure { try session.restore(from: stored + [0]) } == .corruptedState)
        #expect(failure { try session.restore(from: [UInt8]("MTPA".utf8) + [3, 0, 0]) } == .corruptedState)
        #expect(session.phase == .empty)
        let before = device.session.stored
        #expect(failure { try device.session.restore(from: stored.dropLast()) } == .corruptedState)
        #expect(device.session.stored == before)
    }

    /// Every flipped bit is either refused, or gives a state that is written again bit for bit: nothing traps, nothing is
    /// read in two ways.
    @Test func everyFlipIsHandled() throws {
        let device = try fullDevice()
        let stored = device.session.stored
        let session = try fresh(device)
        for index in 0..<stored.count {
            for bit in 0..<8 {
                var changed = stored
                changed[index] ^= 1 << UInt8(bit)
                session.reset()
                do {
                    try session.restore(from: changed)
                    #expect(session.stored == changed)
                    exercise(session)
                } catch {
                    #expect(error == PowerAuthError(index == 4 ? .unsupportedState : .corruptedState, ""), "\(index)")
                    #expect(session.phase == .empty)
                }
            }
        }
    }

    /// Uses a state that may be nonsense; errors are fine, traps are not.
    private func exercise(_ session: Session) {
        _ = try? session.fingerprint()
        _ = try? session.sign(method: .post, uriId: "a", body: "b", keys: .possession)
        _ = try? session.verifyServerSignature("a", signature: "b", key: .personalized)
        _ = try? session.encryptor(.activationGeneric, key: nil)
        for name in session.tokenNames { _ = try? session.tokenHeader(named: name, now: 1) }
        _ = try? session.recoveryData(vault: VaultKey(SecureBytes(copying: [UInt8](1...16))))
        _ = try? session.deviceSignature("", format: .der, vault: VaultKey(SecureBytes(copying: [UInt8](1...16))))
        _ = session.activationId
    }

    @Test func randomBytesAreHandled() throws {
        let session = try ActivatedDevice.emptySession(ServerDouble(), RandomSource())
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<3000 {
            let length = Int.random(in: 0...400, using: &generator)
            var content = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
            if Bool.random(using: &generator) {
                let start = [UInt8]("MTPA".utf8) + [3, 1]
                content.replaceSubrange(0..<min(start.count, length), with: start.prefix(length))
            }
            if (try? session.restore(from: content)) != nil, content[4] == 3 { #expect(session.stored == content) }
        }
    }

    @Test func authenticatorsAreStored() throws {
        let device = try ActivatedDevice()
        let whole = device.session.stored
        let first = [UInt8](whole.dropLast(3))
        let record = try #require(device.session.record)
        try record.storeBiometry([UInt8](repeating: 7, count: 16), named: [UInt8]("card".utf8))
        try record.storeBiometry([UInt8](repeating: 8, count: 16), named: [UInt8]("ž".utf8))
        let second = device.session.stored
        let added: [UInt8] =
            [2, 4] + [UInt8]("card".utf8) + [UInt8](repeating: 7, count: 16) + [2] + [UInt8]("ž".utf8)
            + [UInt8](repeating: 8, count: 16)
        #expect([UInt8](second[first.count...]) == added + [0, 0])
        let restored = try fresh(device)
        try restored.restore(from: second)
        #expect(restored.stored == second)
        #expect(restored.authenticators == [[UInt8]("card".utf8), [UInt8]("ž".utf8)])
        #expect(restored.hasBiometry(named: [UInt8]("card".utf8)) && !restored.hasBiometry(named: [UInt8]("no".utf8)))
        for length in first.count..<second.count {
            #expect(failure { try fresh(device).restore(from: [UInt8](second.prefix(length))) } == .corruptedState)
        }
        var twice = second
        twice.replaceSubrange((first.count + 1)..., with: second[(first.count + 1)..<(first.count + 22)])
        twice += second[(first.count + 1)..<(first.count + 22)] + [0, 0]
        #expect(failure { try fresh(device).restore(from: twice) } == .corruptedState)
        var notText = second
        notText[first.count + 2] = 0xFF
        #expect(failure { try fresh(device).restore(from: notText) } == .corruptedState)
        for name in ["card", "ž"] { try restored.removeBiometry(named: [UInt8](name.utf8)) }
        #expect(restored.stored == whole)
    }

    /// How far the server may be behind is kept; what earlier versions did not count is taken for half of the usual window.
    @Test func unacknowledgedSignaturesAreStored() throws {
        let device = try ActivatedDevice()
        for _ in 0..<3 { _ = try device.session.sign(method: .post, uriId: "a", body: "b", keys: .possession) }
        let stored = device.session.stored
        #expect(stored[4] == 3 && [UInt8](stored.suffix(3)) == [0, 0, 3])
        let restored = try fresh(device)
        try restored.restore(from: stored)
        #expect(restored.unacknowledged == 3 && restored.window == nil)
        #expect(restored.stored == stored)
        for (window, accepted) in [(UInt8(1), true), (64, true), (65, false), (255, false)] {
            var changed = stored
            changed[changed.count - 2] = window
            if accepted {
                try restored.restore(from: changed)
                #expect(restored.window == Int(window))
            } else {
                #expect(failure { try fresh(device).restore(from: changed) } == .corruptedState)
            }
        }
    }

    /// A signature of which nothing has left is taken back, unless another one was made since.
    @Test func signaturesAreTakenBackAndAcknowledged() throws {
        let session = try ActivatedDevice().session
        let before = session.stored
        let sign = { _ = try session.sign(method: .post, uriId: "a", body: "b", keys: .possession) }
        let first = try #require(session.counterMark())
        #expect(!session.takeBack(first))
        try sign()
        let second = try #require(session.counterMark())
        #expect(session.unacknowledged == 1)
        try sign()
        #expect(!session.takeBack(first))
        let after = session.stored
        try sign()
        let third = try #require(session.counterMark())
        session.acknowledge(first)
        #expect(session.unacknowledged == 2)
        session.acknowledge(second)
        #expect(session.unacknowledged == 1)
        try sign()
        #expect(session.takeBack(third))
        #expect(!session.takeBack(third))
        #expect(session.unacknowledged == 1)
        #expect(session.stored != before && session.stored != after)
        session.acknowledge(upTo: session.signatures)
        #expect(session.unacknowledged == 0)
    }

    /// The signature of the window's last step is withdrawn while it is on its way: until its end is known, no other one counts as
    /// accepted, and the server is followed over it once.
    @Test(arguments: [true, false]) func theLastStepIsFollowedOnceAndNotForgotten(isLost: Bool) throws {
        let session = try ActivatedDevice().session
        let sign = { _ = try session.sign(method: .post, uriId: "a", body: "b", keys: .possession) }
        try sign()
        let step = try #require(session.counterMark())
        try sign()
        session.takeBackOnItsWay(step)
        if isLost { session.endStep(isLost: true) }
        session.acknowledge(upTo: session.signatures)
        #expect(session.unacknowledged == 1)
        let withdrawn = session.stored
        try session.stepOver()
        #expect((session.stored == withdrawn) == isLost)
        #expect(session.unacknowledged == (isLost ? 1 : 0))
        let followed = session.stored
        try session.stepOver()
        #expect(session.stored == followed)
    }

    @Test func otherFormatsAreRefused() throws {
        let device = try ActivatedDevice()
        let stored = device.session.stored
        for format in [UInt8(0), 1, 2, 5, 255] {
            var changed = stored
            changed[4] = format
            #expect(failure { try fresh(device).restore(from: changed) } == .unsupportedState)
            // Whatever follows: a newer format is told from damage.
            #expect(failure { try fresh(device).restore(from: [UInt8]("MTPA".utf8) + [format]) } == .unsupportedState)
        }
        for kind in [UInt8(2), 255] {
            var changed = stored
            changed[5] = kind
            #expect(failure { try fresh(device).restore(from: changed) } == .corruptedState)
        }
    }

    /// Values that no writer makes.
    @Test func impossibleValuesAreRefused() throws {
        let device = try ActivatedDevice(biometry: false, recovery: false)
        let stored = device.session.stored
        let changes: [(String, Int, [UInt8])] = [
            ("unknown flag", 6, [stored[6] | 0x10]), ("counter byte without its flag", 6, [stored[6] & ~1, 5]),
            ("no iterations", 8, [0, 0, 0, 0]), ("too many iterations", 8, [0x7F, 0, 0, 0]),
            ("no identifier", 12, [0]), ("no private key", 13, [0]), ("odd private key", 13, [47]),
            ("biometry without its flag", 16 + 48, [1]), ("server key tag", 16 + 96, [4]),
            ("device key tag", 16 + 129, [0]),
            ("device key without its flag", 6, [stored[6] & ~8]), ("identifier character", 16 + 162, [0x22]),
            ("too many tokens", 15, [65]),
        ]
        for (what, offset, bytes) in changes {
            var changed = stored
            changed.replaceSubrange(offset..<(offset + bytes.count), with: bytes)
            #expect(failure { try fresh(device).restore(from: changed) } == .corruptedState, "\(what)")
        }
        // Two tokens of one name; a name that is not UTF-8.
        let token = [UInt8](arrayLiteral: 1, 1, 0x61, 1, 0x62) + [UInt8](1...16)
        let (start, end) = ([UInt8](stored.dropLast(3)), [UInt8](stored.suffix(3)))
        var changed = start + token + end
        changed[15] = 1
        try fresh(device).restore(from: changed)
        changed = start + token + token + end
        changed[15] = 2
        #expect(failure { try fresh(device).restore(from: changed) } == .corruptedState)
        changed = start + [1, 1, 0xFF, 1, 0x62] + [UInt8](1...16) + end
        changed[15] = 1
        #expect(failure { try fresh(device).restore(from: changed) } == .corruptedState)
        changed = start + [6, 1, 0x61, 1, 0x62] + [UInt8](1...16) + end
        changed[15] = 1
        #expect(failure { try fresh(device).restore(from: changed) } == .corruptedState)
    }

    @Test func externalKeyAndRestore() throws {
        let plain = try ActivatedDevice()
        let session = try fresh(plain)
        try session.setExternalKey(SecureBytes(copying: [UInt8](3...18)))
        #expect(failure { try session.restore(from: plain.session.serialize()) } == .wrongState)
        #expect(session.phase == .empty)
        let full = try fullDevice()
        try session.restore(from: full.session.serialize())
        #expect(session.usesExternalKey && session.hasExternalKey)
    }

    /// A point that is not on the curve is found out when it is used, and named as damage of the state.
    @Test func spoiledServerKey() throws {
        let device = try ActivatedDevice(version: .v32)
        var stored = device.session.stored
        stored.replaceSubrange((16 + 97)..<(16 + 129), with: [UInt8](repeating: 0xFF, count: 32))
        let session = try fresh(device)
        try session.restore(from: stored)
        #expect(
            failure { try session.verifyServerSignature("a", signature: "b", key: .personalized) } == .corruptedState)
        #expect(failure { try session.encryptor(.activationGeneric, key: nil) } == .corruptedState)
        _ = try session.sign(method: .post, uriId: "", body: "", keys: .possession)
    }

    /// What a session keeps in memory stays small (the block, its owner and one token).
    /// A private key that begins with a zero byte is shorter.
    @Test func blockIsSmall() throws {
        let device = try ActivatedDevice()
        #expect(try #require(device.session.record).block.count <= 162 + 36 + 48 + 48)
        #expect(device.session.stored.count <= 16 + 294 + 3)
    }
}
