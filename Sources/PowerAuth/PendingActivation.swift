/// The request of an activation, and what is needed to read its answer. Good for one answer.
package final class PendingActivation {
    /// The HTTP body.
    package let body: [UInt8]
    /// The value of `X-PowerAuth-Encryption`.
    package let headerValue: String
    let layer1: Encryptor
    let layer2: Encryptor
    let started: StartedActivation

    init(body: [UInt8], layer1: Encryptor, layer2: Encryptor, started: StartedActivation) {
        self.body = body
        self.headerValue = layer1.headerValue
        self.layer1 = layer1
        self.layer2 = layer2
        self.started = started
    }
}
