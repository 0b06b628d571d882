#include <mtoken.h>

/* Builds what the bank's fraud detection receives with an approval. */
mtoken_status build(const mtoken_text *shown, mtoken_recorder *recorder,
                    mtoken_text **json)
{
    mtoken_mobile_token_data *builder = NULL;
    mtoken_status status =
        mtoken_mobile_token_data_new("{}", MTOKEN_NUL_TERMINATED, &builder, NULL);

    if (status == MTOKEN_OK)
        status = mtoken_mobile_token_data_put(builder, "kiosk", MTOKEN_NUL_TERMINATED,
                                              "7", 1, NULL);
    if (status == MTOKEN_OK)
        status = mtoken_mobile_token_data_put_text(builder, "shown", 5, shown->data,
                                                   shown->length, NULL);
    if (status == MTOKEN_OK)
        status = mtoken_mobile_token_data_put_recorder(builder, recorder, NULL);
    if (status == MTOKEN_OK && shown->length == 0)
        mtoken_mobile_token_data_remove(builder, "shown", MTOKEN_NUL_TERMINATED);
    if (status == MTOKEN_OK)
        status = mtoken_mobile_token_data_build(builder, json, NULL);
    mtoken_mobile_token_data_free(builder);
    return status;
}

/* Records how the user goes through the screens before an approval. */
mtoken_status record(mtoken_client *client, mtoken_recorder **recorder)
{
    mtoken_status status = mtoken_recorder_new(client, recorder, NULL);

    if (status == MTOKEN_OK)
        status =
            mtoken_recorder_begin(*recorder, "warning", MTOKEN_NUL_TERMINATED, NULL);
    if (status == MTOKEN_OK)
        status =
            mtoken_recorder_end(*recorder, "warning", MTOKEN_NUL_TERMINATED,
                                MTOKEN_ACTION_CONTINUE, MTOKEN_NUL_TERMINATED, NULL);
    return status;
}

/* Builds the visits alone, and starts over for the next operation. */
mtoken_status next_operation(mtoken_recorder *recorder,
                             mtoken_mobile_token_data *builder, mtoken_text **json)
{
    mtoken_status status = mtoken_recorder_build(recorder, json, NULL);

    if (status == MTOKEN_OK) status = mtoken_mobile_token_data_clear(builder, NULL);
    return status == MTOKEN_OK ? mtoken_recorder_reset(recorder, NULL) : status;
}

void end(mtoken_recorder *recorder)
{
    mtoken_recorder_free(recorder);
}
