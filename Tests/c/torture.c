/*
 * The torture loop: a scenario is run over and over, and each time another call to the world outside fails - the first,
 * the second, ... of the store, the network, the randomness, the memory - once, or from there on for ever. After each
 * run: a defined error, no handle and no block of memory left, no counter value used twice, and a client that does its
 * work as soon as the world is whole again.
 *
 * A scenario asks for memory some 120,000 times, mostly for numbers within one and the same computation. So not every
 * request fails but, in each step of the scenario, the first one of each call stack: of every way through the code that
 * leads to one. Each such run is a child of this process, which begins right before the step. `make test` takes a
 * sample of them, MTOKEN_FULL=1 all. There is no curl in this world: what it asks for is failed by nobody here.
 */
#define _GNU_SOURCE
#include "memory.h"
#include "world.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * A child of this process goes on with what it inherited as if it were the same: it is made without the handlers by
 * which the library learns of a fork, and with a kernel that wipes no memory in children.
 */
int madvise(void *memory, size_t size, int advice)
{
    if (advice != MADV_WIPEONFORK) return (int)syscall(SYS_madvise, memory, size, advice);
    errno = EINVAL;
    return -1;
}

static pid_t go_on_in_child(void) { return _Fork(); }

enum step {
    ACTIVATE,
    PERSIST,
    SIGN,
    SIGN_OFFLINE,
    STATUS,
    LIST,
    AUTHORIZE,
    REJECT,
    TOKEN,
    REMOVE_TOKEN,
    VALIDATE,
    CHANGE_PIN,
    SIGN_AGAIN,
    ADD_BIOMETRY,
    SIGN_BIOMETRY,
    REMOVE_BIOMETRY,
    EXTERNAL_KEY,
    REMOVE,
    STEPS
};

static const char *const step_names[STEPS] = {"activate",        "persist",      "sign",
                                              "sign offline",    "status",       "list",
                                              "approve",         "reject",       "token",
                                              "remove token",    "validate PIN", "change PIN",
                                              "sign again",      "add biometry", "sign with biometry",
                                              "remove biometry", "external key", "remove"};

static const uint8_t BIOMETRY[16] = "biometry of 16 b", EXTERNAL[16] = "external key 16b";

/* The PIN that the scenario changes to and, when it runs again, back. */
static const char *other_pin(const world *world)
{
    return memcmp(world->pin.pin.data, PIN, world->pin.pin.length) == 0 ? "135790" : PIN;
}

