#include <inttypes.h>
#include <mtoken.h>
#include <stdio.h>

/* Prints an event. */
void handle(mtoken_event *taken)
{
    switch (taken->kind) {
    case MTOKEN_EVENT_TASK:
        printf("task %p of client %p, tag %" PRIu64 "\n", (void *)taken->task,
               (void *)taken->client, taken->tag);
        break;
    case MTOKEN_EVENT_LOG:
        printf("%" PRId64 " [%d] %s\n", taken->time, (int)taken->log_level,
               taken->message);
        break;
    case MTOKEN_EVENT_CHALLENGE: /* not answered now */
        mtoken_challenge_free(mtoken_event_take_challenge(taken));
        break;
    default: /* also kinds of later versions */ break;
    }
    mtoken_event_free(taken);
}
