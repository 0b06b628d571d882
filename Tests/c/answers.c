/* Every call meets every bad answer, on each of its requests: a defined error, the state as before, and a client that
 * works. */
#include "calls.h"

/* One way to spoil an answer, and the codes that the caller may see. */
typedef struct fault {
    const char *name;
    int status;       /* HTTP; 0: as it was */
    const char *body; /* NULL: made by `make` */
    void (*make)(mtoken_testing_answer *answer);
    mtoken_status plain, encrypted; /* code on a plain and on an encrypted answer */
    int32_t failure, sent;          /* instead of an answer */
    bool spares_no_result;          /* a call without a result may take it for success */
} fault;

static void replace(mtoken_testing_answer *answer, const void *data, size_t size)
{
    free((void *)(uintptr_t)answer->body.data);
    uint8_t *copy = malloc(size + 1);
    if (size) memcpy(copy, data, size);
    answer->body.data = copy;
    answer->body.length = size;
}

static void make_truncated(mtoken_testing_answer *answer) { answer->body.length = answer->body.length * 2 / 3; }

static void make_trailing(mtoken_testing_answer *answer)
{
    buffer body = {NULL, 0};
    buffer_add(&body, answer->body.data, answer->body.length);
    buffer_add_text(&body, "}");
    replace(answer, body.data, body.size);
    buffer_clear(&body);
}

static void make_huge(mtoken_testing_answer *answer)
{
    size_t size = (size_t)5 << 20;
    char *body = malloc(size);
    memset(body, ' ', size);
    memcpy(body, "{\"status\":\"OK\"", 14);
    body[size - 1] = '}';
    replace(answer, body, size);
    free(body);
}

static void make_deep(mtoken_testing_answer *answer)
{
    buffer body = {NULL, 0};
    buffer_add_text(&body, "{\"status\":\"OK\",\"responseObject\":");
    for (int i = 0; i < 100000; i++) buffer_add_text(&body, "[");
    replace(answer, body.data, body.size);
    buffer_clear(&body);
}

static void make_bad_utf8(mtoken_testing_answer *answer)
{
    static const char body[] = "{\"status\":\"ERROR\",\"responseObject\":{\"code\":\"\xff\xfe\",\"message\":\"m\"}}";
    replace(answer, body, sizeof body - 1);
}

static void make_nul(mtoken_testing_answer *answer)
{
    static const char body[] = "{\"status\":\"OK\0\",\"responseObject\":{}}";
    replace(answer, body, sizeof body - 1);
}

static void make_redirect(mtoken_testing_answer *answer)
{
    answer->headers = text("Location: https://evil.example/\nContent-Type: text/html\n");
    replace(answer, "moved", 5);
}

#define PROTOCOL MTOKEN_ERROR_PROTOCOL
#define HTTP MTOKEN_ERROR_HTTP
#define SERVER MTOKEN_ERROR_SERVER
#define DECRYPTION MTOKEN_ERROR_DECRYPTION
#define OK_OBJECT(object) "{\"status\":\"OK\",\"responseObject\":" object "}"
#define REFUSAL(code) "{\"status\":\"ERROR\",\"responseObject\":{\"code\":\"" code "\",\"message\":\"because\"}}"
#define ANSWER(name, status, body, plain, encrypted)                                                                   \
    {                                                                                                                  \
        name, status, body, NULL, plain, encrypted, 0, 0, false                                                        \
    }
#define SPARING(name, status, body, plain, encrypted)                                                                  \
    {                                                                                                                  \
        name, status, body, NULL, plain, encrypted, 0, 0, true                                                         \
    }
#define MADE(name, status, make, code)                                                                                 \
    {                                                                                                                  \
        name, status, NULL, make, code, code, 0, 0, false                                                              \
    }
#define LOST(name, failure, sent, code)                                                                                \
    {                                                                                                                  \
        name, 0, NULL, NULL, code, code, failure, sent, false                                                          \
    }

