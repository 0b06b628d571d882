/*
 * How option structs grow. Each is handed in as programs of every age have it: it ends at each of its members in turn,
 * between them, which no program has, and beyond the last one, as those of the future will. The struct ends where the
 * process's memory does: a library that reads one byte too many is killed.
 * Which structs there are, and their members, the description of the header says (MTOKEN_ABI), so that none is
 * forgotten.
 */
#define _GNU_SOURCE
#include "plain.h"
#include "world.h"

#include <mtoken/extra.h>

#include <sys/mman.h>
#include <unistd.h>

static mtoken_runtime *runtime;
static mtoken_store *store;
static mtoken_client *client;
static mtoken_operation operation;
static mtoken_qr_operation *qr;
static mtoken_auth auth;
static mtoken_bytes *private_key, *public_key;

#define QR_PAYLOAD "id\ntitle\nmessage\nA1\nB\nAAAAAAAAAAAAAAAAAAAAAA==\n0"
#define QR_SIGNATURE "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

static void set_up(void)
{
    mtoken_testing_options testing = MTOKEN_TESTING_OPTIONS_INIT;
    const mtoken_auth init = MTOKEN_AUTH_INIT;
    mtoken_qr_options unverified = MTOKEN_QR_OPTIONS_INIT;
    mtoken_error *error = NULL;
    CHECK_OK(mtoken_testing_runtime_new(NULL, &testing, &runtime, NULL));
    CHECK_OK(mtoken_store_memory_new(&store, NULL));
    client = plain_client(runtime, store, "growth", CLOSED_URL);
    memset(&operation, 0, sizeof operation);
    operation.status = MTOKEN_OPERATION_PENDING;
    operation.id = operation.name = operation.operation_data = operation.title = operation.message = operation.json =
        "x";
    unverified.configuration = text(plain_configuration);
    unverified.keep_unverified = 1;
    CHECK_ERROR(mtoken_qr_operation_parse(QR_PAYLOAD QR_SIGNATURE, MTOKEN_NUL_TERMINATED, &unverified, &qr, &error),
                MTOKEN_OK, error);
    auth = init;
    auth.pin = MTOKEN_BYTES("1234", 4);
    CHECK_OK(mtoken_key_pair_new(&private_key, &public_key, NULL));
}

static void tear_down(void)
{
    mtoken_bytes_free(private_key);
    mtoken_bytes_free(public_key);
    mtoken_qr_operation_free(qr);
    mtoken_client_free(client);
    mtoken_store_free(store);
    mtoken_runtime_free(runtime);
}

/* ----------------------------------------------------------------------------------------------------- the structs'
 * uses */

static mtoken_status use_runtime(const void *options, mtoken_error **error)
{
    mtoken_runtime *made = NULL;
    mtoken_status status = mtoken_runtime_new(options, &made, error);
    mtoken_runtime_free(made);
    return status;
}

static mtoken_status use_host(const void *options, mtoken_error **error)
{
    mtoken_store *made = NULL;
    mtoken_status status = mtoken_store_host_new(options, &made, error);
    mtoken_store_free(made);
    return status;
}

static mtoken_status use_host_sealer(const void *options, mtoken_error **error)
{
    mtoken_sealer *made = NULL;
    mtoken_status status = mtoken_sealer_host_new(options, &made, error);
    mtoken_sealer_free(made);
    return status;
}

static mtoken_status use_sealer(const void *options, mtoken_error **error)
{
    mtoken_sealer *made = NULL;
    mtoken_status status = mtoken_sealer_open("systemd", 7, options, &made, error);
    mtoken_sealer_free(made);
    return status;
}

static mtoken_status use_client(const void *options, mtoken_error **error)
{
    mtoken_client *made = NULL;
    mtoken_status status = mtoken_client_new(runtime, options, &made, error);
    mtoken_client_free(made);
    return status;
}

static mtoken_status use_call(const void *options, mtoken_error **error)
{
    mtoken_client *made = NULL;
    mtoken_status status = mtoken_client_with_options(client, options, &made, error);
    mtoken_client_free(made);
    return status;
}

