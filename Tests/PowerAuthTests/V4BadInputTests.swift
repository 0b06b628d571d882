import Foundation
import MobileTokenCrypto
import MobileTokenJSON
import TestSupport
import Testing

@testable import PowerAuth
@testable import PowerAuthDoubles

/// The reason of the crypto failure that the work throws; nil when it throws none.
private func reason<R>(_ body: () throws(CryptoError) -> R) -> CryptoError.Reason? {
    do throws(CryptoError) {
        _ = try body()
        return nil
    } catch {
        return error.reason
    }
}

@Suite struct V4SealingTests {
    private let key = [UInt8](repeating: 7, count: 32)
    private let nonce = [UInt8](1...12)

    @Test func everyAlterationIsRefused() throws {
        let plain = [UInt8](0..<40)
        func open(_ sealed: [UInt8], key: [UInt8]? = nil, context: String = "c", data: String = "d") throws -> [UInt8] {
            try V4.AEAD.open(sealed, key: key ?? self.key, context: context, associatedData: data).array
        }
        let sealed = try V4.AEAD.seal(plain, key: key, context: "c", nonce: nonce, associatedData: "d")
        #expect(sealed.count == plain.count + V4.AEAD.overhead && sealed.starts(with: nonce))
        #expect(try open(sealed) == plain)
        for length in 0..<sealed.count {
            #expect(
                reason { () throws(CryptoError) in
                    try V4.AEAD.open(sealed.prefix(length), key: key, context: "c", associatedData: "d")
                } == (length < 44 ? .invalidLength : .signatureMismatch))
        }
        for index in sealed.indices {
            var altered = sealed
            altered[index] ^= 1
            #expect(throws: CryptoError(reason: .signatureMismatch)) { try open(altered) }
        }
        #expect(throws: CryptoError(reason: .signatureMismatch)) { try open(sealed + [0]) }
        #expect(throws: CryptoError(reason: .signatureMismatch)) { try open(sealed, context: "b") }
        #expect(throws: CryptoError(reason: .signatureMismatch)) { try open(sealed, data: "e") }
        #expect(throws: CryptoError(reason: .signatureMismatch)) {
            try open(sealed, key: [UInt8](repeating: 8, count: 32))
        }
        let empty = try V4.AEAD.seal([UInt8](), key: key, context: "c", nonce: nonce, associatedData: "d")
        #expect(try empty.count == 44 && open(empty) == [])
        for length in [0, 11, 13] {
            #expect(
                reason { () throws(CryptoError) in
                    try V4.AEAD.seal(
                        plain, key: key, context: "c", nonce: [UInt8](repeating: 0, count: length), associatedData: "d")
                } == .invalidLength)
        }
    }

    @Test func wrapping() throws {
        let wrapped = try V4.KeyWrap.wrap(key, with: [UInt8](repeating: 9, count: 32), random: RandomSource())
        #expect(wrapped.count == V4.KeyWrap.wrappedLength)
        #expect(try V4.KeyWrap.unwrap(wrapped, with: [UInt8](repeating: 9, count: 32)).array == key)
        // A wrong wrapper gives another key: nothing tells the two apart.
        #expect(try V4.KeyWrap.unwrap(wrapped, with: [UInt8](repeating: 8, count: 32)).array != key)
        for length in [0, 16, 47, 49] {
            #expect(
                reason { () throws(CryptoError) in
                    try V4.KeyWrap.unwrap([UInt8](repeating: 0, count: length), with: key)
                } == .invalidLength)
        }
        for length in [0, 16, 31, 33] {
            let other = [UInt8](repeating: 0, count: length)
            #expect(
                reason { () throws(CryptoError) in try V4.KeyWrap.wrap(other, with: key, random: RandomSource()) }
                    == .invalidKey)
            #expect(reason { () throws(CryptoError) in try V4.KeyWrap.unwrap(wrapped, with: other) } == .invalidKey)
        }
    }

    @Test func localKeys() throws {
        let random = RandomSource()
        let wrapper = SecureBytes(copying: key)
        let device = try V4.DeviceKEK(deviceData: "this device")
        #expect(try !device.possession().isEqual(to: device.localData()))
        for kind in [V4.LocalKey.utility, .encryption, .devicePrivate] {
            let sealed = try kind.seal(secret("a key"), with: wrapper, activationId: "id", random: random)
            #expect(try kind.open(sealed, with: wrapper, activationId: "id").array.text == "a key")
            #expect(throws: CryptoError(reason: .signatureMismatch)) {
                try kind.open(sealed, with: wrapper, activationId: "ie")
            }
            for other in [V4.LocalKey.utility, .encryption, .devicePrivate] where other != kind {
                #expect(throws: CryptoError(reason: .signatureMismatch)) {
                    try other.open(sealed, with: wrapper, activationId: "id")
                }
            }
        }
    }

    @Test func passwords() throws {
        let salt = [UInt8](1...32)
        for length in [0, 3, 513, 5000] {
            #expect(
                failure { try V4.PasswordKDF.derive(password: [UInt8](repeating: 0x31, count: length), salt: salt) }
                    == .wrongParameter)
        }
        #expect(failure { try V4.PasswordKDF.derive(password: "1234", salt: salt.dropLast()) } == .wrongParameter)
        #expect(try V4.PasswordKDF.derive(password: [UInt8](repeating: 0x31, count: 512), salt: salt).count == 32)
        #expect(
            try !V4.PasswordKDF.derive(password: "1234", salt: salt)
                .isEqual(to: V4.PasswordKDF.derive(password: "1235", salt: salt)))
    }

    @Test func otherKeys() throws {
        #expect(try V4.expandBiometryKey(SecureBytes(count: 16)).count == 32)
        #expect(reason { () throws(CryptoError) in try V4.expandBiometryKey(SecureBytes(count: 32)) } == .invalidKey)
        let kdk = SecureBytes(copying: key)
        let (one, other) = (V4.VaultKeyIdentifier.application2FA, V4.VaultKeyIdentifier.applicationKnowledge)
        var diversifier = [UInt8](repeating: 0, count: 7)
        diversifier.append(5)
        #expect(
            try one.applicationKey(from: kdk, index: 5, count: 48).array
                == V4.KDF.derive(kdk, "app/kdf/2fa", diversifier: diversifier, count: 48).array)
        #expect(
            try other.applicationKey(from: kdk, index: 5).array
                == V4.KDF.derive(kdk, "app/kdf/knowledge", diversifier: diversifier).array)
        for count in [-1, 0, 15, 8192] {
            #expect(
                reason { () throws(CryptoError) in try one.applicationKey(from: kdk, index: 1, count: count) }
                    == .invalidLength)
        }
        #expect(
            reason { () throws(CryptoError) in
                try V4.VaultKeyIdentifier.devicePrivate.applicationKey(from: kdk, index: 1)
            } == .invalidKey)
    }
}

