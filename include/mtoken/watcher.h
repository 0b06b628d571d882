/* Watchers: events when operations expire. */
#ifndef MTOKEN_WATCHER_H
#define MTOKEN_WATCHER_H

#include "base.h"
#include "error.h"

MTOKEN_BEGIN

/* Reports when operations expire. */
typedef struct mtoken_watcher mtoken_watcher;

/*
 * Something that expires: the members of the same names of an mtoken_operation, or values of the
 * host. This struct never grows.
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
 * Creates a watcher. It checks when the first of its operations expires, but not within five
 * seconds after its last change, and at least once a minute, so that it notices clock changes. It
 * removes all expired operations, reports them in one MTOKEN_EVENT_OPERATIONS_EXPIRED, and
 * continues with the rest. No network.
 *
 * client       the watcher uses its server time if known (mtoken_client_synchronize_time),
 *              otherwise the device's time
 * out_watcher  must be freed with mtoken_watcher_free
 * Errors       HANDLE, ARGUMENT
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_watcher_new(mtoken_client *client, mtoken_watcher **out_watcher, mtoken_error **out_error);

/* Stops watching and frees the watcher. NULL is ignored. */
MTOKEN_API void mtoken_watcher_free(mtoken_watcher *watcher);

/*
 * Adds items. Items that are already watched (same id, data and expiry) are ignored. Items that
 * have already expired are reported too, with a logged warning.
 *
 * Errors       HANDLE, ARGUMENT
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_watcher_add(mtoken_watcher *watcher, const mtoken_watched *items, size_t count,
                   mtoken_error **out_error);

/*
 * Removes the items with the same id, data and expiry; others are ignored.
 *
 * Errors       HANDLE, ARGUMENT
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_watcher_remove(mtoken_watcher *watcher, const mtoken_watched *items, size_t count,
                      mtoken_error **out_error);

/*
 * Removes all items.
 *
 * Errors       HANDLE
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_watcher_remove_all(mtoken_watcher *watcher, mtoken_error **out_error);

/*
 * Returns the items that are watched now. Free with mtoken_watched_list_free.
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
 * own_clock    1: the device's clock plus offset_ms; 0: the client's, which is the default
 * Errors       HANDLE
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_watcher_set_clock(mtoken_watcher *watcher, mtoken_bool own_clock, int64_t offset_ms,
                         mtoken_error **out_error);

MTOKEN_END

#endif
