/* SPDX-License-Identifier: Apache-2.0 */
/* Push messages: registration and parsing. */
#ifndef MTOKEN_PUSH_H
#define MTOKEN_PUSH_H

#include "base.h"
#include "error.h"

MTOKEN_BEGIN

/* Services that deliver push messages. */
MTOKEN_CLOSED_ENUM(mtoken_push_platform_values) {
    MTOKEN_PUSH_PLATFORM_APNS = 1, /* Apple */
    MTOKEN_PUSH_PLATFORM_FCM = 2,  /* Firebase, also on Apple devices */
    MTOKEN_PUSH_PLATFORM_HMS = 3,  /* Huawei */
};
typedef int32_t mtoken_push_platform;

/* APNs environments. */
MTOKEN_CLOSED_ENUM(mtoken_push_environment_values) {
    MTOKEN_PUSH_ENVIRONMENT_DEFAULT = 0,     /* as the server is configured */
    MTOKEN_PUSH_ENVIRONMENT_DEVELOPMENT = 1,
    MTOKEN_PUSH_ENVIRONMENT_PRODUCTION = 2,
};
typedef int32_t mtoken_push_environment;

/* A registration. Set either token or token_bytes. */
typedef struct mtoken_push_options {
    size_t struct_size;
    mtoken_push_platform platform;       /* MTOKEN_PUSH_PLATFORM_...; required */
    /* MTOKEN_PUSH_ENVIRONMENT_..., for APNs; ignored for other services */
    mtoken_push_environment environment;
    mtoken_text token; /* the token that the service gave the device; for APNs in hexadecimal */
    /* APNs only: the token as bytes; the library sends them in upper-case hexadecimal */
    mtoken_bytes token_bytes;
    /*
     * 1: the server is older than 1.10: it uses other names for the services and has no
     * environments; 0: the library asks the server for its version
     */
    mtoken_bool is_legacy_server;
    int32_t reserved;                    /* 0 */
} mtoken_push_options;

#define MTOKEN_PUSH_OPTIONS_INIT \
    { \
        sizeof(mtoken_push_options), 0, 0, MTOKEN_TEXT_INIT, MTOKEN_BYTES_INIT, 0, 0 \
    }

/*
 * Registers this device for push messages. Call it at each start, after activation, and whenever
 * the service issues a new token. Only one registration per client can run at a time.
 *
 * Servers before 1.10 name the services "ios", "android" and "huawei", later ones "apns", "fcm" and
 * "hms". The version that the server reports decides. If it reports none, the library tries the new
 * name and, after a 500, the old one once.
 *
 * Calls        POST /pa/v3/status, unless is_legacy_server is 1; POST
 *              /api/push/device/register/token (token "possession_universal")
 * Task result  none
 * Errors       at once: HANDLE, ARGUMENT (empty token, unknown service), NOT_ACTIVATED and PENDING
 *              (reason "not_enrolled"), BUSY (reason "push_alreadyRegistering"), STATE (the runtime
 *              was freed); of the task: those of the calls of operations.h; SERVER with
 *              "PUSH_REGISTRATION_FAILED" or "INVALID_REQUEST". A 500 is not retriable here: it
 *              means that the server does not know the service by this name.
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_push_register(mtoken_client *client, const mtoken_push_options *options,
                     mtoken_task **out_task, mtoken_error **out_error);

/*
 * Returns 1 if the server has accepted a registration of this activation, also before a restart.
 * Otherwise, while another token or service is being registered, and for an invalid handle, returns
 * 0. The store keeps digests; the first call reads them. No network.
 */
MTOKEN_API MTOKEN_BLOCKS mtoken_bool mtoken_push_is_registered(const mtoken_client *client);

/* Kinds of push messages. */
MTOKEN_ENUM(mtoken_push_kind_values) {
    /* An operation waits for approval ("mtoken.operationInit") */
    MTOKEN_PUSH_KIND_OPERATION_CREATED = 1,
    /* An operation has ended ("mtoken.operationFinished") */
    MTOKEN_PUSH_KIND_OPERATION_FINISHED = 2,
    /* The inbox has a new message ("mtoken.inboxMessage.new") */
    MTOKEN_PUSH_KIND_INBOX_MESSAGE = 3,
    /*
     * The activation was blocked, unblocked, confirmed or removed ("mtoken.statusChange"): fetch
     * the status. activation_id names it
     */
    MTOKEN_PUSH_KIND_STATUS_CHANGE = 4,
};
typedef int32_t mtoken_push_kind;

