/* Recorded material through the C interface: one client's life bit for bit, and every list of operations that is known.
 */
#include "calls.h"

static json_t *load(const char *name)
{
    char path[1024];
    json_error_t error;
    snprintf(path, sizeof path, "%s/%s.json", setting("MTOKEN_VECTORS"), name);
    json_t *root = json_load_file(path, 0, &error);
    if (!root) {
        fprintf(stderr, "%s: %s\n", path, error.text);
        exit(2);
    }
    return root;
}

static const char *member(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

static buffer decoded(const json_t *object, const char *name)
{
    buffer bytes = {NULL, 0};
    const char *text = member(object, name);
    if (text) base64_decode(text, &bytes);
    return bytes;
}

/* ------------------------------------------------------------------------------------------------------------- trace
 */

static void lay(const world *world, const json_t *object, const char *name)
{
    buffer bytes = decoded(object, name);
    CHECK_OK(mtoken_testing_random_bytes(world->runtime, bytes.data, bytes.size, NULL));
    buffer_clear(&bytes);
}

static void lay_any(const world *world, size_t size)
{
    const uint8_t bytes[32] = {0x5a};
    CHECK_OK(mtoken_testing_random_bytes(world->runtime, bytes, size, NULL));
}

/* A bank with the secrets of the recording instead of its own. */
static void take_over(bank *bank, const json_t *trace)
{
    buffer key = decoded(trace, "applicationKey"), secret = decoded(trace, "applicationSecret");
    buffer master = decoded(trace, "masterPrivateKey"), server = decoded(trace, "serverPrivateKey");
    buffer counter = decoded(trace, "ctrData");
    memcpy(bank->application_key, key.data, 16);
    memcpy(bank->application_secret, secret.data, 16);
    memcpy(bank->counters[0], counter.data, 16);
    EVP_PKEY_free(bank->master);
    EVP_PKEY_free(bank->key);
    bank->master = key_from_number(master.data, master.size);
    bank->key = key_from_number(server.data, server.size);
    snprintf(bank->activation_id, sizeof bank->activation_id, "%s", member(trace, "activationId"));
    snprintf(bank->code, sizeof bank->code, "%s", member(trace, "activationCode"));
    bank->recovery_code = member(trace, "recoveryCode");
    bank->recovery_puk = member(trace, "recoveryPuk");
    bank_publish(bank);
    free(bank->code_qr);
    bank->code_qr = malloc(256);
    snprintf(bank->code_qr, 256, "%s#%s", bank->code, member(trace, "activationCodeSignature"));
    buffer_clear(&key);
    buffer_clear(&secret);
    buffer_clear(&master);
    buffer_clear(&server);
    buffer_clear(&counter);
}

/* Makes the first twelve signatures of the recording; then comes a change of the PIN. Returns how many they were. */
static size_t replay_signatures(const world *world, const json_t *trace, mtoken_auth *auth)
{
    const json_t *row;
    size_t index, count = 0;
    json_array_foreach(json_object_get(trace, "signatures"), index, row)
    {
        if (index >= 12) break;
        buffer body = decoded(row, "body"), nonce = decoded(row, "nonce");
        const char *uri = member(row, "uriId"), *method = member(row, "method"), *factors = member(row, "factors");
        json_int_t length = json_integer_value(json_object_get(row, "offlineLength"));
        auth->factors = (strstr(factors, "possession") ? MTOKEN_FACTOR_POSSESSION : 0) |
                        (strstr(factors, "knowledge") ? MTOKEN_FACTOR_KNOWLEDGE : 0) |
                        (strstr(factors, "biometry") ? MTOKEN_FACTOR_BIOMETRY : 0);
        if (length) {
            mtoken_text *code = NULL;
            lay_any(world, 16); /* of the stored state */
            CHECK_OK(brief_sign_offline(world->client, uri, MTOKEN_BYTES(body.data, body.size),
                                        MTOKEN_BYTES(nonce.data, nonce.size), auth, (int32_t)length, &code, NULL));
            CHECK_TEXT(code ? code->data : NULL, member(row, "signature"));
            mtoken_text_free(code);
        } else {
            mtoken_header *header = NULL;
            lay(world, row, "nonce");
            lay_any(world, 16);
            CHECK_OK(brief_sign(world->client, method, uri, MTOKEN_BYTES(body.data, body.size), auth, &header, NULL));
            CHECK_TEXT(header ? header->value : NULL, member(row, "header"));
            mtoken_header_free(header);
        }
        buffer_clear(&body);
        buffer_clear(&nonce);
        CHECK_OK(mtoken_client_signature_accepted(world->client, NULL)); /* by the server of the recording */
        count++;
    }
    CHECK_INT(count, 12);
    return count;
}

static void recorded_life_replays(void)
{
    json_t *trace = load("powerauth-client-trace");
    const json_t *unlock = json_object_get(trace, "unlock");
    world world = world_open();
    mtoken_client_free(world.client);
    take_over(world.bank, trace);
    mtoken_client_options options = bank_client_options(world.bank, world.store);
    options.device_secret = bytes(member(unlock, "possessionInput"));
    CHECK_OK(mtoken_client_new(world.runtime, &options, &world.client, NULL));

    buffer device = decoded(trace, "devicePrivateKey"), biometry = decoded(unlock, "biometryUnlockKey");
    CHECK_OK(mtoken_testing_random_key(world.runtime, device.data, device.size, NULL));
    lay_any(&world, 18); /* challenge of the temporary key */
    lay_any(&world, 16); /* nonces of the two layers */
    lay_any(&world, 16);
    lay(&world, json_object_get(trace, "stateAfterActivation"), "salt");
    lay_any(&world, 16); /* of the stored state */

    mtoken_activation_options activation = MTOKEN_ACTIVATION_OPTIONS_INIT;
    mtoken_task *task = NULL;
    activation.code = text(world.bank->code_qr);
    CHECK_OK(mtoken_client_activate(world.client, &activation, &task, NULL));
    CHECK_OK(bank_finish(world.bank, task));
    const mtoken_activation *result = mtoken_task_activation(task);
    if (CHECK(result)) {
        CHECK_TEXT(result->activation_id, member(trace, "activationId"));
        CHECK_TEXT(result->fingerprint, member(trace, "fingerprint"));
        CHECK_TEXT(result->recovery_code, member(trace, "recoveryCode"));
        CHECK_TEXT(result->recovery_puk, member(trace, "recoveryPuk"));
    }
    mtoken_task_free(task);
    buffer possession = decoded(json_object_get(trace, "factorKeys"), "possession");
    CHECK(memcmp(possession.data, world.bank->possession, 16) == 0);

    mtoken_auth auth = MTOKEN_AUTH_INIT;
    auth.pin = bytes(member(unlock, "password"));
    auth.biometry_key.data = biometry.data;
    auth.biometry_key.length = biometry.size;
    CHECK_OK(mtoken_client_persist(world.client, &auth, NULL));

    size_t count = replay_signatures(&world, trace, &auth);
    printf("vectors: powerauth-client-trace %zu\n", count);
    buffer_clear(&device);
    buffer_clear(&biometry);
    buffer_clear(&possession);
    world_close(&world);
    json_decref(trace);
}

/* ------------------------------------------------------------------------------------------------------ upstream */

static mtoken_status take_state(const world *world, const buffer *state, size_t size, const buffer *key,
                                mtoken_error **error)
{
    return mtoken_client_import_upstream(world->client, state->data, size, key->data, key->size, error);
}

/* The state that the SDK kept in that life signs as it did. */
static void recorded_state_is_imported(void)
{
    json_t *trace = load("powerauth-client-trace");
    const json_t *unlock = json_object_get(trace, "unlock");
    world world = world_open();
    mtoken_client_info *info = NULL;
    mtoken_auth auth = MTOKEN_AUTH_INIT;
    mtoken_error *error = NULL;
    take_over(world.bank, trace);
    CHECK_OK(world_restart(&world));
    buffer state = decoded(json_object_get(trace, "stateAfterActivation"), "serialized");
    buffer key = decoded(unlock, "possessionUnlockKey"), biometry = decoded(unlock, "biometryUnlockKey");

    for (size_t size = 0; size < state.size; size++) {
        CHECK_ERROR(take_state(&world, &state, size, &key, &error), MTOKEN_ERROR_PARSE, error);
        CHECK_INT(world_state(&world), MTOKEN_CLIENT_EMPTY);
    }
    CHECK_INT(mtoken_testing_store_count(world.store, MTOKEN_TESTING_SAVE), 0);
    for (size_t nth = 1; nth <= 2; nth++) { /* the device secret, the state */
        CHECK_OK(mtoken_testing_store_fail(world.store, MTOKEN_TESTING_SAVE, nth, 0, MTOKEN_TESTING_FAIL_BEFORE, NULL));
        CHECK_ERROR(take_state(&world, &state, state.size, &key, &error), MTOKEN_ERROR_STORAGE, error);
        CHECK_INT(world_state(&world), MTOKEN_CLIENT_EMPTY);
    }
    CHECK_OK(take_state(&world, &state, state.size, &key, NULL));
    CHECK_ERROR(take_state(&world, &state, state.size, &key, &error), MTOKEN_ERROR_STATE, error);
    CHECK_OK(world_restart(&world));
    CHECK_OK(mtoken_client_get_info(world.client, &info, NULL));
    CHECK_INT(info->state, MTOKEN_CLIENT_ACTIVE);
    CHECK_TEXT(info->activation_id, member(trace, "activationId"));
    CHECK_TEXT(info->fingerprint, member(trace, "fingerprint"));
    CHECK(info->has_biometry && info->has_recovery_data && !info->uses_external_key);
    mtoken_client_info_free(info);

    auth.pin = bytes(member(unlock, "password"));
    auth.biometry_key = MTOKEN_BYTES(biometry.data, biometry.size);
    /* The SDK's last one, by the server of the recording. */
    CHECK_OK(mtoken_client_signature_accepted(world.client, NULL));
    CHECK_INT(replay_signatures(&world, trace, &auth), 12);
    buffer_clear(&state);
    buffer_clear(&key);
    buffer_clear(&biometry);
    world_close(&world);
    json_decref(trace);
}

/* Every format that the SDK ever wrote: those with an activation of protocol 3 are imported, the others refused. */
static void every_upstream_format_is_known(void)
{
    json_t *root = load("powerauth-persistent-state");
    const json_t *row;
    size_t index, imported = 0;
    uint8_t bytes[16] = {1, 2, 3};
    const buffer key = {bytes, sizeof bytes};
    json_array_foreach(json_object_get(root, "samples"), index, row)
    {
        world world = world_open();
        mtoken_error *error = NULL;
        mtoken_client_info *info = NULL;
        const char *name = member(row, "name");
        buffer state = decoded(row, "data"), copy = decoded(row, "data");
        bool is_known = !strcmp(name, "v3_data") || !strcmp(name, "v4_data");
        mtoken_status status = take_state(&world, &state, state.size, &key, &error);
        CHECK(memcmp(state.data, copy.data, state.size) == 0);
        if (is_known && CHECK_OK(status)) {
            CHECK_OK(mtoken_client_get_info(world.client, &info, NULL));
            CHECK_TEXT(info->activation_id, "FULL-BUT-FAKE-ACTIVATION-ID");
            mtoken_client_info_free(info);
            imported++;
        } else if (!is_known) {
            if (CHECK(error)) CHECK_TEXT(error->reason, "unsupportedProtocol");
            CHECK_ERROR(status, MTOKEN_ERROR_UNSUPPORTED, error);
            CHECK_OK(bank_activate(world.bank, world.client, PIN, NULL)); /* the client is as good as new */
        }
        buffer_clear(&state);
        buffer_clear(&copy);
        world_close(&world);
    }
    CHECK_INT(imported, 2);
    printf("vectors: powerauth-persistent-state %zu\n", index);
    json_decref(root);
}

/* -------------------------------------------------------------------------------------------------------- operations
 */

static size_t seen; /* bytes of text that were read */

static void see(const char *text) { seen += text ? strlen(text) : 0; }

static void see_amount(const mtoken_amount *amount)
{
    if (!amount) return;
    see(amount->amount);
    see(amount->currency);
    see(amount->value_formatted);
    CHECK(amount->amount_formatted && amount->currency_formatted);
    see(amount->amount_formatted);
    see(amount->currency_formatted);
}

static void see_attributes(const mtoken_attribute *const *attributes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const mtoken_attribute *attribute = attributes[i];
        const char *texts[] = {
            attribute->kind_text,     attribute->id,           attribute->label,           attribute->value,
            attribute->thumbnail_url, attribute->original_url, attribute->alert_kind_text, attribute->alert_title,
            attribute->alert_message, attribute->json};
        for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++) see(texts[t]);
        see_amount(attribute->amount);
        see_amount(attribute->target);
        if (attribute->party) {
            see(attribute->party->logo_url);
            see(attribute->party->name);
            see(attribute->party->description);
            see(attribute->party->website_url);
        }
        CHECK(attribute->kind >= MTOKEN_ATTRIBUTE_UNKNOWN && attribute->kind <= MTOKEN_ATTRIBUTE_ALERT);
        CHECK((attribute->kind == MTOKEN_ATTRIBUTE_UNKNOWN) == (attribute->json != NULL));
    }
}

