/*
 * The power is cut, at any instant of long lives of saves. This program's functions stand in for those of the C library
 * and write down what a directory store asks of the kernel. Each beginning of that log is then replayed, with every
 * choice of what of the unflushed reached the disk, sector by sector: the store gives the last state whose save had
 * returned, or a newer one whose save had begun; never an older one, never one that nobody saved, never none.
 *
 * MTOKEN_LIVES and MTOKEN_CHOICES set how many lives there are and how many choices a point has at most.
 */
#define _GNU_SOURCE
#include "plain.h"
#include "random.h"

#include <testing/mtoken_testing.h>

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { SECTOR = 512, EVENTS = 4096, FILES = 256, DESCRIPTORS = 1024, SAVES = 1 << 16, VERSIONS = 8 };

/* -------------------------------------------------------------------------------------------------------- the log */

typedef enum { CREATE, WRITE, FLUSH, FLUSH_LOST, LIE, RENAME, UNLINK, FLUSH_NAMES, BEGIN, RETURN, FAIL } kind;

typedef struct event {
    kind kind;
    int file;       /* of CREATE, WRITE, FLUSH; BEGIN, RETURN and FAIL: the number of the save */
    char name[64];  /* of CREATE, RENAME (the old one), UNLINK */
    char other[64]; /* the new name */
    size_t offset, size;
    uint8_t *data;
} event;

static event events[EVENTS];
static size_t event_count;
static bool recording;
static int file_count;
static int file_of[DESCRIPTORS]; /* 1 + the file, 0: none of ours */
static struct {
    char name[64];
    int file;
} now_named[FILES]; /* what is in the directory now */
static size_t now_count;
static char directory[300];

static enum { NO_FAULT, SHORT_WRITE, NO_WRITE, FLUSH_FAILS, FLUSH_LIES, RENAME_FAILS, NAMES_FAIL, FAULTS } fault;

static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

static event *add(kind kind, int file, const char *name)
{
    if (event_count == EVENTS) {
        fprintf(stderr, "too many events\n");
        exit(2);
    }
    event *event = &events[event_count++];
    memset(event, 0, sizeof *event);
    event->kind = kind;
    event->file = file;
    if (name) snprintf(event->name, sizeof event->name, "%s", name);
    return event;
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

static bool strikes(unsigned which)
{
    if ((unsigned)fault != which) return false;
    fault = NO_FAULT;
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
        add(CREATE, file_count++, name);
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
    if (fault == SHORT_WRITE && size > 3 * SECTOR) {
        size = 3 * SECTOR; /* and the rest fails */
        fault = NO_WRITE;
    }
    ssize_t done = next(descriptor, data, size, offset);
    if (done > 0) {
        event *event = add(WRITE, file, NULL);
        event->offset = (size_t)offset;
        event->size = (size_t)done;
        event->data = malloc(event->size);
        memcpy(event->data, data, event->size);
    }
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
        add(FLUSH_NAMES, 0, NULL);
        return 0; /* this disk is only written down */
    }
    int file = file_behind(descriptor);
    if (file < 0) return next(descriptor);
    if (strikes(FLUSH_FAILS)) {
        add(FLUSH_LOST, file, NULL);
        return -1;
    }
    if (strikes(FLUSH_LIES)) {
        add(LIE, file, NULL);
        return 0;
    }
    add(FLUSH, file, NULL);
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
        snprintf(add(RENAME, file, old)->other, sizeof events->other, "%s", new);
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
        add(UNLINK, 0, name);
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
    size_t count;
} disk_file;

typedef struct name {
    char name[64];
    int file;
} name;

static disk_file disk[FILES];
static name names[FILES]; /* those that are sure */
static size_t name_count;
static const event *pending[FILES]; /* changes of names that are not flushed */
static size_t pending_count;

