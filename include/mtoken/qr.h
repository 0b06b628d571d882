/*
 * Operations that are approved without a network: a payload scanned from a QR code, a code typed
 * back.
 */
#ifndef MTOKEN_QR_H
#define MTOKEN_QR_H

#include "base.h"
#include "operation_fields.h"
#include "error.h"
#include "signing.h"

MTOKEN_BEGIN

/* Whether the server's signature was looked at, and what came of it. */
MTOKEN_CLOSED_ENUM(mtoken_verification_values) {
    MTOKEN_VERIFIED_NOT_CHECKED = 0, /* nobody looked: anybody may have made the payload */
    MTOKEN_VERIFIED_VALID = 1,       /* the server made it */
    MTOKEN_VERIFIED_INVALID = 2,     /* the server did not make it, or it was changed */
    MTOKEN_VERIFIED_UNSUPPORTED = 3, /* the kind of key cannot be verified here */
};
typedef int32_t mtoken_verification;

/* An offline operation. Read-only; free with mtoken_qr_operation_free. */
typedef struct mtoken_qr_operation {
    /* MTOKEN_VERIFIED_...; show nothing as trustworthy unless it is VALID */
    mtoken_verification verification;
    mtoken_server_key server_key;                   /* MTOKEN_KEY_...: whose key signed */
    const char *MTOKEN_SECRET payload;              /* as it was given */
    size_t payload_length;
    size_t signed_length; /* the signature covers the first signed_length bytes of the payload */
    const char *id;                                 /* not empty */
    const char *title;                              /* without escapes; may be empty */
    const char *message;                            /* without escapes; may be empty */
    const char *raw_title;                          /* with escapes */
    const char *raw_message;                        /* with escapes */
    const mtoken_operation_fields *signed_fields;   /* what is approved */
    const char *flags;                              /* the line as it is */
    mtoken_bool allows_biometry;                    /* B: biometry may be used instead of the PIN */
    mtoken_bool flip_buttons;                       /* X: approve and reject change places */
    mtoken_bool warns_of_fraud;                     /* F: show a warning of fraud */
    mtoken_bool block_approval_on_call; /* C: do not let the user approve during a call */
    const char *unknown_flags; /* the letters that this library does not know; may be empty */
    /* one-time password of a proximity check; NULL: none */
    const char *MTOKEN_NULLABLE MTOKEN_SECRET totp;
    mtoken_bool is_newer_format; /* 1: the payload has lines that this library does not know */
    size_t extra_count;
    const char *const *extras;                      /* those lines, with escapes */
    const char *nonce;                              /* Base64 */
    const uint8_t *nonce_bytes;                     /* 16 */
    const char *signature;                          /* Base64 */
    const uint8_t *signature_bytes;
    size_t signature_bytes_length;                  /* 64 to 255; 32 for PERSONALIZED_MAC */
} mtoken_qr_operation;

/* With what a payload is verified. Give one of client and configuration, not both. */
typedef struct mtoken_qr_options {
    size_t struct_size;
    /* Verifies both kinds of key; without an activation the master key only */
    mtoken_client *client;
    mtoken_text configuration;   /* the application's SDK configuration: verifies the master key */
    /* 1: give the operation also when its signature is not right; look at `verification` */
    mtoken_bool keep_unverified;
    int32_t reserved;            /* 0 */
} mtoken_qr_options;

#define MTOKEN_QR_OPTIONS_INIT { sizeof(mtoken_qr_options), NULL, MTOKEN_TEXT_INIT, 0, 0 }

/*
 * Reads the payload of an offline QR code, and verifies it if `options` say with what.
 *
 * payload      at most 4,096 bytes; nothing may be added or changed, not even at the ends
 * options      NULL, or neither client nor configuration: the signature is not looked at
 * Errors       HANDLE, ARGUMENT, CONFIGURATION; ARGUMENT with reason "invalidUtf8" or
 *              "controlCharacter" (a NUL); PARSE with reason "tooLong", "controlCharacter",
 *              "tooFewLines", "noOperationId", "invalidSignature", "invalidNonce",
 *              "invalidVersion", "invalidTemplateId", "invalidField" or "tooManyFields"; line and
 *              byte_offset tell where. Unless keep_unverified: SIGNATURE
 *              "signatureVerificationFailed" (forged or changed), UNSUPPORTED
 *              "signatureNotVerifiable" (PERSONALIZED_MAC), NOT_ACTIVATED (personalised, but no
 *              activation to verify with)
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_qr_operation_parse(const char *MTOKEN_SECRET payload, size_t payload_length,
                          const mtoken_qr_options *MTOKEN_NULLABLE options,
                          mtoken_qr_operation **out_operation, mtoken_error **out_error);

/* Frees an operation and everything reachable from it. NULL is fine. */
MTOKEN_API void mtoken_qr_operation_free(mtoken_qr_operation *operation);

