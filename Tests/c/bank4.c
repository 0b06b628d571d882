#include "bank4.h"

#define SKEW 300000

bool bank_speaks_4(void) { return getenv("MTOKEN_SUITE") != NULL; }

void four_new(bank *bank)
{
    const char *name = getenv("MTOKEN_SUITE");
    bank->suite = name ? suite_named(name) : NULL;
    if (name && !bank->suite) exit(2);
    if (!bank->suite || !bank->suite->dsa) return;
    bank->four.master_dsa = key4_new(bank->suite->dsa);
    bank->four.dsa = key4_new(bank->suite->dsa);
}

void four_free(bank *bank)
{
    EVP_PKEY_free(bank->four.master_dsa);
    EVP_PKEY_free(bank->four.dsa);
}

static void add_count(buffer *target, size_t count)
{
    if (count < 0x80)
        buffer_add_number(target, count, 1);
    else
        buffer_add_number(target, 0x8000 | count, 2);
}

size_t four_keys(const bank *bank) { return bank->suite->dsa ? 2 : 1; }

void four_publish(const bank *bank, buffer *configuration)
{
    EVP_PKEY *keys[] = {bank->master, bank->four.master_dsa};
    const int ids[] = {2, bank->suite->dsa_id};
    for (int i = 0; i < 2 && keys[i]; i++) {
        buffer key = key4_public(keys[i]);
        buffer_add_number(configuration, (uint64_t)ids[i], 1);
        add_count(configuration, key.size);
        buffer_add(configuration, key.data, key.size);
        buffer_clear(&key);
    }
}

void four_next(const uint8_t counter[32], uint8_t next[32]) { sha3(counter, 32, next); }

void four_component(const uint8_t *const *factors, int index, const uint8_t counter[32], const buffer *data,
                    uint8_t result[32])
{
    uint8_t key[32];
    for (int i = 0; i <= index; i++) {
        buffer input = {NULL, 0};
        buffer_add(&input, counter, 32);
        if (i > 0) buffer_add(&input, key, 32);
        kmac(factors[i], 32, input.data, input.size, "PA4CODE", key);
        buffer_clear(&input);
    }
    kmac(key, 32, data->data, data->size, "PA4CODE", result);
}

void four_promote(bank *bank, const char *type, bool next)
{
    if (strstr(type, "knowledge")) {
        if (next) memcpy(bank->knowledge, bank->four.next_knowledge, 32);
        bank->four.knowledge_waits = false;
    }
    if (strstr(type, "biometry")) {
        if (next) memcpy(bank->biometry, bank->four.next_biometry, 32);
        bank->four.biometry_waits = false;
    }
}

void four_digest(const uint8_t *secret, size_t size, const buffer *data, uint8_t digest[32])
{
    kmac(secret, size, data->data, data->size, "PA4DIGEST", digest);
}

/* ------------------------------------------------------------------------------------------------------- encryption
 */

static void context_of(const envelope *envelope, buffer *context)
{
    buffer_add_text(context, "4.0");
    buffer_add_text(context, envelope->purpose);
    buffer_add(context, envelope->both_nonces, 24);
}

static void data_of(const envelope *envelope, int64_t timestamp, buffer *data)
{
    uint8_t time[8];
    for (int i = 0; i < 8; i++) time[i] = (uint8_t)((uint64_t)timestamp >> (56 - 8 * i));
    buffer_add(data, envelope->associated.data, envelope->associated.size);
    buffer_add_item(data, time, 8);
    buffer_add_item(data, envelope->both_nonces, 24);
    buffer_add_item(data, envelope->info, 32);
}

/* Whether these nonces, which differ in their halves, are new under the key. */
static bool is_fresh(bank *bank, const char *id, const uint8_t nonces[24])
{
    uint8_t use[BANK_USE];
    memcpy(use, id, 36);
    memcpy(use + 36, nonces, 24);
    size_t known = bank->four.nonce_count < BANK_NONCES ? bank->four.nonce_count : BANK_NONCES;
    if (memcmp(nonces, nonces + 12, 12) == 0) return false;
    for (size_t i = 0; i < known; i++)
        if (memcmp(bank->four.nonces[i], use, sizeof use) == 0) return false;
    memcpy(bank->four.nonces[bank->four.nonce_count++ % BANK_NONCES], use, sizeof use);
    return true;
}

