import Foundation
import MobileTokenCrypto
import MobileTokenHTTP
import MobileTokenJSON
import TestSupport

@testable import MobileToken
@testable import MobileTokenSystem
@testable import PowerAuth
@testable import PowerAuthDoubles

/// A server for the engine's tests: answers HTTP requests by the rules of the protocol, on the server's side of the
/// cryptography, and checks signatures and counters strictly.
final class FakeServer {
    let double: ServerDouble
    private(set) var keys: [String: ServerDouble.IssuedKey] = [:]
    /// Paths in the order in which they were asked for.
    private(set) var paths: [String] = []
    /// The counters that were accepted, to see that none comes twice.
    private(set) var acceptedCounters: [[UInt8]] = []
    /// Replaces the answer of a path.
    var override: [String: (HTTPRequest) -> Result<HTTPResponse, TransportError>?] = [:]
    /// Paths that get no answer until the test gives one.
    var silent: Set<String> = []
    /// The server's clock, milliseconds ahead of the device's.
    var ahead: Int64 = 0
    var keyValidity: Int64 = 300_000
    var tokens: Set<String> = []
    /// What the status says of wrong PINs.
    var failedAttempts: UInt8 = 0
    var operations = "[]"
    private let time: TimeSource
    /// What the addresses of its requests begin with.
    private let root: String
    private var now: Int64 { time.wallMilliseconds() + ahead }

    init(time: TimeSource, root: String, version: ProtocolVersion = .v33) throws {
        double = try ServerDouble(version: version)
        self.time = time
        self.root = root
    }

    convenience init(_ bench: Bench, version: ProtocolVersion = .v33) throws {
        try self.init(time: bench.loop.manualTime, root: "https://example.com/server", version: version)
        bench.transport.answer = { [unowned self] request in self.answer(request) }
    }

    private func path(_ request: HTTPRequest) -> String {
        String(request.url.dropFirst(root.count))
    }

    func answer(_ request: HTTPRequest) -> Result<HTTPResponse, TransportError>? {
        let path = path(request)
        paths.append(path)
        if silent.contains(path) { return nil }
        if let answer = override[path]?(request) { return answer }
        do {
            return try respond(path, request)
        } catch {
            print("fake server: \(path): \(error)")
            return Bench.response(500, "the fake server failed")
        }
    }

