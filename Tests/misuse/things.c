#define _GNU_SOURCE
#include "things.h"

#include "plain.h"
#include "world.h"

#include <mtoken/extra.h>

#include <unistd.h>

enum {
    RUNTIME,
    CLIENT,
    STORE,
    SEALER,
    TASK,
    CHALLENGE,
    STORE_REPLY,
    STORE_NAMES,
    OIDC_REQUEST,
    WATCHER,
    DATA,
    RECORDER,
    KINDS
};

static const char *const names[KINDS] = {
    "mtoken_runtime",           "mtoken_client",      "mtoken_store",       "mtoken_sealer",       "mtoken_task",
    "mtoken_challenge",         "mtoken_store_reply", "mtoken_store_names", "mtoken_oidc_request", "mtoken_watcher",
    "mtoken_mobile_token_data", "mtoken_recorder",
};

/* One handle of each kind, and what they stand on. */
typedef struct things {
    world ground;                   /* of the clients */
    world asking;                   /* of tasks and challenges */
    mtoken_testing_data *stored[2]; /* the activation as it was at first: its items */
    void *handles[KINDS];
    mtoken_client *empty;
    mtoken_task *handling, *list;
    const char *asks; /* the function under test, which the next task or challenge is for */
} things;

static const char *const items[2] = {"alice.state", "alice.key"};
static things fresh, foreign, gone;
static bool has_activation;
static char directory[256], callback[256];
static mtoken_text *qr_text, *pac_text;
static mtoken_bytes *private_key, *public_key;
static mtoken_qr_operation *qr;
static mtoken_pac *pac;
static mtoken_error *failure;
static mtoken_event *event; /* of a task */
static const uint8_t biometry[16] = {1};

static size_t known_kind(size_t kind)
{
    for (size_t i = 0; i < KINDS; i++)
        if (strcmp(names[i], kinds[kind].name) == 0) return i;
    fprintf(stderr, "no recipe for %s in Tests/misuse/things.c\n", kinds[kind].name);
    exit(2);
}

/* ------------------------------------------------------------------------------------------------------------- worlds
 */

/* The bank knows no encrypted detail, and says so. */
static void refuse_encrypted_detail(bank *bank, const mtoken_testing_request *request, mtoken_testing_answer *answer)
{
    (void)bank;
    if (strcmp(request->url, BANK_URL PATH_DETAIL) != 0 || !header_of(request, "X-PowerAuth-Encryption")) return;
    bank_answer refusal = bank_error(400, "INVALID_REQUEST", "plain, please");
    free((void *)(uintptr_t)answer->body.data);
    answer->status = refusal.status;
    answer->body = bytes(refusal.body);
}

static world active_world(void)
{
    world world = world_open_events(MTOKEN_EVENT_MASK_ALL, MTOKEN_LOG_DEBUG);
    world.bank->spoil = refuse_encrypted_detail;
    json_t *operation = bank_operation(world.bank, "1", "A1");
    json_object_set_new(operation, "operationExpires", json_string("2099-12-31T23:59:59+0000"));
    CHECK_OK(bank_activate(world.bank, world.client, PIN, biometry));
    return world;
}

static void forget_events(mtoken_runtime *runtime)
{
    mtoken_event *event = NULL;
    while (mtoken_runtime_next_event(runtime, 0, &event, NULL) == MTOKEN_OK) mtoken_event_free(event);
}

static void close_world(world *world)
{
    forget_events(world->runtime);
    world_stop(world);
    mtoken_store_free(world->store);
    mtoken_store_free(world->memory);
    bank_free(world->bank);
}

/* ------------------------------------------------------------------------------------------------------------ handles
 */

static mtoken_oidc_options login(void)
{
    mtoken_oidc_options options = MTOKEN_OIDC_OPTIONS_INIT;
    options.provider_id = text("bank");
    options.client_id = text("client");
    options.scopes = text("openid");
    options.authorize_uri = text("https://idp.example/authorize");
    options.redirect_uri = text("mtoken://oidc");
    return options;
}

