// SPDX-License-Identifier: Apache-2.0
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
                correlation_id: text(trace.correlation), rate_limit: text(trace.rateLimit),
                rate_remaining: text(trace.rateRemaining), rate_reset: text(trace.rateReset),
                retry_after: text(trace.retryAfter), error: trace.failure.map { put($0) }))
    }
}