bool four_open(bank *bank, const json_t *message, bool activation_scope, const char *purpose, envelope *envelope,
               buffer *plain)
{
    buffer nonces = {NULL, 0}, data = {NULL, 0}, encrypted = {NULL, 0}, context = {NULL, 0};
    int64_t timestamp = json_integer_value(json_object_get(message, "timestamp"));
    const char *id = member(message, "temporaryKeyId");
    const uint8_t *secret = NULL;
    bool good = false;
    envelope->purpose = purpose;
    for (size_t i = 0; i < bank->key_count; i++)
        if (strcmp(bank->keys[i].id, id) == 0 && !bank->keys[i].dead &&
            bank->keys[i].activation_scope == activation_scope)
            secret = bank->keys[i].secret;
    if (secret && is_timely(bank, timestamp, SKEW) && base64_decode(member(message, "nonce"), &nonces) &&
        nonces.size == 24 && is_fresh(bank, id, nonces.data) &&
        base64_decode(member(message, "encryptedData"), &encrypted) && encrypted.size >= 44 &&
        memcmp(encrypted.data, nonces.data, 12) == 0) {
        memcpy(envelope->secret, secret, 32);
        memcpy(envelope->both_nonces, nonces.data, 24);
        if (activation_scope) {
            uint8_t key[32];
            kdf4(bank->four.utility, 32, "util/key-e2ee-sh2", key);
            kmac(key, 32, bank->application_secret, 16, "PA4SH2", envelope->info);
        } else {
            sha3(bank->application_secret, 16, envelope->info);
        }
        buffer_add_item(&envelope->associated, "4.0", 3);
        buffer_add_item(&envelope->associated, bank->application_key_text, strlen(bank->application_key_text));
        if (activation_scope) buffer_add_item(&envelope->associated, bank->activation_id, 36);
        buffer_add_item(&envelope->associated, id, strlen(id));
        context_of(envelope, &context);
        data_of(envelope, timestamp, &data);
        good = aead_open(envelope->secret, &context, &data, &encrypted, plain);
    }
    buffer_clear(&nonces);
    buffer_clear(&data);
    buffer_clear(&encrypted);
    buffer_clear(&context);
    if (!good) buffer_clear(&envelope->associated);
    return good;
}

json_t *four_seal(bank *bank, envelope *envelope, const char *plain)
{
    buffer data = {NULL, 0}, context = {NULL, 0};
    int64_t timestamp = bank_now(bank);
    context_of(envelope, &context);
    data_of(envelope, timestamp, &data);
    buffer encrypted = aead_seal(envelope->secret, &context, envelope->both_nonces + 12, &data, plain, strlen(plain));
    char *encrypted_text = base64(encrypted.data, encrypted.size);
    json_t *message = json_pack("{s:s, s:I}", "encryptedData", encrypted_text, "timestamp", (json_int_t)timestamp);
    free(encrypted_text);
    buffer_clear(&data);
    buffer_clear(&context);
    buffer_clear(&encrypted);
    buffer_clear(&envelope->associated);
    return message;
}

/* ---------------------------------------------------------------------------------------------------- shared secrets
 */

/* Answers a request for a shared secret; NULL: it is refused. */
static json_t *shared(const bank *bank, const json_t *wish, uint8_t secret[32])
{
    const json_t *keys = json_object_get(wish, "encapsulationKeys");
    size_t count = bank->suite->kem ? 2 : 1;
    uint8_t salt[32];
    buffer point = {NULL, 0}, kem_key = {NULL, 0}, encapsulated = {NULL, 0}, ciphertext = {NULL, 0};
    json_t *answer = NULL;
    if (strcmp(member(wish, "algorithm"), bank->suite->name) == 0 && json_array_size(keys) == count &&
        base64_decode(json_string_value(json_array_get(keys, 0)), &point) &&
        (count == 1 || base64_decode(json_string_value(json_array_get(keys, 1)), &kem_key)) &&
        share(bank->suite, &point, &kem_key, salt, &encapsulated, &ciphertext, secret)) {
        char *salt_text = base64(salt, sizeof salt), *first = base64(encapsulated.data, encapsulated.size);
        answer = json_pack("{s:s, s:[s]}", "salt", salt_text, "encapsulatedKeys", first);
        if (count == 2) {
            char *second = base64(ciphertext.data, ciphertext.size);
            json_array_append_new(json_object_get(answer, "encapsulatedKeys"), json_string(second));
            free(second);
        }
        free(salt_text);
        free(first);
    }
    buffer_clear(&point);
    buffer_clear(&kem_key);
    buffer_clear(&encapsulated);
    buffer_clear(&ciphertext);
    return answer;
}

