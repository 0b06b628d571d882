import Foundation
import MobileTokenCrypto
import PowerAuth
import TestSupport
import Testing

@testable import MobileToken
@testable import MobileTokenModel
@testable import PowerAuth
@testable import PowerAuthDoubles

/// Offline operations that a released server made, and the codes that it accepted.
struct RecordedOfflineTests {
    private struct Recording: Decodable {
        struct FactorKeys: Decodable {
            let possession: String
            let knowledge: String?
            let biometry: String?
        }
        struct Verdict: Decodable {
            let signatureValid: Bool
            let activationId: String
            let signatureType: String
        }
        let payload: String
        let nonce: String
        let code: String
        let seed: String?
        let totp: String?
        let factorKeys: FactorKeys
        let ctrData: String
        let baseString: String
        let publicKey: String
        let answer: Verdict
    }

    @Test func payloadsAndCodes() throws {
        try Recordings.each(.offline, as: Recording.self) { name, recording in
            let life = try RecordedLife(of: name)
            #expect(life.keys.possession.array == [UInt8](base64: recording.factorKeys.possession))
            if let key = recording.factorKeys.knowledge { #expect(life.keys.knowledge.array == [UInt8](base64: key)) }
            if let key = recording.factorKeys.biometry { #expect(life.keys.biometry.array == [UInt8](base64: key)) }
            #expect(try life.steps(to: recording.ctrData) != nil, "\(name)")
            #expect(recording.answer.signatureValid && recording.answer.activationId == life.server.activationId)

            let bench = try Bench()
            let client = try bench.client(Configuration(sdkConfiguration: life.creation.application.sdkConfiguration))
            client.activation.session.state = .activated(
                try life.record(
                    possessionKey: client.activation.session.possessionKey,
                    counter: SecureBytes(base64: recording.ctrData)))
            let payload = [UInt8](recording.payload.utf8)
            try payload.withUnsafeBytes { text in
                let operation = try OfflineOperation(parsing: text)
                func string(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }
                let kind = name.contains("biometry") ? "biometry" : "knowledge"
                #expect(string(operation.id) == "op-" + kind, "\(name)")
                #expect(string(operation.nonce) == recording.nonce)
                #expect(operation.key == (name.contains("master") ? .master : .personalized), "\(name)")
                #expect(operation.flags == [.biometryAllowed, .flipButtons, .fraudWarning])
                #expect(operation.unknownFlagCount == 0 && !operation.isNewerFormat)
                #expect(operation.totp.map(string) == recording.totp, "\(name)")
                let title = UnsafeRawBufferPointer(rebasing: text[operation.title])
                #expect(Escapes.decoded(title) == "Platba\nř")

                #expect(try client.offline.verified(operation, text) == .valid, "\(name)")
                let key = try PublicKey(point: [UInt8](base64: recording.publicKey))
                let signature = operation.withSignature { [UInt8]($0) }
                let signed = [UInt8](text[..<operation.signedSize])
                #expect(try key.verify(der: signature, data: signed), "\(name)")
                let master = try client.activation.session.configuration.masterPublicKey
                let expected = operation.key == .master ? master : life.server.serverKey.publicKey
                #expect(key.compressed == expected.compressed)
                var changed = payload
                changed[operation.data.range.lowerBound + 4] ^= 1  // another amount
                try changed.withUnsafeBytes { text in
                    let forged = try OfflineOperation(parsing: text)
                    #expect(try client.offline.verified(forged, text) == .invalid, "\(name)")
                }

                let base = SignatureData.compose(
                    method: "POST", uriId: OfflineApproval().uriId, nonce: [UInt8](base64: recording.nonce),
                    body: operation.body(text), secret: SignatureData.offlineSecret)
                #expect(base.text.text == recording.baseString, "\(name)")
                var authentication = Authentication(pin: secret(RecordedLife.pin))
                if kind == "biometry" { authentication = Authentication(biometryKey: RecordedLife.biometryKey) }
                #expect(recording.answer.signatureType.lowercased() == "possession_" + kind)
                let code = try client.offline.authorize(
                    operation, text, known: .valid, authentication: authentication, approval: OfflineApproval())
                #expect(code == recording.code, "\(name)")
            }
            if let seed = recording.seed, let totp = recording.totp {
                // The server made the password in the minute in which the answers of that day were recorded.
                let minute = stride(from: Int64(1_795_350_000), through: 1_795_350_090, by: 30)
                #expect(try minute.contains { try TOTP.generate(key: [UInt8](base64: seed), time: $0) == totp })
            }
        }
    }
}
