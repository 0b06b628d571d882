#include <mtoken.h>
#include <stdio.h>
#include <string.h>

/* Handles a received push: shows that a request waits, and handles it. */
mtoken_status handle_push(mtoken_client *client, const char *payload,
                          mtoken_task **task)
{
    mtoken_mobile_auth_request *request = NULL;
    mtoken_mobile_auth_options options = MTOKEN_MOBILE_AUTH_OPTIONS_INIT;

    if (mtoken_mobile_auth_from_push(client, payload, MTOKEN_NUL_TERMINATED, &request,
                                     NULL) == MTOKEN_OK &&
        request)
        printf("%s\n", request->message ? request->message : "A request waits");
    mtoken_mobile_auth_request_free(request);
    options.handles_biometry = 1;
    return mtoken_mobile_auth_handle_push(client, payload, MTOKEN_NUL_TERMINATED,
                                          &options, task, NULL);
}

/* Without pushes: fetches the waiting requests and handles the newest. */
mtoken_status handle_pending(mtoken_client *client, mtoken_task **handling)
{
    mtoken_task *task = NULL;
    mtoken_status status = mtoken_mobile_auth_pending(client, &task, NULL);

    if (status == MTOKEN_OK &&
        (status = mtoken_task_wait(task, MTOKEN_FOREVER)) == MTOKEN_OK &&
        (status = mtoken_task_result(task)) == MTOKEN_OK) {
        const mtoken_mobile_auth_list *list = mtoken_task_mobile_auth_list(task);
        status = list->count == 0 ? MTOKEN_ERROR_NOT_FOUND
                                  : mtoken_mobile_auth_handle(
                                        client, list->requests[0]->transaction_id,
                                        MTOKEN_NUL_TERMINATED, NULL, handling, NULL);
    }
    mtoken_task_free(task);
    return status;
}

/* Answers the challenge of an event with the user's input: "yes", "no", "later",
 * "pin", or the PIN itself. */
mtoken_status answer(mtoken_event *taken,
                     const char *(*ask)(const mtoken_challenge_info *))
{
    mtoken_challenge *challenge = mtoken_event_take_challenge(taken);
    const mtoken_challenge_info *info = mtoken_challenge_get_info(challenge);
    const char *said = info ? ask(info) : "later";
    const uint8_t *bytes = (const uint8_t *)said;
    size_t length = strlen(said);
    mtoken_status status;

    if (strcmp(said, "later") == 0)
        status = mtoken_challenge_cancel(challenge, NULL);
    else if (strcmp(said, "no") == 0)
        status = mtoken_challenge_deny(challenge, MTOKEN_REJECT_UNEXPECTED_OPERATION,
                                       MTOKEN_NUL_TERMINATED, NULL);
    else if (strcmp(said, "pin") == 0)
        status = mtoken_challenge_use_pin(challenge, NULL, 0, NULL);
    else if (info->kind == MTOKEN_CHALLENGE_PIN)
        status = mtoken_challenge_pin(challenge, bytes, length, NULL);
    else if (info->kind == MTOKEN_CHALLENGE_BIOMETRIC)
        status = mtoken_challenge_biometric(challenge, bytes, length, NULL);
    else if (info->kind == MTOKEN_CHALLENGE_CUSTOM)
        status = mtoken_challenge_custom(challenge, bytes, length, "card 4711",
                                         MTOKEN_NUL_TERMINATED, NULL);
    else if (info->kind == MTOKEN_CHALLENGE_PROXIMITY)
        status = mtoken_challenge_proximity(challenge, said, length,
                                            MTOKEN_PROXIMITY_QR_CODE, 0, NULL);
    else
        status = mtoken_challenge_confirm(challenge, NULL);
    mtoken_challenge_free(challenge);
    return status;
}

/* Finds the client and the task of a challenge. */
void print_owner(mtoken_challenge *challenge)
{
    printf("task %p of client %p\n", (void *)mtoken_challenge_task(challenge),
           (void *)mtoken_challenge_client(challenge));
}

/* Prints how a request ended. */
void print_outcome(mtoken_task *task)
{
    const mtoken_mobile_auth_outcome *outcome = mtoken_task_mobile_auth(task);

    if (!outcome) return;
    if (outcome->error != MTOKEN_MOBILE_AUTH_OK)
        printf("%s\n", mtoken_mobile_auth_error_name(outcome->error));
    else if (outcome->is_denied)
        puts("denied");
    else
        puts(outcome->authenticator_kind == MTOKEN_AUTHENTICATOR_PIN
                 ? "approved with the PIN"
                 : "approved");
}

/* Handles the request that a scanned code names. */
mtoken_status handle_code(mtoken_client *client, const char *scanned,
                          mtoken_task **task)
{
    return mtoken_mobile_auth_handle_code(client, scanned, MTOKEN_NUL_TERMINATED,
                                          MTOKEN_PROXIMITY_QR_CODE, NULL, task, NULL);
}

/* Prints the ways in which this user can approve. */
void print_authenticators(mtoken_client *client)
{
    mtoken_authenticator_list *list = NULL;

    if (mtoken_mobile_auth_get_authenticators(client, NULL, &list, NULL) != MTOKEN_OK)
        return;
    for (size_t index = 0; index < list->count; index++) {
        const mtoken_authenticator *known = list->authenticators[index];
        printf("%s%s\n",
               known->kind == MTOKEN_AUTHENTICATOR_PIN ? "PIN"
               : known->name                           ? known->name
                                                       : "sensor",
               !known->is_registered ? ", not registered"
               : known->is_preferred ? ", preferred"
                                     : "");
    }
    mtoken_authenticator_list_free(list);
}

/* Registers a smart card as biometry factor until the next start, and unregisters it
 * again. */
mtoken_status use_card(mtoken_client *client, int present)
{
    return present ? mtoken_mobile_auth_register_authenticator(
                         client, "card", MTOKEN_NUL_TERMINATED, NULL, 0, NULL)
                   : mtoken_mobile_auth_unregister_authenticator(
                         client, "card", MTOKEN_NUL_TERMINATED, NULL);
}
