import Foundation
import MobileTokenCrypto
import MobileTokenHTTP
import PowerAuth
import TestSupport
import Testing

@testable import MobileToken
@testable import MobileTokenModel
@testable import PowerAuth
@testable import PowerAuthDoubles

/// Single exchanges of released servers: the library sends what was recorded, and reads what was answered.
struct RecordedAnswerTests {
    /// Which call an exchange is replayed with.
    private enum Kind {
        case activation, removal, status, approval, rejection, claim, detail, history, inboxCount, inboxDetail,
            inboxRead, applicationKey, activationKey, list, oidcConfiguration, push, recoveryCode, validation,
            serverTime, tokenCreation, userInfo, vaultWithPIN, vaultWithBiometry
    }

    /// Who made the recorded request.
    private enum Request {
        /// A client: the library makes the same.
        case made
        /// A client, but with a wrong signature or digest.
        case forged
        /// By hand, with something missing or wrong: only the answer is replayed.
        case byHand
    }

    private enum Expectation {
        case success
        case refused(Failure.Code, StaticString)
        /// Status 200, and yet of no use.
        case unusable(Failure.Code, StaticString)

        static let server = Expectation.refused(.server, Reason.networkGeneric)
        static let authentication = Expectation.refused(.authentication, Reason.networkGeneric)
    }

    private struct Row {
        let kind: Kind
        let request: Request
        let expected: Expectation

        init(_ kind: Kind, _ request: Request, _ expected: Expectation) {
            self.kind = kind
            self.request = request
            self.expected = expected
        }
    }

    private static let table: [String: Row] = [
        "x-activation-create-code-used": Row(.activation, .made, .server),
        "x-activation-remove-no-header": Row(.removal, .byHand, .server),
        "x-activation-status-removed-from-created": Row(
            .status, .byHand, .unusable(.protocol, Reason.invalidActivationData)),
        "x-activation-status-unknown-id": Row(.status, .byHand, .unusable(.protocol, Reason.invalidActivationData)),
        "x-authorize-approved": Row(.approval, .made, .refused(.server, Reason.operationsAlreadyFinished)),
        // The signature was right: no 401 of this code is a matter of authentication.
        "x-authorize-biometry-where-only-pin-is-allowed": Row(
            .approval, .made, .refused(.server, Reason.operationsFailed)),
        "x-authorize-cancelled": Row(.approval, .made, .refused(.server, Reason.operationsAlreadyCanceled)),
        "x-authorize-data-missing": Row(.approval, .byHand, .server),
        "x-authorize-failed": Row(.approval, .made, .refused(.server, Reason.operationsAlreadyFailed)),
        "x-authorize-flag-missing": Row(.approval, .made, .server),
        "x-authorize-malformed-json": Row(.approval, .byHand, .server),
        "x-authorize-mobiletokendata": Row(.approval, .made, .success),
        "x-authorize-ok": Row(.approval, .made, .success),
        "x-authorize-proximity-missing": Row(.approval, .made, .refused(.server, Reason.operationsFailed)),
        "x-authorize-proximity-ok-type-unknown": Row(.approval, .byHand, .server),
        "x-authorize-rejected": Row(.approval, .made, .refused(.server, Reason.operationsAlreadyFinished)),
        "x-authorize-unknown-operation": Row(.approval, .made, .server),
        "x-authorize-wrong-pin": Row(.approval, .forged, .authentication),
        "x-cancel-approved": Row(.rejection, .made, .refused(.server, Reason.operationsAlreadyFinished)),
        "x-cancel-ok": Row(.rejection, .made, .success),
        "x-cancel-reason-missing": Row(.rejection, .byHand, .success),
        "x-cancel-with-pin": Row(.rejection, .byHand, .authentication),
        "x-claim-approved": Row(.claim, .made, .refused(.server, Reason.operationsAlreadyFinished)),
        "x-claim-ok": Row(.claim, .made, .success),
        "x-detail-foreign": Row(.detail, .made, .server),
        "x-detail-no-requestobject": Row(.detail, .byHand, .server),
        "x-detail-ok": Row(.detail, .made, .success),
        "x-detail-unknown": Row(.detail, .made, .server),
        "x-history-ok": Row(.history, .made, .success),
        "x-history-wrong-pin": Row(.history, .forged, .authentication),
        "x-inbox-count-ok": Row(.inboxCount, .made, .success),
        "x-inbox-detail-ok": Row(.inboxDetail, .made, .success),
        "x-inbox-detail-unknown": Row(.inboxDetail, .made, .server),
        "x-inbox-read-again": Row(.inboxRead, .made, .success),
        // The key of a foreign activation is taken by nobody.
        "x-keystore-activation-scope-activation-blocked": Row(
            .activationKey, .made, .unusable(.signature, Reason.invalidSignature)),
        "x-keystore-activation-scope-activation-removed": Row(.activationKey, .made, .server),
        "x-keystore-wrong-hmac": Row(.applicationKey, .forged, .server),
        "x-list-accept-language-cs": Row(.list, .made, .success),
        "x-list-encrypted-body-and-token": Row(.list, .byHand, .success),
        "x-list-no-header": Row(.list, .byHand, .authentication),
        "x-list-ok-one-payment": Row(.list, .made, .success),
        "x-list-token-digest-wrong": Row(.list, .forged, .authentication),
        "x-list-token-of-a-blocked-activation": Row(.list, .made, .authentication),
        "x-list-token-of-a-removed-activation": Row(.list, .made, .authentication),
        "x-oidc-config-unknown-provider": Row(.oidcConfiguration, .made, .server),
        "x-push-register-token-ios": Row(.push, .made, .success),
        "x-push-register-token-token-missing": Row(.push, .byHand, .server),
        "x-recovery-confirm-unknown-code": Row(.recoveryCode, .made, .authentication),
        "x-signature-validate-blocked": Row(.validation, .byHand, .authentication),
        "x-signature-validate-same-header-again": Row(.validation, .byHand, .authentication),
        "x-signature-validate-wrong-pin": Row(.validation, .byHand, .authentication),
        "x-status-get": Row(.serverTime, .byHand, .server),
        "x-status-ok": Row(.serverTime, .made, .success),
        "x-token-create-temporary-key-forgotten": Row(.tokenCreation, .made, .authentication),
        "x-user-info-temporary-key-forgotten": Row(.userInfo, .made, .server),
        // The length of the cryptogram tells: it is not the library's.
        "x-user-info-unknown-member-in-the-plaintext": Row(.userInfo, .byHand, .server),
        "x-vault-unlock-biometry": Row(.vaultWithBiometry, .made, .server),
        "x-vault-unlock-wrong-pin": Row(.vaultWithPIN, .forged, .authentication),
    ]

