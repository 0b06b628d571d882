/*
 * Operations that a server got wrong: each member of an operation, in each way. The operation is left out and reported,
 * or the member falls back; what stands beside it is not touched, in a list, a history, a detail and a claim. And lists
 * of any length.
 */
#include "world.h"

/* --------------------------------------------------------------------------------------------------- what is mutated
 */

#define SCREEN_REVIEW                                                                                                  \
    "{\"type\":\"REVIEW\",\"heading\":\"h\",\"message\":\"m\",\"payload\":{\"attributes\":[{\"type\":\"NOTE\",\"id\":" \
    "\"r\","                                                                                                           \
    "\"label\":\"L\",\"note\":\"n\"}]}}"
#define SCREEN_REDIRECT                                                                                                \
    "{\"type\":\"MERCHANT_REDIRECT\",\"heading\":\"h\",\"message\":\"m\",\"payload\":{\"redirectText\":\"t\","         \
    "\"redirectUrl\":"                                                                                                 \
    "\"https://x.example\",\"countdown\":5}}"
#define SCREEN_GENERIC "{\"type\":\"GENERIC\",\"heading\":\"h\",\"message\":\"m\",\"payload\":{\"any\":[1,2.50]}}"

/* An operation with everything that there is; %s: the screen after the approval. */
static const char whole[] =
    "{\"id\":\"m\",\"name\":\"authorize_payment\",\"data\":\"A1*A100CZK*Q238400856/0300\",\"status\":\"PENDING\","
    "\"statusReason\":\"WHY\",\"operationCreated\":\"2023-11-14T22:13:20+0000\",\"operationExpires\":\"2023-11-14T22:"
    "18:20Z\","
    "\"allowedSignatureType\":{\"type\":\"2FA\",\"variants\":[\"possession_knowledge\",\"possession_biometry\"]},"
    "\"formData\":{\"title\":\"Title\",\"message\":\"Message\",\"resultTexts\":{\"success\":\"S\",\"failure\":\"F\","
    "\"reject\":"
    "\"R\"},\"attributes\":["
    "{\"type\":\"AMOUNT\",\"id\":\"a\",\"label\":\"L\",\"amount\":100,\"currency\":\"CZK\",\"amountFormatted\":\"100,"
    "00\","
    "\"currencyFormatted\":\"Kc\",\"valueFormatted\":\"100,00 Kc\"},"
    "{\"type\":\"AMOUNT_CONVERSION\",\"id\":\"c\",\"label\":\"L\",\"dynamic\":true,\"sourceAmount\":1.5,"
    "\"sourceCurrency\":\"EUR\","
    "\"sourceAmountFormatted\":\"1,5\",\"sourceCurrencyFormatted\":\"EUR\",\"sourceValueFormatted\":\"1,5 "
    "EUR\",\"targetAmount\":100,"
    "\"targetCurrency\":\"CZK\",\"targetAmountFormatted\":\"100\",\"targetCurrencyFormatted\":\"Kc\","
    "\"targetValueFormatted\":"
    "\"100 Kc\"},"
    "{\"type\":\"KEY_VALUE\",\"id\":\"k\",\"label\":\"L\",\"value\":\"238400856/0300\"},"
    "{\"type\":\"NOTE\",\"id\":\"n\",\"label\":\"L\",\"note\":\"text\"},"
    "{\"type\":\"HEADING\",\"id\":\"h\",\"label\":\"L\",\"level\":2},"
    "{\"type\":\"PARTY_INFO\",\"id\":\"p\",\"label\":\"L\",\"partyInfo\":{\"logoUrl\":\"u\",\"name\":\"n\","
    "\"description\":\"d\","
    "\"websiteUrl\":\"w\"}},"
    "{\"type\":\"IMAGE\",\"id\":\"i\",\"label\":\"L\",\"thumbnailUrl\":\"t\",\"originalUrl\":\"o\"},"
    "{\"type\":\"ALERT\",\"id\":\"l\",\"label\":\"L\",\"alertType\":\"WARNING\",\"title\":\"t\",\"message\":\"m\"},"
    "{\"type\":\"FUTURE\",\"id\":\"f\",\"label\":\"L\",\"other\":[1]}]},"
    "\"ui\":{\"flipButtons\":true,\"blockApprovalOnCall\":false,"
    "\"preApprovalScreen\":{\"type\":\"WARNING\",\"heading\":\"h\",\"message\":\"m\",\"items\":[\"x\",\"y\"],"
    "\"approvalType\":"
    "\"SLIDER\"},"
    "\"preApprovalScreens\":[{\"id\":\"s\",\"type\":\"QR_SCAN\",\"backButton\":true,\"image\":\"p\",\"heading\":\"h\","
    "\"message\":"
    "\"m\",\"elements\":[{\"type\":\"LIST_ITEM\",\"id\":\"1\",\"text\":\"t\",\"icon\":\"i\",\"style\":\"INFO\"},{"
    "\"type\":\"BUTTON\","
    "\"id\":\"2\",\"text\":\"t\",\"action\":\"LINK\",\"actionSettings\":\"REJECT\",\"href\":\"u\"}],\"controls\":{"
    "\"flip\":true,"
    "\"axis\":\"VERTICAL\",\"decline\":{\"type\":\"BACK\",\"text\":\"b\"},\"approve\":{\"type\":\"SLIDER\",\"text\":"
    "\"a\","
    "\"counter\":3}}}],"
    "\"postApprovalScreen\":%s,"
    "\"templates\":{\"list\":{\"style\":\"s\",\"header\":\"${n}\",\"title\":\"${a}\",\"message\":\"${k}\",\"image\":"
    "\"i\"},"
    "\"detail\":{\"style\":\"s\",\"showTitleAndMessage\":true,\"sections\":[{\"style\":\"s\",\"title\":\"h\",\"cells\":"
    "[{\"name\":"
    "\"a\",\"style\":\"s\",\"visibleTitle\":true,\"canCopy\":true,\"collapsable\":\"YES\",\"centered\":false}]}]}}},"
    "\"playSound\":true}";

