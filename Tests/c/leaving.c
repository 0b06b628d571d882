/* How a process may end: without giving anything back, in the middle of calls, after a fork. */
#define _GNU_SOURCE
#include "plain.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* A life that is left in the middle: calls under way to a server that does not answer, events unread. */
static mtoken_runtime *live(const char *url)
{
    mtoken_runtime_options options = MTOKEN_RUNTIME_OPTIONS_INIT;
    mtoken_runtime *runtime = NULL;
    mtoken_store *store = NULL;
    options.events = MTOKEN_EVENT_MASK_ALL;
    options.log_level = MTOKEN_LOG_DEBUG;
    CHECK_OK(mtoken_runtime_new(&options, &runtime, NULL));
    CHECK_OK(mtoken_store_memory_new(&store, NULL));
    for (int i = 0; i < 5; i++) {
        char id[2] = {(char)('a' + i), 0};
        mtoken_task *task = NULL;
        mtoken_client *client = plain_client(runtime, store, id, url);
        CHECK_OK(mtoken_client_synchronize_time(client, &task, NULL));
    }
    return runtime;
}

static void leave_by_return(const char *url) { live(url); }

static void leave_by_exit(const char *url)
{
    live(url);
    exit(0);
}

static void leave_at_once(const char *url)
{
    live(url);
    _exit(0);
}

static mtoken_runtime *left;
static void free_at_exit(void) { mtoken_runtime_free(left); }

static void leave_and_free_at_exit(const char *url)
{
    atexit(free_at_exit);
    left = live(url);
    exit(0);
}

static void free_before_exit(void) { mtoken_runtime_free(left); }

static void register_early_and_free(const char *url)
{
    left = live(url);
    atexit(free_before_exit); /* runs before the library's own handler */
    exit(0);
}

static void leave_with_a_late_start(const char *url)
{
    mtoken_runtime_free(live(url));
    live(url);
    exit(0);
}

/* A child may give up what it inherited, and make a world of its own; the parent goes on. */
static void fork_in_between(const char *url)
{
    mtoken_runtime *runtime = live(url);
    pid_t child = fork();
    if (child == 0) {
        alarm(under_valgrind() ? 100 : 20);
        mtoken_runtime_free(runtime);
        if (!getenv("MTOKEN_SWIFT_RUNTIME")) {
            mtoken_runtime *own = live(url);
            mtoken_runtime_free(own);
        }
        _exit(0);
    }
    int status = -1;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) _exit(3);
    mtoken_store *store = NULL;
    mtoken_task *task = NULL;
    if (mtoken_store_memory_new(&store, NULL) != MTOKEN_OK) _exit(4);
    mtoken_client *client = plain_client(runtime, store, "z", CLOSED_URL);
    if (mtoken_client_synchronize_time(client, &task, NULL) != MTOKEN_OK || mtoken_task_wait(task, 20000) != MTOKEN_OK)
        _exit(5);
    mtoken_runtime_free(runtime);
    exit(0);
}

/* Runs one of the above in a process of its own and gives its status. */
static int status_of(void (*leave)(const char *url))
{
    silent_server server = silent_server_open();
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        alarm(under_valgrind() ? 120 : 20);
        leave(server.url);
        exit(0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    silent_server_close(&server);
    return status;
}

static void left_by_return(void) { CHECK_INT(status_of(leave_by_return), 0); }
static void left_by_exit(void) { CHECK_INT(status_of(leave_by_exit), 0); }
static void left_at_once(void) { CHECK_INT(status_of(leave_at_once), 0); }
static void freed_at_exit(void) { CHECK_INT(status_of(leave_and_free_at_exit), 0); }
static void freed_before_exit(void) { CHECK_INT(status_of(register_early_and_free), 0); }
static void started_late(void) { CHECK_INT(status_of(leave_with_a_late_start), 0); }
static void forked(void)
{
    if (getenv("MTOKEN_SWIFT_RUNTIME")) /* a thread that is gone may have held one of them */
        puts("# not run: a runtime of the child's own; the locks of the Swift runtime do not survive a fork");
    CHECK_INT(status_of(fork_in_between), 0);
}

static const test tests[] = {
    {"main may return", left_by_return},
    {"exit may be called", left_by_exit},
    {"the process may end at once", left_at_once},
    {"a runtime may be freed at exit", freed_at_exit},
    {"a runtime may be freed before the library's own end", freed_before_exit},
    {"a runtime may start again before the end", started_late},
    {"a process may fork", forked},
};

int main(int argc, char **argv) { return RUN(tests); }
