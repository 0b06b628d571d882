/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The addon: hands arguments of JavaScript to the functions of the library, and what they give back to JavaScript.
 *
 * It knows no function by name but the few below: generated.c describes all of them. What it exports is for lib/ only,
 * and package.json exports no path to it. Externals that it takes again are tagged and checked. Handles cross as
 * numbers, which the library checks. Addresses of structs in a batch cross as numbers too: to tag each would cost more
 * than to read it. Only lib/ can make the objects of the classes, which have address and kind in private fields.
 */
#define _GNU_SOURCE
#define NAPI_VERSION 8
#include "flat.h"

#include <dlfcn.h>
#include <mtoken.h>
#include <node_api.h>
#include <pthread.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uchar.h>
#include <uv.h>

/* musl has no such thing: there, what the library is linked with is what it carries. */
#ifndef RTLD_DEEPBIND
#define RTLD_DEEPBIND 0
#endif

#define MAX_ARGUMENTS 48
#define FEW_ARGUMENTS 12
#define MAX_MEMBERS 48
#define STACK_BYTES 3072

/* Mark the externals that functions of lib/ take: what watches a descriptor, a struct that something keeps alive, and a
   batch of them. Each is both halves of its tag: early versions of Node 18 do not know one again whose upper half is 0.
 */
#define TAG_WATCH 0x6d746f6b656e0002ull
#define TAG_ROOT 0x6d746f6b656e0003ull
#define TAG_BATCH 0x6d746f6b656e0004ull

/* What the library has of a result in relation to its copy: its structs are larger than rows, each text is a block of
   its own, and a task has the answer that it was read from. The engine is told that much. */
#define WEIGHT 4

/* An object that something in JavaScript keeps alive. */
typedef struct root {
    const void *pointer;
    void *owner; /* what is handed to `release`; NULL: it was released */
    struct instance *instance;
    int64_t weight; /* what the engine was told of */
    int16_t release;
} root;

/* What is freed when no call on another thread is under way, which may read it. */
typedef struct late {
    struct late *next;
    void *owner;
    int16_t release;
} late;

/*
 * Structs that are freed together: an object that V8 has to watch costs more than to read one. lib/core.js begins
 * another batch when this one is full or the turn of the loop is over, and each view keeps an object that stands for
 * its batch. Node.js would tell of the end of that object when the loop turns; a program that makes structs without
 * ever letting it turn would fill the memory. So a batch has a weak reference, which is empty at once, and they are all
 * looked at when an object that nothing keeps shows that the garbage collector has run.
 */
#define BATCH 32
typedef struct batch {
    struct batch *next;
    napi_ref keeper; /* weak */
    int count;
    struct {
        void *owner;
        int16_t release;
    } parts[BATCH];
} batch;

/* Memory that JavaScript reads too: whole numbers, then real ones. See flat.h. */
typedef struct rows {
    int32_t *slots;
    size_t slot_count, real_count;
} rows;

/* What buffers are parts of, as those of Buffer.allocUnsafe are: the next one begins at `used`. */
typedef struct pool {
    napi_ref kept;
    uint8_t *bytes;
    size_t room, used;
} pool;

/* What the functions of an environment are given: to ask for the instance would take longer. */
typedef struct bound {
    struct instance *own;
    const described_function *function;
} bound;

typedef struct flattener {
    struct instance *own;
    int16_t index;
} flattener;

/* What one environment (main thread or worker) has. */
typedef struct instance {
    size_t users; /* the environment, and objects that it may free after it has left */
    size_t jobs;  /* calls on other threads */
    late *late;
    int64_t weight; /* of the last copy */
    int has_left;
    batch *batch;    /* the one that structs are added to; NULL: none */
    batch *batches;  /* all */
    napi_ref canary; /* weak: of an object that nothing keeps */
    napi_ref make, make_error, use_memory, make_pool;
    rows first, large; /* `large` as long as a result needs it: no slots otherwise */
    pool pool;
    void *live;            /* tree of live_handle */
    flattener *flatteners; /* of each struct */
    bound functions[];
} instance;

typedef struct live_handle {
    uint64_t handle;
    int16_t release;
    uint64_t order;
} live_handle;

static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;
static void *library;

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        if ((call) != napi_ok) return NULL;                                                                            \
    } while (0)

/* Memory of one call: the beginning on the stack, the rest in blocks. */

typedef struct block {
    struct block *next;
    size_t size;
} block;

typedef struct scratch {
    char *memory;
    size_t size, used;
    block *blocks;
    int is_secret;
    int copies; /* bytes are copied: the call goes on after JavaScript does */
} scratch;

static void *take(scratch *all, size_t size)
{
    size_t rounded = (size + 15) & ~(size_t)15;
    if (rounded >= size && rounded <= all->size - all->used) {
        void *found = all->memory + all->used;
        all->used += rounded;
        return found;
    }
    if (rounded < size) return NULL;
    block *made = malloc(sizeof(block) + rounded);
    if (!made) return NULL;
    made->next = all->blocks;
    made->size = rounded;
    all->blocks = made;
    return made + 1;
}

static void give_back(scratch *all)
{
    if (all->is_secret) explicit_bzero(all->memory, all->used);
    while (all->blocks) {
        block *next = all->blocks->next;
        if (all->is_secret) explicit_bzero(all->blocks + 1, all->blocks->size);
        free(all->blocks);
        all->blocks = next;
    }
}

/* From JavaScript. Each throws and returns 0 if the value is of another type. */

static COLD int wrong(napi_env env, const char *name, const char *wanted)
{
    char message[160];
    snprintf(message, sizeof message, "%s must be %s", name, wanted);
    napi_throw_type_error(env, "ERR_INVALID_ARG_TYPE", message);
    return 0;
}

static COLD int out_of_range(napi_env env, const char *name, const char *wanted)
{
    char message[160];
    snprintf(message, sizeof message, "%s must be %s", name, wanted);
    napi_throw_range_error(env, "ERR_OUT_OF_RANGE", message);
    return 0;
}

static COLD int no_memory(napi_env env)
{
    napi_throw_error(env, "ERR_OUT_OF_MEMORY", "out of memory");
    return 0;
}

static int is_absent(napi_valuetype type) { return type == napi_undefined || type == napi_null; }

static int bytes_of(napi_env env, napi_value value, scratch *all, const char *name, const void **data, size_t *length)
{
    napi_typedarray_type type;
    bool is_typed = false;
    void *found = NULL;
    *data = NULL;
    *length = 0;
    if (napi_is_typedarray(env, value, &is_typed) != napi_ok || !is_typed ||
        napi_get_typedarray_info(env, value, &type, length, &found, NULL, NULL) != napi_ok || type != napi_uint8_array)
        return wrong(env, name, "a Uint8Array");
    if (!found || !*length) {
        *data = "";
        return 1;
    }
    if (!all->copies) {
        *data = found;
        return 1;
    }
    void *copy = take(all, *length);
    if (!copy) return no_memory(env);
    all->is_secret = 1;
    *data = memcpy(copy, found, *length);
    return 1;
}

/* Each unit's lower half; gives all bits of the units. `restrict` lets the compiler do it with vectors. */
static char16_t narrow(char *restrict to, const char16_t *restrict from, size_t count)
{
    char16_t seen = 0;
    for (size_t index = 0; index < count; index++) {
        seen |= from[index];
        to[index] = (char)from[index];
    }
    return seen;
}

/* Whether half of a surrogate pair is there alone. */
static COLD int has_half(const char16_t *units, size_t count)
{
    for (size_t index = 0; index < count; index++) {
        if ((units[index] & 0xf800) != 0xd800) continue;
        if (units[index] >= 0xdc00 || index + 1 == count || (units[++index] & 0xfc00) != 0xdc00) return 1;
    }
    return 0;
}

