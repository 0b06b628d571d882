/* Recorded material through the C interface: one client's life bit for bit, the states that upstream's SDK kept, and
 * the vectors of codes, statuses, encryption, temporary keys and offline operations of either protocol. */
#include "calls.h"

#include <dirent.h>
#include <openssl/x509.h>

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

/* ------------------------------------------------------------------------------------------------- known activations
 */

#define BIOMETRY_KEY "sixteen bytes ok"

static void take(uint8_t *target, const char *text, size_t size)
{
    buffer bytes = {NULL, 0};
    if (text && base64_decode(text, &bytes) && CHECK_INT(bytes.size, size)) memcpy(target, bytes.data, size);
    buffer_clear(&bytes);
}

/* In hybrid suites: what the next bank has beside its master key. */
static EVP_PKEY *master_second;

/* A client of an application with these keys, in Base64, and this master key, which is taken over. NULL: the bank's
 * own. */
static world world_of(const char *key, const char *secret, EVP_PKEY *master, mtoken_protocol_version protocol)
{
    world world = world_open();
    take(world.bank->application_key, key, 16);
    take(world.bank->application_secret, secret, 16);
    if (master) {
        EVP_PKEY_free(world.bank->master);
        world.bank->master = master;
    }
    if (master_second) {
        EVP_PKEY_free(world.bank->four.master_dsa);
        world.bank->four.master_dsa = master_second;
        master_second = NULL;
    }
    world.bank->protocol = bank_speaks_4() ? MTOKEN_PROTOCOL_4_0 : protocol;
    bank_configure(world.bank);
    mtoken_client_free(world.client);
    world.client = bank_client(world.bank, world.store);
    return world;
}

/* What is known of an activation: members of a vector, in Base64. NULL: of no importance. */
typedef struct known {
    const char *id, *secret, *counter, *possession, *knowledge, *biometry, *transport;
    const buffer *server_key, *server_second_key;
    uint8_t counter_byte;
} known;

#define ANY_ID "3bcd5c3a-3f1a-4b6e-8e0c-0d6f2b6f2f11"

/* Gives the client that activation, and the bank too. */
static void adopt(world *world, const known *known)
{
    static const uint8_t any[32] = {7};
    mtoken_testing_activation activation = MTOKEN_TESTING_ACTIVATION_INIT;
    const size_t width = world->bank->suite ? 32 : 16;
    const struct {
        const char *text;
        mtoken_bytes *bytes;
    } members[] = {{known->secret, &activation.secret},         {known->counter, &activation.counter},
                   {known->possession, &activation.possession}, {known->knowledge, &activation.knowledge},
                   {known->biometry, &activation.biometry},     {known->transport, &activation.transport}};
    buffer buffers[6] = {{NULL, 0}};
    mtoken_error *error = NULL;
    activation.activation_id = text(known->id ? known->id : ANY_ID);
    activation.secret = activation.counter = MTOKEN_BYTES(any, width);
    activation.pin = bytes(PIN);
    activation.biometry_key = bytes(BIOMETRY_KEY);
    activation.counter_byte = known->counter_byte;
    for (size_t i = 0; i < 6; i++) {
        if (!members[i].text) continue;
        CHECK(base64_decode(members[i].text, &buffers[i]));
        *members[i].bytes = MTOKEN_BYTES(buffers[i].data, buffers[i].size);
    }
    if (known->server_key) activation.server_key = MTOKEN_BYTES(known->server_key->data, known->server_key->size);
    if (known->server_second_key)
        activation.server_second_key = MTOKEN_BYTES(known->server_second_key->data, known->server_second_key->size);
    CHECK_ERROR(mtoken_testing_client_adopt(world->client, &activation, &error), MTOKEN_OK, error);
    snprintf(world->bank->activation_id, sizeof world->bank->activation_id, "%s", known->id ? known->id : ANY_ID);
    world->bank->state = MTOKEN_ACTIVATION_ACTIVE;
    if (world->bank->suite)
        bank_takes_secret(world->bank, activation.secret.data);
    else
        take(world->bank->transport, known->transport, 16);
    for (size_t i = 0; i < 6; i++) buffer_clear(&buffers[i]);
}