    @Test func everyExchange() throws {
        let names = try Recordings.names(of: .plain)
        #expect(Set(names) == Set(Self.table.keys))
        try Recordings.each(.plain, as: PlainRecording.self) { name, recording in
            let row = try #require(Self.table[name], "no test reads \(name)")
            try replay(name, recording.exchange, row)
        }
    }

    // MARK: Replaying

    private func replay(_ name: String, _ exchange: Recordings.Exchange, _ row: Row) throws {
        let world = try EngineTests.World(persisted: row.kind != .activation)
        let comment = Comment(rawValue: name)
        if row.kind == .activation { try world.client.cancelActivation() }
        let call = row.kind == .activation ? Call.createActivation() : try self.call(row.kind, exchange, world)

        // The answer by itself.
        let refusal = call.refusal(exchange.response)
        switch row.expected {
        case .success, .unusable:
            #expect(refusal == nil && exchange.status == 200 && exchange.serverCode == nil, comment)
        case .refused(let code, let reason):
            let failure = try #require(refusal, comment)
            #expect(failure.code == code, comment)
            #expect(failure.reason.description == reason.description, comment)
            #expect(failure.httpStatus == Int32(exchange.status), comment)
            #expect(failure.serverCode == exchange.serverCode && failure.serverCode != nil, comment)
            #expect(failure.serverMessage?.isEmpty == false, comment)
            if exchange.status == 401 { #expect(!failure.claimsToKnowTheCause, comment) }
            if exchange.status < 500 { #expect(!failure.retriable && failure.outcome == .answered, comment) }
        }

        // The same through the engine: whatever else it asks for, in the end it tells this answer.
        let asked = world.bench.transport.requests.count
        world.server.override[exchange.path] = { _ in .success(exchange.response) }
        let task = try world.run { task in
            if row.kind == .activation {
                let code = SecureBytes(copying: "VVVVV-VVVVV-VVVVV-VTFVA")
                let request = try ActivationRequest.code(code)
                request.name = "Dev"
                request.platform = "linux"
                try world.client.activate(request, task: task)
            } else {
                try world.client.activation.start(call, task: task)
            }
        }
        switch row.expected {
        case .success:
            #expect(task.state == .succeeded, "\(name): \(String(describing: task.failure))")
            try check(task.result ?? .none, exchange, comment)
        case .unusable(let code, let reason):
            let failure = try #require(task.failure, comment)
            #expect(failure.code == code && failure.reason.description == reason.description, comment)
            #expect(failure.httpStatus == 200 && failure.serverCode == nil, comment)
        case .refused:
            let failure = try #require(task.failure, comment)
            #expect(failure.httpStatus == Int32(exchange.status), comment)
            #expect(failure.serverCode == exchange.serverCode, comment)
        }
        let sent = world.bench.transport.requests[asked...].filter { $0.url.hasSuffix(exchange.path) }
        try compare(try #require(sent.first, comment), exchange, row, comment)
    }

    private func call(_ kind: Kind, _ exchange: Recordings.Exchange, _ world: EngineTests.World) throws -> Call {
        let sent = try? JSONSerialization.jsonObject(with: Data(exchange.requestBody.utf8)) as? [String: Any]
        let object = sent?["requestObject"] as? [String: Any] ?? [:]
        let id = object["id"] as? String ?? "op"
        let type = exchange.attributes("X-PowerAuth-Authorization")["pa_signature_type"] ?? "possession"
        var authentication = Authentication()
        if type.contains("knowledge") { authentication.pin = EngineTests.World.pin }
        if type.contains("biometry") {
            // The fake server's device has biometry as soon as it is added.
            let vault = try world.client.activation.session.openVault(world.server.double.vaultAnswer())
            try world.client.activation.session.addBiometry(key: RecordedLife.biometryKey, vault: vault)
            authentication.biometryKey = RecordedLife.biometryKey
        }
        if authentication.pin == nil, authentication.biometryKey == nil { authentication.factors = .possession }
        let keys = try world.client.activation.signingKeys(authentication)
        switch kind {
        case .activation: throw CryptoError(reason: .library)
        case .removal: return .removeActivation(keys: keys)
        case .status: return .activationStatus()
        case .approval:
            var extras = ApprovalExtras()
            if let data = object["mobileTokenData"] {
                extras.mobileTokenData = [UInt8](try JSONSerialization.data(withJSONObject: data))
            }
            return .authorize(
                world.client.operations.state, id: id, data: object["data"] as? String ?? "", keys: keys, extras: extras
            )
        case .rejection:
            return .reject(
                world.client.operations.state, id: id, reason: object["reason"] as? String ?? "UNKNOWN",
                mobileTokenData: nil)
        case .claim: return .operationClaim(world.client.operations.state, id: id)
        case .detail: return .operationDetail(id: id)
        case .history: return .operationHistory(keys: keys)
        case .inboxCount: return .inboxCount()
        case .inboxDetail: return .inboxDetail(id: id)
        case .inboxRead: return .inboxRead(id: id)
        case .applicationKey: return .temporaryKey(scope: .application)
        case .activationKey: return .temporaryKey(scope: .activation)
        case .list:
            try world.client.setLanguage(exchange.header("Accept-Language") ?? "en")
            return .operationList(world.client.operations.state)
        case .oidcConfiguration: return .oidcConfiguration(providerId: "nope")
        case .push:
            return .registerPush(
                try PushRegistration(service: .apns, token: object["token"] as? String ?? "00", legacyServer: true))
        case .recoveryCode:
            let code = SecureBytes(copying: "VVVVV-VVVVV-VVVVV-VTFVA")
            return .confirmRecoveryCode(try RecoveryCode.confirmationPayload(code: code), keys: keys)
        case .validation: return .validatePIN(keys: keys)
        case .serverTime: return .serverTime()
        case .tokenCreation: return .createToken(name: "t", keys: keys)
        case .userInfo: return .userInfo()
        case .vaultWithPIN, .vaultWithBiometry:
            return .vault(.fetchEncryptionKey, keys: keys) { (_, _) throws(Failure) in .none }
        }
    }

    // MARK: Requests

    /// What the library sent for the same call, against the recorded request.
    private func compare(
        _ request: HTTPRequest, _ exchange: Recordings.Exchange, _ row: Row, _ name: Comment
    ) throws {
        guard row.request != .byHand else { return }
        #expect(exchange.method == "POST" && request.method == .post, name)
        // The same PowerAuth headers with the same attributes; what is fixed has the same values.
        func attributes(_ headers: [(String, String)]) -> [String: [String: String]] {
            var result: [String: [String: String]] = [:]
            for (name, value) in headers where name.lowercased().hasPrefix("x-powerauth") {
                var exchange: [String: String] = [:]
                for match in value.matches(of: /([a-z_]+)="([^"]*)"/) {
                    let isFixed = ["version", "pa_version", "pa_signature_type"].contains(String(match.1))
                    exchange[String(match.1)] = isFixed ? String(match.2) : ""
                }
                result[name.lowercased()] = exchange
            }
            return result
        }
        let sent = attributes(request.headers.map { ($0.name, $0.value) })
        #expect(sent == attributes(exchange.requestHeaders.map { ($0.key, $0.value) }), name)
        if let language = exchange.header("Accept-Language") {
            #expect(request.headers.first { $0.name == "Accept-Language" }?.value == language, name)
        }

        let body = try JSONSerialization.jsonObject(with: Data(request.body)) as? NSDictionary
        let recorded = try JSONSerialization.jsonObject(with: Data(exchange.requestBody.utf8)) as? NSDictionary
        switch row.kind {
        case .applicationKey, .activationKey:
            try compareKeyRequest(request, exchange, name)
        case .activation, .oidcConfiguration, .recoveryCode, .tokenCreation, .userInfo, .vaultWithPIN,
            .vaultWithBiometry:
            // Nobody recorded the key: the members, and the length where the plaintext is the same.
            #expect(Set(body?.allKeys as? [String] ?? []) == Set(recorded?.allKeys as? [String] ?? []), name)
            guard row.kind == .userInfo || row.kind == .tokenCreation || row.kind == .recoveryCode else { return }
            #expect(
                (body?["encryptedData"] as? String)?.count == (recorded?["encryptedData"] as? String)?.count, name)
        default:
            #expect(body == recorded, name)
        }
    }

