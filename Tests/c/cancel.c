/*
 * Every call is cancelled at each of its moments: before it began, while it waits for its turn, while each of its
 * requests is with the server, while the answer is on its way, when the answer is there. Each time: the task ends once,
 * as cancelled (or done, where the answer was there), nothing is sent or signed after it, no counter value is lost or
 * used twice, the client knows the operations that it knew, and goes on, also after a restart.
 */
#include "calls.h"

/* ------------------------------------------------------------------------------------- calls beyond those of calls.c
 */

static mtoken_status start_validation(world *world, mtoken_task **task, mtoken_error **error)
{
    return mtoken_client_validate_pin(world->client, (const uint8_t *)PIN, strlen(PIN), task, error);
}

static mtoken_status start_change(world *world, mtoken_task **task, mtoken_error **error)
{
    return mtoken_client_change_pin(world->client, (const uint8_t *)PIN, strlen(PIN), (const uint8_t *)PIN, strlen(PIN),
                                    task, error);
}

static mtoken_status start_biometry(world *world, mtoken_task **task, mtoken_error **error)
{
    static const uint8_t key[16] = "biometry of 16 b";
    return mtoken_client_add_biometry(world->client, key, sizeof key, "card", 4, &world->pin, task, error);
}

static mtoken_status start_key(world *world, mtoken_task **task, mtoken_error **error)
{
    return mtoken_vault_fetch_key(world->client, 1, &world->pin, task, error);
}

static mtoken_status start_device_signature(world *world, mtoken_task **task, mtoken_error **error)
{
    return mtoken_vault_sign(world->client, (const uint8_t *)"b", 1, MTOKEN_SIGNATURE_FORM_DER, &world->pin, task,
                             error);
}

static mtoken_status start_jwt(world *world, mtoken_task **task, mtoken_error **error)
{
    return mtoken_vault_sign_jwt(world->client, "{}", 2, &world->pin, task, error);
}

static mtoken_status start_confirmation(world *world, mtoken_task **task, mtoken_error **error)
{
    return mtoken_recovery_confirm(world->client, "55555-55555-55555-55YMA", MTOKEN_NUL_TERMINATED, &world->pin, task,
                                   error);
}

static mtoken_status start_encryption(world *world, mtoken_task **task, mtoken_error **error)
{
    mtoken_encrypt_options options = MTOKEN_ENCRYPT_OPTIONS_INIT;
    options.scope = MTOKEN_SCOPE_ACTIVATION;
    return mtoken_client_encrypt(world->client, (const uint8_t *)"b", 1, &options, task, error);
}

static mtoken_status start_turn(world *world, mtoken_task **task, mtoken_error **error)
{
    return mtoken_client_take_turn(world->client, task, error);
}

static mtoken_status start_page(world *world, mtoken_task **task, mtoken_error **error)
{
    return mtoken_inbox_list_page(world->client, 0, 10, 0, task, error);
}

static mtoken_status start_pages(world *world, mtoken_task **task, mtoken_error **error)
{
    return mtoken_inbox_list_all(world->client, 10, 0, 0, task, error);
}

static mtoken_status start_reading_all(world *world, mtoken_task **task, mtoken_error **error)
{
    return mtoken_inbox_mark_all_read(world->client, task, error);
}

