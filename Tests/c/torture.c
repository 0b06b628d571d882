/*
 * The torture loop: a scenario is run over and over, and each time another call to the world outside fails - the first, the
 * second, ... of the store, the network, the randomness - once, or from there on for ever. After each run: a defined error,
 * no handle left, no counter value used twice, and a client that does its work as soon as the world is whole again.
 */
#include "world.h"

#include <openssl/crypto.h>

enum step { ACTIVATE, PERSIST, SIGN, SIGN_OFFLINE, STATUS, LIST, AUTHORIZE, REJECT, TOKEN, REMOVE_TOKEN, VALIDATE,
            CHANGE_PIN, SIGN_AGAIN, ADD_BIOMETRY, SIGN_BIOMETRY, EXTERNAL_KEY, REMOVE, STEPS };

static const char *const step_names[STEPS] = {"activate", "persist", "sign",   "sign offline", "status",
                                              "list",     "approve", "reject", "token",        "remove token", "validate PIN",
                                              "change PIN", "sign again", "add biometry", "sign with biometry",
                                              "external key", "remove"};

static const uint8_t BIOMETRY[16] = "biometry of 16 b", EXTERNAL[16] = "external key 16b";

/* The PIN that the scenario changes to and, when it runs again, back. */
static const char *other_pin(const world *world)
{
    return memcmp(world->pin.pin.data, PIN, world->pin.pin.length) == 0 ? "135790" : PIN;
}

/* Signs with these factors; what is given out must be accepted. */
static mtoken_status sign(world *world, const mtoken_auth *auth, mtoken_error **error)
{
    mtoken_header *header = NULL;
    mtoken_status status =
        mtoken_client_sign(world->client, "POST", 4, "/x", 2, (const uint8_t *)"b", 1, auth, &header, error);
    CHECK((header != NULL) == (status == MTOKEN_OK));
    if (header)
        CHECK(bank_accepts(world->bank, header->value, "POST", "/x", "b", 1, NULL));
    mtoken_header_free(header);
    return status;
}

/* Waits for a task that may not even have been made. */
static mtoken_status finish(world *world, mtoken_status started, mtoken_task *const *task)
{
    return started == MTOKEN_OK ? bank_finish_free(world->bank, *task) : started;
}

static mtoken_status take(world *world, enum step step, mtoken_error **error)
{
    mtoken_activation_options options = MTOKEN_ACTIVATION_OPTIONS_INIT;
    mtoken_task *task = NULL;
    mtoken_string *code = NULL;
    mtoken_auth biometry = MTOKEN_AUTH_INIT;
    const char *pin;
    const uint8_t nonce[16] = {7};
    mtoken_status status = MTOKEN_OK;
    mtoken_client *client = world->client;
    switch (step) {
    case ACTIVATE:
        options.code = text(world->bank->code_qr);
        return finish(world, mtoken_client_activate(client, &options, &task, error), &task);
    case PERSIST: return mtoken_client_persist(client, &world->pin, error);
    case SIGN:
    case SIGN_AGAIN: return sign(world, &world->pin, error);
    case SIGN_OFFLINE:
        status = mtoken_client_sign_offline(client, "/y", 2, (const uint8_t *)"b", 1, nonce, 16, &world->pin, 0, &code, error);
        CHECK((code != NULL) == (status == MTOKEN_OK));
        if (code)
            CHECK(bank_accepts_offline(world->bank, code->text, "/y", "b", 1, nonce, false));
        mtoken_string_free(code);
        return status;
    case STATUS: return finish(world, mtoken_client_fetch_status(client, &task, error), &task);
    case LIST: return finish(world, mtoken_operations_list(client, &task, error), &task);
    case AUTHORIZE:
        return finish(world, mtoken_operations_authorize_data(client, "1", 1, "A1", 2, &world->pin, NULL, &task, error), &task);
    case REJECT:
        return finish(world, mtoken_operations_reject(client, "2", 1, "UNKNOWN", 7, NULL, 0, &task, error), &task);
    case TOKEN: return finish(world, mtoken_client_create_token(client, "t", 1, &world->pin, &task, error), &task);
    case REMOVE_TOKEN: return finish(world, mtoken_client_remove_token(client, "t", 1, &task, error), &task);
    case VALIDATE:
        return finish(world, mtoken_client_validate_pin(client, world->pin.pin.data, world->pin.pin.length, &task, error),
                      &task);
    case CHANGE_PIN:
        pin = other_pin(world);
        status = finish(world,
                        mtoken_client_change_pin(client, world->pin.pin.data, world->pin.pin.length, (const uint8_t *)pin,
                                                 strlen(pin), &task, error),
                        &task);
        if (status == MTOKEN_OK)
            world->pin.pin = bytes(pin);
        return status;
    case ADD_BIOMETRY:
        return finish(world, mtoken_client_add_biometry(client, BIOMETRY, 16, "card", 4, &world->pin, &task, error), &task);
    case SIGN_BIOMETRY:
        biometry.biometry_key.data = BIOMETRY;
        biometry.biometry_key.length = 16;
        biometry.authenticator = text("card");
        return sign(world, &biometry, error);
    case EXTERNAL_KEY:
        if ((status = mtoken_client_add_external_key(client, EXTERNAL, 16, error)) != MTOKEN_OK ||
            (status = sign(world, &world->pin, error)) != MTOKEN_OK)
            return status;
        return mtoken_client_remove_external_key(client, error);
    case REMOVE: return finish(world, mtoken_client_remove(client, &world->pin, &task, error), &task);
    case STEPS: break;
    }
    return MTOKEN_ERROR_INTERNAL;
}