static mtoken_status use_auth(const void *options, mtoken_error **error)
{
    mtoken_header *made = NULL;
    mtoken_status status = brief_sign(client, "GET", "/", bytes(NULL), options, &made, error);
    mtoken_header_free(made);
    return status;
}

/* The calls that start something: with a client of their own. */
#define STARTS(name, call)                                                                                             \
    static mtoken_status name(const void *options, mtoken_error **error)                                               \
    {                                                                                                                  \
        mtoken_client *client = plain_client(runtime, store, "own", CLOSED_URL);                                       \
        mtoken_task *task = NULL;                                                                                      \
        mtoken_status status = call;                                                                                   \
        mtoken_task_free(task);                                                                                        \
        mtoken_client_free(client);                                                                                    \
        mtoken_testing_advance(runtime, 0, NULL);                                                                      \
        return status;                                                                                                 \
    }
STARTS(use_activation, mtoken_client_activate(client, options, &task, error))
STARTS(use_wait, mtoken_client_wait_active(client, options, &task, error))
STARTS(use_encrypt, mtoken_client_encrypt(client, (const uint8_t *)"x", 1, options, &task, error))
STARTS(use_push, mtoken_push_register(client, options, &task, error))
STARTS(use_mobile_auth, mtoken_mobile_auth_handle(client, "1", 1, options, &task, error))
STARTS(use_polling, mtoken_operations_start_polling(client, options, error))
STARTS(use_authorize, mtoken_operations_authorize(client, &operation, &auth, options, &task, error))
STARTS(use_authorize_of_data, brief_authorize(client, "x", "x", &auth, options, &task, error))
STARTS(use_attach, mtoken_operations_attach(client, "x", 1, options, error))
STARTS(use_operation, mtoken_operations_authorize_data(client, options, &auth, NULL, &task, error))
STARTS(use_reject, mtoken_operations_reject(client, "x", 1, options, &task, error))
STARTS(use_csr, mtoken_client_sign_csr(client, options, &auth, &task, error))
STARTS(use_token, mtoken_token_fetch_header(client, options, &auth, &task, error))

static mtoken_status use_response(const void *options, mtoken_error **error)
{
    return mtoken_request_respond(runtime, 1, options, error);
}

static const mtoken_auth *nested;

static mtoken_status use_auth_of_wait(const void *options, mtoken_error **error)
{
    mtoken_wait_options wait = MTOKEN_WAIT_OPTIONS_INIT;
    wait.auth = options;
    return use_wait(&wait, error);
}

static mtoken_status use_auth_of_encrypt(const void *options, mtoken_error **error)
{
    mtoken_encrypt_options encrypt = MTOKEN_ENCRYPT_OPTIONS_INIT;
    encrypt.scope = MTOKEN_SCOPE_ACTIVATION;
    encrypt.order = MTOKEN_ENCRYPT_THEN_SIGN;
    encrypt.uri_id = text("/x");
    encrypt.auth = options;
    return use_encrypt(&encrypt, error);
}

static mtoken_status use_qr(const void *options, mtoken_error **error)
{
    mtoken_qr_operation *made = NULL;
    mtoken_status status =
        mtoken_qr_operation_parse(QR_PAYLOAD QR_SIGNATURE, MTOKEN_NUL_TERMINATED, options, &made, error);
    mtoken_qr_operation_free(made);
    return status;
}

static mtoken_status use_qr_authorize(const void *options, mtoken_error **error)
{
    mtoken_text *made = NULL;
    mtoken_status status = mtoken_qr_authorize(client, qr, &auth, options, &made, error);
    mtoken_text_free(made);
    return status;
}

static mtoken_status use_qr_build(const void *options, mtoken_error **error)
{
    mtoken_text *made = NULL;
    mtoken_status status = mtoken_qr_operation_build(options, &made, error);
    mtoken_text_free(made);
    return status;
}

static mtoken_status use_pac(const void *options, mtoken_error **error)
{
    mtoken_pac *made = NULL;
    mtoken_status status = mtoken_pac_parse("mtoken://operation?oid=a&potp=12345678", MTOKEN_NUL_TERMINATED,
                                            MTOKEN_PROXIMITY_QR_CODE, options, &made, error);
    mtoken_pac_free(made);
    return status;
}