/* The factors of a name such as "possession_knowledge". */
static mtoken_auth auth_of(const char *factors)
{
    mtoken_auth auth = MTOKEN_AUTH_INIT;
    auth.factors = MTOKEN_FACTOR_POSSESSION | (strstr(factors, "knowledge") ? MTOKEN_FACTOR_KNOWLEDGE : 0) |
                   (strstr(factors, "biometry") ? MTOKEN_FACTOR_BIOMETRY : 0);
    auth.pin = bytes(PIN);
    auth.biometry_key = bytes(BIOMETRY_KEY);
    return auth;
}

static void lay_text(const world *world, const char *base64)
{
    buffer bytes = {NULL, 0};
    CHECK(base64_decode(base64, &bytes));
    CHECK_OK(mtoken_testing_random_bytes(world->runtime, bytes.data, bytes.size, NULL));
    buffer_clear(&bytes);
}

/* The parts of what is signed: method, constant, nonce, body, secret. The middle three are Base64. */
typedef struct signed_parts {
    char *text, *parts[5];
    buffer uri_id, body;
} signed_parts;

static signed_parts split(const char *data)
{
    signed_parts result = {NULL, {NULL}, {NULL, 0}, {NULL, 0}};
    result.text = malloc(strlen(data) + 1);
    strcpy(result.text, data);
    char *next = result.text;
    for (int i = 0; i < 5; i++) {
        char *end = i < 4 ? strchr(next, '&') : NULL;
        if (end) *end = 0;
        result.parts[i] = next;
        next = end ? end + 1 : next;
    }
    CHECK(base64_decode(result.parts[1], &result.uri_id) && base64_decode(result.parts[3], &result.body));
    buffer_add(&result.uri_id, "", 1);
    return result;
}

static void join(signed_parts *parts)
{
    free(parts->text);
    buffer_clear(&parts->uri_id);
    buffer_clear(&parts->body);
}

/* Signs what the parts say; an offline code has so many digits for each factor. To be freed. */
static char *code_of(const world *world, const signed_parts *parts, const char *factors, int32_t digits)
{
    mtoken_auth auth = auth_of(factors);
    mtoken_error *error = NULL;
    const char *uri_id = (const char *)parts->uri_id.data;
    mtoken_bytes body = MTOKEN_BYTES(parts->body.data, parts->body.size);
    char *result = NULL;
    if (digits) {
        mtoken_text *code = NULL;
        buffer nonce = {NULL, 0};
        CHECK(base64_decode(parts->parts[2], &nonce));
        CHECK_ERROR(brief_sign_offline(world->client, uri_id, body, MTOKEN_BYTES(nonce.data, nonce.size), &auth, digits,
                                       &code, &error),
                    MTOKEN_OK, error);
        if (code) result = strcpy(malloc(strlen(code->data) + 1), code->data);
        mtoken_text_free(code);
        buffer_clear(&nonce);
    } else {
        mtoken_header *header = NULL;
        lay_text(world, parts->parts[2]);
        CHECK_ERROR(brief_sign(world->client, parts->parts[0], uri_id, body, &auth, &header, &error), MTOKEN_OK, error);
        if (header) result = strcpy(malloc(strlen(header->value) + 1), header->value);
        mtoken_header_free(header);
    }
    return result;
}

static void ran(const char *name, size_t count)
{
    CHECK(count > 0);
    printf("vectors: %s %zu\n", name, count);
}

/* ----------------------------------------------------------------------------------------------------------- codes */

