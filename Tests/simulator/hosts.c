#include "simulator.h"

#include <dirent.h>

#define WRONG_PIN "1357"

/* Keeps a task that was started; one that was not has been refused, which is an answer too. */
static flight *start(life *life, mtoken_status status, mtoken_task *const *task, const char *name)
{
    if (status != MTOKEN_OK) {
        tell(life, "%s is refused at once with %s", name, mtoken_error_name(status));
        return NULL;
    }
    flight *flight = &life->flights[life->flight_count++];
    memset(flight, 0, sizeof *flight);
    flight->task = *task; /* by its place: the call that sets it stands beside it among the arguments */
    flight->name = name;
    flight->operation = -1;
    flight->first = mtoken_testing_request_count(life->world.runtime);
    flight->began_in_doubt = life->doubt;
    flight->ahead = life->ahead;
    flight->changes = life->changes;
    return flight;
}

/* The client for the next call: sometimes with little time. */
static mtoken_client *caller(life *life, stream *stream)
{
    mtoken_call_options options = MTOKEN_CALL_OPTIONS_INIT;
    if (!percent(stream, 10)) return life->world.client;
    mtoken_client_free(life->hasty);
    life->hasty = NULL;
    options.timeout_ms = 1 + (int32_t)below(stream, percent(stream, 50) ? 100 : 20000);
    tell(life, "within %d ms", (int)options.timeout_ms);
    return CHECK_OK(mtoken_client_with_options(life->world.client, &options, &life->hasty, NULL)) ? life->hasty
                                                                                                  : life->world.client;
}

static bool has_room(const life *life) { return life->flight_count < MOST_FLIGHTS; }

#define SIMPLE(function, call, label)                                                                                  \
    static void function(life *life, stream *stream)                                                                   \
    {                                                                                                                  \
        mtoken_task *task = NULL;                                                                                      \
        if (has_room(life)) start(life, call(caller(life, stream), &task, NULL), &task, label);                        \
    }
SIMPLE(list, mtoken_operations_list, "list")
SIMPLE(fetch_status, mtoken_client_fetch_status, "status")
SIMPLE(synchronize, mtoken_client_synchronize_time, "time")
SIMPLE(fetch_user, mtoken_client_fetch_user_info, "user info")
SIMPLE(count_inbox, mtoken_inbox_count, "count of the inbox")
SIMPLE(pending_requests, mtoken_mobile_auth_pending, "pending requests")

/* The bank has no inbox but its count. */
static mtoken_status whole_inbox(mtoken_client *client, mtoken_task **task, mtoken_error **error)
{
    return mtoken_inbox_list_all(client, 10, 0, 0, task, error);
}
SIMPLE(read_inbox, whole_inbox, "inbox")

static mtoken_status provider(mtoken_client *client, mtoken_task **task, mtoken_error **error)
{
    return mtoken_oidc_fetch_config(client, "p", 1, task, error);
}
SIMPLE(fetch_provider, provider, "provider")

/* Whether the client waits for a code with a new biometry key or PIN. After an interrupted change a wrong PIN would
 * take the new one back. */
static bool awaits_new(life *life, bool is_biometry)
{
    mtoken_client_info *info = NULL;
    bool awaits = CHECK_OK(mtoken_client_get_info(life->world.client, &info, NULL)) &&
                  (is_biometry ? info->awaits_new_biometry : info->awaits_new_pin);
    mtoken_client_info_free(info);
    return awaits;
}

/* Whether what a change has set applies. It may where its request was sent and the client waits for a code with
 * something new. */
static bool applies(life *life, mtoken_task *task, bool is_biometry)
{
    const mtoken_error *error = mtoken_task_error(task);
    if (!error) return true;
    must(life, !error->is_retriable || error->outcome != MTOKEN_OUTCOME_UNKNOWN,
         "what may have been done is not to be repeated", "the change of a factor");
    return error->outcome != MTOKEN_OUTCOME_NOT_SENT && awaits_new(life, is_biometry);
}

/* PIN or biometry key, the right one or sometimes, in a life with patience for it, a wrong one. */
static mtoken_auth factor(life *life, stream *stream, bool needs_pin, bool *right)
{
    mtoken_auth auth = needs_pin ? life->world.pin : life->user;
    *right = !percent(stream, 8) || life->world.bank->failed >= 2 || awaits_new(life, false);
    if (!*right && auth.biometry_key.data)
        auth.biometry_key = MTOKEN_BYTES(wrong_key, sizeof wrong_key);
    else if (!*right)
        auth.pin = bytes(WRONG_PIN);
    return auth;
}

static void with_factor(life *life, flight *flight, bool right)
{
    if (!flight) return;
    flight->right = right;
    flight->wrong = !right;
    if (!right) {
        life->wrong++;
        tell(life, "with a wrong PIN or biometry key");
    }
}

static int some_operation(const life *life, stream *stream)
{
    return life->operation_count ? (int)below(stream, (uint32_t)life->operation_count) : -1;
}

static bool is_pending(const life *life, int operation)
{
    return strcmp(status_of(life, (size_t)operation), "PENDING") == 0;
}

static void new_operation(life *life, stream *stream)
{
    char id[ID_SIZE];
    (void)stream;
    if (life->operation_count == MOST_OPERATIONS) return;
    bank_operation(life->world.bank, id_of(life->operation_count++, id), "A1");
    tell(life, "operation %s", id);
}

/* One decision of an operation at a time: two make each other's ends unknowable. */
static bool is_being_decided(const life *life, int operation)
{
    for (size_t i = 0; i < life->flight_count; i++)
        if (life->flights[i].operation == operation) return true;
    return false;
}

