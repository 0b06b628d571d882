// SPDX-License-Identifier: Apache-2.0
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

    /// The usable ones, in the server's order.
    public let entries: [Entry]
    /// How many were left out.
    public let skippedCount: Int
    /// Which were left out and why, e.g. `entry 3: key: missing`; a hundred at most. No text of the answer.
    public let issues: [String]
    /// The list as it was sent.
    public let json: [UInt8]

    /// Reads the decrypted answer; nil unless it is a list. Leaves out elements that are not entries with a key and a
    /// value.
    package init?(_ plaintext: SecureBytes) {
        guard let document = plaintext.withBytes({ try? JSONDocument(parsing: $0, sparing: "config") }),
            let list = document.root["config"], list.kind == .array
        else { return nil }
        let decoder = ModelDecoder(document: document)
        var entries: [Entry] = []
        var issues: [String] = []
        var unreadable = document.unreadable[...]
        for (index, node) in list.node.elements.enumerated() {
            do throws(ModelFault) {
                if unreadable.first == index {
                    unreadable.removeFirst()
                    throw ModelFault("", .unreadable)
                }
                entries.append(try Entry(node, decoder))
            } catch  where issues.count < ModelDecoder.maximumIssues {
                issues.append("entry " + String(index) + ": " + error.description)
            } catch {}
        }
        self.entries = entries
        self.issues = issues
        skippedCount = list.count - entries.count
        json = [UInt8](list.raw)
    }
}

extension RemoteConfiguration.Entry {
    fileprivate init(_ node: JSONNode, _ decoder: ModelDecoder) throws(ModelFault) {
        guard node.kind == .object else { throw ModelFault("", .wrongType) }
        key = try decoder.requiredText(node, "key")
        guard let value = node["value"] else { throw ModelFault("value", .missing) }
        self.value = [UInt8](value.raw)
        let scope = decoder.text(node, "scope")
        self.scope =
            scope.map { $0.equals("APPLICATION") ? .application : $0.equals("ACTIVATION") ? .activation : .other }
            ?? .other
    }
}
