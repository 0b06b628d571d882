/*
 * MAC tokens: cheap authentication of repeated requests, e.g. of the list of operations. (PowerAuth
 * protocol, MAC tokens.)
 */
#ifndef MTOKEN_TOKEN_H
#define MTOKEN_TOKEN_H

#include "base.h"
#include "error.h"
#include "signing.h"

MTOKEN_BEGIN

/*
 * Makes sure that a token of this name is stored: asks the server only when there is none. Calls at
 * the same time for one name share one request.
 *
 * name         1 to 64 bytes, the host's choice; the library itself uses "possession_universal" and
 *              "activation_detail"
 * auth         factors of the token; another combination than that of an existing token of the name
 *              is an error
 * Calls        POST /pa/v3/token/create (signed, encrypted)
 * Task result  none: mtoken_token_get_header gives headers now
 * Errors       at once: HANDLE, ARGUMENT, NOT_ACTIVATED, PENDING, FACTOR; of the task:
 *              AUTHENTICATION, DECRYPTION, STORAGE, network errors
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_token_create(mtoken_client *client, const char *name, size_t name_length,
                    const mtoken_auth *auth, mtoken_task **out_task, mtoken_error **out_error);

/*
 * The X-PowerAuth-Token header of a stored token, with a fresh nonce and the server's time. May be
 * called any number of times; each header is good for one request. When the server refuses one:
 * mtoken_token_fetch_header. Free with mtoken_header_free.
 *
 * Errors       HANDLE, ARGUMENT, NOT_ACTIVATED, NOT_FOUND (no such token), STATE (the server's time
 *              is not known yet: mtoken_client_synchronize_time)
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_token_get_header(mtoken_client *client, const char *name, size_t name_length,
                        mtoken_header **out_header, mtoken_error **out_error);

/* Which header of a token is fetched. */
typedef struct mtoken_token_options {
    size_t struct_size;
    mtoken_text name;           /* of the token: 1 to 64 bytes; required */
    /* The value of the header that the server answered with 401; not given: none was */
    mtoken_text refused_header;
} mtoken_token_options;

#define MTOKEN_TOKEN_OPTIONS_INIT \
    { \
        sizeof(mtoken_token_options), MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT \
    }

/*
 * The same with all that it needs: asks the server for a token if none of this name is stored, and
 * for its time if that is not known. Also the way on when the server has refused a header, because
 * it no longer knows the token: the refused header is handed in, its token forgotten, and the
 * header that comes is that of a new one. Calls at the same time for one name, also those that had
 * the same header refused, make one new token.
 *
 * A header that is refused although its token is new is not a matter of the token: fetch the status
 * of the activation.
 *
 * auth         factors of the token, as for mtoken_token_create
 * Calls        POST /pa/v3/token/create (signed, encrypted) and /pa/v3/status, if needed
 * Task result  mtoken_task_header
 * Errors       at once: HANDLE, ARGUMENT (also for what is no such header, and for other factors
 *              than those of the stored token), NOT_ACTIVATED, PENDING, FACTOR, STORAGE; of the
 *              task: AUTHENTICATION, DECRYPTION, STORAGE, network errors
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_token_fetch_header(mtoken_client *client, const mtoken_token_options *options,
                          const mtoken_auth *auth, mtoken_task **out_task,
                          mtoken_error **out_error);

/*
 * The result of mtoken_token_fetch_header; NULL for other or unfinished tasks. Lives as long as the
 * task.
 */
MTOKEN_API const mtoken_header *MTOKEN_NULLABLE mtoken_task_header(const mtoken_task *task);

/* 1: a token of this name is stored; 0: none, or an argument is invalid. */
MTOKEN_API mtoken_bool
mtoken_token_is_stored(const mtoken_client *client, const char *name, size_t name_length);

/*
 * Removes a token at the server and then here.
 *
 * Calls        POST /pa/v3/token/remove (signed with possession)
 * Task result  none
 * Errors       at once: HANDLE, ARGUMENT, NOT_ACTIVATED, NOT_FOUND; of the task: AUTHENTICATION,
 *              STORAGE, network errors
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_token_remove(mtoken_client *client, const char *name, size_t name_length,
                    mtoken_task **out_task, mtoken_error **out_error);

/*
 * Forgets a token, or with name NULL all tokens, on this device only.
 *
 * Errors       HANDLE, ARGUMENT, NOT_FOUND, STORAGE
 */
MTOKEN_API MTOKEN_BLOCKS MTOKEN_CHECKED mtoken_status
mtoken_token_forget(mtoken_client *client, const char *MTOKEN_NULLABLE name, size_t name_length,
                    mtoken_error **out_error);

MTOKEN_END

#endif
