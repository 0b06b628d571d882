/* SPDX-License-Identifier: Apache-2.0 */
/* What the tables in generated.c are made of. */
#ifndef MTOKEN_NODE_H
#define MTOKEN_NODE_H

#include <stddef.h>
#include <stdint.h>

/* What seldom runs lies elsewhere: between two results, JavaScript needs the processor's caches for itself. */
#define COLD __attribute__((cold))

/* An argument or a result of a function of the library. */
typedef union slot {
    uint64_t unsigned_number;
    int64_t number;
    int32_t small_number;
    double real;
    void *pointer;
    const void *constant;
} slot;

#define MAX_SLOTS 16

/* One step of making arguments. Most take the next argument of JavaScript. */
typedef enum step_kind {
    STEP_END,
    STEP_HANDLE,  /* number -> slot */
    STEP_TEXT,    /* string -> slot, length in the next one */
    STEP_BYTES,   /* Uint8Array -> slot, length in the next one */
    STEP_VALUE,   /* number of `type` -> slot */
    STEP_VIEW,    /* struct of the library -> slot */
    STEP_ARRAY,   /* array of arrays -> slot, count in `other` */
    STEP_OPTIONS, /* bits: which members are given, -1: none -> slot; its members follow */
    STEP_CLOSE,   /* no argument: the members of the last STEP_OPTIONS have ended */
    MEMBER_TEXT,  /* -> mtoken_text at offset */
    MEMBER_CHARS, /* -> NUL-terminated text at offset */
    MEMBER_BYTES,
    MEMBER_VALUE,
    MEMBER_HANDLE,
    MEMBER_VIEW,
    MEMBER_ARRAY,   /* count at `other` */
    MEMBER_OPTIONS, /* like STEP_OPTIONS: a pointer to another option struct at offset */
} step_kind;

typedef enum value_type {
    TYPE_I32,
    TYPE_U32,
    TYPE_I64,
    TYPE_U64,
    TYPE_SIZE,
    TYPE_BOOL,
    TYPE_ANSWER,
    TYPE_REAL,
} value_type;

typedef struct step {
    uint8_t kind;
    uint8_t type;    /* value_type */
    uint8_t secret;  /* texts may be given as bytes */
    uint16_t place;  /* slot, or offset of the member */
    uint16_t other;  /* slot or offset of the count; size of the struct of options */
    int16_t element; /* struct of the views and elements; -1: mtoken_text */
    const char *name;
} step;

typedef struct flat flat;

typedef struct described_struct {
    const char *name;
    uint16_t size;
    uint16_t whole, whole_length;                  /* offsets of the text that it was read from; 0, 0: none */
    int32_t (*flat)(flat *into, const void *from); /* the place of its row; see flat.h */
    const step *steps;                             /* of elements that JavaScript gives as arrays */
} described_struct;

typedef enum out_kind {
    OUT_NONE,
    OUT_HANDLE, /* `index`: of the function that frees it */
    OUT_OWNED,  /* a struct; `index`: of the function that frees it */
    OUT_COPIED, /* a struct that lives in another object */
    OUT_COPIED_AND_FREED,
    OUT_LENT, /* a struct that lives in a parameter: its address */
    OUT_TEXT, /* mtoken_text, freed at once */
    OUT_BYTES,
    OUT_VALUE,
    OUT_CHARS, /* const char * */
} out_kind;

typedef struct out {
    uint8_t kind;
    uint8_t type;
    uint8_t slot;
    int16_t element;
    int16_t index;
} out;

typedef struct described_function {
    const char *name;
    void (*call)(slot *slots);
    const step *steps;
    uint8_t status;  /* it returns an mtoken_status; slot 0 */
    int8_t error;    /* the slot of its error; -1: none */
    uint8_t counted; /* how many arguments of JavaScript */
    uint8_t frees;   /* its first argument */
    uint8_t out_count;
    out outs[2];
} described_function;

extern const described_struct structs[];
extern const described_function functions[];
extern const int function_count;
extern const int struct_count;
extern const int error_struct; /* mtoken_error */
extern const int event_struct;

extern void *addresses[]; /* of the functions, in the library that was loaded */

#endif
