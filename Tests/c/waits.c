/* Waiting: joining a task, being told of it with a tag, ending waits, and what a runtime tells of itself. */
#define _GNU_SOURCE
#include "plain.h"

#include <dirent.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef struct scene {
    mtoken_runtime *runtime;
    mtoken_store *store;
    mtoken_client *client;
    silent_server server; /* takes connections and never answers: its tasks run until they are cancelled */
    mtoken_client *silent;
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
    scene.server = silent_server_open();
    mtoken_client_options silent = plain_options(scene.store, "s", scene.server.url);
    silent.timeout_ms = 600000; /* longer than any test takes */
    CHECK_OK(mtoken_client_new(scene.runtime, &silent, &scene.silent, NULL));
    return scene;
}

static void close_scene(scene *scene)
{
    mtoken_client_free(scene->client);
    mtoken_client_free(scene->silent);
    mtoken_store_free(scene->store);
    mtoken_runtime_free(scene->runtime);
    silent_server_close(&scene->server);
}

static mtoken_task *start(mtoken_client *client)
{
    mtoken_task *task = NULL;
    CHECK_OK(mtoken_client_synchronize_time(client, &task, NULL));
    return task;
}

static mtoken_event *next(mtoken_runtime *runtime, int64_t timeout)
{
    mtoken_event *event = NULL;
    CHECK_KNOWN(mtoken_runtime_next_event(runtime, timeout, &event, NULL));
    return event;
}

/* -----------------------------------------------------------------------------------------------------------------
 * join */

static void join_gives_status_and_error(void)
{
    scene scene = open_scene(MTOKEN_EVENT_MASK_NONE, MTOKEN_LOG_OFF);
    mtoken_error *error = (mtoken_error *)1, *again = NULL;
    mtoken_task *task = start(scene.client);
    CHECK_STATUS(mtoken_task_join(task, 20000, &error), MTOKEN_ERROR_NETWORK);
    CHECK_STATUS(mtoken_task_join(task, 0, &again), MTOKEN_ERROR_NETWORK); /* as often as one likes */
    CHECK_STATUS(mtoken_task_join(task, MTOKEN_FOREVER, NULL), MTOKEN_ERROR_NETWORK);
    mtoken_task_free(task);
    /* The errors are the host's own: they outlive their task. */
    if (CHECK(error && again && error != again)) {
        CHECK_INT(error->code, MTOKEN_ERROR_NETWORK);
        CHECK_TEXT(error->reason, again->reason);
        CHECK(error->message[0]);
    }
    mtoken_error_free(error);
    mtoken_error_free(again);

    /* The wait can be over first, and the task goes on. */
    task = start(scene.silent);
    for (int64_t timeout = 0; timeout <= 30; timeout += 30) {
        CHECK_STATUS(mtoken_task_join(task, timeout, &error), MTOKEN_ERROR_TIMEOUT);
        if (CHECK(error != NULL)) CHECK_TEXT(error->reason, "waitTimeout");
        mtoken_error_free(error);
        CHECK_INT(mtoken_task_get_state(task), MTOKEN_TASK_RUNNING);
    }
    /* A limit that is none says nothing of the request, which goes on. */
    static const int64_t odd[] = {-2, INT32_MIN, INT64_MIN};
    for (size_t index = 0; index < sizeof odd / sizeof *odd; index++) {
        CHECK_STATUS(mtoken_task_join(task, odd[index], &error), MTOKEN_ERROR_ARGUMENT);
        if (CHECK(error != NULL)) CHECK_INT(error->outcome, MTOKEN_OUTCOME_UNKNOWN);
        mtoken_error_free(error);
        CHECK_INT(mtoken_task_get_state(task), MTOKEN_TASK_RUNNING);
    }
    CHECK_OK(mtoken_task_cancel(task));
    CHECK_STATUS(mtoken_task_join(task, 20000, &error), MTOKEN_ERROR_CANCELLED);
    if (CHECK(error != NULL)) CHECK(strcmp(error->reason, "interrupted") != 0); /* the task's own */
    mtoken_error_free(error);
    mtoken_task_free(task);
    close_scene(&scene);
}