static void see_ui(const mtoken_operation_ui *ui)
{
    for (size_t i = 0; i < ui->pre_approval_screen_count; i++) {
        const mtoken_pre_approval_screen *screen = ui->pre_approval_screens[i];
        CHECK(screen->heading && screen->message);
        see(screen->kind_text);
        see(screen->id);
        see(screen->heading);
        see(screen->message);
        see(screen->image);
        CHECK(screen->has_elements || screen->element_count == 0);
        for (size_t e = 0; e < screen->element_count; e++) {
            const mtoken_screen_element *element = screen->elements[e];
            const char *texts[] = {
                element->kind_text,       element->id,  element->text, element->icon, element->style, element->action,
                element->action_settings, element->href};
            for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++) see(texts[t]);
        }
        if (screen->controls) {
            see(screen->controls->axis);
            see(screen->controls->decline_kind);
            see(screen->controls->decline_text);
            see(screen->controls->approve_kind);
            see(screen->controls->approve_text);
        }
    }
    if (ui->legacy_pre_approval_screen) {
        const mtoken_legacy_screen *screen = ui->legacy_pre_approval_screen;
        see(screen->kind_text);
        see(screen->heading);
        see(screen->message);
        see(screen->approval_kind_text);
        for (size_t i = 0; i < screen->item_count; i++) see(screen->items[i]);
    }
    if (ui->post_approval_screen) {
        const mtoken_post_approval_screen *screen = ui->post_approval_screen;
        const char *texts[] = {screen->kind_text,     screen->heading,      screen->message,
                               screen->redirect_text, screen->redirect_url, screen->payload};
        for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++) see(texts[t]);
        see_attributes(screen->attributes, screen->attribute_count);
    }
    if (ui->templates) {
        const mtoken_templates *templates = ui->templates;
        const char *texts[] = {templates->list_style,   templates->list_header, templates->list_title,
                               templates->list_message, templates->list_image,  templates->detail_style};
        for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++) see(texts[t]);
        for (size_t i = 0; i < templates->section_count; i++) {
            see(templates->sections[i]->style);
            see(templates->sections[i]->title);
            for (size_t c = 0; c < templates->sections[i]->cell_count; c++) {
                see(templates->sections[i]->cells[c]->name);
                see(templates->sections[i]->cells[c]->style);
                see(templates->sections[i]->cells[c]->collapsable);
            }
        }
    }
}

