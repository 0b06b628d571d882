/* SPDX-License-Identifier: Apache-2.0 */
/* The inbox: messages from the bank to the user. */
#ifndef MTOKEN_INBOX_H
#define MTOKEN_INBOX_H

#include "base.h"
#include "error.h"

MTOKEN_BEGIN

/*
 * Errors that every call of this header can return: at once HANDLE, ARGUMENT, NOT_ACTIVATED,
 * PENDING, STATE (the runtime was freed); of the task: those of the calls of operations.h; SERVER
 * with "INBOX_FAILED". All calls authenticate with the token "possession_universal".
 */

/* Format of a message. */
MTOKEN_ENUM(mtoken_inbox_format_values) {
    MTOKEN_INBOX_UNKNOWN = 0, /* not known to this version; see format_text */
    MTOKEN_INBOX_TEXT = 1,    /* plain text: the host lays out subject and body */
    MTOKEN_INBOX_HTML = 2,    /* the body is a complete document */
};
typedef int32_t mtoken_inbox_format;

/* A message, from the JSON of /api/inbox/message/list and /detail. */
typedef struct mtoken_inbox_message {
    const char *id;                          /* id */
    const char *subject;                     /* subject */
    const char *summary;                     /* summary: for lists; "" if not sent */
    const char *MTOKEN_NULLABLE body; /* body; NULL except in the result of mtoken_inbox_detail */
    mtoken_inbox_format format;              /* type: MTOKEN_INBOX_... */
    const char *MTOKEN_NULLABLE format_text; /* type as sent; NULL if not sent */
    mtoken_bool is_read;                     /* read */
    int64_t created;                         /* timestampCreated, milliseconds since the epoch */
} mtoken_inbox_message;

/* Messages, in the server's order. */
typedef struct mtoken_inbox_list {
    size_t count;
    const mtoken_inbox_message *const *messages; /* NULL if there are none */
    size_t skipped_count;                        /* messages that were unreadable and dropped */
    /* 1: mtoken_inbox_list_all has reached a limit: there may be more messages */
    mtoken_bool may_have_more;
} mtoken_inbox_list;

/*
 * Counts the unread messages.
 *
 * Calls        POST /api/inbox/count
 * Task result  mtoken_task_inbox_count
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_inbox_count(mtoken_client *client, mtoken_task **out_task, mtoken_error **out_error);

/* Returns the result of mtoken_inbox_count, or -1 for other or unfinished tasks. */
MTOKEN_API int64_t mtoken_task_inbox_count(const mtoken_task *task);

/*
 * Fetches one page of messages without their bodies. A page with fewer messages than page_size
 * (including dropped ones) is the last.
 *
 * page         counted from 0
 * page_size    messages per page, 1 to 1000
 * only_unread  1: only unread messages
 * Calls        POST /api/inbox/message/list
 * Task result  mtoken_task_inbox_list
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_inbox_list_page(mtoken_client *client, int32_t page, int32_t page_size,
                       mtoken_bool only_unread, mtoken_task **out_task, mtoken_error **out_error);

/*
 * Fetches page after page until one is not full or brings nothing new, or a limit is reached. A
 * message that is on two pages is returned once. If one page fails, the task fails. Cancelling the
 * task stops it.
 *
 * page_size    messages per page, 1 to 1000; 0: 100
 * limit        maximum number of messages; 0, or more than 10,000: 10,000. The call also stops
 *              before the responses exceed 8 MiB or 100,000 JSON values in total. may_have_more
 *              says whether a limit was reached. The default of the Mobile Token SDKs is 1000.
 * only_unread  1: only unread messages
 * Calls        POST /api/inbox/message/list for each page
 * Task result  mtoken_task_inbox_list
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_inbox_list_all(mtoken_client *client, int32_t page_size, int32_t limit,
                      mtoken_bool only_unread, mtoken_task **out_task, mtoken_error **out_error);

/*
 * Returns the result of mtoken_inbox_list_page or mtoken_inbox_list_all, or NULL for other or
 * unfinished tasks. Lives as long as the task.
 */
MTOKEN_API const mtoken_inbox_list *MTOKEN_NULLABLE mtoken_task_inbox_list(const mtoken_task *task);

/*
 * Fetches a message with its body. Does not mark it as read.
 *
 * Calls        POST /api/inbox/message/detail
 * Task result  mtoken_task_inbox_message
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_inbox_detail(mtoken_client *client, const char *id, size_t id_length, mtoken_task **out_task,
                    mtoken_error **out_error);

/*
 * Returns the result of mtoken_inbox_detail, or NULL for other or unfinished tasks. Lives as long
 * as the task.
 */
MTOKEN_API const mtoken_inbox_message
*MTOKEN_NULLABLE mtoken_task_inbox_message(const mtoken_task *task);

/*
 * Marks a message as read. Has no effect if it already is. For an unknown id, or that of another
 * user's message, the task fails with SERVER and server_code "INBOX_FAILED".
 *
 * Calls        POST /api/inbox/message/read
 * Task result  none
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_inbox_mark_read(mtoken_client *client, const char *id, size_t id_length,
                       mtoken_task **out_task, mtoken_error **out_error);

/*
 * Marks all messages as read.
 *
 * Calls        POST /api/inbox/message/read-all
 * Task result  none
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_inbox_mark_all_read(mtoken_client *client, mtoken_task **out_task, mtoken_error **out_error);

MTOKEN_END

#endif