static const fault faults[] = {
    ANSWER("HTML with 200", 200, "<html><body>Welcome</body></html>", PROTOCOL, PROTOCOL),
    ANSWER("HTML with 502", 502, "<html><body>Bad gateway</body></html>", HTTP, HTTP),
    ANSWER("nothing with 200", 200, "", PROTOCOL, PROTOCOL),
    ANSWER("nothing with 204", 204, "", HTTP, HTTP),
    ANSWER("nothing with 400", 400, "", HTTP, HTTP),
    ANSWER("nothing with 500", 500, "", HTTP, HTTP),
    MADE("cut off", 0, make_truncated, PROTOCOL),
    MADE("something behind", 0, make_trailing, PROTOCOL),
    MADE("huge", 0, make_huge, PROTOCOL),
    MADE("deep", 0, make_deep, PROTOCOL),
    MADE("not UTF-8", 0, make_bad_utf8, PROTOCOL),
    MADE("a NUL", 0, make_nul, PROTOCOL),
    MADE("moved", 302, make_redirect, HTTP),
    ANSWER("an array", 200, "[]", PROTOCOL, DECRYPTION),
    ANSWER("a text", 200, "\"OK\"", PROTOCOL, PROTOCOL),
    ANSWER("null", 200, "null", PROTOCOL, PROTOCOL),
    ANSWER("an empty object", 200, "{}", PROTOCOL, DECRYPTION),
    ANSWER("status of another type", 200, "{\"status\":1,\"responseObject\":{}}", PROTOCOL, DECRYPTION),
    ANSWER("another status", 200, "{\"status\":\"MAYBE\",\"responseObject\":{}}", PROTOCOL, DECRYPTION),
    ANSWER("two statuses", 200, "{\"status\":\"ERROR\",\"status\":\"OK\",\"responseObject\":{}}", PROTOCOL, PROTOCOL),
    ANSWER("error without object", 200, "{\"status\":\"ERROR\"}", PROTOCOL, DECRYPTION),
    ANSWER("error without code", 400, "{\"status\":\"ERROR\",\"responseObject\":{\"message\":\"m\"}}", HTTP, HTTP),
    ANSWER("error with code of another type", 400,
           "{\"status\":\"ERROR\",\"responseObject\":{\"code\":7,\"message\":\"m\"}}", HTTP, HTTP),
    SPARING("success without object", 200, "{\"status\":\"OK\"}", PROTOCOL, DECRYPTION),
    SPARING("null object", 200, OK_OBJECT("null"), PROTOCOL, DECRYPTION),
    SPARING("object of numbers", 200, OK_OBJECT("7"), PROTOCOL, DECRYPTION),
    SPARING("members of other types", 200,
            OK_OBJECT("{\"serverTime\":\"x\",\"jwt\":1,\"encryptedStatusBlob\":[],\"id\":{},\"tokenId\":false}"),
            PROTOCOL, DECRYPTION),
    ANSWER("success with 404", 404, OK_OBJECT("{}"), HTTP, HTTP),
    ANSWER("success with 500", 500, OK_OBJECT("{}"), HTTP, HTTP),
    ANSWER("refusal 400", 400, REFUSAL("ERR_GENERIC"), SERVER, SERVER),
    ANSWER("refusal 401", 401, REFUSAL("ERR_AUTHENTICATION"), SERVER, SERVER),
    ANSWER("refusal 404", 404, REFUSAL("ERROR_NOT_FOUND"), SERVER, SERVER),
    ANSWER("refusal 500", 500, REFUSAL("ERROR_GENERIC"), SERVER, SERVER),
    ANSWER("refusal with 200", 200, REFUSAL("ERROR_GENERIC"), SERVER, SERVER),
    LOST("timeout", MTOKEN_TESTING_FAILURE_TIMEOUT, 1, MTOKEN_ERROR_TIMEOUT),
    LOST("not connected", MTOKEN_TESTING_FAILURE_NOT_CONNECTED, 0, MTOKEN_ERROR_NETWORK),
    LOST("host not found", MTOKEN_TESTING_FAILURE_HOST_NOT_FOUND, 0, MTOKEN_ERROR_NETWORK),
    LOST("connection refused", MTOKEN_TESTING_FAILURE_CONNECTION_REFUSED, 0, MTOKEN_ERROR_NETWORK),
    LOST("connection lost before", MTOKEN_TESTING_FAILURE_CONNECTION_LOST, 0, MTOKEN_ERROR_NETWORK),
    LOST("connection lost after", MTOKEN_TESTING_FAILURE_CONNECTION_LOST, 1, MTOKEN_ERROR_NETWORK),
    LOST("not HTTP", MTOKEN_TESTING_FAILURE_BAD_RESPONSE, 1, PROTOCOL),
    LOST("TLS", MTOKEN_TESTING_FAILURE_TLS, 0, MTOKEN_ERROR_TLS),
    LOST("certificate", MTOKEN_TESTING_FAILURE_CERTIFICATE, 0, MTOKEN_ERROR_TLS),
    LOST("pin", MTOKEN_TESTING_FAILURE_PIN_MISMATCH, 0, MTOKEN_ERROR_PIN_MISMATCH),
    LOST("too large", MTOKEN_TESTING_FAILURE_TOO_LARGE, 1, PROTOCOL),
    LOST("proxy", MTOKEN_TESTING_FAILURE_PROXY, 0, MTOKEN_ERROR_NETWORK),
    LOST("invalid URL", MTOKEN_TESTING_FAILURE_INVALID_URL, 0, MTOKEN_ERROR_CONFIGURATION),
    LOST("invalid request", MTOKEN_TESTING_FAILURE_INVALID_REQUEST, 0, MTOKEN_ERROR_CONFIGURATION),
    LOST("out of memory", MTOKEN_TESTING_FAILURE_OUT_OF_MEMORY, 0, MTOKEN_ERROR_INTERNAL),
    LOST("internal", MTOKEN_TESTING_FAILURE_INTERNAL, 1, MTOKEN_ERROR_INTERNAL),
};
enum { FAULTS = sizeof faults / sizeof faults[0] };

