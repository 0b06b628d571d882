/* Tasks: waiting, cancelling, user data, and what becomes of them when client, runtime or task go away. */
#include "plain.h"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

typedef struct scene {
    mtoken_runtime *runtime;
    mtoken_store *store;
    mtoken_client *client;
    silent_server server;
} scene;

static scene open_scene(bool silent, int32_t events)
{
    scene scene;
    mtoken_runtime_options options = MTOKEN_RUNTIME_OPTIONS_INIT;
    options.events = events;
    scene.server = silent_server_open();
    CHECK_OK(mtoken_runtime_new(&options, &scene.runtime, NULL));
    CHECK_OK(mtoken_store_memory_new(&scene.store, NULL));
    scene.client = plain_client(scene.runtime, scene.store, "a", silent ? scene.server.url : CLOSED_URL);
    return scene;
}

static void close_scene(scene *scene)
{
    mtoken_client_free(scene->client);
    mtoken_store_free(scene->store);
    mtoken_runtime_free(scene->runtime);
    silent_server_close(&scene->server);
}

static mtoken_task *start(const scene *scene)
{
    mtoken_task *task = NULL;
    CHECK_OK(mtoken_client_synchronize_time(scene->client, &task, NULL));
    return task;
}

static void waiting_takes_as_long_as_it_says(void)
{
    scene scene = open_scene(true, 0);
    mtoken_task *task = start(&scene);
    int64_t begin = milliseconds();
    CHECK_STATUS(mtoken_task_wait(task, 0), MTOKEN_ERROR_TIMEOUT);
    CHECK_STATUS(mtoken_task_wait(task, 80), MTOKEN_ERROR_TIMEOUT);
    int64_t span = milliseconds() - begin;
    CHECK(span >= 79 && (under_valgrind() || span < 2000));
    CHECK_INT(mtoken_task_get_state(task), MTOKEN_TASK_RUNNING);
    CHECK_STATUS(mtoken_task_result(task), MTOKEN_ERROR_STATE);
    CHECK(!mtoken_task_error(task) && !mtoken_task_activation(task));
    CHECK_OK(mtoken_task_cancel(task));
    CHECK_OK(mtoken_task_wait(task, 20000));
    CHECK_INT(mtoken_task_get_state(task), MTOKEN_TASK_CANCELLED);
    CHECK_STATUS(mtoken_task_result(task), MTOKEN_ERROR_CANCELLED);
    const mtoken_error *error = mtoken_task_error(task);
    if (CHECK(error)) {
        CHECK_INT(error->code, MTOKEN_ERROR_CANCELLED);
        CHECK_TEXT(error->reason, "canceled");
        CHECK(mtoken_task_error(task) == error);
    }
    CHECK_OK(mtoken_task_cancel(task)); /* nothing happens */
    CHECK_INT(mtoken_task_get_state(task), MTOKEN_TASK_CANCELLED);
    mtoken_task_free(task);
    close_scene(&scene);
}

static void failure_is_told_in_full(void)
{
    scene scene = open_scene(false, 0);
    mtoken_task *task = start(&scene);
    CHECK_OK(mtoken_task_wait(task, MTOKEN_FOREVER));
    CHECK_INT(mtoken_task_get_state(task), MTOKEN_TASK_FAILED);
    const mtoken_error *error = mtoken_task_error(task);
    if (CHECK(error)) {
        CHECK_INT(error->code, MTOKEN_ERROR_NETWORK);
        CHECK_INT(error->outcome, MTOKEN_OUTCOME_NOT_SENT);
        CHECK_TEXT(error->reason, "network_generic");
        CHECK(error->message && error->message[0]);
        CHECK_INT(error->http_status, 0);
        CHECK_INT(error->network_fault, MTOKEN_NETWORK_CONNECTION_REFUSED);
        CHECK_INT(error->tls_fault, MTOKEN_TLS_FAULT_NONE);
        CHECK(!error->server_code && !error->server_message);
        CHECK_INT(error->remaining_attempts, -1);
        CHECK_INT(error->is_retriable, 1);
        CHECK_INT(error->byte_offset, -1);
    }
    mtoken_task_free(task);
    close_scene(&scene);
}

