/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libmtoken-testing: lets a test control what libmtoken takes from outside: network, clock, randomness and store.
 *
 * Link with -lmtoken-testing instead of -lmtoken: it is the same library plus the functions of this header. Never ship
 * it: it records requests and makes randomness repeatable.
 *
 * The rules are those of mtoken.h. Functions that take a runtime require one from mtoken_testing_runtime_new, and
 * functions that take a store one from mtoken_testing_store_new; any other fails with MTOKEN_ERROR_HANDLE. The
 * functions are safe to call from any thread. With MTOKEN_TESTING_CLOCK_MANUAL, call them from one thread at a time.
 *
 * A short test: create a runtime with a manual clock and a scripted transport, start a call, and answer its requests:
 *
 *     mtoken_operations_list(client, &task, NULL);
 *     mtoken_testing_request_get(runtime, 0, 0, &request, NULL);   (runs the runtime until it has sent request 0)
 *     mtoken_testing_request_answer(runtime, 0, &answer, NULL);
 *     mtoken_testing_advance(runtime, 0, NULL);                    (runs the runtime until it is idle)
 *     mtoken_task_result(task);
 */
#ifndef MTOKEN_TESTING_H
#define MTOKEN_TESTING_H

#include "../mtoken.h"

MTOKEN_BEGIN

/* ---------------------------------------------------------------------------------------------------------- runtime */

/* Where time comes from, and which thread runs the runtime. */
MTOKEN_CLOSED_ENUM(mtoken_testing_clock_values) {
    MTOKEN_TESTING_CLOCK_SYSTEM = 0, /* the device's clocks; the runtime has its own thread */
    /* The wall clock is fixed at the given time; timers follow the device; the runtime has its own
    thread */
    MTOKEN_TESTING_CLOCK_WALL = 1,
    /*
     * Both clocks are stopped, and there is no thread: the runtime runs only inside
     * mtoken_testing_advance, mtoken_testing_request_get and mtoken_runtime_free, so that every run
     * of a test is identical. Call mtoken_task_wait only with a timeout of 0. Cannot be combined
     * with a transport that uses the network.
     */
    MTOKEN_TESTING_CLOCK_MANUAL = 2,
};
typedef int32_t mtoken_testing_clock;

/* How requests are answered that mtoken_testing_request_answer does not answer. */
MTOKEN_CLOSED_ENUM(mtoken_testing_transport_values) {
    MTOKEN_TESTING_TRANSPORT_SCRIPTED = 0, /* none: they wait until they time out */
    MTOKEN_TESTING_TRANSPORT_NETWORK = 1,  /* the server */
    MTOKEN_TESTING_TRANSPORT_RECORD = 2,   /* the server; each exchange is appended to `file` */
    /*
     * The exchanges recorded in `file`, in the same order. A request that differs from the recorded one (in method,
     * URL, headers other than User-Agent, or body) fails with MTOKEN_ERROR_INTERNAL, as do requests after the last
     * recorded one.
     */
    MTOKEN_TESTING_TRANSPORT_REPLAY = 3,
};
typedef int32_t mtoken_testing_transport;

/* Where randomness comes from. */
MTOKEN_CLOSED_ENUM(mtoken_testing_random_values) {
    MTOKEN_TESTING_RANDOM_SYSTEM = 0, /* OpenSSL */
    MTOKEN_TESTING_RANDOM_SEEDED = 1, /* a stream derived from `seed`, including key pairs */
};
typedef int32_t mtoken_testing_random;

/* The controls of a test. */
typedef struct mtoken_testing_options {
    size_t struct_size;
    mtoken_testing_clock clock;         /* MTOKEN_TESTING_CLOCK_... */
    mtoken_testing_transport transport; /* MTOKEN_TESTING_TRANSPORT_... */
    int64_t wall; /* initial wall clock, milliseconds since the epoch; ignored by CLOCK_SYSTEM */
    /*
     * JSON lines, for _RECORD (created anew, mode 0600) and _REPLAY only. Contains the complete exchanges, including
     * secrets.
     */
    mtoken_text file;
    uint64_t seed;
    mtoken_testing_random random; /* MTOKEN_TESTING_RANDOM_... */
    int32_t pin_iterations;       /* of PBKDF2, for the PINs set from now on; 0: as many as without a test */
} mtoken_testing_options;