/* What is put in the place of a value. What cannot be read takes the whole operation with it. */
typedef struct mutation {
    const char *name;
    const char *text; /* JSON; NULL: see the name */
    bool is_text;     /* a text that may stand for any */
    bool is_instant;  /* could be a moment in time */
    bool is_null;
    bool is_unreadable;
} mutation;

enum { MISSING, DUPLICATED, DUPLICATED_NULL };

static char long_text[20003], deep_lists[400], many[3010];

static const mutation mutations[] = {
    {"missing", NULL, false, false, true, false},
    {"duplicated", NULL, false, false, false, true},
    {"duplicated, with null", NULL, false, false, false, true},
    {"null", "null", false, false, true, false},
    {"true", "true", false, false, false, false},
    {"false", "false", false, false, false, false},
    {"zero", "0", false, true, false, false},
    {"negative", "-1", false, true, false, false},
    {"fraction", "1.5", false, false, false, false},
    {"huge integer", "99999999999999999999999", false, false, false, false},
    {"beyond double", "1e400", false, false, true, false},
    {"empty text", "\"\"", true, false, false, false},
    {"text", "\"text\"", true, false, false, false},
    {"NUL", "\"a\\u0000b\"", false, false, false, false},
    {"emoji", "\"\\ud83d\\ude00\"", true, false, false, false},
    {"long text", long_text, true, false, false, false},
    {"empty list", "[]", false, false, false, false},
    {"list of one of each", "[null,true,1,1.5,\"x\",[],{}]", false, false, false, false},
    {"long list", many, false, false, false, false},
    {"empty object", "{}", false, false, false, false},
    {"object", "{\"type\":5,\"id\":[],\"title\":null,\"text\":true}", false, false, false, false},
    {"too deep", deep_lists, false, false, false, true},
    {"half an emoji", "\"\\ud83d\"", false, false, false, true},
    {"not UTF-8", "\"\xff\xfe\"", false, false, false, true},
};
enum { MUTATIONS = sizeof mutations / sizeof mutations[0] };

static void make_texts(void)
{
    memset(long_text, 'x', sizeof long_text - 1);
    long_text[0] = long_text[sizeof long_text - 2] = '"';
    memset(deep_lists, '[', 100);
    memset(deep_lists + 100, ']', 100);
    strcpy(many, "[");
    for (int i = 0; i < 1000; i++) memcpy(many + 1 + 3 * i, i < 999 ? "{}," : "{}]", 3);
}