/* ---------------------------------------------------------------------------------------------------------------
 * notify */

static void notified_task_tells_its_tag(void)
{
    static const int32_t masks[] = {MTOKEN_EVENT_MASK_NONE, MTOKEN_EVENT_MASK_STATE, MTOKEN_EVENT_MASK_TASKS};
    for (size_t i = 0; i < 3; i++) {
        scene scene = open_scene(masks[i], MTOKEN_LOG_OFF);
        bool all = masks[i] & MTOKEN_EVENT_MASK_TASKS;
        struct pollfd watched = {mtoken_runtime_fd(scene.runtime), POLLIN, 0};

        /* Before it has completed: one event for each call, and no other. */
        mtoken_task *task = start(scene.silent);
        CHECK_OK(mtoken_task_notify(task, UINT64_MAX, NULL));
        CHECK_OK(mtoken_task_notify(task, 7, NULL));
        CHECK_INT(poll(&watched, 1, 0), 0);
        CHECK(next(scene.runtime, 0) == NULL);
        CHECK_OK(mtoken_task_cancel(task));
        static const uint64_t tags[] = {UINT64_MAX, 7};
        for (int k = 0; k < 2; k++) {
            CHECK_INT(poll(&watched, 1, 20000), 1);
            mtoken_event *event = next(scene.runtime, 20000);
            if (CHECK(event != NULL)) {
                CHECK_INT(event->kind, MTOKEN_EVENT_TASK);
                CHECK(event->tag == tags[k]);
                CHECK(event->task == task && event->client == scene.silent);
                CHECK(event->time > 1600000000000 && event->dropped == 0 && event->is_loading == 0);
                CHECK_INT(mtoken_task_get_state(event->task), MTOKEN_TASK_CANCELLED);
            }
            mtoken_event_free(event);
        }
        CHECK(next(scene.runtime, 20) == NULL);

        /* After it has completed: at once. */
        CHECK_OK(mtoken_task_notify(task, 9, NULL));
        mtoken_event *event = next(scene.runtime, 0);
        if (CHECK(event != NULL)) {
            CHECK(event->tag == 9 && event->task == task && event->client == scene.silent);
            CHECK_INT(event->kind, MTOKEN_EVENT_TASK);
        }
        mtoken_event_free(event);
        mtoken_task_free(task);

        /* Without a word, only a runtime that tells of all tasks tells of this one. */
        task = start(scene.silent);
        CHECK_OK(mtoken_task_cancel(task));
        CHECK_OK(mtoken_task_wait(task, 20000));
        event = next(scene.runtime, all ? 20000 : 20);
        CHECK((event != NULL) == all);
        if (event) CHECK(event->tag == 0 && event->task == task);
        mtoken_event_free(event);
        mtoken_task_free(task);
        close_scene(&scene);
    }
}

/* Asking may race with completing: each call is one event all the same. */
static void notifying_may_race_with_completing(void)
{
    scene scene = open_scene(MTOKEN_EVENT_MASK_NONE, MTOKEN_LOG_OFF);
    int rounds = under_valgrind() ? 20 : 400;
    for (int i = 1; i <= rounds; i++) {
        mtoken_task *task = start(scene.client);
        for (int spin = 0; spin < i % 7 * 1000; spin++) __asm__ volatile("");
        if (i % 3 == 0) CHECK_OK(mtoken_task_wait(task, 20000));
        CHECK_OK(mtoken_task_notify(task, (uint64_t)i, NULL));
        mtoken_event *event = next(scene.runtime, 20000);
        CHECK(event && event->tag == (uint64_t)i && event->task == task);
        mtoken_event_free(event);
        CHECK(next(scene.runtime, 0) == NULL);
        mtoken_task_free(task);
    }
    close_scene(&scene);
}

