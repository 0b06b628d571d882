/* Time: limits, the server's clock, keys that expire. All in test time. */
#include "calls.h"

#include <inttypes.h>

#define HOUR 3600000

static void advance(world *world, int64_t span) { CHECK_OK(mtoken_testing_advance(world->runtime, span, NULL)); }

static mtoken_client_info *info_of(const world *world)
{
    mtoken_client_info *info = NULL;
    CHECK_OK(mtoken_client_get_info(world->client, &info, NULL));
    return info;
}

static void absurd_server_time_does_no_harm(void)
{
    static const char *const times[] = {"9223372036854775807", "-9223372036854775808", "0", "-1"};
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        char body[128];
        world world = world_open_active();
        mtoken_testing_answer answer = MTOKEN_TESTING_ANSWER_INIT;
        mtoken_task *task = NULL;
        mtoken_header *header = NULL;
        snprintf(body, sizeof body, "{\"status\":\"OK\",\"responseObject\":{\"serverTime\":%s}}", times[i]);
        answer.body = bytes(body);
        CHECK_OK(mtoken_token_create(world.client, "t", 1, &world.possession, &task, NULL));
        CHECK_OK(bank_finish_free(world.bank, task));
        CHECK_OK(mtoken_client_reset_time(world.client, NULL));
        CHECK_OK(
            mtoken_testing_request_answer(world.runtime, mtoken_testing_request_count(world.runtime), &answer, NULL));
        CHECK_OK(mtoken_client_synchronize_time(world.client, &task, NULL));
        advance(&world, 0);
        mtoken_status result = mtoken_task_result(task);
        CHECK(result == MTOKEN_OK || result == MTOKEN_ERROR_TIMEOUT || result == MTOKEN_ERROR_PROTOCOL);
        mtoken_task_free(task);
        CHECK_KNOWN(mtoken_token_get_header(world.client, "t", 1, &header, NULL)); /* whatever it says */
        mtoken_header_free(header);
        mtoken_client_info_free(info_of(&world));
        CHECK(world_signs(&world, &world.pin));
        world.bank->next = mtoken_testing_request_count(world.runtime);
        world_close(&world);
    }
}

static void proximity_check_tells_server_time(void)
{
    world world = world_open_active();
    mtoken_authorize_options options = MTOKEN_AUTHORIZE_OPTIONS_INIT;
    mtoken_testing_request *request = NULL;
    mtoken_task *task = NULL;
    world.bank->clock_ahead = HOUR;
    CHECK_OK(mtoken_client_reset_time(world.client, NULL));
    bank_operation(world.bank, "1", "A1");
    options.proximity_otp = text("12345678");
    options.proximity_source = MTOKEN_PROXIMITY_QR_CODE;
    options.proximity_received = 1699999999001; /* by the device's clock */
    CHECK_OK(brief_authorize(world.client, "1", "A1", &world.pin, &options, &task, NULL));
    CHECK_OK(bank_finish_free(world.bank, task));
    CHECK_OK(
        mtoken_testing_request_get(world.runtime, mtoken_testing_request_count(world.runtime) - 1, 0, &request, NULL));
    CHECK(request && strstr((const char *)request->body, "\"timestampReceived\":\"2023-11-14T23:13:19.001Z\""));
    CHECK(request && strstr((const char *)request->body, "\"timestampSent\":\"2023-11-14T23:13:20.000Z\""));
    mtoken_testing_request_free(request);
    static const int64_t impossible[] = {1700000000001, INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < sizeof impossible / sizeof impossible[0]; i++) {
        size_t before = mtoken_testing_request_count(world.runtime);
        options.proximity_received = impossible[i];
        mtoken_status status = brief_authorize(world.client, "1", "A1", &world.pin, &options, &task, NULL);
        if (status == MTOKEN_OK) status = bank_finish_free(world.bank, task);
        CHECK_STATUS(status, MTOKEN_ERROR_ARGUMENT);
        CHECK_INT(mtoken_testing_request_count(world.runtime), before);
    }
    CHECK(world_signs(&world, &world.pin));
    world_close(&world);
}

/* Whoever waits for a call does not wait twice as long for the reason why it was refused. */
static void search_for_a_cause_takes_what_is_left(void)
{
    world world = world_open_active();
    mtoken_testing_answer refusal = MTOKEN_TESTING_ANSWER_INIT;
    mtoken_bytes pin = world.pin.pin;
    mtoken_task *task = NULL;
    CHECK_OK(mtoken_client_validate_pin(world.client, pin.data, pin.length, &task, NULL));
    CHECK_OK(bank_finish_free(world.bank, task)); /* so that nothing is to come first */
    size_t refused = mtoken_testing_request_count(world.runtime);
    refusal.status = 401;
    refusal.delay_ms = 15000; /* of 20,000 */
    refusal.body =
        bytes("{\"status\":\"ERROR\",\"responseObject\":{\"code\":\"POWERAUTH_AUTH_FAIL\",\"message\":\"\"}}");
    CHECK_OK(mtoken_testing_request_answer(world.runtime, refused, &refusal, NULL));
    CHECK_OK(mtoken_client_validate_pin(world.client, pin.data, pin.length, &task, NULL));
    advance(&world, 0);
    advance(&world, 15000);
    world.bank->next = refused + 1;
    CHECK_STATUS(bank_finish_free(world.bank, task), MTOKEN_ERROR_SERVER);
    size_t count = mtoken_testing_request_count(world.runtime);
    CHECK(count > refused + 1);
    for (size_t i = refused + 1; i < count; i++) {
        mtoken_testing_request *request = NULL;
        CHECK_OK(mtoken_testing_request_get(world.runtime, i, 0, &request, NULL));
        CHECK(request && request->timeout_ms <= 5000);
        mtoken_testing_request_free(request);
    }
    world_close(&world);
}

