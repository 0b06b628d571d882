/* Activation: from a code to keys on this device, and its life after that. */
#ifndef MTOKEN_ACTIVATION_H
#define MTOKEN_ACTIVATION_H

#include "base.h"
#include "error.h"
#include "signing.h"
#include "user.h"

MTOKEN_BEGIN

/* An activation code, taken apart. */
typedef struct mtoken_activation_code {
    const char *code;                      /* "XXXXX-XXXXX-XXXXX-XXXXX" */
    /* Base64 of the server's signature in the QR form; NULL: typed form */
    const char *MTOKEN_NULLABLE signature;
} mtoken_activation_code;

/*
 * Reads "CODE" or "CODE#SIGNATURE" (QR code, deeplink): checks form and checksum, not the
 * signature, which mtoken_client_activate verifies. Pure. Free with mtoken_activation_code_free.
 *
 * Errors       ARGUMENT, PARSE (byte_offset tells where)
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_activation_code_parse(const char *text, size_t text_length,
                             mtoken_activation_code **out_code, mtoken_error **out_error);
MTOKEN_API void mtoken_activation_code_free(mtoken_activation_code *code);

/*
 * Helps a person who types a code: the character to take instead of `character` (Unicode code
 * point): upper case, O for 0, I for 1; 0 when the character cannot be part of a code.
 */
MTOKEN_API uint32_t mtoken_activation_code_correct(uint32_t character);

/*
 * Whether a text is a recovery code ("XXXXX-XXXXX-XXXXX-XXXXX", also with the prefix "R:" of the QR
 * form) or a PUK (ten digits): 1 yes, 0 no. Pure.
 */
MTOKEN_API mtoken_bool
mtoken_recovery_code_is_valid(const char *MTOKEN_SECRET text, size_t text_length);
MTOKEN_API mtoken_bool
mtoken_recovery_puk_is_valid(const char *MTOKEN_SECRET text, size_t text_length);

/* One identity attribute of an activation. This struct never grows. */
typedef struct mtoken_identity_attribute {
    mtoken_text name;
    mtoken_text MTOKEN_SECRET value; /* kept as a secret and wiped after use */
} mtoken_identity_attribute;

/*
 * What is activated with: exactly one of an activation code, recovery code and PUK, identity
 * attributes, and the four oidc_ members. The ARGUMENT error of more than one names those that are
 * given.
 */
typedef struct mtoken_activation_options {
    size_t struct_size;
    mtoken_text code;                             /* "CODE" or "CODE#SIGNATURE" */
    /* Additional one-time password for a code, if the bank uses one */
    mtoken_text MTOKEN_SECRET otp;
    /* Name of the device, shown to the user by the bank; at most 255 characters */
    mtoken_text name;
    mtoken_text extras; /* any text for the server, at most 4,000 characters */
    mtoken_text custom_attributes;                /* JSON object for the server */
    mtoken_text platform;                         /* default "linux"; at most 255 characters */
    /*
     * The kind of device, shown by the bank; at most 255 characters. Default: the name of the
     * operating system from /etc/os-release (without it, the kernel's) and the processor's
     * architecture, e.g. "Debian GNU/Linux 12 (bookworm), x86_64"; nothing of the machine's or the
     * user's name. Empty (data not NULL, length 0): nothing is sent.
     */
    mtoken_text device_info;
    /* With or without "R:"; replaces the activation that the code belongs to */
    mtoken_text MTOKEN_SECRET recovery_code;
    mtoken_text MTOKEN_SECRET recovery_puk;       /* 10 digits */
    /* Attributes that the bank defines, e.g. user name and password; at most 64 */
    const mtoken_identity_attribute *identity;
    size_t identity_count;
    mtoken_text oidc_provider; /* id of the OpenID Connect provider, as the bank names it */
    mtoken_text MTOKEN_SECRET oidc_code; /* the authorization code that the provider gave */
    mtoken_text MTOKEN_SECRET oidc_nonce;         /* the nonce of the authorization request */
    mtoken_text MTOKEN_SECRET oidc_code_verifier; /* PKCE's verifier; left out without PKCE */
} mtoken_activation_options;

