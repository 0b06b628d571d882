// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON

/// Reading JSON that came out of an encrypted message or a token.
enum JSONFields {
    /// Reads a JSON object whose strings are wiped with it.
    ///
    /// - Throws: an error with `code` when the bytes are not JSON or not an object.
    static func parse(_ text: some Bytes, _ code: PowerAuthError.Code) throws(PowerAuthError) -> JSONValue {
        let root = text.withBytes { try? JSONDocument(parsing: $0, sensitive: true).root }
        guard let root, root.kind == .object else {
            throw PowerAuthError(code, "the decoded message is not a JSON object")
        }
        return root
    }
}

extension JSONValue {
    /// The member, or nil when it is missing or null: the two mean the same in this protocol.
    func present(_ name: StaticString) -> JSONValue? {
        guard let member = self[name], !member.isNull else { return nil }
        return member
    }

    /// The bytes of a Base64 member; nil when it is missing, not Base64, or not of the wanted length.
    func base64(_ name: StaticString, count: Int? = nil) -> [UInt8]? {
        guard let text = self[name]?.text, let bytes = text.withBytes({ Base64.decode($0) }) else { return nil }
        guard let count else { return bytes }
        return bytes.count == count ? bytes : nil
    }

    /// The secret of a Base64 member; nil when it is missing, not Base64, or not of the wanted length.
    func secret(_ name: StaticString, count: Int) -> SecureBytes? {
        guard let text = self[name]?.text, let bytes = text.withBytes({ Base64.decodeSecure($0) }),
            bytes.count == count
        else { return nil }
        return bytes
    }

    /// The identifier in a member; nil when it is missing or not acceptable.
    func identifier(_ name: StaticString) -> [UInt8]? {
        guard let text = self[name]?.text, text.withBytes({ isIdentifier($0) }) else { return nil }
        return text.bytes
    }

    /// A member as it was received, for the caller's own use; nil when it is missing or null.
    func original(_ name: StaticString) -> [UInt8]? { present(name).map { [UInt8]($0.raw) } }
}