/* A client with the activation as it was at first. */
static mtoken_client *make_client(things *things)
{
    for (size_t i = 0; i < 2; i++) {
        const mtoken_testing_data *data = things->stored[i];
        CHECK_OK(mtoken_testing_store_write(things->ground.store, items[i], MTOKEN_NUL_TERMINATED, data->bytes,
                                            data->length, NULL));
    }
    return bank_client(things->ground.bank, things->ground.store);
}

static mtoken_client *make_empty_client(things *things)
{
    mtoken_client_options options = bank_client_options(things->ground.bank, things->ground.store);
    mtoken_client *client = NULL;
    options.id = text("empty");
    (void)mtoken_testing_store_write(things->ground.store, "empty.state", 11, NULL, 0, NULL);
    CHECK_OK(mtoken_client_new(things->ground.runtime, &options, &client, NULL));
    return client;
}

static bool asks(const things *things, const char *answer) { return things->asks && strcmp(things->asks, answer) == 0; }

/* Has the operation ask for what the answer under test gives. */
static void pose(things *things, mtoken_mobile_auth_options *options)
{
    json_t *operation = json_array_get(things->asking.bank->operations, 0);
    const char *type = asks(things, "mtoken_challenge_confirm") ? "1FA" : "2FA";
    json_object_set_new(operation, "allowedSignatureType",
                        *type == '1' ? json_pack("{s:s, s:[]}", "type", type, "variants")
                                     : json_pack("{s:s, s:[s,s]}", "type", type, "variants", "possession_knowledge",
                                                 "possession_biometry"));
    json_object_del(operation, "ui");
    options->handles_biometry = asks(things, "mtoken_challenge_biometric") || asks(things, "mtoken_challenge_use_pin");
    options->handles_proximity = asks(things, "mtoken_challenge_proximity");
    if (options->handles_proximity)
        json_object_set_new(operation, "ui", json_pack("{s:{s:s}}", "preApprovalScreen", "type", "QR_SCAN"));
    if (asks(things, "mtoken_challenge_custom")) {
        options->authenticator = text("card");
        CHECK_OK(mtoken_mobile_auth_register_authenticator(things->asking.client, "card", 4, biometry, 16, NULL));
    }
}

static mtoken_challenge *make_challenge(things *things)
{
    world *world = &things->asking;
    mtoken_mobile_auth_options options = MTOKEN_MOBILE_AUTH_OPTIONS_INIT;
    forget_events(world->runtime);
    pose(things, &options);
    if (mtoken_mobile_auth_handle(world->client, "1", 1, &options, &things->handling, NULL) != MTOKEN_OK) return NULL;
    bank_serve(world->bank);
    mtoken_challenge *challenge = NULL;
    mtoken_event *event = NULL;
    while (!challenge && mtoken_runtime_next_event(world->runtime, 0, &event, NULL) == MTOKEN_OK) {
        challenge = mtoken_event_take_challenge(event);
        mtoken_event_free(event);
    }
    if (!CHECK(challenge != NULL) && mtoken_task_error(things->handling))
        note("%s", mtoken_task_error(things->handling)->message);
    return challenge;
}

static void end_challenge(things *things)
{
    mtoken_challenge_free(things->handles[CHALLENGE]);
    mtoken_task_free(things->handling);
    bank_serve(things->asking.bank);
    /* What was answered: its outcome is of no interest, but for the bank. */
    json_t *operation = json_array_get(things->asking.bank->operations, 0);
    json_object_set_new(operation, "status", json_string("PENDING"));
    things->asking.bank->state = MTOKEN_ACTIVATION_ACTIVE;
    things->asking.bank->failed = 0;
    things->handling = NULL;
}

