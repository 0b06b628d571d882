/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MTOKEN_CJANSSON_SHIM_H
#define MTOKEN_CJANSSON_SHIM_H

#include <jansson.h>
#include <locale.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The flags are object-like macros with hexadecimal values: give them a fixed type. */
static inline size_t mtoken_json_dump_flags(void) { return JSON_COMPACT | JSON_ENCODE_ANY; }

static inline void mtoken_json_free(json_t *json) { json_decref(json); }

/* The number that a text means with a point for its decimals, whatever the locale of the program. */
static inline double mtoken_json_real(const char *text)
{
    extern double strtod_l(const char *, char **, locale_t);
    return strtod_l(text, 0, newlocale(LC_ALL_MASK, "C", (locale_t)0)); /* which is a constant and not to be freed */
}

/* Clears memory in a way that the compiler does not remove. */
static inline void mtoken_json_wipe(void *memory, size_t length)
{
    if (length)
        explicit_bzero(memory, length);
}

#endif
