import Foundation
import MobileTokenCrypto
import TestSupport
import Testing

@testable import PowerAuth
@testable import PowerAuthDoubles

/// Whether this OpenSSL has the algorithms of hybrid suites; says so when it has not.
let hasHybridSuites: Bool = {
    guard V4.Suite.p384ML3.isAvailable else {
        print("not run: hybrid suites of PowerAuth 4; this OpenSSL has no ML-KEM and ML-DSA (3.5 has)")
        return false
    }
    return true
}()

/// The suites that this process can use.
let usableSuites: [V4.Suite] = hasHybridSuites ? V4.Suite.allCases : [.p384]

@Suite struct V4VectorTests {
    struct KeyDerivation: Decodable {
        struct Case: Decodable {
            struct Input: Decodable {
                let key, label: String
                let diversifier: String?
                let length: Int
            }
            struct Expect: Decodable { let key: String }
            let input: Input
            let expect: Expect
        }
        let cases: [Case]
    }

    @Test func keyDerivation() throws {
        let file = try Vectors.load("powerauth4-kdf", as: KeyDerivation.self)
        for row in file.cases {
            #expect(
                try V4.KDF.derive(
                    [UInt8](base64: row.input.key), label: row.input.label,
                    diversifier: [UInt8](base64: row.input.diversifier ?? ""), count: row.input.length
                ).array == [UInt8](base64: row.expect.key))
        }
        Vectors.ran("powerauth4-kdf", file.cases.count)
    }

    struct Tree: Decodable {
        struct Case: Decodable {
            struct Input: Decodable { let activationSecret: String }
            let input: Input
            let expect: [String: String]
        }
        let cases: [Case]
    }

    @Test func keyTree() throws {
        let file = try Vectors.load("powerauth4-derived-keys", as: Tree.self)
        for row in file.cases {
            let secret = SecureBytes(base64: row.input.activationSecret)
            let keys = try V4.ActivationKeys(secret: secret)
            var found = [
                "KDK_AUTHENTICATION_CODE": try V4.KDF.derive(secret, "auth"),
                "KEY_AUTHENTICATION_CODE_POSSESSION": keys.possession,
                "KEY_AUTHENTICATION_CODE_KNOWLEDGE": keys.knowledge,
                "KEY_AUTHENTICATION_CODE_BIOMETRY": keys.biometry, "KDK_ENCRYPTION": keys.encryption,
                "KDK_VAULT": keys.vault, "KDK_UTILITY": keys.utility,
            ]
            for (name, key) in [
                ("KEY_MAC_CTR_DATA", V4.UtilityKey.counter), ("KEY_MAC_STATUS", .status),
                ("KEY_MAC_GET_ACT_TEMP_KEY", .activationTemporaryKey), ("KEY_MAC_PERSONALIZED_DATA", .personalizedData),
                ("KEY_E2EE_SHARED_INFO2", .sharedInfo2), ("KDK_APP_UTILITY", .application),
            ] {
                found[name] = try key.derive(from: keys.utility)
            }
            for identifier in [
                V4.VaultKeyIdentifier.devicePrivate, .application2FA, .applicationKnowledge,
            ] {
                found["\(identifier.name)"] = try identifier.derive(from: keys.vault)
            }
            #expect(found.mapValues { $0.array.base64 } == row.expect)
        }
        Vectors.ran("powerauth4-derived-keys", file.cases.count)
    }

    struct Sealed: Decodable {
        struct Case: Decodable {
            struct Input: Decodable { let key, context, nonce, associatedData, plaintext: String }
            struct Expect: Decodable { let sealed: String }
            let input: Input
            let expect: Expect
        }
        let cases: [Case]
    }

    @Test func authenticatedEncryption() throws {
        let file = try Vectors.load("powerauth4-aead", as: Sealed.self)
        for row in file.cases {
            let (key, context) = ([UInt8](base64: row.input.key), [UInt8](base64: row.input.context))
            let associatedData = [UInt8](base64: row.input.associatedData)
            let sealed = try V4.AEAD.seal(
                [UInt8](base64: row.input.plaintext), key: key, context: context,
                nonce: [UInt8](base64: row.input.nonce), associatedData: associatedData)
            #expect(sealed.base64 == row.expect.sealed)
            #expect(
                try V4.AEAD.open(sealed, key: key, context: context, associatedData: associatedData).array
                    == [UInt8](base64: row.input.plaintext))
        }
        Vectors.ran("powerauth4-aead", file.cases.count)
    }

    struct SharedSecrets: Decodable {
        struct Case: Decodable {
            struct Key: Decodable { let d, seed, expandedKey: String? }
            struct Input: Decodable {
                let algorithm: String
                let clientKeys: [Key]
                let salt: String
                let encapsulatedKeys: [String]
            }
            struct Expect: Decodable {
                let encapsulationKeys, intermediate: [String]
                let secret: String
            }
            let id: String
            let input: Input
            let expect: Expect
        }
        let cases: [Case]
    }

    @Test func sharedSecrets() throws {
        let file = try Vectors.load("powerauth4-shared-secret", as: SharedSecrets.self)
        var whole = 0
        for row in file.cases {
            let suite = try #require(V4.Suite(name: row.input.algorithm))
            let parts = row.expect.intermediate.map { SecureBytes(base64: $0) }
            #expect(
                try V4.SharedSecret.combine(
                    suite, salt: [UInt8](base64: row.input.salt), parts[0], parts.count > 1 ? parts[1] : nil
                ).array.base64 == row.expect.secret)
            // One of upstream's has an expanded private key, from which no seed can be had.
            guard suite.isAvailable, row.input.clientKeys.allSatisfy({ $0.expandedKey == nil }) else { continue }
            whole += 1
            let request = try V4.SharedSecretRequest(
                suite: suite,
                privateKey: PrivateKey(
                    bigEndian: [UInt8](base64: try #require(row.input.clientKeys[0].d)), on: .p384),
                seed: suite.isHybrid ? SecureBytes(base64: try #require(row.input.clientKeys[1].seed)) : nil)
            #expect(request.encapsulationKeys.map(\.base64) == row.expect.encapsulationKeys)
            let keys = row.expect.encapsulationKeys.map { "\"\($0)\"" }.joined(separator: ",")
            #expect(request.json.text == #"{"algorithm":"\#(suite.name)","encapsulationKeys":[\#(keys)]}"#)
            let answer = row.input.encapsulatedKeys.map { "\"\($0)\"" }.joined(separator: ",")
            #expect(
                try request.accept(json(#"{"salt":"\#(row.input.salt)","encapsulatedKeys":[\#(answer)]}"#)).array.base64
                    == row.expect.secret)
        }
        Vectors.ran("powerauth4-shared-secret (combined)", file.cases.count)
        Vectors.ran("powerauth4-shared-secret (whole)", whole)
    }

    struct Codes: Decodable {
        struct Case: Decodable {
            struct Input: Decodable {
                let activationSecret, factors, ctrData, method, uriId, nonce, body, appSecret: String
            }
            struct Expect: Decodable {
                let code: String?
                let codes: [String: String]?
                let data: String
            }
            let input: Input
            let expect: Expect
        }
        let cases: [Case]
    }

    private func code(_ keys: [[UInt8]], _ counter: [UInt8], _ data: [UInt8], _ text: SignatureText) throws -> String {
        try FactorKeys.with(keyLength: 32) { (factorKeys) throws(CryptoError) in
            for key in keys { try factorKeys.next().copyBytes(from: key) }
            return try data.withBytes { (data) throws(CryptoError) in
                try counter.withBytes { (counter) throws(CryptoError) in
                    try factorKeys.code(of: data, counter: counter, as: text)
                }
            }
        }.text
    }

    @Test func authenticationCodes() throws {
        let file = try Vectors.load("powerauth4-authentication-code", as: Codes.self)
        var codes = 0
        for row in file.cases {
            let keys = try V4.ActivationKeys(secret: SecureBytes(base64: row.input.activationSecret))
            var list: [[UInt8]] = []
            for (factor, key) in [
                ("possession", keys.possession), ("knowledge", keys.knowledge), ("biometry", keys.biometry),
            ] where row.input.factors.contains(factor) {
                list.append(key.array)
            }
            let data = SignatureData.compose(
                method: row.input.method == "GET" ? "GET" : "POST", uriId: row.input.uriId,
                nonce: [UInt8](base64: row.input.nonce), body: row.input.body, secret: row.input.appSecret
            ).text
            #expect(data.text == row.expect.data)
            let counter = [UInt8](base64: row.input.ctrData)
            if let online = row.expect.code { #expect(try code(list, counter, data, .base64) == online) }
            for (length, offline) in row.expect.codes ?? [:] {
                #expect(
                    try code(list, counter, data, .decimal(length: try #require(Int(length)))) == offline)
            }
            codes += 1 + (row.expect.codes?.count ?? 1) - 1
        }
        Vectors.ran("powerauth4-authentication-code", file.cases.count)
        #expect(codes > file.cases.count)
    }

    struct Components: Decodable {
        struct Case: Decodable {
            struct Input: Decodable {
                let keys: [String]
                let ctrData, data: String
            }
            struct Expect: Decodable { let online, offline8, onlineOneKey, offlineTwoKeys4: String }
            struct Obsolete: Decodable { let online, offline8: String }
            let input: Input
            let expect: Expect
            let obsolete: Obsolete
        }
        let cases: [Case]
    }

    @Test func codeComponents() throws {
        let file = try Vectors.load("powerauth4-code-components", as: Components.self)
        for row in file.cases {
            let keys = row.input.keys.map { [UInt8](base64: $0) }
            let (counter, data) = ([UInt8](base64: row.input.ctrData), [UInt8](base64: row.input.data))
            let online = try code(keys, counter, data, .base64)
            let offline = try code(keys, counter, data, .decimal(length: 8))
            #expect(online == row.expect.online && online != row.obsolete.online)
            #expect(offline == row.expect.offline8 && offline != row.obsolete.offline8)
            #expect(try code([keys[0]], counter, data, .base64) == row.expect.onlineOneKey)
            #expect(
                try code([keys[0], keys[1]], counter, data, .decimal(length: 4)) == row.expect.offlineTwoKeys4)
        }
        Vectors.ran("powerauth4-code-components", file.cases.count)
    }

    struct Statuses: Decodable {
        struct Case: Decodable {
            struct Input: Decodable { let activationSecret, ctrData, blob: String }
            struct Expect: Decodable {
                let state, currentVersion, upgradeVersion, flags, ctrByte, failCount, maxFailCount, lookAhead: UInt8
                let counterMatches: Bool
            }
            let input: Input
            let expect: Expect
        }
        let cases: [Case]
    }

    @Test func statusBlobs() throws {
        let file = try Vectors.load("powerauth4-status-blob", as: Statuses.self)
        for row in file.cases {
            let utility = try V4.ActivationKeys(secret: SecureBytes(base64: row.input.activationSecret)).utility
            let blob = try V4.StatusBlob(
                [UInt8](base64: row.input.blob), key: V4.UtilityKey.status.derive(from: utility))
            #expect(
                [
                    blob.state, blob.currentVersion, blob.upgradeVersion, blob.flags.rawValue, blob.counterByte,
                    blob.failCount, blob.maxFailCount, blob.lookAhead,
                ] == [
                    row.expect.state, row.expect.currentVersion, row.expect.upgradeVersion, row.expect.flags,
                    row.expect.ctrByte, row.expect.failCount, row.expect.maxFailCount, row.expect.lookAhead,
                ])
            let distance = try blob.distance(
                from: SecureBytes(base64: row.input.ctrData), key: V4.UtilityKey.counter.derive(from: utility))
            #expect((distance?.steps == 0) == row.expect.counterMatches)
        }
        Vectors.ran("powerauth4-status-blob", file.cases.count)
    }

    struct Fingerprints: Decodable {
        struct Case: Decodable {
            struct Keys: Decodable { let ecdsa: String, mldsa: String? }
            struct Input: Decodable {
                let algorithm, activationId: String
                let device, server: Keys
            }
            struct Expect: Decodable { let fingerprint: String }
            let input: Input
            let expect: Expect
        }
        let cases: [Case]
    }

    @Test func fingerprints() throws {
        let file = try Vectors.load("powerauth4-fingerprint", as: Fingerprints.self)
        for row in file.cases {
            let suite = try #require(V4.Suite(name: row.input.algorithm))
            func keys(_ keys: Fingerprints.Case.Keys) throws -> V4.PublicKeys {
                try V4.PublicKeys(
                    suite, ecdsa: [UInt8](base64: keys.ecdsa), mldsa: keys.mldsa.map { [UInt8](base64: $0) })
            }
            #expect(
                try V4.Fingerprint.compute(
                    device: keys(row.input.device), activationId: row.input.activationId, server: keys(row.input.server)
                )
                    == row.expect.fingerprint)
        }
        Vectors.ran("powerauth4-fingerprint", file.cases.count)
    }

    struct Tokens: Decodable {
        struct Case: Decodable {
            struct Input: Decodable { let tokenSecret, nonce, timestamp: String }
            struct Expect: Decodable { let digest: String }
            let input: Input
            let expect: Expect
        }
        let cases: [Case]
    }

    @Test func tokenDigests() throws {
        let file = try Vectors.load("powerauth4-token-digest", as: Tokens.self)
        for row in file.cases {
            let token = try #require(
                Token(
                    name: [1], id: [2 + 0x30], factors: .possession, secret: SecureBytes(base64: row.input.tokenSecret))
            )
            let header = try [UInt8](base64: row.input.nonce).withBytes { (nonce) throws(CryptoError) in
                try token.header(version: .v40, nonce: nonce, now: Int64(row.input.timestamp) ?? 0)
            }
            #expect(
                header
                    == #"PowerAuth version="4.0", token_id="2", token_digest="\#(row.expect.digest)", nonce="\#(row.input.nonce)", timestamp="\#(row.input.timestamp)""#
            )
        }
        Vectors.ran("powerauth4-token-digest", file.cases.count)
    }

    struct Offline: Decodable {
        struct Case: Decodable {
            struct Input: Decodable { let activationSecret, ctrData, payload, payloadWrongMac: String }
            struct Expect: Decodable {
                let keyMacPersonalizedData, signedData, mac, normalizedData, code8, code4: String
            }
            let input: Input
            let expect: Expect
        }
        let cases: [Case]
    }

    @Test func offlineOperations() throws {
        let file = try Vectors.load("powerauth4-offline-qr", as: Offline.self)
        for row in file.cases {
            let keys = try V4.ActivationKeys(secret: SecureBytes(base64: row.input.activationSecret))
            let key = try V4.UtilityKey.personalizedData.derive(from: keys.utility)
            #expect(key.array.base64 == row.expect.keyMacPersonalizedData)
            for (payload, isRight) in [(row.input.payload, true), (row.input.payloadWrongMac, false)] {
                let lineStart = try #require(payload.lastIndex(of: "\n"))
                let digit = payload.index(after: lineStart)
                let data = [UInt8](payload[...digit].utf8)
                #expect(payload[digit] == "2" && data.base64 == row.expect.signedData)
                let signature = try #require(Base64.decode(String(payload[payload.index(after: digit)...])))
                #expect(try V4.PersonalizedSignature.isValid(signature, data: data, key: key) == isRight)
            }
            let list = [keys.possession.array, keys.knowledge.array]
            let (counter, data) = ([UInt8](base64: row.input.ctrData), [UInt8](row.expect.normalizedData.utf8))
            #expect(try code(list, counter, data, .decimal(length: 8)) == row.expect.code8)
            #expect(try code(list, counter, data, .decimal(length: 4)) == row.expect.code4)
        }
        Vectors.ran("powerauth4-offline-qr", file.cases.count)
    }

    struct Messages: Decodable {
        struct Case: Decodable {
            struct Input: Decodable {
                let sh1, applicationKey, applicationSecret, temporaryKeyId, envelopeKey, nonce: String
                let activationId, sharedInfo2Key: String?
                let timestampRequest, timestampResponse, request, response: String
            }
            struct Expect: Decodable { let encryptedDataRequest, encryptedDataResponse: String }
            let input: Input
            let expect: Expect
        }
        let cases: [Case]
    }

    @Test func endToEndEncryption() throws {
        let file = try Vectors.load("powerauth4-e2ee", as: Messages.self)
        let master = try PrivateKey.generate().publicKey.compressed
        for row in file.cases {
            let configuration = try Configuration(
                key: [UInt8](base64: row.input.applicationKey), secret: [UInt8](base64: row.input.applicationSecret),
                masterKey: master)
            let scope: EncryptionScope = row.input.activationId == nil ? .application : .activation
            let (sent, received) = (
                try #require(Int64(row.input.timestampRequest)), try #require(Int64(row.input.timestampResponse))
            )
            let key = V4.TemporaryKey(
                scope: scope, suite: .p384ML3, id: [UInt8](row.input.temporaryKeyId.utf8),
                secret: SecureBytes(base64: row.input.envelopeKey), issued: 0, expires: .max,
                applicationKey: configuration.applicationKey,
                activationId: row.input.activationId.map { [UInt8]($0.utf8) }
            )
            let purpose = try #require(
                V4.Purpose.allCases.first { sameBytes($0.sharedInfo1, row.input.sh1) && $0.scope == scope })
            let random = ScriptedRandom()
            random.bytes = [[UInt8](base64: row.input.nonce)]
            let encryptor = try V4.Encryptor(
                purpose, key: key, configuration: configuration,
                sharedInfo2Key: row.input.sharedInfo2Key.map { SecureBytes(base64: $0) }, random: random)
            let body = try json(encryptor.encrypt(row.input.request, now: sent))
            #expect(body["encryptedData"]?.text?.equals([UInt8](row.expect.encryptedDataRequest.utf8)) == true)
            #expect(body["nonce"]?.text?.equals([UInt8](row.input.nonce.utf8)) == true)
            #expect(body["temporaryKeyId"]?.text?.equals(key.id) == true && body["timestamp"]?.int64 == sent)
            let answer = try json(
                #"{"encryptedData":"\#(row.expect.encryptedDataResponse)","timestamp":\#(received)}"#)
            #expect(try encryptor.decrypt(answer, now: sent).array.text == row.input.response)
            #expect(encryptor.responseTimestamp == received)
        }
        Vectors.ran("powerauth4-e2ee", file.cases.count)
    }

    struct TemporaryKeys: Decodable {
        struct Case: Decodable {
            struct Keys: Decodable { let ecdsa: String, mldsa: String? }
            struct Input: Decodable {
                let algorithm, applicationKey, applicationSecret: String
                let activationId: String?
                let activationSecret, challenge, ecD: String
                let kemSeed: String?
                let signingKeys: Keys
                let responseJws: String
            }
            struct Expect: Decodable {
                let requestJwt, keyId, secret: String
                let issuedMs, expiresMs: Int64
            }
            let input: Input
            let expect: Expect
        }
        let cases: [Case]
    }

    @Test func temporaryKeys() throws {
        let file = try Vectors.load("powerauth4-temporary-key", as: TemporaryKeys.self)
        let master = try PrivateKey.generate().publicKey.compressed
        var run = 0
        for row in file.cases {
            let suite = try #require(V4.Suite(name: row.input.algorithm))
            guard suite.isAvailable else { continue }
            run += 1
            let configuration = try Configuration(
                key: [UInt8](base64: row.input.applicationKey), secret: [UInt8](base64: row.input.applicationSecret),
                masterKey: master)
            let utility = try V4.ActivationKeys(secret: SecureBytes(base64: row.input.activationSecret)).utility
            let activation = try row.input.activationId.map {
                (id: [UInt8]($0.utf8), key: try V4.UtilityKey.activationTemporaryKey.derive(from: utility))
            }
            let random = ScriptedRandom()
            random.bytes = [[UInt8](base64: row.input.ecD)]
            if let seed = row.input.kemSeed { random.bytes.append([UInt8](base64: seed)) }
            random.bytes.append([UInt8](base64: row.input.challenge))
            let request = try V4.TemporaryKeyRequest(
                configuration: configuration, suite: suite, activation: activation, random: random)
            #expect(request.body.text == #"{"requestObject":{"jwt":"\#(row.expect.requestJwt)"}}"#)
            let signers = try V4.PublicKeys(
                suite, ecdsa: [UInt8](base64: row.input.signingKeys.ecdsa),
                mldsa: row.input.signingKeys.mldsa.map { [UInt8](base64: $0) })
            let answer = try JSONEncoder().encode(["jwt": row.input.responseJws])
            let key = try request.accept(json([UInt8](answer)), signers: signers)
            #expect(key.id.text == row.expect.keyId && key.secret.array.base64 == row.expect.secret)
            #expect(key.issued == row.expect.issuedMs && key.expires == row.expect.expiresMs)
            #expect(key.suite == suite && key.scope == (activation == nil ? .application : .activation))
        }
        Vectors.ran("powerauth4-temporary-key", run)
    }
}