/* Reads every member of an operation: valgrind watches. */
static void see_operation(const mtoken_operation *operation)
{
    const char *texts[] = {operation->status_text,    operation->status_reason,  operation->signature_type_text,
                           operation->result_success, operation->result_failure, operation->result_reject};
    for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++) see(texts[t]);
    CHECK(operation->id && operation->name && operation->operation_data && operation->title && operation->message &&
          operation->json);
    see(operation->id);
    see(operation->name);
    see(operation->operation_data);
    see(operation->title);
    see(operation->message);
    CHECK_INT(strlen(operation->json), operation->json_length);
    for (size_t i = 0; i < operation->unknown_variant_count; i++) see(operation->unknown_variants[i]);
    see_attributes(operation->attributes, operation->attribute_count);
    if (operation->ui) see_ui(operation->ui);
}

static void answer_with(bank *bank, const mtoken_testing_request *request, mtoken_testing_answer *answer)
{
    if (strcmp(request->url + strlen(BANK_URL), PATH_LIST) != 0) return;
    free((void *)(uintptr_t)answer->body.data);
    answer->body.data = (const uint8_t *)strdup(bank->context);
    answer->body.length = strlen(bank->context);
}

/* Lists what the server is made to answer. */
static mtoken_task *list_of(world *world, const char *answer)
{
    mtoken_task *task = NULL;
    world->bank->spoil = answer_with;
    world->bank->context = (void *)(uintptr_t)answer;
    CHECK_OK(mtoken_operations_list(world->client, &task, NULL));
    bank_finish(world->bank, task);
    world->bank->spoil = NULL;
    return task;
}

