/* SPDX-License-Identifier: Apache-2.0 */
/* Names, types and constants that the whole interface shares. */
#ifndef MTOKEN_BASE_H
#define MTOKEN_BASE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define MTOKEN_BEGIN extern "C" {
#define MTOKEN_END }
#else
#define MTOKEN_BEGIN
#define MTOKEN_END
#endif

#if defined(__GNUC__) || defined(__clang__)
#define MTOKEN_API __attribute__((visibility("default")))
#define MTOKEN_CHECKED __attribute__((warn_unused_result))
#else
#define MTOKEN_API
#define MTOKEN_CHECKED
#endif

/*
 * Constants are enumerations with the underlying type int32_t, where the compiler supports that.
 * Members and parameters that hold a constant have the int32_t typedef that follows the
 * enumeration, so that their size is the same with every compiler.
 *
 * MTOKEN_ENUM         open: later versions may add values, so handle unknown ones
 * MTOKEN_CLOSED_ENUM  closed: no version will add a value
 * MTOKEN_FLAGS        bit flags, combined with |; later versions may add some
 */
#if defined(__cplusplus) || defined(__clang__) || \
    (defined(__STDC_VERSION__) && __STDC_VERSION__ > 202000L && __GNUC__ >= 13)
#define MTOKEN_ENUM(tag) __extension__ enum tag : int32_t
#else
#define MTOKEN_ENUM(tag) enum tag
#endif
#define MTOKEN_CLOSED_ENUM(tag) MTOKEN_ENUM(tag)
#define MTOKEN_FLAGS(tag) MTOKEN_ENUM(tag)

/*
 * Annotations for readers and binding generators; they expand to nothing.
 *
 * MTOKEN_NULLABLE     the pointer may be NULL; the comment says when. Without this mark a pointer
 *                     that the library returns is never NULL, unless it is an array without
 *                     elements.
 * MTOKEN_SECRET       holds a secret: wipe your copies
 * MTOKEN_BLOCKS       may block on the network, the disk or another thread
 */
#define MTOKEN_NULLABLE
#define MTOKEN_SECRET
#define MTOKEN_BLOCKS

MTOKEN_BEGIN

/* The version of this header. */
#define MTOKEN_VERSION_MAJOR 1
#define MTOKEN_VERSION_MINOR 0
#define MTOKEN_VERSION_PATCH 0
#define MTOKEN_VERSION "1.0.0"
/* The version as one number, for comparisons: 10203 is 1.2.3. */
#define MTOKEN_VERSION_NUMBER 10000
/* The version of the binary interface: 1 is that of libmtoken.so.1. */
#define MTOKEN_ABI_VERSION 1

/*
 * The result of a call. All codes other than MTOKEN_OK are error codes (error.h); treat an unknown
 * code as INTERNAL.
 */
