/*
 * A disk whose power can be cut. This program's functions stand in for those of the C library and write down what a
 * directory store asks of the kernel. What a cut leaves is then laid down, with any choice of what of the unflushed was
 * written, sector by sector.
 */
#ifndef DISK_H
#define DISK_H

#include "random.h"

#include <stddef.h>

enum { DISK_SECTOR = 512, DISK_EVENTS = 1 << 14, DISK_FILES = 256 };

typedef enum disk_kind {
    CREATE,
    WRITE,
    FLUSH,
    FLUSH_LOST,
    LIE,
    RENAME,
    UNLINK,
    FLUSH_NAMES,
    BEGIN, /* this and the following: for who reads the log; of a save */
    RETURN,
    FAIL
} disk_kind;

typedef struct disk_event {
    disk_kind kind;
    int file;       /* of CREATE, WRITE, FLUSH; BEGIN, RETURN and FAIL: the number of the save */
    char name[64];  /* of CREATE, RENAME (the old one), UNLINK */
    char other[64]; /* the new name */
    size_t offset, size;
    uint8_t *data;
} disk_event;

extern disk_event disk_log[DISK_EVENTS];
extern size_t disk_log_count;
disk_event *disk_add(disk_kind kind, int file, const char *name);

/* From now on what happens to files that are named without a path is written down. What the folder holds is safe. */
void disk_record(const char *folder);
/* The log is empty again. */
void disk_stop(void);
/* What is logged stays, and no more is. */
void disk_pause(void);

/* The next call of a kind fails, or is said to have been done. */
typedef enum disk_fault {
    NO_FAULT,
    SHORT_WRITE,
    NO_WRITE,
    FLUSH_FAILS,
    FLUSH_LIES,
    RENAME_FAILS,
    NAMES_FAIL,
    DISK_FAULTS
} disk_fault;
extern disk_fault disk_fails;

/* The power is cut after this many events from now; 0: not. What happens afterwards is not written down. */
void disk_cut_after(size_t events);
bool disk_is_cut(void);

/* What of the log has reached the disk, in memory. */
void disk_reset(void);
void disk_apply(const disk_event *event);
/* Anew, of so many events from the beginning. */
void disk_replay(size_t events);
/* How many disks may be left by a cut now, as far as a file of this name goes; at most `most`, and one more if there
 * are more. */
unsigned long long disk_choices(const char *name, unsigned long long most);
/* Lays one of them down: the digits of a number say which, or, with a stream, it is chosen at random. `only`: a file
 * of this name alone; NULL: all. */
void disk_lay_down(const char *folder, const char *only, unsigned long long choice, stream *random);

#endif
