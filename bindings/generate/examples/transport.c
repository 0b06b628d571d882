#include <mtoken.h>
#include <stdio.h>

/* The host's own: sends a request once and reads the whole answer. */
typedef enum { HTTP_DONE, HTTP_NOT_CONNECTED, HTTP_LOST } http_result;
extern http_result http_send(const mtoken_http_request *request, int32_t *status,
                             mtoken_bytes *body);

/* Sends the requests of the runtime's clients, one after the other. */
void send_requests(mtoken_runtime *runtime)
{
    mtoken_event *event;

    while (mtoken_runtime_next_event(runtime, MTOKEN_FOREVER, &event, NULL) ==
           MTOKEN_OK) {
        const mtoken_http_request *request = event->request;

        if (event->kind == MTOKEN_EVENT_REQUEST) {
            mtoken_http_response response = MTOKEN_HTTP_RESPONSE_INIT;
            mtoken_status status;

            switch (http_send(request, &response.status, &response.body)) {
            case HTTP_DONE:
                status = mtoken_request_respond(runtime, request->id, &response, NULL);
                break;
            case HTTP_NOT_CONNECTED: /* a signature is used again */
                status = mtoken_request_fail(
                    runtime, request->id, MTOKEN_OUTCOME_NOT_SENT,
                    MTOKEN_NETWORK_NOT_CONNECTED, MTOKEN_TLS_FAULT_NONE, NULL);
                break;
            default:
                status = mtoken_request_fail(
                    runtime, request->id, MTOKEN_OUTCOME_UNKNOWN,
                    MTOKEN_NETWORK_CONNECTION_LOST, MTOKEN_TLS_FAULT_NONE, NULL);
            }
            if (status == MTOKEN_ERROR_NOT_FOUND) puts("the call has ended meanwhile");
        }
        mtoken_event_free(event);
    }
}
