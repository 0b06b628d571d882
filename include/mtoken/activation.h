/* SPDX-License-Identifier: Apache-2.0 */
/* Activation: from an activation code to keys on this device, and the life cycle that follows. */
#ifndef MTOKEN_ACTIVATION_H
#define MTOKEN_ACTIVATION_H

#include "base.h"
#include "error.h"
#include "request.h"
#include "signing.h"
#include "user.h"

MTOKEN_BEGIN

/* A parsed activation code. */
typedef struct mtoken_activation_code {
    const char *code;                      /* "XXXXX-XXXXX-XXXXX-XXXXX" */
    /* Base64 of the server's signature in the QR form; NULL for a typed code */
    const char *MTOKEN_NULLABLE signature;
} mtoken_activation_code;

/*
 * Parses "CODE" or "CODE#SIGNATURE" (QR code, deeplink). Checks form and checksum;
 * mtoken_client_activate verifies the signature. Pure. Free with mtoken_activation_code_free.
 *
 * Errors       ARGUMENT, PARSE (byte_offset says where)
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_activation_code_parse(const char *text, size_t text_length,
                             mtoken_activation_code **out_code, mtoken_error **out_error);
MTOKEN_API void mtoken_activation_code_free(mtoken_activation_code *code);

/*
 * Corrects a typing error in a code. Returns the character to use instead of `character` (a Unicode
 * code point): upper case, O for 0, I for 1. Returns 0 for a character that cannot be in a code.
 */
MTOKEN_API uint32_t mtoken_activation_code_correct(uint32_t character);

/*
 * Returns 1 if a text is a recovery code ("XXXXX-XXXXX-XXXXX-XXXXX", optionally with the prefix
 * "R:" of the QR form) or a PUK (ten digits), otherwise 0. Pure.
 */
MTOKEN_API mtoken_bool
mtoken_recovery_code_is_valid(const char *MTOKEN_SECRET text, size_t text_length);
MTOKEN_API mtoken_bool
mtoken_recovery_puk_is_valid(const char *MTOKEN_SECRET text, size_t text_length);

/* One identity attribute of an activation. This struct never grows. */
typedef struct mtoken_identity_attribute {
    mtoken_text name;
    mtoken_text MTOKEN_SECRET value; /* treated as a secret */
} mtoken_identity_attribute;

/*
 * How to activate. Set exactly one way: an activation code, a recovery code and its PUK, identity
 * attributes, or the oidc_ members. If more than one is set, the ARGUMENT error names them.
 */
typedef struct mtoken_activation_options {
    size_t struct_size;
    /*
     * "CODE" or "CODE#SIGNATURE", as scanned, pasted or typed: white space, missing or typographic
     * dashes, lower case, 0 for O and 1 for I are corrected
     */
    mtoken_text code;
    /* One-time password in addition to a code, if the bank uses one */
    mtoken_text MTOKEN_SECRET otp;
    /* Name of the device, which the bank shows to the user; at most 255 characters */
    mtoken_text name;
    mtoken_text extras; /* any text for the server, at most 4,000 characters */
    mtoken_text custom_attributes;                /* JSON object for the server */
    mtoken_text platform;                         /* default "linux"; at most 255 characters */
    /*
     * The kind of device, which the bank shows; at most 255 characters. Default: the name of the
     * operating system from /etc/os-release (without that file, the kernel's name) and the
     * processor's architecture, e.g. "Debian GNU/Linux 12 (bookworm), x86_64", but neither the
     * machine's nor the user's name. Empty (data not NULL, length 0): nothing is sent.
     */
    mtoken_text device_info;
    /* With or without "R:"; replaces the activation that the recovery code belongs to */
    mtoken_text MTOKEN_SECRET recovery_code;
    mtoken_text MTOKEN_SECRET recovery_puk;       /* 10 digits */
    /* Attributes that the bank defines, e.g. user name and password; at most 64 */
    const mtoken_identity_attribute *identity;
    size_t identity_count;
    mtoken_text oidc_provider; /* the bank's id of the OpenID Connect provider */
    mtoken_text MTOKEN_SECRET oidc_code; /* the authorization code from the provider */
    mtoken_text MTOKEN_SECRET oidc_nonce;         /* the nonce of the authorization request */
    mtoken_text MTOKEN_SECRET oidc_code_verifier; /* PKCE code verifier; omit it without PKCE */
} mtoken_activation_options;

