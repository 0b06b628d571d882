/* Misuse: bad handles, texts, bytes, option structs, time spans and out arguments, for every function that takes them.
 */
#include "plain.h"

#include <mtoken/extra.h>

#include <limits.h>

static mtoken_runtime *runtime;
static mtoken_store *store;
static mtoken_client *client;
static mtoken_task *task; /* one that has completed */
static mtoken_event *event;
static mtoken_auth auth;
static mtoken_operation operation; /* as a host could make one up; the library reads id, data, and what may forbid it */

static void set_up(void)
{
    mtoken_runtime_options options = MTOKEN_RUNTIME_OPTIONS_INIT;
    const mtoken_auth init = MTOKEN_AUTH_INIT;
    options.events = MTOKEN_EVENT_MASK_ALL;
    options.log_level = MTOKEN_LOG_DEBUG;
    CHECK_OK(mtoken_runtime_new(&options, &runtime, NULL));
    CHECK_OK(mtoken_store_memory_new(&store, NULL));
    client = plain_client(runtime, store, "a", CLOSED_URL);
    CHECK_OK(mtoken_client_synchronize_time(client, &task, NULL));
    CHECK_OK(mtoken_task_wait(task, 20000));
    CHECK_OK(mtoken_runtime_next_event(runtime, 20000, &event, NULL));
    auth = init;
    auth.pin = bytes("1234");
    memset(&operation, 0, sizeof operation);
    operation.status = MTOKEN_OPERATION_PENDING;
    operation.id = operation.name = operation.operation_data = operation.title = operation.message = operation.json =
        "x";
}

static void tear_down(void)
{
    mtoken_event_free(event);
    mtoken_task_free(task);
    mtoken_client_free(client);
    mtoken_store_free(store);
    mtoken_runtime_free(runtime);
}

/* ----------------------------------------------------------------------------------------------------------- handles
 */

typedef mtoken_status (*use)(void *handle, mtoken_error **error);

static mtoken_task *started; /* what a call with a bad handle must not give */
static const uint8_t nonce[16];

static mtoken_bytes nonce_bytes(size_t length) { return MTOKEN_BYTES(nonce, length); }

#define STARTS(name, call)                                                                                             \
    static mtoken_status name(void *handle, mtoken_error **error)                                                      \
    {                                                                                                                  \
        mtoken_client *client = handle;                                                                                \
        started = (mtoken_task *)1;                                                                                    \
        mtoken_status status = call;                                                                                   \
        if (status != MTOKEN_OK) CHECK(started == NULL);                                                               \
        return status;                                                                                                 \
    }
static const mtoken_activation_options *activation(void)
{
    static mtoken_activation_options options = MTOKEN_ACTIVATION_OPTIONS_INIT;
    options.code = text("VVVVV-VVVVV-VVVVV-VTFVA");
    return &options;
}
STARTS(use_time, mtoken_client_synchronize_time(client, &started, error))
STARTS(use_activate, mtoken_client_activate(client, activation(), &started, error))
STARTS(use_status, mtoken_client_fetch_status(client, &started, error))
STARTS(use_remove, mtoken_client_remove(client, &auth, &started, error))
STARTS(use_create_token, mtoken_token_create(client, "t", 1, &auth, &started, error))
STARTS(use_remove_token, mtoken_token_remove(client, "t", 1, &started, error))
STARTS(use_list, mtoken_operations_list(client, &started, error))
STARTS(use_history, mtoken_operations_history(client, &auth, &started, error))
STARTS(use_detail, mtoken_operations_detail(client, "x", 1, &started, error))
STARTS(use_claim, mtoken_operations_claim(client, "x", 1, &started, error))
STARTS(use_authorize, mtoken_operations_authorize(client, &operation, &auth, NULL, &started, error))
STARTS(use_authorize_data, brief_authorize(client, "x", "x", &auth, NULL, &started, error))
STARTS(use_reject, brief_reject(client, "x", "x", NULL, &started, error))

static mtoken_status use_info(void *handle, mtoken_error **error)
{
    mtoken_client_info *info = (mtoken_client_info *)1;
    mtoken_status status = mtoken_client_get_info(handle, &info, error);
    if (status != MTOKEN_OK)
        CHECK(info == NULL);
    else
        mtoken_client_info_free(info);
    return status;
}

static mtoken_status use_reset_time(void *handle, mtoken_error **error)
{
    return mtoken_client_reset_time(handle, error);
}
static mtoken_status use_persist(void *handle, mtoken_error **error)
{
    return mtoken_client_persist(handle, &auth, error);
}
static mtoken_status use_cancel(void *handle, mtoken_error **error)
{
    return mtoken_client_cancel_activation(handle, error);
}
static mtoken_status use_remove_local(void *handle, mtoken_error **error)
{
    return mtoken_client_remove_local(handle, error);
}
static mtoken_status use_forget(void *handle, mtoken_error **error)
{
    return mtoken_token_forget(handle, "t", 1, error);
}

static mtoken_status use_sign(void *handle, mtoken_error **error)
{
    mtoken_header *header = (mtoken_header *)1;
    mtoken_status status = brief_sign(handle, "GET", "/x", bytes(NULL), &auth, &header, error);
    CHECK(header == NULL);
    return status;
}

static mtoken_status use_sign_offline(void *handle, mtoken_error **error)
{
    mtoken_text *code = (mtoken_text *)1;
    mtoken_status status = brief_sign_offline(handle, "/x", bytes(NULL), nonce_bytes(16), &auth, 0, &code, error);
    CHECK(code == NULL);
    return status;
}

static mtoken_status use_verify(void *handle, mtoken_error **error)
{
    int32_t valid = 7;
    mtoken_status status = brief_verify(handle, MTOKEN_KEY_MASTER, nonce_bytes(1), nonce_bytes(1), &valid, error);
    CHECK_INT(valid, 0);
    return status;
}

static mtoken_status use_token_header(void *handle, mtoken_error **error)
{
    mtoken_header *header = (mtoken_header *)1;
    mtoken_status status = mtoken_token_get_header(handle, "t", 1, &header, error);
    CHECK(header == NULL);
    return status;
}

static mtoken_status use_next_event(void *handle, mtoken_error **error)
{
    mtoken_event *next = (mtoken_event *)1;
    mtoken_status status = mtoken_runtime_next_event(handle, 0, &next, error);
    if (status != MTOKEN_OK)
        CHECK(next == NULL);
    else
        mtoken_event_free(next);
    return status;
}

static mtoken_status use_interrupt(void *handle, mtoken_error **error)
{
    return mtoken_runtime_interrupt(handle, error);
}

