#include "crypt4.h"

#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/hmac.h>
#include <openssl/x509.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MUST(condition) ((condition) ? (void)0 : fail(#condition, __LINE__))

static void fail(const char *what, int line)
{
    fprintf(stderr, "crypt4.c:%d: %s\n", line, what);
    abort();
}

const suite *suite_named(const char *name)
{
    static const suite suites[] = {
        {"EC_P384", NULL, NULL, 0},
        {"EC_P384_ML_L3", "ML-KEM-768", "ML-DSA-65", 3},
        {"EC_P384_ML_L5", "ML-KEM-1024", "ML-DSA-87", 4},
    };
    for (size_t i = 0; i < sizeof suites / sizeof suites[0]; i++)
        if (strcmp(suites[i].name, name) == 0) return &suites[i];
    return NULL;
}

void sha3(const void *data, size_t size, uint8_t digest[32])
{
    MUST(EVP_Digest(data, size, digest, NULL, EVP_sha3_256(), NULL) == 1);
}

void kmac(const void *key, size_t key_size, const void *data, size_t size, const char *customization, uint8_t mac[32])
{
    static EVP_MAC *algorithm;
    if (!algorithm) algorithm = EVP_MAC_fetch(NULL, "KMAC-256", NULL);
    EVP_MAC_CTX *context = algorithm ? EVP_MAC_CTX_new(algorithm) : NULL;
    size_t length = 32;
    OSSL_PARAM parameters[] = {OSSL_PARAM_construct_octet_string(
                                   OSSL_MAC_PARAM_CUSTOM, (void *)(uintptr_t)customization, strlen(customization)),
                               OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_SIZE, &length), OSSL_PARAM_construct_end()};
    MUST(context && EVP_MAC_init(context, key, key_size, parameters) == 1);
    MUST(EVP_MAC_update(context, data, size) == 1);
    MUST(EVP_MAC_final(context, mac, &length, 32) == 1 && length == 32);
    EVP_MAC_CTX_free(context);
}

void hmac384(const void *key, size_t key_size, const void *data, size_t size, uint8_t mac[48])
{
    unsigned length = 48;
    MUST(HMAC(EVP_sha384(), key, (int)key_size, data, size, mac, &length) && length == 48);
}

void kdf4_for(const void *key, size_t key_size, const char *label, const void *div, size_t div_size,
              uint8_t derived[32])
{
    buffer data = {NULL, 0};
    buffer_add_item(&data, label, strlen(label));
    buffer_add_item(&data, div, div_size);
    kmac(key, key_size, data.data, data.size, "PA4KDF", derived);
    buffer_clear(&data);
}

void kdf4(const void *key, size_t key_size, const char *label, uint8_t derived[32])
{
    kdf4_for(key, key_size, label, NULL, 0, derived);
}

/* ---------------------------------------------------------------------------------------------------------- AEAD */

static void count_encrypt(const uint8_t key[32], const uint8_t nonce[12], const void *data, size_t size, buffer *result)
{
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    uint8_t block[16] = {0}, *output = malloc(size + 16);
    int length = 0;
    memcpy(block, nonce, 12);
    MUST(context && output && EVP_EncryptInit_ex(context, EVP_aes_256_ctr(), NULL, key, block) == 1);
    MUST(EVP_EncryptUpdate(context, output, &length, data, (int)size) == 1 && (size_t)length == size);
    buffer_add(result, output, size);
    EVP_CIPHER_CTX_free(context);
    free(output);
}

static void tag(const uint8_t key[32], const buffer *context, const uint8_t nonce[12], const buffer *associated,
                const void *encrypted, size_t size, uint8_t result[32])
{
    uint8_t mac_key[32];
    buffer data = {NULL, 0};
    kdf4_for(key, 32, "aead/mac", context->data, context->size, mac_key);
    buffer_add(&data, nonce, 12);
    buffer_add(&data, associated->data, associated->size);
    buffer_add(&data, encrypted, size);
    kmac(mac_key, 32, data.data, data.size, "PA4MAC-AEAD", result);
    buffer_clear(&data);
}

