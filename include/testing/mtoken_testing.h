/*
 * libmtoken-testing: what libmtoken takes from outside - network, clock, randomness, store - in the hands of a test.
 *
 * Link with -lmtoken-testing instead of -lmtoken: it is the same library with the functions of this header added. Never
 * ship it: it writes down requests and makes randomness repeatable.
 *
 * The rules are those of mtoken.h. Functions that take a runtime need one of mtoken_testing_runtime_new, functions that take
 * a store one of mtoken_testing_store_new; all others give MTOKEN_ERROR_HANDLE. They may be called from any thread but, with
 * MTOKEN_TESTING_CLOCK_MANUAL, from one thread at a time.
 *
 * A test in three lines: make a runtime with a manual clock and a scripted transport; start a call; answer its requests:
 *
 *     mtoken_operations_list(client, &task, NULL);
 *     mtoken_testing_request_get(runtime, 0, 0, &request, NULL);   (runs the runtime until it has sent request 0)
 *     mtoken_testing_request_answer(runtime, 0, &answer, NULL);
 *     mtoken_testing_advance(runtime, 0, NULL);                    (runs the runtime until it has nothing to do)
 *     mtoken_task_result(task);
 */
#ifndef MTOKEN_TESTING_H
#define MTOKEN_TESTING_H

#include "../mtoken.h"

MTOKEN_BEGIN

/* ---------------------------------------------------------------------------------------------------------- runtime */

/* Where time comes from, and who runs the runtime. */
MTOKEN_CLOSED_ENUM(mtoken_testing_clock_values) {
    MTOKEN_TESTING_CLOCK_SYSTEM = 0, /* the device's clocks; the runtime has its thread */
    MTOKEN_TESTING_CLOCK_WALL = 1,   /* the wall clock stands at the time given; timers follow the device; with the thread */
    /*
     * Both clocks stand still, and there is no thread: the runtime runs inside mtoken_testing_advance,
     * mtoken_testing_request_get and mtoken_runtime_free, and nowhere else, so that each run of a test takes the same course.
     * mtoken_task_wait only makes sense with a timeout of 0. Not with the transports that use the network.
     */
    MTOKEN_TESTING_CLOCK_MANUAL = 2,
};
typedef int32_t mtoken_testing_clock;

/* Who answers the requests that mtoken_testing_request_answer has no answer for. */
MTOKEN_CLOSED_ENUM(mtoken_testing_transport_values) {
    MTOKEN_TESTING_TRANSPORT_SCRIPTED = 0, /* nobody: they wait for an answer until they are out of time */
    MTOKEN_TESTING_TRANSPORT_NETWORK = 1,  /* the server */
    MTOKEN_TESTING_TRANSPORT_RECORD = 2,   /* the server, and each exchange is appended to `file` */
    /*
     * `file`, with what was recorded, in the same order. A request that is not the recorded one (by method, URL, headers but
     * User-Agent, or body) ends with MTOKEN_ERROR_INTERNAL, as do those after the last recorded one.
     */
    MTOKEN_TESTING_TRANSPORT_REPLAY = 3,
};
typedef int32_t mtoken_testing_transport;

/* Where randomness comes from. */
MTOKEN_CLOSED_ENUM(mtoken_testing_random_values) {
    MTOKEN_TESTING_RANDOM_SYSTEM = 0, /* OpenSSL */
    MTOKEN_TESTING_RANDOM_SEEDED = 1, /* a stream that follows from `seed`, key pairs included */
};
typedef int32_t mtoken_testing_random;

typedef struct mtoken_testing_options {
    size_t struct_size;
    mtoken_testing_clock clock;         /* MTOKEN_TESTING_CLOCK_... */
    mtoken_testing_transport transport; /* MTOKEN_TESTING_TRANSPORT_... */
    int64_t wall; /* milliseconds since the epoch that the wall clock shows first; ignored by CLOCK_SYSTEM */
    /* JSON lines, for _RECORD (made anew, mode 0600) and _REPLAY; else not given. Holds the exchanges as they are: secrets. */
    mtoken_text file;
    uint64_t seed;
    mtoken_testing_random random; /* MTOKEN_TESTING_RANDOM_... */
    int32_t reserved;             /* 0 */
} mtoken_testing_options;

