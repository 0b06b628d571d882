/* SPDX-License-Identifier: Apache-2.0 */
/* The registry: the operations that a client tracks, and polling for them. */
#ifndef MTOKEN_REGISTRY_H
#define MTOKEN_REGISTRY_H

#include "base.h"
#include "error.h"
#include "operation.h"
#include "operations.h"

MTOKEN_BEGIN

/*
 * Each client tracks the pending operations of its user: those of the last fetch of the list
 * (mtoken_operations_list, a refresh or a poll), in the server's order. Of operations with the same
 * id only the first is kept. A claimed operation is added; an approved or rejected one is removed.
 * Without an activation the list is empty.
 *
 * A list that was requested before an approval, rejection or claim succeeded may be out of date
 * when it arrives. The caller still receives it, but the client neither keeps it nor reports it in
 * events. The same applies if that fetch fails.
 *
 * Concurrent fetches share one request. Each caller has its own task and may cancel it. When all
 * callers have cancelled, the fetch ends and changes nothing.
 */

/*
 * Fetches the list as mtoken_operations_list does, but without a task: events and
 * mtoken_operations_get_info report the result. Does nothing while a fetch is in progress.
 *
 * Errors       HANDLE, NOT_ACTIVATED, PENDING, STATE (the runtime was freed)
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_operations_refresh(mtoken_client *client, mtoken_error **out_error);

/*
 * Returns 1 while a fetch of the list is in progress, from the moment it is requested, otherwise 0;
 * -1 for an invalid handle.
 */
MTOKEN_API mtoken_answer mtoken_operations_is_loading(const mtoken_client *client);

/* How the last fetch of the list ended. */
MTOKEN_CLOSED_ENUM(mtoken_fetch_state_values) {
    MTOKEN_FETCH_NONE = 0,      /* no fetch has ended with this activation */
    MTOKEN_FETCH_SUCCEEDED = 1,
    MTOKEN_FETCH_FAILED = 2,
};
typedef int32_t mtoken_fetch_state;

/* Whether operations are polled. */
MTOKEN_ENUM(mtoken_polling_state_values) {
    MTOKEN_POLLING_OFF = 0,
    MTOKEN_POLLING_ON = 1,
    MTOKEN_POLLING_PAUSED = 2,  /* by the host */
    /* The activation is not active: only its status is fetched, until it is */
    MTOKEN_POLLING_WAITING = 3,
};
typedef int32_t mtoken_polling_state;

/* The operations that a client tracks, and how current they are. */
typedef struct mtoken_operations_info {
    size_t count;
    const mtoken_operation *const *operations;      /* in the server's order */
    mtoken_bool is_loading;                         /* 1: a fetch is in progress */
    mtoken_fetch_state last_fetch;                  /* MTOKEN_FETCH_... */
    /* Device time when the last fetch ended, ms since the epoch; 0 with MTOKEN_FETCH_NONE */
    int64_t last_fetch_time;
    /* Why the last fetch failed; NULL if it did not */
    const mtoken_error *MTOKEN_NULLABLE last_error;
    size_t skipped_count; /* operations of the last fetch that were unreadable and dropped */
    mtoken_bool has_server_time; /* 1: the last fetch included the server's time */
    int64_t server_time;                            /* "currentTimestamp": ms since the epoch */
    mtoken_polling_state polling;                   /* MTOKEN_POLLING_... */
    int64_t polling_interval_ms; /* doubled with has_push; 0 with MTOKEN_POLLING_OFF */
    mtoken_bool may_be_cut;                         /* 1: see mtoken_operation_list.may_be_cut */
} mtoken_operations_info;

/*
 * Returns a snapshot of the tracked operations. No network; works in every client state. Free with
 * mtoken_operations_info_free.
 *
 * Errors       HANDLE, ARGUMENT
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_operations_get_info(const mtoken_client *client, mtoken_operations_info **out_known,
                           mtoken_error **out_error);
MTOKEN_API void mtoken_operations_info_free(mtoken_operations_info *known);

/* Data attached to an operation. Bit flags; combine with |. */
MTOKEN_FLAGS(mtoken_attachments_values) {
    MTOKEN_ATTACHED_PROXIMITY = 1,
    MTOKEN_ATTACHED_MOBILE_TOKEN_DATA = 2,
};
typedef int32_t mtoken_attachments;

