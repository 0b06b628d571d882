/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keeps secrets under a FIDO2 security key or reader with the extension hmac-secret: each use asks for a touch, and for
 * its PIN where one is given. A sealed form has a credential of its own and a salt, and the secret in AES-GCM under
 * what the key makes of the salt.
 *
 * Options: device, its path (default: the first one); password, its PIN.
 */
#include "plugin_support.h"

#include <fido.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

enum { FORM = 1, WITH_PIN = 0x80, SALT = 32, IV = 12, TAG = 16, MAXIMUM_CREDENTIAL = 1024, MAXIMUM_DEVICES = 16 };

static const char relying_party[] = "libmtoken";

typedef struct keeper {
    char *path, *pin;
    char cause[MTOKEN_CAUSE_ROOM];
} keeper;

static mtoken_seal_fault fault_of(keeper *keeper, int error)
{
    snprintf(keeper->cause, sizeof keeper->cause, "%s", fido_strerr(error));
    switch (error) {
    case FIDO_OK: return MTOKEN_SEAL_FAULT_NONE;
    case FIDO_ERR_PIN_INVALID:
    case FIDO_ERR_PIN_REQUIRED:
    case FIDO_ERR_PIN_NOT_SET:
    case FIDO_ERR_OPERATION_DENIED:
    case FIDO_ERR_ACTION_TIMEOUT:
    case FIDO_ERR_USER_ACTION_TIMEOUT:
    case FIDO_ERR_KEEPALIVE_CANCEL:
    case FIDO_ERR_UV_INVALID: return MTOKEN_SEAL_FAULT_DENIED;
    case FIDO_ERR_PIN_BLOCKED:
    case FIDO_ERR_PIN_AUTH_BLOCKED:
    case FIDO_ERR_UV_BLOCKED: return MTOKEN_SEAL_FAULT_LOCKED;
    case FIDO_ERR_NO_CREDENTIALS:
    case FIDO_ERR_INVALID_CREDENTIAL: return MTOKEN_SEAL_FAULT_FOREIGN;
    case FIDO_ERR_TX:
    case FIDO_ERR_RX:
    case FIDO_ERR_INTERNAL: return MTOKEN_SEAL_FAULT_UNAVAILABLE;
    default: return MTOKEN_SEAL_FAULT_FAILED;
    }
}

/* Opens the device that was named, or the first one; NULL: there is none. */
static fido_dev_t *open_device(keeper *keeper, mtoken_seal_fault *fault)
{
    fido_dev_t *device = fido_dev_new();
    fido_dev_info_t *list = NULL;
    const char *path = keeper->path;
    size_t found = 0;
    if (!path && (list = fido_dev_info_new(MAXIMUM_DEVICES)) &&
        fido_dev_info_manifest(list, MAXIMUM_DEVICES, &found) == FIDO_OK && found > 0)
        path = fido_dev_info_path(fido_dev_info_ptr(list, 0));
    int error = device && path ? fido_dev_open(device, path) : FIDO_ERR_INTERNAL;
    if (error == FIDO_OK && !fido_dev_is_fido2(device)) {
        fido_dev_close(device);
        error = FIDO_ERR_INTERNAL;
    }
    if (list) fido_dev_info_free(&list, MAXIMUM_DEVICES);
    if (error == FIDO_OK) return device;
    fault_of(keeper, error);
    if (!path) snprintf(keeper->cause, sizeof keeper->cause, "%s", "there is no FIDO2 device");
    *fault = MTOKEN_SEAL_FAULT_UNAVAILABLE;
    fido_dev_free(&device);
    return NULL;
}

static void close_device(fido_dev_t *device)
{
    fido_dev_close(device);
    fido_dev_free(&device);
}

