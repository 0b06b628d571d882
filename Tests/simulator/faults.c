#include "simulator.h"

#include <sys/wait.h>
#include <unistd.h>

static void fail(mtoken_testing_answer *answer, mtoken_testing_failure failure, bool sent)
{
    answer->failure = failure;
    answer->sent = sent;
}

/* In the place of what the answer held. */
static void page(mtoken_testing_answer *answer, int status, const char *type, const char *body)
{
    free((void *)(uintptr_t)answer->body.data);
    answer->status = status;
    answer->headers = text(type);
    answer->body = bytes(strdup(body));
}

#define HTML "Content-Type: text/html\n"
#define JSON "Content-Type: application/json\n"

static void unreachable(life *life, const mtoken_testing_request *request, mtoken_testing_answer *answer)
{
    static const mtoken_testing_failure failures[] = {
        MTOKEN_TESTING_FAILURE_NOT_CONNECTED, MTOKEN_TESTING_FAILURE_HOST_NOT_FOUND,
        MTOKEN_TESTING_FAILURE_CONNECTION_REFUSED, MTOKEN_TESTING_FAILURE_CERTIFICATE};
    (void)request;
    fail(answer, failures[below(&life->requests, 4)], false);
}

static void lost(life *life, const mtoken_testing_request *request, mtoken_testing_answer *answer)
{
    static const mtoken_testing_failure failures[] = {
        MTOKEN_TESTING_FAILURE_CONNECTION_LOST, MTOKEN_TESTING_FAILURE_TIMEOUT, MTOKEN_TESTING_FAILURE_BAD_RESPONSE};
    (void)request;
    fail(answer, failures[below(&life->requests, 3)], true);
}

static void gateway(life *life, const mtoken_testing_request *request, mtoken_testing_answer *answer)
{
    static const int statuses[] = {200, 302, 403, 404, 408, 429, 500, 502, 503, 504};
    (void)request;
    page(answer, statuses[below(&life->requests, 10)], HTML, "<html><body>It does not work.</body></html>");
}

/* A living front end before a back end that is down (released-servers.md). */
static void no_back_end(life *life, const mtoken_testing_request *request, mtoken_testing_answer *answer)
{
    bool is_four = life->world.bank->suite != NULL;
    if (is_to(request, PATH_STATUS))
        page(answer, 400, JSON,
             "{\"status\":\"ERROR\",\"responseObject\":{\"code\":\"ERR_ACTIVATION\",\"message\":\"back end\"}}");
    else if (header_of(request, "X-PowerAuth-Authorization") || header_of(request, "X-PowerAuth-Token"))
        page(answer, 401, JSON,
             is_four ? "{\"status\":\"ERROR\",\"responseObject\":{\"code\":\"ERR_AUTHENTICATION\",\"message\":\"\"}}"
                     : "{\"status\":\"ERROR\",\"responseObject\":{\"code\":\"POWERAUTH_AUTH_FAIL\",\"message\":\"\"}}");
    else
        page(answer, 500, JSON,
             "{\"status\":\"ERROR\",\"responseObject\":{\"code\":\"ERROR_GENERIC\",\"message\":\"back end\"}}");
}

static void cut(life *life, const mtoken_testing_request *request, mtoken_testing_answer *answer)
{
    (void)request;
    answer->body.length = below(&life->requests, (uint32_t)answer->body.length + 1);
}

static uint32_t crc32_of(const uint8_t *bytes, size_t size)
{
    uint32_t crc = ~0u;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
    }
    return ~crc;
}

static uint8_t *put_little(uint8_t *at, uint32_t number, int bytes)
{
    for (int i = 0; i < bytes; i++) *at++ = (uint8_t)(number >> 8 * i);
    return at;
}