/* What is given for a text, and is not a string. */
static COLD int no_string_of(napi_env env, napi_value value, scratch *all, const char *name, int secret,
                             const void **data, size_t *length)
{
    napi_valuetype type;
    *length = 0;
    if (napi_typeof(env, value, &type) != napi_ok) return 0;
    if (is_absent(type)) return 1;
    if (type == napi_object && secret) return bytes_of(env, value, all, name, data, length);
    return wrong(env, name, secret ? "a string or a Uint8Array" : "a string");
}

/* V8 hands out UTF-16 many times faster than UTF-8, in which half of a pair would be replaced without a word. */
static int text_of(napi_env env, napi_value value, scratch *all, const char *name, int secret, const void **data,
                   size_t *length)
{
    enum { FEW = 512 };
    char16_t few[FEW], *wide = few;
    size_t count;
    *data = NULL;
    if (secret) all->is_secret = 1;
    if (napi_get_value_string_utf16(env, value, few, FEW, &count) != napi_ok)
        return no_string_of(env, value, all, name, secret, data, length);
    if (count == FEW - 1) {
        if (napi_get_value_string_utf16(env, value, NULL, 0, &count) != napi_ok) return 0;
        wide = take(all, (count + 1) * sizeof *wide);
        if (!wide) return no_memory(env);
        if (napi_get_value_string_utf16(env, value, wide, count + 1, &count) != napi_ok) return 0;
    }
    char *memory = take(all, count + 1);
    if (!memory) return no_memory(env);
    int is_ascii = narrow(memory, wide, count) <= 0x7f, is_broken = !is_ascii && has_half(wide, count);
    if (secret) explicit_bzero(few, wide == few ? count * sizeof *few : sizeof few);
    if (is_broken) return wrong(env, name, "a text without half of a surrogate pair");
    *length = count;
    if (is_ascii) {
        memory[count] = 0;
    } else {
        size_t room = 3 * count + 1;
        memory = take(all, room);
        if (!memory) return no_memory(env);
        if (napi_get_value_string_utf8(env, value, memory, room, length) != napi_ok) return 0;
    }
    *data = memory;
    return 1;
}

static int number_of(napi_env env, napi_value value, const char *name, value_type type, slot *found)
{
    napi_valuetype kind;
    found->unsigned_number = 0;
    if (napi_typeof(env, value, &kind) != napi_ok) return 0;
    if (is_absent(kind)) return 1;
    if (type == TYPE_BOOL) {
        bool truth;
        if (kind != napi_boolean || napi_get_value_bool(env, value, &truth) != napi_ok)
            return wrong(env, name, "true or false");
        found->number = truth;
        return 1;
    }
    if (kind == napi_bigint && (type == TYPE_I64 || type == TYPE_U64)) {
        bool whole = false;
        if (type == TYPE_I64)
            napi_get_value_bigint_int64(env, value, &found->number, &whole);
        else
            napi_get_value_bigint_uint64(env, value, &found->unsigned_number, &whole);
        return whole ? 1 : out_of_range(env, name, "a 64-bit integer");
    }
    double real;
    if (kind != napi_number || napi_get_value_double(env, value, &real) != napi_ok) return wrong(env, name, "a number");
    if (type == TYPE_REAL) {
        found->real = real;
        return 1;
    }
    static const struct {
        double low, high;
        const char *text;
    } bounds[] = {
        [TYPE_I32] = {-2147483648.0, 2147483647.0, "a 32-bit integer"},
        [TYPE_U32] = {0, 4294967295.0, "an integer from 0 to 2^32 - 1"},
        [TYPE_I64] = {-9007199254740991.0, 9007199254740991.0, "a safe integer"},
        [TYPE_U64] = {0, 9007199254740991.0, "a safe integer, not negative"},
        [TYPE_SIZE] = {0, 9007199254740991.0, "a safe integer, not negative"},
        [TYPE_ANSWER] = {-1, 1, "-1, 0 or 1"},
    };
    if (!(real >= bounds[type].low && real <= bounds[type].high) || (double)(int64_t)real != real)
        return out_of_range(env, name, bounds[type].text);
    found->number = (int64_t)real;
    return 1;
}

/* Handles are numbers below 2^53, which the library checks. */
static int handle_of(napi_env env, napi_value value, const char *name, void **found)
{
    napi_valuetype kind;
    double real = 0;
    *found = NULL;
    if (napi_get_value_double(env, value, &real) != napi_ok) {
        if (napi_typeof(env, value, &kind) == napi_ok && is_absent(kind)) return 1;
        return wrong(env, name, "an object of this library");
    }
    if (!(real >= 0) || real > 9007199254740991.0) return wrong(env, name, "an object of this library");
    *found = (void *)(uintptr_t)real;
    return 1;
}

/* The data of an external of ours; NULL if it is none. */
static void *external_data(napi_env env, napi_value value, uint64_t tagged)
{
    napi_valuetype kind;
    napi_type_tag tag = {tagged, tagged};
    void *data = NULL;
    bool ours = false;
    if (napi_typeof(env, value, &kind) != napi_ok || kind != napi_external ||
        napi_check_object_type_tag(env, value, &tag, &ours) != napi_ok || !ours ||
        napi_get_value_external(env, value, &data) != napi_ok)
        return NULL;
    return data;
}

/* The address of a struct, or what an external stands for. */
static int pointer_of(napi_env env, napi_value value, const char *name, void **found)
{
    napi_valuetype kind;
    if (napi_typeof(env, value, &kind) != napi_ok) return 0;
    if (kind != napi_external) return handle_of(env, value, name, found);
    const root *kept = external_data(env, value, TAG_ROOT);
    if (!kept) return wrong(env, name, "an object of this library");
    *found = (void *)kept->pointer;
    return 1;
}

typedef struct arguments {
    napi_value *values;
    size_t count, next;
} arguments;

static napi_value next_of(arguments *all) { return all->next < all->count ? all->values[all->next++] : NULL; }

/* `present`: a bit for each member that is given, but for other options. */
static int make_members(napi_env env, const step **at, arguments *given, scratch *all, char *struct_memory,
                        uint64_t present);

static int make_array(napi_env env, const step *at, napi_value value, scratch *all, const void **found, size_t *count)
{
    napi_valuetype kind;
    bool is_array = false;
    uint32_t length = 0;
    *found = NULL;
    *count = 0;
    if (napi_typeof(env, value, &kind) != napi_ok) return 0;
    if (is_absent(kind)) return 1;
    if (napi_is_array(env, value, &is_array) != napi_ok || !is_array) return wrong(env, at->name, "an array");
    if (napi_get_array_length(env, value, &length) != napi_ok) return 0;
    if (!length) return 1;
    size_t size = at->element < 0 ? sizeof(mtoken_text) : structs[at->element].size;
    char *memory = take(all, length * size);
    if (!memory) return no_memory(env);
    memset(memory, 0, length * size);
    for (uint32_t index = 0; index < length; index++) {
        napi_value element;
        if (napi_get_element(env, value, index, &element) != napi_ok) return 0;
        if (at->element < 0) {
            mtoken_text *text = (mtoken_text *)(memory + index * size);
            const void *data;
            if (!text_of(env, element, all, at->name, 0, &data, &text->length)) return 0;
            text->data = data;
            continue;
        }
        napi_value parts[MAX_MEMBERS];
        uint32_t part_count = 0;
        if (napi_is_array(env, element, &is_array) != napi_ok || !is_array ||
            napi_get_array_length(env, element, &part_count) != napi_ok || part_count > MAX_MEMBERS)
            return wrong(env, at->name, "an array of objects");
        for (uint32_t part = 0; part < part_count; part++)
            if (napi_get_element(env, element, part, &parts[part]) != napi_ok) return 0;
        arguments inner = {parts, part_count, 0};
        const step *steps = structs[at->element].steps;
        if (!make_members(env, &steps, &inner, all, memory + index * size, UINT64_MAX)) return 0;
    }
    *found = memory;
    *count = length;
    return 1;
}

