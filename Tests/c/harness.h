/* The smallest harness that does: checks that say where they failed, one TAP line per test. */
#ifndef HARNESS_H
#define HARNESS_H

#include <mtoken.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each gives whether it holds, and marks the running test as failed if it does not. */
#define CHECK(condition) check_that((condition), #condition, __FILE__, __LINE__)
#define CHECK_INT(value, expected) check_int((int64_t)(value), (int64_t)(expected), #value, __FILE__, __LINE__)
#define CHECK_TEXT(value, expected) check_text((value), (expected), #value, __FILE__, __LINE__)
/* A call that must give a status; says which and why if it does not. */
#define CHECK_STATUS(call, expected) check_status((call), (expected), #call, __FILE__, __LINE__)
#define CHECK_OK(call) CHECK_STATUS(call, MTOKEN_OK)
/* A call that may come to anything that has a name. */
#define CHECK_KNOWN(call) check_known((call), #call, __FILE__, __LINE__)
/* The same with details: frees them, so that the next call may have the same `error`. */
#define CHECK_ERROR(call, expected, error) check_error((call), (expected), &(error), #call, __FILE__, __LINE__)

bool check_that(bool holds, const char *what, const char *file, int line);
bool check_int(int64_t value, int64_t expected, const char *what, const char *file, int line);
bool check_text(const char *value, const char *expected, const char *what, const char *file, int line);
bool check_status(mtoken_status status, mtoken_status expected, const char *what, const char *file, int line);
bool check_known(mtoken_status status, const char *what, const char *file, int line);
bool check_error(mtoken_status status, mtoken_status expected, mtoken_error **error, const char *what, const char *file,
                 int line);

/* How many checks of the running test have failed so far. */
int checks_failed(void);

/* Says something about the running test. */
void note(const char *format, ...);

typedef struct test {
    const char *name;
    void (*run)(void);
} test;

/* Runs tests, or those whose names are given on the command line. Returns the status for main. */
int run_tests(const test *tests, size_t count, int argc, char **argv);

#define RUN(tests) run_tests((tests), sizeof(tests) / sizeof((tests)[0]), argc, argv)

/* Called after each test, if set: checks that hold for all of them. */
extern void (*after_each)(void);

/* An argument of the driver, from the environment; ends the program if it is missing. */
const char *setting(const char *name);

/* Whether the program runs under valgrind: timing then says nothing, and loops may be shorter. */
bool under_valgrind(void);
/* Whether the kernel is played by an emulator: times of the processor then say nothing, and children without handlers
   find memory that should have been wiped. */
bool emulated(void);
/* Long tables are sampled: a run takes each n-th row. MTOKEN_FULL=1 takes all; under valgrind n is another one. */
size_t sampled(size_t ordinarily, size_t with_valgrind);

/* Milliseconds of the monotonic clock. */
int64_t milliseconds(void);
void sleep_ms(int64_t milliseconds);

/* An option's text from a NUL-terminated string. */
mtoken_text text(const char *string);
mtoken_bytes bytes(const char *string);

/* A directory of this test's own, in `buffer`, and its removal with everything in it. */
const char *make_directory(char *buffer, size_t size);
void remove_directory(const char *path);

#endif
