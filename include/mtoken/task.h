/* A task: one call under way, and its result. */
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
 *              MTOKEN_ERROR_TIMEOUT when not, MTOKEN_ERROR_HANDLE; MTOKEN_ERROR_STATE at once for a
 *              task of the process that this one was forked from
 */
MTOKEN_API MTOKEN_BLOCKS MTOKEN_CHECKED mtoken_status
mtoken_task_wait(const mtoken_task *task, int64_t timeout_ms);

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
