// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenSystem

/// A store backed by the host's functions (keyring, TPM, database).
public final class HostStore: Store, @unchecked Sendable {
    /// The result of a host's function.
    public enum Answer {
        case done
        case notFound
        /// The host's code, and why in its words.
        case failed(Int32, because: String? = nil)
    }

    /// The host's functions. `load` puts the bytes it found into the variable it is given.
    public struct Functions: @unchecked Sendable {
        /// Reads an item.
        public let load: (_ item: String, _ bytes: inout SecureBytes?) -> Answer
        /// Writes an item, flushed to what outlives the process.
        public let save: (_ item: String, _ bytes: UnsafeRawBufferPointer) -> Answer
        /// Writes an item as `save` does, after a change of a factor's lock; nil: as `save` does.
        package let renew: ((_ item: String, _ bytes: UnsafeRawBufferPointer) -> Answer)?
        /// Removes an item.
        public let remove: (_ item: String) -> Answer
        /// Adds the names of all items; nil: the host cannot list them.
        public let list: ((_ names: inout [String]) -> Answer)?
        /// Frees what the functions need; called once.
        public let release: () -> Void

        /// The host's functions.
        public init(
            load: @escaping (_ item: String, _ bytes: inout SecureBytes?) -> Answer,
            save: @escaping (_ item: String, _ bytes: UnsafeRawBufferPointer) -> Answer,
            remove: @escaping (_ item: String) -> Answer, list: ((_ names: inout [String]) -> Answer)? = nil,
            release: @escaping () -> Void
        ) {
            self.init(load: load, save: save, renew: nil, remove: remove, list: list, release: release)
        }

        package init(
            load: @escaping (_ item: String, _ bytes: inout SecureBytes?) -> Answer,
            save: @escaping (_ item: String, _ bytes: UnsafeRawBufferPointer) -> Answer,
            renew: ((_ item: String, _ bytes: UnsafeRawBufferPointer) -> Answer)?,
            remove: @escaping (_ item: String) -> Answer, list: ((_ names: inout [String]) -> Answer)?,
            release: @escaping () -> Void
        ) {
            self.load = load
            self.save = save
            self.renew = renew
            self.remove = remove
            self.list = list
            self.release = release
        }
    }

    private let functions: Functions
    private let lock = Lock()
    private var names = NamesInUse()

    /// A store on these functions.
    public init(_ functions: Functions) {
        self.functions = functions
        super.init()
    }

    deinit {
        if isOfThisProcess { functions.release() }
    }

    override package var waits: Bool { true }

    override package func acquire(_ client: String) throws(StoreError) {
        try requireThisProcess()
        guard lock.withLock({ names.take(client) }) else { throw StoreError(.busy) }
    }

    override package func release(_ client: String) {
        guard isOfThisProcess else { return }
        lock.withLock { names.giveBack(client) }
    }

    override package func load(_ item: String) throws(StoreError) -> SecureBytes? {
        var bytes: SecureBytes?
        guard try isFound({ functions.load(item, &bytes) }) else { return nil }
        guard let bytes else { throw StoreError(.failed) }
        return bytes
    }

    override package func save(_ item: String, _ bytes: UnsafeRawBufferPointer) throws(StoreError) {
        try write(item, bytes, functions.save)
    }

    override package func renew(_ item: String, _ bytes: UnsafeRawBufferPointer) throws(StoreError) {
        try write(item, bytes, functions.renew ?? functions.save)
    }

    private func write(
        _ item: String, _ bytes: UnsafeRawBufferPointer, _ function: (String, UnsafeRawBufferPointer) -> Answer
    ) throws(StoreError) {
        guard try isFound({ function(item, bytes) }) else { throw StoreError(.failed) }
    }

    override package func remove(_ item: String) throws(StoreError) {
        _ = try isFound { functions.remove(item) }
    }

    override package func itemNames() throws(StoreError) -> [String]? {
        guard let list = functions.list else { return nil }
        var names: [String] = []
        guard try isFound({ list(&names) }) else { throw StoreError(.failed) }
        return names
    }

    /// Whether a function of the host found the item. A function that forked returns twice, and the child must not
    /// continue: the saved item belongs to the parent.
    private func isFound(_ call: () -> Answer) throws(StoreError) -> Bool {
        try requireThisProcess()
        let answer = call()
        try requireThisProcess()
        switch answer {
        case .done: return true
        case .notFound: return false
        case .failed(let code, let cause): throw StoreError(.failed, systemError: code, cause: cause)
        }
    }
}