/* What fails. */
enum victim { STORE_BEFORE, STORE_TORN, STORE_AFTER, NETWORK_BEFORE, NETWORK_AFTER, RANDOMNESS, MEMORY, VICTIMS };

static const char *const victim_names[VICTIMS] = {"store, nothing done", "store, torn",      "store, done",
                                                  "network, not sent",   "network, sent",    "randomness",
                                                  "memory of libcrypto and Jansson"};

/*
 * The memory of the C libraries below: OpenSSL and Jansson take theirs from here. Swift's own cannot fail: a process for which
 * malloc fails there ends. Nothing of the bank's fails.
 */
static size_t memory_left; /* 0: nothing fails */
static bool memory_forever;

static bool no_memory(void)
{
    if (bank_at_work || memory_left == 0 || (memory_left > 1 && --memory_left > 0))
        return false;
    if (!memory_forever)
        memory_left = 0;
    return true;
}

static void *crypto_malloc(size_t size, const char *file, int line)
{
    (void)file;
    (void)line;
    return no_memory() ? NULL : malloc(size);
}

static void *crypto_realloc(void *memory, size_t size, const char *file, int line)
{
    (void)file;
    (void)line;
    return no_memory() ? NULL : realloc(memory, size);
}

static void crypto_free(void *memory, const char *file, int line)
{
    (void)file;
    (void)line;
    free(memory);
}

static void *json_malloc(size_t size) { return no_memory() ? NULL : malloc(size); }


static bool may_fail_with(enum victim victim, mtoken_status status)
{
    switch (victim) {
    case STORE_BEFORE:
    case STORE_TORN:
    case STORE_AFTER: return status == MTOKEN_ERROR_STORAGE;
    case NETWORK_BEFORE:
    case NETWORK_AFTER: return status == MTOKEN_ERROR_NETWORK;
    case MEMORY: /* wherever it hurt: an answer or a key that cannot be read for want of memory looks like a wrong one */
        return status == MTOKEN_ERROR_INTERNAL || status == MTOKEN_ERROR_SIGNATURE || status == MTOKEN_ERROR_PROTOCOL ||
               status == MTOKEN_ERROR_DECRYPTION || status == MTOKEN_ERROR_TAMPERED || status == MTOKEN_ERROR_STORAGE;
    default: return status == MTOKEN_ERROR_INTERNAL;
    }
}

/* The network fails after the server has answered, from request `left` on. */
typedef struct cut {
    size_t left;
    bool forever;
} cut;

static void cut_off(bank *bank, const mtoken_testing_request *request, mtoken_testing_answer *answer)
{
    cut *cut = bank->context;
    (void)request;
    if (cut->left == 0 || (cut->left > 1 && --cut->left > 0))
        return;
    if (!cut->forever)
        cut->left = 0;
    answer->failure = MTOKEN_TESTING_FAILURE_CONNECTION_LOST;
    answer->sent = 1;
}

