// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// The public data of a token.
package struct TokenInfo: Equatable, Sendable {
    /// The server's identifier of the token.
    package let id: [UInt8]
    /// The factors of the signature with which it was created.
    package let factors: Factors

    /// The identifier of the token that a value of `X-PowerAuth-Token` belongs to; nil if it is not one.
    package static func identifier(inHeader value: String) -> [UInt8]? {
        let name: StaticString = "token_id=\""
        let bytes = [UInt8](value.utf8)
        let count = name.utf8CodeUnitCount
        for start in bytes.indices where bytes.count - start > count {
            guard sameBytes(bytes[start..<(start + count)], name) else { continue }
            let identifier = [UInt8](bytes[(start + count)...].prefix { $0 != UInt8(ascii: "\"") })
            return isIdentifier(identifier) ? identifier : nil
        }
        return nil
    }
}
