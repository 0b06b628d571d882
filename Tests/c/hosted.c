/* Requests that the host sends itself: once, within their time, and what becomes of their signatures. */
#include "world.h"
#include <sys/wait.h>
#include <unistd.h>

/* A device whose requests this program sends. */
static world open_hosted(void)
{
    world world = world_open();
    mtoken_client_free(world.client);
    mtoken_client_options options = bank_client_options(world.bank, world.store);
    options.transport = MTOKEN_TRANSPORT_HOST;
    CHECK_OK(mtoken_client_new(world.runtime, &options, &world.client, NULL));
    return world;
}

/* The next event about a request; NULL: there is none. */
static mtoken_event *next(const world *world, mtoken_event_kind kind)
{
    mtoken_event *event = NULL;
    mtoken_testing_advance(world->runtime, 0, NULL);
    if (mtoken_runtime_next_event(world->runtime, 0, &event, NULL) != MTOKEN_OK) return NULL;
    CHECK_INT(event->kind, kind);
    CHECK(event->client == world->client && event->request);
    return event;
}

/* Has the bank answer a request. */
static bank_answer send_to(bank *bank, const mtoken_http_request *request)
{
    mtoken_testing_request raw;
    mtoken_header headers[32];
    const mtoken_header *pointers[32];
    memset(&raw, 0, sizeof raw);
    memset(headers, 0, sizeof headers);
    CHECK(request->header_count <= 32);
    for (size_t i = 0; i < request->header_count; i++) {
        headers[i].name = request->headers[i]->name;
        headers[i].value = request->headers[i]->value;
        headers[i].value_length = strlen(headers[i].value);
        pointers[i] = &headers[i];
    }
    raw.method = request->method;
    raw.url = request->url;
    raw.headers = pointers;
    raw.header_count = request->header_count;
    raw.body = request->body;
    raw.body_length = request->body_length;
    raw.at_most_once = request->at_most_once;
    return bank_respond(bank, &raw);
}

static void answer(const world *world, const mtoken_http_request *request)
{
    const mtoken_header_text kind = {MTOKEN_TEXT("Content-Type"), MTOKEN_TEXT("application/json")};
    mtoken_http_response response = MTOKEN_HTTP_RESPONSE_INIT;
    mtoken_error *error = NULL;
    bank_answer made = send_to(world->bank, request);
    response.status = made.status;
    response.headers = &kind;
    response.header_count = 1;
    response.body = bytes(made.body);
    CHECK_ERROR(mtoken_request_respond(world->runtime, request->id, &response, &error), MTOKEN_OK, error);
    free(made.body);
}

/* Answers all that a task asks; gives its result. */
static mtoken_status finish(const world *world, mtoken_task *task)
{
    mtoken_event *event;
    while ((event = next(world, MTOKEN_EVENT_REQUEST))) {
        answer(world, event->request);
        mtoken_event_free(event);
    }
    mtoken_status result = mtoken_task_result(task);
    mtoken_task_free(task);
    return result;
}

static world open_active(void)
{
    world world = open_hosted();
    mtoken_activation_options options = MTOKEN_ACTIVATION_OPTIONS_INIT;
    mtoken_task *task = NULL;
    options.code = text(world.bank->code);
    CHECK_OK(mtoken_client_activate(world.client, &options, &task, NULL));
    CHECK_OK(finish(&world, task));
    CHECK_OK(mtoken_client_persist(world.client, &world.pin, NULL));
    world.bank->state = MTOKEN_ACTIVATION_ACTIVE;
    CHECK_OK(mtoken_client_fetch_status(world.client, &task, NULL));
    CHECK_OK(finish(&world, task));
    return world;
}

static mtoken_task *validate(const world *world)
{
    mtoken_task *task = NULL;
    CHECK_OK(mtoken_client_validate_pin(world->client, world->pin.pin.data, world->pin.pin.length, &task, NULL));
    return task;
}

static void a_life(void)
{
    world world = open_active();
    for (int i = 0; i < 3; i++) CHECK_OK(finish(&world, validate(&world)));
    CHECK_INT(world_open_signatures(&world), 0);
    world_close(&world);
}

