#include <inttypes.h>
#include <mtoken.h>
#include <stdio.h>

/* Tells what has happened. */
void handle(mtoken_event *taken)
{
    switch (mtoken_event_get_kind(taken)) {
    case MTOKEN_EVENT_TASK:
        printf("task %p of client %p\n", (void *)mtoken_event_task(taken),
               (void *)mtoken_event_client(taken));
        break;
    case MTOKEN_EVENT_LOG:
        printf("%" PRId64 " [%d] %s\n", mtoken_event_time(taken),
               (int)mtoken_event_log_level(taken), mtoken_event_message(taken));
        break;
    default: /* also kinds of later versions */
        break;
    }
    mtoken_event_free(taken);
}
