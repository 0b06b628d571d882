/*
 * What a directory store asks of the kernel, and in which order: a power cut keeps what was flushed before it, and
 * nothing else is sure. The calls are seen because this program's functions of these names come before the C library's.
 * And what somebody reads who copies the directory between any two of them.
 */
#define _GNU_SOURCE
#include "plain.h"
#include "world.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STEPS = 4096 };

typedef enum { WRITE, FLUSH, RENAME, UNLINK, MAKE } kind;

/* A step, and the inode of what it was about: the file, or the directory whose names changed. */
typedef struct step {
    kind kind;
    ino_t inode;
} step;

static step steps[STEPS];
static size_t step_count;
static int failing = -1; /* the number of the flush, from now on, that fails */
static int flushes;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

/* Calls of the kernel in the course of a save, and the one that fails. */
static bool counting;
static int calls, failing_call = -1;
static bool failing_for_ever, flush_failed;

static bool struck(void)
{
    if (!counting) return false;
    int call = calls++;
    if (failing_call < 0 || (failing_for_ever ? call < failing_call : call != failing_call)) return false;
    errno = call % 2 ? ENOSPC : EIO;
    return true;
}

/* Looks at the files after each step; NULL: nobody does. */
static void (*spy)(void);

static void add(kind kind, ino_t inode)
{
    pthread_mutex_lock(&lock);
    if (step_count < STEPS) steps[step_count++] = (step){kind, inode};
    pthread_mutex_unlock(&lock);
}

static ssize_t seen(ssize_t result)
{
    int error = errno;
    if (spy) spy();
    errno = error;
    return result;
}

static ino_t inode_of(int descriptor)
{
    struct stat facts;
    return fstat(descriptor, &facts) == 0 ? facts.st_ino : 0;
}

static ino_t inode_at(const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0 ? facts.st_ino : 0;
}

/* What a lock file says ends with the processes that use it: it need not outlive a power cut. */
static bool is_lasting(int descriptor)
{
    struct stat facts;
    char link[32], name[512] = "";
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    if (readlink(link, name, sizeof name - 1) > 0 && strstr(name, "/.lock-")) return false;
    return fstat(descriptor, &facts) == 0 && S_ISREG(facts.st_mode);
}

int fsync(int descriptor)
{
    int (*next)(int) = NULL;
    *(void **)&next = real("fsync");
    if (struck()) {
        flush_failed = true;
        return -1;
    }
    if (flushes++ == failing) {
        errno = EIO;
        return -1;
    }
    add(FLUSH, inode_of(descriptor));
    return (int)seen(next(descriptor));
}

int fdatasync(int descriptor)
{
    int (*next)(int) = NULL;
    *(void **)&next = real("fdatasync");
    if (struck()) {
        flush_failed = true;
        return -1;
    }
    if (flushes++ == failing) {
        errno = EIO;
        return -1;
    }
    add(FLUSH, inode_of(descriptor));
    return (int)seen(next(descriptor));
}

ssize_t write(int descriptor, const void *data, size_t size)
{
    ssize_t (*next)(int, const void *, size_t) = NULL;
    *(void **)&next = real("write");
    if (is_lasting(descriptor)) add(WRITE, inode_of(descriptor));
    return next(descriptor, data, size);
}

ssize_t pwrite(int descriptor, const void *data, size_t size, off_t offset)
{
    ssize_t (*next)(int, const void *, size_t, off_t) = NULL;
    *(void **)&next = real("pwrite");
    if (struck()) return -1;
    if (counting && size > 1024) size = 1024; /* what is left comes in a second call, which may fail */
    if (is_lasting(descriptor)) add(WRITE, inode_of(descriptor));
    return seen(next(descriptor, data, size, offset));
}

ssize_t pread(int descriptor, void *data, size_t size, off_t offset)
{
    ssize_t (*next)(int, void *, size_t, off_t) = NULL;
    *(void **)&next = real("pread");
    return struck() ? -1 : next(descriptor, data, size, offset);
}

int renameat(int from, const char *old, int to, const char *new)
{
    int (*next)(int, const char *, int, const char *) = NULL;
    *(void **)&next = real("renameat");
    if (struck()) return -1;
    int result = next(from, old, to, new);
    if (result == 0) add(RENAME, inode_of(to));
    return (int)seen(result);
}

