/* The whole life of an activation with good input: every call that needs a server, on a scripted network. */
#include "calls.h"

#include <inttypes.h>

static void activation_tells_everything(void)
{
    world world = world_open();
    mtoken_client_info *info = NULL;
    CHECK_OK(mtoken_client_get_info(world.client, &info, NULL));
    CHECK_INT(info->state, MTOKEN_CLIENT_EMPTY);
    CHECK_INT(info->protocol_version, MTOKEN_PROTOCOL_3_3); /* until the server was asked */
    CHECK_TEXT(info->id, "alice");
    CHECK(!info->activation_id && !info->fingerprint && !info->has_biometry && !info->has_recovery_data);
    CHECK(!info->time_synchronized && !info->status_known);
    CHECK_INT(info->time, 1700000000000);
    mtoken_client_info_free(info);

    bool recovers = !world_lacks(&world, "recovery codes");
    if (recovers) {
        world.bank->recovery_code = "55555-55555-55555-55YMA";
        world.bank->recovery_puk = "0123456789";
    }
    world.bank->otp = "otp";
    mtoken_activation_options options = MTOKEN_ACTIVATION_OPTIONS_INIT;
    mtoken_task *task = NULL;
    options.code = text(world.bank->code_qr);
    options.otp = text("otp");
    options.name = text("Žluťoučký kůň");
    options.extras = text("extras");
    options.custom_attributes = text("{\"a\":[1,2.50,null]}");
    options.platform = text("linux");
    options.device_info = text("model");
    CHECK_OK(mtoken_client_activate(world.client, &options, &task, NULL));
    CHECK_INT(world_state(&world), MTOKEN_CLIENT_PENDING);
    CHECK_INT(mtoken_task_get_state(task), MTOKEN_TASK_RUNNING);
    CHECK(mtoken_task_activation(task) == NULL);
    CHECK_OK(bank_finish(world.bank, task));
    const mtoken_activation *result = mtoken_task_activation(task);
    if (CHECK(result)) {
        CHECK_TEXT(result->activation_id, world.bank->activation_id);
        CHECK_INT(strlen(result->fingerprint), 8);
        CHECK_TEXT(result->recovery_code, world.bank->recovery_code);
        CHECK_TEXT(result->recovery_puk, world.bank->recovery_puk);
        CHECK_TEXT(result->custom_attributes, "{\"answer\":42}");
        CHECK_TEXT(result->user_info, "{\"sub\":\"alice\"}");
        CHECK(mtoken_task_activation(task) == result);
    }
    CHECK(!mtoken_task_activation_status(task) && !mtoken_task_operations(task) && !mtoken_task_operation(task));
    CHECK_TEXT(world.bank->name, "Žluťoučký kůň");
    CHECK_INT(world_state(&world), MTOKEN_CLIENT_PENDING);

    const uint8_t biometry[16] = {1, 2, 3};
    world.pin.biometry_key.data = biometry;
    world.pin.biometry_key.length = sizeof biometry;
    CHECK_OK(mtoken_client_persist(world.client, &world.pin, NULL));
    CHECK(world_settles(&world));
    CHECK_OK(mtoken_client_get_info(world.client, &info, NULL));
    CHECK_INT(info->state, MTOKEN_CLIENT_ACTIVE);
    CHECK_INT(info->protocol_version, world.bank->suite ? MTOKEN_PROTOCOL_4_0 : MTOKEN_PROTOCOL_3_3);
    CHECK_TEXT(info->activation_id, world.bank->activation_id);
    CHECK_TEXT(info->fingerprint, result ? result->fingerprint : NULL);
    CHECK_INT(info->has_biometry, 1);
    CHECK_INT(info->has_recovery_data, recovers);
    CHECK_INT(info->time_synchronized, 1);
    mtoken_client_info_free(info);
    mtoken_task_free(task);

    CHECK(world_signs(&world, &world.pin));
    world.pin.factors = MTOKEN_FACTOR_POSSESSION | MTOKEN_FACTOR_KNOWLEDGE;
    CHECK(world_signs(&world, &world.pin));
    world.pin.factors = MTOKEN_FACTOR_POSSESSION | MTOKEN_FACTOR_BIOMETRY;
    CHECK(world_signs(&world, &world.pin));
    for (int32_t factor = MTOKEN_FACTOR_KNOWLEDGE; factor <= MTOKEN_FACTOR_BIOMETRY; factor *= 2) {
        world.pin.factors = factor;
        mtoken_header *header = NULL;
        if (world.bank->suite) /* which has no code without the device's own key */
            CHECK_STATUS(brief_sign(world.client, "GET", "/x", bytes(NULL), &world.pin, &header, NULL),
                         MTOKEN_ERROR_ARGUMENT);
        else
            CHECK(world_signs(&world, &world.pin));
    }
    CHECK(world_signs(&world, &world.possession));
    world_close(&world);
}