buffer aead_seal(const uint8_t key[32], const buffer *context, const uint8_t nonce[12], const buffer *associated,
                 const void *plain, size_t size)
{
    uint8_t encryption[32], mac[32];
    buffer encrypted = {NULL, 0}, result = {NULL, 0};
    kdf4_for(key, 32, "aead/enc", context->data, context->size, encryption);
    count_encrypt(encryption, nonce, plain, size, &encrypted);
    tag(key, context, nonce, associated, encrypted.data, encrypted.size, mac);
    buffer_add(&result, nonce, 12);
    buffer_add(&result, mac, 32);
    buffer_add(&result, encrypted.data, encrypted.size);
    buffer_clear(&encrypted);
    return result;
}

bool aead_open(const uint8_t key[32], const buffer *context, const buffer *associated, const buffer *sealed,
               buffer *plain)
{
    uint8_t encryption[32], mac[32];
    if (sealed->size < 44) return false;
    tag(key, context, sealed->data, associated, sealed->data + 44, sealed->size - 44, mac);
    if (memcmp(mac, sealed->data + 12, 32) != 0) return false;
    kdf4_for(key, 32, "aead/enc", context->data, context->size, encryption);
    count_encrypt(encryption, sealed->data, sealed->data + 44, sealed->size - 44, plain);
    return true;
}

/* ---------------------------------------------------------------------------------------------------------- keys */

EVP_PKEY *key4_new(const char *algorithm)
{
    EVP_PKEY *key = NULL;
    if (strcmp(algorithm, "P-384") == 0) {
        key = key_on("P-384");
    } else {
        EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, algorithm, NULL);
        MUST(context && EVP_PKEY_keygen_init(context) == 1 && EVP_PKEY_generate(context, &key) == 1);
        EVP_PKEY_CTX_free(context);
    }
    MUST(key);
    return key;
}

buffer key4_public(EVP_PKEY *key)
{
    buffer result = {NULL, 0};
    if (EVP_PKEY_is_a(key, "EC")) {
        uint8_t point[97];
        size_t size = 0;
        MUST(EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY, point, sizeof point, &size) == 1);
        MUST(size == sizeof point);
        buffer_add(&result, point, size);
    } else {
        uint8_t *info = NULL;
        int size = i2d_PUBKEY(key, &info);
        MUST(size > 0);
        buffer_add(&result, info, (size_t)size);
        OPENSSL_free(info);
    }
    return result;
}

buffer key4_sign(EVP_PKEY *key, const void *data, size_t size)
{
    buffer result = {NULL, 0};
    if (EVP_PKEY_is_a(key, "EC")) {
        uint8_t raw[96];
        buffer_add(&result, raw, ecdsa_sign_jose(key, data, size, raw));
        return result;
    }
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    size_t length = 0;
    MUST(context && EVP_DigestSignInit(context, NULL, NULL, NULL, key) == 1);
    MUST(EVP_DigestSign(context, NULL, &length, data, size) == 1);
    uint8_t *signature = malloc(length);
    MUST(signature && EVP_DigestSign(context, signature, &length, data, size) == 1);
    buffer_add(&result, signature, length);
    EVP_MD_CTX_free(context);
    free(signature);
    return result;
}

/* ------------------------------------------------------------------------------------------------- shared secret */

static const uint8_t KEM_SUITE[] = {'K', 'E', 'M', 0, 0x11};
static const uint8_t HPKE_SUITE[] = {'H', 'P', 'K', 'E', 0, 0x11, 0, 2, 0xFF, 0xFF};

/* LabeledExtract of RFC 9180. */
static void extract(const uint8_t *salt, size_t salt_size, const uint8_t *suite, size_t suite_size, const char *label,
                    const void *data, size_t size, uint8_t result[48])
{
    static const uint8_t none[48];
    buffer text = {NULL, 0};
    buffer_add_text(&text, "HPKE-v1");
    buffer_add(&text, suite, suite_size);
    buffer_add_text(&text, label);
    buffer_add(&text, data, size);
    hmac384(salt_size ? salt : none, salt_size ? salt_size : sizeof none, text.data, text.size, result);
    buffer_clear(&text);
}

/* LabeledExpand to 48 bytes: one block. */
static void expand(const uint8_t key[48], const uint8_t *suite, size_t suite_size, const char *label, const void *data,
                   size_t size, uint8_t result[48])
{
    buffer text = {NULL, 0};
    buffer_add_number(&text, 48, 2);
    buffer_add_text(&text, "HPKE-v1");
    buffer_add(&text, suite, suite_size);
    buffer_add_text(&text, label);
    buffer_add(&text, data, size);
    buffer_add_number(&text, 1, 1);
    hmac384(key, 48, text.data, text.size, result);
    buffer_clear(&text);
}

