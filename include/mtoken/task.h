/*
 * A task: one call under way, and its result.
 *
 * A host that is told of completed tasks by events, without mtoken_task_notify, may be told before
 * it has noted whom to wake: the task can complete before the call that starts it has returned. So
 * note the waiter first, then look at the task's state, and only then wait:
 *
 *     start(..., &task, ...);
 *     waiters[task] = waiter;
 *     if (mtoken_task_get_state(task) == MTOKEN_TASK_RUNNING)
 *         sleep(waiter);
 *
 * and let the thread that reads events pass over tasks that nobody has noted. mtoken_task_notify
 * needs none of this.
 *
 * Equal calls of one client that are under way at once are one request, whose answer completes the
 * task of each: mtoken_operations_list, mtoken_client_fetch_status, mtoken_client_synchronize_time,
 * mtoken_client_fetch_user_info, mtoken_token_create for the same name; and what the library asks
 * for by itself (temporary keys, its own token). Each may be cancelled by itself. A call with
 * options of its own (mtoken_call_options) is a request of its own. Nothing else is shared:
 * approvals, rejections and other signed calls are each sent.
 */
#ifndef MTOKEN_TASK_H
#define MTOKEN_TASK_H

#include "base.h"
#include "error.h"

MTOKEN_BEGIN

/* State of a task. */
MTOKEN_CLOSED_ENUM(mtoken_task_state_values) {
    MTOKEN_TASK_RUNNING = 0,
    MTOKEN_TASK_SUCCEEDED = 1,
    MTOKEN_TASK_FAILED = 2,
    MTOKEN_TASK_CANCELLED = 3,
};
typedef int32_t mtoken_task_state;

/*
 * Waits until a task has completed, in whatever way.
 *
 * timeout_ms   0: only look; MTOKEN_FOREVER: wait without limit
 * Returns      MTOKEN_OK when the task has completed (mtoken_task_result tells how),
 *              MTOKEN_ERROR_TIMEOUT when not, MTOKEN_ERROR_CANCELLED when mtoken_runtime_interrupt
 *              ended the wait (the task goes on), MTOKEN_ERROR_HANDLE, MTOKEN_ERROR_ARGUMENT;
 *              MTOKEN_ERROR_STATE at once for a task of the process that this one was forked from
 */
MTOKEN_API MTOKEN_BLOCKS MTOKEN_CHECKED mtoken_status
mtoken_task_wait(const mtoken_task *task, int64_t timeout_ms);

/*
 * Waits for a task and tells how it ended: mtoken_task_wait, mtoken_task_result and
 * mtoken_task_error in one call.
 *
 * timeout_ms   0: only look; MTOKEN_FOREVER: wait without limit
 * out_error    the task's error or that of the wait; belongs to the host, which frees it with
 *              mtoken_error_free
 * Returns      MTOKEN_OK: the task has succeeded, read its result. Otherwise the status of its
 *              error (CANCELLED for a cancelled task), or of the wait: TIMEOUT with reason
 *              "waitTimeout" when that is over first (the task goes on), CANCELLED with reason
 *              "interrupted" after mtoken_runtime_interrupt (the task goes on; the outcome of both
 *              is UNKNOWN), HANDLE, ARGUMENT, STATE after a fork
 */
MTOKEN_API MTOKEN_BLOCKS MTOKEN_CHECKED mtoken_status
mtoken_task_join(const mtoken_task *task, int64_t timeout_ms, mtoken_error **out_error);

/*
 * Asks for an event when the task has completed, in whatever way, or at once if it has:
 * MTOKEN_EVENT_TASK with the tag, whichever events the runtime was made for. Each call is one
 * event. A runtime made with MTOKEN_EVENT_MASK_TASKS queues it instead of the one with tag 0 that
 * it would have queued; for a task that had completed before, beside that.
 *
 * tag          anything: a pointer, an index, a promise's number
 * Errors       HANDLE, STATE (the runtime was freed, or the task is a parent process's)
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_task_notify(mtoken_task *task, uint64_t tag, mtoken_error **out_error);

/* MTOKEN_TASK_... of a task, or -1 for an invalid handle. Does not wait. */
MTOKEN_API mtoken_task_state mtoken_task_get_state(const mtoken_task *task);

/*
 * How the call ended: MTOKEN_OK, or the code of its error (MTOKEN_ERROR_CANCELLED for a cancelled
 * task). MTOKEN_ERROR_STATE while the task is running or after a fork, MTOKEN_ERROR_HANDLE for an
 * invalid handle.
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status mtoken_task_result(const mtoken_task *task);

/*
 * The error of a failed or cancelled task, otherwise NULL. It lives as long as the task.
 */
MTOKEN_API const mtoken_error *MTOKEN_NULLABLE mtoken_task_error(const mtoken_task *task);

/*
 * Cancels a task: its network transfer stops and the task completes once, as cancelled; what was
 * not yet signed and sent will not be. Nothing happens when it has completed. A request that was
 * already on its way may still reach the server: the error's outcome tells. Returns MTOKEN_OK,
 * MTOKEN_ERROR_HANDLE, or MTOKEN_ERROR_STATE after a fork.
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status mtoken_task_cancel(mtoken_task *task);

/*
 * A pointer of the host's own, kept with the task; NULL at first. The library does not look at it.
 * Returns MTOKEN_OK or MTOKEN_ERROR_HANDLE.
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_task_set_user_data(mtoken_task *task, void *MTOKEN_NULLABLE user_data);
MTOKEN_API void *MTOKEN_NULLABLE mtoken_task_user_data(const mtoken_task *task);

/*
 * Gives the task back, with all results reached through it. A running task goes on; it is not
 * cancelled. NULL is fine.
 */
MTOKEN_API void mtoken_task_free(mtoken_task *task);

MTOKEN_END

#endif