MTOKEN_ENUM(mtoken_status_values) {
    MTOKEN_OK = 0,                    /* the call succeeded */
    MTOKEN_ERROR_ARGUMENT = 1, /* an argument is missing, malformed, too long or not valid UTF-8 */
    MTOKEN_ERROR_HANDLE = 2,          /* the handle is NULL, was freed, or is not of this type */
    /* The call is not allowed in the current state or, with reason "forked", in this process */
    MTOKEN_ERROR_STATE = 3,
    MTOKEN_ERROR_NOT_ACTIVATED = 4,   /* the client has no activation; nothing was sent */
    /* This device has an activation in progress: persist or cancel it first */
    MTOKEN_ERROR_PENDING = 5,
    /* The host cancelled the task, freed the client or runtime, or interrupted the wait */
    MTOKEN_ERROR_CANCELLED = 6,
    MTOKEN_ERROR_TIMEOUT = 7,         /* the time limit has expired */
    /* Could not connect, lost the connection, or could not resolve the name */
    MTOKEN_ERROR_NETWORK = 8,
    MTOKEN_ERROR_TLS = 9, /* the TLS handshake failed or the certificate is not trusted */
    MTOKEN_ERROR_PIN_MISMATCH = 10,   /* the server's public key matches no pinned key */
    /* The HTTP status is not 200 and the body holds no valid error object */
    MTOKEN_ERROR_HTTP = 11,
    MTOKEN_ERROR_SERVER = 12, /* the server answered with an error object: see server_code */
    /* The server refused the PIN or biometry key, and counted a failed attempt: see error.h */
    MTOKEN_ERROR_AUTHENTICATION = 13,
    MTOKEN_ERROR_PROTOCOL = 14,       /* the response violates the protocol */
    /* The response cannot be decrypted, or its authentication code is wrong */
    MTOKEN_ERROR_DECRYPTION = 15,
    /* A server signature is invalid, or a signature could not be computed */
    MTOKEN_ERROR_SIGNATURE = 16,
    MTOKEN_ERROR_STORAGE = 17,        /* the state could not be loaded, saved or removed */
    /* The stored state is damaged or was modified by someone else; it was left unchanged */
    MTOKEN_ERROR_TAMPERED = 18,
    /* Another process or client uses this activation, or this call is already running */
    MTOKEN_ERROR_BUSY = 19,
    MTOKEN_ERROR_PARSE = 20, /* a text (activation code, JSON, ...) is malformed: see byte_offset */
    MTOKEN_ERROR_NOT_FOUND = 21,      /* the requested item does not exist */
    /* The factor is not set up, or the operation does not allow it; nothing was sent */
    MTOKEN_ERROR_FACTOR = 22,
    /* The server or the stored state requires something that this version does not support */
    MTOKEN_ERROR_UNSUPPORTED = 23,
    MTOKEN_ERROR_CONFIGURATION = 24,  /* the client's configuration is invalid */
    MTOKEN_ERROR_INTERNAL = 25, /* an underlying library failed, for example for lack of memory */
    /* The bank has not yet confirmed the activation: mtoken_client_wait_active */
    MTOKEN_ERROR_PENDING_COMMIT = 26,
    MTOKEN_ERROR_BLOCKED = 27,        /* the activation is blocked; the bank can unblock it */
    /* The server has removed the activation: remove it locally, then activate again */
    MTOKEN_ERROR_REMOVED = 28,
    /* A sealer could not seal or unseal the device secret; the state is as before: see sealer.h */
    MTOKEN_ERROR_SEALED = 29,
};
typedef int32_t mtoken_status;

/* Yes or no: 1 or 0. In arguments and options any other value is an error. */
typedef int32_t mtoken_bool;

/* Yes or no, where the answer may be missing. */
MTOKEN_CLOSED_ENUM(mtoken_answer_values) {
    MTOKEN_UNSET = -1,
    MTOKEN_NO = 0,
    MTOKEN_YES = 1,
};
typedef int32_t mtoken_answer;

/* Passed as a length: the text ends at its first NUL. */
#if defined(__cplusplus) && !defined(__swift__)
#define MTOKEN_NUL_TERMINATED (static_cast<size_t>(-1))
#else
#define MTOKEN_NUL_TERMINATED ((size_t)-1)
#endif

/* Passed as a timeout: wait without limit. */
#define MTOKEN_FOREVER (-1)

/* One thread that serves network, timers and events of many clients. One per process is enough. */
typedef struct mtoken_runtime mtoken_runtime;
/* One activation, and its services. */
typedef struct mtoken_client mtoken_client;
/* Where clients keep their states. */
typedef struct mtoken_store mtoken_store;
/* Keeps the device secret that states are encrypted under. */
typedef struct mtoken_sealer mtoken_sealer;
/* One call in progress, and its result. */
typedef struct mtoken_task mtoken_task;
/* A question that the user must answer: see mtoken_mobile_auth_handle. */
typedef struct mtoken_challenge mtoken_challenge;

/* Versions of the PowerAuth protocol. */
MTOKEN_ENUM(mtoken_protocol_version_values) {
    MTOKEN_PROTOCOL_3_1 = 31,
    MTOKEN_PROTOCOL_3_2 = 32,
    MTOKEN_PROTOCOL_3_3 = 33,
    MTOKEN_PROTOCOL_4_0 = 40,
};
typedef int32_t mtoken_protocol_version;

/*
 * Suites of protocol 4.0: the algorithms for key agreement and signatures. A hybrid suite combines
 * P-384 with a post-quantum algorithm, and stays secure as long as one of the two is secure. Hybrid
 * suites need OpenSSL 3.5 or later at run time.
 */
MTOKEN_ENUM(mtoken_suite_values) {
    MTOKEN_SUITE_DEFAULT = 0,       /* in options: see mtoken_client_options.suite */
    MTOKEN_SUITE_EC_P384 = 1,       /* P-384 alone */
    MTOKEN_SUITE_EC_P384_ML_L3 = 2, /* P-384 with ML-KEM-768 and ML-DSA-65 */
    MTOKEN_SUITE_EC_P384_ML_L5 = 3, /* P-384 with ML-KEM-1024 and ML-DSA-87 */
    MTOKEN_SUITE_EC_P256 = 4,       /* in least_suite: protocol 3, which has no suites */
};
typedef int32_t mtoken_suite;

