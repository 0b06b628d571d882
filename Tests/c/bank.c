#include "bank4.h"

#include <ctype.h>

#define WINDOW 20
#define WIDEST_WINDOW 64
#define VALIDITY 300000

/* --------------------------------------------------------------------------------------------------------- the bank */

/* The bytes of a key, of a counter and of a component of a signature. */
static size_t width(const bank *bank) { return bank->suite ? 32 : 16; }

/* Base32 of ten random bytes and their CRC-16, in four groups. */
static void make_code(char code[32])
{
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    uint8_t bytes[12];
    random_bytes(bytes, 10);
    uint16_t crc = 0;
    for (int i = 0; i < 10; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++) crc = (uint16_t)(crc & 1 ? (crc >> 1) ^ 0xA001 : crc >> 1);
    }
    bytes[10] = (uint8_t)(crc >> 8);
    bytes[11] = (uint8_t)crc;
    int length = 0;
    for (int letter = 0; letter < 20; letter++) { /* 20 letters of 5 bits: 96 bits and 4 zeros */
        int value = 0;
        for (int bit = 5 * letter; bit < 5 * letter + 5; bit++)
            value = value << 1 | (bit < 96 ? bytes[bit / 8] >> (7 - bit % 8) & 1 : 0);
        if (letter > 0 && letter % 5 == 0) code[length++] = '-';
        code[length++] = alphabet[value];
    }
    code[length] = '\0';
}

void bank_move(bank *bank, mtoken_runtime *runtime)
{
    bank->runtime = runtime;
    bank->next = 0;
}

void bank_configure(bank *bank)
{
    free(bank->application_key_text);
    free(bank->application_secret_text);
    buffer configuration = {NULL, 0};
    buffer_add_number(&configuration, 1, 1);
    buffer_add_number(&configuration, 16, 1);
    buffer_add(&configuration, bank->application_key, 16);
    buffer_add_number(&configuration, 16, 1);
    buffer_add(&configuration, bank->application_secret, 16);
    const struct bank *four = bank->suite ? bank : bank->other;
    buffer_add_number(&configuration, (bank->suite ? 0 : 1) + (four ? four_keys(four) : 0), 1);
    if (!bank->suite) {
        uint8_t point[65];
        key_point(bank->master, point);
        buffer_add_number(&configuration, 1, 1);
        buffer_add_number(&configuration, 65, 1);
        buffer_add(&configuration, point, sizeof point);
    }
    if (four) four_publish(four, &configuration);
    char *encoded = base64(configuration.data, configuration.size);
    snprintf(bank->configuration, sizeof bank->configuration, "%s", encoded);
    free(encoded);
    buffer_clear(&configuration);
    bank->application_key_text = base64(bank->application_key, 16);
    bank->application_secret_text = base64(bank->application_secret, 16);
}

void bank_publish(bank *bank)
{
    bank_configure(bank);
    free(bank->code_qr);
    buffer signature = ecdsa_sign(bank->master, bank->code, strlen(bank->code));
    char *signature_text = base64(signature.data, signature.size);
    bank->code_qr = malloc(strlen(bank->code) + strlen(signature_text) + 2);
    sprintf(bank->code_qr, "%s#%s", bank->code, signature_text);
    free(signature_text);
    buffer_clear(&signature);
}

bank *bank_new(mtoken_runtime *runtime)
{
    bank *bank = calloc(1, sizeof *bank);
    bank_at_work++;
    bank_move(bank, runtime);
    random_bytes(bank->application_key, 16);
    random_bytes(bank->application_secret, 16);
    four_new(bank);
    bank->master = bank->suite ? key4_new("P-384") : key_new();
    bank->key = bank->suite ? key4_new("P-384") : key_new();
    make_code(bank->code);
    random_uuid(bank->activation_id);
    random_bytes(bank->counters[0], width(bank));
    bank->state = MTOKEN_ACTIVATION_CREATED;
    bank->max_failed = 5;
    bank->window = WINDOW;
    bank->version = bank->suite ? 4 : 3;
    bank->highest = -1;
    bank->key_validity = VALIDITY;
    bank->operations = json_array();
    bank_publish(bank);
    bank_at_work--;
    return bank;
}

void bank_offer_upgrade(bank *bank)
{
    struct bank *other = bank->other = calloc(1, sizeof *other);
    other->suite = suite_named("EC_P384");
    other->master = key4_new("P-384");
    other->key = key4_new("P-384");
    other->highest = -1;
    bank_publish(bank);
}

/* Between the two protocols of one activation. */
static void swap(void *one, void *other, size_t size)
{
    uint8_t kept[sizeof(bank)];
    memcpy(kept, one, size);
    memcpy(one, other, size);
    memcpy(other, kept, size);
}

void bank_turn(bank *bank, bool four)
{
    struct bank *other = bank->other;
    if (!other || (bank->suite != NULL) == four) return;
#define SWAP(member) swap(&bank->member, &other->member, sizeof bank->member)
    SWAP(suite);
    SWAP(master);
    SWAP(key);
    SWAP(device);
    SWAP(possession);
    SWAP(knowledge);
    SWAP(biometry);
    SWAP(transport);
    SWAP(vault);
    SWAP(counters);
    SWAP(counted);
    SWAP(counter);
    SWAP(first);
    SWAP(seen);
    SWAP(highest);
    SWAP(four);
}

/* Where the bank stands when nobody asks for the other protocol, unless it is answering in one of them. */
static void turn_home(bank *bank)
{
    if (!bank->is_answering) bank_turn(bank, bank->version == 4 && !bank->upgrade_waits);
}

void bank_free(bank *bank)
{
    if (!bank) return;
    if (bank->other) {
        turn_home(bank);
        EVP_PKEY_free(bank->other->master);
        EVP_PKEY_free(bank->other->key);
        EVP_PKEY_free(bank->other->device);
        free(bank->other);
    }
    for (size_t i = 0; i < bank->key_count; i++) EVP_PKEY_free(bank->keys[i].key);
    four_free(bank);
    EVP_PKEY_free(bank->master);
    EVP_PKEY_free(bank->key);
    EVP_PKEY_free(bank->device);
    json_decref(bank->operations);
    json_decref(bank->custom_object);
    free(bank->application_key_text);
    free(bank->application_secret_text);
    free(bank->code_qr);
    free(bank->name);
    free(bank);
}

int64_t bank_now(const bank *bank)
{
    int64_t wall = 0;
    mtoken_testing_clocks(bank->runtime, &wall, NULL, NULL);
    return wall + bank->clock_ahead;
}

bool is_timely(bank *bank, int64_t timestamp, int64_t limit)
{
    bool is = llabs(bank_now(bank) - timestamp) <= limit;
    bank->untimely += !is && bank->is_at_once;
    return is;
}

const char *member(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text ? text : "";
}

char *dump(const json_t *value) { return json_dumps(value, JSON_COMPACT); }

bank_answer bank_ok(json_t *object)
{
    json_t *envelope = json_pack("{s:s}", "status", "OK");
    if (object) json_object_set_new(envelope, "responseObject", object);
    bank_answer answer = {200, dump(envelope)};
    json_decref(envelope);
    return answer;
}

bank_answer bank_error(int status, const char *code, const char *message)
{
    json_t *envelope =
        json_pack("{s:s, s:{s:s, s:s}}", "status", "ERROR", "responseObject", "code", code, "message", message);
    bank_answer answer = {status, dump(envelope)};
    json_decref(envelope);
    return answer;
}

/* Whether it is answered in the words of 4.0: what is no part of PowerAuth has those of 3.x. */
static bool is_of_four(const bank *bank, const request *request)
{
    return bank->suite && strncmp(request->path, "/pa/", 4) == 0;
}

