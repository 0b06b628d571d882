/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mobile authentication with push: a portal (e.g. the bank's website) starts a request, and the
 * server sends a push message with an identifier and nothing sensitive. This device fetches the
 * request, asks the user in the way that the request requires, and answers. A request is an
 * operation (operation.h): its identifier is the operation's id.
 *
 *     push payload -> mtoken_mobile_auth_handle_push -> MTOKEN_EVENT_CHALLENGE -> an answer
 *         -> (another challenge) -> the task completes -> mtoken_task_mobile_auth
 *
 * A user with an active activation is enrolled. To receive pushes, also call mtoken_push_register.
 */
#ifndef MTOKEN_MOBILE_AUTH_H
#define MTOKEN_MOBILE_AUTH_H

#include "base.h"
#include "error.h"
#include "operation.h"
#include "operations.h"

MTOKEN_BEGIN

/*
 * How the handling of a request can fail. The task's error has the matching reason
 * ("device_deregistered", ...) and keeps the code, HTTP status and server code of its cause. Later
 * versions may add values.
 */
MTOKEN_ENUM(mtoken_mobile_auth_error_values) {
    MTOKEN_MOBILE_AUTH_OK = 0,
    /* The server has removed the activation; it was removed on this device too */
    MTOKEN_MOBILE_AUTH_DEVICE_DEREGISTERED = 1,
    /* The activation is blocked, or was removed for too many wrong PINs, on this device too */
    MTOKEN_MOBILE_AUTH_USER_DEREGISTERED = 2,
    MTOKEN_MOBILE_AUTH_ACTION_CANCELLED = 3, /* the host cancelled the challenge or the task */
    MTOKEN_MOBILE_AUTH_NETWORK_CONNECTIVITY = 4, /* no network; the request can be handled again */
    /*
     * No usable response, also for a TLS error or an HTTP status of 500 or higher; with outcome
     * UNKNOWN the request may have been approved
     */
    MTOKEN_MOBILE_AUTH_SERVER_NOT_REACHABLE = 5,
    /* The request is unknown to the server, finished, or another user's */
    MTOKEN_MOBILE_AUTH_NOT_FOUND = 6,
    /*
     * No authenticator of this device can satisfy the request; its payload is malformed; the server
     * refused its proximity check; or it has an unknown status or, for a strict client, a
     * contradiction
     */
    MTOKEN_MOBILE_AUTH_NOT_HANDLEABLE = 7,
    /* The server has revoked the right to mobile authentication */
    MTOKEN_MOBILE_AUTH_USER_DISENROLLED = 8,
    /* No active activation, or one that the bank has not yet confirmed */
    MTOKEN_MOBILE_AUTH_NOT_ENROLLED = 9,
    /* The client is already handling a request */
    MTOKEN_MOBILE_AUTH_ALREADY_IN_PROGRESS = 10,
    /* The configuration is invalid, or the server refuses the application or its signatures */
    MTOKEN_MOBILE_AUTH_CONFIGURATION_INVALID = 11,
    MTOKEN_MOBILE_AUTH_EXPIRED = 12, /* the request expired while it waited for the user */
    MTOKEN_MOBILE_AUTH_OTHER = 13,                 /* any other failure: see the error */
    /* The request requires a proximity check, but no password is known; the user was not asked */
    MTOKEN_MOBILE_AUTH_PROXIMITY_REQUIRED = 14,
};
typedef int32_t mtoken_mobile_auth_error;

/*
 * Returns the reason text of an MTOKEN_MOBILE_AUTH_..., e.g. "not_found", "ok" for 0, or NULL for
 * unknown numbers. Static.
 */
MTOKEN_API const char
*MTOKEN_NULLABLE mtoken_mobile_auth_error_name(mtoken_mobile_auth_error error);

/* A request: the part that a push announces, or all of it as fetched from the server. */
typedef struct mtoken_mobile_auth_request {
    const char *transaction_id;                        /* the operation's id */
    const char *profile; /* the client's id (mtoken_client_options.id) */
    /* When it was sent, milliseconds since the epoch; -1 if the push does not say */
    int64_t date;
    int64_t time_to_live_s; /* how long it is valid from then on; -1 if the push does not say */
    /* The operation's name, which distinguishes login from payment; NULL if not known yet */
    const char *MTOKEN_NULLABLE operation_name;
    /* From the server: complete; from a push: what it displays. NULL if unknown */
    const char *MTOKEN_NULLABLE message;
    /* The whole payload of the push; NULL if there was none */
    const char *MTOKEN_NULLABLE user_info;
    size_t user_info_length;
    /* The complete operation from the server; NULL until it is fetched */
    const mtoken_operation *MTOKEN_NULLABLE operation;
} mtoken_mobile_auth_request;

/* Requests, newest first. */
typedef struct mtoken_mobile_auth_list {
    size_t count;
    const mtoken_mobile_auth_request *const *requests; /* NULL if there are none */
} mtoken_mobile_auth_list;

/*
 * Extracts the request from the payload of a push. Needs no network. Only the identifier and the
 * displayed texts are taken from the payload; anyone can send a push.
 *
 * out_request  NULL with MTOKEN_OK if the push is not for this client, which is not an error. Must
 *              be freed with mtoken_mobile_auth_request_free.
 * Errors       HANDLE, ARGUMENT, PARSE (not JSON)
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_mobile_auth_from_push(mtoken_client *client, const char *payload, size_t payload_length,
                             mtoken_mobile_auth_request **out_request, mtoken_error **out_error);

/* Frees a request from mtoken_mobile_auth_from_push. NULL is ignored. */
MTOKEN_API void mtoken_mobile_auth_request_free(mtoken_mobile_auth_request *request);

/*
 * Fetches the requests that wait for the user, newest first. The list is empty if there are none.
 *
 * Calls        POST /api/auth/token/app/operation/list (token)
 * Task result  mtoken_task_mobile_auth_list
 * Errors       at once: HANDLE, ARGUMENT, NOT_ACTIVATED and PENDING (reason "not_enrolled"), STATE;
 *              of the task: reasons as above
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_mobile_auth_pending(mtoken_client *client, mtoken_task **out_task, mtoken_error **out_error);

/*
 * Returns the result of mtoken_mobile_auth_pending, or NULL for other or unfinished tasks. Lives as
 * long as the task.
 */
MTOKEN_API const mtoken_mobile_auth_list
*MTOKEN_NULLABLE mtoken_task_mobile_auth_list(const mtoken_task *task);

/* Options for handling a request. */
typedef struct mtoken_mobile_auth_options {
    size_t struct_size;
    /* 1: the host operates the biometric sensor; 0: the library asks for the PIN instead */
    mtoken_bool handles_biometry;
    /*
     * 1: the host answers MTOKEN_CHALLENGE_PROXIMITY; 0: a request that requires a proximity check
     * without a known password fails with "proximity_required"
     */
    mtoken_bool handles_proximity;
    mtoken_text authenticator; /* a registered custom authenticator, which is then preferred */
    mtoken_text prompt; /* text to show with the biometric sensor; default: the request's message */
    /* JSON object for the bank's fraud detection, sent with an approval or a denial */
    mtoken_text mobile_token_data;
    /* One-time password of the proximity check, if known in advance */
    mtoken_text MTOKEN_SECRET proximity_otp;
    /* Device time when proximity_otp was received, milliseconds since the epoch; 0: now */
    int64_t proximity_received;
    /* MTOKEN_PROXIMITY_...; required with proximity_otp */
    mtoken_proximity_source proximity_source;
    int32_t reserved;                         /* 0 */
} mtoken_mobile_auth_options;

#define MTOKEN_MOBILE_AUTH_OPTIONS_INIT \
    { \
        sizeof(mtoken_mobile_auth_options), 0, 0, MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT, \
        MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT, 0, 0, 0 \
    }

/*
 * Handles a request: fetches it, asks the user with events of kind MTOKEN_EVENT_CHALLENGE, and
 * sends the answer to the server. A client handles one request at a time. The operation's signature
 * type determines the first challenge. 1FA: confirmation. 2FA: the custom authenticator of the
 * options, or else the biometric sensor, if the operation allows biometry and biometry is set up;
 * otherwise the PIN.
 *
 * An operation requires a proximity check if one of its pre-approval screens says so
 * (MTOKEN_SCREEN_QR_SCAN). The password comes from the options, from mtoken_operations_attach, or
 * from a challenge that precedes all others. The server checks the password after the signature. If
 * the password is wrong or late, the handling ends with "not_handleable", and the server increases
 * the operation's failure count by one.
 *
 * options      NULL: the defaults. Options that are set override mtoken_operations_attach.
 * Calls        POST .../operation/detail (token), .../operation/authorize or .../operation/cancel
 *              (signed); after a refusal /pa/v3/activation/status. The detail is first requested
 *              with end-to-end encryption. If the server refuses that, and does not refuse the
 *              plain call in the same way (upstream servers return 500), this client uses the plain
 *              call from then on.
 * Task result  mtoken_task_mobile_auth, also after a failure. Cancelling the task ends the handling
 *              in any state; it does not reject the request.
 * Errors       at once: HANDLE, ARGUMENT, PARSE (mobile_token_data), NOT_ACTIVATED and PENDING
 *              ("not_enrolled"), BUSY ("already_in_progress"), NOT_FOUND (the authenticator is not
 *              registered), STATE (the runtime was freed, or created without
 *              MTOKEN_EVENT_MASK_CHALLENGES); of the task: reasons as above
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_mobile_auth_handle(mtoken_client *client, const char *transaction_id,
                          size_t transaction_id_length,
                          const mtoken_mobile_auth_options *MTOKEN_NULLABLE options,
                          mtoken_task **out_task, mtoken_error **out_error);

/*
 * Handles the request in the payload of a push. If the payload is malformed or not a request for
 * this client, the call fails with UNSUPPORTED and reason "not_handleable".
 *
 * Task result  mtoken_task_mobile_auth, also after a failure
 * Errors       as mtoken_mobile_auth_handle
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_mobile_auth_handle_push(mtoken_client *client, const char *payload, size_t payload_length,
                               const mtoken_mobile_auth_options *MTOKEN_NULLABLE options,
                               mtoken_task **out_task, mtoken_error **out_error);

/*
 * Handles the request that a one-time code names: a PAC code (pac.h) with an operation id and a
 * password. Claims the request, in case it belongs to no user yet, fetches it, and handles it with
 * the password as its proximity check.
 *
 * code         a scanned or opened text, as mtoken_pac_parse accepts it
 * source       MTOKEN_PROXIMITY_...: its origin
 * options      as mtoken_mobile_auth_handle, without proximity_otp
 * Calls        POST .../operation/detail/claim (token), then as mtoken_mobile_auth_handle
 * Task result  mtoken_task_mobile_auth, also after a failure
 * Errors       at once: PARSE (no PAC code), ARGUMENT (it has no password, or the options have
 *              one); otherwise as mtoken_mobile_auth_handle
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_mobile_auth_handle_code(mtoken_client *client, const char *MTOKEN_SECRET code,
                               size_t code_length, mtoken_proximity_source source,
                               const mtoken_mobile_auth_options *MTOKEN_NULLABLE options,
                               mtoken_task **out_task, mtoken_error **out_error);

/* How the user authenticates. An authenticator checks the user and releases a factor. */
MTOKEN_ENUM(mtoken_authenticator_kind_values) {
    MTOKEN_AUTHENTICATOR_NONE = 0,      /* this device alone: a confirmation */
    MTOKEN_AUTHENTICATOR_PIN = 1,
    MTOKEN_AUTHENTICATOR_BIOMETRIC = 2,
    MTOKEN_AUTHENTICATOR_CUSTOM = 3,
};
typedef int32_t mtoken_authenticator_kind;

/* How the handling of a request ended. */
typedef struct mtoken_mobile_auth_outcome {
    const mtoken_mobile_auth_request *request;      /* as much as is known of it; never NULL */
    /* MTOKEN_MOBILE_AUTH_...; 0: the request was approved or denied */
    mtoken_mobile_auth_error error;
    /* 1: it was rejected at the server, by a denial or a cancelled custom challenge */
    mtoken_bool is_denied;
    /* MTOKEN_AUTHENTICATOR_...: the one used, or the last one asked for */
    mtoken_authenticator_kind authenticator_kind;
    const char *MTOKEN_NULLABLE authenticator_name; /* CUSTOM: its name; otherwise NULL */
    /* Information from a custom authenticator that fell back to the PIN; NULL if there is none */
    const char *MTOKEN_NULLABLE custom_info;
    /*
     * The server's information about the last answer, accepted or not: "customInfo" of its
     * responseObject, any JSON value, e.g. {"status":1,"data":"..."}; NULL if there is none
     */
    const char *MTOKEN_NULLABLE server_info;
} mtoken_mobile_auth_outcome;

/*
 * Returns how the handling ended, whether it succeeded or not, or NULL for other or unfinished
 * tasks. Lives as long as the task.
 */
MTOKEN_API const mtoken_mobile_auth_outcome
*MTOKEN_NULLABLE mtoken_task_mobile_auth(const mtoken_task *task);

/*
 * Registers a custom authenticator (a smart card, another sensor), or replaces the one of that
 * name. It acts as the biometry factor and protects a copy of that factor's key. The
 * registration is not stored: repeat it at each start. It ends with the activation. An
 * authenticator with its own copy of the factor (a named one of mtoken_client_add_biometry) needs
 * no registration.
 *
 * name         1 to 64 bytes
 * key          the biometry factor's key, 16 bytes (32 in protocol 4.0), which the library keeps in
 *              memory; empty: the authenticator keeps it, and the host passes it in with each
 *              answer
 * Errors       HANDLE, ARGUMENT, NOT_ACTIVATED, PENDING, FACTOR (the biometry factor is not set up)
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_mobile_auth_register_authenticator(mtoken_client *client, const char *name,
                                          size_t name_length,
                                          const uint8_t *MTOKEN_NULLABLE MTOKEN_SECRET key,
                                          size_t key_length, mtoken_error **out_error);

/*
 * Removes the registration of an authenticator and wipes its key.
 *
 * Errors       HANDLE, ARGUMENT, NOT_FOUND
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_mobile_auth_unregister_authenticator(mtoken_client *client, const char *name,
                                            size_t name_length, mtoken_error **out_error);

/* An authenticator of a client. */
typedef struct mtoken_authenticator {
    mtoken_authenticator_kind kind; /* MTOKEN_AUTHENTICATOR_..., never NONE */
    mtoken_bool is_registered;      /* 1: it can answer a challenge */
    mtoken_bool is_preferred; /* 1: a request that allows all authenticators asks for it first */
    const char *MTOKEN_NULLABLE name; /* CUSTOM: its name; otherwise NULL */
} mtoken_authenticator;

/* The authenticators of a client: PIN, biometric sensor, then custom ones. */
typedef struct mtoken_authenticator_list {
    size_t count;
    const mtoken_authenticator *const *authenticators;
} mtoken_authenticator_list;

/*
 * Lists the authenticators of a client, registered or not. Custom ones are listed while they are
 * registered. No network.
 *
 * options      decide which one is preferred: handles_biometry and authenticator; NULL: the
 *              defaults
 * out_list     must be freed with mtoken_authenticator_list_free
 * Errors       HANDLE, ARGUMENT, NOT_FOUND (the authenticator of the options is not registered)
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_mobile_auth_get_authenticators(mtoken_client *client,
                                      const mtoken_mobile_auth_options *MTOKEN_NULLABLE options,
                                      mtoken_authenticator_list **out_list,
                                      mtoken_error **out_error);

/* Frees a list of authenticators. NULL is ignored. */
MTOKEN_API void mtoken_authenticator_list_free(mtoken_authenticator_list *list);

/* Kinds of challenges. */
MTOKEN_ENUM(mtoken_challenge_kind_values) {
    MTOKEN_CHALLENGE_CONFIRMATION = 1, /* answers: confirm, deny, cancel */
    MTOKEN_CHALLENGE_PIN = 2,          /* answers: pin, deny, cancel */
    MTOKEN_CHALLENGE_BIOMETRIC = 3,    /* answers: biometric, use_pin, deny, cancel */
    MTOKEN_CHALLENGE_CUSTOM = 4,       /* answers: custom, use_pin, deny, cancel */
    /* Answers: proximity, deny, cancel; another challenge follows */
    MTOKEN_CHALLENGE_PROXIMITY = 5,
};
typedef int32_t mtoken_challenge_kind;

/* A question to the user. */
typedef struct mtoken_challenge_info {
    mtoken_challenge_kind kind;                         /* MTOKEN_CHALLENGE_... */
    int32_t attempt; /* counts the challenges of one handling, from 1 */
    const mtoken_mobile_auth_request *request; /* with its operation: show this, not the push */
    /* Why the user is asked again; NULL for the first challenge or a fallback */
    const mtoken_error *MTOKEN_NULLABLE previous_error;
    int32_t remaining_attempts; /* before the activation is blocked; -1 if unknown */
    const char *prompt; /* text to show with the biometric sensor; never NULL */
    const char *MTOKEN_NULLABLE authenticator_name;     /* of a custom challenge, otherwise NULL */
    /* PIN challenge: information from the custom authenticator; NULL if there is none */
    const char *MTOKEN_NULLABLE custom_info;
    /* The server's information about the previous answer: see mtoken_mobile_auth_outcome */
    const char *MTOKEN_NULLABLE server_info;
    /*
     * The signed content: mtoken_operation.summary of the operation. Show it above the question;
     * NULL if there is no operation
     */
    const char *MTOKEN_NULLABLE summary;
} mtoken_challenge_info;

/* Returns the question to the user, or NULL for an invalid handle. Lives as long as the challenge.
*/
MTOKEN_API const mtoken_challenge_info
*MTOKEN_NULLABLE mtoken_challenge_get_info(const mtoken_challenge *challenge);

/*
 * Return the client and the task of the handling, or NULL for an invalid handle. These are not new
 * references.
 */
MTOKEN_API mtoken_client
*MTOKEN_NULLABLE mtoken_challenge_client(const mtoken_challenge *challenge);
MTOKEN_API mtoken_task *MTOKEN_NULLABLE mtoken_challenge_task(const mtoken_challenge *challenge);

/*
 * The answers. Each challenge takes exactly one. Errors of all: HANDLE; ARGUMENT (an answer for
 * another kind of challenge; malformed PIN or key), FACTOR, STORAGE and others that leave the
 * challenge open; STATE (it was already answered, its handling was cancelled, or its request has
 * expired).
 */

/*
 * Approves the request with this device alone.
 *
 * Calls        POST .../operation/authorize
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_challenge_confirm(mtoken_challenge *challenge, mtoken_error **out_error);

/*
 * Rejects the request at the server. Valid for every kind of challenge. The handling then succeeds,
 * as denied.
 *
 * reason       MTOKEN_REJECT_... or any other text; NULL with length 0: MTOKEN_REJECT_UNKNOWN
 * Calls        POST .../operation/cancel
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_challenge_deny(mtoken_challenge *challenge, const char *MTOKEN_NULLABLE reason,
                      size_t reason_length, mtoken_error **out_error);

/*
 * Approves the request with the PIN. A wrong PIN results in another challenge, with the error and
 * the remaining attempts.
 *
 * pin          UTF-8 bytes, at least 4; copied, and wiped after use
 * Calls        POST .../operation/authorize
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_challenge_pin(mtoken_challenge *challenge, const uint8_t *MTOKEN_SECRET pin,
                     size_t pin_length, mtoken_error **out_error);

/*
 * Approves the request with the key that the biometric sensor releases: 16 bytes, or 32 in protocol
 * 4.0. If the server refuses it, another challenge follows: for the PIN if the operation allows it,
 * otherwise of the same kind.
 *
 * Calls        POST .../operation/authorize
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_challenge_biometric(mtoken_challenge *challenge, const uint8_t *MTOKEN_SECRET key,
                           size_t key_length, mtoken_error **out_error);

/*
 * Approves the request with a custom authenticator.
 *
 * key          the 16 or 32 bytes that it keeps: the key of its own copy of the biometry factor, or
 *              that of the unnamed one; empty: the key that it was registered with
 * info         any text from the authenticator for the server; NULL with length 0: none. It is
 *              sent, and signed, as {"name":"<authenticator>","data":"<info>"} in the member
 *              "customAuthenticator" of the mobile token data, whose other members are kept.
 *              (Servers before 1.10 ignore it.) The server's reply is in server_info of the outcome
 *              or of the next challenge.
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_challenge_custom(mtoken_challenge *challenge,
                        const uint8_t *MTOKEN_NULLABLE MTOKEN_SECRET key, size_t key_length,
                        const char *MTOKEN_NULLABLE info, size_t info_length,
                        mtoken_error **out_error);

/*
 * Answers with the proximity check password that the other screen shows. The request's own
 * challenge comes next.
 *
 * otp          not empty
 * source       MTOKEN_PROXIMITY_...
 * received     device time when the password was received, milliseconds since the epoch; 0: now
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_challenge_proximity(mtoken_challenge *challenge, const char *MTOKEN_SECRET otp,
                           size_t otp_length, mtoken_proximity_source source, int64_t received,
                           mtoken_error **out_error);

/*
 * Asks for the PIN instead: a PIN challenge follows. Fails with FACTOR if the request does not
 * allow the PIN.
 *
 * custom_info  information from a custom authenticator for the PIN challenge and the outcome; NULL
 *              with length 0: none
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_challenge_use_pin(mtoken_challenge *challenge, const char *MTOKEN_NULLABLE custom_info,
                         size_t custom_info_length, mtoken_error **out_error);

/*
 * Ends the handling with "action_cancelled". The request stays pending at the server, except after
 * a custom challenge: then the library also rejects it (POST .../operation/cancel with reason
 * "UNKNOWN").
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_challenge_cancel(mtoken_challenge *challenge, mtoken_error **out_error);

/*
 * Frees the challenge. If it was not answered, the handling ends with "action_cancelled", and
 * nothing is sent to the server, whatever the kind. NULL is ignored.
 */
MTOKEN_API void mtoken_challenge_free(mtoken_challenge *challenge);

MTOKEN_END

#endif