int unlinkat(int directory, const char *name, int flags)
{
    int (*next)(int, const char *, int) = NULL;
    *(void **)&next = real("unlinkat");
    if (struck()) return -1;
    int result = next(directory, name, flags);
    if (result == 0) add(UNLINK, inode_of(directory));
    return (int)seen(result);
}

int openat(int folder, const char *name, int flags, ...)
{
    int (*next)(int, const char *, int, ...) = NULL;
    *(void **)&next = real("openat");
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return struck() ? -1 : next(folder, name, flags, mode);
}

int fstatat(int folder, const char *name, struct stat *facts, int flags)
{
    int (*next)(int, const char *, struct stat *, int) = NULL;
    *(void **)&next = real("fstatat");
    return struck() ? -1 : next(folder, name, facts, flags);
}

int statx(int file, const char *name, int flags, unsigned mask, struct statx *facts)
{
    int (*next)(int, const char *, int, unsigned, struct statx *) = NULL;
    *(void **)&next = real("statx");
    return struck() ? -1 : next(file, name, flags, mask, facts);
}

int fchmod(int file, mode_t mode)
{
    int (*next)(int, mode_t) = NULL;
    *(void **)&next = real("fchmod");
    return struck() ? -1 : next(file, mode);
}

int mkdir(const char *path, mode_t mode)
{
    int (*next)(const char *, mode_t) = NULL;
    *(void **)&next = real("mkdir");
    int result = next(path, mode);
    char parent[512];
    snprintf(parent, sizeof parent, "%s", path);
    size_t end = strlen(parent);
    while (end > 1 && parent[end - 1] == '/') parent[--end] = 0;
    char *slash = strrchr(parent, '/');
    if (result == 0) {
        if (slash) *(slash == parent ? slash + 1 : slash) = 0;
        add(MAKE, inode_at(slash ? parent : "."));
    }
    return result;
}

static void forget_steps(void)
{
    step_count = 0;
    flushes = 0;
    failing = -1;
}

/* What a power cut now could take away: contents and names that were changed and not flushed since. */
static int unsafe(void)
{
    int count = 0;
    for (size_t i = 0; i < step_count; i++) {
        if (steps[i].kind == FLUSH) continue;
        bool flushed = false;
        for (size_t k = i + 1; k < step_count; k++)
            flushed |= steps[k].kind == FLUSH && steps[k].inode == steps[i].inode;
        count += !flushed;
    }
    return count;
}

static size_t count_of(kind kind)
{
    size_t count = 0;
    for (size_t i = 0; i < step_count; i++) count += steps[i].kind == kind;
    return count;
}

/* A file takes its name only after its contents are safe: else a cut could leave the name of nothing. */
static void names_come_after_contents(void)
{
    for (size_t i = 0; i < step_count; i++) {
        if (steps[i].kind != RENAME) continue;
        bool safe = false;
        for (size_t k = 0; k < i; k++) {
            if (steps[k].kind == WRITE) safe = false;
            if (steps[k].kind == FLUSH) safe = true;
        }
        CHECK(safe);
    }
}

static world open_world(const char *folder)
{
    world world = world_open();
    mtoken_client_free(world.client);
    mtoken_store_free(world.store);
    CHECK_OK(mtoken_store_directory_new(folder, MTOKEN_NUL_TERMINATED, &world.store, NULL));
    world.client = bank_client(world.bank, world.store);
    return world;
}

/* When a call is back, all that it stored outlives a power cut: contents and names. */
static void what_is_saved_is_safe(void)
{
    char folder[256], state[300];
    make_directory(folder, sizeof folder);
    snprintf(state, sizeof state, "%s/state", folder);
    forget_steps();
    world world = open_world(state);
    CHECK_INT(count_of(MAKE), 1);
    CHECK_INT(unsafe(), 0); /* the directory's own name too */
    forget_steps();
    CHECK_OK(bank_activate(world.bank, world.client, PIN, NULL));
    CHECK(count_of(WRITE) > 0 && count_of(FLUSH) > 0);
    CHECK_INT(unsafe(), 0);
    names_come_after_contents();
    for (int i = 0; i < 3; i++) {
        forget_steps();
        CHECK(world_signs(&world, &world.pin));
        CHECK(count_of(WRITE) > 0);
        if (i > 0) CHECK_INT(count_of(FLUSH), 1); /* a slot, whatever the size of the state */
        CHECK_INT(unsafe(), 0);
        names_come_after_contents();
    }
    forget_steps();
    CHECK_OK(mtoken_client_remove_local(world.client, NULL));
    CHECK(count_of(UNLINK) >= 1);
    CHECK_INT(unsafe(), 0); /* what was removed does not come back */
    world_close(&world);
    remove_directory(folder);
}

