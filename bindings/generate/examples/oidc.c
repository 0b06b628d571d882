#include <mtoken.h>
#include <stdio.h>

/* Fetches a provider's configuration from the bank or, without the bank, from the
 * provider's own metadata. */
mtoken_status configure(mtoken_client *client, const char *provider,
                        const mtoken_oidc_options *by_hand, mtoken_task **task)
{
    return by_hand ? mtoken_oidc_discover(client, by_hand, task, NULL)
                   : mtoken_oidc_fetch_config(client, provider, MTOKEN_NUL_TERMINATED,
                                              task, NULL);
}

/* With the finished task: creates a request, opens the browser, and processes the
 * URL that the browser was redirected to. */
mtoken_status log_in(mtoken_task *task, void (*open_browser)(const char *url),
                     const char *(*wait_for_url)(void), mtoken_client *client,
                     mtoken_task **activation)
{
    mtoken_oidc_request *request = NULL;
    const mtoken_oidc_attributes *attributes = NULL;
    mtoken_oidc_parameter parameter = {{"prompt", 6}, {"login", 5}};
    mtoken_oidc_options options = MTOKEN_OIDC_OPTIONS_INIT;
    mtoken_activation_options activate = MTOKEN_ACTIVATION_OPTIONS_INIT;
    const mtoken_oidc_config *config = mtoken_task_oidc_config(task);
    mtoken_status status;

    options.config = config;
    options.parameters = &parameter;
    options.parameter_count = 1;
    status = mtoken_oidc_prepare(&options, &request, NULL);
    if (status == MTOKEN_OK) {
        const mtoken_oidc_authorization *authorization =
            mtoken_oidc_request_get_authorization(request);
        open_browser(authorization->authorize_url);
        status = mtoken_oidc_process(request, wait_for_url(), MTOKEN_NUL_TERMINATED,
                                     &attributes, NULL);
    }
    if (status == MTOKEN_OK) {
        activate.oidc_provider = MTOKEN_TEXT(attributes->provider_id);
        activate.oidc_code = MTOKEN_TEXT(attributes->code);
        activate.oidc_nonce = MTOKEN_TEXT(attributes->nonce);
        if (attributes->code_verifier)
            activate.oidc_code_verifier = MTOKEN_TEXT(attributes->code_verifier);
        status = mtoken_client_activate(client, &activate, activation, NULL);
    }
    mtoken_oidc_request_free(request);
    return status;
}

/* Before the browser opens: keeps the login for the program that it starts. */
mtoken_status keep(mtoken_client *client, mtoken_oidc_request *request, FILE *file)
{
    mtoken_text *text = NULL;
    mtoken_status status = mtoken_oidc_request_store(client, request, &text, NULL);

    if (status == MTOKEN_OK) fputs(text->data, file);
    mtoken_text_free(text);
    return status;
}

/* In that program: goes on with the login that was kept. */
mtoken_status go_on(mtoken_client *client, const char *kept, const char *url,
                    mtoken_oidc_request **request,
                    const mtoken_oidc_attributes **attributes)
{
    mtoken_status status =
        mtoken_oidc_request_restore(client, kept, MTOKEN_NUL_TERMINATED, request, NULL);

    return status != MTOKEN_OK
               ? status
               : mtoken_oidc_process(*request, url, MTOKEN_NUL_TERMINATED, attributes,
                                     NULL);
}

/* On a computer: the library waits for the browser on a port of this machine. */
mtoken_status log_in_here(mtoken_runtime *runtime, const mtoken_oidc_options *options,
                          void (*open_browser)(const char *))
{
    mtoken_oidc_request *request = NULL;
    mtoken_task *task = NULL;
    mtoken_status status = mtoken_oidc_listen(runtime, options, &request, &task, NULL);

    if (status == MTOKEN_OK) {
        open_browser(mtoken_oidc_request_get_authorization(request)->authorize_url);
        status = mtoken_task_wait(task, 300000);
    }
    if (status == MTOKEN_OK && (status = mtoken_task_result(task)) == MTOKEN_OK)
        printf("from %s\n", mtoken_task_oidc_attributes(task)->provider_id);
    mtoken_task_free(task);
    mtoken_oidc_request_free(request);
    return status;
}
