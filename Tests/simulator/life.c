#include "simulator.h"

#include <stdarg.h>

void must(life *life, bool holds, const char *invariant, const char *format, ...)
{
    va_list arguments;
    if (holds || life->broken || disk_is_cut()) return; /* without power nobody is told anything */
    life->broken = invariant;
    va_start(arguments, format);
    vsnprintf(life->detail, sizeof life->detail, format, arguments);
    va_end(arguments);
}

void tell(const life *life, const char *format, ...)
{
    va_list arguments;
    if (!life->tells) return;
    printf("      ");
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n");
}

const char *id_of(size_t operation, char id[ID_SIZE])
{
    snprintf(id, ID_SIZE, "o%zu", operation);
    return id;
}

const char *status_of(const life *life, size_t operation)
{
    return json_string_value(json_object_get(json_array_get(life->world.bank->operations, operation), "status"));
}

/* Such as nothing else in memory has. */
const char *const pins[3] = {"802736154928", "419570268319", "957318640275"};
const uint8_t fingers[3][16] = {{157, 'f', 'i', 'r', 's', 't', 99, 1},
                                {142, 'o', 't', 'h', 'e', 'r', 98, 2},
                                {143, 't', 'h', 'i', 'r', 'd', 97, 3}},
              wrong_key[16] = {13, 21, 34};

static void digest(life *life, const void *data, size_t size) /* FNV-1a */
{
    const uint8_t *bytes = data;
    for (size_t i = 0; i < size; i++) life->digest = (life->digest ^ bytes[i]) * 0x100000001B3u;
}

/* ----------------------------------------------------------------------------------------------------- invariants */

/* What must hold of the bank after everything that it did. */
static void look(life *life)
{
    bank *bank = life->world.bank;
    mtoken_client_info *info = NULL;
    if (life->is_restored) bank->reused = 0;
    life->changes += bank->state != life->state;
    life->state = bank->state;
    must(life, bank->reused == 0, "no counter value is used twice", "%d were", bank->reused);
    neighbour_look(life);
    must(life, bank->untimely <= 0, "a changed clock is noticed before anything is encrypted", "%d envelopes",
         bank->untimely);
    must(life, bank->unknown == 0, "every signature is of the counter's chain", "%d are of no value of it",
         bank->unknown);
    must(life, bank->failed <= life->failed || life->wrong > 0 || life->is_restored, "the right PIN costs no attempt",
         "the bank counts %d, and no wrong one is under way", bank->failed);
    life->doubt |= bank->failed > life->failed && life->is_restored; /* nobody told the library of it */
    life->failed = bank->failed;
    if (life->world.client && CHECK_OK(mtoken_client_get_info(life->world.client, &info, NULL))) {
        must(life, !info->status_known || info->activation_state != MTOKEN_ACTIVATION_DEADLOCK || life->is_restored,
             "an activation within reach is never declared dead", "the bank's counter is %ld, the device's below %ld",
             bank->counter, bank->highest + 2);
        bool seems_blocked = info->status_known && info->activation_state == MTOKEN_ACTIVATION_BLOCKED;
        must(life, !seems_blocked || life->seemed_blocked || life->proven != life->changes,
             "an activation is not judged by an old status", "the bank has accepted a signature since it was blocked");
        life->seemed_blocked = seems_blocked;
        life->may_seem_behind |= life->is_restored;
        if (info->times_behind != life->times_behind) life->ahead = 0;
        life->times_behind = info->times_behind;
        must(life, info->times_behind == 0 || life->may_seem_behind, "no copy is reported that is not there",
             "%d times", (int)info->times_behind);
        int open = (int)info->unacknowledged_signatures, window = (int)info->counter_window;
        life->at_risk |= open > window / 2 || (open > 0 && open >= window - 1);
        mtoken_client_info_free(info);
    }
    for (size_t i = 0; i < life->operation_count; i++) {
        const char *status = status_of(life, i);
        must(life, strcmp(status, "APPROVED") != 0 || life->operations[i].approvals > 0,
             "nothing is approved that no host asked for", "o%zu", i);
        must(life, strcmp(status, "REJECTED") != 0 || life->operations[i].rejections > 0,
             "nothing is rejected that no host asked for", "o%zu", i);
    }
}

