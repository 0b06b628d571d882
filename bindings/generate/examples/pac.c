#include <mtoken.h>
#include <stdio.h>

/* Finds the operation that a scanned code selects, and copies its password to the
 * options of the approval. */
const mtoken_operation *find(const char *scanned, const mtoken_operation_list *list,
                             char otp[16], mtoken_authorize_options *how)
{
    mtoken_pac *pac = NULL;
    const mtoken_operation *found = NULL;
    mtoken_text allowed[1] = {{"mtoken://operation", MTOKEN_NUL_TERMINATED}};
    mtoken_pac_options options = MTOKEN_PAC_OPTIONS_INIT;

    options.allowed = allowed;
    options.allowed_count = 1;
    if (mtoken_pac_parse(scanned, MTOKEN_NUL_TERMINATED, MTOKEN_PROXIMITY_QR_CODE,
                         &options, &pac, NULL) != MTOKEN_OK)
        return NULL;
    found = mtoken_pac_find(pac, list);
    if (found && mtoken_pac_matches(pac, found) && pac->totp) {
        snprintf(otp, 16, "%s", pac->totp);
        how->proximity_otp = MTOKEN_TEXT(otp);
        how->proximity_source = pac->source;
    }
    mtoken_pac_free(pac);
    return found;
}

/* Builds a code as the bank's server does, for tests. */
mtoken_status make_code(const uint8_t *seed, size_t seed_length, int64_t now,
                        mtoken_text **code)
{
    mtoken_text *totp = NULL;
    mtoken_pac_build_options options = MTOKEN_PAC_BUILD_OPTIONS_INIT;
    mtoken_status status =
        mtoken_totp(seed, seed_length, now, 30, 8, MTOKEN_TOTP_SHA256, &totp, NULL);

    if (status == MTOKEN_OK) {
        options.operation_id = MTOKEN_TEXT("5ff1b1ed-a3cc-45a3-8ab0-ed60950312b6");
        options.totp = *totp;
        options.link = MTOKEN_TEXT("mtoken://operation");
        options.form = MTOKEN_PAC_DEEPLINK;
        status = mtoken_pac_build(&options, code, NULL);
    }
    mtoken_text_free(totp);
    return status;
}
