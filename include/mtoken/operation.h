/*
 * What an operation is: the decoded form of the server's JSON.
 *
 * All texts are as the server sent them. A text that the server left out is NULL; members whose
 * names end in _text hold the raw value beside a decoded one. Each struct lives as long as the
 * result that it was reached from.
 */
#ifndef MTOKEN_OPERATION_H
#define MTOKEN_OPERATION_H

#include "base.h"
#include "operation_fields.h"

MTOKEN_BEGIN

/* status */
MTOKEN_ENUM(mtoken_operation_status_values) {
    /* A status of a later server: do not offer approval; see status_text */
    MTOKEN_OPERATION_UNKNOWN = 0,
    MTOKEN_OPERATION_PENDING = 1,
    MTOKEN_OPERATION_APPROVED = 2,
    MTOKEN_OPERATION_REJECTED = 3,
    MTOKEN_OPERATION_CANCELED = 4,
    MTOKEN_OPERATION_EXPIRED = 5,
    MTOKEN_OPERATION_FAILED = 6,
};
typedef int32_t mtoken_operation_status;

/* allowedSignatureType.type */
MTOKEN_ENUM(mtoken_signature_type_values) {
    MTOKEN_SIGNATURE_TYPE_UNKNOWN = 0,
    MTOKEN_SIGNATURE_TYPE_1FA = 1,
    MTOKEN_SIGNATURE_TYPE_2FA = 2,
    MTOKEN_SIGNATURE_TYPE_ECDSA = 3,   /* no mobile token can make it */
};
typedef int32_t mtoken_signature_type;

/* allowedSignatureType.variants, added up */
MTOKEN_FLAGS(mtoken_signature_variants_values) {
    MTOKEN_VARIANT_POSSESSION = 1,
    MTOKEN_VARIANT_POSSESSION_KNOWLEDGE = 2,
    MTOKEN_VARIANT_POSSESSION_BIOMETRY = 4,
};
typedef int32_t mtoken_signature_variants;

/* attribute type */
MTOKEN_ENUM(mtoken_attribute_kind_values) {
    MTOKEN_ATTRIBUTE_UNKNOWN = 0,
    MTOKEN_ATTRIBUTE_AMOUNT = 1,
    MTOKEN_ATTRIBUTE_AMOUNT_CONVERSION = 2,
    MTOKEN_ATTRIBUTE_KEY_VALUE = 3,
    MTOKEN_ATTRIBUTE_NOTE = 4,
    MTOKEN_ATTRIBUTE_HEADING = 5,
    MTOKEN_ATTRIBUTE_PARTY_INFO = 6,
    MTOKEN_ATTRIBUTE_IMAGE = 7,
    MTOKEN_ATTRIBUTE_ALERT = 8,
};
typedef int32_t mtoken_attribute_kind;

/* alertType, and style of screen elements */
MTOKEN_ENUM(mtoken_alert_kind_values) {
    MTOKEN_ALERT_INFO = 0,    /* also for a type of a later server */
    MTOKEN_ALERT_SUCCESS = 1,
    MTOKEN_ALERT_WARNING = 2,
    MTOKEN_ALERT_ERROR = 3,
};
typedef int32_t mtoken_alert_kind;

/* An amount with its currency. Show the formatted texts; never compute with `value`. */
typedef struct mtoken_amount {
    /* "amount": exact, with the digits that were sent, e.g. "10000.50"; NULL: not a number */
    const char *MTOKEN_NULLABLE amount;
    const char *MTOKEN_NULLABLE currency;        /* "currency" */
    const char *amount_formatted; /* "amountFormatted", else the text of amount; never NULL */
    const char *currency_formatted; /* "currencyFormatted", else currency; never NULL */
    /* "valueFormatted": both together as the bank writes it; NULL: not given */
    const char *MTOKEN_NULLABLE value_formatted;
    /* "amount" as a binary number, for sorting and charts only; 0 without an amount */
    double value;
} mtoken_amount;

/* PARTY_INFO: "partyInfo" */
typedef struct mtoken_party {
    const char *MTOKEN_NULLABLE logo_url;    /* "logoUrl" */
    const char *MTOKEN_NULLABLE name;        /* "name" */
    const char *MTOKEN_NULLABLE description; /* "description" */
    const char *MTOKEN_NULLABLE website_url; /* "websiteUrl" */
} mtoken_party;