/* Of how many open signatures a failure tells, whatever has been heard of them since. */
static int open_by(const mtoken_error *error)
{
    int count = 0;
    return sscanf(error->message, "Nothing was signed: %d", &count) == 1 ? count : 0;
}

static void landed(life *life, const flight *flight)
{
    mtoken_status result = mtoken_task_result(flight->task);
    const mtoken_error *error = mtoken_task_error(flight->task);
    tell(life, "%s ends with %s%s%s", flight->name, mtoken_error_name(result), error ? ", reason " : "",
         error ? error->reason : "");
    digest(life, &result, sizeof result);
    must(life, (result != MTOKEN_OK) == (error != NULL), "a task fails with an error", "%s", flight->name);
    must(life,
         !error || strcmp(error->reason, "counterAtRisk") != 0 || flight->at_risk ||
             open_by(error) > life->plan->window / 2,
         "one outage has one reason", "the counter was at no risk: %s", error ? error->message : "");
    if (result == MTOKEN_OK && flight->right) life->proven = flight->changes;
    if (result == MTOKEN_OK && flight->began_in_doubt && (flight->right || strcmp(flight->name, "status") == 0))
        life->doubt = false;
    must(life, !flight->right || flight->doubt || result != MTOKEN_ERROR_AUTHENTICATION,
         "the right PIN is never called wrong", "%s: %s", flight->name, error ? error->message : "");
    must(life,
         !flight->right || flight->began_in_doubt || flight->lost || flight->ahead < 2 ||
             result != MTOKEN_ERROR_AUTHENTICATION,
         "a copy of the state is told as such, not as a wrong PIN", "%s, which has signed %d times", flight->name,
         flight->ahead);
    if (flight->operation < 0) return;
    bool is_sent = !error || error->outcome != MTOKEN_OUTCOME_NOT_SENT;
    must(life, !flight->at_once || !is_sent, "what is cancelled at once is not sent", "%s", flight->name);
    if (!is_sent) {
        int *asked = flight->approves ? &life->operations[flight->operation].approvals
                                      : &life->operations[flight->operation].rejections;
        *asked -= 1;
    }
    const char *status = status_of(life, (size_t)flight->operation);
    const char *wanted = flight->approves ? "APPROVED" : "REJECTED";
    must(life, result != MTOKEN_OK || strcmp(status, wanted) == 0, "a decision that is reported as done is done",
         "o%d is %s", flight->operation, status);
    if (error && flight->was_pending && error->outcome != MTOKEN_OUTCOME_UNKNOWN)
        must(life, strcmp(status, wanted) != 0, "a refusal, and what was not sent, has done nothing",
             "o%d is %s, and the error of the %s has outcome %d: %s", flight->operation, status, flight->name,
             (int)error->outcome, error->message);
}

/* Whether a wrong PIN or biometry key may have been counted of which nobody was told. */
static bool lost_count(const life *life)
{
    for (size_t i = 0; i < life->flight_count; i++) {
        const mtoken_error *error = mtoken_task_error(life->flights[i].task);
        if (life->flights[i].wrong && error && error->outcome != MTOKEN_OUTCOME_NOT_SENT &&
            error->code != MTOKEN_ERROR_AUTHENTICATION)
            return true;
    }
    return false;
}

void land(life *life)
{
    mtoken_event *event = NULL;
    bool is_lost = lost_count(life);
    life->doubt |= is_lost;
    while (life->world.runtime && mtoken_runtime_next_event(life->world.runtime, 0, &event, NULL) == MTOKEN_OK) {
        if (life->plan->logs) read_log(life, event);
        mtoken_challenge *challenge = mtoken_event_take_challenge(event);
        mtoken_task *task = challenge ? mtoken_challenge_task(challenge) : event->task;
        for (size_t i = 0; i < life->flight_count; i++) {
            if (life->flights[i].task != task) continue;
            if (challenge)
                answer_challenge(life, &life->flights[i], challenge);
            else
                life->flights[i].events++;
        }
        mtoken_challenge_free(challenge);
        mtoken_event_free(event);
    }
    for (size_t i = 0; i < life->flight_count; i++) {
        life->flights[i].doubt |= life->doubt;
        life->flights[i].lost |= is_lost;
        life->flights[i].at_risk |= life->at_risk;
    }
    for (size_t i = 0; i < life->flight_count;) {
        flight flight = life->flights[i];
        if (mtoken_task_get_state(flight.task) == MTOKEN_TASK_RUNNING) {
            i++;
            continue;
        }
        landed(life, &flight);
        must(life, !life->world.runtime || flight.events == 1, "a task that ends is one event", "%s is %d", flight.name,
             flight.events);
        mtoken_task_free(flight.task);
        if (flight.wrong) life->wrong--;
        life->flights[i] = life->flights[--life->flight_count];
    }
    life->doubt |= is_lost;
}

