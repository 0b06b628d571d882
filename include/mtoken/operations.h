/* The operations service: list, show, approve, reject, claim, history. */
#ifndef MTOKEN_OPERATIONS_H
#define MTOKEN_OPERATIONS_H

#include "base.h"
#include "error.h"
#include "operation.h"
#include "signing.h"

MTOKEN_BEGIN

/*
 * Errors that every call of this header can give: at once HANDLE, ARGUMENT, NOT_ACTIVATED (reason "missingActivation"),
 * PENDING, STATE (the runtime was freed); of the task: NETWORK, TIMEOUT, TLS, PIN_MISMATCH, HTTP, SERVER, AUTHENTICATION,
 * PROTOCOL, STORAGE, CANCELLED. The reasons are those of the Mobile Token SDKs, e.g. "operations_alreadyFinished".
 * Calls that authenticate with a token obtain it first when it is missing; when the server no longer knows it (401) they
 * obtain a new one and ask again, once.
 */

/*
 * Fetches the pending operations.
 * Calls POST /api/auth/token/app/operation/list (token "possession_universal"). Task result: mtoken_task_operations.
 * An operation that cannot be read, or is no JSON that can be read (it has a name twice, half a character, ...), is left out,
 * counted and told in the log; it does not hide the others.
 */
MTOKEN_API mtoken_status mtoken_operations_list(mtoken_client *client, mtoken_task **out_task, mtoken_error **out_error);

/*
 * Fetches operations of the past, in all states.
 * Calls POST /api/auth/token/app/operation/history (signed, two factors). Task result: mtoken_task_operations.
 * Servers may not offer it (MTOKEN_ERROR_HTTP or SERVER with status 404).
 */
MTOKEN_API mtoken_status mtoken_operations_history(mtoken_client *client, const mtoken_auth *auth, mtoken_task **out_task,
                                                   mtoken_error **out_error);

/* The result of _list and _history; NULL for other or unfinished tasks. Lives as long as the task. */
MTOKEN_API const mtoken_operation_list *mtoken_task_operations(mtoken_task *task);

/*
 * Fetches one pending operation. Calls POST /api/auth/token/app/operation/detail (token). Task result: mtoken_task_operation.
 * An operation that is no longer pending answers with its state, e.g. reason "operations_alreadyFinished".
 */
MTOKEN_API mtoken_status mtoken_operations_detail(mtoken_client *client, const char *id, size_t id_length,
                                                  mtoken_task **out_task, mtoken_error **out_error);

/*
 * Assigns a non-personalised operation (e.g. a login on a shared screen) to this user and fetches it.
 * Calls POST /api/auth/token/app/operation/detail/claim (token). Task result: mtoken_task_operation.
 */
MTOKEN_API mtoken_status mtoken_operations_claim(mtoken_client *client, const char *id, size_t id_length,
                                                 mtoken_task **out_task, mtoken_error **out_error);

/* The result of _detail and _claim; NULL for other or unfinished tasks. Lives as long as the task. */
MTOKEN_API const mtoken_operation *mtoken_task_operation(mtoken_task *task);

/* Where the one-time password of a proximity check came from. */
#define MTOKEN_PROXIMITY_QR_CODE 1  /* scanned */
#define MTOKEN_PROXIMITY_DEEPLINK 2 /* opened by the operating system */

/* Extras of an approval. */
typedef struct mtoken_authorize_options {
    size_t struct_size;
    int32_t check_factors;          /* 1: refuse (FACTOR) factors that the operation does not allow, before signing */
    mtoken_text mobile_token_data;  /* JSON object for the bank's fraud detection */
    mtoken_text proximity_otp;      /* one-time password of the proximity check, if the operation needs one */
    int32_t proximity_type;         /* MTOKEN_PROXIMITY_... */
    int64_t proximity_received;     /* the device's time when it was received, milliseconds since the epoch; 0: now */
    int32_t strict;                 /* 1: refuse (STATE, reason "contradiction") an operation that shows something else than it signs; */
                                    /* 0: as mtoken_client_options.strict says. What is compared: MTOKEN_CONTRADICTION_... */
    int32_t allow_unknown_status;   /* 1: approve also MTOKEN_OPERATION_UNKNOWN, which is refused (STATE) otherwise */
    int32_t tolerated;              /* MTOKEN_CONTRADICTION_... added up that strict lets pass, beside those of the client */
    int32_t reserved;               /* 0 */
} mtoken_authorize_options;

#define MTOKEN_AUTHORIZE_OPTIONS_INIT                                                                     \
    {                                                                                                     \
        sizeof(mtoken_authorize_options), 0, MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT, 0, 0, 0, 0, 0, 0         \
    }

/*
 * Approves an operation: signs its id and data exactly as they are in `operation`.
 *
 * operation    from a result of this library; only read during the call
 * auth         factors, usually a PIN
 * options      NULL: none
 * Calls        POST /api/auth/token/app/operation/authorize (signed with uriId "/operation/authorize"), sent at most once
 * Task result  none
 * Errors       at once: FACTOR, STATE (reason "unknownStatus" or "contradiction": see the options); of the task:
 *              AUTHENTICATION (wrong PIN, "POWERAUTH_AUTH_FAIL": fetch the status for the attempts left), SERVER
 *              ("OPERATION_EXPIRED", ...). With outcome UNKNOWN the operation may have been approved: fetch the list or the
 *              detail, do not just repeat.
 */
MTOKEN_API mtoken_status mtoken_operations_authorize(mtoken_client *client, const mtoken_operation *operation,
                                                     const mtoken_auth *auth, const mtoken_authorize_options *options,
                                                     mtoken_task **out_task, mtoken_error **out_error);

/*
 * The same for an operation that came on another channel: its id and data. check_factors and strict must be 0: there is no form
 * to compare the data with. A client that is strict refuses it where it knows an operation of this id (registry.h) that
 * contradicts itself, or has other data.
 */
MTOKEN_API mtoken_status mtoken_operations_authorize_data(mtoken_client *client, const char *id, size_t id_length,
                                                          const char *data, size_t data_length, const mtoken_auth *auth,
                                                          const mtoken_authorize_options *options, mtoken_task **out_task,
                                                          mtoken_error **out_error);

/* Reasons of a rejection. Any other non-empty text may be given too. */
#define MTOKEN_REJECT_UNKNOWN "UNKNOWN" /* the user did not say */
#define MTOKEN_REJECT_INCORRECT_DATA "INCORRECT_DATA"
#define MTOKEN_REJECT_UNEXPECTED_OPERATION "UNEXPECTED_OPERATION"
#define MTOKEN_REJECT_PREAPPROVAL "PREAPPROVAL" /* on a pre-approval screen */

/*
 * Rejects an operation. Signed with possession only: no PIN is needed.
 *
 * reason       one of MTOKEN_REJECT_... or a text of the host's own; not empty
 * mobile_token_data  JSON object, or NULL
 * Calls        POST /api/auth/token/app/operation/cancel (signed with uriId "/operation/cancel"), sent at most once
 * Task result  none
 */
MTOKEN_API mtoken_status mtoken_operations_reject(mtoken_client *client, const char *id, size_t id_length, const char *reason,
                                                  size_t reason_length, const char *mobile_token_data,
                                                  size_t mobile_token_data_length, mtoken_task **out_task,
                                                  mtoken_error **out_error);

MTOKEN_END

#endif
