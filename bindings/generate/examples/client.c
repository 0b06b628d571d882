#include <inttypes.h>
#include <mtoken.h>
#include <stdio.h>

/* Opens the client of the stored activation "alice". The server's key is pinned, in
 * addition to the ordinary verification of its certificate. */
mtoken_client *open_client(mtoken_runtime *runtime, mtoken_store *store)
{
    mtoken_client *client = NULL;
    mtoken_error *error = NULL;
    mtoken_client_options options = MTOKEN_CLIENT_OPTIONS_INIT;
    mtoken_tls_pin pin = {MTOKEN_TEXT_INIT, INT64_MAX};
    mtoken_header_text header = {MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT};

    pin.sha256 = MTOKEN_TEXT("47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    header.name = MTOKEN_TEXT("X-Channel");
    header.value = MTOKEN_TEXT("kiosk");
    options.id = MTOKEN_TEXT("alice");
    options.configuration = MTOKEN_TEXT("the application's configuration");
    options.base_url = MTOKEN_TEXT("https://bank.example/enrollment-server");
    options.store = store;
    options.tls_trust = MTOKEN_TLS_SYSTEM;
    options.pins = &pin;
    options.pin_count = 1;
    options.headers = &header;
    options.header_count = 1;
    if (mtoken_client_new(runtime, &options, &client, &error) != MTOKEN_OK)
        fprintf(stderr, "%s\n", error->message);
    mtoken_error_free(error);
    return client;
}

/* Prints what is known of a client. */
void print_client(mtoken_client *client)
{
    mtoken_client_info *info = NULL;

    if (mtoken_client_get_info(client, &info, NULL) != MTOKEN_OK) return;
    if (info->state == MTOKEN_CLIENT_ACTIVE)
        printf("%s: activation %s, fingerprint %s\n", info->id, info->activation_id,
               info->fingerprint);
    if (info->protocol_version == MTOKEN_PROTOCOL_3_3 && info->time_synchronized)
        printf("the bank's clock is %" PRId64 " ms ahead\n", info->time_adjustment_ms);
    mtoken_client_info_free(info);
}

/* Makes one call in Czech with a short timeout, then sets the language of all later
 * calls. */
mtoken_status list_quickly(mtoken_client *client, mtoken_task **task)
{
    mtoken_client *quick = NULL;
    mtoken_call_options options = MTOKEN_CALL_OPTIONS_INIT;
    mtoken_status status;

    options.timeout_ms = 3000;
    options.language = MTOKEN_TEXT("cs");
    status = mtoken_client_with_options(client, &options, &quick, NULL);
    if (status == MTOKEN_OK) status = mtoken_operations_list(quick, task, NULL);
    mtoken_client_free(quick);
    return status == MTOKEN_OK ? mtoken_client_set_language(client, "de", 2, NULL)
                               : status;
}

/* After the device has slept, its clock may have changed. */
mtoken_status wake(mtoken_client *client, mtoken_task **task)
{
    mtoken_status status = mtoken_client_reset_time(client, NULL);

    return status == MTOKEN_OK ? mtoken_client_synchronize_time(client, task, NULL)
                               : status;
}
