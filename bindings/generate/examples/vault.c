#include <mtoken.h>
#include <stdio.h>
#include <string.h>

/* Fetches a key that only this activation can get, for the host's own encryption. */
mtoken_status print_key(mtoken_client *client, const mtoken_auth *auth)
{
    mtoken_task *task = NULL;
    mtoken_status status = mtoken_vault_fetch_key(client, 1000, auth, &task, NULL);

    if (status == MTOKEN_OK &&
        (status = mtoken_task_wait(task, MTOKEN_FOREVER)) == MTOKEN_OK)
        status = mtoken_task_result(task);
    if (status == MTOKEN_OK) printf("%zu bytes\n", mtoken_task_bytes(task)->length);
    mtoken_task_free(task); /* wipes the key */
    return status;
}

/* Fetches a key that needs the PIN and cannot be had with biometry, with protocol 4.0.
 */
mtoken_status fetch_pin_key(mtoken_client *client, const mtoken_auth *pin,
                            mtoken_task **task)
{
    return mtoken_vault_fetch_key_of(client, MTOKEN_VAULT_KEY_KNOWLEDGE, 1000, 32, pin,
                                     task, NULL);
}

/* Signs bytes in a way that outlives P-384, where the activation has a hybrid suite. */
mtoken_status sign_for_long(mtoken_client *client, const uint8_t *bytes, size_t length,
                            const mtoken_auth *auth, mtoken_task **task)
{
    return mtoken_vault_sign_ml_dsa(client, bytes, length, auth, task, NULL);
}

/* Signs bytes, or the claims of a JSON Web Token, with the device's private key. */
mtoken_status sign(mtoken_client *client, const mtoken_auth *auth, const char *text,
                   mtoken_task **task)
{
    return text[0] == '{'
               ? mtoken_vault_sign_jwt(client, text, MTOKEN_NUL_TERMINATED, auth, task,
                                       NULL)
               : mtoken_vault_sign(client, (const uint8_t *)text, strlen(text),
                                   MTOKEN_SIGNATURE_FORM_RAW, auth, task, NULL);
}

/* Compares the device's key with the one in a certificate. */
int has_key(const mtoken_client *client, const uint8_t *key, size_t length)
{
    mtoken_bytes *own = NULL;
    int same;

    if (mtoken_client_public_key(client, &own, NULL) != MTOKEN_OK) return 0;
    same = own->length == length && memcmp(own->data, key, length) == 0;
    mtoken_bytes_free(own);
    return same;
}

/* Asks for a certificate with which the user signs documents. */
mtoken_status request_certificate(mtoken_client *client, const char *name,
                                  const mtoken_auth *auth, mtoken_task **task)
{
    mtoken_csr_options options = MTOKEN_CSR_OPTIONS_INIT;
    mtoken_csr_field subject[] = {{MTOKEN_TEXT("C"), MTOKEN_TEXT("CZ")},
                                  {MTOKEN_TEXT("CN"), MTOKEN_TEXT(name)}};
    mtoken_csr_field usage = {MTOKEN_TEXT("keyUsage"),
                              MTOKEN_TEXT("critical,digitalSignature")};

    options.subject = subject;
    options.subject_count = 2;
    options.extensions = &usage;
    options.extension_count = 1;
    return mtoken_client_sign_csr(client, &options, auth, task, NULL);
}

/* Shows the recovery code for the user to write down. */
mtoken_status show_recovery(mtoken_client *client, const mtoken_auth *auth)
{
    mtoken_task *task = NULL;
    mtoken_status status = mtoken_recovery_fetch(client, auth, &task, NULL);

    if (status == MTOKEN_OK &&
        (status = mtoken_task_wait(task, MTOKEN_FOREVER)) == MTOKEN_OK &&
        (status = mtoken_task_result(task)) == MTOKEN_OK) {
        const mtoken_recovery *recovery = mtoken_task_recovery(task);
        printf("%s, PUK %s\n", recovery->code, recovery->puk);
    }
    mtoken_task_free(task);
    return status;
}

/* Confirms a recovery code that arrived by letter. */
mtoken_status confirm_letter(mtoken_client *client, const char *code,
                             const mtoken_auth *auth)
{
    mtoken_task *task = NULL;
    mtoken_status status =
        mtoken_recovery_confirm(client, code, MTOKEN_NUL_TERMINATED, auth, &task, NULL);

    if (status == MTOKEN_OK &&
        (status = mtoken_task_wait(task, MTOKEN_FOREVER)) == MTOKEN_OK)
        status = mtoken_task_result(task);
    if (status == MTOKEN_OK && mtoken_task_already_confirmed(task) == MTOKEN_YES)
        puts("It was confirmed before.");
    mtoken_task_free(task);
    return status;
}