static mtoken_status signs_while_counting(world *world, int nth, bool for_ever)
{
    mtoken_header *header = NULL;
    mtoken_error *error = NULL;
    failing_call = nth;
    failing_for_ever = for_ever;
    calls = 0;
    flush_failed = false;
    counting = true;
    mtoken_status status = brief_sign(world->client, "POST", "/x", bytes("{}"), &world->pin, &header, &error);
    counting = false;
    CHECK((header != NULL) == (status == MTOKEN_OK));
    if (header) {
        CHECK(bank_accepts(world->bank, header->value, "POST", "/x", "{}", 2, NULL));
        CHECK_OK(mtoken_client_signature_accepted(world->client, NULL));
    }
    mtoken_header_free(header);
    mtoken_error_free(error);
    return status;
}

static void open_again(world *world)
{
    mtoken_client_free(world->client);
    world->client = bank_client(world->bank, world->store);
}

/*
 * Each call of the kernel in a save fails, once or with all after it: no signature leaves that is not stored, and what
 * was stored before is there. The first save after opening makes the file anew, the second overwrites a slot of it.
 */
static void calls_that_fail_are_survived(void)
{
    char folder[256], state[300];
    int refused = 0;
    make_directory(folder, sizeof folder);
    snprintf(state, sizeof state, "%s/state", folder);
    world world = open_world(state);
    CHECK_OK(bank_activate(world.bank, world.client, PIN, NULL));
    for (int before = 0; before < 2; before++) {
        int usual = 1;
        for (int nth = -1; nth < usual; nth++) {
            for (int for_ever = 0; for_ever < 2; for_ever++) {
                open_again(&world);
                for (int i = 0; i < before; i++) CHECK(world_signs(&world, &world.pin));
                mtoken_status status = signs_while_counting(&world, nth, for_ever);
                CHECK(status == MTOKEN_OK || (status == MTOKEN_ERROR_STORAGE && nth >= 0));
                CHECK(status != MTOKEN_OK || !flush_failed);
                if (nth < 0) usual = calls;
                refused += status != MTOKEN_OK;
                if (nth % 2) open_again(&world);
                CHECK(world_signs(&world, &world.pin));
                CHECK(world_signs(&world, &world.pin));
            }
        }
        note("%d calls%s", usual, before ? " of a slot" : "");
        CHECK(usual > (before ? 5 : 10));
    }
    CHECK_INT(world.bank->reused, 0);
    CHECK(refused > 20);
    world_close(&world);
    remove_directory(folder);
}

/* Paths whose parent is told in different ways. */
static void parents_are_found(void)
{
    char folder[256], path[400], back[1024];
    make_directory(folder, sizeof folder);
    CHECK(getcwd(back, sizeof back) != NULL);
    CHECK_INT(chdir(folder), 0);
    const char *const paths[] = {"one", "two/", "./three", "one/four", ".//five//"};
    for (size_t i = 0; i < 5; i++) {
        mtoken_store *store = NULL;
        forget_steps();
        CHECK_OK(mtoken_store_directory_new(paths[i], MTOKEN_NUL_TERMINATED, &store, NULL));
        CHECK_INT(count_of(MAKE), 1);
        CHECK_INT(unsafe(), 0);
        mtoken_store_free(store);
        forget_steps();
        CHECK_OK(mtoken_store_directory_new(paths[i], MTOKEN_NUL_TERMINATED, &store, NULL));
        CHECK_INT(step_count, 0); /* it was there */
        mtoken_store_free(store);
    }
    CHECK_INT(chdir(back), 0);
    snprintf(path, sizeof path, "%s/one/four", folder);
    remove_directory(path);
    const char *const rest[] = {"one", "two", "three", "five"};
    for (size_t i = 0; i < 4; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, rest[i]);
        remove_directory(path);
    }
    remove_directory(folder);
}