bank_answer refused(const bank *bank, const request *request)
{
    if (!is_of_four(bank, request)) return bank_error(401, "POWERAUTH_AUTH_FAIL", "POWER_AUTH_SIGNATURE_INVALID");
    return bank_error(401, "ERR_AUTHENTICATION",
                      bank->four.wrong_factors ? "POWER_AUTH_CODE_TYPE_INVALID" : "POWER_AUTH_CODE_INVALID");
}

static bank_answer refused_token(const bank *bank, const request *request)
{
    return bank_error(401, is_of_four(bank, request) ? "ERR_AUTHENTICATION" : "POWERAUTH_AUTH_FAIL",
                      "POWER_AUTH_TOKEN_INVALID");
}

/* ----------------------------------------------------------------------------------------------- keys and signatures
 */

void count_to(bank *bank, long last)
{
    for (long i = bank->counted + 1; i <= last && i < BANK_COUNTERS; bank->counted = i++) {
        uint8_t digest[32];
        if (bank->suite) {
            four_next(bank->counters[i - 1], bank->counters[i]);
            continue;
        }
        sha256(bank->counters[i - 1], 16, digest);
        reduce(digest, bank->counters[i]);
    }
}

static void agree(bank *bank)
{
    uint8_t shared[32], master[16];
    ecdh(bank->key, bank->device, shared);
    reduce(shared, master);
    kdf(master, 1, bank->possession);
    kdf(master, 2, bank->knowledge);
    kdf(master, 3, bank->biometry);
    kdf(master, 1000, bank->transport);
    kdf(master, 2000, bank->vault);
}

/* One component of a signature, for the factor number `index` of those in use. */
static void component(const bank *bank, const uint8_t *const *factors, int index, long counter, const buffer *data,
                      uint8_t result[32])
{
    uint8_t key[32], inner[32];
    if (bank->suite) {
        four_component(factors, index, bank->counters[counter], data, result);
        return;
    }
    hmac(factors[index], 16, bank->counters[counter], 16, key);
    for (int i = 0; i < index; i++) {
        hmac(factors[i + 1], 16, bank->counters[counter], 16, inner);
        hmac(inner, 32, key, 32, key);
    }
    hmac(key, 32, data->data, data->size, result);
}

/* `next`: with the keys that wait for their first code. */
static int factors_of(const bank *bank, const char *type, bool next, const uint8_t *factors[3])
{
    int count = 0;
    if (strstr(type, "possession")) factors[count++] = bank->possession;
    if (strstr(type, "knowledge"))
        factors[count++] = next && bank->four.knowledge_waits ? bank->four.next_knowledge : bank->knowledge;
    if (strstr(type, "biometry"))
        factors[count++] = next && bank->four.biometry_waits ? bank->four.next_biometry : bank->biometry;
    return count;
}

static buffer signature_data(const char *method, const char *uri_id, const char *nonce, const void *body, size_t size,
                             const char *secret)
{
    buffer data = {NULL, 0};
    char *uri_text = base64(uri_id, strlen(uri_id)), *body_text = base64(body, size);
    const char *parts[] = {method, "&", uri_text, "&", nonce, "&", body_text, "&", secret};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) buffer_add_text(&data, parts[i]);
    free(uri_text);
    free(body_text);
    return data;
}

/* The value of an attribute of a PowerAuth header, in a buffer of 256 bytes; empty: none. */
static const char *attribute(const char *header, const char *name, char value[256])
{
    char pattern[64];
    snprintf(pattern, sizeof pattern, " %s=\"", name);
    const char *start = header ? strstr(header, pattern) : NULL;
    const char *end = start ? strchr(start += strlen(pattern), '"') : NULL;
    size_t length = end ? (size_t)(end - start) : 0;
    if (length > 255) length = 0;
    memcpy(value, length ? start : "", length);
    value[length] = '\0';
    return value;
}

/* Notes that a signature was made with this value of the counter. `left`: it may have left the device, so none may
 * follow it. */
static void see(bank *bank, long counter, bool left)
{
    if (counter < 0) {
        bank->unknown++;
        return;
    }
    if (bank->seen[counter]) bank->reused++;
    if (!left) return;
    bank->seen[counter] = true;
    if (counter > bank->highest) bank->highest = counter;
}

/* Whether these are the components from `first` to `count` of this value. */
static bool is_of(const bank *bank, const uint8_t *const *factors, int first, int count, long counter,
                  const buffer *data, const buffer *signature)
{
    size_t size = width(bank);
    bool equal = counter >= 0 && signature->size >= size * (unsigned)count;
    for (int i = first; i < count && equal; i++) {
        uint8_t result[32];
        component(bank, factors, i, counter, data, result);
        equal = memcmp(result + 32 - size, signature->data + size * (unsigned)i, size) == 0;
    }
    return equal;
}

/* How many values are near enough for a signature, and made by now. */
static long nearby(bank *bank)
{
    long last = bank->highest + 2 * WIDEST_WINDOW;
    if (last > BANK_COUNTERS) last = BANK_COUNTERS;
    count_to(bank, last - 1);
    return last;
}

/* The value whose first component this is; -1: none near here. */
static long counter_of(bank *bank, const uint8_t *const *factors, const buffer *data, const buffer *signature)
{
    long last = nearby(bank);
    /* Most are the next ones: those come first, and then the others from the beginning. */
    for (long tried = 0; tried < last; tried++) {
        long counter = (bank->counter + tried) % last;
        if (is_of(bank, factors, 0, 1, counter, data, signature)) return counter;
    }
    return -1;
}

/* What a signature that was checked means for the activation. */
static bool judge(bank *bank, long counter, const char *type, bool next, const char *allowed)
{
    bool right = counter >= bank->counter && counter < bank->counter + bank->window;
    bool only_possession = strcmp(type, "possession") == 0;
    bank->four.wrong_factors = false;
    if (bank->suite && strstr(type, "biometry") && !bank->four.biometry_on) return false;
    bool early = bank->four.confirms && bank->state == MTOKEN_ACTIVATION_PENDING_COMMIT;
    if (bank->state != MTOKEN_ACTIVATION_ACTIVE && !early) return false;
    if (!bank->suite && bank->version == 4) return false; /* it was upgraded */
    if (allowed) {
        char list[160], wanted[64];
        snprintf(list, sizeof list, " %s ", allowed);
        snprintf(wanted, sizeof wanted, " %s ", type);
        if ((bank->four.wrong_factors = !strstr(list, wanted))) return false;
    }
    if (right) {
        bank->counter = counter + 1;
        if (!only_possession) bank->failed = 0;
        if (bank->suite) four_promote(bank, type, next);
    } else if (!only_possession && ++bank->failed >= bank->max_failed) {
        bank->state = MTOKEN_ACTIVATION_BLOCKED;
    }
    return right;
}

/* Turns to the protocol of the header of a signature, unless it is answering in one of them. */
static void turn_for(bank *bank, const char *header)
{
    char version[256];
    if (bank->other && !bank->is_answering)
        bank_turn(bank, strcmp(attribute(header, "pa_version", version), "4.0") == 0);
}

typedef struct signature {
    char type[256];
    long value;   /* of the counter, as the first factor has it, whatever the others are; -1: none */
    long counter; /* whose signature it is in all factors; -1: none */
    bool next;    /* made with a key that waited for its first code */
    bool sane;    /* of this activation and application, well formed */
} signature;

