// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenHTTP

/// Options of one call, which override the client's.
public final class CallOptions: Sendable {
    /// Of each request; nil: the client's.
    public let timeoutMilliseconds: Int32?
    /// nil: the client's.
    public let language: String?
    /// nil: the client's.
    public let userAgent: String?
    /// Further header fields.
    public let headers: [HTTPHeader]
    /// `X-Correlation-ID` of all requests of the call; nil: as the client's options say.
    public let correlationID: String?

    /// The options of one call.
    public init(
        timeoutMilliseconds: Int32?, language: String?, userAgent: String?, headers: [HTTPHeader],
        correlationID: String? = nil
    ) throws(Failure) {
        if let language { try HeaderText.check(language, "language") }
        if let userAgent { try HeaderText.check(userAgent, "user_agent") }
        self.timeoutMilliseconds = timeoutMilliseconds
        self.language = language
        self.userAgent = userAgent
        self.headers = headers
        self.correlationID = correlationID
    }
}

/// Texts for the library's own header fields.
enum HeaderText {
    static func check(_ text: String, _ name: StaticString) throws(Failure) {
        guard text.utf8.count <= 1024, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw .argument(words(name, " must be printable ASCII, at most 1024 characters."))
        }
    }
}

/// Header fields of the host's own.
package enum ExtraHeaders {
    /// The most of one client or call.
    package static let maximumCount = 32

    /// Headers that only the library or its transport sets.
    private static let reserved: [StaticString] = [
        "content-type", "content-length", "content-encoding", "transfer-encoding", "host", "connection", "keep-alive",
        "proxy-connection", "proxy-authorization", "expect", "upgrade", "http2-settings", "te", "trailer", "cookie",
    ]

    /// How the names of fields of authentication begin.
    private static let authentication = "x-powerauth-"

    /// Checks one: no field of authentication, none that belongs to the transport, nothing that breaks HTTP.
    package static func check(_ name: String, _ value: String) throws(Failure) -> HTTPHeader {
        guard value.utf8.count <= 4096, value.utf8.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0x09 }) else {
            throw .argument("A header's value must be printable ASCII, at most 4096 characters.")
        }
        let header = HTTPHeader(name, value)
        guard name.utf8.count <= 128, header.isValid else {
            throw .argument("A header's name is empty, too long, or has a character that HTTP does not allow.")
        }
        let start = String(utf8: name.utf8.prefix(authentication.utf8.count))
        guard !reserved.contains(where: { isSame($0.description, name) }), !isSame(start, authentication) else {
            throw .argument("The library sets this header itself. Remove it from the request.")
        }
        return header
    }

    /// Sets a field: one of the same name is replaced.
    @inline(never)
    static func set(_ header: HTTPHeader, in headers: inout [HTTPHeader]) {
        headers.removeAll { isSame($0.name, header.name) }
        headers.append(header)
    }

    @inline(never)
    static func isSame(_ one: String, _ other: String) -> Bool { ASCII.equalIgnoringCase(one.utf8, other.utf8) }
}