/* ---------------------------------------------------------------------------------------------------------- network */

/* One of those that this life knows: it stays the same life when there are others. */
static size_t strike(life *life, bool before)
{
    size_t fitting[MOST_FAULTS], count = 0;
    for (size_t i = 0; i < fault_count; i++)
        if (life->plan->faults >> i & 1 && (before ? faults[i].before : faults[i].after)) fitting[count++] = i;
    size_t chosen = below(&life->requests, (uint32_t)count);
    if (life->calm || !percent(&life->requests, life->plan->rate) || count == 0) return fault_count;
    life->met |= UINT64_C(1) << fitting[chosen];
    return fitting[chosen];
}

/* What was drawn for one request is for no other. */
static void look_at_nonce(life *life, const char *found)
{
    if (!found || life->nonce_count == MOST_NONCES) return;
    char *nonce = life->nonces[life->nonce_count];
    snprintf(nonce, sizeof *life->nonces, "%.24s", found);
    for (size_t i = 0; i < life->nonce_count; i++)
        must(life, strcmp(life->nonces[i], nonce) != 0, "no nonce is used twice", "%s", nonce);
    life->nonce_count++;
}

static void look_at_nonces(life *life, const mtoken_testing_request *request)
{
    static const struct {
        const char *header, *before;
    } places[] = {{"X-PowerAuth-Authorization", "pa_nonce=\""}, {"X-PowerAuth-Token", "nonce=\""}};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const char *value = header_of(request, places[i].header);
        const char *found = value ? strstr(value, places[i].before) : NULL;
        look_at_nonce(life, found ? found + strlen(places[i].before) : NULL);
    }
    const char *found = strstr((const char *)request->body, "\"nonce\":\"");
    look_at_nonce(life, found ? found + 9 : NULL);
}

/* Signatures go one after another: none leaves while another one is under way. */
static void look_at_row(life *life, const mtoken_testing_request *request)
{
    static const char signature[] = "X-PowerAuth-Authorization";
    if (!header_of(request, signature)) return;
    size_t count = mtoken_testing_request_count(life->world.runtime);
    for (size_t i = request->number > 8 ? request->number - 8 : 0; i < count; i++) {
        mtoken_testing_request *other = NULL;
        if (i == request->number) continue;
        if (mtoken_testing_request_get(life->world.runtime, i, 0, &other, NULL) != MTOKEN_OK) continue;
        must(life,
             other->state == MTOKEN_TESTING_REQUEST_ENDED || !header_of(other, signature) ||
                 is_neighbours(other) != is_neighbours(request),
             "signatures go one after another", "%s and %s are under way", request->url, other->url);
        mtoken_testing_request_free(other);
    }
}

static void spoil(bank *bank, const mtoken_testing_request *request, mtoken_testing_answer *answer)
{
    life *life = bank->context;
    size_t struck = strike(life, false);
    tell(life, "  answered with %d%s%s", (int)answer->status, struck < fault_count ? ": " : "",
         struck < fault_count ? faults[struck].name : "");
    if (struck < fault_count) faults[struck].after(life, request, answer);
    if (life->calm && life->plan->seed & 4) packed(life, request, answer);
}