static void known_lists_are_read(void)
{
    world world = world_open_active();
    json_t *root = load("operations-list"), *row;
    size_t index;
    json_array_foreach(json_object_get(root, "cases"), index, row)
    {
        json_t *expect = json_object_get(row, "expect"), *operations = json_object_get(expect, "operations");
        const char *input = member(row, "input");
        mtoken_task *task = list_of(&world, input);
        const mtoken_operation_list *list = mtoken_task_operations(task);
        bool good = CHECK_INT(list != NULL, json_is_true(json_object_get(expect, "ok")));
        if (list) {
            json_t *count = json_object_get(expect, "operationCount"), *skipped = json_object_get(expect, "skipped");
            good &= !count || CHECK_INT(list->count, json_integer_value(count));
            good &= !skipped || CHECK_INT(list->skipped_count, json_integer_value(skipped));
            for (size_t i = 0; i < list->count; i++) {
                const json_t *operation = json_array_get(operations, i);
                const char *id = member(operation, "id"), *data = member(operation, "data");
                see_operation(list->operations[i]);
                good &= !id || CHECK_TEXT(list->operations[i]->id, id);
                good &= !data || CHECK_TEXT(list->operations[i]->operation_data, data);
            }
            for (size_t i = 0; i < list->issue_count; i++) see(list->issues[i]);
        } else {
            mtoken_status result = mtoken_task_result(task);
            good &= CHECK(result == MTOKEN_ERROR_PROTOCOL || result == MTOKEN_ERROR_SERVER);
        }
        if (!good) note("%s", member(row, "id"));
        mtoken_task_free(task);
    }
    printf("vectors: operations-list %zu\n", index);
    json_decref(root);
    world_close(&world);
}

