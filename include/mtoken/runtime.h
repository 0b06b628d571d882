/* The runtime: one thread that runs the network, timers and events of many clients. */
#ifndef MTOKEN_RUNTIME_H
#define MTOKEN_RUNTIME_H

#include "base.h"
#include "error.h"
#include "event.h"

MTOKEN_BEGIN

/* How a runtime works. */
typedef struct mtoken_runtime_options {
    size_t struct_size;
    /* MTOKEN_EVENT_MASK_... added up; default none. A host that asks for events must read them. */
    mtoken_event_mask events;
    /* MTOKEN_LOG_...: lines of this level and those above; default off */
    mtoken_log_level log_level;
    /* HTTP requests under way at once, 1 to 4096; 0: 256. More wait their turn. */
    int32_t max_transfers;
    int32_t reserved;           /* 0 */
} mtoken_runtime_options;

#define MTOKEN_RUNTIME_OPTIONS_INIT \
    { \
        sizeof(mtoken_runtime_options), MTOKEN_EVENT_MASK_NONE, MTOKEN_LOG_OFF, 0, 0 \
    }

/*
 * Makes a runtime and starts its thread (the only one that the library ever
 * starts; all signals but those of faults are blocked in it).
 *
 * options      NULL: defaults
 * out_runtime  the new runtime; free it with mtoken_runtime_free
 * Errors       ARGUMENT, INTERNAL (no thread or descriptor to be had)
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_runtime_new(const mtoken_runtime_options *MTOKEN_NULLABLE options,
                   mtoken_runtime **out_runtime, mtoken_error **out_error);

/*
 * Stops the runtime: running tasks complete as cancelled, the thread ends, descriptors are closed.
 * Threads that wait in mtoken_runtime_next_event come out with MTOKEN_ERROR_STATE, those that wait
 * for tasks with these; events that were not read are lost. Clients of the runtime can no longer
 * start network calls (MTOKEN_ERROR_STATE); they still have to be freed. Waits for the thread. NULL
 * is fine. Must not be called from within a host store's function.
 */
MTOKEN_API MTOKEN_BLOCKS void mtoken_runtime_free(mtoken_runtime *runtime);

/*
 * Takes the next event. Events come in the order in which they happened, each exactly once. Several
 * threads may take them.
 *
 * timeout_ms   0: do not wait; MTOKEN_FOREVER: wait without limit
 * out_event    the event; free it with mtoken_event_free
 * Errors       TIMEOUT (reason "waitTimeout": no event), CANCELLED (reason "interrupted":
 *              mtoken_runtime_interrupt), STATE (the runtime was freed meanwhile, or is a parent
 *              process's), HANDLE, ARGUMENT
 */
MTOKEN_API MTOKEN_BLOCKS MTOKEN_CHECKED mtoken_status
mtoken_runtime_next_event(mtoken_runtime *runtime, int64_t timeout_ms, mtoken_event **out_event,
                          mtoken_error **out_error);

/*
 * Ends all waits of this runtime that are under way, once: mtoken_runtime_next_event, and
 * mtoken_task_wait and mtoken_task_join for its tasks, return CANCELLED (the latter two leave the
 * task alone). Waits that begin later are not touched, nor is anything else: so that a thread which
 * may be about to wait does not miss it, set a flag of your own that it looks at before each wait,
 * then interrupt, and again until it has left:
 *
 *     leave = 1;
 *     do mtoken_runtime_interrupt(runtime, NULL); while (!has_left_within_10_ms());
 *
 * Other threads that wait are woken too: they look at their own flag and wait again. Not for signal
 * handlers: let the handler wake a thread that calls this. Errors: HANDLE, STATE (a parent
 * process's).
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_runtime_interrupt(mtoken_runtime *runtime, mtoken_error **out_error);

/*
 * How a runtime stands, for health checks: counts that are kept anyway. Each is right by itself;
 * together they may be a moment apart.
 */
typedef struct mtoken_runtime_info {
    size_t requests_under_way;    /* HTTP requests on their way */
    size_t requests_waiting;      /* for one of max_transfers to end */
    size_t events_waiting;        /* to be read */
    size_t tasks_running;         /* that the host has started and that have not completed */
    size_t clients;               /* opened and not freed */
    size_t pollers;               /* clients that poll their operations, paused ones too */
    int64_t dropped_log_events;   /* since the runtime was made: see mtoken_event.dropped */
    int64_t dropped_trace_events;
} mtoken_runtime_info;

/*
 * How the runtime stands now. Costs next to nothing, however many clients there are.
 *
 * out_info     free with mtoken_runtime_info_free
 * Errors       HANDLE, STATE (a parent process's), ARGUMENT
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_runtime_get_info(const mtoken_runtime *runtime, mtoken_runtime_info **out_info,
                        mtoken_error **out_error);
MTOKEN_API void mtoken_runtime_info_free(mtoken_runtime_info *info);

/*
 * A descriptor that is readable while an event waits, for poll, epoll, asyncio, libuv or GLib. It
 * belongs to the runtime: only watch it; do not read, write or close it. Take events with timeout 0
 * until TIMEOUT. Returns -1 for an invalid handle. A child made by fork() has a copy of the
 * descriptor that it must not watch: take it out of whatever waits for it.
 */
MTOKEN_API int32_t mtoken_runtime_fd(const mtoken_runtime *runtime);

MTOKEN_END

#endif
