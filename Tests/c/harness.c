#define _GNU_SOURCE
#include "harness.h"

#include <dirent.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int failures;
void (*after_each)(void);

bool check_that(bool holds, const char *what, const char *file, int line)
{
    if (holds) return true;
    failures++;
    printf("# %s:%d: not so: %s\n", file, line, what);
    return false;
}

bool check_int(int64_t value, int64_t expected, const char *what, const char *file, int line)
{
    if (value == expected) return true;
    failures++;
    printf("# %s:%d: %s is %lld instead of %lld\n", file, line, what, (long long)value, (long long)expected);
    return false;
}

bool check_text(const char *value, const char *expected, const char *what, const char *file, int line)
{
    if (value == expected || (value && expected && strcmp(value, expected) == 0)) return true;
    failures++;
    printf("# %s:%d: %s is \"%s\" instead of \"%s\"\n", file, line, what, value ? value : "(NULL)",
           expected ? expected : "(NULL)");
    return false;
}

static const char *name_of(mtoken_status status)
{
    const char *name = mtoken_error_name(status);
    return name ? name : "an unknown status";
}

bool check_status(mtoken_status status, mtoken_status expected, const char *what, const char *file, int line)
{
    if (status == expected) return true;
    failures++;
    printf("# %s:%d: %s gives %s instead of %s\n", file, line, what, name_of(status), name_of(expected));
    return false;
}

bool check_known(mtoken_status status, const char *what, const char *file, int line)
{
    if (mtoken_error_name(status)) return true;
    failures++;
    printf("# %s:%d: %s gives %d, which is no status\n", file, line, what, (int)status);
    return false;
}

bool check_error(mtoken_status status, mtoken_status expected, mtoken_error **error, const char *what, const char *file,
                 int line)
{
    mtoken_error *details = *error;
    bool good = check_status(status, expected, what, file, line);
    if (!good && details) printf("#   %s: %s\n", details->reason, details->message);
    if (status == MTOKEN_OK)
        good &= check_that(details == NULL, "no details of a success", file, line);
    else if (check_that(details != NULL, "details of a failure", file, line))
        good &= check_int(details->code, status, "the code in the details", file, line) &&
                check_that(details->reason && details->reason[0] && details->message && details->message[0],
                           "details with reason and message", file, line);
    mtoken_error_free(details);
    *error = NULL;
    return good;
}

int checks_failed(void) { return failures; }

void note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("# ");
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
}

static bool wanted(const test *test, int argc, char **argv)
{
    if (argc < 2) return true;
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], test->name) == 0) return true;
    return false;
}

int run_tests(const test *tests, size_t count, int argc, char **argv)
{
    int failed = 0, number = 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (size_t i = 0; i < count; i++) number += wanted(&tests[i], argc, argv);
    printf("1..%d\n", number);
    number = 0;
    for (size_t i = 0; i < count; i++) {
        if (!wanted(&tests[i], argc, argv)) continue;
        failures = 0;
        int64_t start = milliseconds();
        tests[i].run();
        if (after_each) after_each();
        printf("%sok %d - %s (%lld ms)\n", failures ? "not " : "", ++number, tests[i].name,
               (long long)(milliseconds() - start));
        failed += failures != 0;
    }
    return failed ? 1 : 0;
}

const char *setting(const char *name)
{
    const char *value = getenv(name);
    if (!value) {
        fprintf(stderr, "%s is not set: run this program by Tests/c/run.py\n", name);
        exit(2);
    }
    return value;
}

bool under_valgrind(void)
{
    const char *preload = getenv("LD_PRELOAD");
    return preload && strstr(preload, "vgpreload");
}

bool emulated(void)
{
    static int known = -1;
    if (known >= 0) return known;
    char *memory = mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int status = 0;
    /* Linux before 4.14 wipes nothing too, but says so. */
    known = 0;
    if (memory == MAP_FAILED || madvise(memory, 1, MADV_WIPEONFORK) != 0) return known;
    *memory = 1;
    pid_t child = fork();
    if (child == 0) _exit(*memory);
    known = child > 0 && waitpid(child, &status, 0) == child && status != 0;
    munmap(memory, 1);
    return known;
}

size_t sampled(size_t ordinarily, size_t with_valgrind)
{
    return under_valgrind() ? with_valgrind : getenv("MTOKEN_FULL") ? 1 : ordinarily;
}

int64_t milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void sleep_ms(int64_t span)
{
    struct timespec time = {span / 1000, span % 1000 * 1000000};
    nanosleep(&time, NULL);
}

mtoken_text text(const char *string)
{
    mtoken_text result = {string, string ? strlen(string) : 0};
    return result;
}

mtoken_bytes bytes(const char *string)
{
    mtoken_bytes result = {(const uint8_t *)string, string ? strlen(string) : 0};
    return result;
}

const char *make_directory(char *buffer, size_t size)
{
    const char *temporary = getenv("TMPDIR");
    snprintf(buffer, size, "%s/mtoken-c-XXXXXX", temporary ? temporary : "/tmp");
    if (!mkdtemp(buffer)) {
        perror(buffer);
        exit(2);
    }
    return buffer;
}

void remove_directory(const char *path)
{
    DIR *directory = opendir(path);
    if (directory) {
        for (struct dirent *entry; (entry = readdir(directory));) {
            if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
            char inner[1024];
            snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
            if (unlink(inner) != 0) remove_directory(inner);
        }
        closedir(directory);
    }
    rmdir(path);
}
