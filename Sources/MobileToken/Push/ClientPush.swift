import MobileTokenSystem
import PowerAuth

/// Push messages.
extension Client {
    /// Tells the server where push messages for this device go. One at a time: the answers of two could arrive in another
    /// order than the requests.
    package func registerPush(_ registration: PushRegistration, task: CallTask) throws(Failure) {
        guard !runtime.isStopped else { throw .state("The runtime was freed.") }
        let enrolment = try lock.withLock { () throws(Failure) in
            try require(.activated)
            guard !isRegisteringForPush else {
                throw Failure(
                    .busy, Reason.pushAlreadyRegistering, "A registration for push messages is under way already.")
            }
            isRegisteringForPush = true
            return PushEnrolment(registration, client: self, task: task)
        }
        do throws(Failure) {
            try enrolment.begin()
        } catch {
            lock.withLock { isRegisteringForPush = false }
            throw error
        }
    }

    /// Whether the server accepted a registration since this object was made. Not stored.
    package var hasRegisteredPush: Bool { lock.withLock { isRegisteredForPush } }
}