/* Writes a value, and the mutation in the place of the one at `target`. */
static void write_json(buffer *out, const json_t *value, const char *path, const char *target, size_t mutation)
{
    const char *key;
    json_t *member;
    size_t index;
    char own[256];
    bool first = true;
    if (!json_is_object(value) && !json_is_array(value)) {
        char *text = json_dumps(value, JSON_ENCODE_ANY);
        buffer_add_text(out, text);
        free(text);
        return;
    }
    buffer_add_text(out, json_is_object(value) ? "{" : "[");
    if (json_is_object(value)) {
        json_object_foreach((json_t *)(uintptr_t)value, key, member)
        {
            snprintf(own, sizeof own, "%s/%s", path, key);
            bool here = target && strcmp(own, target) == 0;
            if (here && mutation == MISSING) continue;
            for (int copy = 0; copy < (here && mutation <= DUPLICATED_NULL ? 2 : 1); copy++) {
                if (!first) buffer_add_text(out, ",");
                first = false;
                buffer_add_text(out, "\"");
                buffer_add_text(out, key);
                buffer_add_text(out, "\":");
                if (here && mutations[mutation].text)
                    buffer_add_text(out, mutations[mutation].text);
                else if (copy == 1 && mutation == DUPLICATED_NULL)
                    buffer_add_text(out, "null");
                else
                    write_json(out, member, own, target, mutation);
            }
        }
    } else {
        json_array_foreach(value, index, member)
        {
            snprintf(own, sizeof own, "%s/%zu", path, index);
            bool here = target && strcmp(own, target) == 0;
            if (!first) buffer_add_text(out, ",");
            first = false;
            /* In a list "missing" is null, and a duplicate is nothing special. */
            if (here && (mutation == MISSING || mutations[mutation].text))
                buffer_add_text(out, mutation == MISSING ? "null" : mutations[mutation].text);
            else
                write_json(out, member, own, target, mutation);
        }
    }
    buffer_add_text(out, json_is_object(value) ? "}" : "]");
}

/* All paths in a value, one after another; `visit` may be called for what it holds too. */
static void each_path(const json_t *value, const char *path, void (*visit)(const char *path, void *context),
                      void *context)
{
    const char *key;
    json_t *member;
    size_t index;
    char own[256];
    if (json_is_object(value)) {
        json_object_foreach((json_t *)(uintptr_t)value, key, member)
        {
            snprintf(own, sizeof own, "%s/%s", path, key);
            visit(own, context);
            each_path(member, own, visit, context);
        }
    } else if (json_is_array(value)) {
        json_array_foreach(value, index, member)
        {
            snprintf(own, sizeof own, "%s/%zu", path, index);
            visit(own, context);
            each_path(member, own, visit, context);
        }
    }
}

static bool is_list_element(const char *path)
{
    const char *last = strrchr(path, '/') + 1;
    return *last >= '0' && *last <= '9';
}

/* Whether the operation can be shown and approved (operations.md §4). */
static bool is_usable(const char *path, size_t mutation)
{
    static const char *const texts[] = {"/id", "/name", "/data", "/allowedSignatureType/type", "/formData/title"};
    const struct mutation *m = &mutations[mutation];
    if (m->is_unreadable && !(is_list_element(path) && mutation <= DUPLICATED_NULL)) return false;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (strcmp(path, texts[i]) == 0) return m->is_text;
    if (strcmp(path, "/operationCreated") == 0 || strcmp(path, "/operationExpires") == 0) return m->is_instant;
    if (strcmp(path, "/allowedSignatureType") == 0 || strcmp(path, "/formData") == 0) return false;
    if (strcmp(path, "/formData/message") == 0) return m->is_text || m->is_null;
    return true;
}

/* ---------------------------------------------------------------------------------------------- reading all that is */

static void put(buffer *out, const char *name, const char *text)
{
    buffer_add_text(out, name);
    buffer_add_text(out, text ? "=" : " is not there");
    if (text) buffer_add_text(out, text);
    buffer_add_text(out, "\n");
}

static void put_number(buffer *out, const char *name, int64_t number)
{
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)number);
    put(out, name, text);
}

static void put_amount(buffer *out, const mtoken_amount *amount)
{
    if (!amount) return;
    put(out, "amount", amount->amount);
    put(out, "currency", amount->currency);
    CHECK(amount->amount_formatted && amount->currency_formatted);
    put(out, "amountFormatted", amount->amount_formatted);
    put(out, "currencyFormatted", amount->currency_formatted);
    put(out, "valueFormatted", amount->value_formatted);
}

static void put_attributes(buffer *out, const mtoken_attribute *const *attributes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const mtoken_attribute *a = attributes[i];
        CHECK(a->kind_text && a->id && a->label);
        CHECK((a->kind == MTOKEN_ATTRIBUTE_UNKNOWN) == (a->json != NULL));
        put(out, a->kind_text, a->id);
        put(out, "label", a->label);
        put_amount(out, a->amount);
        put_amount(out, a->target);
        put_number(out, "dynamic", a->is_dynamic);
        put(out, "value", a->value);
        put_number(out, "level", a->heading_level);
        if (a->party) {
            put(out, "logo", a->party->logo_url);
            put(out, "name", a->party->name);
            put(out, "description", a->party->description);
            put(out, "website", a->party->website_url);
        }
        put(out, "thumbnail", a->thumbnail_url);
        put(out, "original", a->original_url);
        put_number(out, "alert", a->alert_kind);
        put(out, "alert type", a->alert_kind_text);
        put(out, "alert title", a->alert_title);
        put(out, "alert message", a->alert_message);
        put(out, "json", a->json);
    }
}

