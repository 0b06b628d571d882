/* SPDX-License-Identifier: Apache-2.0 */
/* Activation by login with an OpenID Connect provider in a browser. */
#ifndef MTOKEN_OIDC_H
#define MTOKEN_OIDC_H

#include "base.h"
#include "error.h"

MTOKEN_BEGIN

/*
 * The steps: fetch the provider's configuration, prepare a request, open its URL in the system's
 * browser, pass the URL to which the provider redirects the browser to mtoken_oidc_process, and
 * activate with the result. The bank's server redeems the authorization code; tokens of the
 * provider never reach the device.
 *
 * The functions of this header that take neither a client nor a runtime are pure: they need no
 * network and are safe to call from any thread. PKCE and the URL for a request that the host makes
 * by itself are in extra.h.
 */

/* How to log in with a provider. Lives as long as its task. */
typedef struct mtoken_oidc_config {
    const char *provider_id;            /* id of the provider at the bank's server */
    const char *client_id;              /* the OAuth client id */
    const char *scopes;                 /* separated by spaces */
    const char *authorize_uri;          /* the provider's authorization endpoint */
    const char *redirect_uri;           /* where the provider sends its response */
    mtoken_bool requires_pkce;          /* 1: the server requires PKCE */
    mtoken_bool requires_issuer;        /* 1: the response must name its issuer (RFC 9207) */
    const char *MTOKEN_NULLABLE issuer; /* the provider's issuer; NULL if unknown */
} mtoken_oidc_config;

/*
 * Fetches the login configuration of a provider of the bank. Works without an activation; encrypted
 * end to end.
 *
 * provider_id  id of the provider at the bank's server
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
 * Returns the result of mtoken_oidc_fetch_config or mtoken_oidc_discover, or NULL for other or
 * unfinished tasks. Lives as long as the task.
 */
MTOKEN_API const mtoken_oidc_config
*MTOKEN_NULLABLE mtoken_task_oidc_config(const mtoken_task *task);

/* A parameter for the provider. This struct never grows. */
typedef struct mtoken_oidc_parameter {
    mtoken_text name;
    mtoken_text value;
} mtoken_oidc_parameter;

/* Options of a login with an OpenID Connect provider. */
typedef struct mtoken_oidc_options {
    size_t struct_size;
    /*
     * A configuration from this library; NULL: set the members below yourself. A text that is set
     * below overrides that of `config`.
     */
    const mtoken_oidc_config *config;
    mtoken_text provider_id;
    mtoken_text client_id;
    mtoken_text scopes;                      /* should include "openid" */
    mtoken_text authorize_uri;               /* https, without fragment; a query is kept */
    /* https, the program's own scheme, or http on a loopback address; no fragment */
    mtoken_text redirect_uri;
    /* A response that names another issuer is refused; default: not checked */
    mtoken_text issuer;
    mtoken_bool requires_issuer; /* 1: a response that names no issuer is refused too */
    /* 1: omit PKCE. Only without `config`, whose requires_pkce decides otherwise. */
    mtoken_bool omits_pkce;
    int32_t pkce_bytes; /* random bytes of the code verifier, 32 to 96; 0: 32 */
    /* 1: allow http for authorize_uri on a loopback address, for tests only */
    mtoken_bool allow_http;
    /* Added to the URL, e.g. "prompt", "login_hint", "ui_locales", "acr_values" */
    const mtoken_oidc_parameter *parameters;
    size_t parameter_count; /* at most 64 */
    int64_t lifetime_ms; /* how long to wait for the response, at most 24 hours; 0: 10 minutes */
    /*
     * Where the response reaches the program if the page at redirect_uri hands it on, e.g. the
     * program's own scheme; of the same forms; default: redirect_uri. Not for mtoken_oidc_listen
     */
    mtoken_text callback_uri;
} mtoken_oidc_options;

#define MTOKEN_OIDC_OPTIONS_INIT \
    { \
        sizeof(mtoken_oidc_options), NULL, MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT, \
        MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT, 0, 0, 0, \
        0, NULL, 0, 0, MTOKEN_TEXT_INIT \
    }

