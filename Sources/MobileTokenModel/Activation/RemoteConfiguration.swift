import MobileTokenCrypto
import MobileTokenJSON

/// The configuration that a bank keeps for its application (powerauth4.md §12).
public struct RemoteConfiguration: Sendable {
    /// Whom an entry is for.
    public enum Scope: Sendable {
        /// All activations of the application.
        case application
        /// This activation.
        case activation
        /// Another, which this version does not know.
        case other
    }

    /// One entry.
    public struct Entry: Sendable {
        /// Its name.
        public let key: JSONText
        /// A JSON value as it was sent.
        public let value: [UInt8]
        /// Whom it is for.
        public let scope: Scope
    }

    /// All of them.
    public let entries: [Entry]
    /// The list as it was sent.
    public let json: [UInt8]

    /// Reads the decrypted answer; nil unless it is a list of entries with a key and a value each.
    package init?(_ plaintext: SecureBytes) {
        guard let document = plaintext.withBytes({ (bytes) in try? JSONDocument(parsing: bytes) }),
            let list = document.root["config"], list.kind == .array
        else { return nil }
        var entries: [Entry] = []
        for index in 0..<list.count {
            guard let entry = list[index], let key = entry["key"]?.text, let value = entry["value"] else { return nil }
            let scope: Scope
            if let text = entry["scope"]?.text {
                scope = text.equals("APPLICATION") ? .application : text.equals("ACTIVATION") ? .activation : .other
            } else {
                scope = .other
            }
            entries.append(Entry(key: key, value: [UInt8](value.raw), scope: scope))
        }
        self.entries = entries
        json = [UInt8](list.raw)
    }
}