#define MTOKEN_ACTIVATION_OPTIONS_INIT \
    { \
        sizeof(mtoken_activation_options), MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT, \
        MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT, \
        MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT, NULL, 0, MTOKEN_TEXT_INIT, \
        MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT \
    }

/*
 * Starts an activation. The client must be MTOKEN_CLIENT_EMPTY; it becomes MTOKEN_CLIENT_PENDING on
 * success and stays or becomes empty on failure and cancellation. The pending activation lives in
 * memory only: store it with mtoken_client_persist.
 *
 * Calls        POST /pa/v3/keystore/create (protocol 3.3), POST /pa/v3/activation/create
 * Task result  mtoken_task_activation, mtoken_task_user_info
 * Errors       at once: ARGUMENT (not exactly one way to activate, an empty value, a text that is
 *              longer than servers take: its member, length and limit are in the message), HANDLE,
 *              STATE, PENDING, PARSE (a code or the PUK), SIGNATURE (of the code) of the task:
 *              SERVER with server_code "ERR_ACTIVATION" (unknown, used or expired code, wrong OTP
 *              or attributes) or "INVALID_RECOVERY_CODE" (wrong PUK: recovery_puk_index tells which
 *              one is due), DECRYPTION, PROTOCOL, SIGNATURE, network errors
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_client_activate(mtoken_client *client, const mtoken_activation_options *options,
                       mtoken_task **out_task, mtoken_error **out_error);

/* An activation that is in progress: what to show, and what came with it. */
typedef struct mtoken_activation {
    const char *activation_id;
    const char *fingerprint;                       /* 8 digits: compare with what the bank shows */
    const char *MTOKEN_NULLABLE MTOKEN_SECRET recovery_code; /* NULL: none */
    const char *MTOKEN_NULLABLE MTOKEN_SECRET recovery_puk; /* NULL: none; 10 digits */
    const char *MTOKEN_NULLABLE custom_attributes; /* JSON object; NULL: none */
    const char *MTOKEN_NULLABLE user_info;         /* JSON object of OpenID claims; NULL: none */
} mtoken_activation;

/*
 * The result of mtoken_client_activate; NULL for other or unfinished tasks. Lives as long as the
 * task.
 */
MTOKEN_API const mtoken_activation *MTOKEN_NULLABLE mtoken_task_activation(const mtoken_task *task);

/*
 * Completes a pending activation: encrypts each factor key under its factor and stores the state
 * durably. The client is MTOKEN_CLIENT_ACTIVE afterwards. No network. Takes some milliseconds (key
 * derivation from the PIN).
 *
 * auth         pin: at least 4 bytes, required; biometry_key: to set up the biometry factor, 16
 *              bytes (protocol 4: 32), optional; authenticator: the name under which that factor is
 *              kept, optional
 * Errors       ARGUMENT, HANDLE, STATE (nothing pending), STORAGE (the activation stays pending:
 *              call again)
 */
MTOKEN_API MTOKEN_BLOCKS MTOKEN_CHECKED mtoken_status
mtoken_client_persist(mtoken_client *client, const mtoken_auth *auth, mtoken_error **out_error);