static void own_time_limit_ends_a_call(void)
{
    scene scene = open_scene(true, 0);
    mtoken_client_options options = plain_options(scene.store, "b", scene.server.url);
    mtoken_client *client = NULL;
    mtoken_task *task = NULL;
    options.timeout_ms = 150;
    CHECK_OK(mtoken_client_new(scene.runtime, &options, &client, NULL));
    int64_t begin = milliseconds();
    CHECK_OK(mtoken_client_synchronize_time(client, &task, NULL));
    CHECK_OK(mtoken_task_wait(task, 20000));
    int64_t span = milliseconds() - begin;
    CHECK(span >= 149 && (under_valgrind() || span < 3000));
    CHECK_STATUS(mtoken_task_result(task), MTOKEN_ERROR_TIMEOUT);
    mtoken_task_free(task);
    mtoken_client_free(client);
    close_scene(&scene);
}

static void host_data_stays_with_its_task(void)
{
    scene scene = open_scene(true, MTOKEN_EVENT_MASK_TASKS);
    mtoken_task *tasks[3];
    int data[3] = {1, 2, 3};
    for (int i = 0; i < 3; i++) {
        tasks[i] = start(&scene);
        CHECK(mtoken_task_user_data(tasks[i]) == NULL);
        CHECK_OK(mtoken_task_set_user_data(tasks[i], &data[i]));
    }
    for (int i = 0; i < 3; i++) CHECK_OK(mtoken_task_cancel(tasks[i]));
    for (int i = 0; i < 3; i++) {
        mtoken_event *event = NULL;
        CHECK_OK(mtoken_runtime_next_event(scene.runtime, 20000, &event, NULL));
        CHECK(mtoken_task_user_data(event->task) == &data[i]);
        mtoken_event_free(event);
    }
    CHECK_OK(mtoken_task_set_user_data(tasks[0], NULL));
    CHECK(mtoken_task_user_data(tasks[0]) == NULL);
    for (int i = 0; i < 3; i++) mtoken_task_free(tasks[i]);
    close_scene(&scene);
}

static void freed_task_goes_on(void)
{
    scene scene = open_scene(true, MTOKEN_EVENT_MASK_TASKS);
    mtoken_task *task = start(&scene);
    mtoken_event *event = NULL;
    mtoken_task_free(task);
    CHECK_STATUS(mtoken_runtime_next_event(scene.runtime, 50, &event, NULL), MTOKEN_ERROR_TIMEOUT);
    mtoken_client_free(scene.client); /* now it ends */
    CHECK_OK(mtoken_runtime_next_event(scene.runtime, 20000, &event, NULL));
    CHECK(event->task == task);
    CHECK_INT(mtoken_task_get_state(event->task), -1);
    mtoken_event_free(event);
    close_scene(&scene);
}

static void freed_client_cancels_its_tasks(void)
{
    scene scene = open_scene(true, 0);
    mtoken_client *other = plain_client(scene.runtime, scene.store, "b", scene.server.url);
    enum { COUNT = 10 };
    mtoken_task *tasks[COUNT], *spared = NULL;
    for (int i = 0; i < COUNT; i++) tasks[i] = start(&scene);
    CHECK_OK(mtoken_client_synchronize_time(other, &spared, NULL));
    mtoken_client_free(scene.client);
    for (int i = 0; i < COUNT; i++) {
        CHECK_OK(mtoken_task_wait(tasks[i], 20000));
        CHECK_STATUS(mtoken_task_result(tasks[i]), MTOKEN_ERROR_CANCELLED);
        mtoken_task_free(tasks[i]);
    }
    CHECK_STATUS(mtoken_task_wait(spared, 30), MTOKEN_ERROR_TIMEOUT);
    /* The name is free at once. */
    scene.client = plain_client(scene.runtime, scene.store, "a", scene.server.url);
    mtoken_client_free(other);
    CHECK_OK(mtoken_task_wait(spared, 20000));
    mtoken_task_free(spared);
    close_scene(&scene);
}

/* Whatever of a client and its runtime is freed first. */
static void calls_under_way_are_cancelled(void)
{
    for (int round = 0; round < (under_valgrind() ? 5 : 100); round++) {
        scene scene = open_scene(true, 0);
        enum { COUNT = 16 };
        mtoken_task *tasks[COUNT];
        for (int i = 0; i < COUNT; i++) tasks[i] = start(&scene);
        if (round % 3 > 0) sched_yield();
        if (round % 2 > 0) mtoken_client_free(scene.client);
        if (round % 4 < 3) mtoken_runtime_free(scene.runtime);
        for (int i = 0; i < COUNT; i++) {
            CHECK_STATUS(mtoken_task_join(tasks[i], 20000, NULL), MTOKEN_ERROR_CANCELLED);
            mtoken_task_free(tasks[i]);
        }
        close_scene(&scene);
    }
}

