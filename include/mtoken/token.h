/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MAC tokens: authentication of frequent requests, e.g. for the list of operations, without a
 * signature. (PowerAuth protocol, MAC tokens.)
 */
#ifndef MTOKEN_TOKEN_H
#define MTOKEN_TOKEN_H

#include "base.h"
#include "error.h"
#include "signing.h"

MTOKEN_BEGIN

/*
 * Ensures that a token of this name is stored. Asks the server only if there is none. Concurrent
 * calls for one name share one request.
 *
 * name         1 to 64 bytes, chosen by the host; the library itself uses "possession_universal"
 *              and "activation_detail"
 * auth         factors of the token; if a token of this name exists with other factors, the call
 *              fails with ARGUMENT
 * Calls        POST /pa/v3/token/create (signed, encrypted)
 * Task result  none: mtoken_token_get_header can now be called
 * Errors       at once: HANDLE, ARGUMENT, NOT_ACTIVATED, PENDING, FACTOR; of the task:
 *              AUTHENTICATION, DECRYPTION, STORAGE, network errors
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_token_create(mtoken_client *client, const char *name, size_t name_length,
                    const mtoken_auth *auth, mtoken_task **out_task, mtoken_error **out_error);

/*
 * Computes the X-PowerAuth-Token header of a stored token, with a fresh nonce and the server's
 * time. Call it for each request: use a header only once. If the server refuses a header, call
 * mtoken_token_fetch_header. Free with mtoken_header_free. No network.
 *
 * Errors       HANDLE, ARGUMENT, NOT_ACTIVATED, PENDING, NOT_FOUND (no such token), STATE (the
 *              server's time is not known yet: mtoken_client_synchronize_time)
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_token_get_header(mtoken_client *client, const char *name, size_t name_length,
                        mtoken_header **out_header, mtoken_error **out_error);

/* Options of mtoken_token_fetch_header. */
typedef struct mtoken_token_options {
    size_t struct_size;
    mtoken_text name;           /* name of the token: 1 to 64 bytes; required */
    /* Value of a header that the server answered with 401; not set: no header was refused */
    mtoken_text refused_header;
} mtoken_token_options;

#define MTOKEN_TOKEN_OPTIONS_INIT \
    { \
        sizeof(mtoken_token_options), MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT \
    }

/*
 * Computes a header as mtoken_token_get_header does, but first obtains what is missing: creates the
 * token if none of this name is stored, and fetches the server's time if it is not known. It also
 * replaces a token that the server no longer knows: pass the header that the server refused; the
 * library discards its token, creates a new one and computes a header of that. Concurrent calls for
 * one name, including those with the same refused header, create one new token.
 *
 * If the server refuses the header of a new token, the token is not the cause: fetch the status of
 * the activation.
 *
 * auth         factors of the token, as for mtoken_token_create
 * Calls        POST /pa/v3/token/create (signed, encrypted) and /pa/v3/status, if needed
 * Task result  mtoken_task_header
 * Errors       at once: HANDLE, ARGUMENT (also if refused_header is not a token header, or the
 *              stored token has other factors), NOT_ACTIVATED, PENDING, FACTOR; of the task:
 *              AUTHENTICATION, DECRYPTION, STORAGE, network errors
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_token_fetch_header(mtoken_client *client, const mtoken_token_options *options,
                          const mtoken_auth *auth, mtoken_task **out_task,
                          mtoken_error **out_error);

/*
 * Returns the result of mtoken_token_fetch_header, or NULL for other or unfinished tasks. Lives as
 * long as the task.
 */
MTOKEN_API const mtoken_header *MTOKEN_NULLABLE mtoken_task_header(const mtoken_task *task);

/* Returns 1 if a token of this name is stored, otherwise 0, also for an invalid argument. */
MTOKEN_API mtoken_bool
mtoken_token_is_stored(const mtoken_client *client, const char *name, size_t name_length);

/*
 * Removes a token at the server and then on this device.
 *
 * Calls        POST /pa/v3/token/remove (signed with possession)
 * Task result  none
 * Errors       at once: HANDLE, ARGUMENT, NOT_ACTIVATED, PENDING, NOT_FOUND; of the task:
 *              AUTHENTICATION, STORAGE, network errors
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_token_remove(mtoken_client *client, const char *name, size_t name_length,
                    mtoken_task **out_task, mtoken_error **out_error);

/*
 * Removes a token on this device only; with name NULL, all tokens.
 *
 * Errors       HANDLE, ARGUMENT, NOT_ACTIVATED, PENDING, NOT_FOUND, STORAGE
 */
MTOKEN_API MTOKEN_BLOCKS MTOKEN_CHECKED mtoken_status
mtoken_token_forget(mtoken_client *client, const char *MTOKEN_NULLABLE name, size_t name_length,
                    mtoken_error **out_error);

MTOKEN_END

#endif
