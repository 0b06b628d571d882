/*
 * Every function with one thing wrong in an otherwise well-formed call: each must end with a status that has a name,
 * its details exactly if it failed and they were asked for, nothing given out by a call that failed, and no handle,
 * thread or descriptor left.
 */
#define _GNU_SOURCE
#include "misuse.h"

#include "harness.h"
#include "things.h"

#include <dirent.h>
#include <limits.h>
#include <signal.h>
#include <sys/mman.h>
#include <testing/mtoken_testing.h>
#include <unistd.h>

enum { LARGEST = 4096 /* how much longer an option struct may be */, REPORTED = 300 };

/* ---------------------------------------------------------------------------------------------------- what is being
 * tried */

static char trying[512]; /* function, part, value; said when a try ends the program */
static long tries;

static void ended(int number)
{
    strcat(trying, "\n");
    ssize_t done = write(2, trying, strlen(trying));
    (void)done;
    signal(number, SIG_DFL);
    raise(number);
}

/* Called by the address sanitizer. */
void __asan_on_error(void);
void __asan_on_error(void) { fprintf(stderr, "%s\n", trying); }

static int reported;

static bool expect(bool holds, const char *what)
{
    if (holds) return true;
    if (reported++ < REPORTED) check_that(false, what, trying, (int)tries);
    return false;
}

/* ------------------------------------------------------------------------------------------------------ memory of a
 * call */

static void *blocks[256];
static size_t block_count;

/* Memory of exactly this size, until the call is over. */
static void *block(size_t size)
{
    void *made = calloc(1, size ? size : 1);
    if (!made || block_count == sizeof blocks / sizeof *blocks) abort();
    return blocks[block_count++] = made;
}

static void forget_blocks(void)
{
    while (block_count > 0) free(blocks[--block_count]);
}

static void *copy(const void *data, size_t size)
{
    void *made = block(size);
    if (size > 0) memcpy(made, data, size);
    return made;
}