/*
 * Takes over an activation from the PowerAuth mobile SDK, version 1, which keeps it as a binary
 * state in the keychain or the preferences of its application. The client must be
 * MTOKEN_CLIENT_EMPTY. It is MTOKEN_CLIENT_ACTIVE afterwards, and its state is stored durably. The
 * server is not told and notices nothing. No network. On any failure the client stays empty, and
 * the state can be imported later.
 *
 * From then on only this client may use the activation. Both move the same counter: if the SDK goes
 * on signing, the server soon accepts neither. Delete the SDK's state when the import has
 * succeeded.
 *
 * The library does not ask for the other secrets of that installation. The PIN stays the same. Hand
 * in the biometry key with each signature (mtoken_auth.biometry_key), and the external encryption
 * key, if the activation uses one, as mtoken_client_options.external_key or with
 * mtoken_client_set_external_key. Tokens are not part of the state; new ones are made when needed.
 *
 * Nothing on the device can tell a wrong possession key from the right one. Fetch the status next:
 * with a wrong key mtoken_client_fetch_status fails with PROTOCOL, and no attempt is lost. Then
 * call mtoken_client_remove_local and import the state again with the right key. The status also
 * tells how far the SDK was ahead of the server: until it is known, mtoken_client_sign and offline
 * codes are refused with STATE.
 *
 * state           the bytes as the SDK's serialization gives them, not Base64. Formats 4, 5 and 6
 *                 (the bytes "P4" to "P6" at offset 3) hold an activation of protocol 3.
 * possession_key  16 bytes: the SDK's device-related key. It is the first half of the SHA-256 of
 *                 the identifier that the SDK took for the device.
 * Errors          ARGUMENT, HANDLE, STATE (there is an activation; or an external key is set, and
 *                 the imported activation uses none), PENDING, PARSE with reason
 *                 "invalidUpstreamState" (damaged or cut short), NOT_ACTIVATED (the state holds no
 *                 activation), UNSUPPORTED with reason "unsupportedProtocol" (an activation of
 *                 protocol 2, or one that waits for its upgrade) or "unsupportedState" (format of a
 *                 later SDK), STORAGE
 */
MTOKEN_API MTOKEN_BLOCKS MTOKEN_CHECKED mtoken_status
mtoken_client_import_upstream(mtoken_client *client, const uint8_t *MTOKEN_SECRET state,
                              size_t state_length, const uint8_t *MTOKEN_SECRET possession_key,
                              size_t possession_key_length, mtoken_error **out_error);

/*
 * Drops a pending activation, or cancels one that is being made. The client is empty afterwards.
 *
 * Errors       HANDLE, STATE
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_client_cancel_activation(mtoken_client *client, mtoken_error **out_error);

/* State of an activation at the server. */
MTOKEN_CLOSED_ENUM(mtoken_activation_state_values) {
    MTOKEN_ACTIVATION_CREATED = 1,
    MTOKEN_ACTIVATION_PENDING_COMMIT = 2, /* the bank has yet to confirm it */
    MTOKEN_ACTIVATION_ACTIVE = 3,
    MTOKEN_ACTIVATION_BLOCKED = 4,
    MTOKEN_ACTIVATION_REMOVED = 5,
    /*
     * The device's counter is as far from the server's as the server's look-ahead window is wide,
     * or farther: the server accepts no signature of it, and this library refuses to make any. It
     * is not always final. A bank that runs its server with a look-ahead of 64 for a while gets
     * devices up to 63 steps ahead back: mtoken_client_fetch_status finds them active and puts them
     * in step again at once. Ask the bank for that first; remove the activation only if it cannot.
     */
    MTOKEN_ACTIVATION_DEADLOCK = 128,
};
typedef int32_t mtoken_activation_state;

/* What the server says of an activation. */
typedef struct mtoken_activation_status {
    mtoken_activation_state state;             /* MTOKEN_ACTIVATION_... */
    int32_t failed_attempts;
    int32_t max_failed_attempts;
    int32_t remaining_attempts;                /* 0 unless the activation is active */
    const char *MTOKEN_NULLABLE custom_object; /* JSON object of the bank; NULL: none */
} mtoken_activation_status;

/*
 * Fetches the state of the activation and brings the counter back in step with the server. It also
 * ends the refusal of signed calls by a client that was known to be blocked, removed or out of
 * step.
 *
 * If the device is ahead by more than half of the server's window, the server is shown a signature
 * and catches up. Offline codes that were made before and not typed yet are void then.
 *
 * Calls        POST /pa/v3/activation/status, and POST /pa/v3/signature/validate if the server has
 *              to catch up
 * Task result  mtoken_task_activation_status
 * Errors       at once: HANDLE, NOT_ACTIVATED, PENDING; of the task: PROTOCOL, DECRYPTION, STORAGE,
 *              network errors
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_client_fetch_status(mtoken_client *client, mtoken_task **out_task, mtoken_error **out_error);

/* How mtoken_client_wait_active waits. */
typedef struct mtoken_wait_options {
    size_t struct_size;
    int64_t timeout_ms;      /* how long at most; 0: without limit */
    const mtoken_auth *auth; /* NULL: protocol 3 confirms nothing with the PIN */
} mtoken_wait_options;

