#include <mtoken.h>
#include <stdio.h>

/* Corrects a code while it is typed, then parses it. */
int code_is_good(char *typed)
{
    mtoken_activation_code *code = NULL;
    int good;

    for (char *c = typed; *c; c++) {
        uint32_t better = mtoken_activation_code_correct((unsigned char)*c);
        if (better && better < 128) *c = (char)better;
    }
    good = mtoken_activation_code_parse(typed, MTOKEN_NUL_TERMINATED, &code, NULL) ==
           MTOKEN_OK;
    mtoken_activation_code_free(code);
    return good;
}

/* Starts an activation with a code. The host shows the task's result, which the user
 * compares with what the bank shows. */
mtoken_status activate(mtoken_client *client, const char *code)
{
    mtoken_task *task = NULL;
    mtoken_status status;
    mtoken_activation_options options = MTOKEN_ACTIVATION_OPTIONS_INIT;

    options.code = MTOKEN_TEXT(code);
    options.name = MTOKEN_TEXT("Kiosk 7");
    status = mtoken_client_activate(client, &options, &task, NULL);
    if (status == MTOKEN_OK &&
        (status = mtoken_task_wait(task, MTOKEN_FOREVER)) == MTOKEN_OK)
        status = mtoken_task_result(task);
    if (status == MTOKEN_OK)
        printf("fingerprint: %s\n", mtoken_task_activation(task)->fingerprint);
    mtoken_task_free(task);
    return status;
}

/* Starts an activation with a user name and a password, where the bank offers it. */
mtoken_status activate_by_identity(mtoken_client *client, mtoken_task **task)
{
    mtoken_identity_attribute identity[2] = {{{"login", 5}, {"alice", 5}},
                                             {{"password", 8}, {"secret", 6}}};
    mtoken_activation_options options = MTOKEN_ACTIVATION_OPTIONS_INIT;

    options.identity = identity;
    options.identity_count = 2;
    return mtoken_client_activate(client, &options, task, NULL);
}

/* Starts an activation with a recovery code and its PUK. */
mtoken_status activate_again(mtoken_client *client, const char *code, const char *puk,
                             mtoken_task **task)
{
    mtoken_activation_options options = MTOKEN_ACTIVATION_OPTIONS_INIT;

    if (!mtoken_recovery_code_is_valid(code, MTOKEN_NUL_TERMINATED) ||
        !mtoken_recovery_puk_is_valid(puk, MTOKEN_NUL_TERMINATED))
        return MTOKEN_ERROR_ARGUMENT;
    options.recovery_code = MTOKEN_TEXT(code);
    options.recovery_puk = MTOKEN_TEXT(puk);
    return mtoken_client_activate(client, &options, task, NULL);
}

/* Completes an activation with the PIN that the user has chosen, or cancels it. Then
 * waits for the bank. */
mtoken_status complete(mtoken_client *client, const uint8_t *pin, size_t length,
                       int agreed, mtoken_task **task)
{
    mtoken_auth auth = MTOKEN_AUTH_INIT;
    mtoken_wait_options options = MTOKEN_WAIT_OPTIONS_INIT;
    mtoken_status status;

    if (!agreed) return mtoken_client_cancel_activation(client, NULL);
    auth.pin = MTOKEN_BYTES(pin, length);
    status = mtoken_client_persist(client, &auth, NULL);
    options.timeout_ms = 600000;
    return status == MTOKEN_OK ? mtoken_client_wait_active(client, &options, task, NULL)
                               : status;
}

/* Moves in from the upstream SDK, then asks the server: a wrong possession key shows
 * before a signature is made. */
mtoken_status move_in(mtoken_client *client, const uint8_t *state, size_t length,
                      const uint8_t possession_key[16], mtoken_task **task)
{
    mtoken_status status =
        mtoken_client_import_upstream(client, state, length, possession_key, 16, NULL);

    return status == MTOKEN_OK ? mtoken_client_fetch_status(client, task, NULL)
                               : status;
}

/* Reads the task of mtoken_client_fetch_status: attempts left, and whether the bank
 * has blocked the activation. */
void print_status(mtoken_client *client)
{
    mtoken_task *task = NULL;

    if (mtoken_client_fetch_status(client, &task, NULL) == MTOKEN_OK &&
        mtoken_task_wait(task, MTOKEN_FOREVER) == MTOKEN_OK &&
        mtoken_task_result(task) == MTOKEN_OK) {
        const mtoken_activation_status *status = mtoken_task_activation_status(task);
        if (status->state == MTOKEN_ACTIVATION_BLOCKED)
            puts("blocked");
        else
            printf("%d attempts left\n", (int)status->remaining_attempts);
    }
    mtoken_task_free(task);
}

/* Fetches the name under which the bank shows this device. */
void print_name(mtoken_client *client, const mtoken_auth *auth)
{
    mtoken_task *task = NULL;

    if (mtoken_client_fetch_detail(client, auth, &task, NULL) == MTOKEN_OK &&
        mtoken_task_wait(task, MTOKEN_FOREVER) == MTOKEN_OK &&
        mtoken_task_result(task) == MTOKEN_OK) {
        const mtoken_activation_detail *detail = mtoken_task_activation_detail(task);
        printf("%s\n", detail->activation_name ? detail->activation_name : "(no name)");
    }
    mtoken_task_free(task);
}

/* Gives this device another name at the bank. */
mtoken_status rename_device(mtoken_client *client, const char *name,
                            const mtoken_auth *auth, mtoken_task **task)
{
    return mtoken_client_rename(client, name, MTOKEN_NUL_TERMINATED,
                                MTOKEN_SIGN_THEN_ENCRYPT, auth, task, NULL);
}

/* Upgrades to protocol 4.0 where the last status offers it. */
mtoken_status upgrade(mtoken_client *client, const mtoken_activation_status *last,
                      const mtoken_auth *pin, mtoken_task **task)
{
    *task = NULL;
    return last->upgrade_available ? mtoken_client_upgrade(client, pin, task, NULL)
                                   : MTOKEN_OK;
}

/* Shows what the bank has set for this application. */
void show_config(mtoken_client *client)
{
    mtoken_task *task = NULL;

    if (mtoken_client_fetch_config(client, MTOKEN_SCOPE_APPLICATION, &task, NULL) ==
            MTOKEN_OK &&
        mtoken_task_wait(task, MTOKEN_FOREVER) == MTOKEN_OK &&
        mtoken_task_result(task) == MTOKEN_OK) {
        const mtoken_config *config = mtoken_task_config(task);
        for (size_t i = 0; i < config->count; i++)
            printf("%s = %s\n", config->entries[i]->key, config->entries[i]->value);
    }
    mtoken_task_free(task);
}

/* Removes the activation at the bank or, if the bank is unreachable, on this device
 * only. */
mtoken_status leave(mtoken_client *client, const mtoken_auth *auth)
{
    mtoken_task *task = NULL;
    mtoken_status status = mtoken_client_remove(client, auth, &task, NULL);

    if (status == MTOKEN_OK && (status = mtoken_task_wait(task, 30000)) == MTOKEN_OK)
        status = mtoken_task_result(task);
    mtoken_task_free(task);
    return status == MTOKEN_OK ? status : mtoken_client_remove_local(client, NULL);
}
