/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A plain object with all members of a struct and of all structs within it.
 *
 * Making each value by itself would cost more than all else. So the texts go to JavaScript as one string, and the rest
 * in memory that both sides have: each struct has a row of whole numbers there, written by its function in generated.c,
 * and the maker of the struct (lib/generated.js) knows which is what. A text or bytes has its begin and end (-1: there
 * is none), a struct the place of its row (0: there is none), an array the place of those of its elements and their
 * count, a larger number the place of a real one. Bytes are put where the buffer that JavaScript makes of them shall
 * have them: nobody copies them again.
 *
 * Where a struct has the text that it was read from, its other texts mostly are parts of that one, which JavaScript has
 * already: then they are places in it, and no other string is made.
 */
#ifndef MTOKEN_FLAT_H
#define MTOKEN_FLAT_H

#include "mtoken_node.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FLAT_TEXT 4096
#define HIGH_BITS 0x8080808080808080u /* none: eight bytes are ASCII */

/* Copies of these in each row's function would drive out of the processor's cache what runs between two results. */
#define OUT_OF_LINE __attribute__((noinline, unused))

/* Of what there was too little: the caller makes room and begins again. LACKS_PART: a text was not found in the whole
   one, and all are copied. */
enum { LACKS_SLOTS = 1, LACKS_REALS = 2, LACKS_BYTES = 4, LACKS_MEMORY = 8, LACKS_PART = 16 };

struct flat {
    int32_t *slots;
    double *reals;
    void (*open)(struct flat *into); /* before the first bytes: says where they go; NULL after it */
    const void *opener;              /* for `open` */
    uint8_t *bytes;
    size_t slot_room, real_room, byte_room;
    size_t slot_count, real_count, byte_count;
    char *text; /* the first FLAT_TEXT bytes belong to the caller */
    size_t text_length, text_room;
    size_t units;  /* of UTF-16, as JavaScript counts */
    uint64_t seen; /* of bytes of texts: whether they are ASCII */
    int is_ascii, lacks;
    const char *whole;               /* ASCII: texts are found in it; NULL: they are copied */
    size_t whole_length, begin, end; /* of the last part */
};

/* The place of a new row; 0 if there is no room, where the rest may go that is not looked at any more. */
static inline size_t put_row(flat *into, size_t size)
{
    size_t place = into->slot_count;
    if (size > into->slot_room - place) {
        into->lacks |= LACKS_SLOTS;
        return 0;
    }
    into->slot_count += size;
    return place;
}

static inline int32_t put_real(flat *into, double number)
{
    if (into->real_count >= into->real_room) {
        into->lacks |= LACKS_REALS;
        return 0;
    }
    into->reals[into->real_count] = number;
    return (int32_t)into->real_count++;
}

/* A whole number that seldom has more than 31 bits: itself; -1 - the place of a real one. */
static inline int32_t put_whole(flat *into, int64_t number)
{
    return number >= 0 && number <= INT32_MAX ? (int32_t)number : -1 - put_real(into, (double)number);
}

/* The same for one that may have all 64 bits: what no real number holds is after one that is none. */
static inline int32_t put_exact(flat *into, int64_t number)
{
    const int64_t most = 9007199254740991;
    if (number >= -most && number <= most) return put_whole(into, number);
    double bits;
    memcpy(&bits, &number, sizeof bits);
    int32_t place = put_real(into, NAN);
    put_real(into, bits);
    return -1 - place;
}

static COLD int grow_text(flat *into, size_t length)
{
    size_t room = into->text_room * 2 + length;
    char *grown = malloc(room);
    if (!grown) {
        into->lacks |= LACKS_MEMORY;
        return 0;
    }
    memcpy(grown, into->text, into->text_length);
    if (into->text_room > FLAT_TEXT) free(into->text);
    into->text = grown;
    into->text_room = room;
    return 1;
}

/* Most texts are short: a call of memcpy, and another look at each for ASCII, would take twice as long. The last word
   overlaps the one before it. Gives all bits of the text. */
static inline uint64_t copy_text(char *to, const char *from, size_t length)
{
    uint64_t seen = 0, word = 0;
    if (length < sizeof word) {
        for (size_t index = 0; index < length; index++) seen |= (uint64_t)(unsigned char)(to[index] = from[index]);
        return seen;
    }
    size_t last = length - sizeof word;
    for (size_t index = 0; index < last; index += sizeof word) {
        memcpy(&word, from + index, sizeof word);
        memcpy(to + index, &word, sizeof word);
        seen |= word;
    }
    memcpy(&word, from + last, sizeof word);
    memcpy(to + last, &word, sizeof word);
    return seen | word;
}

