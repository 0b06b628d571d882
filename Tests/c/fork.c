/*
 * fork(): what belongs to the parent answers at once in a child, nothing there is waited for, signed or given back,
 * whatever the parent's threads were doing; and a child may have a world of its own.
 */
#define _GNU_SOURCE
#include "plain.h"
#include "world.h"

#include <dlfcn.h>
#include <mtoken/extra.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 4 };

/* One handle of each kind, made by the parent. */
typedef struct things {
    world world; /* with a thread, a scripted network and events */
    mtoken_client *view;
    mtoken_task *done, *running;
    mtoken_event *event;
    mtoken_watcher *watcher;
    mtoken_recorder *recorder;
    mtoken_mobile_token_data *data;
    mtoken_oidc_request *request, *listening;
    mtoken_task *listened;
    mtoken_challenge *challenge;
    mtoken_task *handling;
    mtoken_error *error;
    const mtoken_operation *operation; /* of `done` */
    const mtoken_error *task_error;    /* of `failed` */
    mtoken_task *failed;
} things;

static mtoken_oidc_options login(const char *redirect)
{
    mtoken_oidc_options options = MTOKEN_OIDC_OPTIONS_INIT;
    options.provider_id = text("bank");
    options.client_id = text("client");
    options.scopes = text("openid");
    options.authorize_uri = text("https://idp.example/authorize");
    options.redirect_uri = text(redirect);
    return options;
}

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

/* The next challenge among the events; the bank answers meanwhile. */
static mtoken_challenge *next_challenge(things *things)
{
    for (int i = 0; i < 2000; i++) {
        mtoken_event *event = NULL;
        bank_serve_next(things->world.bank);
        if (mtoken_runtime_next_event(things->world.runtime, 10, &event, NULL) != MTOKEN_OK) continue;
        mtoken_challenge *challenge = mtoken_event_take_challenge(event);
        mtoken_event_free(event);
        if (challenge) return challenge;
    }
    return NULL;
}

static things make_things(void)
{
    things things;
    memset(&things, 0, sizeof things);
    world *world = &things.world;
    mtoken_testing_options testing = MTOKEN_TESTING_OPTIONS_INIT;
    mtoken_runtime_options options = MTOKEN_RUNTIME_OPTIONS_INIT;
    testing.clock = MTOKEN_TESTING_CLOCK_SYSTEM;
    testing.random = MTOKEN_TESTING_RANDOM_SYSTEM;
    options.events = MTOKEN_EVENT_MASK_ALL;
    CHECK_OK(mtoken_testing_runtime_new(&options, &testing, &world->runtime, NULL));
    CHECK_OK(mtoken_store_memory_new(&world->store, NULL));
    world->bank = bank_new(world->runtime);
    world->bank->threaded = true;
    world->client = bank_client(world->bank, world->store);
    CHECK_OK(bank_activate(world->bank, world->client, PIN, NULL));
    const mtoken_auth auth = MTOKEN_AUTH_INIT;
    world->pin = world->possession = auth;
    world->pin.pin = bytes(PIN);
    world->possession.factors = MTOKEN_FACTOR_POSSESSION;

    mtoken_call_options own = MTOKEN_CALL_OPTIONS_INIT;
    own.timeout_ms = 600000; /* its task runs as long as the test */
    CHECK_OK(mtoken_client_with_options(world->client, &own, &things.view, NULL));
    CHECK_OK(mtoken_watcher_new(world->client, &things.watcher, NULL));
    CHECK_OK(mtoken_recorder_new(world->client, &things.recorder, NULL));
    CHECK_OK(mtoken_mobile_token_data_new(NULL, 0, &things.data, NULL));
    const mtoken_oidc_options app = login("mtoken://oidc"), local = login("http://127.0.0.1/back");
    CHECK_OK(mtoken_oidc_prepare(&app, &things.request, NULL));
    CHECK_OK(mtoken_oidc_listen(world->runtime, &local, &things.listening, &things.listened, NULL));

    json_object_set_new(bank_operation(world->bank, "1", "A1"), "operationExpires",
                        json_string("2099-12-31T23:59:59+0000"));
    CHECK_OK(mtoken_operations_list(world->client, &things.done, NULL));
    CHECK_OK(bank_finish(world->bank, things.done));
    const mtoken_operation_list *list = mtoken_task_operations(things.done);
    if (CHECK(list && list->count == 1)) things.operation = list->operations[0];
    CHECK_OK(mtoken_operations_detail(world->client, "no-such", 7, &things.failed, NULL));
    CHECK(bank_finish(world->bank, things.failed) != MTOKEN_OK);
    things.task_error = mtoken_task_error(things.failed);
    mtoken_client *none = NULL;
    CHECK_STATUS(mtoken_client_new(NULL, NULL, &none, &things.error), MTOKEN_ERROR_HANDLE);

    world->bank->spoil = refuse_encrypted_detail;
    CHECK_OK(mtoken_mobile_auth_handle(things.view, "1", 1, NULL, &things.handling, NULL));
    things.challenge = next_challenge(&things);
    if (!CHECK(things.challenge != NULL) && mtoken_task_error(things.handling))
        note("%s", mtoken_task_error(things.handling)->message);
    CHECK_OK(mtoken_client_synchronize_time(things.view, &things.running, NULL)); /* its answer never comes */
    CHECK_OK(mtoken_runtime_next_event(world->runtime, 1000, &things.event, NULL));
    return things;
}

