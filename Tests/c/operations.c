/*
 * The operations service as a program uses it, in test time: the whole loop (list, show, approve, reject, watch,
 * expire), the times of polling, and what may be approved.
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
    options.strict = 1;
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

/* It slows down while nothing happens, hurries when something has, and wakes with the machine. */
static void adaptive_polling_follows_what_happens(void)
{
    world world = open_with(MTOKEN_EVENT_MASK_NONE, MTOKEN_LOG_OFF);
    mtoken_polling_options options = MTOKEN_POLLING_OPTIONS_INIT;
    mtoken_task_free(fetch(&world));
    options.interval_ms = 10000;
    options.delay_start = options.is_adaptive = 1;
    options.reserved = 1;
    CHECK_STATUS(mtoken_operations_start_polling(world.client, &options, NULL), MTOKEN_ERROR_ARGUMENT);
    options.reserved = 0;
    CHECK_OK(mtoken_operations_start_polling(world.client, &options, NULL));
    CHECK_INT(polls(&world, 90000), 9);
    for (int64_t wait = 20000; wait <= 80000; wait *= 2) {
        CHECK_INT(polls(&world, wait - 1000), 0);
        CHECK_INT(polls(&world, 1000), 1);
        CHECK_INT(polls(&world, 7 * wait), 7);
    }
    CHECK_INT(polls(&world, 8 * 80000), 8); /* no slower */

    bank_operation(world.bank, "1", "A1");
    CHECK_INT(polls(&world, 80000), 1);
    CHECK_INT(polls(&world, 60000), 12);
    CHECK_INT(polls(&world, 19000), 0);
    CHECK_INT(polls(&world, 1000), 1);

    CHECK_OK(mtoken_operations_refresh(world.client, NULL));
    bank_serve(world.bank);
    CHECK_INT(polls(&world, 60000), 12);

    while (polls(&world, 1000) == 0) {
    }
    CHECK_INT(polls(&world, 6000), 0);
    CHECK_OK(mtoken_testing_sleep(world.runtime, 3600000, NULL));
    CHECK(polls(&world, 5000) > 0);
    CHECK_OK(mtoken_operations_pause_polling(world.client, NULL));
    CHECK_OK(mtoken_testing_sleep(world.runtime, 3600000, NULL));
    CHECK_INT(polls(&world, 30000), 0);
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
                /* No factor satisfies a kind that is not known. */
                CHECK_STATUS(approve(&world, found, &options), MTOKEN_ERROR_FACTOR);
                options.allow_other_factors = 1;
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

static const test tests[] = {
    {"the whole loop", whole_loop},
    {"polling keeps its times", polling_keeps_its_times},
    {"adaptive polling follows what happens", adaptive_polling_follows_what_happens},
    {"unknown things may be approved only knowingly", unknown_things_may_be_approved_only_knowingly},
};

int main(int argc, char **argv)
{
    after_each = no_handles_left;
    return RUN(tests);
}