@Suite struct V4KeyTests {
    @Test func suites() {
        for suite in V4.Suite.allCases { #expect(V4.Suite(name: "\(suite.name)") == suite) }
        for name in ["", "ec_p384", "EC_P256", "LEGACY_P256", "ML_L3", "ML_L5", "EC_P384_ML_L4", "EC_P384 "] {
            #expect(V4.Suite(name: name) == nil)
        }
    }

    @Test(.enabled(if: !hasHybridSuites)) func suitesWithoutTheirAlgorithms() throws {
        for suite in [V4.Suite.p384ML3, .p384ML5] {
            #expect(!suite.isAvailable)
            #expect(failure { try suite.require() } == .unsupportedProtocol)
            #expect(
                failure { try V4.SharedSecretRequest(suite: suite, random: RandomSource()) } == .unsupportedProtocol)
            #expect(failure { try V4.DeviceKeys(suite: suite, random: RandomSource()) } == .unsupportedProtocol)
            #expect(
                failure { try V4.DeviceKeys(suite: suite, stored: RandomSource().secureBytes(80)) }
                    == .unsupportedProtocol)
        }
    }

    /// The forms of public keys need no algorithm.
    @Test(arguments: V4.Suite.allCases) func publicKeys(suite: V4.Suite) throws {
        let point = try RandomSource().keyPair(on: .p384).publicKey
        let raw = suite.mldsa.map { [UInt8](repeating: 0x5A, count: $0.publicKeyLength) }
        let info = suite.mldsa.flatMap { dsa in raw.map { V4.SubjectPublicKeyInfo.dsa(dsa).encode($0) } }
        let keys = try V4.PublicKeys(suite, ecdsa: point.uncompressed, mldsa: info)
        #expect(keys.mldsa == raw && keys.mldsaInfo == info)
        #expect(try V4.PublicKeys(suite, json: json(keys.json)).raw == keys.raw)
        #expect(try V4.PublicKeys(suite, raw: keys.raw).json == keys.json)
        #expect(failure { try V4.PublicKeys(suite, raw: keys.raw.dropLast()) } == .corruptedState)
        #expect(failure { try V4.PublicKeys(suite, raw: keys.raw + [0]) } == .corruptedState)
        #expect(failure { try V4.PublicKeys(suite, raw: [5] + keys.raw.dropFirst()) } == .corruptedState)

        func refused(_ ecdsa: [UInt8], _ mldsa: [UInt8]?) -> Bool {
            failure { try V4.PublicKeys(suite, ecdsa: ecdsa, mldsa: mldsa) } == .invalidActivationData
        }
        var offCurve = point.uncompressed
        offCurve[96] ^= 1
        for wrong in [
            [], [0], offCurve, [UInt8](point.uncompressed.dropLast()), try PrivateKey.generate().publicKey.uncompressed,
        ] {
            #expect(refused(wrong, info))
        }
        // A compressed point is no form of a message.
        let compressed = #"{"ecdsa":"\#(point.compressed.base64)","mldsa":"\#((info ?? []).base64)"}"#
        #expect(failure { try V4.PublicKeys(suite, json: json(compressed)) } == .invalidActivationData)
        guard let info else {
            // What the suite has no use for is not looked at.
            #expect(!refused(point.uncompressed, [1, 2, 3]))
            return
        }
        #expect(refused(point.uncompressed, nil))
        #expect(refused(point.uncompressed, []))
        #expect(refused(point.uncompressed, raw))
        #expect(refused(point.uncompressed, [UInt8](info.dropLast())))
        #expect(refused(point.uncompressed, info + [0]))
        for index in 0..<22 {
            var altered = info
            altered[index] ^= 1
            #expect(refused(point.uncompressed, altered))
        }
        let other: MLDSA = suite == .p384ML3 ? .mldsa87 : .mldsa65
        #expect(
            refused(
                point.uncompressed,
                V4.SubjectPublicKeyInfo.dsa(other).encode([UInt8](repeating: 1, count: other.publicKeyLength))))
    }

    /// The prefixes that powerauth4.md §1 prints.
    @Test func prefixes() {
        for (form, count, prefix) in [
            (V4.SubjectPublicKeyInfo.kem(.mlkem768), 1184, "308204B2300B0609608648016503040402038204A100"),
            (.kem(.mlkem1024), 1568, "30820632300B06096086480165030404030382062100"),
            (.dsa(.mldsa65), 1952, "308207B2300B0609608648016503040312038207A100"),
            (.dsa(.mldsa87), 2592, "30820A32300B060960864801650304031303820A2100"),
        ] {
            #expect(form.encode([UInt8](repeating: 0, count: count)).prefix(22) == [UInt8](hex: prefix)[...])
        }
    }

    @Test func deviceKeys() throws {
        for suite in usableSuites {
            let keys = try V4.DeviceKeys(suite: suite, random: RandomSource())
            let stored = try keys.stored()
            #expect(stored.count == (suite.isHybrid ? 80 : 48))
            let again = try V4.DeviceKeys(suite: suite, stored: stored)
            #expect(again.publicKeys.raw == keys.publicKeys.raw)
            #expect(try keys.publicKeys.ecdsa.verify(der: again.signECDSA("text"), data: "text"))
            if let dsa = suite.mldsa {
                #expect(
                    try dsa.verify(again.signMLDSA("text"), data: "text", publicKey: keys.publicKeys.mldsa ?? []))
            } else {
                #expect(failure { try keys.signMLDSA("text") } == .unsupportedProtocol)
            }
            for count in [0, 47, 49, 79, 81, 48, 80] where count != stored.count {
                #expect(
                    failure { try V4.DeviceKeys(suite: suite, stored: RandomSource().secureBytes(count)) }
                        == .corruptedState)
            }
            #expect(
                failure { try V4.DeviceKeys(suite: suite, stored: SecureBytes(count: stored.count)) } == .corruptedState
            )

            let signed = try again.signJWS(#"{"a":1}"#)
            let names = try json(signed)["signatures"].map { list in
                (0..<list.count).map { list[$0]?["protected"]?.text.map { Base64URL.decode($0.bytes)?.text } ?? nil }
            }
            #expect(
                names == [#"{"alg":"ES384"}"#] + (suite.mldsa.map { [#"{"alg":"\#($0.name)"}"#] } ?? []))
            let claims = try signed.withBytes { try V4.JSONWebSignature.verify($0, keys: keys.publicKeys) }
            #expect(claims["a"]?.int64 == 1)
        }
    }

    @Test func configuration() throws {
        let point = try RandomSource().keyPair(on: .p384).publicKey
        let legacy = try PrivateKey.generate().publicKey
        let level3 = V4.SubjectPublicKeyInfo.dsa(.mldsa65).encode([UInt8](repeating: 3, count: 1952))
        let level5 = V4.SubjectPublicKeyInfo.dsa(.mldsa87).encode([UInt8](repeating: 5, count: 2592))
        func make(_ keys: [(kind: UInt8, key: [UInt8])], for use: Configuration.Use = .automatic) throws
            -> Configuration
        {
            try Configuration(sdkConfiguration: V4ServerDouble.configuration(keys), for: use)
        }
        let all: [(kind: UInt8, key: [UInt8])] = [
            (4, level5), (200, [1, 2]), (2, point.compressed), (1, legacy.uncompressed), (3, level3),
        ]
        let whole = try make(all)
        #expect(whole.suites == [.p384, .p384ML3, .p384ML5])
        #expect(try whole.masterPublicKey.compressed == legacy.compressed)
        #expect(whole.offlineMasterKeys.map(\.curve) == [.p384, .p256])
        #expect(whole.masterKeys(for: .p384ML3)?.mldsaInfo == level3)
        #expect(whole.masterKeys(for: .p384ML5)?.mldsaInfo == level5)
        #expect(whole.masterKeys(for: .p384)?.ecdsa.uncompressed == point.uncompressed)

        // Only what is used must be there and be looked at.
        let broken: [UInt8] = [9, 9]
        #expect(try make([(1, broken), (2, point.uncompressed)], for: .suite(.p384)).suites == [.p384])
        #expect(failure { try make([(1, broken), (2, point.uncompressed)]) } == .invalidConfiguration)
        #expect(try make([(1, legacy.compressed), (2, broken), (3, broken)], for: .legacy).suites.isEmpty)
        #expect(failure { try make([(1, legacy.compressed), (2, broken)]) } == .invalidConfiguration)
        #expect(failure { try make([(2, point.uncompressed), (3, level5)]) } == .invalidConfiguration)
        #expect(
            try make([(2, point.uncompressed), (3, level5), (4, level5)], for: .suite(.p384ML5)).suites.contains(
                .p384ML5))
        #expect(failure { try make([(3, level3)]) } == .invalidConfiguration)
        #expect(failure { try make([(200, broken)]) } == .invalidConfiguration)
        #expect(failure { try make([]) } == .invalidConfiguration)
        #expect(failure { try make([(2, point.uncompressed)], for: .legacy) } == .invalidConfiguration)
        #expect(failure { try make([(1, legacy.compressed)], for: .suite(.p384)) } == .invalidConfiguration)
        #expect(failure { try make([(2, point.uncompressed)], for: .suite(.p384ML3)) } == .invalidConfiguration)
        #expect(
            failure { try make([(2, point.uncompressed), (4, level5)], for: .suite(.p384ML3)) } == .invalidConfiguration
        )
        for kind in 1...4 as ClosedRange<UInt8> {
            let key = all.first { $0.kind == kind }?.key ?? []
            #expect(failure { try make(all + [(kind, key)]) } == .invalidConfiguration)
        }
        // A point of the other curve.
        #expect(failure { try make([(2, legacy.uncompressed)]) } == .invalidConfiguration)
        #expect(failure { try make([(1, point.uncompressed)]) } == .invalidConfiguration)
        // Without a key of 3.x, 3.x says so.
        let modern = try make([(2, point.uncompressed)])
        #expect(failure { try modern.masterPublicKey } == .invalidConfiguration)
    }

    @Test func offlineTextsOfTheApplication() throws {
        let (modern, legacy) = (try RandomSource().keyPair(on: .p384), try PrivateKey.generate())
        let configuration = try Configuration(
            sdkConfiguration: V4ServerDouble.configuration([
                (1, legacy.publicKey.compressed), (2, modern.publicKey.compressed),
            ]))
        for key in [modern, legacy] {
            let signature = try key.signDER("text")
            #expect(try configuration.verifyMasterSignature("text", signature: signature))
            #expect(try !configuration.verifyMasterSignature("other", signature: signature))
            #expect(try !configuration.verifyMasterSignature("text", signature: signature.dropLast()))
        }
        let stranger = try RandomSource().keyPair(on: .p384)
        #expect(try !configuration.verifyMasterSignature("text", signature: stranger.signDER("text")))
        #expect(try !configuration.verifyMasterSignature("text", signature: [UInt8]()))
    }
}

