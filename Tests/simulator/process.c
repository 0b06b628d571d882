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

/* Whether memory that can be written holds this; the address and what is mapped there, in words. */
static bool is_in_memory(const void *secret, size_t size, char where[120])
{
    char line[512], access[8], name[256];
    bool found = false;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && !found && fgets(line, sizeof line, maps)) {
        unsigned long long from, to;
        *name = 0;
        if (sscanf(line, "%llx-%llx %7s %*s %*s %*s %255[^\n]", &from, &to, access, name) < 3) continue;
        if (strncmp(access, "rw", 2) != 0 || strstr(name, "[v")) continue;
        const uint8_t *at = memmem((void *)(uintptr_t)from, to - from, secret, size);
        found = at != NULL;
        if (found) snprintf(where, 120, "%zu bytes into %.90s", (size_t)((uintptr_t)at - from), *name ? name : "a map");
    }
    if (maps) fclose(maps);
    return found;
}

static life *watched;

static void look_at_freed(const void *block, size_t size)
{
    if (bank_at_work) return;
    for (size_t i = 0; i < 3; i++)
        must(watched,
             !memmem(block, size, pins[i], strlen(pins[i])) && !memmem(block, size, fingers[i], sizeof fingers[i]),
             "no wiped secret is in memory", "secret %zu is in a block of %zu bytes that is given back", i, size);
}

void watch_memory(life *life)
{
    watched = life && life->plan->seed % 8 == 0 ? life : NULL;
    memory_watch_freed(watched ? look_at_freed : NULL);
}

void look_for_secrets(life *life)
{
    char where[120];
    if (!watched) return;
    for (size_t i = 0; i < 3; i++) {
        must(life, !is_in_memory(pins[i], strlen(pins[i]), where), "no wiped secret is in memory", "PIN %zu is, %s", i,
             where);
        must(life, !is_in_memory(fingers[i], sizeof fingers[i], where), "no wiped secret is in memory",
             "biometry key %zu is, %s", i, where);
    }
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
