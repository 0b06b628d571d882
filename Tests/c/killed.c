/*
 * Processes that sign, change the PIN, add biometry and are killed with SIGKILL at random instants, some of them with a
 * store or a network that fails at times, processes that end for want of memory, and processes that compete for one
 * activation. What they signed is read from a pipe and judged as the server does: after every restart the state is
 * readable, the library's next signature is accepted, and no counter value is ever used for two signatures.
 */
#define _DEFAULT_SOURCE
#include "memory.h"
#include "plain.h"
#include "world.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LOOK_AHEAD = 20, LINE = 8192 };

static const char URI[] = "/test";
static const char BODY[] = "{\"a\":1}";

/* The server's side of one activation: its counter follows what it accepts. */
static struct {
    const suite *suite; /* NULL: it is protocol 3 */
    uint8_t possession[32];
    uint8_t counter[32];
    char secret[64];
    uint8_t first; /* the number of the counter's first value */
    long accepted;
    long skipped; /* counter values that were never seen */
    long changes; /* requests for another key of a factor */
} judge;

static void next_counter(uint8_t counter[32])
{
    uint8_t digest[32];
    if (judge.suite) {
        sha3(counter, 32, counter);
        return;
    }
    sha256(counter, 16, digest);
    reduce(digest, counter);
}

/* Whether this is the first component of the signature with a counter. */
static bool is_code(const uint8_t counter[32], const buffer *data, const buffer *given)
{
    uint8_t key[32], code[32];
    if (judge.suite) {
        kmac(judge.possession, 32, counter, 32, "PA4CODE", key);
        kmac(key, 32, data->data, data->size, "PA4CODE", code);
        return given->size >= 32 && memcmp(code, given->data, 32) == 0;
    }
    hmac(judge.possession, 16, counter, 16, key);
    hmac(key, 32, data->data, data->size, code);
    return given->size >= 16 && memcmp(code + 16, given->data, 16) == 0;
}

static void attribute_of(const char *header, const char *name, char value[128])
{
    char start[32];
    sprintf(start, "%s=\"", name);
    const char *from = strstr(header, start);
    size_t length = from ? strcspn(from + strlen(start), "\"") : 0;
    value[0] = 0;
    if (from && length < 128) {
        memcpy(value, from + strlen(start), length);
        value[length] = 0;
    }
}

/*
 * Whether the server accepts a signature: its counter is behind all that were accepted, and within the window. The line
 * holds what was signed for, the body and the header, separated by tabs. The first component of the signature tells the
 * counter.
 */
static bool accepts(char *line)
{
    char nonce[128], signature[128];
    buffer data = {NULL, 0}, given = {NULL, 0};
    bool found = false;
    char *body = strchr(line, '\t'), *header = body ? strchr(body + 1, '\t') : NULL;
    if (!header) return false;
    *body++ = 0;
    *header++ = 0;
    judge.changes += strcmp(line, "/pa/password/change") == 0 || strcmp(line, "/pa/biometry/add") == 0;
    attribute_of(header, "pa_nonce", nonce);
    attribute_of(header, judge.suite ? "pa_auth_code" : "pa_signature", signature);
    char *uri_text = base64(line, strlen(line)), *body_text = base64(body, strlen(body));
    buffer_add_text(&data, "POST&");
    buffer_add_text(&data, uri_text);
    buffer_add_text(&data, "&");
    buffer_add_text(&data, nonce);
    buffer_add_text(&data, "&");
    buffer_add_text(&data, body_text);
    buffer_add_text(&data, "&");
    buffer_add_text(&data, judge.secret);
    uint8_t counter[32];
    memcpy(counter, judge.counter, sizeof counter);
    bool whole = base64_decode(signature, &given);
    for (int ahead = 0; ahead < LOOK_AHEAD && whole && !found; ahead++) {
        found = is_code(counter, &data, &given);
        next_counter(counter);
        if (found) {
            memcpy(judge.counter, counter, sizeof counter);
            judge.accepted++;
            judge.skipped += ahead;
        }
    }
    free(uri_text);
    free(body_text);
    buffer_clear(&data);
    buffer_clear(&given);
    return found;
}

