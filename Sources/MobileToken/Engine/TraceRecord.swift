// SPDX-License-Identifier: Apache-2.0
import MobileTokenHTTP

/// One step of a request, for those who watch the network: sizes, times and what the server says of limits, but no secret, no
/// body, and of headers only the names.
public final class TraceRecord: Sendable {
    /// Where in a request.
    public enum Stage: Int32, Sendable {
        case request = 1
        case answer = 2
        case failure = 3
    }

    /// Where in the request.
    public let stage: Stage
    /// Counts the requests of a runtime, from 1.
    public let number: Int64
    /// The name of the call.
    public let call: StaticString
    /// Where the request goes.
    public let url: String
    /// The names of the request's own header fields.
    public let headerNames: String
    /// Bytes of the body.
    public let requestSize: Int
    /// The HTTP status.
    public let status: Int32
    /// Bytes of the body.
    public let answerSize: Int
    package let timing: HTTPResponse.Timing
    /// Of the request, else of the answer.
    public let correlation: String?
    /// The server's own header field.
    public let rateLimit: String?
    /// The server's own header field.
    public let rateRemaining: String?
    /// The server's own header field.
    public let rateReset: String?
    /// The server's own header field.
    public let retryAfter: String?
    /// Why there is no answer.
    public let failure: Failure?

    init(_ stage: Stage, _ request: Request, response: HTTPResponse? = nil, failure: Failure? = nil) {
        self.stage = stage
        number = request.number
        call = request.call
        url = request.url
        headerNames = request.headerNames
        requestSize = request.size
        status = Int32(truncatingIfNeeded: response?.status ?? 0)
        answerSize = response?.body.count ?? 0
        timing = response?.timing ?? HTTPResponse.Timing()
        let headers = response?.headers ?? HTTPHeaders()
        correlation = request.correlation ?? headers["X-Correlation-ID"] ?? headers["X-Request-ID"]
        rateLimit = headers["RateLimit-Limit"] ?? headers["X-RateLimit-Limit"] ?? headers["X-Rate-Limit-Limit"]
        rateRemaining =
            headers["RateLimit-Remaining"] ?? headers["X-RateLimit-Remaining"] ?? headers["X-Rate-Limit-Remaining"]
        rateReset = headers["RateLimit-Reset"] ?? headers["X-RateLimit-Reset"] ?? headers["X-Rate-Limit-Reset"]
        retryAfter = headers["Retry-After"] ?? headers["X-Rate-Limit-Retry-After-Seconds"]
        self.failure = failure
    }

    /// The data of a request until its answer comes.
    struct Request {
        let number: Int64
        let call: StaticString
        let url: String
        let headerNames: String
        let size: Int
        let correlation: String?

        init(_ request: HTTPRequest, number: Int64, call: StaticString) {
            self.number = number
            self.call = call
            url = request.url
            size = request.body.count
            var names = ""
            var correlation: String?
            for header in request.headers {
                if !names.isEmpty { names += ", " }
                names += header.name
                if ExtraHeaders.isSame(header.name, "X-Correlation-ID")
                    || ExtraHeaders.isSame(header.name, "X-Request-ID")
                {
                    correlation = header.value
                }
            }
            headerNames = names
            self.correlation = correlation
        }
    }
}
