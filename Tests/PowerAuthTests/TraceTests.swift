import MobileTokenCrypto
import TestSupport
import Testing

@testable import PowerAuth
@testable import PowerAuthDoubles

/// One client life recorded with the reference library, replayed bit for bit with scripted randomness.
@Suite struct TraceTests {
    struct Trace: Decodable {
        struct State: Decodable {
            let serialized: String?
            let eek: String?
            let password: String?
            let biometryUnlockKey: String?
            let salt: String
            let iterations: UInt32
            let encPossession: String
            let encKnowledge: String
            let encBiometry: String
            let encTransport: String
            let encDevicePrivateKey: String
            let ctrData: String
            let flags: UInt32
            let tailHex: String
            let serverPublicKey: String
            let recoveryBlob: String
        }
        struct Signature: Decodable {
            let ctrData: String
            let ctrIndex: Int
            let method: String
            let uriId: String
            let body: String
            let factors: String
            let nonce: String
            let offlineLength: Int?
            let signatureData: String
            let signature: String
            let header: String?
        }
        struct Sync: Decodable {
            let name: String
            let serverCtrByte: UInt8
            let serverCtrData: String
            let clientCtrByte: UInt8
            let clientCtrData: String
            let challenge: String
            let encryptedStatusBlob: String
            let nonce: String
            let resultState: UInt8
            let counterState: String
            let clientCtrDataAfter: String
            let clientCtrByteAfter: UInt8
        }
        struct FactorKeys: Decodable {
            let possession: String
            let knowledge: String
            let biometry: String
            let transport: String
            let vault: String
        }
        struct Unlock: Decodable {
            let possessionInput: String
            let possessionUnlockKey: String
            let password: String
            let biometryUnlockKey: String
        }
        struct ApplicationKey: Decodable {
            let index: String
            let key: String
        }
        struct DeviceSignature: Decodable {
            let data: String
            let signature: String
        }
        let applicationKey: String
        let applicationSecret: String
        let masterPrivateKey: String
        let masterPublicKey: String
        let serverPrivateKey: String
        let activationId: String
        let activationCode: String
        let activationCodeSignature: String
        let ctrData: String
        let recoveryCode: String
        let recoveryPuk: String
        let devicePrivateKey: String
        let devicePublicKey: String
        let masterSecretKey: String
        let fingerprint: String
        let factorKeys: FactorKeys
        let unlock: Unlock
        let stateAfterActivation: State
        let signatures: [Signature]
        let counterSync: [Sync]
        let stateAfterPasswordChange: State
        let encryptedVaultEncryptionKey: String
        let fetchEncryptionKey: [ApplicationKey]
        let deviceSignatureDer: DeviceSignature
        let deviceSignatureJose: DeviceSignature
        let stateWithEEK: State
    }

    let trace: Trace
    let random = ScriptedRandom()
    let server: ServerDouble
    let session: Session
    private let biometryKey: SecureBytes

    init() throws {
        trace = try Vectors.load("powerauth-client-trace", as: Trace.self)
        server = try ServerDouble(
            applicationKey: [UInt8](base64: trace.applicationKey),
            applicationSecret: [UInt8](base64: trace.applicationSecret),
            masterKey: PrivateKey(bigEndian: [UInt8](base64: trace.masterPrivateKey)),
            serverKey: PrivateKey(bigEndian: [UInt8](base64: trace.serverPrivateKey)),
            counter: [UInt8](base64: trace.ctrData))
        server.activationId = trace.activationId
        server.recovery = (trace.recoveryCode, trace.recoveryPuk)
        biometryKey = SecureBytes(base64: trace.unlock.biometryUnlockKey)
        let possessionKey = SecureBytes(base64: trace.unlock.possessionUnlockKey)
        session = try Session(configuration: server.configuration, random: random, possessionKey: possessionKey)
    }