/* What the server changes when it agrees to a new PIN or biometry key: a child's outlives it, as in a data base. */
typedef struct factors {
    uint8_t knowledge[32], biometry[32], next_knowledge[32], next_biometry[32];
    bool knowledge_waits, biometry_waits, biometry_on;
} factors;

static struct {
    volatile int current;
    factors slots[2];
} * kept_factors; /* in memory that all children share */

/* A directory with an activation, and the bank that a child takes along, which has no runtime before that. */
static char directory[300], configuration[4096];
static bank *server;

static void keep_factors(const bank *bank)
{
    factors now = {.knowledge_waits = bank->four.knowledge_waits,
                   .biometry_waits = bank->four.biometry_waits,
                   .biometry_on = bank->four.biometry_on};
    memcpy(now.knowledge, bank->knowledge, 32);
    memcpy(now.biometry, bank->biometry, 32);
    memcpy(now.next_knowledge, bank->four.next_knowledge, 32);
    memcpy(now.next_biometry, bank->four.next_biometry, 32);
    int next = !kept_factors->current;
    kept_factors->slots[next] = now;
    __sync_synchronize();
    kept_factors->current = next; /* a kill before this leaves the others whole */
}

static void take_factors(bank *bank)
{
    const factors *kept = &kept_factors->slots[kept_factors->current];
    memcpy(bank->knowledge, kept->knowledge, 32);
    memcpy(bank->biometry, kept->biometry, 32);
    memcpy(bank->four.next_knowledge, kept->next_knowledge, 32);
    memcpy(bank->four.next_biometry, kept->next_biometry, 32);
    bank->four.knowledge_waits = kept->knowledge_waits;
    bank->four.biometry_waits = kept->biometry_waits;
    bank->four.biometry_on = kept->biometry_on;
}

