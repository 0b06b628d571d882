/* Activation by logging in at an OpenID Connect provider in a browser. */
#ifndef MTOKEN_OIDC_H
#define MTOKEN_OIDC_H

#include "base.h"
#include "error.h"

MTOKEN_BEGIN

/*
 * The way of it: fetch the provider's configuration, prepare a request, open its URL in the
 * system's browser, hand the URL that the provider sent the browser to back to mtoken_oidc_process,
 * and activate with what it gives. The bank's server redeems the code; tokens of the provider never
 * reach the device.
 *
 * The functions here that take no client and no runtime are pure: no network, any thread.
 */

/* How to log in at a provider. Lives as long as the task that gave it. */
typedef struct mtoken_oidc_config {
    const char *provider_id;            /* key of the provider at the bank's server */
    const char *client_id;              /* the OAuth client */
    const char *scopes;                 /* separated by spaces */
    const char *authorize_uri;          /* the provider's authorization endpoint */
    const char *redirect_uri;           /* where the provider sends its answer */
    mtoken_bool requires_pkce;          /* 1: the server demands PKCE */
    mtoken_bool requires_issuer;        /* 1: an answer must name its issuer (RFC 9207) */
    const char *MTOKEN_NULLABLE issuer; /* the provider's issuer; NULL: not known */
} mtoken_oidc_config;

/*
 * Fetches how to log in at a provider of the bank. Works without an activation; encrypted end to
 * end.
 *
 * provider_id  key of the provider at the bank's server
 * Calls        POST /pa/v3/keystore/create (protocol 3.3), POST /api/config/oidc (encrypted in
 *              application scope)
 * Task result  mtoken_task_oidc_config
 * Errors       at once: HANDLE, ARGUMENT (also for an empty id), STATE; of the task: SERVER with
 *              server_code "APPLICATION_CONFIGURATION_ERROR" (unknown provider), PROTOCOL,
 *              DECRYPTION, network errors
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_oidc_fetch_config(mtoken_client *client, const char *provider_id, size_t provider_id_length,
                         mtoken_task **out_task, mtoken_error **out_error);

/*
 * The result of mtoken_oidc_fetch_config and mtoken_oidc_discover; NULL for other or unfinished
 * tasks. Lives as long as the task.
 */
MTOKEN_API const mtoken_oidc_config
*MTOKEN_NULLABLE mtoken_task_oidc_config(const mtoken_task *task);

/* A parameter for the provider. This struct never grows. */
typedef struct mtoken_oidc_parameter {
    mtoken_text name;
    mtoken_text value;
} mtoken_oidc_parameter;

/* What a login at an OpenID Connect provider needs to know. */
typedef struct mtoken_oidc_options {
    size_t struct_size;
    /*
     * A configuration that this library gave; NULL: made by hand. A text given below takes the
     * place of that in `config`.
     */
    const mtoken_oidc_config *config;
    mtoken_text provider_id;
    mtoken_text client_id;
    mtoken_text scopes;                      /* "openid" should be among them */
    mtoken_text authorize_uri;               /* https, without fragment; a query stays */
    /* https, a scheme of the program's own, or http on a loopback address; no fragment */
    mtoken_text redirect_uri;
    mtoken_text issuer; /* an answer that names another issuer is refused; default: not checked */
    mtoken_bool requires_issuer;             /* 1: an answer without issuer is refused too */
    /* 1: without PKCE. Only for a configuration by hand; that of `config` decides otherwise. */
    mtoken_bool omits_pkce;
    int32_t pkce_bytes;                      /* random bytes of the verifier, 32 to 96; 0: 32 */
    mtoken_bool allow_http; /* 1: authorize_uri may be http on a loopback address: tests only */
    /* Added to the URL, e.g. "prompt", "login_hint", "ui_locales", "acr_values" */
    const mtoken_oidc_parameter *parameters;
    size_t parameter_count;
    int64_t lifetime_ms; /* how long the answer is waited for, up to 24 hours; 0: 10 minutes */
} mtoken_oidc_options;

#define MTOKEN_OIDC_OPTIONS_INIT \
    { \
        sizeof(mtoken_oidc_options), NULL, MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT, \
        MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT, 0, 0, 0, \
        0, NULL, 0, 0 \
    }

/*
 * Makes a configuration by hand out of what a provider publishes of itself (OpenID Connect
 * Discovery): its authorization endpoint, whether it names itself in answers. The rest is taken
 * from the options. PKCE is never given up silently: a provider that names its methods, but not
 * S256, is refused unless omits_pkce is set; one that names none is asked with PKCE.
 *
 * options      issuer is required: https, without query and fragment (http on a loopback address
 *              with allow_http)
 * Calls        GET {issuer}/.well-known/openid-configuration, with the client's trust and proxy but
 *              without its pins and without the headers that the host added (those of the client
 *              and of its calls)
 * Task result  mtoken_task_oidc_config
 * Errors       at once: HANDLE, ARGUMENT, STATE; of the task: PROTOCOL ("issuerMismatch": the
 *              document names another issuer; or it lacks something), UNSUPPORTED
 *              ("unsupportedProvider": no authorization code flow, or no PKCE), HTTP, network
 *              errors
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_oidc_discover(mtoken_client *client, const mtoken_oidc_options *options,
                     mtoken_task **out_task, mtoken_error **out_error);

/* A login under way. It holds secrets, which are wiped with it. */
typedef struct mtoken_oidc_request mtoken_oidc_request;

