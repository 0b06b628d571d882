// SPDX-License-Identifier: Apache-2.0
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
        let method: HTTPMethod? = text.withBytes { (text: UnsafeRawBufferPointer) -> HTTPMethod? in
            func named(_ method: HTTPMethod) -> HTTPMethod? { sameBytes(method.text, text) ? method : nil }
            return named(.get) ?? named(.post) ?? named(.head) ?? named(.put) ?? named(.delete) ?? named(.patch)
        }
        guard let method else { return nil }
        self = method
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