static void decide(life *life, stream *stream, bool approves)
{
    int operation = some_operation(life, stream);
    char id[ID_SIZE];
    bool right = true;
    mtoken_task *task = NULL;
    if (operation < 0 || !has_room(life) || is_being_decided(life, operation)) return;
    mtoken_auth auth = approves ? factor(life, stream, false, &right) : life->world.possession;
    bool was_pending = is_pending(life, operation);
    id_of((size_t)operation, id);
    tell(life, "operation %s", id);
    CHECK_OK(mtoken_testing_advance(life->world.runtime, 0, NULL)); /* what is due now is none of its doing */
    mtoken_client *client = caller(life, stream);
    mtoken_status status = approves ? brief_authorize(client, id, "A1", &auth, NULL, &task, NULL)
                                    : brief_reject(client, id, "UNKNOWN", NULL, &task, NULL);
    flight *flight = start(life, status, &task, approves ? "approval" : "rejection");
    if (!flight) return;
    flight->operation = operation;
    flight->approves = approves;
    flight->was_pending = was_pending;
    flight->at_once = percent(stream, 5);
    *(approves ? &life->operations[operation].approvals : &life->operations[operation].rejections) += 1;
    if (approves) with_factor(life, flight, right);
    if (!flight->at_once) return;
    tell(life, "cancelled at once");
    CHECK_OK(mtoken_task_cancel(flight->task));
    size_t requests = mtoken_testing_request_count(life->world.runtime);
    size_t saves = mtoken_testing_store_count(life->world.store, MTOKEN_TESTING_SAVE);
    CHECK_OK(mtoken_testing_advance(life->world.runtime, 0, NULL));
    must(life, mtoken_testing_request_count(life->world.runtime) == requests, "what is cancelled at once sends nothing",
         "nor what it needs first");
    must(life, mtoken_testing_store_count(life->world.store, MTOKEN_TESTING_SAVE) == saves,
         "what is cancelled at once is not signed", "nor is anything stored for it");
}

static void approve(life *life, stream *stream) { decide(life, stream, true); }
static void reject(life *life, stream *stream) { decide(life, stream, false); }

/* A portal has asked, and the user is shown what it asks for: challenges follow. */
static void handle_request(life *life, stream *stream)
{
    int operation = some_operation(life, stream);
    char id[ID_SIZE];
    mtoken_task *task = NULL;
    if (operation < 0 || !has_room(life)) return;
    id_of((size_t)operation, id);
    tell(life, "operation %s", id);
    flight *flight = start(life, mtoken_mobile_auth_handle(caller(life, stream), id, strlen(id), NULL, &task, NULL),
                           &task, "mobile authentication");
    if (flight) flight->asked = operation;
}

void answer_challenge(life *life, flight *flight, mtoken_challenge *challenge)
{
    const mtoken_challenge_info *info = mtoken_challenge_get_info(challenge);
    int operation = flight->asked;
    must(life, !info->previous_error || life->doubt || info->previous_error->code != MTOKEN_ERROR_AUTHENTICATION,
         "the right PIN is never called wrong", "the user is asked again: %s",
         info->previous_error ? info->previous_error->message : "");
    bool is_first = flight->operation < 0 && !is_being_decided(life, operation);
    flight->operation = -1; /* of two answers nobody can tell which one the end is about */
    flight->right = false;
    if (!is_first || life->changes_factor || percent(&life->requests, 15)) return;
    bool approves = percent(&life->requests, 80), was_pending = is_pending(life, operation);
    mtoken_bytes pin = life->world.pin.pin;
    tell(life, "the user %s", approves ? "approves" : "rejects");
    mtoken_status status = approves ? mtoken_challenge_pin(challenge, pin.data, pin.length, NULL)
                                    : mtoken_challenge_deny(challenge, NULL, 0, NULL);
    if (status != MTOKEN_OK) return;
    flight->operation = operation;
    flight->approves = flight->right = approves;
    flight->was_pending = was_pending;
    *(approves ? &life->operations[operation].approvals : &life->operations[operation].rejections) += 1;
}

static void validate(life *life, stream *stream)
{
    mtoken_task *task = NULL;
    bool right;
    if (!has_room(life)) return;
    mtoken_auth auth = factor(life, stream, true, &right);
    mtoken_status status =
        mtoken_client_validate_pin(caller(life, stream), auth.pin.data, auth.pin.length, &task, NULL);
    with_factor(life, start(life, status, &task, "validation of the PIN"), right);
}

static void history(life *life, stream *stream)
{
    mtoken_task *task = NULL;
    bool right;
    if (!has_room(life)) return;
    mtoken_auth auth = factor(life, stream, false, &right);
    with_factor(life,
                start(life, mtoken_operations_history(caller(life, stream), &auth, &task, NULL), &task, "history"),
                right);
}

static void detail(life *life, stream *stream)
{
    int operation = some_operation(life, stream);
    char id[ID_SIZE];
    mtoken_task *task = NULL;
    if (operation < 0 || !has_room(life)) return;
    id_of((size_t)operation, id);
    bool claims = percent(stream, 30);
    start(life,
          (claims ? mtoken_operations_claim : mtoken_operations_detail)(caller(life, stream), id, strlen(id), &task,
                                                                        NULL),
          &task, claims ? "claim" : "detail");
}

static void create_token(life *life, stream *stream)
{
    char name[8];
    mtoken_task *task = NULL;
    if (!has_room(life)) return;
    snprintf(name, sizeof name, "t%u", below(stream, 3));
    start(life, mtoken_token_create(caller(life, stream), name, 2, &life->world.possession, &task, NULL), &task,
          "token");
}

