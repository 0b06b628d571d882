/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An approval in an epoll loop.
 *
 *   cc epoll.c $(pkg-config --cflags --libs mtoken) -o approve-epoll
 *   ./approve-epoll URL CA-FILE SDK-CONFIGURATION STORE PIN
 */
#include "approval.h"

#include <sys/epoll.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    approval approval;
    if (!approval_open(&approval, argc, argv)) return approval_close(&approval);

    const int loop = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event wanted = {.events = EPOLLIN, .data = {.fd = approval_fd(&approval)}};
    if (loop < 0 || epoll_ctl(loop, EPOLL_CTL_ADD, wanted.data.fd, &wanted) != 0) {
        perror("epoll");
        approval.failed = 1;
    }
    for (int more = !approval.failed; more;) {
        struct epoll_event ready;
        const int count = epoll_wait(loop, &ready, 1, 20);
        if (count == 0)
            approval.ticks++;
        else if (count > 0)
            more = approval_read(&approval);
    }
    close(loop);
    return approval_close(&approval);
}
