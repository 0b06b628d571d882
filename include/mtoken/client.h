/* SPDX-License-Identifier: Apache-2.0 */
/* A client: one activation, or the place for one, of one application at one server. */
#ifndef MTOKEN_CLIENT_H
#define MTOKEN_CLIENT_H

#include "activation.h"
#include "base.h"
#include "error.h"
#include "factors.h"
#include "operation.h"
#include "sealer.h"
#include "store.h"

MTOKEN_BEGIN

/* How the server's certificate is verified. */
MTOKEN_CLOSED_ENUM(mtoken_tls_trust_values) {
    MTOKEN_TLS_SYSTEM = 0, /* against ca_file if it is set, or the system's trust store, as it is */
    MTOKEN_TLS_CA = 1,     /* against the certificates in ca_file, which must be set */
    MTOKEN_TLS_UNSAFE = 2, /* not at all: for tests only; logs a warning */
};
typedef int32_t mtoken_tls_trust;

/* Which side sends the requests of a client. */
MTOKEN_CLOSED_ENUM(mtoken_transport_values) {
    MTOKEN_TRANSPORT_LIBRARY = 0, /* the library, with libcurl */
    MTOKEN_TRANSPORT_HOST = 1,    /* the host, in its own way: see transport.h */
};
typedef int32_t mtoken_transport;

/* A pin: SHA-256 of a public key (SubjectPublicKeyInfo). This struct never grows. */
typedef struct mtoken_tls_pin {
    mtoken_text sha256; /* Base64, 44 characters */
    /*
     * Milliseconds since the epoch after which the pin is ignored; INT64_MAX: never. When all pins
     * have expired, every call fails with PIN_MISMATCH: expiry never disables pinning.
     */
    int64_t expires;
} mtoken_tls_pin;

/* A header field for requests. This struct never grows. */
typedef struct mtoken_header_text {
    mtoken_text name;  /* at most 128 characters */
    mtoken_text value; /* printable ASCII, at most 4096 characters */
} mtoken_header_text;

