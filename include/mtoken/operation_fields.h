/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operation data: the string that is approved, e.g.
 * "A1*A100CZK*ICZ2730300000001165254011*D20180425*Thello".
 */
#ifndef MTOKEN_OPERATION_FIELDS_H
#define MTOKEN_OPERATION_FIELDS_H

#include "base.h"
#include "error.h"

MTOKEN_BEGIN

/* Kinds of fields in operation data. */
MTOKEN_CLOSED_ENUM(mtoken_field_kind_values) {
    MTOKEN_FIELD_EMPTY = 0,       /* no content: a placeholder */
    MTOKEN_FIELD_AMOUNT = 1,      /* letter A: amount and currency */
    MTOKEN_FIELD_ACCOUNT = 2,     /* letter I: IBAN, optionally with BIC */
    MTOKEN_FIELD_ANY_ACCOUNT = 3, /* letter Q: account in any format */
    MTOKEN_FIELD_DATE = 4,        /* letter D: date */
    MTOKEN_FIELD_REFERENCE = 5,   /* letter R: payment reference */
    MTOKEN_FIELD_NOTE = 6,        /* letter N: note */
    MTOKEN_FIELD_TEXT = 7,        /* letter T: free text */
    MTOKEN_FIELD_OTHER = 8,       /* any other letter: show it as text */
};
typedef int32_t mtoken_field_kind;

/* Templates of operation data; treat unknown ones as generic. */
MTOKEN_ENUM(mtoken_operation_template_values) {
    MTOKEN_TEMPLATE_GENERIC = 0,
    MTOKEN_TEMPLATE_PAYMENT = 1,
    MTOKEN_TEMPLATE_LOGIN = 2,
};
typedef int32_t mtoken_operation_template;

/* One field. Members that do not apply to its kind are NULL or 0. */
typedef struct mtoken_operation_field {
    mtoken_field_kind kind;               /* MTOKEN_FIELD_... */
    /* The character that identifies the kind, as a Unicode scalar value; 0: empty field */
    uint32_t letter;
    const char *raw;                      /* the whole field as it is in the data; never NULL */
    size_t offset;                        /* its offset in the data, in bytes */
    /* ANY_ACCOUNT, REFERENCE, NOTE, TEXT, OTHER: the value without escapes */
    const char *MTOKEN_NULLABLE text;
    const char *MTOKEN_NULLABLE amount;   /* AMOUNT: the number as written, e.g. "100.00" */
    /* AMOUNT: the same number without redundant zeros, e.g. "100"; exact, no floating point */
    const char *MTOKEN_NULLABLE value;
    const char *MTOKEN_NULLABLE currency; /* AMOUNT: three capital letters */
    const char *MTOKEN_NULLABLE iban;     /* ACCOUNT */
    const char *MTOKEN_NULLABLE bic;      /* ACCOUNT; NULL if there is none */
    /* ACCOUNT: 1: the IBAN has a valid form and check digits. For information only */
    mtoken_bool is_iban_valid;
    int32_t year;                         /* DATE: a calendar date, without a time zone */
    int32_t month;                        /* DATE: 1 to 12 */
    int32_t day;                          /* DATE: 1 to 31 */
} mtoken_operation_field;

/*
 * Parsed operation data. Read-only; free with mtoken_operation_fields_free unless it is part of
 * another object.
 */
typedef struct mtoken_operation_fields {
    const char *text;                            /* the operation data as passed in */
    size_t text_length;
    int32_t version;                             /* the letter, 'A' to 'Z' */
    /* 1: this library knows the version; an unknown one is parsed in the same way */
    mtoken_bool is_version_known;
    mtoken_operation_template template_id; /* MTOKEN_TEMPLATE_... or another number up to 99 */
    size_t field_count;                          /* at most 6 */
    const mtoken_operation_field *const *fields;
} mtoken_operation_fields;

/*
 * Parses operation data. Pure. The field order of the template is not enforced.
 *
 * text         at most 65,536 bytes
 * Errors       ARGUMENT, also with reason "invalidUtf8" or "controlCharacter" (a NUL); PARSE with
 *              reason "tooLong", "controlCharacter", "invalidVersion", "invalidTemplateId",
 *              "invalidField" or "tooManyFields". byte_offset says where; for an invalid field it
 *              is the offset of the field's first byte.
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_operation_fields_parse(const char *text, size_t text_length,
                              mtoken_operation_fields **out_fields, mtoken_error **out_error);

/*
 * Returns what a signature of operation data covers, as text to show. Pure. Show it above the
 * question for the PIN: it is made from the data alone, so nothing else that the bank sends can
 * change it.
 *
 * The lines, separated by "\n": "Payment", "Login" or "Operation" for the template, then one line
 * for each field that is not empty, in the order of the data:
 *     Amount: 10000.50 CZK
 *     Account: CZ2730300000001165254011, BIC GIBACZPX
 *     Account: "238400856/0300"             (ANY_ACCOUNT)
 *     Date: 2018-04-25
 *     Reference: "/VS123"   Note: "..."   Text: "..."   Other: "Xvalue" (the letter first)
 * Data of an unknown form are one line: Cannot be read: "the data". In quotation marks, \ precedes
 * quotation marks and backslashes; characters that end a line, are invisible or change the order of
 * others, and spaces other than " ", are written as \u{202E}. No line can imitate another.
 *
 * text         operation data, of any form and length
 * out_summary  never empty; free with mtoken_text_free
 * Errors       ARGUMENT, also with reason "invalidUtf8"
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_operation_fields_summary(const char *text, size_t text_length, mtoken_text **out_summary,
                                mtoken_error **out_error);

/*
 * One field of the operation data to build. Members that do not apply to its kind are ignored. This
 * struct never grows.
 */
typedef struct mtoken_field_input {
    mtoken_field_kind kind; /* MTOKEN_FIELD_..., but not OTHER; EMPTY leaves the place empty */
    int32_t year;           /* DATE */
    int32_t month;          /* DATE */
    int32_t day;            /* DATE */
    mtoken_text text;       /* ANY_ACCOUNT, REFERENCE, NOTE, TEXT: any text, without escapes */
    mtoken_text amount;     /* AMOUNT: positive, at most two decimal places, e.g. "100.50" */
    mtoken_text currency;   /* AMOUNT: three letters */
    mtoken_text iban;       /* ACCOUNT: digits and capital letters */
    mtoken_text bic;        /* ACCOUNT: digits and capital letters; not set: none */
} mtoken_field_input;

#define MTOKEN_FIELD_INPUT_INIT \
    { \
        0, 0, 0, 0, MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT, \
        MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT \
    }

/*
 * Builds operation data as a server does, for servers and tests. Pure. Whitespace is collapsed to
 * single spaces; line breaks and field separators are escaped. Trailing empty fields are omitted.
 *
 * Free with mtoken_text_free.
 *
 * version      'A' to 'Z'; normally 'A'
 * template_id  MTOKEN_TEMPLATE_... or another number up to 99. The field order of the template is
 *              not enforced
 * fields       at most 64; the last one that is not empty must be among the first 5
 * Errors       ARGUMENT (the reason says which rule is violated)
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_operation_fields_build(int32_t version, mtoken_operation_template template_id,
                              const mtoken_field_input *fields, size_t field_count,
                              mtoken_text **out_text, mtoken_error **out_error);

/* Frees the fields and everything reached through them. NULL is ignored. */
MTOKEN_API void mtoken_operation_fields_free(mtoken_operation_fields *fields);

MTOKEN_END

#endif
