/// Something that expires, as an `ExpirationWatcher` knows it.
public struct WatchedOperation: Equatable, Sendable {
    public let id: String
    public let data: String
    /// Milliseconds since the epoch.
    public let expires: Int64

    public init(id: String, data: String, expires: Int64) {
        self.id = id
        self.data = data
        self.expires = expires
    }

    public static func == (one: Self, other: Self) -> Bool {
        one.expires == other.expires && one.id.utf8.elementsEqual(other.id.utf8)
            && one.data.utf8.elementsEqual(other.data.utf8)
    }
}