/* Options that are not given: none of their members is looked at. */
static const step *skip_members(const step *at, arguments *given)
{
    for (int depth = 1;; at++) {
        if (at->kind != STEP_CLOSE)
            next_of(given);
        else if (--depth == 0)
            return at;
        if (at->kind == MEMBER_OPTIONS) depth++;
    }
}

/* A struct of options, or NULL; `steps` is at its step before, at its STEP_CLOSE after. `value` has a bit for each
   member that is given: to ask each what it is would cost more than the rest. -1, or no value: there are no options. */
static int make_options(napi_env env, const step **steps, napi_value value, arguments *given, scratch *all, void **made)
{
    size_t size = (*steps)->other;
    double present = -1;
    *made = NULL;
    if (value && napi_get_value_double(env, value, &present) != napi_ok) return wrong(env, (*steps)->name, "an object");
    ++*steps;
    if (present < 0) {
        *steps = skip_members(*steps, given);
        return 1;
    }
    char *memory = take(all, size);
    if (!memory) return no_memory(env);
    memset(memory, 0, size);
    memcpy(memory, &size, sizeof size);
    *made = memory;
    return make_members(env, steps, given, all, memory, (uint64_t)present);
}

/* The members of a struct, up to STEP_CLOSE or STEP_END. */
static int make_members(napi_env env, const step **steps, arguments *given, scratch *all, char *memory,
                        uint64_t present)
{
    const step *at = *steps;
    for (; at->kind != STEP_END && at->kind != STEP_CLOSE; at++) {
        napi_value value = next_of(given);
        char *place = memory + at->place;
        slot number;
        if (!value) return wrong(env, at->name, "given");
        if (at->kind != MEMBER_OPTIONS) {
            int is_given = present & 1;
            present >>= 1;
            if (!is_given) continue;
        }
        switch (at->kind) {
        case MEMBER_TEXT: {
            const void *data;
            size_t length;
            if (!text_of(env, value, all, at->name, at->secret, &data, &length)) return 0;
            ((mtoken_text *)place)->data = data;
            ((mtoken_text *)place)->length = length;
            break;
        }
        case MEMBER_CHARS: {
            const void *data;
            size_t length;
            if (!text_of(env, value, all, at->name, 0, &data, &length)) return 0;
            if (data && strlen(data) != length) return out_of_range(env, at->name, "a text without NUL");
            memcpy(place, &data, sizeof data);
            break;
        }
        case MEMBER_BYTES: {
            napi_valuetype kind;
            const void *data = NULL;
            size_t length = 0;
            if (napi_typeof(env, value, &kind) != napi_ok) return 0;
            if (!is_absent(kind) && !bytes_of(env, value, all, at->name, &data, &length)) return 0;
            ((mtoken_bytes *)place)->data = data;
            ((mtoken_bytes *)place)->length = length;
            break;
        }
        case MEMBER_VALUE:
            if (!number_of(env, value, at->name, at->type, &number)) return 0;
            if (at->type == TYPE_I64 || at->type == TYPE_U64 || at->type == TYPE_SIZE || at->type == TYPE_REAL)
                memcpy(place, &number, 8);
            else
                memcpy(place, &number, 4);
            break;
        case MEMBER_HANDLE:
        case MEMBER_VIEW: {
            void *handle;
            if (!handle_of(env, value, at->name, &handle)) return 0;
            memcpy(place, &handle, sizeof handle);
            break;
        }
        case MEMBER_ARRAY: {
            const void *array;
            size_t count;
            if (!make_array(env, at, value, all, &array, &count)) return 0;
            memcpy(place, &array, sizeof array);
            memcpy(memory + at->other, &count, sizeof count);
            break;
        }
        case MEMBER_OPTIONS: {
            void *inner;
            if (!make_options(env, &at, value, given, all, &inner)) return 0;
            memcpy(place, &inner, sizeof inner);
            break;
        }
        default: return wrong(env, at->name, "of a known type");
        }
    }
    *steps = at;
    return 1;
}

static int make_slots(napi_env env, const described_function *function, arguments *given, scratch *all, slot *slots)
{
    for (const step *at = function->steps; at->kind != STEP_END; at++) {
        napi_value value = next_of(given);
        slot *place = &slots[at->place];
        if (!value && at->kind != STEP_OPTIONS) return wrong(env, at->name, "given");
        switch (at->kind) {
        case STEP_HANDLE:
        case STEP_VIEW:
            if (!handle_of(env, value, at->name, &place->pointer)) return 0;
            break;
        case STEP_TEXT: {
            size_t length;
            if (!text_of(env, value, all, at->name, at->secret, &place->constant, &length)) return 0;
            place[1].unsigned_number = length;
            break;
        }
        case STEP_BYTES: {
            napi_valuetype kind;
            size_t length = 0;
            if (napi_typeof(env, value, &kind) != napi_ok) return 0;
            if (!is_absent(kind) && !bytes_of(env, value, all, at->name, &place->constant, &length)) return 0;
            place[1].unsigned_number = length;
            break;
        }
        case STEP_VALUE:
            if (!number_of(env, value, at->name, at->type, place)) return 0;
            break;
        case STEP_ARRAY: {
            size_t count;
            if (!make_array(env, at, value, all, &place->constant, &count)) return 0;
            slots[at->other].unsigned_number = count;
            break;
        }
        case STEP_OPTIONS:
            if (!make_options(env, &at, value, given, all, &place->pointer)) return 0;
            break;
        default: return wrong(env, at->name, "of a known type");
        }
    }
    return 1;
}

/* To JavaScript */

static napi_value text_from(napi_env env, const char *text, size_t length)
{
    napi_value made;
    if (!text) {
        CHECK(napi_get_null(env, &made));
        return made;
    }
    unsigned char seen = 0;
    length = length == NAPI_AUTO_LENGTH ? strlen(text) : length;
    for (size_t index = 0; index < length; index++) seen |= (unsigned char)text[index];
    if (seen < 0x80) {
        CHECK(napi_create_string_latin1(env, text, length, &made));
        return made;
    }
    CHECK(napi_create_string_utf8(env, text, length, &made));
    return made;
}

static napi_value bytes_from(napi_env env, const void *data, size_t length)
{
    napi_value made;
    CHECK(napi_create_buffer_copy(env, length, data ? data : "", NULL, &made));
    return made;
}

static napi_value value_from(napi_env env, value_type type, const void *place)
{
    napi_value made = NULL;
    int32_t small;
    int64_t large;
    double real;
    switch (type) {
    case TYPE_BOOL:
        memcpy(&small, place, sizeof small);
        CHECK(napi_get_boolean(env, small != 0, &made));
        return made;
    case TYPE_ANSWER:
        memcpy(&small, place, sizeof small);
        if (small < 0)
            CHECK(napi_get_null(env, &made));
        else
            CHECK(napi_get_boolean(env, small != 0, &made));
        return made;
    case TYPE_I32:
        memcpy(&small, place, sizeof small);
        CHECK(napi_create_int32(env, small, &made));
        return made;
    case TYPE_U32:
        memcpy(&small, place, sizeof small);
        CHECK(napi_create_uint32(env, (uint32_t)small, &made));
        return made;
    case TYPE_REAL:
        memcpy(&real, place, sizeof real);
        CHECK(napi_create_double(env, real, &made));
        return made;
    default:
        memcpy(&large, place, sizeof large);
        CHECK(napi_create_int64(env, large, &made));
        return made;
    }
}