/* A manual clock at 2023-11-14T22:13:20Z, a scripted transport, and seeded randomness. */
#define MTOKEN_TESTING_OPTIONS_INIT                                                                                       \
    {                                                                                                                     \
        sizeof(mtoken_testing_options), MTOKEN_TESTING_CLOCK_MANUAL, MTOKEN_TESTING_TRANSPORT_SCRIPTED, 1700000000000,    \
            MTOKEN_TEXT_INIT, 1, MTOKEN_TESTING_RANDOM_SEEDED, 0                                                          \
    }

/*
 * Creates a runtime under the control of the test.
 *
 * options      as for mtoken_runtime_new; NULL: defaults
 * testing      required
 * out_runtime  must be freed with mtoken_runtime_free
 * Errors       ARGUMENT, STORAGE (the file cannot be opened), PARSE (the file is not a recording), INTERNAL
 */
MTOKEN_API mtoken_status mtoken_testing_runtime_new(const mtoken_runtime_options *options, const mtoken_testing_options *testing,
                                                    mtoken_runtime **out_runtime, mtoken_error **out_error);

/* ------------------------------------------------------------------------------------------------------------- time */

/*
 * Advances time. With MTOKEN_TESTING_CLOCK_MANUAL, runs everything that is due now and at each moment on the way, and
 * returns when nothing is left to do until then; 0 runs only what is due now. With MTOKEN_TESTING_CLOCK_WALL it
 * advances the wall clock. Errors: HANDLE, ARGUMENT (negative, or beyond the range of the clock), STATE (the device's
 * clocks cannot be advanced).
 */
MTOKEN_API mtoken_status mtoken_testing_advance(mtoken_runtime *runtime, int64_t milliseconds, mtoken_error **out_error);

/* Sets only the wall clock, as a user or NTP would. Errors: HANDLE, STATE (the device's clocks cannot be set). */
MTOKEN_API mtoken_status mtoken_testing_set_wall(mtoken_runtime *runtime, int64_t milliseconds, mtoken_error **out_error);

/*
 * The machine sleeps and wakes: the wall clock continues, timers stop. For
 * MTOKEN_TESTING_CLOCK_MANUAL. Errors: HANDLE, ARGUMENT (negative), STATE (another clock).
 */
MTOKEN_API mtoken_status mtoken_testing_sleep(mtoken_runtime *runtime, int64_t milliseconds, mtoken_error **out_error);

/* Returns the time of both clocks. Either may be NULL. Errors: HANDLE. */
MTOKEN_API mtoken_status mtoken_testing_clocks(mtoken_runtime *runtime, int64_t *out_wall, int64_t *out_monotonic,
                                               mtoken_error **out_error);

/* ---------------------------------------------------------------------------------------------------------- network */

/* How a request fails, as the network would report it. */
MTOKEN_ENUM(mtoken_testing_failure_values) {
    MTOKEN_TESTING_FAILURE_NONE = 0,
    MTOKEN_TESTING_FAILURE_TIMEOUT = 1,
    MTOKEN_TESTING_FAILURE_NOT_CONNECTED = 2,
    MTOKEN_TESTING_FAILURE_HOST_NOT_FOUND = 3,
    MTOKEN_TESTING_FAILURE_CONNECTION_REFUSED = 4,
    MTOKEN_TESTING_FAILURE_CONNECTION_LOST = 5,
    MTOKEN_TESTING_FAILURE_BAD_RESPONSE = 6, /* not HTTP */
    MTOKEN_TESTING_FAILURE_TLS = 7,
    MTOKEN_TESTING_FAILURE_CERTIFICATE = 8,
    MTOKEN_TESTING_FAILURE_PIN_MISMATCH = 9,
    MTOKEN_TESTING_FAILURE_TOO_LARGE = 10,
    MTOKEN_TESTING_FAILURE_PROXY = 11,
    MTOKEN_TESTING_FAILURE_INVALID_URL = 12,
    MTOKEN_TESTING_FAILURE_INVALID_REQUEST = 13,
    MTOKEN_TESTING_FAILURE_OUT_OF_MEMORY = 14,
    MTOKEN_TESTING_FAILURE_INTERNAL = 15,
};
typedef int32_t mtoken_testing_failure;

/* The fate of a request: an answer from the server, or a failure. */
typedef struct mtoken_testing_answer {
    size_t struct_size;
    mtoken_testing_failure failure; /* MTOKEN_TESTING_FAILURE_...; unless NONE, only sent and delay_ms apply too */
    mtoken_bool sent;               /* with a failure; 1: the request may have reached the server */
    int32_t status;                 /* HTTP status */
    int32_t reserved;               /* 0 */
    int64_t delay_ms; /* how long the answer takes, by the runtime's clock; the request's own timeout still applies */
    mtoken_text headers; /* lines "name: value", each ended by LF */
    mtoken_bytes body;   /* a body larger than the request accepts (4 MiB) fails as TOO_LARGE */
} mtoken_testing_answer;