/* Options of mtoken_client_new: which state, application and server the client uses, and how. */
typedef struct mtoken_client_options {
    size_t struct_size;
    /*
     * The name of this client within its store: 1 to 64 bytes from A-Z a-z 0-9 . _ -, not beginning
     * with a dot. Required.
     */
    mtoken_text id;
    /*
     * The application's "SDK configuration" string (application key and secret, master public key).
     * Required.
     */
    mtoken_text configuration;
    /*
     * Root URL of the PowerAuth and operations APIs, e.g. "https://bank.example/enrollment-server".
     * Required.
     */
    mtoken_text base_url;
    /* Root URL of the operations API, if it differs. Default: base_url. */
    mtoken_text operations_url;
    /* The store that holds the state. Required. The client keeps it alive. */
    mtoken_store *store;
    /*
     * A secret of at least 16 bytes bound to this device, from the host. Default: a random one kept
     * in the store, or by `sealer`.
     */
    mtoken_bytes MTOKEN_SECRET device_secret;
    /*
     * MTOKEN_PROTOCOL_... of a new activation; an existing one keeps its own. Default: 4.0 if the
     * configuration has keys for it and the server offers a suite that they fit, otherwise 3.3. The
     * library asks the server when a call first needs the answer (POST /pa/v4/status). It falls
     * back to 3.3 only if the server reports that it lacks that endpoint (HTTP status 404, code
     * ERROR_NOT_FOUND) and the configuration has no ML-DSA key; see least_suite. A gateway's error
     * page or an outage is an error.
     */
    mtoken_protocol_version protocol_version;
    /* MTOKEN_TLS_...; default: against ca_file if it is set, otherwise the system's trust store */
    mtoken_tls_trust tls_trust;
    /*
     * A PEM file with the certificates to trust, instead of the system's. A relative path is
     * resolved now. A change of the file takes effect with the next request
     */
    mtoken_text ca_file;
    /* At most 64; if there are any, one must match, in addition to the ordinary verification */
    const mtoken_tls_pin *pins;
    size_t pin_count;
    mtoken_bool allow_http; /* 1: accept plain http URLs, for tests on loopback only */
    int32_t timeout_ms;                       /* of each request; 0: 20000 */
    /*
     * http://, https:// or socks5h:// with host and port; default: none. With credentials (Basic):
     * "http://user:password@host:port", percent-encoded. Environment variables are ignored
     */
    mtoken_text proxy;
    /* Accept-Language: printable ASCII, at most 1024 characters; default "en" */
    mtoken_text language;
    /* Default: "libmtoken/<version> <application> (Linux/<kernel>; <architecture>)"; empty: none */
    mtoken_text user_agent;
    mtoken_text application;                  /* "<id>/<version>" for the default of user_agent */
    mtoken_text label;                        /* prefix of each log line of this client */
    /*
     * Added to every request, at most 32. They may replace Accept, Accept-Language and User-Agent,
     * but not headers for authentication or transport.
     */
    const mtoken_header_text *headers;
    size_t header_count;
    /*
     * 1: this client never approves an operation that displays something other than what it signs,
     * whatever the options of the call say: see mtoken_authorize_options.strict
     */
    mtoken_bool strict;
    /*
     * 1: each request has a new X-Correlation-ID (a random UUID), which identifies it in the bank's
     * logs. Errors report it. A header of that name in `headers` takes precedence.
     */
    mtoken_bool adds_correlation_id;
    /*
     * MTOKEN_CONTRADICTION_..., combined with |, that strict ignores, e.g. _UNSIGNED_AMOUNT for a
     * bank that displays fees without signing them
     */
    mtoken_contradictions tolerated;
    /*
     * MTOKEN_SUITE_... of a new activation of protocol 4.0. Default: EC_P384_ML_L3, or else
     * EC_P384_ML_L5, if the configuration has an ML-DSA key, and EC_P384 if it has none. No weaker
     * suite replaces the default unless least_suite allows it: if the server does not offer it, an
     * activation fails with UNSUPPORTED. A suite set here implies protocol 4.0.
     */
    mtoken_suite suite;
    /*
     * The external encryption key (factors.h): 16 bytes, not all zero. Default: none. Ignored if
     * the stored activation uses none. mtoken_client_set_external_key sets it later
     */
    mtoken_bytes MTOKEN_SECRET external_key;
    /*
     * mtoken_client_persist and changes of the PIN refuse a new PIN with fewer bytes: 4 to 1,000;
     * default: 4
     */
    int32_t min_pin_length;
    /* MTOKEN_PIN_..., combined with |: a new PIN with such a weakness is refused; default: none */
    mtoken_pin_weaknesses refused_pins;
    /* Keeps the device secret; not together with device_secret. The client keeps it alive. */
    mtoken_sealer *MTOKEN_NULLABLE sealer;
    /*
     * The client's certificate for servers that request one (mutual TLS); proxies never get it: a
     * PEM file with the certificate and its intermediates, a PKCS #12 file, or a PKCS #11 URI (RFC
     * 7512), "pkcs11:...". A file must be a regular file of at most 1 MiB, with at most 5 million
     * key derivation iterations. Read when the client is created. Default: none
     */
    mtoken_text client_certificate;
    /*
     * Its private key: a PEM file, or a PKCS #11 URI, whose key is used when a connection is made.
     * Default: in client_certificate
     */
    mtoken_text client_key;
    /* The password of the key or of the PKCS #12 file, or the token's PIN; at most 255 bytes */
    mtoken_bytes MTOKEN_SECRET client_key_password;
    /*
     * MTOKEN_TRANSPORT_...; default: the library. With MTOKEN_TRANSPORT_HOST, tls_trust, ca_file,
     * pins, proxy and client_certificate must not be set: connections are the host's
     */
    mtoken_transport transport;
    /*
     * The weakest MTOKEN_SUITE_... that a new activation or an upgrade may have. Default: a hybrid
     * suite if the configuration has an ML-DSA key; otherwise EC_P384, or protocol 3.3 as in
     * protocol_version. EC_P384 accepts P-384 alone beside an ML-DSA key, and never protocol 3;
     * EC_P256 accepts all, also if the server offers only P-256. An attacker who can impersonate
     * the server can force the weakest suite that is accepted: mtoken_activation.suite and
     * MTOKEN_EVENT_STATE_STORED report the suite in use.
     */
    mtoken_suite least_suite;
} mtoken_client_options;

#define MTOKEN_CLIENT_OPTIONS_INIT \
    { \
        sizeof(mtoken_client_options), MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT, \
        MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT, NULL, MTOKEN_BYTES_INIT, 0, MTOKEN_TLS_SYSTEM, \
        MTOKEN_TEXT_INIT, NULL, 0, 0, 0, MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT, \
        MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT, NULL, 0, 0, 0, 0, 0, \
        MTOKEN_BYTES_INIT, 0, 0, NULL, MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT, \
        MTOKEN_BYTES_INIT, MTOKEN_TRANSPORT_LIBRARY, 0 \
    }