static mtoken_status use_pac_build(const void *options, mtoken_error **error)
{
    mtoken_text *made = NULL;
    mtoken_status status = mtoken_pac_build(options, &made, error);
    mtoken_text_free(made);
    return status;
}

static mtoken_status use_oidc(const void *options, mtoken_error **error)
{
    mtoken_oidc_request *made = NULL;
    mtoken_status status = mtoken_oidc_prepare(options, &made, error);
    mtoken_oidc_request_free(made);
    return status;
}

static mtoken_status use_oidc_of_url(const void *options, mtoken_error **error)
{
    mtoken_text *made = NULL;
    mtoken_oidc_url_options url = MTOKEN_OIDC_URL_OPTIONS_INIT;
    url.request = options;
    url.nonce = url.state = text("x");
    mtoken_status status = mtoken_oidc_authorization_url(&url, &made, error);
    mtoken_text_free(made);
    return status;
}

static mtoken_status use_oidc_url(const void *options, mtoken_error **error)
{
    mtoken_text *made = NULL;
    mtoken_status status = mtoken_oidc_authorization_url(options, &made, error);
    mtoken_text_free(made);
    return status;
}

static mtoken_status use_sign(const void *options, mtoken_error **error)
{
    mtoken_header *made = NULL;
    mtoken_status status = mtoken_client_sign(client, options, &auth, &made, error);
    mtoken_header_free(made);
    return status;
}

static mtoken_status use_sign_offline(const void *options, mtoken_error **error)
{
    mtoken_text *made = NULL;
    mtoken_status status = mtoken_client_sign_offline(client, options, &auth, &made, error);
    mtoken_text_free(made);
    return status;
}

static mtoken_status use_verify(const void *options, mtoken_error **error)
{
    mtoken_bool is_valid = 0;
    return mtoken_client_verify(client, options, &is_valid, error);
}

static mtoken_status use_ecdsa_verify(const void *options, mtoken_error **error)
{
    mtoken_bool is_valid = 0;
    return mtoken_ecdsa_verify(options, &is_valid, error);
}

/* ------------------------------------------------------------------------------------------------- the structs'
 * members */

/* Good values in all members, as far as they go together; those of a call that fails for them all are of use too. */
static union {
    size_t struct_size;
    mtoken_runtime_options runtime;
    mtoken_host_store host;
    mtoken_host_sealer host_sealer;
    mtoken_sealer_options sealer;
    mtoken_client_options client;
    mtoken_call_options call;
    mtoken_csr_options csr;
    mtoken_http_response response;
    mtoken_auth auth;
    mtoken_activation_options activation;
    mtoken_wait_options wait;
    mtoken_encrypt_options encrypt;
    mtoken_qr_options qr;
    mtoken_qr_authorize_options qr_authorize;
    mtoken_qr_build_options qr_build;
    mtoken_authorize_options authorize;
    mtoken_pac_options pac;
    mtoken_pac_build_options pac_build;
    mtoken_oidc_options oidc;
    mtoken_push_options push;
    mtoken_mobile_auth_options mobile_auth;
    mtoken_polling_options polling;
    mtoken_sign_options sign;
    mtoken_sign_offline_options sign_offline;
    mtoken_verify_options verify;
    mtoken_operation_options operation;
    mtoken_reject_options reject;
    mtoken_token_options token;
    mtoken_ecdsa_verify_options ecdsa_verify;
    mtoken_oidc_url_options oidc_url;
} good;

static const uint8_t number[32] = {1};
static mtoken_tls_pin *pin;
static mtoken_header_text *header;
static mtoken_identity_attribute *attribute;
static mtoken_oidc_parameter *parameter;
static mtoken_text *allowed;
static mtoken_oidc_options *nested_oidc;

static void fill_runtime(void)
{
    good.runtime.events = MTOKEN_EVENT_MASK_ALL;
    good.runtime.log_level = MTOKEN_LOG_DEBUG;
    good.runtime.max_transfers = 3;
}

