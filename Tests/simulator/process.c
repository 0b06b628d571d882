/* What the process must not keep or give away: secrets that were wiped, descriptors, lines of a log. */
#define _GNU_SOURCE
#include "memory.h"
#include "simulator.h"

#include <dirent.h>
#include <unistd.h>

size_t open_descriptors(void)
{
    DIR *directory = opendir("/proc/self/fd");
    size_t count = 0;
    while (directory && readdir(directory)) count++;
    if (directory) closedir(directory);
    return count;
}

void look_at_memory(life *life)
{
    enum { KEPT = 4096 }; /* blocks that some life needs first, and that stay */
    static pid_t process;
    static size_t lives, first;
    if (process != getpid()) lives = 0;
    process = getpid();
    if (++lives == 2) first = memory_blocks();
    must(life, lives < 2 || memory_blocks() <= first + KEPT, "memory returns to where it was",
         "%zu blocks are in use after %zu lives, and %zu after the second", memory_blocks(), lives, first);
}

enum { SECRETS = 6 };

static const uint8_t *secret(size_t i, size_t *size)
{
    *size = i < 3 ? strlen(pins[i]) : sizeof fingers[0];
    return i < 3 ? (const uint8_t *)pins[i] : fingers[i - 3];
}

/* Where a PIN or biometry key lies; NULL: nowhere. Each holds an aligned word that begins in its first four bytes, so
 * that one pass over the words looks for all of them. */
static const uint8_t *find_secret(const uint8_t *memory, size_t size)
{
    static bool is_known, may_be_one[4096];
    size_t length;
    uint32_t word;
#define SLOT(word) ((uint32_t)((word)*2654435761u) >> 20)
    for (size_t i = 0; !is_known && i < SECRETS; i++)
        for (size_t shift = 0; shift < 4; shift++) {
            memcpy(&word, secret(i, &length) + shift, 4);
            may_be_one[SLOT(word)] = true;
        }
    is_known = true;
    for (const uint8_t *at = memory; at + 4 <= memory + size; at += 4) {
        memcpy(&word, at, 4);
        if (!may_be_one[SLOT(word)]) continue;
        for (size_t i = 0; i < SECRETS * 4; i++) {
            const uint8_t *whole = secret(i / 4, &length), *from = at - i % 4;
            if (from >= memory && from + length <= memory + size && memcmp(from, whole, length) == 0) return from;
        }
    }
#undef SLOT
    return NULL;
}

static life *watched;

static void look_at_freed(const void *block, size_t size)
{
    if (bank_at_work) return;
    const uint8_t *at = find_secret(block, size);
    must(watched, !at, "no wiped secret is in memory", "\"%.12s\" is in a block of %zu bytes that is given back",
         (const char *)at, size);
}

void watch_memory(life *life)
{
    watched = life && life->plan->seed % 8 == 0 ? life : NULL;
    memory_watch_freed(watched ? look_at_freed : NULL);
}

void look_for_secrets(life *life)
{
    char line[512], access[8], name[256];
    FILE *maps = watched ? fopen("/proc/self/maps", "r") : NULL;
    while (maps && fgets(line, sizeof line, maps)) {
        unsigned long long from, to;
        *name = 0;
        if (sscanf(line, "%llx-%llx %7s %*s %*s %*s %255[^\n]", &from, &to, access, name) < 3) continue;
        if (strncmp(access, "rw", 2) != 0 || strstr(name, "[v")) continue;
        const uint8_t *at = find_secret((const uint8_t *)(uintptr_t)from, to - from);
        must(life, !at, "no wiped secret is in memory", "\"%.12s\" is, %zu bytes into %s", (const char *)at,
             (size_t)((uintptr_t)at - from), *name ? name : "a map");
    }
    if (maps) fclose(maps);
}

static void must_not_say(life *life, const char *said, const char *what, const void *secret, size_t size)
{
    char *base64_text = base64(secret, size);
    char hex[2 * 32 + 1] = "";
    for (size_t i = 0; i < size && i < 32; i++) sprintf(hex + 2 * i, "%02x", ((const uint8_t *)secret)[i]);
    must(life, !strstr(said, base64_text) && !strstr(said, hex), "no secret is logged", "%s: %s", what, said);
    free(base64_text);
}

void read_log(life *life, const mtoken_event *event)
{
    const bank *bank = life->world.bank;
    const char *said = event->message ? event->message : event->trace ? event->trace->url : NULL;
    size_t width = bank->suite ? 32 : 16;
    if (!said) return;
    if (event->message) tell(life, "  it logs: %s", said);
    for (size_t i = 0; i < 3; i++) {
        must(life, !strstr(said, pins[i]), "no secret is logged", "a PIN: %s", said);
        must_not_say(life, said, "a biometry key", fingers[i], sizeof fingers[i]);
    }
    must(life, !strstr(said, bank->code), "no secret is logged", "the activation code: %s", said);
    must_not_say(life, said, "a key", bank->possession, width);
    must_not_say(life, said, "a key", bank->knowledge, width);
    must_not_say(life, said, "a key", bank->biometry, width);
    for (size_t i = 0; i < bank->token_count; i++) must_not_say(life, said, "a token", bank->tokens[i].secret, width);
}

/* -------------------------------------------------------------------------------------------------------- allocations
 */

static size_t until_failure;

void memory_runs_out(size_t nth) { until_failure = nth; }

static bool fails_now(void) { return until_failure && !bank_at_work && --until_failure == 0; }

void memory_is_ours(void) { memory_of_c_libraries(fails_now); }
