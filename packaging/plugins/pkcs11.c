/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keeps secrets under a key of a PKCS#11 token: an AES key of 256 bits that the token makes, uses and never gives out.
 * A sealed form is its identifier and the secret in AES-GCM. Each secret has a key of its own, which is destroyed with
 * it.
 *
 * Options: module, the path of the token's module; device, the label of the token (default: the only one); password,
 * the user's PIN.
 */
#include "plugin_support.h"

#include <dlfcn.h>
#include <p11-kit/pkcs11.h>

enum { FORM = 1, IDENTIFIER = 16, IV = 12, TAG = 16, HEAD = 1 + IDENTIFIER + IV, MAXIMUM_SLOTS = 64 };

typedef struct keeper {
    CK_FUNCTION_LIST *module;
    char *label;
    uint8_t *pin;
    size_t pin_length;
    char cause[MTOKEN_CAUSE_ROOM];
} keeper;

static mtoken_seal_fault fault_of(keeper *keeper, const char *what, CK_RV rv)
{
    snprintf(keeper->cause, sizeof keeper->cause, "%s: PKCS#11 error 0x%lx", what, (unsigned long)rv);
    switch (rv) {
    case CKR_OK: return MTOKEN_SEAL_FAULT_NONE;
    case CKR_PIN_INCORRECT:
    case CKR_PIN_INVALID:
    case CKR_PIN_LEN_RANGE:
    case CKR_PIN_EXPIRED:
    case CKR_USER_PIN_NOT_INITIALIZED:
    case CKR_USER_NOT_LOGGED_IN:
    case CKR_FUNCTION_CANCELED:
    case CKR_TOKEN_WRITE_PROTECTED: return MTOKEN_SEAL_FAULT_DENIED;
    case CKR_PIN_LOCKED: return MTOKEN_SEAL_FAULT_LOCKED;
    case CKR_ENCRYPTED_DATA_INVALID:
    case CKR_ENCRYPTED_DATA_LEN_RANGE: return MTOKEN_SEAL_FAULT_DAMAGED;
    case CKR_TOKEN_NOT_PRESENT:
    case CKR_TOKEN_NOT_RECOGNIZED:
    case CKR_DEVICE_REMOVED:
    case CKR_DEVICE_ERROR:
    case CKR_SLOT_ID_INVALID: return MTOKEN_SEAL_FAULT_UNAVAILABLE;
    default: return MTOKEN_SEAL_FAULT_FAILED;
    }
}

static bool is_label(const CK_TOKEN_INFO *info, const char *label)
{
    size_t length = strlen(label);
    if (length > sizeof info->label || memcmp(info->label, label, length) != 0) return false;
    for (size_t i = length; i < sizeof info->label; i++)
        if (info->label[i] != ' ') return false;
    return true;
}

/* The slot of the token that was named, or of the only one. */
static mtoken_seal_fault find_slot(keeper *keeper, CK_SLOT_ID *slot)
{
    CK_SLOT_ID slots[MAXIMUM_SLOTS];
    CK_ULONG count = MAXIMUM_SLOTS, found = 0;
    CK_RV rv = keeper->module->C_GetSlotList(CK_TRUE, slots, &count);
    if (rv != CKR_OK) return fault_of(keeper, "the slots", rv);
    for (CK_ULONG i = 0; i < count; i++) {
        CK_TOKEN_INFO info;
        if (keeper->module->C_GetTokenInfo(slots[i], &info) != CKR_OK || !(info.flags & CKF_TOKEN_INITIALIZED))
            continue;
        if (keeper->label && !is_label(&info, keeper->label)) continue;
        *slot = slots[i];
        found++;
    }
    if (found == 1) return MTOKEN_SEAL_FAULT_NONE;
    snprintf(keeper->cause, sizeof keeper->cause, "%s",
             found ? "there are several such tokens: name one" : "there is no such token");
    return found ? MTOKEN_SEAL_FAULT_OPTIONS : MTOKEN_SEAL_FAULT_UNAVAILABLE;
}

static mtoken_seal_fault begin(keeper *keeper, CK_SESSION_HANDLE *session)
{
    CK_SLOT_ID slot = 0;
    mtoken_seal_fault fault = find_slot(keeper, &slot);
    if (fault) return fault;
    CK_RV rv = keeper->module->C_OpenSession(slot, CKF_SERIAL_SESSION | CKF_RW_SESSION, NULL, NULL, session);
    if (rv != CKR_OK) return fault_of(keeper, "the session", rv);
    /* Without a PIN the reader's own keypad asks, where it has one. */
    rv = keeper->module->C_Login(*session, CKU_USER, keeper->pin, (CK_ULONG)keeper->pin_length);
    if (rv == CKR_OK || rv == CKR_USER_ALREADY_LOGGED_IN) return MTOKEN_SEAL_FAULT_NONE;
    fault = fault_of(keeper, "the PIN", rv);
    keeper->module->C_CloseSession(*session);
    return fault;
}