#define MTOKEN_ACTIVATION_OPTIONS_INIT \
    { \
        sizeof(mtoken_activation_options), MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT, \
        MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT, \
        MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT, NULL, 0, MTOKEN_TEXT_INIT, \
        MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT \
    }

/*
 * Starts an activation. The client must be MTOKEN_CLIENT_EMPTY. It becomes MTOKEN_CLIENT_PENDING on
 * success; on failure or cancellation it is empty again. The pending activation exists in memory
 * only: store it with mtoken_client_persist.
 *
 * Protocol 4.0 has no recovery codes, and does not verify the signature of an activation code.
 *
 * Calls        POST /pa/v4/status (if the protocol is not decided yet), POST
 *              /pa/v3/keystore/create (protocol 3.3), POST /pa/v3/activation/create; with
 *              protocol 4.0 the same below /pa/v4
 * Task result  mtoken_task_activation, mtoken_task_user_info
 * Errors       at once: ARGUMENT (not exactly one way to activate, an empty value, or a text longer
 *              than servers accept: the message names the member, its length and the limit),
 *              HANDLE, STATE, PENDING, PARSE (a code or the PUK), SIGNATURE (of the code); of the
 *              task: SERVER with server_code "ERR_ACTIVATION" (unknown, used or expired code, wrong
 *              OTP or attributes) or "INVALID_RECOVERY_CODE" (wrong PUK: recovery_puk_index is the
 *              index of the expected one), DECRYPTION, PROTOCOL, SIGNATURE, UNSUPPORTED (the server
 *              does not offer the suite; the suite needs a later OpenSSL; a recovery code with
 *              protocol 4.0), network errors
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_client_activate(mtoken_client *client, const mtoken_activation_options *options,
                       mtoken_task **out_task, mtoken_error **out_error);

/* An activation in progress: what to show to the user, and the data that came with it. */
typedef struct mtoken_activation {
    const char *activation_id;
    const char *fingerprint;                       /* 8 digits: compare with those the bank shows */
    const char *MTOKEN_NULLABLE MTOKEN_SECRET recovery_code; /* NULL if there is none */
    const char *MTOKEN_NULLABLE MTOKEN_SECRET recovery_puk; /* 10 digits; NULL if there is none */
    const char *MTOKEN_NULLABLE custom_attributes; /* JSON object; NULL if there is none */
    const char *MTOKEN_NULLABLE user_info; /* JSON object of OpenID claims; NULL if there is none */
    mtoken_protocol_version protocol_version; /* MTOKEN_PROTOCOL_... that the server agreed to */
    mtoken_suite suite; /* MTOKEN_SUITE_... of protocol 4.0; 0: protocol 3 */
} mtoken_activation;

/*
 * Returns the result of mtoken_client_activate, or NULL for other or unfinished tasks. Lives as
 * long as the task.
 */
MTOKEN_API const mtoken_activation *MTOKEN_NULLABLE mtoken_task_activation(const mtoken_task *task);

/*
 * Completes a pending activation: encrypts the key of each factor under that factor and stores the
 * state durably. The client is then MTOKEN_CLIENT_ACTIVE. Takes a few milliseconds to derive a key
 * from the PIN. The function itself uses no network; with protocol 4.0 the library confirms the
 * activation in the background afterwards: see mtoken_client_wait_active.
 *
 * auth         pin: at least 4 bytes, required. The library uses the bytes as they are: the same
 *              letters in another Unicode normalization form (NFC, NFD) are a different PIN, so
 *              always normalize in the same way; biometry_key: optional, sets up the biometry
 *              factor, 16 bytes (protocol 4.0: or 32); authenticator: optional name of the
 *              authenticator that keeps this key (factors.h)
 * Errors       ARGUMENT (reason "weakPin": see refused_pins of mtoken_client_options), HANDLE,
 *              STATE (nothing pending), STORAGE (the activation stays pending: call again)
 */
