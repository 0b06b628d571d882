/* A client: one activation (or a place for one) of one application at one server. */
#ifndef MTOKEN_CLIENT_H
#define MTOKEN_CLIENT_H

#include "activation.h"
#include "base.h"
#include "error.h"
#include "operation.h"
#include "store.h"

MTOKEN_BEGIN

/* Versions of the PowerAuth protocol. */
MTOKEN_ENUM(mtoken_protocol_version_values) {
    MTOKEN_PROTOCOL_3_1 = 31,
    MTOKEN_PROTOCOL_3_2 = 32,
    MTOKEN_PROTOCOL_3_3 = 33,
};
typedef int32_t mtoken_protocol_version;

/* How the server's certificate is checked. */
MTOKEN_CLOSED_ENUM(mtoken_tls_trust_values) {
    MTOKEN_TLS_SYSTEM = 0, /* against the system's trust store */
    MTOKEN_TLS_CA = 1,     /* against the certificates in ca_file only */
    MTOKEN_TLS_UNSAFE = 2, /* not at all: tests only; a warning is logged */
};
typedef int32_t mtoken_tls_trust;

/*
 * A pinned public key: SHA-256 of the certificate's SubjectPublicKeyInfo. This struct never grows.
 */
typedef struct mtoken_tls_pin {
    mtoken_text sha256; /* Base64, 44 characters */
    /*
     * Milliseconds since the epoch after which the pin no longer counts; INT64_MAX: never. When all
     * pins have expired every call fails with PIN_MISMATCH: pinning never ends by itself.
     */
    int64_t expires;
} mtoken_tls_pin;

/* A header field for requests. This struct never grows. */
typedef struct mtoken_header_text {
    mtoken_text name;
    mtoken_text value; /* printable ASCII */
} mtoken_header_text;

/* How a client is made: which state, which application, which server, and how it is reached. */
typedef struct mtoken_client_options {
    size_t struct_size;
    /*
     * The name of this client within its store: 1 to 64 bytes from A-Z a-z 0-9 . _ -, not beginning
     * with a dot. Required.
     */
    mtoken_text id;
    /*
     * The "SDK configuration" string of the application (application key and secret, master public
     * key). Required.
     */
    mtoken_text configuration;
    /*
     * Root URL of the PowerAuth and operations API, e.g. "https://bank.example/enrollment-server".
     * Required.
     */
    mtoken_text base_url;
    /* Root URL of the operations API when it is another one. Default: base_url. */
    mtoken_text operations_url;
    /* Where the state lives. Required; the client keeps it alive. */
    mtoken_store *store;
    /*
     * A secret of at least 16 bytes bound to this device, e.g. from a TPM. Default: a random one
     * kept in the store.
     */
    mtoken_bytes MTOKEN_SECRET device_secret;
    /* MTOKEN_PROTOCOL_...; 0: as configuration and server allow (today 3.3) */
    mtoken_protocol_version protocol_version;
    mtoken_tls_trust tls_trust;               /* MTOKEN_TLS_...; default: system */
    mtoken_text ca_file;                      /* PEM file for MTOKEN_TLS_CA */
    const mtoken_tls_pin *pins; /* if any, one must match, besides the ordinary check */
    size_t pin_count;
    mtoken_bool allow_http; /* 1: plain http URLs are accepted: tests on loopback only */
    int32_t timeout_ms;                       /* of each request; 0: 20000 */
    /*
     * http://, https:// or socks5h:// with host and port; default: none (the environment is not
     * read)
     */
    mtoken_text proxy;
    mtoken_text language;                     /* Accept-Language; default "en" */
    /* Default: "libmtoken/<version> <application> (Linux/<kernel>; <architecture>)"; empty: none */
    mtoken_text user_agent;
    mtoken_text application;                  /* "<id>/<version>" for the default of user_agent */
    mtoken_text label;                        /* begins each log line of this client */
    /*
     * For every request, at most 32; they may replace Accept, Accept-Language and User-Agent, but
     * nothing of authentication and transport.
     */
    const mtoken_header_text *headers;
    size_t header_count;
    /*
     * 1: this client approves no operation that shows something else than it signs, whoever asks it
     * to: see mtoken_authorize_options.strict
     */
    mtoken_bool strict;
    /*
     * 1: each request has a new X-Correlation-ID (a random UUID), by which the bank finds it in its
     * logs; errors tell it. A header of that name in `headers` comes first.
     */
    mtoken_bool adds_correlation_id;
    /*
     * MTOKEN_CONTRADICTION_... added up that strict lets pass, e.g. _UNSIGNED_AMOUNT for a bank
     * that shows fees and does not sign them
     */
    mtoken_contradictions tolerated;
    int32_t reserved;                         /* 0 */
    /*
     * The external encryption key (factors.h), 16 bytes: set unless the stored activation uses none
     */
    mtoken_bytes MTOKEN_SECRET external_key;
} mtoken_client_options;

