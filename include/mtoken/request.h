/* SPDX-License-Identifier: Apache-2.0 */
/*
 * End-to-end encryption and authentication of requests that the host sends itself. (PowerAuth
 * protocol, ECIES.)
 */
#ifndef MTOKEN_REQUEST_H
#define MTOKEN_REQUEST_H

#include "base.h"
#include "error.h"
#include "signing.h"

MTOKEN_BEGIN

/* The recipient of an encrypted request. */
MTOKEN_CLOSED_ENUM(mtoken_scope_values) {
    MTOKEN_SCOPE_APPLICATION = 1, /* the application's server: also without an activation */
    MTOKEN_SCOPE_ACTIVATION = 2,  /* the server, with the keys of this activation */
};
typedef int32_t mtoken_scope;

/* The order of encryption and signature of a request. The bank specifies it. */
MTOKEN_CLOSED_ENUM(mtoken_encryption_order_values) {
    MTOKEN_ENCRYPT_THEN_SIGN = 0,
    MTOKEN_SIGN_THEN_ENCRYPT = 1,
};
typedef int32_t mtoken_encryption_order;

/* Options of mtoken_client_encrypt. */
typedef struct mtoken_encrypt_options {
    size_t struct_size;
    mtoken_scope scope;            /* MTOKEN_SCOPE_... Required. */
    /* With auth: MTOKEN_ENCRYPT_THEN_SIGN or MTOKEN_SIGN_THEN_ENCRYPT */
    mtoken_encryption_order order;
    const mtoken_auth *auth;       /* NULL: not signed; otherwise only in MTOKEN_SCOPE_ACTIVATION */
    mtoken_text uri_id; /* with auth: the constant that the server expects for the endpoint */
} mtoken_encrypt_options;

#define MTOKEN_ENCRYPT_OPTIONS_INIT \
    { \
        sizeof(mtoken_encrypt_options), 0, MTOKEN_ENCRYPT_THEN_SIGN, NULL, \
        MTOKEN_TEXT_INIT \
    }

/*
 * Encrypts the body of a POST request, and signs it if auth is set. The library stores the advanced
 * counter before the task succeeds. To authenticate with a token instead, leave auth NULL and send
 * the header from mtoken_token_get_header in addition to that of the encrypted request.
 *
 * Calls        POST /pa/v3/keystore/create (protocol 3.3) or /pa/v3/status, if the server's key or
 *              time is not known
 * Task result  mtoken_task_encrypted_request; mtoken_task_decrypt decrypts the response
 * Errors       at once: HANDLE, ARGUMENT, NOT_ACTIVATED, PENDING, FACTOR; of the task: SIGNATURE,
 *              PROTOCOL, STATE (the external key is not set), STORAGE (nothing is returned and the
 *              counter value is not used), network errors
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_client_encrypt(mtoken_client *client, const uint8_t *MTOKEN_SECRET body, size_t body_length,
                      const mtoken_encrypt_options *options, mtoken_task **out_task,
                      mtoken_error **out_error);

/* A request that is ready to be sent. */
typedef struct mtoken_encrypted_request {
    const uint8_t *body;      /* the body to send, Content-Type application/json */
    size_t body_length;
    /* X-PowerAuth-Encryption or, for a signed request, X-PowerAuth-Authorization */
    const char *header_name;
    const char *header_value;
} mtoken_encrypted_request;

/*
 * Returns the result of mtoken_client_encrypt, or NULL for other or unfinished tasks. Send it only
 * once. Lives as long as the task.
 */
MTOKEN_API const mtoken_encrypted_request
*MTOKEN_NULLABLE mtoken_task_encrypted_request(const mtoken_task *task);

/*
 * Decrypts the response to the request of an mtoken_client_encrypt task. Works once per task. Error
 * responses are not encrypted: read them as they are. Pass a response with status 400 to this call
 * all the same: the server may have forgotten its temporary key, and the DECRYPTION error makes the
 * next request fetch a new one; without it, requests use the lost key until it expires. Free the
 * result with mtoken_bytes_free. No network.
 *
 * Errors  HANDLE, ARGUMENT, STATE (the task has no request, or its response was already decrypted),
 *         PARSE (not JSON), DECRYPTION (the library discards the server's temporary key), CANCELLED
 *         (the client was freed or the activation removed)
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_task_decrypt(const mtoken_task *task, const uint8_t *answer, size_t answer_length,
                    mtoken_bytes **MTOKEN_SECRET out_bytes, mtoken_error **out_error);

/*
 * Computes an authentication code of data with the key that the device shares with the server's key
 * store: HMAC-SHA-256, 32 bytes. The key is the application's secret (MTOKEN_SCOPE_APPLICATION) or
 * derived from it and the activation (MTOKEN_SCOPE_ACTIVATION). The counter does not change. Free
 * with mtoken_bytes_free. No network.
 *
 * Errors       HANDLE, ARGUMENT, NOT_ACTIVATED and PENDING (in the scope of the activation)
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_client_hmac(mtoken_client *client, mtoken_scope scope, const uint8_t *bytes,
                   size_t bytes_length, mtoken_bytes **out_mac, mtoken_error **out_error);

MTOKEN_END

#endif
