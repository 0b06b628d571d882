/*
 * The memory of the process: how many blocks are in use, and requests that fail. A program that is linked with this has
 * malloc and its kin from here, for all libraries alike. Under valgrind, which brings its own, nothing is counted and
 * nothing fails.
 */
#ifndef MEMORY_H
#define MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Blocks in use: what was asked for and not given back. */
size_t memory_blocks(void);

/* Bytes of the blocks in use, and the most that there were since memory_peak_starts. */
size_t memory_bytes(void);
size_t memory_peak(void);
void memory_peak_starts(void);

/* From now on the nth request fails, and if `forever` all after it; 0: none does. */
void memory_fail(size_t nth, bool forever);

/* Looks at each block before it is given back; NULL: no more. For a process of one thread. */
void memory_watch_freed(void (*look)(const void *block, size_t size));

/* OpenSSL's and Jansson's requests for memory fail when this says so. To be called before either has asked for any. */
void memory_of_c_libraries(bool (*fails)(void));

/* Requests since memory_fail. */
size_t memory_requests(void);

/*
 * A number for the way that led to this call: the return addresses of the functions that are being executed, up to the
 * program that called the library. The code of the library has no tables to unwind by, but keeps frame pointers.
 */
uint64_t call_stack(void);

#endif