static signature inspect(bank *bank, const char *header, const char *method, const char *uri_id, const void *body,
                         size_t size)
{
    signature result = {"", -1, -1, false, false};
    char nonce[256], value[256], text[256];
    const uint8_t *factors[3];
    buffer bytes = {NULL, 0}, nonce_bytes = {NULL, 0};
    attribute(header, bank->suite ? "pa_auth_code_type" : "pa_signature_type", result.type);
    attribute(header, "pa_nonce", nonce);
    int count = factors_of(bank, result.type, false, factors);
    result.sane =
        header && strncmp(header, "PowerAuth ", 10) == 0 &&
        strcmp(attribute(header, "pa_activation_id", text), bank->activation_id) == 0 &&
        strcmp(attribute(header, "pa_application_key", text), bank->application_key_text) == 0 &&
        strncmp(attribute(header, "pa_version", text), bank->suite ? "4.0" : "3.", bank->suite ? 4 : 2) == 0 &&
        base64_decode(nonce, &nonce_bytes) && nonce_bytes.size == 16 &&
        base64_decode(attribute(header, bank->suite ? "pa_auth_code" : "pa_signature", value), &bytes) &&
        bytes.size == width(bank) * (unsigned)count && count > 0;
    if (result.sane) {
        buffer data = signature_data(method, uri_id, nonce, body, size, bank->application_secret_text);
        /* The first component tells the counter even when the PIN was wrong. */
        result.value = counter_of(bank, factors, &data, &bytes);
        bool is_right = is_of(bank, factors, 1, count, result.value, &data, &bytes);
        if (!is_right) {
            factors_of(bank, result.type, true, factors);
            is_right = is_of(bank, factors, 1, count, result.value, &data, &bytes);
            result.next = true;
        }
        if (is_right) result.counter = result.value;
        buffer_clear(&data);
    }
    buffer_clear(&bytes);
    buffer_clear(&nonce_bytes);
    return result;
}

/* Whether this is the signature that brings the counter up, which counts only when the bank has accepted it: see "The
 * counter" in docs/guarantees.md. */
static bool brings_up(const void *body, size_t size)
{
    static const char reason[] = "COUNTER_SYNCHRONIZATION";
    const char *text = body;
    for (size_t at = 0; at + sizeof reason - 1 <= size; at++)
        if (memcmp(text + at, reason, sizeof reason - 1) == 0) return true;
    return false;
}

bool bank_accepts(bank *bank, const char *header, const char *method, const char *uri_id, const void *body, size_t size,
                  const char *factors)
{
    bank_at_work++;
    turn_for(bank, header);
    signature signature = inspect(bank, header, method, uri_id, body, size);
    bool accepted = signature.sane && !bank->is_withdrawn &&
                    judge(bank, signature.counter, signature.type, signature.next, factors);
    if (signature.sane) see(bank, signature.value, accepted || !brings_up(body, size));
    turn_home(bank);
    bank_at_work--;
    return accepted;
}

void bank_witness(bank *bank, const char *header, const char *method, const char *uri_id, const void *body, size_t size)
{
    bank_at_work++;
    turn_for(bank, header);
    signature signature = inspect(bank, header, method, uri_id, body, size);
    if (signature.sane) see(bank, signature.value, true);
    turn_home(bank);
    bank_at_work--;
}

/* The counter of an offline code; below 0: none near. With the keys that the bank knows, then with those that wait for
 * their first code. */
static long offline_counter(bank *bank, const char *code, const buffer *data, const char *type, bool *next)
{
    long found = -1, last = nearby(bank);
    for (long tried = 0; tried < 2 * last && found < 0; tried++) {
        const uint8_t *factors[3];
        long counter = (bank->counter + tried) % last;
        *next = tried >= last;
        int count = factors_of(bank, type, *next, factors);
        char expected[64] = "";
        for (int i = 0; i < count; i++) {
            uint8_t result[32];
            component(bank, factors, i, counter, data, result);
            uint32_t number =
                (uint32_t)result[28] << 24 | (uint32_t)result[29] << 16 | (uint32_t)result[30] << 8 | result[31];
            sprintf(expected + strlen(expected), i ? "-%08u" : "%08u", (number & 0x7fffffffu) % 100000000u);
        }
        if (strcmp(expected, code) == 0) found = counter;
    }
    return found;
}

bool bank_sees_offline(bank *bank, const char *code, const char *uri_id, const void *body, size_t size,
                       const uint8_t nonce[16], bool biometry, bool is_typed)
{
    bank_at_work++;
    const char *type = biometry ? "possession_biometry" : "possession_knowledge";
    char *nonce_text = base64(nonce, 16);
    buffer data = signature_data("POST", uri_id, nonce_text, body, size, "offline");
    bool next = false;
    long found = offline_counter(bank, code, &data, type, &next);
    free(nonce_text);
    buffer_clear(&data);
    see(bank, found, true);
    bool accepted = is_typed && judge(bank, found, type, found >= 0 && next, NULL);
    bank_at_work--;
    return accepted;
}

bool bank_accepts_offline(bank *bank, const char *code, const char *uri_id, const void *body, size_t size,
                          const uint8_t nonce[16], bool biometry)
{
    return bank_sees_offline(bank, code, uri_id, body, size, nonce, biometry, true);
}

bool bank_accepts_token(bank *bank, const char *header)
{
    char id[256], digest_text[256], nonce_text[256], timestamp[256], version[256];
    buffer nonce = {NULL, 0}, digest = {NULL, 0}, data = {NULL, 0};
    uint8_t expected[32];
    bool good = false;
    attribute(header, "token_id", id);
    attribute(header, "timestamp", timestamp);
    bool is_four = strcmp(attribute(header, "version", version), "4.0") == 0;
    int64_t age = bank_now(bank) - atoll(timestamp);
    if (base64_decode(attribute(header, "nonce", nonce_text), &nonce) && nonce.size == 16 &&
        base64_decode(attribute(header, "token_digest", digest_text), &digest) && digest.size == 32 && age > -60000 &&
        age < (is_four ? 300000 : 7200000)) {
        buffer_add(&data, nonce.data, nonce.size);
        buffer_add_text(&data, "&");
        buffer_add_text(&data, timestamp);
        if (strcmp(version, "3.1") > 0) {
            buffer_add_text(&data, "&");
            buffer_add_text(&data, version);
        }
        for (size_t i = 0; i < bank->token_count; i++) {
            if (is_four)
                four_digest(bank->tokens[i].secret, bank->tokens[i].size, &data, expected);
            else
                hmac(bank->tokens[i].secret, 16, data.data, data.size, expected);
            good |=
                strcmp(bank->tokens[i].id, id) == 0 && !bank->tokens[i].dead && memcmp(expected, digest.data, 32) == 0;
        }
    }
    buffer_clear(&nonce);
    buffer_clear(&digest);
    buffer_clear(&data);
    return good && bank->state == MTOKEN_ACTIVATION_ACTIVE;
}

/* -------------------------------------------------------------------------------------------------------- encryption
 */

static bool at_least(const envelope *envelope, const char *version) { return strcmp(envelope->version, version) >= 0; }

static void shared_info(const envelope *envelope, const uint8_t nonce[16], int64_t timestamp, const buffer *ephemeral,
                        buffer *info)
{
    if (!at_least(envelope, "3.2")) {
        buffer_add(info, envelope->base, 32);
        return;
    }
    buffer time = {NULL, 0};
    buffer_add_number(&time, (uint64_t)timestamp, 8);
    buffer_add_item(info, envelope->base, 32);
    buffer_add_item(info, nonce, 16);
    buffer_add_item(info, time.data, time.size);
    buffer_add_item(info, ephemeral ? ephemeral->data : NULL, ephemeral ? ephemeral->size : 0);
    buffer_add_item(info, envelope->associated.data, envelope->associated.size);
    buffer_clear(&time);
}

static void authenticate(const envelope *envelope, const buffer *encrypted, const buffer *info, uint8_t mac[32])
{
    buffer data = {NULL, 0};
    buffer_add(&data, encrypted->data, encrypted->size);
    buffer_add(&data, info->data, info->size);
    hmac(envelope->keys + 16, 16, data.data, data.size, mac);
    buffer_clear(&data);
}

