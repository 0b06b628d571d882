/*
 * The server's secure vault, which guards keys for the host's own data, the device's private key
 * and the recovery data.
 *
 * Each call except mtoken_recovery_confirm unlocks the vault for one purpose (the reason) with a
 * signature of possession and knowledge, or of other factors if the server allows them. The library
 * verifies the vault key before use and wipes it afterwards.
 *
 * Calls   POST /pa/v3/vault/unlock (signed, encrypted)
 * Errors  at once: HANDLE, ARGUMENT, NOT_ACTIVATED, PENDING, FACTOR; of the task: AUTHENTICATION
 *         (wrong PIN), SERVER with server_code "ERR_SECURE_VAULT" (the server does not allow these
 *         factors, or does not know the temporary key: the next call fetches a new one),
 *         DECRYPTION, PROTOCOL, STATE (the external key is not set), STORAGE, network errors
 */
#ifndef MTOKEN_VAULT_H
#define MTOKEN_VAULT_H

#include "base.h"
#include "error.h"
#include "signing.h"

MTOKEN_BEGIN

/*
 * Returns the bytes that a task produced, or NULL for other or unfinished tasks. They live as long
 * as the task and are wiped with it.
 */
MTOKEN_API const mtoken_bytes
*MTOKEN_NULLABLE MTOKEN_SECRET mtoken_task_bytes(const mtoken_task *task);

/*
 * Fetches a 16-byte key for the host's own data. The same index gives the same key as long as the
 * activation lives. Only the server can release it. Reason FETCH_ENCRYPTION_KEY.
 *
 * Task result  mtoken_task_bytes
 * Errors       as above
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_vault_fetch_key(mtoken_client *client, uint64_t index, const mtoken_auth *auth,
                       mtoken_task **out_task, mtoken_error **out_error);

/*
 * Signs data with the device's private key (ECDSA P-256 with SHA-256). Reason
 * SIGN_WITH_DEVICE_PRIVATE_KEY.
 *
 * form         MTOKEN_SIGNATURE_FORM_DER or MTOKEN_SIGNATURE_FORM_RAW
 * Task result  mtoken_task_bytes: the signature
 * Errors       as above
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_vault_sign(mtoken_client *client, const uint8_t *bytes, size_t bytes_length,
                  mtoken_signature_form form, const mtoken_auth *auth, mtoken_task **out_task,
                  mtoken_error **out_error);

/*
 * Signs a JSON Web Token (ES256) with the device's private key. Reason
 * SIGN_WITH_DEVICE_PRIVATE_KEY.
 *
 * claims       a JSON object, which becomes the payload byte for byte
 * Task result  mtoken_task_bytes: the token, ASCII
 * Errors       as above; ARGUMENT also for claims that are not a JSON object
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_vault_sign_jwt(mtoken_client *client, const char *claims, size_t claims_length,
                      const mtoken_auth *auth, mtoken_task **out_task, mtoken_error **out_error);

/* A recovery code and its PUK. */
typedef struct mtoken_recovery {
    const char *MTOKEN_SECRET code; /* "XXXXX-XXXXX-XXXXX-XXXXX" */
    const char *MTOKEN_SECRET puk;  /* 10 digits */
} mtoken_recovery;

/*
 * Decrypts the recovery code and PUK that came with the activation. Reason RECOVERY_CODE.
 *
 * Task result  mtoken_task_recovery
 * Errors       as above, and at once NOT_FOUND (the activation came without them)
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_recovery_fetch(mtoken_client *client, const mtoken_auth *auth, mtoken_task **out_task,
                      mtoken_error **out_error);

/*
 * Returns the result of mtoken_recovery_fetch, or NULL for other or unfinished tasks. Lives as long
 * as the task and is wiped with it.
 */
MTOKEN_API const mtoken_recovery *MTOKEN_NULLABLE mtoken_task_recovery(const mtoken_task *task);

/*
 * Confirms that the user has received a recovery code on paper. This enables the code.
 *
 * code         with or without "R:"
 * auth         possession and knowledge
 * Calls        POST /pa/v3/recovery/confirm (signed, encrypted)
 * Task result  mtoken_task_already_confirmed
 * Errors       at once: HANDLE, ARGUMENT, PARSE (the code), NOT_ACTIVATED, PENDING, FACTOR; of the
 *              task: AUTHENTICATION, SERVER with server_code "ERR_RECOVERY" (the code is unknown,
 *              used or another user's), DECRYPTION, PROTOCOL, STORAGE, network errors
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_recovery_confirm(mtoken_client *client, const char *MTOKEN_SECRET code, size_t code_length,
                        const mtoken_auth *auth, mtoken_task **out_task, mtoken_error **out_error);

/*
 * Returns the result of mtoken_recovery_confirm: 1 if the code had already been confirmed, 0 if
 * not, -1 for other or unfinished tasks.
 */
MTOKEN_API mtoken_answer mtoken_task_already_confirmed(const mtoken_task *task);

MTOKEN_END

#endif
