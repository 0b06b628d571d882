/* What went wrong, to which thing, and what to do. */
#ifndef MTOKEN_ERROR_H
#define MTOKEN_ERROR_H

#include "base.h"

MTOKEN_BEGIN

/*
 * What a refusal means. A server answers 401 for a wrong PIN, but also while the activation is not
 * active, while its back end is down, or for an outdated request. The library therefore asks for
 * the unsigned status before it says what the matter is:
 * - AUTHENTICATION: the activation is active. With a PIN or biometry key and a failed attempt
 *   counted, that factor was wrong: remaining_attempts tells how many are left.
 * - PENDING_COMMIT, BLOCKED, REMOVED: the status says so. STATE with reason "counterDeadlock": see
 *   activation.h.
 * - SERVER with reason "serverUnavailable", retriable: the status cannot be had either. Nothing is
 *   known to be wrong with the PIN; try again later.
 *
 * STATE or the status's own error with outcome NOT_SENT and reason "counterAtRisk": so many
 * signatures have not been acknowledged by the server that another one could be out of its reach,
 * and the server cannot be asked. Nothing was signed.
 */

/* What is known of the request when the call failed. */
MTOKEN_CLOSED_ENUM(mtoken_outcome_values) {
    MTOKEN_OUTCOME_NOT_SENT = 0, /* nothing left the device */
    /* The request was sent, or may have been; whether the server acted is unknown */
    MTOKEN_OUTCOME_UNKNOWN = 1,
    MTOKEN_OUTCOME_ANSWERED = 2, /* the server's answer arrived */
};
typedef int32_t mtoken_outcome;

/* What became of the connection, where that is why a call failed. */
MTOKEN_ENUM(mtoken_network_fault_values) {
    MTOKEN_NETWORK_NONE = 0,
    MTOKEN_NETWORK_NOT_CONNECTED = 1,      /* no network, or no route to the server */
    MTOKEN_NETWORK_HOST_NOT_FOUND = 2,     /* the server's name has no address */
    MTOKEN_NETWORK_CONNECTION_REFUSED = 3, /* nothing listens at the server */
    MTOKEN_NETWORK_CONNECTION_LOST = 4,    /* the connection broke off */
    MTOKEN_NETWORK_TIMEOUT = 5,            /* the time given has passed */
    MTOKEN_NETWORK_PROXY = 6,              /* the proxy was not found or refused */
    MTOKEN_NETWORK_NOT_HTTP = 7,           /* the answer is not HTTP */
    MTOKEN_NETWORK_TOO_LARGE = 8,          /* the answer is larger than is allowed */
};
typedef int32_t mtoken_network_fault;

/* What was wrong with TLS, where that is why a call failed. */
MTOKEN_ENUM(mtoken_tls_fault_values) {
    MTOKEN_TLS_FAULT_NONE = 0,
    MTOKEN_TLS_FAULT_HANDSHAKE = 1,     /* TLS failed otherwise than by the certificate */
    MTOKEN_TLS_FAULT_UNTRUSTED = 2,     /* no trusted authority stands behind the certificate */
    MTOKEN_TLS_FAULT_SELF_SIGNED = 3,
    MTOKEN_TLS_FAULT_EXPIRED = 4,
    MTOKEN_TLS_FAULT_NOT_YET_VALID = 5,
    MTOKEN_TLS_FAULT_WRONG_HOST = 6,    /* the certificate is for other names */
    MTOKEN_TLS_FAULT_REVOKED = 7,
    MTOKEN_TLS_FAULT_WEAK = 8,          /* key or signature of the certificate are too weak */
    MTOKEN_TLS_FAULT_OTHER = 9,
    MTOKEN_TLS_FAULT_PIN_MISMATCH = 10, /* the key is none of the pinned ones */
};
typedef int32_t mtoken_tls_fault;

/* The server's codes that are known, by number; later versions append. */
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
};
typedef int32_t mtoken_server_code;