static void remove_token(life *life, stream *stream)
{
    char name[8];
    mtoken_task *task = NULL;
    if (!has_room(life)) return;
    snprintf(name, sizeof name, "t%u", below(stream, 3));
    start(life, mtoken_token_remove(caller(life, stream), name, 2, &task, NULL), &task, "removal of a token");
}

static void token_header(life *life, stream *stream)
{
    mtoken_token_options options = MTOKEN_TOKEN_OPTIONS_INIT;
    mtoken_task *task = NULL;
    if (!has_room(life)) return;
    options.name = text("t0");
    start(life, mtoken_token_fetch_header(caller(life, stream), &options, &life->world.possession, &task, NULL), &task,
          "header with a token");
}

static void register_push(life *life, stream *stream)
{
    mtoken_push_options options = MTOKEN_PUSH_OPTIONS_INIT;
    mtoken_task *task = NULL;
    if (!has_room(life)) return;
    options.platform = MTOKEN_PUSH_PLATFORM_FCM;
    options.token = text("a token");
    options.is_legacy_server = percent(stream, 30);
    start(life, mtoken_push_register(caller(life, stream), &options, &task, NULL), &task, "registration for push");
}

static void encrypt(life *life, stream *stream)
{
    static const uint8_t body[] = "{}";
    mtoken_encrypt_options options = MTOKEN_ENCRYPT_OPTIONS_INIT;
    mtoken_task *task = NULL;
    if (!has_room(life)) return;
    options.scope = percent(stream, 50) ? MTOKEN_SCOPE_ACTIVATION : MTOKEN_SCOPE_APPLICATION;
    start(life, mtoken_client_encrypt(caller(life, stream), body, sizeof body - 1, &options, &task, NULL), &task,
          "encryption");
}

/* A second program wants what the first one has. */
static void open_twice(life *life, stream *stream)
{
    mtoken_client_options options = bank_client_options(life->world.bank, life->world.store);
    mtoken_client *client = NULL;
    (void)stream;
    options.sealer = life->world.sealer;
    mtoken_status status = mtoken_client_new(life->world.runtime, &options, &client, NULL);
    must(life, status == MTOKEN_ERROR_BUSY, "an activation has one client", "another one: %s",
         mtoken_error_name(status));
    mtoken_client_free(client);
}

static void vault_key(life *life, stream *stream)
{
    mtoken_task *task = NULL;
    bool right;
    if (!has_room(life)) return;
    mtoken_auth auth = factor(life, stream, true, &right);
    with_factor(life,
                start(life, mtoken_vault_fetch_key(caller(life, stream), 1, &auth, &task, NULL), &task, "vault key"),
                right);
}

static void vault_sign(life *life, stream *stream)
{
    static const uint8_t contract[] = "a contract";
    mtoken_task *task = NULL;
    bool right;
    if (!has_room(life)) return;
    mtoken_auth auth = factor(life, stream, true, &right);
    mtoken_status status = mtoken_vault_sign(caller(life, stream), contract, sizeof contract - 1,
                                             MTOKEN_SIGNATURE_FORM_DER, &auth, &task, NULL);
    with_factor(life, start(life, status, &task, "signature of the device"), right);
}

/* What becomes of the signatures that a host makes in a row. */
enum { NEVER_SENT, ACKNOWLEDGED, UNHEARD_OF, SENT_OR_LOST, SENT_RARELY, FATES };

/* Signs a request of the host's own and sends it, or not; false: it is refused. */
static bool sign_once(life *life, stream *stream, bool is_sent, bool is_heard_of)
{
    static const char body[] = "{\"a\":1}";
    mtoken_header *header = NULL;
    bank *bank = life->world.bank;
    mtoken_auth auth = percent(stream, 85) ? life->world.possession : life->user;
    mtoken_status status = brief_sign(life->world.client, "POST", "/test", bytes(body), &auth, &header, NULL);
    if (status != MTOKEN_OK) {
        tell(life, "a signature is refused with %s", mtoken_error_name(status));
        return false;
    }
    if (disk_is_cut()) {
        mtoken_header_free(header);
        return false;
    }
    life->unheard = false;
    if (!is_sent) {
        bank_witness(bank, header->value, "POST", "/test", body, strlen(body));
    } else {
        bool accepted = bank_accepts(bank, header->value, "POST", "/test", body, strlen(body), NULL);
        life->unheard = accepted && is_heard_of && percent(stream, 15);
        if (accepted && is_heard_of && !life->unheard)
            CHECK_OK(mtoken_client_signature_accepted(life->world.client, NULL));
        must(life, accepted || life->is_restored || bank->is_withdrawn || bank->state != MTOKEN_ACTIVATION_ACTIVE,
             "the bank accepts a signature", "that the host has made and sent at once");
        life->doubt |= !accepted && life->is_restored;
    }
    mtoken_header_free(header);
    return true;
}

/* The host signs requests of its own in a turn of its own, sends them in order, and hears of them or not. */
static void sign_row(life *life, stream *stream, uint32_t count, uint32_t fate)
{
    static const char *const fates[] = {"never sent", "sent and acknowledged",
                                        "sent, and the library does not hear of it", "sent or lost",
                                        "one in a row is sent and acknowledged"};
    mtoken_task *turn = NULL;
    if (mtoken_client_take_turn(life->world.client, &turn, NULL) != MTOKEN_OK) return;
    uint32_t pace = percent(stream, 50) ? 12 : 60, row = 1 + below(stream, (uint32_t)life->world.bank->window);
    if (await(life, turn) != MTOKEN_OK) {
        mtoken_task_free(turn);
        return;
    }
    tell(life, "%s", fates[fate]);
    for (uint32_t i = 1; i <= count && !life->broken; i++) {
        bool is_sent = fate != NEVER_SENT && (fate != SENT_OR_LOST || percent(stream, 50)) &&
                       (fate != SENT_RARELY || i % row == 0);
        if (!sign_once(life, stream, is_sent, fate != UNHEARD_OF)) break;
        uint32_t meanwhile = below(stream, pace);
        if (meanwhile < 2)
            serve(life, 1 + below(stream, 3));
        else if (meanwhile < 4) /* requests leave */
            CHECK_OK(mtoken_testing_advance(life->world.runtime, 0, NULL));
        else if (meanwhile < 6) /* an answer is on its way, and says how things are now */
            bank_serve_next(life->world.bank);
    }
    mtoken_task_free(turn);
}