/* The key that a request of this kind is encrypted for; NULL: unknown. */
static EVP_PKEY *recipient(bank *bank, const envelope *envelope, const json_t *message, bool activation_scope)
{
    const char *id = member(message, "temporaryKeyId");
    if (!at_least(envelope, "3.3"))
        return json_object_get(message, "temporaryKeyId") ? NULL : activation_scope ? bank->key : bank->master;
    for (size_t i = 0; i < bank->key_count; i++)
        if (strcmp(bank->keys[i].id, id) == 0 && !bank->keys[i].dead &&
            bank->keys[i].activation_scope == activation_scope)
            return bank->keys[i].key;
    return NULL;
}

bool open_envelope(bank *bank, const json_t *message, const char *version, bool activation_scope, const char *purpose,
                   envelope *envelope, buffer *plain)
{
    memset(envelope, 0, sizeof *envelope);
    if (bank->is_withdrawn) return false;
    if (bank->suite)
        return strcmp(version, "4.0") == 0 && four_open(bank, message, activation_scope, purpose, envelope, plain);
    buffer point = {NULL, 0}, encrypted = {NULL, 0}, mac = {NULL, 0}, nonce = {NULL, 0}, info = {NULL, 0};
    uint8_t shared[32], expected[32], iv[16];
    int64_t timestamp = json_integer_value(json_object_get(message, "timestamp"));
    bool good = false;
    envelope->purpose = purpose;
    snprintf(envelope->version, sizeof envelope->version, "%s", version);
    EVP_PKEY *own = recipient(bank, envelope, message, activation_scope), *ephemeral = NULL;
    if (own && base64_decode(member(message, "ephemeralPublicKey"), &point) && point.size > 0 &&
        (ephemeral = key_from_point(point.data, point.size)) &&
        base64_decode(member(message, "encryptedData"), &encrypted) && base64_decode(member(message, "mac"), &mac) &&
        mac.size == 32 && base64_decode(member(message, "nonce"), &nonce) && nonce.size == 16 &&
        (!at_least(envelope, "3.2") || is_timely(bank, timestamp, 60000))) {
        memcpy(envelope->nonce, nonce.data, 16);
        ecdh(own, ephemeral, shared);
        if (at_least(envelope, "3.2")) buffer_add_text(&info, version);
        buffer_add_text(&info, purpose);
        buffer_add(&info, point.data, point.size);
        x963(shared, info.data, info.size, envelope->keys, sizeof envelope->keys);
        buffer_clear(&info);

        const char *secret = bank->application_secret_text;
        if (activation_scope)
            hmac(bank->transport, 16, secret, strlen(secret), envelope->base);
        else
            sha256(secret, strlen(secret), envelope->base);
        if (at_least(envelope, "3.2")) {
            buffer_add_item(&envelope->associated, version, strlen(version));
            buffer_add_item(&envelope->associated, bank->application_key_text, strlen(bank->application_key_text));
            if (activation_scope)
                buffer_add_item(&envelope->associated, bank->activation_id, strlen(bank->activation_id));
            const char *id = member(message, "temporaryKeyId");
            if (*id) buffer_add_item(&envelope->associated, id, strlen(id));
        }
        shared_info(envelope, envelope->nonce, timestamp, &point, &info);
        authenticate(envelope, &encrypted, &info, expected);
        kdf_internal(envelope->keys + 32, envelope->nonce, 16, iv);
        good = memcmp(expected, mac.data, 32) == 0 &&
               aes_decrypt(envelope->keys, iv, encrypted.data, encrypted.size, true, plain);
    }
    EVP_PKEY_free(ephemeral);
    buffer_clear(&point);
    buffer_clear(&encrypted);
    buffer_clear(&mac);
    buffer_clear(&nonce);
    buffer_clear(&info);
    if (!good) buffer_clear(&envelope->associated);
    return good;
}

/* The same for protocol 3. */
static json_t *three_seal(bank *bank, envelope *envelope, const char *plain)
{
    uint8_t nonce[16], iv[16], mac[32];
    buffer info = {NULL, 0};
    int64_t timestamp = bank_now(bank);
    bool own_nonce = at_least(envelope, "3.2");
    memcpy(nonce, envelope->nonce, 16);
    if (own_nonce) random_bytes(nonce, 16);
    kdf_internal(envelope->keys + 32, nonce, 16, iv);
    buffer encrypted = aes_encrypt(envelope->keys, iv, plain, strlen(plain), true);
    shared_info(envelope, nonce, timestamp, NULL, &info);
    authenticate(envelope, &encrypted, &info, mac);
    char *encrypted_text = base64(encrypted.data, encrypted.size), *mac_text = base64(mac, 32),
         *nonce_text = base64(nonce, 16);
    json_t *message = json_pack("{s:s, s:s}", "encryptedData", encrypted_text, "mac", mac_text);
    if (own_nonce) {
        json_object_set_new(message, "nonce", json_string(nonce_text));
        json_object_set_new(message, "timestamp", json_integer(timestamp));
    }
    free(encrypted_text);
    free(mac_text);
    free(nonce_text);
    buffer_clear(&encrypted);
    buffer_clear(&info);
    buffer_clear(&envelope->associated);
    return message;
}

/* Encrypts a text of the answer, and ends the envelope. */
static json_t *seal_envelope(bank *bank, envelope *envelope, json_t *plain)
{
    char *text = dump(plain), *other = bank->rewrite ? bank->rewrite(bank, envelope->purpose, text) : NULL;
    json_t *message = (bank->suite ? four_seal : three_seal)(bank, envelope, other ? other : text);
    json_decref(plain);
    free(text);
    free(other);
    return message;
}

bank_answer sealed(bank *bank, envelope *envelope, json_t *plain)
{
    json_t *message = seal_envelope(bank, envelope, plain);
    bank_answer answer = {200, dump(message)};
    json_decref(message);
    return answer;
}

/* ------------------------------------------------------------------------------------------------------------- calls
 */

bool signed_with(bank *bank, const request *request, const char *uri_id, const char *factors)
{
    const char *header = header_of(request->raw, "X-PowerAuth-Authorization");
    return header && request->raw->at_most_once &&
           bank_accepts(bank, header, "POST", uri_id, request->raw->body, request->raw->body_length, factors);
}

static bool with_token(bank *bank, const request *request)
{
    const char *header = header_of(request->raw, "X-PowerAuth-Token");
    return header && bank_accepts_token(bank, header);
}

static bank_answer server_time(bank *bank)
{
    return bank_ok(json_pack("{s:I}", "serverTime", (json_int_t)bank_now(bank)));
}

