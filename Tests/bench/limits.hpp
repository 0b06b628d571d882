// The work of OpenSSL and Jansson that a call cannot avoid: algorithms fetched once, contexts kept and used again.
#pragma once

#include "activation.hpp"

#include <openssl/evp.h>

namespace limits {

class HMAC {
  public:
    explicit HMAC(const char *digest = "SHA256");
    ~HMAC();
    HMAC(const HMAC &) = delete;
    void operator()(const uint8_t *key, size_t keyLength, const uint8_t *data, size_t length, uint8_t *code);

  private:
    EVP_MAC *algorithm;
    EVP_MAC_CTX *context;
    size_t size;
};

// HMAC-SHA-256 on one context of the digest, as RFC 2104 writes it: less than OpenSSL's own HMAC asks for.
class DigestHMAC {
  public:
    DigestHMAC();
    ~DigestHMAC();
    DigestHMAC(const DigestHMAC &) = delete;
    // The key has at most 64 bytes.
    void operator()(const uint8_t *key, size_t keyLength, const uint8_t *data, size_t length, uint8_t *code);

  private:
    EVP_MD *algorithm;
    EVP_MD_CTX *context;
};

// KMAC-256 with the customization "PA4CODE", 32 bytes.
class KMAC {
  public:
    KMAC();
    ~KMAC();
    KMAC(const KMAC &) = delete;
    void operator()(const uint8_t *key, size_t keyLength, const uint8_t *data, size_t length, uint8_t *code);

  private:
    EVP_MAC *algorithm;
    EVP_MAC_CTX *context;
};

class AES {
  public:
    explicit AES(bool encrypt, bool padding);
    ~AES();
    AES(const AES &) = delete;
    int operator()(const uint8_t *key, const uint8_t *iv, const uint8_t *data, size_t length, uint8_t *output);

  private:
    EVP_CIPHER *algorithm;
    EVP_CIPHER_CTX *context;
    bool encrypt;
};

class SHA256 {
  public:
    SHA256();
    ~SHA256();
    SHA256(const SHA256 &) = delete;
    void operator()(const uint8_t *data, size_t length, uint8_t *digest);

  private:
    EVP_MD *algorithm;
    EVP_MD_CTX *context;
};

// PBKDF2 with HMAC-SHA-1 as OpenSSL does it.
void pbkdf2(const std::string &password, const Bytes &salt, uint32_t iterations, uint8_t *key, size_t length);

// The blocks of SHA-1 that such a derivation hashes, and nothing else: two for each iteration.
void sha1Blocks(uint32_t iterations);

// Generates key pairs and agrees on a secret with one given key.
class KeyAgreement {
  public:
    explicit KeyAgreement(EVP_PKEY *peer, const char *group = "prime256v1");
    ~KeyAgreement();
    KeyAgreement(const KeyAgreement &) = delete;
    // The secret is as long as a coordinate, 48 bytes at most.
    void operator()(uint8_t *secret);
    EVP_PKEY *generate();

  private:
    EVP_PKEY *peer;
    EVP_PKEY_CTX *generator;
};

// ECDSA with SHA-256, one key.
class Verification {
  public:
    explicit Verification(EVP_PKEY *key);
    ~Verification();
    Verification(const Verification &) = delete;
    bool operator()(const Bytes &data, const Bytes &signature);

  private:
    SHA256 digest;
    EVP_PKEY_CTX *context;
};

// What OpenSSL 3.5 and later adds, by its names: a key from a seed, decapsulation, verification. A key is NULL where
// OpenSSL has it not.
EVP_PKEY *fromSeed(const char *algorithm, size_t length);
void encapsulate(EVP_PKEY *key, Bytes &ciphertext);
void decapsulate(EVP_PKEY *key, const Bytes &ciphertext);
// One call, with the digest of the algorithm (NULL: it has none of its own).
Bytes signWhole(EVP_PKEY *key, const char *digest, const Bytes &data);
bool verifyWhole(EVP_PKEY *key, const char *digest, const Bytes &data, const Bytes &signature);

void random(uint8_t *output, size_t length);

} // namespace limits
