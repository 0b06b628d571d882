/*
 * Mobile authentication with push: a portal starts a request, the server sends a push that holds an
 * identifier and nothing sensitive, this device fetches the request, asks the user in the way that
 * the request demands, and answers.
 *
 *     push payload -> mtoken_mobile_auth_handle_push -> MTOKEN_EVENT_CHALLENGE -> an answer
 *         -> (another challenge) -> the task completes -> mtoken_task_mobile_auth
 *
 * Enrolment: an active activation, and for pushes mtoken_push_register.
 */
#ifndef MTOKEN_MOBILE_AUTH_H
#define MTOKEN_MOBILE_AUTH_H

#include "base.h"
#include "error.h"
#include "operation.h"
#include "operations.h"

MTOKEN_BEGIN

/*
 * How a handling can fail. The error of the task has the same as its reason ("device_deregistered",
 * ...), and keeps code, HTTP status and server code of what caused it. New ones may be added in a
 * later version.
 */
MTOKEN_ENUM(mtoken_mobile_auth_error_values) {
    MTOKEN_MOBILE_AUTH_OK = 0,
    /* The server has removed the activation; it was removed here too */
    MTOKEN_MOBILE_AUTH_DEVICE_DEREGISTERED = 1,
    /* Too many wrong PINs: the activation is blocked, or removed here too */
    MTOKEN_MOBILE_AUTH_USER_DEREGISTERED = 2,
    MTOKEN_MOBILE_AUTH_ACTION_CANCELLED = 3, /* the host cancelled the challenge or the task */
    MTOKEN_MOBILE_AUTH_NETWORK_CONNECTIVITY = 4, /* no network; the request can be handled again */
    /* No answer; with outcome UNKNOWN it may have been approved */
    MTOKEN_MOBILE_AUTH_SERVER_NOT_REACHABLE = 5,
    MTOKEN_MOBILE_AUTH_NOT_FOUND = 6, /* unknown to the server, or finished, or another user's */
    /* No authenticator here can satisfy it; malformed payload; a contradiction (strict) */
    MTOKEN_MOBILE_AUTH_NOT_HANDLEABLE = 7,
    /* The server has taken the right to mobile authentication away */
    MTOKEN_MOBILE_AUTH_USER_DISENROLLED = 8,
    /* No active activation, or one that the bank has yet to confirm */
    MTOKEN_MOBILE_AUTH_NOT_ENROLLED = 9,
    MTOKEN_MOBILE_AUTH_ALREADY_IN_PROGRESS = 10,   /* a request of this client is being handled */
    /* The server refuses the application's key or secret */
    MTOKEN_MOBILE_AUTH_CONFIGURATION_INVALID = 11,
    MTOKEN_MOBILE_AUTH_EXPIRED = 12,               /* it expired while the user was asked */
    MTOKEN_MOBILE_AUTH_OTHER = 13,                 /* something else: see the error */
    /* It wants a proximity check, and there is no password: nobody was asked for a PIN */
    MTOKEN_MOBILE_AUTH_PROXIMITY_REQUIRED = 14,
};
typedef int32_t mtoken_mobile_auth_error;

/*
 * The reason text of MTOKEN_MOBILE_AUTH_..., e.g. "not_found"; "ok" for 0. Static; NULL for unknown
 * numbers.
 */
MTOKEN_API const char
*MTOKEN_NULLABLE mtoken_mobile_auth_error_name(mtoken_mobile_auth_error error);

/* A request: as a push hints at it, or as the server holds it. */
typedef struct mtoken_mobile_auth_request {
    const char *transaction_id;                        /* the operation's id */
    const char *profile; /* the id of the client, which is its own name for the activation */
    int64_t date; /* when it was made, or the push was read; milliseconds since the epoch */
    int64_t time_to_live_s;                            /* seconds left; -1: a push does not tell */
    /* The operation's name: tells login from payment; NULL: not known yet */
    const char *MTOKEN_NULLABLE operation_name;
    /* From the server: whole; from a push: at most 155 characters. NULL: not known */
    const char *MTOKEN_NULLABLE message;
    /* The whole payload of the push; NULL: it came without one */
    const char *MTOKEN_NULLABLE user_info;
    size_t user_info_length;
    /* All of it, as the server holds it; NULL: known from a push only */
    const mtoken_operation *MTOKEN_NULLABLE operation;
} mtoken_mobile_auth_request;

/* Requests, newest first. */
typedef struct mtoken_mobile_auth_list {
    size_t count;
    const mtoken_mobile_auth_request *const *requests; /* NULL if there are none */
} mtoken_mobile_auth_list;