@Suite struct V4ExchangeTests {
    @Test func answersThatDoNotFit() throws {
        for suite in usableSuites {
            let server = try V4ServerDouble(suite)
            let request = try V4.SharedSecretRequest(suite: suite, random: RandomSource())
            let (answer, secret) = try server.exchange(json(request.json))
            func accept(_ change: (inout [String: Any]) -> Void = { _ in }) throws -> SecureBytes {
                var altered = answer
                change(&altered)
                return try request.accept(json([UInt8](JSONSerialization.data(withJSONObject: altered))))
            }
            #expect(try accept().isEqual(to: secret))
            let keys = try #require(answer["encapsulatedKeys"] as? [String])
            let other = try RandomSource().keyPair(on: .p384).publicKey
            let bad: [(String, (inout [String: Any]) -> Void)] = [
                ("no salt", { $0["salt"] = nil }), ("a short salt", { $0["salt"] = [UInt8](1...31).base64 }),
                ("a long salt", { $0["salt"] = [UInt8](1...33).base64 }), ("a salt in no text", { $0["salt"] = 1 }),
                ("no keys", { $0["encapsulatedKeys"] = nil }),
                ("an empty list", { $0["encapsulatedKeys"] = [String]() }),
                ("a text for a list", { $0["encapsulatedKeys"] = keys[0] }),
                ("one too many", { $0["encapsulatedKeys"] = keys + [keys[0]] }),
                ("a number", { $0["encapsulatedKeys"] = ([1] as [Any]) + keys.dropFirst().map { $0 as Any } }),
                ("no Base64", { $0["encapsulatedKeys"] = ["*"] + keys.dropFirst() }),
                ("a compressed point", { $0["encapsulatedKeys"] = [other.compressed.base64] + keys.dropFirst() }),
                (
                    "a cut point",
                    { $0["encapsulatedKeys"] = [other.uncompressed.dropLast().base64Text] + keys.dropFirst() }
                ),
                ("no point", { $0["encapsulatedKeys"] = [[UInt8](repeating: 4, count: 97).base64] + keys.dropFirst() }),
            ]
            for (name, change) in bad {
                #expect(failure { try accept(change) } == .encryption, "\(suite.name): \(name)")
            }
            // Somebody else's key: another secret.
            #expect(
                try !accept { $0["encapsulatedKeys"] = [other.uncompressed.base64] + keys.dropFirst() }.isEqual(
                    to: secret))
            guard suite.isHybrid else { continue }
            var ciphertext = [UInt8](base64: keys[1])
            let wrong: [(String, [Any])] = [
                ("only one", [keys[0]]), ("swapped", [keys[1], keys[0]]), ("the point twice", [keys[0], keys[0]]),
                ("a cut ciphertext", [keys[0], ciphertext.dropLast().base64Text]),
                ("a long ciphertext", [keys[0], (ciphertext + [0]).base64]), ("an empty one", [keys[0], ""]),
                ("no text", [keys[0], 1]),
            ]
            for (name, list) in wrong {
                #expect(
                    failure { try accept { $0["encapsulatedKeys"] = list } } == .encryption, "\(suite.name): \(name)")
            }
            ciphertext[5] ^= 1
            #expect(try !accept { $0["encapsulatedKeys"] = [keys[0], ciphertext.base64] }.isEqual(to: secret))
        }
    }

    @Test func temporaryKeyAnswersThatDoNotFit() throws {
        for suite in usableSuites {
            let server = try V4ServerDouble(suite)
            for activation in [nil, (id: [UInt8]("activation".utf8), key: SecureBytes(count: 32))] {
                let signers = activation == nil ? server.master : server.server
                let strangers = activation == nil ? server.server : server.master
                let request = try V4.TemporaryKeyRequest(
                    configuration: server.configuration, suite: suite, activation: activation, random: RandomSource())
                let answer = try server.claims(answering: request.body)
                func accept(_ response: JSONValue) throws -> V4.TemporaryKey {
                    try request.accept(response, signers: signers.publicKeys)
                }
                /// An answer with altered claims, rightly signed, or with altered signatures.
                func with(
                    _ claims: (inout [String: Any]) -> Void = { _ in },
                    _ change: (inout [[String: Any]], [UInt8]) throws -> Void = { _, _ in }
                ) throws -> V4.TemporaryKey {
                    var altered = answer.claims
                    claims(&altered)
                    let payload = [UInt8](try JSONSerialization.data(withJSONObject: altered))
                    var signatures = try server.sign(payload, by: signers).map(\.object)
                    try change(&signatures, payload)
                    return try accept(V4ServerDouble.response(payload, signatures))
                }
                let key = try with()
                #expect(key.secret.isEqual(to: answer.secret) && key.suite == suite)
                #expect(key.isUsable(now: V4ServerDouble.now) && !key.isUsable(now: V4ServerDouble.now + 290_000))
                // Order and further members do not matter.
                #expect(try with({ $0["more"] = [1] }, { list, _ in list.reverse() }).id == key.id)
                #expect(try with({ _ in }, { list, _ in list[0]["header"] = ["kid": "x"] }).id == key.id)
                let extended = try with(
                    { _ in },
                    { list, payload in
                        let header = [UInt8](#"{"typ":"x","alg":"ES384"}"#.utf8)
                        let input = V4.JSONWebSignature.signingInput(
                            Base64URL.encodedBytes(header), Base64URL.encodedBytes(payload))
                        list[0] =
                            V4ServerDouble.Signature(
                                protected: header, signature: try signers.signJOSE(input)
                            ).object
                    })
                #expect(extended.id == key.id)

                let badClaims: [(String, (inout [String: Any]) -> Void)] = [
                    ("another challenge", { $0["challenge"] = [UInt8](1...32).base64 }),
                    ("no challenge", { $0["challenge"] = nil }),
                    ("another application", { $0["applicationKey"] = [UInt8](2...17).base64 }),
                    ("no application", { $0["applicationKey"] = nil }),
                    ("another activation", { $0["activationId"] = "other" }),
                    ("no identifier", { $0["sub"] = nil }), ("a bad identifier", { $0["sub"] = "a\"b" }),
                    ("a long identifier", { $0["sub"] = String(repeating: "a", count: 65) }),
                    ("no time", { $0["exp_ms"] = nil }), ("no beginning", { $0["iat_ms"] = nil }),
                    ("a negative time", { $0["iat_ms"] = -1 }), ("an end before the beginning", { $0["exp_ms"] = 1 }),
                    ("a text for a time", { $0["exp_ms"] = "1" }), ("a broken time", { $0["exp_ms"] = 1.5 }),
                    ("no secret", { $0["sharedSecretResponse"] = nil }),
                    ("a text for a secret", { $0["sharedSecretResponse"] = "x" }),
                    ("an empty secret", { $0["sharedSecretResponse"] = [String: Any]() }),
                ]
                for (name, change) in badClaims {
                    #expect(failure { try with(change) } == .invalidTemporaryKey, "\(suite.name): \(name)")
                }
                if activation != nil {
                    #expect(failure { try with { $0["activationId"] = nil } } == .invalidTemporaryKey)
                }

                let forged = try server.sign([UInt8]("{}".utf8), by: signers)
                for index in 0..<(suite.isHybrid ? 2 : 1) {
                    let bad: [(String, (inout [[String: Any]], [UInt8]) throws -> Void)] = [
                        ("missing", { list, _ in list.remove(at: index) }),
                        ("twice", { list, _ in list.append(list[index]) }),
                        (
                            "twice instead of another",
                            { list, _ in list = list.map { _ in list[index] } + (list.count == 1 ? [list[0]] : []) }
                        ),
                        ("another payload's", { list, _ in list[index] = forged[index].object }),
                        (
                            "another key's",
                            { list, payload in list[index] = try server.sign(payload, by: strangers)[index].object }
                        ),
                        ("empty", { list, _ in list[index]["signature"] = "" }),
                        (
                            "cut",
                            { list, _ in
                                let bytes = Base64URL.decode(list[index]["signature"] as? String ?? "") ?? []
                                list[index]["signature"] = Base64URL.encode([UInt8](bytes.dropLast()))
                            }
                        ),
                        (
                            "long",
                            { list, _ in
                                let bytes = Base64URL.decode(list[index]["signature"] as? String ?? "") ?? []
                                list[index]["signature"] = Base64URL.encode(bytes + [0])
                            }
                        ),
                        (
                            "altered",
                            { list, _ in
                                var bytes = Base64URL.decode(list[index]["signature"] as? String ?? "") ?? []
                                bytes[bytes.count / 2] ^= 1
                                list[index]["signature"] = Base64URL.encode(bytes)
                            }
                        ),
                    ]
                    for (name, change) in bad {
                        #expect(
                            failure { try with({ _ in }, change) } == .serverSignature,
                            "\(suite.name), signature \(index): \(name)")
                    }
                    for algorithm in ["none", "HS384", "ES256", "es384", "ML-DSA-44", "ML-DSA-65", "ML-DSA-87", ""] {
                        if index == 1, suite.mldsa.map({ "\($0.name)" }) == algorithm { continue }
                        #expect(
                            failure {
                                try with({ _ in }) { list, _ in
                                    list[index]["protected"] = Base64URL.encode(
                                        [UInt8](#"{"alg":"\#(algorithm)"}"#.utf8))
                                }
                            } == .serverSignature, "\(suite.name), signature \(index): \(algorithm)")
                    }
                    for header in [
                        "", "{", "[]", "{}", #"{"alg":1}"#, #"{"alg":"ES384","alg":"ES384"}"#,
                        #"{"alg":"ES384","crit":[]}"#, #"{"alg":"ES384","crit":["exp"]}"#,
                    ] {
                        #expect(
                            failure {
                                try with({ _ in }) { list, _ in
                                    list[index]["protected"] = Base64URL.encode([UInt8](header.utf8))
                                }
                            } == .invalidTemporaryKey, "\(suite.name), signature \(index): \(header)")
                    }
                    for (member, value) in [
                        ("protected", nil), ("signature", nil), ("protected", 1), ("signature", 1),
                        ("protected", "e30="), ("signature", "AA=="), ("signature", "*"),
                    ] as [(String, Any?)] {
                        #expect(
                            failure { try with({ _ in }) { list, _ in list[index][member] = value } }
                                == .invalidTemporaryKey, "\(suite.name), signature \(index): \(member)")
                    }
                }
                #expect(failure { try with({ _ in }) { list, _ in list = [] } } == .serverSignature)

                // The outer form.
                let payload = Base64URL.encode([UInt8](try JSONSerialization.data(withJSONObject: answer.claims)))
                let entries = String(
                    decoding: try JSONSerialization.data(
                        withJSONObject: server.sign(Base64URL.decode(payload) ?? [], by: signers).map(\.object)),
                    as: UTF8.self)
                let right = #"{"payload":"\#(payload)","signatures":\#(entries)}"#
                #expect(try accept(V4ServerDouble.response(text: right)).id == key.id)
                for text in [
                    "", "{}", "[]", "x", payload, #"{"payload":"\#(payload)"}"#, #"{"signatures":\#(entries)}"#,
                    #"{"payload":1,"signatures":\#(entries)}"#, #"{"payload":"\#(payload)","signatures":{}}"#,
                    #"{"payload":"\#(payload)","payload":"\#(payload)","signatures":\#(entries)}"#,
                    #"{"payload":"\#(payload)","signatures":\#(entries),"signatures":\#(entries)}"#, right + "x",
                    String(right.dropLast()), right + String(repeating: " ", count: V4.JSONWebSignature.maximumLength),
                ] {
                    #expect(
                        failure { try accept(V4ServerDouble.response(text: text)) } == .invalidTemporaryKey,
                        "\(text.prefix(40))")
                }
                for response in ["{}", #"{"jwt":null}"#, #"{"jwt":1}"#, #"{"jwt":{}}"#] {
                    #expect(failure { try accept(json(response)) } == .invalidTemporaryKey)
                }
                // A payload that is rightly signed and no JSON object.
                for text in ["", "[]", "x"] {
                    let bytes = [UInt8](text.utf8)
                    #expect(
                        failure {
                            try accept(V4ServerDouble.response(bytes, server.sign(bytes, by: signers).map(\.object)))
                        } == .invalidTemporaryKey)
                }
            }
        }
    }

    /// A server cannot lower the suite: its keys belong to one.
    @Test(.enabled(if: hasHybridSuites)) func noOtherSuite() throws {
        let (hybrid, plain) = (try V4ServerDouble(.p384ML3), try V4ServerDouble(.p384))
        let request = try V4.TemporaryKeyRequest(
            configuration: hybrid.configuration, suite: .p384ML3, activation: nil, random: RandomSource())
        #expect(
            failure { try request.accept(json("{}"), signers: plain.master.publicKeys) } == .wrongState)
        let answer = try hybrid.claims(answering: request.body)
        let payload = [UInt8](try JSONSerialization.data(withJSONObject: answer.claims))
        let onlyClassical = try [hybrid.sign(payload, by: hybrid.master)[0].object]
        #expect(
            failure {
                try request.accept(V4ServerDouble.response(payload, onlyClassical), signers: hybrid.master.publicKeys)
            } == .serverSignature)
    }
}

