/* Events: what happened, read by the host when it likes. */
#ifndef MTOKEN_EVENT_H
#define MTOKEN_EVENT_H

#include "base.h"
#include "error.h"
#include "runtime.h"

MTOKEN_BEGIN

/* Kinds of events. Ignore kinds that you do not know. */
MTOKEN_ENUM(mtoken_event_kind_values) {
    MTOKEN_EVENT_TASK = 1,               /* a task has completed: mtoken_event_task */
    MTOKEN_EVENT_STATE_STORED = 2, /* a client's state was stored durably: mtoken_event_client */
    MTOKEN_EVENT_LOG = 3, /* a log line: mtoken_event_log_level, mtoken_event_message */
    /* The user is asked something: mtoken_event_challenge (mobile_auth.h) */
    MTOKEN_EVENT_CHALLENGE = 16,
    /*
     * Of the operations that a client knows (registry.h), for every fetch, whoever asked for it:
     * first LOADING with 1, then CHANGED (also without a difference) or FAILED, then LOADING with
     * 0. CHANGED comes after claims, approvals and rejections too.
     */
    MTOKEN_EVENT_OPERATIONS_CHANGED = 4, /* mtoken_event_operations */
    MTOKEN_EVENT_OPERATIONS_FAILED = 5,  /* mtoken_event_error */
    MTOKEN_EVENT_OPERATIONS_LOADING = 6, /* mtoken_event_loading */
    MTOKEN_EVENT_OPERATIONS_EXPIRED = 7, /* mtoken_event_expired, mtoken_event_watcher */
    MTOKEN_EVENT_TRACE = 8,              /* a request or its answer: mtoken_event_trace */
    /*
     * Polling of operations (registry.h): it asks for the status only, at growing intervals,
     * because the activation is not active: mtoken_event_error tells why; and it has found the
     * activation active and goes on.
     */
    MTOKEN_EVENT_POLLING_WAITS = 9,
    MTOKEN_EVENT_POLLING_GOES_ON = 10,
};
typedef int32_t mtoken_event_kind;

/* MTOKEN_EVENT_..., or 0 for an invalid handle. */
MTOKEN_API mtoken_event_kind mtoken_event_get_kind(const mtoken_event *event);

/*
 * The client that the event is about. NULL: none. The handle may have been freed since: compare it,
 * or use it and be told.
 */
MTOKEN_API mtoken_client *MTOKEN_NULLABLE mtoken_event_client(const mtoken_event *event);

/*
 * The task of MTOKEN_EVENT_TASK, otherwise NULL. Same remark. Not a new reference: the host frees
 * its task as usual.
 */
MTOKEN_API mtoken_task *MTOKEN_NULLABLE mtoken_event_task(const mtoken_event *event);

/* The level of MTOKEN_EVENT_LOG, otherwise 0. */
MTOKEN_API mtoken_log_level mtoken_event_log_level(const mtoken_event *event);

/* The text of MTOKEN_EVENT_LOG, otherwise NULL. Lives as long as the event. */
MTOKEN_API const char *MTOKEN_NULLABLE mtoken_event_message(const mtoken_event *event);

/* Milliseconds since the epoch when the event was queued; 0 for an invalid handle. */
MTOKEN_API int64_t mtoken_event_time(const mtoken_event *event);

/* Gives the event back. NULL is fine. */
MTOKEN_API void mtoken_event_free(mtoken_event *received);

MTOKEN_END

#endif