static void begin_failing(world *world, enum victim victim, size_t nth, bool forever, cut *cut)
{
    mtoken_testing_answer lost = MTOKEN_TESTING_ANSWER_INIT;
    size_t next = mtoken_testing_request_count(world->runtime);
    switch (victim) {
    case STORE_BEFORE:
    case STORE_TORN:
    case STORE_AFTER:
        CHECK_OK(mtoken_testing_store_fail(world->store, MTOKEN_TESTING_ALL_CALLS, nth, forever,
                                           MTOKEN_TESTING_FAIL_BEFORE + (int32_t)(victim - STORE_BEFORE), NULL));
        break;
    case NETWORK_BEFORE:
        lost.failure = MTOKEN_TESTING_FAILURE_CONNECTION_LOST;
        for (size_t i = 0; i < (forever ? 64u : 1u); i++)
            CHECK_OK(mtoken_testing_request_answer(world->runtime, next + nth - 1 + i, &lost, NULL));
        break;
    case NETWORK_AFTER:
        cut->left = nth;
        cut->forever = forever;
        world->bank->spoil = cut_off;
        world->bank->context = cut;
        break;
    case MEMORY:
        memory_left = nth;
        memory_forever = forever;
        break;
    default: CHECK_OK(mtoken_testing_random_fail(world->runtime, nth, forever, NULL));
    }
}

/* The world is whole again. A runtime whose network was scripted to fail for long is left behind with a restart. */
static bool end_failing(world *world, enum victim victim, bool restart)
{
    CHECK_OK(mtoken_testing_store_fail(world->store, MTOKEN_TESTING_ALL_CALLS, 0, 0, 0, NULL));
    CHECK_OK(mtoken_testing_random_fail(world->runtime, 0, 0, NULL));
    memory_left = 0;
    world->bank->spoil = NULL;
    if (!restart)
        return true;
    mtoken_status status = world_restart(world);
    if (victim == STORE_TORN && status == MTOKEN_ERROR_TAMPERED) /* what such a store leaves behind is refused */
        return false;
    return CHECK_OK(status);
}

/* Whether the PIN was changed after all by a call that failed: what a store reports as failed it may have done. */
static void find_pin(world *world)
{
    mtoken_header *header = NULL;
    mtoken_client_set_external_key(world->client, EXTERNAL, 16, NULL); /* the same holds for the external key */
    if (CHECK_OK(mtoken_client_sign(world->client, "POST", 4, "/x", 2, NULL, 0, &world->pin, &header, NULL)) &&
        !bank_accepts(world->bank, header->value, "POST", "/x", NULL, 0, NULL))
        world->pin.pin = bytes(other_pin(world));
    mtoken_header_free(header);
}

/* All that the client is for, in a whole world. `struck`: the step that had failed. */
static void works(world *world, enum step struck)
{
    bank *bank = world->bank;
    mtoken_error *error = NULL;
    if (bank->state == MTOKEN_ACTIVATION_REMOVED && world_state(world) == MTOKEN_CLIENT_ACTIVE) { /* only the server knows */
        CHECK_OK(take(world, STATUS, &error));
        CHECK_OK(mtoken_client_remove_local(world->client, NULL));
    } else if (world_state(world) == MTOKEN_CLIENT_ACTIVE && struck >= CHANGE_PIN) {
        find_pin(world);
    }
    size_t index;
    json_t *operation;
    json_array_foreach(bank->operations, index, operation) json_object_set_new(operation, "status", json_string("PENDING"));
    int32_t state = world_state(world);
    if (state == MTOKEN_CLIENT_EMPTY) {
        if (bank->state != MTOKEN_ACTIVATION_CREATED) { /* the server has it, its answer was lost: the bank makes a new one */
            bank_start_over(bank);
        }
        CHECK_OK(take(world, ACTIVATE, &error));
        state = world_state(world);
    }
    if (state == MTOKEN_CLIENT_PENDING)
        CHECK_OK(take(world, PERSIST, &error));
    for (enum step step = SIGN; step < TOKEN; step++)
        if (!CHECK_OK(take(world, step, &error)))
            note("when all is well again: %s", step_names[step]);
    mtoken_error_free(error);
}