#define MTOKEN_CLIENT_OPTIONS_INIT \
    { \
        sizeof(mtoken_client_options), MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT, \
        MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT, NULL, MTOKEN_BYTES_INIT, 0, MTOKEN_TLS_SYSTEM, \
        MTOKEN_TEXT_INIT, NULL, 0, 0, 0, MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT, \
        MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT, NULL, 0, 0, 0, 0, 0, \
        MTOKEN_BYTES_INIT \
    }

/*
 * Makes a client and loads its state from the store. No network.
 *
 * When the bank moves: of the options only `id`, `store` and `device_secret` must be those that the
 * activation was made with (and `external_key`, if it uses one). All others may change from one
 * client to the next, and none of them is stored:
 *
 * - base_url, operations_url, proxy: the same server under another address. Another server does not
 *   know the activation.
 * - tls_trust, ca_file, pins, allow_http: trust in the new place. Pins that fit nothing any more
 *   stop every call before it is sent, so give the new ones beside the old before the server
 *   changes its key.
 * - configuration: another version of the same application: other key and secret, the same master
 *   public key. That of another application is not noticed here: the server refuses the calls, and
 *   may count those that are signed as failed attempts.
 * - timeout_ms, language, headers and the rest: as it pleases.
 *
 * out_client   free with mtoken_client_free
 * Errors       ARGUMENT, HANDLE, CONFIGURATION (configuration string or URL), STORAGE, BUSY (the id
 *              is in use), TAMPERED (the stored state is damaged, was changed, or belongs to
 *              another device secret; nothing is overwritten), UNSUPPORTED (state of a later
 *              version)
 */
MTOKEN_API MTOKEN_BLOCKS MTOKEN_CHECKED mtoken_status
mtoken_client_new(mtoken_runtime *runtime, const mtoken_client_options *options,
                  mtoken_client **out_client, mtoken_error **out_error);

/* Options of single calls. */
typedef struct mtoken_call_options {
    size_t struct_size;
    int32_t timeout_ms;                /* of each request; 0: the client's */
    int32_t reserved;                  /* 0 */
    mtoken_text language;              /* Accept-Language; default: the client's */
    mtoken_text user_agent;            /* default: the client's; empty: none */
    /* Besides the client's, and before them; see mtoken_client_options */
    const mtoken_header_text *headers;
    size_t header_count;
    /* X-Correlation-ID of all requests of the call: 8 to 1024 of A-Z a-z 0-9 - */
    mtoken_text correlation_id;
} mtoken_call_options;

#define MTOKEN_CALL_OPTIONS_INIT \
    { \
        sizeof(mtoken_call_options), 0, 0, MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT, NULL, 0, \
        MTOKEN_TEXT_INIT \
    }

/*
 * Options for single calls: a second handle of the same client. Every function takes it in place of
 * the client's own, and the network calls that are started with it have these options (they then
 * share no request with others). Polling and the requests that come before a call (time, keys,
 * tokens) keep the client's options. Events name the client's own handle.
 *
 * out_client   free with mtoken_client_free, which leaves the client alone; void (HANDLE) when the
 *              client is freed
 * Errors       HANDLE, ARGUMENT
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_client_with_options(mtoken_client *client, const mtoken_call_options *options,
                           mtoken_client **out_client, mtoken_error **out_error);

/*
 * Sets Accept-Language for the calls to come (RFC 9110), e.g. "cs". It is not stored.
 *
 * Errors       HANDLE, ARGUMENT
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_client_set_language(mtoken_client *client, const char *language, size_t language_length,
                           mtoken_error **out_error);

/*
 * Gives the client back: its running tasks complete as cancelled, its secrets are wiped, its lock
 * in the store is released. The stored state stays. NULL is fine.
 */