/* An offline operation comes out as verified, and its approval as the code. */
static void check_offline(const world *world, const char *payload, const char *factors, bool is_valid, int32_t digits,
                          const char *expected)
{
    mtoken_qr_options options = MTOKEN_QR_OPTIONS_INIT;
    mtoken_qr_authorize_options authorize = MTOKEN_QR_AUTHORIZE_OPTIONS_INIT;
    mtoken_qr_operation *operation = NULL;
    mtoken_text *code = NULL;
    mtoken_error *error = NULL;
    mtoken_auth auth = auth_of(factors);
    options.client = world->client;
    options.keep_unverified = 1;
    authorize.component_length = digits;
    CHECK_ERROR(mtoken_qr_operation_parse(payload, strlen(payload), &options, &operation, &error), MTOKEN_OK, error);
    CHECK_INT(operation->verification, is_valid ? MTOKEN_VERIFIED_VALID : MTOKEN_VERIFIED_INVALID);
    if (expected) {
        CHECK_ERROR(mtoken_qr_authorize(world->client, operation, &auth, &authorize, &code, &error), MTOKEN_OK, error);
        CHECK_TEXT(code ? code->data : NULL, expected);
    } else if (!is_valid) {
        CHECK_ERROR(mtoken_qr_authorize(world->client, operation, &auth, &authorize, &code, &error),
                    MTOKEN_ERROR_SIGNATURE, error);
    }
    mtoken_text_free(code);
    mtoken_qr_operation_free(operation);
}

static void check_recorded(const char *name, const json_t *row)
{
    const json_t *keys = json_object_get(row, "factorKeys");
    const char *header =
        member(json_object_get(json_object_get(row, "exchange"), "requestHeaders"), "X-Powerauth-Authorization");
    char key[32] = "", id[64] = "", factors[64] = "possession";
    int minor = 3;
    signed_parts parts = split(member(row, "baseString"));
    EVP_PKEY *master = NULL;
    buffer server_key = decoded(row, "publicKey");
    known known = {.counter = member(row, header ? "ctrDataBefore" : "ctrData"),
                   .possession = member(keys, "possession"),
                   .knowledge = member(keys, "knowledge"),
                   .biometry = member(keys, "biometry")};
    if (known.knowledge) strcat(factors, "_knowledge");
    if (known.biometry) strcat(factors, "_biometry");
    if (header)
        CHECK_INT(
            sscanf(header,
                   "PowerAuth pa_version=\"3.%d\", pa_activation_id=\"%63[^\"]\", pa_application_key=\"%31[^\"]\"",
                   &minor, id, key),
            3);
    if (!header && strstr(name, "master")) master = key_from_point(server_key.data, server_key.size);
    world world = world_of(header ? key : NULL, header ? parts.parts[4] : NULL, master, 30 + minor);
    if (header) known.id = id;
    if (!header && !master) known.server_key = &server_key;
    adopt(&world, &known);
    if (header) {
        char *code = code_of(&world, &parts, factors, 0);
        CHECK_TEXT(code, header);
        free(code);
    } else {
        check_offline(&world, member(row, "payload"), factors, true, 8, member(row, "code"));
    }
    world_close(&world);
    buffer_clear(&server_key);
    join(&parts);
}

static void recorded_codes(void)
{
    char folder[1024];
    size_t count = 0;
    struct dirent *entry;
    snprintf(folder, sizeof folder, "%s/released", setting("MTOKEN_VECTORS"));
    DIR *directory = opendir(folder);
    while (directory && (entry = readdir(directory))) {
        char name[320];
        if (strncmp(entry->d_name, "signature-", 10) != 0 && strncmp(entry->d_name, "offline-", 8) != 0) continue;
        snprintf(name, sizeof name, "released/%.*s", (int)strlen(entry->d_name) - 5, entry->d_name);
        json_t *row = load(name);
        check_recorded(name, row);
        json_decref(row);
        count++;
    }
    closedir(directory);
    ran("released codes", count);
}

