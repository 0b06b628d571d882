// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenSystem
import PowerAuth

/// The state of the registration for push messages. Guarded by the activation's lock.
final class PushState: ServiceState, @unchecked Sendable {
    /// Push messages were registered for; nil: the store knows.
    var isRegistered: Bool?
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
        let enrolment = try activation.lock.glance { () throws(Failure) in
            try activation.requireEnrolment()
            guard !state.isRegistering else {
                throw Failure(
                    .busy, Reason.pushAlreadyRegistering, "A registration for push messages is already in progress.")
            }
            state.isRegistering = true
            return PushEnrolment(registration, self, digests: digests(registration), task: task)
        }
        do throws(Failure) {
            try enrolment.begin()
        } catch {
            activation.lock.glance { state.isRegistering = false }
            throw error
        }
    }

    /// Another token or service is not registered until the server confirms it. Under the lock.
    func forgetOther(than digests: [UInt8]?) throws(Failure) {
        if let kept = activation.keeper.pushRegistration,
            digests.map({ !kept.isEqual(to: SecureBytes(copying: $0)) }) ?? true
        {
            try keep(nil)
        }
    }

    /// Whether the server has accepted a registration of this activation. Asks the store once.
    public var isRegistered: Bool {
        activation.lock.withLock {
            if let known = state.isRegistered { return known }
            let kept = activation.keeper.pushRegistration
            let isRegistered =
                owner.map { kept?.slice(0..<$0.count)?.isEqual(to: SecureBytes(copying: $0)) ?? false } ?? false
            state.isRegistered = isRegistered
            return isRegistered
        }
    }

    /// Keeps what is registered; nil: nothing is. Under the lock.
    func keep(_ digests: [UInt8]?) throws(Failure) {
        state.isRegistered = digests != nil
        try activation.keeper.keepPushRegistration(digests)
    }

    /// Stands for the activation. Under the lock.
    private var owner: [UInt8]? { activation.session.activationId.flatMap { try? SHA256.hash([UInt8]($0.utf8)) } }

    /// Stands for the activation and for where its messages go. Under the lock.
    private func digests(_ registration: PushRegistration) -> [UInt8]? {
        guard let owner, let place = try? SHA256.hash([UInt8](registration.place.utf8)) else {
            return nil
        }
        return owner + place
    }
}