/* One run. False when nothing failed: the scenario makes fewer calls than that. */
static bool run(enum victim victim, size_t nth, bool forever, bool restart)
{
    world world = world_open();
    cut cut = {0, false};
    mtoken_error *error = NULL;
    bool struck = false, good = true;
    enum step at = ACTIVATE;
    bank_operation(world.bank, "1", "A1");
    bank_operation(world.bank, "2", "A1");
    begin_failing(&world, victim, nth, forever, &cut);
    for (enum step step = ACTIVATE; step < STEPS && !struck; step++) {
        mtoken_status status = take(&world, step, &error);
        struck = status != MTOKEN_OK;
        at = step;
        if (struck && !(good = CHECK(may_fail_with(victim, status))))
            note("%s gives %s", step_names[step], mtoken_error_name(status));
        mtoken_error_free(error);
        error = NULL;
    }
    if (!struck)
        memory_left = 0; /* what this run did not come to must not fail a later one */
    if (struck) {
        if (end_failing(&world, victim, restart || (victim == NETWORK_BEFORE && forever)))
            works(&world, at);
        good &= CHECK_INT(world.bank->reused, 0) & CHECK_INT(world.bank->unknown, 0);
    }
    if (!good)
        note("%s: call %zu%s%s", victim_names[victim], nth, forever ? " and all after it" : "", restart ? ", restarted" : "");
    world_close(&world);
    return struck;
}

static void torture(enum victim first, enum victim last)
{
    size_t step = under_valgrind() ? 11 : 1;
    for (enum victim victim = first; victim <= last; victim++) {
        size_t runs = 0, calls = 0;
        for (int variant = 0; variant < 4; variant++) {
            size_t nth = 1 + (size_t)variant % step;
            while (run(victim, nth, variant & 1, variant & 2)) {
                nth += step;
                runs++;
            }
            calls = nth - 1 > calls ? nth - 1 : calls;
        }
        note("%s: %zu runs, about %zu calls each", victim_names[victim], runs, calls);
        CHECK(calls > 3);
    }
}

static void store_fails(void) { torture(STORE_BEFORE, STORE_AFTER); }
static void network_fails(void) { torture(NETWORK_BEFORE, NETWORK_AFTER); }
/*
 * A run makes some 120,000 allocations, most of them for curve points. The first ones are failed each, the others in steps
 * that differ from variant to variant.
 */
static void memory_fails(void)
{
    size_t runs = 0;
    for (int variant = 0; variant < (under_valgrind() ? 1 : 4); variant++) {
        size_t nth = 1;
        while (run(MEMORY, nth, variant & 1, variant & 2)) {
            nth += under_valgrind() ? 9001 : nth < 10 ? 1 : nth < 1000 ? 97 + (size_t)variant : 8009 + 1000 * (size_t)variant;
            runs++;
        }
    }
    note("%s: %zu runs", victim_names[MEMORY], runs);
    CHECK(runs > 10);
}

static void randomness_fails(void) { torture(RANDOMNESS, RANDOMNESS); }

/* The same scenario many times over: memory does not grow. */
static void nothing_piles_up(void)
{
    size_t before = 0;
    enum { ROUNDS = 60 };
    for (int round = 0; round < ROUNDS; round++) {
        world world = world_open();
        mtoken_error *error = NULL;
        bank_operation(world.bank, "1", "A1");
        bank_operation(world.bank, "2", "A1");
        for (enum step step = ACTIVATE; step < STEPS; step++)
            CHECK_OK(take(&world, step, &error));
        world_close(&world);
        if (round == ROUNDS / 3)
            before = memory_in_use();
    }
    size_t after = memory_in_use();
    if (!under_valgrind() && !CHECK(after < before + 4096))
        note("%zu bytes more after %d rounds", after - before, ROUNDS - ROUNDS / 3);
}

static const test tests[] = {
    {"the store fails", store_fails},
    {"the network fails", network_fails},
    {"randomness fails", randomness_fails},
    {"memory of the C libraries fails", memory_fails},
    {"nothing piles up", nothing_piles_up},
};

int main(int argc, char **argv)
{
    after_each = no_handles_left;
    if (!CRYPTO_set_mem_functions(crypto_malloc, crypto_realloc, crypto_free))
        return 2;
    json_set_alloc_funcs(json_malloc, free);
    return RUN(tests);
}