static void codes_of_4(void)
{
    json_t *file = load("powerauth4-authentication-code");
    const json_t *row;
    size_t index, count = 0;
    json_array_foreach(json_object_get(file, "cases"), index, row)
    {
        const json_t *input = json_object_get(row, "input"), *expect = json_object_get(row, "expect"), *codes, *text;
        const known known = {.secret = member(input, "activationSecret"), .counter = member(input, "ctrData")};
        const char *factors = member(input, "factors"), *online = member(expect, "code"), *digits;
        signed_parts parts = split(member(expect, "data"));
        codes = json_object_get(expect, "codes");
        if (online) {
            char wanted[256];
            world world = world_of(NULL, member(input, "appSecret"), NULL, 0);
            adopt(&world, &known);
            char *header = code_of(&world, &parts, factors, 0);
            snprintf(wanted, sizeof wanted, "pa_auth_code=\"%s\"", online);
            CHECK(header && strstr(header, wanted));
            free(header);
            world_close(&world);
            count++;
        }
        json_object_foreach((json_t *)(uintptr_t)codes, digits, text)
        {
            world world = world_of(NULL, NULL, NULL, 0);
            adopt(&world, &known);
            char *code = code_of(&world, &parts, factors, atoi(digits));
            CHECK_TEXT(code, json_string_value(text));
            free(code);
            world_close(&world);
            count++;
        }
        join(&parts);
    }
    json_decref(file);
    ran("powerauth4-authentication-code", count);
}

/* ------------------------------------------------------------------------------------------------ offline operations
 */

static void signed_offline(void)
{
    json_t *file = load("qr-signed");
    const json_t *row;
    size_t index, count = 0;
    buffer server_key = decoded(file, "personalizedPublicKey"), master = decoded(file, "masterPublicKey");
    const known known = {.server_key = &server_key};
    world world = world_of(NULL, NULL, key_from_point(master.data, master.size), 0);
    adopt(&world, &known);
    json_array_foreach(json_object_get(file, "cases"), index, row)
    {
        bool is_valid = json_is_true(json_object_get(json_object_get(row, "expect"), "signatureValid"));
        if (strcmp(member(row, "id"), "normalized-text") == 0) continue; /* which the library repairs */
        check_offline(&world, member(row, "input"), "possession_knowledge", is_valid, 8, NULL);
        count++;
    }
    world_close(&world);
    buffer_clear(&server_key);
    buffer_clear(&master);
    json_decref(file);
    ran("qr-signed", count);
}

static void offline_of_4(void)
{
    json_t *file = load("powerauth4-offline-qr");
    const json_t *row;
    size_t index;
    json_array_foreach(json_object_get(file, "cases"), index, row)
    {
        const json_t *input = json_object_get(row, "input"), *expect = json_object_get(row, "expect");
        const char *factors = member(input, "factors");
        const known known = {.secret = member(input, "activationSecret"), .counter = member(input, "ctrData")};
        for (int32_t digits = 4; digits <= 8; digits += 4) {
            world world = world_of(NULL, NULL, NULL, 0);
            adopt(&world, &known);
            check_offline(&world, member(input, "payloadWrongMac"), factors, false, digits, NULL);
            check_offline(&world, member(input, "payload"), factors, true, digits,
                          member(expect, digits == 4 ? "code4" : "code8"));
            world_close(&world);
        }
    }
    ran("powerauth4-offline-qr", index);
    json_decref(file);
}

/* --------------------------------------------------------------------------------------------------------- statuses */

/* In the bank's place or in its answers: what a vector has. */
typedef struct script {
    const char *blob, *nonce;             /* of a status */
    const char *key, *key_id;             /* of a temporary key in 3.3: the point */
    const char *request_jwt, *answer_jwt; /* of the exchange for a temporary key */
    size_t asked;
} script;

static bool answer_script(bank *bank, const mtoken_testing_request *request, mtoken_testing_answer *answer)
{
    script *script = bank->context;
    json_t *body = NULL;
    if (script->nonce && is_to(request, PATH_STATUS))
        body = json_pack("{s:s, s:{s:s, s:s, s:s}}", "status", "OK", "responseObject", "activationId",
                         bank->activation_id, "encryptedStatusBlob", script->blob, "nonce", script->nonce);
    if (script->request_jwt && is_to(request, PATH_KEY)) {
        json_t *sent = json_loadb((const char *)request->body, request->body_length, 0, NULL);
        CHECK_TEXT(member(json_object_get(sent, "requestObject"), "jwt"), script->request_jwt);
        json_decref(sent);
        script->asked++;
        body = json_pack("{s:s, s:{s:s}}", "status", "OK", "responseObject", "jwt", script->answer_jwt);
    }
    if (!body) return false;
    char *text = json_dumps(body, JSON_COMPACT);
    answer->body = bytes(text);
    json_decref(body);
    return true;
}