/* How many things lie within an operation: attributes, screens, elements, items, sections and cells. */
static size_t things_in(const mtoken_operation *operation)
{
    size_t count = operation->attribute_count;
    const mtoken_operation_ui *ui = operation->ui;
    if (!ui) return count;
    for (size_t i = 0; i < ui->pre_approval_screen_count; i++) count += 1 + ui->pre_approval_screens[i]->element_count;
    if (ui->legacy_pre_approval_screen) count += 1 + ui->legacy_pre_approval_screen->item_count;
    if (ui->post_approval_screen) count += 1 + ui->post_approval_screen->attribute_count;
    for (size_t i = 0; ui->templates && i < ui->templates->section_count; i++)
        count += 1 + ui->templates->sections[i]->cell_count;
    return count;
}

/* All members of an operation as one text; reads every one of them. To be cleared. */
static buffer show(const mtoken_operation *operation)
{
    buffer out = {NULL, 0};
    CHECK(operation->id && operation->name && operation->operation_data && operation->title && operation->message &&
          operation->json);
    CHECK(strlen(operation->json) == operation->json_length);
    put(&out, "name", operation->name);
    put(&out, "data", operation->operation_data);
    put_number(&out, "status", operation->status);
    put(&out, "status text", operation->status_text);
    put(&out, "status reason", operation->status_reason);
    put_number(&out, "created", operation->created);
    put_number(&out, "expires", operation->expires);
    put_number(&out, "signature", operation->signature_type);
    put(&out, "signature text", operation->signature_type_text);
    put_number(&out, "variants", operation->variants);
    for (size_t i = 0; i < operation->unknown_variant_count; i++) put(&out, "variant", operation->unknown_variants[i]);
    put_number(&out, "biometry", operation->allows_biometry);
    put(&out, "title", operation->title);
    put(&out, "message", operation->message);
    put_attributes(&out, operation->attributes, operation->attribute_count);
    put(&out, "success", operation->result_success);
    put(&out, "failure", operation->result_failure);
    put(&out, "reject", operation->result_reject);
    put_number(&out, "contradictions", operation->contradictions);
    put_number(&out, "signed fields", operation->signed_fields ? (int64_t)operation->signed_fields->field_count : -1);
    const mtoken_operation_ui *ui = operation->ui;
    put_number(&out, "flip", ui ? ui->flip_buttons : -2);
    put_number(&out, "block", ui ? ui->block_approval_on_call : -2);
    for (size_t i = 0; ui && i < ui->pre_approval_screen_count; i++) {
        const mtoken_pre_approval_screen *screen = ui->pre_approval_screens[i];
        CHECK(screen->heading && screen->message);
        put(&out, "screen", screen->kind_text);
        put(&out, "id", screen->id);
        put(&out, "heading", screen->heading);
        put(&out, "message", screen->message);
        put_number(&out, "back", screen->back_button);
        put(&out, "image", screen->image);
        put_number(&out, "elements", screen->has_elements);
        for (size_t j = 0; j < screen->element_count; j++) {
            const mtoken_screen_element *element = screen->elements[j];
            put(&out, "element", element->kind_text);
            put(&out, "id", element->id);
            put(&out, "text", element->text);
            put(&out, "icon", element->icon);
            put(&out, "style", element->style);
            put(&out, "action", element->action);
            put(&out, "settings", element->action_settings);
            put(&out, "href", element->href);
        }
        if (screen->controls) {
            put_number(&out, "flip", screen->controls->flip);
            put(&out, "axis", screen->controls->axis);
            put(&out, "decline", screen->controls->decline_kind);
            put(&out, "decline text", screen->controls->decline_text);
            put(&out, "approve", screen->controls->approve_kind);
            put(&out, "approve text", screen->controls->approve_text);
            put_number(&out, "counter", screen->controls->approve_counter_s);
        }
    }
    if (ui && ui->legacy_pre_approval_screen) {
        const mtoken_legacy_screen *screen = ui->legacy_pre_approval_screen;
        CHECK(screen->heading && screen->message);
        put(&out, "legacy", screen->kind_text);
        put(&out, "heading", screen->heading);
        put(&out, "message", screen->message);
        for (size_t i = 0; i < screen->item_count; i++) put(&out, "item", screen->items[i]);
        put(&out, "approval", screen->approval_kind_text);
    }
    if (ui && ui->post_approval_screen) {
        const mtoken_post_approval_screen *screen = ui->post_approval_screen;
        put(&out, "after", screen->kind_text);
        put(&out, "heading", screen->heading);
        put(&out, "message", screen->message);
        put_attributes(&out, screen->attributes, screen->attribute_count);
        put(&out, "redirect", screen->redirect_text);
        put(&out, "url", screen->redirect_url);
        put_number(&out, "countdown", screen->countdown_s);
        put(&out, "payload", screen->payload);
    }
    mtoken_visual *visual = NULL;
    mtoken_error *error = NULL;
    if (CHECK_ERROR(mtoken_visual_new(operation, &visual, &error), MTOKEN_OK, error)) {
        put(&out, "list header", visual->list_header);
        put(&out, "list title", visual->list_title);
        put(&out, "list message", visual->list_message);
        put(&out, "list image", visual->list_image_url);
        put(&out, "list style", visual->list_style);
        put(&out, "detail style", visual->detail_style);
        size_t attributes = 0;
        for (size_t i = 0; i < visual->section_count; i++) {
            put(&out, "section", visual->sections[i]->style);
            put(&out, "section title", visual->sections[i]->title);
            attributes += visual->sections[i]->title != NULL; /* the label of one that is not shown again */
            for (size_t j = 0; j < visual->sections[i]->cell_count; j++) {
                const mtoken_visual_cell *cell = visual->sections[i]->cells[j];
                attributes += cell->attribute != NULL;
                put(&out, "cell", cell->text);
                put(&out, "cell style", cell->layout ? cell->layout->style : NULL);
                put(&out, "collapsable", cell->layout ? cell->layout->collapsable : NULL);
            }
        }
        CHECK(attributes >= operation->attribute_count); /* the layout loses none */
    }
    mtoken_visual_free(visual);
    mtoken_json_value *value = NULL;
    CHECK_OK(mtoken_json_find(operation->json, operation->json_length, "/id", 3, &value, NULL));
    CHECK_TEXT(value ? value->text : NULL, operation->id);
    mtoken_json_value_free(value);
    return out;
}