static bank_answer temporary_key(bank *bank, const request *request)
{
    bank_answer failure = bank_error(400, "ERR_TEMPORARY_KEY", "POWER_AUTH_TEMPORARY_KEY_FAILURE");
    const char *jwt = member(request->object, "jwt");
    const char *dot = strchr(jwt, '.'), *second = dot ? strchr(dot + 1, '.') : NULL;
    if (!second || bank->is_withdrawn || bank->key_count == BANK_KEYS) return failure;
    buffer payload = {NULL, 0}, mac = {NULL, 0};
    uint8_t expected[32], derived[16];
    base64url_decode(dot + 1, (size_t)(second - dot - 1), &payload);
    base64url_decode(second + 1, strlen(second + 1), &mac);
    json_t *claims = json_loadb((const char *)payload.data, payload.size, 0, NULL);
    bool activation_scope = json_object_get(claims, "activationId") != NULL;
    memcpy(derived, bank->application_secret, 16);
    if (activation_scope) kdf_internal(bank->transport, bank->application_secret, 16, derived);
    hmac(derived, 16, jwt, (size_t)(second - jwt), expected);
    bool good =
        mac.size == 32 && memcmp(expected, mac.data, 32) == 0 &&
        strcmp(member(claims, "applicationKey"), bank->application_key_text) == 0 &&
        (!activation_scope || (strcmp(member(claims, "activationId"), bank->activation_id) == 0 &&
                               bank->state >= MTOKEN_ACTIVATION_ACTIVE && bank->state <= MTOKEN_ACTIVATION_BLOCKED));
    buffer_clear(&payload);
    buffer_clear(&mac);
    if (!good) {
        json_decref(claims);
        return failure;
    }
    free(failure.body);

    EVP_PKEY *key = key_new();
    uint8_t point[65], signature[96];
    int64_t issued = bank_now(bank);
    key_point(key, point);
    bank->keys[bank->key_count].key = key;
    bank->keys[bank->key_count].activation_scope = activation_scope;
    random_uuid(bank->keys[bank->key_count].id);
    char *point_text = base64(point, sizeof point);
    json_object_set_new(claims, "sub", json_string(bank->keys[bank->key_count].id));
    json_object_set_new(claims, "publicKey", json_string(point_text));
    json_object_set_new(claims, "iat", json_integer(issued / 1000));
    json_object_set_new(claims, "exp", json_integer((issued + bank->key_validity) / 1000));
    json_object_set_new(claims, "iat_ms", json_integer(issued));
    json_object_set_new(claims, "exp_ms", json_integer(issued + bank->key_validity));
    bank->key_count++;
    char *body = dump(claims);
    char *other = bank->rewrite ? bank->rewrite(bank, "jwt", body) : NULL;
    if (other) {
        free(body);
        body = other;
    }
    char *head_text = base64url("{\"alg\":\"ES256\",\"typ\":\"JWT\"}", 27), *body_text = base64url(body, strlen(body));
    char *whole = malloc(strlen(head_text) + strlen(body_text) + 100);
    sprintf(whole, "%s.%s", head_text, body_text);
    size_t size = ecdsa_sign_jose(activation_scope ? bank->key : bank->master, whole, strlen(whole), signature);
    char *signature_text = base64url(signature, size);
    sprintf(whole + strlen(whole), ".%s", signature_text);
    bank_answer answer = bank_ok(json_pack("{s:s}", "jwt", whole));
    free(point_text);
    free(body);
    free(head_text);
    free(body_text);
    free(signature_text);
    free(whole);
    json_decref(claims);
    return answer;
}

/* Takes the device's part of an activation and answers it; NULL: it is refused. */
static json_t *accept_device(bank *bank, const json_t *part)
{
    buffer point = {NULL, 0};
    uint8_t own_point[65];
    bool good = base64_decode(member(part, "devicePublicKey"), &point) &&
                (bank->device = key_from_point(point.data, point.size));
    buffer_clear(&point);
    if (!good) return NULL;
    agree(bank);
    key_point(bank->key, own_point);
    char *point_text = base64(own_point, sizeof own_point), *counter = base64(bank->counters[0], 16);
    json_t *answer = json_pack("{s:s, s:s, s:s}", "activationId", bank->activation_id, "serverPublicKey", point_text,
                               "ctrData", counter);
    if (bank->recovery_code)
        json_object_set_new(answer, "activationRecovery",
                            json_pack("{s:s, s:s}", "recoveryCode", bank->recovery_code, "puk", bank->recovery_puk));
    free(point_text);
    free(counter);
    return answer;
}

/* Whether somebody may activate who shows this, in each of the four ways (powerauth.md §7.2). */
static bool may_activate(const bank *bank, const json_t *first)
{
    const char *type = member(first, "type");
    const json_t *shown = json_object_get(first, "identityAttributes");
    if (bank->state != MTOKEN_ACTIVATION_CREATED) return false;
    if (strcmp(type, "CODE") == 0) return strcmp(member(shown, "code"), bank->code) == 0;
    if (strcmp(type, "CUSTOM") == 0)
        return strcmp(member(shown, "username"), BANK_USER) == 0 && strcmp(member(shown, "password"), bank->code) == 0;
    if (strcmp(type, "DIRECT") == 0)
        return strcmp(member(shown, "method"), "oidc") == 0 && strcmp(member(shown, "providerId"), "p") == 0 &&
               strcmp(member(shown, "code"), bank->code) == 0 && strlen(member(shown, "nonce")) > 0;
    return !bank->suite && strcmp(type, "RECOVERY") == 0 && bank->recovery_code &&
           strcmp(member(shown, "recoveryCode"), bank->recovery_code) == 0 &&
           strcmp(member(shown, "puk"), bank->recovery_puk) == 0;
}

static bank_answer activate(bank *bank, const request *request)
{
    bank_answer failure = bank_error(400, "ERR_ACTIVATION", "POWER_AUTH_ACTIVATION_INVALID");
    char version[256];
    envelope outer, inner;
    buffer plain = {NULL, 0}, inner_plain = {NULL, 0};
    attribute(header_of(request->raw, "X-PowerAuth-Encryption"), "version", version);
    if (!open_envelope(bank, request->json, version, false, "/pa/generic/application", &outer, &plain)) return failure;
    json_t *first = json_loadb((const char *)plain.data, plain.size, 0, NULL), *second = NULL, *answer = NULL;
    bool opened = false;
    if (may_activate(bank, first) && (opened = open_envelope(bank, json_object_get(first, "activationData"), version,
                                                             false, "/pa/activation", &inner, &inner_plain))) {
        second = json_loadb((const char *)inner_plain.data, inner_plain.size, 0, NULL);
        if (strcmp(member(second, "activationOtp"), bank->otp ? bank->otp : "") == 0)
            answer = (bank->suite ? four_agree : accept_device)(bank, second);
    }
    if (answer) {
        free(failure.body);
        bank->state = bank->commits_late ? MTOKEN_ACTIVATION_PENDING_COMMIT : MTOKEN_ACTIVATION_ACTIVE;
        bank->name = strdup(member(second, "activationName"));
        failure = sealed(bank, &outer,
                         json_pack("{s:o, s:{s:i}, s:{s:s}}", "activationData", seal_envelope(bank, &inner, answer),
                                   "customAttributes", "answer", 42, "userInfo", "sub", "alice"));
    } else {
        buffer_clear(&outer.associated);
        if (opened) buffer_clear(&inner.associated);
    }
    json_decref(first);
    json_decref(second);
    buffer_clear(&plain);
    buffer_clear(&inner_plain);
    return failure;
}

static bank_answer activation_status(bank *bank, const request *request)
{
    uint8_t blob[32], nonce[16], iv[16], key[16], data[32];
    buffer challenge = {NULL, 0};
    random_bytes(blob, sizeof blob);
    random_bytes(nonce, sizeof nonce);
    if (strcmp(member(request->object, "activationId"), bank->activation_id) == 0 &&
        !(bank->other && bank->version == 4) && bank->state != MTOKEN_ACTIVATION_CREATED &&
        base64_decode(member(request->object, "challenge"), &challenge) && challenge.size == 16) {
        static const uint8_t magic[4] = {0xDE, 0xC0, 0xDE, 0xD1};
        memcpy(blob, magic, 4);
        blob[4] = (uint8_t)bank->state;
        blob[5] = (uint8_t)bank->version;
        blob[6] = bank->other ? 4 : 3;
        blob[12] = (uint8_t)(bank->first + bank->counter);
        blob[13] = (uint8_t)bank->failed;
        blob[14] = (uint8_t)bank->max_failed;
        blob[15] = (uint8_t)bank->window;
        kdf(bank->transport, 4000, key);
        count_to(bank, bank->counter);
        kdf_internal(key, bank->counters[bank->counter], 16, blob + 16);
        memcpy(data, challenge.data, 16);
        memcpy(data + 16, nonce, 16);
        kdf(bank->transport, 3000, key);
        kdf_internal(key, data, 32, iv);
        buffer encrypted = aes_encrypt(bank->transport, iv, blob, 32, false);
        memcpy(blob, encrypted.data, 32);
        buffer_clear(&encrypted);
    }
    buffer_clear(&challenge);
    char *blob_text = base64(blob, 32), *nonce_text = base64(nonce, 16);
    json_t *object = json_pack("{s:s, s:s, s:s}", "activationId", bank->activation_id, "encryptedStatusBlob", blob_text,
                               "nonce", nonce_text);
    if (bank->custom_object) json_object_set(object, "customObject", bank->custom_object);
    free(blob_text);
    free(nonce_text);
    return bank_ok(object);
}

