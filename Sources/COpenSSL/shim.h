/* SPDX-License-Identifier: Apache-2.0 */
/* OpenSSL as the Clang importer sees it, and constants for macros that it cannot import. */
#ifndef MTOKEN_COPENSSL_SHIM_H
#define MTOKEN_COPENSSL_SHIM_H

/* OpenSSL's macros pass the path of their file: the product would contain its build folder. */
#define OPENSSL_FILE ""
#define OPENSSL_LINE 0

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/param_build.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/provider.h>
#include <openssl/rand.h>
#include <openssl/ui.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <stdint.h>
#include <string.h>

static const int mtoken_pkey_parameters = EVP_PKEY_KEY_PARAMETERS;
static const int mtoken_pkey_public = EVP_PKEY_PUBLIC_KEY;
static const int mtoken_pkey_keypair = EVP_PKEY_KEYPAIR;

/* A number of the calling thread, whose type differs between C libraries. */
static inline uintptr_t mtoken_crypto_thread(void) { return (uintptr_t)CRYPTO_THREAD_get_current_id(); }

/* An error of ours, which tells whether others came after it. Some functions count as done although they have failed. */
static inline void mtoken_note_errors(void)
{
    ERR_new();
    ERR_set_error(ERR_LIB_USER, 1, NULL);
}

static inline int mtoken_has_no_new_error(void) { return ERR_peek_last_error() == ERR_PACK(ERR_LIB_USER, 0, 1); }

/* libcrypto's SHA-1, a block at a time: what every EVP call for SHA-1 ends in. It is deprecated, so that a libcrypto may be
   built without it: bound weakly and by its symbol, never by OpenSSL's headers. The state is five words, then what only
   longer messages need (`SHA_CTX`, 96 bytes). */
extern int mtoken_libcrypto_sha1_init(void *state) __asm__("SHA1_Init") __attribute__((weak));
extern void mtoken_libcrypto_sha1_block(void *state, const void *block) __asm__("SHA1_Transform") __attribute__((weak));

static inline int mtoken_has_sha1(void) { return &mtoken_libcrypto_sha1_init && &mtoken_libcrypto_sha1_block; }

/* Only where mtoken_has_sha1. */
static inline int mtoken_sha1_begin(void *state) { return mtoken_libcrypto_sha1_init(state); }

static inline void mtoken_sha1_add(void *state, const void *block) { mtoken_libcrypto_sha1_block(state, block); }

/* Files that are protected with a password say themselves how often it is hashed. So many times take a second. */
static const long mtoken_most_iterations = 5000000;

static inline int mtoken_is_few(const ASN1_INTEGER *iterations)
{
    int64_t count = 1;
    return !iterations || (ASN1_INTEGER_get_int64(&count, iterations) && count <= mtoken_most_iterations);
}

/* Whether a key derivation is bounded: PBES2 or PBMAC1 (which have the same form), PBKDF2, or PBE. OpenSSL bounds scrypt. */
static inline int mtoken_kdf_is_bounded(const X509_ALGOR *algorithm)
{
    const ASN1_OBJECT *type;
    const void *value;
    int kind, bounded = 0;
    X509_ALGOR_get0(&type, &kind, &value, algorithm);
    if (OBJ_obj2nid(type) == NID_id_scrypt) return 1;
    if (kind != V_ASN1_SEQUENCE) return 0;
    const ASN1_STRING *sequence = (const ASN1_STRING *)value;
    const unsigned char *at = ASN1_STRING_get0_data(sequence);
    long length = ASN1_STRING_length(sequence);
    if (OBJ_obj2nid(type) == NID_id_pbkdf2) {
        PBKDF2PARAM *parameters = d2i_PBKDF2PARAM(0, &at, length);
        bounded = parameters && mtoken_is_few(parameters->iter);
        PBKDF2PARAM_free(parameters);
        return bounded;
    }
    PBE2PARAM *two = d2i_PBE2PARAM(0, &at, length);
    if (two) {
        const ASN1_OBJECT *inner;
        X509_ALGOR_get0(&inner, 0, 0, two->keyfunc);
        int nid = OBJ_obj2nid(inner);
        bounded = (nid == NID_id_pbkdf2 || nid == NID_id_scrypt) && mtoken_kdf_is_bounded(two->keyfunc);
        PBE2PARAM_free(two);
        return bounded;
    }
    at = ASN1_STRING_get0_data(sequence);
    PBEPARAM *one = d2i_PBEPARAM(0, &at, length);
    bounded = one && mtoken_is_few(one->iter);
    PBEPARAM_free(one);
    return bounded;
}

static inline int mtoken_encrypted_is_bounded(const X509_SIG *encrypted)
{
    const X509_ALGOR *algorithm = 0;
    if (encrypted) X509_SIG_get0(encrypted, &algorithm, 0);
    return algorithm && mtoken_kdf_is_bounded(algorithm);
}

/* Whether no key of a PEM file asks for more work; the file is read from its beginning and put back to it. */
static inline int mtoken_pem_is_bounded(BIO *file)
{
    char *name = 0, *header = 0;
    unsigned char *data = 0;
    long length = 0;
    int bounded = 1;
    while (bounded && PEM_read_bio(file, &name, &header, &data, &length)) {
        if (strcmp(name, PEM_STRING_PKCS8) == 0) {
            const unsigned char *at = data;
            X509_SIG *encrypted = d2i_X509_SIG(0, &at, length);
            bounded = mtoken_encrypted_is_bounded(encrypted);
            X509_SIG_free(encrypted);
        }
        OPENSSL_free(name);
        OPENSSL_free(header);
        OPENSSL_clear_free(data, (size_t)length);
    }
    return bounded && BIO_reset(file) >= 0;
}