/*
 * Makes nonce and state (32 random bytes each), with PKCE a verifier, and the URL to open.
 *
 * out_request  free with mtoken_oidc_request_free
 * Errors       ARGUMENT (a text is missing, the redirect URI is unusable, an added parameter has a
 *              reserved or repeated name), CONFIGURATION with reason "insecureAuthorizeUri" (http)
 *              or "invalidAuthorizeUri" (no URL, a fragment, or a query that sets a parameter which
 *              is set here)
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_oidc_prepare(const mtoken_oidc_options *options, mtoken_oidc_request **out_request,
                    mtoken_error **out_error);

/*
 * What a request consists of. All but the provider's id, the redirect URI and the flag is secret.
 */
typedef struct mtoken_oidc_authorization {
    const char *MTOKEN_SECRET authorize_url; /* open this in the system's browser */
    const char *provider_id;
    const char *redirect_uri;
    const char *MTOKEN_SECRET nonce;         /* 43 characters of base64url */
    const char *MTOKEN_SECRET state;         /* 43 characters of base64url */
    const char *MTOKEN_NULLABLE MTOKEN_SECRET code_verifier; /* NULL: without PKCE */
    /* 1: warning: the scopes lack "openid", so the provider may give no ID token */
    mtoken_bool lacks_openid;
} mtoken_oidc_authorization;

/* What a request consists of. Lives as long as the request. NULL for an invalid handle. */
MTOKEN_API const mtoken_oidc_authorization
*MTOKEN_NULLABLE mtoken_oidc_request_get_authorization(const mtoken_oidc_request *request);

/*
 * What the provider's answer gives for the activation: put the texts into the oidc_ members of
 * mtoken_activation_options and call mtoken_client_activate (activation.h).
 */
typedef struct mtoken_oidc_attributes {
    const char *provider_id;
    const char *MTOKEN_SECRET code;  /* the authorization code, good for one activation */
    const char *MTOKEN_SECRET nonce;
    const char *MTOKEN_NULLABLE MTOKEN_SECRET code_verifier; /* NULL: without PKCE */
} mtoken_oidc_attributes;

/*
 * Checks the URL that the provider sent the browser to and takes the authorization code out of it.
 * An answer with the right state and issuer ends the request, whatever it says; any other leaves
 * the request as it was, so that a forged one cannot end it. Checked in this order:
 *
 *   1. the URL is one (PARSE, "invalidCallback") and leads to the redirect URI (PROTOCOL,
 *   "redirectMismatch")
 *   2. the answer is in the query: properly encoded, no fragment, no control characters (PARSE,
 *   "invalidCallback"), nothing
 *      twice (PROTOCOL, "duplicateParameter")
 *   3. the state is that of the request (PROTOCOL, "stateMismatch"), compared in constant time
 *   4. the issuer is the expected one (PROTOCOL, "issuerMismatch")
 *   5. it is no error (SERVER, "authorizationError"): server_code is the provider's code, e.g.
 *   "access_denied" when the user
 *      said no, server_message its description, server_uri its page about it
 *   6. there is a code (PROTOCOL, "missingCode"; also, whatever its state, for an answer that came
 *   in the fragment)
 *   7. it is the first answer (STATE, "alreadyProcessed"), and in time (TIMEOUT, "requestExpired")
 *
 * Parse errors tell where (byte_offset).
 *
 * out_attributes  lives as long as the request
 * Errors          also HANDLE, ARGUMENT
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_oidc_process(mtoken_oidc_request *request, const char *MTOKEN_SECRET callback,
                    size_t callback_length, const mtoken_oidc_attributes **out_attributes,
                    mtoken_error **out_error);

/*
 * Prepares a request and waits itself for the answer, on the loopback interface (RFC 8252, 7.3):
 * for programs on desktops, to which no other URL leads. Listens on the address of the redirect URI
 * only, which must be http://127.0.0.1[:port]/path or http://[::1][:port]/path; without a port on
 * any that is free, which is put into the redirect URI of the request. Note that the bank's server
 * sends the redirect URI of its own configuration to the provider when it redeems the code: unless
 * the provider overlooks the port there, configure one.
 *
 * Exactly one answer is taken: the first that passes steps 1 to 4 of mtoken_oidc_process; the
 * browser shows a short page, the port is closed and the task completes. What else comes (other
 * paths, forged answers, fragments, other hosts) is refused, and the wait goes on until the
 * lifetime is over. Of more than 16 connections at once the oldest that says nothing makes room.
 * Cancel the task to end it early; the request may be freed before.
 *
 * out_request  free with mtoken_oidc_request_free; open its URL in the browser
 * Task result  mtoken_task_oidc_attributes. The event of the task has no client.
 * Errors       at once: as mtoken_oidc_prepare, HANDLE, STATE (the runtime was freed), BUSY (the
 *              port cannot be had, reason "portUnavailable"); of the task: SERVER
 *              ("authorizationError"), PROTOCOL ("missingCode"), TIMEOUT ("requestExpired"),
 *              CANCELLED
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_oidc_listen(mtoken_runtime *runtime, const mtoken_oidc_options *options,
                   mtoken_oidc_request **out_request, mtoken_task **out_task,
                   mtoken_error **out_error);

/*
 * The result of mtoken_oidc_listen; NULL for other or unfinished tasks. Lives as long as the task.
 */
MTOKEN_API const mtoken_oidc_attributes
*MTOKEN_NULLABLE mtoken_task_oidc_attributes(const mtoken_task *task);

/* Gives a request back and wipes all that was reached through it. NULL is fine. */
MTOKEN_API void mtoken_oidc_request_free(mtoken_oidc_request *request);

MTOKEN_END

#endif
