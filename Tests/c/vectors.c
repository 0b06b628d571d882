/* Recorded material through the C interface: one client's life bit for bit, and the states that upstream's SDK kept. */
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

static const test tests[] = {
    {"a recorded life replays bit for bit", recorded_life_replays},
    {"the state of the recorded life is imported", recorded_state_is_imported},
};

int main(int argc, char **argv)
{
    after_each = no_handles_left;
    return RUN(tests);
}
