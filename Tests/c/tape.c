/* A session with the development server is recorded, and replayed without it: the same requests, the same results. */
#include "plain.h"

#include <testing/mtoken_testing.h>
#include <time.h>
#include <unistd.h>

#define PIN "2468"

typedef struct session {
    char fingerprint[16];
    size_t operations, requests;
    char token[512]; /* the header of a token */
} session;

static void take(mtoken_status started, mtoken_task *task, mtoken_runtime *runtime)
{
    CHECK_OK(started);
    mtoken_testing_advance(runtime, 0, NULL); /* a manual clock needs it, a real one does not mind */
    CHECK_OK(mtoken_task_wait(task, 60000));
    if (!CHECK_STATUS(mtoken_task_result(task), MTOKEN_OK) && mtoken_task_error(task))
        note("%s: %s", mtoken_task_error(task)->reason, mtoken_task_error(task)->message);
}

static session hold(const mtoken_testing_options *testing, const char *code)
{
    session session;
    mtoken_runtime *runtime = NULL;
    mtoken_store *store = NULL;
    mtoken_client *client = NULL;
    mtoken_task *task = NULL;
    mtoken_header *header = NULL;
    mtoken_client_options options = MTOKEN_CLIENT_OPTIONS_INIT;
    mtoken_activation_options activation = MTOKEN_ACTIVATION_OPTIONS_INIT;
    mtoken_auth auth = MTOKEN_AUTH_INIT;
    memset(&session, 0, sizeof session);
    CHECK_OK(mtoken_testing_runtime_new(NULL, testing, &runtime, NULL));
    CHECK_OK(mtoken_store_memory_new(&store, NULL));
    options.id = text("tape");
    options.configuration = text(setting("MTOKEN_SERVER_CONFIGURATION"));
    options.base_url = text(setting("MTOKEN_SERVER_URL"));
    options.store = store;
    options.ca_file = text(setting("MTOKEN_SERVER_CA"));
    CHECK_OK(mtoken_client_new(runtime, &options, &client, NULL));
    activation.code = text(code);
    auth.pin = bytes(PIN);

    mtoken_status status = mtoken_client_activate(client, &activation, &task, NULL);
    take(status, task, runtime);
    if (CHECK(mtoken_task_activation(task)))
        snprintf(session.fingerprint, sizeof session.fingerprint, "%s", mtoken_task_activation(task)->fingerprint);
    mtoken_task_free(task);
    CHECK_OK(mtoken_client_persist(client, &auth, NULL));
    status = mtoken_client_fetch_status(client, &task, NULL);
    take(status, task, runtime);
    mtoken_task_free(task);
    status = mtoken_operations_list(client, &task, NULL);
    take(status, task, runtime);
    if (CHECK(mtoken_task_operations(task))) session.operations = mtoken_task_operations(task)->count;
    mtoken_task_free(task);
    CHECK_OK(mtoken_token_get_header(client, "possession_universal", MTOKEN_NUL_TERMINATED, &header, NULL));
    if (header) snprintf(session.token, sizeof session.token, "%s", header->value);
    mtoken_header_free(header);
    status = mtoken_client_remove(client, &auth, &task, NULL);
    take(status, task, runtime);
    mtoken_task_free(task);
    session.requests = mtoken_testing_request_count(runtime);
    mtoken_client_free(client);
    mtoken_store_free(store);
    mtoken_runtime_free(runtime);
    return session;
}

static void recording_replays(void)
{
    char folder[256], path[300];
    make_directory(folder, sizeof folder);
    snprintf(path, sizeof path, "%s/tape", folder);
    const char *codes = setting("MTOKEN_SERVER_CODES");
    char *code = strndup(codes, strcspn(codes, " "));
    mtoken_testing_options options = MTOKEN_TESTING_OPTIONS_INIT;
    options.clock = MTOKEN_TESTING_CLOCK_WALL;
    options.wall = (int64_t)time(NULL) * 1000;
    options.seed = (uint64_t)milliseconds() * 1000003 + (uint64_t)getpid(); /* the server takes no key twice */
    options.transport = MTOKEN_TESTING_TRANSPORT_RECORD;
    options.file = text(path);
    session recorded = hold(&options, code);
    options.transport = MTOKEN_TESTING_TRANSPORT_REPLAY;
    session replayed = hold(&options, code);
    options.clock = MTOKEN_TESTING_CLOCK_MANUAL;
    session again = hold(&options, code);
    const session *const others[] = {&replayed, &again};
    for (int i = 0; i < 2; i++) {
        CHECK_TEXT(others[i]->fingerprint, recorded.fingerprint);
        CHECK_TEXT(others[i]->token, recorded.token);
        CHECK_INT(others[i]->operations, recorded.operations);
        CHECK_INT(others[i]->requests, recorded.requests);
    }
    CHECK(recorded.requests >= 6);
    free(code);
    remove_directory(folder);
}

static const test tests[] = {{"a recording replays", recording_replays}};

int main(int argc, char **argv)
{
    after_each = plain_after_each;
    return RUN(tests);
}