static void sign_for_itself(life *life, stream *stream)
{
    uint32_t count = 1 + below(stream, percent(stream, 20) ? 80 : 12);
    sign_row(life, stream, count, below(stream, FATES));
}

/* To the last step of the bank's window: then the library brings the bank's counter up. */
static void exhaust_window(life *life, stream *stream) { sign_row(life, stream, 80, NEVER_SENT); }

/* Codes that the user types into the bank's page, or never does. */
static void offline_code(life *life, stream *stream)
{
    static const uint8_t nonce[16] = {1, 2, 3};
    mtoken_bytes bytes_of_nonce = {nonce, sizeof nonce};
    bank *bank = life->world.bank;
    bool is_typed = percent(stream, 60);
    for (size_t i = 0; i < life->flight_count; i++)
        if (life->flights[i].right || life->flights[i].wrong) return; /* which would come after it */
    life->unheard = false;                                            /* the last signature is another one */
    for (uint32_t count = is_typed ? 1 : 1 + below(stream, 20); count > 0 && !disk_is_cut(); count--) {
        mtoken_text *code = NULL;
        mtoken_status status = brief_sign_offline(life->world.client, "/offline", bytes("A1"), bytes_of_nonce,
                                                  &life->user, 0, &code, NULL);
        if (status != MTOKEN_OK) {
            tell(life, "refused with %s", mtoken_error_name(status));
            return;
        }
        bool accepted = !disk_is_cut() && bank_sees_offline(bank, code->data, "/offline", "A1", 2, nonce,
                                                            life->user.biometry_key.data != NULL, is_typed);
        mtoken_text_free(code);
        if (!is_typed || accepted) continue;
        must(life, disk_is_cut() || life->is_restored || bank->state != MTOKEN_ACTIVATION_ACTIVE,
             "the bank accepts an offline code", "that was typed at once");
        life->doubt |= life->is_restored; /* an attempt of which nobody told the library */
    }
    tell(life, "%s", is_typed ? "typed" : "never typed");
}

/* The host says late that its last signature was accepted. */
static void hear(life *life, stream *stream)
{
    (void)stream;
    if (life->unheard) CHECK_OK(mtoken_client_signature_accepted(life->world.client, NULL));
    life->unheard = false;
}

static void poll(life *life, stream *stream)
{
    mtoken_polling_options options = MTOKEN_POLLING_OPTIONS_INIT;
    mtoken_status status = MTOKEN_OK;
    uint32_t chosen = below(stream, 4);
    switch (chosen) {
    case 0:
    case 1:
        options.is_adaptive = percent(stream, 50);
        options.back_off = percent(stream, 50);
        status = mtoken_operations_start_polling(life->world.client, &options, NULL);
        break;
    case 2: status = mtoken_operations_pause_polling(life->world.client, NULL); break;
    default: status = mtoken_operations_resume_polling(life->world.client, NULL); break;
    }
    mtoken_polling_state state = mtoken_operations_get_polling(life->world.client);
    life->polls = state == MTOKEN_POLLING_ON || state == MTOKEN_POLLING_WAITING;
    tell(life, "%s", mtoken_error_name(status));
}

/* The request that a call makes for itself, and no other call for it. NULL: not known. */
static const char *own_path(const flight *flight)
{
    static const char *const paths[][2] = {
        {"list", PATH_LIST},
        {"approval", PATH_AUTHORIZE},
        {"rejection", PATH_REJECT},
        {"history", PATH_HISTORY},
        {"user info", PATH_USER},
        {"vault key", PATH_VAULT},
        {"detail", PATH_DETAIL},
        {"signature of the device", PATH_VAULT},
        {"claim", PATH_CLAIM},
        {"registration for push", PATH_PUSH},
        {"count of the inbox", PATH_INBOX},
    };
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
        if (strcmp(flight->name, paths[i][0]) == 0) return paths[i][1];
    return NULL;
}

/* Whether a request of this kind is under way, or has been sent since this one. */
static bool is_under_way(const life *life, const char *path, size_t since)
{
    size_t count = mtoken_testing_request_count(life->world.runtime), first = count > 12 ? count - 12 : 0;
    bool found = false;
    for (size_t i = first < since ? first : since; i < count && !found; i++) {
        mtoken_testing_request *request = NULL;
        if (mtoken_testing_request_get(life->world.runtime, i, 0, &request, NULL) != MTOKEN_OK) continue;
        found = (i >= since || request->state != MTOKEN_TESTING_REQUEST_ENDED) && is_to(request, path) &&
                !is_neighbours(request);
        mtoken_testing_request_free(request);
    }
    return found;
}

/* What is cancelled ends at once, and says whether it was sent; of two calls of a kind nobody knows whose request it
 * was.
 */