/*
 * The request that the payload of a push hints at. Needs no network. Of the payload only the
 * identifier and what is shown are taken; anyone may send a push.
 *
 * out_request  NULL with MTOKEN_OK: the push is not of this client, which is no error. Free with
 *              mtoken_mobile_auth_request_free.
 * Errors       HANDLE, ARGUMENT, PARSE (no JSON)
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_mobile_auth_from_push(mtoken_client *client, const char *payload, size_t payload_length,
                             mtoken_mobile_auth_request **out_request, mtoken_error **out_error);

/* Frees a request of mtoken_mobile_auth_from_push. NULL is fine. */
MTOKEN_API void mtoken_mobile_auth_request_free(mtoken_mobile_auth_request *request);

/*
 * Fetches the requests that wait for the user, newest first; an empty list when there are none.
 *
 * Calls        POST /api/auth/token/app/operation/list (token)
 * Task result  mtoken_task_mobile_auth_list
 * Errors       at once: HANDLE, ARGUMENT, NOT_ACTIVATED and PENDING (reason "not_enrolled"), STATE;
 *              of the task: reasons as above
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_mobile_auth_pending(mtoken_client *client, mtoken_task **out_task, mtoken_error **out_error);

/*
 * The result of mtoken_mobile_auth_pending; NULL for other or unfinished tasks. Lives as long as
 * the task.
 */
MTOKEN_API const mtoken_mobile_auth_list
*MTOKEN_NULLABLE mtoken_task_mobile_auth_list(const mtoken_task *task);

/* How the host wants to handle a request. */
typedef struct mtoken_mobile_auth_options {
    size_t struct_size;
    /* 1: the host asks the biometric sensor by itself; 0: the PIN is asked for instead */
    mtoken_bool handles_biometry;
    /*
     * 1: the host answers MTOKEN_CHALLENGE_PROXIMITY; 0: a request that wants a proximity check and
     * has no password for it fails with "proximity_required"
     */
    mtoken_bool handles_proximity;
    mtoken_text authenticator; /* a registered custom authenticator, which is then preferred */
    mtoken_text prompt; /* what to show beside the sensor; default: the request's message */
    /* JSON object for the bank's fraud detection: goes with the approval and with a denial */
    mtoken_text mobile_token_data;
    /* one-time password of the proximity check, where it is known beforehand */
    mtoken_text MTOKEN_SECRET proximity_otp;
    /* The device's time when it was received, milliseconds since the epoch; 0: now */
    int64_t proximity_received;
    mtoken_proximity_source proximity_source; /* MTOKEN_PROXIMITY_... of proximity_otp */
    int32_t reserved;                         /* 0 */
} mtoken_mobile_auth_options;

#define MTOKEN_MOBILE_AUTH_OPTIONS_INIT \
    { \
        sizeof(mtoken_mobile_auth_options), 0, 0, MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT, \
        MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT, 0, 0, 0 \
    }

/*
 * Handles a request: fetches it, asks the user by events of kind MTOKEN_EVENT_CHALLENGE, answers
 * the server. One at a time for each client. Which challenge comes first follows from the
 * operation's allowed signature: 1FA: confirmation. 2FA: the custom authenticator of the options or
 * the biometric one, where biometry is allowed and set up; else the PIN.
 *
 * An operation wants a proximity check if one of its pre-approval screens says so
 * (MTOKEN_SCREEN_QR_SCAN). The password comes from the options, from mtoken_operations_attach, or
 * from a challenge that comes before all others. A wrong or late one is refused by the server after
 * it has checked the signature: the handling ends with "not_handleable", and the operation has one
 * failure more.
 *
 * options      NULL: none. What they and mtoken_operations_attach both give counts as the options
 *              say.
 * Calls        POST .../operation/detail (token), .../operation/authorize or .../operation/cancel
 *              (signed); after a refusal /pa/v3/activation/status. The detail is asked for inside
 *              end-to-end encryption first. When the server refuses that in any way in which it
 *              does not refuse the plain call (upstream's answers 500), this client object does
 *              without from then on.
 * Task result  mtoken_task_mobile_auth, also when it failed. Cancelling the task ends the handling
 *              in any state; it does not reject the request.
 * Errors       at once: HANDLE, ARGUMENT, PARSE (mobile_token_data), NOT_ACTIVATED and PENDING
 *              ("not_enrolled"), BUSY ("already_in_progress"), NOT_FOUND (the authenticator is not
 *              registered), STATE (the runtime was freed, or made without
 *              MTOKEN_EVENT_MASK_CHALLENGES); of the task: reasons as above
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_mobile_auth_handle(mtoken_client *client, const char *transaction_id,
                          size_t transaction_id_length,
                          const mtoken_mobile_auth_options *MTOKEN_NULLABLE options,
                          mtoken_task **out_task, mtoken_error **out_error);

/*
 * The same for the payload of a push. A payload that is malformed, or that is no request of this
 * client, gives UNSUPPORTED with reason "not_handleable".
 *
 * Task result  mtoken_task_mobile_auth, also when it failed
 * Errors       as mtoken_mobile_auth_handle
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_mobile_auth_handle_push(mtoken_client *client, const char *payload, size_t payload_length,
                               const mtoken_mobile_auth_options *MTOKEN_NULLABLE options,
                               mtoken_task **out_task, mtoken_error **out_error);

/* How the user proves who they are. */
MTOKEN_ENUM(mtoken_authenticator_kind_values) {
    MTOKEN_AUTHENTICATOR_NONE = 0,      /* this device alone: a confirmation */
    MTOKEN_AUTHENTICATOR_PIN = 1,
    MTOKEN_AUTHENTICATOR_BIOMETRIC = 2,
    MTOKEN_AUTHENTICATOR_CUSTOM = 3,
};
typedef int32_t mtoken_authenticator_kind;