static void reset_disk(void)
{
    for (int i = 0; i < FILES; i++) free(disk[i].sectors);
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

static void change_names(const event *event)
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

static void apply(const event *event)
{
    disk_file *file = &disk[event->file];
    switch (event->kind) {
    case WRITE: {
        size_t end = event->offset + event->size, count = (end + SECTOR - 1) / SECTOR;
        if (!CHECK(event->offset % SECTOR == 0 && event->size % SECTOR == 0)) return;
        if (count > file->count) {
            file->sectors = realloc(file->sectors, count * sizeof *file->sectors);
            for (; file->count < count; file->count++) file->sectors[file->count] = (sector){{NULL}, 1, false};
        }
        for (size_t i = 0; i < event->size / SECTOR; i++)
            put_sector(&file->sectors[event->offset / SECTOR + i], event->data + i * SECTOR);
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

static stream chance;

static unsigned random_below(unsigned bound) { return below(&chance, bound); }

/* ---------------------------------------------------------------------------------------------------- what is saved */

/* State number n: its number, and filler that follows from it. 0: none. */
static size_t size_of[SAVES];

static void fill(uint8_t *data, int number)
{
    uint32_t value = (uint32_t)number * 2654435761u;
    for (size_t i = 0; i < size_of[number]; i++) {
        value = value * 1664525u + 1013904223u;
        data[i] = (uint8_t)(value >> 24);
    }
    memcpy(data, &number, sizeof number);
}

enum { NOTHING = 0, FOREIGN = -1 };

/* Which state a store gives. */
static int state_in(mtoken_store *store)
{
    static uint8_t expected[1 << 20];
    mtoken_testing_data *data = NULL;
    int number = FOREIGN;
    mtoken_status status = mtoken_testing_store_read(store, text("alice.state").data, 11, &data, NULL);
    if (status == MTOKEN_ERROR_NOT_FOUND) return NOTHING;
    if (status == MTOKEN_OK && data->length >= sizeof number) {
        memcpy(&number, data->bytes, sizeof number);
        if (number <= 0 || number >= SAVES || size_of[number] != data->length)
            number = FOREIGN;
        else {
            fill(expected, number);
            if (memcmp(expected, data->bytes, data->length) != 0) number = FOREIGN;
        }
    }
    mtoken_testing_data_free(data);
    return number;
}

/* -------------------------------------------------------------------------------------------------------- the cuts */

/* A disk after a cut: its own directory, with the one file that matters. */
static struct {
    char path[320], file[340];
    mtoken_store *directory, *store;
    uint8_t *image;
    long looks;
} after;

/* Lays the file down as one choice of what was written: the digits of a number, or random ones. */
static void lay_down(unsigned long long choice, bool random)
{
    name kept[FILES];
    size_t kept_count = name_count;
    memcpy(kept, names, sizeof kept);
    for (size_t i = 0; i < pending_count; i++) {
        if (random ? random_below(2) : choice % 2) change_names(pending[i]);
        choice /= 2;
    }
    int file = -1;
    for (size_t i = 0; i < name_count; i++)
        if (strcmp(names[i].name, "alice.state") == 0) file = names[i].file;
    name_count = kept_count;
    memcpy(names, kept, sizeof kept);
    if (file < 0) {
        unlink(after.file);
        return;
    }
    const disk_file *chosen = &disk[file];
    for (size_t i = 0; i < chosen->count; i++) {
        const sector *sector = &chosen->sectors[i];
        size_t version = random ? random_below((unsigned)sector->count) : choice % (unsigned)sector->count;
        choice /= (unsigned)sector->count;
        if (sector->versions[version])
            memcpy(after.image + i * SECTOR, sector->versions[version], SECTOR);
        else
            memset(after.image + i * SECTOR, 0, SECTOR);
    }
    int out = open(after.file, O_WRONLY | O_CREAT, 0600);
    size_t size = chosen->count * SECTOR;
    if (!CHECK(out >= 0 && pwrite(out, after.image, size, 0) == (ssize_t)size && ftruncate(out, (off_t)size) == 0))
        return;
    close(out);
}

/* Whether a file may have the name after a cut. */
static bool may_be_found(int file)
{
    for (size_t i = 0; i < name_count; i++)
        if (names[i].file == file && strcmp(names[i].name, "alice.state") == 0) return true;
    for (size_t i = 0; i < pending_count; i++)
        if (pending[i]->file == file && pending[i]->kind == RENAME) return true;
    return false;
}

/* How many disks may be left by a cut now; at most `most`, and one more if there are more. */
static unsigned long long choices(unsigned long long most)
{
    unsigned long long count = 1;
    for (size_t i = 0; i < pending_count && count <= most; i++) count *= 2;
    for (int file = 0; file < file_count; file++)
        for (size_t i = 0; may_be_found(file) && i < disk[file].count && count <= most; i++)
            count *= (unsigned)disk[file].sectors[i].count;
    return count > most ? most + 1 : count;
}

typedef struct bounds {
    int returned, begun; /* saves; states in between may be found */
    bool lied;           /* the disk lied since the last save that returned */
    bool unmade;         /* it lied about a save that made the file: only making it anew makes up for that */
} bounds;

/* The states that the disks left by a cut give. */
typedef struct range {
    int least, greatest;
} range;

/* Lays every disk down that a cut may leave now, at most so many of them, and looks what the store gives. */
static range look(unsigned long long most)
{
    range found = {SAVES, FOREIGN};
    unsigned long long count = choices(most);
    for (unsigned long long choice = 0; choice < count && choice < most; choice++) {
        lay_down(choice, count > most && choice > 0);
        int state = state_in(after.store);
        if (state < found.least) found.least = state;
        if (state > found.greatest) found.greatest = state;
        after.looks++;
    }
    return found;
}

/* Whether a cut after the event leaves other disks than one before it. */
static bool changes_disks(kind kind)
{
    return kind == CREATE || kind == WRITE || kind == FLUSH || kind == RENAME || kind == UNLINK || kind == FLUSH_NAMES;
}

/* Cuts the power after each event of the log but the first ones. */
static void cut_everywhere(size_t first, int returned, unsigned long long most)
{
    bounds bounds = {returned, returned, false, false};
    range found = {0, 0};
    bool lies = false, makes = false, known = false;
    reset_disk();
    for (size_t i = 0; i < event_count && checks_failed() == 0; i++) {
        apply(&events[i]);
        if (events[i].kind == BEGIN) bounds.begun = events[i].file, lies = makes = false;
        if (events[i].kind == LIE) bounds.lied = lies = true;
        if (events[i].kind == RENAME) makes = true;
        if (events[i].kind == RETURN) {
            bounds.returned = events[i].file;
            if (makes) bounds.unmade = lies;
            bounds.lied = lies || bounds.unmade; /* an honest save makes up for the lie before it */
        }
        if (changes_disks(events[i].kind)) known = false;
        if (i + 1 < first) continue;
        if (!known) found = look(most);
        known = true;
        if (bounds.lied) continue; /* whatever it is: it did no harm to look */
        if (!CHECK(found.least >= bounds.returned && found.greatest <= bounds.begun))
            note("after event %zu of %zu: found states %d to %d, not %d to %d", i, event_count, found.least,
                 found.greatest, bounds.returned, bounds.begun);
    }
}

/* ------------------------------------------------------------------------------------------------------- the lives */

static mtoken_runtime *runtime;
static mtoken_store *plain_store, *store;
static int last; /* the state that was begun last */

/* Opens the store, and takes the client's name: a client that finds no state of its own does that and is gone. */
static void open_store(void)
{
    mtoken_client *client = NULL;
    CHECK_OK(mtoken_store_directory_new(directory, MTOKEN_NUL_TERMINATED, &plain_store, NULL));
    CHECK_OK(mtoken_testing_store_new(plain_store, &store, NULL));
    const mtoken_client_options options = plain_options(store, "alice", CLOSED_URL);
    CHECK_KNOWN(mtoken_client_new(runtime, &options, &client, NULL));
    mtoken_client_free(client);
}

static void close_store(void)
{
    mtoken_store_free(store);
    mtoken_store_free(plain_store);
}

static mtoken_status save_as(size_t size, bool renews)
{
    static uint8_t data[1 << 20];
    size_of[++last] = size;
    fill(data, last);
    add(BEGIN, last, NULL);
    mtoken_status status = (renews ? mtoken_testing_store_renew
                                   : mtoken_testing_store_write)(store, text("alice.state").data, 11, data, size, NULL);
    add(status == MTOKEN_OK ? RETURN : FAIL, last, NULL);
    return status;
}

static mtoken_status save(size_t size) { return save_as(size, false); }

static size_t some_size(void)
{
    unsigned kind = random_below(16);
    return kind < 11 ? 900 + random_below(300) : kind < 15 ? 3000 + random_below(6000) : 12000 + random_below(9000);
}

static void begin_log(void)
{
    for (size_t i = 0; i < event_count; i++) free(events[i].data);
    event_count = now_count = 0;
    file_count = 0;
    memset(file_of, 0, sizeof file_of);
    recording = true;
}

/* What is there when a life begins: a file that is safe, whatever its form. */
static void begin_with(const char *path)
{
    static uint8_t data[1 << 22];
    FILE *file = fopen(path, "r");
    if (!file) return;
    size_t size = fread(data, 1, sizeof data, file), room = (size + SECTOR - 1) / SECTOR * SECTOR;
    fclose(file);
    memset(data + size, 0, room - size);
    name_file("alice.state", file_count);
    add(CREATE, file_count, "alice.state");
    event *write = add(WRITE, file_count, NULL);
    write->size = room;
    write->data = malloc(room);
    memcpy(write->data, data, room);
    add(FLUSH, file_count++, NULL);
    add(FLUSH_NAMES, 0, NULL);
}

static unsigned long parameter(const char *name, unsigned long ordinarily, unsigned long full)
{
    const char *given = getenv(name);
    return given ? strtoul(given, NULL, 10) : under_valgrind() ? 1 : getenv("MTOKEN_FULL") ? full : ordinarily;
}

static void open_all(void)
{
    static char folder[256];
    make_directory(folder, sizeof folder);
    snprintf(directory, sizeof directory, "%s/state", folder);
    snprintf(after.path, sizeof after.path, "%s/after", folder);
    snprintf(after.file, sizeof after.file, "%s/after/alice.state", folder);
    CHECK_OK(mtoken_runtime_new(NULL, &runtime, NULL));
    CHECK_OK(mtoken_store_directory_new(after.path, MTOKEN_NUL_TERMINATED, &after.directory, NULL));
    CHECK_OK(mtoken_testing_store_new(after.directory, &after.store, NULL));
    after.image = malloc(1 << 22);
    after.looks = 0;
    last = 0;
    event_count = 0;
    fault = NO_FAULT;
    open_store();
}

static void close_all(void)
{
    recording = false;
    close_store();
    mtoken_store_free(after.store);
    mtoken_store_free(after.directory);
    mtoken_runtime_free(runtime);
    free(after.image);
    reset_disk();
    begin_log();
    recording = false;
    *strrchr(directory, '/') = 0;
    remove_directory(directory);
}

/* Goes on from a disk that some cut left. What was there when the life began, by the first events, is safe. */
static void go_on_after_a_cut(size_t first)
{
    size_t end = first + random_below((unsigned)(event_count - first + 1));
    reset_disk();
    for (size_t i = 0; i < end; i++) apply(&events[i]);
    lay_down(0, true);
    close_store();
    char state[340];
    snprintf(state, sizeof state, "%s/alice.state", directory);
    unlink(state);
    CHECK(link(after.file, state) == 0 || errno == ENOENT);
    unlink(after.file);
    open_store();
}

/* A file as it was before there were slots: the state, and nothing else. */
static void begin_with_an_old_file(void)
{
    char state[340];
    static uint8_t data[1 << 20];
    size_of[++last] = 2 * SECTOR;
    fill(data, last);
    close_store();
    snprintf(state, sizeof state, "%s/alice.state", directory);
    int file = open(state, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    CHECK(file >= 0 && write(file, data, size_of[last]) == (ssize_t)size_of[last]);
    close(file);
    open_store();
}

static void live_and_cut(bool lies)
{
    unsigned long lives = parameter("MTOKEN_LIVES", 6, 60), most = parameter("MTOKEN_CHOICES", 512, 4096);
    unsigned long looks = 0, saves = 0, failures = 0,
                  seed = parameter("MTOKEN_SEED", (unsigned long)time(NULL), (unsigned long)time(NULL));
    random_from(chance.state = seed);
    open_all();
    for (unsigned long life = 0; life < lives && checks_failed() == 0; life++) {
        char state[340];
        if (life % 3 == 1) begin_with_an_old_file();
        int begun_with = state_in(store);
        CHECK(begun_with != FOREIGN || lies);
        begin_log();
        snprintf(state, sizeof state, "%s/alice.state", directory);
        begin_with(state);
        size_t first = event_count;
        for (int i = 0; i < 24; i++) {
            fault = random_below(5) ? NO_FAULT : random_below(FAULTS);
            if (fault == FLUSH_LIES && !lies) fault = NO_FAULT;
            bool must_fail = fault != NO_FAULT && fault != FLUSH_LIES && fault != RENAME_FAILS && fault != NAMES_FAIL;
            /* Where a save changes the key, a lie takes the state: see docs/guarantees.md. */
            mtoken_status status = save_as(some_size(), random_below(4) == 0 && fault != FLUSH_LIES);
            if (must_fail) CHECK_STATUS(status, MTOKEN_ERROR_STORAGE);
            fault = NO_FAULT;
            saves++;
            failures += status != MTOKEN_OK;
            if (status == MTOKEN_OK) CHECK_INT(state_in(store), last);
            if (random_below(8) == 0) { /* the process ends, another begins */
                close_store();
                open_store();
            }
        }
        recording = false;
        cut_everywhere(first, begun_with, most);
        looks += (unsigned long)after.looks;
        after.looks = 0;
        go_on_after_a_cut(first);
    }
    note("MTOKEN_SEED=%lu: %lu saves, %lu failed, %lu disks", seed, saves, failures, looks);
    close_all();
}

static void the_last_state_outlives_every_cut(void) { live_and_cut(false); }

/* It says that it wrote and did not. The next save that is flushed makes up for it, or the next that makes the file. */
static void a_disk_that_lies_once_is_survived(void) { live_and_cut(true); }

static size_t count_of(kind kind, size_t from)
{
    size_t count = 0;
    for (size_t i = from; i < event_count; i++) count += events[i].kind == kind;
    return count;
}

/* What a save costs: one write and one flush, small or large, once the file has room. One that leaves nothing of what
 * was there has two of each. */
static void a_save_is_one_write_and_one_flush(void)
{
    static const size_t sizes[] = {1000, 1000, 3984, 8000, 8000, 3000, 8000, 12048, 100, 30000, 30000, 1000};
    open_all();
    begin_log();
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        size_t before = event_count;
        CHECK_OK(save(sizes[i]));
        CHECK_INT(state_in(store), last);
        bool makes_a_file = i == 0 || i == 3 || i == 9; /* where there was none, or none large enough */
        CHECK_INT(count_of(WRITE, before), 1);
        CHECK_INT(count_of(FLUSH, before), 1);
        CHECK_INT(count_of(RENAME, before), makes_a_file);
        CHECK_INT(count_of(FLUSH_NAMES, before), makes_a_file);
        CHECK_INT(event_count - before, makes_a_file ? 7 : 4);
    }
    for (size_t i = 0; i < 3; i++) {
        size_t before = event_count;
        CHECK_OK(save_as(1000, i != 1));
        CHECK_INT(state_in(store), last);
        CHECK_INT(count_of(WRITE, before), i == 1 ? 1 : 2);
        CHECK_INT(count_of(FLUSH, before), i == 1 ? 1 : 2);
        CHECK_INT(count_of(RENAME, before), 0);
    }
    cut_everywhere(0, NOTHING, 256);
    close_all();
}

static const test tests[] = {
    {"a save is one write and one flush", a_save_is_one_write_and_one_flush},
    {"the last state outlives every cut", the_last_state_outlives_every_cut},
    {"a disk that lies once is survived", a_disk_that_lies_once_is_survived},
};

int main(int argc, char **argv)
{
    after_each = plain_after_each;
    return RUN(tests);
}