/* One row of an operation's form. */
typedef struct mtoken_attribute {
    mtoken_attribute_kind kind;                  /* MTOKEN_ATTRIBUTE_... from "type" */
    const char *kind_text;                       /* "type" */
    const char *id;                              /* "id" */
    const char *label;                           /* "label" */

    /* AMOUNT; AMOUNT_CONVERSION: "sourceAmount", "sourceCurrency", ...; else NULL */
    const mtoken_amount *MTOKEN_NULLABLE amount;
    /* AMOUNT_CONVERSION: "targetAmount", "targetCurrency", ...; else NULL */
    const mtoken_amount *MTOKEN_NULLABLE target;
    /* AMOUNT_CONVERSION "dynamic": MTOKEN_YES if the rate may still change; else UNSET */
    mtoken_answer is_dynamic;
    const char *MTOKEN_NULLABLE value;           /* KEY_VALUE "value", NOTE "note"; else NULL */
    int32_t heading_level;                       /* HEADING "level", 0 if not given */
    const mtoken_party *MTOKEN_NULLABLE party;   /* PARTY_INFO "partyInfo"; else NULL */
    const char *MTOKEN_NULLABLE thumbnail_url;   /* IMAGE "thumbnailUrl"; else NULL */
    const char *MTOKEN_NULLABLE original_url;    /* IMAGE "originalUrl"; NULL: not given */
    mtoken_alert_kind alert_kind;                /* ALERT: MTOKEN_ALERT_... from "alertType" */
    const char *MTOKEN_NULLABLE alert_kind_text; /* ALERT "alertType"; else NULL */
    const char *MTOKEN_NULLABLE alert_title;     /* ALERT "title"; NULL: not given */
    const char *MTOKEN_NULLABLE alert_message;   /* ALERT "message"; NULL: not given */
    /* UNKNOWN: the whole attribute as the server sent it; else NULL */
    const char *MTOKEN_NULLABLE json;
} mtoken_attribute;

/* type of a pre-approval screen */
MTOKEN_ENUM(mtoken_screen_kind_values) {
    MTOKEN_SCREEN_UNKNOWN = 0,
    MTOKEN_SCREEN_WARNING = 1,
    MTOKEN_SCREEN_INFO = 2,
    MTOKEN_SCREEN_QR_SCAN = 3, /* the user must scan a proximity code before approving */
};
typedef int32_t mtoken_screen_kind;

/* type of a screen element */
MTOKEN_ENUM(mtoken_element_kind_values) {
    MTOKEN_ELEMENT_UNKNOWN = 0,
    MTOKEN_ELEMENT_LIST_ITEM = 1,
    MTOKEN_ELEMENT_ALERT = 2,
    MTOKEN_ELEMENT_BUTTON = 3,
};
typedef int32_t mtoken_element_kind;

/* One element of a pre-approval screen. */
typedef struct mtoken_screen_element {
    mtoken_element_kind kind;                    /* MTOKEN_ELEMENT_... from "type" */
    const char *kind_text;                       /* "type" */
    const char *MTOKEN_NULLABLE id;              /* "id" */
    const char *MTOKEN_NULLABLE text;            /* "text" */
    const char *MTOKEN_NULLABLE icon;            /* LIST_ITEM "icon" */
    const char *MTOKEN_NULLABLE style;           /* "style": INFO, WARNING, DANGER */
    const char *MTOKEN_NULLABLE action;          /* BUTTON "action": LINK, MAIL, PHONE */
    const char *MTOKEN_NULLABLE action_settings; /* BUTTON "actionSettings", e.g. REJECT */
    const char *MTOKEN_NULLABLE href;            /* BUTTON "href" */
} mtoken_screen_element;

/* "controls" of a pre-approval screen */
typedef struct mtoken_screen_controls {
    mtoken_answer flip; /* "flip": MTOKEN_UNSET, _NO, _YES: approve and reject change places */
    const char *MTOKEN_NULLABLE axis;         /* "axis": HORIZONTAL, VERTICAL */
    /* "decline"."type": BACK, REJECT; NULL: no decline control given */
    const char *MTOKEN_NULLABLE decline_kind;
    const char *MTOKEN_NULLABLE decline_text; /* "decline"."text" */
    /* "approve"."type": SLIDER, BUTTON; NULL: no approve control given */
    const char *MTOKEN_NULLABLE approve_kind;
    const char *MTOKEN_NULLABLE approve_text; /* "approve"."text" */
    /* "approve"."counter": seconds before the control becomes active; MTOKEN_UNSET: none */
    int32_t approve_counter_s;
} mtoken_screen_controls;

