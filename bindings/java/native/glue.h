/* SPDX-License-Identifier: Apache-2.0 */
/* How a call crosses: arguments and results as one array of bytes each, in the byte order of the machine. */
#ifndef GLUE_H
#define GLUE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <mtoken.h>
#include <mtoken/extra.h>

/* What Java wrote. Texts stay where they are; structs and arrays are made in rooms. */
typedef struct input {
    const uint8_t *at;
    struct rooms *rooms;
} input;

struct rooms {
    struct rooms *next;
    size_t size;
};

/* What a block of memory takes besides its content. */
#define BLOCK 32

/* What Java will read. */
typedef struct output {
    uint8_t *data;
    size_t used, size;
    bool is_heap;
} output;

/* Zeroed memory that lasts as long as the call. Ends the process when there is none, as the library does. */
void *room(input *in, size_t size);

/* Makes place for so many bytes more. */
void grow(output *out, size_t count);

/* Failure instead of results. The error is freed; without one, all that is known is the status. */
void put_failure(output *out, mtoken_status status, mtoken_error *error);

/* Made from the header. */
void put_error(output *out, const mtoken_error *error);
void read_member(output *out, int kind, const void *at, int index);
void free_at(int kind, void *at);
int64_t event_weight(const mtoken_event *event);
extern void (*const calls[])(input *in, output *out);
extern const int call_count;

static inline void get(input *in, void *place, size_t size)
{
    memcpy(place, in->at, size);
    in->at += size;
}

static inline int32_t get_32(input *in)
{
    int32_t found;
    get(in, &found, sizeof found);
    return found;
}

static inline int64_t get_64(input *in)
{
    int64_t found;
    get(in, &found, sizeof found);
    return found;
}

static inline double get_real(input *in)
{
    double found;
    get(in, &found, sizeof found);
    return found;
}

static inline int32_t get_flag(input *in) { return *in->at++; }

static inline void *get_address(input *in) { return (void *)(intptr_t)get_64(in); }

/* A text or bytes, followed by a NUL; NULL for none. */
static inline const char *get_text(input *in, size_t *length)
{
    int32_t found = get_32(in);
    if (length) *length = found < 0 ? 0 : (size_t)found;
    if (found < 0) return NULL;
    const char *text = (const char *)in->at;
    in->at += found + 1;
    return text;
}

static inline void put(output *out, const void *place, size_t size)
{
    if (out->size - out->used < size) grow(out, size);
    memcpy(out->data + out->used, place, size);
    out->used += size;
}

static inline void put_32(output *out, int32_t value) { put(out, &value, sizeof value); }

static inline void put_64(output *out, int64_t value) { put(out, &value, sizeof value); }

static inline void put_real(output *out, double value) { put(out, &value, sizeof value); }

static inline void put_flag(output *out, int32_t value)
{
    uint8_t byte = value != 0;
    put(out, &byte, 1);
}

static inline void put_address(output *out, const void *at) { put_64(out, (intptr_t)at); }

static inline void put_sized(output *out, const char *text, size_t length)
{
    put_32(out, text ? (int32_t)length : -1);
    if (text) put(out, text, length);
}

static inline void put_text(output *out, const char *text) { put_sized(out, text, text ? strlen(text) : 0); }

static inline void put_texts(output *out, const char *const *texts, size_t count)
{
    put_32(out, (int32_t)count);
    for (size_t i = 0; i < count; i++) put_text(out, texts[i]);
}

#endif