    @Test func wholeLife() throws {
        try activate()
        var count = 1
        try sign(trace.signatures[..<12], pin: trace.unlock.password, biometryKey: biometryKey)
        count += try synchronize(trace.counterSync.filter { $0.clientCtrByte == 12 })
        for _ in 12..<22 { _ = try session.sign(method: .post, uriId: "/x", body: "", keys: .possession) }
        count += try synchronize(trace.counterSync.filter { $0.clientCtrByte == 22 })

        random.bytes = [[UInt8](base64: trace.stateAfterPasswordChange.salt)]
        let newPIN = try #require(trace.stateAfterPasswordChange.password)
        try session.changePIN(old: trace.unlock.password, new: newPIN)
        try compare(trace.stateAfterPasswordChange)
        try sign(trace.signatures[12..<13], pin: newPIN, biometryKey: biometryKey)

        count += try vaultFunctions()
        let newBiometryKey = SecureBytes(base64: try #require(trace.stateWithEEK.biometryUnlockKey))
        let vault = try session.openVault(vaultAnswer)
        try session.addBiometry(key: newBiometryKey, vault: vault)
        try sign(trace.signatures[13..<14], pin: newPIN, biometryKey: newBiometryKey)

        try externalKey(pin: newPIN, biometryKey: newBiometryKey)
        Vectors.ran("powerauth-client-trace", count + trace.signatures.count + 3)
    }

    private var vaultAnswer: SecureBytes {
        SecureBytes(copying: #"{"encryptedVaultEncryptionKey":"\#(trace.encryptedVaultEncryptionKey)"}"#)
    }

    private func activate() throws {
        random.keyPairs = [try PrivateKey(bigEndian: [UInt8](base64: trace.devicePrivateKey))]
        try session.startActivation(.code(trace.activationCode + "#" + trace.activationCodeSignature))
        let key = try #require(try server.temporaryKey(for: session, scope: .application))
        let pending = try session.activationBody(key: key.client, now: 1_730_000_000_000)
        let result = try session.receiveActivation(
            server.answer(pending.body, temporaryKey: key.server), pending: pending)
        #expect(result.activationId == trace.activationId)
        #expect(result.fingerprint == trace.fingerprint)
        #expect(server.devicePublicKey?.compressed == [UInt8](base64: trace.devicePublicKey))
        let keys = try server.keys()
        #expect(keys.possession.array == [UInt8](base64: trace.factorKeys.possession))
        #expect(keys.knowledge.array == [UInt8](base64: trace.factorKeys.knowledge))
        #expect(keys.biometry.array == [UInt8](base64: trace.factorKeys.biometry))
        #expect(keys.transport.array == [UInt8](base64: trace.factorKeys.transport))
        #expect(keys.vault.array == [UInt8](base64: trace.factorKeys.vault))

        random.bytes = [[UInt8](base64: trace.stateAfterActivation.salt)]
        try session.persistActivation(pin: trace.unlock.password, biometryKey: biometryKey)
        #expect(try session.fingerprint() == trace.fingerprint)
        try compare(trace.stateAfterActivation)

        let imported = try Session(
            configuration: server.configuration, random: random, possessionKey: session.possessionKey)
        try imported.importUpstreamState(
            [UInt8](base64: try #require(trace.stateAfterActivation.serialized)), possessionKey: session.possessionKey)
        // How far the other library was ahead of its server is not known.
        #expect(imported.stored == session.stored.dropLast() + [10])
    }

    private func compare(_ state: Trace.State) throws {
        let record = try #require(session.record)
        #expect(record.copy(.salt).array == [UInt8](base64: state.salt))
        #expect(record.iterations == state.iterations)
        #expect(record.copy(.possession).array == [UInt8](base64: state.encPossession))
        #expect(record.copy(.knowledge).array == [UInt8](base64: state.encKnowledge))
        #expect(record.copy(.biometry).array == [UInt8](base64: state.encBiometry))
        #expect(record.copy(.transport).array == [UInt8](base64: state.encTransport))
        #expect(record.withPrivateKey { [UInt8]($0) } == [UInt8](base64: state.encDevicePrivateKey))
        #expect(record.withRecovery { [UInt8]($0) } == [UInt8](base64: state.recoveryBlob))
        #expect(session.counterData == [UInt8](base64: state.ctrData))
        #expect(record.counterByte == [UInt8](hex: state.tailHex).first)
        #expect(record.flags.contains(.externalKey) == (state.flags & 2 != 0))
        #expect(record.flags.contains(.counterByte) == (state.flags & 1024 != 0))
        #expect(
            try PublicKey(point: record.copy(.serverKey)).uncompressed == [UInt8](base64: state.serverPublicKey))
    }

    private func sign(_ rows: ArraySlice<Trace.Signature>, pin: String, biometryKey: SecureBytes) throws {
        let parameters = try #require(session.knowledgeParameters)
        let knowledge = try KnowledgeKey.derive(pin: pin, parameters: parameters)
        for row in rows {
            #expect(session.counterData == [UInt8](base64: row.ctrData))
            #expect(session.counterByte == UInt8(row.ctrIndex))
            let keys = SigningKeys(
                possession: row.factors.contains("possession"),
                knowledge: row.factors.contains("knowledge") ? knowledge : nil,
                biometry: row.factors.contains("biometry") ? biometryKey : nil)
            #expect(keys.factors.signatureType?.description == row.factors)
            let nonce = [UInt8](base64: row.nonce)
            let body = [UInt8](base64: row.body)
            let secret = row.offlineLength == nil ? trace.applicationSecret : "offline"
            let method = try #require(HTTPMethod(text: row.method))
            #expect(
                SignatureData.compose(method: method.text, uriId: row.uriId, nonce: nonce, body: body, secret: secret)
                    .text.text
                    == row.signatureData)
            if let length = row.offlineLength {
                let signature = try session.signOffline(
                    uriId: row.uriId, body: body, nonce: nonce, keys: keys, componentLength: length)
                #expect(signature == row.signature)
            } else {
                random.bytes = [nonce]
                let header = try session.sign(method: method, uriId: row.uriId, body: body, keys: keys)
                #expect(header == row.header)
            }
            #expect(random.bytes.isEmpty)
            #expect(session.counterByte == UInt8(row.ctrIndex + 1))
        }
    }

    private func synchronize(_ rows: [Trace.Sync]) throws -> Int {
        let before = session.serialize()
        for row in rows {
            try session.restore(from: before)
            #expect(session.counterData == [UInt8](base64: row.clientCtrData))
            #expect(session.counterByte == row.clientCtrByte)
            random.bytes = [[UInt8](base64: row.challenge)]
            let request = try session.statusRequest()
            let answer = try json(
                #"{"activationId":"\#(trace.activationId)","encryptedStatusBlob":"\#(row.encryptedStatusBlob)","nonce":"\#(row.nonce)"}"#
            )
            let status = try session.processStatus(answer, request: request)
            // At exactly the window's width upstream's client makes one more signature, which the server refuses.
            let isLost = row.name == "client ahead by 20"
            #expect(status.state.rawValue == (isLost ? 128 : row.resultState), "\(row.name)")
            let expected: ActivationStatus.Counter =
                switch row.counterState {
                case _ where isLost: .invalid
                case "OK": .ok
                case "Updated": .updated
                case "CalculateSignature": .calculateSignature
                default: .invalid
                }
            #expect(status.counter == expected, "\(row.name)")
            #expect(session.counterData == [UInt8](base64: row.clientCtrDataAfter), "\(row.name)")
            #expect(session.counterByte == row.clientCtrByteAfter, "\(row.name)")
            #expect(status.stateChanged == (session.stored != before.array))
        }
        try session.restore(from: before)
        return rows.count
    }

    private func vaultFunctions() throws -> Int {
        let vault = try session.openVault(vaultAnswer)
        for row in trace.fetchEncryptionKey {
            let index = try #require(UInt64(row.index))
            #expect(try session.applicationKey(index: index, vault: vault).array == [UInt8](base64: row.key))
        }
        let deviceKey = try PublicKey(point: [UInt8](base64: trace.devicePublicKey))
        let data = [UInt8](base64: trace.deviceSignatureDer.data)
        #expect(try deviceKey.verify(der: [UInt8](base64: trace.deviceSignatureDer.signature), data: data))
        #expect(try deviceKey.verify(jose: [UInt8](base64: trace.deviceSignatureJose.signature), data: data))
        #expect(try deviceKey.verify(der: session.deviceSignature(data, format: .der, vault: vault), data: data))
        #expect(try deviceKey.verify(jose: session.deviceSignature(data, format: .jose, vault: vault), data: data))
        let recovery = try session.recoveryData(vault: vault)
        #expect(recovery.code.array.text == trace.recoveryCode)
        #expect(recovery.puk.array.text == trace.recoveryPuk)
        return trace.fetchEncryptionKey.count + 3
    }

    private func externalKey(pin: String, biometryKey: SecureBytes) throws {
        let key = SecureBytes(base64: try #require(trace.stateWithEEK.eek))
        try session.addExternalKey(key)
        try compare(trace.stateWithEEK)
        try sign(trace.signatures[14..<16], pin: pin, biometryKey: biometryKey)

        // A process in which the key was not set: only possession works.
        let other = try Session(
            configuration: server.configuration, random: random, possessionKey: session.possessionKey)
        try other.restore(from: session.serialize())
        let before = other.stored
        let knowledge = try KnowledgeKey.derive(pin: pin, parameters: try #require(other.knowledgeParameters))
        #expect(
            failure { try other.sign(method: .post, uriId: "/x", body: "x", keys: .possession(with: knowledge)) }
                == .externalKeyMissing)
        #expect(
            failure { try other.sign(method: .post, uriId: "/x", body: "x", keys: .possession(biometry: biometryKey)) }
                == .externalKeyMissing)
        #expect(other.stored == before)
        let row = trace.signatures[16]
        random.bytes = [[UInt8](base64: row.nonce)]
        #expect(
            try other.sign(
                method: .post, uriId: row.uriId, body: [UInt8](base64: row.body), keys: .possession) == row.header)
        try session.restore(from: other.serialize())

        try other.setExternalKey(key)
        try sign(trace.signatures[17..<18], pin: pin, biometryKey: biometryKey)
        try session.removeExternalKey()
        #expect(!session.usesExternalKey && !session.hasExternalKey)
        try sign(trace.signatures[18..<19], pin: pin, biometryKey: biometryKey)
    }
}
