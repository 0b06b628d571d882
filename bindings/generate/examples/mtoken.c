#include <mtoken.h>
#include <stdio.h>

/* From the stored activation to the list of operations that wait for the user. */
int main(void)
{
    mtoken_runtime *runtime = NULL;
    mtoken_store *store = NULL;
    mtoken_client *client = NULL;
    mtoken_task *task = NULL;
    mtoken_error *error = NULL;
    mtoken_client_options options = MTOKEN_CLIENT_OPTIONS_INIT;

    if (mtoken_runtime_new(NULL, &runtime, &error) != MTOKEN_OK ||
        mtoken_store_directory_new("state", MTOKEN_NUL_TERMINATED, &store, &error) !=
            MTOKEN_OK)
        goto failed;
    options.id = MTOKEN_TEXT("alice");
    options.configuration = MTOKEN_TEXT("the application's configuration");
    options.base_url = MTOKEN_TEXT("https://bank.example/enrollment-server");
    options.store = store;
    if (mtoken_client_new(runtime, &options, &client, &error) != MTOKEN_OK ||
        mtoken_operations_list(client, &task, &error) != MTOKEN_OK)
        goto failed;
    if (mtoken_task_wait(task, MTOKEN_FOREVER) == MTOKEN_OK &&
        mtoken_task_result(task) == MTOKEN_OK) {
        const mtoken_operation_list *list = mtoken_task_operations(task);
        for (size_t i = 0; list && i < list->count; i++)
            printf("%s: %s\n", list->operations[i]->id, list->operations[i]->title);
    }

failed:
    if (error) fprintf(stderr, "%s\n", error->message);
    mtoken_error_free(error);
    mtoken_task_free(task);
    mtoken_client_free(client);
    mtoken_store_free(store);
    mtoken_runtime_free(runtime);
    return 0;
}