/* The bank itself refuses, in words that can be read: it has not acted. */
static bool is_refusal(const fault *fault)
{
    return fault->body && strstr(fault->body, "because") && fault->status < 500;
}

/* Spoils the answer to the request number `left` from now. */
typedef struct spoiler {
    const fault *fault;
    size_t left;
    bool processed; /* the bank has acted on the request; otherwise it never saw it */
    char path[256]; /* of the request whose answer was spoiled */
} spoiler;

static void apply(const fault *fault, mtoken_testing_answer *answer)
{
    answer->failure = fault->failure;
    answer->sent = fault->sent;
    if (fault->status) answer->status = fault->status;
    if (fault->body) replace(answer, fault->body, strlen(fault->body));
    if (fault->make) fault->make(answer);
}

static bool strikes(spoiler *spoiler, const mtoken_testing_request *request)
{
    if (spoiler->left == 0 || --spoiler->left > 0) return false;
    snprintf(spoiler->path, sizeof spoiler->path, "%s", bank_path(request));
    return true;
}

static void spoil(bank *bank, const mtoken_testing_request *request, mtoken_testing_answer *answer)
{
    spoiler *spoiler = bank->context;
    if (spoiler->processed && strikes(spoiler, request)) apply(spoiler->fault, answer);
}

static bool intercept(bank *bank, const mtoken_testing_request *request, mtoken_testing_answer *answer)
{
    spoiler *spoiler = bank->context;
    if (spoiler->processed || !strikes(spoiler, request)) return false;
    apply(spoiler->fault, answer);
    return true;
}

