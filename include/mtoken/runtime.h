/* The runtime: one thread that runs the network, timers and events of many clients. */
#ifndef MTOKEN_RUNTIME_H
#define MTOKEN_RUNTIME_H

#include "base.h"
#include "error.h"

MTOKEN_BEGIN

/* Which events a runtime queues: see event.h. */
MTOKEN_FLAGS(mtoken_event_mask_values) {
    MTOKEN_EVENT_MASK_NONE = 0,
    MTOKEN_EVENT_MASK_TASKS = 1,        /* MTOKEN_EVENT_TASK */
    MTOKEN_EVENT_MASK_STATE = 2,        /* MTOKEN_EVENT_STATE_STORED */
    MTOKEN_EVENT_MASK_LOG = 4,          /* MTOKEN_EVENT_LOG */
    MTOKEN_EVENT_MASK_OPERATIONS = 8,   /* MTOKEN_EVENT_OPERATIONS_... */
    MTOKEN_EVENT_MASK_TRACE = 16,       /* MTOKEN_EVENT_TRACE */
    MTOKEN_EVENT_MASK_CHALLENGES = 64,  /* MTOKEN_EVENT_CHALLENGE */
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
 * Clients of the runtime can no longer start network calls (MTOKEN_ERROR_STATE); they still have to
 * be freed. Waits for the thread. NULL is fine. Must not be called from within a host store's
 * function.
 */
MTOKEN_API MTOKEN_BLOCKS void mtoken_runtime_free(mtoken_runtime *runtime);

/*
 * Takes the next event. Events come in the order in which they happened, each exactly once.
 *
 * timeout_ms   0: do not wait; MTOKEN_FOREVER: wait without limit
 * out_event    the event; free it with mtoken_event_free
 * Errors       TIMEOUT (no event), STATE (the runtime was made without events, or is being freed,
 *              or is a parent process's), HANDLE, ARGUMENT
 */
MTOKEN_API MTOKEN_BLOCKS MTOKEN_CHECKED mtoken_status
mtoken_runtime_next_event(mtoken_runtime *runtime, int64_t timeout_ms, mtoken_event **out_event,
                          mtoken_error **out_error);

/*
 * A descriptor that is readable while an event waits, for poll, epoll, asyncio, libuv or GLib. It
 * belongs to the runtime: only watch it; do not read, write or close it. Take events with timeout 0
 * until TIMEOUT. Returns -1 for an invalid handle. A child made by fork() has a copy of the
 * descriptor that it must not watch: take it out of whatever waits for it.
 */
MTOKEN_API int32_t mtoken_runtime_fd(const mtoken_runtime *runtime);

MTOKEN_END

#endif
