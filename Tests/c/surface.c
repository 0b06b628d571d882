/* The testing surface itself: what it promises, and misuse of it. */
#include "world.h"

#include <pthread.h>
#include <unistd.h>

static mtoken_runtime *make(const mtoken_testing_options *options)
{
    mtoken_runtime *runtime = NULL;
    mtoken_error *error = NULL;
    CHECK_ERROR(mtoken_testing_runtime_new(NULL, options, &runtime, &error), MTOKEN_OK, error);
    return runtime;
}

static void refuses_bad_options(void)
{
    mtoken_testing_options options = MTOKEN_TESTING_OPTIONS_INIT;
    const mtoken_testing_options good = options;
    mtoken_runtime *runtime = NULL;
    mtoken_error *error = NULL;
    CHECK_ERROR(mtoken_testing_runtime_new(NULL, NULL, &runtime, &error), MTOKEN_ERROR_ARGUMENT, error);
    CHECK_ERROR(mtoken_testing_runtime_new(NULL, &options, NULL, &error), MTOKEN_ERROR_ARGUMENT, error);
#define REFUSED(change, code)                                                                                          \
    do {                                                                                                               \
        options = good;                                                                                                \
        change;                                                                                                        \
        CHECK_ERROR(mtoken_testing_runtime_new(NULL, &options, &runtime, &error), code, error);                        \
        CHECK(runtime == NULL);                                                                                        \
    } while (0)
    REFUSED(options.struct_size--, MTOKEN_ERROR_ARGUMENT);
    REFUSED(options.clock = 3, MTOKEN_ERROR_ARGUMENT);
    REFUSED(options.clock = -1, MTOKEN_ERROR_ARGUMENT);
    REFUSED(options.transport = 4, MTOKEN_ERROR_ARGUMENT);
    REFUSED(options.random = 2, MTOKEN_ERROR_ARGUMENT);
    REFUSED(options.pin_iterations = -1, MTOKEN_ERROR_ARGUMENT);
    REFUSED(options.file = text("x"), MTOKEN_ERROR_ARGUMENT);
    REFUSED(options.transport = MTOKEN_TESTING_TRANSPORT_NETWORK, MTOKEN_ERROR_ARGUMENT);
    REFUSED(options.transport = MTOKEN_TESTING_TRANSPORT_REPLAY, MTOKEN_ERROR_ARGUMENT);
    REFUSED((options.transport = MTOKEN_TESTING_TRANSPORT_REPLAY, options.file = text("/nonexistent/x")),
            MTOKEN_ERROR_STORAGE);
    REFUSED((options.transport = MTOKEN_TESTING_TRANSPORT_REPLAY, options.file = text("/dev/null/x")),
            MTOKEN_ERROR_STORAGE);
    REFUSED((options.transport = MTOKEN_TESTING_TRANSPORT_RECORD, options.clock = MTOKEN_TESTING_CLOCK_WALL,
             options.file = text("/nonexistent/x")),
            MTOKEN_ERROR_STORAGE);
#undef REFUSED
}

