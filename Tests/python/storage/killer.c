/*
 * Loaded before a program's libraries: kills it before or after one of its changes of files.
 *
 * MTOKEN_TEST_KILL: "before N", "after N", or "count", which writes the number of changes beside this library.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int changes;

static void die(const char *when)
{
    const char *wanted = getenv("MTOKEN_TEST_KILL");
    char mine[32];
    snprintf(mine, sizeof mine, "%s %d", when, changes);
    if (wanted && strcmp(wanted, mine) == 0) kill(getpid(), SIGKILL);
}

#define CHANGE(result, function, parameters, ...)                                                                      \
    result function parameters                                                                                         \
    {                                                                                                                  \
        result(*next) parameters = (result(*) parameters)dlsym(RTLD_NEXT, #function);                                  \
        changes++;                                                                                                     \
        die("before");                                                                                                 \
        result done = next(__VA_ARGS__);                                                                               \
        die("after");                                                                                                  \
        return done;                                                                                                   \
    }

CHANGE(int, renameat, (int from, const char *name, int to, const char *other), from, name, to, other)
CHANGE(int, unlinkat, (int folder, const char *name, int flags), folder, name, flags)
CHANGE(int, fsync, (int file), file)
CHANGE(int, fdatasync, (int file), file)
CHANGE(ssize_t, pwrite, (int file, const void *bytes, size_t count, off_t offset), file, bytes, count, offset)

__attribute__((destructor)) static void count(void)
{
    const char *wanted = getenv("MTOKEN_TEST_KILL");
    Dl_info here;
    char path[4096];
    if (!wanted || strcmp(wanted, "count") != 0 || !dladdr((void *)&changes, &here)) return;
    snprintf(path, sizeof path, "%s.count", here.dli_fname);
    FILE *file = fopen(path, "w");
    if (!file) abort();
    fprintf(file, "%d", changes);
    fclose(file);
}
