#include <mtoken.h>
#include <stdio.h>

/* Greets the user by the name that the bank knows. */
void greet(mtoken_client *client)
{
    mtoken_task *task = NULL;

    if (mtoken_client_fetch_user_info(client, &task, NULL) == MTOKEN_OK &&
        mtoken_task_wait(task, MTOKEN_FOREVER) == MTOKEN_OK &&
        mtoken_task_result(task) == MTOKEN_OK) {
        const mtoken_user_info *user = mtoken_task_user_info(task);
        const mtoken_user_address *address = user->address;
        printf("%s\n", user->name ? user->name : "Hello");
        if (address && address->locality) printf("of %s\n", address->locality);
    }
    mtoken_task_free(task);
}