static void add_signature(json_t *jws, const char *algorithm, EVP_PKEY *key, const char *payload)
{
    char head[64];
    snprintf(head, sizeof head, "{\"alg\":\"%s\"}", algorithm);
    char *head_text = base64url(head, strlen(head));
    buffer data = {NULL, 0};
    buffer_add_text(&data, head_text);
    buffer_add_text(&data, ".");
    buffer_add_text(&data, payload);
    buffer signature = key4_sign(key, data.data, data.size);
    char *signature_text = base64url(signature.data, signature.size);
    json_array_append_new(json_object_get(jws, "signatures"),
                          json_pack("{s:s, s:s}", "protected", head_text, "signature", signature_text));
    free(head_text);
    free(signature_text);
    buffer_clear(&data);
    buffer_clear(&signature);
}

static bank_answer temporary_key(bank *bank, const request *request)
{
    bank_answer failure = bank_error(400, "ERR_TEMPORARY_KEY", "POWER_AUTH_TEMPORARY_KEY_FAILURE");
    const char *jwt = member(request->object, "jwt");
    const char *dot = strchr(jwt, '.'), *second = dot ? strchr(dot + 1, '.') : NULL;
    if (!second || bank->is_withdrawn || bank->key_count == BANK_KEYS) return failure;
    buffer payload = {NULL, 0}, mac = {NULL, 0};
    uint8_t expected[48], key[32], secret[32];
    base64url_decode(dot + 1, (size_t)(second - dot - 1), &payload);
    base64url_decode(second + 1, strlen(second + 1), &mac);
    json_t *claims = json_loadb((const char *)payload.data, payload.size, 0, NULL), *share = NULL;
    bool activation_scope = json_object_get(claims, "activationId") != NULL;
    if (activation_scope)
        kdf4(bank->four.utility, 32, "util/mac/get-act-temp-key", key);
    else
        kdf4(bank->application_secret, 16, "util/mac/get-app-temp-key", key);
    hmac384(key, 32, jwt, (size_t)(second - jwt), expected);
    if (mac.size == 48 && memcmp(expected, mac.data, 48) == 0 &&
        strcmp(member(claims, "applicationKey"), bank->application_key_text) == 0 &&
        (!activation_scope || (strcmp(member(claims, "activationId"), bank->activation_id) == 0 &&
                               bank->state >= MTOKEN_ACTIVATION_PENDING_COMMIT)))
        share = shared(bank, json_object_get(claims, "sharedSecretRequest"), secret);
    buffer_clear(&payload);
    buffer_clear(&mac);
    if (!share) {
        json_decref(claims);
        return failure;
    }
    free(failure.body);

    int64_t issued = bank_now(bank);
    memcpy(bank->keys[bank->key_count].secret, secret, 32);
    bank->keys[bank->key_count].activation_scope = activation_scope;
    random_uuid(bank->keys[bank->key_count].id);
    json_object_del(claims, "sharedSecretRequest");
    json_object_set_new(claims, "sharedSecretResponse", share);
    json_object_set_new(claims, "sub", json_string(bank->keys[bank->key_count].id));
    json_object_set_new(claims, "iat", json_integer(issued / 1000));
    json_object_set_new(claims, "exp", json_integer((issued + bank->key_validity) / 1000));
    json_object_set_new(claims, "iat_ms", json_integer(issued));
    json_object_set_new(claims, "exp_ms", json_integer(issued + bank->key_validity));
    bank->key_count++;
    char *body = dump(claims);
    char *other = bank->rewrite ? bank->rewrite(bank, "jwt", body) : NULL;
    char *body_text = base64url(other ? other : body, strlen(other ? other : body));
    json_t *jws = json_pack("{s:s, s:[]}", "payload", body_text, "signatures");
    add_signature(jws, "ES384", activation_scope ? bank->key : bank->master, body_text);
    if (bank->suite->dsa)
        add_signature(jws, bank->suite->dsa, activation_scope ? bank->four.dsa : bank->four.master_dsa, body_text);
    char *whole = dump(jws);
    bank_answer answer = bank_ok(json_pack("{s:s}", "jwt", whole));
    free(body);
    free(other);
    free(body_text);
    free(whole);
    json_decref(jws);
    json_decref(claims);
    return answer;
}

