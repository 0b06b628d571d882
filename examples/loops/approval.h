/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An approval in steps, for a program with an event loop: it never blocks. The loop programs next to this file
 * differ only in how they learn that there is something to read.
 *
 *   approval_open    opens a device that was activated before (examples/c/approve.c) and requests its operations
 *   approval_fd      the descriptor to watch
 *   approval_read    call it when readable: takes the next step; 0 when all is done
 *   approval_close   frees everything; returns the exit code of the program
 */
#ifndef APPROVAL_H
#define APPROVAL_H

#include <mtoken.h>

#include <stdio.h>
#include <string.h>

typedef struct approval {
    mtoken_runtime *runtime;
    mtoken_store *store;
    mtoken_client *client;
    mtoken_auth auth;
    mtoken_task *list;
    mtoken_task *authorization;
    int failed;
    int ticks; /* ticks of the loop's own timer: the loop is free while the network is busy */
} approval;

static int approval_failed(approval *approval, const mtoken_error *error)
{
    fprintf(stderr, "%s (%s): %s\n", mtoken_error_name(error->code), error->reason, error->message);
    approval->failed = 1;
    return 0;
}

static int approval_check(approval *approval, mtoken_status status, mtoken_error *error)
{
    if (status == MTOKEN_OK) return 1;
    approval_failed(approval, error);
    mtoken_error_free(error);
    return 0;
}

/* argv: URL CA-FILE SDK-CONFIGURATION STORE PIN. Returns 0 on failure. */
static int approval_open(approval *approval, int argc, char **argv)
{
    memset(approval, 0, sizeof *approval);
    if (argc != 6) {
        fprintf(stderr, "usage: %s URL CA-FILE SDK-CONFIGURATION STORE PIN\n", argv[0]);
        approval->failed = 2;
        return 0;
    }
    mtoken_error *error = NULL;
    mtoken_runtime_options runtime_options = MTOKEN_RUNTIME_OPTIONS_INIT;
    runtime_options.events = MTOKEN_EVENT_MASK_TASKS;
    mtoken_client_options options = MTOKEN_CLIENT_OPTIONS_INIT;
    options.id = MTOKEN_TEXT("demo");
    options.base_url = MTOKEN_TEXT(argv[1]);
    options.ca_file = MTOKEN_TEXT(argv[2]);
    options.configuration = MTOKEN_TEXT(argv[3]);
    const mtoken_auth auth = MTOKEN_AUTH_INIT;
    approval->auth = auth;
    approval->auth.pin = MTOKEN_BYTES((const uint8_t *)argv[5], strlen(argv[5]));
    if (!approval_check(approval, mtoken_runtime_new(&runtime_options, &approval->runtime, &error), error) ||
        !approval_check(approval, mtoken_store_directory_new(argv[4], MTOKEN_NUL_TERMINATED, &approval->store, &error),
                        error))
        return 0;
    options.store = approval->store;
    return approval_check(approval, mtoken_client_new(approval->runtime, &options, &approval->client, &error), error) &&
           approval_check(approval, mtoken_operations_list(approval->client, &approval->list, &error), error);
}

static int approval_fd(const approval *approval) { return mtoken_runtime_fd(approval->runtime); }

/* A task has completed. Returns 0 when there is nothing left to wait for. */
static int approval_step(approval *approval, mtoken_task *completed)
{
    mtoken_error *error = NULL;
    if (mtoken_task_error(completed)) return approval_failed(approval, mtoken_task_error(completed));
    if (completed == approval->authorization) {
        printf("approved, after %d ticks\n", approval->ticks);
        return 0;
    }
    const mtoken_operation_list *list = mtoken_task_operations(approval->list);
    if (list->count == 0) {
        printf("nothing waits for approval\n");
        return 0;
    }
    const mtoken_operation *operation = list->operations[0];
    printf("%s: %s\nyou sign:\n%s\n", operation->title, operation->message, operation->summary);
    return approval_check(approval,
                          mtoken_operations_authorize(approval->client, operation, &approval->auth, NULL,
                                                      &approval->authorization, &error),
                          error);
}

/* Reads the queued events. Returns 1 while more will come, 0 when all is done. */
static int approval_read(approval *approval)
{
    mtoken_event *event = NULL;
    int more = 1;
    while (more && mtoken_runtime_next_event(approval->runtime, 0, &event, NULL) == MTOKEN_OK) {
        more = approval_step(approval, event->task);
        mtoken_event_free(event);
    }
    return more;
}

static int approval_close(approval *approval)
{
    mtoken_task_free(approval->authorization);
    mtoken_task_free(approval->list);
    mtoken_client_free(approval->client);
    mtoken_store_free(approval->store);
    mtoken_runtime_free(approval->runtime);
    return approval->failed;
}

#endif
