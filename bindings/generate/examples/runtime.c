#include <mtoken.h>
#include <poll.h>
#include <stdio.h>

/* Creates a runtime that reports tasks and logs warnings. */
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

/* Reads events in the host's own loop until none is left. */
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

/* Ends all waits of a runtime, e.g. for Ctrl-C, until the waiting thread has left. */
mtoken_status leave(mtoken_runtime *runtime, volatile int *leaving,
                    const volatile int *left)
{
    mtoken_status status = MTOKEN_OK;

    *leaving = 1; /* the other thread checks it before each wait */
    while (status == MTOKEN_OK && !*left) {
        status = mtoken_runtime_interrupt(runtime, NULL);
        poll(NULL, 0, 10);
    }
    return status;
}

/* For a health check. */
void print_load(const mtoken_runtime *runtime)
{
    mtoken_runtime_info *info = NULL;

    if (mtoken_runtime_get_info(runtime, &info, NULL) == MTOKEN_OK)
        printf("%zu clients, %zu requests, %zu waiting\n", info->clients,
               info->requests_under_way, info->requests_waiting);
    mtoken_runtime_info_free(info);
}