static void end(keeper *keeper, CK_SESSION_HANDLE session) { keeper->module->C_CloseSession(session); }

static CK_OBJECT_HANDLE find_key(keeper *keeper, CK_SESSION_HANDLE session, const uint8_t *identifier)
{
    CK_OBJECT_CLASS class = CKO_SECRET_KEY;
    CK_ATTRIBUTE wanted[] = {{CKA_CLASS, &class, sizeof class}, {CKA_ID, (void *)identifier, IDENTIFIER}};
    CK_OBJECT_HANDLE key = CK_INVALID_HANDLE;
    CK_ULONG count = 0;
    if (keeper->module->C_FindObjectsInit(session, wanted, 2) == CKR_OK) {
        if (keeper->module->C_FindObjects(session, &key, 1, &count) != CKR_OK || count == 0) key = CK_INVALID_HANDLE;
        keeper->module->C_FindObjectsFinal(session);
    }
    return key;
}

static mtoken_seal_fault token_seal(void *context, const char *label, const uint8_t *secret, size_t count,
                                    uint8_t *sealed, size_t *length)
{
    keeper *keeper = context;
    CK_SESSION_HANDLE session = 0;
    if (*length < HEAD + count + TAG) return MTOKEN_SEAL_FAULT_FAILED;
    mtoken_seal_fault fault = begin(keeper, &session);
    if (fault) return fault;
    CK_FUNCTION_LIST *module = keeper->module;
    CK_BBOOL yes = CK_TRUE, no = CK_FALSE;
    CK_ULONG size = 32, room = (CK_ULONG)(*length - HEAD);
    CK_OBJECT_HANDLE key = CK_INVALID_HANDLE;
    CK_MECHANISM make = {CKM_AES_KEY_GEN, NULL, 0};
    CK_ATTRIBUTE template[] = {
        {CKA_TOKEN, &yes, sizeof yes},
        {CKA_PRIVATE, &yes, sizeof yes},
        {CKA_SENSITIVE, &yes, sizeof yes},
        {CKA_EXTRACTABLE, &no, sizeof no},
        {CKA_ENCRYPT, &yes, sizeof yes},
        {CKA_DECRYPT, &yes, sizeof yes},
        {CKA_VALUE_LEN, &size, sizeof size},
        {CKA_ID, sealed + 1, IDENTIFIER},
        {CKA_LABEL, (void *)label, strlen(label)},
    };
    sealed[0] = FORM;
    CK_RV rv = module->C_GenerateRandom(session, sealed + 1, IDENTIFIER + IV);
    if (rv == CKR_OK) rv = module->C_GenerateKey(session, &make, template, sizeof template / sizeof *template, &key);
    CK_GCM_PARAMS gcm = {sealed + 1 + IDENTIFIER, IV, IV * 8, (CK_BYTE *)label, (CK_ULONG)strlen(label), TAG * 8};
    CK_MECHANISM encrypt = {CKM_AES_GCM, &gcm, sizeof gcm};
    if (rv == CKR_OK) rv = module->C_EncryptInit(session, &encrypt, key);
    if (rv == CKR_OK) rv = module->C_Encrypt(session, (CK_BYTE *)secret, (CK_ULONG)count, sealed + HEAD, &room);
    if (rv != CKR_OK && key != CK_INVALID_HANDLE) module->C_DestroyObject(session, key);
    *length = HEAD + room;
    fault = fault_of(keeper, "the secret cannot be sealed", rv);
    end(keeper, session);
    return fault;
}