    private static func refusal(_ status: Int, _ code: String) -> Result<HTTPResponse, TransportError> {
        Bench.response(status, #"{"status":"ERROR","responseObject":{"code":"\#(code)","message":"m"}}"#)
    }

    private static func ok(_ object: String) -> Result<HTTPResponse, TransportError> {
        Bench.response(200, #"{"status":"OK","responseObject":\#(object)}"#)
    }

    private func header(_ request: HTTPRequest, _ name: String) -> String? {
        request.headers.first { $0.name == name }?.value
    }

    private func respond(_ path: String, _ request: HTTPRequest) throws -> Result<HTTPResponse, TransportError> {
        switch path {
        case "/pa/v3/status":
            return Self.ok(#"{"serverTime":\#(now)}"#)
        case "/pa/v3/keystore/create":
            let jwt = try json(request.body)["requestObject"]?["jwt"]?.text?.string ?? ""
            let payload = try json(Base64URL.decode(String(jwt.split(separator: ".")[1])) ?? [])
            let challenge = [UInt8]((payload["challenge"]?.text?.string ?? "").utf8)
            let request = try TemporaryKeyRequest(
                configuration: double.configuration,
                activation: payload["activationId"] == nil
                    ? nil : ([UInt8](double.activationId.utf8), try double.keys().transport),
                challenge: challenge)
            let key = ServerDouble.IssuedKey(id: UUID().uuidString.lowercased(), key: try PrivateKey.generate())
            keys[key.id] = key
            let validity = keyValidity
            let issued = now
            let answer = try double.answer(request, issued: issued, key: key) {
                $0.replacingOccurrences(of: "\"exp_ms\":\(issued + 300_000)", with: "\"exp_ms\":\(issued + validity)")
            }
            return Self.ok(String(decoding: answer.compact(), as: UTF8.self))
        case "/pa/v3/activation/create":
            let key = keys[try json(request.body)["temporaryKeyId"]?.text?.string ?? ""]
            return Bench.response(
                200,
                String(
                    decoding: try double.answer(request.body, temporaryKey: key, timestamp: now).compact(),
                    as: UTF8.self))
        case "/pa/v3/activation/status":
            let challenge = try json(request.body)["requestObject"]?["challenge"]?.text?.string ?? ""
            return Self.ok(
                String(
                    decoding: try double.status(challenge: [UInt8](base64: challenge), failed: failedAttempts)
                        .compact(), as: UTF8.self))
        case "/pa/v3/token/create":
            guard try isSigned(request, uriId: "/pa/token/create") else {
                return Self.refusal(401, "ERR_AUTHENTICATION")
            }
            let key = keys[try json(request.body)["temporaryKeyId"]?.text?.string ?? ""]
            let opened = try double.open(json(request.body), id: .createToken, temporaryKey: key)
            let id = UUID().uuidString.lowercased()
            tokens.insert(id)
            let secret = Base64.encode(try RandomSource().bytes(16))
            return Bench.response(
                200, try double.seal(#"{"tokenId":"\#(id)","tokenSecret":"\#(secret)"}"#, for: opened, timestamp: now))
        case "/pa/v3/signature/validate":
            guard try isSigned(request, uriId: "/pa/signature/validate") else {
                return Self.refusal(401, "ERR_AUTHENTICATION")
            }
            return Bench.response(200, #"{"status":"OK"}"#)
        case "/pa/v3/activation/remove":
            guard try isSigned(request, uriId: "/pa/activation/remove") else {
                return Self.refusal(401, "ERR_AUTHENTICATION")
            }
            return Self.ok(#"{"activationId":"\#(double.activationId)"}"#)
        case "/api/auth/token/app/operation/authorize":
            guard try isSigned(request, uriId: "/operation/authorize") else {
                return Self.refusal(401, "POWERAUTH_AUTH_FAIL")
            }
            return Bench.response(200, #"{"status":"OK"}"#)
        case "/api/auth/token/app/operation/list":
            let token = header(request, "X-PowerAuth-Token") ?? ""
            guard tokens.contains(where: { token.contains("token_id=\"\($0)\"") }) else {
                return Self.refusal(401, "POWERAUTH_AUTH_FAIL")
            }
            return Self.ok(operations)
        default:
            return Self.refusal(404, "ERROR_NOT_FOUND")
        }
    }

    /// Checks the signature with the counters of the look-ahead window, and moves on when one fits.
    private func isSigned(_ request: HTTPRequest, uriId: String) throws -> Bool {
        let header = header(request, "X-PowerAuth-Authorization") ?? ""
        func attribute(_ name: String) -> String {
            guard let start = header.range(of: name + "=\"") else { return "" }
            return String(header[start.upperBound...].prefix { $0 != "\"" })
        }
        var factors: Factors = .possession
        if attribute("pa_signature_type").contains("knowledge") { factors.insert(.knowledge) }
        if attribute("pa_signature_type").contains("biometry") { factors.insert(.biometry) }
        let data =
            "POST&" + [UInt8](uriId.utf8).base64 + "&" + attribute("pa_nonce") + "&" + request.body.base64 + "&"
            + Base64.encode(double.applicationSecret)
        let first = double.counter
        for step in 0..<20 {
            if try double.expectedSignature([UInt8](data.utf8), factors: factors).base64 == attribute("pa_signature") {
                acceptedCounters.append(double.counter)
                try double.advance(1)
                double.counterByte &+= UInt8(step)
                return true
            }
            double.counter = try HashCounter.next(double.counter).array
        }
        double.counter = first
        return false
    }
}
