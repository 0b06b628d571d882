/* Names, versions and constants: what a language that cannot read the header relies on. */
#include "harness.h"

static void versions_fit(void)
{
    CHECK_TEXT(mtoken_version(), MTOKEN_VERSION);
    char found[3][32], expected[200];
    CHECK_INT(sscanf(mtoken_versions(),
                     "libmtoken/" MTOKEN_VERSION " OpenSSL/%31[0-9.] libcurl/%31[0-9.] Jansson/%31[0-9.]", found[0],
                     found[1], found[2]),
              3);
    snprintf(expected, sizeof expected, "libmtoken/" MTOKEN_VERSION " OpenSSL/%s libcurl/%s Jansson/%s", found[0],
             found[1], found[2]);
    CHECK_TEXT(mtoken_versions(), expected);
    CHECK(mtoken_versions() == mtoken_versions());
    CHECK_INT(mtoken_abi_version(), MTOKEN_ABI_VERSION);
    CHECK_INT(mtoken_version_number(), MTOKEN_VERSION_NUMBER);
    CHECK_INT(MTOKEN_VERSION_NUMBER, MTOKEN_VERSION_MAJOR * 10000 + MTOKEN_VERSION_MINOR * 100 + MTOKEN_VERSION_PATCH);
}

static void constants_are_found_by_name(void)
{
    int64_t value = 77, same = 0;
    size_t count = 0;
    for (const char *name; (name = mtoken_constant_at(count, &value)); count++) {
        CHECK(strncmp(name, "MTOKEN_", 7) == 0);
        CHECK_OK(mtoken_constant_value(name + 7, MTOKEN_NUL_TERMINATED, &same));
        CHECK_INT(same, value);
        CHECK_OK(mtoken_constant_value(name + 7, strlen(name) - 7, &same));
        CHECK(mtoken_constant_at(count, NULL) == name);
    }
    CHECK(count > 100);
    CHECK_INT(value, 0); /* of the one that does not exist */
    CHECK(mtoken_constant_at(SIZE_MAX, &value) == NULL);
    CHECK(mtoken_constant_at(SIZE_MAX / 2, NULL) == NULL);
    CHECK_OK(mtoken_constant_value("ERROR_TIMEOUT", MTOKEN_NUL_TERMINATED, &value));
    CHECK_INT(value, MTOKEN_ERROR_TIMEOUT);
    CHECK_OK(mtoken_constant_value("NUL_TERMINATED", MTOKEN_NUL_TERMINATED, &value));
    CHECK_INT(value, -1);
    CHECK_STATUS(mtoken_constant_value("MTOKEN_OK", MTOKEN_NUL_TERMINATED, &value), MTOKEN_ERROR_NOT_FOUND);
    CHECK_INT(value, 0);
    CHECK_STATUS(mtoken_constant_value("", 0, &value), MTOKEN_ERROR_NOT_FOUND);
    CHECK_STATUS(mtoken_constant_value(NULL, 0, &value), MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(mtoken_constant_value("OK", 2, NULL), MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(mtoken_constant_value("O\0K", 3, &value), MTOKEN_ERROR_ARGUMENT);
    CHECK_STATUS(mtoken_constant_value("\xff", 1, &value), MTOKEN_ERROR_ARGUMENT);
}

/* The code with the highest number. */
static int32_t last_code(void)
{
    const char *name;
    int64_t value = 0, last = 0;
    for (size_t i = 0; (name = mtoken_constant_at(i, &value)); i++)
        if (strncmp(name, "MTOKEN_ERROR_", strlen("MTOKEN_ERROR_")) == 0 && value > last) last = value;
    return (int32_t)last;
}

static void every_error_has_words(void)
{
    const int32_t last = last_code();
    CHECK(last >= MTOKEN_ERROR_REMOVED);
    CHECK_TEXT(mtoken_error_name(MTOKEN_OK), "MTOKEN_OK");
    for (int32_t code = 0; code <= last; code++) {
        const char *name = mtoken_error_name(code), *description = mtoken_error_description(code);
        int64_t value = -1;
        if (!CHECK(name && description && strlen(description) > 10)) continue;
        CHECK_OK(mtoken_constant_value(name + strlen("MTOKEN_"), MTOKEN_NUL_TERMINATED, &value));
        CHECK_INT(value, code);
    }
    const int32_t unknown[] = {-1, last + 1, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++)
        CHECK(!mtoken_error_name(unknown[i]) && !mtoken_error_description(unknown[i]));
}

static void freeing_nothing_is_fine(void)
{
    mtoken_error_free(NULL);
    mtoken_text_free(NULL);
    mtoken_header_free(NULL);
    mtoken_activation_code_free(NULL);
    mtoken_client_info_free(NULL);
    mtoken_runtime_free(NULL);
    mtoken_client_free(NULL);
    mtoken_store_free(NULL);
    mtoken_task_free(NULL);
    mtoken_event_free(NULL);
}

static const test tests[] = {
    {"versions fit", versions_fit},
    {"constants are found by name", constants_are_found_by_name},
    {"every error has words", every_error_has_words},
    {"freeing nothing is fine", freeing_nothing_is_fine},
};

int main(int argc, char **argv) { return RUN(tests); }