static void *make_handle(things *things, size_t kind)
{
    world *asking = &things->asking;
    switch (kind) {
    case RUNTIME: {
        mtoken_runtime *runtime = NULL;
        mtoken_testing_options testing = MTOKEN_TESTING_OPTIONS_INIT;
        mtoken_runtime_options options = MTOKEN_RUNTIME_OPTIONS_INIT;
        options.events = MTOKEN_EVENT_MASK_ALL;
        CHECK_OK(mtoken_testing_runtime_new(&options, &testing, &runtime, NULL));
        return runtime;
    }
    case CLIENT: things->empty = make_empty_client(things); return make_client(things);
    case STORE: {
        mtoken_store *store = NULL;
        CHECK_OK(mtoken_store_memory_new(&store, NULL));
        return store;
    }
    case SEALER: {
        mtoken_host_sealer host = plain_host_sealer();
        mtoken_sealer *sealer = NULL;
        CHECK_OK(mtoken_sealer_host_new(&host, &sealer, NULL));
        return sealer;
    }
    case TASK: {
        mtoken_task *task = NULL;
        if (asks(things, "mtoken_task_decrypt")) {
            mtoken_encrypt_options options = MTOKEN_ENCRYPT_OPTIONS_INIT;
            options.scope = MTOKEN_SCOPE_ACTIVATION;
            CHECK_OK(mtoken_client_encrypt(asking->client, (const uint8_t *)"{}", 2, &options, &task, NULL));
        } else if (asks(things, "mtoken_task_give_turn")) {
            CHECK_OK(mtoken_client_take_turn(asking->client, &task, NULL));
        } else {
            CHECK_OK(mtoken_operations_list(asking->client, &task, NULL));
        }
        CHECK_OK(bank_finish(asking->bank, task));
        return task;
    }
    case CHALLENGE: return make_challenge(things);
    case OIDC_REQUEST: {
        mtoken_oidc_request *request = NULL;
        mtoken_oidc_options options = login();
        CHECK_OK(mtoken_oidc_prepare(&options, &request, NULL));
        return request;
    }
    case WATCHER: {
        mtoken_watcher *watcher = NULL;
        CHECK_OK(mtoken_watcher_new(asking->client, &watcher, NULL));
        return watcher;
    }
    case DATA: {
        mtoken_mobile_token_data *data = NULL;
        CHECK_OK(mtoken_mobile_token_data_new(NULL, 0, &data, NULL));
        return data;
    }
    case RECORDER: {
        mtoken_recorder *recorder = NULL;
        CHECK_OK(mtoken_recorder_new(asking->client, &recorder, NULL));
        return recorder;
    }
    default: return NULL;
    }
}

static void free_handle(things *things, size_t kind)
{
    void *handle = things->handles[kind];
    switch (kind) {
    case RUNTIME: mtoken_runtime_free(handle); break;
    case CLIENT:
        mtoken_client_free(things->empty);
        mtoken_client_free(handle);
        break;
    case STORE: mtoken_store_free(handle); break;
    case SEALER: mtoken_sealer_free(handle); break;
    case TASK: mtoken_task_free(handle); break;
    case CHALLENGE: end_challenge(things); break;
    case OIDC_REQUEST: mtoken_oidc_request_free(handle); break;
    case WATCHER: mtoken_watcher_free(handle); break;
    case DATA: mtoken_mobile_token_data_free(handle); break;
    case RECORDER: mtoken_recorder_free(handle); break;
    default: break;
    }
}

static void make_all(things *things)
{
    memset(things, 0, sizeof *things);
    things->ground = active_world();
    things->asking = active_world();
    for (size_t i = 0; i < 2; i++)
        CHECK_OK(
            mtoken_testing_store_read(things->ground.store, items[i], MTOKEN_NUL_TERMINATED, &things->stored[i], NULL));
    mtoken_client_free(things->ground.client);
    things->ground.client = NULL;
    CHECK_OK(mtoken_operations_list(things->asking.client, &things->list, NULL));
    CHECK_OK(bank_finish(things->asking.bank, things->list));
    for (size_t kind = 0; kind < KINDS; kind++) things->handles[kind] = make_handle(things, kind);
}

static void free_all(things *things)
{
    for (size_t kind = 0; kind < KINDS; kind++) free_handle(things, kind);
    mtoken_task_free(things->list);
    mtoken_testing_data_free(things->stored[0]);
    mtoken_testing_data_free(things->stored[1]);
    close_world(&things->ground);
    close_world(&things->asking);
}

/* ------------------------------------------------------------------------------------------------------ loading a
 * store */

static void (*loading)(void);

static mtoken_status load(void *context, const char *name, mtoken_store_reply *reply)
{
    (void)name;
    ((things *)context)->handles[STORE_REPLY] = reply;
    if (loading) loading();
    return MTOKEN_ERROR_NOT_FOUND;
}

