// SPDX-License-Identifier: Apache-2.0
import MobileTokenSystem
import Synchronization

/// Names one request that was given to a `Transport`.
public struct TransferID: Hashable, Sendable {
    package let value: UInt64

    package init(_ value: UInt64) { self.value = value }
}

/// Sends requests. Small, so that a scripted one can replace the network: everything above is tested without sockets.
///
/// All functions are called on the loop thread, and complete there. The contract of every transport:
/// - each `send` completes exactly once;
/// - never before `send` has returned, and never from inside `cancel`; only `shutdown` completes what is left before it
///   returns;
/// - a request with `atMostOnce` is put on the wire at most once.
open class Transport: @unchecked Sendable {
    /// The end of a request: any complete answer, or the reason why there is none.
    public typealias Completion = (Result<HTTPResponse, TransportError>) -> Void

    /// The loop that the transport lives on.
    package let loop: Loop
    /// Requests that wait until others have ended. May be read from any thread.
    package let waitingRequests = Atomic<Int>(0)

    package init(loop: Loop) {
        self.loop = loop
    }

    /// Starts a request. The default answers that there is no network.
    open func send(_ request: HTTPRequest, completion: @escaping Completion) -> TransferID {
        let delivery = Delivery(completion)
        loop.post { delivery.completion(.failure(TransportError(.notConnected, detail: "there is no transport"))) }
        return TransferID(0)
    }

    /// Ends a request at once; it completes as `cancelled`, soon after. Without effect on one that has ended.
    open func cancel(_ id: TransferID) {}

    /// Ends all requests as `cancelled` and frees all connections. Later requests complete as `cancelled` too.
    open func shutdown() {}
}

/// Carries a completion through `Loop.post`; it is made and used on the loop thread only.
private struct Delivery: @unchecked Sendable {
    let completion: Transport.Completion
    init(_ completion: @escaping Transport.Completion) { self.completion = completion }
}