/* A clock may show anything: what comes of it is an error of the call, never the end of the process. */
static void extreme_clocks_give_errors(void)
{
    static const int64_t walls[] = {
        INT64_MIN,       INT64_MIN + 1,    INT64_MIN / 2,     -62135596800001, -1,       0, 1,
        253402300800000, INT64_MAX / 1000, INT64_MAX - 20000, INT64_MAX - 1,   INT64_MAX};
    for (size_t w = 0; w < sizeof walls / sizeof walls[0]; w++) {
        for (size_t i = 0; i < call_count; i++) {
            world world = world_for(&calls[i]);
            mtoken_task *task = NULL;
            mtoken_error *error = NULL;
            CHECK_OK(mtoken_testing_set_wall(world.runtime, walls[w], NULL));
            if (calls[i].start(&world, &task, &error) == MTOKEN_OK) {
                bank_finish(world.bank, task);
                mtoken_testing_advance(world.runtime, 30000, NULL);
                CHECK(mtoken_task_get_state(task) != MTOKEN_TASK_RUNNING || walls[w] > INT64_MAX - 30000);
            }
            mtoken_error_free(error);
            mtoken_task_free(task);
            world_close(&world);
        }
        world world = world_open_active();
        mtoken_watcher *watcher = NULL;
        mtoken_recorder *recorder = NULL;
        mtoken_watched_list *list = NULL;
        mtoken_text *text = NULL;
        mtoken_header *header = NULL;
        mtoken_client_info *info = NULL;
        CHECK_OK(mtoken_testing_set_wall(world.runtime, walls[w], NULL));
        CHECK_OK(mtoken_watcher_new(world.client, &watcher, NULL));
        for (size_t k = 0; k < sizeof walls / sizeof walls[0]; k++) {
            const mtoken_watched item = {"1", "A1", walls[k]};
            CHECK_KNOWN(mtoken_watcher_set_clock(watcher, (int32_t)(k & 1), walls[k], NULL));
            CHECK_KNOWN(mtoken_watcher_add(watcher, &item, 1, NULL));
            CHECK_KNOWN(mtoken_watcher_list(watcher, &list, NULL));
            mtoken_watched_list_free(list);
            list = NULL;
            mtoken_testing_advance(world.runtime, 60000, NULL);
            mtoken_testing_set_wall(world.runtime, walls[w], NULL);
        }
        CHECK_OK(mtoken_recorder_new(world.client, &recorder, NULL));
        CHECK_KNOWN(mtoken_recorder_begin(recorder, "s", 1, NULL));
        mtoken_testing_set_wall(world.runtime, walls[sizeof walls / sizeof walls[0] - 1 - w], NULL);
        CHECK_KNOWN(mtoken_recorder_end(recorder, "s", 1, "CONTINUE", 8, NULL));
        CHECK_KNOWN(mtoken_recorder_build(recorder, &text, NULL));
        mtoken_text_free(text);
        CHECK_KNOWN(mtoken_token_get_header(world.client, "mine", 4, &header, NULL));
        mtoken_header_free(header);
        CHECK_KNOWN(mtoken_operations_start_polling(world.client, NULL, NULL));
        mtoken_testing_advance(world.runtime, 20000, NULL);
        bank_serve(world.bank);
        CHECK_OK(mtoken_client_get_info(world.client, &info, NULL));
        mtoken_client_info_free(info);
        mtoken_watcher_free(watcher);
        mtoken_recorder_free(recorder);
        world.bank->next = mtoken_testing_request_count(world.runtime);
        world_close(&world);
    }
}

static void clocks_do_not_go_beyond_their_end(void)
{
    static const int32_t clocks[] = {MTOKEN_TESTING_CLOCK_MANUAL, MTOKEN_TESTING_CLOCK_WALL};
    for (size_t i = 0; i < 2; i++) {
        mtoken_testing_options options = MTOKEN_TESTING_OPTIONS_INIT;
        mtoken_runtime *runtime = NULL;
        mtoken_error *error = NULL;
        int64_t wall = 0;
        options.clock = clocks[i];
        options.wall = INT64_MAX - 10;
        CHECK_OK(mtoken_testing_runtime_new(NULL, &options, &runtime, NULL));
        CHECK_ERROR(mtoken_testing_advance(runtime, 11, &error), MTOKEN_ERROR_ARGUMENT, error);
        CHECK_ERROR(mtoken_testing_advance(runtime, INT64_MAX, &error), MTOKEN_ERROR_ARGUMENT, error);
        CHECK_OK(mtoken_testing_advance(runtime, 10, NULL));
        CHECK_ERROR(mtoken_testing_advance(runtime, 1, &error), MTOKEN_ERROR_ARGUMENT, error);
        CHECK_OK(mtoken_testing_clocks(runtime, &wall, NULL, NULL));
        CHECK(wall == INT64_MAX);
        CHECK_OK(mtoken_testing_set_wall(runtime, 0, NULL));
        /* The other clock has an end, too. */
        CHECK_ERROR(mtoken_testing_advance(runtime, INT64_MAX, &error), MTOKEN_ERROR_ARGUMENT, error);
        mtoken_runtime_free(runtime);
    }
}

static const test tests[] = {
    {"extreme clocks give errors", extreme_clocks_give_errors},
    {"clocks do not go beyond their end", clocks_do_not_go_beyond_their_end},
    {"absurd server time does no harm", absurd_server_time_does_no_harm},
    {"a proximity check tells server time", proximity_check_tells_server_time},
    {"the search for a cause takes what is left", search_for_a_cause_takes_what_is_left},
};

int main(int argc, char **argv)
{
    after_each = no_handles_left;
    return RUN(tests);
}