/* The keys of an activation (or of an upgrade). */
void bank_takes_secret(bank *bank, const uint8_t *secret)
{
    uint8_t codes[32], vault[32];
    kdf4(secret, 32, "auth", codes);
    kdf4(codes, 32, "auth/possession", bank->possession);
    kdf4(codes, 32, "auth/knowledge", bank->knowledge);
    kdf4(codes, 32, "auth/biometry", bank->biometry);
    kdf4(secret, 32, "vault", vault);
    kdf4(vault, 32, "vault/kek-device-private", bank->four.vault[0]);
    kdf4(vault, 32, "vault/kdk-app-vault-knowledge", bank->four.vault[1]);
    kdf4(vault, 32, "vault/kdk-app-vault-2fa", bank->four.vault[2]);
    kdf4(secret, 32, "util", bank->four.utility);
}

static json_t *public_keys(const bank *bank)
{
    EVP_PKEY *keys[] = {bank->key, bank->four.dsa};
    static const char *const names[] = {"ecdsa", "mldsa"};
    json_t *result = json_object();
    for (int i = 0; i < 2 && keys[i]; i++) {
        buffer key = key4_public(keys[i]);
        char *key_text = base64(key.data, key.size);
        json_object_set_new(result, names[i], json_string(key_text));
        free(key_text);
        buffer_clear(&key);
    }
    return result;
}

json_t *four_agree(bank *bank, const json_t *device)
{
    uint8_t secret[32];
    buffer point = {NULL, 0};
    const json_t *keys = json_object_get(device, "devicePublicKeys");
    bool good = base64_decode(member(keys, "ecdsa"), &point) && point.size == 97 &&
                !*member(keys, "mldsa") == !bank->suite->dsa;
    buffer_clear(&point);
    json_t *share = good ? shared(bank, json_object_get(device, "sharedSecretRequest"), secret) : NULL;
    if (!share) return NULL;
    bank_takes_secret(bank, secret);
    bank->four.confirm_waits = true;
    char *counter = base64(bank->counters[0], 32);
    json_t *answer = json_pack("{s:s, s:o, s:o, s:s}", "activationId", bank->activation_id, "serverPublicKeys",
                               public_keys(bank), "sharedSecretResponse", share, "ctrData", counter);
    free(counter);
    return answer;
}

/* ------------------------------------------------------------------------------------------------------------- calls
 */

