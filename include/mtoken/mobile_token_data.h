/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mobile token data: a JSON object that a program sends to the bank's fraud detection with an
 * approval or rejection.
 */
#ifndef MTOKEN_MOBILE_TOKEN_DATA_H
#define MTOKEN_MOBILE_TOKEN_DATA_H

#include "base.h"
#include "error.h"

MTOKEN_BEGIN

/* Builds the JSON object. */
typedef struct mtoken_mobile_token_data mtoken_mobile_token_data;
/* Records the user's visits to pre-approval screens. */
typedef struct mtoken_recorder mtoken_recorder;

/*
 * Creates a builder.
 *
 * initial      JSON object to start from; NULL: an empty one
 * out_builder  must be freed with mtoken_mobile_token_data_free
 * Errors       ARGUMENT, PARSE (initial is not a JSON object: byte_offset)
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_mobile_token_data_new(const char *MTOKEN_NULLABLE initial, size_t initial_length,
                             mtoken_mobile_token_data **out_builder, mtoken_error **out_error);
MTOKEN_API void mtoken_mobile_token_data_free(mtoken_mobile_token_data *builder);

/*
 * Sets a member to one JSON value, or replaces its value.
 *
 * Errors       HANDLE, ARGUMENT, PARSE
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_mobile_token_data_put(mtoken_mobile_token_data *builder, const char *key, size_t key_length,
                             const char *json, size_t json_length, mtoken_error **out_error);

/*
 * Sets a member to a text, or replaces its value.
 *
 * Errors       HANDLE, ARGUMENT
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_mobile_token_data_put_text(mtoken_mobile_token_data *builder, const char *key,
                                  size_t key_length, const char *text, size_t text_length,
                                  mtoken_error **out_error);

/*
 * Sets "preApprovalScreens" to the visits that the recorder holds when the object is built.
 *
 * Errors       HANDLE
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_mobile_token_data_put_recorder(mtoken_mobile_token_data *builder, mtoken_recorder *recorder,
                                      mtoken_error **out_error);

/*
 * Removes a member. Returns 1 if it existed, even as null, and 0 if it did not or an argument is
 * invalid.
 */
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
 * Returns the object as it is now, for mobile_token_data in options. Later changes to the builder
 * do not affect it. Free with mtoken_text_free.
 *
 * Errors       HANDLE, ARGUMENT
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_mobile_token_data_build(const mtoken_mobile_token_data *builder, mtoken_text **out_json,
                               mtoken_error **out_error);

/* How a user left a screen. Any other text is also allowed. */
#define MTOKEN_ACTION_CONTINUE "CONTINUE"
#define MTOKEN_ACTION_BACK "BACK"
#define MTOKEN_ACTION_CLOSE "CLOSE"
#define MTOKEN_ACTION_REJECT "REJECT"
#define MTOKEN_ACTION_SCAN "SCAN"

/*
 * Creates a recorder.
 *
 * client       supplies the times; mtoken_recorder_build converts them to the server's time if the
 *              client knows it by then
 * out_recorder must be freed with mtoken_recorder_free
 * Errors       HANDLE, ARGUMENT
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_recorder_new(mtoken_client *client, mtoken_recorder **out_recorder,
                    mtoken_error **out_error);
MTOKEN_API void mtoken_recorder_free(mtoken_recorder *recorder);

/*
 * Records that the user sees a screen. Ignored if the id is empty or that screen is already open.
 * Another open screen is left behind, not closed.
 *
 * screen       its id (mtoken_pre_approval_screen.id)
 * Errors       HANDLE, ARGUMENT
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_recorder_begin(mtoken_recorder *recorder, const char *screen, size_t screen_length,
                      mtoken_error **out_error);

/*
 * Records that the user leaves a screen: the open one, or otherwise the last one of this id that
 * was left behind. Ignored if there is none.
 *
 * action       MTOKEN_ACTION_... or any other text
 * Errors       HANDLE, ARGUMENT
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_recorder_end(mtoken_recorder *recorder, const char *screen, size_t screen_length,
                    const char *action, size_t action_length, mtoken_error **out_error);

/*
 * Discards all visits.
 *
 * Errors       HANDLE
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_recorder_reset(mtoken_recorder *recorder, mtoken_error **out_error);

/*
 * Returns the visits as a JSON list of {"screen", "timestampOpened", "timestampClosed", "action"},
 * with times such as "2026-01-31T12:00:00.000Z". An open visit counts as closed now, without an
 * action; one left behind has neither "timestampClosed" nor "action". Recording continues. Free
 * with mtoken_text_free.
 *
 * Errors       HANDLE, ARGUMENT
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_recorder_build(const mtoken_recorder *recorder, mtoken_text **out_json,
                      mtoken_error **out_error);

MTOKEN_END

#endif
