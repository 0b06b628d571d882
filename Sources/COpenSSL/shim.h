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
#include <openssl/rand.h>

static const int mtoken_pkey_parameters = EVP_PKEY_KEY_PARAMETERS;
static const int mtoken_pkey_keypair = EVP_PKEY_KEYPAIR;

#endif
