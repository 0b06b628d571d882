/// What a store's items are called: two for each client.
enum StoredItems {
    private static let stateSuffix = ".state"
    private static let keySuffix = ".key"

    /// The sealed state.
    static func state(of client: String) -> String { client + stateSuffix }

    /// The device secret, where the library keeps it.
    static func key(of client: String) -> String { client + keySuffix }

    /// Whether an item is saved often: a state is, a device secret is not.
    static func isState(_ item: String) -> Bool { client(of: item, stateSuffix) != nil }

    /// The client that an item belongs to; nil: it is none of ours.
    static func client(of item: String) -> String? {
        guard let client = client(of: item, stateSuffix) ?? client(of: item, keySuffix) else { return nil }
        return isValid(client: client) ? client : nil
    }

    private static func client(of item: String, _ suffix: String) -> String? {
        let (name, end) = (item.utf8, suffix.utf8)
        guard name.count > end.count, name.suffix(end.count).elementsEqual(end) else { return nil }
        return String(decoding: name.dropLast(end.count), as: UTF8.self)
    }

    /// Longest name of a client, in bytes.
    private static let maximumSize = 64

    /// Refuses what cannot be the name of a client.
    static func require(client id: String) throws(Failure) {
        guard isValid(client: id) else {
            throw .argument(
                "The client's id must be 1 to 64 characters from A-Z a-z 0-9 . _ - and must not begin with a dot.")
        }
    }

    private static func isValid(client id: String) -> Bool {
        guard (1...maximumSize).contains(id.utf8.count), id.utf8.first != UInt8(ascii: ".") else { return false }
        return id.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                return true
            default: return false
            }
        }
    }
}