static void cancel(life *life, stream *stream)
{
    if (!life->flight_count) return;
    flight *flight = &life->flights[below(stream, (uint32_t)life->flight_count)];
    const char *path = own_path(flight);
    bool is_alone = strcmp(flight->name, "list") != 0; /* polling sends the same */
    size_t first = flight->first;
    for (size_t i = 0; i < life->flight_count; i++) {
        const char *name = life->flights[i].name; /* these two may send the same */
        bool may_be = strcmp(name, "mobile authentication") == 0 || strcmp(name, "pending requests") == 0;
        if (&life->flights[i] == flight || (own_path(&life->flights[i]) != path && !may_be)) continue;
        is_alone = false;
        if (life->flights[i].first < first) first = life->flights[i].first;
    }
    tell(life, "the %s", flight->name);
    bool ran = mtoken_task_get_state(flight->task) == MTOKEN_TASK_RUNNING;
    /* In 4.0 it may be the first code of a new PIN, of which the status tells what has become. */
    bool goes_on = life->world.bank->suite && strcmp(flight->name, "validation of the PIN") == 0;
    bool is_sent = path && is_alone && is_under_way(life, path, SIZE_MAX);
    /* What is not signed may share the request of another call. */
    bool was_sent = !path || flight->operation < 0 || is_under_way(life, path, first);
    CHECK_OK(mtoken_task_cancel(flight->task));
    CHECK_OK(mtoken_testing_advance(life->world.runtime, 0, NULL));
    const mtoken_error *error = mtoken_task_error(flight->task);
    must(life, goes_on || mtoken_task_get_state(flight->task) != MTOKEN_TASK_RUNNING, "what is cancelled ends at once",
         "the %s", flight->name);
    must(life, !ran || !is_sent || !error || error->outcome != MTOKEN_OUTCOME_NOT_SENT,
         "what is on its way is not told as not sent", "the %s", flight->name);
    must(life, !ran || was_sent || !error || error->outcome != MTOKEN_OUTCOME_UNKNOWN,
         "what was cancelled before it was sent leaves no doubt", "the %s", flight->name);
}

static void serve_some(life *life, stream *stream) { serve(life, 1 + below(stream, 4)); }

static void serve_all(life *life, stream *stream)
{
    (void)stream;
    serve(life, SIZE_MAX);
}

static void wait_a_moment(life *life, stream *stream)
{
    CHECK_OK(mtoken_testing_advance(life->world.runtime, below(stream, 5000), NULL));
}

static void wait_long(life *life, stream *stream)
{
    CHECK_OK(mtoken_testing_advance(life->world.runtime, 1000 * (int64_t)below(stream, 600), NULL));
}

static void all_have_ended(life *life, const bool *ran)
{
    for (size_t i = 0; i < life->flight_count; i++) {
        mtoken_status status = mtoken_task_result(life->flights[i].task);
        must(life, !ran[i] || status == MTOKEN_ERROR_CANCELLED, "the end of the runtime cancels its tasks",
             "%s ends with %s", life->flights[i].name, mtoken_error_name(status));
    }
}

void stop(life *life)
{
    life->polls = life->unheard = false;
    neighbour_stop(life);
    mtoken_client_free(life->hasty);
    life->hasty = NULL;
    bool ran[MOST_FLIGHTS] = {false};
    for (size_t i = 0; i < life->flight_count; i++)
        ran[i] = mtoken_task_get_state(life->flights[i].task) == MTOKEN_TASK_RUNNING;
    if (life->step & 1) { /* the runtime alone ends them too */
        mtoken_runtime_free(life->world.runtime);
        life->world.runtime = NULL;
        all_have_ended(life, ran);
    }
    world_stop(&life->world);
    all_have_ended(life, ran);
    land(life);
    store_is_in_order(life);
}

/* ------------------------------------------------------------------------------------------------------------ sealers
 */

/* It may be out of order. */
static mtoken_seal_fault turn_over(const seal *seal, const uint8_t *bytes, size_t length, uint8_t *other)
{
    int *failures = &seal->life->seals.failures;
    if (*failures > 0 && (*failures)-- > 0) return MTOKEN_SEAL_FAULT_UNAVAILABLE;
    for (size_t i = 0; i < length; i++) other[i] = bytes[i] ^ (seal->number ? 0xA5 : 0x5A);
    return MTOKEN_SEAL_FAULT_NONE;
}

static mtoken_seal_fault seal_bytes(void *context, const char *label, const uint8_t *bytes, size_t length,
                                    uint8_t *form, size_t *form_length)
{
    const seal *seal = context;
    (void)label;
    form[0] = seal->number;
    *form_length = length + 1;
    return turn_over(seal, bytes, length, form + 1);
}

static mtoken_seal_fault unseal_bytes(void *context, const char *label, const uint8_t *form, size_t form_length,
                                      uint8_t *bytes, size_t *length)
{
    const seal *seal = context;
    (void)label;
    if (form_length < 1 || form_length - 1 > *length) return MTOKEN_SEAL_FAULT_DAMAGED;
    if (form[0] != seal->number) return MTOKEN_SEAL_FAULT_FOREIGN;
    *length = form_length - 1;
    return turn_over(seal, form + 1, form_length - 1, bytes);
}

void seals_make(life *life)
{
    mtoken_host_sealer host = MTOKEN_HOST_SEALER_INIT;
    host.seal = seal_bytes;
    host.unseal = unseal_bytes;
    for (uint8_t i = 0; i < 2; i++) {
        seal *seal = host.context = &life->seals.made[i];
        seal->life = life;
        seal->number = i;
        CHECK_OK(mtoken_sealer_host_new(&host, &seal->sealer, NULL));
    }
    life->seals.now = life->seals.before = -1;
}

void seals_free(life *life)
{
    for (int i = 0; i < 2; i++) mtoken_sealer_free(life->seals.made[i].sealer);
}

static mtoken_sealer *sealer_of(const life *life, int number)
{
    return number < 0 ? NULL : life->seals.made[number].sealer;
}

