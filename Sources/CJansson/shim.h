#ifndef MTOKEN_CJANSSON_SHIM_H
#define MTOKEN_CJANSSON_SHIM_H

#include <jansson.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

/* What json_loadb() says about a text that it refused. The message text is left out on purpose: it quotes the input. */
struct mtoken_json_failure {
    int code;     /* enum json_error_code */
    int position; /* bytes read when the error was found */
};

static inline json_t *mtoken_json_load(const char *text, size_t length, size_t flags, struct mtoken_json_failure *failure)
{
    json_error_t error;
    json_t *json = json_loadb(text, length, flags, &error);
    if (!json) {
        failure->code = (int)json_error_code(&error);
        failure->position = error.position;
    }
    return json;
}

/* The flags are object-like macros with hexadecimal values, the types an enum of unknown size: give both a fixed type. */
static inline size_t mtoken_json_load_flags(void) { return JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL | JSON_DECODE_ANY; }

static inline size_t mtoken_json_dump_flags(void) { return JSON_COMPACT | JSON_ENCODE_ANY; }

static inline int mtoken_json_type(const json_t *json) { return (int)json_typeof(json); }

static inline void mtoken_json_free(json_t *json) { json_decref(json); }

/* The text of a JSON string, writable: only for the owner of the whole tree, to wipe it before it is freed. */
static inline char *mtoken_json_string_memory(json_t *json) { return (char *)json_string_value(json); }

/* Clears memory in a way that the compiler does not remove. */
static inline void mtoken_json_wipe(void *memory, size_t length)
{
    if (length)
        explicit_bzero(memory, length);
}

#endif