/* How an operation has ended. */
MTOKEN_ENUM(mtoken_push_result_values) {
    MTOKEN_PUSH_RESULT_UNKNOWN = 0,              /* not known to this version; see result_text */
    MTOKEN_PUSH_RESULT_SUCCESS = 1,              /* "authentication.success" */
    MTOKEN_PUSH_RESULT_FAIL = 2,                 /* "authentication.fail" */
    MTOKEN_PUSH_RESULT_TIMEOUT = 3,              /* "operation.timeout" */
    MTOKEN_PUSH_RESULT_CANCELED = 4,             /* "operation.canceled" */
    MTOKEN_PUSH_RESULT_METHOD_NOT_AVAILABLE = 5, /* "operation.methodNotAvailable" */
};
typedef int32_t mtoken_push_result;

/*
 * A push message. Free with mtoken_push_message_free. Anyone can send a push message: treat it only
 * as a hint to ask the server.
 */
typedef struct mtoken_push_message {
    mtoken_push_kind kind;                      /* MTOKEN_PUSH_KIND_... */
    const char *MTOKEN_NULLABLE operation_id;   /* NULL unless it is about an operation */
    /* Type of the operation; NULL unless it is about one */
    const char *MTOKEN_NULLABLE operation_name;
    mtoken_push_result result; /* MTOKEN_PUSH_RESULT_... of a finished operation, otherwise 0 */
    /* The result as sent; NULL unless an operation has finished */
    const char *MTOKEN_NULLABLE result_text;
    /* Id of the message in the inbox; NULL unless it is about one */
    const char *MTOKEN_NULLABLE inbox_id;
    const char *MTOKEN_NULLABLE title; /* displayed text; NULL if the payload has none */
    /* Displayed text; NULL if the payload has none. Push services may truncate it */
    const char *MTOKEN_NULLABLE body;
    /* The activation that the message is for; NULL if not sent */
    const char *MTOKEN_NULLABLE activation_id;
    /* MTOKEN_YES: nothing is shown to the user; MTOKEN_UNSET: the payload does not say */
    mtoken_answer is_silent;
    const char *json;                           /* the payload without surrounding white space */
    size_t json_length;
    /*
     * From mtoken_runtime_route_push: the client whose activation the message names; otherwise
     * NULL. It is not a new reference.
     */
    mtoken_client *MTOKEN_NULLABLE client;
} mtoken_push_message;

/*
 * Parses the payload of a push message: JSON in the format of APNs, the data map of FCM or HMS, or
 * a complete FCM or HMS message ("data" and "notification"). Pure: needs neither client nor
 * network.
 *
 * out_message  the message; NULL with MTOKEN_OK if the push is of no kind in MTOKEN_PUSH_KIND_...,
 *              which is not an error
 * Errors       ARGUMENT, PARSE (not a JSON object or array; with the byte offset)
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_push_parse(const char *payload, size_t payload_length, mtoken_push_message **out_message,
                  mtoken_error **out_error);

/*
 * Parses the payload of a push message as mtoken_push_parse does, and finds the client of the
 * runtime that it is for, by the activation that it names. For hosts with several accounts. For
 * MTOKEN_PUSH_KIND_STATUS_CHANGE that client then fetches its status in the background:
 * mtoken_client_get_info returns the new status, and polling waits or continues.
 *
 * Calls        POST /pa/v3/activation/status, for MTOKEN_PUSH_KIND_STATUS_CHANGE
 * out_message  the message, with its client; NULL with MTOKEN_OK if the push is of no kind in
 *              MTOKEN_PUSH_KIND_..., which is not an error
 * Errors       HANDLE, ARGUMENT, PARSE (not a JSON object or array; with the byte offset), STATE
 *              (belongs to a parent process)
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_runtime_route_push(const mtoken_runtime *runtime, const char *payload, size_t payload_length,
                          mtoken_push_message **out_message, mtoken_error **out_error);

/* Frees a message. NULL is ignored. */
MTOKEN_API void mtoken_push_message_free(mtoken_push_message *message);

MTOKEN_END

#endif