static bank_answer activation_status(bank *bank, const request *request)
{
    static const uint8_t magic[4] = {0xDE, 0xC0, 0xDE, 0xD4};
    uint8_t blob[80] = {0}, key[32];
    envelope envelope;
    buffer plain = {NULL, 0};
    if (!open_envelope(bank, request->json, "4.0", true, "/pa/generic/activation", &envelope, &plain))
        return bank_error(400, "ERR_ACTIVATION", "POWER_AUTH_ACTIVATION_INVALID");
    buffer_clear(&plain);
    memcpy(blob, magic, 4);
    blob[4] = (uint8_t)bank->state;
    blob[5] = (uint8_t)bank->version;
    blob[6] = 4;
    blob[7] = (uint8_t)(bank->four.confirm_waits | bank->upgrade_waits << 1 | bank->four.biometry_on << 3);
    blob[12] = (uint8_t)(bank->first + bank->counter);
    blob[13] = (uint8_t)bank->failed;
    blob[14] = (uint8_t)bank->max_failed;
    blob[15] = (uint8_t)bank->window;
    kdf4(bank->four.utility, 32, "util/mac/ctr-data", key);
    count_to(bank, bank->counter);
    kmac(key, 32, bank->counters[bank->counter], 32, "PA4MAC-CTR", blob + 16);
    kdf4(bank->four.utility, 32, "util/mac/status", key);
    kmac(key, 32, blob, 48, "PA4MAC-STATUS", blob + 48);
    char *blob_text = base64(blob, sizeof blob);
    bool ends = bank->state == MTOKEN_ACTIVATION_BLOCKED && bank->blocked_until;
    json_t *object = json_pack("{s:s, s:o}", "activationStatus", blob_text, "timestampBlockExpire",
                               ends ? json_integer(bank->blocked_until) : json_null());
    if (bank->custom_object) json_object_set(object, "customObject", bank->custom_object);
    free(blob_text);
    return sealed(bank, &envelope, object);
}

static bank_answer unlock_vault(bank *bank, const request *request)
{
    static const char *const names[] = {"KEK_DEVICE_PRIVATE", "KDK_APP_VAULT_KNOWLEDGE", "KDK_APP_VAULT_2FA"};
    envelope envelope;
    buffer plain = {NULL, 0};
    int found = -1;
    bank_answer failure =
        open_vault(bank, request, "4.0", "possession_knowledge possession_biometry", &envelope, &plain);
    if (failure.body) return failure;
    json_t *wish = json_loadb((const char *)plain.data, plain.size, 0, NULL);
    buffer_clear(&plain);
    for (int i = 0; i < 3; i++)
        if (strcmp(member(wish, "keyIdentifier"), names[i]) == 0) found = i;
    json_decref(wish);
    if (found < 0) {
        buffer_clear(&envelope.associated);
        return bank_error(400, "ERR_SECURE_VAULT", "POWER_AUTH_SECURE_VAULT_INVALID");
    }
    char *key = base64(bank->four.vault[found], 32);
    bank_answer answer = sealed(bank, &envelope, json_pack("{s:s}", "vaultEncryptionKey", key));
    free(key);
    return answer;
}

/* A new key of a factor: the second one beside the first, until a code tells which of them the device has. */
static bank_answer new_key(bank *bank, const request *request, const char *purpose, bool biometry)
{
    uint8_t secret[32];
    envelope envelope;
    buffer plain = {NULL, 0};
    if (!signed_with(bank, request, purpose, "possession_knowledge")) return refused(bank, request);
    bank_answer failure = biometry ? bank_error(400, "ERR_BIOMETRY", "POWER_AUTH_BIOMETRY_FAILURE")
                                   : bank_error(400, "ERR_PASSWORD_CHANGE", "POWER_AUTH_PASSWORD_CHANGE_FAILURE");
    if (!open_envelope(bank, request->json, "4.0", true, purpose, &envelope, &plain)) return failure;
    json_t *wish = json_loadb((const char *)plain.data, plain.size, 0, NULL);
    json_t *share = shared(bank, wish, secret);
    json_decref(wish);
    buffer_clear(&plain);
    if (!share) {
        buffer_clear(&envelope.associated);
        return failure;
    }
    free(failure.body);
    if (!biometry) {
        memcpy(bank->four.next_knowledge, secret, 32);
        bank->four.knowledge_waits = true;
    } else if (bank->four.biometry_on) {
        memcpy(bank->four.next_biometry, secret, 32);
        bank->four.biometry_waits = true;
    } else {
        memcpy(bank->biometry, secret, 32);
        bank->four.biometry_on = true;
    }
    return sealed(bank, &envelope, share);
}

