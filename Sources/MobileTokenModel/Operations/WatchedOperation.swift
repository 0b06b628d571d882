// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// Something that expires, as an `ExpirationWatcher` knows it.
public struct WatchedOperation: Equatable, Sendable {
    /// The operation's id.
    public let id: String
    /// The operation's data.
    public let data: String
    /// Milliseconds since the epoch.
    public let expires: Int64

    /// The item to watch.
    public init(id: String, data: String, expires: Int64) {
        self.id = id
        self.data = data
        self.expires = expires
    }

    /// Compares bytes: equal texts are the same bytes.
    public static func == (one: Self, other: Self) -> Bool {
        one.expires == other.expires && sameBytes(one.id, other.id) && sameBytes(one.data, other.data)
    }
}