/* A screen to show before the operation: "ui"."preApprovalScreens". */
typedef struct mtoken_pre_approval_screen {
    mtoken_screen_kind kind;                      /* MTOKEN_SCREEN_... from "type" */
    const char *MTOKEN_NULLABLE kind_text;        /* "type" */
    const char *MTOKEN_NULLABLE id;               /* "id" */
    const char *heading;                          /* "heading"; never NULL */
    const char *message;                          /* "message"; never NULL */
    mtoken_answer back_button;                    /* "backButton": MTOKEN_UNSET, _NO, _YES */
    const char *MTOKEN_NULLABLE image;            /* "image" */
    mtoken_bool has_elements; /* 1: an "elements" list was given, even an empty one */
    size_t element_count;
    const mtoken_screen_element *const *elements; /* "elements": those that can be read */
    const mtoken_screen_controls *MTOKEN_NULLABLE controls; /* "controls"; NULL: none */
} mtoken_pre_approval_screen;

/*
 * The older, single "preApprovalScreen", as sent. It is also found, converted, in
 * pre_approval_screens.
 */
typedef struct mtoken_legacy_screen {
    mtoken_screen_kind kind;                        /* MTOKEN_SCREEN_... from "type" */
    const char *MTOKEN_NULLABLE kind_text;          /* "type"; NULL: not given */
    const char *heading;                            /* "heading"; never NULL */
    const char *message;                            /* "message"; never NULL */
    mtoken_bool has_items;                          /* 1: an "items" list was given */
    size_t item_count;
    const char *const *items;                       /* "items": those that are texts */
    /* "approvalType": SLIDER, ...; NULL: not given */
    const char *MTOKEN_NULLABLE approval_kind_text;
} mtoken_legacy_screen;

/* type of a post-approval screen */
MTOKEN_ENUM(mtoken_post_screen_kind_values) {
    MTOKEN_POST_SCREEN_UNKNOWN = 0,
    MTOKEN_POST_SCREEN_REVIEW = 1,
    MTOKEN_POST_SCREEN_MERCHANT_REDIRECT = 2,
    MTOKEN_POST_SCREEN_GENERIC = 3,
};
typedef int32_t mtoken_post_screen_kind;

/* "postApprovalScreen": what to show after the approval */
typedef struct mtoken_post_approval_screen {
    mtoken_post_screen_kind kind;              /* MTOKEN_POST_SCREEN_... from "type" */
    const char *MTOKEN_NULLABLE kind_text;     /* "type" */
    const char *heading;                       /* "heading" */
    const char *message;                       /* "message" */
    size_t attribute_count;
    /* REVIEW "payload"."attributes": those that can be read */
    const mtoken_attribute *const *attributes;
    const char *MTOKEN_NULLABLE redirect_text; /* MERCHANT_REDIRECT "payload"."redirectText" */
    const char *MTOKEN_NULLABLE redirect_url;  /* MERCHANT_REDIRECT "payload"."redirectUrl" */
    int32_t countdown_s; /* MERCHANT_REDIRECT "payload"."countdown", seconds; 0 if not given */
    const char *MTOKEN_NULLABLE payload;       /* "payload" as JSON; NULL: none */
} mtoken_post_approval_screen;

/* "templates": how the bank likes lists and details laid out. All members may be NULL. */
typedef struct mtoken_template_cell {
    const char *name;                        /* "name": id of an attribute */
    const char *MTOKEN_NULLABLE style;       /* "style" */
    mtoken_answer visible_title;             /* "visibleTitle": MTOKEN_UNSET, _NO, _YES */
    mtoken_answer can_copy;                  /* "canCopy" */
    const char *MTOKEN_NULLABLE collapsable; /* "collapsable": NO, COLLAPSED, YES */
    mtoken_answer is_centered;               /* "centered" */
} mtoken_template_cell;

/* A section of a detail's layout. */
typedef struct mtoken_template_section {
    const char *MTOKEN_NULLABLE style;        /* "style" */
    const char *MTOKEN_NULLABLE title;        /* "title": id of an attribute */
    mtoken_bool has_cells;                    /* 1: a "cells" list was given */
    size_t cell_count;
    const mtoken_template_cell *const *cells; /* "cells": those with a name */
} mtoken_template_section;