/* Status 200 without a body. */
#define MTOKEN_TESTING_ANSWER_INIT                                                                        \
    {                                                                                                     \
        sizeof(mtoken_testing_answer), MTOKEN_TESTING_FAILURE_NONE, 0, 200, 0, 0, MTOKEN_TEXT_INIT, MTOKEN_BYTES_INIT \
    }

/* As a request number: every waiting or later request without an answer of its own. */
#define MTOKEN_TESTING_EVERY SIZE_MAX

/*
 * Answers a request: one that is waiting, or one that has not been sent yet. Requests of a runtime are numbered from 0
 * in the order in which they are sent. With every transport such an answer takes precedence; the server does not see
 * the request.
 *
 * number       of the request, or MTOKEN_TESTING_EVERY
 * answer       copied; NULL with MTOKEN_TESTING_EVERY revokes that answer for later requests
 * Errors       HANDLE, ARGUMENT, STATE (the request already has an answer, was passed to the network, or has ended)
 */
MTOKEN_API mtoken_status mtoken_testing_request_answer(mtoken_runtime *runtime, size_t number,
                                                       const mtoken_testing_answer *answer, mtoken_error **out_error);

/* State of a request. */
MTOKEN_CLOSED_ENUM(mtoken_testing_request_state_values) {
    MTOKEN_TESTING_REQUEST_WAITING = 0,  /* for mtoken_testing_request_answer */
    MTOKEN_TESTING_REQUEST_ANSWERED = 1, /* its answer is on the way, or the network has it */
    MTOKEN_TESTING_REQUEST_ENDED = 2,    /* answered, failed, timed out or cancelled */
};
typedef int32_t mtoken_testing_request_state;

/* A request as the library sent it. */
typedef struct mtoken_testing_request {
    size_t number;
    mtoken_testing_request_state state; /* MTOKEN_TESTING_REQUEST_... when it was copied */
    mtoken_bool at_most_once;           /* 1: signed, so it must not reach the server twice */
    int64_t time;  /* when it was sent, milliseconds since the epoch, by the runtime's clock */
    int64_t timeout_ms; /* its time limit */
    const char *method;
    const char *url;
    size_t header_count;
    const mtoken_header *const *headers; /* without those that the network adds (Host, Content-Length, ...) */
    const uint8_t *body;                 /* NUL-terminated for convenience */
    size_t body_length;
} mtoken_testing_request;

/*
 * Returns a copy of a sent request. Free with mtoken_testing_request_free. With MTOKEN_TESTING_CLOCK_MANUAL it runs the
 * runtime first and never waits, whatever the timeout.
 *
 * timeout_ms   how long to wait for the request to be sent, in real time; 0: return at once; MTOKEN_FOREVER: without
 *              limit
 * Errors       HANDLE, ARGUMENT, TIMEOUT (the request has not been sent yet)
 */
MTOKEN_API mtoken_status mtoken_testing_request_get(mtoken_runtime *runtime, size_t number, int64_t timeout_ms,
                                                    mtoken_testing_request **out_request, mtoken_error **out_error);
MTOKEN_API void mtoken_testing_request_free(mtoken_testing_request *request);

/* Returns the number of requests sent, or 0 for an invalid handle. */
MTOKEN_API size_t mtoken_testing_request_count(mtoken_runtime *runtime);

/* ------------------------------------------------------------------------------------------------------- randomness */

/*
 * Sets the result of a later draw of randomness. The first call sets that of the next draw of bytes, the second that of
 * the draw after it, and so on; then the stream continues. A draw of another length fails. Errors: HANDLE, ARGUMENT.
 */
MTOKEN_API mtoken_status mtoken_testing_random_bytes(mtoken_runtime *runtime, const uint8_t *bytes, size_t length,
                                                     mtoken_error **out_error);

/*
 * Sets the key pair that a later draw of a key pair returns, by its private key: 32 bytes, big endian, between 1 and
 * n-1. Errors: HANDLE, ARGUMENT.
 */
MTOKEN_API mtoken_status mtoken_testing_random_key(mtoken_runtime *runtime, const uint8_t *number, size_t length,
                                                   mtoken_error **out_error);

/*
 * Makes draws fail: the `nth` from now (1: the next), and with `forever` all that follow. 0 ends all failures. Errors:
 * HANDLE.
 */
MTOKEN_API mtoken_status mtoken_testing_random_fail(mtoken_runtime *runtime, size_t nth, mtoken_bool forever,
                                                    mtoken_error **out_error);