/*
 * Creates a configuration from the provider's published document (OpenID Connect Discovery), which
 * supplies the authorization endpoint and says whether responses name the issuer. Everything else
 * comes from the options. PKCE is never dropped silently: a provider whose document lists PKCE
 * methods without S256 is refused unless omits_pkce is set. If the document lists none, PKCE is
 * used.
 *
 * options      issuer is required: https, without query and fragment (http on a loopback address
 *              with allow_http)
 * Calls        GET {issuer}/.well-known/openid-configuration, with the client's trust settings and
 *              proxy, but without its pins and without the headers that the host added to the
 *              client or the call
 * Task result  mtoken_task_oidc_config
 * Errors       at once: HANDLE, ARGUMENT, STATE; of the task: PROTOCOL ("issuerMismatch": the
 *              document names another issuer; or the document is incomplete), UNSUPPORTED
 *              ("unsupportedProvider": no authorization code flow, or no PKCE), HTTP, network
 *              errors
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_oidc_discover(mtoken_client *client, const mtoken_oidc_options *options,
                     mtoken_task **out_task, mtoken_error **out_error);

/* A login in progress. Freeing it wipes the secrets it holds. */
typedef struct mtoken_oidc_request mtoken_oidc_request;

/*
 * Creates a login request: nonce and state (32 random bytes each), a PKCE code verifier unless PKCE
 * is omitted, and the URL to open.
 *
 * out_request  must be freed with mtoken_oidc_request_free
 * Errors       ARGUMENT (a text is missing, the redirect URI is unusable, or an added parameter has
 *              an empty, reserved or repeated name), CONFIGURATION with reason
 *              "insecureAuthorizeUri" (http) or "invalidAuthorizeUri" (not a URL, a fragment, or a
 *              query with a parameter that this function sets)
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_oidc_prepare(const mtoken_oidc_options *options, mtoken_oidc_request **out_request,
                    mtoken_error **out_error);

/*
 * The content of a login request. All members except provider_id, redirect_uri and lacks_openid are
 * secret.
 */
typedef struct mtoken_oidc_authorization {
    const char *MTOKEN_SECRET authorize_url; /* open this in the system's browser */
    const char *provider_id;
    const char *redirect_uri;
    const char *MTOKEN_SECRET nonce;         /* 43 characters of base64url */
    const char *MTOKEN_SECRET state;         /* 43 characters of base64url */
    const char *MTOKEN_NULLABLE MTOKEN_SECRET code_verifier; /* NULL without PKCE */
    /* 1: the scopes lack "openid", so the provider may not issue an ID token: warn the developer */
    mtoken_bool lacks_openid;
} mtoken_oidc_authorization;

/* Returns the content of a request, or NULL for an invalid handle. Lives as long as the request. */
MTOKEN_API const mtoken_oidc_authorization
*MTOKEN_NULLABLE mtoken_oidc_request_get_authorization(const mtoken_oidc_request *request);

/*
 * The part of the provider's response that the activation needs: copy the texts to the oidc_
 * members of mtoken_activation_options and call mtoken_client_activate (activation.h).
 */
typedef struct mtoken_oidc_attributes {
    const char *provider_id;
    const char *MTOKEN_SECRET code;  /* the authorization code, valid for one activation */
    const char *MTOKEN_SECRET nonce;
    const char *MTOKEN_NULLABLE MTOKEN_SECRET code_verifier; /* NULL without PKCE */
} mtoken_oidc_attributes;