/* By a gateway, with gzip (RFC 1952), in blocks that hold the bytes as they are. */
void packed(life *life, const mtoken_testing_request *request, mtoken_testing_answer *answer)
{
    const uint8_t *body = answer->body.data;
    size_t size = answer->body.length, left = size, limit = 1 + below(&life->requests, 0xFFFF);
    uint8_t *packed = malloc(18 + size + 5 * (size / limit + 1)), *end = packed;
    (void)request;
    memcpy(end, "\x1f\x8b\x08\0\0\0\0\0\0\xff", 10);
    end += 10;
    do {
        uint32_t part = (uint32_t)(left < limit ? left : limit);
        *end++ = part == left; /* the last one */
        end = put_little(put_little(end, part, 2), ~part, 2);
        memcpy(end, body + size - left, part);
        end += part;
        left -= part;
    } while (left > 0);
    end = put_little(put_little(end, crc32_of(body, size), 4), (uint32_t)size, 4);
    free((void *)(uintptr_t)body);
    answer->headers = text("Content-Type: application/json\nContent-Encoding: gzip\n");
    answer->body = MTOKEN_BYTES(packed, (size_t)(end - packed));
}

static void late(life *life, const mtoken_testing_request *request, mtoken_testing_answer *answer)
{
    (void)request;
    answer->delay_ms = 1 + below(&life->requests, 40000);
}

/* Unsigned: a copy of a signed one costs an attempt, which is why nobody but an attacker makes one. */
static void doubled(life *life, const mtoken_testing_request *request, mtoken_testing_answer *answer)
{
    if (bank_uri_id(request)) return;
    bank_answer second =
        is_neighbours(request) ? neighbour_answer(life, request) : bank_respond(life->world.bank, request);
    page(answer, second.status, JSON, second.body);
    free(second.body);
}

/* Puts something else into one place of a document, or takes it out. */
static void falsify(stream *stream, json_t *place)
{
    json_t *const values[] = {json_null(),   json_true(),  json_integer(-1), json_integer(0), json_integer(INT64_MAX),
                              json_real(.5), json_array(), json_object(),    json_string(""), json_string("x")};
    size_t count = json_is_object(place) ? json_object_size(place) : json_array_size(place);
    size_t kinds = sizeof values / sizeof values[0], chosen = below(stream, (uint32_t)kinds + 1);
    uint32_t at = below(stream, (uint32_t)count);
    void *member = json_object_iter(place);
    for (uint32_t i = 0; i < at && member; i++) member = json_object_iter_next(place, member);
    json_t *deeper = member ? json_object_iter_value(member) : json_array_get(place, at);
    if (deeper && (json_object_size(deeper) || json_array_size(deeper)) && percent(stream, 80))
        falsify(stream, deeper);
    else if (member && chosen == kinds)
        json_object_del(place, json_object_iter_key(member));
    else if (member)
        json_object_iter_set(place, member, values[chosen]);
    else if (deeper)
        json_array_set(place, at, values[chosen % kinds]);
    for (size_t i = 0; i < kinds; i++) json_decref(values[i]);
}

/* A text of JSON with a lie in it; NULL: it is none. */
static char *lie(bank *bank, stream *stream, const void *text, size_t size)
{
    json_t *document = json_loadb(text, size, 0, NULL);
    if (!document) return NULL;
    falsify(stream, document);
    bank->untimely = -1000000; /* it may have been a lie about the time */
    ((life *)bank->context)->may_seem_behind = true;
    char *other = json_dumps(document, JSON_COMPACT);
    json_decref(document);
    return other;
}

static void lie_outside(life *life, const mtoken_testing_request *request, mtoken_testing_answer *answer)
{
    (void)request;
    char *other = lie(life->world.bank, &life->requests, answer->body.data, answer->body.length);
    if (!other) return;
    free((void *)(uintptr_t)answer->body.data);
    answer->body = bytes(other);
}

/* An activation that begins with a lie is none. */
static char *lie_once(bank *bank, const char *purpose, const char *plain)
{
    life *life = bank->context;
    bank->rewrite = NULL;
    if (life->calm || strcmp(purpose, "/pa/activation") == 0) return NULL;
    tell(life, "a lie inside");
    return lie(bank, &life->requests, plain, strlen(plain));
}

static void lie_inside(life *life, stream *stream)
{
    (void)stream;
    life->world.bank->rewrite = lie_once;
}