/* Opens what is stored, with either sealer if it is not known which one it is. */
static mtoken_status open_again(life *life)
{
    mtoken_status status = MTOKEN_OK;
    for (int tries = 0; tries < 3; tries++) {
        life->world.sealer = sealer_of(life, life->seals.now);
        status = world_restart(&life->world);
        if (status == MTOKEN_OK) break;
        memory_runs_out(0); /* at the second attempt both are in order */
        life->seals.failures = 0;
        if (tries == 0) continue;
        int other = life->seals.before; /* a change that failed may have been made */
        life->seals.before = life->seals.now;
        life->seals.now = other;
    }
    /* What opens may not have reached the disk. */
    if (status == MTOKEN_OK && !life->plan->disk) life->seals.before = life->seals.now;
    return status;
}

/* Another sealer, or none. */
static void reseal(life *life, stream *stream)
{
    int number = (int)below(stream, 3) - 1;
    if (life->seals.before != life->seals.now) number = life->seals.now; /* which settles it */
    mtoken_status status = mtoken_client_reseal(life->world.client, sealer_of(life, number), NULL);
    tell(life, "%s", mtoken_error_name(status));
    must(life, status == MTOKEN_OK || status == MTOKEN_ERROR_SEALED || status == MTOKEN_ERROR_STORAGE,
         "a client is sealed anew", "%s", mtoken_error_name(status));
    if (status == MTOKEN_ERROR_SEALED) return;
    if (status == MTOKEN_OK && !disk_is_cut()) life->seals.before = number;
    life->seals.now = number;
    life->world.sealer = sealer_of(life, number);
}

static const uint8_t external_key[16] = {151, 'a', 'r', 'o', 'u', 'n', 'd', 97, 4};

static bool uses_external_key(const life *life)
{
    mtoken_client_info *info = NULL;
    bool uses = CHECK_OK(mtoken_client_get_info(life->world.client, &info, NULL)) && info->uses_external_key;
    mtoken_client_info_free(info);
    return uses;
}

void start_again(life *life)
{
    mtoken_status status = open_again(life);
    if (status == MTOKEN_OK && uses_external_key(life))
        CHECK_OK(mtoken_client_set_external_key(life->world.client, external_key, sizeof external_key, NULL));
    neighbour_start_again(life);
    must(life, status == MTOKEN_OK, "a stored activation opens", "%s", mtoken_error_name(status));
    must(life,
         life->broken || world_state(&life->world) == MTOKEN_CLIENT_ACTIVE ||
             life->world.bank->state == MTOKEN_ACTIVATION_REMOVED,
         "an activation is never lost", "the client is in state %d", (int)world_state(&life->world));
}

static void restart(life *life, stream *stream)
{
    (void)stream;
    stop(life);
    start_again(life);
}

/* Nothing else with a PIN or biometry key is under way meanwhile: it would be signed with the old one. */
static bool may_change_factor(life *life)
{
    if (life->is_restored) return false;
    for (size_t i = 0; i < life->flight_count; i++)
        if (life->flights[i].right || life->flights[i].wrong) return false;
    if (life->world.bank->suite) { /* a backup from before would have keys that the bank has replaced */
        mtoken_testing_data_free(life->backup);
        life->backup = NULL;
    }
    /* Where a store saves and says that it has not, nobody knows which one it is. */
    store_is_in_order(life);
    return true;
}

enum { FILE_KEY_AT = 48, FILE_KEY = 16 };

/* What a file of the state's directory holds. */
static size_t content_of(const life *life, const char *name, uint8_t content[1 << 16])
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s", life->folder, name);
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(content, 1, 1 << 16, file) : 0;
    if (file) fclose(file);
    return size;
}

/* Takes the key of what is stored, or afterwards sees that no file holds it: what a changed lock leaves cannot be read.
 */
static void keep_key(life *life, uint8_t key[FILE_KEY], bool has_changed)
{
    static uint8_t content[1 << 16];
    if (!life->plan->disk) return;
    if (!has_changed && content_of(life, STATE, content) > FILE_KEY_AT + FILE_KEY)
        memcpy(key, content + FILE_KEY_AT, FILE_KEY);
    DIR *directory = has_changed ? opendir(life->folder) : NULL;
    for (struct dirent *entry; directory && (entry = readdir(directory)) != NULL;) {
        size_t size = content_of(life, entry->d_name, content);
        for (size_t at = 0; at + FILE_KEY <= size; at++)
            must(life, memcmp(content + at, key, FILE_KEY) != 0, "no lock of a former PIN lies on the disk",
                 "in %s at %zu", entry->d_name, at);
    }
    if (directory) closedir(directory);
}

static void change_pin(life *life, stream *stream)
{
    mtoken_task *task = NULL;
    uint8_t key[FILE_KEY];
    mtoken_bytes old = life->world.pin.pin, new = bytes(pins[below(stream, 3)]);
    if (!may_change_factor(life)) return;
    if (mtoken_client_change_pin(life->world.client, old.data, old.length, new.data, new.length, &task, NULL)) return;
    keep_key(life, key, false);
    life->changes_factor = true;
    mtoken_status status = await(life, task);
    life->changes_factor = false;
    if (status == MTOKEN_OK && old.data != new.data) keep_key(life, key, true);
    /* The program always knows which one applies. */
    if (applies(life, task, false)) life->world.pin.pin = new;
    decides_with(life, life->user.biometry_key);
    tell(life, "ends with %s%s", mtoken_error_name(status),
         life->world.pin.pin.data == new.data ? ", and it is new" : "");
    mtoken_task_free(task);
}