/* -------------------------------------------------------------------------------------------------------------- runs
 */

/* Replaces the answer of a path by a body. */
typedef struct reply {
    const char *path;
    const buffer *body;
} reply;

static void replace(bank *bank, const mtoken_testing_request *request, mtoken_testing_answer *answer)
{
    reply *reply = bank->context;
    if (!is_to(request, reply->path)) return;
    free((void *)(uintptr_t)answer->body.data);
    uint8_t *copy = malloc(reply->body->size + 1);
    memcpy(copy, reply->body->data, reply->body->size);
    answer->status = 200;
    answer->body.data = copy;
    answer->body.length = reply->body->size;
}

enum kind { LIST, HISTORY, DETAIL, CLAIM };

/* Makes the call with this answer; the task, ended. */
static mtoken_task *ask(world *world, enum kind kind, const buffer *body)
{
    static const char *const paths[] = {PATH_LIST, PATH_HISTORY, PATH_DETAIL, PATH_CLAIM};
    reply reply = {paths[kind], body};
    mtoken_task *task = NULL;
    world->bank->spoil = replace;
    world->bank->context = &reply;
    mtoken_status status = kind == LIST      ? mtoken_operations_list(world->client, &task, NULL)
                           : kind == HISTORY ? mtoken_operations_history(world->client, &world->pin, &task, NULL)
                           : kind == DETAIL  ? mtoken_operations_detail(world->client, "m", 1, &task, NULL)
                                             : mtoken_operations_claim(world->client, "m", 1, &task, NULL);
    CHECK_OK(status);
    bank_finish(world->bank, task);
    world->bank->spoil = NULL;
    return task;
}

typedef struct run {
    world *world;
    const json_t *operation;
    const char *reference;
    size_t things;
    size_t count, fraction;
} run;

/* Issues of the operation at a place of the reply. */
static size_t issues_of(const mtoken_operation_list *list, size_t place, bool *unreadable)
{
    char prefix[48];
    size_t count = 0;
    snprintf(prefix, sizeof prefix, "operation %zu: ", place);
    for (size_t i = 0; i < list->issue_count; i++)
        if (strncmp(list->issues[i], prefix, strlen(prefix)) == 0) {
            count++;
            *unreadable |= strstr(list->issues[i], "value: unreadable") != NULL;
        }
    return count;
}

