/* What a server of PowerAuth 4.0 needs beside crypt.h, on OpenSSL: the suites with ML-KEM and ML-DSA from OpenSSL 3.5
 * on. Failures end the program: they are the test's own. */
#ifndef CRYPT4_H
#define CRYPT4_H

#include "crypt.h"

/* A suite of algorithms; the names of ML-KEM and ML-DSA are NULL where it has none. */
typedef struct suite {
    const char *name, *kem, *dsa;
    int dsa_id; /* of the ML-DSA key in a configuration */
} suite;

/* NULL: there is none of this name. */
const suite *suite_named(const char *name);

void sha3(const void *data, size_t size, uint8_t digest[32]);
/* KMAC-256 with 32 bytes. */
void kmac(const void *key, size_t key_size, const void *data, size_t size, const char *customization, uint8_t mac[32]);
void hmac384(const void *key, size_t key_size, const void *data, size_t size, uint8_t mac[48]);
/* KDF(key, label) and, with a diversifier, KDF(key, label, div). */
void kdf4(const void *key, size_t key_size, const char *label, uint8_t derived[32]);
void kdf4_for(const void *key, size_t key_size, const char *label, const void *div, size_t div_size,
              uint8_t derived[32]);
/* The AEAD: nonce, tag and what is encrypted; false: it is not authentic. */
buffer aead_seal(const uint8_t key[32], const buffer *context, const uint8_t nonce[12], const buffer *associated,
                 const void *plain, size_t size);
bool aead_open(const uint8_t key[32], const buffer *context, const buffer *associated, const buffer *sealed,
               buffer *plain);

/* A key pair: of P-384, or of an algorithm of ML-DSA. */
EVP_PKEY *key4_new(const char *algorithm);
/* As it goes over the wire: a point or a SubjectPublicKeyInfo. */
buffer key4_public(EVP_PKEY *key);
/* The signature of a JWS. */
buffer key4_sign(EVP_PKEY *key, const void *data, size_t size);
/*
 * The server's side of a shared secret for keys that came over the wire: what goes back, and the secret. False: a key
 * is none.
 */
bool share(const suite *suite, const buffer *point, const buffer *kem_key, uint8_t salt[32], buffer *encapsulated,
           buffer *ciphertext, uint8_t secret[32]);

#endif
