/* SPDX-License-Identifier: Apache-2.0 */
/* Errors: the failure, the object concerned, and what to do. */
#ifndef MTOKEN_ERROR_H
#define MTOKEN_ERROR_H

#include "base.h"

MTOKEN_BEGIN

/*
 * The meaning of a refusal. A server answers 401 for a wrong PIN, but also while the activation is
 * not active, while its back end is down, or for an outdated request. The library therefore fetches
 * the activation status, which needs no signature, before it reports a cause. If the activation is
 * active, the failed attempts before and after and the server's counter tell the cause:
 * - AUTHENTICATION: the server counted a failed attempt. The PIN or the biometry key is wrong;
 *   remaining_attempts is the number of attempts left. (A server that has withdrawn this version of
 *   the application counts one too.)
 * - SERVER with reason "notTheFactor": nothing was counted. Another PIN does not help: the kind of
 *   factor, the application's version, a key or the operation may be the reason. If the server does
 *   not know the activation (wrong base_url?), the message says so.
 * - SERVER with reason "acceptedThenRefused": the server accepted the signature, so the PIN is
 *   right, and refused what was requested.
 * - STATE with reason "counterBehind", retriable: the server's counter has moved on without this
 *   client, so the signature was an outdated one: see MTOKEN_EVENT_COUNTER_BEHIND (event.h).
 * Otherwise:
 * - PENDING_COMMIT, BLOCKED, REMOVED: the status says so. STATE with reason "counterDeadlock": see
 *   activation.h.
 * - SERVER with reason "serverUnavailable", retriable: the status is unavailable too. Nothing
 *   suggests that the PIN was wrong; try again later.
 *
 * Reason "counterAtRisk", with outcome NOT_SENT and code STATE or that of the failed status call:
 * so many signatures are unacknowledged that the next one could exceed the server's look-ahead
 * window (how far the device's counter may be ahead of the server's), and the status could not be
 * fetched. Nothing was signed.
 */

/* How far the request got before the call failed. */
MTOKEN_CLOSED_ENUM(mtoken_outcome_values) {
    MTOKEN_OUTCOME_NOT_SENT = 0, /* nothing left the device */
    /* The request was sent, or may have been; whether the server acted on it is unknown */
    MTOKEN_OUTCOME_UNKNOWN = 1,
    MTOKEN_OUTCOME_ANSWERED = 2, /* the server's response arrived */
};
typedef int32_t mtoken_outcome;

/* Faults of the connection that make a call fail. */
MTOKEN_ENUM(mtoken_network_fault_values) {
    MTOKEN_NETWORK_NONE = 0,
    MTOKEN_NETWORK_NOT_CONNECTED = 1,      /* no network, or no route to the server */
    MTOKEN_NETWORK_HOST_NOT_FOUND = 2,     /* the server's name could not be resolved */
    MTOKEN_NETWORK_CONNECTION_REFUSED = 3, /* the server refused the connection */
    MTOKEN_NETWORK_CONNECTION_LOST = 4,    /* the connection was lost */
    MTOKEN_NETWORK_TIMEOUT = 5,            /* the time limit has expired */
    MTOKEN_NETWORK_PROXY = 6,              /* the proxy was not found or refused the connection */
    MTOKEN_NETWORK_NOT_HTTP = 7,           /* the response is not HTTP */
    MTOKEN_NETWORK_TOO_LARGE = 8,          /* the response is larger than allowed */
};
typedef int32_t mtoken_network_fault;

/* Faults of TLS that make a call fail. */
MTOKEN_ENUM(mtoken_tls_fault_values) {
    MTOKEN_TLS_FAULT_NONE = 0,
    MTOKEN_TLS_FAULT_HANDSHAKE = 1,     /* TLS failed for a reason other than the certificate */
    MTOKEN_TLS_FAULT_UNTRUSTED = 2,     /* no trusted authority issued the certificate */
    MTOKEN_TLS_FAULT_SELF_SIGNED = 3,
    MTOKEN_TLS_FAULT_EXPIRED = 4,
    MTOKEN_TLS_FAULT_NOT_YET_VALID = 5,
    MTOKEN_TLS_FAULT_WRONG_HOST = 6,    /* the certificate is for other names */
    MTOKEN_TLS_FAULT_REVOKED = 7,
    MTOKEN_TLS_FAULT_WEAK = 8,          /* the certificate's key or signature is too weak */
    MTOKEN_TLS_FAULT_OTHER = 9,
    MTOKEN_TLS_FAULT_PIN_MISMATCH = 10, /* the server's public key matches no pinned key */
    /* The server refused the client's certificate, or requires one */
    MTOKEN_TLS_FAULT_CLIENT_CERTIFICATE = 11,
};
typedef int32_t mtoken_tls_fault;

