import Foundation
import MobileTokenCrypto
import MobileTokenHTTP
import PowerAuth
import TestSupport
import Testing

@testable import MobileToken
@testable import PowerAuth
@testable import PowerAuthDoubles

/// The tables of what was measured on released servers, as expectations of a client. Where a table shows what an earlier
/// client did, only what the server made of it is expected.
struct RecordedFactTests {
    /// Every table is read: one that this test does not know fails it.
    @Test(arguments: try Recordings.names(of: .facts))
    func table(name: String) throws {
        let content = try #require(
            JSONSerialization.jsonObject(
                with: Data(contentsOf: Recordings.directory.appendingPathComponent(name + ".json")))
                as? [String: Any])
        let results = content["results"] as? [String: Any] ?? [:]
        let answers = content["answers"] as? [String: Any] ?? [:]
        let rows: Int
        switch name {
        case "fact-counter-distances": rows = try distances(results)
        case "fact-counter-distances-lookahead-10": rows = try distancesAndSettings(results)
        case "fact-deadlock-rescue": rows = try rescue(results)
        case "fact-offline-codes-never-typed": rows = try codesNeverTyped(results)
        case "fact-blocked-then-unblocked": rows = try blocked(results)
        case "fact-enrollment-server-down": rows = try frontEndDown(results)
        case "fact-powerauth-server-down": rows = try backEndDown(answers)
        case "fact-push-server-down": rows = try pushServerDown(answers)
        case "fact-time-windows": rows = try timeWindows(content)
        case "fact-lengths": rows = try lengths(content)
        case "fact-unknown-members": rows = try unknownMembers(content)
        case "fact-vault-reasons": rows = try vaultReasons(results)
        default: throw Unread(name: name)
        }
        Vectors.ran("released/" + name, rows)
    }

    private struct Unread: Error { let name: String }
    private struct UnknownRow: Error { let text: String }

    // MARK: Counters

    /// A device and a server whose counters drift apart: the counter of the device moves with each signature, that of the
    /// server with each one that it accepts.
    private final class Pair {
        let device: ActivatedDevice

        init() throws { device = try ActivatedDevice() }

        /// Signatures that the server never counts.
        func spend(_ steps: Int) throws {
            let record = try #require(device.session.record)
            for _ in 0..<steps { try record.advance() }
        }

        /// Whether the server accepts the next signature.
        func sign(lookAhead: Int = 20, _ keys: SigningKeys = .possession) throws -> Bool {
            device.random.bytes = [[UInt8](repeating: 9, count: 16)]
            let header = try device.session.sign(method: .post, uriId: "/x", body: "{}", keys: keys)
            let data = SignatureData.compose(
                method: "POST", uriId: "/x", nonce: [UInt8](repeating: 9, count: 16), body: "{}",
                secret: device.server.configuration.applicationSecret)
            let server = device.server
            let (counter, byte) = (server.counter, server.counterByte)
            for _ in 0..<lookAhead {
                let expected = try server.expectedSignature(data.text, factors: keys.factors).base64
                try server.advance(1)
                if header.hasSuffix("pa_signature=\"" + expected + "\"") { return true }
            }
            (server.counter, server.counterByte) = (counter, byte)
            return false
        }

        /// Fetches the status and shows the server a signature where the rules ask for one (powerauth.md §12.3).
        func status(lookAhead: Int = 20, blocked: Bool = false) throws -> ActivationStatus.State {
            let session = device.session
            let request = try session.statusRequest()
            let status = try session.processStatus(
                device.server.status(
                    challenge: request.challenge, state: blocked ? 4 : 3, lookAhead: UInt8(lookAhead)),
                request: request)
            if status.counter == .calculateSignature, status.state == .active {
                #expect(try sign(lookAhead: lookAhead), "the signature that the rules ask for must be accepted")
            }
            return status.state
        }
    }

    /// What a status of a table means: at exactly the server's window the earlier client failed before it said deadlock.
    private func state(_ text: String) -> ActivationStatus.State { text.hasPrefix("ACTIVE") ? .active : .deadlock }

    private func text(_ value: Any?) throws -> String { try #require(value as? String) }

    /// The number in a row's name.
    private func number(_ row: String, _ pattern: Regex<(Substring, Substring)>) throws -> Int {
        try #require(row.wholeMatch(of: pattern).flatMap { Int($0.1) }, "\(row)")
    }

    private func distances(_ results: [String: Any]) throws -> Int {
        for (row, value) in results {
            let expected = try text(value)
            let pair = try Pair()
            if row.hasPrefix("client_ahead_") {
                try pair.spend(number(row, /client_ahead_(\d+)/))
            } else {
                try pair.device.server.advance(number(row, /server_ahead_(\d+)/))
            }
            #expect(try pair.status() == state(expected), "\(row)")
            let accepted = try pair.sign()
            #expect(accepted == (state(expected) == .active), "\(row)")
            guard expected.contains("sign=True") else { continue }
            #expect(pair.device.session.counterByte == pair.device.server.counterByte, "\(row)")
        }
        return results.count
    }

    private func distancesAndSettings(_ results: [String: Any]) throws -> Int {
        for (row, value) in results {
            switch row {
            case "temporary keys live 12.5 s (2.5 s for the client), 45 s":
                // A client goes by the server's word, less ten seconds.
                let key = try ServerDouble().freshKey()
                let short = TemporaryKey(
                    scope: .application, id: [1], publicKey: key.key.publicKey, issued: 1_000_000,
                    expires: 1_012_500, applicationKey: [], activationId: nil)
                #expect(short.isUsable(now: 1_002_499) && !short.isUsable(now: 1_002_500), "\(row)")
            case "keystore calls":
                break  // of the server, in the row before
            case "vault by biometry", "add authenticator by biometry", "sign with it":
                try biometry()
            case "offline 6 digits as configured":
                let recorded = try #require(value as? [Any])
                let code = try #require(recorded.first as? String)
                let device = try ActivatedDevice()
                let made = try device.session.signOffline(
                    uriId: "/operation/authorize/offline", body: "a&b", nonce: [UInt8](repeating: 1, count: 16),
                    keys: .possession(with: device.knowledge), componentLength: 6)
                #expect(made.wholeMatch(of: /\d{6}-\d{6}/) != nil && code.wholeMatch(of: /\d{6}-\d{6}/) != nil)
                let text = [UInt8](code.utf8)
                #expect(text.withUnsafeBytes { OfflineCode.grouped($0) } == "434 036 735 514")
            default:
                let expected = try text(value)
                let pair = try Pair()
                try pair.spend(number(row, /look-ahead 10, client ahead (\d+)/))
                #expect(try pair.status(lookAhead: 10) == state(expected), "\(row)")
                #expect(try pair.sign(lookAhead: 10) == (state(expected) == .active), "\(row)")
            }
        }
        return results.count
    }

    /// Servers may be set to open the vault for biometry: the client does not stand in the way.
    private func biometry() throws {
        let device = try ActivatedDevice()
        let pair = try Pair()
        #expect(try pair.sign(.possession(biometry: ActivatedDevice.biometryKey)))
        let vault = try device.session.openVault(device.server.vaultAnswer())
        let key = SecureBytes(copying: [UInt8](33...48))
        try device.session.addBiometry(key: key, named: [1], vault: vault)
        let header = try device.session.sign(
            method: .post, uriId: "/x", body: "{}", keys: SigningKeys(biometry: key, authenticator: [1]))
        #expect(header.contains("possession_biometry"))
    }

    private func rescue(_ results: [String: Any]) throws -> Int {
        var count = 0
        for row in results.keys where row.hasSuffix(", W=20") {
            let ahead = try number(row, /(\d+) ahead, W=20/)
            let pair = try Pair()
            try pair.spend(ahead)
            #expect(try pair.status() == state(text(results[row])), "\(row)")
            let rescued = "\(ahead) ahead, W=64"
            #expect(try pair.status(lookAhead: 64) == state(text(results[rescued])), "\(rescued)")
            #expect(try pair.sign(lookAhead: 64) == (state(text(results[rescued])) == .active), "\(rescued)")
            let after = "\(ahead) ahead, W=20 again"
            #expect(try pair.status() == state(text(results[after])), "\(after)")
            #expect(try pair.sign() == text(results[after]).hasSuffix("ok None"), "\(after)")
            count += 3
        }
        #expect(count == results.count)
        return count
    }

    private func codesNeverTyped(_ results: [String: Any]) throws -> Int {
        for (row, value) in results {
            let pair = try Pair()
            if let states = value as? [String] {
                let codes = try number(row, /4 times \((\d+) (?:codes|sign\(\) never sent), status\)/)
                for (time, expected) in states.enumerated() {
                    try pair.spend(codes)
                    #expect(try pair.status() == state(expected), "\(row), time \(time + 1)")
                }
                #expect(states.count == 4)
                continue
            }
            let parts = try text(value).components(separatedBy: " / ")
            try #require(parts.count == 3, "\(row)")
            try pair.spend(number(row, /(\d+) codes, then status/))
            #expect(try pair.status() == state(parts[0]), "\(row)")
            let again = try pair.status()
            #expect(again == state(String(parts[1].dropFirst("again ".count))), "\(row)")
            let accepted = try pair.sign(.possession(with: pair.device.knowledge))
            #expect(accepted == parts[2].hasPrefix("PIN ok"), "\(row)")
        }
        return results.count
    }

    /// What the server makes of signed calls that it refused while the activation was blocked. That this client makes none
    /// then is another matter, for the tests of the engine.
    private func blocked(_ results: [String: Any]) throws -> Int {
        var count = 0
        for (version, value) in results {
            let rows = try #require(value as? [String: String])
            for (row, expected) in rows {
                let pair = try Pair()
                if row.hasSuffix(" lists, unblock, status") {
                    try pair.spend(number(row, /(\d+) lists, unblock, status/))
                } else {
                    try #require(row.hasPrefix("25 "), "\(row)")
                    for _ in 0..<5 {
                        try pair.spend(5)
                        guard row.contains("status() after every 5") else { continue }
                        // A blocked activation gets no signature to catch up.
                        let status = try pair.status(blocked: true)
                        #expect(status == .blocked || status == .deadlock, "\(version) \(row)")
                    }
                }
                #expect(try pair.status() == state(expected), "\(version) \(row)")
                #expect(try pair.sign() == (state(expected) == .active), "\(version) \(row)")
            }
            count += rows.count
        }
        return count
    }

    // MARK: Outages

    /// A failure in the words of the tables.
    private func described(_ failure: Failure) -> String {
        let kind =
            switch failure.code {
            case .network: "NetworkError"
            case .authentication: "AuthenticationError"
            case .server: "ServerError"
            default: "\(failure.code)"
            }
        let outcome =
            switch failure.outcome {
            case .notSent: "NOT_SENT"
            case .unknown: "UNKNOWN"
            case .answered: "ANSWERED"
            }
        let status = failure.httpStatus == 0 ? "None" : String(failure.httpStatus)
        return "\(kind) http=\(status) \(failure.serverCode ?? "None") \(failure.reason) \(outcome)"
    }

    private func frontEndDown(_ results: [String: Any]) throws -> Int {
        for (row, value) in results {
            switch row {
            case "after d", "authorize after":
                // 25 signatures that the server never saw.
                let pair = try Pair()
                try pair.spend(25)
                #expect(try !pair.sign(.possession(with: pair.device.knowledge)), "\(row)")
                #expect(try pair.status() == .deadlock, "\(row)")
                if row == "after d" { #expect(try text(value).contains("DEADLOCK")) }
            case "after d2", "after d3":
                // With a token, or without a temporary key, nothing was signed.
                let pair = try Pair()
                #expect(try pair.status() == .active)
                #expect(try pair.sign(.possession(with: pair.device.knowledge)))
                #expect(try text(value).hasPrefix("ok None ACTIVE"))
            default:
                let expected =
                    (value as? [String: Int]).flatMap { $0.count == 1 ? $0.first?.key : nil } ?? value as? String
                for signed in [true, false] {
                    let failure = Failure(TransportError(.connectionRefused, detail: ""), signed: signed)
                    #expect(described(failure) == expected, "\(row)")
                    #expect(failure.retriable && failure.networkFault == .connectionRefused)
                }
            }
        }
        return results.count
    }

    /// An answer that a table quotes: `('/path', 401, '{"status":…}')`.
    private struct Quoted {
        let path: String
        let response: HTTPResponse

        static func all(in text: String) -> [Quoted] {
            text.matches(of: /\('([^']+)', (\d+), '([^']*)'\)/).map { match in
                Quoted(
                    path: String(match.1),
                    response: HTTPResponse(status: Int(match.2) ?? 0, body: [UInt8](match.3.utf8)))
            }
        }
    }

    /// The call that asks for a path.
    private func call(_ path: String) throws -> Call {
        let state = OperationsState(try Bench().runtime)
        return switch path {
        case "/api/auth/token/app/operation/list": .operationList(state)
        case "/api/auth/token/app/operation/authorize":
            .authorize(state, id: "a", data: "b", keys: .possession, extras: ApprovalExtras())
        case "/api/auth/token/app/operation/cancel": .reject(state, id: "a", reason: "UNKNOWN", mobileTokenData: nil)
        case "/api/auth/token/app/operation/history": .operationHistory(keys: .possession)
        case "/api/config/oidc": .oidcConfiguration(providerId: "a")
        case "/api/inbox/count": .inboxCount()
        case "/api/inbox/message/list": .inboxPage(0, size: 1, onlyUnread: false)
        case "/api/push/device/register/token": .registerPush(try PushRegistration(service: .fcm, token: "a"))
        case "/pa/v3/token/create": .createToken(name: "t", keys: .possession)
        case "/pa/v3/activation/status": .activationStatus()
        case "/pa/v3/activation/remove": .removeActivation(keys: .possession)
        case "/pa/v3/signature/validate": .validatePIN(keys: .possession)
        case "/pa/v3/keystore/create": .temporaryKey(scope: .activation)
        case let other: throw UnknownRow(text: other)
        }
    }

    /// The answers of one row, and what was told of the last one.
    private func outage(_ row: String, _ text: String) throws {
        let parts = text.components(separatedBy: " | ")
        let answers = Quoted.all(in: parts[1])
        try #require(parts.count == 2 && !answers.isEmpty, "\(row)")
        for (index, quoted) in answers.enumerated() {
            let call = try call(quoted.path)
            #expect(call.path.description == quoted.path)
            let failure = call.refusal(quoted.response)
            if quoted.response.status == 200 {
                #expect(failure == nil && parts[0].hasPrefix("ok"), "\(row)")
                continue
            }
            var told = try #require(failure, "\(row)")
            #expect(told.httpStatus == Int32(quoted.response.status) && told.serverCode != nil, "\(row)")
            if quoted.response.status == 401 {
                // The very answer of a wrong PIN, and here there was none.
                #expect(told.code == .authentication && !told.claimsToKnowTheCause, "\(row): \(told.message)")
            }
            guard index == answers.count - 1 else { continue }
            // What the call needs first was asked for, but the call itself was not sent.
            if parts[0].hasSuffix("NOT_SENT") { told.outcome = .notSent }
            // That the status is refused is told as what it means; the recording's client had no word for it.
            let said = parts[0].replacingOccurrences(
                of: "ERR_ACTIVATION network_generic", with: "ERR_ACTIVATION serverUnavailable")
            #expect(described(told) == said, "\(row)")
        }
    }

    private func backEndDown(_ answers: [String: Any]) throws -> Int {
        for (row, value) in answers {
            switch row {
            case "validate_pin x25", "list x25, no token":
                #expect((value as? [String: Int])?.values.map { $0 } == [25])
            case "after d", "after d3 after 25 lists":
                // One refused signature, or none at all.
                let pair = try Pair()
                try pair.spend(row == "after d" ? 4 : 0)
                #expect(try pair.sign(.possession(with: pair.device.knowledge)), "\(row)")
                #expect(try pair.status() == .active)
                #expect(try text(value).hasPrefix("ok None ACTIVE"))
            case "after d2 after 25 validate_pin":
                let pair = try Pair()
                try pair.spend(25)
                #expect(try !pair.sign(.possession(with: pair.device.knowledge)), "\(row)")
                #expect(try pair.status() == .deadlock)
                #expect(try text(value).contains("DEADLOCK"))
            default:
                try outage(row, try text(value))
            }
        }
        return answers.count
    }

    private func pushServerDown(_ answers: [String: Any]) throws -> Int {
        for (row, value) in answers { try outage(row, try text(value)) }
        return answers.count
    }

    // MARK: Time

    /// A device whose clock is off by what a row says: the times that it sends are within what the server takes.
    private func timeWindows(_ content: [String: Any]) throws -> Int {
        let groups: [(table: String, group: String, versions: [ProtocolVersion])] = [
            ("token", "3.3 and 3.2", [.v33, .v32]), ("token", "3.1 and 3.0", [.v31]),
            ("ecies", "3.3 and 3.2", [.v33, .v32]),
        ]
        var count = 0
        for (table, group, versions) in groups {
            let rows = try #require((content[table] as? [String: Any])?[group] as? [String: Int])
            let accepted = rows.filter { $0.value == 200 }.compactMap { Int64($0.key) }
            let refused = rows.filter { $0.value != 200 }.compactMap { Int64($0.key) }
            let window = try #require(accepted.min())...(try #require(accepted.max()))
            #expect(refused.allSatisfy { !window.contains($0) })
            for row in rows.keys {
                let off = try #require(Int64(row))
                for version in versions {
                    let world = try EngineTests.World(version: version, ahead: -off * 1000)
                    #expect(try world.run { try world.client.operations.list(task: $0) }.state == .succeeded)
                    let serverTime = world.bench.loop.manualTime.wallMilliseconds() - off * 1000
                    let sent = try sentTimes(world, table)
                    #expect(!sent.isEmpty)
                    for time in sent {
                        #expect(window.contains((time - serverTime) / 1000), "\(table), \(version), clock off \(off) s")
                    }
                }
            }
            count += rows.count
        }
        // Of the server alone: this client shows proximity codes, it makes none.
        let proximity = try #require(content["proximityOtpStepsLater"] as? [String: Int])
        #expect(proximity == ["0": 200, "1": 200, "2": 401, "3": 401])
        return count + proximity.count
    }

    private func sentTimes(_ world: EngineTests.World, _ table: String) throws -> [Int64] {
        try world.bench.transport.requests.compactMap { request in
            guard table == "token" else { return try json(request.body)["timestamp"]?.int64 }
            let header = request.headers.first { $0.name == "X-PowerAuth-Token" }?.value ?? ""
            return header.firstMatch(of: /timestamp="(\d+)"/).flatMap { Int64($0.1) }
        }
    }

    // MARK: Texts

    /// Texts of the longest length are sent; one character more is refused here, by name, since the server would only say
    /// that the activation failed.
    private func lengths(_ content: [String: Any]) throws -> Int {
        let fields: [(row: String, set: (inout ActivationRequest, String) -> Void, names: [String])] = [
            ("activationName", { $0.name = $1 }, ["name"]), ("platform", { $0.platform = $1 }, ["platform"]),
            ("deviceInfo", { $0.deviceInfo = $1 }, ["device info", "device_info", "deviceinfo"]),
            ("extras", { $0.extras = $1 }, ["extras"]),
        ]
        for field in fields {
            let limit = try #require(content[field.row] as? Int)
            // Characters, not bytes.
            for character in ["a", "ř"] {
                #expect(try activate(field.set, String(repeating: character, count: limit)) == nil, "\(field.row)")
                let refused = try activate(field.set, String(repeating: character, count: limit + 1))
                #expect(refused?.code == .argument, "\(field.row) of \(limit + 1) characters")
                let message = (refused?.message ?? "").lowercased()
                #expect(field.names.contains { message.contains($0) }, "\(field.row): \(message)")
            }
        }
        #expect(Set(fields.map { $0.row }) == Set(content.keys).subtracting(["description", "source", "note"]))
        return fields.count
    }

    /// Starts an activation with one text; answers why it was refused at once.
    private func activate(_ set: (inout ActivationRequest, String) -> Void, _ text: String) throws -> Failure? {
        let bench = try Bench()
        let client = try bench.client()
        var request = try ActivationRequest.code(secret("VVVVV-VVVVV-VVVVV-VTFVA"))
        set(&request, text)
        do throws(Failure) {
            try client.activate(request, task: CallTask(options: nil))
            return nil
        } catch {
            return error
        }
    }

    /// Where servers refuse a member that they do not know, the client sends none.
    private func unknownMembers(_ content: [String: Any]) throws -> Int {
        let refused = try #require(content["refused"] as? [String: String])
        for version in [ProtocolVersion.v31, .v32, .v33] {
            let double = try ServerDouble(version: version)
            let session = try Session(
                configuration: double.configuration, version: version, random: RandomSource(),
                possessionKey: RecordedLife.possessionKey)
            let request = try ActivationRequest.code(secret("VVVVV-VVVVV-VVVVV-VTFVA"))
            request.customAttributes = [UInt8](#"{"a":1}"#.utf8)
            (request.name, request.extras, request.platform, request.deviceInfo) = ("n", "e", "p", "d")
            try session.startActivation(request)
            let key = try double.temporaryKey(for: session, scope: .application)
            let pending = try session.activationBody(key: key?.client, now: 1_730_000_000_123)
            _ = try double.answer(pending.body, temporaryKey: key?.server)
            func names(_ text: [UInt8]) throws -> Set<String> { Set(try json(text).members.map { $0.name.string }) }
            for row in refused.keys {
                switch row {
                case "wire object of the cryptogram":
                    var known: Set = ["ephemeralPublicKey", "encryptedData", "mac", "nonce"]
                    if version.usesTimestamps { known.insert("timestamp") }
                    if version.usesTemporaryKeys { known.insert("temporaryKeyId") }
                    #expect(try names(pending.body) == known)
                    let inner = try #require(try json(double.layer1)["activationData"])
                    #expect(Set(inner.members.map { $0.name.string }) == known)
                case "plaintext of activation layer 1":
                    #expect(
                        try names([UInt8](double.layer1.utf8)) == [
                            "type", "identityAttributes", "customAttributes", "activationData",
                        ])
                case "plaintext of user/info and config/oidc":
                    let client = try Bench().client()
                    #expect(try Call.userInfo().body(client.activation) == [UInt8]("{}".utf8))
                    #expect(
                        try names(Call.oidcConfiguration(providerId: "x").body(client.activation)) == ["providerId"])
                default: throw UnknownRow(text: row)
                }
            }
        }
        // Null members of a cryptogram are the same as none, in answers too: the recorded activation in 3.1 has them, and is
        // read in the test of activations.
        #expect((content["nullMembersOfTheCryptogram"] as? String)?.contains(#""nonce":null,"timestamp":null"#) == true)
        let ignored = try #require(content["ignored"] as? [String])
        return refused.count + 1 + ignored.count
    }

    private func vaultReasons(_ results: [String: Any]) throws -> Int {
        func payload(_ reason: String) -> String? { (try? VaultReason.payload(custom: secret(reason)))?.text }
        for row in results.keys {
            switch row {
            case "absent", "absent and wrong PIN":
                // This client always gives one.
                for reason in [
                    VaultReason.addBiometry, .fetchEncryptionKey, .signWithDevicePrivateKey, .recoveryCode,
                ] { #expect(payload(reason.name.description) == reason.payload.text) }
            case "X_Y.Z-1": #expect(payload(row) == #"{"reason":"X_Y.Z-1"}"#)
            case "\"a b\"": #expect(payload("a b") == nil)
            case "2 characters": #expect(payload("ab") == nil)
            default: throw UnknownRow(text: row)
            }
        }
        return results.count
    }
}
