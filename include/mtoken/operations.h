/* SPDX-License-Identifier: Apache-2.0 */
/* The operations service: list, display, approve, reject, claim, history. */
#ifndef MTOKEN_OPERATIONS_H
#define MTOKEN_OPERATIONS_H

#include "base.h"
#include "error.h"
#include "operation.h"
#include "signing.h"

MTOKEN_BEGIN

/*
 * Errors that every call of this header can return: at once HANDLE, ARGUMENT, NOT_ACTIVATED (reason
 * "missingActivation"), PENDING, STATE (the runtime was freed); of the task: NETWORK, TIMEOUT, TLS,
 * PIN_MISMATCH, HTTP, SERVER, AUTHENTICATION, PROTOCOL, STORAGE, CANCELLED. The reasons are those
 * of the Mobile Token SDKs, e.g. "operations_alreadyFinished". Calls that authenticate with a token
 * create the token first if it is missing. If the server no longer knows it (401), they create a
 * new one and repeat the request once.
 */

/*
 * Fetches the pending operations. An operation that is unreadable, or that is not valid JSON (for
 * example because of a duplicate name or an unpaired surrogate), is dropped, counted and logged.
 * The others are returned.
 *
 * Calls        POST /api/auth/token/app/operation/list (token "possession_universal")
 * Task result  mtoken_task_operations
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_operations_list(mtoken_client *client, mtoken_task **out_task, mtoken_error **out_error);

/*
 * Fetches past operations in all states. Some servers do not support it (MTOKEN_ERROR_HTTP or
 * SERVER with status 404).
 *
 * Calls        POST /api/auth/token/app/operation/history (signed, two factors)
 * Task result  mtoken_task_operations
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_operations_history(mtoken_client *client, const mtoken_auth *auth, mtoken_task **out_task,
                          mtoken_error **out_error);

/*
 * Returns the result of mtoken_operations_list or mtoken_operations_history, or NULL for other or
 * unfinished tasks. Lives as long as the task.
 */
MTOKEN_API const mtoken_operation_list
*MTOKEN_NULLABLE mtoken_task_operations(const mtoken_task *task);

/*
 * Fetches one pending operation. If the operation is no longer pending, the task fails, and its
 * reason names the state, e.g. "operations_alreadyFinished".
 *
 * Calls        POST /api/auth/token/app/operation/detail (token)
 * Task result  mtoken_task_operation
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_operations_detail(mtoken_client *client, const char *id, size_t id_length,
                         mtoken_task **out_task, mtoken_error **out_error);

/*
 * Assigns an operation that belongs to no user yet (e.g. a login on a shared screen) to this user,
 * and fetches it.
 *
 * Calls        POST /api/auth/token/app/operation/detail/claim (token)
 * Task result  mtoken_task_operation
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_operations_claim(mtoken_client *client, const char *id, size_t id_length,
                        mtoken_task **out_task, mtoken_error **out_error);

/*
 * Returns the result of mtoken_operations_detail or mtoken_operations_claim, or NULL for other or
 * unfinished tasks. Lives as long as the task.
 */
MTOKEN_API const mtoken_operation *MTOKEN_NULLABLE mtoken_task_operation(const mtoken_task *task);

/* How the one-time password of a proximity check was received. */
MTOKEN_CLOSED_ENUM(mtoken_proximity_source_values) {
    MTOKEN_PROXIMITY_QR_CODE = 1,  /* scanned */
    MTOKEN_PROXIMITY_DEEPLINK = 2, /* opened by the operating system */
};
typedef int32_t mtoken_proximity_source;

/* Options of an approval. */
typedef struct mtoken_authorize_options {
    size_t struct_size;
    /*
     * 1: leave it to the server to refuse factors that the operation does not allow, which may count as
     * a failed attempt; 0: fail with FACTOR before anything is signed
     */
    mtoken_bool allow_other_factors;
    /*
     * 1: refuse (STATE, reason "contradiction") an operation that displays something other than
     * what it signs; 0: as mtoken_client_options.strict says. For what is compared, see
     * MTOKEN_CONTRADICTION_...
     */
    mtoken_bool strict;
    /* 1: also approve an operation with status MTOKEN_OPERATION_UNKNOWN; 0: fail with STATE */
    mtoken_bool allow_unknown_status;
    /* MTOKEN_CONTRADICTION_... flags that strict ignores, in addition to the client's */
    mtoken_contradictions tolerated;
    mtoken_text mobile_token_data;            /* JSON object for the bank's fraud detection */
    /* One-time password of the proximity check, if the operation requires one */
    mtoken_text MTOKEN_SECRET proximity_otp;
    /* Device time when proximity_otp was received, milliseconds since the epoch; 0: now */
    int64_t proximity_received;
    /* MTOKEN_PROXIMITY_...; required with proximity_otp */
    mtoken_proximity_source proximity_source;
    int32_t reserved;                         /* 0 */
    /*
     * Id of the operation that was shown to the user: STATE (reason "otherOperation") if the
     * operation handed in is another one, e.g. since the list was fetched anew; default: not compared
     */
    mtoken_text expected_id;
} mtoken_authorize_options;