static bank_answer create_token(bank *bank, const request *request)
{
    char version[256];
    envelope envelope;
    buffer plain = {NULL, 0};
    attribute(header_of(request->raw, "X-PowerAuth-Authorization"), "pa_version", version);
    if (!signed_with(bank, request, "/pa/token/create", NULL) || bank->token_count == BANK_TOKENS)
        return refused(bank, request);
    /* The signature is looked at first, and used up (rest.md §3.8). */
    if (!open_envelope(bank, request->json, version, true, "/pa/token/create", &envelope, &plain))
        return refused(bank, request);
    buffer_clear(&plain);
    random_uuid(bank->tokens[bank->token_count].id);
    random_bytes(bank->tokens[bank->token_count].secret, width(bank));
    bank->tokens[bank->token_count].size = width(bank);
    char *secret = base64(bank->tokens[bank->token_count].secret, width(bank));
    json_t *token = json_pack("{s:s, s:s}", "tokenId", bank->tokens[bank->token_count].id, "tokenSecret", secret);
    bank->token_count++;
    free(secret);
    return sealed(bank, &envelope, token);
}

bank_answer open_vault(bank *bank, const request *request, const char *version, const char *factors, envelope *envelope,
                       buffer *plain)
{
    static const char uri_id[] = "/pa/vault/unlock";
    const mtoken_testing_request *raw = request->raw;
    const char *header = header_of(raw, "X-PowerAuth-Authorization");
    bool is_open = open_envelope(bank, request->json, version, true, uri_id, envelope, plain);
    if (!is_open && header && bank->state == MTOKEN_ACTIVATION_ACTIVE) {
        bank_witness(bank, header, "POST", uri_id, raw->body, raw->body_length);
        return bank_error(400, "ERR_SECURE_VAULT", "POWER_AUTH_SECURE_VAULT_INVALID");
    }
    if (is_open && signed_with(bank, request, uri_id, factors)) return (bank_answer){200, NULL};
    buffer_clear(plain);
    buffer_clear(&envelope->associated);
    return refused(bank, request);
}

static bank_answer unlock_vault(bank *bank, const request *request)
{
    static const uint8_t zero[16] = {0};
    char version[256];
    envelope envelope;
    buffer plain = {NULL, 0};
    attribute(header_of(request->raw, "X-PowerAuth-Authorization"), "pa_version", version);
    bank_answer failure = open_vault(bank, request, version, "possession_knowledge", &envelope, &plain);
    if (failure.body) return failure;
    buffer_clear(&plain);
    buffer encrypted = aes_encrypt(bank->transport, zero, bank->vault, 16, true);
    char *key = base64(encrypted.data, encrypted.size);
    json_t *unlocked = json_pack("{s:s}", "encryptedVaultEncryptionKey", key);
    buffer_clear(&encrypted);
    free(key);
    return sealed(bank, &envelope, unlocked);
}

static bank_answer remove_token(bank *bank, const request *request)
{
    if (!signed_with(bank, request, "/pa/token/remove", NULL)) return refused(bank, request);
    const char *id = member(request->object, "tokenId");
    for (size_t i = 0; i < bank->token_count; i++)
        if (strcmp(bank->tokens[i].id, id) == 0) bank->tokens[i].dead = true;
    return bank_ok(json_pack("{s:s}", "tokenId", id));
}

static json_t *find_operation(const bank *bank, const char *id)
{
    size_t index;
    json_t *operation;
    json_array_foreach(bank->operations, index,
                       operation) if (strcmp(member(operation, "id"), id) == 0) return operation;
    return NULL;
}

static bank_answer list(const bank *bank, bool all)
{
    json_t *chosen = json_array();
    size_t index;
    json_t *operation;
    json_array_foreach(bank->operations, index, operation) if (all || strcmp(member(operation, "status"), "PENDING") ==
                                                                          0) json_array_append(chosen, operation);
    bank_answer answer = bank_ok(chosen);
    return answer;
}

/* What is wrong with an operation that shall be decided now; a NULL body: nothing. */
static bank_answer not_pending(const json_t *operation)
{
    const char *status = member(operation, "status");
    bank_answer none = {0, NULL};
    if (!operation) return bank_error(400, "INVALID_OPERATION", "no such operation");
    if (strcmp(status, "PENDING") == 0) return none;
    return bank_error(400, strcmp(status, "EXPIRED") == 0 ? "OPERATION_EXPIRED" : "OPERATION_ALREADY_FINISHED", status);
}

static bank_answer decide(bank *bank, const request *request, bool approves)
{
    if (!signed_with(bank, request, approves ? "/operation/authorize" : "/operation/cancel",
                     approves ? "possession_knowledge possession_biometry" : NULL))
        return refused(bank, request);
    json_t *operation = find_operation(bank, member(request->object, "id"));
    bank_answer answer = not_pending(operation);
    if (answer.body) return answer;
    if (approves && strcmp(member(operation, "data"), member(request->object, "data")) != 0)
        return bank_error(401, "OPERATION_FAILED", "other data");
    json_object_set_new(operation, "status", json_string(approves ? "APPROVED" : "REJECTED"));
    json_object_set(operation, "request", request->object);
    return bank_ok(NULL);
}

/* Answers an encrypted request without a signature; `object` is taken over. */
static bank_answer seal_answer(bank *bank, const request *request, bool activation_scope, json_t *object)
{
    char version[256];
    envelope envelope;
    buffer plain = {NULL, 0};
    bank_answer answer = bank_error(400, "ERR_ENCRYPTION", "POWER_AUTH_ENCRYPTION_FAILED");
    attribute(header_of(request->raw, "X-PowerAuth-Encryption"), "version", version);
    if (open_envelope(bank, request->json, version, activation_scope,
                      activation_scope ? "/pa/generic/activation" : "/pa/generic/application", &envelope, &plain)) {
        free(answer.body);
        answer = sealed(bank, &envelope, json_incref(object));
    }
    buffer_clear(&plain);
    json_decref(object);
    return answer;
}

/* The configuration of a provider. The envelope is inside the encryption. */
static bank_answer provider(bank *bank, const request *request)
{
    return seal_answer(bank, request, false,
                       json_pack("{s:s, s:{s:s, s:s, s:s, s:s, s:s, s:b}}", "status", "OK", "responseObject",
                                 "providerId", "p", "clientId", "c", "scopes", "openid", "authorizeUri",
                                 "https://login.example/authorize", "redirectUri", "https://app.example/cb",
                                 "pkceEnabled", 1));
}

static bank_answer show(bank *bank, const request *request, bool claims)
{
    if (!with_token(bank, request)) return refused_token(bank, request);
    if (bank->encrypts_detail && header_of(request->raw, "X-PowerAuth-Encryption"))
        return seal_answer(
            bank, request, true,
            json_pack("{s:s, s:O}", "status", "OK", "responseObject", json_array_get(bank->operations, 0)));
    if (header_of(request->raw, "X-PowerAuth-Encryption")) return bank_error(500, "ERROR_GENERIC", "encrypted");
    json_t *operation = find_operation(bank, member(request->object, "id"));
    bank_answer answer = not_pending(operation);
    if (answer.body) return answer;
    if (claims) json_object_set_new(operation, "claimed", json_true());
    return bank_ok(json_incref(operation));
}