/* A manual clock at 2023-11-14T22:13:20Z, a scripted transport, and seeded randomness. */
#define MTOKEN_TESTING_OPTIONS_INIT                                                                                       \
    {                                                                                                                     \
        sizeof(mtoken_testing_options), MTOKEN_TESTING_CLOCK_MANUAL, MTOKEN_TESTING_TRANSPORT_SCRIPTED, 1700000000000,    \
            MTOKEN_TEXT_INIT, 1, MTOKEN_TESTING_RANDOM_SEEDED, 0                                                          \
    }

/*
 * Makes a runtime that lives in the test's world.
 *
 * options      as for mtoken_runtime_new; NULL: defaults
 * testing      required
 * out_runtime  free it with mtoken_runtime_free
 * Errors       ARGUMENT, STORAGE (the file cannot be opened), PARSE (the recording is not one), INTERNAL
 */
MTOKEN_API mtoken_status mtoken_testing_runtime_new(const mtoken_runtime_options *options, const mtoken_testing_options *testing,
                                                    mtoken_runtime **out_runtime, mtoken_error **out_error);

/* ------------------------------------------------------------------------------------------------------------- time */

/*
 * Lets time pass. With MTOKEN_TESTING_CLOCK_MANUAL, runs all that is due now and at each moment on the way, and returns
 * when there is nothing left to do until then; 0 only runs what is due now. With MTOKEN_TESTING_CLOCK_WALL it moves the wall
 * clock. Errors: HANDLE, ARGUMENT (negative, or beyond what the clock can show), STATE (a clock of the device cannot be moved).
 */
MTOKEN_API mtoken_status mtoken_testing_advance(mtoken_runtime *runtime, int64_t milliseconds, mtoken_error **out_error);

/* Sets the wall clock alone, as a user or NTP would. Errors: HANDLE, STATE (a clock of the device cannot be set). */
MTOKEN_API mtoken_status mtoken_testing_set_wall(mtoken_runtime *runtime, int64_t milliseconds, mtoken_error **out_error);

/* What the clocks show. Either may be NULL. Errors: HANDLE. */
MTOKEN_API mtoken_status mtoken_testing_clocks(mtoken_runtime *runtime, int64_t *out_wall, int64_t *out_monotonic,
                                               mtoken_error **out_error);

/* ---------------------------------------------------------------------------------------------------------- network */

/* How a request failed. The same as the network reports it; whether the request was sent goes with it. */
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

/* What becomes of a request: an answer of the server, or a failure. */
typedef struct mtoken_testing_answer {
    size_t struct_size;
    mtoken_testing_failure failure; /* MTOKEN_TESTING_FAILURE_...; the rest but sent and delay_ms then means nothing */
    mtoken_bool sent;               /* with a failure; 1: the request may have reached the server */
    int32_t status;                 /* HTTP status */
    int32_t reserved;               /* 0 */
    int64_t delay_ms;    /* how long it takes, by the runtime's clock; the request's own timeout goes on */
    mtoken_text headers; /* lines "name: value", each ended by LF */
    mtoken_bytes body;   /* larger than the request accepts (4 MiB): fails as TOO_LARGE */
} mtoken_testing_answer;

/* Status 200 without a body. */
#define MTOKEN_TESTING_ANSWER_INIT                                                                        \
    {                                                                                                     \
        sizeof(mtoken_testing_answer), MTOKEN_TESTING_FAILURE_NONE, 0, 200, 0, 0, MTOKEN_TEXT_INIT, MTOKEN_BYTES_INIT \
    }

/* As the number of a request: every request, now or later, that has no answer of its own. */
#define MTOKEN_TESTING_EVERY SIZE_MAX