static void refuses_foreign_handles(void)
{
    mtoken_runtime *ordinary = NULL, *test = NULL;
    mtoken_store *memory = NULL;
    mtoken_testing_options options = MTOKEN_TESTING_OPTIONS_INIT;
    mtoken_testing_answer answer = MTOKEN_TESTING_ANSWER_INIT;
    mtoken_testing_request *request = NULL;
    mtoken_testing_data *data = NULL;
    mtoken_store *store = NULL;
    const uint8_t number[32] = {1};
    CHECK_OK(mtoken_runtime_new(NULL, &ordinary, NULL));
    CHECK_OK(mtoken_store_memory_new(&memory, NULL));
    test = make(&options);
    mtoken_runtime_free(test);
    mtoken_runtime *const runtimes[] = {NULL, ordinary, test, (mtoken_runtime *)memory, (mtoken_runtime *)&options};
    for (size_t i = 0; i < sizeof runtimes / sizeof runtimes[0]; i++) {
        mtoken_runtime *runtime = runtimes[i];
        CHECK_STATUS(mtoken_testing_advance(runtime, 0, NULL), MTOKEN_ERROR_HANDLE);
        CHECK_STATUS(mtoken_testing_set_wall(runtime, 0, NULL), MTOKEN_ERROR_HANDLE);
        CHECK_STATUS(mtoken_testing_clocks(runtime, NULL, NULL, NULL), MTOKEN_ERROR_HANDLE);
        CHECK_STATUS(mtoken_testing_request_answer(runtime, 0, &answer, NULL), MTOKEN_ERROR_HANDLE);
        CHECK_STATUS(mtoken_testing_request_get(runtime, 0, 0, &request, NULL), MTOKEN_ERROR_HANDLE);
        CHECK_INT(mtoken_testing_request_count(runtime), 0);
        CHECK_STATUS(mtoken_testing_random_bytes(runtime, number, 32, NULL), MTOKEN_ERROR_HANDLE);
        CHECK_STATUS(mtoken_testing_random_key(runtime, number, 32, NULL), MTOKEN_ERROR_HANDLE);
        CHECK_STATUS(mtoken_testing_random_fail(runtime, 1, 0, NULL), MTOKEN_ERROR_HANDLE);
        CHECK_INT(mtoken_testing_random_count(runtime), 0);
    }
    mtoken_store *const stores[] = {NULL, memory, (mtoken_store *)ordinary, (mtoken_store *)&options};
    for (size_t i = 0; i < sizeof stores / sizeof stores[0]; i++) {
        CHECK_STATUS(mtoken_testing_store_fail(stores[i], MTOKEN_TESTING_LOAD, 1, 0, 0, NULL), MTOKEN_ERROR_HANDLE);
        CHECK_STATUS(mtoken_testing_store_delay(stores[i], MTOKEN_TESTING_LOAD, 1, NULL), MTOKEN_ERROR_HANDLE);
        CHECK_INT(mtoken_testing_store_count(stores[i], MTOKEN_TESTING_ALL_CALLS), 0);
        CHECK_STATUS(mtoken_testing_store_read(stores[i], "a", 1, &data, NULL), MTOKEN_ERROR_HANDLE);
        CHECK_STATUS(mtoken_testing_store_write(stores[i], "a", 1, NULL, 0, NULL), MTOKEN_ERROR_HANDLE);
        if (stores[i] != memory) CHECK_STATUS(mtoken_testing_store_new(stores[i], &store, NULL), MTOKEN_ERROR_HANDLE);
    }
    CHECK_STATUS(mtoken_testing_store_new(memory, NULL, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK_INT(mtoken_testing_live_handles(MTOKEN_TESTING_HANDLES_ALL), 2);
    CHECK_INT(mtoken_testing_live_handles(MTOKEN_TESTING_HANDLES_RUNTIME), 1);
    CHECK_INT(mtoken_testing_live_handles(99), 0);
    CHECK_INT(mtoken_testing_live_handles(-1), 0);
    mtoken_testing_request_free(NULL);
    mtoken_testing_data_free(NULL);
    mtoken_store_free(memory);
    mtoken_runtime_free(ordinary);
}

static void refuses_bad_arguments(void)
{
    world world = world_open();
    mtoken_testing_answer answer = MTOKEN_TESTING_ANSWER_INIT;
    const mtoken_testing_answer good = answer;
    mtoken_testing_request *request = NULL;
    mtoken_testing_data *data = NULL;
    uint8_t number[33] = {0};
    mtoken_runtime *runtime = world.runtime;
    mtoken_error *error = NULL;
    CHECK_STATUS(mtoken_testing_advance(runtime, -1, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK_OK(mtoken_testing_advance(runtime, INT64_MAX / 4, NULL));
#define REFUSED(change)                                                                                                \
    do {                                                                                                               \
        answer = good;                                                                                                 \
        change;                                                                                                        \
        CHECK_ERROR(mtoken_testing_request_answer(runtime, 0, &answer, &error), MTOKEN_ERROR_ARGUMENT, error);         \
    } while (0)
    REFUSED(answer.struct_size = 0);
    REFUSED(answer.failure = 16);
    REFUSED(answer.failure = -1);
    REFUSED(answer.status = 199);
    REFUSED(answer.status = 1000);
    REFUSED(answer.reserved = 1);
    REFUSED(answer.delay_ms = -1);
    REFUSED(answer.headers = text("no colon\n"));
    REFUSED(answer.headers = text(": no name\n"));
    REFUSED(answer.body.length = 1);
    REFUSED((answer.body = bytes("x"), answer.body.length = SIZE_MAX));
#undef REFUSED
    CHECK_STATUS(mtoken_testing_request_answer(runtime, 0, NULL, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(mtoken_testing_request_answer(runtime, SIZE_MAX - 1, &good, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK_OK(mtoken_testing_request_answer(runtime, MTOKEN_TESTING_EVERY, NULL, NULL));
    CHECK_STATUS(mtoken_testing_request_get(runtime, 0, 0, &request, NULL), MTOKEN_ERROR_TIMEOUT);
    CHECK_STATUS(mtoken_testing_request_get(runtime, 0, MTOKEN_FOREVER, &request, NULL), MTOKEN_ERROR_TIMEOUT);
    CHECK_STATUS(mtoken_testing_request_get(runtime, 0, -2, &request, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(mtoken_testing_request_get(runtime, SIZE_MAX, 0, &request, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(mtoken_testing_request_get(runtime, 0, 0, NULL, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(mtoken_testing_random_bytes(runtime, NULL, 1, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(mtoken_testing_random_key(runtime, number, 32, NULL), MTOKEN_ERROR_ARGUMENT); /* zero */
    memset(number, 0xff, sizeof number);
    CHECK_STATUS(mtoken_testing_random_key(runtime, number, 32, NULL), MTOKEN_ERROR_ARGUMENT); /* beyond the order */
    CHECK_STATUS(mtoken_testing_random_key(runtime, number + 1, 31, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(mtoken_testing_random_fail(runtime, SIZE_MAX, 0, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(mtoken_testing_store_fail(world.store, 0, 1, 0, 0, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(mtoken_testing_store_fail(world.store, 8, 1, 0, 0, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(mtoken_testing_store_fail(world.store, 1, 1, 0, 4, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(mtoken_testing_store_fail(world.store, 1, 1, 0, -1, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(mtoken_testing_store_delay(world.store, 1, -1, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(mtoken_testing_store_read(world.store, NULL, 0, &data, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(mtoken_testing_store_read(world.store, "none", 4, &data, NULL), MTOKEN_ERROR_NOT_FOUND);
    CHECK_STATUS(mtoken_testing_store_write(world.store, "a", 1, NULL, 1, NULL), MTOKEN_ERROR_ARGUMENT);
    world_close(&world);
}

static void answers_go_to_their_requests(void)
{
    world world = world_open();
    mtoken_testing_answer answer = MTOKEN_TESTING_ANSWER_INIT;
    mtoken_testing_request *request = NULL;
    mtoken_task *tasks[4];
    answer.body = bytes("{\"status\":\"OK\",\"responseObject\":{\"serverTime\":1700000000000}}");
    /* Request 1 has its answer before it is made; request 0 waits; request 2 gets what every one gets. */
    CHECK_OK(mtoken_testing_request_answer(world.runtime, 1, &answer, NULL));
    CHECK_STATUS(mtoken_testing_request_answer(world.runtime, 1, &answer, NULL), MTOKEN_ERROR_STATE);
    CHECK_OK(mtoken_client_synchronize_time(world.client, &tasks[0], NULL));
    CHECK_OK(mtoken_testing_request_get(world.runtime, 0, 0, &request, NULL));
    if (CHECK(request)) {
        CHECK_INT(request->number, 0);
        CHECK_INT(request->state, MTOKEN_TESTING_REQUEST_WAITING);
        CHECK_INT(request->at_most_once, 0);
        CHECK_INT(request->time, 1700000000000);
        CHECK_TEXT(request->url, BANK_URL PATH_TIME);
        CHECK_TEXT((const char *)request->body, "{}");
        CHECK_INT(request->body_length, 2);
        CHECK_TEXT(header_of(request, "Accept"), "application/json");
        CHECK(header_of(request, "Cookie") == NULL);
    }
    mtoken_testing_request_free(request);
    CHECK_OK(mtoken_task_cancel(tasks[0]));
    CHECK_OK(mtoken_testing_advance(world.runtime, 0, NULL));
    CHECK_STATUS(mtoken_task_result(tasks[0]), MTOKEN_ERROR_CANCELLED);
    CHECK_OK(mtoken_testing_request_get(world.runtime, 0, 0, &request, NULL));
    CHECK_INT(request ? request->state : -1, MTOKEN_TESTING_REQUEST_ENDED);
    mtoken_testing_request_free(request);
    CHECK_STATUS(mtoken_testing_request_answer(world.runtime, 0, &answer, NULL), MTOKEN_ERROR_STATE);
    CHECK_OK(mtoken_client_synchronize_time(world.client, &tasks[1], NULL));
    CHECK_OK(mtoken_testing_advance(world.runtime, 0, NULL));
    CHECK_STATUS(mtoken_task_result(tasks[1]), MTOKEN_OK);
    CHECK_OK(mtoken_client_synchronize_time(world.client, &tasks[2], NULL));
    CHECK_OK(mtoken_testing_advance(world.runtime, 0, NULL));
    CHECK_STATUS(mtoken_task_result(tasks[2]), MTOKEN_ERROR_STATE);
    CHECK_OK(mtoken_testing_request_answer(world.runtime, MTOKEN_TESTING_EVERY, &answer, NULL));
    CHECK_OK(mtoken_testing_advance(world.runtime, 0, NULL));
    CHECK_STATUS(mtoken_task_result(tasks[2]), MTOKEN_OK);
    CHECK_OK(mtoken_client_synchronize_time(world.client, &tasks[3], NULL));
    CHECK_OK(mtoken_testing_advance(world.runtime, 0, NULL));
    CHECK_STATUS(mtoken_task_result(tasks[3]), MTOKEN_OK);
    CHECK_INT(mtoken_testing_request_count(world.runtime), 4);
    for (int i = 0; i < 4; i++) mtoken_task_free(tasks[i]);
    world_close(&world);
}

/* What the first request of an activation looks like under a seed; to be freed. */
static char *first_request(uint64_t seed, int32_t random)
{
    mtoken_testing_options options = MTOKEN_TESTING_OPTIONS_INIT;
    mtoken_activation_options activation = MTOKEN_ACTIVATION_OPTIONS_INIT;
    mtoken_testing_request *request = NULL;
    mtoken_store *store = NULL;
    mtoken_task *task = NULL;
    static char configuration[256], *code;
    options.seed = seed;
    options.random = random;
    mtoken_runtime *runtime = make(&options);
    if (!code) { /* the same bank for all */
        bank *bank = bank_new(runtime);
        strcpy(configuration, bank->configuration);
        code = strdup(bank->code_qr);
        bank_free(bank);
    }
    mtoken_client_options client_options = MTOKEN_CLIENT_OPTIONS_INIT;
    mtoken_client *client = NULL;
    CHECK_OK(mtoken_store_memory_new(&store, NULL));
    client_options.id = text("a");
    client_options.configuration = text(configuration);
    client_options.base_url = text(BANK_URL);
    client_options.store = store;
    CHECK_OK(mtoken_client_new(runtime, &client_options, &client, NULL));
    activation.code = text(code);
    CHECK_OK(mtoken_client_activate(client, &activation, &task, NULL));
    CHECK_OK(mtoken_testing_request_get(runtime, 0, 0, &request, NULL));
    char *body = strdup(request ? (const char *)request->body : "");
    CHECK(mtoken_testing_random_count(runtime) >= 3); /* device secret, key pair, challenge */
    mtoken_testing_request_free(request);
    mtoken_client_free(client);
    mtoken_store_free(store);
    mtoken_runtime_free(runtime);
    mtoken_task_free(task);
    return body;
}

static void randomness_follows_from_the_seed(void)
{
    char *a = first_request(1, MTOKEN_TESTING_RANDOM_SEEDED), *b = first_request(1, MTOKEN_TESTING_RANDOM_SEEDED);
    char *c = first_request(2, MTOKEN_TESTING_RANDOM_SEEDED), *d = first_request(1, MTOKEN_TESTING_RANDOM_SYSTEM);
    char *e = first_request(1, MTOKEN_TESTING_RANDOM_SYSTEM);
    CHECK_TEXT(a, b);
    CHECK(strcmp(a, c) != 0);
    CHECK(strcmp(a, d) != 0);
    CHECK(strcmp(d, e) != 0);
    free(a);
    free(b);
    free(c);
    free(d);
    free(e);
}

static void recordings_are_replayed(void)
{
    char folder[256], path[300];
    make_directory(folder, sizeof folder);
    snprintf(path, sizeof path, "%s/tape", folder);
    static const char line[] =
        "{\"method\":\"POST\",\"url\":\"" BANK_URL PATH_TIME "\",\"headers\":[[\"Content-Type\",\"application/json\"],"
        "[\"Accept\",\"application/"
        "json\"],[\"Accept-Language\",\"%s\"],[\"User-Agent\",\"any\"]],\"body\":\"{}\",%s}\n";
    FILE *file = fopen(path, "w");
    fprintf(file, line, "en",
            "\"status\":200,\"answerHeaders\":[[\"A\",\"b\"]],\"answer\":\"{\\\"status\\\":\\\"OK\\\","
            "\\\"responseObject\\\":{\\\"serverTime\\\":1700000000000}}\"");
    fprintf(file, line, "en", "\"failure\":5,\"sent\":true");
    fprintf(file, line, "cs", "\"status\":200,\"answerHeaders\":[],\"answer64\":\"e30=\"");
    fclose(file);

    mtoken_testing_options options = MTOKEN_TESTING_OPTIONS_INIT;
    options.transport = MTOKEN_TESTING_TRANSPORT_REPLAY;
    options.file = text(path);
    mtoken_runtime *runtime = make(&options);
    mtoken_store *store = NULL;
    bank *bank = bank_new(runtime);
    CHECK_OK(mtoken_store_memory_new(&store, NULL));
    mtoken_client *client = bank_client(bank, store);
    static const mtoken_status expected[] = {MTOKEN_OK, MTOKEN_ERROR_NETWORK, MTOKEN_ERROR_INTERNAL,
                                             MTOKEN_ERROR_INTERNAL};
    for (size_t i = 0; i < 4; i++) { /* as recorded twice, then another language, then the end */
        mtoken_task *task = NULL;
        CHECK_OK(mtoken_client_synchronize_time(client, &task, NULL));
        CHECK_OK(mtoken_testing_advance(runtime, 0, NULL));
        CHECK_STATUS(mtoken_task_result(task), expected[i]);
        mtoken_task_free(task);
    }
    mtoken_client_free(client);
    mtoken_runtime_free(runtime);
    bank_free(bank);

    static const char *const bad[] = {"{", "[]", "{}", "{\"method\":\"POST\"}", "\n\nx\n"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        file = fopen(path, "w");
        fputs(bad[i], file);
        fclose(file);
        mtoken_error *error = NULL;
        CHECK_ERROR(mtoken_testing_runtime_new(NULL, &options, &runtime, &error), MTOKEN_ERROR_PARSE, error);
    }
    mtoken_store_free(store);
    remove_directory(folder);
}

static void recorder_writes_what_happened(void)
{
    char folder[256], path[300], content[8192];
    make_directory(folder, sizeof folder);
    snprintf(path, sizeof path, "%s/tape", folder);
    mtoken_testing_options options = MTOKEN_TESTING_OPTIONS_INIT;
    options.clock = MTOKEN_TESTING_CLOCK_WALL;
    options.transport = MTOKEN_TESTING_TRANSPORT_RECORD;
    options.file = text(path);
    mtoken_runtime *runtime = make(&options);
    mtoken_store *store = NULL;
    bank *bank = bank_new(runtime);
    CHECK_OK(mtoken_store_memory_new(&store, NULL));
    mtoken_client_options client_options = bank_client_options(bank, store);
    mtoken_client *client = NULL;
    mtoken_task *task = NULL;
    client_options.base_url = text("http://127.0.0.1:1");
    client_options.allow_http = 1;
    CHECK_OK(mtoken_client_new(runtime, &client_options, &client, NULL));
    CHECK_OK(mtoken_client_synchronize_time(client, &task, NULL));
    CHECK_OK(mtoken_task_wait(task, 20000));
    CHECK_STATUS(mtoken_task_result(task), MTOKEN_ERROR_NETWORK);
    mtoken_task_free(task);
    mtoken_client_free(client);
    mtoken_runtime_free(runtime);
    bank_free(bank);
    mtoken_store_free(store);
    FILE *file = fopen(path, "r");
    size_t size = fread(content, 1, sizeof content - 1, file);
    fclose(file);
    content[size] = 0;
    CHECK(strstr(content, "\"url\":\"http://127.0.0.1:1/pa/v3/status\""));
    CHECK(strstr(content, "\"failure\":4,\"sent\":false}\n"));
    remove_directory(folder);
}

static void *answer_from_elsewhere(void *context)
{
    mtoken_runtime *runtime = context;
    mtoken_testing_answer answer = MTOKEN_TESTING_ANSWER_INIT;
    answer.body = bytes("{\"status\":\"OK\",\"responseObject\":{\"serverTime\":1700000000000}}");
    for (size_t i = 0; i < 20; i++) {
        mtoken_testing_request *request = NULL;
        CHECK_OK(mtoken_testing_request_get(runtime, i, 20000, &request, NULL));
        mtoken_testing_request_free(request);
        CHECK_OK(mtoken_testing_request_answer(runtime, i, &answer, NULL));
    }
    return NULL;
}

static void scripts_work_with_a_thread(void)
{
    static const int32_t clocks[] = {MTOKEN_TESTING_CLOCK_SYSTEM, MTOKEN_TESTING_CLOCK_WALL};
    for (size_t c = 0; c < 2; c++) {
        mtoken_testing_options options = MTOKEN_TESTING_OPTIONS_INIT;
        options.clock = clocks[c];
        mtoken_runtime *runtime = make(&options);
        mtoken_store *store = NULL;
        bank *bank = bank_new(runtime);
        mtoken_testing_request *request = NULL;
        int64_t wall = 0, start = milliseconds();
        pthread_t thread;
        CHECK_OK(mtoken_store_memory_new(&store, NULL));
        mtoken_client *client = bank_client(bank, store);
        CHECK_STATUS(mtoken_testing_request_get(runtime, 0, 30, &request, NULL), MTOKEN_ERROR_TIMEOUT);
        CHECK(milliseconds() - start >= 29);
        pthread_create(&thread, NULL, answer_from_elsewhere, runtime);
        for (int i = 0; i < 20; i++) {
            mtoken_task *task = NULL;
            CHECK_OK(mtoken_client_synchronize_time(client, &task, NULL));
            CHECK_OK(mtoken_task_wait(task, 20000));
            CHECK_STATUS(mtoken_task_result(task), MTOKEN_OK);
            mtoken_task_free(task);
        }
        pthread_join(thread, NULL);
        CHECK_STATUS(mtoken_testing_advance(runtime, 5000, NULL),
                     clocks[c] == MTOKEN_TESTING_CLOCK_WALL ? MTOKEN_OK : MTOKEN_ERROR_STATE);
        CHECK_OK(mtoken_testing_clocks(runtime, &wall, NULL, NULL));
        if (clocks[c] == MTOKEN_TESTING_CLOCK_WALL) CHECK_INT(wall, 1700000005000);
        CHECK_STATUS(mtoken_testing_set_wall(runtime, 1, NULL),
                     clocks[c] == MTOKEN_TESTING_CLOCK_WALL ? MTOKEN_OK : MTOKEN_ERROR_STATE);
        mtoken_client_free(client);
        mtoken_store_free(store);
        mtoken_runtime_free(runtime);
        bank_free(bank);
    }
}

static void refuses_unknown_activations(void)
{
    world world = world_open();
    mtoken_client *client = world.client;
    const mtoken_testing_activation none = MTOKEN_TESTING_ACTIVATION_INIT;
    mtoken_testing_activation activation = none;
    mtoken_error *error = NULL;
    static const uint8_t key[33] = {1};
    activation.activation_id = text("3bcd5c3a-3f1a-4b6e-8e0c-0d6f2b6f2f11");
    activation.secret = activation.counter = MTOKEN_BYTES(key, 16);
    activation.pin = bytes(PIN);
    const mtoken_testing_activation good = activation;
#define REFUSED(change)                                                                                                \
    do {                                                                                                               \
        activation = good;                                                                                             \
        change;                                                                                                        \
        CHECK_ERROR(mtoken_testing_client_adopt(client, &activation, &error), MTOKEN_ERROR_ARGUMENT, error);           \
        CHECK_INT(world_state(&world), MTOKEN_CLIENT_EMPTY);                                                           \
    } while (0)
    CHECK_STATUS(mtoken_testing_client_adopt(NULL, &good, NULL), MTOKEN_ERROR_HANDLE);
    CHECK_STATUS(mtoken_testing_client_adopt((mtoken_client *)world.runtime, &good, NULL), MTOKEN_ERROR_HANDLE);
    CHECK_STATUS(mtoken_testing_client_adopt(client, NULL, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(mtoken_testing_client_adopt(client, &none, NULL), MTOKEN_ERROR_ARGUMENT);
    REFUSED(activation.struct_size--);
    REFUSED(activation.activation_id = text(""));
    REFUSED(activation.activation_id = text("\"quoted\""));
    REFUSED(activation.secret.length = 15);
    REFUSED(activation.counter.length = 32);
    REFUSED(activation.knowledge = MTOKEN_BYTES(key, 17));
    REFUSED(activation.server_key = MTOKEN_BYTES(key, 33));
    REFUSED(activation.pin = bytes("123"));
    REFUSED(activation.biometry_key = MTOKEN_BYTES(key, 15));
    REFUSED(activation.counter_byte = 256);
    REFUSED(activation.reserved = 1);
#undef REFUSED
    CHECK_STATUS(mtoken_testing_client_keep_key(client, 2, "k", 1, key, 32, 1, NULL), MTOKEN_ERROR_NOT_ACTIVATED);
    CHECK_OK(mtoken_testing_client_adopt(client, &good, NULL));
    CHECK_STATUS(mtoken_testing_client_adopt(client, &good, NULL), MTOKEN_ERROR_STATE);
    CHECK_STATUS(mtoken_testing_client_keep_key(client, 3, "k", 1, key, 32, 1, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(mtoken_testing_client_keep_key(NULL, 1, "k", 1, key, 32, 1, NULL), MTOKEN_ERROR_HANDLE);
    CHECK_STATUS(mtoken_testing_client_keep_key(client, 1, "k", 1, key, 32, 1, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK_OK(world_restart(&world)); /* it is stored */
    CHECK_INT(world_state(&world), MTOKEN_CLIENT_ACTIVE);
    world_close(&world);
}

static const test tests[] = {
    {"refuses bad options", refuses_bad_options},
    {"refuses foreign handles", refuses_foreign_handles},
    {"refuses bad arguments", refuses_bad_arguments},
    {"refuses unknown activations", refuses_unknown_activations},
    {"answers go to their requests", answers_go_to_their_requests},
    {"randomness follows from the seed", randomness_follows_from_the_seed},
    {"recordings are replayed", recordings_are_replayed},
    {"the recorder writes what happened", recorder_writes_what_happened},
    {"scripts work with a thread", scripts_work_with_a_thread},
};

int main(int argc, char **argv)
{
    after_each = no_handles_left;
    return RUN(tests);
}