/* Returns the number of draws, including failed ones, or 0 for an invalid handle. */
MTOKEN_API size_t mtoken_testing_random_count(mtoken_runtime *runtime);

/* ------------------------------------------------------------------------------------------------------------ store */

/* Calls of a store. Bit flags; combine with |. */
MTOKEN_FLAGS(mtoken_testing_calls_values) {
    MTOKEN_TESTING_LOAD = 1,
    MTOKEN_TESTING_SAVE = 2,
    MTOKEN_TESTING_REMOVE = 4,
    MTOKEN_TESTING_ALL_CALLS = 7,
};
typedef int32_t mtoken_testing_calls;

/* How a call of a store fails. Loads fail in one way only. */
MTOKEN_CLOSED_ENUM(mtoken_testing_store_fault_values) {
    MTOKEN_TESTING_FAIL_BEFORE = 0, /* nothing is done */
    MTOKEN_TESTING_FAIL_TORN = 1,   /* a save writes the first half of the bytes; a removal fails as with BEFORE */
    MTOKEN_TESTING_FAIL_AFTER = 2,  /* everything is done, but a failure is reported */
    MTOKEN_TESTING_FAIL_SILENT = 3, /* nothing is done, but success is reported: a disk that lied */
};
typedef int32_t mtoken_testing_store_fault;

/*
 * Creates a store that forwards every call to another one and fails on request. It keeps the other store alive, and
 * until it is freed the locks of the clients whose items it loaded, unless somebody else has them: the test must ensure
 * exclusive use.
 *
 * inner        a store of any kind
 * out_store    must be freed with mtoken_store_free
 * Errors       ARGUMENT, HANDLE
 */
MTOKEN_API mtoken_status mtoken_testing_store_new(mtoken_store *inner, mtoken_store **out_store, mtoken_error **out_error);

/*
 * Makes calls fail: among the given kinds of calls, the `nth` from now (1: the next), and with `forever` all that
 * follow. 0 ends all failures. how: MTOKEN_TESTING_FAIL_... Errors: HANDLE, ARGUMENT.
 */
MTOKEN_API mtoken_status mtoken_testing_store_fail(mtoken_store *store, mtoken_testing_calls calls, size_t nth,
                                                   mtoken_bool forever, mtoken_testing_store_fault how,
                                                   mtoken_error **out_error);

/* Delays the given kinds of calls, in real time. Errors: HANDLE, ARGUMENT. */
MTOKEN_API mtoken_status mtoken_testing_store_delay(mtoken_store *store, mtoken_testing_calls calls, int64_t milliseconds,
                                                    mtoken_error **out_error);

/* Returns the number of the given kinds of calls, including failed ones, or 0 for an invalid handle. */
MTOKEN_API size_t mtoken_testing_store_count(mtoken_store *store, mtoken_testing_calls calls);

/* Bytes that the library created for a test. Free with mtoken_testing_data_free. */
typedef struct mtoken_testing_data {
    const uint8_t *bytes;
    size_t length;
} mtoken_testing_data;

/* Reads what is stored under a name, bypassing all faults. Errors: HANDLE, ARGUMENT, NOT_FOUND, STORAGE. */
MTOKEN_API mtoken_status mtoken_testing_store_read(mtoken_store *store, const char *name, size_t name_length,
                                                   mtoken_testing_data **out_data, mtoken_error **out_error);
MTOKEN_API void mtoken_testing_data_free(mtoken_testing_data *data);

/* Stores bytes under a name, or with NULL removes the item, bypassing all faults. Errors: HANDLE, ARGUMENT, STORAGE. */
MTOKEN_API mtoken_status mtoken_testing_store_write(mtoken_store *store, const char *name, size_t name_length,
                                                    const uint8_t *bytes, size_t length, mtoken_error **out_error);

/* Stores bytes under a name as a client does that has changed the lock of a factor: nothing of what was there is left.
   Bypasses all faults. Errors: HANDLE, ARGUMENT, STORAGE. */
MTOKEN_API mtoken_status mtoken_testing_store_renew(mtoken_store *store, const char *name, size_t name_length,
                                                    const uint8_t *bytes, size_t length, mtoken_error **out_error);

/* ------------------------------------------------------------------------------------------------------ activations */

/*
 * An activation whose keys and counter are known in advance, as in a published test vector. Each member is read during
 * the call and may be wiped after it.
 */