/*
 * Answers a request: one that waits now, or one that has not been made yet. Requests of a runtime are numbered from 0 in the
 * order in which they are sent. With every transport such an answer comes first; the server does not see the request.
 *
 * number       of the request, or MTOKEN_TESTING_EVERY
 * answer       copied; NULL with MTOKEN_TESTING_EVERY takes that answer back for requests to come
 * Errors       HANDLE, ARGUMENT, STATE (the request has an answer already, or is with the network, or has ended)
 */
MTOKEN_API mtoken_status mtoken_testing_request_answer(mtoken_runtime *runtime, size_t number,
                                                       const mtoken_testing_answer *answer, mtoken_error **out_error);

/* Where a request stands. */
MTOKEN_CLOSED_ENUM(mtoken_testing_request_state_values) {
    MTOKEN_TESTING_REQUEST_WAITING = 0,  /* for mtoken_testing_request_answer */
    MTOKEN_TESTING_REQUEST_ANSWERED = 1, /* its answer is on the way, or the network has it */
    MTOKEN_TESTING_REQUEST_ENDED = 2,    /* answered, failed, out of time, or cancelled */
};
typedef int32_t mtoken_testing_request_state;

/* A request as the library sent it. */
typedef struct mtoken_testing_request {
    size_t number;
    mtoken_testing_request_state state; /* MTOKEN_TESTING_REQUEST_... when it was asked for */
    mtoken_bool at_most_once;           /* 1: signed, so that it must not reach the server twice */
    int64_t time;  /* milliseconds since the epoch when it was sent, by the runtime's clock */
    int64_t timeout_ms;
    const char *method;
    const char *url;
    size_t header_count;
    const mtoken_header *const *headers; /* without those that the network adds (Host, Content-Length, ...) */
    const uint8_t *body;                 /* NUL-terminated for convenience */
    size_t body_length;
} mtoken_testing_request;

/*
 * A copy of a request that was sent. Free with mtoken_testing_request_free. With MTOKEN_TESTING_CLOCK_MANUAL runs the runtime
 * first and never waits, whatever the timeout.
 *
 * timeout_ms   how long to wait for the request to be made, in real time; 0: not at all; MTOKEN_FOREVER: without limit
 * Errors       HANDLE, ARGUMENT, TIMEOUT (there is no such request yet)
 */
MTOKEN_API mtoken_status mtoken_testing_request_get(mtoken_runtime *runtime, size_t number, int64_t timeout_ms,
                                                    mtoken_testing_request **out_request, mtoken_error **out_error);
MTOKEN_API void mtoken_testing_request_free(mtoken_testing_request *request);

/* How many requests were sent. 0 for an invalid handle. */
MTOKEN_API size_t mtoken_testing_request_count(mtoken_runtime *runtime);

/* ------------------------------------------------------------------------------------------------------- randomness */

/*
 * Lays down what a later draw of randomness gives, before the stream goes on: the first draw of bytes gets the first bytes
 * laid down, and so on. A draw of another length fails. Errors: HANDLE, ARGUMENT.
 */
MTOKEN_API mtoken_status mtoken_testing_random_bytes(mtoken_runtime *runtime, const uint8_t *bytes, size_t length,
                                                     mtoken_error **out_error);

/*
 * Lays down a key pair that a later draw of a key pair gives, by its private number: 32 bytes, big endian, between 1 and n-1.
 * Errors: HANDLE, ARGUMENT.
 */
MTOKEN_API mtoken_status mtoken_testing_random_key(mtoken_runtime *runtime, const uint8_t *number, size_t length,
                                                   mtoken_error **out_error);

/*
 * Makes draws fail: the one number `nth` from now (1: the next), and with `forever` all after it. 0 ends all failing.
 * Errors: HANDLE.
 */
MTOKEN_API mtoken_status mtoken_testing_random_fail(mtoken_runtime *runtime, size_t nth, mtoken_bool forever,
                                                    mtoken_error **out_error);