static void nobody_is_told_after_the_end(void)
{
    mtoken_runtime *runtime = NULL;
    mtoken_store *store = NULL;
    mtoken_error *error = NULL;
    CHECK_OK(mtoken_runtime_new(NULL, &runtime, NULL));
    CHECK_OK(mtoken_store_memory_new(&store, NULL));
    mtoken_client *client = plain_client(runtime, store, "a", CLOSED_URL);
    mtoken_task *task = start(client);
    mtoken_runtime_free(runtime);
    CHECK_ERROR(mtoken_task_notify(task, 1, &error), MTOKEN_ERROR_STATE, error);
    CHECK(mtoken_task_join(task, 0, NULL) != MTOKEN_ERROR_TIMEOUT);
    mtoken_task_free(task);
    mtoken_client_free(client);
    mtoken_store_free(store);
}

/* ------------------------------------------------------------------------------------------------------------
 * interrupt */

typedef struct waiter {
    mtoken_runtime *runtime;
    mtoken_task *task; /* NULL: waits for an event */
    bool joins;
    pthread_t thread;
    atomic_int id;
    atomic_bool has_left;
    mtoken_status status;
    char reason[32];
} waiter;

static void *wait_long(void *context)
{
    waiter *waiter = context;
    mtoken_event *event = NULL;
    mtoken_error *error = NULL;
    atomic_store(&waiter->id, (int)syscall(SYS_gettid));
    if (!waiter->task)
        waiter->status = mtoken_runtime_next_event(waiter->runtime, MTOKEN_FOREVER, &event, &error);
    else if (waiter->joins)
        waiter->status = mtoken_task_join(waiter->task, 3600000, &error);
    else
        waiter->status = mtoken_task_wait(waiter->task, MTOKEN_FOREVER);
    snprintf(waiter->reason, sizeof waiter->reason, "%s", error ? error->reason : "");
    mtoken_error_free(error);
    mtoken_event_free(event);
    atomic_store(&waiter->has_left, true);
    return NULL;
}

static void begin(waiter *waiter, mtoken_runtime *runtime, mtoken_task *task, bool joins)
{
    memset(waiter, 0, sizeof *waiter);
    waiter->runtime = runtime;
    waiter->task = task;
    waiter->joins = joins;
    CHECK_INT(pthread_create(&waiter->thread, NULL, wait_long, waiter), 0);
}

/* How often the process's other threads were switched so far; negative when one of them does not sleep. */
static int64_t switches_of_sleepers(void)
{
    int64_t sum = 0, own = syscall(SYS_gettid);
    DIR *threads = opendir("/proc/self/task");
    if (!CHECK(threads != NULL)) return 0;
    for (struct dirent *entry; (entry = readdir(threads)) && sum >= 0;) {
        char path[300], line[256];
        long long count;
        if (entry->d_name[0] == '.' || atoll(entry->d_name) == own) continue;
        snprintf(path, sizeof path, "/proc/self/task/%s/status", entry->d_name);
        FILE *file = fopen(path, "r");
        if (!file) continue; /* it has ended */
        while (sum >= 0 && fgets(line, sizeof line, file)) {
            if (strncmp(line, "State:", 6) == 0 && !strstr(line, "(sleeping)"))
                sum = -1;
            else if (sscanf(line, "voluntary_ctxt_switches: %lld", &count) == 1 ||
                     sscanf(line, "nonvoluntary_ctxt_switches: %lld", &count) == 1)
                sum += count;
        }
        fclose(file);
    }
    closedir(threads);
    return sum;
}

/* Waits until threads sleep in their waits. A thread that sleeps may only wait for a lock; but when all other threads
 * of the process sleep at one moment, nobody has a lock to wait for. They did so between two looks that find all of
 * them asleep if none was switched meanwhile. */
static void let_sleep(waiter *waiters, int count)
{
    for (int i = 0; i < count; i++)
        while (atomic_load(&waiters[i].id) == 0) sleep_ms(1);
    if (under_valgrind()) { /* there, all threads but one sleep at any time */
        sleep_ms(200);
        return;
    }
    for (;; sleep_ms(1)) {
        int64_t before = switches_of_sleepers();
        if (before >= 0 && switches_of_sleepers() == before) return;
    }
}

