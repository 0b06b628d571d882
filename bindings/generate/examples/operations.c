#include <mtoken.h>
#include <stdio.h>

/* Lists the operations that wait for the user or, with a PIN, past ones. */
void print_list(mtoken_client *client, const mtoken_auth *auth)
{
    mtoken_task *task = NULL;
    mtoken_status status = auth ? mtoken_operations_history(client, auth, &task, NULL)
                                : mtoken_operations_list(client, &task, NULL);

    if (status == MTOKEN_OK && mtoken_task_wait(task, MTOKEN_FOREVER) == MTOKEN_OK &&
        mtoken_task_result(task) == MTOKEN_OK) {
        const mtoken_operation_list *list = mtoken_task_operations(task);
        for (size_t i = 0; i < list->count; i++)
            printf("%s %s\n", list->operations[i]->id, list->operations[i]->title);
    }
    mtoken_task_free(task);
}

/* Claims an operation that was shown on another screen, shows it, and approves or
 * rejects it. */
mtoken_status decide(mtoken_client *client, const char *id,
                     int (*user_agrees)(const mtoken_operation *),
                     const mtoken_auth *auth)
{
    mtoken_task *claim = NULL, *answer = NULL;
    mtoken_authorize_options how = MTOKEN_AUTHORIZE_OPTIONS_INIT;
    mtoken_reject_options why = MTOKEN_REJECT_OPTIONS_INIT;
    mtoken_status status =
        mtoken_operations_claim(client, id, MTOKEN_NUL_TERMINATED, &claim, NULL);

    if (status == MTOKEN_OK &&
        (status = mtoken_task_wait(claim, MTOKEN_FOREVER)) == MTOKEN_OK)
        status = mtoken_task_result(claim);
    if (status == MTOKEN_OK) {
        const mtoken_operation *operation = mtoken_task_operation(claim);
        how.strict = 1;
        why.reason = MTOKEN_TEXT(MTOKEN_REJECT_UNEXPECTED_OPERATION);
        status =
            user_agrees(operation)
                ? mtoken_operations_authorize(client, operation, auth, &how, &answer,
                                              NULL)
                : mtoken_operations_reject(client, operation->id, MTOKEN_NUL_TERMINATED,
                                           &why, &answer, NULL);
    }
    if (status == MTOKEN_OK &&
        (status = mtoken_task_wait(answer, MTOKEN_FOREVER)) == MTOKEN_OK)
        status = mtoken_task_result(answer);
    mtoken_task_free(answer);
    mtoken_task_free(claim);
    return status;
}

/* Fetches one operation. */
mtoken_status look(mtoken_client *client, const char *id, mtoken_task **task)
{
    return mtoken_operations_detail(client, id, MTOKEN_NUL_TERMINATED, task, NULL);
}

/* Approves an operation received on another channel, with the password of a
 * proximity check. */
mtoken_status approve_other(mtoken_client *client, const char *id,
                            const char *operation_data, const char *otp,
                            const mtoken_auth *auth, mtoken_task **task)
{
    mtoken_operation_options operation = MTOKEN_OPERATION_OPTIONS_INIT;
    mtoken_authorize_options options = MTOKEN_AUTHORIZE_OPTIONS_INIT;

    operation.id = MTOKEN_TEXT(id);
    operation.operation_data = MTOKEN_TEXT(operation_data);
    options.proximity_otp = MTOKEN_TEXT(otp);
    options.proximity_source = MTOKEN_PROXIMITY_QR_CODE;
    return mtoken_operations_authorize_data(client, &operation, auth, &options, task,
                                            NULL);
}
