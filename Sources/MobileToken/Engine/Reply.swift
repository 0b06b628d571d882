// SPDX-License-Identifier: Apache-2.0
import MobileTokenCrypto
import MobileTokenHTTP
import MobileTokenJSON
import MobileTokenModel

/// An HTTP answer, read in the order of errors.md §2: success needs status 200 and an envelope that says OK.
struct Reply {
    private let response: HTTPResponse
    private let errors: ErrorTable
    /// The device's time, milliseconds since the epoch.
    private let now: Int64

    init(_ response: HTTPResponse, errors: ErrorTable, now: Int64) {
        self.response = response
        self.errors = errors
        self.now = now
    }

    /// The envelope of a successful plain answer.
    func plain() throws(Failure) -> ReplyEnvelope {
        guard let envelope = response.body.withBytes({ try? ReplyEnvelope(parsing: $0) }) else { throw unreadable }
        if case .failure(let error) = envelope.outcome { throw refusal(error) }
        guard response.status == 200 else { throw unreadable }
        return envelope
    }

    /// The cryptogram of a successful encrypted answer. An answer in plain text is accepted as a refusal only.
    func encrypted() throws(Failure) -> JSONDocument {
        guard let document = try? JSONDocument(parsing: response.body) else { throw unreadable }
        if let envelope = try? ReplyEnvelope(document), case .failure(let error) = envelope.outcome {
            throw refusal(error)
        }
        guard response.status == 200 else { throw unreadable }
        return document
    }

    /// The document of a server that knows no envelopes.
    func document() throws(Failure) -> JSONDocument {
        guard response.status == 200, let document = try? JSONDocument(parsing: response.body) else { throw unreadable }
        return document
    }

    /// Neither a success nor a readable refusal: perhaps a gateway's page, and the bank may have acted.
    private var unreadable: Failure {
        var failure: Failure
        if response.status == 200 {
            failure = Failure(
                .protocol, Reason.networkInvalidResponse, "The server's response does not follow the protocol.",
                outcome: .answered)
        } else {
            failure = Failure(
                .http, Reason.networkErrorStatusCode,
                filled("The server returned HTTP status % without a valid error object.", String(response.status)),
                outcome: .answered, retriable: isPassing)
        }
        failure.httpStatus = Int32(truncatingIfNeeded: response.status)
        failure.retryAfter = retryAfter
        return failure
    }

    private func refusal(_ error: ReplyEnvelope.ServerError) -> Failure {
        let code = ServerText.cleaned(error.code.string, limit: ServerText.codeLimit)
        let message = ServerText.cleaned(error.message.string)
        let isOutage = response.status == 401 && Failure.isOutage(message)
        let errors = isOutage ? .status : self.errors
        let refused = response.status == 401 && !isOutage && code.byBytes != "OPERATION_FAILED"
        let isFactor = response.status == 401 && message.byBytes == "POWER_AUTH_CODE_TYPE_INVALID"
        let text: StaticString
        if isFactor {
            text = "The server does not allow these factors here, and counted no failed attempt."
        } else if errors == .status {
            text = "The server cannot look up the activation (%): its back end may be down. Try again later."
        } else if refused {
            text = "The server refused the request (%) without giving a reason."
        } else {
            text = "The server returned the error %."
        }
        var failure = Failure(
            isFactor ? .factor : refused ? .authentication : .server,
            isFactor ? Reason.factorNotAllowed : errors.reason(code) ?? Reason.networkGeneric, filled(text, code),
            outcome: .answered, retriable: isPassing || errors == .status)
        failure.isRefusal = !isPassing && !isOutage
        failure.httpStatus = Int32(truncatingIfNeeded: response.status)
        failure.retryAfter = retryAfter
        failure.serverCode = code
        failure.serverMessage = message
        failure.recoveryPUKIndex = error.recoveryPUKIndex.flatMap { Int32(exactly: $0) }
        failure.customInfo = error.customInfo
        failure.upstreamReason = errors.upstreamReason(code)
        return failure
    }

    /// The status reports trouble of the server or a gateway, not a fault of the request.
    private var isPassing: Bool { response.status >= 500 || response.status == 408 || response.status == 429 }

    /// `Retry-After` in milliseconds, an hour at most.
    private var retryAfter: Int64? {
        guard isPassing, let seconds = response.headers.retryAfterSeconds(now: now) else { return nil }
        return min(seconds, 3_600) * 1_000
    }
}