static mtoken_status use_runtime_info(void *handle, mtoken_error **error)
{
    mtoken_runtime_info *info = (mtoken_runtime_info *)1;
    mtoken_status status = mtoken_runtime_get_info(handle, &info, error);
    if (status != MTOKEN_OK)
        CHECK(info == NULL);
    else
        mtoken_runtime_info_free(info);
    return status;
}

static mtoken_status use_clients(void *handle, mtoken_error **error)
{
    mtoken_store_list *list = (mtoken_store_list *)1;
    mtoken_status status = mtoken_store_clients(handle, &list, error);
    if (status != MTOKEN_OK)
        CHECK(list == NULL);
    else
        mtoken_store_list_free(list);
    return status;
}

static mtoken_status use_store_remove(void *handle, mtoken_error **error)
{
    return mtoken_store_remove(handle, "nobody", 6, error);
}

static mtoken_status use_store_copy(void *handle, mtoken_error **error)
{
    return mtoken_store_copy(handle, "nobody", 6, store, "somebody", 8, error);
}

static mtoken_status use_store_target(void *handle, mtoken_error **error)
{
    return mtoken_store_copy(store, "nobody", 6, handle, "somebody", 8, error);
}

static mtoken_status use_join(void *handle, mtoken_error **error)
{
    return mtoken_task_join(handle, MTOKEN_FOREVER, error);
}
static mtoken_status use_notify(void *handle, mtoken_error **error) { return mtoken_task_notify(handle, 1, error); }

static mtoken_status use_runtime(void *handle, mtoken_error **error)
{
    mtoken_client_options options = plain_options(store, "b", CLOSED_URL);
    mtoken_client *made = (mtoken_client *)1;
    mtoken_status status = mtoken_client_new(handle, &options, &made, error);
    if (status != MTOKEN_OK)
        CHECK(made == NULL);
    else
        mtoken_client_free(made);
    return status;
}

static mtoken_status use_store(void *handle, mtoken_error **error)
{
    mtoken_client_options options = plain_options(handle, "c", CLOSED_URL);
    mtoken_client *made = (mtoken_client *)1;
    mtoken_status status = mtoken_client_new(runtime, &options, &made, error);
    if (status != MTOKEN_OK)
        CHECK(made == NULL);
    else
        mtoken_client_free(made);
    return status;
}

static const use client_uses[] = {
    use_time,   use_activate, use_status,       use_remove,  use_create_token, use_remove_token,
    use_list,   use_history,  use_detail,       use_claim,   use_authorize,    use_authorize_data,
    use_reject, use_info,     use_reset_time,   use_persist, use_cancel,       use_remove_local,
    use_forget, use_sign,     use_sign_offline, use_verify,  use_token_header,
};

/* Every function that has no details must answer the same. */
static void use_silently(void *handle)
{
    mtoken_task *as_task = handle;
    CHECK_INT(mtoken_runtime_fd(handle), -1);
    CHECK_INT(mtoken_token_is_stored(handle, "t", 1), 0);
    CHECK_STATUS(mtoken_task_wait(as_task, 0), MTOKEN_ERROR_HANDLE);
    CHECK_STATUS(mtoken_task_wait(as_task, MTOKEN_FOREVER), MTOKEN_ERROR_HANDLE);
    CHECK_INT(mtoken_task_get_state(as_task), -1);
    CHECK_STATUS(mtoken_task_result(as_task), MTOKEN_ERROR_HANDLE);
    CHECK(mtoken_task_error(as_task) == NULL);
    CHECK_STATUS(mtoken_task_cancel(as_task), MTOKEN_ERROR_HANDLE);
    CHECK_STATUS(mtoken_task_set_user_data(as_task, &runtime), MTOKEN_ERROR_HANDLE);
    CHECK(mtoken_task_user_data(as_task) == NULL);
    CHECK(!mtoken_task_activation(as_task) && !mtoken_task_activation_status(as_task));
    CHECK(!mtoken_task_operations(as_task) && !mtoken_task_operation(as_task));
    mtoken_runtime_free(handle); /* all do nothing */
    mtoken_client_free(handle);
    mtoken_store_free(handle);
    mtoken_task_free(handle);
}

