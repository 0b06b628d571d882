// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// The request of an activation, and what is needed to read its answer. Good for one answer.
package final class PendingActivation {
    /// The HTTP body.
    package let body: [UInt8]
    /// The value of `X-PowerAuth-Encryption`.
    package let headerValue: String
    let layer1: Envelope
    let layer2: Envelope
    /// The activation that was started: of 3.x or of 4.0.
    let started: StartedActivation?
    let startedV4: V4.StartedActivation?

    init(
        body: [UInt8], layer1: Envelope, layer2: Envelope, started: StartedActivation? = nil,
        startedV4: V4.StartedActivation? = nil
    ) {
        self.body = body
        self.headerValue = layer1.headerValue
        self.layer1 = layer1
        self.layer2 = layer2
        self.started = started
        self.startedV4 = startedV4
    }
}
