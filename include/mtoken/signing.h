/* Factors, and signatures for requests that the host sends itself. */
#ifndef MTOKEN_SIGNING_H
#define MTOKEN_SIGNING_H

#include "base.h"
#include "error.h"

MTOKEN_BEGIN

/* Factors, to be added up. */
MTOKEN_FLAGS(mtoken_factors_values) {
    MTOKEN_FACTOR_POSSESSION = 1,
    MTOKEN_FACTOR_KNOWLEDGE = 2,
    MTOKEN_FACTOR_BIOMETRY = 4,
};
typedef int32_t mtoken_factors;

/*
 * How the user proves who they are. By default the factors follow from what is given: possession,
 * plus knowledge if there is a PIN, plus biometry if there is a biometry key.
 */
typedef struct mtoken_auth {
    size_t struct_size;
    mtoken_bytes MTOKEN_SECRET pin;          /* UTF-8 bytes of the PIN or password; at least 4 */
    /* The 16 (protocol 4: 32) bytes that the host keeps under its biometric protection */
    mtoken_bytes MTOKEN_SECRET biometry_key;
    mtoken_factors factors;                  /* 0: as above; else exactly these MTOKEN_FACTOR_... */
    int32_t reserved;                        /* 0 */
    /* The named authenticator that keeps biometry_key (factors.h); default: the unnamed one */
    mtoken_text authenticator;
} mtoken_auth;

#define MTOKEN_AUTH_INIT \
    { \
        sizeof(mtoken_auth), MTOKEN_BYTES_INIT, MTOKEN_BYTES_INIT, 0, 0, MTOKEN_TEXT_INIT \
    }

/* An HTTP header that the library made. Free with mtoken_header_free. */
typedef struct mtoken_header {
    const char *name;
    const char *value;
    size_t value_length;
} mtoken_header;

/* Frees a header and wipes its memory. NULL is fine. */
MTOKEN_API void mtoken_header_free(mtoken_header *header);

/* What is signed of a request. */
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
 * Signs a request that the host is about to send: gives the X-PowerAuth-Authorization header. The
 * advanced counter is stored durably before the header is handed out. A wrong PIN gives a wrong
 * signature, which only the server can tell. Send signed requests of one client in the order of
 * signing, each at most once. (PowerAuth protocol, online signatures.)
 *
 * Each signature takes the device's counter one step ahead, and the server follows only when it
 * accepts one. Whether it has accepted this one, the library learns from the next status or call of
 * its own, or from the host, by mtoken_client_signature_accepted. When more than half of the
 * server's window is open, the status is fetched in the background (POST /pa/v3/activation/status,
 * nothing is signed for it).
 *
 * out_header   free with mtoken_header_free
 * Errors       HANDLE, ARGUMENT, NOT_ACTIVATED, PENDING, FACTOR (not set up; knowledge with
 *              biometry but not possession), STORAGE (no header is given, the counter is not used),
 *              BLOCKED, REMOVED (known from the last status), STATE (reason "counterAtRisk": one
 *              more signature could be out of the server's reach, fetch the status first)
 */
MTOKEN_API MTOKEN_BLOCKS MTOKEN_CHECKED mtoken_status
mtoken_client_sign(mtoken_client *client, const mtoken_sign_options *options,
                   const mtoken_auth *auth, mtoken_header **out_header, mtoken_error **out_error);

/*
 * Tells that the server has accepted the signature that was made last with mtoken_client_sign: its
 * counter has followed. No network.
 *
 * Errors       HANDLE, NOT_ACTIVATED, PENDING
 */
MTOKEN_API MTOKEN_BLOCKS MTOKEN_CHECKED mtoken_status
mtoken_client_signature_accepted(mtoken_client *client, mtoken_error **out_error);

/*
 * Waits for a turn: the task succeeds when no signed call of this client is under way, and none
 * begins until mtoken_task_give_turn. A host that signs requests takes a turn, signs, sends, reads
 * the answer and gives the turn back, so that its requests and those of the library reach the
 * server in the order of their counters.
 *
 * Task result  none: it succeeds when the turn has come
 * Errors       at once: HANDLE, ARGUMENT, NOT_ACTIVATED, PENDING; of the task: CANCELLED,
 *              NOT_ACTIVATED (removed meanwhile)
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_client_take_turn(mtoken_client *client, mtoken_task **out_task, mtoken_error **out_error);

/*
 * Gives the turn of a task back; freeing the task, removing the activation or freeing the client
 * does so too. Returns MTOKEN_OK, MTOKEN_ERROR_HANDLE, or MTOKEN_ERROR_STATE: the task has no turn
 * (any more).
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status mtoken_task_give_turn(mtoken_task *task);

/*
 * The canonical form of a URL query ("b=2&a=1" becomes "a=1&b=2"), which is what is signed for a
 * GET request. Pure. Free with mtoken_text_free.
 *
 * Errors       ARGUMENT, PARSE
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_canonical_query(const char *query, size_t query_length, mtoken_text **out_canonical,
                       mtoken_error **out_error);

/* What is signed offline. */
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
 * Computes an offline signature: decimal components, one per factor, joined by "-". The counter
 * advances and is stored as for an online signature. How many codes may be open, see
 * mtoken_qr_authorize. (PowerAuth protocol, offline signatures.)
 *
 * out_code     free with mtoken_text_free
 * Errors       as mtoken_client_sign, with reason "counterWindow" in place of "counterAtRisk"
 */
MTOKEN_API MTOKEN_BLOCKS MTOKEN_CHECKED mtoken_status
mtoken_client_sign_offline(mtoken_client *client, const mtoken_sign_offline_options *options,
                           const mtoken_auth *auth, mtoken_text **out_code,
                           mtoken_error **out_error);

/* Whose signature is verified. */
MTOKEN_ENUM(mtoken_server_key_values) {
    MTOKEN_KEY_MASTER = 0,           /* the application's server: also without an activation */
    MTOKEN_KEY_PERSONALIZED = 1,     /* the server's key for this activation */
    /* Of protocol 4: a code of the activation, which cannot be verified here */
    MTOKEN_KEY_PERSONALIZED_MAC = 2,
};
typedef int32_t mtoken_server_key;

/* Form of an ECDSA signature, made or verified. */
MTOKEN_CLOSED_ENUM(mtoken_signature_form_values) {
    MTOKEN_SIGNATURE_FORM_DER = 0, /* ASN.1 sequence of r and s */
    MTOKEN_SIGNATURE_FORM_RAW = 1, /* r and s, 32 bytes each, as in JOSE */
};
typedef int32_t mtoken_signature_form;

/* What is verified. */
typedef struct mtoken_verify_options {
    size_t struct_size;
    /* Whose signature it should be; PERSONALIZED_MAC cannot be verified */
    mtoken_server_key server_key;
    mtoken_signature_form form;
    mtoken_bytes signed_bytes;    /* what was signed; may be empty */
    mtoken_bytes signature;       /* required */
} mtoken_verify_options;

#define MTOKEN_VERIFY_OPTIONS_INIT \
    { \
        sizeof(mtoken_verify_options), 0, 0, MTOKEN_BYTES_INIT, MTOKEN_BYTES_INIT \
    }

/*
 * Verifies what the server signed (ECDSA P-256 with SHA-256).
 *
 * out_is_valid  1: the signature is right; 0: it is not
 * Errors        HANDLE, ARGUMENT (empty signature, unknown key or form), NOT_ACTIVATED
 *               (personalised key)
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_client_verify(const mtoken_client *client, const mtoken_verify_options *options,
                     mtoken_bool *out_is_valid, mtoken_error **out_error);

MTOKEN_END

#endif
