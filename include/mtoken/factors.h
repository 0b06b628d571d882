/* SPDX-License-Identifier: Apache-2.0 */
/* The factors of an activation: PIN, biometry, and the external encryption key around both. */
#ifndef MTOKEN_FACTORS_H
#define MTOKEN_FACTORS_H

#include "base.h"
#include "error.h"
#include "signing.h"

MTOKEN_BEGIN

/*
 * Weaknesses that make a PIN easy to guess, as the passphrase meter of the mobile SDKs finds them.
 * A PIN of four to eight digits can have several of these. Full width and other digits count as
 * digits, and characters without a width do not count.
 */
MTOKEN_FLAGS(mtoken_pin_weaknesses_values) {
    MTOKEN_PIN_SHORT = 1,      /* fewer than 4 bytes, which no PIN may have */
    MTOKEN_PIN_REPEATED = 2, /* at most two different characters, or one group repeated: 123123 */
    /* More than half of it counts up or down by one, e.g. 1234, 9876, 7890, or 123451 */
    MTOKEN_PIN_SEQUENTIAL = 4,
    /* One of the most common PINs, a line of the keypad (2580), or a common word: passw0rd1 */
    MTOKEN_PIN_COMMON = 8,
    MTOKEN_PIN_DATE = 16,      /* may be a date or a year: 2412, 311299, 24.12.1999, 1974 */
};
typedef int32_t mtoken_pin_weaknesses;

/*
 * Returns the weaknesses of a PIN, for the form in which the user chooses it. The options
 * min_pin_length and refused_pins of a client (client.h) refuse such PINs. Pure.
 *
 * Returns      MTOKEN_PIN_..., combined with |; 0: nothing was found
 */
MTOKEN_API mtoken_pin_weaknesses
mtoken_pin_inspect(const uint8_t *MTOKEN_SECRET pin, size_t pin_length);

/*
 * Asks the server whether a PIN is correct. A wrong PIN costs the user an attempt.
 *
 * pin          UTF-8 bytes, at least 4
 * Calls        POST /pa/v3/signature/validate (signed, possession and knowledge)
 * Task result  none
 * Errors       at once: HANDLE, ARGUMENT, NOT_ACTIVATED, PENDING; of the task: AUTHENTICATION (the
 *              PIN is wrong), BLOCKED, STATE (the external key is not set), STORAGE, network errors
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_client_validate_pin(mtoken_client *client, const uint8_t *MTOKEN_SECRET pin,
                           size_t pin_length, mtoken_task **out_task, mtoken_error **out_error);

/*
 * Changes the PIN. The server validates the old PIN; then the library encrypts the knowledge factor
 * under the new one and stores it. On failure the old PIN remains valid, with one exception: if the
 * store saves the state but reports a failure, the new PIN applies once the client is opened again.
 *
 * With protocol 4.0 the server and the device agree on a new knowledge factor, and the library
 * proves the new PIN at once. If the first request fails, or if the server counts the new PIN as
 * wrong, the old PIN remains valid. If the second request gets no response, the library fetches the
 * status: if its counter shows that the server has accepted the new PIN, the call succeeds.
 * Otherwise it fails with reason "newPINMayApply". Whatever the reason of a failure: as long as
 * mtoken_client_info.awaits_new_pin is 1, after a restart too, the new PIN applies (that of the
 * last change whose outcome is not NOT_SENT), and other calls with the PIN fail with STATE (reason
 * confirmPIN) until mtoken_client_validate_pin has been called with the new one.
 *
 * If a response is lost, the library fetches the status: remaining_attempts of the error then says
 * whether an attempt was counted. That holds for each call that changes a factor.
 *
 * Calls        POST /pa/v3/signature/validate (signed, possession and knowledge); with protocol 4.0
 *              POST /pa/v4/password/change (signed, encrypted) and POST /pa/v4/auth/validate
 * Task result  none
 * Errors       as mtoken_client_validate_pin, and DECRYPTION, PROTOCOL; ARGUMENT with reason
 *              "weakPin": see refused_pins of mtoken_client_options
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_client_change_pin(mtoken_client *client, const uint8_t *MTOKEN_SECRET old_pin,
                         size_t old_pin_length, const uint8_t *MTOKEN_SECRET new_pin,
                         size_t new_pin_length, mtoken_task **out_task, mtoken_error **out_error);

/*
 * Changes the PIN on this device without asking the server. UNSAFE: the library cannot check the
 * old PIN, and a wrong one destroys the knowledge factor permanently. Call it only with an old PIN
 * that mtoken_client_validate_pin has just found correct. No network. Protocol 4.0 does not allow
 * it.
 *
 * Errors       UNSUPPORTED (an activation of protocol 4.0), HANDLE, ARGUMENT, NOT_ACTIVATED,
 *              PENDING, STATE (the external key is not set, or the PIN was changed at the same
 *              time), STORAGE (the old PIN remains)
 */
