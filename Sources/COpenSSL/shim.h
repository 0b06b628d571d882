/* OpenSSL as the Clang importer sees it, and constants for macros that it cannot import. */
#ifndef MTOKEN_COPENSSL_SHIM_H
#define MTOKEN_COPENSSL_SHIM_H

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

static const int mtoken_pkey_parameters = EVP_PKEY_KEY_PARAMETERS;
static const int mtoken_pkey_public = EVP_PKEY_PUBLIC_KEY;
static const int mtoken_pkey_keypair = EVP_PKEY_KEYPAIR;

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

/* Its private key. Nobody is asked for a PIN. */
static inline EVP_PKEY *mtoken_engine_key(void *engine, const char *uri)
{
    return mtoken_libcrypto_engine_key(engine, uri, UI_null(), 0);
}

#endif
