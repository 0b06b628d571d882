// SPDX-License-Identifier: Apache-2.0
import MobileTokenHTTP
import MobileTokenSystem

/// The answer to a request.
struct Answer: Sendable {
    var result: Result<HTTPResponse, TransportError>
    /// How long it takes, in milliseconds of the loop's clock.
    var delay: Int64 = 0
}

/// One request that was sent, and its state.
final class Exchange: @unchecked Sendable {
    enum State: Int32 {
        case waiting = 0
        case answered = 1
        case ended = 2
    }

    let number: Int
    let request: HTTPRequest
    /// Milliseconds since the epoch when it was sent, by the loop's clock.
    let time: Int64

    /// Guarded by the lock of its transport.
    var state = State.waiting

    // On the loop thread only.
    var completion: Transport.Completion?
    /// Its end, before the completion is called.
    var ending: Ending?
    var timers: [LoopTimer] = []
    /// The network's id of it.
    var transfer: TransferID?

    init(number: Int, request: HTTPRequest, time: Int64, completion: @escaping Transport.Completion) {
        self.number = number
        self.request = request
        self.time = time
        self.completion = completion
    }
}

/// How a request ended: an object, since an optional `Result` reads bytes that were never written.
final class Ending {
    let result: Result<HTTPResponse, TransportError>

    init(_ result: Result<HTTPResponse, TransportError>) { self.result = result }
}
