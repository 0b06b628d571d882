#include <mtoken.h>
#include <stdio.h>

/* Waits five seconds for a call, then cancels it. */
mtoken_status finish(mtoken_task *task)
{
    mtoken_status status = mtoken_task_wait(task, 5000);

    if (status == MTOKEN_ERROR_TIMEOUT) {
        status = mtoken_task_cancel(task);
        if (status == MTOKEN_OK) status = mtoken_task_wait(task, MTOKEN_FOREVER);
    }
    if (status == MTOKEN_OK) status = mtoken_task_result(task);
    if (mtoken_task_get_state(task) != MTOKEN_TASK_SUCCEEDED && mtoken_task_error(task))
        fprintf(stderr, "%s\n", mtoken_task_error(task)->message);
    mtoken_task_free(task);
    return status;
}

/* Attaches host data to a task for its completion. */
void remember(mtoken_task *task, char *window)
{
    if (mtoken_task_set_user_data(task, window) == MTOKEN_OK)
        printf("for %s\n", (char *)mtoken_task_user_data(task));
}

/* The same in short: wait, result and error in one call. */
mtoken_status join(mtoken_task *task)
{
    mtoken_error *error = NULL;
    mtoken_status status = mtoken_task_join(task, MTOKEN_FOREVER, &error);

    if (status != MTOKEN_OK) fprintf(stderr, "%s\n", error->message);
    mtoken_error_free(error);
    mtoken_task_free(task);
    return status;
}

/* Requests an event with the host's number. */
mtoken_status tell_later(mtoken_task *task, uint64_t number)
{
    return mtoken_task_notify(task, number, NULL);
}
