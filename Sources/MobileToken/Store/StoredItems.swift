/// What a store's items are called: two for each client.
enum StoredItems {
    private static let stateSuffix = ".state"
    private static let keySuffix = ".key"

    /// The sealed state.
    static func state(of client: String) -> String { client + stateSuffix }

    /// The device secret, where the library keeps it.
    static func key(of client: String) -> String { client + keySuffix }

    /// The client that an item belongs to; nil: it is none of ours.
    static func client(of item: String) -> String? {
        for suffix in [stateSuffix, keySuffix] {
            let (name, end) = (item.utf8, suffix.utf8)
            guard name.count > end.count, name.suffix(end.count).elementsEqual(end) else { continue }
            let client = String(decoding: name.dropLast(end.count), as: UTF8.self)
            return ClientOptions.isValid(id: client) ? client : nil
        }
        return nil
    }
}
