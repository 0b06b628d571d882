import MobileTokenCrypto
import MobileTokenHTTP
import MobileTokenJSON

/// An HTTP answer, read in the order of errors.md §2: success needs status 200 and an envelope that says OK.
struct Reply {
    private let response: HTTPResponse
    private let errors: ErrorTable

    init(_ response: HTTPResponse, errors: ErrorTable) {
        self.response = response
        self.errors = errors
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

    /// Neither a success nor a refusal that can be read.
    private var unreadable: Failure {
        var failure: Failure
        if response.status == 200 {
            failure = Failure(
                .protocol, Reason.networkInvalidResponse, "The server's answer is not what the protocol asks for.",
                outcome: .answered)
        } else {
            failure = Failure(
                .http, Reason.networkErrorStatusCode,
                "The server answered with HTTP status \(response.status) and no readable error object.",
                outcome: .answered, retriable: response.status >= 500)
        }
        failure.httpStatus = Int32(truncatingIfNeeded: response.status)
        return failure
    }

    /// The server's error object.
    private func refusal(_ error: ReplyEnvelope.ServerError) -> Failure {
        let code = ServerText.cleaned(error.code.string, limit: ServerText.codeLimit)
        let message = ServerText.cleaned(error.message.string)
        let refused = response.status == 401 && code != "OPERATION_FAILED"
        var failure = Failure(
            refused ? .authentication : .server, errors.reason(code) ?? Reason.networkGeneric,
            refused
                ? "The server refused the authentication (\(code)). Fetch the activation status to learn what is left."
                : "The server answered with the error \(code).",
            outcome: .answered, retriable: response.status >= 500)
        failure.httpStatus = Int32(truncatingIfNeeded: response.status)
        failure.serverCode = code
        failure.serverMessage = message
        failure.recoveryPUKIndex = error.recoveryPUKIndex.flatMap { Int32(exactly: $0) }
        failure.upstreamReason = errors.upstreamReason(code)
        return failure
    }
}