#define MTOKEN_WAIT_OPTIONS_INIT { sizeof(mtoken_wait_options), 0, NULL }

/*
 * Waits until the activation is active. Many banks activate in two steps: after
 * mtoken_client_persist the activation is PENDING_COMMIT until the bank confirms it, and signed
 * calls fail with MTOKEN_ERROR_PENDING_COMMIT. Asks for the status at once and then after growing
 * pauses (1 to 15 seconds), and goes on through passing failures of network and server.
 *
 * options      NULL: the defaults
 * Calls        POST /pa/v3/activation/status (and what mtoken_client_fetch_status calls)
 * Task result  mtoken_task_activation_status
 * Errors       at once: HANDLE, ARGUMENT, NOT_ACTIVATED, PENDING; of the task: BLOCKED, REMOVED,
 *              STATE (counterDeadlock), TIMEOUT (retriable: wait again), PROTOCOL, STORAGE,
 *              CANCELLED
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_client_wait_active(mtoken_client *client, const mtoken_wait_options *MTOKEN_NULLABLE options,
                          mtoken_task **out_task, mtoken_error **out_error);

/*
 * The result of mtoken_client_fetch_status and mtoken_client_wait_active; NULL for other or
 * unfinished tasks. Lives as long as the task.
 */
MTOKEN_API const mtoken_activation_status
*MTOKEN_NULLABLE mtoken_task_activation_status(const mtoken_task *task);

/* What the bank tells of the activation. */
typedef struct mtoken_activation_detail {
    const char *activation_id;
    /* The name of this device that the bank shows; "" or NULL: it has none */
    const char *MTOKEN_NULLABLE activation_name;
} mtoken_activation_detail;

/*
 * Asks for the name under which the bank shows this device.
 *
 * auth         the PIN or the biometry factor: for the token "activation_detail", which is made
 *              when there is none and kept
 * Calls        POST /pa/v3/activation/detail (token, encrypted); before it POST /pa/v3/token/create
 *              (signed), if needed
 * Task result  mtoken_task_activation_detail
 * Errors       at once: HANDLE, ARGUMENT, NOT_ACTIVATED, PENDING, FACTOR (possession alone, or
 *              three factors); of the task: AUTHENTICATION, SERVER, DECRYPTION, PROTOCOL (an empty
 *              answer too), STORAGE, network errors
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_client_fetch_detail(mtoken_client *client, const mtoken_auth *auth, mtoken_task **out_task,
                           mtoken_error **out_error);

/*
 * The result of mtoken_client_fetch_detail; NULL for other or unfinished tasks. Lives as long as
 * the task.
 */
MTOKEN_API const mtoken_activation_detail
*MTOKEN_NULLABLE mtoken_task_activation_detail(const mtoken_task *task);

/*
 * Removes the activation at the server and, only when the server agreed, on this device.
 *
 * auth         two factors, as the server demands
 * Calls        POST /pa/v3/activation/remove (signed)
 * Task result  none
 * Errors       at once: HANDLE, ARGUMENT, NOT_ACTIVATED, PENDING, FACTOR; of the task:
 *              AUTHENTICATION, SERVER, STORAGE, network errors
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_client_remove(mtoken_client *client, const mtoken_auth *auth, mtoken_task **out_task,
                     mtoken_error **out_error);

/*
 * Removes the activation on this device only; the server is not told. Running tasks of the client
 * are cancelled. Works for a client in any state.
 *
 * Errors       HANDLE, STORAGE
 */
MTOKEN_API MTOKEN_BLOCKS MTOKEN_CHECKED mtoken_status
mtoken_client_remove_local(mtoken_client *client, mtoken_error **out_error);

MTOKEN_END

#endif
