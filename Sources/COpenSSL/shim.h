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
#include <openssl/provider.h>
#include <openssl/rand.h>

static const int mtoken_pkey_parameters = EVP_PKEY_KEY_PARAMETERS;
static const int mtoken_pkey_public = EVP_PKEY_PUBLIC_KEY;
static const int mtoken_pkey_keypair = EVP_PKEY_KEYPAIR;

/* libcrypto's SHA-1, a block at a time: what every EVP call for SHA-1 ends in. It is deprecated, so that a libcrypto may be
   built without it: bound weakly and by its symbol, never by OpenSSL's headers. The state is five words, then what only
   longer messages need (`SHA_CTX`, 96 bytes). */
extern int mtoken_libcrypto_sha1_init(void *state) __asm__("SHA1_Init") __attribute__((weak));
extern void mtoken_libcrypto_sha1_block(void *state, const void *block) __asm__("SHA1_Transform") __attribute__((weak));

static inline int mtoken_has_sha1(void) { return &mtoken_libcrypto_sha1_init && &mtoken_libcrypto_sha1_block; }

/* Only where mtoken_has_sha1. */
static inline int mtoken_sha1_begin(void *state) { return mtoken_libcrypto_sha1_init(state); }

static inline void mtoken_sha1_add(void *state, const void *block) { mtoken_libcrypto_sha1_block(state, block); }

#endif
