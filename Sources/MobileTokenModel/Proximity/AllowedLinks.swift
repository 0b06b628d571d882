// SPDX-License-Identifier: Apache-2.0
/// The links that a host accepts: a scheme, or a scheme with what follows `//` up to the next `/`, `?` or `#`. Upper and lower
/// case letters are the same.
package struct AllowedLinks {
    private var links: [[UInt8]] = []

    package init() {}

    /// Accepts links as `mtoken` or `mtoken://operation`.
    package mutating func append(_ link: String) { links.append(link.utf8.map(Self.lower)) }

    package func allows(scheme: UnsafeRawBufferPointer, authority: UnsafeRawBufferPointer) -> Bool {
        let scheme = scheme.map(Self.lower)
        let whole = scheme + [UInt8]("://".utf8) + authority.map(Self.lower)
        return links.contains { $0 == scheme || !authority.isEmpty && $0 == whole }
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
