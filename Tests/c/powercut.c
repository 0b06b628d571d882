/*
 * The power is cut, at any instant of long lives of saves (disk.h). Each beginning of the log is replayed, with every
 * choice of what of the unflushed reached the disk: the store gives the last state whose save had returned, or a newer
 * one whose save had begun; never an older one, never one that nobody saved, never none.
 *
 * MTOKEN_LIVES and MTOKEN_CHOICES set how many lives there are and how many choices a point has at most.
 */
#include "disk.h"
#include "plain.h"

#include <testing/mtoken_testing.h>

#include <time.h>

enum { SAVES = 1 << 16 };

static char directory[300];
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
    char path[320];
    mtoken_store *directory, *store;
    long looks;
} after;

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
    unsigned long long count = disk_choices("alice.state", most);
    for (unsigned long long choice = 0; choice < count && choice < most; choice++) {
        disk_lay_down(after.path, "alice.state", choice, count > most && choice > 0 ? &chance : NULL);
        int state = state_in(after.store);
        if (state < found.least) found.least = state;
        if (state > found.greatest) found.greatest = state;
        after.looks++;
    }
    return found;
}

/* Whether a cut after the event leaves other disks than one before it. */
static bool changes_disks(disk_kind kind)
{
    return kind == CREATE || kind == WRITE || kind == FLUSH || kind == RENAME || kind == UNLINK || kind == FLUSH_NAMES;
}

/* Cuts the power after each event of the log but the first ones. */
static void cut_everywhere(size_t first, int returned, unsigned long long most)
{
    bounds bounds = {returned, returned, false, false};
    range found = {0, 0};
    bool lies = false, makes = false, known = false;
    disk_reset();
    for (size_t i = 0; i < disk_log_count && checks_failed() == 0; i++) {
        disk_apply(&disk_log[i]);
        if (disk_log[i].kind == BEGIN) bounds.begun = disk_log[i].file, lies = makes = false;
        if (disk_log[i].kind == LIE) bounds.lied = lies = true;
        if (disk_log[i].kind == RENAME) makes = true;
        if (disk_log[i].kind == RETURN) {
            bounds.returned = disk_log[i].file;
            if (makes) bounds.unmade = lies;
            bounds.lied = lies || bounds.unmade; /* an honest save makes up for the lie before it */
        }
        if (changes_disks(disk_log[i].kind)) known = false;
        if (i + 1 < first) continue;
        if (!known) found = look(most);
        known = true;
        if (bounds.lied) continue; /* whatever it is: it did no harm to look */
        if (!CHECK(found.least >= bounds.returned && found.greatest <= bounds.begun))
            note("after event %zu of %zu: found states %d to %d, not %d to %d", i, disk_log_count, found.least,
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
    disk_add(BEGIN, last, NULL);
    mtoken_status status = (renews ? mtoken_testing_store_renew
                                   : mtoken_testing_store_write)(store, text("alice.state").data, 11, data, size, NULL);
    disk_add(status == MTOKEN_OK ? RETURN : FAIL, last, NULL);
    return status;
}

static mtoken_status save(size_t size) { return save_as(size, false); }

static size_t some_size(void)
{
    unsigned kind = random_below(16);
    return kind < 11 ? 900 + random_below(300) : kind < 15 ? 3000 + random_below(6000) : 12000 + random_below(9000);
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
    CHECK_OK(mtoken_runtime_new(NULL, &runtime, NULL));
    CHECK_OK(mtoken_store_directory_new(after.path, MTOKEN_NUL_TERMINATED, &after.directory, NULL));
    CHECK_OK(mtoken_testing_store_new(after.directory, &after.store, NULL));
    after.looks = 0;
    last = 0;
    open_store();
}

static void close_all(void)
{
    disk_pause();
    close_store();
    mtoken_store_free(after.store);
    mtoken_store_free(after.directory);
    mtoken_runtime_free(runtime);
    disk_reset();
    disk_stop();
    *strrchr(directory, '/') = 0;
    remove_directory(directory);
}

/* Goes on from a disk that some cut left. What was there when the life began, by the first events, is safe. */
static void go_on_after_a_cut(size_t first)
{
    size_t end = first + random_below((unsigned)(disk_log_count - first + 1));
    disk_replay(end);
    close_store();
    disk_lay_down(directory, "alice.state", 0, &chance);
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
        int begun_with = state_in(store);
        CHECK(begun_with != FOREIGN || lies);
        disk_record(directory);
        size_t first = disk_log_count;
        for (int i = 0; i < 24; i++) {
            disk_fails = random_below(5) ? NO_FAULT : random_below(DISK_FAULTS);
            if (disk_fails == FLUSH_LIES && !lies) disk_fails = NO_FAULT;
            bool must_fail = disk_fails == SHORT_WRITE || disk_fails == NO_WRITE || disk_fails == FLUSH_FAILS;
            /* Where a save changes the key, a lie takes the state: see docs/guarantees.md. */
            mtoken_status status = save_as(some_size(), random_below(4) == 0 && disk_fails != FLUSH_LIES);
            if (must_fail) CHECK_STATUS(status, MTOKEN_ERROR_STORAGE);
            disk_fails = NO_FAULT;
            saves++;
            failures += status != MTOKEN_OK;
            if (status == MTOKEN_OK) CHECK_INT(state_in(store), last);
            if (random_below(8) == 0) { /* the process ends, another begins */
                close_store();
                open_store();
            }
        }
        disk_pause();
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

static size_t count_of(disk_kind kind, size_t from)
{
    size_t count = 0;
    for (size_t i = from; i < disk_log_count; i++) count += disk_log[i].kind == kind;
    return count;
}

/* What a save costs: one write and one flush, small or large, once the file has room. One that leaves nothing of what
 * was there has two of each. */
static void a_save_is_one_write_and_one_flush(void)
{
    static const size_t sizes[] = {1000, 1000, 3984, 8000, 8000, 3000, 8000, 12048, 100, 30000, 30000, 1000};
    open_all();
    disk_record(directory);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        size_t before = disk_log_count;
        CHECK_OK(save(sizes[i]));
        CHECK_INT(state_in(store), last);
        bool makes_a_file = i == 0 || i == 3 || i == 9; /* where there was none, or none large enough */
        CHECK_INT(count_of(WRITE, before), 1);
        CHECK_INT(count_of(FLUSH, before), 1);
        CHECK_INT(count_of(RENAME, before), makes_a_file);
        CHECK_INT(count_of(FLUSH_NAMES, before), makes_a_file);
        CHECK_INT(disk_log_count - before, makes_a_file ? 7 : 4);
    }
    for (size_t i = 0; i < 3; i++) {
        size_t before = disk_log_count;
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
