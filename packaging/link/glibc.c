/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the linked product would need of a newer glibc than 2.34, and what musl lacks, brought along. The version script
 * hides it, and the linker leaves out what a product does not use.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* glibc 2.36; Embedded Swift seeds its hashing by it. It cannot fail, so neither may this: no randomness ends the
 * process. */
void arc4random_buf(void *bytes, size_t count)
{
    uint8_t *next = bytes;
    while (count > 0) {
        ssize_t got = getrandom(next, count, 0);
        if (got > 0 && (size_t)got <= count) {
            next += got;
            count -= (size_t)got;
        } else if (got >= 0 || errno != EINTR) {
            abort();
        }
    }
}

/*
 * glibc 2.35; GCC's unwinder, which the Swift runtime links, asks it for the tables of the object that an address lies
 * in. The layout is that of <dlfcn.h> there; seven words of no use to the unwinder follow.
 */
struct found {
    unsigned long long flags;
    void *start, *end;
    struct link_map *map;
    void *tables;
    void *data_base; /* the first of those words on x86-64 */
#if !defined(__x86_64__) && !defined(__aarch64__)
#error "the layout of struct dl_find_object is known for x86-64 and AArch64"
#endif
};

struct search {
    uintptr_t address;
    struct found *found;
};

static int look(struct dl_phdr_info *object, size_t size, void *context)
{
    struct search *search = context;
    const ElfW(Phdr) *tables = NULL;
    int holds = 0;
    (void)size;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &object->dlpi_phdr[i];
        uintptr_t start = object->dlpi_addr + header->p_vaddr;
        if (header->p_type == PT_GNU_EH_FRAME) tables = header;
        if (header->p_type != PT_LOAD || search->address - start >= header->p_memsz) continue;
        holds = 1;
        search->found->start = (void *)start;
        search->found->end = (void *)(start + header->p_memsz);
    }
    if (!holds || !tables) return 0;
    search->found->flags = 0;
    search->found->map = NULL;
    search->found->data_base = NULL;
    search->found->tables = (void *)(object->dlpi_addr + tables->p_vaddr);
    return 1;
}

/* By another name, since newer headers declare it. */
int find_object(void *address, struct found *found) __asm__("_dl_find_object");

int find_object(void *address, struct found *found)
{
    struct search search = {(uintptr_t)address, found};
    return dl_iterate_phdr(look, &search) == 1 ? 0 : -1;
}

#ifndef __GLIBC__

/* musl has it from 1.2.5 on. */
int statx(int directory, const char *name, int flags, unsigned int mask, void *facts)
{
    return (int)syscall(SYS_statx, directory, name, flags, mask, facts);
}

/* musl's locks have no kinds: readers are preferred. */
int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *attributes, int kind)
{
    (void)attributes;
    return kind < 0 ? EINVAL : 0;
}

/* musl waits by the wall clock only: a change of that makes the wait longer or shorter. */
int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *until)
{
    const int64_t second = 1000000000;
    struct timespec now, wall;
    clock_gettime(clock, &now);
    clock_gettime(CLOCK_REALTIME, &wall);
    int64_t left = (until->tv_sec - now.tv_sec) * second + until->tv_nsec - now.tv_nsec;
    left = wall.tv_nsec + (left < 0 ? 0 : left);
    wall.tv_sec += left / second;
    wall.tv_nsec = left % second;
    return pthread_rwlock_timedwrlock(lock, &wall);
}
#endif