static void commit(life *life, stream *stream)
{
    (void)stream;
    if (life->world.bank->state == MTOKEN_ACTIVATION_PENDING_COMMIT) life->world.bank->state = MTOKEN_ACTIVATION_ACTIVE;
}

static void forget_keys(life *life, stream *stream)
{
    bank *bank = life->world.bank;
    int scope = (int)below(stream, 3);
    for (size_t i = 0; i < bank->key_count; i++)
        if (scope == 2 || bank->keys[i].activation_scope == (scope == 1)) bank->keys[i].dead = true;
}

static void forget_tokens(life *life, stream *stream)
{
    (void)stream;
    for (size_t i = 0; i < life->world.bank->token_count; i++) life->world.bank->tokens[i].dead = true;
}

static void block(life *life, stream *stream)
{
    (void)stream;
    if (life->world.bank->state == MTOKEN_ACTIVATION_ACTIVE) life->world.bank->state = MTOKEN_ACTIVATION_BLOCKED;
}

static void unblock(life *life, stream *stream)
{
    (void)stream;
    if (life->world.bank->state != MTOKEN_ACTIVATION_BLOCKED) return;
    life->world.bank->state = MTOKEN_ACTIVATION_ACTIVE;
    life->world.bank->failed = life->failed = 0;
    life->world.bank->blocked_until = 0;
}

/* For ever: the device is told so, and activates anew. */
static void remove_at_bank(life *life, stream *stream)
{
    if (percent(stream, 30)) life->world.bank->state = MTOKEN_ACTIVATION_REMOVED;
}

/* In 4.0 a status tells until when. */
static void block_for_a_time(life *life, stream *stream)
{
    bank *bank = life->world.bank;
    if (!bank->suite || bank->state != MTOKEN_ACTIVATION_ACTIVE) return;
    bank->state = MTOKEN_ACTIVATION_BLOCKED;
    bank->failed = life->failed = bank->max_failed;
    life->doubt = true; /* attempts that the device did not make */
    bank->blocked_until = bank_now(bank) + 1000 * (int64_t)(1 + below(stream, 600));
}

static void withdraw(life *life, stream *stream)
{
    (void)stream;
    life->world.bank->is_withdrawn = true;
}

static void bring_back(life *life, stream *stream)
{
    (void)stream;
    life->world.bank->is_withdrawn = false;
}

/* What a child does with its parent's client is refused, and changes nothing for the parent. */
static void fork_process(life *life, stream *stream)
{
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        mtoken_task *task = NULL;
        mtoken_error *error = NULL;
        bool good = is_forked(percent(stream, 50) ? mtoken_operations_list(life->world.client, &task, &error)
                                                  : mtoken_client_remove_local(life->world.client, &error),
                              &error);
        mtoken_client_free(life->world.client);
        mtoken_runtime_free(life->world.runtime);
        _exit(good ? 0 : 1);
    }
    must(life, child > 0 && waitpid(child, &status, 0) == child && status == 0,
         "a child is refused what is its parent's", "it ends with %d", status);
}

static void no_memory(life *life, stream *stream)
{
    (void)life;
    memory_runs_out(1 + below(stream, percent(stream, 50) ? 20 : 2000));
}

static void fail_sealer(life *life, stream *stream)
{
    (void)stream;
    life->seals.failures = 1;
}

/* What is stored under a name, read with memory enough; to be freed. */
static mtoken_testing_data *stored(const life *life, const char *name)
{
    mtoken_testing_data *data = NULL;
    memory_runs_out(0);
    CHECK_OK(mtoken_testing_store_read(life->world.store, name, strlen(name), &data, NULL));
    return data;
}

static void put(mtoken_store *store, const char *name, const mtoken_testing_data *data)
{
    CHECK_OK(mtoken_testing_store_write(store, name, strlen(name), data->bytes, data->length, NULL));
}

