/*
 * How much memory an answer of 4 MiB may take: of every call that reads JSON, in every shape that makes much of few
 * bytes. What counts is the most that the process had in use from malloc, above what it had before the answer, until
 * the host has read the result and the events. With MTOKEN_BOUNDS in the environment each answer is told.
 */
#include "calls.h"
#include "memory.h"

#include <time.h>

#define MIB ((size_t)1 << 20)
#define ANSWER (4 * MIB) /* the most that an answer may have */
#define BOUND (64 * MIB)
#define VALUES 99000 /* just below the most of an answer, with room for what stands around them */
#define SECONDS 0.5  /* of the processor */

/* ------------------------------------------------------------------------------------------------------------ shapes
 */

/* A text that repeats itself. */
typedef struct shape {
    const char *name;
    const char *open, *item, *close; /* "%" in an item stands for a number that is another one in each */
    const char *between;
    size_t values;    /* in an item; 0: none, however many there are */
    const char *kind; /* of the calls for which this is the object; NULL: any call, as one more member */
} shape;

#define OPERATION_HEAD(id)                                                                                             \
    "{\"id\":\"" id                                                                                                    \
    "\",\"name\":\"n\",\"data\":\"A1\",\"operationCreated\":1,\"operationExpires\":2,\"allowedSignatureType\""         \
    ":{\"type\":\"2FA\",\"variants\":[\"possession_knowledge\"]},\"formData\":{\"title\":\"\",\"attributes\":["
#define AMOUNT "{\"type\":\"AMOUNT\",\"id\":\"\",\"label\":\"\",\"amount\":1.5,\"currency\":\"E\"}"
#define CONVERSION                                                                                                     \
    "{\"type\":\"AMOUNT_CONVERSION\",\"id\":\"\",\"label\":\"\",\"dynamic\":true,\"sourceAmount\":1.25,"               \
    "\"sourceCurrency\":"                                                                                              \
    "\"E\",\"targetAmount\":2.5,\"targetCurrency\":\"C\"}"
#define FOUR(item) item "," item "," item "," item
#define LIST(name, item, values, kind)                                                                                 \
    {                                                                                                                  \
        name, "[", item, "]", ",", values, kind                                                                        \
    }
#define ONE(name, item, values)                                                                                        \
    {                                                                                                                  \
        name, OPERATION_HEAD("1"), item, "]}}", ",", values, "one"                                                     \
    }
#define TEXT(name, item)                                                                                               \
    {                                                                                                                  \
        name, "\"", item, "\"", "", 0, NULL                                                                            \
    }

static const shape shapes[] = {
    LIST("empty arrays", "[]", 1, NULL),
    LIST("empty objects", "{}", 1, NULL),
    {"members of empty objects", "{", "\"%\":{}", "}", ",", 1, NULL},
    {"members of members", "{", "\"%\":{\"a\":0}", "}", ",", 2, NULL},
    LIST("zeros", "0", 1, NULL),
    LIST("empty texts", "\"\"", 1, NULL),
    LIST("short texts", "\"1234567890123456789012345\"", 1, NULL),
    LIST("numbers", "1e300", 1, NULL),
    LIST("one in another", "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]", 40,
         NULL),
    LIST("too deep", "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", 66, NULL),
    LIST("texts of escapes", "\"\\u0001\\n\\ud83d\\ude00\"", 1, NULL),
    LIST("names that occur twice", "{\"a\":0,\"a\":0}", 3, NULL),
    {"commas", "[", ",", "]", "", 1, NULL},
    TEXT("one long text", "x"),
    TEXT("one text of escapes", "\\u0001"),
    TEXT("one text of NULs", "\\u0000"),
    LIST("broken operations", "0", 1, "list"),
    LIST("operations that cannot be read", "{\"a\":0,\"a\":0}", 3, "list"),
    LIST("operations", OPERATION_HEAD("%") "]}}", 11, "list"),
    LIST("operations with attributes", OPERATION_HEAD("%") FOUR(FOUR(AMOUNT)) "]}}", 107, "list"),
    LIST("operations with conversions", OPERATION_HEAD("%") FOUR(CONVERSION) "]}}", 47, "list"),
    LIST("operations with broken attributes", OPERATION_HEAD("%") FOUR("0,[],{},\"\"") "]}}", 27, "list"),
    LIST("operations without a title", "{\"id\":\"%\",\"name\":\"\",\"data\":\"\"}", 4, "list"),
    ONE("attributes", AMOUNT, 6),
    ONE("conversions", CONVERSION, 9),
    ONE("unknown attributes", "{\"type\":\"X\",\"id\":\"\",\"label\":\"\"}", 4),
    ONE("broken attributes", "0", 1),
    LIST("messages", "{\"id\":\"%\",\"subject\":\"\",\"timestampCreated\":1}", 4, "inbox"),
    LIST("broken messages", "{\"id\":1}", 2, "inbox"),
};