static napi_value number_from(napi_env env, const void *pointer)
{
    napi_value made;
    if (!pointer) {
        CHECK(napi_get_null(env, &made));
        return made;
    }
    CHECK(napi_create_double(env, (double)(uintptr_t)pointer, &made));
    return made;
}

/* Calls one of the functions that setMakers was given. */
static napi_value call_kept(napi_env env, napi_ref kept, size_t count, const napi_value *parts)
{
    napi_value function, nothing, made;
    CHECK(napi_get_reference_value(env, kept, &function));
    CHECK(napi_get_undefined(env, &nothing));
    CHECK(napi_call_function(env, nothing, function, count, parts, &made));
    return made;
}

/* Tells JavaScript where the rest of results lies from now on. */
static COLD int use_memory(napi_env env, instance *own, rows *now, napi_value memory)
{
    napi_value parts[3] = {memory};
    return napi_create_double(env, (double)now->slot_count, &parts[1]) == napi_ok &&
           napi_create_double(env, (double)now->real_count, &parts[2]) == napi_ok &&
           call_kept(env, own->use_memory, 3, parts);
}

/* Another pool, for bytes of this size at least. */
static COLD int refill(napi_env env, instance *own, size_t size)
{
    pool made = {.used = 0};
    napi_value wanted, memory;
    if (napi_create_double(env, (double)size, &wanted) != napi_ok ||
        !(memory = call_kept(env, own->make_pool, 1, &wanted)) ||
        napi_get_arraybuffer_info(env, memory, (void **)&made.bytes, &made.room) != napi_ok || made.room < size ||
        napi_create_reference(env, memory, 1, &made.kept) != napi_ok)
        return 0;
    if (own->pool.kept) napi_delete_reference(env, own->pool.kept);
    own->pool = made;
    return 1;
}

typedef struct opener {
    napi_env env;
    instance *own;
} opener;

/* A host can detach what it has a part of: nothing more is put there. */
static void open_pool(struct flat *into)
{
    const opener *at = into->opener;
    pool *own = &at->own->pool;
    napi_value memory;
    bool is_detached = true;
    if (!own->kept || napi_get_reference_value(at->env, own->kept, &memory) != napi_ok ||
        napi_is_detached_arraybuffer(at->env, memory, &is_detached) != napi_ok || is_detached)
        own->room = own->used = 0;
    into->open = NULL;
    into->bytes = own->bytes;
    into->byte_room = own->room;
    into->byte_count = own->used;
}

/* Makes room for a result that is larger than most. */
static COLD int enlarge(napi_env env, instance *own, const struct flat *found)
{
    rows wanted = own->large.slots ? own->large : own->first;
    napi_value memory;
    size_t bytes = found->open ? 0 : found->byte_count - own->pool.used;
    /* Places are numbers of 32 bits. */
    if (found->lacks & LACKS_MEMORY || bytes > INT32_MAX) return no_memory(env);
    if (found->lacks & LACKS_BYTES && !refill(env, own, bytes)) return 0;
    if (!(found->lacks & (LACKS_SLOTS | LACKS_REALS))) return 1;
    if (found->lacks & LACKS_SLOTS) wanted.slot_count *= 4;
    if (found->lacks & LACKS_REALS) wanted.real_count *= 4;
    if (wanted.slot_count > INT32_MAX || wanted.real_count > INT32_MAX) return no_memory(env);
    size_t size = wanted.slot_count * sizeof(int32_t) + wanted.real_count * sizeof(double);
    if (napi_create_arraybuffer(env, size, (void **)&wanted.slots, &memory) != napi_ok || !wanted.slots) return 0;
    own->large = wanted;
    return use_memory(env, own, &wanted, memory);
}

static const mtoken_text nothing_known;

/* The text that a struct was read from, if it has as many bytes as JavaScript's string has units: then it is ASCII, and
   places in it are those in the string. */
static mtoken_text whole_of(const void *base, int16_t index, size_t units)
{
    mtoken_text whole;
    memcpy(&whole.data, (const char *)base + structs[index].whole, sizeof whole.data);
    memcpy(&whole.length, (const char *)base + structs[index].whole_length, sizeof whole.length);
    return whole.length == units && units <= INT32_MAX ? whole : nothing_known;
}

/* The text; the rest lies where JavaScript reads it, until the next call. Most texts are ASCII: it is first tried so.
   `is_open`: JavaScript has looked at the pool. `whole`: what JavaScript has of the text already, and takes undefined
   for. */
static napi_value flattened(napi_env env, instance *own, const void *base, int16_t index, int is_open,
                            mtoken_text whole)
{
    char room[FLAT_TEXT];
    struct flat into;
    napi_value text = NULL, nothing;
    if (own->large.slots) {
        own->large.slots = NULL;
        CHECK(napi_get_undefined(env, &nothing));
        if (!use_memory(env, own, &own->first, nothing)) return NULL;
    }
    opener opener = {env, own};
    for (int is_ascii = 1;;) {
        const rows *memory = own->large.slots ? &own->large : &own->first;
        into = (struct flat){
            .slots = memory->slots,
            .reals = (double *)(memory->slots + memory->slot_count),
            .open = is_open ? NULL : open_pool,
            .opener = &opener,
            .bytes = own->pool.bytes,
            .slot_room = memory->slot_count,
            .real_room = memory->real_count,
            .byte_room = own->pool.room,
            .byte_count = own->pool.used,
            .text = room,
            .text_room = sizeof room,
            .is_ascii = is_ascii,
            .whole = whole.data,
            .whole_length = whole.length,
            .begin = SIZE_MAX, /* so that the first part can be at 0 */
            .end = SIZE_MAX,
        };
        structs[index].flat(&into, base);
        if (!into.lacks && is_ascii == !(into.seen & HIGH_BITS)) break;
        is_ascii = !(into.seen & HIGH_BITS);
        if (into.text != room) free(into.text);
        if (into.lacks & LACKS_PART)
            whole.data = NULL;
        else if (into.lacks && !enlarge(env, own, &into))
            return NULL;
    }
    if (!into.open) own->pool.used = into.byte_count;
    own->weight =
        (int64_t)(into.text_length + into.slot_count * sizeof *into.slots + into.real_count * sizeof *into.reals);
    if (whole.data) return NULL; /* undefined */
    napi_status status = into.is_ascii ? napi_create_string_latin1(env, into.text, into.text_length, &text)
                                       : napi_create_string_utf8(env, into.text, into.text_length, &text);
    if (into.text != room) free(into.text);
    CHECK(status);
    return text;
}

static napi_value whole(napi_env env, instance *own, const void *base, int16_t index)
{
    napi_value parts[2] = {flattened(env, own, base, index, 0, nothing_known)};
    if (!parts[0]) return NULL;
    CHECK(napi_create_int32(env, index, &parts[1]));
    return call_kept(env, own->make, 2, parts);
}

static int frees_handle(const described_function *function)
{
    return function->frees && function->steps[0].kind == STEP_HANDLE;
}

static void free_object(int16_t release, void *pointer)
{
    slot slots[] = {{0}, {.pointer = pointer}};
    if (release >= 0) functions[release].call(slots);
}

static void free_result(instance *own, int16_t release, void *pointer)
{
    if (!own->jobs) {
        free_object(release, pointer);
        return;
    }
    late *made = malloc(sizeof *made);
    if (!made) return;
    *made = (late){own->late, pointer, release};
    own->late = made;
}

