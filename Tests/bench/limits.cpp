// SHA1_Transform is deprecated, and yet what the library's derivation is measured against.
#define OPENSSL_SUPPRESS_DEPRECATED

#include "limits.hpp"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <openssl/sha.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace limits {

static void check(bool ok)
{
    if (ok) return;
    std::fputs("OpenSSL failed in the work to compare with\n", stderr);
    std::exit(1);
}

HMAC::HMAC(const char *digest) : algorithm(EVP_MAC_fetch(nullptr, "HMAC", nullptr)), context(EVP_MAC_CTX_new(algorithm))
{
    OSSL_PARAM parameters[] = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, const_cast<char *>(digest), 0),
                               OSSL_PARAM_construct_end()};
    check(context && EVP_MAC_CTX_set_params(context, parameters) == 1);
    size = (size_t)EVP_MD_get_size(EVP_get_digestbyname(digest));
}

HMAC::~HMAC()
{
    EVP_MAC_CTX_free(context);
    EVP_MAC_free(algorithm);
}

void HMAC::operator()(const uint8_t *key, size_t keyLength, const uint8_t *data, size_t length, uint8_t *code)
{
    check(EVP_MAC_init(context, key, keyLength, nullptr) == 1 && EVP_MAC_update(context, data, length) == 1 &&
          EVP_MAC_final(context, code, nullptr, size) == 1);
}

DigestHMAC::DigestHMAC() : algorithm(EVP_MD_fetch(nullptr, "SHA256", nullptr)), context(EVP_MD_CTX_new())
{
    check(algorithm && context && EVP_DigestInit_ex2(context, algorithm, nullptr) == 1);
}

DigestHMAC::~DigestHMAC()
{
    EVP_MD_CTX_free(context);
    EVP_MD_free(algorithm);
}

void DigestHMAC::operator()(const uint8_t *key, size_t keyLength, const uint8_t *data, size_t length, uint8_t *code)
{
    uint8_t pad[64] = {};
    check(keyLength <= sizeof pad);
    std::memcpy(pad, key, keyLength);
    for (uint8_t &byte : pad) byte ^= 0x36;
    check(EVP_DigestInit_ex2(context, nullptr, nullptr) == 1 && EVP_DigestUpdate(context, pad, sizeof pad) == 1 &&
          EVP_DigestUpdate(context, data, length) == 1 && EVP_DigestFinal_ex(context, code, nullptr) == 1);
    for (uint8_t &byte : pad) byte ^= 0x36 ^ 0x5C;
    check(EVP_DigestInit_ex2(context, nullptr, nullptr) == 1 && EVP_DigestUpdate(context, pad, sizeof pad) == 1 &&
          EVP_DigestUpdate(context, code, 32) == 1 && EVP_DigestFinal_ex(context, code, nullptr) == 1);
    OPENSSL_cleanse(pad, sizeof pad);
}

KMAC::KMAC() : algorithm(EVP_MAC_fetch(nullptr, "KMAC-256", nullptr)), context(EVP_MAC_CTX_new(algorithm))
{
    char custom[] = "PA4CODE";
    size_t size = 32;
    OSSL_PARAM parameters[] = {OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_CUSTOM, custom, 7),
                               OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_SIZE, &size), OSSL_PARAM_construct_end()};
    check(context && EVP_MAC_CTX_set_params(context, parameters) == 1);
}

KMAC::~KMAC()
{
    EVP_MAC_CTX_free(context);
    EVP_MAC_free(algorithm);
}

void KMAC::operator()(const uint8_t *key, size_t keyLength, const uint8_t *data, size_t length, uint8_t *code)
{
    check(EVP_MAC_init(context, key, keyLength, nullptr) == 1 && EVP_MAC_update(context, data, length) == 1 &&
          EVP_MAC_final(context, code, nullptr, 32) == 1);
}

AES::AES(bool encrypt, bool padding)
    : algorithm(EVP_CIPHER_fetch(nullptr, "AES-128-CBC", nullptr)), context(EVP_CIPHER_CTX_new()), encrypt(encrypt)
{
    check(algorithm && context && EVP_CipherInit_ex2(context, algorithm, nullptr, nullptr, encrypt, nullptr) == 1 &&
          EVP_CIPHER_CTX_set_padding(context, padding) == 1);
}

AES::~AES()
{
    EVP_CIPHER_CTX_free(context);
    EVP_CIPHER_free(algorithm);
}

int AES::operator()(const uint8_t *key, const uint8_t *iv, const uint8_t *data, size_t length, uint8_t *output)
{
    int written = 0, last = 0;
    check(EVP_CipherInit_ex2(context, nullptr, key, iv, encrypt, nullptr) == 1 &&
          EVP_CipherUpdate(context, output, &written, data, (int)length) == 1 &&
          EVP_CipherFinal_ex(context, output + written, &last) == 1);
    return written + last;
}

SHA256::SHA256() : algorithm(EVP_MD_fetch(nullptr, "SHA256", nullptr)), context(EVP_MD_CTX_new())
{
    check(algorithm && context && EVP_DigestInit_ex2(context, algorithm, nullptr) == 1);
}

SHA256::~SHA256()
{
    EVP_MD_CTX_free(context);
    EVP_MD_free(algorithm);
}

