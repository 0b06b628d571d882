/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sealers: they protect the device secret, under which a client's state is encrypted.
 *
 * Without a sealer, the store holds the secret beside the state, and anyone who copies both has the
 * possession factor. A sealer encrypts it so that only this machine's hardware, this user's
 * session, or the host can read it again. The library calls a sealer when a client is created or
 * resealed, and at no other time: signatures are computed in memory.
 */
#ifndef MTOKEN_SEALER_H
#define MTOKEN_SEALER_H

#include "base.h"
#include "error.h"

MTOKEN_BEGIN

/* Where the device secret of a client is kept. */
MTOKEN_ENUM(mtoken_protection_values) {
    MTOKEN_PROTECTION_NONE = 0,     /* nowhere: it is in memory only */
    MTOKEN_PROTECTION_FILE = 1,     /* in a file beside the state */
    MTOKEN_PROTECTION_SESSION = 2,  /* the keyring of the user's session */
    MTOKEN_PROTECTION_HARDWARE = 3, /* a TPM, smart card, HSM or security key */
    /* By the host, in its own way: a device_secret, store, sealer or systemd credential */
    MTOKEN_PROTECTION_HOST = 4,
};
typedef int32_t mtoken_protection;

/* Why a sealer could not seal or unseal. Each is a reason of the error SEALED. */
MTOKEN_ENUM(mtoken_seal_fault_values) {
    MTOKEN_SEAL_FAULT_NONE = 0,
    /* "sealUnavailable": there is no such hardware or service, or it cannot be reached */
    MTOKEN_SEAL_FAULT_UNAVAILABLE = 1,
    /* "sealDenied": no permission, a wrong password, or the user refused */
    MTOKEN_SEAL_FAULT_DENIED = 2,
    MTOKEN_SEAL_FAULT_LOCKED = 3, /* "sealLocked": locked after too many wrong passwords */
    MTOKEN_SEAL_FAULT_FOREIGN = 4, /* "sealForeign": sealed by other hardware or another user */
    MTOKEN_SEAL_FAULT_CLEARED = 5, /* "sealCleared": the hardware was reset since */
    MTOKEN_SEAL_FAULT_CHANGED = 6, /* "sealChanged": the machine is not in the state required */
    MTOKEN_SEAL_FAULT_DAMAGED = 7, /* "sealDamaged": the sealed form is damaged or was modified */
    MTOKEN_SEAL_FAULT_FAILED = 8,  /* "sealFailed": anything else */
    MTOKEN_SEAL_FAULT_OPTIONS = 9, /* the options are wrong: the call fails with ARGUMENT */
};
typedef int32_t mtoken_seal_fault;

/*
 * The functions of a host's own sealer. The library calls them on the thread of the call that needs
 * them, never two at once for one sealer. They must not call back into the library: calls of the
 * client that waits for them fail with STATE, reason "insideHostFunction". `label` is the client's
 * id, or what was passed to mtoken_sealer_seal: at most 255 bytes, NUL-terminated. Each function
 * returns MTOKEN_SEAL_FAULT_NONE or another MTOKEN_SEAL_FAULT_. A function that forks must not
 * return in the child.
 */
typedef struct mtoken_host_sealer {
    size_t struct_size;
    void *context;                  /* passed to each function */
    /*
     * Writes the sealed form of `bytes` to `form`. On entry *form_length is the room there,
     * 4,096 bytes; on return the length of the sealed form.
     */
    mtoken_seal_fault (*seal)(void *context, const char *label, const uint8_t *MTOKEN_SECRET bytes,
                              size_t length, uint8_t *form, size_t *form_length);
    /* The reverse: writes what was sealed to `bytes`, which has room for *length bytes. */
    mtoken_seal_fault (*unseal)(void *context, const char *label, const uint8_t *form,
                                size_t form_length, uint8_t *MTOKEN_SECRET bytes, size_t *length);
    /* Optional: a sealed form is no longer needed. Removes what the sealer keeps for it. */
    void (*forget)(void *context, const char *label, const uint8_t *form, size_t form_length);
    void (*release)(void *context); /* Optional: called once when the sealer is no longer used. */
    /*
     * Optional: called on the same thread after another function has failed. Returns why, in words
     * for developers and without secrets: the `cause` of the call's error. NULL: no explanation.
     * The text must live until the next call on this thread.
     */
    const char *(*explain)(void *context);
} mtoken_host_sealer;

#define MTOKEN_HOST_SEALER_INIT { sizeof(mtoken_host_sealer), NULL, NULL, NULL, NULL, NULL, NULL }

/*
 * Creates a sealer from the host's functions.
 *
 * Errors       ARGUMENT (a function is missing)
 */
MTOKEN_API MTOKEN_CHECKED mtoken_status
mtoken_sealer_host_new(const mtoken_host_sealer *host, mtoken_sealer **out_sealer,
                       mtoken_error **out_error);

