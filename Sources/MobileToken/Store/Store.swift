// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenSystem

/// Why an item of a store could not be loaded, saved or removed.
package struct StoreError: Error, Sendable {
    package enum Reason: Sendable {
        /// Another client or process uses the activation.
        case busy
        /// The lock that kept others out, or its directory, was removed, replaced or overwritten: another process may
        /// use the activation.
        case lockLost
        /// The store belongs to the process that this one was forked from.
        case forked
        /// Others than the owner can read or change the files.
        case insecure
        /// Reading or writing failed.
        case failed
    }

    package let reason: Reason
    /// The number of the system's error (`errno`) or the host's code; 0: none.
    package let systemError: Int32
    /// The host's description of it.
    package let cause: String?

    package init(_ reason: Reason, systemError: Int32 = 0, cause: String? = nil) {
        self.reason = reason
        self.systemError = systemError
        self.cause = cause
    }
}

extension Failure {
    /// Another component's description of the cause.
    @inline(never)
    mutating func tell(_ words: String?) {
        if let words { cause = ServerText.cleaned(words) }
    }

    /// A failure of a store.
    init(_ error: StoreError, doing what: StaticString) {
        switch error.reason {
        case .busy:
            self.init(
                .busy, Reason.storageBusy, words(what, ": another client or process uses this activation."))
        case .lockLost:
            self.init(
                .storage, Reason.storageLockLost,
                words(
                    what,
                    """
                    : the store's lock file or directory was removed, replaced or overwritten, so another process may \
                    use this activation. Close the client and open it again.
                    """
                ))
        case .forked:
            self.init(
                .state, Reason.forked,
                words(what, ": the store was opened before fork() and belongs to the parent process."))
        case .insecure:
            self.init(
                .storage, Reason.storageInsecure,
                words(what, ": the files must belong to the user and be closed to others (mode 0600)."))
        case .failed:
            self.init(
                .storage, Reason.storageFailed, words(what, " (system error ", String(error.systemError), ")."))
            tell(error.cause)
        }
    }
}

/// Where clients keep their state: named items of bytes, each replaced all or nothing, durable when `save` returns.
///
/// Subclasses override every method. They are called from any thread, never two at once for one client.
open class Store: @unchecked Sendable {
    private let epoch = Fork.epoch

    package init() {}

    /// Whether the store was made in this process. A parent's must not be touched: its locks may be held for ever, its file locks
    /// are the parent's, and what is saved here the parent would save too.
    package final var isOfThisProcess: Bool { epoch == Fork.epoch }

    /// Refuses what a child asks of its parent's store.
    package final func requireThisProcess() throws(StoreError) {
        guard isOfThisProcess else { throw StoreError(.forked) }
    }

    /// Whether it may keep who uses it waiting: for a user, a card, a network.
    package var waits: Bool { false }

    /// The protection of a device secret that is stored as it is.
    package var protection: Protection { .host }

    /// Takes the name for one client: `busy` while another one, here or in another process, has it.
    package func acquire(_ client: String) throws(StoreError) {}

    /// Gives the name back.
    package func release(_ client: String) {}

    /// The item, or nil if there is none.
    package func load(_ item: String) throws(StoreError) -> SecureBytes? { nil }

    /// Replaces the item.
    package func save(_ item: String, _ bytes: UnsafeRawBufferPointer) throws(StoreError) {
        throw StoreError(.failed)
    }

    /// Replaces the item, so that nothing of what it was can be found afterwards, nor both of them at any moment, as far as the
    /// store is the one to see to it.
    package func renew(_ item: String, _ bytes: UnsafeRawBufferPointer) throws(StoreError) { try save(item, bytes) }

    /// Removes the item; a missing one is fine.
    package func remove(_ item: String) throws(StoreError) {}

    /// The names of all items, in any order, others' among them; nil: this store cannot tell.
    package func itemNames() throws(StoreError) -> [String]? { nil }
}

/// Names in use, so that one store serves each client once.
struct NamesInUse {
    private var names: Set<ByteKey> = []

    /// Takes a name; false if it is taken.
    mutating func take(_ name: String) -> Bool { names.insert(name.byBytes).inserted }

    mutating func giveBack(_ name: String) { names.remove(name.byBytes) }
}
