/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An approval in a libuv loop, as in Node.js and many servers.
 *
 *   cc libuv.c $(pkg-config --cflags --libs mtoken libuv) -o approve-libuv
 *   ./approve-libuv URL CA-FILE SDK-CONFIGURATION STORE PIN
 */
#include "approval.h"

#include <uv.h>

typedef struct program {
    approval approval;
    uv_poll_t poll;
    uv_timer_t timer;
} program;

static void readable(uv_poll_t *poll, int status, int events)
{
    (void)events;
    program *program = poll->data;
    if (status < 0) {
        fprintf(stderr, "libuv: %s\n", uv_strerror(status));
        program->approval.failed = 1;
    } else if (approval_read(&program->approval)) {
        return;
    }
    /* Without handles the loop ends. Closing removes the descriptor from it; the runtime closes the descriptor. */
    uv_close((uv_handle_t *)&program->poll, NULL);
    uv_close((uv_handle_t *)&program->timer, NULL);
}

static void tick(uv_timer_t *timer)
{
    program *program = timer->data;
    program->approval.ticks++;
}

int main(int argc, char **argv)
{
    program program;
    if (!approval_open(&program.approval, argc, argv)) return approval_close(&program.approval);

    uv_loop_t *loop = uv_default_loop();
    uv_poll_init(loop, &program.poll, approval_fd(&program.approval));
    uv_timer_init(loop, &program.timer);
    program.poll.data = program.timer.data = &program;
    uv_poll_start(&program.poll, UV_READABLE, readable);
    uv_timer_start(&program.timer, tick, 20, 20);
    uv_run(loop, UV_RUN_DEFAULT);

    uv_loop_close(loop);
    return approval_close(&program.approval);
}
