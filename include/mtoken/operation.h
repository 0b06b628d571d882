/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operations: the decoded form of the server's JSON.
 *
 * Unless a member says otherwise, texts are as the server sent them, and NULL if it sent none.
 * kind_text, status_text and the like hold the texts as sent, from which kind, status and so on are
 * decoded. Each struct lives as long as the result through which it was reached.
 */
#ifndef MTOKEN_OPERATION_H
#define MTOKEN_OPERATION_H

#include "base.h"
#include "operation_fields.h"

MTOKEN_BEGIN

/* Operation status, from "status". */
MTOKEN_ENUM(mtoken_operation_status_values) {
    /* A status that this version does not know: do not offer approval; see status_text */
    MTOKEN_OPERATION_UNKNOWN = 0,
    MTOKEN_OPERATION_PENDING = 1,
    MTOKEN_OPERATION_APPROVED = 2,
    MTOKEN_OPERATION_REJECTED = 3,
    MTOKEN_OPERATION_CANCELED = 4,
    MTOKEN_OPERATION_EXPIRED = 5,
    MTOKEN_OPERATION_FAILED = 6,
};
typedef int32_t mtoken_operation_status;

/* Signature type, from "allowedSignatureType"."type". */
MTOKEN_ENUM(mtoken_signature_type_values) {
    MTOKEN_SIGNATURE_TYPE_UNKNOWN = 0,
    MTOKEN_SIGNATURE_TYPE_1FA = 1,
    MTOKEN_SIGNATURE_TYPE_2FA = 2,
    MTOKEN_SIGNATURE_TYPE_ECDSA = 3,   /* mobile tokens cannot create it */
};
typedef int32_t mtoken_signature_type;

/* Allowed factors, from "allowedSignatureType"."variants". Bit flags; combine with |. */
MTOKEN_FLAGS(mtoken_signature_variants_values) {
    MTOKEN_VARIANT_POSSESSION = 1,
    MTOKEN_VARIANT_POSSESSION_KNOWLEDGE = 2,
    MTOKEN_VARIANT_POSSESSION_BIOMETRY = 4,
};
typedef int32_t mtoken_signature_variants;

/* Kind of a form row, from "type". */
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

/* Severity, from "alertType" or the style of a screen element. */
MTOKEN_ENUM(mtoken_alert_kind_values) {
    MTOKEN_ALERT_INFO = 0,    /* also for types that this version does not know */
    MTOKEN_ALERT_SUCCESS = 1,
    MTOKEN_ALERT_WARNING = 2,
    MTOKEN_ALERT_ERROR = 3,
};
typedef int32_t mtoken_alert_kind;

/* An amount with its currency. Show the formatted texts; never compute with `value`. */
typedef struct mtoken_amount {
    /* "amount": exact, with the digits as sent, e.g. "10000.50"; NULL if it is not a number */
    const char *MTOKEN_NULLABLE amount;
    const char *MTOKEN_NULLABLE currency;        /* "currency" */
    const char *amount_formatted; /* "amountFormatted", or else the text of amount; never NULL */
    const char *currency_formatted; /* "currencyFormatted", or else currency; never NULL */
    /* "valueFormatted": amount and currency as the bank writes them; NULL if not sent */
    const char *MTOKEN_NULLABLE value_formatted;
    /* "amount" as a binary number, for sorting and charts only; 0 without an amount */
    double value;
} mtoken_amount;