/* How many requests the call makes when all is well. */
static size_t requests_of(const call *call)
{
    world world = world_for(call);
    size_t before = mtoken_testing_request_count(world.runtime);
    mtoken_task *task = NULL;
    CHECK_OK(call->start(&world, &task, NULL));
    CHECK_OK(bank_finish(world.bank, task));
    CHECK(!call->gave_result || call->gave_result(task));
    mtoken_task_free(task);
    size_t count = mtoken_testing_request_count(world.runtime) - before;
    world_close(&world);
    return count;
}

/* The client does what it is for: the next signature is accepted, whatever became of the ones before. */
static void works(world *world)
{
    mtoken_task *task = NULL;
    if (world_state(world) == MTOKEN_CLIENT_EMPTY) {
        mtoken_status status = bank_activate(world->bank, world->client, PIN, NULL);
        CHECK_OK(status);
    }
    CHECK(world_validates(world));
    CHECK_OK(mtoken_operations_list(world->client, &task, NULL));
    CHECK_OK(bank_finish_free(world->bank, task));
}

/* Its request carries a token, which is made anew when the server refuses it. */
static bool has_token(const call *call)
{
    return strcmp(call->path, PATH_LIST) == 0 || strcmp(call->path, PATH_DETAIL) == 0 ||
           strcmp(call->path, PATH_CLAIM) == 0 || strcmp(call->path, PATH_ACTIVATION_DETAIL) == 0;
}

/* The code that the caller is to see. `own`: it is the call's own request that was struck, and not one that it needs
 * first. */
static mtoken_status code_of(const call *call, const fault *fault, const spoiler *spoiler, bool own, bool is_four)
{
    bool encrypted = strcmp(spoiler->path, PATH_ACTIVATE) == 0 || strcmp(spoiler->path, PATH_TOKEN) == 0 ||
                     strcmp(spoiler->path, PATH_ACTIVATION_DETAIL) == 0 ||
                     (is_four && strcmp(spoiler->path, PATH_STATUS) == 0);
    mtoken_status code = encrypted ? fault->encrypted : fault->plain;
    if (own && fault->spares_no_result && !call->has_result) return MTOKEN_OK;
    bool names_its_own_key = strcmp(call->path, PATH_ACTIVATION_DETAIL) == 0 && !own;
    bool key_is_new = strcmp(spoiler->path, PATH_TOKEN) == 0 && !is_four; /* there the status has brought it */
    if (fault->status == 401 && has_token(call) && !names_its_own_key && !key_is_new)
        return MTOKEN_OK; /* the activation is active: token or key are renewed, once; what has just been made is not */
    if (fault->status == 404 && is_four && strcmp(spoiler->path, PATH_TIME) == 0)
        return MTOKEN_ERROR_UNSUPPORTED; /* a server of 3.x, and a configuration without keys of it */
    if (fault->status == 401 && strcmp(call->path, PATH_REMOVE) == 0 && own && spoiler->processed)
        return MTOKEN_ERROR_REMOVED; /* the status knows better */
    return code;
}

static int32_t outcome_of(const call *call, const fault *fault, const char *path, bool own)
{
    if (call->is_signed && !own) return MTOKEN_OUTCOME_NOT_SENT; /* its signature was never made */
    if (fault->failure) return fault->sent ? MTOKEN_OUTCOME_UNKNOWN : MTOKEN_OUTCOME_NOT_SENT;
    if (fault->make == make_huge) return MTOKEN_OUTCOME_UNKNOWN; /* the body was never taken in */
    bool is_signed = own ? call->is_signed : strcmp(path, PATH_TOKEN) == 0;
    return is_signed && !is_refusal(fault) ? MTOKEN_OUTCOME_UNKNOWN : MTOKEN_OUTCOME_ANSWERED;
}