MTOKEN_API MTOKEN_BLOCKS MTOKEN_CHECKED mtoken_status
mtoken_client_persist(mtoken_client *client, const mtoken_auth *auth, mtoken_error **out_error);

/*
 * Takes over an activation from the PowerAuth mobile SDK, version 1, which keeps it as a binary
 * state in the keychain or the preferences of its application. The client must be
 * MTOKEN_CLIENT_EMPTY. It is MTOKEN_CLIENT_ACTIVE afterwards, and its state is stored durably. The
 * import sends nothing, and the server sees no change. On any failure the client stays empty, and
 * the state can be imported later.
 *
 * From then on only this client may use the activation. Client and SDK would advance the same
 * counter: if the SDK keeps signing, the server soon accepts signatures from neither. Delete the
 * SDK's state when the import has succeeded.
 *
 * The import needs no other secret from that installation. The PIN stays the same. Pass the
 * biometry key with each signature (mtoken_auth.biometry_key), and the external encryption key, if
 * the activation uses one, as mtoken_client_options.external_key or with
 * mtoken_client_set_external_key. The state contains no tokens; the library creates new ones when
 * it needs them.
 *
 * The library cannot detect a wrong possession key on the device. Fetch the status next:
 * with a wrong key, mtoken_client_fetch_status fails with PROTOCOL, and no attempt is lost. Then
 * call mtoken_client_remove_local and import the state again with the right key. The status also
 * shows how far the SDK's counter was ahead of the server's: until you fetch it, mtoken_client_sign
 * and offline codes fail with STATE.
 *
 * state           the bytes that the SDK serialized, not Base64. Formats 4, 5 and 6 (the bytes
 *                 "P4" to "P6" at offset 3) hold an activation of protocol 3.
 * possession_key  16 bytes: the SDK's device-related key, which is the first half of the SHA-256 of
 *                 the device identifier that the SDK used.
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
 * Discards a pending activation or cancels one that is being created. The client is then
 * MTOKEN_CLIENT_EMPTY.
 *
 * Errors       HANDLE, STATE (no activation is in progress)
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_client_cancel_activation(mtoken_client *client, mtoken_error **out_error);

/* State of an activation at the server. */
MTOKEN_CLOSED_ENUM(mtoken_activation_state_values) {
    MTOKEN_ACTIVATION_CREATED = 1, /* the code was issued but not yet used */
    MTOKEN_ACTIVATION_PENDING_COMMIT = 2, /* awaits the bank's confirmation */
    MTOKEN_ACTIVATION_ACTIVE = 3,
    MTOKEN_ACTIVATION_BLOCKED = 4,
    MTOKEN_ACTIVATION_REMOVED = 5,
    /*
     * The distance between the device's counter and the server's has reached the server's
     * look-ahead window: the server accepts no further signature, and this library creates none.
     * This is not always final. If the bank temporarily runs its server with a look-ahead of 64,
     * devices up to 63 steps ahead recover: mtoken_client_fetch_status finds them active and
     * resynchronises them at once. Ask the bank for that first; remove the activation only if it
     * cannot do so.
     */
    MTOKEN_ACTIVATION_DEADLOCK = 128,
};
typedef int32_t mtoken_activation_state;