static void end_job(instance *own)
{
    if (--own->jobs) return;
    while (own->late) {
        late *found = own->late;
        own->late = found->next;
        free_object(found->release, found->owner);
        free(found);
    }
}

/* The memory of an environment, when nothing can reach it any more. */
static void leave_to(instance *own)
{
    if (--own->users > 0) return;
    free(own->flatteners);
    free(own);
}

static int by_handle(const void *left, const void *right)
{
    uint64_t a = ((const live_handle *)left)->handle, b = ((const live_handle *)right)->handle;
    return (a > b) - (a < b);
}

/* Handles are freed with the environment that made them: a worker that ends leaves no client locked and no task. */
static void keep_handle(instance *own, void *handle, int16_t release)
{
    static uint64_t order;
    live_handle *made = malloc(sizeof *made);
    if (!made) return;
    *made = (live_handle){(uint64_t)(uintptr_t)handle, release, __atomic_add_fetch(&order, 1, __ATOMIC_RELAXED)};
    if (!tsearch(made, &own->live, by_handle)) free(made);
}

static void drop_handle(instance *own, void *handle)
{
    live_handle wanted = {(uint64_t)(uintptr_t)handle, 0, 0};
    void *found = tfind(&wanted, &own->live, by_handle);
    if (found) {
        live_handle *kept = *(live_handle **)found;
        tdelete(kept, &own->live, by_handle);
        free(kept);
    }
}

/* The engine is told of it, so that its collector comes in time. */
static void weigh(napi_env env, root *found, int64_t weight)
{
    int64_t told;
    if (napi_adjust_external_memory(env, weight, &told) == napi_ok) found->weight += weight;
}

static void release_root(napi_env env, root *found)
{
    if (!found->owner) return;
    /* A task has left with its environment. */
    if (found->release >= 0 && frees_handle(&functions[found->release])) drop_handle(found->instance, found->owner);
    free_result(found->instance, found->release, found->owner);
    weigh(env, found, -found->weight);
    found->pointer = found->owner = NULL;
}

static void finalize_root(napi_env env, void *data, void *hint)
{
    root *found = data;
    (void)hint;
    release_root(env, found);
    leave_to(found->instance);
    free(found);
}

static void free_batch(instance *own, batch *found)
{
    for (int index = 0; index < found->count; index++)
        if (found->parts[index].owner) free_result(own, found->parts[index].release, found->parts[index].owner);
    free(found);
}

/* Frees the batches that nothing keeps. */
static COLD void sweep(napi_env env, instance *own)
{
    napi_handle_scope scope;
    if (napi_open_handle_scope(env, &scope) != napi_ok) return;
    for (batch **at = &own->batches; *at;) {
        batch *found = *at;
        napi_value keeper = NULL;
        if (napi_get_reference_value(env, found->keeper, &keeper) != napi_ok || keeper) {
            at = &found->next;
            continue;
        }
        *at = found->next;
        napi_delete_reference(env, found->keeper);
        free_batch(own, found);
    }
    napi_close_handle_scope(env, scope);
}

static void finalize_canary(napi_env env, void *data, void *hint);

/* Makes an object that the next run of the garbage collector will take. */
static COLD void make_canary(napi_env env, instance *own)
{
    napi_handle_scope scope;
    napi_value made;
    if (napi_open_handle_scope(env, &scope) != napi_ok) return;
    if (napi_create_external(env, own, finalize_canary, NULL, &made) == napi_ok) {
        own->users++;
        if (napi_create_reference(env, made, 0, &own->canary) != napi_ok) own->canary = NULL;
    }
    napi_close_handle_scope(env, scope);
}

static void see_canary(napi_env env, instance *own)
{
    napi_value alive = NULL;
    if (own->canary) {
        if (napi_get_reference_value(env, own->canary, &alive) != napi_ok || alive) return;
        napi_delete_reference(env, own->canary);
        own->canary = NULL;
        sweep(env, own);
    }
    if (own->batches) make_canary(env, own);
}

static void finalize_canary(napi_env env, void *data, void *hint)
{
    instance *own = data;
    (void)hint;
    if (!own->has_left) see_canary(env, own);
    leave_to(own);
}

/* batch(): begins one, and gives what keeps it. */
static napi_value begin_batch(napi_env env, napi_callback_info info)
{
    napi_value made;
    instance *own;
    CHECK(napi_get_cb_info(env, info, NULL, NULL, NULL, (void **)&own));
    see_canary(env, own);
    batch *found = calloc(1, sizeof *found);
    if (!found) {
        no_memory(env);
        return NULL;
    }
    napi_type_tag tag = {TAG_BATCH, TAG_BATCH};
    if (napi_create_external(env, found, NULL, NULL, &made) != napi_ok ||
        napi_type_tag_object(env, made, &tag) != napi_ok ||
        napi_create_reference(env, made, 0, &found->keeper) != napi_ok) {
        free(found);
        return NULL;
    }
    found->next = own->batches;
    own->batch = own->batches = found;
    if (!own->canary) make_canary(env, own);
    return made;
}

/* endBatch(): nothing is added to the last one any more. */
static napi_value end_batch(napi_env env, napi_callback_info info)
{
    instance *own;
    CHECK(napi_get_cb_info(env, info, NULL, NULL, NULL, (void **)&own));
    own->batch = NULL;
    return NULL;
}

/* release(external or address, batch): frees a struct at once that something still refers to. */
static napi_value release(napi_env env, napi_callback_info info)
{
    napi_value values[2];
    size_t count = 2;
    void *address, *own;
    CHECK(napi_get_cb_info(env, info, &count, values, NULL, &own));
    root *kept = external_data(env, values[0], TAG_ROOT);
    if (kept) {
        release_root(env, kept);
        return NULL;
    }
    batch *found = external_data(env, values[1], TAG_BATCH);
    if (!found || !handle_of(env, values[0], "this", &address)) return NULL;
    for (int index = 0; index < found->count; index++)
        if (address && found->parts[index].owner == address) {
            free_result(own, found->parts[index].release, address);
            found->parts[index].owner = NULL;
        }
    return NULL;
}

static COLD napi_value external_of(napi_env env, instance *own, const void *pointer, int16_t release, void *owner)
{
    napi_type_tag tag = {TAG_ROOT, TAG_ROOT};
    napi_value made;
    root *found = malloc(sizeof *found);
    if (!found) {
        free_object(release, owner);
        no_memory(env);
        return NULL;
    }
    *found = (root){pointer, owner, own, 0, release};
    own->users++;
    if (napi_create_external(env, found, finalize_root, NULL, &made) != napi_ok) {
        finalize_root(env, found, NULL);
        return NULL;
    }
    CHECK(napi_type_tag_object(env, made, &tag));
    return made;
}

static COLD napi_value error_from(napi_env env, instance *own, int64_t status, const void *details)
{
    static __typeof__(&mtoken_error_is_operation_over) is_over;
    napi_value parts[3];
    if (!is_over) is_over = (__typeof__(is_over))dlsym(library, "mtoken_error_is_operation_over");
    CHECK(napi_create_int64(env, status, &parts[0]));
    CHECK(napi_get_boolean(env, is_over(details) != 0, &parts[2]));
    if (details)
        parts[1] = whole(env, own, details, (int16_t)error_struct);
    else
        CHECK(napi_get_null(env, &parts[1]));
    if (!parts[1]) return NULL;
    return call_kept(env, own->make_error, 3, parts);
}

