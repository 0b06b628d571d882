#include <mtoken.h>
#include <string.h>

/* Keeps the device secret in the TPM, or where there is none in the keyring. */
mtoken_status keep_safe(mtoken_client *client)
{
    mtoken_sealer *sealer = NULL;
    mtoken_status status =
        mtoken_sealer_open("tpm2", MTOKEN_NUL_TERMINATED, NULL, &sealer, NULL);

    if (status)
        status = mtoken_sealer_open("secret-service", MTOKEN_NUL_TERMINATED, NULL,
                                    &sealer, NULL);
    if (status == MTOKEN_OK) status = mtoken_client_reseal(client, sealer, NULL);
    mtoken_sealer_free(sealer);
    return status;
}

/* Opens a client that was sealed so. */
mtoken_status open_safe(mtoken_runtime *runtime, mtoken_client_options *options,
                        mtoken_client **client)
{
    mtoken_sealer_options how = MTOKEN_SEALER_OPTIONS_INIT;
    mtoken_status status;

    how.pcrs = MTOKEN_TEXT("7");
    status =
        mtoken_sealer_open("tpm2", MTOKEN_NUL_TERMINATED, &how, &options->sealer, NULL);
    if (status == MTOKEN_OK) status = mtoken_client_new(runtime, options, client, NULL);
    mtoken_sealer_free(options->sealer);
    options->sealer = NULL;
    return status;
}

mtoken_seal_fault xor_with(void *context, const char *label, const uint8_t *bytes,
                           size_t length, uint8_t *out, size_t *out_length)
{
    const uint8_t *key = context; /* 64 bytes that an enclave keeps */

    (void)label;
    if (length > 64 || length > *out_length) return MTOKEN_SEAL_FAULT_DAMAGED;
    for (size_t i = 0; i < length; i++) out[i] = bytes[i] ^ key[i];
    *out_length = length;
    return MTOKEN_SEAL_FAULT_NONE;
}

/* A sealer of the host's own. A true one encrypts and authenticates. */
mtoken_status own_sealer(uint8_t key[64], mtoken_sealer **sealer)
{
    mtoken_host_sealer host = MTOKEN_HOST_SEALER_INIT;

    host.context = key;
    host.seal = xor_with;
    host.unseal = xor_with;
    return mtoken_sealer_host_new(&host, sealer, NULL);
}

/* Lets a security key keep the key of the biometry factor: its touch stands for the
 * PIN. */
mtoken_status seal_key(mtoken_sealer *fido2, const uint8_t key[16],
                       mtoken_bytes **sealed)
{
    return mtoken_sealer_seal(fido2, "alice", MTOKEN_NUL_TERMINATED, key, 16, sealed,
                              NULL);
}

/* Approves with a touch. */
mtoken_status touch(mtoken_sealer *fido2, const mtoken_bytes *sealed, mtoken_auth *auth,
                    mtoken_bytes **key)
{
    mtoken_status status = mtoken_sealer_unseal(
        fido2, "alice", MTOKEN_NUL_TERMINATED, sealed->data, sealed->length, key, NULL);

    if (status == MTOKEN_OK) auth->biometry_key = **key;
    return status;
}