/* How a handling ended. */
typedef struct mtoken_mobile_auth_outcome {
    const mtoken_mobile_auth_request *request;      /* as far as it became known; never NULL */
    /* MTOKEN_MOBILE_AUTH_...; 0: the request was approved or denied */
    mtoken_mobile_auth_error error;
    /* 1: it was rejected at the server, by a denial or a cancelled custom challenge */
    mtoken_bool is_denied;
    /* MTOKEN_AUTHENTICATOR_...: used, or asked for last */
    mtoken_authenticator_kind authenticator_kind;
    const char *MTOKEN_NULLABLE authenticator_name; /* of a custom one, otherwise NULL */
    /* What a custom authenticator said when it fell back to the PIN; NULL: nothing */
    const char *MTOKEN_NULLABLE custom_info;
    /*
     * What the server said to the last answer, well or not: "customInfo" of its responseObject, any
     * JSON value, e.g. {"status":1,"data":"..."}; NULL: nothing
     */
    const char *MTOKEN_NULLABLE server_info;
} mtoken_mobile_auth_outcome;

/*
 * How a handling ended, well or not; NULL for other or unfinished tasks. Lives as long as the task.
 */
MTOKEN_API const mtoken_mobile_auth_outcome
*MTOKEN_NULLABLE mtoken_task_mobile_auth(const mtoken_task *task);

/*
 * Registers an authenticator of the host's own (a smart card, another sensor), or replaces the one
 * of that name. It stands for the biometry factor, and protects a copy of its key. Not stored: to
 * be registered at each start. Ends with the activation. One with a copy of its own (a named
 * authenticator of mtoken_client_add_biometry) is known by its name without this call.
 *
 * name         1 to 64 bytes
 * key          the 16 bytes (protocol 4: 32) of the biometry factor, which the library keeps in
 *              memory; empty: the authenticator keeps them, and each of its answers brings them
 * Errors       HANDLE, ARGUMENT, NOT_ACTIVATED, PENDING, FACTOR (the biometry factor is not set up)
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_mobile_auth_register_authenticator(mtoken_client *client, const char *name,
                                          size_t name_length,
                                          const uint8_t *MTOKEN_NULLABLE MTOKEN_SECRET key,
                                          size_t key_length, mtoken_error **out_error);

/*
 * Forgets an authenticator and wipes its key.
 *
 * Errors       HANDLE, ARGUMENT, NOT_FOUND
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_mobile_auth_unregister_authenticator(mtoken_client *client, const char *name,
                                            size_t name_length, mtoken_error **out_error);

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

/* What is asked. */
typedef struct mtoken_challenge_info {
    mtoken_challenge_kind kind;                         /* MTOKEN_CHALLENGE_... */
    int32_t attempt; /* counts the challenges of one handling, from 1 */
    const mtoken_mobile_auth_request *request; /* with its operation: show this, not the push */
    /* Why the user is asked again; NULL: the first time, or a fallback */
    const mtoken_error *MTOKEN_NULLABLE previous_error;
    int32_t remaining_attempts; /* before the activation is blocked; -1: not known */
    const char *prompt; /* what to show beside the sensor; never NULL */
    const char *MTOKEN_NULLABLE authenticator_name;     /* of a custom challenge, otherwise NULL */
    /* Of a PIN challenge: what the custom authenticator said; NULL: nothing */
    const char *MTOKEN_NULLABLE custom_info;
    /* What the server said to the answer before: see mtoken_mobile_auth_outcome */
    const char *MTOKEN_NULLABLE server_info;
} mtoken_challenge_info;