MTOKEN_API MTOKEN_BLOCKS MTOKEN_CHECKED mtoken_status
mtoken_client_change_pin_unsafe(mtoken_client *client, const uint8_t *MTOKEN_SECRET old_pin,
                                size_t old_pin_length, const uint8_t *MTOKEN_SECRET new_pin,
                                size_t new_pin_length, mtoken_error **out_error);

/*
 * Adds the biometry factor, or changes its key. The library never accesses biometric data: the host
 * keeps a random key under its biometric protection and passes it for each signature
 * (mtoken_auth).
 *
 * A named authenticator, e.g. a smart card, has its own key, which protects its own copy of the
 * factor. A signature uses the copy of the authenticator that mtoken_auth names. To the server all
 * copies are the same factor.
 *
 * With protocol 4.0 the server and the device agree on a new biometry factor, and the library
 * proves it at once: the old factor remains if the server counts that as wrong. Copies of other
 * authenticators end with the old one. To give an authenticator a copy of the factor that another
 * one has, pass in auth the biometry_key (and name) of that one.
 *
 * key            16 bytes (protocol 4.0: or 32), not all zero
 * authenticator  1 to 64 bytes; NULL: the unnamed authenticator. At most 8 named ones.
 * auth           the factors that the server requires for its vault: by default possession and
 *                knowledge. Protocol 4.0: possession and knowledge, or possession and biometry to
 *                copy the factor
 * Calls          POST /pa/v3/vault/unlock (signed, encrypted, reason ADD_BIOMETRY); with protocol
 *                4.0 POST /pa/v4/biometry/add (signed, encrypted) and POST /pa/v4/auth/validate
 * Task result    none
 * Errors         at once: HANDLE, ARGUMENT, NOT_ACTIVATED, PENDING, FACTOR; of the task:
 *                AUTHENTICATION, SERVER with server_code "ERR_SECURE_VAULT", DECRYPTION, PROTOCOL,
 *                any code with reason "newBiometryMayApply" (protocol 4.0: the response to the
 *                factor's first code is lost; the factor is set up here, and a status does not show
 *                that the server took it), STATE (the external key is not set), STORAGE, network
 *                errors
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_client_add_biometry(mtoken_client *client, const uint8_t *MTOKEN_SECRET key,
                           size_t key_length, const char *MTOKEN_NULLABLE authenticator,
                           size_t authenticator_length, const mtoken_auth *auth,
                           mtoken_task **out_task, mtoken_error **out_error);

/*
 * Removes the biometry factor of an authenticator from this device. With protocol 3 the library
 * does not inform the server, and the task needs no network. With protocol 4.0 it informs the
 * server when the last authenticator is removed; if that fails, the factor is removed on this
 * device nevertheless, and the next mtoken_client_fetch_status informs the server.
 *
 * authenticator  1 to 64 bytes; NULL: the unnamed authenticator
 * Calls          with protocol 4.0 POST /pa/v4/biometry/remove (signed, possession)
 * Task result    none
 * Errors         at once: HANDLE, ARGUMENT, NOT_ACTIVATED, PENDING, NOT_FOUND, STATE (the runtime
 *                was freed); of the task: STORAGE (the factor remains), NOT_FOUND (removed in the
 *                meantime), network errors. With outcome NOT_SENT the factor may remain:
 *                mtoken_client_info.has_biometry
 */
MTOKEN_API MTOKEN_BLOCKS MTOKEN_CHECKED mtoken_status
mtoken_client_remove_biometry(mtoken_client *client, const char *MTOKEN_NULLABLE authenticator,
                              size_t authenticator_length, mtoken_task **out_task,
                              mtoken_error **out_error);

/*
 * The external encryption key (external key): 16 bytes from the host. The library encrypts the keys
 * of the knowledge and biometry factors a second time under it. The library never stores it. If an
 * activation uses one, the host must set it on each client, with mtoken_client_options.external_key
 * or mtoken_client_set_external_key. Without it, calls with PIN or biometry fail with STATE; calls
 * with possession alone succeed. mtoken_client_info says whether the activation uses a key and
 * whether it is set.
 *
 * set     Sets the key of this client: before an activation that is to use it, or for one that
 *         already does. Setting the same key again is allowed. Errors: HANDLE, ARGUMENT (not 16
 *         bytes, all zero, or another key is set), STATE (the activation uses none).
 * add     Encrypts the factors of an activation that uses no external key under this key, and sets
 *         it. Errors: HANDLE, ARGUMENT, STATE (no activation, or it uses one, or a change of the
 *         factors is under way), STORAGE (nothing has changed).
 * remove  Removes this encryption from the factors and discards the key. Errors: HANDLE, STATE (no
 *         activation, none used, or not set, or a change of the factors is under way), STORAGE.
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
