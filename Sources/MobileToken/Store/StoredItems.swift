// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// The names of a store's items: two for each client, and more for a pending login and for push messages.
enum StoredItems {
    private static let stateSuffix = ".state"
    private static let keySuffix = ".key"
    private static let loginSuffix = ".login"
    private static let pushSuffix = ".push"

    /// The sealed state.
    static func state(of client: String) -> String { client + stateSuffix }

    /// The device secret, where the library keeps it.
    static func key(of client: String) -> String { client + keySuffix }

    /// Which stored login is still out.
    static func login(of client: String) -> String { client + loginSuffix }

    /// All of a client, the key last: with it alone, the client is a new one.
    static func all(of client: String) -> [String] {
        [state(of: client), login(of: client), push(of: client), key(of: client)]
    }

    /// The registration for push messages.
    static func push(of client: String) -> String { client + pushSuffix }

    /// Whether an item is saved often: a state is, a device secret is not.
    static func isState(_ item: String) -> Bool { item.withBytes { ends($0, in: stateSuffix) } }

    /// The client that an item belongs to; nil: it is not ours.
    static func client(of item: String) -> String? {
        let client: String? = item.withBytes { bytes in
            for suffix in [stateSuffix, keySuffix, loginSuffix, pushSuffix] where ends(bytes, in: suffix) {
                let client = UnsafeRawBufferPointer(rebasing: bytes.dropLast(suffix.byteCount))
                return String(utf8: client)
            }
            return nil
        }
        guard let client, isValid(client: client) else { return nil }
        return client
    }

    private static func ends(_ bytes: UnsafeRawBufferPointer, in suffix: String) -> Bool {
        suffix.withBytes { suffix in
            bytes.count > suffix.count
                && UnsafeRawBufferPointer(rebasing: bytes.suffix(suffix.count)).elementsEqual(suffix)
        }
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
        id.withBytes { id in
            guard (1...maximumSize).contains(id.count), id.first != UInt8(ascii: ".") else { return false }
            return id.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    return true
                default: return false
                }
            }
        }
    }
}
