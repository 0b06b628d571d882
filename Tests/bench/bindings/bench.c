/* What the work of README.md costs in C: the reference for every binding. */
#define _POSIX_C_SOURCE 200809L
#include <mtoken.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BATCHES 30
#define BATCH_NS 10e6

static mtoken_runtime *runtime;
static mtoken_store *store;
static mtoken_client *client, *apart;
static const char *payload;
static size_t payload_length;
static uint8_t signature[256];
static mtoken_verify_options verification = MTOKEN_VERIFY_OPTIONS_INIT;
static volatile uint64_t sink;

static const char *setting(const char *name)
{
    const char *value = getenv(name);
    if (value) return value;
    fprintf(stderr, "%s is not set\n", name);
    exit(2);
}

static void must(mtoken_status status, mtoken_error *error)
{
    if (status == MTOKEN_OK) return;
    fprintf(stderr, "%s: %s\n", mtoken_error_name(status), error ? error->message : "");
    exit(1);
}

static mtoken_text text(const char *value) { return (mtoken_text){value, strlen(value)}; }

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void call(void) { sink += (uint64_t)mtoken_abi_version(); }

static mtoken_qr_operation *parsed(void)
{
    mtoken_error *error = NULL;
    mtoken_qr_operation *operation = NULL;
    mtoken_status status = mtoken_qr_operation_parse(payload, payload_length, NULL, &operation, &error);
    must(status, error);
    return operation;
}

static void qr_text(void)
{
    mtoken_qr_operation *operation = parsed();
    sink += strlen(operation->title);
    mtoken_qr_operation_free(operation);
}

static uint64_t length(const char *value) { return value ? strlen(value) : 0; }

static uint64_t field(const mtoken_operation_field *field)
{
    return (uint64_t)field->kind + field->letter + length(field->raw) + field->offset + length(field->text) +
           length(field->amount) + length(field->value) + length(field->currency) + length(field->iban) +
           length(field->bic) + (uint64_t)(field->is_iban_valid + field->year + field->month + field->day);
}

static void qr_struct(void)
{
    mtoken_qr_operation *operation = parsed();
    const mtoken_operation_fields *data = operation->signed_fields;
    uint64_t sum = (uint64_t)(operation->verification + operation->server_key + operation->allows_biometry +
                              operation->flip_buttons + operation->warns_of_fraud + operation->block_approval_on_call +
                              operation->is_newer_format);
    sum += operation->payload_length + operation->signed_length + length(operation->payload) + length(operation->id) +
           length(operation->title) + length(operation->message) + length(operation->raw_title) +
           length(operation->raw_message) + length(operation->flags) + length(operation->unknown_flags) +
           length(operation->totp) + length(operation->nonce) + length(operation->signature);
    for (size_t i = 0; i < operation->extra_count; i++) sum += length(operation->extras[i]);
    for (size_t i = 0; i < 16; i++) sum += operation->nonce_bytes[i];
    for (size_t i = 0; i < operation->signature_bytes_length; i++) sum += operation->signature_bytes[i];
    sum += length(data->text) + (uint64_t)(data->version + data->is_version_known + data->template_id);
    for (size_t i = 0; i < data->field_count; i++) sum += field(data->fields[i]);
    sink += sum;
    mtoken_qr_operation_free(operation);
}

static void verify(void)
{
    mtoken_error *error = NULL;
    mtoken_bool valid = 0;
    mtoken_status status = mtoken_client_verify(client, &verification, &valid, &error);
    must(status, error);
    if (!valid) exit(1);
}

static void sign(void)
{
    static char body[300];
    mtoken_error *error = NULL;
    mtoken_header *header = NULL;
    if (!body[0]) memset(body, 'a', sizeof body);
    mtoken_auth auth = MTOKEN_AUTH_INIT;
    mtoken_sign_options options = MTOKEN_SIGN_OPTIONS_INIT;
    auth.factors = MTOKEN_FACTOR_POSSESSION;
    options.method = text("POST");
    options.uri_id = text("/test/signed");
    options.body = (mtoken_bytes){(const uint8_t *)body, sizeof body};
    mtoken_status status = mtoken_client_sign(client, &options, &auth, &header, &error);
    must(status, error);
    sink += strlen(header->value);
    mtoken_header_free(header);
    status = mtoken_client_signature_accepted(client, &error);
    must(status, error);
}

