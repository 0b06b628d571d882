/* The values of handles: whole numbers that a double holds, above all addresses, none of them given out twice. */
#include "plain.h"

#include <pthread.h>

#define LEAST ((uint64_t)1 << 52)
#define END ((uint64_t)1 << 53)
#define GENERATIONS ((uint64_t)1 << 22) /* of a slot; an implementation's matter, but the tests must get past them */

static uint64_t value(const void *handle) { return (uint64_t)(uintptr_t)handle; }

/* As JavaScript and LuaJIT keep a number. */
static void *through_a_double(const void *handle)
{
    volatile double number = (double)value(handle);
    return (void *)(uintptr_t)(uint64_t)number;
}

static bool is_good(const void *handle)
{
    return CHECK(value(handle) >= LEAST && value(handle) < END) && CHECK(through_a_double(handle) == handle);
}

/* Must be the first test, so that no other slot of stores is free: the table takes the one that is free the longest. */
static void no_handle_comes_back(void)
{
    uint64_t rounds = under_valgrind() || emulated() ? 1000 : GENERATIONS + 4096;
    mtoken_store *first = NULL, *last = NULL;
    CHECK_OK(mtoken_store_memory_new(&first, NULL));
    mtoken_store_free(first);
    uint64_t previous = value(first);
    for (uint64_t i = 1; i < rounds; i++) {
        mtoken_store *other = NULL;
        if (!CHECK_OK(mtoken_store_memory_new(&other, NULL)) || !CHECK(other != first) ||
            !CHECK(value(other) != previous))
            break;
        previous = value(other);
        mtoken_store_free(first); /* does nothing to the other */
        mtoken_client_options options = plain_options(other, "a", CLOSED_URL);
        if (i % 65536 == 0) { /* the old one is as freed as before, and the new one is in use */
            mtoken_runtime *runtime = NULL;
            mtoken_client *client = NULL;
            CHECK_OK(mtoken_runtime_new(NULL, &runtime, NULL));
            CHECK_OK(mtoken_client_new(runtime, &options, &client, NULL));
            mtoken_client_free(client);
            options.store = first;
            CHECK_STATUS(mtoken_client_new(runtime, &options, &client, NULL), MTOKEN_ERROR_HANDLE);
            mtoken_runtime_free(runtime);
        }
        mtoken_store_free(other);
        last = other;
    }
    is_good(last);
}

/* Slots that are free are taken in the order in which they became so. */
static void the_longest_free_comes_first(void)
{
    enum { MANY = 50 };
    static const int order[] = {17, 3, 49, 0, 28};
    enum { FREED = sizeof order / sizeof order[0] };
    mtoken_store *stores[MANY], *more[MANY + FREED];
    const uint64_t slot = ((uint64_t)1 << 22) - 1;
    for (int i = 0; i < MANY; i++) CHECK_OK(mtoken_store_memory_new(&stores[i], NULL));
    for (int i = 0; i < FREED; i++) mtoken_store_free(stores[order[i]]);
    int made = 0, found = 0;
    while (made < MANY + FREED && found < FREED) {
        CHECK_OK(mtoken_store_memory_new(&more[made], NULL));
        for (int i = 0; i < FREED; i++) {
            if ((value(more[made]) & slot) != (value(stores[order[i]]) & slot)) continue;
            CHECK_INT(i, found++);
            CHECK(more[made] != stores[order[i]]);
        }
        made++;
    }
    CHECK_INT(found, FREED);
    for (int i = 0; i < MANY; i++) mtoken_store_free(stores[i]);
    for (int i = 0; i < made; i++) mtoken_store_free(more[i]);
}

static mtoken_store_reply *seen;

static mtoken_status load(void *context, const char *name, mtoken_store_reply *reply)
{
    (void)context, (void)name;
    seen = reply;
    return MTOKEN_ERROR_NOT_FOUND;
}

static mtoken_oidc_request *oidc_request(void)
{
    mtoken_oidc_options options = MTOKEN_OIDC_OPTIONS_INIT;
    mtoken_oidc_request *request = NULL;
    options.provider_id = options.client_id = text("x");
    options.scopes = text("openid");
    options.authorize_uri = text("https://idp.example/authorize");
    options.redirect_uri = text("mtoken://oidc");
    CHECK_OK(mtoken_oidc_prepare(&options, &request, NULL));
    return request;
}