static bank_answer confirm(bank *bank, const request *request)
{
    bank->four.confirms = bank->four.confirm_waits;
    bool is_right = signed_with(bank, request, "/pa/activation/confirm", "possession_knowledge");
    bank->four.confirms = false;
    if (!is_right) return refused(bank, request);
    if (!bank->four.confirm_waits) return bank_error(400, "ERR_ACTIVATION", "POWER_AUTH_ACTIVATION_INVALID");
    bank->four.confirm_waits = false;
    bank->four.biometry_on = json_is_true(json_object_get(request->object, "enableBiometry"));
    return bank_ok(NULL);
}

/* The keys and the counter of 4.0 beside those of 3.x, which go on; each time others. */
static bank_answer start_upgrade(bank *bank, const request *request)
{
    envelope envelope;
    buffer plain = {NULL, 0};
    bank_answer failure = bank_error(400, "ERR_UPGRADE", "POWER_AUTH_UPGRADE_FAILURE");
    if (!bank->other || (!bank->upgrade_waits && bank->version == 4)) return failure;
    bank_turn(bank, false);
    bool is_right = signed_with(bank, request, "/pa/upgrade/start", "possession_knowledge");
    bank_turn(bank, true);
    if (!is_right) {
        free(failure.body);
        return refused(bank, request);
    }
    if (!open_envelope(bank, request->json, "4.0", false, "/pa/upgrade/start", &envelope, &plain)) return failure;
    json_t *wish = json_loadb((const char *)plain.data, plain.size, 0, NULL);
    bank_begin_counter(bank);
    json_t *answer = four_agree(bank, wish);
    bank->four.confirm_waits = false;
    bank->four.biometry_on = json_is_true(json_object_get(wish, "enableBiometry"));
    json_decref(wish);
    buffer_clear(&plain);
    if (!answer) {
        buffer_clear(&envelope.associated);
        return failure;
    }
    free(failure.body);
    bank->upgrade_waits = true;
    return sealed(bank, &envelope, answer);
}

static bank_answer confirm_upgrade(bank *bank, const request *request)
{
    if (!bank->upgrade_waits) return bank_error(400, "ERR_UPGRADE", "POWER_AUTH_UPGRADE_FAILURE");
    if (!signed_with(bank, request, "/pa/upgrade/confirm", "possession")) return refused(bank, request);
    bank->upgrade_waits = false;
    bank->version = 4;
    return bank_ok(NULL);
}

static bank_answer remove_biometry(bank *bank, const request *request)
{
    if (!signed_with(bank, request, "/pa/biometry/remove", "possession")) return refused(bank, request);
    bank->four.biometry_on = bank->four.biometry_waits = false;
    return bank_ok(NULL);
}

bank_answer four_handle(bank *bank, const request *request)
{
    static const bank_answer none = {0, NULL};
    const char *path = request->path;
    if (strcmp(path, PATH_TIME) == 0)
        return bank_ok(json_pack("{s:I, s:[s]}", "serverTime", (json_int_t)bank_now(bank), "supportedAlgorithms",
                                 bank->suite->name));
    /* Between start and confirmation of an upgrade there is nothing but these. */
    if (bank->upgrade_waits && strncmp(path, "/pa/", 4) == 0 && strcmp(path, PATH_KEY) != 0 &&
        strcmp(path, PATH_STATUS) != 0 && strcmp(path, PATH_UPGRADE) != 0 && strcmp(path, PATH_UPGRADED) != 0)
        return refused(bank, request);
    if (strcmp(path, PATH_KEY) == 0) return temporary_key(bank, request);
    if (strcmp(path, PATH_STATUS) == 0) return activation_status(bank, request);
    if (strcmp(path, PATH_VAULT) == 0) return unlock_vault(bank, request);
    if (strcmp(path, PATH_CONFIRM) == 0) return confirm(bank, request);
    if (strcmp(path, PATH_PASSWORD) == 0) return new_key(bank, request, "/pa/password/change", false);
    if (strcmp(path, PATH_BIOMETRY) == 0) return new_key(bank, request, "/pa/biometry/add", true);
    if (strcmp(path, PATH_BIOMETRY_REMOVE) == 0) return remove_biometry(bank, request);
    if (strcmp(path, PATH_UPGRADE) == 0) return start_upgrade(bank, request);
    if (strcmp(path, PATH_UPGRADED) == 0) return confirm_upgrade(bank, request);
    return none;
}
