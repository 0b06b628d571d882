/* Several accounts in one runtime, and the key of a device: which push is whose, and requests for certificates. */
#include "world.h"

#include <openssl/x509.h>

static mtoken_client *route(const world *world, const char *activation)
{
    char payload[256];
    mtoken_push_message *message = NULL;
    mtoken_error *error = NULL;
    snprintf(payload, sizeof payload,
             "{\"messageType\":\"mtoken.operationInit\",\"operationId\":\"7\",\"operationName\":\"x\",\"activationId\":"
             "\"%s\"}",
             activation);
    mtoken_status status = mtoken_runtime_route_push(world->runtime, payload, MTOKEN_NUL_TERMINATED, &message, &error);
    if (!CHECK_ERROR(status, MTOKEN_OK, error) || !CHECK(message)) return NULL;
    CHECK_TEXT(message->operation_id, "7");
    mtoken_client *client = message->client;
    mtoken_push_message_free(message);
    return client;
}

static void a_push_finds_its_client(void)
{
    world world = world_open_active();
    mtoken_push_message *message = (mtoken_push_message *)&world;
    mtoken_error *error = NULL;
    mtoken_client_options options = bank_client_options(world.bank, world.store);
    mtoken_client *another = NULL;
    options.id = text("another");
    CHECK_OK(mtoken_client_new(world.runtime, &options, &another, NULL));
    CHECK(route(&world, world.bank->activation_id) == world.client);
    CHECK(route(&world, "") == NULL);
    CHECK(route(&world, "00000000-0000-0000-0000-000000000000") == NULL);

    CHECK_OK(mtoken_runtime_route_push(world.runtime, "{}", 2, &message, NULL));
    CHECK(message == NULL);
    CHECK_STATUS(mtoken_runtime_route_push(NULL, "{}", 2, &message, NULL), MTOKEN_ERROR_HANDLE);
    CHECK_STATUS(mtoken_runtime_route_push(world.runtime, NULL, 0, &message, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(mtoken_runtime_route_push(world.runtime, "{}", 2, NULL, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(mtoken_runtime_route_push(world.runtime, "{", 1, &message, &error), MTOKEN_ERROR_PARSE);
    CHECK(error && error->byte_offset == 1 && message == NULL);
    mtoken_error_free(error);
    mtoken_client_free(another);
    mtoken_client_free(world.client);
    CHECK(route(&world, world.bank->activation_id) == NULL);
    world.client = NULL;
    world_close(&world);
}

static void the_public_key(void)
{
    world world = world_open_active();
    mtoken_bytes *key = NULL;
    unsigned char *expected = NULL;
    int length = i2d_PUBKEY(world.bank->device, &expected);
    CHECK_OK(mtoken_client_public_key(world.client, &key, NULL));
    const unsigned char *place = key->data;
    EVP_PKEY *read = d2i_PUBKEY(NULL, &place, (long)key->length);
    CHECK(read && EVP_PKEY_eq(read, world.bank->device) == 1 && length > 0);
    CHECK_INT(key->length, 91); /* an uncompressed point */
    EVP_PKEY_free(read);
    OPENSSL_free(expected);
    mtoken_bytes_free(key);
    CHECK_STATUS(mtoken_client_public_key(NULL, &key, NULL), MTOKEN_ERROR_HANDLE);
    CHECK_STATUS(mtoken_client_public_key(world.client, NULL, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK_OK(mtoken_client_remove_local(world.client, NULL));
    CHECK_STATUS(mtoken_client_public_key(world.client, &key, NULL), MTOKEN_ERROR_NOT_ACTIVATED);
    CHECK(key == NULL);
    world_close(&world);
}

static void a_request_for_a_certificate(void)
{
    world world = world_open_active();
    mtoken_csr_options options = MTOKEN_CSR_OPTIONS_INIT;
    mtoken_csr_field subject[] = {{MTOKEN_TEXT("C"), MTOKEN_TEXT("CZ")}, {MTOKEN_TEXT("CN"), MTOKEN_TEXT("Jana")}};
    mtoken_csr_field usage = {MTOKEN_TEXT("keyUsage"), MTOKEN_TEXT("critical,digitalSignature")};
    mtoken_task *task = NULL;
    options.subject = subject;
    options.subject_count = 2;
    options.extensions = &usage;
    options.extension_count = 1;
    CHECK_OK(mtoken_client_sign_csr(world.client, &options, &world.pin, &task, NULL));
    CHECK_OK(bank_finish(world.bank, task));
    const mtoken_bytes *made = mtoken_task_bytes(task);
    if (CHECK(made)) {
        const unsigned char *place = made->data;
        X509_REQ *request = d2i_X509_REQ(NULL, &place, (long)made->length);
        CHECK(request && place == made->data + made->length);
        CHECK(request && X509_REQ_verify(request, world.bank->device) == 1);
        char *line = X509_NAME_oneline(X509_REQ_get_subject_name(request), NULL, 0);
        CHECK_TEXT(line, "/C=CZ/CN=Jana");
        OPENSSL_free(line);
        X509_REQ_free(request);
    }
    mtoken_task_free(task);

    /* Nothing is asked for, and what cannot be asked for. */
    CHECK_OK(mtoken_client_sign_csr(world.client, NULL, &world.pin, &task, NULL));
    CHECK_OK(bank_finish_free(world.bank, task));
    int served = world.bank->served;
    usage.value = text("everything");
    CHECK_STATUS(mtoken_client_sign_csr(world.client, &options, &world.pin, &task, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK(task == NULL);
    options.extension_count = 0;
    subject[0].name = text("");
    CHECK_STATUS(mtoken_client_sign_csr(world.client, &options, &world.pin, &task, NULL), MTOKEN_ERROR_ARGUMENT);
    subject[0].name = text(NULL);
    CHECK_STATUS(mtoken_client_sign_csr(world.client, &options, &world.pin, &task, NULL), MTOKEN_ERROR_ARGUMENT);
    options.subject_count = 33;
    CHECK_STATUS(mtoken_client_sign_csr(world.client, &options, &world.pin, &task, NULL), MTOKEN_ERROR_ARGUMENT);
    options.subject = NULL;
    CHECK_STATUS(mtoken_client_sign_csr(world.client, &options, &world.pin, &task, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(mtoken_client_sign_csr(world.client, NULL, NULL, &task, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(mtoken_client_sign_csr(NULL, NULL, &world.pin, &task, NULL), MTOKEN_ERROR_HANDLE);
    CHECK_INT(world.bank->served, served);
    world_close(&world);
}

static const test tests[] = {
    {"a push finds its client", a_push_finds_its_client},
    {"the public key is the device's", the_public_key},
    {"a request for a certificate", a_request_for_a_certificate},
};

int main(int argc, char **argv)
{
    after_each = no_handles_left;
    return RUN(tests);
}