static void interrupting_ends_all_waits_once(void)
{
    scene scene = open_scene(MTOKEN_EVENT_MASK_TASKS, MTOKEN_LOG_OFF),
          other = open_scene(MTOKEN_EVENT_MASK_TASKS, MTOKEN_LOG_OFF);
    mtoken_task *task = start(scene.silent), *second = start(scene.silent), *foreign = start(other.silent);
    enum { COUNT = 6 };
    waiter waiters[COUNT], strangers[2];
    int rounds = under_valgrind() ? 2 : 20;
    begin(&strangers[0], other.runtime, NULL, false);
    begin(&strangers[1], other.runtime, foreign, true);
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < COUNT; i++) begin(&waiters[i], scene.runtime, i < 2 ? NULL : i < 4 ? task : second, i % 2);
        let_sleep(waiters, COUNT);
        CHECK_OK(mtoken_runtime_interrupt(scene.runtime, NULL));
        for (int i = 0; i < COUNT; i++) {
            pthread_join(waiters[i].thread, NULL);
            CHECK_STATUS(waiters[i].status, MTOKEN_ERROR_CANCELLED);
            if (!waiters[i].task || waiters[i].joins) CHECK_TEXT(waiters[i].reason, "interrupted");
        }
        /* What begins later is not touched. */
        CHECK_STATUS(mtoken_task_wait(task, 5), MTOKEN_ERROR_TIMEOUT);
        CHECK_STATUS(mtoken_task_join(task, 5, NULL), MTOKEN_ERROR_TIMEOUT);
        CHECK(next(scene.runtime, 5) == NULL);
        CHECK_INT(mtoken_task_get_state(task), MTOKEN_TASK_RUNNING);
    }
    /* Another runtime's waits go on. */
    CHECK(!atomic_load(&strangers[0].has_left) && !atomic_load(&strangers[1].has_left));
    CHECK_OK(mtoken_task_cancel(foreign));
    for (int i = 0; i < 2; i++) pthread_join(strangers[i].thread, NULL);
    CHECK_OK(strangers[0].status);
    CHECK_STATUS(strangers[1].status, MTOKEN_ERROR_CANCELLED);
    CHECK(strcmp(strangers[1].reason, "interrupted") != 0);

    /* What has come already is given out, interrupted or not. */
    CHECK_OK(mtoken_task_cancel(task));
    CHECK_OK(mtoken_task_wait(task, 20000));
    CHECK_OK(mtoken_runtime_interrupt(scene.runtime, NULL));
    mtoken_event *event = next(scene.runtime, 20000);
    CHECK(event && event->task == task);
    mtoken_event_free(event);
    mtoken_task_free(task);
    mtoken_task_free(second);
    mtoken_task_free(foreign);
    close_scene(&scene);
    close_scene(&other);
}

/* The pattern of the header: a flag, then interrupt until the waiter has left. */
typedef struct patient {
    mtoken_runtime *runtime;
    atomic_bool leave, has_left;
    atomic_int waits;
} patient;

static void *wait_again_and_again(void *context)
{
    patient *patient = context;
    while (!atomic_load(&patient->leave)) {
        mtoken_event *event = NULL;
        atomic_fetch_add(&patient->waits, 1);
        CHECK_STATUS(mtoken_runtime_next_event(patient->runtime, MTOKEN_FOREVER, &event, NULL), MTOKEN_ERROR_CANCELLED);
    }
    atomic_store(&patient->has_left, true);
    return NULL;
}