/* The server's view of an activation. */
typedef struct mtoken_activation_status {
    mtoken_activation_state state;             /* MTOKEN_ACTIVATION_... */
    int32_t failed_attempts;
    int32_t max_failed_attempts;
    int32_t remaining_attempts;                /* 0 unless the activation is active */
    /* JSON object from the bank; NULL if there is none */
    const char *MTOKEN_NULLABLE custom_object;
    /* 1: mtoken_client_upgrade can replace this activation by one of protocol 4.0. */
    mtoken_bool upgrade_available;
    /*
     * 1: the server no longer offers the suite of this activation, which continues to work:
     * activate again with another suite. Protocol 4.0 only.
     */
    mtoken_bool suite_withdrawn;
    /* 1: the server accepts the biometry factor. Protocol 4.0 only. */
    mtoken_bool biometry_enabled;
    /* 1: the block is temporary and ends at block_expires. Protocol 4.0 only. */
    mtoken_bool block_is_temporary;
    /* Milliseconds since the epoch; 0 unless block_is_temporary. */
    int64_t block_expires;
} mtoken_activation_status;

/*
 * Fetches the state of the activation and resynchronises the counter with the server. Signed calls
 * that fail because the activation was last known to be blocked, removed or out of step succeed
 * again as soon as this call finds it active.
 *
 * If the device is ahead by more than half of the server's look-ahead window, the library sends a
 * signature, so that the server catches up. This invalidates offline codes that were created
 * earlier and not yet typed in.
 *
 * With protocol 4.0 it also completes any step that a lost response interrupted: it confirms the
 * activation (if this process knows the PIN: see mtoken_client_wait_active) or its upgrade, and
 * removes at the server a biometry factor that this device does not have. If the removal or the
 * signature for the counter fails, the call succeeds nevertheless: the state was fetched.
 *
 * Calls        POST /pa/v3/activation/status, and POST /pa/v3/signature/validate if the server has
 *              to catch up; with protocol 4.0 POST /pa/v4/activation/status, and if needed
 *              /pa/v4/auth/validate, /pa/v4/activation/confirm, /pa/v4/upgrade/confirm or
 *              /pa/v4/biometry/remove
 * Task result  mtoken_task_activation_status
 * Errors       at once: HANDLE, NOT_ACTIVATED, PENDING; of the task: PROTOCOL, DECRYPTION, STORAGE,
 *              network errors
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_client_fetch_status(mtoken_client *client, mtoken_task **out_task, mtoken_error **out_error);

/* Options of mtoken_client_wait_active. */
typedef struct mtoken_wait_options {
    size_t struct_size;
    int64_t timeout_ms;      /* maximum time to wait; 0: without limit */
    /*
     * Protocol 3: must be NULL. Protocol 4.0: the PIN, if another process called
     * mtoken_client_persist and mtoken_client_info.awaits_confirmation is 1; otherwise NULL
     */
    const mtoken_auth *auth;
} mtoken_wait_options;

#define MTOKEN_WAIT_OPTIONS_INIT { sizeof(mtoken_wait_options), 0, NULL }

/*
 * Waits until the activation is active. Many banks activate in two steps: after
 * mtoken_client_persist the activation is MTOKEN_ACTIVATION_PENDING_COMMIT until the bank confirms
 * it, and signed calls fail with MTOKEN_ERROR_PENDING_COMMIT. Fetches the status at once and then
 * at growing intervals (1 to 15 seconds, longer if the server asks for it). Temporary failures of
 * the network or the server do not end the wait.
 *
 * In protocol 4.0 the device must confirm each activation with the PIN, before or after the bank
 * confirms it; otherwise the activation lapses. After mtoken_client_persist the library sends the
 * confirmation automatically; it keeps the necessary data in memory until the server has accepted
 * it or has counted the PIN as wrong. If the process ends before that, calls that sign fail with
 * STATE (reason confirm) until you pass the PIN to this function. A wrong PIN costs an attempt; it
 * never replaces the PIN that was passed to mtoken_client_persist.
 *
 * options      NULL: the defaults
 * Calls        POST /pa/v3/activation/status (and what mtoken_client_fetch_status calls)
 * Task result  mtoken_task_activation_status
 * Errors       at once: HANDLE, ARGUMENT, NOT_ACTIVATED, PENDING; of the task: BLOCKED, REMOVED,
 *              STATE (counterDeadlock; confirm: the PIN is needed), AUTHENTICATION (it is wrong),
 *              TIMEOUT (retriable: wait again), DECRYPTION, PROTOCOL,
 *              TLS, PIN_MISMATCH, HTTP (if not temporary), STORAGE, CANCELLED
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_client_wait_active(mtoken_client *client, const mtoken_wait_options *MTOKEN_NULLABLE options,
                          mtoken_task **out_task, mtoken_error **out_error);

/*
 * Returns the result of mtoken_client_fetch_status or mtoken_client_wait_active, or NULL for other
 * or unfinished tasks. Lives as long as the task.
 */