static void known_screens_are_read(void)
{
    world world = world_open_active();
    json_t *root = load("ui-data"), *row;
    size_t index, shown = 0;
    json_array_foreach(json_object_get(root, "cases"), index, row)
    {
        json_t *operation = json_deep_copy(bank_operation(world.bank, "x", "A1"));
        json_t *ui = json_loads(member(row, "input"), JSON_DECODE_ANY, NULL);
        if (ui) json_object_set_new(operation, "ui", ui);
        bank_answer answer = bank_ok(json_pack("[o]", operation));
        mtoken_task *task = list_of(&world, answer.body);
        const mtoken_operation_list *list = mtoken_task_operations(task);
        if (CHECK(list && list->count == 1)) {
            see_operation(list->operations[0]);
            shown += list->operations[0]->ui != NULL;
        } else {
            note("%s", member(row, "id"));
        }
        mtoken_task_free(task);
        free(answer.body);
    }
    CHECK(shown > 0 && seen > 0);
    printf("vectors: ui-data %zu\n", index);
    json_decref(root);
    world_close(&world);
}

static const test tests[] = {
    {"a recorded life replays bit for bit", recorded_life_replays},
    {"the state of the recorded life is imported", recorded_state_is_imported},
    {"every upstream format is known", every_upstream_format_is_known},
    {"known lists are read", known_lists_are_read},
    {"known screens are read", known_screens_are_read},
};

int main(int argc, char **argv)
{
    after_each = no_handles_left;
    return RUN(tests);
}