/*
 * Attaches a proximity check and mobile token data to a tracked operation. Both are sent with its
 * approval, and the data also with its rejection, unless the options of those calls set them. They
 * are kept when the list is fetched again, and dropped when the operation is no longer tracked. For
 * an id from a QR code or deeplink (mtoken_pac): attach; if that fails with NOT_FOUND, fetch the
 * list and try again; if it still fails with NOT_FOUND, claim the operation, then attach.
 *
 * options      the proximity check and the mobile token data replace what was attached before;
 *              allow_other_factors, strict, allow_unknown_status, tolerated and expected_id must be
 *              absent. NULL: removes what is attached
 * Errors       HANDLE, ARGUMENT, PARSE (the data is not a JSON object), NOT_ACTIVATED, PENDING,
 *              NOT_FOUND
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_operations_attach(mtoken_client *client, const char *id, size_t id_length,
                         const mtoken_authorize_options *MTOKEN_NULLABLE options,
                         mtoken_error **out_error);

/*
 * Returns the MTOKEN_ATTACHED_... flags of a tracked operation; 0 if nothing is attached, the
 * operation is not tracked, or an argument is invalid.
 */
MTOKEN_API mtoken_attachments
mtoken_operations_get_attached(const mtoken_client *client, const char *id, size_t id_length);

/* Options of polling. */
typedef struct mtoken_polling_options {
    size_t struct_size;
    /*
     * Between two fetches, at most 86400000; 0: 7000. Values from 1 to 4999 are raised to 5000, with
     * a logged warning: an exception to the rule that values are never clamped.
     */
    int64_t interval_ms;
    mtoken_bool delay_start; /* 1: the first fetch comes after one interval; 0: at once */
    mtoken_bool has_push; /* 1: pushes also announce new operations, so the interval is doubled */
    /* 1: each consecutive failure from the second on doubles the wait, up to eightfold */
    mtoken_bool back_off;
    /* Maximum random deviation of each wait from the interval, in percent; 0 to 50 */
    int32_t jitter_percent;
    /*
     * 1: the interval adapts. After 8 fetches without a change it doubles, up to
     * eightfold. For a minute after a change, an approval, a rejection, a claim or
     * mtoken_operations_refresh it is 5 seconds. When the machine wakes from sleep, the list is
     * fetched within 5 seconds
     */
    mtoken_bool is_adaptive;
    int32_t reserved; /* 0 */
} mtoken_polling_options;

#define MTOKEN_POLLING_OPTIONS_INIT { sizeof(mtoken_polling_options), 0, 0, 0, 0, 0, 0, 0 }

/*
 * Starts polling: fetches the list periodically, with one timer on the runtime's thread. A poll
 * sends nothing while a fetch is in progress, so that fetches never accumulate, and nothing without
 * an activation. If the server asks for a longer pause (Retry-After), the next poll waits for it.
 * Does nothing if polling has already started, even if it is paused. Freeing the client stops
 * polling.
 *
 * options      NULL: the defaults
 * Errors       HANDLE, ARGUMENT, NOT_ACTIVATED, PENDING, STATE (the runtime was freed)
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_operations_start_polling(mtoken_client *client,
                                const mtoken_polling_options *MTOKEN_NULLABLE options,
                                mtoken_error **out_error);

/*
 * Stops polling, even if it is paused. A fetch in progress continues.
 *
 * Errors       HANDLE
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_operations_stop_polling(mtoken_client *client, mtoken_error **out_error);

/*
 * Pauses polling, e.g. while the program is in the background. Does nothing if polling is off.
 *
 * Errors       HANDLE
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_operations_pause_polling(mtoken_client *client, mtoken_error **out_error);

/*
 * Fetches at once and resumes polling. Does nothing unless polling is paused.
 *
 * Errors       HANDLE
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_operations_resume_polling(mtoken_client *client, mtoken_error **out_error);

/* Returns the MTOKEN_POLLING_... state, or -1 for an invalid handle. */
MTOKEN_API mtoken_polling_state mtoken_operations_get_polling(const mtoken_client *client);

/* The content of an MTOKEN_EVENT_OPERATIONS_CHANGED event. */
typedef struct mtoken_operations_change {
    size_t count;
    /* All operations tracked now, in the server's order */
    const mtoken_operation *const *operations;
    size_t added_count;
    const mtoken_operation *const *added;      /* tracked now, but not before */
    size_t removed_count;
    const mtoken_operation *const *removed;    /* tracked before, but not now; as they were */
    size_t updated_count;
    /* Tracked before and now, with changed contents; as they are now */
    const mtoken_operation *const *updated;
} mtoken_operations_change;

MTOKEN_END

#endif
