/* SPDX-License-Identifier: Apache-2.0 */
/* Traces: network requests and responses, without secrets. */
#ifndef MTOKEN_TRACE_H
#define MTOKEN_TRACE_H

#include "base.h"
#include "error.h"

MTOKEN_BEGIN

/* Stages of a request. */
MTOKEN_ENUM(mtoken_trace_stage_values) {
    MTOKEN_TRACE_REQUEST = 1, /* a request was handed to the network */
    MTOKEN_TRACE_ANSWER = 2,  /* its response is complete */
    MTOKEN_TRACE_FAILURE = 3, /* there is no response: see error */
};
typedef int32_t mtoken_trace_stage;

/* One stage of a request. Contains no bodies, and of the headers only the values below. */
typedef struct mtoken_trace {
    mtoken_trace_stage stage;                   /* MTOKEN_TRACE_... */
    /* Number of the request in this runtime, from 1: connects the stages of one request */
    int64_t request_number;
    const char *call; /* kind of call, e.g. "operation list"; never NULL */
    const char *url;                            /* never NULL */
    const char *header_names;                   /* of the request, joined by ", "; never NULL */
    size_t request_size;                        /* bytes of the request's body */
    int32_t http_status;                        /* ANSWER; otherwise 0 */
    size_t answer_size;                         /* ANSWER: bytes of the body; otherwise 0 */
    /* ANSWER: when the transfer began, in milliseconds after REQUEST; otherwise 0 */
    int64_t started_ms;
    int64_t finished_ms;                        /* ANSWER: likewise, when it was complete */
    mtoken_bool reused_connection;              /* ANSWER: 1: an open connection was reused */
    /* X-Correlation-ID or X-Request-ID of the request, or else of the response; NULL if none */
    const char *MTOKEN_NULLABLE correlation_id;
    /* RateLimit-Limit of the response, also under its older names; NULL if none */
    const char *MTOKEN_NULLABLE rate_limit;
    const char *MTOKEN_NULLABLE rate_remaining; /* RateLimit-Remaining, likewise */
    const char *MTOKEN_NULLABLE rate_reset;     /* RateLimit-Reset, likewise */
    const char *MTOKEN_NULLABLE retry_after;    /* Retry-After, likewise */
    const mtoken_error *MTOKEN_NULLABLE error;  /* FAILURE; otherwise NULL */
} mtoken_trace;

MTOKEN_END

#endif