/* A party to the operation, such as a merchant. PARTY_INFO: "partyInfo" */
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

    /* AMOUNT; AMOUNT_CONVERSION: "sourceAmount", "sourceCurrency", ...; otherwise NULL */
    const mtoken_amount *MTOKEN_NULLABLE amount;
    /* AMOUNT_CONVERSION: "targetAmount", "targetCurrency", ...; otherwise NULL */
    const mtoken_amount *MTOKEN_NULLABLE target;
    /* AMOUNT_CONVERSION "dynamic": MTOKEN_YES: the rate may still change; other kinds: UNSET */
    mtoken_answer is_dynamic;
    const char *MTOKEN_NULLABLE value; /* KEY_VALUE "value", NOTE "note"; otherwise NULL */
    int32_t heading_level;                       /* HEADING "level"; 0 if not sent */
    const mtoken_party *MTOKEN_NULLABLE party;   /* PARTY_INFO "partyInfo"; otherwise NULL */
    const char *MTOKEN_NULLABLE thumbnail_url;   /* IMAGE "thumbnailUrl"; otherwise NULL */
    const char *MTOKEN_NULLABLE original_url;    /* IMAGE "originalUrl"; NULL if not sent */
    mtoken_alert_kind alert_kind;                /* ALERT: MTOKEN_ALERT_... from "alertType" */
    const char *MTOKEN_NULLABLE alert_kind_text; /* ALERT "alertType"; otherwise NULL */
    const char *MTOKEN_NULLABLE alert_title;     /* ALERT "title"; NULL if not sent */
    const char *MTOKEN_NULLABLE alert_message;   /* ALERT "message"; NULL if not sent */
    /* UNKNOWN: the whole attribute as the server sent it; otherwise NULL */
    const char *MTOKEN_NULLABLE json;
} mtoken_attribute;

/* Kind of a pre-approval screen, from "type". */
MTOKEN_ENUM(mtoken_screen_kind_values) {
    MTOKEN_SCREEN_UNKNOWN = 0,
    MTOKEN_SCREEN_WARNING = 1,
    MTOKEN_SCREEN_INFO = 2,
    MTOKEN_SCREEN_QR_SCAN = 3, /* the user must scan a proximity code before approving */
};
typedef int32_t mtoken_screen_kind;

/* Kind of a screen element, from "type". */
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

/* The controls of a pre-approval screen, from "controls". */
typedef struct mtoken_screen_controls {
    /* "flip": MTOKEN_YES: swap the approve and decline controls; MTOKEN_UNSET: not sent */
    mtoken_answer flip;
    const char *MTOKEN_NULLABLE axis;         /* "axis": HORIZONTAL, VERTICAL */
    /* "decline"."type": BACK, REJECT; NULL without a decline control */
    const char *MTOKEN_NULLABLE decline_kind;
    const char *MTOKEN_NULLABLE decline_text; /* "decline"."text" */
    /* "approve"."type": SLIDER, BUTTON; NULL without an approve control */
    const char *MTOKEN_NULLABLE approve_kind;
    const char *MTOKEN_NULLABLE approve_text; /* "approve"."text" */
    /* "approve"."counter": seconds until the control becomes active; MTOKEN_UNSET: none */
    int32_t approve_counter_s;
} mtoken_screen_controls;

/* A screen to show before the operation, from "ui"."preApprovalScreens". */
typedef struct mtoken_pre_approval_screen {
    mtoken_screen_kind kind;                      /* MTOKEN_SCREEN_... from "type" */
    const char *MTOKEN_NULLABLE kind_text;        /* "type" */
    const char *MTOKEN_NULLABLE id;               /* "id" */
    const char *heading;                          /* "heading"; never NULL */
    const char *message;                          /* "message"; never NULL */
    mtoken_answer back_button;                    /* "backButton": MTOKEN_UNSET, _NO, _YES */
    const char *MTOKEN_NULLABLE image;            /* "image" */
    mtoken_bool has_elements; /* 1: an "elements" list was sent, possibly empty */
    size_t element_count;
    /* "elements", without those that are unreadable */
    const mtoken_screen_element *const *elements;
    const mtoken_screen_controls *MTOKEN_NULLABLE controls; /* "controls"; NULL if not sent */
} mtoken_pre_approval_screen;

/*
 * The older, single "preApprovalScreen", as sent. Unless the server also sent "preApprovalScreens",
 * pre_approval_screens holds it in converted form.
 */
typedef struct mtoken_legacy_screen {
    mtoken_screen_kind kind;                        /* MTOKEN_SCREEN_... from "type" */
    const char *MTOKEN_NULLABLE kind_text;          /* "type"; NULL if not sent */
    const char *heading;                            /* "heading"; never NULL */
    const char *message;                            /* "message"; never NULL */
    mtoken_bool has_items;                          /* 1: an "items" list was sent */
    size_t item_count;
    const char *const *items;                       /* "items": those that are texts */
    /* "approvalType": SLIDER, ...; NULL if not sent */
    const char *MTOKEN_NULLABLE approval_kind_text;
} mtoken_legacy_screen;