/* Options of the sealers that come with the library; see mtoken_sealer_open for those of each. */
typedef struct mtoken_sealer_options {
    size_t struct_size;
    mtoken_text device;
    mtoken_text module_path;
    mtoken_bytes MTOKEN_SECRET password;
    mtoken_text pcrs;
} mtoken_sealer_options;

#define MTOKEN_SEALER_OPTIONS_INIT \
    { \
        sizeof(mtoken_sealer_options), MTOKEN_TEXT_INIT, MTOKEN_TEXT_INIT, MTOKEN_BYTES_INIT, \
        MTOKEN_TEXT_INIT \
    }

/*
 * Opens a sealer that comes with the library. All but "systemd" are plugins: shared libraries named
 * "libmtoken-<name>.so.1", packages of their own, which are loaded only from the directory in which
 * this library lies.
 *
 * "systemd"         A credential of the service (LoadCredentialEncrypted=): a file of 16 to 4,096
 *                   bytes in $CREDENTIALS_DIRECTORY. device: its name; default "mtoken".
 * "tpm2"            A TPM 2.0. device: a TCTI as tpm2-tss writes it; default "device:/dev/tpmrm0".
 *                   password: at most 32 bytes, optional. pcrs: registers of the SHA-256 bank, e.g.
 *                   "7", that must not change.
 * "secret-service"  The keyring of the desktop session.
 * "pkcs11"          A smart card or HSM. module_path: its PKCS#11 module, required. device: label
 *                   of the token; default: the only one. password: the user's PIN.
 * "fido2"           A FIDO2 security key with hmac-secret, mainly to keep a biometry key: see
 *                   mtoken_sealer_seal. device: its path; default: the first one. password: its
 *                   PIN.
 *
 * options      NULL: the defaults
 * Errors       ARGUMENT (the name is malformed, or an option is wrong), SEALED (the hardware or
 *              service cannot be used), UNSUPPORTED with reason "sealerNotFound" (no such plugin,
 *              or not one of this version)
 */
MTOKEN_API MTOKEN_BLOCKS MTOKEN_CHECKED mtoken_status
mtoken_sealer_open(const char *name, size_t name_length,
                   const mtoken_sealer_options *MTOKEN_NULLABLE options, mtoken_sealer **out_sealer,
                   mtoken_error **out_error);

/*
 * Seals bytes of the host's own, e.g. the key of the biometry factor (mtoken_auth.biometry_key),
 * so that a touch of a security key replaces a fingerprint. Clients do not need this call.
 *
 * label        at most 255 bytes; the same for mtoken_sealer_unseal
 * bytes        1 to 64 bytes
 * out_bytes    the sealed form, for mtoken_sealer_unseal; must be freed with mtoken_bytes_free
 * Errors       HANDLE, ARGUMENT, SEALED
 */
MTOKEN_API MTOKEN_BLOCKS MTOKEN_CHECKED mtoken_status
mtoken_sealer_seal(mtoken_sealer *sealer, const char *label, size_t label_length,
                   const uint8_t *MTOKEN_SECRET bytes, size_t bytes_length,
                   mtoken_bytes **out_bytes, mtoken_error **out_error);

/*
 * Unseals what mtoken_sealer_seal sealed.
 *
 * out_bytes    must be freed with mtoken_bytes_free
 * Errors       HANDLE, ARGUMENT, SEALED
 */
MTOKEN_API MTOKEN_BLOCKS MTOKEN_CHECKED mtoken_status
mtoken_sealer_unseal(mtoken_sealer *sealer, const char *label, size_t label_length,
                     const uint8_t *form, size_t form_length,
                     mtoken_bytes **out_bytes, mtoken_error **out_error);

/* Frees the sealer. Clients that use it keep it alive. NULL is ignored. */
MTOKEN_API MTOKEN_BLOCKS void mtoken_sealer_free(mtoken_sealer *sealer);

/*
 * Seals the device secret of a client with another sealer or, with NULL, stores it in the clear.
 * From then on create the client with that sealer.
 *
 * The change replaces one item of the store atomically: if the process is killed, the
 * client opens with either the old or the new sealer. A device_secret of the host is taken over.
 * The secret itself stays the same: older copies of the store still open with the old sealer.
 *
 * sealer       NULL: none
 * Errors       HANDLE, SEALED (nothing has changed), STORAGE (until a call succeeds, keep both
 *              sealers: either may be right, and after a power failure the other one), STATE after
 *              a fork
 */
MTOKEN_API MTOKEN_BLOCKS MTOKEN_CHECKED mtoken_status
mtoken_client_reseal(mtoken_client *client, mtoken_sealer *MTOKEN_NULLABLE sealer,
                     mtoken_error **out_error);

MTOKEN_END

#endif
