/* What went wrong, to which thing, and what to do. */
#ifndef MTOKEN_ERROR_H
#define MTOKEN_ERROR_H

#include "base.h"

MTOKEN_BEGIN

/* The closed list of codes. New codes may be added in a later version; treat an unknown one as MTOKEN_ERROR_INTERNAL. */
#define MTOKEN_ERROR_ARGUMENT 1        /* an argument is missing, malformed, too long, or not valid UTF-8 */
#define MTOKEN_ERROR_HANDLE 2          /* NULL, freed or foreign handle */
#define MTOKEN_ERROR_STATE 3           /* the call is not allowed now */
#define MTOKEN_ERROR_NOT_ACTIVATED 4   /* the client has no activation; nothing was sent */
#define MTOKEN_ERROR_PENDING 5         /* an activation is in progress: persist or cancel it first */
#define MTOKEN_ERROR_CANCELLED 6       /* the host cancelled the task, or the client or runtime was freed */
#define MTOKEN_ERROR_TIMEOUT 7         /* the time given has passed */
#define MTOKEN_ERROR_NETWORK 8         /* no connection, connection lost, name not found */
#define MTOKEN_ERROR_TLS 9             /* TLS failed or the certificate is not trusted */
#define MTOKEN_ERROR_PIN_MISMATCH 10   /* the server's public key is none of the pinned ones */
#define MTOKEN_ERROR_HTTP 11           /* an HTTP status other than 200 without a readable error object */
#define MTOKEN_ERROR_SERVER 12         /* the server answered with an error object: see server_code */
#define MTOKEN_ERROR_AUTHENTICATION 13 /* the server refused the PIN, factor, token or activation */
#define MTOKEN_ERROR_PROTOCOL 14       /* the answer breaks the protocol */
#define MTOKEN_ERROR_DECRYPTION 15     /* the answer cannot be decrypted or its authentication code is wrong */
#define MTOKEN_ERROR_SIGNATURE 16      /* a signature of the server is wrong, or a signature could not be computed */
#define MTOKEN_ERROR_STORAGE 17        /* the state could not be loaded, saved or removed */
#define MTOKEN_ERROR_TAMPERED 18       /* the stored state is damaged or was changed by somebody else; it was left as it is */
#define MTOKEN_ERROR_BUSY 19           /* another process or client uses this activation, or the call is running already */
#define MTOKEN_ERROR_PARSE 20          /* a text (activation code, JSON, ...) is malformed: see byte_offset */
#define MTOKEN_ERROR_NOT_FOUND 21      /* the named thing does not exist */
#define MTOKEN_ERROR_FACTOR 22         /* the factor is not set up, or the operation does not allow it; nothing was sent */
#define MTOKEN_ERROR_UNSUPPORTED 23    /* the server or the stored state asks for something this version cannot do */
#define MTOKEN_ERROR_CONFIGURATION 24  /* the client's configuration is invalid */
#define MTOKEN_ERROR_INTERNAL 25       /* a library below failed, e.g. for want of memory */

/* What is known of the request when the call failed. */
#define MTOKEN_OUTCOME_NOT_SENT 0 /* nothing left the device */
#define MTOKEN_OUTCOME_UNKNOWN 1  /* the request was sent, or may have been; whether the server acted is unknown */
#define MTOKEN_OUTCOME_ANSWERED 2 /* the server's answer arrived */

typedef struct mtoken_error {
    int32_t code;    /* MTOKEN_ERROR_... */
    int32_t outcome; /* MTOKEN_OUTCOME_... */
    /* Stable machine-readable reason, e.g. "operations_alreadyFinished", "network_timeOut", "missingActivation". Never NULL. */
    const char *reason;
    /* One sentence in English for developers: what happened, to which thing, what to do. No secrets. Never NULL. */
    const char *message;
    int32_t http_status;        /* 0: no HTTP answer */
    int32_t transport_code;     /* libcurl's CURLcode, 0: none */
    const char *server_code;    /* code of the server's error object, e.g. "POWERAUTH_AUTH_FAIL"; NULL: none */
    const char *server_message; /* its message; NULL: none */
    int32_t remaining_attempts; /* attempts left before the activation is blocked; -1: not known (fetch the status) */
    int32_t retriable;          /* 1: the same call may succeed later and repeating it does no harm */
    int64_t byte_offset;        /* of a parse error, in the text given; -1: none */
    int32_t not_connected;      /* 1: the device has no network connection */
    int32_t not_trusted;        /* 1: the server's certificate is not trusted, expired, of another host, or not pinned */
    const char *server_uri;     /* where more can be read about the error, as the server says; NULL: none */
    int32_t recovery_puk_index; /* after an activation with a wrong PUK: which one of the printed list is due; 0: not told */
    int32_t line;               /* of a parse error in an offline text, from 1; 0: none */
} mtoken_error;

/* Frees an error given out by a failed call. NULL is fine. Errors reached through a task or event are freed with those. */
MTOKEN_API void mtoken_error_free(mtoken_error *error);

/* Name of a code, e.g. "MTOKEN_ERROR_TIMEOUT"; "MTOKEN_OK" for 0; NULL for an unknown code. Static. */
MTOKEN_API const char *mtoken_error_name(int32_t code);

/* One sentence that describes a code; NULL for an unknown code. Static. */
MTOKEN_API const char *mtoken_error_description(int32_t code);

MTOKEN_END

#endif