/* Why a call failed. Made by the library; see mtoken_error_free for who frees it. */
typedef struct mtoken_error {
    mtoken_status code;                         /* MTOKEN_ERROR_... */
    mtoken_outcome outcome;                     /* MTOKEN_OUTCOME_... */
    /*
     * Stable machine-readable reason, e.g. "operations_alreadyFinished", "network_timeOut",
     * "missingActivation". Never NULL.
     */
    const char *reason;
    /*
     * One sentence in English for developers: what happened, to which thing, what to do. No
     * secrets. Never NULL.
     */
    const char *message;
    int32_t http_status;                        /* 0: no HTTP answer */
    /* Attempts left before the activation is blocked; -1: not known (fetch the status) */
    int32_t remaining_attempts;
    /*
     * Code of the server's error object, e.g. "POWERAUTH_AUTH_FAIL"; NULL: none. Texts of the
     * server are in one line, without control characters and marks of direction, and of at most 128
     * (code), 512 (message) and 2,048 (URI) characters; the end of a longer one is replaced by an
     * ellipsis.
     */
    const char *MTOKEN_NULLABLE server_code;
    const char *MTOKEN_NULLABLE server_message; /* its message; NULL: none */
    /* Where more can be read about the error, as the server says; NULL: none */
    const char *MTOKEN_NULLABLE server_uri;
    mtoken_server_code server_code_number;      /* MTOKEN_SERVER_CODE_... of server_code */
    mtoken_bool is_retriable; /* 1: the same call may succeed later and repeating it does no harm */
    mtoken_network_fault network_fault; /* MTOKEN_NETWORK_...; NONE: not why the call failed */
    mtoken_tls_fault tls_fault; /* MTOKEN_TLS_FAULT_...; NONE: not why the call failed */
    int64_t byte_offset;                        /* of a parse error, in the text given; -1: none */
    int32_t line; /* of a parse error in an offline text, from 1; 0: none */
    /* After an activation with a wrong PUK: which one of the printed list is due; 0: not told */
    int32_t recovery_puk_index;
    /*
     * What the library below says, in English, for developers; names the server at most; NULL:
     * nothing
     */
    const char *MTOKEN_NULLABLE cause;
    /*
     * The SDKs' own reason; another than `reason` for operations that a detail or claim finds
     * expired
     */
    const char *upstream_reason;
    /* How long the server asks to be left alone (Retry-After), an hour at most; -1: not told */
    int64_t retry_after_ms;
    /*
     * X-Correlation-ID of the request, for the bank's support; NULL: it had none, or none was sent
     */
    const char *MTOKEN_NULLABLE correlation_id;
} mtoken_error;

/*
 * Frees an error given out by a failed call. NULL is fine. Errors reached through a task or event
 * are freed with those.
 */
MTOKEN_API void mtoken_error_free(mtoken_error *error);

/*
 * 1: the operation was approved, rejected, cancelled, has failed or expired: nothing is left to do
 * with it. 0: not so, or NULL.
 */
MTOKEN_API mtoken_bool mtoken_error_is_operation_over(const mtoken_error *error);

/*
 * The text of an MTOKEN_SERVER_CODE_..., e.g. "POWERAUTH_AUTH_FAIL"; NULL for 0 and unknown
 * numbers. Static.
 */
MTOKEN_API const char *MTOKEN_NULLABLE mtoken_server_code_name(mtoken_server_code code);

/*
 * Name of a code, e.g. "MTOKEN_ERROR_TIMEOUT"; "MTOKEN_OK" for 0; NULL for an unknown code. Static.
 */
MTOKEN_API const char *MTOKEN_NULLABLE mtoken_error_name(mtoken_status code);

/* One sentence that describes a code; NULL for an unknown code. Static. */
MTOKEN_API const char *MTOKEN_NULLABLE mtoken_error_description(mtoken_status code);

MTOKEN_END

#endif
