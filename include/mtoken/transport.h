/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests that the host sends itself, for clients with MTOKEN_TRANSPORT_HOST: through a company's
 * proxy, a browser's network, or TLS with keys in an HSM.
 *
 *     MTOKEN_EVENT_REQUEST -> the host sends it -> mtoken_request_respond or mtoken_request_fail
 *
 * The library still checks URLs before and responses after, and limits their size and time. The
 * host must verify the server's certificate, send each request at most once, to that URL, with
 * these headers and no cookies, and follow no redirect.
 */
#ifndef MTOKEN_TRANSPORT_H
#define MTOKEN_TRANSPORT_H

#include "base.h"
#include "client.h"
#include "error.h"
#include "event.h"

MTOKEN_BEGIN

/* A response. */
typedef struct mtoken_http_response {
    size_t struct_size;
    int32_t status;   /* 200 to 999; required */
    int32_t reserved; /* 0 */
    const mtoken_header_text *headers; /* at most 200 */
    size_t header_count;
    mtoken_bytes body; /* without content coding */
} mtoken_http_response;

#define MTOKEN_HTTP_RESPONSE_INIT \
    { \
        sizeof(mtoken_http_response), 0, 0, NULL, 0, MTOKEN_BYTES_INIT \
    }

/*
 * Passes the complete response to a request to the library, whatever its status.
 *
 * id           of mtoken_http_request
 * Errors       HANDLE, ARGUMENT (the request still waits), NOT_FOUND (it no longer waits: it was
 *              answered, cancelled with its call or client, or its deadline has passed), STATE
 *              (belongs to a parent process)
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_request_respond(mtoken_runtime *runtime, int64_t id, const mtoken_http_response *response,
                       mtoken_error **out_error);

/*
 * Reports that there is no response to a request, and why: exactly one of the two faults.
 *
 * id             of mtoken_http_request
 * outcome        MTOKEN_OUTCOME_NOT_SENT only if the server cannot have received any part of it:
 *                the library then reuses its signature. Otherwise MTOKEN_OUTCOME_UNKNOWN
 * network_fault  MTOKEN_NETWORK_..., or NONE
 * tls_fault      MTOKEN_TLS_FAULT_..., or NONE
 * Errors         as mtoken_request_respond
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_request_fail(mtoken_runtime *runtime, int64_t id, mtoken_outcome outcome,
                    mtoken_network_fault network_fault, mtoken_tls_fault tls_fault,
                    mtoken_error **out_error);

MTOKEN_END

#endif