void SHA256::operator()(const uint8_t *data, size_t length, uint8_t *digest)
{
    check(EVP_DigestInit_ex2(context, nullptr, nullptr) == 1 && EVP_DigestUpdate(context, data, length) == 1 &&
          EVP_DigestFinal_ex(context, digest, nullptr) == 1);
}

void pbkdf2(const std::string &password, const Bytes &salt, uint32_t iterations, uint8_t *key, size_t length)
{
    check(PKCS5_PBKDF2_HMAC(password.data(), (int)password.size(), salt.data(), (int)salt.size(), (int)iterations,
                            EVP_sha1(), (int)length, key) == 1);
}

void sha1Blocks(uint32_t iterations)
{
    static uint8_t block[64];
    SHA_CTX state;
    SHA1_Init(&state);
    for (uint32_t count = 0; count < 2 * iterations; count++) SHA1_Transform(&state, block);
    block[0] = (uint8_t)state.h0;
}

KeyAgreement::KeyAgreement(EVP_PKEY *peer, const char *group)
    : peer(peer), generator(EVP_PKEY_CTX_new_from_name(nullptr, "EC", nullptr))
{
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, const_cast<char *>(group), 0),
        OSSL_PARAM_construct_end()};
    check(generator && EVP_PKEY_keygen_init(generator) == 1 && EVP_PKEY_CTX_set_params(generator, parameters) == 1);
}

KeyAgreement::~KeyAgreement() { EVP_PKEY_CTX_free(generator); }

void KeyAgreement::operator()(uint8_t *secret)
{
    EVP_PKEY *key = generate();
    // A context to agree with belongs to one private key, so this one cannot be kept.
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(nullptr, key, nullptr);
    size_t length = 48;
    check(context && EVP_PKEY_derive_init(context) == 1 && EVP_PKEY_derive_set_peer_ex(context, peer, 0) == 1 &&
          EVP_PKEY_derive(context, secret, &length) == 1);
    EVP_PKEY_CTX_free(context);
    EVP_PKEY_free(key);
}

EVP_PKEY *KeyAgreement::generate()
{
    EVP_PKEY *key = nullptr;
    check(EVP_PKEY_generate(generator, &key) == 1);
    return key;
}

EVP_PKEY *fromSeed(const char *algorithm, size_t length)
{
    uint8_t seed[64] = {7};
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(nullptr, algorithm, nullptr);
    if (!context) return nullptr;
    OSSL_PARAM parameters[] = {OSSL_PARAM_construct_octet_string("seed", seed, length), OSSL_PARAM_construct_end()};
    EVP_PKEY *key = nullptr;
    check(EVP_PKEY_fromdata_init(context) == 1 && EVP_PKEY_fromdata(context, &key, EVP_PKEY_KEYPAIR, parameters) == 1);
    EVP_PKEY_CTX_free(context);
    return key;
}

void encapsulate(EVP_PKEY *key, Bytes &ciphertext)
{
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(nullptr, key, nullptr);
    uint8_t secret[32];
    size_t length = ciphertext.size(), secretLength = sizeof secret;
    check(context && EVP_PKEY_encapsulate_init(context, nullptr) == 1 &&
          EVP_PKEY_encapsulate(context, ciphertext.data(), &length, secret, &secretLength) == 1 &&
          length == ciphertext.size());
    EVP_PKEY_CTX_free(context);
}

void decapsulate(EVP_PKEY *key, const Bytes &ciphertext)
{
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(nullptr, key, nullptr);
    uint8_t secret[32];
    size_t length = sizeof secret;
    check(context && EVP_PKEY_decapsulate_init(context, nullptr) == 1 &&
          EVP_PKEY_decapsulate(context, secret, &length, ciphertext.data(), ciphertext.size()) == 1);
    EVP_PKEY_CTX_free(context);
}

Bytes signWhole(EVP_PKEY *key, const char *digest, const Bytes &data)
{
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    Bytes signature(5000);
    size_t length = signature.size();
    check(context && EVP_DigestSignInit_ex(context, nullptr, digest, nullptr, nullptr, key, nullptr) == 1 &&
          EVP_DigestSign(context, signature.data(), &length, data.data(), data.size()) == 1);
    EVP_MD_CTX_free(context);
    signature.resize(length);
    return signature;
}

bool verifyWhole(EVP_PKEY *key, const char *digest, const Bytes &data, const Bytes &signature)
{
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    bool fits = context && EVP_DigestVerifyInit_ex(context, nullptr, digest, nullptr, nullptr, key, nullptr) == 1 &&
                EVP_DigestVerify(context, signature.data(), signature.size(), data.data(), data.size()) == 1;
    EVP_MD_CTX_free(context);
    return fits;
}

Verification::Verification(EVP_PKEY *key) : context(EVP_PKEY_CTX_new_from_pkey(nullptr, key, nullptr))
{
    check(context && EVP_PKEY_verify_init(context) == 1);
}

Verification::~Verification() { EVP_PKEY_CTX_free(context); }

bool Verification::operator()(const Bytes &data, const Bytes &signature)
{
    uint8_t hash[32];
    digest(data.data(), data.size(), hash);
    return EVP_PKEY_verify(context, signature.data(), signature.size(), hash, sizeof hash) == 1;
}

void random(uint8_t *output, size_t length) { check(RAND_bytes(output, (int)length) == 1); }

} // namespace limits
