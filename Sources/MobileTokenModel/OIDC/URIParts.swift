// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// An absolute URI taken apart (RFC 3986 §3), as far as redirect URIs and what comes back to them need it.
package struct URIParts {
    /// Where a text stops being a URI.
    package struct Malformed: Error {
        package let offset: Int
    }

    /// Scheme, authority and path in the form in which two URIs of the same target are equal: scheme and authority in lower
    /// case, without a port that the scheme has anyway, an empty path as "/".
    package let target: [UInt8]
    /// In lower case.
    package let scheme: [UInt8]
    /// Host and port; nil for a URI like `com.example:/path`.
    package let authority: Range<Int>?
    package let path: Range<Int>
    package let query: Range<Int>?
    package let fragment: Range<Int>?

    /// Takes a URI of visible ASCII apart. User information is refused: no redirect has any.
    package init(_ text: UnsafeRawBufferPointer) throws(Malformed) {
        if let bad = text.firstIndex(where: { $0 <= 0x20 || $0 >= 0x7F }) { throw Malformed(offset: bad) }
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")), colon > 0 else { throw Malformed(offset: 0) }
        scheme = text[..<colon].map(ASCII.lowercased)
        if let bad = Self.badSchemeCharacter(scheme) { throw Malformed(offset: bad) }
        var end = text.count
        fragment = text.firstIndex(of: UInt8(ascii: "#")).map { $0 + 1..<text.count }
        if let fragment { end = fragment.lowerBound - 1 }
        guard colon < end else { throw Malformed(offset: colon) }
        var start = colon + 1
        query = text[start..<end].firstIndex(of: UInt8(ascii: "?")).map { [end] in $0 + 1..<end }
        if let query { end = query.lowerBound - 1 }
        var target = scheme
        target.append(UInt8(ascii: ":"))
        if end - start >= 2, text[start] == UInt8(ascii: "/"), text[start + 1] == UInt8(ascii: "/") {
            start += 2
            let stop = text[start..<end].firstIndex(of: UInt8(ascii: "/")) ?? end
            if let at = text[start..<stop].firstIndex(of: UInt8(ascii: "@")) { throw Malformed(offset: at) }
            authority = start..<stop
            target.append(contentsOf: [UInt8(ascii: "/"), UInt8(ascii: "/")])
            target.append(contentsOf: text[start..<stop].map(ASCII.lowercased))
            if Self.equal(scheme, "https") { Self.drop(":443", from: &target) }
            if Self.equal(scheme, "http") { Self.drop(":80", from: &target) }
            start = stop
        } else {
            authority = nil
        }
        path = start..<end
        if path.isEmpty { target.append(UInt8(ascii: "/")) } else { target.append(contentsOf: text[path]) }
        self.target = target
    }

    package static func equal(_ bytes: [UInt8], _ text: StaticString) -> Bool { sameBytes(bytes, text) }

    private static func badSchemeCharacter(_ scheme: [UInt8]) -> Int? {
        for (offset, byte) in scheme.enumerated() {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): break
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
                if offset == 0 { return 0 }
            default: return offset
            }
        }
        return nil
    }

    private static func drop(_ ending: StaticString, from text: inout [UInt8]) {
        if sameBytes(text.suffix(ending.utf8CodeUnitCount), ending) { text.removeLast(ending.utf8CodeUnitCount) }
    }
}