/* How the bank wants the operation laid out: "ui"."templates". */
typedef struct mtoken_templates {
    mtoken_bool has_list;                           /* 1: "list" was given */
    const char *MTOKEN_NULLABLE list_style;         /* "list"."style" */
    /* "list"."header": like the next two a format with ${attribute id} */
    const char *MTOKEN_NULLABLE list_header;
    const char *MTOKEN_NULLABLE list_title;         /* "list"."title" */
    const char *MTOKEN_NULLABLE list_message;       /* "list"."message" */
    const char *MTOKEN_NULLABLE list_image;         /* "list"."image": id of an IMAGE attribute */
    mtoken_bool has_detail;                         /* 1: "detail" was given */
    const char *MTOKEN_NULLABLE detail_style;       /* "detail"."style" */
    /* "detail"."showTitleAndMessage": MTOKEN_UNSET, _NO, _YES */
    mtoken_answer show_title_and_message;
    mtoken_bool has_sections;                       /* 1: "detail"."sections" was given */
    size_t section_count;
    const mtoken_template_section *const *sections; /* "detail"."sections" */
} mtoken_templates;

/* "ui" of an operation */
typedef struct mtoken_operation_ui {
    /* "flipButtons": MTOKEN_UNSET, _NO, _YES: approve and reject change places */
    mtoken_answer flip_buttons;
    /* "blockApprovalOnCall": explain instead of approving while a call is active */
    mtoken_answer block_approval_on_call;
    mtoken_bool has_pre_approval_screens; /* 1: there is a list of them, even an empty one */
    size_t pre_approval_screen_count;
    /* "preApprovalScreens", else "preApprovalScreen", converted */
    const mtoken_pre_approval_screen *const *pre_approval_screens;
    /* "preApprovalScreen"; NULL: none */
    const mtoken_legacy_screen *MTOKEN_NULLABLE legacy_pre_approval_screen;
    /* "postApprovalScreen"; NULL: none */
    const mtoken_post_approval_screen *MTOKEN_NULLABLE post_approval_screen;
    const mtoken_templates *MTOKEN_NULLABLE templates; /* "templates"; NULL: none */
} mtoken_operation_ui;

/*
 * Where what the user reads (the form) does not agree with what is signed (the data).
 *
 * Compared are:
 * - each signed amount (A) with all amounts that are shown: in AMOUNT the number, amountFormatted
 *   and valueFormatted, all of them, and currency, currencyFormatted and the currencies that the
 *   texts name; a side of AMOUNT_CONVERSION likewise; and each number beside the name of a currency
 *   in title, message, labels, KEY_VALUE, NOTE, ALERT and PARTY_INFO;
 * - each signed account (I, Q) with title, message, labels, KEY_VALUE, NOTE, ALERT and PARTY_INFO:
 *   it must stand there, with or without words around it. Spaces do not count, nor dashes in an
 *   IBAN, nor small letters; a Czech or Slovak account may be shown as its IBAN, or as number and
 *   bank code, with or without leading zeros.
 * Texts are read as the languages of the world write amounts: 10000.50, 10,000.50, 10.000,50, 10
 * 000,50 with any Unicode space, 10'000.50, 1,00,000.50, 100,-, digits of other scripts, the
 * currency before or behind. Title and message count as shown only where the bank's layout
 * (templates) shows them. Once an amount is signed, every amount that is shown must be one that is
 * signed, but for the other side of an exchange of which one side is signed, the sides of a rate
 * alone in its row ("1 EUR = 25.10 CZK"), and what stands in a signed text (N, R, T) too. Other
 * accounts, like the payer's, may be shown besides.
 *
 * What cannot be compared, so that showing `signed_fields` beside the form is still a good thing:
 * - dates, references, notes and other texts that are signed; a BIC; fields of later versions;
 * - what is shown where nothing of its kind is signed (amounts of a login);
 * - amounts in words ("one euro"), in pictures, on the screens before and after, and numbers
 *   without a currency;
 * - which of several signed amounts or shown accounts is which: labels are the bank's words;
 * - a single point or comma before exactly three digits: "1.000" is a thousand in one language and
 *   one in another;
 * - currencies of the same symbol ($, kr, ¥), and names of currencies that this library does not
 *   know.
 */
