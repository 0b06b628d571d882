#include <inttypes.h>
#include <mtoken.h>
#include <stdio.h>

/* Watches the operations of a list: an event arrives when one of them expires. */
mtoken_status watch(mtoken_client *client, const mtoken_operation_list *list,
                    mtoken_watcher **watcher)
{
    mtoken_status status = mtoken_watcher_new(client, watcher, NULL);

    for (size_t i = 0; status == MTOKEN_OK && i < list->count; i++) {
        const mtoken_operation *operation = list->operations[i];
        mtoken_watched item = {operation->id, operation->operation_data,
                               operation->expires};
        status = mtoken_watcher_add(*watcher, &item, 1, NULL);
    }
    return status;
}

/* Handles MTOKEN_EVENT_OPERATIONS_EXPIRED. Expired operations are no longer watched. */
void expired(const mtoken_event *taken)
{
    const mtoken_watched_list *list = taken->expired;

    for (size_t i = 0; list && i < list->count; i++)
        printf("%s of watcher %p\n", list->items[i]->id, (void *)taken->watcher);
}

/* Removes one item, then all, and changes the clock. */
mtoken_status stop_watching(mtoken_watcher *watcher, const mtoken_watched *item)
{
    return item ? mtoken_watcher_remove(watcher, item, 1, NULL)
                : mtoken_watcher_remove_all(watcher, NULL);
}

mtoken_status follow_device_clock(mtoken_watcher *watcher, int64_t offset_ms)
{
    return mtoken_watcher_set_clock(watcher, 1, offset_ms, NULL);
}

/* Prints the watched items. */
void print_watched(mtoken_watcher *watcher)
{
    mtoken_watched_list *list = NULL;

    if (mtoken_watcher_list(watcher, &list, NULL) == MTOKEN_OK) {
        for (size_t i = 0; i < list->count; i++)
            printf("%s until %" PRId64 "\n", list->items[i]->id,
                   list->items[i]->expires);
    }
    mtoken_watched_list_free(list);
    mtoken_watcher_free(watcher);
}