/* In words, as copy_text. */
static inline int is_same(const char *left, const char *right, size_t length)
{
    uint64_t a, b;
    if (length < sizeof a) {
        for (size_t index = 0; index < length; index++)
            if (left[index] != right[index]) return 0;
        return 1;
    }
    size_t last = length - sizeof a;
    for (size_t index = 0; index < last; index += sizeof a) {
        memcpy(&a, left + index, sizeof a);
        memcpy(&b, right + index, sizeof b);
        if (a != b) return 0;
    }
    memcpy(&a, left + last, sizeof a);
    memcpy(&b, right + last, sizeof b);
    return a == b;
}

/* Where a text is in the whole one. Tried are the places where parts mostly are: after the last part and a separator,
   after the letter of a field, where the last part is, just after it (a currency), after the version and the template
   of signed data, after a digit (a signature). A text that is elsewhere is copied: to search for it would cost more. */
static inline void put_part(flat *into, int32_t *slot, const char *text, size_t length)
{
    const size_t places[] = {into->end + 1,   into->begin + 1, into->begin,  into->end,
                             into->begin + 3, into->begin + 4, into->end + 2};
    size_t begin = 0, index = 0;
    for (; length; index++) {
        if (index == sizeof places / sizeof *places) {
            into->lacks |= LACKS_PART;
            return;
        }
        begin = places[index];
        if (begin < into->whole_length && length <= into->whole_length - begin && into->whole[begin] == *text &&
            is_same(into->whole + begin, text, length)) {
            into->begin = begin;
            into->end = begin + length;
            break;
        }
    }
    slot[0] = (int32_t)begin;
    slot[1] = (int32_t)(begin + length);
}

static OUT_OF_LINE void put_sized(flat *into, int32_t *slot, const char *text, size_t length)
{
    slot[0] = -1;
    slot[1] = 0;
    if (text && into->whole) {
        put_part(into, slot, text, length);
        return;
    }
    if (!text || (length > into->text_room - into->text_length && !grow_text(into, length))) return;
    into->seen |= copy_text(into->text + into->text_length, text, length);
    into->text_length += length;
    slot[0] = (int32_t)into->units;
    into->units += length;
    if (!into->is_ascii)
        for (size_t index = 0; index < length; index++) {
            unsigned char byte = (unsigned char)text[index];
            into->units -= (byte & 0xc0) == 0x80; /* continuation */
            into->units += byte >= 0xf0;          /* two units */
        }
    slot[1] = (int32_t)into->units;
}

static OUT_OF_LINE void put_text(flat *into, int32_t *slot, const char *text)
{
    put_sized(into, slot, text, text ? strlen(text) : 0);
}

/* A text that mostly is another one of its struct, as raw_title is title: begins at -2 then. `place`: the other one's.
 */
static inline void put_again(flat *into, int32_t *slot, const char *text, const char *other, const int32_t *place)
{
    if (!text || text != other) {
        put_text(into, slot, text);
        if (slot[0] != place[0] || slot[1] != place[1]) return;
    }
    slot[0] = -2;
}

/* At a multiple of 8. Counts on where there is no room, so that the caller knows how much there must be. */
static inline void put_bytes(flat *into, int32_t *slot, const void *data, size_t length)
{
    slot[0] = -1;
    if (!data) return;
    if (into->open) into->open(into);
    size_t begin = (into->byte_count + 7) & ~(size_t)7;
    into->byte_count = begin + length;
    if (into->byte_count > into->byte_room || !into->byte_room) {
        into->lacks |= LACKS_BYTES;
        return;
    }
    memcpy(into->bytes + begin, data, length);
    slot[0] = (int32_t)begin;
    slot[1] = (int32_t)into->byte_count;
}

static inline void put_texts(flat *into, int32_t *slot, const char *const *texts, size_t count)
{
    int32_t *elements = into->slots + (slot[0] = (int32_t)put_row(into, 2 * count));
    slot[1] = (int32_t)count;
    for (size_t index = 0; index < count && !(into->lacks & ~LACKS_BYTES); index++)
        put_text(into, elements + 2 * index, texts[index]);
}

static inline void put_structs(flat *into, int32_t *slot, const void *const *found, size_t count,
                               int32_t (*put)(flat *into, const void *from))
{
    int32_t *elements = into->slots + (slot[0] = (int32_t)put_row(into, count));
    slot[1] = (int32_t)count;
    for (size_t index = 0; index < count && !(into->lacks & ~LACKS_BYTES); index++)
        elements[index] = put(into, found[index]);
}

#endif