static char *rewrite_script(bank *bank, const char *purpose, const char *plain)
{
    const script *script = bank->context;
    bool is_key = script->key && strcmp(purpose, "jwt") == 0;
    bool is_status = script->blob && strcmp(purpose, "/pa/generic/activation") == 0;
    if (!is_key && !is_status) return NULL;
    json_t *object = json_loads(plain, 0, NULL);
    if (is_status) json_object_set_new(object, "activationStatus", json_string(script->blob));
    if (is_key) {
        json_object_set_new(object, "publicKey", json_string(script->key));
        json_object_set_new(object, "sub", json_string(script->key_id));
    }
    char *text = json_dumps(object, JSON_COMPACT);
    json_decref(object);
    return text;
}

static void play_script(world *world, script *script)
{
    world->bank->context = script;
    world->bank->intercept = answer_script;
    world->bank->rewrite = rewrite_script;
}

static int64_t number_of(const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);
    return json_is_string(value) ? atoll(json_string_value(value)) : json_integer_value(value);
}

static void check_status_of(world *world, int64_t state, int64_t failed, int64_t most)
{
    mtoken_task *task = NULL;
    CHECK_OK(mtoken_client_fetch_status(world->client, &task, NULL));
    CHECK_OK(bank_finish(world->bank, task));
    const mtoken_activation_status *status = mtoken_task_activation_status(task);
    if (CHECK(status)) {
        CHECK_INT(status->state, state);
        CHECK_INT(status->failed_attempts, failed);
        CHECK_INT(status->max_failed_attempts, most);
    }
    mtoken_task_free(task);
}

static void statuses(void)
{
    static const char *const names[] = {"powerauth-status-blob", "powerauth-status-blob-java"};
    size_t index, count = 0;
    const json_t *row;
    for (int i = 0; i < 2; i++) {
        json_t *file = load(names[i]);
        json_array_foreach(json_object_get(file, "vectors"), index, row)
        {
            if (!member(row, "challenge")) continue;             /* of 3.0 */
            if (number_of(row, "currentVersion") == 2) continue; /* which the library refuses */
            int64_t byte = number_of(row, "ctrByte") - number_of(row, "counterDistance");
            script script = {.blob = member(row, "encryptedStatusBlob"), .nonce = member(row, "nonce")};
            const known known = {.transport = member(row, "transportKey"),
                                 .counter = member(row, "ctrData"),
                                 .counter_byte = (uint8_t)byte};
            world world = world_of(NULL, NULL, NULL, 0);
            adopt(&world, &known);
            play_script(&world, &script);
            lay_text(&world, member(row, "challenge"));
            if (i == 0)
                check_status_of(&world, number_of(row, "activationStatus"), number_of(row, "failedAttempts"),
                                number_of(row, "maxFailedAttempts"));
            else
                check_status_of(&world, MTOKEN_ACTIVATION_ACTIVE, 2, 5);
            world_close(&world);
            count++;
        }
        json_decref(file);
    }
    ran("powerauth-status-blob and -java", count);
}

static void statuses_of_4(void)
{
    json_t *file = load("powerauth4-status-blob");
    const json_t *row;
    size_t index;
    json_array_foreach(json_object_get(file, "cases"), index, row)
    {
        const json_t *input = json_object_get(row, "input"), *expect = json_object_get(row, "expect");
        script script = {.blob = member(input, "blob")};
        world world = world_of(NULL, NULL, NULL, 0);
        buffer key = key4_public(world.bank->key), second = {NULL, 0};
        known known = {.secret = member(input, "activationSecret"), .counter = member(input, "ctrData")};
        known.counter_byte = (uint8_t)number_of(expect, "ctrByte");
        known.server_key = &key;
        if (world.bank->four.dsa) {
            second = key4_public(world.bank->four.dsa);
            known.server_second_key = &second;
        }
        adopt(&world, &known);
        play_script(&world, &script);
        check_status_of(&world, number_of(expect, "state"), number_of(expect, "failCount"),
                        number_of(expect, "maxFailCount"));
        world_close(&world);
        buffer_clear(&key);
        buffer_clear(&second);
    }
    ran("powerauth4-status-blob", index);
    json_decref(file);
}

