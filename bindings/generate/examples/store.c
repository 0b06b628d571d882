#include <mtoken.h>
#include <string.h>

/* A directory for what must last; memory for a test. */
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

    if (strcmp(item->name, name) != 0)
        return MTOKEN_ERROR_NOT_FOUND;
    mtoken_store_reply_set(reply, item->data, item->length);
    return MTOKEN_OK;
}

mtoken_status save(void *context, const char *name, const uint8_t *data, size_t length)
{
    struct item *item = context;

    if (length > sizeof item->data)
        return MTOKEN_ERROR_STORAGE;
    strncpy(item->name, name, sizeof item->name - 1);
    memcpy(item->data, data, length);
    item->length = length;
    return MTOKEN_OK;
}

mtoken_status forget(void *context, const char *name)
{
    struct item *item = context;

    if (strcmp(item->name, name) == 0)
        item->name[0] = 0;
    return MTOKEN_OK;
}

/* A store of the host's own. It lives until the host and all clients have given it back. */
mtoken_status use_own_store(struct item *item, mtoken_store **store)
{
    mtoken_host_store host = MTOKEN_HOST_STORE_INIT;

    host.context = item;
    host.load = load;
    host.save = save;
    host.remove = forget;
    return mtoken_store_host_new(&host, store, NULL);
}

/* The client has a reference of its own. */
void done(mtoken_store *store)
{
    mtoken_store_free(store);
}
