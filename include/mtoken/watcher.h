/* A watcher tells when operations expire. */
#ifndef MTOKEN_WATCHER_H
#define MTOKEN_WATCHER_H

#include "base.h"
#include "error.h"

MTOKEN_BEGIN

/* Tells when operations expire. */
typedef struct mtoken_watcher mtoken_watcher;

/*
 * Something that expires: the members of the same names of an mtoken_operation, or the host's own.
 * This struct never grows.
 */
typedef struct mtoken_watched {
    const char *id;             /* UTF-8, NUL-terminated */
    const char *operation_data; /* UTF-8, NUL-terminated */
    int64_t expires;            /* milliseconds since the epoch */
} mtoken_watched;

/* What a watcher watches, or reports. Read-only. */
typedef struct mtoken_watched_list {
    size_t count;
    const mtoken_watched *const *items;
} mtoken_watched_list;

/*
 * Makes a watcher. It looks when the first of its operations expires, but not within five seconds
 * after it was last set, and at least each minute, so that it notices when a clock is set. What has
 * expired is no longer watched and is told, all together, in one MTOKEN_EVENT_OPERATIONS_EXPIRED;
 * the watcher goes on with the rest. No network.
 *
 * client       its server's time counts, where it is known (mtoken_client_synchronize_time); else
 *              the device's
 * out_watcher  free with mtoken_watcher_free
 * Errors       HANDLE, ARGUMENT
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_watcher_new(mtoken_client *client, mtoken_watcher **out_watcher, mtoken_error **out_error);

/* Ends watching. NULL is fine. */
MTOKEN_API void mtoken_watcher_free(mtoken_watcher *watcher);

/*
 * Watches more. What is watched already (the same id, data and expiry) is left out. What has
 * expired already is reported too, with a warning in the log.
 *
 * Errors       HANDLE, ARGUMENT
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_watcher_add(mtoken_watcher *watcher, const mtoken_watched *items, size_t count,
                   mtoken_error **out_error);

/*
 * Watches no longer what has the same id, data and expiry; others are ignored.
 *
 * Errors       HANDLE, ARGUMENT
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_watcher_remove(mtoken_watcher *watcher, const mtoken_watched *items, size_t count,
                      mtoken_error **out_error);

/*
 * Watches nothing any more.
 *
 * Errors       HANDLE
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_watcher_remove_all(mtoken_watcher *watcher, mtoken_error **out_error);

/*
 * What is watched now. Free with mtoken_watched_list_free.
 *
 * Errors       HANDLE, ARGUMENT
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_watcher_list(const mtoken_watcher *watcher, mtoken_watched_list **out_list,
                    mtoken_error **out_error);
MTOKEN_API void mtoken_watched_list_free(mtoken_watched_list *list);

/*
 * Replaces the watcher's clock.
 *
 * own_clock    1: the device's clock and offset_ms; 0: the client's, as at first
 * Errors       HANDLE
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_watcher_set_clock(mtoken_watcher *watcher, mtoken_bool own_clock, int64_t offset_ms,
                         mtoken_error **out_error);

MTOKEN_END

#endif
