/* SPDX-License-Identifier: Apache-2.0 */
/* Events: queued until the host reads them. */
#ifndef MTOKEN_EVENT_H
#define MTOKEN_EVENT_H

#include "base.h"
#include "error.h"
#include "registry.h"
#include "trace.h"
#include "watcher.h"

MTOKEN_BEGIN

/* Kinds of events. Ignore unknown kinds. */
MTOKEN_ENUM(mtoken_event_kind_values) {
    MTOKEN_EVENT_TASK = 1,               /* a task has completed */
    MTOKEN_EVENT_STATE_STORED = 2,       /* a client's state was stored durably */
    MTOKEN_EVENT_LOG = 3,                /* a log line */
    /*
     * Progress of the operations that a client tracks (registry.h). Every fetch, whatever started
     * it, queues LOADING with 1, then CHANGED (even if nothing differs) or FAILED, then LOADING
     * with 0. Claims, approvals and rejections queue CHANGED too.
     */
    MTOKEN_EVENT_OPERATIONS_CHANGED = 4,
    MTOKEN_EVENT_OPERATIONS_FAILED = 5,
    MTOKEN_EVENT_OPERATIONS_LOADING = 6,
    MTOKEN_EVENT_OPERATIONS_EXPIRED = 7, /* operations of a watcher have expired (watcher.h) */
    MTOKEN_EVENT_TRACE = 8,              /* a request or its response (trace.h) */
    MTOKEN_EVENT_CHALLENGE = 9,          /* the user must answer a challenge (mobile_auth.h) */
    /*
     * Polling of operations (registry.h). WAITS: the activation is not active (the error says why),
     * so polling fetches only the status, at growing intervals. GOES_ON: the activation is active
     * and polling continues.
     */
    MTOKEN_EVENT_POLLING_WAITS = 10,
    MTOKEN_EVENT_POLLING_GOES_ON = 11,
    /*
     * A request for the host to send, and its end: do not send it any more (transport.h). Both are
     * queued for clients with MTOKEN_TRANSPORT_HOST, whatever the runtime's event mask is.
     */
    MTOKEN_EVENT_REQUEST = 12,
    MTOKEN_EVENT_REQUEST_ENDED = 13,
    /*
     * The server's counter has moved on without this client: another copy of its state has signed,
     * or an older state was restored. The client is in step again. Expect it after restoring a
     * backup; otherwise assume that the state was stolen, and have the bank block the activation.
     */
    MTOKEN_EVENT_COUNTER_BEHIND = 14,
};
typedef int32_t mtoken_event_kind;

/* Which events a runtime queues. Bit flags; combine with |. */
MTOKEN_FLAGS(mtoken_event_mask_values) {
    MTOKEN_EVENT_MASK_NONE = 0,         /* only those requested with mtoken_task_notify */
    MTOKEN_EVENT_MASK_TASKS = 1,        /* MTOKEN_EVENT_TASK, of every task */
    MTOKEN_EVENT_MASK_STATE = 2,        /* MTOKEN_EVENT_STATE_STORED */
    MTOKEN_EVENT_MASK_LOG = 4,          /* MTOKEN_EVENT_LOG */
    MTOKEN_EVENT_MASK_OPERATIONS = 8,   /* MTOKEN_EVENT_OPERATIONS_..., MTOKEN_EVENT_POLLING_... */
    MTOKEN_EVENT_MASK_TRACE = 16,       /* MTOKEN_EVENT_TRACE */
    MTOKEN_EVENT_MASK_CHALLENGES = 32,  /* MTOKEN_EVENT_CHALLENGE */
    MTOKEN_EVENT_MASK_COUNTER = 64,     /* MTOKEN_EVENT_COUNTER_BEHIND */
    MTOKEN_EVENT_MASK_ALL = 0x7fffffff,
};
typedef int32_t mtoken_event_mask;

/* Log levels. Logs never contain PINs, keys, tokens, codes or texts of operations. */
MTOKEN_CLOSED_ENUM(mtoken_log_level_values) {
    MTOKEN_LOG_OFF = 0,
    MTOKEN_LOG_ERROR = 1,   /* a failure on this device: storage, memory */
    MTOKEN_LOG_WARNING = 2, /* a call failed, an item was ignored, or an option is unsafe */
    MTOKEN_LOG_INFO = 3,    /* each request and its response */
    MTOKEN_LOG_DEBUG = 4,   /* why a call waits, and each save of the state */
};
typedef int32_t mtoken_log_level;

