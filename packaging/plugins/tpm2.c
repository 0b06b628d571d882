/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keeps secrets in a TPM 2.0: as an object under the storage primary key of the TCG's template, which only this TPM can
 * load.
 *
 * Options: device, a TCTI as tpm2-tss writes it (default: the kernel's resource manager, /dev/tpmrm0); password; pcrs,
 * registers of the SHA-256 bank that must have the values of now.
 *
 * The secret crosses the bus encrypted: each session is salted to the storage primary key, whose name is compared with
 * that of when the secret was sealed, so that nobody on the bus can put a key of their own in its place.
 */
#include "plugin_support.h"

#include <errno.h>
#include <openssl/sha.h>
#include <tss2/tss2_esys.h>
#include <tss2/tss2_mu.h>
#include <tss2/tss2_rc.h>
#include <tss2/tss2_tctildr.h>
#include <unistd.h>

#define DEVICE "/dev/tpmrm0"

enum {
    FORM = 1,
    HAS_PASSWORD = 1,
    HAS_PCRS = 2,
    PCR_COUNT = 24,
    PCR_BYTES = 3,
    MAXIMUM_PASSWORD = 32,
    MAXIMUM_SECRET = 64,
    DIGEST = 32
};

typedef struct keeper {
    char *tcti;
    TPM2B_AUTH password;
    uint8_t pcrs[PCR_BYTES];
    bool has_pcrs;
    char cause[MTOKEN_CAUSE_ROOM];
} keeper;

/* A connection and what was made over it. */
typedef struct connection {
    keeper *keeper;
    TSS2_TCTI_CONTEXT *tcti;
    ESYS_CONTEXT *esys;
    ESYS_TR primary, object, session;
} connection;

static const TPMT_SYM_DEF_OBJECT aes = {.algorithm = TPM2_ALG_AES, .keyBits.aes = 128, .mode.aes = TPM2_ALG_CFB};

/* TCG Provisioning Guidance, 7.5.1: the storage primary key, P-256. The unique part is zeros. */
static TPM2B_PUBLIC storage_template(void)
{
    TPM2B_PUBLIC template = {.publicArea = {
                                 .type = TPM2_ALG_ECC,
                                 .nameAlg = TPM2_ALG_SHA256,
                                 .objectAttributes = TPMA_OBJECT_FIXEDTPM | TPMA_OBJECT_FIXEDPARENT |
                                                     TPMA_OBJECT_SENSITIVEDATAORIGIN | TPMA_OBJECT_USERWITHAUTH |
                                                     TPMA_OBJECT_NODA | TPMA_OBJECT_RESTRICTED | TPMA_OBJECT_DECRYPT,
                                 .parameters.eccDetail = {.symmetric = aes,
                                                          .scheme.scheme = TPM2_ALG_NULL,
                                                          .curveID = TPM2_ECC_NIST_P256,
                                                          .kdf.scheme = TPM2_ALG_NULL},
                                 .unique.ecc = {.x.size = 32, .y.size = 32},
                             }};
    return template;
}

/* TCG EK Credential Profile, template L-2: the endorsement key, which tells one TPM from another even after it was
 * cleared. */
static TPM2B_PUBLIC endorsement_template(void)
{
    static const uint8_t policy[32] = {0x83, 0x71, 0x97, 0x67, 0x44, 0x84, 0xb3, 0xf8, 0x1a, 0x90, 0xcc,
                                       0x8d, 0x46, 0xa5, 0xd7, 0x24, 0xfd, 0x52, 0xd7, 0x6e, 0x06, 0x52,
                                       0x0b, 0x64, 0xf2, 0xa1, 0xda, 0x1b, 0x33, 0x14, 0x69, 0xaa};
    TPM2B_PUBLIC template = storage_template();
    template.publicArea.objectAttributes = TPMA_OBJECT_FIXEDTPM | TPMA_OBJECT_FIXEDPARENT |
                                           TPMA_OBJECT_SENSITIVEDATAORIGIN | TPMA_OBJECT_ADMINWITHPOLICY |
                                           TPMA_OBJECT_RESTRICTED | TPMA_OBJECT_DECRYPT;
    template.publicArea.authPolicy.size = sizeof policy;
    memcpy(template.publicArea.authPolicy.buffer, policy, sizeof policy);
    return template;
}

/* What a failure of a TPM or of its software means. */
static mtoken_seal_fault fault_of(keeper *keeper, const char *what, TSS2_RC rc)
{
    snprintf(keeper->cause, sizeof keeper->cause, "%s: %s", what, Tss2_RC_Decode(rc));
    if ((rc & TSS2_RC_LAYER_MASK) == TSS2_TCTI_RC_LAYER) return MTOKEN_SEAL_FAULT_UNAVAILABLE;
    switch (rc & TPM2_RC_FMT1 ? rc & (TPM2_RC_FMT1 | 0x3f) : rc & 0xfff) {
    case TPM2_RC_AUTH_FAIL:
    case TPM2_RC_BAD_AUTH: return MTOKEN_SEAL_FAULT_DENIED;
    case TPM2_RC_LOCKOUT: return MTOKEN_SEAL_FAULT_LOCKED;
    case TPM2_RC_POLICY_FAIL:
    case TPM2_RC_PCR_CHANGED: return MTOKEN_SEAL_FAULT_CHANGED;
    case TPM2_RC_INTEGRITY: return MTOKEN_SEAL_FAULT_DAMAGED;
    case TPM2_RC_INITIALIZE:
    case TPM2_RC_RETRY:
    case TPM2_RC_TESTING: return MTOKEN_SEAL_FAULT_UNAVAILABLE;
    default: return MTOKEN_SEAL_FAULT_FAILED;
    }
}

/* Makes a primary key; its name, which is a digest of its public part, tells which. */
static TSS2_RC make_primary(connection *c, ESYS_TR hierarchy, TPM2B_PUBLIC template, ESYS_TR *key, TPM2B_NAME *name)
{
    const TPM2B_SENSITIVE_CREATE sensitive = {0};
    const TPM2B_DATA outside = {0};
    const TPML_PCR_SELECTION registers = {0};
    TSS2_RC rc = Esys_CreatePrimary(c->esys, hierarchy, ESYS_TR_PASSWORD, ESYS_TR_NONE, ESYS_TR_NONE, &sensitive,
                                    &template, &outside, &registers, key, NULL, NULL, NULL, NULL);
    TPM2B_NAME *found = NULL;
    if (rc == TSS2_RC_SUCCESS) rc = Esys_TR_GetName(c->esys, *key, &found);
    if (rc == TSS2_RC_SUCCESS) *name = *found;
    Esys_Free(found);
    return rc;
}

/* The name of the endorsement key; empty where the TPM's owner does not let one make it. */
static TPM2B_NAME endorsement_name(connection *c)
{
    TPM2B_NAME name = {0};
    ESYS_TR key = ESYS_TR_NONE;
    if (make_primary(c, ESYS_TR_RH_ENDORSEMENT, endorsement_template(), &key, &name) != TSS2_RC_SUCCESS) name.size = 0;
    if (key != ESYS_TR_NONE) Esys_FlushContext(c->esys, key);
    return name;
}

static mtoken_seal_fault connect_tpm(connection *c, keeper *keeper, TPM2B_NAME *name)
{
    *c = (connection){.keeper = keeper, .primary = ESYS_TR_NONE, .object = ESYS_TR_NONE, .session = ESYS_TR_NONE};
    bool is_default = strcmp(keeper->tcti, "device:" DEVICE) == 0;
    if (is_default && access(DEVICE, R_OK | W_OK) != 0) {
        bool forbidden = errno == EACCES;
        snprintf(keeper->cause, sizeof keeper->cause, DEVICE ": %s", strerror(errno));
        return forbidden ? MTOKEN_SEAL_FAULT_DENIED : MTOKEN_SEAL_FAULT_UNAVAILABLE;
    }
    TSS2_RC rc = Tss2_TctiLdr_Initialize(keeper->tcti, &c->tcti);
    if (rc == TSS2_RC_SUCCESS) rc = Esys_Initialize(&c->esys, c->tcti, NULL);
    if (rc != TSS2_RC_SUCCESS) {
        fault_of(keeper, "the TPM cannot be reached", rc);
        return MTOKEN_SEAL_FAULT_UNAVAILABLE;
    }
    rc = make_primary(c, ESYS_TR_RH_OWNER, storage_template(), &c->primary, name);
    return rc == TSS2_RC_SUCCESS ? MTOKEN_SEAL_FAULT_NONE : fault_of(keeper, "the storage primary key", rc);
}

static void disconnect_tpm(connection *c)
{
    const ESYS_TR made[] = {c->session, c->object, c->primary};
    for (size_t i = 0; c->esys && i < sizeof made / sizeof *made; i++)
        if (made[i] != ESYS_TR_NONE) Esys_FlushContext(c->esys, made[i]);
    if (c->esys) Esys_Finalize(&c->esys);
    if (c->tcti) Tss2_TctiLdr_Finalize(&c->tcti);
}

/* A session salted to the primary key, whose parameters are encrypted. */
static TSS2_RC start_session(connection *c, TPM2_SE kind)
{
    const TPMT_SYM_DEF symmetric = {.algorithm = TPM2_ALG_AES, .keyBits.aes = 128, .mode.aes = TPM2_ALG_CFB};
    TSS2_RC rc = Esys_StartAuthSession(c->esys, c->primary, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE,
                                       NULL, kind, &symmetric, TPM2_ALG_SHA256, &c->session);
    const TPMA_SESSION wanted = TPMA_SESSION_DECRYPT | TPMA_SESSION_ENCRYPT | TPMA_SESSION_CONTINUESESSION;
    if (rc == TSS2_RC_SUCCESS && kind != TPM2_SE_TRIAL)
        rc = Esys_TRSess_SetAttributes(c->esys, c->session, wanted, 0xff);
    return rc;
}

static void end_session(connection *c)
{
    if (c->session != ESYS_TR_NONE) Esys_FlushContext(c->esys, c->session);
    c->session = ESYS_TR_NONE;
}

/* The registers as they are now, and the password if there is one. */
static TSS2_RC apply_policy(connection *c, const uint8_t pcrs[PCR_BYTES], bool has_password)
{
    const TPM2B_DIGEST now = {0};
    TPML_PCR_SELECTION selection = {.count = 1};
    selection.pcrSelections[0] = (TPMS_PCR_SELECTION){.hash = TPM2_ALG_SHA256, .sizeofSelect = PCR_BYTES};
    memcpy(selection.pcrSelections[0].pcrSelect, pcrs, PCR_BYTES);
    TSS2_RC rc = Esys_PolicyPCR(c->esys, c->session, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, &now, &selection);
    if (rc == TSS2_RC_SUCCESS && has_password)
        rc = Esys_PolicyAuthValue(c->esys, c->session, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE);
    return rc;
}

static TSS2_RC policy_digest(connection *c, TPM2B_DIGEST *digest)
{
    TPM2B_DIGEST *found = NULL;
    TSS2_RC rc = start_session(c, TPM2_SE_TRIAL);
    if (rc == TSS2_RC_SUCCESS) rc = apply_policy(c, c->keeper->pcrs, c->keeper->password.size > 0);
    if (rc == TSS2_RC_SUCCESS)
        rc = Esys_PolicyGetDigest(c->esys, c->session, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, &found);
    if (rc == TSS2_RC_SUCCESS) *digest = *found;
    Esys_Free(found);
    end_session(c);
    return rc;
}

/* Makes the object that only this TPM loads. Without a password it needs no protection against guessing, so that
   others' wrong guesses do not lock it. */
static TSS2_RC make_object(connection *c, const uint8_t *secret, size_t count, TPM2B_PUBLIC **public,
                           TPM2B_PRIVATE **private)
{
    const keeper *keeper = c->keeper;
    TPM2B_SENSITIVE_CREATE sensitive = {.sensitive = {.userAuth = keeper->password, .data.size = (UINT16)count}};
    memcpy(sensitive.sensitive.data.buffer, secret, count);
    TPM2B_PUBLIC template = {.publicArea = {.type = TPM2_ALG_KEYEDHASH,
                                            .nameAlg = TPM2_ALG_SHA256,
                                            .objectAttributes = TPMA_OBJECT_FIXEDTPM | TPMA_OBJECT_FIXEDPARENT |
                                                                (keeper->has_pcrs ? 0 : TPMA_OBJECT_USERWITHAUTH) |
                                                                (keeper->password.size ? 0 : TPMA_OBJECT_NODA),
                                            .parameters.keyedHashDetail.scheme.scheme = TPM2_ALG_NULL}};
    const TPM2B_DATA outside = {0};
    const TPML_PCR_SELECTION registers = {0};
    TSS2_RC rc = keeper->has_pcrs ? policy_digest(c, &template.publicArea.authPolicy) : TSS2_RC_SUCCESS;
    if (rc == TSS2_RC_SUCCESS) rc = start_session(c, TPM2_SE_HMAC);
    if (rc == TSS2_RC_SUCCESS)
        rc = Esys_Create(c->esys, c->primary, c->session, ESYS_TR_NONE, ESYS_TR_NONE, &sensitive, &template, &outside,
                         &registers, private, public, NULL, NULL, NULL);
    explicit_bzero(&sensitive, sizeof sensitive);
    return rc;
}

/* The object holds the digest of the label before the secret: a form that is put in another client's place does not
 * open. */
static void digest_label(const char *label, uint8_t digest[DIGEST])
{
    SHA256((const uint8_t *)label, strlen(label), digest);
}

/* Form: version, flags, names of endorsement and storage key (each with a length), registers, public and private part.
 */
static mtoken_seal_fault tpm2_seal(void *context, const char *label, const uint8_t *secret, size_t count,
                                   uint8_t *sealed, size_t *length)
{
    keeper *keeper = context;
    connection c;
    TPM2B_NAME name = {0}, endorsement = {0};
    TPM2B_PUBLIC *public = NULL;
    TPM2B_PRIVATE *private = NULL;
    uint8_t labelled[DIGEST + MAXIMUM_SECRET];
    if (count == 0 || count > MAXIMUM_SECRET) return MTOKEN_SEAL_FAULT_OPTIONS;
    digest_label(label, labelled);
    memcpy(labelled + DIGEST, secret, count);
    mtoken_seal_fault fault = connect_tpm(&c, keeper, &name);
    if (!fault) {
        endorsement = endorsement_name(&c);
        TSS2_RC rc = make_object(&c, labelled, DIGEST + count, &public, &private);
        size_t at = 0;
        uint8_t head[2] = {FORM, (keeper->password.size ? HAS_PASSWORD : 0) | (keeper->has_pcrs ? HAS_PCRS : 0)};
        if (rc == TSS2_RC_SUCCESS && *length >= sizeof head + PCR_BYTES) {
            memcpy(sealed, head, sizeof head);
            at = sizeof head;
            rc = Tss2_MU_TPM2B_NAME_Marshal(&endorsement, sealed, *length - PCR_BYTES, &at);
            if (rc == TSS2_RC_SUCCESS) rc = Tss2_MU_TPM2B_NAME_Marshal(&name, sealed, *length - PCR_BYTES, &at);
            memcpy(sealed + at, keeper->pcrs, PCR_BYTES);
            at += PCR_BYTES;
            if (rc == TSS2_RC_SUCCESS) rc = Tss2_MU_TPM2B_PUBLIC_Marshal(public, sealed, *length, &at);
            if (rc == TSS2_RC_SUCCESS) rc = Tss2_MU_TPM2B_PRIVATE_Marshal(private, sealed, *length, &at);
        }
        *length = at;
        if (rc != TSS2_RC_SUCCESS) fault = fault_of(keeper, "the secret cannot be sealed", rc);
    }
    explicit_bzero(labelled, sizeof labelled);
    Esys_Free(public);
    Esys_Free(private);
    disconnect_tpm(&c);
    return fault;
}

typedef struct parts {
    uint8_t flags;
    uint8_t pcrs[PCR_BYTES];
    TPM2B_NAME endorsement, name;
    TPM2B_PUBLIC public;
    TPM2B_PRIVATE private;
} parts;

static bool read_parts(const uint8_t *sealed, size_t length, parts *parts)
{
    size_t at = 2;
    if (length < 2 || sealed[0] != FORM || (sealed[1] & ~(HAS_PASSWORD | HAS_PCRS))) return false;
    parts->flags = sealed[1];
    if (Tss2_MU_TPM2B_NAME_Unmarshal(sealed, length, &at, &parts->endorsement) != TSS2_RC_SUCCESS ||
        Tss2_MU_TPM2B_NAME_Unmarshal(sealed, length, &at, &parts->name) != TSS2_RC_SUCCESS || length - at < PCR_BYTES)
        return false;
    memcpy(parts->pcrs, sealed + at, PCR_BYTES);
    at += PCR_BYTES;
    return Tss2_MU_TPM2B_PUBLIC_Unmarshal(sealed, length, &at, &parts->public) == TSS2_RC_SUCCESS &&
           Tss2_MU_TPM2B_PRIVATE_Unmarshal(sealed, length, &at, &parts->private) == TSS2_RC_SUCCESS && at == length;
}

/* Another storage key: of another TPM, or of this one after it was cleared. */
static mtoken_seal_fault other_key(connection *c, const parts *parts)
{
    TPM2B_NAME here = endorsement_name(c);
    bool same = here.size > 0 && here.size == parts->endorsement.size &&
                memcmp(here.name, parts->endorsement.name, here.size) == 0;
    snprintf(c->keeper->cause, sizeof c->keeper->cause, "%s",
             same ? "the TPM was cleared since the secret was sealed" : "the secret was sealed by another TPM");
    return same ? MTOKEN_SEAL_FAULT_CLEARED : MTOKEN_SEAL_FAULT_FOREIGN;
}

static TSS2_RC open_object(connection *c, const parts *parts, TPM2B_SENSITIVE_DATA **data)
{
    TSS2_RC rc = start_session(c, TPM2_SE_HMAC);
    if (rc == TSS2_RC_SUCCESS)
        rc = Esys_Load(c->esys, c->primary, c->session, ESYS_TR_NONE, ESYS_TR_NONE, &parts->private, &parts->public,
                       &c->object);
    /* The software checks that a sized structure is whole, the TPM that it is its own: both mean that it was changed.
     */
    if (rc != TSS2_RC_SUCCESS && (rc & TSS2_RC_LAYER_MASK) == TSS2_TPM_RC_LAYER && rc & TPM2_RC_FMT1)
        return TPM2_RC_INTEGRITY;
    if (rc == TSS2_RC_SUCCESS && parts->flags & HAS_PASSWORD)
        rc = Esys_TR_SetAuth(c->esys, c->object, &c->keeper->password);
    if (rc == TSS2_RC_SUCCESS && parts->flags & HAS_PCRS) {
        end_session(c);
        rc = start_session(c, TPM2_SE_POLICY);
        if (rc == TSS2_RC_SUCCESS) rc = apply_policy(c, parts->pcrs, (parts->flags & HAS_PASSWORD) != 0);
    }
    return rc == TSS2_RC_SUCCESS ? Esys_Unseal(c->esys, c->object, c->session, ESYS_TR_NONE, ESYS_TR_NONE, data) : rc;
}

static mtoken_seal_fault tpm2_unseal(void *context, const char *label, const uint8_t *sealed, size_t length,
                                     uint8_t *secret, size_t *count)
{
    keeper *keeper = context;
    parts parts = {0};
    connection c;
    TPM2B_NAME name = {0};
    TPM2B_SENSITIVE_DATA *data = NULL;
    uint8_t digest[DIGEST];
    digest_label(label, digest);
    if (!read_parts(sealed, length, &parts)) return MTOKEN_SEAL_FAULT_DAMAGED;
    mtoken_seal_fault fault = connect_tpm(&c, keeper, &name);
    if (!fault && (name.size != parts.name.size || memcmp(name.name, parts.name.name, name.size) != 0))
        fault = other_key(&c, &parts);
    if (!fault) {
        TSS2_RC rc = open_object(&c, &parts, &data);
        if (rc != TSS2_RC_SUCCESS)
            fault = fault_of(keeper, "the secret cannot be unsealed", rc);
        else if (data->size <= DIGEST || data->size > DIGEST + *count || memcmp(data->buffer, digest, DIGEST) != 0)
            fault = MTOKEN_SEAL_FAULT_DAMAGED;
        else
            memcpy(secret, data->buffer + DIGEST, *count = data->size - DIGEST);
    }
    if (data) explicit_bzero(data, sizeof *data);
    Esys_Free(data);
    disconnect_tpm(&c);
    return fault;
}

/* "7" or "0,2,7" */
static bool read_pcrs(const char *text, keeper *keeper)
{
    while (*text >= '0' && *text <= '9') {
        char *end;
        unsigned long number = strtoul(text, &end, 10);
        if (number >= PCR_COUNT) return false;
        keeper->pcrs[number / 8] |= (uint8_t)(1u << number % 8);
        keeper->has_pcrs = true;
        if (!*end) return true;
        if (*end != ',') return false;
        text = end + 1;
    }
    return false;
}

static void tpm2_close(void *context)
{
    keeper *keeper = context;
    free(keeper->tcti);
    explicit_bzero(keeper, sizeof *keeper);
    free(keeper);
}

static mtoken_seal_fault tpm2_open(const mtoken_plugin_options *options, void **context, char *cause)
{
    keeper *keeper = calloc(1, sizeof *keeper);
    if (!keeper) return MTOKEN_SEAL_FAULT_FAILED;
    keeper->tcti = strdup(options->device ? options->device : "device:" DEVICE);
    bool good = keeper->tcti && !options->module && options->password_length <= MAXIMUM_PASSWORD;
    if (good && options->password) {
        keeper->password.size = (UINT16)options->password_length;
        memcpy(keeper->password.buffer, options->password, options->password_length);
    }
    good = good && (!options->pcrs || read_pcrs(options->pcrs, keeper));
    *context = keeper;
    if (good) return MTOKEN_SEAL_FAULT_NONE;
    snprintf(cause, MTOKEN_CAUSE_ROOM, "%s",
             "tpm2 takes device, password (at most 32 bytes) and pcrs (numbers below 24, with commas between)");
    tpm2_close(keeper);
    return MTOKEN_SEAL_FAULT_OPTIONS;
}

static void tpm2_explain(void *context, char *text) { memcpy(text, ((keeper *)context)->cause, MTOKEN_CAUSE_ROOM); }

MTOKEN_PLUGIN("tpm2", MTOKEN_PROTECTION_HARDWARE, tpm2_open, tpm2_seal, tpm2_unseal, NULL, tpm2_explain, tpm2_close);