static void activation_can_be_cancelled(void)
{
    world world = world_open();
    mtoken_activation_options options = MTOKEN_ACTIVATION_OPTIONS_INIT;
    mtoken_task *task = NULL;
    options.code = text(world.bank->code_qr);
    /* While it is made. */
    CHECK_OK(mtoken_client_activate(world.client, &options, &task, NULL));
    CHECK_OK(mtoken_testing_advance(world.runtime, 0, NULL));
    CHECK_OK(mtoken_client_cancel_activation(world.client, NULL));
    CHECK_INT(world_state(&world), MTOKEN_CLIENT_EMPTY);
    CHECK_STATUS(bank_finish(world.bank, task), MTOKEN_ERROR_CANCELLED);
    CHECK_INT(mtoken_task_get_state(task), MTOKEN_TASK_CANCELLED);
    mtoken_task_free(task);
    /* By its task. */
    CHECK_OK(mtoken_client_activate(world.client, &options, &task, NULL));
    CHECK_OK(mtoken_testing_advance(world.runtime, 0, NULL));
    CHECK_OK(mtoken_task_cancel(task));
    CHECK_STATUS(bank_finish_free(world.bank, task), MTOKEN_ERROR_CANCELLED);
    CHECK_INT(world_state(&world), MTOKEN_CLIENT_EMPTY);
    /* When it is there but not persisted. */
    CHECK_OK(mtoken_client_activate(world.client, &options, &task, NULL));
    CHECK_OK(bank_finish_free(world.bank, task));
    CHECK_INT(world_state(&world), MTOKEN_CLIENT_PENDING);
    CHECK_STATUS(mtoken_client_activate(world.client, &options, &task, NULL), MTOKEN_ERROR_PENDING);
    CHECK_OK(mtoken_client_cancel_activation(world.client, NULL));
    CHECK_INT(world_state(&world), MTOKEN_CLIENT_EMPTY);
    CHECK_STATUS(mtoken_client_cancel_activation(world.client, NULL), MTOKEN_ERROR_STATE);
    CHECK_STATUS(mtoken_client_persist(world.client, &world.pin, NULL), MTOKEN_ERROR_STATE);
    CHECK_INT(mtoken_testing_store_count(world.store, MTOKEN_TESTING_SAVE), 0);
    world_close(&world);
}

/* ------------------------------------------------------------------------------------------------------------ status
 */

static int32_t fetch_state(world *world, mtoken_status expected)
{
    mtoken_task *task = NULL;
    CHECK_OK(mtoken_client_fetch_status(world->client, &task, NULL));
    CHECK_STATUS(bank_finish(world->bank, task), expected);
    const mtoken_activation_status *status = mtoken_task_activation_status(task);
    int32_t state = status ? status->state : 0;
    mtoken_task_free(task);
    return state;
}

static void status_tells_what_the_server_knows(void)
{
    world world = world_open_active();
    mtoken_task *task = NULL;
    mtoken_client_info *info = NULL;
    world.bank->failed = 2;
    world.bank->custom_object = json_pack("{s:s, s:[i,f]}", "a", "ž", "b", 1, 2.5);
    CHECK_OK(mtoken_client_fetch_status(world.client, &task, NULL));
    CHECK_OK(bank_finish(world.bank, task));
    const mtoken_activation_status *status = mtoken_task_activation_status(task);
    if (CHECK(status)) {
        CHECK_INT(status->state, MTOKEN_ACTIVATION_ACTIVE);
        CHECK_INT(status->failed_attempts, 2);
        CHECK_INT(status->max_failed_attempts, 5);
        CHECK_INT(status->remaining_attempts, 3);
        CHECK_TEXT(status->custom_object, "{\"a\":\"ž\",\"b\":[1,2.5]}");
    }
    mtoken_task_free(task);
    CHECK_OK(mtoken_client_get_info(world.client, &info, NULL));
    CHECK_INT(info->status_known, 1);
    CHECK_INT(info->activation_state, MTOKEN_ACTIVATION_ACTIVE);
    CHECK_INT(info->remaining_attempts, 3);
    mtoken_client_info_free(info);

    world.bank->state = MTOKEN_ACTIVATION_PENDING_COMMIT;
    CHECK_INT(fetch_state(&world, MTOKEN_OK), MTOKEN_ACTIVATION_PENDING_COMMIT);
    world.bank->state = MTOKEN_ACTIVATION_BLOCKED;
    CHECK_INT(fetch_state(&world, MTOKEN_OK), MTOKEN_ACTIVATION_BLOCKED);
    world.bank->state = MTOKEN_ACTIVATION_REMOVED;
    CHECK_INT(fetch_state(&world, MTOKEN_OK), MTOKEN_ACTIVATION_REMOVED);
    world.bank->state = MTOKEN_ACTIVATION_CREATED; /* answers with random bytes, as for an unknown activation */
    CHECK_INT(fetch_state(&world, MTOKEN_ERROR_PROTOCOL), 0);
    CHECK_INT(world_state(&world), MTOKEN_CLIENT_ACTIVE);
    world_close(&world);
}

