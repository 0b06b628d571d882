/* Traces: what goes over the network, without secrets. */
#ifndef MTOKEN_TRACE_H
#define MTOKEN_TRACE_H

#include "base.h"
#include "error.h"

MTOKEN_BEGIN

/* What a trace tells. */
MTOKEN_ENUM(mtoken_trace_stage_values) {
    MTOKEN_TRACE_REQUEST = 1, /* a request was handed to the network */
    MTOKEN_TRACE_ANSWER = 2,  /* its answer is complete */
    MTOKEN_TRACE_FAILURE = 3, /* there is none: see error */
};
typedef int32_t mtoken_trace_stage;

/* Bodies and values of headers are not told, but for the few below. */
typedef struct mtoken_trace {
    mtoken_trace_stage stage;                   /* MTOKEN_TRACE_... */
    /* Number of the request in this runtime, from 1: joins what belongs together */
    int64_t request_number;
    const char *call;                           /* what it is, e.g. "operation list"; never NULL */
    const char *url;                            /* never NULL */
    const char *header_names;                   /* of the request, joined by ", "; never NULL */
    size_t request_size;                        /* bytes of the request's body */
    int32_t http_status;                        /* ANSWER; else 0 */
    size_t answer_size;                         /* bytes of the answer's body */
    /* ANSWER: when the transfer began, in milliseconds after the request was handed over */
    int64_t started_ms;
    int64_t finished_ms;                        /* ANSWER: when it was complete */
    mtoken_bool reused_connection;              /* ANSWER: 1: an open connection was used again */
    /* X-Correlation-ID or X-Request-ID of the request, else of the answer; NULL: none */
    const char *MTOKEN_NULLABLE correlation_id;
    /* RateLimit-Limit of the answer, also by its older names; NULL: none */
    const char *MTOKEN_NULLABLE rate_limit;
    const char *MTOKEN_NULLABLE rate_remaining; /* RateLimit-Remaining */
    const char *MTOKEN_NULLABLE rate_reset;     /* RateLimit-Reset */
    const char *MTOKEN_NULLABLE retry_after;    /* Retry-After */
    const mtoken_error *MTOKEN_NULLABLE error;  /* FAILURE; else NULL */
} mtoken_trace;

MTOKEN_END

#endif