static void free_things(things *things)
{
    world *world = &things->world;
    mtoken_challenge_free(things->challenge);
    mtoken_task_free(things->handling);
    mtoken_task_free(things->listened);
    mtoken_oidc_request_free(things->listening);
    mtoken_oidc_request_free(things->request);
    mtoken_mobile_token_data_free(things->data);
    mtoken_recorder_free(things->recorder);
    mtoken_watcher_free(things->watcher);
    mtoken_event_free(things->event);
    mtoken_task_free(things->running);
    mtoken_task_free(things->failed);
    mtoken_task_free(things->done);
    mtoken_client_free(things->view);
    mtoken_client_free(world->client);
    mtoken_store_free(world->store);
    mtoken_runtime_free(world->runtime);
    mtoken_error_free(things->error);
}

/* ------------------------------------------------------------------------------------------------ what a child looks
 * at */

/* In a child nothing may be printed through stdio, whose lock another thread may have had. */
static void expect_that(bool holds, const char *what, int line)
{
    if (holds) return;
    dprintf(1, "# in the child, line %d: not so: %s\n", line, what);
    _exit(1);
}

#define EXPECT(condition) expect_that((condition), #condition, __LINE__)

#define EXPECT_FORKED(call) EXPECT(is_forked((call), &error))

/* Each call and wait on what the parent made. None may take the parent's locks: any of them may be held for ever. */
static void is_refused(const things *things)
{
    const world *world = &things->world;
    mtoken_error *error = NULL;
    mtoken_header *header = NULL;
    mtoken_task *task = NULL;
    mtoken_event *event = NULL;
    mtoken_client *client = NULL;
    mtoken_client_info *info = NULL;
    mtoken_client *const clients[] = {world->client, things->view};
    for (int i = 0; i < 2; i++) {
        EXPECT_FORKED(brief_sign(clients[i], "POST", "/x", bytes(NULL), &world->possession, &header, &error));
        EXPECT_FORKED(mtoken_client_get_info(clients[i], &info, &error));
        EXPECT_FORKED(mtoken_client_synchronize_time(clients[i], &task, &error));
        EXPECT_FORKED(mtoken_operations_list(clients[i], &task, &error));
        EXPECT_FORKED(mtoken_operations_authorize(clients[i], things->operation, &world->pin, NULL, &task, &error));
        EXPECT_FORKED(mtoken_operations_start_polling(clients[i], NULL, &error));
        EXPECT_FORKED(mtoken_client_remove_local(clients[i], &error));
        EXPECT(mtoken_operations_is_loading(clients[i]) == -1);
    }
    EXPECT(!header && !task && !info);
    mtoken_client_options options = bank_client_options(world->bank, world->store);
    EXPECT_FORKED(mtoken_client_new(world->runtime, &options, &client, &error));
    EXPECT_FORKED(mtoken_runtime_next_event(world->runtime, MTOKEN_FOREVER, &event, &error));
    EXPECT_FORKED(mtoken_runtime_next_event(world->runtime, 0, &event, &error));
    EXPECT(mtoken_runtime_fd(world->runtime) == -1);
    mtoken_task *const tasks[] = {things->running, things->done, things->failed, things->listened, things->handling};
    for (int i = 0; i < 5; i++) {
        EXPECT(mtoken_task_wait(tasks[i], MTOKEN_FOREVER) == MTOKEN_ERROR_STATE);
        EXPECT(mtoken_task_result(tasks[i]) == MTOKEN_ERROR_STATE);
        EXPECT(mtoken_task_cancel(tasks[i]) == MTOKEN_ERROR_STATE);
        EXPECT(mtoken_task_give_turn(tasks[i]) == MTOKEN_ERROR_STATE);
        EXPECT(mtoken_task_set_user_data(tasks[i], &task) == MTOKEN_ERROR_STATE);
        EXPECT(mtoken_task_get_state(tasks[i]) == -1);
        EXPECT(mtoken_task_error(tasks[i]) == NULL);
        EXPECT(mtoken_task_operations(tasks[i]) == NULL);
    }
    mtoken_runtime_info *counts = NULL;
    EXPECT_FORKED(mtoken_runtime_interrupt(world->runtime, &error));
    EXPECT_FORKED(mtoken_runtime_get_info(world->runtime, &counts, &error));
    EXPECT_FORKED(mtoken_task_join(things->running, MTOKEN_FOREVER, &error));
    EXPECT_FORKED(mtoken_task_notify(things->running, 1, &error));
    mtoken_store_list *ids = NULL;
    EXPECT_FORKED(mtoken_store_clients(world->store, &ids, &error));
    EXPECT_FORKED(mtoken_store_remove(world->store, "alice", 5, &error));
    EXPECT_FORKED(mtoken_store_copy(world->store, "alice", 5, world->store, "bob", 3, &error));
    EXPECT_FORKED(mtoken_watcher_remove_all(things->watcher, &error));
    EXPECT_FORKED(mtoken_recorder_reset(things->recorder, &error));
    EXPECT_FORKED(mtoken_mobile_token_data_clear(things->data, &error));
    const mtoken_oidc_attributes *attributes = NULL;
    EXPECT_FORKED(mtoken_oidc_process(things->request, "mtoken://oidc", 13, &attributes, &error));
    EXPECT(mtoken_oidc_request_get_authorization(things->listening) == NULL);
    EXPECT_FORKED(mtoken_challenge_confirm(things->challenge, &error));
    EXPECT_FORKED(mtoken_challenge_cancel(things->challenge, &error));
}