/* Signs what the bank never gets to see. */
static void sign_unseen(world *world, mtoken_status expected)
{
    mtoken_header *header = NULL;
    mtoken_error *error = NULL;
    mtoken_status status = brief_sign(world->client, "GET", "/x", bytes(NULL), &world->possession, &header, &error);
    CHECK_STATUS(status, expected);
    if (header)
        bank_witness(world->bank, header->value, "GET", "/x", "", 0);
    else if (CHECK(error))
        CHECK_INT(error->outcome, MTOKEN_OUTCOME_NOT_SENT);
    mtoken_header_free(header);
    mtoken_error_free(error);
}

/* What the host says of its signatures is kept, so that those of processes that sign once each do not add up. */
static void accepted_signatures_are_forgotten(void)
{
    world world = world_open_active();
    for (int process = 0; process < 60; process++) {
        if (!CHECK(world_signs(&world, &world.pin))) break;
        CHECK_INT(world_open_signatures(&world), 0);
        CHECK_OK(world_restart(&world));
        CHECK(world_open_signatures(&world) <= 1);
    }
    /* Of an encrypted request too. */
    mtoken_encrypt_options encrypted = MTOKEN_ENCRYPT_OPTIONS_INIT;
    mtoken_task *task = NULL;
    encrypted.scope = MTOKEN_SCOPE_ACTIVATION;
    encrypted.order = MTOKEN_ENCRYPT_THEN_SIGN;
    encrypted.auth = &world.pin;
    encrypted.uri_id = text("/x");
    CHECK(world_signs(&world, &world.pin));
    CHECK_OK(mtoken_client_encrypt(world.client, (const uint8_t *)"{}", 2, &encrypted, &task, NULL));
    CHECK_OK(bank_finish_free(world.bank, task));
    CHECK_INT(world_open_signatures(&world), 1);
    CHECK_OK(mtoken_client_signature_accepted(world.client, NULL));
    CHECK_INT(world_open_signatures(&world), 0);
    CHECK(world_validates(&world));
    /* Not where that cannot be stored: then it costs a question. */
    sign_unseen(&world, MTOKEN_OK);
    sign_unseen(&world, MTOKEN_OK);
    CHECK_OK(mtoken_testing_store_fail(world.store, MTOKEN_TESTING_SAVE, 1, 0, MTOKEN_TESTING_FAIL_BEFORE, NULL));
    CHECK_OK(mtoken_client_signature_accepted(world.client, NULL));
    CHECK_INT(world_open_signatures(&world), 0);
    CHECK(world_signs(&world, &world.pin));
    CHECK(world_validates(&world));
    world_close(&world);
}

/* -------------------------------------------------------------------------------------------------------- operations
 */