/* How an offline operation is approved. */
typedef struct mtoken_qr_authorize_options {
    size_t struct_size;
    /* Default "/operation/authorize/offline"; must be the one that the server is set up with */
    mtoken_text uri_id;
    /* Digits per factor, 4 to 8; 0: 8; must be the one that the server is set up with */
    int32_t component_length;
    mtoken_bool allow_unverified; /* 1: approve also what the server may not have made */
} mtoken_qr_authorize_options;

#define MTOKEN_QR_AUTHORIZE_OPTIONS_INIT \
    { \
        sizeof(mtoken_qr_authorize_options), MTOKEN_TEXT_INIT, 0, 0 \
    }

/*
 * Approves an offline operation: computes the code that the user types back, e.g.
 * "12345678-12345678". No network. The advanced counter is stored durably before the code is handed
 * out. A wrong PIN gives a wrong code, which only the server can tell: warn the user.
 *
 * Each code takes the device one step ahead of the server, and the server follows only when a code
 * is typed and checked. It looks a limited number of steps ahead (20 unless it is set otherwise),
 * so at most one code less than that is made until the library has been online: then STATE, reason
 * "counterWindow", with the advice to connect. Until a status has told the width, four codes are
 * made. mtoken_client_get_info tells both numbers. A status that finds the device more than half of
 * the window ahead brings the server up, which voids codes that were shown and not typed.
 *
 * operation    from mtoken_qr_operation_parse; read only during the call. Its payload is read and
 *              verified again, with the key of this client: what is signed is what the payload says
 * auth         possession with the PIN, or with biometry if the operation allows it
 * options      NULL: the defaults
 * out_code     free with mtoken_text_free
 * Errors       HANDLE, ARGUMENT, NOT_ACTIVATED, PENDING; SIGNATURE "operationNotVerified" (its
 *              `verification` is not VALID) or "signatureVerificationFailed" (not by this client's
 *              keys), unless allow_unverified; FACTOR (not two factors; biometry without the flag;
 *              a factor that is not set up); STORAGE (no code is given, the counter is not used);
 *              STATE "counterWindow"; BLOCKED, REMOVED, STATE "counterDeadlock" (as the last status
 *              said)
 */
MTOKEN_API MTOKEN_BLOCKS MTOKEN_CHECKED mtoken_status
mtoken_qr_authorize(mtoken_client *client, const mtoken_qr_operation *operation,
                    const mtoken_auth *auth,
                    const mtoken_qr_authorize_options *MTOKEN_NULLABLE options,
                    mtoken_text **out_code, mtoken_error **out_error);

/*
 * Groups the digits of an offline code for reading: "12345678-12345678" becomes "1234 5678 1234
 * 5678". Pure. The server wants the code as it was. Free with mtoken_text_free.
 *
 * Errors       ARGUMENT (not two components of 4 to 8 digits each)
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_qr_code_group(const char *code, size_t code_length, mtoken_text **out_grouped,
                     mtoken_error **out_error);

/* What a payload is made of. */
typedef struct mtoken_qr_build_options {
    size_t struct_size;
    mtoken_text id;                         /* not empty */
    mtoken_text title; /* any text: line breaks are escaped, runs of white space become one space */
    mtoken_text message;                    /* any text */
    mtoken_text operation_data; /* operation data, e.g. of mtoken_operation_fields_build */
    mtoken_text flags;                      /* e.g. "B"; may be empty */
    /* one-time password of a proximity check (mtoken_totp); not given: none */
    mtoken_text MTOKEN_SECRET totp;
    mtoken_bytes nonce;                     /* 16 bytes; not given: random ones */
    /* 32 bytes, big endian: the server's private number on P-256 */
    mtoken_bytes MTOKEN_SECRET private_key;
    /* MTOKEN_KEY_MASTER or MTOKEN_KEY_PERSONALIZED: whose key that is */
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
 * Makes and signs the payload of an offline QR code as a server does, for servers and tests.
 * Reading it back gives what it was made of. Print it unchanged, in byte mode, and keep the nonce
 * for the check of the code. Pure. Free with mtoken_text_free.
 *
 * Errors       ARGUMENT (the reason tells which rule is broken), INTERNAL
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_qr_operation_build(const mtoken_qr_build_options *options,
                          mtoken_text **MTOKEN_SECRET out_payload, mtoken_error **out_error);

MTOKEN_END

#endif