/* What the device makes of a salt, which is something else with a PIN and without: 32 bytes. */
static int key_of(const char *pin, fido_dev_t *device, const uint8_t *credential, size_t credential_length,
                  const uint8_t salt[SALT], uint8_t key[32])
{
    uint8_t challenge[32];
    fido_assert_t *assertion = fido_assert_new();
    int error = assertion && RAND_bytes(challenge, sizeof challenge) == 1 ? FIDO_OK : FIDO_ERR_INTERNAL;
    if (error == FIDO_OK) error = fido_assert_set_clientdata_hash(assertion, challenge, sizeof challenge);
    if (error == FIDO_OK) error = fido_assert_set_rp(assertion, relying_party);
    if (error == FIDO_OK) error = fido_assert_set_extensions(assertion, FIDO_EXT_HMAC_SECRET);
    if (error == FIDO_OK) error = fido_assert_set_hmac_salt(assertion, salt, SALT);
    if (error == FIDO_OK) error = fido_assert_allow_cred(assertion, credential, credential_length);
    if (error == FIDO_OK) error = fido_assert_set_up(assertion, FIDO_OPT_TRUE);
    if (error == FIDO_OK) error = fido_dev_get_assert(device, assertion, pin);
    if (error == FIDO_OK && (fido_assert_count(assertion) < 1 || fido_assert_hmac_secret_len(assertion, 0) != 32))
        error = FIDO_ERR_UNSUPPORTED_EXTENSION;
    if (error == FIDO_OK) memcpy(key, fido_assert_hmac_secret_ptr(assertion, 0), 32);
    fido_assert_free(&assertion);
    return error;
}

static int new_credential(keeper *keeper, fido_dev_t *device, const char *label, uint8_t *credential, size_t *length)
{
    uint8_t challenge[32], user[32];
    fido_cred_t *made = fido_cred_new();
    int error = made && RAND_bytes(challenge, sizeof challenge) == 1 && RAND_bytes(user, sizeof user) == 1
                    ? FIDO_OK
                    : FIDO_ERR_INTERNAL;
    if (error == FIDO_OK) error = fido_cred_set_type(made, COSE_ES256);
    if (error == FIDO_OK) error = fido_cred_set_clientdata_hash(made, challenge, sizeof challenge);
    if (error == FIDO_OK) error = fido_cred_set_rp(made, relying_party, relying_party);
    if (error == FIDO_OK)
        error = fido_cred_set_user(made, user, sizeof user, *label ? label : relying_party, NULL, NULL);
    if (error == FIDO_OK) error = fido_cred_set_extensions(made, FIDO_EXT_HMAC_SECRET);
    if (error == FIDO_OK) error = fido_dev_make_cred(device, made, keeper->pin);
    if (error == FIDO_OK && (fido_cred_id_len(made) == 0 || fido_cred_id_len(made) > MAXIMUM_CREDENTIAL))
        error = FIDO_ERR_INVALID_CREDENTIAL;
    if (error == FIDO_OK) memcpy(credential, fido_cred_id_ptr(made), *length = fido_cred_id_len(made));
    fido_cred_free(&made);
    return error;
}

/* AES-256-GCM; the label is authenticated too. */
static bool cipher(bool encrypts, const uint8_t key[32], const uint8_t iv[IV], const char *label, const uint8_t *in,
                   size_t count, uint8_t *out, uint8_t tag[TAG])
{
    int length = 0;
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    bool good = context && EVP_CipherInit_ex2(context, EVP_aes_256_gcm(), key, iv, encrypts, NULL) == 1 &&
                EVP_CipherUpdate(context, NULL, &length, (const uint8_t *)label, (int)strlen(label)) == 1 &&
                EVP_CipherUpdate(context, out, &length, in, (int)count) == 1 &&
                (encrypts || EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, TAG, tag) == 1) &&
                EVP_CipherFinal_ex(context, out + length, &length) == 1 &&
                (!encrypts || EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, TAG, tag) == 1);
    EVP_CIPHER_CTX_free(context);
    return good;
}

/* Form: version and whether a PIN was given, salt, IV, tag, length of the credential (2 bytes), credential, ciphertext.
 */
enum { AT_SALT = 1, AT_IV = AT_SALT + SALT, AT_TAG = AT_IV + IV, AT_LENGTH = AT_TAG + TAG, HEAD = AT_LENGTH + 2 };