static bank_answer handle(bank *bank, const request *request)
{
    const char *path = request->path;
    if (!request->json) return bank_error(400, "INVALID_REQUEST", "no JSON");
    bool is_four = strstr(request->raw->url, "/pa/v4/") != NULL;
    if (strncmp(path, "/pa/", 4) == 0 && is_four != (bank->suite != NULL))
        return bank_error(404, "ERROR_NOT_FOUND", path);
    if (bank->suite) {
        bank_answer answer = four_handle(bank, request);
        if (answer.body) return answer;
    }
    if (strcmp(path, PATH_TIME) == 0) return server_time(bank);
    if (strcmp(path, PATH_KEY) == 0) return temporary_key(bank, request);
    if (strcmp(path, PATH_ACTIVATE) == 0) return activate(bank, request);
    if (strcmp(path, PATH_STATUS) == 0) return activation_status(bank, request);
    if (strcmp(path, PATH_VAULT) == 0) return unlock_vault(bank, request);
    if (strcmp(path, PATH_TOKEN) == 0) return create_token(bank, request);
    if (strcmp(path, PATH_TOKEN_REMOVE) == 0) return remove_token(bank, request);
    if (strcmp(path, PATH_VALIDATE) == 0)
        return signed_with(bank, request, bank_uri_id(request->raw), NULL) ? bank_ok(NULL) : refused(bank, request);
    if (strcmp(path, PATH_REMOVE) == 0) {
        if (!signed_with(bank, request, "/pa/activation/remove",
                         "possession_knowledge possession_biometry possession_knowledge_biometry"))
            return refused(bank, request);
        bank->state = MTOKEN_ACTIVATION_REMOVED;
        return bank_ok(json_pack("{s:s}", "activationId", bank->activation_id));
    }
    if (strcmp(path, PATH_ACTIVATION_DETAIL) == 0)
        return with_token(bank, request)
                   ? seal_answer(bank, request, true,
                                 json_pack("{s:s, s:{s:s, s:s}}", "status", "OK", "responseObject", "activationId",
                                           bank->activation_id, "activationName", bank->name))
                   : refused_token(bank, request);
    if (strcmp(path, PATH_USER) == 0) return seal_answer(bank, request, true, json_pack("{s:s}", "sub", "alice"));
    if (strcmp(path, PATH_PROVIDER) == 0) return provider(bank, request);
    if (strcmp(path, PATH_INBOX) == 0)
        return with_token(bank, request) ? bank_ok(json_pack("{s:i}", "countUnread", 2)) : refused_token(bank, request);
    if (strcmp(path, PATH_PUSH) == 0) return with_token(bank, request) ? bank_ok(NULL) : refused_token(bank, request);
    if (strcmp(path, PATH_LIST) == 0)
        return with_token(bank, request) ? list(bank, false) : refused_token(bank, request);
    if (strcmp(path, PATH_HISTORY) == 0)
        return signed_with(bank, request, "/operation/history", "possession_knowledge possession_biometry")
                   ? list(bank, true)
                   : refused(bank, request);
    if (strcmp(path, PATH_DETAIL) == 0 || strcmp(path, PATH_CLAIM) == 0)
        return show(bank, request, strcmp(path, PATH_CLAIM) == 0);
    if (strcmp(path, PATH_AUTHORIZE) == 0 || strcmp(path, PATH_REJECT) == 0)
        return decide(bank, request, strcmp(path, PATH_AUTHORIZE) == 0);
    return bank_error(404, "ERROR_NOT_FOUND", path);
}

/* ----------------------------------------------------------------------------------------------------------- serving
 */

const char *header_of(const mtoken_testing_request *request, const char *name)
{
    for (size_t i = 0; i < request->header_count; i++)
        if (strcmp(request->headers[i]->name, name) == 0) return request->headers[i]->value;
    return NULL;
}

const char *bank_path(const mtoken_testing_request *request)
{
    static const char *const paths[] = {
        PATH_TIME,    PATH_KEY,      PATH_ACTIVATE, PATH_STATUS,          PATH_REMOVE, PATH_VALIDATE,
        PATH_VAULT,   PATH_RECOVERY, PATH_TOKEN,    PATH_TOKEN_REMOVE,    PATH_USER,   PATH_ACTIVATION_DETAIL,
        PATH_CONFIRM, PATH_PASSWORD, PATH_BIOMETRY, PATH_BIOMETRY_REMOVE,
    };
    static const char four[] = "/pa/v4/";
    const char *base =
        strncmp(request->url, BANK_SECOND_URL, strlen(BANK_SECOND_URL)) == 0 ? BANK_SECOND_URL : BANK_URL;
    if (strncmp(request->url, base, strlen(base)) != 0) return NULL;
    const char *path = request->url + strlen(base);
    if (strncmp(path, four, strlen(four)) != 0) return path;
    if (strcmp(path, "/pa/v4/auth/validate") == 0) return PATH_VALIDATE;
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
        if (strcmp(path + strlen(four), paths[i] + strlen(four)) == 0) return paths[i];
    return path;
}

const char *bank_uri_id(const mtoken_testing_request *request)
{
    static const char *const signed_calls[][2] = {
        {PATH_TOKEN, "/pa/token/create"},         {PATH_TOKEN_REMOVE, "/pa/token/remove"},
        {PATH_REMOVE, "/pa/activation/remove"},   {PATH_HISTORY, "/operation/history"},
        {PATH_AUTHORIZE, "/operation/authorize"}, {PATH_REJECT, "/operation/cancel"},
        {PATH_VAULT, "/pa/vault/unlock"},         {PATH_RECOVERY, "/pa/recovery/confirm"},
        {PATH_CONFIRM, "/pa/activation/confirm"}, {PATH_PASSWORD, "/pa/password/change"},
        {PATH_BIOMETRY, "/pa/biometry/add"},      {PATH_BIOMETRY_REMOVE, "/pa/biometry/remove"},
        {PATH_UPGRADE, "/pa/upgrade/start"},      {PATH_UPGRADED, "/pa/upgrade/confirm"},
    };
    const char *path = bank_path(request);
    if (!path || !header_of(request, "X-PowerAuth-Authorization")) return NULL;
    if (strcmp(path, PATH_VALIDATE) == 0)
        return strstr(request->url, "/pa/v4/") ? "/pa/auth/validate" : "/pa/signature/validate";
    for (size_t i = 0; i < sizeof signed_calls / sizeof signed_calls[0]; i++)
        if (strcmp(path, signed_calls[i][0]) == 0) return signed_calls[i][1];
    return NULL;
}

/*
 * Notes the counter of a request that somebody else answered, or nobody. `left`: the request may have left the device.
 */
static void overhear(bank *bank, const mtoken_testing_request *request, bool left)
{
    const char *uri_id = bank_uri_id(request);
    if (!uri_id) return;
    const char *header = header_of(request, "X-PowerAuth-Authorization");
    bank_at_work++;
    turn_for(bank, header);
    signature signature = inspect(bank, header, "POST", uri_id, request->body, request->body_length);
    if (signature.sane) see(bank, signature.value, left && !brings_up(request->body, request->body_length));
    turn_home(bank);
    bank_at_work--;
}

bank_answer bank_respond(bank *bank, const mtoken_testing_request *raw)
{
    const char *path = bank_path(raw);
    request request = {raw, path ? path : raw->url, NULL, NULL};
    bank_at_work++;
    if (bank->blocked_until && bank_now(bank) >= bank->blocked_until) {
        if (bank->state == MTOKEN_ACTIVATION_BLOCKED) bank->state = MTOKEN_ACTIVATION_ACTIVE;
        bank->failed = bank->max_failed - 1; /* one attempt is left (powerauth4.md §11) */
        bank->blocked_until = 0;
    }
    bank->is_at_once = llabs(bank_now(bank) - bank->clock_ahead - raw->time) < 1000;
    request.json = json_loadb((const char *)raw->body, raw->body_length, 0, NULL);
    request.object = json_object_get(request.json, "requestObject");
    const char *signed_by = header_of(raw, "X-PowerAuth-Authorization");
    if (strncmp(request.path, "/pa/", 4) == 0)
        bank_turn(bank, strstr(raw->url, "/pa/v4/") != NULL);
    else if (signed_by)
        turn_for(bank, signed_by);
    bank->is_answering = true;
    bank_answer made = handle(bank, &request);
    bank->is_answering = false;
    turn_home(bank);
    json_decref(request.json);
    bank_at_work--;
    return made;
}

