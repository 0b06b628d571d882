/* Factors, and signatures for requests that the host sends itself. */
#ifndef MTOKEN_SIGNING_H
#define MTOKEN_SIGNING_H

#include "base.h"
#include "error.h"

MTOKEN_BEGIN

/* Factors, to be added up. */
#define MTOKEN_FACTOR_POSSESSION 1
#define MTOKEN_FACTOR_KNOWLEDGE 2
#define MTOKEN_FACTOR_BIOMETRY 4

/*
 * How the user proves who they are. By default the factors follow from what is given: possession, plus knowledge if there is
 * a PIN, plus biometry if there is a biometry key.
 */
typedef struct mtoken_auth {
    size_t struct_size;
    mtoken_bytes pin;          /* UTF-8 bytes of the PIN or password; at least 4 */
    mtoken_bytes biometry_key; /* the 16 bytes that the host keeps under its biometric protection */
    int32_t factors;           /* 0: as above; else exactly these MTOKEN_FACTOR_... */
    int32_t reserved;          /* 0 */
    mtoken_text authenticator; /* the named authenticator that keeps biometry_key (factors.h); default: the unnamed one */
} mtoken_auth;

#define MTOKEN_AUTH_INIT { sizeof(mtoken_auth), MTOKEN_BYTES_INIT, MTOKEN_BYTES_INIT, 0, 0, MTOKEN_TEXT_INIT }

/* An HTTP header that the library made. Free with mtoken_header_free. */
typedef struct mtoken_header {
    const char *name;
    const char *value;
    size_t value_length;
} mtoken_header;

MTOKEN_API void mtoken_header_free(mtoken_header *header);

/*
 * Signs a request that the host is about to send: gives the X-PowerAuth-Authorization header. The advanced counter is
 * stored durably before the header is handed out. A wrong PIN gives a wrong signature, which only the server can tell.
 * Send signed requests of one client in the order of signing, each at most once. (PowerAuth protocol, online signatures.)
 *
 * method       "GET", "POST", "PUT", "DELETE", "PATCH" or "HEAD"
 * uri_id       the constant that the server expects for the endpoint, not its URL
 * body         the exact bytes of the request body; for GET the canonical query (mtoken_canonical_query); for HEAD what the
 *              server signs there (usually nothing); may be empty
 * Each signature takes the device's counter one step ahead, and the server follows only when it accepts one. Whether it has
 * accepted this one, the library learns from the next status or call of its own, or from the host, by
 * mtoken_client_signature_accepted. When more than half of the server's window is open, the status is fetched in the background
 * (POST /pa/v3/activation/status, nothing is signed for it).
 *
 * Errors       HANDLE, ARGUMENT, NOT_ACTIVATED, PENDING, FACTOR (not set up; knowledge with biometry but not possession),
 *              STORAGE (no header is given, the counter is not used), BLOCKED, REMOVED (known from the last status), STATE (reason
 *              "counterAtRisk": one more signature could be out of the server's reach, fetch the status first)
 */
MTOKEN_API mtoken_status mtoken_client_sign(mtoken_client *client, const char *method, size_t method_length,
                                            const char *uri_id, size_t uri_id_length, const uint8_t *body, size_t body_length,
                                            const mtoken_auth *auth, mtoken_header **out_header, mtoken_error **out_error);

/*
 * Tells that the server has accepted the signature that was made last with mtoken_client_sign: its counter has followed. No network.
 * Errors: HANDLE, NOT_ACTIVATED, PENDING.
 */
MTOKEN_API mtoken_status mtoken_client_signature_accepted(mtoken_client *client, mtoken_error **out_error);

/*
 * Waits for a turn: the task succeeds when no signed call of this client is under way, and none begins until
 * mtoken_task_give_turn. A host that signs requests takes a turn, signs, sends, reads the answer and gives the turn back, so
 * that its requests and those of the library reach the server in the order of their counters.
 *
 * Errors       at once: HANDLE, ARGUMENT, NOT_ACTIVATED, PENDING; of the task: CANCELLED, NOT_ACTIVATED (removed meanwhile)
 */
MTOKEN_API mtoken_status mtoken_client_take_turn(mtoken_client *client, mtoken_task **out_task, mtoken_error **out_error);

/*
 * Gives the turn of a task back; freeing the task, removing the activation or freeing the client does so too.
 * Returns MTOKEN_OK, MTOKEN_ERROR_HANDLE, or MTOKEN_ERROR_STATE: the task has no turn (any more).
 */
MTOKEN_API mtoken_status mtoken_task_give_turn(mtoken_task *task);

/*
 * The canonical form of a URL query ("b=2&a=1" becomes "a=1&b=2"), which is what is signed for a GET request. Pure.
 * Free with mtoken_string_free. Errors: ARGUMENT, PARSE.
 */
MTOKEN_API mtoken_status mtoken_canonical_query(const char *query, size_t query_length, mtoken_string **out_canonical,
                                                mtoken_error **out_error);

/*
 * Computes an offline signature: decimal components, one per factor, joined by "-". The counter advances and is stored as
 * for an online signature. How many codes may be open, see mtoken_client_authorize_qr. (PowerAuth protocol, offline signatures.)
 *
 * nonce             16 bytes from the server
 * component_length  digits per factor, 4 to 8; 0: 8
 * Errors            as mtoken_client_sign, with reason "counterWindow" in place of "counterAtRisk"
 */
MTOKEN_API mtoken_status mtoken_client_sign_offline(mtoken_client *client, const char *uri_id, size_t uri_id_length,
                                                    const uint8_t *body, size_t body_length, const uint8_t *nonce,
                                                    size_t nonce_length, const mtoken_auth *auth, int32_t component_length,
                                                    mtoken_string **out_code, mtoken_error **out_error);

/* Whose signature is verified. */
#define MTOKEN_KEY_MASTER 0       /* the application's server: also without an activation */
#define MTOKEN_KEY_PERSONALIZED 1 /* the server's key for this activation */

/*
 * Verifies data that the server signed (ECDSA P-256 with SHA-256).
 *
 * signature    DER
 * out_valid    1: the signature is right; 0: it is not
 * Errors       HANDLE, ARGUMENT (empty signature, unknown key), NOT_ACTIVATED (personalised key)
 */
MTOKEN_API mtoken_status mtoken_client_verify(mtoken_client *client, int32_t key, const uint8_t *data, size_t data_length,
                                              const uint8_t *signature, size_t signature_length, int32_t *out_valid,
                                              mtoken_error **out_error);

/*
 * The same for a signature of either form.
 *
 * form         MTOKEN_DEVICE_SIGNATURE_DER, or MTOKEN_DEVICE_SIGNATURE_RAW: r and s, 32 bytes each, as in JSON Web Tokens
 * Errors       as mtoken_client_verify
 */
MTOKEN_API mtoken_status mtoken_client_verify_form(mtoken_client *client, int32_t key, int32_t form, const uint8_t *data,
                                                   size_t data_length, const uint8_t *signature, size_t signature_length,
                                                   int32_t *out_valid, mtoken_error **out_error);

MTOKEN_END

#endif
