#include <mtoken.h>
#include <poll.h>
#include <stdio.h>

/* A runtime that tells of tasks and warns in a log. */
mtoken_runtime *start(void)
{
    mtoken_runtime *runtime = NULL;
    mtoken_error *error = NULL;
    mtoken_runtime_options options = MTOKEN_RUNTIME_OPTIONS_INIT;

    options.events = MTOKEN_EVENT_MASK_TASKS | MTOKEN_EVENT_MASK_LOG;
    options.log_level = MTOKEN_LOG_WARNING;
    if (mtoken_runtime_new(&options, &runtime, &error) != MTOKEN_OK)
        fprintf(stderr, "%s\n", error->message);
    mtoken_error_free(error);
    return runtime;
}

/* Reads events in a loop of the host's own, until the descriptor of the runtime says no
 * more. */
void run(mtoken_runtime *runtime)
{
    struct pollfd watched = {mtoken_runtime_fd(runtime), POLLIN, 0};

    while (poll(&watched, 1, -1) > 0) {
        mtoken_event *taken = NULL;
        while (mtoken_runtime_next_event(runtime, 0, &taken, NULL) == MTOKEN_OK)
            mtoken_event_free(taken);
    }
    mtoken_runtime_free(runtime);
}