static void serve_one(bank *bank, const mtoken_testing_request *raw)
{
    mtoken_testing_answer other = MTOKEN_TESTING_ANSWER_INIT;
    bank_at_work++;
    bool is_intercepted = bank->intercept && bank->intercept(bank, raw, &other);
    bank_at_work--;
    if (is_intercepted) {
        overhear(bank, raw, !other.failure || other.sent);
        mtoken_testing_request_answer(bank->runtime, raw->number, &other, NULL);
        free((void *)(uintptr_t)other.body.data);
        bank->served++;
        return;
    }
    bank_answer made = bank_respond(bank, raw);
    mtoken_testing_answer answer = MTOKEN_TESTING_ANSWER_INIT;
    answer.status = made.status;
    answer.headers = text("Content-Type: application/json\n");
    answer.body = bytes(made.body);
    bank_at_work++;
    if (bank->spoil) bank->spoil(bank, raw, &answer);
    bank_at_work--;
    mtoken_testing_request_answer(bank->runtime, raw->number, &answer, NULL); /* it may have been cancelled meanwhile */
    free((void *)(uintptr_t)answer.body.data);
    bank->served++;
}

/* Looks at the next request; false: there is none yet. */
static bool serve_next(bank *bank, int64_t timeout)
{
    mtoken_testing_request *request = NULL;
    if (mtoken_testing_request_get(bank->runtime, bank->next, timeout, &request, NULL) != MTOKEN_OK) return false;
    bank->next++;
    if (bank->never_leaves && bank->never_leaves(bank, request)) {
        mtoken_testing_answer none = MTOKEN_TESTING_ANSWER_INIT;
        none.failure = MTOKEN_TESTING_FAILURE_NOT_CONNECTED;
        mtoken_testing_request_answer(bank->runtime, request->number, &none, NULL);
    } else if (request->state == MTOKEN_TESTING_REQUEST_WAITING)
        serve_one(bank, request);
    else
        overhear(bank, request, true);
    mtoken_testing_request_free(request);
    return true;
}

bool bank_serve_next(bank *bank) { return serve_next(bank, 0); }

void bank_serve(bank *bank)
{
    while (serve_next(bank, 0)) {
    }
    mtoken_testing_advance(bank->runtime, 0, NULL);
}

mtoken_status bank_finish(bank *bank, mtoken_task *task)
{
    while (mtoken_task_get_state(task) == MTOKEN_TASK_RUNNING) {
        if (serve_next(bank, 20)) continue;
        mtoken_testing_advance(bank->runtime, 0, NULL);
        if (!bank->threaded && mtoken_testing_request_count(bank->runtime) <= bank->next)
            break; /* all that can happen has happened */
    }
    return mtoken_task_result(task);
}

mtoken_status bank_finish_free(bank *bank, mtoken_task *task)
{
    mtoken_status result = bank_finish(bank, task);
    mtoken_task_free(task);
    return result;
}

/* ------------------------------------------------------------------------------------------------------- conveniences
 */

void bank_start_over(bank *bank)
{
    if (bank->other) {
        bank->version = 3;
        bank->upgrade_waits = false;
        turn_home(bank);
    }
    bank->state = MTOKEN_ACTIVATION_CREATED;
    EVP_PKEY_free(bank->device);
    bank->device = NULL;
    free(bank->name);
    bank->name = NULL;
    bank_begin_counter(bank);
    bank->failed = 0;
    bank->blocked_until = 0;
    bank->four.knowledge_waits = bank->four.biometry_waits = false;
    bank->four.biometry_on = bank->four.confirm_waits = false;
    for (size_t i = 0; i < bank->token_count; i++) bank->tokens[i].dead = true;
    for (size_t i = 0; i < bank->key_count; i++) bank->keys[i].dead |= bank->keys[i].activation_scope;
}

void bank_go_on_from(bank *bank, const uint8_t *counter, uint8_t number)
{
    memcpy(bank->counters[0], counter, width(bank));
    bank->counted = 0;
    memset(bank->seen, 0, sizeof bank->seen);
    bank->highest = -1;
    bank->counter = 0;
    bank->first = number;
}

void bank_begin_counter(bank *bank)
{
    uint8_t counter[32];
    bank_at_work++;
    random_bytes(counter, width(bank));
    bank_at_work--;
    bank_go_on_from(bank, counter, 0);
}

mtoken_client_options bank_client_options(const bank *bank, mtoken_store *store)
{
    mtoken_client_options options = MTOKEN_CLIENT_OPTIONS_INIT;
    options.id = text("alice");
    options.configuration = text(bank->configuration);
    options.base_url = text(BANK_URL);
    options.store = store;
    options.protocol_version = bank->protocol;
    return options;
}

mtoken_client *bank_client(const bank *bank, mtoken_store *store)
{
    mtoken_client_options options = bank_client_options(bank, store);
    mtoken_client *client = NULL;
    mtoken_error *error = NULL;
    CHECK_ERROR(mtoken_client_new(bank->runtime, &options, &client, &error), MTOKEN_OK, error);
    return client;
}

mtoken_status bank_activate(bank *bank, mtoken_client *client, const char *pin, const uint8_t *biometry)
{
    mtoken_activation_options options = MTOKEN_ACTIVATION_OPTIONS_INIT;
    mtoken_auth auth = MTOKEN_AUTH_INIT;
    mtoken_task *task = NULL;
    options.code = text(bank->code_qr);
    options.otp = text(bank->otp);
    options.name = text("test");
    auth.pin = bytes(pin);
    auth.biometry_key.data = biometry;
    auth.biometry_key.length = biometry ? 16 : 0;
    mtoken_status status = mtoken_client_activate(client, &options, &task, NULL);
    if (status == MTOKEN_OK) status = bank_finish_free(bank, task);
    if (status == MTOKEN_OK) status = mtoken_client_persist(client, &auth, NULL);
    if (status != MTOKEN_OK || !bank->suite) return status;
    status = mtoken_client_fetch_status(client, &task, NULL); /* which confirms what is not confirmed */
    return status == MTOKEN_OK ? bank_finish_free(bank, task) : status;
}

json_t *bank_operation(bank *bank, const char *id, const char *data)
{
    bank_at_work++;
    json_t *operation = json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:s, s:{s:s, s:[s,s]}, s:{s:s, s:s, s:[{s:s, s:s, s:s, s:f, s:s, s:s, s:s}]}}", "id",
        id, "name", "authorize_payment", "data", data, "status", "PENDING", "operationCreated",
        "2023-11-14T22:13:20+0000", "operationExpires", "2023-11-14T22:18:20+0000", "allowedSignatureType", "type",
        "2FA", "variants", "possession_knowledge", "possession_biometry", "formData", "title", "Payment", "message",
        "Do you pay?", "attributes", "type", "AMOUNT", "id", "operation.amount", "label", "Amount", "amount", 100.5,
        "currency", "CZK", "amountFormatted", "100,50", "currencyFormatted", "Kč");
    json_array_append_new(bank->operations, operation);
    bank_at_work--;
    return operation;
}

const char *bank_operation_status(const bank *bank, const char *id)
{
    return json_string_value(json_object_get(find_operation(bank, id), "status"));
}
