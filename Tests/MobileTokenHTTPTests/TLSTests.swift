import Foundation
import TestSupport
import Testing

@testable import MobileTokenHTTP
@testable import MobileTokenSystem

@Suite struct TLSTests {
    @Test func acceptsAGoodCertificateByFileAndByText() throws {
        let server = try Certificates.server("good")
        let network = try Network()
        #expect(try network.get(.secure(server, "/echo")).status == 200)
        #expect(try network.get(.secure(server, "/echo", host: "127.0.0.1")).status == 200)
        var request = HTTPRequest.secure(server, "/echo")
        request.tls.trust = .caPEM(try Certificates.content("ca.pem"))
        #expect(try network.get(request).status == 200)
        // A different source of trust means a different connection.
        #expect(try server.counts().connections == 3)
    }

    @Test(arguments: [
        ("untrusted", TransportError.CertificateProblem.untrusted), ("expired", .expired), ("notyet", .notYetValid),
        ("wronghost", .wrongHost), ("selfsigned", .selfSigned),
    ])
    func refusesBadCertificates(name: String, problem: TransportError.CertificateProblem) throws {
        let server = try Certificates.server(name)
        let network = try Network()
        let error = try network.failure(.secure(server, "/echo", .post, body: [1], atMostOnce: true))
        #expect(error.code == .certificate && error.certificateProblem == problem, "\(error)")
        #expect(error.sent == .notSent && error.curlCode == 60)
        #expect(try server.counts().requests.isEmpty)
        // Only the explicit switch accepts it.
        var request = HTTPRequest.secure(server, "/echo")
        request.tls = TLSPolicy(unsafeNoVerification: true)
        #expect(try network.get(request).status == 200)
        // And not for those who did not ask for it.
        #expect(try network.failure(.secure(server, "/echo")).code == .certificate)
    }

    @Test func trustsNobodyElseBesideAGivenAuthority() throws {
        let server = try Certificates.server("untrusted")
        let network = try Network()
        var request = HTTPRequest.secure(server, "/echo")
        #expect(try network.failure(request).certificateProblem == .untrusted)
        request.tls.trust = .caFile(Certificates.path("otherca.pem"))
        #expect(try network.get(request).status == 200)
        request.tls.trust = .caPEM(try Certificates.content("ca.pem"))
        #expect(try network.failure(request).certificateProblem == .untrusted)
        request.tls.trust = .system
        #expect(try network.failure(request).code == .certificate)
    }

    @Test func reportsAuthoritiesThatCannotBeRead() throws {
        let server = try Certificates.server("good")
        let network = try Network()
        var request = HTTPRequest.secure(server, "/echo")
        // One that was a file when the client was made, and would be waited for.
        let pipe = "/tmp/mtoken-pipe-\(UInt64.random(in: .min ... .max))"
        #expect(mkfifo(pipe, 0o600) == 0)
        defer { unlink(pipe) }
        for trust in [TLSPolicy.Trust.caFile("/nowhere/ca.pem"), .caFile(pipe), .caPEM([UInt8]("no certificate"))] {
            request.tls.trust = trust
            let error = try network.failure(request)
            #expect(error.code == .tls && error.sent == .notSent, "\(error)")
        }
    }

    @Test func refusesOldTLS() throws {
        let server = try Certificates.server("good", ["--tls11"])
        let error = try Network().failure(.secure(server, "/echo", .post, body: [1]))
        #expect(error.code == .tls && error.sent == .notSent, "\(error)")
    }

    @Test func refusesWhatIsNotTLS() throws {
        let server = try Server("http_server.py", ["--banner"])
        let error = try Network().failure(.secure(server, "/echo", .post, body: [1]))
        #expect(error.code == .tls && error.sent == .notSent, "\(error)")
    }

    @Test func checksPins() throws {
        let server = try Certificates.server("good")
        let network = try Network()
        let good = try Certificates.pin("good")
        let wrong = try Certificates.pin("ca")
        let now = TimeSource().wallMilliseconds()
        func send(_ pins: [PublicKeyPin], _ change: (inout TLSPolicy) -> Void = { _ in }) throws -> Reply {
            var request = HTTPRequest.secure(server, "/echo", .post, body: [1], atMostOnce: true)
            request.tls.pins = pins
            change(&request.tls)
            return try network.send(request)
        }
        #expect(try send([good]).isSuccess)
        #expect(try send([wrong, good]).isSuccess)
        #expect(try send([PublicKeyPin(base64: good.base64, expires: now + 60_000)].compactMap { $0 }).isSuccess)
        let expired = try Certificates.pin("good", expires: now - 1)
        for pins in [[wrong], [expired], [wrong, expired]] {
            let error = try #require(try send(pins).error)
            #expect(error.code == .pinMismatch && error.sent == .notSent, "\(error)")
        }
        // The pin does not stand in for the rest of the verification, nor the switch for the pin.
        #expect(try send([good]) { $0.trust = .caFile(Certificates.path("otherca.pem")) }.error?.code == .certificate)
        #expect(try send([wrong]) { $0.unsafeNoVerification = true }.error?.code == .pinMismatch)
        #expect(try send([good]) { $0.unsafeNoVerification = true }.isSuccess)
    }