/* A header field of a request. */
typedef struct mtoken_http_header {
    const char *name;
    const char *value;
} mtoken_http_header;

/*
 * A request for the host to send (transport.h). Only the bank may see its content: do not log
 * headers and body.
 */
typedef struct mtoken_http_request {
    int64_t id;         /* of this request in this runtime, from 1; never used again */
    const char *method; /* "POST" or "GET" */
    const char *url;    /* https, or http if the client allows it */
    size_t header_count;
    /* In addition, send those that the body needs: Host, Content-Length. NULL if there are none */
    const mtoken_http_header *const *headers;
    const uint8_t *MTOKEN_NULLABLE body; /* NULL if there is none */
    size_t body_length;
    /* Device time after which a response is ignored, milliseconds since the epoch */
    int64_t deadline;
    size_t max_answer_size; /* a response with a larger body fails */
    /*
     * 1: it must not reach the server twice, also not by a stack that repeats requests on lost
     * connections: a signed one then fails, and may block the activation
     */
    mtoken_bool at_most_once;
} mtoken_http_request;

/*
 * An event. Read-only; free with mtoken_event_free. Everything it points to lives as long as the
 * event and outlives the runtime. The handles in it are not new references: the objects may have
 * been freed since. Compare them, or use them and expect HANDLE.
 */
typedef struct mtoken_event {
    mtoken_event_kind kind;                             /* MTOKEN_EVENT_... */
    mtoken_log_level log_level;                         /* LOG: MTOKEN_LOG_...; otherwise 0 */
    int64_t time; /* when it was queued: milliseconds since the epoch */
    mtoken_client *MTOKEN_NULLABLE client; /* the client concerned; NULL if there is none */
    /* TASK; otherwise NULL. The host must still free the task. */
    mtoken_task *MTOKEN_NULLABLE task;
    uint64_t tag; /* TASK: the tag from mtoken_task_notify; otherwise 0 */
    const char *MTOKEN_NULLABLE message;                /* LOG: the line; otherwise NULL */
    /* OPERATIONS_FAILED, POLLING_WAITS; otherwise NULL */
    const mtoken_error *MTOKEN_NULLABLE error;
    const mtoken_trace *MTOKEN_NULLABLE trace;          /* TRACE; otherwise NULL */
    /* OPERATIONS_CHANGED; otherwise NULL */
    const mtoken_operations_change *MTOKEN_NULLABLE change;
    /* OPERATIONS_EXPIRED: the expired operations; otherwise NULL */
    const mtoken_watched_list *MTOKEN_NULLABLE expired;
    mtoken_watcher *MTOKEN_NULLABLE watcher; /* OPERATIONS_EXPIRED: the watcher; otherwise NULL */
    mtoken_challenge *MTOKEN_NULLABLE challenge; /* CHALLENGE, until it is taken; otherwise NULL */
    /*
     * Log lines and traces dropped since the previous event. The library drops them while 10,000
     * events are queued; it never drops events of other kinds
     */
    int64_t dropped;
    /* OPERATIONS_LOADING: 1: a fetch has begun; 0: it has ended. Otherwise 0 */
    mtoken_bool is_loading;
    /* REQUEST, REQUEST_ENDED; otherwise NULL */
    const mtoken_http_request *MTOKEN_NULLABLE request;
    int32_t steps; /* COUNTER_BEHIND: how far the server was ahead, at least; otherwise 0 */
    /* STATE_STORED: MTOKEN_PROTOCOL_... and MTOKEN_SUITE_... of the activation; otherwise 0 */
    mtoken_protocol_version protocol_version;
    mtoken_suite suite;
} mtoken_event;

/*
 * Takes the challenge out of an event of kind MTOKEN_EVENT_CHALLENGE. From then on it belongs to
 * the host, which must free it with mtoken_challenge_free. Nothing else is ever taken out of an
 * event. Do not call it from two threads at once.
 *
 * Returns      NULL if the event is of another kind, its challenge was already taken, or `received`
 *              is NULL
 */
MTOKEN_API mtoken_challenge *MTOKEN_NULLABLE mtoken_event_take_challenge(mtoken_event *received);

/* Frees an event. A challenge that was not taken ends as cancelled. NULL is ignored. */
MTOKEN_API void mtoken_event_free(mtoken_event *received);

MTOKEN_END

#endif
