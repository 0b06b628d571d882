/*
 * What the server's secure vault guards: keys for the host's own data, the device's private key,
 * the recovery data.
 *
 * Each call unlocks the vault for its purpose with a signature: possession and knowledge by
 * default, others where the server allows it. The vault's key is proven before it is used and wiped
 * afterwards.
 *
 * Calls   POST /pa/v3/vault/unlock (signed, encrypted)
 * Errors  at once: HANDLE, ARGUMENT, NOT_ACTIVATED, PENDING, FACTOR; of the task: AUTHENTICATION
 *         (wrong PIN), SERVER with server_code "ERR_SECURE_VAULT" (factors not allowed, temporary
 *         key unknown: the next call fetches a new one), DECRYPTION, PROTOCOL, STATE (the external
 *         key is not set), STORAGE, network errors
 */
#ifndef MTOKEN_VAULT_H
#define MTOKEN_VAULT_H

#include "base.h"
#include "error.h"
#include "signing.h"

MTOKEN_BEGIN

/*
 * The bytes that a task brought; NULL for other or unfinished tasks. They live as long as the task
 * and are wiped with it.
 */
MTOKEN_API const mtoken_bytes
*MTOKEN_NULLABLE MTOKEN_SECRET mtoken_task_bytes(const mtoken_task *task);

/*
 * A key of 16 bytes for data of the host's own: the same for the same index as long as the
 * activation lives, and only to be had with the server's consent. Reason FETCH_ENCRYPTION_KEY.
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
 * Makes a JSON Web Token (ES256) of claims with the device's private key. Reason
 * SIGN_WITH_DEVICE_PRIVATE_KEY.
 *
 * claims       a JSON object, which enters the token byte by byte
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
 * Shows the recovery code and PUK that came with the activation. Reason RECOVERY_CODE.
 *
 * Task result  mtoken_task_recovery
 * Errors       as above, and at once NOT_FOUND (none came)
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_recovery_fetch(mtoken_client *client, const mtoken_auth *auth, mtoken_task **out_task,
                      mtoken_error **out_error);

/*
 * The result of mtoken_recovery_fetch; NULL for other or unfinished tasks. Lives as long as the
 * task; is wiped with it.
 */
MTOKEN_API const mtoken_recovery *MTOKEN_NULLABLE mtoken_task_recovery(const mtoken_task *task);

/*
 * Confirms that a recovery code has arrived on paper, so that it may be used.
 *
 * code         with or without "R:"
 * auth         possession and knowledge
 * Calls        POST /pa/v3/recovery/confirm (signed, encrypted)
 * Task result  mtoken_task_already_confirmed
 * Errors       at once: HANDLE, ARGUMENT, PARSE (the code), NOT_ACTIVATED, PENDING, FACTOR; of the
 *              task: AUTHENTICATION, SERVER with server_code "ERR_RECOVERY" (unknown, used or
 *              foreign code), DECRYPTION, PROTOCOL, STORAGE, network errors
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_recovery_confirm(mtoken_client *client, const char *MTOKEN_SECRET code, size_t code_length,
                        const mtoken_auth *auth, mtoken_task **out_task, mtoken_error **out_error);

/*
 * The result of mtoken_recovery_confirm: 1 if the code was confirmed before, 0 if not; -1 for other
 * or unfinished tasks.
 */
MTOKEN_API mtoken_answer mtoken_task_already_confirmed(const mtoken_task *task);

MTOKEN_END

#endif
