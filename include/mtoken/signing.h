/* SPDX-License-Identifier: Apache-2.0 */
/* Factors; signatures, online and offline; verification of the server's signatures. */
#ifndef MTOKEN_SIGNING_H
#define MTOKEN_SIGNING_H

#include "base.h"
#include "error.h"

MTOKEN_BEGIN

/* Factors of an authentication. Bit flags; combine with |. */
MTOKEN_FLAGS(mtoken_factors_values) {
    MTOKEN_FACTOR_POSSESSION = 1, /* this device */
    MTOKEN_FACTOR_KNOWLEDGE = 2,  /* the PIN or password */
    MTOKEN_FACTOR_BIOMETRY = 4,   /* the key under biometric protection */
};
typedef int32_t mtoken_factors;

/*
 * How the user authenticates. By default the members that are set determine the factors:
 * possession, plus knowledge if pin is set, plus biometry if biometry_key is set. If neither is
 * set, calls fail with ARGUMENT: possession alone must be requested with `factors`. A pin or key
 * that consists of zero bytes was wiped too early, and fails with ARGUMENT too.
 */
typedef struct mtoken_auth {
    size_t struct_size;
    mtoken_bytes MTOKEN_SECRET pin;          /* UTF-8 bytes of the PIN or password; at least 4 */
    /* The 16 bytes (protocol 4.0: or 32) that the host keeps under its biometric protection */
    mtoken_bytes MTOKEN_SECRET biometry_key;
    mtoken_factors factors; /* 0: as above; otherwise exactly these MTOKEN_FACTOR_... */
    int32_t reserved;                        /* 0 */
    /* Named authenticator that biometry_key belongs to (factors.h); default: the unnamed one */
    mtoken_text authenticator;
} mtoken_auth;

#define MTOKEN_AUTH_INIT \
    { \
        sizeof(mtoken_auth), MTOKEN_BYTES_INIT, MTOKEN_BYTES_INIT, 0, 0, MTOKEN_TEXT_INIT \
    }

/* An HTTP header that the library created. Free with mtoken_header_free. */
typedef struct mtoken_header {
    const char *name;
    const char *value;
    size_t value_length;
} mtoken_header;

/* Frees a header and wipes its memory. NULL is ignored. */
MTOKEN_API void mtoken_header_free(mtoken_header *header);

/* The parts of a request that are signed. */
typedef struct mtoken_sign_options {
    size_t struct_size;
    mtoken_text method; /* "GET", "POST", "PUT", "DELETE", "PATCH" or "HEAD"; required */
    /* The constant that the server expects for the endpoint, not its URL; required */
    mtoken_text uri_id;
    /*
     * The exact bytes of the body; for GET the canonical query (mtoken_canonical_query); for HEAD
     * what the server signs there, usually nothing. May be empty.
     */
    mtoken_bytes body;
} mtoken_sign_options;

#define MTOKEN_SIGN_OPTIONS_INIT \
    { \
        sizeof(mtoken_sign_options), MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT, MTOKEN_BYTES_INIT \
    }

/*
 * Signs a request that the host is about to send and returns its X-PowerAuth-Authorization header.
 * The library stores the advanced counter durably before the call returns. A wrong PIN gives a
 * wrong signature, which only the server can detect. Send the signed requests of one client in the
 * order in which you signed them, each at most once. (PowerAuth protocol, online signatures.)
 *
 * Each signature advances the device's counter by one. The server's counter follows only when the
 * server accepts a signature. The library learns of that from the next status, from its own next
 * call, or from mtoken_client_signature_accepted. When more than half of the server's look-ahead
 * window is used, the library fetches the status in the background (POST /pa/v3/activation/status,
 * unsigned).
 *
 * out_header   must be freed with mtoken_header_free
 * Errors       HANDLE, ARGUMENT, NOT_ACTIVATED, PENDING, FACTOR (not set up; knowledge with
 *              biometry but without possession), STORAGE (no header is returned and the counter
 *              value is not used), BLOCKED, REMOVED (as of the last status), STATE (reason
 *              "counterAtRisk": one more signature could exceed the server's window; fetch the
 *              status first; reason "counterDeadlock": see activation.h; or the external key is not
 *              set)
 */
MTOKEN_API MTOKEN_BLOCKS MTOKEN_CHECKED mtoken_status
mtoken_client_sign(mtoken_client *client, const mtoken_sign_options *options,
                   const mtoken_auth *auth, mtoken_header **out_header, mtoken_error **out_error);

/*
 * Tells the library that the server has accepted the last signature from mtoken_client_sign,
 * mtoken_client_encrypt or mtoken_client_sign_offline, whichever is latest, and that its counter
 * has thus caught up with it. The library's own calls signed since then remain unacknowledged. No
 * network.
 *
 * Errors       HANDLE, NOT_ACTIVATED, PENDING
 */
MTOKEN_API MTOKEN_BLOCKS MTOKEN_CHECKED mtoken_status
mtoken_client_signature_accepted(mtoken_client *client, mtoken_error **out_error);