/*
 * Creates a client and loads its state from the store. No network.
 *
 * `id`, `store`, and `device_secret` or `sealer` (and `external_key`, if the activation uses one)
 * must stay the same as long as the activation lives; mtoken_client_reseal changes the sealer. All
 * other options may change each time; none is stored:
 *
 * - base_url, operations_url, proxy: the same server at another address. Another server does not
 *   know the activation.
 * - client_certificate and the two beside it: each client with a certificate, or with credentials
 *   for a proxy, has connections of its own. Other servers (oidc.h) do not see the certificate. A
 *   PKCS #11 URI needs OpenSSL's engine "pkcs11" (on Debian libengine-pkcs11-openssl); its
 *   attribute module-path names the module (default: p11-kit's).
 * - tls_trust, ca_file, pins, allow_http: trust for the new address. If no pin matches, every call
 *   fails before anything is sent. Configure the new pins in addition to the old ones before the
 *   server changes its key.
 * - configuration: another version of the same application, with another key and secret but the
 *   same master public key. The configuration of another application is not detected here: the
 *   server refuses the calls, and may count signed ones as failed attempts.
 * - timeout_ms, language, headers and the rest: any value.
 *
 * out_client   must be freed with mtoken_client_free
 * Errors       ARGUMENT, HANDLE, CONFIGURATION (configuration string, URL, proxy, ca_file or client
 *              certificate cannot be read, or the key is not the certificate's), STORAGE, BUSY (the
 *              id is in use), TAMPERED (the stored state is damaged, was modified, or belongs to
 *              another id or device secret, or its device secret is missing; nothing is
 *              overwritten), UNSUPPORTED (state of a later version; or, with
 *              reason "engineNotFound", a PKCS #11 URI where there is no such engine), SEALED
 *              (the sealer cannot unseal the device secret; or the secret was sealed by the sealer
 *              that `cause` names, reason "sealerMissing", or not sealed at all, reason
 *              "notSealed")
 */
MTOKEN_API MTOKEN_BLOCKS MTOKEN_CHECKED mtoken_status
mtoken_client_new(mtoken_runtime *runtime, const mtoken_client_options *options,
                  mtoken_client **out_client, mtoken_error **out_error);

/* Options for individual calls. */
typedef struct mtoken_call_options {
    size_t struct_size;
    int32_t timeout_ms;                /* of each request; 0: the client's */
    int32_t reserved;                  /* 0 */
    mtoken_text language;              /* Accept-Language; default: the client's */
    mtoken_text user_agent;            /* default: the client's; empty: none */
    /* In addition to the client's, and taking precedence over them; see mtoken_client_options */
    const mtoken_header_text *headers;
    size_t header_count;
    /* X-Correlation-ID of the call's own requests: 8 to 1024 characters from A-Z a-z 0-9 - */
    mtoken_text correlation_id;
} mtoken_call_options;

#define MTOKEN_CALL_OPTIONS_INIT \
    { \
        sizeof(mtoken_call_options), 0, 0, MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT, NULL, 0, \
        MTOKEN_TEXT_INIT \
    }

/*
 * Creates a second handle of the same client with options for individual calls. Every function
 * accepts it in place of the client's own handle. Network calls started with it, each of their
 * steps, refreshes and polling use these options and share no request with other calls. The
 * requests that a call needs first (time, keys, tokens) use the client's options. Events report the
 * client's own handle.
 *
 * out_client   must be freed with mtoken_client_free, which does not affect the client. When the
 *              client is freed, this handle becomes invalid (HANDLE)
 * Errors       HANDLE, ARGUMENT
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_client_with_options(mtoken_client *client, const mtoken_call_options *options,
                           mtoken_client **out_client, mtoken_error **out_error);

/*
 * Sets Accept-Language (RFC 9110) for later calls of the client, e.g. "cs". It is not stored.
 *
 * Errors       HANDLE, ARGUMENT (not printable ASCII, or longer than 1024 characters)
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_client_set_language(mtoken_client *client, const char *language, size_t language_length,
                           mtoken_error **out_error);

/*
 * Frees the client: its running tasks complete as cancelled, its secrets are wiped, and its lock in
 * the store is released. The stored state remains. NULL is ignored.
 */
MTOKEN_API MTOKEN_BLOCKS void mtoken_client_free(mtoken_client *client);

/* State of a client. */
MTOKEN_CLOSED_ENUM(mtoken_client_state_values) {
    MTOKEN_CLIENT_EMPTY = 0,   /* no activation: mtoken_client_activate may be called */
    /* An activation is in progress: mtoken_client_persist or _cancel_activation comes next */
    MTOKEN_CLIENT_PENDING = 1,
    /*
     * The activation is stored on this device; at the server it may await confirmation or be
     * blocked
     */
    MTOKEN_CLIENT_ACTIVE = 2,
};
typedef int32_t mtoken_client_state;

