/*
 * Where a client's state lives: its keys (each encrypted under its factor), its counter, its
 * tokens.
 *
 * A store keeps named items. For a client with the id "alice" there are two: "alice.state"
 * (authenticated: a change by anybody else is detected and refused) and, unless the host hands a
 * device secret to the client, "alice.key" (the secret that stands for possession of this device).
 * Whoever can read both items holds the possession factor; the PIN cannot be tried out against
 * them.
 *
 * An older copy of the state that is put back (from a backup, say) is valid but out of step with
 * the server: fetch the activation status, which brings the counter back in step if the distance is
 * small.
 */
#ifndef MTOKEN_STORE_H
#define MTOKEN_STORE_H

#include "base.h"
#include "error.h"

MTOKEN_BEGIN

/*
 * A store in a directory: made with mode 0700 if it is missing, one file per item with mode 0600.
 * Saving is durable when it returns: temporary file, fsync, rename, fsync of the directory; a
 * directory that was made is flushed in its parent. Locks in one file, ".lock", keep a second
 * process (and a second client in this process) from using the same activation (MTOKEN_ERROR_BUSY).
 * If that file is removed or replaced, the next save or removal of a client fails (STORAGE, reason
 * "storageLockLost"), and its signature does not leave: free the client and open it again, which
 * reads what another process may have stored meanwhile.
 *
 * path         directory; relative paths are resolved now
 * Errors       ARGUMENT, STORAGE (cannot be made, not a directory, readable or writable by others)
 */
MTOKEN_API MTOKEN_BLOCKS MTOKEN_CHECKED mtoken_status
mtoken_store_directory_new(const char *path, size_t path_length, mtoken_store **out_store,
                           mtoken_error **out_error);

/*
 * A store in memory: for tests and load tests. Everything is lost with the store.
 *
 * Errors       ARGUMENT
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_store_memory_new(mtoken_store **out_store, mtoken_error **out_error);

/*
 * Receives the bytes of an item within the host's load function: a handle that is void when that
 * returns.
 */
typedef struct mtoken_store_reply mtoken_store_reply;

/* Receives the names of items within the host's list function. */
typedef struct mtoken_store_names mtoken_store_names;

/*
 * The functions of a host's own store (keyring, TPM, database). They are called on the thread of
 * the call that needs them or on the runtime's thread, never two at once for one client, and must
 * not call back into the client concerned. Calls of a client wait for its store: a program must not
 * hold a lock that these functions need while it calls the library. Item names are UTF-8 of at most
 * 80 bytes from A-Z a-z 0-9 . _ - and NUL-terminated. A function that forks must not return in the
 * child. Each returns MTOKEN_OK or an MTOKEN_ERROR_ code; anything but the codes named here counts
 * as MTOKEN_ERROR_STORAGE.
 */
typedef struct mtoken_host_store {
    size_t struct_size;
    void *context;                  /* handed to each function */
    /*
     * Hands the item over with mtoken_store_reply_set. MTOKEN_ERROR_NOT_FOUND when there is none.
     */
    mtoken_status (*load)(void *context, const char *name, mtoken_store_reply *reply);
    /*
     * Replaces the item, all or nothing, and returns only when it is durable: a signature leaves
     * right after.
     */
    mtoken_status (*save)(void *context, const char *name, const uint8_t *bytes,
                          size_t length);
    /* Removes the item; a missing one is MTOKEN_OK. */
    mtoken_status (*remove)(void *context, const char *name);
    /* Optional: called once when the store is no longer used. */
    void (*release)(void *context);
    /*
     * Optional: names all items, in any order, with mtoken_store_names_add; other names than the
     * library's do no harm. Without it mtoken_store_clients is UNSUPPORTED.
     */
    mtoken_status (*list)(void *context, mtoken_store_names *names);
} mtoken_host_store;

#define MTOKEN_HOST_STORE_INIT { sizeof(mtoken_host_store), NULL, NULL, NULL, NULL, NULL, NULL }