/* What needs no handle works on, and so does what the parent had in hand. */
static void data_stays_good(const things *things)
{
    mtoken_activation_code *code = NULL;
    mtoken_text *query = NULL;
    mtoken_visual *visual = NULL;
    EXPECT(strcmp(things->operation->id, "1") == 0);
    EXPECT(things->task_error->code != MTOKEN_OK && things->task_error->message[0]);
    EXPECT(strcmp(things->error->reason, "invalidHandle") == 0);
    EXPECT(mtoken_activation_code_parse("AAAAA-AAAAA-AAAAA-AAAAA", 23, &code, NULL) != MTOKEN_ERROR_HANDLE);
    mtoken_activation_code_free(code);
    EXPECT(mtoken_canonical_query("b=1&a=2", 7, &query, NULL) == MTOKEN_OK);
    EXPECT(strcmp(query->data, "a=2&b=1") == 0);
    mtoken_text_free(query);
    EXPECT(mtoken_visual_new(things->operation, &visual, NULL) == MTOKEN_OK);
    mtoken_visual_free(visual);
    EXPECT(strcmp(mtoken_error_name(MTOKEN_ERROR_STATE), "MTOKEN_ERROR_STATE") == 0);
}

/* A world of the child's own: it waits, signs nothing that the parent could, and gives everything back. */
static void own_world_works(int random)
{
    mtoken_runtime_options events = MTOKEN_RUNTIME_OPTIONS_INIT;
    mtoken_runtime *runtime = NULL;
    mtoken_store *store = NULL;
    mtoken_client *client = NULL;
    mtoken_task *task = NULL;
    mtoken_event *event = NULL;
    mtoken_text *text = NULL;
    events.events = MTOKEN_EVENT_MASK_TASKS;
    EXPECT(mtoken_runtime_new(&events, &runtime, NULL) == MTOKEN_OK);
    EXPECT(mtoken_store_memory_new(&store, NULL) == MTOKEN_OK);
    mtoken_client_options options = plain_options(store, "a", CLOSED_URL);
    EXPECT(mtoken_client_new(runtime, &options, &client, NULL) == MTOKEN_OK);
    EXPECT(mtoken_client_synchronize_time(client, &task, NULL) == MTOKEN_OK);
    EXPECT(mtoken_task_wait(task, MTOKEN_FOREVER) == MTOKEN_OK);
    EXPECT(mtoken_task_result(task) == MTOKEN_ERROR_NETWORK);
    EXPECT(mtoken_runtime_next_event(runtime, MTOKEN_FOREVER, &event, NULL) == MTOKEN_OK);
    EXPECT(event->task == task && event->client == client);
    mtoken_event_free(event);
    mtoken_task_free(task);
    mtoken_client_free(client);
    EXPECT(mtoken_client_get_info(client, &(mtoken_client_info *){NULL}, NULL) ==
           MTOKEN_ERROR_HANDLE); /* freed, not forked */
    mtoken_store_free(store);
    mtoken_runtime_free(runtime);
    EXPECT(mtoken_oidc_random(24, &text, NULL) == MTOKEN_OK);
    EXPECT(write(random, text->data, 32) == 32);
    mtoken_text_free(text);
}

