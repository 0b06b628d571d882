/* Events: what happened, read by the host when it likes. */
#ifndef MTOKEN_EVENT_H
#define MTOKEN_EVENT_H

#include "base.h"
#include "error.h"
#include "registry.h"
#include "trace.h"
#include "watcher.h"

MTOKEN_BEGIN

/* Kinds of events. Ignore kinds that you do not know. */
MTOKEN_ENUM(mtoken_event_kind_values) {
    MTOKEN_EVENT_TASK = 1,               /* a task has completed */
    MTOKEN_EVENT_STATE_STORED = 2,       /* a client's state was stored durably */
    MTOKEN_EVENT_LOG = 3,                /* a log line */
    /*
     * Of the operations that a client knows (registry.h), for every fetch, whoever asked for it:
     * first LOADING with 1, then CHANGED (also without a difference) or FAILED, then LOADING with
     * 0. CHANGED comes after claims, approvals and rejections too.
     */
    MTOKEN_EVENT_OPERATIONS_CHANGED = 4,
    MTOKEN_EVENT_OPERATIONS_FAILED = 5,
    MTOKEN_EVENT_OPERATIONS_LOADING = 6,
    MTOKEN_EVENT_OPERATIONS_EXPIRED = 7, /* of a watcher (watcher.h) */
    MTOKEN_EVENT_TRACE = 8,              /* a request or its answer (trace.h) */
    MTOKEN_EVENT_CHALLENGE = 9,          /* the user is asked something (mobile_auth.h) */
    /*
     * Polling of operations (registry.h): it asks for the status only, at growing intervals,
     * because the activation is not active: the error tells why; and it has found the activation
     * active and goes on.
     */
    MTOKEN_EVENT_POLLING_WAITS = 10,
    MTOKEN_EVENT_POLLING_GOES_ON = 11,
};
typedef int32_t mtoken_event_kind;

/* Which events a runtime queues, added up. */
MTOKEN_FLAGS(mtoken_event_mask_values) {
    MTOKEN_EVENT_MASK_NONE = 0,         /* only those that mtoken_task_notify asks for */
    MTOKEN_EVENT_MASK_TASKS = 1,        /* MTOKEN_EVENT_TASK, of every task */
    MTOKEN_EVENT_MASK_STATE = 2,        /* MTOKEN_EVENT_STATE_STORED */
    MTOKEN_EVENT_MASK_LOG = 4,          /* MTOKEN_EVENT_LOG */
    MTOKEN_EVENT_MASK_OPERATIONS = 8,   /* MTOKEN_EVENT_OPERATIONS_..., MTOKEN_EVENT_POLLING_... */
    MTOKEN_EVENT_MASK_TRACE = 16,       /* MTOKEN_EVENT_TRACE */
    MTOKEN_EVENT_MASK_CHALLENGES = 32,  /* MTOKEN_EVENT_CHALLENGE */
    MTOKEN_EVENT_MASK_ALL = 0x7fffffff,
};
typedef int32_t mtoken_event_mask;

/* Log levels. Logs never hold PINs, keys, tokens, codes, or texts of operations. */
MTOKEN_CLOSED_ENUM(mtoken_log_level_values) {
    MTOKEN_LOG_OFF = 0,
    MTOKEN_LOG_ERROR = 1,   /* something on this device fails: storage, memory */
    MTOKEN_LOG_WARNING = 2, /* a call failed, something was left out, or an option is not safe */
    MTOKEN_LOG_INFO = 3,    /* each request and its answer */
    MTOKEN_LOG_DEBUG = 4,   /* why a call waits, and each time that the state is stored */
};
typedef int32_t mtoken_log_level;

/*
 * An event: read-only, free with mtoken_event_free. What it points to lives as long as it, and
 * outlives the runtime; the handles in it are not new references: what they name may have been
 * freed since. Compare them, or use them and be told.
 */
typedef struct mtoken_event {
    mtoken_event_kind kind;                             /* MTOKEN_EVENT_... */
    mtoken_log_level log_level;                         /* LOG: MTOKEN_LOG_...; else 0 */
    int64_t time; /* when it was queued: milliseconds since the epoch */
    mtoken_client *MTOKEN_NULLABLE client;              /* that the event is about; NULL: none */
    /* TASK; else NULL. The host frees its task as usual. */
    mtoken_task *MTOKEN_NULLABLE task;
    uint64_t tag; /* TASK: that of mtoken_task_notify; else 0 */
    const char *MTOKEN_NULLABLE message;                /* LOG: the line; else NULL */
    /* OPERATIONS_FAILED, POLLING_WAITS; else NULL */
    const mtoken_error *MTOKEN_NULLABLE error;
    const mtoken_trace *MTOKEN_NULLABLE trace;          /* TRACE; else NULL */
    /* OPERATIONS_CHANGED; else NULL */
    const mtoken_operations_change *MTOKEN_NULLABLE change;
    /* OPERATIONS_EXPIRED: what has; else NULL */
    const mtoken_watched_list *MTOKEN_NULLABLE expired;
    mtoken_watcher *MTOKEN_NULLABLE watcher;            /* OPERATIONS_EXPIRED: whose; else NULL */
    mtoken_challenge *MTOKEN_NULLABLE challenge; /* CHALLENGE, until it is taken; else NULL */
    /*
     * Log lines and traces that were dropped between the event before and this one: while 10,000
     * events wait, new ones of these two kinds are; others never are
     */
    int64_t dropped;
    /* OPERATIONS_LOADING: 1: a fetch has begun; 0: it has ended. Else 0 */
    mtoken_bool is_loading;
} mtoken_event;

/*
 * Takes the challenge out of an event of kind MTOKEN_EVENT_CHALLENGE: from now on it belongs to the
 * host, which frees it with mtoken_challenge_free. It is the only thing that leaves an event. Not
 * by two threads at once.
 *
 * Returns      NULL: another kind of event, or it was taken before, or `received` is NULL
 */
MTOKEN_API mtoken_challenge *MTOKEN_NULLABLE mtoken_event_take_challenge(mtoken_event *received);

/* Frees an event. A challenge that was not taken ends, and counts as cancelled. NULL is fine. */
MTOKEN_API void mtoken_event_free(mtoken_event *received);

MTOKEN_END

#endif
