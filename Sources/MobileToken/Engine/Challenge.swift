// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenModel
import MobileTokenSystem

/// A question to the user, which takes one answer. May be used from any thread.
public final class Challenge: @unchecked Sendable {
    /// The kind of challenge. The values are those of the C interface.
    public enum Kind: Int32, Sendable {
        case confirmation = 1
        case pin = 2
        case biometric = 3
        case custom = 4
        /// The password of a proximity check, before anything else.
        case proximity = 5
    }

    /// An answer.
    public enum Answer: Sendable {
        case confirm
        /// Rejects the request, with a reason.
        case deny(String)
        case pin(SecureBytes)
        /// The key of the biometry factor: what the biometric sensor releases.
        case biometric(SecureBytes)
        /// The key that a custom authenticator releases (nil: the key registered with its name), and its information
        /// for the server.
        case custom(SecureBytes?, data: String?)
        /// The password that the other screen shows.
        case proximity(ProximityCheck)
        /// Asks for the PIN instead, with a custom authenticator's information.
        case usePIN(String?)
        case cancel
        /// No answer will come any more.
        case abandon
    }

    /// The task of the handling that asks.
    public let task: CallTask
    /// The number of the client that is asked.
    package let client: UInt
    private let time: TimeSource
    /// The kind of challenge.
    public let kind: Kind
    /// The request as the server holds it.
    public let request: MobileAuthRequest
    /// Counted from 1.
    public let attempt: Int32
    /// Why the challenge is repeated.
    public let previous: Failure?
    /// Attempts before the activation is blocked, where known.
    public let remainingAttempts: Int32?
    /// The text to show with the sensor.
    public let prompt: String
    /// The name of the custom authenticator.
    public let authenticator: String?
    /// Information from a custom authenticator that fell back to the PIN.
    public let customInfo: String?
    /// The server's reply to the previous answer, JSON; nil: none.
    public let serverInfo: String?

    private let take: @Sendable (Challenge, Answer) throws(Failure) -> Void

    /// - Parameter take: takes the answer
    init(
        _ kind: Kind, client: UInt, time: TimeSource, task: CallTask, request: MobileAuthRequest, attempt: Int32,
        previous: Failure?,
        prompt: String, authenticator: String?, customInfo: String?, serverInfo: String?,
        take: @escaping @Sendable (Challenge, Answer) throws(Failure) -> Void
    ) {
        self.kind = kind
        self.task = task
        self.client = client
        self.time = time
        self.request = request
        self.attempt = attempt
        self.previous = previous
        remainingAttempts = previous?.remainingAttempts
        self.prompt = prompt
        self.authenticator = authenticator
        self.customInfo = customInfo
        self.serverInfo = serverInfo
        self.take = take
    }

    /// The device's time, milliseconds since the epoch.
    package var deviceTime: Int64 { time.wallMilliseconds() }

    /// Answers. A failure leaves the challenge open, unless it was answered before or its request has ended.
    public func answer(_ answer: Answer) throws(Failure) {
        guard takes(answer) else {
            throw Failure(.argument, Reason.invalidArgument, "The challenge needs a different kind of answer.")
        }
        try take(self, answer)
    }

    private func takes(_ answer: Answer) -> Bool {
        switch answer {
        case .confirm: kind == .confirmation
        case .pin: kind == .pin
        case .biometric: kind == .biometric
        case .custom: kind == .custom
        case .proximity: kind == .proximity
        case .usePIN: kind == .biometric || kind == .custom
        case .deny, .cancel, .abandon: true
        }
    }
}
