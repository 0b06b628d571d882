// SPDX-License-Identifier: Apache-2.0
import MobileTokenHTTP
import MobileTokenSystem

/// A request on its way between the thread where a client lives and the runtime's, which has the network.
final class Transfer: @unchecked Sendable {
    private let activation: Activation
    // On the runtime's thread only.
    private var id: TransferID?
    private var isOver = false

    init(_ activation: Activation) { self.activation = activation }

    /// Sends a request. Where the client lives.
    func begin(
        _ request: HTTPRequest, then: @escaping @Sendable (Result<HTTPResponse, TransportError>) -> Void
    ) {
        guard activation.lane != nil else { return send(request, then) }
        let isPosted = activation.runtime.loop.post { [self] in
            send(request) { [self] result in activation.post { then(result) } }
        }
        if !isPosted {
            activation.post {
                then(.failure(TransportError(.cancelled, detail: "the runtime was freed")))
            }
        }
    }

    private func send(
        _ request: HTTPRequest, _ then: @escaping @Sendable (Result<HTTPResponse, TransportError>) -> Void
    ) {
        let id = activation.transport.send(request) { [self] result in
            isOver = true
            then(result)
        }
        if !isOver { self.id = id }
    }

    /// Ends it, and reports that like every end. On the client's lane.
    func cancel() {
        guard activation.lane != nil else { return stop() }
        activation.runtime.loop.post { [self] in stop() }
    }

    private func stop() {
        if !isOver, let id { activation.transport.cancel(id) }
    }
}
