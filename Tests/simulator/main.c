/*
 * simulator [--seed N] [--lives N] [--seconds N] [--steps N] [--tell] [--twice] [--save FILE]
 * simulator --replay FILE...
 *
 * Plays lives from seed N (default: the clock) on, for so many seconds of processor time. --tell tells a life in words.
 * --twice plays each life twice and compares what was sent. The first life in which an invariant does not hold is
 * shrunk, told, saved in words if a file is named, and the exit status is 1. --replay plays lives that were saved.
 */
#include "simulator.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct tally {
    uint64_t lives, steps, at; /* at: the seed that is being played */
    uint64_t digest;           /* of all lives */
    uint64_t strikes[MOST_FAULTS], pairs[MOST_FAULTS];
    int differs;
} tally;

static tally *shared;

/* Whether a plan breaks an invariant, and which: in a process of its own, since a life may end it. */
static bool breaks(const plan *plan, char broken[120], bool tells)
{
    int pipes[2];
    char found[120] = "";
    fflush(stdout);
    if (pipe(pipes) != 0) exit(2);
    pid_t child = fork();
    if (child == 0) {
        life life;
        if (!tells && !freopen("/dev/null", "w", stdout)) _exit(2);
        play(&life, plan, tells);
        if (tells && life.broken) printf("\nDoes not hold: %s (%s)\n", life.broken, life.detail);
        fflush(stdout);
        if (life.broken && write(pipes[1], life.broken, strlen(life.broken)) < 0) _exit(2);
        _exit(0);
    }
    close(pipes[1]);
    ssize_t count = read(pipes[0], found, sizeof found - 1);
    close(pipes[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) {
        snprintf(found, sizeof found, "the process lives on (signal %d)", WTERMSIG(status));
        count = (ssize_t)strlen(found);
        if (tells) printf("\nDoes not hold: %s\n", found);
    }
    if (broken) snprintf(broken, 120, "%s", found);
    return count > 0;
}

/* Takes steps out as long as the same invariant breaks. */
static void shrink(plan *plan)
{
    char wanted[120], found[120];
    static struct plan shorter;
    if (!breaks(plan, wanted, false)) return;
    for (size_t part = plan->count / 2; part > 0; part /= 2) {
        for (size_t from = 0; from + part <= plan->count;) {
            shorter = *plan;
            memmove(shorter.steps + from, shorter.steps + from + part, (plan->count - from - part) * sizeof(step));
            shorter.count -= part;
            if (breaks(&shorter, found, false) && strcmp(wanted, found) == 0)
                *plan = shorter;
            else
                from += part;
        }
    }
}

static void count(const life *life)
{
    shared->lives++;
    shared->steps += life->step;
    shared->digest = (shared->digest ^ life->digest) * 0x100000001B3u;
    for (size_t i = 0; i < fault_count; i++) {
        if (!(life->met >> i & 1)) continue;
        shared->strikes[i]++;
        shared->pairs[i] |= life->met;
    }
}

/* Plays lives until one breaks, as the worker's exit status says. */
static void work(uint64_t seed, uint64_t lives, uint64_t seconds, size_t steps, bool twice)
{
    static plan plan;
    life life, again;
    for (uint64_t i = 0; i < lives && (uint64_t)(clock() / CLOCKS_PER_SEC) < seconds; i++) {
        plan_of(&plan, shared->at = seed + i, steps);
        play(&life, &plan, false);
        if (life.broken) {
            printf("simulator: %s (%s)\n", life.broken, life.detail);
            exit(1);
        }
        if (twice) {
            play(&again, &plan, false);
            if (again.digest != life.digest) {
                shared->differs = 1;
                exit(1);
            }
        }
        count(&life);
    }
    exit(0); /* which writes what an instrumented library has counted */
}

/* An allocation that fails at the first use of an algorithm would leave it useless: each has been used before. */
static void warm_up(void)
{
    static life life;
    static plan plan;
    plan_of(&plan, 1, MOST_STEPS);
    plan.rate = 0;
    plan.count = MOST_STEPS;
    for (size_t i = 0; i < plan.count; i++) /* each thing that a host does, and after it all answers */
        plan.steps[i] = (step){i % 2 ? 0 : (uint32_t)(i / 2 % action_count), (uint32_t)i};
    play(&life, &plan, false);
    if (life.broken) printf("simulator: a life without faults breaks: %s (%s)\n", life.broken, life.detail);
}

static void report(void)
{
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    double seconds = (double)used.ru_utime.tv_sec + (double)used.ru_utime.tv_usec / 1e6;
    printf("simulator: %llu lives, %llu steps, %.0f steps a second of a core, digest %016llx\n",
           (unsigned long long)shared->lives, (unsigned long long)shared->steps,
           seconds > 0 ? (double)shared->steps / seconds : 0, (unsigned long long)shared->digest);
    size_t never = 0, pairs = 0;
    for (size_t i = 0; i < fault_count; i++) {
        never += shared->strikes[i] == 0;
        for (size_t j = 0; j < i; j++) pairs += !(shared->pairs[i] >> j & 1);
    }
    printf("simulator: %zu of %zu faults never struck, %zu of %zu pairs never met\n", never, fault_count, pairs,
           fault_count * (fault_count - 1) / 2);
    for (size_t i = 0; i < fault_count; i++)
        if (!shared->strikes[i]) printf("simulator: never struck: %s\n", faults[i].name);
}

/* Plays saved lives; the exit status. */
static int replay_saved(char **paths)
{
    static plan plan;
    char broken[120];
    int status = 0;
    for (; *paths; paths++) {
        if (!plan_load(&plan, *paths)) {
            fprintf(stderr, "simulator: %s is no saved life\n", *paths);
            return 2;
        }
        if (!breaks(&plan, broken, false)) continue;
        printf("simulator: %s breaks an invariant: %s\n", *paths, broken);
        breaks(&plan, NULL, true);
        status = 1;
    }
    return status;
}

static uint64_t number(const char *text) { return strtoull(text, NULL, 10); }

int main(int argc, char **argv)
{
    uint64_t seed = (uint64_t)time(NULL) * 1000003u, lives = UINT64_MAX, seconds = 10, steps = 200;
    bool tells = false, twice = false;
    const char *saved = NULL;
    memory_is_ours();
    warm_up();
    if (argc > 1 && strcmp(argv[1], "--replay") == 0) return replay_saved(argv + 2);
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "0";
        if (strcmp(argv[i], "--tell") == 0)
            tells = true;
        else if (strcmp(argv[i], "--twice") == 0)
            twice = true;
        else if (strcmp(argv[i], "--seed") == 0)
            seed = number(value), i++;
        else if (strcmp(argv[i], "--save") == 0)
            saved = value, i++;
        else if (strcmp(argv[i], "--lives") == 0)
            lives = number(value), i++;
        else if (strcmp(argv[i], "--seconds") == 0)
            seconds = number(value), i++;
        else if (strcmp(argv[i], "--steps") == 0)
            steps = number(value), i++;
        else {
            fprintf(stderr, "simulator: unknown argument %s\n", argv[i]);
            return 2;
        }
    }
    static plan plan;
    if (tells) {
        plan_of(&plan, seed, steps);
        return breaks(&plan, NULL, true);
    }
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) return 2;
    printf("simulator: from seed %llu\n", (unsigned long long)seed);
    fflush(stdout);
    pid_t worker = fork();
    if (worker == 0) work(seed, lives, seconds, (size_t)steps, twice);
    int status = 0;
    waitpid(worker, &status, 0);
    report();
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return 0;
    printf("simulator: seed %llu %s\n", (unsigned long long)shared->at,
           shared->differs ? "sends other bytes the second time" : "breaks an invariant; the shortest life that does:");
    if (!shared->differs) {
        char broken[120];
        plan_of(&plan, shared->at, steps);
        shrink(&plan);
        breaks(&plan, broken, true);
        if (saved && !plan_save(&plan, saved, broken)) perror(saved);
    }
    const char *suite = getenv("MTOKEN_SUITE");
    printf("\nThe whole life again: make simulate SEED=%llu%s%s\n", (unsigned long long)shared->at,
           suite ? " SUITE=" : "", suite ? suite : "");
    return 1;
}