static mtoken_seal_fault key_seal(void *context, const char *label, const uint8_t *secret, size_t count,
                                  uint8_t *sealed, size_t *length)
{
    keeper *keeper = context;
    uint8_t key[32];
    size_t credential = 0;
    mtoken_seal_fault fault = MTOKEN_SEAL_FAULT_NONE;
    if (*length < HEAD + MAXIMUM_CREDENTIAL + count) return MTOKEN_SEAL_FAULT_FAILED;
    fido_dev_t *device = open_device(keeper, &fault);
    if (!device) return fault;
    sealed[0] = keeper->pin ? FORM | WITH_PIN : FORM;
    int error = RAND_bytes(sealed + AT_SALT, SALT + IV) == 1 ? FIDO_OK : FIDO_ERR_INTERNAL;
    if (error == FIDO_OK) error = new_credential(keeper, device, label, sealed + HEAD, &credential);
    if (error == FIDO_OK) error = key_of(keeper->pin, device, sealed + HEAD, credential, sealed + AT_SALT, key);
    sealed[AT_LENGTH] = (uint8_t)(credential >> 8);
    sealed[AT_LENGTH + 1] = (uint8_t)credential;
    fault = fault_of(keeper, error);
    if (!fault && !cipher(true, key, sealed + AT_IV, label, secret, count, sealed + HEAD + credential, sealed + AT_TAG))
        fault = MTOKEN_SEAL_FAULT_FAILED;
    *length = HEAD + credential + count;
    explicit_bzero(key, sizeof key);
    close_device(device);
    return fault;
}

static mtoken_seal_fault key_unseal(void *context, const char *label, const uint8_t *sealed, size_t length,
                                    uint8_t *secret, size_t *count)
{
    keeper *keeper = context;
    uint8_t key[32], tag[TAG];
    mtoken_seal_fault fault = MTOKEN_SEAL_FAULT_NONE;
    if (length <= HEAD || (sealed[0] & ~WITH_PIN) != FORM) return MTOKEN_SEAL_FAULT_DAMAGED;
    size_t credential = (size_t)sealed[AT_LENGTH] << 8 | sealed[AT_LENGTH + 1];
    if (credential == 0 || credential > MAXIMUM_CREDENTIAL || HEAD + credential >= length ||
        length - HEAD - credential > *count)
        return MTOKEN_SEAL_FAULT_DAMAGED;
    const char *pin = sealed[0] & WITH_PIN ? keeper->pin : NULL;
    if (sealed[0] & WITH_PIN && !pin) {
        snprintf(keeper->cause, sizeof keeper->cause, "%s",
                 "the secret was sealed with a PIN: open the sealer with it, as its password");
        return MTOKEN_SEAL_FAULT_DENIED;
    }
    fido_dev_t *device = open_device(keeper, &fault);
    if (!device) return fault;
    fault = fault_of(keeper, key_of(pin, device, sealed + HEAD, credential, sealed + AT_SALT, key));
    memcpy(tag, sealed + AT_TAG, TAG);
    *count = length - HEAD - credential;
    if (!fault && !cipher(false, key, sealed + AT_IV, label, sealed + HEAD + credential, *count, secret, tag))
        fault = MTOKEN_SEAL_FAULT_DAMAGED;
    explicit_bzero(key, sizeof key);
    close_device(device);
    return fault;
}

static void key_close(void *context)
{
    keeper *keeper = context;
    if (keeper->pin) explicit_bzero(keeper->pin, strlen(keeper->pin));
    free(keeper->pin);
    free(keeper->path);
    free(keeper);
}

static mtoken_seal_fault key_open(const mtoken_plugin_options *options, void **context, char *cause)
{
    keeper *keeper = options->module || options->pcrs ? NULL : calloc(1, sizeof *keeper);
    if (!keeper) {
        snprintf(cause, MTOKEN_CAUSE_ROOM, "%s", "fido2 takes device and password");
        return MTOKEN_SEAL_FAULT_OPTIONS;
    }
    if (options->device) keeper->path = strdup(options->device);
    if (options->password) keeper->pin = strndup((const char *)options->password, options->password_length);
    fido_init(0);
    *context = keeper;
    return MTOKEN_SEAL_FAULT_NONE;
}

static void key_explain(void *context, char *text) { memcpy(text, ((keeper *)context)->cause, MTOKEN_CAUSE_ROOM); }

MTOKEN_PLUGIN("fido2", MTOKEN_PROTECTION_HARDWARE, key_open, key_seal, key_unseal, NULL, key_explain, key_close);