static void measure(const char *name, void (*operation)(void))
{
    double best = 0;
    size_t count = 1;
    for (int batch = 0; batch < BATCHES;) {
        double start = now();
        for (size_t i = 0; i < count; i++) operation();
        double taken = now() - start;
        if (batch == 0 && taken < BATCH_NS) {
            count *= 2;
            continue;
        }
        batch++;
        if (best == 0 || taken / (double)count < best) best = taken / (double)count;
    }
    printf("{\"name\": \"%s\", \"ns\": %.1f}\n", name, best);
    fflush(stdout);
}

static void lists(size_t count)
{
    mtoken_task **tasks = calloc(count, sizeof *tasks);
    double best = 0;
    if (!tasks) exit(1);
    for (int batch = 0; batch < 3; batch++) {
        double start = now();
        for (size_t i = 0; i < count; i++) {
            mtoken_error *error = NULL;
            mtoken_status status = mtoken_operations_list(apart, &tasks[i], &error);
            must(status, error);
        }
        for (size_t i = 0; i < count; i++) {
            mtoken_error *error = NULL;
            mtoken_status status = mtoken_task_join(tasks[i], MTOKEN_FOREVER, &error);
            must(status, error);
            const mtoken_operation_list *list = mtoken_task_operations(tasks[i]);
            if (!list || list->count != 0) exit(1);
            mtoken_task_free(tasks[i]);
        }
        double taken = (now() - start) / (double)count;
        if (best == 0 || taken < best) best = taken;
    }
    free(tasks);
    printf("{\"name\": \"lists\", \"ns\": %.1f}\n", best);
}

static void activate(void)
{
    mtoken_error *error = NULL;
    mtoken_task *task = NULL;
    mtoken_client_options options = MTOKEN_CLIENT_OPTIONS_INIT;
    mtoken_activation_options activation = MTOKEN_ACTIVATION_OPTIONS_INIT;
    mtoken_call_options separate = MTOKEN_CALL_OPTIONS_INIT;
    mtoken_auth auth = MTOKEN_AUTH_INIT;
    must(mtoken_runtime_new(NULL, &runtime, NULL), NULL);
    must(mtoken_store_memory_new(&store, NULL), NULL);
    options.id = text("bench");
    options.configuration = text(setting("MTOKEN_BENCH_CONFIGURATION"));
    options.base_url = text(setting("MTOKEN_BENCH_URL"));
    options.ca_file = text(setting("MTOKEN_BENCH_CA"));
    options.store = store;
    mtoken_status status = mtoken_client_new(runtime, &options, &client, &error);
    must(status, error);
    activation.code = text(setting("MTOKEN_BENCH_CODE"));
    status = mtoken_client_activate(client, &activation, &task, &error);
    must(status, error);
    status = mtoken_task_join(task, MTOKEN_FOREVER, &error);
    must(status, error);
    mtoken_task_free(task);
    auth.pin = (mtoken_bytes){(const uint8_t *)"1234", 4};
    status = mtoken_client_persist(client, &auth, &error);
    must(status, error);
    status = mtoken_client_fetch_status(client, &task, &error);
    must(status, error);
    status = mtoken_task_join(task, MTOKEN_FOREVER, &error);
    must(status, error);
    mtoken_task_free(task);
    separate.timeout_ms = 30000;
    status = mtoken_client_with_options(client, &separate, &apart, &error);
    must(status, error);
}

/* The bytes behind Base64; the length. */
static size_t decoded(const char *base64, uint8_t *bytes)
{
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t bits = 0;
    size_t held = 0, found = 0;
    for (; *base64 && *base64 != '='; base64++) {
        bits = bits << 6 | (uint32_t)(strchr(alphabet, *base64) - alphabet);
        held += 6;
        if (held >= 8) bytes[found++] = (uint8_t)(bits >> (held -= 8));
    }
    return found;
}

int main(void)
{
    const char *count = getenv("MTOKEN_BENCH_LISTS");
    const char *message = setting("MTOKEN_BENCH_SIGNED");
    payload = setting("MTOKEN_BENCH_PAYLOAD");
    payload_length = strlen(payload);
    verification.signed_bytes = (mtoken_bytes){(const uint8_t *)message, strlen(message)};
    verification.signature = (mtoken_bytes){signature, decoded(setting("MTOKEN_BENCH_SIGNATURE"), signature)};
    activate();
    lists(count ? strtoul(count, NULL, 10) : 1000);
    measure("call", call);
    measure("qr_text", qr_text);
    measure("qr_struct", qr_struct);
    measure("verify", verify);
    measure("sign", sign);
    mtoken_client_free(apart);
    mtoken_client_free(client);
    mtoken_store_free(store);
    mtoken_runtime_free(runtime);
    return 0;
}