/* ------------------------------------------------------------------------------------------------------- the lock file
 */

static void refuses_to_store(world *world)
{
    mtoken_header *header = NULL;
    mtoken_error *error = NULL;
    mtoken_status status = brief_sign(world->client, "POST", "/x", bytes(NULL), &world->pin, &header, &error);
    if (CHECK_STATUS(status, MTOKEN_ERROR_STORAGE)) CHECK_TEXT(error->reason, "storageLockLost");
    CHECK(header == NULL);
    mtoken_error_free(error);
}

/* The one lock file of a store with one client. */
static void find_lock_file(const char *folder, char *path, size_t size)
{
    DIR *listing = opendir(folder);
    struct dirent *entry;
    int found = 0;
    while (listing && (entry = readdir(listing)))
        if (strncmp(entry->d_name, ".lock", 5) == 0) {
            snprintf(path, size, "%s/%s", folder, entry->d_name);
            found++;
        }
    CHECK_INT(found, 1);
    if (listing) closedir(listing);
}

/* Somebody removes, replaces or empties the lock file: from then on it keeps nobody out, and whoever relied on it
 * stops. */
static void a_lost_lock_is_noticed(void)
{
    char folder[256], state[300], path[600], other[340];
    make_directory(folder, sizeof folder);
    snprintf(state, sizeof state, "%s/state", folder);
    snprintf(other, sizeof other, "%s/.other", state);
    world world = open_world(state);
    find_lock_file(state, path, sizeof path);
    CHECK_OK(bank_activate(world.bank, world.client, PIN, NULL));
    for (int how = 0; how < 4; how++) {
        CHECK(world_signs(&world, &world.pin));
        if (how == 0) {
            CHECK_INT(unlink(path), 0); /* gone */
        } else if (how == 1) {
            int file = open(other, O_RDWR | O_CREAT, 0600); /* another in its place */
            CHECK(file >= 0);
            close(file);
            CHECK_INT(rename(other, path), 0);
        } else if (how == 2) {
            CHECK_INT(truncate(path, 0), 0);
        } else {
            CHECK_INT(unlink(path), 0);
            CHECK_INT(symlink(state, path), 0);
        }
        refuses_to_store(&world);
        if (how == 3) {
            CHECK_INT(unlink(path), 0);
            refuses_to_store(&world);
        }
        /* Another process, of which there may be one by now, takes the activation, and this one is kept out. */
        mtoken_store *second = NULL;
        mtoken_client *taken = NULL, *again = NULL;
        CHECK_OK(mtoken_store_directory_new(state, MTOKEN_NUL_TERMINATED, &second, NULL));
        mtoken_client_options options = bank_client_options(world.bank, second);
        CHECK_OK(mtoken_client_new(world.runtime, &options, &taken, NULL));
        refuses_to_store(&world);
        CHECK_STATUS(mtoken_client_remove_local(world.client, NULL), MTOKEN_ERROR_STORAGE); /* it is the other's */
        mtoken_client_free(world.client);
        options.store = world.store;
        CHECK_STATUS(mtoken_client_new(world.runtime, &options, &again, NULL), MTOKEN_ERROR_BUSY);
        world.client = taken;
        CHECK(world_signs(&world, &world.pin)); /* it goes on from what was stored */
        mtoken_client_free(taken);
        /* With the old store, too, since it locks the file that is there now. */
        CHECK_OK(mtoken_client_new(world.runtime, &options, &world.client, NULL));
        CHECK(world_signs(&world, &world.pin));
        mtoken_store_free(second);
    }
    world_close(&world);
    remove_directory(state);
    remove_directory(folder);
}

/* ---------------------------------------------------------------------------------- what can be tried without a server
 */

/* Somebody has copied a directory, and tries PINs on it: with the device secret, which lies there, each state can be
 * opened. One lock of a key opens with every PIN. Two locks of the same key tell both PINs. */
enum { LOCKS = 16, LOCK = 16 + 16 + 4, LOCKS_SIZE = 288 };

