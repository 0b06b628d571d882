/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keeps secrets in the keyring of the desktop session (the Secret Service of freedesktop.org): each as an item of the
 * default collection, under a random number that is all there is in the sealed form. The keyring is unlocked with the
 * session; one that is locked asks its user.
 */
#include "plugin_support.h"

#include <libsecret/secret.h>

enum { FORM = 1, NUMBER = 16 };

typedef struct keeper {
    char cause[MTOKEN_CAUSE_ROOM];
} keeper;

static const SecretSchema schema = {
    .name = "org.libmtoken.DeviceSecret",
    .flags = SECRET_SCHEMA_NONE,
    .attributes = {{"number", SECRET_SCHEMA_ATTRIBUTE_STRING}, {"client", SECRET_SCHEMA_ATTRIBUTE_STRING}},
};

static void to_hex(const uint8_t *bytes, size_t count, char *text)
{
    for (size_t i = 0; i < count; i++) sprintf(text + 2 * i, "%02x", bytes[i]);
}

/* -1: that is not text of bytes. */
static int from_hex(const char *text, uint8_t *bytes, size_t room)
{
    size_t length = strlen(text);
    if (length % 2 || length / 2 > room) return -1;
    for (size_t i = 0; i < length; i++) {
        int digit = g_ascii_xdigit_value(text[i]);
        if (digit < 0) return -1;
        bytes[i / 2] = (uint8_t)(i % 2 ? bytes[i / 2] | digit : digit << 4);
    }
    return (int)(length / 2);
}

/* What a failure means; frees it. */
static mtoken_seal_fault fault_of(keeper *keeper, GError *error)
{
    mtoken_seal_fault fault = MTOKEN_SEAL_FAULT_UNAVAILABLE;
    if (g_error_matches(error, SECRET_ERROR, SECRET_ERROR_IS_LOCKED) ||
        g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        fault = MTOKEN_SEAL_FAULT_DENIED;
    else if (error->domain == SECRET_ERROR)
        fault = MTOKEN_SEAL_FAULT_FAILED;
    snprintf(keeper->cause, sizeof keeper->cause, "%s", error->message);
    g_error_free(error);
    return fault;
}

static mtoken_seal_fault keyring_seal(void *context, const char *label, const uint8_t *secret, size_t count,
                                      uint8_t *sealed, size_t *length)
{
    keeper *keeper = context;
    char number[2 * NUMBER + 1], *text = NULL, *title = NULL;
    GError *error = NULL;
    if (*length < 1 + NUMBER) return MTOKEN_SEAL_FAULT_FAILED;
    FILE *random = fopen("/dev/urandom", "re");
    bool good = random && fread(sealed + 1, 1, NUMBER, random) == NUMBER;
    if (random) fclose(random);
    if (!good) return MTOKEN_SEAL_FAULT_FAILED;
    sealed[0] = FORM;
    *length = 1 + NUMBER;
    to_hex(sealed + 1, NUMBER, number);
    text = g_malloc0(2 * count + 1);
    to_hex(secret, count, text);
    title = g_strdup_printf("Mobile token: %s", label);
    good = secret_password_store_sync(&schema, SECRET_COLLECTION_DEFAULT, title, text, NULL, &error, "number", number,
                                      "client", label, NULL);
    explicit_bzero(text, 2 * count);
    g_free(text);
    g_free(title);
    return good ? MTOKEN_SEAL_FAULT_NONE : fault_of(keeper, error);
}

static mtoken_seal_fault keyring_unseal(void *context, const char *label, const uint8_t *sealed, size_t length,
                                        uint8_t *secret, size_t *count)
{
    keeper *keeper = context;
    char number[2 * NUMBER + 1];
    GError *error = NULL;
    if (length != 1 + NUMBER || sealed[0] != FORM) return MTOKEN_SEAL_FAULT_DAMAGED;
    to_hex(sealed + 1, NUMBER, number);
    gchar *text =
        secret_password_lookup_nonpageable_sync(&schema, NULL, &error, "number", number, "client", label, NULL);
    if (error) return fault_of(keeper, error);
    if (!text) {
        snprintf(keeper->cause, sizeof keeper->cause, "%s", "the keyring has no such item");
        return MTOKEN_SEAL_FAULT_FOREIGN;
    }
    int found = from_hex(text, secret, *count);
    secret_password_wipe(text);
    secret_password_free(text);
    if (found <= 0) return MTOKEN_SEAL_FAULT_DAMAGED;
    *count = (size_t)found;
    return MTOKEN_SEAL_FAULT_NONE;
}

static void keyring_forget(void *context, const char *label, const uint8_t *sealed, size_t length)
{
    char number[2 * NUMBER + 1];
    (void)context;
    if (length != 1 + NUMBER || sealed[0] != FORM) return;
    to_hex(sealed + 1, NUMBER, number);
    secret_password_clear_sync(&schema, NULL, NULL, "number", number, "client", label, NULL);
}

static mtoken_seal_fault keyring_open(const mtoken_plugin_options *options, void **context, char *cause)
{
    if (options->device || options->module || options->password || options->pcrs) {
        snprintf(cause, MTOKEN_CAUSE_ROOM, "%s", "secret-service takes no options");
        return MTOKEN_SEAL_FAULT_OPTIONS;
    }
    *context = calloc(1, sizeof(keeper));
    return *context ? MTOKEN_SEAL_FAULT_NONE : MTOKEN_SEAL_FAULT_FAILED;
}

static void keyring_explain(void *context, char *text) { memcpy(text, ((keeper *)context)->cause, MTOKEN_CAUSE_ROOM); }

MTOKEN_PLUGIN("secret-service", MTOKEN_PROTECTION_SESSION, keyring_open, keyring_seal, keyring_unseal, keyring_forget,
              keyring_explain, free);