/* Writes text at a place, and gives the place behind it. */
static char *put(char *place, const char *text, size_t length)
{
    memcpy(place, text, length);
    return place + length;
}

static char *put_item(char *place, const char *item, size_t number)
{
    const char *percent = strchr(item, '%');
    if (!percent) return put(place, item, strlen(item));
    place = put(place, item, (size_t)(percent - item));
    place += sprintf(place, "%zu", number);
    return put(place, percent + 1, strlen(percent + 1));
}

/*
 * A text of this size: `head`, the shape, `tail`. The shape has so many items that the text is full or, if `sparing`,
 * that it keeps just below the most values; a long text in front of the other members fills it up then.
 */
static char *make_text(const shape *shape, bool sparing, size_t size, const char *head, const char *tail)
{
    size_t longest = strlen(shape->item) + 16, rest = strlen(shape->close) + strlen(tail) + 16;
    size_t most = sparing && shape->values ? VALUES / shape->values : SIZE_MAX;
    char *text = malloc(2 * size), *place = text;
    place = put(place, head, strlen(head));
    place = put(place, shape->open, strlen(shape->open));
    for (size_t i = 0; i < most && (size_t)(place - text) + longest + rest < size; i++) {
        if (i > 0) place = put(place, shape->between, strlen(shape->between));
        place = put_item(place, shape->item, i);
    }
    place = put(place, shape->close, strlen(shape->close));
    place = put(place, tail, strlen(tail));
    *place = '\0';
    size_t length = (size_t)(place - text);
    if (sparing && length + 16 < size) { /* {"fill":"xxx", and what was behind the first brace */
        size_t fill = size - length;
        memmove(text + fill, text + 1, length);
        put(text, "{\"fill\":\"", 9);
        memset(text + 9, 'x', fill - 11);
        put(text + fill - 2, "\",", 2);
    }
    return realloc(text, strlen(text) + 1);
}

/* ------------------------------------------------------------------------------------------------------------- calls
 */

static mtoken_status start_vault(world *world, mtoken_task **task, mtoken_error **error)
{
    return mtoken_vault_fetch_key(world->client, 7, &world->pin, task, error);
}

static mtoken_status start_page(world *world, mtoken_task **task, mtoken_error **error)
{
    return mtoken_inbox_list_page(world->client, 0, 1000, 0, task, error);
}

static mtoken_status start_pages(world *world, mtoken_task **task, mtoken_error **error)
{
    return mtoken_inbox_list_all(world->client, 1000, 0, 0, task, error);
}

static mtoken_status start_handling(world *world, mtoken_task **task, mtoken_error **error)
{
    return mtoken_mobile_auth_handle(world->client, "1", 1, NULL, task, error);
}

static mtoken_status start_handling_encrypted(world *world, mtoken_task **task, mtoken_error **error)
{
    world->bank->encrypts_detail = true;
    return start_handling(world, task, error);
}

#define INBOX_LIST "/api/inbox/message/list"
#define PLAIN(name, path, start)                                                                                       \
    {                                                                                                                  \
        name, path, false, false, false, false, start, NULL                                                            \
    }
#define EMPTY(name, path, start)                                                                                       \
    {                                                                                                                  \
        name, path, false, false, false, true, start, NULL                                                             \
    }

static const call more[] = {
    EMPTY("temporary key", PATH_KEY, NULL), /* which the activation begins with */
    PLAIN("vault", PATH_VAULT, start_vault),
    PLAIN("user info", PATH_USER, start_user_info),
    EMPTY("provider", PATH_PROVIDER, start_provider),
    EMPTY("discovery", "/.well-known/openid-configuration", start_discovery),
    PLAIN("push", "/api/push/device/register/token", start_push),
    PLAIN("inbox count", "/api/inbox/count", start_count),
    PLAIN("inbox page", INBOX_LIST, start_page),
    PLAIN("inbox", INBOX_LIST, start_pages),
    PLAIN("inbox message", "/api/inbox/message/detail", start_message),
    PLAIN("reading", "/api/inbox/message/read", start_reading),
    PLAIN("requests", PATH_LIST, start_requests),
    PLAIN("request", PATH_DETAIL, start_handling),
    PLAIN("encrypted request", PATH_DETAIL, start_handling_encrypted),
};
enum { MORE = sizeof more / sizeof more[0] };