MTOKEN_FLAGS(mtoken_contradictions_values) {
    MTOKEN_CONTRADICTION_AMOUNT = 1, /* an amount is signed that is not shown, and others are */
    MTOKEN_CONTRADICTION_CURRENCY = 2,         /* it is shown, but in another currency */
    MTOKEN_CONTRADICTION_ACCOUNT = 4, /* an account is signed that is not shown, and others are */
    MTOKEN_CONTRADICTION_AMOUNT_HIDDEN = 8,    /* an amount is signed, and none is shown */
    MTOKEN_CONTRADICTION_ACCOUNT_HIDDEN = 16,  /* an account is signed, and none is shown */
    /* The number of a row is right, its formatted text is another one, or none */
    MTOKEN_CONTRADICTION_AMOUNT_TEXT = 32,
    /* Beside those that are signed an amount is shown that is not: a decoy, or a fee */
    MTOKEN_CONTRADICTION_UNSIGNED_AMOUNT = 64,
    /* A row of the form cannot be read, and is not shown: see issues */
    MTOKEN_CONTRADICTION_LOST_ROW = 128,
    /* The data are of another form: what is signed cannot be told */
    MTOKEN_CONTRADICTION_UNREADABLE = 256,
};
typedef int32_t mtoken_contradictions;

/* An operation: what the bank wants the user to approve. */
typedef struct mtoken_operation {
    const char *id;                                /* "id": opaque */
    const char *name; /* "name": type of the operation at the bank, e.g. "login" */
    const char *operation_data; /* "data": what is approved, sent back unchanged */
    /* MTOKEN_OPERATION_... from "status"; PENDING when it is missing */
    mtoken_operation_status status;
    const char *MTOKEN_NULLABLE status_text;       /* "status" as sent; NULL: missing */
    const char *MTOKEN_NULLABLE status_reason;     /* "statusReason" */
    int64_t created;                               /* "operationCreated": ms since the epoch */
    int64_t expires;                               /* "operationExpires": ms since the epoch */

    /* MTOKEN_SIGNATURE_TYPE_... from "allowedSignatureType"."type" */
    mtoken_signature_type signature_type;
    const char *signature_type_text;               /* "allowedSignatureType"."type" */
    /* MTOKEN_VARIANT_... added up, from "allowedSignatureType"."variants" */
    mtoken_signature_variants variants;
    size_t unknown_variant_count;
    const char *const *unknown_variants; /* those of "variants" that a later server knows */
    mtoken_bool allows_biometry; /* 1: 2FA with possession_biometry among the variants */

    const char *title;                             /* "formData"."title" */
    const char *message;                           /* "formData"."message"; never NULL */
    size_t attribute_count;
    const mtoken_attribute *const *attributes; /* "formData"."attributes": those that can be read */
    /* "formData"."resultTexts"."success": to show after an approval; NULL: use your own */
    const char *MTOKEN_NULLABLE result_success;
    const char *MTOKEN_NULLABLE result_failure;    /* "formData"."resultTexts"."failure" */
    const char *MTOKEN_NULLABLE result_reject;     /* "formData"."resultTexts"."reject" */

    const mtoken_operation_ui *MTOKEN_NULLABLE ui; /* "ui"; NULL: none */
    /* The whole operation as the server sent it, with members that a bank added */
    const char *json;
    size_t json_length;
    /* `operation_data` taken apart: what is signed; NULL: it is of another form */
    const mtoken_operation_fields *MTOKEN_NULLABLE signed_fields;
    /*
     * MTOKEN_CONTRADICTION_... added up: show a warning, or refuse
     * (mtoken_authorize_options.strict)
     */
    mtoken_contradictions contradictions;
    size_t issue_count;                            /* at most 20 */
    /*
     * What of this operation cannot be read and is left out, e.g. "attribute 1: value: missing";
     * and texts in which a ${name} was not filled in: "data", "formData.title" or
     * "formData.message" and ": unresolved". No text of the reply. Wherever the operation comes
     * from
     */
    const char *const *issues;
} mtoken_operation;

/* Operations as the server lists them. */
typedef struct mtoken_operation_list {
    size_t count;
    /* "responseObject": those that can be read, in the server's order */
    const mtoken_operation *const *operations;
    size_t skipped_count; /* operations that could not be read and are left out */
    mtoken_bool has_server_time;               /* 1: server_time was given */
    int64_t server_time;                       /* "currentTimestamp": ms since the epoch */
    /*
     * What could not be read and is left out, also within operations: the first 20 of each
     * operation, 100 in all
     */
    size_t issue_count;
    /* e.g. "operation 3: attribute 1: value: missing"; no text of the reply */
    const char *const *issues;
    size_t further_issue_count;                /* how many more there were */
    /*
     * 1: the reply has exactly 100 operations, the most that servers send: there may be others, of
     * which nothing says anything
     */
    mtoken_bool may_be_cut;
} mtoken_operation_list;

MTOKEN_END

#endif