    /// The token of a request for a temporary key is the same but for activation, challenge and signature; with the recorded
    /// challenge, the application's is the recorded one but for the signature that was made wrong.
    private func compareKeyRequest(_ request: HTTPRequest, _ exchange: Recordings.Exchange, _ name: Comment) throws {
        func parts(_ body: [UInt8]) throws -> (header: String, claims: JSONClaims, text: [Substring]) {
            let jwt = try #require(try json(body)["requestObject"]?["jwt"]?.text?.string)
            let text = jwt.split(separator: ".")
            let claims = try #require(Base64URL.decode(String(text[1])))
            return (String(text[0]), try JSONDecoder().decode(JSONClaims.self, from: Data(claims)), text)
        }
        let sent = try parts(request.body)
        let recorded = try parts([UInt8](exchange.requestBody.utf8))
        #expect(sent.header == recorded.header && sent.claims.members == recorded.claims.members, name)
        #expect((recorded.claims.activationId == nil) == (sent.claims.activationId == nil))
        guard recorded.claims.activationId == nil else { return }
        let application = try RecordedLife(of: "3-3").server.configuration
        #expect([UInt8](recorded.claims.applicationKey.utf8) == application.applicationKey)
        let made = try parts(
            TemporaryKeyRequest(
                configuration: application, activation: nil, challenge: [UInt8](recorded.claims.challenge.utf8)
            ).body)
        #expect(made.text[..<2] == recorded.text[..<2], name)
        #expect(made.text[2] != recorded.text[2], "the recorded signature is wrong on purpose")
    }