MTOKEN_API const mtoken_activation_status
*MTOKEN_NULLABLE mtoken_task_activation_status(const mtoken_task *task);

/* The name of the activation at the bank. */
typedef struct mtoken_activation_detail {
    const char *activation_id;
    /* The name under which the bank shows this device; "" or NULL if it has none */
    const char *MTOKEN_NULLABLE activation_name;
} mtoken_activation_detail;

/*
 * Fetches the name under which the bank shows this device.
 *
 * auth         the PIN or the biometry factor, to create the token "activation_detail" if it is not
 *              stored yet
 * Calls        POST /pa/v3/activation/detail (token, encrypted); before it POST /pa/v3/token/create
 *              (signed), if needed
 * Task result  mtoken_task_activation_detail
 * Errors       at once: HANDLE, ARGUMENT, NOT_ACTIVATED, PENDING, FACTOR (possession alone, or
 *              three factors); of the task: AUTHENTICATION, SERVER, DECRYPTION, PROTOCOL (also for
 *              an empty response), STORAGE, network errors
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_client_fetch_detail(mtoken_client *client, const mtoken_auth *auth, mtoken_task **out_task,
                           mtoken_error **out_error);

/*
 * Returns the result of mtoken_client_fetch_detail, or NULL for other or unfinished tasks. Lives as
 * long as the task.
 */
MTOKEN_API const mtoken_activation_detail
*MTOKEN_NULLABLE mtoken_task_activation_detail(const mtoken_task *task);

/*
 * Changes the name under which the bank shows this device. Some servers fail to do so with SERVER
 * "ERR_ACTIVATION".
 *
 * name         1 to 255 characters, not only white space
 * order        what the signature covers: servers expect MTOKEN_SIGN_THEN_ENCRYPT; some clients and
 *              servers of protocol 4.0 use MTOKEN_ENCRYPT_THEN_SIGN. The other order is not tried
 *              automatically, since it would cost an attempt
 * auth         two factors
 * Calls        POST /pa/v3/activation/rename (signed, encrypted)
 * Task result  mtoken_task_activation_detail
 * Errors       at once: HANDLE, ARGUMENT, NOT_ACTIVATED, PENDING, FACTOR; of the task:
 *              AUTHENTICATION, SERVER, DECRYPTION, PROTOCOL, STORAGE, network errors
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_client_rename(mtoken_client *client, const char *name, size_t name_length,
                     mtoken_encryption_order order, const mtoken_auth *auth,
                     mtoken_task **out_task, mtoken_error **out_error);

/*
 * Upgrades an activation of protocol 3 to protocol 4.0, if the server offers it
 * (mtoken_activation_status.upgrade_available) and the configuration has keys of protocol 4.0. The
 * suite is that of mtoken_client_options. The activation id, the tokens and the PIN stay the same;
 * the fingerprint and the keys of the vault (vault.h) change, and recovery codes become invalid.
 * The upgrade cannot be undone, and earlier versions of this library cannot read the state
 * afterwards.
 *
 * If the process ends or a response is lost, the activation is either still of protocol 3 (call
 * again) or of protocol 4.0, which the library then confirms by itself with the next status.
 *
 * auth         the PIN. biometry_key and authenticator: the biometry factor of that authenticator
 *              stays, with the same key; without them it is removed. Copies of other authenticators
 *              are removed
 * Calls        POST /pa/v4/status, POST /pa/v4/keystore/create, POST /pa/v4/upgrade/start (signed,
 *              encrypted), POST /pa/v4/activation/status, POST /pa/v4/upgrade/confirm (signed)
 * Task result  mtoken_task_activation_status
 * Errors       at once: HANDLE, ARGUMENT (no PIN), NOT_ACTIVATED, PENDING, STATE (the activation is
 *              of protocol 4.0), CONFIGURATION (it has no keys of the suite), UNSUPPORTED (the
 *              suite needs a later OpenSSL); of the task: UNSUPPORTED (the server does not offer
 *              the suite), AUTHENTICATION (wrong PIN), SERVER, SIGNATURE, DECRYPTION, PROTOCOL,
 *              STORAGE, network errors
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_client_upgrade(mtoken_client *client, const mtoken_auth *auth, mtoken_task **out_task,
                      mtoken_error **out_error);

/* An entry of the configuration that the bank keeps for its application. */
typedef struct mtoken_config_entry {
    const char *key;
    const char *value;         /* JSON: an object, text in quotes, a number, true, false or null */
    mtoken_scope scope;        /* MTOKEN_SCOPE_...: whom it is for; 0: another scope */
} mtoken_config_entry;