/* Copies of structs come whole, or, if `flat`, as texts that lib/generated.js makes them from at once. */
static napi_value out_from(napi_env env, instance *own, const out *at, slot *slots, int flat)
{
    slot *place = &slots[at->slot];
    napi_value made;
    switch (at->kind) {
    case OUT_HANDLE:
        if (place->pointer && at->index >= 0) keep_handle(own, place->pointer, at->index);
        return number_from(env, place->pointer);
    case OUT_OWNED:
        /* At once, so that no other batch has begun before the view is made. */
        if (flat && place->pointer && own->batch && own->batch->count < BATCH) {
            own->batch->parts[own->batch->count].owner = place->pointer;
            own->batch->parts[own->batch->count++].release = at->index;
            return number_from(env, place->pointer);
        }
        return place->pointer ? external_of(env, own, place->pointer, at->index, place->pointer)
                              : number_from(env, NULL);
    case OUT_COPIED:
    case OUT_COPIED_AND_FREED:
        made = !place->pointer ? number_from(env, NULL)
               : flat          ? flattened(env, own, place->pointer, at->element, 0, nothing_known)
                               : whole(env, own, place->pointer, at->element);
        if (at->kind == OUT_COPIED) return made;
        free_object(at->index, place->pointer);
        return made;
    case OUT_LENT: return number_from(env, place->pointer);
    case OUT_TEXT: {
        const mtoken_text *text = place->pointer;
        made = text ? text_from(env, text->data, text->length) : number_from(env, NULL);
        free_object(at->index, place->pointer);
        return made;
    }
    case OUT_BYTES: {
        const mtoken_bytes *bytes = place->pointer;
        made = bytes ? bytes_from(env, bytes->data, bytes->length) : number_from(env, NULL);
        free_object(at->index, place->pointer);
        return made;
    }
    case OUT_VALUE: return value_from(env, at->type, place);
    case OUT_CHARS: return text_from(env, place->constant, NAPI_AUTO_LENGTH);
    default: CHECK(napi_get_undefined(env, &made)); return made;
    }
}

/* What a function gave. NULL: `*failure` is the error, or something was thrown. */
static napi_value result_of(napi_env env, instance *own, const described_function *function, slot *slots, int flat,
                            napi_value *failure)
{
    napi_value made;
    void *details = function->error >= 0 ? slots[function->error].pointer : NULL;
    if (function->status && slots[0].small_number != MTOKEN_OK) {
        *failure = error_from(env, own, slots[0].small_number, details);
        if (details) ((__typeof__(&mtoken_error_free))dlsym(library, "mtoken_error_free"))(details);
        return NULL;
    }
    if (function->out_count == 0) {
        CHECK(napi_get_undefined(env, &made));
        return made;
    }
    if (function->out_count == 1) return out_from(env, own, &function->outs[0], slots, flat);
    CHECK(napi_create_array_with_length(env, function->out_count, &made));
    for (uint8_t index = 0; index < function->out_count; index++) {
        napi_value part = out_from(env, own, &function->outs[index], slots, flat);
        if (!part || napi_set_element(env, made, index, part) != napi_ok) return NULL;
    }
    return made;
}

static napi_value invoke(napi_env env, napi_value *values, size_t count, const bound *at)
{
    napi_value failure = NULL, made;
    instance *own = at->own;
    const described_function *function = at->function;
    char memory[STACK_BYTES];
    scratch all = {memory, sizeof memory, 0, NULL, 0, 0};
    slot slots[MAX_SLOTS] = {{0}};
    arguments given = {values, count < function->counted ? count : function->counted, 0};
    if (!make_slots(env, function, &given, &all, slots)) {
        give_back(&all);
        return NULL;
    }
    if (frees_handle(function)) drop_handle(own, slots[1].pointer);
    function->call(slots);
    give_back(&all);
    made = result_of(env, own, function, slots, 1, &failure);
    if (failure) napi_throw(env, failure);
    return made;
}

static napi_value invoke_any(napi_env env, napi_callback_info info)
{
    napi_value values[MAX_ARGUMENTS];
    size_t count = MAX_ARGUMENTS;
    bound *at;
    CHECK(napi_get_cb_info(env, info, &count, values, NULL, (void **)&at));
    return invoke(env, values, count, at);
}

static napi_value invoke_few(napi_env env, napi_callback_info info)
{
    napi_value values[FEW_ARGUMENTS];
    size_t count = FEW_ARGUMENTS;
    bound *at;
    CHECK(napi_get_cb_info(env, info, &count, values, NULL, (void **)&at));
    return invoke(env, values, count, at);
}

/* The same on a thread of libuv's pool: a promise. */

typedef struct job {
    const described_function *function;
    instance *instance;
    napi_async_work work;
    napi_deferred deferred;
    slot slots[MAX_SLOTS];
    scratch all;
    char memory[512];
} job;

/* Of a call whose environment has left before it ended. */
static void drop_results(const described_function *function, slot *slots)
{
    for (uint8_t index = 0; index < function->out_count; index++)
        free_object(function->outs[index].index, slots[function->outs[index].slot].pointer);
    if (function->error >= 0)
        ((__typeof__(&mtoken_error_free))dlsym(library, "mtoken_error_free"))(slots[function->error].pointer);
}

static void work(napi_env env, void *data)
{
    job *own = data;
    (void)env;
    own->function->call(own->slots);
}

static void finish(napi_env env, napi_status status, void *data)
{
    job *done = data;
    instance *own = done->instance;
    napi_value failure = NULL, made, pending;
    (void)status;
    give_back(&done->all);
    if (own->has_left) {
        drop_results(done->function, done->slots);
    } else {
        made = result_of(env, own, done->function, done->slots, 0, &failure);
        bool thrown = false;
        if (!made && !failure && napi_is_exception_pending(env, &thrown) == napi_ok && thrown &&
            napi_get_and_clear_last_exception(env, &pending) == napi_ok)
            failure = pending;
        if (made)
            napi_resolve_deferred(env, done->deferred, made);
        else if (failure)
            napi_reject_deferred(env, done->deferred, failure);
    }
    napi_delete_async_work(env, done->work);
    end_job(own);
    leave_to(own);
    free(done);
}

static napi_value invoke_elsewhere(napi_env env, napi_callback_info info)
{
    napi_value values[MAX_ARGUMENTS], promise, name;
    size_t count = MAX_ARGUMENTS;
    bound *at;
    CHECK(napi_get_cb_info(env, info, &count, values, NULL, (void **)&at));
    instance *own = at->own;
    job *made = calloc(1, sizeof *made);
    if (!made) {
        no_memory(env);
        return NULL;
    }
    made->function = at->function;
    made->all = (scratch){made->memory, sizeof made->memory, 0, NULL, 0, 1};
    arguments given = {values, made->function->counted, 0};
    if (!make_slots(env, made->function, &given, &made->all, made->slots) ||
        napi_create_string_utf8(env, made->function->name, NAPI_AUTO_LENGTH, &name) != napi_ok ||
        napi_create_async_work(env, NULL, name, work, finish, made, &made->work) != napi_ok) {
        give_back(&made->all);
        free(made);
        return NULL;
    }
    if (frees_handle(made->function)) drop_handle(own, made->slots[1].pointer);
    made->instance = own;
    own->users++;
    own->jobs++;
    CHECK(napi_create_promise(env, &made->deferred, &promise));
    CHECK(napi_queue_async_work(env, made->work));
    return promise;
}

/* The functions of `flats`: what `flattened` gives of a struct of their kind. The second argument is the length of the
   text that it was read from, where it has that. */