/* The bank knows nothing of the inbox, of push and of logins: those calls end with 404 when nobody cancels them. */
static const call more[] = {
    {"PIN validation", PATH_VALIDATE, true, false, false, false, start_validation, NULL},
    {"change of the PIN", PATH_VALIDATE, true, false, false, false, start_change, NULL},
    {"biometry", PATH_VAULT, true, true, true, false, start_biometry, NULL},
    {"encryption key", PATH_VAULT, true, true, true, false, start_key, NULL},
    {"device signature", PATH_VAULT, true, true, true, false, start_device_signature, NULL},
    {"JSON Web Token", PATH_VAULT, true, true, true, false, start_jwt, NULL},
    {"recovery code", PATH_RECOVERY, true, true, true, false, start_confirmation, NULL},
    {"user info", "/pa/v3/user/info", false, true, true, false, start_user_info, NULL},
    {"encryption", "", false, false, true, false, start_encryption, NULL},
    {"turn", "", true, false, false, false, start_turn, NULL},
    {"push registration", "/api/push/device/register/token", false, false, false, false, start_push, NULL},
    {"inbox count", "/api/inbox/count", false, false, true, false, start_count, NULL},
    {"inbox page", "/api/inbox/message/list", false, false, true, false, start_page, NULL},
    {"inbox", "/api/inbox/message/list", false, false, true, false, start_pages, NULL},
    {"inbox message", "/api/inbox/message/detail", false, false, true, false, start_message, NULL},
    {"reading a message", "/api/inbox/message/read", false, false, false, false, start_reading, NULL},
    {"reading all", "/api/inbox/message/read-all", false, false, false, false, start_reading_all, NULL},
    {"provider", "/api/config/oidc", false, true, true, false, start_provider, NULL},
    {"discovery", "/.well-known/openid-configuration", false, false, true, false, start_discovery, NULL},
    {"requests for mobile authentication", PATH_LIST, false, false, true, false, start_requests, NULL},
};
enum { MORE = sizeof more / sizeof more[0] };

static const call *call_at(size_t index) { return index < call_count ? &calls[index] : &more[index - call_count]; }

static bool is_there(const call *call) { return !bank_speaks_4() || call->start != start_confirmation; }

/* ------------------------------------------------------------------------------------------------------------- scenes
 */

enum moment { BEFORE_START, AT_SERVER, ANSWER_ON_ITS_WAY, ANSWER_THERE };

static const char *const moment_names[] = {"before it began", "with the server", "answer on its way", "answer there"};

#define EVENTS (MTOKEN_EVENT_MASK_TASKS | MTOKEN_EVENT_MASK_OPERATIONS)
#define WAY 1000

/* Makes the answer to request number `left` from now take its time; the bank has acted by then. */
static void delay_answer(bank *bank, const mtoken_testing_request *request, mtoken_testing_answer *answer)
{
    size_t *left = bank->context;
    (void)request;
    if (*left > 0 && --*left == 0) answer->delay_ms = WAY;
}

/* A world in which the call can be made. `warm`: time, keys and tokens that it needs are there, and operations known.
 */
static world open_scene(const call *call, bool warm)
{
    world world = world_for_events(call, EVENTS);
    mtoken_task *task = NULL;
    mtoken_event *event = NULL;
    if (warm) {
        CHECK_OK(mtoken_operations_list(world.client, &task, NULL));
        CHECK_OK(bank_finish_free(world.bank, task));
        if (call->is_encrypted) {
            CHECK_OK(mtoken_token_create(world.client, "warm", 4, &world.possession, &task, NULL));
            CHECK_OK(bank_finish_free(world.bank, task));
        }
    }
    while (mtoken_runtime_next_event(world.runtime, 0, &event, NULL) == MTOKEN_OK) mtoken_event_free(event);
    return world;
}

/* How many requests the call makes, and how it ends, when nobody cancels it. */
static size_t requests_of(const call *call, bool warm, mtoken_status *result)
{
    world world = open_scene(call, warm);
    size_t before = mtoken_testing_request_count(world.runtime);
    mtoken_task *task = NULL;
    CHECK_OK(call->start(&world, &task, NULL));
    *result = bank_finish(world.bank, task);
    CHECK(*result == MTOKEN_OK || *result == MTOKEN_ERROR_SERVER || *result == MTOKEN_ERROR_HTTP);
    mtoken_task_free(task);
    size_t count = mtoken_testing_request_count(world.runtime) - before;
    world_close(&world);
    return count;
}

/* The path of a request, in `path`; whether it waits for its answer. */
static bool request_waits(const world *world, size_t number, char path[256])
{
    mtoken_testing_request *request = NULL;
    path[0] = '\0';
    if (!CHECK_OK(mtoken_testing_request_get(world->runtime, number, 0, &request, NULL))) return false;
    const char *own = bank_path(request);
    if (!own) own = strstr(request->url, "/.well-known");
    snprintf(path, 256, "%s", own ? own : "");
    bool waits = request->state != MTOKEN_TESTING_REQUEST_ENDED;
    mtoken_testing_request_free(request);
    return waits;
}

