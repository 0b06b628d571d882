#include <inttypes.h>
#include <mtoken.h>
#include <stdio.h>

/* Checks that the loaded library is at least as new as the header. */
int library_fits(void)
{
    printf("%s: %s, built with %s\n", mtoken_versions(), mtoken_version(),
           MTOKEN_VERSION);
    return mtoken_abi_version() == MTOKEN_ABI_VERSION &&
           mtoken_version_number() >= MTOKEN_VERSION_NUMBER;
}

/* Prints every constant, for a language that cannot read the header, and looks one
 * up by name. */
void print_constants(void)
{
    int64_t value;
    const char *name;

    for (size_t i = 0; (name = mtoken_constant_at(i, &value)) != NULL; i++)
        printf("%s = %" PRId64 "\n", name, value);
    if (mtoken_constant_value("ERROR_TIMEOUT", MTOKEN_NUL_TERMINATED, &value) ==
        MTOKEN_OK)
        printf("a time-out is %" PRId64 "\n", value);
}

/* Frees texts and bytes that a function created for the host, and wipes them. */
void give_back(mtoken_text *code, mtoken_bytes *key)
{
    mtoken_text_free(code);
    mtoken_bytes_free(key);
}

/* An answer of the server that may be missing. */
const char *answer_word(mtoken_answer answer)
{
    return answer == MTOKEN_UNSET ? "not said" : answer == MTOKEN_YES ? "yes" : "no";
}