static void activated(void)
{
    memset(&judge, 0, sizeof judge);
    mtoken_testing_options testing = MTOKEN_TESTING_OPTIONS_INIT;
    mtoken_runtime *runtime = NULL;
    mtoken_store *store = NULL;
    char path[256];
    make_directory(path, sizeof path);
    snprintf(directory, sizeof directory, "%s/state", path);
    CHECK_OK(mtoken_testing_runtime_new(NULL, &testing, &runtime, NULL));
    CHECK_OK(mtoken_store_directory_new(directory, strlen(directory), &store, NULL));
    server = bank_new(runtime);
    bank_operation(server, "1", "A1");
    mtoken_client *client = bank_client(server, store);
    CHECK_OK(bank_activate(server, client, PIN, NULL));
    judge.suite = server->suite;
    kept_factors = mmap(NULL, sizeof *kept_factors, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(kept_factors != MAP_FAILED);
    keep_factors(server);
    memcpy(judge.possession, server->possession, sizeof judge.possession);
    memcpy(judge.counter, server->counters[server->counter], sizeof judge.counter);
    judge.first = (uint8_t)server->counter; /* 4.0 has confirmed the activation */
    strcpy(judge.secret, server->application_secret_text);
    strcpy(configuration, server->configuration);
    mtoken_client_free(client);
    mtoken_store_free(store);
    mtoken_runtime_free(runtime);
    bank_move(server, NULL);
}

static void forget(void)
{
    bank_free(server);
    server = NULL;
    munmap(kept_factors, sizeof *kept_factors);
    char *end = strrchr(directory, '/');
    if (end) *end = 0;
    remove_directory(directory);
}

/* Makes a client of the directory in this process, with a thread and a network that leads nowhere. */
static mtoken_status open_client(mtoken_client **client)
{
    static mtoken_runtime *runtime;
    static pid_t owner; /* a child does not use its parent's */
    mtoken_store *store = NULL;
    mtoken_client_options options = MTOKEN_CLIENT_OPTIONS_INIT;
    if (owner != getpid() && mtoken_runtime_new(NULL, &runtime, NULL)) return MTOKEN_ERROR_INTERNAL;
    owner = getpid();
    if (mtoken_store_directory_new(directory, strlen(directory), &store, NULL)) return MTOKEN_ERROR_STORAGE;
    options.id = text("alice");
    options.configuration = text(configuration);
    options.base_url = text(CLOSED_URL);
    options.allow_http = 1;
    options.timeout_ms = 1000;
    options.store = store;
    mtoken_status status = mtoken_client_new(runtime, &options, client, NULL);
    mtoken_store_free(store);
    return status;
}

/* Writes a signature as one line, in one piece: from now on the server has accepted it. */
static void write_line(int out, const char *uri_id, const void *body, size_t size, const char *header)
{
    char line[LINE];
    int length = snprintf(line, sizeof line, "%s\t%.*s\t%s\n", uri_id, (int)size, (const char *)body, header);
    if (length < 0 || length >= LINE || write(out, line, (size_t)length) != length) _exit(3);
}

/* Signs once as a host does and writes that down. Nothing is written if the signature could not be stored. */
static mtoken_status sign_with(mtoken_client *client, const mtoken_auth *auth, int out)
{
    mtoken_header *header = NULL;
    mtoken_status status = brief_sign(client, "POST", URI, bytes(BODY), auth, &header, NULL);
    if (status == MTOKEN_OK) {
        write_line(out, URI, BODY, strlen(BODY), header->value);
        if (server->runtime && !bank_accepts(server, header->value, "POST", URI, BODY, strlen(BODY), NULL)) _exit(6);
        if (server->runtime) keep_factors(server);
        status = mtoken_client_signature_accepted(client, NULL);
    }
    mtoken_header_free(header);
    return status;
}

static mtoken_status sign_to(mtoken_client *client, int out)
{
    mtoken_auth possession = MTOKEN_AUTH_INIT;
    possession.factors = MTOKEN_FACTOR_POSSESSION;
    return sign_with(client, &possession, out);
}

/* ------------------------------------------------------------------------------------------- a device and its server
 */

/* A device with a server of its own, which goes on from where the judge is. What the server gets is written down first.
 */
typedef struct device {
    mtoken_runtime *runtime;
    mtoken_store *store;
    mtoken_client *client;
    int out;
    enum { NO_TROUBLE, REFUSED, LOST, UNANSWERED, TROUBLES } trouble; /* of every other request */
    unsigned random;
} device;

static bool struck(device *device)
{
    device->random = device->random * 1103515245u + 12345u;
    return device->random >> 16 & 1;
}

static bool write_down(bank *bank, const mtoken_testing_request *request, mtoken_testing_answer *answer)
{
    device *device = bank->context;
    const char *uri_id = bank_uri_id(request);
    if ((device->trouble == REFUSED || device->trouble == LOST) && struck(device)) {
        answer->failure = MTOKEN_TESTING_FAILURE_CONNECTION_LOST;
        answer->sent = device->trouble == LOST;
        return true;
    }
    if (uri_id)
        write_line(device->out, uri_id, request->body, request->body_length,
                   header_of(request, "X-PowerAuth-Authorization"));
    return false;
}

static void lose_answer(bank *bank, const mtoken_testing_request *request, mtoken_testing_answer *answer)
{
    device *device = bank->context;
    (void)request;
    keep_factors(bank); /* the server has acted: from now on it will have, whatever becomes of its answer */
    if (device->trouble != UNANSWERED || !struck(device)) return;
    answer->failure = MTOKEN_TESTING_FAILURE_CONNECTION_LOST;
    answer->sent = 1;
}

static mtoken_status open_device(device *device, int out)
{
    mtoken_testing_options testing = MTOKEN_TESTING_OPTIONS_INIT;
    mtoken_store *directory_store = NULL;
    memset(device, 0, sizeof *device);
    device->out = out;
    testing.random = MTOKEN_TESTING_RANDOM_SYSTEM;
    if (mtoken_testing_runtime_new(NULL, &testing, &device->runtime, NULL) ||
        mtoken_store_directory_new(directory, strlen(directory), &directory_store, NULL) ||
        mtoken_testing_store_new(directory_store, &device->store, NULL))
        return MTOKEN_ERROR_INTERNAL;
    mtoken_store_free(directory_store);
    bank_move(server, device->runtime);
    bank_go_on_from(server, judge.counter, (uint8_t)(judge.first + judge.accepted + judge.skipped));
    take_factors(server);
    server->intercept = write_down;
    server->spoil = lose_answer;
    server->context = device;
    const mtoken_client_options options = bank_client_options(server, device->store);
    return mtoken_client_new(device->runtime, &options, &device->client, NULL);
}

static void close_device(device *device)
{
    mtoken_client_free(device->client);
    mtoken_store_free(device->store);
    mtoken_runtime_free(device->runtime);
}

static mtoken_status finish(mtoken_status started, mtoken_task *task)
{
    return started == MTOKEN_OK ? bank_finish_free(server, task) : started;
}

/* A signature of the library's own. */
static mtoken_status reject(device *device)
{
    mtoken_task *task = NULL;
    json_object_set_new(json_array_get(server->operations, 0), "status", json_string("PENDING"));
    mtoken_status status = brief_reject(device->client, "1", "UNKNOWN", NULL, &task, NULL);
    return finish(status, task);
}

static mtoken_status check_pin(device *device)
{
    mtoken_task *task = NULL;
    mtoken_status status = mtoken_client_validate_pin(device->client, (const uint8_t *)PIN, strlen(PIN), &task, NULL);
    return finish(status, task);
}

/* Gives the PIN a new key: in 4.0 one that the server agrees to, or what is left of such a change. */
static mtoken_status change_pin(device *device)
{
    mtoken_client_info *info = NULL;
    mtoken_task *task = NULL;
    if (mtoken_client_get_info(device->client, &info, NULL)) return MTOKEN_ERROR_INTERNAL;
    bool waits = info->awaits_new_pin;
    mtoken_client_info_free(info);
    if (waits) return check_pin(device);
    mtoken_status status = mtoken_client_change_pin(device->client, (const uint8_t *)PIN, strlen(PIN),
                                                    (const uint8_t *)PIN, strlen(PIN), &task, NULL);
    return finish(status, task);
}

static const uint8_t BIOMETRY[16] = "biometry of 16 b", EXTERNAL[16] = "external key 16b";

static mtoken_status add_biometry(device *device)
{
    mtoken_task *task = NULL;
    mtoken_auth pin = MTOKEN_AUTH_INIT;
    pin.pin = bytes(PIN);
    mtoken_status status =
        mtoken_client_add_biometry(device->client, BIOMETRY, sizeof BIOMETRY, NULL, 0, &pin, &task, NULL);
    return finish(status, task);
}

/* Says that what must not fail has failed. */
static void complain(int out, mtoken_status status)
{
    char line[64];
    int length = snprintf(line, sizeof line, "!%d\n", (int)status);
    if (write(out, line, (size_t)length) != length) _exit(3);
    _exit(2);
}

/* What is left by the one before works: the state is readable, and the next signatures are accepted, whatever was open.
 */
static void begin(device *device, int out)
{
    mtoken_status status = open_device(device, out);
    if (status == MTOKEN_OK) status = reject(device);
    if (status == MTOKEN_OK) status = sign_to(device->client, out);
    /* So do PIN and biometry, whatever became of a change of them. */
    mtoken_auth finger = MTOKEN_AUTH_INIT;
    finger.biometry_key = MTOKEN_BYTES(BIOMETRY, sizeof BIOMETRY);
    /* An external key may be left too. */
    if (status == MTOKEN_OK &&
        mtoken_client_set_external_key(device->client, EXTERNAL, sizeof EXTERNAL, NULL) == MTOKEN_OK)
        status = mtoken_client_remove_external_key(device->client, NULL);
    if (status == MTOKEN_OK) status = check_pin(device);
    if (status == MTOKEN_OK) status = add_biometry(device);
    if (status == MTOKEN_OK) status = sign_with(device->client, &finger, out);
    if (status != MTOKEN_OK) complain(out, status);
}

/* The life of a child that is going to be killed. */
static void sign_for_ever(int out, bool fails, unsigned seed)
{
    device device;
    begin(&device, out);
    device.trouble = (int)(seed >> 4) % TROUBLES;
    device.random = seed;
    if (fails)
        mtoken_testing_store_fail(device.store, MTOKEN_TESTING_ALL_CALLS, 1 + seed % 7, seed % 3 == 0,
                                  seed & 1 ? MTOKEN_TESTING_FAIL_BEFORE : MTOKEN_TESTING_FAIL_AFTER, NULL);
    for (int round = 3; server->highest < BANK_COUNTERS / 2; round++) {
        bool changes = round % 6 == 3 || round % 6 == 5;
        mtoken_status status = round % 6 == 3   ? change_pin(&device)
                               : round % 6 == 5 ? add_biometry(&device)
                               : round % 3      ? reject(&device)
                                                : sign_to(device.client, out);
        bool in_trouble =
            (device.trouble && (status == MTOKEN_ERROR_NETWORK || (status == MTOKEN_ERROR_STATE && round % 3 == 0))) ||
            ((device.trouble || fails) && changes && status == MTOKEN_ERROR_STATE); /* what is left of an earlier one */
        if (status != MTOKEN_OK && !(fails && status == MTOKEN_ERROR_STORAGE) && !in_trouble) complain(out, status);
        if (server->reused || server->unknown) _exit(5);
    }
    for (;;) pause();
}

/* The life of a child that only shows that all is well. */
static void sign_once(int out, bool fails, unsigned seed)
{
    device device;
    (void)fails;
    (void)seed;
    begin(&device, out);
    close_device(&device);
}

/* What comes through a pipe until its end or the deadline. Whole lines are judged; a piece of one is what a kill cut
 * off. */
static void judge_lines(int in, int64_t deadline)
{
    static char kept[LINE * 2];
    static size_t length;
    bool ended = false;
    if (deadline == 0) deadline = INT64_MAX;
    while (!ended) {
        int64_t left = deadline - milliseconds();
        if (left <= 0) return;
        struct pollfd ready = {in, POLLIN, 0};
        if (poll(&ready, 1, left > 60000 ? 60000 : (int)left) <= 0) continue;
        ssize_t count = read(in, kept + length, sizeof kept - 1 - length);
        ended = count <= 0;
        length += count > 0 ? (size_t)count : 0;
        for (;;) {
            kept[length] = 0;
            char *end = strchr(kept, '\n');
            if (!end) break;
            *end = 0;
            if (kept[0] == '!')
                CHECK_TEXT(kept, "a client that works");
            else if (!CHECK(accepts(kept)))
                note("after %ld signatures: the counter is used already, or too far ahead", judge.accepted);
            length -= (size_t)(end + 1 - kept);
            memmove(kept, end + 1, length);
        }
    }
    length = 0;
}

/* Starts a child whose end of the pipe is `out`; gives the other end. */
static pid_t start(void (*life)(int out, bool fails, unsigned seed), bool fails, unsigned seed, int *in)
{
    int ends[2];
    if (pipe(ends)) return -1;
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        life(ends[1], fails, seed);
        _exit(0);
    }
    close(ends[1]);
    *in = ends[0];
    return child;
}

