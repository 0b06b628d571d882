/* MAC tokens: cheap authentication of repeated requests, e.g. of the list of operations. (PowerAuth protocol, MAC tokens.) */
#ifndef MTOKEN_TOKEN_H
#define MTOKEN_TOKEN_H

#include "base.h"
#include "error.h"
#include "signing.h"

MTOKEN_BEGIN

/*
 * Makes sure that a token of this name is stored: asks the server only when there is none. Calls at the same time for one
 * name share one request.
 *
 * name         1 to 64 bytes, the host's choice; the library itself uses "possession_universal"
 * auth         factors of the token; another combination than that of an existing token of the name is an error
 * Calls        POST /pa/v3/token/create (signed, encrypted)
 * Errors       at once: HANDLE, ARGUMENT, NOT_ACTIVATED, PENDING, FACTOR; of the task: AUTHENTICATION, DECRYPTION,
 *              STORAGE, network errors
 */
MTOKEN_API mtoken_status mtoken_client_create_token(mtoken_client *client, const char *name, size_t name_length,
                                                    const mtoken_auth *auth, mtoken_task **out_task, mtoken_error **out_error);

/*
 * The X-PowerAuth-Token header of a stored token, with a fresh nonce and the server's time. May be called any number of
 * times; each header is good for one request. Free with mtoken_header_free.
 * Errors: HANDLE, ARGUMENT, NOT_ACTIVATED, NOT_FOUND (no such token), STATE (the server's time is not known yet:
 * mtoken_client_synchronize_time).
 */
MTOKEN_API mtoken_status mtoken_client_token_header(mtoken_client *client, const char *name, size_t name_length,
                                                    mtoken_header **out_header, mtoken_error **out_error);

/* 1: a token of this name is stored; 0: none, or an argument is invalid. */
MTOKEN_API int32_t mtoken_client_has_token(mtoken_client *client, const char *name, size_t name_length);

/*
 * Removes a token at the server (POST /pa/v3/token/remove, signed with possession) and then here.
 * Errors: at once HANDLE, ARGUMENT, NOT_ACTIVATED, NOT_FOUND; of the task: AUTHENTICATION, STORAGE, network errors.
 */
MTOKEN_API mtoken_status mtoken_client_remove_token(mtoken_client *client, const char *name, size_t name_length,
                                                    mtoken_task **out_task, mtoken_error **out_error);

/* Forgets a token, or with name NULL all tokens, on this device only. Errors: HANDLE, ARGUMENT, NOT_FOUND, STORAGE. */
MTOKEN_API mtoken_status mtoken_client_forget_token(mtoken_client *client, const char *name, size_t name_length,
                                                    mtoken_error **out_error);

MTOKEN_END

#endif
