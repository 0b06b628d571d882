#include "crypt.h"

#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/param_build.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MUST(condition) ((condition) ? (void)0 : fail(#condition, __LINE__))

static void fail(const char *what, int line)
{
    fprintf(stderr, "crypt.c:%d: %s\n", line, what);
    abort();
}

void buffer_add(buffer *target, const void *bytes, size_t size)
{
    target->data = realloc(target->data, target->size + size + 1);
    MUST(target->data);
    if (size) memcpy(target->data + target->size, bytes, size);
    target->size += size;
    target->data[target->size] = 0;
}

void buffer_add_text(buffer *target, const char *text) { buffer_add(target, text, strlen(text)); }

void buffer_add_number(buffer *target, uint64_t number, size_t bytes)
{
    while (bytes--) {
        uint8_t byte = (uint8_t)(number >> (8 * bytes));
        buffer_add(target, &byte, 1);
    }
}

void buffer_add_item(buffer *target, const void *bytes, size_t size)
{
    buffer_add_number(target, size, 4);
    buffer_add(target, bytes, size);
}

void buffer_clear(buffer *target)
{
    free(target->data);
    target->data = NULL;
    target->size = 0;
}

void random_bytes(uint8_t *bytes, size_t size) { MUST(RAND_bytes(bytes, (int)size) == 1); }

void random_uuid(char uuid[37])
{
    uint8_t bytes[16];
    random_bytes(bytes, sizeof bytes);
    bytes[6] = (uint8_t)((bytes[6] & 0x0f) | 0x40);
    bytes[8] = (uint8_t)((bytes[8] & 0x3f) | 0x80);
    char *next = uuid;
    for (int i = 0; i < 16; i++)
        next += sprintf(next, i == 4 || i == 6 || i == 8 || i == 10 ? "-%02x" : "%02x", bytes[i]);
}

void sha256(const void *data, size_t size, uint8_t digest[32])
{
    static EVP_MD *method; /* looked up by name once */
    if (!method) method = EVP_MD_fetch(NULL, "SHA256", NULL);
    MUST(method && EVP_Digest(data, size, digest, NULL, method, NULL) == 1);
}

/* HMAC with SHA-256, looked up by name once, to be copied for each use. */
static const EVP_MAC_CTX *hmac_method(void)
{
    static EVP_MAC_CTX *method;
    if (!method) {
        EVP_MAC *mac = EVP_MAC_fetch(NULL, "HMAC", NULL);
        OSSL_PARAM digest[] = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, "SHA256", 0), OSSL_PARAM_END};
        EVP_MAC_CTX *made = EVP_MAC_CTX_new(mac);
        MUST(made && EVP_MAC_CTX_set_params(made, digest) == 1);
        EVP_MAC_free(mac);
        method = made;
    }
    return method;
}

void hmac(const void *key, size_t key_size, const void *data, size_t size, uint8_t mac[32])
{
    EVP_MAC_CTX *context = EVP_MAC_CTX_dup(hmac_method());
    size_t length = 0;
    MUST(context && EVP_MAC_init(context, key, key_size, NULL) == 1 && EVP_MAC_update(context, data, size) == 1);
    MUST(EVP_MAC_final(context, mac, &length, 32) == 1 && length == 32);
    EVP_MAC_CTX_free(context);
}

void reduce(const uint8_t wide[32], uint8_t narrow[16])
{
    for (int i = 0; i < 16; i++) narrow[i] = wide[i] ^ wide[i + 16];
}

static const uint8_t zero_iv[16];

void kdf(const uint8_t key[16], uint64_t index, uint8_t derived[16])
{
    uint8_t block[16] = {0};
    for (int i = 0; i < 8; i++) block[15 - i] = (uint8_t)(index >> (8 * i));
    buffer encrypted = aes_encrypt(key, zero_iv, block, sizeof block, false);
    memcpy(derived, encrypted.data, 16);
    buffer_clear(&encrypted);
}

void kdf_internal(const uint8_t key[16], const void *data, size_t size, uint8_t derived[16])
{
    uint8_t mac[32];
    hmac(key, 16, data, size, mac);
    reduce(mac, derived);
}