@Suite struct V4MessageTests {
    private let server: V4ServerDouble
    private let key: V4.TemporaryKey
    private let now = V4ServerDouble.now

    init() throws {
        server = try V4ServerDouble(.p384)
        let request = try V4.TemporaryKeyRequest(
            configuration: server.configuration, suite: .p384, activation: nil, random: RandomSource())
        key = try request.accept(server.answer(request, by: server.master).0, signers: server.master.publicKeys)
    }

    private func encryptor(_ random: RandomSource = RandomSource()) throws -> V4.Encryptor {
        try V4.Encryptor(
            .applicationGeneric, key: key, configuration: server.configuration, sharedInfo2Key: nil, random: random)
    }

    /// The server's answer to an encrypted request: the formula, written once more.
    private func answer(
        to body: [UInt8], _ plaintext: String, timestamp: Int64, nonceOf half: Int = 1,
        sh1: String = "/pa/generic/application"
    ) throws -> [UInt8] {
        let nonce = [UInt8](base64: try #require(json(body)["nonce"]?.text?.bytes.text))
        func item(_ bytes: [UInt8]) -> [UInt8] { [0, 0, 0, UInt8(bytes.count)] + bytes }
        let time = (0..<8).map { UInt8(truncatingIfNeeded: timestamp >> Int64(56 - 8 * $0)) }
        let data =
            item([UInt8]("4.0".utf8)) + item(server.configuration.applicationKey) + item(key.id) + item(time)
            + item(nonce) + item(try SHA3.hash(V4ServerDouble.applicationSecret))
        return try V4.AEAD.seal(
            plaintext, key: key.secret, context: [UInt8](("4.0" + sh1).utf8) + nonce,
            nonce: nonce[(12 * half)..<(12 * half + 12)], associatedData: data)
    }

    private func response(_ sealed: [UInt8], _ timestamp: Int64) throws -> JSONValue {
        try json(#"{"encryptedData":"\#(sealed.base64)","timestamp":\#(timestamp),"more":1}"#)
    }

    @Test func answers() throws {
        let one = try encryptor()
        let body = try one.encrypt("{}", now: now)
        #expect(failure { try one.encrypt("{}", now: now) } == .wrongState)
        #expect(one.headerValue == #"PowerAuth version="4.0", application_key="\#(key.applicationKey.text)""#)
        let sealed = try answer(to: body, "answer", timestamp: now + 5)
        #expect(try one.decrypt(response(sealed, now + 5), now: now).array.text == "answer")
        #expect(one.responseTimestamp == now + 5)
        #expect(failure { try one.decrypt(response(sealed, now + 5), now: now) } == .wrongState)
        #expect(failure { try encryptor().decrypt(response(sealed, now), now: now) } == .wrongState)
        let cancelled = try encryptor()
        _ = try cancelled.encrypt("{}", now: now)
        cancelled.cancel()
        #expect(failure { try cancelled.decrypt(response(sealed, now), now: now) } == .wrongState)
    }

    @Test func answersThatDoNotFit() throws {
        func refused(_ name: String, _ make: ([UInt8]) throws -> JSONValue) throws {
            let one = try encryptor()
            let body = try one.encrypt("{}", now: now)
            let answer = try make(body)
            #expect(failure { try one.decrypt(answer, now: now) } == .encryption, "\(name)")
            #expect(one.responseTimestamp == nil && failure { try one.decrypt(answer, now: now) } == .wrongState)
        }
        for text in [
            "{}", #"{"encryptedData":"","timestamp":1}"#, #"{"encryptedData":1,"timestamp":1}"#,
            #"{"encryptedData":"*","timestamp":1}"#, #"{"encryptedData":"\#([UInt8](1...43).base64)","timestamp":1}"#,
        ] {
            try refused(text) { _ in try json(text) }
        }
        for time in ["null", "-1", "1.5", #""1""#, "9223372036854775808"] {
            try refused("time \(time)") { body in
                try json(#"{"encryptedData":"\#(answer(to: body, "x", timestamp: now).base64)","timestamp":\#(time)}"#)
            }
        }
        try refused("another time") { body in try response(answer(to: body, "x", timestamp: now), now + 1) }
        try refused("the request's nonce") { body in
            try response(answer(to: body, "x", timestamp: now, nonceOf: 0), now)
        }
        try refused("another use") { body in
            try response(answer(to: body, "x", timestamp: now, sh1: "/pa/generic/activation"), now)
        }
        try refused("too old") { body in try response(answer(to: body, "x", timestamp: now - 300_001), now - 300_001) }
        try refused("too new") { body in try response(answer(to: body, "x", timestamp: now + 300_001), now + 300_001) }
        try refused("the end of time") { body in try response(answer(to: body, "x", timestamp: .max), .max) }
        try refused("another request's answer") { body in
            try response(answer(to: encryptor().encrypt("{}", now: now), "x", timestamp: now), now)
        }
        for index in stride(from: 0, to: 60, by: 7) {
            try refused("byte \(index)") { body in
                var sealed = try answer(to: body, "sixteen bytes ok", timestamp: now)
                sealed[index % sealed.count] ^= 1
                return try response(sealed, now)
            }
        }
        // The edges of the window.
        for distance in [-300_000, 300_000] as [Int64] {
            let one = try encryptor()
            let body = try one.encrypt("{}", now: now)
            let sealed = try answer(to: body, "x", timestamp: now + distance)
            #expect(try one.decrypt(response(sealed, now + distance), now: now).array.text == "x")
        }
    }

    @Test func requestsThatCannotBeMade() throws {
        let random = ScriptedRandom()
        random.bytes = [[UInt8](1...12) + [UInt8](1...12)]
        #expect(failure { try encryptor(random).encrypt("{}", now: now) } == .randomFailed)
        random.remaining = 0
        #expect(failure { try encryptor(random).encrypt("{}", now: now) } == .randomFailed)
        #expect(failure { try encryptor().encrypt("{}", now: key.expires - 10_000) } == .invalidTemporaryKey)
        for purpose in V4.Purpose.allCases where purpose.scope == .activation {
            #expect(
                failure {
                    try V4.Encryptor(
                        purpose, key: key, configuration: server.configuration, sharedInfo2Key: SecureBytes(count: 32),
                        random: random)
                } == .invalidTemporaryKey)
        }
        let other = try Configuration(
            key: [UInt8](3...18), secret: [UInt8](1...16), masterKey: PrivateKey.generate().publicKey.compressed)
        #expect(
            failure {
                try V4.Encryptor(
                    .applicationGeneric, key: key, configuration: other, sharedInfo2Key: nil, random: random)
            } == .invalidTemporaryKey)
        #expect(Set(V4.Purpose.allCases.map { "\($0.sharedInfo1)" }).count == V4.Purpose.allCases.count)
    }
}

@Suite struct V4StatusTests {
    private let key = SecureBytes(copying: [UInt8](1...32))
    private let counterKey = SecureBytes(copying: [UInt8](2...33))