/* DHKEM(P-384, HKDF-SHA384) with export (RFC 9180); false: the point is none. */
static bool export_secret(const buffer *point, buffer *encapsulated, uint8_t secret[48])
{
    static const char info[] = "DHKEM-P384";
    uint8_t shared[48], prk[48], none[48], about[48];
    EVP_PKEY *own = key4_new("P-384"), *other = point->size == 97 ? point_on("P-384", point->data, 97) : NULL;
    if (other) {
        agree_on(own, other, shared, sizeof shared);
        *encapsulated = key4_public(own);
        buffer both = {NULL, 0}, schedule = {NULL, 0};
        buffer_add(&both, encapsulated->data, encapsulated->size);
        buffer_add(&both, point->data, point->size);
        extract(NULL, 0, KEM_SUITE, sizeof KEM_SUITE, "eae_prk", shared, sizeof shared, prk);
        expand(prk, KEM_SUITE, sizeof KEM_SUITE, "shared_secret", both.data, both.size, shared);
        extract(NULL, 0, HPKE_SUITE, sizeof HPKE_SUITE, "psk_id_hash", NULL, 0, none);
        extract(NULL, 0, HPKE_SUITE, sizeof HPKE_SUITE, "info_hash", info, strlen(info), about);
        buffer_add_number(&schedule, 0, 1);
        buffer_add(&schedule, none, sizeof none);
        buffer_add(&schedule, about, sizeof about);
        extract(shared, sizeof shared, HPKE_SUITE, sizeof HPKE_SUITE, "secret", NULL, 0, prk);
        expand(prk, HPKE_SUITE, sizeof HPKE_SUITE, "exp", schedule.data, schedule.size, prk);
        expand(prk, HPKE_SUITE, sizeof HPKE_SUITE, "sec", info, strlen(info), secret);
        buffer_clear(&both);
        buffer_clear(&schedule);
    }
    bool good = other != NULL;
    EVP_PKEY_free(own);
    EVP_PKEY_free(other);
    return good;
}

/* ML-KEM; false: the key is none of the algorithm. */
static bool encapsulate(const char *algorithm, const buffer *info, buffer *ciphertext, uint8_t secret[32])
{
    const uint8_t *next = info->data;
    EVP_PKEY *key = info->size ? d2i_PUBKEY(NULL, &next, (long)info->size) : NULL;
    bool good = key && EVP_PKEY_is_a(key, algorithm) && next == info->data + info->size;
    if (good) {
        EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(key, NULL);
        size_t size = 0, secret_size = 32;
        MUST(context && EVP_PKEY_encapsulate_init(context, NULL) == 1);
        MUST(EVP_PKEY_encapsulate(context, NULL, &size, NULL, NULL) == 1);
        uint8_t *made = malloc(size);
        MUST(made && EVP_PKEY_encapsulate(context, made, &size, secret, &secret_size) == 1 && secret_size == 32);
        buffer_add(ciphertext, made, size);
        free(made);
        EVP_PKEY_CTX_free(context);
    }
    EVP_PKEY_free(key);
    return good;
}

bool share(const suite *suite, const buffer *point, const buffer *kem_key, uint8_t salt[32], buffer *encapsulated,
           buffer *ciphertext, uint8_t secret[32])
{
    uint8_t first[48], second[32];
    char label[64];
    buffer data = {NULL, 0};
    if (!export_secret(point, encapsulated, first)) return false;
    if (suite->kem && !encapsulate(suite->kem, kem_key, ciphertext, second)) return false;
    random_bytes(salt, 32);
    buffer_add_number(&data, 1, 4);
    buffer_add_item(&data, first, sizeof first);
    if (suite->kem) buffer_add_item(&data, second, sizeof second);
    snprintf(label, sizeof label, "shared-secret/%s", suite->name);
    buffer_add_item(&data, label, strlen(label));
    buffer_add_item(&data, "4.0", 3);
    kmac(salt, 32, data.data, data.size, "KDF", secret);
    buffer_clear(&data);
    return true;
}
