/*
 * The operations service as a program uses it, in test time: the whole loop (list, show, approve, reject, watch,
 * expire), and each of its parts: polling, watcher, mobile token data, what may be approved, errors, logs and traces.
 */
#include "world.h"

#define START 1700000000000 /* 2023-11-14T22:13:20Z: the bank's operations are made now and expire in five minutes */
#define MINUTE 60000

static void advance(const world *world, int64_t span) { CHECK_OK(mtoken_testing_advance(world->runtime, span, NULL)); }

/* A world with an activation, and these events. */
static world open_with(int32_t events, int32_t log_level)
{
    world world = world_open_events(events, log_level);
    mtoken_event *event = NULL;
    CHECK_OK(bank_activate(world.bank, world.client, PIN, NULL));
    while (mtoken_runtime_next_event(world.runtime, 0, &event, NULL) == MTOKEN_OK) mtoken_event_free(event);
    return world;
}

/* The next event of a kind; events of other kinds are passed over. NULL: there is none. */
static mtoken_event *next_event(const world *world, int32_t kind)
{
    mtoken_event *event = NULL;
    while (mtoken_runtime_next_event(world->runtime, 0, &event, NULL) == MTOKEN_OK) {
        if (event->kind == kind) return event;
        mtoken_event_free(event);
    }
    return NULL;
}

static void pass_events(const world *world) { mtoken_event_free(next_event(world, -1)); }

/* Fetches the list; the task, whose result stays. */
static mtoken_task *fetch(const world *world)
{
    mtoken_task *task = NULL;
    CHECK_OK(mtoken_operations_list(world->client, &task, NULL));
    CHECK_OK(bank_finish(world->bank, task));
    return task;
}

/* Approves an operation of a list; gives the status of the call or, if it began, of its task. */
static mtoken_status approve(const world *world, const mtoken_operation *operation,
                             const mtoken_authorize_options *options)
{
    mtoken_task *task = NULL;
    mtoken_error *error = NULL;
    mtoken_status status = mtoken_operations_authorize(world->client, operation, &world->pin, options, &task, &error);
    CHECK((status == MTOKEN_OK) == (error == NULL));
    if (error) CHECK_INT(error->outcome, MTOKEN_OUTCOME_NOT_SENT);
    mtoken_error_free(error);
    return status == MTOKEN_OK ? bank_finish_free(world->bank, task) : status;
}

/* What the bank was sent with the decision on an operation. */
static const json_t *request_of(const world *world, const char *id)
{
    size_t index;
    json_t *operation;
    json_array_foreach(world->bank->operations, index,
                       operation) if (strcmp(json_string_value(json_object_get(operation, "id")), id) ==
                                      0) return json_object_get(operation, "request");
    return NULL;
}