/* What is inside an encrypted answer, or a token: how it is called there, and what share of the answer it may have. */
static const struct inner {
    const char *call, *purpose;
    int share; /* of 16 */
} inners[] = {
    {"temporary key", "jwt", 12},
    {"activation", "/pa/generic/application", 12},
    {"activation", "/pa/activation", 9},
    {"token", "/pa/token/create", 12},
    {"vault", "/pa/vault/unlock", 12},
    {"activation detail", "/pa/generic/activation", 12},
    {"user info", "/pa/generic/activation", 12},
    {"provider", "/pa/generic/application", 12},
    {"encrypted request", "/pa/generic/activation", 12},
};
enum { INNERS = sizeof inners / sizeof inners[0] };

/* What the object of a call's answer is; "": nothing that is kept. */
static const char *kind_of(const call *call)
{
    static const char *const kinds[][2] = {
        {"list", "list"},   {"history", "list"},          {"requests", "list"},    {"detail", "one"}, {"claim", "one"},
        {"request", "one"}, {"encrypted request", "one"}, {"inbox page", "inbox"}, {"inbox", "inbox"}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(call->name, kinds[i][0]) == 0) return kinds[i][1];
    return "";
}

/* --------------------------------------------------------------------------------------------------------- one answer
 */

/* What is being measured. */
static struct {
    const call *call;
    const shape *shape;
    const struct inner *inner; /* NULL: what is sent */
    bool sparing;
    size_t before;
    clock_t began;
    bool came;
} now;

static struct {
    size_t memory;
    double seconds;
    const char *call, *shape;
    size_t answers;
} worst;

/* The answer that the call shall get, in place of or with all that it had. */
static char *changed(const char *original, size_t size)
{
    if (now.shape->kind) return make_text(now.shape, now.sparing, size, "{\"status\":\"OK\",\"responseObject\":", "}");
    buffer tail = {NULL, 0};
    bool empty = strcmp(original, "{}") == 0 || original[0] != '{';
    if (!empty) buffer_add_text(&tail, ",");
    buffer_add_text(&tail, empty ? "}" : original + 1);
    char *made = make_text(now.shape, now.sparing, size, "{\"x\":", (const char *)tail.data);
    buffer_clear(&tail);
    return made;
}

static char *rewrite(bank *bank, const char *purpose, const char *plain)
{
    (void)bank;
    if (!now.inner || strcmp(purpose, now.inner->purpose) != 0) return NULL;
    return changed(plain, ANSWER * (size_t)now.inner->share / 16 - 8192);
}

static void spoil(bank *bank, const mtoken_testing_request *request, mtoken_testing_answer *answer)
{
    const char *path = bank_path(request) ? bank_path(request) : request->url; /* of another server */
    size_t length = strlen(path), own = strlen(now.call->path);
    (void)bank;
    if (length < own || strcmp(path + length - own, now.call->path) != 0) return;
    if (!now.inner) {
        const char *original = answer->status == 200 ? (const char *)answer->body.data : "{\"status\":\"OK\"}";
        char *made = changed(original, ANSWER - 64);
        free((void *)(uintptr_t)answer->body.data);
        answer->body.data = (const uint8_t *)made;
        answer->body.length = strlen(made);
        answer->status = 200;
    }
    CHECK(answer->body.length <= ANSWER && answer->body.length > ANSWER / 16 * 15);
    now.came = true;
    now.before = memory_bytes() - answer->body.length; /* the library is handed a copy, and this one is gone soon */
    now.began = clock();
    memory_peak_starts();
}

/* The host reads everything that there is. */
static void read_result(const world *world, mtoken_task *task)
{
    mtoken_event *event = NULL;
    (void)mtoken_task_error(task);
    (void)mtoken_task_operations(task);
    (void)mtoken_task_operation(task);
    (void)mtoken_task_inbox_list(task);
    (void)mtoken_task_inbox_message(task);
    (void)mtoken_task_inbox_count(task);
    (void)mtoken_task_user_info(task);
    (void)mtoken_task_activation(task);
    (void)mtoken_task_activation_status(task);
    (void)mtoken_task_activation_detail(task);
    (void)mtoken_task_oidc_config(task);
    (void)mtoken_task_mobile_auth_list(task);
    (void)mtoken_task_mobile_auth(task);
    while (mtoken_runtime_next_event(world->runtime, 0, &event, NULL) == MTOKEN_OK) {
        (void)event->change;
        (void)event->error;
        (void)event->trace;
        mtoken_challenge *challenge = mtoken_event_take_challenge(event);
        (void)mtoken_challenge_get_info(challenge);
        mtoken_challenge_free(challenge);
        mtoken_event_free(event);
    }
}

