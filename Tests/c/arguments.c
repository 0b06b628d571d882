/* Values that a call refuses although their form is good, each with its code. Bad forms: Tests/misuse. */
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

static mtoken_task *started; /* what a call with a bad argument must not give */
static const uint8_t nonce[16];

static mtoken_bytes nonce_bytes(size_t length) { return MTOKEN_BYTES(nonce, length); }

static const mtoken_activation_options *activation(void)
{
    static mtoken_activation_options options = MTOKEN_ACTIVATION_OPTIONS_INIT;
    options.code = text("VVVVV-VVVVV-VVVVV-VTFVA");
    return &options;
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

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
    REFUSED(options.timeout_ms = -1, MTOKEN_ERROR_ARGUMENT);
    REFUSED(options.language = text("cs\r\nX: y"), MTOKEN_ERROR_ARGUMENT);
    REFUSED(options.user_agent = text("a\nb"), MTOKEN_ERROR_ARGUMENT);
    REFUSED(options.device_secret = bytes("0123456789abcde"), MTOKEN_ERROR_ARGUMENT);
#undef REFUSED
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
#undef REFUSED

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
    REFUSED(bad.factors = 257, MTOKEN_ERROR_ARGUMENT);
    REFUSED(bad.pin.length = (size_t)17 << 20, MTOKEN_ERROR_ARGUMENT);
    REFUSED(bad.factors = MTOKEN_FACTOR_KNOWLEDGE | MTOKEN_FACTOR_BIOMETRY, MTOKEN_ERROR_FACTOR);
    REFUSED(bad.pin = bytes(NULL), MTOKEN_ERROR_ARGUMENT); /* nothing given is not possession alone */
    REFUSED(bad.pin = MTOKEN_BYTES(wiped, 6), MTOKEN_ERROR_ARGUMENT);
    REFUSED(bad.biometry_key = MTOKEN_BYTES(wiped, 16), MTOKEN_ERROR_ARGUMENT);
#undef REFUSED
    CHECK_STATUS(brief_sign(client, "GET", "/", nonce_bytes((size_t)17 << 20), &auth, &header, NULL),
                 MTOKEN_ERROR_ARGUMENT);
    static const char *const methods[] = {"", "get", "OPTIONS", "POST ", "CONNECT"};
    for (size_t i = 0; i < COUNT(methods); i++)
        CHECK_ERROR(brief_sign(client, methods[i], "/", bytes(NULL), &auth, &header, &error), MTOKEN_ERROR_ARGUMENT,
                    error);

    /* Signatures of the server. */
    int32_t valid = 5;
    CHECK_STATUS(brief_verify(client, 3, nonce_bytes(1), nonce_bytes(1), &valid, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(brief_verify(client, -1, nonce_bytes(1), nonce_bytes(1), &valid, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(brief_verify(client, 0, nonce_bytes(1), bytes(NULL), &valid, NULL), MTOKEN_ERROR_ARGUMENT);
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

    /* Operations. */
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

static const test tests[] = {
    {"bad client options are refused", bad_client_options_are_refused},
    {"numbers out of range are refused", numbers_out_of_range_are_refused},
    {"bad values are refused", bad_values_are_refused},
};

int main(int argc, char **argv)
{
    after_each = plain_after_each;
    return RUN(tests);
}
