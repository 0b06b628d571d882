/* SPDX-License-Identifier: Apache-2.0 */
/* Watchers: an event reports when operations expire. */
#ifndef MTOKEN_WATCHER_H
#define MTOKEN_WATCHER_H

#include "base.h"
#include "error.h"

MTOKEN_BEGIN

/* Reports when operations expire. */
typedef struct mtoken_watcher mtoken_watcher;

/*
 * Something that expires. Copy the members of the same names from an mtoken_operation, or set your
 * own. This struct never grows.
 */
typedef struct mtoken_watched {
    const char *id;             /* UTF-8, NUL-terminated */
    const char *operation_data; /* UTF-8, NUL-terminated */
    int64_t expires;            /* milliseconds since the epoch */
} mtoken_watched;

/* The operations that a watcher watches or reports. Read-only. */
typedef struct mtoken_watched_list {
    size_t count;
    const mtoken_watched *const *items;
} mtoken_watched_list;

/*
 * Creates a watcher. It checks when the first of its items expires. Checks are at least five
 * seconds apart, and at most a minute, so that the watcher notices clock changes; the first check
 * comes five seconds or more after the first item was added. A check removes all expired items and
 * reports them in one MTOKEN_EVENT_OPERATIONS_EXPIRED; the rest stay watched. No network.
 *
 * client       supplies the time: the server's if the client knows it
 *              (mtoken_client_synchronize_time), otherwise the device's
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
 * items        copied; at most 1,048,576
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
 * offset_ms    milliseconds, may be negative; ignored if own_clock is 0
 * Errors       HANDLE, ARGUMENT
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_watcher_set_clock(mtoken_watcher *watcher, mtoken_bool own_clock, int64_t offset_ms,
                         mtoken_error **out_error);

MTOKEN_END

#endif