static bool intercept(bank *bank, const mtoken_testing_request *request, mtoken_testing_answer *answer)
{
    life *life = bank->context;
    digest(life, request->url, strlen(request->url));
    for (size_t i = 0; i < request->header_count; i++)
        digest(life, request->headers[i]->value, strlen(request->headers[i]->value));
    digest(life, request->body, request->body_length);
    const char *path = bank_path(request);
    if (is_to(request, PATH_LIST) && !is_neighbours(request)) life->lists++;
    look_at_row(life, request);
    look_at_nonces(life, request);
    size_t struck = strike(life, true);
    tell(life, "request %zu to %s%s%s", request->number, path ? path : request->url, struck < fault_count ? ": " : "",
         struck < fault_count ? faults[struck].name : "");
    if (struck < fault_count) {
        faults[struck].before(life, request, answer);
    } else if (is_neighbours(request)) {
        bank_answer made = neighbour_answer(life, request);
        answer->status = made.status;
        answer->headers = text("Content-Type: application/json\n");
        answer->body = bytes(made.body);
        spoil(bank, request, answer);
    } else {
        return false;
    }
    return true;
}

static bool never_leaves(bank *bank, const mtoken_testing_request *request)
{
    const life *life = bank->context;
    return disk_is_cut() || request->number >= life->gone_from;
}

void serve(life *life, size_t most)
{
    for (size_t i = 0; i < most && !life->broken && bank_serve_next(life->world.bank); i++) look(life);
    CHECK_OK(mtoken_testing_advance(life->world.runtime, 0, NULL));
    land(life);
}

mtoken_status await(life *life, mtoken_task *task)
{
    for (int i = 0; i < 400 && mtoken_task_get_state(task) == MTOKEN_TASK_RUNNING && !life->broken; i++) {
        serve(life, SIZE_MAX);
        if (mtoken_task_get_state(task) == MTOKEN_TASK_RUNNING)
            CHECK_OK(mtoken_testing_advance(life->world.runtime, 500, NULL));
    }
    must(life, mtoken_task_get_state(task) != MTOKEN_TASK_RUNNING, "every task ends", "within 200 seconds");
    return mtoken_task_result(task);
}

/* ------------------------------------------------------------------------------------------------------------- life */

/* Even in a calm a bank may be started anew. */
static void forget_keys(bank *bank, bool really)
{
    for (size_t i = 0; i < bank->key_count && really; i++) bank->keys[i].dead = true;
}

/* Whether the library has removed what the bank has removed. */
static bool is_removed(life *life)
{
    return life->world.bank->state == MTOKEN_ACTIVATION_REMOVED && world_state(&life->world) == MTOKEN_CLIENT_EMPTY;
}

/* The status tells it, if nothing else has. */
static void leave_removed(life *life)
{
    mtoken_task *task = NULL;
    mtoken_client_info *info = NULL;
    if (!is_removed(life) && CHECK_OK(mtoken_client_fetch_status(life->world.client, &task, NULL))) {
        mtoken_status status = await(life, task);
        mtoken_task_free(task);
        if (CHECK_OK(mtoken_client_get_info(life->world.client, &info, NULL)))
            must(life, status == MTOKEN_OK && info->activation_state == MTOKEN_ACTIVATION_REMOVED,
                 "after a calm a removed activation is known to be", "%s, and it is in state %d",
                 mtoken_error_name(status), (int)info->activation_state);
        mtoken_client_info_free(info);
    }
    activate_anew(life, &life->requests);
}