/* A copy of the state is opened somewhere else, and signs; the one here goes on. */
static void copy_signs(life *life, stream *stream)
{
    bank *bank = life->world.bank;
    mtoken_runtime *runtime = NULL, *own = bank->runtime;
    mtoken_store *store = NULL, *faulty = NULL;
    mtoken_client *client = NULL;
    mtoken_testing_options testing = MTOKEN_TESTING_OPTIONS_INIT;
    if (life->seals.before != life->seals.now) return;
    testing.seed = ++life->world.starts;
    mtoken_testing_data *state = stored(life, STATE), *secret = stored(life, SECRET);
    CHECK_OK(mtoken_testing_runtime_new(NULL, &testing, &runtime, NULL));
    CHECK_OK(mtoken_store_memory_new(&store, NULL));
    CHECK_OK(mtoken_testing_store_new(store, &faulty, NULL));
    put(faulty, STATE, state);
    put(faulty, SECRET, secret);
    mtoken_client_options options = bank_client_options(bank, faulty);
    options.sealer = life->world.sealer;
    life->seals.failures = 0;
    mtoken_status status = mtoken_client_new(runtime, &options, &client, NULL);
    must(life, status == MTOKEN_OK, "a stored activation opens", "a copy: %s", mtoken_error_name(status));
    for (uint32_t count = 1 + below(stream, 4); status == MTOKEN_OK && count > 0; count--) {
        static const char body[] = "{}";
        mtoken_header *header = NULL;
        if (brief_sign(client, "POST", "/copy", bytes(body), &life->world.possession, &header, NULL) != MTOKEN_OK)
            break;
        life->is_restored = true;
        life->ahead += bank_accepts(bank, header->value, "POST", "/copy", body, sizeof body - 1, NULL);
        mtoken_header_free(header);
    }
    mtoken_client_free(client);
    mtoken_runtime_free(runtime);
    mtoken_store_free(faulty);
    mtoken_store_free(store);
    mtoken_testing_data_free(state);
    mtoken_testing_data_free(secret);
    bank->runtime = own;
}

/* A narrower one than a status has told puts an activation out of reach: nothing can help against that. */
static void widen_window(life *life, stream *stream)
{
    life->world.bank->window += (int)below(stream, 65 - (uint32_t)life->world.bank->window);
}

static void keep_backup(life *life, stream *stream)
{
    (void)stream;
    mtoken_testing_data_free(life->backup);
    life->backup = stored(life, STATE);
    life->backup_pin = life->world.pin.pin;
    life->backup_finger = life->user.biometry_key;
    if (!life->is_restored) life->backup_counter = life->world.bank->counter; /* what was restored is older */
}

static void restore_backup(life *life, stream *stream)
{
    (void)stream;
    /* Nothing can help a device that the bank has left behind by its whole window. */
    if (!life->backup || life->world.bank->counter - life->backup_counter > 60) return;
    life->is_restored = true;
    life->doubt |= life->failed > 0; /* the old state knows of no attempt since */
    life->ahead = 0;
    stop(life);
    put(life->world.store, STATE, life->backup);
    life->world.pin.pin = life->backup_pin;
    decides_with(life, life->backup_finger);
    start_again(life);
}

/* Without a word: what is stored is what it was at that moment. What was on its way the bank may still see. */
static void kill_process(life *life, stream *stream)
{
    mtoken_testing_data *state = stored(life, STATE), *secret = stored(life, SECRET);
    life->doubt |= life->wrong > 0;
    life->gone_from = mtoken_testing_request_count(life->world.runtime);
    serve(life, below(stream, 4));
    stop(life);
    life->gone_from = SIZE_MAX;
    put(life->world.store, STATE, state);
    put(life->world.store, SECRET, secret);
    mtoken_testing_data_free(state);
    mtoken_testing_data_free(secret);
    start_again(life);
}

/* The banks' clocks stand elsewhere beside the device's. */
static void move_banks(life *life, int64_t by)
{
    life->world.bank->clock_ahead += by;
    if (life->neighbour.bank) life->neighbour.bank->clock_ahead += by;
}

static void step_clock(life *life, stream *stream)
{
    static const int64_t steps[] = {1000, 60000, 3600000, 86400000, 31536000000};
    int64_t wall = 0, by = steps[below(stream, 5)];
    mtoken_testing_clocks(life->world.runtime, &wall, NULL, NULL);
    if (below(stream, 2)) by = -by;
    mtoken_testing_set_wall(life->world.runtime, wall + by, NULL);
    move_banks(life, -by); /* they stand where they stood */
}