static void fill_host(void)
{
    good.host = plain_host_store();
    good.host.context = &good;
}

static void fill_host_sealer(void)
{
    good.host_sealer = plain_host_sealer();
    good.host_sealer.context = &good;
}

static void fill_sealer(void)
{
    good.sealer.device = text("x");
    good.sealer.module_path = text("/x");
    good.sealer.password = MTOKEN_BYTES(number, 8);
    good.sealer.pcrs = text("7");
}

static void fill_client(void)
{
    good.client = plain_options(store, "grown", "https://127.0.0.1:1/api");
    good.client.operations_url = text("https://127.0.0.1:1/operations");
    good.client.device_secret = MTOKEN_BYTES(number, 32);
    good.client.protocol_version = MTOKEN_PROTOCOL_3_2;
    good.client.ca_file = text("/etc/ssl/certs/ca-certificates.crt");
    good.client.pins = pin;
    good.client.pin_count = 1;
    good.client.timeout_ms = 1000;
    good.client.proxy = text("http://127.0.0.1:2");
    good.client.language = good.client.user_agent = good.client.application = good.client.label = text("x");
    good.client.headers = header;
    good.client.header_count = 1;
    good.client.strict = good.client.adds_correlation_id = 1;
    good.client.tolerated = MTOKEN_CONTRADICTION_UNSIGNED_AMOUNT;
    good.client.external_key = MTOKEN_BYTES(number, 16);
    good.client.min_pin_length = 6;
    good.client.refused_pins = MTOKEN_PIN_COMMON;
}

static void fill_call(void)
{
    good.call.timeout_ms = 1000;
    good.call.language = good.call.user_agent = text("x");
    good.call.headers = header;
    good.call.header_count = 1;
    good.call.correlation_id = text("12345678");
}

static void fill_csr(void)
{
    static mtoken_csr_field field;
    field.name = text("CN");
    field.value = text("x");
    good.csr.subject = good.csr.extensions = &field;
    good.csr.subject_count = good.csr.extension_count = 1;
}

static void fill_response(void)
{
    good.response.status = 200;
    good.response.headers = header;
    good.response.header_count = 1;
    good.response.body = MTOKEN_BYTES(number, 32);
}

static void fill_auth(void)
{
    good.auth.pin = MTOKEN_BYTES("1234", 4);
    good.auth.biometry_key = MTOKEN_BYTES(number, 16);
    good.auth.factors = MTOKEN_FACTOR_POSSESSION | MTOKEN_FACTOR_BIOMETRY;
    good.auth.authenticator = text("card");
}

static void fill_activation(void)
{
    good.activation.code = text("VVVVV-VVVVV-VVVVV-VTFVA");
    good.activation.otp = good.activation.name = good.activation.extras = text("x");
    good.activation.custom_attributes = text("{}");
    good.activation.platform = good.activation.device_info = text("x");
    good.activation.recovery_code = text("VVVVV-VVVVV-VVVVV-VTFVA");
    good.activation.recovery_puk = text("0123456789");
    good.activation.identity = attribute;
    good.activation.identity_count = 1;
    good.activation.oidc_provider = good.activation.oidc_code = good.activation.oidc_nonce = text("x");
    good.activation.oidc_code_verifier = text("x");
}

static void fill_wait(void)
{
    good.wait.timeout_ms = 1;
    good.wait.auth = nested;
}

static void fill_encrypt(void)
{
    good.encrypt.scope = MTOKEN_SCOPE_ACTIVATION;
    good.encrypt.order = MTOKEN_SIGN_THEN_ENCRYPT;
    good.encrypt.auth = nested;
    good.encrypt.uri_id = text("/x");
}

static void fill_qr(void)
{
    good.qr.client = client;
    good.qr.configuration = text(plain_configuration);
    good.qr.keep_unverified = 1;
}

static void fill_qr_authorize(void)
{
    good.qr_authorize.uri_id = text("/x");
    good.qr_authorize.component_length = 4;
    good.qr_authorize.allow_unverified = 1;
}

