/* Functions that need nothing but their arguments. */
#include "harness.h"

#include <time.h>

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

static void proximity_codes_are_read(void)
{
    mtoken_pac *pac = NULL;
    mtoken_error *error = NULL;
    const char *link = "mtoken://operation?oid=E%2F%2BD%3D&lang=cs&totp=0123#x";
    if (CHECK_ERROR(mtoken_pac_parse(link, MTOKEN_NUL_TERMINATED, MTOKEN_PROXIMITY_DEEPLINK, NULL, &pac, &error),
                    MTOKEN_OK, error)) {
        CHECK_TEXT(pac->operation_id, "E/+D=");
        CHECK_TEXT(pac->totp, "0123");
        CHECK_INT(pac->source, MTOKEN_PROXIMITY_DEEPLINK);
        CHECK_INT(pac->form, MTOKEN_PAC_DEEPLINK);
        CHECK(!pac->is_header_valid && !pac->has_signature && !pac->algorithm);
    }
    mtoken_operation same = {0}, other = {0};
    same.id = "E/+D=";
    other.id = "E/+D";
    const mtoken_operation *operations[] = {&other, &same};
    mtoken_operation_list list = {0};
    list.count = 2;
    list.operations = operations;
    CHECK_INT(mtoken_pac_matches(pac, &same), 1);
    CHECK_INT(mtoken_pac_matches(pac, &other), 0);
    CHECK_INT(mtoken_pac_matches(NULL, &same), 0);
    CHECK_INT(mtoken_pac_matches(pac, NULL), 0);
    CHECK(mtoken_pac_find(pac, &list) == &same);
    list.count = 1;
    CHECK(mtoken_pac_find(pac, &list) == NULL);
    CHECK(mtoken_pac_find(pac, NULL) == NULL && mtoken_pac_find(NULL, &list) == NULL);
    mtoken_pac_free(pac);

    mtoken_text allowed[] = {MTOKEN_TEXT("bank"), MTOKEN_TEXT("MTOKEN://operation")};
    mtoken_pac_options options = MTOKEN_PAC_OPTIONS_INIT;
    options.allowed = allowed;
    static const struct {
        const char *link;
        size_t allowed; /* how many of the links above */
        bool accepted;
    } links[] = {
        {"mtoken://operation?oid=a", 1, false}, {"mtoken://operation?oid=a", 2, true},
        {"mTOKEN://OPERATION?oid=a", 2, true},  {"mtoken://operations?oid=a", 2, false},
        {"mtoken://other?oid=a", 2, false},     {"Bank://anything?oid=a", 1, true},
        {"banks://anything?oid=a", 2, false},
    };
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++) {
        options.allowed_count = links[i].allowed;
        mtoken_status status =
            mtoken_pac_parse(links[i].link, MTOKEN_NUL_TERMINATED, MTOKEN_PROXIMITY_DEEPLINK, &options, &pac, &error);
        if (!CHECK_ERROR(status, links[i].accepted ? MTOKEN_OK : MTOKEN_ERROR_PARSE, error)) note("%s", links[i].link);
        CHECK((pac != NULL) == links[i].accepted);
        mtoken_pac_free(pac);
    }
    CHECK_STATUS(mtoken_pac_parse(link, MTOKEN_NUL_TERMINATED, 3, NULL, &pac, NULL), MTOKEN_ERROR_ARGUMENT);
    static const char *const bad[][2] = {
        {"", "empty"},
        {"abc", "invalidFormat"},
        {"a.b", "invalidJwt"},
        {"s://o?oid=%4", "invalidEncoding"},
        {"s://o?oid=", "missingOperationId"},
        {"s://o?oid=a%20b", "invalidOperationId"},
        {"s://o?oid=a&potp=12", "invalidTotp"},
        {"s://o?oid=a&oid=a", "ambiguous"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        mtoken_status status =
            mtoken_pac_parse(bad[i][0], MTOKEN_NUL_TERMINATED, MTOKEN_PROXIMITY_QR_CODE, NULL, &pac, &error);
        if (error) CHECK_TEXT(error->reason, bad[i][1]);
        if (!CHECK_ERROR(status, MTOKEN_ERROR_PARSE, error)) note("\"%s\"", bad[i][0]);
    }
}

static const test tests[] = {
    {"the cost of long input does not explode", the_cost_of_long_input_does_not_explode},
    {"proximity codes are read", proximity_codes_are_read},
};

int main(int argc, char **argv) { return RUN(tests); }