/* After all trouble: what is under way ends, the next signature is accepted, the lists agree, and polling goes on. */
static void calm_down(life *life)
{
    world *world = &life->world;
    mtoken_task *task = NULL;
    life->calm = true;
    tell(life, "calm");
    store_is_in_order(life);
    mtoken_testing_random_fail(world->runtime, 0, 0, NULL);
    memory_runs_out(0);
    world->bank->is_withdrawn = false;
    world->bank->window = 64;
    for (int i = 0; i < 400 && life->flight_count && !life->broken; i++) {
        serve(life, SIZE_MAX);
        CHECK_OK(mtoken_testing_advance(world->runtime, 500, NULL));
        land(life);
    }
    must(life, life->flight_count == 0, "every task ends", "%s is under way for 200 seconds",
         life->flight_count ? life->flights[0].name : "");
    for (int i = 0; i < 9 && !life->broken; i++) { /* polling too may wait for an answer that comes late */
        serve(life, SIZE_MAX);
        CHECK_OK(mtoken_testing_advance(world->runtime, 5000, NULL));
    }
    if (life->broken) return;
    if (world->bank->state == MTOKEN_ACTIVATION_REMOVED) leave_removed(life);
    if (world->bank->state == MTOKEN_ACTIVATION_BLOCKED) world->bank->failed = life->failed = 0;
    world->bank->blocked_until = 0;
    world->bank->state = MTOKEN_ACTIVATION_ACTIVE;
    forget_keys(world->bank, life->plan->seed & 1);
    CHECK_OK(mtoken_client_fetch_status(world->client, &task, NULL));
    mtoken_status status = await(life, task);
    must(life, status == MTOKEN_OK, "after a calm the status is known", "%s", mtoken_error_name(status));
    mtoken_task_free(task);
    must(life, world_settles(world), "after a calm the activation is confirmed", "it is not");
    CHECK_OK(mtoken_client_validate_pin(world->client, world->pin.pin.data, world->pin.pin.length, &task, NULL));
    status = await(life, task);
    must(life, status == MTOKEN_OK, "after a calm the next signature is accepted", "%s: %s", mtoken_error_name(status),
         mtoken_task_error(task) ? mtoken_task_error(task)->message : "");
    mtoken_task_free(task);
    CHECK_OK(mtoken_operations_list(world->client, &task, NULL));
    status = await(life, task);
    must(life, status == MTOKEN_OK, "after a calm the list comes", "%s", mtoken_error_name(status));
    const mtoken_operation_list *list = mtoken_task_operations(task);
    size_t pending = 0;
    for (size_t i = 0; i < life->operation_count; i++) pending += strcmp(status_of(life, i), "PENDING") == 0;
    must(life, list && list->count == pending, "the list agrees with the bank's", "%zu of %zu", list ? list->count : 0,
         pending);
    mtoken_task_free(task);
    forget_keys(world->bank, life->plan->seed & 2);
    CHECK_OK(mtoken_vault_fetch_key(world->client, 1, &world->pin, &task, NULL));
    status = await(life, task);
    must(life, status == MTOKEN_OK, "after a calm the vault opens", "%s: %s", mtoken_error_name(status),
         mtoken_task_error(task) ? mtoken_task_error(task)->message : "");
    mtoken_task_free(task);
    neighbour_calms_down(life);
    look_for_secrets(life);
    mtoken_polling_state polling = mtoken_operations_get_polling(world->client);
    size_t lists = life->lists;
    bool is_on = polling == MTOKEN_POLLING_ON || polling == MTOKEN_POLLING_WAITING;
    must(life, is_on || !life->polls, "polling goes on", "it is in state %d", (int)polling);
    if (is_on) {
        for (int i = 0; i < 60 && life->lists == lists; i++) {
            CHECK_OK(mtoken_testing_advance(world->runtime, 10000, NULL));
            serve(life, SIZE_MAX);
        }
        must(life, life->lists > lists, "polling goes on", "no list in ten minutes");
    }
}

void decides_with(life *life, mtoken_bytes key)
{
    life->user = life->world.pin;
    if (!key.data) return;
    life->user.factors = MTOKEN_FACTOR_POSSESSION | MTOKEN_FACTOR_BIOMETRY;
    life->user.biometry_key = key;
}

void has_factors(life *life)
{
    life->world.pin.pin = bytes(pins[0]);
    decides_with(life, life->plan->biometry ? MTOKEN_BYTES(fingers[0], sizeof fingers[0]) : MTOKEN_BYTES(NULL, 0));
}

void store_is_in_order(life *life)
{
    CHECK_OK(
        mtoken_testing_store_fail(life->world.store, MTOKEN_TESTING_ALL_CALLS, 0, 0, MTOKEN_TESTING_FAIL_BEFORE, NULL));
    disk_fails = NO_FAULT;
    disk_cut_after(0);
}

static void open_directory(life *life)
{
    world *world = &life->world;
    mtoken_store_free(world->store);
    mtoken_store_free(world->memory);
    disk_record(life->folder);
    CHECK_OK(mtoken_store_directory_new(life->folder, strlen(life->folder), &world->memory, NULL));
    CHECK_OK(mtoken_testing_store_new(world->memory, &world->store, NULL));
}