static void runtime_may_go_before_what_uses_it(void)
{
    /* Every order of giving back four things. */
    for (int order = 0; order < 24; order++) {
        scene scene = open_scene(true, 0);
        mtoken_task *task = start(&scene);
        int left[4] = {0, 1, 2, 3}, code = order;
        for (int i = 4; i > 0; i--) {
            int pick = code % i, which = left[pick];
            code /= i;
            left[pick] = left[i - 1];
            switch (which) {
            case 0: mtoken_runtime_free(scene.runtime); break;
            case 1: mtoken_client_free(scene.client); break;
            case 2: mtoken_store_free(scene.store); break;
            default: mtoken_task_free(task);
            }
        }
        silent_server_close(&scene.server);
    }
}

/* Threads wait for a task while others cancel it: each waiter is told, once the task has completed. */
typedef struct race {
    mtoken_task *task;
    bool cancels;
    pthread_t thread;
    mtoken_status status;
} race;

static void *run_race(void *context)
{
    race *race = context;
    if (race->cancels)
        race->status = mtoken_task_cancel(race->task);
    else
        race->status = mtoken_task_wait(race->task, 20000);
    return NULL;
}

static void waiting_and_cancelling_may_race(void)
{
    scene scene = open_scene(true, MTOKEN_EVENT_MASK_TASKS);
    int rounds = under_valgrind() ? 5 : 60;
    for (int round = 0; round < rounds; round++) {
        enum { COUNT = 6 };
        race races[COUNT];
        mtoken_task *task = start(&scene);
        mtoken_event *event = NULL;
        for (int i = 0; i < COUNT; i++) {
            races[i].task = task;
            races[i].cancels = i >= 4;
            races[i].status = -1;
            CHECK_INT(pthread_create(&races[i].thread, NULL, run_race, &races[i]), 0);
        }
        for (int i = 0; i < COUNT; i++) {
            pthread_join(races[i].thread, NULL);
            CHECK_OK(races[i].status);
        }
        CHECK_INT(mtoken_task_get_state(task), MTOKEN_TASK_CANCELLED);
        CHECK_OK(mtoken_runtime_next_event(scene.runtime, 20000, &event, NULL));
        CHECK(event->task == task);
        mtoken_event_free(event);
        CHECK_STATUS(mtoken_runtime_next_event(scene.runtime, 0, &event, NULL), MTOKEN_ERROR_TIMEOUT); /* once */
        mtoken_task_free(task);
    }
    close_scene(&scene);
}

/* A task is freed by one thread while another waits for it: the waiter still gets its answer. */
static void *wait_long(void *context) { return (void *)(intptr_t)mtoken_task_wait(context, 20000); }

static void task_may_be_freed_while_somebody_waits(void)
{
    scene scene = open_scene(true, 0);
    mtoken_task *task = start(&scene);
    pthread_t thread;
    void *status = NULL;
    CHECK_INT(pthread_create(&thread, NULL, wait_long, task), 0);
    sleep_ms(30);
    mtoken_task_free(task);
    sleep_ms(10);
    mtoken_client_free(scene.client);
    pthread_join(thread, &status);
    CHECK((intptr_t)status == MTOKEN_OK || (intptr_t)status == MTOKEN_ERROR_HANDLE);
    close_scene(&scene);
}

static const test tests[] = {
    {"waiting takes as long as it says", waiting_takes_as_long_as_it_says},
    {"a failure is told in full", failure_is_told_in_full},
    {"a client's own time limit ends a call", own_time_limit_ends_a_call},
    {"host data stays with its task", host_data_stays_with_its_task},
    {"a freed task goes on", freed_task_goes_on},
    {"a freed client cancels its tasks", freed_client_cancels_its_tasks},
    {"calls under way are cancelled", calls_under_way_are_cancelled},
    {"things may be given back in any order", runtime_may_go_before_what_uses_it},
    {"waiting and cancelling may race", waiting_and_cancelling_may_race},
    {"a task may be freed while somebody waits", task_may_be_freed_while_somebody_waits},
};

int main(int argc, char **argv)
{
    after_each = plain_after_each;
    return RUN(tests);
}