static void operations_are_decided(void)
{
    world world = world_open_active();
    mtoken_task *list_task = NULL, *task = NULL;
    for (int i = 1; i <= 6; i++) {
        char id[2] = {(char)('0' + i), 0};
        bank_operation(world.bank, id, "A1*A100.50CZK");
    }
    CHECK_OK(mtoken_operations_list(world.client, &list_task, NULL));
    CHECK_OK(bank_finish(world.bank, list_task));
    const mtoken_operation_list *list = mtoken_task_operations(list_task);
    if (!CHECK(list && list->count == 6)) {
        mtoken_task_free(list_task);
        world_close(&world);
        return;
    }
    CHECK(mtoken_task_operations(list_task) == list);
    CHECK(!mtoken_task_operation(list_task) && !mtoken_task_activation(list_task));
    CHECK_INT(list->skipped_count, 0);
    CHECK_INT(list->issue_count, 0);
    const mtoken_operation *operation = list->operations[0];
    CHECK_TEXT(operation->id, "1");
    CHECK_TEXT(operation->operation_data, "A1*A100.50CZK");
    CHECK_INT(operation->status, MTOKEN_OPERATION_PENDING);
    CHECK_INT(operation->created, 1700000000000);
    CHECK_INT(operation->signature_type, MTOKEN_SIGNATURE_TYPE_2FA);
    CHECK_INT(operation->allows_biometry, 1);
    CHECK_TEXT(operation->title, "Payment");
    if (CHECK_INT(operation->attribute_count, 1)) {
        const mtoken_attribute *attribute = operation->attributes[0];
        CHECK_INT(attribute->kind, MTOKEN_ATTRIBUTE_AMOUNT);
        CHECK_TEXT(attribute->label, "Amount");
        CHECK_TEXT(attribute->amount->amount, "100.5");
        CHECK_TEXT(attribute->amount->amount_formatted, "100,50");
        CHECK_TEXT(attribute->amount->currency_formatted, "Kč");
    }
    CHECK_INT(operation->json_length, strlen(operation->json));

    /* Approve as it is, with extras, by biometry refused, and by id and data. */
    mtoken_authorize_options options = MTOKEN_AUTHORIZE_OPTIONS_INIT;
    CHECK_OK(mtoken_operations_authorize(world.client, operation, &world.pin, NULL, &task, NULL));
    CHECK_OK(bank_finish(world.bank, task));
    CHECK(!mtoken_task_operations(task) && !mtoken_task_operation(task) && !mtoken_task_error(task));
    mtoken_task_free(task);
    CHECK_TEXT(bank_operation_status(world.bank, "1"), "APPROVED");

    CHECK_STATUS(
        mtoken_operations_authorize(world.client, list->operations[1], &world.possession, &options, &task, NULL),
        MTOKEN_ERROR_FACTOR);
    options.mobile_token_data = text("{\"key\":[true,1.50]}");
    options.proximity_otp = text("12345678");
    options.proximity_source = MTOKEN_PROXIMITY_DEEPLINK;
    options.proximity_received = 1699999990123;
    CHECK_OK(mtoken_operations_authorize(world.client, list->operations[1], &world.pin, &options, &task, NULL));
    CHECK_OK(bank_finish_free(world.bank, task));
    CHECK_TEXT(bank_operation_status(world.bank, "2"), "APPROVED");
    size_t last = mtoken_testing_request_count(world.runtime) - 1;
    mtoken_testing_request *request = NULL;
    CHECK_OK(mtoken_testing_request_get(world.runtime, last, 0, &request, NULL));
    if (request) {
        CHECK_TEXT(
            (const char *)request->body,
            "{\"requestObject\":{\"id\":\"2\",\"data\":\"A1*A100.50CZK\",\"proximityCheck\":{\"otp\":\"12345678\","
            "\"type\":\"DEEPLINK\",\"timestampReceived\":\"2023-11-14T22:13:10.123Z\","
            "\"timestampSent\":\"2023-11-14T22:13:20.000Z\"},\"mobileTokenData\":{\"key\":[true,1.50]}}}");
        CHECK_TEXT(request->url, BANK_URL PATH_AUTHORIZE);
        CHECK_TEXT(request->method, "POST");
        CHECK_INT(request->at_most_once, 1);
        CHECK_INT(request->timeout_ms, 20000);
        CHECK_TEXT(header_of(request, "Content-Type"), "application/json");
        CHECK_TEXT(header_of(request, "Accept-Language"), "en");
    }
    mtoken_testing_request_free(request);

    CHECK_OK(brief_authorize(world.client, "3", "A1*A100.50CZK", &world.pin, NULL, &task, NULL));
    CHECK_OK(bank_finish_free(world.bank, task));
    CHECK_TEXT(bank_operation_status(world.bank, "3"), "APPROVED");

    /* Reject, claim, detail, history. */
    CHECK_OK(brief_reject(world.client, "4", MTOKEN_REJECT_UNEXPECTED_OPERATION, NULL, &task, NULL));
    CHECK_OK(bank_finish_free(world.bank, task));
    CHECK_TEXT(bank_operation_status(world.bank, "4"), "REJECTED");
    CHECK_OK(brief_reject(world.client, "5", "my own reason", "{\"a\":{}}", &task, NULL));
    CHECK_OK(bank_finish_free(world.bank, task));
    CHECK_TEXT(bank_operation_status(world.bank, "5"), "REJECTED");
    CHECK_OK(mtoken_operations_claim(world.client, "6", 1, &task, NULL));
    CHECK_OK(bank_finish(world.bank, task));
    CHECK(mtoken_task_operation(task) && !mtoken_task_operations(task));
    CHECK_TEXT(mtoken_task_operation(task) ? mtoken_task_operation(task)->id : NULL, "6");
    mtoken_task_free(task);
    CHECK_OK(mtoken_operations_detail(world.client, "6", 1, &task, NULL));
    CHECK_OK(bank_finish(world.bank, task));
    CHECK_TEXT(mtoken_task_operation(task) ? mtoken_task_operation(task)->id : NULL, "6");
    mtoken_task_free(task);
    CHECK_OK(mtoken_operations_detail(world.client, "5", 1, &task, NULL));
    CHECK_STATUS(bank_finish(world.bank, task), MTOKEN_ERROR_SERVER);
    CHECK_TEXT(mtoken_task_error(task) ? mtoken_task_error(task)->reason : NULL, "operations_alreadyFinished");
    mtoken_task_free(task);
    CHECK_OK(mtoken_operations_history(world.client, &world.pin, &task, NULL));
    CHECK_OK(bank_finish(world.bank, task));
    CHECK_INT(mtoken_task_operations(task) ? mtoken_task_operations(task)->count : 0, 6);
    mtoken_task_free(task);

    /* The first list still lives. */
    CHECK_TEXT(operation->operation_data, "A1*A100.50CZK");
    mtoken_task_free(list_task);
    world_close(&world);
}

