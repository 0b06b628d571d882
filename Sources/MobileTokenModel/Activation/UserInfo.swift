// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenJSON

/// Claims about the user, as OpenID Connect names them (client.md §12). null is the same as absent.
public final class UserInfo: @unchecked Sendable {
    /// All claims, a JSON object.
    public let document: JSONDocument

    /// Nil unless the text is a JSON object.
    package convenience init?(json: some Bytes) {
        guard let document = json.withBytes({ try? JSONDocument(parsing: $0) }), document.root.kind == .object else {
            return nil
        }
        self.init(document)
    }

    private init(_ document: JSONDocument) { self.document = document }

    /// All claims without white space or, if there is not enough memory for that, as they came.
    package var json: [UInt8] {
        let text = document.root.compact()
        return text.isEmpty ? [UInt8](document.root.raw) : text
    }

    /// A claim that is a text.
    package func text(_ name: StaticString) -> JSONText? { document.root[name]?.text }

    /// A claim that is true or false; absent is false.
    package func flag(_ name: StaticString) -> Bool { document.root[name]?.bool ?? false }

    /// A date as `yyyy-MM-dd`; nil for any other form.
    package var birthdate: JSONText? {
        guard let text = text("birthdate") else { return nil }
        let isDate = text.withBytes { bytes in
            bytes.count == 10
                && bytes.enumerated().allSatisfy { position, byte in
                    position == 4 || position == 7
                        ? byte == UInt8(ascii: "-") : (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                }
        }
        return isDate ? text : nil
    }

    /// When the claims were changed, in milliseconds since the epoch.
    package var updated: Int64? {
        guard let seconds = document.root["updated_at"]?.int64 else { return nil }
        let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        return overflow ? nil : milliseconds
    }

    /// The address, an object.
    package var address: JSONValue? {
        guard let address = document.root["address"], address.kind == .object else { return nil }
        return address
    }

    /// A text of the address with its line ends as LF.
    package static func lines(_ text: JSONText) -> [UInt8] {
        text.withBytes { bytes in
            var result: [UInt8] = []
            result.reserveCapacity(bytes.count)
            for (index, byte) in bytes.enumerated() {
                let ends = byte == 0x0D && index + 1 < bytes.count && bytes[index + 1] == 0x0A
                if !ends { result.append(byte) }
            }
            return result
        }
    }
}