/*
 * Takes a turn to sign. The task succeeds when no signed call of this client is in progress; the
 * library then starts none until mtoken_task_give_turn. A host that sends signed requests itself
 * takes a turn, signs, sends, reads the response and ends the turn. Its requests and the library's
 * then reach the server in the order of their counters.
 *
 * Task result  none: success means that the turn has begun
 * Errors       at once: HANDLE, ARGUMENT, NOT_ACTIVATED, PENDING; of the task: CANCELLED,
 *              NOT_ACTIVATED (removed in the meantime)
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_client_take_turn(mtoken_client *client, mtoken_task **out_task, mtoken_error **out_error);

/*
 * Ends the turn of a task. Freeing the task, removing the activation or freeing the client also
 * ends it.
 *
 * Errors       HANDLE, STATE (the task has no turn, or its turn has ended)
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status mtoken_task_give_turn(mtoken_task *task);

/*
 * Converts a URL query to its canonical form ("b=2&a=1" becomes "a=1&b=2"), which is signed for a
 * GET request. Pure. Free with mtoken_text_free.
 *
 * Errors       ARGUMENT, PARSE
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_canonical_query(const char *query, size_t query_length, mtoken_text **out_canonical,
                       mtoken_error **out_error);

/* Options of mtoken_client_sign_offline. */
typedef struct mtoken_sign_offline_options {
    size_t struct_size;
    mtoken_text uri_id;       /* the constant that the server expects; required */
    mtoken_bytes body;        /* may be empty */
    mtoken_bytes nonce;       /* 16 bytes from the server; required */
    int32_t component_length; /* digits per factor, 4 to 8; 0: 8 */
    int32_t reserved;         /* 0 */
} mtoken_sign_offline_options;

#define MTOKEN_SIGN_OFFLINE_OPTIONS_INIT \
    { \
        sizeof(mtoken_sign_offline_options), MTOKEN_TEXT_INIT, MTOKEN_BYTES_INIT, \
        MTOKEN_BYTES_INIT, 0, 0 \
    }

/*
 * Computes an offline signature: decimal components, one per factor, joined by "-". The library
 * advances and stores the counter as for an online signature. mtoken_qr_authorize says how many
 * codes may be unacknowledged. (PowerAuth protocol, offline signatures.)
 *
 * out_code     must be freed with mtoken_text_free
 * Errors       as mtoken_client_sign, with reason "counterWindow" in place of "counterAtRisk"
 */
MTOKEN_API MTOKEN_BLOCKS MTOKEN_CHECKED mtoken_status
mtoken_client_sign_offline(mtoken_client *client, const mtoken_sign_offline_options *options,
                           const mtoken_auth *auth, mtoken_text **out_code,
                           mtoken_error **out_error);

/* The key that signed. */
MTOKEN_ENUM(mtoken_server_key_values) {
    MTOKEN_KEY_MASTER = 0,           /* the application's server: also without an activation */
    MTOKEN_KEY_PERSONALIZED = 1,     /* the server's key for this activation */
    /* Protocol 4.0: the key that server and activation share; its code replaces a signature */
    MTOKEN_KEY_PERSONALIZED_MAC = 2,
};
typedef int32_t mtoken_server_key;

/* Encoding of an ECDSA signature, created or verified. */
MTOKEN_CLOSED_ENUM(mtoken_signature_form_values) {
    MTOKEN_SIGNATURE_FORM_DER = 0, /* ASN.1 sequence of r and s */
    MTOKEN_SIGNATURE_FORM_RAW = 1, /* r and s, 32 bytes each (P-384: 48), as in JOSE */
};
typedef int32_t mtoken_signature_form;

/* Options of mtoken_client_verify. */
typedef struct mtoken_verify_options {
    size_t struct_size;
    mtoken_server_key server_key; /* MTOKEN_KEY_...: the expected signer */
    mtoken_signature_form form;   /* MTOKEN_SIGNATURE_FORM_...; a code has only one */
    mtoken_bytes signed_bytes;    /* the data that was signed; may be empty */
    mtoken_bytes signature;       /* required */
} mtoken_verify_options;

#define MTOKEN_VERIFY_OPTIONS_INIT \
    { \
        sizeof(mtoken_verify_options), 0, 0, MTOKEN_BYTES_INIT, MTOKEN_BYTES_INIT \
    }

/*
 * Verifies a signature of the server: ECDSA P-256 with SHA-256 or P-384 with SHA-384, as the keys
 * of the configuration or the activation are. With keys of both curves in the configuration, the
 * signature may be by either. A code of MTOKEN_KEY_PERSONALIZED_MAC has 32 bytes.
 *
 * out_is_valid  1: the signature is valid; 0: it is not
 * Errors        HANDLE, ARGUMENT (empty signature, unknown key or form), NOT_ACTIVATED and PENDING
 *               (MTOKEN_KEY_PERSONALIZED and PERSONALIZED_MAC), UNSUPPORTED (PERSONALIZED_MAC, and
 *               the activation is one of protocol 3)
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_client_verify(const mtoken_client *client, const mtoken_verify_options *options,
                     mtoken_bool *out_is_valid, mtoken_error **out_error);

MTOKEN_END

#endif