static void measure(const call *call, const struct inner *inner, const shape *shape, bool sparing)
{
    mtoken_task *task = NULL;
    struct world world =
        world_for_events(call, MTOKEN_EVENT_MASK_OPERATIONS | MTOKEN_EVENT_MASK_CHALLENGES | MTOKEN_EVENT_MASK_TRACE);
    now.call = call;
    now.inner = inner;
    now.shape = shape;
    now.sparing = sparing;
    now.came = false;
    world.bank->spoil = spoil;
    world.bank->rewrite = rewrite;
    if (CHECK_OK((call->start ? call->start : calls[1].start)(&world, &task, NULL))) {
        (void)bank_finish(world.bank, task);
        read_result(&world, task);
    }
    size_t memory = memory_peak() - now.before;
    double seconds = (double)(clock() - now.began) / CLOCKS_PER_SEC;
    if (!CHECK(now.came) || !CHECK(memory <= BOUND) || !CHECK(seconds <= SECONDS || under_valgrind() || emulated()))
        note("%s, %s%s%s: %zu MiB, %.2f s", call->name, inner ? inner->purpose : "", shape->name,
             sparing ? " (some)" : "", memory / MIB, seconds);
    worst.answers++;
    if (memory > worst.memory) {
        worst.memory = memory;
        worst.call = call->name;
        worst.shape = shape->name;
    }
    if (seconds > worst.seconds) worst.seconds = seconds;
    if (getenv("MTOKEN_BOUNDS"))
        note("%8.1f MiB %6.3f s  %s%s: %s%s, result %d", (double)memory / MIB, seconds, call->name,
             inner ? inner->purpose : "", shape->name, sparing ? " (some)" : "", (int)mtoken_task_result(task));
    world.bank->spoil = NULL;
    world.bank->rewrite = NULL;
    CHECK_OK(mtoken_task_cancel(task));
    mtoken_testing_advance(world.runtime, 0, NULL);
    mtoken_task_free(task);
    world_close(&world);
}

/*
 * Each shape with as many values as are accepted; full of values, which every call refuses in the same place, in turns.
 * `turn` is another one for each call.
 */
static void all_shapes(const call *call, const struct inner *inner, size_t turn)
{
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        if (shapes[i].kind && strcmp(shapes[i].kind, kind_of(call)) != 0) continue;
        if ((i + turn) % sampled(bank_speaks_4() ? 12 : 4, 10) != 0) continue;
        if (shapes[i].values) measure(call, inner, &shapes[i], true);
        if (!shapes[i].values || shapes[i].kind || (i + turn) % 6 == 0) measure(call, inner, &shapes[i], false);
    }
}

/* -------------------------------------------------------------------------------------------------------------- tests
 */

static const call *call_at(size_t index) { return index < call_count ? &calls[index] : &more[index - call_count]; }

static void each_answer(void)
{
    for (size_t i = 0; i < call_count + MORE; i++) all_shapes(call_at(i), NULL, i);
    note("at most %.1f MiB (%s: %s) and %.2f s of the processor, in %zu answers", (double)worst.memory / MIB,
         worst.call, worst.shape, worst.seconds, worst.answers);
}

static void inside_the_encryption(void)
{
    worst.memory = worst.answers = 0;
    for (size_t i = 0; i < INNERS; i++)
        for (size_t k = 0; k < call_count + MORE; k++)
            if (strcmp(call_at(k)->name, inners[i].call) == 0) all_shapes(call_at(k), &inners[i], i);
    note("at most %.1f MiB (%s: %s) and %.2f s of the processor, in %zu answers", (double)worst.memory / MIB,
         worst.call, worst.shape, worst.seconds, worst.answers);
}

/* ----------------------------------------------------------------------------------------------------- all of an inbox
 */

/* A page of a thousand messages that were never seen before, each with something of its own. */
static const struct page {
    const char *name;
    size_t text, values; /* of each message: bytes of its summary, values that nobody reads */
    size_t least, most;  /* messages that are gathered */
} pages[] = {
    {"small messages", 10, 0, 10000, 10000},
    {"large messages", 4000, 0, 2000, 3000},
    {"messages of many values", 10, 90, 1000, 2000},
};

static const struct page *page;
static size_t pages_served;