static napi_value read_flat(napi_env env, napi_callback_info info)
{
    napi_value values[2];
    size_t count = 2;
    uint32_t units;
    void *base = NULL;
    mtoken_text whole = nothing_known;
    const flattener *at;
    CHECK(napi_get_cb_info(env, info, &count, values, NULL, (void **)&at));
    if (!pointer_of(env, values[0], "this", &base) || !base) return NULL;
    if (structs[at->index].whole_length && napi_get_value_uint32(env, values[1], &units) == napi_ok)
        whole = whole_of(base, at->index, units);
    napi_value text = flattened(env, at->own, base, at->index, 1, whole);
    root *kept = external_data(env, values[0], TAG_ROOT);
    if (kept && !kept->weight) weigh(env, kept, at->own->weight * WEIGHT);
    return text;
}

/* dropPool(): a host has detached it. */
static napi_value drop_pool(napi_env env, napi_callback_info info)
{
    instance *own;
    CHECK(napi_get_cb_info(env, info, NULL, NULL, NULL, (void **)&own));
    own->pool.room = own->pool.used = 0;
    return NULL;
}

/* adopt(address, task, release): a struct that lives in a task, which is freed with it. */
static napi_value adopt(napi_env env, napi_callback_info info)
{
    napi_value values[3];
    size_t count = 3;
    void *pointer, *task, *own;
    int32_t release;
    CHECK(napi_get_cb_info(env, info, &count, values, NULL, &own));
    CHECK(napi_get_value_int32(env, values[2], &release));
    if (!handle_of(env, values[0], "address", &pointer) || !handle_of(env, values[1], "task", &task) || release < 0 ||
        release >= function_count)
        return NULL;
    return external_of(env, own, pointer, (int16_t)release, task);
}

/* settle(task): undefined if it has succeeded, otherwise its error. */
static napi_value settle(napi_env env, napi_callback_info info)
{
    static __typeof__(&mtoken_task_result) result;
    static __typeof__(&mtoken_task_error) error;
    napi_value value, made;
    size_t count = 1;
    void *task;
    instance *own;
    CHECK(napi_get_cb_info(env, info, &count, &value, NULL, (void **)&own));
    if (!handle_of(env, value, "task", &task)) return NULL;
    if (!result) {
        error = (__typeof__(error))dlsym(library, "mtoken_task_error");
        result = (__typeof__(result))dlsym(library, "mtoken_task_result");
    }
    mtoken_status status = result(task);
    if (status != MTOKEN_OK) return error_from(env, own, status, error(task));
    CHECK(napi_get_undefined(env, &made));
    return made;
}

/* next(runtime): the tag of a completed task, another event, or null when there is none. */
static napi_value next_event(napi_env env, napi_callback_info info)
{
    static __typeof__(&mtoken_runtime_next_event) take_event;
    static __typeof__(&mtoken_event_free) free_event;
    static int16_t release = -1;
    napi_value value, made;
    size_t count = 1;
    void *runtime, *own;
    mtoken_event *event = NULL;
    CHECK(napi_get_cb_info(env, info, &count, &value, NULL, &own));
    if (!handle_of(env, value, "runtime", &runtime)) return NULL;
    if (!take_event) {
        for (int index = 0; index < function_count; index++)
            if (strcmp(functions[index].name, "mtoken_event_free") == 0) release = (int16_t)index;
        free_event = (__typeof__(free_event))dlsym(library, "mtoken_event_free");
        take_event = (__typeof__(take_event))dlsym(library, "mtoken_runtime_next_event");
    }
    if (take_event(runtime, 0, &event, NULL) != MTOKEN_OK || !event) return number_from(env, NULL);
    if (event->kind == MTOKEN_EVENT_TASK && event->tag != 0) {
        double tag = (double)event->tag;
        free_event(event);
        CHECK(napi_create_double(env, tag, &made));
        return made;
    }
    return external_of(env, own, event, release, event);
}

/* watch(descriptor, function): calls it while the descriptor is readable. The handle counts for the loop while it is
 * referred to. */

typedef struct watch {
    uv_poll_t poll;
    napi_env env;
    napi_ref function;
    napi_async_context context;
    napi_async_cleanup_hook_handle hook;
    int closing;
    int users; /* libuv until it has closed the handle, and an external */
} watch;

static void readable(uv_poll_t *handle, int status, int events)
{
    watch *own = handle->data;
    napi_handle_scope scope;
    napi_value function, receiver, made, thrown;
    (void)status;
    (void)events;
    if (own->closing || napi_open_handle_scope(own->env, &scope) != napi_ok) return;
    if (napi_get_reference_value(own->env, own->function, &function) == napi_ok &&
        napi_get_global(own->env, &receiver) == napi_ok &&
        napi_make_callback(own->env, own->context, receiver, function, 0, NULL, &made) == napi_pending_exception &&
        napi_get_and_clear_last_exception(own->env, &thrown) == napi_ok)
        napi_fatal_exception(own->env, thrown);
    napi_close_handle_scope(own->env, scope);
}

static void leave_watch(watch *own)
{
    if (--own->users == 0) free(own);
}

static void finalize_watch(napi_env env, void *data, void *hint)
{
    (void)env;
    (void)hint;
    leave_watch(data);
}

static void closed(uv_handle_t *handle)
{
    watch *own = handle->data;
    if (own->hook) napi_remove_async_cleanup_hook(own->hook);
    leave_watch(own);
}

static void close_watch(watch *own)
{
    if (own->closing) return;
    own->closing = 1;
    if (own->function) napi_delete_reference(own->env, own->function);
    if (own->context) napi_async_destroy(own->env, own->context);
    uv_poll_stop(&own->poll);
    uv_close((uv_handle_t *)&own->poll, closed);
}

static void leave(napi_async_cleanup_hook_handle hook, void *data)
{
    (void)hook;
    close_watch(data);
}

static napi_value watch_descriptor(napi_env env, napi_callback_info info)
{
    napi_value values[2], name, made;
    size_t count = 2;
    int32_t descriptor;
    uv_loop_t *loop;
    napi_type_tag tag = {TAG_WATCH, TAG_WATCH};
    CHECK(napi_get_cb_info(env, info, &count, values, NULL, NULL));
    CHECK(napi_get_value_int32(env, values[0], &descriptor));
    CHECK(napi_get_uv_event_loop(env, &loop));
    CHECK(napi_create_string_utf8(env, "mtoken", NAPI_AUTO_LENGTH, &name));
    watch *own = calloc(1, sizeof *own);
    if (!own) {
        no_memory(env);
        return NULL;
    }
    own->env = env;
    own->users = 1;
    own->poll.data = own;
    int failure = uv_poll_init(loop, &own->poll, descriptor);
    if (failure != 0) {
        char message[120];
        snprintf(message, sizeof message, "the runtime's descriptor cannot be watched: %s", uv_strerror(failure));
        free(own);
        napi_throw_error(env, "ERR_MTOKEN_POLL", message);
        return NULL;
    }
    if (napi_create_reference(env, values[1], 1, &own->function) != napi_ok ||
        napi_async_init(env, NULL, name, &own->context) != napi_ok ||
        napi_add_async_cleanup_hook(env, leave, own, &own->hook) != napi_ok ||
        uv_poll_start(&own->poll, UV_READABLE, readable) != 0 ||
        napi_create_external(env, own, finalize_watch, NULL, &made) != napi_ok) {
        close_watch(own);
        return NULL;
    }
    own->users++;
    uv_unref((uv_handle_t *)&own->poll);
    CHECK(napi_type_tag_object(env, made, &tag));
    return made;
}

static watch *watch_of(napi_env env, napi_callback_info info, bool *flag)
{
    napi_value values[2];
    size_t count = 2;
    if (napi_get_cb_info(env, info, &count, values, NULL, NULL) != napi_ok) return NULL;
    if (flag && napi_get_value_bool(env, values[1], flag) != napi_ok) return NULL;
    return external_data(env, values[0], TAG_WATCH);
}