/* ------------------------------------------------------------------------------------------------ tokens, signatures
 */

static void tokens_live_and_die(void)
{
    world world = world_open_active();
    mtoken_task *task = NULL;
    mtoken_header *header = NULL;
    CHECK_INT(mtoken_token_is_stored(world.client, "mine", 4), 0);
    CHECK_STATUS(mtoken_token_get_header(world.client, "mine", 4, &header, NULL), MTOKEN_ERROR_NOT_FOUND);
    CHECK_OK(mtoken_token_create(world.client, "mine", 4, &world.pin, &task, NULL));
    CHECK_OK(bank_finish_free(world.bank, task));
    CHECK_INT(mtoken_token_is_stored(world.client, "mine", 4), 1);
    for (int i = 0; i < 3; i++) {
        CHECK_OK(mtoken_token_get_header(world.client, "mine", 4, &header, NULL));
        CHECK_TEXT(header ? header->name : NULL, "X-PowerAuth-Token");
        CHECK(header && bank_accepts_token(world.bank, header->value));
        mtoken_header_free(header);
    }
    /* A second creation asks nobody; with other factors it is refused. */
    size_t requests = mtoken_testing_request_count(world.runtime);
    CHECK_OK(mtoken_token_create(world.client, "mine", 4, &world.pin, &task, NULL));
    CHECK_OK(bank_finish_free(world.bank, task));
    CHECK_INT(mtoken_testing_request_count(world.runtime), requests);
    CHECK_STATUS(mtoken_token_create(world.client, "mine", 4, &world.possession, &task, NULL), MTOKEN_ERROR_ARGUMENT);
    /* After a restart the token is there, but the server's time is not. */
    CHECK_OK(world_restart(&world));
    CHECK_STATUS(mtoken_token_get_header(world.client, "mine", 4, &header, NULL), MTOKEN_ERROR_STATE);
    CHECK_OK(mtoken_client_synchronize_time(world.client, &task, NULL));
    CHECK_OK(bank_finish_free(world.bank, task));
    CHECK_OK(mtoken_token_get_header(world.client, "mine", 4, &header, NULL));
    CHECK(header && bank_accepts_token(world.bank, header->value));
    mtoken_header_free(header);
    CHECK_OK(mtoken_token_remove(world.client, "mine", 4, &task, NULL));
    CHECK_OK(bank_finish_free(world.bank, task));
    CHECK_INT(mtoken_token_is_stored(world.client, "mine", 4), 0);
    CHECK(world.bank->tokens[0].dead);
    CHECK_STATUS(mtoken_token_remove(world.client, "mine", 4, &task, NULL), MTOKEN_ERROR_NOT_FOUND);
    /* Forgetting. */
    CHECK_OK(mtoken_token_create(world.client, "one", 3, &world.possession, &task, NULL));
    CHECK_OK(bank_finish_free(world.bank, task));
    CHECK_OK(mtoken_token_create(world.client, "two", 3, &world.possession, &task, NULL));
    CHECK_OK(bank_finish_free(world.bank, task));
    CHECK_OK(mtoken_token_forget(world.client, "one", 3, NULL));
    CHECK_STATUS(mtoken_token_forget(world.client, "one", 3, NULL), MTOKEN_ERROR_NOT_FOUND);
    CHECK_INT(mtoken_token_is_stored(world.client, "two", 3), 1);
    CHECK_OK(mtoken_token_forget(world.client, NULL, 0, NULL));
    CHECK_INT(mtoken_token_is_stored(world.client, "two", 3), 0);
    world_close(&world);
}

static void offline_signatures_are_accepted(void)
{
    world world = world_open();
    const uint8_t biometry[16] = {9, 9}, nonce[16] = "CharmingNonce123";
    const mtoken_bytes once = MTOKEN_BYTES(nonce, 16);
    static const char body[] = "op-id&A1*A100CZK", uri[] = "/operation/authorize/offline";
    CHECK_OK(bank_activate(world.bank, world.client, PIN, biometry));
    mtoken_text *code = NULL;
    CHECK_OK(brief_sign_offline(world.client, uri, bytes(body), once, &world.pin, 0, &code, NULL));
    if (CHECK(code)) {
        CHECK_INT(code->length, 17);
        CHECK(bank_accepts_offline(world.bank, code->data, uri, body, strlen(body), nonce, false));
    }
    mtoken_text_free(code);
    mtoken_auth finger = MTOKEN_AUTH_INIT;
    finger.biometry_key.data = biometry;
    finger.biometry_key.length = 16;
    CHECK_OK(brief_sign_offline(world.client, uri, bytes(body), once, &finger, 8, &code, NULL));
    CHECK(code && bank_accepts_offline(world.bank, code->data, uri, body, strlen(body), nonce, true));
    mtoken_text_free(code);
    CHECK_OK(mtoken_client_signature_accepted(world.client, NULL)); /* the bank has told the user so */
    for (int32_t length = 4; length <= 7; length++) {
        CHECK_OK(brief_sign_offline(world.client, "/x", bytes(NULL), once, &world.pin, length, &code, NULL));
        CHECK_INT(code ? code->length : 0, 2 * length + 1);
        mtoken_text_free(code);
    }
    /* These were never typed. One that the bank would not accept is not made. */
    CHECK_INT(fetch_state(&world, MTOKEN_OK), MTOKEN_ACTIVATION_ACTIVE);
    for (int open = 4; open < 19; open++) {
        CHECK_OK(brief_sign_offline(world.client, "/x", bytes(NULL), once, &world.pin, 0, &code, NULL));
        mtoken_text_free(code);
    }
    mtoken_error *error = NULL;
    CHECK_STATUS(brief_sign_offline(world.client, "/x", bytes(NULL), once, &world.pin, 0, &code, &error),
                 MTOKEN_ERROR_STATE);
    CHECK(code == NULL);
    CHECK_TEXT(error ? error->reason : NULL, "counterWindow");
    mtoken_error_free(error);
    CHECK(world_validates(&world)); /* the last step of the window is the library's own */
    world_close(&world);
}