static void waiter_is_fetched_out(void)
{
    int rounds = under_valgrind() ? 5 : 200;
    mtoken_runtime *runtime = NULL;
    CHECK_OK(mtoken_runtime_new(NULL, &runtime, NULL)); /* without events: waiting is just waiting */
    for (int round = 0; round < rounds; round++) {
        patient patient;
        pthread_t thread;
        memset(&patient, 0, sizeof patient);
        patient.runtime = runtime;
        CHECK_INT(pthread_create(&thread, NULL, wait_again_and_again, &patient), 0);
        if (round % 2)
            while (atomic_load(&patient.waits) == 0)
                ;
        atomic_store(&patient.leave, true);
        do CHECK_OK(mtoken_runtime_interrupt(runtime, NULL));
        while (!atomic_load(&patient.has_left));
        pthread_join(thread, NULL);
    }
    mtoken_runtime_free(runtime);
}

/* A wait ends when the runtime is freed: for an event with STATE, for a task with what became of that. */
static void freeing_wakes_who_waits(void)
{
    static const int32_t masks[] = {MTOKEN_EVENT_MASK_NONE, MTOKEN_EVENT_MASK_ALL};
    for (size_t i = 0; i < 2; i++) {
        scene scene = open_scene(masks[i], MTOKEN_LOG_OFF);
        mtoken_task *task = start(scene.silent);
        waiter waiters[3];
        for (mtoken_event *event; (event = next(scene.runtime, 100));) mtoken_event_free(event); /* a trace */
        begin(&waiters[0], scene.runtime, NULL, false);
        begin(&waiters[1], scene.runtime, task, true);
        begin(&waiters[2], scene.runtime, task, false);
        let_sleep(waiters, 3);
        mtoken_runtime_free(scene.runtime);
        for (int k = 0; k < 3; k++) pthread_join(waiters[k].thread, NULL);
        if (masks[i] == MTOKEN_EVENT_MASK_NONE) { /* else the event of the task may come first */
            CHECK_STATUS(waiters[0].status, MTOKEN_ERROR_STATE);
            CHECK_TEXT(waiters[0].reason, "invalidState");
        }
        CHECK_STATUS(waiters[1].status, MTOKEN_ERROR_CANCELLED);
        CHECK(strcmp(waiters[1].reason, "interrupted") != 0);
        CHECK_OK(waiters[2].status);
        mtoken_task_free(task);
        close_scene(&scene);
    }
}

/* ------------------------------------------------------------------------------------------------------------- the
 * runtime */

static mtoken_runtime_info info_of(mtoken_runtime *runtime)
{
    mtoken_runtime_info *info = NULL, copy;
    memset(&copy, 0, sizeof copy);
    if (CHECK_OK(mtoken_runtime_get_info(runtime, &info, NULL))) copy = *info;
    mtoken_runtime_info_free(info);
    return copy;
}

