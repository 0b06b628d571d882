#include <mtoken.h>
#include <stdio.h>

/* Registers this activation for push messages. */
mtoken_status register_device(mtoken_client *client, const char *token,
                              mtoken_task **task)
{
    mtoken_push_options options = MTOKEN_PUSH_OPTIONS_INIT;

    if (mtoken_push_is_registered(client)) return MTOKEN_OK;
    options.platform = MTOKEN_PUSH_PLATFORM_FCM;
    options.environment = MTOKEN_PUSH_ENVIRONMENT_DEFAULT;
    options.token = MTOKEN_TEXT(token);
    return mtoken_push_register(client, &options, task, NULL);
}

/* Shows the operations of the account that a received push is for. */
mtoken_status received_for_one(mtoken_runtime *runtime, const char *payload,
                               mtoken_task **task)
{
    mtoken_push_message *message = NULL;
    mtoken_status status = mtoken_runtime_route_push(
        runtime, payload, MTOKEN_NUL_TERMINATED, &message, NULL);

    if (status == MTOKEN_OK && message && message->client)
        status = mtoken_operations_list(message->client, task, NULL);
    mtoken_push_message_free(message);
    return status;
}

/* Prints what a received push is about. Anyone can send one: it is only a hint to
 * ask the bank. */
void received(const char *payload)
{
    mtoken_push_message *message = NULL;

    if (mtoken_push_parse(payload, MTOKEN_NUL_TERMINATED, &message, NULL) != MTOKEN_OK)
        return;
    if (message->kind == MTOKEN_PUSH_KIND_OPERATION_CREATED)
        printf("operation %s waits\n", message->operation_id);
    else if (message->kind == MTOKEN_PUSH_KIND_OPERATION_FINISHED &&
             message->result == MTOKEN_PUSH_RESULT_SUCCESS)
        printf("operation %s is done\n", message->operation_id);
    mtoken_push_message_free(message);
}
