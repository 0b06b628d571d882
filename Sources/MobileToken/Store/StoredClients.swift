// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// The content of a store, for clients that cannot be opened.
extension Store {
    /// The ids of the clients that have an item here, bytewise in order.
    @inline(never)
    package final func clients() throws(Failure) -> [String] {
        let items = try Self.converting("The store could not be listed") { () throws(StoreError) in try itemNames() }
        guard let items else {
            throw Failure(.unsupported, Reason.storageUnsupported, "This store cannot list its clients.")
        }
        var clients = items.compactMap { StoredItems.client(of: $0)?.byBytes }
        clients.sort()
        var last: ByteKey?
        clients.removeAll { client in
            defer { last = client }
            return client == last  // of its other item
        }
        return clients.map { $0.text }
    }

    /// Removes what belongs to a client, readable or not.
    @inline(never)
    package final func remove(client id: String) throws(Failure) {
        try StoredItems.require(client: id)
        try withName(id, "The client could not be removed") { () throws(Failure) in
            guard StoredItems.all(of: id).contains(where: { isThere($0) }) else { throw Self.missing(id) }
            try Self.converting("The client could not be removed") { () throws(StoreError) in
                for item in StoredItems.all(of: id) { try remove(item) }
            }
        }
    }

    /// Copies what belongs to a client, unread.
    @inline(never)
    package final func copy(client id: String, to target: Store, as targetID: String) throws(Failure) {
        try StoredItems.require(client: id)
        try StoredItems.require(client: targetID)
        guard target !== self || id.byBytes != targetID.byBytes else { throw Self.alreadyThere }
        let what: StaticString = "The client could not be copied"
        try withName(id, what) { () throws(Failure) in
            let items = try Self.converting(what) { () throws(StoreError) in
                try StoredItems.all(of: id).map { (item) throws(StoreError) in try load(item) }
            }
            guard items.contains(where: { $0 != nil }) else { throw Self.missing(id) }
            let targets = StoredItems.all(of: targetID)
            try target.withName(targetID, what) { () throws(Failure) in
                guard !targets.contains(where: { target.isThere($0) }) else { throw Self.alreadyThere }
                do throws(Failure) {
                    try Self.converting(what) { () throws(StoreError) in
                        // The key first: without it the rest is of no use.
                        for (content, item) in zip(items, targets).reversed() {
                            if let content { try target.put(content, item) }
                        }
                    }
                } catch {
                    for item in targets { try? target.remove(item) }
                    throw error
                }
            }
        }
    }

    private final func put(_ bytes: SecureBytes, _ item: String) throws(StoreError) {
        try bytes.withBytes { (bytes) throws(StoreError) in try save(item, bytes) }
    }

    /// Whether there is an item of that name, even one that cannot be read.
    private final func isThere(_ item: String) -> Bool {
        do throws(StoreError) {
            return try load(item) != nil
        } catch {
            return true
        }
    }

    /// Does something while no client has the name.
    @inline(never)
    private final func withName(
        _ id: String, _ what: StaticString, _ work: () throws(Failure) -> Void
    ) throws(Failure) {
        try Self.converting(what) { () throws(StoreError) in try acquire(id) }
        defer { release(id) }
        try work()
    }

    private static func converting<R>(
        _ what: StaticString, _ work: () throws(StoreError) -> R
    ) throws(Failure) -> R {
        do throws(StoreError) {
            return try work()
        } catch {
            throw Failure(error, doing: what)
        }
    }

    private static func missing(_ id: String) -> Failure {
        Failure(.notFound, Reason.notFound, filled("The store has no data of the client %.", id))
    }

    private static var alreadyThere: Failure {
        Failure(
            .state, Reason.alreadyThere, "The target already has this client. Remove it there, or choose another id.")
    }
}
