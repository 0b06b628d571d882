/* Many threads: every function from anywhere at any time. */
#define _GNU_SOURCE
#include "plain.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>

enum { THREADS = 8 };

static int rounds(int usual) { return under_valgrind() ? (usual + 19) / 20 : usual; }

static void in_threads(void *(*work)(void *), void *context)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) CHECK_INT(pthread_create(&threads[i], NULL, work, context), 0);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
}

/* What belongs to the whole process: calls that would change it are counted here, on their way to the C library.
 * (Looking before and after is not enough: of two threads that change it and put it back, one puts back what the other
 * has set.) */
static int changes;

#define COUNTED(result, name, parameters, arguments, does_change)                                                      \
    result name parameters                                                                                             \
    {                                                                                                                  \
        result(*real) parameters = NULL;                                                                               \
        *(void **)&real = dlsym(RTLD_NEXT, #name);                                                                     \
        if (does_change) __atomic_add_fetch(&changes, 1, __ATOMIC_RELAXED);                                            \
        return real arguments;                                                                                         \
    }

COUNTED(int, sigaction, (int number, const struct sigaction *action, struct sigaction *old), (number, action, old),
        action)
COUNTED(sighandler_t, signal, (int number, sighandler_t handler), (number, handler), true)
COUNTED(int, sigprocmask, (int how, const sigset_t *set, sigset_t *old), (how, set, old), set)
COUNTED(int, pthread_sigmask, (int how, const sigset_t *set, sigset_t *old), (how, set, old), set)
COUNTED(char *, setlocale, (int category, const char *locale), (category, locale), locale)
COUNTED(mode_t, umask, (mode_t mask), (mask), true)
COUNTED(int, setenv, (const char *name, const char *value, int overwrite), (name, value, overwrite), true)
COUNTED(int, unsetenv, (const char *name), (name), true)
COUNTED(int, putenv, (char *assignment), (assignment), true)

/* Each makes a world of its own, uses it and gives it back. */
static void *own_world(void *context)
{
    (void)context;
    sigset_t mask, own;
    sigemptyset(&mask);
    sigaddset(&mask, SIGUSR1);
    CHECK_INT(pthread_sigmask(SIG_SETMASK, &mask, NULL), 0);
    for (int round = 0; round < rounds(100); round++) {
        mtoken_runtime *runtime = NULL;
        mtoken_store *store = NULL;
        mtoken_task *tasks[4];
        CHECK_OK(mtoken_runtime_new(NULL, &runtime, NULL));
        CHECK_OK(mtoken_store_memory_new(&store, NULL));
        mtoken_client *client = plain_client(runtime, store, "a", CLOSED_URL);
        for (int i = 0; i < 4; i++) CHECK_OK(mtoken_client_synchronize_time(client, &tasks[i], NULL));
        if (round % 3 != 0) CHECK_OK(mtoken_task_wait(tasks[round % 4], 20000));
        for (int i = 0; i < 4; i++) mtoken_task_free(tasks[i]);
        mtoken_client_free(client);
        mtoken_runtime_free(runtime);
        mtoken_store_free(store);
        CHECK_INT(pthread_sigmask(SIG_BLOCK, NULL, &own), 0);
        for (int number = 1; number < NSIG; number++)
            if (sigismember(&own, number) != sigismember(&mask, number)) CHECK_INT(number, 0);
    }
    return NULL;
}

static void each_has_a_world(void)
{
    int before = __atomic_load_n(&changes, __ATOMIC_RELAXED);
    sighandler_t handler = signal(SIGPIPE, SIG_DFL);
    CHECK_INT(signal(SIGPIPE, handler) == SIG_DFL, 1);
    CHECK_INT(__atomic_load_n(&changes, __ATOMIC_RELAXED), before + 2); /* they are counted */
    in_threads(own_world, NULL);
    /* Each thread sets its mask; the library blocks signals while it starts a runtime's thread, and puts the mask back.
     */
    int expected = before + 2 + THREADS * (1 + 2 * rounds(100));
    CHECK_INT(__atomic_load_n(&changes, __ATOMIC_RELAXED), expected);
}

/* How many descriptors a program would get that the process starts now. */
static int inherited(void)
{
    int count = 0;
    for (int descriptor = 0; descriptor < 1024; descriptor++) {
        int flags = fcntl(descriptor, F_GETFD);
        count += flags >= 0 && !(flags & FD_CLOEXEC);
    }
    return count;
}

static void child_programs_inherit_nothing(void)
{
    silent_server server = silent_server_open();
    mtoken_runtime *runtimes[THREADS];
    mtoken_client *clients[THREADS];
    mtoken_task *tasks[THREADS];
    mtoken_store *store = NULL;
    int before = inherited();
    CHECK_OK(mtoken_store_memory_new(&store, NULL));
    for (int i = 0; i < THREADS; i++) {
        char id[2] = {(char)('a' + i), 0};
        CHECK_OK(mtoken_runtime_new(NULL, &runtimes[i], NULL));
        clients[i] = plain_client(runtimes[i], store, id, i % 2 ? CLOSED_URL : server.url);
        CHECK_OK(mtoken_client_synchronize_time(clients[i], &tasks[i], NULL));
    }
    for (int i = 1; i < THREADS; i += 2) CHECK_OK(mtoken_task_wait(tasks[i], 20000));
    CHECK_INT(inherited(), before);
    for (int i = 0; i < THREADS; i++) {
        mtoken_task_free(tasks[i]);
        mtoken_client_free(clients[i]);
        mtoken_runtime_free(runtimes[i]);
    }
    mtoken_store_free(store);
    silent_server_close(&server);
}

/* All share one runtime and one client. */
typedef struct shared {
    mtoken_runtime *runtime;
    mtoken_store *store;
    mtoken_client *client;
    int counter;
} shared;

static void *use_shared(void *context)
{
    shared *shared = context;
    const mtoken_auth init = MTOKEN_AUTH_INIT;
    mtoken_auth auth = init;
    auth.pin = bytes("1234");
    for (int round = 0; round < rounds(300); round++) {
        mtoken_client_info *info = NULL;
        mtoken_header *header = NULL;
        mtoken_task *task = NULL;
        mtoken_event *event = NULL;
        mtoken_text *string = NULL;
        mtoken_error *error = NULL;
        CHECK_OK(mtoken_client_get_info(shared->client, &info, NULL));
        CHECK_TEXT(info ? info->id : NULL, "a");
        mtoken_client_info_free(info);
        CHECK_ERROR(brief_sign(shared->client, "GET", "/", bytes(NULL), &auth, &header, &error),
                    MTOKEN_ERROR_NOT_ACTIVATED, error);
        CHECK_OK(mtoken_client_synchronize_time(shared->client, &task, NULL));
        if (round % 2) CHECK_OK(mtoken_task_cancel(task));
        CHECK_OK(mtoken_task_wait(task, 20000));
        mtoken_status result = mtoken_task_result(task);
        CHECK(result == MTOKEN_ERROR_NETWORK || result == MTOKEN_ERROR_CANCELLED);
        CHECK(mtoken_task_error(task) && mtoken_task_error(task)->code == result);
        CHECK_OK(mtoken_task_set_user_data(task, task));
        CHECK(mtoken_task_user_data(task) == task);
        mtoken_task_free(task);
        if (mtoken_runtime_next_event(shared->runtime, 0, &event, NULL) == MTOKEN_OK) CHECK(event->kind != 0);
        mtoken_event_free(event);
        CHECK_OK(mtoken_client_reset_time(shared->client, NULL));
        CHECK_OK(mtoken_canonical_query("b=1&a=2", 7, &string, NULL));
        CHECK_TEXT(string ? string->data : NULL, "a=2&b=1");
        mtoken_text_free(string);
    }
    return NULL;
}

static shared open_shared(void)
{
    shared shared = {NULL, NULL, NULL, 0};
    mtoken_runtime_options options = MTOKEN_RUNTIME_OPTIONS_INIT;
    options.events = MTOKEN_EVENT_MASK_ALL;
    options.log_level = MTOKEN_LOG_DEBUG;
    CHECK_OK(mtoken_runtime_new(&options, &shared.runtime, NULL));
    CHECK_OK(mtoken_store_memory_new(&shared.store, NULL));
    shared.client = plain_client(shared.runtime, shared.store, "a", CLOSED_URL);
    return shared;
}

static void close_shared(shared *shared)
{
    mtoken_client_free(shared->client);
    mtoken_store_free(shared->store);
    mtoken_runtime_free(shared->runtime);
}

static void all_share_a_client(void)
{
    shared shared = open_shared();
    in_threads(use_shared, &shared);
    close_shared(&shared);
}

/* Many clients come and go in one runtime and one store. */
static void *come_and_go(void *context)
{
    shared *shared = context;
    char id[16];
    for (int round = 0; round < rounds(150); round++) {
        mtoken_task *task = NULL;
        snprintf(id, sizeof id, "c%d", __atomic_add_fetch(&shared->counter, 1, __ATOMIC_SEQ_CST));
        mtoken_client *client = plain_client(shared->runtime, shared->store, id, CLOSED_URL);
        CHECK_OK(mtoken_client_synchronize_time(client, &task, NULL));
        if (round % 2) CHECK_OK(mtoken_task_wait(task, 20000));
        mtoken_client_free(client);
        CHECK_OK(mtoken_task_wait(task, 20000));
        mtoken_task_free(task);
    }
    return NULL;
}

static void clients_come_and_go(void)
{
    shared shared = open_shared();
    in_threads(come_and_go, &shared);
    close_shared(&shared);
}

/* Of all threads that want one name at once, exactly one gets it. */
static void *take_the_name(void *context)
{
    shared *shared = context;
    mtoken_client_options options = plain_options(shared->store, "one", CLOSED_URL);
    for (int round = 0; round < rounds(400); round++) {
        mtoken_client *client = NULL;
        mtoken_status status = mtoken_client_new(shared->runtime, &options, &client, NULL);
        if (status == MTOKEN_OK) {
            CHECK_INT(__atomic_add_fetch(&shared->counter, 1, __ATOMIC_SEQ_CST), 1);
            __atomic_sub_fetch(&shared->counter, 1, __ATOMIC_SEQ_CST);
            mtoken_client_free(client);
        } else {
            CHECK_STATUS(status, MTOKEN_ERROR_BUSY);
        }
    }
    return NULL;
}

static void one_name_serves_one_client(void)
{
    char path[256];
    make_directory(path, sizeof path);
    for (int kind = 0; kind < 2; kind++) {
        shared shared = open_shared();
        mtoken_store *directory = NULL, *memory = shared.store;
        CHECK_OK(mtoken_store_directory_new(path, MTOKEN_NUL_TERMINATED, &directory, NULL));
        shared.store = kind ? directory : memory;
        in_threads(take_the_name, &shared);
        shared.store = memory;
        mtoken_store_free(directory);
        close_shared(&shared);
    }
    remove_directory(path);
}

/* Some use the client while another frees it, and the runtime: everybody is told, nobody falls. */
static void *use_until_gone(void *context)
{
    shared *shared = context;
    for (;;) {
        mtoken_task *task = NULL;
        mtoken_status status = mtoken_client_synchronize_time(shared->client, &task, NULL);
        if (status != MTOKEN_OK) {
            CHECK(status == MTOKEN_ERROR_HANDLE || status == MTOKEN_ERROR_STATE || status == MTOKEN_ERROR_CANCELLED);
            return NULL;
        }
        mtoken_token_is_stored(shared->client, "t", 1);
        CHECK_KNOWN(mtoken_task_wait(task, 20000));
        mtoken_task_free(task);
    }
}

static void freeing_races_with_use(void)
{
    for (int round = 0; round < rounds(40); round++) {
        shared shared = open_shared();
        pthread_t threads[THREADS];
        for (int i = 0; i < THREADS; i++) CHECK_INT(pthread_create(&threads[i], NULL, use_until_gone, &shared), 0);
        sleep_ms(round % 5);
        if (round % 2) mtoken_runtime_free(shared.runtime);
        mtoken_client_free(shared.client);
        for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
        if (round % 2 == 0) mtoken_runtime_free(shared.runtime);
        mtoken_store_free(shared.store);
    }
}

/* Two threads free the same handle: one does, the other finds nothing. */
typedef struct double_free {
    mtoken_runtime *runtime;
    mtoken_store *store;
    mtoken_client *client;
    mtoken_task *task;
    pthread_barrier_t barrier;
} double_free;

static void *free_all(void *context)
{
    double_free *all = context;
    pthread_barrier_wait(&all->barrier);
    mtoken_task_free(all->task);
    mtoken_client_free(all->client);
    mtoken_store_free(all->store);
    mtoken_runtime_free(all->runtime);
    return NULL;
}

static void double_free_is_harmless(void)
{
    for (int round = 0; round < rounds(60); round++) {
        double_free all;
        CHECK_OK(mtoken_runtime_new(NULL, &all.runtime, NULL));
        CHECK_OK(mtoken_store_memory_new(&all.store, NULL));
        all.client = plain_client(all.runtime, all.store, "a", CLOSED_URL);
        CHECK_OK(mtoken_client_synchronize_time(all.client, &all.task, NULL));
        pthread_barrier_init(&all.barrier, NULL, THREADS);
        in_threads(free_all, &all);
        pthread_barrier_destroy(&all.barrier);
    }
}

static const test tests[] = {
    {"each has a world", each_has_a_world},
    {"child programs inherit nothing", child_programs_inherit_nothing},
    {"all share a client", all_share_a_client},
    {"clients come and go", clients_come_and_go},
    {"one name serves one client", one_name_serves_one_client},
    {"freeing races with use", freeing_races_with_use},
    {"double free is harmless", double_free_is_harmless},
};

int main(int argc, char **argv)
{
    after_each = plain_after_each;
    return RUN(tests);
}
