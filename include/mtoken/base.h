/* Names, sizes and constants that every part of the interface uses. */
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
 * Constants are enumerations of int32_t, where the compiler can say so; members and parameters that
 * hold one have the int32_t typedef beside it, so that their size is the same for every compiler.
 *
 * MTOKEN_ENUM         later versions may add values: have a default for those that you do not know
 * MTOKEN_CLOSED_ENUM  never gets another value
 * MTOKEN_FLAGS        values are added up; later versions may add some
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
 * Marks for readers and generators of bindings; they expand to nothing.
 *
 * MTOKEN_NULLABLE     the pointer may be NULL: the text says when. Pointers that the library gives
 *                     out and that are not marked never are, but for arrays of no elements.
 * MTOKEN_SECRET       holds a secret: wipe copies
 * MTOKEN_BLOCKS       may wait for the network, the disk or another thread
 */
#define MTOKEN_NULLABLE
#define MTOKEN_SECRET
#define MTOKEN_BLOCKS

MTOKEN_BEGIN

/* The version that this header belongs to. */
#define MTOKEN_VERSION_MAJOR 1
#define MTOKEN_VERSION_MINOR 0
#define MTOKEN_VERSION_PATCH 0
#define MTOKEN_VERSION "1.0.0"
/* As one number, to compare: 10203 is 1.2.3. */
#define MTOKEN_VERSION_NUMBER 10000
/* Of the binary interface: that of libmtoken.so.1. */
#define MTOKEN_ABI_VERSION 1

/*
 * What a call came to. Codes other than MTOKEN_OK are those of errors (error.h); treat an unknown
 * one as INTERNAL.
 */
MTOKEN_ENUM(mtoken_status_values) {
    MTOKEN_OK = 0,                    /* the call succeeded */
    MTOKEN_ERROR_ARGUMENT = 1, /* an argument is missing, malformed, too long, or not valid UTF-8 */
    MTOKEN_ERROR_HANDLE = 2,          /* NULL, freed or foreign handle */
    /* The call is not allowed now; reason "forked": never in this process */
    MTOKEN_ERROR_STATE = 3,
    MTOKEN_ERROR_NOT_ACTIVATED = 4,   /* the client has no activation; nothing was sent */
    /* An activation is in progress on this device: persist or cancel it first */
    MTOKEN_ERROR_PENDING = 5,
    /* The host cancelled the task, or the client or runtime was freed */
    MTOKEN_ERROR_CANCELLED = 6,
    MTOKEN_ERROR_TIMEOUT = 7,         /* the time given has passed */
    MTOKEN_ERROR_NETWORK = 8,         /* no connection, connection lost, name not found */
    MTOKEN_ERROR_TLS = 9,             /* TLS failed or the certificate is not trusted */
    MTOKEN_ERROR_PIN_MISMATCH = 10,   /* the server's public key is none of the pinned ones */
    MTOKEN_ERROR_HTTP = 11, /* an HTTP status other than 200 without a readable error object */
    MTOKEN_ERROR_SERVER = 12, /* the server answered with an error object: see server_code */
    /* The server refused the request although the activation is active: see below */
    MTOKEN_ERROR_AUTHENTICATION = 13,
    MTOKEN_ERROR_PROTOCOL = 14,       /* the answer breaks the protocol */
    /* The answer cannot be decrypted or its authentication code is wrong */
    MTOKEN_ERROR_DECRYPTION = 15,
    /* A signature of the server is wrong, or a signature could not be computed */
    MTOKEN_ERROR_SIGNATURE = 16,
    MTOKEN_ERROR_STORAGE = 17,        /* the state could not be loaded, saved or removed */
    /* The stored state is damaged or was changed by somebody else; it was left as it is */
    MTOKEN_ERROR_TAMPERED = 18,
    /* Another process or client uses this activation, or the call is running already */
    MTOKEN_ERROR_BUSY = 19,
    MTOKEN_ERROR_PARSE = 20, /* a text (activation code, JSON, ...) is malformed: see byte_offset */
    MTOKEN_ERROR_NOT_FOUND = 21,      /* the named thing does not exist */
    /* The factor is not set up, or the operation does not allow it; nothing was sent */
    MTOKEN_ERROR_FACTOR = 22,
    /* The server or the stored state asks for something this version cannot do */
    MTOKEN_ERROR_UNSUPPORTED = 23,
    MTOKEN_ERROR_CONFIGURATION = 24,  /* the client's configuration is invalid */
    MTOKEN_ERROR_INTERNAL = 25,       /* a library below failed, e.g. for want of memory */
    /* The bank has yet to confirm the activation: mtoken_client_wait_active */
    MTOKEN_ERROR_PENDING_COMMIT = 26,
    MTOKEN_ERROR_BLOCKED = 27,        /* the activation is blocked; the bank can unblock it */
    /* The server has removed the activation: remove it here too, then activate anew */
    MTOKEN_ERROR_REMOVED = 28,
};
typedef int32_t mtoken_status;

