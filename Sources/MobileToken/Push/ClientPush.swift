import MobileTokenHTTP
import PowerAuth

/// Push messages.
extension Client {
    /// Tells the server where push messages for this device go. One at a time: the answers of two could arrive in another
    /// order than the requests.
    package func registerPush(_ registration: PushRegistration, task: CallTask) throws(Failure) {
        try start(.registerPush(registration), task: task) { (client) throws(Failure) in
            try client.require(.activated)
            guard !client.isRegisteringForPush else {
                throw Failure(
                    .busy, Reason.pushAlreadyRegistering, "A registration for push messages is under way already.")
            }
            client.isRegisteringForPush = true
        }
    }

    /// Whether the server accepted a registration since this object was made. Not stored.
    package var hasRegisteredPush: Bool { lock.withLock { isRegisteredForPush } }
}
