/*
 * The few primitives that the protocol is made of, for hosts that work with its keys, e.g. on data that the bank signed or with
 * keys of mtoken_client_fetch_encryption_key. All are pure; for everything else there is OpenSSL.
 *
 * Keys are of NIST P-256: a private key is its number, big endian, 32 bytes; a public key is a point in SEC1 form, 65 bytes
 * (04) or 33 bytes (02, 03). Results are freed with mtoken_data_free, which wipes them.
 */
#ifndef MTOKEN_CRYPTO_H
#define MTOKEN_CRYPTO_H

#include "base.h"
#include "error.h"
#include "vault.h"

MTOKEN_BEGIN

/* Random bytes, fit for keys, from OpenSSL's private generator. Errors: ARGUMENT (not 1 to 1,048,576 bytes), INTERNAL. */
MTOKEN_API mtoken_status mtoken_random_bytes(size_t length, mtoken_data **out_bytes, mtoken_error **out_error);

/* SHA-256, 32 bytes. Errors: ARGUMENT, INTERNAL. */
MTOKEN_API mtoken_status mtoken_sha256(const uint8_t *data, size_t data_length, mtoken_data **out_hash,
                                       mtoken_error **out_error);

/* HMAC-SHA-256, 32 bytes. Errors: ARGUMENT, INTERNAL. */
MTOKEN_API mtoken_status mtoken_hmac_sha256(const uint8_t *key, size_t key_length, const uint8_t *data, size_t data_length,
                                            mtoken_data **out_mac, mtoken_error **out_error);

/* A new key pair: the private key of 32 bytes and the public one of 65. Errors: ARGUMENT, INTERNAL. */
MTOKEN_API mtoken_status mtoken_key_pair_new(mtoken_data **out_private_key, mtoken_data **out_public_key,
                                             mtoken_error **out_error);

/* Signs with ECDSA and SHA-256. form: MTOKEN_DEVICE_SIGNATURE_... Errors: ARGUMENT (also for what is no private key),
 * INTERNAL. */
MTOKEN_API mtoken_status mtoken_ecdsa_sign(const uint8_t *private_key, size_t private_key_length, const uint8_t *data,
                                           size_t data_length, int32_t form, mtoken_data **out_signature,
                                           mtoken_error **out_error);

/*
 * Verifies a signature of ECDSA with SHA-256. form: MTOKEN_DEVICE_SIGNATURE_...
 * out_valid: 1: the signature is right; 0: it is not.
 * Errors: ARGUMENT (also for what is no public key, and an empty signature), INTERNAL.
 */
MTOKEN_API mtoken_status mtoken_ecdsa_verify(const uint8_t *public_key, size_t public_key_length, const uint8_t *data,
                                             size_t data_length, const uint8_t *signature, size_t signature_length,
                                             int32_t form, int32_t *out_valid, mtoken_error **out_error);

/* The secret that two key pairs share, ECDH: the X coordinate, 32 bytes. Errors: ARGUMENT (also for what is no key),
 * INTERNAL. */
MTOKEN_API mtoken_status mtoken_ecdh(const uint8_t *private_key, size_t private_key_length, const uint8_t *public_key,
                                     size_t public_key_length, mtoken_data **out_secret, mtoken_error **out_error);

MTOKEN_END

#endif