void x963(const uint8_t secret[32], const void *info, size_t info_size, uint8_t *derived, size_t size)
{
    for (uint32_t counter = 1; size; counter++) {
        buffer input = {NULL, 0};
        uint8_t digest[32];
        buffer_add(&input, secret, 32);
        buffer_add_number(&input, counter, 4);
        buffer_add(&input, info, info_size);
        sha256(input.data, input.size, digest);
        buffer_clear(&input);
        size_t part = size < 32 ? size : 32;
        memcpy(derived, digest, part);
        derived += part;
        size -= part;
    }
}

static bool aes(bool encrypts, const uint8_t key[16], const uint8_t iv[16], const void *data, size_t size, bool padding,
                buffer *result)
{
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    uint8_t *output = malloc(size + 32);
    int length = 0, rest = 0;
    MUST(context && output);
    MUST(EVP_CipherInit_ex(context, EVP_aes_128_cbc(), NULL, key, iv, encrypts) == 1);
    EVP_CIPHER_CTX_set_padding(context, padding);
    bool good = EVP_CipherUpdate(context, output, &length, data, (int)size) == 1 &&
                EVP_CipherFinal_ex(context, output + length, &rest) == 1;
    if (good) buffer_add(result, output, (size_t)(length + rest));
    free(output);
    EVP_CIPHER_CTX_free(context);
    return good;
}

buffer aes_encrypt(const uint8_t key[16], const uint8_t iv[16], const void *data, size_t size, bool padding)
{
    buffer result = {NULL, 0};
    MUST(aes(true, key, iv, data, size, padding, &result));
    return result;
}

bool aes_decrypt(const uint8_t key[16], const uint8_t iv[16], const void *data, size_t size, bool padding,
                 buffer *plain)
{
    return aes(false, key, iv, data, size, padding, plain);
}

static EVP_PKEY *curve_named(const char *name)
{
    static struct {
        const char *name;
        EVP_PKEY *key;
    } curves[2] = {{"P-256", NULL}, {"P-384", NULL}};
    int i = strcmp(name, curves[0].name) != 0;
    if (!curves[i].key) {
        EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
        MUST(context && EVP_PKEY_paramgen_init(context) == 1 && EVP_PKEY_CTX_set_group_name(context, name) == 1);
        MUST(EVP_PKEY_paramgen(context, &curves[i].key) == 1);
        EVP_PKEY_CTX_free(context);
    }
    return curves[i].key;
}

EVP_PKEY *key_on(const char *curve)
{
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(curve_named(curve), NULL);
    EVP_PKEY *key = NULL;
    MUST(context && EVP_PKEY_keygen_init(context) == 1 && EVP_PKEY_keygen(context, &key) == 1);
    EVP_PKEY_CTX_free(context);
    return key;
}

EVP_PKEY *key_new(void) { return key_on("P-256"); }

static EVP_PKEY *key_import(const uint8_t *point, size_t size, const BIGNUM *number)
{
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    MUST(builder && OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, "P-256", 0) == 1);
    MUST(OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY, point, size) == 1);
    MUST(OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_PRIV_KEY, number) == 1);
    OSSL_PARAM *parameters = OSSL_PARAM_BLD_to_param(builder);
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    EVP_PKEY *key = NULL;
    MUST(parameters && context && EVP_PKEY_fromdata_init(context) == 1);
    MUST(EVP_PKEY_fromdata(context, &key, EVP_PKEY_KEYPAIR, parameters) == 1);
    EVP_PKEY_CTX_free(context);
    OSSL_PARAM_free(parameters);
    OSSL_PARAM_BLD_free(builder);
    return key;
}

EVP_PKEY *point_on(const char *curve, const uint8_t *point, size_t size)
{
    EVP_PKEY *key = EVP_PKEY_new();
    MUST(key && EVP_PKEY_copy_parameters(key, curve_named(curve)) == 1);
    if (EVP_PKEY_set1_encoded_public_key(key, point, size) == 1) return key;
    EVP_PKEY_free(key);
    return NULL;
}

EVP_PKEY *key_from_point(const uint8_t *point, size_t size) { return point_on("P-256", point, size); }

EVP_PKEY *key_from_number(const uint8_t *number, size_t size)
{
    EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
    BIGNUM *scalar = BN_bin2bn(number, (int)size, NULL);
    EC_POINT *point = EC_POINT_new(group);
    uint8_t encoded[65];
    MUST(group && scalar && point && EC_POINT_mul(group, point, scalar, NULL, NULL, NULL) == 1);
    MUST(EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, encoded, sizeof encoded, NULL) ==
         sizeof encoded);
    EVP_PKEY *key = key_import(encoded, sizeof encoded, scalar);
    MUST(key);
    EC_POINT_free(point);
    BN_clear_free(scalar);
    EC_GROUP_free(group);
    return key;
}

