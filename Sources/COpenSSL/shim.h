/* OpenSSL as the Clang importer sees it, and constants for macros that it cannot import. */
#ifndef MTOKEN_COPENSSL_SHIM_H
#define MTOKEN_COPENSSL_SHIM_H

#include <pthread.h>
#include <time.h>

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
#include <openssl/rand.h>

static const int mtoken_pkey_parameters = EVP_PKEY_KEY_PARAMETERS;
static const int mtoken_pkey_keypair = EVP_PKEY_KEYPAIR;

/* An enumerator and a function that glibc hides from strict C. */
static const int mtoken_rwlock_prefers_writers = 2; /* PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP */
extern int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *, int);
extern int pthread_rwlock_clockwrlock(pthread_rwlock_t *, clockid_t, const struct timespec *);

#endif
