#include "brief.h"

mtoken_status brief_sign(mtoken_client *client, const char *method, const char *uri_id, mtoken_bytes body,
                         const mtoken_auth *auth, mtoken_header **out_header, mtoken_error **out_error)
{
    mtoken_sign_options options = MTOKEN_SIGN_OPTIONS_INIT;
    options.method = MTOKEN_TEXT(method);
    options.uri_id = MTOKEN_TEXT(uri_id);
    options.body = body;
    return mtoken_client_sign(client, &options, auth, out_header, out_error);
}

mtoken_status brief_sign_offline(mtoken_client *client, const char *uri_id, mtoken_bytes body, mtoken_bytes nonce,
                                 const mtoken_auth *auth, int32_t component_length, mtoken_text **out_code,
                                 mtoken_error **out_error)
{
    mtoken_sign_offline_options options = MTOKEN_SIGN_OFFLINE_OPTIONS_INIT;
    options.uri_id = MTOKEN_TEXT(uri_id);
    options.body = body;
    options.nonce = nonce;
    options.component_length = component_length;
    return mtoken_client_sign_offline(client, &options, auth, out_code, out_error);
}

mtoken_status brief_verify(mtoken_client *client, mtoken_server_key key, mtoken_bytes signed_bytes,
                           mtoken_bytes signature, mtoken_bool *out_is_valid, mtoken_error **out_error)
{
    mtoken_verify_options options = MTOKEN_VERIFY_OPTIONS_INIT;
    options.server_key = key;
    options.form = MTOKEN_SIGNATURE_FORM_DER;
    options.signed_bytes = signed_bytes;
    options.signature = signature;
    return mtoken_client_verify(client, &options, out_is_valid, out_error);
}

mtoken_status brief_authorize(mtoken_client *client, const char *id, const char *operation_data,
                              const mtoken_auth *auth, const mtoken_authorize_options *options, mtoken_task **out_task,
                              mtoken_error **out_error)
{
    mtoken_operation_options operation = MTOKEN_OPERATION_OPTIONS_INIT;
    operation.id = MTOKEN_TEXT(id);
    operation.operation_data = MTOKEN_TEXT(operation_data);
    return mtoken_operations_authorize_data(client, &operation, auth, options, out_task, out_error);
}

mtoken_status brief_reject(mtoken_client *client, const char *id, const char *reason, const char *mobile_token_data,
                           mtoken_task **out_task, mtoken_error **out_error)
{
    mtoken_reject_options options = MTOKEN_REJECT_OPTIONS_INIT;
    options.reason = MTOKEN_TEXT(reason);
    options.mobile_token_data = MTOKEN_TEXT(mobile_token_data);
    return mtoken_operations_reject(client, id, MTOKEN_NUL_TERMINATED, &options, out_task, out_error);
}

bool is_forked(mtoken_status status, mtoken_error **error)
{
    bool is = status == MTOKEN_ERROR_STATE && *error && strcmp((*error)->reason, "forked") == 0 &&
              (*error)->outcome == MTOKEN_OUTCOME_NOT_SENT;
    mtoken_error_free(*error);
    *error = NULL;
    return is;
}