/* All mutations of one member in one list, between two operations that are as they should be. */
static void mutate(const char *path, void *context)
{
    run *run = context;
    if (run->count++ % run->fraction != 0) return;
    bool good = true;
    buffer body = {NULL, 0};
    size_t usable = 0;
    buffer_add_text(&body, "{\"status\":\"OK\",\"currentTimestamp\":\"2023-11-14T22:13:20+0000\",\"responseObject\":[");
    write_json(&body, run->operation, "", NULL, 0);
    for (size_t m = 0; m < MUTATIONS; m++) {
        buffer_add_text(&body, ",\n");
        write_json(&body, run->operation, "", path, m);
        usable += is_usable(path, m);
    }
    buffer_add_text(&body, ",");
    write_json(&body, run->operation, "", NULL, 0);
    buffer_add_text(&body, "]}");
    for (enum kind kind = LIST; kind <= HISTORY; kind++) {
        mtoken_task *task = ask(run->world, kind, &body);
        good &= CHECK_STATUS(mtoken_task_result(task), MTOKEN_OK);
        const mtoken_operation_list *list = mtoken_task_operations(task);
        if (!CHECK(list)) {
            mtoken_task_free(task);
            continue;
        }
        good &= CHECK_INT(list->skipped_count, MUTATIONS - usable);
        good &= CHECK_INT(list->count, usable + 2);
        good &= CHECK_INT(list->server_time, 1700000000000);
        for (size_t i = 0; i < list->count; i++) {
            buffer shown = show(list->operations[i]);
            if (i == 0 || i == list->count - 1) good &= CHECK_TEXT((const char *)shown.data, run->reference);
            buffer_clear(&shown);
        }
        size_t place = 1;
        for (size_t m = 0; m < MUTATIONS; m++) {
            bool unreadable = false, same = true;
            size_t issues = issues_of(list, m + 1, &unreadable), things = 0;
            if (is_usable(path, m)) {
                if (place + 1 >= list->count) break;
                things = things_in(list->operations[place++]);
                same = things < run->things ? CHECK(issues > 0 || mutations[m].is_null || strstr(path, "/ui") != NULL ||
                                                    strcmp(path, "/formData/attributes") == 0)
                                            : true;
                same &= CHECK(!unreadable);
            } else {
                same = CHECK_INT(issues, 1); /* just that it was left out */
                same &= CHECK(unreadable == (mutations[m].is_unreadable));
            }
            if (!same) note("%s: %s", path, mutations[m].name);
            good &= same;
        }
        for (size_t i = 0; i < list->issue_count; i++) {
            good &=
                CHECK(!strstr(list->issues[i], "text") || strstr(list->issues[i], "Text")); /* no text of the reply */
            good &= CHECK(strlen(list->issues[i]) < 100);
        }
        mtoken_task_free(task);
    }
    buffer_clear(&body);
    if (!good) note("%s", path);
}

/* The same member, alone in a detail and a claim. */
static void mutate_alone(const char *path, void *context)
{
    run *run = context;
    if (run->count++ % run->fraction != 0) return;
    for (size_t m = 0; m < MUTATIONS; m++) {
        enum kind kind = m % 2 ? DETAIL : CLAIM;
        bool usable = is_usable(path, m), good = true;
        buffer body = {NULL, 0};
        buffer_add_text(&body, "{\"status\":\"OK\",\"responseObject\":");
        write_json(&body, run->operation, "", path, m);
        buffer_add_text(&body, "}");
        size_t known = world_known(run->world);
        mtoken_task *task = ask(run->world, kind, &body);
        good &= CHECK_STATUS(mtoken_task_result(task), usable ? MTOKEN_OK : MTOKEN_ERROR_PROTOCOL);
        good &= CHECK((mtoken_task_operation(task) != NULL) == usable);
        if (mtoken_task_operation(task)) {
            buffer shown = show(mtoken_task_operation(task));
            buffer_clear(&shown);
        }
        if (kind == DETAIL || !usable) good &= CHECK_INT(world_known(run->world), known);
        mtoken_task_free(task);
        buffer_clear(&body);
        if (!good) note("%s alone: %s", path, mutations[m].name);
    }
}

static void each_member_in_each_way(void)
{
    static const char *const screens[] = {SCREEN_REVIEW, SCREEN_REDIRECT, SCREEN_GENERIC};
    make_texts();
    for (size_t s = 0; s < 3; s++) {
        char text[8192];
        world world = world_open_active();
        snprintf(text, sizeof text, whole, screens[s]);
        json_t *operation = json_loads(text, 0, NULL);
        buffer body = {NULL, 0};
        buffer_add_text(&body, "{\"status\":\"OK\",\"responseObject\":[");
        write_json(&body, operation, "", NULL, 0);
        buffer_add_text(&body, "]}");
        mtoken_task *task = ask(&world, LIST, &body);
        const mtoken_operation_list *list = mtoken_task_operations(task);
        if (CHECK(operation && list && list->count == 1 && list->issue_count == 0)) {
            buffer reference = show(list->operations[0]);
            CHECK_INT(list->operations[0]->contradictions, 0);
            run run = {&world,
                       operation,
                       (const char *)reference.data,
                       things_in(list->operations[0]),
                       0,
                       under_valgrind() ? 17 : 1};
            /* The rest of the operation is mutated once. */
            each_path(s == 0 ? operation : json_object_get(json_object_get(operation, "ui"), "postApprovalScreen"),
                      s == 0 ? "" : "/ui/postApprovalScreen", mutate, &run);
            size_t members = run.count;
            if (s == 0) each_path(operation, "", mutate_alone, &run);
            note("%zu members, %d ways", members, (int)MUTATIONS);
            buffer_clear(&reference);
        }
        mtoken_task_free(task);
        buffer_clear(&body);
        json_decref(operation);
        CHECK(world_signs(&world, &world.pin));
        world_close(&world);
    }
}

