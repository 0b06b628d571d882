/*
 * The interface as tables, which Tests/misuse/generate.py makes from mtoken.abi.json: how a well-formed call of each
 * function looks, and what its parts are for. misuse.c makes such calls with one part wrong.
 */
#ifndef MISUSE_H
#define MISUSE_H

#include <mtoken.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum role {
    ROLE_HANDLE,
    ROLE_TEXT,
    ROLE_BYTES,
    ROLE_STRING,  /* a text that ends at its NUL */
    ROLE_OPTIONS, /* pointer to an option struct */
    ROLE_FIXED,   /* a struct inside another one */
    ROLE_ARRAY,   /* pointer to structs, and their number elsewhere */
    ROLE_STRUCT,  /* pointer to a struct that the library made */
    ROLE_NUMBER,
    ROLE_RESERVED,
    ROLE_STRUCT_SIZE,
    ROLE_POINTER, /* of the host's own; the library does not look at it */
    ROLE_CALLBACK,
    ROLE_OUT, /* of a pointer */
    ROLE_OUT_NUMBER,
    ROLE_ERROR,
} role;

/* A parameter, or a member of a struct that the host makes. */
typedef struct part {
    const char *name;
    role role;
    size_t offset; /* in the struct; parameters stand in a struct too */
    size_t other;  /* offset of the length or count */
    size_t width;  /* of a number, in bytes */
    bool is_unsigned;
    bool nullable;
    bool bounded;          /* a time span of a call that waits: short ones only */
    size_t index;          /* of the handle's kind, or of the struct */
    const char *type;      /* of a ROLE_STRUCT; NULL with a NULL that is well-formed */
    const int64_t *values; /* of the enumeration */
    size_t value_count;
    bool is_flags;
    /* The well-formed value: a number, or a text; one that begins with "$" is asked of the world. NULL: not given. */
    int64_t number;
    const char *text;
    size_t length;
    void (*free)(void *made); /* of what a ROLE_OUT gives; NULL: the library keeps it */
} part;

typedef struct layout {
    const char *name;
    size_t size;
    const part *parts;
    size_t count;
    const size_t *ends; /* of an option struct: where its members end, the last one 0 */
} layout;

typedef enum result_role { RESULT_NOTHING, RESULT_STATUS, RESULT_POINTER, RESULT_NUMBER } result_role;

typedef struct outcome {
    int64_t number;
    const void *pointer;
} outcome;

typedef struct function {
    const char *name;
    const char *header;
    layout parameters;
    result_role result;
    int64_t invalid; /* the number that stands for an invalid handle */
    void (*call)(const void *parameters, outcome *outcome);
    bool changes;                      /* what its handles stand for */
    void (*free_result)(void *result); /* NULL: the library keeps it */
} function;

typedef struct kind {
    const char *name;
    void (*free)(void *handle); /* NULL: the host frees none */
} kind;

extern const kind kinds[];
extern const size_t kind_count;
extern const layout structs[];
extern const size_t struct_count;
extern const function functions[];
extern const size_t function_count;
extern const char *const headers[];
extern const size_t header_count;
extern const int64_t statuses[];
extern const size_t status_count;

#endif
