// SPDX-License-Identifier: Apache-2.0
import CSystem
import MobileTokenCrypto

/// Where a connection goes: taken from a URL by rules that leave nothing to interpret, so that this module, libcurl and
/// the server mean the same host. It refuses everything that libcurl would repair or guess: spaces, `host:`, `127.1`,
/// backslashes, user information, non-ASCII names by the locale's rules.
package struct Endpoint: Equatable {
    enum Kind: Equatable {
        case name, ipvV4, ipv6
    }

    /// The scheme in lower case.
    let scheme: [UInt8]
    /// The host in lower case, without brackets.
    let host: [UInt8]
    let kind: Kind
    let port: UInt16

    /// Whether the URL of a request says `https`.
    package var isSecure: Bool { Self.equal(scheme, "https") }

    /// Whether the host is this machine itself, by address or as `localhost`.
    package var isLoopback: Bool {
        Self.equal(host, "127.0.0.1") || Self.equal(host, "::1") || Self.equal(host, "localhost")
    }

    /// From the URL of a request: `http` or `https` (RFC 3986, without user information and fragment).
    package init?(url: String) {
        let bytes = [UInt8](url.utf8)
        guard bytes.count <= 8192, let (scheme, rest) = Self.split(bytes),
            Self.equal(scheme, "https") || Self.equal(scheme, "http")
        else { return nil }
        var authority = rest
        if let end = rest.firstIndex(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }) {
            guard rest[end...].allSatisfy(Self.isURLCharacter) else { return nil }
            authority = rest[..<end]
        }
        let standard: UInt16 = Self.equal(scheme, "https") ? 443 : 80
        self.init(scheme: scheme, authority: authority, defaultPort: standard)
    }

    /// From the URL of a proxy: `http`, `https` or `socks5h`, optional user information, host and port.
    package init?(proxy: String) {
        let bytes = [UInt8](proxy.utf8)
        guard bytes.count <= 1024, bytes.allSatisfy(Self.isURLCharacter), let (scheme, rest) = Self.split(bytes),
            Self.equal(scheme, "http") || Self.equal(scheme, "https") || Self.equal(scheme, "socks5h"),
            !rest.contains(UInt8(ascii: "/")), !rest.contains(UInt8(ascii: "?"))
        else { return nil }
        var authority = rest
        if let at = rest.lastIndex(of: UInt8(ascii: "@")) {
            guard !rest[..<at].contains(UInt8(ascii: "@")) else { return nil }
            authority = rest[(at + 1)...]
        }
        self.init(scheme: scheme, authority: authority, defaultPort: nil)
    }

    private init?(scheme: [UInt8], authority: ArraySlice<UInt8>, defaultPort: UInt16?) {
        var host = authority
        var port = defaultPort
        let isBracketed = authority.first == UInt8(ascii: "[")
        if isBracketed {
            guard let end = authority.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            host = authority[(authority.startIndex + 1)..<end]
            let rest = authority[(end + 1)...]
            if !rest.isEmpty {
                guard rest.first == UInt8(ascii: ":"), let number = Self.port(rest.dropFirst()) else { return nil }
                port = number
            }
        } else if let colon = authority.firstIndex(of: UInt8(ascii: ":")) {
            guard let number = Self.port(authority[(colon + 1)...]) else { return nil }
            host = authority[..<colon]
            port = number
        }
        guard let port, let kind = Self.kind(of: host, isBracketed: isBracketed) else { return nil }
        self.scheme = scheme
        self.host = host.map(ASCII.lowercased)
        self.kind = kind
        self.port = port
    }

    /// Splits at `://`.
    private static func split(_ bytes: [UInt8]) -> (scheme: [UInt8], rest: ArraySlice<UInt8>)? {
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes.count > colon + 3,
            bytes[colon + 1] == UInt8(ascii: "/"), bytes[colon + 2] == UInt8(ascii: "/")
        else { return nil }
        return (bytes[..<colon].map(ASCII.lowercased), bytes[(colon + 3)...])
    }

    private static func equal(_ bytes: [UInt8], _ text: StaticString) -> Bool { sameBytes(bytes, text) }

    /// The characters that RFC 3986 allows in path and query, with `%`, and without the `|[]` that browsers accept.
    private static func isURLCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "#"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"),
            UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
            false
        default: byte > 0x20 && byte < 0x7F
        }
    }

    private static func port(_ digits: ArraySlice<UInt8>) -> UInt16? {
        guard !digits.isEmpty, digits.count <= 5, digits.allSatisfy(isDigit) else { return nil }
        let value = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        guard value > 0 else { return nil }
        return UInt16(exactly: value)
    }

    private static func kind(of host: ArraySlice<UInt8>, isBracketed: Bool) -> Kind? {
        if isBracketed { return isAddress(host, AF_INET6) ? .ipv6 : nil }
        guard !host.isEmpty, host.count <= 253 else { return nil }
        let labels = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        for label in labels {
            guard !label.isEmpty, label.count <= 63, label.allSatisfy(isHostCharacter),
                label.first != UInt8(ascii: "-"), label.last != UInt8(ascii: "-")
            else { return nil }
        }
        // A last label that is a number makes it an IPv4 address, which then has to be in the usual form (the rule of the
        // WHATWG's URL standard; libcurl would take "127.1" and "0x7f000001" too).
        guard let last = labels.last else { return nil }
        let isHexadecimal = last.prefix(2).map(ASCII.lowercased).elementsEqual("0x".utf8)
        guard isHexadecimal || last.allSatisfy(isDigit) else { return .name }
        return isAddress(host, AF_INET) ? .ipvV4 : nil
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }

    /// Letters, digits and hyphens; underscores appear in names of internal networks.
    private static func isHostCharacter(_ byte: UInt8) -> Bool {
        let lower = ASCII.lowercased(byte)
        return isDigit(byte) || (lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z")) || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: "_")
    }

    /// Whether the text is an address of the family in its usual form; IPv6 without brackets and zone.
    private static func isAddress(_ text: ArraySlice<UInt8>, _ family: Int32) -> Bool {
        guard text.count < 46, !text.contains(0) else { return false }
        var terminated = [UInt8](text)
        terminated.append(0)
        return terminated.withUnsafeBytes { source in
            withUnsafeTemporaryAllocation(byteCount: 16, alignment: 4) { target in
                inet_pton(family, source.baseAddress?.assumingMemoryBound(to: CChar.self), target.baseAddress) == 1
            }
        }
    }
}