    private struct JSONClaims: Decodable {
        let applicationKey: String
        let activationId: String?
        let challenge: String
        var members: Int { activationId == nil ? 2 : 3 }
    }

    // MARK: Answers

    /// What the library made of a success, against the JSON that was recorded.
    private func check(_ result: CallResult, _ exchange: Recordings.Exchange, _ name: Comment) throws {
        let answer = try #require(
            JSONSerialization.jsonObject(with: Data(exchange.answer.utf8)) as? [String: Any], name)
        switch result {
        case .operations(let list):
            let objects = try #require(answer["responseObject"] as? [[String: Any]], name)
            #expect(list.operations.count == objects.count && !objects.isEmpty, name)
            #expect(list.skippedCount == 0 && list.issues.isEmpty, "\(name): \(list.issues)")
            for (operation, object) in zip(list.operations, objects) { try check(operation, object, name) }
            if name.rawValue.contains("-cs") {
                guard case .amount(let amount)? = list.operations[0].formData.attributes.dropFirst().first?.content
                else { throw CryptoError(reason: .library) }
                #expect(amount.valueFormatted?.string == "10\u{A0}000,50\u{A0}Kč", name)
            }
        case .operation(let operation):
            try check(operation, try #require(answer["responseObject"] as? [String: Any], name), name)
        case .count(let count):
            #expect((answer["responseObject"] as? [String: Any])?["countUnread"] as? Int64 == count, name)
        case .inboxMessage(let message):
            let object = try #require(answer["responseObject"] as? [String: Any], name)
            #expect(message.id.string == object["id"] as? String && message.isRead == object["read"] as? Bool, name)
            #expect(message.subject.string == object["subject"] as? String, name)
            #expect(message.summary.string == object["summary"] as? String, name)
            #expect(message.body?.string == object["body"] as? String && message.kind == .text, name)
            #expect(message.created == (try milliseconds(object["timestampCreated"])), name)
        default:
            #expect(answer["status"] as? String == "OK", name)
        }
    }