    private func blob(
        _ head: [UInt8] = [0xDE, 0xC0, 0xDE, 0xD4, 3, 4, 4, 0], _ counters: [UInt8] = [0, 0, 5, 20],
        counter: SecureBytes = SecureBytes(count: 32)
    ) throws -> [UInt8] {
        let hash = try KMAC.authenticate(counter, key: counterKey, customization: "PA4MAC-CTR")
        let data = head + [9, 8, 7, 6] + counters + hash
        return data + (try KMAC.authenticate(data, key: key, customization: "PA4MAC-STATUS"))
    }

    @Test func blobsThatDoNotFit() throws {
        let right = try blob()
        #expect(try V4.StatusBlob(right, key: key).state == 3)
        #expect(try V4.StatusBlob(right + [1, 2, 3], key: key).state == 3)
        for length in 0..<right.count {
            #expect(failure { try V4.StatusBlob(right.prefix(length), key: key) } == .invalidActivationData)
        }
        for index in right.indices {
            var altered = right
            altered[index] ^= 0x10
            #expect(failure { try V4.StatusBlob(altered, key: key) } == .invalidActivationData)
        }
        #expect(failure { try V4.StatusBlob(right, key: counterKey) } == .invalidActivationData)
        for magic in [[0xDE, 0xC0, 0xDE, 0xD3], [0xDE, 0xC0, 0xDE, 0xD5], [0, 0, 0, 0]] as [[UInt8]] {
            #expect(failure { try V4.StatusBlob(blob(magic + [3, 4, 4, 0]), key: key) } == .invalidActivationData)
        }
        for state in 0...255 as ClosedRange<UInt8> {
            let found = failure { try V4.StatusBlob(blob([0xDE, 0xC0, 0xDE, 0xD4, state, 4, 4, 0]), key: key) }
            #expect(found == ((2...5).contains(state) ? nil : .invalidActivationData))
        }
        let flags = try V4.StatusBlob(blob([0xDE, 0xC0, 0xDE, 0xD4, 3, 3, 4, 0x0E]), key: key).flags
        #expect(flags == [.upgradePending, .suiteWithdrawn, .biometryEnabled])
    }

