import Foundation
import MobileTokenCrypto
import MobileTokenHTTP
import PowerAuth
import TestSupport
import Testing

@testable import MobileToken
@testable import PowerAuthDoubles

/// Recorded plaintexts through the whole way of a call: the server opens what the client wrote and answers with what the
/// released server answered, sealed for this client.
struct RecordedEncryptedCallTests {
    private struct Recording: Decodable {
        let exchange: Recordings.Exchange
        let request: String
        let answer: String
    }

    private func play(
        _ name: String, id: EncryptorID, _ call: Call
    ) throws -> (result: CallResult?, answer: [String: Any]) {
        let recording = try Recordings.load(name, as: Recording.self)
        let world = try EngineTests.World(version: RecordedLife.version(of: name))
        let server = world.server
        server.override[recording.exchange.path] = { request in
            do {
                let body = try json(request.body)
                let opened = try server.double.open(
                    body, id: id, temporaryKey: server.keys[body["temporaryKeyId"]?.text?.string ?? ""])
                #expect(opened.plaintext == recording.request, "\(name)")
                return Bench.response(200, try server.double.seal(recording.answer, for: opened))
            } catch {
                Issue.record("\(name): \(error)")
                return nil
            }
        }
        let task = try world.run { try world.client.activation.start(call, task: $0) }
        #expect(task.state == .succeeded, "\(name): \(String(describing: task.failure))")
        let answer = try JSONSerialization.jsonObject(with: Data(recording.answer.utf8)) as? [String: Any]
        return (task.result, try #require(answer))
    }

    @Test func userInfo() throws {
        for name in try Recordings.names(of: .userInfo) {
            let (result, answer) = try play(name, id: .activationGeneric, .userInfo())
            guard case .userInfo(let info)? = result else { throw CryptoError(reason: .library) }
            #expect(info.text("sub")?.string == answer["sub"] as? String, "\(name)")
            #expect(info.text("name")?.string == answer["name"] as? String, "\(name)")
        }
    }

    @Test func oidcConfiguration() throws {
        for name in try Recordings.names(of: .oidcConfig) {
            let (result, answer) = try play(
                name, id: .applicationGeneric, .oidcConfiguration(providerId: "plain"))
            guard case .oidcConfiguration(let configuration)? = result else { throw CryptoError(reason: .library) }
            let object = try #require(answer["responseObject"] as? [String: Any])
            #expect(configuration.providerId == object["providerId"] as? String)
            #expect(configuration.clientId == object["clientId"] as? String)
            #expect(configuration.scopes == object["scopes"] as? String)
            #expect(configuration.authorizeUri == object["authorizeUri"] as? String)
            #expect(configuration.redirectUri == object["redirectUri"] as? String)
            #expect(configuration.pkceEnabled == object["pkceEnabled"] as? Bool)
        }
    }

    /// The plaintexts of a token's creation, and the token in the header of the call that asked for it.
    @Test func tokens() throws {
        struct Recording: Decodable {
            let request: String
            let answer: String
        }
        for name in try Recordings.names(of: .token) {
            let recording = try Recordings.load(name, as: Recording.self)
            let version = RecordedLife.version(of: name)
            let world = try EngineTests.World(version: version)
            let server = world.server
            let id = try #require(try json(recording.answer)["tokenId"]?.text?.string)
            server.tokens.insert(id)
            server.override["/pa/v3/token/create"] = { request in
                do {
                    let body = try json(request.body)
                    let opened = try server.double.open(
                        body, id: .createToken, temporaryKey: server.keys[body["temporaryKeyId"]?.text?.string ?? ""])
                    #expect(opened.plaintext == recording.request, "\(name)")
                    return Bench.response(200, try server.double.seal(recording.answer, for: opened))
                } catch {
                    Issue.record("\(name): \(error)")
                    return nil
                }
            }
            let task = try world.run { try world.client.operations.list(task: $0) }
            #expect(task.state == .succeeded, "\(name): \(String(describing: task.failure))")
            let sent = try #require(world.bench.transport.requests.last)
            let header = try #require(sent.headers.first { $0.name == "X-PowerAuth-Token" }?.value)
            #expect(header.hasPrefix(#"PowerAuth version="\#(version.text)", token_id="\#(id)""#), "\(name)")
        }
    }
}
