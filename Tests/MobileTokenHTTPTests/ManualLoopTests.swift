import TestSupport
import Testing

@testable import MobileTokenHTTP
@testable import MobileTokenSystem

/// Transports on a loop without a thread.
@Suite struct ManualLoopTests {
    @Test func carriesAScriptedTransport() {
        final class Scripted: Transport, @unchecked Sendable {
            override func send(_ request: HTTPRequest, completion: @escaping Completion) -> TransferID {
                nonisolated(unsafe) let completion = completion
                loop.schedule(afterMilliseconds: 50) { completion(.success(HTTPResponse(status: 204))) }
                return TransferID(7)
            }
        }
        let loop = ManualLoop()
        let transport: Transport = Scripted(loop: loop)
        let statuses = Recorder<Int>()
        _ = transport.send(HTTPRequest(.get, "https://a.test/")) { result in
            statuses.add((try? result.get().status) ?? 0)
        }
        loop.advance(milliseconds: 49)
        #expect(statuses.all.isEmpty)
        loop.advance(milliseconds: 1)
        #expect(statuses.all == [204])
    }

    @Test func thePlainTransportHasNoNetwork() {
        let loop = ManualLoop()
        let codes = Recorder<TransportError.Code>()
        _ = Transport(loop: loop).send(HTTPRequest(.get, "https://a.test/")) { result in
            if case .failure(let error) = result { codes.add(error.code) }
        }
        #expect(codes.all.isEmpty)
        loop.runUntilIdle()
        #expect(codes.all == [.notConnected])
    }

    @Test func refusesTheRealTransport() {
        #expect(throws: TransportError.self) { try CurlTransport(loop: ManualLoop()) }
    }
}