static mtoken_bytes bytes_of(buffer buffer) { return MTOKEN_BYTES(buffer.data, buffer.size); }

static void server_signatures_are_verified(void)
{
    world world = world_open();
    const uint8_t data[] = "data";
    int32_t valid = -1;
    buffer master = ecdsa_sign(world.bank->master, data, 4), personal = ecdsa_sign(world.bank->key, data, 4);
    CHECK_OK(brief_verify(world.client, MTOKEN_KEY_MASTER, bytes("data"), bytes_of(master), &valid, NULL));
    CHECK_INT(valid, 1);
    CHECK_STATUS(brief_verify(world.client, MTOKEN_KEY_PERSONALIZED, bytes("data"), bytes_of(personal), &valid, NULL),
                 MTOKEN_ERROR_NOT_ACTIVATED);
    CHECK_INT(valid, 0);
    CHECK_OK(bank_activate(world.bank, world.client, PIN, NULL));
    CHECK_OK(brief_verify(world.client, MTOKEN_KEY_PERSONALIZED, bytes("data"), bytes_of(personal), &valid, NULL));
    CHECK_INT(valid, 1);
    CHECK_OK(brief_verify(world.client, MTOKEN_KEY_PERSONALIZED, bytes("data"), bytes_of(master), &valid, NULL));
    CHECK_INT(valid, 0);
    CHECK_OK(brief_verify(world.client, MTOKEN_KEY_MASTER, bytes("dat"), bytes_of(master), &valid, NULL));
    CHECK_INT(valid, 0);
    for (size_t i = 0; i < master.size; i++) { /* every truncation is simply wrong */
        mtoken_status status =
            brief_verify(world.client, MTOKEN_KEY_MASTER, bytes("data"), MTOKEN_BYTES(master.data, i), &valid, NULL);
        CHECK_STATUS(status, i == 0 ? MTOKEN_ERROR_ARGUMENT : MTOKEN_OK);
        CHECK_INT(valid, 0);
    }
    /* The other form, which is never guessed. */
    uint8_t raw[96];
    mtoken_verify_options options = MTOKEN_VERIFY_OPTIONS_INIT;
    const mtoken_bytes other = MTOKEN_BYTES(raw, ecdsa_sign_jose(world.bank->master, data, 4, raw));
    options.server_key = MTOKEN_KEY_MASTER;
    options.form = MTOKEN_SIGNATURE_FORM_RAW;
    options.signed_bytes = bytes("data");
    options.signature = other;
    CHECK_OK(mtoken_client_verify(world.client, &options, &valid, NULL));
    CHECK_INT(valid, 1);
    options.signature = bytes_of(master);
    CHECK_OK(mtoken_client_verify(world.client, &options, &valid, NULL));
    CHECK_INT(valid, 0);
    CHECK_OK(brief_verify(world.client, MTOKEN_KEY_MASTER, bytes("data"), other, &valid, NULL));
    CHECK_INT(valid, 0);
    options.form = 2;
    CHECK_STATUS(mtoken_client_verify(world.client, &options, &valid, NULL), MTOKEN_ERROR_ARGUMENT);
    buffer_clear(&master);
    buffer_clear(&personal);
    world_close(&world);
}

/* ----------------------------------------------------------------------------------------------------- restart, end */