/* How many draws there were, failed ones included. 0 for an invalid handle. */
MTOKEN_API size_t mtoken_testing_random_count(mtoken_runtime *runtime);

/* ------------------------------------------------------------------------------------------------------------ store */

/* Calls of a store, to be added up. */
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
    MTOKEN_TESTING_FAIL_TORN = 1,   /* a save leaves the first half of the bytes, a removal is BEFORE */
    MTOKEN_TESTING_FAIL_AFTER = 2,  /* all is done, but failure is reported */
    MTOKEN_TESTING_FAIL_SILENT = 3, /* nothing is done, but success is reported: a disk that lied */
};
typedef int32_t mtoken_testing_store_fault;

/*
 * A store that hands everything on to another one, and fails when it is told to. It keeps the other one alive, but does not
 * take its locks: that is for the test.
 *
 * inner        a store of any kind
 * out_store    free with mtoken_store_free
 * Errors       ARGUMENT, HANDLE
 */
MTOKEN_API mtoken_status mtoken_testing_store_new(mtoken_store *inner, mtoken_store **out_store, mtoken_error **out_error);

/*
 * Makes calls fail: among the calls named, the one number `nth` from now (1: the next), and with `forever` all after it.
 * 0 ends all failing. How: MTOKEN_TESTING_FAIL_... Errors: HANDLE, ARGUMENT.
 */
MTOKEN_API mtoken_status mtoken_testing_store_fail(mtoken_store *store, mtoken_testing_calls calls, size_t nth,
                                                   mtoken_bool forever, mtoken_testing_store_fault how,
                                                   mtoken_error **out_error);

/* Makes the calls named take that much longer, in real time. Errors: HANDLE, ARGUMENT. */
MTOKEN_API mtoken_status mtoken_testing_store_delay(mtoken_store *store, mtoken_testing_calls calls, int64_t milliseconds,
                                                    mtoken_error **out_error);

/* How many of the calls named there were, failed ones included. 0 for an invalid handle. */
MTOKEN_API size_t mtoken_testing_store_count(mtoken_store *store, mtoken_testing_calls calls);

/* Bytes that the library made for a test. Free with mtoken_testing_data_free. */
typedef struct mtoken_testing_data {
    const uint8_t *bytes;
    size_t length;
} mtoken_testing_data;

/* What is stored under a name, past all faults. Errors: HANDLE, ARGUMENT, NOT_FOUND, STORAGE. */
MTOKEN_API mtoken_status mtoken_testing_store_read(mtoken_store *store, const char *name, size_t name_length,
                                                   mtoken_testing_data **out_data, mtoken_error **out_error);
MTOKEN_API void mtoken_testing_data_free(mtoken_testing_data *data);

/* Puts bytes under a name, or with NULL removes what is there, past all faults. Errors: HANDLE, ARGUMENT, STORAGE. */
MTOKEN_API mtoken_status mtoken_testing_store_write(mtoken_store *store, const char *name, size_t name_length,
                                                    const uint8_t *bytes, size_t length, mtoken_error **out_error);

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

/* How many handles of a kind the process was given and has not given back. 0 for an unknown kind. */
MTOKEN_API size_t mtoken_testing_live_handles(mtoken_testing_handle_kind kind);

/* ---------------------------------------------------------------------------------------------------------- options */

/* The size in version 1.0 of an option struct of mtoken.h, by its name ("mtoken_auth"); 0 for an unknown name. */
MTOKEN_API size_t mtoken_testing_first_size(const char *name, size_t name_length);

/*
 * Pretends that version 1.0 had ended an option struct after `size` bytes, as if all members behind had come later; 0: the truth
 * again. Not while other threads use the library. Errors: ARGUMENT (unknown name; size below that of struct_size, or above 4096).
 */
MTOKEN_API mtoken_status mtoken_testing_set_first_size(const char *name, size_t name_length, size_t size,
                                                       mtoken_error **out_error);

MTOKEN_END

#endif
