#include "world.h"

int32_t world_pin_iterations;

static void start(world *world, int32_t events, int32_t log_level)
{
    mtoken_testing_options testing = MTOKEN_TESTING_OPTIONS_INIT;
    mtoken_runtime_options options = MTOKEN_RUNTIME_OPTIONS_INIT;
    mtoken_error *error = NULL;
    testing.pin_iterations = world_pin_iterations;
    testing.seed = ++world->starts;
    options.events = world->events = events;
    options.log_level = log_level;
    CHECK_ERROR(mtoken_testing_runtime_new(&options, &testing, &world->runtime, &error), MTOKEN_OK, error);
}

world world_open_events(int32_t events, int32_t log_level)
{
    world world;
    memset(&world, 0, sizeof world);
    start(&world, events, log_level);
    CHECK_OK(mtoken_store_memory_new(&world.memory, NULL));
    CHECK_OK(mtoken_testing_store_new(world.memory, &world.store, NULL));
    world.bank = bank_new(world.runtime);
    world.client = bank_client(world.bank, world.store);
    const mtoken_auth auth = MTOKEN_AUTH_INIT;
    world.pin = world.possession = auth;
    world.pin.pin = bytes(PIN);
    world.possession.factors = MTOKEN_FACTOR_POSSESSION;
    return world;
}

world world_open(void) { return world_open_events(MTOKEN_EVENT_MASK_NONE, MTOKEN_LOG_OFF); }

world world_open_active(void)
{
    world world = world_open();
    CHECK_OK(bank_activate(world.bank, world.client, PIN, NULL));
    return world;
}

void world_stop(world *world)
{
    mtoken_client_free(world->client);
    mtoken_runtime_free(world->runtime);
    world->client = NULL;
    world->runtime = NULL;
}

void world_close(world *world)
{
    world_stop(world);
    mtoken_store_free(world->store);
    mtoken_store_free(world->memory);
    CHECK_INT(world->bank->reused, 0);
    CHECK_INT(world->bank->unknown, 0);
    bank_free(world->bank);
    memset(world, 0, sizeof *world);
}

mtoken_status world_restart(world *world)
{
    world_stop(world);
    start(world, world->events, MTOKEN_LOG_OFF);
    bank_move(world->bank, world->runtime);
    mtoken_client_options options = bank_client_options(world->bank, world->store);
    options.sealer = world->sealer;
    return mtoken_client_new(world->runtime, &options, &world->client, NULL);
}

bool world_signs(world *world, const mtoken_auth *auth)
{
    static const char body[] = "{\"a\":1}";
    mtoken_header *header = NULL;
    mtoken_error *error = NULL;
    mtoken_status status = brief_sign(world->client, "POST", "/test", bytes(body), auth, &header, &error);
    if (!CHECK_ERROR(status, MTOKEN_OK, error)) return false;
    CHECK_TEXT(header->name, "X-PowerAuth-Authorization");
    CHECK_INT(header->value_length, strlen(header->value));
    bool accepted = bank_accepts(world->bank, header->value, "POST", "/test", body, strlen(body), NULL);
    mtoken_header_free(header);
    if (accepted) CHECK_OK(mtoken_client_signature_accepted(world->client, NULL));
    return accepted;
}

bool world_validates(world *world)
{
    mtoken_task *task = NULL;
    long counter = world->bank->counter;
    if (!CHECK_OK(mtoken_client_validate_pin(world->client, world->pin.pin.data, world->pin.pin.length, &task, NULL)))
        return false;
    bool good = CHECK_OK(bank_finish(world->bank, task));
    if (mtoken_task_error(task)) note("%s: %s", mtoken_task_error(task)->reason, mtoken_task_error(task)->message);
    mtoken_task_free(task);
    return good && CHECK(world->bank->counter > counter) && CHECK_INT(world_open_signatures(world), 0);
}

bool world_settles(world *world)
{
    mtoken_wait_options options = MTOKEN_WAIT_OPTIONS_INIT;
    mtoken_auth pin = MTOKEN_AUTH_INIT;
    mtoken_client_info *info = NULL;
    mtoken_task *task = NULL;
    if (!CHECK_OK(mtoken_client_get_info(world->client, &info, NULL))) return false;
    bool waits = info->awaits_confirmation, is_new = info->awaits_new_pin;
    mtoken_client_info_free(info);
    if (is_new) return world_validates(world);
    if (!waits) return true;
    pin.pin = world->pin.pin;
    options.auth = &pin;
    return CHECK_OK(mtoken_client_wait_active(world->client, &options, &task, NULL)) &&
           CHECK_OK(bank_finish_free(world->bank, task));
}

bool world_lacks(const world *world, const char *what)
{
    if (world->bank->suite) note("not run: %s (4.0 has no such thing)", what);
    return world->bank->suite != NULL;
}

bool is_to(const mtoken_testing_request *request, const char *path)
{
    const char *own = bank_path(request);
    return own && strcmp(own, path) == 0;
}

int64_t world_open_signatures(const world *world)
{
    mtoken_client_info *info = NULL;
    if (!CHECK_OK(mtoken_client_get_info(world->client, &info, NULL))) return -1;
    int64_t open = info->unacknowledged_signatures;
    mtoken_client_info_free(info);
    return open;
}

int32_t world_state(const world *world)
{
    mtoken_client_info *info = NULL;
    if (!CHECK_OK(mtoken_client_get_info(world->client, &info, NULL))) return -1;
    int32_t state = info->state;
    mtoken_client_info_free(info);
    return state;
}

size_t world_known(const world *world)
{
    mtoken_operations_info *known = NULL;
    CHECK_OK(mtoken_operations_get_info(world->client, &known, NULL));
    size_t count = known ? known->count : 0;
    mtoken_operations_info_free(known);
    return count;
}

void no_handles_left(void)
{
    static const char *const kinds[] = {NULL, "runtimes", "clients", "stores", "tasks", "events"};
    static size_t known[6]; /* left by an earlier test, which has failed for it */
    for (int32_t kind = 1; kind <= 5; kind++) {
        size_t live = mtoken_testing_live_handles(kind);
        if (live > known[kind]) {
            CHECK_INT(live, known[kind]);
            note("handles of %s are left", kinds[kind]);
        }
        known[kind] = live;
    }
}