/* ------------------------------------------------------------------------------------------------- threads of the
 * parent */

static atomic_bool leaving;
static atomic_long signatures;

static void *signs(void *context)
{
    const world *world = context;
    while (!atomic_load(&leaving)) {
        mtoken_header *header = NULL;
        if (CHECK_OK(brief_sign(world->client, "POST", "/x", bytes(NULL), &world->pin, &header, NULL)) &&
            CHECK_OK(mtoken_client_signature_accepted(world->client, NULL)))
            atomic_fetch_add(&signatures, 1);
        mtoken_header_free(header);
    }
    return NULL;
}

static void *asks(void *context)
{
    mtoken_runtime *runtime = context;
    mtoken_store *store = NULL;
    if (mtoken_store_memory_new(&store, NULL) != MTOKEN_OK) return NULL;
    mtoken_client *client = plain_client(runtime, store, "asks", CLOSED_URL);
    while (!atomic_load(&leaving)) {
        mtoken_task *task = NULL;
        if (mtoken_client_synchronize_time(client, &task, NULL) == MTOKEN_OK)
            CHECK_KNOWN(mtoken_task_wait(task, 20000));
        mtoken_task_free(task);
    }
    mtoken_client_free(client);
    mtoken_store_free(store);
    return NULL;
}

static void children_leave_the_parent_alone(void)
{
    things things = make_things();
    mtoken_runtime *network = NULL;
    pthread_t threads[THREADS];
    int random[2];
    char seen[1000][32];
    int rounds = under_valgrind() || emulated() ? 10 : 300, random_count = 0, good = 0;
    bool owns = !getenv("MTOKEN_SWIFT_RUNTIME"); /* else the runtime's own locks may be held by a thread that is gone */
    CHECK_INT(pipe(random), 0);
    CHECK_OK(mtoken_runtime_new(NULL, &network, NULL));
    atomic_store(&leaving, false);
    for (int i = 0; i < THREADS; i++)
        CHECK_INT(pthread_create(&threads[i], NULL, i % 2 ? signs : asks, i % 2 ? (void *)&things.world : network), 0);
    for (int round = 0; round < rounds && good == round; round++) {
        int status = -1;
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            alarm(under_valgrind() || emulated() ? 120 : 20);
            if (owns) {
                is_refused(&things);
                data_stays_good(&things);
                own_world_works(random[1]);
            }
            EXPECT(things.event->kind != 0); /* what was given out is the child's own, until it frees it */
            free_things(&things);
            mtoken_runtime_free(network);
            if (owns) is_refused(&things); /* freeing changed nothing: not even here */
            _exit(0);
        }
        CHECK_INT(waitpid(child, &status, 0), child);
        good += CHECK_INT(status, 0);
        if (!owns || status != 0) continue;
        CHECK_INT(read(random[0], seen[random_count], 32), 32);
        for (int i = 0; i < random_count; i++) CHECK(memcmp(seen[i], seen[random_count], 32) != 0);
        random_count++;
    }
    atomic_store(&leaving, true);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    CHECK(atomic_load(&signatures) >= rounds / 10); /* they signed all the time */

    /* Nothing of it reached the parent: all that it had is as it was. */
    CHECK_INT(mtoken_task_get_state(things.running), MTOKEN_TASK_RUNNING);
    CHECK_INT(mtoken_task_get_state(things.listened), MTOKEN_TASK_RUNNING);
    if (!CHECK_INT(mtoken_task_get_state(things.handling), MTOKEN_TASK_RUNNING))
        note("%s", mtoken_task_error(things.handling)->message);
    CHECK_OK(mtoken_challenge_cancel(things.challenge, NULL));
    CHECK_OK(mtoken_task_wait(things.handling, 20000));
    CHECK(things.event->kind != 0);
    CHECK_INT(world_state(&things.world), MTOKEN_CLIENT_ACTIVE);
    CHECK_INT(bank_finish(things.world.bank, things.running), MTOKEN_OK);
    mtoken_runtime_free(network);
    free_things(&things);
    bank_free(things.world.bank);
    close(random[0]);
    close(random[1]);
}

