#include <mtoken.h>
#include <stdio.h>

/* Parses an offline QR code and shows what it is about, if the bank has signed it. */
mtoken_status approve_scanned(mtoken_client *client, const char *payload,
                              const mtoken_auth *auth)
{
    mtoken_qr_operation *operation = NULL;
    mtoken_text *code = NULL, *grouped = NULL;
    mtoken_qr_options options = MTOKEN_QR_OPTIONS_INIT;
    mtoken_qr_authorize_options how = MTOKEN_QR_AUTHORIZE_OPTIONS_INIT;
    mtoken_status status;

    options.client = client;
    how.component_length = 8;
    status = mtoken_qr_operation_parse(payload, MTOKEN_NUL_TERMINATED, &options,
                                       &operation, NULL);
    if (status == MTOKEN_OK && operation->verification == MTOKEN_VERIFIED_VALID) {
        printf("%s\n%s\n", operation->title, operation->message);
        status = mtoken_qr_authorize(client, operation, auth, &how, &code, NULL);
    }
    if (code &&
        mtoken_qr_code_group(code->data, code->length, &grouped, NULL) == MTOKEN_OK)
        printf("Type this code: %s\n", grouped->data);
    mtoken_text_free(grouped);
    mtoken_text_free(code);
    mtoken_qr_operation_free(operation);
    return status;
}

/* Builds a payload as the bank's server does, for tests. */
mtoken_status make_payload(const uint8_t private_key[32], mtoken_text **payload)
{
    mtoken_qr_build_options options = MTOKEN_QR_BUILD_OPTIONS_INIT;

    options.id = MTOKEN_TEXT("5ff1b1ed-a3cc-45a3-8ab0-ed60950312b6");
    options.title = MTOKEN_TEXT("Payment");
    options.message = MTOKEN_TEXT("Please confirm this payment");
    options.operation_data = MTOKEN_TEXT("A1*A100CZK");
    options.flags = MTOKEN_TEXT("B");
    options.private_key = MTOKEN_BYTES(private_key, 32);
    options.server_key = MTOKEN_KEY_MASTER;
    return mtoken_qr_operation_build(&options, payload, NULL);
}
