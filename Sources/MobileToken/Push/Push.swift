import MobileTokenSystem
import PowerAuth

/// What is known of the registration for push messages. Guarded by the activation's lock.
final class PushState: ServiceState, @unchecked Sendable {
    /// Push messages were registered for by this object.
    var isRegistered = false
    /// A registration is under way.
    var isRegistering = false

    override func forget(_: Activation) {
        isRegistered = false
        isRegistering = false
    }
}

/// Push messages. May be used from any thread.
public struct Push: Sendable {
    let activation: Activation
    let state: PushState

    /// Tells the server where push messages for this device go. One at a time: the answers of two could arrive in another
    /// order than the requests.
    package func register(_ registration: PushRegistration, task: CallTask) throws(Failure) {
        guard !activation.runtime.isStopped else { throw .state("The runtime was freed.") }
        let enrolment = try activation.lock.withLock { () throws(Failure) in
            try activation.requireEnrolment()
            guard !state.isRegistering else {
                throw Failure(
                    .busy, Reason.pushAlreadyRegistering, "A registration for push messages is already in progress.")
            }
            state.isRegistering = true
            return PushEnrolment(registration, self, task: task)
        }
        do throws(Failure) {
            try enrolment.begin()
        } catch {
            activation.lock.withLock { state.isRegistering = false }
            throw error
        }
    }

    /// Whether the server accepted a registration since the client was opened. Not stored.
    public var isRegistered: Bool { activation.lock.withLock { state.isRegistered } }
}
