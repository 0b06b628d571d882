#define _GNU_SOURCE
#include "disk.h"

#include "harness.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DESCRIPTORS = 1024, VERSIONS = 8 };

/* -------------------------------------------------------------------------------------------------------- the log */

disk_event disk_log[DISK_EVENTS];
size_t disk_log_count;
disk_fault disk_fails;
static bool recording;
static size_t until_cut;
static bool is_cut;
static int file_count;
static int file_of[DESCRIPTORS]; /* 1 + the file, 0: none of ours */

typedef struct name {
    char name[64];
    int file;
} name;
static name now_named[DISK_FILES]; /* what is in the directory now */
static size_t now_count;

static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

disk_event *disk_add(disk_kind kind, int file, const char *name)
{
    if (disk_log_count == DISK_EVENTS || file_count == DISK_FILES) {
        fprintf(stderr, "too many events\n");
        exit(2);
    }
    disk_event *event = &disk_log[disk_log_count++];
    memset(event, 0, sizeof *event);
    event->kind = kind;
    event->file = file;
    if (name) snprintf(event->name, sizeof event->name, "%s", name);
    if (until_cut && --until_cut == 0) {
        is_cut = true;
        recording = false;
    }
    return event;
}

static size_t sectors_of(size_t size) { return (size + DISK_SECTOR - 1) / DISK_SECTOR; }

static void write_down(int file, const void *data, size_t size, size_t offset)
{
    disk_event *event = disk_add(WRITE, file, NULL);
    event->offset = offset;
    event->size = size;
    event->data = calloc(sectors_of(size) + 1, DISK_SECTOR); /* to whole sectors */
    memcpy(event->data, data, size);
}

/* The lock files hold nothing. */
static bool is_ours(const char *name) { return recording && strncmp(name, ".lock", 5) != 0 && !strchr(name, '/'); }

static int named(const char *name)
{
    for (size_t i = 0; i < now_count; i++)
        if (strcmp(now_named[i].name, name) == 0) return (int)i;
    return -1;
}

static void name_file(const char *name, int file)
{
    int place = named(name);
    if (place < 0) place = (int)now_count++;
    snprintf(now_named[place].name, sizeof now_named[place].name, "%s", name);
    now_named[place].file = file;
}

static void forget_name(const char *name)
{
    int place = named(name);
    if (place >= 0) now_named[place] = now_named[--now_count];
}

/* A file that is safe, whatever its form. */
static void begin_with(const char *folder, const char *name)
{
    static uint8_t data[1 << 22];
    char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = is_ours(name) && strcmp(name, ".") != 0 && strcmp(name, "..") != 0 ? fopen(path, "rb") : NULL;
    if (!file) return;
    size_t size = fread(data, 1, sizeof data, file);
    fclose(file);
    name_file(name, file_count);
    disk_add(CREATE, file_count, name);
    write_down(file_count, data, size, 0);
    disk_add(FLUSH, file_count++, NULL);
    disk_add(FLUSH_NAMES, 0, NULL);
}

void disk_stop(void)
{
    for (size_t i = 0; i < disk_log_count; i++) free(disk_log[i].data);
    disk_log_count = now_count = until_cut = 0;
    file_count = 0;
    disk_fails = NO_FAULT;
    recording = is_cut = false;
    memset(file_of, 0, sizeof file_of);
}

void disk_record(const char *folder)
{
    disk_stop();
    recording = true;
    DIR *directory = opendir(folder);
    for (struct dirent *entry; directory && (entry = readdir(directory)) != NULL;) begin_with(folder, entry->d_name);
    if (directory) closedir(directory);
}

void disk_pause(void) { recording = false; }

void disk_cut_after(size_t events) { until_cut = recording ? events : 0; }

bool disk_is_cut(void) { return is_cut; }

static bool strikes(disk_fault which)
{
    if (disk_fails != which) return false;
    disk_fails = NO_FAULT;
    errno = EIO;
    return true;
}

int openat(int folder, const char *name, int flags, ...)
{
    int (*next)(int, const char *, int, ...) = NULL;
    *(void **)&next = real("openat");
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    int descriptor = next(folder, name, flags, mode);
    if (descriptor < 0 || descriptor >= DESCRIPTORS || !is_ours(name) || flags & O_DIRECTORY) return descriptor;
    int place = named(name);
    if (flags & O_CREAT && (place < 0 || flags & O_TRUNC)) { /* a truncated file is another: what it held is gone */
        name_file(name, file_count);
        disk_add(CREATE, file_count++, name);
        place = named(name);
    }
    file_of[descriptor] = place < 0 ? 0 : 1 + now_named[place].file;
    return descriptor;
}