/* Yes or no: 1 or 0. As an argument or option anything else is an error. */
typedef int32_t mtoken_bool;

/* Yes or no, where the answer may be missing. */
MTOKEN_CLOSED_ENUM(mtoken_answer_values) {
    MTOKEN_UNSET = -1,
    MTOKEN_NO = 0,
    MTOKEN_YES = 1,
};
typedef int32_t mtoken_answer;

/* As a length: the text ends at its first NUL. */
#if defined(__cplusplus) && !defined(__swift__)
#define MTOKEN_NUL_TERMINATED (static_cast<size_t>(-1))
#else
#define MTOKEN_NUL_TERMINATED ((size_t)-1)
#endif

/* As a time span: wait without limit. */
#define MTOKEN_FOREVER (-1)

/* Opaque handles. */
typedef struct mtoken_runtime mtoken_runtime;
typedef struct mtoken_client mtoken_client;
typedef struct mtoken_store mtoken_store;
typedef struct mtoken_task mtoken_task;
typedef struct mtoken_challenge mtoken_challenge;

/*
 * Text, in options and in what the library gives out. This struct never grows.
 *
 * In options NULL (with length 0 or MTOKEN_NUL_TERMINATED) is "not given". What the library gives
 * out is never NULL, UTF-8, and followed by a NUL, which is not counted; a text that a function
 * made for the host is freed with mtoken_text_free.
 */
typedef struct mtoken_text {
    const char *data;
    size_t length;    /* bytes; in options also MTOKEN_NUL_TERMINATED */
} mtoken_text;

/*
 * Bytes, in options and in what the library gives out. This struct never grows.
 *
 * In options {NULL, 0} is "not given". What the library gives out is never NULL and followed by a
 * NUL, which is not counted; bytes that a function made for the host are freed with
 * mtoken_bytes_free.
 */
typedef struct mtoken_bytes {
    const uint8_t *data;
    size_t length;
} mtoken_bytes;

#define MTOKEN_TEXT_INIT { NULL, 0 }
#define MTOKEN_BYTES_INIT { NULL, 0 }

/*
 * Values of options: options.id = MTOKEN_TEXT("alice"); options.device_secret =
 * MTOKEN_BYTES(secret, sizeof secret); In C not for the initialiser of a static variable: write {
 * "alice", MTOKEN_NUL_TERMINATED } there.
 */
#ifdef __cplusplus
#define MTOKEN_TEXT(string) mtoken_text{ (string), MTOKEN_NUL_TERMINATED }
#define MTOKEN_BYTES(pointer, count) mtoken_bytes{ (pointer), (count) }
#else
#define MTOKEN_TEXT(string) ((mtoken_text){ (string), MTOKEN_NUL_TERMINATED })
#define MTOKEN_BYTES(pointer, count) ((mtoken_bytes){ (pointer), (count) })
#endif

/* Frees a text that a function made for the host, and wipes its memory. NULL is fine. */
MTOKEN_API void mtoken_text_free(mtoken_text *text);

/*
 * Frees bytes that a function made for the host, and wipes their memory. NULL is fine. Not for the
 * bytes of a task.
 */
MTOKEN_API void mtoken_bytes_free(mtoken_bytes *bytes);

/* The version of the loaded library, as "MAJOR.MINOR.PATCH". Static. */
MTOKEN_API const char *mtoken_version(void);

/*
 * The version of the loaded library as MTOKEN_VERSION_NUMBER. A program that was built with a
 * header of the same MTOKEN_ABI_VERSION works with every library whose number is the same or
 * greater.
 */
MTOKEN_API uint32_t mtoken_version_number(void);

/*
 * The ABI version of the loaded library. It equals MTOKEN_ABI_VERSION unless the header belongs to
 * another major version.
 */
MTOKEN_API int32_t mtoken_abi_version(void);

/*
 * The value of a constant of this interface by its name without a prefix, e.g. "ERROR_TIMEOUT", for
 * languages that cannot read C headers. MTOKEN_NUL_TERMINATED reads as -1.
 *
 * Errors       NOT_FOUND (an unknown name), ARGUMENT
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_constant_value(const char *name, size_t name_length, int64_t *out_value);

/*
 * The name (with its MTOKEN_ prefix) and the value of the constant number `index`, counted from 0;
 * NULL from the first index that does not exist. Static.
 */
MTOKEN_API const char
*MTOKEN_NULLABLE mtoken_constant_at(size_t index, int64_t *MTOKEN_NULLABLE out_value);

MTOKEN_END

#endif
