/* Functions that need nothing but their arguments. */
#include "harness.h"

static void codes_are_taken_apart(void)
{
    mtoken_activation_code *code = NULL;
    mtoken_error *error = NULL;
    CHECK_ERROR(mtoken_activation_code_parse("VVVVV-VVVVV-VVVVV-VTFVA", MTOKEN_NUL_TERMINATED, &code, &error), MTOKEN_OK, error);
    CHECK_TEXT(code ? code->code : NULL, "VVVVV-VVVVV-VVVVV-VTFVA");
    CHECK(code && code->signature == NULL);
    mtoken_activation_code_free(code);
    CHECK_ERROR(mtoken_activation_code_parse("VVVVV-VVVVV-VVVVV-VTFVA#AAAA", MTOKEN_NUL_TERMINATED, &code, &error), MTOKEN_OK,
                error);
    CHECK_TEXT(code ? code->signature : NULL, "AAAA");
    mtoken_activation_code_free(code);
    static const struct {
        const char *text;
        int64_t offset; /* where its form is broken; -1: the form is right, the content is not */
    } bad[] = {
        {"", 0},
        {"V", 1},
        {"VVVVV-VVVVV-VVVVV-VTFVB", -1},       /* checksum */
        {"vvvvv-vvvvv-vvvvv-vtfva", 0},        /* lower case */
        {"VVVVV-VVVVV-VVVVV-VTFVA#", 24},      /* empty signature */
        {"VVVVV-VVVVV-VVVVV-VTFVA##AAAA", 24}, /* two marks */
        {"VVVVV-VVVVV-VVVVV-VTFVA#A", -1},     /* no whole Base64 */
        {"VVVVV-VVVVV-VVVVV-VTFVA ", 23},
        {" VVVVV-VVVVV-VVVVV-VTFVA", 0},
        {"VVVVVVVVVVVVVVVVVTFVA", 5},
        {"VVVVV-VVVVV-VVVVV-VTF1A", 21},
        {"VVVVV-VVVVV-VVVVV-VTFVA-VVVVV", 23},
        {"ŽVVVV-VVVVV-VVVVV-VTFVA", 0},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        code = (mtoken_activation_code *)1;
        mtoken_status status = mtoken_activation_code_parse(bad[i].text, MTOKEN_NUL_TERMINATED, &code, &error);
        CHECK(code == NULL);
        if ((error && !CHECK_INT(error->byte_offset, bad[i].offset)) | !CHECK_ERROR(status, MTOKEN_ERROR_PARSE, error))
            note("\"%s\"", bad[i].text);
    }
}

static void typed_characters_are_corrected(void)
{
    CHECK_INT(mtoken_activation_code_correct('a'), 'A');
    CHECK_INT(mtoken_activation_code_correct('Z'), 'Z');
    CHECK_INT(mtoken_activation_code_correct('0'), 'O');
    CHECK_INT(mtoken_activation_code_correct('1'), 'I');
    CHECK_INT(mtoken_activation_code_correct('2'), '2');
    CHECK_INT(mtoken_activation_code_correct('7'), '7');
    static const uint32_t none[] = {0, '8', '9', '-', ' ', 0xe1, 0x131, 0x17f, 0x212a, 0xd800, 0x110000, UINT32_MAX};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        CHECK_INT(mtoken_activation_code_correct(none[i]), 0);
}

static void queries_become_canonical(void)
{
    static const char *const cases[][2] = {
        {"b=2&a=1", "a=1&b=2"},        {"", ""},
        {"a=b=c", "a=b%3Dc"},          {"a=1&flag&b=2", "a=1&b=2"},
        {"k=a%20b+c", "k=a+b+c"},      {"k=%c5%be", "k=%C5%BE"},
        {"a=2&a=1&a=10", "a=1&a=10&a=2"},
    };
    mtoken_string *canonical = NULL;
    mtoken_error *error = NULL;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK_ERROR(mtoken_canonical_query(cases[i][0], MTOKEN_NUL_TERMINATED, &canonical, &error), MTOKEN_OK, error);
        CHECK_TEXT(canonical ? canonical->text : NULL, cases[i][1]);
        CHECK_INT(canonical ? canonical->length : 0, strlen(cases[i][1]));
        mtoken_string_free(canonical);
    }
    static const char *const bad[] = {"a=%", "a=%4", "a=%zz", "%g1=1", "a=%00%"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (!CHECK_ERROR(mtoken_canonical_query(bad[i], MTOKEN_NUL_TERMINATED, &canonical, &error), MTOKEN_ERROR_PARSE, error))
            note("\"%s\"", bad[i]);
        CHECK(canonical == NULL);
    }
}

static void long_input_is_read_in_reasonable_time(void)
{
    size_t size = 1 << 20;
    char *query = malloc(size + 1);
    mtoken_string *canonical = NULL;
    for (size_t i = 0; i < size; i++) /* 262,144 pairs in the worst order */
        query[i] = i % 4 == 0 ? (char)('z' - i / 4 % 26) : i % 4 == 1 ? '=' : i % 4 == 2 ? '1' : '&';
    query[size] = 0;
    int64_t start = milliseconds();
    CHECK_OK(mtoken_canonical_query(query, size, &canonical, NULL));
    mtoken_string_free(canonical);
    if (!under_valgrind())
        CHECK(milliseconds() - start < 5000);
    free(query);
}

static const test tests[] = {
    {"codes are taken apart", codes_are_taken_apart},
    {"typed characters are corrected", typed_characters_are_corrected},
    {"queries become canonical", queries_become_canonical},
    {"long input is read in reasonable time", long_input_is_read_in_reasonable_time},
};

int main(int argc, char **argv) { return RUN(tests); }