static mtoken_seal_fault token_unseal(void *context, const char *label, const uint8_t *sealed, size_t length,
                                      uint8_t *secret, size_t *count)
{
    keeper *keeper = context;
    CK_SESSION_HANDLE session = 0;
    if (length < HEAD + TAG || sealed[0] != FORM) return MTOKEN_SEAL_FAULT_DAMAGED;
    mtoken_seal_fault fault = begin(keeper, &session);
    if (fault) return fault;
    CK_OBJECT_HANDLE key = find_key(keeper, session, sealed + 1);
    if (key == CK_INVALID_HANDLE) {
        snprintf(keeper->cause, sizeof keeper->cause, "%s", "the token has no such key");
        fault = MTOKEN_SEAL_FAULT_FOREIGN;
    } else {
        uint8_t room[4096];
        CK_ULONG found = sizeof room;
        CK_GCM_PARAMS gcm = {
            (CK_BYTE *)sealed + 1 + IDENTIFIER, IV, IV * 8, (CK_BYTE *)label, (CK_ULONG)strlen(label), TAG * 8};
        CK_MECHANISM decrypt = {CKM_AES_GCM, &gcm, sizeof gcm};
        CK_RV rv = keeper->module->C_DecryptInit(session, &decrypt, key);
        if (rv == CKR_OK)
            rv = keeper->module->C_Decrypt(session, (CK_BYTE *)sealed + HEAD, (CK_ULONG)(length - HEAD), room, &found);
        /* Modules answer a wrong tag in their own ways. */
        if (rv == CKR_GENERAL_ERROR || rv == CKR_FUNCTION_FAILED || (rv == CKR_OK && found > *count))
            rv = CKR_ENCRYPTED_DATA_INVALID;
        fault = fault_of(keeper, "the secret cannot be unsealed", rv);
        if (!fault) memcpy(secret, room, *count = found);
        explicit_bzero(room, sizeof room);
    }
    end(keeper, session);
    return fault;
}

static void token_forget(void *context, const char *label, const uint8_t *sealed, size_t length)
{
    keeper *keeper = context;
    CK_SESSION_HANDLE session = 0;
    (void)label;
    if (length < HEAD || begin(keeper, &session)) return;
    CK_OBJECT_HANDLE key = find_key(keeper, session, sealed + 1);
    if (key != CK_INVALID_HANDLE) keeper->module->C_DestroyObject(session, key);
    end(keeper, session);
}

static void token_close(void *context)
{
    keeper *keeper = context;
    if (keeper->pin) explicit_bzero(keeper->pin, keeper->pin_length);
    free(keeper->pin);
    free(keeper->label);
    free(keeper);
}

/* The module stays loaded: some do not survive to be unloaded. It also stays initialized: C_Finalize would end the
 * sessions of all others in the process, of other sealers and of the host. */
static mtoken_seal_fault load_module(keeper *keeper, const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    CK_C_GetFunctionList list = library ? (CK_C_GetFunctionList)dlsym(library, "C_GetFunctionList") : NULL;
    if (!list || list(&keeper->module) != CKR_OK || !keeper->module) {
        snprintf(keeper->cause, sizeof keeper->cause, "%s", library ? "that is no PKCS#11 module" : dlerror());
        return MTOKEN_SEAL_FAULT_UNAVAILABLE;
    }
    CK_C_INITIALIZE_ARGS threads = {.flags = CKF_OS_LOCKING_OK};
    CK_RV rv = keeper->module->C_Initialize(&threads);
    return rv == CKR_OK || rv == CKR_CRYPTOKI_ALREADY_INITIALIZED ? MTOKEN_SEAL_FAULT_NONE
                                                                  : fault_of(keeper, "the module", rv);
}

static mtoken_seal_fault token_open(const mtoken_plugin_options *options, void **context, char *cause)
{
    if (!options->module || options->module[0] != '/' || options->pcrs) {
        snprintf(cause, MTOKEN_CAUSE_ROOM, "%s",
                 "pkcs11 takes module (a path that begins with a slash), device and password");
        return MTOKEN_SEAL_FAULT_OPTIONS;
    }
    keeper *keeper = calloc(1, sizeof *keeper);
    if (!keeper) return MTOKEN_SEAL_FAULT_FAILED;
    mtoken_seal_fault fault = MTOKEN_SEAL_FAULT_NONE;
    if (options->device && !(keeper->label = strdup(options->device))) fault = MTOKEN_SEAL_FAULT_FAILED;
    if (options->password && (keeper->pin = malloc(options->password_length + 1))) {
        memcpy(keeper->pin, options->password, options->password_length);
        keeper->pin_length = options->password_length;
    }
    if (!fault) fault = load_module(keeper, options->module);
    if (!fault) {
        *context = keeper;
        return fault;
    }
    memcpy(cause, keeper->cause, MTOKEN_CAUSE_ROOM);
    token_close(keeper);
    return fault;
}

static void token_explain(void *context, char *text) { memcpy(text, ((keeper *)context)->cause, MTOKEN_CAUSE_ROOM); }

MTOKEN_PLUGIN("pkcs11", MTOKEN_PROTECTION_HARDWARE, token_open, token_seal, token_unseal, token_forget, token_explain,
              token_close);