static void killed_while_signing(void)
{
    activated();
    const char *given = getenv("MTOKEN_KILLS");
    int kills = given ? atoi(given) : under_valgrind() ? 6 : getenv("MTOKEN_FULL") ? 1200 : 320;
    long before = 0, idle = 0;
    for (int kill_number = 0; kill_number < kills; kill_number++) {
        uint8_t random[4];
        int in = -1, status = 0;
        random_bytes(random, sizeof random);
        pid_t child = start(sign_for_ever, kill_number % 4 == 3, random[0], &in);
        if (!CHECK(child > 0)) break;
        /* From before the client is open to many signatures; every other child has signed, however busy the machine is.
         */
        int64_t span = under_valgrind() ? 4000 : 2 + random[1] % 60, latest = milliseconds() + 10000;
        long had = judge.accepted;
        /* Some of them are asking for another key. */
        long changed = judge.suite && kill_number % 8 == 1 ? judge.changes : -1;
        while (kill_number % 2 && (judge.accepted == had || judge.changes == changed) && milliseconds() < latest)
            judge_lines(in, milliseconds() + 5);
        judge_lines(in, milliseconds() + span);
        CHECK_INT(kill(child, SIGKILL), 0);
        CHECK_INT(waitpid(child, &status, 0), child);
        CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
        judge_lines(in, 0);
        close(in);
        idle += judge.accepted == before;
        before = judge.accepted;
    }
    note("%d kills, %ld signatures, %ld counter values skipped, %ld children killed before their first", kills,
         judge.accepted, judge.skipped, idle);
    if (judge.suite) note("%ld requests for another key of a factor", judge.changes);
    CHECK(!judge.suite || judge.changes > 0);
    CHECK(judge.accepted > kills / 4);
    CHECK(idle < kills); /* and some had signed */

    /* What is left on the disk works, and without a wait: the lock of the killed is gone. */
    int ends[2];
    mtoken_client *client = NULL;
    CHECK_INT(pipe(ends), 0);
    if (CHECK_OK(open_client(&client))) {
        before = judge.accepted;
        for (int i = 0; i < 5; i++) CHECK_OK(sign_to(client, ends[1]));
        close(ends[1]);
        judge_lines(ends[0], 0);
        CHECK_INT(judge.accepted, before + 5);
    }
    close(ends[0]);
    mtoken_client_free(client);
    forget();
}