static struct {
    const char *folder;
    buffer secret;
    struct {
        uint8_t bytes[LOCKS_SIZE]; /* all that is locked; of 3.x the knowledge key, its salt and iterations first */
        size_t size;
    } locks[LOCKS];
    size_t count, least, most; /* now, and at any time */
    unsigned looks;
} thief;

static bool read_file(const char *folder, const char *name, buffer *content)
{
    char path[700];
    uint8_t piece[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    if (!file) return false;
    for (size_t size; (size = fread(piece, 1, sizeof piece, file)) > 0;) buffer_add(content, piece, size);
    fclose(file);
    return true;
}

/* Takes the locks out of a state, if the bytes are one. */
static void try_state(const uint8_t *bytes, size_t size)
{
    static const char magic[] = "MTKS\1", label[] = "libmtoken state encryption";
    uint8_t key[32], locks[LOCKS_SIZE] = {0};
    buffer plain = {NULL, 0};
    if (size < 53 || memcmp(bytes, magic, 5) != 0) return;
    hmac(thief.secret.data, thief.secret.size, label, strlen(label), key);
    if (!aes_decrypt(key, bytes + 5, bytes + 21, size - 53, true, &plain)) return;
    bool is_4 = plain.size > 303 && plain.data[4] == 4, is_3 = plain.size > 112 && plain.data[4] < 4;
    if (is_3 && plain.data[5] == 1) {
        memcpy(locks, plain.data + 48, 16);      /* knowledge */
        memcpy(locks + 16, plain.data + 96, 16); /* salt */
        memcpy(locks + 32, plain.data + 8, 4);   /* iterations */
        memcpy(locks + LOCK, plain.data + 64, 16);
    }
    if (is_4) memcpy(locks, plain.data + 15 + 80, 208); /* from the key of the PIN to that of biometry */
    bool known = !is_3 && !is_4;
    for (size_t i = 0; i < thief.count; i++) known |= memcmp(thief.locks[i].bytes, locks, sizeof locks) == 0;
    if (!known && thief.count < LOCKS) memcpy(thief.locks[thief.count++].bytes, locks, sizeof locks);
    buffer_clear(&plain);
}

/* A slot's content, without what ends each sector: as it is, and as the key of the file opens it. */
static void try_slot(const uint8_t *bytes, size_t size, const uint8_t key[16])
{
    static const uint8_t iv[16];
    buffer packed = {NULL, 0}, plain = {NULL, 0};
    for (size_t at = 0; at + 512 <= size; at += 512) buffer_add(&packed, bytes + at, 504);
    size_t length = packed.size < 48 ? 0 : packed.data[36] | (size_t)packed.data[37] << 8;
    if (length && 48 + (length + 15) / 16 * 16 <= packed.size) {
        try_state(packed.data + 48, length);
        if (aes_decrypt(key, iv, packed.data + 48, (length + 15) / 16 * 16, false, &plain))
            try_state(plain.data, length);
    }
    buffer_clear(&packed);
    buffer_clear(&plain);
}

static void try_file(const char *folder, const char *name)
{
    buffer content = {NULL, 0};
    if (read_file(folder, name, &content) && content.size > 64) {
        try_state(content.data, content.size);
        for (size_t at = 0; at < content.size; at += 4096)
            try_slot(content.data + at, content.size - at, content.data + 48);
    }
    buffer_clear(&content);
}

/* Reads every file as it is now. */
static void steal(void)
{
    DIR *folder = opendir(thief.folder);
    thief.count = 0;
    thief.looks++;
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (strncmp(entry->d_name, ".lock", 5) != 0) try_file(thief.folder, entry->d_name);
    if (folder) closedir(folder);
    if (thief.count > thief.most) thief.most = thief.count;
    if (thief.count < thief.least) thief.least = thief.count;
}

static void change_to(world *world, const char *pin)
{
    mtoken_task *task = NULL;
    CHECK_OK(mtoken_client_change_pin(world->client, world->pin.pin.data, world->pin.pin.length, (const uint8_t *)pin,
                                      strlen(pin), &task, NULL));
    CHECK_OK(bank_finish_free(world->bank, task));
    world->pin.pin = bytes(pin);
    CHECK(world_settles(world));
}

/* No change of a lock ever leaves the one before beside the new one, at no moment: not in a slot, nor in another file.
 */
static void no_moment_has_two_locks(void)
{
    static const uint8_t BIOMETRY[16] = "biometry of 16 b", EXTERNAL[16] = "external key 16b";
    char folder[256], state[300];
    make_directory(folder, sizeof folder);
    snprintf(state, sizeof state, "%s/state", folder);
    world world = open_world(state);
    CHECK_OK(bank_activate(world.bank, world.client, PIN, NULL));
    CHECK(world_signs(&world, &world.pin));
    memset(&thief, 0, sizeof thief);
    thief.folder = state;
    CHECK(read_file(state, "alice.key", &thief.secret));
    steal();
    CHECK_INT(thief.count, 1); /* it knows how */
    thief.least = 1;
    spy = steal;
    change_to(&world, "135790");
    CHECK_INT(thief.most, 1);
    /* Right after the state was opened, when no file is known to be whole; and each other change of a lock. */
    open_again(&world);
    CHECK_OK(mtoken_client_add_external_key(world.client, EXTERNAL, 16, NULL));
    CHECK(world_signs(&world, &world.pin));
    CHECK_OK(mtoken_client_remove_external_key(world.client, NULL));
    mtoken_task *task = NULL;
    CHECK_OK(mtoken_client_add_biometry(world.client, BIOMETRY, 16, NULL, 0, &world.pin, &task, NULL));
    CHECK_OK(bank_finish_free(world.bank, task));
    CHECK_OK(mtoken_client_add_biometry(world.client, BIOMETRY, 16, "card", 4, &world.pin, &task, NULL));
    CHECK_OK(bank_finish_free(world.bank, task));
    CHECK_OK(mtoken_client_remove_biometry(world.client, "card", 4, &task, NULL));
    CHECK_OK(bank_finish_free(world.bank, task));
    CHECK_INT(thief.most, 1);
    /* A save that fails in the middle of a change leaves one of the two, and so does the next one. */
    for (int i = 0; i < 4; i++) {
        forget_steps();
        failing = i;
        mtoken_status status = i % 2 ? mtoken_client_remove_external_key(world.client, NULL)
                                     : mtoken_client_add_external_key(world.client, EXTERNAL, 16, NULL);
        forget_steps();
        CHECK_KNOWN(status);
        CHECK(world_signs(&world, &world.pin));
    }
    CHECK(thief.looks > 40);
    CHECK(thief.least == 1 && thief.most == 1); /* nor does the state ever lose its lock */
    spy = NULL;
    buffer_clear(&thief.secret);
    world_close(&world);
    remove_directory(folder);
}

/* ------------------------------------------------------------------------------------------- a directory in its place
 */

/* The directory is moved away while it is open: as long as nothing else has its name, nobody else finds the activation.
 */
static void another_directory_is_noticed(void)
{
    char folder[256], state[300], away[300], here[512];
    make_directory(folder, sizeof folder);
    snprintf(state, sizeof state, "%s/state", folder);
    snprintf(away, sizeof away, "%s/away", folder);
    CHECK(getcwd(here, sizeof here) != NULL);
    for (int relative = 0; relative < 2; relative++) {
        CHECK_INT(chdir(folder), 0);
        world world = open_world(relative ? "state" : state);
        CHECK_INT(chdir("/"), 0);
        CHECK_OK(bank_activate(world.bank, world.client, PIN, NULL));
        CHECK_INT(rename(state, away), 0);
        CHECK(world_signs(&world, &world.pin));
        CHECK_INT(mkdir(state, 0700), 0);
        refuses_to_store(&world);
        CHECK_INT(rmdir(state), 0);
        CHECK_INT(rename(away, state), 0);
        CHECK(world_signs(&world, &world.pin));
        world_close(&world);
        remove_directory(state);
    }
    CHECK_INT(chdir(here), 0);
    remove_directory(folder);
}

/* What lies where the temporary file is to be: it is not written to, nor waited for. */
static void a_trap_for_a_temporary_file_is_removed(void)
{
    char folder[256], state[300], trap[340], victim[300], found[16] = "";
    make_directory(folder, sizeof folder);
    snprintf(state, sizeof state, "%s/state", folder);
    snprintf(trap, sizeof trap, "%s/.alice.state.tmp", state);
    snprintf(victim, sizeof victim, "%s/victim", folder);
    world world = open_world(state);
    CHECK_OK(bank_activate(world.bank, world.client, PIN, NULL));
    for (int how = 0; how < 3; how++) {
        open_again(&world);
        FILE *file = fopen(victim, "w");
        CHECK(file && fputs("mine", file) >= 0 && fclose(file) == 0);
        CHECK_INT(how == 0 ? mkfifo(trap, 0600) : how == 1 ? link(victim, trap) : symlink(victim, trap), 0);
        CHECK(world_signs(&world, &world.pin)); /* makes the file anew */
        CHECK(access(trap, F_OK) != 0);
        file = fopen(victim, "r");
        CHECK(file && fgets(found, sizeof found, file) && fclose(file) == 0);
        CHECK_TEXT(found, "mine");
        remove(victim);
    }
    world_close(&world);
    remove_directory(state);
    remove_directory(folder);
}

/* ------------------------------------------------------------------------------------------------------ who is waited
 * for
 */

typedef struct opening {
    world *world;
    const char *id;
    mtoken_status status;
    volatile bool is_over;
} opening;

static void *open_other(void *context)
{
    opening *opening = context;
    mtoken_client_options options = bank_client_options(opening->world->bank, opening->world->store);
    mtoken_client *client = NULL;
    options.id = text(opening->id);
    opening->status = mtoken_client_new(opening->world->runtime, &options, &client, NULL);
    mtoken_client_free(client);
    __sync_synchronize();
    opening->is_over = true;
    return NULL;
}

/* The number of a client's lock file: FNV-1a, as docs/architecture.md has it. */
static unsigned lock_number(const char *id)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (; *id; id++) hash = (hash ^ (uint8_t)*id) * 0x100000001b3u;
    return (unsigned)(hash % 256);
}