    @Test func aPinThatExpiresEndsTheConnectionsMadeWithIt() throws {
        let server = try Certificates.server("good")
        let time = OffsetTime()
        let network = try Network(time: time)
        var request = HTTPRequest.secure(server, "/echo")
        request.tls.pins = [try Certificates.pin("good", expires: time.wallMilliseconds() + 1_000_000)]
        #expect(try network.get(request).status == 200)
        #expect(try network.get(request).timing.reusedConnection)
        time.offset.add(2_000_000)
        #expect(try network.failure(request).code == .pinMismatch)
    }

    @Test func sharesConnectionsOnlyBetweenEqualPolicies() throws {
        let server = try Certificates.server("good")
        let network = try Network()
        let good = try Certificates.pin("good")
        let policies = [
            Certificates.policy, TLSPolicy(trust: .caFile(Certificates.path("ca.pem")), pins: [good]),
            TLSPolicy(unsafeNoVerification: true), TLSPolicy(pins: [good], unsafeNoVerification: true),
            TLSPolicy(trust: .caPEM(try Certificates.content("ca.pem"))),
        ]
        for round in 0..<3 {
            for policy in policies {
                var request = HTTPRequest.secure(server, "/echo")
                request.tls = policy
                #expect(try network.get(request).timing.reusedConnection == (round > 0))
            }
        }
        #expect(try server.counts().connections == policies.count)
    }
}

/// The system's time and an offset that a test sets.
final class OffsetTime: TimeSource, @unchecked Sendable {
    let offset = Recorder<Int64>()

    override func wallMilliseconds() -> Int64 { super.wallMilliseconds() + (offset.all.last ?? 0) }
}

@Suite struct ProxyTests {
    @Test(arguments: ["http", "socks5h"])
    func tunnels(scheme: String) throws {
        let server = try Certificates.server("good")
        let proxy = try Server("proxy_server.py")
        let network = try Network()
        var request = HTTPRequest.secure(server, "/echo", .post, body: [1], atMostOnce: true, host: "bank.test")
        request.proxy = "\(scheme)://localhost:\(proxy.port)"
        let response = try network.get(request)
        // The name is left to the proxy, and its own header is not taken for the server's.
        #expect(response.status == 200 && response.headers["x-proxy"] == nil)
        #expect(proxy.nextLine() == "tunnel bank.test:\(server.port) -")
        // Clients with and without the proxy do not share connections.
        #expect(try network.get(.secure(server, "/echo")).timing.reusedConnection == false)
    }

    @Test func signsOn() throws {
        let server = try Certificates.server("good")
        let proxy = try Server("proxy_server.py")
        var request = HTTPRequest.secure(server, "/echo")
        request.proxy = "http://user:pa%40ss@127.0.0.1:\(proxy.port)"
        #expect(try Network().get(request).status == 200)
        #expect(proxy.nextLine() == "tunnel localhost:\(server.port) Basic_dXNlcjpwYUBzcw==")
    }

    @Test(arguments: ["http", "socks5h"])
    func reportsRefusal(scheme: String) throws {
        let server = try Certificates.server("good")
        let proxy = try Server("proxy_server.py", ["--refuse"])
        let closed = try ClosedPort()
        let network = try Network()
        var request = HTTPRequest.secure(server, "/echo", .post, body: [1], atMostOnce: true)
        for port in [proxy.port, closed.port] {
            request.proxy = "\(scheme)://127.0.0.1:\(port)"
            let error = try network.failure(request)
            #expect(error.code == .proxy && error.sent == .notSent, "\(error)")
        }
        request.proxy = "\(scheme)://absent.invalid:1"
        #expect(try network.failure(request).code == .proxy)
        #expect(try server.counts().requests.isEmpty)
    }

    @Test func tellsTheServersCertificateFromTheProxy() throws {
        let server = try Certificates.server("expired")
        let proxy = try Server("proxy_server.py")
        var request = HTTPRequest.secure(server, "/echo")
        request.proxy = "http://127.0.0.1:\(proxy.port)"
        #expect(try Network().failure(request).certificateProblem == .expired)
    }
}
