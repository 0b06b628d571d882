// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

extension HTTPRequest {
    /// Header fields by which a request is delimited or routed: two opinions about them are an attack (RFC 9112 §11.2).
    private static let reserved: [StaticString] = [
        "Host", "Content-Length", "Transfer-Encoding", "Connection", "Keep-Alive", "Proxy-Connection",
        "Proxy-Authorization", "Expect", "Upgrade", "HTTP2-Settings", "TE", "Trailer",
    ]

    /// Finds where the request goes, and refuses what must not or cannot be sent.
    func endpoints(_ known: EndpointCache? = nil) throws(TransportError) -> (target: Endpoint, route: Endpoint) {
        guard let target = known?.endpoint(url) ?? Endpoint(url: url) else {
            throw TransportError(.invalidURL, detail: "the URL must be of the form https://host[:port][/path][?query]")
        }
        guard target.isSecure || (tls.allowPlainHTTP && tls.pins.isEmpty) else {
            throw TransportError(.insecureURLRefused, detail: "the TLS policy does not allow http")
        }
        var route = target
        if let proxy {
            guard let endpoint = Endpoint(proxy: proxy) else {
                throw TransportError(
                    .proxy, detail: "the proxy must be http://, https:// or socks5h:// with a host and port")
            }
            route = endpoint
        }
        for header in headers {
            guard header.isValid else {
                throw TransportError(.invalidRequest, detail: "a header has a character that HTTP does not allow")
            }
            let name = header.name.utf8
            guard !Self.reserved.contains(where: { $0.withUTF8Buffer { ASCII.equalIgnoringCase($0, name) } }) else {
                throw TransportError(.invalidRequest, detail: "a header is reserved for the transport")
            }
        }
        if case .head = method, !body.isEmpty {
            throw TransportError(.invalidRequest, detail: "a HEAD request must not have a body")
        }
        if case .caPEM(let text) = tls.trust, text.isEmpty {
            throw TransportError(.tls, detail: "the PEM text of the certificate authorities is empty")
        }
        return (target, route)
    }
}

extension HTTPHeader {
    /// Whether it is one that HTTP allows.
    package var isValid: Bool { Self.isToken(name) && Self.isFieldValue(value) }

    /// RFC 9110 §5.6.2
    private static func isToken(_ name: String) -> Bool {
        !name.isEmpty
            && name.withBytes { bytes in
                bytes.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                        UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"):
                        true
                    default: "!#$%&'*+.^_`|~".utf8.contains(byte)
                    }
                }
            }
    }

    private static func isFieldValue(_ value: String) -> Bool {
        value.withBytes { bytes in bytes.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) } }
    }
}

/// The result for the last URL: thousands of clients use the same. On one thread only.
final class EndpointCache {
    private var url = ""
    private var endpoint: Endpoint?

    /// nil for what is no URL of a request.
    func endpoint(_ url: String) -> Endpoint? {
        if let endpoint, sameBytes(self.url, url) { return endpoint }
        endpoint = Endpoint(url: url)
        self.url = url
        return endpoint
    }
}
