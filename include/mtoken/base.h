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
#else
#define MTOKEN_API
#endif

MTOKEN_BEGIN

/* The version that this header belongs to. mtoken_version() tells the version of the loaded library. */
#define MTOKEN_VERSION "1.0.0"
#define MTOKEN_ABI_VERSION 1

/* MTOKEN_OK or one of the MTOKEN_ERROR_ codes of error.h. */
typedef int32_t mtoken_status;
#define MTOKEN_OK 0

/* As a length: the text ends at its first NUL. */
#define MTOKEN_NUL_TERMINATED SIZE_MAX

/* As a time span: wait without limit. */
#define MTOKEN_FOREVER (-1)

/* Opaque handles. */
typedef struct mtoken_runtime mtoken_runtime;
typedef struct mtoken_client mtoken_client;
typedef struct mtoken_store mtoken_store;
typedef struct mtoken_task mtoken_task;
typedef struct mtoken_event mtoken_event;
typedef struct mtoken_challenge mtoken_challenge;

/* Text in an option struct: pointer and length in bytes. NULL (with length 0 or MTOKEN_NUL_TERMINATED) is "not given". */
typedef struct mtoken_text {
    const char *data;
    size_t length; /* bytes, or MTOKEN_NUL_TERMINATED */
} mtoken_text;

#define MTOKEN_TEXT_INIT { NULL, 0 }
/* Initialiser of an mtoken_text from a NUL-terminated string. */
#define MTOKEN_TEXT(string) { (string), MTOKEN_NUL_TERMINATED }

/* Bytes in an option struct. {NULL, 0} is "not given". */
typedef struct mtoken_bytes {
    const uint8_t *data;
    size_t length;
} mtoken_bytes;

#define MTOKEN_BYTES_INIT { NULL, 0 }

/* A text that the library made for the host. Free with mtoken_string_free. */
typedef struct mtoken_string {
    const char *text; /* UTF-8, NUL-terminated, never NULL */
    size_t length;    /* bytes without the final NUL */
} mtoken_string;

/* Frees a text and wipes its memory. NULL is fine. */
MTOKEN_API void mtoken_string_free(mtoken_string *string);

/* Bytes that the library gives out. */
typedef struct mtoken_data {
    const uint8_t *bytes; /* never NULL; a NUL follows them, which is not counted */
    size_t length;
} mtoken_data;

/* Frees bytes that a function made for the host, and wipes their memory. NULL is fine. Not for the data of a task. */
MTOKEN_API void mtoken_data_free(mtoken_data *data);

/*
 * The version of the loaded library, as "MAJOR.MINOR.PATCH". Static; never NULL.
 */
MTOKEN_API const char *mtoken_version(void);

/*
 * The ABI version of the loaded library. It equals MTOKEN_ABI_VERSION unless the header belongs to another major version.
 */
MTOKEN_API int32_t mtoken_abi_version(void);

/*
 * The value of a constant of this interface by its name without a prefix, e.g. "ERROR_TIMEOUT", for languages that cannot
 * read C headers. MTOKEN_NUL_TERMINATED reads as -1.
 * Returns MTOKEN_OK, or MTOKEN_ERROR_NOT_FOUND for an unknown name, or MTOKEN_ERROR_ARGUMENT.
 */
MTOKEN_API mtoken_status mtoken_constant(const char *name, size_t name_length, int64_t *out_value);

/*
 * The name (with its MTOKEN_ prefix) and the value of the constant number `index`, counted from 0.
 * Returns NULL from the first index that does not exist. Static text. out_value may be NULL.
 */
MTOKEN_API const char *mtoken_constant_at(size_t index, int64_t *out_value);

MTOKEN_END

#endif