static void fill_qr_build(void)
{
    good.qr_build.id = good.qr_build.title = good.qr_build.message = text("x");
    good.qr_build.operation_data = text("A1");
    good.qr_build.flags = text("B");
    good.qr_build.totp = text("12345678");
    good.qr_build.nonce = MTOKEN_BYTES(number, 16);
    good.qr_build.private_key = MTOKEN_BYTES(number, 32);
    good.qr_build.server_key = MTOKEN_KEY_PERSONALIZED;
}

static void fill_authorize(void)
{
    good.authorize.allow_other_factors = 1;
    good.authorize.expected_id = text("1");
    good.authorize.mobile_token_data = text("{}");
    good.authorize.proximity_otp = text("12345678");
    good.authorize.proximity_source = MTOKEN_PROXIMITY_DEEPLINK;
    good.authorize.proximity_received = 1;
    good.authorize.strict = good.authorize.allow_unknown_status = 1;
    good.authorize.tolerated = MTOKEN_CONTRADICTION_UNSIGNED_AMOUNT;
}

static void fill_attach(void)
{
    fill_authorize();
    good.authorize.allow_other_factors = good.authorize.strict = good.authorize.allow_unknown_status = 0;
    good.authorize.tolerated = 0;
    good.authorize.expected_id = (mtoken_text)MTOKEN_TEXT_INIT;
}

static void fill_pac(void)
{
    good.pac.allowed = allowed;
    good.pac.allowed_count = 1;
}

static void fill_pac_build(void)
{
    good.pac_build.operation_id = text("x");
    good.pac_build.totp = text("12345678");
    good.pac_build.link = text("mtoken://operation");
    good.pac_build.form = MTOKEN_PAC_DEEPLINK;
}

static void fill_oidc(void)
{
    good.oidc.provider_id = good.oidc.client_id = text("x");
    good.oidc.scopes = text("openid");
    good.oidc.authorize_uri = text("https://idp.example/authorize");
    good.oidc.redirect_uri = text("mtoken://oidc");
    good.oidc.issuer = text("https://idp.example");
    good.oidc.requires_issuer = 1;
    good.oidc.pkce_bytes = 48;
    good.oidc.allow_http = 1;
    good.oidc.parameters = parameter;
    good.oidc.parameter_count = 1;
    good.oidc.lifetime_ms = 1000;
}

static void fill_push(void)
{
    good.push.platform = MTOKEN_PUSH_PLATFORM_APNS;
    good.push.environment = MTOKEN_PUSH_ENVIRONMENT_DEVELOPMENT;
    good.push.token_bytes = MTOKEN_BYTES(number, 32);
    good.push.is_legacy_server = 1;
}

static void fill_mobile_auth(void)
{
    good.mobile_auth.handles_biometry = good.mobile_auth.handles_proximity = 1;
    good.mobile_auth.authenticator = good.mobile_auth.prompt = text("x");
    good.mobile_auth.mobile_token_data = text("{}");
    good.mobile_auth.proximity_otp = text("12345678");
    good.mobile_auth.proximity_received = 1;
    good.mobile_auth.proximity_source = MTOKEN_PROXIMITY_QR_CODE;
}

static void fill_polling(void)
{
    good.polling.interval_ms = 6000;
    good.polling.delay_start = good.polling.has_push = good.polling.back_off = 1;
    good.polling.jitter_percent = 7;
    good.polling.is_adaptive = 1;
}

static void fill_sign(void)
{
    good.sign.method = text("POST");
    good.sign.uri_id = text("/x");
    good.sign.body = bytes("x");
}

static void fill_sign_offline(void)
{
    good.sign_offline.uri_id = text("/x");
    good.sign_offline.body = bytes("x");
    good.sign_offline.nonce = MTOKEN_BYTES(number, 16);
    good.sign_offline.component_length = 4;
}

static void fill_verify(void)
{
    good.verify.server_key = MTOKEN_KEY_PERSONALIZED;
    good.verify.form = MTOKEN_SIGNATURE_FORM_RAW;
    good.verify.signed_bytes = good.verify.signature = bytes("x");
}

