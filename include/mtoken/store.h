/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stores: where a client keeps its state, that is its keys (each encrypted under its factor), its
 * counter and its tokens.
 *
 * A store holds named items. A client with the id "alice" has two: "alice.state" (authenticated: a
 * modification by anyone else is detected and refused) and, unless the host passes a device secret
 * to the client, "alice.key" (a random device secret, from which the possession key is derived).
 * Two more items hold neither keys nor the secret: "alice.login" records which stored OIDC login is
 * pending, and "alice.push" holds digests of the registration for push messages. Anyone who can
 * read "alice.state" and "alice.key" holds the possession factor, but cannot test PINs against
 * them. With the states from before and after a change of the PIN they can (protocol 3: both PINs
 * lock the same key). A store therefore keeps one state and no history.
 *
 * An older copy of the state, e.g. from a backup, is valid but out of step with the server. Call
 * mtoken_client_fetch_status: it resynchronises the counter if the distance is small.
 */
#ifndef MTOKEN_STORE_H
#define MTOKEN_STORE_H

#include "base.h"
#include "error.h"

MTOKEN_BEGIN

/*
 * Opens a store in a directory, which is created with mode 0700 if missing. Each item is one file
 * with mode 0600. Saves are durable when they return. The first save of a client's state after
 * opening creates its file anew: temporary file, fsync, rename, fsync of the directory. Each
 * further save overwrites the older one of two slots in that file: one write, one fdatasync. A save
 * that changes the lock of a factor (PIN, biometry, external key) takes two writes and two
 * fdatasyncs, and the file never holds both the former lock and the new one. After a power failure
 * during a save, the state is that of the previous save, and no signature of the interrupted save
 * was sent. When the directory is created, its parent is flushed too if it can be read.
 *
 * Locks in files named ".lock-" and a number keep a second process, and a second client in this
 * process, from using the same activation (MTOKEN_ERROR_BUSY). If the lock file of a client is
 * removed, replaced or overwritten, or another directory takes the place of this one, the client's
 * next save or removal fails (STORAGE, reason "storageLockLost") and its signature is not sent.
 * Free the client and open it again: it then reads what another process may have stored in the
 * meantime.
 *
 * Copy or restore a client's files only while no process has the client open, or use
 * mtoken_store_copy: a copy made during a save may hold an older state or be refused as damaged.
 *
 * path         directory; its parent must exist; a relative path is resolved now
 * Errors       ARGUMENT, STORAGE (cannot be created, not a directory, not owned by this user, or
 *              accessible to others)
 */
MTOKEN_API MTOKEN_BLOCKS MTOKEN_CHECKED mtoken_status
mtoken_store_directory_new(const char *path, size_t path_length, mtoken_store **out_store,
                           mtoken_error **out_error);

/*
 * Opens a store in memory, for tests and load tests. Its content is lost when it is freed.
 *
 * Errors       ARGUMENT
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_store_memory_new(mtoken_store **out_store, mtoken_error **out_error);

/*
 * Receives the bytes of an item in the host's load function. The handle becomes invalid when that
 * function returns.
 */
typedef struct mtoken_store_reply mtoken_store_reply;

/* Receives the names of items in the host's list function. */
typedef struct mtoken_store_names mtoken_store_names;

/*
 * The functions of a host's own store (keyring, TPM, database). The library calls them on the
 * thread of the call that needs them, or on a thread of the runtime that waits for stores and
 * sealers; never two at once for one client. Inside one, calls of the client concerned and waiting
 * for its tasks fail with STATE, reason "insideHostFunction"; freeing it takes effect when the
 * function has returned. Item names are NUL-terminated and consist of at most 80 bytes from A-Z a-z
 * 0-9 . _ -. A function that forks must not return in the child. Each function returns MTOKEN_OK or
 * an MTOKEN_ERROR_ code; codes not mentioned here count as MTOKEN_ERROR_STORAGE.
 *
 * A function may wait for a user, a card or a network. It delays no other client, not even one of
 * the same store, if the store itself allows concurrent calls. Until it returns, a task of this
 * client begins without blocking, ends at its time limit (TIMEOUT, reason "storageTimeout"; if its
 * outcome is NOT_SENT, its request is never sent) or when it is cancelled; mtoken_client_get_info
 * and mtoken_operations_get_info do not block. Activating, confirming an activation with the PIN
 * and adding or removing biometry block until the call's time limit, then fail in the same way.
 * Calls without a task and mtoken_client_free wait for the function; so does mtoken_runtime_free.
 * Do not call the library while holding a lock that these functions need.
 */