/*
 * Checks the URL to which the provider redirected the browser and extracts the authorization code.
 * A response with the right state and issuer ends the request, whether it reports success or an
 * error. Any other response leaves the request unchanged, so that a forged one cannot end it. The
 * checks, in this order:
 *
 * 1.  the URL is valid (PARSE, "invalidCallback") and leads to the redirect URI or, if there is
 *     one, the callback URI (PROTOCOL, "redirectMismatch")
 * 2.  the response is in the query: correctly encoded, no fragment but an empty one or "#_=_", no
 *     control characters (PARSE, "invalidCallback"); code, state, error and iss occur once at most
 *     (PROTOCOL, "duplicateParameter")
 * 3.  the state is that of the request (PROTOCOL, "stateMismatch"), compared in constant time
 * 4.  the issuer is the expected one (PROTOCOL, "issuerMismatch")
 * 5.  the response is not an error (SERVER, "authorizationError"): server_code is the provider's
 *     code, e.g. "access_denied" if the user declined, server_message its description, server_uri
 *     its page with more information
 * 6.  there is a code (PROTOCOL, "missingCode"; also, regardless of state, for a response in the
 *     fragment)
 * 7.  it is the first response (STATE, "alreadyProcessed") and arrives in time (TIMEOUT,
 *     "requestExpired")
 *
 * byte_offset of a parse error gives the position.
 *
 * out_attributes  lives as long as the request
 * Errors          also HANDLE, ARGUMENT
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_oidc_process(mtoken_oidc_request *request, const char *MTOKEN_SECRET callback,
                    size_t callback_length, const mtoken_oidc_attributes **out_attributes,
                    mtoken_error **out_error);

/*
 * Stores a login request as one opaque text, so that another process can finish the login: the
 * program that the browser starts for the scheme of the redirect or callback URI. The text is
 * encrypted and authenticated with the client's device secret, which this call saves to the
 * client's store if it is not there yet. The store records which login is pending: storing another
 * one ends it. The request itself remains usable.
 *
 * out_text     base64url; must be freed with mtoken_text_free
 * Errors       HANDLE, ARGUMENT, STORAGE, STATE (the client was freed), INTERNAL
 */
MTOKEN_API MTOKEN_BLOCKS MTOKEN_CHECKED mtoken_status
mtoken_oidc_request_store(mtoken_client *client, mtoken_oidc_request *request,
                          mtoken_text **MTOKEN_SECRET out_text, mtoken_error **out_error);

/*
 * Restores a stored login request, in a process that has opened the same client.
 * mtoken_oidc_process makes all its checks; the lifetime continues, by the wall clock. Only one
 * process can get the response: the others fail with "alreadyProcessed".
 *
 * out_request  must be freed with mtoken_oidc_request_free
 * Errors       HANDLE, ARGUMENT, TAMPERED (the text is damaged, was changed, or belongs to another
 *              client or device secret), STATE (the client was freed), UNSUPPORTED (of a later
 *              version), INTERNAL
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_oidc_request_restore(mtoken_client *client, const char *MTOKEN_SECRET text,
                            size_t text_length, mtoken_oidc_request **out_request,
                            mtoken_error **out_error);

/*
 * Prepares a request and waits for the response on the loopback interface (RFC 8252, 7.3), for
 * desktop programs that no other URL can reach. Listens only on the address of the redirect URI,
 * which must be http://127.0.0.1[:port]/path or http://[::1][:port]/path. Without a port it listens
 * on any free one and sets it in the redirect URI of the request. When the bank's server redeems
 * the code, it sends the provider the redirect URI of its own configuration. Unless the provider
 * ignores the port, use the one in that configuration.
 *
 * Exactly one response is accepted: the first that passes steps 1 to 4 of mtoken_oidc_process. The
 * browser shows a short page, the port is closed and the task completes. Everything else (other
 * paths, forged responses, fragments, other hosts) is refused, and the wait continues until the
 * lifetime is over. At most 16 connections are open at once; a new one replaces the oldest idle
 * one, or else the oldest whose request is incomplete. Cancel the task to stop waiting early. The
 * request may be freed while the task runs.
 *
 * out_request  must be freed with mtoken_oidc_request_free; open its URL in the browser
 * Task result  mtoken_task_oidc_attributes. The event of the task has no client.
 * Errors       at once: as mtoken_oidc_prepare, HANDLE, STATE (the runtime was freed), BUSY (the
 *              port is in use or not available, reason "portUnavailable"); of the task: SERVER
 *              ("authorizationError"), PROTOCOL ("missingCode"), TIMEOUT ("requestExpired"),
 *              CANCELLED
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_oidc_listen(mtoken_runtime *runtime, const mtoken_oidc_options *options,
                   mtoken_oidc_request **out_request, mtoken_task **out_task,
                   mtoken_error **out_error);

/*
 * Returns the result of mtoken_oidc_listen, or NULL for other or unfinished tasks. Lives as long as
 * the task.
 */
MTOKEN_API const mtoken_oidc_attributes
*MTOKEN_NULLABLE mtoken_task_oidc_attributes(const mtoken_task *task);

/* Frees a request and wipes everything reached through it. NULL is ignored. */
MTOKEN_API void mtoken_oidc_request_free(mtoken_oidc_request *request);

MTOKEN_END

#endif
