/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operations that are approved offline: the user scans a QR code with this device and types the
 * code that the device shows into the bank's page.
 */
#ifndef MTOKEN_QR_H
#define MTOKEN_QR_H

#include "base.h"
#include "operation.h"
#include "error.h"
#include "signing.h"

MTOKEN_BEGIN

/* Whether the server's signature was verified, and with what result. */
MTOKEN_CLOSED_ENUM(mtoken_verification_values) {
    MTOKEN_VERIFIED_NOT_CHECKED = 0, /* not verified: anyone may have created the payload */
    MTOKEN_VERIFIED_VALID = 1,       /* the server created the payload */
    MTOKEN_VERIFIED_INVALID = 2,     /* the server did not create it, or it was modified */
    MTOKEN_VERIFIED_UNSUPPORTED = 3, /* for an activation of another protocol */
};
typedef int32_t mtoken_verification;

/* An offline operation. Read-only; free with mtoken_qr_operation_free. */
typedef struct mtoken_qr_operation {
    /* MTOKEN_VERIFIED_...; trust the content only if it is VALID */
    mtoken_verification verification;
    mtoken_server_key server_key;                   /* MTOKEN_KEY_...: the key that signed */
    const char *MTOKEN_SECRET payload;              /* as passed in, or repaired */
    size_t payload_length;
    size_t signed_length; /* the signature covers the first signed_length bytes of the payload */
    const char *id;                                 /* not empty */
    const char *title;                              /* without escapes; may be empty */
    const char *message;                            /* without escapes; may be empty */
    const char *raw_title;                          /* with escapes */
    const char *raw_message;                        /* with escapes */
    const mtoken_operation_fields *signed_fields;   /* what is approved */
    const char *flags;                              /* the line of flags as in the payload */
    mtoken_bool allows_biometry;                    /* B: biometry may be used instead of the PIN */
    mtoken_bool flip_buttons;                       /* X: swap the approve and reject buttons */
    mtoken_bool warns_of_fraud;                     /* F: show a fraud warning */
    mtoken_bool block_approval_on_call; /* C: do not let the user approve during a phone call */
    const char *unknown_flags; /* letters that this library does not know; may be empty */
    /* One-time password of a proximity check; NULL if there is none */
    const char *MTOKEN_NULLABLE MTOKEN_SECRET totp;
    mtoken_bool is_newer_format; /* 1: the payload has lines that this library does not know */
    size_t extra_count;
    const char *const *extras;                      /* those lines, with escapes */
    const char *nonce;                              /* Base64 */
    const uint8_t *nonce_bytes;                     /* 16 */
    const char *signature;                          /* Base64 */
    const uint8_t *signature_bytes;
    size_t signature_bytes_length;                  /* 64 to 255; 32 for PERSONALIZED_MAC */
    /*
     * The content to approve, in lines: show it above the question for the PIN. See
     * mtoken_operation_fields_summary
     */
    const char *summary;
    /*
     * MTOKEN_CONTRADICTION_..., combined with |: title or message state something other than the
     * content to approve. They need not state all of it: no _HIDDEN flag is set. A strict client
     * refuses the approval (mtoken_client_options.strict)
     */
    mtoken_contradictions contradictions;
} mtoken_qr_operation;

/* How a payload is verified. Set either client or configuration, not both. */
typedef struct mtoken_qr_options {
    size_t struct_size;
    /* Verifies with the master key and, if it has an activation, with the personalised key */
    mtoken_client *client;
    /* The application's SDK configuration: verifies with the master key */
    mtoken_text configuration;
    /* 1: return the operation even if its signature is not valid; check `verification` */
    mtoken_bool keep_unverified;
    int32_t reserved;            /* 0 */
} mtoken_qr_options;

#define MTOKEN_QR_OPTIONS_INIT { sizeof(mtoken_qr_options), NULL, MTOKEN_TEXT_INIT, 0, 0 }

/*
 * Parses the payload of an offline QR code, and verifies it if `options` specify a client or a
 * configuration. If the signature is valid only after reversing a known change by scanners (a byte
 * order mark or "\000026" before the text, UTF-8 read as Latin-1, decomposed letters), the library
 * returns the operation that was signed.
 *
 * payload      at most 4,096 bytes, exactly as scanned: do not trim or change it
 * options      NULL, or neither client nor configuration: the signature is not verified
 * Errors       HANDLE, ARGUMENT, CONFIGURATION; ARGUMENT with reason "invalidUtf8" or
 *              "controlCharacter" (a NUL); PARSE with reason "tooLong" (also: more than 64 lines),
 *              "controlCharacter", "tooFewLines", "noOperationId", "invalidSignature",
 *              "invalidNonce", "invalidVersion", "invalidTemplateId", "invalidField" or
 *              "tooManyFields"; line and byte_offset give the position. Unless keep_unverified:
 *              SIGNATURE "signatureVerificationFailed" (forged or modified) or "scannerChangedText"
 *              (see above; no repair is signed), UNSUPPORTED "signatureNotVerifiable"
 *              (PERSONALIZED_MAC with an activation of protocol 3, PERSONALIZED with one of 4.0),
 *              NOT_ACTIVATED (personalised key or MAC, but no activation to verify with)
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_qr_operation_parse(const char *MTOKEN_SECRET payload, size_t payload_length,
                          const mtoken_qr_options *MTOKEN_NULLABLE options,
                          mtoken_qr_operation **out_operation, mtoken_error **out_error);

/* Frees an operation and everything reached from it. NULL is ignored. */
MTOKEN_API void mtoken_qr_operation_free(mtoken_qr_operation *operation);

