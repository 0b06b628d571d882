/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The server's secure vault, which guards keys for the host's own data, the device's private key
 * and the recovery data.
 *
 * Each call except mtoken_recovery_confirm unlocks the vault for one purpose (the reason) with a
 * signature of possession and knowledge, or of other factors if the server allows them. The library
 * verifies the vault key before use and wipes it afterwards.
 *
 * An activation of protocol 4.0 has no recovery data: those calls fail with UNSUPPORTED.
 *
 * Calls   POST /pa/v3/vault/unlock (signed, encrypted; protocol 4.0: /pa/v4/vault/unlock)
 * Errors  at once: HANDLE, ARGUMENT, NOT_ACTIVATED, PENDING, FACTOR; of the task: AUTHENTICATION
 *         (the PIN or biometry key is wrong: an attempt was counted), SERVER with server_code
 *         "ERR_SECURE_VAULT" (the server does not allow these factors), with reason "notTheFactor"
 *         (no attempt was counted) or "acceptedThenRefused" (the factors are right), DECRYPTION,
 *         PROTOCOL, STATE (the external key is not set), STORAGE, network errors
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
 * activation lives and is not upgraded to protocol 4.0. Only the server can release it. Reason
 * FETCH_ENCRYPTION_KEY. With protocol 4.0 it is the MTOKEN_VAULT_KEY_TWO_FACTORS of 16 bytes.
 *
 * Task result  mtoken_task_bytes
 * Errors       as above
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_vault_fetch_key(mtoken_client *client, uint64_t index, const mtoken_auth *auth,
                       mtoken_task **out_task, mtoken_error **out_error);

/* The vault key from which a key is derived: the vault keys differ in their factors. */
MTOKEN_CLOSED_ENUM(mtoken_vault_key_values) {
    MTOKEN_VAULT_KEY_TWO_FACTORS = 1,       /* possession and the PIN or biometry */
    MTOKEN_VAULT_KEY_KNOWLEDGE = 2, /* possession and the PIN only */
};
typedef int32_t mtoken_vault_key;

/*
 * Fetches a key of the given kind and size for the host's own data. The same kind, index and size
 * give the same key as long as the activation lives. Protocol 4.0 only. Reason
 * FETCH_ENCRYPTION_KEY.
 *
 * key          MTOKEN_VAULT_KEY_...
 * size         16 to 64 bytes
 * Task result  mtoken_task_bytes
 * Errors       as above, and at once UNSUPPORTED (an activation of protocol 3)
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_vault_fetch_key_of(mtoken_client *client, mtoken_vault_key key, uint64_t index, size_t size,
                          const mtoken_auth *auth, mtoken_task **out_task,
                          mtoken_error **out_error);

/*
 * Signs data with the device's private key: ECDSA P-256 with SHA-256; with protocol 4.0 ECDSA P-384
 * with SHA-384. Reason SIGN_WITH_DEVICE_PRIVATE_KEY.
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
 * Signs data with the device's ML-DSA private key (FIPS 204, empty context), which an activation of
 * a hybrid suite of protocol 4.0 has. Reason SIGN_WITH_DEVICE_PRIVATE_KEY.
 *
 * Task result  mtoken_task_bytes: the signature, 3309 or 4627 bytes
 * Errors       as above, and at once UNSUPPORTED (the activation has no such key)
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_vault_sign_ml_dsa(mtoken_client *client, const uint8_t *bytes, size_t bytes_length,
                         const mtoken_auth *auth, mtoken_task **out_task,
                         mtoken_error **out_error);

/*
 * Signs a JSON Web Token (ES256) with the device's private key. With protocol 4.0 it is a JWS in
 * the general JSON form (RFC 7515, section 7.2.1) with one signature for each algorithm of the
 * suite: ES384, and ML-DSA-65 or ML-DSA-87. Reason SIGN_WITH_DEVICE_PRIVATE_KEY.
 *
 * claims       a JSON object, which becomes the payload byte for byte
 * Task result  mtoken_task_bytes: the token or the JSON object, ASCII
 * Errors       as above; ARGUMENT also for claims that are not a JSON object
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_vault_sign_jwt(mtoken_client *client, const char *claims, size_t claims_length,
                      const mtoken_auth *auth, mtoken_task **out_task, mtoken_error **out_error);

/*
 * Returns the device's public key as SubjectPublicKeyInfo in DER: P-256, with protocol 4.0 P-384.
 * Free with mtoken_bytes_free. No network.
 *
 * Errors       HANDLE, ARGUMENT, NOT_ACTIVATED, PENDING, NOT_FOUND (imported from a state that
 *              lacks it)
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_client_public_key(const mtoken_client *client, mtoken_bytes **out_bytes,
                         mtoken_error **out_error);

/* A name and a value of a certificate request. This struct never grows. */
typedef struct mtoken_csr_field {
    mtoken_text name;
    mtoken_text value;
} mtoken_csr_field;

/* The options of a certificate request. */
typedef struct mtoken_csr_options {
    size_t struct_size;
    /*
     * The subject, e.g. "CN" or an OID with its value, in the order of the name; at most 32.
     * Default: an empty subject
     */
    const mtoken_csr_field *subject;
    size_t subject_count;
    /*
     * Extensions, named and written as in OpenSSL's x509v3_config(5), without sections, e.g.
     * "keyUsage" with "critical,digitalSignature", "subjectAltName" with "email:jana@bank.example",
     * or an OID with "DER:" and hexadecimal bytes; at most 32. Default: none
     */
    const mtoken_csr_field *extensions;
    size_t extension_count;
} mtoken_csr_options;

#define MTOKEN_CSR_OPTIONS_INIT { sizeof(mtoken_csr_options), NULL, 0, NULL, 0 }

/*
 * Makes a request for a certificate (PKCS #10, RFC 2986) for the device's key and signs it with
 * that key: ECDSA P-256 with SHA-256; with protocol 4.0 ECDSA P-384 with SHA-384. Reason
 * SIGN_WITH_DEVICE_PRIVATE_KEY.
 *
 * options      NULL: the defaults
 * Task result  mtoken_task_bytes: the request in DER
 * Errors       as above; ARGUMENT also for a field that cannot be encoded, and NOT_FOUND (imported
 *              from a state that lacks the public key)
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_client_sign_csr(mtoken_client *client, const mtoken_csr_options *MTOKEN_NULLABLE options,
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
 *              task: AUTHENTICATION, SERVER with reason "acceptedThenRefused" (the code is unknown,
 *              used or another user's) or "notTheFactor", DECRYPTION, PROTOCOL, STORAGE, network
 *              errors
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
