#include <inttypes.h>
#include <mtoken.h>
#include <stdio.h>

/* Logs each request and its response, for a runtime with MTOKEN_EVENT_MASK_TRACE. */
void write_trace(const mtoken_event *taken)
{
    const mtoken_trace *trace = taken->trace;

    if (!trace) return;
    if (trace->stage == MTOKEN_TRACE_REQUEST)
        printf("%" PRId64 " %s\n", trace->request_number, trace->url);
    else
        printf("%" PRId64 " HTTP %d\n", trace->request_number, (int)trace->http_status);
}
