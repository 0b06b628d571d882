// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// A request for the status, and what is needed to read its answer.
package struct StatusRequest: Sendable {
    /// The HTTP body, `{"requestObject":{"activationId":"…","challenge":"…"}}`.
    package let body: [UInt8]
    /// 16 random bytes.
    let challenge: [UInt8]
    let activationId: [UInt8]

    init(activationId: [UInt8], challenge: [UInt8]) {
        self.activationId = activationId
        self.challenge = challenge
        var body: [UInt8] = []
        body.reserveCapacity(160)
        body.append("{\"requestObject\":{\"activationId\":\"" as StaticString)
        body.append(contentsOf: activationId)
        body.append("\",\"challenge\":\"" as StaticString)
        Base64.append(challenge, to: &body)
        body.append("\"}}" as StaticString)
        self.body = body
    }
}