    private func check(_ operation: UserOperation, _ object: [String: Any], _ name: Comment) throws {
        #expect(operation.id.string == object["id"] as? String, name)
        #expect(operation.name.string == object["name"] as? String, name)
        #expect(operation.data.string == object["data"] as? String, name)
        #expect(operation.rawStatus?.string == object["status"] as? String, name)
        #expect(operation.statusReason?.string == object["statusReason"] as? String, name)
        #expect(operation.created == (try milliseconds(object["operationCreated"])), name)
        #expect(operation.expires == (try milliseconds(object["operationExpires"])), name)
        let form = try #require(object["formData"] as? [String: Any], name)
        #expect(operation.formData.title.string == form["title"] as? String, name)
        #expect(operation.formData.message.string == form["message"] as? String, name)
        #expect(operation.formData.attributes.count == (form["attributes"] as? [Any])?.count, name)
        let original = try JSONSerialization.jsonObject(with: Data(operation.json.raw)) as? NSDictionary
        #expect(original == object as NSDictionary, name)
    }

    private func milliseconds(_ text: Any?) throws -> Int64 {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = "yyyy-MM-dd'T'HH:mm:ssZ"
        return Int64(try #require(formatter.date(from: text as? String ?? "")).timeIntervalSince1970 * 1000)
    }

    // MARK: A wrong PUK

    /// The answer names the PUK that is due. Before 3.3 the request can be opened with the master key: the library writes the
    /// same for the same code.
    @Test func wrongPUK() throws {
        try Recordings.each(.recoveryWrongPUK, as: PlainRecording.self) { name, recording in
            let exchange = recording.exchange
            let life = try RecordedLife(of: name)
            let failure = try #require(Call.createActivation().refusal(exchange.response))
            #expect(failure.code == .server && failure.httpStatus == 400, "\(name)")
            #expect(failure.serverCode == "INVALID_RECOVERY_CODE" && failure.recoveryPUKIndex == 1, "\(name)")
            #expect(!failure.retriable)

            let bench = try Bench()
            let server = try FakeServer(bench, version: life.version)
            let client = try bench.client(server.double.configuration, version: life.version)
            server.override[exchange.path] = { _ in .success(exchange.response) }
            let task = CallTask(options: nil)
            let request = try ActivationRequest.recovery(
                code: secret("VVVVV-VVVVV-VVVVV-VTFVA"), puk: secret("0123456789"))
            try client.activate(request, task: task)
            bench.loop.runUntilIdle()
            let told = try #require(task.failure, "\(name)")
            #expect(told.serverCode == "INVALID_RECOVERY_CODE" && told.recoveryPUKIndex == 1, "\(name)")
            #expect(client.information.phase == .empty)
            let sent = try #require(bench.transport.requests.last { $0.url.hasSuffix(exchange.path) })
            #expect(
                try json(sent.body).members.map { $0.name.string }
                    == (try json(exchange.requestBody).members.map { $0.name.string }), "\(name)")

            guard !life.version.usesTemporaryKeys else { return }
            let outer = try RecordedEnvelope(
                json(exchange.requestBody), id: .applicationGeneric,
                recipient: life.creation.application.masterPrivateKey, server: life.server)
            let layer1 = try json(outer.opened.plaintext)
            let identity = try #require(layer1["identityAttributes"])
            let again = try ActivationRequest.recovery(
                code: try #require(identity["recoveryCode"]?.text?.string),
                puk: try #require(identity["puk"]?.text?.string))
            let data = try #require(layer1["activationData"])
            #expect(again.layer1(activationData: data.compact()).array.text == outer.opened.plaintext, "\(name)")
        }
    }
}
