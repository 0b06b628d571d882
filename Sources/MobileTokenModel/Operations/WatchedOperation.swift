/// Something that expires, as an `ExpirationWatcher` knows it.
package struct WatchedOperation: Equatable, Sendable {
    package let id: String
    package let data: String
    /// Milliseconds since the epoch.
    package let expires: Int64

    package init(id: String, data: String, expires: Int64) {
        self.id = id
        self.data = data
        self.expires = expires
    }

    package static func == (one: Self, other: Self) -> Bool {
        one.expires == other.expires && one.id.utf8.elementsEqual(other.id.utf8)
            && one.data.utf8.elementsEqual(other.data.utf8)
    }
}