static napi_value refer(napi_env env, napi_callback_info info)
{
    bool on = false;
    watch *own = watch_of(env, info, &on);
    if (own && !own->closing) {
        if (on)
            uv_ref((uv_handle_t *)&own->poll);
        else
            uv_unref((uv_handle_t *)&own->poll);
    }
    return NULL;
}

static napi_value unwatch(napi_env env, napi_callback_info info)
{
    watch *own = watch_of(env, info, NULL);
    if (own) close_watch(own);
    return NULL;
}

/* load(path, deep): null, or why the library cannot be used. Once a process: all environments share it. */
static napi_value load(napi_env env, napi_callback_info info)
{
    napi_value values[2];
    size_t count = 2, length;
    char path[4096], reason[4608] = "";
    bool deep = false;
    CHECK(napi_get_cb_info(env, info, &count, values, NULL, NULL));
    CHECK(napi_get_value_string_utf8(env, values[0], path, sizeof path, &length));
    CHECK(napi_get_value_bool(env, values[1], &deep));
    pthread_mutex_lock(&loading);
    if (!library) {
        void *found = dlopen(path, RTLD_NOW | RTLD_LOCAL | (deep ? RTLD_DEEPBIND : 0));
        if (!found) snprintf(reason, sizeof reason, "%s", dlerror());
        for (int index = 0; found && index < function_count; index++) {
            addresses[index] = dlsym(found, functions[index].name);
            if (!addresses[index]) {
                snprintf(reason, sizeof reason, "it lacks %s", functions[index].name);
                dlclose(found);
                found = NULL;
            }
        }
        library = found;
    }
    pthread_mutex_unlock(&loading);
    return text_from(env, reason[0] ? reason : NULL, NAPI_AUTO_LENGTH);
}

/* memory(slots, reals): what plain copies of structs are handed over in. */
static napi_value shared_memory(napi_env env, napi_callback_info info)
{
    napi_value memory, values[2];
    napi_ref kept;
    size_t count = 2;
    void *data;
    int64_t sizes[2];
    CHECK(napi_get_cb_info(env, info, &count, values, NULL, &data));
    for (int index = 0; index < 2; index++) CHECK(napi_get_value_int64(env, values[index], &sizes[index]));
    rows *first = &((instance *)data)->first;
    *first = (rows){NULL, (size_t)sizes[0], (size_t)sizes[1]};
    CHECK(napi_create_arraybuffer(env, first->slot_count * sizeof(int32_t) + first->real_count * sizeof(double),
                                  (void **)&first->slots, &memory));
    CHECK(napi_create_reference(env, memory, 1, &kept));
    return memory;
}

/* setMakers(function, function, function, function): what makes plain objects and errors, takes larger memory, and
 * makes pools. */
static napi_value set_makers(napi_env env, napi_callback_info info)
{
    napi_value values[4];
    size_t count = 4;
    instance *own;
    CHECK(napi_get_cb_info(env, info, &count, values, NULL, (void **)&own));
    napi_ref *kept[] = {&own->make, &own->make_error, &own->use_memory, &own->make_pool};
    for (size_t index = 0; index < 4; index++) CHECK(napi_create_reference(env, values[index], 1, kept[index]));
    return NULL;
}

static const live_handle **collected;
static size_t collected_count;

static void collect(const void *node, VISIT visit, int depth)
{
    (void)depth;
    if (visit == postorder || visit == leaf) collected[collected_count++] = *(live_handle *const *)node;
}

static void count_node(const void *node, VISIT visit, int depth)
{
    (void)node;
    (void)depth;
    if (visit == postorder || visit == leaf) collected_count++;
}

static int newest_first(const void *left, const void *right)
{
    uint64_t a = (*(const live_handle *const *)left)->order, b = (*(const live_handle *const *)right)->order;
    return (a < b) - (a > b);
}

static void leave_environment(void *data)
{
    instance *own = data;
    pthread_mutex_lock(&loading);
    collected_count = 0;
    twalk(own->live, count_node);
    size_t count = collected_count;
    collected = count ? malloc(count * sizeof *collected) : NULL;
    collected_count = 0;
    if (collected) {
        twalk(own->live, collect);
        qsort(collected, count, sizeof *collected, newest_first);
    }
    const live_handle **all = collected;
    pthread_mutex_unlock(&loading);
    for (size_t index = 0; all && index < count; index++)
        free_object(all[index]->release, (void *)(uintptr_t)all[index]->handle);
    free(all);
    tdestroy(own->live, free);
    own->live = NULL;
    while (own->batches) {
        batch *found = own->batches;
        own->batches = found->next;
        free_batch(own, found);
    }
    own->has_left = 1;
    leave_to(own);
}

static int define(napi_env env, napi_value exports, const char *name, napi_callback call, void *data)
{
    napi_value function;
    return napi_create_function(env, name, NAPI_AUTO_LENGTH, call, data, &function) == napi_ok &&
           napi_set_named_property(env, exports, name, function) == napi_ok;
}

/* `flats`: for each struct, the function that gives it flat. */
static int define_flats(napi_env env, napi_value exports, instance *own)
{
    napi_value all, function;
    if (napi_create_array_with_length(env, (size_t)struct_count, &all) != napi_ok) return 0;
    for (int index = 0; index < struct_count; index++) {
        if (!structs[index].flat) continue;
        own->flatteners[index] = (flattener){own, (int16_t)index};
        if (napi_create_function(env, "flat", NAPI_AUTO_LENGTH, read_flat, &own->flatteners[index], &function) !=
                napi_ok ||
            napi_set_element(env, all, (uint32_t)index, function) != napi_ok)
            return 0;
    }
    return napi_set_named_property(env, exports, "flats", all) == napi_ok;
}

NAPI_MODULE_INIT()
{
    static const struct {
        const char *name;
        napi_callback call;
    } own_functions[] = {
        {"load", load},          {"setMakers", set_makers}, {"memory", shared_memory},
        {"release", release},    {"dropPool", drop_pool},   {"adopt", adopt},
        {"settle", settle},      {"next", next_event},      {"watch", watch_descriptor},
        {"refer", refer},        {"unwatch", unwatch},      {"batch", begin_batch},
        {"endBatch", end_batch},
    };
    instance *own = calloc(1, sizeof *own + (size_t)function_count * sizeof *own->functions);
    if (!own) return NULL;
    own->users = 1;
    own->flatteners = calloc((size_t)struct_count, sizeof *own->flatteners);
    if (!own->flatteners || napi_add_env_cleanup_hook(env, leave_environment, own) != napi_ok) {
        leave_to(own);
        return NULL;
    }
    for (size_t index = 0; index < sizeof own_functions / sizeof own_functions[0]; index++)
        if (!define(env, exports, own_functions[index].name, own_functions[index].call, own)) return NULL;
    for (int index = 0; index < function_count; index++) {
        char name[128];
        snprintf(name, sizeof name, "%s_elsewhere", functions[index].name);
        napi_callback call = functions[index].counted > FEW_ARGUMENTS ? invoke_any : invoke_few;
        own->functions[index] = (bound){own, &functions[index]};
        if (!define(env, exports, functions[index].name, call, &own->functions[index]) ||
            !define(env, exports, name, invoke_elsewhere, &own->functions[index]))
            return NULL;
    }
    napi_value event;
    CHECK(napi_create_int32(env, event_struct, &event));
    CHECK(napi_set_named_property(env, exports, "eventStruct", event));
    return define_flats(env, exports, own) ? exports : NULL;
}
