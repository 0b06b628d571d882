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
    operation.signature_type = MTOKEN_SIGNATURE_TYPE_2FA;
    operation.variants = MTOKEN_VARIANT_POSSESSION_KNOWLEDGE;
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

static mtoken_status use_token_header(void *handle, mtoken_error **error)
{
    mtoken_header *header = (mtoken_header *)1;
    mtoken_status status = mtoken_token_get_header(handle, "t", 1, &header, error);
    CHECK(header == NULL);
    return status;
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

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
    REFUSED((options.tls_trust = MTOKEN_TLS_UNSAFE, options.ca_file = text("/etc/hostname")), MTOKEN_ERROR_ARGUMENT);
    REFUSED(options.ca_file = text("/etc/hostname"), MTOKEN_ERROR_CONFIGURATION);
    REFUSED(options.ca_file = text("/nonexistent"), MTOKEN_ERROR_CONFIGURATION);
    REFUSED(options.least_suite = 9, MTOKEN_ERROR_ARGUMENT);
    REFUSED(options.min_pin_length = 3, MTOKEN_ERROR_ARGUMENT);
    REFUSED(options.min_pin_length = -1, MTOKEN_ERROR_ARGUMENT);
    REFUSED(options.min_pin_length = 1001, MTOKEN_ERROR_ARGUMENT);
    REFUSED(options.refused_pins = 32, MTOKEN_ERROR_ARGUMENT);
    REFUSED(options.refused_pins = -1, MTOKEN_ERROR_ARGUMENT);
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
    REFUSED(options.struct_size = 8, MTOKEN_ERROR_ARGUMENT);
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
    static const uint8_t wiped[16];
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
    REFUSED(bad.pin = bytes(NULL), MTOKEN_ERROR_ARGUMENT); /* nothing given is not possession alone */
    REFUSED(bad.pin = MTOKEN_BYTES(wiped, 6), MTOKEN_ERROR_ARGUMENT);
    REFUSED(bad.biometry_key = MTOKEN_BYTES(wiped, 16), MTOKEN_ERROR_ARGUMENT);
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
    CHECK_STATUS(brief_verify(client, 3, nonce_bytes(1), nonce_bytes(1), &valid, NULL), MTOKEN_ERROR_ARGUMENT);
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
        verify.server_key = bad == MTOKEN_KEY_PERSONALIZED_MAC ? bad + 1 : bad;
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
    /* What would be forgotten is not taken. */
    for (int member = 0; member < 5; member++) {
        mtoken_authorize_options attached = MTOKEN_AUTHORIZE_OPTIONS_INIT;
        attached.allow_other_factors = member == 0;
        if (member == 4) attached.expected_id = text("x");
        attached.strict = member == 1;
        attached.allow_unknown_status = member == 2;
        attached.tolerated = member == 3 ? MTOKEN_CONTRADICTION_UNSIGNED_AMOUNT : 0;
        REFUSED(mtoken_operations_attach(client, "x", 1, &attached, &error));
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
    {"handles are not recycled soon", handles_are_not_recycled_soon},
    {"bad client options are refused", bad_client_options_are_refused},
    {"numbers out of range are refused", numbers_out_of_range_are_refused},
    {"bad values are refused", bad_values_are_refused},
    {"a client outlives its runtime", client_outlives_its_runtime},
};

int main(int argc, char **argv)
{
    after_each = plain_after_each;
    return RUN(tests);
}