/* libcurl's function takes a lock of the whole process. The library finds this one first. */
static atomic_int in_curl, curl_handles;

static void take_a_while(void)
{
    for (int spin = 0; spin < 1000000; spin++) __asm__ volatile("");
}

void *curl_easy_init(void)
{
    void *(*real)(void);
    *(void **)&real = dlsym(RTLD_NEXT, "curl_easy_init");
    atomic_fetch_add(&in_curl, 1);
    take_a_while();
    void *made = real();
    take_a_while();
    atomic_fetch_sub(&in_curl, 1);
    atomic_fetch_add(&curl_handles, 1);
    return made;
}

static void *makes_handles(void *context)
{
    (void)context;
    while (!atomic_load(&leaving) && plain_lives(20000)) {
    }
    return NULL;
}

/* A child would wait for ever for a lock that a thread of its parent had. */
static void no_fork_comes_into_libcurl(void)
{
    pthread_t thread;
    if (getenv("MTOKEN_CARRIED")) {
        note("not run: libcurl is inside the library, where nothing can look at it");
        return;
    }
    atomic_store(&leaving, false);
    CHECK_INT(pthread_create(&thread, NULL, makes_handles, NULL), 0);
    while (atomic_load(&curl_handles) == 0) sleep_ms(1);
    for (int round = 0; round < (under_valgrind() ? 10 : 200); round++) {
        int status = -1;
        pid_t child = fork();
        if (child == 0) _exit(atomic_load(&in_curl) != 0);
        CHECK_INT(waitpid(child, &status, 0), child);
        CHECK_INT(status, 0);
    }
    atomic_store(&leaving, true);
    pthread_join(thread, NULL);
}

