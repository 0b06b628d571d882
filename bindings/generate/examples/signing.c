#include <mtoken.h>
#include <stdio.h>
#include <string.h>

/* Signs a request that the host sends, and reports that the server has accepted it. */
mtoken_status send_signed(mtoken_client *client, const char *body, const uint8_t *pin,
                          size_t pin_length)
{
    mtoken_header *header = NULL;
    mtoken_auth auth = MTOKEN_AUTH_INIT;
    mtoken_sign_options options = MTOKEN_SIGN_OPTIONS_INIT;
    mtoken_status status;

    auth.pin = MTOKEN_BYTES(pin, pin_length);
    auth.factors = MTOKEN_FACTOR_POSSESSION | MTOKEN_FACTOR_KNOWLEDGE;
    options.method = MTOKEN_TEXT("POST");
    options.uri_id = MTOKEN_TEXT("/payment/confirm");
    options.body = MTOKEN_BYTES((const uint8_t *)body, strlen(body));
    status = mtoken_client_sign(client, &options, &auth, &header, NULL);
    if (status == MTOKEN_OK) {
        printf("%s: %s\n", header->name,
               header->value); /* send it, and if the response is 200: */
        status = mtoken_client_signature_accepted(client, NULL);
    }
    mtoken_header_free(header);
    return status;
}

/* Keeps the library from signing while a request of the host is in progress. */
mtoken_status in_turn(mtoken_client *client, void (*send)(mtoken_client *))
{
    mtoken_task *task = NULL;
    mtoken_status status = mtoken_client_take_turn(client, &task, NULL);

    if (status == MTOKEN_OK &&
        (status = mtoken_task_wait(task, MTOKEN_FOREVER)) == MTOKEN_OK &&
        (status = mtoken_task_result(task)) == MTOKEN_OK) {
        send(client);
        status = mtoken_task_give_turn(task);
    }
    mtoken_task_free(task);
    return status;
}

/* A GET request signs its query in canonical form. */
void print_canonical(void)
{
    mtoken_text *canonical = NULL;

    if (mtoken_canonical_query("b=2&a=1", MTOKEN_NUL_TERMINATED, &canonical, NULL) ==
        MTOKEN_OK)
        printf("%s\n", canonical->data);
    mtoken_text_free(canonical);
}

/* Computes a code for the user to type in while this device is offline. */
mtoken_status print_offline_code(mtoken_client *client, const mtoken_auth *auth,
                                 const uint8_t nonce[16])
{
    mtoken_text *code = NULL;
    mtoken_sign_offline_options options = MTOKEN_SIGN_OFFLINE_OPTIONS_INIT;
    mtoken_status status;

    options.uri_id = MTOKEN_TEXT("/operation/authorize/offline");
    options.body = MTOKEN_BYTES((const uint8_t *)"A1*A100CZK", 10);
    options.nonce = MTOKEN_BYTES(nonce, 16);
    status = mtoken_client_sign_offline(client, &options, auth, &code, NULL);
    if (status == MTOKEN_OK) printf("%s\n", code->data);
    mtoken_text_free(code);
    return status;
}

/* Checks whether the bank's server has signed something for this activation. */
int server_signed(mtoken_client *client, const uint8_t *bytes, size_t length,
                  const uint8_t *signature, size_t size)
{
    mtoken_verify_options options = MTOKEN_VERIFY_OPTIONS_INIT;
    mtoken_bool is_valid = 0;

    options.server_key = MTOKEN_KEY_PERSONALIZED;
    options.form = MTOKEN_SIGNATURE_FORM_DER;
    options.signed_bytes = MTOKEN_BYTES(bytes, length);
    options.signature = MTOKEN_BYTES(signature, size);
    return mtoken_client_verify(client, &options, &is_valid, NULL) == MTOKEN_OK &&
           is_valid;
}
