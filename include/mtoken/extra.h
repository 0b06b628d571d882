/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Building blocks that the mobile SDKs also offer and that a host of this library rarely needs: the
 * protocol's cryptographic primitives, for hosts that work with its keys (mtoken_vault_fetch_key),
 * and the parts of an OpenID Connect request: PKCE, random values, the URL. mtoken.h does not
 * include this header. No function needs a handle, the network or a store. For any other
 * cryptography use OpenSSL.
 *
 * Keys are on NIST P-256. A private key is its scalar, big endian, 32 bytes (as input also without
 * leading zero bytes). A public key is a point in SEC1 form, 65 bytes (04) or 33 bytes (02, 03).
 * Results must be freed with mtoken_bytes_free or mtoken_text_free, which wipe them.
 */
#ifndef MTOKEN_EXTRA_H
#define MTOKEN_EXTRA_H

#include "base.h"
#include "error.h"
#include "oidc.h"
#include "signing.h"

MTOKEN_BEGIN

/*
 * Generates random bytes that are fit for keys, with OpenSSL's private generator.
 *
 * Errors       ARGUMENT (not 1 to 1,048,576 bytes), INTERNAL
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_random_bytes(size_t length, mtoken_bytes **MTOKEN_SECRET out_bytes,
                    mtoken_error **out_error);

/*
 * Computes SHA-256, 32 bytes.
 *
 * Errors       ARGUMENT, INTERNAL
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_sha256(const uint8_t *bytes, size_t bytes_length, mtoken_bytes **out_hash,
              mtoken_error **out_error);

/*
 * Computes HMAC-SHA-256, 32 bytes.
 *
 * Errors       ARGUMENT, INTERNAL
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_hmac_sha256(const uint8_t *MTOKEN_NULLABLE MTOKEN_SECRET key, size_t key_length,
                   const uint8_t *bytes, size_t bytes_length, mtoken_bytes **out_mac,
                   mtoken_error **out_error);

/*
 * Generates a key pair: a private key of 32 bytes and a public key of 65 bytes.
 *
 * Errors       ARGUMENT, INTERNAL
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_key_pair_new(mtoken_bytes **MTOKEN_SECRET out_private_key, mtoken_bytes **out_public_key,
                    mtoken_error **out_error);

/*
 * Signs with ECDSA and SHA-256.
 *
 * form         MTOKEN_SIGNATURE_FORM_...
 * Errors       ARGUMENT (also for an invalid private key), INTERNAL
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_ecdsa_sign(const uint8_t *MTOKEN_SECRET private_key, size_t private_key_length,
                  const uint8_t *bytes, size_t bytes_length, mtoken_signature_form form,
                  mtoken_bytes **out_signature, mtoken_error **out_error);

/* An ECDSA signature (with SHA-256) to be verified. */
typedef struct mtoken_ecdsa_verify_options {
    size_t struct_size;
    mtoken_bytes public_key;    /* required */
    mtoken_bytes signed_bytes;  /* the data that was signed; may be empty */
    mtoken_bytes signature;     /* required */
    mtoken_signature_form form; /* MTOKEN_SIGNATURE_FORM_... */
    int32_t reserved;           /* 0 */
} mtoken_ecdsa_verify_options;

#define MTOKEN_ECDSA_VERIFY_OPTIONS_INIT \
    { \
        sizeof(mtoken_ecdsa_verify_options), MTOKEN_BYTES_INIT, MTOKEN_BYTES_INIT, \
        MTOKEN_BYTES_INIT, 0, 0 \
    }

/*
 * Verifies a signature.
 *
 * out_is_valid  1: the signature is valid; 0: it is not
 * Errors        ARGUMENT (also for an invalid public key or an empty signature), INTERNAL
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_ecdsa_verify(const mtoken_ecdsa_verify_options *options, mtoken_bool *out_is_valid,
                    mtoken_error **out_error);

/*
 * Computes the shared secret of two key pairs with ECDH: the X coordinate, 32 bytes.
 *
 * Errors       ARGUMENT (also for an invalid key), INTERNAL
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_ecdh(const uint8_t *MTOKEN_SECRET private_key, size_t private_key_length,
            const uint8_t *public_key, size_t public_key_length,
            mtoken_bytes **MTOKEN_SECRET out_secret, mtoken_error **out_error);

/*
 * Generates a PKCE code verifier and its S256 challenge (RFC 7636), as mtoken_oidc_prepare does.
 *
 * byte_count   random bytes in the verifier: 32 to 96, which give 43 to 128 characters
 * out_verifier, out_challenge  must be freed with mtoken_text_free
 * Errors       ARGUMENT, INTERNAL
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_oidc_pkce(size_t byte_count, mtoken_text **MTOKEN_SECRET out_verifier,
                 mtoken_text **out_challenge, mtoken_error **out_error);

/*
 * Computes the S256 challenge of a code verifier (43 to 128 unreserved characters).
 *
 * Errors       ARGUMENT, INTERNAL
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_oidc_challenge(const char *MTOKEN_SECRET verifier, size_t verifier_length,
                      mtoken_text **out_challenge, mtoken_error **out_error);

/*
 * Generates byte_count random bytes (1 to 1024) and returns them as base64url without padding.
 *
 * Errors       ARGUMENT, INTERNAL
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_oidc_random(size_t byte_count, mtoken_text **MTOKEN_SECRET out_text,
                   mtoken_error **out_error);

/* An authorization request whose nonce, state and challenge the host created itself. */
typedef struct mtoken_oidc_url_options {
    size_t struct_size;
    const mtoken_oidc_options *request; /* required */
    mtoken_text MTOKEN_SECRET nonce;    /* required */
    mtoken_text MTOKEN_SECRET state;    /* required */
    mtoken_text challenge;              /* PKCE S256 challenge; not set: without PKCE */
} mtoken_oidc_url_options;

#define MTOKEN_OIDC_URL_OPTIONS_INIT \
    { \
        sizeof(mtoken_oidc_url_options), NULL, MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT, \
        MTOKEN_TEXT_INIT \
    }

/*
 * Builds the URL of an authorization request. Percent-encodes every byte of its values except
 * A-Z a-z 0-9 - . _ ~
 *
 * out_url      must be freed with mtoken_text_free
 * Errors       as mtoken_oidc_prepare
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_oidc_authorization_url(const mtoken_oidc_url_options *options,
                              mtoken_text **MTOKEN_SECRET out_url, mtoken_error **out_error);

MTOKEN_END

#endif
