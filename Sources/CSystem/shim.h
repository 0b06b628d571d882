/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of libc that Embedded Swift cannot import as a module, and inline shims for what is a macro or variadic. */
#ifndef MTOKEN_CSYSTEM_SHIM_H
#define MTOKEN_CSYSTEM_SHIM_H

#include <arpa/inet.h>
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/stat.h>
#include <malloc.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "plugin.h"

/* A variable of the environment; NULL in a program with more rights than its caller. */
extern char *secure_getenv(const char *name);
static inline char *mtoken_environment(const void *name) { return secure_getenv((const char *)name); }

static inline int mtoken_errno(void) { return errno; }

static inline int mtoken_open(const char *path, int flags, unsigned int mode) { return open(path, flags, (mode_t)mode); }

static inline int mtoken_openat(int directory, const char *path, int flags, unsigned int mode)
{
    return openat(directory, path, flags, (mode_t)mode);
}

/* The name of a directory's next regular file. NULL: there are no more (errno 0), or it cannot be read. */
static inline const char *mtoken_readdir_file(DIR *directory)
{
    struct dirent *entry;
    struct stat information;
    while (errno = 0, (entry = readdir(directory))) {
        if (entry->d_type == DT_REG)
            return entry->d_name;
        if (entry->d_type == DT_UNKNOWN
            && fstatat(dirfd(directory), entry->d_name, &information, AT_SYMLINK_NOFOLLOW) == 0
            && S_ISREG(information.st_mode))
            return entry->d_name;
    }
    return NULL;
}

/* The identity of a file, and whether it may be written in place. */
typedef struct mtoken_file_identity {
    uint64_t inode, size, born; /* a file's number is used again, soon */
    uint32_t born_nanoseconds, device_major, device_minor, links, owner, mode; /* no gap: it is compared byte by byte */
} mtoken_file_identity;

/* Not fstat, which asks for the times of changes too: since Linux 6.13 the write after that question records its time to the
   nanosecond, and with it a change of the inode, which takes half as long again as the write. 0, or -1 and errno. */
static inline int mtoken_identify_at(int directory, const char *name, mtoken_file_identity *identity)
{
    extern int statx(int, const char *, int, unsigned int, struct statx *);
    struct statx facts;
    memset(identity, 0, sizeof *identity);
    if (statx(directory, name, AT_SYMLINK_NOFOLLOW | 0x1000 /* AT_EMPTY_PATH */,
              STATX_TYPE | STATX_MODE | STATX_NLINK | STATX_UID | STATX_INO | STATX_SIZE | STATX_BTIME, &facts))
        return -1;
    identity->inode = facts.stx_ino;
    identity->born = (uint64_t)facts.stx_btime.tv_sec;
    identity->born_nanoseconds = facts.stx_btime.tv_nsec;
    identity->size = facts.stx_size;
    identity->device_major = facts.stx_dev_major;
    identity->device_minor = facts.stx_dev_minor;
    identity->links = facts.stx_nlink;
    identity->owner = facts.stx_uid;
    identity->mode = facts.stx_mode;
    return 0;
}

static inline int mtoken_identify(int file, mtoken_file_identity *identity)
{
    return mtoken_identify_at(file, "", identity);
}

/* The inode number of a descriptor's file; 0: it is closed. Safe in the child of a fork. */
static inline uint64_t mtoken_inode(int descriptor)
{
    mtoken_file_identity identity;
    return mtoken_identify(descriptor, &identity) == 0 ? identity.inode : 0;
}

/* The name "" means the descriptor itself. */
static inline int mtoken_is_identical(int directory, const char *name, mtoken_file_identity identity)
{
    mtoken_file_identity own;
    return mtoken_identify_at(directory, name, &own) == 0 && memcmp(&own, &identity, sizeof own) == 0;
}

/* Threads. */

/* An enumerator and a function that glibc hides from strict C. */
static const int mtoken_rwlock_prefers_writers = 2; /* PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP */
extern int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *, int);
extern int pthread_rwlock_clockwrlock(pthread_rwlock_t *, clockid_t, const struct timespec *);

/* Memory of this many bytes, zero now, and zero again in every child; NULL: the kernel (before Linux 4.14) has none. */
static inline void *mtoken_fork_wiped_memory(size_t size)
{
    extern int madvise(void *, size_t, int);
    void *memory = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | 0x20 /* MAP_ANONYMOUS */, -1, 0);
    if (memory == MAP_FAILED) return 0;
    if (madvise(memory, size, 18 /* MADV_WIPEONFORK */) == 0) return memory;
    munmap(memory, size);
    return 0;
}