/* What cannot be read is left out wherever it stands; what is broken outside of the operations makes the reply no
 * reply. */
static void only_operations_are_forgiven(void)
{
    static const char *const replies[] = {
        "{\"status\":\"OK\",\"status\":\"OK\",\"responseObject\":[%s]}",
        "{\"status\":\"OK\",\"responseObject\":[%s],\"responseObject\":[]}",
        "{\"status\":\"OK\",\"responseObject\":[%s],\"x\":{\"a\":1,\"a\":2}}",
        "{\"status\":\"OK\",\"responseObject\":[%s],\"x\":\"\\ud800\"}",
        "{\"status\":\"OK\",\"responseObject\":[%s",
        "{\"status\":\"OK\",\"responseObject\":[%s}",
        "{\"status\":\"OK\",\"responseObject\":[%s]}]",
        "{\"status\":\"OK\",\"responseObject\":[%s,]}",
        "{\"status\":\"OK\",\"responseObject\":[{\"id\":\"x]},%s]}",
        "{\"status\":\"OK\",\"responseObject\":{\"a\":1,\"a\":%s}}",
    };
    world world = world_open_active();
    char *operation = json_dumps(bank_operation(world.bank, "1", "A1"), JSON_COMPACT);
    mtoken_operations_info *known = NULL;
    for (size_t i = 0; i < sizeof replies / sizeof replies[0]; i++) {
        char text[4096];
        snprintf(text, sizeof text, replies[i], operation);
        buffer body = {(uint8_t *)text, strlen(text)};
        mtoken_task *task = ask(&world, LIST, &body);
        if (!CHECK_STATUS(mtoken_task_result(task), MTOKEN_ERROR_PROTOCOL)) note("%s", replies[i]);
        CHECK(!mtoken_task_operations(task));
        mtoken_task_free(task);
    }
    CHECK_OK(mtoken_operations_get_info(world.client, &known, NULL));
    CHECK(known->count == 0 && known->last_fetch == MTOKEN_FETCH_FAILED && known->last_error);
    mtoken_operations_info_free(known);
    free(operation);
    world_close(&world);
}

/* ------------------------------------------------------------------------------------------------------ lists of any
 * size */

/* A reply with so many operations, from `first` on; each seventh one is broken if `broken`. */
static buffer list_reply(size_t first, size_t count, bool reversed, const char *name, bool broken)
{
    buffer body = {NULL, 0};
    buffer_add_text(&body, "{\"status\":\"OK\",\"responseObject\":[");
    for (size_t i = 0; i < count; i++) {
        char text[512];
        size_t id = reversed ? first + count - 1 - i : first + i;
        snprintf(text, sizeof text,
                 "%s{\"id\":%s%zu\",\"name\":\"%s\",\"data\":\"A2\",\"operationCreated\":\"2023-11-14T22:13:20Z\","
                 "\"operationExpires\":\"2023-11-14T22:18:20Z\",\"allowedSignatureType\":{\"type\":\"1FA\"},"
                 "\"formData\":{\"title\":\"T\"}%s}",
                 i ? "," : "", "\"", id, name, broken && i % 7 == 3 ? ",\"id\":1" : "");
        buffer_add_text(&body, text);
    }
    buffer_add_text(&body, "]}");
    return body;
}

static void check_change(world *world, size_t count, size_t added, size_t removed, size_t updated, const char *first)
{
    mtoken_event *event = NULL;
    int changes = 0;
    while (mtoken_runtime_next_event(world->runtime, 0, &event, NULL) == MTOKEN_OK) {
        const mtoken_operations_change *change = event->change;
        if (change) {
            changes++;
            CHECK_INT(change->count, count);
            CHECK_INT(change->added_count, added);
            CHECK_INT(change->removed_count, removed);
            CHECK_INT(change->updated_count, updated);
            if (change->count > 0) CHECK_TEXT(change->operations[0]->id, first);
            for (size_t i = 0; i < change->added_count; i++) CHECK(change->added[i]->id && change->added[i]->title);
        }
        mtoken_event_free(event);
    }
    CHECK_INT(changes, 1);
}

