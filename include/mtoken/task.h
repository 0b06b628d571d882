/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A task: one call in progress, and its result.
 *
 * A task can complete before the call that starts it has returned. A host that learns of completion
 * from events, without mtoken_task_notify, may therefore read the event before it has recorded
 * which thread to wake. Record the waiter first, then check the task's state, and only then wait:
 *
 *     start(..., &task, ...);
 *     waiters[task] = waiter;
 *     if (mtoken_task_get_state(task) == MTOKEN_TASK_RUNNING)
 *         sleep(waiter);
 *
 * The thread that reads events must ignore tasks without a recorded waiter. mtoken_task_notify
 * needs none of this.
 *
 * Equal calls of one client that run at the same time share one request, whose response completes
 * the task of each: mtoken_operations_list, mtoken_client_fetch_status,
 * mtoken_client_synchronize_time, mtoken_client_fetch_user_info, mtoken_token_create for the same
 * name, and the requests that the library sends for itself (temporary keys, its own token). Each
 * task can be cancelled individually. A call with its own options (mtoken_call_options) always
 * sends its own request. Nothing else is shared: approvals, rejections and other signed calls are
 * each sent.
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
 * Blocks until a task has completed, whether it succeeded or not.
 *
 * timeout_ms   0: return at once; MTOKEN_FOREVER: wait without limit
 * Returns      MTOKEN_OK if the task has completed (mtoken_task_result says how),
 *              MTOKEN_ERROR_TIMEOUT if it has not, MTOKEN_ERROR_CANCELLED if
 *              mtoken_runtime_interrupt ended the wait (the task continues), MTOKEN_ERROR_HANDLE,
 *              MTOKEN_ERROR_ARGUMENT; MTOKEN_ERROR_STATE at once for a task of the process that
 *              this one was forked from
 */
MTOKEN_API MTOKEN_BLOCKS MTOKEN_CHECKED mtoken_status
mtoken_task_wait(const mtoken_task *task, int64_t timeout_ms);

/*
 * Waits for a task and returns its outcome: mtoken_task_wait, mtoken_task_result and
 * mtoken_task_error in one call.
 *
 * timeout_ms   0: return at once; MTOKEN_FOREVER: wait without limit
 * out_error    the task's error or that of the wait; must be freed with mtoken_error_free
 * Returns      MTOKEN_OK: the task has succeeded, read its result. Otherwise the status of its
 *              error (CANCELLED for a cancelled task), or of the wait: TIMEOUT with reason
 *              "waitTimeout" when the time limit expires first, CANCELLED with reason "interrupted"
 *              after mtoken_runtime_interrupt, ARGUMENT (in these three cases the task continues
 *              and the outcome is UNKNOWN), HANDLE, STATE after a fork
 */
MTOKEN_API MTOKEN_BLOCKS MTOKEN_CHECKED mtoken_status
mtoken_task_join(const mtoken_task *task, int64_t timeout_ms, mtoken_error **out_error);

/*
 * Requests an event for the completion of a task, whether it succeeds or not: MTOKEN_EVENT_TASK
 * with the tag, whatever the runtime's event mask. If the task has already completed, the event is
 * queued at once. Each call queues one event. With MTOKEN_EVENT_MASK_TASKS it replaces the event
 * with tag 0 that the runtime would queue, unless the task had completed before (then both arrive).
 *
 * tag          any value: a pointer, an index, the number of a promise
 * Errors       HANDLE, STATE (the runtime was freed, or the task belongs to a parent process)
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_task_notify(mtoken_task *task, uint64_t tag, mtoken_error **out_error);

/* Returns the MTOKEN_TASK_... state of a task, or -1 for an invalid handle. Does not wait. */
MTOKEN_API mtoken_task_state mtoken_task_get_state(const mtoken_task *task);

/*
 * Returns how the call ended: MTOKEN_OK, or the code of its error (MTOKEN_ERROR_CANCELLED for a
 * cancelled task); MTOKEN_ERROR_STATE while the task is running or after a fork;
 * MTOKEN_ERROR_HANDLE for an invalid handle.
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status mtoken_task_result(const mtoken_task *task);

/* Returns the error of a failed or cancelled task, otherwise NULL. It lives as long as the task. */
MTOKEN_API const mtoken_error *MTOKEN_NULLABLE mtoken_task_error(const mtoken_task *task);

/*
 * Cancels a task: its network transfer stops, and the task completes once, as cancelled. Nothing
 * further is signed or sent, with one exception: a PIN change or a new biometry factor of protocol
 * 4.0 that the server has begun is proven to the end. A completed task stays as it is. A request
 * that was already sent may still reach the server: see the error's outcome. Returns MTOKEN_OK,
 * MTOKEN_ERROR_HANDLE, or MTOKEN_ERROR_STATE after a fork.
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status mtoken_task_cancel(mtoken_task *task);

/*
 * Attaches a pointer of the host to the task. It is NULL until then, and the library never
 * dereferences it.
 * Returns MTOKEN_OK or MTOKEN_ERROR_HANDLE.
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_task_set_user_data(mtoken_task *task, void *MTOKEN_NULLABLE user_data);
MTOKEN_API void *MTOKEN_NULLABLE mtoken_task_user_data(const mtoken_task *task);

/*
 * Frees a task and all results reached through it. A running task continues; it is not cancelled.
 * NULL is ignored.
 */
MTOKEN_API void mtoken_task_free(mtoken_task *task);

MTOKEN_END

#endif