/* A thread is a number in glibc and a pointer in musl, which gives it a stack too small for cryptography. */
static inline int mtoken_thread_start(uintptr_t *thread, void *(*run)(void *), void *context)
{
    const size_t enough = 1 << 20;
    pthread_attr_t attributes;
    pthread_t started;
    size_t stack = 0;
    int error = pthread_attr_init(&attributes);
    if (error) return error;
    pthread_attr_getstacksize(&attributes, &stack);
    if (stack < enough) pthread_attr_setstacksize(&attributes, enough);
    error = pthread_create(&started, &attributes, run, context);
    pthread_attr_destroy(&attributes);
    if (!error) *thread = (uintptr_t)started;
    return error;
}

static inline void mtoken_thread_join(uintptr_t thread) { pthread_join((pthread_t)thread, NULL); }

static inline uintptr_t mtoken_thread_current(void) { return (uintptr_t)pthread_self(); }

/* Names the calling thread; the kernel keeps 15 bytes. */
static inline void mtoken_thread_set_name(const char *name) { (void)prctl(PR_SET_NAME, name, 0, 0, 0); }

/* Blocks every signal for the calling thread but those that the thread raises itself by a fault, so that a host's
   crash handler still runs; answers 0 and the previous mask. */
static inline int mtoken_signals_block(sigset_t *previous)
{
    sigset_t all;
    sigfillset(&all);
    sigdelset(&all, SIGSEGV);
    sigdelset(&all, SIGBUS);
    sigdelset(&all, SIGFPE);
    sigdelset(&all, SIGILL);
    sigdelset(&all, SIGTRAP);
    sigdelset(&all, SIGSYS);
    return pthread_sigmask(SIG_BLOCK, &all, previous);
}

/* epoll: the event structure is packed and holds a union, so it is read and written here. Its events are enumerators in
   glibc and macros in musl. */

static const uint32_t mtoken_epoll_in = EPOLLIN, mtoken_epoll_out = EPOLLOUT, mtoken_epoll_broken = EPOLLERR | EPOLLHUP;

static inline int mtoken_epoll_control(int epoll, int operation, int descriptor, uint32_t events, void *pointer)
{
    struct epoll_event event;
    memset(&event, 0, sizeof event);
    event.events = events;
    event.data.ptr = pointer;
    return epoll_ctl(epoll, operation, descriptor, &event);
}

static inline uint32_t mtoken_epoll_events(const struct epoll_event *events, int index) { return events[index].events; }

static inline void *mtoken_epoll_pointer(const struct epoll_event *events, int index) { return events[index].data.ptr; }

/* Sockets. */

/* A socket that listens on the loopback address and nowhere else, and its port (asked for as 0: any that is free).
   -1 and errno if it cannot be had. */
static inline int mtoken_listen_loopback(int ipv6, uint16_t port, uint16_t *bound)
{
    struct sockaddr_in four;
    struct sockaddr_in6 six;
    struct sockaddr *address = ipv6 ? (struct sockaddr *)&six : (struct sockaddr *)&four;
    socklen_t size = ipv6 ? sizeof six : sizeof four;
    int on = 1;
    int listener = socket(ipv6 ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (listener < 0) return -1;
    memset(&four, 0, sizeof four);
    four.sin_family = AF_INET;
    four.sin_port = htons(port);
    four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    memset(&six, 0, sizeof six);
    six.sin6_family = AF_INET6;
    six.sin6_port = htons(port);
    six.sin6_addr = in6addr_loopback;
    if (setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) || bind(listener, address, size) ||
        listen(listener, 16) || getsockname(listener, address, &size)) {
        int error = errno;
        close(listener);
        errno = error;
        return -1;
    }
    *bound = ntohs(ipv6 ? six.sin6_port : four.sin_port);
    return listener;
}