/* ------------------------------------------------------------------------------------------------------- encryption */

/* The task that has encrypted a body; the body that would go out. */
static json_t *encrypt(world *world, int32_t scope, mtoken_bytes plain, mtoken_task **task)
{
    mtoken_encrypt_options options = MTOKEN_ENCRYPT_OPTIONS_INIT;
    mtoken_error *error = NULL;
    options.scope = scope;
    CHECK_ERROR(mtoken_client_encrypt(world->client, plain.data, plain.length, &options, task, &error), MTOKEN_OK,
                error);
    CHECK_OK(bank_finish(world->bank, *task));
    const mtoken_encrypted_request *request = mtoken_task_encrypted_request(*task);
    return request ? json_loadb((const char *)request->body, request->body_length, 0, NULL) : NULL;
}

/* Decrypts the answer. */
static void check_answer(mtoken_task *task, const json_t *answer, const char *expected)
{
    char *text = json_dumps(answer, JSON_COMPACT);
    mtoken_bytes *plain = NULL;
    mtoken_error *error = NULL;
    CHECK_ERROR(mtoken_task_decrypt(task, (const uint8_t *)text, strlen(text), &plain, &error), MTOKEN_OK, error);
    CHECK(plain && plain->length == strlen(expected) && memcmp(plain->data, expected, plain->length) == 0);
    mtoken_bytes_free(plain);
    mtoken_task_free(task);
    free(text);
}

static void interoperable_messages(void)
{
    json_t *file = load("powerauth-e2ee-interop");
    const json_t *row;
    size_t index, count = 0;
    json_array_foreach(json_object_get(file, "vectors"), index, row)
    {
        const json_t *request = json_object_get(row, "request");
        const char *version = member(row, "version"), *id = member(row, "encryptorId");
        int32_t scope = strcmp(id, "APPLICATION_SCOPE_GENERIC") == 0  ? MTOKEN_SCOPE_APPLICATION
                        : strcmp(id, "ACTIVATION_SCOPE_GENERIC") == 0 ? MTOKEN_SCOPE_ACTIVATION
                                                                      : 0;
        /* The library sends short points, and only what a host may encrypt itself. */
        if (!scope || version[2] == '0' || strlen(member(request, "ephemeralPublicKey")) != 44) continue;
        buffer number = decoded(row, "serverPrivateKey"), ephemeral = decoded(row, "ephemeralPrivateKey");
        bool has_own_key = version[2] == '3'; /* then the key is a temporary one */
        EVP_PKEY *key = has_own_key ? key_new() : key_from_number(number.data, number.size);
        uint8_t point[65];
        key_point(key, point);
        buffer server_key = {NULL, 0};
        buffer_add(&server_key, point, sizeof point);
        known known = {.id = member(row, "activationId"), .transport = member(row, "transportKey")};
        known.server_key = &server_key;
        script script = {.key = member(row, "serverPublicKey"), .key_id = member(request, "temporaryKeyId")};
        world world =
            world_of(member(row, "applicationKey"), member(row, "applicationSecret"), key, 30 + (version[2] - '0'));
        EVP_PKEY_free(world.bank->key);
        world.bank->key = key;
        EVP_PKEY_up_ref(key);
        adopt(&world, &known);
        play_script(&world, &script);
        int64_t timestamp = number_of(request, "timestamp");
        if (timestamp) CHECK_OK(mtoken_testing_set_wall(world.runtime, timestamp, NULL));
        if (has_own_key) lay_any(&world, 18); /* challenge of the temporary key */
        lay_text(&world, member(request, "nonce"));
        CHECK_OK(mtoken_testing_random_key(world.runtime, ephemeral.data, ephemeral.size, NULL));

        mtoken_task *task = NULL;
        json_t *sent = encrypt(&world, scope, bytes(member(row, "plainRequest")), &task);
        CHECK(json_equal(sent, request));
        CHECK_TEXT(mtoken_task_encrypted_request(task)->header_value, member(row, "header"));
        check_answer(task, json_object_get(row, "response"), member(row, "plainResponse"));
        json_decref(sent);
        world_close(&world);
        buffer_clear(&number);
        buffer_clear(&ephemeral);
        buffer_clear(&server_key);
        count++;
    }
    json_decref(file);
    ran("powerauth-e2ee-interop", count);
}

