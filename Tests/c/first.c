/* The first use of the library, by many threads at once: what is made once is found made by all. Each round is a
 * process of its own. */
#define _GNU_SOURCE
#include "plain.h"

#include <mtoken/extra.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 8, ROUNDS = 64 };

static pthread_barrier_t start;

/* Draws random bytes, signs, and looks algorithms up. */
static void build(void)
{
    static const uint8_t key[32] = {1};
    mtoken_qr_build_options options = MTOKEN_QR_BUILD_OPTIONS_INIT;
    mtoken_text *payload = NULL;
    options.id = text("1");
    options.operation_data = text("A1*T1");
    options.private_key = MTOKEN_BYTES(key, sizeof key);
    CHECK_OK(mtoken_qr_operation_build(&options, &payload, NULL));
    CHECK(payload && payload->length > 100);
    mtoken_text_free(payload);
}

static void generate(void)
{
    mtoken_bytes *private_key = NULL, *public_key = NULL;
    CHECK_OK(mtoken_key_pair_new(&private_key, &public_key, NULL));
    CHECK(private_key && public_key);
    mtoken_bytes_free(private_key);
    mtoken_bytes_free(public_key);
}

/* Initialises libcurl, starts a thread, and hears of forks from then on. */
static void live(void) { CHECK(plain_lives(60000)); }

static void *work(void *context)
{
    static void (*const kinds[])(void) = {build, generate, live};
    uintptr_t number = (uintptr_t)context;
    pthread_barrier_wait(&start);
    for (uintptr_t i = 0; i < 3; i++) kinds[(number + i) % 3]();
    return NULL;
}

static void all_begin_at_once(void)
{
    for (uintptr_t round = 0; round < (under_valgrind() ? 2 : emulated() ? 8 : ROUNDS); round++) {
        int status = -1;
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            pthread_t threads[THREADS];
            CHECK_INT(pthread_barrier_init(&start, NULL, THREADS), 0);
            for (uintptr_t i = 0; i < THREADS; i++)
                CHECK_INT(pthread_create(&threads[i], NULL, work, (void *)(round + i)), 0);
            for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
            fflush(stdout);
            _exit(checks_failed() > 0);
        }
        CHECK(child > 0 && waitpid(child, &status, 0) == child);
        CHECK_INT(status, 0);
    }
}

static const test tests[] = {
    {"all begin at once", all_begin_at_once},
};

int main(int argc, char **argv) { return RUN(tests); }