MTOKEN_API MTOKEN_BLOCKS void mtoken_client_free(mtoken_client *client);

/* State of a client. */
MTOKEN_CLOSED_ENUM(mtoken_client_state_values) {
    MTOKEN_CLIENT_EMPTY = 0,   /* no activation: mtoken_client_activate may be called */
    /* An activation is in progress: mtoken_client_persist or _cancel_activation comes next */
    MTOKEN_CLIENT_PENDING = 1,
    /* There is an activation (the server may still want to commit, or have blocked it) */
    MTOKEN_CLIENT_ACTIVE = 2,
};
typedef int32_t mtoken_client_state;

/* What is known of a client. */
typedef struct mtoken_client_info {
    mtoken_client_state state;                 /* MTOKEN_CLIENT_... */
    mtoken_protocol_version protocol_version;  /* MTOKEN_PROTOCOL_... */
    const char *id;                            /* the name given in the options */
    const char *MTOKEN_NULLABLE activation_id; /* NULL: no activation */
    /* 8 digits to compare with the server's; NULL: no activation */
    const char *MTOKEN_NULLABLE fingerprint;
    mtoken_bool has_biometry; /* 1: the biometry factor is set up for the unnamed authenticator */
    mtoken_bool has_recovery_data;             /* 1: a recovery code came with the activation */
    mtoken_bool time_synchronized;             /* 1: the server's time is known */
    int64_t time_adjustment_ms; /* milliseconds to add to the device's clock to get the server's */
    int64_t time; /* the server's time now, as far as known (the device's when not synchronised) */
    /* 1: the next members are from the last status fetched by this client object */
    mtoken_bool status_known;
    mtoken_activation_state activation_state;  /* MTOKEN_ACTIVATION_... */
    int32_t remaining_attempts;
    /* The named authenticators that have a copy of the biometry factor (factors.h) */
    size_t authenticator_count;
    const char *const *authenticators;         /* NULL if there is none */
    /* 1: PIN and biometry need the external encryption key (factors.h) */
    mtoken_bool uses_external_key;
    mtoken_bool has_external_key;              /* 1: it is set in this client object */
    /* JSON object: the claims that came last to this client object; NULL: none */
    const char *MTOKEN_NULLABLE user_info;
    /*
     * Signatures, offline codes too, that no answer has acknowledged: the device's counter is ahead
     * of the server's by so many steps at most; 255: out of the server's reach
     * (MTOKEN_ACTIVATION_DEADLOCK).
     */
    int32_t unacknowledged_signatures;
    int32_t counter_window; /* the server's look-ahead window, 1 to 64; 0: no status has told it */
    /*
     * Milliseconds by which `time` may be wrong: half of the exchange that told it; -1: not
     * synchronised
     */
    int64_t time_precision_ms;
} mtoken_client_info;

/*
 * A snapshot of what is known of a client. No network. Free with mtoken_client_info_free.
 *
 * Errors       HANDLE, ARGUMENT
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_client_get_info(const mtoken_client *client, mtoken_client_info **out_info,
                       mtoken_error **out_error);
MTOKEN_API void mtoken_client_info_free(mtoken_client_info *info);

/*
 * Asks the server for its time (POST /pa/v3/status). Other calls do this by themselves when they
 * need it.
 *
 * Task result  none; mtoken_client_get_info tells the time
 * Errors       at once: HANDLE, ARGUMENT, STATE; of the task: PROTOCOL, network errors
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_client_synchronize_time(mtoken_client *client, mtoken_task **out_task,
                               mtoken_error **out_error);

/*
 * Forgets the server's time. The next call that needs it asks again. The library does so by itself
 * when it notices that the device's clock was set: by comparing it with the clock that runs since
 * boot, and with the date of each answer.
 *
 * Errors       HANDLE
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_client_reset_time(mtoken_client *client, mtoken_error **out_error);

MTOKEN_END

#endif