typedef struct mtoken_host_store {
    size_t struct_size;
    void *context;                  /* passed to each function */
    /* Passes the item to mtoken_store_reply_set, or returns MTOKEN_ERROR_NOT_FOUND. */
    mtoken_status (*load)(void *context, const char *name, mtoken_store_reply *reply);
    /*
     * Replaces the item atomically and returns only when it is durable: the library sends a
     * signature immediately afterwards. The former content must then be gone: keep no versions,
     * journals or backups of a state, since a former state beside the current one reveals the PIN.
     */
    mtoken_status (*save)(void *context, const char *name, const uint8_t *bytes,
                          size_t length);
    /* Removes the item. Returns MTOKEN_OK if there is none. */
    mtoken_status (*remove)(void *context, const char *name);
    /* Optional: called once when the store is no longer used. */
    void (*release)(void *context);
    /*
     * Optional: passes the names of all items, in any order, to mtoken_store_names_add. Names of
     * other items are ignored. Without this function mtoken_store_clients fails with UNSUPPORTED.
     */
    mtoken_status (*list)(void *context, mtoken_store_names *names);
    /*
     * Optional: called on the same thread after another function has failed. Returns why, in words
     * for developers and without secrets: the `cause` of the call's error. NULL: no explanation.
     * The text must live until the next call on this thread.
     */
    const char *(*explain)(void *context);
} mtoken_host_store;

#define MTOKEN_HOST_STORE_INIT \
    { \
        sizeof(mtoken_host_store), NULL, NULL, NULL, NULL, NULL, NULL, NULL \
    }

/*
 * Creates a store from the host's functions. Two processes must not use the same client id at once:
 * the host does the locking.
 *
 * Errors       ARGUMENT (a function is missing)
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_store_host_new(const mtoken_host_store *host, mtoken_store **out_store,
                      mtoken_error **out_error);

/*
 * Sets the reply of a load function to a copy of the item's bytes. Call it only within that
 * function, on any thread. The last call wins; a failed call changes nothing.
 *
 * Returns      MTOKEN_OK; HANDLE: not a reply, or its load function has returned; STATE: in the
 *              child of a fork; ARGUMENT: bytes is NULL but length is not 0
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_store_reply_set(mtoken_store_reply *reply, const uint8_t *MTOKEN_SECRET bytes,
                       size_t length);

/*
 * Adds the name of one item, which is copied. Call it only within a list function, on any thread.
 *
 * Errors       HANDLE (not within a list function), ARGUMENT (NULL, not UTF-8, contains a NUL)
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_store_names_add(mtoken_store_names *names, const char *name, size_t name_length);

/* The ids of the clients in a store. */
typedef struct mtoken_store_list {
    size_t count;
    const char *const *ids; /* in bytewise order */
} mtoken_store_list;

/*
 * Lists the clients with stored items, whether or not they can be opened. Other items are
 * ignored. Clients that are added or removed during the call may or may not be listed. The call
 * opens no client and reads no item.
 *
 * out_list     must be freed with mtoken_store_list_free
 * Errors       HANDLE, ARGUMENT, UNSUPPORTED (a host store without a list function: reason
 *              "storageUnsupported"), STORAGE, STATE after a fork
 */
MTOKEN_API MTOKEN_BLOCKS MTOKEN_CHECKED mtoken_status
mtoken_store_clients(mtoken_store *store, mtoken_store_list **out_list, mtoken_error **out_error);
MTOKEN_API void mtoken_store_list_free(mtoken_store_list *list);

/*
 * Removes all items of a client that cannot be opened (TAMPERED, or its device secret or
 * configuration is lost) or is no longer wanted. The server is not informed, and the activation
 * cannot be used again. The removal is durable when the call returns.
 *
 * Errors       HANDLE, ARGUMENT, BUSY (the client is open: with a directory store in any process,
 *              with other stores only through this handle), NOT_FOUND, STORAGE, STATE after a fork
 */
MTOKEN_API MTOKEN_BLOCKS MTOKEN_CHECKED mtoken_status
mtoken_store_remove(mtoken_store *store, const char *id, size_t id_length,
                    mtoken_error **out_error);

/*
 * Copies all items of a client to another store or another id without interpreting them: for
 * analysis, for safekeeping before a removal, or to move to another kind of store. ONLY ONE OF THE
 * TWO COPIES MAY EVER BE USED AGAIN: both hold the same counter, and the server soon blocks an
 * activation if two devices sign with the same counter values. Remove one before you open the
 * other. A copy from before a change of the PIN and the state from after it, together with the
 * device secret, reveal both PINs: remove such copies, or keep them elsewhere.
 *
 * The state is bound to the client's id. A copy under another id serves only for safekeeping: it
 * fails to open (TAMPERED) until it is copied back under its own id. A device secret that the host
 * supplies (mtoken_client_options.device_secret) is neither in the store nor in the copy.
 *
 * Errors       HANDLE, ARGUMENT, BUSY (as mtoken_store_remove, for either of the two), NOT_FOUND,
 *              STATE (reason "alreadyThere": the target already has a client of that id, which is
 *              left unchanged; or after a fork), STORAGE (the library has removed what it had
 *              copied, unless that failed too)
 */
MTOKEN_API MTOKEN_BLOCKS MTOKEN_CHECKED mtoken_status
mtoken_store_copy(mtoken_store *store, const char *id, size_t id_length, mtoken_store *target,
                  const char *target_id, size_t target_id_length, mtoken_error **out_error);

/* Frees the store. Clients that use it keep it alive. NULL is ignored. */
MTOKEN_API MTOKEN_BLOCKS void mtoken_store_free(mtoken_store *store);

MTOKEN_END

#endif