static void messages_of_4(void)
{
    json_t *file = load("powerauth4-e2ee");
    const json_t *row;
    size_t index, count = 0;
    json_array_foreach(json_object_get(file, "cases"), index, row)
    {
        const json_t *input = json_object_get(row, "input"), *expect = json_object_get(row, "expect");
        /* Those of an activation give a key that nobody can make an activation of. */
        if (strcmp(member(input, "sh1"), "/pa/generic/application") != 0) continue;
        world world = world_of(member(input, "applicationKey"), member(input, "applicationSecret"), NULL, 0);
        buffer secret = decoded(input, "envelopeKey");
        const char *id = member(input, "temporaryKeyId");
        int64_t sent_at = number_of(input, "timestampRequest"), answered_at = number_of(input, "timestampResponse");
        mtoken_task *task = NULL;
        const known any = {.id = NULL};
        adopt(&world, &any);
        CHECK_OK(mtoken_testing_set_wall(world.runtime, sent_at, NULL));
        CHECK_OK(mtoken_client_synchronize_time(world.client, &task, NULL));
        CHECK_OK(bank_finish_free(world.bank, task));
        CHECK_OK(mtoken_testing_client_keep_key(world.client, MTOKEN_SCOPE_APPLICATION, id, strlen(id), secret.data,
                                                secret.size, sent_at + 300000, NULL));
        lay_text(&world, member(input, "nonce"));
        json_t *sent = encrypt(&world, MTOKEN_SCOPE_APPLICATION, bytes(member(input, "request")), &task);
        CHECK_TEXT(member(sent, "encryptedData"), member(expect, "encryptedDataRequest"));
        CHECK_TEXT(member(sent, "temporaryKeyId"), id);
        json_t *answer = json_pack("{s:s, s:I}", "encryptedData", member(expect, "encryptedDataResponse"), "timestamp",
                                   (json_int_t)answered_at);
        check_answer(task, answer, member(input, "response"));
        json_decref(sent);
        json_decref(answer);
        world_close(&world);
        buffer_clear(&secret);
        count++;
    }
    json_decref(file);
    ran("powerauth4-e2ee", count);
}

/* --------------------------------------------------------------------------------------------------- temporary keys */

/* The request for a key is the vector's, its answer is accepted, and the next message names the key. */
static void check_key(world *world, script *script, int32_t scope, int64_t issued, const char *key_id)
{
    mtoken_task *task = NULL;
    CHECK_OK(mtoken_testing_set_wall(world->runtime, issued, NULL));
    CHECK_OK(mtoken_client_synchronize_time(world->client, &task, NULL));
    CHECK_OK(bank_finish_free(world->bank, task));
    play_script(world, script);
    json_t *sent = encrypt(world, scope, bytes("{}"), &task);
    CHECK_INT(script->asked, 1);
    CHECK_TEXT(member(sent, "temporaryKeyId"), key_id);
    json_decref(sent);
    mtoken_task_free(task);
}

static int32_t scope_of(const json_t *row)
{
    return strcmp(member(row, "scope"), "activation") == 0 ? MTOKEN_SCOPE_ACTIVATION : MTOKEN_SCOPE_APPLICATION;
}