static void every_kind_has_good_values(void)
{
    mtoken_runtime_options options = MTOKEN_RUNTIME_OPTIONS_INIT;
    mtoken_call_options call = MTOKEN_CALL_OPTIONS_INIT;
    mtoken_host_store host = plain_host_store();
    mtoken_runtime *runtime = NULL;
    mtoken_store *store = NULL;
    mtoken_task *task = NULL;
    mtoken_event *event = NULL;
    mtoken_client *view = NULL;
    mtoken_watcher *watcher = NULL;
    mtoken_mobile_token_data *data = NULL;
    mtoken_recorder *recorder = NULL;
    options.events = MTOKEN_EVENT_MASK_ALL;
    host.load = load;
    CHECK_OK(mtoken_runtime_new(&options, &runtime, NULL));
    CHECK_OK(mtoken_store_host_new(&host, &store, NULL));
    mtoken_client *client = plain_client(runtime, store, "a", CLOSED_URL);
    CHECK_OK(mtoken_client_with_options(client, &call, &view, NULL));
    CHECK_OK(mtoken_client_synchronize_time(client, &task, NULL));
    CHECK_OK(mtoken_task_wait(task, 20000));
    CHECK_OK(mtoken_runtime_next_event(runtime, 20000, &event, NULL));
    CHECK_OK(mtoken_watcher_new(client, &watcher, NULL));
    CHECK_OK(mtoken_mobile_token_data_new(NULL, 0, &data, NULL));
    CHECK_OK(mtoken_recorder_new(client, &recorder, NULL));
    mtoken_oidc_request *request = oidc_request();
    const void *handles[] = {runtime, store, client, view, task, watcher, data, recorder, request, seen};
    enum { COUNT = sizeof handles / sizeof handles[0] };
    for (int i = 0; i < COUNT; i++) {
        if (!is_good(handles[i])) note("kind %d: %p", i, handles[i]);
        for (int k = 0; k < i; k++) CHECK(handles[i] != handles[k]);
    }
    mtoken_oidc_request_free(request);
    mtoken_recorder_free(recorder);
    mtoken_mobile_token_data_free(data);
    mtoken_watcher_free(watcher);
    mtoken_event_free(event);
    mtoken_task_free(task);
    mtoken_client_free(view);
    mtoken_client_free(client);
    mtoken_store_free(store);
    mtoken_runtime_free(runtime);
}

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* A thousand at once are a thousand numbers, and each number is the handle still. */
static void doubles_hold_them(void)
{
    enum { MANY = 1000 };
    static double numbers[MANY];
    for (int i = 0; i < MANY; i++) {
        mtoken_mobile_token_data *data = NULL;
        char number[16];
        CHECK_OK(mtoken_mobile_token_data_new(NULL, 0, &data, NULL));
        snprintf(number, sizeof number, "%d", i);
        CHECK_OK(mtoken_mobile_token_data_put(data, "n", 1, number, MTOKEN_NUL_TERMINATED, NULL));
        numbers[i] = (double)value(data);
    }
    for (int i = 0; i < MANY; i++) {
        mtoken_mobile_token_data *data = (void *)(uintptr_t)(uint64_t)numbers[i];
        mtoken_text *json = NULL;
        char expected[32];
        snprintf(expected, sizeof expected, "{\"n\":%d}", i);
        if (CHECK_OK(mtoken_mobile_token_data_build(data, &json, NULL))) CHECK_TEXT(json->data, expected);
        mtoken_text_free(json);
    }
    qsort(numbers, MANY, sizeof numbers[0], compare);
    for (int i = 0; i < MANY; i++) {
        if (i > 0) CHECK(numbers[i] > numbers[i - 1]);
        mtoken_mobile_token_data_free((void *)(uintptr_t)(uint64_t)numbers[i]);
    }
}

/* Slots are taken and freed in many threads; what one holds is its own. */
static void *take_and_give(void *context)
{
    const char *name = context;
    mtoken_mobile_token_data *held[8] = {NULL};
    for (int i = 0; i < 20000; i++) {
        mtoken_mobile_token_data **place = &held[i % 8];
        if (*place) {
            mtoken_text *json = NULL;
            if (CHECK_OK(mtoken_mobile_token_data_build(*place, &json, NULL))) CHECK(json->data[6] == *name);
            mtoken_text_free(json);
            mtoken_mobile_token_data_free(*place);
        }
        CHECK_OK(mtoken_mobile_token_data_new(NULL, 0, place, NULL));
        CHECK_OK(mtoken_mobile_token_data_put_text(*place, "n", 1, name, 1, NULL));
    }
    for (int i = 0; i < 8; i++) mtoken_mobile_token_data_free(held[i]);
    return NULL;
}

static void threads_share_the_slots(void)
{
    static char names[] = "abcd";
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) CHECK_INT(pthread_create(&threads[i], NULL, take_and_give, &names[i]), 0);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
}

int main(int argc, char **argv)
{
    static const test tests[] = {
        {"no handle comes back", no_handle_comes_back},
        {"the longest free comes first", the_longest_free_comes_first},
        {"every kind has good values", every_kind_has_good_values},
        {"doubles hold them", doubles_hold_them},
        {"threads share the slots", threads_share_the_slots},
    };
    after_each = plain_after_each;
    return RUN(tests);
}