static void fill_operation(void)
{
    good.operation.id = text("x");
    good.operation.operation_data = text("A1");
}

static void fill_reject(void)
{
    good.reject.reason = text(MTOKEN_REJECT_UNKNOWN);
    good.reject.mobile_token_data = text("{}");
}

static void fill_token(void) { good.token.name = good.token.refused_header = text("x"); }

static void fill_ecdsa_verify(void)
{
    good.ecdsa_verify.public_key = *public_key;
    good.ecdsa_verify.signed_bytes = good.ecdsa_verify.signature = bytes("x");
    good.ecdsa_verify.form = MTOKEN_SIGNATURE_FORM_RAW;
}

static void fill_oidc_url(void)
{
    good.oidc_url.request = nested_oidc;
    good.oidc_url.nonce = good.oidc_url.state = text("x");
    good.oidc_url.challenge = text("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
}

typedef struct grown {
    const char *name;
    size_t size;
    mtoken_status (*use)(const void *options, mtoken_error **error);
    void (*fill)(void);
    const char *called; /* the parameter that it is */
} grown;

#define GROWN(name, use, fill, called)                                                                                 \
    {                                                                                                                  \
#name, sizeof(name), use, fill, called                                                                         \
    }
static const grown structs[] = {
    GROWN(mtoken_runtime_options, use_runtime, fill_runtime, "options"),
    GROWN(mtoken_host_store, use_host, fill_host, "host"),
    GROWN(mtoken_host_sealer, use_host_sealer, fill_host_sealer, "host"),
    GROWN(mtoken_sealer_options, use_sealer, fill_sealer, "options"),
    GROWN(mtoken_client_options, use_client, fill_client, "options"),
    GROWN(mtoken_call_options, use_call, fill_call, "options"),
    GROWN(mtoken_csr_options, use_csr, fill_csr, "options"),
    GROWN(mtoken_http_response, use_response, fill_response, "response"),
    GROWN(mtoken_auth, use_auth, fill_auth, "auth"),
    GROWN(mtoken_auth, use_auth_of_wait, fill_auth, "auth"),
    GROWN(mtoken_auth, use_auth_of_encrypt, fill_auth, "auth"),
    GROWN(mtoken_activation_options, use_activation, fill_activation, "options"),
    GROWN(mtoken_wait_options, use_wait, fill_wait, "options"),
    GROWN(mtoken_encrypt_options, use_encrypt, fill_encrypt, "options"),
    GROWN(mtoken_qr_options, use_qr, fill_qr, "options"),
    GROWN(mtoken_qr_authorize_options, use_qr_authorize, fill_qr_authorize, "options"),
    GROWN(mtoken_qr_build_options, use_qr_build, fill_qr_build, "options"),
    GROWN(mtoken_authorize_options, use_authorize, fill_authorize, "options"),
    GROWN(mtoken_authorize_options, use_authorize_of_data, fill_attach, "options"),
    GROWN(mtoken_authorize_options, use_attach, fill_attach, "options"),
    GROWN(mtoken_pac_options, use_pac, fill_pac, "options"),
    GROWN(mtoken_pac_build_options, use_pac_build, fill_pac_build, "options"),
    GROWN(mtoken_oidc_options, use_oidc, fill_oidc, "options"),
    GROWN(mtoken_oidc_options, use_oidc_of_url, fill_oidc, "options"),
    GROWN(mtoken_push_options, use_push, fill_push, "options"),
    GROWN(mtoken_mobile_auth_options, use_mobile_auth, fill_mobile_auth, "options"),
    GROWN(mtoken_polling_options, use_polling, fill_polling, "options"),
    GROWN(mtoken_sign_options, use_sign, fill_sign, "options"),
    GROWN(mtoken_sign_offline_options, use_sign_offline, fill_sign_offline, "options"),
    GROWN(mtoken_verify_options, use_verify, fill_verify, "options"),
    GROWN(mtoken_operation_options, use_operation, fill_operation, "operation"),
    GROWN(mtoken_reject_options, use_reject, fill_reject, "options"),
    GROWN(mtoken_token_options, use_token, fill_token, "options"),
    GROWN(mtoken_ecdsa_verify_options, use_ecdsa_verify, fill_ecdsa_verify, "options"),
    GROWN(mtoken_oidc_url_options, use_oidc_url, fill_oidc_url, "options"),
};
enum { STRUCTS = sizeof structs / sizeof structs[0] };

/* What the header says: its structs that begin with struct_size. */
static json_t *described;

static void read_description(void)
{
    json_error_t error;
    json_t *abi = json_load_file(setting("MTOKEN_ABI"), 0, &error), *object;
    size_t i;
    if (!abi) {
        fprintf(stderr, "%s: %s\n", setting("MTOKEN_ABI"), error.text);
        exit(2);
    }
    described = json_object();
    json_array_foreach(json_object_get(abi, "structs"), i, object)
    {
        const json_t *first = json_array_get(json_object_get(object, "members"), 0);
        const char *name = json_string_value(json_object_get(first, "name"));
        if (name && strcmp(name, "struct_size") == 0)
            json_object_set(described, json_string_value(json_object_get(object, "name")), object);
    }
    json_decref(abi);
}

static size_t number_of(const json_t *object, const char *name)
{
    return (size_t)json_integer_value(json_object_get(object, name));
}

static const json_t *members_of(const char *name)
{
    return json_object_get(json_object_get(described, name), "members");
}

/* What a version's size may have been: where a member of the struct ends. */
static size_t end_of(const char *name, size_t index)
{
    const json_t *member = json_array_get(members_of(name), index);
    return number_of(member, "offset") + number_of(member, "size");
}

/* -------------------------------------------------------------------------------------------------------------- the
 * tests */

/* Pages of which the last cannot be touched: what is put there ends where it begins. */
static uint8_t *wall;

static void build_wall(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *pages = mmap(NULL, 4 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(pages != MAP_FAILED);
    CHECK_INT(mprotect(pages + 3 * page, page, PROT_NONE), 0);
    wall = pages + 3 * page;
}

/* A copy at the very end of memory, in place `rank` of those that are needed at once. */
static void *at_the_end(const void *data, size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(pages != MAP_FAILED);
    CHECK_INT(mprotect(pages + page, page, PROT_NONE), 0);
    return memcpy(pages + page - size, data, size);
}

typedef struct answer {
    mtoken_status status;
    char message[512];
} answer;

/* What the library says to the first `size` bytes of the struct. */
static answer say(const grown *grown, const void *bytes, size_t size, size_t struct_size)
{
    answer answer;
    mtoken_error *error = NULL;
    uint8_t *options = wall - (size < sizeof(size_t) ? sizeof(size_t) : size);
    memcpy(options, bytes, size);
    memcpy(options, &struct_size, sizeof struct_size);
    answer.status = grown->use(options, &error);
    snprintf(answer.message, sizeof answer.message, "%s", error ? error->message : "");
    mtoken_error_free(error);
    return answer;
}

static void same(answer found, answer expected, const grown *grown, size_t size)
{
    bool holds = CHECK_INT(found.status, expected.status);
    holds &= CHECK_TEXT(found.message, expected.message);
    if (!holds) note("%s of %zu bytes", grown->name, size);
}

static void refused(answer found, const grown *grown, size_t size)
{
    char numbers[2][32];
    snprintf(numbers[0], sizeof numbers[0], "struct_size %zu", size);
    snprintf(numbers[1], sizeof numbers[1], " %zu", grown->size);
    bool holds = CHECK_INT(found.status, MTOKEN_ERROR_ARGUMENT);
    holds &= CHECK(strstr(found.message, numbers[0]) && strstr(found.message + 20, numbers[1]));
    holds &= CHECK(strncmp(found.message, grown->called, strlen(grown->called)) == 0);
    if (!holds) note("%s of %zu bytes: %s", grown->name, size, found.message);
}

static void programs_of_every_age(const grown *grown)
{
    static uint8_t bytes[1024];
    size_t member = 0;
    /* Shorter ones: the rest is default. */
    for (size_t size = 0; size <= grown->size; size++) {
        if (size < end_of(grown->name, member)) {
            refused(say(grown, &good, size, size), grown, size);
            continue;
        }
        member++;
        memset(bytes, 0, sizeof bytes);
        memcpy(bytes, &good, size);
        same(say(grown, &good, size, size), say(grown, bytes, grown->size, grown->size), grown, size);
    }
    /* Of the future: what this version does not know is zero, or it is not for this version. */
    static const size_t more[] = {1, 8, 64, 4096};
    memset(bytes, 0, sizeof bytes);
    memcpy(bytes, &good, grown->size);
    answer expected = say(grown, bytes, grown->size, grown->size);
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++) {
        size_t size = grown->size + more[i];
        uint8_t *larger = calloc(1, size);
        memcpy(larger, bytes, grown->size);
        same(say(grown, larger, size, size), expected, grown, size);
        for (int end = 0; end < 2; end++) {
            size_t place = end ? size - 1 : grown->size;
            larger[place] = 1;
            refused(say(grown, larger, size, size), grown, size);
            larger[place] = 0;
        }
        free(larger);
    }
    static const size_t absurd[] = {4097, SIZE_MAX / 2, SIZE_MAX};
    for (size_t i = 0; i < sizeof absurd / sizeof absurd[0]; i++) {
        size_t size = absurd[i] == 4097 ? grown->size + absurd[i] : absurd[i];
        refused(say(grown, bytes, grown->size, size), grown, size);
    }
}

static void structs_grow(void)
{
    set_up();
    build_wall();
    /* What the structs lead to ends where memory does, too: its size is not told, so it never grows. */
    mtoken_tls_pin a_pin = {MTOKEN_TEXT("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="), INT64_MAX};
    mtoken_header_text a_header = {MTOKEN_TEXT("X-A"), MTOKEN_TEXT("b")};
    mtoken_identity_attribute an_attribute = {MTOKEN_TEXT("a"), MTOKEN_TEXT("b")};
    mtoken_oidc_parameter a_parameter = {MTOKEN_TEXT("a"), MTOKEN_TEXT("b")};
    mtoken_text a_scheme = MTOKEN_TEXT("mtoken");
    pin = at_the_end(&a_pin, sizeof a_pin);
    header = at_the_end(&a_header, sizeof a_header);
    attribute = at_the_end(&an_attribute, sizeof an_attribute);
    parameter = at_the_end(&a_parameter, sizeof a_parameter);
    allowed = at_the_end(&a_scheme, sizeof a_scheme);
    nested = at_the_end(&auth, sizeof auth);
    memset(&good, 0, sizeof good);
    fill_oidc();
    good.oidc.struct_size = sizeof good.oidc;
    nested_oidc = at_the_end(&good, sizeof good.oidc);
    for (int i = 0; i < STRUCTS; i++) {
        const grown *grown = &structs[i];
        memset(&good, 0, sizeof good);
        grown->fill();
        size_t members = json_array_size(members_of(grown->name));
        CHECK(members > 1);
        CHECK_INT(end_of(grown->name, members - 1), grown->size); /* no hole at the end */
        programs_of_every_age(grown);
    }
    tear_down();
}

/* The header and this test know the same structs. */
static void no_struct_is_left_out(void)
{
    const char *name;
    json_t *object;
    CHECK(json_object_size(described) > 20);
    json_object_foreach(described, name, object)
    {
        size_t uses = 0;
        for (int i = 0; i < STRUCTS; i++) uses += strcmp(structs[i].name, name) == 0;
        if (!CHECK(uses > 0)) note("%s is not in growth.c", name);
    }
    for (int i = 0; i < STRUCTS; i++)
        if (!CHECK_INT(number_of(json_object_get(described, structs[i].name), "size"), structs[i].size))
            note("%s", structs[i].name);
}

int main(int argc, char **argv)
{
    static const test tests[] = {
        {"no struct is left out", no_struct_is_left_out},
        {"structs grow", structs_grow},
    };
    after_each = no_handles_left;
    read_description();
    int status = RUN(tests);
    json_decref(described);
    return status;
}
