/* Functions that need nothing but their arguments. */
#include "harness.h"

#include <time.h>

static void codes_are_taken_apart(void)
{
    mtoken_activation_code *code = NULL;
    mtoken_error *error = NULL;
    CHECK_ERROR(mtoken_activation_code_parse("VVVVV-VVVVV-VVVVV-VTFVA", MTOKEN_NUL_TERMINATED, &code, &error),
                MTOKEN_OK, error);
    CHECK_TEXT(code ? code->code : NULL, "VVVVV-VVVVV-VVVVV-VTFVA");
    CHECK(code && code->signature == NULL);
    mtoken_activation_code_free(code);
    CHECK_ERROR(mtoken_activation_code_parse("VVVVV-VVVVV-VVVVV-VTFVA#AAAA", MTOKEN_NUL_TERMINATED, &code, &error),
                MTOKEN_OK, error);
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

#define QR_TAIL                                                                                                        \
    "\nBX\n12345678\nAD8bOO0Df73kNaIGb3Vmpg==\n0MEYCIQDby1Uq+MaxiAAGzKmE/"                                             \
    "McHzNOUrvAP2qqGBvSgcdtyjgIhAMo1sgqNa1pPZTFBhhKvCKFLGDuHuTTYexdmHFjUUIJW"

/* The processor time that a query of so many bytes takes. */
static double cost_of_query(size_t size)
{
    char *query = malloc(size + 1);
    mtoken_text *canonical = NULL;
    for (size_t i = 0; i < size; i++) /* pairs in the worst order */
        query[i] = i % 4 == 0 ? (char)('z' - i / 4 % 26) : i % 4 == 1 ? '=' : i % 4 == 2 ? '1' : '&';
    query[size] = 0;
    clock_t start = clock();
    CHECK_OK(mtoken_canonical_query(query, size, &canonical, NULL));
    clock_t end = clock();
    CHECK(canonical && canonical->length == size - 1); /* the last & goes */
    mtoken_text_free(canonical);
    free(query);
    return (double)(end - start) / CLOCKS_PER_SEC;
}

/* 16 times as long may cost 20 times as much, for the sorting; each with each would cost 256 times. */
static void the_cost_of_long_input_does_not_explode(void)
{
    double small = cost_of_query(1 << 16) + cost_of_query(1 << 16);
    CHECK(cost_of_query(1 << 20) < 40 * small + 0.05);
}

static const test tests[] = {
    {"codes are taken apart", codes_are_taken_apart},
    {"the cost of long input does not explode", the_cost_of_long_input_does_not_explode},
};

int main(int argc, char **argv) { return RUN(tests); }