/* With what the cut has left on the disk. */
static void come_back(life *life)
{
    tell(life, "without power");
    life->doubt |= life->wrong > 0 || life->failed > 0; /* what was learned of attempts since the cut is lost */
    stop(life);
    remove_directory(life->folder);
    make_directory(life->folder, sizeof life->folder);
    disk_replay(disk_log_count);
    disk_lay_down(life->folder, NULL, 0, &life->requests);
    open_directory(life);
    start_again(life);
}

void play(life *life, const plan *plan, bool tells)
{
    memset(life, 0, sizeof *life);
    life->plan = plan;
    life->tells = tells;
    life->gone_from = SIZE_MAX;
    life->digest = 0xCBF29CE484222325u;
    random_from(plan->seed);
    world_pin_iterations = 2;
    watch_memory(life);
    life->nonces = malloc(MOST_NONCES * sizeof *life->nonces);
    life->descriptors = open_descriptors();
    life->world = world_open_events(MTOKEN_EVENT_MASK_TASKS | MTOKEN_EVENT_MASK_CHALLENGES |
                                        (plan->logs ? MTOKEN_EVENT_MASK_LOG | MTOKEN_EVENT_MASK_TRACE : 0),
                                    plan->logs ? MTOKEN_LOG_DEBUG : MTOKEN_LOG_OFF);
    world *world = &life->world;
    seals_make(life);
    mtoken_client_free(world->client);
    if (plan->disk) {
        make_directory(life->folder, sizeof life->folder);
        open_directory(life);
    }
    if (!world->bank->suite) {
        world->bank->protocol = plan->protocol;
        world->bank->recovery_code = "55555-55555-55555-55YMA";
        world->bank->recovery_puk = "1234567890";
        if (plan->upgrades) bank_offer_upgrade(world->bank);
    }
    world->client = bank_client(world->bank, world->store);
    world->bank->window = plan->window; /* before a status tells another one */
    CHECK_OK(bank_activate(world->bank, world->client, pins[0], fingers[0]));
    has_factors(life);
    if (plan->neighbour) neighbour_move_in(life);
    world->bank->context = life;
    world->bank->intercept = intercept;
    world->bank->never_leaves = never_leaves;
    world->bank->spoil = spoil;
    for (life->step = 0; life->step < plan->count && !life->broken; life->step++) {
        const step *step = &plan->steps[life->step];
        stream stream = {step->number};
        life->requests.state = draw(&stream);
        life->at_risk = false;
        look(life);
        bool is_fault = step->action >= action_count;
        if (tells)
            printf("%4zu  %s\n", life->step + 1,
                   is_fault ? faults[step->action - action_count].name : actions[step->action].name);
        if (is_fault) {
            life->met |= UINT64_C(1) << (step->action - action_count);
            faults[step->action - action_count].event(life, &stream);
        } else {
            actions[step->action].act(life, &stream);
        }
        if (life->broken) break;
        CHECK_OK(mtoken_testing_advance(world->runtime, 0, NULL));
        look(life);
        land(life);
        if (disk_is_cut()) come_back(life);
        if (life->broken || !is_removed(life)) continue;
        while (life->flight_count && !life->broken) {
            await(life, life->flights[0].task);
            land(life);
        }
        activate_anew(life, &stream);
    }
    if (!life->broken) calm_down(life);
    memory_runs_out(0);
    neighbour_moves_out(life);
    mtoken_client_free(life->hasty);
    world_stop(world);
    seals_free(life);
    free(life->nonces);
    for (size_t i = 0; i < life->flight_count; i++) mtoken_task_free(life->flights[i].task);
    bank *bank = world->bank;
    mtoken_store_free(world->store);
    mtoken_store_free(world->memory);
    bank_free(bank);
    mtoken_testing_data_free(life->backup);
    disk_stop();
    if (plan->disk) remove_directory(life->folder);
    must(life, mtoken_testing_live_handles(MTOKEN_TESTING_HANDLES_ALL) == 0, "no handle is left", "%zu are",
         mtoken_testing_live_handles(MTOKEN_TESTING_HANDLES_ALL));
    watch_memory(NULL);
    look_at_memory(life);
    must(life, open_descriptors() == life->descriptors, "no descriptor is left", "%zu, and %zu before",
         open_descriptors(), life->descriptors);
    must(life, checks_failed() == 0, "nothing unexpected happens", "see the checks above");
}