static mtoken_status list(void *context, mtoken_store_names *names)
{
    ((things *)context)->handles[STORE_NAMES] = names;
    if (loading) loading();
    return MTOKEN_OK;
}

/* Has the host's functions called: one of them, or the other. */
static void open_loaded(things *things, bool loads, bool lists)
{
    mtoken_host_store host = plain_host_store();
    mtoken_store *store = NULL;
    mtoken_client *client = NULL;
    host.context = things;
    if (loads) host.load = load;
    if (lists) host.list = list;
    CHECK_OK(mtoken_store_host_new(&host, &store, NULL));
    mtoken_client_options options = plain_options(store, "loaded", CLOSED_URL);
    if (loads) CHECK_KNOWN(mtoken_client_new(things->ground.runtime, &options, &client, NULL));
    mtoken_store_list *clients = NULL;
    if (lists) CHECK_OK(mtoken_store_clients(store, &clients, NULL));
    mtoken_store_list_free(clients);
    mtoken_client_free(client);
    mtoken_store_free(store);
}

static bool lends(size_t kind) { return kind == STORE_REPLY || kind == STORE_NAMES; }

bool things_is_lent(size_t kind) { return lends(known_kind(kind)); }

void things_while_lent(size_t kind, void (*body)(void))
{
    bool loads = known_kind(kind) == STORE_REPLY;
    loading = body;
    open_loaded(&fresh, loads, !loads);
    loading = NULL;
}

/* -------------------------------------------------------------------------------------------------------------- all */

void things_open(void)
{
    make_directory(directory, sizeof directory);
    if (chdir(directory) != 0) exit(2);
    make_all(&gone);
    open_loaded(&gone, true, true);
    free_all(&gone);
    make_all(&foreign);
    open_loaded(&foreign, true, true); /* there is no other live one: freed */
    make_all(&fresh);
    mtoken_task *task = NULL;
    CHECK_OK(mtoken_client_synchronize_time(fresh.asking.client, &task, NULL));
    CHECK_OK(bank_finish_free(fresh.asking.bank, task));
    CHECK_OK(mtoken_runtime_next_event(fresh.asking.runtime, 0, &event, NULL));

    CHECK_OK(mtoken_key_pair_new(&private_key, &public_key, NULL));
    mtoken_qr_build_options build = MTOKEN_QR_BUILD_OPTIONS_INIT;
    build.id = text("1");
    build.title = build.message = text("x");
    build.operation_data = text("A1");
    build.private_key.data = private_key->data;
    build.private_key.length = private_key->length;
    build.server_key = MTOKEN_KEY_PERSONALIZED;
    CHECK_OK(mtoken_qr_operation_build(&build, &qr_text, NULL));
    mtoken_qr_options options = MTOKEN_QR_OPTIONS_INIT;
    options.keep_unverified = 1;
    CHECK_OK(mtoken_qr_operation_parse(qr_text->data, qr_text->length, &options, &qr, NULL));
    mtoken_pac_build_options code = MTOKEN_PAC_BUILD_OPTIONS_INIT;
    code.operation_id = text("1");
    code.totp = text("12345678");
    code.form = MTOKEN_PAC_JWT;
    CHECK_OK(mtoken_pac_build(&code, &pac_text, NULL));
    CHECK_OK(mtoken_pac_parse(pac_text->data, pac_text->length, MTOKEN_PROXIMITY_QR_CODE, NULL, &pac, NULL));
    mtoken_client *none = NULL;
    CHECK_STATUS(mtoken_client_new(NULL, NULL, &none, &failure), MTOKEN_ERROR_HANDLE);
}

void things_close(void)
{
    mtoken_event_free(event);
    mtoken_error_free(failure);
    mtoken_pac_free(pac);
    mtoken_text_free(pac_text);
    mtoken_qr_operation_free(qr);
    mtoken_text_free(qr_text);
    mtoken_bytes_free(private_key);
    mtoken_bytes_free(public_key);
    free_all(&fresh);
    free_all(&foreign);
    remove_directory(directory);
}

void things_have_activation(bool activation) { has_activation = activation; }

