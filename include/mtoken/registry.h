/* The list of operations that a client keeps, and polling. */
#ifndef MTOKEN_REGISTRY_H
#define MTOKEN_REGISTRY_H

#include "base.h"
#include "error.h"
#include "operation.h"
#include "operations.h"

MTOKEN_BEGIN

/*
 * Each client keeps the pending operations of its user: those of the last mtoken_operations_list
 * (or refresh, or tick of the polling), in the server's order and with the server's newest
 * contents; of operations with the same id the first. A claimed operation is added; an approved or
 * rejected one is removed. Without an activation there are none.
 *
 * A list that was asked for before an approval, rejection or claim succeeded may be out of date
 * when it arrives: it is handed to its caller but neither kept nor told in events; the same goes
 * for its failure.
 *
 * Fetches that are asked for at the same time share one request; each caller has its own task and
 * may cancel it. When all callers have cancelled, the fetch ends and changes nothing.
 */

/*
 * Fetches the list, as mtoken_operations_list, but without a task: its result shows in events and
 * mtoken_operations_get_info. Does nothing while a fetch is under way.
 *
 * Errors       HANDLE, NOT_ACTIVATED, PENDING, STATE (the runtime was freed)
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_operations_refresh(mtoken_client *client, mtoken_error **out_error);

/*
 * 1: a fetch of the list is under way, from the moment when it was asked for; 0: none; -1: invalid
 * handle.
 */
MTOKEN_API mtoken_answer mtoken_operations_is_loading(const mtoken_client *client);

/* How the last fetch of the list ended. */
MTOKEN_CLOSED_ENUM(mtoken_fetch_state_values) {
    MTOKEN_FETCH_NONE = 0,      /* there was none with this activation */
    MTOKEN_FETCH_SUCCEEDED = 1,
    MTOKEN_FETCH_FAILED = 2,
};
typedef int32_t mtoken_fetch_state;

/* Whether operations are polled. */
MTOKEN_ENUM(mtoken_polling_state_values) {
    MTOKEN_POLLING_OFF = 0,
    MTOKEN_POLLING_ON = 1,
    MTOKEN_POLLING_PAUSED = 2,  /* by the host */
    /* The activation is not active: only its status is asked for, until it is */
    MTOKEN_POLLING_WAITING = 3,
};
typedef int32_t mtoken_polling_state;

/* The operations that a client knows, and how fresh they are. */
typedef struct mtoken_operations_info {
    size_t count;
    const mtoken_operation *const *operations;      /* in the server's order */
    mtoken_bool is_loading;                         /* 1: a fetch is under way */
    mtoken_fetch_state last_fetch;                  /* MTOKEN_FETCH_... */
    int64_t last_fetch_time; /* the device's time when the last fetch ended; 0: MTOKEN_FETCH_NONE */
    /* Why the last fetch failed; NULL: it did not */
    const mtoken_error *MTOKEN_NULLABLE last_error;
    size_t skipped_count; /* operations of the last fetch that could not be read and are left out */
    mtoken_bool has_server_time; /* 1: server_time was given with the last fetch */
    int64_t server_time;                            /* "currentTimestamp": ms since the epoch */
    mtoken_polling_state polling;                   /* MTOKEN_POLLING_... */
    int64_t polling_interval_ms;                    /* milliseconds; 0: MTOKEN_POLLING_OFF */
    mtoken_bool may_be_cut;                         /* 1: see mtoken_operation_list.may_be_cut */
} mtoken_operations_info;

/*
 * A snapshot of what the client knows. No network; works in every state of the client. Free with
 * mtoken_operations_info_free.
 *
 * Errors       HANDLE, ARGUMENT
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_operations_get_info(const mtoken_client *client, mtoken_operations_info **out_known,
                           mtoken_error **out_error);
MTOKEN_API void mtoken_operations_info_free(mtoken_operations_info *known);

/* What is attached to an operation, added up. */
MTOKEN_FLAGS(mtoken_attachments_values) {
    MTOKEN_ATTACHED_PROXIMITY = 1,
    MTOKEN_ATTACHED_MOBILE_TOKEN_DATA = 2,
};
typedef int32_t mtoken_attachments;

