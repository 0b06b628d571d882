// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto

/// Identifies connections that are never shared: libcurl does not compare client certificates and proxy credentials
/// when it reuses a connection.
public final class ConnectionScope: Sendable {
    package init() {}
}

/// A request as a value. It holds all that decides how it is sent, so that clients with different TLS policies, proxies
/// or time limits share one transport.
public struct HTTPRequest: Sendable {
    /// The methods that the library needs.
    package enum Method: Sendable {
        case get, post, put, delete, patch, head

        /// The method as it is written on the wire.
        package var name: StaticString {
            switch self {
            case .get: "GET"
            case .post: "POST"
            case .put: "PUT"
            case .delete: "DELETE"
            case .patch: "PATCH"
            case .head: "HEAD"
            }
        }
    }

    package var method: Method
    /// `https://host[:port][/path][?query]`, ASCII and percent-encoded, without user information and fragment; an
    /// internationalised host name as A-labels (`xn--…`).
    package var url: String
    /// The header fields in order. Those that say where the request goes and where it ends (Host, Content-Length,
    /// Transfer-Encoding, Connection, Expect, Upgrade, …) are the transport's own and are refused here.
    package var headers: [HTTPHeader]
    /// The body; empty for none. POST, PUT and PATCH then carry `Content-Length: 0`.
    package var body: [UInt8]
    /// How long the whole exchange may take, counted from `Transport.send`, including the wait for a free place.
    /// Milliseconds; values below 1 count as 1.
    package var timeoutMilliseconds: Int64
    /// Whether the request is signed, so that it must not reach the server twice: it is then never repeated below the
    /// caller, not even on a connection that turns out to be dead.
    package var atMostOnce: Bool
    /// The largest accepted body of the answer, in bytes.
    package var maximumResponseSize: Int
    /// Whom to trust.
    package var tls: TLSPolicy
    /// `http://`, `https://` or `socks5h://` and `host:port`, with optional `user:password@`. nil connects directly. The
    /// environment's proxy variables are never used.
    package var proxy: String?
    /// The certificate for a server that requests one.
    package var identity: ClientIdentity?
    /// The owner of the connections that it may use; nil: all with the same policy and proxy.
    package var scope: ConnectionScope?
    /// The number of the client that sends it.
    package var client: UInt = 0

    package init(
        _ method: Method, _ url: String, headers: [HTTPHeader] = [], body: [UInt8] = [],
        timeoutMilliseconds: Int64 = 20_000, atMostOnce: Bool = false, maximumResponseSize: Int = 4 << 20,
        tls: TLSPolicy = TLSPolicy(), proxy: String? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeoutMilliseconds = timeoutMilliseconds
        self.atMostOnce = atMostOnce
        self.maximumResponseSize = maximumResponseSize
        self.tls = tls
        self.proxy = proxy
    }
}

/// One header field.
public struct HTTPHeader: Equatable, Sendable {
    /// A token of RFC 9110 §5.6.2. Compared without regard to case.
    public var name: String
    /// Visible ASCII or UTF-8, spaces and tabs. Line ends and other control characters are refused.
    public var value: String

    /// One field.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