/* The same where memory ends: what reads further is killed. One at a time. */
static void *at_the_end(size_t size)
{
    enum { ROOM = 1 << 16 };
    static char *end;
    if (!end) {
        end = mmap(NULL, 2 * ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (end == MAP_FAILED || mprotect(end + ROOM, ROOM, PROT_NONE) != 0) abort();
        end += ROOM;
    }
    return memset(end - size, 0, size);
}

static char *filled(size_t size)
{
    char *made = block(size);
    memset(made, 'x', size);
    return made;
}

/* ------------------------------------------------------------------------------------------------------ a well-formed
 * call */

/* A place of a call that can be wrong. */
typedef struct site {
    const part *part;
    const layout *layout; /* of the struct that it is in */
    char *at;
    char *other;   /* its length or count */
    char **holder; /* the pointer to the struct that it is in; NULL: that is no option struct of its own */
    void **slot;   /* of a ROLE_OUT */
    char label[160];
} site;

static site sites[256];
static size_t site_count;

static void put_pointer(char *at, const void *value) { memcpy(at, &value, sizeof value); }
static void put_size(char *at, size_t value) { memcpy(at, &value, sizeof value); }

static void put_number(char *at, size_t width, int64_t value)
{
    int32_t narrow = (int32_t)value;
    memcpy(at, width == 4 ? (const void *)&narrow : (const void *)&value, width == 4 ? 4 : 8);
}

static const char *good_text(const part *part, size_t *length)
{
    *length = part->length;
    return part->text && part->text[0] == '$' ? known_text(part->text, length) : part->text;
}

static void build(const layout *layout, char *at, char **holder, const char *label);

/* A well-formed struct, in memory of its own size. */
static char *build_struct(const layout *layout, char **holder, const char *label)
{
    const void *given = sample(layout->name);
    char *made = given ? copy(given, layout->size) : block(layout->size);
    *holder = made;
    build(layout, made, holder, label);
    return made;
}

static void build_part(const layout *layout, const part *part, char *at, char **holder, const char *label)
{
    if (site_count == sizeof sites / sizeof *sites) abort();
    site *site = &sites[site_count++];
    memset(site, 0, sizeof *site);
    site->part = part;
    site->layout = layout;
    site->at = at + part->offset;
    site->other = at + part->other;
    site->holder = holder;
    snprintf(site->label, sizeof site->label, "%s%s%s", label, *label ? "." : "", part->name);
    char inner[160];
    memcpy(inner, site->label, sizeof inner);
    size_t length = 0;
    switch (part->role) {
    case ROLE_HANDLE:
        if (part->number) put_pointer(site->at, thing(part->index));
        break;
    case ROLE_TEXT:
    case ROLE_BYTES: {
        const char *text = good_text(part, &length);
        if (text) {
            put_pointer(site->at, copy(text, length));
            put_size(site->other, length);
        }
        break;
    }
    case ROLE_STRING: put_pointer(site->at, strcpy(block(2), "x")); break;
    case ROLE_OPTIONS: {
        char *made = NULL;
        if (!part->number) break;
        build_struct(&structs[part->index], &made, inner);
        put_pointer(site->at, made);
        /* The holder is the place itself, so that the struct can be moved. */
        for (size_t i = 0; i < site_count; i++)
            if (sites[i].holder == &made) sites[i].holder = (char **)(void *)site->at;
        break;
    }
    case ROLE_ARRAY: {
        if (!part->number) break;
        char *made = block(structs[part->index].size);
        build(&structs[part->index], made, NULL, inner);
        put_pointer(site->at, made);
        put_size(site->other, 1);
        break;
    }
    case ROLE_FIXED: build(&structs[part->index], site->at, NULL, inner); break;
    case ROLE_STRUCT:
        if (part->type) put_pointer(site->at, made_struct(part->type));
        break;
    case ROLE_NUMBER: put_number(site->at, part->width, part->number); break;
    case ROLE_STRUCT_SIZE: put_size(site->at, layout->size); break;
    case ROLE_OUT:
    case ROLE_OUT_NUMBER:
    case ROLE_ERROR:
        site->slot = block(sizeof(void *));
        put_pointer((char *)site->slot, (void *)(uintptr_t)0x7777777777777777);
        put_pointer(site->at, site->slot);
        break;
    default: break;
    }
}

static void build(const layout *layout, char *at, char **holder, const char *label)
{
    for (size_t i = 0; i < layout->count; i++) build_part(layout, &layout->parts[i], at, holder, label);
}

/* ------------------------------------------------------------------------------------------------------ what can be
 * wrong */

typedef enum verdict {
    ANY,          /* any status that has a name */
    AS_GOOD,      /* that of the well-formed call */
    NOT_ARGUMENT, /* whatever, but nothing is wrong with the arguments */
    NOT_OK,
    IS_ARGUMENT,
    IS_HANDLE,
} verdict;

typedef struct deviation {
    char name[96];
    verdict verdict;
    bool is_handle; /* of the function's object */
    size_t cut; /* an option struct ends here, as in an older program: the rest is as if it were zero; 0: it does not */
} deviation;

#define SAY(...) snprintf(deviation->name, sizeof deviation->name, __VA_ARGS__)

static bool wrong_handle(const site *site, size_t number, deviation *deviation)
{
    static int on_stack_like;
    int on_stack = 0;
    void *value = NULL;
    deviation->verdict = IS_HANDLE;
    deviation->is_handle = true;
    size_t kind = site->part->index;
    switch (number) {
    case 0:
        SAY("NULL");
        deviation->verdict = site->part->nullable ? ANY : IS_HANDLE;
        break;
    case 1: SAY("1"), value = (void *)1; break;
    case 2: SAY("~0"), value = (void *)~(uintptr_t)0; break;
    case 3: SAY("the stack"), value = &on_stack; break;
    case 4: SAY("the heap"), value = block(64); break;
    case 5: SAY("static memory"), value = &on_stack_like; break;
    case 6: SAY("2^52"), value = (void *)((uintptr_t)1 << 52); break;
    case 7: SAY("2^53"), value = (void *)((uintptr_t)1 << 53); break;
    case 8: SAY("a freed one"), value = freed_thing(kind); break;
    case 9: SAY("one bit changed"), value = (void *)((uintptr_t)thing(kind) ^ (uintptr_t)1 << 51); break;
    default: {
        size_t other = (number - 10) / 2;
        if (other >= kind_count) return false;
        bool live = (number - 10) % 2 == 0;
        if (other == kind) return SAY("a freed one again"), put_pointer(site->at, freed_thing(kind)), true;
        SAY("a %s %s", live ? "live" : "freed", kinds[other].name);
        value = live ? foreign_thing(other) : freed_thing(other);
    }
    }
    put_pointer(site->at, value);
    return true;
}

static bool wrong_text(const site *site, size_t number, deviation *deviation)
{
    static const size_t lengths[] = {4097, 65537, ((size_t)1 << 20) + 1};
    bool is_text = site->part->role == ROLE_TEXT;
    size_t length = 0;
    const char *good = good_text(site->part, &length);
    if (!good) {
        good = "x";
        length = 1;
    }
    const void *data = copy(good, length);
    switch (number) {
    case 0: SAY("NULL, 0"), data = NULL, length = 0; break;
    case 1: SAY("NULL, 1"), data = NULL, length = 1, deviation->verdict = IS_ARGUMENT; break;
    case 2:
        SAY("NULL, SIZE_MAX"), data = NULL, length = SIZE_MAX, deviation->verdict = is_text ? ANY : IS_ARGUMENT;
        break;
    case 3: SAY("\"\", 0"), length = 0; break;
    case 4: SAY("no address, 0"), data = (void *)8, length = 0; break;
    case 5: SAY("SIZE_MAX / 2"), length = SIZE_MAX / 2, deviation->verdict = NOT_OK; break;
    case 6: SAY("SIZE_MAX / 2 + 1"), length = SIZE_MAX / 2 + 1, deviation->verdict = NOT_OK; break;
    case 7: SAY("SIZE_MAX - 1"), length = SIZE_MAX - 1, deviation->verdict = NOT_OK; break;
    case 8:
        if (is_text) {
            SAY("ended by its NUL");
            char *ended = block(length + 1);
            memcpy(ended, data, length);
            data = ended;
            deviation->verdict = AS_GOOD;
            if (!site->part->text) deviation->verdict = ANY;
        } else {
            SAY("SIZE_MAX");
            deviation->verdict = NOT_OK;
        }
        length = SIZE_MAX;
        break;
    case 9:
    case 10:
    case 11: length = lengths[number - 9], SAY("%zu bytes", length), data = filled(length); break;
    case 12: SAY("\\xff"), data = copy("\xff", length = 1), deviation->verdict = is_text ? IS_ARGUMENT : ANY; break;
    case 13:
        SAY("cut off"), data = copy("x\xf0\x9f\x92", length = 4), deviation->verdict = is_text ? IS_ARGUMENT : ANY;
        break;
    case 14:
        SAY("a surrogate"), data = copy("\xed\xa0\x80", length = 3), deviation->verdict = is_text ? IS_ARGUMENT : ANY;
        break;
    case 15:
        SAY("a NUL inside"), data = copy("a\0b", length = 3), deviation->verdict = is_text ? IS_ARGUMENT : ANY;
        break;
    case 16: SAY("one byte"), data = copy("x", length = 1); break;
    case 17: SAY("CR, LF"), data = copy("\r\n", length = 2); break;
    case 18: SAY("one byte less"), length -= length > 0; break;
    case 19: SAY("4096 bytes"), data = filled(length = 4096); break;
    case 20: SAY("65536 zeros"), data = block(length = 65536), deviation->verdict = is_text ? NOT_OK : ANY; break;
    case 21: SAY("braces"), data = memset(filled(length = 4096), '{', 4096); break;
    default: return false;
    }
    put_pointer(site->at, data);
    put_size(site->other, length);
    return true;
}

static bool wrong_string(const site *site, size_t number, deviation *deviation)
{
    const char *value = NULL;
    switch (number) {
    case 0: SAY("NULL"), deviation->verdict = NOT_OK; break;
    case 1: SAY("\"\""), value = copy("", 1); break;
    case 2: SAY("\\xff"), value = copy("\xff", 2), deviation->verdict = IS_ARGUMENT; break;
    case 3: SAY("cut off"), value = copy("\xf0\x9f\x92", 4), deviation->verdict = IS_ARGUMENT; break;
    case 4: {
        char *large = filled(((size_t)1 << 20) + 2);
        large[((size_t)1 << 20) + 1] = 0;
        SAY("1 MiB");
        value = large;
        break;
    }
    default: return false;
    }
    put_pointer(site->at, value);
    return true;
}

static bool wrong_pointer(const site *site, size_t number, deviation *deviation)
{
    if (number > 0) return false;
    SAY("NULL");
    role role = site->part->role;
    if (role == ROLE_OPTIONS && !site->part->nullable) deviation->verdict = IS_ARGUMENT;
    if ((role == ROLE_OUT || role == ROLE_OUT_NUMBER) && !site->part->nullable) deviation->verdict = IS_ARGUMENT;
    if (role == ROLE_ERROR) deviation->verdict = AS_GOOD;
    put_pointer(site->at, NULL);
    return true;
}

static bool is_end(const layout *layout, size_t size)
{
    const size_t *end = layout->ends;
    while (*end && *end != size) end++;
    return *end != 0;
}

/* Programs of every age: the struct ends at each of its bytes, which is where a member ends or no version did; then
 * beyond. */
static bool wrong_size(const site *site, size_t number, deviation *deviation)
{
    size_t size = site->layout->size;
    const struct {
        size_t size;
        bool tail;
    } larger[] = {{size + 1, false},
                  {size + 1, true},
                  {size + 8, false},
                  {size + 8, true},
                  {size + LARGEST, false},
                  {size + LARGEST, true},
                  {size + LARGEST + 1, false},
                  {SIZE_MAX / 2, false},
                  {SIZE_MAX / 2 + 1, false},
                  {SIZE_MAX - 7, false},
                  {SIZE_MAX, false}};
    if (number > size + sizeof larger / sizeof *larger) return false;
    size_t chosen = number <= size ? number : larger[number - size - 1].size;
    bool tail = number > size && larger[number - size - 1].tail;
    SAY("%zu%s", chosen, tail ? ", with something behind" : "");
    size_t real = chosen < 8 ? 8 : chosen > size + LARGEST + 1 ? size : chosen;
    char *moved = at_the_end(real);
    memcpy(moved, *site->holder, real < size ? real : size);
    if (tail) moved[real - 1] = 1;
    put_size(moved, chosen);
    *site->holder = moved;
    bool accepted = chosen <= size ? is_end(site->layout, chosen) : chosen <= size + LARGEST && !tail;
    deviation->verdict = accepted ? AS_GOOD : IS_ARGUMENT;
    deviation->cut = accepted && chosen < size ? chosen : 0;
    return true;
}

static bool wrong_array(const site *site, size_t number, deviation *deviation)
{
    size_t size = structs[site->part->index].size, count = 1;
    char *elements;
    memcpy(&elements, site->at, sizeof elements);
    if (!elements) elements = block(size);
    switch (number) {
    case 0: SAY("NULL, 0"), elements = NULL, count = 0; break;
    case 1: SAY("NULL, 1"), elements = NULL, deviation->verdict = IS_ARGUMENT; break;
    case 2: SAY("NULL, SIZE_MAX"), elements = NULL, count = SIZE_MAX, deviation->verdict = IS_ARGUMENT; break;
    case 3: SAY("an array of none"), count = 0; break;
    case 4: SAY("no address, 0"), elements = (char *)8, count = 0; break;
    case 5: SAY("SIZE_MAX elements"), count = SIZE_MAX, deviation->verdict = IS_ARGUMENT; break;
    case 6: SAY("SIZE_MAX / 2 elements"), count = SIZE_MAX / 2, deviation->verdict = IS_ARGUMENT; break;
    case 7: SAY("SIZE_MAX / size + 1 elements"), count = SIZE_MAX / size + 1, deviation->verdict = IS_ARGUMENT; break;
    case 8:
    case 9:
    case 10: {
        static const size_t counts[] = {5, 65, 1025};
        char *more = block(size * (count = counts[number - 8]));
        SAY("%zu elements", count);
        for (size_t i = 0; i < count; i++) memcpy(more + i * size, elements, size);
        elements = more;
        break;
    }
    case 11: SAY("65 elements of zeros"), elements = block(size * (count = 65)); break;
    default: return false;
    }
    put_pointer(site->at, elements);
    put_size(site->other, count);
    return true;
}

static bool wrong_number(const site *site, size_t number, deviation *deviation)
{
    static const int64_t narrow[] = {
        INT32_MIN, INT32_MIN + 1, -1000,         -2,       -1, 0, 1, 2, 3, 7, 64, 65, 100, 101, 1025,
        65536,     16777217,      INT32_MAX - 1, INT32_MAX};
    static const int64_t wide[] = {INT64_MIN,
                                   INT64_MIN + 1,
                                   (int64_t)INT32_MIN - 1,
                                   INT32_MIN,
                                   -2,
                                   0,
                                   1,
                                   -1,
                                   2,
                                   INT32_MAX,
                                   (int64_t)INT32_MAX + 1,
                                   UINT32_MAX,
                                   (int64_t)UINT32_MAX + 1,
                                   1048577,
                                   253402300799999,
                                   253402300800000,
                                   INT64_MAX / 1000,
                                   INT64_MAX / 1000 + 1,
                                   INT64_MAX - 1,
                                   INT64_MAX};
    static const int64_t brief[] = {INT64_MIN, INT64_MIN + 1, -1000, -2, 0, 1};
    const part *part = site->part;
    int64_t value;
    if (number < 2 * part->value_count) { /* each value, and the one behind it */
        value = part->values[number / 2] + (int64_t)(number % 2);
        SAY("%lld", (long long)value);
        put_number(site->at, part->width, value);
        return true;
    }
    number -= 2 * part->value_count;
    const int64_t *values = part->bounded ? brief : part->width == 4 ? narrow : wide;
    size_t count = part->bounded      ? sizeof brief / sizeof *brief
                   : part->width == 4 ? sizeof narrow / sizeof *narrow
                                      : sizeof wide / sizeof *wide;
    if (number >= count) return false;
    value = values[number];
    if (part->is_unsigned)
        SAY("%llu", (unsigned long long)value);
    else
        SAY("%lld", (long long)value);
    bool is_enum = part->value_count > 0 && !part->is_flags;
    bool known = false;
    for (size_t i = 0; i < part->value_count; i++) known |= part->values[i] == value;
    if (is_enum && !known && value != 0) deviation->verdict = IS_ARGUMENT;
    put_number(site->at, part->width, value);
    return true;
}

static bool wrong_reserved(const site *site, size_t number, deviation *deviation)
{
    static const int64_t values[] = {1, -1, INT32_MAX, INT32_MIN};
    if (number >= sizeof values / sizeof *values) return false;
    SAY("%lld", (long long)values[number]);
    deviation->verdict = IS_ARGUMENT;
    put_number(site->at, site->part->width, values[number]);
    return true;
}

static bool wrong_host_pointer(const site *site, size_t number, deviation *deviation)
{
    static void *const values[] = {NULL, (void *)1, (void *)~(uintptr_t)0};
    if (number >= sizeof values / sizeof *values) return false;
    SAY("%p", values[number]);
    deviation->verdict = AS_GOOD;
    put_pointer(site->at, values[number]);
    return true;
}

/* Makes a place wrong, in the way of this number; false: there are no more. */
static bool deviate(const site *site, size_t number, deviation *deviation)
{
    memset(deviation, 0, sizeof *deviation);
    switch (site->part->role) {
    case ROLE_HANDLE: return wrong_handle(site, number, deviation);
    case ROLE_TEXT:
    case ROLE_BYTES: return wrong_text(site, number, deviation);
    case ROLE_STRING: return wrong_string(site, number, deviation);
    case ROLE_STRUCT_SIZE: return wrong_size(site, number, deviation);
    case ROLE_ARRAY: return wrong_array(site, number, deviation);
    case ROLE_NUMBER: return wrong_number(site, number, deviation);
    case ROLE_RESERVED: return wrong_reserved(site, number, deviation);
    case ROLE_POINTER: return wrong_host_pointer(site, number, deviation);
    case ROLE_FIXED: return false;
    default: return wrong_pointer(site, number, deviation);
    }
}

/* ------------------------------------------------------------------------------------------------------------- a try
 */

static bool is_known(int64_t status)
{
    for (size_t i = 0; i < status_count; i++)
        if (statuses[i] == status) return true;
    return false;
}

static const site *site_of(role role)
{
    for (size_t i = 0; i < site_count; i++)
        if (sites[i].part->role == role) return &sites[i];
    return NULL;
}

static bool is_given(const site *site)
{
    void *value;
    memcpy(&value, site->at, sizeof value);
    return value != NULL;
}

static char got[256]; /* what a call came to, for reports */

static void check_error_of(int64_t status)
{
    const site *site = site_of(ROLE_ERROR);
    if (!site || !is_given(site)) return;
    mtoken_error *error = *site->slot;
    if (!expect((error != NULL) == (status != MTOKEN_OK), "an error without its details, or details without an error"))
        return;
    if (!error) return;
    expect(error->code == status, "the details have another code");
    expect(error->reason && error->reason[0], "no reason");
    expect(error->message && error->message[0], "no message");
    size_t said = strlen(got);
    snprintf(got + said, sizeof got - said, " (%s: %s)", error->reason ? error->reason : "",
             error->message ? error->message : "");
    mtoken_error_free(error);
}

/* What the call gave out; a task is cancelled and freed, other things too. */
static void check_outs(const function *function, int64_t status, bool with_status)
{
    (void)function;
    for (size_t i = 0; i < site_count; i++) {
        const site *site = &sites[i];
        const part *part = site->part;
        if ((part->role != ROLE_OUT && part->role != ROLE_OUT_NUMBER) || !is_given(site)) continue;
        void *value = *site->slot;
        if (part->role == ROLE_OUT_NUMBER) {
            int64_t number = 0;
            memcpy(&number, site->slot, part->width);
            if (with_status && status != MTOKEN_OK) expect(number == 0, "a failure gave out a number");
            continue;
        }
        if (with_status && status != MTOKEN_OK) {
            expect(value == NULL, "a failure gave something out");
            continue;
        }
        if (!value || !part->free) continue;
        mtoken_task_state state = mtoken_task_get_state(value);
        if (state >= 0) {
            things_settle();
            expect(mtoken_task_cancel(value) == MTOKEN_OK, "a task that cannot be cancelled");
            things_settle();
            expect(mtoken_task_wait(value, 0) == MTOKEN_OK, "a cancelled task has not completed");
            expect(is_known(mtoken_task_result(value)), "the task's status has no name");
        }
        part->free(value);
    }
}

static void renew(const function *function, bool is_changed)
{
    if (!is_changed) return;
    for (size_t i = 0; i < function->parameters.count; i++)
        if (function->parameters.parts[i].role == ROLE_HANDLE) things_renew(function->parameters.parts[i].index);
}

static int64_t try_call(const function *function, char *parameters, verdict verdict, int64_t good,
                        bool has_wrong_object)
{
    outcome outcome = {0, NULL};
    size_t live = mtoken_testing_live_handles(MTOKEN_TESTING_HANDLES_ALL);
    tries++;
    function->call(parameters, &outcome);
    int64_t status = outcome.number;
    bool with_status = function->result == RESULT_STATUS;
    bool changed = function->changes;
    if (with_status) {
        expect(is_known(status), "a status without a name");
        snprintf(got, sizeof got, "status %lld, well-formed %lld", (long long)status, (long long)good);
        check_error_of(status);
        changed = changed && status == MTOKEN_OK;
        switch (verdict) {
        case ANY: break;
        case AS_GOOD: expect(status == good, got); break;
        case NOT_ARGUMENT: expect(status != MTOKEN_ERROR_ARGUMENT && status != MTOKEN_ERROR_HANDLE, got); break;
        case NOT_OK: expect(status != MTOKEN_OK, got); break;
        case IS_ARGUMENT: expect(status == MTOKEN_ERROR_ARGUMENT, got); break;
        case IS_HANDLE: expect(status == MTOKEN_ERROR_HANDLE, got); break;
        }
    } else if (has_wrong_object) {
        changed = false;
        if (function->result == RESULT_POINTER) expect(outcome.pointer == NULL, "an invalid handle gave something");
        if (function->result == RESULT_NUMBER)
            expect(outcome.number == function->invalid, "an invalid handle gave a number");
    }
    if (function->result == RESULT_POINTER && outcome.pointer && function->free_result)
        function->free_result((void *)(uintptr_t)outcome.pointer);
    check_outs(function, status, with_status);
    things_settle();
    renew(function, changed);
    if (!expect(mtoken_testing_live_handles(MTOKEN_TESTING_HANDLES_ALL) == live, "a handle is left, or gone"))
        note("%zu handles instead of %zu", mtoken_testing_live_handles(MTOKEN_TESTING_HANDLES_ALL), live);
    return status;
}

static char *well_formed(const function *function)
{
    forget_blocks();
    site_count = 0;
    char *parameters = block(function->parameters.size);
    build(&function->parameters, parameters, NULL, "");
    return parameters;
}

static void name_try(const function *function, const char *part, const char *value)
{
    snprintf(trying, sizeof trying, "%s, %s: %s", function->name, part, value);
}

static const function *current;
static const char *variant = "";

static void misuse_current(void)
{
    const function *function = current;
    char name[64];
    snprintf(name, sizeof name, "well-formed%s", variant);
    name_try(function, "all", name);
    int64_t good = try_call(function, well_formed(function), NOT_ARGUMENT, 0, false);
    if (getenv("MTOKEN_MISUSE_SAYS") && function->result == RESULT_STATUS)
        note("%s%s: %s", function->name, variant, mtoken_error_name((mtoken_status)good));
    for (size_t i = 0;; i++) {
        (void)well_formed(function);
        if (i >= site_count) break;
        for (size_t number = 0;; number++) {
            char *parameters = well_formed(function);
            deviation deviation;
            if (!deviate(&sites[i], number, &deviation)) break;
            int64_t expected = good;
            if (deviation.cut) {
                parameters = well_formed(function);
                memset(*sites[i].holder + deviation.cut, 0, sites[i].layout->size - deviation.cut);
                name_try(function, sites[i].label, "zeros at the end");
                expected = try_call(function, parameters, ANY, good, false);
                parameters = well_formed(function);
                deviate(&sites[i], number, &deviation);
            }
            name_try(function, sites[i].label, deviation.name);
            bool wrong_object = deviation.is_handle && sites[i].holder == NULL;
            int64_t status = try_call(function, parameters, deviation.verdict, expected, wrong_object);
            if (status == MTOKEN_OK || function->result != RESULT_STATUS || sites[i].part->role == ROLE_ERROR) continue;
            /* The same without details. */
            parameters = well_formed(function);
            const site *error = site_of(ROLE_ERROR);
            if (!error) continue;
            deviate(&sites[i], number, &deviation);
            put_pointer(error->at, NULL);
            try_call(function, parameters, AS_GOOD, status, wrong_object);
        }
    }
    forget_blocks();
}

static void misuse(const function *function)
{
    bool has_client = false;
    const part *lent = NULL;
    for (size_t i = 0; i < function->parameters.count; i++)
        if (function->parameters.parts[i].role == ROLE_HANDLE) {
            has_client |= strcmp(kinds[function->parameters.parts[i].index].name, "mtoken_client") == 0;
            if (things_is_lent(function->parameters.parts[i].index)) lent = &function->parameters.parts[i];
        }
    current = function;
    alarm(under_valgrind() ? 3600 : 300);
    things_for(function->name);
    things_have_activation(true);
    variant = "";
    if (lent)
        things_while_lent(lent->index, misuse_current);
    else
        misuse_current();
    if (has_client) {
        things_have_activation(false);
        variant = ", without activation";
        misuse_current();
    }
}

/* ----------------------------------------------------------------------------------------------------------- the
 * program */

static size_t entries(const char *path)
{
    DIR *directory = opendir(path);
    size_t count = 0;
    while (directory && readdir(directory)) count++;
    if (directory) closedir(directory);
    return count;
}

static int wanted_count;
static char **wanted;

static bool is_wanted(const char *name)
{
    for (int i = 1; i < wanted_count; i++)
        if (strcmp(wanted[i], name) == 0) return true;
    return wanted_count < 2;
}

/* The tests are run in the order of the headers. */
static void misuse_next_header(void)
{
    static size_t next;
    while (!is_wanted(headers[next])) next++;
    const char *header = headers[next++];
    size_t descriptors = entries("/proc/self/fd"), threads = entries("/proc/self/task");
    long before = tries;
    reported = 0;
    for (size_t i = 0; i < function_count; i++)
        if (strcmp(functions[i].header, header) == 0) misuse(&functions[i]);
    CHECK_INT(entries("/proc/self/fd"), descriptors);
    CHECK_INT(entries("/proc/self/task"), threads);
    note("%ld tries", tries - before);
}

/* One test for each header, or those that are named on the command line ("mtoken/task.h"). */
int main(int argc, char **argv)
{
    static const int deadly[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGALRM};
    test tests[64];
    for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++) signal(deadly[i], ended);
    setvbuf(stdout, NULL, _IOLBF, 0);
    wanted_count = argc;
    wanted = argv;
    for (size_t i = 0; i < header_count; i++) {
        tests[i].name = headers[i];
        tests[i].run = misuse_next_header;
    }
    things_open();
    if (checks_failed()) return 2;
    int failed = run_tests(tests, header_count, argc, argv);
    things_close();
    size_t left = mtoken_testing_live_handles(MTOKEN_TESTING_HANDLES_ALL);
    printf("# misuse: %ld tries, %zu handles left\n", tries, left);
    return failed || left != 0 || (argc < 2 && tries < 10000);
}
