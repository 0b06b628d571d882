import CMToken
import MobileToken
import MobileTokenHTTP

extension Arena {
    func put(_ trace: TraceRecord) -> UnsafePointer<mtoken_trace> {
        put(
            mtoken_trace(
                stage: trace.stage.rawValue, request_number: trace.number, call: cString(trace.call),
                url: text(trace.url),
                header_names: text(trace.headerNames), request_size: trace.requestSize, http_status: trace.status,
                answer_size: trace.answerSize, started_ms: trace.timing.started, finished_ms: trace.timing.finished,
                reused_connection: trace.timing.reusedConnection ? 1 : 0,
                correlation_id: trace.correlation.map { text($0) }, rate_limit: trace.rateLimit.map { text($0) },
                rate_remaining: trace.rateRemaining.map { text($0) }, rate_reset: trace.rateReset.map { text($0) },
                retry_after: trace.retryAfter.map { text($0) }, error: trace.failure.map { put($0) }))
    }
}
