#include <mtoken.h>
#include <stdio.h>
#include <string.h>

/* Encrypts a request to an endpoint of the bank, and decrypts its response with the
 * same task. */
mtoken_status exchange(mtoken_client *client, const char *body,
                       size_t (*send)(const mtoken_encrypted_request *request,
                                      uint8_t *answer))
{
    mtoken_task *task = NULL;
    mtoken_encrypt_options options = MTOKEN_ENCRYPT_OPTIONS_INIT;
    mtoken_status status;

    options.scope = MTOKEN_SCOPE_ACTIVATION;
    options.order = MTOKEN_ENCRYPT_THEN_SIGN;
    status = mtoken_client_encrypt(client, (const uint8_t *)body, strlen(body),
                                   &options, &task, NULL);
    if (status == MTOKEN_OK &&
        (status = mtoken_task_wait(task, MTOKEN_FOREVER)) == MTOKEN_OK &&
        (status = mtoken_task_result(task)) == MTOKEN_OK) {
        const mtoken_encrypted_request *request = mtoken_task_encrypted_request(task);
        uint8_t answer[4096];
        size_t length = send(request, answer);
        mtoken_bytes *plain = NULL;
        status = mtoken_task_decrypt(task, answer, length, &plain, NULL);
        if (status == MTOKEN_OK)
            printf("%.*s\n", (int)plain->length, (const char *)plain->data);
        mtoken_bytes_free(plain);
    }
    mtoken_task_free(task);
    return status;
}

/* Computes a code by which the bank's server recognises the author of a message. */
mtoken_status authenticate(mtoken_client *client, const uint8_t *message, size_t length,
                           mtoken_bytes **mac)
{
    return mtoken_client_hmac(client, MTOKEN_SCOPE_ACTIVATION, message, length, mac,
                              NULL);
}