int close(int descriptor)
{
    int (*next)(int) = NULL;
    *(void **)&next = real("close");
    if (descriptor >= 0 && descriptor < DESCRIPTORS) file_of[descriptor] = 0;
    return next(descriptor);
}

static int file_behind(int descriptor)
{
    return recording && descriptor >= 0 && descriptor < DESCRIPTORS ? file_of[descriptor] - 1 : -1;
}

ssize_t pwrite(int descriptor, const void *data, size_t size, off_t offset)
{
    ssize_t (*next)(int, const void *, size_t, off_t) = NULL;
    *(void **)&next = real("pwrite");
    int file = file_behind(descriptor);
    if (file < 0) return next(descriptor, data, size, offset);
    if (strikes(NO_WRITE)) return -1;
    if (disk_fails == SHORT_WRITE && size > 3 * DISK_SECTOR) {
        size = 3 * DISK_SECTOR; /* and the rest fails */
        disk_fails = NO_WRITE;
    }
    ssize_t done = next(descriptor, data, size, offset);
    if (done > 0) write_down(file, data, (size_t)done, (size_t)offset);
    return done;
}

static int flush(const char *name, int descriptor)
{
    int (*next)(int) = NULL;
    struct stat facts;
    *(void **)&next = real(name);
    if (!recording || fstat(descriptor, &facts) != 0) return next(descriptor);
    if (S_ISDIR(facts.st_mode)) {
        if (strikes(NAMES_FAIL)) return -1;
        disk_add(FLUSH_NAMES, 0, NULL);
        return 0; /* this disk is only written down */
    }
    int file = file_behind(descriptor);
    if (file < 0) return next(descriptor);
    if (strikes(FLUSH_FAILS)) {
        disk_add(FLUSH_LOST, file, NULL);
        return -1;
    }
    disk_add(strikes(FLUSH_LIES) ? LIE : FLUSH, file, NULL);
    return 0;
}

int fsync(int descriptor) { return flush("fsync", descriptor); }
int fdatasync(int descriptor) { return flush("fdatasync", descriptor); }

int renameat(int from, const char *old, int to, const char *new)
{
    int (*next)(int, const char *, int, const char *) = NULL;
    *(void **)&next = real("renameat");
    if (is_ours(old) && strikes(RENAME_FAILS)) return -1;
    int result = next(from, old, to, new);
    if (result == 0 && is_ours(old) && named(old) >= 0) {
        int file = now_named[named(old)].file;
        snprintf(disk_add(RENAME, file, old)->other, sizeof disk_log->other, "%s", new);
        forget_name(old);
        name_file(new, file);
    }
    return result;
}

int unlinkat(int folder, const char *name, int flags)
{
    int (*next)(int, const char *, int) = NULL;
    *(void **)&next = real("unlinkat");
    int result = next(folder, name, flags);
    if (result == 0 && is_ours(name)) {
        disk_add(UNLINK, 0, name);
        forget_name(name);
    }
    return result;
}

/* ------------------------------------------------------------------------------------------------------- the disk */

/* A sector, and what it may hold after a cut. */
typedef struct sector {
    const uint8_t *versions[VERSIONS]; /* the first is sure; NULL: zeros */
    int count;
    bool dirty; /* the last of them is still to be written */
} sector;

typedef struct disk_file {
    sector *sectors;
    size_t count, length;
} disk_file;

static disk_file disk[DISK_FILES];
static name names[DISK_FILES]; /* those that are sure */
static size_t name_count;
static const disk_event *pending[DISK_FILES]; /* changes of names that are not flushed */
static size_t pending_count;

void disk_reset(void)
{
    for (int i = 0; i < DISK_FILES; i++) free(disk[i].sectors);
    memset(disk, 0, sizeof disk);
    name_count = pending_count = 0;
}

static void put_sector(sector *sector, const uint8_t *data)
{
    if (sector->count == VERSIONS) { /* the oldest of those that are not sure is given up */
        sector->count--;
        memmove(sector->versions + 1, sector->versions + 2, (VERSIONS - 2) * sizeof *sector->versions);
    }
    sector->versions[sector->count++] = data;
    sector->dirty = true;
}

static void change_names(const disk_event *event)
{
    for (size_t i = 0; i < name_count; i++)
        if (strcmp(names[i].name, event->kind == RENAME ? event->other : event->name) == 0)
            names[i--] = names[--name_count];
    if (event->kind == RENAME)
        for (size_t i = 0; i < name_count; i++)
            if (strcmp(names[i].name, event->name) == 0) names[i--] = names[--name_count];
    if (event->kind == UNLINK) return;
    snprintf(names[name_count].name, sizeof names->name, "%s", event->kind == RENAME ? event->other : event->name);
    names[name_count++].file = event->file;
}

