// SPDX-License-Identifier: Apache-2.0
import CSystem
import MobileToken
import MobileTokenCrypto
import MobileTokenSystem

/// Forwards every call to another store, and fails on request. May be used from any thread.
final class FaultyStore: @unchecked Sendable {
    /// The calls of a store.
    struct Calls: OptionSet {
        let rawValue: Int32
        static let load = Calls(rawValue: 1)
        static let save = Calls(rawValue: 2)
        static let remove = Calls(rawValue: 4)
        static let all: Calls = [.load, .save, .remove]
    }

    /// How a call fails.
    enum Fault: Int32 {
        case before = 0
        case torn = 1
        case after = 2
        case silent = 3
    }

    private let inner: Store
    private let lock = Lock()
    // Guarded by the lock.
    private var plan = FaultPlan()
    private var failing: Calls = []
    private var fault = Fault.before
    private var delayed: Calls = []
    private var delay: Int64 = 0
    private var counts: [Calls.RawValue: Int] = [:]
    private var names: [String] = []

    private init(_ inner: Store) { self.inner = inner }

    // MARK: Stores of tests, and the way back from a store to its faults

    private static let registryLock = Lock()
    nonisolated(unsafe) private static var registry: [ObjectIdentifier: FaultyStore] = [:]

    /// A store that forwards every call to `inner`.
    static func make(_ inner: Store) -> Store {
        let faults = FaultyStore(inner)
        let place = Place()
        let store = HostStore(
            HostStore.Functions(
                load: { faults.load($0, &$1) }, save: { faults.save($0, $1, renewing: false) },
                renew: { faults.save($0, $1, renewing: true) }, remove: { faults.remove($0) },
                list: { faults.list(&$0) },
                release: {
                    faults.giveBackNames()
                    registryLock.withLock { _ = place.store.map { registry.removeValue(forKey: $0) } }
                }))
        place.store = ObjectIdentifier(store)
        registryLock.withLock { registry[ObjectIdentifier(store)] = faults }
        return store
    }

    /// The faults of a store; nil for one that was not made here.
    static func of(_ store: Store) -> FaultyStore? { registryLock.withLock { registry[ObjectIdentifier(store)] } }

    /// Where a store's `release` finds which store it is.
    private final class Place: @unchecked Sendable {
        var store: ObjectIdentifier?
    }

    // MARK: The test's side

    func fail(_ calls: Calls, nth: Int, forever: Bool, fault: Fault) {
        lock.withLock {
            plan.fail(nth: nth, forever: forever)
            failing = calls
            self.fault = fault
        }
    }

    func delay(_ calls: Calls, milliseconds: Int64) {
        lock.withLock {
            delayed = calls
            delay = milliseconds
        }
    }

    /// How many calls there were.
    func count(_ calls: Calls) -> Int {
        lock.withLock { counts.reduce(0) { calls.contains(Calls(rawValue: $1.key)) ? $0 + $1.value : $0 } }
    }

    /// The stored items, without faults.
    func read(_ item: String) throws(StoreError) -> SecureBytes? { try inner.load(item) }

    /// Stores, or with nil removes, past all faults.
    func write(_ item: String, _ bytes: UnsafeRawBufferPointer?) throws(StoreError) {
        if let bytes { try inner.save(item, bytes) } else { try inner.remove(item) }
    }

    /// Stores past all faults, and leaves nothing of what was there.
    func renew(_ item: String, _ bytes: UnsafeRawBufferPointer) throws(StoreError) { try inner.renew(item, bytes) }

    // MARK: The library's side

    private func load(_ item: String, _ bytes: inout SecureBytes?) -> HostStore.Answer {
        guard begin(.load) == nil else { return .failed(0) }
        takeName(of: item)
        do throws(StoreError) {
            bytes = try inner.load(item)
        } catch {
            return .failed(error.systemError)
        }
        return bytes == nil ? .notFound : .done
    }

    private func save(_ item: String, _ bytes: UnsafeRawBufferPointer, renewing: Bool) -> HostStore.Answer {
        change(.save) { () throws(StoreError) in
            if renewing { try inner.renew(item, bytes) } else { try inner.save(item, bytes) }
        } torn: { () throws(StoreError) in
            try inner.save(item, UnsafeRawBufferPointer(rebasing: bytes.prefix(bytes.count / 2)))
        }
    }

    private func remove(_ item: String) -> HostStore.Answer {
        change(.remove) { () throws(StoreError) in
            try inner.remove(item)
        } torn: { () throws(StoreError) in
        }
    }

    /// Takes the client's name in the store below, as the client itself would, unless it is taken.
    private func takeName(of item: String) {
        guard let dot = item.utf8.lastIndex(of: UInt8(ascii: ".")) else { return }
        let client = String(decoding: item.utf8[..<dot], as: UTF8.self)
        do throws(StoreError) {
            try inner.acquire(client)
            lock.withLock { names.append(client) }
        } catch {}
    }

    private func giveBackNames() { for client in lock.withLock({ names }) { inner.release(client) } }

    private func list(_ names: inout [String]) -> HostStore.Answer {
        perform { () throws(StoreError) in names = try inner.itemNames() ?? [] }
    }

    private func change(
        _ call: Calls, _ whole: () throws(StoreError) -> Void, torn: () throws(StoreError) -> Void
    ) -> HostStore.Answer {
        switch begin(call) {
        case nil: return perform(whole)
        case .before: return .failed(0)
        case .silent: return .done
        case .torn: _ = perform(torn)
        case .after: _ = perform(whole)
        }
        return .failed(0)
    }

    /// Counts a call and lets it take its time; tells how it is to fail.
    private func begin(_ call: Calls) -> Fault? {
        let (fault, pause): (Fault?, Int64) = lock.withLock {
            counts[call.rawValue, default: 0] += 1
            let fault = failing.contains(call) && plan.strikes() ? self.fault : nil
            return (fault, delayed.contains(call) ? delay : 0)
        }
        if pause > 0 {
            var time = timespec(tv_sec: Int(pause / 1000), tv_nsec: Int(pause % 1000) * 1_000_000)
            nanosleep(&time, nil)
        }
        return fault
    }

    private func perform(_ work: () throws(StoreError) -> Void) -> HostStore.Answer {
        do throws(StoreError) {
            try work()
            return .done
        } catch {
            return .failed(error.systemError)
        }
    }
}