/* What the events tell: the task ended once, and each fetch that began has ended, none with an event of failure. */
static bool events_are_right(const world *world, mtoken_task *task)
{
    mtoken_event *event = NULL;
    int told = 0, loading = 0, failed = 0;
    while (mtoken_runtime_next_event(world->runtime, 0, &event, NULL) == MTOKEN_OK) {
        told += event->task == task;
        failed += event->kind == MTOKEN_EVENT_OPERATIONS_FAILED;
        if (event->kind == MTOKEN_EVENT_OPERATIONS_LOADING) loading += event->is_loading ? 1 : -1;
        mtoken_event_free(event);
    }
    bool good = CHECK_INT(told, 1);
    good &= CHECK_INT(loading, 0);
    good &= CHECK_INT(failed, 0);
    return good & CHECK_INT(mtoken_operations_is_loading(world->client), 0);
}

/* The client and the bank agree, the client signs, and knows just the operations that wait. */
static bool goes_on(world *world)
{
    mtoken_task *task = NULL;
    bool good = true;
    if (world_state(world) == MTOKEN_CLIENT_EMPTY)
        good &= CHECK_OK(bank_activate(world->bank, world->client, PIN, NULL));
    good &= CHECK(world_settles(world));
    good &= CHECK(world_signs(world, &world->pin));
    good &= CHECK_OK(mtoken_operations_list(world->client, &task, NULL));
    good &= CHECK_OK(bank_finish(world->bank, task));
    const mtoken_operation_list *list = mtoken_task_operations(task);
    size_t pending = 0, index;
    json_t *operation;
    json_array_foreach(world->bank->operations, index, operation) pending +=
        strcmp(json_string_value(json_object_get(operation, "status")), "PENDING") == 0;
    good &= CHECK(list) && CHECK_INT(list->count, pending);
    good &= CHECK_INT(world_known(world), pending);
    mtoken_task_free(task);
    return good;
}

/* Whether the call is what the request was for. A change of a factor has two of its own in 4.0. */
static bool is_own(const call *call, const char *path)
{
    return path[0] &&
           (strcmp(path, call->path) == 0 || strcmp(path, PATH_PASSWORD) == 0 || strcmp(path, PATH_BIOMETRY) == 0 ||
            (call->start == start_biometry && strcmp(path, PATH_VALIDATE) == 0));
}