/* A connection that waits, or -1 and errno. */
static inline int mtoken_accept(int listener)
{
    extern int accept4(int, struct sockaddr *, socklen_t *, int);
    return accept4(listener, 0, 0, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

/* Writes to a connection; a lost one raises no signal. */
static inline long mtoken_send(int connection, const void *bytes, size_t count)
{
    return send(connection, bytes, count, MSG_NOSIGNAL);
}

/* Locks (or unlocks) one byte of a file for this open file description; does not wait. 0, or -1 and errno. */
static inline int mtoken_lock_byte(int file, int64_t offset, int locked)
{
    struct flock lock;
    memset(&lock, 0, sizeof lock);
    lock.l_type = locked ? F_WRLCK : F_UNLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = offset;
    lock.l_len = 1;
    return fcntl(file, 37 /* F_OFD_SETLK */, &lock);
}

/* Reads a small regular file. Returns its length, or `room` if it is longer; -1 and errno. */
static inline ptrdiff_t mtoken_read_whole(const char *path, void *bytes, size_t room)
{
    struct stat information;
    size_t done = 0;
    ssize_t count = -1;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return -1;
    if (fstat(file, &information) == 0 && S_ISREG(information.st_mode)) {
        while (done < room && ((count = read(file, (char *)bytes + done, room - done)) > 0 || (count < 0 && errno == EINTR)))
            if (count > 0) done += (size_t)count;
    } else
        errno = EINVAL;
    int error = errno;
    close(file);
    errno = error;
    return count < 0 ? -1 : (ptrdiff_t)done;
}

/* The directory of this library as the kernel mapped it, without the slash; the loader may know it by a name that was
   relative to a directory which is another one now. 0: it cannot be told, or the file was removed or replaced. */
static inline size_t mtoken_own_directory(char *directory, size_t room)
{
    static const char here;
    char line[PATH_MAX + 128];
    unsigned long from, to;
    size_t length = 0;
    FILE *maps = fopen("/proc/self/maps", "re");
    while (maps && fgets(line, sizeof line, maps)) {
        if (sscanf(line, "%lx-%lx", &from, &to) != 2 || (uintptr_t)&here < from || (uintptr_t)&here >= to) continue;
        char *start = strchr(line, '/'), *end = strchr(line, '\n');
        if (!start || !end) break;
        *end = 0;
        char *slash = strrchr(start, '/');
        /* A line end in a name is written with a backslash. */
        if (strchr(start, '\\') || access(start, F_OK) != 0 || (size_t)(slash - start) >= room) break;
        length = (size_t)(slash - start);
        memcpy(directory, start, length);
        break;
    }
    if (maps) fclose(maps);
    directory[length] = 0;
    return length;
}

/* The plugin of a name, which stays loaded. NULL: there is none beside this library, or not one of this version; `why` says so. */
static inline const mtoken_plugin *mtoken_plugin_load(const char *name, char *why)
{
    char directory[PATH_MAX], path[PATH_MAX + 64];
    if (!mtoken_own_directory(directory, sizeof directory))
        return snprintf(why, MTOKEN_CAUSE_ROOM, "the place of the library is unknown"), (const mtoken_plugin *)NULL;
    snprintf(path, sizeof path, "%s/libmtoken-%s.so.1", directory, name);
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!handle) return snprintf(why, MTOKEN_CAUSE_ROOM, "%s", dlerror()), (const mtoken_plugin *)NULL;
    const mtoken_plugin *plugin = (const mtoken_plugin *)dlsym(handle, "mtoken_plugin_descriptor");
    if (plugin && plugin->magic == MTOKEN_PLUGIN_MAGIC && plugin->interface == MTOKEN_PLUGIN_INTERFACE
        && plugin->size == sizeof *plugin && plugin->name && strcmp(plugin->name, name) == 0 && plugin->open && plugin->seal
        && plugin->unseal && plugin->close)
        return plugin;
    snprintf(why, MTOKEN_CAUSE_ROOM, "libmtoken-%s.so.1 is no plugin of this version", name);
    dlclose(handle);
    return NULL;
}

/* Whether another open file description has locked one of so many bytes (0: any from there on);
 * -1: unknown. */
static inline int mtoken_is_locked(int file, int64_t offset, int64_t count)
{
    struct flock lock;
    memset(&lock, 0, sizeof lock);
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = offset;
    lock.l_len = count;
    if (fcntl(file, 36 /* F_OFD_GETLK */, &lock) != 0)
        return -1;
    return lock.l_type != F_UNLCK;
}

/* "libmtoken/... OpenSSL/... libcurl/... Jansson/...", in memory that is never freed; empty without memory. */
static inline const char *mtoken_versions_joined(const char *own, const char *openssl, const char *curl,
                                                 const char *jansson)
{
    static char *made;
    char *text = __atomic_load_n(&made, __ATOMIC_ACQUIRE), *none = NULL;
    if (text) return text;
    if (asprintf(&text, "libmtoken/%s OpenSSL/%s libcurl/%s Jansson/%s", own, openssl, curl, jansson) < 0) return "";
    if (__atomic_compare_exchange_n(&made, &none, text, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return text;
    free(text); /* another thread was faster */
    return none;
}

#endif