static void runtime_tells_how_it_stands(void)
{
    mtoken_runtime *runtime = NULL;
    mtoken_store *store = NULL;
    mtoken_runtime_options options = MTOKEN_RUNTIME_OPTIONS_INIT;
    options.events = MTOKEN_EVENT_MASK_TASKS;
    options.max_transfers = 2;
    CHECK_OK(mtoken_runtime_new(&options, &runtime, NULL));
    CHECK_OK(mtoken_store_memory_new(&store, NULL));
    silent_server server = silent_server_open();
    enum { COUNT = 5 };
    mtoken_client *clients[COUNT];
    mtoken_task *tasks[COUNT];
    mtoken_runtime_info info = info_of(runtime);
    CHECK(info.requests_under_way == 0 && info.requests_waiting == 0 && info.events_waiting == 0 &&
          info.tasks_running == 0);
    CHECK(info.clients == 0 && info.pollers == 0 && info.dropped_log_events == 0 && info.dropped_trace_events == 0);
    for (int i = 0; i < COUNT; i++) {
        char id[8];
        snprintf(id, sizeof id, "c%d", i);
        clients[i] = plain_client(runtime, store, id, server.url);
        tasks[i] = start(clients[i]);
    }
    info = info_of(runtime);
    CHECK_INT(info.clients, COUNT);
    CHECK_INT(info.tasks_running, COUNT);
    do /* the requests start on the runtime's thread */
        info = info_of(runtime);
    while (info.requests_under_way + info.requests_waiting < COUNT || info.requests_under_way != 2);
    CHECK_INT(info.requests_waiting, COUNT - 2);
    CHECK_INT(info.events_waiting, 0);
    for (int i = 0; i < COUNT; i++) CHECK_OK(mtoken_task_cancel(tasks[i]));
    for (int i = 0; i < COUNT; i++) CHECK_OK(mtoken_task_wait(tasks[i], 20000));
    do /* the event follows its task */
        info = info_of(runtime);
    while (info.events_waiting < COUNT);
    CHECK(info.requests_under_way == 0 && info.requests_waiting == 0 && info.tasks_running == 0);
    CHECK_INT(info.events_waiting, COUNT);
    for (int i = 0; i < COUNT; i++) {
        mtoken_event_free(next(runtime, 0));
        mtoken_task_free(tasks[i]);
        mtoken_client_free(clients[i]);
    }
    info = info_of(runtime);
    CHECK(info.clients == 0 && info.events_waiting == 0);
    mtoken_task *refused = NULL; /* a call that is not started is no task */
    mtoken_client *client = plain_client(runtime, store, "x", server.url);
    CHECK_STATUS(mtoken_client_fetch_status(client, &refused, NULL), MTOKEN_ERROR_NOT_ACTIVATED);
    CHECK_INT(info_of(runtime).tasks_running, 0);
    mtoken_client_free(client);
    mtoken_store_free(store);
    mtoken_runtime_free(runtime);
    silent_server_close(&server);
}

/* Log lines and traces that nobody reads are dropped and counted; what matters never is. */
static void only_logs_and_traces_are_dropped(void)
{
    scene scene =
        open_scene(MTOKEN_EVENT_MASK_LOG | MTOKEN_EVENT_MASK_TRACE | MTOKEN_EVENT_MASK_TASKS, MTOKEN_LOG_DEBUG);
    enum { BOUND = 10000 };
    int64_t told_tasks = 0, started = 0, told = 0;
    mtoken_runtime_info info = info_of(scene.runtime);
    while (info.dropped_log_events < 50 || info.dropped_trace_events < 50) {
        mtoken_task *tasks[50];
        for (int i = 0; i < 50; i++, started++) { /* each by itself: equal ones at once would be one */
            tasks[i] = start(scene.client);
            CHECK_OK(mtoken_task_wait(tasks[i], 20000));
            mtoken_task_free(tasks[i]);
        }
        info = info_of(scene.runtime);
    }
    CHECK(info.events_waiting >= BOUND);
    mtoken_event *event;
    while ((event = next(scene.runtime, 200))) {
        told_tasks += event->kind == MTOKEN_EVENT_TASK;
        told += event->dropped;
        mtoken_event_free(event);
    }
    CHECK_INT(told_tasks, started);
    /* Those that were dropped last are told with the next event. */
    mtoken_task *task = start(scene.client);
    while ((event = next(scene.runtime, 200))) {
        told += event->dropped;
        mtoken_event_free(event);
    }
    mtoken_task_free(task);
    info = info_of(scene.runtime);
    CHECK_INT(told, info.dropped_log_events + info.dropped_trace_events);
    close_scene(&scene);
}

static const test tests[] = {
    {"join gives status and error", join_gives_status_and_error},
    {"a notified task tells its tag", notified_task_tells_its_tag},
    {"notifying may race with completing", notifying_may_race_with_completing},
    {"nobody is told after the end", nobody_is_told_after_the_end},
    {"interrupting ends all waits once", interrupting_ends_all_waits_once},
    {"a waiter is fetched out", waiter_is_fetched_out},
    {"freeing wakes who waits", freeing_wakes_who_waits},
    {"the runtime tells how it stands", runtime_tells_how_it_stands},
    {"only logs and traces are dropped", only_logs_and_traces_are_dropped},
};

int main(int argc, char **argv)
{
    after_each = plain_after_each;
    return RUN(tests);
}