static bool says_what_happened(const call *call, const fault *fault, const char *path, bool own,
                               const mtoken_error *error)
{
    bool good = CHECK_INT(error->outcome, outcome_of(call, fault, path, own));
    bool is_unsupported = error->code == MTOKEN_ERROR_UNSUPPORTED; /* which is not what the server says */
    if (!fault->failure && fault->status && !is_unsupported) good &= CHECK_INT(error->http_status, fault->status);
    if (error->outcome == MTOKEN_OUTCOME_UNKNOWN && call->is_signed) good &= CHECK_INT(error->is_retriable, 0);
    if (error->outcome == MTOKEN_OUTCOME_UNKNOWN && !own) /* what was asked for was never begun */
        good &= CHECK_INT(error->is_retriable, 1);
    if (!fault->failure && fault->status >= 500 && !(own && call->is_signed) && strcmp(path, PATH_TOKEN) != 0)
        good &= CHECK_INT(error->is_retriable, 1);
    if (fault->body && strstr(fault->body, "because") && !is_unsupported)
        good &= CHECK_TEXT(error->server_message, "because");
    bool is_explained = strcmp(error->reason, "notTheFactor") == 0 || strcmp(error->reason, "acceptedThenRefused") == 0;
    if (fault->status == 401 && error->code == SERVER && !call->from_empty && strcmp(call->path, PATH_STATUS) != 0)
        good &= CHECK(is_explained) & CHECK_INT(error->remaining_attempts, 5); /* the status was asked for why */
    return good & CHECK(error->reason && error->reason[0] && error->message && error->message[0]);
}

static void fetch_status(world *world)
{
    mtoken_task *task = NULL;
    CHECK_OK(mtoken_client_fetch_status(world->client, &task, NULL));
    CHECK_OK(bank_finish_free(world->bank, task));
}

static void meet(const call *call, size_t nth, const fault *fault, bool processed)
{
    world world = world_for(call);
    bool never_sent = fault->failure && !fault->sent;
    spoiler spoiler = {fault, nth, processed && !never_sent, ""};
    mtoken_task *task = NULL;
    int32_t state = world_state(&world);
    int64_t open = world_open_signatures(&world);
    world.bank->spoil = spoil;
    world.bank->intercept = intercept;
    world.bank->context = &spoiler;
    CHECK_OK(call->start(&world, &task, NULL));
    mtoken_status result = bank_finish(world.bank, task);
    world.bank->spoil = NULL;
    world.bank->intercept = NULL;

    bool own = strcmp(spoiler.path, call->path) == 0;
    mtoken_status expected = code_of(call, fault, &spoiler, own, world.bank->suite != NULL);
    bool good = CHECK_STATUS(result, expected);
    const mtoken_error *error = mtoken_task_error(task);
    if (expected != MTOKEN_OK && (good &= CHECK(error)))
        good &= says_what_happened(call, fault, spoiler.path, own, error);
    good &= CHECK(result == MTOKEN_OK || !call->gave_result || !call->gave_result(task));
    if (result != MTOKEN_OK) good &= CHECK_INT(world_state(&world), state);
    int64_t left = world_open_signatures(&world);
    good &= never_sent ? CHECK_INT(left, open) : CHECK(left <= open + 1); /* what was not sent costs no counter */
    mtoken_task_free(task);
    bank_forgives(call, world.bank);
    if (result == MTOKEN_ERROR_REMOVED) /* the client believes that until the status says otherwise */
        fetch_status(&world);
    if (result == MTOKEN_OK && strcmp(call->path, PATH_REMOVE) == 0)
        world.bank->state = MTOKEN_ACTIVATION_REMOVED;
    else
        works(&world);
    if (!good)
        note("%s, request %zu (%s), %s: %s", call->name, nth, spoiler.path, processed ? "processed" : "not processed",
             fault->name);
    world_close(&world);
}

/*
 * Every call, every request, every fault; a part of the faults, another one for each request. For the
 * call's own request also with a bank that never saw it.
 */