/*
 * A store made of the host's functions. The same client id must not be used by two processes at
 * once: locking is the host's.
 *
 * Errors       ARGUMENT (a function is missing)
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_store_host_new(const mtoken_host_store *host, mtoken_store **out_store,
                      mtoken_error **out_error);

/*
 * Only within a load function, on any thread: hands over the item's bytes, which are copied. The
 * last call wins; one that is refused changes nothing.
 *
 * Returns      MTOKEN_OK; HANDLE: a reply that is none, or whose load function has returned; STATE:
 *              in the child of a fork; ARGUMENT: NULL with a length
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_store_reply_set(mtoken_store_reply *reply, const uint8_t *MTOKEN_SECRET bytes,
                       size_t length);

/*
 * Only within a list function, from any thread, until that returns: names one item; the name is
 * copied.
 *
 * Errors       HANDLE (not within a list function), ARGUMENT (NULL, not UTF-8, holds a NUL)
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_store_names_add(mtoken_store_names *names, const char *name, size_t name_length);

/* The ids of clients in a store. */
typedef struct mtoken_store_list {
    size_t count;
    const char *const *ids; /* bytewise in order */
} mtoken_store_list;

/*
 * Which clients a store has: those that have stored something, whether or not it can be opened.
 * What is not the library's is left out; what others add or remove meanwhile may be there or not.
 * No client is opened, no item read.
 *
 * out_list     free with mtoken_store_list_free
 * Errors       HANDLE, ARGUMENT, UNSUPPORTED (a host store without a list function: reason
 *              "storageUnsupported"), STORAGE, STATE after a fork
 */
MTOKEN_API MTOKEN_BLOCKS MTOKEN_CHECKED mtoken_status
mtoken_store_clients(mtoken_store *store, mtoken_store_list **out_list, mtoken_error **out_error);
MTOKEN_API void mtoken_store_list_free(mtoken_store_list *list);

/*
 * Removes all that a store has of a client, for one that cannot be opened (TAMPERED, its device
 * secret or configuration is lost) or is no longer wanted. The server is not told, and the
 * activation cannot be used again. When it returns the removal is durable.
 *
 * Errors       HANDLE, ARGUMENT, BUSY (a client has it open: with a directory in any process, with
 *              the other stores through this mtoken_store), NOT_FOUND, STORAGE, STATE after a fork
 */
MTOKEN_API MTOKEN_BLOCKS MTOKEN_CHECKED mtoken_status
mtoken_store_remove(mtoken_store *store, const char *id, size_t id_length,
                    mtoken_error **out_error);

/*
 * Copies all that a store has of a client, unread, into another store or under another id: to look
 * at, to keep before a removal, to move to another kind of store. ONLY ONE OF THE TWO MAY EVER BE
 * USED AGAIN: both hold the same counter, and signatures of two devices that count alike end in a
 * blocked activation. Remove the one before the other is opened.
 *
 * The state is bound to the client's id: a copy under another id is only for keeping, and opens
 * (TAMPERED otherwise) after it was copied back under its own. A device secret of the host's own
 * (mtoken_client_options.device_secret) is not in the store and not in the copy.
 *
 * Errors       HANDLE, ARGUMENT, BUSY (as mtoken_store_remove, for either of the two), NOT_FOUND,
 *              STATE (reason "alreadyThere": the target has a client of that id, which is left as
 *              it is; or after a fork), STORAGE (nothing is left of the copy, unless removing that
 *              fails too)
 */
MTOKEN_API MTOKEN_BLOCKS MTOKEN_CHECKED mtoken_status
mtoken_store_copy(mtoken_store *store, const char *id, size_t id_length, mtoken_store *target,
                  const char *target_id, size_t target_id_length, mtoken_error **out_error);

/* Gives the store back. Clients that use it keep it alive. NULL is fine. */
MTOKEN_API MTOKEN_BLOCKS void mtoken_store_free(mtoken_store *store);

MTOKEN_END

#endif