static const char *text_of(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

/* ---------------------------------------------------------------------------------------------------------- the loop
 */

static void watch(mtoken_watcher *watcher, const mtoken_operation *operation, bool ends)
{
    const mtoken_watched watched = {operation->id, operation->operation_data, operation->expires};
    CHECK_OK(ends ? mtoken_watcher_remove(watcher, &watched, 1, NULL) : mtoken_watcher_add(watcher, &watched, 1, NULL));
}

/* Shows an operation, as its bank lays it out. */
static void check_shown(const mtoken_operation *operation)
{
    static const struct {
        int32_t kind;
        const char *text;
    } cells[] = {
        {MTOKEN_CELL_TITLE, "Payment"}, {MTOKEN_CELL_MESSAGE, "Do you pay?"}, {MTOKEN_CELL_VALUE, "100,50 Kč"}};
    mtoken_visual *visual = NULL;
    size_t shown = 0;
    CHECK_OK(mtoken_visual_new(operation, &visual, NULL));
    CHECK_TEXT(visual->list_title, "Payment");
    for (size_t i = 0; i < visual->section_count; i++)
        for (size_t j = 0; j < visual->sections[i]->cell_count && shown < 3; j++, shown++) {
            CHECK_INT(visual->sections[i]->cells[j]->kind, cells[shown].kind);
            CHECK_TEXT(visual->sections[i]->cells[j]->text, cells[shown].text);
        }
    CHECK_INT(shown, 3);
    mtoken_visual_free(visual);
}

static void approve_with_records(const world *world, const mtoken_operation *operation)
{
    mtoken_recorder *recorder = NULL;
    mtoken_mobile_token_data *data = NULL;
    mtoken_text *json = NULL;
    mtoken_authorize_options options = MTOKEN_AUTHORIZE_OPTIONS_INIT;
    CHECK_OK(mtoken_recorder_new(world->client, &recorder, NULL));
    CHECK_OK(mtoken_recorder_begin(recorder, "warning", 7, NULL));
    advance(world, 1500);
    CHECK_OK(mtoken_recorder_end(recorder, "warning", 7, MTOKEN_ACTION_CONTINUE, MTOKEN_NUL_TERMINATED, NULL));
    CHECK_OK(mtoken_mobile_token_data_new(NULL, 0, &data, NULL));
    CHECK_OK(mtoken_mobile_token_data_put(data, "riskScore", 9, "7", 1, NULL));
    CHECK_OK(mtoken_mobile_token_data_put_recorder(data, recorder, NULL));
    CHECK_OK(mtoken_mobile_token_data_build(data, &json, NULL));
    options.check_factors = options.strict = 1;
    options.mobile_token_data = text(json->data);
    CHECK_STATUS(approve(world, operation, &options), MTOKEN_OK);
    mtoken_text_free(json);
    mtoken_mobile_token_data_free(data);
    mtoken_recorder_free(recorder);
}

static void whole_loop(void)
{
    world world = open_with(MTOKEN_EVENT_MASK_OPERATIONS, MTOKEN_LOG_OFF);
    mtoken_watcher *watcher = NULL;
    mtoken_watched_list *watched = NULL;
    mtoken_event *event = NULL;
    mtoken_task *task = NULL;
    for (const char *id = "123"; *id; id++) {
        const char name[2] = {*id, '\0'};
        bank_operation(world.bank, name, "A1*A100.5CZK");
    }
    CHECK_OK(mtoken_watcher_new(world.client, &watcher, NULL));
    CHECK_OK(mtoken_operations_start_polling(world.client, NULL, NULL));
    bank_serve(world.bank);

    /* The list arrives: it is shown, the first one is approved, the second one rejected. */
    event = next_event(&world, MTOKEN_EVENT_OPERATIONS_CHANGED);
    const mtoken_operations_change *change = event ? event->change : NULL;
    if (!CHECK(change && change->added_count == 3 && change->count == 3)) return;
    CHECK(event && event->client == world.client);
    for (size_t i = 0; i < 3; i++) {
        CHECK_INT(change->added[i]->expires, START + 5 * MINUTE);
        check_shown(change->added[i]);
        watch(watcher, change->added[i], false);
    }
    approve_with_records(&world, change->added[0]);
    CHECK_OK(
        brief_reject(world.client, change->added[1]->id, MTOKEN_REJECT_PREAPPROVAL, "{\"why\":null}", &task, NULL));
    CHECK_OK(bank_finish_free(world.bank, task));
    mtoken_event_free(event);

    const json_t *sent = request_of(&world, "1"), *data = json_object_get(sent, "mobileTokenData");
    const json_t *visit = json_array_get(json_object_get(data, "preApprovalScreens"), 0);
    CHECK_TEXT(text_of(sent, "data"), "A1*A100.5CZK");
    CHECK_INT(json_integer_value(json_object_get(data, "riskScore")), 7);
    CHECK_TEXT(text_of(visit, "screen"), "warning");
    CHECK_TEXT(text_of(visit, "action"), "CONTINUE");
    CHECK_TEXT(text_of(visit, "timestampOpened"), "2023-11-14T22:13:20.000Z");
    CHECK_TEXT(text_of(visit, "timestampClosed"), "2023-11-14T22:13:21.500Z");
    CHECK_TEXT(text_of(request_of(&world, "2"), "reason"), "PREAPPROVAL");
    CHECK(json_is_null(json_object_get(json_object_get(request_of(&world, "2"), "mobileTokenData"), "why")));

    /* What was decided is known no more, and no longer watched. */
    for (const char *id = "12"; *id; id++) {
        const char name[2] = {*id, '\0'};
        event = next_event(&world, MTOKEN_EVENT_OPERATIONS_CHANGED);
        change = event ? event->change : NULL;
        if (CHECK(change && change->removed_count == 1 && change->added_count == 0)) {
            CHECK_TEXT(change->removed[0]->id, name);
            watch(watcher, change->removed[0], true);
        }
        mtoken_event_free(event);
    }
    CHECK_OK(mtoken_watcher_list(watcher, &watched, NULL));
    if (CHECK_INT(watched->count, 1)) CHECK_TEXT(watched->items[0]->id, "3");
    mtoken_watched_list_free(watched);

    /* Polling goes on; nothing new comes; at its time the third one expires, once. */
    size_t before = mtoken_testing_request_count(world.runtime);
    int expired = 0, ticks = 0;
    for (; ticks < 50; ticks++) {
        advance(&world, 7000);
        bank_serve(world.bank);
        while (mtoken_runtime_next_event(world.runtime, 0, &event, NULL) == MTOKEN_OK) {
            const mtoken_watched_list *list = event->expired;
            if (list) {
                expired++;
                CHECK(event->watcher == watcher);
                CHECK_INT(list->count, 1);
                CHECK_TEXT(list->items[0]->id, "3");
                CHECK(event->time >= START + 5 * MINUTE && event->time < START + 5 * MINUTE + 1000);
            } else if ((change = event->change)) {
                CHECK(change->count == 1 && change->added_count == 0 && change->removed_count == 0 &&
                      change->updated_count == 0);
            }
            mtoken_event_free(event);
        }
    }
    CHECK_INT(expired, 1);
    CHECK_INT(mtoken_testing_request_count(world.runtime) - before, ticks);
    CHECK_OK(mtoken_operations_stop_polling(world.client, NULL));
    advance(&world, 10 * MINUTE);
    CHECK_INT(mtoken_testing_request_count(world.runtime) - before, ticks);
    mtoken_watcher_free(watcher);
    world_close(&world);
}

/* ----------------------------------------------------------------------------------------------------------- polling
 */

static size_t polls(const world *world, int64_t span)
{
    size_t before = mtoken_testing_request_count(world->runtime);
    for (; span > 0; span -= 1000) {
        advance(world, 1000);
        bank_serve(world->bank);
    }
    return mtoken_testing_request_count(world->runtime) - before;
}

static void polling_keeps_its_times(void)
{
    static const struct {
        int64_t given, effective;
        bool push, warned;
    } cases[] = {
        {0, 7000, false, false},      {1, 5000, false, true},  {4999, 5000, false, true}, {5000, 5000, false, false},
        {60000, 60000, false, false}, {0, 14000, true, false}, {1, 10000, true, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        world world = open_with(MTOKEN_EVENT_MASK_LOG, MTOKEN_LOG_WARNING);
        mtoken_polling_options options = MTOKEN_POLLING_OPTIONS_INIT;
        mtoken_operations_info *known = NULL;
        int warnings = 0;
        mtoken_task_free(fetch(&world));
        options.interval_ms = cases[i].given;
        options.delay_start = 1;
        options.has_push = cases[i].push;
        CHECK_OK(mtoken_operations_start_polling(world.client, &options, NULL));
        CHECK_OK(mtoken_operations_get_info(world.client, &known, NULL));
        CHECK_INT(known->polling_interval_ms, cases[i].effective);
        CHECK_INT(known->polling, MTOKEN_POLLING_ON);
        mtoken_operations_info_free(known);
        for (mtoken_event *event; (event = next_event(&world, MTOKEN_EVENT_LOG)); mtoken_event_free(event), warnings++)
            CHECK_INT(event->log_level, MTOKEN_LOG_WARNING);
        CHECK_INT(warnings, cases[i].warned);
        CHECK_INT(polls(&world, cases[i].effective - 1000), 0);
        CHECK_INT(polls(&world, 1000), 1);
        CHECK_INT(polls(&world, 10 * cases[i].effective), 10);
        CHECK_OK(mtoken_operations_start_polling(world.client, NULL, NULL)); /* ignored */
        CHECK_INT(polls(&world, cases[i].effective), 1);
        CHECK_OK(mtoken_operations_pause_polling(world.client, NULL));
        CHECK_INT(mtoken_operations_get_polling(world.client), MTOKEN_POLLING_PAUSED);
        CHECK_INT(polls(&world, 3 * cases[i].effective), 0);
        CHECK_OK(mtoken_operations_resume_polling(world.client, NULL)); /* at once, and again after the interval */
        CHECK_INT(polls(&world, 1000), 1);
        CHECK_INT(polls(&world, cases[i].effective), 1);
        CHECK_OK(mtoken_operations_pause_polling(world.client, NULL));
        CHECK_OK(mtoken_operations_stop_polling(world.client, NULL));
        CHECK_OK(mtoken_operations_resume_polling(world.client, NULL)); /* no longer */
        CHECK_INT(polls(&world, 3 * cases[i].effective), 0);
        CHECK_INT(mtoken_operations_get_polling(world.client), MTOKEN_POLLING_OFF);
        world_close(&world);
    }
}

/* A server that does not answer is not asked twice; a fetch that fails is told, and the next one is made all the same.
 */
static void ticks_do_not_pile_up(void)
{
    world world = open_with(MTOKEN_EVENT_MASK_OPERATIONS, MTOKEN_LOG_OFF);
    mtoken_operations_info *known = NULL;
    mtoken_task_free(fetch(&world));
    pass_events(&world);
    size_t before = mtoken_testing_request_count(world.runtime);
    CHECK_OK(mtoken_operations_start_polling(world.client, NULL, NULL));
    advance(&world, 19999);
    CHECK_INT(mtoken_testing_request_count(world.runtime) - before, 1);
    CHECK_INT(mtoken_operations_is_loading(world.client), 1);
    CHECK_OK(mtoken_operations_refresh(world.client, NULL)); /* skipped */
    advance(&world, 0);
    CHECK_INT(mtoken_testing_request_count(world.runtime) - before, 1);
    advance(&world, 2000); /* out of time at 20 s, and asked again at 21 s */
    CHECK_INT(mtoken_testing_request_count(world.runtime) - before, 2);
    mtoken_event *event = next_event(&world, MTOKEN_EVENT_OPERATIONS_FAILED);
    CHECK(event && event->error && event->error->code == MTOKEN_ERROR_TIMEOUT);
    mtoken_event_free(event);
    CHECK_OK(mtoken_operations_get_info(world.client, &known, NULL));
    CHECK(known->last_fetch == MTOKEN_FETCH_FAILED && known->last_error &&
          known->last_error->code == MTOKEN_ERROR_TIMEOUT);
    CHECK_INT(known->is_loading, 1);
    mtoken_operations_info_free(known);
    world.bank->next++; /* the one that nobody answered */
    bank_serve(world.bank);
    CHECK_OK(mtoken_operations_get_info(world.client, &known, NULL));
    CHECK(known->last_fetch == MTOKEN_FETCH_SUCCEEDED && !known->last_error && !known->is_loading);
    mtoken_operations_info_free(known);
    world_close(&world);
}

/* ----------------------------------------------------------------------------------------------------------- watcher
 */

/* The ids that an event of expiry tells, in order; "": there is no event. */
static const char *expired_now(const world *world, char ids[64])
{
    mtoken_event *event = next_event(world, MTOKEN_EVENT_OPERATIONS_EXPIRED);
    const mtoken_watched_list *list = event ? event->expired : NULL;
    ids[0] = '\0';
    for (size_t i = 0; list && i < list->count && strlen(ids) < 48; i++) strcat(ids, list->items[i]->id);
    mtoken_event_free(event);
    return ids;
}

static void watcher_reports_in_time(void)
{
    static const mtoken_watched items[] = {
        {"a", "A1", START + 20000}, {"b", "A1", START + 21000}, {"c", "A1", START + 90000},
        {"d", "A1", START - 1},     {"a", "A1", START + 20000}, {"a", "A2", START + 20000},
    };
    world world = open_with(MTOKEN_EVENT_MASK_OPERATIONS | MTOKEN_EVENT_MASK_LOG, MTOKEN_LOG_WARNING);
    mtoken_watcher *watcher = NULL;
    mtoken_watched_list *list = NULL;
    char ids[64];
    CHECK_OK(mtoken_watcher_new(world.client, &watcher, NULL));
    CHECK_OK(mtoken_watcher_add(watcher, items, 0, NULL)); /* nothing */
    CHECK_OK(mtoken_watcher_add(watcher, items, 3, NULL));
    CHECK_OK(mtoken_watcher_add(watcher, &items[4], 2, NULL)); /* known, and with other data */
    CHECK_OK(mtoken_watcher_list(watcher, &list, NULL));
    CHECK_INT(list->count, 4);
    mtoken_watched_list_free(list);
    CHECK_OK(mtoken_watcher_remove(watcher, &items[5], 1, NULL));
    CHECK_OK(mtoken_watcher_add(watcher, &items[3], 1, NULL)); /* over already: told, but not within five seconds */
    mtoken_event *warning = next_event(&world, MTOKEN_EVENT_LOG);
    CHECK(warning && warning->log_level == MTOKEN_LOG_WARNING);
    mtoken_event_free(warning);
    advance(&world, 4999);
    CHECK_TEXT(expired_now(&world, ids), "");
    advance(&world, 200);
    CHECK_TEXT(expired_now(&world, ids), "d");
    advance(&world, 14700);
    CHECK_TEXT(expired_now(&world, ids), "");
    advance(&world, 300);
    CHECK_TEXT(expired_now(&world, ids), "a");
    advance(&world, 5100); /* armed again for the rest, five seconds later at the earliest */
    CHECK_TEXT(expired_now(&world, ids), "b");
    /* A clock that jumps is noticed within a minute: here the user sets it forward. */
    CHECK_OK(mtoken_testing_set_wall(world.runtime, START + 3600000, NULL));
    advance(&world, MINUTE + 200);
    CHECK_TEXT(expired_now(&world, ids), "c");
    CHECK_OK(mtoken_watcher_list(watcher, &list, NULL));
    CHECK_INT(list->count, 0);
    mtoken_watched_list_free(list);
    advance(&world, 10 * MINUTE);
    CHECK_TEXT(expired_now(&world, ids), "");
    mtoken_watcher_free(watcher);
    world_close(&world);
}

/* The server's time counts where it is known; a clock of the host's own takes its place. */
static void watcher_goes_by_the_right_clock(void)
{
    static const struct {
        int64_t ahead, offset;
        bool synchronized, own;
        int64_t after; /* how long the operation of 100 s lives by the device's clock */
    } cases[] = {
        {0, 0, true, false, 100000},          {80000, 0, true, false, 20000}, {-50000, 0, true, false, 150000},
        {80000, 0, false, false, 100000},     {80000, 0, true, true, 100000}, {0, 70000, true, true, 30000},
        {80000, -100000, true, true, 200000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        world world = open_with(MTOKEN_EVENT_MASK_OPERATIONS, MTOKEN_LOG_OFF);
        const mtoken_watched item = {"x", "A1", START + 100000};
        mtoken_watcher *watcher = NULL;
        mtoken_task *task = NULL;
        char ids[64];
        CHECK_OK(mtoken_client_reset_time(world.client, NULL));
        world.bank->clock_ahead = cases[i].ahead;
        if (cases[i].synchronized) {
            CHECK_OK(mtoken_client_synchronize_time(world.client, &task, NULL));
            CHECK_OK(bank_finish_free(world.bank, task));
        }
        CHECK_OK(mtoken_watcher_new(world.client, &watcher, NULL));
        if (cases[i].own) CHECK_OK(mtoken_watcher_set_clock(watcher, 1, cases[i].offset, NULL));
        CHECK_OK(mtoken_watcher_add(watcher, &item, 1, NULL));
        advance(&world, cases[i].after - 1);
        if (!CHECK_TEXT(expired_now(&world, ids), "")) note("case %zu", i);
        advance(&world, 1000);
        if (!CHECK_TEXT(expired_now(&world, ids), "x")) note("case %zu", i);
        mtoken_watcher_free(watcher);
        world_close(&world);
    }
}

/* ------------------------------------------------------------------------------------------------- mobile token data
 */

static void check_data(mtoken_mobile_token_data *data, const char *expected)
{
    mtoken_text *json = NULL;
    CHECK_OK(mtoken_mobile_token_data_build(data, &json, NULL));
    CHECK_TEXT(json ? json->data : NULL, expected);
    if (json) CHECK_INT(json->length, strlen(json->data));
    mtoken_text_free(json);
}

static void token_data_are_built(void)
{
    static const char *const bad[] = {"", "1 2", "{\"a\":1,\"a\":2}", "[1", "nul", "\"\\ud800\"", "{1:2}", "'a'"};
    mtoken_mobile_token_data *data = NULL;
    mtoken_error *error = NULL;
    CHECK_ERROR(mtoken_mobile_token_data_new("[]", 2, &data, &error), MTOKEN_ERROR_PARSE, error);
    CHECK_OK(mtoken_mobile_token_data_new("{\"first\" : [1,2.50] , \"\":0}", MTOKEN_NUL_TERMINATED, &data, NULL));
    check_data(data, "{\"first\":[1,2.50],\"\":0}");
    CHECK_OK(mtoken_mobile_token_data_put(data, "null", 4, " null ", 6, NULL));
    CHECK_OK(mtoken_mobile_token_data_put_text(data, "text", 4, "\"\\\n\xc5\xbe", 5, NULL));
    CHECK_OK(mtoken_mobile_token_data_put(data, "first", 5, "{\"a\":{}}", MTOKEN_NUL_TERMINATED,
                                          NULL)); /* replaced in its place */
    check_data(data, "{\"first\":{\"a\":{}},\"\":0,\"null\":null,\"text\":\"\\\"\\\\\\n\xc5\xbe\"}");
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        mtoken_status status = mtoken_mobile_token_data_put(data, "bad", 3, bad[i], strlen(bad[i]), &error);
        CHECK(error && error->byte_offset >= 0 && error->byte_offset <= (int64_t)strlen(bad[i]));
        if (!CHECK_ERROR(status, MTOKEN_ERROR_PARSE, error)) note("%s", bad[i]);
    }
    CHECK_INT(mtoken_mobile_token_data_remove(data, "null", 4), 1);
    CHECK_INT(mtoken_mobile_token_data_remove(data, "null", 4), 0);
    CHECK_INT(mtoken_mobile_token_data_remove(data, "toString", 8), 0);
    CHECK_INT(mtoken_mobile_token_data_remove(data, "bad", 3), 0);
    CHECK_INT(mtoken_mobile_token_data_remove(data, "", 0), 1);
    check_data(data, "{\"first\":{\"a\":{}},\"text\":\"\\\"\\\\\\n\xc5\xbe\"}");
    CHECK_OK(mtoken_mobile_token_data_clear(data, NULL));
    check_data(data, "{}");
    mtoken_mobile_token_data_free(data);
}

static void check_visits(mtoken_recorder *recorder, const char *expected)
{
    mtoken_text *json = NULL;
    CHECK_OK(mtoken_recorder_build(recorder, &json, NULL));
    CHECK_TEXT(json ? json->data : NULL, expected);
    mtoken_text_free(json);
}

#define OPENED(screen, seconds) "{\"screen\":\"" screen "\",\"timestampOpened\":\"2023-11-14T22:13:" seconds ".000Z\""
#define CLOSED(seconds) ",\"timestampClosed\":\"2023-11-14T22:13:" seconds ".000Z\""

static void visits_are_recorded(void)
{
    world world = open_with(MTOKEN_EVENT_MASK_NONE, MTOKEN_LOG_OFF);
    mtoken_recorder *recorder = NULL;
    mtoken_mobile_token_data *data = NULL;
    CHECK_OK(mtoken_recorder_new(world.client, &recorder, NULL));
    check_visits(recorder, "[]");
    CHECK_OK(mtoken_recorder_begin(recorder, "", 0, NULL));           /* no name */
    CHECK_OK(mtoken_recorder_end(recorder, "a", 1, "BACK", 4, NULL)); /* never opened */
    check_visits(recorder, "[]");
    CHECK_OK(mtoken_recorder_begin(recorder, "a", 1, NULL));
    advance(&world, 1000);
    CHECK_OK(mtoken_recorder_begin(recorder, "a", 1, NULL)); /* open already */
    check_visits(recorder, "[" OPENED("a", "20") CLOSED("21") "}]");
    advance(&world, 1000);
    CHECK_OK(mtoken_recorder_begin(recorder, "b", 1, NULL)); /* a stays behind */
    advance(&world, 1000);
    CHECK_OK(mtoken_recorder_end(recorder, "b", 1, MTOKEN_ACTION_SCAN, 4, NULL));
    check_visits(recorder, "[" OPENED("a", "20") "}," OPENED("b", "22") CLOSED("23") ",\"action\":\"SCAN\"}]");
    CHECK_OK(mtoken_recorder_end(recorder, "a", 1, "MINE", 4, NULL)); /* the one that stayed behind */
    CHECK_OK(mtoken_recorder_end(recorder, "a", 1, "BACK", 4, NULL)); /* closed already */
    CHECK_OK(mtoken_recorder_begin(recorder, "b", 1, NULL));          /* once more */

    /* As a part of the data; it lives as long as they do. */
    CHECK_OK(mtoken_mobile_token_data_new("{\"preApprovalScreens\":1}", MTOKEN_NUL_TERMINATED, &data, NULL));
    CHECK_OK(mtoken_mobile_token_data_put_recorder(data, recorder, NULL));
    mtoken_recorder_free(recorder);
    advance(&world, 1000);
    check_data(data, "{\"preApprovalScreens\":[" OPENED("a", "20") CLOSED("23") ",\"action\":\"MINE\"}," OPENED(
                         "b", "22") CLOSED("23") ",\"action\":\"SCAN\"}," OPENED("b", "23") CLOSED("24") "}]}");
    CHECK_OK(mtoken_mobile_token_data_put_text(data, "preApprovalScreens", 18, "x", 1, NULL)); /* the last one counts */
    check_data(data, "{\"preApprovalScreens\":\"x\"}");
    CHECK_STATUS(mtoken_recorder_reset(recorder, NULL), MTOKEN_ERROR_HANDLE);
    mtoken_mobile_token_data_free(data);

    /* The server's time, as far as it is known when the record is built. */
    mtoken_task *task = NULL;
    CHECK_OK(mtoken_recorder_new(world.client, &recorder, NULL));
    CHECK_OK(mtoken_recorder_begin(recorder, "c", 1, NULL));
    CHECK_OK(mtoken_client_reset_time(world.client, NULL));
    world.bank->clock_ahead = 10000;
    CHECK_OK(mtoken_client_synchronize_time(world.client, &task, NULL));
    CHECK_OK(bank_finish_free(world.bank, task));
    CHECK_OK(mtoken_recorder_end(recorder, "c", 1, MTOKEN_ACTION_CLOSE, 5, NULL));
    check_visits(recorder, "[" OPENED("c", "34") CLOSED("34") ",\"action\":\"CLOSE\"}]");
    CHECK_OK(mtoken_recorder_reset(recorder, NULL));
    check_visits(recorder, "[]");
    mtoken_recorder_free(recorder);
    world_close(&world);
}

/* --------------------------------------------------------------------------------------------- what may be approved */

/* Whatever of an operation this version does not know is shown as it was sent; only the status decides what is
 * approved. */
static void unknown_things_may_be_approved_only_knowingly(void)
{
    static const struct {
        const char *member, *json; /* of the operation */
        int32_t status;
        bool allowed;
    } cases[] = {
        {"status", "\"SUSPENDED\"", MTOKEN_OPERATION_UNKNOWN, false},
        {"status", "\"pending\"", MTOKEN_OPERATION_UNKNOWN, false},
        {"status", "\"\"", MTOKEN_OPERATION_UNKNOWN, false},
        {"status", "5", MTOKEN_OPERATION_UNKNOWN, false},
        {"status", "{}", MTOKEN_OPERATION_UNKNOWN, false},
        {"status", "null", MTOKEN_OPERATION_PENDING, true},
        {"status", NULL, MTOKEN_OPERATION_PENDING, true},
        {"status", "\"EXPIRED\"", MTOKEN_OPERATION_EXPIRED, true}, /* the server decides */
        {"formData", "{\"title\":\"T\",\"attributes\":[{\"type\":\"NEW\",\"id\":\"n\",\"label\":\"L\",\"x\":[1]}]}",
         MTOKEN_OPERATION_PENDING, true},
        {"ui",
         "{\"preApprovalScreens\":[{\"type\":\"NEW\",\"heading\":\"h\",\"message\":\"m\"}],\"postApprovalScreen\":{"
         "\"type\":"
         "\"NEW\",\"heading\":\"h\",\"message\":\"m\",\"payload\":7}}",
         MTOKEN_OPERATION_PENDING, true},
        {"allowedSignatureType", "{\"type\":\"3FA\",\"variants\":[\"possession_smell\"]}", MTOKEN_OPERATION_PENDING,
         true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        world world = open_with(MTOKEN_EVENT_MASK_NONE, MTOKEN_LOG_OFF);
        mtoken_authorize_options options = MTOKEN_AUTHORIZE_OPTIONS_INIT;
        mtoken_task *task = NULL;
        mtoken_error *error = NULL;
        json_t *operation = bank_operation(world.bank, "1", "A1");
        json_t *shown = json_deep_copy(operation);
        if (cases[i].json)
            json_object_set_new(shown, cases[i].member, json_loads(cases[i].json, JSON_DECODE_ANY, NULL));
        else
            json_object_del(shown, cases[i].member);
        bank_answer answer = bank_ok(json_pack("[o]", shown));
        mtoken_testing_answer made = MTOKEN_TESTING_ANSWER_INIT;
        made.body = bytes(answer.body);
        mtoken_task_free(fetch(&world)); /* for the token */
        CHECK_OK(
            mtoken_testing_request_answer(world.runtime, mtoken_testing_request_count(world.runtime), &made, NULL));
        mtoken_task *list_task = fetch(&world);
        const mtoken_operation_list *list = mtoken_task_operations(list_task);
        if (CHECK(list && list->count == 1)) {
            const mtoken_operation *found = list->operations[0];
            CHECK_INT(found->status, cases[i].status);
            size_t before = mtoken_testing_request_count(world.runtime);
            if (!cases[i].allowed) {
                CHECK(mtoken_operations_authorize(world.client, found, &world.pin, NULL, &task, &error) ==
                      MTOKEN_ERROR_STATE);
                CHECK_TEXT(error ? error->reason : NULL, "unknownStatus");
                CHECK_ERROR(MTOKEN_ERROR_STATE, MTOKEN_ERROR_STATE, error);
                CHECK_STATUS(approve(&world, found, &options), MTOKEN_ERROR_STATE);
                CHECK_INT(mtoken_testing_request_count(world.runtime), before);
                CHECK_INT(world.bank->highest, 0); /* but for the token, nothing was signed */
                CHECK_TEXT(bank_operation_status(world.bank, "1"), "PENDING");
                options.allow_unknown_status = 1;
            }
            if (strcmp(cases[i].member, "allowedSignatureType") == 0) {
                CHECK_INT(found->signature_type, MTOKEN_SIGNATURE_TYPE_UNKNOWN);
                CHECK_TEXT(found->signature_type_text, "3FA");
                CHECK(found->unknown_variant_count == 1 && !found->variants && !found->allows_biometry);
                options.check_factors = 1; /* no factor satisfies a kind that is not known */
                CHECK_STATUS(approve(&world, found, &options), MTOKEN_ERROR_FACTOR);
                options.check_factors = 0;
            }
            if (found->attribute_count == 1 && strcmp(cases[i].member, "formData") == 0) {
                CHECK_INT(found->attributes[0]->kind, MTOKEN_ATTRIBUTE_UNKNOWN);
                CHECK_TEXT(found->attributes[0]->kind_text, "NEW");
                CHECK(strstr(found->attributes[0]->json, "[1]"));
            }
            if (strcmp(cases[i].member, "ui") == 0 && CHECK(found->ui && found->ui->pre_approval_screen_count == 1)) {
                CHECK_INT(found->ui->pre_approval_screens[0]->kind, MTOKEN_SCREEN_UNKNOWN);
                CHECK_INT(found->ui->post_approval_screen->kind, MTOKEN_POST_SCREEN_UNKNOWN);
                CHECK_TEXT(found->ui->post_approval_screen->payload, "7");
            }
            CHECK_STATUS(approve(&world, found, &options), MTOKEN_OK);
            CHECK_TEXT(bank_operation_status(world.bank, "1"), "APPROVED");
        }
        mtoken_task_free(list_task);
        free(answer.body);
        world_close(&world);
    }
}

/* What is approved is what was decoded: an operation of the library leads back to its JSON. One that a host made up
 * speaks for itself. */
static void changed_operations_are_refused(void)
{
    world world = open_with(MTOKEN_EVENT_MASK_NONE, MTOKEN_LOG_OFF);
    mtoken_error *error = NULL;
    mtoken_task *task = NULL;
    bank_operation(world.bank, "1", "A1");
    bank_operation(world.bank, "2", "A2");
    mtoken_task *listed = fetch(&world);
    const mtoken_operation_list *list = mtoken_task_operations(listed);
    if (CHECK(list && list->count == 2)) {
        const mtoken_operation *found = list->operations[0];
        mtoken_operation other_id = *found, other_data = *found, made_up = {0};
        other_id.id = list->operations[1]->id;
        other_data.operation_data = list->operations[1]->operation_data;
        const mtoken_operation *changed[] = {&other_id, &other_data};
        size_t before = mtoken_testing_request_count(world.runtime);
        for (size_t i = 0; i < 2; i++) {
            CHECK_ERROR(mtoken_operations_authorize(world.client, changed[i], &world.pin, NULL, &task, &error),
                        MTOKEN_ERROR_ARGUMENT, error);
            CHECK(task == NULL);
        }
        CHECK_INT(mtoken_testing_request_count(world.runtime), before);
        CHECK_TEXT(bank_operation_status(world.bank, "1"), "PENDING");
        CHECK_TEXT(bank_operation_status(world.bank, "2"), "PENDING");

        mtoken_operation copied = *found;
        CHECK_STATUS(approve(&world, &copied, NULL), MTOKEN_OK);
        CHECK_TEXT(bank_operation_status(world.bank, found->id), "APPROVED");
        made_up.id = list->operations[1]->id;
        made_up.operation_data = list->operations[1]->operation_data;
        made_up.status = MTOKEN_OPERATION_UNKNOWN;
        CHECK_STATUS(approve(&world, &made_up, NULL), MTOKEN_ERROR_STATE);
        made_up.status = MTOKEN_OPERATION_PENDING;
        CHECK_STATUS(approve(&world, &made_up, NULL), MTOKEN_OK);
        CHECK_TEXT(bank_operation_status(world.bank, made_up.id), "APPROVED");
    }
    mtoken_task_free(listed);
    world_close(&world);
}

/* The getters that give something for a task, one bit each. */
static uint32_t results_of(const mtoken_task *task)
{
    const bool results[] = {
        mtoken_task_operations(task) != NULL,
        mtoken_task_operation(task) != NULL,
        mtoken_task_header(task) != NULL,
        mtoken_task_inbox_count(task) != -1,
        mtoken_task_inbox_list(task) != NULL,
        mtoken_task_inbox_message(task) != NULL,
        mtoken_task_activation(task) != NULL,
        mtoken_task_activation_status(task) != NULL,
        mtoken_task_activation_detail(task) != NULL,
        mtoken_task_oidc_config(task) != NULL,
        mtoken_task_oidc_attributes(task) != NULL,
        mtoken_task_user_info(task) != NULL,
        mtoken_task_bytes(task) != NULL,
        mtoken_task_recovery(task) != NULL,
        mtoken_task_already_confirmed(task) != MTOKEN_UNSET,
        mtoken_task_mobile_auth_list(task) != NULL,
        mtoken_task_mobile_auth(task) != NULL,
        mtoken_task_encrypted_request(task) != NULL,
    };
    uint32_t bits = 0;
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++) bits |= (uint32_t)results[i] << i;
    return bits;
}

/* A task has the result of its own kind only. */
static void results_are_of_their_kind(void)
{
    world world = open_with(MTOKEN_EVENT_MASK_NONE, MTOKEN_LOG_OFF);
    mtoken_task *task = NULL;
    bank_operation(world.bank, "1", "A1");
    mtoken_task *listed = fetch(&world);
    CHECK_INT(results_of(listed), 1 << 0);
    const mtoken_operation_list *list = mtoken_task_operations(listed);
    CHECK_OK(mtoken_operations_detail(world.client, "1", MTOKEN_NUL_TERMINATED, &task, NULL));
    CHECK_OK(bank_finish(world.bank, task));
    CHECK_INT(results_of(task), 1 << 1);
    mtoken_task_free(task);
    CHECK_OK(mtoken_client_fetch_status(world.client, &task, NULL));
    CHECK_OK(bank_finish(world.bank, task));
    CHECK_INT(results_of(task), 1 << 7);
    mtoken_task_free(task);
    if (CHECK(list && list->count == 1)) {
        CHECK_OK(mtoken_operations_authorize(world.client, list->operations[0], &world.pin, NULL, &task, NULL));
        CHECK_OK(bank_finish(world.bank, task));
        CHECK_INT(results_of(task), 0);
        mtoken_task_free(task);
    }
    mtoken_task_free(listed);
    world_close(&world);
}

/* A contradiction is told always, and refused by a call or a client that is strict, however the operation is named. */
static void contradictions_are_refused(void)
{
    static const struct {
        const char *data;
        int32_t contradictions;
    } cases[] = {
        {"A1*A100.5CZK", 0},
        {"A1*A100.50CZK", 0},
        {"A1", 0},
        {"free text", MTOKEN_CONTRADICTION_UNREADABLE},
        {"A1*A999CZK", MTOKEN_CONTRADICTION_AMOUNT},
        {"A1*A100.5EUR", MTOKEN_CONTRADICTION_CURRENCY},
        {"A1*A100.5CZK*A7EUR", MTOKEN_CONTRADICTION_AMOUNT_HIDDEN},
        {"A1*A100.5CZK*Q238400856/0300", MTOKEN_CONTRADICTION_ACCOUNT_HIDDEN},
    };
    for (int strict_client = 0; strict_client < 2; strict_client++)
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            world world = open_with(MTOKEN_EVENT_MASK_NONE, MTOKEN_LOG_OFF);
            mtoken_client_free(world.client);
            mtoken_client_options client_options = bank_client_options(world.bank, world.store);
            mtoken_authorize_options strict = MTOKEN_AUTHORIZE_OPTIONS_INIT;
            mtoken_task *task = NULL;
            client_options.strict = strict_client;
            CHECK_OK(mtoken_client_new(world.runtime, &client_options, &world.client, NULL));
            strict.strict = 1;
            for (const char *id = "123"; *id; id++) {
                const char name[2] = {*id, '\0'};
                bank_operation(world.bank, name, cases[i].data);
            }
            mtoken_task *list_task = fetch(&world);
            const mtoken_operation_list *list = mtoken_task_operations(list_task);
            if (CHECK(list && list->count == 3)) {
                bool refused = cases[i].contradictions != 0;
                long highest = world.bank->highest;
                CHECK_INT(list->operations[0]->contradictions, cases[i].contradictions);
                CHECK((list->operations[0]->signed_fields == NULL) == (strcmp(cases[i].data, "free text") == 0));
                CHECK_STATUS(approve(&world, list->operations[0], &strict), refused ? MTOKEN_ERROR_STATE : MTOKEN_OK);
                if (refused) CHECK_INT(world.bank->highest, highest);
                refused = refused && strict_client;
                CHECK_STATUS(approve(&world, list->operations[1], NULL), refused ? MTOKEN_ERROR_STATE : MTOKEN_OK);
                mtoken_status status = brief_authorize(world.client, "3", cases[i].data, &world.pin, NULL, &task, NULL);
                CHECK_STATUS(status, refused ? MTOKEN_ERROR_STATE : MTOKEN_OK);
                if (status == MTOKEN_OK) CHECK_OK(bank_finish_free(world.bank, task));
                CHECK_TEXT(bank_operation_status(world.bank, "3"), refused ? "PENDING" : "APPROVED");
                if (refused) { /* rejecting is what is left */
                    CHECK_OK(brief_reject(world.client, "3", MTOKEN_REJECT_INCORRECT_DATA, NULL, &task, NULL));
                    CHECK_OK(bank_finish_free(world.bank, task));
                }
            }
            mtoken_task_free(list_task);
            world_close(&world);
        }
}

/* What is tolerated passes, and nothing else does; a list says that it may be cut; a number keeps its digits. */
static void contradictions_are_tolerated(void)
{
    world world = open_with(MTOKEN_EVENT_MASK_NONE, MTOKEN_LOG_OFF);
    mtoken_authorize_options options = MTOKEN_AUTHORIZE_OPTIONS_INIT;
    mtoken_task *task = NULL;
    bank_operation(world.bank, "1", "free text");
    mtoken_task *list_task = fetch(&world);
    const mtoken_operation_list *list = mtoken_task_operations(list_task);
    if (CHECK(list && list->count == 1 && !list->may_be_cut)) {
        const mtoken_operation *operation = list->operations[0];
        CHECK(operation->issue_count == 0 && operation->issues == NULL);
        options.strict = 1;
        options.tolerated = MTOKEN_CONTRADICTION_AMOUNT | MTOKEN_CONTRADICTION_LOST_ROW;
        CHECK_STATUS(approve(&world, operation, &options), MTOKEN_ERROR_STATE);
        options.tolerated = 512;
        CHECK_STATUS(mtoken_operations_authorize(world.client, operation, &world.pin, &options, &task, NULL),
                     MTOKEN_ERROR_ARGUMENT);
        options.tolerated = MTOKEN_CONTRADICTION_UNREADABLE;
        options.reserved = 1;
        CHECK_STATUS(mtoken_operations_authorize(world.client, operation, &world.pin, &options, &task, NULL),
                     MTOKEN_ERROR_ARGUMENT);
        options.reserved = 0;
        CHECK_STATUS(approve(&world, operation, &options), MTOKEN_OK);
    }
    mtoken_task_free(list_task);

    mtoken_client_options client_options = bank_client_options(world.bank, world.store);
    client_options.tolerated = -1;
    mtoken_client *none = NULL;
    CHECK_STATUS(mtoken_client_new(world.runtime, &client_options, &none, NULL), MTOKEN_ERROR_ARGUMENT);

    char id[8];
    for (int i = 0; i < 100; i++) {
        snprintf(id, sizeof id, "a%d", i);
        bank_operation(world.bank, id, "A1*A100.5CZK");
    }
    list_task = fetch(&world);
    list = mtoken_task_operations(list_task);
    CHECK(list && list->count == 100 && list->may_be_cut == 1);
    mtoken_operations_info *known = NULL;
    CHECK_OK(mtoken_operations_get_info(world.client, &known, NULL));
    CHECK(known && known->may_be_cut == 1);
    mtoken_operations_info_free(known);
    mtoken_task_free(list_task);
    world_close(&world);
}

/* ------------------------------------------------------------------------------------------------------------ errors
 */

typedef struct refusal {
    const char *code;
    int status;
} refusal;

static void refuse(bank *bank, const mtoken_testing_request *request, mtoken_testing_answer *answer)
{
    const refusal *refusal = bank->context;
    if (!strstr(request->url, "/operation/")) return;
    free((void *)(uintptr_t)answer->body.data);
    bank_answer made = bank_error(refusal->status, refusal->code, "because");
    answer->status = made.status;
    answer->body = bytes(made.body);
}

static void errors_have_their_reasons(void)
{
    static const struct {
        refusal refusal;
        mtoken_status code;
        int32_t number;
        bool over, refused;
        const char *approve, *others, *question; /* detail and claim */
    } cases[] = {
        {{"INVALID_ACTIVATION", 400},
         MTOKEN_ERROR_SERVER,
         MTOKEN_SERVER_CODE_INVALID_ACTIVATION,
         false,
         false,
         "operations_invalidActivation",
         "operations_invalidActivation",
         "operations_invalidActivation"},
        {{"OPERATION_ALREADY_FAILED", 400},
         MTOKEN_ERROR_SERVER,
         MTOKEN_SERVER_CODE_OPERATION_ALREADY_FAILED,
         true,
         false,
         "operations_alreadyFailed",
         "operations_alreadyFailed",
         "operations_alreadyFailed"},
        {{"OPERATION_ALREADY_FINISHED", 400},
         MTOKEN_ERROR_SERVER,
         MTOKEN_SERVER_CODE_OPERATION_ALREADY_FINISHED,
         true,
         false,
         "operations_alreadyFinished",
         "operations_alreadyFinished",
         "operations_alreadyFinished"},
        {{"OPERATION_ALREADY_CANCELED", 400},
         MTOKEN_ERROR_SERVER,
         MTOKEN_SERVER_CODE_OPERATION_ALREADY_CANCELED,
         true,
         false,
         "operations_alreadyCanceled",
         "operations_alreadyCanceled",
         "operations_alreadyCanceled"},
        {{"OPERATION_EXPIRED", 400},
         MTOKEN_ERROR_SERVER,
         MTOKEN_SERVER_CODE_OPERATION_EXPIRED,
         true,
         false,
         "operations_authExpired",
         "operations_rejectExpired",
         "operations_expired"},
        {{"OPERATION_FAILED", 401},
         MTOKEN_ERROR_SERVER,
         MTOKEN_SERVER_CODE_OPERATION_FAILED,
         false,
         false,
         "operations_failed",
         "operations_failed",
         "operations_failed"},
        {{"POWERAUTH_AUTH_FAIL", 401},
         MTOKEN_ERROR_AUTHENTICATION,
         MTOKEN_SERVER_CODE_POWERAUTH_AUTH_FAIL,
         false,
         true,
         "network_generic",
         "network_generic",
         "network_generic"},
        {{"SOMETHING_NEW", 409},
         MTOKEN_ERROR_SERVER,
         MTOKEN_SERVER_CODE_UNKNOWN,
         false,
         false,
         "network_generic",
         "network_generic",
         "network_generic"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        world world = open_with(MTOKEN_EVENT_MASK_NONE, MTOKEN_LOG_OFF);
        bank_operation(world.bank, "1", "A1");
        mtoken_task_free(fetch(&world));
        for (int call = 0; call < 6; call++) {
            mtoken_client *client = world.client;
            mtoken_task *task = NULL;
            refusal refusal = cases[i].refusal;
            world.bank->spoil = refuse;
            world.bank->context = &refusal;
            CHECK_OK(call == 0   ? brief_authorize(client, "1", "A1", &world.pin, NULL, &task, NULL)
                     : call == 1 ? brief_reject(client, "1", "UNKNOWN", NULL, &task, NULL)
                     : call == 2 ? mtoken_operations_list(client, &task, NULL)
                     : call == 3 ? mtoken_operations_history(client, &world.pin, &task, NULL)
                     : call == 4 ? mtoken_operations_detail(client, "1", 1, &task, NULL)
                                 : mtoken_operations_claim(client, "1", 1, &task, NULL));
            bool good = CHECK_STATUS(bank_finish(world.bank, task), cases[i].code);
            const mtoken_error *error = mtoken_task_error(task);
            if (CHECK(error)) {
                const char *reason = call == 0 ? cases[i].approve : call < 4 ? cases[i].others : cases[i].question;
                good &= CHECK_TEXT(error->reason, reason);
                good &= CHECK_TEXT(error->upstream_reason,
                                   strcmp(reason, "operations_expired") == 0 ? "operations_rejectExpired" : reason);
                good &= CHECK_INT(error->http_status, cases[i].refusal.status);
                good &= CHECK_TEXT(error->server_code, cases[i].refusal.code);
                good &= CHECK_TEXT(error->server_message, "because");
                good &= CHECK_INT(error->server_code_number, cases[i].number);
                good &= CHECK_INT(error->outcome, MTOKEN_OUTCOME_ANSWERED);
                good &= CHECK_INT(mtoken_error_is_operation_over(error), cases[i].over);
                good &= CHECK_INT(error->code == MTOKEN_ERROR_AUTHENTICATION, cases[i].refused);
                good &= CHECK_INT(error->network_fault, MTOKEN_NETWORK_NONE);
                good &= CHECK_INT(error->tls_fault, MTOKEN_TLS_FAULT_NONE);
            }
            if (!good) note("%s, call %d", cases[i].refusal.code, call);
            mtoken_task_free(task);
        }
        world_close(&world);
    }
}

/* --------------------------------------------------------------------------------------------------- logs and traces
 */

static void logs_follow_their_level(void)
{
    for (int32_t level = MTOKEN_LOG_OFF; level <= MTOKEN_LOG_DEBUG; level++) {
        world world = open_with(MTOKEN_EVENT_MASK_LOG, level);
        mtoken_task *task = NULL;
        mtoken_event *event = NULL;
        int seen[MTOKEN_LOG_DEBUG + 1] = {0};
        bank_operation(world.bank, "secret-id", "A1*A100.5CZK");
        mtoken_task_free(fetch(&world)); /* debug and info: what it needs, sends and gets */
        mtoken_auth wrong = world.pin;
        wrong.pin = bytes("97531");
        CHECK_OK(brief_authorize(world.client, "secret-id", "A1*A100.5CZK", &wrong, NULL, &task, NULL));
        CHECK_STATUS(bank_finish_free(world.bank, task), MTOKEN_ERROR_AUTHENTICATION); /* a warning */
        CHECK_OK(mtoken_testing_store_fail(world.store, MTOKEN_TESTING_SAVE, 1, 0, MTOKEN_TESTING_FAIL_BEFORE, NULL));
        CHECK_OK(brief_authorize(world.client, "secret-id", "A1", &world.pin, NULL, &task, NULL));
        CHECK_STATUS(bank_finish_free(world.bank, task), MTOKEN_ERROR_STORAGE); /* an error: of this device itself */
        while (mtoken_runtime_next_event(world.runtime, 0, &event, NULL) == MTOKEN_OK) {
            const char *line = event->message;
            int32_t own = event->log_level;
            CHECK_INT(event->kind, MTOKEN_EVENT_LOG);
            if (CHECK(own >= MTOKEN_LOG_ERROR && own <= level && line)) seen[own]++;
            if (!CHECK(line && line[0] && !strstr(line, PIN) && !strstr(line, "97531") && !strstr(line, "secret-id") &&
                       !strstr(line, "100") && !strstr(line, "Payment")))
                note("%s", line ? line : "(no line)");
            mtoken_event_free(event);
        }
        for (int32_t own = MTOKEN_LOG_ERROR; own <= MTOKEN_LOG_DEBUG; own++)
            if (!CHECK((seen[own] > 0) == (own <= level)))
                note("level %d: %d lines of level %d", level, seen[own], own);
        CHECK_INT(seen[MTOKEN_LOG_ERROR], level >= MTOKEN_LOG_ERROR);
        CHECK_INT(seen[MTOKEN_LOG_WARNING], level >= MTOKEN_LOG_WARNING);
        world_close(&world);
    }
}

static void broken_operations_are_reported(void)
{
    world world = open_with(MTOKEN_EVENT_MASK_LOG | MTOKEN_EVENT_MASK_OPERATIONS, MTOKEN_LOG_WARNING);
    mtoken_operations_info *known = NULL;
    bank_operation(world.bank, "1", "A1");
    json_object_del(bank_operation(world.bank, "2", "A1"), "data");
    mtoken_task *task = fetch(&world);
    const mtoken_operation_list *list = mtoken_task_operations(task);
    if (CHECK(list && list->count == 1 && list->skipped_count == 1 && list->issue_count == 1))
        CHECK_TEXT(list->issues[0], "operation 1: data: missing");
    mtoken_task_free(task);
    CHECK_OK(mtoken_operations_get_info(world.client, &known, NULL));
    CHECK(known->count == 1 && known->skipped_count == 1);
    mtoken_operations_info_free(known);
    mtoken_event *event = next_event(&world, MTOKEN_EVENT_LOG);
    CHECK(event && strstr(event->message, "1 invalid"));
    mtoken_event_free(event);
    world_close(&world);
}

static void traces_tell_each_request(void)
{
    world world = open_with(MTOKEN_EVENT_MASK_TRACE, MTOKEN_LOG_OFF);
    mtoken_event *event = NULL;
    int64_t last = 0;
    size_t told = 0;
    bank_operation(world.bank, "1", "A1");
    mtoken_task_free(fetch(&world));
    mtoken_testing_answer lost = MTOKEN_TESTING_ANSWER_INIT;
    lost.failure = MTOKEN_TESTING_FAILURE_CONNECTION_LOST;
    lost.sent = 1;
    for (int32_t stage = MTOKEN_TRACE_REQUEST; (event = next_event(&world, MTOKEN_EVENT_TRACE));
         mtoken_event_free(event)) {
        const mtoken_trace *trace = event->trace;
        CHECK_INT(trace->stage, stage); /* a request and its answer, in turn */
        CHECK(stage == MTOKEN_TRACE_ANSWER ? trace->request_number == last : trace->request_number > last);
        last = trace->request_number;
        if (stage == MTOKEN_TRACE_ANSWER) {
            CHECK_INT(trace->http_status, 200);
            CHECK(trace->answer_size > 0 && trace->finished_ms >= trace->started_ms && !trace->error);
            told++;
        } else {
            CHECK(trace->request_size > 0 && strstr(trace->header_names, "Content-Type") && trace->http_status == 0);
            CHECK(strncmp(trace->url, BANK_URL, strlen(BANK_URL)) == 0 && trace->call[0]);
        }
        stage = stage == MTOKEN_TRACE_REQUEST ? MTOKEN_TRACE_ANSWER : MTOKEN_TRACE_REQUEST;
    }
    CHECK(told >= 2); /* a token, and the list */
    CHECK_OK(mtoken_testing_request_answer(world.runtime, mtoken_testing_request_count(world.runtime), &lost, NULL));
    mtoken_task *task = NULL;
    CHECK_OK(mtoken_operations_list(world.client, &task, NULL));
    CHECK_STATUS(bank_finish_free(world.bank, task), MTOKEN_ERROR_NETWORK);
    event = next_event(&world, MTOKEN_EVENT_TRACE);
    CHECK(event && event->trace->stage == MTOKEN_TRACE_REQUEST);
    mtoken_event_free(event);
    event = next_event(&world, MTOKEN_EVENT_TRACE);
    if (CHECK(event && event->trace->stage == MTOKEN_TRACE_FAILURE && event->trace->error)) {
        CHECK_INT(event->trace->error->code, MTOKEN_ERROR_NETWORK);
        CHECK_TEXT(event->trace->call, "operation list");
    }
    mtoken_event_free(event);
    world_close(&world);
}

static const test tests[] = {
    {"the whole loop", whole_loop},
    {"polling keeps its times", polling_keeps_its_times},
    {"ticks do not pile up", ticks_do_not_pile_up},
    {"a watcher reports in time", watcher_reports_in_time},
    {"a watcher goes by the right clock", watcher_goes_by_the_right_clock},
    {"token data are built", token_data_are_built},
    {"visits are recorded", visits_are_recorded},
    {"unknown things may be approved only knowingly", unknown_things_may_be_approved_only_knowingly},
    {"changed operations are refused", changed_operations_are_refused},
    {"results are of their kind", results_are_of_their_kind},
    {"contradictions are refused", contradictions_are_refused},
    {"contradictions are tolerated", contradictions_are_tolerated},
    {"errors have their reasons", errors_have_their_reasons},
    {"logs follow their level", logs_follow_their_level},
    {"broken operations are reported", broken_operations_are_reported},
    {"traces tell each request", traces_tell_each_request},
};

int main(int argc, char **argv)
{
    after_each = no_handles_left;
    return RUN(tests);
}
