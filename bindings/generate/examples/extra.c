#include <mtoken.h>
#include <mtoken/extra.h>

/* Two sides agree on a key: each has a key pair and computes the same secret from
 * its own private and the other's public key. */
mtoken_status agree(const uint8_t *other_key, size_t other_length, mtoken_bytes **mac)
{
    mtoken_bytes *own = NULL, *shared = NULL, *hash = NULL, *public_key = NULL;
    mtoken_status status = mtoken_key_pair_new(&own, &public_key, NULL);

    if (status == MTOKEN_OK)
        status =
            mtoken_ecdh(own->data, own->length, other_key, other_length, &shared, NULL);
    if (status == MTOKEN_OK)
        status = mtoken_sha256(public_key->data, public_key->length, &hash, NULL);
    if (status == MTOKEN_OK)
        status = mtoken_hmac_sha256(shared->data, shared->length, hash->data,
                                    hash->length, mac, NULL);
    mtoken_bytes_free(public_key);
    mtoken_bytes_free(hash);
    mtoken_bytes_free(shared);
    mtoken_bytes_free(own);
    return status;
}

/* Signs 32 random bytes and verifies the signature. */
mtoken_status prove(const mtoken_bytes *private_key, const mtoken_bytes *public_key,
                    mtoken_bool *is_valid)
{
    mtoken_bytes *nonce = NULL, *signature = NULL;
    mtoken_ecdsa_verify_options options = MTOKEN_ECDSA_VERIFY_OPTIONS_INIT;
    mtoken_status status = mtoken_random_bytes(32, &nonce, NULL);

    if (status == MTOKEN_OK)
        status = mtoken_ecdsa_sign(private_key->data, private_key->length, nonce->data,
                                   nonce->length, MTOKEN_SIGNATURE_FORM_DER, &signature,
                                   NULL);
    if (status == MTOKEN_OK) {
        options.public_key = *public_key;
        options.signed_bytes = *nonce;
        options.signature = *signature;
        options.form = MTOKEN_SIGNATURE_FORM_DER;
        status = mtoken_ecdsa_verify(&options, is_valid, NULL);
    }
    mtoken_bytes_free(signature);
    mtoken_bytes_free(nonce);
    return status;
}

/* Builds an OpenID Connect request by hand. mtoken_oidc_prepare does all of this. */
mtoken_status make_url(const mtoken_oidc_options *request, mtoken_text **verifier,
                       mtoken_text **url)
{
    mtoken_text *challenge = NULL, *same = NULL, *state = NULL, *nonce = NULL;
    mtoken_oidc_url_options options = MTOKEN_OIDC_URL_OPTIONS_INIT;
    mtoken_status status = mtoken_oidc_pkce(32, verifier, &challenge, NULL);

    if (status == MTOKEN_OK)
        status =
            mtoken_oidc_challenge((*verifier)->data, (*verifier)->length, &same, NULL);
    if (status == MTOKEN_OK) status = mtoken_oidc_random(32, &state, NULL);
    if (status == MTOKEN_OK) status = mtoken_oidc_random(32, &nonce, NULL);
    if (status == MTOKEN_OK) {
        options.request = request;
        options.nonce = *nonce;
        options.state = *state;
        options.challenge = *same;
        status = mtoken_oidc_authorization_url(&options, url, NULL);
    }
    mtoken_text_free(nonce);
    mtoken_text_free(state);
    mtoken_text_free(same);
    mtoken_text_free(challenge);
    return status;
}
