/* The factors of an activation: PIN, biometry, and the external encryption key around both. */
#ifndef MTOKEN_FACTORS_H
#define MTOKEN_FACTORS_H

#include "base.h"
#include "error.h"
#include "signing.h"

MTOKEN_BEGIN

/*
 * Asks the server whether a PIN is right. A wrong one costs the user an attempt.
 *
 * pin          UTF-8 bytes, at least 4
 * Calls        POST /pa/v3/signature/validate (signed, possession and knowledge)
 * Task result  none
 * Errors       at once: HANDLE, ARGUMENT, NOT_ACTIVATED, PENDING; of the task: AUTHENTICATION (the
 *              PIN is wrong, or the activation is blocked: mtoken_client_fetch_status tells), STATE
 *              (the external key is not set), STORAGE, network errors
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_client_validate_pin(mtoken_client *client, const uint8_t *MTOKEN_SECRET pin,
                           size_t pin_length, mtoken_task **out_task, mtoken_error **out_error);

/*
 * Changes the PIN: the server validates the old one, then the knowledge factor is encrypted under
 * the new one and stored. On any failure the old PIN stays: only a store that saved and then
 * reported a failure may bring the new one when the client is opened again.
 *
 * Calls        POST /pa/v3/signature/validate (signed, possession and knowledge)
 * Task result  none
 * Errors       as mtoken_client_validate_pin
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_client_change_pin(mtoken_client *client, const uint8_t *MTOKEN_SECRET old_pin,
                         size_t old_pin_length, const uint8_t *MTOKEN_SECRET new_pin,
                         size_t new_pin_length, mtoken_task **out_task, mtoken_error **out_error);

/*
 * Changes the PIN on this device without asking the server. UNSAFE: nothing can tell whether the
 * old PIN is right, and a wrong one destroys the knowledge factor for ever. Only for a PIN that
 * mtoken_client_validate_pin has just accepted. No network.
 *
 * Errors       HANDLE, ARGUMENT, NOT_ACTIVATED, PENDING, STATE (the external key is not set, or the
 *              PIN was changed at the same time), STORAGE (the old PIN stays)
 */
MTOKEN_API MTOKEN_BLOCKS MTOKEN_CHECKED mtoken_status
mtoken_client_change_pin_unsafe(mtoken_client *client, const uint8_t *MTOKEN_SECRET old_pin,
                                size_t old_pin_length, const uint8_t *MTOKEN_SECRET new_pin,
                                size_t new_pin_length, mtoken_error **out_error);

/*
 * Adds the biometry factor, or gives it another key. The library never sees biometry: the host
 * keeps random bytes under its biometric protection and hands them in for each signature
 * (mtoken_auth): 16 with protocol 3, 32 with protocol 4.
 *
 * A named authenticator, e.g. a smart card, protects a copy of its own with a key of its own; a
 * signature uses one copy, the one that mtoken_auth names. The server sees the same factor
 * whichever is used.
 *
 * key           16 bytes (32 belong to protocol 4: ARGUMENT with protocol 3), not all zero
 * authenticator 1 to 64 bytes; NULL: the unnamed authenticator. At most 8 named ones.
 * auth          as the server demands for its vault: possession and knowledge by default
 * Calls         POST /pa/v3/vault/unlock (signed, encrypted, reason ADD_BIOMETRY)
 * Task result   none
 * Errors        at once: HANDLE, ARGUMENT, NOT_ACTIVATED, PENDING, FACTOR; of the task:
 *               AUTHENTICATION, SERVER with server_code "ERR_SECURE_VAULT", DECRYPTION, PROTOCOL,
 *               STATE (the external key is not set), STORAGE, network errors
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_client_add_biometry(mtoken_client *client, const uint8_t *MTOKEN_SECRET key,
                           size_t key_length, const char *MTOKEN_NULLABLE authenticator,
                           size_t authenticator_length, const mtoken_auth *auth,
                           mtoken_task **out_task, mtoken_error **out_error);

/*
 * Removes the biometry factor of an authenticator from this device. With protocol 3 the server is
 * not told, and the task completes without network.
 *
 * authenticator 1 to 64 bytes; NULL: the unnamed authenticator
 * Task result   none
 * Errors        at once: HANDLE, ARGUMENT, NOT_ACTIVATED, PENDING, NOT_FOUND, STATE (the runtime
 *               was freed); of the task: STORAGE (it stays), NOT_FOUND (removed meanwhile)
 */
MTOKEN_API MTOKEN_BLOCKS MTOKEN_CHECKED mtoken_status
mtoken_client_remove_biometry(mtoken_client *client, const char *MTOKEN_NULLABLE authenticator,
                              size_t authenticator_length, mtoken_task **out_task,
                              mtoken_error **out_error);

/*
 * The external encryption key: 16 bytes of the host's that lie as a second layer around the PIN's
 * and the biometry's keys. It is never stored: a host whose activation uses one hands it in again
 * for each client object, by mtoken_client_options.external_key or by set. Without it, calls with
 * PIN or biometry fail with STATE; possession alone works. mtoken_client_info tells whether one is
 * used and set.
 *
 * set     For this client object: before an activation that shall use it, or for one that does.
 *         Setting the same key again is fine. Errors: HANDLE, ARGUMENT (not 16 bytes, all zero, or
 *         another key is set), STATE (the activation uses none).
 * add     Puts the key around the factors of an activation that uses none, and sets it. Errors:
 *         HANDLE, ARGUMENT, STATE (no activation, or it uses one), STORAGE (nothing has changed).
 * remove  Takes it off the factors and forgets it. Errors: HANDLE, STATE (no activation, none used,
 *         or not set), STORAGE.
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_client_set_external_key(mtoken_client *client, const uint8_t *MTOKEN_SECRET key,
                               size_t key_length, mtoken_error **out_error);
MTOKEN_API MTOKEN_BLOCKS MTOKEN_CHECKED mtoken_status
mtoken_client_add_external_key(mtoken_client *client, const uint8_t *MTOKEN_SECRET key,
                               size_t key_length, mtoken_error **out_error);
MTOKEN_API MTOKEN_BLOCKS MTOKEN_CHECKED mtoken_status
mtoken_client_remove_external_key(mtoken_client *client, mtoken_error **out_error);

MTOKEN_END

#endif