/* Kind of a post-approval screen, from "type". */
MTOKEN_ENUM(mtoken_post_screen_kind_values) {
    MTOKEN_POST_SCREEN_UNKNOWN = 0,
    MTOKEN_POST_SCREEN_REVIEW = 1,
    MTOKEN_POST_SCREEN_MERCHANT_REDIRECT = 2,
    MTOKEN_POST_SCREEN_GENERIC = 3,
};
typedef int32_t mtoken_post_screen_kind;

/* A screen to show after the approval, from "postApprovalScreen". */
typedef struct mtoken_post_approval_screen {
    mtoken_post_screen_kind kind;              /* MTOKEN_POST_SCREEN_... from "type" */
    const char *MTOKEN_NULLABLE kind_text;     /* "type" */
    const char *heading;                       /* "heading" */
    const char *message;                       /* "message" */
    size_t attribute_count;
    /* REVIEW "payload"."attributes", without those that are unreadable */
    const mtoken_attribute *const *attributes;
    const char *MTOKEN_NULLABLE redirect_text; /* MERCHANT_REDIRECT "payload"."redirectText" */
    const char *MTOKEN_NULLABLE redirect_url;  /* MERCHANT_REDIRECT "payload"."redirectUrl" */
    int32_t countdown_s; /* MERCHANT_REDIRECT "payload"."countdown", seconds; 0 if not sent */
    /* GENERIC, UNKNOWN: "payload" as JSON, NULL if not sent; otherwise NULL */
    const char *MTOKEN_NULLABLE payload;
} mtoken_post_approval_screen;

/* A cell of a detail's layout: one attribute and how to show it. */
typedef struct mtoken_template_cell {
    const char *name;                        /* "name": id of an attribute */
    const char *MTOKEN_NULLABLE style;       /* "style" */
    mtoken_answer visible_title;             /* "visibleTitle": MTOKEN_UNSET, _NO, _YES */
    mtoken_answer can_copy;                  /* "canCopy" */
    /* "collapsable": NO, COLLAPSED, YES; UNKNOWN for any other text */
    const char *MTOKEN_NULLABLE collapsable;
    mtoken_answer is_centered;               /* "centered" */
} mtoken_template_cell;

/* A section of a detail's layout. */
typedef struct mtoken_template_section {
    const char *MTOKEN_NULLABLE style;        /* "style" */
    const char *MTOKEN_NULLABLE title;        /* "title": id of an attribute */
    mtoken_bool has_cells;                    /* 1: a "cells" list was sent */
    size_t cell_count;
    const mtoken_template_cell *const *cells; /* "cells": those with a name */
} mtoken_template_section;

/* The layout that the bank wants for the operation, from "ui"."templates". */
typedef struct mtoken_templates {
    mtoken_bool has_list;                           /* 1: "list" was sent */
    const char *MTOKEN_NULLABLE list_style;         /* "list"."style" */
    /* "list"."header". This text and the next two may contain placeholders: ${attribute id} */
    const char *MTOKEN_NULLABLE list_header;
    const char *MTOKEN_NULLABLE list_title;         /* "list"."title" */
    const char *MTOKEN_NULLABLE list_message;       /* "list"."message" */
    const char *MTOKEN_NULLABLE list_image;         /* "list"."image": id of an IMAGE attribute */
    mtoken_bool has_detail;                         /* 1: "detail" was sent */
    const char *MTOKEN_NULLABLE detail_style;       /* "detail"."style" */
    /* "detail"."showTitleAndMessage": MTOKEN_UNSET, _NO, _YES */
    mtoken_answer show_title_and_message;
    mtoken_bool has_sections;                       /* 1: "detail"."sections" was sent */
    size_t section_count;
    const mtoken_template_section *const *sections; /* "detail"."sections" */
} mtoken_templates;

/* Hints for the user interface, from "ui". */
typedef struct mtoken_operation_ui {
    /* "flipButtons": MTOKEN_YES: swap the approve and reject buttons; MTOKEN_UNSET: not sent */
    mtoken_answer flip_buttons;
    /* "blockApprovalOnCall": MTOKEN_YES: during a phone call, explain instead of approving */
    mtoken_answer block_approval_on_call;
    mtoken_bool has_pre_approval_screens; /* 1: a list of screens was sent, possibly empty */
    size_t pre_approval_screen_count;
    /* "preApprovalScreens", or else the converted "preApprovalScreen" */
    const mtoken_pre_approval_screen *const *pre_approval_screens;
    /* "preApprovalScreen"; NULL if not sent */
    const mtoken_legacy_screen *MTOKEN_NULLABLE legacy_pre_approval_screen;
    /* "postApprovalScreen"; NULL if not sent */
    const mtoken_post_approval_screen *MTOKEN_NULLABLE post_approval_screen;
    const mtoken_templates *MTOKEN_NULLABLE templates; /* "templates"; NULL if not sent */
} mtoken_operation_ui;