/* What is no answer is refused and changes nothing; an answer is taken once. */
static void once(void)
{
    world world = open_active();
    mtoken_task *task = validate(&world);
    mtoken_event *event = next(&world, MTOKEN_EVENT_REQUEST);
    const mtoken_http_request *request = event->request;
    mtoken_http_response good = MTOKEN_HTTP_RESPONSE_INIT, bad = good;
    mtoken_header_text header = {MTOKEN_TEXT("a\nb"), MTOKEN_TEXT("x")};
    CHECK_INT(request->at_most_once, 1);
    CHECK_TEXT(request->method, "POST");
    CHECK(request->body && request->body_length && request->header_count > 3 && request->max_answer_size);
    good.status = 200;

    CHECK_STATUS(mtoken_request_respond(NULL, request->id, &good, NULL), MTOKEN_ERROR_HANDLE);
    CHECK_STATUS(mtoken_request_respond(world.runtime, request->id, NULL, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(mtoken_request_respond(world.runtime, request->id, &bad, NULL), MTOKEN_ERROR_ARGUMENT);
    bad = good;
    bad.reserved = 1;
    CHECK_STATUS(mtoken_request_respond(world.runtime, request->id, &bad, NULL), MTOKEN_ERROR_ARGUMENT);
    bad = good;
    bad.header_count = 1;
    CHECK_STATUS(mtoken_request_respond(world.runtime, request->id, &bad, NULL), MTOKEN_ERROR_ARGUMENT);
    bad.headers = &header;
    CHECK_STATUS(mtoken_request_respond(world.runtime, request->id, &bad, NULL), MTOKEN_ERROR_ARGUMENT);
    bad.header_count = 201;
    CHECK_STATUS(mtoken_request_respond(world.runtime, request->id, &bad, NULL), MTOKEN_ERROR_ARGUMENT);
    bad = good;
    bad.body.length = 1;
    CHECK_STATUS(mtoken_request_respond(world.runtime, request->id, &bad, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(mtoken_request_fail(world.runtime, request->id, MTOKEN_OUTCOME_UNKNOWN, MTOKEN_NETWORK_NONE,
                                     MTOKEN_TLS_FAULT_NONE, NULL),
                 MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(mtoken_request_fail(world.runtime, request->id, MTOKEN_OUTCOME_ANSWERED, MTOKEN_NETWORK_TIMEOUT,
                                     MTOKEN_TLS_FAULT_NONE, NULL),
                 MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(mtoken_request_fail(world.runtime, request->id, MTOKEN_OUTCOME_UNKNOWN, 99, 0, NULL),
                 MTOKEN_ERROR_ARGUMENT);
    const int64_t others[] = {0, -1, request->id + 1, INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        CHECK_STATUS(mtoken_request_respond(world.runtime, others[i], &good, NULL), MTOKEN_ERROR_NOT_FOUND);

    answer(&world, request);
    CHECK_STATUS(mtoken_request_respond(world.runtime, request->id, &good, NULL), MTOKEN_ERROR_NOT_FOUND);
    CHECK_STATUS(mtoken_request_fail(world.runtime, request->id, MTOKEN_OUTCOME_UNKNOWN, MTOKEN_NETWORK_TIMEOUT,
                                     MTOKEN_TLS_FAULT_NONE, NULL),
                 MTOKEN_ERROR_NOT_FOUND);
    mtoken_event_free(event);
    CHECK_OK(finish(&world, task));
    world_close(&world);
}

/* Every fault, with both outcomes: what was not sent gives its counter back. */
static void faults(void)
{
    world world = open_active();
    for (int fault = 1; fault <= MTOKEN_TLS_FAULT_CLIENT_CERTIFICATE; fault++) {
        for (int tls = 0; tls < 2; tls++) {
            if (!tls && fault > MTOKEN_NETWORK_TOO_LARGE) continue;
            for (int outcome = MTOKEN_OUTCOME_NOT_SENT; outcome <= MTOKEN_OUTCOME_UNKNOWN; outcome++) {
                int64_t before = world_open_signatures(&world);
                mtoken_task *task = validate(&world);
                mtoken_event *event = next(&world, MTOKEN_EVENT_REQUEST);
                if (outcome == MTOKEN_OUTCOME_UNKNOWN) free(send_to(world.bank, event->request).body);
                CHECK_OK(mtoken_request_fail(world.runtime, event->request->id, outcome, tls ? 0 : fault,
                                             tls ? fault : 0, NULL));
                mtoken_event_free(event);
                mtoken_testing_advance(world.runtime, 0, NULL);
                const mtoken_error *error = mtoken_task_error(task);
                CHECK(error && error->outcome == outcome);
                CHECK(error && error->network_fault == (tls ? 0 : fault) && error->tls_fault == (tls ? fault : 0));
                CHECK_INT(world_open_signatures(&world), before + (outcome == MTOKEN_OUTCOME_UNKNOWN));
                mtoken_task_free(task);
                CHECK_OK(finish(&world, validate(&world)));
            }
        }
    }
    world_close(&world);
}

static void no_longer_waits(const world *world, int64_t id)
{
    mtoken_event *event = next(world, MTOKEN_EVENT_REQUEST_ENDED);
    if (CHECK(event)) CHECK_INT(event->request->id, id);
    mtoken_event_free(event);
    mtoken_http_response response = MTOKEN_HTTP_RESPONSE_INIT;
    response.status = 200;
    CHECK_STATUS(mtoken_request_respond(world->runtime, id, &response, NULL), MTOKEN_ERROR_NOT_FOUND);
}

/* A call is cancelled, its time is over, its client is freed: the host is told, and what it has may have been sent. */
static void ends(void)
{
    for (int how = 0; how < 3; how++) {
        world world = open_active();
        mtoken_task *task = validate(&world);
        mtoken_event *event = next(&world, MTOKEN_EVENT_REQUEST);
        int64_t id = event->request->id;
        free(send_to(world.bank, event->request).body);
        mtoken_event_free(event);
        if (how == 0) CHECK_OK(mtoken_task_cancel(task));
        if (how == 1) CHECK_OK(mtoken_testing_advance(world.runtime, 20000, NULL));
        if (how == 2) {
            mtoken_client *client = world.client;
            mtoken_client_free(client);
            mtoken_testing_advance(world.runtime, 0, NULL);
        }
        no_longer_waits(&world, id);
        const mtoken_error *error = mtoken_task_error(task);
        CHECK(error && error->code == (how == 1 ? MTOKEN_ERROR_TIMEOUT : MTOKEN_ERROR_CANCELLED));
        if (how < 2) {
            CHECK(error && error->outcome == MTOKEN_OUTCOME_UNKNOWN);
            CHECK_INT(world_open_signatures(&world), 1);
            CHECK_OK(finish(&world, validate(&world)));
        }
        mtoken_task_free(task);
        world_close(&world);
    }
}

/* What ends before the host has read it was not sent, and the host does not get it any more. */
static void unread(void)
{
    world world = open_active();
    mtoken_task *task = validate(&world);
    mtoken_runtime_info *info = NULL;
    mtoken_testing_advance(world.runtime, 0, NULL);
    CHECK_OK(mtoken_runtime_get_info(world.runtime, &info, NULL));
    CHECK_INT(info->events_waiting, 1);
    mtoken_runtime_info_free(info);
    CHECK_OK(mtoken_task_cancel(task));
    CHECK(next(&world, MTOKEN_EVENT_REQUEST) == NULL);
    CHECK(mtoken_task_error(task) && mtoken_task_error(task)->outcome == MTOKEN_OUTCOME_NOT_SENT);
    mtoken_task_free(task);
    CHECK_INT(world_open_signatures(&world), 0);
    CHECK_OK(finish(&world, validate(&world)));
    world_close(&world);
}

/* The runtime is freed while the host has a request. */
static void a_freed_runtime(void)
{
    world world = open_active();
    mtoken_task *task = validate(&world);
    mtoken_event *event = next(&world, MTOKEN_EVENT_REQUEST);
    free(send_to(world.bank, event->request).body);
    mtoken_http_response response = MTOKEN_HTTP_RESPONSE_INIT;
    response.status = 200;
    mtoken_runtime *runtime = world.runtime;
    world_stop(&world);
    CHECK_STATUS(mtoken_request_respond(runtime, event->request->id, &response, NULL), MTOKEN_ERROR_HANDLE);
    CHECK_STATUS(mtoken_task_result(task), MTOKEN_ERROR_CANCELLED);
    mtoken_event_free(event);
    mtoken_task_free(task);
    world_close(&world);
}

/* A child of fork has the parent's request in hand, and can neither answer nor end it. */
static void a_request_is_its_parents(void)
{
    world world = open_active();
    mtoken_task *task = validate(&world);
    mtoken_event *event = next(&world, MTOKEN_EVENT_REQUEST), *another = NULL;
    mtoken_http_response response = MTOKEN_HTTP_RESPONSE_INIT;
    mtoken_error *error = NULL;
    int status = -1;
    response.status = 200;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        int64_t id = event->request->id;
        alarm(60);
        bool refused = is_forked(mtoken_request_respond(world.runtime, id, &response, &error), &error) &&
                       is_forked(mtoken_request_fail(world.runtime, id, MTOKEN_OUTCOME_NOT_SENT, MTOKEN_NETWORK_TIMEOUT,
                                                     0, &error),
                                 &error) &&
                       is_forked(mtoken_runtime_next_event(world.runtime, MTOKEN_FOREVER, &another, &error), &error) &&
                       mtoken_task_wait(task, MTOKEN_FOREVER) == MTOKEN_ERROR_STATE &&
                       mtoken_task_cancel(task) == MTOKEN_ERROR_STATE;
        refused = refused && strcmp(event->request->method, "POST") == 0; /* what was given out is the child's own */
        mtoken_event_free(event);
        mtoken_task_free(task);
        mtoken_client_free(world.client);
        mtoken_runtime_free(world.runtime);
        _exit(refused ? 0 : 1);
    }
    CHECK_INT(waitpid(child, &status, 0), child);
    CHECK_INT(status, 0);
    CHECK_INT(mtoken_task_get_state(task), MTOKEN_TASK_RUNNING);
    answer(&world, event->request);
    mtoken_event_free(event);
    CHECK_OK(finish(&world, task));
    CHECK_INT(world_open_signatures(&world), 0);
    world_close(&world);
}

/* What would not be done for the host's connections is refused. */
static void options(void)
{
    world world = world_open();
    for (int which = 0; which < 5; which++) {
        mtoken_client_options options = bank_client_options(world.bank, world.store);
        mtoken_tls_pin pin = {MTOKEN_TEXT("47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="), INT64_MAX};
        mtoken_client *client = NULL;
        options.id = text("another");
        options.transport = which == 4 ? 2 : MTOKEN_TRANSPORT_HOST;
        if (which == 0) options.tls_trust = MTOKEN_TLS_UNSAFE;
        if (which == 1) options.proxy = text("http://127.0.0.1:1");
        if (which == 2) options.pins = &pin, options.pin_count = 1;
        if (which == 3) options.tls_trust = MTOKEN_TLS_CA, options.ca_file = text("/etc/ssl/certs/ca-certificates.crt");
        CHECK_STATUS(mtoken_client_new(world.runtime, &options, &client, NULL), MTOKEN_ERROR_ARGUMENT);
        CHECK(client == NULL);
    }
    world_close(&world);
}

static const test tests[] = {
    {"a life over the host's network", a_life},
    {"an answer is taken once", once},
    {"faults are told as they are", faults},
    {"a request that ended needs no answer", ends},
    {"what ended unread is not read", unread},
    {"a freed runtime", a_freed_runtime},
    {"a request is its parent's", a_request_is_its_parents},
    {"options that do not go with it", options},
};

int main(int argc, char **argv)
{
    after_each = no_handles_left;
    return RUN(tests);
}