/* Cancels the call at a moment of its request number `nth`, from 1. */
static void cancel_at(const call *call, bool warm, enum moment moment, size_t nth, size_t requests, mtoken_status usual)
{
    world world = open_scene(call, warm);
    bank *bank = world.bank;
    mtoken_task *task = NULL;
    size_t before = mtoken_testing_request_count(world.runtime), saves, left = nth, known = world_known(&world);
    int32_t state = world_state(&world);
    char path[256] = "";
    bool last = nth == requests, good = true;

    saves = mtoken_testing_store_count(world.store, MTOKEN_TESTING_SAVE);
    if (moment == ANSWER_ON_ITS_WAY) {
        bank->spoil = delay_answer;
        bank->context = &left;
    }
    good &= CHECK_OK(call->start(&world, &task, NULL));
    size_t served = moment == BEFORE_START ? 0 : moment == AT_SERVER ? nth - 1 : nth;
    for (size_t i = 0; i < served; i++) good &= CHECK(bank_serve_next(bank));
    if (moment == AT_SERVER || moment == ANSWER_ON_ITS_WAY)
        good &= CHECK(request_waits(&world, before + nth - 1, path));
    good &= CHECK_OK(mtoken_task_cancel(task));
    good &= CHECK_OK(mtoken_testing_advance(world.runtime, 0, NULL));
    /* In 4.0 a new PIN or biometry key that the bank has agreed to is proven all the same. */
    bool follows = bank->suite && moment == ANSWER_THERE && !last &&
                   (call->start == start_change || call->start == start_biometry);
    if (follows) good &= CHECK_STATUS(bank_finish(bank, task), usual);
    good &= CHECK_OK(mtoken_task_wait(task, 0));
    bool done = mtoken_task_get_state(task) != MTOKEN_TASK_CANCELLED;
    good &= CHECK(!done || (moment == ANSWER_THERE && (last || follows)));
    if (done) {
        good &= CHECK_STATUS(mtoken_task_result(task), usual);
    } else {
        const mtoken_error *error = mtoken_task_error(task);
        good &= CHECK_STATUS(mtoken_task_result(task), MTOKEN_ERROR_CANCELLED);
        good &=
            CHECK(error) && CHECK_TEXT(error->reason, call->start == start_requests ? "action_cancelled" : "canceled");
        if (error && moment != ANSWER_THERE)
            good &= CHECK_INT(error->outcome, is_own(call, path) ? MTOKEN_OUTCOME_UNKNOWN : MTOKEN_OUTCOME_NOT_SENT);
        good &= CHECK(!call->gave_result || !call->gave_result(task));
        good &= CHECK_INT(world_state(&world), state);
        good &= CHECK_INT(world_known(&world), known);
    }
    if (moment == BEFORE_START) { /* nothing was sent, signed or stored */
        good &= CHECK_INT(mtoken_testing_request_count(world.runtime), before);
        good &= CHECK_INT(mtoken_testing_store_count(world.store, MTOKEN_TESTING_SAVE), saves);
    }

    /* Whatever comes late changes nothing; but what the call only waited for may go on for itself. */
    bank->spoil = NULL;
    int32_t ended = mtoken_task_get_state(task);
    bank_serve(bank);
    good &= CHECK_OK(mtoken_testing_advance(world.runtime, 2 * WAY, NULL));
    bank_serve(bank);
    good &= CHECK_OK(mtoken_task_cancel(task));
    good &= CHECK_OK(mtoken_testing_advance(world.runtime, 0, NULL));
    good &= CHECK_INT(mtoken_task_get_state(task), ended);
    good &= CHECK(mtoken_testing_request_count(world.runtime) <= before + requests);
    good &= events_are_right(&world, task);
    bool removed = done && strcmp(call->path, PATH_REMOVE) == 0;
    mtoken_task_free(task);

    if (done && strcmp(call->path, PATH_ACTIVATE) == 0) {
        good &= CHECK_OK(mtoken_client_persist(world.client, &world.pin, NULL));
    } else {
        bank_forgives(call, bank);
    }
    if (removed) {
        bank->state = MTOKEN_ACTIVATION_REMOVED;
        good &= CHECK_INT(world_state(&world), MTOKEN_CLIENT_EMPTY);
    } else {
        good &= goes_on(&world);
        good &= CHECK_OK(world_restart(&world)) && goes_on(&world);
        if (!call->from_empty && strcmp(call->path, PATH_TOKEN_REMOVE) != 0) { /* and the call itself, again */
            good &= CHECK_OK(call->start(&world, &task, NULL));
            good &= CHECK_STATUS(bank_finish_free(bank, task), usual);
        }
    }
    if (!good)
        note("%s%s, request %zu of %zu (%s): %s", warm ? "warm " : "", call->name, nth, requests, path,
             moment_names[moment]);
    world_close(&world);
}

static void calls_are_cancelled_at_each_moment(void)
{
    size_t count = 0, step = sampled(bank_speaks_4() ? 4 : 1, 3); /* the keys of 4.0 take their time */
    for (size_t i = 0; i < call_count + MORE; i++) {
        const call *call = call_at(i);
        if (!is_there(call)) continue;
        for (int warm = 0; warm < (call->from_empty ? 1 : 2); warm++) {
            mtoken_status usual = MTOKEN_OK;
            size_t requests = requests_of(call, warm, &usual);
            cancel_at(call, warm, BEFORE_START, 0, requests, usual);
            for (size_t nth = 1; nth <= requests; nth++)
                for (int moment = AT_SERVER; moment <= ANSWER_THERE; moment++)
                    if (count++ % step == 0) cancel_at(call, warm, moment, nth, requests, usual);
        }
    }
    note("%zu moments", count + call_count + MORE);
}