/* What is asked; NULL for an invalid handle. Lives as long as the challenge. */
MTOKEN_API const mtoken_challenge_info
*MTOKEN_NULLABLE mtoken_challenge_get_info(const mtoken_challenge *challenge);

/* The client and the task of the handling; NULL for an invalid handle. Not new references. */
MTOKEN_API mtoken_client
*MTOKEN_NULLABLE mtoken_challenge_client(const mtoken_challenge *challenge);
MTOKEN_API mtoken_task *MTOKEN_NULLABLE mtoken_challenge_task(const mtoken_challenge *challenge);

/*
 * The answers. A challenge takes exactly one. Errors of all: HANDLE; ARGUMENT (an answer of another
 * kind of challenge; malformed PIN or key), FACTOR, STORAGE and others that leave the challenge
 * open; STATE (it was answered before, or its request has ended: cancelled, expired).
 */

/*
 * Approves the request with this device alone.
 *
 * Calls        POST .../operation/authorize
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_challenge_confirm(mtoken_challenge *challenge, mtoken_error **out_error);

/*
 * Rejects the request at the server, whatever the kind of challenge: the handling then succeeds, as
 * denied.
 *
 * reason       MTOKEN_REJECT_... or a text of the host's own; NULL with length 0:
 *              MTOKEN_REJECT_UNKNOWN
 * Calls        POST .../operation/cancel
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_challenge_deny(mtoken_challenge *challenge, const char *MTOKEN_NULLABLE reason,
                      size_t reason_length, mtoken_error **out_error);

/*
 * Approves the request with the PIN. A wrong one gives another challenge, with the error and the
 * attempts left.
 *
 * pin          UTF-8 bytes, at least 4; copied, and wiped after use
 * Calls        POST .../operation/authorize
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_challenge_pin(mtoken_challenge *challenge, const uint8_t *MTOKEN_SECRET pin,
                     size_t pin_length, mtoken_error **out_error);

/*
 * Approves the request with the bytes that the biometric sensor releases: 16 (protocol 4: 32). If
 * the server refuses them, the PIN is asked for where that is allowed.
 *
 * Calls        POST .../operation/authorize
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_challenge_biometric(mtoken_challenge *challenge, const uint8_t *MTOKEN_SECRET key,
                           size_t key_length, mtoken_error **out_error);

/*
 * The same for a custom authenticator.
 *
 * key          the 16 bytes (protocol 4: 32) that it keeps: the key of its own copy of the biometry
 *              factor, or that of the unnamed one; empty: the key that it was registered with
 * info         anything that it has to tell the server, as text; NULL with length 0: nothing. It is
 *              sent, and signed, as {"name":"<authenticator>","data":"<info>"} in the member
 *              "customAuthenticator" of the mobile token data, beside what else these hold.
 *              (Servers before 1.10 ignore such info.) What the server has to say to it comes back
 *              as server_info of the outcome or of the challenge that follows.
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_challenge_custom(mtoken_challenge *challenge,
                        const uint8_t *MTOKEN_NULLABLE MTOKEN_SECRET key, size_t key_length,
                        const char *MTOKEN_NULLABLE info, size_t info_length,
                        mtoken_error **out_error);

/*
 * Gives the password of the proximity check that the other screen shows. The challenge that the
 * request calls for comes next.
 *
 * otp          not empty
 * source       MTOKEN_PROXIMITY_...
 * received     the device's time when it was received, milliseconds since the epoch; 0: now
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_challenge_proximity(mtoken_challenge *challenge, const char *MTOKEN_SECRET otp,
                           size_t otp_length, mtoken_proximity_source source, int64_t received,
                           mtoken_error **out_error);

/*
 * Asks for the PIN instead: another challenge comes. FACTOR if the request does not allow it.
 *
 * custom_info  what a custom authenticator has to say, for the PIN challenge and the outcome; NULL
 *              with length 0: nothing
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_challenge_use_pin(mtoken_challenge *challenge, const char *MTOKEN_NULLABLE custom_info,
                         size_t custom_info_length, mtoken_error **out_error);

/*
 * Ends the handling with "action_cancelled". The request stays pending at the server, but for a
 * custom challenge, which is rejected there (POST .../operation/cancel with reason "UNKNOWN").
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_challenge_cancel(mtoken_challenge *challenge, mtoken_error **out_error);

/*
 * Gives the challenge back. One that was not answered ends the handling with "action_cancelled";
 * nothing is sent to the server, whatever its kind. NULL is fine.
 */
MTOKEN_API void mtoken_challenge_free(mtoken_challenge *challenge);

MTOKEN_END

#endif