/* What becomes of a call that finds no memory: where Swift asks for it the process ends, where OpenSSL does the call
 * fails. */
static bool survives(mtoken_status status)
{
    return status == MTOKEN_OK || status == MTOKEN_ERROR_INTERNAL || status == MTOKEN_ERROR_SIGNATURE ||
           status == MTOKEN_ERROR_CONFIGURATION || status == MTOKEN_ERROR_TAMPERED || status == MTOKEN_ERROR_STORAGE ||
           status == MTOKEN_ERROR_STATE || status == MTOKEN_ERROR_DECRYPTION;
}

/* A call that libcurl has to make, to a server that is not there. */
static bool asks_in_vain(mtoken_client *client)
{
    mtoken_task *task = NULL;
    mtoken_status status = mtoken_client_synchronize_time(client, &task, NULL);
    if (status == MTOKEN_OK) {
        status = mtoken_task_wait(task, 60000);
        if (status == MTOKEN_OK) status = mtoken_task_result(task);
    }
    mtoken_task_free(task);
    /* libcurl that cannot note what it waits for lets the time pass */
    return status == MTOKEN_ERROR_NETWORK || status == MTOKEN_ERROR_INTERNAL || status == MTOKEN_ERROR_TIMEOUT;
}

/*
 * The life of a child whose nth request for memory fails, and perhaps all after it: it signs, changes its state, and
 * looks for its server.
 */
