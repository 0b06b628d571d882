// SPDX-License-Identifier: Apache-2.0
/// A text that is compared, ordered and hashed by its bytes.
///
/// `String` takes texts for equal that Unicode calls equivalent. No protocol asks for that, and the product would need tables of
/// 33 kB for it.
package struct ByteKey: Comparable, Hashable, ExpressibleByStringLiteral {
    package let text: String

    package init(stringLiteral text: String) { self.text = text }

    @inline(never)
    package static func == (one: ByteKey, other: ByteKey) -> Bool { sameBytes(one.text, other.text) }

    package static func < (one: ByteKey, other: ByteKey) -> Bool {
        precedes(one.text, other.text)
    }

    package func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}

extension String {
    /// The text, to be compared by its bytes.
    package var byBytes: ByteKey { ByteKey(stringLiteral: self) }
}
