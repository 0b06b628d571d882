/* Events: their order, each exactly once, and the descriptor that tells of them. */
#define _GNU_SOURCE
#include "plain.h"

#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <unistd.h>

typedef struct scene {
    mtoken_runtime *runtime;
    mtoken_store *store;
    mtoken_client *client;
} scene;

static scene open_scene(int32_t events, int32_t log_level)
{
    scene scene;
    mtoken_runtime_options options = MTOKEN_RUNTIME_OPTIONS_INIT;
    options.events = events;
    options.log_level = log_level;
    CHECK_OK(mtoken_runtime_new(&options, &scene.runtime, NULL));
    CHECK_OK(mtoken_store_memory_new(&scene.store, NULL));
    scene.client = plain_client(scene.runtime, scene.store, "a", CLOSED_URL);
    return scene;
}

static void close_scene(scene *scene)
{
    mtoken_client_free(scene->client);
    mtoken_store_free(scene->store);
    mtoken_runtime_free(scene->runtime);
}

static bool readable(mtoken_runtime *runtime, int timeout)
{
    struct pollfd watched = {mtoken_runtime_fd(runtime), POLLIN, 0};
    return poll(&watched, 1, timeout) == 1 && (watched.revents & POLLIN);
}

static mtoken_event *next(mtoken_runtime *runtime, int64_t timeout)
{
    mtoken_event *event = NULL;
    CHECK_KNOWN(mtoken_runtime_next_event(runtime, timeout, &event, NULL));
    return event;
}

static mtoken_task *start(const scene *scene)
{
    mtoken_task *task = NULL;
    CHECK_OK(mtoken_client_synchronize_time(scene->client, &task, NULL));
    return task;
}

static void tasks_are_told_once_and_in_order(void)
{
    scene scene = open_scene(MTOKEN_EVENT_MASK_TASKS, MTOKEN_LOG_DEBUG);
    enum { COUNT = 50 };
    mtoken_task *tasks[COUNT];
    int64_t last = 0;
    CHECK(!readable(scene.runtime, 0));
    CHECK(next(scene.runtime, 0) == NULL);
    for (int i = 0; i < COUNT; i++) {
        tasks[i] = start(&scene);
        CHECK_OK(mtoken_task_wait(tasks[i], 20000)); /* one by one, so that the order is known */
    }
    for (int i = 0; i < COUNT; i++) {
        CHECK(readable(scene.runtime, 5000));
        mtoken_event *event = next(scene.runtime, 5000);
        if (!CHECK(event)) break;
        CHECK_INT(event->kind, MTOKEN_EVENT_TASK);
        CHECK(event->task == tasks[i]);
        CHECK(event->client == scene.client);
        CHECK(event->message == NULL);
        CHECK_INT(event->log_level, 0);
        CHECK(event->time >= last);
        last = event->time;
        CHECK(last > 1600000000000);
        mtoken_event_free(event);
    }
    sleep_ms(20);
    CHECK(!readable(scene.runtime, 0));
    CHECK(next(scene.runtime, 0) == NULL);
    for (int i = 0; i < COUNT; i++) mtoken_task_free(tasks[i]);
    close_scene(&scene);
}

static void completed_task_is_complete_when_it_is_told(void)
{
    scene scene = open_scene(MTOKEN_EVENT_MASK_TASKS, MTOKEN_LOG_OFF);
    for (int i = 0; i < 30; i++) {
        mtoken_task *task = start(&scene);
        mtoken_event *event = next(scene.runtime, 20000);
        if (CHECK(event) && CHECK(event->task == task)) {
            CHECK_OK(mtoken_task_wait(task, 0));
            CHECK_STATUS(mtoken_task_result(task), MTOKEN_ERROR_NETWORK);
        }
        mtoken_event_free(event);
        mtoken_task_free(task);
    }
    close_scene(&scene);
}

static void only_wanted_kinds_come(void)
{
    static const int32_t kinds[] = {MTOKEN_EVENT_MASK_NONE, MTOKEN_EVENT_MASK_TASKS, MTOKEN_EVENT_MASK_STATE,
                                    MTOKEN_EVENT_MASK_LOG, MTOKEN_EVENT_MASK_ALL};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        scene scene = open_scene(kinds[i], MTOKEN_LOG_INFO);
        mtoken_task *task = start(&scene);
        int told[MTOKEN_EVENT_TRACE + 1] = {0};
        CHECK_OK(mtoken_task_wait(task, 20000));
        for (mtoken_event *event; (event = next(scene.runtime, 200));) {
            int32_t kind = event->kind;
            if (CHECK(kind == MTOKEN_EVENT_TASK || kind == MTOKEN_EVENT_STATE_STORED || kind == MTOKEN_EVENT_LOG ||
                      kind == MTOKEN_EVENT_TRACE))
                told[kind]++;
            if (kind == MTOKEN_EVENT_LOG) {
                CHECK(event->message && event->message[0]);
                CHECK(event->log_level >= MTOKEN_LOG_ERROR && event->log_level <= MTOKEN_LOG_INFO);
                CHECK(event->task == NULL);
            }
            mtoken_event_free(event);
            if (kinds[i] == MTOKEN_EVENT_MASK_TASKS) break;
        }
        CHECK_INT(told[MTOKEN_EVENT_TASK], kinds[i] & MTOKEN_EVENT_MASK_TASKS ? 1 : 0);
        CHECK_INT(told[MTOKEN_EVENT_STATE_STORED], 0);
        CHECK_INT(told[MTOKEN_EVENT_LOG] > 0, (kinds[i] & MTOKEN_EVENT_MASK_LOG) != 0);
        CHECK_INT(told[MTOKEN_EVENT_TRACE] > 0, (kinds[i] & MTOKEN_EVENT_MASK_TRACE) != 0);
        mtoken_task_free(task);
        close_scene(&scene);
    }
}