static void serve_page(bank *bank, const mtoken_testing_request *request, mtoken_testing_answer *answer)
{
    size_t length = strlen(request->url);
    (void)bank;
    if (length < sizeof INBOX_LIST || strcmp(request->url + length - sizeof INBOX_LIST + 1, INBOX_LIST) != 0) return;
    buffer body = {NULL, 0};
    char *summary = calloc(1, page->text + 1);
    memset(summary, 'x', page->text);
    buffer_add_text(&body, "{\"status\":\"OK\",\"responseObject\":[");
    for (size_t i = 0; i < 1000; i++) {
        char head[128];
        snprintf(head, sizeof head, "%s{\"id\":\"%zu\",\"subject\":\"\",\"timestampCreated\":1,\"summary\":\"",
                 i ? "," : "", pages_served * 1000 + i);
        buffer_add_text(&body, head);
        buffer_add_text(&body, summary);
        buffer_add_text(&body, "\",\"x\":[");
        for (size_t k = 0; k < page->values; k++) buffer_add_text(&body, k ? ",{}" : "{}");
        buffer_add_text(&body, "]}");
    }
    buffer_add_text(&body, "]}");
    free(summary);
    free((void *)(uintptr_t)answer->body.data);
    answer->body.data = body.data;
    answer->body.length = body.size;
    answer->status = 200;
    CHECK(body.size <= ANSWER);
    if (pages_served++ == 0) now.before = memory_bytes() - body.size;
    /* What the bank made is no matter: but what was reached before is. */
    if (pages_served == 1) memory_peak_starts();
}

static void whole_inbox(void)
{
    for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++) {
        mtoken_task *task = NULL;
        world world = world_open_active();
        page = &pages[i];
        pages_served = 0;
        world.bank->spoil = serve_page;
        CHECK_OK(mtoken_inbox_list_all(world.client, 1000, 0, 0, &task, NULL));
        CHECK_OK(bank_finish(world.bank, task));
        const mtoken_inbox_list *list = mtoken_task_inbox_list(task);
        if (CHECK(list) &&
            (!CHECK(list->count >= page->least && list->count <= page->most) || !CHECK_INT(list->may_have_more, 1)))
            note("%s: %zu messages", page->name, list->count);
        size_t memory = memory_peak() - now.before;
        CHECK(memory <= 2 * BOUND);
        note("%s: %zu, %.1f MiB", page->name, list ? list->count : 0, (double)memory / MIB);
        mtoken_task_free(task);
        /* A limit that is not reached, and one that is, are told apart. */
        pages_served = 0;
        CHECK_OK(mtoken_inbox_list_all(world.client, 1000, 500, 0, &task, NULL));
        CHECK_OK(bank_finish(world.bank, task));
        if (CHECK(mtoken_task_inbox_list(task))) {
            CHECK_INT(mtoken_task_inbox_list(task)->count, 500);
            CHECK_INT(mtoken_task_inbox_list(task)->may_have_more, 1);
        }
        mtoken_task_free(task);
        CHECK_OK(mtoken_inbox_list_page(world.client, 0, 1000, 0, &task, NULL));
        CHECK_OK(bank_finish(world.bank, task));
        if (CHECK(mtoken_task_inbox_list(task))) CHECK_INT(mtoken_task_inbox_list(task)->may_have_more, 0);
        mtoken_task_free(task);
        world.bank->spoil = NULL;
        world_close(&world);
    }
}

/* ---------------------------------------------------------------------------------------------------------------
 * issues */

static void issues(void)
{
    static const size_t counts[] = {0, 1, 99, 100, 101, 5000};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        mtoken_task *task = NULL;
        world world = world_open_active();
        for (size_t k = 0; k < counts[i]; k++)
            json_array_append_new(world.bank->operations, json_pack("{s:s, s:s}", "status", "PENDING", "id", "broken"));
        bank_operation(world.bank, "1", "A1");
        CHECK_OK(mtoken_operations_list(world.client, &task, NULL));
        CHECK_OK(bank_finish(world.bank, task));
        const mtoken_operation_list *list = mtoken_task_operations(task);
        if (CHECK(list)) {
            CHECK_INT(list->count, 1);
            CHECK_INT(list->skipped_count, counts[i]);
            CHECK_INT(list->issue_count, counts[i] < 100 ? counts[i] : 100);
            CHECK_INT(list->issue_count + list->further_issue_count, counts[i]);
            if (list->issue_count == 100) CHECK_TEXT(list->issues[99], "operation 99: name: missing");
        }
        mtoken_task_free(task);
        world_close(&world);
    }
}

int main(int argc, char **argv)
{
    static const test tests[] = {
        {"each answer", each_answer},
        {"inside the encryption", inside_the_encryption},
        {"a whole inbox", whole_inbox},
        {"issues", issues},
    };
    after_each = no_handles_left;
    return RUN(tests);
}