typedef struct mtoken_testing_activation {
    size_t struct_size;
    mtoken_text activation_id; /* required */
    /* KEY_MASTER_SECRET, 16 bytes; in protocol 4.0 KEY_ACTIVATION_SECRET, 32 bytes. Required: all keys come from it. */
    mtoken_bytes secret;
    mtoken_bytes counter; /* CTR_DATA of the next signature: as long as secret. Required. */
    /* Before 4.0 only: 16 bytes each, in place of the key that secret gives. Empty: that key. */
    mtoken_bytes possession;
    mtoken_bytes knowledge;
    mtoken_bytes biometry;
    mtoken_bytes transport;
    mtoken_bytes server_key;        /* public key of the server for this activation, a point; empty: the device's own */
    mtoken_bytes server_second_key; /* in a hybrid suite with server_key: its ML-DSA key, a SubjectPublicKeyInfo */
    mtoken_bytes pin;               /* required: what locks the factor of knowledge */
    mtoken_bytes biometry_key;      /* as in mtoken_auth; empty: no biometric factor */
    int32_t counter_byte;           /* how many signatures came before, the low byte: 0 to 255 */
    int32_t reserved;               /* 0 */
} mtoken_testing_activation;

/* Nothing is set. */
#define MTOKEN_TESTING_ACTIVATION_INIT                                                                                 \
    {                                                                                                                  \
        sizeof(mtoken_testing_activation), MTOKEN_TEXT_INIT, MTOKEN_BYTES_INIT, MTOKEN_BYTES_INIT, MTOKEN_BYTES_INIT,  \
            MTOKEN_BYTES_INIT, MTOKEN_BYTES_INIT, MTOKEN_BYTES_INIT, MTOKEN_BYTES_INIT, MTOKEN_BYTES_INIT,             \
            MTOKEN_BYTES_INIT, MTOKEN_BYTES_INIT, 0, 0                                                                 \
    }

/*
 * Gives an empty client a known activation, persisted and, in protocol 4.0, confirmed, without a request: from then on
 * its codes, statuses and messages are those of the vector. The client's protocol must be decided: set
 * protocol_version in mtoken_client_options. The device's own keys are drawn from the runtime's randomness. Works with
 * every runtime. Safe to call from any thread; with a manual clock from one at a time. Errors: HANDLE, ARGUMENT, STATE
 * (the client is not empty, or its protocol is undecided), PROTOCOL (server_key is not a key of the
 * suite), STORAGE, INTERNAL.
 */
MTOKEN_API mtoken_status mtoken_testing_client_adopt(mtoken_client *client, const mtoken_testing_activation *activation,
                                                     mtoken_error **out_error);

/*
 * In protocol 4.0, gives a client a temporary key with a known secret, in place of the one that it would ask the server
 * for: kept in memory, as that would be. Before 4.0 let the test's server issue the key: its public key is known then.
 * Works with every runtime. Safe to call from any thread; with a manual clock from one at a time.
 *
 * scope        MTOKEN_SCOPE_...; _ACTIVATION requires an activation
 * secret       KEY_TEMPORARY_SHARED_SECRET, 32 bytes
 * expires      milliseconds since the epoch, server time
 * Errors       HANDLE, ARGUMENT, NOT_ACTIVATED, STATE
 */
MTOKEN_API mtoken_status mtoken_testing_client_keep_key(mtoken_client *client, mtoken_scope scope, const char *key_id,
                                                        size_t key_id_length, const uint8_t *secret,
                                                        size_t secret_length, int64_t expires,
                                                        mtoken_error **out_error);

/* ---------------------------------------------------------------------------------------------------------- handles */

/* Kinds of handles. */
MTOKEN_ENUM(mtoken_testing_handle_kind_values) {
    MTOKEN_TESTING_HANDLES_ALL = 0,
    MTOKEN_TESTING_HANDLES_RUNTIME = 1,
    MTOKEN_TESTING_HANDLES_CLIENT = 2,
    MTOKEN_TESTING_HANDLES_STORE = 3,
    MTOKEN_TESTING_HANDLES_TASK = 4,
    MTOKEN_TESTING_HANDLES_EVENT = 5,
    MTOKEN_TESTING_HANDLES_WATCHER = 6,
    MTOKEN_TESTING_HANDLES_OIDC_REQUEST = 9,
    MTOKEN_TESTING_HANDLES_CHALLENGE = 10,
    MTOKEN_TESTING_HANDLES_STORE_REPLY = 12,
};
typedef int32_t mtoken_testing_handle_kind;

/* Returns the number of handles of a kind that the process has received and not yet freed, or 0 for an unknown kind. */
MTOKEN_API size_t mtoken_testing_live_handles(mtoken_testing_handle_kind kind);

MTOKEN_END

#endif
