#define _GNU_SOURCE
#include "memory.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <jansson.h>
#include <malloc.h>
#include <openssl/crypto.h>
#include <stdlib.h>
#include <string.h>
#include <unwind.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *memory);

static size_t blocks, total, most, requests, failing_from;
static bool fails_forever;
static void (*look_at_freed)(const void *block, size_t size);

/* Counts a request. Whether it fails. */
static bool refused(void)
{
    size_t number = __atomic_add_fetch(&requests, 1, __ATOMIC_RELAXED);
    if (failing_from == 0 || number < failing_from || (number > failing_from && !fails_forever)) return false;
    errno = ENOMEM;
    return true;
}

/* Counts the bytes of a block that is in use from now on. */
static void add(void *memory)
{
    size_t now = __atomic_add_fetch(&total, malloc_usable_size(memory), __ATOMIC_RELAXED);
    size_t known = __atomic_load_n(&most, __ATOMIC_RELAXED);
    while (now > known && !__atomic_compare_exchange_n(&most, &known, now, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
}

static void subtract(void *memory) { __atomic_sub_fetch(&total, malloc_usable_size(memory), __ATOMIC_RELAXED); }

static void *given(void *memory)
{
    if (memory) {
        __atomic_add_fetch(&blocks, 1, __ATOMIC_RELAXED);
        add(memory);
    }
    return memory;
}

void *malloc(size_t size) { return refused() ? NULL : given(__libc_malloc(size)); }
void *calloc(size_t count, size_t size) { return refused() ? NULL : given(__libc_calloc(count, size)); }
void *memalign(size_t alignment, size_t size) { return refused() ? NULL : given(__libc_memalign(alignment, size)); }
void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    void *made = memalign(alignment, size);
    if (!made) return ENOMEM;
    *memory = made;
    return 0;
}

void free(void *memory)
{
    if (memory) {
        __atomic_sub_fetch(&blocks, 1, __ATOMIC_RELAXED);
        subtract(memory);
        if (look_at_freed) look_at_freed(memory, malloc_usable_size(memory));
    }
    __libc_free(memory);
}

void *realloc(void *memory, size_t size)
{
    if (!memory) return malloc(size);
    if (size == 0) {
        free(memory);
        return NULL;
    }
    if (refused()) return NULL;
    size_t before = malloc_usable_size(memory);
    uintptr_t place = (uintptr_t)memory;
    void *moved = __libc_realloc(memory, size);
    if (moved && (uintptr_t)moved == place) __atomic_sub_fetch(&total, before, __ATOMIC_RELAXED);
    if (moved) add(moved); /* where it was moved, both were in use at once */
    if (moved && (uintptr_t)moved != place) __atomic_sub_fetch(&total, before, __ATOMIC_RELAXED);
    return moved;
}

size_t memory_blocks(void) { return __atomic_load_n(&blocks, __ATOMIC_RELAXED); }
size_t memory_bytes(void) { return __atomic_load_n(&total, __ATOMIC_RELAXED); }
size_t memory_peak(void) { return __atomic_load_n(&most, __ATOMIC_RELAXED); }
void memory_peak_starts(void) { __atomic_store_n(&most, memory_bytes(), __ATOMIC_RELAXED); }
size_t memory_requests(void) { return __atomic_load_n(&requests, __ATOMIC_RELAXED); }

void memory_watch_freed(void (*look)(const void *block, size_t size)) { look_at_freed = look; }

void memory_fail(size_t nth, bool forever)
{
    fails_forever = forever;
    failing_from = nth;
    __atomic_store_n(&requests, 0, __ATOMIC_RELAXED);
}

/* OpenSSL and Jansson */

static bool (*c_library_fails)(void);

static void *crypto_malloc(size_t size, const char *file, int line)
{
    (void)file;
    (void)line;
    return c_library_fails() ? NULL : malloc(size);
}

static void *crypto_realloc(void *memory, size_t size, const char *file, int line)
{
    (void)file;
    (void)line;
    return c_library_fails() ? NULL : realloc(memory, size);
}

static void crypto_free(void *memory, const char *file, int line)
{
    (void)file;
    (void)line;
    free(memory);
}

static void *json_malloc(size_t size) { return c_library_fails() ? NULL : malloc(size); }

void memory_of_c_libraries(bool (*fails)(void))
{
    c_library_fails = fails;
    if (!CRYPTO_set_mem_functions(crypto_malloc, crypto_realloc, crypto_free)) abort();
    json_set_alloc_funcs(json_malloc, free);
}

/* The call stack */

enum { DEEPEST = 24 };

typedef struct way {
    uint64_t hash;
    int depth;
    uintptr_t address, frame; /* of the last function that could be unwound */
} way;

static void pass(way *way, uintptr_t address)
{
    way->hash = (way->hash ^ address) * 1099511628211u;
    way->depth++;
}

static _Unwind_Reason_Code step(struct _Unwind_Context *context, void *argument)
{
    way *way = argument;
    way->address = _Unwind_GetIP(context);
#ifdef __x86_64__
    way->frame = _Unwind_GetGR(context, 6); /* rbp */
#endif
    pass(way, way->address);
    return way->depth < DEEPEST ? _URC_NO_REASON : _URC_END_OF_STACK;
}

/* Where the code of the library lies. */
static int find_library(struct dl_phdr_info *info, size_t size, void *argument)
{
    uintptr_t *range = argument;
    (void)size;
    if (!strstr(info->dlpi_name, "libmtoken")) return 0;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags & PF_X) {
            range[0] = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            range[1] = range[0] + info->dlpi_phdr[i].p_memsz;
        }
    return 1;
}

uint64_t call_stack(void)
{
    static uintptr_t library[2];
    way way = {14695981039346656037u, 0, 0, 0};
    if (!library[0]) dl_iterate_phdr(find_library, library);
    _Unwind_Backtrace(step, &way);
    while (way.frame && way.depth < DEEPEST && way.address >= library[0] && way.address < library[1]) {
        const uintptr_t *frame = (const uintptr_t *)way.frame;
        way.frame = frame[0];
        way.address = frame[1];
        pass(&way, way.address);
    }
    return way.hash;
}