/* Somebody holds the table of a lock file, and was stopped: clients of other files go on. */
static void a_stopped_process_holds_up_its_own_file_only(void)
{
    char folder[256], state[300], path[340];
    make_directory(folder, sizeof folder);
    snprintf(state, sizeof state, "%s/state", folder);
    world world = open_world(state);
    CHECK_OK(bank_activate(world.bank, world.client, PIN, NULL));
    CHECK(lock_number("alice") != lock_number("bob"));
    snprintf(path, sizeof path, "%s/.lock-%u", state, lock_number("bob"));
    int file = open(path, O_RDWR | O_CREAT, 0600);
    struct flock table = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)1 << 61, .l_len = 1};
    CHECK_INT(fcntl(file, F_OFD_SETLK, &table), 0); /* as good as another process's */
    opening opening = {&world, "bob", MTOKEN_OK, false};
    pthread_t thread;
    CHECK_INT(pthread_create(&thread, NULL, open_other, &opening), 0);
    /* It waits as soon as it has joined the file: its byte is locked. */
    for (bool joined = false; !joined;) {
        struct flock any = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)1 << 62, .l_len = 0};
        CHECK_INT(fcntl(file, F_OFD_GETLK, &any), 0);
        joined = any.l_type != F_UNLCK;
    }
    CHECK(world_signs(&world, &world.pin));
    open_again(&world);
    CHECK(world_signs(&world, &world.pin));
    CHECK(!opening.is_over);
    close(file);
    CHECK_INT(pthread_join(thread, NULL), 0);
    CHECK_INT(opening.status, MTOKEN_OK);
    world_close(&world);
    remove_directory(state);
    remove_directory(folder);
}

static const test tests[] = {
    {"another directory is noticed", another_directory_is_noticed},
    {"a trap for a temporary file is removed", a_trap_for_a_temporary_file_is_removed},
    {"a stopped process holds up its own file only", a_stopped_process_holds_up_its_own_file_only},
    {"no moment has two locks", no_moment_has_two_locks},
    {"what is saved is safe", what_is_saved_is_safe},
    {"calls that fail are survived", calls_that_fail_are_survived},
    {"parents are found", parents_are_found},
    {"a lost lock is noticed", a_lost_lock_is_noticed},
};

int main(int argc, char **argv)
{
    after_each = no_handles_left;
    return RUN(tests);
}