/* The nonce of a new payload: the line before its last. */
static void draw_nonce(char nonce[25])
{
    static const uint8_t key[32] = {1};
    mtoken_qr_build_options options = MTOKEN_QR_BUILD_OPTIONS_INIT;
    mtoken_text *payload = NULL;
    memset(nonce, 0, 25);
    options.id = text("1");
    options.operation_data = text("A1*T1");
    options.private_key = MTOKEN_BYTES(key, sizeof key);
    if (mtoken_qr_operation_build(&options, &payload, NULL) != MTOKEN_OK) return;
    const char *last = strrchr(payload->data, '\n');
    if (last && last - payload->data > 24) memcpy(nonce, last - 24, 24);
    mtoken_text_free(payload);
}

/* Nonces are drawn ahead: those that a parent has left are no child's, whether it was told of the fork or not. */
static void children_draw_their_own_nonces(void)
{
    enum { CHILDREN = 8 };
    char nonces[2 * CHILDREN + 1][25];
    int made = 0;
    draw_nonce(nonces[made++]);
    if (emulated()) note("not run: children that no handler sees (the emulator does not wipe their memory)");
    for (int i = 0; i < CHILDREN; i++) {
        int channel[2], status = -1;
        CHECK_INT(pipe(channel), 0);
        fflush(stdout);
        pid_t child = i % 2 || emulated() ? fork() : _Fork();
        if (child == 0) {
            draw_nonce(nonces[made]);
            _exit(write(channel[1], nonces[made], 25) == 25 ? 0 : 1);
        }
        CHECK_INT(read(channel[0], nonces[made++], 25), 25);
        CHECK_INT(waitpid(child, &status, 0), child);
        CHECK_INT(status, 0);
        close(channel[0]);
        close(channel[1]);
        draw_nonce(nonces[made++]);
    }
    for (int i = 0; i < made; i++) {
        CHECK(strlen(nonces[i]) == 24);
        for (int j = 0; j < i; j++) CHECK(strcmp(nonces[i], nonces[j]) != 0);
    }
}

/* A child of a child, many deep: each is told of what its ancestors made, whoever of them it was. */
static void handles_of_all_ancestors_are_known(void)
{
    mtoken_store *stores[80];
    mtoken_error *error = NULL;
    pid_t child = 0;
    int depth = 0, status = -1;
    if (getenv("MTOKEN_SWIFT_RUNTIME")) return;
    fflush(stdout);
    CHECK_OK(mtoken_store_memory_new(&stores[0], NULL));
    pid_t first = getpid();
    mtoken_runtime *runtime = NULL;
    while (depth < 70 && (child = fork()) == 0) {
        depth++;
        mtoken_client *client = NULL;
        EXPECT(mtoken_store_memory_new(&stores[depth], NULL) == MTOKEN_OK);
        EXPECT(mtoken_runtime_new(NULL, &runtime, NULL) == MTOKEN_OK);
        for (int i = 0; i <= depth; i++) {
            mtoken_client_options options = plain_options(stores[i], "a", CLOSED_URL);
            mtoken_status made = mtoken_client_new(runtime, &options, &client, &error);
            if (i == depth)
                EXPECT(made == MTOKEN_OK);
            else
                EXPECT_FORKED(made);
            EXPECT(i == depth || stores[i] != stores[depth]);
            if (made != MTOKEN_OK) {
                mtoken_error_free(error);
                error = NULL;
            } else {
                mtoken_client_free(client);
            }
        }
        mtoken_runtime_free(runtime);
    }
    if (child > 0) waitpid(child, &status, 0);
    if (getpid() != first) _exit(child == 0 || status == 0 ? 0 : 1);
    CHECK_INT(status, 0);
    mtoken_store_free(stores[0]);
}