static void temporary_keys(void)
{
    json_t *file = load("powerauth-temporary-key-jwt");
    const json_t *row;
    size_t index;
    json_array_foreach(json_object_get(file, "vectors"), index, row)
    {
        const json_t *claims = json_object_get(row, "responseClaims");
        buffer signer = decoded(row, "signingPublicKey");
        known known = {.id = member(row, "activationId"), .transport = member(row, "transportKey")};
        known.server_key = &signer;
        script script = {.request_jwt = member(row, "requestJwt"), .answer_jwt = member(row, "responseJwt")};
        world world = world_of(member(row, "applicationKey"), member(row, "applicationSecret"),
                               key_from_point(signer.data, signer.size), MTOKEN_PROTOCOL_3_3);
        adopt(&world, &known);
        lay_text(&world, member(claims, "challenge"));
        check_key(&world, &script, scope_of(row), number_of(claims, "iat_ms"), member(claims, "sub"));
        world_close(&world);
        buffer_clear(&signer);
    }
    ran("powerauth-temporary-key-jwt", index);
    json_decref(file);
}

/* A public key of P-384 or of ML-DSA. */
static EVP_PKEY *public_key(const buffer *encoded)
{
    static const uint8_t head[] = {0x30, 0x76, 0x30, 0x10, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02,
                                   0x01, 0x06, 0x05, 0x2b, 0x81, 0x04, 0x00, 0x22, 0x03, 0x62, 0x00};
    buffer info = {NULL, 0};
    if (encoded->size == 97) buffer_add(&info, head, sizeof head);
    buffer_add(&info, encoded->data, encoded->size);
    const uint8_t *next = info.data;
    EVP_PKEY *key = d2i_PUBKEY(NULL, &next, (long)info.size);
    CHECK(key);
    buffer_clear(&info);
    return key;
}

static void temporary_keys_of_4(void)
{
    json_t *file = load("powerauth4-temporary-key");
    const json_t *row;
    size_t index, count = 0;
    json_array_foreach(json_object_get(file, "cases"), index, row)
    {
        const json_t *input = json_object_get(row, "input"), *expect = json_object_get(row, "expect");
        const json_t *signers = json_object_get(input, "signingKeys");
        if (strcmp(member(input, "algorithm"), getenv("MTOKEN_SUITE")) != 0) continue;
        buffer point = decoded(signers, "ecdsa"), second = decoded(signers, "mldsa");
        known known = {.id = member(input, "activationId"), .secret = member(input, "activationSecret")};
        known.server_key = &point;
        if (second.size) known.server_second_key = &second;
        script script = {.request_jwt = member(expect, "requestJwt"), .answer_jwt = member(input, "responseJws")};
        master_second = second.size ? public_key(&second) : NULL;
        world world =
            world_of(member(input, "applicationKey"), member(input, "applicationSecret"), public_key(&point), 0);
        adopt(&world, &known);
        /* Synchronised time comes first, and draws nothing. */
        lay_text(&world, member(input, "ecD"));
        if (member(input, "kemSeed")) lay_text(&world, member(input, "kemSeed"));
        lay_text(&world, member(input, "challenge"));
        check_key(&world, &script, scope_of(input), number_of(expect, "issuedMs"), member(expect, "keyId"));
        world_close(&world);
        buffer_clear(&point);
        buffer_clear(&second);
        count++;
    }
    json_decref(file);
    ran("powerauth4-temporary-key", count);
}

static const test tests[] = {
    {"a recorded life replays bit for bit", recorded_life_replays},
    {"the state of the recorded life is imported", recorded_state_is_imported},
    {"recorded codes are made", recorded_codes},
    {"signed offline operations are verified", signed_offline},
    {"known statuses are read", statuses},
    {"interoperable messages are made and read", interoperable_messages},
    {"known temporary keys are agreed on", temporary_keys},
};

static const test tests_of_4[] = {
    {"known codes are made", codes_of_4},
    {"known offline operations are approved", offline_of_4},
    {"known statuses are read", statuses_of_4},
    {"known messages are made and read", messages_of_4},
    {"known temporary keys are agreed on", temporary_keys_of_4},
};

int main(int argc, char **argv)
{
    after_each = no_handles_left;
    return bank_speaks_4() ? RUN(tests_of_4) : RUN(tests);
}
