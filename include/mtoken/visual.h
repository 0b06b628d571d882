/* SPDX-License-Identifier: Apache-2.0 */
/* Lays out an operation as the bank wants it, and finds members that a bank added to JSON. */
#ifndef MTOKEN_VISUAL_H
#define MTOKEN_VISUAL_H

#include "base.h"
#include "error.h"
#include "operation.h"

MTOKEN_BEGIN

/* Kinds of cells. Ignore unknown kinds. */
MTOKEN_ENUM(mtoken_cell_kind_values) {
    MTOKEN_CELL_TITLE = 1,   /* the operation's title */
    MTOKEN_CELL_MESSAGE = 2, /* the operation's message */
    MTOKEN_CELL_HEADING = 3, /* a HEADING attribute */
    MTOKEN_CELL_IMAGE = 4,   /* an IMAGE attribute */
    MTOKEN_CELL_VALUE = 5,   /* any other attribute, with its label */
};
typedef int32_t mtoken_cell_kind;

/* One cell of a laid-out operation. */
typedef struct mtoken_visual_cell {
    mtoken_cell_kind kind;                              /* MTOKEN_CELL_... */
    /*
     * The title, the message, the heading, or the value as one text; NULL if the attribute has none
     * (IMAGE, PARTY_INFO, ALERT, UNKNOWN): see attribute
     */
    const char *MTOKEN_NULLABLE text;
    const mtoken_attribute *MTOKEN_NULLABLE attribute;  /* NULL for TITLE and MESSAGE */
    /* The template's entry for this cell; NULL if no template names it */
    const mtoken_template_cell *MTOKEN_NULLABLE layout;
} mtoken_visual_cell;

/* Cells under a heading. */
typedef struct mtoken_visual_section {
    /* A name that bank and app have agreed on; NULL if there is none */
    const char *MTOKEN_NULLABLE style;
    /* The label of the attribute that the template names as title; NULL if there is none */
    const char *MTOKEN_NULLABLE title;
    size_t cell_count;
    const mtoken_visual_cell *const *cells;
} mtoken_visual_section;

/* An operation laid out by "ui"."templates", or in the default layout without them. */
typedef struct mtoken_visual {
    /* The operation as a row of a list, with placeholders resolved; each NULL if there is none */
    const char *MTOKEN_NULLABLE list_header;
    const char *MTOKEN_NULLABLE list_title;
    const char *MTOKEN_NULLABLE list_message;
    const char *MTOKEN_NULLABLE list_image_url;   /* thumbnail */
    const char *MTOKEN_NULLABLE list_style;
    const char *MTOKEN_NULLABLE detail_style;     /* style of the operation shown alone */
    size_t section_count;
    const mtoken_visual_section *const *sections;
} mtoken_visual;

/*
 * Lays out an operation: resolves ${attribute id} in the texts for lists, and arranges the
 * attributes in sections. If an attribute is missing or has no text, or the result is longer than
 * 65,536 bytes, list_title is the operation's title, list_message its message, and list_header
 * NULL. The first section holds title and message, unless the template says otherwise; then come
 * the template's sections, then the remaining attributes. No attribute is dropped: one that is more
 * than a heading has a cell even if its label is the title of a section. Pure.
 *
 * operation    from a result of this library; the function reads its json only
 * out_visual   must be freed with mtoken_visual_free
 * Errors       ARGUMENT, PARSE
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_visual_new(const mtoken_operation *operation, mtoken_visual **out_visual,
                  mtoken_error **out_error);
MTOKEN_API void mtoken_visual_free(mtoken_visual *visual);

/* Types of JSON values. */
MTOKEN_CLOSED_ENUM(mtoken_json_kind_values) {
    MTOKEN_JSON_NULL = 0,
    MTOKEN_JSON_BOOLEAN = 1,
    MTOKEN_JSON_INTEGER = 2,
    MTOKEN_JSON_REAL = 3,
    MTOKEN_JSON_TEXT = 4,
    MTOKEN_JSON_ARRAY = 5,
    MTOKEN_JSON_OBJECT = 6,
};
typedef int32_t mtoken_json_kind;

/* A value that mtoken_json_find has found. */
typedef struct mtoken_json_value {
    mtoken_json_kind kind;            /* MTOKEN_JSON_... */
    const char *json;                 /* the value as written; never NULL */
    size_t json_length;
    /* TEXT, decoded; NULL for other kinds, and for a text that contains a NUL */
    const char *MTOKEN_NULLABLE text;
    int64_t integer;                  /* INTEGER within 64 bits, otherwise 0 */
    double number; /* INTEGER and REAL, rounded to the nearest double; otherwise 0 */
    mtoken_bool is_true;              /* 1: true; 0: false, or not a BOOLEAN */
    size_t count;                     /* elements or members of an ARRAY or OBJECT */
} mtoken_json_value;

/*
 * Finds a value within JSON, e.g. a member that a bank added to the json of an mtoken_operation or
 * mtoken_attribute, or to the payload of a screen. Pure.
 *
 * path         JSON pointer (RFC 6901), e.g. "/playSound" or "/formData/attributes/0/id"; empty:
 *              the whole document
 * out_value    must be freed with mtoken_json_value_free
 * Errors       ARGUMENT, PARSE (byte_offset), NOT_FOUND
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_json_find(const char *json, size_t json_length, const char *path, size_t path_length,
                 mtoken_json_value **out_value, mtoken_error **out_error);
MTOKEN_API void mtoken_json_value_free(mtoken_json_value *value);

MTOKEN_END

#endif
