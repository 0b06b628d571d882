/* SPDX-License-Identifier: Apache-2.0 */
/* The runtime: one thread that serves the network, timers and events of many clients. */
#ifndef MTOKEN_RUNTIME_H
#define MTOKEN_RUNTIME_H

#include "base.h"
#include "error.h"
#include "event.h"

MTOKEN_BEGIN

/* Options of mtoken_runtime_new. */
typedef struct mtoken_runtime_options {
    size_t struct_size;
    /*
     * MTOKEN_EVENT_MASK_..., combined with |. Default: none. Read the events that you request: they
     * stay in memory until then.
     */
    mtoken_event_mask events;
    /* MTOKEN_LOG_...: the least severe level that MTOKEN_EVENT_MASK_LOG queues. Default: off */
    mtoken_log_level log_level;
    /* Maximum number of concurrent HTTP requests, 1 to 4096; 0: 256. Further requests queue. */
    int32_t max_transfers;
    int32_t reserved;           /* 0 */
} mtoken_runtime_options;

#define MTOKEN_RUNTIME_OPTIONS_INIT \
    { \
        sizeof(mtoken_runtime_options), MTOKEN_EVENT_MASK_NONE, MTOKEN_LOG_OFF, 0, 0 \
    }

/*
 * Creates a runtime and starts its thread, which blocks all signals except those raised by faults.
 * The first client with a host store or a sealer starts a second thread, which waits for these
 * (store.h); if several of them wait at once, the runtime starts more. The library starts no other
 * thread, but libcurl may briefly start one to resolve a host name.
 *
 * options      NULL: defaults
 * out_runtime  the new runtime; must be freed with mtoken_runtime_free
 * Errors       ARGUMENT, INTERNAL (no thread or descriptor available)
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_runtime_new(const mtoken_runtime_options *MTOKEN_NULLABLE options,
                   mtoken_runtime **out_runtime, mtoken_error **out_error);

/*
 * Stops the runtime and waits for its threads to end. Running tasks complete as cancelled, and
 * descriptors are closed. Threads blocked in mtoken_runtime_next_event return MTOKEN_ERROR_STATE;
 * threads that wait for tasks return as the tasks complete. Unread events are lost. Clients of the
 * runtime can no longer start network calls (MTOKEN_ERROR_STATE) but must still be freed. NULL is
 * ignored. Do not call it from a function of a host store.
 */
MTOKEN_API MTOKEN_BLOCKS void mtoken_runtime_free(mtoken_runtime *runtime);

/*
 * Takes the next event from the queue. Events arrive in the order in which they were queued, each
 * exactly once. Several threads may take events.
 *
 * timeout_ms   0: return at once; MTOKEN_FOREVER: wait without limit
 * out_event    the event; must be freed with mtoken_event_free
 * Errors       TIMEOUT (reason "waitTimeout": no event arrived), CANCELLED (reason "interrupted":
 *              mtoken_runtime_interrupt), STATE (the runtime was freed during the wait, or belongs
 *              to a parent process), HANDLE, ARGUMENT
 */
MTOKEN_API MTOKEN_BLOCKS MTOKEN_CHECKED mtoken_status
mtoken_runtime_next_event(mtoken_runtime *runtime, int64_t timeout_ms, mtoken_event **out_event,
                          mtoken_error **out_error);

/*
 * Ends all waits on this runtime that are in progress: mtoken_runtime_next_event, and
 * mtoken_task_wait and mtoken_task_join for its tasks, return CANCELLED. The tasks continue. Waits
 * that begin later are not affected. A thread that is about to wait could miss the interruption:
 * set a flag that it checks before each wait, and interrupt repeatedly until it has left:
 *
 *     leave = 1;
 *     do mtoken_runtime_interrupt(runtime, NULL); while (!has_left_within_10_ms());
 *
 * Other waiting threads wake up too: they check their own flag and wait again. Do not call it from
 * a signal handler: let the handler wake a thread that calls it. Errors: HANDLE, STATE (belongs to
 * a parent process).
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_runtime_interrupt(mtoken_runtime *runtime, mtoken_error **out_error);

/*
 * Counters of a runtime, for health checks. Each is correct by itself, but not all are read at the
 * same instant.
 */
typedef struct mtoken_runtime_info {
    size_t requests_under_way;    /* HTTP requests in progress */
    size_t requests_waiting;      /* HTTP requests queued because of max_transfers */
    size_t events_waiting;        /* events not yet read */
    size_t tasks_running;         /* started by the host and not yet completed */
    size_t clients;               /* open clients */
    size_t pollers;               /* clients that poll their operations, including paused ones */
    int64_t dropped_log_events;   /* since the runtime was created: see mtoken_event.dropped */
    int64_t dropped_trace_events; /* likewise, traces */
} mtoken_runtime_info;

/*
 * Returns the current counters. It is cheap, however many clients there are.
 *
 * out_info     must be freed with mtoken_runtime_info_free
 * Errors       HANDLE, STATE (belongs to a parent process), ARGUMENT
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_runtime_get_info(const mtoken_runtime *runtime, mtoken_runtime_info **out_info,
                        mtoken_error **out_error);
MTOKEN_API void mtoken_runtime_info_free(mtoken_runtime_info *info);

/*
 * Returns a descriptor that is readable while an event is queued, for poll, epoll, asyncio, libuv
 * or GLib; -1 for an invalid handle. The descriptor belongs to the runtime: only watch it; do not
 * read, write or close it. When it becomes readable, take events with timeout 0 until TIMEOUT. Stop
 * watching it before you free the runtime. A child created by fork() inherits a copy of the
 * descriptor, which it must remove from any poll set.
 */
MTOKEN_API int32_t mtoken_runtime_fd(const mtoken_runtime *runtime);

MTOKEN_END

#endif
