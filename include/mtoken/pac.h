/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Proximity anti-fraud codes (PAC): a code on a screen near the user selects an operation, and may
 * prove that this device is near that screen.
 */
#ifndef MTOKEN_PAC_H
#define MTOKEN_PAC_H

#include "base.h"
#include "error.h"
#include "operations.h"

MTOKEN_BEGIN

/* Format of a code. */
MTOKEN_CLOSED_ENUM(mtoken_pac_form_values) {
    MTOKEN_PAC_DEEPLINK = 1,     /* scheme://operation?oid=...&totp=... (or potp) */
    MTOKEN_PAC_DEEPLINK_JWT = 2, /* scheme://operation?code=JWT, or scheme://code=JWT */
    MTOKEN_PAC_JWT = 3,          /* a JSON Web Token alone */
};
typedef int32_t mtoken_pac_form;

/*
 * A parsed code. It is not authenticated: use it only to look up the operation at the server, and
 * never log it. Read-only; free with mtoken_pac_free.
 */
typedef struct mtoken_pac {
    const char *operation_id;                       /* 1 to 255 printable characters */
    /*
     * One-time password, 4 to 10 digits; NULL if the code only selects the operation. Any other text
     * is refused: a wrong password costs one of the operation's five failures, and servers create
     * no other texts. For a bank that does, pass its text as proximity_otp
     * (mtoken_authorize_options)
     */
    const char *MTOKEN_NULLABLE MTOKEN_SECRET totp;
    mtoken_proximity_source source; /* MTOKEN_PROXIMITY_..., as passed to mtoken_pac_parse */
    mtoken_pac_form form;                           /* MTOKEN_PAC_... */
    /* JWT: 1: its header is a JSON object. For information only */
    mtoken_bool is_header_valid;
    mtoken_bool has_signature; /* JWT: 1: it has a signature, which is never verified */
    /* JWT: algorithm from its header; NULL if there is none */
    const char *MTOKEN_NULLABLE algorithm;
} mtoken_pac;

/* Options of mtoken_pac_parse. */
typedef struct mtoken_pac_options {
    size_t struct_size;
    /*
     * Allowed links: "scheme" or "scheme://host", in upper or lower case; NULL: all. A JWT alone is
     * always allowed
     */
    const mtoken_text *allowed;
    size_t allowed_count;       /* at most 64 */
} mtoken_pac_options;

#define MTOKEN_PAC_OPTIONS_INIT { sizeof(mtoken_pac_options), NULL, 0 }

/*
 * Parses a code. Pure.
 *
 * code         as scanned or opened: at most 2,048 bytes, not trimmed
 * source       MTOKEN_PROXIMITY_QR_CODE: scanned; a link or a JWT. MTOKEN_PROXIMITY_DEEPLINK:
 *              opened by the operating system; a link
 * options      NULL: the defaults
 * Errors       ARGUMENT, also with reason "invalidUtf8" or "invalidFormat" (a NUL); PARSE with
 *              reason "empty", "tooLong", "invalidFormat", "invalidEncoding" (percent-encoding),
 *              "invalidJwt", "missingOperationId", "invalidOperationId", "invalidTotp", "ambiguous"
 *              (a value occurs twice) or "notAllowed". byte_offset gives the position; for a JWT,
 *              that of its first byte. Errors never contain any part of the code.
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_pac_parse(const char *MTOKEN_SECRET code, size_t code_length, mtoken_proximity_source source,
                 const mtoken_pac_options *MTOKEN_NULLABLE options, mtoken_pac **out_pac,
                 mtoken_error **out_error);

/* Frees a code and wipes its memory. NULL is ignored. */
MTOKEN_API void mtoken_pac_free(mtoken_pac *pac);

/*
 * Returns 1 if a code selects an operation, that is if their ids are equal. Otherwise, or if either
 * is NULL, returns 0. To approve the operation with the code, copy the code's totp and source to
 * proximity_otp and proximity_source of mtoken_authorize_options, and set proximity_received to the
 * device time when the code was received.
 */
MTOKEN_API mtoken_bool mtoken_pac_matches(const mtoken_pac *pac, const mtoken_operation *operation);

/*
 * Returns the operation of a list that a code selects, or NULL if there is none. It lives as long
 * as the list.
 */
MTOKEN_API const mtoken_operation
*MTOKEN_NULLABLE mtoken_pac_find(const mtoken_pac *pac, const mtoken_operation_list *list);

/* How to build a code, for servers and tests. */
typedef struct mtoken_pac_build_options {
    size_t struct_size;
    mtoken_text operation_id;       /* 1 to 255 printable characters */
    /* 4 to 10 digits; not set: the code only selects the operation */
    mtoken_text MTOKEN_SECRET totp;
    /* For the deeplink forms: the part before the query, e.g. "mtoken://operation" */
    mtoken_text link;
    mtoken_pac_form form;           /* MTOKEN_PAC_... */
    int32_t reserved;               /* 0 */
} mtoken_pac_build_options;

#define MTOKEN_PAC_BUILD_OPTIONS_INIT \
    { \
        sizeof(mtoken_pac_build_options), MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT, \
        MTOKEN_TEXT_INIT, 0, 0 \
    }

/*
 * Builds a code in the form that every reader accepts: percent-encoded, key "potp", Base64URL
 * without padding, no signature. Pure. Free with mtoken_text_free.
 *
 * Errors       ARGUMENT
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_pac_build(const mtoken_pac_build_options *options, mtoken_text **MTOKEN_SECRET out_code,
                 mtoken_error **out_error);

/* Hash function of a one-time password. */
MTOKEN_CLOSED_ENUM(mtoken_totp_hash_values) {
    MTOKEN_TOTP_SHA256 = 0,
    MTOKEN_TOTP_SHA512 = 1,
};
typedef int32_t mtoken_totp_hash;

/*
 * Computes the one-time password of a proximity check as the server does (RFC 6238), for servers
 * and tests. Pure.
 *
 * Free with mtoken_text_free.
 *
 * seed         not empty
 * time         milliseconds since the epoch, not negative
 * step_s       seconds; 0: 30
 * digits       6 to 9; 0: 8
 * hash         MTOKEN_TOTP_...
 * Errors       ARGUMENT
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_totp(const uint8_t *MTOKEN_SECRET seed, size_t seed_length, int64_t time, int32_t step_s,
            int32_t digits, mtoken_totp_hash hash, mtoken_text **MTOKEN_SECRET out_totp,
            mtoken_error **out_error);

MTOKEN_END

#endif