/* A lock, a connection or a port that the parent gives up is not kept by its children. */
static void what_the_parent_gives_up_is_free(void)
{
    char folder[256];
    int hold[2], ready[2];
    make_directory(folder, sizeof folder);
    CHECK_INT(pipe(hold), 0);
    CHECK_INT(pipe(ready), 0);
    fflush(stdout);
    pid_t parent = fork();
    if (parent == 0) {
        mtoken_runtime *runtime = NULL;
        mtoken_store *store = NULL;
        mtoken_client *client = NULL;
        EXPECT(mtoken_runtime_new(NULL, &runtime, NULL) == MTOKEN_OK);
        EXPECT(mtoken_store_directory_new(folder, MTOKEN_NUL_TERMINATED, &store, NULL) == MTOKEN_OK);
        mtoken_client_options options = plain_options(store, "a", CLOSED_URL);
        EXPECT(mtoken_client_new(runtime, &options, &client, NULL) == MTOKEN_OK);
        if (fork() == 0) { /* outlives its parent */
            char end;
            close(hold[1]);
            mtoken_client_free(client); /* does not give the parent's lock back */
            mtoken_store_free(store);
            EXPECT(write(ready[1], "x", 1) == 1);
            EXPECT(read(hold[0], &end, 1) == 0);
            _exit(0);
        }
        for (;;) pause();
    }
    char byte;
    CHECK_INT(read(ready[0], &byte, 1), 1);
    mtoken_runtime *runtime = NULL;
    mtoken_store *store = NULL;
    mtoken_client *client = NULL;
    CHECK_OK(mtoken_runtime_new(NULL, &runtime, NULL));
    CHECK_OK(mtoken_store_directory_new(folder, MTOKEN_NUL_TERMINATED, &store, NULL));
    mtoken_client_options options = plain_options(store, "a", CLOSED_URL);
    CHECK_STATUS(mtoken_client_new(runtime, &options, &client, NULL), MTOKEN_ERROR_BUSY);
    kill(parent, SIGKILL);
    waitpid(parent, NULL, 0);
    CHECK_OK(mtoken_client_new(runtime, &options, &client, NULL)); /* though the child lives */
    close(hold[1]);
    close(hold[0]);
    close(ready[0]);
    close(ready[1]);
    mtoken_client_free(client);
    mtoken_store_free(store);
    mtoken_runtime_free(runtime);
    remove_directory(folder);
}

/* ------------------------------------------------------------------------------------------------ a store's function
 * forks */

static pid_t forked_in_save, forked_in_load;

/* A child has its copy of the reply, but the call is the parent's. */
static mtoken_status load_and_fork(void *context, const char *name, mtoken_store_reply *reply)
{
    (void)context, (void)name;
    fflush(stdout);
    forked_in_load = fork();
    if (forked_in_load == 0) {
        EXPECT(mtoken_store_reply_set(reply, (const uint8_t *)"x", 1) == MTOKEN_ERROR_STATE);
        _exit(0);
    }
    int child = -1;
    CHECK_INT(waitpid(forked_in_load, &child, 0), forked_in_load);
    CHECK_INT(child, 0);
    CHECK_OK(mtoken_store_reply_set(reply, (const uint8_t *)"x", 1));
    return MTOKEN_ERROR_NOT_FOUND;
}

static mtoken_status nothing_loaded(void *context, const char *name, mtoken_store_reply *reply)
{
    (void)context, (void)name, (void)reply;
    return MTOKEN_ERROR_NOT_FOUND;
}

static mtoken_status save_and_fork(void *context, const char *name, const uint8_t *data, size_t length)
{
    (void)name, (void)data, (void)length;
    if (*(bool *)context) forked_in_save = fork();
    return MTOKEN_OK;
}

static mtoken_status nothing_removed(void *context, const char *name)
{
    (void)context, (void)name;
    return MTOKEN_OK;
}