/* Known server error codes, numbered by the library. Later versions append codes. */
MTOKEN_ENUM(mtoken_server_code_values) {
    MTOKEN_SERVER_CODE_UNKNOWN = 0,
    MTOKEN_SERVER_CODE_ERROR_GENERIC = 1,
    MTOKEN_SERVER_CODE_ERROR_NOT_FOUND = 2,
    MTOKEN_SERVER_CODE_POWERAUTH_AUTH_FAIL = 3,
    MTOKEN_SERVER_CODE_INVALID_REQUEST = 4,
    MTOKEN_SERVER_CODE_INVALID_ACTIVATION = 5,
    MTOKEN_SERVER_CODE_INVALID_APPLICATION = 6,
    MTOKEN_SERVER_CODE_INVALID_OPERATION = 7,
    MTOKEN_SERVER_CODE_ERR_ACTIVATION = 8,
    MTOKEN_SERVER_CODE_ERR_AUTHENTICATION = 9,
    MTOKEN_SERVER_CODE_ERR_SECURE_VAULT = 10,
    MTOKEN_SERVER_CODE_ERR_ENCRYPTION = 11,
    MTOKEN_SERVER_CODE_PUSH_REGISTRATION_FAILED = 12,
    MTOKEN_SERVER_CODE_OPERATION_ALREADY_FINISHED = 13,
    MTOKEN_SERVER_CODE_OPERATION_ALREADY_FAILED = 14,
    MTOKEN_SERVER_CODE_OPERATION_ALREADY_CANCELED = 15,
    MTOKEN_SERVER_CODE_OPERATION_EXPIRED = 16,
    MTOKEN_SERVER_CODE_OPERATION_FAILED = 17,
    MTOKEN_SERVER_CODE_OPERATION_REQUIRES_ACTIVATION_FLAG = 18,
    MTOKEN_SERVER_CODE_ERR_CONFIG = 19,
    MTOKEN_SERVER_CODE_INBOX_FAILED = 20,
    MTOKEN_SERVER_CODE_APPLICATION_CONFIGURATION_ERROR = 21,
    MTOKEN_SERVER_CODE_ACTIVATION_CODE_FAILED = 22,
    MTOKEN_SERVER_CODE_REMOTE_COMMUNICATION_ERROR = 23,
    MTOKEN_SERVER_CODE_ACTIVATION_NOT_ACTIVE = 24,
    MTOKEN_SERVER_CODE_ACTIVATION_NOT_CONFIGURED = 25,
    MTOKEN_SERVER_CODE_ONBOARDING_FAILED = 26,
    MTOKEN_SERVER_CODE_ONBOARDING_PROCESS_LIMIT_REACHED = 27,
    MTOKEN_SERVER_CODE_TOO_MANY_ONBOARDING_PROCESSES = 28,
    MTOKEN_SERVER_CODE_ONBOARDING_OTP_FAILED = 29,
    MTOKEN_SERVER_CODE_INVALID_DOCUMENT = 30,
    MTOKEN_SERVER_CODE_DOCUMENT_SUBMIT_FAILED = 31,
    MTOKEN_SERVER_CODE_IDENTITY_VERIFICATION_FAILED = 32,
    MTOKEN_SERVER_CODE_IDENTITY_VERIFICATION_LIMIT_REACHED = 33,
    MTOKEN_SERVER_CODE_DOCUMENT_VERIFICATION_FAILED = 34,
    MTOKEN_SERVER_CODE_PRESENCE_CHECK_FAILED = 35,
    MTOKEN_SERVER_CODE_PRESENCE_CHECK_NOT_ENABLED = 36,
    MTOKEN_SERVER_CODE_PRESENCE_CHECK_LIMIT_REACHED = 37,
    MTOKEN_SERVER_CODE_TOO_MANY_REQUESTS = 38,
    MTOKEN_SERVER_CODE_ERR_TEMPORARY_KEY = 39,
    MTOKEN_SERVER_CODE_ERR_UPGRADE = 40,
    MTOKEN_SERVER_CODE_ERR_PASSWORD_CHANGE = 41,
    MTOKEN_SERVER_CODE_ERR_BIOMETRY = 42,
    MTOKEN_SERVER_CODE_ERR_USER_INFO = 43,
    MTOKEN_SERVER_CODE_ERR_STATUS = 44,
    MTOKEN_SERVER_CODE_ERR_VALIDATION = 45,
};
typedef int32_t mtoken_server_code;