/*
 * Contradictions between what the user sees (the form) and what is signed (the data). Bit flags;
 * combine with |.
 *
 * This comparison is a safety net, not the guarantee. A bank's texts can always state something in
 * words ("one euro", "nothing to pay") that no comparison understands. The guarantee is
 * mtoken_operation.summary, which is made from the signed data alone: show it above the question
 * for the PIN.
 *
 * The library compares:
 * - Rows that state an amount: each text of AMOUNT, of both sides of AMOUNT_CONVERSION, and a
 *   KEY_VALUE or NOTE that shows a signed amount. The whole text must be a sign, digits of one
 *   script with marks of grouping and decimals, and the signed currency's code or one of its signs,
 *   before or after: 10000.50, 10,000.50, 10.000,50 CZK, 10 000,50 Kč, CHF 10'000.50, 1,00,000.50,
 *   100,-, ($5.00). Anything else in it, seen or not, is a contradiction. So is a text that reads
 *   as two amounts: "12.345" for 12345, unless the currency has no decimals.
 * - A KEY_VALUE or NOTE that shows a signed account (I, Q): the account and nothing else; a signed
 *   BIC may follow. Spaces, dashes in an IBAN and letter case are ignored. A Czech or Slovak
 *   account may be displayed as an IBAN, or as number and bank code. Another account may be alone
 *   in a row of its own: the payer's.
 * - All other texts: title, message, labels (read together with their value), ALERT, PARTY_INFO,
 *   and the composed texts of the layout of lists. They are compared as they look: letters and
 *   digits of all styles and look-alike scripts are the same; marks, markup and invisible
 *   characters are ignored. A number with any currency within a few characters, without letters
 *   between, must be a signed amount; an account with valid check digits must be a signed one.
 *   Exceptions: the other side of an exchange, a rate alone ("1 EUR = 25.10 CZK", "EUR/CZK"), and
 *   anything that a signed text (N, R, T) also contains.
 *
 * "Displayed" means shown by the bank's layout (templates): not rows of unknown kinds, labels of
 * images, collapsed cells, hidden labels, or text beyond the first 4,096 bytes (a line counts as
 * 64). Texts of more than 16,384 bytes in total are TOO_LONG, and are not compared.
 *
 * The library cannot compare the following:
 * - statements in words, also with names of currencies, in pictures, and on the screens before and
 *   after; numbers without a currency;
 * - dates, references, notes and other texts that are signed; a BIC; fields of later versions;
 * - displayed values when no value of that kind is signed (an amount in a login);
 * - which of several signed amounts or displayed accounts is which: labels are free text;
 * - currencies that share a sign ($, kr, ¥).
 */
MTOKEN_FLAGS(mtoken_contradictions_values) {
    MTOKEN_CONTRADICTION_AMOUNT = 1, /* a signed amount is not displayed, but other amounts are */
    MTOKEN_CONTRADICTION_CURRENCY = 2, /* a signed amount is displayed in another currency */
    /* A signed account is not displayed, but other accounts are */
    MTOKEN_CONTRADICTION_ACCOUNT = 4,
    MTOKEN_CONTRADICTION_AMOUNT_HIDDEN = 8,    /* an amount is signed, but none is displayed */
    MTOKEN_CONTRADICTION_ACCOUNT_HIDDEN = 16,  /* an account is signed, but none is displayed */
    /* A row has the right number, but its formatted text shows another amount, none, or more */
    MTOKEN_CONTRADICTION_AMOUNT_TEXT = 32,
    /* An unsigned amount is displayed in addition to the signed ones: a decoy, or a fee */
    MTOKEN_CONTRADICTION_UNSIGNED_AMOUNT = 64,
    /* A row of the form is unreadable and not displayed: see issues */
    MTOKEN_CONTRADICTION_LOST_ROW = 128,
    /* operation_data has an unknown form: the library cannot tell what is signed */
    MTOKEN_CONTRADICTION_UNREADABLE = 256,
    /* The texts are too long to be read, and were not all compared */
    MTOKEN_CONTRADICTION_TOO_LONG = 512,
};
typedef int32_t mtoken_contradictions;