static void a_reply_belongs_to_the_process_that_was_asked(void)
{
    mtoken_host_store functions = plain_host_store();
    mtoken_runtime *runtime = NULL;
    mtoken_store *store = NULL;
    functions.load = load_and_fork;
    CHECK_OK(mtoken_runtime_new(NULL, &runtime, NULL));
    CHECK_OK(mtoken_store_host_new(&functions, &store, NULL));
    mtoken_client_free(plain_client(runtime, store, "a", CLOSED_URL));
    mtoken_store_free(store);
    mtoken_runtime_free(runtime);
}

/* The save comes back twice, but the signature that it was for comes back once. */
static void one_signature_comes_of_a_save_that_forks(void)
{
    world world = world_open();
    bool forks = false;
    mtoken_host_store functions = MTOKEN_HOST_STORE_INIT;
    mtoken_store *store = NULL;
    mtoken_client *client = NULL;
    mtoken_header *header = NULL;
    mtoken_error *error = NULL;
    functions.context = &forks;
    functions.load = nothing_loaded;
    functions.save = save_and_fork;
    functions.remove = nothing_removed;
    CHECK_OK(mtoken_store_host_new(&functions, &store, NULL));
    client = bank_client(world.bank, store);
    CHECK_OK(bank_activate(world.bank, client, PIN, NULL));
    forks = true;
    forked_in_save = -1;
    fflush(stdout);
    mtoken_status status = brief_sign(client, "POST", "/x", bytes(NULL), &world.pin, &header, &error);
    if (forked_in_save == 0) {
        EXPECT_FORKED(status);
        EXPECT(header == NULL);
        _exit(0);
    }
    int child = -1;
    CHECK_STATUS(status, MTOKEN_OK);
    CHECK(header != NULL);
    mtoken_header_free(header);
    CHECK_INT(waitpid(forked_in_save, &child, 0), forked_in_save);
    CHECK_INT(child, 0);
    mtoken_client_free(client);
    mtoken_store_free(store);
    world_close(&world);
}

/* Children that no handler of pthread_atfork has seen: the kernel tells of them. */
static void children_without_handlers_are_noticed(void)
{
    pid_t (*bare_fork)(void) = NULL;
    *(void **)&bare_fork = dlsym(RTLD_DEFAULT, "_Fork");
    world world = world_open_active();
    for (int how = 0; how < 2 && !emulated(); how++) {
        if (how == 0 && !bare_fork) continue;
        fflush(stdout);
        pid_t child = how == 0 ? bare_fork() : (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
        if (child == 0) {
            mtoken_header *header = NULL;
            mtoken_error *error = NULL;
            mtoken_runtime *own = NULL;
            mtoken_status status = brief_sign(world.client, "POST", "/x", bytes("b"), &world.pin, &header, &error);
            if (!is_forked(status, &error) || header) _exit(1);
            if (mtoken_runtime_new(NULL, &own, NULL) != MTOKEN_OK) _exit(2);
            mtoken_runtime_free(own);
            _exit(0);
        }
        int end = -1;
        CHECK(child > 0 && waitpid(child, &end, 0) == child);
        CHECK_INT(end, 0);
        CHECK(world_signs(&world, &world.pin)); /* the counter is where it was */
    }
    CHECK_INT(world.bank->reused, 0);
    world_close(&world);
}

static const test tests[] = {
    {"children without handlers are noticed", children_without_handlers_are_noticed},
    {"children draw their own nonces", children_draw_their_own_nonces},
    {"children leave the parent alone", children_leave_the_parent_alone},
    {"no fork comes into libcurl", no_fork_comes_into_libcurl},
    {"handles of all ancestors are known", handles_of_all_ancestors_are_known},
    {"what the parent gives up is free", what_the_parent_gives_up_is_free},
    {"a reply belongs to the process that was asked", a_reply_belongs_to_the_process_that_was_asked},
    {"one signature comes of a save that forks", one_signature_comes_of_a_save_that_forks},
};

int main(int argc, char **argv)
{
    after_each = no_handles_left;
    return RUN(tests);
}