/* Whether no part of a PKCS #12 file asks for more work: its MAC, its encrypted parts, and the keys in them. */
static inline int mtoken_pkcs12_is_bounded(PKCS12 *store, const char *password)
{
    const ASN1_INTEGER *iterations = 0;
    const X509_ALGOR *mac = 0;
    const ASN1_OBJECT *type = 0;
    int kind = V_ASN1_UNDEF;
    PKCS12_get0_mac(0, &mac, 0, &iterations, store);
    if (mac) X509_ALGOR_get0(&type, &kind, 0, mac);
    if (!mtoken_is_few(iterations) || (kind == V_ASN1_SEQUENCE && !mtoken_kdf_is_bounded(mac))) return 0;
    STACK_OF(PKCS7) *parts = PKCS12_unpack_authsafes(store);
    int bounded = parts != 0;
    for (int i = 0; bounded && i < sk_PKCS7_num(parts); i++) {
        PKCS7 *part = sk_PKCS7_value(parts, i);
        STACK_OF(PKCS12_SAFEBAG) *bags = 0;
        if (PKCS7_type_is_data(part))
            bags = PKCS12_unpack_p7data(part);
        else if (PKCS7_type_is_encrypted(part)) {
            bounded = part->d.encrypted && mtoken_kdf_is_bounded(part->d.encrypted->enc_data->algorithm);
            if (bounded) bags = PKCS12_unpack_p7encdata(part, password, password ? (int)strlen(password) : 0);
        }
        for (int k = 0; bounded && k < sk_PKCS12_SAFEBAG_num(bags); k++) {
            const PKCS12_SAFEBAG *bag = sk_PKCS12_SAFEBAG_value(bags, k);
            int nid = PKCS12_SAFEBAG_get_nid(bag);
            if (nid == NID_pkcs8ShroudedKeyBag) bounded = mtoken_encrypted_is_bounded(PKCS12_SAFEBAG_get0_pkcs8(bag));
            /* No program nests bags. */
            if (nid == NID_safeContentsBag) bounded = 0;
        }
        sk_PKCS12_SAFEBAG_pop_free(bags, PKCS12_SAFEBAG_free);
    }
    sk_PKCS7_pop_free(parts, PKCS7_free);
    return bounded;
}

/* Engines are deprecated too. */
extern void *mtoken_libcrypto_engine(const char *id) __asm__("ENGINE_by_id") __attribute__((weak));
extern int mtoken_libcrypto_engine_init(void *engine) __asm__("ENGINE_init") __attribute__((weak));
extern int mtoken_libcrypto_engine_free(void *engine) __asm__("ENGINE_free") __attribute__((weak));
extern int mtoken_libcrypto_engine_set(void *engine, const char *name, const char *value, int optional)
    __asm__("ENGINE_ctrl_cmd_string") __attribute__((weak));
extern int mtoken_libcrypto_engine_do(void *engine, const char *name, long number, void *pointer, void (*function)(void),
                                      int optional) __asm__("ENGINE_ctrl_cmd") __attribute__((weak));
extern EVP_PKEY *mtoken_libcrypto_engine_key(void *engine, const char *id, const UI_METHOD *asking, void *context)
    __asm__("ENGINE_load_private_key") __attribute__((weak));

/* The engine for PKCS #11, loaded for this library alone: the program's list of engines does not change. NULL with *found 0:
   there is none. */
static inline void *mtoken_pkcs11_engine(const char *module, const char *pin, int *found)
{
    void *engine = 0;
    *found = 0;
    if (!&mtoken_libcrypto_engine || !OPENSSL_init_crypto(OPENSSL_INIT_ENGINE_DYNAMIC, 0)) return 0;
    if (!(engine = mtoken_libcrypto_engine("dynamic"))) return 0;
    *found = mtoken_libcrypto_engine_set(engine, "ID", "pkcs11", 0) > 0 &&
             mtoken_libcrypto_engine_set(engine, "DIR_LOAD", "2", 0) > 0 &&
             mtoken_libcrypto_engine_set(engine, "DIR_ADD", OPENSSL_info(OPENSSL_INFO_ENGINES_DIR), 0) > 0 &&
             mtoken_libcrypto_engine_set(engine, "LOAD", 0, 0) > 0;
    if (*found && (!module || mtoken_libcrypto_engine_set(engine, "MODULE_PATH", module, 0) > 0) &&
        (!pin || mtoken_libcrypto_engine_set(engine, "PIN", pin, 0) > 0) && mtoken_libcrypto_engine_init(engine) > 0)
        return engine;
    mtoken_libcrypto_engine_free(engine);
    return 0;
}

/* The certificate of a PKCS #11 URI. */
static inline X509 *mtoken_engine_certificate(void *engine, const char *uri)
{
    struct {
        const char *id;
        X509 *certificate;
    } wanted = {uri, 0};
    return mtoken_libcrypto_engine_do(engine, "LOAD_CERT_CTRL", 0, &wanted, 0, 1) > 0 ? wanted.certificate : 0;
}

/* Its private key. It never asks for a PIN. */
static inline EVP_PKEY *mtoken_engine_key(void *engine, const char *uri)
{
    return mtoken_libcrypto_engine_key(engine, uri, UI_null(), 0);
}

#endif