static void removal_at_the_server_removes_here(void)
{
    world world = world_open_active();
    mtoken_task *task = NULL;
    mtoken_testing_data *data = NULL;
    CHECK_OK(mtoken_testing_store_read(world.store, "alice.state", MTOKEN_NUL_TERMINATED, &data, NULL));
    CHECK(data && data->length > 100);
    mtoken_testing_data_free(data);
    CHECK_OK(mtoken_client_remove(world.client, &world.pin, &task, NULL));
    CHECK_OK(bank_finish_free(world.bank, task));
    CHECK_INT(world.bank->state, MTOKEN_ACTIVATION_REMOVED);
    CHECK_INT(world_state(&world), MTOKEN_CLIENT_EMPTY);
    CHECK_STATUS(mtoken_testing_store_read(world.store, "alice.state", MTOKEN_NUL_TERMINATED, &data, NULL),
                 MTOKEN_ERROR_NOT_FOUND);
    CHECK_STATUS(mtoken_testing_store_read(world.store, "alice.key", MTOKEN_NUL_TERMINATED, &data, NULL),
                 MTOKEN_ERROR_NOT_FOUND);
    CHECK_STATUS(mtoken_operations_list(world.client, &task, NULL), MTOKEN_ERROR_NOT_ACTIVATED);
    world_close(&world);
}

static void local_removal_works_in_every_state(void)
{
    world world = world_open();
    mtoken_activation_options options = MTOKEN_ACTIVATION_OPTIONS_INIT;
    mtoken_task *task = NULL;
    CHECK_OK(mtoken_client_remove_local(world.client, NULL)); /* empty */
    options.code = text(world.bank->code_qr);
    CHECK_OK(mtoken_client_activate(world.client, &options, &task, NULL)); /* being made */
    CHECK_OK(mtoken_testing_advance(world.runtime, 0, NULL));
    CHECK_OK(mtoken_client_remove_local(world.client, NULL));
    CHECK_STATUS(bank_finish_free(world.bank, task), MTOKEN_ERROR_CANCELLED);
    CHECK_INT(world_state(&world), MTOKEN_CLIENT_EMPTY);
    CHECK_OK(bank_activate(world.bank, world.client, PIN, NULL)); /* active, with a call under way */
    CHECK_OK(mtoken_operations_list(world.client, &task, NULL));
    CHECK_OK(mtoken_testing_advance(world.runtime, 0, NULL));
    CHECK_OK(mtoken_client_remove_local(world.client, NULL));
    CHECK_STATUS(bank_finish_free(world.bank, task), MTOKEN_ERROR_CANCELLED);
    CHECK_INT(world_state(&world), MTOKEN_CLIENT_EMPTY);
    CHECK_OK(world_restart(&world));
    CHECK_INT(world_state(&world), MTOKEN_CLIENT_EMPTY);
    world_close(&world);
}

static void device_secret_binds_the_state(void)
{
    world world = world_open();
    static const uint8_t secret[16] = "0123456789abcdef", other[16] = "0123456789abcdeX";
    mtoken_client_options options = bank_client_options(world.bank, world.store);
    options.device_secret.data = secret;
    options.device_secret.length = 16;
    mtoken_client_free(world.client);
    CHECK_OK(mtoken_client_new(world.runtime, &options, &world.client, NULL));
    CHECK_OK(bank_activate(world.bank, world.client, PIN, NULL));
    mtoken_testing_data *data = NULL;
    CHECK_STATUS(mtoken_testing_store_read(world.store, "alice.key", 9, &data, NULL), MTOKEN_ERROR_NOT_FOUND);
    CHECK(world_signs(&world, &world.pin));
    mtoken_client_free(world.client);
    options.device_secret.data = other;
    CHECK_STATUS(mtoken_client_new(world.runtime, &options, &world.client, NULL), MTOKEN_ERROR_TAMPERED);
    CHECK(world.client == NULL);
    options.device_secret.data = NULL;
    options.device_secret.length = 0;
    CHECK_STATUS(mtoken_client_new(world.runtime, &options, &world.client, NULL), MTOKEN_ERROR_TAMPERED);
    options.device_secret.data = secret;
    options.device_secret.length = 16;
    CHECK_OK(mtoken_client_new(world.runtime, &options, &world.client, NULL));
    CHECK(world_signs(&world, &world.pin));
    world_close(&world);
}

