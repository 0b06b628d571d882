import MobileTokenCrypto

/// The HTTP methods that may be signed (powerauth.md §9.1).
package enum HTTPMethod: Sendable {
    case get
    case post
    case head
    case put
    case delete
    case patch

    /// Reads a method name in upper case; nil for anything else.
    package init?(text: some Bytes) {
        let candidates: [HTTPMethod] = [.get, .post, .head, .put, .delete, .patch]
        for candidate in candidates where sameBytes(candidate.text, text) {
            self = candidate
            return
        }
        return nil
    }

    /// The name as it enters the signed text.
    package var text: StaticString {
        switch self {
        case .get: "GET"
        case .post: "POST"
        case .head: "HEAD"
        case .put: "PUT"
        case .delete: "DELETE"
        case .patch: "PATCH"
        }
    }
}