static void live_with(size_t nth, bool forever, size_t *requests, int out)
{
    mtoken_client *client = NULL;
    mtoken_error *error = NULL;
    memory_fail(nth, forever);
    mtoken_status status = open_client(&client);
    if (!survives(status)) _exit(2);
    for (int i = 0; i < 3 && status == MTOKEN_OK; i++) {
        mtoken_status signing = sign_to(client, out);
        mtoken_status change = i == 0   ? mtoken_client_add_external_key(client, EXTERNAL, sizeof EXTERNAL, &error)
                               : i == 1 ? mtoken_client_remove_external_key(client, &error)
                                        : MTOKEN_OK;
        if (!survives(signing) || !survives(change)) _exit(4);
        mtoken_error_free(error);
        error = NULL;
    }
    if (client && !asks_in_vain(client)) _exit(5);
    *requests = memory_requests();
    _exit(0);
}

/*
 * For every nth request for memory of such a life, or evenly chosen ones: the process goes on or ends by a signal of
 * its own, and whatever it was doing, the state is readable and the next signature accepted.
 */
static void memory_runs_out(void)
{
    if (under_valgrind()) {
        note("not run under valgrind, which has a malloc of its own");
        return;
    }
    activated();
    size_t *requests = mmap(NULL, sizeof *requests, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    size_t step = 1, runs = 0;
    int ended[NSIG] = {0};
    *requests = 0;
    for (size_t nth = 0; nth <= *requests; nth += step) {
        for (int forever = 0; forever < 2; forever++) {
            int ends[2], status = 0;
            CHECK_INT(pipe(ends), 0);
            size_t counted = *requests;
            pid_t child = fork();
            if (child == 0) {
                close(ends[0]);
                live_with(nth, forever, nth ? &counted : requests, ends[1]);
            }
            close(ends[1]);
            judge_lines(ends[0], 0);
            close(ends[0]);
            CHECK_INT(waitpid(child, &status, 0), child);
            if (WIFSIGNALED(status))
                ended[WTERMSIG(status)]++;
            else if (!CHECK_INT(WEXITSTATUS(status), 0))
                note("request %zu%s", nth, forever ? " and all after it" : "");
            runs++;

            int next = -1;
            long before = judge.accepted;
            child = start(sign_once, false, 0, &next);
            judge_lines(next, 0);
            close(next);
            CHECK_INT(waitpid(child, &status, 0), child);
            if (!CHECK_INT(status, 0) || !CHECK(judge.accepted >= before + 2))
                note("after request %zu%s", nth, forever ? " and all after it" : "");
        }
        if (nth == 0 && !getenv("MTOKEN_FULL")) step = *requests / 120 + 1;
    }
    for (int number = 1; number < NSIG; number++)
        if (ended[number]) note("%d of %zu processes ended by signal %d", ended[number], runs, number);
    note("%zu runs for %zu requests of memory, %ld signatures", runs, *requests, judge.accepted);
    CHECK(runs > 100);
    munmap(requests, sizeof *requests);
    forget();
}

/* Opens, signs and closes over and over; waits its turn when the activation is in use. */
static void take_turns(int out, bool fails, unsigned seed)
{
    (void)fails;
    (void)seed;
    for (int round = 0; round < (under_valgrind() ? 3 : 40); round++) {
        mtoken_client *client = NULL;
        mtoken_status status;
        while ((status = open_client(&client)) == MTOKEN_ERROR_BUSY) sleep_ms(1);
        if (status != MTOKEN_OK) _exit(2);
        for (int i = 0; i < 3; i++)
            if (sign_to(client, out) != MTOKEN_OK) _exit(4);
        mtoken_client_free(client);
    }
}

static void two_processes_take_turns(void)
{
    activated();
    int ends[2], status = 0;
    pid_t children[3];
    CHECK_INT(pipe(ends), 0);
    for (int i = 0; i < 3; i++) {
        children[i] = fork();
        if (children[i] == 0) {
            close(ends[0]);
            take_turns(ends[1], false, 0);
            _exit(0);
        }
    }
    close(ends[1]);
    judge_lines(ends[0], 0);
    close(ends[0]);
    for (int i = 0; i < 3; i++) {
        CHECK_INT(waitpid(children[i], &status, 0), children[i]);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    CHECK_INT(judge.accepted, 3 * 3 * (under_valgrind() ? 3 : 40));
    CHECK_INT(judge.skipped, 0);
    forget();
}

static const test tests[] = {
    {"two processes take turns, and no counter value is used twice", two_processes_take_turns},
    {"memory runs out, at any instant", memory_runs_out},
    {"killed while signing, at random instants", killed_while_signing}, /* the last: it leaves a runtime behind */
};

int main(int argc, char **argv)
{
    signal(SIGPIPE, SIG_IGN);
    return RUN(tests);
}