/* Options of mtoken_qr_authorize. */
typedef struct mtoken_qr_authorize_options {
    size_t struct_size;
    /* Default "/operation/authorize/offline"; must match the server's configuration */
    mtoken_text uri_id;
    /* Digits per factor, 4 to 8; 0: 8; must match the server's configuration */
    int32_t component_length;
    mtoken_bool allow_unverified; /* 1: also approve operations that are not verified */
} mtoken_qr_authorize_options;

#define MTOKEN_QR_AUTHORIZE_OPTIONS_INIT \
    { \
        sizeof(mtoken_qr_authorize_options), MTOKEN_TEXT_INIT, 0, 0 \
    }

/*
 * Approves an offline operation: computes the code that the user types into the bank's page, e.g.
 * "12345678-12345678". No network. The advanced counter is stored durably before the call returns.
 * A wrong PIN results in a wrong code, which only the server can detect: tell the user.
 *
 * Each code advances the device's counter by one. The server's counter follows only when the server
 * checks a code, and the server accepts only codes within a window ahead of its counter: 20 steps
 * unless configured otherwise. Without a connection, the library therefore creates at most one code
 * fewer than the window has steps. Then the call fails with STATE, reason "counterWindow", and a
 * message that asks the user to connect. While no status has reported the size of the window, the
 * limit is four codes. mtoken_client_get_info returns both numbers. If a status call finds the
 * device more than half of the window ahead, the library makes the server catch up. Codes that were
 * shown but not yet typed in then no longer work.
 *
 * operation    from mtoken_qr_operation_parse; only read during the call. Its payload is parsed and
 *              verified again, with this client's keys: the signature covers exactly the payload's
 *              content
 * auth         possession with the PIN, or with biometry if the operation allows it
 * options      NULL: the defaults
 * out_code     must be freed with mtoken_text_free
 * Errors       HANDLE, ARGUMENT, NOT_ACTIVATED, PENDING; unless allow_unverified: SIGNATURE
 *              "operationNotVerified" (`verification` is NOT_CHECKED) or
 *              "signatureVerificationFailed" (it is INVALID, or the signature is not by this
 *              client's keys), UNSUPPORTED "signatureNotVerifiable" (PERSONALIZED_MAC, but the
 *              activation is of protocol 3; PERSONALIZED, but it is of 4.0); FACTOR (not two
 *              factors; biometry without the flag; a factor that is not set up); STORAGE (no code
 *              is returned and the counter value is not used); STATE "counterWindow"; BLOCKED,
 *              REMOVED, STATE "counterDeadlock" (as of the last status); of a strict client STATE
 *              "contradiction": title or message contradict what is approved, except by what the
 *              client tolerates
 */
MTOKEN_API MTOKEN_BLOCKS MTOKEN_CHECKED mtoken_status
mtoken_qr_authorize(mtoken_client *client, const mtoken_qr_operation *operation,
                    const mtoken_auth *auth,
                    const mtoken_qr_authorize_options *MTOKEN_NULLABLE options,
                    mtoken_text **out_code, mtoken_error **out_error);

/*
 * Groups the digits of an offline code for display: "12345678-12345678" becomes "1234 5678 1234
 * 5678". Pure. The server expects the ungrouped code. Free with mtoken_text_free.
 *
 * Errors       ARGUMENT (not two components of 4 to 8 digits each)
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_qr_code_group(const char *code, size_t code_length, mtoken_text **out_grouped,
                     mtoken_error **out_error);

/* Content of a payload. */
typedef struct mtoken_qr_build_options {
    size_t struct_size;
    mtoken_text id;                         /* not empty */
    /* Any text: line breaks are escaped, whitespace is collapsed to single spaces */
    mtoken_text title;
    mtoken_text message;                    /* as title */
    mtoken_text operation_data; /* what is approved, e.g. from mtoken_operation_fields_build */
    mtoken_text flags;                      /* e.g. "B"; may be empty */
    /* One-time password of a proximity check (mtoken_totp); not set: none */
    mtoken_text MTOKEN_SECRET totp;
    mtoken_bytes nonce;                     /* 16 bytes; not set: random */
    /* 32 bytes, big endian: the server's private key on P-256 */
    mtoken_bytes MTOKEN_SECRET private_key;
    /* MTOKEN_KEY_MASTER or MTOKEN_KEY_PERSONALIZED: which key private_key is */
    mtoken_server_key server_key;
    int32_t reserved;                       /* 0 */
} mtoken_qr_build_options;

#define MTOKEN_QR_BUILD_OPTIONS_INIT \
    { \
        sizeof(mtoken_qr_build_options), MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT, \
        MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT, \
        MTOKEN_BYTES_INIT, MTOKEN_BYTES_INIT, 0, 0 \
    }

/*
 * Builds and signs the payload of an offline QR code as a server does, for servers and tests.
 * Parsing it returns the original content. Encode it unchanged, in byte mode, and keep the nonce to
 * check the code. Pure. Free with mtoken_text_free.
 *
 * Errors       ARGUMENT (the reason says which rule is violated), INTERNAL
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_qr_operation_build(const mtoken_qr_build_options *options,
                          mtoken_text **MTOKEN_SECRET out_payload, mtoken_error **out_error);

MTOKEN_END

#endif
