/* Events: what happened, read by the host when it likes. */
#ifndef MTOKEN_EVENT_H
#define MTOKEN_EVENT_H

#include "base.h"
#include "error.h"

MTOKEN_BEGIN

/* Kinds of events. Ignore kinds that you do not know. */
#define MTOKEN_EVENT_TASK 1         /* a task has completed: mtoken_event_task */
#define MTOKEN_EVENT_STATE_STORED 2 /* a client's state was stored durably: mtoken_event_client */
#define MTOKEN_EVENT_LOG 3          /* a log line: mtoken_event_log_level, mtoken_event_message */

/* MTOKEN_EVENT_..., or 0 for an invalid handle. */
MTOKEN_API int32_t mtoken_event_kind(mtoken_event *event);

/* The client that the event is about. NULL: none. The handle may have been freed since: compare it, or use it and be told. */
MTOKEN_API mtoken_client *mtoken_event_client(mtoken_event *event);

/* The task of MTOKEN_EVENT_TASK, otherwise NULL. Same remark. Not a new reference: the host frees its task as usual. */
MTOKEN_API mtoken_task *mtoken_event_task(mtoken_event *event);

/* The level of MTOKEN_EVENT_LOG, otherwise 0. */
MTOKEN_API int32_t mtoken_event_log_level(mtoken_event *event);

/* The text of MTOKEN_EVENT_LOG, otherwise NULL. Lives as long as the event. */
MTOKEN_API const char *mtoken_event_message(mtoken_event *event);

/* Milliseconds since the epoch when the event was queued; 0 for an invalid handle. */
MTOKEN_API int64_t mtoken_event_time(mtoken_event *event);

/* Gives the event back. NULL is fine. */
MTOKEN_API void mtoken_event_free(mtoken_event *event);

MTOKEN_END

#endif
