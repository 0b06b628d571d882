/* Calls whose parameters stand in an options struct, in one line. Texts end at their NUL. */
#ifndef BRIEF_H
#define BRIEF_H

#include "harness.h"

mtoken_status brief_sign(mtoken_client *client, const char *method, const char *uri_id, mtoken_bytes body,
                         const mtoken_auth *auth, mtoken_header **out_header, mtoken_error **out_error);
/* component_length 0: the default. */
mtoken_status brief_sign_offline(mtoken_client *client, const char *uri_id, mtoken_bytes body, mtoken_bytes nonce,
                                 const mtoken_auth *auth, int32_t component_length, mtoken_text **out_code,
                                 mtoken_error **out_error);
/* Signatures in DER. */
mtoken_status brief_verify(mtoken_client *client, mtoken_server_key key, mtoken_bytes signed_bytes,
                           mtoken_bytes signature, mtoken_bool *out_is_valid, mtoken_error **out_error);
mtoken_status brief_authorize(mtoken_client *client, const char *id, const char *operation_data,
                              const mtoken_auth *auth, const mtoken_authorize_options *options, mtoken_task **out_task,
                              mtoken_error **out_error);
/* reason and mobile_token_data may be NULL. */
mtoken_status brief_reject(mtoken_client *client, const char *id, const char *reason, const char *mobile_token_data,
                           mtoken_task **out_task, mtoken_error **out_error);

/* Whether a call answered that its thing is of the process that forked this one; frees the error. Without stdio, whose
 * lock another thread may have had. */
bool is_forked(mtoken_status status, mtoken_error **error);

#endif