static void every_call_meets_every_fault(void)
{
    size_t step = sampled(bank_speaks_4() ? 11 : 3, 11), met = 0; /* the keys of 4.0 take their time */
    for (size_t i = 0; i < call_count; i++) {
        size_t requests = requests_of(&calls[i]);
        for (size_t nth = 1; nth <= requests; nth++)
            for (size_t f = (i + nth) % step; f < FAULTS; f += step, met++) {
                meet(&calls[i], nth, &faults[f], true);
                if (nth == requests && !faults[f].make && !(faults[f].failure && !faults[f].sent)) {
                    meet(&calls[i], nth, &faults[f], false);
                    met++;
                }
            }
    }
    note("%zu meetings", met);
}

/* What the bank says when it is asked for the reason of a refusal. */
typedef struct reason {
    const char *path;   /* whose requests are refused */
    const fault *fault; /* of the status; NULL: it is answered */
    int refused, asked;
} reason;

/* Faults inside of encrypted and signed answers, which need the server's keys: the bank makes them. */
static void set_member(bank *bank, const mtoken_testing_request *request, mtoken_testing_answer *answer)
{
    const char **change = bank->context; /* path, member, JSON of its new value */
    if (!is_to(request, change[0])) return;
    json_t *root = json_loadb((const char *)answer->body.data, answer->body.length, 0, NULL);
    json_t *object = json_object_get(root, "responseObject");
    json_t *value = change[2] ? json_loads(change[2], JSON_DECODE_ANY, NULL) : NULL;
    if (value)
        json_object_set_new(object ? object : root, change[1], value);
    else
        json_object_del(object ? object : root, change[1]);
    char *body = json_dumps(root, JSON_COMPACT);
    replace(answer, body, strlen(body));
    free(body);
    json_decref(root);
}