/* Why a call failed. mtoken_error_free says which errors the host must free. */
typedef struct mtoken_error {
    mtoken_status code;                         /* MTOKEN_ERROR_... */
    mtoken_outcome outcome;                     /* MTOKEN_OUTCOME_... */
    /*
     * Stable machine-readable reason, e.g. "operations_alreadyFinished", "network_timeOut",
     * "missingActivation". Never NULL. A request that was signed and refused has one of three
     * causes: AUTHENTICATION: the server counted a failed attempt, so the PIN or biometry key is
     * wrong; SERVER with reason "notTheFactor": it counted none, and another PIN does not help;
     * SERVER with reason "acceptedThenRefused": it accepted the signature, so the PIN is right, and
     * refused what was requested.
     */
    const char *reason;
    /*
     * One English sentence for developers: what happened, to which object, and what to do. Contains
     * no secrets. Never NULL.
     */
    const char *message;
    int32_t http_status;                        /* 0 if no HTTP response arrived */
    /* Attempts left before the activation is blocked; -1 if unknown (fetch the status) */
    int32_t remaining_attempts;
    /*
     * Code of the server's error object, e.g. "POWERAUTH_AUTH_FAIL"; NULL if there is none. Server
     * texts are reduced to one line without control characters and bidirectional marks. Longer
     * texts are truncated, with an ellipsis, to 128 (code), 512 (message) and 2,048 (URI)
     * characters.
     */
    const char *MTOKEN_NULLABLE server_code;
    const char *MTOKEN_NULLABLE server_message; /* message of that object; NULL if there is none */
    /* URI with more information about the error, from the server; NULL if there is none */
    const char *MTOKEN_NULLABLE server_uri;
    mtoken_server_code server_code_number;      /* MTOKEN_SERVER_CODE_... of server_code */
    mtoken_bool is_retriable; /* 1: the same call may succeed later, and repeating it is safe */
    mtoken_network_fault network_fault; /* MTOKEN_NETWORK_...; NONE: not the cause */
    mtoken_tls_fault tls_fault; /* MTOKEN_TLS_FAULT_...; NONE: not the cause */
    int64_t byte_offset;                        /* parse errors: offset in the input; -1: none */
    int32_t line; /* parse errors in an offline text: line, from 1; 0: none */
    /*
     * After an activation with a wrong PUK: index of the expected PUK in the printed list; 0:
     * unknown
     */
    int32_t recovery_puk_index;
    /*
     * The underlying cause, for developers: libcurl's text, or the message of another error.
     * Contains no secrets. NULL if there is none
     */
    const char *MTOKEN_NULLABLE cause;
    /*
     * The reason that the mobile SDKs use. It differs from `reason` for "notTheFactor",
     * "acceptedThenRefused" and "secretsDiffer", if mtoken_operations_detail or mtoken_operations_claim finds the
     * operation expired, if end-to-end encryption fails ("network_e2eeError"), and if a token cannot
     * be fetched or used ("network_tokenError")
     */
    const char *upstream_reason;
    /*
     * How long the server asks the client to wait (Retry-After), at most one hour; -1 if it does
     * not say
     */
    int64_t retry_after_ms;
    /* X-Correlation-ID of the request, for the bank's support; NULL if there was none */
    const char *MTOKEN_NULLABLE correlation_id;
    /*
     * The bank's information about a refused approval or denial: "customInfo" of the responseObject,
     * any JSON value; NULL if there is none
     */
    const char *MTOKEN_NULLABLE custom_info;
} mtoken_error;

/*
 * Frees an error that a failed call returned. NULL is ignored. Errors reached through a task or
 * event are freed with it.
 */
MTOKEN_API void mtoken_error_free(mtoken_error *error);

/*
 * Returns 1 if the server says that the operation was already approved, rejected or cancelled, has
 * failed or has expired: nothing more can be done with it. Returns 0 otherwise, and for NULL.
 */
MTOKEN_API mtoken_bool mtoken_error_is_operation_over(const mtoken_error *error);

/*
 * Returns the text of an MTOKEN_SERVER_CODE_..., e.g. "POWERAUTH_AUTH_FAIL", or NULL for 0 and
 * unknown numbers. Static.
 */
MTOKEN_API const char *MTOKEN_NULLABLE mtoken_server_code_name(mtoken_server_code code);

/*
 * Returns the name of a code, e.g. "MTOKEN_ERROR_TIMEOUT" ("MTOKEN_OK" for 0), or NULL for an
 * unknown code. Static.
 */
MTOKEN_API const char *MTOKEN_NULLABLE mtoken_error_name(mtoken_status code);

/* Returns one sentence that describes a code, or NULL for an unknown code. Static. */
MTOKEN_API const char *MTOKEN_NULLABLE mtoken_error_description(mtoken_status code);

MTOKEN_END

#endif