static void refused_header_brings_a_new_token(void)
{
    world world = world_open_active();
    mtoken_error *error = NULL;
    mtoken_task *first = NULL, *second = NULL, *third = NULL;
    mtoken_client *client = world.client;
    size_t created = world.bank->token_count;
    mtoken_token_options options = MTOKEN_TOKEN_OPTIONS_INIT;
    options.name = text("t");
    CHECK_OK(mtoken_token_fetch_header(client, &options, &world.pin, &first, NULL));
    CHECK(mtoken_task_header(first) == NULL); /* not yet */
    CHECK_OK(bank_finish(world.bank, first));
    const mtoken_header *header = mtoken_task_header(first);
    if (CHECK(header)) {
        CHECK_TEXT(header->name, "X-PowerAuth-Token");
        CHECK_INT(header->value_length, strlen(header->value));
        CHECK(bank_accepts_token(world.bank, header->value));
        world.bank->tokens[created].dead = true;
        CHECK(!bank_accepts_token(world.bank, header->value));
        /* Two that were refused bring one new token. */
        options.refused_header = text(header->value);
        CHECK_OK(mtoken_token_fetch_header(client, &options, &world.pin, &second, NULL));
        CHECK_OK(mtoken_token_fetch_header(client, &options, &world.pin, &third, NULL));
        CHECK_OK(bank_finish(world.bank, second));
        CHECK_OK(bank_finish(world.bank, third));
        CHECK(mtoken_task_header(second) && bank_accepts_token(world.bank, mtoken_task_header(second)->value));
        CHECK(mtoken_task_header(third) && bank_accepts_token(world.bank, mtoken_task_header(third)->value));
        CHECK_INT(world.bank->token_count, created + 2);
    }
    mtoken_task_free(first);
    mtoken_task_free(second);
    mtoken_task_free(third);
    options.refused_header = text(NULL);
    CHECK_ERROR(mtoken_token_fetch_header(client, &options, &world.possession, &first, &error), MTOKEN_ERROR_ARGUMENT,
                error); /* other factors */
    options.refused_header = text("PowerAuth");
    CHECK_ERROR(mtoken_token_fetch_header(client, &options, &world.pin, &first, &error), MTOKEN_ERROR_ARGUMENT, error);
    world_close(&world);
}

/* ------------------------------------------------------------------------------------------------------- what fails
 */

static void empty_client_can_only_activate(void)
{
    world world = world_open();
    mtoken_error *error = NULL;
    mtoken_header *header = NULL;
    for (size_t i = 0; i < call_count; i++) {
        mtoken_task *task = NULL;
        if (calls[i].from_empty) continue;
        mtoken_status status = calls[i].start(&world, &task, &error);
        if (error) CHECK_INT(error->outcome, MTOKEN_OUTCOME_NOT_SENT);
        if (!CHECK_ERROR(status, MTOKEN_ERROR_NOT_ACTIVATED, error)) note("%s", calls[i].name);
    }
    CHECK_STATUS(brief_sign(world.client, "GET", "/x", bytes(NULL), &world.pin, &header, NULL),
                 MTOKEN_ERROR_NOT_ACTIVATED);
    CHECK_STATUS(mtoken_token_forget(world.client, "t", 1, NULL), MTOKEN_ERROR_NOT_ACTIVATED);
    CHECK_STATUS(mtoken_token_get_header(world.client, "t", 1, &header, NULL), MTOKEN_ERROR_NOT_ACTIVATED);
    world_close(&world);
}

/* The bank has acted, and the caller does not learn it from a result: the error says so. */
static void answer_that_cannot_be_stored_is_no_refusal(void)
{
    static const char *const paths[] = {PATH_TOKEN, PATH_TOKEN_REMOVE, PATH_REMOVE};
    for (size_t i = 0; i < call_count; i++) {
        bool removes = strcmp(calls[i].path, PATH_REMOVE) == 0, stores = false;
        for (size_t k = 0; k < 3; k++) stores |= strcmp(calls[i].path, paths[k]) == 0;
        if (!stores) continue;
        world world = world_for(&calls[i]);
        mtoken_task *task = NULL;
        CHECK_OK(calls[i].start(&world, &task, NULL));
        CHECK_OK(mtoken_testing_store_fail(world.store, removes ? MTOKEN_TESTING_REMOVE : MTOKEN_TESTING_SAVE,
                                           removes ? 1 : 2, 0, MTOKEN_TESTING_FAIL_BEFORE, NULL));
        CHECK_STATUS(bank_finish(world.bank, task), MTOKEN_ERROR_STORAGE);
        const mtoken_error *error = mtoken_task_error(task);
        if (CHECK(error)) {
            CHECK_INT(error->outcome, MTOKEN_OUTCOME_UNKNOWN);
            CHECK_INT(error->is_retriable, 0);
        }
        mtoken_task_free(task);
        world_close(&world);
    }
}

static const test tests[] = {
    {"activation tells everything", activation_tells_everything},
    {"an activation can be cancelled", activation_can_be_cancelled},
    {"the status tells what the server knows", status_tells_what_the_server_knows},
    {"accepted signatures are forgotten", accepted_signatures_are_forgotten},
    {"operations are decided", operations_are_decided},
    {"tokens live and die", tokens_live_and_die},
    {"a refused header brings a new token", refused_header_brings_a_new_token},
    {"offline signatures are accepted", offline_signatures_are_accepted},
    {"server signatures are verified", server_signatures_are_verified},
    {"removal at the server removes here", removal_at_the_server_removes_here},
    {"local removal works in every state", local_removal_works_in_every_state},
    {"the device secret binds the state", device_secret_binds_the_state},
    {"an empty client can only activate", empty_client_can_only_activate},
    {"an answer that cannot be stored is no refusal", answer_that_cannot_be_stored_is_no_refusal},
};

int main(int argc, char **argv)
{
    after_each = no_handles_left;
    return RUN(tests);
}