/* A key of the host's own goes around PIN and biometry key, or is taken away. */
static void wrap_factors(life *life, stream *stream)
{
    uint8_t key[FILE_KEY];
    (void)stream;
    if (!may_change_factor(life)) return;
    mtoken_testing_data_free(life->backup);
    life->backup = NULL;
    keep_key(life, key, false);
    bool uses = uses_external_key(life);
    mtoken_status status =
        uses ? mtoken_client_remove_external_key(life->world.client, NULL)
             : mtoken_client_add_external_key(life->world.client, external_key, sizeof external_key, NULL);
    tell(life, "it is %s: %s", uses ? "taken away" : "there", mtoken_error_name(status));
    if (status == MTOKEN_OK) keep_key(life, key, true);
    must(life, disk_is_cut() || uses_external_key(life) == (uses == (status != MTOKEN_OK)),
         "a change of the external key is done or not", "%s", mtoken_error_name(status));
}

/* A new biometry key, in a life whose user has one. */
static void change_finger(life *life, stream *stream)
{
    mtoken_task *task = NULL;
    const uint8_t *new = fingers[below(stream, 3)];
    if (!life->plan->biometry || !may_change_factor(life)) return;
    if (mtoken_client_add_biometry(life->world.client, new, 16, NULL, 0, &life->world.pin, &task, NULL)) return;
    life->changes_factor = true;
    mtoken_status status = await(life, task);
    life->changes_factor = false;
    bool is_new = applies(life, task, true);
    if (is_new) decides_with(life, MTOKEN_BYTES(new, 16));
    tell(life, "ends with %s%s", mtoken_error_name(status), is_new ? ", and it is new" : "");
    mtoken_task_free(task);
}

/* From this device it is gone, whatever the bank hears of it, unless the removal did not begin. */
static void remove_finger(life *life, stream *stream)
{
    mtoken_task *task = NULL;
    mtoken_client_info *info = NULL;
    (void)stream;
    if (!life->user.biometry_key.data || !may_change_factor(life)) return;
    if (mtoken_client_remove_biometry(life->world.client, NULL, 0, &task, NULL) != MTOKEN_OK) return;
    life->changes_factor = true;
    mtoken_status status = await(life, task);
    life->changes_factor = false;
    const mtoken_error *error = mtoken_task_error(task);
    if (!disk_is_cut() && CHECK_OK(mtoken_client_get_info(life->world.client, &info, NULL))) {
        must(life, !info->has_biometry || (error && error->outcome == MTOKEN_OUTCOME_NOT_SENT),
             "a biometry key that was removed is gone", "the removal ends with %s", mtoken_error_name(status));
        if (!info->has_biometry) decides_with(life, MTOKEN_BYTES(NULL, 0));
        mtoken_client_info_free(info);
    }
    tell(life, "ends with %s", mtoken_error_name(status));
    mtoken_task_free(task);
}

/* To 4.0, where the bank offers it. What is stored from before is of no use afterwards. */
static void upgrade(life *life, stream *stream)
{
    mtoken_task *task = NULL;
    mtoken_auth auth = life->world.pin;
    (void)stream;
    if (!life->plan->upgrades || !may_change_factor(life)) return;
    auth.biometry_key = life->user.biometry_key;
    mtoken_testing_data_free(life->backup);
    life->backup = NULL;
    if (mtoken_client_upgrade(life->world.client, &auth, &task, NULL) != MTOKEN_OK) return;
    life->changes_factor = true;
    mtoken_status status = await(life, task);
    life->changes_factor = false;
    must(life, status != MTOKEN_OK || (life->world.bank->version == 4 && !life->world.bank->upgrade_waits),
         "an upgrade that is reported as done is done", "the bank has version %d", life->world.bank->version);
    tell(life, "ends with %s", mtoken_error_name(status));
    mtoken_task_free(task);
}

/* The user waits for the bank, which may take its time. */
static void wait_active(life *life, stream *stream)
{
    mtoken_wait_options options = MTOKEN_WAIT_OPTIONS_INIT;
    mtoken_task *task = NULL;
    if (!has_room(life)) return;
    options.timeout_ms = 1 + below(stream, 60000);
    if (life->world.bank->suite) options.auth = &life->world.pin;
    start(life, mtoken_client_wait_active(life->world.client, &options, &task, NULL), &task, "wait for the bank");
}

/* The former activation is gone on both sides. */
static void start_over(life *life)
{
    serve(life, SIZE_MAX);
    bank_start_over(life->world.bank);
    mtoken_testing_data_free(life->backup);
    life->backup = NULL;
    life->failed = life->ahead = 0;
    life->doubt = life->is_restored = false;
}

/* One attempt, which may be given up on the way. */
static mtoken_status activate(life *life, stream *stream)
{
    mtoken_activation_options options = MTOKEN_ACTIVATION_OPTIONS_INIT;
    mtoken_task *task = NULL;
    const bank *bank = life->world.bank;
    const mtoken_identity_attribute identity[] = {{text("username"), text(BANK_USER)},
                                                  {text("password"), text(bank->code)}};
    switch (below(stream, bank->suite ? 3 : 4)) {
    case 0: options.code = text(bank->code_qr); break;
    case 1:
        options.identity = identity;
        options.identity_count = 2;
        break;
    case 2:
        options.oidc_provider = text("p");
        options.oidc_code = text(bank->code);
        options.oidc_nonce = text("nonce");
        if (percent(stream, 50)) options.oidc_code_verifier = text("verifier");
        break;
    default: options.recovery_code = text(bank->recovery_code); options.recovery_puk = text(bank->recovery_puk);
    }
    mtoken_status status = mtoken_client_activate(life->world.client, &options, &task, NULL);
    if (status != MTOKEN_OK) return status;
    if (!life->calm && percent(stream, 20)) {
        serve(life, below(stream, 4));
        CHECK_OK(mtoken_task_cancel(task));
    }
    status = await(life, task);
    tell(life, "activation ends with %s", mtoken_error_name(status));
    mtoken_task_free(task);
    must(life, status == MTOKEN_OK || world_state(&life->world) == MTOKEN_CLIENT_EMPTY,
         "an activation that failed leaves nothing", "the client is in state %d", (int)world_state(&life->world));
    return status;
}

