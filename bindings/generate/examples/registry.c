#include <mtoken.h>
#include <stdio.h>

/* Polls for operations while a window is open. */
mtoken_status window_opened(mtoken_client *client)
{
    mtoken_polling_options options = MTOKEN_POLLING_OPTIONS_INIT;

    options.interval_ms = 10000;
    options.back_off = 1;
    return mtoken_operations_start_polling(client, &options, NULL);
}

/* Pauses polling while the window is in the background. */
mtoken_status window_hidden(mtoken_client *client, int hidden)
{
    if (mtoken_operations_get_polling(client) == MTOKEN_POLLING_OFF) return MTOKEN_OK;
    return hidden ? mtoken_operations_pause_polling(client, NULL)
                  : mtoken_operations_resume_polling(client, NULL);
}

mtoken_status window_closed(mtoken_client *client)
{
    return mtoken_operations_stop_polling(client, NULL);
}

/* Prints the changes in an MTOKEN_EVENT_OPERATIONS_... event. */
void operations_event(const mtoken_event *taken)
{
    const mtoken_operations_change *change = taken->change;

    if (change)
        printf("%zu operations, %zu of them new\n", change->count, change->added_count);
    else if (taken->error)
        printf("%s\n", taken->error->message);
    else if (taken->is_loading)
        puts("loading");
}

/* Prints the tracked operations, and fetches them if they are old. */
void print_known(mtoken_client *client)
{
    mtoken_operations_info *info = NULL;

    if (mtoken_operations_get_info(client, &info, NULL) != MTOKEN_OK) return;
    for (size_t i = 0; i < info->count; i++) printf("%s\n", info->operations[i]->title);
    if (info->last_fetch != MTOKEN_FETCH_SUCCEEDED &&
        mtoken_operations_is_loading(client) != MTOKEN_YES &&
        mtoken_operations_refresh(client, NULL) != MTOKEN_OK)
        puts("cannot ask");
    mtoken_operations_info_free(info);
}

/* Attaches the password of a scanned code to its operation until it is approved. */
mtoken_status scanned(mtoken_client *client, const char *id, const char *otp)
{
    mtoken_authorize_options options = MTOKEN_AUTHORIZE_OPTIONS_INIT;

    if (mtoken_operations_get_attached(client, id, MTOKEN_NUL_TERMINATED) &
        MTOKEN_ATTACHED_PROXIMITY)
        return MTOKEN_OK;
    options.proximity_otp = MTOKEN_TEXT(otp);
    options.proximity_source = MTOKEN_PROXIMITY_QR_CODE;
    return mtoken_operations_attach(client, id, MTOKEN_NUL_TERMINATED, &options, NULL);
}
