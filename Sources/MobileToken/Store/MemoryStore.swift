// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenSystem

/// A store in memory: for tests and load tests.
public final class MemoryStore: Store, @unchecked Sendable {
    private let lock = Lock()
    private var items: [ByteKey: SecureBytes] = [:]
    private var names = NamesInUse()

    override public init() { super.init() }

    override package var protection: Protection { .none }

    override package func acquire(_ client: String) throws(StoreError) {
        try requireThisProcess()
        guard lock.withLock({ names.take(client) }) else { throw StoreError(.busy) }
    }

    override package func release(_ client: String) {
        guard isOfThisProcess else { return }
        lock.withLock { names.giveBack(client) }
    }

    override package func load(_ item: String) throws(StoreError) -> SecureBytes? {
        try requireThisProcess()
        return lock.withLock { items[item.byBytes] }
    }

    override package func save(_ item: String, _ bytes: UnsafeRawBufferPointer) throws(StoreError) {
        try requireThisProcess()
        let copy = SecureBytes(copying: bytes)
        lock.withLock { items[item.byBytes] = copy }
    }

    override package func remove(_ item: String) throws(StoreError) {
        try requireThisProcess()
        lock.withLock { _ = items.removeValue(forKey: item.byBytes) }
    }

    override package func itemNames() throws(StoreError) -> [String]? {
        try requireThisProcess()
        return lock.withLock { items.keys.map { $0.text } }
    }
}
