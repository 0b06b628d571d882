// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenSystem

/// Where the device secret of a client is kept; the values are those of the C interface (`MTOKEN_PROTECTION_…`).
public enum Protection: Int32, Sendable {
    /// Nowhere: it is in memory only.
    case none = 0
    /// A file beside the state.
    case file = 1
    /// The keyring of the user's session.
    case session = 2
    /// A TPM, smart card, HSM or security key.
    case hardware = 3
    /// The host.
    case host = 4
}

/// Why a sealer could not seal or unseal.
public struct SealFailure: Error, Sendable {
    /// The values are those of the C interface (`MTOKEN_SEAL_FAULT_…`).
    public enum Fault: Int32, Sendable {
        /// There is no such hardware or service, or it cannot be reached.
        case unavailable = 1
        /// No permission, a wrong password, or the user refused.
        case denied = 2
        /// Locked after too many wrong passwords.
        case locked = 3
        /// Sealed by other hardware or another user.
        case foreign = 4
        /// The hardware was reset since.
        case cleared = 5
        /// The machine is not in the state required.
        case changed = 6
        /// The sealed form is damaged.
        case damaged = 7
        /// Anything else.
        case failed = 8
        /// The options are wrong.
        case options = 9
    }

    /// The fault.
    public let fault: Fault
    /// In the words of the hardware or service.
    public let cause: String?

    /// A failure.
    public init(_ fault: Fault, cause: String? = nil) {
        self.fault = fault
        self.cause = cause
    }
}

extension Failure {
    /// A failure of a sealer.
    init(_ error: SealFailure) {
        let code: Code
        let reason: StaticString
        let message: StaticString
        switch error.fault {
        case .unavailable:
            (code, reason, message) = (
                .sealed, Reason.sealUnavailable, "The sealer's hardware or service cannot be reached."
            )
        case .denied:
            (code, reason, message) = (
                .sealed, Reason.sealDenied, "The sealer's hardware or service refused: check password and permission."
            )
        case .locked:
            (code, reason, message) = (
                .sealed, Reason.sealLocked, "The sealer's hardware is locked after wrong passwords. Wait, or unlock it."
            )
        case .foreign:
            (code, reason, message) = (
                .sealed, Reason.sealForeign,
                "The secret was sealed by another device or user, and can only be unsealed there."
            )
        case .cleared:
            (code, reason, message) = (
                .sealed, Reason.sealCleared,
                "The sealer's hardware was reset since: the secret is lost. Activate again."
            )
        case .changed:
            (code, reason, message) = (
                .sealed, Reason.sealChanged, "The machine is not in the state that the secret was sealed to."
            )
        case .damaged:
            (code, reason, message) = (.sealed, Reason.sealDamaged, "The sealed secret is damaged or was modified.")
        case .failed: (code, reason, message) = (.sealed, Reason.sealFailed, "The sealer failed.")
        case .options: (code, reason, message) = (.argument, Reason.invalidArgument, "The sealer's options are wrong.")
        }
        self.init(code, reason, message.description)
        tell(error.cause)
    }
}

/// Keeps the device secrets of clients: encrypts them so that only this machine, this user's session or the host can read
/// them again. Called when a client is opened or sealed another way, and at no other time.
///
/// Subclasses override `transform` and `forget`, which are never called by two threads at once.
open class Sealer: @unchecked Sendable {
    /// Its name in stored secrets; another sealer cannot unseal them.
    public let name: String
    /// Where the secrets are kept.
    public let protection: Protection
    private let lock = Lock()
    private let epoch = Fork.epoch

    /// Most bytes that are sealed.
    package static let maximumSecret = 64
    /// Most bytes of a sealed form.
    package static let maximumForm = 4096
    /// Longest label, in bytes.
    package static let maximumLabel = 255

    /// A sealer with a name of at most 32 bytes.
    public init(name: String, protection: Protection) {
        self.name = name
        self.protection = protection
    }

    /// Whether it was made in this process: a parent's objects belong to the parent.
    package final var isOfThisProcess: Bool { epoch == Fork.epoch }

    /// Seals or unseals.
    ///
    /// - Parameters:
    ///   - bytes: at most 64 to seal, at most 4096 that were sealed
    ///   - label: the same for both
    open func transform(_ bytes: SecureBytes, label: String, sealing: Bool) throws(SealFailure) -> SecureBytes {
        throw SealFailure(.failed)
    }

    /// Removes its data for a sealed form that is no longer needed.
    open func forget(_ sealed: SecureBytes, label: String) {}

    @inline(never)
    package final func run(_ bytes: SecureBytes, label: String, sealing: Bool) throws(Failure) -> SecureBytes {
        try requireThisProcess()
        let result: SecureBytes
        do throws(SealFailure) {
            result = try lock.withLock { () throws(SealFailure) in
                try transform(bytes, label: label, sealing: sealing)
            }
        } catch {
            throw Failure(error)
        }
        // A host's function that forked comes back twice.
        try requireThisProcess()
        return result
    }

    final func discard(_ sealed: SecureBytes?, label: String) {
        guard isOfThisProcess, let sealed else { return }
        lock.withLock { forget(sealed, label: label) }
    }

    private final func requireThisProcess() throws(Failure) {
        guard isOfThisProcess else {
            throw Failure(.state, Reason.forked, "The sealer was made before fork() and belongs to the parent process.")
        }
    }
}
