/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A mobile token in one page: activates this device, waits until the bank has confirmed that, lists the operations of
 * the user, approves one with the PIN, rejects another, claims a third, and says goodbye.
 *
 *   cc approve.c $(pkg-config --cflags --libs mtoken) -o approve
 *   ./approve URL CA-FILE SDK-CONFIGURATION ACTIVATION-CODE PIN [OPERATION-TO-CLAIM]
 *
 * The state of the token is stored in ./approve-state.
 */
#include <mtoken.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ends the program if a call could not be started. */
static void check(mtoken_status status, mtoken_error **error)
{
    if (status == MTOKEN_OK) return;
    fprintf(stderr, "%s: %s\n", mtoken_error_name(status), *error ? (*error)->message : "");
    mtoken_error_free(*error);
    exit(1);
}

/* Waits for a call; ends the program if it failed. The results live as long as the task. */
static mtoken_task *finish(const char *what, mtoken_task *task)
{
    if (mtoken_task_wait(task, MTOKEN_FOREVER) != MTOKEN_OK || mtoken_task_result(task) != MTOKEN_OK) {
        const mtoken_error *error = mtoken_task_error(task);
        fprintf(stderr, "%s failed: %s (%s)\n", what, error ? error->message : "", error ? error->reason : "");
        exit(1);
    }
    return task;
}

static void show(const mtoken_operation *operation)
{
    printf("  %s  %s\n", operation->id, operation->title);
    for (size_t i = 0; i < operation->attribute_count; i++) {
        const mtoken_attribute *attribute = operation->attributes[i];
        switch (attribute->kind) {
        case MTOKEN_ATTRIBUTE_AMOUNT:
            printf("    %s: %s %s\n", attribute->label, attribute->amount->amount_formatted,
                   attribute->amount->currency_formatted);
            break;
        case MTOKEN_ATTRIBUTE_KEY_VALUE:
        case MTOKEN_ATTRIBUTE_NOTE: printf("    %s: %s\n", attribute->label, attribute->value); break;
        default: printf("    %s\n", attribute->label);
        }
    }
}

int main(int argc, char **argv)
{
    if (argc < 6) {
        fprintf(stderr, "usage: %s URL CA-FILE SDK-CONFIGURATION ACTIVATION-CODE PIN [OPERATION-TO-CLAIM]\n", argv[0]);
        return 2;
    }
    mtoken_error *error = NULL;
    mtoken_task *task = NULL;

    /* One runtime serves any number of clients; a client is one activation. */
    mtoken_runtime *runtime = NULL;
    check(mtoken_runtime_new(NULL, &runtime, &error), &error);
    mtoken_store *store = NULL;
    check(mtoken_store_directory_new("approve-state", MTOKEN_NUL_TERMINATED, &store, &error), &error);

    mtoken_client_options options = MTOKEN_CLIENT_OPTIONS_INIT;
    options.id = MTOKEN_TEXT("demo");
    options.configuration = MTOKEN_TEXT(argv[3]);
    options.base_url = MTOKEN_TEXT(argv[1]);
    options.store = store;
    options.ca_file = MTOKEN_TEXT(argv[2]);
    mtoken_client *client = NULL;
    check(mtoken_client_new(runtime, &options, &client, &error), &error);

    /* Activate with the code from the bank, show the fingerprint, choose a PIN. */
    mtoken_activation_options activation = MTOKEN_ACTIVATION_OPTIONS_INIT;
    activation.code = MTOKEN_TEXT(argv[4]);
    activation.name = MTOKEN_TEXT("C demo");
    check(mtoken_client_activate(client, &activation, &task, &error), &error);
    printf("activated; fingerprint %s\n", mtoken_task_activation(finish("activation", task))->fingerprint);
    mtoken_task_free(task);

    mtoken_auth pin = MTOKEN_AUTH_INIT;
    pin.pin = MTOKEN_BYTES((const uint8_t *)argv[5], strlen(argv[5]));
    check(mtoken_client_persist(client, &pin, &error), &error);

    /* Many banks confirm an activation in a second step, after the fingerprints were compared; until then it cannot
     * sign. */
    printf("waiting until the bank has confirmed the activation\n");
    fflush(stdout);
    check(mtoken_client_wait_active(client, NULL, &task, &error), &error);
    mtoken_task_free(finish("confirmation", task));
    printf("the activation is active\n");

    /* List the operations that wait for approval. */
    mtoken_task *list_task = NULL;
    check(mtoken_operations_list(client, &list_task, &error), &error);
    const mtoken_operation_list *list = mtoken_task_operations(finish("list", list_task));
    printf("%zu operations are waiting:\n", list->count);
    for (size_t i = 0; i < list->count; i++) show(list->operations[i]);

    /* Approve the first with the PIN, reject the second. What is signed is said by the summary. */
    if (list->count > 0) {
        printf("you sign:\n%s\n", list->operations[0]->summary);
        check(mtoken_operations_authorize(client, list->operations[0], &pin, NULL, &task, &error), &error);
        mtoken_task_free(finish("approval", task));
        printf("approved %s\n", list->operations[0]->id);
    }
    if (list->count > 1) {
        mtoken_reject_options rejection = MTOKEN_REJECT_OPTIONS_INIT;
        rejection.reason = MTOKEN_TEXT(MTOKEN_REJECT_INCORRECT_DATA);
        check(
            mtoken_operations_reject(client, list->operations[1]->id, MTOKEN_NUL_TERMINATED, &rejection, &task, &error),
            &error);
        mtoken_task_free(finish("rejection", task));
        printf("rejected %s\n", list->operations[1]->id);
    }
    mtoken_task_free(list_task);

    /* An operation on a shared screen is not assigned to any user until it is claimed. */
    if (argc > 6) {
        check(mtoken_operations_claim(client, argv[6], MTOKEN_NUL_TERMINATED, &task, &error), &error);
        const mtoken_operation *claimed = mtoken_task_operation(finish("claim", task));
        printf("claimed:\n");
        show(claimed);
        mtoken_task_free(task);
    }

    mtoken_client_free(client);
    mtoken_store_free(store);
    mtoken_runtime_free(runtime);
    return 0;
}