/* Keeps the activation that was made, unless the program ends before. */
static bool persist(life *life, stream *stream)
{
    mtoken_auth auth = MTOKEN_AUTH_INIT;
    auth.pin = bytes(pins[0]);
    auth.biometry_key = MTOKEN_BYTES(fingers[0], 16);
    if (!life->calm && percent(stream, 20)) {
        stop(life);
        /* What somebody puts there is no secret to activate with. */
        CHECK_OK(mtoken_testing_store_write(life->world.store, SECRET, sizeof SECRET - 1, fingers[0], 5, NULL));
        CHECK_OK(open_again(life));
        neighbour_start_again(life);
        must(life, world_state(&life->world) == MTOKEN_CLIENT_EMPTY, "what was not persisted is not there", "it is");
        return false;
    }
    mtoken_status status = mtoken_client_persist(life->world.client, &auth, NULL);
    if (status != MTOKEN_OK) { /* it is still there */
        store_is_in_order(life);
        mtoken_testing_random_fail(life->world.runtime, 0, 0, NULL);
        memory_runs_out(0);
        life->seals.failures = 0;
        status = mtoken_client_persist(life->world.client, &auth, NULL);
    }
    must(life, status == MTOKEN_OK, "an activation is persisted", "%s", mtoken_error_name(status));
    has_factors(life);
    return true;
}

/* Without the activation that is here. */
void activate_anew(life *life, stream *stream)
{
    bool is_there = false, was_calm = life->calm;
    if (life->flight_count) return;
    store_is_in_order(life);
    CHECK_OK(mtoken_client_remove_local(life->world.client, NULL));
    life->polls = life->unheard = false;
    life->world.bank->commits_late = percent(stream, 30);
    for (int tries = 0; !is_there && !life->broken; tries++) {
        life->calm = was_calm || tries >= 3; /* what was learned from a lie is forgotten when it is refused */
        memory_runs_out(0);
        life->world.bank->is_withdrawn &= !life->calm;
        start_over(life);
        mtoken_status status = activate(life, stream);
        must(life, status == MTOKEN_OK || tries < 4, "in a calm one can activate", "%s", mtoken_error_name(status));
        is_there = status == MTOKEN_OK && persist(life, stream);
    }
    life->calm = was_calm;
}

/* At the bank first, then here. */
static void remove_activation(life *life, stream *stream)
{
    mtoken_task *task = NULL;
    if (life->flight_count) return;
    if (mtoken_client_remove(life->world.client, &life->user, &task, NULL) != MTOKEN_OK) return;
    mtoken_status status = await(life, task);
    tell(life, "ends with %s", mtoken_error_name(status));
    mtoken_task_free(task);
    if (disk_is_cut()) return;
    must(life, status != MTOKEN_OK || life->world.bank->state == MTOKEN_ACTIVATION_REMOVED,
         "what is reported as removed is removed", "the bank's is in state %d", (int)life->world.bank->state);
    must(life,
         status == MTOKEN_OK || world_state(&life->world) == MTOKEN_CLIENT_ACTIVE ||
             life->world.bank->state == MTOKEN_ACTIVATION_REMOVED,
         "an activation is never lost", "the client is in state %d", (int)world_state(&life->world));
    if (status == MTOKEN_OK) activate_anew(life, stream);
}

const action actions[] = {
    {"serves all", 30, serve_all},
    {"serves some", 20, serve_some},
    {"waits a moment", 15, wait_a_moment},
    {"waits long", 5, wait_long},
    {"new operation", 12, new_operation},
    {"lists", 8, list},
    {"asks for a detail", 4, detail},
    {"approves", 12, approve},
    {"rejects", 5, reject},
    {"handles a request of a portal", 4, handle_request},
    {"asks for the history", 3, history},
    {"asks for the status", 4, fetch_status},
    {"asks for the time", 1, synchronize},
    {"asks for the user's claims", 2, fetch_user},
    {"validates the PIN", 4, validate},
    {"makes a token", 3, create_token},
    {"removes a token", 2, remove_token},
    {"fetches a key of the vault", 2, vault_key},
    {"signs for itself", 6, sign_for_itself},
    {"signs until it is refused", 3, exhaust_window},
    {"makes an offline code", 4, offline_code},
    {"hears of its signature", 3, hear},
    {"polls", 4, poll},
    {"cancels", 10, cancel},
    {"changes the PIN", 2, change_pin},
    {"changes the biometry key", 1, change_finger},
    {"changes the external key", 1, wrap_factors},
    {"removes the biometry key", 1, remove_finger},
    {"removes the activation", 1, remove_activation},
    {"asks for a header with a token", 2, token_header},
    {"signs with the device's key", 1, vault_sign},
    {"upgrades", 1, upgrade},
    {"counts the inbox", 2, count_inbox},
    {"reads the inbox", 1, read_inbox},
    {"asks for pending requests", 1, pending_requests},
    {"asks for the provider", 1, fetch_provider},
    {"registers for push", 2, register_push},
    {"encrypts", 2, encrypt},
    {"is opened twice", 1, open_twice},
    {"is started anew", 3, restart},
    {"is sealed anew", 2, reseal},
    {"waits for the bank", 1, wait_active},
    {"has a neighbour who does something", 6, neighbour_moves},
    {"activates anew", 1, activate_anew},
};
const size_t action_count = sizeof actions / sizeof actions[0];