/* A snapshot of a client. */
typedef struct mtoken_client_info {
    mtoken_client_state state;                 /* MTOKEN_CLIENT_... */
    mtoken_protocol_version protocol_version;  /* MTOKEN_PROTOCOL_... */
    const char *id;                            /* from the options */
    const char *MTOKEN_NULLABLE activation_id; /* NULL without an activation */
    /* 8 digits to compare with those the bank shows; NULL without an activation */
    const char *MTOKEN_NULLABLE fingerprint;
    mtoken_bool has_biometry; /* 1: the unnamed authenticator has the biometry factor */
    mtoken_bool has_recovery_data;             /* 1: the activation came with a recovery code */
    mtoken_bool time_synchronized;             /* 1: the server's time is known */
    int64_t time_adjustment_ms; /* server time minus device time, in milliseconds */
    int64_t time; /* the server's current time; the device's time while not synchronised */
    /* 1: the next two members are from the last status that this client fetched; 0: they are 0 */
    mtoken_bool status_known;
    mtoken_activation_state activation_state;  /* MTOKEN_ACTIVATION_... */
    int32_t remaining_attempts;
    /* Named authenticators that have a copy of the biometry factor (factors.h) */
    size_t authenticator_count;
    const char *const *authenticators;         /* NULL if there is none */
    /* 1: PIN and biometry require the external encryption key (factors.h) */
    mtoken_bool uses_external_key;
    mtoken_bool has_external_key;              /* 1: it is set on this client */
    /* JSON object: the claims about the user that this client received last; NULL if none */
    const char *MTOKEN_NULLABLE user_info;
    /*
     * Signatures, including offline codes, that the server has not acknowledged: the device's
     * counter is at most this many steps ahead of the server's. 255: beyond the server's window
     * (MTOKEN_ACTIVATION_DEADLOCK).
     */
    int32_t unacknowledged_signatures;
    /* The server's look-ahead window, 1 to 64; 0: unknown until a status is fetched */
    int32_t counter_window;
    /*
     * Maximum error of `time` in milliseconds: half of the round trip that fetched it; -1: not
     * synchronised
     */
    int64_t time_precision_ms;
    mtoken_protection protection; /* MTOKEN_PROTECTION_...: where the device secret is kept */
    mtoken_suite suite; /* MTOKEN_SUITE_... of protocol 4.0; 0: none */
    /*
     * 1: the server is not known to have the confirmation of the activation. If this process did
     * not create it, call mtoken_client_wait_active with the PIN.
     */
    mtoken_bool awaits_confirmation;
    /* 1: the server is not known to have the confirmation of an upgrade. */
    mtoken_bool awaits_upgrade_confirmation;
    /*
     * 1: a change of the PIN was interrupted: call mtoken_client_validate_pin with the new PIN.
         */
    mtoken_bool awaits_new_pin;
    /*
     * How often this client, since it was opened, found the server's counter ahead of its own:
     * see MTOKEN_EVENT_COUNTER_BEHIND
     */
    int32_t times_behind;
    /*
     * 1: the server is not known to have accepted a new biometry key (reason "newBiometryMayApply"),
     * that of the last change whose outcome is not NOT_SENT: use it, or add the factor again. The
     * next accepted code with it clears this
     */
    mtoken_bool awaits_new_biometry;
} mtoken_client_info;

/*
 * Returns a snapshot of a client. No network. Free with mtoken_client_info_free.
 *
 * Errors       HANDLE, ARGUMENT
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_client_get_info(const mtoken_client *client, mtoken_client_info **out_info,
                       mtoken_error **out_error);
MTOKEN_API void mtoken_client_info_free(mtoken_client_info *info);

/*
 * Fetches the server's time. Other calls fetch it themselves when they need it.
 *
 * Calls        POST /pa/v3/status (protocol 4.0: /pa/v4/status)
 * Task result  none; mtoken_client_get_info returns the time
 * Errors       at once: HANDLE, ARGUMENT, STATE; of the task: PROTOCOL, network errors
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_client_synchronize_time(mtoken_client *client, mtoken_task **out_task,
                               mtoken_error **out_error);

/*
 * Discards the server's time. The next call that needs it fetches it again. The library discards it
 * by itself when it detects that the device's clock was changed: it compares that clock with the
 * system's boot clock and with the Date header of each response.
 *
 * Errors       HANDLE
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_client_reset_time(mtoken_client *client, mtoken_error **out_error);

MTOKEN_END

#endif