static void is_no(const use *uses, size_t count, void *handle)
{
    for (size_t i = 0; i < count; i++) {
        mtoken_error *error = NULL;
        mtoken_status status = uses[i](handle, &error);
        if (!CHECK_ERROR(status, MTOKEN_ERROR_HANDLE, error)) note("use %zu", i);
        CHECK_STATUS(uses[i](handle, NULL), MTOKEN_ERROR_HANDLE);
    }
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void bad_handles_are_recognised(void)
{
    set_up();
    static const use runtime_uses[] = {use_next_event, use_runtime, use_interrupt, use_runtime_info};
    static const use store_uses[] = {use_store, use_clients, use_store_remove, use_store_copy, use_store_target};
    static const use task_uses[] = {use_join, use_notify};
    /* Freed ones. */
    mtoken_runtime *freed_runtime = NULL;
    mtoken_store *freed_store = NULL;
    mtoken_task *freed_task = NULL;
    CHECK_OK(mtoken_runtime_new(NULL, &freed_runtime, NULL));
    mtoken_runtime_free(freed_runtime);
    CHECK_OK(mtoken_store_memory_new(&freed_store, NULL));
    mtoken_client *freed_client = plain_client(runtime, freed_store, "f", CLOSED_URL);
    mtoken_store_free(freed_store);
    CHECK_OK(mtoken_client_synchronize_time(freed_client, &freed_task, NULL));
    mtoken_client_free(freed_client);
    mtoken_task_free(freed_task);

    void *const bad[] = {NULL,
                         freed_runtime,
                         freed_store,
                         freed_client,
                         freed_task,
                         &operation,
                         (void *)1,
                         (void *)8,
                         (void *)-1,
                         (void *)(uintptr_t)0x1000000000000000u,
                         (void *)(uintptr_t)0x7fffffffffffffffu,
                         (void *)(uintptr_t)0x8000000000000000u,
                         (void *)(uintptr_t)0x1000000080000000u};
    for (size_t i = 0; i < COUNT(bad); i++) {
        is_no(client_uses, COUNT(client_uses), bad[i]);
        is_no(runtime_uses, COUNT(runtime_uses), bad[i]);
        is_no(store_uses, COUNT(store_uses), bad[i]);
        is_no(task_uses, COUNT(task_uses), bad[i]);
        CHECK_STATUS(mtoken_store_names_add(bad[i], "a.state", 7), MTOKEN_ERROR_HANDLE);
        use_silently(bad[i]);
    }
    /* Those of another kind, and those with one bit changed. */
    void *const handles[] = {runtime, store, client, task};
    for (size_t i = 0; i < COUNT(handles); i++) {
        if (handles[i] != client) is_no(client_uses, COUNT(client_uses), handles[i]);
        if (handles[i] != runtime) is_no(runtime_uses, COUNT(runtime_uses), handles[i]);
        if (handles[i] != store) is_no(store_uses, COUNT(store_uses), handles[i]);
        if (handles[i] != task) is_no(task_uses, COUNT(task_uses), handles[i]);
        for (int bit = 0; bit < 64; bit++) {
            void *changed = (void *)((uintptr_t)handles[i] ^ (uintptr_t)1 << bit);
            bool other = false; /* it may be another that lives */
            for (size_t k = 0; k < COUNT(handles); k++) other |= changed == handles[k];
            if (!other) use_silently(changed);
        }
    }
    /* The right ones still work. */
    CHECK_OK(use_info(client, NULL));
    CHECK_INT(mtoken_task_get_state(task), MTOKEN_TASK_FAILED);
    CHECK(event->kind != 0);
    CHECK(mtoken_runtime_fd(runtime) >= 0);
    CHECK_OK(use_store(store, NULL));
    tear_down();
}

/* Handles are not given out a second time soon after they were freed. */
static void handles_are_not_recycled_soon(void)
{
    mtoken_store *first = NULL, *other = NULL;
    CHECK_OK(mtoken_store_memory_new(&first, NULL));
    mtoken_store_free(first);
    for (int i = 0; i < 100000; i++) {
        CHECK_OK(mtoken_store_memory_new(&other, NULL));
        if (!CHECK(other != first)) break;
        mtoken_store_free(other);
        mtoken_store_free(first); /* does nothing to the other */
    }
}

/* ------------------------------------------------------------------------------------------------------------- texts
 */

typedef mtoken_status (*read_text)(const char *data, size_t length, mtoken_error **error);

#define READS(name, call)                                                                                              \
    static mtoken_status name(const char *data, size_t length, mtoken_error **error)                                   \
    {                                                                                                                  \
        started = (mtoken_task *)1;                                                                                    \
        mtoken_status status = call;                                                                                   \
        CHECK(started == NULL || started == (mtoken_task *)1);                                                         \
        return status;                                                                                                 \
    }

static mtoken_activation_code *code_out;
static mtoken_text *string_out;
static mtoken_header *header_out;
static mtoken_store *store_out;

READS(text_code, mtoken_activation_code_parse(data, length, &code_out, error))
READS(text_query, mtoken_canonical_query(data, length, &string_out, error))
READS(text_store, mtoken_store_directory_new(data, length, &store_out, error))
READS(text_token, mtoken_token_create(client, data, length, &auth, &started, error))
READS(text_token_header, mtoken_token_get_header(client, data, length, &header_out, error))
READS(text_token_remove, mtoken_token_remove(client, data, length, &started, error))
READS(text_detail, mtoken_operations_detail(client, data, length, &started, error))
READS(text_claim, mtoken_operations_claim(client, data, length, &started, error))
READS(text_reject_id, mtoken_operations_reject(client, data, length, NULL, &started, error))

/* Those of option structs, and optional ones: NULL with length 0 means that they are not given. */
static mtoken_client *client_out;

#define CLIENT_TEXT(name, field)                                                                                       \
    static mtoken_status name(const char *data, size_t length, mtoken_error **error)                                   \
    {                                                                                                                  \
        mtoken_client_options options = plain_options(store, "options", CLOSED_URL);                                   \
        options.field.data = data;                                                                                     \
        options.field.length = length;                                                                                 \
        return mtoken_client_new(runtime, &options, &client_out, error);                                               \
    }
CLIENT_TEXT(client_id, id)
CLIENT_TEXT(client_configuration, configuration)
CLIENT_TEXT(client_base_url, base_url)
CLIENT_TEXT(client_operations_url, operations_url)
CLIENT_TEXT(client_ca_file, ca_file)
CLIENT_TEXT(client_proxy, proxy)
CLIENT_TEXT(client_language, language)
CLIENT_TEXT(client_user_agent, user_agent)

#define SIGN_TEXT(name, field)                                                                                         \
    static mtoken_status name(const char *data, size_t length, mtoken_error **error)                                   \
    {                                                                                                                  \
        mtoken_sign_options options = MTOKEN_SIGN_OPTIONS_INIT;                                                        \
        options.method = text("POST");                                                                                 \
        options.uri_id = text("/x");                                                                                   \
        options.field.data = data;                                                                                     \
        options.field.length = length;                                                                                 \
        return mtoken_client_sign(client, &options, &auth, &header_out, error);                                        \
    }
SIGN_TEXT(text_method, method)
SIGN_TEXT(text_uri, uri_id)

static mtoken_status text_offline_uri(const char *data, size_t length, mtoken_error **error)
{
    mtoken_sign_offline_options options = MTOKEN_SIGN_OFFLINE_OPTIONS_INIT;
    options.uri_id.data = data;
    options.uri_id.length = length;
    options.nonce = nonce_bytes(16);
    return mtoken_client_sign_offline(client, &options, &auth, &string_out, error);
}

#define OPERATION_TEXT(name, field)                                                                                    \
    static mtoken_status name(const char *data, size_t length, mtoken_error **error)                                   \
    {                                                                                                                  \
        mtoken_operation_options options = MTOKEN_OPERATION_OPTIONS_INIT;                                              \
        options.id = options.operation_data = text("x");                                                               \
        options.field.data = data;                                                                                     \
        options.field.length = length;                                                                                 \
        return mtoken_operations_authorize_data(client, &options, &auth, NULL, &started, error);                       \
    }
OPERATION_TEXT(text_id, id)
OPERATION_TEXT(text_data, operation_data)

#define REJECTION_TEXT(name, field)                                                                                    \
    static mtoken_status name(const char *data, size_t length, mtoken_error **error)                                   \
    {                                                                                                                  \
        mtoken_reject_options options = MTOKEN_REJECT_OPTIONS_INIT;                                                    \
        options.field.data = data;                                                                                     \
        options.field.length = length;                                                                                 \
        return mtoken_operations_reject(client, "x", 1, &options, &started, error);                                    \
    }
REJECTION_TEXT(text_reason, reason)
REJECTION_TEXT(rejection_data, mobile_token_data)

#define ACTIVATION_TEXT(name, field)                                                                                   \
    static mtoken_status name(const char *data, size_t length, mtoken_error **error)                                   \
    {                                                                                                                  \
        mtoken_activation_options options = *activation();                                                             \
        options.field.data = data;                                                                                     \
        options.field.length = length;                                                                                 \
        return mtoken_client_activate(client, &options, &started, error);                                              \
    }
ACTIVATION_TEXT(activation_code, code)
ACTIVATION_TEXT(activation_otp, otp)
ACTIVATION_TEXT(activation_name, name)
ACTIVATION_TEXT(activation_extras, extras)
ACTIVATION_TEXT(activation_attributes, custom_attributes)
ACTIVATION_TEXT(activation_platform, platform)
ACTIVATION_TEXT(activation_device, device_info)

#define APPROVAL_TEXT(name, field)                                                                                     \
    static mtoken_status name(const char *data, size_t length, mtoken_error **error)                                   \
    {                                                                                                                  \
        mtoken_authorize_options options = MTOKEN_AUTHORIZE_OPTIONS_INIT;                                              \
        options.field.data = data;                                                                                     \
        options.field.length = length;                                                                                 \
        options.proximity_source = MTOKEN_PROXIMITY_QR_CODE;                                                           \
        return brief_authorize(client, "x", "x", &auth, &options, &started, error);                                    \
    }
APPROVAL_TEXT(approval_data, mobile_token_data)
APPROVAL_TEXT(approval_otp, proximity_otp)

static mtoken_status pin_text(const char *data, size_t length, mtoken_error **error)
{
    mtoken_client_options options = plain_options(store, "options", CLOSED_URL);
    mtoken_tls_pin pin = {{NULL, 0}, INT64_MAX};
    pin.sha256.data = data;
    pin.sha256.length = length;
    options.pins = &pin;
    options.pin_count = 1;
    return mtoken_client_new(runtime, &options, &client_out, error);
}

static void bad_texts_are_refused(void)
{
    set_up();
    static const struct {
        read_text read;
        const char *name;
        bool optional; /* NULL means: not given */
    } readers[] = {
        {text_code, "code", false},
        {text_query, "query", false},
        {text_store, "path", false},
        {text_method, "method", false},
        {text_uri, "uri_id", false},
        {text_offline_uri, "uri_id offline", false},
        {text_token, "token name", false},
        {text_token_header, "token header name", false},
        {text_token_remove, "token remove name", false},
        {text_detail, "detail id", false},
        {text_claim, "claim id", false},
        {text_id, "authorize id", false},
        {text_data, "authorize data", false},
        {text_reject_id, "reject id", false},
        {text_reason, "reason", true},
        {client_id, "id", false},
        {client_configuration, "configuration", false},
        {client_base_url, "base_url", false},
        {client_operations_url, "operations_url", true},
        {client_ca_file, "ca_file", true},
        {client_proxy, "proxy", true},
        {client_language, "language", true},
        {client_user_agent, "user_agent", true},
        {activation_code, "activation code", false},
        {activation_otp, "otp", true},
        {activation_name, "name", true},
        {activation_extras, "extras", true},
        {activation_attributes, "custom_attributes", true},
        {activation_platform, "platform", true},
        {activation_device, "device_info", true},
        {approval_data, "mobile_token_data", true},
        {approval_otp, "proximity_otp", true},
        {rejection_data, "rejection data", true},
        {pin_text, "pin", false},
    };
    static const struct {
        const char *data;
        size_t length;
    } bad[] = {
        {NULL, 1},
        {NULL, SIZE_MAX - 1},
        {"a\0b", 3},
        {"\0", 1},
        {"abc", 4},              /* the NUL behind */
        {"\x80", 1},             /* a lone continuation */
        {"\xc3", 1},             /* cut off */
        {"\xc3(", 2},            /* no continuation */
        {"\xc0\xaf", 2},         /* overlong */
        {"\xe0\x80\xaf", 3},     /* overlong */
        {"\xed\xa0\x80", 3},     /* surrogate */
        {"\xf4\x90\x80\x80", 4}, /* beyond U+10FFFF */
        {"\xf0\x9f\x92", 3},     /* cut off */
        {"\xff", MTOKEN_NUL_TERMINATED},
        {"x", SIZE_MAX - 1}, /* absurd lengths are refused before anything is read */
        {"x", (size_t)1 << 40},
        {"x", (size_t)INT64_MAX},
        {"x", (size_t)INT64_MAX + 1},
    };
    size_t size = ((size_t)1 << 20) + 2;
    char *large = malloc(size);
    memset(large, 'x', size - 1);
    large[size - 1] = 0;
    for (size_t r = 0; r < COUNT(readers); r++) {
        mtoken_error *error = NULL;
        for (size_t i = 0; i < COUNT(bad); i++)
            if (!CHECK_ERROR(readers[r].read(bad[i].data, bad[i].length, &error), MTOKEN_ERROR_ARGUMENT, error))
                note("%s, text %zu", readers[r].name, i);
        if (!CHECK_ERROR(readers[r].read(large, size - 1, &error), MTOKEN_ERROR_ARGUMENT, error))
            note("%s, too long", readers[r].name);
        if (!CHECK_ERROR(readers[r].read(large, MTOKEN_NUL_TERMINATED, &error), MTOKEN_ERROR_ARGUMENT, error))
            note("%s, too long by NUL", readers[r].name);
        if (!readers[r].optional && !CHECK_ERROR(readers[r].read(NULL, 0, &error), MTOKEN_ERROR_ARGUMENT, error))
            note("%s, NULL", readers[r].name);
        CHECK_STATUS(readers[r].read("\xff", 1, NULL), MTOKEN_ERROR_ARGUMENT);
    }
    free(large);
    CHECK_INT(mtoken_token_is_stored(client, "\xff", 1), 0);
    CHECK_INT(mtoken_token_is_stored(client, NULL, 0), 0);
    CHECK_INT(mtoken_token_is_stored(client, "", 0), 0);
    tear_down();
}

/* ------------------------------------------------------------------------------------------------------------ values
 */

static void bad_client_options_are_refused(void)
{
    set_up();
    mtoken_error *error = NULL;
    mtoken_client *made = NULL;
    const mtoken_client_options good = plain_options(store, "values", CLOSED_URL);
    mtoken_client_options options = good;
    mtoken_tls_pin pin = {{"AAAA", 4}, 0};
#define REFUSED(change, code)                                                                                          \
    do {                                                                                                               \
        options = good;                                                                                                \
        change;                                                                                                        \
        made = (mtoken_client *)1;                                                                                     \
        if (!CHECK_ERROR(mtoken_client_new(runtime, &options, &made, &error), code, error)) note("%s", #change);       \
        CHECK(made == NULL);                                                                                           \
    } while (0)
    static const char *const ids[] = {
        "",  ".",   ".a", "a/b", "a b",
        "ä", "a\n", "..", "a:b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"};
    for (size_t i = 0; i < COUNT(ids); i++) REFUSED(options.id = text(ids[i]), MTOKEN_ERROR_ARGUMENT);
    static const char *const urls[] = {"",
                                       "x",
                                       "ftp://a",
                                       "https://",
                                       "https:///a",
                                       "https://a?b",
                                       "https://a#b",
                                       "https://u@a",
                                       "https://a b",
                                       "HTTPS//a",
                                       "https://\xc5\xbe",
                                       "https://a\r\nX: y"};
    for (size_t i = 0; i < COUNT(urls); i++) {
        REFUSED(options.base_url = text(urls[i]), MTOKEN_ERROR_CONFIGURATION);
        REFUSED(options.operations_url = text(urls[i]), MTOKEN_ERROR_CONFIGURATION);
    }
    REFUSED((options.base_url = text("http://a"), options.allow_http = 0), MTOKEN_ERROR_CONFIGURATION);
    static const char *const configurations[] = {"", "AA", "AAAA", "%%%%", "AQ==", "ARCB+TI="};
    for (size_t i = 0; i < COUNT(configurations); i++)
        REFUSED(options.configuration = text(configurations[i]), MTOKEN_ERROR_CONFIGURATION);
    REFUSED(options.store = NULL, MTOKEN_ERROR_HANDLE);
    REFUSED(options.protocol_version = 30, MTOKEN_ERROR_ARGUMENT);
    REFUSED(options.protocol_version = 34, MTOKEN_ERROR_ARGUMENT);
    REFUSED(options.protocol_version = -1, MTOKEN_ERROR_ARGUMENT);
    REFUSED(options.tls_trust = 3, MTOKEN_ERROR_ARGUMENT);
    REFUSED(options.tls_trust = -1, MTOKEN_ERROR_ARGUMENT);
    REFUSED(options.tls_trust = MTOKEN_TLS_CA, MTOKEN_ERROR_ARGUMENT);
    REFUSED(options.ca_file = text("/etc/hostname"), MTOKEN_ERROR_ARGUMENT);
    REFUSED((options.tls_trust = MTOKEN_TLS_CA, options.ca_file = text("/nonexistent")), MTOKEN_ERROR_CONFIGURATION);
    REFUSED(options.pin_count = 1, MTOKEN_ERROR_ARGUMENT);
    REFUSED((options.pins = &pin, options.pin_count = 1), MTOKEN_ERROR_ARGUMENT);
    REFUSED((options.pins = &pin, options.pin_count = 65), MTOKEN_ERROR_ARGUMENT);
    REFUSED((options.pins = &pin, options.pin_count = SIZE_MAX), MTOKEN_ERROR_ARGUMENT);
    REFUSED(options.timeout_ms = -1, MTOKEN_ERROR_ARGUMENT);
    REFUSED(options.timeout_ms = INT32_MIN, MTOKEN_ERROR_ARGUMENT);
    REFUSED(options.language = text("cs\r\nX: y"), MTOKEN_ERROR_ARGUMENT);
    REFUSED(options.user_agent = text("a\nb"), MTOKEN_ERROR_ARGUMENT);
    REFUSED(options.device_secret = bytes("0123456789abcde"), MTOKEN_ERROR_ARGUMENT);
    REFUSED(options.device_secret.length = 16, MTOKEN_ERROR_ARGUMENT);
    REFUSED((options.device_secret = bytes("0123456789abcdef"), options.device_secret.length = SIZE_MAX),
            MTOKEN_ERROR_ARGUMENT);
    REFUSED(options.struct_size = 0, MTOKEN_ERROR_ARGUMENT);
    REFUSED(options.struct_size -= 8, MTOKEN_ERROR_ARGUMENT);
    REFUSED(options.struct_size = SIZE_MAX, MTOKEN_ERROR_ARGUMENT);
    REFUSED(options.struct_size = (size_t)INT64_MAX, MTOKEN_ERROR_ARGUMENT);
#undef REFUSED
    CHECK_STATUS(mtoken_client_new(runtime, NULL, &made, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(mtoken_client_new(runtime, &good, NULL, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK_OK(mtoken_client_new(runtime, &good, &made, NULL));
    mtoken_client *second = NULL;
    CHECK_ERROR(mtoken_client_new(runtime, &good, &second, &error), MTOKEN_ERROR_BUSY, error);
    mtoken_client_free(made);
    CHECK_OK(mtoken_client_new(runtime, &good, &second, NULL));
    mtoken_client_free(second);
    tear_down();
}

/* A program built with a later header hands in larger structs: fine, as long as what is new is not used. */
static void larger_structs_are_understood(void)
{
    set_up();
    static const size_t more[] = {8, 64, 4096, 4104};
    for (size_t i = 0; i < COUNT(more); i++) {
        size_t sizes[] = {
            sizeof(mtoken_client_options),     sizeof(mtoken_runtime_options),   sizeof(mtoken_auth),
            sizeof(mtoken_activation_options), sizeof(mtoken_authorize_options), sizeof(mtoken_host_store)};
        mtoken_client_options client_options = plain_options(store, "larger", CLOSED_URL);
        mtoken_runtime_options runtime_options = MTOKEN_RUNTIME_OPTIONS_INIT;
        mtoken_activation_options activation_options = *activation();
        mtoken_authorize_options authorize_options = MTOKEN_AUTHORIZE_OPTIONS_INIT;
        mtoken_host_store host = plain_host_store();
        const void *structs[] = {&client_options,     &runtime_options,   &auth,
                                 &activation_options, &authorize_options, &host};
        for (size_t s = 0; s < COUNT(sizes); s++) {
            for (int used = 0; used < 2; used++) {
                size_t size = sizes[s] + more[i];
                uint8_t *larger = calloc(1, size);
                memcpy(larger, structs[s], sizes[s]);
                memcpy(larger, &size, sizeof size);
                larger[size - 1] = (uint8_t)used;
                mtoken_status expected = used || more[i] > 4096 ? MTOKEN_ERROR_ARGUMENT : MTOKEN_OK, status = MTOKEN_OK;
                mtoken_client *made_client = NULL;
                mtoken_runtime *made_runtime = NULL;
                mtoken_store *made_store = NULL;
                mtoken_task *made_task = NULL;
                mtoken_header *made_header = NULL;
                switch (s) {
                case 0: status = mtoken_client_new(runtime, (void *)larger, &made_client, NULL); break;
                case 1: status = mtoken_runtime_new((void *)larger, &made_runtime, NULL); break;
                case 2:
                    status = brief_sign(client, "GET", "/", bytes(NULL), (void *)larger, &made_header, NULL);
                    if (expected == MTOKEN_OK) expected = MTOKEN_ERROR_NOT_ACTIVATED;
                    break;
                case 3:
                    status = mtoken_client_activate(client, (void *)larger, &made_task, NULL);
                    if (status == MTOKEN_OK) /* unless it has failed already */
                        CHECK_KNOWN(mtoken_client_cancel_activation(client, NULL));
                    break;
                case 4:
                    status = mtoken_operations_authorize(client, &operation, &auth, (void *)larger, &made_task, NULL);
                    if (expected == MTOKEN_OK) expected = MTOKEN_ERROR_NOT_ACTIVATED;
                    break;
                default: status = mtoken_store_host_new((void *)larger, &made_store, NULL);
                }
                if (!CHECK_STATUS(status, expected)) note("struct %zu, %zu more bytes", s, more[i]);
                free(larger);
                mtoken_client_free(made_client);
                mtoken_runtime_free(made_runtime);
                mtoken_store_free(made_store);
                if (made_task) CHECK_OK(mtoken_task_wait(made_task, 20000));
                mtoken_task_free(made_task);
            }
        }
    }
    tear_down();
}

static void bad_values_are_refused(void)
{
    set_up();
    mtoken_error *error = NULL;
    mtoken_runtime *made = NULL;
    mtoken_event *next = NULL;
    mtoken_header *header = NULL;
    mtoken_text *code = NULL;
    const mtoken_runtime_options good_runtime = MTOKEN_RUNTIME_OPTIONS_INIT;
    mtoken_runtime_options options = good_runtime;
#define REFUSED(change)                                                                                                \
    do {                                                                                                               \
        options = good_runtime;                                                                                        \
        change;                                                                                                        \
        made = (mtoken_runtime *)1;                                                                                    \
        CHECK_ERROR(mtoken_runtime_new(&options, &made, &error), MTOKEN_ERROR_ARGUMENT, error);                        \
        CHECK(made == NULL);                                                                                           \
    } while (0)
    REFUSED(options.log_level = 5);
    REFUSED(options.log_level = -1);
    REFUSED(options.max_transfers = -1);
    REFUSED(options.max_transfers = 4097);
    REFUSED(options.events = -1);
    REFUSED(options.reserved = 1);
    REFUSED(options.struct_size = 1);
#undef REFUSED
    CHECK_STATUS(mtoken_runtime_new(NULL, NULL, NULL), MTOKEN_ERROR_ARGUMENT);

    /* Time spans. */
    static const int64_t negative[] = {-2, -1000, INT64_MIN};
    for (size_t i = 0; i < COUNT(negative); i++) {
        CHECK_STATUS(mtoken_task_wait(task, negative[i]), MTOKEN_ERROR_ARGUMENT);
        CHECK_ERROR(mtoken_task_join(task, negative[i], &error), MTOKEN_ERROR_ARGUMENT, error);
        next = (mtoken_event *)1;
        CHECK_ERROR(mtoken_runtime_next_event(runtime, negative[i], &next, &error), MTOKEN_ERROR_ARGUMENT, error);
        CHECK(next == NULL);
    }
    CHECK_OK(mtoken_task_wait(task, INT64_MAX));
    CHECK_OK(mtoken_task_wait(task, MTOKEN_FOREVER));
    CHECK_STATUS(mtoken_runtime_next_event(runtime, 0, NULL, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(mtoken_runtime_get_info(runtime, NULL, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(mtoken_store_clients(store, NULL, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK(mtoken_event_take_challenge(NULL) == NULL);
    CHECK(mtoken_event_take_challenge(event) == NULL); /* there is none in it */

    /* Ids of clients in a store. */
    static const struct {
        const char *id;
        size_t length;
    } ids[] = {{NULL, 0},
               {"", 0},
               {".a", 2},
               {"a/b", 3},
               {"a\0b", 3},
               {"\xff", 1},
               {"a b", 3},
               {"a", (size_t)1 << 40},
               {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 65}};
    for (size_t i = 0; i < COUNT(ids); i++) {
        CHECK_ERROR(mtoken_store_remove(store, ids[i].id, ids[i].length, &error), MTOKEN_ERROR_ARGUMENT, error);
        CHECK_ERROR(mtoken_store_copy(store, ids[i].id, ids[i].length, store, "b", 1, &error), MTOKEN_ERROR_ARGUMENT,
                    error);
        CHECK_ERROR(mtoken_store_copy(store, "b", 1, store, ids[i].id, ids[i].length, &error), MTOKEN_ERROR_ARGUMENT,
                    error);
    }

    /* Factors and keys. */
    const mtoken_auth good = auth;
    mtoken_auth bad;
#define REFUSED(change, code)                                                                                          \
    do {                                                                                                               \
        bad = good;                                                                                                    \
        change;                                                                                                        \
        header = (mtoken_header *)1;                                                                                   \
        CHECK_ERROR(brief_sign(client, "GET", "/", bytes(NULL), &bad, &header, &error), code, error);                  \
        CHECK(header == NULL);                                                                                         \
    } while (0)
    REFUSED(bad.factors = 8, MTOKEN_ERROR_ARGUMENT);
    REFUSED(bad.factors = -1, MTOKEN_ERROR_ARGUMENT);
    REFUSED(bad.factors = INT32_MIN, MTOKEN_ERROR_ARGUMENT);
    REFUSED(bad.factors = 257, MTOKEN_ERROR_ARGUMENT);
    REFUSED(bad.reserved = 1, MTOKEN_ERROR_ARGUMENT);
    REFUSED(bad.struct_size = 0, MTOKEN_ERROR_ARGUMENT);
    REFUSED(bad.pin.data = NULL, MTOKEN_ERROR_ARGUMENT);
    REFUSED(bad.pin.length = SIZE_MAX, MTOKEN_ERROR_ARGUMENT);
    REFUSED(bad.pin.length = (size_t)17 << 20, MTOKEN_ERROR_ARGUMENT);
    REFUSED(bad.factors = MTOKEN_FACTOR_KNOWLEDGE | MTOKEN_FACTOR_BIOMETRY, MTOKEN_ERROR_FACTOR);
#undef REFUSED
    CHECK_STATUS(brief_sign(client, "GET", "/", bytes(NULL), NULL, &header, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(brief_sign(client, "GET", "/", bytes(NULL), &auth, NULL, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(brief_sign(client, "GET", "/", MTOKEN_BYTES(NULL, 1), &auth, &header, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(brief_sign(client, "GET", "/", nonce_bytes((size_t)17 << 20), &auth, &header, NULL),
                 MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(brief_sign(client, "GET", "/", nonce_bytes(SIZE_MAX), &auth, &header, NULL), MTOKEN_ERROR_ARGUMENT);
    static const char *const methods[] = {"", "get", "OPTIONS", "POST ", "CONNECT"};
    for (size_t i = 0; i < COUNT(methods); i++)
        CHECK_ERROR(brief_sign(client, methods[i], "/", bytes(NULL), &auth, &header, &error), MTOKEN_ERROR_ARGUMENT,
                    error);
    CHECK_STATUS(brief_sign_offline(client, "/", bytes(NULL), MTOKEN_BYTES(NULL, 16), &auth, 0, &code, NULL),
                 MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(brief_sign_offline(client, "/", bytes(NULL), nonce_bytes(16), &auth, 0, NULL, NULL),
                 MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(brief_sign_offline(client, "/", bytes(NULL), nonce_bytes(16), NULL, 0, &code, NULL),
                 MTOKEN_ERROR_ARGUMENT);

    /* Signatures of the server. */
    int32_t valid = 5;
    CHECK_STATUS(brief_verify(client, 2, nonce_bytes(1), nonce_bytes(1), &valid, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(brief_verify(client, -1, nonce_bytes(1), nonce_bytes(1), &valid, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(brief_verify(client, 0, nonce_bytes(1), bytes(NULL), &valid, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(brief_verify(client, 0, nonce_bytes(1), nonce_bytes(1), NULL, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(brief_verify(client, 0, MTOKEN_BYTES(NULL, 1), nonce_bytes(1), &valid, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK_OK(brief_verify(client, 0, bytes(NULL), nonce_bytes(16), &valid, NULL)); /* no signature at all by its form */
    CHECK_INT(valid, 0);

    /* Activations. */
    mtoken_activation_options activate = *activation();
    activate.custom_attributes = text("[]");
    mtoken_status status = mtoken_client_activate(client, &activate, &started, &error);
    CHECK(status == MTOKEN_ERROR_ARGUMENT || status == MTOKEN_ERROR_PARSE);
    mtoken_error_free(error);
    error = NULL;
    activate = *activation();
    activate.code = text("VVVVV-VVVVV-VVVVV-VTFVB");
    CHECK_ERROR(mtoken_client_activate(client, &activate, &started, &error), MTOKEN_ERROR_PARSE, error);
    activate.code = text("VVVVV-VVVVV-VVVVV-VTFVA#AAAA");
    CHECK_ERROR(mtoken_client_activate(client, &activate, &started, &error), MTOKEN_ERROR_SIGNATURE, error);
    CHECK_STATUS(mtoken_client_activate(client, NULL, &started, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(mtoken_client_activate(client, activation(), NULL, NULL), MTOKEN_ERROR_ARGUMENT);

    /* Operations. */
    CHECK_STATUS(mtoken_operations_authorize(client, NULL, &auth, NULL, &started, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(mtoken_operations_authorize(client, &operation, NULL, NULL, &started, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(mtoken_operations_authorize(client, &operation, &auth, NULL, NULL, NULL), MTOKEN_ERROR_ARGUMENT);
    operation.id = NULL;
    CHECK_STATUS(mtoken_operations_authorize(client, &operation, &auth, NULL, &started, NULL), MTOKEN_ERROR_ARGUMENT);
    operation.id = "x";
    CHECK_STATUS(brief_reject(client, "", "x", NULL, &started, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(brief_reject(client, "x", "", NULL, &started, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(mtoken_operations_detail(client, "", 0, &started, NULL), MTOKEN_ERROR_ARGUMENT);
    static const char *const objects[] = {"", "[]", "1", "{", "{}x", "{\"a\":1,\"a\":2}"};
    for (size_t i = 0; i < COUNT(objects); i++) {
        mtoken_authorize_options extras = MTOKEN_AUTHORIZE_OPTIONS_INIT;
        extras.mobile_token_data = text(objects[i]);
        CHECK_ERROR(mtoken_operations_authorize(client, &operation, &auth, &extras, &started, &error),
                    MTOKEN_ERROR_PARSE, error);
        CHECK_ERROR(brief_reject(client, "x", "x", objects[i], &started, &error), MTOKEN_ERROR_PARSE, error);
    }
    mtoken_authorize_options extras = MTOKEN_AUTHORIZE_OPTIONS_INIT;
    extras.proximity_otp = text("1");
    CHECK_ERROR(mtoken_operations_authorize(client, &operation, &auth, &extras, &started, &error),
                MTOKEN_ERROR_ARGUMENT, error);
    extras.proximity_source = 3;
    CHECK_ERROR(mtoken_operations_authorize(client, &operation, &auth, &extras, &started, &error),
                MTOKEN_ERROR_ARGUMENT, error);

    /* What an empty client cannot do. */
    static const use needs_activation[] = {use_status,       use_remove,         use_create_token, use_remove_token,
                                           use_list,         use_history,        use_detail,       use_claim,
                                           use_authorize,    use_authorize_data, use_reject,       use_sign,
                                           use_sign_offline, use_token_header,   use_forget};
    for (size_t i = 0; i < COUNT(needs_activation); i++) {
        mtoken_status given = needs_activation[i](client, &error);
        if (error) CHECK_INT(error->outcome, MTOKEN_OUTCOME_NOT_SENT);
        if (!CHECK_ERROR(given, MTOKEN_ERROR_NOT_ACTIVATED, error)) note("use %zu", i);
    }
    CHECK_ERROR(use_persist(client, &error), MTOKEN_ERROR_STATE, error);
    CHECK_ERROR(use_cancel(client, &error), MTOKEN_ERROR_STATE, error);
    CHECK_ERROR(use_remove_local(client, &error), MTOKEN_OK, error);
    tear_down();
}

/* Yes or no, constants, numbers and times among the parameters: nothing is rounded, cut, or taken for a yes. */
static void numbers_out_of_range_are_refused(void)
{
    set_up();
    mtoken_error *error = NULL;
    const int64_t last = 253402300799999;
    mtoken_watcher *watcher = NULL;
    mtoken_bytes *data = NULL;
    mtoken_text *made = NULL;
    mtoken_pac *pac = NULL;
    mtoken_bool valid = 0;
    mtoken_ecdsa_verify_options ecdsa = MTOKEN_ECDSA_VERIFY_OPTIONS_INIT;
    mtoken_verify_options verify = MTOKEN_VERIFY_OPTIONS_INIT;
    ecdsa.public_key = nonce_bytes(16);
    ecdsa.signed_bytes = ecdsa.signature = verify.signed_bytes = verify.signature = nonce_bytes(1);
    CHECK_OK(mtoken_watcher_new(client, &watcher, NULL));
#define REFUSED(call) CHECK_ERROR(call, MTOKEN_ERROR_ARGUMENT, error)
    static const int32_t no_flags[] = {-1, 2, 7, 99, 256, INT32_MIN, INT32_MAX};
    for (size_t i = 0; i < COUNT(no_flags); i++) {
        int32_t bad = no_flags[i];
        REFUSED(mtoken_watcher_set_clock(watcher, bad, 0, &error));
        REFUSED(mtoken_inbox_list_page(client, 0, 10, bad, &started, &error));
        REFUSED(mtoken_inbox_list_all(client, 10, 0, bad, &started, &error));
        REFUSED(mtoken_ecdsa_sign(nonce, 16, nonce, 1, bad, &data, &error));
        ecdsa.form = bad;
        REFUSED(mtoken_ecdsa_verify(&ecdsa, &valid, &error));
        verify.server_key = bad;
        verify.form = MTOKEN_SIGNATURE_FORM_DER;
        REFUSED(mtoken_client_verify(client, &verify, &valid, &error));
        verify.server_key = MTOKEN_KEY_MASTER;
        verify.form = bad;
        REFUSED(mtoken_client_verify(client, &verify, &valid, &error));
        REFUSED(mtoken_vault_sign(client, nonce, 1, bad, &auth, &started, &error));
        REFUSED(mtoken_totp(nonce, 16, 0, 0, 0, bad, &made, &error));
        if (bad != 2)
            REFUSED(mtoken_pac_parse("mtoken://operation?oid=a", MTOKEN_NUL_TERMINATED, bad, NULL, &pac, &error));
        if (bad != 2) REFUSED(mtoken_client_hmac(client, bad, nonce, 1, &data, &error));
    }
    static const int64_t no_times[] = {-1, INT64_MIN, INT64_MAX};
    for (size_t i = 0; i <= COUNT(no_times); i++) {
        int64_t bad = i < COUNT(no_times) ? no_times[i] : last + 1;
        mtoken_authorize_options authorize = MTOKEN_AUTHORIZE_OPTIONS_INIT;
        mtoken_mobile_auth_options handle = MTOKEN_MOBILE_AUTH_OPTIONS_INIT;
        authorize.proximity_received = handle.proximity_received = bad;
        REFUSED(mtoken_totp(nonce, 16, bad, 0, 0, 0, &made, &error));
        for (int given = 0; given < 2; given++) {
            REFUSED(mtoken_operations_authorize(client, &operation, &auth, &authorize, &started, &error));
            REFUSED(brief_authorize(client, "x", "x", &auth, &authorize, &started, &error));
            REFUSED(mtoken_operations_attach(client, "x", 1, &authorize, &error));
            REFUSED(mtoken_mobile_auth_handle(client, "x", 1, &handle, &started, &error));
            authorize.proximity_otp = handle.proximity_otp = text("12345678");
            authorize.proximity_source = handle.proximity_source = MTOKEN_PROXIMITY_QR_CODE;
        }
        if (bad != -1) REFUSED(mtoken_watcher_set_clock(watcher, 1, bad, &error));
    }
    REFUSED(mtoken_watcher_set_clock(watcher, 0, -last - 1, &error));
    CHECK_OK(mtoken_watcher_set_clock(watcher, 1, -last, NULL));
    CHECK_OK(mtoken_watcher_set_clock(watcher, 0, last, NULL));
    CHECK_OK(mtoken_totp(nonce, 16, last, 0, 0, 0, &made, NULL));
    mtoken_text_free(made);
    REFUSED(mtoken_inbox_list_page(client, -1, 10, 0, &started, &error));
    REFUSED(mtoken_inbox_list_page(client, 0, 0, 0, &started, &error));
    REFUSED(mtoken_inbox_list_page(client, 0, 1001, 0, &started, &error));
    REFUSED(mtoken_inbox_list_all(client, -1, 0, 0, &started, &error));
    REFUSED(mtoken_inbox_list_all(client, 10, -1, 0, &started, &error));
    REFUSED(mtoken_totp(nonce, 16, 0, -1, 0, 0, &made, &error));
    REFUSED(mtoken_totp(nonce, 16, 0, 0, 5, 0, &made, &error));
    static const int32_t no_lengths[] = {-1, 1, 3, 9, INT32_MIN, INT32_MAX};
    for (size_t i = 0; i < COUNT(no_lengths); i++)
        REFUSED(brief_sign_offline(client, "/", bytes(NULL), nonce_bytes(16), &auth, no_lengths[i], &made, &error));
    REFUSED(mtoken_operation_fields_build(-1, 1, NULL, 0, &made, &error));
    REFUSED(mtoken_operation_fields_build('A', 100, NULL, 0, &made, &error));
    mtoken_tls_pin pin = {MTOKEN_TEXT("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="), -1};
    mtoken_client_options options = plain_options(store, "pinned", "https://127.0.0.1:1");
    mtoken_client *pinned = NULL;
    options.pins = &pin;
    options.pin_count = 1;
    REFUSED(mtoken_client_new(runtime, &options, &pinned, &error));
    pin.expires = last + 1;
    REFUSED(mtoken_client_new(runtime, &options, &pinned, &error));
    pin.expires = INT64_MAX; /* never */
    CHECK_OK(mtoken_client_new(runtime, &options, &pinned, NULL));
    mtoken_client_free(pinned);
#undef REFUSED
    mtoken_watcher_free(watcher);
    tear_down();
}

/* A client outlives its runtime: it can still be asked and must be freed. */
static void client_outlives_its_runtime(void)
{
    mtoken_runtime *short_lived = NULL;
    mtoken_store *memory = NULL;
    mtoken_task *late = NULL;
    mtoken_error *error = NULL;
    CHECK_OK(mtoken_runtime_new(NULL, &short_lived, NULL));
    CHECK_OK(mtoken_store_memory_new(&memory, NULL));
    mtoken_client *orphan = plain_client(short_lived, memory, "orphan", CLOSED_URL);
    mtoken_runtime_free(short_lived);
    CHECK_OK(use_info(orphan, NULL));
    CHECK_ERROR(mtoken_client_synchronize_time(orphan, &late, &error), MTOKEN_ERROR_STATE, error);
    CHECK(late == NULL);
    CHECK_ERROR(mtoken_client_activate(orphan, activation(), &late, &error), MTOKEN_ERROR_STATE, error);
    CHECK_OK(mtoken_client_remove_local(orphan, NULL));
    mtoken_client_free(orphan);
    mtoken_store_free(memory);
}

static const test tests[] = {
    {"bad handles are recognised", bad_handles_are_recognised},
    {"handles are not recycled soon", handles_are_not_recycled_soon},
    {"bad texts are refused", bad_texts_are_refused},
    {"bad client options are refused", bad_client_options_are_refused},
    {"larger structs are understood", larger_structs_are_understood},
    {"numbers out of range are refused", numbers_out_of_range_are_refused},
    {"bad values are refused", bad_values_are_refused},
    {"a client outlives its runtime", client_outlives_its_runtime},
};

int main(int argc, char **argv)
{
    after_each = plain_after_each;
    return RUN(tests);
}