static void lists_of_any_length(void)
{
    static const size_t lengths[] = {0, 1, 2, 100, 9000};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        size_t count = under_valgrind() && lengths[i] > 1000 ? 1000 : lengths[i], broken = (count + 3) / 7;
        world world = world_open_events(MTOKEN_EVENT_MASK_OPERATIONS, MTOKEN_LOG_OFF);
        char last[24];
        CHECK_OK(bank_activate(world.bank, world.client, PIN, NULL));
        snprintf(last, sizeof last, "%zu", count);
        buffer body = list_reply(0, count, false, "login", false);
        for (enum kind kind = LIST; kind <= HISTORY; kind++) {
            mtoken_task *task = ask(&world, kind, &body);
            const mtoken_operation_list *list = mtoken_task_operations(task);
            if (CHECK(list) && CHECK_INT(list->count, count))
                for (size_t n = 0; n < count; n++) {
                    char id[24];
                    snprintf(id, sizeof id, "%zu", n);
                    if (!CHECK_TEXT(list->operations[n]->id, id)) break;
                }
            mtoken_task_free(task);
            CHECK_INT(world_known(&world), count);
        }
        check_change(&world, count, count, 0, 0, "0"); /* the history changes nothing */
        buffer_clear(&body);

        body = list_reply(1, count, true, "login", false); /* without the first, with one more, turned round */
        mtoken_task_free(ask(&world, LIST, &body));
        check_change(&world, count, count > 0, count > 0, 0, last);
        buffer_clear(&body);

        body = list_reply(1, count, true, "payment", false); /* other contents */
        mtoken_task_free(ask(&world, LIST, &body));
        check_change(&world, count, 0, 0, count, last);
        mtoken_task_free(ask(&world, LIST, &body));
        check_change(&world, count, 0, 0, 0, last); /* told also without a difference */
        buffer_clear(&body);

        body = list_reply(1, count, true, "payment", true); /* each seventh one broken */
        mtoken_task *task = ask(&world, LIST, &body);
        const mtoken_operation_list *list = mtoken_task_operations(task);
        if (CHECK(list)) {
            CHECK_INT(list->count, count - broken);
            CHECK_INT(list->skipped_count, broken);
            CHECK_INT(list->issue_count, broken < 100 ? broken : 100);
            CHECK_INT(list->issue_count + list->further_issue_count, broken);
        }
        mtoken_task_free(task);
        check_change(&world, count - broken, 0, broken, 0, last);
        buffer_clear(&body);

        body = list_reply(0, 0, false, "", false);
        mtoken_task_free(ask(&world, LIST, &body));
        check_change(&world, 0, 0, count - broken, 0, "");
        buffer_clear(&body);
        world_close(&world);
    }
}

/* An operation nearly as large as an answer may be: shown, laid out, searched and approved like any other. */
static void huge_operation_is_an_operation(void)
{
    world world = world_open_active();
    size_t size = under_valgrind() ? 300000 : 3000000;
    char *value = malloc(size + 1);
    memset(value, 'v', size);
    value[size] = '\0';
    json_t *operation = bank_operation(world.bank, "m", "A1");
    json_object_set_new(operation, "bankAdded", json_pack("{s:s, s:b}", "value", value, "playSound", 1));
    bank_operation(world.bank, "other", "A1");
    mtoken_task *task = NULL, *approval = NULL;
    CHECK_OK(mtoken_operations_list(world.client, &task, NULL));
    CHECK_OK(bank_finish(world.bank, task));
    const mtoken_operation_list *list = mtoken_task_operations(task);
    if (CHECK(list && list->count == 2)) {
        const mtoken_operation *huge = list->operations[0];
        mtoken_json_value *found = NULL;
        buffer shown = show(huge);
        buffer_clear(&shown);
        CHECK_OK(mtoken_json_find(huge->json, huge->json_length, "/bankAdded/playSound", MTOKEN_NUL_TERMINATED, &found,
                                  NULL));
        CHECK(found && found->kind == MTOKEN_JSON_BOOLEAN && found->is_true == 1);
        mtoken_json_value_free(found);
        CHECK_OK(mtoken_json_find(huge->json, MTOKEN_NUL_TERMINATED, "/bankAdded/value", MTOKEN_NUL_TERMINATED, &found,
                                  NULL));
        CHECK(found && found->text && strlen(found->text) == size && found->json_length == size + 2);
        mtoken_json_value_free(found);
        CHECK_OK(mtoken_operations_authorize(world.client, huge, &world.pin, NULL, &approval, NULL));
        CHECK_OK(bank_finish_free(world.bank, approval));
        CHECK_TEXT(bank_operation_status(world.bank, "m"), "APPROVED");
    }
    mtoken_task_free(task);
    free(value);
    world_close(&world);
}

static const test tests[] = {
    {"each member in each way", each_member_in_each_way},
    {"only operations are forgiven", only_operations_are_forgiven},
    {"lists of any length", lists_of_any_length},
    {"a huge operation is an operation", huge_operation_is_an_operation},
};

int main(int argc, char **argv)
{
    after_each = no_handles_left;
    return RUN(tests);
}
