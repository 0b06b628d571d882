/* How fast offline payloads and proximity codes are read through the C interface, and how often memory is asked for. */
#define _GNU_SOURCE
#include <mtoken.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* This program's functions stand in for those of the C library, for the library under test too. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
static size_t allocations;

void *malloc(size_t size)
{
    allocations++;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    allocations++;
    return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
    allocations++;
    return __libc_realloc(block, size);
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    extern void *__libc_memalign(size_t, size_t);
    allocations++;
    *block = __libc_memalign(alignment, size);
    return *block ? 0 : 12;
}

void *aligned_alloc(size_t alignment, size_t size)
{
    extern void *__libc_memalign(size_t, size_t);
    allocations++;
    return __libc_memalign(alignment, size);
}

#define QR_HEAD "5ff1b1ed-a3cc-45a3-8ab0-ed60950312b6\nPayment\nPlease confirm this payment\n"
#define QR_TAIL                                                                                                        \
    "AD8bOO0Df73kNaIGb3Vmpg==\n0MEYCIQDby1Uq+MaxiAAGzKmE/"                                                             \
    "McHzNOUrvAP2qqGBvSgcdtyjgIhAMo1sgqNa1pPZTFBhhKvCKFLGDuHuTTYexdmHFjUUIJW"
#define JWT                                                                                                            \
    "eyJhbGciOiJub25lIiwidHlwZSI6IkpXVCJ9."                                                                            \
    "eyJvaWQiOiIzYjllZGZkMi00ZDgyLTQ3N2MtYjRiMy0yMGZhNWM5OWM5OTMiLCJwb3RwIjoiMTQzNTc0NTgifQ=="

static const struct {
    const char *name, *text;
    double target; /* a second */
} cases[] = {
    {"QR payload", QR_HEAD "A1*A100CZK*ICZ2730300000001165254011*D20180425*Thello world\nBCFX\n" QR_TAIL, 1e6},
    {"QR payload with TOTP",
     QR_HEAD "A1*A100CZK*ICZ2730300000001165254011*D20180425*Thello world\nBCFX\n12345678\n" QR_TAIL, 1e6},
    {"QR payload with accents and escapes",
     "5ff1b1ed-a3cc-45a3-8ab0-ed60950312b6\nPlatba č. 1\nPotvrďte prosím\\ntuto platbu\n"
     "A1*A100CZK*ICZ2730300000001165254011*D20180425*NPříliš žluťoučký\nBX\n" QR_TAIL,
     1e6},
    {"operation data", "A1*A100CZK*ICZ2730300000001165254011*D20180425*Thello world", 0},
    {"PAC, deeplink", "scheme://operation?oid=6a1cb007-ff75-4f40-a21b-0b546f0f6cad&potp=73743194", 1.5e6},
    {"PAC, JWT", JWT, 1.5e6},
    {"PAC, deeplink with JWT", "scheme://operation?code=" JWT, 1.5e6},
};

static int read_once(const char *name, const char *text, size_t length)
{
    mtoken_status status;
    if (name[0] == 'Q') {
        mtoken_qr_operation *operation;
        status = mtoken_qr_operation_parse(text, length, NULL, &operation, NULL);
        mtoken_qr_operation_free(operation);
    } else if (name[0] == 'P') {
        mtoken_pac *pac;
        status = mtoken_pac_parse(text, length, MTOKEN_PROXIMITY_QR_CODE, NULL, &pac, NULL);
        mtoken_pac_free(pac);
    } else {
        mtoken_operation_fields *data;
        status = mtoken_operation_fields_parse(text, length, &data, NULL);
        mtoken_operation_fields_free(data);
    }
    return status == MTOKEN_OK;
}

/* Processor time: other work on the machine does not count. */
static double seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

int main(void)
{
    printf("[");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t length = strlen(cases[i].text);
        if (!read_once(cases[i].name, cases[i].text, length)) /* also warms up */
            return fprintf(stderr, "%s is refused\n", cases[i].name), 1;
        size_t before = allocations;
        read_once(cases[i].name, cases[i].text, length);
        size_t made = allocations - before;
        double best = 0;
        for (int repetition = 0; repetition < 100; repetition++) {
            double start = seconds();
            for (int count = 0; count < 10000; count++)
                if (!read_once(cases[i].name, cases[i].text, length)) return 1;
            double rate = 10000 / (seconds() - start);
            if (rate > best) best = rate;
        }
        printf("%s{\"name\": \"%s\", \"ops_per_s\": %.0f, \"target\": %.0f, \"allocations\": %zu}", i ? ",\n " : "",
               cases[i].name, best, cases[i].target, made);
    }
    printf("]\n");
    return 0;
}