#define MTOKEN_AUTHORIZE_OPTIONS_INIT \
    { \
        sizeof(mtoken_authorize_options), 0, 0, 0, 0, MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT, \
        0, 0, 0, MTOKEN_TEXT_INIT \
    }

/*
 * Approves an operation: signs its id and data exactly as they are in `operation`. An operation
 * from a result of this library whose id or operation_data no longer matches its json is refused.
 *
 * operation    from a result of this library; only read during the call
 * auth         factors, usually a PIN
 * options      NULL: the defaults
 * Calls        POST /api/auth/token/app/operation/authorize (signed with uriId
 *              "/operation/authorize"), sent at most once
 * Task result  none
 * Errors       at once: ARGUMENT (the operation was changed), PARSE (mobile_token_data is not a
 *              JSON object), FACTOR, STATE (reason "unknownStatus", "contradiction" or
 *              "otherOperation": see the options);
 *              of the task: AUTHENTICATION (the PIN or biometry key is wrong: remaining_attempts
 *              are left), ARGUMENT (reason "proximityTime": proximity_received is in the future),
 *              SERVER (reason "notTheFactor", "acceptedThenRefused" or "operations_authExpired",
 *              ...). With outcome UNKNOWN the operation may have been approved: fetch the list or
 *              the detail before you repeat the call.
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_operations_authorize(mtoken_client *client, const mtoken_operation *operation,
                            const mtoken_auth *auth,
                            const mtoken_authorize_options *MTOKEN_NULLABLE options,
                            mtoken_task **out_task, mtoken_error **out_error);

/* An operation that was received on another channel. */
typedef struct mtoken_operation_options {
    size_t struct_size;
    mtoken_text id;             /* required */
    mtoken_text operation_data; /* exactly as the bank created it; required */
} mtoken_operation_options;

#define MTOKEN_OPERATION_OPTIONS_INIT \
    { \
        sizeof(mtoken_operation_options), MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT \
    }

/*
 * Approves an operation that was received on another channel. allow_other_factors and strict must
 * be 0: there is no form to compare the factors and the data with. If the client is strict and
 * tracks an operation of this id (registry.h) that contradicts itself or has other data, the call
 * fails with STATE, reason "contradiction".
 *
 * Task result  none
 * Errors       as mtoken_operations_authorize
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_operations_authorize_data(mtoken_client *client, const mtoken_operation_options *operation,
                                 const mtoken_auth *auth,
                                 const mtoken_authorize_options *MTOKEN_NULLABLE options,
                                 mtoken_task **out_task, mtoken_error **out_error);

/* Reasons for a rejection. Any other non-empty text is also allowed. */
#define MTOKEN_REJECT_UNKNOWN "UNKNOWN" /* the user did not say */
#define MTOKEN_REJECT_INCORRECT_DATA "INCORRECT_DATA"
#define MTOKEN_REJECT_UNEXPECTED_OPERATION "UNEXPECTED_OPERATION"
#define MTOKEN_REJECT_PREAPPROVAL "PREAPPROVAL" /* on a pre-approval screen */

/* Options of a rejection. */
typedef struct mtoken_reject_options {
    size_t struct_size;
    /* MTOKEN_REJECT_... or any other text; default: MTOKEN_REJECT_UNKNOWN */
    mtoken_text reason;
    mtoken_text mobile_token_data; /* JSON object for the bank's fraud detection */
} mtoken_reject_options;

#define MTOKEN_REJECT_OPTIONS_INIT \
    { \
        sizeof(mtoken_reject_options), MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT \
    }

/*
 * Rejects an operation. Signed with possession only: no PIN is needed.
 *
 * options      NULL: the defaults
 * Calls        POST /api/auth/token/app/operation/cancel (signed with uriId "/operation/cancel"),
 *              sent at most once
 * Task result  none
 * Errors       at once: ARGUMENT (empty id or reason), PARSE (mobile_token_data is not a JSON
 *              object)
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_operations_reject(mtoken_client *client, const char *id, size_t id_length,
                         const mtoken_reject_options *MTOKEN_NULLABLE options,
                         mtoken_task **out_task, mtoken_error **out_error);

MTOKEN_END

#endif
