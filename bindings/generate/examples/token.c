#include <mtoken.h>
#include <stdio.h>

/* Fetches a token header for one request. `refused` is the header that the server
 * answered with 401, or NULL. */
mtoken_status fetch(mtoken_client *client, const mtoken_auth *auth, const char *refused)
{
    mtoken_task *task = NULL;
    mtoken_token_options options = MTOKEN_TOKEN_OPTIONS_INIT;
    mtoken_status status;

    options.name = MTOKEN_TEXT("messages");
    if (refused) options.refused_header = MTOKEN_TEXT(refused);
    status = mtoken_token_fetch_header(client, &options, auth, &task, NULL);
    if (status == MTOKEN_OK &&
        (status = mtoken_task_wait(task, MTOKEN_FOREVER)) == MTOKEN_OK)
        status = mtoken_task_result(task);
    if (status == MTOKEN_OK)
        printf("%s: %s\n", mtoken_task_header(task)->name,
               mtoken_task_header(task)->value);
    mtoken_task_free(task);
    return status;
}

/* In two steps: creates the token once, then computes headers without the network. */
mtoken_status header_now(mtoken_client *client, const mtoken_auth *auth,
                         mtoken_task **task, mtoken_header **header)
{
    if (!mtoken_token_is_stored(client, "messages", MTOKEN_NUL_TERMINATED))
        return mtoken_token_create(client, "messages", MTOKEN_NUL_TERMINATED, auth,
                                   task, NULL);
    return mtoken_token_get_header(client, "messages", MTOKEN_NUL_TERMINATED, header,
                                   NULL);
}

/* Removes the token at the server or, if that is unreachable, on this device only. */
mtoken_status drop(mtoken_client *client, int online, mtoken_task **task)
{
    return online
               ? mtoken_token_remove(client, "messages", MTOKEN_NUL_TERMINATED, task,
                                     NULL)
               : mtoken_token_forget(client, "messages", MTOKEN_NUL_TERMINATED, NULL);
}