void things_for(const char *function)
{
    const size_t made[] = {CHALLENGE, TASK};
    fresh.asks = function;
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        if (strncmp(function, i == 0 ? "mtoken_challenge_" : "mtoken_task_", i == 0 ? 17 : 12) != 0) continue;
        free_handle(&fresh, made[i]);
        fresh.handles[made[i]] = make_handle(&fresh, made[i]);
    }
}

void *thing(size_t kind)
{
    size_t which = known_kind(kind);
    return which == CLIENT && !has_activation ? fresh.empty : fresh.handles[which];
}

void things_renew(size_t kind)
{
    size_t which = known_kind(kind);
    if (lends(which)) return;
    if (which == CLIENT) { /* only the one in use */
        if (has_activation) {
            mtoken_client_free(fresh.handles[CLIENT]);
            fresh.handles[CLIENT] = make_client(&fresh);
        } else {
            mtoken_client_free(fresh.empty);
            fresh.empty = make_empty_client(&fresh);
        }
        return;
    }
    free_handle(&fresh, which);
    fresh.handles[which] = make_handle(&fresh, which);
}

void *foreign_thing(size_t kind) { return foreign.handles[known_kind(kind)]; }

void *freed_thing(size_t kind) { return gone.handles[known_kind(kind)]; }

void things_settle(void)
{
    mtoken_runtime *const runtimes[] = {fresh.ground.runtime, fresh.handles[RUNTIME]};
    for (size_t i = 0; i < sizeof runtimes / sizeof *runtimes; i++)
        if (mtoken_testing_advance(runtimes[i], 0, NULL) == MTOKEN_OK) forget_events(runtimes[i]);
}

const void *made_struct(const char *type)
{
    const mtoken_operation_list *list = mtoken_task_operations(fresh.list);
    if (strcmp(type, "mtoken_operation") == 0) return list && list->count ? list->operations[0] : NULL;
    if (strcmp(type, "mtoken_operation_list") == 0) return list;
    if (strcmp(type, "mtoken_qr_operation") == 0) return qr;
    if (strcmp(type, "mtoken_pac") == 0) return pac;
    if (strcmp(type, "mtoken_error") == 0) return failure;
    if (strcmp(type, "mtoken_event") == 0) return event;
    fprintf(stderr, "no recipe for %s in Tests/misuse/things.c\n", type);
    exit(2);
}

const void *sample(const char *type)
{
    static mtoken_host_store host;
    static mtoken_host_sealer sealer;
    host = plain_host_store();
    sealer = plain_host_sealer();
    if (strcmp(type, "mtoken_host_sealer") == 0) return &sealer;
    return strcmp(type, "mtoken_host_store") == 0 ? &host : NULL;
}

const char *known_text(const char *name, size_t *length)
{
    const char *found = NULL;
    if (strcmp(name, "$directory") == 0)
        found = directory;
    else if (strcmp(name, "$configuration") == 0)
        found = fresh.ground.bank->configuration;
    else if (strcmp(name, "$code") == 0)
        found = fresh.ground.bank->code_qr;
    else if (strcmp(name, "$qr") == 0)
        found = qr_text->data;
    else if (strcmp(name, "$pac") == 0)
        found = pac_text->data;
    else if (strcmp(name, "$push") == 0)
        found = "{\"messageType\":\"mtoken.operationInit\",\"operationId\":\"1\",\"operationName\":\"x\"}";
    else if (strcmp(name, "$callback") == 0) {
        const mtoken_oidc_authorization *asked = mtoken_oidc_request_get_authorization(fresh.handles[OIDC_REQUEST]);
        snprintf(callback, sizeof callback, "mtoken://oidc?code=x&state=%s", asked ? asked->state : "");
        found = callback;
    } else if (strcmp(name, "$private_key") == 0)
        return *length = private_key->length, (const char *)private_key->data;
    else if (strcmp(name, "$public_key") == 0)
        return *length = public_key->length, (const char *)public_key->data;
    if (!found) {
        fprintf(stderr, "no recipe for %s in Tests/misuse/things.c\n", name);
        exit(2);
    }
    *length = strlen(found);
    return found;
}
