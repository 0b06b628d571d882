/* An operation as the bank wants it laid out, and members that a bank added. */
#ifndef MTOKEN_VISUAL_H
#define MTOKEN_VISUAL_H

#include "base.h"
#include "error.h"
#include "operation.h"

MTOKEN_BEGIN

/* What a cell shows. Ignore kinds that you do not know. */
MTOKEN_ENUM(mtoken_cell_kind_values) {
    MTOKEN_CELL_TITLE = 1,   /* the operation's title */
    MTOKEN_CELL_MESSAGE = 2, /* the operation's message */
    MTOKEN_CELL_HEADING = 3, /* a HEADING attribute */
    MTOKEN_CELL_IMAGE = 4,   /* an IMAGE attribute */
    MTOKEN_CELL_VALUE = 5,   /* any other attribute, with its label */
};
typedef int32_t mtoken_cell_kind;

/* One cell of an operation that is laid out. */
typedef struct mtoken_visual_cell {
    mtoken_cell_kind kind;                              /* MTOKEN_CELL_... */
    /*
     * The title, the message, the heading, the value in one text; NULL: the attribute has none
     * (IMAGE, PARTY_INFO, ALERT, UNKNOWN): see attribute
     */
    const char *MTOKEN_NULLABLE text;
    const mtoken_attribute *MTOKEN_NULLABLE attribute;  /* NULL: TITLE or MESSAGE */
    /* What the template says of the cell; NULL: no template names it */
    const mtoken_template_cell *MTOKEN_NULLABLE layout;
} mtoken_visual_cell;

/* Cells under a heading. */
typedef struct mtoken_visual_section {
    const char *MTOKEN_NULLABLE style;      /* a name that bank and app agreed on; NULL: none */
    /* Label of the attribute that the template names; NULL: none */
    const char *MTOKEN_NULLABLE title;
    size_t cell_count;
    const mtoken_visual_cell *const *cells;
} mtoken_visual_section;

/* An operation laid out by "ui"."templates", or in the usual way where there are none. */
typedef struct mtoken_visual {
    /* A row in a list of operations: placeholders are filled in; NULL: none */
    const char *MTOKEN_NULLABLE list_header;
    const char *MTOKEN_NULLABLE list_title;
    const char *MTOKEN_NULLABLE list_message;
    const char *MTOKEN_NULLABLE list_image_url;   /* thumbnail */
    const char *MTOKEN_NULLABLE list_style;
    const char *MTOKEN_NULLABLE detail_style;     /* the operation alone */
    size_t section_count;
    const mtoken_visual_section *const *sections;
} mtoken_visual;

/*
 * Lays out an operation: texts with ${attribute id} filled in (a text whose attribute is missing,
 * or that gets longer than 65536 bytes, falls back to the title or message), and the attributes in
 * sections: first title and message, unless the template says otherwise; then the template's
 * sections; then the attributes that are left. No attribute gets lost: one that is more than a
 * heading has a cell even where its label is a section's title. Pure.
 *
 * operation    from a result of this library; its json is read
 * out_visual   free with mtoken_visual_free
 * Errors       ARGUMENT, PARSE
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_visual_new(const mtoken_operation *operation, mtoken_visual **out_visual,
                  mtoken_error **out_error);
MTOKEN_API void mtoken_visual_free(mtoken_visual *visual);

/* What a JSON value is. */
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

/* A value found within JSON. */
typedef struct mtoken_json_value {
    mtoken_json_kind kind;            /* MTOKEN_JSON_... */
    const char *json;                 /* the value as it was written; never NULL */
    size_t json_length;
    const char *MTOKEN_NULLABLE text; /* TEXT, decoded; NULL: no text, or one that holds a NUL */
    int64_t integer;                  /* INTEGER within 64 bits, else 0 */
    double number;                    /* INTEGER and REAL, as near as a double comes; else 0 */
    mtoken_bool is_true;              /* 1: true; 0: false, or no BOOLEAN */
    size_t count;                     /* elements or members of an ARRAY or OBJECT */
} mtoken_json_value;

/*
 * Finds a value within JSON, e.g. a member that a bank added, within the json of an
 * mtoken_operation or mtoken_attribute or the payload of a screen. Pure.
 *
 * path         JSON pointer (RFC 6901), e.g. "/playSound" or "/formData/attributes/0/id"; empty:
 *              the whole
 * out_value    free with mtoken_json_value_free
 * Errors       ARGUMENT, PARSE (byte_offset), NOT_FOUND
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_json_find(const char *json, size_t json_length, const char *path, size_t path_length,
                 mtoken_json_value **out_value, mtoken_error **out_error);
MTOKEN_API void mtoken_json_value_free(mtoken_json_value *value);

MTOKEN_END

#endif