void disk_apply(const disk_event *event)
{
    disk_file *file = &disk[event->file];
    switch (event->kind) {
    case WRITE: {
        size_t end = event->offset + event->size, count = sectors_of(end);
        if (!CHECK(event->offset % DISK_SECTOR == 0)) return;
        if (end > file->length) file->length = end;
        if (count > file->count) {
            file->sectors = realloc(file->sectors, count * sizeof *file->sectors);
            for (; file->count < count; file->count++) file->sectors[file->count] = (sector){{NULL}, 1, false};
        }
        for (size_t i = 0; i < sectors_of(event->size); i++)
            put_sector(&file->sectors[event->offset / DISK_SECTOR + i], event->data + i * DISK_SECTOR);
        break;
    }
    case FLUSH:
    case LIE:
    case FLUSH_LOST: /* the kernel takes the pages for clean, but nobody knows what was written */
        for (size_t i = 0; i < file->count; i++) {
            sector *sector = &file->sectors[i];
            if (sector->dirty && event->kind == FLUSH) {
                sector->versions[0] = sector->versions[sector->count - 1];
                sector->count = 1;
            }
            sector->dirty = false;
        }
        break;
    case CREATE:
    case RENAME:
    case UNLINK: pending[pending_count++] = event; break;
    case FLUSH_NAMES:
        for (size_t i = 0; i < pending_count; i++) change_names(pending[i]);
        pending_count = 0;
        break;
    case BEGIN:
    case RETURN:
    case FAIL: break;
    }
}

void disk_replay(size_t events)
{
    disk_reset();
    for (size_t i = 0; i < events; i++) disk_apply(&disk_log[i]);
}

/* The files' names after a cut, with the changes that a number or chance chooses; the rest of the number. */
static unsigned long long choose_names(unsigned long long choice, stream *random)
{
    for (size_t i = 0; i < pending_count; i++) {
        if (random ? below(random, 2) : choice % 2) change_names(pending[i]);
        choice /= 2;
    }
    return choice;
}

static unsigned long long lay_file_down(const char *path, const disk_file *file, unsigned long long choice,
                                        stream *random)
{
    uint8_t *image = calloc(file->count + 1, DISK_SECTOR);
    size_t size = file->length;
    int out = open(path, O_WRONLY | O_CREAT, 0600);
    for (size_t i = 0; i < file->count; i++) {
        const sector *sector = &file->sectors[i];
        unsigned count = (unsigned)sector->count;
        const uint8_t *version = sector->versions[random ? below(random, count) : choice % count];
        choice /= count;
        if (version) memcpy(image + i * DISK_SECTOR, version, DISK_SECTOR);
    }
    CHECK(out >= 0 && write(out, image, size) == (ssize_t)size && ftruncate(out, (off_t)size) == 0);
    close(out);
    free(image);
    return choice;
}

void disk_lay_down(const char *folder, const char *only, unsigned long long choice, stream *random)
{
    static name kept[DISK_FILES];
    char path[600];
    size_t kept_count = name_count;
    memcpy(kept, names, sizeof kept);
    bool found = false;
    choice = choose_names(choice, random);
    for (size_t i = 0; i < name_count; i++) {
        if (only && strcmp(names[i].name, only) != 0) continue;
        snprintf(path, sizeof path, "%s/%.63s", folder, names[i].name);
        choice = lay_file_down(path, &disk[names[i].file], choice, random);
        found = true;
    }
    if (only && !found) {
        snprintf(path, sizeof path, "%s/%s", folder, only);
        unlink(path);
    }
    name_count = kept_count;
    memcpy(names, kept, sizeof kept);
}

/* Whether a file may have the name after a cut. */
static bool may_be_found(const char *name, int file)
{
    for (size_t i = 0; i < name_count; i++)
        if (names[i].file == file && strcmp(names[i].name, name) == 0) return true;
    for (size_t i = 0; i < pending_count; i++)
        if (pending[i]->file == file && pending[i]->kind == RENAME) return true;
    return false;
}

unsigned long long disk_choices(const char *name, unsigned long long most)
{
    unsigned long long count = 1;
    for (size_t i = 0; i < pending_count && count <= most; i++) count *= 2;
    for (int file = 0; file < file_count; file++)
        for (size_t i = 0; may_be_found(name, file) && i < disk[file].count && count <= most; i++)
            count *= (unsigned)disk[file].sectors[i].count;
    return count > most ? most + 1 : count;
}
