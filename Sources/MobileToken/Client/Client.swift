// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON
import MobileTokenModel
import MobileTokenSystem
import PowerAuth
import Synchronization

/// One activation, or a place for one, of one application at one server, and the services for it. May be used from any thread.
public final class Client: @unchecked Sendable {
    let activation: Activation
    /// Requests of the host's own, signed or encrypted.
    public let requests: Requests
    /// Tokens and their headers.
    public let tokens: Tokens
    /// The list of operations, approving and rejecting.
    public let operations: Operations
    /// Messages from the bank.
    public let inbox: Inbox
    /// Registration for push notifications.
    public let push: Push
    /// Activation by an OpenID Connect provider.
    public let oidc: OIDC
    /// Requests for mobile authentication.
    public let mobileAuth: MobileAuth
    /// Operations approved by code, without a network.
    public let offline: Offline

    private static let lastNumber = Atomic<UInt>(0)

    /// Loads the client's state from its store.
    ///
    /// - Parameter number: what its events call it; nil: one that no other client has
    package convenience init(runtime: Runtime, options: ClientOptions, number: UInt?) throws(Failure) {
        try options.checkProtocol()
        let (operations, push, mobileAuth) = (OperationsState(runtime), PushState(), MobileAuthState())
        let activation = try Activation(
            runtime, options, number: number ?? Self.lastNumber.add(1, ordering: .relaxed).newValue,
            services: [operations, push, mobileAuth])
        self.init(activation, operations, push, mobileAuth)
    }

    private init(
        _ activation: Activation, _ operationsState: OperationsState, _ pushState: PushState,
        _ mobileAuthState: MobileAuthState
    ) {
        self.activation = activation
        requests = Requests(activation: activation)
        tokens = Tokens(activation: activation)
        operations = Operations(activation: activation, state: operationsState)
        inbox = Inbox(activation: activation)
        push = Push(activation: activation, state: pushState)
        oidc = OIDC(activation: activation)
        mobileAuth = MobileAuth(activation: activation, state: mobileAuthState, operations: operations)
        offline = Offline(requests: requests)
    }

    package var options: ClientOptions { activation.options }

    /// The client's number in events.
    public var number: UInt { activation.number }
    /// Whether the calling thread is in a function of the host that this client waits for.
    package var waitsForThisThread: Bool { activation.waitsForThisThread }

    /// State that the tasks of the runtime share.
    package var board: TaskBoard { activation.runtime.board }

    /// Gives up the state and its place in the store; calls under way complete as cancelled.
    public func close() { activation.close() }

    /// Has the device secret kept by another sealer, or by none, from now on.
    public func reseal(_ sealer: Sealer?) throws(Failure) { try activation.reseal(sealer) }

    /// Sets `Accept-Language` for the calls to come.
    public func setLanguage(_ language: String) throws(Failure) {
        try HeaderText.check(language, "language")
        activation.lock.withLock { activation.language = language }
    }

    // MARK: Time

    /// Asks for the server's time.
    package func synchronizeTime(task: CallTask) throws(Failure) { try activation.start(.serverTime(), task: task) }

    /// Forgets the server's time.
    public func resetTime() { activation.lock.withLock { activation.resetClock() } }

    /// Whether the activation that a push message names is this client's, of this runtime.
    public func isMeant(by push: PushMessage, in runtime: Runtime) -> Bool {
        guard activation.runtime === runtime, let wanted = push.activationId?.string else { return false }
        return activation.lock.glance { activation.session.activationId }?.byBytes == wanted.byBytes
    }

    /// A push message for this client has come: if it reports another status, the client asks the server. Anyone can
    /// send one, so it does nothing else.
    public func received(_ push: PushMessage) {
        guard push.kind == .statusChange else { return }
        activation.lock.glance { activation.look() }
    }

    /// The device's time, milliseconds since the epoch.
    package var deviceTime: Int64 { activation.runtime.now }

    // MARK: Snapshot

    /// A snapshot of the client.
    public struct Information: Sendable {
        package let phase: Session.Phase
        /// The version of the protocol.
        public let version: ProtocolVersion
        /// The suite of an activation of 4.0; nil: there is none.
        public let suite: Suite?
        /// Steps that were begun and are not known to be finished.
        package let marks: Session.Marks
        /// nil: not activated.
        public let activationId: String?
        /// The fingerprint that the user compares.
        public let fingerprint: String?
        /// A biometry key is set up.
        public let hasBiometry: Bool
        /// Recovery data is stored.
        public let hasRecoveryData: Bool
        /// The server's time is known.
        public let timeIsSynchronized: Bool
        /// Milliseconds to add to this device's clock.
        public let timeAdjustment: Int64
        /// Milliseconds; nil: not synchronised.
        public let timePrecision: Int64?
        /// The server's time as far as it is known, milliseconds since the epoch.
        public let now: Int64
        /// The last status from the server.
        public let lastStatus: ActivationStatus?
        /// The names of the host's own authenticators.
        public let authenticators: [String]
        /// The keys of the factors are encrypted with an external key.
        public let usesExternalKey: Bool
        /// The external key was handed in.
        public let hasExternalKey: Bool
        /// The protection of the device secret.
        public let protection: Protection
        /// The server's last claims about the user.
        public let lastUserInfo: UserInfo?
        /// Signatures that no answer has acknowledged, and the server's window (nil: not known).
        public let unacknowledged: Int
        /// How many signed requests may be unacknowledged.
        public let window: Int?
        /// How often the server's counter was found ahead of this client's.
        public let timesBehind: UInt32
    }

    package var information: Information {
        activation.lock.glance {
            let (session, time) = (activation.session, activation.time)
            return Information(
                phase: session.phase, version: session.version, suite: session.suite.map { Suite($0) },
                marks: session.marks, activationId: session.activationId,
                fingerprint: (try? session.fingerprint()) ?? nil, hasBiometry: session.hasBiometry,
                hasRecoveryData: session.hasRecoveryData, timeIsSynchronized: time.isSynchronized,
                timeAdjustment: time.adjustment, timePrecision: time.isSynchronized ? time.precision : nil,
                now: activation.synchronizedNow, lastStatus: activation.lastStatus,
                authenticators: session.authenticators.map { String(utf8: $0) },
                usesExternalKey: session.usesExternalKey, hasExternalKey: session.hasExternalKey,
                protection: activation.protection,
                lastUserInfo: activation.lastUserInfo, unacknowledged: session.unacknowledged, window: session.window,
                timesBehind: activation.timesBehind)
        }
    }
}
