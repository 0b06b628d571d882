/*
 * Mobile token data: what a program tells the bank's fraud detection with an approval or rejection.
 */
#ifndef MTOKEN_MOBILE_TOKEN_DATA_H
#define MTOKEN_MOBILE_TOKEN_DATA_H

#include "base.h"
#include "error.h"

MTOKEN_BEGIN

/* Builds the JSON object. */
typedef struct mtoken_mobile_token_data mtoken_mobile_token_data;
/* Records the user's visits of pre-approval screens. */
typedef struct mtoken_recorder mtoken_recorder;

/*
 * Makes a builder.
 *
 * initial      JSON object to begin with; NULL: an empty one
 * out_builder  free with mtoken_mobile_token_data_free
 * Errors       ARGUMENT, PARSE (initial is no JSON object: byte_offset)
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_mobile_token_data_new(const char *MTOKEN_NULLABLE initial, size_t initial_length,
                             mtoken_mobile_token_data **out_builder, mtoken_error **out_error);
MTOKEN_API void mtoken_mobile_token_data_free(mtoken_mobile_token_data *builder);

/*
 * Sets a member; the last value that is put under a key counts. json: one JSON value.
 *
 * Errors       HANDLE, ARGUMENT, PARSE
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_mobile_token_data_put(mtoken_mobile_token_data *builder, const char *key, size_t key_length,
                             const char *json, size_t json_length, mtoken_error **out_error);

/*
 * Sets a member to a text.
 *
 * Errors       HANDLE, ARGUMENT
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_mobile_token_data_put_text(mtoken_mobile_token_data *builder, const char *key,
                                  size_t key_length, const char *text, size_t text_length,
                                  mtoken_error **out_error);

/*
 * Sets "preApprovalScreens" to what a recorder has recorded when the data is built.
 *
 * Errors       HANDLE
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_mobile_token_data_put_recorder(mtoken_mobile_token_data *builder, mtoken_recorder *recorder,
                                      mtoken_error **out_error);

/* Removes a member. 1: it was there, perhaps as null; 0: it was not, or an argument is invalid. */
MTOKEN_API mtoken_bool
mtoken_mobile_token_data_remove(mtoken_mobile_token_data *builder, const char *key,
                                size_t key_length);

/*
 * Removes all members.
 *
 * Errors       HANDLE
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_mobile_token_data_clear(mtoken_mobile_token_data *builder, mtoken_error **out_error);

/*
 * The object as it is now, for mobile_token_data of mtoken_operations_authorize, _reject and
 * _attach. What is put later does not change it. Free with mtoken_text_free.
 *
 * Errors       HANDLE, ARGUMENT
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_mobile_token_data_build(const mtoken_mobile_token_data *builder, mtoken_text **out_json,
                               mtoken_error **out_error);

/* How a user left a screen. Any other text may be given too. */
#define MTOKEN_ACTION_CONTINUE "CONTINUE"
#define MTOKEN_ACTION_BACK "BACK"
#define MTOKEN_ACTION_CLOSE "CLOSE"
#define MTOKEN_ACTION_REJECT "REJECT"
#define MTOKEN_ACTION_SCAN "SCAN"

/*
 * Makes a recorder.
 *
 * client       whose clock counts, corrected by what it knows of the server's when the record is
 *              built
 * out_recorder free with mtoken_recorder_free
 * Errors       HANDLE, ARGUMENT
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_recorder_new(mtoken_client *client, mtoken_recorder **out_recorder,
                    mtoken_error **out_error);
MTOKEN_API void mtoken_recorder_free(mtoken_recorder *recorder);

/*
 * The user sees a screen (mtoken_pre_approval_screen.id). Ignored when the id is empty or that
 * screen is open already; another open one stays behind, unclosed.
 *
 * Errors       HANDLE, ARGUMENT
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_recorder_begin(mtoken_recorder *recorder, const char *screen, size_t screen_length,
                      mtoken_error **out_error);

/*
 * The user leaves a screen: the open one, or else the last one of this id that stayed behind; else
 * ignored. action: MTOKEN_ACTION_... or a text of the host's own.
 *
 * Errors       HANDLE, ARGUMENT
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_recorder_end(mtoken_recorder *recorder, const char *screen, size_t screen_length,
                    const char *action, size_t action_length, mtoken_error **out_error);

/*
 * Forgets all visits.
 *
 * Errors       HANDLE
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_recorder_reset(mtoken_recorder *recorder, mtoken_error **out_error);

/*
 * The visits as a JSON list of {"screen", "timestampOpened", "timestampClosed", "action"}; times
 * are UTC with milliseconds. An open visit counts as closed now, without an action. Recording goes
 * on. Free with mtoken_text_free.
 *
 * Errors       HANDLE, ARGUMENT
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_recorder_build(const mtoken_recorder *recorder, mtoken_text **out_json,
                      mtoken_error **out_error);

MTOKEN_END

#endif