    @Test func distances() throws {
        let start = SecureBytes(copying: [UInt8](5...36))
        var counters = [start]
        for _ in 0..<70 { counters.append(try V4.HashCounter.next(counters[counters.count - 1])) }
        for (window, steps, isFound) in [
            (20, 0, true), (20, 1, true), (20, 19, true), (20, 20, false), (0, 0, false), (64, 63, true),
            // No window is wider than 64.
            (255, 63, true), (255, 64, false),
        ] as [(UInt8, Int, Bool)] {
            let status = try V4.StatusBlob(
                blob([0xDE, 0xC0, 0xDE, 0xD4, 3, 4, 4, 0], [7, 0, 5, window], counter: counters[steps]), key: key)
            let found = try status.distance(from: start, key: counterKey)
            #expect(found?.steps == (isFound ? steps : nil))
            if let found { #expect(found.counter.isEqual(to: counters[steps])) }
        }
        // In place as well.
        let moved = SecureBytes(copying: start)
        try moved.withMutableBytes { (bytes) throws(CryptoError) in try V4.HashCounter.advance(bytes) }
        #expect(moved.isEqual(to: counters[1]))
    }
}

extension ArraySlice<UInt8> {
    /// Its Base64.
    fileprivate var base64Text: String { Base64.encode(self) }
}
