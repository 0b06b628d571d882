#include <inttypes.h>
#include <mtoken.h>
#include <stdio.h>

/* Counts the messages that the user has not read. */
void print_count(mtoken_client *client)
{
    mtoken_task *task = NULL;

    if (mtoken_inbox_count(client, &task, NULL) == MTOKEN_OK &&
        mtoken_task_wait(task, MTOKEN_FOREVER) == MTOKEN_OK)
        printf("%" PRId64 " unread\n", mtoken_task_inbox_count(task));
    mtoken_task_free(task);
}

/* Fetches one page of the inbox, or all of it. */
void print_messages(mtoken_client *client, int all)
{
    mtoken_task *task = NULL;
    mtoken_status status = all ? mtoken_inbox_list_all(client, 50, 1000, 0, &task, NULL)
                               : mtoken_inbox_list_page(client, 0, 20, 0, &task, NULL);

    if (status == MTOKEN_OK && mtoken_task_wait(task, MTOKEN_FOREVER) == MTOKEN_OK &&
        mtoken_task_result(task) == MTOKEN_OK) {
        const mtoken_inbox_list *list = mtoken_task_inbox_list(task);
        for (size_t i = 0; i < list->count; i++)
            printf("%s %s\n", list->messages[i]->is_read ? " " : "*",
                   list->messages[i]->subject);
    }
    mtoken_task_free(task);
}

/* Shows a message and marks it, or all messages, as read. */
mtoken_status read_message(mtoken_client *client, const char *id, mtoken_task **mark)
{
    mtoken_task *task = NULL;
    mtoken_status status =
        mtoken_inbox_detail(client, id, MTOKEN_NUL_TERMINATED, &task, NULL);

    if (status == MTOKEN_OK &&
        (status = mtoken_task_wait(task, MTOKEN_FOREVER)) == MTOKEN_OK &&
        (status = mtoken_task_result(task)) == MTOKEN_OK) {
        const mtoken_inbox_message *message = mtoken_task_inbox_message(task);
        printf("%s\n",
               message->format == MTOKEN_INBOX_HTML ? "(a document)" : message->body);
        status = mtoken_inbox_mark_read(client, id, MTOKEN_NUL_TERMINATED, mark, NULL);
    }
    mtoken_task_free(task);
    return status;
}

mtoken_status read_everything(mtoken_client *client, mtoken_task **mark)
{
    return mtoken_inbox_mark_all_read(client, mark, NULL);
}
