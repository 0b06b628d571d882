/* The cryptography of a PowerAuth server, on OpenSSL: what bank.c needs. Failures end the program: they are the test's
 * own. */
#ifndef CRYPT_H
#define CRYPT_H

#include <openssl/evp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes that grow. {NULL, 0} is empty; free `data`. */
typedef struct buffer {
    uint8_t *data; /* followed by a NUL that is not counted */
    size_t size;
} buffer;

void buffer_add(buffer *target, const void *bytes, size_t size);
void buffer_add_text(buffer *target, const char *text);
/* The item with its length in four bytes before it. */
void buffer_add_item(buffer *target, const void *bytes, size_t size);
void buffer_add_number(buffer *target, uint64_t number, size_t bytes);
void buffer_clear(buffer *target);

void random_bytes(uint8_t *bytes, size_t size);
/* A random UUID as text of 36 characters. */
void random_uuid(char uuid[37]);

void sha256(const void *data, size_t size, uint8_t digest[32]);
void hmac(const void *key, size_t key_size, const void *data, size_t size, uint8_t mac[32]);
/* KDF(key, index) and KDF_INTERNAL(key, data). */
void kdf(const uint8_t key[16], uint64_t index, uint8_t derived[16]);
void kdf_internal(const uint8_t key[16], const void *data, size_t size, uint8_t derived[16]);
void reduce(const uint8_t wide[32], uint8_t narrow[16]);
void x963(const uint8_t secret[32], const void *info, size_t info_size, uint8_t *derived, size_t size);
buffer aes_encrypt(const uint8_t key[16], const uint8_t iv[16], const void *data, size_t size, bool padding);
/* False: bad padding or length. */
bool aes_decrypt(const uint8_t key[16], const uint8_t iv[16], const void *data, size_t size, bool padding,
                 buffer *plain);

EVP_PKEY *key_new(void);
/* A curve is "P-256" or "P-384": a key pair, one from a SEC1 point (NULL: it is none), and the secret of two keys. */
EVP_PKEY *key_on(const char *curve);
EVP_PKEY *point_on(const char *curve, const uint8_t *point, size_t size);
void agree_on(EVP_PKEY *own, EVP_PKEY *other, uint8_t *secret, size_t size);
/* From a private number of any length, big endian. */
EVP_PKEY *key_from_number(const uint8_t *number, size_t size);
/* From a SEC1 point; NULL if it is none. */
EVP_PKEY *key_from_point(const uint8_t *point, size_t size);
/* The uncompressed point, 65 bytes. */
void key_point(EVP_PKEY *key, uint8_t point[65]);
void ecdh(EVP_PKEY *own, EVP_PKEY *other, uint8_t secret[32]);
/* With the digest that belongs to the curve, P-256 or P-384: in DER, and r and s, whose size it gives. */
buffer ecdsa_sign(EVP_PKEY *key, const void *data, size_t size);
size_t ecdsa_sign_jose(EVP_PKEY *key, const void *data, size_t size, uint8_t signature[96]);

/* Texts to be freed. */
char *base64(const void *bytes, size_t size);
char *base64url(const void *bytes, size_t size);
/* Decode strictly enough; false for what is no Base64. */
bool base64_decode(const char *text, buffer *bytes);
bool base64url_decode(const char *text, size_t length, buffer *bytes);

#endif