/* -------------------------------------------------------------------------------------------- in the row of the signed
 */

/* A call that waits for the turn of another one is cancelled: the other one, and those behind it, go on. */
static void cancel_in_the_row(const call *call, bool warm, size_t *queued)
{
    world world = open_scene(call, warm);
    bank *bank = world.bank;
    mtoken_task *first = NULL, *task = NULL, *behind = NULL;
    size_t left = 1;
    bool good = true;
    bank_operation(bank, "first", "A1");
    bank_operation(bank, "behind", "A1");
    bank->spoil = delay_answer;
    bank->context = &left;
    good &= CHECK_OK(brief_authorize(world.client, "first", "A1", &world.pin, NULL, &first, NULL));
    good &= CHECK(bank_serve_next(bank)); /* the answer is on its way, and the turn taken */
    good &= CHECK_OK(call->start(&world, &task, NULL));
    while (bank_serve_next(bank)) {
    }
    good &= CHECK_OK(mtoken_testing_advance(world.runtime, 0, NULL));
    bool waits = mtoken_task_get_state(task) == MTOKEN_TASK_RUNNING;
    if (waits) {
        size_t before = mtoken_testing_request_count(world.runtime);
        ++*queued;
        good &= CHECK_OK(brief_reject(world.client, "behind", "UNKNOWN", NULL, &behind, NULL));
        good &= CHECK_OK(mtoken_testing_advance(world.runtime, 0, NULL));
        good &= CHECK_OK(mtoken_task_cancel(task));
        good &= CHECK_OK(mtoken_testing_advance(world.runtime, 0, NULL));
        good &= CHECK_INT(mtoken_task_get_state(task), MTOKEN_TASK_CANCELLED); /* at once, not when its turn comes */
        const mtoken_error *error = mtoken_task_error(task);
        good &= CHECK(error) && CHECK_INT(error->outcome, MTOKEN_OUTCOME_NOT_SENT);
        good &= CHECK_INT(mtoken_testing_request_count(world.runtime), before);
        good &= CHECK_INT(mtoken_task_get_state(first), MTOKEN_TASK_RUNNING);
        good &= CHECK_INT(mtoken_task_get_state(behind), MTOKEN_TASK_RUNNING);
    } else if (call->is_signed) {
        good &= CHECK(!"a signed call waits for its turn");
    }
    good &= CHECK_OK(mtoken_testing_advance(world.runtime, WAY, NULL));
    good &= CHECK_STATUS(bank_finish_free(bank, first), MTOKEN_OK);
    if (behind) {
        good &= CHECK_STATUS(bank_finish_free(bank, behind), MTOKEN_OK);
        good &= CHECK_TEXT(bank_operation_status(bank, "behind"), "REJECTED");
        good &= CHECK_TEXT(bank_operation_status(bank, "1"), "PENDING");
    }
    good &= CHECK_TEXT(bank_operation_status(bank, "first"), "APPROVED");
    bank_serve(bank);
    good &= events_are_right(&world, task);
    mtoken_task_free(task);
    good &= goes_on(&world);
    if (!good) note("%s%s, in the row", warm ? "warm " : "", call->name);
    world_close(&world);
}

static void calls_are_cancelled_in_the_row(void)
{
    size_t queued = 0;
    for (size_t i = 0; i < call_count + MORE; i++)
        for (int warm = 0; warm < 2; warm++)
            if (!call_at(i)->from_empty && is_there(call_at(i))) cancel_in_the_row(call_at(i), warm, &queued);
    note("%zu calls waited", queued);
    CHECK(queued >= 30);
}

/* ------------------------------------------------------------------------------------------- clients that are freed */