/* With all its clocks, as a virtual machine does. Nothing here shows it. */
static void stand_still(life *life, stream *stream)
{
    move_banks(life, 1000 * (int64_t)below(stream, 36000));
    life->world.bank->untimely = -1000000;
}

static void sleep_machine(life *life, stream *stream)
{
    mtoken_testing_sleep(life->world.runtime, 1000 * (int64_t)below(stream, 36000), NULL);
}

static void fail_store(life *life, stream *stream)
{
    mtoken_testing_store_fail(life->world.store, MTOKEN_TESTING_SAVE, 1 + below(stream, 3), below(stream, 4) == 0,
                              below(stream, 2) ? MTOKEN_TESTING_FAIL_BEFORE : MTOKEN_TESTING_FAIL_AFTER, NULL);
}

static void mend_store(life *life, stream *stream)
{
    (void)stream;
    store_is_in_order(life);
}

/* In one of the next saves, of a state that is in a directory. */
static void cut_power(life *life, stream *stream)
{
    (void)life;
    disk_cut_after(1 + below(stream, 12));
}

static void fail_disk(life *life, stream *stream)
{
    static const disk_fault ways[] = {SHORT_WRITE, NO_WRITE, FLUSH_FAILS, RENAME_FAILS, NAMES_FAIL};
    if (life->plan->disk) disk_fails = ways[below(stream, 5)];
}

static void no_randomness(life *life, stream *stream)
{
    mtoken_testing_random_fail(life->world.runtime, 1 + below(stream, 4), 0, NULL);
}

const fault faults[] = {
    {"unreachable", unreachable, NULL, NULL},
    {"request lost", lost, NULL, NULL},
    {"gateway's page", gateway, NULL, NULL},
    {"back end down", no_back_end, NULL, NULL},
    {"answer lost", NULL, lost, NULL},
    {"gateway's page after the bank has acted", NULL, gateway, NULL},
    {"answer cut", NULL, cut, NULL},
    {"request doubled", NULL, doubled, NULL},
    {"answer late", NULL, late, NULL},
    {"answer packed", NULL, packed, NULL},
    {"the server lies", NULL, lie_outside, NULL},
    {"the server lies inside an envelope", NULL, NULL, lie_inside},
    {"the bank commits", NULL, NULL, commit},
    {"the bank forgets temporary keys", NULL, NULL, forget_keys},
    {"the bank forgets tokens", NULL, NULL, forget_tokens},
    {"the bank blocks", NULL, NULL, block},
    {"the bank unblocks", NULL, NULL, unblock},
    {"the bank blocks for a time", NULL, NULL, block_for_a_time},
    {"the bank removes the activation", NULL, NULL, remove_at_bank},
    {"the bank withdraws the version", NULL, NULL, withdraw},
    {"the bank brings the version back", NULL, NULL, bring_back},
    {"the bank widens its window", NULL, NULL, widen_window},
    {"the clock steps", NULL, NULL, step_clock},
    {"the machine stands still", NULL, NULL, stand_still},
    {"the machine sleeps", NULL, NULL, sleep_machine},
    {"the store fails", NULL, NULL, fail_store},
    {"the store is mended", NULL, NULL, mend_store},
    {"the disk fails", NULL, NULL, fail_disk},
    {"the power is cut", NULL, NULL, cut_power},
    {"the process is killed", NULL, NULL, kill_process},
    {"somebody makes a backup", NULL, NULL, keep_backup},
    {"the backup is restored", NULL, NULL, restore_backup},
    {"a copy of the state signs", NULL, NULL, copy_signs},
    {"the process forks", NULL, NULL, fork_process},
    {"randomness fails", NULL, NULL, no_randomness},
    {"memory runs out", NULL, NULL, no_memory},
    {"the sealer fails", NULL, NULL, fail_sealer},
};
const size_t fault_count = sizeof faults / sizeof faults[0];