/* Signs with these factors; what is given out must be accepted, and the client is told that it was. */
static mtoken_status sign(world *world, const mtoken_auth *auth, mtoken_error **error)
{
    mtoken_header *header = NULL;
    mtoken_status status = brief_sign(world->client, "POST", "/x", bytes("b"), auth, &header, error);
    CHECK((header != NULL) == (status == MTOKEN_OK));
    if (header && CHECK(bank_accepts(world->bank, header->value, "POST", "/x", "b", 1, NULL)))
        CHECK_OK(mtoken_client_signature_accepted(world->client, NULL));
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
    mtoken_text *code = NULL;
    mtoken_auth biometry = MTOKEN_AUTH_INIT;
    const char *pin;
    const uint8_t nonce[16] = {7};
    mtoken_status status = MTOKEN_OK;
    mtoken_client *client = world->client;
    switch (step) {
    case ACTIVATE:
        options.code = text(world->bank->code_qr);
        return finish(world, mtoken_client_activate(client, &options, &task, error), &task);
    case PERSIST: /* which 4.0 confirms with the next status */
        if ((status = mtoken_client_persist(client, &world->pin, error)) != MTOKEN_OK || !world->bank->suite)
            return status;
        return finish(world, mtoken_client_fetch_status(client, &task, error), &task);
    case SIGN:
    case SIGN_AGAIN: return sign(world, &world->pin, error);
    case SIGN_OFFLINE:
        status = brief_sign_offline(client, "/y", bytes("b"), MTOKEN_BYTES(nonce, 16), &world->pin, 0, &code, error);
        CHECK((code != NULL) == (status == MTOKEN_OK));
        if (code) /* which the client learns from the status alone */
            CHECK(bank_accepts_offline(world->bank, code->data, "/y", "b", 1, nonce, false));
        mtoken_text_free(code);
        return status;
    case STATUS: return finish(world, mtoken_client_fetch_status(client, &task, error), &task);
    case LIST: return finish(world, mtoken_operations_list(client, &task, error), &task);
    case AUTHORIZE: return finish(world, brief_authorize(client, "1", "A1", &world->pin, NULL, &task, error), &task);
    case REJECT: return finish(world, brief_reject(client, "2", "UNKNOWN", NULL, &task, error), &task);
    case TOKEN: return finish(world, mtoken_token_create(client, "t", 1, &world->pin, &task, error), &task);
    case REMOVE_TOKEN: return finish(world, mtoken_token_remove(client, "t", 1, &task, error), &task);
    case VALIDATE:
        return finish(
            world, mtoken_client_validate_pin(client, world->pin.pin.data, world->pin.pin.length, &task, error), &task);
    case CHANGE_PIN:
        pin = other_pin(world);
        status = finish(world,
                        mtoken_client_change_pin(client, world->pin.pin.data, world->pin.pin.length,
                                                 (const uint8_t *)pin, strlen(pin), &task, error),
                        &task);
        if (status == MTOKEN_OK) world->pin.pin = bytes(pin);
        return status;
    case ADD_BIOMETRY:
        return finish(world, mtoken_client_add_biometry(client, BIOMETRY, 16, "card", 4, &world->pin, &task, error),
                      &task);
    case SIGN_BIOMETRY:
        biometry.biometry_key.data = BIOMETRY;
        biometry.biometry_key.length = 16;
        biometry.authenticator = text("card");
        return sign(world, &biometry, error);
    case REMOVE_BIOMETRY:
        status = finish(world, mtoken_client_remove_biometry(client, "card", 4, &task, error), &task);
        if (status == MTOKEN_OK) CHECK(!world->bank->four.biometry_on);
        return status;
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
enum victim {
    STORE_BEFORE,
    STORE_TORN,
    STORE_AFTER,
    NETWORK_BEFORE,
    NETWORK_ON_ITS_WAY,
    NETWORK_AFTER,
    RANDOMNESS,
    MEMORY,
    VICTIMS
};

static const char *const victim_names[VICTIMS] = {
    "store, nothing done", "store, torn",   "store, done", "network, not sent",
    "network, on its way", "network, sent", "randomness",  "memory of libcrypto and Jansson"};

/*
 * The memory of the C libraries below: OpenSSL and Jansson take theirs from here. Swift's own cannot fail: a process
 * for which malloc fails there ends. Nothing of the bank's fails.
 */
static size_t memory_left; /* 0: nothing fails */
static bool memory_forever;

/* The requests of a step: the number of the first one of each call stack. */
enum { STACKS = 1 << 15 };

typedef struct requests {
    size_t count, stacks;
    size_t blocks; /* that are in use after the step, when everything was given back */
    struct {
        uint64_t stack;
        size_t first;
    } table[STACKS]; /* by the last bits of the stack, or the next free place */
} requests;

static requests *written_down; /* NULL: they are not */

static void write_down(requests *requests)
{
    uint64_t stack = call_stack();
    size_t place = stack % STACKS;
    requests->count++;
    while (requests->table[place].first && requests->table[place].stack != stack) place = (place + 1) % STACKS;
    if (requests->table[place].first || !CHECK(requests->stacks < STACKS / 2)) return;
    requests->table[place].stack = stack;
    requests->table[place].first = requests->count;
    requests->stacks++;
}

static bool no_memory(void)
{
    if (bank_at_work) return false;
    if (written_down) write_down(written_down);
    if (memory_left == 0 || (memory_left > 1 && --memory_left > 0)) return false;
    if (!memory_forever) memory_left = 0;
    return true;
}

static bool may_fail_with(enum victim victim, mtoken_status status)
{
    switch (victim) {
    case STORE_BEFORE:
    case STORE_TORN:
    case STORE_AFTER: return status == MTOKEN_ERROR_STORAGE;
    case NETWORK_BEFORE:
    case NETWORK_ON_ITS_WAY:
    case NETWORK_AFTER: return status == MTOKEN_ERROR_NETWORK;
    case MEMORY: /* wherever it hurt: an answer or a key that cannot be read for want of memory looks like a wrong one
                  */
        return status == MTOKEN_ERROR_INTERNAL || status == MTOKEN_ERROR_SIGNATURE || status == MTOKEN_ERROR_PROTOCOL ||
               status == MTOKEN_ERROR_DECRYPTION || status == MTOKEN_ERROR_TAMPERED || status == MTOKEN_ERROR_STORAGE;
    default: return status == MTOKEN_ERROR_INTERNAL;
    }
}

/* The network fails from request `left` on: before it was sent, on its way to the server, or after the server has
 * answered. */
typedef struct cut {
    size_t left;
    bool forever, sent;
} cut;

static bool is_cut(cut *cut, mtoken_testing_answer *answer)
{
    if (cut->left == 0 || (cut->left > 1 && --cut->left > 0)) return false;
    if (!cut->forever) cut->left = 0;
    answer->failure = MTOKEN_TESTING_FAILURE_CONNECTION_LOST;
    answer->sent = cut->sent;
    return true;
}

static bool cut_off_before(bank *bank, const mtoken_testing_request *request, mtoken_testing_answer *answer)
{
    (void)request;
    return is_cut(bank->context, answer);
}

static void cut_off_after(bank *bank, const mtoken_testing_request *request, mtoken_testing_answer *answer)
{
    (void)request;
    is_cut(bank->context, answer);
}

static void begin_failing(world *world, enum victim victim, size_t nth, bool forever, cut *cut)
{
    switch (victim) {
    case STORE_BEFORE:
    case STORE_TORN:
    case STORE_AFTER:
        CHECK_OK(mtoken_testing_store_fail(world->store, MTOKEN_TESTING_ALL_CALLS, nth, forever,
                                           MTOKEN_TESTING_FAIL_BEFORE + (int32_t)(victim - STORE_BEFORE), NULL));
        break;
    case NETWORK_BEFORE:
    case NETWORK_ON_ITS_WAY:
    case NETWORK_AFTER:
        cut->left = nth;
        cut->forever = forever;
        cut->sent = victim != NETWORK_BEFORE;
        if (victim == NETWORK_AFTER)
            world->bank->spoil = cut_off_after;
        else
            world->bank->intercept = cut_off_before;
        world->bank->context = cut;
        break;
    case MEMORY:
        memory_left = nth;
        memory_forever = forever;
        break;
    default: CHECK_OK(mtoken_testing_random_fail(world->runtime, nth, forever, NULL));
    }
}

/* The world is whole again. */
static bool end_failing(world *world, enum victim victim, bool restart)
{
    CHECK_OK(mtoken_testing_store_fail(world->store, MTOKEN_TESTING_ALL_CALLS, 0, 0, 0, NULL));
    CHECK_OK(mtoken_testing_random_fail(world->runtime, 0, 0, NULL));
    memory_left = 0;
    world->bank->spoil = NULL;
    world->bank->intercept = NULL;
    if (!restart) return true;
    mtoken_status status = world_restart(world);
    if (victim == STORE_TORN && status == MTOKEN_ERROR_TAMPERED) /* what such a store leaves behind is refused */
        return false;
    return CHECK_OK(status);
}

/* Whether the PIN was changed after all by a call that failed: what a store reports as failed it may have done. */
static void find_pin(world *world)
{
    mtoken_header *header = NULL;
    mtoken_client_info *info = NULL;
    CHECK_KNOWN(
        mtoken_client_set_external_key(world->client, EXTERNAL, 16, NULL)); /* the same holds for the external key */
    if (!CHECK_OK(mtoken_client_get_info(world->client, &info, NULL))) return;
    bool is_new = info->awaits_new_pin;
    mtoken_client_info_free(info);
    if (is_new) { /* the server has a new key, and no code of it */
        world->pin.pin = bytes(other_pin(world));
        return;
    }
    if (CHECK_OK(brief_sign(world->client, "POST", "/x", bytes(NULL), &world->pin, &header, NULL)) &&
        !bank_accepts(world->bank, header->value, "POST", "/x", NULL, 0, NULL))
        world->pin.pin = bytes(other_pin(world));
    mtoken_header_free(header);
}

/* All that the client is for, in a whole world. `struck`: the step that had failed. */
static void works(world *world, enum step struck)
{
    bank *bank = world->bank;
    mtoken_error *error = NULL;
    if (bank->state == MTOKEN_ACTIVATION_REMOVED &&
        world_state(world) == MTOKEN_CLIENT_ACTIVE) { /* only the server knows */
        CHECK_OK(take(world, STATUS, &error));
        CHECK_OK(mtoken_client_remove_local(world->client, NULL));
    } else if (world_state(world) == MTOKEN_CLIENT_ACTIVE && struck >= CHANGE_PIN) {
        find_pin(world);
    }
    size_t index;
    json_t *operation;
    json_array_foreach(bank->operations, index, operation)
        json_object_set_new(operation, "status", json_string("PENDING"));
    int32_t state = world_state(world);
    if (state == MTOKEN_CLIENT_EMPTY) {
        if (bank->state !=
            MTOKEN_ACTIVATION_CREATED) { /* the server has it, its answer was lost: the bank makes a new one */
            bank_start_over(bank);
        }
        CHECK_OK(take(world, ACTIVATE, &error));
        state = world_state(world);
    }
    if (state == MTOKEN_CLIENT_PENDING) CHECK_OK(take(world, PERSIST, &error));
    CHECK(world_settles(world));
    CHECK(world_validates(world)); /* the library's own next signature is accepted, whatever is open */
    for (enum step step = SIGN; step < TOKEN; step++)
        if (!CHECK_OK(take(world, step, &error))) note("when all is well again: %s", step_names[step]);
    mtoken_error_free(error);
}

/* A host that just goes on trying while the world stays broken: it gets errors, and the activation takes no harm. */
static bool tries_on(world *world, enum victim victim)
{
    mtoken_error *error = NULL;
    bool good = true;
    for (int i = 0; i < 25 && good; i++) {
        enum step step = i % 5 ? REJECT : LIST;
        mtoken_status status = take(world, step, &error);
        /* With its token a list stores nothing. */
        if (!(step == LIST && victim <= STORE_AFTER && status == MTOKEN_OK) &&
            !(good = CHECK(may_fail_with(victim, status))))
            note("%s, try %d, gives %s", step_names[step], i, mtoken_error_name(status));
        mtoken_error_free(error);
        error = NULL;
    }
    return good & CHECK(victim == NETWORK_ON_ITS_WAY || victim == NETWORK_AFTER || world_open_signatures(world) <= 1);
}

/* The scenario from a step on, with a fault that has begun. Whether it struck, and what it left behind works. */
static bool rest(world *world, enum step at, enum victim victim, bool forever, bool restart, bool *good)
{
    mtoken_error *error = NULL;
    bool struck = false;
    for (enum step step = at; step < STEPS && !struck; step++) {
        int64_t open = world_open_signatures(world);
        mtoken_status status = take(world, step, &error);
        struck = status != MTOKEN_OK;
        at = step;
        if (struck && !(*good = CHECK(may_fail_with(victim, status))))
            note("%s gives %s", step_names[step], mtoken_error_name(status));
        if (struck && victim == NETWORK_BEFORE) /* what was not sent costs no counter */
            *good &= CHECK(world_open_signatures(world) <= open);
        mtoken_error_free(error);
        error = NULL;
    }
    if (struck && forever && victim != MEMORY && world_state(world) == MTOKEN_CLIENT_ACTIVE)
        *good &= tries_on(world, victim);
    memory_left = 0; /* what this run did not come to must not fail a later one */
    if (struck && end_failing(world, victim, restart)) works(world, at);
    *good &= CHECK_INT(world->bank->reused, 0) & CHECK_INT(world->bank->unknown, 0);
    return struck;
}

static world world_with_operations(void)
{
    world world = world_open();
    bank_operation(world.bank, "1", "A1");
    bank_operation(world.bank, "2", "A1");
    return world;
}

/* One run. False when nothing failed: the scenario makes fewer calls than that. `left`: the blocks of memory that it
 * leaves. */
static bool run_once(enum victim victim, size_t nth, bool forever, bool restart, size_t *left)
{
    cut cut = {0, false, false};
    bool good = true;
    size_t blocks = memory_blocks();
    world world = world_with_operations();
    begin_failing(&world, victim, nth, forever, &cut);
    bool struck = rest(&world, ACTIVATE, victim, forever, restart, &good);
    world_close(&world);
    *left = memory_blocks() > blocks ? memory_blocks() - blocks : 0;
    if (!good)
        note("%s: call %zu%s%s", victim_names[victim], nth, forever ? " and all after it" : "",
             restart ? ", restarted" : "");
    return struck;
}

/* The same, without a leak: what one run leaves behind, a table that is made when it is first needed, no second one
 * does. */
static bool run(enum victim victim, size_t nth, bool forever, bool restart)
{
    size_t left;
    bool struck = run_once(victim, nth, forever, restart, &left);
    if (left > 0 && run_once(victim, nth, forever, restart, &left) && !CHECK_INT(left, 0))
        note("%s: call %zu%s%s: memory is left", victim_names[victim], nth, forever ? " and all after it" : "",
             restart ? ", restarted" : "");
    return struck;
}

/* Once through all of it, well and with a fault, so that what the libraries make once and keep is there. */
static void rehearse(void)
{
    static bool done;
    cut cut = {0, false, false};
    bool good = true;
    for (size_t nth = 0; nth <= 500 && !done; nth += 500) {
        world world = world_with_operations();
        begin_failing(&world, MEMORY, nth, false, &cut);
        rest(&world, ACTIVATE, MEMORY, false, true, &good);
        CHECK_OK(world_restart(&world));
        if (world_state(&world) == MTOKEN_CLIENT_EMPTY) bank_start_over(world.bank);
        works(&world, ACTIVATE);
        world_close(&world);
        no_handles_left();
    }
    done = true;
}

static void torture(enum victim first, enum victim last)
{
    size_t step = sampled(bank_speaks_4() ? 7 : 3, 11); /* the keys of 4.0 take their time */
    rehearse();
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
/* In a child of this process, which begins where this one is: a step, and what memory it asks for. */
static void write_step_down(world *world, enum step step, requests *requests)
{
    written_down = requests;
    CHECK_OK(take(world, step, NULL));
    written_down = NULL;
    world_close(world);
    OPENSSL_thread_stop(); /* which keeps memory for errors */
    requests->blocks = memory_blocks();
}

/* The same: the rest of the scenario, with memory that fails. */
static void fail_step(world *world, enum step step, size_t nth, int variant, const requests *requests)
{
    cut cut = {0, false, false};
    bool good = true;
    int failed = checks_failed();
    size_t blocks = requests->blocks;
    begin_failing(world, MEMORY, nth, variant & 1, &cut);
    rest(world, step, MEMORY, variant & 1, variant & 2, &good);
    world_close(world);
    no_handles_left();
    OPENSSL_thread_stop();
    if (!CHECK(memory_blocks() <= blocks)) note("%zu blocks of memory are left", memory_blocks() - blocks);
    if (checks_failed() > failed)
        note("%s: request %zu%s%s", step_names[step], nth, variant & 1 ? " and all after it" : "",
             variant & 2 ? ", restarted" : "");
}

/* Either of them in a child. `nth`: 0: the first. */
static bool in_child(world *world, enum step step, size_t nth, int variant, requests *requests)
{
    int status = 0, failed = checks_failed();
    fflush(stdout);
    pid_t child = go_on_in_child();
    if (child == 0) {
        if (nth)
            fail_step(world, step, nth, variant, requests);
        else
            write_step_down(world, step, requests);
        fflush(stdout);
        _exit(checks_failed() == failed ? 0 : 1);
    }
    return CHECK(child > 0) && CHECK_INT(waitpid(child, &status, 0), child) && CHECK_INT(status, 0);
}

static void memory_fails(void)
{
    size_t every = sampled(bank_speaks_4() ? 331 : 83, 997), runs = 0, stacks = 0, count = 0, number = 0;
    if (getenv("MTOKEN_CARRIED")) {
        note("not run: libcrypto and Jansson are inside the library, where nothing can refuse them memory");
        return;
    }
    requests *requests = mmap(NULL, sizeof *requests, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (!CHECK(requests != MAP_FAILED)) return;
    rehearse();
    world world = world_with_operations();
    for (enum step step = ACTIVATE; step < STEPS; step++) {
        memset(requests, 0, sizeof *requests);
        if (!in_child(&world, step, 0, 0, requests)) break;
        for (size_t i = 0; i < STACKS; i++)
            for (int variant = 0; variant < 4 && requests->table[i].first; variant++)
                if (++number % every == 0) {
                    in_child(&world, step, requests->table[i].first, variant, requests);
                    runs++;
                }
        stacks += requests->stacks;
        count += requests->count;
        CHECK_OK(take(&world, step, NULL));
    }
    world_close(&world);
    munmap(requests, sizeof *requests);
    note("%s: %zu runs for %zu call stacks, of %zu requests in all", victim_names[MEMORY], runs, stacks, count);
    CHECK(runs > 10);
}

static void randomness_fails(void) { torture(RANDOMNESS, RANDOMNESS); }

/* The same scenario many times over: memory does not grow. */
static void nothing_piles_up(void)
{
    size_t before = 0;
    enum { ROUNDS = 30 };
    for (int round = 0; round < ROUNDS; round++) {
        world world = world_with_operations();
        mtoken_error *error = NULL;
        for (enum step step = ACTIVATE; step < STEPS; step++) CHECK_OK(take(&world, step, &error));
        world_close(&world);
        if (round == ROUNDS / 3) before = memory_bytes();
    }
    size_t after = memory_bytes();
    if (!under_valgrind() && !CHECK(after <= before))
        note("%zu bytes more after %d rounds", after - before, ROUNDS - ROUNDS / 3);
}

static const test tests[] = {
    {"the store fails", store_fails},       {"the network fails", network_fails},
    {"randomness fails", randomness_fails}, {"memory of the C libraries fails", memory_fails},
    {"nothing piles up", nothing_piles_up},
};

int main(int argc, char **argv)
{
    after_each = no_handles_left;
    memory_of_c_libraries(no_memory);
    return RUN(tests);
}