/* The client, or its runtime, goes while the call is on its way: the task is cancelled, and what is stored is good. */
static void freed_at(const call *call, size_t nth, bool runtime)
{
    world world = open_scene(call, false);
    mtoken_task *task = NULL;
    bool good = CHECK_OK(call->start(&world, &task, NULL));
    for (size_t i = 0; i < nth; i++)
        good &= CHECK(bank_serve_next(world.bank)); /* the last answer lies there, unread */
    if (runtime) mtoken_runtime_free(world.runtime);
    mtoken_client_free(world.client);
    if (!runtime) good &= CHECK_OK(mtoken_testing_advance(world.runtime, 0, NULL));
    good &= CHECK_OK(mtoken_task_wait(task, 0));
    bool done = mtoken_task_result(task) != MTOKEN_ERROR_CANCELLED;
    good &= CHECK(!done || nth > 0);
    mtoken_task_free(task);
    if (runtime) world.runtime = NULL;
    world.client = NULL;
    if (world.bank->state != MTOKEN_ACTIVATION_CREATED) bank_forgives(call, world.bank);
    good &= CHECK_OK(world_restart(&world)) && goes_on(&world);
    if (!good) note("%s, after %zu answers, %s freed", call->name, nth, runtime ? "runtime" : "client");
    world_close(&world);
}

static void clients_are_freed_at_each_moment(void)
{
    for (size_t i = 0; i < call_count; i++) {
        mtoken_status usual = MTOKEN_OK;
        size_t requests = requests_of(&calls[i], false, &usual);
        if (strcmp(calls[i].path, PATH_REMOVE) == 0) requests--; /* the removal itself would be done */
        for (size_t nth = 0; nth <= requests; nth++)
            for (int runtime = 0; runtime < 2; runtime++) freed_at(&calls[i], nth, runtime);
    }
}

/* ---------------------------------------------------------------------------------------------------- shared fetches
 */

/* Three who ask for the list share one request, whenever each of them takes back that it asked. */
static void sharers_cancel_for_themselves(void)
{
    const call *list = calls;
    while (strcmp(list->path, PATH_LIST) != 0) list++;
    for (int who = 0; who < 8; who++) /* a bit for each who cancels */
        for (int early = 0; early < 2; early++) {
            world world = open_scene(list, true);
            mtoken_task *tasks[3] = {NULL, NULL, NULL};
            mtoken_operations_info *known = NULL;
            size_t before = mtoken_testing_request_count(world.runtime);
            json_object_set_new(bank_operation(world.bank, "2", "A2"), "name", json_string("login"));
            for (int i = 0; i < 3; i++) CHECK_OK(mtoken_operations_list(world.client, &tasks[i], NULL));
            if (!early) CHECK_OK(mtoken_testing_advance(world.runtime, 0, NULL));
            for (int i = 0; i < 3; i++)
                if (who >> i & 1) CHECK_OK(mtoken_task_cancel(tasks[i]));
            CHECK_OK(mtoken_testing_advance(world.runtime, 0, NULL));
            bank_serve(world.bank);
            for (int i = 0; i < 3; i++) {
                CHECK_STATUS(mtoken_task_result(tasks[i]), who >> i & 1 ? MTOKEN_ERROR_CANCELLED : MTOKEN_OK);
                mtoken_task_free(tasks[i]);
            }
            CHECK(mtoken_testing_request_count(world.runtime) <= before + 1);
            CHECK_OK(mtoken_operations_get_info(world.client, &known, NULL));
            CHECK_INT(known->count, who == 7 ? 1 : 2); /* when all have cancelled, the reply changes nothing */
            CHECK_INT(known->is_loading, 0);
            CHECK_INT(known->last_fetch, MTOKEN_FETCH_SUCCEEDED);
            mtoken_operations_info_free(known);
            CHECK(goes_on(&world));
            world_close(&world);
        }
}

static const test tests[] = {
    {"calls are cancelled at each moment", calls_are_cancelled_at_each_moment},
    {"calls are cancelled in the row of the signed", calls_are_cancelled_in_the_row},
    {"clients are freed at each moment", clients_are_freed_at_each_moment},
    {"those who share a fetch cancel for themselves", sharers_cancel_for_themselves},
};

int main(int argc, char **argv)
{
    after_each = no_handles_left;
    return RUN(tests);
}
