#include <mtoken.h>
#include <stdio.h>
#include <string.h>

/* Opens a directory for production, or memory for a test. */
mtoken_status open_store(const char *path, mtoken_store **store)
{
    return path ? mtoken_store_directory_new(path, MTOKEN_NUL_TERMINATED, store, NULL)
                : mtoken_store_memory_new(store, NULL);
}

struct item {
    char name[81];
    uint8_t data[65536];
    size_t length;
};

mtoken_status load(void *context, const char *name, mtoken_store_reply *reply)
{
    struct item *item = context;

    if (strcmp(item->name, name) != 0) return MTOKEN_ERROR_NOT_FOUND;
    return mtoken_store_reply_set(reply, item->data, item->length);
}

mtoken_status save(void *context, const char *name, const uint8_t *bytes, size_t length)
{
    struct item *item = context;

    if (length > sizeof item->data) return MTOKEN_ERROR_STORAGE;
    strncpy(item->name, name, sizeof item->name - 1);
    memcpy(item->data, bytes, length);
    item->length = length;
    return MTOKEN_OK;
}

mtoken_status forget(void *context, const char *name)
{
    struct item *item = context;

    if (strcmp(item->name, name) == 0) item->name[0] = 0;
    return MTOKEN_OK;
}

mtoken_status list(void *context, mtoken_store_names *names)
{
    struct item *item = context;

    return item->name[0]
               ? mtoken_store_names_add(names, item->name, MTOKEN_NUL_TERMINATED)
               : MTOKEN_OK;
}

/* Creates a store of the host's own. It lives until the host and all clients have
 * freed it. */
mtoken_status use_own_store(struct item *item, mtoken_store **store)
{
    mtoken_host_store host = MTOKEN_HOST_STORE_INIT;

    host.context = item;
    host.load = load;
    host.save = save;
    host.remove = forget;
    host.list = list;
    return mtoken_store_host_new(&host, store, NULL);
}

/* The client keeps its own reference. */
void done(mtoken_store *store)
{
    mtoken_store_free(store);
}

/* Prints the clients in a store. */
void print_clients(mtoken_store *store)
{
    mtoken_store_list *clients = NULL;

    if (mtoken_store_clients(store, &clients, NULL) == MTOKEN_OK)
        for (size_t i = 0; i < clients->count; i++) puts(clients->ids[i]);
    mtoken_store_list_free(clients);
}

/* Makes room for a new activation in place of one that cannot be opened, and keeps a
 * copy. */
mtoken_status set_aside(mtoken_store *store, const char *id, mtoken_store *attic)
{
    mtoken_status status = mtoken_store_copy(store, id, MTOKEN_NUL_TERMINATED, attic,
                                             id, MTOKEN_NUL_TERMINATED, NULL);

    return status ? status
                  : mtoken_store_remove(store, id, MTOKEN_NUL_TERMINATED, NULL);
}
