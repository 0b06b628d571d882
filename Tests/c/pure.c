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

static const test tests[] = {
    {"the cost of long input does not explode", the_cost_of_long_input_does_not_explode},
};

int main(int argc, char **argv) { return RUN(tests); }