/*
 * Attaches a proximity check and mobile token data to a known operation: they go with its approval,
 * the data also with its rejection, where those calls give none of their own. They stay when the
 * list is fetched again, and go when the operation is no longer known. For an id from a QR code or
 * deeplink (mtoken_pac): attach; if NOT_FOUND, fetch the list and try again; if still NOT_FOUND,
 * claim it.
 *
 * options      replaces what was attached before; check_factors must be 0; NULL: takes back what is
 *              attached
 * Errors       HANDLE, ARGUMENT, PARSE (the data is no JSON object), NOT_ACTIVATED, PENDING,
 *              NOT_FOUND
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_operations_attach(mtoken_client *client, const char *id, size_t id_length,
                         const mtoken_authorize_options *MTOKEN_NULLABLE options,
                         mtoken_error **out_error);

/* MTOKEN_ATTACHED_... of a known operation; 0: nothing, not known, or an invalid argument. */
MTOKEN_API mtoken_attachments
mtoken_operations_get_attached(const mtoken_client *client, const char *id, size_t id_length);

/* How operations are polled. */
typedef struct mtoken_polling_options {
    size_t struct_size;
    /* Between two fetches; 0: 7000. Less than 5000 counts as 5000, with a warning in the log. */
    int64_t interval_ms;
    mtoken_bool delay_start; /* 1: the first fetch comes after one interval; 0: at once */
    mtoken_bool has_push;    /* 1: pushes tell of new operations too: the interval is doubled */
    /* 1: while fetches fail, the wait doubles with each from the second on, eightfold at most */
    mtoken_bool back_off;
    /* Each wait differs from the interval by so much at most, at random; 0 to 50 */
    int32_t jitter_percent;
} mtoken_polling_options;

#define MTOKEN_POLLING_OPTIONS_INIT { sizeof(mtoken_polling_options), 0, 0, 0, 0, 0 }

/*
 * Fetches the list again and again, with one timer on the runtime's thread. A tick that finds a
 * fetch under way asks for nothing, so that fetches never pile up; one without an activation asks
 * for nothing either. Does nothing while polling is on or paused. Freeing the client ends it.
 *
 * options      NULL: defaults
 * Errors       HANDLE, ARGUMENT, NOT_ACTIVATED, PENDING, STATE (the runtime was freed)
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_operations_start_polling(mtoken_client *client,
                                const mtoken_polling_options *MTOKEN_NULLABLE options,
                                mtoken_error **out_error);

/*
 * Ends polling, also a paused one. A fetch under way goes on.
 *
 * Errors       HANDLE
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_operations_stop_polling(mtoken_client *client, mtoken_error **out_error);

/*
 * Pauses polling, e.g. while nobody looks at the program. It counts as started.
 *
 * Errors       HANDLE
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_operations_pause_polling(mtoken_client *client, mtoken_error **out_error);

/*
 * Fetches at once and goes on polling; does nothing unless polling is paused.
 *
 * Errors       HANDLE
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_operations_resume_polling(mtoken_client *client, mtoken_error **out_error);

/* MTOKEN_POLLING_...; -1: invalid handle. */
MTOKEN_API mtoken_polling_state mtoken_operations_get_polling(const mtoken_client *client);

/* What an MTOKEN_EVENT_OPERATIONS_CHANGED tells. */
typedef struct mtoken_operations_change {
    size_t count;
    const mtoken_operation *const *operations; /* all that are known now, in the server's order */
    size_t added_count;
    const mtoken_operation *const *added;      /* known now, not before */
    size_t removed_count;
    const mtoken_operation *const *removed;    /* known before, not now; as they were */
    size_t updated_count;
    /* Known before and now, with other contents; as they are now */
    const mtoken_operation *const *updated;
} mtoken_operations_change;

MTOKEN_END

#endif