/* An operation: an action that the bank asks the user to approve. */
typedef struct mtoken_operation {
    const char *id;                                /* "id": opaque */
    const char *name; /* "name": the bank's type of the operation, e.g. "login" */
    const char *operation_data; /* "data": the content to approve, sent back unchanged */
    /* MTOKEN_OPERATION_... from "status"; PENDING if not sent */
    mtoken_operation_status status;
    const char *MTOKEN_NULLABLE status_text;       /* "status" as sent; NULL if not sent */
    const char *MTOKEN_NULLABLE status_reason;     /* "statusReason" */
    int64_t created;                               /* "operationCreated": ms since the epoch */
    int64_t expires;                               /* "operationExpires": ms since the epoch */

    /* MTOKEN_SIGNATURE_TYPE_... from "allowedSignatureType"."type" */
    mtoken_signature_type signature_type;
    const char *signature_type_text;               /* "allowedSignatureType"."type" */
    /* MTOKEN_VARIANT_... from "allowedSignatureType"."variants", combined with | */
    mtoken_signature_variants variants;
    size_t unknown_variant_count;
    const char *const *unknown_variants; /* those of "variants" that this version does not know */
    mtoken_bool allows_biometry; /* 1: 2FA with possession_biometry among the variants */

    const char *title;                             /* "formData"."title" */
    const char *message;                           /* "formData"."message"; never NULL */
    size_t attribute_count;
    /* "formData"."attributes", without those that are unreadable */
    const mtoken_attribute *const *attributes;
    /* "formData"."resultTexts"."success": show it after an approval; NULL: use your own text */
    const char *MTOKEN_NULLABLE result_success;
    const char *MTOKEN_NULLABLE result_failure;    /* "formData"."resultTexts"."failure" */
    const char *MTOKEN_NULLABLE result_reject;     /* "formData"."resultTexts"."reject" */

    const mtoken_operation_ui *MTOKEN_NULLABLE ui; /* "ui"; NULL if not sent */
    /* The whole operation as the server sent it, including members that a bank added */
    const char *json;
    size_t json_length;
    /* `operation_data`, the signed content, parsed into fields; NULL if it has another form */
    const mtoken_operation_fields *MTOKEN_NULLABLE signed_fields;
    /*
     * MTOKEN_CONTRADICTION_..., combined with |: show a warning, or refuse approval
     * (mtoken_authorize_options.strict)
     */
    mtoken_contradictions contradictions;
    size_t issue_count;                            /* at most 20 */
    /*
     * Parts of this operation that were unreadable and dropped, e.g. "attribute 1: value: missing",
     * and texts with an unresolved ${name}: "data", "formData.title" or "formData.message" followed
     * by ": unresolved". They contain no text from the response. Set for operations from any source
     */
    const char *const *issues;
    /*
     * The signed content in lines, from operation_data alone: show it above the question for the
     * PIN. See mtoken_operation_fields_summary; never NULL
     */
    const char *summary;
} mtoken_operation;

/* A list of operations from the server. */
typedef struct mtoken_operation_list {
    size_t count;
    /* "responseObject", without those that are unreadable, in the server's order */
    const mtoken_operation *const *operations;
    size_t skipped_count; /* operations that were unreadable and dropped */
    mtoken_bool has_server_time;               /* 1: the server sent its time */
    int64_t server_time;                       /* "currentTimestamp": ms since the epoch */
    /*
     * Parts that were unreadable and dropped, including those within operations: the first 20 of
     * each operation, 100 in total
     */
    size_t issue_count;
    /* e.g. "operation 3: attribute 1: value: missing"; no text from the response */
    const char *const *issues;
    size_t further_issue_count;                /* issues beyond those listed */
    /*
     * 1: the response has exactly 100 operations, the most that servers send. Servers do not say
     * whether there are more
     */
    mtoken_bool may_be_cut;
} mtoken_operation_list;

MTOKEN_END

#endif
