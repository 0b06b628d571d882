#include "calls.h"

static mtoken_status start_time(world *world, mtoken_task **task, mtoken_error **error)
{
    return mtoken_client_synchronize_time(world->client, task, error);
}

static mtoken_status start_activation(world *world, mtoken_task **task, mtoken_error **error)
{
    mtoken_activation_options options = MTOKEN_ACTIVATION_OPTIONS_INIT;
    options.code = text(world->bank->code_qr);
    return mtoken_client_activate(world->client, &options, task, error);
}

static bool gave_activation(mtoken_task *task) { return mtoken_task_activation(task) != NULL; }

static mtoken_status start_status(world *world, mtoken_task **task, mtoken_error **error)
{
    return mtoken_client_fetch_status(world->client, task, error);
}

static bool gave_status(mtoken_task *task) { return mtoken_task_activation_status(task) != NULL; }

static mtoken_status start_removal(world *world, mtoken_task **task, mtoken_error **error)
{
    return mtoken_client_remove(world->client, &world->pin, task, error);
}

static mtoken_status start_token(world *world, mtoken_task **task, mtoken_error **error)
{
    return mtoken_token_create(world->client, "new", 3, &world->pin, task, error);
}

static mtoken_status start_token_removal(world *world, mtoken_task **task, mtoken_error **error)
{
    return mtoken_token_remove(world->client, "mine", 4, task, error);
}

static mtoken_status start_list(world *world, mtoken_task **task, mtoken_error **error)
{
    return mtoken_operations_list(world->client, task, error);
}

static mtoken_status start_history(world *world, mtoken_task **task, mtoken_error **error)
{
    return mtoken_operations_history(world->client, &world->pin, task, error);
}

static bool gave_operations(mtoken_task *task) { return mtoken_task_operations(task) != NULL; }

static mtoken_status start_detail(world *world, mtoken_task **task, mtoken_error **error)
{
    return mtoken_operations_detail(world->client, "1", 1, task, error);
}

static mtoken_status start_claim(world *world, mtoken_task **task, mtoken_error **error)
{
    return mtoken_operations_claim(world->client, "1", 1, task, error);
}

static bool gave_operation(mtoken_task *task) { return mtoken_task_operation(task) != NULL; }

static mtoken_status start_approval(world *world, mtoken_task **task, mtoken_error **error)
{
    return brief_authorize(world->client, "1", "A1", &world->pin, NULL, task, error);
}

static mtoken_status start_rejection(world *world, mtoken_task **task, mtoken_error **error)
{
    return brief_reject(world->client, "1", "UNKNOWN", NULL, task, error);
}

static mtoken_status start_name(world *world, mtoken_task **task, mtoken_error **error)
{
    return mtoken_client_fetch_detail(world->client, &world->pin, task, error);
}

static bool gave_name(mtoken_task *task) { return mtoken_task_activation_detail(task) != NULL; }

const call calls[] = {
    {"time", PATH_TIME, false, false, true, true, start_time, NULL},
    {"activation", PATH_ACTIVATE, false, true, true, true, start_activation, gave_activation},
    {"status", PATH_STATUS, false, false, true, false, start_status, gave_status},
    {"removal", PATH_REMOVE, true, false, false, false, start_removal, NULL},
    {"token", PATH_TOKEN, true, true, true, false, start_token, NULL},
    {"token removal", PATH_TOKEN_REMOVE, true, false, false, false, start_token_removal, NULL},
    {"list", PATH_LIST, false, false, true, false, start_list, gave_operations},
    {"history", PATH_HISTORY, true, false, true, false, start_history, gave_operations},
    {"detail", PATH_DETAIL, false, false, true, false, start_detail, gave_operation},
    {"claim", PATH_CLAIM, false, false, true, false, start_claim, gave_operation},
    {"approval", PATH_AUTHORIZE, true, false, false, false, start_approval, NULL},
    {"rejection", PATH_REJECT, true, false, false, false, start_rejection, NULL},
    {"activation detail", PATH_ACTIVATION_DETAIL, false, true, true, false, start_name, gave_name},
};
const size_t call_count = sizeof calls / sizeof calls[0];

world world_for(const call *call) { return world_for_events(call, MTOKEN_EVENT_MASK_NONE); }

world world_for_events(const call *call, int32_t events)
{
    world world = world_open_events(events, MTOKEN_LOG_OFF);
    if (!call->from_empty) CHECK_OK(bank_activate(world.bank, world.client, PIN, NULL));
    bank_operation(world.bank, "1", "A1");
    if (strcmp(call->path, PATH_TOKEN_REMOVE) == 0) {
        mtoken_task *task = NULL;
        CHECK_OK(mtoken_token_create(world.client, "mine", 4, &world.possession, &task, NULL));
        CHECK_OK(bank_finish_free(world.bank, task));
    }
    return world;
}

void bank_forgives(const call *call, bank *bank)
{
    json_t *operation = json_array_get(bank->operations, 0);
    json_object_set_new(operation, "status", json_string("PENDING"));
    if (strcmp(call->path, PATH_ACTIVATE) == 0) {
        bank->state = MTOKEN_ACTIVATION_CREATED;
        EVP_PKEY_free(bank->device);
        bank->device = NULL;
        free(bank->name);
        bank->name = NULL;
        bank->counter = 0;
    } else if (bank->state != MTOKEN_ACTIVATION_CREATED) {
        bank->state = MTOKEN_ACTIVATION_ACTIVE;
        bank->failed = 0;
    }
}

mtoken_status start_user_info(world *world, mtoken_task **task, mtoken_error **error)
{
    return mtoken_client_fetch_user_info(world->client, task, error);
}

mtoken_status start_push(world *world, mtoken_task **task, mtoken_error **error)
{
    mtoken_push_options options = MTOKEN_PUSH_OPTIONS_INIT;
    options.platform = MTOKEN_PUSH_PLATFORM_FCM;
    options.token = text("token");
    return mtoken_push_register(world->client, &options, task, error);
}

mtoken_status start_count(world *world, mtoken_task **task, mtoken_error **error)
{
    return mtoken_inbox_count(world->client, task, error);
}

mtoken_status start_message(world *world, mtoken_task **task, mtoken_error **error)
{
    return mtoken_inbox_detail(world->client, "m", 1, task, error);
}

mtoken_status start_reading(world *world, mtoken_task **task, mtoken_error **error)
{
    return mtoken_inbox_mark_read(world->client, "m", 1, task, error);
}

mtoken_status start_provider(world *world, mtoken_task **task, mtoken_error **error)
{
    return mtoken_oidc_fetch_config(world->client, "p", 1, task, error);
}

mtoken_status start_discovery(world *world, mtoken_task **task, mtoken_error **error)
{
    mtoken_oidc_options options = MTOKEN_OIDC_OPTIONS_INIT;
    options.issuer = text("https://login.example");
    options.provider_id = text("p");
    options.client_id = text("c");
    options.scopes = text("openid");
    options.redirect_uri = text("https://app.example/cb");
    return mtoken_oidc_discover(world->client, &options, task, error);
}

mtoken_status start_requests(world *world, mtoken_task **task, mtoken_error **error)
{
    return mtoken_mobile_auth_pending(world->client, task, error);
}