void key_point(EVP_PKEY *key, uint8_t point[65])
{
    size_t size = 0;
    MUST(EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, point, 65, &size) == 1);
    if (size == 33) {
        /* A key that came compressed is given out so, too. */
        EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
        EC_POINT *decoded = EC_POINT_new(group);
        MUST(EC_POINT_oct2point(group, decoded, point, size, NULL) == 1);
        size = EC_POINT_point2oct(group, decoded, POINT_CONVERSION_UNCOMPRESSED, point, 65, NULL);
        EC_POINT_free(decoded);
        EC_GROUP_free(group);
    }
    MUST(size == 65);
}

void agree_on(EVP_PKEY *own, EVP_PKEY *other, uint8_t *secret, size_t size)
{
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(own, NULL);
    size_t made = size;
    /* Each point was found on its curve when it was read, which is all that there is to check of these curves. */
    MUST(context && EVP_PKEY_derive_init(context) == 1 && EVP_PKEY_derive_set_peer_ex(context, other, 0) == 1);
    MUST(EVP_PKEY_derive(context, secret, &made) == 1 && made == size);
    EVP_PKEY_CTX_free(context);
}

void ecdh(EVP_PKEY *own, EVP_PKEY *other, uint8_t secret[32]) { agree_on(own, other, secret, 32); }

buffer ecdsa_sign(EVP_PKEY *key, const void *data, size_t size)
{
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    uint8_t signature[112]; /* of P-384 at most */
    size_t length = sizeof signature;
    buffer result = {NULL, 0};
    const EVP_MD *digest = EVP_PKEY_get_bits(key) == 384 ? EVP_sha384() : EVP_sha256();
    MUST(context && EVP_DigestSignInit(context, NULL, digest, NULL, key) == 1);
    MUST(EVP_DigestSign(context, signature, &length, data, size) == 1);
    EVP_MD_CTX_free(context);
    buffer_add(&result, signature, length);
    return result;
}

size_t ecdsa_sign_jose(EVP_PKEY *key, const void *data, size_t size, uint8_t signature[96])
{
    int half = EVP_PKEY_get_bits(key) / 8;
    buffer der = ecdsa_sign(key, data, size);
    const uint8_t *next = der.data;
    ECDSA_SIG *parts = d2i_ECDSA_SIG(NULL, &next, (long)der.size);
    MUST(parts && BN_bn2binpad(ECDSA_SIG_get0_r(parts), signature, half) == half);
    MUST(BN_bn2binpad(ECDSA_SIG_get0_s(parts), signature + half, half) == half);
    ECDSA_SIG_free(parts);
    buffer_clear(&der);
    return 2 * (size_t)half;
}

char *base64(const void *bytes, size_t size)
{
    char *text = malloc(4 * ((size + 2) / 3) + 1);
    MUST(text);
    EVP_EncodeBlock((unsigned char *)text, bytes, (int)size);
    return text;
}

char *base64url(const void *bytes, size_t size)
{
    char *text = base64(bytes, size);
    for (char *c = text; *c; c++) *c = *c == '+' ? '-' : *c == '/' ? '_' : *c == '=' ? '\0' : *c;
    return text;
}

bool base64_decode(const char *text, buffer *bytes)
{
    size_t length = strlen(text);
    if (length % 4 != 0) return false;
    uint8_t *decoded = malloc(length + 4);
    MUST(decoded);
    int size = EVP_DecodeBlock(decoded, (const unsigned char *)text, (int)length);
    for (size_t i = length; size >= 0 && i > 0 && i > length - 2 && text[i - 1] == '='; i--) size--;
    if (size >= 0) buffer_add(bytes, decoded, (size_t)size);
    free(decoded);
    return size >= 0;
}

bool base64url_decode(const char *text, size_t length, buffer *bytes)
{
    buffer standard = {NULL, 0};
    for (size_t i = 0; i < length; i++) {
        char c = text[i] == '-' ? '+' : text[i] == '_' ? '/' : text[i];
        buffer_add(&standard, &c, 1);
    }
    while (standard.size % 4 != 0) buffer_add_text(&standard, "=");
    bool good = base64_decode(standard.data ? (const char *)standard.data : "", bytes);
    buffer_clear(&standard);
    return good;
}