static void encrypted_answers_are_checked(void)
{
    static const char sixteen[] = "\"AAAAAAAAAAAAAAAAAAAAAA==\"",
                      wide[] = "\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\"";
    static const struct {
        const char *path, *member, *value;
        mtoken_status code;
        enum { BOTH, THREE, FOUR } protocol;
    } cases[] = {
        {PATH_ACTIVATE, "mac", wide, MTOKEN_ERROR_DECRYPTION, THREE},
        {PATH_ACTIVATE, "mac", NULL, MTOKEN_ERROR_DECRYPTION, THREE},
        {PATH_ACTIVATE, "mac", "1", MTOKEN_ERROR_DECRYPTION, THREE},
        {PATH_ACTIVATE, "nonce", sixteen, MTOKEN_ERROR_DECRYPTION, THREE},
        {PATH_ACTIVATE, "nonce", NULL, MTOKEN_ERROR_DECRYPTION, THREE},
        {PATH_ACTIVATE, "timestamp", "1", MTOKEN_ERROR_DECRYPTION, BOTH},
        {PATH_ACTIVATE, "timestamp", "-1", MTOKEN_ERROR_DECRYPTION, BOTH},
        {PATH_ACTIVATE, "timestamp", "1e300", MTOKEN_ERROR_DECRYPTION, BOTH},
        {PATH_ACTIVATE, "timestamp", NULL, MTOKEN_ERROR_DECRYPTION, BOTH},
        {PATH_ACTIVATE, "encryptedData", "\"\"", MTOKEN_ERROR_DECRYPTION, BOTH},
        {PATH_ACTIVATE, "encryptedData", sixteen, MTOKEN_ERROR_DECRYPTION, BOTH},
        {PATH_ACTIVATE, "encryptedData", "\"%%%\"", MTOKEN_ERROR_DECRYPTION, BOTH},
        {PATH_TOKEN, "mac", wide, MTOKEN_ERROR_DECRYPTION, THREE},
        {PATH_TOKEN, "encryptedData", sixteen, MTOKEN_ERROR_DECRYPTION, BOTH},
        {PATH_STATUS, "encryptedStatusBlob", wide, MTOKEN_ERROR_PROTOCOL, THREE},
        {PATH_STATUS, "encryptedStatusBlob", sixteen, MTOKEN_ERROR_PROTOCOL, THREE},
        {PATH_STATUS, "encryptedStatusBlob", NULL, MTOKEN_ERROR_PROTOCOL, THREE},
        {PATH_STATUS, "nonce", sixteen, MTOKEN_ERROR_PROTOCOL, THREE},
        {PATH_STATUS, "nonce", "\"AA==\"", MTOKEN_ERROR_PROTOCOL, THREE},
        {PATH_STATUS, "activationId", "\"another\"", MTOKEN_ERROR_PROTOCOL, THREE},
        {PATH_KEY, "jwt", "\"a.b.c\"", MTOKEN_ERROR_PROTOCOL, BOTH},
        {PATH_KEY, "jwt", "\"..\"", MTOKEN_ERROR_PROTOCOL, BOTH},
        {PATH_KEY, "jwt", "\"\"", MTOKEN_ERROR_PROTOCOL, BOTH},
        {PATH_KEY, "jwt", "null", MTOKEN_ERROR_PROTOCOL, BOTH},
        {PATH_TIME, "serverTime", "1.5", MTOKEN_ERROR_PROTOCOL, BOTH},
        {PATH_TIME, "serverTime", "99999999999999999999", MTOKEN_ERROR_PROTOCOL, BOTH},
        {PATH_STATUS, "encryptedData", wide, MTOKEN_ERROR_DECRYPTION, FOUR},
        {PATH_STATUS, "encryptedData", sixteen, MTOKEN_ERROR_DECRYPTION, FOUR},
        {PATH_STATUS, "encryptedData", "\"\"", MTOKEN_ERROR_DECRYPTION, FOUR},
        {PATH_STATUS, "encryptedData", NULL, MTOKEN_ERROR_DECRYPTION, FOUR},
        {PATH_STATUS, "timestamp", "1", MTOKEN_ERROR_DECRYPTION, FOUR},
        {PATH_STATUS, "timestamp", NULL, MTOKEN_ERROR_DECRYPTION, FOUR},
        {PATH_KEY, "jwt", "\"{}\"", MTOKEN_ERROR_PROTOCOL, FOUR},
        {PATH_KEY, "jwt", "{\"payload\":\"e30\",\"signatures\":[]}", MTOKEN_ERROR_PROTOCOL, FOUR},
        {PATH_KEY, "jwt", "\"{\\\"payload\\\":\\\"e30\\\",\\\"signatures\\\":[]}\"", MTOKEN_ERROR_SIGNATURE, FOUR},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const call *call = NULL;
        if (cases[i].protocol == (bank_speaks_4() ? THREE : FOUR)) continue;
        for (size_t c = 0; c < call_count && !call; c++)
            if (strcmp(calls[c].path, strcmp(cases[i].path, PATH_KEY) == 0 ? PATH_ACTIVATE : cases[i].path) == 0)
                call = &calls[c];
        const char *change[3] = {cases[i].path, cases[i].member, cases[i].value};
        world world = world_for(call);
        mtoken_task *task = NULL;
        world.bank->spoil = set_member;
        world.bank->context = change;
        int32_t state = world_state(&world);
        CHECK_OK(call->start(&world, &task, NULL));
        if (!CHECK_STATUS(bank_finish(world.bank, task), cases[i].code))
            note("%s: %s = %s", change[0], change[1], change[2] ? change[2] : "(missing)");
        if (mtoken_task_error(task))
            CHECK_INT(mtoken_task_error(task)->outcome,
                      call->is_signed ? MTOKEN_OUTCOME_UNKNOWN : MTOKEN_OUTCOME_ANSWERED);
        CHECK_INT(world_state(&world), state);
        mtoken_task_free(task);
        world.bank->spoil = NULL;
        bank_forgives(call, world.bank);
        works(&world);
        world_close(&world);
    }
}

static const test tests[] = {
    {"every call meets every fault", every_call_meets_every_fault},
    {"encrypted answers are checked", encrypted_answers_are_checked},
};

int main(int argc, char **argv)
{
    after_each = no_handles_left;
    return RUN(tests);
}