static void descriptor_is_for_watching(void)
{
    scene scene = open_scene(MTOKEN_EVENT_MASK_TASKS, MTOKEN_LOG_OFF);
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event wanted = {EPOLLIN | EPOLLET, {0}}, got;
    CHECK(mtoken_runtime_fd(scene.runtime) >= 0);
    CHECK_INT(mtoken_runtime_fd(scene.runtime), mtoken_runtime_fd(scene.runtime));
    CHECK_INT(epoll_ctl(epoll, EPOLL_CTL_ADD, mtoken_runtime_fd(scene.runtime), &wanted), 0);
    CHECK_INT(epoll_wait(epoll, &got, 1, 0), 0);
    for (int round = 0; round < 20; round++) {
        mtoken_task *task = start(&scene);
        CHECK_INT(epoll_wait(epoll, &got, 1, 20000), 1); /* edge-triggered: one for each time that it was empty */
        mtoken_event *event = next(scene.runtime, 0);
        CHECK(event && event->task == task);
        mtoken_event_free(event);
        CHECK(next(scene.runtime, 0) == NULL);
        CHECK_INT(epoll_wait(epoll, &got, 1, 0), 0);
        mtoken_task_free(task);
    }
    close(epoll);
    close_scene(&scene);
}

/* Several threads read one queue: together they get each event once. */
typedef struct reader {
    mtoken_runtime *runtime;
    mtoken_task **tasks;
    int *told, count;
    pthread_t thread;
} reader;

static void *read_events(void *context)
{
    reader *reader = context;
    for (mtoken_event *event; (event = next(reader->runtime, 300));) {
        for (int i = 0; i < reader->count; i++)
            if (reader->tasks[i] == event->task) __atomic_add_fetch(&reader->told[i], 1, __ATOMIC_SEQ_CST);
        mtoken_event_free(event);
    }
    return NULL;
}

static void several_threads_may_read(void)
{
    scene scene = open_scene(MTOKEN_EVENT_MASK_TASKS, MTOKEN_LOG_OFF);
    enum { COUNT = 200, READERS = 4 };
    mtoken_task *tasks[COUNT];
    int told[COUNT] = {0};
    reader readers[READERS];
    for (int i = 0; i < COUNT; i++) tasks[i] = start(&scene);
    for (int i = 0; i < READERS; i++) {
        reader reader = {scene.runtime, tasks, told, COUNT, 0};
        readers[i] = reader;
        CHECK_INT(pthread_create(&readers[i].thread, NULL, read_events, &readers[i]), 0);
    }
    for (int i = 0; i < READERS; i++) pthread_join(readers[i].thread, NULL);
    for (int i = 0; i < COUNT; i++) {
        if (!CHECK_INT(told[i], 1)) note("task %d", i);
        mtoken_task_free(tasks[i]);
    }
    close_scene(&scene);
}

/* What was queued can be freed unread, with its task and client gone. */
static void unread_events_are_no_trouble(void)
{
    scene scene = open_scene(MTOKEN_EVENT_MASK_ALL, MTOKEN_LOG_DEBUG);
    mtoken_event *kept = NULL;
    for (int i = 0; i < 20; i++) {
        mtoken_task *task = start(&scene);
        CHECK_OK(mtoken_task_wait(task, 20000));
        mtoken_task_free(task);
    }
    CHECK((kept = next(scene.runtime, 1000)) != NULL);
    mtoken_client_free(scene.client);
    /* The event names a client that is gone: using the handle says so. */
    mtoken_client *named = kept->client;
    CHECK_STATUS(mtoken_client_reset_time(named, NULL), MTOKEN_ERROR_HANDLE);
    mtoken_store_free(scene.store);
    mtoken_runtime_free(scene.runtime);
    CHECK(kept->kind != 0); /* an event outlives its runtime */
    CHECK(kept->time > 0);
    mtoken_event_free(kept);
}

static const test tests[] = {
    {"tasks are told once and in order", tasks_are_told_once_and_in_order},
    {"a completed task is complete when it is told", completed_task_is_complete_when_it_is_told},
    {"only wanted kinds come", only_wanted_kinds_come},
    {"the descriptor is for watching", descriptor_is_for_watching},
    {"several threads may read", several_threads_may_read},
    {"unread events are no trouble", unread_events_are_no_trouble},
};

int main(int argc, char **argv)
{
    after_each = plain_after_each;
    return RUN(tests);
}