/* The entries of a configuration. */
typedef struct mtoken_config {
    size_t count;
    const mtoken_config_entry *const *entries; /* without those that are unreadable */
    const char *json; /* the JSON array as the server sent it */
    size_t skipped_count; /* entries that were unreadable and dropped */
    size_t issue_count;   /* at most 100 */
    const char *const *issues; /* e.g. "entry 3: key: missing"; no text from the response */
} mtoken_config;

/*
 * Fetches the configuration that the bank keeps for its application, encrypted. Protocol 4.0 only,
 * servers from 2.2 on.
 *
 * scope        MTOKEN_SCOPE_APPLICATION: needs no activation. MTOKEN_SCOPE_ACTIVATION: the entries
 *              of both scopes
 * Calls        POST /pa/v4/config/application or /pa/v4/config/activation (encrypted)
 * Task result  mtoken_task_config
 * Errors       at once: HANDLE, ARGUMENT, NOT_ACTIVATED, PENDING, UNSUPPORTED (an activation of
 *              protocol 3); of the task: UNSUPPORTED (the server knows protocol 3 only), SERVER
 *              with server_code "ERR_CONFIG", DECRYPTION, PROTOCOL, network errors
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_client_fetch_config(mtoken_client *client, mtoken_scope scope, mtoken_task **out_task,
                           mtoken_error **out_error);

/*
 * Returns the result of mtoken_client_fetch_config, or NULL for other or unfinished tasks. Lives as
 * long as the task.
 */
MTOKEN_API const mtoken_config *MTOKEN_NULLABLE mtoken_task_config(const mtoken_task *task);

/*
 * Removes the activation at the server and then, only if the server confirms, on this device.
 *
 * auth         two factors, as the server requires
 * Calls        POST /pa/v3/activation/remove (signed)
 * Task result  none
 * Errors       at once: HANDLE, ARGUMENT, NOT_ACTIVATED, PENDING, FACTOR; of the task:
 *              AUTHENTICATION, SERVER, STORAGE, network errors
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_client_remove(mtoken_client *client, const mtoken_auth *auth, mtoken_task **out_task,
                     mtoken_error **out_error);

/*
 * Removes the activation on this device only, without informing the server, and cancels the running
 * tasks of the client. Works in every client state.
 *
 * Errors       HANDLE, STORAGE
 */
MTOKEN_API MTOKEN_BLOCKS MTOKEN_CHECKED mtoken_status
mtoken_client_remove_local(mtoken_client *client, mtoken_error **out_error);

MTOKEN_END

#endif