/*
 * Text, in options and in results. This struct never grows.
 *
 * In options, NULL (with length 0 or MTOKEN_NUL_TERMINATED) means "not set". In results, data is
 * never NULL, is UTF-8, and is followed by a NUL that length does not count. If a function creates
 * a text for the host, free it with mtoken_text_free.
 */
typedef struct mtoken_text {
    const char *data;
    size_t length;    /* bytes; in options also MTOKEN_NUL_TERMINATED */
} mtoken_text;

/*
 * Bytes, in options and in results. This struct never grows.
 *
 * In options, {NULL, 0} means "not set". In results, data is never NULL and is followed by a NUL
 * that length does not count. Bytes that a function created for the host must be freed with
 * mtoken_bytes_free.
 */
typedef struct mtoken_bytes {
    const uint8_t *data;
    size_t length;
} mtoken_bytes;

#define MTOKEN_TEXT_INIT { NULL, 0 }
#define MTOKEN_BYTES_INIT { NULL, 0 }

/*
 * Values for members of option structs:
 *
 *     options.id = MTOKEN_TEXT("alice");
 *     options.device_secret = MTOKEN_BYTES(secret, sizeof secret);
 *     auth.pin = MTOKEN_BYTES("1234", 4);
 *
 * MTOKEN_BYTES takes a pointer to any data. C does not allow them in the initialiser of a static
 * variable: write { "alice", MTOKEN_NUL_TERMINATED } there.
 */
#ifdef __cplusplus
#define MTOKEN_TEXT(string) mtoken_text{ (string), MTOKEN_NUL_TERMINATED }
#define MTOKEN_BYTES(pointer, count) mtoken_bytes{ static_cast<const uint8_t *>(static_cast<const void *>(pointer)), (count) }
#else
#define MTOKEN_TEXT(string) ((mtoken_text){ (string), MTOKEN_NUL_TERMINATED })
#define MTOKEN_BYTES(pointer, count) ((mtoken_bytes){ (const uint8_t *)(pointer), (count) })
#endif

/* Frees a text that a function created for the host, and wipes its memory. NULL is ignored. */
MTOKEN_API void mtoken_text_free(mtoken_text *text);

/*
 * Frees bytes that a function created for the host, and wipes their memory. NULL is ignored. Do not
 * call it for bytes that belong to a task.
 */
MTOKEN_API void mtoken_bytes_free(mtoken_bytes *bytes);

/* The version of the loaded library, as "MAJOR.MINOR.PATCH". Static. */
MTOKEN_API const char *mtoken_version(void);

/*
 * The versions of the loaded library and of those that it uses, for reports and logs, e.g.
 * "libmtoken/1.0.0 OpenSSL/3.0.15 libcurl/7.88.1 Jansson/2.14". Static. Empty if memory ran out.
 */
MTOKEN_API const char *mtoken_versions(void);

/*
 * The version of the loaded library, in the form of MTOKEN_VERSION_NUMBER. A program works with
 * every library of the same MTOKEN_ABI_VERSION whose number is equal to or greater than that of the
 * header it was built with.
 */
MTOKEN_API uint32_t mtoken_version_number(void);

/*
 * The ABI version of the loaded library. If it differs from MTOKEN_ABI_VERSION, the header belongs
 * to another major version.
 */
MTOKEN_API int32_t mtoken_abi_version(void);

/*
 * Looks up a constant of this interface by its name, e.g. "ERROR_TIMEOUT", for languages that
 * cannot read C headers. The name has no MTOKEN_ prefix. NUL_TERMINATED has the value -1 here.
 *
 * Errors       NOT_FOUND (unknown name), ARGUMENT
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_constant_value(const char *name, size_t name_length, int64_t *out_value);

/*
 * Returns the name (with its MTOKEN_ prefix) of the constant at `index`, counted from 0, and sets
 * *out_value to its value. Returns NULL if the index is past the end. Static.
 */
MTOKEN_API const char
*MTOKEN_NULLABLE mtoken_constant_at(size_t index, int64_t *MTOKEN_NULLABLE out_value);

MTOKEN_END

#endif
